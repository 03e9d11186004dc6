"""Two values side by side: paired, on different items, and by two groups of annotators."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import accord
from accord.measures.registered import MEASURES
from tests.laws.studies import Drawn, measures, near, studies

Array = npt.NDArray[np.float64]
MANY = tuple(name for name in measures if not MEASURES[name].two)
DRAWS = 3000
SLACK = 4 / math.sqrt(DRAWS)  # four errors of a ratio of two spreads, each from 3,000 draws


def cells(items: int = 120, people: int = 4, seed: int = 21, right: float = 0.7) -> Array:
    """Annotators who are often right and err each in a way of their own, on skewed labels, with gaps.

    Even mixes would make the coefficients differ in second order only, where a linear error cannot be right.
    """
    rng = np.random.default_rng(seed)
    truth = rng.choice(3, items, p=[0.65, 0.25, 0.1])
    table = np.where(rng.random((items, people)) < right, truth[:, None], np.arange(people) % 3)
    return np.where(rng.random(table.shape) < 0.15, np.nan, table)


def named(table: Array, first: int = 0) -> accord.Study:
    """A study whose items have names, numbered from `first`."""
    item, annotator = np.nonzero(~np.isnan(table))
    rows = {
        "item": [f"i{first + number:03}" for number in item],
        "annotator": annotator,
        "label": table[item, annotator],
    }
    return accord.Study(rows, labels=[0, 1, 2])


def measured(measure: str, study: accord.Study, **options: Any) -> accord.Agreement:
    result = MEASURES[measure].function(study, **options)
    assert isinstance(result, accord.Agreement)
    return result


def on_rows(result: accord.Agreement, names: list[Any], rows: npt.NDArray[np.int64]) -> Array:
    """The value on draws of items (draws × items, numbers into `names`), but for items the result does not have."""
    coefficient: Any = result.coefficient
    place = dict(zip(result.study.items, coefficient.tally.locate().tolist(), strict=True))
    pattern = np.array([place.get(name, -1) for name in names])[rows]
    counts = np.zeros((len(rows), len(coefficient.tally)))
    for draw, drawn in enumerate(pattern):
        counts[draw] = np.bincount(drawn[drawn >= 0], minlength=counts.shape[1])
    values: Array = coefficient.evaluate(counts).value
    return values


def literal(x: accord.Agreement, y: accord.Agreement, names: list[Any], seed: int = 1) -> Array:
    """Differences on items drawn one by one, both results on the same draw."""
    rows = np.random.default_rng(seed).integers(0, len(names), (DRAWS, len(names)))
    return on_rows(x, names, rows) - on_rows(y, names, rows)


def assert_as_drawn(x: accord.Agreement, y: accord.Agreement, slow: Array, *, common: int) -> None:
    """The bootstrap and the analytic error of the difference are those of the literal draws."""
    quick = accord.compare(x, y, method="bootstrap", n_resamples=DRAWS, rng=2)
    assert quick.difference == x.value - y.value
    assert quick.common_items == common
    assert quick.se == pytest.approx(slow.std(), rel=SLACK)
    width = np.quantile(slow, 0.975) - np.quantile(slow, 0.025)
    assert (quick.low, quick.high) == pytest.approx(tuple(np.quantile(slow, [0.025, 0.975])), abs=0.08 * width)
    assert accord.compare(x, y).se == pytest.approx(slow.std(), rel=0.12)


# One study --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("measure", [name for name in MANY if name != "fleiss_kappa"])
def test_two_coefficients_on_the_same_items_are_paired(measure: str) -> None:
    study = named(cells())
    x, y = measured("fleiss_kappa", study), measured(measure, study)
    slow = literal(x, y, list(x.study.items))
    found = accord.compare(x, y)
    assert found.paired
    assert_as_drawn(x, y, slow, common=min(len(_counted(x)), len(_counted(y))))
    assert found.se < 0.9 * math.hypot(x.interval().se, y.interval().se)  # what pairing is for


def test_the_analytic_error_of_a_difference_is_its_jackknife() -> None:
    table = cells(200)
    x, y = (measured(name, named(table)) for name in ("conger_kappa", "krippendorff_alpha"))
    without = []
    for row in range(len(table)):
        rest = named(np.delete(table, row, axis=0))
        without.append(accord.conger_kappa(rest).value - accord.krippendorff_alpha(rest).value)
    n = len(table)
    error = math.sqrt((n - 1) / n * float(((np.array(without) - np.mean(without)) ** 2).sum()))
    assert accord.compare(x, y).se == pytest.approx(error, rel=0.03)


@settings(max_examples=60)
@given(drawn=studies(("single",)), data=st.data())
def test_a_comparison_turned_round_has_the_other_sign(drawn: Drawn, data: st.DataObject) -> None:
    x, y = (measured(data.draw(st.sampled_from(MANY)), drawn.study()) for _ in range(2))
    assume(x.undefined is None and y.undefined is None and min(x.n_items, y.n_items) > 1)
    there, back = accord.compare(x, y, paired=True), accord.compare(y, x, paired=True)
    assert near(there.difference, -back.difference)
    assert near(there.low, -back.high, 1e-9)
    assert near(there.se, back.se, 1e-9)
    assert near(there.p, back.p, 1e-9)


@pytest.mark.parametrize("measure", MANY)
def test_a_result_does_not_differ_from_itself(measure: str) -> None:
    result = measured(measure, named(cells(20)))
    for method in ("analytic", "bootstrap"):
        found = accord.compare(result, result, method=method, rng=0)
        assert (found.difference, found.se, found.p) == (0, 0, 1)
        assert (found.low, found.high) == (0, 0)


# Two studies ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("measure", MANY)
def test_different_items_have_independent_errors(measure: str) -> None:
    one, two = cells(60), cells(90, seed=22, right=0.85)
    x, y = measured(measure, named(one)), measured(measure, named(two, first=500))
    found = accord.compare(x, y)
    assert not found.paired
    assert found.se == pytest.approx(math.hypot(x.interval().se, y.interval().se), rel=1e-9)
    rng = np.random.default_rng(5)
    left, right = list(x.study.items), list(y.study.items)
    slow = on_rows(x, left, rng.integers(0, len(left), (DRAWS, len(left))))
    slow -= on_rows(y, right, rng.integers(0, len(right), (DRAWS, len(right))))
    assert_as_drawn(x, y, slow, common=0)


def test_row_numbers_are_no_names() -> None:
    one, two = (accord.Study.from_wide(cells(50, seed=seed)) for seed in (1, 2))
    x, y = accord.fleiss_kappa(one), accord.fleiss_kappa(two)
    assert not accord.compare(x, y).paired
    assert accord.compare(x, y, paired=True).paired
    assert accord.compare(x, y, paired=True).common_items > 40


@pytest.mark.parametrize("measure", MANY)
def test_two_groups_of_annotators_on_the_same_items_are_paired(measure: str) -> None:
    """People against models, say: the same items, so what is hard for one group may be hard for the other."""
    rng = np.random.default_rng(31)
    truth, hard = rng.integers(0, 3, 90), rng.random(90) < 0.5
    wrong = rng.random((90, 6)) < np.where(hard, 0.7, 0.05)[:, None]
    table = np.where(wrong, rng.integers(0, 3, (90, 6)), truth[:, None]).astype(float)
    study = named(table)
    people, models = study.of_annotators(["0", "1", "2"]), study.of_annotators(["3", "4", "5"])
    x, y = measured(measure, people), measured(measure, models)
    found = accord.compare(x, y)
    assert found.paired
    assert found.common_items == 90
    assert_as_drawn(x, y, literal(x, y, list(study.items)), common=90)
    assert found.se < 0.95 * math.hypot(x.interval().se, y.interval().se)


def test_studies_that_share_some_items_are_paired_on_those() -> None:
    """Items of both are drawn together; those of one alone count for that one."""
    table = cells(120, people=6, seed=41)
    x = accord.krippendorff_alpha(named(table[:80, :3]))
    y = accord.krippendorff_alpha(named(table[40:, 3:], first=40))
    names = sorted({*x.study.items, *y.study.items}, key=str)
    common = set(_counted(x)) & set(_counted(y))
    assert_as_drawn(x, y, literal(x, y, names), common=len(common))


def _counted(result: accord.Agreement) -> list[Any]:
    coefficient: Any = result.coefficient
    return [item for item, place in zip(result.study.items, coefficient.tally.locate(), strict=True) if place >= 0]


def test_an_undefined_value_cannot_be_compared() -> None:
    constant = accord.fleiss_kappa(accord.Study.from_wide([["a", "a"]] * 3))
    other = accord.fleiss_kappa(named(cells(20)))
    found = accord.compare(constant, other)
    assert math.isnan(found.difference)
    assert found.undefined == constant.undefined
