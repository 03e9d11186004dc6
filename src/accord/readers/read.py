"""`read`: the study in a file, a folder or a zip, whatever tool wrote it."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any, Unpack

from accord.annotations.answers import KINDS
from accord.annotations.left_out import Reason
from accord.errors import (
    ColumnMissing,
    FileError,
    InputError,
    Keyword,
    MayBeNames,
    Message,
    OptionError,
    all_quoted,
    counted,
    listing,
    naming,
    quoted,
    remedy,
    with_article,
)
from accord.options import keywords_of, refuse_unknown
from accord.study.answer_filters import Selection
from accord.study.roles import ROLES, RoleKeywords, named, takes_roles

if TYPE_CHECKING:
    from accord.annotations.answers import Kind
    from accord.annotations.assemble import Duplicates
    from accord.readers.found_format import Found
    from accord.readers.one_annotator import AnnotatorFile
    from accord.readers.source import Source
    from accord.study.levels import LevelsLike
    from accord.study.study import Study
from accord.study.tables.rows import OnError, ReadOptions, Rows, Shape

TABLE = "table"
BY_OPTION = "as you said"
KEPT = tuple(role.name for role in ROLES.values() if role.of_item)  # roles that a field of an export may play


@takes_roles(after="format")
def read(
    path: str | Path | Sequence[str | Path],
    *,
    format: str | None = None,  # noqa: A002 - the word that everyone looks for
    shape: Shape | None = None,
    annotators: Sequence[str] | str | None = None,
    exclude: Sequence[str] = (),
    where: Mapping[str, Any] | None = None,
    people: Sequence[str] = (),
    models: Sequence[str] = (),
    labels: Sequence[Any] | None = None,
    levels: LevelsLike | None = None,
    ordered: bool | None = None,
    answers: Kind | None = None,
    duplicates: Duplicates = "error",
    missing: Sequence[Any] | None = None,
    trim: bool = False,
    fold_case: bool = False,
    recode: Mapping[Any, Any] | None = None,
    separator: str | None = None,
    only: str | None = None,
    include: Sequence[str] = (),
    adjudicator: str | Sequence[str] | None = None,
    table: str | None = None,
    query: str | None = None,
    delimiter: str | None = None,
    decimal: str | None = None,
    quote: str | None = None,
    header: bool = True,
    sheet: str | None = None,
    records: str | None = None,
    config: str | Path | None = None,
    encoding: str | None = None,
    on_error: OnError = "raise",
    progress: bool | Callable[[int, int], None] | None = None,
    **roles: Unpack[RoleKeywords],
) -> Study:
    r"""The study in an export of an annotation tool, or in a table.

    The format is found by looking at the content; `study.describe()` says which it was, what was left out and why.
    Columns of a table are named where their own names do not tell, from `item` to `status` as `Study` takes them.

    Args:
        path: A file, a folder or a zip; "-" for standard input. Several are combined into one study: they share the
            options below, and who answered is told by a column or, where no column does, by the name of the file.
            Or a database: "duckdb:file.db", "sqlite:file.db", "postgres://host/database?table=answers", "bigquery://…".
            Tallies (.tally) are added up; which of them an item is in is told by the column "shard". A folder with
            results of `accord sql` is read as `from_results` does.
        format: The format, where it cannot be found or there are two: "label-studio", "prodigy", "table" …
        **roles: Which column of a table plays which role, where its name does not tell: item="doc", annotator="who",
            label="tag" and the others of the table in `study/roles.py`.
        shape: The shape of a table, where it does not tell: "long", "wide", "counts", "confusion", "indicators",
            "ranking", "preferences", or "unnamed" (a row per answer of people who are not named).
        annotators: Whose answers count: names of annotators, which are columns of a wide table. "all" takes people,
            models and adjudicators alike, where otherwise people are measured.
        exclude: Annotators whose answers do not count.
        where: Only rows with a value in a column: {"language": "en"}, {"round": [1, 2]}.
        people: Who the people are: everybody else who is not known to be a model or an adjudicator stands aside. By
            default everybody who is neither a model nor an adjudicator.
        models: Who is a model.
        labels: All labels there are; where they are measured as a scale, in order.
        levels: The level of measurement, "nominal", "ordinal", "interval", "ratio" or "circular": one word, or one for
            each variable: {"tone": "ordinal"}.
        ordered: Whether the labels have an order: True for a scale (the ordinal level), False for mere names.
        answers: The kind of answers: "single", "set", "ranked", "score" or "preference".
        duplicates: Which answer counts where an annotator answered an item more than once: "first", "last" or, all of
            them, "repeat": people are then compared with others only, and count once on an item.
        missing: Labels that stand for no answer, such as [99, "NA", "don't know"]; they are counted in `left_out`.
        trim: Whether blanks around labels are taken away.
        fold_case: Whether labels are read in small letters.
        recode: Labels that are read as others, such as {"Yes": "yes"}. `study.notes` count what was changed.
        separator: What stands between several labels in one cell ("|"), or "json" where a cell holds a JSON list.
        only: The one variable to read of an export with several.
        include: What counts besides submitted answers: "draft", "rejected", "suggested", "adjudicated" …
        adjudicator: The annotator (or several) whose answers are gold, not one more opinion.
        table: The table of a database, with what stands before its name: "answers", "project.answers".
        query: Instead of a table, a query of a database that gives its rows.
        delimiter: What stands between the cells of a CSV file.
        decimal: "," where numbers are written 0,5.
        quote: What encloses cells of a CSV file, '"' or "'"; "none" where quotation marks are part of the text.
        header: False for a table without names of columns.
        sheet: The sheet of an Excel file; without it, several of one shape are combined.
        records: Where the records of a JSON file lie, where it holds several lists: "data.instances".
        config: Label Studio's labelling configuration, XML or a path to it, where it does not lie beside the export.
        encoding: Where it is not UTF-8.
        on_error: "skip" leaves out records that cannot be read, and counts them.
        progress: True for a line on the error stream, or a function of (done, total).

    Returns:
        A `Study`; `study.describe()` tells what was read, and `study.left_out` what was not.

    Raises:
        FileError: If the file is damaged, or not as its format says; it names the file and the place.
        InputError: If the format cannot be told, or the table cannot be a study: `ColumnMissing`, `DuplicateAnswers`
            and `LabelError` are kinds of it.
        OptionError: If an option has a value that it cannot take, or the format has no such option.
        ExtraMissing: If a package is not installed that the file needs (Excel), or the driver of a database.

    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp()) / "answers.csv"
    >>> _ = path.write_text("unit,coder,category\n1,ana,yes\n1,ben,yes\n2,ana,no\n2,ben,yes\n")
    >>> read(path)
    Study of 2 items by 2 annotators: 4 single answers on the labels 'no', 'yes'
    >>> more = path.with_name("more.csv")
    >>> _ = more.write_text("unit,coder,category\n3,ana,no\n3,ben,no\n")
    >>> read([path, more])
    Study of 3 items by 2 annotators: 6 single answers on the labels 'no', 'yes'
    """
    refuse_unknown(roles, ROLES, keywords_of(read))
    played = named(roles)
    from accord.annotations.cleaning import Cleaning
    from accord.readers.databases import address_among, study_at
    from accord.readers.read_options import checked
    from accord.readers.several import combined
    from accord.readers.source import Source
    from accord.readers.tallies import known_by_sums, refuse_options
    from accord.study.levels import with_order
    from accord.study.tables.rows import ReadOptions

    _refuse_tables(path)
    annotators, exclude, people, models, include, delimiter = checked(locals())
    summed = known_by_sums(path)
    if summed is not None:
        refuse_options({**dict.fromkeys(ROLES), **locals(), **roles}, inspect.signature(read))
        study = summed().declare(labels).declare(levels=with_order(levels, ordered))
        selection = Selection(annotators, exclude, where or {}, people, models)
        return selection.of(study) if selection.restricts else study
    columns = None if isinstance(annotators, str) else annotators
    gold = _adjudicators(adjudicator)
    cleaning = Cleaning.of(missing, trim, fold_case, recode)
    ordered_levels = with_order(levels, ordered)
    options = ReadOptions(
        played, shape, columns, labels, answers, duplicates, cleaning, separator, only, include, gold, delimiter,
        decimal, quote, header, sheet, records, config, encoding, on_error, progress,
    )  # fmt: skip
    database = address_among(path, table, query)
    if database is not None:
        study = study_at(database, table, query, format, options)
    else:
        paths = [path] if isinstance(path, str | PathLike | Source) else list(path)
        sources = [one if isinstance(one, Source) else Source(one, encoding=encoding) for one in paths]
        study = combined(sources, format, options)
    if ordered_levels is not None:
        study = study._then(lambda whole: whole.declare(levels=_of_one(ordered_levels, only), ordered=ordered))
    selection = Selection(annotators, exclude, where or {}, people, models)
    return study._then(selection.of) if selection.restricts else study


def study_in(source: Source, format: str | None, options: ReadOptions, *, part: AnnotatorFile | None = None) -> Study:  # noqa: A002
    """The study of one source; of one among several, a table without annotators is of whom its file is called after."""
    from accord.readers.source import told_no_files

    with naming(source.where(source.only or "").rstrip("/")):
        study = _study_in(source, format, options, part)
    notes: list[str] = []
    if source.about:
        about = f"not read: {counted(len(source.about), 'files about the data')}"
        notes.append(Message(about, MayBeNames(f": {listing(source.about, most=3)}", "")))
    if source.no_files:
        notes.append(Message("not read, as there is no file: ", *told_no_files(source.no_files)))
    if not notes:
        return study
    return study._then(lambda whole: whole._with_origin(whole.shape, (*whole._reader_notes, *notes)))


def _study_in(source: Source, format: str | None, options: ReadOptions, part: AnnotatorFile | None) -> Study:  # noqa: A002
    from accord.readers import several

    name = source.only
    if source.kind != "file" and name is not None and name.lower().endswith(".zip") and "/" not in name:
        source = source.single(name)  # an export as it was downloaded; one further down is a tool's own
    found = _chosen(source, format, options)
    parts = several.equal_parts(source, found)
    if parts:
        return several.combined(parts, format, options, within=source)
    if found is not None:
        return _export(source, found, options)
    inside = _export_inside(source, options) if format is None else None
    return _table(source, options, part) if inside is None else inside


def _export_inside(source: Source, options: ReadOptions) -> Study | None:
    """The export of a tool that is the one file with data among others, which are named; None where it is none."""
    from accord.readers.source import DATA

    data = source.ending(*DATA)
    if source.only is not None or len(data) != 1:
        return None
    alone = source.single(data[0])
    found = _chosen(alone, None, options)
    if found is None:
        return None
    rest = [name for name in source.names if name != data[0]]
    beside = f"not read: {counted(len(rest), 'files')} beside the export"
    note = Message(beside, MayBeNames(f": {listing(rest, most=3)}", ""))
    study = _export(alone, found, options)
    return study._then(lambda whole: whole._with_origin(whole.shape, (*whole._reader_notes, note)))


def _adjudicators(given: Any) -> tuple[Any, ...]:
    """Who has the last word: a name, or several."""
    names = () if given is None else (given,) if isinstance(given, str | int) else given
    if isinstance(names, Mapping) or not isinstance(names, Iterable):
        raise OptionError.must("adjudicator", "be a name, or a list of names", given)
    names = tuple(names)
    if not all(isinstance(name, str | int) for name in names):
        raise OptionError.must("adjudicator", "be a name, or a list of names", given)
    return names


def _of_one(levels: LevelsLike, only: str | None) -> LevelsLike | None:
    """What is said of the one variable that is read, where it is one."""
    return levels if only is None or isinstance(levels, str) else levels.get(only)


def _refuse_tables(path: object) -> None:
    """What is in memory already need not be read, and what is on the network has to be fetched first."""
    from accord.readers.source import Source

    if isinstance(path, str) and not path:
        raise OptionError.must("path", "name a file or a folder", path)
    if isinstance(path, str) and re.match(r"https?://|s3://|gs://", path):
        raise InputError(
            quoted(path),
            " is an address, and accord opens no connections. Download it first: ",
            remedy("accord.read", quoted(path.rsplit("/", 1)[-1])),
            ".",
        )
    if isinstance(path, str | PathLike | Source):
        return
    if isinstance(path, list | tuple) and all(isinstance(one, str | PathLike | Source) for one in path):
        return
    if hasattr(path, "read"):
        name = getattr(path, "name", None)
        call = remedy("accord.read", repr(name) if isinstance(name, str) else "path")
        raise InputError(
            f"A file is read by its path; got an open {type(path).__name__}. Give its name: ",
            call,
            ".",
            option=Keyword("path"),
        )
    small = path is None or isinstance(path, int | float | bytes)
    raise InputError(
        "A file is read by its path; got ",
        quoted(path) if small else with_article(type(path).__name__),
        ". A table in memory makes a study as it is: ",
        remedy("accord.Study", "table"),
        ", or is measured at once: ",
        remedy("accord.measure", "table"),
        ".",
        option=Keyword("path"),
    )


def _chosen(source: Source, format: str | None, options: ReadOptions) -> Found | None:  # noqa: A002
    """The format that the caller says or the content tells; None for a plain table."""
    from accord.readers.format_registry import readers
    from accord.readers.found_format import Found

    known = readers()
    if format is not None:
        if format == TABLE:
            return None
        if format not in known:
            raise OptionError.choice("format", format, [TABLE, *known])
        return Found(format, BY_OPTION)
    if options.shape is not None or _is_written_by_accord(source):
        return None
    seen: list[Found] = [found for reader in known.values() if (found := reader.sniff(source)) is not None]
    if len(seen) > 1:
        calls = [
            (remedy("accord.read", repr(source.path.name), format=found.format), f" ({found.why})") for found in seen
        ]
        both = [part for call in calls for part in (" or ", *call)][1:]
        raise InputError(quoted(source.path.name), f" can be read in {len(seen)} ways. Say which: ", *both, ".")
    if seen and source.only is not None and _other_roles(seen[0], options):
        return None  # the columns were named, so it is to be read as a table
    return seen[0] if seen else None


def _is_written_by_accord(source: Source) -> bool:
    """Lines of JSON as `Study.write` has them, in which columns of a tool may be kept besides."""
    if source.only is None:
        return False
    record = source.glance(source.only).record
    return isinstance(record, dict) and {"item", "annotator"} <= set(record) and record.get("answers") in KINDS


def _other_roles(found: Found, options: ReadOptions) -> list[str]:
    """The roles for which a column is named, of those that the format does not let one choose."""
    from accord.readers.format_registry import readers

    chooses = [*KEPT, *readers()[found.format].CHOOSES]
    return [role for role, name in options.roles.items() if role not in chooses or not isinstance(name, str)]


def _export(source: Source, found: Found, options: ReadOptions) -> Study:
    from accord.readers.format_registry import readers
    from accord.readers.found_format import FormatNote
    from accord.readers.read_options import refuse_unused
    from accord.study.tables.to_study import study_of

    fixed = _other_roles(found, options)
    if fixed:
        raise OptionError(
            quoted(source.path.name),
            f" is read as {found.format} (",
            found.why,
            "), which has no columns to choose: ",
            all_quoted(fixed),
            ". To read it as a table, say ",
            remedy(format=TABLE),
            ".",
        )
    reader = readers()[found.format]
    read_as = Message(quoted(source.path.name), f" is read as {found.format} (", found.why, ")")
    refuse_unused(options, reader.OPTIONS, read_as)
    rows = reader.read(source, options)
    rows.where = source.path.name
    _refuse_damaged(source, rows)
    _note_the_rest(source, found, rows, loose=reader.LOOSE)
    rows.finish()
    _name_kept(rows, {role: name for role, name in options.roles.items() if role in KEPT})
    rows.notes.insert(0, FormatNote(found))
    return study_of(rows, options)


def _refuse_damaged(source: Source, rows: Rows) -> None:
    """Files that are no text though they are called as those that were read: somebody's answers would be missing."""
    damaged = source.no_texts
    if not damaged:
        return
    if rows.options.on_error != "skip":
        raise FileError(
            source.where(damaged[0]), "It holds NUL characters, so it is no text; it may be damaged. Mend it, or ",
            remedy(on_error="skip"), " leaves such files out and counts them.",
        )  # fmt: skip
    rows.left_out.add(Reason.UNREADABLE, len(damaged))
    what = f"not read: {counted(len(damaged), 'files')} with NUL characters"
    rows.note(Message(what, MayBeNames(f": {listing(damaged, most=3)}", "")))
    source.set_aside(damaged)


