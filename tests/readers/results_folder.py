"""A folder of results as a database would give them, counted here row by row."""

from __future__ import annotations

import csv
import json
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from itertools import combinations
from pathlib import Path
from typing import Any

from accord.options import head

Table = Mapping[str, Sequence[Any]]


def results_of(
    table: Table,
    folder: Path,
    *,
    labels: Sequence[Any],
    by: Sequence[str] = (),
    cluster: str | None = None,
    annotators: Sequence[str] | None = None,
    smallest_cell: int | None = None,
    levels: str | None = None,
) -> Path:
    """Write the manifest and the results of all queries on the rows of a table, as CSV."""
    apart = [*by, *([] if cluster is None else [cluster])]
    answers = [row for row in _rows(table) if row["label"] is not None]
    of_item: dict[Any, list[dict[str, Any]]] = defaultdict(list)
    for row in answers:
        of_item[row["item"]].append(row)
    groups = [[rows[0][name] for name in apart] for rows in of_item.values()]
    given = [[sum(row["label"] == label for row in rows) for label in labels] for rows in of_item.values()]
    totals = [len(table["item"]), len(answers), len(of_item), len({row["annotator"] for row in answers}),
              len(table["item"]) - len(answers)]  # fmt: skip
    called = [*by, *([] if cluster is None else ["cluster"])]
    found: dict[str, tuple[list[str], list[list[Any]]]] = {
        "totals": (["n_rows", "n_annotations", "n_items", "n_annotators", "n_missing"], [totals]),
        "labels": (["label", "n_annotations"], _counted([row["label"]] for row in answers)),
        "duplicates": (["n_items"], [[sum(_twice(rows) for rows in of_item.values())]]),
        "patterns": (
            [*called, *(f"label_{at + 1}" for at in range(len(labels))), "n_items"],
            _counted([*one, *counts] for one, counts in zip(groups, given, strict=True)),
        ),
        "annotators": (
            ["annotator", "label", "n_annotations"],
            _counted([row["annotator"], row["label"]] for row in answers),
        ),
        "pairs": (
            ["annotator_1", "annotator_2", "label_1", "label_2", "n_items"],
            _counted(pair for rows in of_item.values() for pair in _pairs(rows)),
        ),
    }
    if annotators is not None:
        who = [f"annotator_{at + 1}" for at in range(len(annotators))]
        named = [{row["annotator"]: row["label"] for row in rows} for rows in of_item.values()]
        found["named_patterns"] = (
            [*called, *who, "n_items"],
            _counted([*one, *(said.get(name) for name in annotators)] for one, said in zip(groups, named, strict=True)),
        )
    for name, (_, lines) in found.items():
        if smallest_cell is not None and name not in ("totals", "duplicates"):
            lines[:] = [line for line in lines if line[-1] >= smallest_cell]
    folder.mkdir(exist_ok=True)
    manifest = {
        **head("queries"), "format": 1, "dialect": "duckdb",
        "roles": {"item": "item", "annotator": "annotator", "label": "label"}, "labels": list(labels),
        "levels": levels, "by": list(by), "cluster": cluster, "annotators": annotators, "missing": [],
        "smallest_cell": smallest_cell,
        "queries": [{"name": name, "file": f"{name}.sql", "columns": columns, "sha256": ""}
                    for name, (columns, _) in found.items()],
    }  # fmt: skip
    (folder / "accord.json").write_text(json.dumps(manifest), encoding="utf-8")
    for name, (columns, lines) in found.items():
        put(folder / f"{name}.csv", columns, lines)
    return folder


def put(path: Path, columns: Sequence[str], lines: Sequence[Sequence[Any]]) -> None:
    """A result as CSV."""
    with path.open("w", encoding="utf-8", newline="") as stream:
        csv.writer(stream).writerows([columns, *lines])


def taken(path: Path) -> tuple[list[str], list[list[str]]]:
    """The columns and rows of a result as CSV."""
    with path.open(encoding="utf-8", newline="") as stream:
        columns, *lines = csv.reader(stream)
    return columns, lines


def _rows(table: Table) -> list[dict[str, Any]]:
    return [dict(zip(table, row, strict=True)) for row in zip(*table.values(), strict=True)]


def _counted(lines: Any) -> list[list[Any]]:
    return [[*line, number] for line, number in Counter(map(tuple, lines)).items()]


def _twice(rows: list[dict[str, Any]]) -> bool:
    return len({row["annotator"] for row in rows}) < len(rows)


def _pairs(rows: list[dict[str, Any]]) -> list[list[Any]]:
    ordered = sorted(rows, key=lambda row: str(row["annotator"]))
    return [[a["annotator"], b["annotator"], a["label"], b["label"]] for a, b in combinations(ordered, 2)]
