"""What cannot be measured is refused or undefined, with the values found and the way out."""

from __future__ import annotations

import math
from typing import Any

import pytest

import accord
from accord import multilabel


def ranked_rows(*rows: tuple[str, str, int, str]) -> accord.Study:
    names = ("item", "annotator", "rank", "label")
    return accord.Study({name: [row[k] for row in rows] for k, name in enumerate(names)}, rank="rank")


def emails() -> accord.Study:
    return accord.Study.from_wide([[["a", "b"], ["b"]], [["b"], ["b", "a"]]], answers="ranked")


def singles() -> accord.Study:
    return accord.Study.from_wide([["a", "b"], ["b", "b"], ["a", "a"]])


def sets() -> accord.Study:
    return accord.Study.from_wide([[["a"], ["b"]], [["a"], ["a"]]], answers="set")


def test_a_secondary_label_without_a_primary_one() -> None:
    with pytest.raises(accord.AccordError, match=r"no primary label \(rank 1\)"):
        ranked_rows(("i", "ana", 1, "a"), ("i", "ben", 2, "b"))


def test_ranks_with_a_gap() -> None:
    with pytest.raises(accord.AccordError, match=r"the ranks 1, 3"):
        ranked_rows(("i", "ana", 1, "a"), ("i", "ana", 3, "b"))


def test_a_rank_twice_and_then_a_gap() -> None:
    with pytest.raises(accord.AccordError, match=r"the ranks 1, 1, 4"):
        ranked_rows(("i", "ana", 1, "a"), ("i", "ana", 1, "b"), ("i", "ana", 4, "c"))


def test_the_same_label_twice_in_one_ranked_answer() -> None:
    with pytest.raises(accord.AccordError, match="twice in one ranked answer: item 'i', annotator 'ana'"):
        ranked_rows(("i", "ana", 1, "a"), ("i", "ana", 2, "a"))


def test_the_same_label_twice_in_one_set() -> None:
    table = {"item": [1, 1], "annotator": ["ana", "ana"], "label": ["joy", "joy"]}
    with pytest.raises(accord.AccordError, match="'joy' stands twice in one answer: item 1, annotator 'ana'"):
        accord.Study(table, answers="set")
    with pytest.raises(accord.AccordError, match="twice in one answer"):
        accord.Study.from_wide([[["joy", "joy"], ["joy"]]], answers="set")


@pytest.mark.parametrize("p", [0.4, 1.1, -1, math.nan])
def test_p_out_of_range(p: float) -> None:
    with pytest.raises(accord.AccordError, match=r"p must lie between 0.5 .* and 1"):
        accord.rosenberg_binkowski_kappa(emails(), p=p)


@pytest.mark.parametrize("p", [(0.3, 0.7), (), (0.0, 0.0), (1.0, -0.5), "ab", (math.nan, 0.5)])
def test_weights_of_ranks_that_cannot_be(p: Any) -> None:
    with pytest.raises(accord.AccordError, match="rank"):
        accord.rosenberg_binkowski_kappa(emails(), p=p)


def test_more_ranks_than_weights() -> None:
    study = accord.Study.from_wide([[["a", "b", "c"], ["b"]], [["b"], ["b", "a"]]], answers="ranked")
    with pytest.raises(accord.AccordError, match="3 ranks, and p gives weights for 2"):
        accord.rosenberg_binkowski_kappa(study, p=0.6)


def test_weights_that_are_not_for_ranked_answers() -> None:
    with pytest.raises(accord.AccordError, match="shared-mass"):
        accord.rosenberg_binkowski_kappa(emails(), weights="masi")  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("measure", "study", "names"),
    [
        (accord.rosenberg_binkowski_kappa, singles(), "light_kappa"),
        (accord.rosenberg_binkowski_kappa, sets(), "bhowmick_am"),
        (accord.bhowmick_am, singles(), "conger_kappa"),
        (accord.bhowmick_am, emails(), "rosenberg_binkowski_kappa"),
        (accord.dipietro_hazari_kappa, sets(), "single"),
    ],
)
def test_another_kind_of_answer_is_refused_with_what_serves(measure: Any, study: accord.Study, names: str) -> None:
    with pytest.raises(accord.AccordError, match=names):
        measure(study)


def test_am_needs_two_labels() -> None:
    one = accord.Study.from_wide([[["a"], ["a"]], [["a"], []]], answers="set")
    found = accord.bhowmick_am(one)
    assert math.isnan(found.value)
    assert "the scale has one label, 'a'" in str(found.undefined)
    assert "There is no value" in found.working()
    assert math.isnan(found.interval().low)


def test_two_labels_with_one_in_every_answer_are_undefined_when_clubbed() -> None:
    found = accord.bhowmick_am(sets())
    assert math.isnan(found.value)
    assert "clubbed=False" in str(found.undefined)
    assert accord.bhowmick_am(sets(), clubbed=False).undefined is None


def test_a_similarity_that_is_none() -> None:
    with pytest.raises(accord.AccordError, match="between 0"):
        accord.bhowmick_am(sets(), label_weights=[[1, 2], [2, 1]])


