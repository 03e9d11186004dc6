"""Rank-biased overlap of lists of options."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Unpack

from accord.agreement.build import agreement
from accord.agreement.registry import ORDER_AND_NAMES, Measure, no_options, register
from accord.agreement.result import Agreement
from accord.errors import OptionError
from accord.measures.options_in_order import by_option
from accord.options import check_choice, check_finite
from accord.study.study import Study
from accord.study.study_of_input import Roles, as_study

if TYPE_CHECKING:
    from accord.rankings.biased_overlap import Bound, Ties


FEW = 10  # options, up to which the first places of whole lists are nearly all of them


def _says_little(study: Study) -> str | None:
    """Lists of few options that all have in common overlap whatever their order."""
    from accord.rankings.ranks import Ranks

    ranks = Ranks.of(study)
    if not ranks.common.all() or int(ranks.width.max(initial=0)) > FEW:
        return None
    return "Everybody ranked the same options, and few of them: such lists overlap whatever their order."


@register(
    Measure(
        title="Rank-biased overlap",
        references=("webber2010", "corsi2024"),
        summary="how much the first places of two lists share, early places counting most; any options, any length",
        formula="(1 − p) Σ pᵈ⁻¹ A_d, A_d how much the first d places of two lists share; mean over pairs, then queries",
        named=True,
        kinds=("ranking",),
        low=0.0,
        chance_corrected=False,
        no_scale="Its value under chance depends on how many options there are to choose from.",
        unasked=_says_little,
        by_label=by_option,
        usual_options=no_options,
        properties=ORDER_AND_NAMES,
    )
)
def rank_biased_overlap(
    data: Any,
    other: Any = None,
    /,
    *,
    p: float = 0.9,
    ties: Ties = "a",
    value: Bound = "ext",
    labels: Sequence[Any] | None = None,
    by: str | None = None,
    **roles: Unpack[Roles],
) -> Agreement:
    r"""How much the first places of two lists share, early places counting most; lists may hold different options.

    .. math:: \mathrm{RBO} = (1 - p) \sum_{d = 1}^{\infty} p^{d - 1} A_d

    :math:`A_d` is the agreement of the first d places: the options in both, over d. A reader who goes on to the next
    place with probability p looks at 1 / (1 − p) places; with p = 0.9 the first ten places have 86 % of the weight. The
    value is the mean over pairs of annotators, then over queries; the interval is over queries.

    Lists end, so that what comes after is not known. `value="ext"` takes it to agree as what was seen, "min" and "max"
    are the least and the most that it can be, and "res" is how far these are apart. Some packages print the sum up to
    the end of the lists, which is none of these: of two equal lists of five options it is 0.41 at p = 0.9, "ext" is 1.

    Tied options (corsi2024): with "w" they are equal, and all stand at the first of their places; with "a" the value is
    the mean over all orders of them, as where nobody knows which comes first; "b" divides that by what the two lists
    would share with themselves, so that equal lists have 1. Without ties all three are one.

    Missing data: an option that is not in a list is not in it; nothing is left out. It is not corrected for chance:
    lists of few options overlap whatever their order, and where everybody ranks the same options `ranking_tau_b` or
    `kendall_w` tell the orders better.

    Args:
        data: A `Study` of rankings, or what one is made of: a table with one row per option, with `item=` (the query),
            `annotator=`, `label=` (the option) and `rank=`.
        other: Not for rankings.
        p: How likely a reader is to go on to the next place, between 0 and 1.
        ties: What tied options are: "a", in an order not known; "b", the same with equal lists at 1; "w", equal.
        value: What is taken of places after the end of a list: "ext", "min", "max" or "res".
        labels: All options there are, used or not; by default those in the data, sorted.
        by: A column that makes groups: `by_group()` then has one row per group.
        **roles: Which columns of a table are which, as in `Study`: item="query", annotator="who", label="option" …

    Returns:
        An `Agreement` with `value`, which also answers `interval()` (over queries), `by_item()` (queries), `by_label()`
        (where the options stand), `by_annotator()` and `by_pair()`.

    Raises:
        InputError: If `data` cannot be a study: `ColumnMissing` and `LabelError` are kinds of it.
        MeasureError: If the answers are not rankings, or nobody is named.
        OptionError: If an option has a value that it cannot take.

    References: webber2010; corsi2024.

    >>> from accord import Study
    >>> lists = [["a", "b", "c", "d", "e"], ["b", "a", "c", "f", "g"]]
    >>> study = Study.from_wide([lists], answers="ranking")
    >>> [round(rank_biased_overlap(study, value=value).value, 3) for value in ("min", "ext", "max")]
    [0.423, 0.619, 0.846]
    """
    from accord.rankings.biased_overlap import BOUNDS, TIES
    from accord.rankings.pair_measures import overlap_recipe

    check_finite("p", p)
    if not 0 < p < 1:
        raise OptionError.must("p", "lie between 0 and 1", p)
    for name, given, choices in (("ties", ties, TIES), ("value", value, BOUNDS)):
        check_choice(name, given, choices)
    options = {"p": p, "ties": ties, "value": value, "labels": labels}
    recipe = overlap_recipe(float(p), ties, value)
    return agreement("rank_biased_overlap", as_study(data, other, labels, roles), recipe, options, by)
