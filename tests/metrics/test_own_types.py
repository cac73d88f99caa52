"""Metrics over a taxonomy that is not the built-in one: its types, its reasons, its order."""

from core.metrics.boundary import by_reason, by_type, most_frequent, tables
from core.metrics.confusion import FEASIBLE_NAME, confusion_frame
from core.metrics.counts import read_counts
from core.metrics.metric_frames import balance_table, metric_table
from core.metrics.paper_tables import (
    balance_by_type,
    most_frequent_mistakes,
    scores_by_type,
    strongest_and_weakest_types,
)
from core.metrics.removal_effect import removal_effect
from core.taxonomy import KnowledgeType, Reason, Taxonomy


def kind(name, *reasons):
    return KnowledgeType(name, "Knowing.", tuple(Reason(one, "It is so.") for one in reasons))


# Missing Context is a reason of another type than in the built-in taxonomy.
OWN = Taxonomy("Own", 1, (kind("Zeal", "Missing Context", "Late"), kind("Art", "Ugly")))


def counts(make_counts):
    return make_counts(
        ("feasible", "Zeal", None, "feasible", None, 3),
        ("feasible", "Art", None, "infeasible", "Missing Context", 1),
        ("infeasible", "Zeal", "Late", "infeasible", "Late", 2),
        ("infeasible", "Zeal", "Late", "infeasible", "Missing Context", 1),
        ("infeasible", "Art", "Ugly", "infeasible", "Missing Context", 4),
    )


def test_types_and_reasons_are_the_taxonomy_s_in_its_order(make_counts):
    frame = counts(make_counts)
    found = by_type(frame, taxonomy=OWN)
    assert list(found) == ["Zeal", "Art"]
    # Zeal: rr = 2 of 3 made infeasible, rr 2 of 3 called so. Art: 0 of 4, and 0 of 5.
    assert [one["foresight"] for one in found.values()] == [2 / 3, 0.0]
    assert [one["insight"] for one in found.values()] == [2 / 3, 0.0]
    assert list(by_reason(frame, taxonomy=OWN)) == ["Missing Context", "Late", "Ugly"]
    [study] = tables(frame, taxonomy=OWN)["studies"]
    assert (list(study["by_type"]), list(study["by_reason"])) == (
        ["Zeal", "Art"],
        ["Missing Context", "Late", "Ugly"],
    )


def test_the_type_of_a_reason_is_the_taxonomy_s_own(make_counts):
    frame = counts(make_counts)
    # Late taken for Missing Context stays in Zeal, so that only the four Ugly ones are confused.
    found = most_frequent(frame, taxonomy=OWN)["type_confusion_generated_to_classified"]
    assert (found["value"], found["count"], found["of"]) == ("Art -> Zeal", 4, 4)
    [row] = [row for row in read_counts(frame) if row.made_reason == "Ugly"]
    assert (row.called_type(OWN), row.called_type()) == ("Zeal", "Contextual Awareness")
    mistakes = most_frequent_mistakes(frame, taxonomy=OWN).iloc[0]
    assert mistakes["most common type confusion"] == "Art -> Zeal"


def test_every_frame_has_the_types_of_the_taxonomy_and_no_others(make_counts):
    frame = counts(make_counts)
    types = confusion_frame(frame, "type", taxonomy=OWN)
    assert list(types["generated"].unique()) == [FEASIBLE_NAME, "Zeal", "Art"]
    # Of the five tasks of Art that were declined, one was meant as feasible.
    assert types.set_index(["generated", "classified"]).loc[("Art", "Zeal"), "n"] == 4
    reasons = confusion_frame(frame, "reason", taxonomy=OWN)
    assert list(reasons["classified"].unique()) == [FEASIBLE_NAME, *OWN.reason_names]
    table = metric_table(frame, by=("type",), metrics=("accuracy",), taxonomy=OWN)
    assert (
        list(table["type"]) == list(balance_table(frame, taxonomy=OWN)["type"]) == ["Zeal", "Art"]
    )
    assert list(balance_by_type(frame, taxonomy=OWN).columns) == ["subject", "Zeal", "Art"]
    assert scores_by_type(frame, taxonomy=OWN)["Zeal foresight"].iloc[0] == 2 / 3
    assert strongest_and_weakest_types(frame, taxonomy=OWN)["strongest"].iloc[0] == "Zeal"
    effect = removal_effect(frame, frame, taxonomy=OWN)
    assert list(effect["type"].unique()) == ["Overall", "Zeal", "Art"]
