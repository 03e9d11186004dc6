"""The log: nothing is lost, doubled, changed or overwritten."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from accord.errors import DecisionError, FileError, InputError
from accord.workbench import decision_log
from accord.workbench.decision_log import DecisionLog, NewRow, now
from accord.workbench.file_holder import Holder
from accord.workbench.log_file import opened_to_write
from tests.fuzz.faults import full_disk


def row(key: str, item: str = '"i1"', **more: Any) -> NewRow:
    cells: dict[str, Any] = {"key": key, "at": now(), "by": "ana", "item": item, "act": "decide", "after": '"a"'}
    return NewRow(**(cells | more))


@pytest.fixture
def log(tmp_path: Path) -> Iterator[DecisionLog]:
    opened = DecisionLog.open(tmp_path / "log.sqlite")
    yield opened
    opened.close()


def test_the_same_key_again_is_the_same_row(log: DecisionLog) -> None:
    first, again = log.append(row("k")), log.append(row("k"))
    assert (first.number, len(list(log.after()))) == (again.number, 1)


def test_a_key_of_another_decision_is_refused_and_keeps_nothing(log: DecisionLog) -> None:
    log.append(row("k"))
    with pytest.raises(DecisionError, match="belongs to another decision"):
        log.append_all([row("new"), row("k", item='"i2"')])
    assert [kept.key for kept in log.after()] == ["k"]


def test_rows_are_neither_changed_nor_deleted(log: DecisionLog) -> None:
    log.append(row("k"))
    other = sqlite3.connect(log.path)
    for statement in ("UPDATE decisions SET item = 'x'", "DELETE FROM decisions"):
        with pytest.raises(sqlite3.IntegrityError, match="decisions are never"):
            other.execute(statement)
    other.close()


def test_the_file_says_what_it_is_and_how_it_keeps_rows(log: DecisionLog) -> None:
    with log._written() as connection:
        said = [connection.execute(f"PRAGMA {name}").fetchone()[0] for name in ("journal_mode", "synchronous")]
        tables = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall()
    assert said == ["wal", 2]
    assert tables == [("decisions",)]


@pytest.mark.skipif(sys.platform == "win32", reason="there a file that is open is neither moved nor deleted")
@pytest.mark.parametrize("ending", ["", "-wal"])
def test_a_file_that_was_taken_away_keeps_no_row_unsaid(log: DecisionLog, ending: str) -> None:
    """SQLite would go on to write to it, and whoever opens the file next would find nothing of that."""
    log.append(row("before"))
    file = log.path.with_name(log.path.name + ending)
    aside = file.rename(file.with_name("aside"))
    with pytest.raises(FileError, match="not kept: this file was moved, deleted or replaced"):
        log.append(row("lost"))
    with pytest.raises(FileError, match="not kept"):
        log.append_many([row("lost too")])
    aside.rename(file)
    log.append(row("after"))
    assert [kept.key for kept in log.after()] == ["before", "after"]


@pytest.mark.skipif(sys.platform == "win32", reason="there a file that is open is not deleted")
def test_two_never_write_though_the_lock_was_deleted(log: DecisionLog) -> None:
    lock = log.path.with_name(log.path.name + ".serving")
    lock.unlink()
    log.append(row("first"))
    assert lock.exists(), "it is held again"
    lock.unlink()
    second = DecisionLog.open(log.path)
    for key in ("refused", "refused again"):
        with pytest.raises(FileError, match=f"open in process {os.getpid()} already"):
            log.append(row(key))
    log.close()
    assert lock.exists(), "what is another's stays"
    second.append(row("second"))
    found = [kept.key for kept in second.after()]
    second.close()
    assert found == ["first", "second"]


def test_everything_in_a_row_comes_back(tmp_path: Path) -> None:
    given = row(
        "k",
        item='"i \\u0000 é 😀"',
        before='"b"',
        reason="a\nreason",
        comment='it\'s "so"',
        unclear=True,
        seconds=1.5,
        second_look=True,
        study_version="v",
        guideline_version="g",
    )
    log = DecisionLog.open(tmp_path / "log.sqlite")
    kept = log.append(given)
    log.close()
    again = DecisionLog.read(tmp_path / "log.sqlite")
    assert again.by_key("k") == kept
    assert {name: getattr(kept, name) for name in vars(given)} == vars(given)
    again.close()


def test_threads_that_write_at_once_lose_and_double_nothing(log: DecisionLog) -> None:
    def work(name: str) -> None:
        for number in range(40):
            log.append(row(f"{name}-{number}"))
            log.append(row(f"{name}-{number}"))  # a retry

    threads = [threading.Thread(target=work, args=[name]) for name in "abcd"]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    kept = [one.key for one in log.after()]
    assert sorted(kept) == sorted(f"{name}-{number}" for name in "abcd" for number in range(40))


def test_a_second_server_is_told_who_has_the_file(tmp_path: Path) -> None:
    path = tmp_path / "log.sqlite"
    log = DecisionLog.open(path)
    log.announce(Holder.here("http://127.0.0.1:8123"))
    with pytest.raises(FileError, match=rf"process {os.getpid()} already.*http://127.0.0.1:8123.*decisions="):
        DecisionLog.open(path)
    log.close()
    DecisionLog.open(path).close()
    assert not (tmp_path / "log.sqlite.serving").exists()


def test_what_a_dead_process_left_behind_stops_nobody(tmp_path: Path) -> None:
    (tmp_path / "log.sqlite.serving").write_text('{"pid": 1, "address": "http://gone"}')
    DecisionLog.open(tmp_path / "log.sqlite").close()


def test_a_file_that_is_no_log_is_refused_and_stays(tmp_path: Path) -> None:
    path = tmp_path / "log.sqlite"
    other = sqlite3.connect(path)
    other.execute("CREATE TABLE mine (x)")
    other.close()
    before = path.read_bytes()
    with pytest.raises(FileError, match="holds no decisions of accord"):
        DecisionLog.open(path)
    path.write_bytes(before)
    text = tmp_path / "notes.txt"
    text.write_text("not a database at all, but some words " * 40)
    with pytest.raises(FileError, match="damaged"):
        DecisionLog.open(text)
    assert text.read_text().startswith("not a database")


def test_a_file_with_nothing_in_it_becomes_a_log(tmp_path: Path) -> None:
    path = tmp_path / "log.sqlite"
    empty = sqlite3.connect(path)
    empty.execute("VACUUM")  # as a kill leaves it before the first table is there
    empty.close()
    log = DecisionLog.open(path)
    assert log.append(row("k")).number == 1
    log.close()


def test_a_log_of_a_newer_layout_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "log.sqlite"
    DecisionLog.open(path).close()
    newer = sqlite3.connect(path)
    newer.execute("PRAGMA user_version = 99")
    newer.close()
    with pytest.raises(FileError, match="A newer accord wrote it"):
        DecisionLog.open(path)


def test_a_damaged_log_is_said_and_never_overwritten(tmp_path: Path) -> None:
    path = tmp_path / "log.sqlite"
    log = DecisionLog.open(path)
    log.append_many([row(f"k{number}", comment="some words " * 20) for number in range(300)])
    log.close()
    held = bytearray(path.read_bytes())
    held[8192 : len(held) // 2] = b"\x5a" * (len(held) // 2 - 8192)
    path.write_bytes(held)
    with pytest.raises(FileError, match="damaged"):
        DecisionLog.open(path)
    assert path.read_bytes() == held


def test_a_folder_that_is_not_there_is_said(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no folder"):
        DecisionLog.open(tmp_path / "nowhere" / "log.sqlite")


@pytest.mark.skipif(sys.platform == "win32", reason="limits of file sizes are the system's")
def test_a_full_disk_says_so_and_loses_nothing(tmp_path: Path) -> None:
    log = DecisionLog.open(tmp_path / "log.sqlite")
    log.append(row("before"))
    with full_disk(200_000), pytest.raises(FileError, match=r"was not kept.*What was kept before is safe"):
        _fill(log)
    kept = {one.key for one in log.after()}
    assert log.append(row("after")).number == len(kept) + 1
    log.close()
    again = DecisionLog.open(tmp_path / "log.sqlite")
    assert {one.key for one in again.after()} == kept | {"after"}
    again.close()


def _fill(log: DecisionLog) -> None:
    for number in range(1_000):
        log.append(row(f"during-{number}", comment="x" * 5_000))


KILLED = """
import sys, threading
from accord.workbench.decision_log import DecisionLog, NewRow, now
log = DecisionLog.open(sys.argv[1])
lock = threading.Lock()
def work(name):
    for number in range(10_000):
        key = f"{name}-{number}"
        log.append(NewRow(key=key, at=now(), by=name, item=str(number), act="decide", after='"a"'))
        with lock:
            print(key, flush=True)
