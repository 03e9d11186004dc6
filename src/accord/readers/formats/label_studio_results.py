"""What Label Studio's tasks show, and one result of an annotation: a choice, a rating, a span, a box."""

from __future__ import annotations

import re
import sys
from collections.abc import Mapping
from datetime import UTC, datetime
from itertools import accumulate
from typing import Any

from accord.annotations.left_out import Reason
from accord.errors import quoted
from accord.readers.formats.label_studio_fields import LabelStudioResult
from accord.study.tables.rows import InFile, Record, Rows

UNREAD = {
    **dict.fromkeys(("brushlabels", "brush", "magicwand", "bitmask", "bitmasklabels"), Reason.UNREAD_MASK),
    "videorectangle": Reason.UNREAD_TRACK,
}

KINDS = {
    "taxonomy": "_taxonomy", "rating": "_number", "number": "_number", "pairwise": "_pairwise", "ranker": "_ranker",
    "textarea": "_text", "datetime": "_moment",
}  # fmt: skip
SPANS, BOXES = {"globalOffsets", "startOffset", "start"}, {"points", "x"}  # fields that say where something is marked


class ShownTexts:
    """The texts and paragraphs of a task, by the names under which they were shown."""

    def __init__(self, data: Mapping[str, Any], fields: Mapping[str, str], place: InFile) -> None:
        self.data, self.fields, self.place = data, fields, place
        self._documents: dict[str, str | None] = {}
        self._paragraphs: dict[str, tuple[str, list[int]] | None] = {}

    def document(self, result: LabelStudioResult) -> str | None:
        """The text that a result is about."""
        return self.text(str(result.to_name))

    def text(self, shown: str) -> str | None:
        """The text that was shown under a name."""
        if shown not in self._documents:
            texts = {key: value for key, value in self.data.items() if isinstance(value, str)}
            own = texts.get(self.fields.get(shown, shown)) or texts.get("text")
            found = own or max(texts.values(), key=len, default=None)
            elsewhere = found is None or re.match(r"(https?|s3|gs)://|/data/", found)
            self._documents[shown] = None if elsewhere else found
        return self._documents[shown]

    def paragraphs(self, shown: str) -> tuple[str, list[int]] | None:
        """The paragraphs of what was shown under a name, one below the other, and where each begins."""
        if shown not in self._paragraphs:
            fields = self.data
            held = fields.get(self.fields.get(shown, shown))
            listed = (
                held
                if isinstance(held, list)
                else next((one for one in fields.values() if isinstance(one, list)), None)
            )
            if listed is None or not all(isinstance(part, dict) for part in listed):
                self._paragraphs[shown] = None
            else:
                texts = [str(part.get("text", "")) for part in listed]
                begins = [0, *accumulate(len(text) + 1 for text in texts)][: len(texts)]
                self._paragraphs[shown] = "\n".join(texts), begins
        return self._paragraphs[shown]


