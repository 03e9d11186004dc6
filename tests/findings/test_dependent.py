"""Decisions that hang together: conditional agreement, layers, hierarchies, links, biases, rarity; by oracles."""

from __future__ import annotations

import math
from itertools import combinations, permutations
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import accord
from accord import findings
from accord.agreement.inference.multiple_testing import holm
from accord.errors import AccordError
from accord.findings import hierarchy, relative_bias
from accord.findings.finding import Finding, TestFamily
from accord.findings.layers import Layers
from accord.findings.study_view import View
from accord.measures.measure_all import among_annotators
from tests.oracles import findings as oracle
from tests.shared import DATA

Said = dict[tuple[str, str], tuple[str, str]]  # of an item by an annotator: the first decision and the second


def long(said: Said) -> dict[str, list[Any]]:
    return {
        "item": [item for item, _ in said],
        "annotator": [who for _, who in said],
        "first": [first for first, _ in said.values()],
        "second": [second for _, second in said.values()],
    }


def of_layers(said: Said) -> accord.Study:
    """Two variables: one row each."""
    rows = [
        {"item": item, "annotator": who, "layer": layer, "label": label}
        for (item, who), both in said.items()
        for layer, label in zip(("first", "second"), both, strict=True)
    ]
    return accord.Study(rows, task="layer")


def made(seed: int, items: int = 40, people: int = 4, gaps: float = 0.2, knows: float = 0.7) -> Said:
    rng = np.random.default_rng(seed)
    said: Said = {}
    for item in range(items):
        true = rng.integers(0, 2), rng.integers(0, 3)
        for who in range(people):
            if rng.random() < gaps:
                continue
            first = true[0] if rng.random() < 0.8 else rng.integers(0, 2)
            second = true[1] if rng.random() < knows else rng.integers(0, 3)
            said[f"i{item}", f"p{who}"] = ("xy"[first], "abc"[second])
    return said


# -- conditional agreement ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(5))
def test_conditional_agreement_is_what_counting_pairs_gives(seed: int) -> None:
    said = made(seed)
    table = findings.conditional_agreement(of_layers(said), given="first", rng=0, n_resamples=50)
    for row, only in zip(table, (None, "x", "y"), strict=True):
        observed, expected, pairs = oracle.conditional_agreement(said, only)
        assert row["given"] == ("all" if only is None else only)
        assert row["pairs"] == pairs
        assert row["observed"] == pytest.approx(observed, abs=1e-12)
        assert row["expected"] == pytest.approx(expected, abs=1e-12)
        assert row["value"] == pytest.approx(1 - (1 - observed) / (1 - expected), abs=1e-12)


def test_an_item_counts_once_however_many_of_its_pairs_agree_on_the_first_decision() -> None:
    """Four people on one item, two on the other: by items 1/2, by pairs 6/7."""
    study = accord.Study.from_wide([["xa", "xa", "xa", "xa"], ["xa", "xb", None, None]])
    table = findings.conditional_agreement(study, given=lambda label: str(label)[0], rng=1, n_resamples=20)
    assert table["pairs"][0] == 7
    assert table["items"][0] == pytest.approx(2)
    assert table["observed"][0] == pytest.approx(1 / 2)
    assert table["expected"][0] == pytest.approx((3 / 4) ** 2 + (1 / 4) ** 2)
    assert "each item counts once" in table.notes[0]


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 10**6), st.integers(2, 4), st.floats(0, 0.5))
def test_a_column_a_mapping_a_function_and_a_layer_say_the_same(seed: int, people: int, gaps: float) -> None:
    said = made(seed, 15, people, gaps)
    if len(said) < 2 or len({who for _, who in said}) < 2:
        return
    plain = accord.Study(long(said), label="second")
    whole = accord.Study({**long(said), "both": [f"{a}{b}" for a, b in said.values()]}, label="both")
    ways = [
        findings.conditional_agreement(of_layers(said), given="first", of="second", rng=1, n_resamples=20),
        findings.conditional_agreement(plain, given="first", rng=1, n_resamples=20),
        findings.conditional_agreement(
            whole, given={label: str(label)[0] for label in whole.labels}, rng=1, n_resamples=20
        ),
        findings.conditional_agreement(whole, given=lambda label: str(label)[0], rng=1, n_resamples=20),
    ]
    for other in ways[1:]:
        assert other["observed"] == pytest.approx(ways[0]["observed"], abs=1e-12, nan_ok=True)
        assert other["value"] == pytest.approx(ways[0]["value"], abs=1e-12, nan_ok=True)


