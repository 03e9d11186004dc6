"""Data that cannot be a study: each case is refused with what was found and the way out."""

from __future__ import annotations

import datetime as dt
import uuid
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from accord.errors import ColumnMissing, InputError, LabelError, OptionError
from tests.study.refusing import refused

accord: Any = import_module("accord")  # untyped: these tests give what the types forbid
Study = accord.Study

LONG: dict[str, list[Any]] = {
    "item": [1, 1, 2, 2, 3, 3],
    "annotator": ["ana", "ben"] * 3,
    "label": ["a", "a", "b", "a", "b", "b"],
}
WIDE = pd.DataFrame({"item": [1, 2, 3], "ana": ["a", "b", "b"], "ben": ["a", "a", "b"]})


# -- columns -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "form", [dict, pd.DataFrame, pl.DataFrame, pl.LazyFrame, pa.table], ids=lambda form: form.__name__
)
def test_an_unknown_column_is_named_with_the_nearest_that_is_there(form: Any) -> None:
    said = (
        "No column 'annotater' to read the annotator from",
        "the table has 'item', 'annotator', 'label'",
        "Did you mean annotator='annotator'?",
    )
    refused(ColumnMissing, lambda: Study(form(LONG), annotator="annotater"), *said)
    refused(ColumnMissing, lambda: accord.fleiss_kappa(form(LONG), annotator="annotater"), *said)
    refused(ColumnMissing, lambda: accord.measure(form(LONG), annotator="annotater"), *said)


@pytest.mark.parametrize(
    "role", ["item", "label", "rank", "score", "task", "time", "cluster", "suggested", "kind", "text"]
)
def test_an_unknown_column_is_told_by_its_role(role: str) -> None:
    refused(
        ColumnMissing,
        lambda: Study(LONG, **{role: "zzz"}),
        f"No column 'zzz' to read the {role} from",
        f"Say which one it is: {role}=…",
    )


def test_a_table_without_annotators_says_what_it_has() -> None:
    table = {"item": [1, 1], "label": ["a", "b"]}
    for ask in (lambda: Study(table), lambda: accord.measure(pd.DataFrame(table))):
        refused(
            InputError,
            ask,
            "Which column is the annotator? The table has 'item', 'label'",
            "item=…, annotator=…, label=…",
        )
    refused(ColumnMissing, lambda: Study(LONG, annotator="who"), "No column 'who' to read the annotator from")


def test_a_table_without_labels_says_what_it_has() -> None:
    assert Study({"item": [1], "annotator": ["ana"], "labels": ["a"]}).roles["label"] == "labels"
    refused(
        InputError,
        lambda: Study({"item": [1], "annotator": ["ana"]}),
        "No column is left for the label; the table has 'item', 'annotator'",
    )


def test_two_columns_of_one_name_are_refused() -> None:
    frame = pd.DataFrame([[1, "ana", "a", "b"]], columns=["item", "annotator", "label", "label"])
    arrow = pa.Table.from_arrays([[1], ["ana"], ["a"], ["b"]], names=list(frame.columns))
    said = ("Several columns of the table have the same name", "'label' 2 times")
    refused(InputError, lambda: Study(frame), *said)
    refused(InputError, lambda: Study(arrow), *said)
    refused(InputError, lambda: Study.from_wide(frame), *said)


def test_columns_of_different_lengths_are_refused() -> None:
    refused(
        InputError,
        lambda: Study({**LONG, "label": ["a"]}),
        "columns are of different lengths",
        "'label': 1",
        "'item': 6",
    )


@pytest.mark.parametrize(
    "cells",
    [1, "aabbab", None, b"ab", {"a": 1}, {"a", "b"}, np.zeros((6, 2))],
    ids=["number", "text", "None", "bytes", "dict", "set", "array"],
)
def test_a_column_that_is_none_is_refused(cells: Any) -> None:
    refused(
        InputError, lambda: Study({**LONG, "label": cells}), "The column 'label' must be a list of cells, one per row"
    )


# -- nothing there -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("form", [dict, pd.DataFrame, pl.DataFrame, pl.LazyFrame], ids=lambda form: form.__name__)
def test_a_table_without_rows_is_refused(form: Any) -> None:
    empty = form({name: [] for name in LONG})
    refused(
        InputError,
        lambda: Study(empty),
        "The table has no rows",
        "'item', 'annotator', 'label'",
        "Was everything filtered out?",
    )
    refused(InputError, lambda: Study.from_wide(empty, item="item"), "The table has no rows")


