"""What is done differently for large tables gives the same study."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import accord
from accord.annotations import arrays, factorize, in_threads


def columns(seed: int = 0) -> dict[str, Any]:
    rng = np.random.default_rng(seed)
    item = np.repeat(np.arange(300, dtype=np.int32), 4)
    who = np.argsort(rng.random((300, 9)), axis=1)[:, :4].ravel().astype(np.int16)
    label = rng.integers(0, 3, 1200).astype(np.int8)
    order = rng.permutation(1200)
    return {"item": item[order], "annotator": who[order], "label": label[order]}


def told(study: accord.Study) -> tuple[Any, ...]:
    gold = accord.gold(study, method="dawid-skene", iterations=20)
    votes = accord.gold(study, method="majority")
    return (
        accord.krippendorff_alpha(study).value, accord.conger_kappa(study).value, list(study.items), study.labels,
        study.annotators, gold.labels, gold.log_likelihood, votes.labels, votes.confidence.tolist(),
        study._rows_behind.tolist(), [column.tolist() for column in study._annotations.rows], str(study.describe()),
    )  # fmt: skip


@pytest.mark.parametrize("names", [False, True])
def test_small_integers_are_the_same_study(monkeypatch: pytest.MonkeyPatch, *, names: bool) -> None:
    table = columns()
    if names:
        table["item"] = [f"item {place}" for place in table["item"]]
    expected = told(accord.Study(table))
    monkeypatch.setattr(factorize, "MANY_NUMBERS", 10)
    monkeypatch.setattr(arrays, "MANY", 10)
    monkeypatch.setattr(arrays, "DENSE", 0)
    study = accord.Study(table)
    answer = study._annotations.to_memory().answer
    assert answer is not None
    assert answer.dtype.itemsize == 1
    assert told(study) == expected


@pytest.mark.parametrize("ordered", [0, arrays.ORDERED], ids=["by items", "in order"])
def test_repeats_are_found_by_the_quick_ways_too(monkeypatch: pytest.MonkeyPatch, ordered: int) -> None:
    monkeypatch.setattr(arrays, "ORDERED", ordered)
    monkeypatch.setattr(arrays, "MANY", 10)
    monkeypatch.setattr(arrays, "DENSE", 0)
    table = {name: np.append(column, column[:1]) for name, column in columns().items()}
    with pytest.raises(accord.AccordError, match="more than once"):
        accord.Study(table)
    assert accord.Study(table, duplicates="first").n_annotations == 1200


@pytest.mark.parametrize(
    ("few", "ordered", "blocks"),
    [(0, 0, 1_000), (16, 0, 1_000), (16, 0, 1), (0, arrays.ORDERED, 1_000)],
    ids=["joined", "compared", "compared by blocks", "put in order"],
)
def test_a_pair_stands_twice_if_there_are_fewer_pairs_than_rows(
    monkeypatch: pytest.MonkeyPatch, few: int, ordered: int, blocks: int
) -> None:
    monkeypatch.setattr(in_threads, "BATCH", 7)
    monkeypatch.setattr(arrays, "BLOCK", 2)
    monkeypatch.setattr(arrays, "BLOCKS", blocks)
    monkeypatch.setattr(arrays, "ORDERED", ordered)
    monkeypatch.setattr(arrays, "MANY", 10)
    monkeypatch.setattr(arrays, "DENSE", 0)
    monkeypatch.setattr(arrays, "FEW", few)
    rng = np.random.default_rng(5)
    found = []
    for _ in range(300):
        rows, firsts, seconds = rng.integers((12, 1, 1), (60, 40, 900))
        first, second = rng.integers(0, firsts, rows), rng.integers(0, seconds, rows)
        twice = len(set(zip(first.tolist(), second.tolist(), strict=True))) < rows
        assert arrays.pairs_repeat(first, second, (int(firsts), int(seconds))) == twice
        order = np.argsort(first)
        assert arrays.pairs_repeat(first[order], second[order], (int(firsts), int(seconds))) == twice
        found.append(twice)
    assert {*found} == {True, False}


def test_codes_in_use_are_found_wherever_they_stand(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(arrays, "BLOCK", 3)
    codes = np.array([0, 2, 0, -1, 2, 2, 4, 0], dtype=np.int8)
    assert arrays.used(codes, 6).tolist() == [0, 2, 4]
    assert arrays.used(codes[:1], 1).tolist() == [0]
    assert arrays.used(codes[:0], 2).tolist() == []


def test_what_becomes_of_an_array_later_does_not_matter() -> None:
    table = columns()
    table["label"] = table["label"].astype(np.int8)
    study, before = accord.Study(table), accord.krippendorff_alpha(columns()).value
    for column in table.values():
        column[:] = 0
    assert accord.krippendorff_alpha(study).value == before


def test_what_becomes_of_a_frame_later_does_not_matter() -> None:
    pd = pytest.importorskip("pandas")
    frame = pd.DataFrame(columns())
    study, before = accord.Study(frame), accord.krippendorff_alpha(columns()).value
    frame.loc[:, "label"] = 0
    frame.loc[:, "item"] = 0
    assert accord.krippendorff_alpha(study).value == before


@pytest.mark.parametrize(
    "odd",
    ["", " ", "\t", "naïve", "é", "a" * 70, "b\0", "item 5 "],
    ids=["empty", "blank", "tab", "letters", "combined", "long", "zero", "trailing"],
)
def test_text_in_order_of_its_bytes_is_in_order_of_its_letters(odd: str) -> None:
    rng = np.random.default_rng(3)
    raw = [f"{word} {place}" for place in range(600) for word in ("item", "Item", "~", "0")] + [odd]
    raw = [raw[place] for place in rng.permutation(len(raw))]
    codes = np.append(rng.integers(0, len(raw), 5000), np.arange(len(raw)))
    quick, slow = factorize.recode(codes, raw), factorize.code([raw[place] for place in codes])
    assert quick.values == slow.values
    assert (quick.codes == slow.codes).all()
