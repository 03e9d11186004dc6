"""A study on another scale: the same annotations with labels called otherwise, so that some of them become one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from accord.annotations.answers import Answers, Label
from accord.annotations.arrays import IntArray
from accord.study.study import Study


def relabelled(study: Study, scale: tuple[Label, ...], new: Sequence[int]) -> Study:
    """The same annotations with label k called scale[new[k]]."""
    return study._with_annotations(study._annotations.recoded(*_cut(study.answers, scale, new)))


def _cut(old: Answers, scale: tuple[Label, ...], new: Sequence[int]) -> tuple[Answers, IntArray]:
    """The answers on the new scale, in canonical order, and which of them each old answer becomes."""
    if old.kind == "single":
        return Answers("single", scale, declared=old.declared, order=old.order), np.array(new, dtype=np.int64)
    became = [tuple(dict.fromkeys(new[label] for label in members)) for members in old.members]
    if old.kind == "set":
        became = [tuple(sorted(members)) for members in became]
    distinct = sorted(set(became), key=lambda held: (len(held), held))
    place = {held: position for position, held in enumerate(distinct)}
    answers = Answers(old.kind, scale, tuple(distinct), declared=old.declared)
    return answers, np.array([place[held] for held in became], dtype=np.int64)


def without_labels(study: Study, labels: Sequence[Label]) -> Study:
    """The same single answers but for those that are one of these labels, which then is none of the scale either.

    >>> without_labels(Study.from_pairs([1, 2, 99], [1, 3, 3]), [99]).labels
    (1, 2, 3)
    """
    answers, gone = study.answers, set(labels)
    left = tuple(label for label in answers.labels if label not in gone)
    became = np.array([left.index(label) if label in left else -1 for label in answers.labels], dtype=np.int64)
    kept = study._annotations.keep(became[study._annotations.rows[2]] >= 0)
    return study._with_annotations(kept.recoded(replace(answers, labels=left), became))
