"""The public names: three lists in one file, held to each other, and loaded only when asked for."""

from __future__ import annotations

import ast
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

import accord

SOURCE = Path(str(accord.__file__))


def imported_for_type_checkers() -> dict[str, str]:
    """Name of everything that the file imports from accord, and where from; packages come from "accord" itself."""
    tree = ast.parse(SOURCE.read_text(encoding="utf-8"))
    imports = [node for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
    ours = [node for node in imports if str(node.module).split(".")[0] == "accord"]
    return {alias.asname or alias.name: str(node.module) for node in ours for alias in node.names}


def run(statement: str) -> str:
    return subprocess.run([sys.executable, "-c", statement], capture_output=True, text=True, check=True).stdout


def test_the_three_lists_name_the_same_things() -> None:
    typed = imported_for_type_checkers()
    packages = {name for name, home in typed.items() if home == "accord"}
    assert set(vars(accord)["_HOMES"]) == set(accord.__all__) == set(typed) - packages
    assert len(set(accord.__all__)) == len(accord.__all__)
    assert set(vars(accord)["_PACKAGES"]) == packages


@pytest.mark.parametrize("name", accord.__all__)
def test_a_public_name_is_what_type_checkers_think_and_says_what_it_is(name: str) -> None:
    found = getattr(accord, name)
    assert found is getattr(import_module(imported_for_type_checkers()[name]), name)
    assert found.__doc__
    assert name in dir(accord)


def test_an_unknown_name_is_an_attribute_error_and_not_an_import() -> None:
    with pytest.raises(AttributeError, match="no attribute 'kappa_of_everything'"):
        accord.kappa_of_everything  # type: ignore[attr-defined]  # noqa: B018
    assert not hasattr(accord, "nonsense")


def test_importing_accord_loads_nothing_heavy() -> None:
    loaded = run("import sys, accord; print(*sys.modules)").split()
    heavy = {"numpy", "scipy", "narwhals", "polars", "pandas", "pyarrow", "altair", "typer", "rich", "jinja2"}
    assert heavy & set(loaded) == set()


def test_a_first_kappa_loads_neither_engines_nor_charts_nor_the_command() -> None:
    loaded = run("import sys, accord; accord.cohen_kappa(['a', 'b'], ['a', 'b']); print(*sys.modules)").split()
    heavy = {"scipy", "narwhals", "polars", "pandas", "pyarrow", "altair", "typer", "rich", "jinja2"}
    assert heavy & set(loaded) == set()


def test_from_accord_import_everything_gives_every_public_name() -> None:
    names = run("from accord import *; print(*globals())").split()
    assert set(accord.__all__) <= set(names)
