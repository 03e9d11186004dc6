"""What the alternative annotator test gives back: ω and ρ with intervals, a row for each person, ω by margin."""

from __future__ import annotations

import html
import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from accord.agreement.table import ShownAsTable, Table
from accord.agreement.uncertainty import Interval
from accord.errors import OptionError, counted
from accord.judge.failed_answers import Failed
from accord.judge.to_json import judgement, span

PASSES = 0.5  # ω from which the model may stand in for an annotator
IN_WORDS = {  # what the test alone says
    "yes": "may stand in for an annotator",
    "perhaps": "passes, but with other items it might not have",
    "not shown": "is not shown to be fit to stand in for an annotator",
}


@dataclass(frozen=True, eq=False)
class AltTest:
    """The alternative annotator test of one model.

    `omega` is the winning rate, `rho` the advantage probability; `annotators` has a row for each person, `curve` ω for
    each margin. NaN where undefined, and `undefined` says why.

    >>> from accord import Study
    >>> from accord.judge import alt_test
    >>> people = {"ana": list("aabbab" * 6), "ben": list("aabbaa" * 6), "chloe": list("abbbab" * 6)}
    >>> study = Study.from_wide({**people, "gpt": list("aabbab" * 6), "coin": list("ababab" * 6)})
    >>> found = alt_test(study, model="gpt", n_resamples=0)
    >>> found.passes, found.omega, found.least_margin
    (True, 1.0, 0.0)
    >>> print(found.sentence())
    gpt may stand in for an annotator, at ε = 0.1: winning rate ω = 1.00, advantage ρ = 1.000 (36 items, 4 people).
    It passes from ε = 0 on.
    >>> found.annotators["annotator"].tolist(), len(found.points())
    (['ana', 'ben', 'chloe', 'coin'], 26)
    """

    model: str
    epsilon: float
    omega: float
    rho: float
    omega_interval: Interval
    rho_interval: Interval
    closeness: str
    test: str
    q: float
    items: int
    annotators: Table
    curve: Table
    failed: Failed
    undefined: str | None = None
    notes: tuple[str, ...] = ()

    @property
    def passes(self) -> bool:
        """Is ω at least one half? Not where it is undefined."""
        return self.omega >= PASSES

    @property
    def unparsable(self) -> float:
        """The share of the model's answers that could not be read."""
        return self.failed.share

    @property
    def least_margin(self) -> float:
        """The smallest margin of the curve from which on the model passes; NaN where it never does."""
        passed = np.asarray(self.curve["omega"], dtype=np.float64) >= PASSES
        after = np.logical_and.accumulate(passed[::-1])[::-1]
        return float(self.curve["epsilon"][after][0]) if after.any() else math.nan

    def sentence(self) -> str:
        """The verdict in words."""
        if self.undefined:
            return f"{self.model}: undefined. {self.undefined}"
        sure = "perhaps" if self.omega_interval.low < PASSES else "yes"
        words = IN_WORDS[sure if self.passes else "not shown"]
        return (
            f"{self.model} {words}, at ε = {self.epsilon:g}: winning rate ω = {self.omega:.2f}"
            f"{span(self.omega_interval.low, self.omega_interval.high, 2)}, advantage ρ = {self.rho:.3f}"
            f"{span(self.rho_interval.low, self.rho_interval.high)} ({counted(self.items, 'items')}, "
            f"{int(sum(np.isfinite(self.annotators['p'])))} people). {self._margin()}"
        )

    def _margin(self) -> str:
        if math.isnan(self.least_margin):
            return f"It passes at no margin up to {float(self.curve['epsilon'][-1]):g}."
        return f"It passes from ε = {self.least_margin:g} on."

    def __str__(self) -> str:
        table = Table(self.annotators.title, {name: self.annotators[name] for name in _PRINTED}, self.annotators.notes)
        return "\n".join([self.sentence(), str(table), *self.notes])

    __repr__ = __str__

    def _repr_html_(self) -> str:
        notes = "".join(f"<p>{html.escape(note)}</p>" for note in self.notes)
        return f"<p>{html.escape(self.sentence())}</p>{self.annotators._repr_html_()}{notes}"

    def plot(self) -> Any:
        """ω by margin as an Altair chart.

        Returns:
            An `altair.Chart`.

        Raises:
            ExtraMissing: If Altair is not installed.

        >>> from accord import Study
        >>> from accord.judge import alt_test
        >>> people = {"ana": list("aabbab" * 6), "ben": list("aabbaa" * 6), "chloe": list("abbbab" * 6)}
        >>> study = Study.from_wide({**people, "gpt": list("aabbab" * 6), "coin": list("ababab" * 6)})
        >>> type(alt_test(study, model="gpt", n_resamples=0).plot()).__name__
        'LayerChart'
        """
        from accord.agreement import charts
        from accord.agreement.chart_drawing import in_notebook

        return in_notebook(charts.curve(self.points(), self.curve.title, "margin ε", "winning rate ω"))

    def points(self) -> list[tuple[float, float, float, float]]:
        """Every other point of the curve, as charts take it."""
        pairs = zip(self.curve["epsilon"][::2], self.curve["omega"][::2], strict=True)
        return [(float(margin), float(rate), float(rate), float(rate)) for margin, rate in pairs]

    def to_dict(self) -> dict[str, Any]:
        """For JSON."""
        values = {
            "model": self.model, "epsilon": self.epsilon, "omega": self.omega, "omega_interval": self.omega_interval,
            "rho": self.rho, "rho_interval": self.rho_interval, "passes": None if self.undefined else self.passes,
            "least_margin": self.least_margin, "closeness": self.closeness, "test": self.test, "q": self.q,
            "items": self.items, "unparsable": self.unparsable, "confidence": self.rho_interval.confidence,
            "n_resamples": self.rho_interval.n_resamples, "seed": self.rho_interval.seed, "undefined": self.undefined,
        }  # fmt: skip
        return judgement("alt_test", values, {"annotators": self.annotators, "curve": self.curve}, self.notes)


