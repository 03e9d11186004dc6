"""The same answers under other names of annotators."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from accord.annotations.assemble import Assembled, Names
from accord.study.study import Study


def renamed(study: Study, called: Mapping[str, str], people: Sequence[str]) -> Study:
    """The same answers of the same people, in the order of `people`, each called otherwise."""
    old = study._annotations
    order = np.array([old.annotators.index(name) for name in people])
    names = tuple(called[name] for name in people)
    position = np.empty(len(order), dtype=np.int64)
    position[order] = np.arange(len(order))
    triples = replace(
        old,
        annotators=names,
        grid=None if old.grid is None else np.ascontiguousarray(old.grid[:, order]),
        annotator=None if old.annotator is None else position[old.annotator],
    )
    whole = study._assembled
    return study._with_assembled(Assembled(triples, Names(whole.names.items, names), whole.row))
