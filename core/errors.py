"""Every error Selfbound raises on purpose.

    SelfboundError
    ├── InputError        what a person or a file gave cannot be used
    ├── NotFoundError     a study, task or file that is not there
    ├── ConflictError     it clashes with what is stored or running
    ├── PromptError       a prompt file is wrong, or a variable does not fit
    ├── StoreError        the store cannot be opened, or does not verify
    ├── SandboxError      a program cannot be run locked away
    └── ModelError        a model cannot be reached or refused the request
        └── see core.llm.client for the kinds of failed call

A message says what is wrong, where, the value met and the value wanted, in lower case and
without a full stop. The hint is the next step. Screens show both; the command line prints both
and exits with 1. Bad values never pass silently and are never repaired.
"""

from collections.abc import Sequence


class SelfboundError(Exception):
    """A problem that can be told to a person in one sentence.

    Args:
        message: what is wrong, where, the value met and the value wanted.
        hint: the next step; empty when there is none.

    Example:
        >>> error = InputError("row 17 of tasks.csv has no task text", hint="fix the row")
        >>> str(error), error.hint
        ('row 17 of tasks.csv has no task text', 'fix the row')
    """

    def __init__(self, message: str, *, hint: str = "") -> None:
        super().__init__(message)
        self.hint = hint


class InputError(SelfboundError):
    """What a person or a file gave cannot be used.

    Args:
        choices: what is left open, where one of a few has to be named.
    """

    def __init__(self, message: str, *, hint: str = "", choices: Sequence[str] = ()) -> None:
        super().__init__(message, hint=hint)
        self.choices = tuple(choices)


class NotFoundError(SelfboundError):
    """A study, task or file that is not there."""


class ConflictError(SelfboundError):
    """The request clashes with what is stored or running."""


class PromptError(SelfboundError):
    """A prompt file is wrong, or a variable does not fit it."""


class StoreError(SelfboundError):
    """The store cannot be opened, or does not verify."""


class SandboxError(SelfboundError):
    """A program cannot be run locked away, so it is not run."""


class ModelError(SelfboundError):
    """A model cannot be reached, or did not answer with a reply."""
