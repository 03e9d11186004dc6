"""Writes more samples: what exports hold besides labels and spans (events, chains, slots, tracks, relationships, scales)."""

from __future__ import annotations

import json
from typing import Any

from tests.readers.make_samples import BOAT, LAMP, WORDS, lines, put


def brat_events() -> None:
    for who in ("ana", "ben", "cy"):
        put(f"brat-events/{who}/boat.txt", BOAT)
    put(
        "brat-events/ana/boat.ann",
        "T1\tPER 0 3\tNia\nT2\tLOC 18 23\tSplit\nT3\tLOC 27 30\tVis\nT4\tGo 6 12\tsailed\n"
        "E1\tGo:T4 Who:T1 Where:T2 Where2:T3\nA1\tPast E1\nR1\tcauses Arg1:E1 Arg2:T3\n"
        "*\tEquiv T3 T2\nN1\tReference T2 Gazetteer:17\tSplit\n#1\tAnnotatorNotes E1\ta trip\n",
    )
    put("brat-events/ben/boat.ann", "T1\tPER 0 3\tNia\nT4\tGo 6 12\tsailed\nE1\tGo:T4 Who:T1\n")
    put("brat-events/cy/boat.ann", "")


def webanno_links() -> None:
    head = (
        "#FORMAT=WebAnno TSV 3.3\n"
        "#T_SP=webanno.custom.Frame|FE|ROLE_webanno.custom.Frame:Roles_webanno.custom.FrameRolesLink|webanno.custom.Arg\n"
        "#T_SP=webanno.custom.Arg|value\n"
        "#T_CH=de.tudarmstadt.ukp.dkpro.core.api.coref.type.CoreferenceLink|referenceRelation|referenceType\n"
        "#T_RL=webanno.custom.Rel|kind|BT_webanno.custom.Arg\n\n\n"
    )

    def tsv(rows: dict[int, str]) -> str:
        body = "".join(
            f"1-{place}\t{start}-{end}\t{word}\t{rows.get(place, chr(9).join('_' * 8))}\t\n"
            for place, (word, start, end) in enumerate(WORDS, start=1)
        )
        return f"{head}#Text={BOAT}\n{body}"

    rows = {
        1: "_\t_\t_\tWho\tcoref->1-1\tname[1]\t_\t_",
        3: "Go\tAgent;Goal\t1-1;1-5[7]\t_\t_\t_\t_\t_",
        5: "_\t_\t_\tPlace[7]|City[8]\t*->1-2\tplace[1]\tpart\t1-1[0_8]",
        6: "_\t_\t_\tPlace[7]\t_\t_\t_\t_",
        7: "_\t_\t_\tPlace[7]\t_\t_\t_\t_",
    }
    put("webanno-links/annotation/boat.txt/ana.tsv", tsv(rows))
    put("webanno-links/annotation/boat.txt/ben.tsv", tsv({1: rows[1]}))


def xmi_links() -> None:
    for who, more in (("ana", ' next="4"'), ("ben", "")):
        put(
            f"xmi-links/{who}.xmi",
            "<?xml version='1.0' encoding='UTF-8'?>\n"
            '<xmi:XMI xmlns:xmi="http://www.omg.org/XMI" xmlns:cas="http:///uima/cas.ecore" xmlns:coref="http:///coref.ecore" xmlns:custom="http:///webanno/custom.ecore" xmi:version="2.0"><cas:NULL xmi:id="0"/>'
            f'<coref:CoreferenceLink xmi:id="3" sofa="1" begin="0" end="3" referenceType="name" referenceRelation="coref"{more}/>'
            '<coref:CoreferenceLink xmi:id="4" sofa="1" begin="19" end="24" referenceType="place"/>'
            '<custom:Frame xmi:id="5" sofa="1" begin="7" end="13" FE="Go" Roles="6"/><custom:FrameRolesLink xmi:id="6" role="Agent" target="3"/>'
            f'<cas:Sofa xmi:id="1" sofaNum="1" sofaID="_InitialView" mimeType="text/plain" sofaString="{BOAT}"/></xmi:XMI>',
        )


