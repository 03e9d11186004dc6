"""What a reader says of a study, with codes in the place of people and no names of files, sheets and columns."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Self

from accord.errors import InputError, Message, Part, Remedy, between
from accord.study.study import Study


class GuessedPeople(Message):
    """A note that nothing told who the annotators are but the cells, or how many there are; and how to say who."""

    ways: tuple[Remedy, ...]

    def __new__(cls, *parts: Part, ways: tuple[Remedy, ...]) -> Self:
        """The note, and the calls in which it is said."""
        made = super().__new__(cls, *parts)
        made.ways = ways
        return made

    def __reduce__(self) -> tuple[Any, ...]:
        return _guessed, (self.parts, self.ways)


def _guessed(parts: tuple[Part, ...], ways: tuple[Remedy, ...]) -> GuessedPeople:
    return GuessedPeople(*parts, ways=ways)


def refuse_guessed_people(study: Study) -> None:
    """Who is to be hidden has to be known: where it was guessed, people may be what is measured, or items."""
    for note in study._reader_notes:
        if isinstance(note, GuessedPeople):
            raise InputError(
                "The table does not say who the annotators are; it was guessed, and they are to be hidden. Say it: ",
                *between(note.ways, " or "),
                ".",
            )


def unnamed_notes(study: Study, called: Mapping[str, str]) -> Study:
    """The study with its reader's notes, its shape and what was left out; people have their codes there: A1, A2 …

    Parts of messages say what may be a name, and no sentence is searched: an annotator may be called 100. What is no
    message was made of accord's own words and numbers. Labels and variables are told, as every table tells them.

    Args:
        study: Whose annotators have their codes already.
        called: By what code each is called, of all whom a note may name; models under their own names.
    """
    shape = _unnamed(study.shape, called)
    notes = tuple(note for note in (_unnamed(note, called) for note in study._reader_notes) if note)
    loaded = study._loaded  # noqa: SLF001 - where all of it is
    return Study._from_loaded(replace(loaded, shape=shape, notes=notes, left_out=loaded.left_out.unnamed()))


def _unnamed(note: str, called: Mapping[str, str]) -> str:
    return note.unnamed(called) if isinstance(note, Message) else note
