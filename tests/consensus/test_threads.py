"""Blocks run in threads, from coding to the last iteration, and no digit depends on how many there are."""

from __future__ import annotations

import threading
from typing import Any

import numpy as np
import polars as pl
import pytest

import accord
from accord.annotations import arrays, in_threads
from accord.consensus import ballots
from accord.consensus.ballots import Ballots


@pytest.fixture(autouse=True)
def small_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    """A few thousand answers make many blocks."""
    monkeypatch.setattr(in_threads, "BATCH", 500)
    monkeypatch.setattr(in_threads, "BLOCK_ROWS", 100)
    monkeypatch.setattr(ballots, "BLOCK_ROWS", 100)
    monkeypatch.setattr(ballots, "BLOCK_ITEMS", 40)
    monkeypatch.setattr(ballots, "BLOCK_NUMBERS", 400)
    monkeypatch.setattr(arrays, "BLOCKS", 1000)
    monkeypatch.setattr(arrays, "MANY", 100)


def crowd(seed: int = 0, items: int = 900) -> dict[str, Any]:
    """Four of forty people answer each item, in random order."""
    rng = np.random.default_rng(seed)
    who = np.argsort(rng.random((items, 40)), axis=1)[:, :4].ravel()
    item, truth = np.repeat(np.arange(items), 4), rng.integers(0, 3, items)
    label = np.where(rng.random(len(item)) < 0.4 + who / 80, truth[item], rng.integers(0, 3, len(item)))
    order = rng.permutation(len(item))
    return {"item": item[order], "annotator": who[order], "label": label[order]}


@pytest.mark.parametrize("method", ["dawid-skene", "one-coin", "mace", "majority"])
@pytest.mark.parametrize("lazy", [False, True])
def test_the_number_of_threads_changes_no_digit(method: str, *, lazy: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    frame = pl.DataFrame(crowd())
    found = []
    for threads in (1, 2, 7):
        monkeypatch.setenv(in_threads.THREADS, str(threads))
        gold = accord.gold(accord.Study(frame.lazy() if lazy else frame), method=method)
        found.append((gold.labels, gold.confidence.tobytes(), gold.log_likelihood if gold.progress else 0.0))
    assert found[0] == found[1] == found[2]


def test_ballots_are_in_order_whatever_the_order_of_rows() -> None:
    columns = crowd()
    item, who, label = (columns[name] for name in ("item", "annotator", "label"))
    found = Ballots.from_codes(item, who, label, 900, 40, 3)
    order = np.lexsort((who * 3 + label, item))
    assert np.array_equal(found.cells, (who * 3 + label)[order])
    assert np.array_equal(found.starts, np.arange(0, 3601, 4))
    assert found.counts is None
    turned = Ballots.from_codes(item[::-1], who[::-1], label[::-1], 900, 40, 3)
    assert np.array_equal(found.cells, turned.cells)


def test_a_table_that_changes_while_it_is_read_is_an_error() -> None:
    per_item = np.full(900, 4)
    per_item[[3, 800]] = 3, 5
    columns = crowd()
    batches = in_threads.cut(columns["item"], columns["annotator"])
    with pytest.raises(accord.AccordError, match="changed while it was read"):
        Ballots.from_batches(batches, per_item, 40, 3)


def test_answers_given_again_are_counted() -> None:
    columns = {name: np.concatenate((column, column[:700])) for name, column in crowd().items()}
    item, who, label = (columns[name] for name in ("item", "annotator", "label"))
    found = Ballots.from_codes(item, who, label, 900, 40, 3)
    assert found.total == 4300
    assert found.counts is not None
    assert int((found.counts == 2).sum()) == 700
    assert np.array_equal(found.by_cell.ravel(), np.bincount(who * 3 + label, minlength=120))


def test_a_second_answer_is_found_in_whichever_block_it_is() -> None:
    for place in (0, 1700, 3599):
        columns = {name: np.append(column, column[place]) for name, column in crowd().items()}
        with pytest.raises(accord.AccordError, match=r"more than once|twice"):
            accord.Study(columns, item="item", annotator="annotator", label="label")
    assert accord.Study(crowd(), item="item", annotator="annotator", label="label").n_annotations == 3600


def test_one_thread_serves_where_a_platform_has_none(monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(*_: Any, **__: Any) -> None:
        raise RuntimeError("can't start new thread")

    monkeypatch.setenv(in_threads.THREADS, "4")
    expected = list(in_threads.each_in_threads(lambda one: one + 1, [(1,), (2,)]))
    monkeypatch.setattr(threading.Thread, "start", refused)
    assert list(in_threads.each_in_threads(lambda one: one + 1, [(1,), (2,)])) == expected == [2, 3]


def test_what_work_raises_is_raised_here() -> None:
    def work(one: int) -> int:
        if one == 3:
            raise ValueError("three")
        return one

    with pytest.raises(ValueError, match="three"):
        list(in_threads.each_in_threads(work, ((one,) for one in range(5))))
