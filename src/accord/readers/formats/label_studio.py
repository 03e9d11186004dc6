"""Label Studio: JSON (a task with its annotations), JSON-MIN and CSV (an annotation a record)."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from typing import Any

from accord.annotations.left_out import Reason
from accord.errors import AccordError, quoted
from accord.readers import json_files
from accord.readers.file_heads import Glance
from accord.readers.formats import label_studio_config, label_studio_files, label_studio_min
from accord.readers.formats.label_studio_fields import Annotation, LabelStudioResult, LabelStudioTask, LabelStudioUser
from accord.readers.formats.label_studio_results import ShownTexts, TaskAnswers
from accord.readers.found_format import Found
from accord.readers.json_files import TypedRecord
from accord.readers.source import Source
from accord.readers.typed_records import Scalar
from accord.study.shapes.loaded import Trait
from accord.study.tables.rows import InFile, ReadOptions, Record, Rows, kept_name

NAME = "label-studio"
OPTIONS = ("encoding", "config")


def sniff(source: Source) -> Found | None:
    """A list of tasks whose annotations have a result, or records with annotation_id and lead_time."""
    names = label_studio_files.exported(source)
    if not names:
        return None
    glance = source.glance(names[0])
    if len(names) > 1:
        if not any(label_studio_files.is_export(source, name) for name in names):
            return None
        which = "annotations with their tasks" if label_studio_files.is_annotation(glance) else "tasks"
        return Found(NAME, f"{len(names)} files of {which}")
    if _is_listed(glance):
        return Found(NAME, "a JSON object with a list of 'tasks'")
    if label_studio_files.is_tasks(glance):
        which = "annotations" if "annotations" in glance.keys else "completions"
        what = "a JSON list of tasks" if glance.form == "json array" else "JSON tasks"
        return Found(NAME, f"{what} with 'data' and {which!r}")
    if label_studio_files.is_annotation(glance):
        return Found(NAME, "an annotation with its 'task' in it")
    if label_studio_min.is_min(source, names[0]):
        return Found(NAME, "records with 'annotation_id' and 'lead_time', as in JSON-MIN and CSV")
    return None


def _is_listed(glance: Glance) -> bool:
    """Tasks as the API lists them, a page at a time: an object with the list in it."""
    tasks = glance.record.get("tasks") if isinstance(glance.record, dict) else None
    first = tasks[0] if isinstance(tasks, list) and tasks else None
    return isinstance(first, dict) and "data" in first and bool({"annotations", "completions"} & set(first))


def read(source: Source, options: ReadOptions) -> Rows:
    """A row for each label, score or span that an annotator gave to a task."""
    names = label_studio_files.exported(source) or [source.names[0]]
    if label_studio_min.is_min(source, names[0]):
        return label_studio_min.read(source, names[0], options)
    rows = Rows("Label Studio export (JSON)", options, Trait.SUGGESTED_BY_THE_TOOL)
    label_studio_files.tell_the_rest(source, names, rows)
    controls = label_studio_config.find(source, options, rows)
    fields = label_studio_config.fields_of(controls)
    people = People()
    tasks = (task for name in names for task in _tasks(source, name, options, rows))
    for number, task in enumerate(tasks, start=1):
        if task.fields is not None:
            before = rows.mark()
            try:
                _Task(task.fields, task.place, number, rows, people, fields).read()
                continue
            except AccordError:  # what is wrong is told by a look at the whole record
                rows.undo(before)
        with rows.guarding():
            record = label_studio_files.as_task(task.record())
            _Task(LabelStudioTask(record), record.place, number, rows, people, fields).read()
    rows.add_empty_answers(label_studio_config.apply(controls, rows))
    rows.columns["annotator"] = [people.name(who) for who in rows.columns.get("annotator", [])]
    return rows


def _tasks(source: Source, name: str, options: ReadOptions, rows: Rows) -> Iterable[TypedRecord]:
    glance = source.glance(name)
    if not _is_listed(glance) and glance.form != "json object":
        return json_files.typed_records(source, name, options, rows, LabelStudioTask)
    whole = json_files.load_record(source, name, options)
    listed = whole.records("tasks") if _is_listed(glance) else [whole]
    return [TypedRecord(None, record.data, record.place) for record in listed]


class People:
    """Annotators come as a number, or as a number with an address; one person is one name."""

    def __init__(self) -> None:
        self._address: dict[str, str] = {}

    def key(self, who: LabelStudioUser | Scalar) -> str | None:
        """The annotator's number, or address where there is none; None for an object that names nobody."""
        if who is None:
            return "unknown"
        if isinstance(who, str | int | float):
            return sys.intern(str(who))
        address = who.email or who.username
        number = who.id if who.id is not None else who.pk
        if number is None:
            return None if address is None else str(address)
        key = sys.intern(str(number))
        if address is not None:
            self._address[key] = str(address)
        return key

    def name(self, key: str | None) -> str | None:
        """The address that goes with a number, if any record tells it."""
        return None if key is None else self._address.get(key, key)


