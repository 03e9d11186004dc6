"""A table in memory is recognised as a file is: by the same code, with the same notes."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import accord
from accord import Study
from accord.errors import InputError

LONG: dict[str, list[Any]] = {
    "doc": [1, 1, 2, 2, 3, 3],
    "rater": ["ana", "ben"] * 3,
    "code": ["x", "x", "y", "x", "y", "y"],
}
WIDE: dict[str, list[Any]] = {"id": [1, 2, 3], "ana": ["x", "y", "y"], "ben": ["x", "x", "y"]}
FORMS: dict[str, Callable[[Any], Any]] = {
    "pandas": pd.DataFrame,
    "polars": pl.DataFrame,
    "arrow": pa.table,
    "mapping": dict,
    "records": lambda table: [dict(zip(table, row, strict=True)) for row in zip(*table.values(), strict=True)],
    "lazy": lambda table: pl.DataFrame(table).lazy(),
}


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("table", [LONG, WIDE], ids=["long", "wide"])
def test_a_frame_is_read_as_its_file_is(table: dict[str, list[Any]], form: str, tmp_path: Path) -> None:
    path = tmp_path / "table.csv"
    pd.DataFrame(table).to_csv(path, index=False)
    from_file, from_frame = accord.read(path), Study(FORMS[form](table))
    assert from_frame.notes == from_file.notes
    assert from_frame.annotators == from_file.annotators == ("ana", "ben")
    assert accord.fleiss_kappa(FORMS[form](table)).value == accord.fleiss_kappa(from_file).value


def test_a_frame_says_what_its_columns_were_taken_for() -> None:
    assert Study(LONG).notes == ("by their names, item='doc', annotator='rater', label='code'",)
    assert Study(pd.DataFrame(WIDE)).notes == ("a column per annotator: ana, ben",)


def test_several_labels_are_several_variables() -> None:
    table = {**LONG, "tone": list("aabbab"), "frame": list("ccddcd")}
    study = Study(table, label=["tone", "frame"])
    assert list(study.tasks) == ["frame", "tone"]
    assert len(accord.measure(pd.DataFrame(table), label=["tone", "frame"]).to_table()) > 0


def test_a_mapping_of_annotators_is_a_wide_table() -> None:
    kappa = accord.cohen_kappa({"ana": [1, 2, 2, 1], "ben": [1, 2, 1, 1]})
    assert (kappa.n_items, kappa.n_annotators) == (4, 2)


def test_columns_that_two_names_fit_are_asked_about() -> None:
    with pytest.raises(
        InputError, match=r"'rater', 'coder' could each be the annotator.*Study\(table, annotator='rater'\)"
    ):
        Study({**LONG, "coder": ["a", "b"] * 3})


def test_a_wide_frame_of_counts_is_asked_about() -> None:
    with pytest.raises(InputError, match=r"Study.from_counts\(table\) or Study.from_wide\(table\)"):
        accord.measure(pd.DataFrame({"yes": [3, 2, 0], "no": [0, 1, 3]}))


# what the README of the package krippendorff shows: three coders, one row each
CODERS = np.array([
    [np.nan, np.nan, np.nan, np.nan, np.nan, 3, 4, 1, 2, 1, 1, 3, 3, np.nan, 3],
    [1, np.nan, 2, 1, 3, 3, 4, 3, np.nan, np.nan, np.nan, np.nan, np.nan, np.nan, np.nan],
    [np.nan, np.nan, 2, 1, 3, 4, 4, np.nan, 2, 1, 1, 3, 3, np.nan, 4],
])  # fmt: skip


@pytest.mark.parametrize("data", [CODERS, CODERS.tolist(), pd.DataFrame(CODERS)], ids=["array", "lists", "frame"])
def test_annotators_in_rows_are_asked_about_and_then_measured(data: Any) -> None:
    with pytest.raises(InputError, match=r"Study.from_raters_items\(array\) or Study.from_wide\(array\)"):
        accord.krippendorff_alpha(data)
    assert accord.krippendorff_alpha(Study.from_raters_items(data)).value == pytest.approx(0.691, abs=5e-4)
    assert accord.krippendorff_alpha(Study.from_raters_items(data), level="interval").value == pytest.approx(
        0.811, abs=5e-4
    )
    assert accord.krippendorff_alpha(Study.from_wide(data)).value == pytest.approx(-0.063, abs=5e-4)


def test_triples_of_annotator_item_and_label_are_asked_about() -> None:
    triples = [("c1", "i1", "yes"), ("c2", "i1", "no"), ("c1", "i2", "yes"), ("c2", "i2", "yes")]
    with pytest.raises(InputError, match=r"as nltk takes them.*zip\(\('annotator', 'item', 'label'\), row\)"):
        accord.krippendorff_alpha(triples)
    study = Study([dict(zip(("annotator", "item", "label"), row, strict=True)) for row in triples])
    assert (study.n_items, study.n_annotators) == (2, 2)
    assert accord.fleiss_kappa([("a", "b", "a"), ("b", "b", "b"), ("a", "a", "a")]).n_annotators == 3


def test_columns_beside_several_variables_make_groups_of_each() -> None:
    table = {
        "item": ["1", "1", "2", "2"],
        "annotator": ["x", "y", "x", "y"],
        "tone": ["a", "a", "b", "a"],
        "mood": ["s", "t", "s", "s"],
        "paper": ["p", "p", "q", "q"],
    }
    study = accord.Study(table, item="item", annotator="annotator", label=["tone", "mood"])
    assert accord.percent_agreement(study.tasks["tone"], by="paper").by_group()["value"].tolist() == [1.0, 0.0]


def test_an_index_with_names_says_what_rows_are() -> None:
    rows = pd.DataFrame({"doc": list("ddeeff"), "who": ["ana", "ben"] * 3, "tag": list("xxyxyy")})
    long = rows.set_index(["doc", "who"])
    assert accord.Study(long).items == ("d", "e", "f")
    assert accord.Study(long, item="doc", annotator="who", label="tag").annotators == ("ana", "ben")
    wide = rows.pivot(index="doc", columns="who", values="tag")
    assert accord.Study(wide).items == ("d", "e", "f"), "as pivot makes it"
    rows.index.name = "id"  # which names rows, not items
    assert accord.Study(rows, annotator="who", label="tag", item="doc").n_items == 3


def test_columns_of_two_levels_are_joined_as_two_lines_of_names_are() -> None:
    names = pd.MultiIndex.from_product([["ana", "ben"], ["tone", "topic"]])
    table = pd.DataFrame([["x", "p", "x", "p"], ["y", "q", "y", "p"], ["x", "q", "y", "q"]], columns=names)
    study = accord.Study(table)
    assert list(study.tasks) == ["tone", "topic"]
    assert study.tasks["tone"].annotators == ("ana", "ben")


def test_a_frame_with_a_named_row_for_each_annotator_is_asked_about() -> None:
    marks = {f"doc{number}": ["x", "y" if number % 2 else "x"] for number in range(6)}
    table = pd.DataFrame(marks, index=["ana", "ben"])
    with pytest.raises(accord.errors.InputError, match=r"Study\(table\.T\) or Study\.from_wide\(table\)"):
        accord.measure(table)
    assert accord.Study(table.T).annotators == ("ana", "ben")
    assert accord.Study.from_wide(table).n_items == 2
