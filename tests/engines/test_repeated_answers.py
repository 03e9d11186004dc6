"""Whether somebody of a crowd answered an item twice: by prints where an engine makes them, else by counting."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import polars as pl
import pytest

import accord
from accord.engine import repeated_answers
from accord.engine.repeated_answers import all_differ, answered_twice
from accord.engine.scan import Scan
from tests.engines.test_same_digits import crowd

pytestmark = pytest.mark.engine

Lazily = Callable[[pl.DataFrame], Any]
HASHING = ("polars", "duckdb")


def prints_of(values: list[int]) -> Any:
    return np.array(values, dtype=np.uint64)


def scan_of(frame: object) -> Scan:
    scan = Scan.of(frame)
    assert scan is not None
    return scan


def twice(lazy: object, frame: pl.DataFrame) -> bool:
    people = frame["annotator"].unique().to_list()
    return answered_twice(scan_of(lazy), "item", "annotator", people, len(frame), lambda *_: None)


@pytest.mark.parametrize("size", [0, 1, 2, 1_000, 200_000])
def test_random_prints_differ(size: int) -> None:
    prints = np.random.default_rng(size).integers(0, 2**64, size, dtype=np.uint64)
    assert all_differ(prints) == (len(np.unique(prints)) == size)
    assert all_differ(prints)


@pytest.mark.parametrize(("one", "other"), [(0, 1), (0, 199_999), (70_000, 70_001), (5, 140_000)])
def test_two_equal_prints_are_found_wherever_they_stand(one: int, other: int) -> None:
    prints = np.random.default_rng(1).integers(0, 2**64, 200_000, dtype=np.uint64)
    prints[one] = prints[other]
    assert not all_differ(prints)


def test_prints_in_one_place_are_told_apart_by_their_first_bits() -> None:
    assert all_differ(prints_of([0, 2**63, 2**62, 2**61, 2**60, 7]))
    assert not all_differ(prints_of([0, 2**63, 2**62, 2**61, 2**63, 7]))


@pytest.mark.parametrize("seed", range(20))
def test_prints_of_few_values_are_judged_as_by_sorting(seed: int) -> None:
    rng = np.random.default_rng(seed)
    prints = rng.integers(0, 2**64, 400, dtype=np.uint64)[rng.integers(0, 400, 12)]
    assert all_differ(prints) == (len(np.unique(prints)) == len(prints))


def test_a_second_answer_of_a_crowd_is_found_in_slices(lazily: Lazily, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(repeated_answers, "ROWS_AT_ONCE", 100)
    frame = crowd(60, 3, 4, people=40)
    assert not twice(lazily(frame), frame)
    again = pl.concat((frame, frame[100:101]))
    assert twice(lazily(again), again)


@pytest.mark.parametrize("lazily", HASHING, indirect=True)
@pytest.mark.parametrize("kind", [pl.String, pl.Int64, pl.Float64])
@pytest.mark.parametrize("at_once", [1_000_000, 40])
def test_a_second_answer_is_found_whatever_ids_are(
    lazily: Lazily, monkeypatch: pytest.MonkeyPatch, kind: type[pl.DataType], at_once: int
) -> None:
    monkeypatch.setattr(repeated_answers, "PRINTS_AT_ONCE", at_once)
    monkeypatch.setattr(repeated_answers, "ROWS_AT_ONCE", at_once)
    number = pl.col("item", "annotator").str.extract(r"(\d+)").cast(kind)
    frame = crowd(60, 3, 4, people=40).with_columns(number)
    assert not twice(lazily(frame), frame)
    again = pl.concat((frame, frame[100:101]))
    assert twice(lazily(again), again)


@pytest.mark.parametrize("lazily", HASHING, indirect=True)
def test_prints_that_differ_spare_the_count(lazily: Lazily, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Scan, "repeats", lambda *_: pytest.fail("pairs are counted"))
    frame = crowd(60, 3, 4, people=40)
    study = accord.Study(lazily(frame), duplicates="repeat")
    assert accord.fleiss_kappa(study).value == accord.fleiss_kappa(frame).value


@pytest.mark.parametrize("lazily", HASHING, indirect=True)
def test_equal_prints_of_different_pairs_are_no_second_answer(lazily: Lazily, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Scan, "prints", lambda *_: iter([prints_of([3, 3])]))
    frame = crowd(60, 3, 4, people=40)
    assert not twice(lazily(frame), frame)


@pytest.mark.parametrize("lazily", HASHING, indirect=True)
def test_prints_within_bounds_are_those_of_all_rows(lazily: Lazily) -> None:
    frame = crowd(60, 3, 4, people=40)
    scan, pair = scan_of(lazily(pl.concat((frame, frame)))), ("item", "annotator")
    batches = [scan.prints(pair, bounds) for bounds in (None, (0, 2**63 - 1), (2**63, 2**64 - 1))]
    whole, low, high = (np.concatenate(list(held)) for held in batches if held is not None)
    assert len(np.unique(whole)) == len(frame)
    assert sorted(whole) == sorted([*low, *high])
    assert len(low) > 100
    assert len(high) > 100


@pytest.mark.parametrize("lazily", HASHING, indirect=True)
def test_how_far_the_look_has_come_is_told(lazily: Lazily, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(repeated_answers, "PRINTS_AT_ONCE", 100)
    monkeypatch.setattr(repeated_answers, "ROWS_AT_ONCE", 100)
    frame = crowd(60, 3, 4, people=40)
    steps: list[tuple[int, int]] = []
    people = frame["annotator"].unique().to_list()
    answered_twice(scan_of(lazily(frame)), "item", "annotator", people, len(frame), lambda *step: steps.append(step))
    assert steps == [(0, 3), (1, 3), (2, 3), (3, 3)]
