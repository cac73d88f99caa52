r"""The reward for training on exported training data, as a file that stands by itself.

It needs nothing but the standard library, so that it can lie beside the data, wherever a trainer
runs. A completion is read as its last `\boxed{…}`, outside any thinking:

* +1 for an answer that matches a reference, or for the uncertainty that is right;
* 0 where the problem can be answered and the model says that it is beyond it;
* −1 for all else, a completion that cannot be read among it.

An answer is right without a judge if it is a reference to the letter, or but for its dress (case,
white space, LaTeX that only dresses, thousands separators, an article), or if both are plain
numbers of one value: 0.5, 1/2, \frac{1}{2} and ½ are. No two other expressions are compared: a
library for mathematics would see that 2\sqrt{2} is \sqrt{8}, and this rule does not. It errs
towards −1, so a model is never paid for what only looks right.

VeRL calls `compute_score`, TRL calls `reward`:

    custom_reward_function.path=reward.py custom_reward_function.name=compute_score
    GRPOTrainer(..., reward_funcs=reward)
"""

import re
import unicodedata
from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import Any

ANSWERED, DATA_UNCERTAIN, MODEL_UNCERTAIN = "ANSWERED", "DATA_UNCERTAIN", "MODEL_UNCERTAIN"
UNREADABLE = "unreadable"
LABEL_OF_TRUTH = {"<DATA_UNCERTAIN>": DATA_UNCERTAIN, "<MODEL_UNCERTAIN>": MODEL_UNCERTAIN}

_BOX = r"\boxed{"
_BRACE = re.compile(r"\\.|[{}]", re.DOTALL)
_MODEL_MARKS, _DATA_MARK = ("<model_uncertain>", "i don't know"), "<data_uncertain>"
_THINK = r"(?:think|thinking|thought|reasoning)"
_TAGS = re.compile(
    rf"(?P<open><{_THINK}(?:\s[^<>]{{0,200}})?(?<!/)>)|</{_THINK}\s{{0,9}}>", re.IGNORECASE
)
_BLANK_CATEGORIES = frozenset({"Cc", "Cf", "Zs", "Zl", "Zp"})
_BLANK_CHARACTERS = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0") | frozenset(
    map(chr, range(0xFE00, 0xFE10))
)

_SIZES = re.compile(r"\s*\\(?:left|right)\b\s*")
_DRESS = re.compile(r"\\[(),;:!\s]|\$|\\(?:text|mathrm|textbf)\s*(?=\{)")
_RAISED = {ord(mark): f"^{unicodedata.normalize('NFKC', mark)}" for mark in "⁰¹²³⁴⁵⁶⁷⁸⁹⁻"}
_PARTS = {ord(mark): f" {unicodedata.normalize('NFKC', mark)}" for mark in "¼½¾⅓⅔⅕⅖⅗⅘⅙⅚⅛⅜⅝⅞"}
_WRAPPED = re.compile(r"^\{([^{}]*)\}$")
_THOUSANDS = re.compile(r"(?<=\d),(?=\d{3}(?!\d))")
_ARTICLE = re.compile(r"^(?:the|an|a) ")
_STARTS = " \t\n;:?\"'“”‘’`"
_ENDS = _STARTS + "."

_LONGEST_NUMBER = 200
_DECIMAL = r"\d+(?:\.\d+)?|\.\d+"
_NUMBER = re.compile(
    rf"(?P<sign>[-+−]?)\s*(?:(?P<whole>{_DECIMAL})(?:\s*[/⁄]\s*(?P<below>\d+))?"
    r"|\\[dt]?frac\s*\{\s*(?P<top>\d+)\s*\}\s*\{\s*(?P<bottom>\d+)\s*\})",
    re.ASCII,
)


def compute_score(
    data_source: str,
    solution_str: str,
    ground_truth: str | Iterable[str],
    extra_info: Mapping[str, Any] | None = None,
    **_more: Any,
) -> float:
    r"""The reward of one completion, in VeRL's calling convention.

    Args:
        solution_str: the completion. ground_truth: the reference answers, or the one mark of the
            uncertainty that is right.
        data_source, extra_info: not looked at.

    Returns:
        1.0, 0.0 or -1.0.

    Example:
        >>> compute_score("", r"So it is \boxed{1/2}.", ["0.5"])
        1.0
        >>> compute_score("", r"\boxed{<MODEL_UNCERTAIN>}", ["0.5"])
        0.0
        >>> compute_score("", r"\boxed{0.5}", ["<DATA_UNCERTAIN>"])
        -1.0
    """
    truths = [ground_truth] if isinstance(ground_truth, str) else [str(one) for one in ground_truth]
    label, answer = read_box(solution_str)
    wanted = next((LABEL_OF_TRUTH[one] for one in truths if one in LABEL_OF_TRUTH), ANSWERED)
    if label != wanted:
        return 0.0 if (wanted, label) == (ANSWERED, MODEL_UNCERTAIN) else -1.0
    return 1.0 if wanted != ANSWERED or is_right(answer, truths) else -1.0


