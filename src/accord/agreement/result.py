"""What comes back: an Agreement, and what it answers when asked more. Frozen, printable, serialisable."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

import numpy as np

from accord.agreement.table import Table
from accord.coefficients.coefficient import Coefficient
from accord.errors import MeasureError, OptionError, counted, percent
from accord.options import head, json_value

if TYPE_CHECKING:
    from accord.agreement.interpretation import Interpretation
    from accord.agreement.registry import Measure
    from accord.study.study import Study

Rng: TypeAlias = "int | np.random.Generator | None"  # in quotes: naming it would load NumPy's generators
Progress: TypeAlias = bool | Callable[[int, int], None] | None
Method: TypeAlias = Literal["analytic", "gwet", "jackknife", "bootstrap", "bca", "bayesian"]
Resample: TypeAlias = Literal["items", "annotators", "both"]


@dataclass(frozen=True)
class Interval:
    """Where the value may lie; unpacks into low and high."""

    low: float
    high: float
    se: float
    confidence: float
    method: str
    resample: str = "items"
    clusters: int | None = None  # how many clusters stood in for items
    n_resamples: int | None = None
    undefined_resamples: int = 0
    seed: int | None = None
    undefined: str | None = None

    def __iter__(self) -> Iterator[float]:
        return iter((self.low, self.high))

    def __str__(self) -> str:
        if self.undefined:
            return f"undefined: {self.undefined}"
        return f"[{self.low:.3f}, {self.high:.3f}] ({percent(self.confidence)}, {self.method})"

    def to_dict(self) -> dict[str, Any]:
        """For JSON."""
        return {
            "low": json_value(self.low),
            "high": json_value(self.high),
            "se": json_value(self.se),
            "confidence": self.confidence,
            "method": self.method,
            "resample": self.resample,
            "clusters": self.clusters,
            "n_resamples": self.n_resamples,
            "undefined_resamples": self.undefined_resamples,
            "seed": self.seed,
            "undefined": self.undefined,
        }


@dataclass(frozen=True)
class Test:
    """Is the value different from a given one (by default zero: no better than chance)?"""

    __test__ = False  # not a test case, whatever pytest thinks of the name

    p: float
    statistic: float
    null: float
    method: str
    n_resamples: int | None = None
    seed: int | None = None
    undefined: str | None = None

    def __str__(self) -> str:
        return (
            f"undefined: {self.undefined}"
            if self.undefined
            else f"p = {self.p:.3g} (against {self.null:g}, {self.method})"
        )

    def to_dict(self) -> dict[str, Any]:
        """For JSON."""
        return {name: json_value(value) for name, value in vars(self).items()}


@dataclass(frozen=True, eq=False)
class Agreement:
    """One coefficient, what it was made of, and enough to ask it more.

    `value` is NaN where the coefficient is undefined, and `undefined` then says why.
    """

    measure: str
    value: float
    observed: float
    expected: float
    n_items: int
    n_annotators: int
    n_answers: int
    undefined: str | None = None
    options: Mapping[str, Any] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    study: Study = field(repr=False, kw_only=True)
    coefficient: Coefficient | None = field(default=None, repr=False, kw_only=True)
    recipe: Callable[[Study], Coefficient] = field(repr=False, kw_only=True)
    by: str | None = field(default=None, kw_only=True)

    def __float__(self) -> float:
        return self.value

    def __format__(self, spec: str) -> str:
        return format(self.value, spec) if spec else str(self)

    def __str__(self) -> str:
        if self.by is not None or self.study.tasks:
            return str(self.by_group())
        if self.undefined:
            return f"{self.title}: undefined. {self.undefined}"
        low, high = self.interval()
        span = "" if math.isnan(low) else f", 95% interval [{low:.3f}, {high:.3f}]"
        return (
            f"{self.title} {self.value:.3f}{span} (observed {self.observed:.3f}, expected {self.expected:.3f}; "
            f"{counted(self.n_items, 'items')}, {counted(self.n_annotators, 'annotators')})"
        )

    @property
    def title(self) -> str:
        """The measure's name as one writes it, with its level or weights."""
        level, weights = (_called(self.options.get(name)) for name in ("level", "weights"))
        if weights in ("ordinal", "ratio", "circular"):
            weights += " weights"  # Gwet's tables, not Krippendorff's levels of the same name
        extra = next((option for option in (level, weights) if option not in ("", "nominal", "identity")), None)
        name = self._measure.title
        if self.measure == "gwet_ac":  # which of the two it is, is what readers ask first
            name += "2" if extra else "1"
        return f"{name} ({extra})" if extra else name

    @property
    def _measure(self) -> Measure:
        from accord.agreement.registry import MEASURES

        return MEASURES[self.measure]

    # -- how sure ---------------------------------------------------------------------------------------------------

    def interval(
        self,
        *,
        confidence: float = 0.95,
        method: Method | None = None,
        n_resamples: int = 1000,
        cluster: str | None = None,
        resample: Resample = "items",
        population: int | None = None,
        rng: Rng = None,
        progress: Progress = None,
    ) -> Interval:
        """Where the value may lie, given that other items, annotators, or both might have been drawn.

        Args:
            confidence: How often such an interval should hold the true value.
            method: "analytic" (linearised, the default), "gwet" (the published form, with the number of items that
                have two answers taken as given), "jackknife", "bootstrap" (percentiles), "bca", or "bayesian" (the
                Bayesian bootstrap).
            n_resamples: How many resamples, for the last three.
            cluster: A column that says which items belong together; the study's own cluster role is used without
                asking.
            resample: What might have been otherwise: "items", "annotators" or "both".
            population: The number of items in all, where the annotated ones are a random part of them.
            rng: A seed or a Generator; None draws a seed, which the interval keeps.
            progress: True, or a function of (done, total).
        """
        from accord.agreement.inference.intervals import interval

        return interval(self, confidence, method, n_resamples, cluster, resample, population, rng, progress)

    def test(
        self,
        *,
        null: float = 0.0,
        method: Literal["analytic", "gwet", "jackknife", "permutation"] = "analytic",
        n_resamples: int = 1000,
        rng: Rng = None,
        progress: Progress = None,
    ) -> Test:
        """How surprising the value would be if the true one were `null`: two-sided; by permutation, one-sided."""
        from accord.agreement.inference.hypothesis_tests import test

        return test(self, null, method, n_resamples, rng, progress)

    # -- where from ---------------------------------------------------------------------------------------------------

    def by_item(self) -> Table:
        """Each item's answers, observed agreement, value against the study's chance, and weight in the coefficient."""
        from accord.agreement.breakdowns import by_item

        return by_item(self)

    def by_label(self, *, chance: Literal["pooled", "own"] | None = None) -> Table:
        """Agreement on each label against the rest.

        Kappas pool the annotators' mixes (Fleiss's form) unless `chance="own"` asks for Cohen's; the other measures
        keep the chance model they have.
        """
        from accord.agreement.breakdowns import by_label

        return by_label(self, chance)

    def by_annotator(self) -> Table:
        """Each annotator with the others: over the pairs of answers that hold one of theirs."""
        from accord.agreement.breakdowns import by_annotator

        return by_annotator(self)

    def by_pair(self) -> Table:
        """The coefficient of each pair of annotators, on the items both answered."""
        from accord.agreement.breakdowns import by_pair

        return by_pair(self)

    def by_group(self, *, confidence: float = 0.95) -> Table:
        """One row for each group of `by=`, or for each variable of the study; the notes tell whether they differ."""
        from accord.agreement.groups import by_group

        return by_group(self, confidence)

    def differences(self, *, confidence: float = 0.95) -> Table:
        """Every two groups or variables: the difference, its interval, and p-values corrected for their number."""
        from accord.agreement.groups import differences

        return differences(self, confidence)

    # -- what it means ------------------------------------------------------------------------------------------------

    def interpret(
        self, benchmark: str = "landis-koch", *, threshold: float | None = None, cost: float | None = None
    ) -> Interpretation:
        """How good that is, on a scale of the literature, with the probability of each of its bands.

        The word is that of the highest band which the value reaches with a probability of 95 %: a value of 0.61 with a
        wide interval is not called substantial.

        Args:
            benchmark: "landis-koch", "krippendorff", "rietveld-van-hout", "grove", "fleiss", "altman", "cicchetti", or
                a target of Zhao's lecture: "objective", "standard", "subjective", "highly-subjective".
            threshold: A limit of your own instead.
            cost: How many times as much a wrong conclusion costs as annotating an item anew; the limit is then
                1 − 1 / cost, for Krippendorff (1980) asks that it follow from the cost of wrong conclusions.
        """
        from accord.agreement.interpretation import interpret

        return interpret(self, benchmark, threshold, cost)

    def sentence(self, *, benchmark: str = "landis-koch", what: str | None = None) -> str:
        """The reporting sentence of Zhao's lecture, complete with the interval, ready for a paper."""
        from accord.agreement.interpretation import sentence

        return sentence(self, benchmark, what)

    # -- in words and files -------------------------------------------------------------------------------------------

    def working(self) -> str:
        """The calculation step by step, with the study's own numbers."""
        from accord.agreement.worked_steps import working

        return working(self)

    def plot(self) -> Any:
        """The value and its interval as an Altair chart; with groups or variables, one row each."""
        from accord.agreement import charts

        if self.by is None and not self.study.tasks:
            return charts.plain(charts.of_results([self], self.title))
        table = self.by_group()
        rows = [(str(row[table.columns[0]]), row["value"], row["low"], row["high"]) for row in table]
        return charts.plain(charts.forest(rows, table.title))

    def cite(self) -> str:
        """The sources of the measure, ready for a list of references."""
        from accord.agreement.references import formatted

        return "\n".join(formatted(key) for key in self._measure.references)

    def to_dict(self) -> dict[str, Any]:
        """The one source for JSON, pages and the command: parts, options, and the default interval."""
        return {
            **head("agreement"),
            "measure": self.measure,
            "title": self.title,
            "options": {name: json_value(value) for name, value in self.options.items()},
            "value": json_value(self.value),
            "observed": json_value(self.observed),
            "expected": json_value(self.expected),
            "items": self.n_items,
            "annotators": self.n_annotators,
            "answers": self.n_answers,
            "interval": self.interval().to_dict(),
            "undefined": self.undefined,
            "notes": list(self.notes),
            "groups": self.by_group().to_dict()["rows"] if self.by is not None or self.study.tasks else None,
        }

    def _repr_html_(self) -> str:
        import html

        alone = self.by is None and not self.study.tasks
        return f"<p>{html.escape(str(self))}</p>" if alone else self.by_group()._repr_html_()


