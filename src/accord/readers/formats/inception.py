"""INCEpTION and WebAnno: projects in TSV 3, XMI or CAS JSON, with curation, and the agreement page's export."""

from __future__ import annotations

import html
import json
import re
from pathlib import PurePosixPath

from accord.errors import FileError, counted
from accord.readers import annotator_paths, json_files
from accord.readers.csv_files import header, records_of_csv
from accord.readers.formats import cas_json, webanno, xmi
from accord.readers.found_format import Found
from accord.readers.source import NestedZip, Source
from accord.study.tables.rows import ReadOptions, Rows

NAME = "inception"
LOOSE = True  # its folders hold other files too
LAYERS = ("annotation", "annotation_ser", "curation", "curation_ser")  # folders of every project
SENTENCE, SOFA = re.compile(r"^#Text=(.*)$", re.MULTILINE), re.compile(r'\bsofaString="([^"]*)"')
JSON_SOFA = re.compile(r'"sofaString"\s*:\s*"((?:[^"\\]|\\["\\/bfnrt]|\\u[0-9a-fA-F]{4})*)"')
READERS = {".tsv": webanno.read_tsv, ".xmi": xmi.read_xmi, ".json": cas_json.read_json}
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
    if cas := _cas_json(source):
        return Found(NAME, f"{counted(len(cas), 'files')} of UIMA CAS JSON")
    if backups := source.ending(".ser"):
        return Found(NAME, f"{counted(len(backups), 'files')} of a project's backup (.ser)")
    if source.only is not None and _is_diff(source, source.only):
        return Found(NAME, "records with doc, user, begin, end and label, as the agreement page exports them")
    return None


def _tsv(source: Source) -> list[str]:
    return [name for name in source.ending(".tsv") if source.glance(name).first_line.startswith("#FORMAT=WebAnno TSV")]


def _xmi(source: Source) -> list[str]:
    return [name for name in source.ending(".xmi") if source.glance(name).root.endswith(":XMI")]


def _cas_json(source: Source) -> list[str]:
    return [name for name in source.ending(".json") if source.glance(name).keys & {"%TYPES", cas_json.STRUCTURES}]


def _is_diff(source: Source, name: str) -> bool:
    glance = source.glance(name)
    return (glance.keys if glance.form.startswith("json") else set(header(source, name))) >= DIFF


def read(source: Source, options: ReadOptions) -> Rows:
    """Spans and relations of every layer and feature; curated documents are gold."""
    rows = Rows("INCEpTION export", options)
    if source.only is not None and _is_diff(source, source.only):
        _diff(source, source.only, options, rows)
        return rows
    files = [name for name in _documents(source) if PurePosixPath(name).stem not in IGNORED]
    if not files:
        raise _no_documents(source)
    documents = _Documents(source, options)
    owners = annotator_paths.owners(files, documents.fingerprint, rows, called=source.name, usual="file", layers=LAYERS)
    states = _states(source, options)
    for name, owner in owners.items():
        cells = owner.cells
        state = _state(states, name)
        if state in STATE and not owner.is_reference:
            cells["status"] = STATE[state]
        with rows.guarding():
            inner, data = documents.content(name)
            READERS[PurePosixPath(inner).suffix.lower()](data, source.where(name), rows, cells)
            rows.done_with(**cells)
    rows.add_empty_answers()
    return rows


def _documents(source: Source) -> list[str]:
    return [*_tsv(source), *_xmi(source), *_cas_json(source), *_packed(source)]


def _packed(source: Source) -> list[str]:
    """Projects exported as XMI hold a zip per annotator, with the document and its types."""
    return [name for name in source.ending(".zip") if {"annotation", "curation"} & set(PurePosixPath(name).parts)]


class _Documents:
    """The documents of an export: files, or zips with one in each."""

    def __init__(self, source: Source, options: ReadOptions) -> None:
        self.source, self.options = source, options
        self._seen: dict[str, tuple[str, bytes]] = {}  # by whoever asked what text it is, until it is read

    def content(self, name: str) -> tuple[str, bytes]:
        """A document, or the one in the zip of an annotator."""
        return self._seen.pop(name) if name in self._seen else self._opened(name)

    def _opened(self, name: str) -> tuple[str, bytes]:
        data = self.source.content(name)
        if not name.endswith(".zip"):
            return name, data
        packed = NestedZip(data, self.source.where(name))
        found = [inner for inner in packed.names if inner.endswith((*READERS,))]
        if len(found) != 1:
            raise FileError(self.source.where(name), f"It should hold one document, and there are {len(found)}.")
        return found[0], packed.content(found[0])

    def fingerprint(self, name: str) -> str | None:
        """What tells the text from others, found without reading the marks; None where that fails."""
        try:
            inner, data = self._seen[name] = self._opened(name)
        except FileError:
            return None  # which will be said when it is read
        text = data.decode(self.options.encoding or "utf-8", errors="replace")
        if inner.endswith(".tsv"):
            found = "".join(SENTENCE.findall(text))
        elif inner.endswith(".json"):
            found = "".join(json.loads(f'"{escaped}"', strict=False) for escaped in JSON_SOFA.findall(text))
        else:
            found = html.unescape("".join(SOFA.findall(text)))
        return annotator_paths.fingerprint(found)


def _no_documents(source: Source) -> FileError:
    """A backup of a project holds what only INCEpTION can open."""
    backups = len(source.ending(".ser"))
    if not backups:
        return FileError(source.path, "There is no annotated document in it: WebAnno TSV, UIMA XMI or CAS JSON.")
    return FileError(
        source.path,
        f"It is the backup of an INCEpTION project, with {counted(backups, 'documents')} (.ser) that INCEpTION alone "
        "can open. Export the project again (Settings, Export) with the secondary format 'WebAnno TSV v3.3' or "
        "'UIMA CAS XMI', which adds the documents as text, and read that.",
    )


def _states(source: Source, options: ReadOptions) -> dict[tuple[str, str, str], str]:
    """How far each annotator was with each document, where the project's description is there; by project."""
    found = {}
    for name in source.ending(".json"):
        path = PurePosixPath(name)
        if not path.name.startswith("exportedproject"):
            continue
        for document in json_files.load_record(source, name, options).records("annotation_documents"):
            who = str(document.data.get("name")), str(document.data.get("user"))
            found[(path.parent.as_posix(), *who)] = str(document.data.get("state"))
    return found


def _state(states: dict[tuple[str, str, str], str], name: str) -> str | None:
    """The state of the document at <project>/annotation/<document>/<user>."""
    path = PurePosixPath(name)
    project = path.parents[min(2, len(path.parents) - 1)].as_posix()
    return states.get((project, path.parent.name, path.stem))


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