class _Task:
    """One task: its text, what a model suggested, and who said what."""

    def __init__(
        self, task: LabelStudioTask, place: InFile, number: int, rows: Rows, people: People, fields: dict[str, str]
    ) -> None:
        self.task, self.place, self.rows, self.people = task, place, rows, people
        known = task.id
        self.item = number if known is None else known
        data = task.data or {}
        self.besides = {
            kept_name(key, "data."): value
            for key, value in data.items()
            if isinstance(value, str | int | float) and not (isinstance(value, str) and len(value) > 80)
        }
        self.suggested: dict[str, Any] = {}
        self.shown = ShownTexts(data, fields, place)
        self.answers = TaskAnswers(self.shown, self.suggested, rows)
        self._is_shown = False  # is its text among the documents?

    def read(self) -> None:
        """Suggestions first: annotations come with what was suggested."""
        for prediction in self._in_full("predictions", self.task.predictions):
            self._prediction(Annotation(prediction), f"prediction {prediction.data.get('id', '')}")
        for place, annotation in enumerate(self.task.annotations or self.task.completions or ()):
            self._annotation(annotation, place)
        for place, record in enumerate(self._in_full("drafts", self.task.drafts)):
            draft, field = Annotation(record), "user" if "user" in record else "completed_by"
            common = self._common(draft, f"draft {record.data.get('id', place)}")
            common.update(
                status="draft", annotator=self._who(draft.user if field == "user" else draft.completed_by, field)
            )
            self._results(draft, common, independent=False)

    def _in_full(self, field: str, listed: list[Any] | None) -> list[Record]:
        """What is given in full; lists of tasks may give only numbers."""
        if not listed:
            return []
        self.rows.left_out.add(Reason.ONLY_NUMBER, sum(type(x) is int for x in listed), field)
        return [Record(one, *self.place) for one in listed if type(one) is not int]

    def _who(self, who: LabelStudioUser | Scalar, field: str = "completed_by") -> str:
        key = self.people.key(who)
        if key is None:
            raise Record({}, *self.place).error(quoted(field), " names nobody.")
        return key

    def _common(self, annotation: Annotation, sitting: str) -> dict[str, Any]:
        return {
            **self.besides,
            "item": self.item,
            "annotation": sitting,
            "time": annotation.updated_at or annotation.created_at,
            "seconds": annotation.lead_time,
        }

    def _prediction(self, prediction: Annotation, sitting: str) -> None:
        common = self._common(prediction, sitting)
        common.update(
            annotator=str(prediction.model_version or "model"), kind="model", status="suggested",
            confidence=prediction.score,
        )  # fmt: skip
        for result in prediction.result or ():
            value = Record(result.value or {}, *self.place)
            labels = value.labels("choices") if result.type == "choices" else []
            if len(labels) == 1 and "start" not in value:
                self.suggested[str(result.from_name)] = labels[0]
        self._results(prediction, common, independent=False)

    def _annotation(self, annotation: Annotation, place: int) -> None:
        known = annotation.id
        common = self._common(annotation, f"{self.item}-{place}" if known is None else str(known))
        common["annotator"] = self._who(annotation.completed_by)
        if annotation.was_cancelled or annotation.skipped:
            self.rows.add("single", status="skipped", **common)
            return
        if annotation.ground_truth:
            common["gold"] = True
        if annotation.parent_prediction is not None or annotation.parent_annotation is not None:
            common["prelabelled"] = True
            self.rows.note(
                "some annotations began as a prediction or another's annotation (column 'prelabelled'): not independent"
            )
        reviews = annotation.reviews
        if reviews and (accepted := reviews[-1].accepted) is not None:
            common["review"] = "accepted" if accepted else "rejected"
        self._results(annotation, common, independent=True)

    def _results(self, annotation: Annotation, common: dict[str, Any], *, independent: bool) -> None:
        regions: dict[str, tuple[Any, Any]] = {}
        relations = []
        for result in annotation.result or ():
            if result.type == "relation":
                relations.append(result)
            else:
                self.answers.read(result, common, regions)
        for result in relations:
            self._relation(result, common, regions)
        if independent:
            if not self._is_shown:
                self.rows.document(self.item, self.shown.text("text"))
                self._is_shown = True
            self.rows.done_with(**common)

    def _relation(self, result: LabelStudioResult, common: dict[str, Any], regions: dict[str, tuple[Any, Any]]) -> None:
        head, child = regions.get(str(result.from_id)), regions.get(str(result.to_id))
        if head is None or child is None:
            self.rows.left_out.add(Reason.NO_ENDS, 1)
            return
        labels = Record({"labels": result.labels}, *self.place).labels("labels")
        for label in labels or ["related"]:
            self.rows.relation(head, child, label=label, task="relations", **common)