_PRINTED = ("annotator", "items", "person_wins", "model_wins", "advantage", "difference", "p_t", "p_tango",
            "decided_by", "rejected")  # fmt: skip


@dataclass(frozen=True, eq=False, repr=False)
class AltTests(ShownAsTable):
    """The alternative annotator test of several models.

    >>> from accord import Study
    >>> from accord.judge import alt_tests
    >>> people = {"ana": list("aabbab" * 6), "ben": list("aabbaa" * 6), "chloe": list("abbbab" * 6)}
    >>> study = Study.from_wide({**people, "gpt": list("aabbab" * 6), "coin": list("ababab" * 6)})
    >>> found = alt_tests(study, models=["gpt", "coin"], n_resamples=0)
    >>> found.to_table()["model"].tolist(), found["gpt"].passes
    (['gpt', 'coin'], True)
    """

    results: tuple[AltTest, ...]

    def __len__(self) -> int:
        return len(self.results)

    def __iter__(self) -> Iterator[AltTest]:
        return iter(self.results)

    def __getitem__(self, model: str) -> AltTest:
        found = {result.model: result for result in self.results}
        if model not in found:
            raise OptionError.choice("The name of a model", model, found, of_data=True)
        return found[model]

    def to_table(self) -> Table:
        """A row per model, the highest advantage first.

        Returns:
            A `Table` with one row per model: model; omega and rho, each with its ends; passes, least_margin, items,
            unparsable, undefined.
        """
        order = sorted(self.results, key=lambda one: -np.nan_to_num(one.rho, nan=-np.inf))
        data: dict[str, Any] = {"model": [one.model for one in order]}
        for name in ("omega", "rho"):
            data[name] = np.array([getattr(one, name) for one in order])
            spans = [getattr(one, f"{name}_interval") for one in order]
            data[f"{name}_low"] = np.array([one.low for one in spans])
            data[f"{name}_high"] = np.array([one.high for one in spans])
        data["passes"] = [one.passes for one in order]
        data["least_margin"] = np.array([one.least_margin for one in order])
        data["items"] = np.array([one.items for one in order], dtype=np.int64)
        data["unparsable"] = np.array([one.unparsable for one in order])
        data["undefined"] = [one.undefined or "" for one in order]
        first = self.results[0]
        title = f"Alternative annotator test at ε = {first.epsilon:g} ({first.closeness})"
        return Table(title, data, tuple(dict.fromkeys(note for one in order for note in one.notes)))

    def to_dict(self) -> dict[str, Any]:
        """For JSON."""
        models = self.to_table()
        tables = {"models": models, **{one.model: one.annotators for one in self.results}}
        return judgement("alt_tests", {"epsilon": self.results[0].epsilon}, tables, models.notes)
