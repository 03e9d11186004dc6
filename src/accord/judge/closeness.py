"""Who is closer to the other people: a person, or the model in the person's place? Item by item."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal, TypeAlias

import numpy as np
import numpy.typing as npt

from accord.annotations.answers import Answers
from accord.annotations.arrays import FloatArray, IntArray
from accord.annotations.recognised_scale import places_in_order
from accord.coefficients.weights import checked_table
from accord.errors import Keyword, MayBeNames, Message, OptionError, Part, quoted, remedy
from accord.judge.participants import Participants
from accord.options import check_choice

Closeness: TypeAlias = Literal["accuracy", "ordinal", "rmse"] | npt.ArrayLike | Callable[[Any, Any], float]
SCORES = ("accuracy", "ordinal", "rmse")
EVEN = 1e-9  # scores that differ by less, as a share of what they are sums of, are a tie
ABSENT = np.int8(2)
MOST_CELLS = 100_000_000  # items × answers up to which likenesses are tabled


Scores: TypeAlias = tuple[FloatArray, FloatArray, FloatArray]  # the person's, the model's, and what they are sums of
Rows: TypeAlias = IntArray | slice  # of the items that are compared; all of them as a slice, which copies nothing


@dataclass(frozen=True, eq=False)
class PeoplesAnswers(ABC):
    """People's answers, and how near any answer is to those of an item's people."""

    grid: IntArray  # (items, people)

    @cached_property
    def answered(self) -> FloatArray:
        """(items,) how many people answered."""
        return np.asarray((self.grid >= 0).sum(1), dtype=np.float64)

    def differences(self, model: IntArray) -> npt.NDArray[np.int8]:
        """(items, people) 1 where the person alone wins, −1 where the model alone does, 0 for both, 2 for absent."""
        found = np.full(self.grid.shape, ABSENT, dtype=np.int8)
        usable = (model >= 0) & (self.answered >= 2)
        scores_of = self.compared_with(np.where(usable, model, 0))
        for person, given in enumerate(self.grid.T):
            compared = usable & (given >= 0)
            rows = slice(None) if compared.all() else np.nonzero(compared)[0]
            his, its, scale = scores_of(person, rows)
            even = EVEN * scale
            found[rows, person] = (his >= its - even).astype(np.int8) - (its >= his - even).astype(np.int8)
        return found

    @abstractmethod
    def compared_with(self, model: IntArray) -> Callable[[int, Rows], Scores]:
        """For a person and some items: how near the person, and the model in that place, is to the others."""


@dataclass(frozen=True, eq=False)
class AlikeByTable(PeoplesAnswers):
    """By a table of how alike two answers are."""

    alike: FloatArray  # (answers, answers)

    def compared_with(self, model: IntArray) -> Callable[[int, Rows], Scores]:
        """Σ of the likeness to the others: the sum over all people, less the person left out."""
        alike, diagonal, (columns, totals) = self.alike.ravel(), self.alike.diagonal(), self._by_person
        to_all, cells = self._totals[np.arange(len(model)), model], model * len(self.alike)

        def scores_of(person: int, rows: Rows) -> Scores:
            given, own, its = columns[person][rows], totals[person][rows], to_all[rows]
            return own - diagonal[given], its - alike[cells[rows] + given], np.abs(own) + np.abs(its)

        return scores_of

    @cached_property
    def _by_person(self) -> tuple[IntArray, FloatArray]:
        """(people, items) twice: the answers, and how alike each is to those of the item's people; 0 where missing."""
        columns = np.ascontiguousarray(np.where(self.grid >= 0, self.grid, 0).T)
        return columns, np.stack([self._totals[np.arange(len(self.grid)), given] for given in columns])

    @cached_property
    def _totals(self) -> FloatArray:
        """(items, answers) how alike each answer is to those of the item's people, summed."""
        size = len(self.alike)
        item, person = np.nonzero(self.grid >= 0)
        counts = np.bincount(item * size + self.grid[item, person], minlength=len(self.grid) * size)
        table: FloatArray = counts.reshape(len(self.grid), size).astype(np.float64)
        identity = np.array_equal(self.alike, np.eye(size))
        return table if identity else np.asarray(table @ self.alike.T)


