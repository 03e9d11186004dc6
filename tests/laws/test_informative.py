"""Intervals know how many items inform them: refused, widened or bounded where few do."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import accord
from accord.agreement.inference.count_limits import least_share, most_share
from accord.agreement.inference.few_counts import alike_limits, nearest, share_limits
from accord.agreement.inference.informative_items import (
    Information,
    informed_interval,
    informed_limits,
    outweighed,
    shape,
    weigh_alike,
)
from benchmarks import count_lattice

METHODS = ("analytic", "gwet", "jackknife", "bootstrap", "bca", "bayesian")


def pair(*cells: tuple[str, str, int]) -> accord.Study:
    """Two annotators: what each said, and on how many items."""
    return accord.Study.from_wide([[first, second] for first, second, times in cells for _ in range(times)])


@pytest.mark.parametrize("method", METHODS)
def test_one_informative_item_of_fifty_gives_no_interval(method: Any) -> None:
    """It was 0.493 [0.479, 0.507], with "at least moderate" for sure."""
    result = accord.fleiss_kappa([["no"] * 3] * 49 + [["yes", "yes", "no"]])
    span = result.interval(method=method, rng=0)
    assert math.isnan(span.low)
    assert span.undefined is not None
    assert "Only 1 item of 50 holds another answer than 'no'" in span.undefined
    assert result.interpret().at_least is None
    assert "interval" not in str(result)


@pytest.mark.parametrize("method", METHODS)
def test_an_annotator_who_gave_one_label_throughout_gives_no_interval(method: Any) -> None:
    """It was 0.000 [-0.000, 0.000]."""
    span = accord.cohen_kappa(accord.Study.from_confusion([[24, 1], [0, 0]])).interval(method=method, rng=0)
    assert math.isnan(span.low)
    assert span.undefined


@pytest.mark.parametrize("method", METHODS)
def test_full_agreement_has_the_exact_bound_whatever_the_method(method: Any) -> None:
    """Twenty items without a disagreement: up to 1 − 0.05^(1/20) = 13.9 % of items may have one."""
    result = accord.percent_agreement(pair(("a", "a", 10), ("b", "b", 10)))
    span = result.interval(method=method, rng=0)
    assert (span.method, span.high) == ("exact", 1.0)
    assert span.low == pytest.approx(0.05 ** (1 / 20))
    kappa = accord.fleiss_kappa(pair(("a", "a", 10), ("b", "b", 10)))
    assert kappa.interval().low == pytest.approx(1 - (1 - 0.05 ** (1 / 20)) / 0.5)


def test_the_exact_bound_counts_clusters() -> None:
    cells = {"item": [], "annotator": [], "label": [], "document": []}  # type: dict[str, list[Any]]
    for item in range(40):
        for person in ("ana", "ben"):
            for name, cell in zip(cells, (item, person, "ab"[item % 2], item // 10), strict=True):
                cells[name].append(cell)
    span = accord.percent_agreement(accord.Study(cells, cluster="document")).interval()
    assert span.clusters == 4
    assert span.low == pytest.approx(0.05 ** (1 / 4))


def test_where_all_items_were_annotated_nothing_is_left_to_be_unsure_of() -> None:
    for study in (pair(("a", "a", 5), ("b", "b", 5)), pair(("a", "a", 5), ("b", "b", 5), ("a", "b", 2))):
        result = accord.fleiss_kappa(study)
        assert tuple(result.interval(population=study.n_items)) == (result.value, result.value)


def test_limits_stay_where_values_can_lie() -> None:
    """It was [-14.031, 1.000]."""
    low, high = accord.gwet_ac([["a", "b"], ["b", "b"]]).interval()
    assert -1 <= low < -0.5
    assert 0.9 < high <= 1
    low, high = accord.percent_agreement([["a", "b"], ["b", "b"]]).interval()
    assert (low, high) == pytest.approx((3 - 8.75**0.5, 8.75**0.5 - 2))  # one of two: p² + 0.6 · 2p(1 − p) is .05


def test_no_limit_is_printed_as_minus_zero() -> None:
    found = accord.cohen_kappa(accord.Study.from_confusion([[10, 10], [10, 10]]))
    assert "-0.000" not in str(found)
    assert "-0.000" not in str(found.interval())


def test_few_disagreements_reach_further_down_than_up() -> None:
    """One disagreement among a hundred items: a symmetric interval would end above 1 and stop too early below."""
    result = accord.cohen_kappa(pair(("a", "a", 50), ("b", "b", 49), ("a", "b", 1)))
    span = result.interval()
    assert span.fisher
    assert result.value - span.low > 3 * (span.high - result.value)
    assert span.high < 1
    assert span.low == pytest.approx(1 - 2 * most_share(1, 100, 0.95), abs=0.0005)  # one of a hundred: up to 4.65 %


@pytest.mark.parametrize("first", [50, 55, 66, 80])
def test_how_labels_are_split_does_not_decide_how_far_an_interval_reaches(first: int) -> None:
    """With 55 of one label it was [0.180, 1.000]: most items held nothing else, so two degrees of freedom were left."""
    span = accord.cohen_kappa(pair(("a", "a", first), ("b", "b", 99 - first), ("a", "b", 1))).interval()
    expected = 1 - 2 * (first / 100) * (1 - first / 100)
    assert span.low == pytest.approx(1 - most_share(1, 100, 0.95) / (1 - expected), abs=0.01)


def test_many_informative_items_give_the_textbook_interval() -> None:
    from scipy import stats

    result = accord.cohen_kappa(accord.Study.from_confusion([[20, 5], [10, 15]]))
    span = result.interval()
    half = stats.t.ppf(0.975, 49) * span.se
    assert (span.df, span.fisher) == (49, False)
    assert tuple(span) == pytest.approx((result.value - half, result.value + half))


def test_a_rare_label_on_which_nobody_agrees_gives_no_interval() -> None:
    result = accord.fleiss_kappa(pair(("no", "no", 90), ("no", "yes", 4), ("yes", "no", 4)))
    assert "annotators agree on none of them" in str(result.interval().undefined)


def test_a_rare_label_with_little_to_go_by_gets_the_wider_of_two_intervals() -> None:
    poor = accord.fleiss_kappa(pair(("no", "no", 90), ("yes", "yes", 2), ("yes", "no", 2))).interval()
    rich = accord.fleiss_kappa(pair(("no", "no", 900), ("yes", "yes", 20), ("yes", "no", 20))).interval()
    assert poor.high - poor.low > 5 * (rich.high - rich.low)  # the error alone would make it 3.2 times as wide
    assert poor.df is not None
    assert poor.df < 4


def test_resamples_do_not_show_what_no_item_holds() -> None:
    result = accord.fleiss_kappa(pair(("no", "no", 90), ("yes", "yes", 2), ("yes", "no", 2)))
    assert "method='analytic'" in str(result.interval(method="bootstrap", rng=0).undefined)


def test_agreement_by_label_says_where_a_label_is_too_rare() -> None:
    table = accord.fleiss_kappa(pair(("a", "a", 30), ("b", "b", 30), ("a", "b", 8), ("c", "c", 1))).by_label()
    rows = {row["label"]: row for row in table}
    assert math.isfinite(rows["a"]["low"])
    assert math.isnan(rows["c"]["low"]) or rows["c"]["high"] - rows["c"]["low"] > 1
    assert rows["c"]["value"] == 1


def test_words_follow_the_distribution_of_the_interval() -> None:
    """With t on 14 degrees of freedom a band is less sure than with a normal."""
    rng = np.random.default_rng(4)
    truth = rng.integers(3, size=15)
    table = np.where(rng.random((15, 3)) < 0.85, truth[:, None], rng.integers(3, size=(15, 3)))
    result = accord.fleiss_kappa(accord.Study.from_wide(table))
    found = result.interpret()
    span = result.interval()
    assert sum(found.probabilities) == pytest.approx(1)
    low = found.benchmark.band(span.low)
    reached = sum(p for p, band in zip(found.probabilities, found.benchmark.bands, strict=True) if band.low >= low.low)
    assert reached >= 0.95


def test_the_degrees_of_freedom_are_those_of_the_error() -> None:
    """Drawn from a normal: 2 / (relative variance of the squared error) is about n − 1; one wild item leaves few."""
    rng = np.random.default_rng(0)
    normal = np.median([shape(rng.normal(size=200))[0] for _ in range(200)])
    assert 150 < normal < 200
    one = np.full(100, -1.0)
    one[0] = 99.0
    df, effective = shape(one)
    assert (df, effective) == pytest.approx(
        (2 * 100 / (100**2 * (99**4 + 99) / (99**2 + 99) ** 2 / 100 - 1), 1.02), rel=0.02
    )
    assert shape(np.array([3.0, -1.0]), np.array([10, 30])) == pytest.approx(shape(np.repeat([3.0, -1.0], [10, 30])))


def test_where_nobody_differs_nothing_is_said_of_other_annotators() -> None:
    result = accord.fleiss_kappa([["a"] * 3] * 10 + [["b"] * 3] * 10)
    for resample in ("annotators", "both"):
        assert "Nobody differs" in str(result.interval(resample=resample).undefined)


def test_the_exact_bound_counts_what_weighted_items_are_worth() -> None:
    study = accord.Study.from_wide([["a", "a"], ["b", "b"]] * 10).with_item_weights([1.0, 9.0] * 10)
    worth = (20 * 5) ** 2 / (10 * (1 + 81))
    assert accord.percent_agreement(study).interval().low == pytest.approx(0.05 ** (1 / worth))


def test_a_mean_of_pairs_that_share_few_items_has_no_interval() -> None:
    """Five annotators who each leave out two items in five of twenty: such intervals held the truth in 82 of 100."""
    rng = np.random.default_rng(2)
    truth = rng.integers(3, size=20)
    table = np.where(rng.random((20, 5)) < 0.75, truth[:, None], rng.integers(3, size=(20, 5))).astype(object)
    table[rng.random(table.shape) < 0.4] = None
    study = accord.Study.from_wide(table)
    assert "items in common on average" in str(accord.light_kappa(study).interval().undefined)
    assert accord.fleiss_kappa(study).interval().undefined is None
    assert accord.light_kappa([["a", "a", "b"], ["b", "b", "b"], ["a", "a", "a"]] * 4).interval().undefined is None


def test_a_label_of_one_cluster_alone_has_no_interval_over_clusters() -> None:
    """What moves its value lies within one document, whose items speak against each other: the error was near 0."""
    rng = np.random.default_rng(0)
    rows = []
    for document in range(12):
        for item in range(10):
            label = "rare" if document == 0 and item < 8 else "ab"[rng.integers(2)]
            for who in "xyz":
                given = label if rng.random() < 0.85 else "ab"[rng.integers(2)]
                rows.append({"item": f"{document}-{item}", "annotator": who, "label": given, "doc": document})
    table = accord.fleiss_kappa(accord.Study(rows, cluster="doc")).by_label()
    found = {row["label"]: (row["low"], row["high"]) for row in table}
    assert all(math.isnan(end) for end in found["rare"])
    assert all(math.isfinite(end) for label in "ab" for end in found[label])
    assert "too few items (or clusters of them) hold them to tell" in " ".join(table.notes)


@pytest.mark.parametrize("events", [0.4, 1.0, 2.0, 7.5, 300.0])
def test_the_nearest_limit_is_that_of_a_few_counts_by_the_mid_p_method(events: float) -> None:
    """Half the probability of the last event belongs to either side."""
    from scipy.optimize import brentq
    from scipy.special import gammainc

    least = brentq(lambda mean: (gammainc(events, mean) + gammainc(events + 1, mean)) / 2 - 0.025, 1e-12, events + 9)
    found = float(nearest(0.9, 0.1 / math.sqrt(events), 1.0, 0.95))
    assert (1 - found) / 0.1 == pytest.approx(least / events, rel=1e-9)


def test_of_hardly_an_event_the_nearest_limit_is_the_end() -> None:
    """An error of fifty times what a value falls short by: the least count is below the smallest number there is."""
    assert float(nearest(0.9, 5.0, 1.0, 0.95)) == 1.0


@pytest.mark.parametrize(("events", "units"), [(1, 100), (2, 30), (5, 15), (7, 15), (11, 1000)])
def test_a_value_short_by_a_few_units_alike_has_the_limits_of_their_count(events: int, units: int) -> None:
    share = events / units
    error = math.sqrt(share * (1 - share) / (units - 1))
    low, high = alike_limits(1 - share, error, units, 1.0, 1.0, 0.95)
    assert float(low) == pytest.approx(1 - most_share(events, units, 0.95), rel=1e-12)
    assert float(high) == pytest.approx(1 - least_share(events, units, 0.95), rel=1e-12)


@pytest.mark.parametrize(("items", "inside"), [(15, 0.95), (30, 0.97), (50, 0.98)])
def test_an_interval_of_a_few_counts_holds_the_truth_whatever_it_is(items: int, inside: float) -> None:
    """Exactly, over true values at which between one item and half of them differ; mid-P limits: .85, .90, .94."""
    shares = count_lattice.over_true_values(items)
    assert shares.min() > 0.92
    assert 0.945 < shares.mean() < 0.955
    assert np.mean((shares >= 0.92) & (shares <= 0.98)) > inside


def test_of_few_counts_no_interval_may_lie_between_92_and_98_in_100() -> None:
    """One of a hundred in ten samples: none differs in 90.4 %, none or one in 99.5 %, and nothing else holds 92 %."""
    assert count_lattice.least_possible(100, 0.001) == pytest.approx(0.999**100 + 0.1 * 0.999**99, abs=1e-12)
    assert count_lattice.least_possible(15, 0.0151) == pytest.approx(count_lattice.coverage(15, 0.0151), abs=1e-12)
    assert count_lattice.least_possible(30, 0.0151) == pytest.approx(count_lattice.coverage(30, 0.0151), abs=1e-12)


@pytest.mark.parametrize("items", [15, 20, 30])
def test_one_more_item_that_differs_never_raises_a_limit(items: int) -> None:
    """Of 15 items 3 and 4 that differ had upper limits of .944 and .987: with 4 the plain interval took over."""
    low, high = count_lattice.limits(items)
    assert (np.diff(low[:-1]) <= 1e-12).all()  # where no item agrees there is no interval
    assert (np.diff(high[:-1]) <= 1e-12).all()
    kappas = [
        accord.cohen_kappa(pair(("a", "a", items - items // 2 - differ), ("b", "b", items // 2), ("a", "b", differ)))
        for differ in range(1, items // 3)
    ]
    upper = [kappa.interval().high for kappa in kappas]
    assert upper == sorted(upper, reverse=True)


@pytest.mark.parametrize(("events", "units"), [(1, 15), (4, 15), (14, 15), (20, 60), (29, 1000), (971, 1000)])
def test_a_share_has_both_limits_of_its_count(events: int, units: int) -> None:
    share = events / units
    error = 2 * math.sqrt(share * (1 - share) / (units - 1))
    low, high = share_limits(1 - 2 * share, error, units, 2.0, 1.0, 0.95)  # two labels, even chance
    few = min(events, units - events)
    least, most = least_share(few, units, 0.95), most_share(few, units, 0.95)
    differ = (least, most) if few == events else (1 - most, 1 - least)
    assert (1 - float(high)) / 2 == pytest.approx(differ[0], rel=1e-9)
    assert (1 - float(low)) / 2 == pytest.approx(differ[1], rel=1e-9)


def test_only_shares_of_a_few_counts_have_their_limits() -> None:
    even = math.sqrt(0.25 / 99)
    assert math.isnan(float(share_limits(0.5, even, 100, 1.0, 1.0, 0.95)[0]))  # fifty of either kind
    assert math.isnan(float(share_limits(0.8, even, 100, 1.0, 1.0, 0.95)[0]))  # another spread than a share has
    study = accord.Study.from_confusion([[8, 4], [0, 8]])
    share, published = (accord.percent_agreement(study).interval(method=method) for method in ("analytic", "gwet"))
    assert (share.fisher, published.fisher) == (True, False)
    assert accord.percent_agreement(study).interval(method="jackknife").high == pytest.approx(share.high)


def test_a_unit_without_any_agreement_may_be_among_the_next() -> None:
    """Three annotators, two of whom agreed on each: one item on which nobody agrees would weigh half as much again."""
    known, unknown = (float(alike_limits(0.95, 0.05, 30, worst, 1.0, 0.95)[0]) for worst in (1.0, 2.0))
    assert unknown < known
    assert math.isnan(float(alike_limits(0.4, 0.1, 20, 1.0, 1.0, 0.95)[0]))  # more than half of them fall short


def test_near_misses_say_nothing_of_what_else_there_is() -> None:
    """Five of a hundred, each of a tenth of the weight of full disagreement: the next may weigh ten times as much."""
    near, full = (alike_limits(0.95, 0.05 / 5**0.5, 100, worst, 1.0, 0.95) for worst in (10.0, 1.0))
    assert math.isnan(float(near[0]))
    assert math.isnan(float(near[1]))
    assert math.isfinite(float(full[0]))


def test_disagreements_of_one_weight_are_told_from_those_of_several() -> None:
    def looks_alike(weights: list[float]) -> bool:
        added = np.array(weights + [0.0] * (100 - len(weights)))
        error = added.std(ddof=1) / 10
        return bool(weigh_alike(shape(added - added.mean())[1], added.mean() / error, 100))

    assert looks_alike([1.0] * 5)
    assert looks_alike([1.0] * 4 + [0.9])
    assert not looks_alike([1.0] * 4 + [9.0])


def test_two_disagreements_among_thirty_items_are_a_few_more_than_a_value_near_one_has() -> None:
    """A true kappa of .97 is held in 92.5 % of such studies without them, in 99.0 % with them: nothing lies between.

    Of the two the first is nearer to 95 %. By each side alone, as it was, the interval ended at .976 and held it.
    """
    span = accord.cohen_kappa(pair(("a", "a", 14), ("b", "b", 14), ("a", "b", 1), ("b", "a", 1))).interval()
    assert span.fisher
    assert span.low == pytest.approx(1 - 2 * most_share(2, 30, 0.95), abs=0.005)
    assert span.high == pytest.approx(1 - 2 * least_share(2, 30, 0.95), abs=0.0005)
    assert 0.969 < span.high < 0.97


def test_many_near_misses_on_a_scale_are_not_taken_for_full_disagreement() -> None:
    """With the weight of items without any agreement, alpha 0.930 of 60 items reached down to 0.69."""
    rng = np.random.default_rng(5)
    true = rng.integers(1, 6, (60, 1))
    near = np.where(rng.random((60, 3)) < 0.1, rng.choice([-1, 1], (60, 3)), 0)
    result = accord.krippendorff_alpha(accord.Study.from_wide(np.clip(true + near, 1, 5)), level="ordinal")
    span = result.interval()
    assert result.value > 0.9
    assert result.value - span.low < 3.5 * span.se


def test_where_a_few_scores_outweigh_the_rest_they_are_the_degrees_of_freedom() -> None:
    far, near = [[1.0, 5.0]] * 2, [[score, score + 0.1] for score in np.linspace(1, 5, 18).tolist()]
    result = accord.krippendorff_alpha(accord.Study.from_wide(np.array(far + near)), level="interval")
    assert result.coefficient is not None
    effective = shape(result.coefficient.influences)[1]
    assert effective < 6
    assert not outweighed(effective, 1.0)
    wide, usual = (
        informed_interval(0.4, 0.15, Information(5.0, of, 20), confidence=0.95, method="analytic", ends=(-1.0, 1.0))
        for of in (effective, 7.0)
    )
    assert wide.df == pytest.approx(max(effective - 1, 3.0))
    assert (usual.df, usual.low > wide.low) == (19, True)


def test_many_studies_at_once_have_the_intervals_of_each() -> None:
    """Planning asks for thousands; the rules are the same."""
    rng = np.random.default_rng(3)
    values, errors = rng.uniform(-0.5, 0.99, 200), rng.uniform(0.02, 0.3, 200)
    units, effective = np.full(200, 25.0), rng.uniform(1.5, 20, 200)
    low, high = informed_limits(values, errors, effective, units, confidence=0.9, ends=(-1.0, 1.0), rare=False)
    for place in range(200):
        df = min(24.0, 50 / (25 / effective[place] - 1))
        known = Information(df, effective[place], 25)
        one = informed_interval(
            values[place], errors[place], known, confidence=0.9, method="analytic", ends=(-1.0, 1.0)
        )  # fmt: skip
        assert (one.low, one.high) == pytest.approx((low[place], high[place]), rel=1e-12)
