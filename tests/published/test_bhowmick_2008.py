"""Bhowmick, Mitra & Basu (2008): the example of section 3.1, the arithmetic of tables 1 and 2, and tables 3 to 5.

The corpus is not published, so tables 3 to 5 are checked on a corpus of the same kind, counted by hand below. What the
paper prints and cannot be: table 4's total for fear (273, the sum is 237); A_m of annotators 1 and 2 (0.702, its parts
give 0.700); table 1's observed agreement (0.878, the mean of table 2 is 0.870, which gives the conclusion's 0.72).
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import accord
from accord import multilabel
from accord.coefficients.formula import chance_corrected

EMOTIONS = ["anger", "disgust", "fear", "happiness", "sadness", "surprise"]
TABLE_2 = {"1-2": (0.858, 0.526, 0.700), "1-3": (0.868, 0.54, 0.713), "2-3": (0.884, 0.531, 0.753)}

# Three judges, five sentences.
SENTENCES = [
    [["anger"], ["disgust"], ["anger"]],
    [["fear"], ["fear"], ["fear"]],
    [["anger", "disgust"], ["anger"], ["disgust"]],
    [["happiness"], ["happiness", "surprise"], ["happiness"]],
    [["sadness"], ["anger", "fear", "surprise"], []],
]


def study() -> accord.Study:
    return accord.Study.from_wide(SENTENCES, answers="set", labels=EMOTIONS)


def corrected(observed: float, expected: float) -> float:
    return float(chance_corrected(np.asarray(observed), np.asarray(expected)))


def test_one_coder_marks_anger_and_the_other_disgust() -> None:
    """They disagree on the nine pairs that include these labels and agree on the six others."""
    two = accord.Study.from_wide([[["anger"], ["disgust"]]], answers="set", labels=EMOTIONS)
    assert accord.bhowmick_am(two).observed == pytest.approx(6 / 15)


def test_table_1_follows_from_its_parts() -> None:
    assert corrected(0.878, 0.534) == pytest.approx(0.738, abs=5e-4)


def test_table_2_follows_from_its_parts() -> None:
    for observed, expected, value in TABLE_2.values():
        assert corrected(observed, expected) == pytest.approx(value, abs=5e-4)


def test_the_conclusion_follows_from_the_means_of_table_2() -> None:
    observed, expected, _ = (np.mean(part) for part in zip(*TABLE_2.values(), strict=True))
    assert corrected(float(observed), float(expected)) == pytest.approx(0.722, abs=5e-4)


def test_table_4_of_fear_sums_to_237() -> None:
    assert 74 + 105 + 58 == 237  # printed 273


def test_the_whole_is_the_mean_over_annotator_pairs() -> None:
    found = accord.bhowmick_am(study())
    pairs = found.by_pair()
    assert len(pairs) == 3
    assert found.observed == pytest.approx(pairs["observed"].mean())
    assert found.expected == pytest.approx(pairs["expected"].mean())
    assert found.value != pytest.approx(pairs["value"].mean(), abs=1e-6)  # averages first, one ratio


def test_the_working_shows_the_chance_of_each_pair_of_labels() -> None:
    """Equation (8): P_e is the mean over label pairs of P̂(p)."""
    found = accord.bhowmick_am(study())
    inside: Any = found.coefficient
    chances = [inside._chance_on(a, b) for a in range(6) for b in range(a + 1, 6)]
    assert np.mean(chances) == pytest.approx(found.expected)
    assert f"'anger' with 'disgust': {chances[0]:.4f}" in found.working()
    assert f"= {found.value:.4f}" in found.working()


def test_items_fall_into_the_bins_of_table_3() -> None:
    """Observed agreement by item: (0.4 + 1 + 0.4)/3, 1, (10 + 10 + 6)/45, (1 + 10/15 + 10/15)/3, (1 + 3 + 10)/45."""
    assert accord.bhowmick_am(study()).by_item()["observed"] == pytest.approx([0.6, 1, 26 / 45, 7 / 9, 14 / 45])
    table = multilabel.observed_distribution(study())
    assert table["items"].tolist() == [0, 1, 2, 2]
    assert table["single_label"].tolist() == [0, 0, 1, 1]
    assert table["observed"][0] == "0 ≤ A ≤ 0.2"  # its first bin is closed at 0
    assert multilabel.observed_distribution(study(), bins=(0, 0.5, 1))["items"].tolist() == [1, 4]


def test_table_4_counts_disagreements_by_label() -> None:
    rows = {(row["first"], row["second"]): row for row in multilabel.disagreement_by_label(study())}
    assert [rows["1", "2"][label] for label in EMOTIONS] == [2, 2, 1, 0, 1, 2]
    assert [rows["1", "3"][label] for label in EMOTIONS] == [1, 0, 0, 0, 1, 0]
    assert [rows["2", "3"][label] for label in EMOTIONS] == [3, 2, 1, 0, 0, 2]
    assert [rows["total", ""][label] for label in EMOTIONS] == [6, 4, 2, 0, 2, 4]


def test_table_5_and_figure_2_count_labels_taken_for_each_other() -> None:
    counted = {
        (row["first"], row["second"]): row["count"] for row in multilabel.label_confusion(study()) if row["count"]
    }
    # sentence 1: judges 1-2 and 2-3; sentence 3: judges 2-3; sentence 5: judges 1-2, sadness for three others
    assert counted == {
        ("anger", "disgust"): 3, ("anger", "sadness"): 1, ("fear", "sadness"): 1, ("sadness", "surprise"): 1,
    }  # fmt: skip


def test_figure_1_is_the_distribution_by_judge() -> None:
    table = multilabel.label_distribution(study())
    assert table["anger"].tolist() == [2, 2, 1]
    assert table["none"].tolist() == [0, 0, 1]


def test_direct_and_indirect_sentences_apart() -> None:
    rows = [(i, w, label, "direct" if i < 3 else "indirect")
            for i, item in enumerate(SENTENCES) for w, held in enumerate(item) for label in held]  # fmt: skip
    table = {name: [row[k] for row in rows] for k, name in enumerate(("item", "annotator", "label", "type"))}
    long = accord.Study(table, answers="set", labels=EMOTIONS)
    groups = accord.bhowmick_am(long, by="type").by_group()
    assert list(groups["type"]) == ["direct", "indirect"]
    assert groups["items"].tolist() == [3, 2]
    direct = accord.Study.from_wide(SENTENCES[:3], answers="set", labels=EMOTIONS)
    assert groups["value"][0] == pytest.approx(accord.bhowmick_am(direct).value)
