"""A coefficient at prediction-powered means: its value and its linearised error."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from accord.annotations.arrays import FloatArray, IntArray
from accord.coefficients.coefficient import Smooth
from accord.errors import Keyword, OptionError, remedy
from accord.judge.predicted_sums import Predicted
from accord.judge.prediction_powered import (
    Power,
    clipping_note,
    df_lost,
    error_of,
    finite_error,
    tune,
    unexplained,
)
from accord.options import check_flag
from accord.scores.moments_of_pairs import correlated

STEPS = 3  # slopes, λ and means settle at once: each step changes little


@dataclass(frozen=True)
class AtPoweredMeans:
    """A coefficient at prediction-powered means."""

    value: float
    error: float
    power: float
    tuned: float | None
    correlation: float
    noise: float  # the variance of one annotated item that the model does not explain


def estimate(
    formula: Smooth,
    data: Predicted,
    power: Power,
    *,
    clip: bool,
    finite: bool,
    clusters: tuple[IntArray, IntArray] | None = None,
) -> AtPoweredMeans:
    """g(θ̂) with θ̂ = mean_n(people) + λ (mean_N(model) − mean_n(model)), and its linearised error.

    With `finite` the items at hand are all there are, so that only the unannotated part is uncertain.
    """
    few, many = data.sizes
    whole, counts = few + many, data.counts()
    own, predicted = data.own.mean(axis=0), data.predicted.mean(axis=0)
    rest = counts @ data.rest / many
    known = (few * own + many * rest) / whole
    theta = np.where(data.known, known, own)
    used, tuned = 0.0, None
    unknown = (~data.known).astype(np.float64)
    for _ in range(STEPS):
        open_ones = few * formula.slopes(few * theta) * unknown
        columns = (data.own @ open_ones, data.predicted @ open_ones, (data.rest @ open_ones)[data.kind])
        human, guesses, others = (part[:, None] for part in columns)
        used, tuned = tune(human, guesses, others, power, clip=clip)
        theta = np.where(data.known, known, own + used * (rest - predicted))
    value = float(formula.combine(few * theta).value)
    slopes = few * formula.slopes(few * theta)
    parts = _Scores.of(data, slopes, unknown)
    learned = df_lost(tuned)
    error = (
        finite_error(parts.human, parts.predicted, many, used, learned)
        if finite
        else parts.error(used, clusters, learned)
    )
    link, _ = correlated(parts.human, parts.predicted)
    noise = unexplained(parts.human, parts.predicted, many, used, learned)
    return AtPoweredMeans(value, error, used, tuned, link, noise)


@dataclass(frozen=True, eq=False)
class _Scores:
    """How far each item moves the value: what people say, what is predicted, and what is known anyway."""

    human: FloatArray
    predicted: FloatArray
    others: FloatArray
    certain: FloatArray  # of the annotated
    certain_rest: FloatArray

    @classmethod
    def of(cls, data: Predicted, slopes: FloatArray, unknown: FloatArray) -> _Scores:
        open_ones, closed = slopes * unknown, slopes * (1 - unknown)
        return cls(
            data.own @ open_ones, data.predicted @ open_ones, (data.rest @ open_ones)[data.kind],
            data.own @ closed, (data.rest @ closed)[data.kind],
        )  # fmt: skip

    def error(self, power: float, clusters: tuple[IntArray, IntArray] | None, learned: int) -> float:
        """Items might have been others, all of them."""
        few, many = len(self.human), len(self.others)
        centre = (self.certain.sum() + self.certain_rest.sum()) / (few + many)
        annotated = (self.human - power * self.predicted) / few + (self.certain - centre) / (few + many)
        rest_scores = power * self.others / many + (self.certain_rest - centre) / (few + many)
        return error_of(annotated, rest_scores, clusters, learned)


def noted(found: AtPoweredMeans, predict: str) -> tuple[str, ...]:
    """What a reader should know of λ."""
    if predict == "fitted" and found.tuned is not None and found.tuned <= 0:
        return ("How items look to the models says nothing of how people judge them: this is people alone.",)
    return clipping_note(found.power, found.tuned)


def check_finite(method: str, *, finite: bool) -> None:
    """Resamples do not know that items are all there are."""
    check_flag("finite", finite)
    if finite and method == "bootstrap":
        raise OptionError(Keyword("finite", value=True), " has an analytic error only. Use ", remedy(method="t"), ".")
