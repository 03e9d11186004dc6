"""Mean Kendall's tau-b."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Unpack

from accord.agreement.build import agreement
from accord.agreement.registry import register
from accord.agreement.result import Agreement
from accord.measures.of_scores import RANKED_UNASKED, correlation
from accord.study.study import Study
from accord.study.study_of_input import Roles, as_study

if TYPE_CHECKING:
    from accord.scores.rank_correlations import MeanKendall


@register(
    correlation(
        "Mean Kendall's tau-b",
        "kendall1945",
        "of two items that two annotators tell apart, how often they agree which is higher",
        "the mean over pairs of (concordant − discordant) / √(untied by one · untied by the other)",
        RANKED_UNASKED,
    )
)
def mean_kendall(
    data: Any,
    other: Any = None,
    /,
    *,
    labels: Sequence[Any] | None = None,
    by: str | None = None,
    **roles: Unpack[Roles],
) -> Agreement:
    r"""Of two items, how often two annotators agree which is higher: Kendall's τ_b, mean over pairs.

    .. math:: \tau_b = \frac{C - D}{\sqrt{(T - T_g)(T - T_h)}}

    Of the T pairs of items that both of a pair of annotators scored, C stand in the same order for both and D in
    opposite order; :math:`T_g` are tied by the one, :math:`T_h` by the other. It is 1 where order and ties are the
    same, and smaller than Spearman's correlation of the same scores (by about a third in the middle).

    Missing data: pairs with fewer than three items in common, or with somebody who gave one score throughout, are left
    out and named.

    Args:
        data: A `Study`, or what one is made of: a table with one row per score (a dataframe, a mapping of columns, a
            list of records), a 2-D array of items × annotators, or the first annotator's scores.
        other: The second annotator's scores in the same order, where `data` is the first's.
        labels: The scale, where scores are labels: all there are, used or not.
        by: A column that makes groups: `by_group()` then has one row per group.
        **roles: Which columns of a table are which, as in `Study`: item="id", annotator="who", score="rating" …

    Returns:
        An `Agreement` with `value`, which also answers `interval()`, `by_annotator()`, `by_pair()` and more. Where no
        pair has a value it is NaN, and `undefined` says why.

    Raises:
        InputError: If `data` cannot be a study, or the answers are not numbers.
        MeasureError: If nobody is named.
        OptionError: If an option has a value that it cannot take.

    References: kendall1945.

    >>> round(mean_kendall([1, 2, 3, 4, 5], [1, 2, 3, 5, 4]).value, 3)
    0.8
    """
    study = as_study(data, other, labels, roles)
    return agreement("mean_kendall", study, _of_study, {"labels": labels}, by)


def _of_study(study: Study) -> MeanKendall:
    """From who gave which score."""
    from accord.scores.rank_correlations import MeanKendall

    return MeanKendall(study._tally_of_people(named=True))
