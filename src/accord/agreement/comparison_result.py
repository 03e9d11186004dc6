"""What a comparison of two results says."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from accord.errors import json_value
from accord.options import Shown, head


@dataclass(frozen=True, repr=False)
class Comparison(Shown):
    """Two values side by side: the difference, and how sure it is.

    Attributes:
        first: The value of the first result.
        second: The value of the second.
        difference: The first less the second.
        low: The lower end of its interval.
        high: The upper end.
        se: Its standard error.
        p: The p-value: of no difference, or of what `alternative` asks.
        paired: Whether the two share items.
        common_items: How many.
        confidence: Of the interval.
        method: "analytic", "jackknife" (where no formula has the error) or "bootstrap" (asked for, or where that moves
            nothing).
        n_resamples: How many resamples; None where there were none.
        seed: What makes them repeatable.
        undefined: Why they cannot be compared; None if they can.
        measures: Which coefficients the two are.
        pairing: Whether items are the same, and how that is known, in words.
        caveat: Why the difference may not be one of agreement; None where nothing is in the way.
        alternative: What a small p speaks for: "two-sided", "greater", "less", "non-inferior" or "equivalent".
        margin: How much less, or how far apart, does not matter; None where nothing was said.
        df: The degrees of freedom of Student's t, by which a bootstrap's percentiles are widened too.

    >>> import accord
    >>> study = accord.datasets.load("five-annotators")
    >>> found = accord.compare(accord.krippendorff_alpha(study), accord.percent_agreement(study))
    >>> round(found.difference, 3), round(found.low, 3), round(found.high, 3), found.p < 0.001
    (-0.098, -0.127, -0.069, True)
    """

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
    pairing: str = ""
    caveat: str | None = None
    alternative: str = "two-sided"
    margin: float | None = None
    df: float | None = None

    @property
    def verdict(self) -> str:
        """What is shown, at 5 %, in a sentence."""
        if self.undefined:
            return f"The two cannot be compared. {self.undefined}"
        return f"The first {self.shown} (p = {self.p:.3g})."

    @property
    def shown(self) -> str:
        """The same as what is said of the first: "is shown to be above the second"."""
        claim = {
            "greater": "be above the second",
            "less": "be below the second",
            "non-inferior": f"be at least the second less {self.margin}",
            "equivalent": f"be within {self.margin} of the second",
        }.get(self.alternative, "differ from the second")
        return f"is {'' if self.p < 0.05 else 'not '}shown to {claim}"

    def __str__(self) -> str:
        if self.undefined:
            return f"undefined: {self.undefined}"
        verdict = "" if self.alternative == "two-sided" else f". The first {self.shown}"
        return (
            f"{self.first:z.3f} against {self.second:z.3f}: difference {self.difference:+z.3f} "
            f"[{self.low:+z.3f}, {self.high:+z.3f}], p = {self.p:.3g} ({self.pairing}, {self.method})"
            f"{verdict}{f'. {self.caveat}' if self.caveat else ''}"
        )

    def to_dict(self) -> dict[str, Any]:
        """For JSON."""
        fields = {name: json_value(value) for name, value in vars(self).items()}
        return {**head("comparison"), **fields, "verdict": self.verdict}
