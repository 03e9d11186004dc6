"""Kinds of answers: single labels, sets, rankings, scores; each in every way it may be written down."""

from __future__ import annotations

import math
from decimal import Decimal
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import accord
from accord import Study
from accord.errors import DuplicateAnswers, InputError, LabelError, OptionError
from tests.oracles import coefficients as oracle

# -- sets ----------------------------------------------------------------------------------------------------------

ITEMS = [1, 1, 2, 2, 3, 3, 4, 4]
PEOPLE = ["ana", "ben"] * 4
# Three emotions; () is the empty set, which is an answer; None is missing, which is not.
SETS: list[tuple[str, ...] | None] = [
    ("joy",),
    ("joy", "fear"),
    (),
    (),
    ("rage",),
    None,
    ("fear", "rage"),
    ("fear", "rage"),
]
ANSWERED = [(item, who, held) for item, who, held in zip(ITEMS, PEOPLE, SETS, strict=True) if held is not None]


def set_rows() -> dict[str, list[Any]]:
    """A row per label; an empty answer is a row without one; what is missing has no row."""
    rows = [(item, who, label) for item, who, held in ANSWERED for label in held or (None,)]
    return dict(zip(("item", "annotator", "label"), map(list, zip(*rows, strict=True)), strict=True))


def set_lists(form: Any = list) -> dict[str, list[Any]]:
    return {"item": ITEMS, "annotator": PEOPLE, "label": [None if held is None else form(held) for held in SETS]}


def indicators() -> dict[str, list[Any]]:
    told = {label: [None if held is None else int(label in held) for held in SETS] for label in ("fear", "joy", "rage")}
    return {"item": ITEMS, "annotator": PEOPLE, **told}


SET_FORMS = {
    "rows": lambda: Study(set_rows(), answers="set"),
    "pandas rows": lambda: Study(pd.DataFrame(set_rows()), answers="set"),
    "lists": lambda: Study(set_lists()),
    "tuples": lambda: Study(set_lists(tuple)),
    "sets": lambda: Study(set_lists(set)),
    "pandas lists": lambda: Study(pd.DataFrame(set_lists())),
    "pandas lists with NA": lambda: Study(pd.DataFrame(set_lists()).replace({None: pd.NA})),
    "pandas lists of arrow": lambda: Study(
        pd.DataFrame(set_lists()).astype({"label": pd.ArrowDtype(pa.list_(pa.string()))})
    ),
    "pandas arrays": lambda: Study(pd.DataFrame(set_lists(lambda held: np.array(held, dtype=object)))),
    "polars lists": lambda: Study(pl.DataFrame(set_lists())),
    "polars lazy lists": lambda: Study(pl.LazyFrame(set_lists())),
    "arrow lists": lambda: Study(pa.table(set_lists())),
    "records": lambda: Study(
        [dict(zip(set_lists(), row, strict=True)) for row in zip(*set_lists().values(), strict=True)]
    ),
    "wide": lambda: Study.from_wide([[SETS[2 * place], SETS[2 * place + 1]] for place in range(4)]),
    "wide polars": lambda: Study.from_wide(
        pl.DataFrame({"ana": set_lists()["label"][::2], "ben": set_lists()["label"][1::2]})
    ),
    "indicators": lambda: Study.from_indicators(indicators(), columns=["fear", "joy", "rage"]),
    "pandas indicators": lambda: Study.from_indicators(pd.DataFrame(indicators()), columns=["fear", "joy", "rage"]),
    "polars indicators": lambda: Study.from_indicators(
        pl.DataFrame(indicators()).with_columns(pl.col("fear", "joy", "rage").cast(pl.Boolean)),
        columns=["fear", "joy", "rage"],
    ),
}


@pytest.mark.parametrize("build", SET_FORMS.values(), ids=SET_FORMS)
def test_sets_are_the_same_however_they_are_written(build: Any) -> None:
    study = build()
    assert (study.kind, study.labels, study.n_annotations) == ("set", ("fear", "joy", "rage"), 7)
    assert {study.answers.value(place) for place in range(len(study.answers))} == {
        (), ("joy",), ("rage",), ("fear", "joy"), ("fear", "rage"),
    }  # fmt: skip
    assert study.describe().labels == {"fear": 3, "joy": 2, "rage": 3}
    reference = SET_FORMS["lists"]()
    for weights in ("masi", "jaccard", "dice", "identity"):
        found, expected = (accord.krippendorff_alpha(each, weights=weights) for each in (study, reference))
        assert (found.value, *found.interval()) == (expected.value, *expected.interval())


