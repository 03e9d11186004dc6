"""Kendall's coefficient of concordance."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, TypeAlias, Unpack, get_args

from accord.agreement.build import agreement
from accord.agreement.registry import ORDER_AND_NAMES, Measure, Serves, no_options, register
from accord.agreement.result import Agreement
from accord.measures.options_in_order import by_option
from accord.options import check_choice
from accord.study.study_of_input import Roles, as_study

Incomplete: TypeAlias = Literal["common", "blocks"]


@register(
    Measure(
        title="Kendall's W",
        references=("kendall1939", "friedman1937", "durbin1951"),
        summary="how far the rank sums of options differ, of how far they could; mean over queries",
        formula="12 S / (m² (n³ − n) − m T), S the spread of rank sums, T = Σ t³ − t over ties; mean over queries",
        kinds=("ranking",),
        serves={"ranking": Serves("of whole orders")},
        low=0.0,
        chance_corrected=False,
        no_scale="Its value under chance is one divided by the number of annotators, not 0.",
        by_answers=False,
        by_label=by_option,
        usual_options=no_options,
        properties=ORDER_AND_NAMES,
    )
)
def kendall_w(
    data: Any,
    other: Any = None,
    /,
    *,
    incomplete: Incomplete = "common",
    labels: Sequence[Any] | None = None,
    by: str | None = None,
    **roles: Unpack[Roles],
) -> Agreement:
    r"""How far annotators put the options of a query in the same order: 1 is the same order, 0 none in common.

    .. math:: W = \frac{12 S}{m^2 (n^3 - n) - m T}, \qquad S = \sum_j (R_j - \bar R)^2, \qquad T = \sum (t^3 - t)

    m annotators ranked n options; :math:`R_j` is the sum of the mid-ranks of option j, and T goes over all ties of all
    annotators, t options each. Of several queries it is the mean over queries, each counting once, and the interval is
    over queries. The order of options has no direction for two annotators who rank backwards: W is then 0, not −1.

    Of annotators who know nothing of the options W is 1 / m on average, so that values of different numbers of
    annotators do not compare; (m W − 1) / (m − 1) is the mean Spearman correlation where everybody has the same ties.
    `test()` tells whether it is more than chance: every arrangement of one small query ("exact"), else Friedman's
    :math:`\chi^2 = m (n - 1) W`, added up over queries ("chi-square"); "f" for one query, and "permutation".

    Missing data: the options of a query that not all of its annotators ranked are left out, and the others put in order
    among themselves; notes say which. Where annotators ranked a part of the options each by a balanced plan, take
    `incomplete="blocks"` (durbin1951). Queries of one annotator, with fewer than two common options, or in which
    everybody tied everything, have no value and are counted.

    Args:
        data: A `Study` of rankings, or what one is made of: a table with one row per option, with `item=` (the query),
            `annotator=`, `label=` (the option) and `rank=`.
        other: Not for rankings.
        incomplete: Where annotators of a query ranked different options: "common" compares those that all ranked,
            "blocks" takes them for balanced incomplete blocks.
        labels: All options there are, used or not; by default those in the data, sorted.
        by: A column that makes groups: `by_group()` then has one row per group.
        **roles: Which columns of a table are which, as in `Study`: item="query", annotator="who", label="option" …

    Returns:
        An `Agreement` with `value`, which also answers `interval()` (over queries), `test()`, `by_item()` (queries),
        `by_label()` (where the options stand), `by_annotator()` and `by_pair()` (W of every two by themselves).

    Raises:
        InputError: If `data` cannot be a study: `ColumnMissing` and `LabelError` are kinds of it.
        MeasureError: If the answers are not rankings, or blocks are not balanced.
        OptionError: If an option has a value that it cannot take.

    References: kendall1939; friedman1937; durbin1951.

    >>> from accord import Study
    >>> orders = {"ana": "abcde", "ben": "baced", "cleo": "acbde"}
    >>> table = [
    ...     {"query": "q", "who": who, "option": option, "rank": place}
    ...     for who, order in orders.items()
    ...     for place, option in enumerate(order, start=1)
    ... ]
    >>> study = Study(table, item="query", annotator="who", label="option", rank="rank", answers="ranking")
    >>> found = kendall_w(study)
    >>> round(found.value, 3), round(found.test(method="chi-square").p, 4)
    (0.844, 0.0382)
    """
    from accord.rankings.incomplete_blocks import BlocksRecipe
    from accord.rankings.kendall_concordance import ConcordanceRecipe

    check_choice("incomplete", incomplete, get_args(Incomplete))
    study = as_study(data, other, labels, roles)
    recipe = ConcordanceRecipe() if incomplete == "common" else BlocksRecipe()
    options = {"incomplete": None if incomplete == "common" else incomplete, "labels": labels}
    return agreement("kendall_w", study, recipe, options, by)
