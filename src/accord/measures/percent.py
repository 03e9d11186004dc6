"""Percent agreement."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Unpack

from accord.agreement.build import Row, measured
from accord.agreement.registry import ORDER_AND_NAMES, Measure, equal_or_not, register
from accord.agreement.result import Agreement
from accord.coefficients import chance
from accord.coefficients.weights import WeightsLike
from accord.study.study_of_input import Roles


@register(
    Measure(
        title="Percent agreement",
        references=("zhao2025", "artstein2008"),
        summary="the share of pairs of answers that match; nothing is attributed to chance",
        formula="nothing is attributed to chance",
        low=0.0,
        chance_corrected=False,
        zero="Zero is no agreement at all, and independent annotators have more.",
        is_share=True,
        well_known=True,
        also=("ranking",),
        usual_options=equal_or_not,
        of_item_means=True,
        properties=ORDER_AND_NAMES | {"copies"},
    )
)
def percent_agreement(
    data: Any,
    other: Any = None,
    /,
    *,
    weights: WeightsLike = "identity",
    labels: Sequence[Any] | None = None,
    by: str | None = None,
    **roles: Unpack[Roles],
) -> Agreement:
    r"""Share of pairs of answers that match; nothing is attributed to chance.

    .. math:: o = \frac{1}{n} \sum_i \frac{\sum_{kl} r_{ik} r_{il} w_{kl} - \sum_k r_{ik} w_{kk}}{r_i (r_i - 1)}

    :math:`r_{ik}` annotators gave item i the answer k, :math:`r_i` answered it at all, :math:`w_{kl}` says how alike
    two answers are, and n items have two or more answers.

    Missing data: an item needs two answers to count; each such item counts once. With two annotators and identity
    weights this is the share of items on which they agree. It is defined even where only one label was used. Do not
    compare it between tasks: two labels match by chance half the time, twenty hardly ever.

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
        MeasureError: If the measure does not fit the answers; the message names one that does. `WeightsError`, a kind
            of it, if the weights do not.
        OptionError: If an option has a value that it cannot take.

    References: zhao2025, artstein2008.

    >>> answers = ["+", "-", "+", "-", "0"], ["+", "-", "0", "-", "0"]  # the lecture's five items
    >>> percent_agreement(*answers).value
    0.8
    """
    return measured(Row("percent_agreement", weights, chance.none), data, other, labels, by, roles)
