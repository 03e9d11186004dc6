"""Agreement on preferences with ties, the place of an option, circles: acceptance values and slow twins."""

from __future__ import annotations

import math
import random
from typing import Any

import numpy as np
import pytest

import accord
from accord.errors import MeasureError, OptionError
from accord.preferences.circular_triads import chance_of_so_few, circular_of
from tests.oracles.preferences import circular
from tests.preferences.compared import drawn, of_counts

# golden/spans-and-rankings.json: pairwise_preference (checked there against krippendorff 0.9)
SIDES = {"p1": "AAB", "p2": "AAA", "p3": "tBB", "p4": "BAt"}


def four_prompts() -> accord.Study:
    rows = [
        {"item": item, "annotator": who, "label": {"A": "A", "B": "B", "t": "tie"}[side], "first": "A", "second": "B"}
        for item, sides in SIDES.items()
        for who, side in enumerate(sides)
    ]
    return accord.Study(rows)


def test_agreement_with_ties_has_its_acceptance_values() -> None:
    study = four_prompts()
    assert accord.percent_agreement(study).value == pytest.approx(0.4166666667)
    assert accord.preference_agreement(study).value == pytest.approx(0.5833333333)
    assert accord.preference_agreement(study, ties="drop").value == pytest.approx(0.625)
    assert accord.krippendorff_alpha(study, level="nominal").value == pytest.approx(0.125)
    assert accord.krippendorff_alpha(study, level="ordinal").value == pytest.approx(0.2743055556)


def test_alpha_with_ties_half_way_leads_and_says_why() -> None:
    found = accord.measure(four_prompts())
    assert found.recommended.measure == "krippendorff_alpha"
    assert found.recommended.options["level"] == "ordinal"
    assert "preferences" in found.reason
    assert "preference_agreement" in [result.measure for result in found]


def test_agreement_without_ties_has_an_interval_groups_pairs_and_comparison() -> None:
    rows = [{**row, "half": row["item"] % 2} for row in drawn(1)]
    study = accord.Study(rows)
    found = accord.preference_agreement(study, ties="drop")
    low, high = found.interval()
    assert low < found.value < high
    assert found.interval(method="jackknife").se == pytest.approx(found.interval().se, rel=0.05)
    assert len(accord.preference_agreement(study, ties="drop", by="half").by_group()) == 2
    assert len(found.by_pair()) == 3
    shown = [row for row in found.by_item() if row["value"] is not None and math.isfinite(row["value"])]
    assert sum(row["value"] * row["weight"] for row in shown) == pytest.approx(found.value)
    other = accord.preference_agreement(accord.Study(drawn(9)), ties="drop")
    assert math.isfinite(accord.compare(found, other).difference)


def test_agreement_on_preferences_is_refused_of_labels_and_left_out_of_their_table() -> None:
    labels: Any = {"item": [1, 1, 2, 2], "annotator": ["a", "b"] * 2, "label": ["x", "y", "x", "x"]}
    with pytest.raises(MeasureError, match="which two were compared"):
        accord.preference_agreement(labels)
    assert "preference_agreement" in accord.measure(labels).left_out
    with pytest.raises(OptionError, match="ties"):
        accord.preference_agreement(four_prompts(), ties="count")  # type: ignore[arg-type]


def test_where_all_tie_agreement_without_ties_is_undefined() -> None:
    rows = [{"item": 1, "annotator": who, "label": "tie", "first": "A", "second": "B"} for who in "abc"]
    found = accord.preference_agreement(rows, ties="drop")
    assert math.isnan(found.value)
    assert found.undefined is not None
    assert "No item has two answers that decide" in found.undefined


# -- the place ---------------------------------------------------------------------------------------------------------


def test_swapping_has_its_acceptance_values() -> None:
    # golden/spans-and-rankings.json: judge_position_swap
    rows = []
    for item, said in enumerate(["AB", "AA", "tt", "BA", "BB"]):
        for verdict, pair in zip(said, ("xy", "yx"), strict=True):
            label = {"A": "first", "B": "second", "t": "tie"}[verdict]
            rows.append({"item": item, "annotator": "gpt", "label": label, "first": pair[0], "second": pair[1]})
    found = accord.position_effect(rows).overall
    assert found.share == 0.5
    assert found.consistent / found.swapped == 0.6