def test_no_two_complete_annotators() -> None:
    study = accord.Study.from_wide([[["a"], None, ["b"]], [["b"], ["b"], None]], answers="set")
    with pytest.raises(accord.AccordError, match="there are 1"):
        accord.bhowmick_am(study, annotators="complete")
    with pytest.raises(accord.AccordError, match="annotators must be one of"):
        accord.bhowmick_am(study, annotators="some")  # type: ignore[arg-type]


def test_a_suggestion_outside_the_declared_scale() -> None:
    study = accord.Study.from_wide([["a", "b"], ["b", "b"]], labels=["a", "b"])
    with pytest.raises(
        accord.AccordError, match=r"suggestions use 'c', which the declared labels 'a', 'b' do not hold"
    ):
        accord.dipietro_hazari_kappa(study, suggested=["a", "c"])


def test_no_suggestions_at_all() -> None:
    with pytest.raises(accord.AccordError, match="Where are the suggested labels"):
        accord.dipietro_hazari_kappa(singles())
    found = accord.dipietro_hazari_kappa(singles(), suggested=[None, None, None])
    assert math.isnan(found.value)
    assert "has a suggested label" in str(found.undefined)
    assert found.by_label().columns == ("label", *found.by_label().columns[1:])


def test_a_suggester_who_is_not_there() -> None:
    with pytest.raises(accord.AccordError, match="neither a column"):
        accord.dipietro_hazari_kappa(singles(), suggested="gpt")


def test_suggestions_of_the_wrong_number_or_type() -> None:
    with pytest.raises(accord.AccordError, match="2 suggestions for 3 items"):
        accord.dipietro_hazari_kappa(singles(), suggested=["a", "b"])
    with pytest.raises(accord.AccordError, match="mixed types"):
        accord.dipietro_hazari_kappa(singles(), suggested=[1, 2, 1])
    named = accord.Study({"item": ["x", "x"], "annotator": ["ana", "ben"], "label": ["a", "b"]})
    with pytest.raises(accord.AccordError, match="mapping"):
        accord.dipietro_hazari_kappa(named, suggested=["a"])
    with pytest.raises(accord.AccordError, match="None of the suggestions is for an item of the study"):
        accord.dipietro_hazari_kappa(named, suggested={1: "a"})


def test_two_suggestions_for_one_item() -> None:
    table = {"item": ["x", "x"], "annotator": ["ana", "ben"], "label": ["a", "b"], "guess": ["a", "b"]}
    with pytest.raises(accord.AccordError, match="must say one thing of an item"):
        accord.dipietro_hazari_kappa(accord.Study(table), suggested="guess")
    frame = [{"item": "x", "suggested": "a"}, {"item": "x", "suggested": "b"}]
    with pytest.raises(accord.AccordError, match="two labels for item 'x'"):
        accord.dipietro_hazari_kappa(accord.Study(table), suggested=frame)


def test_samples_that_cannot_be_drawn() -> None:
    whole = {1: "a", 2: "b", 3: "a"}
    for size in (0, 4, 1.5, True):
        with pytest.raises(accord.AccordError, match="size must be a whole number from 1 to the 3"):
            accord.sample_for_annotation(whole, size)  # type: ignore[arg-type]
    with pytest.raises(accord.AccordError, match="cannot hold 2 of each"):
        accord.sample_for_annotation(whole, 2, by_label="equal")
    with pytest.raises(accord.AccordError, match="no suggestions"):
        accord.sample_for_annotation({1: None}, 1)
    with pytest.raises(accord.AccordError, match="by_label must be one of"):
        accord.sample_for_annotation(whole, 2, by_label="some")  # type: ignore[arg-type]


def test_questions_about_several_labels_refuse_other_answers() -> None:
    for ask in (accord.p_curve, accord.item_classes, multilabel.secondary_use, multilabel.label_frequencies):
        with pytest.raises(accord.AccordError, match="is about ranked answers; these are single"):
            ask(singles())
    for look in (multilabel.label_confusion, multilabel.set_measures, multilabel.observed_distribution):
        with pytest.raises(accord.AccordError, match="is about set answers; these are ranked"):
            look(emails())


def test_options_that_cannot_be() -> None:
    with pytest.raises(accord.AccordError, match="p must hold two values or more"):
        accord.p_curve(emails(), p=(0.5,))
    with pytest.raises(accord.AccordError, match=r"between 0\.5"):
        accord.p_curve(emails(), p=(0.2, 1))
    with pytest.raises(accord.AccordError, match="bins must rise"):
        multilabel.observed_distribution(sets(), bins=(0.5, 0.2))
    with pytest.raises(accord.AccordError, match="high must be a kappa"):
        accord.item_classes(emails(), high=7)
    with pytest.raises(accord.AccordError, match="be a class: 1, 2, 3 or 4"):
        accord.item_classes(emails()).of(5)
    with pytest.raises(accord.AccordError, match="no annotator 'eve'"):
        multilabel.annotation_matrix(emails(), "eve")
    with pytest.raises(accord.AccordError, match="suggesters must be two or more"):
        accord.suggestions.compare_suggesters(singles(), ["1"])
