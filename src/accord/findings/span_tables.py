"""What two annotators marked, side by side: every mark with its counterpart, and the counts of MUC and SemEval-2013."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, Unpack

import numpy as np

from accord.agreement.table import Table
from accord.annotations.answers import tidy_number
from accord.annotations.arrays import IntArray
from accord.errors import counted
from accord.measures.span_f1 import check_reference
from accord.spans.continuum import Continuum
from accord.spans.differences import WORDS, Differences, Side
from accord.spans.pair_alignment import align
from accord.spans.semeval_counts import SCHEMES, SemEvalCounts
from accord.spans.shared_documents import SharedDocuments
from accord.spans.texts import Texts, texts_of_documents
from accord.study.other_kinds import about_other_kinds
from accord.study.study import Study
from accord.study.study_of_input import Roles, as_study

LEGEND = (
    "Marks are matched one to one: the same place and label first, then the same place, then by the largest share of "
    "common positions, where another label counts half. Split: the second marked in parts what the first marked as "
    "one; merged: the other way round. Missing: the one whose cells are empty did not mark it."
)
GAP = " … "  # between the pieces of a discontinuous mark


def span_differences(
    data: Any,
    /,
    *,
    reference: str | None = None,
    labels: Sequence[Any] | None = None,
    **roles: Unpack[Roles],
) -> Table:
    """Every span of every two annotators with its counterpart: the same, relabelled, shifted, split, merged or missing.

    One best matching decides which spans belong together, and it depends on what was marked alone. `start_by` and
    `end_by` say how much later the second one's begins and ends: below 0 it is earlier. A discontinuous span whose
    pieces differ is shifted even if both ends are the same.

    Args:
        data: A `Study` of spans, or what one is made of.
        reference: An annotator whom all others are compared with, as the first; by default every two are compared.
        labels: All labels there are, used or not.
        **roles: Which columns of a table are which, as in `Study`: item="doc", annotator="who", label="tag" …

    Returns:
        A `Table` with one row per span, or per group of spans where one was split or several were merged: item, first,
        second, what, the places, labels and texts of both (texts where the study has them), how far the ends lie apart,
        and the share of common positions.

    Raises:
        InputError: If `data` cannot be a study: `ColumnMissing`, `DuplicateAnswers` and `LabelError` are kinds of it.
        MeasureError: If the answers are not spans.
        OptionError: If `reference` is not an annotator.

    >>> table = {
    ...     "doc": [1, 1, 1],
    ...     "who": ["ana", "ben", "ben"],
    ...     "start": [0, 0, 9],
    ...     "end": [4, 5, 12],
    ...     "tag": ["X"] * 3,
    ... }
    >>> found = span_differences(table, item="doc", annotator="who", label="tag", start="start", end="end")
    >>> [(row["what"], row["first_end"], row["second_end"]) for row in found]
    [('shifted', 4, 5), ('missing', None, 12)]
    """
    study, continuum, texts, right = _marked(data, reference, labels, roles)
    found = Differences.of(continuum, right)
    columns: dict[str, Any] = {
        "item": [study.items[place] for place in found.document.tolist()],
        "first": [continuum.annotators[person] for person in found.one.tolist()],
        "second": [continuum.annotators[person] for person in found.other.tolist()],
        "what": [WORDS[code] for code in found.what.tolist()],
    }
    for name, side in (("first", found.first), ("second", found.second)):
        cells = _side(side, continuum, texts, found.document)
        columns.update({f"{name}_{part}": held for part, held in cells.items()})
    apart = {"start_by": found.second.start - found.first.start, "end_by": found.second.end - found.first.end}
    return Table(
        "What two annotators marked, side by side",
        {**columns, **apart, "overlap": found.iou},
        (_summary(found), LEGEND),
    )


def span_counts(
    data: Any,
    /,
    *,
    reference: str | None = None,
    labels: Sequence[Any] | None = None,
    **roles: Unpack[Roles],
) -> Table:
    """Correct, incorrect, partial, missing and spurious spans of every two annotators, as MUC and SemEval-2013 count.

    The first of two is taken for right; F1 does not depend on which. Four schemes: "strict", the same place and label;
    "exact", the same place; "partial", the same place, or half for a place that overlaps; "type", the same label of
    places that overlap. Precision is what is right of all that the second marked, recall of all that the first marked.
    Spans are matched one to one, as in `span_differences`, so nested and overlapping ones are counted as they are, and
    the F1 of "strict" is `span_f1` of the two.

    Args:
        data: A `Study` of spans, or what one is made of.
        reference: An annotator whom all others are compared with, as the first; by default every two are compared.
        labels: All labels there are, used or not.
        **roles: Which columns of a table are which, as in `Study`: item="doc", annotator="who", label="tag" …

    Returns:
        A `Table` with one row per pair of annotators and scheme: correct, incorrect, partial, missing, spurious,
        precision, recall, f1.

    Raises:
        InputError: If `data` cannot be a study: `ColumnMissing`, `DuplicateAnswers` and `LabelError` are kinds of it.
        MeasureError: If the answers are not spans.
        OptionError: If `reference` is not an annotator.

    References: chinchor1993; segura2013.

    >>> table = {
    ...     "doc": [1, 1, 1],
    ...     "who": ["ana", "ben", "ben"],
    ...     "start": [0, 0, 9],
    ...     "end": [4, 5, 12],
    ...     "tag": ["X"] * 3,
    ... }
    >>> found = span_counts(table, item="doc", annotator="who", label="tag", start="start", end="end")
    >>> [(row["scheme"], row["correct"], row["partial"], row["spurious"]) for row in found]
    [('strict', 0, 0, 1), ('exact', 0, 0, 1), ('partial', 0, 1, 1), ('type', 1, 0, 1)]
    """
    _, continuum, _, right = _marked(data, reference, labels, roles)
    shared = SharedDocuments.of(continuum.seen, right)
    right_is_first = np.ones(shared.n_pairs, np.int64) if right is None else (shared.first == right).astype(np.int64)
    counts = SemEvalCounts.of(continuum, align(continuum, shared), right_is_first)
    people = [np.where(right_is_first == side, shared.first, shared.second) for side in (1, 0)]
    names = [[continuum.annotators[one] for one in np.repeat(some, len(SCHEMES))] for some in people]
    precision, recall, f1 = (part.ravel() for part in counts.scores)
    return Table(
        "Spans of the second annotator, with the first taken for right",
        {
            "first": names[0], "second": names[1], "scheme": list(SCHEMES) * shared.n_pairs,
            "correct": counts.correct.ravel(), "incorrect": counts.incorrect.ravel(), "partial": counts.partial.ravel(),
            "missing": counts.missing.ravel(), "spurious": counts.spurious.ravel(),
            "precision": precision, "recall": recall, "f1": f1,
        },
    )  # fmt: skip


def _marked(
    data: Any, reference: str | None, labels: Sequence[Any] | None, roles: Roles
) -> tuple[Study, Continuum, Texts, int | None]:
    """The study, what was marked in it, its texts, and the place of the reference."""
    study = as_study(data, None, labels, roles)
    if study.kind != "spans":
        raise about_other_kinds("A comparison of spans", ("spans",), study.kind)
    check_reference(study, reference)
    texts = texts_of_documents(study)
    return study, Continuum.of(study), texts, None if reference is None else study.annotators.index(reference)


def _side(side: Side, continuum: Continuum, texts: Texts, document: IntArray) -> dict[str, list[Any]]:
    """Where one annotator's marks lie, their labels, and the words; None where there are none."""
    label = [None if unit < 0 else continuum.labels[continuum.label[unit]] for unit in side.unit.tolist()]
    bounds = [
        [None if math.isnan(at) else tidy_number(at) for at in bound.tolist()] for bound in (side.start, side.end)
    ]
    found: dict[str, list[Any]] = {"start": bounds[0], "end": bounds[1], "label": label}
    if any(text is not None for text in texts.text):
        words = [_words(side, continuum, texts.text[place], row) for row, place in enumerate(document.tolist())]
        found["text"] = words
    return found


def _words(side: Side, continuum: Continuum, text: str | None, row: int) -> str | None:
    """What was marked: all its pieces, or all from the beginning of several marks to their end."""
    unit = int(side.unit[row])
    if text is None or unit < 0:
        return None
    if side.number[row] > 1:
        return text[int(side.start[row]) : int(side.end[row])]
    begin, end = np.searchsorted(continuum.piece_of, [unit, unit + 1])
    pieces = zip(continuum.piece_start[begin:end].tolist(), continuum.piece_end[begin:end].tolist(), strict=True)
    return GAP.join(text[int(start) : int(stop)] for start, stop in pieces)


def _summary(found: Differences) -> str:
    """How many rows are of each kind."""
    number = np.bincount(found.what, minlength=len(WORDS)).tolist()
    parts = [f"{many:,} {word}" for word, many in zip(WORDS, number, strict=True) if many]
    return f"{counted(len(found), 'rows')}: {', '.join(parts)}." if parts else "Nobody marked anything."
