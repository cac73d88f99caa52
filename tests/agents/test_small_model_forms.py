"""What the embedded model may run: nothing that leaves its folder, and nothing that deletes."""

import re

import pytest

from core.agents.forms import CALL_FORM, CHANCE_FORM


def _rules(grammar):
    return dict(line.split(" ::= ", 1) for line in grammar.strip().splitlines())


def test_a_file_is_a_plain_name_in_the_working_folder():
    rules = _rules(CALL_FORM["grammar"])
    assert rules["file"] == '[a-z] [a-z0-9_]{0,20} "." [a-z]{1,4}'
    assert rules["word"] == "[A-Za-z0-9]{1,20}"


def test_only_harmless_commands_are_there():
    rules = _rules(CALL_FORM["grammar"])
    named = re.findall(r'"([a-z0-9]+)[^"]*"', f"{rules['command']} | {rules['read']}")
    assert set(named) == {*("ls", "grep", "mv", "echo", "cat", "head", "sort", "wc", "sha256sum")}
    assert not re.search(r"[/;&|`$*~]", "".join(re.findall(r'"([^"]*)"', rules["command"])))


@pytest.mark.parametrize("form", [CALL_FORM, CHANCE_FORM])
def test_a_form_repeats(form):
    assert form["cache_prompt"] is False
