"""Import walls: heavy packages come in at one door, when they are needed; nothing runs in a circle at load."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

from tests.surface.source import imports, trees
from tests.surface.test_layers import LAYERS

EXAMPLES = Path(__file__).parents[2] / "examples"

# Who alone may import what, at whatever place.
DOORS = {"narwhals": {"engine"}, "typer": {"cli"}}
HEAVY = {"narwhals", "scipy.stats", "pandas", "polars", "pyarrow", "duckdb", "altair", "typer", "rich", "jinja2"}


@cache
def modules() -> dict[str, ast.Module]:
    """Every module of accord by its name."""
    found = {}
    for path, tree in trees().items():
        parts = ["accord", *path.with_suffix("").parts]
        found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = tree
    return found


def imported(node: ast.Import | ast.ImportFrom) -> set[str]:
    """The modules that a statement names; `from accord import chance` names accord.chance."""
    if isinstance(node, ast.Import):
        return {alias.name for alias in node.names}
    assert node.level == 0, "imports are absolute"
    home = str(node.module)
    return {f"{home}.{alias.name}" if f"{home}.{alias.name}" in modules() else home for alias in node.names}


def at_once(nodes: list[ast.stmt]) -> Iterator[ast.Import | ast.ImportFrom]:
    """The imports that run when a module is loaded."""
    for node in nodes:
        if isinstance(node, ast.Import | ast.ImportFrom):
            yield node
        elif isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
            yield from at_once(node.orelse)
        elif not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            inner = [child for child in ast.iter_child_nodes(node) if isinstance(child, ast.stmt)]
            yield from at_once(inner)


@cache
def graph() -> dict[str, set[str]]:
    """For each module the modules of accord that it imports when it is loaded."""
    return {
        name: {module for node in at_once(tree.body) for module in imported(node) if module in modules()}
        for name, tree in modules().items()
    }


def unit(module: str) -> str:
    """The module or package directly under accord that a module belongs to; accord itself for its own file."""
    return [*module.split("."), ""][1]


def test_no_module_imports_the_package_itself_when_it_is_loaded() -> None:
    assert [name for name, others in graph().items() if "accord" in others and name != "accord"] == []


def test_no_imports_run_in_a_circle() -> None:
    assert len(list(TopologicalSorter(graph()).static_order())) >= len(modules())


@pytest.mark.parametrize("package", DOORS)
def test_a_package_comes_in_at_one_door(package: str) -> None:
    users = {
        path.parts[0].removesuffix(".py")
        for path, node in imports()
        if package in {module.split(".")[0] for module in imported(node)}
    }
    assert users <= DOORS[package]


def test_no_module_loads_a_heavy_package_at_once_but_the_doors() -> None:
    """Readers, reports and charts ask for theirs inside a function, or are asked for by name."""
    core = [
        name
        for name in modules()
        if unit(name) in LAYERS[: LAYERS.index("readers")] and unit(name) not in DOORS["narwhals"]
    ]
    heavy = {
        f"{name}: {module}"
        for name in core
        for node in at_once(modules()[name].body)
        for module in imported(node)
        if module in HEAVY or module.split(".")[0] in HEAVY or module.split(".")[0] == "scipy"
    }
    assert heavy == set()


def loaded(statement: str) -> set[str]:
    """What a fresh interpreter has loaded after a statement."""
    program = f"import sys\n{statement}\nprint(*sys.modules)"
    said = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout
    return set(said.split())


STATEMENTS = {
    "import accord": "import accord",
    "a first kappa": "import accord\naccord.cohen_kappa(['a', 'b'], ['a', 'b'])",
    "every public name": "import accord\nfor name in accord.__all__: getattr(accord, name)",
    "a study in memory": (
        "import accord, numpy\n"
        "study = accord.Study.from_wide(numpy.array([[1, 2, 1], [2, 2, 2], [1, 1, 1]]))\n"
        "found = accord.measure(study)\n"
        "str(found), found.to_dict(), found[0].interval(method='bootstrap', n_resamples=10), found[0].by_item()\n"
        "accord.cohen_kappa(['a', 'b', 'b'], ['a', 'b', 'a']).test()"
    ),
}


# Not even what accord computes with is loaded before it is needed.
NOT_YET = {"import accord": {"numpy", "scipy"}, "a first kappa": {"scipy"}}


@pytest.mark.parametrize("name", STATEMENTS)
def test_a_fresh_interpreter_loads_no_engine_and_no_chart(name: str) -> None:
    assert (HEAVY | NOT_YET.get(name, set())) & loaded(STATEMENTS[name]) == set()


def test_a_small_file_is_measured_without_an_engine_and_without_scipy() -> None:
    """Their loading would take half as long again as all the rest; limits of few counts need SciPy."""
    path = EXAMPLES / "five-annotators.csv"
    asked = (
        f"from accord import measure, read\nfound = measure(read({str(path)!r}))\nfound.to_table(), found.sentence()"
    )
    assert {"narwhals", "scipy", "polars", "pandas"} & loaded(asked) == set()


def test_pandas_stays_away_from_users_of_polars_and_the_other_way_round() -> None:
    table = "{'item': [1, 1], 'annotator': ['ana', 'ben'], 'label': ['a', 'b']}"
    ask = "import accord\naccord.fleiss_kappa({frame}({table}))"
    with_polars = loaded("import polars\n" + ask.format(frame="polars.DataFrame", table=table))
    assert {"pandas", "pyarrow", "altair", "scipy.stats"} & with_polars == set()
    with_pandas = loaded("import pandas\n" + ask.format(frame="pandas.DataFrame", table=table))
    assert {"polars", "duckdb", "altair", "scipy.stats"} & with_pandas == set()
