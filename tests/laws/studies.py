"""Random studies for the laws: drawn by hypothesis in their plainest form, then handed to accord and to the oracle."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from itertools import combinations, permutations
from typing import Any

import numpy as np
import pytest
from hypothesis import strategies as st

import accord
from accord.measures.registered import MEASURES
from tests.oracles import coefficients as oracle

TEXTS = ("e", "b", "d", "a", "c")  # not in alphabetical order, so that a declared order is one
NUMBERS = (0.0, 0.5, 1.0, 2.0, 3.0, 5.0, 7.0, 10.0)
SCORES = (0.0, 0.1, 1.5, 1.7, 3.0, 4.6, 20.3)  # most of them not exact in binary
PERIOD = 24.0  # of scores on a ring
ON_A_SCALE = ("linear", "quadratic", "ordinal", "radical", "ratio", "circular", "bipolar")
LEVELS = ("nominal", "ordinal", "interval", "ratio", "circular")
SET_WEIGHTS: Mapping[str, oracle.Weight] = {"jaccard": oracle.jaccard, "dice": oracle.dice, "masi": oracle.masi}
P = 0.6  # accord's share of a primary label

measures = tuple(name for name in MEASURES if hasattr(oracle, name))


@dataclass(frozen=True)
class Drawn:
    """Items × annotators, None for a missing answer; a set is a frozenset, a ranked answer a tuple."""

    kind: str
    rows: tuple[tuple[Any, ...], ...]
    labels: tuple[Any, ...]  # the scale; empty for scores
    declared: bool

    @property
    def people(self) -> int:
        """The annotators, those without an answer too."""
        return len(self.rows[0])

    @property
    def seen(self) -> list[Any]:
        """The distinct answers, in no order."""
        return list(dict.fromkeys(cell for row in self.rows for cell in row if cell is not None))

    @property
    def scale(self) -> list[Any]:
        """What the oracle takes for the labels: the declared ones, or those in use."""
        if self.kind in ("set", "ranked"):
            return self.seen
        return list(self.labels) if self.declared else sorted(self.seen)

    @property
    def numeric(self) -> bool:
        """Are the answers numbers?"""
        return self.kind == "score" or (self.kind == "single" and not isinstance(self.labels[0], str))

    @property
    def placed(self) -> bool:
        """Have the labels places on a scale?"""
        return self.numeric or (self.kind == "single" and self.declared)

    def study(self) -> accord.Study:
        """As accord reads a wide table."""
        return wide_study(self.cells(), self)

    def cells(self) -> np.ndarray[Any, np.dtype[Any]]:
        """The rows as an array of objects."""
        cells = np.empty((len(self.rows), self.people), dtype=object)
        for place in np.ndindex(cells.shape):
            cells[place] = self.rows[place[0]][place[1]]
        return cells

    def items(self) -> list[dict[oracle.Annotator, Any]]:
        """As the oracle reads it; annotators are called as accord calls the columns of an array."""
        return [{str(who + 1): answer for who, answer in enumerate(row) if answer is not None} for row in self.rows]

    def long(self) -> dict[str, list[Any]]:
        """One row per annotation; lists of labels stay lists."""
        said = [
            (item, str(who + 1), list(answer) if self.kind in ("set", "ranked") else answer)
            for item, row in enumerate(self.rows)
            for who, answer in enumerate(row)
            if answer is not None
        ]
        name = "score" if self.kind == "score" else "label"
        return {
            "item": [row[0] for row in said],
            "annotator": [row[1] for row in said],
            name: [row[2] for row in said],
        }

    @property
    def roles(self) -> dict[str, Any]:
        """The keywords with which `Study` reads the long table."""
        told: dict[str, Any] = {"score": "score"} if self.kind == "score" else {"label": "label"}
        if self.kind in ("set", "ranked"):
            told["answers"] = self.kind
        if self.declared:
            told["labels"] = list(self.labels)
        return told


def wide_study(cells: Any, like: Drawn) -> accord.Study:
    """Other cells, read as those of a drawn study are."""
    kind: Any = None if like.kind == "single" else like.kind
    return accord.Study.from_wide(cells, labels=list(like.labels) if like.declared else None, answers=kind)


@st.composite
def studies(
    draw: st.DrawFn,
    kinds: Sequence[str] = ("single", "set", "ranked"),
    people: tuple[int, int] = (2, 6),
    items: tuple[int, int] = (1, 12),
    *,
    gaps: bool = True,
    numbers: bool | None = None,
    labels: tuple[int, int] = (2, 5),
    declared: bool | None = None,
) -> Drawn:
    """Two to six annotators, one to twelve items, two to five labels, some of them unused, and gaps."""
    kind = draw(st.sampled_from(tuple(kinds)))
    said = kind != "score" and (draw(st.booleans()) if declared is None else declared)
    scale = draw(_scales(kind, numbers, labels))
    answers = _answers(kind, scale)
    silent = draw(st.integers(0, len(answers))) if gaps else 0
    cell = st.sampled_from((*answers, *[None] * silent))
    width = draw(st.integers(*people))
    row = st.tuples(*[cell] * width)
    rows = draw(st.lists(row, min_size=items[0], max_size=items[1]))
    return Drawn(kind, tuple(rows), scale, said)


def annotators_for(measure: str) -> tuple[int, int]:
    """How many annotators a measure may be given."""
    return (2, 2) if MEASURES[measure].two else (2, 6)


KINDS = ("single", "set", "ranked")


def studies_for(measure: str, kinds: Sequence[str] = KINDS, **limits: Any) -> st.SearchStrategy[Drawn]:
    """Studies that a measure can take: of its number of annotators, and of its kinds of answers."""
    return studies(kinds_for(measure, kinds), annotators_for(measure), **limits)


def kinds_for(measure: str, kinds: Sequence[str] = KINDS) -> Sequence[str]:
    """The kinds of answers a measure takes."""
    return ("single",) if MEASURES[measure].finite_scale else kinds


@st.composite
def agreeing(draw: st.DrawFn, kinds: Sequence[str] = ("single", "set", "ranked"), most: int = 6) -> Drawn:
    """Everybody says the same of an item; two items with different answers are complete, the others have gaps."""
    drawn = draw(studies(kinds, people=(2, most), gaps=False))
    answers = _answers(drawn.kind, drawn.labels)
    rows = [(answer,) * drawn.people for answer in answers[:2]]
    for first, *others in drawn.rows:
        rows.append((first, *(first if draw(st.booleans()) else None for _ in others)))
    return replace(drawn, rows=tuple(rows))


@st.composite
def _scales(draw: st.DrawFn, kind: str, numbers: bool | None, labels: tuple[int, int]) -> tuple[Any, ...]:
    if kind == "score":
        return ()
    numeric = draw(st.booleans()) if numbers is None else numbers
    names: tuple[Any, ...] = NUMBERS if numeric and kind == "single" else TEXTS
    size = draw(st.integers(*labels))
    return tuple(draw(st.permutations(names)))[:size]


def _answers(kind: str, labels: Sequence[Any]) -> list[Any]:
    match kind:
        case "score":
            return list(SCORES)
        case "set":
            return [frozenset(held) for size in (1, 0, 2, 3) for held in combinations(labels, size)]
        case "ranked":
            return [held for size in (1, 2) for held in permutations(labels, size)]
    return list(labels)


# Measures with their options, for accord and for the oracle ---------------------------------------------------


@dataclass(frozen=True)
class Case:
    """A measure with options: asked of accord, and of the oracle."""

    measure: str
    slow: Callable[[Drawn], oracle.Parts] = field(repr=False)
    options: dict[str, Any] = field(default_factory=dict)
    weight: oracle.Weight | None = field(default=None, repr=False)  # None where a level looks at the data

    def __call__(self, study: accord.Study) -> accord.Agreement:
        """Accord's result."""
        result = MEASURES[self.measure].function(study, **self.options)
        assert isinstance(result, accord.Agreement)
        return result


