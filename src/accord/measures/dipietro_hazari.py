"""DiPietro and Hazari's kappa: labels suggested beforehand, judged by annotators."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Unpack

from accord.agreement.build import agreement
from accord.agreement.registry import MEASURES, ORDER_AND_NAMES, Measure, no_options, register
from accord.agreement.result import Agreement
from accord.study.in_memory import in_memory_where_repeated
from accord.study.study_of_input import PlainRoles, as_study

if TYPE_CHECKING:
    from accord.agreement.table import Table


def _by_label(result: Agreement) -> Table:
    from accord.agreement.breakdowns import suggestions_by_label

    return suggestions_by_label(result)


@register(
    Measure(
        title="DiPietro–Hazari kappa",
        chance="suggested",
        references=("dipietro2022", "fleiss1971"),
        summary="labels suggested beforehand: do the annotators agree on them, or on something else?",
        formula="A_e = Σ C_k² L_k − Σ C_k² (1 − L_k), C the shares of answers and L those of suggestions",
        kinds=("single",),
        role="suggested",
        instead=lambda: ["It judges one suggested label per item by single labels."],
        of_item_means=True,
        by_label=_by_label,
        usual_options=no_options,
        properties=ORDER_AND_NAMES,
    )
)
def dipietro_hazari_kappa(
    data: Any,
    other: Any = None,
    /,
    *,
    suggested: Any = None,
    labels: Sequence[Any] | None = None,
    by: str | None = None,
    **roles: Unpack[PlainRoles],
) -> Agreement:
    r"""How good suggested labels are: whether annotators agree on them rather than on something else.

    .. math:: \kappa_{DH} = \frac{(\bar R - \bar S) - (C_E - C_F)}{1 - (C_E - C_F)}, \qquad
              C_E = \sum_j C_j^2 L_j, \qquad C_F = \sum_i L_i \sum_{j \ne i} C_j^2

    :math:`\bar R` is the share of pairs of answers that are both the suggested label, :math:`\bar S` that are both the
    same other label, each item counted once; :math:`C_j` is the share of label j among answers (the mean over items),
    :math:`L_j` among suggestions. `observed` is R̄ − S̄ and `expected` C_E − C_F; the four parts are
    `result.coefficient.observed_right`, `observed_wrong`, `expected_right`, `expected_wrong`.

    Missing data: items without a suggestion are counted and left out; unequal numbers of answers count by the item's
    own pairs, and an item with a single answer informs the marginals only. R̄ + S̄ and C_E + C_F are the observed and
    the expected agreement of `fleiss_kappa`.

    When not to trust it: it supposes annotators who are fit to judge. Fleiss' kappa of the same items stands in
    `notes`, with a warning where it is low. It is 0 for annotators who answer at random, whatever is suggested; it is
    *not* 0 for random suggestions when annotators agree (two labels 0, four −0.33, ten −0.67, for evenly used labels).

    Args:
        data: A `Study`, or what one is made of: a table with one row per annotation (a dataframe, a mapping of columns,
            a list of records), a 2-D array of items × annotators, or the first annotator's answers.
        other: The second annotator's answers in the same order, where `data` is the first's.
        suggested: The suggested labels: a column, a mapping from item to label, a table (item, suggested), a list by
            row number, what `sample_for_annotation` drew, or the name of an annotator (a model), who is then not one of
            the annotators. Without it the study's own `suggested` role.
        labels: The scale: all labels there are, in order, used or not; by default those in the data, sorted.
        by: A column that makes groups: `by_group()` then has one row per group.
        **roles: Which columns of a table are which, as in `Study`: item="id", annotator="who", label="tag" …

    Returns:
        An `Agreement` with `value`, `observed` and `expected`, which also answers `interval()`, `test()`, `by_item()`,
        `by_label()` and more. Where the coefficient is undefined `value` is NaN, and `undefined` says why.

    Raises:
        InputError: If `data` cannot be a study, or if nothing is suggested for its items.
        MeasureError: If the answers are not single labels; the message names a measure that fits.
        OptionError: If an option has a value that it cannot take.

    References: dipietro2022; fleiss1971.

    >>> from accord import Study
    >>> counts = [[4, 0], [2, 2], [0, 4], [4, 0]]
    >>> kappa = dipietro_hazari_kappa(Study.from_counts(counts), suggested=[0, 0, 1, 0])
    >>> round(kappa.value, 6), kappa.notes
    (0.714286, ("Fleiss' kappa of the annotators on these items: 0.644.",))
    """
    from accord.coefficients.dipietro_hazari import AgainstSuggestions
    from accord.study.suggested_labels import as_column, described, without_suggester

    study = in_memory_where_repeated(as_study(data, other, labels, roles))  # type: ignore[arg-type]
    description = described(suggested)
    suggested, study = as_column(suggested, study)
    recipe = AgainstSuggestions(suggested)
    for part in study.tasks.values() if study.tasks else (study,):
        MEASURES[dipietro_hazari_kappa.__name__].check(part)
        recipe.suggestions(part)  # before the suggester leaves the study
    options = {"suggested": description, "labels": labels}
    return agreement("dipietro_hazari_kappa", without_suggester(suggested, study), recipe, options, by)
