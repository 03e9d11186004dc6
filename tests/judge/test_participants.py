"""Who is a person and who a model, and which of their answers count."""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl
import pytest

import accord
from accord.errors import InputError, MeasureError, OptionError
from accord.judge.participants import participants_of, people_hidden

ROWS: dict[str, list[Any]] = {
    "item": [1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3],
    "annotator": ["ana", "ben", "gpt", "boss"] * 3,
    "label": ["a", "a", "b", "a", "b", "b", None, "b", "a", "b", "I cannot", None],
    "kind": ["person", "human", "LLM", "adjudicator"] * 3,
    "status": [None, None, None, None, None, None, "refused", None, None, None, "unparsable", None],
}


def study(**other: list[Any]) -> accord.Study:
    return accord.Study({**ROWS, **other}, kind="kind", status="status")


def test_the_kind_column_tells_people_models_and_adjudicators_in_the_words_of_readers() -> None:
    participants = participants_of(study())
    assert (participants.people, participants.models, participants.adjudicators) == (
        ("ana", "ben"),
        ("gpt",),
        ("boss",),
    )


def test_names_tell_it_too_and_win_over_the_column() -> None:
    participants = participants_of(study(), models=["ben"], people=["ana", "gpt"])
    assert (participants.people, participants.models) == (("ana", "gpt"), ("ben",))
    participants = participants_of(
        accord.Study.from_wide({"x": ["a", "b"], "y": ["a", "a"], "z": ["b", "b"]}), model="z"
    )
    assert (participants.people, participants.models, participants.adjudicators) == (("x", "y"), ("z",), ())


def test_an_annotator_of_another_kind_is_not_taken_for_a_person_when_one_model_is_named() -> None:
    participants = participants_of(study(kind=["person", "model", "model", "adjudicator"] * 3), model="gpt")
    assert (participants.people, participants.models) == (("ana",), ("gpt",))


def test_a_name_that_is_not_there_is_an_error_with_the_nearest_one() -> None:
    with pytest.raises(InputError, match=r"no annotator 'gtp'.*Did you mean 'gpt'\?"):
        participants_of(study(), model="gtp")
    with pytest.raises(InputError, match="no annotator 'anna'"):
        participants_of(study(), people=["anna"])
    with pytest.raises(OptionError, match="cannot be a person and a model at once"):
        participants_of(study(), model="gpt", people=["gpt", "ana"])
    with pytest.raises(OptionError, match="not both"):
        participants_of(study(), model="gpt", models=["gpt"])


def test_a_kind_that_is_no_kind_and_one_annotator_of_two_kinds_are_errors() -> None:
    with pytest.raises(InputError, match="found 'robot'"):
        participants_of(study(kind=["person", "human", "robot", "adjudicator"] * 3))
    with pytest.raises(InputError, match="'gpt' is model in some rows of the column 'kind' and person in others"):
        participants_of(study(kind=["person", "human", "llm", "adjudicator"] * 2 + ["person"] * 3 + ["adjudicator"]))


def test_failed_answers_are_missing_whatever_their_label_says_and_are_counted() -> None:
    found = study()
    assert found.left_out == {"refused answers": 1, "unparsable answers": 1, "rows without an answer": 1}
    assert found.labels == ("a", "b")
    participants = participants_of(found)
    assert participants.column("gpt").tolist() == [1, -1, -1]
    failed = participants.failed("gpt")
    assert (failed.requested, failed.by_status, failed.share) == (3, {"unparsable": 1, "refused": 1}, 2 / 3)
    assert participants.failed("ana").number == 0
    assert next(iter(participants.failures())) == {
        "annotator": "gpt", "requested": 3, "unparsable": 1, "refused": 1, "error": 0, "share": 2 / 3,
    }  # fmt: skip


def test_failed_answers_may_count_as_a_label_of_their_own() -> None:
    participants = participants_of(study(), unparsable="label")
    assert participants.study.labels == ("a", "b", "unparsable")
    assert participants.column("gpt").tolist() == [1, 2, 2]
    assert participants.column("ana").tolist() == [0, 1, 0]
    assert participants.failed("gpt").share == 2 / 3
    assert participants.study._column("status").codes.tolist().count(-1) == 9
    with pytest.raises(OptionError, match="unparsable must be one of 'missing', 'label'"):
        participants_of(study(), unparsable="error")  # type: ignore[arg-type]


def test_a_label_called_unparsable_already_is_told_from_failed_answers() -> None:
    participants = participants_of(study(label=["unparsable", "a", "b", "a"] * 3), unparsable="label")
    assert participants.failed_label == "(unparsable)"


def test_the_same_is_read_from_a_file(tmp_path: Any) -> None:
    path = tmp_path / "answers.csv"
    pl.DataFrame(ROWS).write_csv(path)
    found = accord.read(path)
    assert found.left_out["refused answers"] == found.left_out["unparsable answers"] == 1
    participants = participants_of(found)
    assert participants.failed("gpt").by_status == {"unparsable": 1, "refused": 1}
    assert participants.people == ("ana", "ben")
    assert accord.read(path, include=["unparsable"]).n_annotations == found.n_annotations + 1


