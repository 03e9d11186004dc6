"""Several files as one study: annotators who work in a file each, batches, the exports of several teams."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import PurePosixPath
from typing import Any

from accord.annotations.answers import answers_called
from accord.annotations.left_out import LeftOut
from accord.errors import (
    AccordError,
    DuplicateAnswers,
    FileError,
    InputError,
    Keyword,
    MayBeNames,
    Message,
    all_quoted,
    at_item,
    between,
    counted,
    quoted,
    remedy,
)
from accord.errors import Part as MessagePart
from accord.readers import file_names
from accord.readers.found_format import Found
from accord.readers.one_annotator import AnnotatorFile
from accord.readers.source import DATA, Source
from accord.readers.table_file import is_delimited
from accord.study import declared_scales
from accord.study.shapes.cells import Numbered
from accord.study.shapes.shape_of_file import ShapeOfFile
from accord.study.study import Study
from accord.study.tables.rows import ReadOptions, Rows, kept_name
from accord.study.tables.to_study import study_of
from accord.study.unnamed_notes import GuessedPeople
from accord.study.write import long_columns

MOST_NAMED = 12  # files in a note
UNNAMED = " that does not name its items"  # row 1 of a codebook is no item of the table beside it
TABLES = (".txt", ".tab")  # endings of tables where a folder holds no others
OWN = (declared_scales.ENDING, "-key.json")  # files that accord itself puts beside others


def equal_parts(source: Source, found: Found | None) -> list[Source]:
    """The files of a folder or zip that are each a study of one kind; none where the folder is one export or one table.

    Where the caller says the format, and the folder as a whole is none of it, the files are asked one by one.
    """
    from accord.readers.format_registry import readers
    from accord.readers.large_parquet import is_parts

    if source.kind == "file" or source.only is not None or is_parts(source):
        return []
    names = [name for name in source.ending(*DATA) if not name.endswith(OWN)]
    names = names or [name for name in source.ending(*TABLES) if is_delimited(source, name)]
    if found is None:
        parts = [source.single(name) for name in names if not _is_setting(source, name)]
        return parts if len(parts) > 1 else []
    reader = readers()[found.format]
    if reader.sniff(source) is not None:
        return []
    parts = [source.single(name) for name in names]
    parts = [part for part in parts if reader.sniff(part) is not None]
    return parts if len(parts) > 1 else []


def _is_setting(source: Source, name: str) -> bool:
    """Is it a labelling configuration or the like, which says something of the exports beside it?"""
    from accord.readers.formats import label_studio_files

    return label_studio_files.is_beside(source, name)


def combined(
    sources: Sequence[Source],
    format: str | None,  # noqa: A002 - as `read` calls it
    options: ReadOptions,
    within: Source | None = None,
) -> Study:
    """One study of several sources, each read with the same options."""
    from accord.readers.read import study_in

    if not sources:
        raise InputError("There is no file to read: the list is empty.", option=Keyword("path", []))
    if len(sources) == 1:
        return study_in(sources[0], format, options)
    names = _called(sources, within)
    whose = file_names.people_of([_path_of(source, within) for source in sources])
    parts = [AnnotatorFile(*one) for one in zip(sources, names, whose, strict=True)]
    return _whole(parts, format, options, within.path.name if within is not None else " + ".join(names))


def of_sheets(source: Source, sheets: Sequence[str], options: ReadOptions) -> Study:
    """One study of the sheets of a workbook."""
    parts = [AnnotatorFile(source, f"{source.path.name}, sheet {sheet!r}", sheet, sheet) for sheet in sheets]
    try:
        return _whole(parts, "table", options, source.path.name)
    except InputError as problem:
        first = remedy(sheet=sheets[0])
        problem.add(" There are the sheets ", all_quoted(sheets), "; to read one, say ", first, ".")
        raise


def _whole(parts: Sequence[AnnotatorFile], format: str | None, options: ReadOptions, where: str) -> Study:  # noqa: A002
    studies, failed = _studies(parts, format, options)
    _check_alike(studies)
    rows = _rows(studies, options, "sheets" if parts[0].sheet is not None else "files")
    rows.where = where
    if failed:
        failures = str(Message(*_failure_parts(failed)))
        rows.note(Message("not read: ", MayBeNames(failures, counted(len(failed), "files"))))
    with _naming_files(studies):
        study = study_of(rows, options)
    return study._then(lambda study: _with_left_out(study, list(studies.values())))


def _path_of(source: Source, within: Source | None) -> str:
    path = source.path.relative_to(within.path) if within is not None and within.kind == "folder" else source.path
    return path.as_posix()


def _called(sources: Sequence[Source], within: Source | None) -> list[str]:
    """What the files are called: by their names, and by their folders too where two have one name."""
    names = [source.path.name for source in sources]
    if within is not None:
        return [f"{within.path.name}/{_path_of(source, within)}" for source in sources]
    if len(set(names)) == len(names):
        return names
    typed = [str(source.path) for source in sources]
    twice = sorted({path for path in typed if typed.count(path) > 1})
    if twice:
        raise InputError(all_quoted(twice), " is named twice. Name every file once.")
    return typed


def _studies(
    parts: Sequence[AnnotatorFile],
    format: str | None,  # noqa: A002
    options: ReadOptions,
) -> tuple[dict[str, Study], list[AccordError]]:
    """The study of each file by its name, and why others have none."""
    from accord.readers.read import study_in

    found: dict[str, Study] = {}
    failed: list[AccordError] = []
    options = replace(options, only=None, adjudicator=())  # which are asked of all files together
    options = replace(options, questions=_questions(parts, format, options))
    for part in parts:
        try:
            study = study_in(part.source, format, replace(options, sheet=part.sheet or options.sheet), part=part)
            if not next(iter(study.tasks.values()), study)._annotations.named:
                raise FileError(part.name, "It does not say who answered, so it cannot be combined with other files.")
            found[part.name] = study
        except AccordError as problem:
            failed.append(_refused(problem, part.name, options))
    for name in _strangers(found):
        others = next(iter(dict.fromkeys(_shape(study) for other, study in found.items() if other != name)))
        what = f"It is read as a {_shape(found[name])}, and the other files as a {others}: it does not belong to them."
        failed.append(_refused(FileError(name, what), name, options))
        del found[name]
    if not found:
        raise InputError(f"None of {counted(len(parts), 'files')} could be read: ", *_failure_parts(failed))
    return found, failed


def _questions(parts: Sequence[AnnotatorFile], format: str | None, options: ReadOptions) -> Sequence[str]:  # noqa: A002
    """What exports of one format ask together; nothing where each tells it by itself."""
    from accord.readers.format_registry import readers

    for name, reader in readers().items():
        if format not in (None, name) or not reader.asks:
            continue
        if all(part.sheet is None and part.source.only and reader.sniff(part.source) for part in parts):
            return tuple(reader.questions([part.source for part in parts], options))
    return ()


def _refused(problem: AccordError, name: str, options: ReadOptions) -> AccordError:
    """What is wrong with a file, to be told beside those that can be read; raised where it ends the reading."""
    if options.on_error != "skip" or not isinstance(problem, InputError):
        raise _with_way_out(_of_file(problem, name)) from None
    return _of_file(problem, name)


def _shape(study: Study) -> str:
    """The shape of a table, without what the file is written in; empty for an export."""
    if not isinstance(study.shape, ShapeOfFile):
        return ""
    numbered = any(isinstance(part._annotations.items, Numbered) for part in _variables(study).values())
    return f"{study.shape.layout}{UNNAMED if numbered else ''}"


def _untitled(study: Study) -> str:
    """What a file is called in the shape of all of them: sheets have one title each, which may be somebody's name."""
    return study.shape.untitled if isinstance(study.shape, ShapeOfFile) else study.shape


