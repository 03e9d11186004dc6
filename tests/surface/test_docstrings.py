"""help() is enough: a public function says what it takes, gives and raises, and shows it in an example that runs."""

from __future__ import annotations

import ast
import builtins
import contextlib
import doctest
import inspect
import io
import re
import sys
import textwrap
from collections.abc import Callable, Iterator
from dataclasses import fields, is_dataclass
from functools import cache
from typing import Any

import pytest

import accord
from accord import datasets, errors, findings, judge, multilabel, planning, suggestions
from tests.fuzz.odd_options import ODD

MODULES = (accord, datasets, judge, findings, multilabel, planning, suggestions)
SECTION = re.compile(r"^(Args|Attributes|Returns|Raises):\n((?: {4}.*\n|\n(?= {4}))*)", re.M)
CHECK = re.compile(r"_?check_")
ENTRY = re.compile(r"^ {4}(\*{0,2}\w+): (\S.*)", re.M)


def public_names() -> dict[str, Any]:
    """Everything public, by the name under which a user finds it first."""
    found: dict[str, Any] = {}
    for module in MODULES:
        for name in module.__all__:
            value = getattr(module, name)
            if not any(value is other for other in found.values()):
                found[f"{module.__name__}.{name}"] = value
    return found


NAMES = public_names()
CLASSES = {name: value for name, value in NAMES.items() if inspect.isclass(value)}
FUNCTIONS = {name: value for name, value in NAMES.items() if inspect.isfunction(value)}


def methods_of(kind: type) -> Iterator[tuple[str, Callable[..., Any]]]:
    """The public methods that accord itself defines."""
    for name in dir(kind):
        method = getattr(kind, name)
        if name.startswith("_") or not (inspect.isroutine(method) and callable(method)):
            continue  # Python 3.13 calls a cached property a routine
        if (getattr(method, "__module__", None) or "").startswith("accord"):
            yield name, method


METHODS = {f"{name}.{own}": method for name, kind in CLASSES.items() for own, method in methods_of(kind)}
CALLABLES: dict[str, Callable[..., Any]] = {**FUNCTIONS, **METHODS, "accord.Study": accord.Study}


def sections(called: Callable[..., Any]) -> dict[str, str]:
    """The parts of a docstring in Google's style, by their headings."""
    return dict(SECTION.findall((inspect.getdoc(called) or "") + "\n"))


def parameters(called: Callable[..., Any]) -> list[str]:
    """What a caller can give, with the stars of **roles."""
    stars: dict[Any, str] = {inspect.Parameter.VAR_POSITIONAL: "*", inspect.Parameter.VAR_KEYWORD: "**"}
    found = inspect.signature(called).parameters.values()
    return [stars.get(one.kind, "") + one.name for one in found if one.name != "self"]


def raised_by(called: Callable[..., Any]) -> set[str]:
    """The errors that the function raises itself, or by a check that it asks."""
    body = inspect.unwrap(called.__init__ if inspect.isclass(called) else called)
    tree = ast.parse(textwrap.dedent(inspect.getsource(body)))
    found = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and CHECK.match(node.func.id):
            check = getattr(body, "__globals__", {}).get(node.func.id)
            found |= raised_by(check) if inspect.isfunction(check) else set()
        if isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call):
            error = node.exc.func
            while isinstance(error, ast.Attribute):  # OptionError.choice(…)
                error = error.value
            if isinstance(error, ast.Name):
                made_by = getattr(body, "__globals__", {}).get(error.id)  # raise no_such_value(…): what that gives
                found.add(made_by.__annotations__["return"] if inspect.isfunction(made_by) else error.id)
    return found


def error_called(name: str) -> type[BaseException] | None:
    """One of accord's errors, or one of Python's."""
    found = getattr(errors, name, None) or getattr(builtins, name, None)
    return found if inspect.isclass(found) and issubclass(found, BaseException) else None


def test_there_is_something_to_look_at() -> None:
    assert len(FUNCTIONS) > 80
    assert len(METHODS) > 80


@pytest.mark.parametrize("name", CALLABLES)
def test_every_parameter_is_explained(name: str) -> None:
    called = CALLABLES[name]
    explained = [entry for entry, _ in ENTRY.findall(sections(called).get("Args", ""))]
    assert explained == parameters(called)


@pytest.mark.parametrize("name", [name for name, called in CALLABLES.items() if parameters(called)])
def test_what_comes_back_is_said(name: str) -> None:
    called = CALLABLES[name]
    assert inspect.isclass(called) or sections(called).get("Returns", "").strip()


@pytest.mark.parametrize(
    "name", [name for name, called in METHODS.items() if inspect.signature(called).return_annotation == "Table"]
)
def test_the_columns_of_a_table_that_comes_back_are_said(name: str) -> None:
    assert "`Table`" in sections(METHODS[name]).get("Returns", "")


