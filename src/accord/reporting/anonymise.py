"""People are named with care: the same study with annotators called A1, A2 …, and the key kept apart."""

from __future__ import annotations

import json
import os
import re
from collections import Counter
from collections.abc import Mapping
from pathlib import Path

import numpy as np

from accord.agreement.table import Table
from accord.engine.whole_file import whole
from accord.errors import FileError, Keyword, OptionError, without_files
from accord.options import Rng
from accord.study.rename import renamed
from accord.study.study import Study

OWNER_ONLY = 0o600  # may read and write the key
FEW_LETTERS = 2
LISTED = re.compile(r"(?<!\w)(['\"]?)A\d+\1(?:(?:, | and )\1A\d+\1)+(?!\w|'s)")
NUMBER = re.compile(r"(?<=A)\d+")


def anonymised(study: Study, known: Mapping[str, str] | None = None, *, rng: Rng = None) -> tuple[Study, Table]:
    """The study without names, and who is who.

    The numbers are given at random, since the alphabet would give the names away to whoever knows the people; `known`
    says who is called what already. Annotators then stand in the order of their numbers.

    >>> from accord import Study
    >>> study, key = anonymised(Study.from_wide({"ana": ["x", "y"], "ben": ["x", "x"]}), rng=3)
    >>> study.annotators, dict(zip(key["called"], key["annotator"]))
    (('A1', 'A2'), {'A1': 'ben', 'A2': 'ana'})
    """
    parts = list(study.tasks.values()) or [study]
    names = sorted({name for part in parts for name in part.annotators})
    called = _called(names, known or {}, np.random.default_rng(rng))
    order = sorted(names, key=lambda name: int(called[name][1:]))
    key = Table("Who is who", {"called": [called[name] for name in order], "annotator": order})
    if not study.tasks:
        return _without_names(_numbered(study, called), called), key
    whole = study._with_tasks({task: _numbered(part, called) for task, part in study.tasks.items()})
    return _without_names(whole, called), key


def refuse_naming(study: Study, by: str | None) -> None:
    """Groups by the annotator's column would name them after all."""
    if by is not None and by == study.roles.get("annotator"):
        refused = " names the annotators, and they are to be anonymous. Leave out one of the two."
        raise OptionError(Keyword("by", by), refused)


def refuse_idle_key(key: Path | None, *, anonymise: bool, target: Path | None = None) -> None:
    """A key says nothing where people have their names; nor is it in the report that it must not lie with."""
    if key is not None and not anonymise:
        raise OptionError(Keyword("key"), " belongs to ", Keyword("anonymise"), ", which is not given. Give both.")
    if key is not None and target is not None and key.resolve() == target.resolve():
        raise OptionError(Keyword("key"), f" and the report are one file, {str(key)!r}. Name two.")


def read_key(path: Path) -> dict[str, str]:
    """Who is called what, from a key written before; nothing where there is none."""
    if path.is_dir():  # as "" is
        raise OptionError.must("key", "name a file, and this is a folder", str(path))
    if not path.is_file():
        return {}
    try:
        rows = json.loads(path.read_text(encoding="utf-8"))["rows"]
        known = {str(row["annotator"]): f"A{int(str(row['called'])[1:])}" for row in rows}
    except (ValueError, KeyError, TypeError):
        raise FileError(path, "This is no key to annotators' names. Move it away, or write elsewhere.") from None
    twice = [called for called, times in Counter(known.values()).items() if times > 1]
    if twice or len(known) < len(rows):
        said = f"two annotators are called {twice[0]}" if twice else "an annotator stands in it twice"
        raise FileError(path, f"In this key to annotators' names {said}. Mend it, move it away, or write elsewhere.")
    return known


def write_key(key: Table, known: Mapping[str, str], path: Path) -> None:
    """Who is called what, for the one who keeps it and nobody else; whoever stood in the key stays in it.

    An older report, of people who have left, is still read with the same file.
    """
    if path.is_file() and read_key(path) != dict(known):
        raise FileError(path, "Somebody else added people to the key in the meantime. Run it again.")
    everybody = {**known, **dict(zip(key["annotator"], key["called"], strict=True))}
    order = sorted(everybody, key=lambda name: int(everybody[name][1:]))
    whole_key = Table(key.title, {"called": [everybody[name] for name in order], "annotator": order})
    text = json.dumps(whole_key.to_dict(), ensure_ascii=False, indent=1) + "\n"
    path.parent.mkdir(parents=True, exist_ok=True)
    with whole(path) as half:
        private = os.open(half, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, OWNER_ONLY)
        with os.fdopen(private, "w", encoding="utf-8") as stream:
            stream.write(text)


def _called(names: list[str], known: Mapping[str, str], rng: np.random.Generator) -> dict[str, str]:
    """A number for each name: the known one, else one of those that are free."""
    called = {name: known[name] for name in names if name in known}
    taken = {int(number[1:]) for number in known.values()}
    new = [name for name in names if name not in called]
    free = [number for number in range(1, len(names) + len(taken) + 1) if number not in taken][: len(new)]
    return called | {name: f"A{number}" for name, number in zip(new, rng.permutation(free), strict=True)}


def _without_names(study: Study, called: Mapping[str, str]) -> Study:
    """The study with its reader's notes, which name no file, and in which people have their numbers."""
    unnamed = (without_names(without_files(note), called) for note in study.notes)
    notes = tuple(note for note in unnamed if note)
    return study if notes == study.notes else study._with_origin(study.shape, notes)


def without_names(text: str, called: Mapping[str, str]) -> str:
    """A sentence in which people have their numbers; a name that was cut at its end goes.

    Names of a letter or two are words too: they count where they stand in a list or between quotes. Several stand in
    the order of their numbers, since that of the alphabet would tell who is who.

    >>> without_names("a column per annotator: Xanthippe, a, Quen", {"Xanthippe": "A2", "a": "A1", "Quentin": "A3"})
    'a column per annotator: A1, A2, …'
    """
    names = sorted(called, key=len, reverse=True)
    tail = re.split(r"[,:] ", text)[-1]
    if tail and tail not in called and any(name.startswith(tail) for name in names):
        text = f"{text[: -len(tail)]}…"
    for some, before in (
        ([name for name in names if len(name) > FEW_LETTERS], r"(?<!\w)"),
        ([name for name in names if len(name) <= FEW_LETTERS], r"(?<=[,:(] |.['\"“(])"),
    ):
        if some:
            listed = "|".join(map(re.escape, some))
            text = re.sub(rf"{before}(?:{listed})(?!\w)", lambda found: called[found[0]], text)
    return LISTED.sub(_in_order, text)


def _in_order(found: re.Match[str]) -> str:
    """Numbers of people in a list, the lowest first."""
    numbers = iter(sorted(map(int, NUMBER.findall(found[0]))))
    return NUMBER.sub(lambda _: str(next(numbers)), found[0])


def _numbered(study: Study, called: Mapping[str, str]) -> Study:
    """The same answers under numbers, in the order of those."""
    if not study._annotations.named:
        return study
    return renamed(study, called, sorted(study.annotators, key=lambda name: int(called[name][1:])))
