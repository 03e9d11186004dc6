"""Gold of a table that stays in its engine: the labels of memory, written by the engine, without its rows here."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import accord
from accord.consensus import competence
from accord.consensus.accuracy_errors import TOO_MANY
from accord.consensus.engine_gold import EngineGold
from accord.engine import coded_answers, lazy_annotations
from tests.engines.handing import ENGINES, handed, sampled

pytestmark = pytest.mark.engine

Lazily = Callable[[pl.DataFrame], Any]
FEW: dict[str, Any] = {"majority": {}, "one-coin": {"iterations": 2}, "dawid-skene": {"iterations": 2}}


def crowd(items: int = 90, labels: int = 3, seed: int = 0) -> pl.DataFrame:
    """Five annotators of different skill, three answers per item, in random order; ties happen."""
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, labels, items)
    who = np.argsort(rng.random((items, 5)), axis=1)[:, :3]
    right = rng.random(who.shape) < np.array([0.9, 0.8, 0.7, 0.6, 0.4])[who]
    label = np.where(right, truth[:, None], rng.integers(0, labels, who.shape))
    frame = pl.DataFrame(
        {
            "item": [f"item {place:03}" for place in np.repeat(np.arange(items), 3)],
            "annotator": [f"person {place}" for place in who.ravel()],
            "label": [f"label {place}" for place in label.ravel()],
        }
    )
    return frame.sample(fraction=1, shuffle=True, seed=seed)


def in_engines(methods: list[str]) -> list[tuple[str, str]]:
    """All methods on the quick engines, the first on Spark; Dask's frames are brought into memory for gold."""
    return [(engine, method) for engine, method in sampled(methods) if engine != "dask"]


@pytest.fixture(params=[name for name in ENGINES if name != "dask"])
def lazily(request: pytest.FixtureRequest) -> Lazily:
    return handed(request)


