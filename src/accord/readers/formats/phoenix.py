"""Exports of observability tools: Arize Phoenix's annotations and Langfuse's scores, by people, models and code."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from accord.errors import quoted
from accord.readers import json_files
from accord.readers.csv_files import header, records_of_csv
from accord.readers.found_format import Found
from accord.readers.source import Source
from accord.study.tables.rows import ReadOptions, Record, Rows

NAME = "phoenix"
NAMES = ("name", "annotation_name")  # as the server calls what was asked, and as the client's dataframe does
KINDS = {"HUMAN": "person", "LLM": "model", "CODE": "model"}
PHOENIX_IDS = ("span_id", "trace_id", "session_id")


def first_record(source: Source) -> Any:
    """The first record, also of {"data": [...]}."""
    if source.only is None:
        return None
    glance = source.glance(source.only)
    record = glance.record
    if isinstance(record, dict) and isinstance(record.get("data"), list) and record["data"]:
        record = record["data"][0]
    return (
        record
        if isinstance(record, dict)
        else dict.fromkeys(header(source, source.only))
        if glance.form == "text"
        else None
    )


def sniff(source: Source) -> Found | None:
    """Records with annotator_kind, name and a span_id."""
    record = first_record(source)
    if record is None or "annotator_kind" not in record or not set(record) & set(NAMES):
        return None
    found = [key for key in PHOENIX_IDS if key in record]
    return Found(NAME, f"records with 'annotator_kind' and {found[0]!r}") if found else None


def each(source: Source, options: ReadOptions, rows: Rows) -> Iterator[Record]:
    """The records of a list, of lines, of a table, or under 'data'."""
    name = source.only or ""
    glance = source.glance(name)
    if glance.form == "text":
        yield from records_of_csv(source, name, options, rows)
    elif glance.form in ("json object", "json lines") and "data" in glance.keys:
        yield from json_files.load_record(source, name, options).records("data")
    else:
        yield from json_files.records(source, name, options, rows)


def read(source: Source, options: ReadOptions) -> Rows:
    """A row for each annotation; a label, or a score where there is no label."""
    rows = Rows("file of Phoenix annotations", options)
    labelled: dict[str, bool] = {}
    records = list(each(source, options, rows))
    for record in records:
        name = str(_annotation_name(record))
        labelled[name] = labelled.get(name, False) or _result(record).data.get("label") is not None
    for record in records:
        with rows.guarding():
            _annotation(record, rows, labelled)
    return rows


def _annotation_name(record: Record) -> Any:
    return next((record.data[key] for key in NAMES if key in record), None)


def _result(record: Record) -> Record:
    """The label and the score: an object of their own, or in columns result.label and result.score."""
    if isinstance(record.data.get("result"), dict):
        return record.record("result")
    flat = {key.removeprefix("result."): cell for key, cell in record.data.items() if key.startswith("result.")}
    return Record(flat, *record.place) if flat else record


def _item(record: Record) -> str | int | float:
    """What was annotated; a document among those that a span found is called by its place in it."""
    for key in PHOENIX_IDS:
        if key in record:
            found, place = record.needed(key), record.scalar("document_position")
            return found if place is None else f"{found}/{place}"
    raise record.error("It names no span, trace or session.")


def _annotation(record: Record, rows: Rows, labelled: dict[str, bool]) -> None:
    kind = str(record.needed("annotator_kind"))
    if kind not in KINDS:
        raise record.error("'annotator_kind' should be HUMAN, LLM or CODE, and it is ", quoted(kind), ".")
    item = _item(record)
    if _annotation_name(record) is None:
        raise record.error("It does not say what was asked: 'name' is missing.")
    metadata = record.record("metadata") if isinstance(record.data.get("metadata"), dict) else record
    who = record.scalar("user_id") or record.scalar("identifier") or metadata.scalar("model") or kind.lower()
    result, task = _result(record), str(_annotation_name(record))
    cells: dict[str, Any] = {
        "item": item,
        "annotator": str(who),
        "kind": KINDS[kind],
        "task": task,
        "time": record.scalar("updated_at") or record.scalar("created_at"),
        "explanation": result.scalar("explanation"),
    }
    score = result.data.get("score")
    if isinstance(score, str):
        try:
            score = float(score)
        except ValueError:
            raise record.error("The score ", quoted(score), " is no number.") from None
    elif score is not None:
        score = result.number("score")
    if labelled[task]:
        rows.add("single", label=result.scalar("label"), score=score, **cells)
    else:
        rows.add("score", score=score, **cells)
