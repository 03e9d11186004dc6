"""Two values side by side: paired, on different items, and by two groups of annotators."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy import stats

import accord
from accord.errors import OptionError
from accord.measures.registered import MEASURES
from tests.laws.studies import Drawn, measures, near, studies
from tests.oracles.resampled_values import differences_on_items, values_on_items

Array = npt.NDArray[np.float64]
MANY = tuple(name for name in measures if not MEASURES[name].two)
RESAMPLES = 3000
SLACK = 4 / math.sqrt(RESAMPLES)  # four errors of a ratio of two spreads, each from 3,000 resamples


def cells(items: int = 120, people: int = 4, seed: int = 21, right: float = 0.7) -> Array:
    """Annotators who are often right and err each in a way of their own, on skewed labels, with gaps.

    Even marginals would make the coefficients differ in second order only, where a linear error cannot be right.
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


def assert_as_drawn(x: accord.Agreement, y: accord.Agreement, slow: Array, *, common: int) -> None:
    """The bootstrap and the analytic error of the difference are those of items drawn one by one."""
    quick = accord.compare(x, y, method="bootstrap", n_resamples=RESAMPLES, rng=2)
    assert quick.difference == x.value - y.value
    assert quick.common_items == common
    assert quick.se == pytest.approx(slow.std(), rel=SLACK)
    assert quick.df is not None
    tail = stats.norm.cdf(stats.t.ppf(0.025, quick.df) * math.sqrt(1 + 1 / quick.df))  # as wide as Student's t
    low, high = np.quantile(slow, [tail, 1 - tail])
    assert (quick.low, quick.high) == pytest.approx((low, high), abs=0.08 * (high - low))
    assert accord.compare(x, y).se == pytest.approx(slow.std(), rel=0.12)


# One study --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("measure", [name for name in MANY if name != "fleiss_kappa"])
def test_two_coefficients_on_the_same_items_are_paired(measure: str) -> None:
    study = named(cells())
    x, y = measured("fleiss_kappa", study), measured(measure, study)
    slow = differences_on_items(x, y, list(x.study.items), RESAMPLES)
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


@settings(max_examples=25)
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
    result = measured(measure, named(cells(60)))
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
    slow = values_on_items(x, left, rng.integers(0, len(left), (RESAMPLES, len(left))))
    slow -= values_on_items(y, right, rng.integers(0, len(right), (RESAMPLES, len(right))))
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
    assert_as_drawn(x, y, differences_on_items(x, y, list(study.items), RESAMPLES), common=90)
    assert found.se < 0.95 * math.hypot(x.interval().se, y.interval().se)


def test_studies_that_share_some_items_are_paired_on_those() -> None:
    """Items of both are drawn together; those of one alone count for that one."""
    table = cells(120, people=6, seed=41)
    x = accord.krippendorff_alpha(named(table[:80, :3]))
    y = accord.krippendorff_alpha(named(table[40:, 3:], first=40))
    names = sorted({*x.study.items, *y.study.items}, key=str)
    common = set(_counted(x)) & set(_counted(y))
    assert_as_drawn(x, y, differences_on_items(x, y, names, RESAMPLES), common=len(common))


def _counted(result: accord.Agreement) -> list[Any]:
    coefficient: Any = result.coefficient
    return [item for item, place in zip(result.study.items, coefficient.tally.locate(), strict=True) if place >= 0]


def test_an_undefined_value_cannot_be_compared() -> None:
    constant = accord.fleiss_kappa(accord.Study.from_wide([["a", "a"]] * 3))
    other = accord.fleiss_kappa(named(cells(20)))
    found = accord.compare(constant, other)
    assert math.isnan(found.difference)
    assert found.undefined == constant.undefined


# What cannot be told ----------------------------------------------------------------------------------------


def confused(table: list[list[int]]) -> accord.Agreement:
    return accord.cohen_kappa(accord.Study.from_confusion(table))


def shares(*rows: str) -> accord.Agreement:
    return accord.percent_agreement([list(row) for row in rows])


@pytest.mark.parametrize("method", ["analytic", "bootstrap"])
@pytest.mark.parametrize(
    ("x", "y"),
    [
        (confused([[24, 0], [0, 1]]), confused([[24, 1], [0, 0]])),  # which differ in one answer of 25 items
        (shares("aa", "bb", "cc"), shares("ab", "bc", "ca")),
        (shares("aa", "bb", "cc"), shares("ab", "bb", "ca")),  # only one of the two has no error
        (shares("ab", "bb", "ca"), shares("aa", "bb", "cc")),
    ],
)
def test_no_difference_is_certain(x: accord.Agreement, y: accord.Agreement, method: Any) -> None:
    """p was 0 and the interval had no width."""
    found = accord.compare(x, y, method=method, rng=0)
    assert found.undefined is not None
    assert math.isnan(found.p)
    assert math.isnan(found.low)
    assert found.difference == x.value - y.value
    assert "cannot be compared" in found.verdict


# Clusters ---------------------------------------------------------------------------------------------------


def documents(seed: int, first: int = 0, number: int = 16, role: str | None = "document") -> accord.Study:
    """Documents of eight items, in some of which the two annotators agree and in others not."""
    rng = np.random.default_rng(seed)
    skill = np.repeat(rng.random(number) < 0.6, 8)
    truth = rng.integers(0, 2, number * 8)
    cells = np.where(rng.random((number * 8, 2)) < np.where(skill, 0.95, 0.2)[:, None], truth[:, None], 1)
    guess = rng.integers(0, 2, cells.shape)
    cells = np.where(skill[:, None], cells, guess)
    rows = {
        "item": [f"i{first + item:04}" for item in range(number * 8) for _ in range(2)],
        "annotator": ["a", "b"] * (number * 8),
        "label": cells.ravel().tolist(),
        "document": [f"d{first + item // 8:04}" for item in range(number * 8) for _ in range(2)],
    }
    return accord.Study(rows, cluster=role) if role else accord.Study(rows)


