"""CVAT XML 1.1: images with boxes, polygons and tags; a file (or a job) is an annotator's."""

from __future__ import annotations

from pathlib import PurePosixPath
from typing import Any
from xml.etree.ElementTree import Element

from accord.errors import FileError
from accord.readers import xmlfiles
from accord.readers.rows import Asked, Rows
from accord.readers.source import Found, Source

TITLE = "CVAT"
NAME = "cvat"


def sniff(source: Source) -> Found | None:
    """XML with the root <annotations> and images or tracks."""
    files = source.ending(".xml")
    if not files or len(files) != len(source.names):
        return None
    for name in files:
        glance = source.glance(name)
        if glance.root != "annotations" or not any(
            word in glance.text for word in ("<version>1.1", "<image ", "<track ")
        ):
            return None
    return Found(NAME, f"{len(files)} XML {'file' if len(files) == 1 else 'files'} with the root <annotations>")


def read(source: Source, asked: Asked) -> Rows:
    """Boxes, polygons (as the box around them) and tags."""
    rows = Rows("CVAT export", asked)
    for name in source.ending(".xml"):
        with rows.guarding():
            root = xmlfiles.load(source, name)
            who = _annotator(root) or PurePosixPath(name).stem
            for image in root.iter("image"):
                _image(image, source.where(name), who, rows)
            tracks = len(list(root.iter("track")))
            rows.left_out.add("tracks of videos, which are not read", tracks)
    rows.fill_empty()
    return rows


def _annotator(root: Element) -> str | None:
    for path in ("meta/job/assignee/username", "meta/job/assignee", "meta/task/assignee/username"):
        found = root.find(path)
        if found is not None and found.text and found.text.strip():
            return found.text.strip()
    return None


def _image(image: Element, where: str, who: str, rows: Rows) -> None:
    item = image.get("name") or image.get("id")
    if item is None:
        raise FileError(where, "an <image>", "It has neither a name nor an id.")
    common: dict[str, Any] = {"item": item, "annotator": who}
    tags = []
    for shape in image:
        label, cells = shape.get("label") or "(no label)", {**common, "made": shape.get("source")}
        if shape.tag == "tag":
            tags.append(label)
        elif shape.tag == "box":
            left, top, right, bottom = (_number(shape, key, where, item) for key in ("xtl", "ytl", "xbr", "ybr"))
            rows.add(
                "boxes", label=label, task="shapes", x=left, y=top, width=right - left, height=bottom - top, **cells
            )
        elif shape.tag in ("polygon", "polyline", "points"):
            rows.note("of polygons and points the box around them is kept")
            _hull(shape, where, item, rows, label, cells)
        elif shape.tag == "mask":
            place = {
                key: _number(shape, name, where, item)
                for key, name in (("x", "left"), ("y", "top"), ("width", "width"), ("height", "height"))
            }
            rows.add("boxes", label=label, task="shapes", **place, **cells)
        else:
            rows.left_out.add(f"shapes <{shape.tag}>, which are not read", 1)
    if tags:
        rows.answer("set", tags, task="tags", **common)
    rows.sat(**common)


def _number(shape: Element, key: str, where: str, item: str) -> float:
    try:
        return float(shape.get(key, ""))
    except ValueError:
        raise FileError(
            where, f"image {item!r}", f"<{shape.tag}> has {key}={shape.get(key)!r}, which is no number."
        ) from None


def _hull(shape: Element, where: str, item: str, rows: Rows, label: str, cells: dict[str, Any]) -> None:
    try:
        points = [tuple(map(float, point.split(","))) for point in shape.get("points", "").split(";")]
        xs, ys = [x for x, _ in points], [y for _, y in points]
    except ValueError:
        raise FileError(where, f"image {item!r}", f"<{shape.tag}> has points that are no pairs of numbers.") from None
    rows.add(
        "boxes", label=label, task="shapes", x=min(xs), y=min(ys), width=max(xs) - min(xs), height=max(ys) - min(ys),
        points=shape.get("points"), **cells,
    )  # fmt: skip
