"""The votes behind a gold: how many of an item's answers give the label that it got, item by item and label by label.

A model may overrule votes, and that is what it is for. But labels are only names to it: a class that began as "unsure"
may end as the items on which people split between "yes" and "no", which a model with three classes tells apart very
well. The label has then *drifted* from its name, and no item's posterior shows it. The votes do.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from accord.annotations.answers import Label
from accord.annotations.arrays import BoolArray, FloatArray, IntArray
from accord.annotations.in_threads import cut, each_in_threads
from accord.consensus.evidence import largest
from accord.consensus.method_outcome import Outcome, plain_votes

FAR = 0.5  # votes below this part of the leading label's are few
OFTEN = 1 / 3  # of a label's items with few votes
FEWEST = 5  # items: one overruled vote is no drift


@dataclass(frozen=True, eq=False)
class Support:
    """Of every item, the share of its answers that give a label, and the share of the label that leads there."""

    votes: FloatArray  # (items,) of the label that the item got; NaN where there is none, or nobody answered
    leading: FloatArray  # (items,)

    @property
    def few(self) -> BoolArray:
        """(items,): does the label have far fewer votes than the one that leads?"""
        return np.asarray(self.votes < FAR * self.leading)


def support_of(outcome: Outcome, codes: IntArray) -> Support:
    """The votes behind the labels that items got; `codes` are their positions, −1 where undecided."""
    evidence, ballots = plain_votes(outcome), outcome.ballots

    found = Support(np.empty(len(codes)), np.empty(len(codes)))

    def work(begin: int, end: int) -> None:
        shares, chosen = evidence.soft(ballots, begin, end)[0], codes[begin:end]
        votes = shares[np.arange(len(shares)), np.maximum(chosen, 0)]
        votes[chosen < 0] = np.nan
        found.votes[begin:end], found.leading[begin:end] = votes, largest(shares)

    for _ in ballots.each(work):
        pass
    return found


@dataclass(frozen=True)
class LabelSupport:
    """What stands behind one label of a gold."""

    label: Label
    items: int  # that got it
    votes: float  # the mean share of answers for it on them; NaN where there is none
    leading: float  # the mean share of the label that leads there
    few: int  # items on which it has far fewer votes than the one that leads

    @property
    def drifted(self) -> bool:
        """Does the label no longer mean what people call so?"""
        if self.few >= max(FEWEST, OFTEN * self.items):
            return True
        return self.items >= FEWEST and self.votes < FAR * self.leading

    def sentence(self) -> str:
        """What is behind it, in words."""
        items = "item" if self.items == 1 else f"{self.items:,} items"
        lead = f"{self.votes:.0%} of the answers to the {items} it is given to say {self.label!r}"
        often = f" (on {self.few:,} of them far fewer than another label has)" if self.few < self.items else ""
        return f"{lead}, where the leading label has {self.leading:.0%}{often}"


def behind_labels(
    outcomes: Sequence[Outcome], labels: Sequence[Label], codes: Sequence[IntArray], *, sets: bool
) -> list[LabelSupport]:
    """Label by label; for sets one outcome per label, of which only what is present is asked about."""
    if not sets:
        return _behind(labels, codes[0], support_of(outcomes[0], codes[0]))
    each = zip(labels, outcomes, codes, strict=True)
    return [_behind([label], np.where(code == 1, 0, -1), support_of(outcome, code))[0] for label, outcome, code in each]


def _behind(labels: Sequence[Label], codes: IntArray, found: Support) -> list[LabelSupport]:
    """Of all labels at once; `codes` are positions among these, −1 of items that have none of them."""

    def work(codes: IntArray, votes: FloatArray, leading: FloatArray) -> FloatArray:
        size, given = len(labels), codes >= 0
        answered = given & np.isfinite(votes)
        of, backed = codes[answered], Support(votes[answered], leading[answered])
        weights = (None, backed.votes, backed.leading, backed.few)
        return np.array([np.bincount(codes[given], minlength=size), *(np.bincount(of, one, size) for one in weights)])

    parts = list(cut(codes, found.votes, found.leading))
    total = np.zeros((5, len(labels)))
    for part in each_in_threads(work, parts) if len(parts) > 1 else (work(*one) for one in parts):
        total += part
    return [
        LabelSupport(label, int(items), *((votes / number, leading / number) if number else (np.nan,) * 2), int(few))
        for label, (items, number, votes, leading, few) in zip(labels, total.T.tolist(), strict=True)
    ]