@pytest.mark.parametrize("name", CALLABLES)
def test_what_is_raised_is_said(name: str) -> None:
    called = CALLABLES[name]
    said = {error: error_called(error) for error, _ in ENTRY.findall(sections(called).get("Raises", ""))}
    assert [error for error, kind in said.items() if kind is None] == []
    missing = [
        error
        for error in raised_by(called)
        if not any(issubclass(error_called(error) or Exception, kind) for kind in said.values() if kind)
    ]
    assert missing == []
    if "**roles" in parameters(called):  # a table is read, and a column may be missing
        assert "InputError" in said
    if "labels" in parameters(called):  # which must be a list
        assert any(kind and issubclass(errors.OptionError, kind) for kind in said.values())


def said_to_be_raised(called: Callable[..., Any]) -> tuple[type[BaseException], ...]:
    """The errors that a docstring names."""
    named = (error_called(error) for error, _ in ENTRY.findall(sections(called).get("Raises", "")))
    return tuple(kind for kind in named if kind)


ODD_VALUES = {name: value for name, value in ODD.items() if name not in ("yes", "large")}


@pytest.mark.parametrize("name", [name for name in METHODS if name.partition(".")[0] == "accord"])
def test_a_method_refuses_what_it_cannot_take_by_an_error_that_it_names(name: str) -> None:
    """One odd value after another for each option, asked of what the examples of the class give."""
    kind, own = name.rsplit(".", 1)
    options = [one for one in inspect.signature(METHODS[name]).parameters.values() if one.name != "self"]
    free = [one for one in options if one.name not in ("path", "progress") and one.kind is not one.VAR_KEYWORD]
    needed = {one.name for one in free if one.default is one.empty and one.kind is not one.VAR_POSITIONAL}
    if own in (*FILES, *CALLED_FOR_US.get(kind, ())):
        return
    for result in shown_in_examples(kind):
        for option in (one for one in free if needed <= {one.name}):
            for value in ODD_VALUES.values():
                alone = option.kind in (option.VAR_POSITIONAL, option.POSITIONAL_ONLY)
                with contextlib.suppress(*said_to_be_raised(METHODS[name])):
                    getattr(result, own)(*((value,) if alone else ()), **({} if alone else {option.name: value}))


@cache
def shown_in_examples(name: str) -> tuple[Any, ...]:
    """What the example of a class makes of it: one at the most."""
    kind = CLASSES[name]
    names = dict(vars(sys.modules[kind.__module__]))
    for example in doctest.DocTestParser().get_examples(inspect.getdoc(kind) or ""):
        with contextlib.redirect_stdout(io.StringIO()):
            exec(compile(example.source, name, "single"), names)  # noqa: S102 - our own docstring
    return tuple(value for value in names.values() if type(value) is kind)[:1]


@pytest.mark.parametrize("name", FUNCTIONS)
def test_every_function_has_an_example(name: str) -> None:
    assert ">>> " in (inspect.getdoc(FUNCTIONS[name]) or "")


@pytest.mark.parametrize("name", CLASSES)
def test_every_class_has_an_example_and_every_method_is_shown_in_one(name: str) -> None:
    """Its own, or that of its class; one that only gives JSON or is called for us need not be."""
    of_class = inspect.getdoc(CLASSES[name]) or ""
    assert ">>> " in of_class
    hidden = []
    for own, method in methods_of(CLASSES[name]):
        shown = ">>> " in (inspect.getdoc(method) or "") or re.search(rf"^(?:>>>|\.\.\.) .*\.{own}\(", of_class, re.M)
        if not shown and own not in ("to_dict", *CALLED_FOR_US.get(name, ())):
            hidden.append(own)
    assert hidden == []


# Methods that write or serve, which have tests and campaigns of their own.
FILES = ("write", "write_tally", "queue", "to_docx", "close")
# Methods that are public between the rooms of the house, and of no use to whoever holds the object.
CALLED_FOR_US = {
    "accord.AccordError": ("add", "found_in", "text"),
    "accord.Plan": ("of",),
    "accord.Workbench": ("wait",),
}


@pytest.mark.parametrize("name", [*CLASSES, *METHODS])
def test_every_class_and_method_says_what_it_is(name: str) -> None:
    assert inspect.getdoc({**CLASSES, **METHODS}[name])


@pytest.mark.parametrize("name", CLASSES)
def test_every_property_says_what_it_is(name: str) -> None:
    own = {
        key: value
        for kind in CLASSES[name].__mro__
        if kind.__module__.startswith("accord")
        for key, value in vars(kind).items()
    }
    properties = {key: value for key, value in own.items() if type(value).__name__ in ("property", "cached_property")}
    assert [key for key, value in properties.items() if not key.startswith("_") and not inspect.getdoc(value)] == []


@pytest.mark.parametrize(
    "kind", [accord.Agreement, accord.Measurements, accord.Interval, accord.Test, accord.Comparison]
)
def test_every_field_of_a_result_is_explained(kind: type) -> None:
    assert is_dataclass(kind)
    explained = [name for name, _ in ENTRY.findall(sections(kind).get("Attributes", ""))]
    assert explained == [one.name for one in fields(kind) if not one.name.startswith("_")]
