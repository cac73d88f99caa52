"""The text of a file, or a plain statement of why its bytes are not text."""

import codecs
from shlex import quote

from core.errors import InputError

# UTF-32 first: its little-endian mark begins with that of UTF-16.
_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)


def decoded(data: bytes, name: str) -> str:
    """The text of a file that is UTF-8, or that says by its byte order mark what it is.

    Other encodings are refused and not guessed: a wrong guess would change a task's text.

    Args:
        data: the whole file. name: the file's name, for messages.

    Raises:
        InputError: a byte does not fit; names the line, and the encoding the file seems to have.
    """
    encoding = next((encoding for mark, encoding in _MARKS if data.startswith(mark)), None)
    if encoding is None and (unmarked := _utf16_without_mark(data)):
        raise InputError(
            f"line 1 of {name} is {unmarked} without a byte order mark, which is not read; "
            "UTF-8 was wanted",
            hint=_convert(unmarked, name),
        )
    try:
        return data.decode(encoding or "utf-8")
    except UnicodeDecodeError as error:
        raise _refusal(data, name, encoding, error.start) from None


def _refusal(data: bytes, name: str, encoding: str | None, at: int) -> InputError:
    if encoding not in (None, "utf-8-sig"):
        return InputError(
            f"{name} says that it is {encoding.upper()}, but its byte {at + 1:,} is not",
            hint="save the file again as UTF-8",
        )
    line, byte = _line_of(data, at), data[at : at + 1]
    met = _single_byte_encoding(data)
    return InputError(
        f"line {line} of {name} is not UTF-8: byte 0x{byte[0]:02X} is "
        f"{byte.decode(met, 'replace')!r} in {met}, which the file seems to be",
        hint=_convert(met, name),
    )


def _line_of(data: bytes, at: int) -> int:
    newline = b"\n" if b"\n" in data else b"\r"
    return data.count(newline, 0, at) + 1


def _single_byte_encoding(data: bytes) -> str:
    try:
        data.decode("cp1252")
    except UnicodeDecodeError:
        return "Latin-1"
    # The two differ only here, where Windows-1252 has quotes and dashes.
    return "Windows-1252" if any(0x80 <= byte < 0xA0 for byte in data) else "Latin-1"


def _utf16_without_mark(data: bytes) -> str | None:
    start = data[:4]
    if len(start) == 4 and start[1] == start[3] == 0 and start[0] and start[2]:
        return "UTF-16LE"
    if len(start) == 4 and start[0] == start[2] == 0 and start[1] and start[3]:
        return "UTF-16BE"
    return None


def _convert(encoding: str, name: str) -> str:
    return (
        "save it as UTF-8 (in a spreadsheet: “CSV UTF-8”), or convert it: "
        f"iconv -f {encoding.upper()} -t UTF-8 {quote(name)} > {quote('utf8-' + name)}"
    )
