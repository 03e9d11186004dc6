"""The house: every room imports only itself and those before it, whenever the import runs (at load or later)."""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Callable, Iterable
from pathlib import Path

import pytest

from tests.surface.source import ROOT, imports, nodes, trees

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
ONE_OF_EACH = {  # folders that say what a module is: a command, a section, a page, a format, a tool
    *("cli", "reporting/sections", "workbench/pages", "readers/formats", "workbench/after/tools"),
}
MEASURES_FOLDER = Path("measures")
NAMES_OF_TOOLS = {"labelbox", "labelme"}
SMALL_WORDS = {"a", "by", "in", "of", "on", "the", "to", "with"}


PLACE = {name: number for number, name in enumerate(LAYERS)}
ROOT_FILE = Path("__init__.py")
LOADING = {"import_module", "__import__"}
WHOLE = "the package itself, and with it every room"
Reaching = ast.Import | ast.ImportFrom | ast.Call


def reached(node: Reaching) -> set[str]:
    """The rooms that an import names, wherever it stands, or a call that loads a module by its name.

    `import accord` reaches them all, for any public name can then be asked; so does `import accord.study`, unless it
    is given a name of its own.
    """
    if isinstance(node, ast.Import):
        ours = [alias for alias in node.names if alias.name.partition(".")[0] == "accord"]
        return {_room(alias.name) if alias.asname else WHOLE for alias in ours}
    if isinstance(node, ast.ImportFrom):
        assert node.level == 0, "imports are absolute"
        names = {f"{node.module}.{alias.name}" for alias in node.names}
        return {_room(name) for name in names if name.startswith("accord.")}
    called = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", None)
    if called not in LOADING:
        return set()
    given = [*node.args, *(keyword.value for keyword in node.keywords if keyword.arg == "name")]
    name = _text(given[0])
    if called == "__import__" or name.startswith("."):
        return {WHOLE} if name.partition(".")[0] in ("accord", "") else set()
    return {_room(name)} if name.partition(".")[0] == "accord" else set()


def _room(name: str) -> str:
    return name.split(".")[1] if "." in name else WHOLE


def _text(node: ast.expr) -> str:
    """The text that is put together there, with … for what is known only when it runs."""
    match node:
        case ast.Constant(value=str(text)):
            return text
        case ast.JoinedStr(values=parts):
            return "".join(_text(part) for part in parts)
        case ast.BinOp(left=left, op=ast.Add(), right=right):
            return _text(left) + _text(right)
        case _:
            return "…"


def climbing(found: Iterable[tuple[Path, Reaching]]) -> list[str]:
    """What in the modules of rooms reaches a room above their own, or one that is told only when it runs."""
    return sorted(
        f"{path} imports {room}"
        for path, node in found
        if path != ROOT_FILE
        for room in reached(node)
        if PLACE.get(room, len(LAYERS)) > PLACE[path.parts[0].removesuffix(".py")]
    )


def test_every_import_points_down() -> None:
    assert climbing([*imports(), *nodes(ast.Call)]) == []


@pytest.mark.parametrize(
    "planted",
    [
        "def f(data):\n    from accord.consensus.make_gold import gold\n    return gold(data)",
        "def f(data):\n    from accord import gold\n    return gold(data)",
        "def f():\n    from accord import __version__\n    return __version__",
        "def f(data):\n    import accord\n    return accord.gold(data)",
        "def f(data):\n    import accord as library\n    return library.gold(data)",
        "def f(data):\n    import accord.annotations.coded\n    return accord.gold(data)",
        "import accord.consensus.gold as room",
        "if TYPE_CHECKING:\n    from accord.cli.program import app",
        "def f():\n    return import_module('accord.cli.program')",
        "def f(name):\n    return importlib.import_module(f'accord.cli.{name}')",
        "def f(name):\n    return importlib.import_module(name='accord.cli.' + name)",
        "def f(name):\n    return import_module(f'accord.{name}')",
        "def f():\n    return import_module('accord').gold",
        "def f():\n    return import_module('.gold', 'accord')",
        "def f():\n    return __import__('accord.annotations.coded').gold",
    ],
)
def test_an_import_that_climbs_is_seen_however_it_is_written(planted: str) -> None:
    assert len(climbing(in_room("study", planted))) == 1


@pytest.mark.parametrize(
    "planted",
    [
        "from accord.options import __version__",
        "from accord.annotations.coded import CodedAnnotations",
        "import accord.engine.frames as frames",
        "def f(name):\n    return import_module(f'accord.study.shapes.{name}')",
        "import numpy as np\nlater = import_module('narwhals.stable.v2')\nother = import_module(name)",
        '"""As in\n\n>>> import accord\n>>> accord.gold(data)\n"""',
        "raise InputError(remedy('accord.gold', 'data'))",
    ],
)
def test_what_stays_in_its_room_or_below_is_allowed(planted: str) -> None:
    assert climbing(in_room("study", planted)) == []