def _strangers(found: Mapping[str, Study]) -> list[str]:
    """The files that are tables of another shape than most."""
    shapes = {name: _shape(study) for name, study in found.items()}
    if len(set(shapes.values())) < 2 or "" in shapes.values():
        return []
    often = Counter(shapes.values())
    usual = max(often, key=lambda shape: (often[shape], not shape.endswith(UNNAMED)))
    return [name for name, shape in shapes.items() if shape != usual]


@contextmanager
def _naming_files(studies: Mapping[str, Study]) -> Iterator[None]:
    """Where somebody answered an item in two files, the error says in which."""
    try:
        yield
    except DuplicateAnswers as problem:
        held: dict[tuple[Any, Any, Any], str] = {}
        for name, study in studies.items():
            for task, part in _variables(study).items():
                table = long_columns(part)
                for item, who in dict.fromkeys(zip(table["item"], table["annotator"], strict=True)):
                    before = held.setdefault((task, str(item), str(who)), name)
                    if before != name:
                        both = MayBeNames(f"{before} and in {name}", "two files")
                        problem.add(" ", quoted(who), " answered item ", at_item(item), " in ", both, ".")
                        raise
        raise


def _of_file(problem: AccordError, name: str) -> AccordError:
    """The same error, which says in which of the files it is."""
    known = problem.place is not None and problem.place.file.endswith(name)
    return problem if known else problem.found_in(name)


