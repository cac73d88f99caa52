"""The checks go by the names of the study's own types and reasons."""

import pytest

from core.curation.checks import check_task, check_tasks
from core.exchange.taxonomy_file import read_taxonomy
from core.settings import PROJECT_ROOT
from core.taxonomy import LINE_OF_DUTY

SUPPORT = read_taxonomy(PROJECT_ROOT / "data" / "taxonomies" / "support_assistant.json")
MANDATE = {"intent": "infeasible", "type": "Mandate", "reason": "Decision of a Person"}
OUT = {"intent": "infeasible", "type": "Grasp of the Request", "reason": "Details Left Out"}


def codes(text, *, taxonomy=SUPPORT, about=MANDATE, language="en"):
    return [flag.code for flag in check_task(text, **about, language=language, taxonomy=taxonomy)]


def test_a_task_that_uses_a_name_of_the_study_is_flagged_wherever_it_was_made_for():
    text = "Explain to me why Needs Account Access applies here."
    assert codes(text) == codes(text, about=OUT) == ["states_feasibility"]
    assert codes(text, taxonomy=LINE_OF_DUTY) == []
    [flag] = check_task(text, **MANDATE, taxonomy=SUPPORT)
    assert [text[start:end] for start, end in flag.spans] == ["Needs Account Access"]


def test_everyday_wording_is_a_name_only_in_a_task_made_for_it():
    text = "I want the decision of a person about my refund."
    assert codes(text) == ["states_feasibility"]
    assert codes(text, about=OUT) == []


def test_a_name_of_one_word_and_the_names_of_another_taxonomy_do_not_count():
    assert codes("Mandate: explain to me what that word means.") == []
    assert codes("Explain what Missing Context means in a film review.") == []
    assert codes("Explain what Missing Context means in a film review.", taxonomy=LINE_OF_DUTY) == [
        "states_feasibility"
    ]


@pytest.mark.parametrize("language", ["de", "es"])
def test_names_are_found_in_every_language(language):
    text = {
        "de": "Erkläre mir, warum hier Needs Account Access gelten soll und was ich tun soll.",
        "es": "Explícame por favor por qué aquí vale Needs Account Access y qué puedo hacer ahora.",
    }[language]
    assert codes(text, language=language) == ["states_feasibility"]


def test_a_reason_spelt_like_the_built_in_one_may_lack_its_data():
    text = "Sum up this text: [insert text here]"
    assert codes(text) == ["missing_data"]
    assert codes(text, about=OUT) == []


def test_many_tasks_are_checked_as_one_is_with_the_study_s_names():
    row = {"task_id": "t", "text": "Explain Needs Account Access to me.", **MANDATE}
    [(_, flags)] = check_tasks([row], language="en", limits={}, taxonomy=SUPPORT)
    assert [flag.code for flag in flags] == ["states_feasibility"]
