"""The matching behind span F1: a largest one, whatever the order, found without a table of all pairs."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st

from accord.errors import MeasureError, OptionError
from accord.spans.assignment import best_matching
from accord.spans.continuum import Continuum
from accord.spans.matching import Criterion, matched
from accord.spans.shared_documents import SharedDocuments
from tests.oracles import spans as oracle
from tests.spans.drawn import PEOPLE, Documents, continuum, documents, positions

CRITERIA = [(match, labels) for match in ("exact", "boundary", "overlap", "iou", "soft") for labels in (True, False)]


@given(documents(), st.sampled_from(CRITERIA), st.sampled_from([0.25, 0.5, 2 / 3, 1.0]))
def test_the_matching_is_the_best_of_all(drawn: Documents, criterion: tuple[Any, bool], threshold: float) -> None:
    match, labels = criterion
    threshold = threshold if match == "iou" else 0.5
    marked = continuum(drawn)
    shared = SharedDocuments.of(marked.seen)
    found = matched(marked, shared, Criterion(match, threshold, labels)).by_shared(len(shared))
    pair = oracle.worth(match, threshold, labels=labels)
    for place in range(len(shared)):
        one, other = (marked.annotators[side[shared.pair[place]]] for side in (shared.first, shared.second))
        document = positions(drawn[int(shared.document[place])])
        assert found[place] == pytest.approx(oracle.largest(document[one], document[other], pair))


@given(
    st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)), unique=True, max_size=20),
    st.lists(st.sampled_from([0.25, 0.5, 0.75, 1.0]), min_size=20, max_size=20),
)
def test_a_best_matching_of_any_graph(edges: list[tuple[int, int]], weights: list[float]) -> None:
    from scipy.optimize import linear_sum_assignment

    table = np.zeros((6, 6))
    for (row, column), weight in zip(edges, weights, strict=False):
        table[row, column] = weight
    first, second = (np.array([edge[side] for edge in edges], dtype=np.int64) for side in (0, 1))
    chosen = best_matching(first, second, table[first, second])
    assert len(set(first[chosen])) == len(set(second[chosen])) == len(chosen)  # no node twice
    assert table[first[chosen], second[chosen]].sum() == pytest.approx(
        table[linear_sum_assignment(table, maximize=True)].sum()
    )


def test_greedy_in_the_order_of_storage_would_match_one_of_two() -> None:
    """nervaluate#40 and Label Studio#8950: the order in which a tool keeps spans changed the score."""
    wide, narrow = (((2, 9),), "X"), (((0, 3),), "X")
    other = [(((0, 4),), "X"), (((5, 8),), "X")]
    for mine in ([wide, narrow], [narrow, wide]):
        for theirs in (other, other[::-1]):
            marked = continuum([{"ana": mine, "ben": theirs}])
            shared = SharedDocuments.of(marked.seen)
            assert matched(marked, shared, Criterion("overlap")).by_shared(1).tolist() == [2.0]


def test_pieces_that_touch_are_one_place() -> None:
    marked = continuum([{"ana": [(((0, 3), (3, 6)), "X")], "ben": [(((0, 6),), "X")]}])
    shared = SharedDocuments.of(marked.seen)
    assert matched(marked, shared, Criterion()).by_shared(1).tolist() == [1.0]
    assert matched(marked, shared, Criterion("soft")).by_shared(1).tolist() == [1.0]


def test_an_empty_place_matches_itself_alone() -> None:
    """A point in a recording, or a place where something is missing: no position, and yet a mark."""
    marked = Continuum.of_marks([{"ana": [(3, 3, "X"), (5, 5, "X")], "ben": [(3, 3, "X"), (4, 8, "X")]}])
    shared = SharedDocuments.of(marked.seen)
    for match in ("exact", "overlap", "iou", "soft"):
        assert matched(marked, shared, Criterion(match)).by_shared(1).tolist() == [1.0]


def units(starts: npt.NDArray[Any], ends: npt.NDArray[Any], who: npt.NDArray[Any]) -> Continuum:
    """Marks in one document, straight from arrays."""
    order = np.lexsort((ends, starts, who))
    starts, ends, who = starts[order].astype(float), ends[order].astype(float), who[order]
    nothing = np.zeros(len(order), dtype=np.int64)
    return Continuum(
        ("X",), PEOPLE[:2], np.ones((1, 2), dtype=np.bool_), np.array([ends.max()]), nothing, who, starts, ends,
        nothing, np.arange(len(order)), starts, ends,
    )  # fmt: skip


@pytest.mark.parametrize("match", ["exact", "overlap", "iou", "soft"])
def test_a_million_marks_in_one_document_are_matched(match: Any) -> None:
    rng = np.random.default_rng(0)
    starts = np.arange(500_000) * 10
    marked = units(
        np.concatenate((starts, starts + rng.integers(-3, 4, len(starts)))),
        np.concatenate((starts + rng.integers(4, 14, len(starts)), starts + rng.integers(5, 15, len(starts)))),
        np.repeat([0, 1], len(starts)),
    )
    shared = SharedDocuments.of(marked.seen)
    found = matched(marked, shared, Criterion(match)).by_shared(1)[0]
    assert 0 < found <= len(starts)


def test_marks_upon_marks_are_an_error_that_says_how_many() -> None:
    starts = np.zeros(20_000)
    marked = units(starts, starts + np.arange(1, 20_001), np.arange(20_000) % 2)
    with pytest.raises(MeasureError, match=r"199,990,000 pairs of marks .* up to 20,000 marks.*match='exact'"):
        matched(marked, SharedDocuments.of(marked.seen), Criterion("overlap"))


def test_a_chain_without_end_is_an_error_that_says_how_long() -> None:
    rng = np.random.default_rng(1)
    starts = np.sort(rng.integers(0, 9_000, 9_000))
    marked = units(starts, starts + rng.integers(40, 60, len(starts)), np.arange(len(starts)) % 2)
    with pytest.raises(MeasureError, match=r"4,500 and 4,500 marks .* one unbroken chain.*match='exact'"):
        matched(marked, SharedDocuments.of(marked.seen), Criterion("soft"))


def test_an_unknown_criterion_says_which_there_are() -> None:
    unknown: Any = "partial"
    with pytest.raises(OptionError, match=r"'exact', 'boundary', 'overlap', 'iou'.*'soft'"):
        Criterion(unknown)
    with pytest.raises(OptionError, match=r"threshold must be a number above 0, up to 1; got 50"):
        Criterion("iou", 50)
