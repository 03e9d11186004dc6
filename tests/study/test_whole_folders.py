"""A folder that accord writes is the old one or the new one, never half of either and never none."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from unittest import mock

import pytest

from accord.engine import whole_file
from accord.errors import InputError
from tests.study.killed_writer import found, write

ONE_STEP = pytest.mark.skipif(sys.platform not in ("linux", "darwin"), reason="the system has no such call")


def killed(folder: Path, *options: str) -> list[str]:
    """What lay there after a kill at every step, and what the next writer left; the last one was not killed."""
    done = subprocess.run(
        [sys.executable, "-m", "tests.study.killed_writer", str(folder), *options],
        cwd=Path(__file__).parents[2], capture_output=True, check=False, text=True,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout.split()


@ONE_STEP
def test_a_kill_at_any_step_leaves_the_old_folder_or_the_new_one(tmp_path: Path) -> None:
    *ends, last = killed(tmp_path)
    assert len(ends) > 20
    assert set(ends) == {"old:old", "new:new"}, "and the next writer takes away what lay beside"
    assert ends == sorted(ends, reverse=True), "first the old one, from some step on the new one"
    assert last == "new:new"


@pytest.mark.skipif(sys.platform == "win32", reason="no process is forked there")
def test_where_two_steps_are_needed_the_next_writer_puts_the_old_folder_back(tmp_path: Path) -> None:
    *ends, last = killed(tmp_path, "--in-two-steps")
    assert set(ends) == {"old:old", "none:old", "new:new"}
    assert ends.count("none:old") == 1
    assert last == "new:new"


def test_a_folder_that_cannot_take_its_place_leaves_the_old_one(tmp_path: Path) -> None:
    write(tmp_path / "pages", "old")
    replace = Path.replace

    def refused(path: Path, target: Path) -> Path:
        if path.suffix == ".part":
            raise PermissionError(13, "somebody looks at it")
        return replace(path, target)

    with (
        mock.patch.object(whole_file, "swapped", return_value=False),
        mock.patch.object(Path, "replace", refused),
        pytest.raises(InputError, match="somebody looks at it"),
    ):
        write(tmp_path / "pages", "new")
    assert found(tmp_path / "pages") == "old"
    assert [path.name for path in tmp_path.iterdir()] == ["pages"]


def test_a_link_to_a_folder_stays_a_link(tmp_path: Path) -> None:
    write(tmp_path / "real", "old")
    (tmp_path / "link").symlink_to("real")
    write(tmp_path / "link", "new")
    assert (tmp_path / "link").is_symlink()
    assert found(tmp_path / "real") == "new"
