"""What a message tells a Python user to call works, and odd labels, roles and columns are named."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pandas as pd
import polars as pl
import pytest

import accord
from accord import Study, measure
from accord.errors import AccordError, ColumnMissing, InputError, LabelError, MeasureError, OptionError
from tests.command.running import run

LONG = {"item": [1, 1, 2, 2], "annotator": ["ana", "ben"] * 2, "label": ["a;b", "a", "b", "b"], "topic": list("xxyy")}


def test_two_sequences_of_sets_are_measured_as_the_message_says() -> None:
    first, second = [{"x"}, {"y"}, {"x", "y"}], [{"x"}, {"y"}, {"y"}]
    with pytest.raises(LabelError, match="answers='set'"):
        measure(first, second)
    found = measure(first, second, answers="set").recommended
    assert (
        found.value == measure(Study.from_wide(list(zip(first, second, strict=True)), answers="set")).recommended.value
    )
    ranked = Study.from_pairs([["x", "y"], ["y"]], [["y", "x"], ["y"]], answers="ranked")
    assert (ranked.kind, ranked.shape) == ("ranked", "pair of sequences")


@pytest.mark.parametrize("form", [dict, pd.DataFrame, pl.DataFrame, lambda table: pl.DataFrame(table).lazy()])
def test_cells_of_several_labels_are_split_where_a_separator_is_said(form: Any) -> None:
    assert Study(form(LONG), separator=";").labels == ("a", "b")
    assert Study(form(LONG), item="item", annotator="annotator", label="label", separator=";").kind == "set"
    assert measure(form(LONG), separator=";").recommended.study.kind == "set"
    wide = form({"item": [1, 2, 3], "ana": ["a;b", "a", "b"], "ben": ["b", "a", "b;c"]})
    assert Study(wide, separator=";").labels == ("a", "b", "c")


def test_yes_no_columns_of_a_frame_name_the_call_that_reads_them() -> None:
    table = {"unit": [1, 1], "annotator": ["ana", "ben"], "joy": [1, 1], "fear": [0, 1]}
    with pytest.raises(InputError) as told:
        measure(table)
    assert "Study.from_indicators(table, item='unit', columns=['joy', 'fear'])" in str(told.value)
    assert Study.from_indicators(table, item="unit", columns=["joy", "fear"]).kind == "set"


def test_a_keyword_that_is_none_is_told_with_the_function_that_was_called(tmp_path: Path) -> None:
    with pytest.raises(TypeError, match=r"from_pairs\(\) got an unexpected keyword argument 'bogus'"):
        Study.from_pairs([1, 2], [1, 2], bogus=1)  # type: ignore[call-arg]
    with pytest.raises(
        TypeError, match=r"read\(\) got an unexpected keyword argument 'level'. Did you mean 'levels'\?"
    ):
        accord.read(tmp_path / "x.csv", level="ordinal")  # type: ignore[call-arg]


def test_a_crosstab_is_asked_about() -> None:
    table = pd.crosstab(pd.Series(list("abacb")), pd.Series(list("abbcb")))
    with pytest.raises(InputError, match=r"Study.from_confusion\(table\) or Study.from_wide\(table\)"):
        measure(table)
    assert Study.from_confusion(table).n_items == 5
    assert Study(pd.DataFrame([[1, 2], [2, 2]])).n_items == 2  # rows that are only numbered say nothing


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"item": "item", "annotator": "item", "label": "label"}, "'item' plays two roles"),
        ({"annotator": "item"}, "one column cannot play two roles. Say which is the item: item=…"),
        ({"label": ["label", "label"]}, "named twice as the label"),
        ({"item": pd.Series([1, 1, 2, 2])}, "item must be the name of a column, such as 'item'; got a Series"),
        ({"by": ["item", "topic"]}, "by must be the name of one column; got ['item', 'topic']"),
        ({"by": ("item", "topic")}, "by must be the name of one column; got ('item', 'topic')"),
    ],
)
def test_a_role_is_one_column(options: dict[str, Any], said: str) -> None:
    with pytest.raises(AccordError) as told:
        accord.fleiss_kappa(pd.DataFrame(LONG), **options)
    assert said in str(told.value)


def test_a_path_names_something() -> None:
    with pytest.raises(OptionError, match="path must name a file or a folder; got ''"):
        accord.read("")


def test_a_column_to_choose_rows_by_is_named_in_the_readers_words(tmp_path: Path) -> None:
    with pytest.raises(ColumnMissing, match=r"Did you mean 'topic'\?"):
        Study(LONG).where("topc", "x")
    pd.DataFrame(LONG).to_csv(tmp_path / "x.csv", index=False)
    assert "Did you mean --where topic=…?" in run("measure", "x.csv", "--where", "topc=x", folder=tmp_path).err


@pytest.mark.parametrize("weighted", [False, True])
def test_whoever_asks_scores_for_labels_is_told_of_tables_that_there_are(*, weighted: bool) -> None:
    study = accord.datasets.load("scored-answers")
    if weighted:
        study = study.with_item_weights({item: 1 + place % 3 for place, item in enumerate(study.items)})
    told: set[tuple[str, ...]] = set()
    for result in accord.measure(study):
        with pytest.raises(MeasureError, match=r"Scores have no labels; by_\w+\(\)") as refused:
            result.by_label()
        tables = tuple(map(str, refused.value.available))
        assert all(f"{name}()" in str(refused.value) for name in tables)
        assert all(len(getattr(result, name)()) for name in tables)
        told.add(tables)
    assert ("by_annotator", "by_pair") in told  # of a concordance, which is no mean over items


def test_one_slip_among_numbers_is_named_with_its_variable() -> None:
    tone: list[Any] = [1, 2, "x", 3, 1, 1, 2, 3]
    table = {"item": [1, 1, 2, 2, 3, 3, 4, 4], "annotator": ["ana", "ben"] * 4, "tone": tone}
    with pytest.raises(LabelError, match=r"Only 'x' is no number\..* They are in the column 'tone'\."):
        measure(table)
    both = Study({**table, "use": list("xyxyxxyy")}, label=["tone", "use"])
    assert (
        "'x' (once) of 'tone' is no number, and so all labels are read as text: mend it, or say missing=['x']"
        in both.notes
    )
    assert not Study.from_pairs(["1", "2", "3", "other"] * 5, ["1", "2", "3", "other"] * 5).notes