@pytest.mark.parametrize(
    "build",
    [
        lambda: accord.measure([]),
        lambda: accord.measure(np.empty((0, 3))),
        lambda: accord.measure([[], []]),
        lambda: Study.from_wide([]),
        lambda: Study.from_wide(np.empty((2, 0))),
    ],
)
def test_an_empty_array_is_refused(build: Any) -> None:
    refused(InputError, build, "The table is empty", "Was everything filtered out?")


def test_other_empty_things_are_refused() -> None:
    refused(InputError, lambda: Study({}), "The table has no rows (its columns are nothing)")
    refused(InputError, lambda: Study([]), "A study is made from a dataframe")
    refused(InputError, lambda: Study.from_counts([]), "Counts must be a table with rows and columns; got shape (0,)")
    refused(InputError, lambda: Study.from_confusion(np.empty((0, 0))), "A confusion table must be a table with rows")
    refused(
        InputError, lambda: Study.from_wide(WIDE[["item"]], item="item"), "No columns of answers are left", "'item'"
    )
    refused(InputError, lambda: Study.from_wide(WIDE, annotators=[]), "No columns of answers are left", "'ana'")


# -- labels --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("cells", "said"),
    [
        ([1, "1", 1, 1, 1, 1], ("number (1)", "text ('1')")),
        (["a", 2.5, "a", "a", "a", "a"], ("number (2.5)", "text ('a')")),
        ([True, 1, True, False, True, True], ("number (1)", "yes/no (True)")),
        ([True, "a", True, False, True, True], ("text ('a')", "yes/no (True)")),
    ],
    ids=["number and text", "fraction and text", "yes and one", "yes and text"],
)
def test_labels_of_mixed_types_are_refused(cells: list[Any], said: tuple[str, ...]) -> None:
    said = ("The labels are of mixed types", *said, "Make them one type before reading", "astype('string')")
    refused(LabelError, lambda: Study({**LONG, "label": cells}), *said)
    refused(LabelError, lambda: Study(pd.DataFrame({**LONG, "label": pd.Series(cells, dtype=object)})), *said)
    refused(LabelError, lambda: Study.from_wide(np.array(cells, dtype=object).reshape(3, 2)), *said)
    refused(LabelError, lambda: accord.cohen_kappa(cells[:1], cells[1:2]), *said)


def test_a_column_of_ids_among_annotators_is_told_by_name() -> None:
    frame = pd.DataFrame({"text": ["some", "words"], "ana": [1, 2], "ben": [1, 1]})
    refused(
        LabelError,
        lambda: Study.from_wide(frame),
        "mixed types",
        "number in column 'ana' (1)",
        "text in column 'text' ('some')",
        "item=…",
        "annotators=[…]",
    )


@pytest.mark.parametrize("role", ["item", "annotator"])
def test_ids_of_mixed_types_are_refused(role: str) -> None:
    refused(
        LabelError,
        lambda: Study({**LONG, role: [1, "1", 2, "2", 3, "3"]}),
        f"The {role}s are of mixed types: number (1) and text ('1')",
    )


@pytest.mark.parametrize(
    ("cell", "said"),
    [
        (b"a", ("found b'a' of type bytes", "Make it text first: cell.decode()")),
        (b"\xff", ("found b'\\xff' of type bytes", "Make it text first: cell.hex()")),
        ({"x": 1}, ("found {'x': 1} of type dict", "Make it text first: str(cell)")),
        (dt.date(2026, 1, 2), ("of type date", "Make it text first")),
        (pd.Timestamp("2026-01-02"), ("of type Timestamp",)),
        (np.datetime64("2026-01-02"), ("of type datetime64",)),
        (1 + 2j, ("found (1+2j) of type complex",)),
        (uuid.UUID(int=1), ("of type UUID",)),
        (object, ("of type type",)),
        (["a", "b"], ("found ['a', 'b'], which holds several", "answers='set'", "answers='ranked'")),
        ({"a" * 200: 1}, ("…", "of type dict")),
    ],
    ids=["bytes", "no text", "dict", "date", "timestamp", "moment", "complex", "uuid", "type", "list", "long"],
)
def test_a_cell_that_is_no_label_is_refused(cell: Any, said: tuple[str, ...]) -> None:
    from accord.annotations.factorize import code  # the one place where cells become labels

    refused(LabelError, lambda: code([cell, "a"]), *said)
    refused(LabelError, lambda: code(["a", None, cell]), *said)
    if not isinstance(cell, list):
        refused(LabelError, lambda: Study({**LONG, "label": ["a", "b", "a", cell, "a", "a"]}), "A label must be", *said)
        refused(LabelError, lambda: Study.from_wide([["a", cell]]), "A label must be", *said)
        refused(LabelError, lambda: Study({**LONG, "item": [1, 2, 3, cell, 4, 5]}), "An item must be", *said)
        refused(
            LabelError,
            lambda: Study({**LONG, "annotator": ["a", "b", "a", cell, "b", "a"]}),
            "An annotator must be",
            *said,
        )