def test_with_one_first_decision_and_no_gaps_it_is_fleiss_kappa_and_for_two_scotts_pi() -> None:
    for people in (2, 4):
        said = {key: ("x", second) for key, (_, second) in made(1, 30, people, 0.0).items()}
        value = findings.conditional_agreement(of_layers(said), given="first", rng=1)["value"][0]
        study = accord.Study(long(said), label="second")
        assert value == pytest.approx(accord.fleiss_kappa(study).value, abs=1e-12)
        if people == 2:
            assert value == pytest.approx(accord.scott_pi(study).value, abs=1e-12)


def test_children_guessed_at_random_below_shared_parents_agree_no_better_than_chance() -> None:
    """Pooled over the parents, chance would look like merit: children of other parents cannot match."""
    rng = np.random.default_rng(0)
    said: Said = {}
    for item in range(400):
        parent = "xy"[rng.integers(2)]
        for who in range(2):
            said[f"i{item}", f"p{who}"] = (parent, parent + str(rng.integers(2)))
    table = findings.conditional_agreement(of_layers(said), given="first", rng=1)
    assert abs(table["value"][0]) < 0.12
    assert table["low"][0] < 0 < table["high"][0]
    assert accord.fleiss_kappa(accord.Study(long(said), label="second")).value > 0.25


def test_the_bootstrap_interval_is_as_wide_as_the_analytic_error_says() -> None:
    from accord.coefficients.units import Units
    from accord.findings.conditional import Conditional, joint_of_layers

    study = of_layers(made(3, 300))
    joint = joint_of_layers(study, Layers.of(study), "first", "second")
    whole = Conditional(joint)
    error = Units(whole.tally).error(whole.influence())
    table = findings.conditional_agreement(study, given="first", rng=1)
    assert (table["high"][0] - table["low"][0]) / 3.92 == pytest.approx(error, rel=0.1)
    left_out = whole.leave_one_out()
    number, items = whole.tally.items, whole.tally.n_items
    mean = number @ left_out / items
    assert math.sqrt((items - 1) / items * float(number @ (left_out - mean) ** 2)) == pytest.approx(error, rel=0.02)


def test_a_first_decision_after_which_nothing_is_open_adds_nothing() -> None:
    said = made(2)
    closed = {key: (first, "none" if first == "y" else second) for key, (first, second) in said.items()}
    rows = list(findings.conditional_agreement(of_layers(closed), given="first", rng=1))
    assert rows[2]["given"] == "y"
    assert math.isnan(rows[2]["value"])
    assert "nothing to agree on" in rows[2]["undefined"]
    assert rows[0]["value"] == pytest.approx(rows[1]["value"], abs=1e-12)


def test_labels_that_belong_together_are_a_first_decision() -> None:
    study = accord.Study.from_confusion([[30, 4, 6], [3, 20, 5], [2, 5, 90]], labels=["accept", "reject", "none"])
    table = {row["given"]: row for row in findings.conditional_agreement(study, given=["accept", "reject"], rng=1)}
    alone = accord.scott_pi(accord.Study.from_confusion([[30, 4], [3, 20]]))
    assert table["one of them"]["value"] == pytest.approx(alone.value, abs=1e-12)
    assert table["one of them"]["pairs"] == 57


