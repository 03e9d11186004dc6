"""Agreement with oneself: answers of one person to one item, and of nobody else."""

from __future__ import annotations

import json
import math
from typing import Any

import numpy as np
import polars as pl
import pytest

import accord
from accord import Study
from accord.errors import MeasureError, OptionError
from tests.laws.test_repeats import as_study, said
from tests.oracles.repeats import again, alpha_with_oneself, mean, of_pairs

LABELS = ["x", "y", "z"]


@pytest.mark.parametrize("seed", range(3))
def test_it_is_the_slow_one(seed: int) -> None:
    items = said(seed, LABELS, items=30)
    found = accord.self_agreement(as_study(items))
    assert found.agreement.value == pytest.approx(mean([of_pairs(cell, lambda a, b: a == b) for cell in again(items)]))
    assert found.value.value == pytest.approx(alpha_with_oneself(items, lambda a, b: float(a != b)))
    assert found.n_repeats == len(again(items))
    assert found.n_items == sum(any(len(answers) > 1 for answers in item.values()) for item in items)
    by_annotator = {row["annotator"]: row for row in found.by_annotator()}
    for who in "abcd":
        own = [{who: item[who]} for item in items if who in item]
        assert by_annotator[who]["items"] == len(again(own))
        assert by_annotator[who]["agreement"] == pytest.approx(
            mean([of_pairs(cell, lambda a, b: a == b) for cell in again(own)])
        )
        assert by_annotator[who]["alpha"] == pytest.approx(alpha_with_oneself(own, lambda a, b: float(a != b)))


def test_it_has_the_level_and_the_weights_that_are_asked_for() -> None:
    scale = [1, 2, 3, 4]
    items = said(4, scale)
    study = as_study(items, labels=scale)
    assert accord.self_agreement(study, level="interval").value.value == pytest.approx(
        alpha_with_oneself(items, lambda a, b: (a - b) ** 2)
    )
    assert accord.self_agreement(study, weights="linear").value.value == pytest.approx(
        alpha_with_oneself(items, lambda a, b: abs(a - b) / 3)
    )
    declared = as_study(items, labels=scale, levels="interval")
    assert accord.self_agreement(declared).value.value == accord.self_agreement(study, level="interval").value.value
    with pytest.raises(OptionError, match="not both"):
        accord.self_agreement(study, level="interval", weights="linear")


def test_agreement_with_others_says_nothing_of_it_and_it_says_nothing_of_others() -> None:
    apart = [{"a": ["xy"[i % 2]] * 2, "b": ["yx"[i % 2]] * 2} for i in range(20)]
    assert accord.percent_agreement(as_study(apart)).value == 0
    assert accord.self_agreement(as_study(apart)).agreement.value == 1
    wavering = [{"a": ["x", "y"], "b": ["x", "y"]} for _ in range(20)]
    assert accord.percent_agreement(as_study(wavering)).value == 0.5
    assert accord.self_agreement(as_study(wavering)).agreement.value == 0


def test_what_people_answer_again_of_one_item_hangs_together() -> None:
    """Where everybody wavers on the same items, so many people are no more sure than so many items."""
    rng = np.random.default_rng(1)
    hard = rng.random(60) < 0.3
    items = [{who: ["x", "y"] if hard[i] else ["xy"[i % 2]] * 2 for who in "abcdef"} for i in range(60)]
    found = accord.self_agreement(as_study(items))
    alone = accord.self_agreement(as_study([{"a": item["a"]} for item in items]))
    assert found.agreement.interval().clusters == 60
    assert found.agreement.interval().se == pytest.approx(alone.agreement.interval().se)
    share = float(hard.mean())
    assert found.agreement.interval().se == pytest.approx(math.sqrt(share * (1 - share) / 59))