class TaskAnswers:
    """What the results of a task's annotations say, each of which adds its rows by its type."""

    def __init__(self, shown: ShownTexts, suggested: Mapping[str, Any], rows: Rows) -> None:
        self.shown, self.suggested, self.rows = shown, suggested, rows

    def read(self, result: LabelStudioResult, common: dict[str, Any], regions: dict[str, tuple[Any, Any]]) -> None:
        """Add the rows of one result; `regions` is told where it lies."""
        name = result.from_name
        held = result.value or {}
        self.result, self.regions = result, regions
        self.type = result.type or ""
        self.value = Record(held, *self.shown.place)
        if name is None:
            raise self.value.error("The field 'from_name' is missing.")
        self.cells = {**common, "task": sys.intern(str(name))}
        score = result.score
        if score is not None:
            self.cells["confidence"] = score
        if self.type in KINDS:
            getattr(self, KINDS[self.type])()
        elif not SPANS.isdisjoint(held) and any(name in self.value for name in SPANS):
            self._span()
        elif not BOXES.isdisjoint(held) and any(name in self.value for name in BOXES):
            self._box()
        elif self.type == "choices":
            self._choices()
        else:
            known = UNREAD.get(self.type)
            self.rows.left_out.add(known or Reason.UNREAD_TYPE, 1, "" if known else self.type)

    def _moment(self) -> None:
        self.rows.add("single", label=self.value.scalar("datetime"), **self.cells)

    def _labels(self) -> list[Any]:
        return self.value.labels(self.type) or self.value.labels("labels") or self.value.labels("choices")

    def _choices(self) -> None:
        labels = [sys.intern(label) if type(label) is str else label for label in self.value.labels("choices")]
        suggested = self.suggested.get(self.cells["task"]) if self.suggested and "status" not in self.cells else None
        cells = self.cells
        cells["suggested"], cells["text"] = suggested, self.shown.text(str(self.result.to_name))
        self.rows.put_answer("set" if len(labels) > 1 else "single", labels, cells)

    def _taxonomy(self) -> None:
        paths = []
        for path in self.value.listed("taxonomy"):
            steps = path if isinstance(path, list) else [path]
            for step in steps:
                self.value.check_label(step)
            paths.append(" > ".join(map(str, steps)))
        self.rows.answer("set", paths, text=self.shown.document(self.result), **self.cells)

    def _number(self) -> None:
        self.rows.add("score", score=self.value.number(self.type), text=self.shown.document(self.result), **self.cells)

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
        text = "\n".join(map(str, self.value.labels("text")))
        self.rows.add("single", text=text, **{**self.cells, "status": "free text"})

    def _span(self) -> None:
        place = self._place()
        if place is None:
            html = self.type.startswith("hyper")
            self.rows.left_out.add(Reason.NO_OFFSETS if html else Reason.NO_PARAGRAPHS, 1)
            return
        document, start, end = place
        self.regions[str(self.result.id)] = (start, end)
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
        if self.shown.document(self.result) is None or isinstance(start, float) or isinstance(end, float):
            return None, value.number("start"), value.number("end")
        return self.shown.document(self.result), value.offset("start"), value.offset("end")

    def _time(self, moment: Any) -> float:
        """A moment of a time series: a number, or a date as seconds."""
        if isinstance(moment, str):
            try:
                return datetime.fromisoformat(moment).replace(tzinfo=UTC).timestamp()
            except ValueError:
                raise self.value.error(
                    "A moment should be a number or a date, and it is ", quoted(moment), "."
                ) from None
        if isinstance(moment, bool) or not isinstance(moment, int | float):
            raise self.value.error("A moment should be a number or a date, and it is ", quoted(moment), ".")
        return moment

    def _paragraphs(self) -> tuple[str | None, int, int] | None:
        """Offsets within paragraphs as offsets in the paragraphs one below the other."""
        found = self.shown.paragraphs(str(self.result.to_name))
        if found is None:
            return None
        document, begins = found
        first, last = self.value.offset("start"), self.value.offset("end")
        if first >= len(begins) or last >= len(begins):
            raise self.value.error(f"A span is in paragraph {max(first, last)}, and there are {len(begins)}.")
        start = begins[first] + self.value.offset("startOffset")
        return document, start, begins[last] + self.value.offset("endOffset")

    def _box(self) -> None:
        box = self._hull()
        if box is None:
            self.rows.left_out.add(Reason.NO_BOX, 1)
            return
        self.rows.note("boxes are in percent of the image; of other shapes the box around them is kept")
        x, y, width, height = box
        for label in self._labels() or ["(no label)"]:
            self.rows.add("boxes", label=label, x=x, y=y, width=width, height=height, **self.cells)

    def _hull(self) -> tuple[float, float, float, float] | None:
        if "points" in self.value:
            points = [point for point in self.value.listed("points") if isinstance(point, list) and len(point) == 2]
            if not points or not all(isinstance(number, int | float) for point in points for number in point):
                raise self.value.error("A polygon's points should be pairs of numbers.")
            xs, ys = [point[0] for point in points], [point[1] for point in points]
            return min(xs), min(ys), max(xs) - min(xs), max(ys) - min(ys)
        x, y = self.value.number("x"), self.value.number("y")
        if x is None or y is None:
            return None
        if "radiusX" in self.value:
            wide, high = self.value.number("radiusX") or 0.0, self.value.number("radiusY") or 0.0
            return x - wide, y - high, 2 * wide, 2 * high
        return x, y, self.value.number("width") or 0.0, self.value.number("height") or 0.0
