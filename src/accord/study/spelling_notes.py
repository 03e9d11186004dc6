"""Labels that differ in blanks or in case only are likely one: a note says so, with the option that makes them one."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from accord.annotations.answers import Label
from accord.errors import Message, listing, remedy

if TYPE_CHECKING:
    from accord.study.study import Study

MOST_LABELS = 10_000  # beyond, labels are texts or numbers that nobody wrote by hand


def spelling_notes(study: Study) -> list[str]:
    """A note for each way in which labels of the study are written differently."""
    parts = list(study.tasks.values()) or [study]
    labels = {label for part in parts if len(part.labels) <= MOST_LABELS for label in part.labels}
    return notes_of(labels)


def notes_of(labels: Iterable[Label]) -> list[str]:
    """What blanks and what case makes different.

    >>> for note in notes_of(["no", "no ", "Yes", "yes"]):
    ...     print(note)
    'no', 'no ' differ in blanks only; trim=True makes them one
    'Yes', 'yes' differ in case only; fold_case=True makes them one
    """
    words = sorted(label for label in labels if isinstance(label, str))
    by_blanks = _groups({word: word.strip() for word in words})
    by_case = _groups({word: word.casefold() for word in dict.fromkeys(map(str.strip, words))})
    ways = (("blanks", by_blanks, remedy(trim=True)), ("case", by_case, remedy(fold_case=True)))
    return [
        Message(f"{listing(found)} differ in {what} only; ", way, " makes them one")
        for what, found, way in ways
        if found
    ]


def _groups(forms: dict[str, str]) -> list[str]:
    """The words of which two or more have one form."""
    by_form: dict[str, list[str]] = {}
    for word, form in forms.items():
        by_form.setdefault(form, []).append(word)
    return [word for group in by_form.values() if len(group) > 1 for word in group]
