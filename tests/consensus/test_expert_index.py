"""Bhowmick, Mitra & Basu 2008, Algorithm 1, against its loops written out."""

from __future__ import annotations

from typing import Any

import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import given

import accord
from accord import AccordError, Study
from tests.oracles.gold import SetAnswers, expert_index

LABELS = ("anger", "fear", "joy")
SETS = st.frozensets(st.sampled_from(LABELS))


def study_of(rows: list[dict[str, frozenset[str]]], order: list[int] | None = None) -> Study:
    records = [
        {"item": place, "annotator": name, "label": sorted(labels)}
        for place in (order or range(len(rows)))
        for name, labels in rows[place].items()
    ]
    return Study(records, answers="set", labels=LABELS)


rows_of_sets = st.lists(
    st.dictionaries(st.sampled_from(["a", "b", "c", "d"]), SETS, min_size=1), min_size=1, max_size=12
)


@given(rows_of_sets, st.booleans(), st.randoms(use_true_random=False))
def test_the_algorithm_is_the_papers_in_the_order_of_the_data(
    rows: list[dict[str, frozenset[str]]], two_pass: bool, random: Any
) -> None:
    order = list(range(len(rows)))
    random.shuffle(order)
    gold = accord.gold(study_of(rows, order), method="expert-index", order="two-pass" if two_pass else "given")
    expected, index = expert_index([list(rows[place].items()) for place in order], LABELS, two_pass=two_pass)
    found = {place: set(labels) for place, labels in zip(gold.study.items, gold.labels, strict=True)}
    assert [found[place] for place in order] == expected
    weights = gold.outcomes[0].weights
    assert weights is not None
    assert dict(zip(gold.study.annotators, weights.tolist(), strict=True)) == index


@given(
    st.lists(st.lists(st.tuples(st.sampled_from("abc"), SETS), min_size=1, max_size=6), min_size=1, max_size=4),
    st.booleans(),
)
def test_of_repeated_answers_each_counts_and_all_have_their_annotators_index(
    rows: list[SetAnswers], two_pass: bool
) -> None:
    records = [
        {"item": place, "annotator": name, "label": sorted(labels)}
        for place, row in enumerate(rows)
        for name, labels in row
    ]
    study = Study(records, answers="set", labels=LABELS, duplicates="repeat")
    gold = accord.gold(study, method="expert-index", order="two-pass" if two_pass else "given")
    expected, index = expert_index(rows, LABELS, two_pass=two_pass)
    assert [set(labels) for labels in gold.labels] == expected
    weights = gold.outcomes[0].weights
    assert weights is not None
    assert dict(zip(gold.study.annotators, weights.tolist(), strict=True)) == index


def test_a_tie_meets_what_the_same_annotator_gained_a_category_before() -> None:
    said = [("a", "L1"), ("b", "L0"), ("b", "L3"), ("b", "L1"), ("c", "L1"), ("c", "L4")]
    table = {"item": [1] * 6, "annotator": [who for who, _ in said], "label": [label for _, label in said]}
    gold = accord.gold(table, method="expert-index", labels=["L0", "L1", "L2", "L3", "L4"], duplicates="repeat")
    # L0 has lost, so a, b and c stand at 1, 2 and 2: for L1 1 + 2 + 2, against it 2 + 2 + 2
    assert gold.labels == [None]


@pytest.mark.slow
@given(rows_of_sets, st.randoms(use_true_random=False))
def test_two_passes_do_not_depend_on_the_order(rows: list[dict[str, frozenset[str]]], random: Any) -> None:
    order = list(range(len(rows)))
    random.shuffle(order)
    first, second = (accord.gold(study_of(rows, o), method="expert-index", order="two-pass") for o in (None, order))
    assert first.labels == second.labels


def test_the_papers_order_matters_through_ties() -> None:
    rows = [
        {"a": frozenset({"joy"}), "b": frozenset()},
        {"a": frozenset({"joy"}), "b": frozenset(), "c": frozenset({"joy"})},
    ]
    forward = accord.gold(study_of(rows), method="expert-index")
    backward = accord.gold(study_of(rows, [1, 0]), method="expert-index")
    assert forward[0] == ()  # nobody has shown anything yet: an equal sum does not assign
    assert backward[0] == ("joy",)  # a was with the majority before


def test_single_labels_are_one_label_sets_and_none_or_two_is_undecided() -> None:
    table = {"item": [1, 1, 2, 2, 2, 3, 3], "annotator": list("ababcab"), "label": list("xyxxyyx")}
    gold = accord.gold(table, method="expert-index")
    assert gold.labels[0] is None
    assert (
        gold.reason(1) == "no label has more annotators for it than against it, and the expert index does not settle it"
    )
    assert gold[2] == "x"
    # on item 3 both have the same index, as both were with the majority on item 2
    assert gold.labels[2] is None


def test_single_labels_end_with_one_label_or_undecided_with_a_reason() -> None:
    rng = np.random.default_rng(1)
    reasons = set()
    for _ in range(100):
        size = 6
        table = {
            "item": np.repeat(np.arange(size), 4),
            "annotator": list("abcd") * size,
            "label": rng.choice(list("xyz"), size * 4).tolist(),
        }
        gold = accord.gold(table, method="expert-index")
        assigned = gold.outcomes[0].details["assigned"]
        assert ((assigned.sum(axis=1) == 1) == gold.decided).all()
        reasons |= {gold.reason(item) is None for item in gold.study.items}
    assert reasons == {True, False}


def test_an_order_that_is_not_one_is_refused() -> None:
    with pytest.raises(AccordError, match="order must be one of"):
        accord.gold({"item": [1, 1], "annotator": ["a", "b"], "label": ["x", "y"]}, method="expert-index", order="any")


def test_known_labels_take_the_place_of_a_majority() -> None:
    rows = [
        {"a": frozenset({"joy"}), "b": frozenset(), "c": frozenset()},
        {"a": frozenset({"joy"}), "b": frozenset()},
    ]
    gold = accord.gold(study_of(rows), method="expert-index", known={0: ["joy"]})
    assert gold.labels == [("joy",), ("joy",)]  # a was right on the known item and carries the tie


def test_a_known_label_is_certain_whoever_gave_it() -> None:
    study = Study.from_wide([["x", "x"], ["x", "y"], [None, None]], labels=["x", "y", "z"])
    gold = accord.gold(study, method="expert-index", known={0: "y", 2: "z"})
    assert gold.labels == ["y", None, "z"]
    assert gold.confidence[[0, 2]].tolist() == [1, 1]
