"""What was not used of the data, and why: reasons are keys, each with its words in one table."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from enum import Enum


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
    NOT_READ = "{}"  # no answer of a kind that accord knows; the reader of the format says what


class LeftOut(Mapping[str, int]):
    """How much was not used: for people by the reason in words, for programs by its key.

    >>> left_out = LeftOut()
    >>> left_out.add(Reason.REPEATED, 2)
    >>> dict(left_out), left_out.of(Reason.REPEATED), left_out.of(Reason.NO_ITEM)
    ({'answers given again (another was kept)': 2}, 2, 0)
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

    def of(self, reason: Reason) -> int:
        """How much for this reason."""
        return sum(number for (key, _), number in self.counts.items() if key is reason)

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
