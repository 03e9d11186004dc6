"""Items with scores that were chosen with unequal chances count by their weights, whatever is measured of them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import accord
from accord.coefficients.units import Units
from accord.errors import MeasureError

RNG = np.random.default_rng(1)
CELLS = (RNG.normal(50, 20, (40, 1)) + RNG.normal(0, 10, (40, 3))).round()
TIMES = 1 + np.arange(40) % 3
SMOOTH: list[Any] = [
    accord.mean_absolute_difference, accord.within_item_sd, accord.lin_concordance, accord.mean_pearson,
]  # fmt: skip
MEASURES = pytest.mark.parametrize("measure", [*SMOOTH, accord.mean_spearman, accord.mean_kendall])


def weighted() -> accord.Study:
    return accord.Study.from_wide(CELLS, answers="score").with_item_weights(TIMES.tolist())


def repeated() -> accord.Study:
    """As many copies of every item as it weighs."""
    return accord.Study.from_wide(np.repeat(CELLS, TIMES, axis=0), answers="score")


@MEASURES
def test_an_item_counts_as_often_as_it_weighs(measure: Any) -> None:
    found, copies = measure(weighted()), measure(repeated())
    assert found.value == pytest.approx(copies.value)
    assert found.n_items == 40
    assert any("40 are worth" in note for note in found.notes)
    for table in ("by_annotator", "by_pair"):
        assert getattr(found, table)()["value"] == pytest.approx(getattr(copies, table)()["value"])


@MEASURES
def test_errors_are_those_of_items_left_out_and_of_resamples(measure: Any) -> None:
    found = measure(weighted())
    error = found.interval().se
    assert error == pytest.approx(found.interval(method="jackknife").se, rel=0.2)
    assert error == pytest.approx(found.interval(method="bootstrap", rng=1).se, rel=0.25)
    assert error > measure(repeated()).interval().se  # which takes copies for items


@pytest.mark.parametrize("measure", SMOOTH)
def test_an_item_moves_the_value_by_its_weight(measure: Any) -> None:
    found = measure(weighted()).coefficient
    steps = [(found.evaluate(1 + move).value - found.evaluate(1 - move).value) / 2e-5 for move in 1e-5 * np.eye(40)]
    assert found.influence() == pytest.approx(40 * np.array(steps), abs=1e-4)


@pytest.mark.parametrize("gaps", [False, True], ids=["whole", "gaps"])
@pytest.mark.parametrize("form", ["ICC(1,1)", "ICC(A,1)", "ICC(C,1)", "ICC(A,k)"])
def test_so_many_of_an_item_are_so_many_copies_of_it(form: Any, gaps: bool) -> None:
    """Of an intraclass correlation, the value and its tables; weights count by their proportions only."""
    cells = CELLS.copy()
    if gaps:
        cells[::7, 1] = np.nan
    of_weights = accord.Study.from_wide(cells, answers="score").with_item_weights(TIMES.tolist())
    of_copies = accord.Study.from_wide(np.repeat(cells, TIMES, axis=0), answers="score")
    found, copies = accord.icc(of_weights, form=form), accord.icc(of_copies, form=form)
    one, wanted = found.coefficient, copies.coefficient
    assert one is not None
    assert wanted is not None
    counted = one.unweighted.counted(TIMES.astype(float))
    assert counted is not None
    assert float(counted.parts.value) == pytest.approx(float(wanted.parts.value), rel=1e-4)
    mine, theirs = counted.decomposition(), wanted.decomposition()
    copy_of = np.repeat(np.arange(40), TIMES)
    assert mine.value[copy_of] == pytest.approx(theirs.value, rel=1e-3, abs=1e-3)
    assert (mine.weight / TIMES)[copy_of] == pytest.approx(theirs.weight)
    items = found.by_item()
    assert np.nansum(np.asarray(items["weight"]) * np.asarray(items["value"])) == pytest.approx(found.value)
    assert found.by_annotator()["value"] == pytest.approx(copies.by_annotator()["value"], abs=0.01)
    assert found.by_pair()["value"] == pytest.approx(copies.by_pair()["value"], abs=0.01)


def test_of_two_annotators_each_is_as_sure_as_their_intraclass_correlation() -> None:
    two = weighted().of_annotators(weighted().annotators[:2])
    found = accord.icc(two).coefficient
    assert found is not None
    assert found.by_annotator(two).error[:2] == pytest.approx(found.error(Units(found.sample)), rel=0.02)


def test_what_can_count_whole_items_only_is_refused() -> None:
    """Scores given again with gaps: variances that are fitted anew for every number of items."""
    rows = [
        {"item": item, "annotator": who, "score": CELLS[item, who] + run, "run": run, "item_weight": 1 + item % 3}
        for item in range(12) for who in range(3) for run in range(2) if (item + who + run) % 5
    ]  # fmt: skip
    study = accord.Study(rows, duplicates="repeat")
    with pytest.raises(MeasureError, match="This value is of whole items"):
        accord.icc(study)


def test_equal_weights_change_nothing() -> None:
    study = accord.Study.from_wide(CELLS, answers="score")
    found = accord.mean_spearman(study.with_item_weights([2.0] * 40))
    assert found.interval().se == pytest.approx(accord.mean_spearman(study).interval().se)
