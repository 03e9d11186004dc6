"""Mean Pearson correlation."""

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
    from accord.scores.moments_of_pairs import MeanPearson


@register(
    correlation(
        "Mean Pearson correlation",
        "pearson1896",
        "how closely two annotators' scores follow a line, whatever line it is",
        "the mean over pairs of annotators of s_xy / (s_x s_y) on the items both scored",
        PAIRS_UNASKED,
    )
)
def mean_pearson(
    data: Any,
    other: Any = None,
    /,
    *,
    labels: Sequence[Any] | None = None,
    by: str | None = None,
    **roles: Unpack[Roles],
) -> Agreement:
    r"""How closely two annotators' scores follow a line, whatever line it is: Pearson's correlation, mean over pairs.

    .. math:: \bar r = \frac{1}{J} \sum_{g < h} \frac{s_{gh}}{s_g s_h}

    :math:`s` are taken on the items that both of a pair scored, and J pairs have a value. It is 1 where one annotator's
    scores are any rising line of the other's: who is severe, or uses half of the scale, loses nothing. That is the
    question where scores will be standardised by annotator, and it is no agreement: `lin_concordance` and an
    intraclass correlation count such differences.

    Missing data: pairs with fewer than three items in common, or with somebody who gave one score throughout, are left
    out and named. The mean is of the plain values, not of Fisher's z.

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

    References: pearson1896.

    >>> round(mean_pearson([1, 2, 3, 4], [2, 4, 6, 9]).value, 3)
    0.994
    """
    study = as_study(data, other, labels, roles)
    return agreement("mean_pearson", study, _of_study, {"labels": labels}, by)


def _of_study(study: Study) -> MeanPearson:
    """From who gave which score."""
    from accord.scores.moments_of_pairs import MeanPearson

    return MeanPearson(study._tally_of_people(named=True))
