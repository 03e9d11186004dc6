"""Prodigy's JSON Lines (`db-out`): one annotator and one task a line; binary, choice, spans, relations and review."""

from __future__ import annotations

import re
from typing import Any

from accord.errors import ColumnMissing, MayBeNames, Message, quoted
from accord.readers import annotator_paths, json_files
from accord.readers.annotator_paths import Owner
from accord.readers.found_format import Found
from accord.readers.source import Source
from accord.study.declared_scales import Scale
from accord.study.tables.rows import ReadOptions, Record, Rows, kept_name
from accord.study.tables.to_study import same_type

NAME = "prodigy"
TIME = re.compile(r"(?:.*-)?\d{4}-\d\d-\d\d[_T ]\d\d[-:]\d\d[-:]\d\d(?:\.\d+)?")  # a session that nobody named
MOST_DESCRIBED = 8  # options in a note
STATUS = {"accept": None, "reject": "rejected", "ignore": "skipped"}
# Prodigy's own fields; what else a record holds was put there by whoever made the task, and is kept beside it
OWN = frozenset({
    "text", "html", "image", "audio", "video", "field_rows", "label", "accept", "options", "spans", "tokens",
    "relations", "audio_spans", "answer", "meta", "config", "versions", "sessions", "view_id", "id", "width", "height",
    "style", "content", "arcs", "user_input", "paste", "priority", "score", "default",
})  # fmt: skip


def sniff(source: Source) -> Found | None:
    """Lines with _input_hash or _task_hash, or with a view where Prodigy has not hashed them yet, and an answer."""
    for name in source.data:
        glance = source.glance(name)
        seen = glance.keys & {"_input_hash", "_task_hash", "_view_id"}
        if glance.form not in ("json lines", "json array", "json object") or not seen or "answer" not in glance.keys:
            return None
    many = "" if len(source.data) == 1 else f"{len(source.data)} files of "
    return Found(NAME, f"{many}JSON lines with {min(seen)!r} and 'answer'")


def read(source: Source, options: ReadOptions) -> Rows:
    """A row for each label or span; `ignore` is skipped, `reject` of a choice or of spans is rejected."""
    rows = Rows("Prodigy export", options)
    files = source.data
    owners = annotator_paths.people(files, rows, called=source.name)
    found = [(record, owners[name]) for name in files for record in json_files.records(source, name, options, rows)]
    records = [record for record, _ in found]
    by_id = _ids_name_items(records)
    for number, (record, owner) in enumerate(found):
        with rows.guarding():
            _Example(record, owner, rows, number, by_id=by_id).read()
    _name_people(rows, source.name)
    _suggest(records, rows, options.roles.get("suggested"), by_id=by_id)
    _declare(records, rows)
    return rows


def _suggest(records: list[Record], rows: Rows, path: str | None, *, by_id: bool) -> None:
    """Sets of labels that were suggested, once per item, as answers of what the field is called."""
    if path is None or path in rows.columns:
        return
    seen: set[Any] = set()
    for record in records:
        held: Any = record.data
        for step in [path] if path in record.data else path.split("."):
            held = held.get(step) if isinstance(held, dict) else None
        item = record.scalar("id") if by_id else record.scalar("_input_hash")
        if isinstance(held, list) and item not in seen:
            seen.add(item)
            cells = {"item": item, "annotator": path, "annotation": f"suggested {item}"}
            rows.answer("set", held, task="choice", kind="model", status="suggested", **cells)
    if not seen:
        raise ColumnMissing("suggested", path, [*rows.columns])


