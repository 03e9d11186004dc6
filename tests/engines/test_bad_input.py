"""Bad input is the same clear error on every engine, and what is left out is counted the same."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, cast

import polars as pl
import pytest

import accord
from accord.engine import lazy_annotations
from accord.engine.scan import Scan
from tests.engines.handing import sampled
from tests.engines.test_same_digits import crowd

pytestmark = pytest.mark.engine

Lazily = Callable[[pl.DataFrame], Any]

GAPS = pl.DataFrame(
    {
        "item": [None, None, "", "item 1", "item 2", "item 3", "item 4"],
        "annotator": ["annotator 000", None, "annotator 001", None, "annotator 900", "annotator 901", " "],
        "label": ["label 001", "label 001", "label 001", "label 001", None, "  ", "label 002"],
        "topic": ["sport"] * 7,
    }
)


def test_rows_without_ids_or_labels_are_counted_as_in_memory(lazily: Lazily) -> None:
    frame = pl.concat([crowd(20, 3, 3), GAPS])
    eager, lazy = accord.Study(frame), accord.Study(lazily(frame))
    assert dict(lazy.left_out) == dict(eager.left_out)
    assert lazy.annotators == eager.annotators
    assert (lazy.n_rows, lazy.n_annotations) == (eager.n_rows, eager.n_annotations)
    assert accord.krippendorff_alpha(lazy).interval() == accord.krippendorff_alpha(eager).interval()


def test_whole_numbers_are_ids_and_labels_as_text_is(lazily: Lazily) -> None:
    text = crowd(40, 4, 3)
    numbers = text.select(
        pl.col("item").str.slice(5).cast(pl.Int64),
        pl.col("annotator").str.slice(10).cast(pl.Int64),
        pl.col("label").str.slice(6).cast(pl.Int64),
    )
    lazy, eager = accord.Study(lazily(numbers)), accord.Study(numbers)
    assert lazy.annotators == eager.annotators
    assert lazy.labels == eager.labels == (0, 1, 2, 3)
    for measure in (accord.fleiss_kappa, accord.conger_kappa):
        assert measure(lazy).interval() == measure(eager).interval()
    assert accord.fleiss_kappa(lazy).value == accord.fleiss_kappa(text).value


def test_labels_may_be_decimals_with_gaps(lazily: Lazily) -> None:
    frame = crowd(30, 3, 3).with_columns(
        label=pl.when(pl.col("item") != "item 3").then(pl.col("label").str.slice(6).cast(pl.Float64) / 2)
    )
    lazy, eager = accord.Study(lazily(frame)), accord.Study(frame)
    assert lazy.labels == eager.labels
    assert dict(lazy.left_out) == dict(eager.left_out)
    assert accord.gwet_ac(lazy).value == accord.gwet_ac(eager).value


ODD = {
    "struct": pl.struct("label", "topic"),
    "binary": pl.col("label").cast(pl.Binary),
    "list": pl.concat_list("label", "topic"),
}


@pytest.mark.parametrize("kind", ODD)
@pytest.mark.parametrize("role", ["item", "annotator", "label"])
def test_a_column_of_an_unsupported_type_is_named(lazily: Lazily, role: str, kind: str) -> None:
    odd = lazily(crowd(5, 3, 3).with_columns(ODD[kind].alias("odd")))
    if kind == "binary" and type(odd).__module__.startswith("dask"):
        return  # Dask reads bytes as text by itself: there is nothing to refuse
    with pytest.raises(accord.AccordError, match="'odd'"):
        accord.Study(odd, answers="single", **cast("dict[str, Any]", {role: "odd"}))


@pytest.mark.parametrize(("lazily", "roles"), sampled([{"task": "topic"}, {}, {"answers": "set"}]), indirect=["lazily"])
def test_where_no_row_is_whole_nobody_answered_as_in_memory(lazily: Lazily, roles: dict[str, Any]) -> None:
    nobody = crowd(5, 3, 3).with_columns(item=pl.lit(None, pl.String), topic=pl.lit("sport"))
    frame = pl.concat([nobody, crowd(5, 3, 3).with_columns(topic=pl.lit("news"))]) if "task" in roles else nobody
    eager, lazy = (accord.Study(data, **roles) for data in (frame, lazily(frame)))
    assert str(lazy.describe()) == str(eager.describe()).replace("long table", "lazy table")
    assert str(accord.measure(lazy)) == str(accord.measure(eager))


EMPTY: dict[str, dict[str, pl.Expr]] = {
    "no row": {},
    "no item": {"item": pl.lit(None, pl.String)},
    "no annotator": {"annotator": pl.lit(None, pl.String)},
    "no answer": {"label": pl.lit(None, pl.String)},
    "blank answers": {"label": pl.lit(" ")},
}


@pytest.mark.parametrize("labels", [None, ["yes", "no"]])
@pytest.mark.parametrize("roles", [{}, {"task": "topic"}])
@pytest.mark.parametrize(("lazily", "empty"), sampled(list(EMPTY)), indirect=["lazily"])
def test_a_study_of_nothing_has_the_labels_that_were_declared_and_else_none(
    lazily: Lazily, empty: str, roles: dict[str, Any], labels: list[str] | None
) -> None:
    frame = crowd(5, 3, 3).with_columns(topic=pl.lit("news")).with_columns(**EMPTY[empty])
    frame = frame.clear() if empty == "no row" else frame

    def told(data: Any) -> Any:
        try:
            study = accord.Study(data, labels=labels, **roles)
        except accord.AccordError as problem:
            return str(problem)
        return [(part.labels, part.labels_used, repr(part)) for part in study.tasks.values() or [study]]

    lazy = told(lazily(frame))
    assert lazy == told(frame)
    assert empty == "no row" or lazy[0][:2] == (tuple(labels or ()), set())


def test_a_group_of_rows_without_an_item_has_no_value_and_the_others_have(lazily: Lazily) -> None:
    frame = pl.concat([crowd(5, 3, 3), crowd(5, 3, 3)]).with_columns(topic=pl.lit("news"))
    number = pl.int_range(pl.len())
    half = frame.height // 2
    frame = frame.with_columns(
        item=pl.when(number < half).then("item"), topic=pl.when(number < half).then("topic").otherwise(pl.lit("sport"))
    )
    eager, lazy = (accord.fleiss_kappa(accord.Study(data), by="topic").by_group() for data in (frame, lazily(frame)))
    assert lazy.to_dict() == eager.to_dict()


def test_a_missing_column_is_named_with_the_nearest(lazily: Lazily) -> None:
    with pytest.raises(accord.AccordError, match="Did you mean"):
        accord.Study(lazily(crowd(5, 3, 3)), annotator="annotater")


@pytest.mark.parametrize("people", [12, 40])
def test_a_second_answer_is_named(lazily: Lazily, people: int) -> None:
    frame = crowd(30, 3, 3, people=people)
    again = frame.filter(pl.col("item") == "item 7").head(1)
    with pytest.raises(accord.AccordError, match=f"Annotator '{again['annotator'][0]}' answered item 'item 7'"):
        accord.Study(lazily(pl.concat([frame, again])))


def test_answers_of_other_runs_are_repeats_and_twice_in_one_run_is_an_error(lazily: Lazily) -> None:
    people, runs = ["gpt"] * 4 + ["ana"] * 2, [1, 2] * 3
    table = pl.DataFrame({"item": list("aabbcc"), "annotator": people, "label": list("xyxxyy"), "run": runs})
    study = accord.Study(lazily(table), run="run")
    assert study._annotations.repeated
    oneself = accord.self_agreement(accord.Study(table, run="run")).value.value
    assert accord.self_agreement(study).value.value == oneself
    assert not math.isnan(oneself)
    with pytest.raises(accord.AccordError, match="answered item 'a' more than once"):
        accord.Study(lazily(table.with_columns(run=pl.Series([1, 1, 1, 2, 1, 2]))), run="run")


def test_few_annotators_need_no_second_pass_to_find_repeats(lazily: Lazily, monkeypatch: pytest.MonkeyPatch) -> None:
    frame = crowd(30, 3, 3)
    asked: list[tuple[str, ...]] = []
    whole = Scan.patterns

    def counted(self: Scan, *arguments: Any, **options: Any) -> Any:
        asked.append(("patterns",))
        return whole(self, *arguments, **options)

    monkeypatch.setattr(Scan, "repeats", lambda *_: pytest.fail("a second pass over the table"))
    monkeypatch.setattr(Scan, "patterns", counted)
    study = accord.Study(lazily(frame))
    assert accord.fleiss_kappa(study).value == accord.fleiss_kappa(frame).value
    assert accord.conger_kappa(study).value == accord.conger_kappa(frame).value
    assert len(asked) == 1


def test_ranks_that_are_no_ranks_are_refused(lazily: Lazily) -> None:
    frame = crowd(10, 3, 3).with_columns(rank=pl.lit(2, pl.Int64))
    with pytest.raises(accord.AccordError, match="Ranks must run 1, 2"):
        accord.Study(lazily(frame), rank="rank")
    with pytest.raises(accord.AccordError, match="whole numbers from 1"):
        accord.Study(lazily(frame.with_columns(rank=pl.lit(0, pl.Int64))), rank="rank")


def test_sets_of_more_labels_than_bits_are_put_together(lazily: Lazily) -> None:
    frame = pl.concat([crowd(60, 90, 3, seed=1), crowd(60, 90, 3, seed=2)]).unique(["item", "annotator", "label"])
    lazy, eager = (accord.Study(data, answers="set") for data in (lazily(frame), frame))
    assert lazy.answers.members == eager.answers.members
    assert accord.fleiss_kappa(lazy, weights="jaccard").value == accord.fleiss_kappa(eager, weights="jaccard").value


def test_what_is_not_reduced_in_an_engine_is_not_pulled_whole(lazily: Lazily, monkeypatch: pytest.MonkeyPatch) -> None:
    frame = crowd(10, 3, 3).with_columns(points=pl.col("label").str.slice(6).cast(pl.Float64))
    assert accord.Study(lazily(frame), score="points", duplicates="first").kind == "score"
    monkeypatch.setattr(lazy_annotations, "MOST_ROWS", 10)
    with pytest.raises(accord.AccordError, match="brought into memory"):
        accord.Study(lazily(frame), score="points", duplicates="first")
