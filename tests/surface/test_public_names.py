"""The public names: registered measures and two lists in one file, held to each other, loaded only when asked for.

`FIXED` and the measures that are registered are the promise to users: a name that comes or goes changes this file, or
`measures/__init__.py`, and the changelog.
"""

from __future__ import annotations

import ast
import inspect
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

import accord
import accord.measures
from accord.measures.registered import MEASURES

EVERY: list[str] = accord.__all__  # type: ignore[attr-defined]  # made when asked for
SOURCE = Path(str(accord.__file__))

FIXED = [
    "AccordError",
    "Agreement",
    "BradleyTerry",
    "Comparison",
    "Gold",
    "Interval",
    "LimitsOfAgreement",
    "Measurements",
    "Paper",
    "Plan",
    "Queries",
    "RatingScaleModel",
    "SelfAgreement",
    "Study",
    "Table",
    "Test",
    "VarianceComponents",
    "Workbench",
    "annotators_on_scale",
    "best_worst_scores",
    "bland_altman",
    "bradley_terry",
    "circular_triads",
    "compare",
    "explain",
    "from_results",
    "gamma_scale",
    "gold",
    "item_classes",
    "matched_spans",
    "measure",
    "p_curve",
    "pairwise",
    "paper",
    "plan",
    "position_effect",
    "publish",
    "queries",
    "rating_scale_model",
    "read",
    "report",
    "sample_for_annotation",
    "self_agreement",
    "serve",
    "span_counts",
    "span_differences",
    "variance_components",
]
PUBLIC = sorted([*FIXED, *MEASURES])  # a registered measure is public without standing here