def _note_the_rest(source: Source, found: Found, rows: Rows, *, loose: bool) -> None:
    """Files that are no part of the export: an error, unless its folders are known to hold others."""
    rest = source.passed_over
    if texts := source.texts_passed_over:
        unread = f"not read: {counted(len(texts), 'texts')} beside the {found.format} export"
        rows.note(Message(unread, MayBeNames(f": {listing(texts, most=3)}", "")))
    if not rest:
        return
    what = f"{counted(len(rest), 'files of another kind')} beside the {found.format} export"
    which = MayBeNames(f": {listing(rest, most=3)}", "")
    if loose or found.why == BY_OPTION:
        rows.note(Message(f"not read: {what}", which))
        return
    raise FileError(
        source.path, f"There {'is' if len(rest) == 1 else 'are'} {what}", which, ". Move them away, or say ",
        remedy(format=found.format), " to read it without them.",
    )  # fmt: skip


def _name_kept(rows: Rows, roles: Mapping[str, Any]) -> None:
    """Fields that an export keeps beside its answers may say what was suggested, and what belongs together."""
    from accord.study.shapes.loaded import Trait

    for role, name in roles.items():
        if name in rows.columns:
            rows.columns[role] = list(rows.columns[name])
            if role == "suggested":
                rows.shape = Message(rows.shape, " with suggestions", MayBeNames(f" in {name!r}", ""))
                rows.traits.discard(Trait.SUGGESTED_BY_THE_TOOL)
        elif name not in rows.columns.get("annotator", ()):  # what was suggested may be a model's answers
            raise ColumnMissing(role, name, list(rows.columns))


