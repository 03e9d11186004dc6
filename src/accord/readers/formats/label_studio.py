"""Label Studio: JSON (a task with its annotations), JSON-MIN and CSV (an annotation a record)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from accord.annotations.left_out import Reason
from accord.readers import json_files
from accord.readers.formats import label_studio_config, label_studio_files, label_studio_min
from accord.readers.formats.label_studio_results import Result, Shown
from accord.readers.glances import Glance
from accord.readers.source import Found, Source
from accord.study.tables.rows import ReadOptions, Record, Rows, kept_name

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
    rows = Rows("Label Studio export (JSON)", options)
    label_studio_files.tell_the_rest(source, names, rows)
    controls = label_studio_config.find(source, options, rows)
    fields = label_studio_config.fields_of(controls)
    people = People()
    tasks = (task for name in names for task in _tasks(source, name, options, rows))
    for number, task in enumerate(tasks, start=1):
        with rows.guarding():
            _Task(label_studio_files.as_task(task), number, rows, people, fields).read()
    rows.add_empty_answers(label_studio_config.apply(controls, rows))
    rows.columns["annotator"] = [people.name(who) for who in rows.columns.get("annotator", [])]
    return rows


def _tasks(source: Source, name: str, options: ReadOptions, rows: Rows) -> Iterable[Record]:
    glance = source.glance(name)
    if _is_listed(glance):
        return json_files.load_record(source, name, options).records("tasks")
    if glance.form == "json object":
        return [json_files.load_record(source, name, options)]
    return json_files.records(source, name, options, rows)


class People:
    """Annotators come as a number, or as a number with an address; one person is one name."""

    def __init__(self) -> None:
        self._address: dict[str, str] = {}

    def key(self, annotation: Record, field: str = "completed_by") -> str:
        """The annotator's number, or name where there is none."""
        who = annotation.data.get(field)
        if isinstance(who, dict):
            person = annotation.record(field)
            address = person.scalar("email") or person.scalar("username")
            number = person.scalar("id") if "id" in person else person.scalar("pk")  # as it was called before version 1
            if number is not None:
                if address is not None:
                    self._address[str(number)] = str(address)
                return str(number)
            if address is not None:
                return str(address)
            raise annotation.error(f"{field!r} names nobody.")
        found = annotation.scalar(field)
        return "unknown" if found is None else str(found)

    def name(self, key: str | None) -> str | None:
        """The address that goes with a number, if any record tells it."""
        return None if key is None else self._address.get(key, key)


class _Task:
    """One task: its text, what a model suggested, and who said what."""

    def __init__(self, task: Record, number: int, rows: Rows, people: People, fields: dict[str, str]) -> None:
        self.task, self.rows, self.people = task, rows, people
        self.item = task.scalar("id") if "id" in task else number
        self.data = task.record("data")
        self.besides = {
            kept_name(key, "data."): value
            for key, value in self.data.data.items()
            if isinstance(value, str | int | float) and not (isinstance(value, str) and len(value) > 80)
        }
        self.suggested: dict[str, Any] = {}
        self.shown = Shown(self.data, fields)

    def read(self) -> None:
        """Suggestions first: annotations come with what was suggested."""
        for prediction in self._in_full("predictions"):
            self._prediction(prediction)
        done = self.task.records("annotations") or self.task.records("completions")
        for place, annotation in enumerate(done):
            self._annotation(annotation, place)
        for place, draft in enumerate(self._in_full("drafts")):
            common = self._common(draft, f"draft {draft.data.get('id', place)}")
            common.update(
                status="draft", annotator=self.people.key(draft, "user" if "user" in draft else "completed_by")
            )
            self._results(draft, common, independent=False)

    def _in_full(self, field: str) -> list[Record]:
        """What is given in full; lists of tasks may give only numbers."""
        listed = self.task.listed(field)
        self.rows.left_out.add(
            Reason.NOT_READ, sum(type(x) is int for x in listed), f"{field} of which the export has only the number"
        )
        return [Record(one, *self.task.place) for one in listed if type(one) is not int]

    def _common(self, annotation: Record, sitting: str) -> dict[str, Any]:
        time = annotation.scalar("updated_at") or annotation.scalar("created_at")
        return {
            **self.besides,
            "item": self.item,
            "annotation": sitting,
            "time": time,
            "seconds": annotation.number("lead_time"),
        }

    def _prediction(self, prediction: Record) -> None:
        common = self._common(prediction, f"prediction {prediction.data.get('id', '')}")
        common.update(
            annotator=str(prediction.scalar("model_version") or "model"), kind="model", status="suggested",
            confidence=prediction.number("score"),
        )  # fmt: skip
        for result in prediction.records("result"):
            labels = result.record("value").labels("choices") if result.text("type") == "choices" else []
            if len(labels) == 1 and "start" not in result.record("value"):
                self.suggested[str(result.scalar("from_name"))] = labels[0]
        self._results(prediction, common, independent=False)

    def _annotation(self, annotation: Record, place: int) -> None:
        common = self._common(
            annotation, str(annotation.scalar("id") if "id" in annotation else f"{self.item}-{place}")
        )
        common["annotator"] = self.people.key(annotation)
        if annotation.flag("was_cancelled") or annotation.flag("skipped"):
            self.rows.add("single", status="skipped", **common)
            return
        if annotation.flag("ground_truth"):
            common["gold"] = True
        if annotation.data.get("parent_prediction") is not None or annotation.data.get("parent_annotation") is not None:
            common["prelabelled"] = True
            self.rows.note(
                "some annotations began as a prediction or another's annotation (column 'prelabelled'): not independent"
            )
        judged = [review.data.get("accepted") for review in annotation.records("reviews")]
        if judged and judged[-1] is not None:
            common["review"] = "accepted" if judged[-1] else "rejected"
        self._results(annotation, common, independent=True)

    def _results(self, annotation: Record, common: dict[str, Any], *, independent: bool) -> None:
        regions: dict[str, tuple[Any, Any]] = {}
        results = annotation.records("result")
        for result in results:
            if result.text("type") != "relation":
                Result(result, self.shown, self.suggested, self.rows, common, regions).read()
        for result in results:
            if result.text("type") == "relation":
                self._relation(result, common, regions)
        if independent:
            self.rows.document(self.item, self.shown.text("text"))
            self.rows.done_with(**common)

    def _relation(self, result: Record, common: dict[str, Any], regions: dict[str, tuple[Any, Any]]) -> None:
        head, child = (regions.get(str(result.scalar(key))) for key in ("from_id", "to_id"))
        if head is None or child is None:
            self.rows.left_out.add(Reason.NOT_READ, 1, "relations between regions without a place")
            return
        for label in result.labels("labels") or ["related"]:
            self.rows.relation(head, child, label=label, task="relations", **common)
