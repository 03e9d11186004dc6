"""Mean Spearman correlation."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Unpack

from accord.agreement.build import agreement
from accord.agreement.registry import register
from accord.agreement.result import Agreement
from accord.measures.of_scores import PAIRS_UNASKED, correlation
from accord.study.study import Study
from accord.study.study_of_input import Roles, as_study

if TYPE_CHECKING:
    from accord.scores.rank_correlations import MeanSpearman


@register(
    correlation(
        "Mean Spearman correlation",
        "spearman1904",
        "how far two annotators put items in the same order, by ranks",
        "the mean over pairs of annotators of Pearson's correlation of the ranks",
        PAIRS_UNASKED,
    )
)
def mean_spearman(
    data: Any,
    other: Any = None,
    /,
    *,
    labels: Sequence[Any] | None = None,
    by: str | None = None,
    **roles: Unpack[Roles],
) -> Agreement:
    r"""How far two annotators put items in the same order: Spearman's correlation, mean over pairs.

    .. math:: \bar r_s = \frac{1}{J} \sum_{g < h} r(R_g, R_h)

    R are ranks among the items that both of a pair scored; ties have their middle rank. It is 1 where the order is the
    same, whatever the scores. On short scales most ranks are tied, and `mean_kendall` or alpha at the ordinal level
    say more plainly what is counted.

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

    References: spearman1904.

    >>> round(mean_spearman([1, 2, 3, 4, 5], [1, 2, 3, 5, 4]).value, 3)
    0.9
    """
    study = as_study(data, other, labels, roles)
    return agreement("mean_spearman", study, _of_study, {"labels": labels}, by)


def _of_study(study: Study) -> MeanSpearman:
    """From who gave which score."""
    from accord.scores.rank_correlations import MeanSpearman

    return MeanSpearman(study._tally_of_people(named=True))
