"""F1 between annotators who marked relations between spans."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Unpack

from accord.agreement.build import agreement
from accord.agreement.registry import ORDER_AND_NAMES, Measure, Serves, no_options, register
from accord.agreement.result import Agreement
from accord.errors import OptionError
from accord.measures.span_f1 import check_averages, check_reference
from accord.study.study import Study
from accord.study.study_of_input import Roles, as_study

if TYPE_CHECKING:
    from accord.spans.relation_matching import Arguments
    from accord.spans.span_f1 import Average, Empty


@register(
    Measure(
        title="Relation F1",
        references=("hripcsak2005",),
        summary="how many of the relations that two annotators marked are the same, of all that they marked",
        formula="2 · same / (relations of one + relations of the other), for every pair of annotators; then the mean",
        named=True,
        kinds=("relations",),
        serves={"relations": Serves()},
        low=0.0,
        chance_corrected=False,
        usual_options=no_options,
        properties=ORDER_AND_NAMES,
    )
)
def relation_f1(
    data: Any,
    other: Any = None,
    /,
    *,
    arguments: Arguments = "exact",
    directed: bool = True,
    label_must_match: bool = True,
    matched_arguments_only: bool = False,
    average: Average = "micro",
    empty: Empty = "skip",
    reference: str | None = None,
    spans: Study | None = None,
    labels: Sequence[Any] | None = None,
    by: str | None = None,
    **roles: Unpack[Roles],
) -> Agreement:
    r"""How many of the relations that two annotators marked are the same, of all that they marked.

    .. math:: F_{gh} = \frac{2 \sum_d M_{dgh}}{\sum_d (n_{dg} + n_{dh})}, \qquad F = \frac{1}{J} \sum_{g < h} F_{gh}

    :math:`n_{dg}` relations were marked by annotator g in document d, and :math:`M_{dgh}` of those of g and h are the
    same: both arguments are matched to each other, in the same order if `directed`, and the labels are the same if
    `label_must_match`. Arguments are matched first, one to one, among the places that the relations of each connect,
    or among all `spans`.

    Missing data: who did not see a document is not compared on it; who marked no relation has answered. A relation can
    only be the same where its arguments are: with `matched_arguments_only=True` the value speaks of those relations
    alone whose two arguments both have a match, which tells relations apart from spans. Do not read it alone: few
    relations may be left.

    Args:
        data: A `Study` of relations, as the readers of brat, INCEpTION, doccano, Label Studio and Prodigy make them, or
            a table with `start=`, `end=` (the first argument), columns `to_start`, `to_end` (the second), and
            `answers="relations"`.
        other: Not for relations.
        arguments: When two arguments match: "exact", the same place; "overlap", by the matching with the largest sum of
            common shares.
        directed: Whether the order of the arguments counts.
        label_must_match: Whether relations of different labels are never the same.
        matched_arguments_only: Whether only relations count whose two arguments both have a match.
        average: What is added up before it is divided, as in `span_f1`: "micro", "macro", "labels" or "pooled".
        empty: What it is worth if two annotators both marked nothing: "skip" or "agree".
        reference: An annotator whom all others are measured against, instead of every two.
        spans: The study of the spans that relations connect (`study.tasks["entities"]`), where there is one: arguments
            are then matched among all spans, and only with spans of the same label.
        labels: All labels there are, used or not; by default those in the data, sorted.
        by: A column that makes groups: `by_group()` then has one row per group.
        **roles: Which columns of a table are which, as in `Study`: item="doc", annotator="who", label="type" …

    Returns:
        An `Agreement` with `value`, which also answers `interval()` (over documents), `by_item()`, `by_label()`,
        `by_annotator()`, `by_pair()` and more. Where nobody marked anything `value` is NaN, and `undefined` says why.

    Raises:
        InputError: If `data` cannot be a study: `ColumnMissing`, `DuplicateAnswers` and `LabelError` are kinds of it.
        MeasureError: If the answers are not relations.
        OptionError: If an option has a value that it cannot take.

    References: hripcsak2005.

    >>> from accord import Study
    >>> table = {
    ...     "doc": ["d"] * 4,
    ...     "who": ["ana", "ana", "ben", "ben"],
    ...     "type": ["works_for", "based_in"] * 2,
    ...     "start": [0, 4, 0, 8],
    ...     "end": [2, 6, 2, 9],
    ...     "to_start": [4, 8, 4, 4],
    ...     "to_end": [6, 9, 6, 6],
    ... }
    >>> study = Study(table, item="doc", annotator="who", label="type", answers="relations")
    >>> relation_f1(study).value, relation_f1(study, directed=False).value
    (0.5, 1.0)
    """
    from accord.spans.relation_f1 import RelationF1Recipe
    from accord.spans.relation_matching import RelationCriterion

    criterion = RelationCriterion(arguments, directed, label_must_match, matched_arguments_only)
    check_averages(average, empty)
    study = as_study(data, other, labels, roles)
    check_reference(study, reference)
    _check_spans(spans)
    options = {
        "arguments": arguments, "directed": directed, "label_must_match": label_must_match,
        "matched_arguments_only": matched_arguments_only, "average": average, "empty": empty, "reference": reference,
        "labels": labels,
    }  # fmt: skip
    return agreement("relation_f1", study, RelationF1Recipe(criterion, average, empty, reference, spans), options, by)


def _check_spans(spans: Any) -> None:
    """What relations connect are spans."""
    if spans is not None and (not isinstance(spans, Study) or spans.kind != "spans"):
        raise OptionError.must("spans", "be a Study of spans, the variable that the relations connect", spans)