def test_standing_first_is_worth_what_was_planted() -> None:
    plain, moved = (accord.position_effect(drawn(1, first=first)) for first in (0.0, 1.0))
    assert abs(plain.overall.effect) < 2.5 * plain.overall.effect_error
    assert moved.overall.effect > 3 * moved.overall.effect_error
    table = moved.to_table()
    assert table["annotator"].tolist() == ["j0", "j1", "j2", "all"]
    assert (table["odds"].astype(float) > 1).all()
    assert "multiplies the odds" in str(moved)
    assert moved.to_dict()["object"] == "position_effect"


def test_everybody_together_has_the_order_effect_of_the_model_and_its_error() -> None:
    rows = drawn(6, first=0.8)
    model = accord.bradley_terry(rows, order_effect=True).order_effect
    assert model is not None
    found = accord.position_effect(rows).overall
    assert found.effect == pytest.approx(model.value, abs=1e-6)
    assert found.effect_error == pytest.approx(model.interval.se, rel=1e-6)


def test_a_sorted_table_tells_nothing_of_the_order() -> None:
    found = accord.position_effect(of_counts([("A", "B", 5, 1, 0), ("B", "C", 4, 2, 0), ("A", "C", 3, 3, 0)]))
    assert found.undefined is not None
    assert "how a table is sorted" in found.undefined
    assert np.isnan(found.to_table()["first"].astype(float)).all()


# -- circles -----------------------------------------------------------------------------------------------------------

# golden/rankings.json: zeta_*; golden/spans-and-rankings.json: kendall_zeta
TOURNAMENTS = {
    "01 02 03 04 12 13 14 23 24 34": (5, 0, 1.0),
    "10 20 03 04 50 12 13 41 15 32 24 25 34 35 45": (6, 6, 0.25),
    "01 12 23 34 40 02 13 24 30 41": (5, 5, 0.0),
    "01 03 12 13 20 23": (4, 1, 0.5),
}


@pytest.mark.parametrize("wins", TOURNAMENTS)
def test_zeta_has_its_acceptance_values(wins: str) -> None:
    size, number, zeta = TOURNAMENTS[wins]
    rows = [
        {"item": place, "annotator": "ana", "label": pair[0], "first": pair[0], "second": pair[1]}
        for place, pair in enumerate(wins.split())
    ]
    table = accord.circular_triads(rows)
    assert (table["options"][0], table["circular"][0], table["zeta"][0]) == (size, number, pytest.approx(zeta))


@pytest.mark.parametrize("seed", range(5))
def test_circles_are_those_of_the_slow_twin_also_where_pairs_are_missing(seed: int) -> None:
    rng = random.Random(seed)
    size = 6
    wins = np.zeros((size, size))
    for i in range(size):
        for j in range(i):
            if rng.random() < 0.8:
                wins[(i, j) if rng.random() < 0.5 else (j, i)] = 1
    found = circular_of(wins)
    assert (found.triads, found.circular) == circular([(int(i), int(j)) for i, j in np.argwhere(wins)])


def test_the_chance_of_so_few_circles_is_counted_out_and_then_approximated() -> None:
    # Kendall & Babington Smith 1940, table of seven options: 5,040 + 8,400 of 2^21 tournaments have one circle or none
    assert chance_of_so_few(7, 1) == pytest.approx((5040 + 8400) / 2**21)
    assert chance_of_so_few(5, 5) == 1.0
    assert chance_of_so_few(9, 10) == pytest.approx(0.008, abs=5e-4)


def test_under_one_prompt_triads_are_counted_prompt_by_prompt() -> None:
    rows = []
    for prompt, circle in (("p", "ab bc ca"), ("q", "ab bc ac")):
        for pair in circle.split():
            row = {"item": prompt, "annotator": "ana", "label": pair[0], "first": pair[0], "second": pair[1]}
            rows.append(row)
    table = accord.circular_triads(rows)
    assert (table["triads"][0], table["circular"][0], table["zeta"][0]) == (2, 1, 0.5)
    assert "under one prompt" in table.title
