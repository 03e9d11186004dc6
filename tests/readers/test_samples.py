"""Every format once: what is in the sample is in the study, and what does not count is counted."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import accord
from accord.study.study import Study

SAMPLES = Path(__file__).parent / "samples"

# what, how it is asked for, then: items, annotators, answers, kind (of one variable); or variable: kind, answers
ONE: list[tuple[str, dict[str, Any], tuple[int, int, int, str]]] = [
    ("tables/straight.txt", {}, (2, 2, 4, "single")),
    ("tables/of-r.txt", {}, (2, 2, 4, "single")),
    ("tables/ticks.csv", {}, (2, 2, 4, "set")),
    ("tables/one-tick.csv", {}, (2, 2, 3, "single")),
    ("tables/ticked", {}, (2, 2, 4, "set")),
    ("tables/ticks-wide.csv", {"annotators": ["ana", "ben"]}, (3, 2, 6, "set")),
    ("tables/merged.csv", {}, (2, 2, 4, "single")),
    ("tables/merged.xlsx", {}, (3, 2, 4, "single")),
    ("tables/one-question.csv", {}, (3, 2, 6, "single")),
    ("tables/numbered.csv", {}, (6, 2, 12, "single")),
    ("tables/deutsch.csv", {}, (2, 2, 4, "single")),
    ("qda/maxqda.csv", {}, (2, 2, 4, "spans")),
    ("qda/atlasti.csv", {}, (2, 2, 4, "spans")),
    ("qda/dedoose.csv", {}, (2, 2, 4, "spans")),
    ("surveymonkey/kind.csv", {}, (2, 4, 8, "single")),
    ("surveymonkey/grid.csv", {}, (3, 3, 9, "single")),
    ("limesurvey/codes.csv", {}, (3, 4, 12, "single")),
    ("limesurvey/english.csv", {}, (3, 3, 9, "single")),
    ("limesurvey/german.csv", {}, (3, 3, 9, "single")),
    ("tables/long.csv", {}, (3, 3, 8, "single")),
    ("tables/wide.csv", {}, (3, 3, 8, "single")),
    ("tables/counts.csv", {"shape": "counts"}, (2, 3, 6, "single")),
    ("tables/confusion.csv", {"shape": "confusion"}, (12, 2, 24, "single")),
    ("tables/indicators.csv", {"shape": "indicators"}, (2, 2, 4, "set")),
    ("tables/ranked.csv", {}, (2, 2, 3, "ranked")),
    ("tables/sets.csv", {"separator": "|"}, (2, 2, 4, "set")),
    ("tables/western.csv", {}, (2, 2, 4, "score")),
    ("tables/headerless.csv", {"header": False, "shape": "wide"}, (3, 3, 9, "single")),
    ("tables/lists.jsonl", {}, (2, 2, 3, "single")),
    ("tables/structs.jsonl", {}, (2, 2, 3, "single")),
    ("tables/soft.jsonl", {}, (2, 3, 6, "single")),
    ("tables/rankings.csv", {}, (1, 2, 2, "ranking")),
    ("tables/preferences.csv", {}, (1, 2, 2, "single")),
    ("tables/spans.csv", {}, (1, 2, 2, "spans")),
    ("tables/book.xlsx", {}, (2, 2, 4, "single")),
    ("tables/book.ods", {}, (2, 2, 4, "single")),
    ("statistics/wide.sav", {}, (4, 2, 6, "single")),
    ("statistics/long.dta", {}, (2, 2, 4, "single")),
    ("tables/each", {}, (3, 2, 6, "single")),
    ("tables/quotes.tsv", {}, (3, 2, 6, "single")),
    ("tables/enclosed.tsv", {}, (2, 2, 4, "single")),
    ("tables/confidence.csv", {}, (2, 2, 4, "single")),
    ("tables/brackets.csv", {}, (2, 2, 4, "ranked")),
    ("tables/together.csv", {"item": ["transcript", "utterance"]}, (3, 2, 6, "single")),
    ("tables/ties.csv", {"answers": "single"}, (2, 2, 4, "single")),
    ("tables/blanks.txt", {}, (2, 2, 4, "single")),
    ("tables/comments.csv", {}, (2, 2, 4, "score")),
    ("tables/lists-python.csv", {}, (2, 2, 4, "single")),
    ("tables/lists-numpy.csv", {}, (2, 2, 4, "set")),
    ("tables/sets-json.csv", {}, (2, 2, 4, "set")),
    ("tables/side-by-side.csv", {}, (2, 3, 5, "single")),
    ("tables/by-id.json", {}, (2, 2, 4, "single")),
    ("tables/by-person.json", {}, (3, 2, 5, "single")),
    ("tables/by-item.json", {}, (3, 2, 5, "set")),
    ("tables/lists-by-person.json", {}, (2, 2, 3, "single")),
    ("tables/under-key.json", {}, (1, 2, 2, "single")),
    ("tables/columns-pandas.json", {}, (1, 2, 2, "single")),
    ("tables/sheets.xlsx", {}, (2, 2, 4, "single")),
    ("tables/unnamed.csv", {"shape": "unnamed", "label": "calm"}, (2, 3, 5, "single")),
    ("tables/three-keys.json", {"label": "tone"}, (3, 2, 6, "single")),
    ("tables/titled.xlsx", {}, (1, 2, 2, "single")),
    ("label-studio/boxes.json", {}, (1, 2, 2, "boxes")),
    ("label-studio/utf16.json", {}, (1, 1, 1, "spans")),
    ("prodigy/choice.jsonl", {}, (2, 2, 4, "single")),
    ("prodigy/several.jsonl", {}, (1, 2, 2, "set")),
    ("prodigy/binary.jsonl", {}, (1, 2, 2, "single")),
    ("prodigy/spans.jsonl", {}, (2, 2, 3, "spans")),
    ("prodigy/review.jsonl", {}, (1, 2, 2, "single")),
    ("doccano/spans", {}, (2, 2, 4, "spans")),
    ("doccano/project.zip", {}, (2, 2, 4, "spans")),
    ("doccano/classes", {}, (1, 2, 2, "set")),
    ("doccano/users.jsonl", {}, (1, 2, 2, "spans")),
    ("doccano/ana.csv", {}, (1, 1, 1, "set")),
    ("argilla/version1.jsonl", {}, (1, 1, 1, "single")),
    ("inception-diff/diff.json", {}, (1, 2, 2, "spans")),
    ("inception-diff/diff.csv", {}, (1, 2, 2, "spans")),
    ("xmi", {}, (1, 2, 2, "spans")),
    ("ground-truth", {}, (2, 2, 4, "single")),
    ("ground-truth/output.manifest", {}, (2, 1, 2, "single")),
    ("qualtrics/boats.csv", {}, (3, 3, 8, "single")),
    ("qualtrics/two-lines.csv", {}, (3, 3, 8, "single")),
    ("qualtrics/choices.csv", {}, (2, 2, 4, "set")),
    ("google-forms/questions.csv", {}, (2, 3, 5, "single")),
    ("google-forms/microsoft.csv", {}, (2, 2, 4, "single")),
    ("google-forms/microsoft.xlsx", {}, (2, 2, 4, "single")),
    ("toloka/assignments.tsv", {}, (1, 2, 2, "single")),
    ("toloka/aggregated.tsv", {}, (1, 1, 1, "single")),
    ("appen/full.csv", {}, (1, 2, 2, "set")),
    ("appen/aggregated.csv", {}, (1, 1, 1, "single")),
    ("potato-old", {}, (1, 2, 2, "single")),
    ("potato-table/annotations.csv", {}, (1, 2, 2, "single")),
    ("coco", {}, (2, 3, 6, "boxes")),
    ("cvat-video", {}, (3, 2, 6, "boxes")),
    ("lewidi-2025", {}, (2, 2, 4, "set")),
    ("prodigy-suggested/boats.jsonl", {}, (2, 2, 4, "single")),
    ("conll", {}, (2, 2, 4, "spans")),
    ("pygamma/boat.csv", {"format": "pygamma"}, (1, 2, 2, "spans")),
    ("brat-teams", {}, (2, 4, 6, "spans")),
    ("brat-texts-apart", {}, (1, 2, 2, "spans")),
    ("webanno-folders", {}, (2, 2, 4, "spans")),
    ("inception-projects", {}, (2, 2, 4, "spans")),
    ("prodigy-times", {}, (2, 2, 4, "single")),
    ("doccano-projects", {}, (2, 2, 4, "spans")),
    ("label-studio-old", {}, (2, 2, 4, "single")),
    ("label-studio-storage", {}, (2, 2, 4, "single")),
    ("label-studio-kept", {}, (2, 2, 4, "single")),
]
SEVERAL: list[tuple[str, dict[str, tuple[str, int]]]] = [
    ("tables/slashes.csv", {"tone": ("single", 6), "topic": ("single", 6)}),
    ("tables/several-lists.json", {"labels_task1": ("single", 6), "labels_task2": ("set", 6)}),
    ("redcap/rated.csv", {"mood": ("single", 5), "signs": ("set", 5)}),
    ("redcap/entered-twice.csv", {"mood": ("single", 6), "sleep": ("single", 6)}),
    ("redcap/repeated.csv", {"Signs": ("set", 4), "mood": ("single", 4)}),
    ("kobo/submissions.csv", {"themes": ("set", 5), "tone": ("single", 5)}),
    ("tables/two-lines.csv", {"tone": ("single", 6), "topic": ("single", 6)}),
    (
        "label-studio/export.json",
        {
            "better": ("single", 1),
            "kind": ("set", 1),
            "ner": ("spans", 3),
            "order": ("ranked", 1),
            "relations": ("relations", 3),
            "stars": ("score", 2),
            "tags": ("set", 2),
            "topic": ("single", 3),
        },
    ),
    ("label-studio/min.json", {"ner": ("spans", 2), "stars": ("score", 2), "tags": ("set", 1), "topic": ("single", 2)}),
    (
        "label-studio/export.csv",
        {"ner": ("spans", 2), "stars": ("score", 2), "tags": ("set", 1), "topic": ("single", 2)},
    ),
    ("prodigy/relations.jsonl", {"relations": ("relations", 1), "spans": ("spans", 1)}),
    ("doccano/all.jsonl", {"entities": ("spans", 1), "relations": ("relations", 1)}),
    ("argilla/flat.jsonl", {"ner": ("spans", 1), "topic": ("single", 2)}),
    ("argilla/nested.json", {"tags": ("set", 1), "topic": ("single", 2)}),
    ("brat", {"Sure": ("spans", 3), "entities": ("spans", 3), "relations": ("relations", 3)}),
    (
        "brat-events",
        {
            "Past": ("spans", 3),
            "Reference": ("spans", 3),
            "entities": ("spans", 3),
            "equivalences": ("relations", 3),
            "events": ("relations", 3),
            "relations": ("relations", 3),
        },
    ),
    ("inception", {"NamedEntity.value": ("spans", 3), "Rel": ("relations", 3)}),
    (
        "webanno-links",
        {
            "Arg.value": ("spans", 2),
            "CoreferenceLink.referenceRelation": ("relations", 2),
            "CoreferenceLink.referenceType": ("spans", 2),
            "Frame.FE": ("spans", 2),
            "Frame.Roles": ("relations", 2),
            "Rel": ("relations", 2),
        },
    ),
    (
        "xmi-links",
        {
            "CoreferenceLink.referenceRelation": ("relations", 2),
            "CoreferenceLink.referenceType": ("spans", 2),
            "Frame.FE": ("spans", 2),
            "Frame.Roles": ("relations", 2),
        },
    ),
    (
        "labelbox-relationships/export.ndjson",
        {"LOC.sure": ("spans", 2), "objects": ("spans", 2), "relationships": ("relations", 2)},
    ),
    ("label-studio-config", {"tags": ("set", 4), "topic": ("single", 4), "where": ("set", 4)}),
    ("labelbox/export.ndjson", {"objects": ("spans", 2), "tags": ("set", 2), "topic": ("single", 2)}),
    ("mturk/batch.csv", {"sure": ("single", 4), "topic": ("single", 4)}),
    (
        "mturk-site/batch.csv",
        {"agree": ("single", 3), "tone": ("single", 3), "topic": ("single", 3), "where": ("spans", 3)},
    ),
    ("turkle/results.csv", {"broken": ("single", 4), "parts.lamp": ("single", 4), "parts.wire": ("single", 4)}),
    ("qualtrics/loop.csv", {"Q3": ("single", 6), "Q4": ("single", 6)}),
    ("qualtrics/grid.csv", {"clear": ("single", 9), "kind": ("single", 9)}),
    ("google-forms/grid.csv", {"Aim": ("single", 6), "Tone": ("single", 6)}),
    ("google-forms/again.csv", {"How sure?": ("single", 4), "Is it kind?": ("single", 4)}),
    ("potato", {"feeling": ("single", 2), "ner": ("spans", 4), "stars": ("single", 2)}),
    (
        "inception-json",
        {
            "Frame.FE": ("spans", 2),
            "Frame.Roles": ("relations", 2),
            "NamedEntity.value": ("spans", 2),
            "Rel": ("relations", 2),
        },
    ),
    (
        "potato-columns/annotated_instances.tsv",
        {"spans": ("spans", 4), "stars": ("single", 4), "topic": ("set", 4)},
    ),
    ("cvat", {"shapes": ("boxes", 4), "tags": ("set", 2)}),
    ("labelme", {"flags": ("set", 4), "shapes": ("boxes", 4)}),
    ("lewidi-2023", {"kindness detection": ("single", 7), "rude": ("single", 7)}),
    ("alt-test", {"clear": ("single", 12), "kind": ("single", 12)}),
    ("judge-bench/recipes.json", {"edible": ("single", 3), "grammar": ("single", 4)}),
    ("argilla-disk", {"stars": ("single", 4), "topic": ("single", 4)}),
    ("phoenix-dataframe/annotations.csv", {"correct": ("single", 2), "relevant": ("single", 2)}),
    ("langfuse-v3/scores.json", {"helpful": ("single", 2), "safe": ("single", 1)}),
    ("phoenix/annotations.json", {"correct": ("single", 2), "length": ("score", 1)}),
    ("langfuse/scores.json", {"helpful": ("single", 2), "tone": ("score", 1)}),
]
LEFT_OUT = {
    "tables/one-tick.csv": {"rows without an answer": 1},
    "redcap/rated.csv": {"drafts": 1},
    "redcap/entered-twice.csv": {"adjudicated (gold)": 1},
    "kobo/submissions.csv": {"rejected": 1},
    "label-studio/export.json": {
        "drafts": 1,
        "skipped": 1,
        "suggested by a model or heuristic": 1,
        "free-text answers (no labels)": 1,
    },
    "prodigy/choice.jsonl": {"skipped": 1, "rejected": 1},
    "prodigy/binary.jsonl": {"skipped": 1},
    "prodigy/review.jsonl": {"adjudicated (gold)": 1},
    "argilla/flat.jsonl": {"drafts": 2, "skipped": 1, "suggested by a model or heuristic": 1},
    "inception": {"adjudicated (gold)": 2},
    "brat-events": {"notes, which are not read": 1},
    "labelbox/export.ndjson": {"skipped": 1},
    "mturk/batch.csv": {"rejected": 1},
    "mturk-site/batch.csv": {
        "answers to 'drawing' in a form of its own, which are not read": 1,
        "free-text answers (no labels)": 1,
    },
    "turkle/results.csv": {"answers to 'groups' in a form of its own, which are not read": 4},
    "qualtrics/boats.csv": {"drafts": 3, "free-text answers (no labels)": 1},
    "langfuse-v3/scores.json": {"free-text answers (no labels)": 1},
    "judge-bench/recipes.json": {"majorities without the scores behind them, which are not read": 1},
    "toloka/assignments.tsv": {"rejected": 1, "skipped": 1},
    "appen/full.csv": {"from untrusted annotators": 1},
    "brat-teams": {"adjudicated (gold)": 1},
    "webanno-folders": {"adjudicated (gold)": 1},
    "doccano-projects": {"adjudicated (gold)": 2},
    "label-studio-old": {"skipped": 2, "suggested by a model or heuristic": 2},
    "potato-columns/annotated_instances.tsv": {"free-text answers (no labels)": 1},
}


def sample(name: str, **options: Any) -> Study:
    return accord.read(SAMPLES / name, **options)


@pytest.mark.parametrize(("name", "options", "expected"), ONE, ids=[name for name, *_ in ONE])
def test_a_sample_of_one_variable_is_read(
    name: str, options: dict[str, Any], expected: tuple[int, int, int, str]
) -> None:
    study = sample(name, **options)
    assert (study.n_items, study.n_annotators, study.n_annotations, study.kind) == expected


@pytest.mark.parametrize(("name", "expected"), SEVERAL, ids=[name for name, _ in SEVERAL])
def test_a_sample_of_several_variables_is_read(name: str, expected: dict[str, tuple[str, int]]) -> None:
    study = sample(name)
    assert {task: (part.kind, part.n_annotations) for task, part in study.tasks.items()} == expected


@pytest.mark.parametrize("name", LEFT_OUT)
def test_what_does_not_count_is_counted(name: str) -> None:
    study = sample(name)
    assert dict(study.left_out) == LEFT_OUT[name]
    for number in LEFT_OUT[name].values():
        assert f"left out: {number}" in str(study.describe())


def test_every_sample_is_tested() -> None:
    named = {name for name, *_ in ONE} | {name for name, _ in SEVERAL}
    files = {path.relative_to(SAMPLES) for path in SAMPLES.rglob("*") if path.is_file()}
    missing = [str(path) for path in files if not any(path.is_relative_to(name) for name in named)]
    assert missing == []


def test_one_variable_can_be_chosen_by_name() -> None:
    study = sample("label-studio/export.json", only="topic")
    assert (study.kind, study.labels) == ("single", ("complaint", "news", "travel"))
    with pytest.raises(accord.AccordError, match="Did you mean 'topic'"):
        sample("label-studio/export.json", only="topics")


def test_a_person_by_number_and_by_address_is_one_person() -> None:
    assert sample("label-studio/export.json").tasks["topic"].annotators == ("12", "ana@example.org")


def test_what_a_model_suggested_stands_beside_the_answers_and_can_be_counted_in() -> None:
    topic = sample("label-studio/export.json").tasks["topic"]
    assert topic._column("suggested").values == ("travel",)
    with_model = sample("label-studio/export.json", include=["suggested"]).tasks["topic"]
    assert with_model.annotators == ("12", "ana@example.org", "tagger-2")
    assert "model" in with_model._column("kind").values


def test_spans_lie_where_the_text_is() -> None:
    for name, task in (
        ("label-studio/export.json", "ner"),
        ("label-studio/utf16.json", None),
        ("prodigy/spans.jsonl", None),
        ("doccano/spans", None),
        ("brat", "entities"),
        ("inception", "NamedEntity.value"),
        ("xmi", None),
        ("inception-json", "NamedEntity.value"),
        ("labelbox/export.ndjson", "objects"),
        ("potato", "ner"),
    ):
        study = sample(name)
        part = study.tasks[task] if task is not None else study
        marks = {
            (label, *place)
            for members, places in zip(part.answers.members, part.answers.places, strict=True)
            for label, place in zip((part.labels[member] for member in members), places, strict=True)
        }
        assert ("LOC", 18, 23) in marks, name


def test_no_span_is_an_answer_and_a_skipped_text_is_none() -> None:
    spans = sample("prodigy/spans.jsonl")
    assert () in spans.answers.members  # ana found nothing in the second text
    ner = sample("label-studio/export.json").tasks["ner"]
    assert ner.n_annotations == 3  # the skipped annotation is not among them


def test_spans_are_not_measured_as_labels() -> None:
    spans = sample("prodigy/spans.jsonl")
    with pytest.raises(accord.AccordError, match="not measured as such"):
        accord.gwet_ac(spans)
    assert accord.measure(spans).recommended.measure == "span_f1"


def test_an_adjudicator_is_no_annotator() -> None:
    alone = sample("doccano/users.jsonl", adjudicator="1")
    assert alone.annotators == ("2",)
    assert dict(alone.left_out) == {"adjudicated (gold)": 1}
    with pytest.raises(accord.AccordError, match="answered nothing"):
        sample("doccano/users.jsonl", adjudicator="9")


def test_merged_annotators_are_told() -> None:
    assert any("nobody to compare" in note for note in sample("doccano/all.jsonl").notes)


def test_people_and_models_are_told_apart() -> None:
    judged = sample("phoenix/annotations.json").tasks["correct"]
    assert judged.annotators == ("ana", "judge-2")
    assert judged._column("kind").values == ("model", "person")


def test_the_format_and_its_reason_are_described() -> None:
    said = str(sample("prodigy/choice.jsonl").describe())
    assert "read from a Prodigy export of 6 rows" in said
    assert "JSON lines with '_input_hash' and 'answer'" in said


def test_boxes_have_no_measure_and_what_is_said_instead_works(tmp_path: Path) -> None:
    def marked(who: int, *labels: str) -> dict[str, Any]:
        place = {"x": 1, "y": 2, "width": 10, "height": 10}
        return {
            "completed_by": who,
            "result": [
                {"type": "rectanglelabels", "from_name": "what", "value": {**place, "x": x, "rectanglelabels": [label]}}
                for x, label in enumerate(labels)
            ],
        }

    tasks = [
        {"id": 1, "data": {"image": "a.png"}, "annotations": [marked(1, "cat", "cat", "dog"), marked(2, "cat")]},
        {"id": 2, "data": {"image": "b.png"}, "annotations": [marked(1), marked(2)]},
    ]
    (tmp_path / "boxes.json").write_text(json.dumps(tasks), encoding="utf-8")
    boxes = accord.read(tmp_path / "boxes.json")
    assert boxes.kind == "boxes"
    with pytest.raises(accord.AccordError, match="No measure takes boxes yet; answers='set', duplicates='first' reads"):
        accord.measure(boxes)
    with pytest.raises(accord.AccordError, match="answers='set', duplicates='first'"):
        accord.gold(boxes)
    sets = accord.read(tmp_path / "boxes.json", answers="set", duplicates="first")
    assert [sorted(sets.labels[member] for member in one) for one in sets.answers.members] == [
        [], ["cat"], ["cat", "dog"],
    ]  # fmt: skip
    assert accord.krippendorff_alpha(sets, weights="masi").n_items == 2
    with pytest.raises(accord.AccordError, match=r"answered item 1 more than once.*say answers='set'"):
        accord.read(tmp_path / "boxes.json", answers="single")
    (tmp_path / "one.json").write_text(json.dumps([{**tasks[0], "annotations": [marked(1, "cat"), marked(2, "dog")]}]))
    assert accord.percent_agreement(accord.read(tmp_path / "one.json", answers="single")).value == 0
