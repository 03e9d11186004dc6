"""The tally of two tables together is the sum of their tallies, whatever is in them."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
from hypothesis import assume, given, settings

import accord
from accord.annotations.item_sketch import KEPT, ItemSketch
from tests.laws.studies import Drawn, studies


def part_of(drawn: Drawn, half: slice) -> accord.Study:
    """The long table of some items; labels that only others have are declared, so that the scale is one."""
    long = drawn.long()
    items = set(range(len(drawn.rows))[half])
    kept = [place for place, item in enumerate(long["item"]) if item in items]
    return accord.Study({name: [cells[place] for place in kept] for name, cells in long.items()}, **drawn.roles)


def both_halves(drawn: Drawn) -> tuple[accord.Study, accord.Study] | None:
    """The first items and the others; None where one half is empty."""
    middle = len(drawn.rows) // 2
    try:
        return part_of(drawn, slice(None, middle)), part_of(drawn, slice(middle, None))
    except accord.AccordError:
        return None


@settings(max_examples=15, deadline=None)
@given(studies(kinds=("single", "set", "ranked", "score"), items=(2, 10), declared=None))
def test_the_sum_of_tallies_is_the_tally_of_the_sum(drawn: Drawn) -> None:
    halves = both_halves(drawn)
    assume(halves is not None)
    assert halves is not None
    first, second = halves
    assume(first.labels == second.labels or set(first.labels) & set(second.labels))
    with TemporaryDirectory() as folder:
        paths = [half.write_tally(Path(folder) / f"{name}.tally") for name, half in zip("ab", halves, strict=True)]
        added = accord.read(paths)
        whole = part_of(drawn, slice(None))
        assert (added.annotators, added.n_items, added.n_annotations) == (
            whole.annotators,
            whole.n_items,
            whole.n_annotations,
        )
        for named in (False, True):
            one, other = added.tally(named=named), whole.tally(named=named)
            assert one.items.tolist() == other.items.tolist()
            assert [added.answers.value(at) for at in one.answer] == [whole.answers.value(at) for at in other.answer]
            assert one.count.tolist() == other.count.tolist()


def test_a_sketch_of_all_items_counts_shared_ones_exactly() -> None:
    one, other = ItemSketch.of(range(700)), ItemSketch.of(range(600, 1500))
    assert one.shared(other).items == 100
    assert one.shared(other).exact is one.whole


def test_a_sketch_of_some_items_estimates_how_many_are_shared() -> None:
    rng = np.random.default_rng(0)
    ids = rng.permutation(40_000)
    one, other = ItemSketch.of(ids[:20_000]), ItemSketch.of(ids[15_000:35_000])
    found = one.shared(other)
    assert len(one.numbers) == KEPT
    assert not found.exact
    assert abs(found.items - 5_000) < 4 * 35_000 * np.sqrt(5 / 35 * 30 / 35 / KEPT)


def test_sketches_without_a_common_item_tell_how_many_there_may_be() -> None:
    found = ItemSketch.of(range(3000)).shared(ItemSketch.of(range(3000, 6000)))
    assert (found.items, found.exact) == (0.0, False)
    assert 0 < found.at_most < 30
