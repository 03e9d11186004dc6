"""The queue of items for a person, and decisions that come back."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import accord
from accord import AccordError, Study
from accord.errors import OptionError
from tests.consensus.simulated import simulate

TABLE = {
    "item": [1, 1, 1, 2, 2, 3, 3, 3, 4, 5, 5, 5],
    "annotator": list("abcababcaabc"),
    "label": ["x", "x", "y", "x", "y", "y", "y", "y", "x", "x", "x", "x"],
}


def test_the_queue_starts_where_a_decision_is_worth_most() -> None:
    queue = accord.gold(TABLE, method="majority").queue(3)
    assert next(iter(queue["item"])) == 2
    assert queue["reason"][0] == "'x', 'y' are tied (1 answer each)"
    assert queue["answers"][0] == "x: 1 vote, y: 1"
    assert list(queue["item"]) == [2, 1, 4]  # a tie, a majority of two in three, a single answer
    assert (np.diff(queue["uncertainty"].astype(float)) <= 0).all()
    assert queue["decision"][0] == ""


def test_the_queue_of_a_model_is_by_its_doubt() -> None:
    gold = accord.gold(simulate(items=100).study, method="dawid-skene", prior=1)
    queue = gold.queue(10)
    assert queue["uncertainty"][0] == pytest.approx(1 - gold.confidence.min())
    assert queue["reason"][0].startswith("posterior ")


def test_decisions_are_merged_with_who_and_when_and_overwrite_no_answer(tmp_path: Path) -> None:
    gold = accord.gold(TABLE, method="majority")
    before = [column.copy() for column in gold.study._annotations.rows]
    gold.queue(2, path=tmp_path / "queue.csv")
    with (tmp_path / "queue.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert [row["item"] for row in rows] == ["2", "1"]
    rows[0] |= {"decision": "y", "decided_by": "judge", "decided_at": "2024-05-06"}
    with (tmp_path / "done.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, rows[0])
        writer.writeheader()
        writer.writerows(rows)
    decided = gold.decide(tmp_path / "done.csv")
    assert decided[2] == "y"
    assert gold[2] is None, "the gold that was asked stays as it was"
    assert decided[1] == "x", "a blank decision decides nothing"
    row = list(decided.to_table())[1]
    assert (row["source"], row["decided_by"], row["decided_at"]) == ("person", "judge", "2024-05-06")
    assert np.isnan(decided.confidence[1])
    for now, then in zip(decided.study._annotations.rows, before, strict=True):
        assert (now == then).all()
    assert decided.reason(2) is None
    assert 2 not in decided.queue(10)["item"]


def test_a_mapping_of_decisions_needs_to_say_who() -> None:
    gold = accord.gold(TABLE, method="majority")
    with pytest.raises(AccordError, match="Who decided item 2"):
        gold.decide({2: "x"})
    decided = gold.decide({2: "x"}, by="judge")
    decision = decided.decisions[1]
    assert (decision.label, decision.by) == ("x", "judge")
    assert decision.at.endswith("+00:00")
    later = decided.decide({2: "y", 4: "y"}, by="chief", at="2024")
    assert later.decision_labels == {2: "y", 4: "y"}
    taught = accord.gold(TABLE, method="dawid-skene", known=later.decision_labels)
    assert (taught[2], taught[4]) == ("y", "y")
    assert (later[2], later[4], later.decisions[1].by) == ("y", "y", "chief")


def test_decisions_that_cannot_be_are_refused() -> None:
    gold = accord.gold(TABLE, method="majority")
    with pytest.raises(AccordError, match="does not have"):
        gold.decide({99: "x"}, by="judge")
    with pytest.raises(AccordError, match="does not hold"):
        gold.decide({2: "z"}, by="judge")
    with pytest.raises(AccordError, match="contradict each other"):
        gold.decide([{"item": 2, "decision": "x"}, {"item": 2, "decision": "y"}], by="judge")
    with pytest.raises(AccordError, match="No column 'decision'"):
        gold.decide([{"item": 2, "label": "x"}], by="judge")
    with pytest.raises(AccordError, match="n must be how many items the queue holds"):
        gold.queue(0)


def test_sets_travel_through_a_file(tmp_path: Path) -> None:
    study = Study({"item": [1, 1], "annotator": list("ab"), "label": [["x", "y"], ["z"]]}, answers="set")
    gold = accord.gold(study, method="majority")
    gold.queue(5, path=tmp_path / "queue.csv")
    rows = list(csv.DictReader((tmp_path / "queue.csv").read_text(encoding="utf-8").splitlines()))
    assert rows[0]["answers"] == "x | y: 1 vote, z: 1"
    decided = gold.decide([{"item": "1", "decision": "z | x", "decided_by": "judge"}])
    assert decided.labels == [("x", "z")]
    assert gold.decide({1: []}, by="judge").labels == [()]
    assert gold.decide([{"item": 1, "decision": "∅"}], by="judge").labels == [()]


def test_a_cell_that_a_spreadsheet_would_run_is_disarmed_and_read_back(tmp_path: Path) -> None:
    formula = "=1+1"
    study = Study({"item": ["i"] * 2, "annotator": list("ab"), "label": [formula, "y"]})
    gold = accord.gold(study, method="majority")
    gold.queue(1, path=tmp_path / "queue.csv")
    text = (tmp_path / "queue.csv").read_text(encoding="utf-8")
    assert ",=1" not in text
    assert gold.decide([{"item": "i", "decision": formula}], by="judge").labels == [formula]
    rows = list(csv.DictReader(text.splitlines()))
    rows[0] |= {"decision": f"'{formula}", "decided_by": "judge"}
    with (tmp_path / "done.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, rows[0])
        writer.writeheader()
        writer.writerows(rows)
    assert gold.decide(tmp_path / "done.csv").labels == [formula]


def test_scores_are_queued_by_their_standard_error_and_decided_by_numbers() -> None:
    table = {"item": [1, 1, 2, 2], "annotator": list("abab"), "score": [1.0, 9.0, 4.0, 4.5]}
    gold = accord.gold(table, method="mean", score="score")
    assert list(gold.queue(1)["item"]) == [1]
    assert gold.decide({1: 2.5}, by="judge")[1] == 2.5
    with pytest.raises(AccordError, match="must be a number"):
        gold.decide({1: "low"}, by="judge")
    for said in ("nan", "inf", "-inf"):
        with pytest.raises(AccordError, match="must be a number"):
            gold.decide({1: said}, by="judge")


def test_a_queue_is_written_as_csv_or_tsv_and_read_back(tmp_path: Path) -> None:
    gold = accord.gold(TABLE, method="majority")
    gold.queue(1, path=tmp_path / "queue.tsv")
    text = (tmp_path / "queue.tsv").read_text(encoding="utf-8").rstrip("\r\n\t")
    (tmp_path / "queue.tsv").write_text(f"{text}\ty\tjudge\n", encoding="utf-8")
    assert gold.decide(tmp_path / "queue.tsv")[2] == "y"
    with pytest.raises(AccordError, match=r"must end in \.csv or \.tsv; got 'queue\.txt'"):
        gold.queue(1, path=tmp_path / "queue.txt")


def test_a_queue_does_not_take_the_place_of_a_folder(tmp_path: Path) -> None:
    gold = accord.gold(TABLE, method="majority")
    with pytest.raises(AccordError, match=r"path must end in \.csv or \.tsv"):
        gold.queue(2, path=tmp_path)
    (tmp_path / "queue.csv").mkdir()
    with pytest.raises(AccordError, match=r"'queue\.csv' cannot be written"):
        gold.queue(2, path=tmp_path / "queue.csv")


def test_items_called_by_fractions_come_back_from_a_queue(tmp_path: Path) -> None:
    table = {"item": [1234567.5] * 2, "annotator": list("ab"), "label": ["1.0", "2.0"]}
    gold = accord.gold(table, method="majority")
    gold.queue(1, path=tmp_path / "queue.csv")
    text = (tmp_path / "queue.csv").read_text(encoding="utf-8").rstrip("\r\n,")
    (tmp_path / "queue.csv").write_text(f"{text},1.0,judge\n", encoding="utf-8")
    assert gold.decide(tmp_path / "queue.csv").labels == ["1.0"]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "is empty"),
        ("item,decision\n", "holds no decision"),
        ("item,decision,decided_by\n1,,\n", "holds no decision"),
        ("item,label\n1,x\n", "No column 'decision' among the decisions, which have 'item', 'label'"),
        ("name,decision\n1,x\n", "No column 'item' among the decisions.*name them so"),
        ("1,x\n2,y\n", "does not name its columns"),
    ],
)
def test_a_file_without_decisions_is_refused(text: str, said: str, tmp_path: Path) -> None:
    (tmp_path / "done.csv").write_text(text, encoding="utf-8")
    with pytest.raises(AccordError, match=said):
        accord.gold(TABLE, method="majority").decide(tmp_path / "done.csv", by="judge")


def test_what_can_be_no_decisions_is_told_what_they_are() -> None:
    gold = accord.gold(TABLE, method="majority")
    with pytest.raises(AccordError, match=r"There is no file 'nofile\.csv' here"):
        gold.decide("nofile.csv")
    with pytest.raises(AccordError, match=r"Decisions are a queue that is filled in .* got int"):
        gold.decide(5)


def test_a_decision_about_a_set_may_be_one_label() -> None:
    table = {"item": [1, 1], "annotator": list("ab"), "label": [[4, 5], [5]]}
    gold = accord.gold(table, method="majority")
    assert gold.decide({1: 4}, by="judge").labels == [(4,)]
    with pytest.raises(AccordError, match="is 6, which the scale 4, 5 does not hold"):
        gold.decide({1: 6}, by="judge")


@pytest.mark.parametrize("n", [1.5, "x", None, True, -1])
def test_a_queue_of_no_whole_number_is_refused(n: Any) -> None:
    with pytest.raises(OptionError, match="n must be how many items the queue holds, a whole number such as 20; got"):
        accord.gold(TABLE, method="majority").queue(n)


# -- what a person needs to decide, and what a person has decided --------------------------------------------------

TEXTS = {
    "item": [18368, 18368, 18368, 22605, 22605],
    "annotator": ["ana", "ben", "cho", "ana", "ben"],
    "label": [3, 3, 4, 3, 4],
    "text": ["A first text.", None, None, "Another one.", "Another one."],
}


def sheet(path: Path) -> list[dict[str, str]]:
    """The rows of a queue's file."""
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def fill_in(path: Path, decisions: dict[str, str]) -> None:
    """As a person would, with a column of their own."""
    rows = [row | {"comment": "see the guidelines"} for row in sheet(path)]
    for row in rows:
        if row["item"] in decisions:
            row |= {"decision": decisions[row["item"]], "decided_by": "judge", "decided_at": "2024-05-06"}
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, rows[0])
        writer.writeheader()
        writer.writerows(rows)


