"""`ordered=`: labels are listed by one keyword, and that they have an order is said by another."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import accord
from accord import Study
from accord.errors import LabelError, OptionError

FIRST, SECOND = ["low", "high", "mid"] * 4, ["low", "mid", "mid"] * 4
SCALE = ["low", "mid", "high"]
LONG = {
    "item": [*range(12)] * 2,
    "annotator": ["ana"] * 12 + ["ben"] * 12,
    "label": FIRST + SECOND,
}
GRID = [list(row) for row in zip(FIRST, SECOND, strict=True)]

SHAPES: dict[str, Callable[..., Study]] = {
    "long": lambda **said: Study(LONG, **said),
    "recognised": lambda **said: Study(
        {"doc": LONG["item"], "rater": LONG["annotator"], "code": LONG["label"]}, **said
    ),
    "wide": lambda **said: Study.from_wide(GRID, **said),
    "turned": lambda **said: Study.from_raters_items([FIRST, SECOND], **said),
    "pairs": lambda **said: Study.from_pairs(FIRST, SECOND, **said),
    "counts": lambda **said: Study.from_counts([[2, 1, 0], [0, 1, 2]], **said),
    "confusion": lambda **said: Study.from_confusion([[4, 0, 0], [0, 4, 0], [0, 4, 0]], **said),
    "declared later": lambda **said: Study.from_pairs(FIRST, SECOND).declare(**said),
}


@pytest.mark.parametrize("make", SHAPES.values(), ids=SHAPES)
def test_a_list_of_labels_is_an_order_only_where_that_is_said(make: Callable[..., Study]) -> None:
    assert make(labels=SCALE).level is None
    scale = make(labels=SCALE, ordered=True)
    assert (scale.level, scale.labels) == ("ordinal", tuple(SCALE))
    assert make(labels=SCALE, ordered=False).level == "nominal"


def test_a_file_is_read_with_it(tmp_path: Path) -> None:
    file = tmp_path / "answers.csv"
    rows = [f"{item},{who},{label}" for item, who, label in zip(*LONG.values(), strict=True)]
    file.write_text("\n".join(["item,annotator,label", *rows]), encoding="utf-8")
    assert accord.read(file, labels=SCALE).level is None
    assert accord.read(file, labels=SCALE, ordered=True).level == "ordinal"


def test_a_measure_takes_it_with_the_data() -> None:
    said = accord.krippendorff_alpha(FIRST, SECOND, labels=SCALE, ordered=True)
    assert said.value == accord.krippendorff_alpha(FIRST, SECOND, labels=SCALE, level="ordinal").value
    assert said.value != accord.krippendorff_alpha(FIRST, SECOND, labels=SCALE).value


def test_numbers_and_words_that_everybody_knows_bring_their_order() -> None:
    assert Study.from_pairs([1, 2, 3], [1, 3, 3], ordered=True).level == "ordinal"
    words = Study.from_pairs(FIRST, SECOND, ordered=True)
    assert words.labels == tuple(SCALE)
    assert any("low < mid < high" in note for note in words.notes)


def test_names_need_a_list_and_are_told_so() -> None:
    with pytest.raises(LabelError, match=r"ordered=True needs labels in an order.*labels=\["):
        Study.from_pairs(["cat", "dog"], ["dog", "dog"], ordered=True)
    with pytest.raises(OptionError, match="one label per answer"):
        Study.from_pairs([["a"], ["b"]], [["a"], ["a"]], answers="set", ordered=True)


@pytest.mark.parametrize(
    ("said", "way_out"),
    [
        ({"ordered": True, "levels": "nominal"}, "ordered=True and levels='nominal' contradict"),
        ({"ordered": False, "levels": "interval"}, "ordered=False and levels='interval' contradict"),
        ({"ordered": SCALE}, r"labels=\['low', 'middle', 'high'\], ordered=True"),
        ({"ordered": True, "levels": {"label": "ordinal"}}, "not both"),
    ],
)
def test_contradictions_are_errors_that_show_the_way(said: dict[str, Any], way_out: str) -> None:
    with pytest.raises(OptionError, match=way_out):
        Study(LONG, labels=SCALE, **said)


def test_a_finer_level_is_ordered_too() -> None:
    assert Study.from_pairs([1, 2, 3], [1, 3, 3], ordered=True, levels="interval").level == "interval"
