"""doccano: a folder or zip with one file a member, or one file in which the annotators were merged."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import PurePosixPath
from typing import Any

from accord.errors import quoted
from accord.readers import annotator_paths, json_files
from accord.readers.csv_files import header, records_of_csv
from accord.readers.found_format import Found
from accord.readers.source import Source
from accord.study.tables.rows import ReadOptions, Record, Rows

NAME = "doccano"
MERGED = "all"
LABELS = ("label", "labels")  # older versions wrote labels


def sniff(source: Source) -> Found | None:
    """Files of records with a text and doccano's fields for labels."""
    files = _files(source)
    if not files or len(files) != len(source.data):
        return None
    seen = [_seen(source, name) for name in files]
    if len(files) > 1:  # a member whose first text has no labels shows less of the format
        seen = [why or _may_be(source, name) for name, why in zip(files, seen, strict=True)]
    if not all(seen):
        return None
    return Found(NAME, f"{'one file' if len(files) == 1 else f'{len(files)} files'} with {seen[0]}")


def _files(source: Source) -> list[str]:
    return source.ending(".jsonl", ".json", ".csv")


def _seen(source: Source, name: str) -> str:
    if name.endswith(".csv"):
        return (
            "the columns id, text, label and Comments"
            if {"id", "text", "label", "Comments"} <= set(header(source, name))
            else ""
        )
    glance = source.glance(name)
    keys, record = glance.keys, glance.record
    if not glance.form.startswith("json") or "id" not in keys or not keys & {"text", "data", "filename"}:
        return ""
    for field in ("annotations", "entities"):
        first = next((part for part in _listed(record, field) if isinstance(part, dict)), {})
        if {"start_offset", "end_offset"} <= set(first) or ("user" in first and "label" in first):
            return f"'id', 'text' and {field!r} with offsets or users"
    labels = _listed(record, "label") or _listed(record, "labels")
    triples = bool(labels) and all(isinstance(part, list) and len(part) == 3 for part in labels)
    listed = [field for field in LABELS if isinstance(record.get(field), list)]
    if listed and ("Comments" in keys or triples):
        return f"'id', 'text' and a list under {listed[0]!r}"
    return (
        "'id' and 'bbox'"
        if "bbox" in keys and "Comments" in keys
        else "'id' and 'Comments'"
        if "Comments" in keys
        else ""
    )


def _may_be(source: Source, name: str) -> str:
    """Records with an id, a text and a list of labels: doccano's, where every member has a file of them."""
    glance = source.glance(name)
    listed = isinstance(glance.record, dict) and any(isinstance(glance.record.get(field), list) for field in LABELS)
    plain = glance.form == "json lines" and {"id", "text"} <= glance.keys and "_input_hash" not in glance.keys
    return "'id', 'text' and a list of labels, a file a member" if plain and listed else ""


def _listed(record: Any, field: str) -> list[Any]:
    held = record.get(field)
    return held if isinstance(held, list) else []


def read(source: Source, options: ReadOptions) -> Rows:
    """A row for each label or span; the annotator is the file, or the user where the export tells."""
    rows = Rows("doccano export", options)
    files = _files(source)
    owners = annotator_paths.people(files, rows)
    held = {name: list(_records(source, name, options, rows)) for name in files}
    items = _Items(held, rows)
    for name, owner in owners.items():
        for record in held[name]:
            with rows.guarding():
                text = _Text(record, owner, rows, book=len(files) > 1, from_csv=name.endswith(".csv"))
                text.cells["item"] = items.of(name, record)
                text.read()
    who = set(rows.columns.get("annotator", ()))
    if who & {owner.annotator for owner in owners.values()}:
        annotator_paths.tell_people(rows, owners.values())
    if who == {MERGED}:
        rows.note("the project was shared, so doccano merged its annotators into one file: there is nobody to compare")
    return rows


def _records(source: Source, name: str, options: ReadOptions, rows: Rows) -> Iterator[Record]:
    if name.endswith(".csv"):
        return records_of_csv(source, name, options, rows)
    return json_files.records(source, name, options, rows)


