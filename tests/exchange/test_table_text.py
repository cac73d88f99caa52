"""Tables as text: what a cell says is said, and does nothing."""

import csv
import io
import re
import shutil
import subprocess

import pandas as pd
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from core.exchange.latex_text import latex_escaped
from core.exchange.shown_table import shown_table
from core.exchange.spreadsheet_guard import unguarded
from core.exchange.table_text import csv_text, latex_table, latex_tabular, markdown_table

HOSTILE = (
    "Costs $5 to $10, keep __init__ and *args* :smile: at 10:30 <img src=x onerror=alert(1)> "
    "100 % & #1 {x} ~^\\ | ``a'' --- ?`"
)
SCORES = pd.DataFrame(
    {
        "study": ["One", "Two", "Three"],
        "metric": ["accuracy"] * 3,
        "value": [0.75, 0.75, float("nan")],
        "n": [12000, 800, 0],
        "low": [0.7, 0.72, float("nan")],
        "high": [0.8, 0.78, float("nan")],
        "why": ["", "", "no task was classified"],
    }
)


def one_cell(text):
    return pd.DataFrame({"text": pd.Series([text], dtype=object), "value": [0.5]})


def latex_of(text):
    return latex_table(one_cell(text), caption=text, label="t", sources=[text])


def test_latex_has_booktabs_rules_intervals_bold_ties_thin_spaces_and_notes():
    made = latex_table(
        SCORES, caption="Scores", label="scores", best={"accuracy": "max"}, sources=["study One"]
    )
    assert made == (
        "% In the preamble: \\usepackage{booktabs}\n"
        "% study One\n"
        "\\begin{table}\n"
        "\\centering\n"
        "\\caption{Scores}\n"
        "\\label{tab:scores}\n"
        "\\begin{tabular}{llrr}\n"
        "\\toprule\n"
        "study & metric & value & n \\\\\n"
        "\\midrule\n"
        "One & accuracy & \\textbf{0.75 [0.70, 0.80]} & 12\\,000 \\\\\n"
        "Two & accuracy & \\textbf{0.75 [0.72, 0.78]} & 800 \\\\\n"
        "Three & accuracy & --\\textsuperscript{a} & 0 \\\\\n"
        "\\bottomrule\n"
        "\\end{tabular}\n"
        "\n"
        "\\smallskip\n"
        "{\\footnotesize \\textsuperscript{a}~no task was classified.}\n"
        "\\end{table}\n"
    )


def test_a_gap_without_a_reason_of_its_own_is_explained_by_the_caller():
    frame = pd.DataFrame({"value": [float("nan")]})
    assert "{\\footnotesize -- (not defined): too few tasks.}" in latex_table(
        frame, caption="c", label="l", gap_note="too few tasks"
    )
    assert "footnotesize" not in latex_table(frame, caption="c", label="l", gap_note="")


@pytest.mark.parametrize(
    ("text", "escaped"),
    [
        ("100% & $5 #1", r"100\% \& \$5 \#1"),
        ("a_b^c~d", r"a\_b\textasciicircum{}c\textasciitilde{}d"),
        (r"\input{x}", r"\textbackslash{}input\{x\}"),
        ("<b|c>", r"\textless{}b\textbar{}c\textgreater{}"),
        # Signs that LaTeX would join to one: dashes, quotation marks, turned marks.
        ("a--b ``c'' ?` !` ,,", r"a-{}-b `{}`c'{}' ?{}` !{}` ,{},"),
        ("one\n\ntwo\tthree", "one two three"),
        ("nul\x00 half\ud835", r"nul\textless{}U+0000\textgreater{} half"
         r"\textless{}U+D835\textgreater{}"),
        ("Größe 日本", "Größe 日本"),
    ],
)  # fmt: skip
def test_latex_prints_every_character_as_it_is(text, escaped):
    assert latex_escaped(text) == escaped


def test_a_row_that_begins_with_a_bracket_or_a_star_is_not_taken_for_an_option():
    frame = pd.DataFrame({"*name": ["[1em] x", "*y", "z"], "n": [1, 2, 3]})
    lines = latex_tabular(shown_table(frame), gap="--").splitlines()
    assert lines[2:7] == [
        r"{}*name & n \\",
        r"\midrule",
        r"{}[1em] x & 1 \\",
        r"{}*y & 2 \\",
        r"z & 3 \\",
    ]


def test_a_comment_says_what_characters_beyond_ascii_need():
    assert "% For ß ö: \\usepackage[T1]{fontenc}" in latex_of("Größe")
    assert "% For 日 本: compile with LuaLaTeX or XeLaTeX" in latex_of("日本").replace("日本", "")
    assert "% For" not in latex_of("plain")


def test_a_label_keeps_to_letters_that_labels_can_have():
    made = latex_table(one_cell("x"), caption="c", label="a {b} %\\c_d")
    assert "\\label{tab:a-b-c-d}" in made


