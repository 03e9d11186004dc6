"""People are named with care: the same study with annotators called A1, A2 …, and the key kept apart."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

import numpy as np

from accord.agreement.result import Rng
from accord.agreement.table import Table
from accord.errors import FileError, Keyword, OptionError
from accord.study.rename import renamed
from accord.study.study import Study


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
        return _numbered(study, called), key
    whole = study._with_tasks({task: _numbered(part, called) for task, part in study.tasks.items()})
    return whole, key


def refuse_naming(study: Study, by: str | None) -> None:
    """Groups by the annotator's column would name them after all."""
    if by is not None and by == study.roles.get("annotator"):
        refused = " names the annotators, and they are to be anonymous. Leave out one of the two."
        raise OptionError(Keyword("by", by), refused)


def read_key(path: Path) -> dict[str, str]:
    """Who is called what, from a key written before; nothing where there is none."""
    if not path.is_file():
        return {}
    try:
        rows = json.loads(path.read_text(encoding="utf-8"))["rows"]
        return {str(row["annotator"]): f"A{int(str(row['called'])[1:])}" for row in rows}
    except (ValueError, KeyError, TypeError):
        raise FileError(path, "This is no key to annotators' names. Move it away, or write elsewhere.") from None


def write_key(key: Table, path: Path) -> None:
    """Who is called what, for the one who keeps it."""
    path.write_text(json.dumps(key.to_dict(), ensure_ascii=False, indent=1) + "\n", encoding="utf-8")


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
