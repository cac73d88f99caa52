"""The child process that serves one GGUF file over llama.cpp's OpenAI-compatible server.

It reads its settings as one line of JSON from standard input, answers with one line on standard
output (`address`, or `failed` and `detail`), and serves until standard input is closed. That is
how it dies with its parent, however the parent ends, and how the key stays out of the list of
processes. Run as a program only; `local_model` starts it.
"""

import json
import os
import sys
from typing import Any

CONTEXT_TOKENS = 4096


def main() -> None:
    """Nothing; serves until standard input is closed."""
    settings = json.loads(sys.stdin.readline())
    try:
        import xllamacpp
    except ImportError as error:
        report(failed="library", detail=str(error))
        return
    try:
        server = xllamacpp.Server(server_settings(xllamacpp, settings))
    except RuntimeError as error:
        report(failed="model", detail=str(error))
        return
    report(address=server.listening_address)
    sys.stdin.read()
    # An orderly end would wait for a reply that nobody reads any more.
    os._exit(0)


def server_settings(xllamacpp: Any, settings: dict[str, Any]) -> Any:
    """llama.cpp's settings for one small server on this machine.

    Args:
        xllamacpp: the library.
        settings: `path` of the GGUF file, the `name` it answers with, the `api_key` it asks for.
    """
    params = xllamacpp.CommonParams()
    params.model.path = settings["path"]
    params.model_alias = {settings["name"]}
    params.api_keys = [settings["api_key"]]
    params.hostnames = ["127.0.0.1"]
    params.port = 0
    params.offline = True
    params.ui = False
    params.endpoint_slots = False
    params.verbosity = 1  # errors only: they say why a file cannot be loaded
    params.n_ctx = CONTEXT_TOKENS
    # One slot: on a processor more of them share the same cores and bring nothing.
    params.n_parallel = 1
    params.cache_ram_mib = 0
    # Generation is bound by memory, one thread is best; the prompt is read by all cores at once.
    params.cpuparams.n_threads = 1
    params.cpuparams_batch.n_threads = os.cpu_count() or 1
    return params


def report(**line: str) -> None:
    """Nothing; writes one line of JSON for the parent."""
    print(json.dumps(line), flush=True)


if __name__ == "__main__":
    main()
