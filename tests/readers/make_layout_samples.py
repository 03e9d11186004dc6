"""Writes samples of the layouts into which people move the files of their tools; the same bytes every time."""

# ruff: noqa: E501 - the samples are data, and a record stands on one line

from __future__ import annotations

import json
from typing import Any

from tests.readers.make_samples import BOAT, LAMP, lines, put, table

TEXTS = {"boat": BOAT, "lamp": LAMP}


def brat() -> None:
    """Teams above annotators, one of whose folders is an adjudicator's; and texts that are kept once, apart."""
    marks = {
        "north/ana": "T1\tPER 0 3\tNia\nT2\tLOC 18 23\tSplit\n",
        "north/ben": "T1\tLOC 18 23\tSplit\n",
        "north/adjudicated": "T1\tPER 0 3\tNia\nT2\tLOC 18 23\tSplit\nT3\tLOC 27 30\tVis\n",
        "south/cy": "T1\tLOC 27 30\tVis\n",
        "south/dot": "",
    }
    for folder, marked in marks.items():
        put(f"brat-teams/corpus/{folder}/boat.txt", BOAT)
        put(f"brat-teams/corpus/{folder}/boat.ann", marked)
    for who, thing in (("cy", "T1\tTHING 4 8\tlamp\n"), ("dot", "T1\tTHING 0 8\tThe lamp\n")):
        put(f"brat-teams/corpus/south/{who}/lamp.txt", LAMP)
        put(f"brat-teams/corpus/south/{who}/lamp.ann", thing)
    put("brat-texts-apart/texts/boat.txt", BOAT)
    put("brat-texts-apart/annotations/ana/boat.ann", "T1\tLOC 18 23\tSplit\n")
    put("brat-texts-apart/annotations/ben/boat.ann", "T1\tLOC 27 30\tVis\n")


def tsv(text: str, labels: dict[str, str]) -> str:
    """A document of WebAnno TSV 3 with a label on some of its words."""
    head = "#FORMAT=WebAnno TSV 3.3\n#T_SP=webanno.custom.Place|kind\n\n\n"
    words, place = [], 0
    for number, word in enumerate(text.split(" "), start=1):
        size = len(word.encode("utf-16-le")) // 2
        words.append(f"1-{number}\t{place}-{place + size}\t{word}\t{labels.get(word, '_')}\t\n")
        place += size + 1
    return f"{head}#Text={text}\n{''.join(words)}"


def webanno() -> None:
    """A folder an annotator, as curated projects are passed on; and two projects in one folder."""
    for who, labels in (("ana", {"Split": "LOC"}), ("ben", {}), ("curation", {"Split": "LOC", "Nia": "PER"})):
        put(f"webanno-folders/{who}/boat.tsv", tsv(BOAT, labels))
    put("webanno-folders/ana/lamp.tsv", tsv(LAMP, {"lamp": "THING"}))
    put("webanno-folders/ben/lamp.tsv", tsv(LAMP, {"lamp": "THING"}))
    for project, text in (("harbour", BOAT), ("kitchen", LAMP)):
        for who, labels in (("ana", {"Split": "LOC", "lamp": "THING"}), ("ben", {"lamp": "LOC"})):
            put(f"inception-projects/{project}/annotation/page-1.txt/{who}.tsv", tsv(text, labels))
        states = [{"name": "page-1.txt", "user": who, "state": "FINISHED"} for who in ("ana", "ben")]
        described = {"name": project, "annotation_documents": states}
        put(f"inception-projects/{project}/exportedproject.json", json.dumps(described, indent=1))


