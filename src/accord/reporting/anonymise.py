"""People are named with care: the same study with annotators called A1, A2 …, and the key kept apart."""

from __future__ import annotations

import json
import os
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from unicodedata import normalize

import numpy as np

from accord.agreement.table import Table
from accord.annotations.answers import Label
from accord.engine.whole_file import whole
from accord.errors import FileError, Keyword, MayBeNames, OptionError, quoted
from accord.options import Rng
from accord.study.annotator_names import renamed
from accord.study.study import Study
from accord.study.unnamed_notes import refuse_guessed_people, unnamed_notes

OWNER_ONLY = 0o600  # may read and write the key
WORDS = re.compile(r"[^\W_]+")
LEAST_LETTERS = 3  # of a name that is looked for among other words, where "a" and "of" stand too
HALF = re.compile("[\ud800-\udfff]")  # half a character, as JavaScript leaves it where it cuts


def anonymised(study: Study, known: Mapping[str, str] | None = None, *, rng: Rng = None) -> tuple[Study, Table]:
    """The study without names, and who is who.

    The numbers are given at random, since the alphabet would give the names away to whoever knows the people; `known`
    says who is called what already. Annotators then stand in the order of their numbers.

    >>> from accord import Study
    >>> study, key = anonymised(Study.from_wide({"ana": ["x", "y"], "ben": ["x", "x"]}), rng=3)
    >>> study.annotators, dict(zip(key["called"], key["annotator"]))
    (('A1', 'A2'), {'A1': 'ben', 'A2': 'ana'})
    """
    refuse_guessed_people(study)
    parts = list(study.tasks.values()) or [study]
    names = sorted({name for part in parts for name in part.annotators})
    called = _called(names, known or {}, np.random.default_rng(rng))
    order = sorted(names, key=lambda name: int(called[name][1:]))
    key = Table("Who is who", {"called": [called[name] for name in order], "annotator": order})
    if not study.tasks:
        return unnamed_notes(_numbered(study, called), called), key
    whole = study._with_tasks({task: _numbered(part, called) for task, part in study.tasks.items()})
    return unnamed_notes(whole, called), key


def refuse_naming(study: Study, by: str | None) -> None:
    """Groups by the annotator's column would name them after all; so would a copy of it, and a column of somebody's."""
    if by is None:
        return
    parts = list(study.tasks.values()) or [study]
    if by == study.roles.get("annotator") or any(names_annotators(part, by) for part in parts):
        raise OptionError(
            Keyword("by", MayBeNames(by)),
            " names the annotators, or tells who of them answered, and they are to be anonymous. Name a column whose "
            "values several of them share, or leave out ",
            Keyword("anonymise"),
            ".",
        )


def names_annotators(study: Study, by: str) -> bool:
    """Is it the column of one of them, or do its values belong to one annotator each, or call anybody by the name?"""
    if not study._annotations.named or by not in study.columns:
        return False
    if by in study.annotators:
        return True
    people = {_plainly(name) for name in study.annotators}
    whose: dict[Label, set[str]] = {}
    for who, value in study._annotations.by_annotator(by):
        whose.setdefault(value, set()).add(who)
    apart = len(whose) > 1 and all(len(who) == 1 for who in whose.values())
    long = {name for name in people if len("".join(name)) >= LEAST_LETTERS and not all(map(str.isdigit, name))}
    return apart or any(_calls(value, people, long) for value in whose)


def _calls(value: Label, people: set[tuple[str, ...]], long: set[tuple[str, ...]]) -> bool:
    """Is it somebody's name, alone or among other words ("ana, in May", ana@example.org)? A number names nobody."""
    words = _plainly(value)
    if len(words) == 1 and words[0].isdigit():
        return False
    if words in people:
        return True
    lengths = set(map(len, long))
    return any(words[at : at + length] in long for length in lengths for at in range(len(words) - length + 1))


