"""crowd-kit and pingouin on the same data: the same labels, the same intraclass correlations and intervals."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import accord
from accord import Study


@cache
def said() -> dict[str, Any]:
    path = Path(__file__).with_name("more_peer_values.json")
    found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return found


@pytest.mark.parametrize("method", said()["gold"]["answers"])
def test_gold_has_the_labels_of_crowd_kit(method: str) -> None:
    study = Study.from_wide(said()["gold"]["ratings"])
    options: dict[str, Any] = {} if method == "majority" else {"prior": "none"}
    assert accord.gold(study, method=method, **options).labels == said()["gold"]["answers"][method]


@pytest.mark.parametrize("row", said()["scores"]["icc"], ids=lambda row: str(row["type"]))
def test_every_icc_of_pingouin_is_ours(row: dict[str, Any]) -> None:
    study = Study.from_wide(said()["scores"]["ratings"], answers="score")
    found = accord.icc(study, form=row["type"])
    assert found.value == pytest.approx(row["value"], abs=1e-9)
    assert tuple(found.interval()) == pytest.approx(row["interval"], abs=0.005 + 1e-9)  # the package rounds the ends
