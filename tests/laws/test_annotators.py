"""Other annotators might have been asked: copies of annotators against a study in which the copies have names."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import accord
from accord.agreement.build import tallied
from accord.coefficients.annotator_copies import AnnotatorCopies
from accord.measures.registered import MEASURES
from tests.laws.studies import LEVELS, Case, Drawn, cases, kinds_for, measures, near, studies
from tests.laws.test_parts import weight_of
from tests.oracles import annotator_copies as copied
from tests.oracles import coefficients as oracle
from tests.oracles import resampled_values
from tests.oracles.annotator_copies import CopiedItem

MANY = tuple(name for name in measures if not MEASURES[name].two)


def renamed(drawn: Drawn, times: Sequence[int]) -> list[CopiedItem]:
    """Every annotator as often as drawn, each copy under a name of its own; nobody left means no item."""
    copies = {str(who + 1): number for who, number in enumerate(times)}
    items: list[CopiedItem] = [
        {(str(who), copy): answer for who, answer in item.items() for copy in range(copies[str(who)])}
        for item in drawn.items()
    ]
    return [item for item in items if item]


def copied_value(case: Case, drawn: Drawn, items: list[CopiedItem]) -> float:
    """A measure on the study of copies."""
    alike = weight_of(case, drawn)
    if case.measure == "light_kappa":
        return copied.light(items, drawn.scale, alike)
    chance = str(case.options.get("chance", MEASURES[case.measure].chance))
    by_chance = copied.expected(chance, items, drawn.scale, alike)
    seen = copied.observed(items, alike, each_answer=MEASURES[case.measure].each == "answer")
    return oracle.beyond_chance(seen, by_chance).value


@pytest.mark.parametrize("measure", MANY)
@settings(max_examples=25)
@given(data=st.data())
def test_copies_are_never_paired_with_themselves(measure: str, data: st.DataObject) -> None:
    drawn = data.draw(studies(kinds_for(measure), items=(1, 6), people=(2, 4)))
    times = data.draw(st.lists(st.integers(0, 3), min_size=drawn.people, max_size=drawn.people))
    for case in cases(measure, drawn):
        if case.options.get("level") == "ordinal":
            continue  # ranks change with the copies: below
        result = case(drawn.study())
        if result.undefined:
            continue
        coefficient = tallied(result)
        copies = AnnotatorCopies(coefficient, result.study.tally(named=True))
        often = np.array([times[int(name) - 1] for name in result.study.annotators], dtype=np.float64)
        literal = copied_value(case, drawn, renamed(drawn, times))
        assert near(coefficient.with_copies(copies, often, copies.items), literal, 1e-9), case


@settings(max_examples=20)
@given(drawn=studies(("score",), items=(1, 6), people=(2, 4)), data=st.data())
def test_ranks_are_those_of_the_copies(drawn: Drawn, data: st.DataObject) -> None:
    times = data.draw(st.lists(st.integers(0, 3), min_size=drawn.people, max_size=drawn.people))
    result = accord.krippendorff_alpha(drawn.study(), level="ordinal")
    assume(result.undefined is None)
    items = [item for item in renamed(drawn, times) if copied.strangers(item)]
    assume(items)
    rank = oracle.mid_ranks(items, sorted(drawn.scale))

    def alike(a: float, b: float) -> float:
        return 1 - (rank[a] - rank[b]) ** 2 / 1e6

    seen = copied.observed(items, alike, each_answer=True)
    by_chance = copied.expected("without-replacement", items, drawn.scale, alike)
    literal = math.nan if math.isclose(by_chance, 1, abs_tol=1e-14) else 1 - (1 - seen) / (1 - by_chance)
    coefficient = tallied(result)
    copies = AnnotatorCopies(coefficient, result.study.tally(named=True))
    assert near(coefficient.with_copies(copies, np.array(times, dtype=np.float64), copies.items), literal, 1e-7)


@pytest.mark.parametrize("measure", MANY)
@settings(max_examples=12)
@given(data=st.data())
def test_everybody_once_is_the_study_itself(measure: str, data: st.DataObject) -> None:
    drawn = data.draw(studies(kinds_for(measure)))
    for case in cases(measure, drawn):
        result = case(drawn.study())
        if result.undefined is None:
            coefficient = tallied(result)
            copies = AnnotatorCopies(coefficient, result.study.tally(named=True))
            once = np.ones(len(result.study.annotators))
            assert near(coefficient.with_copies(copies, once, copies.items), result.value, 1e-9), case


# Five annotators who agree a little ------------------------------------------------------------------------


def five(items: int = 600, seed: int = 4) -> npt.NDArray[np.int64]:
    """Five annotators of two labels whose kappa is 0.36: each is right with probability 0.8."""
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, 2, items)
    return np.where(rng.random((items, 5)) < 0.8, truth[:, None], 1 - truth[:, None])


def test_pairing_copies_would_invent_agreement() -> None:
    """Of two draws out of five one in five is the same person: 0.36 + 0.64 / 5 = 0.49 if copies may meet."""
    cells = five()
    result = accord.fleiss_kappa(accord.Study.from_wide(cells))
    assert result.value == pytest.approx(0.36, abs=0.03)
    rng = np.random.default_rng(9)
    coefficient = tallied(result)
    copies = AnnotatorCopies(coefficient, result.study.tally(named=True))
    met, apart = [], []
    for _ in range(300):
        who = rng.integers(0, 5, 5)
        if len(set(who)) > 1:
            met.append(accord.fleiss_kappa(accord.Study.from_wide(cells[:, who])).value)
            times = np.bincount(who, minlength=5).astype(np.float64)
            apart.append(coefficient.with_copies(copies, times, copies.items))
    assert np.mean(met) == pytest.approx(0.49, abs=0.03)
    assert np.mean(apart) == pytest.approx(result.value, abs=0.01)


@pytest.mark.parametrize("measure", MANY)
def test_the_bootstrap_over_annotators_is_that_of_renamed_copies(measure: str) -> None:
    """The interval's own draws, against the oracle of copies on the same numbers of each annotator."""
    rows = tuple(tuple(int(cell) for cell in row) for row in five(items=8))
    drawn = Drawn("single", rows, (0, 1), declared=True)
    case = next(case for case in cases(measure, drawn) if case.options.get("weights", "identity") == "identity")
    result = case(drawn.study())
    span = result.interval(method="bootstrap", resample="annotators", n_resamples=40, rng=6)
    rng = np.random.default_rng(6)
    values = []
    for _ in range(40):
        times = rng.multinomial(5, np.full(5, 0.2))
        values.append(copied_value(case, drawn, renamed(drawn, times.tolist())))
    assert span.se == pytest.approx(np.nanstd(values, ddof=1), rel=1e-9)
    assert tuple(span) == pytest.approx(tuple(np.nanquantile(values, [0.025, 0.975])), rel=1e-9)