def cases(measure: str, drawn: Drawn) -> Iterator[Case]:
    """Every choice of weights, chance and level that a measure has for these answers."""
    entry = MEASURES[measure]
    if entry.finite_scale and drawn.kind != "single":
        return
    if measure == "krippendorff_alpha":
        yield from (at_level(level, drawn) for level in levels(drawn))
    for weights, alike in weightings(drawn):
        yield _weighted(measure, weights, alike)
    if measure == "fleiss_kappa":
        yield Case(
            measure,
            lambda drawn: oracle.beyond_chance(
                oracle.observed_each_item_once(drawn.items(), oracle.identity),
                oracle.expected_pooled_counts(drawn.items(), oracle.identity),
            ),
            {"chance": "pooled-counts"},
            oracle.identity,
        )


def _weighted(measure: str, weights: Any, alike: oracle.Weight) -> Case:
    slow: oracle.Measure = oracle.weighted_alpha if measure == "krippendorff_alpha" else getattr(oracle, measure)
    return Case(measure, lambda drawn: slow(drawn.items(), drawn.scale, alike), {"weights": weights}, alike)


def levels(drawn: Drawn) -> tuple[str, ...]:
    """The levels of measurement that these answers have."""
    if drawn.numeric:
        return LEVELS
    return ("nominal", "ordinal") if drawn.placed else ("nominal",)