def test_negative_numbers_have_a_minus_sign_and_bold_digits_where_they_are_best():
    frame = pd.DataFrame(
        {"value": [-0.25, -0.5], "low": [-0.3, -0.6], "high": [0.1, -0.4], "n": [-3, 12345]}
    )
    shown = shown_table(frame, best={"value": "zero"})
    assert latex_tabular(shown, gap="--").splitlines()[4:6] == [
        r"\textbf{$-$0.25 [$-$0.30, 0.10]} & $-3$ \\",
        r"$-0.50$ [$-0.60$, $-0.40$] & 12\,345 \\",
    ]


@given(st.text())
@example(HOSTILE)
@example("%\\\n}{")
def test_no_text_opens_a_group_or_a_comment_or_starts_a_command_in_latex(text):
    made = latex_escaped(text)
    rest = re.sub(
        r"\\(text(asciitilde|asciicircum|backslash|less|greater|bar)\{\}|[&%$#_{}])|\{\}", "", made
    )
    assert not set(rest) & set("\\{}%$&#_^~<>|\n\r")


@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="no LaTeX on this machine")
def test_hostile_tables_compile(tmp_path):
    frame = pd.DataFrame(
        {"[x]*": [HOSTILE, "[a]", "*"], "value": [-0.5, None, 0.5], "why": ["", HOSTILE, ""]}
    )
    table = latex_table(frame, caption=HOSTILE, label=HOSTILE, sources=[HOSTILE, "a\nb"])
    (tmp_path / "t.tex").write_text(
        "\\documentclass{article}\\usepackage[T1]{fontenc}\\usepackage{booktabs}\n"
        f"\\begin{{document}}\n{table}\\end{{document}}\n",
        encoding="utf-8",
    )
    command = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "t.tex"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, timeout=120)
    assert done.returncode == 0, done.stdout[-2000:].decode(errors="replace")


def test_markdown_has_one_line_a_row_bold_ties_and_notes():
    assert markdown_table(SCORES, best={"accuracy": "max"}) == (
        "| study | metric | value | n |\n"
        "| :--- | :--- | ---: | ---: |\n"
        "| One | accuracy | **0.75 [0.70, 0.80]** | 12,000 |\n"
        "| Two | accuracy | **0.75 [0.72, 0.78]** | 800 |\n"
        "| Three | accuracy | not defined<sup>a</sup> | 0 |\n"
        "\n"
        "<sup>a</sup> no task was classified\n"
    )


@pytest.mark.parametrize(
    ("text", "cell"),
    [
        ("a|b", r"a\|b"),
        ("**b** _i_ `c`", r"\*\*b\*\* \_i\_ \`c\`"),
        ("<img src=x>", r"\<img src=x\>"),
        ("[a](http://b)", r"\[a\](http\://b)"),
        ("www.example.org, WWW.x", r"www\.example.org, WWW\.x"),
        ("line one\r\nline two", "line one<br>line two"),
        (":smile: @me #1 &amp; $x$", r"\:smile\: \@me \#1 \&amp; \$x\$"),
        ("\x00", "␀"),
    ],
)
def test_markdown_shows_text_as_it_is(text, cell):
    assert f"| {cell} | 0.50 |" in markdown_table(one_cell(text))


@given(st.text(st.characters(exclude_categories=["Cs"])))
def test_no_text_adds_a_cell_or_a_line_to_a_markdown_table(text):
    made = markdown_table(one_cell(text))
    assert len(re.findall(r"(?<!\\)(?:\\\\)*\|", made)) == 3 * 3
    assert len(made.splitlines()) == 3


@given(st.text(st.characters(exclude_categories=["Cs"]), min_size=1))
@example("=1+1")
@example("'=1+1")
def test_csv_gives_every_text_back_and_runs_nothing(text):
    [_, row] = csv.reader(io.StringIO(csv_text(one_cell(text)), newline=""))
    assert (unguarded(row[0]), row[1]) == (text, "0.5")
    assert row[0][0] not in "=+-@\t\r\n"


def test_csv_has_every_digit_and_nothing_where_nothing_is():
    frame = pd.DataFrame({"value": [1 / 3, float("nan")], "n": [1, 2], "ok": [True, False]})
    assert csv_text(frame) == "value,n,ok\r\n0.3333333333333333,1,true\r\n,2,false\r\n"


def test_half_a_character_is_written_as_its_escape_in_csv():
    assert csv_text(one_cell("\ud835")).splitlines()[1] == "\\ud835,0.5"


def test_a_p_value_is_printed_as_one_and_kept_in_every_digit_in_csv():
    frame = pd.DataFrame({"difference": [0.25], "p": [0.00041]})
    assert r"0.25 & $<$ 0.001 \\" in latex_table(frame, caption="C", label="l")
    assert r"| 0.25 | \< 0.001 |" in markdown_table(frame)
    assert "0.25,0.00041" in csv_text(frame)
