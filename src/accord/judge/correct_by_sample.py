"""Correcting model labels with a small human sample: the shares of labels, and agreement, of a whole data set."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal, TypeAlias, Unpack, get_args

import numpy as np

from accord.agreement.build import tallied
from accord.agreement.inference.wald import interval_around
from accord.agreement.result import Agreement
from accord.agreement.table import ShownAsTable, Table
from accord.agreement.uncertainty import Interval
from accord.annotations.arrays import FloatArray, IntArray
from accord.coefficients.chance import kind_of
from accord.coefficients.coefficient import Smooth
from accord.errors import MeasureError, Message, OptionError, OwnWords, Remedy, all_quoted
from accord.judge.annotated_part import AnnotatedPart, FromAnswers, FromSuggestions, label_shares, units
from accord.judge.corrected_result import Corrected
from accord.judge.participants import Unparsable, participants_of
from accord.judge.powered_coefficient import check_finite, estimate, noted
from accord.judge.prediction_powered import (
    Power,
    check_power,
    clipping_note,
    df_lost,
    error_of,
    finite_error,
    resampled,
    tune,
)
from accord.judge.to_json import judgement
from accord.measures.registered import MEASURES
from accord.options import MOST_RESAMPLES, Rng, check_choice, check_confidence, check_whole, is_among
from accord.study.other_kinds import about_other_kinds
from accord.study.study_of_input import PlainRoles

Predict: TypeAlias = Literal["auto", "answers", "fitted"]
Way: TypeAlias = Literal["t", "bootstrap"]

OWN_MARGINALS = (
    " measures chance agreement by each annotator's own marginals. A model's answers tell nothing of the labels that "
    "one person would have given on other items, so it is not a function of item means and cannot be corrected this "
    "way. These can: "
)
NO_ITEM_MEANS = " is not a function of item means, so a model's answers cannot correct it this way. These can: "


@dataclass(frozen=True, eq=False, repr=False)
class Shares(ShownAsTable):
    """How common each label is among people, in a data set that only a model labelled in full.

    >>> from accord import Study
    >>> from accord.judge import corrected_shares
    >>> study = Study.from_wide({"ana": [*"aaaaab" * 5, *[None] * 90], "gpt": list("aabbab" * 20)})
    >>> found = corrected_shares(study, model="gpt")
    >>> [(row["label"], round(row["share"], 3)) for row in found.to_table()], found.n_people
    ([('a', 0.833), ('b', 0.167)], 30)
    """

    table: Table
    power: float  # λ, the same for all labels, so that the shares sum to one
    n_people: int
    n_rest: int
    confidence: float
    notes: tuple[str, ...] = field(default=())

    def __getitem__(self, label: Any) -> float:
        """The corrected share of a label."""
        labels = list(self.table["label"])
        if label not in labels:
            raise OptionError.must("label", Message("be one of ", all_quoted(labels)), label)
        return float(self.table["share"][labels.index(label)])

    def to_table(self) -> Table:
        """One row per label.

        Returns:
            A `Table` with one row per label: label, share, low, high; people_alone with people_low and people_high, of
            people's answers only; model_alone, of the model's.
        """
        return self.table

    def to_dict(self) -> dict[str, Any]:
        """For JSON."""
        names = ("power", "n_people", "n_rest", "confidence")
        values = {name: getattr(self, name) for name in names}
        return judgement("corrected_shares", values, {"shares": self.table}, self.notes)


def corrected_shares(
    data: Any,
    /,
    *,
    model: str | None = None,
    models: Sequence[str] | None = None,
    people: Sequence[str] | None = None,
    power: Power = "tuned",
    clip: bool = True,
    finite: bool = False,
    unparsable: Unparsable = "missing",
    confidence: float = 0.95,
    labels: Sequence[Any] | None = None,
    **roles: Unpack[PlainRoles],
) -> Shares:
    """The share of each label as people would give it, from people's answers to a random part of the items.

    Args:
        data: A `Study` in which a model answered all items and people a random part of them.
        model: The name of the model.
        models: The names of several; an item's prediction is then the shares of their answers. By default by the
            study's kind role.
        people: Who the people are; by default everybody else.
        power: λ, how far the model is trusted: "tuned" (least variance, the same for all labels) or a number.
        clip: Keep a tuned λ between 0 and 1 (see `prediction_powered_mean`).
        finite: The items are all there are: the interval speaks of them, not of more like them.
        unparsable: Failed answers are "missing", or count as a "label".
        confidence: Of the intervals (t, with n − 1 degrees of freedom, n − 2 where λ is tuned).
        labels: The scale.
        **roles: The keywords of `Study`.

    Returns:
        `Shares`: a `table` with one row per label (share, low, high; people alone; model alone), and `power` (λ).

    Raises:
        InputError: If `data` cannot be a study, or a named person or model is not in it.
        MeasureError: If there are no models or too few people, or the answers are of another kind.
        OptionError: If an option has a value that it cannot take.

    An item that several people answered counts once, with the shares of their answers.

    References: angelopoulos2023; angelopoulos2023b.

    >>> from accord import Study
    >>> model = list("aabbab" * 20)
    >>> study = Study.from_wide({"ana": [*"aaaaab" * 5, *[None] * 90], "gpt": model})
    >>> [(row["label"], round(row["share"], 3)) for row in corrected_shares(study, model="gpt").to_table()]
    [('a', 0.833), ('b', 0.167)]
    """
    check_confidence(confidence)
    check_power(power)
    participants = participants_of(
        data, model=model, models=models, people=people, unparsable=unparsable, labels=labels, **roles
    )  # fmt: skip
    participants.need_models("A corrected share")
    if participants.study.kind != "single":
        raise about_other_kinds("A corrected share", ("single",), participants.study.kind)
    part = AnnotatedPart.of(participants)
    own, predicted, rest = (
        label_shares(part.people, part.annotated),
        label_shares(part.models, part.annotated),
        label_shares(part.models, part.rest),
    )
    used, tuned = tune(own, predicted, rest, power, clip=clip)
    value = own.mean(0) + used * (rest.mean(0) - predicted.mean(0))
    spans = [
        _share_interval(own[:, k], predicted[:, k], rest[:, k], (used, df_lost(tuned)), part, confidence, finite=finite)
        for k in range(own.shape[1])
    ]
    alone = [_plain_interval(own[:, k], part, confidence) for k in range(own.shape[1])]
    notes = (*clipping_note(used, tuned), *part.notes, *participants.notes(participants.models))
    whole = np.concatenate((predicted, rest))
    table = Table(
        f"Shares of labels in {part.total:,} items, {len(part.annotated):,} of them annotated by people",
        {
            "label": list(participants.study.labels),
            "share": value,
            "low": np.array([max(span.low, 0.0) for span in spans]),
            "high": np.array([min(span.high, 1.0) for span in spans]),
            "people_alone": own.mean(0),
            "people_low": np.array([max(span.low, 0.0) for span in alone]),
            "people_high": np.array([min(span.high, 1.0) for span in alone]),
            "model_alone": whole.mean(0),
        },
        (f"λ = {used:.2f}.", *notes),
    )
    return Shares(table, used, len(part.annotated), len(part.rest), confidence, notes)


def corrected_agreement(
    data: Any,
    /,
    *,
    measure: str = "fleiss_kappa",
    model: str | None = None,
    models: Sequence[str] | None = None,
    people: Sequence[str] | None = None,
    suggested: Any = None,
    predict: Predict = "auto",
    power: Power = "tuned",
    clip: bool = True,
    finite: bool = False,
    method: Way = "t",
    unparsable: Unparsable = "missing",
    confidence: float = 0.95,
    n_resamples: int = 500,
    rng: Rng = None,
    options: Mapping[str, Any] | None = None,
    labels: Sequence[Any] | None = None,
    **roles: Unpack[PlainRoles],
) -> Corrected:
    r"""People's agreement on a whole data set, of which they annotated a random part and models annotated all.

    .. math:: g(\hat\theta), \qquad
        \hat\theta = \bar f_n(\text{people}) + \lambda\,(\bar f_N(\text{model}) - \bar f_n(\text{model}))

    g is the coefficient as a function of the means over items of what it sums up (pairs that agree, label shares …).

    Args:
        data: A `Study` in which people answered a random part of the items.
        measure: "fleiss_kappa", "brennan_prediger_kappa", "gwet_ac", "krippendorff_alpha" (nominal, or weights),
            "scott_pi", "percent_agreement", or "dipietro_hazari_kappa", where it helps most: the quality of a whole
            suggested data set from a random annotated part.
        model: The name of the model.
        models: The names of several. By default by the study's kind role.
        people: Who the people are; by default everybody else.
        suggested: For κ_DH, the suggestions for the whole data set: a column, a model's name, a mapping from item to
            label (which may hold items that nobody annotated).
        predict: What the models predict of an item: "answers", their own agreement and labels as if they were people
            (needs two models or runs); "fitted", the mean of annotated items that look the same to the models (their
            commonest answer and how many give it; for κ_DH the suggestion and how many other models give it). By
            default answers where most items have two; for κ_DH always fitted.
        power: λ: "tuned" to the least variance of the coefficient, or a number; 0 is people alone.
        clip: Keep a tuned λ between 0 and 1.
        finite: The items are all there are: the interval speaks of them, not of more like them.
        method: "t" (linearised, n − 1 degrees of freedom, n − 2 where λ is tuned; clusters respected) or "bootstrap".
        unparsable: Failed answers are "missing", or count as a "label".
        confidence: Of the intervals.
        n_resamples: How many resamples.
        rng: A seed or a Generator, of the bootstrap.
        options: Further keywords of the measure, such as {"weights": "quadratic"}.
        labels: The scale.
        **roles: The keywords of `Study`.

    Returns:
        A `Corrected`: `value` with `interval`, `plain` (people alone), `power` (λ), and `plan()` for more people.

    Raises:
        InputError: If `data` cannot be a study, or a named person or model is not in it.
        MeasureError: If the measure is not a function of item means, or there are no models or people.
        OptionError: If an option has a value that it cannot take.

    Kappas with own marginals (Cohen, Conger, Light) are refused: they are not functions of item means. The annotated
    items must be a random part; people who chose easy items are corrected wrongly. References: angelopoulos2023;
    angelopoulos2023b; dipietro2022.

    >>> from accord import Study
    >>> model = list("aabbab" * 20)
    >>> few = {"ana": [*model[:36], *[None] * 84], "ben": [*"aabbaa" * 6, *[None] * 84]}
    >>> study = Study.from_wide({**few, "gpt": model})
    >>> found = corrected_agreement(study, model="gpt")
    >>> round(found.value, 3), found.n_people, found.n_rest
    (0.657, 36, 84)
    """
    check_confidence(confidence)
    check_power(power)
    check_whole("n_resamples", n_resamples, 2, most=MOST_RESAMPLES)
    _check(measure, predict, method)
    check_finite(method, finite=finite)
    if not isinstance(options, Mapping | None):
        raise OptionError.must("options", "be a mapping of the measure's own, such as {'level': 'ordinal'}", options)
    participants = participants_of(
        data, model=model, models=models, people=people, unparsable=unparsable, labels=labels, **roles
    )  # fmt: skip
    source = (
        FromSuggestions(participants, suggested, dict(options or {}))
        if MEASURES[measure].judges_suggestions
        else FromAnswers(participants, measure, predict, dict(options or {}))
    )
    plain, few, many = source.plain, len(source.annotated), source.n_rest
    spread = plain.interval(confidence=confidence, population=few + many if finite else None)
    if plain.undefined or plain.coefficient is None:
        return Corrected(
            measure, plain.title, math.nan, replace(spread, method=method), math.nan, plain, spread, few, many,
            math.nan, math.nan, source.predict, finite, source.notes, plain.undefined,
        )  # fmt: skip
    formula = _smooth(plain)
    predicted = source.predicted(formula)
    found = estimate(formula, predicted, power, clip=clip, finite=finite, clusters=source.clusters)
    why = None if math.isfinite(found.value) else "At the corrected means chance alone would give full agreement."
    df = units(few, source.clusters) - 1 - df_lost(found.tuned)
    interval = interval_around(found.value, found.error, df=df, confidence=confidence, method=method)
    if method == "bootstrap":

        def again(annotated: IntArray, rest: IntArray) -> float:
            return estimate(formula, predicted.drawn(annotated, rest), power, clip=clip, finite=False).value

        interval = resampled(again, *predicted.sizes, confidence, n_resamples, rng)
    interval = replace(interval, high=min(interval.high, 1.0))
    return Corrected(
        measure, plain.title, found.value, interval, found.power, plain, spread, few, many, found.correlation,
        found.noise, source.predict, finite, (*noted(found, source.predict), *source.notes), why,
    )  # fmt: skip


def _check(measure: str, predict: str, method: str) -> None:
    fitting = [name for name, entry in MEASURES.items() if entry.of_item_means]
    if not is_among(measure, MEASURES):
        raise OptionError.choice("measure", measure, fitting)
    if measure not in fitting:
        why = OWN_MARGINALS if kind_of(MEASURES[measure].chance).named else NO_ITEM_MEANS
        raise MeasureError(MEASURES[measure].title, why, OwnWords(fitting), ".")
    check_choice("predict", predict, get_args(Predict))
    check_choice("method", method, get_args(Way))


def _smooth(plain: Agreement) -> Smooth:
    """The coefficient as a function of sums; levels whose weights depend on the data are not."""
    found = tallied(plain).as_item_means()
    if found is None:
        raise MeasureError(
            f"{plain.title} measures distances by the data at hand, so it is not a function of item means. Give "
            "weights instead of a level: ",
            Remedy({"options": {"weights": "quadratic"}}, command="--weights quadratic"),
            ".",
        )
    return found


def _share_interval(
    own: FloatArray, predicted: FloatArray, rest: FloatArray, power: tuple[float, int], part: AnnotatedPart,
    confidence: float, *, finite: bool,
) -> Interval:  # fmt: skip
    few, many, (used, learned) = len(own), len(rest), power
    value = float(own.mean() + used * (rest.mean() - predicted.mean()))
    if finite:
        error = finite_error(own, predicted, many, used, learned)
    else:
        error = error_of((own - used * predicted) / few, used * rest / many, part.clusters, learned)
    df = units(few, part.clusters) - 1 - learned
    return interval_around(value, error, df=df, confidence=confidence, method="t")


def _plain_interval(own: FloatArray, part: AnnotatedPart, confidence: float) -> Interval:
    clusters = None if part.clusters is None else (part.clusters[0], part.clusters[1][:0])
    error = error_of(own / len(own), np.empty(0), clusters)
    return interval_around(float(own.mean()), error, df=len(own) - 1, confidence=confidence, method="t")
