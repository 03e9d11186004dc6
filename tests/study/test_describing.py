"""What a study says of itself, and what may be asked of a part of it."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pandas as pd
import polars as pl
import pytest

import accord
from accord import Study
from accord.errors import InputError, OptionError
from tests.study import forms

TABLE: dict[str, list[Any]] = {
    "item": [1, 1, 1, 2, 2, None, 3, 4, 4],
    "annotator": ["ana", "ben", "cal", "ana", "ben", "ana", None, "ana", "ben"],
    "label": ["yes", "no", "yes", "yes", None, "no", "no", "no", "no"],
    "document": ["x", "x", "x", "x", "x", "x", "y", "y", "y"],
}


def test_a_study_tells_what_was_read_and_what_was_left_out_and_why() -> None:
    assert str(Study(TABLE).describe()) == (
        "Study of 3 items by 3 annotators: 6 single answers on the labels 'no', 'yes'\n"
        "  read from a long table of 9 rows\n"
        "  answers per item: 1 to 3; items with a single answer: 1\n"
        "  labels: 'no' 3, 'yes' 3\n"
        "  left out: 1 row without an item\n"
        "  left out: 1 row without an annotator\n"
        "  left out: 1 row without an answer"
    )


@pytest.mark.parametrize("form", [pd.DataFrame, pl.DataFrame], ids=["pandas", "polars"])
def test_every_engine_leaves_out_the_same(form: Any) -> None:
    assert Study(form(TABLE)).describe() == Study(TABLE).describe()


def test_a_lazy_table_leaves_out_the_same_and_tells_it_in_the_same_words() -> None:
    lazy, eager = Study(pl.LazyFrame(TABLE)).describe(), Study(TABLE).describe()
    assert replace(lazy, shape=eager.shape) == eager


def test_a_description_is_data_too() -> None:
    told = Study(TABLE).describe().to_dict()
    assert json.loads(json.dumps(told)) == told
    assert told["labels"] == [{"label": "no", "count": 3}, {"label": "yes", "count": 3}]
    assert told["left_out"] == [
        {"reason": reason, "what": "", "words": words, "number": 1}
        for reason, words in (
            ("no_item", "rows without an item"),
            ("no_annotator", "rows without an annotator"),
            ("no_answer", "rows without an answer"),
        )
    ]
    assert (told["rows"], told["items"], told["annotators"], told["annotations"]) == (9, 3, 3, 6)


@pytest.mark.parametrize(
    ("build", "headline", "read"),
    [
        (
            lambda: Study.from_wide([["a", "b"], [None, "b"]]),
            "Study of 2 items by 2 annotators: 3 single answers on the labels 'a', 'b'",
            "read from a wide table of 2 rows",
        ),
        (
            lambda: Study.from_counts([[2, 1], [0, 0]], labels=["a", "b"]),
            "Study of 1 item by up to 3 annotators: 3 single answers on the labels 'a', 'b'",
            "left out: 1 row without an answer",
        ),
        (
            lambda: Study.from_confusion([[1, 0], [0, 0]]),
            "Study of 1 item by 2 annotators: 2 single answers on the labels 0, 1",
            "read from a confusion table of 1 row",
        ),
        (
            lambda: Study.from_pairs([1, 2], [1, None]),
            "Study of 2 items by 2 annotators: 3 single answers on the labels 1, 2",
            "left out: 1 cell without an answer",
        ),
        (
            lambda: Study.from_wide([[1.5, 2], [1, 1]], answers="score"),
            "Study of 2 items by 2 annotators: 4 score answers",
            "left out: nothing",
        ),
        (
            lambda: Study.from_wide([[["a"], ["a", "b"]]]),
            "Study of 1 item by 2 annotators: 2 set answers on the labels 'a', 'b'",
            "labels: 'a' 2, 'b' 1",
        ),
        (
            lambda: Study({"item": [1, 1], "annotator": ["ana", "ben"], "label": [None, None]}),
            "Study of 0 items by 0 annotators: 0 single answers on the labels nothing",
            "left out: 2 rows without an answer",
        ),
    ],
    ids=["wide", "counts", "confusion", "pairs", "scores", "sets", "missing"],
)  # fmt: skip
def test_every_shape_describes_itself(build: Any, headline: str, read: str) -> None:
    study = build()
    assert repr(study) == headline
    assert f"  {read}" in str(study.describe()).splitlines()


def test_a_long_scale_is_cut_in_the_description() -> None:
    described = str(Study.from_wide([[place, place + 1] for place in range(30)]).describe())
    assert "on the labels 0, 1, 2, 3, 4, 5 … (31 in all)" in described
    assert "… (31 labels)" in described


def test_several_variables_describe_themselves() -> None:
    study = Study({**TABLE, "what": ["tone"] * 4 + ["topic"] * 4 + [None]}, task="what")
    lines = str(study.describe()).splitlines()
    assert lines[0] == "Study of 2 variables: 'tone', 'topic'"
    assert "    'tone': 2 items by 3 annotators, 4 single answers" in lines
    assert "    'topic': 1 item by 1 annotator, 1 single answer" in lines
    assert [one["annotations"] for one in study.describe().to_dict()["variables"]] == [4, 1]
    assert "  left out: 1 row without a task" in lines
    assert study.describe().to_dict()["tasks"] == ["tone", "topic"]


# -- some of the annotators ----------------------------------------------------------------------------------------


def test_some_annotators_are_a_study_of_their_own() -> None:
    study = Study.from_wide(forms.wide_columns(), item="item")
    some = study.of_annotators(["ana", "cal"])
    assert some.n_annotators == 2
    assert some.labels == study.labels, "the scale stays"
    columns = {name: forms.wide_columns()[name] for name in ("item", "ana", "cal")}
    assert accord.cohen_kappa(some).value == accord.cohen_kappa(Study.from_wide(columns, item="item")).value
    pairs = {(row["first"], row["second"]): row["value"] for row in accord.pairwise(study)}
    assert accord.cohen_kappa(some).value == pytest.approx(pairs["ana", "cal"], abs=1e-12)


def test_annotators_are_chosen_by_their_names() -> None:
    study = Study(TABLE)
    assert study.of_annotators(["ben", "ana"]).n_annotators == 2, "in any order"
    assert study.of_annotators([]).n_annotations == 0
    with pytest.raises(
        InputError, match=r"There is no annotator 'anna'; there are 'ana', 'ben', 'cal'. Did you mean 'ana'\?"
    ):
        study.of_annotators(["anna"])
    with pytest.raises(OptionError, match=r"annotators must be a list of names, for example \['ana'\]; got 'ana'"):
        study.of_annotators("ana")
    with pytest.raises(InputError, match="a table of counts does not say who answered"):
        Study.from_counts([[1, 2]]).of_annotators(["1"])


# -- clusters ------------------------------------------------------------------------------------------------------

CLUSTERED: dict[str, list[Any]] = {
    "item": [place // 2 for place in range(48)],
    "annotator": ["ana", "ben"] * 24,
    "label": ["a", "a", "b", "b", "a", "b", "a", "a"] * 6,
    "document": [f"d{place // 8}" for place in range(48)],
    "loose": [None if place < 4 else f"d{place // 8}" for place in range(48)],
}


@pytest.mark.parametrize("method", ["analytic", "jackknife", "bootstrap", "bca", "bayesian"])
def test_items_of_one_cluster_come_together(method: Any) -> None:
    by_role = accord.fleiss_kappa(CLUSTERED, cluster="document").interval(method=method, rng=1, n_resamples=50)
    by_name = accord.fleiss_kappa(Study(CLUSTERED)).interval(method=method, cluster="document", rng=1, n_resamples=50)
    assert by_role.clusters == 6
    assert (by_role.low, by_role.high) == (by_name.low, by_name.high)
    assert accord.fleiss_kappa(Study(CLUSTERED)).interval(method=method, rng=1, n_resamples=50).clusters is None


def test_items_of_one_cluster_come_together_in_a_lazy_table_too() -> None:
    lazy, eager = (accord.fleiss_kappa(form(CLUSTERED), cluster="document") for form in (pl.LazyFrame, pl.DataFrame))
    for method in ("analytic", "bootstrap"):
        one, other = (result.interval(method=method, rng=1, n_resamples=50).to_dict() for result in (lazy, eager))
        assert one == other


def test_an_item_without_a_cluster_is_one_by_itself() -> None:
    assert accord.fleiss_kappa(CLUSTERED, cluster="loose").interval().clusters == 6 + 2


def test_a_cluster_says_one_thing_of_an_item() -> None:
    torn = {**CLUSTERED, "document": [f"d{place // 3}" for place in range(48)]}
    with pytest.raises(
        InputError, match=r"cluster='document' must say one thing of an item, and item 1 has 'd0' and 'd1' there"
    ):
        accord.fleiss_kappa(torn, cluster="document").interval()
    with pytest.raises(
        InputError, match=r"No column 'documnet' to read the cluster from; .*Did you mean cluster='document'\?"
    ):
        accord.fleiss_kappa(CLUSTERED, cluster="documnet")
    with pytest.raises(
        InputError, match=r"No column 'documnet' to read the cluster from; .*Did you mean cluster='document'\?"
    ):
        accord.fleiss_kappa(Study(CLUSTERED)).interval(cluster="documnet")
    with pytest.raises(InputError, match=r"There is no column 'document'"):
        accord.fleiss_kappa([["a", "b"], ["a", "a"]]).interval(cluster="document")


def test_one_cluster_alone_has_no_interval_and_says_why() -> None:
    found = accord.fleiss_kappa({**CLUSTERED, "document": ["d"] * 48}, cluster="document").interval()
    assert found.undefined == "A single item (or cluster) does not show how much items differ."
