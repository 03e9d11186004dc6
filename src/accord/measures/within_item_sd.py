"""Within-item standard deviation."""

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
        "Within-item standard deviation",
        "bland1996",
        "how much one score of an item varies about the mean of its scores, in the unit of the scale",
        "√(Σ (x − mean of the item)² / Σ (scores of the item − 1))",
    )
)
def within_item_sd(
    data: Any,
    other: Any = None,
    /,
    *,
    labels: Sequence[Any] | None = None,
    by: str | None = None,
    **roles: Unpack[Roles],
) -> Agreement:
    r"""How much one score of an item varies about the mean of its scores, in the unit of the scale.

    .. math:: s_w = \sqrt{\frac{\sum_i \sum_g (x_{ig} - \bar x_i)^2}{\sum_i (r_i - 1)}}

    :math:`r_i` annotators scored item i. It is the root of the pooled variance within items, which holds both the
    annotators' different levels and their noise: the standard error of measurement of one score by anybody. Two scores
    of one item differ by less than :math:`1.96 \sqrt 2\, s_w` in 95 % of cases (the repeatability coefficient of
    bland1996), if differences are normal. It does not depend on how much items differ among themselves.

    Missing data: every item by the scores it has; items with one score are left out. Where it grows with the score
    (look at `bland_altman`), one number does not tell it.

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

    References: bland1996.

    >>> study = [[1, 1], [2, 4], [5, 4]]
    >>> round(within_item_sd(study).value, 3)  # √((0 + 2 + 0.5) / 3)
    0.913
    """
    study = as_study(data, other, labels, roles)
    return agreement("within_item_sd", study, _of_study, {"labels": labels}, by)


def _of_study(study: Study) -> WithinItems:
    """From the scores of each item."""
    from accord.scores.within_items import WithinItems

    return WithinItems(study._tally_of_people(), "squared")
