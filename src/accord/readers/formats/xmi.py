"""UIMA CAS XMI: annotations as elements with begin, end and features; offsets in UTF-16 units."""

from __future__ import annotations

from typing import Any
from xml.etree.ElementTree import Element

from accord.errors import FileError, MayBeNames, Message, quoted
from accord.readers import xml_files
from accord.study.tables.offsets import CodePoints
from accord.study.tables.rows import Rows

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
NOTHING = "(no value)"
NOT_FEATURES = {ID, "sofa", "begin", "end"}


def read_xmi(data: bytes, where: str, rows: Rows, cells: dict[str, Any]) -> None:
    """Add the marks of one document by one annotator; a layer's feature is a task."""
    read_cas(list(xml_files.parse(data, where)), where, rows, cells)


def read_cas(root: list[Element], where: str, rows: Rows, cells: dict[str, Any]) -> None:
    """The same of its elements."""
    sofa = next((element for element in root if element.tag == f"{CAS}Sofa"), None)
    text = None if sofa is None else sofa.get("sofaString")
    if text is None:
        raise FileError(where, "There is no text (a Sofa with sofaString) in it.")
    units = CodePoints(text)
    places: dict[str, tuple[int, int]] = {}
    tokens: list[tuple[int, int]] = []
    found: list[tuple[Element, str]] = []
    for element in root:
        layer = element.tag.rsplit("}", 1)[-1]
        if element.tag.startswith(CAS) or layer in STRUCTURE or "begin" not in element.attrib:
            if "begin" in element.attrib and element.get(ID):
                places[str(element.get(ID))] = _place(element, units, where)
                if layer == "Token":
                    tokens.append(places[str(element.get(ID))])
            continue
        places[str(element.get(ID))] = _place(element, units, where)
        found.append((element, layer))
    rows.document(cells["item"], text, sorted(tokens))
    links = {str(element.get(ID)): element for element in root if "target" in element.attrib and element.get(ID)}
    for element, layer in found:
        ends = _slots(element, layer, links, places, rows, cells)
        _element(element, layer, places, text, rows, cells, set(ends))


def _place(element: Element, code_points: CodePoints, where: str) -> tuple[int, int]:
    units = [element.get("begin", ""), element.get("end", "")]
    known = element.get(ID, "")
    part = Message("element ", known if known.isdigit() else MayBeNames(known))
    if not all(unit.isascii() and unit.isdigit() and len(unit) < 16 for unit in units):
        raise FileError(
            where,
            "'begin' and 'end' should be whole numbers, and they are ",
            quoted(units),
            ".",
            part=part,
        )
    start, end = (code_points.of(int(unit)) for unit in units)
    if start is None or end is None or end < start:
        raise FileError(where, "The offsets ", quoted(units), " lie outside the text or inside a character.", part=part)
    return start, end


def _slots(
    element: Element, layer: str, links: dict[str, Element], places: dict[str, tuple[int, int]], rows: Rows,
    cells: dict[str, Any],
) -> list[str]:  # fmt: skip
    """Attributes that point at others: the next mark of a chain, and slots with their roles. Which they were."""
    here, used = places[str(element.get(ID))], []
    following = places.get(element.get("next", ""))
    if "next" in element.attrib and following is not None:
        label = element.get("referenceRelation") or NOTHING
        rows.relation(here, following, label=label, task=f"{layer}.referenceRelation", **cells)
    if "referenceType" in element.attrib or "next" in element.attrib:
        used += ["next", "referenceRelation"]
    for name, value in element.attrib.items():
        slots = [links[reference] for reference in value.split() if reference in links]
        if name in NOT_FEATURES or not slots or len(slots) < len(value.split()):
            continue
        used.append(name)
        for slot in slots:
            target = places.get(slot.get("target", ""))
            if target is not None:
                rows.relation(here, target, label=slot.get("role") or NOTHING, task=f"{layer}.{name}", **cells)
    return used


def _element(
    element: Element, layer: str, places: dict[str, tuple[int, int]], text: str, rows: Rows, cells: dict[str, Any],
    pointing: set[str],
) -> None:  # fmt: skip
    ends = [places.get(element.get(key, "")) for key in ("Governor", "Dependent")]
    features = {
        key: value
        for key, value in element.attrib.items()
        if key not in NOT_FEATURES and key not in ("Governor", "Dependent", "flavor") and key not in pointing
    }
    if ends[0] is not None and ends[1] is not None:
        rows.relation(ends[0], ends[1], label=next(iter(features.values()), NOTHING), task=layer, **cells)
        return
    start, end = places[str(element.get(ID))]
    for feature, value in (features or {"": NOTHING}).items():
        task = f"{layer}.{feature}" if feature else layer
        rows.add("spans", label=value, task=task, start=start, end=end, covered=text[start:end], **cells)