@pytest.mark.parametrize("measure", MANY)
def test_the_jackknife_over_annotators_leaves_each_out(measure: str) -> None:
    cells = five(items=60)
    function = MEASURES[measure].function
    result = function(accord.Study.from_wide(cells, labels=[0, 1]))
    without = [function(accord.Study.from_wide(np.delete(cells, who, axis=1), labels=[0, 1])).value for who in range(5)]
    error = math.sqrt(4 / 5 * sum((value - np.mean(without)) ** 2 for value in without))
    span = result.interval(resample="annotators")
    assert (span.method, span.resample) == ("jackknife", "annotators")
    assert span.se == pytest.approx(error, rel=1e-9)


@pytest.mark.parametrize("measure", ["fleiss_kappa", "krippendorff_alpha", "gwet_ac", "percent_agreement"])
def test_the_interaction_of_items_and_annotators_counts_once(measure: str) -> None:
    rng, function = np.random.default_rng(3), MEASURES[measure].function
    knows = rng.random((60, 5)) < [0.95, 0.9, 0.8, 0.6, 0.4]  # five people who differ in skill
    cells = np.where(knows, rng.integers(0, 2, (60, 1)), rng.integers(0, 2, (60, 5)))

    def value(part: Any) -> float:
        return float(function(accord.Study.from_wide(part, labels=[0, 1])).value)

    result = function(accord.Study.from_wide(cells, labels=[0, 1]))
    items, annotators, both = (result.interval(resample=over).se for over in ("items", "annotators", "both"))
    assert both**2 == pytest.approx(items**2 + annotators**2 - resampled_values.interaction(value, cells), rel=0.03)
    assert max(items, annotators) < both < math.hypot(items, annotators)


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("people", [3, 4, 6])
def test_the_interval_over_both_is_not_narrower_than_that_over_either(seed: int, people: int) -> None:
    rng = np.random.default_rng(seed)
    right = rng.random((25, people)) < rng.beta(4, 1.5, people)
    cells = np.where(right, rng.integers(0, 3, (25, 1)), rng.integers(0, 3, (25, people))).astype(float)
    cells[rng.random(cells.shape) < 0.15] = np.nan
    documents = {"doc": [f"d{item // 3}" for item in range(25)], "item": [*range(25)]}
    frame = {**documents, **{f"p{who}": cells[:, who].tolist() for who in range(people)}}
    names = [f"p{who}" for who in range(people)]
    study = accord.Study.from_wide(frame, item="item", annotators=names, labels=[0, 1, 2])
    for measure in (accord.fleiss_kappa, accord.light_kappa):
        for cluster in (None, "doc"):
            result = measure(study)
            spans = {over: result.interval(resample=over, cluster=cluster) for over in ("items", "annotators", "both")}
            widths = {over: span.high - span.low for over, span in spans.items()}
            if any(span.undefined for span in spans.values()) or max(span.high for span in spans.values()) >= 1:
                continue  # cut where no value can lie
            assert widths["both"] >= max(widths["items"], widths["annotators"]) - 1e-12


