"""F1 between annotators who marked spans."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Unpack

from accord.agreement.build import agreement
from accord.agreement.registry import ORDER_AND_NAMES, Measure, Serves, no_options, register
from accord.agreement.result import Agreement
from accord.options import check_choice
from accord.study.study_of_input import Roles, as_study

if TYPE_CHECKING:
    from accord.spans.matching import Match
    from accord.spans.span_f1 import Average, Empty


@register(
    Measure(
        title="Span F1",
        references=("hripcsak2005", "segura2013"),
        summary="how much of what two annotators marked is the same, of all that they marked",
        formula="2 · matched / (marked by one + marked by the other), for every pair of annotators; then the mean",
        named=True,
        kinds=("spans",),
        serves={"spans": Serves()},
        low=0.0,
        chance_corrected=False,
        usual_options=no_options,
        properties=ORDER_AND_NAMES,
    )
)
def span_f1(
    data: Any,
    other: Any = None,
    /,
    *,
    match: Match = "exact",
    threshold: float = 0.5,
    label_must_match: bool = True,
    average: Average = "micro",
    empty: Empty = "skip",
    reference: str | None = None,
    labels: Sequence[Any] | None = None,
    by: str | None = None,
    **roles: Unpack[Roles],
) -> Agreement:
    r"""How much of what two annotators marked is the same, of all that they marked: pairwise F1.

    .. math:: F_{gh} = \frac{2 \sum_d M_{dgh}}{\sum_d (n_{dg} + n_{dh})}, \qquad F = \frac{1}{J} \sum_{g < h} F_{gh}

    :math:`n_{dg}` is how many spans annotator g marked in document d, and :math:`M_{dgh}` how many of those of g and h
    can be matched one to one; the sums are over the documents that both saw, and J pairs marked anything. The matching
    is a largest one, so that no value depends on the order in which a tool stored the spans; nested, overlapping,
    stacked and discontinuous spans are matched as they are.

    Two spans match, by `match`: "exact", the same place and label; "boundary", the same place; "overlap", at least one
    shared position; "iou", what both cover is at least `threshold` of what either covers. With "soft" M is the largest
    sum of these shares.

    Missing data: who did not see a document is not compared on it; who saw it and marked nothing has answered.
    Documents that only one annotator saw are left out and counted. F1 is the positive specific agreement, and what
    kappa tends to as the text that nobody marked grows (hripcsak2005): it needs no count of what was not marked, and
    corrects nothing for chance. Do not read exact F1 alone: beside `match="boundary"` and `match="overlap"` it tells
    whether annotators differ in labels or in borders.

    Args:
        data: A `Study` of spans, or what one is made of: a table with one row per span and `start=`, `end=` and
            `label=`; a row without a place says that somebody saw the document and marked nothing.
        other: Not for spans.
        match: When two spans match: "exact", "boundary", "overlap", "iou" or "soft".
        threshold: Of "iou": the least share of common positions, above 0, up to 1.
        label_must_match: Whether spans of different labels never match.
        average: What is added up before it is divided: "micro", the documents of a pair; "macro", nothing (each
            document has its F1; the mean over documents, then over pairs); "labels", the documents of a pair and a
            label (the mean over pairs, then over labels); "pooled", everything.
        empty: What it is worth if two annotators both marked nothing: "skip" (there is nothing to be alike) or "agree"
            (1). With `average="macro"` that counts for every document, else for pairs who never marked anything.
        reference: An annotator whom all others are measured against, instead of every two.
        labels: All labels there are, used or not; by default those in the data, sorted.
        by: A column that makes groups: `by_group()` then has one row per group.
        **roles: Which columns of a table are which, as in `Study`: item="doc", annotator="who", label="tag" …

    Returns:
        An `Agreement` with `value`, which also answers `interval()` (over documents), `by_item()`, `by_label()`,
        `by_annotator()`, `by_pair()` and more. Where nobody marked anything `value` is NaN, and `undefined` says why.

    Raises:
        InputError: If `data` cannot be a study: `ColumnMissing`, `DuplicateAnswers` and `LabelError` are kinds of it.
        MeasureError: If the answers are not spans, or so many overlap that no matching can be found.
        OptionError: If an option has a value that it cannot take.

    References: hripcsak2005; segura2013.

    >>> from accord import Study
    >>> table = {
    ...     "doc": ["d1"] * 6,
    ...     "who": ["ana"] * 3 + ["ben"] * 3,
    ...     "start": [0, 3, 7, 0, 3, 9],
    ...     "end": [2, 6, 8, 2, 5, 11],
    ...     "tag": ["PER", "LOC", "DATE", "PER", "LOC", "ORG"],
    ... }
    >>> study = Study(table, item="doc", annotator="who", label="tag", start="start", end="end")
    >>> round(span_f1(study).value, 3), round(span_f1(study, match="overlap").value, 3)
    (0.333, 0.667)
    """
    from accord.spans.matching import Criterion
    from accord.spans.span_f1 import SpanF1Recipe

    criterion = Criterion(match, threshold, label_must_match)
    check_averages(average, empty)
    study = as_study(data, other, labels, roles)
    check_reference(study, reference)
    options = {
        "match": match, "threshold": threshold if match == "iou" else None, "label_must_match": label_must_match,
        "average": average, "empty": empty, "reference": reference, "labels": labels,
    }  # fmt: skip
    return agreement("span_f1", study, SpanF1Recipe(criterion, average, empty, reference), options, by)


def check_averages(average: Any, empty: Any) -> None:
    """What is added up, and what nothing is worth."""
    from accord.spans.span_f1 import AVERAGES, EMPTIES

    for name, given, choices in (("average", average, AVERAGES), ("empty", empty, EMPTIES)):
        check_choice(name, given, choices)


def check_reference(study: Any, reference: str | None) -> None:
    """The reference must be one of the annotators."""
    if reference is not None:
        check_choice("reference", reference, study.annotators)
