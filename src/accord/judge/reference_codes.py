"""What is true of each item: a reference of any form, or a column of the study, as codes on its scale."""

from __future__ import annotations

from typing import Any

import numpy as np

from accord.annotations.arrays import IntArray
from accord.consensus import reference
from accord.errors import LabelError, all_quoted, quoted, remedy
from accord.study.study import Study


def reference_codes_of(study: Study, given: Any) -> IntArray:
    """(items,) the position of the true label, −1 where it is not known.

    `given` is a column of the study, the name of an annotator, a mapping from item to label, a table of both, a Gold,
    or a Study with one answer per item.
    """
    if isinstance(given, str):
        return _annotator(study, given) if given in study.annotators else _column(study, given)
    places, _ = reference.places(study, reference.as_mapping(given, "The gold"))
    return reference.codes_of(study, places, "The gold")


def _annotator(study: Study, name: str) -> IntArray:
    """What one annotator says; −1 where they say several things."""
    item, annotator, answer, _ = study._annotations.rows
    mine = annotator == study.annotators.index(name)
    return one_answer(item[mine], answer[mine], study._annotations.n_items)


def one_answer(item: IntArray, answer: IntArray, items: int) -> IntArray:
    """(items,) the answer given to each, −1 where there is none, or several that differ."""
    codes = np.full(items, -1, dtype=np.int64)
    codes[item] = answer
    codes[item[codes[item] != answer]] = -1
    return codes


def _column(study: Study, name: str) -> IntArray:
    """A column that says one thing of an item."""
    coded = study._item_column(name, "gold")
    used = [coded.values[place] for place in np.unique(coded.codes[coded.codes >= 0]).tolist()]
    outside = [label for label in used if label not in study.labels]
    if outside:
        raise LabelError(
            "The gold column ",
            quoted(name),
            " says ",
            all_quoted(outside),
            ", which the scale ",
            all_quoted(study.labels),
            " does not hold. Declare it: ",
            remedy(labels=[...]),
            ".",
        )
    return coded.onto(study.labels).astype(np.int64)
