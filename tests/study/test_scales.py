"""The scale: which labels there are, and whether their order means something."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import accord
from accord import Study
from accord.errors import LabelError, OptionError

LONG: dict[str, list[Any]] = {
    "item": [1, 1, 2, 2, 3, 3],
    "annotator": ["ana", "ben"] * 3,
    "label": ["low", "low", "high", "middle", "high", "high"],
}
IN_ORDER = ["low", "middle", "high"]
WIDER = ["low", "middle", "high", "highest"]  # nobody gave the last


def categorical(categories: list[str], *, ordered: bool) -> pd.DataFrame:
    return pd.DataFrame(LONG).assign(label=pd.Categorical(LONG["label"], categories=categories, ordered=ordered))


def arrow_dictionary(categories: list[str], *, ordered: bool) -> pa.Table:
    indices = pa.array([categories.index(label) for label in LONG["label"]])
    column = pa.DictionaryArray.from_arrays(indices, pa.array(categories), ordered=ordered)
    return pa.table({**LONG, "label": column})


def declared(labels: Any) -> Study:
    return Study(LONG, labels=labels)


DECLARING = {
    "labels=": lambda: Study(LONG, labels=WIDER),
    "declare()": lambda: Study(LONG).declare(WIDER),
    "ordered categorical": lambda: Study(categorical(WIDER, ordered=True)),
    "enum": lambda: Study(pl.DataFrame(LONG, schema_overrides={"label": pl.Enum(WIDER)})),
    "lazy enum": lambda: Study(pl.LazyFrame(LONG, schema_overrides={"label": pl.Enum(WIDER)})),
    "ordered dictionary": lambda: Study(arrow_dictionary(WIDER, ordered=True)),
    "a column of a mapping": lambda: Study({**LONG, "label": categorical(WIDER, ordered=True)["label"]}),
    "array": lambda: declared(np.array(WIDER)),
    "index": lambda: declared(pd.Index(WIDER)),
    "iterator": lambda: declared(iter(WIDER)),
}


@pytest.mark.parametrize("build", DECLARING.values(), ids=DECLARING)
def test_a_declared_scale_is_kept_with_its_order_and_its_unused_labels(build: Any) -> None:
    study = build()
    assert study.labels == tuple(WIDER)
    assert study.describe().labels == {"low": 2, "middle": 1, "high": 3, "highest": 0}
    brennan = accord.brennan_prediger_kappa(study)
    assert brennan.expected == 1 / 4, "a label that nobody gave could have been given"
    linear = accord.brennan_prediger_kappa(study, weights="linear")
    assert linear.observed == pytest.approx((1 + 2 / 3 + 1) / 3), "middle and high lie one of three steps apart"


def test_without_a_declaration_the_scale_is_the_labels_in_use() -> None:
    study = Study(LONG)
    assert study.labels == ("high", "low", "middle")
    assert accord.brennan_prediger_kappa(study).expected == pytest.approx(1 / 3)


UNORDERED = {
    "pandas": lambda: Study(categorical(WIDER, ordered=False)),
    "wide pandas": lambda: Study.from_wide(
        categorical(WIDER, ordered=False).pivot(index="item", columns="annotator", values="label")
    ),
    "two series": lambda: Study.from_pairs(*two_columns(WIDER)),
}


def two_columns(categories: list[str]) -> tuple[Any, Any]:
    table = categorical(categories, ordered=False)
    return tuple(table[table["annotator"] == who]["label"].reset_index(drop=True) for who in ("ana", "ben"))  # type: ignore[return-value]


@pytest.mark.parametrize("build", UNORDERED.values(), ids=UNORDERED)
def test_an_unordered_categorical_declares_its_labels_and_no_order(build: Any) -> None:
    study = build()
    assert set(study.labels) == set(WIDER)
    assert accord.brennan_prediger_kappa(study).expected == 1 / 4
    with pytest.raises(LabelError, match=r"whose order nobody said. Declare the scale in order: labels="):
        accord.gwet_ac(study, weights="linear")
    with pytest.raises(LabelError, match=r"whose order nobody said. Declare the scale in order: labels="):
        accord.krippendorff_alpha(study, level="ordinal")
    assert np.isfinite(accord.gwet_ac(study.declare(WIDER), weights="linear").value)


@pytest.mark.parametrize(
    "frame",
    [
        pl.DataFrame(LONG, schema_overrides={"label": pl.Categorical}),
        pa.table({**LONG, "label": pa.array(LONG["label"]).dictionary_encode()}),
        arrow_dictionary(WIDER, ordered=False),
    ],
    ids=["polars", "arrow", "arrow with an unused entry"],
)
def test_a_plain_dictionary_is_an_encoding_and_declares_nothing(frame: Any) -> None:
    assert Study(frame).labels == ("high", "low", "middle")


def test_numbered_categories_declare_their_order_too() -> None:
    labels = pd.Categorical([3, 3, 1, 2, 1, 1], categories=[3, 2, 1, 0], ordered=True)
    study = Study(pd.DataFrame({**LONG, "label": labels}))
    assert study.labels == (3, 2, 1, 0)
    assert accord.brennan_prediger_kappa(study).expected == 1 / 4


def test_columns_that_declare_one_scale_declare_it_together() -> None:
    kind = pd.CategoricalDtype(WIDER, ordered=True)
    frame = pd.DataFrame({"ana": ["low", "high"], "ben": ["low", "middle"]}).astype(kind)
    assert Study.from_wide(frame).labels == tuple(WIDER)
    enum = pl.DataFrame(
        frame.astype(str).to_dict("list"), schema_overrides=dict.fromkeys(("ana", "ben"), pl.Enum(WIDER))
    )
    assert Study.from_wide(enum).labels == tuple(WIDER)


def test_columns_with_categories_of_their_own_declare_all_of_them() -> None:
    frame = pd.DataFrame({"ana": pd.Categorical(["b"], ["b", "c"]), "ben": pd.Categorical(["b"], ["a", "b"])})
    assert Study.from_wide(frame).labels == ("a", "b", "c")
    orders = pd.DataFrame(
        {"ana": pd.Categorical(["b"], ["a", "b"], ordered=True), "ben": pd.Categorical(["b"], ["b", "a"], ordered=True)}
    )
    assert Study.from_wide(orders).labels == ("b",), "orders that contradict each other declare nothing"
    assert Study.from_wide(orders, labels=["b", "a"]).labels == ("b", "a")


def test_the_caller_knows_better_than_a_categorical() -> None:
    study = Study(categorical(WIDER, ordered=True), labels=["high", "middle", "low"])
    assert study.labels == ("high", "middle", "low")


def test_blank_categories_are_missing_answers() -> None:
    labels = pd.Categorical(["a", " ", "b", "a", "", "b"], categories=["b", " ", "a", ""])
    study = Study(pd.DataFrame({**LONG, "label": labels}))
    assert study.labels == ("b", "a")
    assert dict(study.left_out) == {"rows without an answer": 2}


def test_declaring_changes_the_scale_and_nothing_else() -> None:
    study = Study(LONG)
    declared = study.declare(WIDER)
    assert study.labels == ("high", "low", "middle"), "the study itself stays as it was"
    assert (declared.items, declared.annotators) == (study.items, study.annotators)
    assert accord.fleiss_kappa(declared).value == accord.fleiss_kappa(study).value
    assert accord.fleiss_kappa(study, labels=WIDER).study.labels == tuple(WIDER)


def test_a_scale_may_be_declared_for_counts_confusion_and_several_variables() -> None:
    assert Study.from_counts([[2, 1], [0, 3]]).declare([1, 0, 2]).labels == (1, 0, 2)
    assert accord.fleiss_kappa(Study.from_counts([[2, 1], [0, 3]]).declare([1, 0, 2])).value == pytest.approx(
        accord.fleiss_kappa(Study.from_counts([[2, 1], [0, 3]])).value
    )
    several = Study({**LONG, "what": ["tone"] * 4 + ["topic"] * 2}, task="what").declare(WIDER)
    assert [study.labels for study in several.tasks.values()] == [tuple(WIDER)] * 2


@pytest.mark.parametrize(
    ("labels", "error", "message"),
    [
        (
            ["low", "high"],
            LabelError,
            r"The data use 'middle', which the declared labels 'low', 'high' do not hold.*Add",
        ),
        (["Low", "Middle", "High"], LabelError, r"The data use 'high', 'low', 'middle'"),
        ([], LabelError, r"the declared labels nothing do not hold"),
        ([*WIDER, "low"], LabelError, r"labels declares 'low' more than once"),
        ([*WIDER, "low\u0301", "lo\u0301w", "lów"], LabelError, r"labels declares 'lów' more than once"),
        ([*WIDER, None], LabelError, r"must not be blank or missing; labels has None. Leave it out"),
        ([*WIDER, " "], LabelError, r"must not be blank or missing; labels has ' '"),
        ([*WIDER, 4], LabelError, r"mixed types: number \(4\) and text \('low'\)"),
        ("low", OptionError, r"labels must be a list of all labels there are, in order.*got 'low'"),
        ({"low", "high"}, OptionError, r"labels must be a list"),
        (3, OptionError, r"labels must be a list.*got 3"),
    ],
    ids=[
        "one missing",
        "other case",
        "empty",
        "twice",
        "twice in letters",
        "None",
        "blank",
        "mixed",
        "text",
        "set",
        "number",
    ],
)
def test_a_scale_that_cannot_be_one_is_refused(labels: Any, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        Study(LONG, labels=labels)
    with pytest.raises(error, match=message):
        Study(LONG).declare(labels)
    with pytest.raises(error, match=message):
        accord.gwet_ac(LONG, labels=labels)


def test_a_scale_of_sets_is_declared_when_the_study_is_made() -> None:
    lists = {"item": [1, 1], "annotator": ["ana", "ben"], "label": [["a"], ["a", "b"]]}
    assert Study(lists, labels=["a", "b", "c"]).labels == ("a", "b", "c")
    with pytest.raises(OptionError, match="declare it when the set study is made"):
        Study(lists).declare(["a", "b", "c"])
    with pytest.raises(LabelError, match="The data use 'b'"):
        Study(lists, labels=["a", "c"])