def reward(prompts: Any, completions: Iterable[Any], **columns: Any) -> list[float]:
    """The reward of each completion, in TRL's calling convention.

    Args:
        completions: texts, or conversations whose last message is read.
        columns: those of the data set; `reward_model` with a `ground_truth` each, or `ground_truth`
            itself.

    Raises:
        ValueError: the data set has neither column.

    Example:
        >>> chat = [{"role": "assistant", "content": "It is \\\\boxed{4}."}]
        >>> reward(None, [chat, "No idea."], ground_truth=[["4"], ["4"]])
        [1.0, -1.0]
    """
    if "reward_model" in columns:
        truths = [one["ground_truth"] for one in columns["reward_model"]]
    elif "ground_truth" in columns:
        truths = columns["ground_truth"]
    else:
        raise ValueError(f"the data has no column reward_model; it has {sorted(columns)}")
    return [
        compute_score("", one if isinstance(one, str) else one[-1]["content"], truth)
        for one, truth in zip(completions, truths, strict=True)
    ]


def read_box(text: str | None) -> tuple[str, str]:
    r"""What a completion decides in its last box: a label, and the answer where it is one.

    Example:
        >>> read_box(r"\boxed{2}, no, \boxed{\frac{1}{2}}")
        ('ANSWERED', '\\frac{1}{2}')
        >>> read_box(r"\boxed{I don’t know}"), read_box("nothing")
        (('MODEL_UNCERTAIN', ''), ('unreadable', ''))
    """
    part = next((part for part in reversed(_spoken(text or "")) if _BOX in part), "")
    content = _content(part, part.rindex(_BOX) + len(_BOX)) if part else None
    if content is None or _is_blank(content):
        return UNREADABLE, ""
    marks = " ".join(content.replace(r"\_", "_").replace("’", "'").casefold().split())
    if any(mark in marks for mark in _MODEL_MARKS):
        return MODEL_UNCERTAIN, ""
    return (DATA_UNCERTAIN, "") if _DATA_MARK in marks else (ANSWERED, content)


def is_right(answer: str, references: Iterable[str]) -> bool:
    r"""Whether an answer is one of the references, by the rule above.

    Example:
        >>> is_right(r"$1{,}000$", ["1000"]), is_right(r"\dfrac{2}{4}", ["0.5"])
        (False, True)
        >>> is_right("The Rhine.", ["rhine"]), is_right("12", ["-12"])
        (True, False)
    """
    references = list(references)
    plain = _plain(answer)
    if answer in references or (plain and plain in map(_plain, references)):
        return True
    value = _value(plain)
    return value is not None and any(_value(_plain(one)) == value for one in references)


def _spoken(text: str) -> tuple[str, ...]:
    """The parts outside thinking; none where thinking is never closed."""
    parts: list[str] = []
    depth, kept_to = 0, 0
    for tag in _TAGS.finditer(text):
        after = text[tag.end() : tag.end() + 1]
        if after and after in "\"'`" and after == text[tag.start() - 1 : tag.start()]:
            continue  # in quotes, so it is talked about
        if tag["open"]:
            if not depth:
                parts.append(text[kept_to : tag.start()])
            depth += 1
        else:
            if not depth:
                parts = []
            depth, kept_to = max(depth - 1, 0), tag.end()
    return () if depth else (*parts, text[kept_to:])


def _content(text: str, start: int) -> str | None:
    depth = 1
    for mark in _BRACE.finditer(text, start):
        depth += (mark.group() == "{") - (mark.group() == "}")
        if not depth:
            return text[start : mark.start()]
    return None


def _is_blank(text: str) -> bool:
    return all(
        char in _BLANK_CHARACTERS or unicodedata.category(char) in _BLANK_CATEGORIES
        for char in text
    )


def _plain(text: str) -> str:
    # As compatible characters, 2² would be 22 and 2½ would be 21/2.
    text = unicodedata.normalize("NFKC", text.translate(_RAISED | _PARTS))
    text = _DRESS.sub(" ", _SIZES.sub("", text.casefold()))
    text = _trimmed(" ".join(_THOUSANDS.sub("", text).split()))
    return _trimmed(_ARTICLE.sub("", _WRAPPED.sub(r"\1", text)))


def _trimmed(text: str) -> str:
    # A stop in front begins a number, and an exclamation mark can be a factorial.
    return text.lstrip(_STARTS).rstrip(_ENDS)


def _value(plain: str) -> Fraction | None:
    """The value of a plain number; None for anything else."""
    found = _NUMBER.fullmatch(plain) if len(plain) <= _LONGEST_NUMBER else None
    if found is None:
        return None
    below = int(found["below"] or found["bottom"] or 1)
    if not below:
        return None
    value = Fraction(found["whole"] or found["top"]) / below
    return value if found["sign"] in ("", "+") else -value
