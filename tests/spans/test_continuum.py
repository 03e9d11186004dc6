"""The reduced form of spans: who saw which document, what was marked in it, and the texts behind."""

from __future__ import annotations

from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import accord
from accord.errors import InputError
from accord.spans.continuum import Continuum
from accord.spans.texts import texts_of_documents

TEXT = "Ana sailed to Split"
ROWS: dict[str, list[Any]] = {
    "item": ["d1", "d1", "d1", "d2", "d2"],
    "annotator": ["ana", "ana", "ben", "ana", "ben"],
    "label": ["LOC", "PER", "PER", "PER", None],
    "start": [14, 0, 0, 2, None],
    "end": [19, 3, 3, 4, None],
    "text": [TEXT, None, None, "a boat", None],
}


def study(**more: list[Any]) -> accord.Study:
    return accord.Study({**ROWS, **more}, item="item", annotator="annotator", label="label", start="start", end="end")


def test_units_are_in_canonical_order_whatever_the_order_of_rows() -> None:
    found = Continuum.of(study())
    turned = Continuum.of(study(**{name: cells[::-1] for name, cells in ROWS.items()}))
    for one in (found, turned):
        assert one.document.tolist() == [0, 0, 0, 1]
        assert one.start.tolist() == [0, 14, 0, 2]
        assert [one.labels[code] for code in one.label] == ["PER", "LOC", "PER", "PER"]


def test_who_marked_nothing_has_seen_the_document_and_who_has_no_row_has_not() -> None:
    assert Continuum.of(study()).seen.tolist() == [[True, True], [True, True]]
    alone = Continuum.of_marks([{"ana": [(0, 3, "PER")], "ben": []}, {"ben": []}])
    assert alone.seen.tolist() == [[True, True], [False, True]]
    assert list(alone.pairs()) == [(0, 1)]


def test_a_document_is_as_long_as_its_text_or_as_far_as_it_is_marked() -> None:
    assert Continuum.of(study(text=[TEXT, None, None, None, None])).length.tolist() == [19, 4]


def test_marked_words_are_not_taken_for_documents() -> None:
    covered = study(text=["Split", "Ana", "Ana", "at", None])
    assert covered.roles.get("text") in (None, "text")
    assert texts_of_documents(covered).text == (None, None)


def test_a_span_beyond_its_text_is_an_error_that_names_the_item() -> None:
    rows = [
        {"item": f"d{n}", "annotator": who, "label": "PER", "start": 0, "end": 3, "text": TEXT}
        for n in range(4)
        for who in ("ana", "ben")
    ]
    rows[2]["end"] = 25
    with pytest.raises(InputError, match=r"A span of item 'd1' ends at 25, and its text has 19 characters\."):
        Continuum.of(accord.Study(rows, start="start", end="end", text="text"))


def test_spans_on_top_of_each_other_are_units_of_their_own() -> None:
    stacked = {name: [*cells, cells[1]] for name, cells in ROWS.items()}
    found = Continuum.of(study(**stacked))
    assert found.units_of(0, 0).size == 3


def test_the_pieces_of_a_span_are_kept() -> None:
    pieces = study(fragments=["14 16;17 19", None, None, None, None])
    found = Continuum.of(pieces)
    assert not found.whole
    assert found.extent.tolist() == [3, 4, 3, 2]
    assert found.piece_of.tolist() == [0, 1, 1, 2, 3]


@pytest.mark.parametrize("cell", ["14 16", "a b", "14 18;17 19", "14 16 17 19", "14 17;12 19"])
def test_pieces_that_do_not_make_up_the_span_are_an_error(cell: str) -> None:
    with pytest.raises(InputError, match=r"fragments.*row 0"):
        study(fragments=[cell, None, None, None, None]).tally()


def test_an_end_before_the_start_is_an_error() -> None:
    with pytest.raises(InputError, match="ends at 3, before it begins at 14"):
        study(end=[3, 3, 3, 4, None]).tally()


def test_texts_that_differ_between_annotators_are_an_error(tmp_path: Path) -> None:
    for who, text in (("ana", "Nia sailed"), ("ben", "Nia has sailed")):
        (tmp_path / who).mkdir()
        (tmp_path / who / "d.txt").write_text(text)
        (tmp_path / who / "d.ann").write_text("T1\tPER 0 3\tNia\n")
        (tmp_path / who / "e.txt").write_text("Nia rowed")
        (tmp_path / who / "e.ann").write_text("T1\tPER 0 3\tNia\n")
    with pytest.raises(InputError, match="The text of item 'd' is not the same for all annotators"):
        accord.read(tmp_path)


def test_brat_pieces_that_touch_are_one(tmp_path: Path) -> None:
    for who in ("ana", "ben"):
        (tmp_path / who).mkdir()
        (tmp_path / who / "d.txt").write_text("Nia has sailed off")
        (tmp_path / who / "d.ann").write_text("T1\tA 4 7;8 14\thas sailed\nT2\tB 0 3;3 7\tNia  has\n")
    found = Continuum.of(accord.read(tmp_path))
    assert found.start.tolist() == [0, 4, 0, 4]
    assert np.array_equal(found.extent, [7, 9, 7, 9])
    assert texts_of_documents(accord.read(tmp_path)).text == ("Nia has sailed off",)


@given(
    st.lists(st.tuples(st.integers(0, 2), st.sampled_from("abc"), st.integers(0, 30), st.integers(1, 12)), max_size=30)
)
def test_overlaps_are_those_of_every_two_units(marks: list[tuple[int, str, int, int]]) -> None:
    held: list[dict[str, list[tuple[float, float, str]]]] = [{"a": [], "b": [], "c": []} for _ in range(3)]
    for document, who, start, length in marks:
        held[document][who].append((start, start + length, "x"))
    pairs = combinations([(who, start, start + length, document) for document, who, start, length in marks], 2)
    slow = sum(one[3] == two[3] and one[0] != two[0] and one[1] < two[2] and two[1] < one[2] for one, two in pairs)
    assert Continuum.of_marks(held).overlaps() == slow
