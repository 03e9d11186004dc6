"""Light's kappa: the mean over pairs of annotators."""

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
        title="Light's kappa",
        chance="own",
        references=("light1971",),
        summary="the mean of Cohen's kappa over all pairs of annotators",
        formula="one coefficient for every pair of annotators, as Cohen's, on the items both answered; then the mean",
        named=True,
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

    References: light1971.

    >>> from accord import Study
    >>> three = Study.from_wide([["a", "a", "a"], ["b", "b", "a"], ["b", "b", "b"], ["a", "b", "b"]])
    >>> round(light_kappa(three).value, 3), [round(pair["value"], 2) for pair in light_kappa(three).by_pair()]
    (0.333, [0.5, 0.0, 0.5])
    """
    row = Row("light_kappa", weights, chance.own, mean_of_pairs="Cohen's kappa")
    return measured(row, data, other, labels, by, roles)
