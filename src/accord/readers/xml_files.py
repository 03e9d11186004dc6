"""XML by the standard library; document types, and with them entities that reach other files, are refused."""

from __future__ import annotations

from xml.etree import ElementTree as ET
from xml.parsers import expat

from accord.errors import FileError
from accord.readers.source import Source


def load(source: Source, name: str) -> ET.Element:
    """The root of an XML file."""
    where, data = source.where(name), source.content(name)
    return parse(data, where)


def parse(data: bytes, where: str) -> ET.Element:
    """The root of XML in memory. No export needs a document type, and entities can reach other files or grow."""

    def refuse(*_: object) -> None:
        raise FileError(
            where, "The XML declares a document type or entities, which can reach other files; it is not read."
        )

    try:
        first = expat.ParserCreate()
        first.StartDoctypeDeclHandler = refuse
        first.EntityDeclHandler = refuse
        first.Parse(data, True)  # noqa: FBT003 - expat's own signature
        return ET.fromstring(data)
    except expat.ExpatError as problem:
        reason = expat.ErrorString(problem.code)
        raise FileError(
            where, f"It is not XML: {reason} at character {problem.offset + 1}.", line=problem.lineno
        ) from None
    except (ET.ParseError, ValueError, LookupError) as problem:
        if isinstance(problem, FileError):
            raise
        raise FileError(where, f"It is not XML: {problem}.") from None