@pytest.mark.parametrize(
    ("study", "asked", "message"),
    [
        (of_layers(made(1)), {"given": "third"}, "must be one of the layers"),
        (of_layers(made(1)), {"given": "first", "of": "first"}, "the same layer"),
        (accord.Study(long(made(1)), label="second"), {"given": "third"}, "no column"),
        (accord.Study(long(made(1)), label="second"), {"given": {"a": "x"}}, "'b' is missing"),
        (accord.Study(long(made(1)), label="second"), {"given": "first", "of": "x"}, "holds one variable"),
        (accord.Study.from_wide([[["a"], ["b"]]]), {"given": ["a"]}, "is about single answers; these are set answers"),
    ],
)
def test_a_first_decision_that_is_not_there_is_refused(study: Any, asked: dict[str, Any], message: str) -> None:
    with pytest.raises(AccordError, match=message):
        findings.conditional_agreement(study, **asked)


# -- layers ------------------------------------------------------------------------------------------------------------


def half_tagged() -> tuple[accord.Study, Said]:
    """Answers below "y" are left out, as an annotation tool leaves an empty field."""
    said = made(7, 60, 3, 0.2)
    rows = []
    for (item, who), (first, second) in said.items():
        text = item[1:2]
        rows.append({"item": item, "annotator": who, "layer": "first", "label": first, "text": text})
        if first == "x":
            rows.append({"item": item, "annotator": who, "layer": "second", "label": second, "text": text})
    return accord.Study(rows, task="layer", cluster="text"), said


def test_missing_in_a_layer_becomes_an_answer_where_the_annotator_saw_the_item() -> None:
    study, said = half_tagged()
    filled = findings.with_not_tagged(study, answer="nothing")
    assert filled.tasks["second"].n_annotations == len(said)
    assert filled.tasks["second"].labels == ("a", "b", "c", "nothing")
    assert filled.tasks["first"].n_annotations == len(said)
    by_hand_filled = {key: (first, second if first == "x" else "nothing") for key, (first, second) in said.items()}
    expected = accord.krippendorff_alpha(accord.Study(long(by_hand_filled), label="second"))
    assert accord.krippendorff_alpha(filled.tasks["second"]).value == pytest.approx(expected.value, abs=1e-12)
    only_first = findings.with_not_tagged(study, layers=["first"])
    assert only_first.tasks["second"].n_annotations == study.tasks["second"].n_annotations


def test_clusters_stay_with_their_items_when_missing_becomes_an_answer() -> None:
    study, _ = half_tagged()
    filled = findings.with_not_tagged(study)
    span = accord.krippendorff_alpha(filled.tasks["second"]).interval()
    assert span.clusters == accord.krippendorff_alpha(study.tasks["first"]).interval().clusters


def test_what_missing_is_called_must_be_a_new_label_of_the_same_type() -> None:
    study, _ = half_tagged()
    with pytest.raises(AccordError, match="is a label of 'second' already"):
        findings.with_not_tagged(study, answer="a")
    with pytest.raises(AccordError, match="of the type of the labels"):
        findings.with_not_tagged(study, answer=0)
    with pytest.raises(AccordError, match="no other layer"):
        findings.with_not_tagged(study.tasks["first"])


def test_one_table_over_all_layers_has_each_value_and_significance_with_holms_correction() -> None:
    study, _ = half_tagged()
    table = findings.by_dimension(study)
    for row in table:
        result = accord.krippendorff_alpha(study.tasks[row["layer"]])
        assert row["value"] == result.value
        assert row["p"] == result.test().p
    assert table["p_holm"] == pytest.approx(holm(table["p"]))
    assert "Krippendorff" in table.title


def test_a_layer_on_which_all_agree_is_tested_by_permutation() -> None:
    said = {key: ("xy"[int(key[0][1:]) % 2], second) for key, (_, second) in made(1, gaps=0.0).items()}
    table = {row["layer"]: row for row in findings.by_dimension(of_layers(said), rng=1)}
    assert table["first"]["value"] == 1
    assert 0 < table["first"]["p"] < 0.002


