"""Prediction-powered estimation: a mean from few people and many model answers.

    θ̂ = mean_n(people) + λ (mean_N(model) − mean_n(model))

n items have both a person's answer and a model's, N more the model's only. λ = 0 is people alone, λ = 1 trusts the
model's shift in full. The tuned λ makes the variance least: cov(people, model) / ((1 + n/N) var(model)). With λ tuned
the estimate is never (in large samples) less sure than people alone, however bad the model is.

References: angelopoulos2023; angelopoulos2023b.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias, get_args

import numpy as np
import numpy.typing as npt

from accord.agreement.inference.intervals import from_resamples
from accord.agreement.inference.wald import interval_around
from accord.agreement.uncertainty import Interval
from accord.annotations.answers import LARGEST
from accord.annotations.arrays import FloatArray, IntArray
from accord.coefficients.standard_errors import NORMAL
from accord.errors import InputError, Keyword, Message, OptionError, counted, in_python
from accord.judge.estimates import clustered
from accord.judge.to_json import judgement, span
from accord.options import (
    MOST_RESAMPLES,
    Rng,
    Shown,
    as_numbers,
    check_choice,
    check_confidence,
    check_flag,
    check_whole,
    is_among,
    is_number,
    seeded,
)
from accord.scores.moments_of_pairs import correlated

Power: TypeAlias = Literal["tuned"] | float
Means: TypeAlias = Literal["t", "normal", "bootstrap"]


@dataclass(frozen=True, repr=False)
class Powered(Shown):
    """A mean corrected by a few human answers.

    >>> from accord.judge import prediction_powered_mean
    >>> people, model = [1, 0, 1, 1, 0, 1, 0, 0, 1, 1], [1, 0, 1, 0, 0, 1, 1, 0, 1, 1]
    >>> found = prediction_powered_mean(people, model, [1] * 60 + [0] * 40)
    >>> found.value, found.n_people, found.n_rest
    (0.6, 10, 100)
    """

    value: float
    interval: Interval
    power: float  # λ
    plain: float  # people alone
    plain_interval: Interval
    n_people: int
    n_rest: int
    correlation: float  # of people and model, on the items that have both
    notes: tuple[str, ...] = field(default=())

    @property
    def n_effective(self) -> float:
        """How many human answers alone would be as sure as these with the model's help."""
        return self.n_people * (self.plain_interval.se / self.interval.se) ** 2 if self.interval.se > 0 else math.nan

    def __str__(self) -> str:
        low, high = self.interval
        return (
            f"{self.value:z.3f}{span(low, high)} from {self.n_people:,} items with people and {self.n_rest:,} without, "
            f"λ = {self.power:.2f} (people alone {self.plain:.3f}{span(*self.plain_interval)})"
        )

    def to_dict(self) -> dict[str, Any]:
        """For JSON."""
        names = (
            "value",
            "interval",
            "power",
            "plain",
            "plain_interval",
            "n_people",
            "n_rest",
            "correlation",
            "n_effective",
        )
        return judgement("prediction_powered_mean", {name: getattr(self, name) for name in names}, {}, self.notes)


