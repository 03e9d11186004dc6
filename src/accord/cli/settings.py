"""What an `accord.toml` beside the data says: how to read it, what to measure, how to report it."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from accord.errors import FileError, OptionError, listing
from accord.study.roles import ROLES

NAME = "accord.toml"
WORDS = "text"
LISTS = "a list"
EITHER = "text or a list"
FLAG = "true or false"
TABLE = "a table"
# Each part is one library call; its settings are that call's keywords, and what each may be.
PARTS: Mapping[str, Mapping[str, str]] = {
    "read": {
        **dict.fromkeys(
            ("format", "shape", "answers", "duplicates", "separator", "only", "delimiter", "decimal", "sheet", "config",
             "encoding", "on_error"), WORDS,
        ),
        **{role.name: EITHER if role.several else WORDS for role in ROLES.values()},
        **dict.fromkeys(("annotators", "labels", "include"), LISTS),
        "adjudicator": EITHER,
        **dict.fromkeys(("header", "trim", "fold_case"), FLAG),
        "missing": LISTS,
        "recode": TABLE,
    },
    "measure": dict.fromkeys(("weights", "level", "by"), WORDS),
    "report": {"title": WORDS, "benchmark": WORDS, "anonymise": FLAG, "show_text": FLAG},
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
        if part not in PARTS or not isinstance(values, dict):
            raise OptionError(f"{NAME} may have the parts [read], [measure] and [report]; got {part!r}.")
        for name, value in values.items():
            _check(part, name, value)
        settings[part] = values
    return settings


def _check(part: str, name: str, value: Any) -> None:
    allowed = PARTS[part]
    if name not in allowed:
        raise OptionError.choice(f"{NAME}, [{part}]: a setting", name, allowed)
    wanted = allowed[name]
    fits = {WORDS: isinstance(value, str), LISTS: isinstance(value, list), FLAG: isinstance(value, bool)}
    fits[TABLE] = isinstance(value, dict)
    fits[EITHER] = fits[WORDS] or fits[LISTS]
    if not fits[wanted]:
        raise OptionError(f"{NAME}, [{part}]: {name} must be {wanted}; got {listing([value])}.")
