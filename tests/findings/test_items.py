"""Contested items: how contested each is, in which order they are told, and what was answered."""

from __future__ import annotations

import math

import numpy as np
import pytest

import accord
from accord.annotations.answers import Kind
from accord.findings import contested_items, explain

ROWS = [
    ["a", "a", "a", "a"],
    ["a", "a", "b", "b"],
    ["a", "a", "a", "c"],
    ["a", "b", "c", "d"],
    ["c", None, None, "d"],
    ["a", None, None, None],
]


def test_disagreement_is_the_share_of_pairs_that_differ() -> None:
    rows = {row["item"]: row for row in contested_items(ROWS)}
    assert rows[1]["disagreement"] == pytest.approx(4 / 6)
    assert rows[2]["disagreement"] == pytest.approx(3 / 6)
    assert rows[3]["disagreement"] == rows[4]["disagreement"] == pytest.approx(1)


def test_items_with_one_answer_or_none_that_differs_are_not_contested() -> None:
    assert {row["item"] for row in contested_items(ROWS)} == {1, 2, 3, 4}


def test_entropy_is_miller_and_madows_with_the_labels_seen() -> None:
    rows = {row["item"]: row for row in contested_items(ROWS)}
    assert rows[1]["entropy"] == pytest.approx(math.log(2) + (2 - 1) / (2 * 4))
    plain = -(0.75 * math.log(0.75) + 0.25 * math.log(0.25))
    assert rows[2]["entropy"] == pytest.approx(plain + 1 / 8)
    assert rows[3]["entropy"] == pytest.approx(math.log(4) + 3 / 8)
    assert rows[4]["entropy"] == pytest.approx(math.log(2) + 1 / 4)


def test_the_most_contested_come_first_and_among_them_those_with_more_answers() -> None:
    assert [row["item"] for row in contested_items(ROWS)] == [3, 4, 1, 2]


def test_among_equals_a_usual_clash_comes_first() -> None:
    rows = [["a", "c"], ["a", "b"], ["b", "a"], ["a", "b"], ["b", "c"]]
    assert [row["item"] for row in contested_items(rows)][:3] == [1, 2, 3]


def test_ordered_labels_have_a_variance_and_names_have_none() -> None:
    ordered = contested_items([["low", "high"], ["low", "middle"]], labels=["low", "middle", "high"])
    assert {row["item"]: row["variance"] for row in ordered} == {0: pytest.approx(2), 1: pytest.approx(0.5)}
    assert "variance" not in contested_items(ROWS).columns


def test_numbers_have_a_variance_and_scores_no_entropy() -> None:
    study = accord.Study.from_wide([[1.0, 2.0, 6.0], [2.0, 2.0, 2.5]], answers="score")
    table = contested_items(study)
    assert [row["item"] for row in table] == [0, 1]
    assert table["variance"][0] == pytest.approx(7)
    assert "entropy" not in table.columns
    assert table["given"][0] == "1, 2, 6"


@pytest.mark.parametrize("answers", ["set", "ranked"])
def test_sets_and_ranked_answers_are_told_as_people_write_them(answers: Kind) -> None:
    study = accord.Study.from_wide([[["a"], ["b", "a"]], [["a", "b"], ["a", "b"]]], answers=answers)
    (row,) = contested_items(study)
    assert row["given"] == ("a: 1; b > a: 2" if answers == "ranked" else "a: 1; a + b: 2")


def test_where_nobody_is_named_answers_are_counted() -> None:
    table = contested_items(accord.Study.from_counts([[2, 1], [3, 0]], labels=["yes", "no"]))
    assert table["given"].tolist() == ["yes ×2, no ×1"]


def test_only_as_many_rows_as_asked_for_and_the_rest_is_counted() -> None:
    cells = np.random.default_rng(0).integers(0, 3, (500, 3))
    table = contested_items(cells, most=20)
    assert len(table) == 20
    whole = contested_items(cells, most=None)
    assert table["item"].tolist() == whole["item"].tolist()[:20]
    assert f"20 of {len(whole)} contested" in table.notes[0]


def test_the_order_does_not_depend_on_how_the_study_was_given() -> None:
    cells = np.random.default_rng(1).integers(0, 3, (60, 4))
    wide = accord.Study.from_wide(cells)
    item, who = np.nonzero(cells >= 0)
    long = accord.Study(
        {"item": item.tolist(), "annotator": [f"{person + 1}" for person in who], "label": cells[item, who].tolist()}
    )
    assert contested_items(wide)["item"].tolist() == contested_items(long)["item"].tolist()


def test_where_everybody_agrees_nothing_is_contested() -> None:
    study = accord.Study.from_wide([["a", "a"], ["b", "b"]])
    assert len(contested_items(study)) == 0
    assert "contested-items" not in {finding.name for finding in explain(study)}


def test_where_nothing_can_be_compared_the_table_says_why() -> None:
    table = contested_items(accord.Study.from_wide([["a", None], [None, "b"]]))
    assert len(table) == 0
    assert "nothing to compare" in table.notes[0]


def test_the_finding_names_the_items_to_discuss_first_and_is_a_note() -> None:
    (finding,) = explain(ROWS * 5)["contested-items"]
    assert finding.severity == "note"
    assert finding.items[:5] == (3, 9, 15, 21, 27)
    assert "20 of 25 items" in finding.says


def test_half_of_the_disagreement_is_held_by_the_fewest_items() -> None:
    rows = [["a", "b"]] * 4 + [["a", "a"]] * 6
    assert "2 items hold half" in explain(rows)["contested-items"][0].says


def test_the_first_contested_items_are_printed_with_their_texts_and_who_said_what() -> None:
    table = {
        "item": [7, 7, 8, 8, 18368, 18368], "annotator": ["ana", "ben"] * 3,
        "label": ["yes", "no", "yes", "yes", "no", "yes"],
        "text": ["Is it so?"] * 2 + ["Fine."] * 2 + ["A very long story. " * 20] * 2,
    }  # fmt: skip
    found = explain(accord.Study(table, text="text"))
    printed = str(found)
    assert "item 7 “Is it so?” – no: ben; yes: ana" in printed
    assert "item 18368 “A very long story." in printed  # no thousands in a name
    assert "Fine." not in printed
    rows = found["contested-items"][0].to_dict()["table"]["rows"]
    assert rows[0]["text"] == "Is it so?"
    assert "Is it so?" in found._repr_html_()
    assert "Is it so?" not in str(found.without_texts())


def test_in_a_crowd_the_answers_are_counted() -> None:
    rows = [["a"] * 9 + ["b"] * 5, ["b"] * 14, ["a"] * 14]
    assert "item 0 – a ×9, b ×5" in str(explain(accord.Study.from_wide(rows)))