def imported_for_type_checkers(source: Path = SOURCE) -> dict[str, str]:
    """Name of everything that the file imports from accord, and where from; packages come from "accord" itself."""
    tree = ast.parse(source.read_text(encoding="utf-8"))
    imports = [node for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
    ours = [node for node in imports if str(node.module).split(".")[0] == "accord"]
    return {alias.asname or alias.name: str(node.module) for node in ours for alias in node.names}


def test_the_public_names_are_these_in_order() -> None:
    assert EVERY == PUBLIC
    assert sorted(set(FIXED) - set(MEASURES)) == FIXED


def test_no_public_name_is_also_a_module() -> None:
    """A lazy import of accord.gold, the module, would replace accord.gold, the function."""
    folder = SOURCE.parent
    modules = {path.stem for path in folder.glob("*.py")} | {path.name for path in folder.iterdir() if path.is_dir()}
    assert set(PUBLIC) & modules == set()


@pytest.mark.parametrize("name", PUBLIC)
def test_every_public_method_says_what_it_does(name: str) -> None:
    found = getattr(accord, name)
    own = [found, *(vars(found).values() if inspect.isclass(found) else ())]
    unwrapped = [part.__func__ if isinstance(part, classmethod | staticmethod) else part for part in own]
    functions = [part.fget if isinstance(part, property) else part for part in unwrapped]
    silent = [
        part.__qualname__
        for part in functions
        if inspect.isfunction(part) and not part.__name__.startswith("_") and not inspect.getdoc(part)
    ]
    assert silent == []


def test_what_type_checkers_see_is_what_is_loaded() -> None:
    typed = imported_for_type_checkers()
    measures = {name for name, home in typed.items() if name == "*"}
    folder = SOURCE.parents[1]
    packages = {name for name, home in typed.items() if (folder / f"{home}.{name}".replace(".", "/")).is_dir()}
    assert set(vars(accord)["_HOMES"]) == set(typed) - packages - measures
    assert set(vars(accord)["_PACKAGES"]) == packages
    assert measures, "measures come with one import of all that are registered"


def test_a_registered_measure_is_a_public_name_and_imported_for_type_checkers() -> None:
    assert set(MEASURES) <= set(EVERY)
    assert set(MEASURES) == {name for name in vars(accord.measures) if name in EVERY}
    for name, entry in MEASURES.items():
        assert getattr(accord, name) is entry.function


@pytest.mark.parametrize("package", vars(accord)["_PACKAGES"])
def test_a_public_package_is_a_module_that_can_be_imported_from(package: str) -> None:
    name = import_module(f"accord.{package}").__all__[0]
    program = f"from accord.{package} import {name}; import accord; assert accord.{package}.{name} is {name}"
    subprocess.run([sys.executable, "-c", program], check=True)


@pytest.mark.parametrize("package", ["judge", "findings"])
def test_a_package_names_the_same_things_and_loads_them_when_used(package: str) -> None:
    module = import_module(f"accord.{package}")
    typed = imported_for_type_checkers(Path(str(module.__file__)))
    assert set(vars(module)["_HOMES"]) == set(module.__all__) == set(typed)
    assert sorted(set(module.__all__)) == sorted(module.__all__)
    for name, home in typed.items():
        assert getattr(module, name) is getattr(import_module(home), name)
    assert not hasattr(module, "nonsense")
    program = f"import sys, accord; accord.{package}; print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout.split()
    assert [one for one in loaded if one.startswith(f"accord.{package}.")] == []


@pytest.mark.parametrize("name", PUBLIC)
def test_a_public_name_is_what_type_checkers_think_and_says_what_it_is(name: str) -> None:
    found = getattr(accord, name)
    assert found is getattr(import_module(imported_for_type_checkers().get(name, "accord.measures")), name)
    assert found.__doc__
    assert name in dir(accord)


def test_accord_shows_its_public_names_and_nothing_else_whatever_is_loaded() -> None:
    program = "import accord; accord.Study; accord.gold; accord.judge.alt_test; accord.report; print(*dir(accord))"
    shown = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout.split()
    assert shown == sorted({*PUBLIC, *vars(accord)["_PACKAGES"], "__version__"})


@pytest.mark.parametrize("package", vars(accord)["_PACKAGES"])
def test_a_public_package_shows_its_public_names_and_nothing_else(package: str) -> None:
    module = import_module(f"accord.{package}")
    for name in module.__all__:
        getattr(module, name)
    assert dir(module) == sorted(module.__all__)


def test_only_packages_for_users_name_what_is_public() -> None:
    rooms = [path.parent for path in SOURCE.parent.rglob("__init__.py") if path != SOURCE]
    naming = {room.name for room in rooms if "\n__all__ = " in (room / "__init__.py").read_text(encoding="utf-8")}
    for_formats = "readers"  # what a format of somebody's own is written with
    assert naming == {*vars(accord)["_PACKAGES"], for_formats, "cli"}  # the command is started by its name


def test_a_format_is_written_with_names_of_one_package() -> None:
    import accord.readers

    assert dir(accord.readers) == ["Found", "ReadOptions", "Rows", "Source"]
    typed = imported_for_type_checkers(Path(str(accord.readers.__file__)))
    assert set(typed) == set(accord.readers.__all__)
    for name, home in typed.items():
        assert getattr(accord.readers, name) is getattr(import_module(home), name)
    assert not hasattr(accord.readers, "nonsense")


def test_a_study_shows_what_its_users_call_and_nothing_else() -> None:
    assert [name for name in dir(accord.Study) if not name.startswith("_")] == [
        "adjudicators", "all_alike", "annotators", "answers", "columns", "compares", "declare", "declare_kinds",
        "describe",
        "from_confusion", "from_counts", "from_indicators", "from_pairs", "from_raters_items", "from_unnamed",
        "from_wide", "groups", "item_weights", "items", "kind", "kinds", "labels", "labels_used", "left_out", "level",
        "models", "n_annotations",
        "n_annotators", "n_items", "n_rows", "notes", "of_annotators", "of_people", "others", "people", "roles",
        "shape", "tally", "tasks", "where", "with_item_weights", "without_annotators", "write",
        "write_tally",
    ]  # fmt: skip


def test_an_unknown_name_is_an_attribute_error_and_not_an_import() -> None:
    with pytest.raises(AttributeError, match="no attribute 'kappa_of_everything'"):
        accord.kappa_of_everything  # type: ignore[attr-defined]  # noqa: B018
    assert not hasattr(accord, "nonsense")


def test_from_accord_import_everything_gives_every_public_name() -> None:
    program = "from accord import *; print(*globals())"
    names = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout.split()
    assert set(EVERY) <= set(names)


def test_the_measures_of_the_registry_are_the_public_names_that_give_an_agreement() -> None:
    functions = {name: getattr(accord, name) for name in EVERY if inspect.isfunction(getattr(accord, name))}
    given = {name: inspect.signature(function).return_annotation for name, function in functions.items()}
    measures = {name: functions[name] for name in functions if given[name] in ("Agreement", accord.Agreement)}
    assert measures == {name: measure.function for name, measure in MEASURES.items()}
