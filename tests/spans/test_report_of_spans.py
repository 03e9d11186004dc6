"""The report of spans: what counts as the same, who marks how much, and texts side by side with what differs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import accord
from accord.spans.continuum import Continuum
from accord.spans.passages import passages, shared_by_all

pytestmark = pytest.mark.usefixtures("few_planted_errors")

TEXT = "Ana sailed from Vis to Split with the <b>Acme</b> crew, and nobody else was seen that day on the whole island."
MARKS = {
    "ana": [(0, 3, "PER"), (16, 19, "LOC"), (23, 28, "LOC")],
    "ben": [(0, 3, "PER"), (16, 28, "LOC"), (23, 28, "LOC"), (41, 45, "ORG")],
    "cleo": [(0, 3, "PER"), (16, 19, "ORG"), (23, 28, "LOC")],
}


def study(texts: bool = True) -> accord.Study:
    rows: list[dict[str, Any]] = []
    for document in range(6):
        for who, marks in MARKS.items():
            for start, end, label in marks[: 3 if document % 2 else 4]:
                place = {"doc": f"d{document}", "who": who, "tag": label, "from": start, "to": end}
                rows.append({**place, "text": TEXT if texts else None})
    text = "text" if texts else None
    return accord.Study(rows, item="doc", annotator="who", label="tag", start="from", end="to", text=text)


def test_what_everybody_marked_alike_is_shared_and_nothing_else() -> None:
    found = Continuum.of_marks([MARKS])
    shared = shared_by_all(found)
    assert {(found.start[unit], found.end[unit]) for unit in range(found.n_units) if shared[unit]} == {(0, 3), (23, 28)}


def test_of_spans_on_top_of_each_other_as_many_are_shared_as_everybody_has() -> None:
    found = Continuum.of_marks([{"ana": [(0, 3, "A"), (0, 3, "A")], "ben": [(0, 3, "A")]}])
    assert shared_by_all(found).tolist() == [True, False, True]


def test_pieces_that_touch_are_the_place_that_they_are_together() -> None:
    rows = [("ana", 0, 8, "0 4;4 8"), ("ben", 0, 8, None), ("ana", 10, 15, "10 12;13 15"), ("ben", 10, 15, None)]
    marked = [
        {"doc": "d", "who": who, "tag": "A", "start": start, "end": end, "fragments": pieces}
        for who, start, end, pieces in rows
    ]
    found = Continuum.of(accord.Study(marked, item="doc", annotator="who", label="tag", start="start", end="end"))
    assert shared_by_all(found).tolist() == [True, False, True, False]
    assert shared_by_all(Continuum.of_marks([{"ana": [], "ben": []}])).tolist() == []


def test_a_line_has_a_bracket_for_every_border_and_keeps_every_character() -> None:
    found = Continuum.of_marks([MARKS])
    shown, there = passages(found, 0, TEXT, shared_by_all(found), 5)
    assert there == len(shown) == 1
    for who, parts in shown[0].lines:
        assert "".join(part.text for part in parts) == TEXT[shown[0].start : shown[0].end]
        marked = sum(len(part.opens) for part in parts)
        assert marked == sum(len(part.closes) for part in parts) == len(found.units_of(0, who))
    overlapping = dict(shown[0].lines)[1]
    assert [part.depth for part in overlapping if part.text == "Split"] == [2]


def test_marks_that_cross_have_their_label_at_both_ends_and_nested_ones_at_one() -> None:
    """`[a [b]X c]Y` reads as b within the whole, where X was marked over a b and Y over b c."""
    text = "a b c d e f"
    found = Continuum.of_marks([{"ana": [(0, 3, "X"), (2, 5, "Y"), (6, 11, "V"), (8, 9, "W")], "ben": []}])
    (passage,), _ = passages(found, 0, text, shared_by_all(found), 5)
    parts = dict(passage.lines)[0]
    assert [(part.text, part.opens, part.closes) for part in parts if part.text.strip()] == [
        ("a ", ("X",), ()), ("b", ("Y",), ("X",)), (" c", (), ("Y",)),
        ("d ", (None,), ()), ("e", (None,), ("W",)), (" f", (), ("V",)),
    ]  # fmt: skip


@pytest.mark.parametrize("ending", [".html", ".md", ".json", ".tex"])
def test_every_form_of_report_is_written_of_spans(tmp_path: Path, ending: str) -> None:
    path = accord.report(study(), tmp_path / f"spans{ending}")
    assert "Span F1" in path.read_text("utf-8")


def test_texts_are_marked_side_by_side_and_inert(tmp_path: Path) -> None:
    page = accord.report(study(), tmp_path / "spans.html").read_text("utf-8")
    assert page.count("<dt>cleo</dt>") >= 6
    assert "<b>]</b><sub>ORG</sub>" in page
    assert "&lt;b&gt;" in page
    assert "<b>Acme" not in page


def test_without_texts_the_places_are_listed(tmp_path: Path) -> None:
    page = accord.report(study(texts=False), tmp_path / "spans.html").read_text("utf-8")
    assert "The table has no texts of documents." in page
    hidden = accord.report(study(), tmp_path / "hidden.html", show_text=False).read_text("utf-8")
    assert "sailed from" not in hidden


def test_names_stay_hidden_in_the_texts(tmp_path: Path) -> None:
    page = accord.report(study(), tmp_path / "spans.html", anonymise=True).read_text("utf-8")
    assert not any(f"<dt>{who}</dt>" in page for who in MARKS)


def test_the_sentence_for_a_paper_counts_spans_and_documents() -> None:
    assert accord.measure(study()).sentence().startswith("Three annotators marked 57 spans in 6 documents.")
