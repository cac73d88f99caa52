"""`verify` finds each fault planted in an audit, and nothing in a sound one."""

import pytest

from core.store import verify


@pytest.fixture
def audited(sound, rows):
    """A sound store in which Ada voted yes on a verdict, took it back and voted no."""
    item_id = rows.planned()["item_id"]
    sound.write(
        [
            ("audit", [_audit(rows)]),
            ("audited", [_audited(item_id)]),
            (
                "audit_vote",
                [
                    _vote(rows, item_id, "w1", 30, "yes"),
                    _vote(rows, item_id, "w2", 31, "undo", undoes="w1", is_blind=False),
                    _vote(rows, item_id, "w3", 32, "no", is_blind=False),
                ],
            ),
        ]
    )
    return sound


def _audit(rows, **given):
    row = {"audit_id": "a1", "study_id": "s1", "seq": 9, "name": "First", "step": "screen"}
    row |= {"judge": "m/j", "prompt_hash": "00", "method": "random", "seed": 0}
    return row | {"settings_json": "{}", "person_id": "ada", "made_at": rows.NOON} | given


def _audited(item_id, **given):
    row = {"audit_id": "a1", "study_id": "s1", "item_id": item_id, "answer_item": ""}
    row |= {"task_id": "t1", "position": 0, "stratum": "random", "weight": 1.0, "verdict": "yes"}
    return row | given


def _vote(rows, item_id, vote_id, seq, action="yes", **given):
    row = {"vote_id": vote_id, "audit_id": "a1", "study_id": "s1", "item_id": item_id}
    row |= {"person_id": "ada", "seq": seq, "action": action, "note": "", "is_final": False}
    return row | {"is_blind": True, "voted_at": rows.NOON} | given


FAULTS = {
    "samples of verdicts of no study": lambda r, i: [
        ("audit", [_audit(r, audit_id="a2", study_id="s9")])
    ],
    "samples of verdicts stored more than once": lambda r, i: [("audit", [_audit(r)])],
    "sampled verdicts of no sample": lambda r, i: [("audited", [_audited(i, audit_id="a9")])],
    "sampled verdicts of no planned item": lambda r, i: [("audited", [_audited("i9")])],
    "verdicts sampled more than once in one sample": lambda r, i: [("audited", [_audited(i)])],
    "sampled verdicts other than yes or no, or with a weight that is none": lambda r, i: [
        ("audit", [_audit(r, audit_id="a2")]),
        ("audited", [_audited(i, audit_id="a2", weight=0.0)]),
    ],
    "votes on no sampled verdict": lambda r, i: [("audit_vote", [_vote(r, "i9", "w9", 40)])],
    "votes by no known person": lambda r, i: [
        ("audit_vote", [_vote(r, i, "w9", 40, person_id="p9")])
    ],
    "undone votes that are not there": lambda r, i: [
        ("audit_vote", [_vote(r, i, "w9", 40, "undo", undoes="w8")])
    ],
    "votes taken back more than once": lambda r, i: [
        ("audit_vote", [_vote(r, i, "w9", 40, "undo", undoes="w1")])
    ],
    "votes taken back by another person or on another verdict": lambda r, i: [
        ("person", [r.person(person_id="p9", name="Ben")]),
        ("audit_vote", [_vote(r, i, "w9", 40, "undo", undoes="w3", person_id="p9")]),
    ],
    "votes stored as blind after the verdict was told": lambda r, i: [
        ("audit_vote", [_vote(r, i, "w8", 40, "undo", undoes="w3"), _vote(r, i, "w9", 41)])
    ],
    "verdicts with two standing votes by one person": lambda r, i: [
        ("audit_vote", [_vote(r, i, "w9", 40, is_blind=False)])
    ],
    "votes stored more than once": lambda r, i: [
        ("audit_vote", [_vote(r, i, "w3", 40, "no", is_blind=False)])
    ],
}


def test_a_sound_audit_has_no_findings(audited):
    assert verify(audited) == []


@pytest.mark.parametrize("fault", FAULTS)
def test_each_planted_fault_is_found(audited, rows, fault):
    audited.write(FAULTS[fault](rows, rows.planned()["item_id"]))
    found = verify(audited)
    assert any(finding.startswith(f"{fault}: 1, for example ") for finding in found), found