@dataclass(frozen=True, eq=False)
class NearByNumber(PeoplesAnswers):
    """By the root mean squared distance of numbers, where there are many different ones."""

    numbers: FloatArray  # (answers,)

    def compared_with(self, model: IntArray) -> Callable[[int, Rows], Scores]:
        """−Σ of squared distances to the others, from the item's mean and spread: nothing large is subtracted."""
        given = self.grid >= 0
        values = np.where(given, self.numbers[self.grid], 0.0)
        number = self.answered
        mean = values.sum(1) / np.maximum(number, 1)
        spread = (np.where(given, values - mean[:, None], 0.0) ** 2).sum(1)
        its = self.numbers[model]

        def scores_of(person: int, rows: Rows) -> Scores:
            his, mine = values[rows, person], its[rows]
            to_all = [number[rows] * (one - mean[rows]) ** 2 + spread[rows] for one in (his, mine)]
            return -to_all[0], (mine - his) ** 2 - to_all[1], to_all[0] + to_all[1]

        return scores_of


def people_of(participants: Participants, closeness: Closeness) -> PeoplesAnswers:
    """The people's answers with what nearness means."""
    grid, answers = participants.grid(participants.people), participants.study.answers
    if closeness != "rmse" if isinstance(closeness, str) else callable(closeness):
        _refuse_many(len(grid), len(answers))
    if isinstance(closeness, str):
        check_choice("closeness", closeness, SCORES)
        if closeness == "rmse":
            return _by_distance(grid, answers.positions(Keyword("closeness", "rmse")))
        if closeness == "ordinal":
            return _tabled(grid, alike_on_a_scale(answers, Keyword("closeness", "ordinal")))
        return _tabled(grid, np.eye(len(answers)))
    if callable(closeness):
        cells = [answers.value(place) for place in range(len(answers))]
        return _tabled(grid, np.array([[_checked_score(closeness, one, other) for other in cells] for one in cells]))
    return _tabled(grid, checked_table(closeness, answers).table)


def alike_on_a_scale(answers: Answers, what: Part) -> FloatArray:
    """(K, K) 1 − distance / range: of numbers, of labels in a declared order, of words in the order that all know."""
    known = places_in_order(answers)
    places = answers.positions(what) if known is None else known
    apart = np.abs(places[:, None] - places[None, :])
    return np.asarray(1 - apart / max(float(apart.max(initial=0.0)), math.ulp(1.0)))


def _by_distance(grid: IntArray, numbers: FloatArray) -> PeoplesAnswers:
    if len(grid) * len(numbers) > MOST_CELLS or len(numbers) > 200:
        return NearByNumber(grid, numbers)
    return _tabled(grid, -((numbers[:, None] - numbers[None, :]) ** 2))  # its root keeps the order


def _tabled(grid: IntArray, alike: FloatArray) -> PeoplesAnswers:
    _refuse_many(len(grid), len(alike))
    return AlikeByTable(grid, alike)


def _refuse_many(items: int, answers: int) -> None:
    """Before a table is made that would not fit."""
    if max(items, answers) * answers > MOST_CELLS:
        raise OptionError(
            f"{items:,} items × {answers:,} different answers are too many to table; for numbers take ",
            remedy(closeness="rmse"),
            ".",
        )


def _checked_score(closeness: Callable[[Any, Any], float], one: Any, other: Any) -> float:
    try:
        score: Any = closeness(one, other)
    except Exception as problem:
        raise OptionError(
            Keyword("closeness"),
            " failed on ",
            quoted(one),
            " and ",
            quoted(other),
            f": {type(problem).__name__}: ",
            MayBeNames(str(problem)),
            ". It takes two answers and gives a number, the higher the more alike.",
        ) from problem
    if isinstance(score, bool | np.bool_):
        return float(score)
    if not isinstance(score, int | float | np.number) or not math.isfinite(score):
        raise OptionError.must(
            "closeness",
            Message("give a number for ", quoted(one), " and ", quoted(other), ", the higher the more alike"),
            score,
        )
    return float(score)
