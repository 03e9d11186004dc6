"""Subsets of a study: the answers of some annotators, of some rows, or on the labels that are used."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from accord.annotations.answers import Label
from accord.annotations.factorize import Coded
from accord.errors import InputError, Keyword, Message, OptionError, no_such_annotator, quoted
from accord.options import is_hashable, listed

if TYPE_CHECKING:
    from accord.engine.annotations_protocol import Annotations
    from accord.study.shapes.loaded import StudyPart
    from accord.study.study import Study


def of_annotators(study: Study, names: Sequence[str]) -> Study:
    """The answers of some annotators only."""
    need_annotators(study, several(names, "annotators"), "annotators")
    before = study._part
    kept = frozenset(names) if before.annotators is None else before.annotators & frozenset(names)
    return _of_parts(
        study,
        lambda annotations: annotations.of_annotators([name for name in names if name in annotations.annotators]),
        replace(before, annotators=kept),
    )


def without_annotators(study: Study, names: Sequence[str]) -> Study:
    """The answers of everybody but some annotators."""
    everyone, left = need_annotators(study, several(names, "exclude"), "exclude"), set(names)
    before = study._part
    chosen = study.of_annotators([name for name in everyone if name not in left])
    return chosen._as_part(replace(before, without=before.without | left))


def where(study: Study, column: str, values: Sequence[object]) -> Study:
    """The answers whose row has one of these values in a column."""
    next(iter(study.tasks.values()), study)._need_column(column, "where")
    wanted = [str(value) for value in values]
    if not study.tasks:
        before = study._part
        part = replace(before, rows=(*before.rows, (column, frozenset(wanted))))
        return _of_parts(study, lambda annotations: annotations.where(column, wanted), part)
    parts: dict[Label, Study] = {}
    refused: InputError | None = None
    for name, one in study.tasks.items():  # a variable may have none of the rows
        try:
            parts[name] = one.where(column, *values)
        except InputError as problem:
            refused = problem
    if not parts and refused is not None:
        raise refused
    return study._with_tasks(parts)._as_part(next(iter(parts.values()))._part)


def on_labels_used(study: Study) -> Study:
    """The same answers on the labels that are used, where nobody declared which there are; in the same order."""
    used = study.labels_used if study.kind == "single" and not study.answers.declared else set(study.labels)
    kept = tuple(label for label in study.labels if label in used)
    if len(kept) == len(study.labels):
        return study
    moved = Coded(np.arange(len(study.labels)), study.labels).onto(kept)
    recoded = study._annotations.recoded(replace(study.answers, labels=kept), moved)
    return study._from_loaded(replace(study._loaded, annotations=recoded))  # noqa: SLF001 - its room


def _of_parts(study: Study, change: Callable[[Annotations], Annotations], part: StudyPart) -> Study:
    """A choice among the annotations of the study, or of each of its variables."""
    loaded = study._loaded  # noqa: SLF001 - its room
    if loaded.annotations is not None:
        return study._with_annotations(change(loaded.annotations))._as_part(part)
    parts = {name: change(one) for name, one in loaded.tasks.items()}
    return study._from_loaded(replace(loaded, tasks=parts, part=part))


def need_annotators(study: Study, names: Sequence[str], option: str) -> tuple[str, ...]:
    """Everybody's name; an error where one that is asked for is not among them."""
    parts = list(study.tasks.values()) or [study]
    everyone = tuple(dict.fromkeys(name for part in parts for name in part.annotators))
    if not any(part._annotations.named for part in parts):
        raise InputError(
            "There are no annotators to choose from: a ",
            study.shape,
            " does not say who answered. Give one row per annotation.",
            option=Keyword("annotator"),
        )
    unknown = [name for name in names if name not in everyone]
    if unknown:
        raise no_such_annotator(option, unknown, everyone)
    return everyone


def several(names: Sequence[str], option: str) -> Sequence[str]:
    """Names in a list; a single text is a mistake."""
    if isinstance(names, str):
        raise OptionError.must(option, Message("be a list of names, for example [", quoted(names), "]"), names)
    found = listed(option, names, "be a list of names")
    if not all(map(is_hashable, found)):
        raise OptionError.must(option, "be a list of names", names)
    return found
