"""What an `accord.toml` beside the data says: how to read it, what to measure, how to report it."""

from __future__ import annotations

import sys
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from accord.cli.option_spelling import Spelling
from accord.cli.options import IN_FILE, SETTINGS_FILE
from accord.errors import (
    AccordError,
    FileError,
    Keyword,
    MayBeNames,
    OwnWords,
    Remedy,
    Spell,
    Spelled,
    Wording,
    as_python,
    did_you_mean,
    nearest,
    quoted,
)
from accord.study.roles import ROLES

NAME = SETTINGS_FILE
ANONYMISE = "anonymise"  # people are hidden in a report
WORDS = "text"
LISTS = "a list"
EITHER = "text or a list"
FLAG = "true or false"
TABLE = "a table"
NESTED = ", with no list or table inside its lists"
BY_VARIABLE = "text, or a table with a text for each variable"
# Each part is one library call; its settings are that call's keywords, and what each may be.
PARTS: Mapping[str, Mapping[str, str]] = {
    "read": {
        **dict.fromkeys(
            ("format", "shape", "answers", "duplicates", "separator", "only", "table", "query", "delimiter", "decimal",
             "quote", "sheet", "records", "config", "encoding", "on_error"), WORDS,
        ),
        **{role.name: EITHER if role.several else WORDS for role in ROLES.values()},
        **dict.fromkeys(("exclude", "people", "models", "labels", "include", "missing"), LISTS),
        **dict.fromkeys(("annotators", "adjudicator"), EITHER),
        "where": TABLE,
        "levels": BY_VARIABLE,
        **dict.fromkeys(("header", "trim", "fold_case", "ordered"), FLAG),
        "recode": TABLE,
    },
    "measure": {**dict.fromkeys(("weights", "by"), WORDS), "level": BY_VARIABLE},
    "report": {"title": WORDS, "date": WORDS, "benchmark": WORDS, "anonymise": FLAG, "show_text": FLAG},
}  # fmt: skip


def settings_of(data: Path) -> dict[str, dict[str, Any]]:
    """The settings beside a file or folder of data, checked; every part is there, empty where nothing was said.

    >>> settings_of(Path("no") / "such.csv")
    {'read': {}, 'measure': {}, 'report': {}}
    """
    found = data.parent / NAME
    settings: dict[str, dict[str, Any]] = {part: {} for part in PARTS}
    if not found.is_file():
        return settings
    for part, values in _parsed(found).items():
        if part not in PARTS:
            unknown = quoted(part)
            raise FileError(found, "There is no part ", unknown, "; there are [read], [measure] and [report].")
        if not isinstance(values, dict):
            what = f" must be a part with settings under it, [{part}]; got "
            raise FileError(found, OwnWords([part]), what, quoted(values), ".")
        for name, value in values.items():
            _check(found, part, name, value)
        settings[part] = values
    IN_FILE.set({(part, name): value for part, values in settings.items() for name, value in values.items()})
    return settings


def _parsed(file: Path) -> dict[str, Any]:
    """What stands in the file. Whether a report is to hide people counts before anything is said of what is wrong."""
    text = ""
    try:
        text = file.read_text(encoding="utf-8")
        parsed = tomllib.loads(text)
    except ValueError as problem:  # TOML, text, or a number of more digits than Python reads
        _hide(ANONYMISE in text)
        raise FileError(file, "This is not TOML: ", MayBeNames(str(problem)), ".") from None
    except RecursionError:
        _hide(ANONYMISE in text)
        raise FileError(file, "This is nested too deeply to be settings.") from None
    except OSError as problem:
        raise FileError(file, f"It cannot be opened: {problem.strerror or type(problem).__name__}.") from None
    report = parsed.get("report")
    _hide(isinstance(report, dict) and report.get(ANONYMISE, False) is not False)
    return parsed


def _hide(hidden: bool) -> None:
    if hidden:
        IN_FILE.set({("report", ANONYMISE): True})


def _check(file: Path, part: str, name: str, value: Any) -> None:
    allowed = PARTS[part]
    if name not in allowed:
        near = did_you_mean(nearest(name, allowed, 0.6), of_data=False)
        there = OwnWords(allowed, 40)
        raise FileError(file, "There is no setting ", quoted(name), "; there are ", there, ".", *near, part=f"[{part}]")
    wanted = allowed[name]
    fits = {WORDS: isinstance(value, str), FLAG: isinstance(value, bool), LISTS: _is_flat(value)}
    fits[EITHER] = fits[WORDS] or fits[LISTS]
    held = value.values() if isinstance(value, dict) else ()
    fits[TABLE] = isinstance(value, dict) and all(not isinstance(one, list | dict) or _is_flat(one) for one in held)
    table = isinstance(value, dict) and all(isinstance(one, str) for one in value.values())
    fits[BY_VARIABLE] = fits[WORDS] or table
    if not fits[wanted]:
        nested = wanted in (LISTS, EITHER, TABLE) and isinstance(value, dict if wanted == TABLE else list)
        rule = f" must be {wanted}{NESTED if nested else ''}; got "
        got = OwnWords([value]) if wanted == FLAG and isinstance(value, str) else quoted(value)
        raise FileError(file, OwnWords([name]), rule, got, ".", part=f"[{part}]")


def _is_flat(value: Any) -> bool:
    """Is it a list in which there are no lists?"""
    return isinstance(value, list) and not any(isinstance(one, list | dict) for one in value)


def in_words_of_file(problem: AccordError, spelling: Spelling, *, hidden: bool) -> str | None:
    """The message in words of accord.toml, where it is about a setting there and not about what was typed.

    Where people are hidden, no text of the file is told.
    """
    about = problem.option
    if about is None or _was_typed(spelling, about.name):
        return None
    for (part, setting), value in IN_FILE.get().items():
        if _setting(setting) == _setting(about.name) and (not about.given or _holds(value, about.value)):
            shown = as_python(... if hidden and not isinstance(value, int | float) else value)
            spell = _spelled_for(setting, spelling, problem, hidden=hidden)
            return f"{NAME}, [{part}] {setting} = {shown}: {problem.text(spell)}"
    return None


def _spelled_for(setting: str, spelling: Spelling, problem: AccordError, *, hidden: bool) -> Spell:
    return lambda one: _in_toml(one, setting, hidden=hidden) or spelling.spell(one, problem.function)


def _was_typed(spelling: Spelling, name: str) -> bool:
    flag = spelling.typed({name: None}, "")
    return flag is not None and any(word.partition("=")[0] == flag for word in sys.argv)


def _setting(name: str) -> str:
    """A keyword as settings have it: levels of a study, and the level of a measure."""
    return "level" if name == "levels" else name


def _holds(value: Any, wrong: Any) -> bool:
    """Is it what is wrong, or is that a part of it?"""
    inside = list(value.values()) if isinstance(value, dict) else value if isinstance(value, list) else []
    return bool(value == wrong or wrong in inside)


def _in_toml(part: Spelled, setting: str, *, hidden: bool) -> str | None:
    """A setting as the file has it; None for what is another."""
    if isinstance(part, Wording) or (isinstance(part, Remedy) and (part.command or part.title)):
        return None
    options = part.options if isinstance(part, Remedy) else {part.name: part.value}
    if [_setting(name) for name in options] != [_setting(setting)]:
        return None
    value = next(iter(options.values()))
    if hidden and isinstance(part, Keyword) and not isinstance(value, int | float):  # what the file says
        value = ...
    return setting if isinstance(part, Keyword) and not part.given else f"{setting} = {as_python(value)}"
