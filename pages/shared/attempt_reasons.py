"""The reasons for which a person can decline a task: a key each, or a list when there are many."""

from collections.abc import Callable, Mapping, Sequence

import streamlit as st

from pages.shared.text import plain

REASON_KEYS = "1234567890abcdeghijk"
"""A key for each reason, in order; F, S, U and N have other work. More reasons get a list."""

OWN_KEYS = {"f": "feasible", "s": "skip", "u": "undo", "n": "note", "?": "help"}
LIST_KEYS = {"r": "reason", "i": "infeasible"}

Decline = Callable[[str | None], None]
"""Stores that the task on screen cannot be carried out, for this reason."""


def reason_keys(reasons: Sequence[str]) -> dict[str, str]:
    """The key that declines a task for each reason; none when there are more reasons than keys.

    Example:
        >>> reason_keys(["Too vague", "Out of date"])
        {'1': 'Too vague', '2': 'Out of date'}
        >>> list(reason_keys([f"reason {n}" for n in range(11)]))[8:]
        ['9', '0', 'a']
    """
    if len(reasons) > len(REASON_KEYS):
        return {}
    return dict(zip(REASON_KEYS, reasons, strict=False))


def watched_keys(reasons: Sequence[str]) -> dict[str, str]:
    """Each key of the desk and the button or field it is for.

    Example:
        >>> watched_keys(["Too vague"])["1"], watched_keys(["Too vague"])["f"]
        ('because_1', 'feasible')
    """
    keys = {key: f"because_{key}" for key in reason_keys(reasons)}
    return OWN_KEYS | (keys or LIST_KEYS)


def show_reasons(reasons: Mapping[str, str], *, item_id: str, decline: Decline) -> None:
    """A button for each reason, its description on hovering; or a list to search.

    Args:
        reasons: their descriptions by name.
        item_id: the task on screen: each begins without a choice.
    """
    keys = reason_keys(list(reasons))
    if not keys:
        _reason_list(reasons, item_id, decline)
        return
    st.caption("Infeasible, because of")
    with st.container(horizontal=True, gap="xsmall"):
        for key, reason in keys.items():
            st.button(
                plain(reason),
                key=f"because_{key}",
                shortcut=key.upper(),
                help=plain(reasons[reason]),
                on_click=decline,
                args=(reason,),
            )


def _reason_list(reasons: Mapping[str, str], item_id: str, decline: Decline) -> None:
    with st.container(horizontal=True, vertical_alignment="bottom"):
        with st.container(key="reason"):
            reason = st.selectbox(
                "Reason",
                list(reasons),
                index=None,
                key=f"reason_{item_id}",
                placeholder="Infeasible, because of: R, then type",
                label_visibility="collapsed",
            )
        st.button(
            "Infeasible",
            key="infeasible",
            shortcut="I",
            disabled=reason is None,
            on_click=decline,
            args=(reason,),
        )
    if reason is not None:
        st.caption(plain(reasons[reason]))


@st.dialog("Keys", width="medium")
def show_attempt_keys(reasons: Mapping[str, str]) -> None:
    """What each key does, and what each reason means."""
    keys = reason_keys(list(reasons))
    lines = ["`F` feasible: you could carry it out"]
    lines += [] if keys else ["`R` choose the reason why not, `I` infeasible for that reason"]
    lines += [
        "`S` skip for now; the task comes again at the end",
        "`U` undo, as often as you like",
        "`N` write an answer; `Enter` stores it as feasible, `Esc` leaves the field",
    ]
    st.markdown("\n".join(f"- {line}" for line in lines))
    st.markdown("Infeasible, for exactly one reason; where it says the model, read yourself:")
    letter = {reason: f"`{key.upper()}` " for key, reason in keys.items()}
    told = [
        f"- {letter.get(name, '')}**{plain(name)}** · {plain(description)}"
        for name, description in reasons.items()
    ]
    st.markdown("\n".join(told))
    st.caption("Keys do nothing while you type, and never answer a task you have not seen.")
