"""UIMA CAS XMI: annotations as elements with begin, end and features; offsets in UTF-16 units."""

from __future__ import annotations

from typing import Any
from xml.etree.ElementTree import Element

from accord.errors import FileError
from accord.readers import xmlfiles
from accord.readers.offsets import to_code_points
from accord.readers.rows import Rows
from accord.readers.source import Source

ID = "{http://www.omg.org/XMI}id"
CAS = "{http:///uima/cas.ecore}"
STRUCTURE = (
    "Token",
    "Sentence",
    "DocumentMetaData",
    "TagsetDescription",
    "DocumentAnnotation",
    "Lemma",
    "Stem",
    "TagDescription",
    "CASMetadata",
)
NOT_FEATURES = {ID, "sofa", "begin", "end"}


def read_xmi(source: Source, name: str, rows: Rows, cells: dict[str, Any]) -> None:
    """Add the marks of one document by one annotator; a layer's feature is a task."""
    root, where = xmlfiles.load(source, name), source.where(name)
    sofa = next((element for element in root if element.tag == f"{CAS}Sofa"), None)
    text = None if sofa is None else sofa.get("sofaString")
    if text is None:
        raise FileError(where, "", "There is no text (a Sofa with sofaString) in it.")
    places: dict[str, tuple[int, int]] = {}
    found: list[tuple[Element, str]] = []
    for element in root:
        layer = element.tag.rsplit("}", 1)[-1]
        if element.tag.startswith(CAS) or layer in STRUCTURE or "begin" not in element.attrib:
            if "begin" in element.attrib and element.get(ID):
                places[str(element.get(ID))] = _place(element, text, where)
            continue
        places[str(element.get(ID))] = _place(element, text, where)
        found.append((element, layer))
    for element, layer in found:
        _element(element, layer, places, text, rows, cells)


def _place(element: Element, text: str, where: str) -> tuple[int, int]:
    units = [element.get("begin", ""), element.get("end", "")]
    if not all(unit.isascii() and unit.isdigit() for unit in units):
        raise FileError(
            where, f"element {element.get(ID)}", f"begin and end should be whole numbers, and they are {units}."
        )
    start, end = (to_code_points(text, int(unit)) for unit in units)
    if start is None or end is None or end < start:
        raise FileError(
            where, f"element {element.get(ID)}", f"The offsets {units} lie outside the text or inside a character."
        )
    return start, end


def _element(
    element: Element, layer: str, places: dict[str, tuple[int, int]], text: str, rows: Rows, cells: dict[str, Any]
) -> None:
    ends = [places.get(element.get(key, "")) for key in ("Governor", "Dependent")]
    features = {
        key: value
        for key, value in element.attrib.items()
        if key not in NOT_FEATURES and key not in ("Governor", "Dependent", "flavor")
    }
    if ends[0] is not None and ends[1] is not None:
        label = next(iter(features.values()), "(no value)")
        rows.add(
            "relations",
            label=label,
            task=layer,
            start=ends[0][0],
            end=ends[0][1],
            to_start=ends[1][0],
            to_end=ends[1][1],
            **cells,
        )
        return
    start, end = places[str(element.get(ID))]
    for feature, value in (features or {"": "(no value)"}).items():
        task = f"{layer}.{feature}" if feature else layer
        rows.add("spans", label=value, task=task, start=start, end=end, text=text[start:end], **cells)
