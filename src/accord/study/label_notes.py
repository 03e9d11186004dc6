"""What notes ask of labels: two that differ in case only may be one, 99 may be no answer, and x a slip."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from accord.annotations.answers import Label
from accord.annotations.missing_codes import suspected
from accord.errors import (
    MayBeNames,
    Message,
    Part,
    all_quoted,
    listing,
    quoted,
    remedy,
)

if TYPE_CHECKING:
    from accord.study.study import Study

NUMBER = re.compile(r"\s*[+-]?\d+([.,]\d+)?\s*")
LEAST_NUMBERS = 3  # labels that are numbers, among which another is a slip
RARE = 0.05  # of all answers, at most, are a slip
MOST_LABELS = 10_000  # beyond, labels are texts or numbers that nobody wrote by hand


def label_notes(study: Study) -> list[str]:
    """A note for each way in which labels of the study are written differently, and for suspected missing codes."""
    parts: dict[Label | None, Study] = dict(study.tasks.items()) or {None: study}
    labels = {label for part in parts.values() if len(part.labels) <= MOST_LABELS for label in part.labels}
    notes = [make(part, variable) for variable, part in parts.items() for make in (code_note, stray_note)]
    people = {who for part in parts.values() if len(part.labels) <= MOST_LABELS for who in _named(part)}
    return [*notes_of(labels), *people_notes(people), *(note for note in notes if note is not None)]


def _named(study: Study) -> Sequence[str]:
    return () if study._annotations.stays or study.n_annotators > MOST_LABELS else study.annotators


def people_notes(names: Iterable[str]) -> list[str]:
    """Which names of annotators may be one person's.

    >>> print(*people_notes(["Ana ", "ana", "ben"]))
    the annotators 'Ana ', 'ana' differ in case and blanks only: if they are one person, give them one name
    """
    return [
        f"the annotators {listing(words)} differ in {what} only: if they are one person, give them one name"
        for what, words in _alike(names).items()
        if words
    ]


def code_note(study: Study, variable: Label | None = None) -> Message | None:
    """Which labels of one variable look like missing codes, and how often they were given; None where none does.

    >>> from accord import Study
    >>> print(code_note(Study.from_pairs([1, 2, 99, 3], [1, 2, 3, 3])))
    99 (once) looks like a missing code: if it is one, say missing=[99]
    """
    codes = suspected_codes(study)
    if not codes:
        return None
    described = MayBeNames(", ".join(f"{code!r} ({_times(_given(study, code))})" for code in codes))
    looks = "looks like a missing code: if it is one" if len(codes) == 1 else "look like missing codes: if they are"
    return Message(described, *_of(variable), f" {looks}, say ", remedy(missing=[*codes]))


def stray_note(study: Study, variable: Label | None = None) -> Message | None:
    """The one label of a variable that is no number among numbers, by a slip perhaps; it makes text of all of them.

    >>> from accord import Study
    >>> print(stray_note(Study.from_pairs(["1", "2", "x", "3"], ["1", "2", "3", "3"])))
    'x' (once) is no number, and so all labels are read as text: mend it, or say missing=['x']
    """
    labels = study.labels if study.kind == "single" and not study.answers.declared else ()
    if not LEAST_NUMBERS < len(labels) <= MOST_LABELS or not isinstance(labels[0], str):
        return None
    stray = [label for label in labels if not NUMBER.fullmatch(str(label))]
    if len(stray) != 1 or stray[0] in suspected(labels):
        return None
    number = _given(study, stray[0])
    if number > max(1, RARE * study.n_annotations):
        return None
    problem = " is no number, and so all labels are read as text: mend it, or say "
    return Message(quoted(stray[0]), f" ({_times(number)})", *_of(variable), problem, remedy(missing=stray))


def _given(study: Study, label: Label) -> int:
    """How often a label or a score was given."""
    tally, values = study.tally(), [study.answers.value(place) for place in range(len(study.answers))]
    return int(tally.per_answer(tally.count * tally.items[tally.pattern])[values.index(label)])


def _of(variable: Label | None) -> tuple[Part, ...]:
    return () if variable is None else (" of ", quoted(variable))


def suspected_codes(study: Study) -> list[Label]:
    """The labels, or scores, of one variable that look like missing codes; none where the labels were declared."""
    answers = study.answers
    if answers.declared or answers.kind not in ("single", "score") or not 2 < len(answers) <= MOST_LABELS:
        return []
    values = [answers.value(place) for place in range(len(answers))]
    return suspected(value for value in values if isinstance(value, str | int | float))


def _times(number: int) -> str:
    return "once" if number == 1 else f"{number:,} times"


def notes_of(labels: Iterable[Label]) -> list[str]:
    """What blanks and what case makes different.

    >>> for note in notes_of(["no", "no ", "Yes", "yes"]):
    ...     print(note)
    'no', 'no ' differ in blanks only; trim=True makes them one
    'Yes', 'yes' differ in case only; fold_case=True makes them one
    """
    found = _alike(labels)
    ways = {
        "blanks": remedy(trim=True), "case": remedy(fold_case=True),
        "case and blanks": remedy(trim=True, fold_case=True),
    }  # fmt: skip
    return [
        Message(
            all_quoted(words), f" differ in {what} only; ", ways[what], f" make{'' if ' ' in what else 's'} them one"
        )
        for what, words in found.items()
        if words
    ]


def _alike(names: Iterable[Label]) -> dict[str, list[str]]:
    """Words that are one but for blanks, for case, or for both."""
    alike: dict[str, list[str]] = {}
    for word in sorted(name for name in names if isinstance(name, str)):
        alike.setdefault(word.strip().casefold(), []).append(word)
    found: dict[str, list[str]] = {"blanks": [], "case": [], "case and blanks": []}
    for words in alike.values():
        blanks, case = len(set(map(str.casefold, words))) > 1, len(set(map(str.strip, words))) > 1
        found["case and blanks" if blanks and case else "blanks" if blanks else "case"] += (
            words if blanks or case else []
        )
    return found
