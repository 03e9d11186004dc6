"""The repository as a newcomer finds it: nothing of one machine, one version, honest examples."""

from __future__ import annotations

import csv
import importlib.util
import re
import runpy
import subprocess
import sys
import tomllib
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import accord
from tests.command.running import run

if TYPE_CHECKING:
    from types import ModuleType

ROOT = Path(__file__).parents[2]
EXAMPLES = ROOT / "examples"
STUDIES = sorted(path.name for path in EXAMPLES.glob("*.csv"))

MACHINE_PATH = re.compile(r"(?<![\w.:/$*}-])/(?:root|work|tmp|home/\w+|Users/\w+|opt/\w+)/|\b[A-Z]:\\Users\\", re.ASCII)
# Spelled in pieces, so that this file does not name them either.
REGISTRIES = [
    r"\.".join(host)
    for host in (
        ("pypi", "org"),
        ("pythonhosted", "org"),
        ("npmjs", "org"),
        ("npmjs", "com"),
        ("deb", "debian", "org"),
        ("anaconda", "org"),
        ("crates", "io"),
    )
]


def read(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


@cache
def tracked() -> tuple[tuple[str, str], ...]:
    """The name and text of every text file that is, or is about to be, in the repository."""
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    try:
        names = subprocess.run(command, cwd=ROOT, capture_output=True, check=True, text=True).stdout
    except (OSError, subprocess.CalledProcessError) as problem:
        pytest.skip(f"not a git clone: {problem}")
    found = []
    for name in sorted(filter(None, set(names.split("\0")))):
        path = ROOT / name
        if path.is_file() and b"\0" not in (content := path.read_bytes()):
            found.append((name, content.decode("utf-8", errors="replace")))
    return tuple(found)


def lines_matching(pattern: re.Pattern[str]) -> list[str]:
    return [
        f"{name}:{number}: {line.strip()[:120]}"
        for name, text in tracked()
        for number, line in enumerate(text.splitlines(), start=1)
        if pattern.search(line)
    ]


def test_no_path_of_one_machine() -> None:
    assert lines_matching(MACHINE_PATH) == []


def test_no_package_registry_by_name() -> None:
    assert lines_matching(re.compile("|".join(REGISTRIES))) == []


@pytest.mark.parametrize("name", ["README.md", "CONTRIBUTING.md"])
@pytest.mark.parametrize("command", ["make demo", "make test"])
def test_both_commands_are_named(name: str, command: str) -> None:
    assert command in read(name)


def test_ci_runs_make_test_and_nothing_else() -> None:
    lines = [line for line in read(".ci/run").splitlines() if line and not line.startswith("#")]
    assert lines == ["set -eu", 'cd "$(dirname "$0")/.."', "exec make test"]


def test_one_version() -> None:
    project = tomllib.loads(read("pyproject.toml"))["project"]
    assert project["dynamic"] == ["version"], "src/accord/options.py is the only source of the version"
    assert re.findall(r"^version: (.+)$", read("CITATION.cff"), re.MULTILINE) == [accord.__version__]
    changelog = read("CHANGELOG.md")
    assert "## [Unreleased]" in changelog
    released = re.findall(r"^## \[(\d.*?)\]", changelog, re.MULTILINE)
    planned = re.findall(r"^To be released as (\d\S*\d)\.$", changelog, re.MULTILINE)
    assert accord.__version__ in [*planned, *released[:1]]


def test_the_licence_is_the_declared_one() -> None:
    assert tomllib.loads(read("pyproject.toml"))["project"]["license"] == "Apache-2.0"
    assert "Apache License\n                           Version 2.0" in read("LICENSE")
    assert "license: Apache-2.0" in read("CITATION.cff")


def test_examples_are_there() -> None:
    assert sorted(load_maker().STUDIES) == STUDIES


@cache
def load_maker() -> ModuleType:
    spec = importlib.util.spec_from_file_location("make_examples", EXAMPLES / "make_examples.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("name", STUDIES)
def test_an_example_is_what_its_script_writes(name: str) -> None:
    for folder in (EXAMPLES, load_maker().SHIPPED):
        assert (folder / name).read_bytes().decode("utf-8") == load_maker().contents(name)


@pytest.mark.parametrize("name", STUDIES)
def test_an_example_is_described_as_it_is(name: str) -> None:
    row = re.search(rf"^\| `{re.escape(name)}` \|.*\| (\d+) \| (\d+) \|.*\|$", read("examples/README.md"), re.M)
    assert row is not None, f"examples/README.md has no row for {name}"
    with (EXAMPLES / name).open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file, strict=True))
    item = next(name for name in ("item", "prompt", "query", "errand", "article") if name in rows[0])
    who = next((name for name in ("judge", "coder") if name in rows[0]), "annotator")
    people = {row[who] for row in rows} if who in rows[0] else set(rows[0]) - {"item", "text"}
    assert (len({row[item] for row in rows}), len(people)) == (int(row[1]), int(row[2]))
    assert not any(None in row or None in row.values() for row in rows), "a row is longer or shorter than the header"
    assert all(row["label"] for row in rows if "label" in row and not row.get("status"))


def snippets() -> list[str]:
    return re.findall(r"^```python\n(.*?)^```", read("examples/README.md"), re.MULTILINE | re.DOTALL)


def test_each_example_has_a_snippet() -> None:
    for name in STUDIES:
        assert sum(f"examples/{name}" in snippet for snippet in snippets()) == 1


@pytest.mark.slow
@pytest.mark.parametrize("snippet", snippets(), ids=lambda text: text.partition("examples/")[2].partition(".csv")[0])
def test_a_snippet_runs(
    snippet: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "snippet.py").write_text(snippet, encoding="utf-8")
    monkeypatch.chdir(ROOT)
    runpy.run_path(str(tmp_path / "snippet.py"), run_name="__main__")
    assert capsys.readouterr().out.strip()


@pytest.mark.slow
@pytest.mark.parametrize("command", re.findall(r"^    (accord .+)$", read("examples/README.md"), re.MULTILINE))
def test_a_command_runs(command: str) -> None:
    _, *arguments = command.split()
    done = run(*arguments, folder=ROOT)
    assert done.code == 0, done.err
    assert done.out.strip()