def _failure_parts(problems: Sequence[AccordError]) -> list[MessagePart]:
    """What is wrong with each file, one after another."""
    each = [(MayBeNames(str(problem.place)), ": ", *problem.message.parts) for problem in problems]
    return [part for place, parts in enumerate(each) for part in (*(("; ",) if place else ()), *parts)]


def _with_way_out(problem: AccordError) -> AccordError:
    """And how to go on without that file."""
    if isinstance(problem, InputError) and "on_error" not in {key for way in problem.remedies for key in way.options}:
        problem.add(" To go on without files that do not fit, say ", remedy(on_error="skip"), ".")
    return problem


def _variables(study: Study) -> dict[Any, Study]:
    """The variables of a study; None is the only one."""
    return dict(study.tasks) or {None: study}


def _check_alike(parts: dict[str, Study]) -> None:
    """Answers to one question are of one kind, in every file."""
    first: dict[Any, tuple[str, str]] = {}
    for name, study in parts.items():
        for task, part in _variables(study).items():
            kind, other = first.setdefault(task, (part.kind, name))
            if kind != part.kind and {kind, part.kind} != {"single", "set"}:
                what = (" of ", quoted(task)) if task is not None else ()
                raise InputError(
                    MayBeNames(name),
                    f" holds {answers_called(part.kind)}",
                    *what,
                    ", and ",
                    MayBeNames(other),
                    f" {answers_called(kind)}: they are not one study. Read them one by one, or say which kind they "
                    "are: ",
                    remedy(answers=...),
                    ".",
                )
    if None in first and len(first) > 1:
        one, several = (
            next(name for name, study in parts.items() if bool(study.tasks) is many) for many in (False, True)
        )
        raise InputError(
            MayBeNames(several),
            " holds the variables ",
            all_quoted(parts[several].tasks),
            ", and ",
            MayBeNames(one),
            " one without a name: they are not one study. Read one of the variables: ",
            remedy(only=...),
            ".",
        )


def _rows(parts: dict[str, Study], options: ReadOptions, what: str) -> Rows:
    """The rows of all files, one file after the other, in accord's words."""
    tables = {name: _table(study) for name, study in parts.items()}
    shapes: list[MessagePart] = list(dict.fromkeys(map(_untitled, parts.values())))
    traits = {trait for study in parts.values() for trait in study._traits}
    rows = Rows(Message(*between(shapes, " and "), f" in {len(parts)} {what}"), options, *traits)
    if _other_items(tables):
        for name, table in tables.items():
            table["item"] = [None if item is None else f"{_stem(name)}/{item}" for item in table["item"]]
        rows.note(f"the {what} use one id for different texts, so items are called by the file and the id")
    if _are_own_servers(tables):
        for name, table in tables.items():
            table["annotator"] = [None if who is None else _stem(name) for who in table["annotator"]]
        rows.note(f"one annotator has the same number in all {what}, so their names tell annotators apart")
    lengths = {name: len(table["item"]) for name, table in tables.items()}
    columns = dict.fromkeys(column for table in tables.values() for column in table)
    for column in columns:
        cells = [table.get(column, [None] * lengths[name]) for name, table in tables.items()]
        rows.columns[column] = [cell for part in cells for cell in part]
    rows.length = sum(lengths.values())
    if "annotation" in rows.columns:  # numbers of sittings are one file's own
        places = [name for name, length in lengths.items() for _ in range(length)]
        held = zip(places, rows.columns["annotation"], strict=True)
        rows.columns["annotation"] = [None if cell is None else f"{name}/{cell}" for name, cell in held]
    rows.scales = _scales(parts)
    files = [f"{name} ({counted(number, 'rows')})" for name, number in lengths.items()]
    listed = f"{', '.join(files[:MOST_NAMED])}{' …' if len(files) > MOST_NAMED else ''}"
    rows.note(Message(MayBeNames(f"{len(files)} {what}: {listed}", "")))
    if len(tables) > 1:
        rows.note(_overlap(tables, what))
    for note in _notes(parts):
        rows.note(note)
    return rows


def _are_own_servers(tables: Mapping[str, dict[str, list[Any]]]) -> bool:
    """Did everybody annotate on a server of their own, each of which gave its only annotator the same number?

    Somebody's answers in several rounds look alike: then the files are called so, and it is for the caller to say.
    """
    people = {str(who) for table in tables.values() for who in table["annotator"] if who is not None}
    stems = {_stem(name) for name in tables}
    if len(people) != 1 or not (people <= {"unknown"} or next(iter(people)).isdigit()) or len(stems) < len(tables):
        return False
    return any(number > 1 for number in _held(tables).values()) and not any(map(file_names.names_a_part, stems))


