"""JSON and JSON Lines, a record at a time: broken ones are named by file, line and record."""

from __future__ import annotations

import codecs
import io
import json
import re
import sys
from collections.abc import Iterator
from typing import IO, Any

import numpy as np

from accord.annotations.left_out import Reason
from accord.errors import FileError, MayBeNames, one_of, quoted, remedy
from accord.options import reporter
from accord.readers.file_heads import BOM, marked_encoding
from accord.readers.source import Source, decoded, other_encoding
from accord.readers.typed_records import Decoder, Fields, decoder_of
from accord.study.tables.rows import InFile, ReadOptions, Record, Rows

CHUNK = 1 << 22  # characters read at a time
WINDOW = 1 << 18  # and characters in which objects are looked for
TOO_LONG = "integer string conversion"  # as Python says of a number with more digits than it reads
BLANK = re.compile(r"[ \t\r\n]*")
FOLLOWS = re.compile(r"[ \t\r\n]*(,[ \t\r\n]*(\{|$)|\]|$)")  # an object in a list
LOOKED_AT = 8  # places where an object may end


def load(source: Source, name: str, options: ReadOptions) -> Any:
    """A whole JSON file."""
    text = source.text(name, options.encoding)
    try:
        return json.loads(text)
    except ValueError as problem:
        raise _broken(source.where(name), problem) from None
    except RecursionError as problem:
        raise FileError(source.where(name), _unreadable(problem)) from None


def load_record(source: Source, name: str, options: ReadOptions) -> Record:
    """A JSON file that is one object."""
    return Record(load(source, name, options), source.where(name), "part", "the file as a whole")


def records(source: Source, name: str, options: ReadOptions, rows: Rows) -> Iterator[Record]:
    """The records of a JSON array or of JSON Lines, one after another."""
    form = source.glance(name).form
    if form == "empty":
        raise FileError(source.where(name), "The file is empty.")
    yield from array(source, name, options) if form == "json array" else lines(source, name, options, rows)


def typed_records(
    source: Source, name: str, options: ReadOptions, rows: Rows, fields: type[Fields]
) -> Iterator[TypedRecord]:
    """The same records by the fields that are read of them."""
    decoder = decoder_of(fields) if source.glance(name).form == "json array" else None
    if decoder is None:
        for record in records(source, name, options, rows):
            yield TypedRecord(None, record.data, record.place)
    else:
        for number, (element, typed) in enumerate(_array(source, name, options, decoder), start=1):
            yield TypedRecord(typed, element, (source.where(name), "record", number))


class TypedRecord:
    """A record as a structure of the fields that are read (`fields`) and its text; else None and all that it holds."""

    __slots__ = ("_held", "fields", "place")

    def __init__(self, fields: Any, held: Any, place: InFile) -> None:
        self.fields, self._held, self.place = fields, held, place

    def record(self) -> Record:
        """All of it, to be looked at."""
        return Record(self._held if self.fields is None else json.loads(bytes(self._held)), *self.place)


def lines(source: Source, name: str, options: ReadOptions, rows: Rows) -> Iterator[Record]:
    """The records of JSON Lines."""
    where = source.where(name)
    report = reporter(options.progress, f"reading {where}")
    size, done = source.size(name), 0
    with source.open(name) as stream:
        for number, raw in enumerate(_raw_lines(stream, where, options.encoding), start=1):
            done += len(raw)
            if number % 20_000 == 0:
                report(min(done, size), size)
            if not raw.strip():
                continue
            try:
                yield Record(json.loads(raw.rstrip()), where, "line", number)
            except (FileError, ValueError, RecursionError) as problem:
                if options.on_error != "skip":
                    raise problem if isinstance(problem, FileError) else _bad_line(where, number, problem) from None
                rows.left_out.add(Reason.UNREADABLE, 1)
    report(size, size)


