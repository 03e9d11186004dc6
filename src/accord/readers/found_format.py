"""As which tool's export something was read, and what was seen that says so."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Self

from accord.errors import Message
from accord.study.study import Study


@dataclass(frozen=True)
class Found:
    """A format that fits, and what was seen that says so."""

    format: str
    why: str  # a message where that names a field


class FormatNote(Message):
    """What an export was read as, among the notes of its study."""

    found: Found

    def __new__(cls, found: Found) -> Self:
        """The format in a sentence."""
        made = super().__new__(cls, f"format {found.format!r}: ", found.why)
        made.found = found
        return made

    def unnamed(self, called: Mapping[str, str]) -> FormatNote:
        """The same without names in what was seen."""
        why = self.found.why
        return FormatNote(replace(self.found, why=why.unnamed(called))) if isinstance(why, Message) else self

    def __reduce__(self) -> tuple[Any, ...]:
        return FormatNote, (self.found,)


def format_of(study: Study) -> str | None:
    """The format of the export that a study was read from; None where it was a table, or no file."""
    return next((note.found.format for note in study.notes if isinstance(note, FormatNote)), None)
