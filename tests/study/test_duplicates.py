"""The same annotator, the same item, twice: an error, unless the caller says what to do."""

from __future__ import annotations

from typing import Any

import pandas as pd
import polars as pl
import pytest

import accord
from accord import Study
from accord.errors import DuplicateAnswers, OptionError

TABLE: dict[str, list[Any]] = {
    "item": [1, 1, 1, 2, 2, 2, 3, 3],
    "annotator": ["ana", "ben", "ana", "ana", "ben", "ben", "ana", "ben"],
    "label": ["a", "a", "b", "b", "b", "a", "a", "b"],
}
FIRST = {**TABLE, "label": ["a", "a", None, "b", "b", None, "a", "b"]}
LAST = {**TABLE, "label": [None, "a", "b", "b", None, "a", "a", "b"]}


@pytest.mark.parametrize("form", [dict, pd.DataFrame, pl.DataFrame], ids=["mapping", "pandas", "polars"])
def test_a_repeated_answer_is_an_error_with_both_ways_out(form: Any) -> None:
    with pytest.raises(DuplicateAnswers) as refusal:
        Study(form(TABLE))
    message = str(refusal.value)
    assert "Annotator 'ana' answered item 1 more than once (2 repeats in the table)" in message
    for way_out in ("answers='set'", "duplicates='first', 'last' or 'repeat'", "task=…"):
        assert way_out in message


def test_a_repeated_answer_in_a_lazy_table_is_an_error_too() -> None:
    with pytest.raises(DuplicateAnswers, match=r"more than once. .*answers='set'.*duplicates='repeat'.*task=…"):
        Study(pl.LazyFrame(TABLE))
    for choice in ("first", "last", "repeat"):
        assert (
            Study(pl.LazyFrame(TABLE), duplicates=choice).n_annotations == Study(TABLE, duplicates=choice).n_annotations
        )


@pytest.mark.parametrize(("choice", "same"), [("first", FIRST), ("last", LAST)])
def test_the_first_or_the_last_may_be_kept_and_the_others_are_counted(choice: Any, same: dict[str, list[Any]]) -> None:
    for form in (dict, pd.DataFrame, pl.DataFrame):
        study = Study(form(TABLE), duplicates=choice)
        assert accord.cohen_kappa(study).value == accord.cohen_kappa(Study(same)).value
        assert dict(study.left_out) == {"answers given again (another was kept)": 2}


def test_a_row_without_an_answer_is_no_repeat() -> None:
    table = {**TABLE, "label": ["a", "a", None, "b", "b", " ", "a", "b"]}
    assert Study(table).n_annotations == 6


def test_all_repeats_may_be_kept_and_everybody_counts_once_on_an_item() -> None:
    study = Study(TABLE, duplicates="repeat")
    assert (study.n_annotations, study.n_annotators, dict(study.left_out)) == (8, 2, {})
    assert accord.percent_agreement(study).value == pytest.approx(1 / 3), "half on the first and the second item"
    found = accord.fleiss_kappa(study)
    assert (found.n_items, found.n_answers) == (3, 6)
    assert found.notes == (
        "2 of 8 answers were given again by the same annotator: only answers of different people are compared, and "
        "everybody counts once on an item.",
    )


@pytest.mark.parametrize("name", ["cohen_kappa", "conger_kappa", "light_kappa"])
def test_measures_over_pairs_of_annotators_take_repeats(name: str) -> None:
    study = Study(TABLE, duplicates="repeat")
    found = getattr(accord, name)(study)
    assert found.observed == pytest.approx(1 / 3)
    assert name not in accord.measure(study).left_out or name == "light_kappa"
    assert found.by_pair()["value"].tolist() == [pytest.approx(found.value)]
    assert len(found.by_annotator()) == 2


def test_repeats_do_not_change_the_order_of_digits() -> None:
    order = [7, 3, 0, 5, 1, 6, 2, 4]
    shuffled = {name: [cells[place] for place in order] for name, cells in TABLE.items()}
    one, other = (accord.fleiss_kappa(Study(table, duplicates="repeat")) for table in (TABLE, shuffled))
    assert (one.value, *one.interval(method="bootstrap", n_resamples=20, rng=1)) == (
        other.value,
        *other.interval(method="bootstrap", n_resamples=20, rng=1),
    )