def test_arrays_of_bytes_structures_and_complex_numbers_are_refused() -> None:
    refused(
        LabelError,
        lambda: Study.from_wide(np.array([[b"a", b"b"]])),
        "of type bytes",
        "Make it text first: cell.decode()",
    )
    refused(LabelError, lambda: Study.from_wide(np.array([[1j, 2]])), "of type complex")
    refused(
        LabelError,
        lambda: Study.from_wide(np.array([[(1, 2)]], dtype=[("x", int), ("y", int)])),
        "which holds several",
        "answers='set'",
    )


# -- shapes --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "data",
    [["a", "b"], ("a", "b"), np.array([1, 2]), pd.Series(["a", "b"]), pl.Series(["a"]), pa.array(["a"])],
    ids=["list", "tuple", "array", "pandas", "polars", "arrow"],
)
def test_one_sequence_is_one_annotator(data: Any) -> None:
    refused(
        InputError, lambda: accord.cohen_kappa(data), "One sequence of answers is one annotator's", "Give two sequences"
    )
    refused(InputError, lambda: Study.from_wide(data), "must be a table with rows and columns; got 1 dimensions")


@pytest.mark.parametrize(
    "data",
    [None, 3, 2.5, b"bytes", {"a", "b"}, object()],
    ids=["None", "whole", "decimal", "bytes", "set", "object"],
)
def test_what_is_no_table_at_all_is_refused(data: Any) -> None:
    refused(InputError, lambda: accord.measure(data), "A table of items × annotators has rows and columns; got ")
    refused(InputError, lambda: Study.from_wide(data), "A table of items × annotators has rows and columns; got ")
    refused(InputError, lambda: Study.from_counts(data), "A table of counts has rows and columns; got ")
    refused(InputError, lambda: Study(data), "A study is made from a dataframe", "Study.from_wide(array)")


@pytest.mark.parametrize("path", ["answers.csv", Path("answers.csv")], ids=["text", "path"])
def test_a_path_is_read_first(path: Any) -> None:
    for ask in (accord.measure, accord.fleiss_kappa, accord.explain, accord.gold, Study, Study.from_wide):
        refused(InputError, partial(ask, path), "read it first: accord.read('answers.csv')")
    refused(InputError, lambda: accord.cohen_kappa(["a", "b"], path), "For a file: accord.read(path)")


def test_a_table_has_two_dimensions() -> None:
    refused(
        InputError,
        lambda: accord.measure(np.zeros((2, 2, 2))),
        "must be a table with rows and columns; got 3 dimensions",
    )
    refused(InputError, lambda: accord.measure(np.array(3)), "got 0 dimensions")
    refused(
        InputError, lambda: Study.from_counts([1, 2, 3]), "Counts must be a table with rows and columns; got shape (3,)"
    )


def test_rows_of_different_lengths_are_refused() -> None:
    refused(
        InputError,
        lambda: accord.measure([["a", "b"], ["a"]]),
        "rows are of different lengths (1, 2)",
        "None where there is nothing",
    )
    refused(
        InputError,
        lambda: Study.from_counts([[1, 2], [3]]),
        "rows are of different lengths (1, 2): counts needs a cell everywhere, with 0",
    )
    refused(InputError, lambda: accord.measure([["a", "b"], 3]), "row 0 is a list, and row 1 3")


def test_records_are_mappings_all_of_them() -> None:
    refused(InputError, lambda: Study([{"item": 1, "annotator": "ana", "label": "a"}, 3]), "record 1 is 3")


