"""Conger's kappa, also known as Hubert's: Cohen's for any number of annotators."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Unpack

from accord.agreement.build import Row, measured
from accord.agreement.registry import MORE_ANNOTATORS, ORDER_AND_NAMES, Measure, Serves, register
from accord.agreement.result import Agreement
from accord.coefficients import chance
from accord.coefficients.weights import WeightsLike
from accord.study.study_of_input import Roles


@register(
    Measure(
        title="Conger's kappa",
        chance="own",
        references=("conger1980", "hubert1977"),
        summary="any number of annotators, each with a marginal distribution of their own",
        formula="A_e = mean over pairs of annotators g, h of Σ w_kl p_gk p_hl, each with marginals p of their own",
        named=True,
        serves={MORE_ANNOTATORS: Serves("own marginals")},
        properties=ORDER_AND_NAMES | {"copies"},
    )
)
def conger_kappa(
    data: Any,
    other: Any = None,
    /,
    *,
    weights: WeightsLike = "identity",
    labels: Sequence[Any] | None = None,
    by: str | None = None,
    **roles: Unpack[Roles],
) -> Agreement:
    r"""Agreement of any number of annotators, each of whom, by chance, would answer from marginals of their own.

    .. math:: \kappa = 1 - \frac{1 - o}{1 - e}, \qquad e = \frac{1}{R (R - 1)} \sum_{g \ne h} \sum_{kl} w_{kl} p_{gk}
    p_{hl}

    o is percent agreement, :math:`p_{gk}` annotator g's share of answer k among all items g answered, R the number of
    annotators, :math:`w_{kl}` how alike two answers are.

    Missing data: o counts items with two or more answers, once each; every pair of annotators counts alike in e,
    whether or not they have an item in common. Equals `cohen_kappa` for two annotators without gaps; `light_kappa`
    averages the pairs' kappas instead of their parts. Annotators with few answers have as much say in e as those with
    many.

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

    References: conger1980; hubert1977.

    >>> from accord import Study
    >>> agreed = [[0, 0, 0, 0]] * 15 + [[1, 1, 1, 1]] * 10  # Warrens 2012, page 3
    >>> table = [*agreed, [1, 0, 1, 0], [1, 0, 1, 0], [1, 0, 0, 0], [1, 0, 0, 0], [0, 0, 0, 1]]
    >>> round(conger_kappa(Study.from_wide(table)).value, 6)
    0.802479
    """
    return measured(Row("conger_kappa", weights, chance.own), data, other, labels, by, roles)
