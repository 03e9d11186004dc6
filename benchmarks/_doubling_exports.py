"""Exports of any size for `reading_doubles`: of every format many documents, and of those with spans one long document.

Every text holds a character beyond ASCII and one beyond 16 bits, for which offsets have to be converted.
"""

from __future__ import annotations

import json
import zipfile
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

PEOPLE = ("ana", "ben")
WORD = "húr🛫"  # four characters, five in UTF-16 units
MAKERS: dict[str, Callable[[Path, int], Path]] = {}


def maker(name: str) -> Callable[[Callable[[Path, int], Path]], Callable[[Path, int], Path]]:
    """Register what makes an export of a size."""

    def register(make: Callable[[Path, int], Path]) -> Callable[[Path, int], Path]:
        MAKERS[name] = make
        return make

    return register


def put(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def lines(path: Path, records: Iterable[Any]) -> Path:
    return put(path, "".join(f"{json.dumps(record)}\n" for record in records))


def words(number: int) -> str:
    return " ".join([WORD] * number)


def places(number: int, size: int = 4) -> list[tuple[int, int]]:
    """Where the words lie; of size 5 in UTF-16 units."""
    return [(at * (size + 1), at * (size + 1) + size) for at in range(number)]


def shared(number: int) -> Iterable[tuple[int, str]]:
    return ((item, who) for item in range(number) for who in PEOPLE)


@maker("brat, many documents")
def brat(folder: Path, number: int) -> Path:
    for item, who in shared(number):
        put(folder / f"brat/{who}/d{item}.txt", f"{item} {words(3)}")
        put(folder / f"brat/{who}/d{item}.ann", f"T1\tLOC 0 {len(str(item))}\t{item}\n")
    return folder / "brat"


@maker("brat, many documents in a zip")
def brat_zip(folder: Path, number: int) -> Path:
    path = folder / "brat.zip"
    with zipfile.ZipFile(path, "w") as archive:
        for item, who in shared(number):
            archive.writestr(f"{who}/d{item}.txt", f"{item} {words(3)}")
            archive.writestr(f"{who}/d{item}.ann", f"T1\tLOC 0 {len(str(item))}\t{item}\n")
    return path


@maker("brat, one long document")
def brat_long(folder: Path, number: int) -> Path:
    marks = [f"T{at}\tLOC {start} {end}\t{WORD}\n" for at, (start, end) in enumerate(places(number))]
    marks += [f"A{at}\tSure T{at}\n" for at in range(number)]
    marks += [f"R{at}\tNext Arg1:T{at} Arg2:T{at + 1}\n" for at in range(number - 1)]
    for who in PEOPLE:
        put(folder / f"long/{who}/d.txt", words(number))
        put(folder / f"long/{who}/d.ann", "".join(marks))
    return folder / "long"


def tsv(number: int, begins: int = 0) -> str:
    head = "#FORMAT=WebAnno TSV 3.3\n#T_SP=webanno.custom.Place|kind\n\n\n"
    body = "".join(
        f"1-{at + 1}\t{start}-{end}\t{WORD}\tLOC\t\n" for at, (start, end) in enumerate(places(number, 5), start=begins)
    )
    return f"{head}#Text={words(number)}\n{body}"


@maker("WebAnno TSV, many documents")
def webanno(folder: Path, number: int) -> Path:
    for item, who in shared(number):
        put(folder / f"tsv/annotation/d{item}/{who}.tsv", tsv(1 + item % 7))
    return folder / "tsv"


@maker("WebAnno TSV, one long document")
def webanno_long(folder: Path, number: int) -> Path:
    for who in PEOPLE:
        put(folder / f"tsv-long/annotation/d/{who}.tsv", tsv(number))
    return folder / "tsv-long"


@maker("UIMA XMI, one long document")
def xmi_long(folder: Path, number: int) -> Path:
    marks = "".join(
        f'<c:Place xmi:id="{at}" sofa="1" begin="{start}" end="{end}" kind="LOC"/>'
        for at, (start, end) in enumerate(places(number, 5), start=10)
    )
    head = '<xmi:XMI xmlns:xmi="http://www.omg.org/XMI" xmlns:cas="http:///uima/cas.ecore" xmlns:c="http:///c.ecore">'
    for who in PEOPLE:
        sofa = f'<cas:Sofa xmi:id="1" sofaString="{words(number)}"/>'
        put(folder / f"xmi/annotation/d/{who}.xmi", f"{head}{sofa}{marks}</xmi:XMI>")
    return folder / "xmi"


@maker("CoNLL, many sentences")
def conll(folder: Path, number: int) -> Path:
    for who in PEOPLE:
        put(folder / f"conll/{who}.conll", "-DOCSTART- O\n\n" + f"{WORD} B-LOC\n{WORD} O\n\n" * number)
    return folder / "conll"


@maker("doccano, many texts")
def doccano(folder: Path, number: int) -> Path:
    for who in PEOPLE:
        records = ({"id": at, "text": f"{at} {WORD}", "label": [[0, 1, "N"]], "Comments": []} for at in range(number))
        lines(folder / f"doccano/{who}.jsonl", records)
    return folder / "doccano"


@maker("doccano, one long text")
def doccano_long(folder: Path, number: int) -> Path:
    spans = [[start, end, "LOC"] for start, end in places(number, 5)]  # as UTF-16 counts, to be converted
    for who in PEOPLE:
        lines(folder / f"doccano-long/{who}.jsonl", [{"id": 1, "text": words(number), "label": spans, "Comments": []}])
    return folder / "doccano-long"


@maker("Prodigy, many examples")
def prodigy(folder: Path, number: int) -> Path:
    records = (
        {
            "text": f"{item} {WORD}", "_input_hash": item, "_task_hash": item, "answer": "accept",
            "spans": [{"start": 0, "end": 1, "label": "N"}], "tokens": [{"id": 0, "start": 0, "end": 1}],
            "_session_id": f"trips-{who}",
        }
        for item, who in shared(number)
    )  # fmt: skip
    return lines(folder / "trips.jsonl", records)


@maker("Prodigy, one long example")
def prodigy_long(folder: Path, number: int) -> Path:
    tokens = [{"id": at, "start": start, "end": end} for at, (start, end) in enumerate(places(number))]
    spans = [{"start": token["start"], "end": token["end"], "label": "LOC"} for token in tokens]
    relations = [{"head": at, "child": at + 1, "label": "next"} for at in range(number - 1)]
    records = (
        {
            "text": words(number), "_input_hash": 1, "_task_hash": 1, "answer": "accept", "spans": spans,
            "tokens": tokens, "relations": relations, "_session_id": f"trips-{who}",
        }
        for who in PEOPLE
    )  # fmt: skip
    return lines(folder / "long.jsonl", records)


def result(start: int, end: int, text: str, number: int) -> dict[str, Any]:
    value = {"start": start, "end": end, "text": text, "labels": ["LOC"]}
    return {"id": f"r{number}", "from_name": "ner", "to_name": "text", "type": "labels", "value": value}


@maker("Label Studio, many tasks")
def label_studio(folder: Path, number: int) -> Path:
    tasks = [
        {
            "id": item, "data": {"text": f"{WORD} {item}"},
            "annotations": [
                {"id": 2 * item + at, "completed_by": at, "result": [result(0, 4, WORD, 0)]} for at in (0, 1)
            ],
        }
        for item in range(number)
    ]  # fmt: skip
    return put(folder / "tasks.json", json.dumps(tasks))


@maker("Label Studio, one long text")
def label_studio_long(folder: Path, number: int) -> Path:
    marks = [result(start, end, WORD, at) for at, (start, end) in enumerate(places(number, 5))]
    held = [{"id": at, "completed_by": at, "result": marks} for at in (1, 2)]
    return put(folder / "task.json", json.dumps([{"id": 1, "data": {"text": words(number)}, "annotations": held}]))


@maker("Label Studio, many paragraphs")
def label_studio_paragraphs(folder: Path, number: int) -> Path:
    marks = [
        {
            "id": f"r{at}", "from_name": "ner", "to_name": "chat", "type": "paragraphlabels",
            "value": {"start": str(at), "end": str(at), "startOffset": 0, "endOffset": 4, "paragraphlabels": ["LOC"]},
        }
        for at in range(number)
    ]  # fmt: skip
    held = [{"id": at, "completed_by": at, "result": marks} for at in (1, 2)]
    chat = [{"author": "x", "text": WORD}] * number
    return put(folder / "chat.json", json.dumps([{"id": 1, "data": {"chat": chat}, "annotations": held}]))


@maker("Label Studio, a file per task")
def label_studio_files(folder: Path, number: int) -> Path:
    for item in range(number):
        held = [{"id": 2 * item + at, "completed_by": at, "result": [result(0, 4, WORD, 0)]} for at in (0, 1)]
        task = {"id": item, "data": {"text": f"{WORD} {item}"}, "completions": held}
        put(folder / f"old/completions/{item}.json", json.dumps(task))
    return folder / "old"


@maker("Labelbox, many data rows")
def labelbox(folder: Path, number: int) -> Path:
    def label(who: str, item: int) -> dict[str, Any]:
        place = {"location": {"start": 0, "end": 3}}
        marked = {"name": "LOC", "value": "loc", "feature_id": "f", "annotation_kind": "TextEntity", **place}
        return {
            "id": f"{who}{item}", "label_details": {"created_by": who}, "performance_details": {},
            "annotations": {"objects": [marked], "classifications": [], "relationships": []},
        }  # fmt: skip

    records = (
        {
            "data_row": {"id": str(item), "row_data": f"{WORD} {item}"},
            "projects": {"p": {"labels": [label(who, item) for who in PEOPLE]}},
        }
        for item in range(number)
    )
    return lines(folder / "labelbox.ndjson", records)


@maker("Potato, many users")
def potato(folder: Path, number: int) -> Path:
    for who in range(number // 10):
        held = {f"d{item}": {"feeling": {"labels": {"good": True}}} for item in range(20)}
        state = {"user_id": f"u{who}", "instance_id_to_label_to_value": held, "instance_id_to_span_to_value": {}}
        put(folder / f"potato/u{who}/user_state.json", json.dumps(state))
    return folder / "potato"


@maker("Potato, a table of labels")
def potato_table(folder: Path, number: int) -> Path:
    rows = (f"{who}\td{item}\t{WORD}\t1\t\t\n" for item, who in shared(number))
    head = "user\tinstance_id\tdisplayed_text\ttopic:::news\ttopic:::travel\tstars:::scale_1\n"
    return put(folder / "annotated_instances.tsv", head + "".join(rows))


@maker("COCO, many images")
def coco(folder: Path, number: int) -> Path:
    for who in PEOPLE:
        boxes = [{"id": at, "image_id": at, "category_id": 1, "bbox": [1, 2, 3, 4]} for at in range(number)]
        images = [{"id": at, "file_name": f"{at}.jpg"} for at in range(number)]
        held = {"images": images, "annotations": boxes, "categories": [{"id": 1, "name": "cat"}]}
        put(folder / f"coco/{who}.json", json.dumps(held))
    return folder / "coco"


@maker("CVAT, many images")
def cvat(folder: Path, number: int) -> Path:
    images = "".join(
        f'<image id="{at}" name="{at}.jpg"><box label="cat" xtl="1" ytl="1" xbr="2" ybr="2"/></image>'
        for at in range(number)
    )
    for who in PEOPLE:
        put(folder / f"cvat/{who}.xml", f"<annotations><version>1.1</version>{images}</annotations>")
    return folder / "cvat"


@maker("CVAT, many frames of a video")
def cvat_video(folder: Path, number: int) -> Path:
    boxes = "".join(f'<box frame="{at}" outside="0" xtl="1" ytl="1" xbr="2" ybr="2"/>' for at in range(number))
    track = f'<track id="0" label="cat">{boxes}</track>'
    for who in PEOPLE:
        put(folder / f"video/{who}.xml", f"<annotations><version>1.1</version>{track}</annotations>")
    return folder / "video"


@maker("Ground Truth, many responses")
def ground_truth(folder: Path, number: int) -> Path:
    for item in range(number):
        answers = [
            {"workerId": who, "submissionTime": "2026-03-01T10:00:00Z", "answerContent": {"topic": {"label": "news"}}}
            for who in PEOPLE
        ]
        path = folder / f"truth/annotations/worker-response/iteration-1/{item}/2026-03-01_100000.json"
        put(path, json.dumps({"answers": answers}))
    return folder / "truth"


@maker("Toloka, many tasks")
def toloka(folder: Path, number: int) -> Path:
    about = ("task_id", "assignment_id", "worker_id", "status")
    head = "\t".join(["INPUT:text", "OUTPUT:topic", *(f"ASSIGNMENT:{name}" for name in about)]) + "\n"
    rows = (f"{WORD}\tnews\tt{item}\ta{item}{who}\t{who}\tAPPROVED\n" for item, who in shared(number))
    return put(folder / "toloka.tsv", head + "".join(rows))


@maker("Appen, many units")
def appen(folder: Path, number: int) -> Path:
    rows = (f"{item},{who},{item}{who},1,news,\n" for item, who in shared(number))
    return put(folder / "appen.csv", "_unit_id,_worker_id,_id,_trust,topic,topic_gold\n" + "".join(rows))


@maker("Appen, many units with broken rows skipped")
def appen_broken(folder: Path, number: int) -> Path:
    rows = (
        f"{item},{who},{item}{who},1,news,,,\n" if item % 2 else f"{item},{who},1,1,x,\n"
        for item, who in shared(number)
    )
    return put(folder / "broken.csv", "_unit_id,_worker_id,_id,_trust,topic,topic_gold\n" + "".join(rows))


@maker("doccano, many broken spans skipped")
def doccano_broken(folder: Path, number: int) -> Path:
    for who in PEOPLE:
        records = (
            {"id": at, "text": f"{at} {WORD}", "label": [[0, 1, "N"], [1] if at % 2 else [0, 1, "M"]], "Comments": []}
            for at in range(number)
        )
        lines(folder / f"doccano-broken/{who}.jsonl", records)
    return folder / "doccano-broken"


@maker("pygamma, one long continuum")
def pygamma(folder: Path, number: int) -> Path:
    return put(folder / "continuum.csv", "".join(f"{who},LOC,{at},{at + 1}\n" for at, who in shared(number)))


@maker("blank lines after a list")
def blank_lines(folder: Path, number: int) -> Path:
    return put(folder / "blank.json", '[{"item": 1, "annotator": "a", "label": "x"}]' + "\n" * (40 * number))


@maker("Argilla, many records")
def argilla(folder: Path, number: int) -> Path:
    records = (
        {
            "id": f"r{item}", "status": "completed", "text": f"{WORD} {item}", "topic.responses": ["news", "travel"],
            "topic.responses.users": list(PEOPLE), "topic.responses.status": ["submitted", "submitted"],
        }
        for item in range(number)
    )  # fmt: skip
    return lines(folder / "argilla.jsonl", records)


@maker("Mechanical Turk, many assignments")
def mturk(folder: Path, number: int) -> Path:
    rows = (f"H{item},A{item}{who},{who},Approved,{item},news\n" for item, who in shared(number))
    return put(
        folder / "batch.csv", "HITId,AssignmentId,WorkerId,AssignmentStatus,Input.id,Answer.topic\n" + "".join(rows)
    )


@maker("Phoenix, many annotations")
def phoenix(folder: Path, number: int) -> Path:
    data = [
        {"span_id": f"s{item}", "name": "right", "annotator_kind": "HUMAN", "user_id": who, "result": {"label": "yes"}}
        for item, who in shared(number)
    ]
    return put(folder / "phoenix.json", json.dumps({"data": data}))


@maker("Langfuse, many scores")
def langfuse(folder: Path, number: int) -> Path:
    scores = [
        {
            "id": f"{item}{who}", "traceId": f"t{item}", "name": "helpful", "value": 1, "stringValue": "yes",
            "dataType": "CATEGORICAL", "source": "ANNOTATION", "authorUserId": who,
        }
        for item, who in shared(number)
    ]  # fmt: skip
    return put(folder / "langfuse.json", json.dumps(scores))


@maker("a long table")
def long_table(folder: Path, number: int) -> Path:
    rows = (f"{item},{who},{'news' if item % 3 else 'travel'}\n" for item, who in shared(number))
    return put(folder / "long.csv", "item,annotator,label\n" + "".join(rows))


@maker("a wide table of many annotators")
def wide_table(folder: Path, number: int) -> Path:
    head = ",".join(["item", *(f"rater {at}" for at in range(number))])
    row = ",".join("news" if at % 3 else "travel" for at in range(number))
    return put(folder / "wide.csv", f"{head}\n1,{row}\n2,{row}\n3,{row}\n")


@maker("a list in JSON")
def json_table(folder: Path, number: int) -> Path:
    records = [{"item": item, "annotator": who, "label": "news"} for item, who in shared(number)]
    return put(folder / "table.json", json.dumps(records))


@maker("a table per annotator, many annotators")
def folder_of_tables(folder: Path, number: int) -> Path:
    for who in range(number // 10):
        put(folder / f"tables/a{who}.csv", "item,label\n" + "".join(f"{item},news\n" for item in range(5)))
    return folder / "tables"
