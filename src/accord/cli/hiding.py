"""Where people are hidden, errors do not tell who they are: what stands in the data is … in them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from accord.study.roles import ROLES

NAMING = ("--annotators", "--adjudicator", "--people", "--models", "--exclude", "--where")  # their values name people
COLUMNS = tuple(f"--{name.replace('_', '-')}" for name in ROLES)  # which of a wide table are people
QUOTED = re.compile(r"""(?<!\w)(?:'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")(?!\w)""")
OPTION = re.compile(rf"(?<![\w-])({'|'.join((*NAMING, *COLUMNS))})([ =])(?=[^\s.,;])(?:'[^']*'|\S*[^\s.,;?])")
FILE = re.compile(r"(?<![\w'\"/.-])(?:[\w.-]+/)*[\w-][\w.-]*\.[a-z]\w{1,7}(?![\w/])")
KEY = "-key.json"
MORE = " Names are hidden here; without --anonymise they are told."


def without_people(text: str, typed: Sequence[str]) -> str:
    """An error that tells of the data nothing but what was typed: a label, a column or a file may be a name.

    >>> without_people("x.csv: Annotator 'Ann' answered item 3 twice. Say --duplicates last.", ["measure", "x.csv"])
    "x.csv: Annotator '…' answered item 3 twice. Say --duplicates last. Names are hidden here; without --anonymise
    they are told."
    >>> without_people("ann/d.txt: There is no column 'lable'.", ["measure", "exports", "--label", "lable"])
    "…: There is no column 'lable'. Names are hidden here; without --anonymise they are told."
    """
    known = _words(typed)
    hidden = QUOTED.sub(lambda found: found[0] if found[0][1:-1] in known else "'…'", text)
    hidden = OPTION.sub(r"\1\2…", hidden)
    hidden = FILE.sub(lambda found: found[0] if found[0] in known or found[0].endswith(KEY) else "…", hidden)
    return hidden if hidden == text else hidden + MORE


def _words(typed: Sequence[str]) -> set[str]:
    """What was typed, in parts and files by their names, but for who was named; and the columns of accord itself."""
    found = {*ROLES, "label", "annotator", "item", "accord.toml"}
    for place, word in enumerate(typed):
        option, _, value = word.partition("=") if word.startswith("--") else ("", "", word)
        if (option or (typed[place - 1] if place else "")) not in NAMING:
            found |= {value, Path(value).name, *value.split(",")}
    return found
