"""Several files as one study: annotators who work in a file each, batches, the exports of several teams."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any

from accord.annotations.left_out import LeftOut
from accord.errors import AccordError, FileError, FileNames, InputError, Message, Part, Place, counted, listing, remedy
from accord.readers.source import DATA, Found, Source
from accord.study import declared_scales
from accord.study.study import Study
from accord.study.tables.rows import ReadOptions, Rows, kept_name
from accord.study.tables.to_study import study_of
from accord.study.write import long_columns

if TYPE_CHECKING:
    from accord.study.tables.sheet import Sheet

MOST_NAMED = 12  # files in a note
OWN = (declared_scales.ENDING, "-key.json")  # files that accord itself puts beside others


def equal_parts(source: Source, found: Found | None) -> list[Source]:
    """The files of a folder or zip that are each a study of one kind; none where the folder is one export or one table.

    Where the caller says the format, and the folder as a whole is none of it, the files are asked one by one.
    """
    from accord.readers.large_parquet import is_parts
    from accord.readers.registry import readers

    if source.kind == "file" or source.only is not None or is_parts(source):
        return []
    names = [name for name in source.ending(*DATA) if not name.endswith(OWN)]
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
        raise InputError("There is no file to read: the list is empty.")
    if len(sources) == 1:
        return study_in(sources[0], format, options)
    names = _called(sources, within)
    parts, failed = _parts(sources, names, format, options)
    _check_alike(parts)
    rows = _rows(parts, options)
    rows.where = within.path.name if within is not None else " + ".join(names)
    if failed:
        said = str(Message(*_said(failed)))
        rows.note(Message("not read: ", FileNames(said, counted(len(failed), "files"))))
    return study_of(rows, options)._then(lambda study: _with_left_out(study, list(parts.values())))


def _called(sources: Sequence[Source], within: Source | None) -> list[str]:
    """What the files are called: by their names, and by their folders too where two have one name."""
    names = [source.path.name for source in sources]
    if within is not None:
        paths = [source.path.relative_to(within.path) if within.kind == "folder" else source.path for source in sources]
        return [f"{within.path.name}/{path.as_posix()}" for path in paths]
    if len(set(names)) == len(names):
        return names
    typed = [str(source.path) for source in sources]
    twice = sorted({path for path in typed if typed.count(path) > 1})
    if twice:
        raise InputError(f"{listing(twice)} is named twice. Name every file once.")
    return typed


def _parts(
    sources: Sequence[Source],
    names: Sequence[str],
    format: str | None,  # noqa: A002
    options: ReadOptions,
) -> tuple[dict[str, Study], list[AccordError]]:
    """The study of each file by its name, and why others have none."""
    from accord.readers.read import study_in

    found: dict[str, Study] = {}
    failed: list[AccordError] = []
    options = replace(options, only=None, adjudicator=())  # which are asked of all files together
    for source, name in zip(sources, names, strict=True):
        try:
            part = study_in(source, format, options, alone=False)
            if not next(iter(part.tasks.values()), part)._annotations.named:
                raise FileError(name, "It does not say who answered, so it cannot be combined with other files.")
            found[name] = part
        except AccordError as problem:
            if options.on_error != "skip" or not isinstance(problem, InputError):
                raise _with_way_out(_of_file(problem, name)) from None
            failed.append(_of_file(problem, name))
    if not found:
        raise InputError(f"None of {counted(len(sources), 'files')} could be read: ", *_said(failed))
    return found, failed


def _of_file(problem: AccordError, name: str) -> AccordError:
    """The same error, which says in which of the files it is."""
    place = problem.place or Place()
    problem.place = replace(place, file=name) if not place.file.endswith(name) else place
    return problem


def _said(problems: Sequence[AccordError]) -> list[Part]:
    """What is wrong with each file, one after another."""
    each = [(f"{problem.place}: ", *problem.message.parts) for problem in problems]
    return [part for place, parts in enumerate(each) for part in (*(("; ",) if place else ()), *parts)]


def _with_way_out(problem: AccordError) -> AccordError:
    """And how to go on without that file."""
    if isinstance(problem, InputError) and "on_error" not in {key for way in problem.remedies for key in way.options}:
        problem.add(" To go on without files that do not fit, say ", remedy(on_error="skip"), ".")
    return problem


def name_annotator(sheet: Sheet, options: ReadOptions, stem: str) -> None:
    """A table of one annotator's answers says by its file's name whose they are."""
    from accord.study.tables import layouts
    from accord.study.tables.recognise import roles_by_name
    from accord.study.tables.wide_tables import answer_columns, item_column

    others = (layouts.is_listed, layouts.is_soft, layouts.is_counted, layouts.is_preferences, layouts.is_ranking)
    if not options.roles and any(fits(sheet) for fits in others):
        return  # which name annotators in their own way, or nobody
    if options.shape not in (None, "long") or options.annotators is not None or "annotator" in options.roles:
        return
    roles = roles_by_name(sheet, options)
    if "annotator" in roles or "item" not in roles:
        return
    if not {"label", "score"} & set(options.roles):
        answers = answer_columns(sheet, item_column(sheet))
        named = roles.get("label", roles.get("score"))
        if len(answers) > 1 and (named is None or _shares(sheet, named, answers)):
            return  # a column per annotator, or nobody knows
    sheet.lay_open()
    sheet.data["annotator"] = [stem] * sheet.rows
    sheet.columns = [*sheet.columns, "annotator"]
    sheet.notes.append("no column names an annotator, so the name of the file does")


@contextmanager
def asking_for_variables(sheet: Sheet, options: ReadOptions) -> Iterator[None]:
    """A file of one annotator with several variables looks like a wide table: the error says how to tell it."""
    try:
        yield
    except InputError as problem:
        if "annotator" in sheet.columns or {"label", "score", "annotator"} & set(options.roles):
            raise
        problem.add(" If the file holds one annotator's answers, name their columns: ", remedy(label=[...]), ".")
        raise


def _shares(sheet: Sheet, name: str, others: Sequence[str]) -> bool:
    """Does another column hold the same labels?"""
    own = {str(cell) for cell in sheet.sample(name)}
    return any(own & {str(cell) for cell in sheet.sample(other)} for other in others if other != name)


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
                what = f" of {task!r}" if task is not None else ""
                raise InputError(
                    f"{name} holds {part.kind} answers{what}, and {other} {kind} ones: they are not one study. Read "
                    "them one by one, or say which kind they are: ",
                    remedy(answers=...),
                    ".",
                )
    if None in first and len(first) > 1:
        one, several = (
            next(name for name, study in parts.items() if bool(study.tasks) is many) for many in (False, True)
        )
        raise InputError(
            f"{several} holds the variables {listing(parts[several].tasks)}, and {one} one without a name: they are "
            "not one study. Read one of the variables: ",
            remedy(only=...),
            ".",
        )


def _rows(parts: dict[str, Study], options: ReadOptions) -> Rows:
    """The rows of all files, one file after the other, in accord's words."""
    tables = {name: {**long_columns(study), **_about_items(study)} for name, study in parts.items()}
    shapes = list(dict.fromkeys(study.shape for study in parts.values()))
    rows = Rows(f"{' and '.join(shapes)} in {len(parts)} files", options)
    if _other_items(tables):
        for name, table in tables.items():
            table["item"] = [None if item is None else f"{_stem(name)}/{item}" for item in table["item"]]
        rows.note("the files use one id for different texts, so items are called by the file and the id")
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
    rows.note(Message(FileNames(f"{len(files)} files: {listed}")))
    for note in _notes(parts):
        rows.note(note)
    return rows