def test_a_study_is_not_made_of_a_study() -> None:
    refused(InputError, lambda: Study(Study(LONG)), "got Study")
    refused(InputError, lambda: Study.from_wide(Study(LONG)), "got a Study")


def test_two_sequences_have_one_length() -> None:
    said = ("two sequences of one length; got 2 and 1", "Fill gaps with None")
    refused(InputError, lambda: accord.cohen_kappa(["a", "b"], ["a"]), *said)
    refused(InputError, lambda: accord.cohen_kappa(np.array([1, 2]), np.array([1])), *said)
    refused(InputError, lambda: Study.from_pairs(pl.Series(["a", "b"]), pl.Series(["a"])), *said)


def test_two_series_with_different_indexes_are_refused() -> None:
    one, other = pd.Series(["a", "b"], index=["x", "y"]), pd.Series(["a", "b"], index=["y", "x"])
    refused(
        InputError,
        lambda: accord.cohen_kappa(one, other),
        "different indexes ('x', 'y' and 'y', 'x')",
        "b.reindex(a.index)",
        "a.to_numpy(), b.to_numpy()",
    )
    assert accord.cohen_kappa(one, other.reindex(one.index)).value == -1 / 1
    assert accord.cohen_kappa(one.to_numpy(), other.to_numpy()).value == 1
    assert accord.cohen_kappa(one, list(other)).value == 1, "a list has no index to disagree with"


@pytest.mark.parametrize(
    "second", ["ben", WIDE, {"ben": ["a"]}, {"a", "b"}, 3], ids=["name", "frame", "mapping", "set", "number"]
)
def test_what_is_no_sequence_of_answers_is_refused(second: Any) -> None:
    refused(
        InputError,
        lambda: accord.cohen_kappa(["a", "b", "b"], second),
        "One annotator's answers are a list",
        "Study.from_wide(table",
    )
    refused(
        InputError, lambda: accord.cohen_kappa(WIDE, "ben"), "got a DataFrame", "Study.from_wide(table, annotators=[…])"
    )


def test_item_ids_of_a_wide_table_are_one_a_row() -> None:
    refused(
        InputError,
        lambda: Study.from_wide(WIDE.assign(item=[7, 7, 8]), item="item"),
        "one row per item, and item 7 has 2",
        "item=…, annotator=…, label=…",
    )
    refused(
        InputError,
        lambda: Study.from_wide(WIDE.assign(item=[7, np.nan, 8]), item="item"),
        "1 row without an item",
        "the column 'item' has gaps",
        "items are row numbers",
    )


def test_columns_of_a_wide_table_are_named_in_a_list() -> None:
    refused(
        ColumnMissing,
        lambda: Study.from_wide(WIDE, item="itm"),
        "No column 'itm' to read the item from",
        "Did you mean item='item'?",
    )
    refused(
        ColumnMissing,
        lambda: Study.from_wide(WIDE, annotators=["ana", "bn"]),
        "No column 'bn' to read answers from",
        "Did you mean 'ben'?",
    )
    refused(ColumnMissing, lambda: Study.from_wide(WIDE, annotators=["zzz"]), "Say which one it is: annotators=[…]")
    refused(
        OptionError,
        lambda: Study.from_wide(WIDE, annotators="ana"),
        "annotators must be a list of columns, such as ['ana']",
    )
    refused(
        OptionError,
        lambda: Study.from_wide([["a", "b"]], item="item"),
        "name columns of a dataframe",
        "rows of an array have no names",
    )


def test_everything_that_accord_raises_is_one_family_and_a_value_error() -> None:
    errors = [found for found in vars(import_module("accord.errors")).values() if isinstance(found, type)]
    family = [found for found in errors if issubclass(found, Exception)]
    assert len(family) >= 8
    assert all(issubclass(found, accord.AccordError) and issubclass(found, ValueError) for found in family)


def test_a_table_is_not_read(tmp_path: Path) -> None:
    for table in (pd.DataFrame(LONG), pl.DataFrame(LONG), LONG):
        refused(InputError, partial(accord.read, table), "accord.Study(table)", "accord.measure(table)")
    path = tmp_path / "x.csv"
    path.write_text("item,annotator,label\n1,a,x\n")
    with path.open() as file:
        refused(InputError, lambda: accord.read(file), "Give its name: accord.read(", "x.csv")
