"""Percent agreement."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Unpack

from accord.agreement.build import Row, measured
from accord.agreement.registry import ORDER_AND_NAMES, Measure, register
from accord.agreement.result import Agreement
from accord.coefficients import chance
from accord.coefficients.weights import WeightsLike
from accord.study.study import Roles


@register(
    Measure(
        title="Percent agreement",
        references=("zhao2025", "artstein2008"),
        summary="the share of pairs of answers that match; nothing is attributed to chance",
        formula="nothing is attributed to chance",
        low=0.0,
        chance_corrected=False,
        is_share=True,
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
    r"""Share of pairs of answers that match; nothing is put down to luck.

    .. math:: o = \frac{1}{n} \sum_i \frac{\sum_{kl} r_{ik} r_{il} w_{kl} - \sum_k r_{ik} w_{kk}}{r_i (r_i - 1)}

    :math:`r_{ik}` annotators gave item i the answer k, :math:`r_i` answered it at all, :math:`w_{kl}` says how alike
    two answers are, and n items have two or more answers.

    Missing data: an item needs two answers to count; each such item counts once. With two annotators and identity
    weights this is the share of items on which they agree. It is defined even where only one label was used. Do not
    compare it between
    tasks: two labels match by luck half the time, twenty hardly ever.

    References: zhao2025, artstein2008.

    >>> round(
    ...     percent_agreement(["+", "-", "+", "-", "0"], ["+", "-", "0", "-", "0"]).value, 2
    ... )  # the lecture's five items
    0.8
    """
    return measured(Row("percent_agreement", weights, chance.none), data, other, labels, by, roles)
