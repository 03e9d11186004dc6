"""Scott's pi."""

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
        title="Scott's pi",
        chance="pooled",
        references=("scott1955",),
        summary="two annotators with one pooled marginal distribution",
        formula="A_e = Σ w_kl π_k π_l, π the mean share of each label, every item counted once",
        two=True,
        for_more="fleiss_kappa",
        properties=ORDER_AND_NAMES | {"copies"},
    )
)
def scott_pi(
    data: Any,
    other: Any = None,
    /,
    *,
    weights: WeightsLike = "identity",
    labels: Sequence[Any] | None = None,
    by: str | None = None,
    **roles: Unpack[Roles],
) -> Agreement:
    r"""Agreement of two annotators whose answers, by luck, would follow one shared label mix.

    .. math:: \pi = 1 - \frac{1 - o}{1 - e}, \qquad e = \sum_{kl} w_{kl} \pi_k \pi_l

    o is percent agreement, :math:`\pi_k` the share of label k over both annotators, :math:`w_{kl}` how alike two
    labels are.

    Missing data: an item with one answer informs the mix and not o. Equals `fleiss_kappa` for two annotators; lies
    below `cohen_kappa` when the two use labels differently, for then the shared mix makes luck look likelier. Not to
    be trusted alone where one label takes nearly all answers: read it beside `gwet_ac`.

    References: scott1955.

    >>> from accord import Study
    >>> round(scott_pi(Study.from_confusion([[20, 10], [20, 50]])).value, 3)  # Artstein & Poesio 2008, table 1
    0.341
    """
    return measured(Row("scott_pi", weights, chance.pooled), data, other, labels, by, roles)
