"""Systems against gold and against people, beside what people reach."""

from __future__ import annotations

import json
import math
from dataclasses import FrozenInstanceError
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import accord
from accord import Study
from accord.errors import InputError, LabelError, MeasureError, OptionError
from accord.judge import evaluate
from tests.judge.planted import planted
from tests.oracles import judge as oracle

VALUES: dict[str, Any] = json.loads((Path(__file__).parent / "reference_values.json").read_text(encoding="utf-8"))
RNG = np.random.default_rng(20251115)
STUDY = planted(200, 4, {"good": 0.8, "poor": 0.6}, RNG)


def gappy(seed: int, items: int = 60, people: int = 4, labels: int = 3) -> accord.Study:
    """People and a model with gaps."""
    rng = np.random.default_rng(seed)
    truth = rng.integers(labels, size=items)
    columns: dict[str, list[Any]] = {}
    for name in [*(f"p{number}" for number in range(people)), "model"]:
        said = np.where(rng.random(items) < 0.7, truth, rng.integers(labels, size=items))
        columns[name] = [None if rng.random() < 0.25 else int(one) for one in said]
    return accord.Study.from_wide(columns)


# Against one annotator it is what the measures say -------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(4))
def test_against_one_annotator_it_equals_the_measures_of_the_two(seed: int) -> None:
    study = gappy(seed)
    found = evaluate("model", study, gold="p0").only
    two = study.of_annotators(["model", "p0"])
    for name, measure in (("kappa", accord.cohen_kappa), ("alpha", accord.krippendorff_alpha)):
        theirs = measure(two)
        assert found.values[name].value == pytest.approx(theirs.value, abs=1e-12)
        if name == "alpha":  # the kappa's tally has the same items, its interval the same degrees of freedom
            assert tuple(found.alpha.interval) == pytest.approx(tuple(theirs.interval()), abs=1e-9)
    both = study._where(np.isin(study._annotations.rows[0], np.nonzero(np.bincount(two._annotations.rows[0]) == 2)[0]))
    common = both.of_annotators(["model", "p0"])
    assert tuple(found.kappa.interval) == pytest.approx(tuple(accord.cohen_kappa(common).interval()), abs=1e-9)
    assert found.accuracy.value == pytest.approx(accord.percent_agreement(common).value, abs=1e-12)
    assert tuple(found.accuracy.interval) == pytest.approx(tuple(accord.percent_agreement(common).interval()), abs=1e-9)


def test_weights_give_partial_credit_as_in_the_measures() -> None:
    study = gappy(7, labels=4)
    found = evaluate("model", study, gold="p1", weights="quadratic").only
    theirs = accord.cohen_kappa(study.of_annotators(["model", "p1"]), weights="quadratic")
    assert found.kappa.value == pytest.approx(theirs.value, abs=1e-12)


# Against people ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(3))
def test_against_people_every_item_counts_once(seed: int) -> None:
    study = gappy(seed)
    found = evaluate("model", study).only
    items: list[dict[str, int]] = [{} for _ in study.items]
    for item, who, answer in zip(*(part.tolist() for part in study._annotations.rows[:3]), strict=True):
        items[item][study.annotators[who]] = answer
    table = np.array(oracle.said_by_held(items, "model", ["p0", "p1", "p2", "p3"], len(study.labels)))
    assert found.items == pytest.approx(table.sum())
    share = table / table.sum()
    observed, expected = share.trace(), share.sum(0) @ share.sum(1)
    assert found.accuracy.value == pytest.approx(observed)
    assert found.kappa.value == pytest.approx((observed - expected) / (1 - expected))
    assert np.array([[row[str(label)] for label in study.labels] for row in found.confusion]) == pytest.approx(table)
    for k, row in enumerate(found.labels):
        assert row["precision"] == pytest.approx(table[k, k] / table[k].sum())
        assert row["recall"] == pytest.approx(table[k, k] / table[:, k].sum())
        assert row["f1"] == pytest.approx(2 * table[k, k] / (table[k].sum() + table[:, k].sum()))


def without(study: accord.Study, item: int) -> accord.Study:
    return study._where(study._annotations.rows[0] != item)