def test_a_queue_shows_the_text_and_the_answers_in_words(tmp_path: Path) -> None:
    gold = accord.gold(Study(TEXTS, text="text"), method="majority")
    queue = gold.queue(5, path=tmp_path / "queue.csv")
    assert list(queue["text"]) == ["Another one.", "A first text."]
    assert list(queue["answers"]) == ["3: 1 vote, 4: 1", "3: 2 votes, 4: 1"]
    assert "annotators" not in queue.columns
    assert [row["item"] for row in sheet(tmp_path / "queue.csv")] == ["22605", "18368"]
    assert [row["text"] for row in sheet(tmp_path / "queue.csv")] == ["Another one.", "A first text."]
    assert "text" not in gold.queue(5, show_text=False).columns


def test_a_queue_refuses_lists_of_words_as_they_are() -> None:
    pl = pytest.importorskip("polars")
    frame = pl.DataFrame({**TEXTS, "text": [["a", "word"]] * 5})
    gold = accord.gold(Study(frame, text="text"), method="majority")
    with pytest.raises(AccordError, match=r"found \['a', 'word'\] of type list"):
        gold.queue(2)


def test_a_queue_says_who_said_what_if_asked() -> None:
    gold = accord.gold(Study(TEXTS, text="text"), method="majority")
    queue = gold.queue(5, show_annotators=True)
    assert list(queue["annotators"]) == ["ana: 3, ben: 4", "ana: 3, ben: 3, cho: 4"]
    nameless = accord.gold(Study.from_counts([[2, 1]], labels=["x", "y"]), method="majority")
    with pytest.raises(AccordError, match="Who said what needs to know who answered"):
        nameless.queue(1, show_annotators=True)


