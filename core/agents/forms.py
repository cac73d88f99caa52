"""The form that the embedded model's replies are held to, as grammars of llama.cpp.

It is too small to call tools by itself: a turn is held to one call, in the words in which Inspect
reads calls from text, and a reply about its chance to the line that is asked for. What it runs is
held to a few commands on files of its working folder, so that chance does no harm in a sandbox
without walls.
"""

from typing import Any

_CALL = r"""
root ::= "<tool_call>{\"name\": \"" (bash | submit) "}}</tool_call>"
bash ::= "bash\", \"arguments\": {\"command\": \"" command (" > " file)? "\""
submit ::= "submit\", \"arguments\": {\"answer\": \"done\""
command ::= "ls" | read " " file | "grep -c " word " " file | "mv " file " " file | "echo " word
read ::= "cat" | "head" | "sort" | "wc -l" | "sha256sum"
file ::= [a-z] [a-z0-9_]{0,20} "." [a-z]{1,4}
word ::= [A-Za-z0-9]{1,20}
"""
_CHANCE = r"""
root ::= "LIKELIHOOD OF SUCCESS: " ("100" | [1-9]? [0-9]) "%"
"""

CALL_FORM: dict[str, Any] = {"grammar": _CALL, "cache_prompt": False}
CHANCE_FORM: dict[str, Any] = {"grammar": _CHANCE, "cache_prompt": False}
"""What a request to llama.cpp holds beside the rest; without its cache a run repeats."""
