"""What every question about several labels begins with: a study of the right kind, and the ranks its answers use."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import Any

import numpy as np

from accord.annotations.answers import Answers, by_rank
from accord.annotations.arrays import IntArray
from accord.errors import Keyword, MeasureError, OptionError, one_task, remedy
from accord.study.other_kinds import about_other_kinds
from accord.study.study import Study
from accord.study.study_of_input import Roles, as_study


def ranked_study(data: Any, labels: Sequence[Any] | None, roles: Roles, what: str) -> Study:
    """A study of ranked answers by named annotators."""
    return _of_kind(as_study(data, None, labels, roles), ("ranked",), what)


def labelled_study(data: Any, labels: Sequence[Any] | None, roles: Roles, what: str, *, named: bool = True) -> Study:
    """A study of single labels or ranked ones: a single label is an answer that is not divided."""
    return _of_kind(as_study(data, None, labels, roles), ("single", "ranked"), what, named=named)


def several_labels_study(data: Any, labels: Sequence[Any] | None, roles: Roles, what: str) -> Study:
    """A study of ranked answers or sets, of which one answer may hold two labels."""
    return _of_kind(as_study(data, None, labels, roles), ("ranked", "set"), what)


def refuse_whole_orders(study: Study, what: str) -> Study:
    """The same study, if its answers are a primary label and perhaps others, and no orders of all labels."""
    if study.answers.whole_orders:
        raise MeasureError(
            f"{what} tells of a primary label and secondary ones, and every answer here orders all "
            f"{len(study.labels)} labels. As rankings their ranks are compared: ", remedy(answers="ranking"), ".",
        )  # fmt: skip
    return study


def set_study(data: Any, labels: Sequence[Any] | None, roles: Roles, what: str) -> Study:
    """A study of sets by named annotators."""
    return _of_kind(as_study(data, None, labels, roles), ("set",), what)


def _of_kind(study: Study, kinds: tuple[str, ...], what: str, *, named: bool = True) -> Study:
    if study.tasks:
        raise OptionError(f"{what} is about one variable; choose one: ", one_task(next(iter(study.tasks))), ".")
    if study.kind not in kinds:
        raise about_other_kinds(what, kinds, study.kind, likeliest="ranked" if "ranked" in kinds else None)
    if named and (not study._annotations.named or study._annotations.repeated):
        raise MeasureError(
            f"{what} compares annotators with each other: it needs to know who answered, once per item each.",
            option=Keyword("annotator"),
        )
    return study


def primary_with_secondary(answers: Answers) -> tuple[IntArray, IntArray, IntArray]:
    """Every primary label with every secondary one of the same answer: which answer, and the two labels."""
    found = [
        (place, one, two)
        for place, groups in enumerate(map(by_rank, answers.members))
        if len(groups) > 1
        for one, two in product(groups[0], groups[1])
    ]
    place, one, two = np.array(found, dtype=np.int64).reshape(-1, 3).T
    return place, one, two


def ranks_used(answers: Answers) -> int:
    """The most ranks that an answer has; at least two."""
    return max(2, answers.deepest)
