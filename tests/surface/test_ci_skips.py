"""No quiet skips: in CI an engine, a browser or a package must be there, and whoever lacks ../shared is told so."""

from __future__ import annotations

import ast
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
CONFTEST = ROOT / "tests" / "conftest.py"
MARKED = """
import pytest

@pytest.mark.{mark}
def test_it():
    pytest.skip("not here")
"""
TESTS = {
    "engine": MARKED.format(mark="engine"),
    "browser": MARKED.format(mark="browser"),
    "slow": MARKED.format(mark="slow"),
    "package": "import pytest\n\ndef test_it():\n    pytest.importorskip('no_such_package')\n",
    "fixture": """
import pytest

@pytest.fixture
def package():
    return pytest.importorskip("no_such_package", reason="not installed")

def test_it(package):
    assert 0
""",
    "itself": "import pytest\npytest.importorskip('no_such_engine')\n",
    "expected": "import pytest\n@pytest.mark.engine\n@pytest.mark.xfail\ndef test_it():\n    assert 0\n",
    "shared": """
from pathlib import Path
import pytest
from tests import shared

shared.DATA = Path("nowhere")
pytestmark = pytest.mark.shared

@pytest.mark.parametrize("number", range(3))
def test_it(number):
    assert 0
""",
}


def said_by_pytest(folder: Path, *, ci: bool) -> str:
    """What pytest says of all these tests under our conftest."""
    shutil.copy(CONFTEST, folder / "conftest.py")
    markers = "".join(f"\n    {mark}" for mark in ("engine", "browser", "slow", "shared"))
    (folder / "pytest.ini").write_text(f"[pytest]\nmarkers ={markers}\n", encoding="utf-8")
    for name, test in TESTS.items():
        (folder / f"test_{name}.py").write_text(test, encoding="utf-8")
    environment = {name: value for name, value in os.environ.items() if name not in {"CI", "PYTEST_ADDOPTS"}}
    options = ["-q", "-rA", "-p", "no:cacheprovider", "--continue-on-collection-errors"]
    done = subprocess.run(
        [sys.executable, "-m", "pytest", *options],
        cwd=folder,
        env=environment | {"PYTHONPATH": str(ROOT)} | ({"CI": "true"} if ci else {}),
        capture_output=True,
        check=False,
        text=True,
    )
    return done.stdout


@pytest.fixture(scope="module")
def in_ci(tmp_path_factory: pytest.TempPathFactory) -> str:
    return said_by_pytest(tmp_path_factory.mktemp("in_ci"), ci=True)


@pytest.fixture(scope="module")
def at_home(tmp_path_factory: pytest.TempPathFactory) -> str:
    return said_by_pytest(tmp_path_factory.mktemp("at_home"), ci=False)


def skipped(said: str, name: str) -> bool:
    """Is the file, or a test of it, told among what was skipped?"""
    return re.search(rf"^SKIPPED \[\d\] test_{name}\.py", said, re.MULTILINE) is not None


@pytest.mark.parametrize("mark", ["engine", "browser"])
def test_a_skip_is_a_failure_in_ci(in_ci: str, at_home: str, mark: str) -> None:
    assert f"FAILED test_{mark}.py::test_it - a test marked '{mark}' must run when CI=true, but" in in_ci
    assert f"a test marked '{mark}' must run when CI=true, but: Skipped: not here" in in_ci
    assert not skipped(in_ci, mark)
    assert skipped(at_home, mark)


MISSING = {"package": "could not import 'no_such_package'", "fixture": "not installed"}


@pytest.mark.parametrize("name", MISSING)
def test_a_package_that_is_missing_is_a_failure_in_ci(in_ci: str, at_home: str, name: str) -> None:
    why = f"a test that asks for a package must run when CI=true, but: Skipped: {MISSING[name]}"
    assert f"test_{name}.py::test_it - {why}" in in_ci
    assert not skipped(in_ci, name)
    assert skipped(at_home, name)


def test_other_skips_are_skips(in_ci: str, at_home: str) -> None:
    assert skipped(in_ci, "slow")
    assert skipped(at_home, "slow")


def test_a_file_that_skips_itself_is_a_failure_in_ci(in_ci: str, at_home: str) -> None:
    assert skipped(at_home, "itself")
    assert "must not skip itself when CI=true" in in_ci
    assert not skipped(in_ci, "itself")


def test_no_file_of_ours_skips_itself() -> None:
    at_load = [
        path.name
        for path in (ROOT / "tests").rglob("test_*.py")
        for statement in ast.parse(path.read_text(encoding="utf-8")).body
        if not isinstance(statement, ast.FunctionDef | ast.ClassDef)
        for node in ast.walk(statement)
        if isinstance(node, ast.Attribute) and node.attr == "importorskip"
    ]
    assert at_load == []


def test_an_expected_failure_stays_expected(in_ci: str) -> None:
    assert "XFAIL test_expected.py::test_it" in in_ci


def test_nothing_else_fails(in_ci: str, at_home: str) -> None:
    assert "3 failed, 4 skipped, 1 xfailed, 2 errors" in in_ci
    assert "9 skipped, 1 xfailed" in at_home


def test_who_lacks_the_shared_data_is_told_how_many_tests_need_them(in_ci: str, at_home: str) -> None:
    for said in (in_ci, at_home):
        assert "3 tests need ../shared, which is not here: test_shared.py (3)\n" in said
