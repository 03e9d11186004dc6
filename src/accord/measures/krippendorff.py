"""Krippendorff's alpha, at every level of measurement."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias, Unpack

from accord.agreement.build import Row, agreement, measured
from accord.agreement.result import Agreement
from accord.coefficients import alpha_levels, chance
from accord.coefficients.coefficient import Coefficient
from accord.coefficients.weights import WeightsLike
from accord.errors import OptionError, keyword
from accord.study.study import Roles, Study, as_study

Level: TypeAlias = Literal["nominal", "ordinal", "interval", "ratio", "circular"]


def krippendorff_alpha(
    data: Any,
    other: Any = None,
    /,
    *,
    level: Level | None = None,
    weights: WeightsLike | None = None,
    period: float | None = None,
    labels: Sequence[Any] | None = None,
    by: str | None = None,
    **roles: Unpack[Roles],
) -> Agreement:
    r"""Agreement of any number of annotators, with gaps, at any level of measurement; every answer counts once.

    .. math:: \alpha = 1 - \frac{D_o}{D_e} = 1 - \frac{1 - o}{1 - e}, \qquad
              e = \frac{\sum_{kl} n_k n_l w_{kl} - \sum_k n_k w_{kk}}{n (n - 1)}

    o is observed agreement with every item weighted by its answers, :math:`n_k` how often answer k was given on items
    with two or more answers, n their number: luck draws two different answers from all of them. :math:`w_{kl} = 1 -
    \delta^2_{kl}` follows from the `level`: the same or not (nominal); difference of mid-ranks (ordinal), of numbers
    (interval), of numbers in proportion to their sum (ratio), on a ring (circular, with `period` the length of the
    ring; by default the range of whole numbers plus one). `observed` and `expected` are then 1 − disagreement over the
    widest in the data.

    `level` is nominal by default, interval for scores. `weights` takes Gwet's tables, set weights (jaccard, dice,
    masi), an array or a function instead; both at once is an error, for "ordinal" means two things.

    Missing data: items with a single answer do not count. Equals `scott_pi` for two annotators and nominal labels but
    for a term of 1/(2n). Few answers outside one label make alpha jumpy: with one disagreement in otherwise equal
    answers it is 0.

    References: krippendorff1970; krippendorff2004; hayes2007.

    >>> from accord import Study
    >>> table = [[1, 1, 1], [1, 2, 2], [2, 2, 2], [4, 4, 4], [1, 4, 4], [2, 2, 2], [1, 2, 3], [3, 3, 3], [2, 2, 2]]
    >>> study = Study.from_wide(table)  # Krippendorff 1980, page 139
    >>> [round(krippendorff_alpha(study, level=level).value, 3) for level in ("nominal", "interval", "ratio")]
    [0.642, 0.547, 0.483]
    """
    if level is not None and weights is not None:
        raise OptionError(
            "Give ",
            keyword("level"),
            " (Krippendorff's distances) or ",
            keyword("weights"),
            " (Gwet's tables, set weights, your own), not both: they disagree on what 'ordinal' is.",
        )
    if level is not None and level not in alpha_levels.LEVELS:
        raise OptionError.choice("level", level, alpha_levels.LEVELS)
    if weights is not None:
        row = Row("krippendorff_alpha", weights, chance.without_replacement)
        return measured(row, data, other, labels, by, roles)
    study = as_study(data, other, labels, roles)
    scores = study.kind == "score" if not study.tasks else next(iter(study.tasks.values())).kind == "score"
    chosen: Level = level or ("interval" if scores else "nominal")
    options = {"level": chosen, "labels": labels, "period": period}
    return agreement("krippendorff_alpha", study, AtLevel(chosen, period), options, by)


@dataclass(frozen=True)
class AtLevel:
    """Alpha of a study at a level: by identity weights if nominal, else by sums of numbers."""

    level: Level
    period: float | None

    def __call__(self, study: Study) -> Coefficient:
        """The coefficient of a study, or of a part of it."""
        if self.level == "nominal":
            return Row("krippendorff_alpha", "identity", chance.without_replacement)(study)
        return alpha_levels.at_level(self.level, study.tally(), self.period)
