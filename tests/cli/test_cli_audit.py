"""Samples of verdicts on the command line."""

import pytest

from core.store.store import Store
from core.workflows.studies import study_named
from tests.cli.conftest import Cli
from tests.support.judged import answer, asked_study, judge


@pytest.fixture
def judged(cli: Cli) -> Cli:
    """The command line on a study of 40 judged answers: 10 No, 30 Yes."""
    with Store.open(cli.store) as store:
        study = asked_study(store, 40)
        answer(store, study)
        judge(store, study, verdict=lambda row: "no" if row["position"] % 4 == 0 else "yes")
    return cli


def test_a_sample_is_drawn_and_the_same_one_again(judged: Cli) -> None:
    line = ("audit", "Asked", "--step", "judge", "--n", "12", "--method", "random", "--seed", "3")
    first = judged.run(*line, "--json")
    assert first.code == 0
    assert (first.document["verdicts"], first.document["new"]) == (12, True)
    assert first.document["settings"]["representative"] is True
    again = judged.run(*line, "--json")
    assert (again.document["audit"], again.document["new"]) == (first.document["audit"], False)
    assert judged.run("verify").code == 0


def test_strata_are_told_with_how_many_were_drawn_of_each(judged: Cli) -> None:
    drawn = judged.run(
        *("audit", "Asked", "--n", "10", "--method", "stratified", "--by", "verdict"),
        *("--allocation", "proportional", "--name", "Mine", "--as", "Ada"),
    )
    assert drawn.code == 0
    assert drawn.out == ""
    assert "Mine: 10 verdicts of scripted/judge, prompt v1 are drawn." in drawn.err
    # A quarter of 30 and of 10 is 7.5 and 2.5, which comes to ten as 8 and 2 or 7 and 3.
    assert "of 30" in drawn.err
    assert "of 10" in drawn.err


def test_the_check_of_three_models_takes_what_there_is(judged: Cli) -> None:
    drawn = judged.run("audit", "Asked", "--method", "three-models")
    assert "40 answers of 1 model, seed 0: 40 verdicts" in drawn.err


@pytest.mark.parametrize(
    ("options", "code", "said"),
    [
        (("--n", "41"), 1, "41 verdicts were asked for, and there are 40 valid ones"),
        (("--step", "attempt", "--n", "5"), 1, "attempt gives no verdicts to audit"),
        (("--judge", "nobody", "--n", "5"), 1, "no judge 'nobody'"),
        (("--method", "guess"), 2, "three-models"),
    ],
)
def test_bad_input_is_one_sentence(judged: Cli, options, code, said) -> None:
    drawn = judged.run("audit", "Asked", *options)
    assert drawn.code == code
    assert said in drawn.err
    assert "Traceback" not in drawn.err


def test_of_two_judges_the_studys_own_is_sampled_and_said(judged: Cli) -> None:
    with Store.open(judged.store) as store:
        judge(store, study_named(store, "Asked"), "scripted/busy", verdict=lambda row: "yes")
    drawn = judged.run("audit", "Asked", "--n", "5", "--json")
    assert drawn.code == 0
    assert drawn.document["judge"] == "scripted/judge, prompt v1"
    said = "Asked goes by scripted/judge, prompt v1; --judge takes another: scripted/busy, prompt"
    assert said in " ".join(drawn.err.split())
    other = judged.run("audit", "Asked", "--n", "5", "--judge", "scripted/busy", "--json")
    assert other.document["judge"] == "scripted/busy, prompt v1"
    assert "goes by" not in other.err
