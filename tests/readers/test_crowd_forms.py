"""Mechanical Turk as people have it: downloaded from the site, from Turkle, with JSON for answers."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import pytest

import accord
from tests.readers.test_samples import SAMPLES


def batch(path: Path, answers: list[tuple[str, str, dict[str, Any]]], lacking: tuple[str, ...] = ()) -> Path:
    """Results: the HIT, the worker and the other cells; the header names columns that no row has."""
    names = ["HITId", "WorkerId", *dict.fromkeys(name for *_, cells in answers for name in cells)]
    with path.open("w", newline="", encoding="utf-8") as stream:
        writer = csv.writer(stream, quoting=csv.QUOTE_ALL)
        writer.writerow([*names, *lacking])
        for hit, who, cells in answers:
            writer.writerow([hit, who, *(cells.get(name, "") for name in names[2:])])
    return path


def test_a_batch_as_downloaded_lacks_the_cells_that_are_to_be_filled_in(tmp_path: Path) -> None:
    rows = [("H1", "W1", {"Answer.label": "a"}), ("H1", "W2", {"Answer.label": "b"})]
    study = accord.read(batch(tmp_path / "b.csv", rows, ("Approve", "Reject")))
    assert (study.n_items, study.annotators, study.labels) == (1, ("W1", "W2"), ("a", "b"))


def test_a_row_that_lacks_other_cells_is_cut(tmp_path: Path) -> None:
    rows = [("H1", "W1", {"Answer.label": "a"})]
    with pytest.raises(accord.AccordError, match="line 2: The row has 3 cells, and the header names 4"):
        accord.read(batch(tmp_path / "b.csv", rows, ("Answer.sure",)))


def test_what_the_requester_rejects_in_the_file_is_rejected(tmp_path: Path) -> None:
    rows: list[tuple[str, str, dict[str, Any]]] = [
        ("H1", "W1", {"Answer.label": "a", "Approve": "x", "Reject": ""}),
        ("H1", "W2", {"Answer.label": "b", "Reject": "Nothing was read."}),
    ]
    study = accord.read(batch(tmp_path / "b.csv", rows))
    assert (study.annotators, dict(study.left_out)) == (("W1",), {"rejected": 1})


def test_the_fields_of_a_form_are_variables() -> None:
    tasks = accord.read(SAMPLES / "mturk-site/batch.csv").tasks
    assert tasks["topic"].labels == ("complaint", "praise")
    assert tasks["agree"].labels == ("false", "true")
    assert tasks["where"].items == ("h1", "h2")


def test_a_checkbox_in_a_column_is_yes_or_no(tmp_path: Path) -> None:
    rows = [("H1", who, {"Answer.agree.on": said}) for who, said in (("W1", "true"), ("W2", "false"))]
    assert accord.read(batch(tmp_path / "b.csv", rows)).labels == ("false", "true")


def test_an_answer_that_is_an_object_leaves_the_other_questions_readable() -> None:
    study = accord.read(SAMPLES / "turkle/results.csv")
    assert set(study.tasks) == {"broken", "parts.lamp", "parts.wire"}
    assert accord.read(SAMPLES / "turkle/results.csv", only="broken").labels == ("no", "yes")


def test_spans_in_a_list_are_spans(tmp_path: Path) -> None:
    marks = json.dumps([{"start": 0, "end": 3, "label": "PER"}])
    rows = [("H1", who, {"Input.text": "Nia sailed.", "Answer.marks": marks}) for who in ("W1", "W2")]
    study = accord.read(batch(tmp_path / "b.csv", rows))
    assert (study.kind, study.labels) == ("spans", ("PER",))


@pytest.mark.parametrize(("column", "named"), [("tweet_id", True), ("tweetId", True), ("valid", False)])
def test_an_id_among_the_inputs_names_the_item(tmp_path: Path, column: str, named: bool) -> None:
    rows = [(f"H{place}", who, {f"Input.{column}": f"t{place}", "Answer.x": "a"}) for place in "12" for who in "AB"]
    assert accord.read(batch(tmp_path / "b.csv", rows)).items == (("t1", "t2") if named else ("H1", "H2"))


def test_an_id_of_several_hits_does_not_name_the_item(tmp_path: Path) -> None:
    rows = [(f"H{place}", who, {"Input.book_id": "one", "Answer.x": "a"}) for place in "12" for who in "AB"]
    assert accord.read(batch(tmp_path / "b.csv", rows)).items == ("H1", "H2")


def test_comments_are_no_labels(tmp_path: Path) -> None:
    rows = [("H1", who, {"Answer.x": "a", "Answer.feedback": f"thanks {who}"}) for who in "AB"]
    study = accord.read(batch(tmp_path / "b.csv", rows))
    assert not study.tasks
    assert dict(study.left_out) == {"free-text answers (no labels)": 2}


def test_a_long_label_that_many_chose_is_a_label(tmp_path: Path) -> None:
    said = "The author thinks that the lamp was broken by somebody before the second day."
    rows = [(f"H{place}", who, {"Answer.x": "a", "Answer.why": said}) for place in "123" for who in "AB"]
    assert set(accord.read(batch(tmp_path / "b.csv", rows)).tasks) == {"why", "x"}


def test_another_input_can_be_chosen_as_the_item(tmp_path: Path) -> None:
    rows = [(f"H{place}", who, {"Input.url": "one", "Answer.x": "a"}) for place, who in (("1", "A"), ("2", "B"))]
    path = batch(tmp_path / "b.csv", rows)
    assert accord.read(path, item="Input.url").items == ("one",)
    with pytest.raises(accord.AccordError, match=r"Did you mean item='Input\.url'"):
        accord.read(path, item="Input.ur")


def test_inputs_make_groups_and_clusters(tmp_path: Path) -> None:
    rows = [(f"H{place}", who, {"Input.book": "one", "Answer.x": "a"}) for place in "12" for who in "AB"]
    study = accord.read(batch(tmp_path / "b.csv", rows), cluster="Input.book")
    assert study.roles["cluster"] == "cluster"


def test_the_parts_of_crowd_elements_stand_in_columns_of_their_own(tmp_path: Path) -> None:
    boxes = json.dumps([{"left": 1, "top": 2, "width": 3, "height": 4, "label": "boat"}])
    cells = {"Answer.topic.label": "sea", "Answer.tags.labels": '["a", "b"]', "Answer.draw.boundingBoxes": boxes}
    sizes = {"Answer.draw.inputImageProperties.height": "100"}
    study = accord.read(batch(tmp_path / "b.csv", [("H1", who, {**cells, **sizes}) for who in "AB"]))
    assert {task: part.kind for task, part in study.tasks.items()} == {
        "draw": "boxes",
        "tags": "set",
        "topic": "single",
    }
    assert study.tasks["topic"].labels == ("sea",)


def test_batches_of_one_form_are_one_study(tmp_path: Path) -> None:
    paths = [
        batch(
            tmp_path / f"b{place}.csv",
            [(f"H{place}", who, {"Answer.x": said}) for who, said in (("A", "a"), ("B", "b"))],
        )
        for place in (1, 2)
    ]
    study = accord.read(paths)
    assert (study.items, study.annotators, study.n_annotations) == (("H1", "H2"), ("A", "B"), 4)


@pytest.mark.parametrize(("named", "first"), [(True, "t1"), (False, "H1/1")])
def test_several_texts_of_a_hit_are_items_of_their_own(tmp_path: Path, named: bool, first: str) -> None:
    def cells(hit: int) -> dict[str, Any]:
        texts = {f"Input.text{place}": f"text {hit + place}" for place in (1, 2, 3)}
        ids = {f"Input.id{place}": f"t{hit + place - 1}" for place in (1, 2, 3)} if named else {}
        return {**ids, **texts, **{f"Answer.tone{place}": "kind" for place in (1, 2, 3)}, "Answer.age": "30"}

    rows = [(f"H{hit}", who, cells(hit)) for hit in (1, 2) for who in "AB"]
    study = accord.read(batch(tmp_path / "b.csv", rows), duplicates="first")
    assert study.tasks["tone"].items[0] == first
    assert study.tasks["tone"].n_items == (4 if named else 6)


def test_two_sentences_of_which_two_things_are_asked_are_one_item(tmp_path: Path) -> None:
    cells = {"Input.sentence1": "x", "Input.sentence2": "y", "Answer.q1": "a", "Answer.q2": "b"}
    study = accord.read(batch(tmp_path / "b.csv", [("H1", who, cells) for who in "AB"]))
    assert set(study.tasks) == {"q1", "q2"}
