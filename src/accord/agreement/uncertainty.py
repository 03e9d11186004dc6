"""How sure a value is: an interval, and a test against another value."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from accord.errors import json_value, percent
from accord.options import Shown

Method: TypeAlias = Literal["analytic", "gwet", "jackknife", "bootstrap", "bca", "bayesian", "model-based"]
Resample: TypeAlias = Literal["items", "annotators", "both"]
Alternative: TypeAlias = Literal["two-sided", "greater", "less"]
EXACT = "exact"  # the method of an interval of full agreement
WITHIN_ITEM = "within-item"  # and of one of a single item, from its parts


@dataclass(frozen=True, repr=False)
class Interval(Shown):
    """Where the value may lie; unpacks into low and high.

    Attributes:
        low: The lower end; NaN where there is no interval.
        high: The upper end.
        se: The standard error; where too few items speak for an interval, it speaks for as few.
        confidence: How often such an interval holds the true value.
        method: How it was found: "analytic", "gwet", "jackknife", "bootstrap", "bca", "bayesian" or "model-based";
            "within-item" of a single item, from what differs inside it.
        resample: What might have been otherwise: "items", "annotators" or "both".
        clusters: How many clusters stood in for items; None without clusters.
        n_resamples: How many resamples; None where there were none.
        undefined_resamples: On how many of them the value is undefined.
        seed: What makes the resamples repeatable.
        undefined: Why there is no interval; None if there is one.
        df: The degrees of freedom of its Student's t: units less one, or fewer where few of them inform the error.
        fisher: Was it taken on Fisher's z scale, because few items inform it?

    >>> import accord
    >>> interval = accord.cohen_kappa(accord.Study.from_confusion([[20, 5], [10, 15]])).interval(confidence=0.9)
    >>> print(interval)
    [0.185, 0.615] (90%, analytic)
    >>> low, high = interval
    >>> round(low, 3), round(high, 3), round(interval.se, 3), interval.method
    (0.185, 0.615, 0.128, 'analytic')
    """

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
    df: float | None = None
    fisher: bool = False

    def __iter__(self) -> Iterator[float]:
        return iter((self.low, self.high))

    def __getitem__(self, end: int) -> float:
        """The lower end is 0, the upper end 1."""
        return (self.low, self.high)[end]

    def __str__(self) -> str:
        if self.undefined:
            return f"undefined: {self.undefined}"
        return f"[{self.low:z.3f}, {self.high:z.3f}] ({percent(self.confidence)}, {self.method})"

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
            "df": None if self.df is None else json_value(self.df),
            "fisher": self.fisher,
        }


@dataclass(frozen=True, repr=False)
class Test(Shown):
    """Is the value different from a given one (by default zero: no better than chance)?

    Attributes:
        p: The p-value.
        statistic: The value less `null`, in standard errors; by permutation the value itself.
        null: The value under the null hypothesis.
        method: "null-error", "analytic", "gwet", "jackknife" or "bootstrap" (where no formula has the error),
            "permutation"; of rankings "chi-square", "f" or "exact".
        n_resamples: How many permutations; None where there were none.
        seed: What makes them repeatable.
        undefined: Why there is no test; None if there is one.
        alternative: "two-sided", "greater" or "less": what speaks against the null hypothesis.
        se: The standard error that was used; None by permutation.
        df: The degrees of freedom of Student's t; None for a normal or a permutation.
        note: What was done, or what a value of zero means, where that needs to be said.

    >>> import accord
    >>> kappa = accord.cohen_kappa(accord.Study.from_confusion([[20, 5], [10, 15]]))
    >>> test = kappa.test(null=0.2, alternative="greater")
    >>> print(test)
    p = 0.0654 (above 0.2, analytic)
    >>> round(test.p, 4), round(test.statistic, 2), test.method
    (0.0654, 1.56, 'analytic')
    """

    __test__ = False  # not a test case, whatever pytest thinks of the name

    p: float
    statistic: float
    null: float
    method: str
    n_resamples: int | None = None
    seed: int | None = None
    undefined: str | None = None
    alternative: str = "two-sided"
    se: float | None = None
    df: float | None = None
    note: str | None = None

    def __str__(self) -> str:
        if self.undefined:
            return f"undefined: {self.undefined}"
        words = {"greater": "above", "less": "below"}.get(self.alternative, "against")
        null = f"{self.null:g}" if self.method in ("analytic", "gwet", "jackknife", "bootstrap") else "chance"
        note = f". {self.note}" if self.note else ""
        return f"p = {self.p:.3g} ({words} {null}, {self.method}){note}"

    def to_dict(self) -> dict[str, Any]:
        """For JSON."""
        return {name: json_value(value) for name, value in vars(self).items()}
