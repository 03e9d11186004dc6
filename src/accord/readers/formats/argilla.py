"""Argilla: version 2 flattened (a column per question) and nested, and version 1 as it lies on the Hub."""

from __future__ import annotations

import json
from typing import Any

from accord.annotations.answers import Level
from accord.annotations.left_out import Reason
from accord.errors import MayBeNames, Message, quoted
from accord.readers import json_files
from accord.readers.found_format import Found
from accord.readers.source import Source
from accord.study.declared_scales import Scale
from accord.study.shapes.loaded import Trait
from accord.study.tables.rows import ReadOptions, Record, Rows

NAME = "argilla"
LOOSE = True  # the settings of the dataset lie beside its records
RECORDS, SETTINGS = "records.json", "settings.json"
STATUS = {"submitted": None, "draft": "draft", "discarded": "skipped", "pending": "draft", "missing": "skipped"}


def sniff(source: Source) -> Found | None:
    """Parallel columns q.responses and q.responses.users; or fields with responses; or lists with user_id and value."""
    name = _file(source)
    if name is None:
        return None
    glance = source.glance(name)
    if glance.form == "binary":
        return _sniff_parquet(source)
    if not glance.form.startswith("json"):
        return None
    keys, record = glance.keys, glance.record
    flat = [key for key in keys if key.endswith(".responses.users")]
    if flat:
        return Found(NAME, Message("the field ", MayBeNames(repr(min(flat))), " of version 2"))
    if {"fields", "responses"} <= keys and isinstance(record, dict) and isinstance(record["responses"], dict | list):
        return Found(NAME, f"records with 'fields' and 'responses' of version {_version(record)}")
    if {"annotation", "annotation_agent", "prediction_agent"} <= keys:
        return Found(NAME, "records with 'annotation' and 'annotation_agent', as before version 2")
    first = [key for key in sorted(keys) if isinstance(record, dict) and _is_v1(record[key])]
    if first and keys & {"external_id", "metadata", f"{first[0]}-suggestion"}:
        return Found(
            NAME,
            Message(
                "answers with 'user_id', 'value' and 'status' under ", MayBeNames(repr(first[0])), ", as in version 1"
            ),
        )
    return None


def _file(source: Source) -> str | None:
    """The file with the records: the only one, or the one that `Dataset.to_disk` puts beside the settings."""
    return source.only or next((name for name in source.names if name == RECORDS and SETTINGS in source.names), None)


def _version(record: dict[str, Any]) -> int:
    return 2 if isinstance(record["responses"], dict) else 1


def _sniff_parquet(source: Source) -> Found | None:
    name = source.only or ""
    if not name.endswith((".parquet", ".pq")):
        return None
    try:
        import polars as pl

        with source.open(name) as stream:
            columns = list(pl.read_parquet_schema(stream))
    except Exception:  # noqa: BLE001 - no Polars or no Parquet: then it is not this, and the table reader says what is wrong
        return None
    flat = [column for column in columns if column.endswith(".responses.users")]
    return Found(NAME, Message("the column ", MayBeNames(repr(flat[0])), " of version 2")) if flat else None


def _is_v1(value: Any) -> bool:
    return (
        isinstance(value, list) and bool(value) and isinstance(value[0], dict) and {"user_id", "value"} <= set(value[0])
    )


def read(source: Source, options: ReadOptions) -> Rows:
    """A row for each answer to each question; what a model suggested is kept beside it."""
    rows = Rows("Argilla export", options, Trait.SUGGESTED_BY_THE_TOOL)
    name = _file(source) or source.names[0]
    if SETTINGS in source.names and source.only is None:
        _declare(json_files.load_record(source, SETTINGS, options), rows)
    for number, record in enumerate(_records(source, name, options, rows), start=1):
        with rows.guarding():
            _record(record, number, rows)
    return rows


def _declare(settings: Record, rows: Rows) -> None:
    """The labels and ratings that a question offers, used or not."""
    for question in settings.records("questions"):
        about = question.record("settings")
        offered = [option.scalar("value") for option in about.records("options")]
        if offered and about.scalar("type") in ("label_selection", "multi_label_selection", "rating"):
            level: Level | None = "ordinal" if about.scalar("type") == "rating" else None
            rows.scales[str(question.needed("name"))] = Scale(tuple(dict.fromkeys(offered)), "listed", level)


