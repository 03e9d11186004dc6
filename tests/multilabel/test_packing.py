"""Millions of sets and rankings are read without a loop; the loop that says what is wrong gives the same."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

import accord


def table(seed: int, labels: int, *, ranked: bool) -> dict[str, list[Any]]:
    rng = random.Random(seed)
    rows = []
    for item in range(30):
        for who in ("ana", "ben", "chloe"):
            if rng.random() < 0.2:
                continue
            held = rng.sample(range(labels), rng.randint(1, min(4, labels)))
            rows += [(item, who, f"l{label:03}", place + 1) for place, label in enumerate(held)]
    rng.shuffle(rows)
    columns: dict[str, list[Any]] = {
        name: [row[k] for row in rows] for k, name in enumerate(("item", "annotator", "label"))
    }
    return columns | ({"rank": [row[3] for row in rows]} if ranked else {})


def read(data: dict[str, list[Any]], *, ranked: bool) -> accord.Study:
    return accord.Study(data, rank="rank") if ranked else accord.Study(data, answers="set")


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("labels", [3, 20, 40, 62, 80])
@pytest.mark.parametrize("ranked", [True, False])
def test_packed_answers_are_those_of_the_loop(
    seed: int, labels: int, ranked: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = table(seed, labels, ranked=ranked)
    quick = read(data, ranked=ranked)
    monkeypatch.setattr("accord.annotations.packed_answers.MOST_BITS", 0)
    slow = read(data, ranked=ranked)
    assert quick.answers.members == slow.answers.members
    assert quick.labels == slow.labels
    for one, other in zip(quick._annotations.rows, slow._annotations.rows, strict=True):
        assert np.array_equal(one, other)


@pytest.mark.parametrize("ranked", [True, False])
def test_lists_in_cells_are_packed_too(ranked: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    rng = random.Random(1)
    kind: Any = "ranked" if ranked else "set"
    cells = [
        [rng.sample("abcdefg", rng.randint(1, 3)) if rng.random() < 0.8 else None for _ in range(3)] for _ in range(40)
    ]
    quick = accord.Study.from_wide(cells, answers=kind)
    monkeypatch.setattr("accord.annotations.packed_answers.MOST_BITS", 0)
    slow = accord.Study.from_wide(cells, answers=kind)
    assert quick.answers.members == slow.answers.members
    assert quick.left_out == slow.left_out
    for one, other in zip(quick._annotations.rows, slow._annotations.rows, strict=True):
        assert np.array_equal(one, other)


def test_yes_and_no_columns_are_sets() -> None:
    data = {
        "item": [1, 1, 2, 2],
        "annotator": ["ana", "ben"] * 2,
        "joy": [1, 0, 0, None],
        "fear": [True, False, True, True],
    }
    study = accord.Study.from_indicators(data, columns=["joy", "fear"])
    assert [study.answers.value(code) for code in study._annotations.rows[2]] == [("joy", "fear"), (), ("fear",)]
    assert study.left_out == {"rows with a gap among the yes/no columns": 1}
