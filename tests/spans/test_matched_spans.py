"""Labels and attributes of spans that several annotators marked, as a study of their own."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import accord
from accord.errors import MeasureError, OptionError
from tests.spans.drawn import many, one, study


def test_places_that_two_marked_are_items() -> None:
    marked = study(
        [{"ana": [one(0, 4, "X"), one(5, 9, "Y"), one(20, 22, "X")], "ben": [one(0, 4, "Y"), one(5, 9, "Y")]}]
    )
    found = accord.matched_spans(marked)
    assert (found.kind, found.n_items, found.n_annotations) == ("single", 2, 4)
    assert accord.percent_agreement(found).value == 0.5


def test_the_same_place_in_two_documents_is_two_items() -> None:
    document = {"ana": [one(0, 4, "X")], "ben": [one(0, 4, "X")]}
    assert accord.matched_spans(study([document, document])).n_items == 2


def test_three_annotators_share_one_item() -> None:
    found = accord.matched_spans(study([{who: [one(0, 4, "X")] for who in ("ana", "ben", "cyd")}]))
    assert (found.n_items, found.n_annotations) == (1, 3)


def test_overlapping_spans_are_items_of_two() -> None:
    marked = study([{"ana": [one(0, 4, "X"), one(9, 12, "Y")], "ben": [one(1, 4, "Y")], "cyd": [one(0, 5, "X")]}])
    with pytest.raises(MeasureError, match="No span was marked by two annotators"):
        accord.matched_spans(marked)
    found = accord.matched_spans(marked, match="overlap")
    assert (found.n_items, found.n_annotations) == (3, 6)
    assert accord.percent_agreement(found).value == pytest.approx(1 / 3)


def test_several_labels_on_one_place_are_a_set() -> None:
    stacked = study([{"ana": [one(0, 4, "X"), one(0, 4, "Y")], "ben": [one(0, 4, "X")]}])
    assert accord.matched_spans(stacked).kind == "set"
    twice = study([{"ana": [one(0, 4, "X"), one(0, 4, "X")], "ben": [one(0, 4, "X")]}])
    assert accord.matched_spans(twice).kind == "single"


def test_intervals_are_over_documents() -> None:
    found = accord.matched_spans(study(many(40, np.random.default_rng(1), shift=0.1, wrong=0.2, missed=0.1)))
    interval = accord.krippendorff_alpha(found).interval()
    assert interval.clusters is not None
    assert interval.clusters <= 40
    assert found.roles["cluster"] == "document"


def test_an_attribute_is_a_label_like_any_other() -> None:
    """Severity of errors that both marked, whatever category they were given."""
    table: dict[str, Any] = {
        "doc": ["d"] * 4, "who": ["ana", "ana", "ben", "ben"], "start": [0, 9, 0, 9], "end": [4, 12, 4, 12],
        "tag": ["style", "grammar", "grammar", "grammar"], "severity": ["minor", "major", "minor", "minor"],
    }  # fmt: skip
    found = accord.matched_spans(table, item="doc", annotator="who", label="severity", start="start", end="end")
    assert accord.percent_agreement(found).value == 0.5


def test_other_answers_and_unknown_criteria_are_refused() -> None:
    with pytest.raises(MeasureError, match="these are single answers"):
        accord.matched_spans(accord.Study.from_pairs(["a"], ["b"]))
    unknown: Any = "iou"
    with pytest.raises(OptionError, match=r"match must be one of 'exact'.*'overlap'"):
        accord.matched_spans(study([{"ana": [], "ben": []}]), match=unknown)
