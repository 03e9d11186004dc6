"""Run a benchmark of any tree and ask accord alone: what peers take and say is no question of before and after.

`python -P benchmarks/_without_peers.py SCRIPT [OPTION …]`
"""

from __future__ import annotations

import runpy
import sys
from pathlib import Path
from typing import Any

from benchmarks import _asking

asked = _asking.ask


def ours(task: str, data: Path, **options: Any) -> _asking.Run:
    """The answer of accord; peers give none."""
    return asked(task, data, **options) if task.startswith("accord") else _asking.Run({}, cannot="not asked")


def not_compared(*_: Any, **__: Any) -> None:
    """There is nothing to compare with."""


if __name__ == "__main__":
    _asking.ask, _asking.must_agree = ours, not_compared
    sys.argv = sys.argv[1:]
    runpy.run_module(f"benchmarks.{sys.argv[0]}", run_name="__main__", alter_sys=True)
