"""A server that is killed loses and doubles nothing. Many more kills are in `benchmarks/workbench_kills.py`."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from benchmarks.workbench_kills import killed


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="asks the system for the time of a process as Linux tells it")
def test_three_people_decide_while_the_server_is_killed(tmp_path: Path) -> None:
    found = killed(tmp_path, decisions=24, kills=1)
    assert len(set(found.acknowledged)) >= 24
    assert (found.lost, found.doubled, found.decided_twice) == (0, 0, 0)
    assert found.rows >= 24