def test_clusters_of_the_study_are_kept() -> None:
    items = said(6, LABELS, items=40)
    rows = [(i, who, answer) for i, item in enumerate(items) for who, given in item.items() for answer in given]
    table = {
        "item": [row[0] for row in rows],
        "annotator": [row[1] for row in rows],
        "label": [row[2] for row in rows],
        "document": [row[0] // 4 for row in rows],
    }
    found = accord.self_agreement(Study(table, cluster="document", duplicates="repeat"))
    assert found.agreement.interval().clusters == 10
    assert found.agreement.interval(method="bootstrap", n_resamples=50, rng=1).clusters == 10


def test_the_interval_covers_what_people_are_like() -> None:
    """80 studies of 30 items and 3 people who say the same again in 80 % of cases: 95 % less chance (2.5 se is 6 %)."""
    covered = 0
    for seed in range(80):
        rng = np.random.default_rng(seed)
        items = [{who: ["x" if rng.random() < 0.5 else "y"] for who in "abc"} for _ in range(30)]
        for item in items:
            for answers in item.values():
                answers.append(answers[0] if rng.random() < 0.8 else {"x": "y", "y": "x"}[answers[0]])
        low, high = accord.self_agreement(as_study(items)).agreement.interval()
        covered += low <= 0.8 <= high
    assert covered >= 0.89 * 80


def test_nobody_who_answered_twice_is_a_reason_and_no_names_an_error() -> None:
    found = accord.self_agreement(Study({"item": [1, 1], "annotator": ["a", "b"], "label": ["x", "y"]}))
    assert found.undefined == "Nobody answered an item more than once, so nobody can be compared with oneself."
    assert str(found).startswith("Agreement with oneself: undefined. Nobody")
    assert math.isnan(found.agreement.value)
    assert len(found.by_annotator()) == 0
    assert found.to_dict()["undefined"] == found.undefined
    with pytest.raises(MeasureError, match="does not say who answered"):
        accord.self_agreement(Study.from_counts([[2, 0], [1, 1]]))
    several = Study({"item": [1, 1], "annotator": ["a", "a"], "label": ["x", "y"], "task": ["p", "q"]}, task="task")
    with pytest.raises(OptionError, match="Choose one variable"):
        accord.self_agreement(several)


def test_one_person_who_answers_again_agrees_with_nobody() -> None:
    study = as_study([{"a": ["x", "x"]}, {"a": ["x", "y"]}, {"a": ["y", "y"]}])
    found = accord.fleiss_kappa(study)
    assert found.undefined is not None
    assert found.undefined.startswith("Only one annotator answered, so there is nobody to agree with")
    measured = accord.measure(study)
    assert not measured.measurable
    assert measured.with_oneself is not None
    assert measured.with_oneself.agreement.value == pytest.approx(2 / 3)
    apart = as_study([{"a": ["x", "x"]}, {"b": ["x", "y"]}])
    assert "No item has answers of two people" in str(accord.percent_agreement(apart).undefined)


def test_measure_tells_it_beside_the_coefficients_once() -> None:
    study = as_study(said(7, LABELS, items=30))
    found = accord.measure(study)
    text = str(found)
    assert text.count("answers were given again by the same annotator") == 1
    assert text.count("Agreement with oneself: Krippendorff's alpha") == 1
    assert found.with_oneself is not None
    assert str(found.with_oneself) in text
    assert found.to_dict()["with_oneself"]["value"]["value"] == found.with_oneself.value.value
    assert "more than once and gave the same answer again in" in found.with_oneself.sentence()
    once = as_study([{who: answers[:1] for who, answers in item.items()} for item in said(7, LABELS, items=30)])
    assert accord.measure(once).with_oneself is None
    assert accord.measure(once).to_dict()["with_oneself"] is None
    json.dumps(found.to_dict())


def test_sets_scores_and_orders_have_it_too() -> None:
    rows: dict[str, list[Any]] = {"item": [1, 1, 2, 2, 2], "annotator": ["a", "a", "a", "a", "b"]}
    sets = Study({**rows, "label": [["u"], ["u", "v"], ["v"], ["v"], ["u"]]}, answers="set", duplicates="repeat")
    found = accord.self_agreement(sets)
    assert (found.agreement.value, found.value.title) == (0.5, "Krippendorff's alpha (MASI)")
    scores = Study({**rows, "score": [1.5, 2.5, 7.0, 7.0, 1.0]}, score="score", duplicates="repeat")
    assert accord.self_agreement(scores).value.title == "Krippendorff's alpha (interval)"
    assert accord.self_agreement(scores).value.value > 0.9
    orders = Study(
        {**rows, "label": [list("uvw"), list("uwv"), list("wvu"), list("wvu"), list("uvw")]},
        answers="ranking", duplicates="repeat",
    )  # fmt: skip
    assert "of ranks" in accord.self_agreement(orders).value.title


def test_a_table_in_an_engine_gives_the_same_digits() -> None:
    items = said(8, LABELS, items=30)
    study = as_study(items)
    rows = [(i, who, answer) for i, item in enumerate(items) for who, given in item.items() for answer in given]
    lazy = Study(pl.LazyFrame(rows, schema=["item", "annotator", "label"], orient="row"), duplicates="repeat")
    assert str(accord.self_agreement(lazy)) == str(accord.self_agreement(study))