def _plainly(name: object) -> tuple[str, ...]:
    """The words of a name, in one of the ways in which they are written."""
    return tuple(WORDS.findall(normalize("NFC", str(name)).casefold())) or (str(name).strip(),)


def refuse_idle_key(key: Path | None, *, anonymise: bool, target: Path | None = None) -> None:
    """A key says nothing where people have their names; nor is it in the report that it must not lie with."""
    if key is not None and not anonymise:
        raise OptionError(Keyword("key"), " belongs to ", Keyword("anonymise"), ", which is not given. Give both.")
    if key is not None and target is not None and key.resolve() == target.resolve():
        raise OptionError(Keyword("key"), " and the report are one file, ", quoted(str(key)), ". Name two.")


def read_key(path: Path) -> dict[str, str]:
    """Who is called what, from a key written before; nothing where there is none."""
    if path.is_dir():  # as "" is
        raise OptionError.must("key", "name a file, and this is a folder", str(path))
    if not path.is_file():
        return {}
    try:
        rows = json.loads(path.read_text(encoding="utf-8"))["rows"]
        known = {str(row["annotator"]): f"A{int(str(row['called'])[1:])}" for row in rows}
    except (ValueError, KeyError, TypeError, RecursionError):
        raise FileError(path, "This is no key to annotators' names. Move it away, or write elsewhere.") from None
    twice = [called for called, times in Counter(known.values()).items() if times > 1]
    if twice or len(known) < len(rows):
        fault = ("two annotators are called ", MayBeNames(twice[0])) if twice else ("an annotator stands in it twice",)
        raise FileError(
            path, "In this key to annotators' names ", *fault, ". Mend it, move it away, or write elsewhere."
        )
    return known


def write_key(key: Table, known: Mapping[str, str], path: Path) -> None:
    """Who is called what, for the one who keeps it and nobody else; whoever stood in the key stays in it.

    An older report, of people who have left, is still read with the same file.
    """
    everybody = {**known, **dict(zip(key["annotator"], key["called"], strict=True))}
    order = sorted(everybody, key=lambda name: int(everybody[name][1:]))
    whole_key = Table(key.title, {"called": [everybody[name] for name in order], "annotator": order})
    payload = whole_key.to_dict()
    halves = any(HALF.search(name) for name in everybody)  # which only an escape can write
    text = json.dumps(payload, ensure_ascii=halves, indent=1) + "\n"
    path.parent.mkdir(parents=True, exist_ok=True)
    with _alone_in(path.parent), whole(path) as half:
        if path.is_file() and read_key(path) != dict(known):
            raise FileError(path, "Somebody else added people to the key in the meantime. Run it again.")
        private = os.open(half, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, OWNER_ONLY)
        with os.fdopen(private, "w", encoding="utf-8") as stream:
            stream.write(text)


@contextmanager
def _alone_in(folder: Path) -> Iterator[None]:
    """No other run looks at a key of this folder and then replaces it; on Windows the moment between stays."""
    try:
        from fcntl import LOCK_EX, flock
    except ImportError:
        yield
        return
    held = os.open(folder, os.O_RDONLY)
    try:
        flock(held, LOCK_EX)
        yield
    finally:
        os.close(held)


def _called(names: list[str], known: Mapping[str, str], rng: np.random.Generator) -> dict[str, str]:
    """A number for each name: the known one, else one of those that are free."""
    called = {name: known[name] for name in names if name in known}
    taken = {int(number[1:]) for number in known.values()}
    new = [name for name in names if name not in called]
    free = [number for number in range(1, len(names) + len(taken) + 1) if number not in taken][: len(new)]
    return called | {name: f"A{number}" for name, number in zip(new, rng.permutation(free), strict=True)}


def _numbered(study: Study, called: Mapping[str, str]) -> Study:
    """The same answers under numbers, in the order of those."""
    if not study._annotations.named:
        return study
    return renamed(study, called, sorted(study.annotators, key=lambda name: int(called[name][1:])))
