"""The level of measurement of a study: who says it, and where it goes."""

from __future__ import annotations

from typing import Any

import pandas as pd
import polars as pl
import pytest

import accord
from accord import Study
from accord.errors import OptionError

LONG: dict[str, list[Any]] = {
    "item": [1, 1, 2, 2, 3, 3],
    "annotator": ["ana", "ben"] * 3,
    "label": [1, 2, 3, 3, 5, 4],
    "topic": ["a", "a", "b", "b", "b", "b"],
}
TASKS = {**LONG, "item": [1, 1, 1, 1, 2, 2], "task": ["tone", "tone", "length", "length", "tone", "tone"]}


def test_nobody_said_a_level() -> None:
    assert Study(LONG).level is None
    assert Study(LONG, labels=[1, 2, 3, 4, 5]).level is None, "a list of labels says which there are, not what they are"


@pytest.mark.parametrize("level", ["nominal", "ordinal", "interval", "ratio", "circular"])
def test_a_level_is_kept_by_every_part_and_copy(level: Any) -> None:
    study = Study(LONG, levels=level)
    parts = [study, study.of_annotators(["ana"]), *study.groups("topic").values(), study.declare([1, 2, 3, 4, 5, 6])]
    assert {part.level for part in parts} == {level}
    assert study.declare(levels="nominal").level == "nominal"


SHAPES = {
    "wide": lambda: Study.from_wide([[1, 2], [3, 3]], levels="ordinal"),
    "pairs": lambda: Study.from_pairs([1, 2], [3, 3], levels="ordinal"),
    "counts": lambda: Study.from_counts([[1, 2], [3, 0]], levels="ordinal"),
    "confusion": lambda: Study.from_confusion([[1, 2], [3, 0]], levels="ordinal"),
    "lazy": lambda: Study(pl.LazyFrame(LONG), levels="ordinal"),
    "column": lambda: Study(LONG, levels={"label": "ordinal"}),
    "score": lambda: Study({**LONG, "score": LONG["label"]}, score="score", levels={"score": "ordinal"}),
}


@pytest.mark.parametrize("build", SHAPES.values(), ids=SHAPES)
def test_every_shape_takes_a_level(build: Any) -> None:
    assert build().level == "ordinal"


def test_each_variable_has_its_own_level() -> None:
    study = Study(TASKS, task="task", levels={"tone": "ordinal"})
    assert {name: part.level for name, part in study.tasks.items()} == {"tone": "ordinal", "length": None}
    assert study.level is None
    assert Study(TASKS, task="task", levels="ratio").level == "ratio", "all of them"
    assert study.declare([1, 2, 3, 4, 5]).tasks["tone"].level == "ordinal"


def test_an_ordered_categorical_is_ordinal_and_a_list_of_categories_is_not() -> None:
    words = ["low", "middle", "high"]
    column = ["low", "low", "high", "middle", "high", "high"]

    def of(label: Any) -> Study:
        return Study(pd.DataFrame(LONG).assign(label=label))

    assert of(pd.Categorical(column, words, ordered=True)).level == "ordinal"
    assert of(pd.Categorical(column, words, ordered=False)).level is None
    enumeration = pl.DataFrame({**LONG, "label": column}, schema_overrides={"label": pl.Enum(words)})
    assert Study(enumeration).level is None, "an enumeration lists its categories, be they a scale or names"
    assert Study(
        pd.DataFrame(LONG).assign(label=pd.Categorical(column, words, ordered=True)), levels="nominal"
    ).level == ("nominal"), "what is said wins"


@pytest.mark.parametrize(
    ("levels", "message"),
    [
        ("ordinl", r"levels must be one of 'nominal', 'ordinal'.*got 'ordinl'. Did you mean 'ordinal'\?"),
        (["ordinal"], r"levels must be a level, or a level for each variable"),
        ({"tome": "ordinal"}, r"levels names 'tome', and there is no such variable: there are '(tone|length)'"),
        ({"tone": "high"}, r"levels must be one of .*got 'high'"),
    ],
)
def test_a_level_that_is_none_is_refused(levels: Any, message: str) -> None:
    with pytest.raises(OptionError, match=message):
        Study(TASKS, task="task", levels=levels)


def test_an_unknown_variable_of_a_study_of_one_is_refused() -> None:
    with pytest.raises(OptionError, match="levels names 'tone', and there is no such variable: there is 'label'"):
        Study(LONG, levels={"tone": "ordinal"})


def test_other_labels_have_no_level_that_anybody_declared() -> None:
    study = Study(LONG, levels="interval")
    other = accord.Study(LONG, labels=[1, 2, 3, 4, 5, 6])
    assert study._with_annotations(other._annotations).level is None


def test_a_level_for_all_is_taken_where_labels_can_have_it_and_the_others_are_named() -> None:
    table = {**TASKS, "label": [1, 2, 3, 3, 5, 4], "task": ["tone", "tone", "length", "length", "tone", "tone"]}
    rows = [dict(zip(table, cells, strict=True)) for cells in zip(*table.values(), strict=True)]
    words = [
        {"item": 1, "annotator": who, "task": "topic", "label": word} for who, word in (("ana", "x"), ("ben", "y"))
    ]
    study = Study([*({**row, "label": str(row["label"])} for row in rows), *words], task="task", levels="ordinal")
    assert {name: part.level for name, part in study.tasks.items()} == {
        "tone": "ordinal", "length": None, "topic": None
    }, "one label of length is in use, which tells nothing"  # fmt: skip
    assert "the ordinal level is not taken for 'length', 'topic', whose labels are names" in study.notes
