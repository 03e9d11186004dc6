"""What is promised to whoever installs accord: versions that are the same everywhere, words that are spelled right."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from functools import cache
from importlib import metadata
from pathlib import Path
from typing import Any

import pytest

import accord
from tests.packaging.clean_room import IN_SDIST, IN_WHEEL
from tests.packaging.oldest import oldest

ROOT = Path(__file__).parents[2]
OURS = re.compile(r"accord(\[|$)")
NAME = re.compile(r"^[A-Za-z0-9_.-]+")


@cache
def project() -> dict[str, Any]:
    found: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    return found


def promised(*extras: str) -> list[str]:
    """The dependencies of the library and of some extras, as pyproject.toml has them."""
    optional = project()["project"]["optional-dependencies"]
    return [*project()["project"]["dependencies"], *(one for extra in extras for one in optional[extra])]


def people_install() -> Iterator[str]:
    """The names of all packages that an extra brings, without those that only we need."""
    extras = [name for name in project()["project"]["optional-dependencies"] if name not in ("dev", "docs")]
    names = (NAME.match(line) for line in promised(*extras) if not OURS.match(line))
    return (found[0] for found in names if found is not None)


# Versions -------------------------------------------------------------------------------------------------------------


def test_the_conda_recipe_promises_what_the_wheel_does() -> None:
    recipe = (ROOT / "recipe" / "recipe.yaml").read_text(encoding="utf-8")
    assert re.findall(r'^  version: "(.+)"$', recipe, re.MULTILINE) == [accord.__version__]
    run = recipe.partition("  run:\n")[2].partition("\ntests:")[0]
    listed = [line.strip(" -").replace(" >=", ">=") for line in run.splitlines() if line.startswith("    - ")]
    assert listed == [f"python{project()['project']['requires-python']}", *promised("report")]
    assert f"license: {project()['project']['license']}" in recipe


def test_every_promise_has_a_least_version_that_is_tried() -> None:
    tried = {line.partition("==")[0] for line in oldest()}
    asked = {found[0] for line in promised("report", "duckdb", "spss", "serve") if (found := NAME.match(line))}
    assert asked - {"accord"} == tried


def test_every_python_that_is_promised_is_tried() -> None:
    named = re.findall(r"Programming Language :: Python :: (3\.\d+)", "\n".join(project()["project"]["classifiers"]))
    workflow = (ROOT / ".github" / "workflows" / "test.yml").read_text(encoding="utf-8")
    sessions = (ROOT / "noxfile.py").read_text(encoding="utf-8")
    assert named
    assert all(f'"{version}"' in workflow and f'"{version}"' in sessions for version in named)


# Files ----------------------------------------------------------------------------------------------------------------


def test_what_the_clean_room_looks_for_is_there() -> None:
    assert all((ROOT / name).is_file() for name in IN_SDIST)
    assert all((ROOT / "src" / name).is_file() for name in IN_WHEEL)


def test_the_sdist_takes_every_file_of_the_root_that_is_for_readers() -> None:
    included = project()["tool"]["hatch"]["build"]["targets"]["sdist"]["include"]
    written = {path.name for path in ROOT.glob("*.md")} | {"CITATION.cff", "Makefile", "noxfile.py"}
    assert written <= set(included)


def test_what_an_index_shows_leads_to_nothing_that_only_the_repository_has() -> None:
    page = (ROOT / project()["project"]["readme"]).read_text(encoding="utf-8")
    assert re.findall(r"\]\((?!https?://)|^    make |<img", page, re.MULTILINE) == []
    assert all(part in page for part in ("pip install", "$ accord measure", "import accord", "## Status, licence"))


def test_every_package_that_is_installed_is_listed_with_its_licence() -> None:
    page = (ROOT / "docs" / "licences.md").read_text(encoding="utf-8")
    rows = dict(re.findall(r"^\| `([^`]+)` \| [^|]+ \| ([^|]+?) \|$", page, re.MULTILINE))
    assert sorted(rows) == sorted(set(people_install()))
    declared = {name: licences_of(name) for name in rows}
    wrong = {name for name, licence in rows.items() if not re.search(licence.partition("-")[0], declared[name])}
    assert {name: declared[name] for name in wrong} == {}


def licences_of(name: str) -> str:
    """All that a package says of its licence; what an expression calls BSD-3-Clause, a classifier calls BSD License."""
    told = metadata.metadata(name)
    fields = [one for field in ("License-Expression", "License", "Classifier") for one in told.get_all(field) or []]
    return " ".join(one for one in fields if "::" not in one or one.startswith("License ::"))


# What other repositories call -----------------------------------------------------------------------------------------


def yaml_files() -> list[Path]:
    named = ("action.yml", ".pre-commit-hooks.yaml", ".pre-commit-config.yaml", "recipe/recipe.yaml", "CITATION.cff")
    return [*(ROOT / name for name in named), *sorted((ROOT / ".github").rglob("*.yml"))]


def read_yaml(file: Path) -> Any:
    return pytest.importorskip("yaml").safe_load(file.read_text(encoding="utf-8"))


@pytest.mark.parametrize("file", yaml_files(), ids=lambda file: str(file.relative_to(ROOT)))
def test_what_others_read_can_be_read(file: Path) -> None:
    assert read_yaml(file)


def test_the_page_calls_the_action_and_the_hook_by_what_they_take() -> None:
    page = (ROOT / "docs" / "command-line.md").read_text(encoding="utf-8")
    asked = re.search(r"- uses: OWNER/accord@.*?\n  with:\n((?:    .*\n)+)", page)
    assert asked is not None
    used = re.findall(r"^    ([\w-]+):", asked[1], re.MULTILINE)
    assert set(used) <= set(read_yaml(ROOT / "action.yml")["inputs"])
    (hook,) = read_yaml(ROOT / ".pre-commit-hooks.yaml")
    assert f"- id: {hook['id']}\n" in page
    assert re.findall(r"(?:accord@|rev: )v(\S+)", page) == [accord.__version__] * 2
    assert hook["entry"] == "accord measure"


@pytest.mark.slow
@pytest.mark.parametrize(("limit", "code"), [("0.67", 1), ("0.45", 0), ("", 0)])
def test_the_action_fails_below_its_limit_and_writes_a_summary(tmp_path: Path, limit: str, code: int) -> None:
    bash = shutil.which("bash")
    if bash is None:
        pytest.skip("GitHub has a bash; this machine has none")
    *_, step = read_yaml(ROOT / "action.yml")["runs"]["steps"]
    command = tmp_path / "accord"
    command.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m accord.cli "$@"\n', encoding="utf-8")
    command.chmod(0o755)
    settings = {"FILE": str(ROOT / "examples" / "five-annotators.csv"), "LIMIT": limit, "OPTIONS": "--by topic"}
    settings |= {"RUNNER_TEMP": str(tmp_path), "GITHUB_STEP_SUMMARY": str(tmp_path / "summary.md")}
    found = {**os.environ, **settings, "PATH": f"{tmp_path}{os.pathsep}{os.environ['PATH']}"}
    done = subprocess.run(
        [bash, "-e", "-o", "pipefail", "-c", step["run"]], env=found, capture_output=True, check=False
    )
    summary = (tmp_path / "summary.md").read_text(encoding="utf-8")
    assert done.returncode == code
    assert "| hotel | 0.743 |" in summary
    assert ("Krippendorff's alpha is 0.603, below the limit of 0.67." in summary) == (limit == "0.67")


# Words ----------------------------------------------------------------------------------------------------------------


def test_the_pages_are_spelled_right(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    speller = pytest.importorskip("codespell_lib")
    monkeypatch.chdir(ROOT)
    pages = [page.name for page in ROOT.glob("*.md")]
    wrong = speller.main("--toml", "pyproject.toml", "docs", "src", "examples", "benchmarks", *pages)
    assert wrong == 0, capsys.readouterr().out


def test_a_misspelt_word_is_found(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    speller = pytest.importorskip("codespell_lib")
    page = tmp_path / "page.md"
    page.write_text("An annotator who is defin" + "ately wrong.\n", encoding="utf-8")
    assert speller.main("--toml", str(ROOT / "pyproject.toml"), str(page)) != 0
    assert "defin" in capsys.readouterr().out