def _about_items(study: Study) -> dict[str, list[Any]]:
    """What a wide table says of its items beside the answers, a cell for each row of the long one."""
    frame = study._frame
    if frame is None or study.tasks or {"item", "annotator"} & set(study.roles) or not study._annotations.named:
        return {}
    rows = long_columns(study)["item"]
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
        for note in study._told:
            notes.setdefault(note, []).append(name)
    for note, names in notes.items():
        some = f"{', '.join(names[:3])}{' …' if len(names) > 3 else ''}"
        unnamed = f"{len(names)} of the files"
        yield note if len(names) == len(parts) else Message(FileNames(some, unnamed), ": ", note)


def _other_items(tables: dict[str, dict[str, list[Any]]]) -> bool:
    """Do files use the same ids for other items? Their texts tell; where only some differ, somebody has to look."""
    texts: dict[Any, tuple[str, str]] = {}
    same, other = 0, None
    for name, table in tables.items():
        here: dict[Any, str] = {}
        for item, text in zip(table["item"], table.get("text", [None] * len(table["item"])), strict=True):
            if item is not None and isinstance(text, str):
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
            f"Item {item!r} has one text in {first} and another in {second}, while other items have the same in both. "
            "Give every item an id of its own, or leave out the text."
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
    return study._with_origin(study.shape, study._told, LeftOut(missing))
