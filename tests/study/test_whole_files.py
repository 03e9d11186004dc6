"""A file that accord writes is the old one or the new one, never half of either; nothing is left beside it."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any
from unittest import mock

import polars as pl
import pytest

import accord
from accord import Study
from accord.engine import whole_file
from accord.engine.whole_file import whole
from accord.errors import InputError

STUDY = Study({"item": [1, 1, 2, 2], "annotator": ["a", "b"] * 2, "label": ["x", "y", "y", "y"]})
LAZY = Study(pl.DataFrame({"item": [1, 1, 2, 2], "annotator": ["a", "b"] * 2, "label": ["x", "y", "y", "y"]}).lazy())
WRITING: dict[str, Callable[[Path], Any]] = {
    "study.csv": STUDY.write,
    "study.jsonl": STUDY.write,
    "study.parquet": STUDY.write,
    "gold.csv": accord.gold(STUDY, method="majority").write,
    "gold.parquet": accord.gold(STUDY, method="majority").write,
    "engine.csv": accord.gold(LAZY, method="majority").write,
    "engine.parquet": accord.gold(LAZY, method="majority").write,
    "table.csv": lambda path: accord.fleiss_kappa(STUDY).by_label().to_csv(path),
    "queue.csv": lambda path: accord.gold(STUDY, method="majority").queue(path=path),
}


@pytest.mark.parametrize("name", WRITING)
def test_a_disk_that_is_full_leaves_the_old_file_and_is_named(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / name).write_text("item,decision\n", encoding="utf-8")

    def full(_: Path) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(whole_file, "_flush", full)
    with pytest.raises(InputError, match=r"No space left on the disk of .* bytes free\). Make room"):
        WRITING[name](tmp_path / name)
    assert [path.name for path in tmp_path.iterdir()] == [name]
    assert (tmp_path / name).read_text(encoding="utf-8") == "item,decision\n"


def test_what_an_engine_says_of_a_full_disk_is_said_too(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="No space left on the disk"), whole(tmp_path / "x.parquet"):
        pl.DataFrame({"a": range(200_000)}).write_parquet("/dev/full")
    with pytest.raises(InputError, match="No space left on the disk"), whole(tmp_path / "x.parquet"):
        raise pl.exceptions.ComputeError("parquet: File out of specification: Invalid thrift: transport error")


@pytest.mark.parametrize("name", WRITING)
def test_a_name_that_no_file_can_have_is_refused(name: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="NUL character"):
        WRITING[name](tmp_path / f"a\0{name}")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no pipes with names here")
@pytest.mark.parametrize("name", WRITING)
def test_no_file_takes_the_place_of_a_pipe_or_a_device(name: str, tmp_path: Path) -> None:
    """Whoever writes as root would otherwise leave a file in the place of /dev/null."""
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / name).symlink_to("pipe")
    with pytest.raises(InputError, match="it is a pipe or a device, whose place a file would take"):
        WRITING[name](tmp_path / name)
    assert (tmp_path / "pipe").is_fifo()
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(["pipe", name])


@pytest.mark.parametrize("name", WRITING)
def test_a_name_that_is_too_long_for_the_disk_is_refused(name: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot be written: File name too long"):
        WRITING[name](tmp_path / f"{'a' * 300}{name}")


def test_threads_may_write_one_file(tmp_path: Path) -> None:
    with ThreadPoolExecutor(6) as threads:
        list(threads.map(lambda _: STUDY.write(tmp_path / "x.csv"), range(60)))
    assert [path.name for path in tmp_path.iterdir()] == ["x.csv"]
    assert accord.read(tmp_path / "x.csv").n_annotations == 4


def test_names_may_be_as_long_as_the_disk_takes_them(tmp_path: Path) -> None:
    name = f"{'é' * 125}.csv"
    assert STUDY.write(tmp_path / name).is_file()


def test_a_link_stays_a_link_and_what_only_its_owner_reads_stays_so(tmp_path: Path) -> None:
    (tmp_path / "real.csv").touch(mode=0o600)
    (tmp_path / "link.csv").symlink_to("real.csv")
    STUDY.write(tmp_path / "link.csv")
    assert (tmp_path / "link.csv").is_symlink()
    assert (tmp_path / "real.csv").stat().st_mode & 0o777 == 0o600
    assert accord.read(tmp_path / "real.csv").n_annotations == 4


def test_what_a_killed_process_left_is_removed_and_what_a_living_one_writes_is_not(tmp_path: Path) -> None:
    gone = subprocess.Popen([sys.executable, "-c", ""])
    gone.wait()
    left = tmp_path / f".x.csv.{whole_file.HERE}-{gone.pid}-00ff.part"
    ours = tmp_path / f".x.csv.{whole_file.HERE}-{os.getppid()}-00ff.part"
    elsewhere = tmp_path / f".x.csv.12345678-{gone.pid}-00ff.part"
    for half in (left, ours, elsewhere):
        half.write_text("half", encoding="utf-8")
    STUDY.write(tmp_path / "x.csv")
    assert {path.name for path in tmp_path.iterdir()} == {"x.csv", ours.name, elsewhere.name}


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere nobody tells when a process began")
def test_another_process_that_has_got_the_number_of_a_killed_one_keeps_nothing(tmp_path: Path) -> None:
    with whole(tmp_path / "y.csv") as half:
        half.write_text("half", encoding="utf-8")
        began = half.name.split("-")[-2]
        killed = tmp_path / f".x.csv.{whole_file.HERE}-{os.getpid()}-{int(began) - 1}-00ff.part"
        living = tmp_path / f".x.csv.{whole_file.HERE}-{os.getpid()}-{began}-00ff.part"
        for left in (killed, living):
            left.write_text("half", encoding="utf-8")
        STUDY.write(tmp_path / "x.csv")
        assert (killed.exists(), living.exists(), half.exists()) == (False, True, True)


INTERRUPTED = """
import sys
from pathlib import Path
from accord.engine import whole_file

