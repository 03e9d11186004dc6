"""Lin's concordance."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, Unpack

from accord.agreement.build import agreement
from accord.agreement.registry import ORDER_AND_NAMES, Measure, no_options, register
from accord.agreement.result import Agreement
from accord.measures.of_scores import PAIRS_UNASKED, many_pairs_of_scores, only_of_scores
from accord.options import check_choice
from accord.study.study_of_input import Roles, as_study

if TYPE_CHECKING:
    from accord.scores.lin_concordance import Average


TITLE = "Lin's concordance"


@register(
    Measure(
        title=TITLE,
        references=("lin1989", "lin2000", "barnhart2002"),
        summary="how far two annotators give one and the same score, not only scores that rise together",
        formula="2 s_xy / (s_x² + s_y² + (x̄ − ȳ)²); of more than two, the terms of all pairs added up",
        chance="own",
        named=True,
        kinds=("score", "single"),
        numeric=True,
        no_scale="Words for concordances of measuring instruments begin at 0.90 and do not fit people's scores.",
        unasked=partial(only_of_scores, TITLE),
        takes_long=partial(many_pairs_of_scores, TITLE, PAIRS_UNASKED),
        by_answers=False,
        usual_options=no_options,
        properties=ORDER_AND_NAMES,
    )
)
def lin_concordance(
    data: Any,
    other: Any = None,
    /,
    *,
    average: Average = "overall",
    labels: Sequence[Any] | None = None,
    by: str | None = None,
    **roles: Unpack[Roles],
) -> Agreement:
    r"""How far two annotators give one and the same score, not only scores that rise together.

    .. math:: \rho_c = \frac{2 s_{xy}}{s_x^2 + s_y^2 + (\bar x - \bar y)^2} = r \cdot C_b

    :math:`s` are variances and the covariance over n, on the items both scored. It is the correlation r times
    :math:`C_b`, which falls below 1 as means or spreads differ: one minus the mean squared difference over what it
    would be if the two scored independently. It is Cohen's kappa with quadratic weights, written for numbers.

    More than two annotators: with `average="overall"` the terms above and below the line are added up over all pairs,
    each by its common items; without gaps that is the overall concordance of barnhart2002, and Conger's kappa with
    quadratic weights. With "pairs" it is the plain mean of the pairs' values.

    Missing data: each pair on the items both scored; pairs with fewer than three in common are left out and named.
    The interval is over items, by the derivative of the value; `working()` shows Lin's own of each pair (Fisher's z,
    for scores that are normal). Do not compare values of studies whose items differ more or less among themselves:
    like every correlation it rises with the spread of the items. `mean_absolute_difference` and `bland_altman` do not.

    Args:
        data: A `Study`, or what one is made of: a table with one row per score (a dataframe, a mapping of columns, a
            list of records), a 2-D array of items × annotators, or the first annotator's scores.
        other: The second annotator's scores in the same order, where `data` is the first's.
        average: What becomes of more than two annotators: "overall" or "pairs".
        labels: The scale, where scores are labels: all there are, used or not.
        by: A column that makes groups: `by_group()` then has one row per group.
        **roles: Which columns of a table are which, as in `Study`: item="id", annotator="who", score="rating" …

    Returns:
        An `Agreement` with `value`, which also answers `interval()`, `by_annotator()`, `by_pair()` and more. Where no
        pair has a value it is NaN, and `undefined` says why.

    Raises:
        InputError: If `data` cannot be a study, or the answers are not numbers.
        MeasureError: If nobody is named.
        OptionError: If `average` is neither of the two.

    References: lin1989; lin2000; barnhart2002.

    >>> wright = [494, 395, 516, 434, 476, 557, 413, 442, 650, 433, 417, 656, 267, 478, 178, 423, 427]
    >>> mini = [512, 430, 520, 428, 500, 600, 364, 380, 658, 445, 432, 626, 260, 477, 259, 350, 451]
    >>> round(lin_concordance(wright, mini).value, 3)  # two meters, Bland and Altman 1986
    0.943
    """
    from accord.scores.lin_concordance import AVERAGES, Lin

    check_choice("average", average, AVERAGES)
    study = as_study(data, other, labels, roles)
    options = {"average": average if study.n_annotators > 2 else None, "labels": labels}
    return agreement("lin_concordance", study, Lin(average), options, by)
