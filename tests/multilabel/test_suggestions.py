"""Suggested labels from every source, several suggesters, and samples that speak of the whole."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import polars as pl
import pytest

import accord
from accord.suggestions import compare_suggesters

ITEMS = ["i1", "i2", "i3", "i4"]
ANSWERS: dict[str, list[Any]] = {
    "ana": ["x", "y", "x", "z"],
    "ben": ["x", "y", "y", "z"],
    "chloe": ["x", "x", "y", None],
}
SUGGESTED = {"i1": "x", "i2": "y", "i3": "x", "i4": "z"}


def long(*, bot: bool = False) -> dict[str, list[Any]]:
    people = dict(ANSWERS, bot=[SUGGESTED[item] for item in ITEMS]) if bot else ANSWERS
    rows = [(item, who, said[k], SUGGESTED[item]) for k, item in enumerate(ITEMS) for who, said in people.items()]
    return {name: [row[k] for row in rows] for k, name in enumerate(("item", "annotator", "label", "guess"))}


def value(**options: Any) -> float:
    return accord.dipietro_hazari_kappa(accord.Study(long()), **options).value


def test_every_source_of_suggestions_gives_the_same() -> None:
    expected = value(suggested="guess")
    assert math.isfinite(expected)
    assert value(suggested=SUGGESTED) == expected
    assert value(suggested={"item": ITEMS, "suggested": list(SUGGESTED.values())}) == expected
    assert value(suggested=[{"item": item, "label": label} for item, label in SUGGESTED.items()]) == expected
    assert accord.dipietro_hazari_kappa(accord.Study(long(), suggested="guess")).value == expected
    assert (
        accord.dipietro_hazari_kappa(long(), item="item", annotator="annotator", label="label", suggested="guess").value
        == expected
    )
    columns: dict[str, Any] = {"item": ITEMS, **ANSWERS, "guess": list(SUGGESTED.values())}
    study = accord.Study.from_wide(columns, item="item", annotators=list(ANSWERS))
    assert accord.dipietro_hazari_kappa(study, suggested="guess").value == expected


@pytest.mark.parametrize("engine", ["pandas", "polars"])
def test_suggestions_come_in_a_frame_of_any_engine(engine: str) -> None:
    frames = pytest.importorskip(engine)
    frame = frames.DataFrame({"item": ITEMS, "suggested": list(SUGGESTED.values())})
    assert value(suggested=frame) == value(suggested=SUGGESTED)


def test_a_model_among_the_annotators_suggests_and_is_not_counted() -> None:
    found = accord.dipietro_hazari_kappa(accord.Study(long(bot=True)), suggested="bot")
    assert found.value == value(suggested=SUGGESTED)
    assert found.n_annotators == 3
    assert "bot" not in list(found.by_annotator()["annotator"])


def test_a_list_goes_by_row_number() -> None:
    rows = list(zip(*ANSWERS.values(), strict=True))
    study = accord.Study.from_wide(rows)
    assert accord.dipietro_hazari_kappa(study, suggested=list(SUGGESTED.values())).value == value(suggested=SUGGESTED)


def test_items_without_a_suggestion_are_counted_and_left_out() -> None:
    found = accord.dipietro_hazari_kappa(accord.Study(long()), suggested={"i1": "x", "i2": "y", "i9": "z"})
    kept = {name: [cell for cell, item in zip(cells, long()["item"], strict=True) if item in ("i1", "i2")]
            for name, cells in long().items()}  # fmt: skip
    alone = accord.dipietro_hazari_kappa(accord.Study(kept, labels=list("xyz")), suggested="guess")
    assert found.value == pytest.approx(alone.value)
    assert found.n_items == 2
    assert found.notes[0] == "2 of 4 items have no suggested label and are left out."
    assert found.notes[1] == "1 suggestions are for items that nobody annotated."
    assert list(found.by_item()["verdict"]) == ["good", "good", None, None]


def test_a_suggested_label_that_nobody_gave_is_allowed_and_said() -> None:
    found = accord.dipietro_hazari_kappa(accord.Study(long()), suggested={**SUGGESTED, "i3": "w"})
    assert any("never given by an annotator: 'w'" in note for note in found.notes)
    assert [row["label"] for row in found.by_label()] == ["x", "y", "z", "w"]
    inside: Any = found.coefficient
    assert inside.given[-1] == 0
    assert inside.proposed[-1] == pytest.approx(1 / 4)


def test_fleiss_stands_beside_it_and_warns_where_annotators_do_not_agree() -> None:
    rng = np.random.default_rng(1)
    study = accord.Study.from_wide(rng.integers(3, size=(60, 4)))
    found = accord.dipietro_hazari_kappa(study, suggested=rng.integers(3, size=60))
    assert f"{accord.fleiss_kappa(study).value:.3f}" in found.notes[0]
    assert "hardly agree" in found.notes[1]


def test_groups_and_variables_have_a_row_each() -> None:
    table = long()
    table["half"] = ["first" if item in ("i1", "i2") else "second" for item in table["item"]]
    groups = accord.dipietro_hazari_kappa(accord.Study(table), suggested="guess", by="half").by_group()
    assert groups["items"].tolist() == [2, 2]
    tasks = accord.Study({**table, "task": table["half"]}, task="task")
    by_task = accord.dipietro_hazari_kappa(tasks, suggested="guess").by_group()
    assert by_task["items"].tolist() == [2, 2]


def people(seed: int, size: int = 200) -> tuple[accord.Study, Any]:
    rng = np.random.default_rng(seed)
    truth = rng.integers(3, size=size)
    answers = np.where(rng.random((size, 4)) < 0.8, truth[:, None], rng.integers(3, size=(size, 4)))
    return accord.Study.from_wide(answers), truth


def test_suggesters_are_compared_on_the_same_items() -> None:
    study, truth = people(4)
    rng = np.random.default_rng(5)
    good, bad = (np.where(rng.random(200) < share, truth, rng.integers(3, size=200)) for share in (0.95, 0.5))
    found = compare_suggesters(study, {"good": good, "bad": bad})
    assert found.best == "good"
    (row,) = found.differences()
    one, other = (accord.dipietro_hazari_kappa(study, suggested=labels) for labels in (good, bad))
    paired = accord.compare(one, other)
    assert row["difference"] == pytest.approx(paired.difference)
    assert row["low"] == pytest.approx(paired.low)
    assert row["common_items"] == 200
    assert paired.low > 0
    assert paired.se < math.hypot(one.interval().se, other.interval().se)
    assert found.to_dict()["best"] == "good"
    assert "good" in str(found)


def test_no_suggester_is_among_those_who_judge() -> None:
    table = long(bot=True)
    study = accord.Study(table)
    found = compare_suggesters(study, ["bot", "ana"])
    assert found["bot"].n_annotators == found["ana"].n_annotators == 2


def test_a_single_answer_passes_no_verdict() -> None:
    study = accord.Study.from_wide([["a", "a"], ["b", None], ["c", "c"]])
    found = accord.dipietro_hazari_kappa(study, suggested=["a", "b", "b"])
    assert list(found.by_item()["verdict"]) == ["good", None, "very poor"]
    assert [(row["good"], row["poor"], row["very_poor"]) for row in found.by_label()] == [
        (1, 0, 0),
        (0, 0, 1),
        (0, 0, 0),
    ]


# Samples ------------------------------------------------------------------------------------------------------


def whole(seed: int, size: int = 600) -> tuple[dict[int, str], dict[int, list[str]]]:
    """A suggested data set, and what four annotators would say of each item."""
    rng = np.random.default_rng(seed)
    truth = rng.choice(["a", "b", "c"], size, p=[0.7, 0.2, 0.1])
    suggested = np.where(rng.random(size) < 0.8, truth, rng.choice(["a", "b", "c"], size))
    answers = np.where(rng.random((size, 4)) < 0.8, truth[:, None], rng.choice(["a", "b", "c"], (size, 4)))
    return dict(enumerate(suggested.tolist())), dict(enumerate(answers.tolist()))


def annotated(items: Any, answers: dict[int, list[str]]) -> accord.Study:
    rows = [(item, str(who), label) for item in items for who, label in enumerate(answers[item])]
    return accord.Study({name: [row[k] for row in rows] for k, name in enumerate(("item", "annotator", "label"))})


@pytest.mark.slow
@pytest.mark.parametrize("by_label", [False, "proportional", "equal"])
def test_the_sample_speaks_of_the_whole(by_label: Any) -> None:
    """Over many samples the estimate is right on average, and the interval holds the whole's own value."""
    suggested, answers = whole(1)
    truth = accord.dipietro_hazari_kappa(annotated(answers, answers), suggested=suggested).value
    values, held = [], 0
    for seed in range(120):
        sample = accord.sample_for_annotation(suggested, 120, by_label=by_label, rng=seed)
        found = accord.dipietro_hazari_kappa(annotated(sample.items, answers), suggested=sample)
        low, high = found.interval()
        values.append(found.value)
        held += low <= truth <= high
    assert np.mean(values) == pytest.approx(truth, abs=0.02)
    assert held >= 0.87 * 120


