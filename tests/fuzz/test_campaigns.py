"""A few tries of every campaign, and everything that ever failed, tried again; `make fuzz` makes more."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.fuzz.campaign import corpus
from tests.fuzz.campaigns import CAMPAIGNS

# As many as take a second or so; the first seeds of `make fuzz`.
TRIES = {
    "damage": 20,
    "structure": 25,
    "forms": 20,
    "frames": 40,
    "limits": 15,
    "sums": 15,
    "sql": 15,
    "calls": 24,
    "questions": 24,
    "options": 60,
    "commands": 20,
    "names": 25,
    "decisions": 8,
    "faults": 12,
}


@pytest.mark.parametrize("name", CAMPAIGNS)
def test_the_first_tries_of_a_campaign(name: str) -> None:
    campaign = CAMPAIGNS[name]
    ends = {campaign.outcome(campaign.case(seed)) for seed in range(TRIES[name])}
    assert ends - {"error"}, "not everything is refused"


@pytest.mark.parametrize("path", corpus(), ids=lambda path: path.stem)
def test_what_failed_once_does_not_fail_again(path: Path) -> None:
    kept = json.loads(path.read_text(encoding="utf-8"))
    assert CAMPAIGNS[kept["campaign"]].outcome(kept["case"])


def test_a_case_survives_being_kept() -> None:
    for campaign in CAMPAIGNS.values():
        case = campaign.case(3)
        assert repr(json.loads(json.dumps(case))) == repr(case), "cells as JSON holds them"
