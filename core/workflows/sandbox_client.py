"""A client that is no model: it runs a program with its checks, and says how they went.

Whatever the program does is an answer, a program that runs out of time too. Only a sandbox that
cannot be set up is a failed call, which is owed anew and never a failure of who wrote the program.
"""

from core.errors import InputError, SandboxError
from core.identity import canonical_json
from core.llm.client import CallFailed
from core.records import Reply, Request
from core.sandbox.choose import run_checks
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
        limits = SandboxLimits(**request.parameters["limits"])
        try:
            ended = await run_checks(request.context["program"], limits=limits, kind=self._kind)
        except InputError as error:
            # Without a hint: what one task needs, and is not to be had, ends no run of the others.
            raise CallFailed(str(error), kind="provider_error", retryable=False) from error
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