def _declare(records: list[Record], rows: Rows) -> None:
    """The options of a choice, where every record offers the same, are its scale."""
    offered = {
        tuple(str(option.get("id")) for option in options if isinstance(option, dict))
        for record in records
        if isinstance(options := record.data.get("options"), list)
    }
    if len(offered) != 1 or "choice" not in rows.columns.get("task", ()):
        return
    labels = next(iter(offered))
    if len(labels) > 1 and len(set(labels)) == len(labels) and "None" not in labels:
        rows.scales["choice"] = Scale(tuple(same_type(list(labels))))
    shown = next(record.data["options"] for record in records if isinstance(record.data.get("options"), list))
    words = {str(option.get("id")): option.get("text") for option in shown if isinstance(option, dict)}
    if any(isinstance(text, str) and text.casefold() != label.casefold() for label, text in words.items()):
        descriptions = [f"{label!r} is {text!r}" for label, text in words.items()]
        more = f" … ({len(descriptions)} in all)" if len(descriptions) > MOST_DESCRIBED else ""
        rows.note(
            Message(
                "options are called by their ids", MayBeNames(f": {', '.join(descriptions[:MOST_DESCRIBED])}{more}", "")
            )
        )


def _ids_name_items(records: list[Record]) -> bool:
    """Does every record have an id of its own that goes with the hash of its input, if any is hashed?"""
    pairs = {(str(record.data.get("id")), str(record.data.get("_input_hash"))) for record in records}
    if any(record.data.get("id") is None for record in records):
        return False
    if all(record.data.get("_input_hash") is None for record in records):
        return True
    return len(pairs) == len({one for one, _ in pairs}) == len({other for _, other in pairs})


def _name_people(rows: Rows, stem: str) -> None:
    """Sessions are called dataset-name, and files by whoever worked in them."""
    if "annotator" not in rows.columns:
        return
    people = rows.columns["annotator"]
    sessions = _without_dataset([None if isinstance(who, _File) else who for who in people], stem)
    rows.columns["annotator"] = [
        str(who) if isinstance(who, _File) else session for who, session in zip(people, sessions, strict=True)
    ]


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


def _beside(record: dict[str, Any]) -> dict[str, Any]:
    """What the makers of the task put into it: plain fields, and those one level below under both names."""
    kept: dict[str, Any] = {}
    for key, value in record.items():
        if key in OWN or key.startswith("_"):
            continue
        parts = {f"{key}.{name}": part for name, part in value.items()} if isinstance(value, dict) else {key: value}
        kept.update({kept_name(name): part for name, part in parts.items() if isinstance(part, str | int | float)})
    return kept


class _File(str):
    """An annotator who is named by the file, not by a session."""


def _who(record: Record, owner: Owner, rows: Rows) -> str:
    """The named session, else the file: a session without a name is called after its time, and a person has many."""
    sessions = [str(who) for field in ("_annotator_id", "_session_id") if (who := record.scalar(field)) is not None]
    named = next((who for who in sessions if who and not TIME.fullmatch(who)), None)
    if named is not None and not owner.is_reference:
        return named
    if sessions:
        rows.note("sessions are called after the time when they began, so the file is the annotator")
    return _File(owner.annotator)


