"""Exact laws between coefficients, each derived from the definitions; they hold to rounding on every study."""

from __future__ import annotations

import math
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import accord
from accord.measures.registered import MEASURES
from tests.laws.studies import Case, Drawn, cases, near, studies


def same_options(one: str, other: str, drawn: Drawn) -> list[tuple[Case, Case]]:
    """Two measures with the same weights."""
    pairs = [(case, Case(other, case.slow, case.options)) for case in cases(one, drawn) if "weights" in case.options]
    assert pairs
    return pairs


def value(measure: str, drawn: Drawn, **options: Any) -> float:
    """A measure's value."""
    return float(MEASURES[measure].function(drawn.study(), **options).value)


@settings(max_examples=20)
@given(drawn=studies(people=(2, 2), gaps=False))
def test_cohen_is_conger_for_two_annotators_without_gaps(drawn: Drawn) -> None:
    for cohen, conger in same_options("cohen_kappa", "conger_kappa", drawn):
        assert near(cohen(drawn.study()).value, conger(drawn.study()).value)


def test_cohen_is_not_conger_with_gaps() -> None:
    """Cohen's marginals are those of the items both answered, Conger's those of all items each answered."""
    gap = accord.Study.from_wide([["a", "a"], ["b", "b"], ["a", "b"], ["b", None], ["b", None]])
    assert accord.cohen_kappa(gap).value == pytest.approx(0.4)
    assert accord.conger_kappa(gap).value == pytest.approx(1 - (1 / 3) / (1 - (2 / 5 * 1 / 3 + 3 / 5 * 2 / 3)))


@settings(max_examples=20)
@given(drawn=studies(people=(2, 2)))
def test_scott_is_fleiss_for_two_annotators(drawn: Drawn) -> None:
    for scott, fleiss in same_options("scott_pi", "fleiss_kappa", drawn):
        assert near(scott(drawn.study()).value, fleiss(drawn.study()).value)


@settings(max_examples=20)
@given(drawn=studies(people=(2, 2)))
def test_light_is_cohen_for_two_annotators(drawn: Drawn) -> None:
    for light, cohen in same_options("light_kappa", "cohen_kappa", drawn):
        assert near(light(drawn.study()).value, cohen(drawn.study()).value)


@settings(max_examples=20)
@given(drawn=studies(("single",)))
def test_light_is_the_mean_of_pairwise_cohen(drawn: Drawn) -> None:
    result = accord.light_kappa(drawn.study())
    assume(result.undefined is None)
    pairs = [row["value"] for row in accord.pairwise(drawn.study(), "cohen_kappa")]
    defined = [kappa for kappa in pairs if not math.isnan(kappa)]
    assert near(result.value, math.fsum(defined) / len(defined))


@settings(max_examples=25)
@given(drawn=studies(("single",)))
def test_labels_weighted_by_their_variance_are_fleiss(drawn: Drawn) -> None:
    """Of a label with share π, one against the rest, 1 − expected is 2π(1 − π); κ is the mean weighted by it."""
    fleiss = accord.fleiss_kappa(drawn.study())
    assume(fleiss.undefined is None)
    rows = [row for row in fleiss.by_label() if not math.isnan(row["value"])]
    variance = [1 - row["expected"] for row in rows]
    mean = math.fsum(v * row["value"] for v, row in zip(variance, rows, strict=True)) / math.fsum(variance)
    assert near(mean, fleiss.value, 1e-11)


@settings(max_examples=20)
@given(drawn=studies(("single",), gaps=False, numbers=True))
def test_the_share_of_a_label_makes_its_expected_agreement(drawn: Drawn) -> None:
    for row in accord.fleiss_kappa(drawn.study()).by_label():
        assert near(row["expected"], row["share"] ** 2 + (1 - row["share"]) ** 2)


@settings(max_examples=20)
@given(drawn=studies(("single",), labels=(2, 2), declared=True))
def test_brennan_prediger_on_two_labels_is_twice_observed_less_one(drawn: Drawn) -> None:
    result = accord.brennan_prediger_kappa(drawn.study())
    assert near(result.value, 2 * result.observed - 1)


@settings(max_examples=20)
@given(drawn=studies(("single",), labels=(2, 2), declared=True))
def test_gwet_on_two_labels_expects_two_pi_one_minus_pi_by_chance(drawn: Drawn) -> None:
    gwet, fleiss = accord.gwet_ac(drawn.study()), accord.fleiss_kappa(drawn.study())
    assume(fleiss.undefined is None)
    assert near(gwet.expected, 1 - fleiss.expected)