class _Items:
    """What texts are called: by their ids or, where members worked in projects of their own, by their words.

    Projects number their texts on their own: then one id has different texts in different files, or one text has
    different ids. The first id that a text has names it.
    """

    def __init__(self, held: dict[str, list[Record]], rows: Rows) -> None:
        self.by_text: dict[tuple[str, int], Any] = {}
        self.names: set[str] = set()  # that are taken
        self.seen: dict[tuple[str, str], int] = {}  # how often a file has shown a text so far
        texts: dict[Any, set[str]] = {}
        ids: dict[str, set[Any]] = {}
        places: dict[str, set[str]] = {}
        for name, records in held.items():
            for record in records:
                number, text = record.data.get("id"), record.data.get("text") or record.data.get("data")
                if isinstance(text, str) and isinstance(number, str | int | float):
                    texts.setdefault(number, set()).add(text)
                    ids.setdefault(text, set()).add(number)
                    places.setdefault(text, set()).add(name)
        apart = sum(len(found) > 1 for found in texts.values())
        shared = {text for text, files in places.items() if len(files) > 1}
        renamed = sum(len(ids[text]) > 1 for text in shared)
        self.use_text = len(held) > 1 and (apart > 0 or renamed > 0) and len(shared) > 0
        self.use_file = len(held) > 1 and apart > 0 and not shared
        if self.use_text:
            rows.note("the files number texts each in its own way, so texts are matched by their words")
        elif self.use_file:
            rows.note("the files use one id for different texts, so items are called by the file and the id")

    def of(self, file: str, record: Record) -> Any:
        """The item that a record is about."""
        number, text = record.needed("id"), record.text("text") or record.text("data")
        if self.use_file:
            return f"{PurePosixPath(file).stem}/{number}"
        if not self.use_text or text is None:
            return number
        before = self.seen.get((file, text), 0)
        self.seen[(file, text)] = before + 1
        taken = (text, before)
        if taken not in self.by_text:
            used = str(number) in self.names
            self.by_text[taken] = f"{PurePosixPath(file).stem}/{number}" if used else str(number)
            self.names.add(str(self.by_text[taken]))
        return self.by_text[taken]


class _Text:
    """One text and its labels."""

    def __init__(self, record: Record, owner: annotator_paths.Owner, rows: Rows, *, book: bool, from_csv: bool) -> None:
        self.record, self.rows, self.stem, self.book, self.from_csv = record, rows, owner.annotator, book, from_csv
        self.document = record.text("text") or record.text("data")
        self.cells = owner.cells

    def read(self) -> None:
        """By the field that holds the labels."""
        record = self.record
        if isinstance(record.data.get("annotations"), list):
            self._annotations()
        elif "entities" in record or "relations" in record:
            self._entities()
            if "cats" in record:
                self.rows.answer("set", record.labels("cats"), task="category", text=self.document, **self.cells)
        elif "bbox" in record:
            for box in record.records("bbox"):
                place: dict[str, Any] = {key: box.number(key) or 0.0 for key in ("x", "y", "width", "height")}
                self.rows.add("boxes", label=box.scalar("label"), **place, **self.cells)
        elif self.from_csv:
            self.rows.answer(
                "set",
                (record.text("label") or "").split("#") if "label" in record else [],
                text=self.document,
                **self.cells,
            )
        else:
            field = next((field for field in LABELS if field in record), "label")
            given = record.data.get(field)
            self._labels([given] if isinstance(given, str) else record.listed(field))

    def _labels(self, labels: list[Any]) -> None:
        if not labels:
            self.rows.note(
                "a text without labels is read as an empty answer; doccano does not tell it from one not yet seen"
            )
            self.rows.add("empty", text=self.document, **self.cells)
        elif any(isinstance(label, list) for label in labels):
            for label in labels:
                if not isinstance(label, list) or len(label) != 3:
                    raise self.record.error("A span should be [start, end, label], and it is ", quoted(label), ".")
                span = Record(dict(zip(("start", "end", "label"), label, strict=True)), *self.record.place)
                self.rows.span(
                    self.document, span.offset("start"), span.offset("end"), label=span.needed("label"), **self.cells
                )
        else:
            for label in labels:
                self.record.check_label(label)
            self.rows.answer("set", labels, text=self.document, **self.cells)

    def _entities(self) -> None:
        places: dict[str, tuple[int, int]] = {}
        entities = [self._entity(entity) for entity in self.record.listed("entities")]
        for entity in entities:
            start, end = entity.offset("start_offset"), entity.offset("end_offset")
            places[str(entity.data.get("id"))] = (start, end)
            self.rows.span(self.document, start, end, label=entity.needed("label"), task="entities", **self.cells)
        if not entities:
            self.rows.add("spans", task="entities", **self.cells)
        self.rows.document(self.cells["item"], self.document, task="entities")
        for relation in self.record.records("relations"):
            head, child = places.get(str(relation.data.get("from_id"))), places.get(str(relation.data.get("to_id")))
            if head is None or child is None:
                raise relation.error("A relation names an entity that is not there.")
            self.rows.relation(head, child, label=relation.needed("type"), task="relations", **self.cells)

    def _entity(self, entity: Any) -> Record:
        """An object with offsets; where there are intents too, a triple."""
        if isinstance(entity, list) and len(entity) == 3:
            entity = dict(zip(("start_offset", "end_offset", "label"), entity, strict=True))
        return Record(entity, *self.record.place)

    def _annotations(self) -> None:
        """The older export, which says who marked what."""
        for part in self.record.records("annotations"):
            cells: dict[str, Any] = {
                "item": self.cells["item"],
                "annotator": str(part.scalar("user") or "unknown"),
                "time": part.scalar("updated_at"),
            }
            if self.book:
                cells["cluster"] = self.stem
            label = part.needed("label")
            if "start_offset" in part:
                self.rows.span(
                    self.document, part.offset("start_offset"), part.offset("end_offset"), label=label, **cells
                )
            else:
                self.rows.add("set", label=label, text=self.document, **cells)
