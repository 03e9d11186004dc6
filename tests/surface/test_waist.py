"""The waist: whoever asks something of a measurable asks by a method, never for its type nor for a measure's name.

So it is with golds: which kind one is of, its own room knows and nobody else.

A measure's title and the names in it are its name too, and so is the name of its chance model.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from accord.coefficients.chance import MODELS
from accord.measures.registered import MEASURES
from tests.surface.source import nodes

LOOKING = ("startswith", "endswith", "find", "index", "count", "partition", "split", "removeprefix", "removesuffix")


def measurables() -> set[str]:
    """The names of all classes that can be measured: `Measurable` and whatever is built on it."""
    classes = [node for _, node in nodes(ast.ClassDef)]
    found: set[str] = {"Measurable"}
    while more := {each.name for each in classes if found & _names(each.bases)} - found:
        found |= more
    return found


def kinds_of_gold() -> dict[str, Path]:
    """The classes that are built on `Gold`, and the folder of each."""
    return {node.name: path.parent for path, node in nodes(ast.ClassDef) if "Gold" in _names(node.bases)}


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
    assert {"Coefficient", "SpanF1", "Gamma", "Icc", "KendallConcordance", "WeightedItems"} <= measurables()
    assert len(list(calls_of("isinstance"))) > 500


def test_nobody_asks_for_the_type_of_a_measurable() -> None:
    kinds = measurables()
    asked = [
        f"{path}:{call.lineno}" for path, call in calls_of("isinstance", "issubclass") if kinds & _names(call.args[1:])
    ]
    assert asked == []


def test_nobody_asks_for_the_kind_of_a_gold_outside_its_room() -> None:
    """Whether something given is a `Gold` at all may be asked."""
    rooms = kinds_of_gold()
    assert {"SpanGold", "RankingGold", "EngineGold"} <= set(rooms)
    asked = [
        f"{path}:{call.lineno}"
        for path, call in calls_of("isinstance", "issubclass")
        for kind in _names(call.args[1:]) & set(rooms)
        if path.parent != rooms[kind]
    ]
    assert asked == []


def test_nobody_asks_whether_answers_are_mixed_by_their_type() -> None:
    """`Answers` say what they consist of; only the module of the mixed ones makes them."""
    asked = [
        f"{path}:{call.lineno}"
        for path, call in calls_of("isinstance", "issubclass")
        if "MixedAnswers" in _names(call.args[1:])
    ]
    assert asked == []


def titles() -> set[str]:
    """What measures are called in sentences."""
    return {title for entry in MEASURES.values() for title in (entry.title, *(entry.titles or ()))}


def authors() -> set[str]:
    """Those whose names are in titles: Cohen of "Cohen's kappa", Brennan and Prediger of "Brennan–Prediger kappa"."""
    return {name for title in titles() for name in re.findall(r"[A-Z]\w+(?=['’–])|(?<=–)[A-Z]\w+", title)}


def names_a_measure(text: object) -> bool:
    """Is it the name of a measure, or does it hold a title or an author?"""
    if not isinstance(text, str):
        return False
    return (
        text in MEASURES or any(title in text for title in titles()) or bool(authors() & set(re.findall(r"\w+", text)))
    )


def compared() -> Iterator[tuple[str, str]]:
    """Every text that something is compared with or looked for in, and where."""
    comparing: list[tuple[Path, ast.Compare | ast.MatchValue]] = [*nodes(ast.Compare), *nodes(ast.MatchValue)]
    for path, node in comparing:
        for part in ast.walk(node):
            if isinstance(part, ast.Constant) and isinstance(part.value, str):
                yield f"{path}:{node.lineno} {part.value}", part.value
    for path, call in nodes(ast.Call):
        if isinstance(call.func, ast.Attribute) and call.func.attr in LOOKING:
            for part in (inner for argument in call.args for inner in ast.walk(argument)):
                if isinstance(part, ast.Constant) and isinstance(part.value, str):
                    yield f"{path}:{call.lineno} {part.value}", part.value


def test_texts_are_seen_where_they_are_compared() -> None:
    assert {"Cohen", "Fleiss", "Krippendorff", "Brennan", "Prediger", "Gwet"} <= authors()
    assert names_a_measure("of Fleiss' kappa")
    assert names_a_measure("fleiss_kappa")
    assert not names_a_measure("of kappa")
    assert len(list(compared())) > 2000


def test_nobody_compares_the_name_of_a_measure() -> None:
    assert [where for where, text in compared() if names_a_measure(text)] == []


def test_nobody_compares_what_a_measure_is_registered_as() -> None:
    """Neither `entry_of(cohen_kappa).name` nor `cohen_kappa.__name__`."""
    called = [
        f"{path}:{node.lineno}"
        for path, node in nodes(ast.Compare)
        for part in ast.walk(node)
        if isinstance(part, ast.Attribute)
        and (
            (part.attr == "name" and isinstance(part.value, ast.Call) and "entry_of" in _names([part.value]))
            or (part.attr == "__name__" and isinstance(part.value, ast.Name) and part.value.id in MEASURES)
        )
    ]
    assert called == []


def test_nobody_compares_the_name_of_a_chance_model() -> None:
    """But "none", which is a word of many more things, and "pooled" where F1 is averaged, which is none of chance."""
    models = set(MODELS) - {"none"}
    found = [where for where, text in compared() if text in models]
    assert [where for where in found if not where.startswith("spans/span_f1.py")] == []
