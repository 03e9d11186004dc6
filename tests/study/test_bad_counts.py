"""Tables of counts that are none, counts given as ratings, and two studies that do not go together."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import numpy as np
import pandas as pd
import pytest

from accord.errors import InputError
from tests.study.refusing import refused

accord: Any = import_module("accord")  # untyped: these tests give what the types forbid
Study = accord.Study

LONG: dict[str, list[Any]] = {
    "item": [1, 1, 2, 2, 3, 3],
    "annotator": ["ana", "ben"] * 3,
    "label": ["a", "a", "b", "a", "b", "b"],
}


@pytest.mark.parametrize("cell", [-1, 1.5, np.nan, None, np.inf, "two", "2", b"2", [2], 2**60, pd.NA], ids=repr)
def test_counts_are_whole_numbers_not_below_zero(cell: Any) -> None:
    table = [[1, 2], [3, cell]]
    said = (f"found {cell!r} in row 1, column ", "Leave out columns that are no counts, and write 0 for none")
    refused(
        InputError,
        lambda: Study.from_counts(table),
        "Counts must be whole numbers from 0 to 1,099,511,627,776, none missing",
        *said,
    )
    refused(InputError, lambda: Study.from_confusion(table), "A confusion table must be whole numbers from 0", *said)
    frame = pd.DataFrame({"yes": pd.Series([1, 3], dtype=object), "no": pd.Series([2, cell], dtype=object)})
    refused(InputError, lambda: Study.from_counts(frame), "in row 1, column 'no'")


def test_an_id_column_is_no_count() -> None:
    frame = pd.DataFrame({"item": ["i1", "i2"], "yes": [1, 2], "no": [2, 1]})
    refused(InputError, lambda: Study.from_counts(frame), "found 'i1' in row 0, column 'item'", "Leave out columns")


def test_labels_name_every_column_of_counts() -> None:
    refused(
        InputError,
        lambda: Study.from_counts([[1, 2], [3, 4]], labels=["a"]),
        "2 columns of counts, and labels names 1: 'a'",
    )
    refused(
        InputError, lambda: Study.from_confusion([[1, 2], [3, 4]], labels=["a", "b", "c"]), "2 rows, and labels names 3"
    )


def test_a_confusion_table_is_square() -> None:
    refused(
        InputError,
        lambda: Study.from_confusion([[1, 2, 3], [4, 5, 6]]),
        "must be square",
        "got 2 × 3",
        "rows or columns of 0",
        "Study.from_counts(table)",
    )


def test_the_rows_of_a_confusion_table_are_labelled_like_its_columns() -> None:
    table = pd.crosstab(pd.Series(["a", "b", "b"]), pd.Series(["b", "c", "b"]))
    refused(
        InputError,
        lambda: Study.from_confusion(table),
        "the rows are 'a', 'b' and the columns 'b', 'c'",
        "table.reindex(index=labels",
    )


def test_a_confusion_table_of_too_many_items_is_refused() -> None:
    refused(InputError, lambda: Study.from_confusion([[10**9, 1], [1, 1]]), "The table counts 1,000,000,003 items")


@pytest.mark.parametrize(
    "table",
    [
        [[3, 0], [1, 2], [2, 1]],
        np.array([[3, 0], [1, 2], [2, 1]]),
        np.array([[3, 0], [1, 2], [2, 1]], dtype=np.uint8),
        np.array([[3.0, 0.0], [1.0, 2.0], [2.0, 1.0]]),
        [[3, 0.0], [1, 2], [2, np.float64(1)]],
    ],
    ids=["rows", "array", "small", "floats", "objects"],
)
def test_counts_given_as_ratings_are_refused_with_both_calls(table: Any) -> None:
    said = ("Every row of the array sums to 3", "Study.from_counts(array)", "Study.from_wide(array)")
    refused(InputError, lambda: accord.fleiss_kappa(table), *said)
    refused(InputError, lambda: accord.krippendorff_alpha(table), *said)
    refused(InputError, lambda: accord.measure(table), *said)
    assert np.isfinite(accord.fleiss_kappa(Study.from_counts(table)).value)
    assert np.isfinite(accord.fleiss_kappa(Study.from_wide(table)).value)


@pytest.mark.parametrize(
    "ratings",
    [
        [[1, 2], [2, 2]],
        [["a", "b"], ["b", "a"]],
        [[0, 1], [1, 0]],
        [[1.5, 1.5], [2.5, 0.5]],
        [[3, 0], [1, None]],
        np.ma.masked_array([[3, 0], [1, 2]], mask=[[False, False], [False, True]]),
        [[-1, 4], [1, 2]],
        [[10**400, 0], [10**400, 0]],
        [[1e308, 1e308], [1e308, 1e308]],
    ],
    ids=["other sums", "text", "ones", "fractions", "gap", "masked", "negative", "huge", "beyond sums"],
)
def test_ratings_that_are_no_counts_are_not_refused(ratings: Any) -> None:
    assert accord.fleiss_kappa(ratings).n_annotators == 2


# -- two studies ---------------------------------------------------------------------------------------------------


def test_ids_as_numbers_in_one_study_and_text_in_another_are_refused() -> None:
    one = accord.fleiss_kappa(Study(LONG))
    other = accord.fleiss_kappa(Study({**LONG, "item": [str(item) for item in LONG["item"]]}))
    refused(
        InputError,
        lambda: accord.compare(one, other),
        "Item ids are int in one study (1, 2 …",
        "and str in the other ('1', '2' …",
        "Make them one type",
    )
    assert accord.compare(one, other, paired=False).common_items == 0


def test_two_studies_that_are_to_be_paired_have_the_same_items() -> None:
    one = accord.fleiss_kappa(Study(LONG))
    other = accord.fleiss_kappa(Study({**LONG, "item": [7, 7, 8, 8, 9, 9]}))
    refused(
        InputError,
        lambda: accord.compare(one, other, paired=True),
        "needs common items",
        "1, 2, 3 and 7, 8, 9 share none",
    )
    rows = accord.fleiss_kappa([["a", "b"], ["b", "b"]])
    longer = accord.fleiss_kappa([["a", "b"], ["b", "b"], ["a", "a"]])
    refused(InputError, lambda: accord.compare(rows, longer, paired=True), "the studies have 2 and 3 without names")