def test_a_cluster_of_one_item_each_is_no_cluster() -> None:
    cells = five(items=30)
    frame = {"item": [*range(30)], "own": [f"c{item}" for item in range(30)]}
    frame |= {f"p{who}": cells[:, who].tolist() for who in range(5)}
    study = accord.Study.from_wide(frame, item="item", annotators=[f"p{who}" for who in range(5)], labels=[0, 1])
    result = accord.fleiss_kappa(study)
    alone, clustered = (result.interval(resample="both", cluster=name) for name in (None, "own"))
    assert (clustered.low, clustered.se) == pytest.approx((alone.low, alone.se))


@pytest.mark.parametrize("level", LEVELS)
def test_items_and_annotators_drawn_together_spread_more_than_either(level: Any) -> None:
    result = accord.krippendorff_alpha(accord.Study.from_wide(five(items=80)), level=level)
    spreads = {
        what: result.interval(method="bootstrap", resample=what, n_resamples=300, rng=2).se
        for what in ("items", "annotators", "both")
    }
    assert spreads["both"] > max(spreads["items"], spreads["annotators"])
    assert spreads["both"] < 1.3 * math.hypot(spreads["items"], spreads["annotators"])


def test_too_few_annotators_are_not_drawn_again() -> None:
    study = accord.Study.from_wide(five(items=20)[:, :4])
    with pytest.raises(accord.AccordError, match="at least 5 are needed"):
        accord.fleiss_kappa(study).interval(method="bootstrap", resample="annotators")
    two = accord.fleiss_kappa(accord.Study.from_wide(five(items=20)[:, :2])).interval(resample="annotators")
    assert two.undefined
    assert math.isnan(two.low)