def test_the_empty_set_is_an_answer_and_missing_is_not() -> None:
    items: list[Any] = [
        {who: frozenset(held) for item, who, held in ANSWERED if item == number} for number in (1, 2, 3, 4)
    ]
    study = Study(set_lists())
    labels = sorted(set().union(*[item.values() for item in items]), key=sorted)
    alpha = oracle.weighted_alpha(items, labels, oracle.masi)
    assert accord.krippendorff_alpha(study, weights="masi").value == pytest.approx(alpha.value, abs=1e-12)
    by_item = accord.percent_agreement(study).by_item()
    assert dict(zip(by_item["item"], by_item["observed"], strict=True))[2] == 1.0, "two empty sets agree"
    assert dict(study.left_out) == {"rows without an answer": 1}


def test_what_is_left_out_of_sets_is_counted() -> None:
    lists = {"item": [1, 1, None, 2], "annotator": ["ana", "ben", "ana", None], "label": [["a"], None, ["a"], ["a"]]}
    told = dict(Study(lists).left_out)
    assert told == {"rows without an item": 1, "rows without an annotator": 1, "rows without an answer": 1}
    blanks = {"item": [1, 1], "annotator": ["ana", "ben"], "label": [["a", None, " "], [""]]}
    study = Study(blanks)
    assert dict(study.left_out) == {"blanks among the labels of an answer": 3}
    assert study.n_annotations == 2
    assert study.answers.value(0) == (), "a list of blanks only is the empty set: ''.split(';') is ['']"
    gap = {"item": [1, 1], "annotator": ["ana", "ben"], "joy": [1, None], "fear": [0, 1]}
    study = Study.from_indicators(gap, columns=["joy", "fear"])
    assert (study.n_annotations, dict(study.left_out)) == (1, {"rows with a gap among the yes/no columns": 1})


def test_the_scale_of_indicators_is_the_columns_in_their_order() -> None:
    table = {"item": [1], "annotator": ["ana"], "joy": [True], "fear": [False], "never": [False]}
    assert Study.from_indicators(table, columns=["joy", "never", "fear"]).labels == ("joy", "never", "fear")


