"""What counts as missing, and what two cells must have in common to be one label."""

from __future__ import annotations

import datetime as dt
import enum
import math
from decimal import Decimal
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest

import accord
from accord import Study
from accord.errors import LabelError

WAYS_TO_BE_MISSING = {
    "None": None,
    "NaN": math.nan,
    "NaN of NumPy": np.float32("nan"),
    "NaT": pd.NaT,
    "NaT of NumPy": np.datetime64("NaT", "s"),
    "NA": pd.NA,
    "masked": np.ma.masked,
    "nothing": "",
    "blank": " \t\n",
    "no-break space": "\u00a0",
    "NaN of decimals": Decimal("NaN"),
}


@pytest.mark.parametrize("missing", WAYS_TO_BE_MISSING.values(), ids=WAYS_TO_BE_MISSING)
def test_there_are_many_ways_to_say_nothing(missing: Any) -> None:
    wide = Study.from_wide([["a", missing], ["b", "b"]])
    long = Study({"item": [1, 1, 2, 2], "annotator": ["ana", "ben"] * 2, "label": ["a", missing, "b", "b"]})
    pairs = Study.from_pairs(["a", "b"], [missing, "b"])
    for study in (wide, long, pairs):
        assert (study.labels, study.n_annotations) == (("a", "b"), 3)
        assert sum(study.left_out.values()) == 1


@pytest.mark.parametrize("missing", WAYS_TO_BE_MISSING.values(), ids=WAYS_TO_BE_MISSING)
def test_an_item_or_annotator_may_be_missing_in_as_many_ways(missing: Any) -> None:
    study = Study({"item": [1, 1, missing], "annotator": ["ana", "ben", "ben"], "label": ["a", "b", "only here"]})
    assert (study.n_annotations, dict(study.left_out)) == (2, {"rows without an item": 1})
    study = Study({"item": [1, 1, 2], "annotator": ["ana", "ben", missing], "label": ["a", "b", "only here"]})
    assert (study.n_annotations, dict(study.left_out)) == (2, {"rows without an annotator": 1})
    assert study.labels == ("a", "b"), "a label that nobody gave is not on the scale"


@pytest.mark.parametrize("text", ["nan", "NaN", "None", "null", "NA", "N/A", "-", "0"])
def test_a_text_that_only_looks_like_nothing_is_a_label(text: str) -> None:
    frame = pd.DataFrame({"item": [1, 1], "annotator": ["ana", "ben"], "label": [text, "a"]})
    for data in (frame, frame.astype(object), frame.astype({"label": "category"}), pl.from_pandas(frame)):
        assert set(Study(data).labels) == {text, "a"}
    assert set(Study.from_wide(np.array([[text, "a"]])).labels) == {text, "a"}


def test_a_label_is_neither_trimmed_nor_folded() -> None:
    study = Study.from_wide([["Yes", "yes"], ["yes ", " yes"], ["YES", "ye s"]])
    assert study.labels == tuple(sorted(["Yes", "yes", "yes ", " yes", "YES", "ye s"]))


def test_the_same_letters_in_other_code_points_are_the_same_label() -> None:
    composed, decomposed = "caf\u00e9", "cafe\u0301"
    assert composed != decomposed
    study = Study.from_wide([[composed, decomposed]])
    assert study.labels == (composed,)
    category = pd.DataFrame({"item": [1, 1], "annotator": ["ana", "ben"], "label": [composed, decomposed]}).astype(
        "category"
    )
    assert Study(category).labels == (composed,)
    assert Study({"item": [composed, decomposed], "annotator": ["ana", "ben"], "label": ["a", "b"]}).n_items == 1


def test_compatible_characters_stay_apart() -> None:
    assert len(Study.from_wide([["ﬁne", "fine"], ["２", "2"]]).labels) == 4


@pytest.mark.parametrize(
    "cells",
    [[1, 1.0, np.int64(1), np.float32(1), Decimal(1), 1], [10**17, float(10**17)], [0, -0.0, np.uint8(0)]],
    ids=["one", "large", "zero"],
)
def test_a_whole_float_is_the_integer_it_stands_for(cells: list[Any]) -> None:
    study = Study.from_wide([[cell, cell] for cell in cells])
    assert study.labels == (int(cells[0]),)
    assert type(study.labels[0]) is int


def test_a_fraction_stays_a_fraction() -> None:
    assert Study.from_wide([[0.5, 1], [np.float32(0.25), 1]]).labels == (0.25, 0.5, 1)


