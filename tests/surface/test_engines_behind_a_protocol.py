"""Annotations are asked by one protocol, and engines differ in one file each."""

from __future__ import annotations

import ast
import re

from tests.surface.source import ROOT, nodes

KINDS = {"CodedAnnotations", "LazyAnnotations", "TalliedAnnotations"}


def modules_outside(*rooms: str) -> dict[str, str]:
    """The source of every module that does not stand in one of these folders."""
    paths = {str(path.relative_to(ROOT)): path for path in sorted(ROOT.rglob("*.py"))}
    return {name: path.read_text("utf-8") for name, path in paths.items() if not name.startswith(rooms)}


def test_nobody_asks_where_annotations_are_kept_by_their_type() -> None:
    asking = [
        name
        for name, node in nodes(ast.Call)
        if isinstance(node.func, ast.Name) and node.func.id == "isinstance"
        if KINDS & {part.id for part in ast.walk(node.args[1]) if isinstance(part, ast.Name)}
    ]
    assert asking == []


def test_only_what_is_computed_in_engines_asks_for_annotations_as_they_stand_there() -> None:
    asking = {name for name, source in modules_outside("engine/").items() if "annotations.in_engine" in source}
    assert asking == {
        "agreement/groups_in_engine.py", "consensus/decide_in_engine.py",
        "scores/summed_scores.py", "study/item_weights.py", "study/suggested_labels.py",
    }  # fmt: skip


def test_what_engines_do_differently_stands_in_their_own_files() -> None:
    question = re.compile(r"is_(duckdb|polars|spark_like|dask|ibis|pandas_like)\(")
    assert [name for name, source in modules_outside("engine/dialects/").items() if question.search(source)] == []
    their_errors = re.compile(r"PanicException|SnappyError|IO Error|OutOfMemory|ARITHMETIC_OVERFLOW|NotDefinedError")
    in_engine = {name: source for name, source in modules_outside("engine/dialects/").items() if "engine/" in name}
    assert [name for name, source in in_engine.items() if their_errors.search(source)] == []
    asked_of_pandas = re.compile(r"== .pandas.|RangeIndex|\.(set_axis|reset_index|nlevels)\b|\.cat\.categories")
    asking = {name for name, source in modules_outside("engine/dialects/").items() if asked_of_pandas.search(source)}
    assert asking == {"engine/pandas_tables.py"}