def in_room(room: str, text: str) -> list[tuple[Path, Reaching]]:
    """The imports and calls of a module that somebody might write."""
    return [(Path(room, "planted.py"), node) for node in ast.walk(ast.parse(text)) if isinstance(node, Reaching)]


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


def sentences() -> dict[Path, str]:
    """What each package says of itself first: the sentence of its docstring, by its folder."""
    return {
        path.parent: (ast.get_docstring(tree) or "").partition("\n\n")[0].replace("\n", " ")
        for path, tree in trees().items()
        if path.name == "__init__.py" and path != ROOT_FILE
    }


def test_every_package_says_in_a_sentence_what_lives_there_and_what_it_may_import() -> None:
    """A room names those below it; a folder in a room may import what its room may."""
    for folder, said in sentences().items():
        assert "; may import " in said or ", may import all" in said, f"{folder}: what lives there, and imports what?"
        assert ". " not in said, f"{folder}: one sentence"
        if len(folder.parts) > 1:
            assert said.endswith(f"may import what `{folder.parts[0]}` may."), folder


def test_the_highest_room_that_a_sentence_names_is_the_highest_that_is_imported() -> None:
    imported: dict[str, set[str]] = {}
    for path, node in imports():
        if path != ROOT_FILE:
            imported.setdefault(path.parts[0], set()).update(reached(node) - {path.parts[0]})
    wrong = []
    for folder, said in sentences().items():
        named = [word for word in re.findall(r"`(\w+)`", said.partition("may import ")[2]) if word in LAYERS]
        highest = max(imported[str(folder)], key=LAYERS.index) if len(folder.parts) == 1 else folder.parts[0]
        if named != [highest] and not said.endswith("may import all."):
            wrong.append(f"{folder} names {named}, and imports {highest} and what lies below it")
    assert wrong == []


def test_the_lowest_room_names_the_packages_that_it_imports() -> None:
    """Who works with the reduced form alone needs nothing else."""
    roots = {
        (alias.name if isinstance(node, ast.Import) else str(node.module)).partition(".")[0]
        for path, node in imports()
        if path.parts[0] == "annotations"
        for alias in node.names
    }
    outside = roots - set(sys.stdlib_module_names) - {"accord"}
    said = sentences()[Path("annotations")].partition("other packages ")[2]
    assert set(re.findall(r"[A-Z]\w+", said)) == {"NumPy", "SciPy"}
    assert outside == {"numpy", "scipy"}


def test_the_workbench_names_every_file_that_imports_its_server() -> None:
    said = ast.get_docstring(trees()[Path("workbench/__init__.py")]) or ""
    importing = {
        "pages/" if path.parts[1] == "pages" else path.name
        for path, node in imports()
        for alias in node.names
        if (alias.name if isinstance(node, ast.Import) else str(node.module)).startswith(("starlette", "uvicorn"))
    }
    assert set(re.findall(r"`([\w/.]+)`", said.partition("\n\n")[2])) == importing


def test_a_file_that_a_package_names_is_there() -> None:
    named = {
        path.parent / name
        for path, tree in trees().items()
        if path.name == "__init__.py"
        for name in re.findall(r"`([\w/]+\.py)`", ast.get_docstring(tree) or "")
    }
    assert named
    assert [str(path) for path in named if path not in trees()] == []


def twins(paths: Iterable[Path], reads: Callable[[Path, Path], bool]) -> dict[str, list[str]]:
    """Modules of one name, where neither their folder nor what one of them reads says which is which."""
    folders: dict[str, list[str]] = {}
    measures = {path.stem: path for path in paths if path.parent == MEASURES_FOLDER}
    for path in paths:
        measure = measures.get(path.stem, path)
        of_its_measure = measure != path and reads(measure, path)
        if path.name != "__init__.py" and path.parent.as_posix() not in ONE_OF_EACH and not of_its_measure:
            folders.setdefault(path.stem, []).append(path.parent.as_posix())
    return {name: where for name, where in folders.items() if len(where) > 1}


def imports_it(measure: Path, module: Path) -> bool:
    """Does the module of a measure take what it measures from there? Then both are rightly called the same."""
    dotted = ".".join(("accord", *module.with_suffix("").parts))
    return any(
        isinstance(node, ast.ImportFrom) and node.module == dotted for path, node in imports() if path == measure
    )


def test_the_name_of_a_module_occurs_once_or_its_folder_says_what_it_is() -> None:
    assert twins(trees(), imports_it) == {}


def test_a_measure_and_the_module_of_its_family_share_a_name_only_where_one_takes_it_from_the_other() -> None:
    modules = [Path("measures/gamma.py"), Path("spans/gamma.py"), Path("cli/gamma.py"), Path("measures/__init__.py")]
    assert twins(modules, lambda *_: True) == {}
    assert twins(modules, lambda *_: False) == {"gamma": ["measures", "spans"]}