def interrupted(half):
    whole_file._removed = removed
    raise KeyboardInterrupt

removed, whole_file._removed = whole_file._removed, interrupted
with whole_file.whole(Path(sys.argv[1])) as half:
    half.write_text("half")
    raise SystemExit(3)
"""


def test_an_interrupt_of_the_removal_leaves_nothing_either(tmp_path: Path) -> None:
    ended = subprocess.run([sys.executable, "-c", INTERRUPTED, tmp_path / "x.csv"], capture_output=True, check=False)
    assert ended.stderr.endswith(b"KeyboardInterrupt\n")
    assert list(tmp_path.iterdir()) == []


def test_a_copy_of_a_process_leaves_alone_what_the_first_one_writes(tmp_path: Path) -> None:
    with whole(tmp_path / "x.csv") as half:
        half.write_text("half", encoding="utf-8")
        with mock.patch("os.getpid", return_value=1):
            whole_file.remove_begun()
        assert half.is_file()
    assert [path.name for path in tmp_path.iterdir()] == ["x.csv"]


def test_what_a_killed_process_left_of_another_file_is_removed_after_an_hour(tmp_path: Path) -> None:
    gone = subprocess.Popen([sys.executable, "-c", ""])
    gone.wait()
    fresh, old = (tmp_path / f".{name}.csv.{whole_file.HERE}-{gone.pid}-00ff.part" for name in ("new", "old"))
    for half in (fresh, old):
        half.write_text("half", encoding="utf-8")
    os.utime(old, (0, 0))
    STUDY.write(tmp_path / "x.csv")
    assert {path.name for path in tmp_path.iterdir()} == {"x.csv", fresh.name}


@pytest.mark.slow
def test_a_file_is_whole_whenever_its_writer_is_killed() -> None:
    """A few of the kills of the benchmark, in a process without threads that may be forked."""
    chosen = ("Study.write .csv", "key of names")
    only = [part for name in chosen for part in ("--only", name)]
    done = subprocess.run(
        [sys.executable, "-m", "benchmarks.kills", "--kills", "3", *only],
        cwd=Path(__file__).parents[2], capture_output=True, check=False, text=True,
    )  # fmt: skip
    _, *rows = done.stdout.splitlines()
    assert (done.returncode, done.stderr) == (0, ""), done.stdout
    assert len(rows) == len(chosen)
