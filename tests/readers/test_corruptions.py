"""The same 12 corruptions of every format's sample end in a study or an accord error; `make fuzz` makes more."""

from __future__ import annotations

from pathlib import Path

import pytest

from accord.readers.format_registry import FORMATS
from tests.readers import corruption


@pytest.mark.parametrize("target", corruption.TARGETS)
def test_a_damaged_sample_is_a_study_or_an_error(target: str, tmp_path: Path) -> None:
    rounds = 5 if target in corruption.IN_ANOTHER_PROCESS else 12
    ends = [corruption.survives(target, seed, tmp_path) for seed in range(rounds)]
    assert set(ends) <= {"study", "error"}
    assert "error" in ends, "the blows are felt"


def test_every_format_is_damaged() -> None:
    damaged = {
        options.get("format")
        or corruption.FORMATS.get(next((s for s in corruption.FORMATS if name.startswith(s)), ""), "")
        for name, (_, options) in corruption.TARGETS.items()
    }
    assert set(FORMATS) <= damaged