LISTS: dict[str, list[Any]] = {"item": [1, 1, 1], "annotator": ["ana", "ana", "ben"], "label": [["a"], ["b"], ["a"]]}


def test_a_list_is_a_whole_answer_and_two_are_a_repeat() -> None:
    with pytest.raises(DuplicateAnswers) as refusal:
        Study(LISTS)
    assert "Annotator 'ana' answered item 1 more than once (1 repeat in the table)" in str(refusal.value)
    assert "answers='set'" not in str(refusal.value), "they are sets already"
    assert accord.percent_agreement(Study(LISTS, duplicates="first")).value == 1
    assert accord.percent_agreement(Study(LISTS, duplicates="last")).value == 0
    assert accord.percent_agreement(Study(LISTS, duplicates="repeat")).value == 0.5


def test_another_variable_is_no_repeat() -> None:
    study = Study({**TABLE, "what": ["x", "x", "y", "x", "x", "y", "x", "x"]}, task="what")
    assert {name: part.n_annotations for name, part in study.tasks.items()} == {"x": 6, "y": 2}


def test_a_choice_that_is_none_is_refused() -> None:
    with pytest.raises(
        OptionError,
        match=r"duplicates must be one of 'error', 'first', 'last', 'repeat'; got 'frist'. Did you mean 'first'\?",
    ):
        Study(TABLE, duplicates="frist")  # type: ignore[arg-type]


def test_a_label_named_twice_in_one_set_counts_once_if_that_is_said() -> None:
    rows = {"item": [1, 1, 1, 1], "annotator": ["ana", "ana", "ben", "ana"], "label": ["joy", "fear", "joy", "joy"]}
    with pytest.raises(accord.AccordError, match="duplicates='first'"):
        Study(rows, answers="set")
    study = Study(rows, answers="set", duplicates="first")
    assert study.left_out == {"rows naming a label again in the same answer": 1}
    assert study.describe().labels == {"fear": 1, "joy": 2}


def test_answers_of_other_runs_are_repeats_and_twice_in_one_run_is_an_error() -> None:
    table = {"item": [1, 1, 2, 2], "annotator": ["gpt"] * 4, "label": list("abaa"), "run": [1, 2, 1, 2]}
    study = Study(table, run="run")
    assert (study.n_annotations, study._annotations.repeated) == (4, True)
    with pytest.raises(DuplicateAnswers):
        Study({**table, "run": [1, 1, 1, 2]}, run="run")
    assert Study(table).n_annotations == 4, "a column called run says it too"
    with pytest.raises(DuplicateAnswers):
        Study(table, item="item", annotator="annotator", label="label")
    assert Study(table, run="run", duplicates="first").n_annotations == 2


def test_marks_of_two_runs_are_not_one_answer() -> None:
    table = {
        "item": [1, 1, 1, 2, 2], "annotator": ["gpt", "gpt", "ana", "gpt", "ana"], "run": [1, 2, 1, 1, 2],
        "label": ["P", "P", "P", "Q", "Q"], "start": [0, 5, 0, 1, 1], "end": [3, 8, 3, 4, 4],
    }  # fmt: skip
    with pytest.raises(DuplicateAnswers, match=r"'gpt' marked item 1 in 2 runs.*\(1 such answer in the table\)"):
        Study(table, start="start", end="end", run="run")
    first, last = (Study(table, start="start", end="end", run="run", duplicates=which) for which in ("first", "last"))
    assert dict(first.left_out) == {"answers given again (another was kept)": 1}
    assert [accord.span_f1(study).value for study in (first, last)] == [1.0, 0.5]


def test_ranks_of_one_variable_take_no_label_of_another() -> None:
    rows: list[tuple[Any, ...]] = [
        (1, "ana", "x", None, "topic"),
        (1, "ana", "y", None, "topic"),
        (1, "ben", "y", None, "topic"),
    ]
    rows += [(1, "ana", "x", 1, "order"), (1, "ana", "y", 2, "order")]
    names = ("item", "annotator", "label", "rank", "task")
    table = {name: list(column) for name, column in zip(names, zip(*rows, strict=True), strict=True)}
    study = Study(table, task="task", rank="rank", answers="single", duplicates="last")
    assert study.tasks["topic"].n_annotations == 2
    assert study.tasks["order"].n_annotations == 1
    assert dict(study.left_out) == {
        "answers given again (another was kept)": 1,
        "labels of a lower rank than the primary one": 1,
    }
