"""Fleiss' kappa, which is also Siegel & Castellan's K."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, Unpack

from accord.agreement.build import Row, measured
from accord.agreement.registry import ORDER_AND_NAMES, Measure, register
from accord.agreement.result import Agreement
from accord.coefficients import chance as chances
from accord.coefficients.weights import WeightsLike
from accord.study.study import Roles


@register(
    Measure(
        title="Fleiss' kappa",
        chance="pooled",
        references=("fleiss1971", "siegel1988", "gwet2014"),
        summary="any number of annotators with one pooled marginal distribution",
        formula="A_e = Σ w_kl π_k π_l, π the mean share of each label, every item counted once",
        of_item_means=True,
        properties=ORDER_AND_NAMES | {"copies"},
    )
)
def fleiss_kappa(
    data: Any,
    other: Any = None,
    /,
    *,
    weights: WeightsLike = "identity",
    chance: Literal["pooled", "pooled-counts"] = "pooled",
    labels: Sequence[Any] | None = None,
    by: str | None = None,
    **roles: Unpack[Roles],
) -> Agreement:
    r"""Agreement of any number of annotators whose answers, by luck, would follow one shared label mix.

    .. math:: \kappa = 1 - \frac{1 - o}{1 - e}, \qquad e = \sum_{kl} w_{kl} \pi_k \pi_l

    o is percent agreement, :math:`\pi_k` the mean over items of the share of answers k (`chance="pooled-counts"`: the
    share among all answers), :math:`w_{kl}` how alike two answers are.

    Missing data: items may have any number of answers; an item with a single one informs the mix and not o. Nobody
    needs to be named, and different items may have different annotators. Equals `scott_pi` for two annotators. When
    one label takes nearly all answers kappa can be low although annotators agree: read it beside `gwet_ac`. With two
    or three annotators who use labels differently, `conger_kappa` puts less down to luck.

    References: fleiss1971; siegel1988; gwet2014 for items with unequal numbers of answers.

    >>> from accord import Study
    >>> table = [[7, 1], [3, 5]]  # two items, eight annotators, two labels
    >>> round(fleiss_kappa(Study.from_counts(table)).value, 6)
    0.161905
    """
    believed = chances.one_of("chance", chance, "pooled", "pooled-counts")
    return measured(Row("fleiss_kappa", weights, believed), data, other, labels, by, roles, chance=chance)
