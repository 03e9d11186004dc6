"""Light's kappa: the mean over pairs of annotators."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Unpack

import numpy as np

from accord.agreement.build import Row, measured
from accord.agreement.registry import MORE_ANNOTATORS, ORDER_AND_NAMES, Measure, Serves, register
from accord.agreement.result import Agreement
from accord.coefficients import chance
from accord.coefficients.weights import WeightsLike
from accord.study.study import Study
from accord.study.study_of_input import Roles

TITLE = "Light's kappa"
PAIRS_UNASKED = 1_000_000  # of annotators: beyond, they take longer than all that pools annotators together
PAIRS_PER_SECOND = 100_000  # with the error of their mean, on one core of 2024


def takes_long(study: Study) -> str | None:
    """Why a coefficient for every pair of a large crowd is left to who asks for it, and what it costs."""
    people = len(study.annotators)
    possible = people * (people - 1) // 2
    if possible <= PAIRS_UNASKED:
        return None
    tally = study._annotations.tally()
    answers = np.bincount(tally.pattern, weights=tally.count, minlength=len(tally))
    met = int(tally.units @ (answers * (answers - 1) / 2))
    pairs = min(possible, met)
    if pairs <= PAIRS_UNASKED:
        return None
    return (
        f"{TITLE} needs a kappa for each of up to {pairs:,} pairs of annotators, about "
        f"{pairs / PAIRS_PER_SECOND:,.0f} seconds; it is told where it is asked for by its name."
    )


@register(
    Measure(
        title=TITLE,
        chance="own",
        references=("light1971",),
        summary="the mean of Cohen's kappa over all pairs of annotators",
        formula="one coefficient for every pair of annotators, as Cohen's, on the items both answered; then the mean",
        named=True,
        serves={MORE_ANNOTATORS: Serves("mean over pairs")},
        takes_long=takes_long,
        properties=ORDER_AND_NAMES | {"copies"},
    )
)
def light_kappa(
    data: Any,
    other: Any = None,
    /,
    *,
    weights: WeightsLike = "identity",
    labels: Sequence[Any] | None = None,
    by: str | None = None,
    **roles: Unpack[Roles],
) -> Agreement:
    r"""Mean of Cohen's kappa over all pairs of annotators.

    .. math:: \bar\kappa = \frac{1}{J} \sum_{g < h} \kappa_{gh}

    :math:`\kappa_{gh}` is `cohen_kappa` of annotators g and h on the items both answered, and J the number of pairs
    for which it is defined. `observed` and `expected` are means over those pairs too; the value is not made from them.

    Missing data: pairs without a common item, or with an undefined kappa, are left out and counted in `notes`. Equals
    `cohen_kappa` for two annotators. A pair with three common items counts as much as one with three hundred: with
    many gaps prefer `conger_kappa` or `krippendorff_alpha`.

    Args:
        data: A `Study`, or what one is made of: a table with one row per annotation (a dataframe, a mapping of columns,
            a list of records), a 2-D array of items × annotators, or the first annotator's answers.
        other: The second annotator's answers in the same order, where `data` is the first's.
        weights: How alike two answers are, from 0 to 1: "identity" (the same or not); on a numeric or ordered scale
            "linear", "quadratic", "ordinal", "radical", "ratio", "circular", "bipolar"; for sets "jaccard", "dice",
            "masi"; for ranked answers "shared-mass", "overlap"; a table of labels × labels in the order of the scale;
            or a function of two labels.
        labels: The scale: all labels there are, in order, used or not; by default those in the data, sorted.
        by: A column that makes groups: `by_group()` then has one row per group.
        **roles: Which columns of a table are which, as in `Study`: item="id", annotator="who", label="tag" …

    Returns:
        An `Agreement` with `value`, `observed` and `expected`, which also answers `interval()`, `test()`, `by_item()`,
        `by_label()` and more. Where the coefficient is undefined `value` is NaN, and `undefined` says why.

    Raises:
        InputError: If `data` cannot be a study: `ColumnMissing`, `DuplicateAnswers` and `LabelError` are kinds of it.
        MeasureError: If nobody is named; the message names a measure that fits.
            `WeightsError`, a kind of it, if the weights do not fit the answers.
        OptionError: If an option has a value that it cannot take.

    References: light1971.

    >>> from accord import Study
    >>> three = Study.from_wide([["a", "a", "a"], ["b", "b", "a"], ["b", "b", "b"], ["a", "b", "b"]])
    >>> round(light_kappa(three).value, 3), [round(pair["value"], 2) for pair in light_kappa(three).by_pair()]
    (0.333, [0.5, 0.0, 0.5])
    """
    row = Row("light_kappa", weights, chance.own, mean_of_pairs="Cohen's kappa")
    return measured(row, data, other, labels, by, roles)
