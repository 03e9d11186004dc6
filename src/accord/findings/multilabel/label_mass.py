"""Rosenberg and Binkowski's tables: each annotator's matrix (Table 2) and label frequencies (Table 3)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Unpack

import numpy as np

from accord.agreement.table import Table
from accord.annotations.arrays import FloatArray, add_up, divide
from accord.coefficients.weights import split_mass
from accord.errors import InputError, listing
from accord.findings.multilabel.checks import ranked_study
from accord.study.given import Roles


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
    if annotator not in study.annotators:
        raise InputError(f"There is no annotator {annotator!r}; there are {listing(study.annotators)}.")
    item, who, answer, _ = study._annotations.rows
    theirs = np.nonzero(who == study.annotators.index(annotator))[0]
    theirs = theirs[np.argsort(item[theirs], kind="stable")]
    matrix = split_mass(study.answers, p)[answer[theirs]]
    columns: dict[str, Any] = {"item": [study.items[place] for place in item[theirs].tolist()]}
    columns |= {str(label): matrix[:, place] for place, label in enumerate(study.labels)}
    totals = ", ".join(f"{total:z.1f} {label}" for total, label in zip(matrix.sum(0), study.labels, strict=True))
    return Table(f"Annotation matrix of {annotator}", columns, (f"Total: {totals}; {len(theirs):,} items.",))


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
