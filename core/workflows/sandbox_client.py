"""A client that is no model: it runs a program with its checks, and says how they went.

Whatever the program does is an answer, a program that runs out of time too. Only a sandbox that
cannot be set up is a failed call, which is owed anew and never a failure of who wrote the program.
"""

from core.errors import SandboxError
from core.identity import canonical_json
from core.llm.client import CallFailed
from core.records import Reply, Request
from core.sandbox.choose import LOCAL, missing_libraries, run_checks
from core.sandbox.outcomes import SandboxLimits


class SandboxClient:
    """Runs the program in a request's context.

    Args:
        kind: what `core.sandbox.choose.choose_sandbox` returned.
    """

    def __init__(self, kind: str) -> None:
        self._kind = kind

    async def ask(self, request: Request, *, timeout_s: float) -> Reply:
        """How the program's checks went: status, detail and sandbox as JSON.

        Raises:
            CallFailed: the sandbox could not be set up, or lacks what the task's program needs.
        """
        lacking = missing_libraries(request.context["libraries"]) if self._kind == LOCAL else ()
        if lacking:
            raise CallFailed(
                f"this machine lacks {', '.join(lacking)}, which the task's program needs",
                kind="provider_error",
                retryable=False,
            )
        limits = SandboxLimits(**request.parameters["limits"])
        try:
            ended = await run_checks(request.context["program"], limits=limits, kind=self._kind)
        except SandboxError as error:
            raise CallFailed(
                str(error), kind="provider_error", retryable=True, hint=error.hint
            ) from error
        said = {"status": ended.status.value, "detail": ended.detail, "sandbox": ended.sandbox}
        return Reply(
            text=canonical_json(said),
            model=ended.sandbox,
            cost_usd=0.0,
            honoured=dict(request.parameters),
        )

    def worst_cost_usd(self, request: Request) -> float:
        """0.0: running a program costs nothing."""
        return 0.0

    async def close(self) -> None:
        """Nothing; every run has ended what it started."""
