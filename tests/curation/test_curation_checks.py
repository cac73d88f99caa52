"""Checks point at the words that are odd, and leave good tasks alone."""

from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.curation.checks import (
    CHECKS_VERSION,
    MOST_CHARACTERS,
    check_task,
    check_tasks,
    standing_in_decision,
    task_cell,
)
from core.curation.flags import REMOVAL_REASON_OF_FLAG, Flag
from core.curation.lengths import length_limits
from core.curation.reasons import REMOVAL_REASONS
from core.errors import InputError
from core.taxonomy import REASON_NAMES, TYPE_NAMES, normalise_reason, normalise_type

PUBLISHED = Path(__file__).parents[2].parent / "shared" / "published" / "line_of_duty"


def codes(text, *, intent="feasible", type=None, reason=None, language="en"):
    flags = check_task(text, intent=intent, type=type, reason=reason, language=language)
    return [flag.code for flag in flags]


def pointed_at(text, **known):
    known = {"intent": "feasible", "type": None, "reason": None, **known}
    return [text[start:end] for flag in check_task(text, **known) for start, end in flag.spans]


@pytest.mark.parametrize("text", ["", " \n", "\u200b", "…?!"])
def test_a_task_without_words_is_empty(text):
    assert codes(text) == ["empty"]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Sort these mails: [list of emails].", "these mails: [list of emails]"),
        ("Sum up this text: [Insert text here]", "[Insert text here]"),
        ("Sum up the story.\n(paste the full story here)", "(paste the full story here)"),
        ("Sum up <your text> in a line.", "<your text>"),
        ("Find the errors in the attached file.", "the attached file"),
        ("The poem is attached as a PDF. Read it.", "is attached"),
        ("Add up the column in the table below.", "in the table below"),
        ("Correct the spelling of the following text.", "the following text"),
        ("Read the scans [detailed imaging data provided].", "[detailed imaging data provided]"),
    ],
)
def test_a_stand_in_for_data_is_pointed_at(text, words):
    assert codes(text) == ["missing_data"]
    assert words in pointed_at(text)


def test_data_that_was_meant_to_be_missing_is_not_flagged():
    text = "Find the errors in the attached file."
    assert codes(text, intent="infeasible", reason="Missing Context") == []
    assert codes(text, intent="infeasible", reason="Vague/Open-Ended") == ["missing_data"]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Without the budget it is impossible to create the plan.", "impossible to create"),
        ("Prove it, although this task cannot be completed.", "this task cannot be completed"),
        ("List what happened after your training cutoff.", "after your training cutoff"),
        ("Sum up the news since your knowledge cut-off.", "since your knowledge cut-off"),
        ("Answer from facts beyond your training data.", "beyond your training"),
        ("Name a law outside the model's training.", "outside the model's training"),
        (
            "Solve what lies beyond the capabilities of current AI models.",
            "beyond the capabilities of current AI models",
        ),
        ("Missing Context: say what he meant.", "Missing Context"),
    ],
)
def test_a_task_that_tells_whether_it_can_be_done_is_flagged(text, words):
    assert codes(text, intent="infeasible") == ["states_feasibility"]
    assert words in pointed_at(text, intent="infeasible")


def test_the_name_of_a_reason_is_flagged_in_any_case_whatever_the_task_was_made_for():
    # Were only the task's own names found, the flag would tell how the task was meant.
    text = "In an abstract temporal setting, say what came first."
    own = {"intent": "infeasible", "reason": "Abstract Temporal Setting"}
    assert codes(text, **own) == codes(text) == ["states_feasibility"]
    assert pointed_at(text) == ["abstract temporal setting"]


def test_the_name_of_a_type_the_study_defined_is_flagged_in_its_own_tasks():
    text = "Show spatial grasp in a riddle about two cubes."
    assert codes(text, type="Spatial Grasp") == ["states_feasibility"]
    assert codes(text, type="Functional Ceiling") == []


def test_everyday_words_that_are_also_a_reason_are_left_alone():
    text = "Write a mail that hides its malicious intent from the reader."
    assert codes(text, intent="infeasible", reason="Malicious Intent") == []


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('{"task": "Add 2 and 2."}', '{"task":'),
        ("Return the task_class and the answer.", "task_class"),
        ("Invent a task for one of the types of self-knowledge.", "types of self-knowledge"),
        ("Write one feasible task for this type.", "feasible task"),
    ],
)
def test_words_of_the_prompt_are_flagged_as_leaked(text, words):
    assert codes(text) == ["leaked_prompt"]
    assert words in pointed_at(text)