@settings(max_examples=20)
@given(drawn=studies(gaps=False))
def test_alpha_is_fleiss_but_for_one_over_the_answers(drawn: Drawn) -> None:
    """Complete data, N answers: 1 − e is N / (N − 1) times Fleiss's, so α = κ + (1 − κ) / N; for two, 1/(2n)."""
    number = len(drawn.rows) * drawn.people
    pairs = same_options("fleiss_kappa", "krippendorff_alpha", drawn)
    for fleiss, alpha in pairs:
        if isinstance(fleiss.options["weights"], list) or fleiss.options["weights"] == "shared-mass":
            continue  # an answer that is not fully like itself
        kappa = fleiss(drawn.study()).value
        assert near(alpha(drawn.study()).value, kappa + (1 - kappa) / number, 1e-11), fleiss


@settings(max_examples=20)
@given(drawn=studies(("single",), numbers=True))
def test_three_of_gwets_tables_are_levels_of_alpha(drawn: Drawn) -> None:
    """Quadratic, ratio and circular weights are 1 − a level's squared distance over the widest; ordinal is not."""
    assume(drawn.seen)
    period = max(drawn.scale) - min(drawn.scale) + 1
    for weights, level in (("quadratic", "interval"), ("ratio", "ratio"), ("circular", "circular")):
        said = {"period": period} if level == "circular" else {}
        one = value("krippendorff_alpha", drawn, weights=weights)
        assert near(one, value("krippendorff_alpha", drawn, level=level, **said), 1e-10), level


@settings(max_examples=20)
@given(drawn=studies(("single",)))
def test_identity_weights_are_the_nominal_level(drawn: Drawn) -> None:
    one, two = (value("krippendorff_alpha", drawn, **said) for said in ({"weights": "identity"}, {"level": "nominal"}))
    assert near(one, two)


@settings(max_examples=20)
@given(drawn=studies(("single",)), table=st.booleans())
def test_weights_by_name_by_table_and_by_function_are_the_same(drawn: Drawn, table: bool) -> None:
    assume(drawn.scale)
    alike = [[float(a == b) for b in drawn.scale] for a in drawn.scale]
    weights: Any = alike if table else lambda a, b: a == b
    for measure in ("fleiss_kappa", "conger_kappa", "light_kappa", "brennan_prediger_kappa", "gwet_ac"):
        assert near(value(measure, drawn), value(measure, drawn, weights=weights))


@settings(max_examples=20)
@given(drawn=studies())
def test_items_with_a_single_answer_do_not_touch_alpha(drawn: Drawn) -> None:
    kept = tuple(row for row in drawn.rows if sum(cell is not None for cell in row) != 1)
    assume(kept)
    for case in cases("krippendorff_alpha", drawn):
        if drawn.declared or case.options in ({"weights": "identity"}, {"level": "nominal"}):
            less = Drawn(drawn.kind, kept, drawn.labels, drawn.declared)
            assert near(case(drawn.study()).value, case(less.study()).value)


def test_an_answer_in_two_parts_is_not_fully_like_itself() -> None:
    """Three annotators all answer (a, b) with p = 0.6: 0.6² + 0.4² = 0.52; the shortcut r_k (r*_k − 1) has 0.28."""
    study = accord.Study.from_wide([[("a", "b")] * 3, [("b",)] * 3], answers="ranked")
    first, second = accord.percent_agreement(study, weights="shared-mass").by_item()
    assert first["observed"] == pytest.approx(0.52)
    assert second["observed"] == 1
    assert accord.percent_agreement(study, weights="overlap").value == pytest.approx(1)


@settings(max_examples=20)
@given(cells=st.tuples(*[st.integers(0, 30)] * 4))
def test_kappa_follows_from_prevalence_and_bias(cells: tuple[int, int, int, int]) -> None:
    """Byrt 1993: κ = (PABAK − PI² + BI²) / (1 − PI² + BI²)."""
    a, b, c, d = cells
    n = sum(cells)
    assume(n)
    result = accord.cohen_kappa(accord.Study.from_confusion([[a, b], [c, d]]))
    assume(result.undefined is None)
    prevalence, bias = (a - d) / n, (b - c) / n
    pabak = accord.brennan_prediger_kappa(result.study).value
    assert near(result.value, (pabak - prevalence**2 + bias**2) / (1 - prevalence**2 + bias**2), 1e-11)