def at_level(level: str, drawn: Drawn) -> Case:
    """Alpha at a level; on a ring of whole numbers the round trip follows from them, else it is said."""
    options: dict[str, Any] = {"level": level}
    if level == "circular" and any(place != int(place) for place in drawn.scale):
        options["period"] = period_of(drawn)

    def slow(drawn: Drawn) -> oracle.Parts:
        study = drawn.items()
        if level == "nominal":
            return oracle.weighted_alpha(study, drawn.scale, oracle.identity)
        met = {answer for item in oracle.pairable(study) for answer in item.values()}
        if not met:
            return oracle.Parts(math.nan, math.nan, math.nan)
        in_order = [label for label in drawn.scale if label in met]  # agreement is relative to the widest in the data
        return oracle.krippendorff_alpha(study, in_order, level, period_of(drawn))

    return Case("krippendorff_alpha", slow, options)


def period_of(drawn: Drawn) -> float | None:
    """The round trip on a ring: of all labels on the scale, or of the scores."""
    if drawn.kind == "score" and any(place != int(place) for place in drawn.scale):
        return PERIOD
    return float(max(drawn.scale) - min(drawn.scale) + 1) if drawn.numeric and drawn.scale else None


def weightings(drawn: Drawn) -> Iterator[tuple[Any, oracle.Weight]]:
    """Weights as accord takes them, and as the oracle does."""
    yield "identity", oracle.identity
    if drawn.placed and drawn.scale:
        yield from ((name, oracle.gwet_weights(name, drawn.scale)) for name in ON_A_SCALE)
    if drawn.kind == "set":
        yield from SET_WEIGHTS.items()
    if drawn.kind == "ranked":
        yield from (("shared-mass", oracle.shared_mass(P)), ("overlap", oracle.overlap(P)))
    if drawn.kind == "single" and drawn.scale:
        yield from _own_weights(drawn.scale)


def _own_weights(scale: Sequence[Any]) -> Iterator[tuple[Any, oracle.Weight]]:
    """A table in which an answer need not be fully like itself, and a function."""
    size = len(scale)
    table = [[(3 + (k * l) % 4 - abs(k - l) / 2) / 6 for l in range(size)] for k in range(size)]  # noqa: E741
    place = {label: k for k, label in enumerate(scale)}
    yield table, lambda a, b: table[place[a]][place[b]]

    def near(a: Any, b: Any) -> float:
        return 1.0 if a == b else 0.25 * (place[a] + place[b] == size)

    yield near, near


@contextmanager
def everything_is_large() -> Iterator[None]:
    """No code fits into an integer, no table into memory, and one pair of answers is compared at a time."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("accord.annotations.coded.CODE_BITS", 0)
        patch.setattr("accord.annotations.tally.PAIRS_AT_ONCE", 1)
        patch.setattr("accord.coefficients.set_weights.CELLS_AT_ONCE", 2)
        patch.setattr("accord.coefficients.annotator_pairs.DENSE_PAIRS", 0)
        patch.setattr("accord.coefficients.alpha_levels.TABLED_VALUES", 1)
        patch.setattr("accord.coefficients.ratio_sums.VALUES_AT_ONCE", 2)
        yield


def same(one: float, other: float) -> bool:
    """The same digits, or both undefined."""
    return one == other or (math.isnan(one) and math.isnan(other))


def near(one: float, other: float, slack: float = 1e-12) -> bool:
    """Equal but for rounding, or both undefined."""
    return math.isclose(one, other, rel_tol=slack, abs_tol=slack) or (math.isnan(one) and math.isnan(other))
