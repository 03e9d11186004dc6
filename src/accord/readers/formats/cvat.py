"""CVAT XML 1.1: images with boxes, polygons and tags, videos with tracks; a file (or a job) is an annotator's."""

from __future__ import annotations

from functools import cached_property
from typing import Any
from xml.etree.ElementTree import Element

from accord.annotations.left_out import Reason
from accord.errors import FileError, MayBeNames, Message, quoted
from accord.readers import annotator_paths, xml_files
from accord.readers.found_format import Found
from accord.readers.source import Source
from accord.study.tables.rows import ReadOptions, Rows

NAME = "cvat"
OPTIONS = ()  # XML says itself how it is encoded


def sniff(source: Source) -> Found | None:
    """XML with the root <annotations> and images or tracks."""
    files = source.ending(".xml")
    if not files or len(files) != len(source.data):
        return None
    for name in files:
        glance = source.glance(name)
        if glance.root != "annotations" or not any(
            word in glance.text for word in ("<version>1.1", "<image ", "<track ")
        ):
            return None
    return Found(NAME, f"{len(files)} XML {'file' if len(files) == 1 else 'files'} with the root <annotations>")


def read(source: Source, options: ReadOptions) -> Rows:
    """Boxes, polygons (as the box around them), tags, and the boxes of tracks frame by frame."""
    rows = Rows("CVAT export", options)
    videos: list[_Video] = []
    exported = None if source.kind == "file" else source.name  # the tool calls its files all alike
    for name, owner in annotator_paths.people(source.ending(".xml"), rows, called=exported).items():
        with rows.guarding():
            root, where = xml_files.load(source, name), source.where(name)
            named = None if owner.is_reference else _annotator(root)
            who = owner.cells if named is None else {**owner.cells, "annotator": named}
            for image in root.iter("image"):
                _image(image, where, who, rows)
            if root.find("track") is not None:
                video = _Video(root, where, who, rows)
                video.read()
                videos.append(video)
    _sit_through(videos, rows)
    rows.add_empty_answers()
    return rows


def _annotator(root: Element) -> str | None:
    for path in ("meta/job/assignee/username", "meta/job/assignee", "meta/task/assignee/username"):
        found = root.find(path)
        if found is not None and found.text and found.text.strip():
            return found.text.strip()
    return None


class _Video:
    """The tracks of a file: a frame is an item, and what is outside of it is not marked there."""

    def __init__(self, root: Element, where: str, who: dict[str, Any], rows: Rows) -> None:
        self.root, self.where, self.who, self.rows = root, where, who, rows
        self.frames: set[int] = set()

    def read(self) -> None:
        """Every shape of every track."""
        for number, track in enumerate(self.root.iter("track")):
            label = track.get("label") or "(no label)"
            for shape in track:
                if shape.tag == "attribute" or shape.get("outside") == "1":
                    continue
                frame = self._frame(shape, track.get("id") or str(number))
                self.frames.add(frame)
                cells = {**self.who, "item": _frame_name(frame), "track": track.get("id")}
                _shape(shape, self.where, self.rows, label, {**cells, "made": shape.get("source")})

    def _frame(self, shape: Element, track: str) -> int:
        frame = shape.get("frame", "")
        if not _digits(frame):
            raise FileError(
                self.where,
                f"<{shape.tag}> has the frame ",
                quoted(frame),
                ", which is no number.",
                part=Message("track ", track if track.isdigit() else MayBeNames(track)),
            )
        return int(frame)

    @cached_property
    def segments(self) -> list[tuple[int, int]]:
        """The first and last frames of the annotator's work; none where the file does not say."""
        segments = [
            (segment.findtext("start", ""), segment.findtext("stop", "")) for segment in self.root.iter("segment")
        ]
        return [(int(start), int(stop)) for start, stop in segments if _digits(start) and _digits(stop)]

    def covers(self, frame: int) -> bool:
        """Was the frame part of the annotator's work?"""
        return not self.segments or any(start <= frame <= stop for start, stop in self.segments)


def _digits(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) < 16


def _frame_name(frame: int) -> str:
    return f"frame {frame:06d}"


def _sit_through(videos: list[_Video], rows: Rows) -> None:
    """Whoever watched a video and marked nothing in a frame where another did gave an empty answer there."""
    for frame in sorted(set().union(*(video.frames for video in videos))) if videos else []:
        for video in videos:
            if video.covers(frame):
                rows.done_with(**{**video.who, "item": _frame_name(frame)})


def _image(image: Element, where: str, who: dict[str, Any], rows: Rows) -> None:
    item = image.get("name") or image.get("id")
    if item is None:
        raise FileError(where, "It has neither a name nor an id.", part="an <image>")
    common: dict[str, Any] = {**who, "item": item}
    tags = []
    for shape in image:
        label = shape.get("label") or "(no label)"
        if shape.tag == "tag":
            tags.append(label)
        else:
            _shape(shape, where, rows, label, {**common, "made": shape.get("source")})
    if tags:
        rows.answer("set", tags, task="tags", **common)
    rows.done_with(**common)


def _shape(shape: Element, where: str, rows: Rows, label: str, cells: dict[str, Any]) -> None:
    """One shape as a box; its attributes are kept beside it."""
    item = cells["item"]
    for attribute in shape.iter("attribute"):
        cells[f"attribute.{attribute.get('name')}"] = (attribute.text or "").strip() or None
    points: str | None = None
    if shape.tag == "box":
        left, top, right, bottom = (_number(shape, key, where, item) for key in ("xtl", "ytl", "xbr", "ybr"))
        box = left, top, right - left, bottom - top
    elif shape.tag in ("polygon", "polyline", "points"):
        rows.note("of polygons and points the box around them is kept")
        box, points = _hull(shape, where, item), shape.get("points")
    elif shape.tag == "mask":
        rows.note("of masks the box around them is kept")
        x, y, width, height = (_number(shape, key, where, item) for key in ("left", "top", "width", "height"))
        box = x, y, width, height
    elif shape.tag == "ellipse":
        rows.note("of ellipses the box around them is kept")
        x, y, width, height = (_number(shape, key, where, item) for key in ("cx", "cy", "rx", "ry"))
        box = x - width, y - height, 2 * width, 2 * height
    else:
        rows.left_out.add(Reason.UNREAD_SHAPE, 1, shape.tag)
        return
    x, y, width, height = box
    rows.add("boxes", label=label, task="shapes", x=x, y=y, width=width, height=height, points=points, **cells)


def _number(shape: Element, key: str, where: str, item: str) -> float:
    try:
        return float(shape.get(key, ""))
    except ValueError:
        raise FileError(
            where,
            f"<{shape.tag}> has ",
            quoted(shape.get(key)),
            f" for {key}, which is no number.",
            part=Message("image ", quoted(item)),
        ) from None


def _hull(shape: Element, where: str, item: str) -> tuple[float, float, float, float]:
    try:
        points = [tuple(map(float, point.split(","))) for point in shape.get("points", "").split(";")]
        xs, ys = [x for x, _ in points], [y for _, y in points]
    except ValueError:
        raise FileError(
            where, f"<{shape.tag}> has points that are no pairs of numbers.", part=Message("image ", quoted(item))
        ) from None
    return min(xs), min(ys), max(xs) - min(xs), max(ys) - min(ys)