@pytest.mark.parametrize("name", ["kappa", "alpha", "accuracy"])
def test_intervals_are_as_wide_as_leaving_out_items_says(name: str) -> None:
    """The linearised error against the jackknife, for the system, for what people reach, and for the gap to one."""
    study = gappy(3, items=80)
    found = evaluate("model", study).only
    left = [evaluate("model", without(study, item)).only for item in range(80)]
    n = found.items

    def jackknife(values: list[float]) -> float:
        return float(np.sqrt((n - 1) / n * np.sum((np.array(values) - np.mean(values)) ** 2)))

    assert found.values[name].interval.se == pytest.approx(
        jackknife([one.values[name].value for one in left]), rel=0.06
    )
    reach, gap = found.ceiling, found.gaps[name]
    assert reach is not None
    for part in ("below", "above", "person"):
        values = [getattr(one.ceiling, part)[name].value for one in left]
        assert getattr(reach, part)[name].interval.se == pytest.approx(jackknife(values), rel=0.12)
    assert gap.interval.se == pytest.approx(jackknife([one.gaps[name].value for one in left]), rel=0.12)


def test_label_intervals_are_as_wide_as_leaving_out_items_says() -> None:
    study = gappy(4, items=90)
    found = evaluate("model", study).only
    left = [evaluate("model", without(study, item)).only.labels for item in range(90)]
    n = found.items
    from scipy.special import stdtrit

    for name in ("precision", "recall", "f1"):
        values = np.array([table[name] for table in left], dtype=float)
        se = np.sqrt((n - 1) / n * np.sum((values - values.mean(0)) ** 2, axis=0))
        reach = (np.asarray(found.labels[f"{name}_high"], float) - np.asarray(found.labels[name], float)) / float(
            stdtrit(n - 1, 0.975)
        )
        assert reach == pytest.approx(se, rel=0.1)


