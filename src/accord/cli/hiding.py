"""Where people are hidden, errors do not tell who they are: what stands in the data is … in them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from copy import copy
from dataclasses import replace
from pathlib import Path
from typing import Any

from accord.errors import ELLIPSIS, AccordError, InputError, Keyword, MayBeNames, Message, Part, Remedy
from accord.study.answer_filters import ALL
from accord.study.roles import ROLES

NAMING = (
    "--annotators",
    "--adjudicator",
    "--gold",
    "--people",
    "--models",
    "--exclude",
    "--decided-by",
    "--where",
    "--sheet",
    "--records",
)  # may name people
NAMED_BY = {*(option.removeprefix("--") for option in NAMING), *ROLES}  # columns of a wide table are people too
OF_DATA = "only"  # its value is a variable, and columns of people may be taken for variables
KEY = "-key.json"
OWN = ("key", ALL)  # what may stand where names do, and is none
MORE = " Names are hidden here; without --anonymise they are told."


def without_people(problem: AccordError, as_text: Callable[[AccordError], str], typed: Sequence[str]) -> str:
    """An error that tells of the data nothing but what was typed: a label, a column or a file may be a name.

    Parts that may be names go, unless they were typed, and so do the values of keywords that name people, and the file
    where it was found. No sentence is searched: `tests/surface/test_error_grammar.py` holds that values are parts.

    >>> from accord.cli.option_spelling import as_typed
    >>> from accord.errors import InputError, quoted, remedy
    >>> as_text = lambda problem: problem.text(lambda way: as_typed(way.options))
    >>> twice = InputError("Annotator ", quoted("Ann"), " answered item 3 twice. Say ", remedy(duplicates="last"), ".")
    >>> without_people(twice.found_in("x.csv"), as_text, ["measure", "x.csv"])
    'x.csv: Annotator … answered item 3 twice. Say --duplicates last. Names are hidden here; without --anonymise
    they are told.'
    >>> column = InputError("No column ", quoted("lable"), ". Did you mean ", remedy(label="Ann"), "?")
    >>> without_people(column.found_in("ann/d.txt"), as_text, ["measure", "exports", "--label", "lable"])
    "…: No column 'lable'. Did you mean --label …? Names are hidden here; without --anonymise they are told."
    """
    known = _words(typed)
    hidden = as_text(_unnamed(problem, known))
    return hidden if hidden == as_text(problem) else hidden + MORE


def _unnamed(problem: AccordError, known: set[str]) -> AccordError:
    """The same error, with nobody in its parts, in the keywords that name people, nor in the place where it is."""
    unnamed = copy(problem)
    there = problem.available if isinstance(problem, InputError) else ()  # in the data; other errors list words
    unnamed.message = Message(*(_without_names(part, there, known) for part in problem.message.parts))
    if problem.place is not None:
        file = problem.place.file
        within = Message(*(_without_names(part, there, known) for part in Message(problem.place.part).parts))
        unnamed.place = replace(problem.place, file=file if _may_be_shown(file, known) else ELLIPSIS, part=within)
    return unnamed


def _may_be_shown(file: str, known: set[str]) -> bool:
    return all(one in known or one.endswith(KEY) for one in file.split(" + "))  # as several are called together


def _without_names(part: Part, there: Sequence[object], known: set[str]) -> Part:
    """A part of a message without what may be names, unless it was typed."""
    if isinstance(part, MayBeNames):
        return part if str(part) in known else part.without(lambda value: not _is_nobody(value, known))
    if isinstance(part, Keyword) and part.given:
        return replace(part, value=_value(part.name, part.value, there, known))
    if isinstance(part, Remedy):
        data = _without_names(part.data, there, known)
        options = {name: _value(name, one, there, known) for name, one in part.options.items()}
        return replace(part, options=options, data=str(data))
    return part


def _is_nobody(value: object, known: set[str]) -> bool:
    """Was a value typed, or is it no name: a number, yes or no, nothing?"""
    return value is None or isinstance(value, int | float) or str(value) in known


def _value(name: str, value: Any, there: Sequence[object], known: set[str]) -> Any:
    of_data = (name == OF_DATA or value in there) and str(value) not in known
    return ... if of_data or (name in NAMED_BY and value not in OWN) else value


def _words(typed: Sequence[str]) -> set[str]:
    """What was typed, in parts and files by their names, but for who was named; and the columns of accord itself."""
    found = {*ROLES, "label", "annotator", "item", "accord.toml", "stdin"}
    for place, word in enumerate(typed):
        option, _, value = word.partition("=") if word.startswith("--") else ("", "", word)
        if (option or (typed[place - 1] if place else "")) not in NAMING:
            found |= {value, Path(value).name, *value.split(",")}
    return found
