"""Neighbours on a scale: does disagreement sit between values that stand side by side, more than by their use?

On a scale annotators differ by degree. How much of the disagreement lies between neighbours is held against what their
use alone would give, with items as the unit.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from accord.annotations.arrays import FloatArray, divide
from accord.errors import Message, remedy
from accord.findings.agreement_on_labels import Confused, share_by_use, tail_of_share
from accord.findings.finding import CANDIDATE, Clue, Evidence, Finding, TestFamily
from accord.findings.label_order import may_be_a_scale, order_is_declared, places_in_use
from accord.findings.study_view import View

MOST_LABELS = 400  # beyond, a step of the scale is nothing that anybody names
FEWEST_CLASHES = 10.0  # contested items, as many as count
BEYOND = 0.05  # the share of the disagreement by which neighbours must hold more than their part


@dataclass(frozen=True)
class Neighbours:
    """How much of the disagreement is between neighbours, and how much would be by how often values are used."""

    share: float
    expected: float
    p: float

    @property
    def shown(self) -> bool:
        """Beyond chance, and by enough to be worth a word?"""
        return self.p < CANDIDATE and self.share - self.expected >= BEYOND


def neighbours_of(view: View) -> Neighbours | None:
    """Disagreement between neighbours; None where labels have no order, or too few items are contested."""
    if not 3 <= len(view.study.labels) <= MOST_LABELS or not may_be_a_scale(view):
        return None
    if int((view.marginals > 0).sum()) < 3:
        return None
    found = view.confused
    if found.effective < FEWEST_CLASHES:
        return None
    place = places_in_use(view)
    beside = np.abs(place[found.first] - place[found.second]) == 1
    share = float(found.share[beside].sum())
    used = np.nonzero(place >= 0)[0]
    used = used[np.argsort(place[used], kind="stable")]
    expected = min(float(share_by_use(view.marginals, used[:-1], used[1:]).sum()), 1.0)
    p = float(tail_of_share(np.array([share]), np.array([expected]), found.effective)[0])
    return Neighbours(share, expected, p)


def spreads_by_use(marginals: FloatArray, found: Confused) -> bool | None:
    """Is disagreement spread over pairs of labels by their use, or on all alike, as far as a test can tell?

    Chi-squared of the shares of pairs, in contested items. None where these are too few to tell.
    """
    from scipy.special import chdtrc

    used = np.nonzero(marginals > 0)[0]
    first, second = (used[side] for side in np.triu_indices(len(used), 1))
    if found.effective < 5 * len(first) or len(first) < 2:
        return None
    size = len(marginals)
    shares = np.zeros(size * size)
    shares[found.first * size + found.second] = found.share
    seen = shares[first * size + second]
    parts = (marginals[first] * marginals[second], marginals[first] + marginals[second])
    fits = []
    for part in parts:
        expected = divide(part, part.sum())
        statistic = found.effective * float(((seen - expected) ** 2 / expected).sum())
        fits.append(float(chdtrc(len(first) - 1, statistic)))
    return max(fits) >= CANDIDATE


def _as_a_scale(view: View) -> float:
    """What the coefficient would be if the numbers were a scale."""
    from accord.measures.krippendorff import krippendorff_alpha

    return krippendorff_alpha(view.study, level="ordinal").value


def look(view: View) -> Iterator[Clue]:
    """A note: near misses are what scales bring about."""
    found = view.neighbours
    if found is None:
        return
    yield TestFamily(1, "scales whose neighbours may clash")
    if not found.shown:
        return
    declared = order_is_declared(view)
    start = "On this scale" if declared else "The labels look like a scale, and as on one"
    do = (
        "Nothing needs mending in that: near misses are what scales bring about, and the level of measurement counts "
        "them for less. An example for each step of the scale brings annotators closer."
        if declared
        else Message(
            "If they are one, say so (", remedy(level="ordinal"), ", or ", remedy(level="interval"),
            " where steps are equal): then near misses count for less. If they are mere names, these are labels that "
            "are confused.",
        )
    )  # fmt: skip
    yield Finding(
        "neighbouring-labels",
        "note",
        f"{start}, {found.share:.0%} of the disagreement is between neighbours, where {found.expected:.0%} would be by "
        "how often the values are used: annotators differ by degree, and not in kind.",
        do,
        evidence=(
            Evidence("share of the disagreement between neighbours", found.share),
            Evidence("their part by how often the values are used", found.expected),
            *(() if declared else (Evidence("Krippendorff's alpha if they are an ordinal scale", _as_a_scale(view)),)),
        ),
        sources=("krippendorff2004",),
        p=found.p,
        weight=0.45,
    )