def prediction_powered_mean(
    people: npt.ArrayLike,
    model: npt.ArrayLike,
    rest: npt.ArrayLike,
    /,
    *,
    power: Power = "tuned",
    clip: bool = True,
    method: Means = "t",
    confidence: float = 0.95,
    n_resamples: int = 1000,
    rng: Rng = None,
) -> Powered:
    """The mean of what people would say of all items, from a sample of it and a model's answers to all.

    Args:
        people: One number per item of the sample.
        model: What the model says of the same items, in the same order.
        rest: What the model says of the other items.
        power: λ: "tuned", or a number; 0 is people alone, 1 plain prediction-powered inference.
        clip: Keep a tuned λ between 0 and 1, as published. A model that errs against people (below 0) is then ignored;
            False uses it the other way round.
        method: "t" (variances with n − 1 and t with n − 1 degrees of freedom, n − 2 where λ is tuned: for small
            samples), "normal" (as published: variances with n; too narrow below some fifty items), or "bootstrap"
            (percentiles).
        confidence: Of the interval.
        n_resamples: How many resamples.
        rng: A seed or a Generator, of the bootstrap.

    Returns:
        A `Powered`: `value` with `interval`, `plain` (people alone) and `power` (λ).

    Raises:
        InputError: If the arrays differ in length, are too short, or hold something else than numbers.
        OptionError: If an option has a value that it cannot take.

    The sample must be a random part of the items. References: angelopoulos2023; angelopoulos2023b.

    >>> people = [1, 0, 1, 1, 0, 1, 0, 0, 1, 1]
    >>> model = [1, 0, 1, 0, 0, 1, 1, 0, 1, 1]
    >>> found = prediction_powered_mean(people, model, [1] * 60 + [0] * 40, method="normal")
    >>> found.value, round(found.interval.low, 4), round(found.interval.high, 4)
    (0.6, 0.3477, 0.8523)
    """
    check_confidence(confidence)
    check_power(power)
    check_flag("clip", clip)
    check_choice("method", method, get_args(Means))
    given = {"people": people, "model": model, "rest": rest}
    human, predicted, others = (as_numbers(name, values) for name, values in given.items())
    if len(human) != len(predicted):
        raise InputError(
            f"People and the model answer the same items, in one order; got {counted(len(human), 'answers')} of people "
            f"and {len(predicted):,} of the model. Give one of each for every item.",
            option=Keyword("human"),
        )
    if len(human) < 3 or len(others) < 2:
        raise InputError(
            f"A mean needs three items with people and two without at least; got {len(human):,} and {len(others):,}.",
            option=Keyword("human"),
        )
    if not all(np.isfinite(values).all() for values in (human, predicted, others)):
        raise InputError("Answers must be finite numbers; leave out the items without one.", option=Keyword("human"))
    trust = 1.0 if power == "tuned" else max(abs(float(power)), 1.0)
    if max(np.abs(values).max() for values in (human, predicted, others)) > LARGEST / trust:
        raise InputError(
            f"Answers, and λ times them, must lie between -{LARGEST:g} and {LARGEST:g}, whose squares are numbers too. "
            "Count in a larger unit: divide them by one.",
            option=Keyword("human"),
        )
    return _mean(human, predicted, others, power, confidence, method, clip=clip, n_resamples=n_resamples, rng=rng)


def _mean(
    human: FloatArray, predicted: FloatArray, others: FloatArray, power: Power, confidence: float, method: Means,
    *, clip: bool, n_resamples: int, rng: Rng,
) -> Powered:  # fmt: skip
    chosen, tuned = tune(human[:, None], predicted[:, None], others[:, None], power, clip=clip)
    value = _point(human, predicted, others, chosen)
    learned = df_lost(tuned)
    if method == "normal":
        error = math.sqrt(
            chosen**2 * float(others.var()) / len(others) + float((human - chosen * predicted).var()) / len(human)
        )
    else:
        error = error_of((human - chosen * predicted) / len(human), chosen * others / len(others), None, learned)
    plain_error = math.sqrt(float(human.var(ddof=0 if method == "normal" else 1)) / len(human))
    df = NORMAL if method == "normal" else len(human) - 1
    interval = interval_around(value, error, df=df - learned, confidence=confidence, method=method)
    if method == "bootstrap":

        def again(few: IntArray, rest: IntArray) -> float:
            people, model, more = human[few], predicted[few], others[rest]
            best, _ = tune(people[:, None], model[:, None], more[:, None], power, clip=clip)
            return _point(people, model, more, best)

        interval = resampled(again, len(human), len(others), confidence, n_resamples, rng)
    plain = interval_around(
        float(human.mean()), plain_error, df=df, confidence=confidence, method=method if method != "bootstrap" else "t"
    )
    return Powered(
        value, interval, chosen, float(human.mean()), plain, len(human), len(others), correlated(human, predicted)[0],
        clipping_note(chosen, tuned),
    )  # fmt: skip


def _point(human: FloatArray, predicted: FloatArray, others: FloatArray, power: float) -> float:
    return float(human.mean() + power * (others.mean() - predicted.mean()))


def check_power(power: Any) -> None:
    """λ: "tuned" or a number."""
    if not is_among(power, ("tuned",)) and not (is_number(power) and math.isfinite(power)):
        raise OptionError.must("power", "be 'tuned' or a number (λ), 0 for people alone, 1 for full trust", power)