def test_disagreement_that_follows_from_another_layer_is_told_once() -> None:
    big = findings.with_not_tagged(of_layers_dependent(300), layers=["second"])
    found = accord.explain(big)
    told = [one for one in found if one.name == "follows-from-another-layer"]
    assert [one.variable for one in told] == ["second"]
    assert "“first”" in told[0].says
    independent = accord.explain(of_layers(made(5, 300, 3, 0.0)))
    assert "follows-from-another-layer" not in [one.name for one in independent]


def of_layers_dependent(items: int) -> accord.Study:
    rows = []
    for (item, who), (first, second) in made(11, items, 3, 0.0, knows=0.95).items():
        rows.append({"item": item, "annotator": who, "layer": "first", "label": first})
        if first == "x":
            rows.append({"item": item, "annotator": who, "layer": "second", "label": second})
    return accord.Study(rows, task="layer")


# -- hierarchies -------------------------------------------------------------------------------------------------------


def tree(seed: int, items: int, parents: float, children: float) -> accord.Study:
    rng = np.random.default_rng(seed)
    rows = []
    for _ in range(items):
        parent, child = rng.integers(2), rng.integers(3)
        row = []
        for _ in range(3):
            one = parent if rng.random() < parents else rng.integers(2)
            other = child if rng.random() < children else rng.integers(3)
            row.append(f"p{one} > c{other}")
        rows.append(row)
    return accord.Study.from_wide(rows)


def test_agreement_at_a_depth_is_that_of_the_labels_cut_there() -> None:
    study = tree(1, 80, 0.9, 0.6)
    table = list(findings.by_depth(study))
    cut = accord.Study.from_wide([[label.split(" > ")[0] for label in row] for row in rows_of(study)])
    assert [row["depth"] for row in table] == [1, 2]
    assert table[0]["value"] == pytest.approx(accord.fleiss_kappa(cut).value, abs=1e-12)
    assert table[1]["value"] == pytest.approx(accord.fleiss_kappa(study).value, abs=1e-12)
    assert [row["labels"] for row in table] == [2, 6]
    apart = [(a, b) for row in rows_of(study) for a, b in combinations(row, 2) if a != b]
    below = sum(a.split(" > ")[0] == b.split(" > ")[0] for a, b in apart) / len(apart)
    assert table[1]["share"] == pytest.approx(below, abs=1e-12)  # three answers each: every pair weighs the same
    assert sum(row["share"] for row in table) == pytest.approx(1)


def rows_of(study: accord.Study) -> list[list[str]]:
    table: dict[int, dict[int, str]] = {}
    for item, who, answer in zip(*study._annotations.rows[:3], strict=True):
        table.setdefault(int(item), {})[int(who)] = str(study.labels[answer])
    return [[row[who] for who in sorted(row)] for row in table.values()]


def test_sets_are_cut_label_by_label_and_a_parent_counts_once() -> None:
    study = accord.Study.from_wide([[["a/x", "a/y"], ["a/x", "b"]], [["b"], []]])
    cut = findings.at_depth(study, 1, separator="/")
    assert cut.labels == ("a", "b")
    assert [cut.answers.value(code) for code in cut._annotations.rows[2]] == [("a",), ("a", "b"), ("b",), ()]


@pytest.mark.shared
def test_the_taxonomy_of_the_shared_data_agrees_on_parents_as_its_readme_says() -> None:
    study = accord.read(DATA / "leoka_taxonomy/long.csv", answers="set", duplicates="first")
    table = findings.by_depth(study)
    assert table["value"] == pytest.approx([0.480, 0.360], abs=5e-4)


def test_weights_by_shared_depth_lie_between_parents_and_whole_labels() -> None:
    study = tree(2, 100, 0.9, 0.6)
    whole, weighted, parents = (
        accord.krippendorff_alpha(study).value,
        accord.krippendorff_alpha(study, weights=findings.shared_depth()).value,
        accord.krippendorff_alpha(findings.at_depth(study, 1)).value,
    )
    assert whole < weighted < parents


