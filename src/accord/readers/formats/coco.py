"""COCO: images, categories and boxes; a file is an annotator's, a bare list with scores a model's."""

from __future__ import annotations

from typing import Any

from accord.annotations.left_out import Reason
from accord.errors import quoted
from accord.readers import annotator_paths, json_files
from accord.readers.annotator_paths import Owner
from accord.readers.found_format import Found
from accord.readers.source import Source
from accord.study.tables.rows import ReadOptions, Record, Rows

NAME = "coco"
PARTS = {"images", "annotations", "categories"}


def sniff(source: Source) -> Found | None:
    """JSON with images, annotations and categories; beside it, lists of results with scores."""
    files = source.ending(".json")
    if not files or len(files) != len(source.data):
        return None
    kinds = [_kind(source, name) for name in files]
    if not all(kinds) or "annotations" not in kinds:
        return None
    return Found(
        NAME, f"{len(files)} JSON {'file' if len(files) == 1 else 'files'} with images, annotations and categories"
    )


def _kind(source: Source, name: str) -> str:
    glance = source.glance(name)
    keys, beyond = glance.keys, PARTS - glance.keys
    if not beyond or (glance.cut and keys & PARTS and source.mentions(name, [f'"{part}"' for part in beyond])):
        return "annotations"
    return "results" if {"image_id", "category_id"} <= keys else ""


def read(source: Source, options: ReadOptions) -> Rows:
    """Boxes in pixels; images are called by their file names."""
    rows = Rows("set of COCO boxes", options)
    images: dict[Any, str] = {}
    categories: dict[Any, str] = {}
    kinds = {name: _kind(source, name) for name in source.ending(".json")}
    files = sorted(kinds, key=lambda name: kinds[name])
    owners = annotator_paths.people(files, rows)
    for name in files:
        if kinds[name] == "annotations":
            with rows.guarding():
                _annotations(json_files.load_record(source, name, options), owners[name], images, categories, rows)
        else:
            _results(source, name, options, owners[name].annotator, images, categories, rows)
    rows.add_empty_answers()
    return rows


def _annotations(file: Record, owner: Owner, images: dict[Any, str], categories: dict[Any, str], rows: Rows) -> None:
    for image in file.records("images"):
        number, name = image.needed("id"), str(image.scalar("file_name") or image.needed("id"))
        if images.setdefault(number, name) != name:
            raise image.error(
                "Image ",
                quoted(number),
                " is ",
                quoted(images[number]),
                " in one file and ",
                quoted(name),
                " in another.",
            )
    for category in file.records("categories"):
        number, label = category.needed("id"), str(category.scalar("name") or category.needed("id"))
        if categories.setdefault(number, label) != label:
            raise category.error(
                "Category ",
                quoted(number),
                " is ",
                quoted(categories[number]),
                " in one file and ",
                quoted(label),
                " in another.",
            )
    people = set()
    for part in file.records("annotations"):
        attributes = part.record("attributes")
        named = attributes.scalar("annotator") or attributes.scalar("created_by") or part.scalar("created_by")
        who = owner.annotator if named is None else str(named)
        people.add(who)
        _box(part, images, categories, rows, {**owner.cells, "annotator": who})
    for who in people or {owner.annotator}:
        for image in file.records("images"):
            rows.done_with(**{**owner.cells, "item": images[image.needed("id")], "annotator": who})


def _results(
    source: Source, name: str, options: ReadOptions, stem: str, images: dict[Any, str], categories: dict[Any, str],
    rows: Rows,
) -> None:  # fmt: skip
    """A model's boxes, with how sure it was."""
    for record in json_files.array(source, name, options):
        with rows.guarding():
            cells = {"annotator": stem, "kind": "model", "confidence": record.number("score")}
            _box(record, images, categories, rows, cells)
    for image in dict.fromkeys(images.values()):
        rows.done_with(item=image, annotator=stem, kind="model")


def _box(part: Record, images: dict[Any, str], categories: dict[Any, str], rows: Rows, cells: dict[str, Any]) -> None:
    image, category = part.needed("image_id"), part.needed("category_id")
    if image not in images or category not in categories:
        raise part.error(
            "An annotation names image ",
            quoted(image),
            " and category ",
            quoted(category),
            ", of which one is not there.",
        )
    box = part.listed("bbox")
    if not box:
        rows.left_out.add(Reason.NO_BOX, 1)
        return
    if len(box) != 4 or not all(isinstance(number, int | float) and not isinstance(number, bool) for number in box):
        raise part.error("A box should be four numbers, and it is ", quoted(box), ".")
    place = dict(zip(("x", "y", "width", "height"), box, strict=True))
    rows.add("boxes", **{**cells, "item": images[image]}, label=categories[category], **place)
