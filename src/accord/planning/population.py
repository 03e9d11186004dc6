"""What the items to be labelled look like: patterns of answers and how often each comes, from a pilot or a model."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations_with_replacement, product
from typing import Any

import numpy as np

from accord.agreement.registry import Measure, named
from accord.agreement.result import Agreement
from accord.annotations.answers import Label
from accord.annotations.arrays import FloatArray, IntArray, add_up
from accord.coefficients.measurable import Measurable
from accord.coefficients.units import Units
from accord.errors import Keyword, MeasureError, OptionError, Part, all_quoted, keyword, remedy
from accord.study.study import Study

MOST_PATTERNS = 50_000  # patterns that a model may have
MOST_PEOPLE = 170  # whose factorial is still a float
MANY = 1e9  # so many items that the value is that of the population
STEPS = 60  # halvings of the search for how often annotators know an item's label


@dataclass(frozen=True, eq=False)
class Population:
    """Kinds of units with their shares. A unit is an item, known by its pattern; or a cluster of items."""

    result: Agreement  # the measure on the pilot, or on one item of each pattern of the model
    coefficient: Measurable  # of the result, to be evaluated on other items
    shares: FloatArray  # (units,) how often a unit drawn at random is of this kind; what is missing to 1 is of no use
    value: float  # of the measure, where there are very many items
    items_per_unit: float = 1.0
    matrix: Any = None  # (units, patterns) how many items of each pattern a cluster holds

    @cached_property
    def chances(self) -> FloatArray:
        """(units + 1,) the shares, and last the share of units that the measure cannot use."""
        return np.append(self.shares, max(0.0, 1.0 - float(self.shares.sum())))

    @property
    def pilot_units(self) -> IntArray:
        """(units,) the pilot's own: its patterns as often as they came, or each of its clusters once."""
        return self.coefficient.sample.units if self.matrix is None else np.ones(len(self.shares), dtype=np.int64)

    def draw(self, units: int, size: int, rng: np.random.Generator) -> IntArray:
        """(size, units) how many units of each kind a study of so many has."""
        return rng.multinomial(units, self.chances / self.chances.sum(), size=size)[:, :-1]

    def items(self, drawn: FloatArray | IntArray) -> FloatArray:
        """(size, patterns) the items of each pattern behind the units drawn."""
        counted = np.asarray(drawn, dtype=np.float64)
        return counted if self.matrix is None else np.asarray(counted @ self.matrix)

    def units_of(self, items: float) -> int:
        """How many units hold so many items."""
        return max(2, math.ceil(items / self.items_per_unit - 1e-9))


def of_pilot(result: Agreement) -> Population:
    """The pilot's own patterns: every item to come is like one of its items, each as likely as any other."""
    coefficient = _usable(result)
    tally = coefficient.sample
    everything = result.study.tally().n_items
    units = Units.of(result.study, tally, None)
    if units.cluster is None:
        return Population(result, coefficient, tally.items / everything, result.value)
    # items that the measure cannot use come with their clusters: the shares are of clusters that hold any of use
    per_unit = everything / units.number
    shares = np.full(units.number, 1 / units.number)
    return Population(result, coefficient, shares, result.value, per_unit, units.matrix)


def _usable(result: Agreement) -> Measurable:
    """The coefficient of a pilot; an error where it does not show what is to come."""
    if result.undefined or result.coefficient is None:
        raise MeasureError(
            "The pilot has no value to plan from. ",
            result.undefined or "",
            " Suppose one: ",
            remedy("plan", margins=..., value=...),
            ".",
        )
    if not result.coefficient.knows_items:
        raise MeasureError(
            "A pilot that stays in its engine or warehouse shows patterns of answers, not of who gave them; "
            f"{result.title} needs them. Plan with ",
            named("fleiss_kappa"),
            " or ",
            named("krippendorff_alpha"),
            ", or from a pilot in memory.",
        )
    if result.coefficient.no_interval or (result.coefficient.design is not None and result.coefficient.design.by_label):
        raise MeasureError(
            "The pilot's items were drawn label by label, so they are not like the items to come. Plan from a plain "
            "random sample, or from ",
            keyword("margins"),
            " and ",
            keyword("value"),
            ".",
        )
    return result.coefficient