def test_parents_are_not_compared_with_a_headline_that_weighs_labels() -> None:
    study = tree(2, 100, 0.9, 0.6)
    assert accord.explain(study)["below-the-parents"]
    weighted = accord.explain(study, weights=findings.shared_depth())
    assert "below-the-parents" not in [one.name for one in weighted]
    assert any("by_depth" in gap.why for gap in weighted.not_looked_at)


def test_labels_without_parents_and_other_separators_are_refused_or_found() -> None:
    with pytest.raises(AccordError, match="No label holds the separator"):
        findings.by_depth([["a", "b"], ["b", "b"]])
    assert hierarchy.separator_in(["a::x", "a::y", "b::x", "b::y"]) == "::"
    assert hierarchy.separator_in(["yes", "no"]) is None
    assert hierarchy.separator_in(["and/or", "yes", "no"]) is None
    assert hierarchy.separator_in(["1/2", "1/3", "2/3"]) == "/"


def clues(study: accord.Study) -> list[Finding]:
    view = View(study, among_annotators(study), 0.7)
    return [clue for clue in hierarchy.look(view) if isinstance(clue, Finding)]


def test_disagreement_below_the_parents_is_found_and_disagreement_everywhere_is_not() -> None:
    planted = [clues(tree(seed, 100, 0.95, 0.6)) for seed in range(20)]
    assert sum(bool(found) and found[0].p is not None and found[0].p < 0.05 for found in planted) >= 18
    assert planted[0][0].name == "below-the-parents"
    assert planted[0][0].severity == "warning"
    clean = [clues(guessing(seed)) for seed in range(60)]
    assert sum(bool(found) and found[0].p is not None and found[0].p < 0.05 for found in clean) <= 6


def guessing(seed: int) -> accord.Study:
    """Annotators know the whole label or guess the whole label: the same kappa at every level."""
    rng = np.random.default_rng(1000 + seed)
    labels = [f"p{one} > c{other}" for one in range(2) for other in range(3)]
    rows = []
    for _ in range(100):
        true = rng.choice(labels)
        rows.append([str(true if rng.random() < 0.8 else rng.choice(labels)) for _ in range(3)])
    return accord.Study.from_wide(rows)


# -- links -------------------------------------------------------------------------------------------------------------


def test_a_label_with_its_link_is_an_answer_of_its_own() -> None:
    table = {
        "item": [1, 1, 2, 2, 3, 3],
        "annotator": ["ana", "ben"] * 3,
        "label": ["accept", "accept", "accept", "accept", "none", "none"],
        "to": [7, 7, 7, 8, None, None],
    }
    study = findings.with_links(table, link="to")
    assert study.labels == ("accept → 7", "accept → 8", "none")
    assert accord.percent_agreement(study).value == pytest.approx(2 / 3)
    with pytest.raises(AccordError, match="is about single answers; these are"):
        findings.with_links(accord.Study.from_wide([[["a"], ["b"]]]), link="to")
    with pytest.raises(AccordError, match="measure must be one of"):
        findings.linked_agreement(table, link="to", measure="kappa")


# -- relative biases ---------------------------------------------------------------------------------------------------


