"""What a note asks of labels: those that differ in blanks or in case only may be one, and 99 may be no answer."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from accord.annotations.answers import Label
from accord.annotations.missing_codes import suspected
from accord.errors import Message, listing, remedy

if TYPE_CHECKING:
    from accord.study.study import Study

MOST_LABELS = 10_000  # beyond, labels are texts or numbers that nobody wrote by hand


def label_notes(study: Study) -> list[str]:
    """A note for each way in which labels of the study are written differently, and for suspected missing codes."""
    parts: dict[Label | None, Study] = {**study.tasks} or {None: study}
    labels = {label for part in parts.values() if len(part.labels) <= MOST_LABELS for label in part.labels}
    codes = (code_note(part, variable) for variable, part in parts.items())
    return [*notes_of(labels), *(note for note in codes if note is not None)]


def code_note(study: Study, variable: Label | None = None) -> Message | None:
    """Which labels of one variable look like missing codes, and how often they were given; None where none does.

    >>> from accord import Study
    >>> print(code_note(Study.from_pairs([1, 2, 99, 3], [1, 2, 3, 3])))
    99 (once) looks like a missing code: if it is one, say missing=[99]
    """
    codes = suspected_codes(study)
    if not codes:
        return None
    tally, values = study.tally(), [study.answers.value(place) for place in range(len(study.answers))]
    given = tally.per_answer(tally.count * tally.items[tally.pattern])
    told = [f"{code!r} ({_times(int(given[values.index(code)]))})" for code in codes]
    of = "" if variable is None else f" of {variable!r}"
    looks = "looks like a missing code: if it is one" if len(codes) == 1 else "look like missing codes: if they are"
    return Message(f"{', '.join(told)}{of} {looks}, say ", remedy(missing=[*codes]))


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
