"""XML by the standard library, with external entities and expansions refused."""

from __future__ import annotations

import re
from xml.etree import ElementTree as ET
from xml.parsers import expat

from accord.errors import FileError
from accord.readers.source import Source


def load(source: Source, name: str) -> ET.Element:
    """The root of an XML file. A document type is refused: no export needs one, and entities can reach other files."""
    where, data = source.where(name), source.bytes(name)
    if re.search(rb"<!\s*(DOCTYPE|ENTITY)", data[: 1 << 20], re.IGNORECASE):
        raise FileError(where, "", "The XML declares a document type or entities, which can reach other files; it is not read.")
    parser = ET.XMLParser()  # noqa: S314 - declarations are refused above and below
    try:
        parser.feed(data)
        return parser.close()
    except ET.ParseError as problem:
        line, column = problem.position
        reason = expat.ErrorString(problem.code) if problem.code else str(problem)
        raise FileError(where, f"line {line}", f"It is not XML: {reason} at character {column + 1}.") from None
    except (ValueError, LookupError) as problem:
        raise FileError(where, "", f"It is not XML: {problem}.") from None