@dataclass(frozen=True, eq=False)
class Measurements(Sequence[Agreement]):
    """Every coefficient that fits a study, the recommended one first."""

    results: tuple[Agreement, ...]
    reason: str  # why the first one is recommended
    left_out: Mapping[str, str] = field(default_factory=dict)  # measures that do not fit, and why

    @property
    def recommended(self) -> Agreement:
        """The one to report."""
        return self.results[0]

    def __len__(self) -> int:
        return len(self.results)

    def __getitem__(self, place: Any) -> Any:
        """By place, or by the name of the measure."""
        if isinstance(place, str):
            found = {result.measure: result for result in self.results}
            if place in self.left_out:
                raise MeasureError(f"{place} is not among the measures of this study: {self.left_out[place]}")
            if place not in found:
                raise OptionError.choice("The name of a measure", place, found)
            return found[place]
        return self.results[place]

    def plot(self) -> Any:
        """Every coefficient with its interval as an Altair chart; the recommended one is the diamond."""
        from accord.agreement import charts

        title = "Coefficients with 95% intervals; the diamond is the recommended one"
        return charts.plain(charts.of_results(self.results, title))

    def to_table(self, *, confidence: float = 0.95) -> Table:
        """One row a coefficient (and group)."""
        from accord.agreement.coefficient_table import as_table

        return as_table(self, confidence)

    def __str__(self) -> str:
        return f"{self.to_table()}\nRecommended: {self.recommended.title}. {self.reason}"

    __repr__ = __str__

    def _repr_html_(self) -> str:
        import html

        recommended = html.escape(f"Recommended: {self.recommended.title}. {self.reason}")
        return f"{self.to_table()._repr_html_()}<p>{recommended}</p>"

    def to_dict(self) -> dict[str, Any]:
        """For JSON."""
        return {
            **head("measurements"),
            "study": self.recommended.study.describe().to_dict(),
            "recommended": self.recommended.measure,
            "reason": self.reason,
            "results": [result.to_dict() for result in self.results],
            "left_out": dict(self.left_out),
        }


@dataclass(frozen=True)
class Comparison:
    """Two values side by side: the difference, and how sure it is."""

    first: float
    second: float
    difference: float
    low: float
    high: float
    se: float
    p: float
    paired: bool
    common_items: int
    confidence: float
    method: str
    n_resamples: int | None = None
    seed: int | None = None
    undefined: str | None = None
    measures: tuple[str, ...] = ()  # which coefficients the first and the second are

    def __str__(self) -> str:
        if self.undefined:
            return f"undefined: {self.undefined}"
        how = f"paired over {self.common_items:,} common items" if self.paired else "on different items"
        return (
            f"{self.first:.3f} against {self.second:.3f}: difference {self.difference:+.3f} "
            f"[{self.low:+.3f}, {self.high:+.3f}], p = {self.p:.3g} ({how}, {self.method})"
        )

    def to_dict(self) -> dict[str, Any]:
        """For JSON."""
        told = {name: json_value(value) for name, value in vars(self).items()}
        return {**head("comparison"), **told}


def _called(option: Any) -> str:
    """A level or weights in a word or two, for a title."""
    if option is None or isinstance(option, str):
        return option or ""
    return "own weights"
