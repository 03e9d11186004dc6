"""However annotations are reduced (rows, codes, entries; from a grid or from triples), the tally is the same."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from accord.annotations import coded
from accord.annotations.answers import Answers
from accord.annotations.coded import CodedAnnotations
from tests.oracles.tallies import patterns

if TYPE_CHECKING:
    from accord.annotations.tally import Tally

SHAPES = [(1, 2, 2), (30, 2, 3), (400, 3, 4), (300, 5, 2), (200, 4, 30), (60, 12, 3), (40, 3, 90)]


def drawn(items: int, people: int, labels: int, gaps: float) -> CodedAnnotations:
    rng = np.random.default_rng([items, people, labels])
    grid = rng.integers(labels, size=(items, people))
    grid[rng.random(grid.shape) < gaps] = -1
    names = tuple(str(person) for person in range(people))
    return CodedAnnotations(Answers("single", tuple(range(labels))), items, names, grid=grid)


def as_rows(whole: CodedAnnotations) -> CodedAnnotations:
    return whole.keep(np.ones(whole.n_annotations, dtype=np.bool_))


def entries(tally: Tally) -> list[tuple[tuple[int, int, int], ...]]:
    """Each pattern as (annotator, answer, count), sorted."""
    who = np.full(len(tally.answer), -1) if tally.annotator is None else tally.annotator
    lines = list(zip(who.tolist(), tally.answer.tolist(), tally.count.tolist(), strict=True))
    return [tuple(sorted(lines[a:b])) for a, b in zip(tally.starts[:-1], tally.starts[1:], strict=True)]


def content(tally: Tally) -> tuple[dict[object, int], list[object]]:
    """How many items show each pattern, and the pattern of each item: all that a tally says but for its order."""
    patterns = entries(tally)
    assert len(set(patterns)) == len(patterns)
    assert tally.locate is not None
    items = [patterns[place] if place >= 0 else None for place in tally.locate().tolist()]
    return dict(zip(patterns, tally.items.tolist(), strict=True)), items


WAYS = {
    "as it is": {},
    "by different rows": {"MANY_ITEMS": 0},
    "codes sorted": {"DENSE_CODES": 0},
    "entries sorted": {"CODE_BITS": 0},
    "different rows, then entries": {"MANY_ITEMS": 0, "CODE_BITS": 0},
}


@pytest.mark.parametrize("named", [False, True], ids=["anonymous", "named"])
@pytest.mark.parametrize("gaps", [0.0, 0.3, 0.9])
@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("way", WAYS)
def test_every_way_gives_what_counting_by_hand_gives(
    monkeypatch: pytest.MonkeyPatch, way: str, shape: tuple[int, int, int], gaps: float, named: bool
) -> None:
    for constant, value in WAYS[way].items():
        monkeypatch.setattr(coded, constant, value)
    whole = drawn(*shape, gaps)
    assert whole.grid is not None
    hand = patterns(whole.grid.tolist(), named=named)
    for form in (whole, as_rows(whole)):
        numbers, items = content(form.tally(named=named))
        assert items == hand
        assert numbers == {pattern: hand.count(pattern) for pattern in hand if pattern is not None}


@pytest.mark.parametrize("named", [False, True], ids=["anonymous", "named"])
def test_a_grid_of_many_items_has_its_patterns_in_the_same_order_as_the_long_form(named: bool) -> None:
    whole = drawn(3 * coded.MANY_ITEMS, 3, 4, 0.2)
    one, other = whole.tally(named=named), as_rows(whole).tally(named=named)
    for part in ("items", "starts", "answer", "count", "annotator"):
        assert np.array_equal(getattr(one, part), getattr(other, part)), part
    assert one.locate is not None
    assert other.locate is not None
    assert np.array_equal(one.locate(), other.locate())


def test_those_present_are_those_who_answered() -> None:
    grid = np.array([[-1, 0, -1], [-1, 1, -1], [-1, -1, 2]])
    whole = CodedAnnotations(Answers("single", (0, 1, 2)), 3, ("a", "b", "c"), grid=grid)
    assert whole.present.tolist() == as_rows(whole).present.tolist() == [1, 2]
