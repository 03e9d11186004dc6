"""Tables that are odd in ways an engine meets and memory does not: names of columns, scales, gaps within items."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import accord
from accord.coefficients import mean_of_pairs
from accord.engine import lazy_annotations
from tests.engines.test_same_digits import crowd

pytestmark = pytest.mark.engine

Lazily = Callable[[pl.DataFrame], Any]


@pytest.mark.parametrize("name", ["code0_", "number_", "pair_", "document_high_", "*"])
def test_names_that_queries_use_themselves_are_refused(lazily: Lazily, name: str) -> None:
    frame = crowd(8, 3, 3).rename({"item": name})
    with pytest.raises(accord.AccordError, match="has a name that cannot be used in this engine"):
        accord.Study(lazily(frame), item=name)


def test_a_dot_in_a_name_is_refused_where_it_means_something_else() -> None:
    duckdb = pytest.importorskip("duckdb")
    frame = crowd(8, 3, 3).rename({"annotator": "user.id"})
    assert accord.Study(frame.lazy(), annotator="user.id").n_items == 8
    with pytest.raises(accord.AccordError, match="such as 'user id'"):
        accord.Study(duckdb.from_arrow(frame.to_arrow()), annotator="user.id")


def test_an_enumeration_of_duckdb_is_a_scale_here_too() -> None:
    duckdb = pytest.importorskip("duckdb")
    connection, frame = duckdb.connect(), crowd(20, 3, 3).to_arrow()
    connection.register("answers", frame)
    connection.execute("CREATE TYPE scale AS ENUM ('label 002', 'label 000', 'unused', 'label 001')")
    study = accord.Study(connection.sql("SELECT item, annotator, label::scale AS label FROM answers"))
    assert study.labels == ("label 002", "label 000", "unused", "label 001")
    here = accord.Study(frame, labels=list(study.labels))
    there, memory = (accord.fleiss_kappa(each).by_item() for each in (study, here))
    assert dict(zip(there["item"], there["observed"], strict=True)) == dict(
        zip(memory["item"], memory["observed"], strict=True)
    )


def test_an_empty_row_beside_labels_of_a_set_says_nothing(lazily: Lazily) -> None:
    rows = {"item": list("aaabbc"), "annotator": list("xxyxyx"), "label": ["p", None, "p", "q", "p", None]}
    frame = pl.DataFrame(rows)
    eager, lazy = (accord.krippendorff_alpha(accord.Study(data, answers="set")) for data in (frame, lazily(frame)))
    assert lazy.value == eager.value


def test_ranks_beyond_the_labels_are_an_error_at_once(lazily: Lazily) -> None:
    for rank in (2**40, 1e300):
        frame = crowd(4, 3, 2).with_columns(rank=pl.lit(rank))
        with pytest.raises(accord.AccordError, match="Ranks must"):
            accord.Study(lazily(frame), rank="rank")
    with pytest.raises(accord.AccordError, match="rank="):
        accord.Study(lazily(crowd(4, 3, 2)), answers="ranked")


def test_a_suggestion_in_some_rows_of_an_item_is_the_items(lazily: Lazily, monkeypatch: pytest.MonkeyPatch) -> None:
    frame = crowd(50, 3, 5, people=40).with_columns(heuristic=pl.lit("label 001"))
    frame = frame.with_columns(heuristic=pl.when(pl.int_range(pl.len()) % 3 > 0).then(pl.col("heuristic")))
    eager = accord.dipietro_hazari_kappa(accord.Study(frame), suggested="heuristic").by_annotator()
    monkeypatch.setattr(lazy_annotations, "MOST_ROWS", 10)
    lazy = accord.dipietro_hazari_kappa(accord.Study(lazily(frame)), suggested="heuristic").by_annotator()
    for name in ("observed", "value", "low", "high"):
        assert np.allclose(lazy[name].astype(float), eager[name].astype(float), atol=1e-10, equal_nan=True)


def test_groups_that_share_items_are_compared_as_in_memory(lazily: Lazily) -> None:
    people = pl.col("annotator").str.slice(10).cast(pl.Int64)
    frame = crowd(40, 3, 4, people=6).with_columns(school=pl.format("school {}", people % 2))
    for function in (accord.fleiss_kappa, accord.conger_kappa, accord.light_kappa):
        eager, lazy = (function(accord.Study(data), by="school") for data in (frame, lazily(frame)))
        assert lazy.differences().to_dict() == eager.differences().to_dict()
        assert lazy.by_group().to_dict() == eager.by_group().to_dict()


def test_lights_kappa_of_groups_in_the_engine_differs_with_its_error(
    lazily: Lazily, monkeypatch: pytest.MonkeyPatch
) -> None:
    frame = crowd(80, 3, 4, people=40)
    eager = accord.light_kappa(accord.Study(frame), by="topic").differences()
    assert np.isnan(eager["p"]).all(), "two people of such a crowd share three items or four"
    monkeypatch.setattr(mean_of_pairs, "FEW_IN_COMMON", 0)
    eager = accord.light_kappa(accord.Study(frame), by="topic").differences()
    monkeypatch.setattr(lazy_annotations, "MOST_ROWS", 10)
    lazy = accord.light_kappa(accord.Study(lazily(frame)), by="topic").differences()
    assert np.allclose(lazy["difference"], eager["difference"], atol=1e-10)
    for name in ("low", "high", "p"):  # how many items move a value is not known there: units less one
        assert np.allclose(lazy[name], eager[name], atol=0.06)


def test_a_gold_without_anything_to_learn_from_has_no_confidence_in_the_engine() -> None:
    frame = pl.DataFrame({"item": [1, 2, 3], "annotator": ["a", "b", "a"], "label": ["x", "y", "x"]})
    told = accord.gold(accord.Study(frame.lazy()), method="dawid-skene").lazy().collect()
    assert told["confidence"].null_count() == 3


def test_numbers_in_a_file_are_the_numbers_of_an_engine(lazily: Lazily, tmp_path: Path) -> None:
    frame = pl.DataFrame({"item": [1, 1, 2, 2, 3], "annotator": list("ababa"), "label": list("xyxxy")})
    told = tmp_path / "known.csv"
    told.write_text("item,label\n1,y\n3,x\n", encoding="utf-8")
    found = accord.gold(accord.Study(lazily(frame)), method="majority", known=told)
    assert dict(zip(found.study.items, found.labels, strict=True)) == {1: "y", 2: "x", 3: "x"}
    assert found.score(told).accuracy == 1


@pytest.mark.parametrize("topic", [["a", "a", None, None], ["a", "b", "", ""], ["a", "a", " ", "b"]])
def test_rows_of_no_variable_are_counted_as_in_memory(lazily: Lazily, topic: list[str | None]) -> None:
    rows = {"item": [1, 2, None, 4], "annotator": list("xyxy"), "label": list("pqpq"), "topic": topic}
    frame = pl.DataFrame(rows)
    eager, lazy = (accord.Study(data, task="topic") for data in (frame, lazily(frame)))
    assert dict(lazy.left_out) == dict(eager.left_out)
    assert str(lazy.describe()).count("4 rows") == 1


def test_a_column_that_names_no_variable_is_refused(lazily: Lazily) -> None:
    rows = {"item": [1, 1], "annotator": list("xy"), "label": list("pq"), "topic": ["", ""]}
    with pytest.raises(accord.AccordError, match="The task column 'topic' is empty"):
        accord.Study(lazily(pl.DataFrame(rows)), task="topic")


SETTINGS = {
    "nothing": "SELECT 1",
    "no look at Python": "SET python_enable_replacements = false",
    "no files, and locked": "SET enable_external_access = false; SET lock_configuration = true",
    "a table of our name": "CREATE TABLE accord_rows_in_memory AS SELECT 1 AS other",
}


@pytest.mark.parametrize("setting", SETTINGS)
def test_a_connection_that_looks_for_no_names_in_python_measures_the_same(setting: str, tmp_path: Path) -> None:
    duckdb = pytest.importorskip("duckdb")
    connection, frame = duckdb.connect(), crowd(40, 3, 3).to_arrow()
    connection.from_arrow(frame).create("answers")
    connection.execute(SETTINGS[setting]).fetchall()
    study = accord.Study(connection.table("answers"))
    memory = accord.Study(frame)
    assert accord.fleiss_kappa(study).by_annotator().to_dict() == accord.fleiss_kappa(memory).by_annotator().to_dict()
    gold: Any = accord.gold(study, method="dawid-skene")
    assert gold.in_memory.labels == accord.gold(memory, method="dawid-skene").labels
    accord.report(study, tmp_path / "r.md")
    if "files" in setting:
        with pytest.raises(accord.AccordError, match="its connection forbids it"):
            gold.write(tmp_path / "gold.csv")
        gold.in_memory.write(tmp_path / "gold.csv")
    else:
        gold.write(tmp_path / "gold.csv")
    assert len((tmp_path / "gold.csv").read_text().splitlines()) == 1 + study.n_items


def test_a_connection_that_ibis_has_had_measures_the_same() -> None:
    duckdb, ibis = pytest.importorskip("duckdb"), pytest.importorskip("ibis")
    connection, frame = duckdb.connect(), crowd(20, 3, 3).to_arrow()
    connection.from_arrow(frame).create("answers")
    there = ibis.duckdb.from_connection(connection).table("answers")
    here = connection.table("answers")
    tables = [accord.fleiss_kappa(each).by_annotator().to_dict() for each in (frame, there, here)]
    assert tables[0] == tables[1] == tables[2]


def test_a_connection_in_the_middle_of_a_query_says_so_and_a_cursor_of_it_measures() -> None:
    duckdb = pytest.importorskip("duckdb")
    connection, frame = duckdb.connect(), crowd(20, 3, 3).to_arrow()
    connection.from_arrow(frame).create("answers")
    connection.execute("SELECT * FROM answers")
    with pytest.raises(accord.AccordError, match="in the middle of another query"):
        accord.measure(connection.table("answers"))
    assert str(accord.measure(connection.cursor().table("answers"))) == str(accord.measure(accord.Study(frame)))


@pytest.mark.parametrize("odd", ["INTERVAL (rowid) DAY", "union_value(n := rowid)", "'0101'::BIT"])
def test_a_type_that_cannot_leave_ibis_is_said_and_the_other_columns_do(odd: str) -> None:
    duckdb, ibis = pytest.importorskip("duckdb"), pytest.importorskip("ibis")
    connection, frame = duckdb.connect(), crowd(20, 3, 3).to_arrow()
    connection.from_arrow(frame).create("answers")
    connection.execute(f"CREATE TABLE odd AS SELECT *, {odd} AS odd FROM answers")
    table = ibis.duckdb.from_connection(connection).table("odd")
    with pytest.raises(
        accord.AccordError, match=r"of a type that cannot leave the engine. .* select the other columns"
    ):
        accord.measure(table)
    assert str(accord.measure(table.drop("odd"))) == str(accord.measure(frame.select(table.columns[:-1])))