def cas_json() -> None:
    """UIMA CAS JSON: spans, a relation, and a slot with its role."""
    kinds = "de.tudarmstadt.ukp.dkpro.core.api."
    shared: list[dict[str, Any]] = [
        {
            "%ID": 1,
            "%TYPE": "uima.cas.Sofa",
            "sofaNum": 1,
            "sofaID": "_InitialView",
            "mimeType": "text",
            "sofaString": BOAT,
        },
        {"%ID": 2, "%TYPE": f"{kinds}segmentation.type.Token", "@sofa": 1, "begin": 0, "end": 3},
        {"%ID": 3, "%TYPE": f"{kinds}segmentation.type.Token", "@sofa": 1, "begin": 19, "end": 24},
    ]
    marks: list[dict[str, Any]] = [
        {"%ID": 10, "%TYPE": f"{kinds}ner.type.NamedEntity", "@sofa": 1, "begin": 0, "end": 3, "value": "PER"},
        {"%ID": 11, "%TYPE": f"{kinds}ner.type.NamedEntity", "@sofa": 1, "begin": 19, "end": 24, "value": "LOC"},
        {
            "%ID": 12,
            "%TYPE": "webanno.custom.Rel",
            "@sofa": 1,
            "begin": 19,
            "end": 24,
            "@Governor": 10,
            "@Dependent": 11,
            "kind": "leaves",
        },
        {"%ID": 13, "%TYPE": "webanno.custom.Frame", "@sofa": 1, "begin": 7, "end": 13, "FE": "Go", "@Roles": 14},
        {"%ID": 14, "%TYPE": "webanno.custom.FrameRolesLink[]", "%ELEMENTS": [15]},
        {"%ID": 15, "%TYPE": "webanno.custom.FrameRolesLink", "role": "who", "@target": 10},
    ]
    for who, held in (("ana", marks), ("ben", marks[1:2])):
        whole = {"%TYPES": {}, "%FEATURE_STRUCTURES": [*shared, *held], "%VIEWS": {"_InitialView": {"%SOFA": 1}}}
        put(f"inception-json/annotation/boat.txt/{who}.json", json.dumps(whole, ensure_ascii=False, indent=1))


def prodigy() -> None:
    """Nobody named a session: they are called after the time when they began, and ben worked on two days."""
    begun = {"ana": ["2026-03-01_09-00-00"] * 2, "ben": ["2026-03-02_10-30-00", "2026-03-03_08-15-00"]}
    for who, sessions in begun.items():
        answers = [
            {
                "text": text, "_input_hash": number, "_task_hash": number, "_session_id": session, "_annotator_id": session,
                "options": [{"id": "news", "text": "News"}, {"id": "travel", "text": "Travel"}],
                "accept": ["travel" if number == 1 or who == "ben" else "news"], "answer": "accept", "_timestamp": 1772000000 + number,
            }
            for number, (text, session) in enumerate(zip(TEXTS.values(), sessions, strict=True), start=1)
        ]  # fmt: skip
        put(f"prodigy-times/{who}.jsonl", lines(answers))


def doccano() -> None:
    """Every member had a project, each of which numbers its texts anew; what was decided lies beside."""
    numbers = {"ana": (1, 2), "ben": (12, 11), "gold": (21, 22)}
    spans = {"ana": [[18, 23, "LOC"]], "ben": [], "gold": [[18, 23, "LOC"], [27, 30, "LOC"]]}
    for who, (boat, lamp) in numbers.items():
        records = [
            {"id": boat, "text": BOAT, "label": spans[who], "Comments": []},
            {"id": lamp, "text": LAMP, "label": [[4, 8, "THING"]], "Comments": []},
        ]
        put(f"doccano-projects/{who}.jsonl", lines(sorted(records, key=lambda record: str(record["id"]))))


def choice(label: str) -> list[dict[str, Any]]:
    return [{"id": "c", "from_name": "topic", "to_name": "text", "type": "choices", "value": {"choices": [label]}}]


