"""No quiet skips: in CI an engine or a browser must be there, and whoever lacks ../shared is told so."""

from __future__ import annotations

import os
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


def outcome(folder: Path, test: str, *, ci: bool) -> str:
    """How pytest ends on one test file under our conftest."""
    shutil.copy(CONFTEST, folder / "conftest.py")
    markers = "".join(f"\n    {mark}" for mark in ("engine", "browser", "slow", "shared"))
    (folder / "pytest.ini").write_text(f"[pytest]\nmarkers ={markers}\n", encoding="utf-8")
    (folder / "test_one.py").write_text(test, encoding="utf-8")
    environment = {name: value for name, value in os.environ.items() if name not in {"CI", "PYTEST_ADDOPTS"}}
    command = [sys.executable, "-m", "pytest", "-q", "-rfE", "-p", "no:cacheprovider"]
    done = subprocess.run(
        command,
        cwd=folder,
        env=environment | {"PYTHONPATH": str(ROOT)} | ({"CI": "true"} if ci else {}),
        capture_output=True,
        check=False,
        text=True,
    )
    return done.stdout


@pytest.mark.parametrize("mark", ["engine", "browser"])
def test_a_skip_is_a_failure_in_ci(tmp_path: Path, mark: str) -> None:
    said = outcome(tmp_path, MARKED.format(mark=mark), ci=True)
    assert "1 failed" in said
    assert f"a test marked '{mark}' must run when CI=true, but: Skipped: not here" in said


@pytest.mark.parametrize(("mark", "ci"), [("engine", False), ("browser", False), ("slow", True)])
def test_other_skips_are_skips(tmp_path: Path, mark: str, ci: bool) -> None:
    assert "1 skipped" in outcome(tmp_path, MARKED.format(mark=mark), ci=ci)


def test_a_file_that_skips_itself_is_a_failure_in_ci(tmp_path: Path) -> None:
    test = "import pytest\npytest.importorskip('no_such_engine')\n"
    assert "1 skipped" in outcome(tmp_path, test, ci=False)
    assert "must not skip itself when CI=true" in outcome(tmp_path, test, ci=True)


def test_an_expected_failure_stays_expected(tmp_path: Path) -> None:
    test = "import pytest\n@pytest.mark.engine\n@pytest.mark.xfail\ndef test_it():\n    assert 0\n"
    assert "1 xfailed" in outcome(tmp_path, test, ci=True)


@pytest.mark.parametrize("ci", [False, True])
def test_who_lacks_the_shared_data_is_told_how_many_tests_need_them(tmp_path: Path, ci: bool) -> None:
    test = """
from pathlib import Path
import pytest
from tests import shared

shared.DATA = Path("nowhere")
pytestmark = pytest.mark.shared

@pytest.mark.parametrize("number", range(3))
def test_it(number):
    assert 0
"""
    said = outcome(tmp_path, test, ci=ci)
    assert "3 tests need ../shared, which is not here: test_one.py (3)\n" in said
    assert "3 skipped" in said