def tune(
    human: FloatArray, predicted: FloatArray, others: FloatArray, power: Power, *, clip: bool
) -> tuple[float, float | None]:
    """λ as it is used, and as it came out before it was clipped (None if given). Columns share one λ.

    Covariance with 1/n, variance over all items with 1/(n + N − 1), as the authors' code has it.
    """
    if power != "tuned":
        return float(power), None
    size, more = len(human), len(others)
    together = float(((human - human.mean(0)) * (predicted - predicted.mean(0))).sum() / size)
    spread = float(np.concatenate((predicted, others)).var(axis=0, ddof=1).sum())
    best = together / ((1 + size / more) * spread) if spread > 0 else 0.0
    return (min(max(best, 0.0), 1.0) if clip else best), best


def clipping_note(used: float, tuned: float | None) -> tuple[str, ...]:
    """What was done to λ, if anything."""
    if tuned is None or used == tuned:
        return ()
    why = "the model errs against people" if tuned < 0 else "the model understates what people say"
    return (
        Message(
            f"The best λ is {tuned:.2f} ({why}) and was cut to {used:.0f}",
            in_python("; clip=False uses it as it is", ""),
            ".",
        ),
    )


def resampled(
    value: Callable[[IntArray, IntArray], float], few: int, many: int, confidence: float, n_resamples: int, rng: Rng
) -> Interval:
    """Percentiles over annotated items and the rest, each drawn again by itself; λ is tuned again in every draw."""
    check_whole("n_resamples", n_resamples, 2, most=MOST_RESAMPLES)
    generator, seed = seeded(rng)
    drawn = ((generator.integers(0, few, few), generator.integers(0, many, many)) for _ in range(n_resamples))
    return from_resamples(np.array([value(*rows) for rows in drawn]), confidence, seed)


def df_lost(tuned: float | None) -> int:
    """A λ that was learned from the annotated items costs them a degree of freedom."""
    return 0 if tuned is None else 1


def error_of(
    annotated: FloatArray, rest: FloatArray, clusters: tuple[IntArray, IntArray] | None, learned: int = 0
) -> float:
    """The standard error of the sum of two means, from what each item adds to either; clusters go together.

    `annotated` and `rest` are already divided by n and N; `learned` is how many coefficients were fitted to the first.
    """
    parts = [annotated - annotated.mean(), rest - rest.mean() if len(rest) else rest]
    if clusters is None:
        few = max(len(annotated) - 1 - learned, 1)
        squares = [len(annotated) / few * float(parts[0] @ parts[0])]
        if len(rest) > 1:
            squares.append(len(rest) / (len(rest) - 1) * float(parts[1] @ parts[1]))
        return math.sqrt(sum(squares))
    variance, _ = clustered(np.concatenate(parts), np.concatenate(clusters))
    return math.sqrt(variance)


def unexplained(human: FloatArray, predicted: FloatArray, many: int, power: float, learned: int) -> float:
    """The variance of an annotated item that the model leaves; `many` is how many items are not annotated."""
    left = human - power * (len(human) + many) / many * predicted
    return float(left.var(ddof=1 + learned))


def finite_error(human: FloatArray, predicted: FloatArray, many: int, power: float, learned: int) -> float:
    """The standard error where the items are all there are, and those that people annotated might have been others."""
    few = len(human)
    return math.sqrt(unexplained(human, predicted, many, power, learned) / few * many / (few + many))


def rogan_gladen(share: float, sensitivity: float, specificity: float) -> float:
    """The true share of a label behind an apparent one: (p̂ + specificity − 1) / (sensitivity + specificity − 1).

    Args:
        share: The share of items to which the model gives the label.
        sensitivity: How often it gives the label where it is right.
        specificity: How often it does not where it is wrong.

    Returns:
        The corrected share; NaN where the model is no better than a coin. Below 0 or above 1 where the rates do not fit
        the share.

    Raises:
        OptionError: If a number does not lie between 0 and 1.

    References: rogan1978.

    >>> round(rogan_gladen(0.6, 5 / 6, 0.75), 6)
    0.6
    """
    for name, value in (("share", share), ("sensitivity", sensitivity), ("specificity", specificity)):
        if not is_number(value) or not 0 <= value <= 1:
            raise OptionError.must(name, "lie between 0 and 1", value)
    better = sensitivity + specificity - 1
    return math.nan if abs(better) < 1e-12 else (share + specificity - 1) / better
