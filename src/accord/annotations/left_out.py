"""What was not used of the data, and why: reasons are keys, each with its words in one table."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from enum import Enum
from typing import Any

from accord.errors import MayBeNames


class Reason(Enum):
    """Why something was not used; the value is how it is put, after a number. {} is what exactly, where it depends."""

    NO_ITEM = "rows without an item"
    NO_ANNOTATOR = "rows without an annotator"
    NO_TASK = "rows without a task"
    NO_ANSWER = "rows without an answer"
    MISSING_CODE = "answers that are missing codes"
    EMPTY_CELL = "cells without an answer"
    GAP = "rows with a gap among the yes/no columns"
    BLANK_LABEL = "blanks among the labels of an answer"
    NO_PLACE = "labels without a place"
    REPEATED = "answers given again (another was kept)"
    REPEATED_LABEL = "rows naming a label again in the same answer"
    LOWER_RANK = "labels of a lower rank than the primary one"
    REPEATED_MARK = "marks standing twice in one answer"
    # what a row may be besides an answer that counts
    DRAFT = "drafts"
    SKIPPED = "skipped"
    REJECTED = "rejected"
    CANCELLED = "cancelled"
    SUGGESTED = "suggested by a model or heuristic"
    ADJUDICATED = "adjudicated (gold)"
    UNTRUSTED = "from untrusted annotators"
    FREE_TEXT = "free-text answers (no labels)"
    UNPARSABLE = "unparsable answers"
    REFUSED = "refused answers"
    ERROR = "answers lost to an error"
    OTHER_STATUS = "with the status {}"
    # what the caller does not ask for
    EXCLUDED = "answers of annotators that were excluded"
    NOT_CHOSEN = "answers in rows that were not chosen"
    # what readers of files pass over
    UNREADABLE = "records that could not be read"
    SHORT_ROW = "rows with fewer cells than there are columns"
    LONG_ROW = "rows with more cells than there are columns"
    SUMMARY = "rows that sum up the others"
    MISPLACED = "spans whose offsets do not fit their text"
    NO_UNIT = "rows without an item or an annotator"
    NO_SCORES = "majorities without the scores behind them, which are not read"
    NO_ENDS = "relations between what has no place"
    NO_BOX = "shapes without a box"
    NO_OFFSETS = "spans in HTML without offsets in the whole"
    NO_PARAGRAPHS = "spans in paragraphs whose text is not in the export"
    ONLY_NUMBER = "{} of which the export has only the number"
    UNANSWERED = "questions that were left unanswered"
    IN_WORDS = "questions about objects answered in words, which are no labels"
    OF_RELATION = "attributes of relations, which are not read"
    UNREAD_ANSWER = "answers of a kind that is not read"
    UNREAD_FORM = "answers to {!r} in a form of its own, which are not read"
    UNREAD_NOTE = "notes, which are not read"
    UNREAD_SHAPE = "shapes of type {!r}, which are not read"
    UNREAD_TYPE = "results of type {!r}, which are not read"
    UNREAD_MASK = "masks (brushes, bitmasks), which are pictures and no boxes"
    UNREAD_TRACK = "tracks in videos, which are not read"

    @property
    def key(self) -> str:
        """What programs call it, in JSON too."""
        return self.name.lower()

    @classmethod
    def called(cls, key: str) -> Reason:
        """The reason of a key."""
        return cls[key.upper()]


class LeftOut(Mapping[str, int]):
    """How much was not used: for people by the reason in words, for programs by its key.

    >>> left_out = LeftOut()
    >>> left_out.add(Reason.REPEATED, 2)
    >>> dict(left_out), left_out.of("repeated"), left_out.of("no_item")
    ({'answers given again (another was kept)': 2}, 2, 0)
    >>> left_out.to_list()
    [{'reason': 'repeated', 'what': '', 'words': 'answers given again (another was kept)', 'number': 2}]
    """

    def __init__(self, counts: Mapping[tuple[Reason, str], int] | None = None) -> None:
        self.counts = dict(counts or {})  # by reason and, where that depends, by what it was

    def add(self, reason: Reason, number: int, what: str = "") -> None:
        """Count some more."""
        if number:
            self.counts[reason, what] = self.counts.get((reason, what), 0) + int(number)

    def move(self, reason: Reason, other: Reason, most: int) -> int:
        """Count up to so many of what stands under one reason under another; returns how many."""
        number = min(most, self.counts.get((reason, ""), 0))
        if number:
            self.counts[reason, ""] -= number
            if not self.counts[reason, ""]:
                del self.counts[reason, ""]
            self.add(other, number)
        return number

    def unnamed(self) -> LeftOut:
        """The same where nobody is named: what exactly it was may be a cell of a column of names."""
        without_names = LeftOut()
        for (reason, what), number in self.counts.items():
            without_names.add(reason, number, what.unnamed if isinstance(what, MayBeNames) else what)
        return without_names

    def of(self, reason: Reason | str) -> int:
        """How much for this reason, or the key of one."""
        wanted = Reason.called(reason) if isinstance(reason, str) else reason
        return sum(number for (one, _), number in self.counts.items() if one is wanted)

    def to_list(self) -> list[dict[str, Any]]:
        """For JSON: the key of each reason, what it depends on, its words, and how much."""
        return [
            {"reason": reason.key, "what": what, "words": reason.value.format(what), "number": number}
            for (reason, what), number in self.counts.items()
        ]

    def __or__(self, other: LeftOut) -> LeftOut:
        """Both together."""
        both = LeftOut(dict(self.counts))
        for (reason, what), number in other.counts.items():
            both.add(reason, number, what)
        return both

    def __getitem__(self, words: str) -> int:
        return self._in_words()[words]

    def __iter__(self) -> Iterator[str]:
        return iter(self._in_words())

    def __len__(self) -> int:
        return len(self.counts)

    def __repr__(self) -> str:
        return repr(self._in_words())

    def _in_words(self) -> dict[str, int]:
        return {reason.value.format(what): number for (reason, what), number in self.counts.items()}