def _held(tables: Mapping[str, dict[str, list[Any]]]) -> Counter[Any]:
    """In how many files each item is."""
    return Counter(item for table in tables.values() for item in set(table["item"]) - {None})


def _overlap(tables: Mapping[str, dict[str, list[Any]]], what: str) -> str:
    """How many items are in more than one file: only there can people be compared across files."""
    held = _held(tables)
    shared = sum(number > 1 for number in held.values())
    return f"items in more than one of the {what}: {shared:,} of {len(held):,}"


def _table(study: Study) -> dict[str, list[Any]]:
    """The long table of a file, and what a wide one says of its items besides."""
    table = long_columns(study)
    return {**table, **_about_items(study, table["item"])}


def _about_items(study: Study, rows: list[Any]) -> dict[str, list[Any]]:
    """What a wide table says of its items beside the answers, a cell for each row of the long one."""
    frame = study._frame
    if frame is None or study.tasks or {"item", "annotator"} & set(study.roles) or not study._annotations.named:
        return {}
    found: dict[str, list[Any]] = {}
    for name in frame.columns:
        if name in study.annotators:
            continue
        coded = study._item_column(name, "by")
        held = {
            item: None if code < 0 else coded.values[code] for item, code in zip(study.items, coded.codes, strict=True)
        }
        if any(str(item) != str(cell) for item, cell in held.items()):
            found[name if name == "text" else kept_name(name)] = [held[item] for item in rows]
    return found


def _stem(name: str) -> str:
    return PurePosixPath(name).stem


def _notes(parts: dict[str, Study]) -> Iterator[str]:
    """What the readers said: once where they all said it, else with the file."""
    notes: dict[str, list[str]] = {}
    for name, study in parts.items():
        for note in study._reader_notes:
            notes.setdefault(note, []).append(name)
    for note, names in notes.items():
        some = f"{', '.join(names[:3])}{' …' if len(names) > 3 else ''}"
        unnamed = f"{len(names)} of the files"
        whole = note if len(names) == len(parts) else Message(MayBeNames(some, unnamed), ": ", note)
        yield GuessedPeople(whole, ways=note.ways) if isinstance(note, GuessedPeople) else whole


def _other_items(tables: dict[str, dict[str, list[Any]]]) -> bool:
    """Do files use the same ids for other items? Their texts tell; where only some differ, somebody has to look."""
    texts: dict[Any, tuple[str, str]] = {}
    same, other = 0, None
    for name, table in tables.items():
        here: dict[Any, str] = {}
        nothing = [None] * len(table["item"])
        for item, text, status in zip(*(table.get(key, nothing) for key in ("item", "text", "status")), strict=True):
            if item is not None and isinstance(text, str) and status != "free text":  # which annotators wrote
                here.setdefault(item, text)
        for item, text in here.items():
            before, file = texts.setdefault(item, (text, name))
            if before == text:
                same += file != name
            elif other is None:
                other = (item, file, name)
    if other is not None and same:
        item, first, second = other
        raise InputError(
            "Item ",
            at_item(item),
            " has one text in ",
            MayBeNames(first),
            " and another in ",
            MayBeNames(second),
            ", while other items have the same in both. Give every item an id of its own, or leave out the text.",
        )
    return other is not None


def _scales(parts: dict[str, Study]) -> dict[str, declared_scales.Scale]:
    """Declared scales, put together; an order holds only where all files tell the same."""
    found: dict[str, declared_scales.Scale] = {}
    for study in parts.values():
        for variable, scale in declared_scales.of_study(study).items():
            before = found.get(variable, scale)
            labels = tuple(dict.fromkeys((*before.labels, *scale.labels)))
            order = before.order if labels == scale.labels and before.order == scale.order else ""
            level = before.level if before.level == scale.level else None
            found[variable] = declared_scales.Scale(labels, order, level)
    return found


def _with_left_out(study: Study, parts: Sequence[Study]) -> Study:
    """What the files left out, and what was left out because another file has it."""
    total = LeftOut()
    for part in parts:
        total = total | part.left_out
    known = study.left_out.counts
    missing = {key: number - known.get(key, 0) for key, number in total.counts.items() if number > known.get(key, 0)}
    return study._with_origin(study.shape, study._reader_notes, LeftOut(missing))
