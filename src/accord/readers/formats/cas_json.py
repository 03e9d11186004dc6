"""UIMA CAS JSON, as INCEpTION writes it: the feature structures of XMI as objects; offsets in UTF-16 units."""

from __future__ import annotations

import json
from typing import Any
from xml.etree.ElementTree import Element

from accord.annotations.answers import as_text
from accord.errors import FileError, MayBeNames, quoted
from accord.readers.formats import xmi
from accord.readers.source import decoded
from accord.study.tables.rows import Record, Rows

STRUCTURES = "%FEATURE_STRUCTURES"
MARKS = "@#^"  # before names of features that point at others, or hold numbers and bytes that JSON cannot


def read_json(data: bytes, where: str, rows: Rows, cells: dict[str, Any]) -> None:
    """Add the marks of one document by one annotator."""
    try:
        held = json.loads(decoded(data, where, rows.options.encoding))
    except (ValueError, RecursionError) as problem:
        if isinstance(problem, FileError):
            raise
        raise FileError(where, "It is not JSON: ", MayBeNames(str(problem)), ".") from None
    structures = Record(held, where, "part", "the file as a whole").records(STRUCTURES)
    arrays = {str(one.data.get("%ID")): one.listed("%ELEMENTS") for one in structures if "%ELEMENTS" in one}
    xmi.read_cas([_element(one, arrays) for one in structures], where, rows, cells)


def _element(structure: Record, arrays: dict[str, list[Any]]) -> Element:
    """A feature structure as the element that it is in XMI; what it holds of others is named by their numbers."""
    package, _, layer = str(structure.needed("%TYPE")).rpartition(".")
    element = Element(f"{xmi.CAS if package == 'uima.cas' else '{}'}{layer}")
    if "%ID" in structure:
        element.set(xmi.ID, str(structure.scalar("%ID")))
    for name, value in structure.data.items():
        if name.startswith("%") or value is None:
            continue
        held = (
            arrays.get(str(value), [value]) if name.startswith("@") else value if isinstance(value, list) else [value]
        )
        if any(isinstance(one, dict | list) for one in held):
            raise structure.error(quoted(name), " should be text or a number, and it is an object or a list.")
        element.set(name.lstrip(MARKS), " ".join(as_text(one) for one in held if one is not None))
    return element
