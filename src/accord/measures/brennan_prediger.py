"""Brennan–Prediger kappa: Bennett's S, Randolph's free-marginal kappa."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Unpack

from accord.agreement.build import Row, measured
from accord.agreement.registry import ORDER_AND_NAMES, UNNAMED, Measure, Serves, register
from accord.agreement.result import Agreement
from accord.coefficients import chance
from accord.coefficients.weights import WeightsLike
from accord.study.study_of_input import Roles


@register(
    Measure(
        title="Brennan–Prediger kappa",
        chance="uniform",
        references=("brennan1981", "bennett1954", "randolph2005"),
        summary="by chance every label of the scale would be chosen equally often",
        formula="A_e = Σ w_kl / q², all q labels of the scale equally likely",
        finite_scale=True,
        serves={UNNAMED: Serves()},
        zero="Zero is as much agreement as equally likely labels would give, which is less than independent annotators "
        "have who use some labels more than others.",
        of_item_means=True,
        properties=ORDER_AND_NAMES | {"copies"},
    )
)
def brennan_prediger_kappa(
    data: Any,
    other: Any = None,
    /,
    *,
    weights: WeightsLike = "identity",
    labels: Sequence[Any] | None = None,
    by: str | None = None,
    **roles: Unpack[Roles],
) -> Agreement:
    r"""Agreement beyond what answers drawn evenly from the whole scale would give.

    .. math:: \kappa = 1 - \frac{1 - o}{1 - e}, \qquad e = \frac{1}{q^2} \sum_{kl} w_{kl}

    o is percent agreement, q the number of labels on the scale, :math:`w_{kl}` how alike two labels are.

    Missing data: an item needs two answers to count. It is Bennett's S for two annotators and Randolph's free-marginal
    kappa for more, and for two labels 2o − 1, the prevalence- and bias-adjusted kappa. Labels that exist and were never
    used count: declare them with `labels=`, or more agreement is expected by chance than should be. It rewards scales
    with many labels nobody uses.

    Args:
        data: A `Study`, or what one is made of: a table with one row per annotation (a dataframe, a mapping of columns,
            a list of records), a 2-D array of items × annotators, or the first annotator's answers.
        other: The second annotator's answers in the same order, where `data` is the first's.
        weights: How alike two labels are, from 0 to 1: "identity" (the same or not); on a numeric or ordered scale
            "linear", "quadratic", "ordinal", "radical", "ratio", "circular", "bipolar"; a table of labels × labels in
            the order of the scale; or a function of two labels.
        labels: The scale: all labels there are, in order, used or not; by default those in the data, sorted.
        by: A column that makes groups: `by_group()` then has one row per group.
        **roles: Which columns of a table are which, as in `Study`: item="id", annotator="who", label="tag" …

    Returns:
        An `Agreement` with `value`, `observed` and `expected`, which also answers `interval()`, `test()`, `by_item()`,
        `by_label()` and more. Where the coefficient is undefined `value` is NaN, and `undefined` says why.

    Raises:
        InputError: If `data` cannot be a study: `ColumnMissing`, `DuplicateAnswers` and `LabelError` are kinds of it.
        MeasureError: If the answers are not single labels; the message names a measure that fits. `WeightsError`, a
            kind of it, if the weights do not fit the labels.
        OptionError: If an option has a value that it cannot take.

    References: brennan1981; bennett1954; randolph2005.

    >>> from accord import Study
    >>> round(brennan_prediger_kappa(Study.from_counts([[7, 1], [3, 5]])).value, 6)  # Randolph's own example
    0.214286
    """
    return measured(Row("brennan_prediger_kappa", weights, chance.uniform), data, other, labels, by, roles)
