"""The same answers under other names of annotators."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from accord.study.study import Study


def renamed(study: Study, names: Mapping[str, str], people: Sequence[str]) -> Study:
    """The same answers of the same people, in the order of `people`, each under another name."""
    old = study._annotations.to_memory()
    place = {name: number for number, name in enumerate(old.annotators)}
    order = np.array([place[name] for name in people])
    position = np.empty(len(order), dtype=np.int64)
    position[order] = np.arange(len(order))
    annotations = replace(
        old,
        annotators=tuple(names[name] for name in people),
        grid=None if old.grid is None else np.ascontiguousarray(old.grid[:, order]),
        annotator=None if old.annotator is None else position[old.annotator],
    )
    kinds = {names[name]: kind for name, kind in study.kinds.items()}  # a new name tells nothing, so it is said
    return study._with_annotations(annotations)._with_kinds(kinds)
