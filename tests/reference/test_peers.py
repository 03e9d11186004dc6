"""accord beside five other packages on 200 random studies.

`make_peer_values.py` made the studies and asked the peers; `peer_values.json` holds what they said. Where accord and a
peer differ, a test says so in its name and shows which rule makes the difference.
"""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest
from pytest import approx

import accord

VALUES: dict[str, Any] = json.loads(Path(__file__).with_name("peer_values.json").read_text(encoding="utf-8"))
EXACT = 1e-9

IRRCAC = {
    "fleiss": accord.fleiss_kappa,
    "conger": accord.conger_kappa,
    "gwet": accord.gwet_ac,
    "bp": accord.brennan_prediger_kappa,
}
NLTK = {
    "pi": accord.fleiss_kappa,
    "S": accord.brennan_prediger_kappa,
    "multi_kappa": accord.conger_kappa,
    "kappa": accord.light_kappa,
}


@dataclass(frozen=True, eq=False)
class Case:
    """One random study and what the peers said of it."""

    name: str
    kind: str
    labels: list[Any]
    ratings: list[list[Any]]
    peers: dict[str, Any]

    @cached_property
    def study(self) -> accord.Study:
        answers = "set" if self.kind == "set" else "single"
        return accord.Study.from_wide(self.ratings, labels=self.labels, answers=answers)

    @cached_property
    def by_place(self) -> accord.Study:
        """The same answers as places on the scale, for peers whose weights do not look at the labels' values."""
        place = {label: i for i, label in enumerate(self.labels, start=1)}
        codes = [[None if answer is None else place[answer] for answer in row] for row in self.ratings]
        return accord.Study.from_wide(codes, labels=list(place.values()))

    @cached_property
    def used(self) -> list[Any]:
        """The labels that somebody gave."""
        return sorted({answer for row in self.ratings for answer in row if answer is not None})

    @cached_property
    def answered(self) -> list[int]:
        """How many answers each item has."""
        return [sum(answer is not None for answer in row) for row in self.ratings]

    @property
    def complete(self) -> bool:
        return min(self.answered) == len(self.ratings[0])

    @property
    def one_label(self) -> bool:
        return len(self.used) == 1

    def column(self, annotator: int) -> list[Any]:
        return [row[annotator] for row in self.ratings]


STUDIES = [Case(**study) for study in VALUES["studies"]]
SETS = [Case(**study) for study in VALUES["set_studies"]]
COMPLETE = [case for case in STUDIES if case.complete]
TWO = [case for case in COMPLETE if len(case.ratings[0]) == 2]

each_study = pytest.mark.parametrize("case", STUDIES, ids=lambda case: case.name)
each_complete_study = pytest.mark.parametrize("case", COMPLETE, ids=lambda case: case.name)
each_study_of_two = pytest.mark.parametrize("case", TWO, ids=lambda case: case.name)
each_study_of_sets = pytest.mark.parametrize("case", SETS, ids=lambda case: case.name)


def failed(said: Any) -> bool:
    """Did the peer raise an exception?"""
    return isinstance(said, dict) and "error" in said


def number(said: Any) -> float:
    """What the peer said, NaN where that was not a number."""
    return math.nan if said == {"value": None, "undefined": True} else float(said)


def same(said: Any) -> Any:
    """The peer's number, to compare with."""
    return approx(number(said), abs=EXACT, rel=0, nan_ok=True)
