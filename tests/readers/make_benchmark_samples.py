"""Writes the samples of the field's benchmarks, of pictures, and of what clients of evaluation tools give today."""

# ruff: noqa: E501 - the samples are data, and a record stands on one line

from __future__ import annotations

import json
from typing import Any

from tests.readers.make_samples import BOAT, LAMP, put


def _entry(text: Any, part: str, annotators: str, annotations: Any, **info: Any) -> dict[str, Any]:
    return {"text": text, "annotation task": "kindness detection", "number of annotations": 2, "annotations": annotations, "annotators": annotators, "lang": "en",
            "hard_label": "0", "soft_label": {"0": 0.5, "1": 0.5}, "split": part, "other_info": info}  # fmt: skip


def lewidi() -> None:
    """The form of 2023 (lists with commas), with other questions beside; and that of 2025 (objects, several labels)."""
    put("lewidi-2023/Boats_train.json", json.dumps({
        "1": _entry(json.dumps({"agent": LAMP, "user": BOAT}), "train", "Ann1,Ann2,Ann3", "0,1,0", harbour="Split", other_annotations={"rude": "0,0,1"}),
        "2": _entry(LAMP, "train", "Ann1,Ann3", "1,1", harbour="Vis", other_annotations={"rude": "1,1"}),
    }, indent="\t", ensure_ascii=False))  # fmt: skip
    put(
        "lewidi-2023/Boats_dev.json",
        json.dumps(
            {"1": _entry(BOAT, "dev", "Ann2,Ann3", "0,1", harbour="Vis", other_annotations={"rude": "0,0"})},
            ensure_ascii=False,
        ),
    )
    put(
        "lewidi-2023/Boats_annotators_meta.json",
        json.dumps(
            {
                "Ann1": {"Age": "41", "Hand": "left"},
                "Ann2": {"Age": "35", "Hand": "right"},
                "Ann3": {"Age": "29", "Hand": "right"},
            }
        ),
    )
    put("lewidi-2025/Lamps_train.json", json.dumps({
        "7": _entry({"context": LAMP, "statement": "It is dark."}, "train", "Ann1,Ann2", {"Ann1": "neutral,entailment", "Ann2": "entailment"}, explanations=["no light"]),
        "8": _entry({"context": BOAT, "statement": "It is wet."}, "train", "Ann1,Ann2", {"Ann1": "neutral", "Ann2": "contradiction"}),
    }, indent=1, ensure_ascii=False))  # fmt: skip


def alt_test() -> None:
    """Annotator, then instance, whose id ends with what was asked; people and models in a file each."""
    people = {
        who: {
            f"{text}__{asked}": (place + len(asked)) % 3 + 1
            for text in ("boat", "lamp", "tide")
            for asked in ("clear", "kind")
        }
        for place, who in enumerate(("p1", "p2"))
    }
    put("alt-test/human_annotations.json", json.dumps(people, indent=4))
    put(
        "alt-test/llm_annotations.json",
        json.dumps({"model-a": people["p1"], "model-b": dict.fromkeys(people["p1"], 2)}, indent=4),
    )
    put(
        "alt-test/prompts.json",
        json.dumps(
            {
                instance: {"text_id": instance.partition("__")[0], "str_prompt": f"Judge {instance}."}
                for instance in people["p1"]
            }
        ),
    )


def judge_bench() -> None:
    """What was asked, with its scale; and instances, whose scores name nobody."""
    put("judge-bench/recipes.json", json.dumps({
        "dataset": "Recipes", "dataset_url": "", "expert_annotator": "true", "original_prompt": False,
        "annotations": [{"metric": "grammar", "category": "graded", "prompt": "How correct is it? {{ instance }}", "worst": 1, "best": 4},
                        {"metric": "edible", "category": "categorical", "prompt": "Can it be eaten?", "labels_list": ["Yes", "No", "Unsure"]}],
        "instances": [
            {"id": 1, "instance": LAMP, "annotations": {"grammar": {"mean_human": 2.5, "individual_human_scores": [2, 3]}, "edible": {"majority_human": "No", "individual_human_scores": ["No", "No", "Yes"]}}},
            {"id": 2, "instance": {"context": BOAT, "response": "Salt it."}, "annotations": {"grammar": {"mean_human": 4, "individual_human_scores": [4, 4]}, "edible": {"majority_human": "Yes", "individual_human_scores": []}}},
        ]}, ensure_ascii=False))  # fmt: skip


