"""Votes as people give them, for the tests of agreement."""

import pandas as pd


def votes_of(*ratings):
    """A frame of votes from one list of labels per person, None where there is no vote."""
    rows = [
        (f"t{item}", f"person {person}", label)
        for person, labels in enumerate(ratings)
        for item, label in enumerate(labels)
        if label is not None
    ]
    return pd.DataFrame(rows, columns=["item", "person", "label"])


def two_people(both_keep, keep_remove, remove_keep, both_remove):
    """The votes of two people, from how often each pair of labels was given."""
    keep, remove = "keep", "remove"
    return votes_of(
        [keep] * (both_keep + keep_remove) + [remove] * (remove_keep + both_remove),
        [keep] * both_keep + [remove] * keep_remove + [keep] * remove_keep + [remove] * both_remove,
    )


def statistics(found):
    """The four statistics of an agreement."""
    return (found.percent, found.kappa, found.alpha, found.ac1)
