"""The best alignment: equal to trying every partition, whatever overlaps, nests or stacks; and never a hang."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from accord.errors import MeasureError
from accord.spans import set_packing
from accord.spans.alignment import Alignment, best_alignment
from accord.spans.continuum import Continuum
from accord.spans.set_packing import best_packing, generated_packing
from accord.spans.stacked_continua import Continua, Dissimilarity, Pieces, close_pairs, position
from accord.spans.unit_sets import SetSearch, UnitSets
from tests.oracles import alignment as slow
from tests.oracles.alignment import Unit
from tests.spans.continua_of import one_document

UNITS = st.tuples(st.integers(0, 9), st.integers(1, 4), st.sampled_from("xyz")).map(
    lambda drawn: (float(drawn[0]), float(drawn[0] + drawn[1]), drawn[2])
)


def documents(people: tuple[int, int], most: int) -> st.SearchStrategy[list[list[Unit]]]:
    """What several annotators marked in a short document: much of it overlaps."""
    return st.lists(st.lists(UNITS, max_size=most), min_size=people[0], max_size=people[1])


def named(marked: list[list[Unit]]) -> dict[str, list[Unit]]:
    return {f"a{place}": sorted(units) for place, units in enumerate(marked)}


@settings(max_examples=25, deadline=None)
@given(
    st.one_of(documents((2, 2), 4), documents((3, 4), 3), documents((5, 5), 2)),
    st.sampled_from([0.3, 1.0, 3.0]),
    st.sampled_from([0.0, 1.0, 2.0]),
)
def test_it_is_the_best_of_all_partitions_and_of_the_best_that_of_fewest_sets(
    marked: list[list[Unit]], alpha: float, beta: float
) -> None:
    found = best_alignment(one_document(named(marked)), Dissimilarity(alpha, beta))
    least, fewest = slow.least_and_fewest(marked, alpha, beta)
    assert found.disorder[0] == pytest.approx(least, abs=1e-9)
    assert found.n_unitary[0] == fewest


@settings(max_examples=20, deadline=None)
@given(documents((3, 5), 2))
def test_sets_that_are_generated_give_the_same_as_all_sets(marked: list[list[Unit]]) -> None:
    continua = one_document(named(marked))
    search = SetSearch(continua, close_pairs(continua, Dissimilarity()))
    if len(search.pairs.first):
        found = Alignment(continua, generated_packing(search))
        least, fewest = slow.least_and_fewest(marked)
        assert found.disorder[0] == pytest.approx(least, abs=1e-9)
        assert found.n_unitary[0] == fewest


@settings(max_examples=30, deadline=None)
@given(documents((2, 4), 3))
def test_every_unit_is_in_one_unitary_alignment_with_nobody_twice(marked: list[list[Unit]]) -> None:
    continua = one_document(named(marked))
    found = best_alignment(continua, Dissimilarity())
    assert len(found.group) == continua.n_units
    assert found.n_groups == len(np.unique(found.group)) == found.n_unitary.sum()
    assert len(set(zip(found.group.tolist(), continua.annotator.tolist(), strict=True))) == continua.n_units
    cost, size = found.costs
    assert cost.sum() == pytest.approx(found.disorder.sum())
    assert size.sum() == continua.n_units


@settings(max_examples=20, deadline=None)
@given(st.lists(documents((2, 4), 3), min_size=1, max_size=4))
def test_documents_aligned_together_are_as_those_aligned_alone(marked: list[list[list[Unit]]]) -> None:
    marks = [named(one) for one in marked]
    whole = best_alignment(Continua.of(Continuum.of_marks(marks), range(len(marks))), Dissimilarity())
    alone = [best_alignment(one_document(one), Dissimilarity()).disorder[0] for one in marks]
    assert whole.disorder == pytest.approx(np.array(alone), abs=1e-9)


def test_a_fractional_program_is_made_whole() -> None:
    """Three units in three sets of two: half of each would save more than any whole answer."""
    members = np.array([[0, 1], [1, 2], [0, 2]])
    sets = UnitSets(members, np.array([1.0, 0.9, 0.8]), np.full((3, 2), 0.45))
    found = best_packing(sets, 3)
    assert found.saving.tolist() == [1.0]


@pytest.mark.parametrize("few", [0, 12])
def test_branching_and_trying_give_the_same(few: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(set_packing, "FEW_UNITS", few)
    rng = np.random.default_rng(4)
    members = np.sort(np.array([rng.choice(9, 3, replace=False) for _ in range(40)]), axis=1)
    saving = rng.uniform(1, 2, 40)
    found = best_packing(UnitSets(members, saving, np.repeat(saving[:, None] / 3, 3, axis=1)), 9)
    best = max(
        saving[[i, j, k]].sum()
        for i in range(40) for j in range(i) for k in range(j)
        if len(np.unique(members[[i, j, k]])) == 9
    )  # fmt: skip
    two = max(saving[[i, j]].sum() for i in range(40) for j in range(i) if len(np.unique(members[[i, j]])) == 6)
    assert found.saving.sum() == pytest.approx(max(best, two))


def test_many_annotators_who_agree_need_no_list_of_all_sets() -> None:
    marks = {f"a{k}": [(10.0, 15.0, "x"), (40.0, 48.0, "y")] for k in range(16)}
    found = best_alignment(one_document(marks), Dissimilarity())
    assert found.disorder[0] == pytest.approx(0)
    assert found.n_unitary[0] == 2


def test_nested_and_stacked_units_are_aligned_as_they_are() -> None:
    inner, outer = (2.0, 4.0, "x"), (0.0, 10.0, "y")
    found = best_alignment(one_document({"a": [outer, inner, inner], "b": [inner, inner, outer]}), Dissimilarity())
    assert found.disorder[0] == pytest.approx(0)
    assert found.n_unitary[0] == 3


def test_units_of_no_length_are_alike_only_where_they_stand() -> None:
    marked = {"a": [(3.0, 3.0, "x")], "b": [(3.0, 3.0, "x")], "c": [(4.0, 4.0, "x")]}
    continua = one_document(marked)
    assert position(continua, np.array([0, 0]), np.array([1, 2])).tolist() == [0, np.inf]
    assert best_alignment(continua, Dissimilarity()).n_unitary[0] == 2


def test_a_gap_in_a_unit_is_seen() -> None:
    """Both reach from 0 to 10; one leaves 2 to 8 out: what only one covers is 6 of 14 that both cover."""
    pieces = Pieces(np.array([0, 1, 1]), np.array([0.0, 0.0, 8.0]), np.array([10.0, 2.0, 10.0]))
    continua = Continua(
        np.array([2]), np.array([10.0]), np.zeros(2, np.int64), np.arange(2), np.zeros(2), np.full(2, 10.0),
        np.zeros(2, np.int64), pieces,
    )  # fmt: skip
    assert position(continua, np.array([0]), np.array([1]))[0] == pytest.approx((6 / 14) ** 2)


def test_a_document_that_nobody_could_align_is_an_error_with_its_size() -> None:
    size = 400_000
    rng = np.random.default_rng(0)
    start = rng.uniform(0, 1000, size)
    continua = Continua(
        np.array([2]), np.array([1100.0]), np.zeros(size, np.int64), np.repeat([0, 1], size // 2), start, start + 50,
        np.zeros(size, np.int64),
    )  # fmt: skip
    with pytest.raises(MeasureError, match="400,000 units of one document"):
        best_alignment(continua, Dissimilarity())