def test_clusters_widen_intervals_and_label_intervals() -> None:
    rng = np.random.default_rng(5)
    items, size = 60, 6
    draw = np.repeat(rng.random(items // size) < 0.6, size)  # a whole document is easy or not
    truth = rng.integers(3, size=items)
    rows: dict[str, list[Any]] = {"item": [], "annotator": [], "label": [], "doc": []}
    for item in range(items):
        for who in ("p0", "p1", "p2", "model"):
            right = who != "model" or bool(draw[item])
            rows["item"].append(item)
            rows["annotator"].append(who)
            rows["label"].append(int(truth[item] if right else (truth[item] + 1) % 3))
            rows["doc"].append(item // size)
    single = evaluate("model", accord.Study(rows)).only
    whole = evaluate("model", accord.Study(rows, cluster="doc")).only
    assert single.kappa.value == whole.kappa.value
    assert whole.kappa.interval.se > 1.5 * single.kappa.interval.se
    wide = [row["recall_high"] - row["recall_low"] for row in whole.labels]
    narrow = [row["recall_high"] - row["recall_low"] for row in single.labels]
    assert all(one > other for one, other in zip(wide, narrow, strict=True))
    alone = accord.Study({**rows, "doc": rows["item"]}, cluster="doc")  # clusters of one item are items
    assert evaluate("model", alone).only.kappa.interval.se == pytest.approx(single.kappa.interval.se)
    assert next(iter(evaluate("model", alone).only.labels))["f1_low"] == pytest.approx(
        next(iter(single.labels))["f1_low"]
    )


# The human ceiling ---------------------------------------------------------------------------------------------------


def test_the_ceiling_has_the_reference_values() -> None:
    humans = VALUES["human_likeness_z"]["inputs"]
    study = accord.Study.from_wide([list(row) for row in zip(*humans["humans"], humans["llm"], strict=True)])
    reach = evaluate("4", study).only.ceiling
    assert reach is not None
    golden = VALUES["human_ceiling"]
    assert reach.above["accuracy"].value == pytest.approx(golden["best_constant_predictor_vs_random_human"], abs=1e-12)
    assert reach.person["accuracy"].value == pytest.approx(golden["random_human_vs_random_other_human"], abs=1e-12)


def test_the_ceiling_of_people_who_answer_at_random_is_too_high_from_above_and_right_from_below() -> None:
    """Three people, two labels: 0.75 from above where nothing above 0.50 can be reached."""
    coins = np.random.default_rng(1).integers(2, size=(20_000, 4))
    reach = evaluate("4", coins).only.ceiling
    assert reach is not None
    assert reach.above["accuracy"].value == pytest.approx(0.75, abs=0.01)
    assert reach.below["accuracy"].value == pytest.approx(0.50, abs=0.01)
    assert reach.below["kappa"].value == pytest.approx(0.0, abs=0.02)


def test_the_majority_of_the_others_shares_ties() -> None:
    """Of a, a, b: without an a the others tie; without b they say a. So (½ + ½ + 0) / 3."""
    reach = evaluate("4", Study.from_wide([["a", "a", "b", "a"], ["b", "b", "b", "b"]])).only.ceiling
    assert reach is not None
    assert reach.below["accuracy"].value == pytest.approx((1 / 3 + 1) / 2)
    assert reach.above["accuracy"].value == pytest.approx((2 / 3 + 1) / 2)
    assert reach.person["accuracy"].value == pytest.approx((1 / 3 + 1) / 2)


def test_against_gold_people_reach_what_they_reach_against_gold() -> None:
    gold = {0: "a", 1: "b", 2: "a"}
    people = [["a", "a", "b", "b"], ["b", "a", "b", "b"], ["a", "a", "a", "a"]]
    reach = evaluate("4", Study.from_wide(people), gold=gold).only.ceiling
    assert reach is not None
    assert reach.below["accuracy"].value == pytest.approx((2 / 3 + 2 / 3 + 1) / 3)
    assert reach.above["accuracy"].value == pytest.approx(1.0)
    assert "their majority 1.000" in reach.described("accuracy")


def test_the_sentence_puts_people_beside_the_value() -> None:
    described = str(evaluate("good", STUDY, people=["p0", "p1", "p2", "p3"]).only)
    assert described.startswith("good: kappa 0.")
    assert "people reach 0." in described
    assert "at most 0." in described


# Several systems -----------------------------------------------------------------------------------------------------


def test_several_systems_are_compared_in_pairs_as_compare_does() -> None:
    people = ["p0", "p1", "p2", "p3"]
    found = evaluate(["good", "poor", "p3"], STUDY, people=people, gold="p0")
    row = next(iter(found.compared))
    one, other = (accord.cohen_kappa(STUDY.of_annotators([name, "p0"])) for name in ("good", "poor"))
    theirs = accord.compare(one, other)
    assert row["difference"] == pytest.approx(theirs.difference, abs=1e-12)
    assert (row["low"], row["high"]) == pytest.approx((theirs.low, theirs.high), rel=0.02)
    assert row["p"] == pytest.approx(theirs.p, rel=0.15, abs=1e-6)
    assert row["common_items"] == 200
    corrected = np.asarray(found.compared["p_holm"], float)
    assert (corrected >= np.asarray(found.compared["p"], float)).all()
    assert [row["system"] for row in found.to_table()][-1] == "poor"


def test_a_person_is_judged_by_the_others() -> None:
    found = evaluate("p0", STUDY, people=["p0", "p1", "p2"]).only
    assert found.ceiling is not None
    assert found.ceiling.people == ("p1", "p2")
    assert found.accuracy.value < 0.9


def test_systems_that_are_named_together_are_no_people() -> None:
    everybody = ["p0", "p1", "p2", "p3"]
    others = [name for name in STUDY.annotators if name not in (*everybody, "good", "poor")]
    study = STUDY.without_annotators(others) if others else STUDY
    for systems in (["good", "poor"], {"ours": "good", "theirs": "poor"}):
        plain, named = evaluate(systems, study), evaluate(systems, study, people=everybody)
        for one, other in zip(plain, named, strict=True):
            assert one.values["kappa"] == other.values["kappa"]
            assert one.ceiling is not None
            assert one.ceiling.people == tuple(everybody)
    of_all = evaluate(["good", "poor"], study, people=[*everybody, "poor"])["good"]
    assert of_all.ceiling is not None
    assert of_all.ceiling.people == (*everybody, "poor")
    with pytest.raises(MeasureError, match="There is nobody to hold the system against"):
        evaluate(list(study.annotators), study)


def test_systems_with_gaps_are_compared_on_the_items_both_answered() -> None:
    first = {item: int(code) for item, code in enumerate(RNG.integers(3, size=200)) if item < 120}
    second = {item: int(code) for item, code in enumerate(RNG.integers(3, size=200)) if item >= 80}
    found = evaluate({"first": first, "second": second}, STUDY, people=["p0", "p1", "p2", "p3"])
    assert next(iter(found.compared))["common_items"] == 40
    assert [one.items for one in found] == [120, 120]
    assert found["first"].answered == 0.6


@pytest.mark.parametrize("form", ["mapping", "list", "array", "frame", "column", "series"])
def test_a_system_may_come_in_any_form_that_suggestions_may(form: str) -> None:
    people, said = [["a", "a", "b"], ["b", "b", "b"], ["a", "b", "a"]], ["a", "b", "b"]
    rows = {
        "item": np.repeat([0, 1, 2], 3).tolist(),
        "annotator": ["x", "y", "z"] * 3,
        "label": [cell for row in people for cell in row],
    }
    long = accord.Study({**rows, "guess": np.repeat(said, 3).tolist()})
    system: dict[str, Any] = {
        "mapping": (dict(enumerate(said)), long), "frame": (pl.DataFrame({"item": [0, 1, 2], "label": said}), long),
        "column": ("guess", long), "list": (said, people), "array": (np.array(said), people),
        "series": (pl.Series(said), people),
    }  # fmt: skip
    given, study = system[form]
    assert evaluate(given, study).only.accuracy.value == pytest.approx((2 / 3 + 1 + 1 / 3) / 3)


def test_gold_may_be_a_gold_object_and_says_where_it_flatters() -> None:
    gold = accord.gold(STUDY, method="majority")
    found = evaluate("good", STUDY, people=["p0", "p1", "p2", "p3"], gold=gold)
    assert found.against == "gold"
    assert "decided with the answers of 'good'" in " ".join(found.notes)
    assert "what people reach against it is too high" in " ".join(found.notes)


def test_adjudicators_are_what_models_are_held_against_unless_told_otherwise() -> None:
    rows = {
        "item": [1, 1, 1, 2, 2, 2, 3, 3, 3],
        "annotator": ["ana", "boss", "gpt"] * 3,
        "label": ["a", "b", "b", "b", "b", "b", "a", "a", "a"],
        "kind": ["person", "adjudicator", "model"] * 3,
    }
    study = accord.Study(rows, kind="kind")
    assert evaluate(None, study).only.accuracy.value == 1
    against_people = evaluate(None, study, gold=False)
    assert against_people.against == "people"
    assert against_people.only.accuracy.value == pytest.approx(2 / 3)
    assert against_people.only.ceiling is None
    assert "one person only" in against_people.notes[0]
    with pytest.raises(OptionError, match="nobody here is an adjudicator"):
        evaluate("good", STUDY, gold=True)


def test_costs_of_errors_are_the_mean_of_the_table() -> None:
    people = [["a", "a"], ["b", "b"], ["a", "b"]]
    costs = [[0, 10], [1, 0]]  # true a said b costs 10
    found = evaluate(["b", "b", "b"], people, costs=costs, measure="cost")
    assert found.only.values["cost"].value == pytest.approx((10 + 0 + 5) / 3)
    assert found.only.ceiling is not None
    same = evaluate(["b", "b", "b"], people, costs={("a", "b"): 10, ("b", "a"): 1}, measure="cost")
    assert same.only.values["cost"] == found.only.values["cost"]
    two = evaluate({"b": ["b", "b", "b"], "good": ["a", "b", "a"]}, people, costs=costs, measure="cost")
    assert [row["system"] for row in two.to_table()] == ["good", "b"]


# What could not be read ----------------------------------------------------------------------------------------------


def test_the_share_that_could_not_be_read_stands_beside_every_value() -> None:
    rows: dict[str, list[Any]] = {"item": [], "annotator": [], "label": [], "kind": [], "status": []}
    for item in range(20):
        for who, kind in (("ana", "person"), ("ben", "person"), ("gpt", "model")):
            lost = who == "gpt" and item < 5
            described = (item, who, None if lost else "ab"[item % 2], kind, "refused" if lost else None)
            for name, cell in zip(rows, described, strict=True):
                rows[name].append(cell)
    study = accord.Study(rows, kind="kind", status="status")
    silent = evaluate(None, study)
    assert (silent.only.items, silent.only.unparsable, silent.only.accuracy.value) == (15, 0.25, 1.0)
    assert "25.0% of its answers could not be read" in str(silent)
    counted = evaluate(None, study, unparsable="label")
    assert (counted.only.items, counted.only.unparsable, counted.only.accuracy.value) == (20, 0.25, 0.75)
    assert "unparsable" in [row["label"] for row in counted.only.labels]
    assert next(iter(silent.to_table()))["unparsable"] == 0.25


# Bad input -----------------------------------------------------------------------------------------------------------


def test_what_cannot_be_asked_is_an_error_with_the_way_out() -> None:
    with pytest.raises(InputError, match=r"no annotator 'goood'.*Did you mean 'good'\?"):
        evaluate("goood", STUDY)
    with pytest.raises(InputError, match=r"no annotator 'goood'"):
        evaluate(["good", "goood"], STUDY)
    with pytest.raises(MeasureError, match="nobody here is known to be one"):
        evaluate(None, STUDY)
    with pytest.raises(InputError, match="None of the suggestions is for an item"):
        evaluate({"x1": "a"}, STUDY)
    with pytest.raises(OptionError, match=r"3 × 3"):
        evaluate("good", STUDY, costs=[[0, 1], [1, 0]])
    with pytest.raises(OptionError, match=r"3 × 3"):
        evaluate("good", STUDY, costs=[[0, 1, 2], [1, 0, 2]])
    with pytest.raises(OptionError, match="needs costs"):
        evaluate("good", STUDY, measure="cost")
    with pytest.raises(OptionError, match="measure must be one of"):
        evaluate("good", STUDY, measure="f1")  # type: ignore[arg-type]
    with pytest.raises(OptionError, match="confidence must lie"):
        evaluate("good", STUDY, confidence=95)
    with pytest.raises(LabelError, match="declared labels"):
        evaluate({0: "z"}, accord.Study.from_wide([["a", "b"], ["b", "b"]], labels=["a", "b"]))


def test_labels_that_only_the_system_uses_join_the_table() -> None:
    found = evaluate(["a", "z"], [["a", "a"], ["b", "b"]])
    assert found.labels == ("a", "b", "z")
    assert found.only.accuracy.value == 0.5


def test_no_overlap_and_one_label_are_undefined_with_a_reason() -> None:
    apart = accord.Study.from_wide(
        {"p": ["a", "b", None, None], "q": ["b", "b", None, None], "m": [None, None, "a", "b"]}
    )
    found = evaluate("m", apart, people=["p", "q"]).only
    assert math.isnan(found.kappa.value)
    assert found.kappa.undefined == "There is no item that both answered."
    assert "undefined" in str(found)
    same = evaluate("3", Study.from_wide([["a", "a", "a"], ["a", "a", "a"]])).only
    assert math.isnan(same.kappa.value)
    assert "Only one label" in str(same.kappa.undefined)
    assert same.accuracy.value == 1


# As an object --------------------------------------------------------------------------------------------------------


def test_the_result_is_frozen_prints_and_becomes_html_and_json() -> None:
    found = evaluate(["good", "poor"], STUDY, people=["p0", "p1", "p2", "p3"])
    with pytest.raises(FrozenInstanceError):
        found.measure = "alpha"  # type: ignore[misc]
    assert "<table>" in found._repr_html_()
    described = json.loads(json.dumps(found.to_dict(), allow_nan=False))
    assert described["object"] == "judgement"
    assert (
        described["systems"][0]["ceiling"]["below"]["kappa"]["low"]
        < described["systems"][0]["ceiling"]["below"]["kappa"]["high"]
    )
    with pytest.raises(OptionError, match="2 systems"):
        found.only  # noqa: B018
    with pytest.raises(OptionError, match="'pour'"):
        found["pour"]


def test_a_measure_that_was_not_taken_has_no_sentence() -> None:
    found = evaluate(gappy(1).annotators[0], gappy(1))
    with pytest.raises(OptionError, match="measure must be one of 'kappa', 'alpha', 'accuracy'; got 'cost'"):
        found.systems[0].sentence("cost")
