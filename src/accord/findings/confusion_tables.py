"""Confusion tables: which answers meet which, of all annotators together and of every two."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Unpack

import numpy as np

from accord.agreement.table import Table
from accord.annotations.arrays import FloatArray, IntArray, add_up
from accord.annotations.tally import Tally
from accord.coefficients.annotator_pairs import AnnotatorPairs
from accord.coefficients.confusion import MOST_LABELS, pooled_confusion
from accord.errors import MeasureError, OptionError, Remedy
from accord.findings.study_view import View, view_of
from accord.options import one_or_listed
from accord.study.study import Study
from accord.study.study_of_input import Roles


@dataclass(frozen=True, eq=False)
class ConfusionCells:
    """Contingency tables of annotator pairs, only the cells that are not empty: nothing is annotators² × labels²."""

    first: IntArray  # (J,) annotators of each pair
    second: IntArray
    pair: IntArray  # (C,) the pair of each cell, ascending
    first_answer: IntArray
    second_answer: IntArray
    items: FloatArray

    @classmethod
    def of(cls, tally: Tally) -> ConfusionCells:
        """Of all annotators who met."""
        tally = tally.where(tally.pairable)
        met, size = AnnotatorPairs.of(tally), len(tally.answers)
        keys = (met.pair * size + met.first_answer) * size + met.second_answer
        distinct, place = np.unique(keys, return_inverse=True)
        items = add_up(place, tally.items[met.pattern], len(distinct))
        rest, second_answer = np.divmod(distinct, size)
        pair, first_answer = np.divmod(rest, size)
        return cls(met.first, met.second, pair, first_answer, second_answer, items)

    def tables(self, size: int) -> Iterator[FloatArray]:
        """(K, K) the table of each pair, one at a time."""
        if size > MOST_LABELS:
            raise MeasureError(
                f"A confusion table is for up to {MOST_LABELS:,} labels; here are {size:,}. Merge rare labels first, "
                "or take ",
                Remedy({}, "accord.findings.confusion_by_pair", python="confusion_by_pair"),
                ", which names the cells that are not empty.",
            )
        ends = np.searchsorted(self.pair, np.arange(len(self.first) + 1))
        for low, high in pairwise(ends.tolist()):
            place = self.first_answer[low:high] * size + self.second_answer[low:high]
            yield add_up(place, self.items[low:high], size * size).reshape(size, size)


def cells_of(view: View) -> ConfusionCells:
    """The cells of a view, or an error that says why there are none."""
    return ConfusionCells.of(named_tally(view))


def named_tally(view: View) -> Tally:
    """Who gave which label, or an error that says why that is not known."""
    if view.named_tally is None:
        raise MeasureError("This compares annotators with each other. ", view.why_not_named)
    return view.named_tally


def confusion(
    data: Any,
    other: Any = None,
    /,
    *,
    annotators: Sequence[str] | None = None,
    labels: Sequence[Any] | None = None,
    **roles: Unpack[Roles],
) -> Table:
    """Which answers meet which: of all annotators together, or of two.

    Args:
        data: As in `explain`.
        other: The second annotator's answers, where `data` is the first's.
        annotators: Two names: rows are the first's labels, columns the second's, cells the items both answered.
            Without them the table is pooled and symmetric: each item spreads one unit over its pairs of answers.
        labels: The scale: all labels there are, in order.
        **roles: The keywords of `Study`.

    Returns:
        A `Table` with one row and one column per label.

    Raises:
        InputError: If `data` cannot be a study: `ColumnMissing`, `DuplicateAnswers` and `LabelError` are kinds of it.
        MeasureError: If the answers are not single labels.
        OptionError: If other than two annotators are named.

    >>> table = confusion(["a", "b", "b"], ["a", "b", "a"], annotators=["1", "2"])
    >>> [tuple(row.values()) for row in table]
    [('a', 1, 0), ('b', 1, 1)]
    """
    view = view_of(data, other, labels, roles, single=annotators is not None)
    names = view.study.labels
    if annotators is None:
        title, counts = "Pairs of answers on an item, each item counted once", pooled_confusion(view.study)
    else:
        rule = "name two annotators; confusion_by_pair has all pairs"
        annotators = one_or_listed("annotators", annotators, rule)
        if not len(set(annotators)) == 2 == len(annotators):
            raise OptionError.must("annotators", rule, annotators)
        both = view.study.of_annotators(annotators)
        part = View(both, view.main, view.target)
        counts = _oriented(
            next(cells_of(part).tables(len(names)), np.zeros((len(names), len(names)))), both, annotators
        )
        title = f"Items by the label of {annotators[0]} (rows) and of {annotators[1]} (columns)"
    columns: dict[str, Any] = {"label": list(names)}
    for place, name in enumerate(names):
        cells = counts[:, place] if annotators is None else counts[:, place].astype(np.int64)
        columns[str(name) if str(name) not in columns else f"{name} ({place})"] = cells
    return Table(title, columns)


def _oriented(table: FloatArray, study: Study, annotators: Sequence[str]) -> FloatArray:
    """Rows for the annotator named first, wherever it stands in the study."""
    places = [study.annotators.index(name) for name in annotators]
    return table if places[0] < places[1] else table.T


def confusion_by_pair(
    data: Any, other: Any = None, /, *, labels: Sequence[Any] | None = None, **roles: Unpack[Roles]
) -> Table:
    """The contingency tables of all annotator pairs who met, one row per cell that is not empty.

    Args:
        data: A `Study`, or what one is made of: a table with one row per annotation (a dataframe, a mapping of columns,
            a list of records), a 2-D array of items × annotators, or the first annotator's answers.
        other: The second annotator's answers in the same order, where `data` is the first's.
        labels: The scale: all labels there are, in order, used or not; by default those in the data, sorted.
        **roles: Which columns of a table are which, as in `Study`: item="id", annotator="who", label="tag" …

    Returns:
        A `Table` with one row per pair of annotators and cell: both answers, and how many items.

    Raises:
        InputError: If `data` cannot be a study: `ColumnMissing`, `DuplicateAnswers` and `LabelError` are kinds of it.
        MeasureError: If nobody is named, or the answers are of another kind.
        OptionError: If an option has a value that it cannot take.

    >>> [tuple(row.values()) for row in confusion_by_pair(["a", "b", "b"], ["a", "b", "a"])]
    [('1', '2', 'a', 'a', 1), ('1', '2', 'b', 'a', 1), ('1', '2', 'b', 'b', 1)]
    """
    view = view_of(data, other, labels, roles)
    cells, who, names = cells_of(view), view.study.annotators, view.study.labels
    return Table(
        "Answers that meet, by pair of annotators",
        {
            "first": [who[cells.first[pair]] for pair in cells.pair],
            "second": [who[cells.second[pair]] for pair in cells.pair],
            "first_label": [names[label] for label in cells.first_answer],
            "second_label": [names[label] for label in cells.second_answer],
            "items": cells.items.astype(np.int64),
        },
    )