def test_the_correlation_of_biases_is_that_over_all_pairs_of_annotators_and_its_p_counts_every_order() -> None:
    study = accord.Study(long(made(4, 60, 5, 0.1)), label="second")
    table = {(row["first"], row["second"]): row for row in findings.bias_correlation(study)}
    shares: dict[str, list[float]] = {"a": [], "b": [], "c": []}
    item, who, answer, _ = study._annotations.rows
    for person in range(5):
        mine = answer[who == person]
        for code, label in enumerate("abc"):
            shares[label].append(float((mine == code).mean()))
    for one, other in (("a", "b"), ("a", "c"), ("b", "c")):
        x, y = np.array(shares[one]), np.array(shares[other])
        apart = [(x[g] - x[h], y[g] - y[h]) for g, h in combinations(range(5), 2)]
        dx, dy = np.array(apart).T
        correlation = dx @ dy / math.sqrt((dx @ dx) * (dy @ dy))
        row = table[one, other]
        assert row["correlation"] == pytest.approx(correlation, abs=1e-12)
        orders = [np.corrcoef(x, y[list(order)])[0, 1] for order in permutations(range(5))]
        assert row["p"] == pytest.approx(np.mean([abs(r) >= abs(correlation) - 1e-9 for r in orders]))
    assert len(item)


def preferred_answer(seed: int, people: int, *, together: bool) -> accord.Study:
    """Two layers; each annotator has a leaning to "question" in the first and to "answer" in the second."""
    rng = np.random.default_rng(seed)
    rows = []
    for who in range(people):
        asks = rng.uniform(0.1, 0.6)
        replies = asks if together else rng.uniform(0.1, 0.6)
        for item in range(80):
            for layer, share, label in (("first", asks, "question"), ("second", replies, "answer")):
                said = label if rng.random() < share else "other"
                rows.append({"item": item, "annotator": f"p{who}", "layer": layer, "label": said})
    return accord.Study(rows, task="layer")


def test_leanings_that_go_together_are_found_and_others_are_not() -> None:
    def least(study: accord.Study) -> float:
        table = findings.bias_correlation(study, n_resamples=499, rng=1)
        return float(min(row["p"] for row in table if not row["same_scale"]))

    assert all(least(preferred_answer(seed, 9, together=True)) < 0.05 for seed in range(4))
    assert sum(least(preferred_answer(seed, 9, together=False)) < 0.05 for seed in range(20)) <= 4


def test_leanings_of_two_layers_are_told_once_and_not_with_their_mirrors() -> None:
    from accord.findings.dependent_layers import look

    told = [clue for clue in look(preferred_answer(1, 9, together=True)) if isinstance(clue, Finding)]
    assert [clue.name for clue in told] == ["correlated-biases"]
    assert "“first: question” more often" in told[0].says or "“first: other” more often" in told[0].says


def test_with_fewer_than_four_annotators_only_signs_and_mcnemar_are_told() -> None:
    table = findings.bias_correlation(preferred_answer(1, 2, together=True))
    row = next(row for row in table if (row["first"], row["second"]) == ("first: question", "second: answer"))
    assert (row["pairs"], row["same_sign"], row["opposite_sign"]) == (1, 1, 0)
    assert "correlation" not in table.columns
    assert "too few" in table.notes[0]


def test_a_relative_bias_is_the_difference_of_shares_with_mcnemars_exact_p() -> None:
    table = list(findings.relative_biases(accord.Study.from_confusion([[20, 9], [1, 20]], labels=["a", "b"])))
    assert table[0]["bias"] == pytest.approx((29 - 21) / 50)
    assert (table[0]["only_first"], table[0]["only_second"]) == (9, 1)
    assert table[0]["p"] == pytest.approx(2 * (1 + 10) / 2**10)
    assert table[1]["bias"] == -table[0]["bias"]


def test_labels_that_the_same_annotators_use_more_are_one_note_and_clean_studies_have_none() -> None:
    rng = np.random.default_rng(0)
    rows = []
    for _ in range(10):
        much = rng.uniform(0.05, 0.4)
        rows.append(rng.choice(["a", "b", "c"], p=[much, much, 1 - 2 * much], size=150))
    study = accord.Study.from_wide(np.array(rows).T)
    found = list(relative_bias.look(View(study, among_annotators(study), 0.7)))
    assert [clue.labels for clue in found if isinstance(clue, Finding)] == [("a", "b")]
    assert [clue.n_tests for clue in found if isinstance(clue, TestFamily)] == [3]
    clean = [
        accord.Study.from_wide(np.random.default_rng(seed).choice(list("abc"), size=(60, 6))) for seed in range(20)
    ]
    told = [clue for one in clean for clue in relative_bias.look(View(one, among_annotators(one), 0.7))]
    assert [clue for clue in told if isinstance(clue, Finding)] == []