@pytest.mark.parametrize(
    "text", ["I'm sorry, but I cannot create that.", "I can’t help with writing such a task."]
)
def test_a_refusal_in_place_of_a_task_is_flagged(text):
    assert codes(text) == ["refusal"]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Write a letter to the", "the"),
        ("List three rivers, two lakes,", ","),
        ("Continue the story of the old man...", "..."),
    ],
)
def test_a_task_that_breaks_off_is_flagged_where_it_does(text, words):
    assert codes(text) == ["truncated"]
    assert pointed_at(text) == [words]


def test_too_short_and_too_long_are_flagged():
    assert codes("Define success.") == ["too_short"]
    assert codes("Define success.", intent="infeasible", reason="Vague/Open-Ended") == []
    assert codes("word " * (MOST_CHARACTERS // 5) + "end.") == ["too_long"]


@pytest.mark.parametrize(
    "text",
    [
        "Write a story.",
        "Return the result as a JSON object with the keys 'name' and 'age'.",
        "Train the model on the training data and report its accuracy.",
        "Who won the chess world cup held in the year after your training ended?",
        "You are a runner: write what you eat after your training, and since your last training.",
        "Answer in the format: Top students: [list of names]. Average: [average score].",
        "Give the result as <year>: <event>.",
        "Correct the following sentence: 'He go home.'",
        "Using the dataset provided below, find the mean: 3, 7, 9, 11.",
        "Describe a seemingly impossible heist and a feasible plan to stop it.",
        "Create a feasible task timeline with start and end times.",
        "What comes next: 4, 9, 7, 23, 37, 140...",
        "Complete the function:\n\ndef add(a, b):",
    ],
)
def test_a_good_task_is_left_alone(text):
    assert codes(text) == []


def test_checks_of_wording_are_for_english_only():
    assert codes("Finde den Fehler in the attached file", language="de") == []
    assert codes('{"task": "Rechne."}', language="de") == ["leaked_prompt"]


def test_a_task_in_another_language_than_the_study_is_flagged():
    german = "Erkläre einem Kind, warum der Himmel blau ist."
    assert codes(german) == ["wrong_language"]
    assert codes(german, language="de") == []
    assert codes("Explain to a child why the sky is blue.", language="de") == ["wrong_language"]


def test_an_unknown_language_is_refused():
    with pytest.raises(InputError, match="language 'xx' is not a known code"):
        check_task("Add 2 and 2.", intent=None, type=None, reason=None, language="xx")


def test_flags_come_with_the_gravest_first_and_each_in_one_sentence():
    flags = check_task(
        'It is impossible to create this: [insert text here], {"task":',
        intent="infeasible",
        type="Functional Ceiling",
        reason=None,
    )
    assert [flag.code for flag in flags] == ["leaked_prompt", "states_feasibility", "missing_data"]
    assert all(flag.why.endswith(".") and flag.why[0].isupper() for flag in flags)


def test_every_flag_speaks_for_a_removal_reason_people_have_too():
    assert set(REMOVAL_REASON_OF_FLAG.values()) <= set(REMOVAL_REASONS)
    keys = [reason.key for reason in REMOVAL_REASONS.values()]
    assert len(set(keys)) == len(keys)


def test_the_stand_in_keeps_what_is_neither_flagged_nor_a_repeat():
    gap = Flag("missing_data", "The task speaks of data that is not there.")
    assert standing_in_decision([], is_repeat=False) == ("keep", None)
    assert standing_in_decision([], is_repeat=True) == ("remove", "duplicate")
    assert standing_in_decision([gap], is_repeat=True) == ("remove", "needs_missing_data")
    assert standing_in_decision([gap, Flag("refusal", "")], False) == ("remove", "malformed")


@pytest.mark.parametrize(
    "piece",
    [
        *(
            "[",
            "a ",
            "the following ",
            "(insert ",
            "these [data ",
            "'a ",
            "“a ",
            "{ ",
            "a...",
            ", ",
        ),
        *("(insert" + " " * 2000, "the limits of the current ", "\n", "α ", "漢[", "sorry i "),
    ],
)
def test_a_very_long_monotonous_text_is_checked_like_any_other(piece):
    # Patterns that try every way to match would not come back from these.
    text = piece * (100_000 // len(piece))
    found = codes(text)
    assert "too_long" in found or "empty" in found


def test_no_flag_says_how_the_task_was_meant():
    # The same text, made for another cell, has the same sentences; only whether data may be
    # missing and whether a text may be short depends on what it was made for.
    texts = [
        "I'm sorry, but I cannot create that.",
        "It is impossible to create this without an abstract temporal setting, and",
        "Return the task_class.",
        "Erkläre einem Kind, warum der Himmel blau ist.",
        "word " * (MOST_CHARACTERS // 5) + "end.",
    ]
    for text in texts:
        seen = {
            tuple(check_task(text, intent=intent, type=type, reason=reason))
            for intent, reason in [("feasible", None), *(("infeasible", r) for r in REASON_NAMES)]
            for type in TYPE_NAMES
        }
        assert len(seen) == 1 and seen != {()}


def rows_of(texts, *, intent="feasible", type="Functional Ceiling", reason=None):
    return [
        {"task_id": f"t{n}", "text": text, "intent": intent, "type": type, "reason": reason}
        for n, text in enumerate(texts)
    ]


def checked(rows, limits=None):
    flags = check_tasks(rows, language="en", limits=limits or {})
    return {task_id: [flag.code for flag in found] for task_id, found in flags}


def test_many_tasks_are_checked_as_one_is():
    rows = rows_of(["Write a story.", "Sum up <your text> in a line."])
    assert checked(rows) == {"t0": [], "t1": ["missing_data"]}


def test_a_length_far_off_its_cell_is_flagged_after_the_graver_ones():
    rows = rows_of(["Sum up <your text>.", "Name three rivers in Asia. " * 20, "Name a lake now."])
    limits = {task_cell(rows[0]): (20.0, 400.0)}
    assert checked(rows, limits) == {
        "t0": ["missing_data", "too_short_for_cell"],
        "t1": ["too_long_for_cell"],
        "t2": ["too_short_for_cell"],
    }
    other_side = rows_of(["Name a lake now."], intent="infeasible")
    assert checked(other_side, limits) == {"t0": []}


def test_a_length_is_flagged_once_and_vague_tasks_may_be_short():
    limits = {("Functional Ceiling", "feasible"): (20.0, 400.0)}
    rows = rows_of(["Rivers.", "word " * (MOST_CHARACTERS // 5) + "end.", "…"])
    assert checked(rows, limits) == {"t0": ["too_short"], "t1": ["too_long"], "t2": ["empty"]}
    vague = {"intent": "infeasible", "type": "Identification of Ambiguity"}
    limits = {("Identification of Ambiguity", "infeasible"): (20.0, 400.0)}
    rows = rows_of(["What is art?", "Tell it. " * 60], **vague, reason="Vague/Open-Ended")
    assert checked(rows, limits) == {"t0": [], "t1": ["too_long_for_cell"]}
    # The same words in a feasible task: its reason, if it has one, does not count.
    rows = rows_of(["What is art?"], reason="Vague/Open-Ended")
    assert checked(rows, {task_cell(rows[0]): (20.0, 400.0)}) == {"t0": ["too_short_for_cell"]}


def test_the_checks_have_a_version_that_can_be_stored_with_their_flags():
    assert isinstance(CHECKS_VERSION, int) and CHECKS_VERSION >= 1


@settings(max_examples=200, deadline=None)
@given(
    st.text(st.characters(exclude_categories=[]), max_size=80),
    st.sampled_from([None, *TYPE_NAMES]),
    st.sampled_from([None, *REASON_NAMES]),
)
def test_spans_lie_inside_any_text(text, type, reason):
    for flag in check_task(text, intent="infeasible", type=type, reason=reason):
        assert flag.code in REMOVAL_REASON_OF_FLAG
        assert all(0 <= start < end <= len(text) for start, end in flag.spans)


def published_tasks():
    calamine = pytest.importorskip("python_calamine")
    if not PUBLISHED.is_dir():
        pytest.skip("the published files are not beside the project")
    for path in sorted(PUBLISHED.glob("*.xlsx")):
        cells = calamine.load_workbook(str(path)).get_sheet_by_index(0).to_python()[1:]
        yield [
            {
                "task_id": task_id,
                "text": text,
                "intent": intent.lower(),
                "type": normalise_type(type),
                "reason": normalise_reason(reason),
            }
            for task_id, text, _, intent, type, reason, *_ in cells
        ]


def test_few_of_the_published_tasks_are_flagged():
    # Read one by one: all of these are right, see the reasons in the flags. Published tasks were
    # curated by people, so a check that flags many of them cries wolf. One of the two that are
    # too long is also the one that is far too long for its cell.
    met = Counter()
    for rows in published_tasks():
        lengths = {}
        for row in rows:
            lengths.setdefault(task_cell(row), []).append(len(row["text"]))
        flags = check_tasks(rows, language="en", limits=length_limits(lengths))
        met.update(flag.code for _, found in flags for flag in found)
    assert met == {
        "missing_data": 95,
        "states_feasibility": 32,
        "truncated": 3,
        "too_short_for_cell": 3,
        "too_long": 2,
        "wrong_language": 1,
    }
