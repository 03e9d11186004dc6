"""The same study from every form and engine: the same labels, the same counts, the same digits."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import accord
from accord import Study
from tests.oracles import coefficients as oracle
from tests.study import forms
from tests.study.forms import Build

LONG, WIDE, ARRAYS, NUMBERS = forms.long_forms(), forms.wide_forms(), forms.array_forms(), forms.number_forms()
COUNTS = {"high": 9, "low": 11, "middle": 9}
ITEMS = [dict(zip(forms.ANNOTATORS, answers, strict=True)) for answers in forms.RATINGS]
SLOW_ITEMS: list[Any] = [{who: label for who, label in item.items() if label is not None} for item in ITEMS]


def test_the_small_study_is_what_the_oracle_says_it_is() -> None:
    study = Study.from_wide(forms.RATINGS)
    for name in forms.MEASURES:
        expected = getattr(oracle, name)(SLOW_ITEMS, forms.LABELS, oracle.identity)
        found = getattr(accord, name)(study)
        assert (found.observed, found.expected, found.value) == pytest.approx(tuple(expected), abs=1e-12), name
    alpha = oracle.krippendorff_alpha(SLOW_ITEMS, forms.LABELS)
    assert accord.krippendorff_alpha(study).value == pytest.approx(alpha.value, abs=1e-12)


@pytest.mark.parametrize("build", [*LONG.values(), *WIDE.values()], ids=[*LONG, *(f"wide {name}" for name in WIDE)])
def test_every_engine_gives_the_same_study(build: Build) -> None:
    study = build()
    assert study.labels == forms.LABELS
    assert study.annotators == forms.ANNOTATORS
    assert sorted(study.items) == forms.ITEMS, "no digit of a large id is lost"
    assert study.describe().labels == COUNTS
    assert forms.digits(study) == forms.digits(Study.from_wide(forms.RATINGS))


@pytest.mark.parametrize("build", ARRAYS.values(), ids=ARRAYS)
def test_every_array_gives_the_same_study(build: Build) -> None:
    study = build()
    assert study.labels == forms.LABELS
    assert study.annotators == ("1", "2", "3")
    assert list(study.items) == list(range(len(forms.RATINGS)))
    assert study.describe().labels == COUNTS
    assert study.describe().left_out == {"cells without an answer": 4}
    assert forms.digits(study) == forms.digits(Study.from_wide(forms.RATINGS))


@pytest.mark.parametrize("build", NUMBERS.values(), ids=NUMBERS)
def test_whole_numbers_are_the_same_labels_however_they_are_stored(build: Build) -> None:
    study = build()
    assert study.labels == (1, 2, 3)
    assert [type(label) for label in study.labels] == [int, int, int]
    assert study.describe().labels == {1: 11, 2: 9, 3: 9}
    assert forms.digits(study) == forms.digits(Study.from_wide(forms.coded(None)))


@pytest.mark.engine
def test_a_relation_of_duckdb_gives_the_same_study() -> None:
    duckdb = pytest.importorskip("duckdb")
    relation = duckdb.connect().from_arrow(pa.table(forms.columns()))
    assert forms.digits(Study(relation)) == forms.digits(Study.from_wide(forms.RATINGS))


def test_a_long_table_is_coded_in_the_engine_with_the_same_digits() -> None:
    table = {name: cells * 4_000 for name, cells in forms.columns().items()}
    table["item"] = [item + 1000 * (place // len(forms.rows())) for place, item in enumerate(table["item"])]
    text = pd.DataFrame(table | {"label": [None if label == "low" else label for label in table["label"]]})
    frames: list[Any] = [
        text,
        text.astype({"label": "category"}),
        text.astype({"label": "string"}),
        pl.from_pandas(text),
        pl.from_pandas(text).with_columns(pl.col("label").cast(pl.Categorical)),
        pa.Table.from_pandas(text),
    ]
    studies = [Study(frame) for frame in frames]
    assert {study.labels for study in studies} == {("high", "middle")}
    assert {study.left_out["rows without an answer"] for study in studies} == {44_000}
    assert len({accord.krippendorff_alpha(study).value for study in studies}) == 1


def test_a_long_column_of_numbered_categories_keeps_its_numbers() -> None:
    many = 60_000
    labels = pd.Categorical([3, 1] * many, categories=[1, 2, 3])
    frame = pd.DataFrame({"item": np.repeat(np.arange(many), 2), "annotator": ["ana", "ben"] * many, "label": labels})
    assert Study(frame).labels == (1, 2, 3)


COUNT_ROWS = [[answers.count(label) for label in forms.LABELS] for answers in forms.RATINGS]
COUNT_FRAME = pd.DataFrame(COUNT_ROWS, columns=list(forms.LABELS))


@pytest.mark.parametrize(
    "table",
    [
        COUNT_ROWS,
        np.array(COUNT_ROWS),
        np.array(COUNT_ROWS, dtype=float),
        np.array(COUNT_ROWS, dtype=np.uint8),
        COUNT_FRAME,
        COUNT_FRAME.astype("Int64"),
        pl.from_pandas(COUNT_FRAME),
        pl.from_pandas(COUNT_FRAME).lazy(),
        pa.Table.from_pandas(COUNT_FRAME),
        COUNT_FRAME.to_dict("list"),
        COUNT_FRAME.to_dict("records"),
    ],
    ids=lambda table: type(table).__name__,
)
def test_counts_are_the_study_without_its_names(table: Any) -> None:
    study = Study.from_counts(table, labels=forms.LABELS)
    named = Study.from_wide(forms.RATINGS)
    assert (study.labels, study.annotators, study.n_annotators) == (forms.LABELS, (), 3)
    assert study.describe().labels == COUNTS
    for measure in (accord.fleiss_kappa, accord.krippendorff_alpha, accord.gwet_ac, accord.brennan_prediger_kappa):
        one, other = measure(study), measure(named)
        assert (one.value, *one.interval()) == (other.value, *other.interval())


def test_the_columns_of_a_table_of_counts_are_its_labels() -> None:
    assert Study.from_counts(COUNT_FRAME).labels == forms.LABELS
    assert Study.from_counts(COUNT_ROWS).labels == (0, 1, 2)


CONFUSED = [[4, 1, 0], [0, 3, 1], [1, 0, 5]]
CONFUSED_FRAME = pd.DataFrame(CONFUSED, index=list("abc"), columns=list("abc"))


@pytest.mark.parametrize(
    "table",
    [
        CONFUSED,
        np.array(CONFUSED),
        CONFUSED_FRAME,
        CONFUSED_FRAME.loc[["c", "a", "b"]],
        CONFUSED_FRAME.reset_index(drop=True),
        pl.DataFrame(CONFUSED_FRAME.to_dict("list")),
        pa.table(CONFUSED_FRAME.to_dict("list")),
        CONFUSED_FRAME.to_dict("list"),
    ],
    ids=["rows", "array", "pandas", "pandas in another order", "pandas without names", "polars", "arrow", "mapping"],
)
def test_a_confusion_table_is_two_annotators(table: Any) -> None:
    study = Study.from_confusion(table)
    first, second = zip(*[(i, j) for i in range(3) for j in range(3) for _ in range(CONFUSED[i][j])], strict=True)
    pairs = Study.from_pairs(first, second)
    assert (study.n_items, study.annotators) == (15, ("1", "2"))
    for measure in (accord.cohen_kappa, accord.scott_pi, accord.gwet_ac):
        assert measure(study).value == measure(pairs).value


def test_a_cross_tabulation_of_pandas_is_a_confusion_table() -> None:
    one, other = ["b", "a", "b", "a"], ["b", "a", "a", "a"]
    table = pd.crosstab(pd.Series(one, name="ana"), pd.Series(other, name="ben"))
    assert Study.from_confusion(table).labels == ("a", "b")
    assert accord.cohen_kappa(Study.from_confusion(table)).value == accord.cohen_kappa(one, other).value


ONE, OTHER = ["a", "b", "b", None, "a"], ["a", "b", "a", "a", None]


@pytest.mark.parametrize(
    "form",
    [
        list,
        tuple,
        iter,
        lambda cells: np.array(cells, dtype=object),
        lambda cells: np.ma.masked_array([cell or "hidden" for cell in cells], mask=[cell is None for cell in cells]),
        pd.Series,
        lambda cells: pd.Series(cells, dtype="category"),
        pd.Categorical,
        pl.Series,
        pa.array,
        lambda cells: pa.chunked_array([cells]),
    ],
    ids=[
        "list",
        "tuple",
        "iterator",
        "objects",
        "masked",
        "pandas",
        "category",
        "Categorical",
        "polars",
        "arrow",
        "chunked",
    ],
)
def test_two_sequences_of_any_kind_are_two_annotators(form: Any) -> None:
    kappa = accord.cohen_kappa(form(ONE), form(OTHER))
    assert kappa.value == accord.cohen_kappa(["a", "b", "b"], ["a", "b", "a"]).value
    assert accord.cohen_kappa(form(ONE), OTHER).value == kappa.value, "two forms may meet"
    assert kappa.study.describe().left_out == {"cells without an answer": 2}


def test_the_order_of_rows_columns_and_records_does_not_matter() -> None:
    table = forms.columns()
    for seed in range(3):
        order = np.random.default_rng(seed).permutation(len(forms.rows()))
        shuffled = Study({name: [cells[place] for place in order] for name, cells in reversed(table.items())})
        assert forms.digits(shuffled) == forms.digits(Study(table))


def test_columns_may_be_named_by_numbers_as_pandas_does() -> None:
    frame = pd.DataFrame(forms.RATINGS)
    assert Study.from_wide(frame).annotators == ("0", "1", "2")
    assert forms.digits(Study.from_wide(frame)) == forms.digits(Study.from_wide(forms.RATINGS))
    numbers: Any = [2, 1]
    some = Study.from_wide(frame.assign(item=forms.ITEMS), item="item", annotators=numbers)
    assert some.annotators == ("1", "2")


def test_the_one_liner_takes_what_a_study_takes() -> None:
    table = {"text": forms.columns()["item"], "who": forms.columns()["annotator"], "tag": forms.columns()["label"]}
    alpha = accord.krippendorff_alpha(Study.from_wide(forms.RATINGS)).value
    for frame in (table, pd.DataFrame(table), pl.DataFrame(table), pl.LazyFrame(table), pa.table(table)):
        found = accord.measure(frame, item="text", annotator="who", label="tag")
        assert found["krippendorff_alpha"].value == alpha
    assert accord.measure(forms.RATINGS)["krippendorff_alpha"].value == alpha
