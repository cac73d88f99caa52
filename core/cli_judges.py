"""The command that shows how far the judges of a study are right, by people's audits."""

from typing import Annotated

import typer

from core.cli_output import print_document, print_rows, say
from core.cli_session import JsonFlag, StudyName, open_store
from core.errors import ConflictError


def judge_card(
    study: StudyName,
    step: Annotated[str, typer.Option(help="The step that the judges do.")] = "judge",
    as_json: JsonFlag = False,
) -> None:
    """Print the report card of each judge of a study, by the votes of its auditors."""
    from core.workflows.audit_statistics import FEW_VOTES
    from core.workflows.audit_tables import judge_table
    from core.workflows.audits import auditable_judges, verdicts_of
    from core.workflows.judge_card import judge_card as card_of
    from core.workflows.judge_comparison import compared_judges
    from core.workflows.judge_tables import (
        basis_sentence,
        card_document,
        kind_table,
        pair_sentences,
        standing_sentence,
    )
    from core.workflows.studies import study_named

    with open_store() as store:
        found = study_named(store, study)
        verdicts_of(found, step)
        judges = [one for one in auditable_judges(store, found) if one.step == step and one.n_valid]
        if not judges:
            raise ConflictError(
                f"no judge has given a verdict in the step {step} of {found.name}",
                hint="have a judge do the step first",
            )
        cards = [card_of(store, found, one) for one in judges]
        pairs = compared_judges(store, found, step)
    if as_json:
        print_document({"study": found.name, "step": step} | card_document(cards, pairs))
        return
    for card in cards:
        say(basis_sentence(card))
        if card.n_decided < FEW_VOTES:
            say(f"Fewer than {FEW_VOTES} of them: too few to measure {card.judge.title} by.")
            continue
        say(standing_sentence(card))
        names = [found.name, step, card.judge.title]
        for table in (judge_table(card.measured), kind_table(card)):
            shown = table.drop(columns=[name for name in ("method", "why") if name in table])
            if len(shown):
                rows = shown.astype(object).where(shown.notna(), None).to_numpy().tolist()
                header = ["study", "step", "judge", *shown.columns]
                print_rows(header, [names + row for row in rows], "text")
    for pair in pairs:
        for sentence in pair_sentences(pair):
            say(sentence)
