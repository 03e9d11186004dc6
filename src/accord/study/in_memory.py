"""A study whose annotations stay in an engine, brought into memory."""

from __future__ import annotations

from accord.study.study import Study


def in_memory_where_repeated(study: Study) -> Study:
    """The study with its answers in memory where somebody answered an item twice: people are told apart there.

    An error where they are too many.
    """
    if study.tasks or study._annotations.in_memory or not study._annotations.repeated:
        return study
    return study._in_memory


def in_memory_where_small(study: Study) -> Study:
    """The study in memory where it is small, so that all of its table is at hand; else as it is."""
    if not study.tasks:
        return study._in_memory if study._annotations.small else study
    parts = {name: in_memory_where_small(part) for name, part in study.tasks.items()}
    moved = any(part is not study.tasks[name] for name, part in parts.items())
    return study._with_tasks(parts) if moved else study
