"""The field's own benchmarks, as their files lie: LeWiDi, the alternative annotator test, JUDGE-BENCH; and LabelMe."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import accord
from tests.readers.test_samples import SAMPLES


def put(path: Path, data: Any) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(data), encoding="utf-8")
    return path


def entry(annotators: str, annotations: Any) -> dict[str, Any]:
    return {"text": "x", "annotations": annotations, "annotators": annotators, "soft_label": {}, "split": "train"}


def test_answers_of_lewidi_belong_to_the_annotators_at_their_places() -> None:
    study = accord.read(SAMPLES / "lewidi-2023/Boats_train.json", only="kindness detection")
    assert study.items == (1, 2)
    assert accord.percent_agreement(study, labels=[0, 1]).value == pytest.approx((1 / 3 + 1) / 2)


def test_parts_that_use_one_key_for_other_items_are_told_apart() -> None:
    study = accord.read(SAMPLES / "lewidi-2023", only="rude")
    assert study.items == ("dev/1", "train/1", "train/2")
    assert {"Age", "Hand", "harbour", "split"} <= set(study.columns)


def test_more_annotators_than_answers_is_an_error_that_names_the_item(tmp_path: Path) -> None:
    path = put(tmp_path / "x.json", {"a": entry("Ann1,Ann2", "0,1"), "b": entry("Ann1,Ann2", "0,1,1")})
    with pytest.raises(accord.AccordError, match=r"x\.json, item 'b': There are 3 answers in 'annotations', and 2"):
        accord.read(path)
    assert accord.read(path, on_error="skip").n_items == 1


def test_a_large_file_on_one_line_is_known_too(tmp_path: Path) -> None:
    many = {str(place): {**entry("Ann1,Ann2", "0,1"), "text": "x" * 2_000} for place in range(700)}
    assert accord.read(put(tmp_path / "x.json", many)).n_items == 700


def test_models_and_people_of_the_alternative_annotator_test_are_told_apart() -> None:
    study = accord.read(SAMPLES / "alt-test", only="kind")
    assert study.annotators == ("model-a", "model-b", "p1", "p2")
    assert study.kinds == {"model-a": "model", "model-b": "model", "p1": "person", "p2": "person"}
    assert study.roles["cluster"] == "cluster"


def test_ids_without_features_stay_whole(tmp_path: Path) -> None:
    answers = {"a__b__1": "x", "a__c__2": "y"}
    put(tmp_path / "human_annotations.json", {"p1": answers, "p2": answers})
    study = accord.read(tmp_path)
    assert study.items == ("a__b__1", "a__c__2")


def test_one_models_answers_alone_are_read(tmp_path: Path) -> None:
    put(tmp_path / "human_annotations.json", {"p1": {"a": "x", "b": "y"}, "p2": {"a": "x", "b": "x"}})
    put(tmp_path / "llm_annotations.json", {"a": "x", "b": "y"})
    assert accord.read(tmp_path).annotators == ("llm", "p1", "p2")


def test_data_sets_in_folders_are_variables(tmp_path: Path) -> None:
    for name in ("one", "two"):
        put(tmp_path / name / "human_annotations.json", {"p1": {"a": "x"}, "p2": {"a": "y"}})
    assert set(accord.read(tmp_path).tasks) == {"one", "two"}


def test_scores_of_judge_bench_have_the_scale_that_was_declared() -> None:
    tasks = accord.read(SAMPLES / "judge-bench/recipes.json").tasks
    assert (tasks["grammar"].labels, tasks["grammar"].level) == ((1, 2, 3, 4), "ordinal")
    assert tasks["edible"].labels == ("Yes", "No", "Unsure")


def test_a_grade_between_the_declared_ones_has_its_place(tmp_path: Path) -> None:
    asked = [{"metric": "grammar", "category": "graded", "worst": 1, "best": 3}]
    instances = [{"id": 1, "annotations": {"grammar": {"individual_human_scores": [1, 2.5, 3]}}}]
    study = accord.read(put(tmp_path / "x.json", {"annotations": asked, "instances": instances}))
    assert study.labels == (1, 2, 2.5, 3)
    assert any("used and not declared: 2.5" in note for note in study.notes)


def test_nobody_is_named_and_that_is_said() -> None:
    study = accord.read(SAMPLES / "judge-bench/recipes.json", only="grammar")
    assert any("nobody is named" in note for note in study.notes)
    assert study.annotators == ()
    assert accord.krippendorff_alpha(study).value == pytest.approx(5 / 6, abs=1e-3)
    with pytest.raises(accord.AccordError):
        accord.conger_kappa(study)


def test_pictures_are_the_same_whatever_folder_they_lay_in(tmp_path: Path) -> None:
    for who, path in (("ana", "C:\\pictures\\a.jpg"), ("ben", "../a.jpg")):
        shape = {"label": "boat", "points": [[1, 2], [3, 5]], "shape_type": "rectangle"}
        put(tmp_path / who / "a.json", {"shapes": [shape], "imagePath": path, "flags": {}})
    study = accord.read(tmp_path)
    assert (study.items, study.annotators, study.kind) == (("a.jpg",), ("ana", "ben"), "boxes")
    assert len(study.answers) == 1  # both drew the same box


def test_a_picture_without_shapes_was_seen() -> None:
    shapes = accord.read(SAMPLES / "labelme").tasks["shapes"]
    assert shapes.n_annotations == 4  # of two pictures by two people, one of them empty


def test_a_point_that_is_none_is_an_error(tmp_path: Path) -> None:
    shape = {"label": "boat", "points": [[1, "x"], [3, 5]], "shape_type": "rectangle"}
    path = put(tmp_path / "a.json", {"shapes": [shape], "imagePath": "a.jpg"})
    with pytest.raises(accord.AccordError, match="should be two numbers"):
        accord.read(path)
