"""Alpha at the numeric levels: what each level may not notice, and accuracy where numbers are far apart."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import accord
from accord.agreement.build import tallied
from tests.laws.studies import PERIOD, Drawn, near, studies
from tests.oracles import exact_alpha as oracle

SCORES = studies(("score",))


def alpha(drawn: Drawn, level: Any, change: Callable[[float], float] = float, **options: Any) -> float:
    """Alpha after every score was changed."""
    rows = [[None if cell is None else change(cell) for cell in row] for row in drawn.rows]
    study = accord.Study.from_wide(rows, answers="score")
    return accord.krippendorff_alpha(study, level=level, **options).value


@settings(max_examples=25)
@given(drawn=SCORES, shift=st.sampled_from((-7.5, 0.3, 1e4)), scale=st.sampled_from((-3.0, 0.01, 250.0)))
def test_interval_alpha_does_not_notice_shift_and_scale(drawn: Drawn, shift: float, scale: float) -> None:
    moved = alpha(drawn, "interval", lambda score: shift + scale * score)
    assert near(alpha(drawn, "interval"), moved, 1e-7 if abs(shift / scale) > 1e3 else 1e-9)


@settings(max_examples=25)
@given(drawn=SCORES, scale=st.sampled_from((0.01, 3.0, 1e6)))
def test_ratio_alpha_does_not_notice_scale(drawn: Drawn, scale: float) -> None:
    assert near(alpha(drawn, "ratio"), alpha(drawn, "ratio", lambda score: scale * score), 1e-11)


@settings(max_examples=25)
@given(drawn=SCORES, change=st.sampled_from((math.sqrt, math.exp, lambda score: 5 * score - 40)))
def test_ordinal_alpha_does_not_notice_monotone_changes(drawn: Drawn, change: Callable[[float], float]) -> None:
    before = alpha(drawn, "ordinal")
    after = alpha(drawn, "ordinal", change)
    assert before == after or (math.isnan(before) and math.isnan(after))


@settings(max_examples=25)
@given(drawn=SCORES, turn=st.sampled_from((1.0, 6.5, 23.9)), mirrored=st.booleans())
def test_circular_alpha_does_not_notice_rotation(drawn: Drawn, turn: float, mirrored: bool) -> None:
    def rotate(score: float) -> float:
        return ((-score if mirrored else score) + turn) % PERIOD

    before = alpha(drawn, "circular", period=PERIOD)
    assert near(before, alpha(drawn, "circular", rotate, period=PERIOD), 1e-9)


def test_a_whole_turn_is_no_distance() -> None:
    """23 and 0 on the clock are an hour apart, and 0 and 24 are the same."""
    close = [[23, 0], [0, 23], [12, 11], [6, 6]]
    assert accord.krippendorff_alpha(accord.Study.from_wide(close), level="circular", period=24).value > 0.9
    assert accord.krippendorff_alpha(accord.Study.from_wide(close), level="interval").value < 0
    turned = accord.Study.from_wide([[0, 24], [12, 36], [6, 6]])
    assert accord.krippendorff_alpha(turned, level="circular", period=24).value == pytest.approx(1)


# Exact arithmetic -------------------------------------------------------------------------------------------

NUMBER = st.one_of(st.integers(0, 10**8).map(float), st.floats(1e-3, 1e8))


def far_apart(kind: str) -> list[list[float]]:
    """Twelve items by three annotators: numbers that spoil a sum of squares."""
    rng = np.random.default_rng(11)
    truth = rng.normal(50, 10, 12)
    scores = np.abs(truth[:, None] + rng.normal(0, 3, (12, 3))).round(1)
    scores[rng.random(scores.shape) < 0.1] = np.nan
    match kind:
        case "one outlier":
            scores[7] = [1e8, 1e8 + 1, 99_999_998.5]
        case "one answer far out":
            scores[7] = [1e8, 40.0, 41.0]
        case "two outliers":
            scores[7], scores[8] = [1e8, 1e8, 1e8], [-1e8, -1e8, -1e8 + 2]
        case "a large offset":
            scores += 1e8
    return [[float(cell) for cell in row] for row in scores]


SPOILED = ("no outlier", "one outlier", "one answer far out", "two outliers", "a large offset")
EXACT = [(level, kind) for level in ("interval", "ordinal", "ratio") for kind in SPOILED]


@pytest.mark.parametrize(("level", "kind"), [case for case in EXACT if case != ("ratio", "two outliers")])
def test_disagreement_is_exact_however_far_apart_numbers_lie(level: str, kind: str) -> None:
    """The error of 1 − alpha is relative to 1 − alpha itself, not to 1: with an outlier it is 1e-12 and less."""
    rows = far_apart(kind)
    study = accord.Study.from_wide(rows, answers="score")
    result: Any = accord.krippendorff_alpha(study, level=level)  # type: ignore[arg-type]
    exact = oracle.disagreement(
        rows if level != "ordinal" else oracle.mid_ranked(rows),
        oracle.in_proportion if level == "ratio" else oracle.squared,
    )
    assert result.value == pytest.approx(float(1 - exact), rel=1e-12, abs=1e-14)
    within, answers, total = sums(result)
    assert within * (answers - 1) / total == pytest.approx(float(exact), rel=1e-9)


@pytest.mark.parametrize("kind", SPOILED)
def test_what_is_left_without_an_outlier_is_exact_too(kind: str) -> None:
    """A sum less an outlier's square keeps no digit of the others; the jackknife must not be made of that."""
    rows = far_apart(kind)
    result: Any = accord.krippendorff_alpha(accord.Study.from_wide(rows, answers="score"), level="interval")
    without, place = result.coefficient.leave_one_out(), result.coefficient.tally.locate()
    for row in range(len(rows)):
        if place[row] >= 0:
            exact = oracle.disagreement(rows[:row] + rows[row + 1 :], oracle.squared)
            assert without[place[row]] == pytest.approx(float(1 - exact), rel=1e-9)