# -- a model of answers ------------------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Answering:
    """A model of how annotators answer, and nothing else about the items.

    An item's label is drawn from the margins. Each annotator, whatever the others do, knows it with probability `knows`
    and otherwise draws an answer from the same margins. So two annotators both know with probability `knows`², which
    is the kappa of every measure whose chance model draws from margins (Cohen, Scott, Fleiss, Conger, Light, alpha;
    also weighted). For two annotators and two labels it is the common correlation model (donner1992).
    """

    labels: tuple[Label, ...]
    margins: FloatArray
    annotators: int
    named: bool
    knows: float = math.nan  # how often an annotator knows the item's label

    @cached_property
    def patterns(self) -> IntArray:
        """(P, R) the answers to an item of each pattern: who gave which, or one order for each multiset."""
        size, people = len(self.labels), self.annotators
        if people > MOST_PEOPLE:
            raise OptionError(
                keyword("margins"), f" is for up to {MOST_PEOPLE} annotators per item, and there are {people:,}."
            )
        number = size**people if self.named else math.comb(people + size - 1, people)
        if number > MOST_PATTERNS:
            way_out: tuple[Part, ...] = ("Merge rare labels, or plan from a pilot.",)
            if self.named:
                same = ", which need not tell annotators apart and has the same value here."
                way_out = ("Choose ", named("fleiss_kappa"), same)
            raise OptionError(
                f"{people:,} annotators and {size:,} labels can answer an item in {number:,} ways, more than "
                f"{MOST_PATTERNS:,}. ",
                *way_out,
                option=keyword("margins"),
            )
        ways = product(range(size), repeat=people) if self.named else combinations_with_replacement(range(size), people)
        return np.array(list(ways), dtype=np.int64).reshape(-1, people)

    def shares(self, knows: float) -> FloatArray:
        """(P,) how often an item shows each pattern: the sum over what its label may be."""
        orders = np.ones(len(self.patterns)) if self.named else self._orders
        total = np.zeros(len(self.patterns))
        for label, share in enumerate(self.margins):
            answer = (1 - knows) * self.margins + knows * (np.arange(len(self.margins)) == label)
            total += share * answer[self.patterns].prod(axis=1)
        return total * orders

    @cached_property
    def _orders(self) -> FloatArray:
        """(P,) in how many orders the answers of a multiset can be given."""
        counts = np.stack([(self.patterns == label).sum(1) for label in range(len(self.labels))], axis=1)
        factorial = np.array([math.factorial(number) for number in range(self.annotators + 1)], dtype=np.float64)
        return np.asarray(factorial[self.annotators] / factorial[counts].prod(axis=1), dtype=np.float64)

    def study(self) -> Study:
        """One item of each pattern."""
        names = np.empty(len(self.labels), dtype=object)
        names[:] = self.labels
        return Study.from_wide(names[self.patterns], labels=list(self.labels))


def supposed(
    measure: Measure, margins: Any, annotators: int, value: float, options: Mapping[str, Any]
) -> tuple[Population, Answering]:
    """The population of the model in which the measure has the supposed value."""
    if (measure.kinds and "single" not in measure.kinds) or measure.role is not None:
        raise MeasureError(
            f"{measure.title} is not for single labels alone, which ",
            keyword("margins"),
            " describes; plan from a pilot.",
        )
    if measure.is_distance:
        raise MeasureError(
            f"{measure.title} tells how far answers lie apart, and ",
            keyword("value"),
            " is how far they agree; plan from a pilot.",
        )
    labels, shares = _margins(margins)
    model = Answering(labels, shares, annotators, named=measure.named)
    result = measure.of(model.study(), **options)
    coefficient = result.coefficient
    assert coefficient is not None
    assert coefficient.sample.locate is not None
    place = coefficient.sample.locate()

    def chances(knows: float) -> FloatArray:
        return add_up(place, model.shares(knows), len(coefficient.sample))

    def value_at(knows: float) -> float:
        return float(coefficient.evaluate(chances(knows) * MANY).value)

    lowest = value_at(0.0)
    if not lowest - 1e-6 <= value < 1:
        least = f"{max(lowest, 0.0) + 0.0:.3g} (answers given at random)"
        raise OptionError.must("value", f"lie between {least} and 1 for {result.title} with these margins", value)
    low, high = 0.0, 1.0
    for _ in range(STEPS):
        middle = (low + high) / 2
        low, high = (middle, high) if value_at(middle) < value else (low, middle)
    knows = (low + high) / 2
    return Population(result, coefficient, chances(knows), value_at(knows)), replace(model, knows=knows)


def _margins(given: Any) -> tuple[tuple[Label, ...], FloatArray]:
    """Labels and their shares, which sum to one."""
    if isinstance(given, Mapping):
        labels, shares = tuple(given), list(given.values())
    elif isinstance(given, Sequence | np.ndarray) and not isinstance(given, str):
        shares = list(given)
        labels = tuple(range(1, len(shares) + 1))
    else:
        raise OptionError.must("margins", "say each label's share, such as {'yes': 0.7, 'no': 0.3}", given)
    if not all(isinstance(share, int | float | np.number) and 0 < share < 1 for share in shares) or len(shares) < 2:
        raise OptionError.must(
            "margins", "hold two shares or more, each between 0 and 1", shares, " Leave out labels that are never used."
        )
    total = float(sum(shares))
    if abs(total - 1) > 1e-6:
        raise OptionError(Keyword("margins"), " must sum to 1; ", all_quoted(shares), f" sum to {total:g}.")
    return labels, np.array(shares, dtype=np.float64) / total