def _records(source: Source, name: str, options: ReadOptions, rows: Rows) -> Any:
    if source.glance(name).form != "binary":
        return json_files.records(source, name, options, rows)
    from accord.readers import table_file

    table = table_file.load(source, name, options)
    columns = table.lists()
    return (
        Record({key: columns[key][place] for key in columns}, source.where(name), "part", f"row {place + 1}")
        for place in range(table.rows)
    )


def _record(record: Record, number: int, rows: Rows) -> None:
    item = record.scalar("id") or record.scalar("external_id") or record.scalar("_server_id") or number
    if isinstance(record.data.get("responses"), dict):
        _nested(record, item, rows)
        return
    if isinstance(record.data.get("responses"), list) and "fields" in record:
        _by_user(record, item, rows)
        return
    if "annotation_agent" in record.data:
        _one_agent(record, item, rows)
        return
    flat = [key.removesuffix(".responses") for key in record.data if key.endswith(".responses")]
    for question in flat:
        _flat(record, question, item, rows)
    if not flat:
        _version_1(record, item, rows)


def _nested(record: Record, item: Any, rows: Rows) -> None:
    responses, suggestions = record.record("responses"), record.record("suggestions")
    texts = record.record("fields")
    for question in responses.data:
        suggestion = suggestions.record(question)
        cells = _cells(item, question, suggestion.data.get("value"), suggestion)
        for response in responses.records(question):
            if "status" not in response:
                rows.note("this form does not tell drafts and discarded answers from submitted ones")
            status = _status(record, response.data.get("status") or "submitted")
            who = str(response.needed("user_id"))
            _answer(
                rows, response, response.data.get("value"), _text(texts), {**cells, "annotator": who, "status": status}
            )
        _suggest(rows, record, suggestion.data.get("value"), suggestion, cells, _text(texts))


def _by_user(record: Record, item: Any, rows: Rows) -> None:
    """As the server and `FeedbackRecord` write it: a response a user, with the values of all questions."""
    texts = _text(record.record("fields"))
    suggestions = {str(suggestion.needed("question_name")): suggestion for suggestion in record.records("suggestions")}
    nothing = Record({}, *record.place)
    for response in record.records("responses"):
        status = _status(record, response.data.get("status") or "submitted")
        who, values = str(response.scalar("user_id") or "unknown"), response.record("values")
        if not values.data:
            rows.add("empty", item=item, annotator=who, status=status or "skipped")
        for question in values.data:
            suggestion = suggestions.get(question, nothing)
            cells = {
                **_cells(item, question, suggestion.data.get("value"), suggestion),
                "annotator": who,
                "status": status,
            }
            _answer(rows, response, values.record(question).data.get("value"), texts, cells)
    for question, suggestion in suggestions.items():
        _suggest(rows, record, suggestion.data.get("value"), suggestion, _cells(item, question, None, nothing), texts)


def _one_agent(record: Record, item: Any, rows: Rows) -> None:
    """Datasets before version 2: one annotation a record, and what a model predicted."""
    predicted = [prediction for prediction in record.listed("prediction") if prediction is not None]
    agent = str(record.scalar("prediction_agent") or "model")
    best = predicted[0] if predicted else None
    scored = Record(best, *record.place) if isinstance(best, dict) else None
    suggested = None if scored is None else scored.scalar("label")
    common: dict[str, Any] = {"item": item, "text": _text(record)}
    if suggested is not None and scored is not None:
        cells = {**common, "annotator": agent, "kind": "model", "status": "suggested"}
        rows.add("single", label=suggested, confidence=scored.number("score"), **cells)
    status = record.data.get("status")
    who = str(record.scalar("annotation_agent") or "unknown")
    if status == "Discarded":
        rows.add("single", annotator=who, status="skipped", **common)
        return
    labels = record.labels("annotation")
    if labels:
        kind = "set" if record.flag("multi_label") else "single"
        rows.answer(kind, labels, annotator=who, suggested=suggested, **common)