def test_the_bootstrap_draws_clusters_together() -> None:
    """Its error was half that of the analytic one."""
    x, y = (accord.krippendorff_alpha(documents(seed, first)) for seed, first in ((1, 0), (2, 500)))
    quick, drawn = accord.compare(x, y), accord.compare(x, y, method="bootstrap", n_resamples=2000, rng=0)
    assert drawn.se == pytest.approx(quick.se, rel=0.1)
    ignored = [accord.krippendorff_alpha(documents(seed, first, role=None)) for seed, first in ((1, 0), (2, 500))]
    assert accord.compare(*ignored).se < 0.75 * quick.se
    assert quick.df is not None
    assert quick.df <= 30


def test_shared_clusters_are_drawn_for_both() -> None:
    study = documents(3)
    x, y = accord.krippendorff_alpha(study), accord.percent_agreement(study)
    quick = accord.compare(x, y)
    drawn = accord.compare(x, y, method="bootstrap", n_resamples=2000, rng=0)
    assert quick.paired
    assert drawn.se == pytest.approx(quick.se, rel=0.1)


@pytest.mark.parametrize("method", ["analytic", "bootstrap"])
def test_a_column_of_clusters_is_named_as_for_an_interval(method: Any) -> None:
    for seeds, firsts in (((1, 2), (0, 500)), ((4, 4), (0, 0))):
        roles = [accord.krippendorff_alpha(documents(seed, first)) for seed, first in zip(seeds, firsts, strict=True)]
        said = [
            accord.gwet_ac(documents(seed, first, role=None)) if firsts == (0, 0) and place else
            accord.krippendorff_alpha(documents(seed, first, role=None))
            for place, (seed, first) in enumerate(zip(seeds, firsts, strict=True))
        ]  # fmt: skip
        if firsts == (0, 0):
            roles[1] = accord.gwet_ac(documents(seeds[1], 0))
        one = accord.compare(*roles, method=method, rng=0)
        assert accord.compare(*said, cluster="document", method=method, rng=0).se == pytest.approx(one.se, rel=1e-9)


# Designs ----------------------------------------------------------------------------------------------------


def test_samples_drawn_label_by_label_are_compared_by_their_design() -> None:
    rng = np.random.default_rng(6)
    suggested = {f"i{item:04}": "ab"[int(rng.random() < 0.15)] for item in range(600)}
    sides = []
    for seed in (1, 2):
        sample = accord.sample_for_annotation(suggested, 60, by_label="equal", rng=seed)
        rows: list[dict[str, Any]] = []
        for row in sample.to_table():
            for who in "xyz":
                label = suggested[row["item"]] if rng.random() < 0.8 else "ab"[rng.integers(2)]
                rows.append({"item": row["item"], "annotator": who, "label": label})
        sides.append(accord.dipietro_hazari_kappa(accord.Study(rows), suggested=sample))
    found = accord.compare(*sides)
    assert found.se == pytest.approx(math.hypot(*(side.interval().se for side in sides)))
    with pytest.raises(OptionError, match="label by label"):
        accord.compare(*sides, method="bootstrap")


# Margins ----------------------------------------------------------------------------------------------------


def test_a_margin_asks_another_question() -> None:
    """By hand: t of the difference plus and less the margin, on the degrees of freedom of the comparison."""
    x, y = confused([[24, 3], [4, 19]]), confused([[20, 5], [10, 15]])
    plain = accord.compare(x, y)
    lower = stats.t.sf((plain.difference + 0.1) / plain.se, plain.df)
    upper = stats.t.cdf((plain.difference - 0.1) / plain.se, plain.df)
    assert accord.compare(x, y, margin=0.1).p == pytest.approx(lower)
    assert accord.compare(x, y, margin=0.1, alternative="equivalent").p == pytest.approx(max(lower, upper))
    assert accord.compare(x, y, alternative="greater").p == pytest.approx(plain.p / 2)
    assert "is shown to be at least the second less 0.1" in str(accord.compare(x, y, margin=0.1))
    assert "is not shown to be within 0.1" in accord.compare(y, x, margin=0.1, alternative="equivalent").verdict


def test_resamples_answer_a_margin_as_the_formula_does() -> None:
    x, y = (accord.fleiss_kappa(named(cells(150, seed=seed), first)) for seed, first in ((1, 0), (2, 500)))
    for alternative in ("non-inferior", "equivalent"):
        asked: Any = {"margin": 0.15, "alternative": alternative}
        drawn = accord.compare(x, y, method="bootstrap", n_resamples=2000, rng=1, **asked)
        assert drawn.p == pytest.approx(accord.compare(x, y, **asked).p, abs=0.03)


@pytest.mark.parametrize(
    "wrong",
    [{"margin": 0}, {"margin": -0.1}, {"alternative": "equivalent"}, {"margin": 0.1, "alternative": "greater"},
     {"alternative": "better"}],
)  # fmt: skip
def test_a_margin_that_makes_no_sense_is_refused(wrong: dict[str, Any]) -> None:
    x = confused([[24, 3], [4, 19]])
    with pytest.raises(OptionError):
        accord.compare(x, x, **wrong)