# -- rarity ------------------------------------------------------------------------------------------------------------


def test_the_base_rate_curve_is_that_of_the_definitions() -> None:
    curve = findings.base_rate_curve(sensitivity=0.9, specificity=0.95)
    assert [round(curve.at(share), 2) for share in (0.5, 0.1, 0.03)] == [0.72, 0.56, 0.30]
    assert math.isnan(curve.at(0.0))
    assert findings.base_rate_curve(sensitivity=1, specificity=1).at(0.01) == pytest.approx(1)
    assert findings.base_rate_curve(sensitivity=0.5, specificity=0.5).at(0.3) == pytest.approx(0)


@pytest.mark.parametrize("share", [0.5, 0.1, 0.03])
def test_two_annotators_of_that_quality_have_the_kappa_of_the_curve(share: float) -> None:
    """From the table that independent errors make, by Cohen's formula."""
    give = {True: 0.9, False: 1 - 0.95}
    table = np.zeros((2, 2))
    for has, weight in ((True, share), (False, 1 - share)):
        one = np.array([give[has], 1 - give[has]])
        table += weight * np.outer(one, one)
    expected = float(table.sum(1) @ table.sum(0))
    kappa = (float(np.trace(table)) - expected) / (1 - expected)
    assert findings.base_rate_curve(sensitivity=0.9, specificity=0.95).at(share) == pytest.approx(kappa, abs=1e-12)


def test_sensitivity_and_specificity_come_from_gold_or_from_the_model() -> None:
    rng = np.random.default_rng(2)
    truth = rng.random(2000) < 0.1
    right = np.where(truth[:, None], rng.random((2000, 5)) < 0.9, rng.random((2000, 5)) < 0.05)
    study = accord.Study.from_wide(np.where(right, "rare", "usual"))
    gold = {item: "rare" if has else "usual" for item, has in zip(study.items, truth, strict=True)}
    for curve in (findings.base_rate_curve(study, gold=gold), findings.base_rate_curve(study)):
        assert curve.label == "rare"
        assert curve.sensitivity == pytest.approx(0.9, abs=0.02)
        assert curve.specificity == pytest.approx(0.95, abs=0.01)
        assert curve.base_rate == pytest.approx(truth.mean(), abs=0.01)
        assert curve.at(curve.base_rate or 0) == pytest.approx(accord.fleiss_kappa(study).value, abs=0.03)
        assert "rarity, not carelessness" in curve.finding
        assert curve.to_dict()["object"] == "table"
    assert findings.base_rate_curve(study).plot().to_dict()["height"] > 0


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        ({"sensitivity": 0.9}, "specificity must lie"),
        ({"sensitivity": 90, "specificity": 0.9}, "sensitivity must lie"),
        ({"sensitivity": 0.9, "specificity": 0.9, "base_rates": [0.0, 0.5]}, "base_rates must lie"),
    ],
)
def test_a_curve_of_nothing_is_refused(asked: dict[str, Any], message: str) -> None:
    with pytest.raises(AccordError, match=message):
        findings.base_rate_curve(**asked)
    with pytest.raises(AccordError, match="Which label against the rest"):
        findings.base_rate_curve([["a", "b"], ["c", "a"], ["b", "b"]])


def test_layers_that_no_annotator_answered_in_all_have_no_correlation() -> None:
    shares = np.array([[0.5, 0.5, np.nan], [0.2, 0.8, np.nan], [np.nan, np.nan, 1.0]])
    pairs, value, p = relative_bias.correlations(shares, 99, np.random.default_rng(0))
    assert pairs == [(0, 1), (0, 2), (1, 2)]
    assert np.isnan(value).all()
    assert np.isnan(p).all()