def _flat(record: Record, question: str, item: Any, rows: Rows) -> None:
    values, people = record.listed(f"{question}.responses"), record.listed(f"{question}.responses.users")
    statuses = record.listed(f"{question}.responses.status") or ["submitted"] * len(values)
    if not len(values) == len(people) == len(statuses):
        raise record.error(
            "The lists of question ",
            quoted(question),
            f" are of different lengths: {len(values)}, {len(people)}, {len(statuses)}.",
        )
    suggestion = Record(
        {
            "score": record.data.get(f"{question}.suggestion.score"),
            "agent": record.data.get(f"{question}.suggestion.agent"),
        },
        *record.place,
    )
    cells = _cells(item, question, record.data.get(f"{question}.suggestion"), suggestion)
    for value, who, status in zip(values, people, statuses, strict=True):
        _answer(rows, record, value, _text(record), {**cells, "annotator": str(who), "status": _status(record, status)})
    _suggest(rows, record, record.data.get(f"{question}.suggestion"), suggestion, cells, _text(record))


def _version_1(record: Record, item: Any, rows: Rows) -> None:
    questions = [key for key, value in record.data.items() if _is_v1(value)]
    if not questions:
        raise record.error("There are no answers of users in it.")
    for question in questions:
        suggestion = record.record(f"{question}-suggestion-metadata")
        cells = _cells(item, question, record.data.get(f"{question}-suggestion"), suggestion)
        for response in record.records(question):
            status = _status(record, response.data.get("status") or "submitted")
            who = str(response.needed("user_id"))
            _answer(
                rows, response, response.data.get("value"), _text(record), {**cells, "annotator": who, "status": status}
            )
        _suggest(rows, record, record.data.get(f"{question}-suggestion"), suggestion, cells, _text(record))


def _status(record: Record, status: Any) -> str | None:
    if not isinstance(status, str) or status not in STATUS:
        raise record.error(
            f"The status of an answer should be one of {', '.join(STATUS)}, and it is ", quoted(status), "."
        )
    return STATUS[status]


def _cells(item: Any, question: str, suggested: Any, suggestion: Record) -> dict[str, Any]:
    plain = suggested if isinstance(suggested, str | int | float) else None
    return {
        "item": item,
        "task": question,
        "suggested": plain,
        "confidence": suggestion.number("score") if plain is not None else None,
    }


def _text(record: Record) -> str | None:
    texts = [
        value
        for key, value in record.data.items()
        if isinstance(value, str)
        and key not in ("id", "status", "_server_id", "metadata", "external_id")
        and "." not in key
        and "-" not in key
    ]
    return record.data["text"] if isinstance(record.data.get("text"), str) else max(texts, key=len, default=None)


def _suggest(
    rows: Rows, record: Record, value: Any, suggestion: Record, cells: dict[str, Any], text: str | None
) -> None:
    """A suggestion is the answer of a model, set aside."""
    if value is None:
        return
    agent = suggestion.scalar("agent") or "suggestion"
    _answer(
        rows,
        record,
        value,
        text,
        {**cells, "suggested": None, "annotator": str(agent), "kind": "model", "status": "suggested"},
    )


def _answer(rows: Rows, record: Record, value: Any, text: str | None, cells: dict[str, Any]) -> None:
    """By what the value is: a label, several, a ranking, spans."""
    if isinstance(value, str) and value[:2] == "[{":
        try:
            value = json.loads(value)
        except ValueError:
            raise record.error("The answer ", quoted(value[:40]), " is not JSON.") from None
    if value is None and cells.get("status") is None:
        rows.left_out.add(Reason.UNANSWERED, 1)
    elif value is None or value == []:
        rows.add("empty", **cells)
    elif isinstance(value, list) and any(isinstance(part, dict) for part in value):
        parts = Record({"parts": value}, *record.place).records("parts")
        if all("rank" in part for part in parts):
            for part in sorted(parts, key=lambda part: part.number("rank") or 0):
                task = f"{cells['task']}.{part.needed('value')}"
                rows.add("score", score=part.number("rank"), text=text, **{**cells, "task": task, "suggested": None})
        else:
            for part in parts:
                rows.span(
                    text,
                    part.offset("start"),
                    part.offset("end"),
                    label=part.needed("label"),
                    **{**cells, "suggested": None},
                )
    elif isinstance(value, list):
        for label in value:
            record.check_label(label)
        rows.answer("set", value, text=text, **cells)
    else:
        record.check_label(value)
        rows.add("single", label=value, text=text, **cells)