def test_a_sample_of_everything_leaves_nothing_uncertain() -> None:
    suggested, answers = whole(2, 90)
    for by_label in (False, "equal", "proportional"):
        sample = accord.sample_for_annotation(suggested, 90, by_label=by_label, rng=1)
        found = accord.dipietro_hazari_kappa(annotated(sample.items, answers), suggested=sample)
        assert found.value == pytest.approx(
            accord.dipietro_hazari_kappa(annotated(answers, answers), suggested=suggested).value
        )
        assert found.interval().se == pytest.approx(0, abs=1e-12)


def test_a_simple_sample_is_corrected_as_a_known_population() -> None:
    suggested, answers = whole(3)
    sample = accord.sample_for_annotation(suggested, 150, rng=2)
    study = annotated(sample.items, answers)
    by_sample = accord.dipietro_hazari_kappa(study, suggested=sample).interval()
    by_hand = accord.dipietro_hazari_kappa(study, suggested=suggested).interval(population=600)
    assert by_sample.se == pytest.approx(by_hand.se)


def test_the_same_seed_draws_the_same_items_in_any_order() -> None:
    suggested, _ = whole(4)
    turned = dict(reversed(suggested.items()))
    for by_label in (False, "equal"):
        one, other = (accord.sample_for_annotation(data, 50, by_label=by_label, rng=9) for data in (suggested, turned))
        assert one.items == other.items


