"""Intervals: clusters, finite populations, corrected percentiles, and when there is none."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

import accord
from accord.coefficients.units import Units
from accord.measures.registered import MEASURES
from tests.laws.studies import LEVELS, annotators_for, measures

CHOICES: list[tuple[str, dict[str, Any]]] = [(name, {}) for name in measures]
CHOICES += [("krippendorff_alpha", {"level": level}) for level in LEVELS[1:]]
EVERY_CHOICE = pytest.mark.parametrize(
    ("measure", "options"), CHOICES, ids=[f"{name}-{'-'.join(said.values())}".strip("-") for name, said in CHOICES]
)


def cells(measure: str, items: int = 60, seed: int = 8) -> npt.NDArray[np.float64]:
    """Annotators who agree more often than not, with gaps."""
    rng = np.random.default_rng(seed)
    people = min(4, annotators_for(measure)[1])
    truth = rng.choice([1.0, 2.0, 4.0], items)
    table = np.where(rng.random((items, people)) < 0.6, truth[:, None], rng.choice([1.0, 2.0, 4.0], (items, people)))
    table[rng.random(table.shape) < 0.15] = np.nan
    return table


def long(table: npt.NDArray[np.float64], cluster: npt.NDArray[np.int64] | None = None) -> dict[str, Any]:
    """One row per annotation, and the document that each item is from."""
    item, annotator = np.nonzero(~np.isnan(table))
    frame: dict[str, Any] = {"item": item, "annotator": annotator, "label": table[item, annotator]}
    return frame if cluster is None else frame | {"document": cluster[item]}


def measured(measure: str, options: dict[str, Any], data: Any, **roles: Any) -> accord.Agreement:
    result = MEASURES[measure].function(accord.Study(data, labels=[1, 2, 4], **roles), **options)
    assert isinstance(result, accord.Agreement)
    return result


def sampled(result: accord.Agreement) -> int:
    """The items that were drawn, with those that have a single answer where these count for chance."""
    assert result.coefficient is not None
    return result.coefficient.sample.n_items


# Clusters ---------------------------------------------------------------------------------------------------


@EVERY_CHOICE
def test_items_that_are_clusters_of_their_own_are_items(measure: str, options: dict[str, Any]) -> None:
    table = cells(measure)
    alone = measured(measure, options, long(table))
    clustered = measured(measure, options, long(table, np.arange(len(table))), cluster="document")
    for method in ("analytic", "jackknife"):
        one, two = alone.interval(method=method), clustered.interval(method=method)
        assert two.clusters == sampled(clustered)
        assert two.se == pytest.approx(one.se, rel=1e-9)
        assert tuple(two) == pytest.approx(tuple(one), rel=1e-9)
    for how in ("bootstrap", "bayesian"):
        one, two = (each.interval(method=how, rng=1, n_resamples=2000) for each in (alone, clustered))
        assert two.se == pytest.approx(one.se, rel=0.09)  # 4 errors of a ratio of spreads from 2,000 draws each


@EVERY_CHOICE
def test_copies_within_a_cluster_add_nothing(measure: str, options: dict[str, Any]) -> None:
    """Three copies of every item look like three times the evidence; by cluster the error is that of one copy."""
    table = cells(measure)
    once = measured(measure, options, long(table))
    document = np.tile(np.arange(len(table)), 3)
    thrice = measured(measure, options, long(np.tile(table, (3, 1)), document))
    for method in ("analytic", "jackknife"):
        by_cluster = thrice.interval(method=method, cluster="document")
        by_item = thrice.interval(method=method)
        assert by_cluster.se == pytest.approx(once.interval(method=method).se, rel=0.03)
        assert by_item.se == pytest.approx(by_cluster.se / math.sqrt(3), rel=0.03)
    drawn = thrice.interval(method="bootstrap", cluster="document", rng=2, n_resamples=2000)
    assert drawn.se == pytest.approx(once.interval(method="bootstrap", rng=3, n_resamples=2000).se, rel=0.09)


@EVERY_CHOICE
def test_clusters_left_out_are_their_items_left_out(measure: str, options: dict[str, Any]) -> None:
    table = cells(measure, items=24)
    document = np.arange(24) // 3
    whole = measured(measure, options, long(table, document), cluster="document")
    values = [measured(measure, options, long(table[document != one])).value for one in range(8)]
    error = math.sqrt(7 / 8 * sum((value - np.mean(values)) ** 2 for value in values))
    assert whole.interval(method="jackknife").se == pytest.approx(error, rel=1e-9)


def test_items_without_a_cluster_stand_alone() -> None:
    table = cells("fleiss_kappa", items=20)
    frame = long(table, np.arange(20))
    some = [None if document >= 10 else document for document in frame["document"].tolist()]
    half = measured("fleiss_kappa", {}, frame | {"document": some}, cluster="document")
    assert half.interval().se == pytest.approx(measured("fleiss_kappa", {}, long(table)).interval().se, rel=1e-9)
    assert half.interval().clusters == sampled(half)


# Finite populations -----------------------------------------------------------------------------------------


@EVERY_CHOICE
def test_a_finite_population_shortens_the_error_by_its_factor(measure: str, options: dict[str, Any]) -> None:
    """√(1 − n/N), where n are all items that were looked at, also those with a single answer."""
    result = measured(measure, options, long(cells(measure)))
    n = result.study.n_items
    for method in ("analytic", "gwet", "jackknife"):
        if method == "gwet" and (measure == "light_kappa" or "level" in options):
            continue  # there is no published form
        free = result.interval(method=method)
        bound = result.interval(method=method, population=2 * n)
        assert bound.se == pytest.approx(free.se * math.sqrt(0.5))
        assert result.interval(method=method, population=n).se == 0


# Percentiles ------------------------------------------------------------------------------------------------


def test_corrected_percentiles_are_those_of_scipy() -> None:
    """SciPy draws items, one by one; the limits of both move with the draws by a few hundredths of their width.

    SciPy takes the percentiles of a normal; here they reach as far as Student's t does, so it is asked for those.
    """
    from scipy import stats

    from accord.agreement.inference.informative_items import covered, information

    rng = np.random.default_rng(12)
    truth = (rng.random(60) < 0.12).astype(float)
    skewed = np.where(rng.random((60, 3)) < 0.85, truth[:, None], 1 - truth[:, None])
    result = accord.fleiss_kappa(accord.Study.from_wide(skewed))
    coefficient: Any = result.coefficient
    place = coefficient.tally.locate()

    def value(rows: Any, axis: int = -1) -> Any:
        drawn = np.apply_along_axis(np.bincount, axis, place[rows], minlength=len(coefficient.tally))
        return coefficient.evaluate(drawn).value

    slow = stats.bootstrap(
        (np.arange(60),), value, vectorized=True, n_resamples=6000, method="BCa", rng=np.random.default_rng(1),
        confidence_level=covered(0.95, information(coefficient, Units(coefficient.sample))),
    ).confidence_interval  # fmt: skip
    quick = result.interval(method="bca", n_resamples=6000, rng=2)
    plain = result.interval(method="bootstrap", n_resamples=6000, rng=2)
    width = slow.high - slow.low
    assert quick.low == pytest.approx(slow.low, abs=0.04 * width)
    assert quick.high == pytest.approx(slow.high, abs=0.04 * width)
    assert abs(plain.low - slow.low) + abs(plain.high - slow.high) > 0.05 * width  # the correction does something
    assert quick.se == plain.se


@EVERY_CHOICE
@pytest.mark.parametrize("method", ["bootstrap", "bca", "bayesian"])
def test_more_confidence_is_a_wider_interval(measure: str, options: dict[str, Any], method: Any) -> None:
    result = measured(measure, options, long(cells(measure)))
    narrow, wide = (result.interval(method=method, rng=5, confidence=level) for level in (0.8, 0.99))
    assert wide.low < narrow.low < result.value < narrow.high < wide.high
    assert (narrow.method, narrow.n_resamples, narrow.seed, narrow.undefined_resamples) == (method, 1000, 5, 0)


# No interval ------------------------------------------------------------------------------------------------

UNDEFINED_WITHOUT = [name for name in measures if MEASURES[name].chance in ("own", "pooled", "without-replacement")]


@pytest.mark.parametrize("method", ["bootstrap", "bca"])
@pytest.mark.parametrize("measure", UNDEFINED_WITHOUT)
def test_too_many_undefined_resamples_leave_no_interval(measure: str, method: Any) -> None:
    """Where items are too few to count, and a resample may hold one label only: here two of four, so one in eight."""
    few = accord.Study.from_wide([["a", "a"], ["a", "a"], ["b", "b"], ["b", "c"]])
    span = MEASURES[measure].function(few).interval(method=method, rng=0)
    assert 0.02 < span.undefined_resamples / span.n_resamples < 0.2
    assert math.isnan(span.low)
    assert math.isnan(span.high)
    assert f"{span.undefined_resamples}" in span.undefined


@pytest.mark.parametrize("measure", UNDEFINED_WITHOUT)
def test_a_few_undefined_resamples_are_counted(measure: str) -> None:
    """Four such items of forty: 0.9⁴⁰ = 0.015 of the resamples."""
    few = accord.Study.from_wide([["a", "a"]] * 35 + [["b", "b"]] * 4 + [["a", "b"]])
    span = MEASURES[measure].function(few).interval(method="bootstrap", rng=0, n_resamples=4000)
    share = 1 - 1 / 40 * 5  # 'b' comes with five of the forty items
    assert span.undefined_resamples / 4000 == pytest.approx(share**40, abs=4 * math.sqrt(share**40 / 4000))
    assert span.undefined is None


def test_a_single_item_leaves_no_interval() -> None:
    one = accord.gwet_ac(accord.Study.from_wide([["a", "b", "a"]]))
    assert one.undefined is None
    for method in ("analytic", "gwet", "jackknife", "bootstrap", "bca", "bayesian"):
        span = one.interval(method=method, rng=0)
        assert span.undefined
        assert math.isnan(span.low)
