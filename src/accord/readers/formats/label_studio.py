"""Label Studio: JSON (a task with its annotations), JSON-MIN and CSV (an annotation a record)."""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Any

from accord.annotations.left_out import Reason
from accord.readers import json_files
from accord.readers.formats import label_studio_config, label_studio_files, label_studio_min
from accord.readers.source import Found, Glance, Source
from accord.study.tables.rows import ReadOptions, Record, Rows, kept_name

MASKS = "masks (brushes, bitmasks), which are pictures and no boxes"
NOWHERE = "spans in paragraphs whose text is not in the export"
UNREAD = {
    **dict.fromkeys(("brushlabels", "brush", "magicwand", "bitmask", "bitmasklabels"), MASKS),
    "videorectangle": "tracks in videos, which are not read",
}
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
        self.task, self.rows, self.people, self.fields = task, rows, people, fields
        self.item = task.scalar("id") if "id" in task else number
        self.data = task.record("data")
        self.besides = {
            kept_name(key, "data."): value
            for key, value in self.data.data.items()
            if isinstance(value, str | int | float) and not (isinstance(value, str) and len(value) > 80)
        }
        self.suggested: dict[str, Any] = {}
        self._documents: dict[str, str | None] = {}

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
                _Result(result, self, common, regions).read()
        for result in results:
            if result.text("type") == "relation":
                self._relation(result, common, regions)
        if independent:
            self.rows.document(self.item, self.shown("text"))
            self.rows.done_with(**common)

    def _relation(self, result: Record, common: dict[str, Any], regions: dict[str, tuple[Any, Any]]) -> None:
        head, child = (regions.get(str(result.scalar(key))) for key in ("from_id", "to_id"))
        if head is None or child is None:
            self.rows.left_out.add(Reason.NOT_READ, 1, "relations between regions without a place")
            return
        for label in result.labels("labels") or ["related"]:
            self.rows.relation(head, child, label=label, task="relations", **common)

    def document(self, result: Record) -> str | None:
        """The text that a result is about."""
        return self.shown(str(result.scalar("to_name")))

    def shown(self, shown: str) -> str | None:
        """The text of what was shown under a name."""
        if shown not in self._documents:
            texts = {key: value for key, value in self.data.data.items() if isinstance(value, str)}
            own = texts.get(self.fields.get(shown, shown)) or texts.get("text")
            found = own or max(texts.values(), key=len, default=None)
            elsewhere = found is None or re.match(r"(https?|s3|gs)://|/data/", found)
            self._documents[shown] = None if elsewhere else found
        return self._documents[shown]


