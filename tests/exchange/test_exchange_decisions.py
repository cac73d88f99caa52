"""Which decisions of a history stand, which one speaks for its task, and how two are joined."""

from core.exchange.decisions import joined, speaking, standing
from tests.support.decided_files import decision


def test_what_stands_is_each_persons_newest_decision_and_the_newest_final_one():
    history = (
        decision("keep", decision_id="a"),
        decision("remove", decision_id="b"),
        decision("keep", decision_id="c", person="Ben"),
        decision("keep", decision_id="d", is_final=True),
        decision("remove", decision_id="e", person="Ben", is_final=True),
        decision("skip", decision_id="f", person="Cy"),
        decision("undo", decision_id="g", person="Cy", undoes="f"),
    )
    assert [one.decision_id for one in standing(history)] == ["b", "c", "e"]
    assert speaking(history).decision_id == "e"


def test_an_undone_change_lets_the_decision_before_it_stand_again():
    history = (
        decision("keep", decision_id="a"),
        decision("remove", decision_id="b"),
        decision("undo", decision_id="c", undoes="b"),
    )
    assert [one.decision_id for one in standing(history)] == ["a"]


def test_the_newest_keep_or_remove_speaks_and_a_skip_only_where_nobody_decided():
    keep, skip = decision("keep"), decision("skip", person="Ben")
    remove = decision("remove", person="Cy")
    assert speaking([keep, skip]) == keep
    assert speaking([keep, remove, skip]) == remove
    assert speaking([skip]) == skip
    assert speaking([]) is None


def test_a_decision_met_again_is_not_added_and_a_second_like_it_is():
    keep = decision("keep", decision_id="a", seconds_active=1.5)
    again = decision("keep", seconds_active=1.5, person="Label Studio user 1")
    assert joined([keep], [again]) == (keep,)
    assert joined([keep], [again, again]) == (keep, again)
