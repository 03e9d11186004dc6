"""Which answers meet which: pairs of answers on the same item, counted."""

from __future__ import annotations

import numpy as np

from accord.annotations.arrays import FloatArray, add_up
from accord.errors import MeasureError, in_python, remedy
from accord.study.other_kinds import about_other_kinds
from accord.study.study import Study

MOST_LABELS = 2_000


def pooled_confusion(study: Study) -> FloatArray:
    """(labels, labels) symmetric: how often the answers of two people to an item are k and l, each item counted once.

    Items with r answers spread one unit over their r (r − 1) ordered pairs, so the table sums to the items with two
    answers. Ranked answers count by their primary label; of sets, a pair spreads its unit over the pairs of labels.
    """
    labels = len(study.labels)
    if study.kind == "score":
        raise about_other_kinds("A confusion table", ("single", "ranked", "set"), study.kind)
    if labels > MOST_LABELS:
        raise MeasureError(
            f"A confusion table is for up to {MOST_LABELS:,} labels; here are {labels:,}. Merge rare labels first.",
            remedies=[remedy(recode=...)],
        )
    tally = study._tally_of_people()
    tally = tally.where(tally.pairable)
    size = len(tally.answers)
    table = np.zeros(size * size) if size <= MOST_LABELS else None
    if table is None:
        raise MeasureError(
            f"There are {size:,} distinct answers, too many for one table; ",
            in_python("by_label() takes the labels", "take the labels"), " one by one.",
         available=("by_label",))  # fmt: skip
    answered = tally.answered.astype(np.float64)
    unit = tally.items / (answered * (answered - 1))
    same = tally.count * (tally.count - 1.0) * unit[tally.pattern]
    table += add_up(tally.answer * size + tally.answer, same, size * size)
    for left, right in tally.pairs():
        weight = unit[tally.pattern[left]] * tally.count[left] * tally.count[right]
        for one, other in ((left, right), (right, left)):
            table += add_up(tally.answer[one] * size + tally.answer[other], weight, size * size)
    onto_scale = tally.answers.onto_scale  # a mixed answer is confused by its parts
    square = onto_scale(onto_scale(table.reshape(size, size)).T).T
    if study.kind == "single":
        return square
    spread = _primary(study) if study.kind == "ranked" else study.answers.membership.astype(np.float64)
    sizes = np.maximum(spread.sum(1, keepdims=True), 1)
    return np.asarray((spread / sizes).T @ square @ (spread / sizes))


def _primary(study: Study) -> FloatArray:
    """(answers, labels): is this a primary label of a ranked answer?"""
    return np.asarray(study.answers.ranks == 1, dtype=np.float64)
