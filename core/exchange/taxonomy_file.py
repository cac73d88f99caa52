"""A study's own types and reasons, as a person writes them in a JSON file.

    {"name": "Support assistant", "version": 1,
     "types": [{"name": …, "description": …, "reasons": [{"name": …, "description": …}]}],
     "spellings": {"another spelling": "the name it stands for"},
     "language": "en"}

The spellings and the language may be left out; `core.exchange.taxonomy_document` says what can be
used.
"""

import json
from pathlib import Path
from typing import Any

from core.errors import InputError, NotFoundError
from core.exchange.json_rows import unique_keys
from core.exchange.taxonomy_document import taxonomy_of_document
from core.exchange.text_files import decoded
from core.taxonomy import Taxonomy

MOST_BYTES = 1_000_000


def read_taxonomy(path: Path | str) -> Taxonomy:
    """The taxonomy in a file.

    Raises:
        NotFoundError: there is no such file.
        InputError: it cannot be read, or something in it cannot be used.
    """
    path = Path(path)
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        raise NotFoundError(
            f"there is no file {path}", hint="data/taxonomies holds two to begin with"
        ) from None
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror}", hint="name a file") from error
    return taxonomy_of_bytes(data, path.name)


def taxonomy_of_bytes(data: bytes, name: str) -> Taxonomy:
    """The taxonomy in the bytes of a file of that name.

    Raises:
        InputError: they are no JSON text, or something in it cannot be used.
    """
    if len(data) > MOST_BYTES:
        raise InputError(
            f"{name} has {len(data):,} bytes; at most {MOST_BYTES:,} were wanted",
            hint="give the file that holds the types and reasons, not the tasks",
        )
    try:
        document = json.loads(
            decoded(data, name),
            object_pairs_hook=unique_keys,
            parse_constant=_refused_constant,
        )
    except json.JSONDecodeError as error:
        fault = f"{error.msg[:1].lower()}{error.msg[1:]} at column {error.colno:,}"
        raise InputError(
            f"line {error.lineno:,} of {name} is not JSON: {fault}",
            hint="compare it with data/taxonomies/support_assistant.json",
        ) from None
    except RecursionError:
        raise InputError(f"{name} is nested too deeply") from None
    except ValueError as error:
        raise InputError(f"{name} {error}") from None
    return taxonomy_of_document(document, name)


def _refused_constant(word: str) -> Any:
    raise ValueError(f"holds {word}, which is not JSON")
