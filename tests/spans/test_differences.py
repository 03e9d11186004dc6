"""What differs between what two annotators marked, and the counts of MUC and SemEval-2013."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pytest
from hypothesis import given

import accord
from accord.spans.differences import Differences
from tests.spans.drawn import Documents, continuum, documents, many, one, study

SENTENCE = "Tom Bell saw New York City on Monday with Acme Corp"


def what(first: list[Any], second: list[Any], **options: Any) -> list[str]:
    """The kinds of differences in one document."""
    return [row["what"] for row in accord.span_differences(study([{"ana": first, "ben": second}]), **options)]


def test_each_kind_of_difference_has_its_word() -> None:
    mark = one(10, 20, "X")
    assert what([mark], [mark]) == ["same"]
    assert what([mark], [one(10, 20, "Y")]) == ["relabelled"]
    assert what([mark], [one(9, 21, "X")]) == ["shifted"]
    assert what([mark], [one(12, 20, "Y")]) == ["relabelled and shifted"]
    assert what([mark], []) == what([], [mark]) == ["missing"]
    assert what([mark], [one(30, 40, "X")]) == ["missing", "missing"]
    assert what([mark], [one(10, 14, "X"), one(15, 20, "X")]) == ["split"]
    assert what([one(10, 14, "X"), one(15, 20, "X")], [mark]) == ["merged"]


def test_a_split_tells_where_all_its_parts_lie() -> None:
    parts = [one(10, 13, "X"), one(14, 16, "X"), one(17, 22, "X")]
    row = next(iter(accord.span_differences(study([{"ana": [one(10, 20, "X")], "ben": parts}]))))
    assert (row["what"], row["second_start"], row["second_end"], row["end_by"]) == ("split", 10, 22, 2)


def test_seen_from_the_reference_a_merger_is_a_split() -> None:
    whole, parts = [one(10, 20, "X")], [one(10, 14, "X"), one(15, 20, "X")]
    assert what(whole, parts, reference="ben") == ["merged"]
    row = next(iter(accord.span_differences(study([{"ana": whole, "ben": parts}]), reference="ben")))
    assert (row["first"], row["second"]) == ("ben", "ana")


def test_a_mark_nested_in_two_that_are_the_same_is_no_split() -> None:
    name = one(0, 10, "X")
    assert Counter(what([name], [name, one(0, 4, "X")])) == {"same": 1, "missing": 1}


def test_parts_of_other_labels_are_marks_of_their_own() -> None:
    found = what([one(0, 10, "NAME")], [one(0, 6, "FIRST"), one(7, 10, "LAST")])
    assert found == ["relabelled and shifted", "missing"]


def test_how_far_borders_lie_apart_is_told_with_its_sign() -> None:
    row = next(iter(accord.span_differences(study([{"ana": [one(10, 20, "X")], "ben": [one(8, 21, "X")]}]))))
    assert (row["start_by"], row["end_by"]) == (-2, 1)
    assert row["overlap"] == pytest.approx(10 / 13)


def test_other_pieces_between_the_same_ends_are_a_shift() -> None:
    assert what([(((0, 3), (8, 11)), "X")], [one(0, 11, "X")]) == ["shifted"]


def test_stacked_marks_are_relabelled_one_by_one() -> None:
    """The same labels belong together, whatever the order; what is left is relabelled."""
    first, second = [one(0, 4, "X"), one(0, 4, "Y")], [one(0, 4, "Y"), one(0, 4, "Z")]
    rows = list(accord.span_differences(study([{"ana": first, "ben": second}])))
    assert {(row["first_label"], row["second_label"], row["what"]) for row in rows} == {
        ("Y", "Y", "same"), ("X", "Z", "relabelled"),
    }  # fmt: skip


def test_words_are_shown_where_the_text_is_known() -> None:
    table = {
        "doc": ["d"] * 3, "who": ["ana", "ana", "ben"], "text": [SENTENCE] * 3, "start": [0, 13, 13],
        "end": [8, 26, 21],
        "tag": ["PER", "LOC", "LOC"],
    }  # fmt: skip
    found = accord.span_differences(
        table, item="doc", annotator="who", label="tag", start="start", end="end", text="text"
    )
    assert [(row["first_text"], row["second_text"]) for row in found] == [
        ("Tom Bell", None), ("New York City", "New York"),
    ]  # fmt: skip


@given(documents())
def test_every_mark_is_told_once(drawn: Documents) -> None:
    """In each shared document, no mark twice and none left out; both ways round the same."""
    whole = study(drawn)
    found = accord.span_differences(whole)
    rows = list(found)
    told = Counter[str]()
    for row in rows:
        several = row["what"] in ("split", "merged")
        for side in ("first", "second"):
            told[row[side]] += row[f"{side}_start"] is not None and not several
    expected = Counter[str]()
    for document in drawn:
        for who, marks in document.items():
            expected[who] += len(marks) * (len(document) - 1)
    if not {"split", "merged"} & {row["what"] for row in rows}:
        assert +told == +expected
    assert [row["what"] for row in accord.span_differences(whole)] == [row["what"] for row in rows]


@given(documents())
def test_strict_f1_is_exact_span_f1_and_exact_that_of_boundaries(drawn: Documents) -> None:
    whole = study(drawn)
    rows = list(accord.span_counts(whole))
    asked: dict[str, Any] = {"strict": "exact", "exact": "boundary"}
    for scheme, match in asked.items():
        mine = [row["f1"] for row in rows if row["scheme"] == scheme]
        result = accord.span_f1(whole, match=match)
        theirs = [row["value"] for row in result.by_pair()] if not result.undefined else [np.nan] * len(mine)
        assert mine == pytest.approx(theirs, nan_ok=True)


def test_counts_of_a_sentence() -> None:
    """From spans-and-rankings.json (span_pair_AB, span_pair_AC), checked there with nervaluate 1.2.1."""
    a = [one(0, 2, "PER"), one(3, 6, "LOC"), one(7, 8, "DATE")]
    b = [one(0, 2, "PER"), one(3, 5, "LOC"), one(9, 11, "ORG")]
    c = [one(0, 1, "PER"), one(3, 6, "ORG"), one(7, 8, "DATE"), one(9, 11, "ORG")]
    wanted = {
        ("ben", "strict"): (1, 1, 0, 1, 1, 1 / 3, 1 / 3), ("ben", "partial"): (1, 0, 1, 1, 1, 0.5, 0.5),
        ("ben", "type"): (2, 0, 0, 1, 1, 2 / 3, 2 / 3), ("ben", "exact"): (1, 1, 0, 1, 1, 1 / 3, 1 / 3),
        ("cyd", "strict"): (1, 2, 0, 0, 1, 0.25, 1 / 3), ("cyd", "partial"): (2, 0, 1, 0, 1, 0.625, 5 / 6),
        ("cyd", "type"): (2, 1, 0, 0, 1, 0.5, 2 / 3), ("cyd", "exact"): (2, 1, 0, 0, 1, 0.5, 2 / 3),
    }  # fmt: skip
    columns = ("correct", "incorrect", "partial", "missing", "spurious", "precision", "recall")
    found = accord.span_counts(study([{"ana": a, "ben": b, "cyd": c}]), reference="ana")
    told = {(row["second"], row["scheme"]): tuple(row[name] for name in columns) for row in found}
    assert told == {key: pytest.approx(value) for key, value in wanted.items()}


def test_missing_and_spurious_change_places_with_the_reference() -> None:
    drawn = study(many(10, np.random.default_rng(2), shift=0.1, wrong=0.1, missed=0.2))
    one_way = {row["scheme"]: row for row in accord.span_counts(drawn, reference="ana") if row["second"] == "cyd"}
    other = {row["scheme"]: row for row in accord.span_counts(drawn, reference="cyd") if row["second"] == "ana"}
    for scheme, row in one_way.items():
        assert (row["missing"], row["spurious"]) == (other[scheme]["spurious"], other[scheme]["missing"])
        assert (row["precision"], row["f1"]) == pytest.approx((other[scheme]["recall"], other[scheme]["f1"]))


def test_answers_that_are_no_spans_are_refused() -> None:
    with pytest.raises(
        accord.AccordError, match="A comparison of spans is about answers in spans; these are single answers"
    ):
        accord.span_differences(accord.Study.from_pairs(["a"], ["b"]))


def test_habits_of_each_annotator_are_counted_both_ways() -> None:
    mine = [one(0, 10, "X"), one(20, 30, "X"), one(40, 50, "X"), one(60, 70, "X")]
    theirs = [one(2, 10, "X"), one(20, 33, "Y"), one(40, 44, "X"), one(45, 50, "X")]
    found = Differences.of(continuum([{"ana": mine, "ben": theirs}])).by_annotator()
    assert {name: counts[:2].tolist() for name, counts in found.items()} == {
        "same": [0, 0], "relabelled": [1, 1], "starts earlier": [1, 0], "starts later": [0, 1],
        "ends earlier": [1, 0], "ends later": [0, 1], "in parts": [0, 1], "as one": [1, 0], "only this one": [1, 0],
        "only another": [0, 1],
    }  # fmt: skip
