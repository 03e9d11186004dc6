"""What the results in a folder are results of: the manifest that `accord sql` writes beside its queries."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from accord.annotations.answers import Answers, Level, as_text, scale_of
from accord.errors import AccordError, FileError, MayBeNames, quoted
from accord.study.levels import check_level
from accord.warehouses.queries import FORMAT, columns_of
from accord.warehouses.queries import MANIFEST as NAME

ENDINGS = (".csv", ".tsv", ".parquet", ".json", ".jsonl", ".ndjson")  # of results
NEEDED = ("totals", "patterns")  # queries without whose results nothing can be measured


@dataclass(frozen=True)
class Manifest:
    """How the queries were made, and the columns of each result."""

    dialect: str
    scale: Answers
    level: Level | None
    by: tuple[str, ...]
    cluster: str | None  # what the column is called in the database
    annotators: tuple[str, ...]  # who is asked for by name; annotator_1 is the first of them
    smallest_cell: int | None
    columns: Mapping[str, tuple[str, ...]]  # of each result, by the name of its query

    @property
    def apart(self) -> dict[str, str]:
        """What tells items apart besides answers: the column of the results for each column of the database."""
        return {name: name for name in self.by} | ({} if self.cluster is None else {self.cluster: "cluster"})

    @property
    def labels(self) -> dict[str, int]:
        """The place of each label on the scale, as databases write it."""
        return {as_text(label): place for place, label in enumerate(self.scale.labels)}


def is_results(folder: Path) -> bool:
    """Does a folder hold a manifest of queries?"""
    try:
        return folder.is_dir() and json.loads((folder / NAME).read_bytes()).get("object") == "queries"
    except (OSError, ValueError, AttributeError, RecursionError):
        return False


def refuse_part(path: Path) -> None:
    """A single result, which would pass for a table of annotations, or the manifest itself, is no study."""
    parts = {NAME, *(name + ending for name in columns_of((), 1, 1, names=True) for ending in ENDINGS)}
    if path.name in parts and path.is_file() and is_results(path.parent):
        raise FileError(
            path,
            "It is a part of results of queries, which are read together. Name their folder, ",
            quoted(str(path.parent)),
            ".",
        )


def check_folder(folder: Path) -> None:
    """A folder with a manifest of queries, whatever is in it, or an error that says what there is instead."""
    if not folder.is_dir():
        there = "It is a file, and no folder of results." if folder.exists() else "There is no such folder."
        raise FileError(folder, f"{there} Name the one that holds the results.")
    if not (folder / NAME).is_file():
        raise FileError(
            folder,
            f"There is no {NAME}, which `accord sql` writes beside the queries, and with which their results are "
            "read. Put it there.",
        )


def read_manifest(folder: Path) -> Manifest:
    """The manifest of a folder; an error where it is none, or of another format."""
    check_folder(folder)
    path = folder / NAME
    try:
        fields = json.loads(path.read_bytes())
        found, version = fields["format"], fields["version"]
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        raise _not_ours(path) from None
    if found != FORMAT:
        raise FileError(
            path,
            "It is a manifest of format ",
            quoted(found),
            ", written by accord ",
            MayBeNames(str(version)),
            f"; this one reads format {FORMAT}. Write the queries anew.",
        )
    try:
        return _manifest(fields)
    except AccordError as problem:
        raise problem.found_in(NAME) from None
    except (KeyError, TypeError, ValueError):
        raise _not_ours(path) from None


def _manifest(fields: Mapping[str, Any]) -> Manifest:
    smallest, level = fields["smallest_cell"], fields["levels"]
    found = Manifest(
        str(fields["dialect"]), scale_of((), fields["labels"]), None if level is None else check_level("levels", level),
        tuple(fields["by"]), fields["cluster"], tuple(fields["annotators"] or ()),
        None if smallest is None else int(smallest),
        {query["name"]: tuple(query["columns"]) for query in fields["queries"]},
    )  # fmt: skip
    expected_columns = columns_of(tuple(found.apart.values()), len(found.scale), len(found.annotators), names=True)
    known = all(columns == expected_columns.get(name) for name, columns in found.columns.items())
    named = all(isinstance(name, str) for name in (*found.apart, *found.annotators))
    if not (known and named and set(NEEDED) <= set(found.columns)):
        raise ValueError
    return found


def _not_ours(path: Path) -> FileError:
    return FileError(path, "It is no manifest that `accord sql` wrote. Write the queries anew, into another folder.")
