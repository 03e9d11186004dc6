"""Agreement on which of two options is better, with credit for ties."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, TypeAlias, Unpack

from accord.agreement.build import Row, agreement
from accord.agreement.registry import Measure, no_options, register
from accord.agreement.result import Agreement
from accord.coefficients import chance
from accord.coefficients.measurable import Measurable
from accord.errors import MeasureError, remedy
from accord.options import check_choice
from accord.study.study import Study
from accord.study.study_of_input import Roles, as_study

CreditOfTies: TypeAlias = Literal["half", "drop"]
CREDITS: tuple[CreditOfTies, ...] = ("half", "drop")


@register(
    Measure(
        title="Agreement on preferences",
        references=("zheng2023",),
        summary="the share of pairs of judges who prefer the same option; a tie against a preference is half",
        formula="nothing is attributed to chance; a tie against a preference counts half",
        role="first",
        low=0.0,
        chance_corrected=False,
        zero="Zero is that everybody prefers the opposite, and independent judges have more.",
        is_share=True,
        partial_credit=True,
        usual_options=no_options,
    )
)
def preference_agreement(
    data: Any,
    other: Any = None,
    /,
    *,
    ties: CreditOfTies = "half",
    labels: Sequence[Any] | None = None,
    by: str | None = None,
    **roles: Unpack[Roles],
) -> Agreement:
    r"""Share of pairs of judges who prefer the same of two options, with half credit for a tie.

    .. math:: o = \frac{1}{n} \sum_i \frac{1}{r_i (r_i - 1)} \sum_{g \ne h} w(a_{ig}, a_{ih})

    :math:`a_{ig}` is what judge g says of item i (the first option, a tie, the second), of which :math:`r_i` judged it
    and n items have two or more. w is 1 for the same answer, 1/2 for a tie against a preference and 0 for opposite
    preferences. With `ties="drop"` only pairs of answers that both decided are counted, each once over all items:
    that is what leaderboards call agreement without ties (zheng2023).

    Missing data: an item needs two answers to count. What is preferred is told by option, whichever stood first. Judges
    who toss a coin agree in half of the pairs; `krippendorff_alpha` on the ordinal level takes that off.

    Args:
        data: A `Study` of preferences, or what one is made of: a table with `first=` and `second=`.
        other: Not for preferences.
        ties: What a tie against a preference is worth: "half", or nothing is asked of ties ("drop").
        labels: Not needed: preferences are on the scale first, tie, second.
        by: A column that makes groups: `by_group()` then has one row per group.
        **roles: Which columns of a table are which, as in `Study`: item="prompt", annotator="judge", first="model_a" …

    Returns:
        An `Agreement` with `value`, which also answers `interval()` (over items), `by_item()`, `by_pair()` and more.

    Raises:
        InputError: If `data` cannot be a study: `ColumnMissing`, `DuplicateAnswers` and `LabelError` are kinds of it.
        MeasureError: If the answers are no preferences.
        OptionError: If an option has a value that it cannot take.

    References: zheng2023.

    >>> sides = ["A", "A", "B"], ["A", "A", "A"], ["tie", "B", "B"], ["B", "A", "tie"]
    >>> rows = [
    ...     {"item": item, "annotator": who, "label": label, "first": "A", "second": "B"}
    ...     for item, labels in enumerate(sides)
    ...     for who, label in enumerate(labels)
    ... ]
    >>> [round(preference_agreement(rows, ties=ties).value, 3) for ties in ("half", "drop")]
    [0.583, 0.625]
    """
    check_choice("ties", ties, CREDITS)
    study = as_study(data, other, labels, roles)
    for part in study.tasks.values() or [study]:
        if not part.compares:
            raise MeasureError(
                "Agreement on preferences is for which of two options is better, and no columns say which two were "
                "compared. Name them: ",
                remedy(first=..., second=...),
                ".",
            )
    recipe = Row("preference_agreement", "linear", chance.none) if ties == "half" else _decided
    return agreement("preference_agreement", study, recipe, {"ties": ties, "labels": labels}, by)


def _decided(study: Study) -> Measurable:
    from accord.preferences.decided_pairs import DecidedPairs

    return DecidedPairs(study._tally_of_people())