def _table(source: Source, options: ReadOptions, part: AnnotatorFile | None) -> Study:
    from accord.readers import one_annotator, several, table_file
    from accord.study import declared_scales
    from accord.study.tables.recognise import study_of_table

    large = _large(source, options)
    if large is not None:
        return large
    name = _only_table(source, options)
    sheets = table_file.sheets_with_cells(source, name) if options.sheet is None else []
    if len(sheets) > 1:
        return several.of_sheets(source, sheets, options)
    sheet = table_file.load(source, name, options)
    sheet.scales = declared_scales.of_table(source, name) or sheet.scales
    rest = [other for other in source.names if other != name]
    if rest:
        what = f"not read: {counted(len(rest), 'files')} beside the table"
        sheet.notes.append(Message(what, MayBeNames(f": {listing(rest, most=3)}", "")))
    if part is None:
        return study_of_table(sheet, options)
    options = one_annotator.name_annotator(sheet, options, part)
    with one_annotator.asking_for_variables(sheet, options):
        return study_of_table(sheet, options)


def _only_table(source: Source, options: ReadOptions) -> str:
    """The only file, or the only one with data; an error where there are several that are nothing together."""
    from accord.readers.several import OWN
    from accord.readers.source import DATA

    data = [name for name in source.ending(*DATA) if not name.endswith(OWN)]
    name = source.only or (data[0] if len(data) == 1 else None)
    if name is not None:
        return name
    _name_broken(source, options)
    raise FileError(
        source.path,
        f"The {source.kind} holds {len(source.names)} files (",
        all_quoted(source.names, most=4),
        "), and together they are no known export. Name one file, or say ",
        remedy(format=...),
        ".",
    )


def _large(source: Source, options: ReadOptions) -> Study | None:
    """A Parquet table that is left where it is; None for any other file."""
    if not all(name.lower().endswith((".parquet", ".pq", "_success", ".crc")) for name in source.names):
        return None
    from accord.readers import large_parquet

    return large_parquet.scanned(source, options) if options.shape in (None, "long") else None


def _name_broken(source: Source, options: ReadOptions) -> None:
    """Of files that together are nothing known, one may be broken: its first record says so."""
    from itertools import islice

    from accord.readers import json_files
    from accord.study.tables.rows import Rows

    for name in source.ending(".json", ".jsonl", ".ndjson")[:100]:
        held = source.glance(name).record
        if source.glance(name).form == "json object":
            json_files.load(source, name, options)
        elif not isinstance(held, dict) or all(value is None for value in held.values()):
            list(islice(json_files.records(source, name, options, Rows("file", options)), 1))
