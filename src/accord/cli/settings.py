"""What an `accord.toml` beside the data says: how to read it, what to measure, how to report it."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from accord.errors import FileError, listing
from accord.study.roles import ROLES

NAME = "accord.toml"
WORDS = "text"
LISTS = "a list"
EITHER = "text or a list"
FLAG = "true or false"
TABLE = "a table"
BY_VARIABLE = "text, or a table with a text for each variable"
# Each part is one library call; its settings are that call's keywords, and what each may be.
PARTS: Mapping[str, Mapping[str, str]] = {
    "read": {
        **dict.fromkeys(
            ("format", "shape", "answers", "duplicates", "separator", "only", "delimiter", "decimal", "sheet", "config",
             "encoding", "on_error"), WORDS,
        ),
        **{role.name: EITHER if role.several else WORDS for role in ROLES.values()},
        **dict.fromkeys(("exclude", "people", "models", "labels", "include", "missing"), LISTS),
        **dict.fromkeys(("annotators", "adjudicator"), EITHER),
        "where": TABLE,
        "levels": BY_VARIABLE,
        **dict.fromkeys(("header", "trim", "fold_case"), FLAG),
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
    try:
        parsed = tomllib.loads(found.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as problem:
        raise FileError(found, f"This is not TOML: {problem}.") from None
    for part, values in parsed.items():
        if part not in PARTS:
            raise FileError(found, f"There is no part {part!r}; there are [read], [measure] and [report].")
        if not isinstance(values, dict):
            raise FileError(found, f"{part!r} must be a part with settings under it, [{part}]; got {values!r}.")
        for name, value in values.items():
            _check(found, part, name, value)
        settings[part] = values
    return settings


def _check(file: Path, part: str, name: str, value: Any) -> None:
    allowed = PARTS[part]
    if name not in allowed:
        near = get_close_matches(name, allowed, 1, 0.6)
        hint = f" Did you mean {near[0]!r}?" if near else ""
        raise FileError(
            file, f"There is no setting {name!r}; there are {listing(allowed, most=40)}.{hint}", part=f"[{part}]"
        )
    wanted = allowed[name]
    types = {WORDS: str, LISTS: list, FLAG: bool, TABLE: dict}
    fits = {word: isinstance(value, type_) for word, type_ in types.items()}
    fits[EITHER] = fits[WORDS] or fits[LISTS]
    table = isinstance(value, dict) and all(isinstance(one, str) for one in value.values())
    fits[BY_VARIABLE] = fits[WORDS] or table
    if not fits[wanted]:
        raise FileError(file, f"{name!r} must be {wanted}; got {value!r}.", part=f"[{part}]")
