"""SageMaker Ground Truth: worker responses, a JSON file per item; the consolidated manifest names no workers."""

from __future__ import annotations

import json
import re
from pathlib import PurePosixPath
from typing import Any

from accord.annotations.left_out import Reason
from accord.errors import quoted
from accord.readers import json_files
from accord.readers.crowd_forms import add_field
from accord.readers.found_format import Found
from accord.readers.source import Source
from accord.study.tables.rows import ReadOptions, Record, Rows

NAME = "ground-truth"
LOOSE = True  # its folders hold other files too
RESPONSE = re.compile(r"(?:^|/)worker-response/iteration-(\d+)/([^/]+)/[^/]+\.json$")


def sniff(source: Source) -> Found | None:
    """A folder worker-response/iteration-N, a file with 'answers' of workers, or a manifest."""
    found = [name for name in source.names if RESPONSE.search(name)]
    if found:
        return Found(NAME, f"{len(found)} files of worker responses")
    if source.only is None:
        return None
    glance = source.glance(source.only)
    if isinstance(glance.record, dict) and _answers(glance.record):
        return Found(NAME, "'answers' with 'workerId' and 'answerContent'")
    if (
        glance.form == "json lines"
        and glance.keys & {"source", "source-ref"}
        and any(key.endswith("-metadata") for key in glance.keys)
    ):
        return Found(NAME, "lines with 'source' and a '-metadata' field, as in a manifest")
    return None


def _answers(record: dict[str, Any]) -> bool:
    answers = record.get("answers")
    return isinstance(answers, list) and bool(answers) and isinstance(answers[0], dict) and "workerId" in answers[0]


def read(source: Source, options: ReadOptions) -> Rows:
    """A row for each worker's answer to each field of the form."""
    rows = Rows("set of Ground Truth responses", options)
    files = [name for name in source.names if RESPONSE.search(name)]
    texts = _manifest(source, options)
    for name in files:
        found = RESPONSE.search(name)
        assert found is not None
        item = found.group(2)
        with rows.guarding():
            _response(json_files.load_record(source, name, options), item, texts.get(item), rows)
    if files:
        return rows
    name = source.only or ""
    record = source.glance(name).record
    if isinstance(record, dict) and _answers(record):
        with rows.guarding():
            _response(json_files.load_record(source, name, options), PurePosixPath(name).stem, None, rows)
        return rows
    rows.note("a manifest holds consolidated labels and names no workers: there is nobody to compare. The job's folder "
              "annotations/worker-response has them")  # fmt: skip
    for place, line in enumerate(json_files.lines(source, name, options, rows)):
        with rows.guarding():
            _consolidated(line, place, rows)
    return rows


def _consolidated(line: Record, place: int, rows: Rows) -> None:
    text = line.text("source")
    for key in line.data:
        if not key.endswith("-metadata"):
            continue
        task, metadata = key.removesuffix("-metadata"), line.record(key)
        common: dict[str, Any] = {
            "item": line.scalar("source-ref") or place,
            "annotator": "consolidated",
            "task": task,
            "text": text,
        }
        if "class-name" in metadata:
            rows.add("single", label=metadata.scalar("class-name"), confidence=metadata.number("confidence"), **common)
        elif "class-map" in metadata:
            rows.answer("set", list(metadata.record("class-map").data.values()), **common)
        else:
            rows.left_out.add(Reason.UNREAD_ANSWER, 1)


def _manifest(source: Source, options: ReadOptions) -> dict[str, str]:
    """The texts by their place in the manifest, which is how responses are numbered."""
    name = next((name for name in source.names if name.endswith(".manifest")), None)
    if name is None:
        return {}
    found = {}
    for place, record in enumerate(json_files.lines(source, name, options, Rows("manifest", options))):
        text = record.data.get("source")
        if isinstance(text, str):
            found[str(place)] = text
    return found


def _response(record: Record, item: str, text: str | None, rows: Rows) -> None:
    for answer in record.records("answers"):
        common: dict[str, Any] = {
            "item": item, "annotator": str(answer.needed("workerId")), "time": answer.scalar("submissionTime"),
            "seconds": answer.number("timeSpentInSeconds"),
        }  # fmt: skip
        content = answer.data.get("answerContent")
        if isinstance(content, str):
            try:
                content = json.loads(content)
            except ValueError:
                raise answer.error("'answerContent' is not JSON: ", quoted(content[:40]), ".") from None
        form = Record(content, *answer.place)
        for name in form.data:
            add_field(form, name, text, rows, common)