class _Result:
    """One result of an annotation: a choice, a rating, a span, a box."""

    def __init__(
        self, result: Record, task: _Task, common: dict[str, Any], regions: dict[str, tuple[Any, Any]]
    ) -> None:
        self.result, self.task, self.regions = result, task, regions
        self.rows = task.rows
        self.type = result.text("type") or ""
        self.value = result.record("value")
        self.cells = {**common, "task": str(result.needed("from_name"))}
        if "score" in result:
            self.cells["confidence"] = result.number("score")

    def read(self) -> None:
        """Add the rows of the result, by its type."""
        kinds = {
            "taxonomy": self._taxonomy, "rating": self._number, "number": self._number, "pairwise": self._pairwise,
            "ranker": self._ranker, "textarea": self._text, "datetime": self._moment,
        }  # fmt: skip
        if self.type in kinds:
            kinds[self.type]()
        elif "globalOffsets" in self.value or "startOffset" in self.value or "start" in self.value:
            self._span()
        elif "points" in self.value or "x" in self.value:
            self._box()
        elif self.type == "choices":
            self._choices()
        else:
            self.rows.left_out.add(
                Reason.NOT_READ, 1, UNREAD.get(self.type, f"results of type {self.type!r}, which are not read")
            )

    def _moment(self) -> None:
        self.rows.add("single", label=self.value.scalar("datetime"), **self.cells)

    def _labels(self) -> list[Any]:
        return self.value.labels(self.type) or self.value.labels("labels") or self.value.labels("choices")

    def _choices(self) -> None:
        labels = self.value.labels("choices")
        suggested = self.task.suggested.get(self.cells["task"]) if self.cells.get("status") is None else None
        document = self.task.document(self.result)
        self.rows.answer(
            "set" if len(labels) > 1 else "single", labels, suggested=suggested, text=document, **self.cells
        )

    def _taxonomy(self) -> None:
        paths = []
        for path in self.value.listed("taxonomy"):
            steps = path if isinstance(path, list) else [path]
            for step in steps:
                self.result.check_label(step)
            paths.append(" > ".join(map(str, steps)))
        self.rows.answer("set", paths, text=self.task.document(self.result), **self.cells)

    def _number(self) -> None:
        self.rows.add("score", score=self.value.number(self.type), text=self.task.document(self.result), **self.cells)

    def _pairwise(self) -> None:
        self.rows.add("single", label=self.value.scalar("selected"), **self.cells)

    def _ranker(self) -> None:
        if isinstance(self.value.data.get("ranker"), list):
            for rank, label in enumerate(self.value.labels("ranker"), start=1):
                self.rows.add("ranked", label=label, rank=rank, **self.cells)
            return
        buckets = self.value.record("ranker")
        named = [name for name in buckets.data if name != "_"]
        for name in named:
            cells = self.cells if len(named) == 1 else {**self.cells, "task": f"{self.cells['task']}.{name}"}
            for rank, label in enumerate(buckets.labels(name), start=1):
                self.rows.add("ranked", label=label, rank=rank, **cells)

    def _text(self) -> None:
        said = "\n".join(map(str, self.value.labels("text")))
        self.rows.add("single", text=said, **{**self.cells, "status": "free text"})

    def _span(self) -> None:
        place = self._place()
        if place is None:
            what = "spans in HTML without offsets in the whole" if self.type.startswith("hyper") else NOWHERE
            self.rows.left_out.add(Reason.NOT_READ, 1, what)
            return
        document, start, end = place
        self.regions[str(self.result.scalar("id"))] = (start, end)
        for label in self._labels() or ["(no label)"]:
            self.rows.span(
                document,
                start,
                end,
                self.value.text("text") if document is not None else None,
                label=label,
                **self.cells,
            )

    def _place(self) -> tuple[str | None, Any, Any] | None:
        value = self.value
        if "globalOffsets" in value:
            offsets = value.record("globalOffsets")
            return None, offsets.offset("start"), offsets.offset("end")
        if "startOffset" in value:
            return self._paragraphs()
        start, end = value.need("start"), value.need("end")
        if self.type == "timeserieslabels":
            return None, self._time(start), self._time(end)
        if self.task.document(self.result) is None or isinstance(start, float) or isinstance(end, float):
            return None, value.number("start"), value.number("end")
        return self.task.document(self.result), value.offset("start"), value.offset("end")

    def _time(self, moment: Any) -> float:
        """A moment of a time series: a number, or a date as seconds."""
        if isinstance(moment, str):
            try:
                return datetime.fromisoformat(moment).replace(tzinfo=UTC).timestamp()
            except ValueError:
                raise self.result.error(f"A moment should be a number or a date, and it is {moment!r}.") from None
        if isinstance(moment, bool) or not isinstance(moment, int | float):
            raise self.result.error(f"A moment should be a number or a date, and it is {moment!r}.")
        return moment

    def _paragraphs(self) -> tuple[str | None, int, int] | None:
        """Offsets within paragraphs as offsets in the paragraphs one below the other."""
        paragraphs = self.task.data.data.get(str(self.result.scalar("to_name")))
        if not isinstance(paragraphs, list):
            paragraphs = next((value for value in self.task.data.data.values() if isinstance(value, list)), None)
        if paragraphs is None or not all(isinstance(part, dict) for part in paragraphs):
            return None
        texts = [str(part.get("text", "")) for part in paragraphs]
        first, last = self.value.offset("start"), self.value.offset("end")
        if first >= len(texts) or last >= len(texts):
            raise self.result.error(f"A span is in paragraph {max(first, last)}, and there are {len(texts)}.")
        begins = [sum(len(text) + 1 for text in texts[:place]) for place in range(len(texts))]
        start = begins[first] + self.value.offset("startOffset")
        return "\n".join(texts), start, begins[last] + self.value.offset("endOffset")

    def _box(self) -> None:
        box = self._hull()
        if box is None:
            self.rows.left_out.add(Reason.NOT_READ, 1, f"shapes of type {self.type!r} without a box")
            return
        self.rows.note("boxes are in percent of the image; of other shapes the box around them is kept")
        x, y, width, height = box
        for label in self._labels() or ["(no label)"]:
            self.rows.add("boxes", label=label, x=x, y=y, width=width, height=height, **self.cells)

    def _hull(self) -> tuple[float, float, float, float] | None:
        if "points" in self.value:
            points = [point for point in self.value.listed("points") if isinstance(point, list) and len(point) == 2]
            if not points or not all(isinstance(number, int | float) for point in points for number in point):
                raise self.result.error("A polygon's points should be pairs of numbers.")
            xs, ys = [point[0] for point in points], [point[1] for point in points]
            return min(xs), min(ys), max(xs) - min(xs), max(ys) - min(ys)
        x, y = self.value.number("x"), self.value.number("y")
        if x is None or y is None:
            return None
        if "radiusX" in self.value:
            wide, high = self.value.number("radiusX") or 0.0, self.value.number("radiusY") or 0.0
            return x - wide, y - high, 2 * wide, 2 * high
        return x, y, self.value.number("width") or 0.0, self.value.number("height") or 0.0
