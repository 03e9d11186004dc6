"""XML by the standard library; document types, and with them entities that reach other files, are refused."""

from __future__ import annotations

import io
from collections.abc import Iterator
from contextlib import contextmanager
from xml.etree import ElementTree as ET
from xml.parsers import expat

from accord.errors import FileError, MayBeNames
from accord.readers.file_heads import marked_encoding
from accord.readers.source import Source


def load(source: Source, name: str) -> ET.Element:
    """The root of an XML file."""
    where, data = source.where(name), source.content(name)
    return parse(data, where)


def parse(data: bytes, where: str) -> ET.Element:
    """The root of XML in memory."""
    with _our_errors(where):
        _check(data, where)
        return ET.fromstring(data)


def elements(data: bytes, where: str, *tags: str) -> Iterator[ET.Element]:
    """The elements of some kinds, none within another, one at a time: of a large document only the one is held."""
    with _our_errors(where):
        _check(data, where)
        above: list[ET.Element] = []
        for event, element in ET.iterparse(io.BytesIO(data), events=("start", "end")):
            if event == "start":
                above.append(element)
                continue
            above.pop()
            if element.tag in tags:
                yield element
                if above:
                    above[-1].clear()


def _check(data: bytes, where: str) -> None:
    """No export needs a document type, and entities can reach other files or grow."""

    def refuse(*_: object) -> None:
        raise FileError(
            where, "The XML declares a document type or entities, which can reach other files; it is not read."
        )

    if marked_encoding(data) == "utf-32":  # which the parser does not know
        raise FileError(where, "It is XML in UTF-32, which is not read. Save it as UTF-8.")
    first = expat.ParserCreate()
    first.StartDoctypeDeclHandler = refuse
    first.EntityDeclHandler = refuse
    first.Parse(data, True)  # noqa: FBT003 - expat's own signature


@contextmanager
def _our_errors(where: str) -> Iterator[None]:
    try:
        yield
    except expat.ExpatError as problem:
        reason = expat.ErrorString(problem.code)
        raise FileError(
            where, f"It is not XML: {reason} at character {problem.offset + 1}.", line=problem.lineno
        ) from None
    except (ET.ParseError, ValueError, LookupError) as problem:
        if isinstance(problem, FileError):
            raise
        raise FileError(where, "It is not XML: ", MayBeNames(str(problem)), ".") from None