def _raw_lines(stream: IO[bytes], where: str, encoding: str | None) -> Iterator[str]:
    """Lines as text; a byte that is not text names its line."""
    first = stream.read(4)
    stream.seek(0)
    encoding = encoding or marked_encoding(first)
    if encoding is not None and encoding.lower().replace("-", "") not in ("utf8", "utf8sig"):
        yield from io.StringIO(decoded(stream.read(), where, encoding), newline=None)  # U+2028 is no line end here
        return
    for number, raw in enumerate(stream, start=1):
        data = raw.removeprefix(codecs.BOM_UTF8) if number == 1 else raw
        try:
            yield data.decode("utf-8")
        except UnicodeDecodeError as problem:
            raise other_encoding(where, problem, number) from None


def _bad_line(where: str, number: int, problem: Exception) -> FileError:
    skipped = remedy(on_error="skip")
    if isinstance(problem, json.JSONDecodeError):
        what = f"{problem.msg} at character {problem.colno}"
        message = f"It is not JSON: {what}. Was the file cut short or edited by hand? "
    else:
        message = f"{_unreadable(problem)} "
    return FileError(where, message, skipped, " leaves such lines out and counts them.", line=number)


def array(source: Source, name: str, options: ReadOptions) -> Iterator[Record]:
    """The elements of a JSON array, without holding the file in memory."""
    for number, (element, _) in enumerate(_array(source, name, options), start=1):
        yield Record(element, source.where(name), "record", number)


def _array(
    source: Source, name: str, options: ReadOptions, decoder: Decoder | None = None
) -> Iterator[tuple[Any, Any]]:
    """Each element and None; or, where a decoder can, the text of the element and what the decoder makes of it."""
    where = source.where(name)
    report = reporter(options.progress, f"reading {where}")
    with source.open(name) as stream:
        total = source.size(name)
        text = io.TextIOWrapper(stream, encoding=options.encoding or _encoding(stream), newline="")
        for number, element in enumerate(_elements(text, where, decoder), start=1):
            yield element
            if number % 2_000 == 0:
                report(min(stream.tell(), total), total)
        report(total, total)


def _encoding(stream: IO[bytes]) -> str:
    first = stream.read(4)
    stream.seek(0)
    return marked_encoding(first) or "utf-8"


class _Buffer:
    """Text that is read on when a record does not end in it."""

    def __init__(self, stream: IO[str], where: str) -> None:
        self.stream, self.where, self.text, self.place, self.line, self.ended = stream, where, "", 0, 1, False
        self.looked = 0  # up to here there is nothing but what is read an element at a time

    def more(self) -> bool:
        """Read on, and let go of what has been used; False at the end of the file."""
        self.line += self.text.count("\n", 0, self.place)
        rest = self.text[self.place :]
        try:
            fresh = self.stream.read(max(CHUNK, len(rest)))
        except UnicodeDecodeError as problem:
            line = self.line + rest.count("\n") + problem.object.count(b"\n", 0, problem.start)
            raise other_encoding(self.where, problem, line) from None
        except (LookupError, UnicodeError) as problem:  # UTF-16 without the mark at its beginning
            known = remedy(encoding=one_of("utf-8", "cp1252", "utf-16"))
            why = MayBeNames(str(problem))
            raise FileError(
                self.where, "It cannot be read in this encoding: ", why, ". Say another: ", known, "."
            ) from None
        self.looked = min(max(self.looked - self.place, 0), len(rest))
        self.text, self.place, self.ended = rest + fresh, 0, not fresh
        return bool(fresh)

    def skip_mark(self) -> None:
        """Pass over the mark that text may begin with."""
        if self.more() and self.text.startswith(BOM):
            self.place = len(BOM)

    def skip_blank(self) -> str:
        """The next character that is not blank; empty at the end."""
        while True:
            self.place = BLANK.match(self.text, self.place).end()  # type: ignore[union-attr]
            if self.place < len(self.text):
                return self.text[self.place]
            if not self.more():
                return ""

    def line_of(self, place: int) -> int:
        """The line of the file in which a place of the text is."""
        return self.line + self.text.count("\n", 0, place)

    def objects(self) -> str:
        """Objects from here on that seem whole, with commas between them; empty where none does.

        Braces in texts may mislead it: what it gives has still to be read.
        """
        text = self.text[self.place : self.place + WINDOW]
        wide = not text.isascii()
        signs = np.frombuffer(text.encode("utf-32-le" if wide else "ascii"), dtype=np.uint32 if wide else np.uint8)
        opening = signs == ord("{")
        places = np.flatnonzero(opening | (signs == ord("}")))
        depth = np.cumsum(np.where(opening[places], 1, -1))
        ends = places[(depth == 0) & (np.minimum.accumulate(depth) >= 0)]
        last = next((end for end in ends[: -LOOKED_AT - 1 : -1].tolist() if FOLLOWS.match(text, end + 1)), -1)
        return text[: last + 1]


