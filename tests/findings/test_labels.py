"""Agreement on each label, confused pairs, merging, confusion tables, label use, and near twins."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import numpy as np
import pytest

import accord
from accord.findings import agreement_on_labels as label_module
from accord.findings import (
    cochran_q,
    confused_labels,
    confusion,
    confusion_by_pair,
    label_agreement,
    mcnemar,
    near_duplicate_labels,
    stuart_maxwell,
    what_if_merged,
)
from accord.findings.label_spelling import one_slip
from accord.findings.study_view import View, interval_over
from tests.findings.studies import confusing, grid
from tests.oracles import findings as oracle
from tests.tables import load

GRIDS = [
    grid(1), grid(2, people=2, labels=3), grid(3, people=6, gaps=0.3), grid(4, items=30, labels=6, gaps=0.1),
]  # fmt: skip


# -- on each label -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("cells", GRIDS)
def test_both_definitions_of_agreement_on_a_label_are_those_of_the_slow_way(cells: np.ndarray) -> None:
    table = label_agreement(cells.tolist())
    assert len(table) > 1
    for row in table:
        assert row["specific"] == pytest.approx(oracle.specific_agreement(cells.tolist(), row["label"]))
        assert row["against_the_rest"] == pytest.approx(oracle.kappa_against_the_rest(cells.tolist(), row["label"]))
        assert row["answers"] == sum(list(item).count(row["label"]) for item in cells)
        assert row["items"] == sum(row["label"] in item for item in cells)


@pytest.mark.parametrize("cells", GRIDS)
def test_specific_agreement_of_all_labels_together_is_observed_agreement(cells: np.ndarray) -> None:
    met = accord.Study.from_wide([item for item in cells.tolist() if sum(cell is not None for cell in item) > 1])
    shares = dict.fromkeys(met.labels, 0.0)
    for item in cells.tolist():
        said = oracle.answers(item)
        for label in said if len(said) > 1 else []:
            shares[label] += 1 / len(said) / met.n_items  # type: ignore[index]
    mean = sum(shares[row["label"]] * row["specific"] for row in label_agreement(met))
    assert mean == pytest.approx(accord.percent_agreement(met).value)


@pytest.mark.parametrize("cells", GRIDS)
def test_kappa_against_the_rest_is_that_of_by_label_with_its_error(cells: np.ndarray) -> None:
    study = accord.Study.from_wide(cells)
    by_label = accord.fleiss_kappa(study).by_label()
    assert len(by_label) > 1
    for mine, theirs in zip(label_agreement(study), by_label, strict=True):
        assert mine["against_the_rest"] == pytest.approx(theirs["value"])
        assert (mine["high"] - mine["low"]) == pytest.approx(theirs["high"] - theirs["low"], rel=0.08)  # t, not normal


def test_the_interval_of_specific_agreement_is_that_of_the_jackknife() -> None:
    cells = grid(8, items=80).tolist()
    (row,) = (row for row in label_agreement(cells) if row["label"] == "a")
    without = [oracle.specific_agreement(cells[:place] + cells[place + 1 :], "a") for place in range(len(cells))]
    error = np.sqrt((len(cells) - 1) / len(cells) * np.sum((np.array(without) - np.mean(without)) ** 2))
    assert (row["specific_high"] - row["specific_low"]) / 2 == pytest.approx(1.99 * error, rel=0.05)


def test_specific_agreement_of_two_labels_is_positive_and_negative_agreement() -> None:
    """Cicchetti & Feinstein (1990) resolve the first paradox so: 2a / (2a + b + c) and 2d / (2d + b + c)."""
    yes, no = label_agreement(load("feinstein-cicchetti1990-skewed").study())
    assert yes["specific"] == pytest.approx(160 / 175)
    assert no["specific"] == pytest.approx(10 / 25)


def test_of_a_set_every_label_is_held_or_not() -> None:
    sets = [[{"a", "b"}, {"a"}], [{"b"}, {"b"}], [{"a"}, set()], [{"b"}, {"a", "b"}]]
    study = accord.Study.from_wide([[list(cell) for cell in row] for row in sets], answers="set")
    held = [[["no", "yes"]["a" in cell] for cell in row] for row in sets]
    (row,) = (row for row in label_agreement(study) if row["label"] == "a")
    assert row["specific"] == pytest.approx(oracle.specific_agreement(held, "yes"))
    assert row["against_the_rest"] == pytest.approx(oracle.kappa_against_the_rest(held, "yes"))


# -- confused pairs ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("cells", GRIDS)
def test_shares_of_disagreement_are_those_of_the_slow_way(cells: np.ndarray) -> None:
    obvious = oracle.disagreement(cells.tolist())
    table = confused_labels(cells.tolist())
    assert {frozenset((row["first"], row["second"])) for row in table} == set(obvious)
    for row in table:
        assert row["share"] == pytest.approx(obvious[frozenset((row["first"], row["second"]))])
    assert list(table["share"]) == sorted(table["share"], reverse=True)


def test_with_two_annotators_the_p_of_a_pair_is_the_exact_binomial_one() -> None:
    from scipy.stats import binom

    cells = grid(9, items=120, people=2, labels=4, error=0.5).tolist()
    differ = [frozenset(item) for item in cells if len(set(item)) == 2]
    marginals = {label: sum(item.count(label) for item in cells) / 240 for label in "abcd"}
    held = {label: sum(label in pair for pair in differ) / len(differ) for label in "abcd"}
    for row in confused_labels(cells):
        one, two = row["first"], row["second"]
        by_marginals = 2 * marginals[one] * marginals[two] / (1 - sum(share**2 for share in marginals.values()))
        alike = (marginals[one] + marginals[two]) / 3
        hard = (held[one] - 1 / 3) / 2 + (held[two] - 1 / 3) / 2
        assert row["expected"] == pytest.approx(max(by_marginals, alike, hard))
        limit = max(1.25 * max(by_marginals, alike), hard)
        hits = sum({one, two} == pair for pair in differ)
        assert row["p"] == pytest.approx(binom.sf(hits - 1, len(differ), limit))


def test_one_hard_label_is_no_confusion_of_pairs() -> None:
    for seed in range(6):
        rng = np.random.default_rng(seed)
        true = rng.integers(0, 5, 3000)[:, None]
        wrong = rng.random((3000, 3)) < np.where(true == 4, 0.5, 0.1)
        cells = np.where(wrong, rng.integers(0, 5, (3000, 3)), true)
        assert "confused-labels" not in [one.name for one in accord.explain(accord.Study.from_wide(cells))]


def test_a_planted_confusion_is_found_and_nothing_else() -> None:
    for seed in range(12):
        found = accord.explain(confusing(seed))
        told = [one for one in found if one.name == "confused-labels"]
        assert [set(one.labels) for one in told] == [{"a", "b"}]
        assert all(one.p_corrected is not None and one.p_corrected < 0.01 for one in told)
        assert any("merging" in part.what for part in told[0].evidence)


def test_random_errors_make_no_confused_labels() -> None:
    for seed in range(12):
        rng = np.random.default_rng(seed)
        marginals = [0.7, 0.15, 0.1, 0.05]
        true = rng.choice(4, 300, p=marginals)[:, None]
        wrong = rng.integers(0, 4, (300, 3)) if seed % 2 else rng.choice(4, (300, 3), p=marginals)
        cells = np.where(rng.random((300, 3)) < 0.25, wrong, true)
        assert "confused-labels" not in [one.name for one in accord.explain(accord.Study.from_wide(cells))]


def test_neighbours_on_a_declared_scale_are_a_note_and_not_a_warning() -> None:
    rng = np.random.default_rng(3)
    true = rng.integers(0, 5, 300)[:, None]
    near = np.clip(true + rng.choice([-1, 0, 0, 1], (300, 3)), 0, 4)
    scale = ["awful", "bad", "fair", "good", "great"]
    study = accord.Study.from_wide(np.array(scale, dtype=object)[near], labels=scale, levels="ordinal")
    told = [one for one in accord.explain(study) if one.name == "confused-labels"]
    assert told
    assert {one.severity for one in told} == {"note"}
    assert "neighbours" in told[0].speaks_against[0]


def test_a_label_given_once_or_twice_is_no_weak_label() -> None:
    answers = (["yes"] * 30 + ["no"] * 30) * 2
    others = [*answers[:-2], "other", "other"]
    assert "weak-label" not in [one.name for one in accord.explain(answers, others)]
    others = [*answers[:-25], *["other"] * 25]
    (weak,) = accord.explain(answers, others)["weak-label"]
    assert weak.labels == ("other",)


# -- merging -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("cells", GRIDS)
def test_a_merge_gives_what_measuring_merged_labels_gives(cells: np.ndarray) -> None:
    study = accord.Study.from_wide(cells)
    main = accord.measure(study).recommended
    for row in what_if_merged(study):
        after = accord.Study.from_wide(oracle.merged(cells.tolist(), row["first"], row["second"]))
        again = getattr(accord, main.measure)(after)
        assert row["before"] == pytest.approx(main.value)
        assert row["after"] == pytest.approx(again.value)
        paired = accord.compare(again, main, paired=True)
        assert row["gain"] == pytest.approx(paired.difference)
        assert (row["low"], row["high"]) == pytest.approx((paired.low, paired.high), abs=1e-4)


def test_merges_are_told_best_first_and_can_be_chosen() -> None:
    table = what_if_merged(confusing(1))
    assert (table["first"][0], table["second"][0]) == ("a", "b")
    assert list(table["gain"]) == sorted(table["gain"], reverse=True)
    (row,) = what_if_merged(confusing(1), pairs=[("c", "a")])
    assert (row["first"], row["second"]) == ("a", "c")
    assert row["gain"] < 0
    with pytest.raises(accord.AccordError, match="two different labels"):
        what_if_merged(confusing(1), pairs=["ab", "cd"])
    with pytest.raises(accord.AccordError, match="'z'"):
        what_if_merged(confusing(1), pairs=[("a", "z")])


def test_two_labels_leave_nothing_to_merge() -> None:
    table = what_if_merged(["a", "b", "a"], ["a", "b", "b"])
    assert len(table) == 0
    assert "nothing left" in table.notes[0]


# -- confusion tables --------------------------------------------------------------------------------------------------


def test_the_table_of_two_annotators_counts_their_common_items() -> None:
    cells = grid(3, people=6, gaps=0.3).tolist()
    study = accord.Study.from_wide(cells)
    names = study.annotators
    for one, two in combinations(range(3), 2):
        for first, second in ((one, two), (two, one)):
            table = confusion(study, annotators=[names[first], names[second]])
            for row in table:
                for label in study.labels:
                    hits = sum(item[first] == row["label"] and item[second] == label for item in cells)
                    assert row[str(label)] == hits
    cell_by_cell = confusion_by_pair(study)
    assert cell_by_cell.columns == ("first", "second", "first_label", "second_label", "items")
    assert sum(cell_by_cell["items"]) == sum(
        sum(item[one] is not None and item[two] is not None for item in cells) for one, two in combinations(range(6), 2)
    )


def test_items_of_two_annotators_are_printed_as_counts() -> None:
    rows = {"item": [1, 1, 2, 2], "annotator": ["ana", "ben"] * 2, "label": ["a", "a", "a", "b"]}
    assert str(confusion(rows, annotators=["ana", "ben"])).splitlines()[2].split() == ["a", "1", "1"]


def test_the_pooled_table_counts_every_item_once() -> None:
    table = confusion(grid(3, people=6, gaps=0.3).tolist())
    counts = np.array([[row[label] for label in "abcd"] for row in table])
    assert np.allclose(counts, counts.T)
    assert counts.sum() == sum(sum(cell is not None for cell in item) > 1 for item in grid(3, people=6, gaps=0.3))


# -- label use ---------------------------------------------------------------------------------------------------------


def test_tests_of_label_use_are_those_of_statsmodels() -> None:
    """Numbers of statsmodels 0.15.0: SquareTable.homogeneity, mcnemar(exact=True), cochrans_q."""
    (row,) = stuart_maxwell(accord.Study.from_confusion([[20, 10, 5], [3, 30, 15], [0, 5, 40]]))
    assert (row["statistic"], row["df"], row["p"]) == pytest.approx((13.76470588235294, 2, 0.0010257277265580678))
    (row,) = stuart_maxwell(load("cohen1960-p45").study())
    assert (row["statistic"], row["df"], row["p"]) == pytest.approx((13.513513513513487, 2, 0.0011629949394361683))
    (row,) = mcnemar(accord.Study.from_confusion([[40, 15], [5, 40]]))
    assert row["p"] == pytest.approx(0.04138946533203125)
    (row,) = mcnemar(accord.Study.from_confusion([[0, 9000], [8600, 0]]))
    assert row["p"] == pytest.approx(0.002632412926329554)  # scipy.stats.binomtest(8600, 17600)
    rng = np.random.default_rng(7)
    answers = (rng.random((40, 4)) < [0.4, 0.5, 0.5, 0.7]).astype(int)
    for row in cochran_q(answers):
        assert (row["statistic"], row["df"], row["p"]) == pytest.approx((6.230769230769231, 3, 0.1009069516238781))


def test_stuart_maxwell_of_two_labels_is_mcnemars_chi_squared() -> None:
    (row,) = stuart_maxwell(accord.Study.from_confusion([[40, 15], [5, 40]]))
    assert (row["statistic"], row["df"]) == pytest.approx((5.0, 1))


def test_cochrans_q_of_two_annotators_is_mcnemars_chi_squared() -> None:
    first, _ = cochran_q(accord.Study.from_confusion([[40, 15], [5, 40]]))
    assert first["statistic"] == pytest.approx(5.0)


def test_cochrans_q_leaves_out_items_that_somebody_did_not_answer() -> None:
    whole = grid(1)
    with_gaps = np.concatenate((whole, grid(2, items=20)))
    with_gaps[len(whole) :, 0] = None
    for one, other in zip(cochran_q(whole.tolist()), cochran_q(with_gaps.tolist()), strict=True):
        assert (one["statistic"], one["items"]) == pytest.approx((other["statistic"], other["items"]))


def test_two_annotators_with_unequal_thresholds_are_told_apart_from_chance() -> None:
    study = accord.Study.from_confusion([[46, 29], [0, 407]], labels=["tagged", "not tagged"])
    (finding,) = accord.explain(study)["different-label-use"]
    assert finding.severity == "warning"
    assert "15.6% of 1's answers and 9.5% of 2's" in finding.says
    assert "cannot exceed 0.73" in finding.says
    even = accord.Study.from_confusion([[46, 15], [14, 407]])
    assert "different-label-use" not in [one.name for one in accord.explain(even)]


# -- near twins --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("one", "other", "how"),
    [
        ("Yes", "yes", "spelling"),
        ("yes", "yes ", "spelling"),
        ("yes", "ＹＥＳ", "spelling"),
        ("not sure", "Not-sure", "spelling"),
        ("not sure", "not_sure", "spelling"),
        ("yes", "yes.", "spelling"),
        ("1", "1.0", "spelling"),
        ("a\u00a0b", "a b", "spelling"),
        ("a\u200bb", "ab", "spelling"),
        ("straße", "STRASSE", "spelling"),
        ("si", "sí", "accents"),
        ("positive", "postive", "one letter"),
        ("distortion", "distorsion", "one letter"),
        ("complaint", "complianT", "one letter"),
    ],
)
def test_twins_are_found(one: str, other: str, how: str) -> None:
    answers = [one] * 40 + [other] * 2 + ["something else"] * 20
    (row,) = near_duplicate_labels(answers, answers)
    assert {row["first"], row["second"]} == {one, other}
    assert row["how"] == how


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("agree", "disagree"), ("moral", "amoral"), ("typical", "atypical"), ("type 1", "type 2"), ("A1", "A2"),
        ("no distortion", "distortion"), ("affect", "effect"), ("increase", "decrease"), ("male", "female"),
        ("hypertension", "hypotension"), ("import", "export"), ("internal", "external"), ("yes", "yen"), ("10", "1"),
        ("1.5", "15"), ("light", "right"),
        ("legal", "illegal"), ("possible", "impossible"), ("B-LOC", "I-LOC"), ("+", "-"), ("++", "+"), ("?", "!"),
    ],
)  # fmt: skip
def test_labels_that_differ_in_meaning_are_no_twins(one: str, other: str) -> None:
    answers = [one] * 40 + [other] * 2 + ["something else"] * 20
    assert len(near_duplicate_labels(answers, answers)) == 0


def test_a_single_letter_is_a_slip_only_where_the_other_spelling_is_rare() -> None:
    assert one_slip("casual", "causal")
    often = ["casual", "causal", "other"] * 20
    assert len(near_duplicate_labels(often, often)) == 0


def test_twins_are_a_warning_with_what_one_spelling_would_give() -> None:
    one = ["yes", "no", "maybe", "yes"] * 20
    other = ["Yes", "no", "maybe", "yes"] * 20
    (finding,) = accord.explain(one, other)["near-duplicate-labels"]
    assert finding.severity == "warning"
    assert "“Yes” (20 answers) and “yes” (60)" in finding.says
    assert finding.evidence[0].value == 1.0
    assert finding.evidence[1].value == pytest.approx(1 - accord.cohen_kappa(one, other).value)


def test_numbers_have_no_twins() -> None:
    assert len(near_duplicate_labels([1, 2, 10], [1, 2, 10])) == 0


# -- clusters of items -------------------------------------------------------------------------------------------------


def leaning(seed: int, people: int, lean: float, bias: float = 0.0) -> accord.Study:
    """Twenty documents of ten items; of each document an annotator says yes a little more or less readily."""
    rng = np.random.default_rng([seed, people])
    document = np.repeat(np.arange(20), 10)
    readily = rng.normal(0, lean, (20, people))[document]
    readily[:, 0] += bias
    yes = rng.normal(0, 1.5, (200, 1)) + readily + rng.normal(0, 0.6, (200, people)) > 0
    item, who = np.nonzero(yes >= 0)
    words = np.array(["no", "yes"])[yes[item, who].astype(int)]
    table = {"item": item, "annotator": who, "label": words.tolist(), "document": document[item]}
    return accord.Study(table, cluster="document")


@pytest.mark.parametrize("people", [2, 3, 5])
def test_documents_that_lean_one_way_are_no_different_use_of_labels(people: int) -> None:
    """With items as the unit, between a sixth and a half of these studies were told of it."""
    found = [one for seed in range(12) for one in accord.explain(leaning(seed, people, 1.2))]
    sure = [one for one in found if one.name == "different-label-use" and (one.p_corrected or 0) < 0.05]
    assert len(sure) <= 2


def test_a_threshold_of_ones_own_is_found_over_documents_too() -> None:
    assert "different-label-use" in [one.name for one in accord.explain(leaning(1, 2, 0.5, bias=1.5))]


def test_two_labels_are_one_question() -> None:
    table = accord.findings.cochran_q([["y", "y", "n"], ["y", "n", "n"], ["y", "y", "y"], ["y", "y", "n"]] * 3)
    assert table["p_holm"].tolist() == table["p"].tolist()


# -- thousands of labels -----------------------------------------------------------------------------------------------


def many_labels(number: int = 300) -> dict[str, list[object]]:
    """Ten items for each label, three annotators of whom one is often wrong, an answer missing here and there."""
    rng = np.random.default_rng(number)
    right = rng.integers(number, size=10 * number)
    rows = [
        (item, who, f"l{label if rng.random() < 0.8 else rng.integers(number)}")
        for item, label in enumerate(right)
        for who in "xyz"
        if rng.random() < 0.7
    ]
    item, who, label = zip(*rows, strict=True)
    return {"item": list(item), "annotator": list(who), "label": list(label)}


def test_a_label_is_looked_at_where_it_was_given(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each of 200 labels went through the patterns of all: explain took 14 s for 10,000 labels."""
    sizes = []

    def recorded(units: Any, value: float, scores: Any, **more: Any) -> Any:
        sizes.append(len(scores))
        return interval_over(units, value, scores, **more)

    monkeypatch.setattr(label_module, "interval_over", recorded)
    study = accord.Study(many_labels())
    given = np.bincount(study._annotations.rows[2])
    label_agreement(study)
    assert len(sizes) == 2 * len(study.labels)
    assert max(sizes) <= given.max() + 2  # its own items, and two kinds of others


def test_labels_are_agreed_on_alike_whether_patterns_are_counted_by_kind_or_one_by_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    study = accord.Study(many_labels(40))
    by_kind = label_agreement(study)
    monkeypatch.setattr(label_module, "_held", every_pattern)
    one_by_one = label_agreement(study)
    for name in ("answers", "items", "specific", "specific_low", "specific_high", "against_the_rest", "low", "high"):
        assert by_kind[name] == pytest.approx(one_by_one[name], rel=1e-9, nan_ok=True)


def every_pattern(view: View, label: int) -> label_module._Held:
    """How many of each pattern's answers are the label."""
    tally = view.tally
    count = tally.per_pattern(tally.count * (tally.answer == label))
    return label_module._Held(count, tally.answered.astype(float), tally.items, tally.pairable, view.units)
