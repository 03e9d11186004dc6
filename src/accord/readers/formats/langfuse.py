"""Langfuse's scores, of versions 1 to 3 of its API: name, value, dataType, source, author and what was scored."""

from __future__ import annotations

from typing import Any

from accord.errors import quoted
from accord.readers.formats.phoenix import each, first_record
from accord.readers.found_format import Found
from accord.readers.source import Source
from accord.study.tables.free_text import FREE_TEXT
from accord.study.tables.rows import ReadOptions, Record, Rows

NAME = "langfuse"
SCORED = ("observationid", "traceid", "sessionid", "datasetrunid", "experimentid")
IN_WORDS = ("TEXT", "CORRECTION")
KINDS = {"ANNOTATION": "person", "EVAL": "model", "API": None}


def sniff(source: Source) -> Found | None:
    """Records with dataType, source and value, of a trace, an observation, a session or an experiment."""
    record = first_record(source)
    if record is None:
        return None
    keys = {key.replace("_", "").lower() for key in record}
    if {"name", "datatype", "source", "value"} <= keys and keys & {*SCORED, "subject", "environment"}:
        return Found(NAME, "records with 'name', 'value', 'dataType' and 'source'")
    return None


def read(source: Source, options: ReadOptions) -> Rows:
    """A row for each score: a number, or a category."""
    rows = Rows("file of Langfuse scores", options)
    for record in each(source, options, rows):
        with rows.guarding():
            _score(
                Record({key.replace("_", "").lower(): value for key, value in record.data.items()}, *record.place), rows
            )
    return rows


def _score(record: Record, rows: Rows) -> None:
    origin = str(record.data.get("source") or "API").upper()
    if origin not in KINDS:
        raise record.error("'source' should be ANNOTATION, EVAL or API, and it is ", quoted(origin), ".")
    item = record.record("subject").scalar("id") or next((record.scalar(key) for key in SCORED if key in record), None)
    if item is None:
        raise record.error(
            "It names no trace, observation or session. From version 3 on, scores name them where they are asked for "
            "with fields=subject."
        )
    task = str(record.needed("name"))
    who = record.scalar("authoruserid") or record.scalar("configid") or f"{origin.lower()} {task}"
    kind = str(record.data.get("datatype") or "NUMERIC").upper()
    cells: dict[str, Any] = {
        "item": item,
        "annotator": str(who),
        "kind": KINDS[origin],
        "task": task,
        "time": record.scalar("timestamp"),
        "explanation": record.scalar("comment"),
    }
    value = record.data.get("value")
    if kind == "NUMERIC":
        try:
            number = None if value is None else float(value)
        except (TypeError, ValueError, OverflowError):
            raise record.error("The value ", quoted(value), " is no number.") from None
        rows.add("score", score=number, **cells)
        return
    label = record.scalar("stringvalue") if "stringvalue" in record else record.scalar("value")
    if kind in IN_WORDS:
        rows.add("single", label=label, status=FREE_TEXT, **cells)
        return
    if isinstance(label, bool):
        label = "true" if label else "false"
    if kind == "BOOLEAN" and label in (0, 1, 0.0, 1.0, "0", "1"):
        label = "true" if float(label) else "false"
    rows.add("single", label=label, **cells)
