"""The waist: whoever asks something of a measurable asks by a method, never for its type nor for a measure's name."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

from accord.measures.registered import MEASURES
from tests.surface.source import nodes


def measurables() -> set[str]:
    """The names of all classes that can be measured: `Measurable` and whatever is built on it."""
    classes = [node for _, node in nodes(ast.ClassDef)]
    found: set[str] = {"Measurable"}
    while more := {each.name for each in classes if found & _names(each.bases)} - found:
        found |= more
    return found


def _names(expressions: list[ast.expr]) -> set[str]:
    """Every name in these expressions, `Row` of `rows.Row` too."""
    inside = [part for one in expressions for part in ast.walk(one)]
    return {part.id for part in inside if isinstance(part, ast.Name)} | {
        part.attr for part in inside if isinstance(part, ast.Attribute)
    }


def calls_of(*functions: str) -> Iterator[tuple[Path, ast.Call]]:
    """Every call of a builtin in the source."""
    for path, node in nodes(ast.Call):
        if isinstance(node.func, ast.Name) and node.func.id in functions:
            yield path, node


def test_there_is_much_to_measure() -> None:
    assert {"Coefficient", "SpanF1", "Gamma", "Icc", "Concordance", "WeightedItems"} <= measurables()
    assert len(list(calls_of("isinstance"))) > 500


def test_nobody_asks_for_the_type_of_a_measurable() -> None:
    kinds = measurables()
    asked = [
        f"{path}:{call.lineno}" for path, call in calls_of("isinstance", "issubclass") if kinds & _names(call.args[1:])
    ]
    assert asked == []


def test_nobody_compares_the_name_of_a_measure() -> None:
    comparing: list[tuple[Path, ast.Compare | ast.MatchValue]] = [*nodes(ast.Compare), *nodes(ast.MatchValue)]
    compared = [
        f"{path}:{node.lineno} {part.value}"
        for path, node in comparing
        for part in ast.walk(node)
        if isinstance(part, ast.Constant) and part.value in MEASURES
    ]
    assert compared == []
