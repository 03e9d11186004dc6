"""Prodigy's JSON Lines (`db-out`): one annotator and one task a line; binary, choice, spans, relations and review."""

from __future__ import annotations

from typing import Any

from accord.readers import jsonfiles
from accord.readers.rows import Asked, Record, Rows
from accord.readers.source import Found, Source

TITLE = "Prodigy"
NAME = "prodigy"
STATUS = {"accept": None, "reject": "rejected", "ignore": "skipped"}


def sniff(source: Source) -> Found | None:
    """Lines with _input_hash or _task_hash, and an answer."""
    if source.only is None:
        return None
    glance = source.glance(source.only)
    seen = glance.keys & {"_input_hash", "_task_hash"}
    if glance.form in ("json lines", "json array", "json object") and seen and "answer" in glance.keys:
        return Found(NAME, f"JSON lines with {min(seen)!r} and 'answer'")
    return None


def read(source: Source, asked: Asked) -> Rows:
    """A row for each label or span; `ignore` is skipped, `reject` of a choice or of spans is rejected."""
    name = source.only or ""
    rows = Rows("Prodigy export", asked)
    records = list(jsonfiles.records(source, name, asked, rows))
    by_id = _ids_name_items(records)
    for number, record in enumerate(records):
        with rows.guarding():
            _Example(record, source.name, rows, number, by_id=by_id).read()
    if "annotator" in rows.columns:
        rows.columns["annotator"] = _without_dataset(rows.columns["annotator"], source.name)
    return rows


def _ids_name_items(records: list[Record]) -> bool:
    """Does every record have an id of its own that goes with the hash of its input?"""
    pairs = {(str(record.data.get("id")), str(record.data.get("_input_hash"))) for record in records}
    if any(record.data.get("id") is None for record in records):
        return False
    return len(pairs) == len({one for one, _ in pairs}) == len({other for _, other in pairs})


def _without_dataset(people: list[Any], stem: str) -> list[Any]:
    """Sessions are called dataset-name: the part that all share goes."""
    names = sorted({who for who in people if who is not None})
    shared = next((place for place, letters in enumerate(zip(*names, strict=False)) if len(set(letters)) > 1), 0)
    cut = (names[0][:shared] if names else "").rfind("-") + 1
    if len(names) == 1:
        cut = len(stem) + 1 if names[0].startswith(f"{stem}-") else names[0].find("-") + 1
    if not cut or any(len(who) == cut for who in names):
        return people
    return [None if who is None else who[cut:] for who in people]


class _Example:
    """One line."""

    def __init__(self, record: Record, dataset: str, rows: Rows, number: int, *, by_id: bool) -> None:
        self.record, self.rows = record, rows
        item = record.scalar("id") if by_id else record.scalar("_input_hash")
        if item is None:
            item = record.needed("_task_hash")
        who = record.scalar("_annotator_id") or record.scalar("_session_id") or dataset
        self.cells: dict[str, Any] = {
            "item": item, "annotator": str(who), "time": record.number("_timestamp"), "annotation": str(number),
        }  # fmt: skip
        meta = record.data.get("meta")
        if isinstance(meta, dict):
            plain = {f"meta.{key}": value for key, value in meta.items() if isinstance(value, str | int | float)}
            self.cells.update({("confidence" if key == "meta.score" else key): value for key, value in plain.items()})

    def read(self) -> None:
        """The rows of the line, by what it holds."""
        if isinstance(self.record.data.get("versions"), list):
            self._review()
        else:
            self._answers(self.record, self.cells)

    def _review(self) -> None:
        """What the reviewer decided is gold; the versions are what the sessions had answered."""
        gold = {**self.cells, "status": "adjudicated", "kind": "adjudicator"}
        self._answers(self.record, gold)
        for version in self.record.records("versions"):
            for who in version.labels("sessions"):
                cells = {**self.cells, "annotator": str(who), "annotation": f"{self.cells['annotation']}-{who}"}
                self._answers(version, cells)

    def _answers(self, record: Record, cells: dict[str, Any]) -> None:
        answer = record.text("answer") or "accept"
        if answer not in STATUS:
            raise record.wrong(f"'answer' should be accept, reject or ignore, and it is {answer!r}")
        status = cells.get("status") or STATUS[answer]
        cells = {**cells, "status": status}
        document = self.record.text("text")
        if "options" in record or "accept" in record:
            self._choice(record, document, cells)
        elif isinstance(record.data.get("relations"), list):
            self._relations(record, cells)
            self._spans(record, document, cells)
        elif isinstance(record.data.get("label"), str) and self._binary(record):
            cells["status"] = cells["status"] if answer == "ignore" or status == "adjudicated" else None
            self.rows.add(
                "single",
                label=None if answer == "ignore" else answer,
                task=record.text("label"),
                text=document,
                **cells,
            )
        elif "spans" in record or "tokens" in record:
            self._spans(record, document, cells)
        else:
            raise record.wrong("there are no options, label, spans or relations: what was the question?")

    def _binary(self, record: Record) -> bool:
        """A label to accept or reject: for the whole text, or for one span that is shown."""
        return "spans" not in record or record.flag("_is_binary") or record.data.get("_view_id") == "classification"

    def _choice(self, record: Record, document: str | None, cells: dict[str, Any]) -> None:
        style = self.record.record("config").data.get("choice_style")
        labels = record.labels("accept")
        kind = "set" if style == "multiple" or len(labels) > 1 else "single"
        self.rows.answer(kind, labels if cells["status"] != "skipped" else [], text=document, task="choice", **cells)

    def _spans(self, record: Record, document: str | None, cells: dict[str, Any]) -> None:
        spans = record.records("spans")
        if not spans or cells["status"] == "skipped":
            self.rows.add("spans", task="spans", **cells)
            return
        for span in spans:
            start, end = span.offset("start"), span.offset("end")
            self.rows.span(document, start, end, label=span.scalar("label") or "(no label)", task="spans", **cells)

    def _relations(self, record: Record, cells: dict[str, Any]) -> None:
        relations = record.records("relations")
        if not relations:
            self.rows.add("relations", task="relations", **cells)
        for relation in relations:
            head, child = relation.record("head_span"), relation.record("child_span")
            self.rows.add(
                "relations", label=relation.scalar("label") or "related", task="relations", start=head.offset("start"),
                end=head.offset("end"), to_start=child.offset("start"), to_end=child.offset("end"), **cells,
            )  # fmt: skip
