"""People are named with care: the same study with annotators called A1, A2 …, and the key kept apart."""

from __future__ import annotations

from dataclasses import replace

from accord.assembly import Assembled, Names
from accord.study import Study
from accord.table import Table


def anonymised(study: Study) -> tuple[Study, Table]:
    """The study without names, and who is who. The order of names is lost on purpose only in the key's keeping.

    >>> from accord import Study
    >>> study, key = anonymised(Study.from_wide({"ana": ["x", "y"], "ben": ["x", "x"]}))
    >>> study.annotators, list(key["annotator"])
    (('A1', 'A2'), ['ana', 'ben'])
    """
    parts = list(study.tasks.values()) or [study]
    names = sorted({name for part in parts for name in part.annotators})
    called = {name: f"A{place}" for place, name in enumerate(names, start=1)}
    key = Table("Who is who", {"called": [called[name] for name in names], "annotator": names})
    if not study.tasks:
        return _renamed(study, called), key
    whole = study.with_tasks({task: _renamed(part, called) for task, part in study.tasks.items()})
    return whole, key


def _renamed(study: Study, called: dict[str, str]) -> Study:
    if not study.triples.named:
        return study
    names = tuple(called[name] for name in study.annotators)
    triples = replace(study.triples, annotators=names)
    old = study.assembled
    return study.with_assembled(Assembled(triples, Names(old.names.items, names), old.row))
