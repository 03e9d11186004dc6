"""The beginning of a file: what it is written in, and its first record, as far as it can be seen."""

from __future__ import annotations

import codecs
import io
import json
import re
from dataclasses import dataclass
from typing import Any, Literal

SEPARATED, COLON = re.compile(r"[\s,]*"), re.compile(r"\s*:\s*")

MARKS = {  # what text begins with whose letters take two or four bytes; that of UTF-32 begins as that of UTF-16 does
    codecs.BOM_UTF32_LE: "utf-32", codecs.BOM_UTF32_BE: "utf-32",
    codecs.BOM_UTF16_LE: "utf-16", codecs.BOM_UTF16_BE: "utf-16",
}  # fmt: skip
BOM = "\ufeff"
DEEPEST = 8  # within each other: at every level what follows is read once more

Form = Literal["empty", "json array", "json object", "json lines", "xml", "text", "binary"]


@dataclass(frozen=True)
class Glance:
    """The beginning of a file: what it is written in, and its first record."""

    form: Form
    text: str
    record: Any = None  # the first record of JSON, if it could be read
    root: str = ""  # the root element of XML
    cut: bool = False  # does the first record go on beyond the glance?

    @property
    def keys(self) -> set[str]:
        """The keys of the first record."""
        return set(self.record) if isinstance(self.record, dict) else set()

    @property
    def first_line(self) -> str:
        """The first line that is not blank."""
        return next((line for line in lines_of(self.text) if line.strip()), "")


def lines_of(text: str) -> list[str]:
    r"""The lines of a file; other breaks that Unicode has are part of a text.

    >>> lines_of("a\r\nb\u2028c\n")
    ['a', 'b\u2028c']
    """
    return [line.rstrip("\n") for line in io.StringIO(text, newline=None)]


def marked_encoding(head: bytes) -> str | None:
    """The encoding that the first bytes of a text say; None where they say nothing, or UTF-8."""
    return next((encoding for mark, encoding in MARKS.items() if head.startswith(mark)), None)


def glance(head: bytes, *, cut: bool, encoding: str | None = None) -> Glance:
    """What the beginning of a file shows; `cut` says that the file goes on.

    An encoding that somebody says is asked for text that would be none without it.
    """
    if not head.strip(b" \t\r\n\0\xef\xbb\xbf"):
        return Glance("empty", "")
    wide = b"\0" in head[:4096]
    marked = marked_encoding(head)
    if marked is not None or (wide and encoding is not None):
        text = _wide_text(head, marked or str(encoding))
    else:
        text = "\0" if wide else head.decode("utf-8-sig", errors="replace")
    if wide and "\0" in text[:1024]:
        return Glance("binary", "")
    stripped = text.lstrip()
    if not stripped:
        return Glance("empty", "")
    if stripped.startswith("["):
        return _glance_array(text, stripped) if _is_json_array(stripped) else Glance("text", text)
    if stripped.startswith("{"):
        return _glance_object(text, stripped, cut=cut)
    if stripped.startswith("<"):
        return Glance("xml", text, root=_root(stripped))
    return Glance("text", text)


def _wide_text(head: bytes, encoding: str) -> str:
    """The text of bytes that may end within a letter, without the mark at its beginning."""
    try:
        letters = codecs.getincrementaldecoder(encoding)(errors="replace").decode(head)  # without a last one cut in two
        return letters.removeprefix(BOM)
    except (LookupError, UnicodeError):  # which reading it tells
        return "\0"


def _glance_object(text: str, stripped: str, *, cut: bool) -> Glance:
    first = stripped.split("\n", 1)[0]
    try:
        return Glance("json lines", text, json.loads(first))
    except (ValueError, RecursionError):
        pass
    if cut and len(first) == len(stripped):  # a first line longer than the glance
        return Glance("json lines", text, _begun(stripped, 0)[0], cut=True)
    try:
        return Glance("json object", text, json.loads(stripped))
    except (ValueError, RecursionError):
        lines = stripped.split("\n", 2)
        broken_line = len(lines) > 1 and lines[1].lstrip().startswith("{") and lines[1].rstrip().endswith("}")
        seen = _begun(stripped, 0)[0] if cut or not broken_line else None
        return Glance("json lines" if broken_line else "json object", text, seen, cut=cut and not broken_line)


def _begun(text: str, at: int) -> tuple[Any, int | None]:
    """A JSON value that may not be whole, as far as it goes: what follows the cut, or a mistake, is not there."""
    try:
        return _as_far(text, at)
    except RecursionError:
        return None, None


def _as_far(text: str, at: int, depth: int = DEEPEST) -> tuple[Any, int | None]:
    """The value at a place, and where it ends; None where it does not, or the cut lies too deep to be looked for."""
    if not depth:
        return None, None
    try:
        return json.JSONDecoder().raw_decode(text, at)
    except ValueError:
        pass
    held: Any = {} if text.startswith("{", at) else [] if text.startswith("[", at) else None
    place: int | None = at + 1
    while held is not None and place is not None:
        found = SEPARATED.match(text, place)
        assert found is not None
        if isinstance(held, dict):
            key, after = _as_far(text, found.end(), depth - 1)
            colon = COLON.match(text, after) if isinstance(key, str) and after is not None else None
            if colon is None:
                break
            held[key], place = _as_far(text, colon.end(), depth - 1)
        else:
            element, place = _as_far(text, found.end(), depth - 1)
            if element is None and place is None:
                break
            held.append(element)
    return held, None


def _is_json_array(stripped: str) -> bool:
    if not re.match(r'\[\s*(?:[\[{"\d\]\-]|true|false|null)', stripped):
        return False
    first = re.match(r"\[[^\]\n]*\]", stripped)
    if first is None:
        return True
    follows = stripped[first.end() :].lstrip()
    between = stripped[first.end() : len(stripped) - len(follows)]
    return not ("\n" in between and re.match(r"\w", follows))  # lines of text of which the first is in brackets


def _glance_array(text: str, stripped: str) -> Glance:
    begin = re.match(r"\[\s*", stripped)
    assert begin is not None
    first, end = _begun(stripped, begin.end())
    return Glance("json array", text, first, cut=end is None)


def _root(stripped: str) -> str:
    found = re.search(
        r"<\s*([A-Za-z_][\w.:-]*)",
        re.sub(r"<\?.*?\?>|<!--.*?-->|<!DOCTYPE[^>\[]*(\[.*?\])?>", "", stripped[:20_000], flags=re.S),
    )
    return found.group(1) if found else ""
