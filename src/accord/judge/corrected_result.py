"""Corrected: a coefficient from few people and many model answers, and how many more of either it takes."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from accord.agreement.result import Agreement
from accord.agreement.table import Table
from accord.agreement.uncertainty import Interval
from accord.coefficients.standard_errors import quantile
from accord.errors import percent
from accord.judge.to_json import judgement, span
from accord.options import Shown, check_positive, check_whole, listed

MOST_ITEMS = 10**12  # that anybody asks people about


@dataclass(frozen=True, eq=False, repr=False)
class Corrected(Shown):
    """A coefficient of all items, from people's answers to some and models' to all.

    >>> from accord import Study
    >>> from accord.judge import corrected_agreement
    >>> model = list("aabbab" * 20)
    >>> few = {"ana": [*model[:36], *[None] * 84], "ben": [*"aabbaa" * 6, *[None] * 84]}
    >>> found = corrected_agreement(Study.from_wide({**few, "gpt": model}), model="gpt")
    >>> round(found.value, 3), round(found.plain, 3), found.n_people
    (0.657, 0.657, 36)
    """

    measure: str
    title: str
    value: float
    interval: Interval
    power: float  # λ
    plain: Agreement  # people alone, on the annotated items
    plain_interval: Interval
    n_people: int
    n_rest: int
    correlation: float
    noise: float
    predict: str
    finite: bool
    notes: tuple[str, ...] = field(default=())
    undefined: str | None = None

    @property
    def n_effective(self) -> float:
        """How many items annotated by people alone would be as sure."""
        return self.n_people * (self.plain_interval.se / self.interval.se) ** 2 if self.interval.se > 0 else math.nan

    def width(self, people: int) -> float:
        """Half the width of the interval to expect with so many annotated items, of the same items in all.

        Args:
            people: How many items people annotate.

        Returns:
            Half the width of the interval.

        Raises:
            OptionError: If `people` is no whole number above 0.

        >>> from accord import Study
        >>> from accord.judge import corrected_agreement
        >>> model = list("aabbab" * 20)
        >>> few = {"ana": [*model[:36], *[None] * 84], "ben": [*"aabbaa" * 6, *[None] * 84]}
        >>> found = corrected_agreement(Study.from_wide({**few, "gpt": model}), model="gpt")
        >>> found.width(72) < found.width(36)
        True
        """
        check_whole("people", people, 1, most=MOST_ITEMS)
        fixed = self.interval.se**2 - self.noise / self.n_people  # what more people do not make less
        variance = max(self.noise / people + fixed, 0.0)
        return quantile(self.interval.confidence, max(people - 1, 1)) * math.sqrt(variance)

    def _width_alone(self, people: int) -> float:
        """The same without a model."""
        whole = self.n_people + self.n_rest
        left = (1 / people - 1 / whole) / (1 / self.n_people - 1 / whole) if self.finite else self.n_people / people
        return quantile(self.interval.confidence, max(people - 1, 1)) * self.plain_interval.se * math.sqrt(left)

    def plan(self, people: Sequence[int] | None = None) -> Table:
        """How wide the interval would be with more human answers (or fewer), with the model's help and without.

        Args:
            people: Numbers of annotated items to show; by default half to eight times as many as there are.

        Returns:
            A `Table` with one row per number: half the width with the model and without.

        Raises:
            OptionError: If `people` is no list of whole numbers above 0.

        >>> from accord import Study
        >>> from accord.judge import corrected_agreement
        >>> model = list("aabbab" * 20)
        >>> few = {"ana": [*model[:36], *[None] * 84], "ben": [*"aabbaa" * 6, *[None] * 84]}
        >>> found = corrected_agreement(Study.from_wide({**few, "gpt": model}), model="gpt")
        >>> found.plan([36, 72])["people"].tolist()
        [36, 72]
        """
        whole = self.n_people + self.n_rest
        shown = (
            _round_sizes(self.n_people, whole) if people is None else listed("people", people, "be a list of numbers")
        )
        for size in shown:
            check_whole("people", size, 1, most=MOST_ITEMS)
        sizes = [size for size in shown if 2 <= size <= whole]
        width = np.array([self.width(size) for size in sizes])
        return Table(
            f"{self.title}: half the width of the {percent(self.interval.confidence)} interval",
            {
                "people": np.array(sizes),
                "with_model": width,
                "people_alone": np.array([self._width_alone(size) for size in sizes]),
            },
            (f"As measured on {self.n_people:,} annotated items of {whole:,}; people drawn at random.",),
        )

    def needed(self, half_width: float) -> int | None:
        """The least number of annotated items for an interval of ± half_width; None if all items are too few.

        Args:
            half_width: Half the width that the interval should have.

        Returns:
            A number of items, or None.

        Raises:
            OptionError: If `half_width` is not above 0.

        >>> from accord import Study
        >>> from accord.judge import corrected_agreement
        >>> model = list("aabbab" * 20)
        >>> few = {"ana": [*model[:36], *[None] * 84], "ben": [*"aabbaa" * 6, *[None] * 84]}
        >>> found = corrected_agreement(Study.from_wide({**few, "gpt": model}), model="gpt")
        >>> found.needed(0.2)
        62
        """
        check_positive("half_width", half_width, "0.05")
        low, high = 2, self.n_people + self.n_rest
        if self.width(high) > half_width:
            return None
        while low < high:
            middle = (low + high) // 2
            low, high = (low, middle) if self.width(middle) <= half_width else (middle + 1, high)
        return low

    def __float__(self) -> float:
        return self.value

    def __str__(self) -> str:
        if self.undefined:
            return f"{self.title}: undefined. {self.undefined}"
        low, high = self.interval
        notes = "".join(f"\n{note}" for note in self.notes)
        return (
            f"{self.title} {self.value:z.3f}{span(low, high)} of {self.n_people + self.n_rest:,} items, "
            f"{self.n_people:,} of them annotated by people; λ = {self.power:.2f}, worth {self.n_effective:,.0f} "
            f"annotated items without a model (people alone {self.plain.value:z.3f}{span(*self.plain_interval)}){notes}"
        )

    def to_dict(self) -> dict[str, Any]:
        """For JSON."""
        names = (
            "measure", "title", "value", "interval", "power", "plain_interval", "n_people", "n_rest", "correlation",
            "n_effective", "predict", "finite", "undefined",
        )  # fmt: skip
        values = {name: getattr(self, name) for name in names} | {"plain": self.plain.value}
        return judgement("corrected_agreement", values, {} if self.undefined else {"plan": self.plan()}, self.notes)


def _round_sizes(now: int, whole: int) -> list[int]:
    """This many, and half to eight times as many."""
    return sorted({min(max(round(now * times), 2), whole) for times in (0.5, 1, 1.5, 2, 4, 8)})
