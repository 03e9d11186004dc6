"""The same answers under other names of annotators."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from accord.study.study import Study


def renamed(study: Study, names: Mapping[str, str], people: Sequence[str]) -> Study:
    """The same answers of the same people, in the order of `people`, each under another name."""
    old = study._annotations
    place = {name: number for number, name in enumerate(people)}
    position = np.array([place[name] for name in old.annotators])
    annotations = old.renamed([names[name] for name in people], position)
    kinds = {names[name]: kind for name, kind in study.kinds.items()}  # a new name tells nothing, so it is said
    return study._with_annotations(annotations)._with_kinds(kinds)