def sums(result: accord.Agreement) -> tuple[float, float, float]:
    """A, n and T, of which alpha is 1 − A (n − 1) / T."""
    coefficient: Any = result.coefficient
    items = coefficient.tally.items.astype(np.float64)
    return float(items @ coefficient.apart_within(items)), float(result.n_answers), coefficient.total_apart(items)


@pytest.mark.parametrize("level", ["interval", "ratio", "ordinal"])
@settings(max_examples=25)
@given(scores=st.lists(st.lists(NUMBER, min_size=3, max_size=3), min_size=3, max_size=5))
def test_alpha_of_any_numbers_is_that_of_exact_arithmetic(level: Any, scores: list[list[float]]) -> None:
    exact_rows = scores if level != "ordinal" else oracle.mid_ranked(scores)
    assume(len({cell for row in scores for cell in row}) > 1)
    exact = oracle.disagreement(exact_rows, oracle.in_proportion if level == "ratio" else oracle.squared)
    result = accord.krippendorff_alpha(accord.Study.from_wide(scores, answers="score"), level=level)
    assert result.value == pytest.approx(float(1 - exact), rel=1e-9, abs=1e-9)


@pytest.mark.parametrize("number", [1.7, 0.1, 4.6, 1e8 + 0.1, -3.3])
@pytest.mark.parametrize("level", ["interval", "ordinal", "circular"])
def test_one_number_alone_is_undefined_and_not_perfect(level: Any, number: float) -> None:
    """Without the first item, and in resamples that lack it, nothing is apart; rounding must not make that 1."""
    study = accord.Study.from_wide([[0.0, 0.0, 4.6], [number] * 3], answers="score")
    result = accord.krippendorff_alpha(study, level=level, period=24 if level == "circular" else None)
    coefficient = tallied(result)
    assert coefficient.tally.locate is not None
    first, second = coefficient.tally.locate()
    assert math.isnan(coefficient.leave_one_out()[first])
    for copies in range(1, 30):
        counts = np.zeros(2)
        counts[second] = copies
        assert math.isnan(coefficient.evaluate(counts).value)


# Many numbers -----------------------------------------------------------------------------------------------


def spread_widely(rng: np.random.Generator) -> Any:
    """Over ten powers of ten, zeros among them."""
    scores = np.exp(rng.normal(0, 4, (900, 3)))
    scores[:50, 0] = 0
    return scores


def hardly_apart(rng: np.random.Generator) -> Any:
    """Seconds of one minute in 2023: an error relative to the number of pairs would leave no digit."""
    return 1.7e9 + np.abs(rng.normal(50, 20, (900, 1)) + rng.normal(0, 8, (900, 3)))


@pytest.mark.parametrize("draw", [spread_widely, hardly_apart, lambda rng: rng.uniform(10, 11.99, (900, 3))])
def test_sums_of_ratios_are_those_of_the_table_of_all_pairs(draw: Any) -> None:
    """Above 1,500 distinct numbers they come from an integral, or from a series where numbers hardly differ."""
    study = accord.Study.from_wide(draw(np.random.default_rng(3)), answers="score")
    by_sums = accord.krippendorff_alpha(study, level="ratio")
    error = by_sums.interval().se
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("accord.coefficients.alpha_levels.TABLED_VALUES", 10**6)
        by_table = accord.krippendorff_alpha(study, level="ratio")
        assert by_sums.value == pytest.approx(by_table.value, rel=1e-11)
        assert error == pytest.approx(by_table.interval().se, rel=1e-10)


@pytest.mark.parametrize("declared", [[3, 1, 2], [1, 2, 3]])
def test_a_declared_order_goes_before_the_size_of_numbers(declared: list[int]) -> None:
    """Codes need not be in order: labels=[3, 1, 2] says that 1 lies between 3 and 2, for level and weights alike."""
    rows = [[3, 1], [1, 2], [2, 2], [3, 3], [1, 1], [3, 2]]
    names = {label: f"{place}" for place, label in enumerate(declared)}
    numbers = accord.Study.from_wide(rows, labels=declared)
    words = accord.Study.from_wide([[names[cell] for cell in row] for row in rows], labels=["0", "1", "2"])
    by_level = [accord.krippendorff_alpha(study, level="ordinal").value for study in (numbers, words)]
    by_weights = [accord.krippendorff_alpha(study, weights="ordinal").value for study in (numbers, words)]
    assert by_level[0] == by_level[1]
    assert by_weights[0] == by_weights[1]
