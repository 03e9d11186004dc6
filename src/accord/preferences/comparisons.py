"""Comparisons: the reduced form of preferences. Which two options met, in which order, who judged, and what was said.

A strength needs no more than how often each option won over each other in each order; how sure it is needs the
comparisons of each item together, since what is judged by several people is one thing that was sampled.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from accord.annotations.arrays import BoolArray, FloatArray, IntArray, add_up, used
from accord.annotations.preference_words import SIDES
from accord.errors import MeasureError, OptionError, as_typed, remedy
from accord.options import listed
from accord.study.roles import COMPARED
from accord.study.shapes.compared import options_of
from accord.study.study import Study

WON, TIED, LOST = 0, 1, 2  # by the first, in the order shown
MOST_OPTIONS = 2_000  # beyond this many, tables of options by options are not made


@dataclass(frozen=True, eq=False)
class Comparisons:
    """One row per comparison, as codes.

    Attributes:
        options: What the options are called, in canonical order.
        first: (C,) the option that stood first.
        second: (C,) the option that stood second.
        outcome: (C,) 0 the first won, 1 a tie, 2 the second won.
        item: (C,) what was sampled: the item, or what the study says belongs together.
        annotator: (C,) who judged.
        annotators: What they are called.
        weight: (C,) how much each counts.
        lead: (C, V) by how much the first is ahead in each covariate.
        times: (items,) how many items were compared as each of these was, where an engine counted them; else None.
    """

    options: tuple[str, ...]
    first: IntArray
    second: IntArray
    outcome: IntArray
    item: IntArray
    annotator: IntArray
    annotators: tuple[str, ...]
    weight: FloatArray
    lead: FloatArray
    times: FloatArray | None = None

    def __len__(self) -> int:
        return len(self.first)

    @classmethod
    def of(cls, study: Study) -> Comparisons:
        """The comparisons of a study of preferences."""
        if not study.compares:
            raise MeasureError(
                "The answers are no preferences: no columns say which two options were compared. Name them: ",
                remedy(first=..., second=...),
                ".",
            )
        item, annotator, answer, count = study._annotations.rows
        options, first, second = options_of([study._column(study.roles[role], role) for role in COMPARED])
        outcome = np.array([SIDES.index(str(label)) for label in study.labels], dtype=np.int64)[answer]
        backwards = study._annotations.to_memory().backwards
        assert backwards is not None  # preferences have it
        turned = (first > second) != backwards[item]
        shown = np.array([LOST, TIED, WON])[outcome]
        return cls(
            options, first, second, np.where(turned, shown, outcome), _sampled(study, item), annotator,
            study.annotators, count.astype(np.float64), np.empty((len(first), 0)),
        ).on_options_used()  # fmt: skip

    def on_options_used(self) -> Comparisons:
        """The same on the options that were compared: a part of a study may hold fewer than its table."""
        there = np.zeros(len(self.options), dtype=np.bool_)
        there[self.first] = there[self.second] = True
        if there.all():
            return self
        number = np.cumsum(there) - 1
        names = tuple(name for name, kept in zip(self.options, there.tolist(), strict=True) if kept)
        return replace(self, options=names, first=number[self.first], second=number[self.second])

    def where(self, keep: BoolArray | IntArray) -> Comparisons:
        """Some of the comparisons, told by yes and no or by their rows, of the same options."""
        return replace(
            self, first=self.first[keep], second=self.second[keep], outcome=self.outcome[keep], item=self.item[keep],
            annotator=self.annotator[keep], weight=self.weight[keep], lead=self.lead[keep],
        )  # fmt: skip

    def rows_of_each(self) -> Iterator[tuple[int, IntArray]]:
        """Every annotator who judged anything, with the rows of their comparisons."""
        order = np.argsort(self.annotator, kind="stable")
        people, starts = np.unique(self.annotator[order], return_index=True)
        for person, start, end in zip(people.tolist(), starts, [*starts[1:], len(order)][: len(people)], strict=True):
            yield person, order[start:end]

    def among(self, names: Sequence[str]) -> Comparisons:
        """The comparisons in which both options are among these."""
        names = listed("options", names, "be a list of options")
        unknown = [name for name in names if as_typed(name, str) not in self.options]
        if unknown:
            raise OptionError.choice("options", unknown[0], self.options, of_data=True)
        chosen = np.isin(self.options, [str(name) for name in names])
        return self.where(chosen[self.first] & chosen[self.second]).on_options_used()

    def weighted(self, weight: FloatArray) -> Comparisons:
        """The same, each counting so much more or less."""
        return replace(self, weight=self.weight * weight)

    @property
    def n_items(self) -> int:
        """How many items (or clusters) hold a comparison that counts."""
        counting = self.item if (self.weight > 0).all() else self.item[self.weight > 0]
        there = used(counting, int(counting.max(initial=-1)) + 1)
        return len(there) if self.times is None else round(float(self.times[there].sum()))

    @property
    def number(self) -> int:
        """How many comparisons there are."""
        return len(self) if self.times is None else round(float(self.total.sum()))

    @property
    def total(self) -> FloatArray:
        """(C,) how much each counts over all items that were compared alike."""
        return self.weight if self.times is None else np.asarray(self.weight * self.times[self.item])

    @property
    def n_annotators(self) -> int:
        """How many annotators judged anything."""
        if self.times is not None:
            return len(self.annotators)
        return len(used(self.annotator, len(self.annotators))) if self.annotators else 0

    # -- counts -------------------------------------------------------------------------------------------------------

    @cached_property
    def shown(self) -> FloatArray:
        """(K, K, 3) how often each option stood before each other, by what came out."""
        size = len(self.options)
        key = (self.first * size + self.second) * 3 + self.outcome
        return add_up(key, self.total, size * size * 3).reshape(size, size, 3)

    @cached_property
    def wins(self) -> FloatArray:
        """(K, K) how often the row's option won over the column's, in either order."""
        return np.asarray(self.shown[:, :, WON] + self.shown[:, :, LOST].T)

    @cached_property
    def ties(self) -> FloatArray:
        """(K, K) how often two options tied, in either order."""
        return np.asarray(self.shown[:, :, TIED] + self.shown[:, :, TIED].T)

    @property
    def record(self) -> tuple[FloatArray, FloatArray, FloatArray]:
        """(K,) each: how often every option won, lost and tied."""
        size, outcome, weight = len(self.options), self.outcome, self.total
        found = [np.zeros(size), np.zeros(size), np.zeros(size)]
        for mine, (won, tied, lost) in ((self.first, (0, 2, 1)), (self.second, (1, 2, 0))):
            for side, place in ((WON, won), (TIED, tied), (LOST, lost)):
                found[place] += add_up(mine, np.where(outcome == side, weight, 0.0), size)
        return found[0], found[1], found[2]

    def refuse_many(self) -> None:
        """Where options are as many as texts, no two of them meet often enough to be put in an order."""
        if len(self.options) > MOST_OPTIONS:
            raise MeasureError(
                f"{len(self.options):,} options are too many to be put in one order (at most {MOST_OPTIONS:,}). If the "
                "columns hold texts and not the names of options, name others: ",
                remedy(first=..., second=...),
                ".",
            )

    @property
    def in_one_order(self) -> str | None:
        """Why nothing can be said of the order in which options stand; None where something can."""
        ahead = self.first < self.second
        if not len(self) or not (ahead.all() or not ahead.any()):
            return None
        if len(self.options) == 2:
            return "The two options always stood in one order, so that it cannot be told from which is better."
        place = "before" if ahead.all() else "after"
        return (
            f"In every comparison the first option comes {place} the second by name: that is how a table is sorted, "
            "not in which order options were shown."
        )


def _sampled(study: Study, item: IntArray) -> IntArray:
    """(C,) the item of each comparison, or the cluster that it belongs to."""
    cluster = study.roles.get("cluster")
    if cluster is None or cluster == study.roles.get("item"):
        return _numbered(study, item) if cluster is not None else item
    codes = study._item_column(cluster, "cluster").codes
    alone = len(study.items) + np.arange(len(codes))  # an item without a cluster is one by itself
    return np.unique(np.where(codes >= 0, codes, alone)[item], return_inverse=True)[1]


def _numbered(study: Study, item: IntArray) -> IntArray:
    """Items of one pair each by what was compared there for several pairs."""
    codes = study._column(study.roles["item"], "item").codes
    return codes if (codes >= 0).all() else item
