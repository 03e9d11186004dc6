"""The house: every room imports only itself and those before it, whenever the import runs (at load or later)."""

from __future__ import annotations

import ast
from pathlib import Path

from tests.surface.source import ROOT, imports, trees

# From the ground up, as CONTRIBUTING draws it.
LAYERS = [
    *("errors", "annotations", "options", "engine", "study", "coefficients"),
    *("spans", "scores", "rankings", "preferences", "structures"),
    *(
        "agreement",
        "measures",
        "warehouses",
        "readers",
        "datasets",
        "consensus",
        "suggestions",
        "judge",
        "multilabel",
        "findings",
        "planning",
        "reporting",
        "workbench",
        "cli",
    ),
]
KEPT = {"structures"}  # a room that is kept for what is coming
ONE_OF_EACH = {  # folders that say what a module is: a measure, a command, a section, a page, a format, a tool
    *("measures", "cli", "reporting/sections", "workbench/pages", "readers/formats", "workbench/after/tools"),
}
NAMES_OF_TOOLS = {"labelbox", "labelme"}


def imported(node: ast.Import | ast.ImportFrom) -> set[str]:
    """The rooms that an import names, wherever it stands."""
    if isinstance(node, ast.Import):
        names = {alias.name for alias in node.names}
    else:
        assert node.level == 0, "imports are absolute"
        names = {f"{node.module}.{alias.name}" for alias in node.names}
    return {name.split(".")[1] for name in names if name.startswith("accord.")}


def rooms() -> dict[str, set[str]]:
    """Every module below the package's own `__init__`, with the rooms it imports."""
    found: dict[str, set[str]] = {str(path): set() for path in trees() if path != Path("__init__.py")}
    for path, node in imports():
        if str(path) in found:
            found[str(path)] |= imported(node)
    return found


def test_every_import_points_down() -> None:
    place = {name: number for number, name in enumerate(LAYERS)} | {"__version__": 0}
    climbing = [
        f"{module} imports {other}"
        for module, others in rooms().items()
        for other in others
        if place[other] > place[Path(module).parts[0].removesuffix(".py")]
    ]
    assert climbing == []


def test_rooms_above_the_measures_ask_for_those_that_are_registered() -> None:
    """The table in agreement/registry.py is full only when `accord.measures` has been loaded."""
    above = LAYERS[LAYERS.index("measures") + 1 :]
    early = [
        path
        for room in above
        for path in (ROOT / room).rglob("*.py")
        if "registry import MEASURES" in path.read_text("utf-8")
    ]
    assert early == []


def test_the_root_holds_rooms_and_two_modules() -> None:
    assert {path.name for path in ROOT.glob("*.py")} == {"__init__.py", "errors.py", "options.py"}
    assert {path.parent.name for path in ROOT.glob("*/__init__.py")} == set(LAYERS) - KEPT - {"errors", "options"}


def test_every_package_says_in_a_sentence_what_lives_there_and_what_it_may_import() -> None:
    """A room names those below it; a folder in a room may import what its room may."""
    for path, tree in trees().items():
        if path.name == "__init__.py" and path != Path("__init__.py"):
            said = (ast.get_docstring(tree) or "").partition("\n\n")[0].replace("\n", " ")
            assert "; may import " in said or ", may import all" in said, f"{path}: what lives there, and imports what?"
            assert ". " not in said, f"{path}: one sentence"
            if len(path.parts) > 2:
                assert said.endswith(f"may import what `{path.parts[0]}` may."), path


def test_the_name_of_a_module_occurs_once_or_its_folder_says_what_it_is() -> None:
    folders: dict[str, list[str]] = {}
    for path in trees():
        if path.name != "__init__.py" and path.parent.as_posix() not in ONE_OF_EACH:
            folders.setdefault(path.stem, []).append(path.parent.as_posix())
    assert {name: where for name, where in folders.items() if len(where) > 1} == {}


def test_modules_of_a_folder_do_not_differ_by_an_ending_alone() -> None:
    """`decide` beside `deciding`, `confused` beside `confusions`: nobody knows which is which."""
    words: dict[tuple[Path, str], set[str]] = {}
    for path in trees():
        if "_" not in path.stem and path.stem not in NAMES_OF_TOOLS:
            words.setdefault((path.parent, path.stem[:5]), set()).add(path.stem)
    assert [alike for alike in words.values() if len(alike) > 1] == []
