"""Writes the small samples beside it: invented sentences and people, every format once, the same bytes every time."""

from __future__ import annotations

import csv
import io
import json
import zipfile
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent / "samples"
BOAT = "Nia 🚤 sailed from Split to Vis."  # an emoji: two units in UTF-16, one character
LAMP = "The lamp broke on the second day."
# the words of BOAT in UTF-16 units, as WebAnno and UIMA count
WORDS = [
    ("Nia", 0, 3),
    ("🚤", 4, 6),
    ("sailed", 7, 13),
    ("from", 14, 18),
    ("Split", 19, 24),
    ("to", 25, 27),
    ("Vis", 28, 31),
    (".", 31, 32),
]
TEXTS = {"boat": BOAT, "lamp": LAMP}


def put(name: str, content: str | bytes) -> None:
    path = HERE / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content.encode() if isinstance(content, str) else content)


def lines(records: list[dict[str, Any]]) -> str:
    return "".join(json.dumps(record, ensure_ascii=False) + "\n" for record in records)


def table(rows: list[dict[str, Any]], delimiter: str = ",") -> str:
    stream = io.StringIO()
    names = list(dict.fromkeys(name for row in rows for name in row))
    writer = csv.DictWriter(stream, names, delimiter=delimiter, lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return stream.getvalue()


def plain() -> None:
    answers = {
        "boat": ["travel", "travel", "news"],
        "lamp": ["complaint", "complaint", ""],
        "tide": ["news", "travel", "news"],
    }
    put(
        "tables/long.csv",
        table(
            [
                {"unit": item, "coder": who, "category": label}
                for item, labels in answers.items()
                for who, label in zip(("ana", "ben", "cy"), labels, strict=True)
            ]
        ),
    )
    put(
        "tables/wide.csv",
        table(
            [
                {"item": item, "text": f"About the {item}.", "ana": labels[0], "ben": labels[1], "cy": labels[2]}
                for item, labels in answers.items()
            ]
        ),
    )
    put("tables/counts.csv", "item,travel,news\nboat,2,1\nlamp,0,3\n")
    put("tables/confusion.csv", "label,yes,no\nyes,5,2\nno,1,4\n")
    put("tables/indicators.csv", "item,annotator,joy,fear\n1,ana,1,0\n1,ben,1,1\n2,ana,0,0\n2,ben,0,1\n")
    put(
        "tables/ranked.csv",
        "item,annotator,primary,secondary\nboat,ana,travel,news\nboat,ben,news,\nlamp,ana,complaint,\n",
    )
    put("tables/sets.csv", "item,ana,ben\nboat,travel|city,travel\nlamp,complaint,complaint|light\n")
    put("tables/western.csv", "id;coder;score\n1;Zoë;0,5\n1;Ben;1,5\n2;Zoë;2,0\n2;Ben;0,25\n".encode("cp1252"))
    put("tables/headerless.csv", "1,1,2\n2,2,2\n1,3,1\n")
    put(
        "tables/lists.jsonl",
        lines(
            [
                {
                    "id": "boat",
                    "text": BOAT,
                    "annotations": ["travel", "news", None],
                    "annotator_ids": ["ana", "ben", "cy"],
                },
                {"id": "lamp", "text": LAMP, "annotations": ["complaint"], "annotator_ids": ["ana"]},
            ]
        ),
    )
    put(
        "tables/structs.jsonl",
        lines(
            [
                {"id": "boat", "answers": [{"user_id": "ana", "value": "travel"}, {"user_id": "ben", "value": "news"}]},
                {"id": "lamp", "answers": [{"user_id": "ana", "value": "complaint"}]},
            ]
        ),
    )
    put(
        "tables/soft.jsonl",
        lines([{"id": "boat", "label_counts": {"travel": 2, "news": 1}}, {"id": "lamp", "label_counts": {"news": 3}}]),
    )
    put("tables/rankings.csv", "query,annotator,item,rank\nq1,ana,b,1\nq1,ana,a,2\nq1,ben,a,1\nq1,ben,b,1\n")
    put("tables/preferences.csv", "prompt,model_a,model_b,judge,winner\np1,m1,m2,ana,model_a\np1,m1,m2,gpt,tie\n")
    put(
        "tables/spans.csv",
        "doc,annotator,start,end,label,text\nboat,ana,0,3,PER,Nia\nboat,ana,18,23,LOC,Split\nboat,ben,18,30,LOC,Split to Vis\n",
    )


def label_studio() -> None:
    def result(name: str, kind: str, **value: Any) -> dict[str, Any]:
        return {"id": f"{name}{len(str(value))}", "from_name": name, "to_name": "text", "type": kind, "value": value}

    def choice(label: str) -> dict[str, Any]:
        return result("topic", "choices", choices=[label])

    def span(start: int, end: int, label: str) -> dict[str, Any]:
        return {
            **result("ner", "labels", start=start, end=end, text=BOAT[start:end], labels=[label]),
            "id": f"r{start}",
        }

    relation = {"type": "relation", "from_id": "r0", "to_id": "r18", "direction": "right", "labels": ["leaves"]}
    ana = {"id": 11, "email": "ana@example.org"}
    tasks = [
        {"id": 1, "data": {"text": BOAT, "language": "en"}, "annotations": [
            {"id": 1, "completed_by": ana, "was_cancelled": False, "lead_time": 12.5, "created_at": "2026-03-01T09:00:00Z",
             "result": [choice("travel"), result("tags", "choices", choices=["sea", "city"]), result("stars", "rating", rating=4),
                        span(0, 3, "PER"), span(18, 23, "LOC"), relation]},
            {"id": 2, "completed_by": 12, "was_cancelled": False, "parent_prediction": 7, "ground_truth": True, "lead_time": 3.0,
             "created_at": "2026-03-01T09:10:00Z",
             "result": [choice("news"), result("tags", "choices", choices=["sea"]), result("stars", "rating", rating=5)]},
            {"id": 3, "completed_by": 13, "was_cancelled": True, "result": [], "created_at": "2026-03-01T09:20:00Z"},
        ], "drafts": [{"id": 9, "user": 14, "result": [choice("news")]}],
         "predictions": [{"id": 7, "model_version": "tagger-2", "score": 0.8, "result": [choice("travel"), span(0, 3, "PER")]}]},
        {"id": 2, "data": {"text": LAMP, "language": "en"}, "annotations": [
            {"id": 4, "completed_by": 11, "was_cancelled": False, "created_at": "2026-03-01T09:30:00Z",
             "result": [choice("complaint"), result("why", "textarea", text=["it broke"]), result("order", "ranker", ranker={"rank": ["b", "a"]}),
                        result("better", "pairwise", selected="left"), result("kind", "taxonomy", taxonomy=[["Goods", "Light"]])]},
        ], "predictions": []},
    ]  # fmt: skip
    put("label-studio/export.json", json.dumps(tasks, ensure_ascii=False, indent=1))
    box = result("shape", "rectanglelabels", x=10, y=10, width=20, height=30, rotation=0, rectanglelabels=["car"])
    polygon = result("shape", "polygonlabels", points=[[0, 0], [10, 0], [10, 5]], polygonlabels=["road"])
    images = [{"id": 5, "data": {"image": "https://example.org/a.jpg"}, "annotations": [
        {"id": 1, "completed_by": 1, "result": [box, polygon]}, {"id": 2, "completed_by": 2, "result": []}]}]  # fmt: skip
    put("label-studio/boxes.json", json.dumps(images))
    units = len(BOAT[:18].encode("utf-16-le")) // 2
    old = result("ner", "labels", start=units, end=units + 5, text="Split", labels=["LOC"])
    put(
        "label-studio/utf16.json",
        json.dumps([{"id": 1, "data": {"text": BOAT}, "annotations": [{"id": 1, "completed_by": 1, "result": [old]}]}]),
    )
    small = [
        {"text": BOAT, "id": 1, "topic": "news", "stars": [{"rating": 5}], "annotator": 12, "annotation_id": 2,
         "created_at": "2026-03-01T09:10:00Z", "updated_at": "2026-03-01T09:10:00Z", "lead_time": 3.0},
        {"text": BOAT, "id": 1, "topic": "travel", "tags": {"choices": ["sea", "city"]}, "stars": [{"rating": 4}],
         "ner": [{"start": 0, "end": 3, "text": "Nia", "labels": ["PER"]}], "annotator": "ana@example.org", "annotation_id": 1,
         "created_at": "2026-03-01T09:00:00Z", "updated_at": "2026-03-01T09:00:00Z", "lead_time": 12.5},
    ]  # fmt: skip
    put("label-studio/min.json", json.dumps(small, ensure_ascii=False))
    flat = [
        {key: json.dumps(cell) if isinstance(cell, list | dict) else cell for key, cell in record.items()}
        for record in small
    ]
    put("label-studio/export.csv", table(flat))


def prodigy() -> None:
    def line(text: str, who: str, number: int, **more: Any) -> dict[str, Any]:
        return {"text": text, "_input_hash": number, "_task_hash": number + 9000, "_session_id": f"boats-{who}", "_annotator_id": f"boats-{who}",
                "_timestamp": 1772355900 + number, **more}  # fmt: skip

    options = [{"id": "travel", "text": "Travel"}, {"id": "news", "text": "News"}]

    def chosen(
        text: str, who: str, number: int, labels: list[str], answer: str = "accept", style: str = "single"
    ) -> dict[str, Any]:
        return line(
            text,
            who,
            number,
            options=options,
            accept=labels,
            config={"choice_style": style},
            answer=answer,
            _view_id="choice",
        )

    put("prodigy/choice.jsonl", lines([
        chosen(BOAT, "ana", 1, ["travel"]), chosen(BOAT, "ben", 1, ["news"]), chosen(BOAT, "cy", 1, [], "ignore"),
        chosen(LAMP, "ana", 2, ["news"]), chosen(LAMP, "ben", 2, ["news"]), chosen(LAMP, "cy", 2, ["travel"], "reject"),
    ]))  # fmt: skip
    put("prodigy/several.jsonl", lines([
        chosen(BOAT, "ana", 1, ["travel", "news"], style="multiple"), chosen(BOAT, "ben", 1, [], style="multiple"),
    ]))  # fmt: skip
    put(
        "prodigy/binary.jsonl",
        lines(
            [
                line(LAMP, who, 2, label="COMPLAINT", answer=answer, _view_id="classification")
                for who, answer in (("ana", "accept"), ("ben", "reject"), ("cy", "ignore"))
            ]
        ),
    )
    person, place = (
        {"start": 0, "end": 3, "token_start": 0, "token_end": 0, "label": "PER"},
        {"start": 18, "end": 23, "label": "LOC"},
    )
    put(
        "prodigy/spans.jsonl",
        lines(
            [
                line(BOAT, "ana", 1, spans=[person, place], answer="accept", _view_id="ner_manual"),
                line(BOAT, "ben", 1, spans=[place], answer="accept", _view_id="ner_manual"),
                line(LAMP, "ana", 2, spans=[], answer="accept", _view_id="ner_manual"),
            ]
        ),
    )
    relation = {"head": 0, "child": 4, "label": "leaves", "head_span": person, "child_span": place}
    put(
        "prodigy/relations.jsonl",
        lines(
            [line(BOAT, "ana", 1, spans=[person, place], relations=[relation], answer="accept", _view_id="relations")]
        ),
    )
    versions = [
        {"text": BOAT, "accept": [label], "sessions": [f"boats-{who}"], "answer": "accept"}
        for who, label in (("ana", "travel"), ("ben", "news"))
    ]
    review = chosen(BOAT, "judge", 1, ["travel"])
    put(
        "prodigy/review.jsonl",
        lines([{**review, "versions": versions, "sessions": ["boats-ana", "boats-ben"], "_view_id": "review"}]),
    )


def doccano() -> None:
    ana = [
        {"id": 1, "text": BOAT, "label": [[0, 3, "PER"], [18, 23, "LOC"]], "Comments": []},
        {"id": 2, "text": LAMP, "label": [], "Comments": []},
    ]
    ben = [
        {"id": 1, "text": BOAT, "label": [[18, 23, "LOC"]], "Comments": []},
        {"id": 2, "text": LAMP, "label": [[4, 8, "THING"]], "Comments": []},
    ]
    put("doccano/spans/ana.jsonl", lines(ana))
    put("doccano/spans/ben.jsonl", lines(ben))
    put("doccano/classes/ana.jsonl", lines([{"id": 1, "text": BOAT, "label": ["sea", "travel"], "Comments": []}]))
    put("doccano/classes/ben.jsonl", lines([{"id": 1, "text": BOAT, "label": ["travel"], "Comments": []}]))
    put("doccano/all.jsonl", lines([
        {"id": 1, "text": BOAT, "entities": [{"id": 5, "label": "PER", "start_offset": 0, "end_offset": 3}, {"id": 6, "label": "LOC", "start_offset": 18, "end_offset": 23}],
         "relations": [{"id": 1, "from_id": 5, "to_id": 6, "type": "leaves"}], "Comments": []},
    ]))  # fmt: skip
    put(
        "doccano/users.jsonl",
        lines(
            [
                {
                    "id": 1,
                    "text": BOAT,
                    "annotations": [
                        {"label": 3, "start_offset": 0, "end_offset": 3, "user": 1},
                        {"label": 3, "start_offset": 0, "end_offset": 3, "user": 2},
                    ],
                    "meta": {},
                },
            ]
        ),
    )
    put("doccano/ana.csv", "id,text,label,Comments\n2,The lamp broke.,complaint#light,\n")
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, records in (("ana.jsonl", ana), ("ben.jsonl", ben)):
            archive.writestr(zipfile.ZipInfo(name, (2026, 3, 1, 0, 0, 0)), lines(records))
    put("doccano/project.zip", packed.getvalue())


def argilla() -> None:
    put("argilla/flat.jsonl", lines([
        {"id": "r1", "status": "completed", "text": BOAT, "topic.responses": ["travel", "news", None], "topic.responses.users": ["u1", "u2", "u3"],
         "topic.responses.status": ["submitted", "submitted", "discarded"], "topic.suggestion": "travel", "topic.suggestion.score": 0.8,
         "topic.suggestion.agent": "clf", "ner.responses": [[{"label": "PER", "start": 0, "end": 3}]], "ner.responses.users": ["u1"],
         "ner.responses.status": ["submitted"], "order.responses": [[{"value": "a", "rank": 1}, {"value": "b", "rank": 1}]],
         "order.responses.users": ["u1"], "order.responses.status": ["draft"]},
    ]))  # fmt: skip
    put("argilla/nested.json", json.dumps([
        {"id": "r1", "fields": {"text": BOAT}, "suggestions": {"topic": {"value": "travel", "score": 0.8, "agent": "clf"}},
         "responses": {"topic": [{"value": "travel", "user_id": "u1"}, {"value": "news", "user_id": "u2"}], "tags": [{"value": ["sea", "city"], "user_id": "u1"}]}},
    ]))  # fmt: skip
    put("argilla/version1.jsonl", lines([
        {"text": BOAT, "topic": [{"user_id": "u1", "value": "travel", "status": "submitted"}, {"user_id": "u2", "value": "news", "status": "discarded"}],
         "topic-suggestion": "travel", "topic-suggestion-metadata": {"score": 0.8, "agent": "clf"}, "external_id": "r1", "metadata": "{}"},
    ]))  # fmt: skip


def text_tools() -> None:
    put("brat/ana/boat.txt", BOAT)
    put("brat/ben/boat.txt", BOAT)
    put("brat/cy/boat.txt", BOAT)
    put(
        "brat/ana/boat.ann",
        "T1\tPER 0 3\tNia\nT2\tLOC 18 23\tSplit\nR1\tleaves Arg1:T1 Arg2:T2\t\nA1\tSure T2 High\n#1\tAnnotatorNotes T2\tport\n",
    )
    put("brat/ben/boat.ann", "T1\tLOC 18 23;27 30\tSplit Vis\n")
    put("brat/cy/boat.ann", "")
    head = "#FORMAT=WebAnno TSV 3.3\n#T_SP=de.tudarmstadt.ukp.dkpro.core.api.ner.type.NamedEntity|value\n#T_RL=webanno.custom.Rel|kind|BT_de.tudarmstadt.ukp.dkpro.core.api.ner.type.NamedEntity\n\n\n"

    def tsv(labels: list[str], relation: str = "") -> str:
        body = ""
        for place, ((word, start, end), label) in enumerate(zip(WORDS, labels, strict=True), start=1):
            tail = f"{relation}\t1-1" if relation and place == 5 else "_\t_"
            body += f"1-{place}\t{start}-{end}\t{word}\t{label}\t{tail}\t\n"
        return f"{head}#Text={BOAT}\n{body}"

    put("inception/annotation/boat.txt/ana.tsv", tsv(["PER", "_", "_", "_", "LOC", "_", "_", "_"], "leaves"))
    put("inception/annotation/boat.txt/ben.tsv", tsv(["_", "_", "_", "_", "LOC[1]", "LOC[1]", "LOC[1]", "_"]))
    put("inception/annotation/boat.txt/cy.tsv", tsv(["_"] * 8))
    put("inception/curation/boat.txt/CURATION_USER.tsv", tsv(["PER", "_", "_", "_", "LOC", "_", "LOC|CITY", "_"]))
    put(
        "inception/exportedproject.json",
        json.dumps(
            {"name": "boats", "annotation_documents": [{"name": "boat.txt", "user": "ana", "state": "FINISHED"}]}
        ),
    )
    put(
        "inception-diff/diff.json",
        json.dumps(
            [
                {"doc": "boat", "user": who, "begin": 19, "end": end, "label": "LOC", "text": "Split"}
                for who, end in (("ana", 24), ("ben", 31))
            ]
        ),
    )
    put(
        "inception-diff/diff.csv",
        "doc,user,begin,end,label,text\nboat,ana,19,24,LOC,Split\nboat,ben,19,31,LOC,Split to Vis\n",
    )
    for who, end in (("ana", 24), ("ben", 31)):
        put(
            f"xmi/{who}.xmi",
            (
                "<?xml version='1.0' encoding='UTF-8'?>\n"
                '<xmi:XMI xmlns:xmi="http://www.omg.org/XMI" xmlns:cas="http:///uima/cas.ecore" '
                'xmlns:type="http:///de/tudarmstadt/ukp/dkpro/core/api/ner/type.ecore" xmi:version="2.0"><cas:NULL xmi:id="0"/>'
                f'<type:NamedEntity xmi:id="2" sofa="1" begin="19" end="{end}" value="LOC"/>'
                f'<cas:Sofa xmi:id="1" sofaNum="1" sofaID="_InitialView" mimeType="text/plain" sofaString="{BOAT}"/>'
                '<cas:View sofa="1" members="2"/></xmi:XMI>'
            ),
        )
    put(
        "conll/ana.txt",
        "-DOCSTART- -X- O O\n\nNia NNP I-NP B-PER\nsailed VBD I-VP O\nfrom IN I-PP O\nSplit NNP I-NP B-LOC\n\nThe DT I-NP O\nlamp NN I-NP O\n",
    )
    put(
        "conll/ben.txt",
        "-DOCSTART- -X- O O\n\nNia NNP I-NP O\nsailed VBD I-VP O\nfrom IN I-PP B-LOC\nSplit NNP I-NP I-LOC\n\nThe DT I-NP B-THING\nlamp NN I-NP I-THING\n",
    )
    put("pygamma/boat.csv", "ana,PER,0,3\nana,LOC,18,23\nben,LOC,18,30.5\n")


def crowds() -> None:
    def label(who: str, answer: str, end: int, *, skipped: bool = False) -> dict[str, Any]:
        found = {"objects": [{"name": "LOC", "value": "loc", "annotation_kind": "TextEntity", "location": {"start": 18, "end": end}, "classifications": []}],
                 "classifications": [{"name": "topic", "value": "topic", "radio_answer": {"name": answer, "value": answer, "classifications": []}},
                                     {"name": "tags", "value": "tags", "checklist_answers": [{"name": "sea", "value": "sea"}]}], "relationships": []}  # fmt: skip
        return {"id": f"l-{who}", "label_details": {"created_at": "2026-03-01T09:05:00Z", "created_by": f"{who}@example.org", "reviews": []},
                "performance_details": {"seconds_to_create": 21, "skipped": skipped}, "annotations": {} if skipped else found}  # fmt: skip

    put("labelbox/export.ndjson", lines([
        {"data_row": {"id": "d1", "global_key": "boat", "row_data": BOAT},
         "projects": {"p1": {"name": "trips", "labels": [label("ana", "travel", 22), label("ben", "news", 29), label("cy", "", 22, skipped=True)]}}},
    ]))  # fmt: skip
    put("mturk/batch.csv", table([
        {"HITId": f"H{item}", "AssignmentId": f"A{item}{who}", "WorkerId": who, "AssignmentStatus": status, "SubmitTime": "Sun Mar 01 01:10:20 PST 2026",
         "WorkTimeInSeconds": 20, "Input.text": LAMP, "Input.item_id": item, "Answer.topic.complaint": topic == "complaint", "Answer.topic.praise": topic == "praise",
         "Answer.sure": sure}
        for item, who, status, topic, sure in (
            ("lamp", "W1", "Approved", "complaint", 1), ("lamp", "W2", "Submitted", "praise", 2), ("lamp", "W3", "Rejected", "praise", 1),
            ("boat", "W1", "Approved", "praise", 2), ("boat", "W2", "Approved", "praise", 2))
    ]))  # fmt: skip
    for item, labels in (("0", ("complaint", "praise")), ("1", ("praise", "praise"))):
        put(f"ground-truth/annotations/worker-response/iteration-1/{item}/2026-03-01_100000.json", json.dumps({"answers": [
            {"acceptanceTime": "2026-03-01T09:00:00Z", "submissionTime": "2026-03-01T09:00:20Z", "timeSpentInSeconds": 20.1, "workerId": f"private.{who}",
             "answerContent": {"crowd-classifier": {"label": answer}}} for who, answer in zip(("w1", "w2"), labels, strict=True)]}))  # fmt: skip
    put(
        "ground-truth/output.manifest",
        lines(
            [
                {
                    "source": text,
                    "topic": 1,
                    "topic-metadata": {"class-name": "complaint", "confidence": 0.9, "human-annotated": "yes"},
                }
                for text in (LAMP, BOAT)
            ]
        ),
    )
    put("toloka/assignments.tsv", table([
        {"INPUT:text": LAMP, "OUTPUT:topic": topic, "GOLDEN:topic": "", "ASSIGNMENT:task_id": "t1", "ASSIGNMENT:assignment_id": f"a{who}",
         "ASSIGNMENT:worker_id": who, "ASSIGNMENT:status": status, "ASSIGNMENT:submitted": "2026-03-01T09:00:20"}
        for who, topic, status in (("w1", "complaint", "APPROVED"), ("w2", "praise", "APPROVED"), ("w3", "praise", "REJECTED"), ("w4", "", "SKIPPED"))
    ], "\t"))  # fmt: skip
    put("toloka/aggregated.tsv", "INPUT:text\tOUTPUT:topic\tCONFIDENCE:topic\nThe lamp broke.\tcomplaint\t97.6%\n")
    put("appen/full.csv", table([
        {"_unit_id": 555, "_created_at": "3/1/2026 09:00:20", "_id": 9000 + place, "_tainted": tainted, "_trust": 0.9, "_worker_id": who, "topic": topic,
         "_golden": "false", "topic_gold": "", "text": LAMP}
        for place, (who, topic, tainted) in enumerate((("71", "complaint", "false"), ("72", "complaint\npraise", "false"), ("73", "praise", "true")))
    ]))  # fmt: skip
    put(
        "appen/aggregated.csv",
        "_unit_id,_trusted_judgments,topic,topic:confidence,text\n555,2,complaint,0.613,The lamp broke.\n",
    )


def other_tools() -> None:
    for who, feeling, end in (("ana", "positive", 23), ("ben", "negative", 30)):
        put(
            f"potato/{who}/user_state.json",
            json.dumps(
                {
                    "user_id": who,
                    "instance_id_to_label_to_value": {
                        "lamp": {"feeling": {"labels": {feeling: True}}, "stars": {"labels": {"scale": 4}}}
                    },
                    "instance_id_to_span_to_value": {
                        "boat": {"ner": [{"start": 18, "end": end, "label": "LOC", "text": BOAT[18:end]}]}
                    },
                }
            ),
        )
        put(
            f"potato-old/{who}/annotated_instances.jsonl",
            lines(
                [
                    {
                        "id": "lamp",
                        "displayed_text": LAMP,
                        "label_annotations": {"feeling": {feeling: "true"}},
                        "span_annotations": [],
                    }
                ]
            ),
        )
    put("potato-table/annotations.csv", "instance_id,user_id,feeling\nlamp,ana,positive\nlamp,ben,negative\n")
    for who, left in (("ana", 10), ("ben", 12)):
        put(
            f"cvat/{who}.xml",
            (
                f'<?xml version="1.0" encoding="utf-8"?>\n<annotations><version>1.1</version><meta><job><id>31</id><assignee><username>{who}</username></assignee></job></meta>\n'
                f' <image id="0" name="a.jpg" width="200" height="100">\n  <box label="car" source="manual" occluded="0" xtl="{left}.00" ytl="10.00" xbr="50.00" ybr="40.00"/>\n'
                '  <polygon label="road" source="manual" points="0,90;200,90;200,100;0,100"/>\n  <tag label="day" source="manual"></tag>\n </image>\n'
                ' <image id="1" name="b.jpg" width="200" height="100"></image></annotations>\n'
            ),
        )
        put(
            f"coco/{who}.json",
            json.dumps(
                {
                    "images": [{"id": 1, "file_name": "a.jpg"}, {"id": 2, "file_name": "b.jpg"}],
                    "categories": [{"id": 1, "name": "car"}],
                    "annotations": [
                        {
                            "id": 1,
                            "image_id": 1,
                            "category_id": 1,
                            "bbox": [left, 10, 40, 30],
                            "area": 1200,
                            "iscrowd": 0,
                        }
                    ],
                }
            ),
        )
    put("coco/detector.json", json.dumps([{"image_id": 1, "category_id": 1, "bbox": [11, 11, 40, 30], "score": 0.93}]))
    put("phoenix/annotations.json", json.dumps({"data": [
        {"span_id": "s1", "name": "correct", "annotator_kind": "HUMAN", "user_id": "ana", "result": {"label": "yes", "score": 1.0, "explanation": None}, "metadata": {}},
        {"span_id": "s1", "name": "correct", "annotator_kind": "LLM", "user_id": None, "result": {"label": "no", "score": 0.0, "explanation": "wrong year"}, "identifier": "judge-2", "metadata": {}},
        {"span_id": "s1", "name": "length", "annotator_kind": "CODE", "identifier": "", "result": {"label": None, "score": 12, "explanation": None}, "metadata": {}},
    ]}))  # fmt: skip
    put(
        "langfuse/scores.json",
        json.dumps(
            [
                {
                    "id": "1",
                    "traceId": "t1",
                    "name": "helpful",
                    "value": 1,
                    "stringValue": "yes",
                    "dataType": "CATEGORICAL",
                    "source": "ANNOTATION",
                    "authorUserId": "ana",
                },
                {
                    "id": "2",
                    "traceId": "t1",
                    "name": "helpful",
                    "value": 0,
                    "stringValue": "no",
                    "dataType": "CATEGORICAL",
                    "source": "EVAL",
                },
                {"id": "3", "traceId": "t1", "name": "tone", "value": 0.5, "dataType": "NUMERIC", "source": "EVAL"},
            ]
        ),
    )


def workbook() -> None:
    """The smallest workbook that Excel would write."""
    rows: list[list[str | int]] = [
        ["item", "annotator", "label"],
        ["boat", "ana", "travel"],
        ["boat", "ben", "news"],
        ["lamp", "ana", 3],
        ["lamp", "ben", 3],
    ]
    shared = list(dict.fromkeys(cell for row in rows for cell in row if isinstance(cell, str)))
    main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
    links = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"

    def cell(row: int, column: int, value: str | int) -> str:
        at = f"{'ABC'[column]}{row}"
        return (
            f'<c r="{at}" t="s"><v>{shared.index(value)}</v></c>'
            if isinstance(value, str)
            else f'<c r="{at}"><v>{value}</v></c>'
        )

    body = "".join(
        f'<row r="{number}">{"".join(cell(number, place, value) for place, value in enumerate(row))}</row>'
        for number, row in enumerate(rows, start=1)
    )
    parts = {
        "[Content_Types].xml": '<?xml version="1.0"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>',
        "xl/workbook.xml": f'<workbook xmlns="{main}" xmlns:r="{links}"><sheets><sheet name="Answers" sheetId="1" r:id="rId1"/></sheets></workbook>',
        "xl/_rels/workbook.xml.rels": '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="worksheet" Target="worksheets/sheet1.xml"/></Relationships>',
        "xl/sharedStrings.xml": f'<sst xmlns="{main}">{"".join(f"<si><t>{text}</t></si>" for text in shared)}</sst>',
        "xl/worksheets/sheet1.xml": f'<worksheet xmlns="{main}"><sheetData>{body}</sheetData></worksheet>',
    }
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in parts.items():
            archive.writestr(zipfile.ZipInfo(name, (2026, 3, 1, 0, 0, 0)), content)
    put("tables/book.xlsx", packed.getvalue())


if __name__ == "__main__":
    for make in (plain, label_studio, prodigy, doccano, argilla, text_tools, crowds, other_tools, workbook):
        make()
