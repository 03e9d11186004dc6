"""`read`: the study in a file, a folder or a zip, whatever tool wrote it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from accord.errors import FileError, InputError, OptionError, listing

if TYPE_CHECKING:
    from accord.answers import Kind
    from accord.assembly import Duplicates
    from accord.readers.rows import Asked, OnError
    from accord.readers.source import Found, Source
    from accord.readers.tables import Said, Shape
    from accord.study import Study

TABLE = "table"


def read(
    path: str | Path,
    *,
    format: str | None = None,  # noqa: A002 - the word that everyone looks for
    item: str | None = None,
    annotator: str | None = None,
    label: str | Sequence[str] | None = None,
    rank: str | None = None,
    score: str | None = None,
    start: str | None = None,
    end: str | None = None,
    text: str | None = None,
    task: str | None = None,
    time: str | None = None,
    cluster: str | None = None,
    suggested: str | None = None,
    kind: str | None = None,
    run: str | None = None,
    status: str | None = None,
    shape: Shape | None = None,
    annotators: Sequence[str] | None = None,
    labels: Sequence[Any] | None = None,
    answers: Kind | None = None,
    duplicates: Duplicates = "error",
    separator: str | None = None,
    only: str | None = None,
    include: Sequence[str] = (),
    adjudicator: str | Sequence[str] | None = None,
    delimiter: str | None = None,
    decimal: str | None = None,
    header: bool = True,
    sheet: str | None = None,
    encoding: str | None = None,
    on_error: OnError = "raise",
    progress: bool | Callable[[int, int], None] | None = None,
) -> Study:
    r"""The study in an export of an annotation tool, or in a table.

    The format is found by looking at the content; `study.describe()` says which it was, what was left out and why.

    Args:
        path: A file, a folder or a zip.
        format: The format, where it cannot be found or there are two: "label-studio", "prodigy", "table" …
        item: The column of a table that names the item, where its name does not tell. So for the other roles:
        annotator: … the annotator.
        label: … the label; several columns are several variables.
        rank: … the rank of the label, 1 for the primary one.
        score: … the number, where answers are scores.
        start: … where a span begins.
        end: … where it ends.
        text: … the text.
        task: … the variable, where a table holds several.
        time: … when it was answered.
        cluster: … which items belong together.
        suggested: … the label that was suggested.
        kind: … whether a person or a model answered.
        run: … which of several runs it was.
        status: … whether the answer counts.
        shape: The shape of a table, where it does not tell: "long", "wide", "counts", "confusion", "indicators",
            "ranking" or "preferences".
        annotators: The columns of a wide table that hold answers.
        labels: The scale: all labels there are, in order.
        answers: The kind of answers: "single", "set", "ranked" or "score".
        duplicates: Which answer counts where an annotator answered an item more than once: "first", "last" or, all of
            them, "repeat".
        separator: What stands between several labels in one cell ("|"), or "json" where a cell holds a JSON list.
        only: The one variable to read of an export with several.
        include: What counts besides submitted answers: "draft", "rejected", "suggested", "adjudicated" …
        adjudicator: The annotator (or several) whose answers are gold, not one more opinion.
        delimiter: What stands between the cells of a CSV file.
        decimal: "," where numbers are written 0,5.
        header: False for a table without names of columns.
        sheet: The sheet of an Excel file.
        encoding: Where it is not UTF-8.
        on_error: "skip" leaves out records that cannot be read, and counts them.
        progress: True for a line on the error stream, or a function of (done, total).

    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp()) / "answers.csv"
    >>> _ = path.write_text("unit,coder,category\n1,ana,yes\n1,ben,yes\n2,ana,no\n2,ben,yes\n")
    >>> read(path)
    Study of 2 items by 2 annotators: 4 single answers on the labels 'no', 'yes'
    """
    from accord.readers.rows import Asked
    from accord.readers.source import Source
    from accord.readers.tables import Said

    if on_error not in ("raise", "skip"):
        raise OptionError.choice("on_error", on_error, ["raise", "skip"])
    named = {
        "item": item,
        "annotator": annotator,
        "label": label,
        "rank": rank,
        "score": score,
        "start": start,
        "end": end,
        "text": text,
        "task": task,
        "time": time,
        "cluster": cluster,
        "suggested": suggested,
        "kind": kind,
        "run": run,
        "status": status,
    }
    roles = {role: name for role, name in named.items() if name is not None}
    gold = () if adjudicator is None else (adjudicator,) if isinstance(adjudicator, str | int) else tuple(adjudicator)
    said = Said(roles, shape, annotators, labels, answers, duplicates, separator, only, include, gold)
    asked = Asked(
        on_error, encoding, progress, {"delimiter": delimiter, "decimal": decimal, "header": header, "sheet": sheet}
    )
    source = Source(path)
    found = _chosen(source, format, said)
    return _table(source, said, asked) if found is None else _export(source, found, said, asked)


def _chosen(source: Source, format: str | None, said: Said) -> Found | None:  # noqa: A002
    """The format that the caller says or the content tells; None for a plain table."""
    from accord.readers.registry import readers
    from accord.readers.source import Found

    known = readers()
    if format is not None:
        if format == TABLE:
            return None
        if format not in known:
            raise OptionError.choice("format", format, [TABLE, *known])
        return Found(format, "as you said")
    if said.shape is not None or said.annotators is not None:
        return None
    seen: list[Found] = [found for reader in known.values() if (found := reader.sniff(source)) is not None]
    if len(seen) > 1:
        both = " or ".join(
            f"accord.read({source.path.name!r}, format={found.format!r}) ({found.why})" for found in seen
        )
        raise InputError(f"{source.path.name} can be read in {len(seen)} ways. Say which: {both}.")
    if seen and (seen[0].format in said.roles or not said.roles):
        return seen[0]
    if seen and source.only is not None and said.roles:
        return None  # the columns were named, so it is to be read as a table
    return seen[0] if seen else None


def _export(source: Source, found: Found, said: Said, asked: Asked) -> Study:
    from accord.readers.collecting import study_of
    from accord.readers.registry import readers

    if said.roles:
        raise OptionError(
            f"{source.path.name} is read as {found.format} ({found.why}), which has no columns to choose: "
            f"{listing(said.roles)}. To read it as a table, say format={TABLE!r}."
        )
    reader = readers()[found.format]
    rows = reader.read(source, asked).finish()
    rows.notes.insert(0, f"format {found.format!r}: {found.why}")
    return study_of(rows, said.wanted)


def _table(source: Source, said: Said, asked: Asked) -> Study:
    from accord.readers import sheet as sheets
    from accord.readers.tables import study_of_table

    name = source.only
    if name is None:
        raise FileError(
            source.path,
            "",
            f"The {source.kind} holds {len(source.names)} files ({listing(source.names, most=4)}), and "
            "together they are no known export. Name one file, or say format=….",
        )
    return study_of_table(sheets.load(source, name, asked), said, asked)
