"""Where people are hidden, errors do not tell who they are: what stands in the data is … in them."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from copy import copy
from dataclasses import replace
from pathlib import Path
from typing import Any

from accord.errors import UNSAID, AccordError, InputError, Keyword, MayBeNames, Message, OwnWords, Part, Remedy
from accord.study.answer_filters import ALL
from accord.study.roles import ROLES

NAMING = (
    "--annotators",
    "--adjudicator",
    "--gold",
    "--people",
    "--models",
    "--exclude",
    "--where",
    "--sheet",
    "--records",
)  # may name people
NAMED_BY = {*(option.removeprefix("--") for option in NAMING), *ROLES}  # columns of a wide table are people too
OF_DATA = "only"  # its value is a variable, and columns of people may be taken for variables
QUOTED = re.compile(
    r"""(?<!\w)(?:(?:'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")(?!\w)|'[^']*…|"[^"]*…)"""
)  # a value that is long may be cut within its quotes
FILE = re.compile(r"(?<![\w'\"/.-])(?:[\w.-]+/)*[\w-][\w.-]*\.[a-z]\w{1,7}(?![\w/])")
KEY = "-key.json"
OWN = ("key", ALL)  # what may stand where names do, and is none
MORE = " Names are hidden here; without --anonymise they are told."


def without_people(problem: AccordError, said: Callable[[AccordError], str], typed: Sequence[str]) -> str:
    """An error that tells of the data nothing but what was typed: a label, a column or a file may be a name.

    Parts that may be names go, and so do the values of keywords that name people, and the file where it was found. A
    net lies under the parts, for values that stand in a sentence of their own making: those between quotes, and files
    by their endings. What is typed, and what the error marks as accord's own words, is told.

    >>> from accord.cli.option_spelling import as_typed
    >>> from accord.errors import InputError, remedy
    >>> said = lambda problem: problem.text(lambda way: as_typed(way.options))
    >>> twice = InputError("Annotator 'Ann' answered item 3 twice. Say ", remedy(duplicates="last"), ".")
    >>> without_people(twice.found_in("x.csv"), said, ["measure", "x.csv"])
    "x.csv: Annotator '…' answered item 3 twice. Say --duplicates last. Names are hidden here; without --anonymise
    they are told."
    >>> column = InputError("No column 'lable'. Did you mean ", remedy(label="Ann"), "?").found_in("ann/d.txt")
    >>> without_people(column, said, ["measure", "exports", "--label", "lable"])
    "…: No column 'lable'. Did you mean --label …? Names are hidden here; without --anonymise they are told."
    """
    known = _words(typed) | {
        word for part in problem.message.parts if isinstance(part, OwnWords) for word in part.words
    }
    hidden = QUOTED.sub(lambda found: found[0] if found[0][1:-1] in known else "'…'", said(_unnamed(problem, known)))
    hidden = FILE.sub(lambda found: found[0] if _may_be_told(found[0], known) else UNSAID, hidden)
    return hidden if hidden == said(problem) else hidden + MORE


def _may_be_told(file: str, known: set[str]) -> bool:
    return all(one in known or one.endswith(KEY) for one in file.split(" + "))  # as several are called together


def _unnamed(problem: AccordError, known: set[str]) -> AccordError:
    """The same error, with nobody in the keywords that name people, nor in the name of the file."""
    told = copy(problem)
    there = problem.available if isinstance(problem, InputError) else ()  # in the data; other errors list words
    told.message = Message(*(_unsaid(part, there, known) for part in problem.message.parts))
    if problem.place is not None and problem.place.file and not _may_be_told(problem.place.file, known):
        told.place = replace(problem.place, file=UNSAID)
    return told


def _unsaid(part: Part, there: Sequence[object], known: set[str]) -> Part:
    """A keyword or a way out without the values that may be names; and what else may be names, unless it was typed."""
    if isinstance(part, MayBeNames):
        return part if _is_typed(part, known) else part.hidden({})
    if isinstance(part, Keyword) and part.given:
        return replace(part, value=_value(part.name, part.value, there, known))
    if isinstance(part, Remedy):
        return replace(part, options={name: _value(name, one, there, known) for name, one in part.options.items()})
    return part


def _is_typed(text: str, known: set[str]) -> bool:
    """Were the values in a text typed, all of them?"""
    quoted = [found[0][1:-1] for found in QUOTED.finditer(text)]
    return text in known or (bool(quoted) and known.issuperset(quoted) and not QUOTED.sub("", text).strip(", []"))


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
