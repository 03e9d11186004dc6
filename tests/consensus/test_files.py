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
    assert (score.n_items, score.not_in_study) == (3, 0)
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


@pytest.mark.parametrize("name", ["comma.csv", "floats.csv", "lines.jsonl"])
def test_a_reference_of_a_lazy_frame_is_read_from_a_file(name: str, tmp_path: Path) -> None:
    pl = pytest.importorskip("polars")
    (tmp_path / name).write_text(FILES[name], encoding="utf-8")
    roles: Any = {"item": "question", "annotator": "worker", "label": "answer"}
    gold = accord.gold(pl.DataFrame(ANSWERS).lazy(), method="majority", **roles)
    assert gold.score(tmp_path / name).accuracy == pytest.approx(2.5 / 3)


def test_columns_that_do_not_tell_are_named(votes: accord.Gold, tmp_path: Path) -> None:
    (tmp_path / "odd.csv").write_text("a,b,c\n1,x,0\n2,y,1\n3,z,1\n", encoding="utf-8")
    with pytest.raises(AccordError, match=r"Which column of .* holds the item\? It has 'a', 'b', 'c'"):
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


# Labels as people have them: text that looks like numbers, blanks that mean something, breaks, marks of a file.
ODD = [
    ("1.0", "2.0"), ("1", "1.0"), (" lead", "lead"), ("one\ntwo", "one"), ("a\r\nb", "a\rb"), ("a,b", 'say "a"'),
    ("x\u2028y", "x\x85y"), ("a;b", "a\tb"), ("007", "7"), ("true", "True"),
]  # fmt: skip


@pytest.mark.parametrize("ending", ["csv", "tsv", "jsonl", "parquet"])
@pytest.mark.parametrize("labels", ODD)
def test_labels_and_items_of_any_text_survive_a_file(labels: tuple[str, str], ending: str, tmp_path: Path) -> None:
    each = [labels[0], labels[0], labels[1], labels[1]]
    table = {"item": each, "annotator": ["a", "b"] * 2, "label": each}
    gold = accord.gold(table, method="majority")
    path = gold.write(tmp_path / f"gold.{ending}")
    score = gold.score(path)
    assert (score.n_items, score.accuracy) == (2, 1.0)
    assert accord.gold(table, method="majority", known=path).labels == gold.labels


def test_a_file_means_numbers_only_where_its_text_is_no_label(tmp_path: Path) -> None:
    (tmp_path / "truth.csv").write_text("item,label\n1, 0.50\n2,1e0\n", encoding="utf-8")
    table: dict[str, Any] = {"item": [1, 1, 2, 2], "annotator": ["a", "b"] * 2, "label": [0.5, 0.5, 1, 1]}
    assert accord.gold(table, method="majority").score(tmp_path / "truth.csv").accuracy == 1.0
    table["label"] = ["0.5", "0.5", "1", "1"]
    assert accord.gold(table, method="majority").score(tmp_path / "truth.csv").accuracy == 0.0


SETS: dict[str, Any] = {
    "item": [1, 1, 2, 2, 3, 3],
    "annotator": ["a", "b"] * 3,
    "label": [["x", "y"], ["x", "y"], [], [], ["x"], ["y"]],
}


@pytest.mark.parametrize("ending", ["csv", "tsv", "jsonl", "parquet"])
def test_sets_survive_a_file_and_an_empty_one_is_not_undecided(ending: str, tmp_path: Path) -> None:
    gold = accord.gold(SETS, method="majority")
    assert gold.labels == [("x", "y"), (), None]
    path = gold.write(tmp_path / f"gold.{ending}")
    score = gold.score(path)
    assert (score.n_items, score.accuracy) == (2, 1.0)
    again = accord.gold(SETS, method="majority", known=path)
    assert (again.labels, list(again.to_table()["source"])) == (gold.labels, ["known", "known", "undecided"])


@pytest.mark.parametrize("ending", ["csv", "jsonl", "parquet"])
def test_sets_of_numbers_and_of_labels_with_bars_survive_a_file(ending: str, tmp_path: Path) -> None:
    for first, second in ((1, 2), ("a|b", "c")):
        table = {"item": [1, 1], "annotator": ["a", "b"], "label": [[first, second]] * 2}
        gold = accord.gold(table, method="majority")
        assert gold.score(gold.write(tmp_path / f"gold.{ending}")).accuracy == 1.0