class _Example:
    """One line."""

    def __init__(self, record: Record, owner: Owner, rows: Rows, number: int, *, by_id: bool) -> None:
        self.record, self.rows = record, rows
        item = record.scalar("id") if by_id else record.scalar("_input_hash")
        if item is None:
            item = record.needed("_task_hash")
        self.cells: dict[str, Any] = {
            **owner.cells, "item": item, "annotator": _who(record, owner, rows), "annotation": str(number),
            "time": record.number("_timestamp"),
        }  # fmt: skip
        meta = record.data.get("meta")
        if isinstance(meta, dict):
            plain = {f"meta.{key}": value for key, value in meta.items() if isinstance(value, str | int | float)}
            self.cells.update({("confidence" if key == "meta.score" else key): value for key, value in plain.items()})
        self.cells.update(_beside(record.data))

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
            raise record.error("'answer' should be accept, reject or ignore, and it is ", quoted(answer), ".")
        status = cells.get("status") or STATUS[answer]
        cells = {**cells, "status": status}
        document = self.record.text("text")
        if isinstance(record.data.get("accept"), dict):
            shown = "accept" if answer == "accept" else "reject"
            kept = {**cells, "status": cells["status"] if answer == "ignore" else None}
            self.rows.add("single", label=None if answer == "ignore" else shown, task="compare", **kept)
        elif "options" in record or "accept" in record:
            self._choice(record, document, cells)
        elif isinstance(record.data.get("relations"), list):
            self._relations(record, cells)
            self._spans(record, document, cells)
        elif self._is_one_span(record):
            self._one_span(record, document, answer, cells)
        elif isinstance(record.data.get("label"), str) and self._binary(record):
            cells["status"] = cells["status"] if answer == "ignore" or status == "adjudicated" else None
            self.rows.add(
                "single",
                label=None if answer == "ignore" else answer,
                task=record.text("label"),
                text=document,
                **cells,
            )
        elif "audio_spans" in record:
            self._sounds(record, cells)
        elif any("points" in span.data or "x" in span.data for span in record.records("spans")):
            self._boxes(record, cells)
        elif "image" in record and "spans" in record.data:
            self.rows.add("boxes", task="spans", **cells)
        elif "spans" in record.data or "tokens" in record:
            self._spans(record, document, cells)
        elif "user_input" in record:
            self.rows.add("single", **{**cells, "text": str(record.scalar("user_input")), "status": "free text"})
        else:
            raise record.error("There are no options, label, spans or relations: what was the question?")

    def _is_one_span(self, record: Record) -> bool:
        """Is one marked span shown, to accept or reject, as `ner.teach` asks?"""
        return record.flag("_is_binary") and "label" not in record and len(record.listed("spans")) == 1

    def _one_span(self, record: Record, document: str | None, answer: str, cells: dict[str, Any]) -> None:
        """A text with a span is the item, and whether it is right the answer."""
        span = record.records("spans")[0]
        place = f"{span.offset('start')}-{span.offset('end')}"
        kept = {**cells, "item": f"{cells['item']} {place}", "status": cells["status"] if answer == "ignore" else None}
        label = None if answer == "ignore" else answer
        self.rows.add("single", label=label, task=str(span.scalar("label") or "span"), text=document, **kept)

    def _sounds(self, record: Record, cells: dict[str, Any]) -> None:
        spans = record.records("audio_spans") if cells["status"] != "skipped" else []
        for span in spans:
            place = {"start": span.number("start"), "end": span.number("end")}
            self.rows.add("spans", label=span.scalar("label") or "(no label)", task="audio_spans", **place, **cells)
        if not spans:
            self.rows.add("spans", task="audio_spans", **cells)

    def _boxes(self, record: Record, cells: dict[str, Any]) -> None:
        """Shapes in a picture; of polygons and freehand shapes the box around them."""
        for span in record.records("spans") if cells["status"] != "skipped" else []:
            points = [point for point in span.listed("points") if isinstance(point, list) and len(point) == 2]
            if "width" not in span and points and all(isinstance(x, int | float) for point in points for x in point):
                xs, ys = [point[0] for point in points], [point[1] for point in points]
                place = {"x": min(xs), "y": min(ys), "width": max(xs) - min(xs), "height": max(ys) - min(ys)}
            else:
                place = {key: span.number(key) or 0.0 for key in ("x", "y", "width", "height")}
            self.rows.add("boxes", label=span.scalar("label") or "(no label)", task="spans", **place, **cells)

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
        tokens = [(token.offset("start"), token.offset("end")) for token in record.records("tokens")]
        self.rows.document(cells["item"], document, tokens, task="spans")
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
        tokens = {token.scalar("id"): token for token in record.records("tokens")}
        for relation in relations:
            head, child = (self._end(tokens, relation, name) for name in ("head", "child"))
            self.rows.relation(head, child, label=relation.scalar("label") or "related", task="relations", **cells)

    def _end(self, tokens: dict[Any, Record], relation: Record, name: str) -> tuple[int, int]:
        """The span at one end of a relation, or the token with its number."""
        span = relation.record(f"{name}_span")
        if "start" not in span:
            token = tokens.get(relation.scalar(name))
            if token is None:
                raise relation.error(
                    "A relation names the token ", quoted(relation.scalar(name)), ", which is not there."
                )
            span = token
        return span.offset("start"), span.offset("end")
