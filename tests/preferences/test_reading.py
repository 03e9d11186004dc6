"""Preferences are read from the usual layouts, by option, and what cannot be one is named with its row."""

from __future__ import annotations

import ast
from pathlib import Path
from typing import Any

import pytest

import accord
from accord.annotations.preference_words import side_in_words
from accord.errors import InputError, LabelError, OptionError
from accord.preferences.comparisons import Comparisons
from tests import shared

ARENA: dict[str, list[Any]] = {
    "question_id": [1, 1, 2, 2],
    "model_a": ["x", "y", "y", "x"],
    "model_b": ["y", "x", "z", "z"],
    "winner": ["model_a", "model_b", "tie (bothbad)", "x"],
    "judge": ["ana", "ben", "ana", "ben"],
}


def test_an_arena_is_read_by_the_names_of_its_columns() -> None:
    study = accord.Study(ARENA)
    assert study.compares
    assert study.kind == "single"
    assert study.labels == ("first", "tie", "second")
    assert study.level == "ordinal"
    assert study.roles["first"] == "model_a"
    assert "4 preference answers" in str(study)


def test_annotators_who_saw_a_pair_in_different_orders_agree_by_option() -> None:
    part = accord.Study(ARENA).where("question_id", 1)
    assert accord.percent_agreement(part).value == 1.0  # x is preferred twice, once from each side


def test_a_prompt_compared_for_several_pairs_is_an_item_for_each_and_a_cluster() -> None:
    study = accord.Study(ARENA)
    assert list(study.items) == ["1 | x | y", "2 | x | z", "2 | y | z"]
    assert study.roles["cluster"] == "question_id"
    assert Comparisons.of(study).n_items == 2


def test_the_order_shown_is_kept_in_parts_of_a_study() -> None:
    study = accord.Study(ARENA)
    ben = Comparisons.of(study.of_annotators(["ben"]))
    assert [ben.options[place] for place in ben.first] == ["y", "x"]
    assert ben.outcome.tolist() == [2, 0]


@pytest.mark.parametrize(
    ("words", "sides"),
    [
        (("response1", "response2", "Tie"), ("first", "second", "tie")),
        (("A", "B", "C"), ("first", "second", "tie")),
        ((1, 2, 0), ("first", "second", "tie")),
        (("left", "right", "both bad"), ("first", "second", "tie")),
        (("[[A>>B]]", "B>A", "A=B"), ("first", "second", "tie")),
        (("assistant_a", "Output (b)", "no preference"), ("first", "second", "tie")),
        (("A is better", "Response 2 is slightly better", "About the same"), ("first", "second", "tie")),
        (("gpt-4", True, "garbage"), (None, None, None)),
        ((-1, "-2", "+1"), (None, None, None)),
    ],
)
def test_sides_are_understood_in_the_words_of_exports(words: Any, sides: Any) -> None:
    assert tuple(side_in_words(word) for word in words) == sides


@pytest.mark.parametrize(
    ("labels", "recode"),
    [
        ([-1, 1, 1, -1], "{-1: 'first', 1: 'second'}"),
        ([0, 1, 0, 1], "{0: 'second', 1: 'first'}"),
        ([-2, 0, 1, 2], "{-2: 'first', 0: 'tie', 1: 'second', 2: 'second'}"),
        (["true", "false", "true", "false"], "{'false': 'second', 'true': 'first'}"),
    ],
)
def test_numbers_that_may_mean_either_side_are_asked_about_and_the_way_out_works(labels: Any, recode: str) -> None:
    table = {name: cells for name, cells in ARENA.items() if name != "winner"} | {"preference": labels}
    with pytest.raises(LabelError) as found:
        accord.Study(table)
    assert f"recode={recode}" in str(found.value)
    assert accord.Study(table, recode=ast.literal_eval(recode)).compares


def test_two_classifiers_and_their_gold_are_no_preferences() -> None:
    both = {"id": [1, 2, 3, 4], "model_a": ["n", "p", "n", "n"], "model_b": ["p", "p", "n", "n"]}
    study = accord.Study({**both, "label": ["n", "p", "n", "p"]})
    assert not study.compares
    assert study.annotators == ("label", "model_a", "model_b")


def test_options_of_which_there_is_a_third_are_no_preferences() -> None:
    table = {f"option_{letter}": [f"{letter}1", f"{letter}1", f"{letter}2"] for letter in "abc"}
    study = accord.Study({"id": [1, 1, 2], "annotator": ["x", "y", "x"], "answer": ["A", "B", "C"], **table})
    assert not study.compares


def test_labels_that_are_said_to_be_single_are_no_preferences() -> None:
    table = {name: cells for name, cells in ARENA.items() if name != "judge"}
    assert accord.Study(table).compares
    with pytest.raises(InputError, match="annotator"):
        accord.Study(table, answers="single")


def test_a_column_for_every_judge_is_read_as_preferences() -> None:
    pairs = {"prompt": [1, 2], "model_a": ["x", "y"], "model_b": ["y", "z"]}
    study = accord.Study({**pairs, "ana": ["A", "tie"], "ben": ["B", "B"]})
    assert study.compares
    assert study.annotators == ("ana", "ben")
    assert Comparisons.of(study).outcome.tolist() == [0, 2, 1, 2]


