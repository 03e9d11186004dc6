"""LabelMe: a JSON file a picture, with shapes and flags; whose it is, the folders tell."""

from __future__ import annotations

import math
from pathlib import PurePosixPath, PureWindowsPath
from typing import Any

from accord.annotations.left_out import Reason
from accord.errors import Quoted
from accord.readers import annotator_paths, json_files
from accord.readers.found_format import Found
from accord.readers.source import Source
from accord.study.tables.rows import ReadOptions, Record, Rows

NAME = "labelme"
LOOSE = True  # pictures, lists of labels and what was made of them lie beside
LOOKED_AT = 20  # files, to find the format
BOXED = ("polygon", "line", "linestrip", "points", "point")  # of which the box around them is kept
Box = tuple[float, float, float, float]


def sniff(source: Source) -> Found | None:
    """JSON files with 'shapes' and 'imagePath'."""
    files = [name for name in source.ending(".json")[:LOOKED_AT] if _is_labelme(source, name)]
    return Found(NAME, "JSON files with 'shapes' and 'imagePath', one a picture") if files else None


def _is_labelme(source: Source, name: str) -> bool:
    glance = source.glance(name)
    return glance.form in ("json object", "json lines") and "shapes" in glance.keys and '"imagePath"' in glance.text


def read(source: Source, options: ReadOptions) -> Rows:
    """Boxes in pixels, and the flags of a picture as a set of labels."""
    rows = Rows("set of LabelMe files", options)
    files = [name for name in source.ending(".json") if _is_labelme(source, name)] or list(source.names)
    loaded: dict[str, Record] = {}
    for name in files:
        with rows.guarding():
            loaded[name] = json_files.load_record(source, name, options)
    pictures = {name: _picture(file) for name, file in loaded.items()}
    whose = annotator_paths.owners(list(loaded), pictures.get, rows, called=source.name, usual="folder")
    seen = {(owner.annotator, pictures[name] or name) for name, owner in whose.items()}
    by_name = len(seen) == len(whose)  # else pictures of one name lie in several folders
    for name, owner in whose.items():
        with rows.guarding():
            item = pictures[name] if by_name else None
            _file(loaded[name], {**owner.cells, "item": item or owner.item}, rows)
    rows.add_empty_answers()
    return rows


def _picture(file: Record) -> str | None:
    """The name of the picture, which lies elsewhere for everybody."""
    path = file.data.get("imagePath")
    return PureWindowsPath(PurePosixPath(path).name).name or None if isinstance(path, str) else None


def _file(file: Record, cells: dict[str, Any], rows: Rows) -> None:
    for shape in file.records("shapes"):
        _shape(shape, cells, rows)
    flags = file.record("flags")
    if flags.data:
        chosen = [flag for flag in flags.data if flags.flag(flag)]
        rows.answer("set", chosen, task="flags", **cells)
    rows.done_with(**cells)


def _shape(shape: Record, cells: dict[str, Any], rows: Rows) -> None:
    kind = shape.text("shape_type") or "polygon"  # which old versions do not say
    points = _points(shape)
    box = _box(kind, points, rows)
    if box is None:
        rows.left_out.add(Reason.UNREAD_SHAPE, 1, kind)
        return
    x, y, width, height = box
    drawn = ";".join(f"{one:g},{other:g}" for one, other in points) if kind in BOXED else None
    flags = shape.record("flags")
    beside = {f"flag.{flag}": "true" if flags.flag(flag) else "false" for flag in flags.data}
    rows.add("boxes", label=shape.needed("label"), task="shapes", x=x, y=y, width=width, height=height, points=drawn,
             **{**beside, **cells})  # fmt: skip


def _points(shape: Record) -> list[tuple[float, float]]:
    found = []
    for point in shape.listed("points"):
        numbers = isinstance(point, list) and all(
            isinstance(side, int | float) and not isinstance(side, bool) and math.isfinite(side) for side in point
        )
        if not numbers or len(point) != 2:
            shown = Quoted([point], 1, str(point)[:40])
            raise shape.error("A point of a shape should be two numbers, and it is ", shown, ".")
        found.append((float(point[0]), float(point[1])))
    if not found:
        raise shape.error("A shape has no points.")
    return found


def _box(kind: str, points: list[tuple[float, float]], rows: Rows) -> Box | None:
    """The box around a shape; a circle has its centre and a point on it."""
    if kind == "circle" and len(points) == 2:
        (x, y), edge = points[0], points[1]
        radius = math.dist((x, y), edge)
        rows.note("of circles the box around them is kept")
        return x - radius, y - radius, 2 * radius, 2 * radius
    if kind in BOXED:
        rows.note("of polygons, lines and points the box around them is kept")
    elif kind not in ("rectangle", "mask"):
        return None
    xs, ys = [x for x, _ in points], [y for _, y in points]
    return min(xs), min(ys), max(xs) - min(xs), max(ys) - min(ys)
