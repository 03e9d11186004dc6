"""Declared scales: in what order the labels of a variable stand, which nobody used, and the level of measurement.

A table of labels cannot hold them, so `Study.write` puts them beside it: into the metadata of Parquet, or into a small
JSON file of the same name for the others.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from accord.annotations.answers import Level, Order
from accord.errors import FileError
from accord.options import head
from accord.study.levels import check_level

if TYPE_CHECKING:
    from accord.study.study import Study

ENDING = ".scale.json"
KEY = "accord.study.declared_scales"


@dataclass(frozen=True)
class Scale:
    """The labels of a variable, as they were declared."""

    labels: tuple[Any, ...] = ()  # none where only the level was declared
    order: Order = "listed"
    level: Level | None = None  # of measurement, where somebody said it


def of_study(study: Study) -> dict[str, Scale]:
    """The scales that the labels in use do not tell, by variable; a single variable is called ""."""
    parts: dict[Any, Study] = dict(study.tasks) or {"": study}
    found: dict[str, Scale] = {}
    for name, part in parts.items():
        answers = part.answers
        listed = answers.kind != "score" and (answers.declared or len(_used(part)) < len(answers.labels))
        if listed or part.level is not None:
            found[str(name)] = Scale(answers.labels if listed else (), answers.order, part.level)
    return found


def _used(study: Study) -> set[int]:
    given = set(study.tally().answer.tolist())
    return given if study.kind == "single" else {label for answer in given for label in study.answers.members[answer]}


def as_json(scales: Mapping[str, Scale]) -> str:
    """To be kept beside a table."""
    variables = {
        name: {"labels": list(scale.labels), "ordered": bool(scale.order), "level": scale.level}
        for name, scale in scales.items()
    }
    return json.dumps({**head("scales"), "variables": variables}, ensure_ascii=False, indent=1)


def of_json(text: str, where: str) -> dict[str, Scale]:
    """What was kept beside a table."""
    try:
        variables = json.loads(text)["variables"]
        return {
            str(name): Scale(tuple(scale["labels"]), "listed" if scale["ordered"] else "", _level(scale.get("level")))
            for name, scale in variables.items()
        }
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        raise FileError(
            where, "It should be the scale of the table beside it, and it is not as accord writes it. Remove it."
        ) from None


def _level(word: Any) -> Level | None:
    return None if word is None else check_level("levels", word)


def path_beside(path: Path) -> Path:
    """Where the scales of a table are kept."""
    return path.with_name(path.name + ENDING)


def is_ours(path: Path) -> bool:
    """Was the file written by accord, as the scale of a table?"""
    try:
        return path.is_file() and '"object": "scales"' in path.read_text(encoding="utf-8")[:200]
    except (OSError, UnicodeDecodeError):
        return False


def of_table(source: Any, name: str) -> dict[str, Scale]:
    """The scales of a table: in its metadata, or beside it; none if nobody declared any."""
    path = source.beside(name)
    if path is None:
        return {}
    if path.suffix.lower() in (".parquet", ".pq"):
        import polars as pl

        try:
            kept = pl.read_parquet_metadata(path).get(KEY)
        except (pl.exceptions.PolarsError, OSError, ValueError):
            return {}
        return {} if kept is None else of_json(kept, path.name)
    file = path_beside(path)
    return of_json(file.read_text(encoding="utf-8"), file.name) if is_ours(file) else {}