def test_three_yes_no_columns_are_one_winner() -> None:
    table = {
        "id": [1, 2, 3], "model_a": ["x", "y", "x"], "model_b": ["y", "z", "z"],
        "winner_model_a": [1, 0, 0], "winner_model_b": [0, 1, 0], "winner_tie": [0, 0, 1],
    }  # fmt: skip
    found = Comparisons.of(accord.Study(table))
    assert found.outcome.tolist() == [0, 2, 1]


def test_winner_and_loser_say_no_order() -> None:
    study = accord.Study({"winner": ["x", "z", "y"], "loser": ["y", "x", "z"]})
    found = Comparisons.of(study)
    assert found.wins.sum() == 3
    assert found.in_one_order is not None
    assert any("not which option stood first" in note for note in study.notes)


def test_chosen_and_rejected_are_options_where_they_are_names_and_not_texts() -> None:
    names = {"id": [1, 2, 3], "judge": ["a", "b", "c"], "chosen": ["x", "y", "x"], "rejected": ["y", "z", "z"]}
    assert accord.Study(names).compares
    texts = {**names, "chosen": ["one text", "two", "three"], "rejected": ["four", "five", "six"], "label": list("pqp")}
    assert not accord.Study(texts).compares


def test_columns_called_first_and_second_are_options_only_where_labels_say_which() -> None:
    table = {
        "item": [1, 1],
        "annotator": ["a", "b"],
        "label": ["cat", "dog"],
        "first": ["p", "q"],
        "second": ["r", "s"],
    }
    assert not accord.Study(table).compares


def test_a_turn_and_its_prompt_name_an_item_together() -> None:
    study = accord.Study({**ARENA, "turn": [1, 1, 1, 2]})
    assert study.roles["item"] == "question_id | turn"


def test_judged_in_both_orders_it_is_judged_twice() -> None:
    rows = [
        {"item": 1, "annotator": "gpt", "label": "first", "first": "x", "second": "y"},
        {"item": 1, "annotator": "gpt", "label": "first", "first": "y", "second": "x"},
        {"item": 1, "annotator": "ana", "label": "first", "first": "x", "second": "y"},
    ]
    study = accord.Study(rows)
    assert study.n_annotations == 3
    with pytest.raises(InputError, match="duplicates"):
        accord.Study([*rows, rows[-1]])


def test_what_is_written_is_read_again(tmp_path: Path) -> None:
    study = accord.Study(ARENA)
    study.write(tmp_path / "arena.csv")
    again = accord.read(tmp_path / "arena.csv")
    assert again.compares
    assert accord.krippendorff_alpha(again).value == pytest.approx(accord.krippendorff_alpha(study).value, nan_ok=True)
    assert again.items == study.items


# -- bad input ---------------------------------------------------------------------------------------------------------


def changed(**cells: Any) -> dict[str, list[Any]]:
    return {name: [*column[:2], cells.get(name, column[2]), *column[3:]] for name, column in ARENA.items()}


def test_a_preference_for_something_that_was_not_compared_names_its_row() -> None:
    with pytest.raises(LabelError, match=r"'x' is none of the two options compared in row 3 .*'y', 'z'") as told:
        accord.Study(changed(winner="x"))
    assert told.value.place is not None
    assert told.value.place.annotator == "ana"


def test_a_word_that_means_no_side_is_named_with_ways_out() -> None:
    with pytest.raises(LabelError, match=r"'garbage' .*missing=\['garbage'\]"):
        accord.Study(changed(winner="garbage"))
    assert accord.Study(changed(winner="garbage"), missing=["garbage"]).n_annotations == 3


def test_an_option_compared_with_itself_is_refused() -> None:
    with pytest.raises(InputError, match=r"'y' is compared with itself.* row 3"):
        accord.Study(changed(model_b="y"))


def test_a_comparison_without_its_second_option_is_refused() -> None:
    with pytest.raises(InputError, match=r"names no option.* row 3"):
        accord.Study(changed(model_b=None))


def test_preferences_need_both_options_and_no_scale_of_their_own() -> None:
    table = {"item": [1], "annotator": ["a"], "label": ["first"], "x": ["p"], "y": ["q"]}
    roles: Any = {"item": "item", "annotator": "annotator", "label": "label"}
    with pytest.raises(OptionError, match="second"):
        accord.Study(table, **roles, first="x", answers="preference")
    with pytest.raises(OptionError, match="left out"):
        accord.Study(table, **roles, first="x", second="y", labels=["good", "bad"])


@pytest.mark.shared
def test_pandalm_has_the_figures_of_its_readme() -> None:
    import polars as pl

    folder = shared.DATA / "pandalm_pairwise"
    table = pl.read_csv(folder / "long.csv").join(pl.read_csv(folder / "pairs.csv"), on="item")
    study = accord.Study(table, missing=["garbage"])
    people = study.of_people()
    assert len(study.models) == 2
    assert accord.krippendorff_alpha(people, level="nominal").value == pytest.approx(0.864, abs=5e-4)
    kappas = accord.pairwise(study, "cohen_kappa", level=None)
    by_pair = {(row["first"], row["second"]): row["value"] for row in kappas}
    assert by_pair["human1", "human2"] == pytest.approx(0.852, abs=5e-4)
    assert by_pair["human1", "human3"] == pytest.approx(0.879, abs=5e-4)
    found = accord.bradley_terry(study)
    assert found.in_tiers()[0] == ["llama-7b"]
    assert found.n_comparisons == 2997
