"""Mean absolute difference."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Unpack

from accord.agreement.build import agreement
from accord.agreement.registry import register
from accord.agreement.result import Agreement
from accord.measures.of_scores import distance
from accord.study.study import Study
from accord.study.study_of_input import Roles, as_study

if TYPE_CHECKING:
    from accord.scores.within_items import WithinItems


@register(
    distance(
        "Mean absolute difference",
        "gini1912",
        "how far two scores of one item lie apart, in the unit of the scale",
        "the mean over items of the mean |a − b| over pairs of scores",
    )
)
def mean_absolute_difference(
    data: Any,
    other: Any = None,
    /,
    *,
    labels: Sequence[Any] | None = None,
    by: str | None = None,
    **roles: Unpack[Roles],
) -> Agreement:
    r"""How far two scores of one item lie apart, in the unit of the scale.

    .. math:: \text{MAD} = \frac{1}{n} \sum_i \frac{2}{r_i (r_i - 1)} \sum_{g < h} |x_{ig} - x_{ih}|

    :math:`r_i` annotators scored item i; the n items with two scores or more count once each. 0 is full agreement, and
    there is no upper end: read it against the steps of the scale. It does not depend on how much the items differ
    among themselves, as every correlation does, and corrects nothing for chance: on a scale where everybody says 3 it
    is near 0. Take it beside an intraclass correlation or alpha.

    Missing data: every item by the scores it has; items with one score are left out.

    Args:
        data: A `Study`, or what one is made of: a table with one row per score (a dataframe, a mapping of columns, a
            list of records), a 2-D array of items × annotators, or the first annotator's scores.
        other: The second annotator's scores in the same order, where `data` is the first's.
        labels: The scale, where scores are labels: all there are, used or not.
        by: A column that makes groups: `by_group()` then has one row per group.
        **roles: Which columns of a table are which, as in `Study`: item="id", annotator="who", score="rating" …

    Returns:
        An `Agreement` with `value`, which also answers `interval()`, `by_item()`, `by_annotator()`, `by_pair()` and
        more. Where no item has two scores it is NaN, and `undefined` says why.

    Raises:
        InputError: If `data` cannot be a study, or the answers are not numbers.
        MeasureError: If the answers are of a kind that has no numbers.
        OptionError: If an option has a value that it cannot take.

    References: gini1912.

    >>> study = [[1, 1], [2, 4], [5, 4]]
    >>> mean_absolute_difference(study).value
    1.0
    """
    study = as_study(data, other, labels, roles)
    return agreement("mean_absolute_difference", study, _of_study, {"labels": labels}, by)


def _of_study(study: Study) -> WithinItems:
    """From the scores of each item."""
    from accord.scores.within_items import WithinItems

    return WithinItems(study._tally_of_people(), "absolute")
