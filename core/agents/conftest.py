"""Keeps pytest, which looks for examples in every module, from those that need Inspect AI."""

from importlib.util import find_spec

collect_ignore = (
    [] if find_spec("inspect_ai") else ["elicitation.py", "logs.py", "running.py", "tasks.py"]
)