def test_what_says_nothing_is_skipped_for_every_kind_of_answer() -> None:
    scores = {"item": [1, 1, 2, 2], "annotator": ["a", "b"] * 2, "score": [1.5, 2.5, 3.5, 3.5]}
    for nothing in (None, float("nan"), ""):
        assert accord.gold(SETS, method="majority").score({1: ["x", "y"], 2: nothing}).n_items == 1
        assert accord.gold(SETS, method="majority", known={1: nothing}).known is None
        mean = accord.gold(scores, method="mean", score="score")
        assert mean.score({1: 2.0, 2: nothing}).n_items == 1
        with pytest.raises(AccordError, match="says nothing of any item"):
            accord.gold(SETS, method="majority").score({1: nothing})


def test_known_labels_of_a_lazy_frame_may_say_nothing_too() -> None:
    pl = pytest.importorskip("polars")
    roles: Any = {"item": "question", "annotator": "worker", "label": "answer"}
    gold = accord.gold(pl.DataFrame(ANSWERS).lazy(), method="majority", known={1: None, 3: 1}, **roles)
    assert gold.labels == [0, 1, 1]


def test_a_file_in_another_encoding_is_read_as_tables_are(tmp_path: Path) -> None:
    table = {"item": [1, 1], "annotator": ["a", "b"], "label": ["größer"] * 2}
    gold = accord.gold(table, method="majority")
    for encoding in ("latin-1", "utf-16", "utf-8-sig"):
        (tmp_path / "truth.csv").write_bytes("item,label,decision\n1,größer,größer\n".encode(encoding))
        assert gold.score(tmp_path / "truth.csv").accuracy == 1.0
        assert accord.gold(table, method="majority", known=tmp_path / "truth.csv").labels == ["größer"]
        assert gold.decide(tmp_path / "truth.csv", by="judge").labels == ["größer"]
    (tmp_path / "broken.csv").write_bytes(b"item,label\n1,\xc3\xb6\xff\n")
    with pytest.raises(AccordError, match=r"broken\.csv: It is neither UTF-8 .* Save it as UTF-8"):
        gold.score(tmp_path / "broken.csv")


def test_a_folder_and_a_broken_file_are_no_reference(votes: accord.Gold, tmp_path: Path) -> None:
    (tmp_path / "truth.parquet").write_bytes(b"PAR1 and no more")
    for path in (tmp_path, tmp_path / "truth.parquet"):
        with pytest.raises(AccordError, match="It cannot be"):
            votes.score(path)


def test_a_column_that_is_not_there_is_not_guessed(votes: accord.Gold, tmp_path: Path) -> None:
    (tmp_path / "truth.csv").write_text(FILES["comma.csv"], encoding="utf-8")
    with pytest.raises(AccordError, match=r"No column 'quest' .* Did you mean item='question'\?"):
        votes.score(tmp_path / "truth.csv", item="quest")
    with pytest.raises(AccordError, match="No column 'nope' to read the label from"):
        votes.score(tmp_path / "truth.csv", label="nope")
    (tmp_path / "nameless.csv").write_text(FILES["nameless.csv"], encoding="utf-8")
    with pytest.raises(AccordError, match="does not name its columns, so none is 'nope'"):
        votes.score(tmp_path / "nameless.csv", item="nope")


def test_known_labels_have_no_option_for_their_columns(tmp_path: Path) -> None:
    (tmp_path / "odd.csv").write_text("a,b,c\n1,x,0\n", encoding="utf-8")
    with pytest.raises(AccordError, match=r"Name it 'item'\.$"):
        accord.gold(SETS, method="majority", known=tmp_path / "odd.csv")


def test_what_can_be_no_reference_is_told_what_one_is(votes: accord.Gold) -> None:
    with pytest.raises(AccordError, match=r"The reference is a mapping item .* got NoneType"):
        votes.score(None)
    with pytest.raises(AccordError, match=r"known is a mapping item .* got int"):
        accord.gold(votes.study, method="majority", known=5)


def test_a_number_without_end_is_no_reference() -> None:
    table = {"item": [1, 1], "annotator": ["a", "b"], "score": [1.5, 2.5]}
    with pytest.raises(AccordError, match="must say numbers; of item 1 it says 'inf'"):
        accord.gold(table, method="mean", score="score").score({1: "inf"})


def test_an_ending_that_is_none_leaves_no_file(votes: accord.Gold, tmp_path: Path) -> None:
    with pytest.raises(AccordError, match=r"\.parquet"):
        votes.write(tmp_path / "gold.docx")
    assert not list(tmp_path.iterdir())


def test_progress_may_take_the_objective(votes: accord.Gold) -> None:
    seen: list[tuple[int, int, float]] = []
    found = accord.gold(
        votes.study,
        method="one-coin",
        prior="mild",
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
