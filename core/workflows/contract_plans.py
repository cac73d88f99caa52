"""Plans of steps that offer contracts: the next one of each trial, once the one before is answered.

A trial ends after its last contract, or where a contract's second reply cannot be read either.
"""

from collections.abc import Mapping
from shlex import quote

from core.errors import ConflictError
from core.protocols.base import Step
from core.store.store import Store
from core.store.transaction import Transaction
from core.workflows.planned_rows import checked_prompts, planned_row
from core.workflows.studies import Study


def plan_contracts(store: Store, study: Study, step: Step, model: str) -> int:
    """How many items were added: contracts that are due now, and those to be asked about again.

    Raises:
        ConflictError: no contracts are drawn for the model.
        NotFoundError, PromptError: a prompt file is gone, wrong, or changed after a run used it.
    """
    keys = {"study_id": study.study_id, "model": model}
    if not store.value("n_contracts", **keys):
        raise ConflictError(
            f"no contracts for {model} are drawn in {study.name} yet",
            hint=f"draw them first: selfbound contracts {quote(study.name)}",
        )
    prompts = checked_prompts(store, study, step, model)
    # The whole conversation is made of these, so a call is another one with other prompts.
    wording = ",".join(sorted(prompt.hash for prompt in prompts.values()))

    def add(tx: Transaction) -> int:
        rows = []
        for due in tx.rows("contracts_due", **keys, most_asks=step.most_asks):
            context = {key: due[key] for key in ("intent", "type", "reason")}
            context |= {"trial": str(due["trial"]), "contract": str(due["number"])}
            context |= {"contracts": str(due["n_contracts"]), "ask": str(due["n_asks"])}
            context |= {"wording": wording}
            rows.append(
                planned_row(
                    study,
                    step,
                    model,
                    prompts,
                    context=context,
                    position=(due["number"] - 1) * due["n_trials"] + due["trial"] - 1,
                    draw_number=due["n_asks"],
                    task_id=due["task_id"],
                )
            )
        tx.append("planned", rows)
        return len(rows)

    return store.write(add)


def contract_progress(store: Store, study: Study, model: str) -> Mapping[str, int]:
    """How far a model has come: n_trials and, of them, n_ended; n_contracts, n_answered, and n_left
    to be answered in trials that go on."""
    [found] = store.rows("contract_progress", study_id=study.study_id, model=model)
    return found


def n_contract_calls(store: Store, study: Study, model: str) -> int:
    """How many calls the trials that have not ended still need, if every reply can be read."""
    return contract_progress(store, study, model)["n_left"]
