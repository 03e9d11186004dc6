"""Rosenberg and Binkowski's tables: annotators' matrices (Table 2), label frequencies (Table 3), and the matrix Ag."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any, Literal, Unpack

import numpy as np

from accord.agreement.table import ShownAsTable, Table
from accord.annotations.arrays import FloatArray, add_up, divide
from accord.coefficients.annotator_pairs import AnnotatorPairs
from accord.coefficients.weights import RANKED, split_mass
from accord.errors import OptionError
from accord.multilabel.multilabel_studies import labelled_study, ranked_study
from accord.options import check_choice, head, listed
from accord.study.study import Study
from accord.study.study_of_input import Roles
from accord.study.subsets import need_annotators


def annotation_matrix(
    data: Any,
    annotator: str,
    /,
    *,
    p: float | Sequence[float] = 0.6,
    labels: Sequence[Any] | None = None,
    **roles: Unpack[Roles],
) -> Table:
    """One annotator's matrix: 1 under a single label, p under a primary, 1 − p under a secondary one (Table 2).

    Args:
        data: A `Study` of ranked answers, or what one is made of.
        annotator: Whose matrix it is.
        p: The share of the primary label, from 0.5 to 1; or one weight per rank.
        labels: The scale: all labels there are, in order, used or not; by default those in the data, sorted.
        **roles: Which columns of a table are which, as in `Study`: item="id", annotator="who", label="tag" …

    Returns:
        A `Table` with one row per item that the annotator answered and one column per label.

    Raises:
        InputError: If `data` cannot be a study, or has no such annotator.
        MeasureError: If the answers are not ranked, or nobody is named.
        OptionError: If an option has a value that it cannot take.

    >>> from accord import Study
    >>> study = Study.from_wide([[["a", "b"]], [["b", "a"]], [["b"]], [["c"]], [["c", "b"]]], answers="ranked")
    >>> print(annotation_matrix(study, "1", p=0.6))
    Annotation matrix of 1
    item  a      b      c
    0     0.600  0.400  0.000
    1     0.400  0.600  0.000
    2     0.000  1.000  0.000
    3     0.000  0.000  1.000
    4     0.000  0.400  0.600
    Total: 1.0 a, 2.4 b, 1.6 c; 5 items.
    """
    study = ranked_study(data, labels, roles, "The matrix of annotations")
    need_annotators(study, [annotator], "annotator")
    item, who, answer, _ = study._annotations.rows
    theirs = np.nonzero(who == study.annotators.index(annotator))[0]
    theirs = theirs[np.argsort(item[theirs], kind="stable")]
    matrix = split_mass(study.answers, p)[answer[theirs]]
    columns: dict[str, Any] = {"item": [study.items[place] for place in item[theirs].tolist()]}
    columns |= _one_each(matrix, study.labels, columns)
    return Table(f"Annotation matrix of {annotator}", columns, (_totals(matrix, study.labels, len(theirs)),))


def _one_each(matrix: FloatArray, labels: Sequence[Any], taken: Collection[str]) -> dict[str, FloatArray]:
    """A column for each label, by its name; a label that is called as another column is, says that it is a label."""
    names = [str(label) if str(label) not in taken else f"label {label}" for label in labels]
    return dict(zip(names, matrix.T, strict=True))


def _totals(matrix: FloatArray, labels: Sequence[Any], items: int) -> str:
    totals = ", ".join(f"{total:z.1f} {label}" for total, label in zip(matrix.sum(0), labels, strict=True))
    return f"Total: {totals}; {items:,} items."


def label_frequencies(
    data: Any, /, *, p: float | Sequence[float] = 0.6, labels: Sequence[Any] | None = None, **roles: Unpack[Roles]
) -> Table:
    """Each annotator's relative frequency of every label, over the items that annotator answered (Table 3).

    Args:
        data: A `Study` of ranked answers, or what one is made of.
        p: The share of the primary label, from 0.5 to 1; or one weight per rank.
        labels: The scale: all labels there are, in order, used or not; by default those in the data, sorted.
        **roles: Which columns of a table are which, as in `Study`: item="id", annotator="who", label="tag" …

    Returns:
        A `Table` with one row per annotator: how many items, and the frequency of each label.

    Raises:
        InputError: If `data` cannot be a study: `ColumnMissing`, `DuplicateAnswers` and `LabelError` are kinds of it.
        MeasureError: If the answers are not ranked, or nobody is named.
        OptionError: If an option has a value that it cannot take.

    >>> from accord import Study
    >>> study = Study.from_wide([[["a", "b"]], [["b", "a"]], [["b"]], [["c"]], [["c", "b"]]], answers="ranked")
    >>> [round(float(label_frequencies(study, p=0.6)[label][0]), 2) for label in "abc"]
    [0.2, 0.48, 0.32]
    """
    study = ranked_study(data, labels, roles, "The frequency of labels")
    mass = split_mass(study.answers, p)
    _, who, answer, _ = study._annotations.rows
    size = len(study.annotators)
    answered = np.bincount(who, minlength=size)
    present = np.nonzero(answered)[0]
    columns: dict[str, Any] = {
        "annotator": [study.annotators[place] for place in present],
        "items": answered[present],
    }
    for place, label in enumerate(study.labels):
        share: FloatArray = divide(add_up(who, mass[answer, place], size), answered)
        columns[str(label)] = share[present]
    return Table("Relative frequency of labels by annotator", columns)


@dataclass(frozen=True, eq=False, repr=False)
class AgreementMatrix(ShownAsTable):
    """How far annotators agree on each label of each item: the matrix Ag, with the sums of its rows and columns.

    Attributes:
        items: One row per item with two answers or more: a column per label, and `observed`, the sum of the row.
        labels: One row per label: `sum`, that of its column, and its `share` of the total.
        total: The sum of all cells, the paper's alpha.

    >>> from accord import Study
    >>> from accord import multilabel
    >>> answers = [["ab", "ba"], ["a", "a"], ["bc", "b"], ["c", "ca"], ["c", "b"]]
    >>> study = Study.from_wide([[list(cell) for cell in row] for row in answers], answers="ranked")
    >>> found = multilabel.agreement_matrix(study)
    >>> round(found.total, 2), round(found.observed, 3), found.labels["label"].tolist()
    (2.68, 0.536, ['a', 'b', 'c'])
    >>> found.to_table()["observed"].round(2).tolist()
    [0.48, 1.0, 0.6, 0.6, 0.0]
    """

    items: Table
    labels: Table
    total: float

    @property
    def observed(self) -> float:
        """Observed agreement: the total over the number of items."""
        return self.total / len(self.items) if len(self.items) else float("nan")

    def to_table(self) -> Table:
        """The matrix.

        Returns:
            A `Table` with one row per item: item, a column for each label, observed.
        """
        return self.items

    def to_dict(self) -> dict[str, Any]:
        """For JSON."""
        return {
            **head("agreement_matrix"),
            "items": self.items.to_dict()["rows"],
            "labels": self.labels.to_dict()["rows"],
            "total": self.total,
            "observed": self.observed if len(self.items) else None,
        }


def agreement_matrix(
    data: Any,
    /,
    *,
    annotators: tuple[str, str] | None = None,
    p: float | Sequence[float] = 0.6,
    weights: Literal["shared-mass", "overlap"] = "shared-mass",
    labels: Sequence[Any] | None = None,
    **roles: Unpack[Roles],
) -> AgreementMatrix:
    r"""Agreement on each label of each item: the matrix Ag of section 5.1, with the sums of its rows and columns.

    .. math:: Ag[x, y] = M_A[x, y] \cdot M_B[x, y], \qquad p(A) = \frac{1}{N} \sum_{xy} Ag[x, y]

    The sum of a row is the item's observed agreement, as in `by_item()`; the sum of a column says on which labels
    annotators agree, and over the number of items is that label's part of observed agreement. `by_label()` of the
    coefficient sets it against chance. With more than two annotators a cell is the mean over the item's pairs of them;
    the total over N is then the coefficient's observed agreement if everybody answered everything.

    Args:
        data: A `Study` of single labels or ranked ones, or what one is made of.
        annotators: Two annotators, whose matrix it is; by default the mean over every two who answered an item.
        p: The share of the primary label, from 0.5 to 1; or one weight per rank.
        weights: "shared-mass" (the paper's products) or "overlap" (the smaller of the two shares).
        labels: The scale: all labels there are, in order, used or not; by default those in the data, sorted.
        **roles: Which columns of a table are which, as in `Study`: item="id", annotator="who", label="tag" …

    Returns:
        An `AgreementMatrix`: `items` and `labels` as tables, `total`, `observed`.

    Raises:
        InputError: If `data` cannot be a study, or has no such annotator.
        MeasureError: If the answers are neither single labels nor ranked, or nobody is named.
        OptionError: If an option has a value that it cannot take.

    >>> from accord import Study
    >>> answers = [[["a", "b"], ["a"]], [["b", "a"], ["a", "b"]], [["b"], ["b"]], [["c"], ["a"]]]
    >>> found = agreement_matrix(Study.from_wide(answers, answers="ranked"), p=0.6)
    >>> print(found)
    Agreement on each label of each item
    item  a      b      c      observed
    0     0.600  0.000  0.000  0.600
    1     0.240  0.240  0.000  0.480
    2     0.000  1.000  0.000  1.000
    3     0.000  0.000  0.000  0.000
    Total: 0.8 a, 1.2 b, 0.0 c; 4 items.
    >>> round(found.total, 2), round(found.observed, 2)
    (2.08, 0.52)
    """
    check_choice("weights", weights, RANKED)
    study = labelled_study(data, labels, roles, "The matrix of agreement")._in_memory  # items are told one by one
    if annotators is not None:
        study = _of_two(study, annotators)
    tally = study.tally(named=True)
    tally = tally.where(tally.pairable)
    pairs, mass = AnnotatorPairs.of(tally), split_mass(study.answers, p)
    number = np.bincount(pairs.pattern, minlength=len(tally))
    by_pattern = np.zeros((len(tally), len(study.labels)))
    for place, held in enumerate(mass.T):
        first, second = held[pairs.first_answer], held[pairs.second_answer]
        shared = first * second if weights == "shared-mass" else np.minimum(first, second)
        by_pattern[:, place] = divide(add_up(pairs.pattern, shared, len(tally)), number)
    assert tally.locate is not None
    pattern = tally.locate()
    present = np.nonzero(pattern >= 0)[0]
    return _with_sums(study, present.tolist(), by_pattern[pattern[present]])


def _of_two(study: Study, annotators: Sequence[str]) -> Study:
    rule = "be two different annotators, such as ('ana', 'ben')"
    names = listed("annotators", annotators, rule)
    if len(names) != 2 or names[0] == names[1]:
        raise OptionError.must("annotators", rule, annotators)
    return study.of_annotators(names)


def _with_sums(study: Study, items: list[int], matrix: FloatArray) -> AgreementMatrix:
    sums, total = matrix.sum(0), float(matrix.sum())
    columns: dict[str, Any] = {"item": [study.items[place] for place in items]}
    columns |= _one_each(matrix, study.labels, ("item", "observed"))
    return AgreementMatrix(
        Table(
            "Agreement on each label of each item",
            {**columns, "observed": matrix.sum(1)},
            (_totals(matrix, study.labels, len(items)),),
        ),
        Table("Agreement by label", {"label": list(study.labels), "sum": sums, "share": divide(sums, total)}),
        total,
    )
