"""How well could anybody do? What people reach against each other, from below and from above.

The answers of people differ, so no system agrees with all of them. From below: the majority of the others against the
one left out, who is a person that the majority has not seen. From above: the most frequent label against everybody,
those who made it the most frequent included; with few people that is too high (0.75 where three people answer at random
on two labels and nothing above 0.50 can be reached). Items that one person answered have the share 1 there, for the
system is judged on them too; from below they say nothing and do not count.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from accord.annotations.arrays import BoolArray, FloatArray, IntArray, add_up
from accord.annotations.majority_rule import leads
from accord.annotations.tally import ranges
from accord.judge.estimates import Estimate, better, is_reached
from accord.judge.joint_table import JointLabels, counted_labels
from accord.options import Shown


@dataclass(frozen=True, eq=False, repr=False)
class Ceiling(Shown):
    """What people reach: each measure from below and from above, and one person against another.

    Against gold `below` is a person, and `above` the majority of the people; `person` is then the same as `below`.
    """

    people: tuple[str, ...]
    items: int  # with two people or more; against gold, with one
    below: dict[str, Estimate]
    above: dict[str, Estimate]
    person: dict[str, Estimate]
    gold: bool = False

    def described(self, measure: str) -> str:
        """In words: "people reach 0.74 [0.70, 0.78], at most 0.81; a person 0.70"."""
        below, above, person = self.below[measure], self.above[measure], self.person[measure]
        if below.undefined:
            return f"what people reach is {below}"
        if self.gold:
            return f"a person reaches {below}" + ("" if above.undefined else f", their majority {above.value:z.3f}")
        limit = "at best" if better(measure) == "less" else "at most"
        most = "" if above.undefined else f", {limit} {above.value:z.3f}"
        return f"people reach {below}{most}" + ("" if person.undefined else f"; a person {person.value:z.3f}")

    def __str__(self) -> str:
        return "\n".join(f"{measure}: {self.described(measure)}" for measure in self.below if is_reached(measure))

    def to_dict(self) -> dict[str, Any]:
        """For JSON."""
        parts = {"below": self.below, "above": self.above, "person": self.person}
        return {
            "people": list(self.people),
            "items": self.items,
            "gold": self.gold,
            **{part: {name: one.to_dict() for name, one in found.items()} for part, found in parts.items()},
        }


def majority_of_others(grid: IntArray, labels: int) -> JointLabels:
    """Each person against the majority of the others on the item; tied labels share, each person counts alike."""
    item, label, number, answered = _answered_by_two(grid, labels)
    one, other = _pairs_within(item)
    votes = np.where(one == other, number[other] - 1, number[other])  # without the one left out
    tied = _leading(one, votes, len(item))
    one, other = one[tied], other[tied]
    ties = np.bincount(one, minlength=len(item))
    weight = number[one] / answered[item[one]] / ties[one]
    return JointLabels(item[one], label[other], label[one], weight, len(grid), labels)


def largest_share(grid: IntArray, labels: int) -> JointLabels:
    """The most frequent label of each item against everybody's, its own voters included; tied labels share."""
    item, label, number = counted_labels(grid, labels)
    answered = add_up(item, number, len(grid))
    top = _leading(item, number, len(grid))
    ties = np.bincount(item[top], minlength=len(grid))
    one, other = _pairs_within(item)
    chosen = top[one]
    one, other = one[chosen], other[chosen]
    weight = number[other] / answered[item[other]] / ties[item[one]]
    return JointLabels(item[one], label[one], label[other], weight, len(grid), labels)


def one_against_another(grid: IntArray, labels: int) -> JointLabels:
    """Two different people of an item, drawn at random."""
    item, label, number, answered = _answered_by_two(grid, labels)
    one, other = _pairs_within(item)
    met = number[one] * np.where(one == other, number[other] - 1, number[other])
    weight = met / (answered[item[one]] * (answered[item[one]] - 1))
    some = weight > 0
    return JointLabels(item[one[some]], label[one[some]], label[other[some]], weight[some], len(grid), labels)


def person_against_gold(grid: IntArray, gold: IntArray, labels: int) -> JointLabels:
    """A person of the item, drawn at random, against gold."""
    item, label, number = counted_labels(grid, labels)
    answered = add_up(item, number, len(grid))
    known = gold[item] >= 0
    item, label, number = item[known], label[known], number[known]
    return JointLabels(item, label, gold[item], number / answered[item], len(grid), labels)


def majority_against_gold(grid: IntArray, gold: IntArray, labels: int) -> JointLabels:
    """The most frequent label of the people against gold; tied labels share."""
    item, label, number = counted_labels(grid, labels)
    top = _leading(item, number, len(grid)) & (gold[item] >= 0)
    item, label = item[top], label[top]
    ties = np.bincount(item, minlength=len(grid))
    return JointLabels(item, label, gold[item], 1 / ties[item], len(grid), labels)


def _leading(group: IntArray, votes: FloatArray, groups: int) -> BoolArray:
    """Which entries have as many votes as any of their group?"""
    most = np.zeros(groups)
    np.maximum.at(most, group, votes)
    return np.asarray(leads(votes, most[group]))


def _answered_by_two(grid: IntArray, labels: int) -> tuple[IntArray, IntArray, FloatArray, FloatArray]:
    """Item, label and number of people of items that two or more answered; and (items,) how many answered each."""
    item, label, number = counted_labels(grid, labels)
    answered = add_up(item, number, len(grid))
    enough = answered[item] >= 2
    return item[enough], label[enough], number[enough], answered


def _pairs_within(item: IntArray) -> tuple[IntArray, IntArray]:
    """Every ordered pair of entries of one item, each with itself too; `item` is in order."""
    fresh: BoolArray = np.ones(len(item), dtype=np.bool_)
    np.not_equal(item[1:], item[:-1], out=fresh[1:])
    starts = np.nonzero(fresh)[0]
    sizes = np.diff(np.append(starts, len(item)))
    own = np.repeat(np.arange(len(starts)), sizes)
    one = np.repeat(np.arange(len(item)), sizes[own])
    return one, ranges(starts[own], sizes[own])