def label_studio() -> None:
    """A file per task (before version 1), a file per annotation (target storages), and the exports that a server keeps."""
    for number, text in enumerate(TEXTS.values(), start=1):
        task = {
            "id": number, "data": {"text": text}, "predictions": [{"model_version": "tagger", "result": choice("news")}],
            "completions": [
                {"id": 1000 * number + 1, "created_at": 1590000000, "lead_time": 4.5, "completed_by": {"pk": 1, "email": "ana@example.org"}, "result": choice("travel")},
                {"id": 1000 * number + 2, "created_at": 1590000060, "lead_time": 3.0, "completed_by": {"pk": 2, "email": "ben@example.org"}, "result": choice("news")},
                {"id": 1000 * number + 3, "created_at": 1590000090, "skipped": True, "completed_by": {"pk": 3, "email": "cy@example.org"}, "result": []},
            ],
        }  # fmt: skip
        put(f"label-studio-old/completions/{number}.json", json.dumps(task, ensure_ascii=False, indent=1))
        for place, (who, label) in enumerate((("ana", "travel"), ("ben", "news"))):
            annotation = {
                "id": 10 * number + place, "result": choice(label), "completed_by": {"id": place + 1, "email": f"{who}@example.org"},
                "lead_time": 2.0, "was_cancelled": False, "task": {"id": number, "data": {"text": text}, "project": 3},
            }  # fmt: skip
            put(f"label-studio-storage/{10 * number + place}", json.dumps(annotation, ensure_ascii=False))
    view = '<View><Text name="text" value="$text"/><Choices name="topic" toName="text"><Choice value="news"/><Choice value="travel"/></Choices></View>\n'
    put("label-studio-old/config.xml", view)
    put("label-studio-old/config.json", json.dumps({"title": "post", "port": 8080}))
    put("label-studio-old/tasks.json", json.dumps({"1": {"id": 1, "data": {"text": BOAT}}}, ensure_ascii=False))
    kept = {
        "project-4-at-2026-03-01-10-00-0a1b2c3d": [("boat", {1: "travel"})],
        "project-4-at-2026-03-02-10-00-4e5f6a7b": [("boat", {1: "travel", 2: "travel"})],
        "project-5-at-2026-03-02-11-00-8c9d0e1f": [("lamp", {1: "news", 2: "travel"})],
    }
    for name, tasks in kept.items():
        number = int(name.split("-")[1])
        records = [
            {
                "id": 100 * number, "data": {"text": TEXTS[item]}, "project": number,
                "annotations": [{"id": 10 * number + who, "completed_by": who, "result": choice(label)} for who, label in said.items()],
            }
            for item, said in tasks
        ]  # fmt: skip
        put(f"label-studio-kept/{name}.json", json.dumps(records, ensure_ascii=False))
        facts = {
            "project": {"title": "post", "id": number, "task_number": 1}, "platform": {"version": "1.13"},
            "download": {"GET": {"exportType": "JSON"}, "time": "2026-03-02T10:00:00Z", "result_filename": f"{name}.json"},
        }  # fmt: skip
        put(f"label-studio-kept/{name}-info.json", json.dumps(facts))


def potato() -> None:
    """A column for every label of every scheme, and a page of a survey among the instances."""
    rows = [
        {"user": "ana", "instance_id": "survey/about-you.html", "displayed_text": "About you", "gender:::woman": "1"},
        {"user": "ben", "instance_id": "survey/about-you.html", "displayed_text": "About you", "gender:::man": "2"},
        {
            "user": "ana",
            "instance_id": "boat",
            "displayed_text": BOAT,
            "stars:::scale_4": "4",
            "topic:::travel": "1",
            "topic:::news": "2",
            "why:::text_box": "It sails.",
            "span_annotation:::LOC": "[{'start': 18, 'end': 23, 'span': 'Split', 'annotation': 'LOC'}]",
        },
        {
            "user": "ben",
            "instance_id": "boat",
            "displayed_text": BOAT,
            "stars:::scale_5": "5",
            "topic:::travel": "1",
            "span_annotation:::LOC": "[]",
        },
        {
            "user": "ana",
            "instance_id": "lamp",
            "displayed_text": LAMP,
            "stars:::scale_1": "1",
            "topic:::news": "2",
            "span_annotation:::LOC": "[]",
        },
        {
            "user": "ben",
            "instance_id": "lamp",
            "displayed_text": LAMP,
            "stars:::scale_1": "1",
            "topic:::news": "2",
            "span_annotation:::LOC": "[]",
        },
    ]
    put("potato-columns/annotated_instances.tsv", table(rows, "\t"))


if __name__ == "__main__":
    for make in (brat, webanno, cas_json, prodigy, doccano, label_studio, potato):
        make()
