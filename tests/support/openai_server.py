"""A small HTTP server that speaks the OpenAI chat protocol, scripted by a function.

Tests hand it a function from the request's JSON to an `Answer`; the server counts and keeps every
request. It listens on 127.0.0.1 on a free port and stops when its block ends.
"""

import contextlib
import json
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@dataclass(frozen=True)
class Answer:
    """What the server sends back: a body that is JSON, or bytes sent as they are."""

    body: Any
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    delay_s: float = 0.0


@dataclass
class OpenAIServer:
    """A running server: its address, and the requests it has met so far."""

    api_base: str
    requests: list[dict[str, Any]] = field(default_factory=list)
    headers: list[dict[str, str]] = field(default_factory=list)


def completion(text: str | None = "hello", **changes: Any) -> dict[str, Any]:
    """A chat completion with one choice, as OpenAI sends it; `changes` replace whole fields."""
    message = {"role": "assistant", "content": text}
    return {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "created": 1_700_000_000,
        "model": "model-that-answered",
        "choices": [{"index": 0, "message": message, "finish_reason": "stop"}],
        "usage": {"prompt_tokens": 10, "completion_tokens": 2, "total_tokens": 12},
    } | changes


@contextlib.contextmanager
def serve(script: Callable[[dict[str, Any]], Answer]) -> Iterator[OpenAIServer]:
    """A server that answers every chat request as `script` says, for the length of a block."""
    lock = threading.Lock()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        # Head and body leave as one packet, or each call waits 40 ms for an acknowledgement.
        wbufsize = -1
        disable_nagle_algorithm = True

        def do_POST(self) -> None:
            request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            with lock:
                served.requests.append(request)
                served.headers.append(dict(self.headers))
                answer = script(request)
            time.sleep(answer.delay_s)
            body = answer.body if isinstance(answer.body, bytes) else _json_bytes(answer.body)
            with contextlib.suppress(ConnectionError):  # the client may have given up
                self.send_response(answer.status)
                headers = {"Content-Type": "application/json", **answer.headers}
                for name, value in headers.items():
                    self.send_header(name, value)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

        def log_message(self, format: str, *args: Any) -> None:
            """Nothing: a test's output stays its own."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    served = OpenAIServer(api_base=f"http://127.0.0.1:{server.server_address[1]}/v1")
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield served
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def _json_bytes(value: Any) -> bytes:
    return json.dumps(value).encode()
