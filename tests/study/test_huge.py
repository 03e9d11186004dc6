"""What is done differently for huge tables gives the same study."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import accord
from accord import arrays, assembly, coding


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
        study.rows_behind.tolist(), [column.tolist() for column in study.triples.rows], str(study.describe()),
    )  # fmt: skip


@pytest.mark.parametrize("names", [False, True])
def test_small_integers_are_the_same_study(monkeypatch: pytest.MonkeyPatch, *, names: bool) -> None:
    table = columns()
    if names:
        table["item"] = [f"item {place}" for place in table["item"]]
    expected = told(accord.Study(table))
    monkeypatch.setattr(assembly, "HUGE", 10)
    monkeypatch.setattr(coding, "MANY_NUMBERS", 10)
    monkeypatch.setattr(arrays, "MANY", 10)
    monkeypatch.setattr(arrays, "DENSE", 0)
    study = accord.Study(table)
    assert study.triples.item is not None
    assert study.triples.item.dtype.itemsize <= 4
    assert told(study) == expected


def test_repeats_are_found_by_the_quick_way_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(arrays, "MANY", 10)
    monkeypatch.setattr(arrays, "DENSE", 0)
    table = {name: np.append(column, column[:1]) for name, column in columns().items()}
    with pytest.raises(accord.AccordError, match="more than once"):
        accord.Study(table)
    assert accord.Study(table, duplicates="first").n_annotations == 1200


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
    quick, slow = coding.recode(codes, raw), coding.code([raw[place] for place in codes])
    assert quick.values == slow.values
    assert (quick.codes == slow.codes).all()
