"""INCEpTION and WebAnno: project folders and zips of TSV 3 or XMI with curation, and the agreement page's export."""

from __future__ import annotations

from pathlib import PurePosixPath
from typing import Any

from accord.errors import FileError
from accord.readers import json_files
from accord.readers.csv_files import header, records_of_csv
from accord.readers.formats import webanno, xmi
from accord.readers.source import Found, Packed, Source
from accord.study.tables.rows import ReadOptions, Rows

NAME = "inception"
LOOSE = True  # its folders hold other files too
CURATION = "CURATION_USER"
IGNORED = ("INITIAL_CAS",)
DIFF = {"doc", "user", "begin", "end", "label"}
STATE = {"NEW": "draft", "IN_PROGRESS": "draft", "INPROGRESS": "draft", "LOCKED": "skipped", "IGNORE": "skipped"}


def sniff(source: Source) -> Found | None:
    """TSV that says so, UIMA XMI, or records with doc, user, begin, end and label."""
    tsv, xmis = _tsv(source), _xmi(source)
    if tsv:
        return Found(NAME, f"{len(tsv)} {'file' if len(tsv) == 1 else 'files'} beginning with '#FORMAT=WebAnno TSV'")
    if not xmis and _packed(source):
        return Found(NAME, f"{len(_packed(source))} zips of annotators in the folders annotation and curation")
    if xmis:
        return Found(NAME, f"{len(xmis)} {'file' if len(xmis) == 1 else 'files'} of UIMA XMI")
    if source.only is not None and _is_diff(source, source.only):
        return Found(NAME, "records with doc, user, begin, end and label, as the agreement page exports them")
    return None


def _tsv(source: Source) -> list[str]:
    return [name for name in source.ending(".tsv") if source.glance(name).first_line.startswith("#FORMAT=WebAnno TSV")]


def _xmi(source: Source) -> list[str]:
    return [name for name in source.ending(".xmi") if source.glance(name).root.endswith(":XMI")]


def _is_diff(source: Source, name: str) -> bool:
    glance = source.glance(name)
    return (glance.keys if glance.form.startswith("json") else set(header(source, name))) >= DIFF


def read(source: Source, options: ReadOptions) -> Rows:
    """Spans and relations of every layer and feature; curated documents are gold."""
    rows = Rows("INCEpTION export", options)
    if source.only is not None and _is_diff(source, source.only):
        _diff(source, source.only, options, rows)
        return rows
    states = _states(source, options)
    for name in [*_tsv(source), *_xmi(source), *_packed(source)]:
        cells = _who(source, name, rows)
        if cells is None:
            continue
        state = states.get((cells["item"], cells["annotator"]))
        if state in STATE:
            cells["status"] = STATE[state]
        with rows.guarding():
            inner, data = _content(source, name)
            read_one = webanno.read_tsv if inner.endswith(".tsv") else xmi.read_xmi
            read_one(data, source.where(name), rows, cells)
            rows.done_with(**cells)
    rows.add_empty_answers()
    return rows


def _packed(source: Source) -> list[str]:
    """Projects exported as XMI hold a zip an annotator, with the document and its types."""
    return [name for name in source.ending(".zip") if {"annotation", "curation"} & set(PurePosixPath(name).parts)]


def _content(source: Source, name: str) -> tuple[str, bytes]:
    """A document, or the one in the zip of an annotator."""
    data = source.content(name)
    if not name.endswith(".zip"):
        return name, data
    packed = Packed(data, source.where(name))
    found = [inner for inner in packed.names if inner.endswith((".xmi", ".tsv"))]
    if len(found) != 1:
        raise FileError(source.where(name), f"It should hold one document, and there are {len(found)}.")
    return found[0], packed.content(found[0])


def _who(source: Source, name: str, rows: Rows) -> dict[str, Any] | None:
    """annotation/<document>/<user>.tsv and curation/<document>/CURATION_USER.tsv; a file alone is one annotator's."""
    path = PurePosixPath(name)
    who = path.stem
    if who in IGNORED:
        return None
    parts = list(path.parts[:-1])
    curated = who == CURATION or bool({"curation", "curation_ser"} & set(parts))
    folders = [part for part in parts if part not in ("annotation", "annotation_ser", "curation", "curation_ser")]
    if folders:
        item = folders[-1]
    else:
        item = source.name
        rows.note("there are no folders of documents: each file is read as one annotator's version of one document")
    cells: dict[str, Any] = {"item": item, "annotator": who}
    if curated:
        cells.update(annotator="curation", kind="adjudicator", status="adjudicated")
    return cells


def _states(source: Source, options: ReadOptions) -> dict[tuple[Any, Any], str]:
    """How far each annotator was with each document, where the project's description is there."""
    name = next((name for name in source.names if PurePosixPath(name).name.startswith("exportedproject")), None)
    if name is None:
        return {}
    project = json_files.load_record(source, name, options)
    found = {}
    for document in project.records("annotation_documents"):
        found[(str(document.data.get("name")), str(document.data.get("user")))] = str(document.data.get("state"))
    return found


def _diff(source: Source, name: str, options: ReadOptions, rows: Rows) -> None:
    is_json = source.glance(name).form.startswith("json")
    rows.shape = "INCEpTION agreement export"
    rows.note("offsets are UTF-16 units, as the texts are not in this export; nor is a document without marks")
    for record in (
        json_files.records(source, name, options, rows) if is_json else records_of_csv(source, name, options, rows)
    ):
        with rows.guarding():
            start, end = record.offset("begin"), record.offset("end")
            if end < start:
                raise record.error(f"A span ends at {end}, before it begins at {start}.")
            rows.add(
                "spans", item=str(record.needed("doc")), annotator=str(record.needed("user")), start=start, end=end,
                label=record.scalar("label") if "label" in record else "(no label)", covered=record.text("text"),
            )  # fmt: skip
