"""Sharpening: Rosenberg & Binkowski's announced alternation between the weights of annotators and of items.

Theirs (2004, section 8): annotators are ranked by how well they agree with the group, using kappa; items by how well
the group agrees on their label, using variance or −p ln p; each ranking weights the other, in turn, until the weights
show minimal change. No formulas were published. Decided here, and nowhere in the paper:

- *The group* is everybody else: an annotator's own answers are left out of what they are compared with.
- *Kappa* is Cohen's form between the annotator and the weighted distribution of the others on the same items, every
  item counting by its weight; chance is the annotator's marginal distribution times the others'.
- *Normalisation*: kappa itself is the weight, cut at 0; one minus the variance (or entropy) over its largest value is
  the weight of an item. Both lie between 0 and 1 and nothing else is scaled.
- Where kappa does not exist (nobody to compare with, one label only) the weight is the mean of the others'.
- *Objective*: none. What is sought is a fixed point of the two steps; the docs show that on simulated studies twenty
  random starts reach the same one. There is no proof that they must: two camps of the same size that contradict each
  other have two.
- *Stop rule*: no weight of an annotator moves by more than the tolerance.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from accord.annotations.arrays import FloatArray, add_up, divide
from accord.consensus.ballots import Ballots

TOLERANCE = 1e-10
ITERATIONS = 1000
NOTHING = 1e-12  # a total weight that is nobody's


@dataclass(frozen=True, eq=False)
class Sharpened:
    """Weights that stand still."""

    annotator_weights: FloatArray  # (annotators,) kappa with the group, cut at 0
    kappa: FloatArray  # (annotators,) before the cut; NaN where it does not exist
    changes: tuple[float, ...]  # the largest change of a weight, step by step
    converged: bool
    nobody: bool  # no annotator agrees with the others beyond chance; all count alike


@dataclass(frozen=True, eq=False)
class Views:
    """The answers as points: single labels as corners, ranked ones as shares, sets as yes and no to every label."""

    points: FloatArray  # (K, D)
    questions: int  # 1, or the number of labels for sets
    labels: int  # C

    @classmethod
    def of(cls, mass: FloatArray, *, sets: bool) -> Views:
        """From (K, C) how much of each label an answer holds."""
        if not sets:
            return cls(mass, 1, mass.shape[1])
        number = mass.shape[1]
        return cls(np.concatenate((mass, 1 - mass), axis=1) / np.sqrt(number), number, number)

    def clearness(self, group: FloatArray, how: str) -> FloatArray:
        """How well a group agrees: 1 where all its mass is on one answer, 0 where it is spread evenly."""
        choices = 2 if self.questions > 1 else self.labels
        if choices < 2:
            return np.ones(len(group))
        if how == "variance":
            return np.asarray(np.clip(((group**2).sum(axis=1) * choices - 1) / (choices - 1), 0.0, 1.0))
        shares = group * np.sqrt(self.questions) if self.questions > 1 else group
        with np.errstate(divide="ignore", invalid="ignore"):
            entropy = -np.where(shares > 0, shares * np.log(shares), 0.0).sum(axis=1) / self.questions
        return np.asarray(np.clip(1 - entropy / np.log(choices), 0.0, 1.0))


def sharpen(
    ballots: Ballots,
    views: Views,
    *,
    item_weights: str = "variance",
    known: FloatArray | None = None,
    start: FloatArray | None = None,
    iterations: int = ITERATIONS,
    tolerance: float = TOLERANCE,
) -> Sharpened:
    """Alternate until the weights stand still; equal weights at the start unless others are given.

    `known` (items, D) holds the point of each item whose label is known and NaN elsewhere: there it takes the group's
    place.
    """
    weights = np.ones(ballots.n_annotators) if start is None else start.astype(np.float64)
    changes: list[float] = []
    nobody = False
    for _ in range(iterations):
        kappa = _kappas(ballots, views, weights, item_weights, known)
        fresh, nobody = _weights(kappa)
        changes.append(float(np.abs(fresh - weights).max(initial=0.0)))
        weights = fresh
        if changes[-1] <= tolerance:
            break
    return Sharpened(weights, kappa, tuple(changes), bool(changes) and changes[-1] <= tolerance, nobody)


def _weights(kappa: FloatArray) -> tuple[FloatArray, bool]:
    """Kappas as weights; where there is none, the mean of the others."""
    cut = np.clip(kappa, 0.0, 1.0)
    if not np.nansum(cut) > NOTHING:
        return np.ones(len(kappa)), True
    return np.where(np.isnan(cut), np.nanmean(cut), cut), False


def _kappas(ballots: Ballots, views: Views, weights: FloatArray, how: str, known: FloatArray | None) -> FloatArray:
    """Each annotator's kappa with the others, items counting by how clear they are: one pass of sums."""

    def work(begin: int, end: int) -> tuple[Any, ...]:
        return _sums(ballots, views, weights, how, known, begin, end)

    weight, agreed, own, other = ballots.total_of(work)
    chance = divide((own * other).sum(axis=1), weight**2)
    return divide(divide(agreed, weight) - chance, np.where(np.abs(1 - chance) < NOTHING, 0.0, 1 - chance))


def _sums(
    ballots: Ballots, views: Views, weights: FloatArray, how: str, known: FloatArray | None, begin: int, end: int
) -> tuple[FloatArray, FloatArray, FloatArray, FloatArray]:
    """By annotator: item weight, weighted agreement with the others, own marginals and the others' marginals."""
    group, total = groups(ballots, views, weights, begin, end)
    item = ballots.entry_items(begin, end)
    cells, often = ballots.entries(begin, end)
    person, answer = np.divmod(cells, ballots.n_answers)
    points = views.points[answer]
    mine = points * (weights[person] * often)[:, None]
    my_total = weights[person] * often
    mine, my_total = _joined(item, person, mine, my_total)
    clear = views.clearness(divide(group, total[:, None]), how)
    rest = total[item] - my_total
    others = divide(group[item] - mine, np.where(rest > NOTHING, rest, 0.0)[:, None])
    if known is not None:
        fixed = known[begin:end]
        clear = np.where(np.isnan(fixed[:, 0]), clear, 1.0)
        others = np.where(np.isnan(fixed[item]), others, fixed[item])
    counts = np.where(np.isnan(others[:, 0]) | np.isnan(clear[item]), 0.0, clear[item] * often)
    others = np.nan_to_num(others)
    size = ballots.n_annotators
    agreed = add_up(person, counts * (points * others).sum(axis=1), size)
    own, other = (
        np.stack([add_up(person, counts * side[:, column], size) for column in range(side.shape[1])], axis=1)
        for side in (points, others)
    )
    return add_up(person, counts, size), agreed, own, other


def _joined(item: Any, person: Any, mine: FloatArray, my_total: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Where an annotator gave an item several answers, what is theirs is the sum of them."""
    fresh = np.ones(len(item), dtype=np.bool_)
    fresh[1:] = (item[1:] != item[:-1]) | (person[1:] != person[:-1])
    if fresh.all():
        return mine, my_total
    begins, run = np.nonzero(fresh)[0], np.cumsum(fresh) - 1
    return np.add.reduceat(mine, begins, axis=0)[run], np.add.reduceat(my_total, begins)[run]


def groups(ballots: Ballots, views: Views, weights: FloatArray, begin: int, end: int) -> tuple[FloatArray, FloatArray]:
    """(items, D) the weighted sum of answers on each item, and (items,) the weight behind it."""
    given = ballots.voted(begin, end, weights)
    return given @ views.points, given @ np.ones(ballots.n_answers)