@pytest.mark.parametrize(
    ("build", "error", "message"),
    [
        (lambda: Study(set_lists(), answers="single"), InputError, r"'label' holds lists of labels: say answers='set'"),
        (
            lambda: Study({"item": [1, 1], "annotator": ["ana", "ben"], "label": [["a", "a"], ["b"]]}),
            LabelError,
            r"stands twice in one answer: \['a', 'a'\], in row 0. Name it once",
        ),
        (
            lambda: Study({"item": [1, 1], "annotator": ["ana"] * 2, "label": ["a", "a"]}, answers="set"),
            LabelError,
            r"'a' stands twice in one answer: item 1, annotator 'ana'. Keep one of the rows",
        ),
        (
            lambda: Study({"item": [1, 1], "annotator": ["ana", "ben"], "label": [["a"], "b"]}),
            LabelError,
            r"answers='set' needs a list of labels in each cell; found 'b' in row 1",
        ),
        (
            lambda: Study({"item": [1, 1], "annotator": ["ana", "ben"], "label": [["a"], [1]]}),
            LabelError,
            r"mixed types: number \(1\) and text \('a'\)",
        ),
        (
            lambda: Study({"item": [1, 1], "annotator": ["ana", "ben"], "label": [["a"], [["b"]]]}),
            LabelError,
            r"must be one text or number; found \['b'\]",
        ),
        (lambda: Study.from_wide([["a", "b"]], answers="set"), InputError, r"needs lists of labels in its cells"),
        (lambda: Study.from_wide([[["a"], ["b"]]], answers="single"), InputError, r"cells hold lists of labels"),
        (lambda: Study.from_wide([[["a"], ["b"]]], answers="score"), InputError, r"cells hold lists of labels"),
        (
            lambda: Study.from_indicators({"item": [1], "annotator": ["ana"], "joy": [2]}, columns=["joy"]),
            InputError,
            r"The column 'joy' must say yes or no \(True/False, 1/0\); found 2",
        ),
        (
            lambda: Study.from_indicators({"item": [1], "annotator": ["ana"], "joy": ["yes"]}, columns=["joy"]),
            InputError,
            r"The column 'joy' must say yes or no \(True/False, 1/0\); found 'yes'",
        ),
        (
            lambda: Study.from_indicators({"item": [1], "annotator": ["ana"], "joy": [1]}, columns=["yoy"]),
            InputError,
            r"No column 'yoy' to read yes or no from; .* Did you mean 'joy'\?",
        ),
        (
            lambda: Study.from_indicators({"item": [1], "annotator": ["ana"], "joy": [1]}, columns=[]),
            OptionError,
            r"columns must list the yes/no columns.*got \[\]",
        ),
        (
            lambda: Study.from_indicators({"item": [1], "annotator": ["ana"], "joy": [1]}, columns="joy"),
            OptionError,
            r"columns must list the yes/no columns.*got 'joy'",
        ),
        (
            lambda: Study.from_indicators({"item": [1, 1], "annotator": ["ana"] * 2, "joy": [1, 0]}, columns=["joy"]),
            DuplicateAnswers,
            r"Annotator 'ana' answered item 1 more than once \(1 repeat in the table\)",
        ),
    ],
)  # fmt: skip
def test_sets_that_cannot_be_are_refused(build: Any, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        build()


# -- rankings ------------------------------------------------------------------------------------------------------

RANKINGS: list[list[str] | None] = [["a", "b"], ["b", "a"], ["a"], ["a"], ["c", "a"], ["c"], ["b"], None]


def rank_rows() -> dict[str, list[Any]]:
    rows = [
        (item, who, label, rank)
        for item, who, held in zip(ITEMS, PEOPLE, RANKINGS, strict=True)
        for rank, label in enumerate(held or [], start=1)
    ]
    return dict(zip(("item", "annotator", "label", "place"), map(list, zip(*rows[::-1], strict=True)), strict=True))


RANKED_FORMS = {
    "rows": lambda: Study(rank_rows(), rank="place"),
    "pandas rows": lambda: Study(pd.DataFrame(rank_rows()).astype({"place": float}), rank="place"),
    "polars rows": lambda: Study(pl.DataFrame(rank_rows()), rank="place"),
    "rows by their name": lambda: Study(pd.DataFrame(rank_rows()).rename(columns={"place": "rank"}), answers="ranked"),
    "lists": lambda: Study({"item": ITEMS, "annotator": PEOPLE, "label": RANKINGS}, answers="ranked"),
    "polars lists": lambda: Study(
        pl.DataFrame({"item": ITEMS, "annotator": PEOPLE, "label": RANKINGS}), answers="ranked"
    ),
    "wide": lambda: Study.from_wide([RANKINGS[place : place + 2] for place in range(0, 8, 2)], answers="ranked"),
}


@pytest.mark.parametrize("build", RANKED_FORMS.values(), ids=RANKED_FORMS)
def test_rankings_are_the_same_however_they_are_written(build: Any) -> None:
    study = build()
    assert (study.kind, study.labels, study.n_annotations) == ("ranked", ("a", "b", "c"), 7)
    values = [study.answers.value(place) for place in range(len(study.answers))]
    assert values == [("a",), ("b",), ("c",), ("a", "b"), ("b", "a"), ("c", "a")]
    reference = RANKED_FORMS["lists"]()
    for weights in ("shared-mass", "overlap", "identity"):
        found, expected = (accord.fleiss_kappa(each, weights=weights) for each in (study, reference))
        assert (found.value, *found.interval()) == (expected.value, *expected.interval())


RANKED: dict[str, list[Any]] = {"item": [7, 7, 7], "annotator": ["ana", "ana", "ben"], "label": ["a", "b", "a"]}


@pytest.mark.parametrize(
    ("ranks", "message"),
    [
        ([1, 3, 1], r"Ranks must run 1, 2, … without gaps; item 7, annotator 'ana' has the ranks 1, 3"),
        ([2, 3, 1], r"item 7, annotator 'ana' has no primary label \(rank 1\)"),
        ([0, 1, 1], r"Ranks must be whole numbers from 1 \(the primary label\); found 0"),
        ([1, 1.5, 1], r"found 1.5"),
        (["first", "second", "first"], r"found 'first', 'second'"),
        ([True, False, True], r"found"),
        ([1, None, 1], r"Every label needs a rank, 1 for the primary one; found 1 row with a label and no rank"),
    ],
    ids=["gap", "no primary", "zero", "fraction", "text", "yes", "missing"],
)
def test_ranks_that_do_not_rank_are_refused(ranks: list[Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        Study({**RANKED, "rank": ranks}, rank="rank")


@pytest.mark.parametrize(
    ("lists", "message"),
    [
        ([["a", "a"]], r"stands twice in one answer: \['a', 'a'\]"),
        ([[]], r"A ranked answer needs a primary label and no blanks; found \[\] in row 0. A missing answer is None"),
        ([[None, "b"]], r"needs a primary label and no blanks; found \[None, 'b'\] in row 0"),
        ([["a", ["b", None]]], r"needs a primary label and no blanks; found \['a', \['b', None\]\] in row 0"),
        ([["a", []]], r"needs a primary label and no blanks; found \['a', \[\]\] in row 0"),
        ([["a", ["b", "a"]]], r"stands twice in one answer: \['a', 'b', 'a'\]"),
        ([{"a", "b"}], r"A set has no order, so it is no ranking"),
        (["a"], r"No column 'rank' to read the rank from"),
    ],
    ids=["twice", "empty", "blank", "blank among tied", "nothing tied", "twice with a tie", "set", "no list"],
)
def test_lists_that_do_not_rank_are_refused(lists: list[Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        Study({"item": [1], "annotator": ["ana"], "label": lists}, answers="ranked")


def test_a_label_stands_once_in_a_ranking() -> None:
    with pytest.raises(LabelError, match=r"twice in one ranked answer: item 7, annotator 'ana'. Keep the better rank"):
        Study({**RANKED, "label": ["a", "a", "a"], "rank": [1, 2, 1]}, rank="rank")


# -- scores --------------------------------------------------------------------------------------------------------

SCORES = [1.5, 2.0, None, 3.25, 4.0, 4.0, -1.0, 0.0]
SCORED = {"item": ITEMS, "annotator": PEOPLE, "score": SCORES}
SCORE_FORMS = {
    "mapping": lambda: Study(SCORED, score="score"),
    "with NaN": lambda: Study(
        {**SCORED, "score": [math.nan if cell is None else cell for cell in SCORES]}, score="score"
    ),
    "masked": lambda: Study(
        {
            **SCORED,
            "score": np.ma.masked_array(
                [cell or math.inf for cell in SCORES[:-1]] + [0], mask=[c is None for c in SCORES]
            ),
        },
        score="score",
    ),
    "decimals": lambda: Study(
        {**SCORED, "score": [c if c is None else Decimal(str(c)) for c in SCORES]}, score="score"
    ),
    "pandas": lambda: Study(pd.DataFrame(SCORED), score="score"),
    "pandas object": lambda: Study(pd.DataFrame(SCORED).astype({"score": object}), score="score"),
    "pandas Float64": lambda: Study(pd.DataFrame(SCORED).astype({"score": "Float64"}), score="score"),
    "pandas blanks": lambda: Study(pd.DataFrame(SCORED).astype({"score": object}).fillna(""), score="score"),
    "polars": lambda: Study(pl.DataFrame(SCORED), score="score"),
    "polars lazy": lambda: Study(pl.LazyFrame(SCORED), score="score"),
    "arrow": lambda: Study(pa.table(SCORED), score="score"),
    "wide": lambda: Study.from_wide([SCORES[place : place + 2] for place in range(0, 8, 2)], answers="score"),
    "wide array": lambda: Study.from_wide(np.array(SCORES, dtype=float).reshape(4, 2), answers="score"),
    "labels said to be scores": lambda: Study(
        pd.DataFrame(SCORED).assign(label="x"), label="label", score="score", answers="score"
    ),
}


@pytest.mark.parametrize("build", SCORE_FORMS.values(), ids=SCORE_FORMS)
def test_scores_are_the_same_however_they_are_written(build: Any) -> None:
    study = build()
    assert (study.kind, study.labels, study.n_annotations) == ("score", (), 7)
    assert study.answers.scores.tolist() == [-1.0, 0.0, 1.5, 2.0, 3.25, 4.0]
    alpha = accord.krippendorff_alpha(study)
    assert alpha.options["level"] == "interval", "numbers are measured as numbers"
    reference = accord.krippendorff_alpha(SCORE_FORMS["mapping"]())
    assert (alpha.value, *alpha.interval()) == (reference.value, *reference.interval())


@pytest.mark.parametrize(
    ("scores", "message"),
    [
        (
            [1, math.inf, 2, 3, 4, 5, 6, 7],
            r"A score must be a finite number; the column 'score' has inf in row 1. Make it",
        ),
        ([1, 2, -math.inf, 3, 4, 5, 6, 7], r"has -inf in row 2"),
        ([1, 2, "three", 3, 4, 5, 6, 7], r"A score must be a number; the column 'score' has 'three' in row 2"),
        ([True, False] * 4, r"A score must be a number; the column 'score' has True in row 0"),
        ([1, 2, [3], 3, 4, 5, 6, 7], r"A score must be text, a number or yes/no; found \[3\]"),
        ([1, 2, 10**400, 3, 4, 5, 6, 7], r"must be a finite number"),
    ],
    ids=["infinity", "minus infinity", "text", "yes", "list", "huge"],
)
def test_scores_must_be_finite_numbers(scores: list[Any], message: str) -> None:
    with pytest.raises(LabelError, match=message):
        Study({**SCORED, "score": scores}, score="score")


@pytest.mark.parametrize("cells", [[["a", "b"]], [[True, False]]], ids=["text", "yes"])
def test_wide_scores_must_be_numbers(cells: list[list[Any]]) -> None:
    with pytest.raises(LabelError, match=r"answers='score' needs numbers, and the answers here are the labels"):
        Study.from_wide(cells, answers="score")
    with pytest.raises(LabelError, match=r"choose what fits names: answers='single'\."):
        Study.from_wide(cells, answers="score")
    assert Study.from_wide(cells, answers="single").kind == "single"


@pytest.mark.parametrize("cell", [math.inf, -math.inf, np.float32("inf")])
def test_infinity_is_no_label_either(cell: float) -> None:
    for build in (
        lambda: Study.from_wide([[1.0, cell]]),
        lambda: Study.from_wide(np.array([[1.0, cell]])),
        lambda: Study.from_wide([[1.0, cell]], answers="score"),
        lambda: accord.cohen_kappa([1.0], [cell]),
    ):
        with pytest.raises(LabelError, match=r"must be finite; found -?inf. Make it missing \(None\) or mend the data"):
            build()


# -- roles ---------------------------------------------------------------------------------------------------------


def test_the_roles_say_what_kind_of_answers_there_are() -> None:
    table = {"item": [1, 1], "annotator": ["ana", "ben"], "label": ["a", "b"], "rank": [1, 1], "score": [1.0, 2.5]}
    assert Study(table).kind == "ranked", "a column called rank ranks, as in a file"
    said: dict[str, Any] = {"item": "item", "annotator": "annotator"}
    assert Study(table, **said, label="label").kind == "single", "what is said in full is all there is"
    assert Study(table, **said, score="score").kind == "score"
    assert Study(table, **said, label="label", score="score").kind == "single", "with both, the label is the answer"
    assert Study(table, rank="rank").kind == "ranked"
    assert Study({**table, "label": [["a"], ["b"]]}, **said, label="label").kind == "set"
    assert Study(table, answers="set").kind == "set"


def test_a_kind_without_its_column_is_refused() -> None:
    table = {"item": [1, 1], "annotator": ["ana", "ben"], "label": ["a", "b"]}
    with pytest.raises(OptionError, match=r"answers='score' needs score=…, the column to read them from"):
        Study(table, answers="score")
    with pytest.raises(InputError, match=r"No column 'rank' to read the rank from; .* Say which one it is: rank=…"):
        Study(table, answers="ranked")
    with pytest.raises(OptionError, match=r"answers must be one of .*; got 'sets'. Did you mean 'set'\?"):
        Study(table, answers="sets")  # type: ignore[arg-type]
    with pytest.raises(OptionError, match=r"answers must be one of .*; got 'scores'. Did you mean 'score'\?"):
        Study.from_wide([[1, 2]], answers="scores")  # type: ignore[arg-type]


def test_labels_used_are_those_that_somebody_gave_whatever_the_kind() -> None:
    several = [[["joy", "fear"], ["joy"]]]
    for answers in ("set", "ranked"):
        study = accord.Study.from_wide(several, answers=answers, labels=["joy", "fear", "anger"])
        assert study.labels_used == {"joy", "fear"}
    assert accord.Study.from_wide([[1.5, 2.0]], answers="score").labels_used == set()


def test_spans_in_columns_of_other_names_are_written_and_read_again(tmp_path: Path) -> None:
    table = {"item": ["d", "d"], "annotator": ["ana", "ben"], "label": ["x", "y"], "from": [0, 3], "to": [2, 5]}
    study = accord.Study(table, start="from", end="to")
    again = accord.read(study.write(tmp_path / "spans.csv"))
    assert (again.kind, again.n_annotations) == (study.kind, 2)
