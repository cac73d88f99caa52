"""Prompts as files: load, check, fill, hash.

A prompt is `prompts/<protocol>/<set>/<what>.v<N>.md`: a header between two lines of three dashes,
then the messages under the headings `# system`, `# user` and `# assistant`. `${name}` marks what
is filled in; a dollar sign is written `$$`. The header names the variables, so that a misspelt or
unused one is found when the file is loaded, not in the middle of a run. The hash is taken of
the whole file and stored with every reply; a file that a stored run used is frozen, and a change
is a new version. A person adds a prompt set by adding a folder.

Header lines are `key: value`. Every prompt has `purpose`, `variables` (comma-separated, may be
empty) and `source`; a protocol reads further keys as it needs them (`max_tokens`, for one).
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from string import Template

from core.errors import NotFoundError, PromptError
from core.identity import content_hash
from core.records import Message
from core.settings import PROMPTS_DIR

ROLES = ("system", "user", "assistant")
_REQUIRED = ("purpose", "variables", "source")
_FILE_NAME = re.compile(r"(?P<what>[a-z0-9_]+)\.v(?P<version>\d+)\.md")
_HEADING = re.compile(rf"^# ({'|'.join(ROLES)})[ \t]*$", re.MULTILINE)


@dataclass(frozen=True)
class Prompt:
    """One prompt file, checked.

    Args:
        name: `<protocol>/<set>/<what>`.
        version: the N of `.v<N>.md`, from 1.
        text: the file as it is, with line ends as `\\n`; `hash` is its content hash.
        header: the header's keys and values, all text.
        messages: role and unfilled content, in order.
        variables: the names that `fill` wants, no more and no fewer.
    """

    name: str
    version: int
    text: str
    hash: str
    header: Mapping[str, str]
    messages: tuple[Message, ...]
    variables: frozenset[str]

    def number(self, key: str, default: int) -> int:
        """A whole number from the header, or `default` when the key is not there.

        Raises:
            PromptError: the value is not a whole number.
        """
        value = self.header.get(key, str(default))
        if not value.isdecimal():
            raise PromptError(
                f"{self.name}.v{self.version}.md has {key} {value!r}, not a whole number"
            )
        return int(value)


def parse_prompt(text: str, *, name: str, version: int) -> Prompt:
    """The prompt that a file's text holds.

    Raises:
        PromptError: no header, a missing key, no messages, a conversation that does not end with
            the user, or variables that do not match the placeholders.

    Example:
        >>> head = "---\\npurpose: greet\\nvariables: who\\nsource: ours\\n---\\n"
        >>> source = head + "# user\\nHi ${who}"
        >>> fill(parse_prompt(source, name="demo/plain/greet", version=1), {"who": "Ada"})
        (Message(role='user', content='Hi Ada'),)
    """
    where = f"{name}.v{version}.md"
    text = text.replace("\r\n", "\n").removeprefix("\ufeff")
    header_text, body = _split_header(text, where)
    header = _parse_header(header_text, where)
    messages = _parse_messages(body, where)
    named = frozenset(filter(None, (part.strip() for part in header["variables"].split(","))))
    used: set[str] = set()
    for message in messages:
        template = Template(message.content)
        if not template.is_valid():
            raise PromptError(
                f"{where} has a stray dollar sign under # {message.role}",
                hint="write ${name} for a variable and $$ for a dollar sign",
            )
        used.update(template.get_identifiers())
    if used != named:
        raise PromptError(
            f"{where} names the variables {_listed(named)} and uses {_listed(used)}",
            hint="list in the header exactly the variables that the messages use",
        )
    return Prompt(name, version, text, content_hash(text), header, messages, named)


def fill(prompt: Prompt, values: Mapping[str, str]) -> tuple[Message, ...]:
    """The messages with every variable filled in; values are never scanned for placeholders.

    Args:
        values: what is on offer, by name; a prompt need not use all of it.

    Raises:
        PromptError: the prompt wants a variable that is not on offer.
    """
    missing = prompt.variables - values.keys()
    if missing:
        raise PromptError(
            f"{prompt.name}.v{prompt.version}.md wants the variables {_listed(missing)}",
            hint=f"on offer are {_listed(frozenset(values))}",
        )
    return tuple(
        Message(message.role, Template(message.content).substitute(values))
        for message in prompt.messages
    )


def load_prompt(
    protocol: str,
    prompt_set: str,
    what: str,
    *,
    version: int | None = None,
    root: Path = PROMPTS_DIR,
) -> Prompt:
    """The prompt file for one step: the version asked for, or the newest.

    Raises:
        NotFoundError: there is no such file.
        PromptError: the file is wrong.
    """
    folder = root / protocol / prompt_set
    versions = prompt_versions(protocol, prompt_set, what, root=root)
    chosen = version if version is not None else max(versions, default=0)
    if chosen not in versions:
        raise NotFoundError(
            f"prompt set {prompt_set} has no {what}.v{chosen or 1}.md",
            hint=f"add the file under prompts/{protocol}/{prompt_set}/",
        )
    path = folder / f"{what}.v{chosen}.md"
    return parse_prompt(
        path.read_text(encoding="utf-8"), name=f"{protocol}/{prompt_set}/{what}", version=chosen
    )


def prompt_versions(
    protocol: str, prompt_set: str, what: str, *, root: Path = PROMPTS_DIR
) -> list[int]:
    """The versions there are of one prompt, in rising order; empty when there is none."""
    found = (
        _FILE_NAME.fullmatch(path.name) for path in (root / protocol / prompt_set).glob("*.md")
    )
    return sorted(int(match["version"]) for match in found if match and match["what"] == what)


def prompt_sets(protocol: str, *, root: Path = PROMPTS_DIR) -> list[str]:
    """The names of the prompt sets of a protocol, in alphabetical order."""
    folder = root / protocol
    if not folder.is_dir():
        return []
    return sorted(path.name for path in folder.iterdir() if any(path.glob("*.v*.md")))


def _split_header(text: str, where: str) -> tuple[str, str]:
    match = re.match(r"---\n(.*?)\n---\n", text, re.DOTALL)
    if match is None:
        raise PromptError(
            f"{where} does not begin with a header",
            hint="begin with purpose, variables and source between two lines of ---",
        )
    return match[1], text[match.end() :]


def _parse_header(text: str, where: str) -> dict[str, str]:
    header: dict[str, str] = {}
    for line in text.split("\n"):
        key, colon, value = line.partition(":")
        if not colon or not key.strip():
            raise PromptError(f"{where} has the header line {line!r}, not key: value")
        header[key.strip()] = value.strip()
    missing = [key for key in _REQUIRED if key not in header]
    if missing:
        raise PromptError(f"{where} has no {missing[0]} in its header")
    return header


def _parse_messages(body: str, where: str) -> tuple[Message, ...]:
    parts = _HEADING.split(body)
    if parts[0].strip():
        raise PromptError(f"{where} has text before the first # system, # user or # assistant")
    messages = tuple(
        Message(role, content.strip())
        for role, content in zip(parts[1::2], parts[2::2], strict=True)
    )
    if not messages or messages[-1].role != "user":
        raise PromptError(f"{where} must end with a # user message")
    return messages


def _listed(names: frozenset[str] | set[str]) -> str:
    return ", ".join(sorted(names)) if names else "none"
