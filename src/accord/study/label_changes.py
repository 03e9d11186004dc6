"""A study on another scale: the same annotations with labels called otherwise, so that some of them become one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from accord.annotations.answers import Answers, Label, canonical, ranked_members, ranks_of
from accord.annotations.arrays import IntArray
from accord.study.label_notes import MOST_LABELS
from accord.study.study import Study


def relabelled(study: Study, scale: tuple[Label, ...], new: Sequence[int]) -> Study:
    """The same annotations with label k called scale[new[k]]."""
    return study._with_annotations(study._annotations.recoded(*_cut(study.answers, scale, new)))


def _cut(old: Answers, scale: tuple[Label, ...], new: Sequence[int]) -> tuple[Answers, IntArray]:
    """The answers on the new scale, in canonical order, and which of them each old answer becomes."""
    if old.kind == "single":
        return Answers("single", scale, declared=old.declared, order=old.order), np.array(new, dtype=np.int64)
    return _of_members(old, scale, [_renamed(members, lambda label: new[label]) for members in old.members])


def _renamed(members: tuple[int, ...], name: Callable[[int], int]) -> tuple[int, ...]:
    """The labels of an answer by other names; those that become one have the better of their ranks."""
    ranks: dict[int, int] = {}
    for label, rank in zip(members, ranks_of(members), strict=True):
        ranks.setdefault(name(label), rank)
    return ranked_members(list(ranks), list(ranks.values()))


def _of_members(old: Answers, scale: tuple[Label, ...], became: list[tuple[int, ...]]) -> tuple[Answers, IntArray]:
    """The same from the labels that each old answer then holds."""
    if old.kind == "set":
        became = [tuple(sorted(members)) for members in became]
    distinct = canonical(became)
    place = {held: position for position, held in enumerate(distinct)}
    answers = Answers(old.kind, scale, distinct, declared=old.declared)
    return answers, np.array([place[held] for held in became], dtype=np.int64)


def with_combined(study: Study, pairs: Sequence[tuple[int, int]], names: Sequence[Label]) -> Study:
    """The same annotations where two labels that an answer holds both are one new label of the scale, pair after pair.

    In a ranked answer it stands where the first of the two stood. An answer that holds one of them only keeps it.

    >>> study = with_combined(Study.from_wide([[["a", "b", "c"], ["b", "c"]]], answers="ranked"), [(0, 1)], ["a + b"])
    >>> [str(study.answers.value(place)) for place in range(len(study.answers))]
    ['b > c', 'a + b > c']
    """
    became = list(study.answers.members)
    for number, pair in enumerate(pairs):
        new = len(study.labels) + number
        became = [_joined(members, pair, new) for members in became]
    scale = (*study.labels, *names)
    return study._with_annotations(study._annotations.recoded(*_of_members(study.answers, scale, became)))


def _joined(members: tuple[int, ...], pair: tuple[int, int], new: int) -> tuple[int, ...]:
    if not set(pair) <= set(members):
        return members
    return _renamed(members, lambda label: new if label in pair else label)


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


class OneSpelling(NamedTuple):
    """A study whose labels are written in one way; the labels that were not, and what made them differ."""

    study: Study
    labels: tuple[Label, ...]
    differ_in: tuple[str, ...]


def in_one_spelling(study: Study) -> OneSpelling | None:
    """The study as if labels that differ in case or blanks only were one; None where there are none.

    >>> in_one_spelling(Study.from_pairs(["Yes", "no"], ["yes", "no "])).study.labels
    ('Yes', 'no')
    """
    if study.kind not in ("single", "set", "ranked") or len(study.labels) > MOST_LABELS:
        return None
    words = {label for label in study.labels if isinstance(label, str)}
    if len({word.strip().casefold() for word in words}) == len(words):  # as nearly always: used or not
        return None
    words &= study.labels_used
    if len({word.strip().casefold() for word in words}) == len(words):
        return None
    first: dict[Label, int] = {}
    stands_for = [first.setdefault(_bare(label), place) for place, label in enumerate(study.labels)]
    kept, new = np.unique(stands_for, return_inverse=True)
    whole = relabelled(study, tuple(study.labels[place] for place in kept), new.tolist())
    twice = [label for place, label in enumerate(study.labels) if stands_for.count(stands_for[place]) > 1]
    forms = len({word.strip().casefold() for word in words})
    differ = {
        "case": forms < len({word.strip() for word in words}),
        "blanks": forms < len({word.casefold() for word in words}),
    }
    together = sorted(twice, key=lambda label: (str(_bare(label)), str(label)))
    return OneSpelling(whole, tuple(together), tuple(what for what, does in differ.items() if does))


def _bare(label: Label) -> Label:
    return label.strip().casefold() if isinstance(label, str) else label