for name in "abc":
    threading.Thread(target=work, args=[name]).start()
"""


@pytest.mark.skipif(sys.platform == "win32", reason="kill -9 is POSIX")
def test_a_kill_loses_no_row_that_was_acknowledged(tmp_path: Path) -> None:
    path = tmp_path / "log.sqlite"
    with subprocess.Popen([sys.executable, "-c", KILLED, str(path)], stdout=subprocess.PIPE, text=True) as child:
        assert child.stdout is not None
        told = [child.stdout.readline().strip() for _ in range(60)]
        child.send_signal(signal.SIGKILL)
        told += [line.strip() for line in child.stdout if line.endswith("\n")]
    log = DecisionLog.open(path)
    kept = [one.key for one in log.after()]
    log.close()
    assert len(set(kept)) == len(kept)
    assert set(told) <= set(kept)


def test_a_log_that_cannot_be_opened_whole_leaves_nothing_open(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path, opened = tmp_path / "log.sqlite", list[sqlite3.Connection]()

    def to_write(place: Path) -> sqlite3.Connection:
        opened.append(opened_to_write(place))
        return opened[-1]

    def to_read(place: Path, *, check: bool) -> sqlite3.Connection:
        raise FileError(place, "It cannot be opened.")

    with monkeypatch.context() as patched:
        patched.setattr(decision_log, "opened_to_write", to_write)
        patched.setattr(decision_log, "opened_to_read", to_read)
        with pytest.raises(FileError, match="cannot be opened"):
            DecisionLog.open(path)
    with pytest.raises(sqlite3.ProgrammingError, match="closed"):
        opened[0].execute("SELECT 1")
    DecisionLog.open(path).close()  # nobody has it
