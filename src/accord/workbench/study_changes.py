"""What is new in an export that was read again: items, answers, annotators, labels; and what is gone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from accord.annotations.answers import LOCATED
from accord.annotations.arrays import IntArray
from accord.errors import counted, listing
from accord.study.study import Study


@dataclass(frozen=True)
class StudyChanges:
    """How a study differs from an earlier reading of it."""

    new_items: int = 0
    gone_items: int = 0
    new_answers: int = 0
    changed_answers: int = 0
    gone_answers: int = 0
    new_annotators: int = 0
    new_labels: tuple[str, ...] = ()

    @property
    def any(self) -> bool:
        """Does anything differ?"""
        return self != StudyChanges()

    def __str__(self) -> str:
        """In a sentence.

        >>> print(StudyChanges(new_items=2, new_answers=6, new_labels=("maybe",)))
        2 new items, 6 new answers, the new label 'maybe'.
        """
        parts = [
            _count(number, what)
            for number, what in (
                (self.new_items, "new items"),
                (self.new_answers, "new answers"),
                (self.changed_answers, "changed answers"),
                (self.new_annotators, "new annotators"),
            )
        ]
        if self.new_labels:
            several = "labels" if len(self.new_labels) > 1 else "label"
            parts.append(f"the new {several} {listing(self.new_labels)}")
        for number, what in ((self.gone_items, "items"), (self.gone_answers, "answers")):
            parts.append(f"{counted(number, what)} gone" if number else "")
        return ", ".join(part for part in parts if part) + "." if self.any else "Nothing has changed."


def _count(number: int, what: str) -> str:
    return counted(number, what) if number else ""


def study_changes(before: Study, after: Study) -> StudyChanges:
    """What the later reading has that the earlier had not, and the reverse."""
    items = _Both.of(before.items, after.items)
    people = _Both.of(before.annotators or ("",), after.annotators or ("",))
    answers = _Both.of(_answers(before), _answers(after))
    old, new = (_coded(study, at, items, people, answers) for at, study in enumerate((before, after)))
    changed = ~np.isin(new[1], old[1]) & np.isin(new[0], old[0])
    labels = {str(label) for label in before.labels}
    return StudyChanges(
        new_items=len(np.setdiff1d(items.places[1], items.places[0])),
        gone_items=len(np.setdiff1d(items.places[0], items.places[1])),
        new_answers=int((~np.isin(new[0], old[0])).sum()),
        changed_answers=len(np.unique(new[0][changed])),
        gone_answers=int((~np.isin(old[0], new[0])).sum()),
        new_annotators=len(np.setdiff1d(people.places[1], people.places[0])),
        new_labels=tuple(str(label) for label in after.labels if str(label) not in labels),
    )


@dataclass(frozen=True, eq=False)
class _Both:
    """Names of two readings, each by its place in one list of all."""

    places: tuple[IntArray, IntArray]
    number: int

    @classmethod
    def of(cls, before: Sequence[object], after: Sequence[object]) -> _Both:
        place: dict[object, int] = {}
        one, other = (
            np.array([place.setdefault(name, len(place)) for name in names], dtype=np.int64)
            for names in (before, after)
        )
        return cls((one, other), len(place))


def _answers(study: Study) -> list[str]:
    """Every distinct answer as a text that tells it from others; marked units by their places too."""
    answers = study.answers
    if study.kind not in LOCATED:
        return [repr(answers.value(code)) for code in range(len(answers))]
    named = [tuple(answers.labels[label] for label in members) for members in answers.members]
    return [repr(one) for one in zip(named, answers.places, strict=True)]


def _coded(study: Study, at: int, items: _Both, people: _Both, answers: _Both) -> tuple[IntArray, IntArray]:
    """Who answered which item, and with what, as one number each."""
    item, who, answer, _ = study._annotations.to_memory().rows
    cell = items.places[at][item] * people.number + people.places[at][np.maximum(who, 0)]
    return cell, cell * answers.number + answers.places[at][answer]