def test_equal_numbers_of_rare_labels_and_shares_of_all() -> None:
    suggested = {number: "rare" if number < 5 else "common" for number in range(100)}
    equal = accord.sample_for_annotation(suggested, 30, by_label="equal", rng=1)
    share = accord.sample_for_annotation(suggested, 30, by_label="proportional", rng=1)
    assert equal.by_label()["drawn"].tolist() == [25, 5]
    assert share.by_label()["drawn"].tolist() == [28, 2]
    assert len(equal.to_table()) == len(equal) == 30
    assert equal.to_dict()["schema"] == "accord/1"


def test_the_interval_of_a_sample_by_label_is_analytic_only() -> None:
    suggested, answers = whole(5)
    sample = accord.sample_for_annotation(suggested, 90, by_label="equal", rng=1)
    found = accord.dipietro_hazari_kappa(annotated(sample.items, answers), suggested=sample)
    with pytest.raises(accord.AccordError, match="drawn label by label"):
        found.interval(method="bootstrap")
    assert "drawn label by label" in found.notes[0]


def test_suggestions_of_a_lazy_frame_can_be_asked_what_those_in_memory_can() -> None:
    rng = np.random.default_rng(1)
    suggested = np.repeat(rng.choice(list("xyz"), 30), 3)
    columns = {"item": np.repeat(np.arange(30), 3), "annotator": ["ana", "ben", "chloe"] * 30, "suggested": suggested}
    frame = pl.DataFrame({**columns, "label": rng.choice(list("xyz"), 90)})
    lazy, eager = (accord.dipietro_hazari_kappa(data, suggested="suggested") for data in (frame.lazy(), frame))
    assert lazy.by_pair().to_dict() == eager.by_pair().to_dict()
    assert lazy.interval(resample="annotators") == eager.interval(resample="annotators")
    shuffled = [result.test(method="permutation", n_resamples=9, rng=1) for result in (lazy, eager)]
    assert shuffled[0] == shuffled[1]