def test_decisions_in_a_queue_stay_when_it_is_written_again(tmp_path: Path) -> None:
    path = tmp_path / "decide.csv"
    gold = accord.gold(TABLE, method="majority")
    gold.queue(3, path=path)
    fill_in(path, {"2": "y", "1": "x"})
    decided = gold.decide(path)
    assert list(decided.queue(3, path=path)["item"]) == [4, 3, 5]
    rows = {row["item"]: row for row in sheet(path)}
    assert list(rows) == ["4", "3", "5", "2", "1"], "what is to be decided first, then what was"
    assert (rows["2"]["decision"], rows["2"]["decided_by"], rows["2"]["comment"]) == (
        "y", "judge", "see the guidelines",
    )  # fmt: skip
    again = gold.decide(path)
    assert again.decision_labels == decided.decision_labels
    assert again.decisions[1].at == "2024-05-06"


def test_decisions_that_a_gold_does_not_have_are_not_written_over(tmp_path: Path) -> None:
    path = tmp_path / "decide.csv"
    gold = accord.gold(TABLE, method="majority")
    gold.queue(3, path=path)
    fill_in(path, {"2": "y"})
    before = path.read_bytes()
    with pytest.raises(AccordError, match=r"holds 1 decision, which .* Keep them: gold\.decide\(.*or say force"):
        gold.queue(3, path=path)
    assert path.read_bytes() == before
    gold.queue(3, path=path, force=True)
    assert not any(row["decision"] for row in sheet(path))
