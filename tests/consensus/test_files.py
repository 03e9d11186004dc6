"""Gold and files: references and known labels read from whatever file they come in, gold written and read back."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import accord
from accord.errors import AccordError

# As crowd sets come: numbers for items, workers and labels; a tie on item 3; the truth in a file of its own.
ANSWERS: dict[str, Any] = {
    "question": [1, 1, 1, 2, 2, 2, 3, 3],
    "worker": [7, 8, 9, 7, 8, 9, 7, 8],
    "answer": [0, 0, 1, 1, 1, 1, 0, 1],
}
FILES = {
    "comma.csv": "question,truth\n1,0\n2,1\n3,1\n",
    "tab.tsv": "question\ttruth\n1\t0\n2\t1\n3\t1\n",
    "nameless.txt": "1 0\n2 1\n3 1\n",
    "nameless.csv": "1,0\n2,1\n3,1\n",
    "floats.csv": "question,truth\n1.0,0.0\n2.0,1.0\n3.0,1.0\n",
    "more.csv": "id,text,gold\n1,a,0\n2,b,1\n3,c,1\n",
    "object.json": json.dumps({"1": 0, "2": 1, "3": 1}),
    "records.json": json.dumps([{"task": 1, "label": 0}, {"task": 2, "label": 1}, {"task": 3, "label": 1}]),
    "lines.jsonl": '{"item": 1, "label": "0"}\n{"item": 2, "label": "1"}\n{"item": 3, "label": "1"}\n',
}


@pytest.fixture
def votes() -> accord.Gold:
    return accord.gold(ANSWERS, method="majority", item="question", annotator="worker", label="answer")


@pytest.mark.parametrize("name", FILES)
def test_a_reference_is_read_from_a_file(votes: accord.Gold, name: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text(FILES[name], encoding="utf-8")
    score = votes.score(tmp_path / name)
    assert (score.n_items, score.not_here) == (3, 0)
    assert score.accuracy == pytest.approx(2.5 / 3)


def test_a_reference_is_read_from_parquet(votes: accord.Gold, tmp_path: Path) -> None:
    pl = pytest.importorskip("polars")
    pl.DataFrame({"item": [1, 2, 3], "label": [0, 1, 1]}).write_parquet(tmp_path / "truth.parquet")
    assert votes.score(str(tmp_path / "truth.parquet")).accuracy == pytest.approx(2.5 / 3)


def test_known_labels_come_from_a_file_too(tmp_path: Path) -> None:
    (tmp_path / "known.csv").write_text("item,label\n3,1\n", encoding="utf-8")
    roles: Any = {"item": "question", "annotator": "worker", "label": "answer"}
    gold = accord.gold(ANSWERS, method="majority", known=tmp_path / "known.csv", **roles)
    assert gold.labels == [0, 1, 1]
    assert list(gold.to_table()["source"]) == ["majority", "majority", "known"]


def test_columns_that_do_not_tell_are_named(votes: accord.Gold, tmp_path: Path) -> None:
    (tmp_path / "odd.csv").write_text("a,b,c\n1,x,0\n2,y,1\n3,z,1\n", encoding="utf-8")
    with pytest.raises(AccordError, match=r"which column holds the item\? It has 'a', 'b', 'c'"):
        votes.score(tmp_path / "odd.csv")
    assert votes.score(tmp_path / "odd.csv", item="a", label="c").accuracy == pytest.approx(2.5 / 3)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "is empty"),
        ("one\n", "an item and a label in each row"),
        ("item,label\n1,0\n1,1\n", "says two things of item '1'"),
        ("item,label\n1,\n", "says nothing of any item"),
    ],
)
def test_a_file_that_is_no_reference_is_refused(votes: accord.Gold, text: str, said: str, tmp_path: Path) -> None:
    (tmp_path / "truth.csv").write_text(text, encoding="utf-8")
    with pytest.raises(AccordError, match=said):
        votes.score(tmp_path / "truth.csv")


def test_a_file_that_is_not_there_is_said(votes: accord.Gold) -> None:
    with pytest.raises(AccordError, match=r"There is no file 'truth\.csv' here"):
        votes.score("truth.csv")


def test_a_true_label_that_nobody_gave_makes_the_item_wrong(votes: accord.Gold) -> None:
    score = votes.score({1: 0, 2: 5, 3: 5})
    assert score.accuracy == pytest.approx(1 / 3)
    rows = {row["label"]: row for row in score.labels}
    assert (rows[5]["gold"], rows[5]["reference"], rows[5]["recall"]) == (0, 2, 0.0)
    assert score.log_loss > 10


@pytest.mark.parametrize("ending", ["csv", "tsv", "jsonl", "parquet"])
def test_gold_is_written_and_scores_itself(votes: accord.Gold, ending: str, tmp_path: Path) -> None:
    path = votes.write(tmp_path / f"gold.{ending}")
    score = votes.score(path)
    assert (score.n_items, score.accuracy) == (2, 1.0)


def test_sets_are_written_as_a_queue_has_them(tmp_path: Path) -> None:
    table = {"item": [1, 1, 2, 2], "annotator": ["a", "b"] * 2, "label": [["x", "y"], ["x", "y"], [], []]}
    gold = accord.gold(table, method="majority")
    path = gold.write(tmp_path / "gold.csv")
    assert path.read_text(encoding="utf-8").splitlines()[1].startswith("1,x | y,1.0")
    assert gold.score(path).accuracy == 1.0


def test_an_ending_that_is_none_leaves_no_file(votes: accord.Gold, tmp_path: Path) -> None:
    with pytest.raises(AccordError, match=r"\.parquet"):
        votes.write(tmp_path / "gold.docx")
    assert not list(tmp_path.iterdir())


def test_progress_may_take_the_objective(votes: accord.Gold) -> None:
    seen: list[tuple[int, int, float]] = []
    found = accord.gold(
        votes.study,
        method="one-coin",
        iterations=5,
        progress=lambda done, total, value: seen.append((done, total, value)),
    )
    assert found.progress is not None
    assert [value for *_, value in seen] == list(found.progress.trace)
    short: list[int] = []

    def two(done: int, total: int) -> None:
        short.extend((done, total))

    accord.gold(votes.study, method="one-coin", progress=two)
    assert short[:2] == [1, 1000]