def cvat_video() -> None:
    for who, left, last in (("ana", 10, 2), ("ben", 12, 1)):
        boxes = "".join(
            f'<box frame="{frame}" keyframe="1" outside="{int(frame > last)}" occluded="0" xtl="{left + frame}" ytl="5" xbr="40" ybr="30"><attribute name="parked">no</attribute></box>'
            for frame in range(4)
        )
        put(
            f"cvat-video/{who}.xml",
            f'<?xml version="1.0" encoding="utf-8"?>\n<annotations><version>1.1</version><meta><job><id>7</id><assignee><username>{who}</username></assignee>'
            "<segments><segment><id>7</id><start>0</start><stop>9</stop></segment></segments></job></meta>\n"
            f'<track id="0" label="car" source="manual">{boxes}</track></annotations>\n',
        )


def labelbox_relationships() -> None:
    def entity(name: str, key: str, start: int, end: int) -> dict[str, Any]:
        sure = [{"name": "sure", "value": "sure", "radio_answer": {"name": "yes", "value": "yes"}}]
        return {"feature_id": key, "name": name, "value": name.lower(), "annotation_kind": "TextEntity", "location": {"start": start, "end": end}, "classifications": sure if name == "LOC" else []}  # fmt: skip

    def label(who: str, relationships: list[dict[str, Any]]) -> dict[str, Any]:
        return {
            "id": f"l-{who}", "label_details": {"created_at": "2026-03-01T09:05:00Z", "created_by": f"{who}@example.org"},
            "performance_details": {"seconds_to_create": 21, "skipped": False},
            "annotations": {"objects": [entity("PER", "f1", 0, 2), entity("LOC", "f2", 18, 22)], "classifications": [], "relationships": relationships},
        }  # fmt: skip

    leaves = {"feature_id": "r1", "name": "leaves", "value": "leaves", "annotation_kind": "UnidirectionalRelationship", "unidirectional_relationship": {"source": "f1", "target": "f2"}}  # fmt: skip
    put("labelbox-relationships/export.ndjson", lines([
        {"data_row": {"id": "d1", "global_key": "boat", "row_data": BOAT}, "projects": {"p1": {"name": "trips", "labels": [label("ana", [leaves]), label("ben", [])]}}},
    ]))  # fmt: skip


CONFIG = (
    '<View><Text name="text" value="$text"/>'
    '<Choices name="topic" toName="text" choice="single-radio"><Choice value="travel"/><Choice value="news"/><Choice value="other" alias="else"/></Choices>'
    '<Choices name="tags" toName="text" choice="multiple"><Choice value="sea"/><Choice value="city"/></Choices>'
    '<Taxonomy name="where" toName="text"><Choice value="Coast"><Choice value="Port"/></Choice></Taxonomy></View>\n'
)


def label_studio_config() -> None:
    def result(name: str, kind: str, value: Any) -> dict[str, Any]:
        return {"from_name": name, "to_name": "text", "type": kind, "value": {kind: value}}

    answers = [
        (1, 1, [result("topic", "choices", ["travel"]), result("tags", "choices", ["sea"])]),
        (1, 2, [result("topic", "choices", ["news"])]),  # was done, and chose no tag: the empty set
        (2, 1, [result("topic", "choices", ["news"]), result("where", "taxonomy", [["Coast", "Port"]])]),
        (2, 2, [result("topic", "choices", ["news"]), result("tags", "choices", ["city"])]),
    ]
    tasks = [
        {"id": item, "data": {"text": text}, "annotations": [{"id": 10 * item + who, "completed_by": who, "result": held} for one, who, held in answers if one == item]}
        for item, text in ((1, BOAT), (2, LAMP))
    ]  # fmt: skip
    put("label-studio-config/export.json", json.dumps(tasks, ensure_ascii=False))
    put("label-studio-config/config.xml", CONFIG)


def prodigy_suggested() -> None:
    put("prodigy-suggested/boats.jsonl", lines([
        {"id": item, "text": text, "machine": {"topic": suggested, "tags": ["sea"]}, "_input_hash": number, "_task_hash": -number,
         "options": [{"id": name, "text": name} for name in ("travel", "news", "never")], "config": {"choice_style": "single"}, "_view_id": "choice",
         "accept": [label], "answer": "accept", "_annotator_id": f"boats-{who}", "_session_id": f"boats-{who}"}
        for number, (item, text, suggested, labels) in enumerate(
            [("boat", BOAT, "travel", ("travel", "travel")), ("lamp", LAMP, "travel", ("news", "travel"))], start=1)
        for who, label in zip(("ana", "ben"), labels, strict=True)
    ]))  # fmt: skip


if __name__ == "__main__":
    for make in (
        brat_events,
        webanno_links,
        xmi_links,
        cvat_video,
        labelbox_relationships,
        label_studio_config,
        prodigy_suggested,
    ):
        make()