def test_the_name_of_a_class_occurs_once() -> None:
    """With `Measurable` twice whoever looks one up finds the other. What a module keeps to itself is free."""
    homes: dict[str, list[str]] = {}
    for path, tree in trees().items():
        for node in ast.walk(tree):
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                homes.setdefault(node.name, []).append(str(path))
    assert {name: where for name, where in homes.items() if len(where) > 1} == {}


def alike(names: Iterable[str]) -> list[set[str]]:
    """Names that begin alike, word by word: what tells them apart is an ending."""
    words: dict[tuple[str, ...], set[str]] = {}
    for name in names:
        words.setdefault(tuple(word[:4] for word in name.split("_")), set()).add(name)
    return [found for found in words.values() if len(found) > 1]


def test_modules_of_a_folder_do_not_differ_by_an_ending_alone() -> None:
    """`decide` beside `deciding`, `confused` beside `confusions`: nobody knows which is which."""
    folders: dict[Path, set[str]] = {}
    for path in trees():
        if path.stem not in NAMES_OF_TOOLS:
            folders.setdefault(path.parent, set()).add(path.stem)
    assert [found for names in folders.values() for found in alike(names)] == []


def like_a_package(paths: Iterable[Path]) -> list[str]:
    """Modules that are called as a package elsewhere: whoever looks for the one finds the other."""
    packages = {path.parent for path in paths if path.name == "__init__.py" and path != ROOT_FILE}
    named = {folder.name: folder for folder in packages}
    return sorted(
        str(path)
        for path in paths
        if path.stem in named and path.parent != named[path.stem] and path.parent.as_posix() not in ONE_OF_EACH
    )


def test_no_module_is_called_as_a_package_elsewhere() -> None:
    assert like_a_package(trees()) == []
    rooms = [Path("rankings/__init__.py"), Path("study/tables/__init__.py"), Path("study/tables/rankings.py")]
    assert like_a_package(rooms) == ["study/tables/rankings.py"]
    assert like_a_package([Path("study/__init__.py"), Path("study/study.py")]) == []


def same_words(paths: Iterable[Path]) -> list[set[str]]:
    """Modules, wherever they stand, whose names are of the same words in another order or number."""
    words: dict[tuple[str, ...], set[str]] = {}
    for path in paths:
        if path.name != "__init__.py" and path.parent.as_posix() not in ONE_OF_EACH:
            named = sorted(word.removesuffix("s") for word in path.stem.split("_") if word not in SMALL_WORDS)
            if len(named) > 1:
                words.setdefault(tuple(named), set()).add(path.stem)
    return [found for found in words.values() if len(found) > 1]


def test_no_two_names_are_of_the_same_words() -> None:
    """`orders_of_annotators` here and `annotator_orders` there: a name is what tells a module from all others."""
    assert same_words(trees()) == []
    twins = {"orders_of_annotators", "annotator_orders"}
    assert same_words(Path("findings", f"{name}.py") for name in [*twins, "annotator_names"]) == [twins]


@pytest.mark.parametrize("twins", [("tally", "tallied"), ("ranked", "rankings"), ("merged_label", "merging_labels")])
def test_near_twins_are_seen(twins: tuple[str, ...]) -> None:
    assert alike(["gold", *twins, "tally_by_sorting", "ranking_gold"]) == [set(twins)]


VAGUE = {"told", "said", "asked"}


def vague(tree: ast.Module) -> list[str]:
    """Locals, parameters, attributes and functions that are called by a word which says nothing of what they hold."""
    found: list[str] = []
    for node in ast.walk(tree):
        match node:
            case (
                ast.Name(id=name, ctx=ast.Store())
                | ast.Attribute(attr=name, ctx=ast.Store())
                | ast.arg(arg=name)
                | ast.FunctionDef(name=name)
                | ast.AsyncFunctionDef(name=name)
                | ast.alias(asname=str(name))
            ) if name.strip("_").lower() in VAGUE:
                found.append(name)
    return found


def test_a_name_says_what_it_holds() -> None:
    """`sentence`, `columns`, `payload`: somebody told, said or asked whatever a program holds."""
    assert {str(path): names for path, tree in trees().items() if (names := vague(tree))} == {}


@pytest.mark.parametrize(
    "planted",
    [
        "told = 1",
        "for said, other in pairs:\n    pass",
        "found = [said for said in cells]",
        "if (asked := options.get('by')):\n    pass",
        "def f(asked, *, by=None):\n    pass",
        "def f(*said):\n    pass",
        "def _said(cell):\n    pass",
        "class Entry:\n    said: str",
        "class Entry:\n    def __init__(self):\n        self.asked = 1",
        "from accord.errors import Message as Said",
    ],
)
def test_a_name_that_says_nothing_is_seen_however_it_is_bound(planted: str) -> None:
    assert len(vague(ast.parse(planted))) == 1
    assert vague(ast.parse("to('/rules', said='It is kept.')\nquery.one('said')\nvisit.asked_for = 1")) == []
