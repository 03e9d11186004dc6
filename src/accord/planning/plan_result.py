"""Plan: how many items a study needs, how sure that is, and what other sizes would give."""

from __future__ import annotations

import html
import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from accord.agreement.table import Table
from accord.errors import counted, json_value, percent
from accord.options import check_whole, head
from accord.planning.how_many_annotators import SHOWN, mean_reliability
from accord.planning.population import Population
from accord.planning.searching import MOST_ITEMS, NO_SPREAD, PlanTarget, SearchResult, size_of
from accord.planning.simulation import Trials, of_units, trials

SIZES = (0.25, 0.5, 0.75, 1.0, 1.5, 2.0, 4.0)  # parts of the items needed that the table shows
WITHOUT = (50, 100, 200, 500, 1000, 2000, 5000)  # what it shows where no number of items would do
ROW_SIMULATIONS = 400  # studies drawn for a row


@dataclass(frozen=True, eq=False)
class Plan:
    """Items needed for an interval as narrow, or a lower bound as high, as wanted.

    `items` is None where no number would do, and `undefined` then says why. `error` is the Monte Carlo error of
    `items`; `reached` is the share of drawn studies of that size that reach the target, with its own `reached_error`.

    >>> import accord
    >>> found = accord.plan(margins={"yes": 0.5, "no": 0.5}, value=0.6, width=0.3, rng=1)
    >>> print(found.question)
    a 95% interval of Cohen's kappa at most 0.3 wide (from end to end) in 80% of studies
    >>> abs(found.items - 127) < 10
    True
    >>> found.by_annotators().head(2)["annotators"].tolist()
    [1, 2]
    >>> len(found.to_table()), type(found.plot()).__name__
    (7, 'LayerChart')
    """

    measure: str
    title: str
    target: PlanTarget
    items: int | None
    error: float
    reached: float
    value: float  # what the measure is in the pilot or the model
    n_annotators: int
    source: str  # "pilot" or "margins"
    n_simulations: int
    seed: int | None
    pilot_items: int | None = None
    pilot_range: tuple[float, float] | None = None  # items needed if the pilot had come out otherwise
    closed_form: int | None = None  # the items by the large-sample formula, for two annotators and two labels
    undefined: str | None = None
    notes: tuple[str, ...] = ()
    model: Mapping[str, Any] = field(default_factory=dict)  # margins and how often annotators know, in a model
    population: Population = field(repr=False, kw_only=True)

    @classmethod
    def of(cls, population: Population, target: PlanTarget, found: SearchResult, **fields: Any) -> Plan:
        """The plan that a search has found.

        Args:
            population: What studies are drawn from.
            target: What was wanted.
            found: What the search found.
            **fields: The other fields of the plan.

        Returns:
            A `Plan`.
        """
        result = population.result
        return cls(
            result.measure, result.title, target, found.items, found.error, found.reached, population.value,
            n_simulations=found.n_simulations, undefined=found.why, population=population, **fields,
        )  # fmt: skip

    @property
    def reached_error(self) -> float:
        """The Monte Carlo error of `reached`."""
        return math.sqrt(self.reached * (1 - self.reached) / self.n_simulations) if self.n_simulations else math.nan

    @property
    def question(self) -> str:
        """What was asked, in words."""
        target, sure = self.target, percent(self.target.confidence)
        if target.kind == "width":
            what = f"a {sure} interval of {self.title} at most {target.goal:g} wide (from end to end)"
        else:
            what = f"a one-sided {sure} lower bound of {self.title} above {target.goal:g}"
        return f"{what} in {percent(target.power)} of studies"

    # -- what other sizes would give ----------------------------------------------------------------------------------

    @cached_property
    def _table(self) -> Table:
        rng = np.random.default_rng(self._seeds(0))
        sizes = WITHOUT if self.items is None else tuple(round(part * self.items) for part in SIZES)
        size = min(size_of(self.population, ROW_SIMULATIONS), ROW_SIMULATIONS)
        rows = []
        for items in sorted({max(3, items) for items in sizes}):
            simulated = trials(self.population, self.population.units_of(items), size, rng)
            rows.append({"items": items, **self._row(simulated)})
        columns = {name: np.array([row[name] for row in rows]) for name in rows[0]}
        every = f"{percent(self.target.power)} of studies"
        notes = (
            f"width: the mean width of the interval; widest: what {every} stay within; lower bound: what {every} stay "
            "above; reached: how often the target is reached.",
            f"{counted(size, 'studies drawn for each row')}: the error of reached is at most {0.5 / size**0.5:z.3f}.",
        )
        return Table(f"What other sizes would give: {self.title}", columns, notes)

    def _row(self, simulated: Trials) -> dict[str, float]:
        width, power, confidence = simulated.width(self.target.confidence), self.target.power, self.target.confidence
        present = width[np.isfinite(width)]
        bound = simulated.bound(confidence)
        return {
            "width": float(present.mean()) if len(present) else math.nan,
            "widest": _quantile(width, power, math.inf),
            "lower_bound": _quantile(bound, 1 - power, -math.inf),
            "reached": self.target.reached(simulated),
        }

    def to_table(self) -> Table:
        """Sizes around the one needed: the mean width, what most studies stay within, and how often the target is
        reached.

        Returns:
            A `Table` with one row per size: items, width, widest, lower_bound, reached.
        """
        return self._table

    def buys(self, more: int = 100) -> Table:
        """What the next items would buy: width and power now and after `more` items.

        The pilot's items stay as they are, and those to come are drawn from its patterns. Without a pilot, "now" is a
        study of the size needed.

        Args:
            more: How many items more.

        Returns:
            A `Table` with two rows, now and afterwards: items, width, lower_bound, reached.

        Raises:
            OptionError: If `more` is no whole number from 1 to ten million.

        >>> import accord
        >>> found = accord.plan(accord.datasets.load("five-annotators"), width=0.1, rng=1)
        >>> found.buys(100)["items"].tolist()
        [60, 160]
        """
        check_whole("more", more, 1, most=MOST_ITEMS)
        rng = np.random.default_rng(self._seeds(more))
        size, population = size_of(self.population, 2 * ROW_SIMULATIONS), self.population
        if self.pilot_items is not None:
            have = population.pilot_units
            now = of_units(population, have[None, :])
            later = of_units(population, have + population.draw(population.units_of(more), size, rng))
            items = self.pilot_items
        else:
            items = self.items or WITHOUT[0]
            now = trials(population, population.units_of(items), size, rng)
            later = trials(population, population.units_of(items + more), size, rng)
        rows = [{"items": items, **self._row(now)}, {"items": items + more, **self._row(later)}]
        data: dict[str, Any] = {"when": ["now", f"after {more:,} more"]}
        data |= {name: np.array([row[name] for row in rows]) for name in ("items", "width", "lower_bound", "reached")}
        return Table(f"What {counted(more, 'items')} more would buy: {self.title}", data)

    def by_annotators(self) -> Table:
        """The reliability of the mean, or majority, of more annotators than one, by Spearman and Brown.

        The plan's value is taken as the reliability of one annotator's answers, which it is for kappas of two labels
        and for alpha of scores, and about so for other chance-corrected coefficients; not for percent agreement.

        Returns:
            A `Table`: annotators, reliability.
        """
        single = min(max(self.value, 0.0), 1.0)
        people = np.array(SHOWN)
        data = {"annotators": people, "reliability": mean_reliability(single, people)}
        return Table(f"Reliability of several annotators together, where one has {single:z.3f}", data)

    def plot(self) -> Any:
        """The mean width over the items, or the lower bound that most studies exceed, as an Altair chart.

        Returns:
            An `altair.Chart`.

        Raises:
            ExtraMissing: If Altair is not installed.
        """
        from accord.agreement import charts
        from accord.agreement.chart_drawing import in_notebook

        column = "width" if self.target.kind == "width" else "lower_bound"
        rows = [(row["items"], row[column], row[column], row[column]) for row in self.to_table()]
        words = column.replace("_", " ")
        return in_notebook(charts.curve(rows, f"{self.title}: {words} over items", "items", words))

    # -- in words and files -------------------------------------------------------------------------------------------

    def __str__(self) -> str:
        if self.items is None:
            unknown = self.undefined == NO_SPREAD
            lead = "It cannot be told how many items give" if unknown else "No number of items gives"
            return "\n".join((f"{lead} {self.question}. {self.undefined}", *self.notes))
        error = f" ± {self.error:z.1f}" if self.error >= 0.05 else ""
        seed = "" if self.seed is None else f" (seed {self.seed})"
        lines = [
            f"{counted(self.items, 'items')}{error} for {self.question}.",
            f"Of {self.n_simulations:,} studies drawn with so many{seed}, {self.reached:.1%} "
            f"(± {self.reached_error:.1%}) reach it.",
            *self.notes,
        ]
        return "\n".join(lines)

    __repr__ = __str__

    def _repr_html_(self) -> str:
        lines = "".join(f"<p>{html.escape(line)}</p>" for line in str(self).splitlines())
        return f"{lines}{self.to_table()._repr_html_()}"

    def to_dict(self) -> dict[str, Any]:
        """For JSON."""
        low, high = self.pilot_range or (math.nan, math.nan)
        return {
            **head("plan"), "measure": self.measure, "title": self.title,
            "target": {"kind": self.target.kind, "goal": self.target.goal}, "power": self.target.power,
            "confidence": self.target.confidence, "source": self.source, "value": json_value(self.value),
            "annotators": self.n_annotators, "items": self.items, "error": json_value(self.error),
            "reached": json_value(self.reached), "reached_error": json_value(self.reached_error),
            "n_simulations": self.n_simulations, "seed": self.seed, "closed_form": self.closed_form,
            "pilot_items": self.pilot_items, "pilot_low": json_value(float(low)), "pilot_high": json_value(float(high)),
            "model": dict(self.model) or None, "undefined": self.undefined,
            "notes": list(self.notes), "table": self.to_table().to_dict()["rows"],
        }  # fmt: skip

    def _seeds(self, which: int) -> tuple[int, int]:
        """A table is the same each time it is asked for."""
        return (self.seed or 0, which)


def _quantile(values: Any, share: float, without: float) -> float:
    """What a share of studies stay within; NaN where that includes studies without an interval."""
    present = np.where(np.isfinite(values), values, without)
    found = float(
        np.quantile(present, share, method="higher") if without > 0 else np.quantile(present, share, method="lower")
    )
    return found if math.isfinite(found) else math.nan
