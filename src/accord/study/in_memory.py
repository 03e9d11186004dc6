"""A study whose rows stay in an engine, brought into memory where it is small."""

from __future__ import annotations

from accord.engine import lazy_annotations
from accord.engine.lazy_annotations import LazyAnnotations
from accord.study.study import Study


def near(study: Study) -> Study:
    """The study in memory where it is small, so that all of its table is at hand; else as it is."""
    if study.tasks:
        parts = {name: near(part) for name, part in study.tasks.items()}
        moved = any(part is not study.tasks[name] for name, part in parts.items())
        return study._with_tasks(parts) if moved else study
    triples = study._annotations
    if isinstance(triples, LazyAnnotations) and triples.given <= min(
        lazy_annotations.CROWD_ROWS, lazy_annotations.MOST_ROWS
    ):
        here: Study = triples.local
        return here
    return study