@pytest.fixture(autouse=True)
def _few_passes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two passes of judging, in memory and in the engine, tell as much as fifteen."""
    monkeypatch.setattr(competence, "PASSES", 2)


def both(lazily: Lazily, frame: pl.DataFrame, **options: Any) -> tuple[accord.Gold, accord.Gold]:
    return accord.gold(accord.Study(lazily(frame)), **options), accord.gold(accord.Study(frame), **options)


def close(one: accord.Table, other: accord.Table) -> None:
    """The same table, sums of floats aside."""
    assert one.columns == other.columns
    for name in one.columns:
        if all(isinstance(cell, float) for cell in one[name]):
            here, there = (np.array(table[name], dtype=np.float64) for table in (one, other))
            assert np.allclose(here, there, atol=1e-7, equal_nan=True), name
        else:
            assert list(one[name]) == list(other[name]), name


@pytest.mark.parametrize(("lazily", "method"), in_engines(["dawid-skene", "one-coin", "majority"]), indirect=["lazily"])
def test_labels_likelihood_and_annotators_are_those_of_memory(lazily: Lazily, method: str) -> None:
    lazy, eager = both(lazily, crowd(), method=method, rng=0, **FEW[method])
    assert isinstance(lazy, EngineGold)
    assert str(lazy) == str(eager)
    assert lazy.labels == eager.labels
    assert np.allclose(lazy.confidence, eager.confidence, atol=1e-12)
    if method != "majority":
        assert lazy.progress is not None
        assert eager.progress is not None
        assert np.allclose(lazy.progress.trace, eager.progress.trace, rtol=1e-12)
        close(lazy.confusion("person 2"), eager.confusion("person 2"))
    close(lazy.distribution(), eager.distribution())
    close(lazy.queue(7), eager.queue(7))


@pytest.mark.parametrize("lazily", ["polars", "duckdb"], indirect=True)
def test_fetched_as_numbers_or_asked_each_time_the_answers_give_one_gold(
    lazily: Lazily, monkeypatch: pytest.MonkeyPatch
) -> None:
    known = {"item 001": "label 2"}
    options: Any = {"method": "dawid-skene", "iterations": 3, "known": known}
    fetched = accord.gold(accord.Study(lazily(crowd())), **options)
    assert isinstance(fetched, EngineGold)
    assert fetched._fitted.here is not None
    monkeypatch.setattr(coded_answers, "MOST_CODED", 10)
    asked = accord.gold(accord.Study(lazily(crowd())), **options)
    assert isinstance(asked, EngineGold)
    assert asked._fitted.here is None, "too many to be fetched"
    assert fetched.log_likelihood == pytest.approx(asked.log_likelihood, rel=1e-12)
    one, other = (scan_rows(gold) for gold in (fetched, asked))
    assert one.schema == other.schema
    assert one.drop("confidence").equals(other.drop("confidence"))
    assert np.allclose(one["confidence"].to_numpy(), other["confidence"].to_numpy(), atol=1e-12)


def scan_rows(gold: EngineGold) -> pl.DataFrame:
    """What the engine would write, in order of item."""
    lazy = gold.lazy()
    table = lazy.collect() if isinstance(lazy, pl.LazyFrame) else pl.from_arrow(lazy.to_arrow_table())
    assert isinstance(table, pl.DataFrame)
    return table.sort("item")


def test_a_vote_judges_its_annotators_in_the_engine_too(tmp_path: Path) -> None:
    frame = crowd()
    lazy, eager = both(pl.DataFrame.lazy, frame, method="majority", rng=0)
    close(lazy.annotators(), eager.annotators())
    told, expected = lazy.to_dict(), eager.to_dict()
    for row, other in zip(told.pop("annotators"), expected.pop("annotators"), strict=True):
        assert row == pytest.approx(other)
    assert told == expected
    assert lazy.write(tmp_path / "gold.csv").exists()


def test_beyond_memory_competence_has_no_interval_and_it_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    eager = accord.gold(accord.Study(crowd()), method="one-coin")
    monkeypatch.setattr(lazy_annotations, "MOST_ROWS", 10)
    lazy = accord.gold(accord.Study(crowd().lazy()), method="one-coin")
    here, there = eager.annotators(), lazy.annotators()
    for name in ("annotator", "answers", "spam_probability"):
        assert list(here[name]) == pytest.approx(list(there[name]))
    assert np.allclose(there["competence"], eager.outcomes[0].details["model"].accuracy)
    assert np.isnan(there["low"]).all()
    assert TOO_MANY in there.notes
    assert set(there["remark"]) == {"no interval"}


@pytest.mark.parametrize("ending", [".parquet", ".csv"])
def test_the_engine_writes_one_row_an_item_and_no_annotation_arrives(
    lazily: Lazily, ending: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    frame = crowd()
    eager = accord.gold(accord.Study(frame), method="one-coin", iterations=2)
    monkeypatch.setattr(lazy_annotations, "MOST_ROWS", 10)
    lazy = accord.gold(accord.Study(lazily(frame)), method="one-coin", iterations=2)
    written = lazy.write(tmp_path / f"gold{ending}")
    parts = str(written / f"*{ending}") if written.is_dir() else str(written)
    rows = (pl.read_parquet(parts) if ending == ".parquet" else pl.read_csv(parts)).sort("item")
    assert rows["item"].to_list() == list(eager.study.items)
    assert rows["label"].to_list() == eager.labels
    assert np.allclose(rows["confidence"].to_numpy(), eager.confidence, atol=1e-12)
    assert np.allclose(rows["votes"].to_numpy(), eager.votes)
    assert rows["answers"].to_list() == [3] * 90
    with pytest.raises(accord.AccordError, match=r"gold.write\(path\)"):
        _ = lazy.labels


def test_what_needs_some_items_fetches_those_only(lazily: Lazily, monkeypatch: pytest.MonkeyPatch) -> None:
    frame = crowd()
    eager = accord.gold(accord.Study(frame), method="dawid-skene", iterations=2)
    reference = {f"item {place:03}": f"label {place % 3}" for place in range(0, 90, 9)}
    monkeypatch.setattr(lazy_annotations, "MOST_ROWS", 10)
    lazy = accord.gold(accord.Study(lazily(frame)), method="dawid-skene", iterations=2)
    assert str(lazy.score(reference)) == str(eager.score(reference))
    close(lazy.queue(5), eager.queue(5))
    assert lazy.n_decided == eager.n_decided


def test_a_lazy_table_gives_a_lazy_table(lazily: Lazily) -> None:
    frame = crowd()
    given = lazily(frame)
    found = accord.gold(accord.Study(given), method="majority")
    assert type(found.lazy()) is type(given)
    with pytest.raises(accord.AccordError, match="in memory"):
        accord.gold(accord.Study(frame), method="majority").lazy()


@pytest.mark.parametrize(("lazily", "method"), in_engines(["dawid-skene", "majority"]), indirect=["lazily"])
def test_known_labels_stay_fixed_in_the_engine(lazily: Lazily, method: str) -> None:
    known = {"item 001": "label 2", "item 002": "label 0", "item 003": "label 1"}
    lazy, eager = both(lazily, crowd(), method=method, known=known, **FEW[method])
    assert lazy.labels == eager.labels
    close(lazy.to_table(), eager.to_table())
    if method != "majority":
        close(lazy.annotators(), eager.annotators())
    assert [lazy[item] for item in known] == list(known.values())


def test_ties_are_undecided_or_go_to_the_first_label(lazily: Lazily) -> None:
    frame = pl.DataFrame(
        {"item": ["1", "1", "2", "2"], "annotator": ["a", "b", "a", "b"], "label": ["x", "y", "y", "y"]}
    )
    assert accord.gold(accord.Study(lazily(frame)), method="majority").labels == [None, "y"]
    assert accord.gold(accord.Study(lazily(frame)), method="majority", ties="first").labels == ["x", "y"]
    assert accord.gold(accord.Study(lazily(frame)), method="majority", ties="random", rng=0).labels[1] == "y"


def test_a_tie_says_which_labels_are_tied(lazily: Lazily, tmp_path: Path) -> None:
    frame = pl.DataFrame({"item": ["1", "1"], "annotator": ["a", "b"], "label": ["x", "y"]})
    written = accord.gold(accord.Study(lazily(frame)), method="majority").write(tmp_path / "gold.parquet")
    row = pl.read_parquet(str(written / "*.parquet") if written.is_dir() else written).row(0, named=True)
    assert row == {
        "item": "1", "label": None, "confidence": 0.5, "votes": None, "answers": 2, "source": "undecided",
        "reason": "'x', 'y' are tied",
    }  # fmt: skip


def test_hundreds_of_labels_are_counted_instead_of_put_side_by_side(lazily: Lazily) -> None:
    rng = np.random.default_rng(3)
    label = np.where(rng.random(600) < 0.5, np.repeat(np.arange(200), 3) % 150, rng.integers(0, 150, 600))
    frame = pl.DataFrame(
        {
            "item": [f"i{place:03}" for place in np.repeat(np.arange(200), 3)],
            "annotator": ["a", "b", "c"] * 200,
            "label": [f"l{place:03}" for place in label],
        }
    )
    lazy, eager = both(lazily, frame, method="majority", known={"i000": "l007"})
    assert lazy.labels == eager.labels
    close(lazy.distribution(), eager.distribution())


def test_numbers_as_names_and_labels_keep_their_types(lazily: Lazily) -> None:
    frame = pl.DataFrame(
        {"item": [1, 1, 1, 2, 2, 2], "annotator": [7, 8, 9] * 2, "label": [0, 1, 1, 0, 0, 1]},
        schema=dict.fromkeys(("item", "annotator", "label"), pl.Int64),
    )
    lazy, eager = both(lazily, frame, method="dawid-skene", prior="none", known={1: 1}, iterations=2)
    assert lazy.labels == eager.labels
    assert lazy.score({2: 0}).accuracy == 1.0


def test_blank_labels_are_missing_and_repeats_count(lazily: Lazily) -> None:
    frame = pl.concat([crowd(30), crowd(30, seed=1).head(20), crowd(30).head(2).with_columns(label=pl.lit(" "))])
    lazy, eager = (
        accord.gold(accord.Study(data, duplicates="repeat"), method="dawid-skene", iterations=2)
        for data in (lazily(frame), frame)
    )
    assert lazy.labels == eager.labels
    assert lazy.log_likelihood == pytest.approx(eager.log_likelihood, rel=1e-12)
    close(lazy.annotators(), eager.annotators())


def test_nothing_is_learned_where_nobody_met(lazily: Lazily) -> None:
    frame = pl.DataFrame({"item": ["1", "2"], "annotator": ["a", "b"], "label": ["x", "y"]})
    lazy, eager = both(lazily, frame, method="dawid-skene")
    assert lazy.labels == eager.labels
    assert lazy.notes == eager.notes
    assert lazy.confidence_is == "none"


def test_other_methods_and_other_answers_are_brought_here_if_few(
    lazily: Lazily, monkeypatch: pytest.MonkeyPatch
) -> None:
    frame = crowd(30)
    lazy, eager = both(lazily, frame, method="mace")
    assert lazy.labels == eager.labels
    monkeypatch.setattr(lazy_annotations, "MOST_ROWS", 10)
    with pytest.raises(accord.AccordError, match="'majority', 'one-coin' or 'dawid-skene', which run there"):
        accord.gold(accord.Study(lazily(frame)), method="mace")


@pytest.mark.parametrize("lazily", ["dask"], indirect=True)
def test_gold_of_a_dask_frame_is_made_in_memory(lazily: Lazily) -> None:
    lazy, eager = both(lazily, crowd(30), method="majority")
    assert not isinstance(lazy, EngineGold)
    assert lazy.labels == eager.labels


def test_a_person_decides_what_the_engine_left_open(lazily: Lazily) -> None:
    frame = pl.DataFrame(
        {"item": ["1", "1", "2", "2"], "annotator": ["a", "b", "a", "b"], "label": ["x", "y", "y", "y"]}
    )
    lazy = accord.gold(accord.Study(lazily(frame)), method="majority").decide({"1": "x"}, by="judge")
    assert lazy.labels == ["x", "y"]
    assert lazy.decisions[0].by == "judge"
