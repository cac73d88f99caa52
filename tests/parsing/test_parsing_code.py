"""The program in a reply, by the written rule."""

import subprocess
import sys

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from core.parsing.code import parse_code
from core.parsing.endings import is_blank
from core.records import Outcome

PROGRAM = "def one():\n    return 1\n"


@pytest.mark.parametrize(
    ("reply", "program"),
    [
        (f"```python\n{PROGRAM}```", PROGRAM),
        (f"Sure!\n\n```python\n{PROGRAM}```\nHope it helps.", PROGRAM),
        (f"```\n{PROGRAM}```", PROGRAM),
        (f"```Py\n{PROGRAM}```", PROGRAM),
        (f"``` python \r\n{PROGRAM}```", PROGRAM),
        (f"~~~python\n{PROGRAM}~~~", PROGRAM),
        # The last one counts, and blocks of other kinds do not.
        (f"```python\nold = 1\n```\nBetter:\n```python\n{PROGRAM}```", PROGRAM),
        (f"```python\n{PROGRAM}```\nRun it:\n```bash\npython one.py\n```", PROGRAM),
        (f"```python\n{PROGRAM}```\nIt prints\n```text\n1\n```", PROGRAM),
        # What uses a program comes after it, and so does what it prints.
        (f"```python\n{PROGRAM}```\nTry it:\n```python\nprint(one())\n```", PROGRAM),
        (f"```python\n{PROGRAM}```\nOutput:\n```\n1\n```", PROGRAM),
        ("```python\nreturn 2\n```\nBetter:\n```python\nreturn 1\n```", "return 1\n"),
        # The first word marks a block.
        (f"```Python 3\n{PROGRAM}```", PROGRAM),
        (f'```python title="one.py"\n{PROGRAM}```', PROGRAM),
        (f"```{{.python}}\n{PROGRAM}```", PROGRAM),
        # A fence that is set in ends nothing: it stands in a docstring.
        (
            '```python\ndef one():\n    """\n    ```\n    1\n    ```\n    """\n    return 1\n```',
            'def one():\n    """\n    ```\n    1\n    ```\n    """\n    return 1\n',
        ),
        # A longer fence holds shorter ones; a fence in a string ends nothing when it is longer.
        (f"````python\ns = '''\n```\n'''\n{PROGRAM}````", f"s = '''\n```\n'''\n{PROGRAM}"),
        # The spaces before the opening fence are no part of the program.
        ("1. So:\n   ```python\n   def one():\n       return 1\n   ```", PROGRAM),
        # A completion keeps its indentation.
        ("```python\n    return 1\n```", "    return 1\n"),
        # No fence at all, and all of it a program, or the body of a function.
        (PROGRAM, PROGRAM),
        ("\n\n" + PROGRAM + "\n", PROGRAM),
        ("    return 1", "    return 1\n"),
        ("return 1", "return 1\n"),
        ("x = 1\nreturn x", "x = 1\nreturn x\n"),
        # Thinking says nothing.
        (f"<think>```python\nwrong = 1\n```</think>\n```python\n{PROGRAM}```", PROGRAM),
        (f"<think>maybe ```</think>{PROGRAM}", PROGRAM),
        # In the block nothing is repaired: it is the checks that tell.
        ("```python\ndef one(:\n```", "def one(:\n"),
    ],
)
def test_a_program_is_found_unaltered(reply, program):
    read = parse_code(reply)
    assert (read.outcome, read.answer) == (Outcome.OK, program)


@pytest.mark.parametrize(
    ("reply", "why"),
    [
        ("I cannot be sure.", "no fenced block, and the reply is not a program"),
        ("Yes", "no fenced block, and the reply is not a program"),
        ("one()", "no fenced block, and the reply is not a program"),
        ("Here it is:\ndef one():\n    return 1", "no fenced block, and the reply is not"),
        (f"```python\n{PROGRAM}", "the last fence is never closed"),
        (f"```python\n{PROGRAM}```\n```python\nmore = 1", "the last fence is never closed"),
        ("```bash\nls\n```", "no fenced block is Python"),
        ("```python\n\n```", "the last fenced block is empty"),
        ("```python\nx = 1\n```\n```python\n```", "the last fenced block is empty"),
        (f"```C++\n{PROGRAM}```", "no fenced block is Python"),
        (f"```python\n{PROGRAM}    ```\n", "the last fence is never closed"),
    ],
)
def test_what_holds_no_program_is_unparsable_and_says_why(reply, why):
    read = parse_code(reply)
    assert (read.outcome, read.answer) == (Outcome.UNPARSABLE, None)
    assert read.note.startswith(why)


def test_several_blocks_are_noted():
    block = "```python\nx = 1\n```\n"
    assert parse_code(block + block).note == "the last of 2 blocks of Python"
    assert parse_code(f"```python\n{PROGRAM}```\n{block}").note == (
        "the last that defines something of 2 blocks of Python"
    )


def test_what_ended_early_is_not_looked_at():
    reply = f"```python\n{PROGRAM}```"
    assert parse_code(reply, finish_reason="length").outcome == Outcome.TRUNCATED
    assert parse_code(reply, finish_reason="content_filter").outcome == Outcome.REFUSED
    assert parse_code(f"<think>{reply}").outcome == Outcome.TRUNCATED
    assert parse_code(" \u200b").outcome == Outcome.EMPTY


@given(st.text())
@example("\u115f")  # a letter by its class, and nothing to be seen
def test_any_text_in_a_fence_that_it_does_not_hold_comes_back_as_it_was(text):
    lines = text.replace("\r", "").replace("`", "'").replace("<", "(").rstrip("\n")
    read = parse_code(f"````\n{lines}\n````")
    if read.outcome == Outcome.OK:
        assert read.answer == f"{lines}\n"
    else:
        assert is_blank(lines)


@given(st.text(st.sampled_from("`~\n python<think></think>x=1")))
def test_no_reply_raises(text):
    assert parse_code(text).outcome in set(Outcome)


def test_what_a_compiler_warns_of_in_a_reply_is_printed_nowhere() -> None:
    program = "\n".join(
        [
            "from core.parsing.code import parse_code",
            "from core.parsing.structured import parse_task",
            r'noisy = "def f(x):\n    return x is 1 or \'\\d\' or 1if x else 2"',
            "print(parse_code(noisy).outcome.value)",
            r"""print(parse_task("{'task': 'a' if 1 is 1 else '\\d'}").outcome.value)""",
        ]
    )
    command = [sys.executable, "-W", "always", "-c", program]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert (done.stdout, done.stderr) == ("ok\nunparsable\n", "")
