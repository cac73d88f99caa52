"""The draw on the command line, with the removed tasks."""

from tests.cli.conftest import Cli


def test_a_draw_with_removed_tasks_says_how_many_they_are(worked: Cli) -> None:
    drawn = worked.run("draw", "Small", "--with-removed", "--json")
    assert drawn.code == 0
    assert (drawn.document["tasks"], drawn.document["removed"]) == (20, 1)
    assert "people removed 1 of them; the tables leave those out" in drawn.err
    without = worked.run("draw", "Small", "--json")
    assert (without.document["tasks"], without.document["removed"]) == (19, 0)
    assert "people removed" not in without.err


def test_the_json_tables_hold_the_funnel_and_compare_only_what_was_classified(
    worked: Cli,
) -> None:
    document = worked.run("tables", "Small", "--format", "json").document
    assert document["removal_effect"] == []
    assert document["funnel"][0]["stages"]["removed:malformed"] == 1
    assert set(document) == {"studies", "pooled", "coverage", "funnel", "removal_effect"}