def _elements(stream: IO[str], where: str, typed: Decoder | None) -> Iterator[tuple[Any, Any]]:
    decoder = json.JSONDecoder()
    buffer = _Buffer(stream, where)
    buffer.skip_mark()
    if buffer.skip_blank() != "[":
        raise FileError(where, "A list of records was expected, beginning with '['.", line=buffer.line_of(buffer.place))
    buffer.place += 1
    number = 0
    if buffer.skip_blank() == "]":
        return
    while True:
        pieces = _pieces(buffer, typed) if typed is not None and buffer.place >= buffer.looked else []
        for piece in pieces:
            number += 1
            found = typed.record(piece) if typed is not None else None
            yield (_whole(bytes(piece), where, number), None) if found is None else (piece, found)
        if not pieces:
            number += 1
            yield _element(decoder, buffer, number), None
        follows = buffer.skip_blank()
        if follows == "]":
            buffer.place += 1
            if buffer.skip_blank():
                line = buffer.line_of(buffer.place)
                raise FileError(where, "There is more after the end of the list of records.", line=line)
            return
        if follows != ",":
            raise FileError(
                where,
                "After the record ",
                *(("there is ", quoted(follows)) if follows else ("the file ends",)),
                ", where ',' or ']' should be.",
                record=number,
                line=buffer.line_of(buffer.place),
            )
        buffer.place += 1
        buffer.skip_blank()


def _pieces(buffer: _Buffer, typed: Decoder) -> list[Any]:
    """The texts of the elements from here on, as far as they can be told apart; then the buffer is behind them."""
    text = buffer.objects()
    pieces = typed.pieces(text) if text else []
    if pieces:
        buffer.place += len(text)
    else:
        buffer.looked = buffer.place + WINDOW
    return pieces


def _element(decoder: json.JSONDecoder, buffer: _Buffer, number: int) -> Any:
    while True:
        try:
            element, buffer.place = decoder.raw_decode(buffer.text, buffer.place)
            return element
        except json.JSONDecodeError as problem:
            # cut in the middle: the decoder stumbles at the end of what has been read, or over an open string
            cut = problem.pos >= len(buffer.text) - 8 or problem.msg.startswith("Unterminated string")
            if not (cut and not buffer.ended and buffer.more()):
                what = "the file ends in the middle of a record" if cut else problem.msg
                line = buffer.line_of(problem.pos)
                raise FileError(buffer.where, f"It is not JSON: {what}.", record=number, line=line) from None
        except (ValueError, RecursionError) as problem:
            raise FileError(buffer.where, _unreadable(problem), record=number) from None


def _whole(piece: bytes, where: str, number: int) -> Any:
    """An element by its text."""
    try:
        return json.loads(piece)
    except (ValueError, RecursionError) as problem:
        raise FileError(where, _unreadable(problem), record=number) from None


def _broken(where: str, problem: Exception) -> FileError:
    if isinstance(problem, json.JSONDecodeError):
        return FileError(where, f"It is not JSON: {problem.msg} at character {problem.colno}.", line=problem.lineno)
    return FileError(where, _unreadable(problem))


def _unreadable(problem: Exception) -> str:
    """What Python does not read, though it is JSON."""
    if isinstance(problem, RecursionError):
        return "The JSON is nested too deeply to be an export."
    if TOO_LONG in str(problem):
        return f"It holds a number of more than {sys.get_int_max_str_digits():,} digits. Write it as text."
    return f"It is not JSON: {problem}."
