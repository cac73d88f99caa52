"""What a study is set up with: names, models, numbers and prompts that can be used."""

from core.errors import InputError, NotFoundError
from core.prompts import Prompt, load_prompt, prompt_sets
from core.protocols.base import Protocol
from core.settings import EMBEDDED_MODEL, LOCAL_PREFIX
from core.taxonomy import LINE_OF_DUTY, Taxonomy
from core.workflows.people import is_person

SMALL_MODEL_PROMPTS, PLAIN_PROMPTS = "small_model", "vanilla"
LONGEST_NAME = 120
MOST_PER_TYPE = 100_000


def default_prompt_set(model: str) -> str:
    """The prompt set a model is given when nobody chose: small local models need examples.

    Example:
        >>> default_prompt_set("openai/gpt-4o")
        'vanilla'
    """
    is_small = model == EMBEDDED_MODEL or model.startswith(LOCAL_PREFIX)
    return SMALL_MODEL_PROMPTS if is_small else PLAIN_PROMPTS


def usual_prompt_set(shape: Protocol, model: str, taxonomy: Taxonomy) -> str:
    """The prompt set a study has when nobody chose: examples name built-in reasons only.

    Example:
        >>> from core.protocols import protocol_named
        >>> usual_prompt_set(protocol_named("feasibility_boundary"), EMBEDDED_MODEL, LINE_OF_DUTY)
        'small_model'
    """
    is_small = default_prompt_set(model) == SMALL_MODEL_PROMPTS
    return SMALL_MODEL_PROMPTS if is_small and taxonomy.is_built_in else shape.plain_prompts


def newest_versions(shape: Protocol, prompt_set: str, taxonomy: Taxonomy) -> dict[str, int]:
    """The newest version of each prompt that the protocol needs of a set.

    Raises:
        NotFoundError: there is no such prompt set.
        InputError: it names reasons that the taxonomy does not have.
    """
    if prompt_set not in prompt_sets(shape.name):
        have = ", ".join(prompt_sets(shape.name))
        raise NotFoundError(
            f"there is no prompt set named {prompt_set!r}", hint=f"there are: {have}"
        )
    needed = dict.fromkeys(what for step in shape.steps for what in step.prompts)
    prompts = {what: load_prompt(shape.name, prompt_set, what) for what in needed}
    for prompt in prompts.values():
        _check_names_in(prompt, prompt_set, taxonomy)
    return {what: prompt.version for what, prompt in prompts.items()}


def _check_names_in(prompt: Prompt, prompt_set: str, taxonomy: Taxonomy) -> None:
    """Nothing, when the prompt's own words name no built-in reason that the taxonomy lacks.

    An example that gives such a reason would teach the model a name nobody understands.
    """
    for name in LINE_OF_DUTY.reason_names:
        is_named = any(name in message.content for message in prompt.messages)
        if is_named and name not in taxonomy.reason_names:
            raise InputError(
                f"the prompts of {prompt_set} name the reason {name!r}, and {taxonomy.title}, has "
                "no such reason",
                hint=f"use the prompts of {PLAIN_PROMPTS}, or write a set with other examples",
            )


def checked_name(name: str) -> str:
    """The study's name without spaces around it.

    Raises:
        InputError: it is empty, too long, or has characters that cannot be printed.
    """
    name = name.strip()
    if not name:
        raise InputError("the study has no name", hint="give it one that no other study has")
    if len(name) > LONGEST_NAME or not name.isprintable():
        fault = f"{len(name)} characters" if name.isprintable() else "unprintable characters"
        raise InputError(
            f"the study's name {name[:40]!r} has {fault}",
            hint=f"use 1 to {LONGEST_NAME} printable characters on one line",
        )
    return name


def checked_model(model: str, role: str) -> str:
    """The model's name as given.

    Raises:
        InputError: it is empty, has spaces or characters that cannot be printed, or stands for a
            person.
    """
    if is_person(model):
        raise InputError(
            f"{role} is named {model!r}, which stands for a person and is sent to no model",
            hint="people answer on the Classify screen, in the view People",
        )
    if not model or not model.isprintable() or any(char.isspace() for char in model):
        raise InputError(
            f"{role} is named {model!r}, which is no model id",
            hint=f"write it as provider/model, such as openai/gpt-4o or {EMBEDDED_MODEL}",
        )
    return model


def checked_count(count: int, what: str) -> int:
    """The number of tasks as given.

    Raises:
        InputError: it is below 1 or above `MOST_PER_TYPE`.
    """
    if not 1 <= count <= MOST_PER_TYPE:
        raise InputError(f"{what} is {count}", hint=f"choose a number from 1 to {MOST_PER_TYPE:,}")
    return count


def checked_seed(seed: int) -> int:
    """The seed as given.

    Raises:
        InputError: it is too large for a browser or a JSON reader to hold exactly.
    """
    if abs(seed) >= 2**53:
        raise InputError(f"the seed is {seed}", hint="choose a number of at most 15 digits")
    return seed


def checked_budget(budget_usd: float | None) -> float | None:
    """The budget in US dollars as given, or None.

    Raises:
        InputError: it is not above 0.
    """
    if budget_usd is not None and not 0 < budget_usd < 1e9:
        raise InputError(f"the budget is {budget_usd} US dollars", hint="choose an amount above 0")
    return None if budget_usd is None else float(budget_usd)
