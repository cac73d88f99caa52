"""A whole run over as many questions as were published: attempts, then the judging of answers.

The model is a local server that speaks OpenAI's protocol, in a process of its own, so that time
and memory are those of the program with its real client.
"""

import multiprocessing
import os
import re
import tempfile
import time
from contextlib import contextmanager
from pathlib import Path

from core.store.store import Store
from core.workflows.steps import start_step
from core.workflows.studies import create_study
from core.workflows.workbench import open_workbench
from tests.support.openai_server import Answer, completion, serve
from tests.support.questions import add_questions

N_ANSWERABLE, N_UNANSWERABLE = 1_674, 1_666
CONCURRENCY = 32
SUBJECT, JUDGE = "openai/subject", "openai/judge"


def reply(request: dict) -> Answer:
    """Most questions are answered, some rightly; the judge says Yes to even numbers."""
    text = request["messages"][-1]["content"]
    if request["model"] == "judge":
        number = int(re.findall(r"\d+", text.rsplit("the answer begins]", 1)[-1])[0])
        return Answer(completion("Yes" if number % 2 == 0 else "No"))
    number = int(re.findall(r"number (\d+)", text)[-1])
    box = "<DATA_UNCERTAIN>" if number % 3 == 0 else str(number)
    return Answer(completion(rf"It took some thought. \boxed{{{box}}}"))


def _serve(address: "multiprocessing.connection.Connection") -> None:
    with serve(reply) as server:
        # What the server remembers of each request is of no use here.
        server.requests = server.headers = _Forgetful()
        address.send(server.api_base)
        address.recv()


class _Forgetful(list):
    def append(self, _: object) -> None:
        pass


@contextmanager
def server_beside():
    """The address of a server in another process, for the length of a block."""
    ours, theirs = multiprocessing.Pipe()
    process = multiprocessing.get_context("spawn").Process(target=_serve, args=(theirs,))
    process.start()
    try:
        yield ours.recv()
    finally:
        ours.send(None)
        process.join()


def resident_mb() -> float:
    """Memory this process holds now, in MB."""
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return pages * 4096 / 1e6


def main() -> None:
    """Print the time of each step, its pace, and how memory grew over it."""
    os.environ.setdefault("OPENAI_API_KEY", "none is needed here")
    with tempfile.TemporaryDirectory() as folder, server_beside() as api_base:
        path = Path(folder) / "bench.duckdb"
        with Store.open(path) as store:
            study = create_study(
                store, "All", protocol="uncertainty_attribution", subject=SUBJECT, judge=JUDGE
            )
            answerable = [(f"Say the number {n}.", [str(n)]) for n in range(N_ANSWERABLE)]
            add_questions(store, study, answerable, file="answerable")
            rest = range(N_ANSWERABLE, N_ANSWERABLE + N_UNANSWERABLE)
            unanswerable = [(f"Say what is wrong with number {n}.", None) for n in rest]
            add_questions(store, study, unanswerable, file="unanswerable")
        with open_workbench(path) as bench:
            bench.client()
            for step in ("attempt", "judge"):
                before, began = resident_mb(), time.perf_counter()
                run = start_step(bench, study, step, concurrency=CONCURRENCY, api_base=api_base)
                early = None
                while not run.is_over:
                    run.wait(0.2)
                    progress = run.progress()
                    if early is None and sum(progress.outcomes.values()) > progress.planned / 4:
                        early = resident_mb()
                seconds, progress = time.perf_counter() - began, run.progress()
                ok = progress.outcomes["ok"]
                print(
                    f"{step}: {progress.planned:,} calls, {ok:,} ok, {seconds:.1f} s, "
                    f"{progress.calls_per_s:.0f} calls/s, memory {before:.0f} MB before, "
                    f"{early or before:.0f} at a quarter, {resident_mb():.0f} at the end"
                )


if __name__ == "__main__":
    main()