def test_yes_and_no_are_not_one_and_zero() -> None:
    assert Study.from_wide(np.array([[True, False], [True, True]])).labels == (False, True)
    assert Study.from_wide([[True, None], [False, True]]).labels == (False, True)
    said = r"mixed types: .*(yes/no|number).* [mM]ake them one type before reading"
    with pytest.raises(LabelError, match=said):
        Study.from_wide([[True, 1], [False, 0]])
    with pytest.raises(LabelError, match=said):
        Study.from_pairs([True, False], [1, 0])
    with pytest.raises(LabelError, match=said):
        Study.from_wide(pd.DataFrame({"ana": [True, False], "ben": [1, 0]}))


class Tone(enum.StrEnum):
    WARM = "warm"
    COLD = "cold"


def test_a_label_is_plain_text_or_a_plain_number() -> None:
    study = Study.from_pairs([Tone.WARM, np.str_("cold")], [np.str_("warm"), Tone.COLD])
    assert [type(label) for label in study.labels] == [str, str]
    assert study.labels == ("cold", "warm")
    assert [type(label) for label in Study.from_pairs([np.int8(1)], [np.float64(0.5)]).labels] == [float, int]


@pytest.mark.parametrize(
    "ids",
    [
        [2**53 + 1, 2**53 + 2, 2**53 + 3],
        [-(2**62), 0, 2**62],
        [2**63 + 5, 2**63 + 7, 2**64 - 1],
        [10**25, 10**25 + 1, 10**25 + 2],
    ],
    ids=["beyond floats", "far apart", "unsigned", "beyond 64 bits"],
)
def test_large_ids_keep_all_their_digits(ids: list[int]) -> None:
    table: dict[str, list[Any]] = {
        "item": [*ids, *ids, None],
        "annotator": ["ana"] * 3 + ["ben"] * 4,
        "label": list("abaabab"),
    }
    frames: list[Any] = [table]
    if max(ids) < 2**64:
        kind: Any = "UInt64" if max(ids) >= 2**63 else "Int64"
        frames += [
            pd.DataFrame(table).assign(item=pd.array(table["item"], dtype=kind)),
            pl.DataFrame(table, schema_overrides={"item": getattr(pl, kind)}),
            {**table, "item": np.ma.masked_array([*ids, *ids, 0], mask=[False] * 6 + [True], dtype=kind.lower())},
        ]
    for frame in frames:
        study = Study(frame)
        assert list(study.items) == ids
        assert dict(study.left_out) == {"rows without an item": 1}


def test_small_integers_far_apart_do_not_wrap_around() -> None:
    study = Study.from_wide(np.array([[-100, 100], [100, 100], [-128, 127]], dtype=np.int8))
    assert study.labels == (-128, -100, 100, 127)
    assert accord.percent_agreement(study).value == pytest.approx(1 / 3)


def test_what_lies_under_a_mask_does_not_count() -> None:
    cells = np.ma.masked_array([[1.0, 2.0], [np.inf, 2.0]], mask=[[False, False], [True, False]])
    assert Study.from_wide(cells).labels == (1, 2)
    objects = np.ma.masked_array(
        np.array([["a", b"bytes"], ["a", "b"]], dtype=object), mask=[[False, True], [False, False]]
    )
    assert Study.from_wide(objects).labels == ("a", "b")


def test_moments_that_are_missing_are_no_answers_and_others_are_no_labels() -> None:
    for unit in ("D", "s", "ns"):
        missing = np.array([["NaT", "NaT"]], dtype=f"datetime64[{unit}]")
        assert Study.from_wide(missing).n_annotations == 0
        with pytest.raises(LabelError, match=r"must be text, a number or yes/no; found .*2020.* Make it text first"):
            Study.from_wide(np.array([["2020-05-17", "NaT"]], dtype=f"datetime64[{unit}]"))
    with pytest.raises(LabelError, match="of type date"):
        Study.from_wide([[dt.date(2020, 5, 17), "a"]])


def test_numbers_sort_by_value_and_text_by_code_point() -> None:
    assert Study.from_wide([[10, 9], [-1, 2.5]]).labels == (-1, 2.5, 9, 10)
    assert Study.from_wide([["10", "9"], ["b", "B"], ["é", "z"]]).labels == ("10", "9", "B", "b", "z", "é")
    people = Study({"item": [1, 1, 1], "annotator": [10, 9, 1], "label": ["a", "b", "a"]})
    assert people.annotators == ("1", "9", "10")
