"""Bradley and Terry's strengths: acceptance values, the slow twin, laws, tiers, and what has no strength."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import accord
from accord.consensus.preferences.tiers import Tiers
from accord.errors import MeasureError, OptionError
from tests.oracles.preferences import SlowBradleyTerry
from tests.preferences.compared import drawn, of_counts

# golden/rankings.json: bt_full, davidson_ties, bt_order_effect (made for that file; Newton, no ridge, sum 0)
PLAIN = [("A", "B", 7, 3, 0), ("A", "C", 8, 2, 0), ("A", "D", 9, 1, 0), ("B", "C", 6, 4, 0), ("B", "D", 7, 3, 0),
         ("C", "D", 5, 5, 0)]  # fmt: skip
TIED = [("A", "B", 5, 3, 4), ("A", "C", 8, 2, 2), ("B", "C", 6, 3, 5), ("C", "D", 4, 4, 6), ("A", "D", 9, 1, 1),
        ("B", "D", 7, 2, 3)]  # fmt: skip
ORDERED = [("A", "B", 9, 3, 0), ("B", "A", 7, 5, 0), ("A", "C", 10, 2, 0), ("C", "A", 5, 7, 0), ("B", "C", 8, 4, 0),
           ("C", "B", 7, 5, 0)]  # fmt: skip


def test_strengths_without_ties_are_those_of_choix() -> None:
    found = accord.bradley_terry(of_counts(PLAIN))
    assert found.strength == pytest.approx([1.0646129681, 0.0960062169, -0.4635829624, -0.6970362225], abs=1e-7)
    assert found.model_error == pytest.approx([0.3468655123, 0.2954085578, 0.3022957524, 0.3129315383], abs=1e-7)
    assert found.error == pytest.approx([0.3427087705, 0.2992601158, 0.3098978772, 0.3024519359], abs=1e-7)
    assert found.log_likelihood == pytest.approx(-34.3597511469, abs=1e-7)
    assert found.tie_effect is None
    first = next(iter(found.differences()))
    assert first["difference"] == pytest.approx(0.9686067512, abs=1e-7)


def test_davidsons_ties_have_their_acceptance_values() -> None:
    found = accord.bradley_terry(of_counts(TIED))
    assert found.strength == pytest.approx([1.1434047086, 0.3524252086, -0.5818667043, -0.9139632129], abs=1e-7)
    assert found.error == pytest.approx([0.3934565301, 0.3186642977, 0.3198842312, 0.340254351], abs=1e-7)
    ties = found.tie_effect
    assert ties is not None
    assert ties.value == pytest.approx(-0.0716437699, abs=1e-7)
    assert ties.interval.se == pytest.approx(0.2776918603, abs=1e-7)


def test_an_order_effect_has_its_acceptance_values() -> None:
    found = accord.bradley_terry(of_counts(ORDERED), order_effect=True)
    order = found.order_effect
    assert order is not None
    assert found.strength == pytest.approx([0.4404538443, -0.0629524427, -0.3775014016], abs=1e-7)
    assert order.value == pytest.approx(0.6176761587, abs=1e-7)
    assert order.interval.se == pytest.approx(0.2581828295, abs=1e-7)
    assert order.p < 0.05


@pytest.mark.parametrize("order", [False, True])
def test_strengths_and_errors_over_items_are_those_of_the_slow_twin(order: bool) -> None:
    rows = drawn(3, items=30, people=2, options="abc")
    slow = SlowBradleyTerry([(r["first"], r["second"], r["label"], r["item"]) for r in rows], order=order)
    found = accord.bradley_terry(rows, order_effect=order)
    assert dict(zip(found.options, found.strength, strict=True)) == pytest.approx(slow.strengths(), abs=1e-5)
    assert dict(zip(found.options, found.error, strict=True)) == pytest.approx(slow.errors(), rel=1e-3)


# -- laws --------------------------------------------------------------------------------------------------------------


@settings(max_examples=15, deadline=None)
@given(st.integers(0, 10**6), st.randoms(use_true_random=False))
def test_the_order_of_rows_and_of_sides_changes_no_strength(seed: int, rng: Any) -> None:
    rows = drawn(seed, items=40, people=2, options="abc")
    found = accord.bradley_terry(rows)
    mirrored = {"first": "second", "second": "first", "tie": "tie"}
    turned = [
        {**r, "first": r["second"], "second": r["first"], "label": mirrored[r["label"]]} if rng.random() < 0.5 else r
        for r in rows
    ]
    rng.shuffle(turned)
    again = accord.bradley_terry(turned)
    assert again.strength == pytest.approx(found.strength, abs=1e-8, nan_ok=True)
    assert again.error == pytest.approx(found.error, abs=1e-8, nan_ok=True)


def test_a_weight_of_zero_leaves_somebody_out_and_of_two_counts_twice() -> None:
    rows = drawn(1)
    alone = accord.bradley_terry([r for r in rows if r["annotator"] != "j1"])
    without = accord.bradley_terry(rows, annotator_weights={"j1": 0})
    assert without.strength == pytest.approx(alone.strength, abs=1e-9)
    assert without.error == pytest.approx(alone.error, abs=1e-9)
    twice = accord.bradley_terry(rows, annotator_weights={"j0": 2, "j1": 2, "j2": 2})
    assert twice.strength == pytest.approx(accord.bradley_terry(rows).strength, abs=1e-9)
    assert twice.error == pytest.approx(accord.bradley_terry(rows).error, abs=1e-9)  # as many items as before


def test_people_who_say_the_same_of_an_item_tell_no_more_than_one() -> None:
    rows = drawn(2, people=1)
    copied = [{**row, "annotator": f"copy{number}"} for row in rows for number in range(4)]
    one, four = accord.bradley_terry(rows), accord.bradley_terry(copied)
    assert four.error == pytest.approx(one.error, rel=1e-6)
    assert four.model_error == pytest.approx(one.model_error / 2, rel=1e-6)


def test_a_covariate_takes_up_what_it_explains() -> None:
    rows = drawn(5, items=200, people=1)
    for number, row in enumerate(rows):
        longer = number % 7 - 3
        row["a"], row["b"] = 100 + longer, 100
        if abs(longer) == 3 and row["label"] != "tie":
            row["label"] = "first" if longer > 0 else "second"
    found = accord.bradley_terry(rows, covariates={"length": ["a", "b"]})
    (length,) = found.covariate_effects
    assert length.name == "length"
    assert length.value > 0
    assert length.p < 1e-6
    lead = [{**row, "lead": row["a"] - row["b"]} for row in rows]
    assert accord.bradley_terry(lead, covariates=["lead"]).strength == pytest.approx(found.strength)


def test_half_a_win_each_and_no_ties_at_all_are_other_models() -> None:
    rows = drawn(1)
    half, dropped = (accord.bradley_terry(rows, ties=ties) for ties in ("half", "drop"))
    assert half.tie_effect is None
    assert dropped.n_comparisons == sum(row["label"] != "tie" for row in rows)
    assert any("as not counting" in note for note in dropped.notes)
    decided = accord.bradley_terry([row for row in rows if row["label"] != "tie"])
    assert dropped.strength == pytest.approx(decided.strength, abs=1e-9)
    assert dropped.error == pytest.approx(decided.error, abs=1e-9)
    assert np.abs(half.strength).sum() < np.abs(dropped.strength).sum()


# -- tiers -------------------------------------------------------------------------------------------------------------


def test_a_tier_ends_where_an_option_can_be_told_from_its_best_and_letters_tell_all() -> None:
    tiers = Tiers(np.array([0.0, 3.0, 2.0, 1.0]), np.eye(4) * 0.14, 1000.0, 0.05)
    assert tiers.order.tolist() == [1, 2, 3, 0]
    assert tiers.apart[1, 3]
    assert not tiers.apart[1, 2]
    assert tiers.tier.tolist() == [2, 1, 1, 2]
    assert tiers.letters == ["c", "a", "ab", "bc"]


def test_all_pairs_are_told_apart_at_once() -> None:
    found = accord.bradley_terry(of_counts(PLAIN))
    table = found.differences()
    assert len(table) == 6
    assert (np.array(table["p_corrected"]) >= np.array(table["p"])).all()
    assert found.in_tiers() == [["A", "B"], ["C", "D"]]
    assert found.win_probability("A", "B") + found.win_probability("B", "A") == pytest.approx(1.0)


# -- what has no strength ----------------------------------------------------------------------------------------------


def test_options_that_never_met_have_no_common_scale() -> None:
    found = accord.bradley_terry(of_counts([("A", "B", 3, 2, 0), ("C", "D", 2, 2, 1)]))
    assert found.undefined is not None
    assert "2 groups that never met: 'A', 'B'; 'C', 'D'" in found.undefined
    assert np.isnan(found.strength).all()
    alone = accord.bradley_terry(of_counts([("A", "B", 3, 2, 0), ("C", "D", 2, 2, 1)]), options=["A", "B"])
    assert alone.strength[0] - alone.strength[1] == pytest.approx(math.log(1.5), abs=1e-9)


def test_an_option_that_always_won_is_named_and_not_regularised() -> None:
    rows = [("A", "B", 4, 0, 0), ("B", "C", 3, 2, 0), ("A", "C", 3, 0, 0), ("D", "C", 0, 2, 0)]
    found = accord.bradley_terry(of_counts(rows))
    assert found.undefined is None
    assert found.strength.tolist()[0] == math.inf
    assert found.strength.tolist()[3] == -math.inf
    assert found.strength[1] - found.strength[2] == pytest.approx(math.log(1.5), abs=1e-9)
    assert "won all its 7 comparisons" in found.separated["A"]
    assert "lost all its 2 comparisons" in found.separated["D"]
    assert "A won all" in found.sentence()


def test_where_everything_was_won_by_one_side_an_order_follows_and_no_strengths() -> None:
    found = accord.bradley_terry(of_counts([("A", "B", 2, 0, 0), ("B", "C", 2, 0, 0)]))
    assert found.undefined is not None
    assert "separation" in found.undefined
    drawn_in = accord.bradley_terry(of_counts([("A", "B", 2, 0, 0), ("B", "C", 2, 0, 0)]), ridge=1.0)
    assert np.isfinite(drawn_in.strength).all()
    assert any("ridge of 1, which was asked for" in note for note in drawn_in.notes)


def test_nothing_but_ties_tells_nothing_apart() -> None:
    found = accord.bradley_terry(of_counts([("A", "B", 0, 0, 3), ("B", "C", 0, 0, 2)]))
    assert found.undefined == "Every comparison is a tie, so that nothing tells the options apart."


def test_an_order_that_never_changes_cannot_be_told_from_the_options() -> None:
    found = accord.bradley_terry(of_counts([("B", "A", 3, 2, 0)]), order_effect=True)
    assert found.undefined is not None
    assert "always stood in one order" in found.undefined


def test_one_annotator_has_nobody_to_differ_from() -> None:
    with pytest.raises(MeasureError, match="nobody to differ from"):
        accord.bradley_terry(of_counts(PLAIN)).by_annotator()


def test_options_that_cannot_be_are_refused() -> None:
    rows = of_counts(PLAIN)
    with pytest.raises(OptionError, match="ties"):
        accord.bradley_terry(rows, ties="random")  # type: ignore[arg-type]
    with pytest.raises(OptionError, match="ridge"):
        accord.bradley_terry(rows, ridge=-1)
    with pytest.raises(OptionError, match="annotator_weights"):
        accord.bradley_terry(rows, annotator_weights={"nobody": 1})
    with pytest.raises(OptionError, match="list of columns"):
        accord.bradley_terry(rows, covariates="length")
    with pytest.raises(MeasureError, match="no preferences"):
        accord.bradley_terry({"item": [1, 1], "annotator": ["a", "b"], "label": ["x", "y"]})


def test_options_as_many_as_texts_are_refused() -> None:
    rows = [
        {"item": n, "annotator": "a", "label": "first", "first": f"text {n}", "second": f"text {n + 1}"}
        for n in range(2001)
    ]
    with pytest.raises(MeasureError, match="2,002 options are too many"):
        accord.bradley_terry(rows)


# -- annotators --------------------------------------------------------------------------------------------------------


def test_whoever_has_another_order_is_named_with_the_option() -> None:
    table = accord.bradley_terry(drawn(4, rebel=True)).by_annotator()
    first = min(table, key=lambda row: row["p"])
    assert first["annotator"] == "j0"
    assert first["p_corrected"] < 0.001
    same = accord.bradley_terry(drawn(4)).by_annotator()
    assert min(same["p_corrected"]) > 0.05


def test_strengths_become_json_and_a_chart() -> None:
    found = accord.bradley_terry(of_counts(TIED))
    told = found.to_dict()
    assert told["object"] == "bradley_terry"
    assert [row["option"] for row in told["options"]] == ["A", "B", "C", "D"]
    assert found.plot().to_dict()["layer"]
    assert "tier" in repr(found)
