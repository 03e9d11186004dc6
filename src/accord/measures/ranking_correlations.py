"""Mean rank correlations of every two annotators: Kendall's tau-b and Spearman's."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Unpack

from accord.agreement.build import agreement
from accord.agreement.registry import ORDER_AND_NAMES, Measure, no_options, register
from accord.agreement.result import Agreement
from accord.measures.options_in_order import by_option
from accord.study.study_of_input import Roles, as_study


@register(
    Measure(
        title="Mean tau-b of rankings",
        references=("kendall1945",),
        summary="how many more pairs of options two annotators put in the same order than in opposite ones",
        formula="(concordant − discordant) / √(untied by one · untied by the other); mean over pairs, then queries",
        named=True,
        kinds=("ranking",),
        no_scale="The scales of the literature are for kappas and alpha, and this is a correlation.",
        by_label=by_option,
        usual_options=no_options,
        properties=ORDER_AND_NAMES,
    )
)
def ranking_tau_b(
    data: Any,
    other: Any = None,
    /,
    *,
    labels: Sequence[Any] | None = None,
    by: str | None = None,
    **roles: Unpack[Roles],
) -> Agreement:
    r"""How alike every two annotators order the options of a query, pair of options by pair of options.

    .. math:: \tau_b = \frac{C - D}{\sqrt{(N - T_g)(N - T_h)}}

    Of the N pairs of options that both ranked, C are in the same order and D in opposite ones; g ties :math:`T_g` of
    them, h :math:`T_h`. The value is the mean over pairs of annotators, then over queries, each counting once; the
    interval is over queries. 1 is the same order, −1 the opposite one, and 0 what annotators would have who know
    nothing of the options.

    Missing data: every two annotators are compared on the options both ranked. Pairs with fewer than two in common, or
    of whom one tied all of them, are left out and counted.

    Args:
        data: A `Study` of rankings, or what one is made of: a table with one row per option, with `item=` (the query),
            `annotator=`, `label=` (the option) and `rank=`.
        other: Not for rankings.
        labels: All options there are, used or not; by default those in the data, sorted.
        by: A column that makes groups: `by_group()` then has one row per group.
        **roles: Which columns of a table are which, as in `Study`: item="query", annotator="who", label="option" …

    Returns:
        An `Agreement` with `value`, which also answers `interval()` (over queries), `test()`, `by_item()` (queries),
        `by_label()` (where the options stand), `by_annotator()` and `by_pair()`.

    Raises:
        InputError: If `data` cannot be a study: `ColumnMissing` and `LabelError` are kinds of it.
        MeasureError: If the answers are not rankings, or nobody is named.
        OptionError: If an option has a value that it cannot take.

    References: kendall1945.

    >>> from accord import Study
    >>> study = Study.from_wide([[["a", "b", "c", "d"], ["b", "a", "c", "d"]]], answers="ranking")
    >>> round(ranking_tau_b(study).value, 3)
    0.667
    """
    from accord.rankings.pair_measures import TAU_B

    return agreement("ranking_tau_b", as_study(data, other, labels, roles), TAU_B, {"labels": labels}, by)


@register(
    Measure(
        title="Mean Spearman correlation of rankings",
        references=("spearman1904", "kendall1939"),
        summary="the correlation of the ranks that two annotators give to the options of a query",
        formula="Pearson's correlation of mid-ranks, mean over pairs of annotators, then over queries",
        named=True,
        kinds=("ranking",),
        no_scale="The scales of the literature are for kappas and alpha, and this is a correlation.",
        by_label=by_option,
        usual_options=no_options,
        properties=ORDER_AND_NAMES,
    )
)
def ranking_spearman(
    data: Any,
    other: Any = None,
    /,
    *,
    labels: Sequence[Any] | None = None,
    by: str | None = None,
    **roles: Unpack[Roles],
) -> Agreement:
    r"""How alike every two annotators order the options of a query: the correlation of their ranks.

    .. math:: r_{gh} = \frac{\sum_j (x_{gj} - \bar x)(x_{hj} - \bar x)}
              {\sqrt{\sum_j (x_{gj} - \bar x)^2 \sum_j (x_{hj} - \bar x)^2}}

    :math:`x_{gj}` is the mid-rank of option j among those that both annotators ranked. The value is the mean over
    pairs of annotators, then over queries, each counting once; the interval is over queries. Without ties it is
    (m W − 1) / (m − 1) of m annotators' W, and far places count as much as near ones do for `ranking_tau_b`, squared.

    Missing data: every two annotators are compared on the options both ranked. Pairs with fewer than two in common, or
    of whom one tied all of them, are left out and counted.

    Args:
        data: A `Study` of rankings, or what one is made of: a table with one row per option, with `item=` (the query),
            `annotator=`, `label=` (the option) and `rank=`.
        other: Not for rankings.
        labels: All options there are, used or not; by default those in the data, sorted.
        by: A column that makes groups: `by_group()` then has one row per group.
        **roles: Which columns of a table are which, as in `Study`: item="query", annotator="who", label="option" …

    Returns:
        An `Agreement` with `value`, which also answers `interval()` (over queries), `test()`, `by_item()` (queries),
        `by_label()` (where the options stand), `by_annotator()` and `by_pair()`.

    Raises:
        InputError: If `data` cannot be a study: `ColumnMissing` and `LabelError` are kinds of it.
        MeasureError: If the answers are not rankings, or nobody is named.
        OptionError: If an option has a value that it cannot take.

    References: spearman1904; kendall1939.

    >>> from accord import Study
    >>> study = Study.from_wide([[["a", "b", "c", "d"], ["b", "a", "d", "c"]]], answers="ranking")
    >>> round(ranking_spearman(study).value, 3)
    0.6
    """
    from accord.rankings.pair_measures import SPEARMAN

    return agreement("ranking_spearman", as_study(data, other, labels, roles), SPEARMAN, {"labels": labels}, by)
