"""Text with a row on each line (CSV, TSV): what stands between cells and round them is found and said."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain, islice
from pathlib import PurePosixPath
from typing import Any, TypeAlias

from accord.annotations.left_out import LeftOut, Reason
from accord.errors import FileError, MayBeNames, Message, OptionError, counted, listing, quoted, remedy
from accord.readers import quoting
from accord.readers.file_heads import marked_encoding
from accord.readers.header import TWO_LINES, check_header, names_index, of_two_lines, without_unnamed
from accord.readers.read_options import OF_TABLES, refuse_unused
from accord.readers.source import Source, decoded
from accord.study.csv_writer import bare, is_own
from accord.study.shapes.shape_of_file import ShapeOfFile
from accord.study.tables import column_names
from accord.study.tables.rows import ReadOptions
from accord.study.tables.sheet import Sheet
from accord.study.tables.to_study import same_type

SMALL = 16 << 20  # bytes up to which CSV is read row by row, with every line checked as it comes
USED = (*OF_TABLES, "delimiter", "decimal", "quote", "header", "encoding")  # options of reading
MOST_TITLES = 12  # lines in which the beginning of a table is looked for
SEPARATORS = (",", ";", "\t", "|")
BLANK = " "  # stands between cells where nothing else does
Line: TypeAlias = tuple[int, list[str]]  # the line that a row begins in, and its cells
DECIMAL_COMMA = r"-?\d+(,\d+)?"
csv.field_size_limit(1 << 28)


@dataclass
class Layout:
    """How the cells of a text are kept apart, and what is to be said of it."""

    separator: str
    quote: str = quoting.DOUBLE
    before: int = 0  # lines before the header that are none of the table's
    comma: bool = False  # may numbers be written 0,5?
    runs: bool = False  # do several blanks stand between cells, as many as make columns stand straight?
    notes: list[str] = field(default_factory=list)

    @property
    def shape(self) -> ShapeOfFile:
        """What the table is called."""
        named = {"\t": "TSV", ",": "CSV", BLANK: "CSV (blanks)"}
        return ShapeOfFile(f"{named.get(self.separator, f'CSV ({self.separator})')} table")

    def settle_quotes(
        self, where: str, options: ReadOptions, lines: Callable[[], Iterable[str]], *, has_quotes: bool
    ) -> int | None:
        """Find what stands round cells, unless it is said; returns how many rows there are, where they were counted."""
        quote = quoting.check_quote(options.quote)
        if quote is not None:
            self.quote = quote
            return None
        if not has_quotes:
            return None

        def table() -> Iterator[str]:
            passing = iter(lines())
            for _ in range(self.before):
                next(passing, None)
            yield from passing

        found = quoting.found(table, self.separator, where, self.before)
        self.quote = found.mark
        if found.note is not None:
            self.notes.append(found.note)
        return found.rows


def load(source: Source, name: str, options: ReadOptions) -> Sheet:
    """The table of a text."""
    where, suffix = source.where(name), PurePosixPath(name).suffix.lower()
    head = source.glance(name).text
    refuse_unused(options, USED, Message(MayBeNames(where), " is a table in text"), table=True)
    if options.decimal not in (None, ",", "."):
        raise OptionError.choice("decimal", options.decimal, [".", ","])
    layout = _layout(head, suffix, options)
    _refuse_rules(head, where)
    large = source.size(name) > SMALL and options.encoding is None and options.on_error != "skip" and options.header
    if large and not layout.before and not layout.runs:
        from accord.readers import large_csv

        frame = large_csv.load(source, name, head, layout, options)
        if frame is not None:
            return Sheet(where, layout.shape, frame, layout.notes)
    text = text_in(source.content(name), where, options, layout.notes)
    if layout.separator == BLANK:
        text = "\n".join(map(_with_single_blanks, text.split("\n")))
    marked = '"' in text or f"{layout.separator}'" in text
    layout.settle_quotes(where, options, lambda: io.StringIO(text, newline=""), has_quotes=marked)
    left = LeftOut()
    columns = _columns(text, layout, where, options, left)
    if is_own(columns):
        columns = {bare(name): list(map(bare, cells)) for name, cells in columns.items()}
    return Sheet(where, layout.shape, _typed(columns, layout, options), layout.notes, left)


def _layout(head: str, suffix: str, options: ReadOptions) -> Layout:
    """What the first lines tell: lines before the table, and what stands between cells."""
    lines = head.splitlines()
    first = lines[0].lstrip("\ufeff").strip().strip('"') if lines else ""
    sep_line = re.fullmatch(r"sep=(.)", first, re.IGNORECASE)
    if sep_line is not None:  # as Excel writes it
        return Layout(options.delimiter or sep_line[1], before=1, comma=_may_be_comma(sep_line[1], options))
    comments = 0
    for line in lines:
        if not line.startswith("#"):
            break
        comments += 1
    titles = 0 if comments else _titles(lines[:MOST_TITLES], suffix, options)
    rest = "\n".join(lines[comments + titles :])
    separator = options.delimiter or separator_in(rest if comments + titles else head, suffix)
    layout = Layout(separator, before=titles, comma=_may_be_comma(separator, options))
    layout.runs = separator == BLANK and any(_with_single_blanks(line) != line.rstrip("\r") for line in lines)
    if titles:
        shown = listing(
            [line.strip(f"\ufeff{separator} ")[:60] for line in lines[:titles] if line.strip(f"{separator} ")]
        )
        layout.notes.append(Message("lines above the table were passed over", MayBeNames(f": {shown}", "")))
        return layout
    if comments and rest.strip():
        cells = rest.lstrip("\n").split("\n", 1)[0].count(separator)
        own = cells and lines[comments - 1].count(separator) == cells  # a header that begins with a number sign
        layout.before = comments - 1 if own else comments
    if layout.before:
        layout.notes.append(f"lines before the table that begin with '#' were passed over: {layout.before:,}")
    return layout


def _titles(lines: Sequence[str], suffix: str, options: ReadOptions) -> int:
    """How many lines stand above the table: they have one cell at most, and the one below them has more than two."""
    if not options.header:
        return 0
    for place in range(len(lines)):
        separator = options.delimiter or separator_in("\n".join(lines[place:]), suffix)
        filled = len([cell for cell in lines[place].split(separator) if cell.strip()])
        if filled > 1 or '"' in lines[place]:
            return place if filled > 2 and all(_is_title(line, separator) for line in lines[:place]) else 0
    return 0


def _is_title(line: str, separator: str) -> bool:
    return len([cell for cell in line.split(separator) if cell.strip()]) < 2 and '"' not in line


def _refuse_rules(head: str, where: str) -> None:
    """A table as it is printed: lines of dashes between the names and the cells would be cells."""
    lines = head.split("\n", 3)[:3]
    for number, line in enumerate(lines, start=1):
        if re.fullmatch(r"[|+]?[ :]*--[-: ]*[|+][-|+: ]*\r?", line):
            what = "is a rule of dashes, as in Markdown and what databases print"
            raise FileError(
                where, "The line ", quoted(line.strip()[:30]), f" {what}. Save the table as CSV.", line=number
            )


def _may_be_comma(separator: str, options: ReadOptions) -> bool:
    return options.decimal == "," or (separator != "," and options.decimal is None)


def text_in(data: bytes, where: str, options: ReadOptions, notes: list[str]) -> str:
    """What the mark at the beginning says, UTF-8, or the Western Windows encoding where it can be nothing else."""
    marked = marked_encoding(data)
    try:
        text = decoded(data, where, options.encoding)
    except FileError:
        if options.encoding is not None or marked is not None:
            raise
        # text with some sound UTF-8 in it is broken UTF-8, not another encoding
        if re.search(rb"[\xc3-\xf4][\x80-\xbf]", data) or re.search(rb"[\x81\x8d\x8f\x90\x9d\x00-\x08]", data):
            raise
        notes.append(
            Message(
                "the file is not UTF-8 and was read as cp1252 (Western Windows); say ",
                remedy(encoding=...),
                " if letters look wrong",
            )
        )
        return data.decode("cp1252")
    if options.encoding is None and marked is not None:
        notes.append(f"the file was read as {marked.upper()}, as its first bytes say")
    return text


def separator_in(head: str, suffix: str) -> str:
    """The character between cells: the one that stands equally often in the first lines; blanks where no other does."""
    if suffix in (".tsv", ".tab"):
        return "\t"
    lines = [re.sub(r'"[^"]*"', '""', line) for line in head.splitlines()[:20] if line.strip()]
    counts = {mark: [line.count(mark) for line in lines] for mark in SEPARATORS}
    steady = [mark for mark in SEPARATORS if counts[mark] and counts[mark][0] and min(counts[mark]) == counts[mark][0]]
    if steady:
        return max(steady, key=lambda mark: counts[mark][0])
    best = max(SEPARATORS, key=lambda mark: counts[mark][0] if counts[mark] else 0)
    if len(lines) > 1 and not any(map(any, counts.values())):
        named, *cells = (len(line.split()) for line in lines)
        return BLANK if named > 2 and set(cells) in ({named}, {named + 1}) else best  # with numbers of rows, as of R
    return best


def _with_single_blanks(line: str) -> str:
    """A line with one blank for every run of them, but for those within quotation marks."""
    return re.sub(r'("[^"]*")|[ \r]+', lambda run: run[1] or BLANK, line).strip(BLANK)


def _columns(text: str, layout: Layout, where: str, options: ReadOptions, left: LeftOut) -> dict[str, list[Any]]:
    broken = left if options.on_error == "skip" else None
    rows = csv_rows(text, layout.separator, where, quote=layout.quote, before=layout.before, broken=broken)
    start = next(rows, None)
    if start is None:
        raise FileError(where, "The file is empty.")
    names, first = _names(start, rows, layout, where, options)
    columns: list[list[Any]] = [[] for _ in names]
    for _, row in whole_rows(chain(first, rows), len(names), where, options, left):
        for column, cell in zip(columns, row, strict=True):
            column.append(cell)
    return dict(zip(names, columns, strict=True))


def whole_rows(
    lines: Iterable[Line], width: int, where: str, options: ReadOptions, left: LeftOut, may_lack: int = 0
) -> Iterator[Line]:
    """The rows with a cell for every column; up to so many may be lacking at the end."""
    for line, row in lines:
        row.extend([""] * (width - len(row) if width - len(row) <= may_lack else 0))
        if len(row) == width:
            yield line, row
        elif options.on_error == "skip":
            left.add(Reason.SHORT_ROW if len(row) < width else Reason.LONG_ROW, 1)
        else:
            raise wrong_length(where, len(row), width, line)


def _names(
    start: tuple[int, list[str]],
    rows: Iterator[tuple[int, list[str]]],
    layout: Layout,
    where: str,
    options: ReadOptions,
) -> tuple[list[str], list[tuple[int, list[str]]]]:
    """What the columns are called, and what was read on the way that is data."""
    line, row = start
    if not options.header:
        return [f"column_{place + 1}" for place in range(len(row))], [start]
    head = [row[0].lstrip("#").lstrip(), *row[1:]] if len(row) > 1 else row
    following = list(islice(rows, 2))
    double = of_two_lines(head, following[0][1] if following else None)
    if double is not None:
        layout.notes.append(TWO_LINES)
        if len(following) > 1 and not double[0] and names_index(double, following[1][1]):
            return check_header([following[1][1][0], *double[1:]], where, line), []
        return check_header(double, where, line), following[1:]
    if following and all(len(cells) == len(head) + 1 and cells[0].strip().isdecimal() for _, cells in following):
        head = ["", *head]  # as R writes a table with the numbers of its rows
        layout.notes.append("the first cell of every row is its number, for which the header has no name")
    return check_header(head, where, line), following


def wrong_length(where: str, cells: int, columns: int, line: int) -> FileError:
    """The error for a row that is no row of the table."""
    return FileError(
        where, f"The row has {counted(cells, 'cells')}, and the header names {counted(columns, 'columns')}. ",
        remedy(on_error="skip"), " leaves such rows out and counts them.", line=line,
    )  # fmt: skip


def csv_rows(
    text: str,
    separator: str,
    where: str,
    *,
    quote: str = quoting.DOUBLE,
    before: int = 0,
    broken: LeftOut | None = None,
) -> Iterator[Line]:
    """Every row that is not empty, with the line it begins in; an error names that line, or is counted in `broken`."""
    lines = io.StringIO(text, newline="")
    for _ in range(before):
        next(lines, None)
    reader = quoting.rows_of(lines, separator, quote)
    while True:
        line = reader.line_num + 1 + before
        try:
            row = next(reader, None)
        except csv.Error as problem:
            if broken is not None:
                broken.add(Reason.UNREADABLE, 1)
                continue
            raise _not_csv(where, str(problem), line) from None
        if row is None:
            return
        if row:
            yield line, row


def _not_csv(where: str, problem: str, line: int) -> FileError:
    what = "a quotation mark opens a cell and none closes it" if problem == quoting.OPEN_END else problem
    return FileError(
        where, f"It is not CSV: {what}. If quotation marks are part of the text, say ",
        remedy(quote=quoting.NO_QUOTES), ".", line=line,
    )  # fmt: skip


def _typed(columns: dict[str, list[Any]], layout: Layout, options: ReadOptions) -> dict[str, list[Any]]:
    """Cells as numbers and lists where they are; what was found is noted."""
    typed, commas = {}, []
    for name, cells in columns.items():
        typed[name] = typed_text(cells, comma=layout.comma)
        if layout.comma and options.decimal is None and any(isinstance(cell, float) for cell in typed[name]):
            commas += [name] if any("," in cell for cell in cells) else []
    if commas:
        layout.notes.append(decimal_note(commas))
    return without_unnamed(typed)


def decimal_note(columns: Sequence[str]) -> Message:
    """That commas were found in numbers."""
    return Message(
        "numbers of ",
        column_names.columns(columns, most=4),
        " were read with a decimal comma; if it stands between labels, say ",
        remedy(decimal="."),
    )


def typed_text(cells: Iterable[str], *, comma: bool = False) -> list[Any]:
    """Cells of text as numbers where all of them are, with a decimal comma if so; blank ones are None."""
    filled: list[Any] = [cell if cell.strip() else None for cell in cells]
    if comma:
        distinct = {cell for cell in filled if cell is not None}
        if distinct and all(re.fullmatch(DECIMAL_COMMA, cell) for cell in distinct) and any("," in c for c in distinct):
            return [None if cell is None else float(cell.replace(",", ".")) for cell in filled]
    return same_type(filled)
