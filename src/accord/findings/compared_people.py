"""Every two annotators beside each other: on how many items they met, how alike they answered, and what one expects.

What one expects of two people follows from each of them alone: somebody careful agrees with everybody, a random
responder with nobody, so that agreement beyond chance is a product of two numbers (one factor).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from accord.annotations.arrays import BoolArray, FloatArray, IntArray, divide
from accord.errors import Message, counted, some_annotators
from accord.findings.distances import Distances

FEWEST_PEOPLE = 4
MOST_PEOPLE = 60  # unless chosen by hand: pairs of annotators are never made for a crowd
MOST_CELLS, MANY_ITEMS = 30_000, 600  # items × annotators to shuffle; beyond them a random part, never fewer items
MOST_ANSWERS = 400
BY_ANSWER = 4  # times the annotators: so many different answers are gone through one by one, more are looked up
FEWEST_COMMON = 10  # items that two annotators must share to be compared
FEWEST_LINKED = 0.5  # share of pairs that must be compared
SEED = 20250323


@dataclass(frozen=True, eq=False)
class ComparedPeople:
    """Annotators who met often enough, pair by pair."""

    people: IntArray  # positions of the annotators
    grid: IntArray  # (items, people) answers, −1 for missing
    likeness: FloatArray  # (K, K) of two answers
    common: FloatArray  # (people, people) items that both answered
    linked: BoolArray  # (people, people) enough of them
    room: float  # 1 − expected agreement

    @cached_property
    def observed(self) -> FloatArray:
        """(people, people) mean likeness of two people's answers; 0 where they hardly met."""
        return np.where(self.linked, divide(agreed_on(self.grid, self.likeness), self.common), 0.0)

    @cached_property
    def agreement(self) -> FloatArray:
        """(people, people) the same beyond chance."""
        return np.where(self.linked, 1 - (1 - self.observed) / self.room, 0.0)


def compared_people(distances: Distances, most: int = MOST_PEOPLE) -> ComparedPeople | str:
    """All annotators pair by pair; or why they are not compared, in a sentence."""
    people = distances.study._present
    if len(people) < FEWEST_PEOPLE:
        return f"There are {counted(len(people), 'annotators')}; it takes {FEWEST_PEOPLE} to compare pairs of them."
    if len(people) > most:
        return Message(
            f"{len(people):,} annotators make {len(people) * (len(people) - 1) // 2:,} pairs, which are not compared "
            f"unasked; at most {most} are. Choose some: ",
            some_annotators(),
            ".",
        )
    if len(distances.tally.answers) > MOST_ANSWERS:
        return f"{len(distances.tally.answers):,} different answers are too many to compare pair by pair."
    grid = _grid(distances, people)
    common = (grid >= 0).T.astype(np.float64) @ (grid >= 0)
    np.fill_diagonal(common, 0.0)
    linked = common >= FEWEST_COMMON
    if linked.sum() < FEWEST_LINKED * len(people) * (len(people) - 1) or (linked.sum(1) < 2).any():
        return f"Too few pairs of annotators share {FEWEST_COMMON} items."
    return ComparedPeople(people, grid, 1 - distances.distance_table(), common, linked, distances.room)


def _grid(distances: Distances, people: IntArray) -> IntArray:
    """(items, people) answers, −1 for missing; a random part of the items where they are many."""
    tally = distances.tally
    most = max(MOST_CELLS // len(people), MANY_ITEMS)
    place = np.full(distances.people, -1)
    place[people] = np.arange(len(people))
    grid = np.full((len(tally), len(people)), -1, dtype=np.int64)
    grid[tally.pattern, place[distances.who]] = tally.answer
    if tally.n_items <= most:
        return np.repeat(grid, tally.units, axis=0)
    ends = np.cumsum(tally.units)  # drawn item by item: to draw how many of each pattern takes ten times as long
    drawn = np.random.default_rng(SEED).choice(int(ends[-1]), most, replace=False, shuffle=False)
    return grid[np.searchsorted(ends, np.sort(drawn), side="right")]


def agreed_on(grid: IntArray, likeness: FloatArray) -> FloatArray:
    """(people, people) the sum of likeness over common items."""
    with_none = np.pad(likeness, (0, 1))  # −1 is like nothing
    if len(likeness) > BY_ANSWER * grid.shape[1]:
        return _agreed_by_pair(grid, with_none)
    total = np.zeros((grid.shape[1], grid.shape[1]))
    ones = [(grid == answer).astype(np.float64) for answer in range(len(likeness))]
    if np.array_equal(likeness, np.eye(len(likeness))):
        for one in ones:
            total += one.T @ one
        return total
    for answer, one in enumerate(ones):
        total += one.T @ with_none[answer][grid]
    return (total + total.T) / 2


def _agreed_by_pair(grid: IntArray, with_none: FloatArray) -> FloatArray:
    """The same pair by pair, where answers are many, as scores are: each item is then looked up, not each answer."""
    people = grid.shape[1]
    total = np.zeros((people, people))
    for person in range(people - 1):
        total[person, person + 1 :] = with_none[grid[:, [person]], grid[:, person + 1 :]].sum(0)
    return total + total.T


def one_factor(agreement: FloatArray, linked: BoolArray, rounds: int = 25) -> FloatArray:
    """The products s_g s_h nearest to agreement off the diagonal."""
    factor = np.sqrt(np.maximum(divide((agreement * linked).sum(1), linked.sum(1)), 0.01))
    for _ in range(rounds):
        fresh = divide((agreement * linked) @ factor, linked @ factor**2)
        factor = 0.5 * factor + 0.5 * np.clip(np.nan_to_num(fresh), 0.01, 1.5)
    return np.asarray(factor[:, None] * factor[None, :])


def middling_factor(agreement: FloatArray, linked: BoolArray, rounds: int = 40) -> FloatArray:
    """The same by medians, on which a pair that agrees far more than all others has no hold."""
    apart = np.where(linked, agreement, np.nan)
    factor = np.sqrt(np.clip(_medians(apart), 0.01, 1.0))
    for _ in range(rounds):
        fresh = _medians(apart / factor[None, :])
        factor = 0.5 * factor + 0.5 * np.clip(np.nan_to_num(fresh), 0.1, 1.1)
    return np.asarray(factor[:, None] * factor[None, :])


def _medians(table: FloatArray) -> FloatArray:
    """The median of each row, missing ones left out; quicker than NumPy's for small tables, made many times."""
    ordered = np.sort(table, axis=1)  # missing ones come last
    number = np.count_nonzero(~np.isnan(ordered), axis=1)
    rows = np.arange(len(table))
    return np.asarray((ordered[rows, np.maximum(number - 1, 0) // 2] + ordered[rows, number // 2]) / 2)