def test_a_lazy_table_leaves_failed_answers_out_too() -> None:
    lazy = accord.Study(pl.DataFrame(ROWS).lazy(), kind="kind", status="status")
    assert lazy.left_out["refused answers"] == lazy.left_out["unparsable answers"] == 1
    assert lazy.n_annotations == study().n_annotations
    assert accord.krippendorff_alpha(lazy).value == accord.krippendorff_alpha(study()).value


def test_adjudicators_are_gold_and_where_they_differ_there_is_none() -> None:
    assert participants_of(study()).gold.tolist() == [0, 1, -1]
    two = {
        **ROWS,
        "annotator": ["ana", "chief", "gpt", "boss"] * 3,
        "kind": ["person", "curator", "llm", "curator"] * 3,
    }
    assert participants_of(accord.Study(two, kind="kind", status="status")).gold.tolist() == [0, 1, 1]
    two["label"] = ["a", "b", "b", "a", "b", "b", None, "b", "a", "b", None, None]
    assert participants_of(accord.Study(two, kind="kind", status="status")).gold.tolist() == [-1, 1, 1]


def test_answers_that_a_reader_set_aside_as_adjudicated_are_gold(tmp_path: Any) -> None:
    path = tmp_path / "answers.csv"
    pl.DataFrame({name: cells for name, cells in ROWS.items() if name != "kind"}).write_csv(path)
    participants = participants_of(accord.read(path, adjudicator="boss"), model="gpt")
    assert participants.gold.tolist() == [0, 1, -1]
    assert participants.people == ("ana", "ben")


def test_several_variables_nobody_named_and_repeats_are_refused_with_the_way_out() -> None:
    with pytest.raises(MeasureError, match=r"one at a time: study\.tasks\['a'\]"):
        participants_of(accord.Study({**ROWS, "topic": ["a"] * 6 + ["b"] * 6}, task="topic"))
    with pytest.raises(MeasureError, match="does not say who answered"):
        participants_of(accord.Study.from_counts([[2, 1], [0, 3]]))
    again = {name: [*cells, cells[0]] for name, cells in ROWS.items()}
    participants = participants_of(accord.Study(again, kind="kind", status="status", duplicates="repeat"))
    assert participants.column("ben").tolist() == [0, 1, 1]
    with pytest.raises(MeasureError, match=r"'ana' answered some items more than once.*self_consistency"):
        participants.column("ana")


def test_failed_answers_of_one_variable_are_not_those_of_another() -> None:
    rows = {name: cells * 2 for name, cells in ROWS.items()}
    rows["status"] = [*ROWS["status"], *[None] * 12]
    rows["topic"] = ["x"] * 12 + ["y"] * 12
    both = accord.Study(rows, kind="kind", status="status", task="topic")
    assert [participants_of(both.tasks[name]).failed("gpt").number for name in ("x", "y")] == [2, 0]


def test_people_are_hidden_and_models_keep_their_names() -> None:
    participants = participants_of(study())
    hidden = people_hidden(participants)
    assert hidden.annotators == ("A1", "A2", "boss", "gpt")
    again = participants_of(hidden)
    assert (again.people, again.models, again.adjudicators) == (("A1", "A2"), ("gpt",), ("boss",))
    assert again.failed("gpt").by_status == {"unparsable": 1, "refused": 1}
    assert sorted(map(tuple, again.grid(again.people).T.tolist())) == sorted(
        map(tuple, participants.grid(participants.people).T.tolist())
    )
    assert np.array_equal(again.column("gpt"), participants.column("gpt"))


def test_a_lazy_table_tells_whose_answers_failed() -> None:
    lazy = pl.DataFrame(ROWS).lazy()
    participants = participants_of(accord.Study(lazy, kind="kind", status="status"))
    assert participants.failed("gpt").by_status == {"unparsable": 1, "refused": 1}
    assert participants.people == ("ana", "ben")
    both = pl.concat([lazy.with_columns(topic=pl.lit("x")), lazy.with_columns(topic=pl.lit("y"), status=None)])
    parts = accord.Study(both, kind="kind", status="status", task="topic").tasks
    assert [participants_of(parts[name]).failed("gpt").number for name in ("x", "y")] == [2, 0]


def test_a_model_that_refused_everything_is_there_and_gave_nothing() -> None:
    lost = study(status=[None, None, "refused", None] * 3)
    assert "gpt" not in lost.annotators
    participants = participants_of(lost)
    assert (participants.models, participants.failed("gpt").share) == (("gpt",), 1.0)
    assert participants.column("gpt").tolist() == [-1, -1, -1]
    assert participants_of(lost, model="gpt", unparsable="label").column("gpt").tolist() == [2, 2, 2]
    found = accord.judge.verdict(lost, gold=False)
    assert found.answer("gpt") == "untested"
    assert "100.0% of its answers could not be read" in found.sentence("gpt")