def labelme() -> None:
    """A folder a person, a file a picture."""
    for who, left in (("ana", 10), ("ben", 12)):
        for picture, shapes in (
            ("a.jpg", [{"label": "boat", "points": [[left, 10], [50, 40]], "group_id": None, "shape_type": "rectangle", "flags": {}},
                       {"label": "sea", "points": [[0, 50], [200, 50], [100, 90]], "group_id": None, "shape_type": "polygon", "flags": {"calm": True}},
                       {"label": "sun", "points": [[150, 20], [153, 24]], "group_id": None, "shape_type": "circle", "flags": {}}]),
            ("b.jpg", []),
        ):  # fmt: skip
            put(f"labelme/{who}/{picture.removesuffix('.jpg')}.json", json.dumps(
                {"version": "5.5.0", "flags": {"day": left == 10, "night": False}, "shapes": shapes, "imagePath": f"..\\pictures\\{picture}", "imageData": None, "imageHeight": 100, "imageWidth": 200}, indent=2))  # fmt: skip


def evaluation_tools() -> None:
    """What the clients give today: Langfuse's scores of version 3, Phoenix's dataframe as CSV, Argilla's `to_disk`."""
    scores = [
        {"id": "1", "projectId": "p", "name": "helpful", "value": "yes", "dataType": "CATEGORICAL", "source": "ANNOTATION", "environment": "default", "authorUserId": "ana", "queueId": "q", "subject": {"kind": "trace", "id": "t1"}},
        {"id": "2", "projectId": "p", "name": "helpful", "value": "no", "dataType": "CATEGORICAL", "source": "ANNOTATION", "environment": "default", "authorUserId": "ben", "queueId": "q", "subject": {"kind": "trace", "id": "t1"}},
        {"id": "3", "projectId": "p", "name": "safe", "value": True, "dataType": "BOOLEAN", "source": "EVAL", "environment": "default", "subject": {"kind": "observation", "id": "o1", "traceId": "t1"}},
        {"id": "4", "projectId": "p", "name": "remark", "value": "too long", "dataType": "TEXT", "source": "ANNOTATION", "environment": "default", "authorUserId": "ana", "subject": {"kind": "session", "id": "s1"}},
    ]  # fmt: skip
    put("langfuse-v3/scores.json", json.dumps({"data": scores, "meta": {"limit": 50, "cursor": None}}))
    put("phoenix-dataframe/annotations.csv", "span_id,id,created_at,updated_at,source,user_id,annotation_name,annotator_kind,metadata,identifier,result.label,result.score,result.explanation,document_position\n"
        "s1,a1,2026-03-01,2026-03-01,APP,ana,correct,HUMAN,{},,yes,1.0,,\ns1,a2,2026-03-01,2026-03-01,API,,correct,LLM,{},judge-2,no,0.0,wrong year,\n"
        "s1,a3,2026-03-01,2026-03-01,API,,relevant,LLM,{},judge-2,no,0.1,,0\ns1,a4,2026-03-01,2026-03-01,API,,relevant,LLM,{},judge-2,yes,0.9,,1\n")  # fmt: skip
    put("argilla-disk/records.json", json.dumps([
        {"id": item, "status": "completed", "_server_id": f"x{item}", "fields": {"text": text}, "metadata": {}, "vectors": {}, "suggestions": {},
         "responses": {"topic": [{"value": first, "user_id": "u1"}, {"value": second, "user_id": "u2"}], "stars": [{"value": 2, "user_id": "u1"}, {"value": 3, "user_id": "u2"}]}}
        for item, text, first, second in (("boat", BOAT, "travel", "news"), ("lamp", LAMP, "news", "news"))
    ], ensure_ascii=False))  # fmt: skip
    put("argilla-disk/settings.json", json.dumps({"guidelines": None, "fields": [{"name": "text"}], "questions": [
        {"name": "topic", "settings": {"type": "label_selection", "options": [{"value": "travel", "text": "Travel"}, {"value": "news", "text": "News"}, {"value": "never", "text": "Never"}]}},
        {"name": "stars", "settings": {"type": "rating", "options": [{"value": stars} for stars in (1, 2, 3)]}}]}))  # fmt: skip
    put("argilla-disk/dataset.json", json.dumps({"name": "boats"}))


if __name__ == "__main__":
    for make in (lewidi, alt_test, judge_bench, labelme, evaluation_tools):
        make()
