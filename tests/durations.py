"""How long tests take, as durations.json remembers it: which are slow, and which come first where several cores work.

`STORE_DURATIONS=1 make test` measures anew, on a machine that does nothing else. A test that is not in the file is new,
or so quick that it does not matter.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Any

FILE = Path(__file__).with_name("durations.json")
SLOW = 0.05  # seconds: what takes longer each time is left to `make test`
LEAST = 0.1  # seconds that all cases of a test take together, to be remembered
UNKNOWN = 0.01


@cache
def _stored() -> dict[str, tuple[float, int]]:
    """Seconds and number of cases, by test function."""
    found: dict[str, tuple[float, int]] = json.loads(FILE.read_text(encoding="utf-8"))
    return found


def of(test: str) -> float:
    """The seconds that a case of this test takes, about."""
    seconds, cases = _stored().get(test.partition("[")[0], (UNKNOWN, 1))
    return seconds / cases


def store(reports: Iterable[Any]) -> None:
    """Remember what the reports of a whole run tell."""
    seconds, cases = Counter[str](), Counter[str]()
    for report in reports:
        if hasattr(report, "duration"):
            name = report.nodeid.partition("[")[0]
            seconds[name] += report.duration
            cases[name] += report.when == "call"
    lines = [
        f"  {json.dumps(name)}: [{seconds[name]:.2f}, {cases[name]}]"
        for name in sorted(seconds)
        if seconds[name] >= LEAST and cases[name]
    ]
    FILE.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")
