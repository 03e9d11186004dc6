"""The value, the chance models side by side, prevalence and bias, and the paradoxes of kappa."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import accord
from accord.findings import chance_models, prevalence_and_bias
from tests.findings.studies import grid
from tests.oracles import findings as oracle
from tests.tables import load, tables

TWO_BY_TWO = [table for table in tables() if table.data_kind == "contingency" and len(table.data) == 2]


@pytest.mark.parametrize("table", TWO_BY_TWO, ids=lambda table: table.name)
def test_two_labels_and_two_annotators_have_byrts_own_indices(table: Any) -> None:
    (a, b), (c, d) = table.data
    n = a + b + c + d
    found = prevalence_and_bias(table.study())
    assert found.prevalence_index == pytest.approx((a - d) / n)
    assert found.bias_index == pytest.approx((b - c) / n)
    assert found.pabak == pytest.approx(2 * (a + d) / n - 1)
    assert found.kappa == pytest.approx(accord.cohen_kappa(table.study()).value)


@pytest.mark.parametrize("gaps", [0.0, 0.2])
@pytest.mark.parametrize("people", [2, 3, 5])
@pytest.mark.parametrize("labels", [2, 3, 6])
def test_byrts_identity_holds_for_any_labels_and_annotators(labels: int, people: int, gaps: float) -> None:
    study = accord.Study.from_wide(grid(labels + 10 * people, people=people, labels=labels, gaps=gaps))
    found = prevalence_and_bias(study)
    measure = accord.cohen_kappa if people == 2 else accord.conger_kappa
    assert found.kappa == pytest.approx(measure(study).value, abs=1e-12)
    assert found.identity == pytest.approx(found.kappa, abs=1e-12)
    assert abs(found.prevalence_index) <= 1
    assert found.kappa <= found.maximum_kappa <= 1


def test_the_indices_are_those_of_the_slow_way() -> None:
    cells = grid(5, people=5, labels=3, error=0.5)
    found, obvious = prevalence_and_bias(cells.tolist()), oracle.indices(cells.tolist(), "abc")
    assert found.prevalence_index**2 == pytest.approx(obvious["prevalence"])
    assert found.bias_index**2 == pytest.approx(obvious["bias"])
    assert found.maximum_kappa == pytest.approx(obvious["maximum"])


@pytest.mark.parametrize("skill", [0.3, 3.0])
def test_scores_are_explained_by_the_value_that_is_recommended(skill: float) -> None:
    rng = np.random.default_rng(2)
    scores = (rng.normal(50, 10, (40, 1)) + rng.normal(0, 10 / skill, (40, 3))).round(1)
    rows = {"item": np.repeat(np.arange(40), 3), "annotator": ["x", "y", "z"] * 40, "score": scores.ravel()}
    study = accord.Study(rows)
    best = accord.measure(study).recommended
    found = accord.explain(study)
    assert best.title == "Intraclass correlation (A,1)"
    assert found.headline.startswith(f"{best.title} is {best.value:.3f} (95% interval {best.interval().low:.3f} to ")
    assert found.results[None].value == best.value
    low = [one for one in found if one.name == "low-agreement"]
    assert [one.evidence[0].value for one in low] == ([best.value] if skill < 1 else [])


def test_the_indices_do_not_depend_on_names_or_orders() -> None:
    cells = grid(6, people=4, labels=4, error=0.4)
    found = prevalence_and_bias(cells.tolist())
    rng = np.random.default_rng(1)
    moved = cells[rng.permutation(len(cells))][:, [2, 0, 3, 1]]
    renamed = np.array([[{"a": "z", "b": "y", "c": "x", "d": "w"}[cell] for cell in row] for row in moved])
    other = prevalence_and_bias(renamed.tolist())
    for name in ("kappa", "pabak", "prevalence_index", "bias_index", "maximum_kappa", "without_bias"):
        assert getattr(other, name) == pytest.approx(getattr(found, name), abs=1e-12)


def test_a_table_of_counts_has_a_prevalence_and_no_bias() -> None:
    found = prevalence_and_bias(accord.Study.from_counts([[3, 0], [2, 1], [3, 0], [0, 3]], labels=["yes", "no"]))
    assert np.isnan(found.bias_index)
    assert np.isnan(found.maximum_kappa)
    assert found.kappa == pytest.approx(
        accord.fleiss_kappa(accord.Study.from_counts([[3, 0], [2, 1], [3, 0], [0, 3]])).value
    )
    assert "Nobody is named" in str(found)


def test_annotators_who_never_met_have_label_shares_and_no_kappa() -> None:
    found = prevalence_and_bias(accord.Study.from_wide([["a", None], [None, "b"], ["a", None]]))
    assert np.isnan(found.kappa)
    assert np.isnan(found.observed)
    assert found.marginals.tolist() == [[1.0, 0.0], [0.0, 1.0]]


@pytest.mark.parametrize("people", [2, 3])
def test_chance_models_are_the_measures_and_their_intervals(people: int) -> None:
    study = accord.Study.from_wide(grid(2, people=people, gaps=0.1))
    own = accord.cohen_kappa if people == 2 else accord.conger_kappa
    measures = [own, accord.fleiss_kappa, accord.brennan_prediger_kappa, accord.gwet_ac, accord.krippendorff_alpha]
    for row, measure in zip(chance_models(study), measures, strict=True):
        result = measure(study)
        assert (row["value"], row["expected"]) == pytest.approx((result.value, result.expected))
        assert (row["low"], row["high"]) == pytest.approx(tuple(result.interval()))


def test_the_sentence_tells_prevalence_from_bias() -> None:
    skewed = chance_models(load("feinstein-cicchetti1990-skewed").study()).notes[0]
    assert "prevalence takes 0.386 from the value, for “yes” takes 88% of the answers" in skewed
    assert "hardly changes what chance would give" in skewed
    biased = chance_models(load("feinstein-cicchetti1990-asymmetrical").study()).notes[0]
    assert "raises the first by 0.067; that much of it is bias, not merit" in biased
    assert "prevalence hardly plays a part" in biased


def test_the_first_paradox_is_recognised_and_explained() -> None:
    found = accord.explain(load("feinstein-cicchetti1990-skewed").study())
    (finding,) = found["high-agreement-low-kappa"]
    assert "agree on 85% of pairs, and yet Cohen's kappa is only 0.32" in finding.says
    assert "chance alone would agree on 78%" in finding.says
    assert finding.table is not None
    assert not any(one.name == "high-agreement-low-kappa" for one in accord.explain(
        load("feinstein-cicchetti1990-balanced").study()))  # fmt: skip


def test_the_second_paradox_is_recognised_and_explained() -> None:
    found = accord.explain(load("feinstein-cicchetti1990-asymmetrical").study())
    (finding,) = found["bias-raises-kappa"]
    assert "0.26" in finding.says
    assert "0.19" in finding.says
    assert "bias-raises-kappa" not in [one.name for one in accord.explain(
        load("feinstein-cicchetti1990-symmetrical").study())]  # fmt: skip


@pytest.mark.parametrize(
    ("target", "name", "severity"),
    [(0.9, "low-agreement", "warning"), (0.72, "target-not-shown", "note"), (0.2, None, None)],
)
def test_a_value_is_a_warning_only_when_the_whole_interval_is_below_the_target(
    target: float, name: str | None, severity: str | None
) -> None:
    study = accord.Study.from_wide(grid(3, items=150, error=0.17))
    low, high = accord.fleiss_kappa(study).interval()
    assert 0.5 < low < 0.72 < high < 0.9
    found = {one.name: one.severity for one in accord.explain(study, target=target)}
    levels = {key: kind for key, kind in found.items() if key in ("low-agreement", "target-not-shown")}
    assert levels == ({} if name is None else {name: severity})


def test_a_negative_value_is_explained_and_not_clipped() -> None:
    rng = np.random.default_rng(0)
    one = rng.integers(0, 2, 60)
    found = accord.explain(one.tolist(), (1 - one).tolist())
    (finding,) = found["below-chance"]
    assert finding.severity == "warning"
    assert finding.evidence[0].value == pytest.approx(accord.cohen_kappa(one.tolist(), (1 - one).tolist()).value)
    assert finding.evidence[0].value < -0.9
    unsure = accord.explain(["a", "b", "a", "b", "a"], ["b", "a", "a", "b", "b"])["below-chance"][0]
    assert unsure.severity == "note"
    assert "no better than chance" in unsure.says


def warned_of_chance(study: accord.Study) -> bool:
    return any(one.name == "below-chance" for one in accord.explain(study).warnings)


def test_one_label_throughout_is_never_below_chance_by_rounding() -> None:
    """Kappa is exactly zero, whatever the rounding of its parts makes of it."""
    for common in range(1, 15):
        study = accord.Study.from_pairs(["x"] * 15, ["x"] * common + ["y"] * (15 - common))
        assert "below-chance" not in [one.name for one in accord.explain(study)]


def test_independent_annotators_with_a_common_label_are_no_worse_than_chance() -> None:
    found = accord.explain(accord.Study.from_confusion([[96, 2], [2, 0]]))["below-chance"][0]
    assert (found.severity, "no better than chance" in found.says) == ("note", True)
    assert found.evidence[-1].value > 0.3


@pytest.mark.parametrize("marginals", [(0.9, 0.06, 0.04), (0.95, 0.05), (0.6, 0.3, 0.1)])
@pytest.mark.parametrize("people", [2, 3])
def test_chance_seldom_looks_like_less_than_chance(marginals: tuple[float, ...], people: int) -> None:
    studies = [np.random.default_rng(seed).choice(len(marginals), (50, people), p=marginals) for seed in range(40)]
    assert sum(warned_of_chance(accord.Study.from_wide(cells)) for cells in studies) <= 1


def test_reversed_labels_are_below_chance_without_names_too() -> None:
    assert warned_of_chance(accord.Study.from_counts([[1, 1]] * 30 + [[2, 0]] * 3 + [[0, 2]] * 3))


def test_a_threshold_is_ones_own_and_follows_from_no_cost() -> None:
    result = accord.fleiss_kappa(grid(3, items=150, error=0.2).tolist())
    assert "a threshold of 0.8" in str(result.interpret(threshold=0.8))
    with pytest.raises(TypeError, match="cost"):  # 1 − 1/cost was nobody's rule
        result.interpret(cost=5)  # type: ignore[call-arg]
