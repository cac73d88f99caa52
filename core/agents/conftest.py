"""Keeps pytest, which looks for examples in every module, from those that need Inspect AI."""

from importlib.util import find_spec

needing = ("elicitation", "logs", "running", "tasks")
collect_ignore = [] if find_spec("inspect_ai") else [f"{name}.py" for name in needing]
