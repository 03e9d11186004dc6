"""A study is exchanged for a newer version between requests, never during one."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest

import accord
from accord.errors import FileError
from accord.workbench.study_lock import StudyLock
from tests.workbench.bench_made import ANA, bench, rows


def test_an_exchange_waits_for_those_who_are_at_it_and_holds_back_those_who_come() -> None:
    lock, order = StudyLock(), []
    inside, waiting, leave = threading.Event(), threading.Event(), threading.Event()

    def use(name: str) -> None:
        with lock.shared():
            order.append(name)
            inside.set()
            leave.wait()

    def exchange() -> None:
        waiting.set()
        with lock.exclusive():
            order.append("exchanged")

    first = threading.Thread(target=use, args=["before"])
    first.start()
    inside.wait()
    second = threading.Thread(target=exchange)
    second.start()
    waiting.wait()
    assert order == ["before"]
    leave.set()
    first.join()
    second.join()
    use("after")
    assert order == ["before", "exchanged", "after"]


def test_a_study_that_is_another_is_refused_and_everything_stays(tmp_path: Path) -> None:
    made = bench(tmp_path)
    made.decide(0, "b", ANA, "k")
    other = accord.Study([row | {"item": f"other-{row['item']}"} for row in rows()])
    with pytest.raises(FileError, match="decisions of another study"):
        made.renew(other)
    assert made.study.items[0] == "i0"
    assert made.standing.of(0) is not None
    made.decide(1, "a", ANA, "k2")
    made.close()
