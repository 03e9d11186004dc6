"""Plain tables: which shape they have, and who makes the study of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, get_args

from accord.annotations.answers import PREFERENCE, Level
from accord.engine.frames import Frame, refuse_empty, scan_of
from accord.engine.lazy_annotations import is_large, refuse_large
from accord.engine.pandas_tables import is_pandas_table, with_names_in_columns
from accord.errors import FileError, Keyword, OptionError, all_quoted, remedy
from accord.study.levels import ONLY, LevelsLike
from accord.study.shapes.wide import refuse_annotators_in_rows, refuse_confusion, refuse_people_in_index
from accord.study.study import Study
from accord.study.tables import (
    column_names,
    headerless,
    label_columns,
    layouts,
    list_cells,
    nested_annotations,
    preference_tables,
    ranking_tables,
    ticks,
)
from accord.study.tables.column_roles import check_columns, found_by_name, roles_by_name
from accord.study.tables.long_tables import long_table
from accord.study.tables.rows import ReadOptions, Shape, study_keywords
from accord.study.tables.sheet import SAMPLE, FrameSheet, Sheet
from accord.study.tables.wide_tables import is_wide_by_labels, recognised_wide, wide

if TYPE_CHECKING:
    from accord.engine.scan import Scan

SHAPES: tuple[Shape, ...] = get_args(Shape)
# Layouts that tell themselves, each with what makes a study of it.
OWN_LAYOUTS: Mapping[Callable[[Sheet], bool], Callable[[Sheet, ReadOptions], Study]] = {
    nested_annotations.is_listed: nested_annotations.listed,
    nested_annotations.is_mapped: nested_annotations.mapped,
    layouts.is_soft: layouts.soft,
    layouts.is_counted: layouts.counted,
    preference_tables.is_preferences: preference_tables.preferences,
}
# Those of rankings, which whoever says that answers are something else does not mean.
RANKINGS: Mapping[Callable[[Sheet], bool], Callable[[Sheet, ReadOptions], Study]] = {
    ranking_tables.is_best_worst: ranking_tables.best_worst,
    ranking_tables.is_listed: ranking_tables.listed,
    ranking_tables.is_in_columns: ranking_tables.in_columns,
    ranking_tables.is_by_annotator: ranking_tables.by_annotator,
}


def study_of_frame(data: Any, options: ReadOptions, naming: Sequence[str] = ()) -> Study:
    """The study of a table that was given: its columns and shape are recognised as those of a file are.

    `naming`: columns that name the item together.
    """
    if not options.roles:
        refuse_confusion(data)
        refuse_people_in_index(data)
    if is_pandas_table(data) and not column_names.candidates("annotator", list(map(str, data.columns))):
        data = with_names_in_columns(data, wide=not options.roles)
    frame = Frame.open(data)
    scan = scan_of(data)
    if scan is not None:
        found = _lazy_roles(scan, options) if options.separator is None else None
        if found is not None:
            study = Study(data, **found, **study_keywords(options))
            return study._with_origin(study.shape, (*found_by_name(found, options), *study._reader_notes))
        if is_large(scan):
            refuse_large(scan)
        frame.keep(frame.columns)
    refuse_empty(len(frame), frame.columns)
    if not any(isinstance(name, str) for name in frame.columns):  # an array in a frame, its columns numbered
        refuse_annotators_in_rows(len(frame), len(frame.columns))
    sheet = FrameSheet(frame)
    sheet.naming = naming
    return study_of_table(sheet, options)


def _lazy_roles(scan: Scan, options: ReadOptions) -> dict[str, Any] | None:
    """The columns of a lazy long table, by their names and the first rows; None where it is no such table."""
    plain = {"item", "annotator", "label"}
    if set(scan.columns) == plain and not options.roles:
        return {role: role for role in plain}
    sheet = FrameSheet(Frame.open(scan.first_rows(SAMPLE)))
    found = roles_by_name(sheet, options)
    if not {"item", "annotator"} <= set(found) or not {"label", "score"} & set(found):
        return None
    if isinstance(found.get("label"), list | tuple) or "token" in found:
        return None
    dropped = ("score", "start", "end") if "label" in found else ()  # which no engine keeps beside labels
    return {role: name for role, name in found.items() if role not in dropped or role in options.roles}


def study_of_table(sheet: Sheet, options: ReadOptions) -> Study:
    """The study of a table."""
    check_columns(sheet, options)
    item = options.roles.get("item")
    if isinstance(item, list | tuple):
        options = replace(options, roles={**options.roles, "item": sheet.join_item(item)})
    if options.separator is None:
        list_cells.open_lists(sheet)
    if not sheet.rows:
        raise FileError(
            sheet.where,
            "The table has no rows (its columns are ",
            all_quoted(sheet.columns),
            "). Was everything filtered out?",
        )
    _refuse_idle_include(sheet, options)
    kept = {name: scale.level for name, scale in sheet.scales.items() if scale.level is not None}

    def whole(study: Study) -> Study:
        named = study._with_origin(sheet.named(study.shape), (*sheet.notes, *study._reader_notes), sheet.left_out)
        return named.declare(levels=_kept_of(study, kept, options.only))

    return _shaped(sheet, options)._then(whole)


def _refuse_idle_include(sheet: Sheet, options: ReadOptions) -> None:
    """What counts besides submitted answers is told by a status; a table without one has nothing more to count."""
    if not options.include or options.adjudicator or "status" in sheet.columns:
        return
    if "status" not in roles_by_name(sheet, options):
        raise OptionError(
            Keyword("include", options.include),
            " names a status, and no column of the table says one. Leave it out, or name the column: ",
            remedy(status=...),
            ".",
        )


def _kept_of(study: Study, kept: dict[str, Level], only: str | None) -> LevelsLike | None:
    """The levels that `Study.write` kept, of the variables that are read."""
    if not study.tasks:
        return kept.get(only or ONLY)
    return {name: kept[str(name)] for name in study.tasks if str(name) in kept} or None


def _shaped(sheet: Sheet, options: ReadOptions) -> Study:
    header = options.header
    ordered = {} if options.roles else headerless.in_order(sheet, header=header)
    makers: dict[str, Callable[[], Study]] = {
        "counts": lambda: layouts.counts(sheet, options),
        "confusion": lambda: layouts.confusion(sheet, options),
        "indicators": lambda: _indicators(sheet, options),
        "wide": lambda: wide(sheet, options),
        "long": lambda: long_table(sheet, options, {**ordered, **roles_by_name(sheet, options)}),
        "ranking": lambda: ranking_tables.rankings_by_name(sheet, options),
        "preferences": lambda: preference_tables.preferences(sheet, options),
        "unnamed": lambda: layouts.unnamed(sheet, options, roles_by_name(sheet, options)),
    }
    if options.shape is not None:
        if options.shape not in makers:
            raise OptionError.choice("shape", options.shape, SHAPES)
        return makers[options.shape]()
    if options.annotators is not None and set(options.annotators) & set(sheet.columns):
        return wide(sheet, options)
    if not options.roles:
        headerless.refuse_two_readings(sheet, header=header)
    make = own_layout(sheet, options)
    if make is not None:
        return make(sheet, options)
    if not options.roles and is_wide_by_labels(sheet):
        return recognised_wide(sheet, options)
    roles = roles_by_name(sheet, options)
    if "annotator" in roles or (set(options.roles) & {"label", "score", "rank"}):
        return long_table(sheet, options, roles)
    return recognised_wide(sheet, options)


def own_layout(sheet: Sheet, options: ReadOptions) -> Callable[[Sheet, ReadOptions], Study] | None:
    """What makes a study of a layout of its own; None where the columns have to tell. Nested cells are opened."""
    nested_annotations.unfold(sheet)
    ranked = RANKINGS if options.answers in (None, "ranking") else {}
    if options.roles:
        best_worst = (
            set(options.roles) <= {"item", "annotator"} and bool(ranked) and ranking_tables.is_best_worst(sheet)
        )
        return ranking_tables.best_worst if best_worst else None
    nested_annotations.open_enumerations(sheet)
    other = None if options.answers in (None, PREFERENCE) else preference_tables.preferences  # not what was asked for
    layouts_of = {**OWN_LAYOUTS, **ranked}
    return next((make for fits, make in layouts_of.items() if make is not other and fits(sheet)), None)


def _indicators(sheet: Sheet, options: ReadOptions) -> Study:
    roles = roles_by_name(sheet, options)
    for role in ("item", "annotator"):
        if role not in roles:
            needed = remedy(**{role: ...})
            raise sheet.error("Yes/no columns need ", needed, "; the table has ", all_quoted(sheet.columns), ".")
    taken = {roles["item"], roles["annotator"], *(name for role, name in options.roles.items() if role != "label")}
    rest = [name for name in sheet.columns if name not in taken]
    yes_no = [name for name in rest if label_columns.yes_no(sheet, name)]
    chosen = options.roles.get("label") or ticks.ticked_columns(sheet, rest) or yes_no
    columns = list(chosen) if isinstance(chosen, list | tuple) else [chosen]
    make = ticks.booleans if ticks.are_ticks(sheet, columns) else layouts.booleans
    for name in columns:
        sheet.replaced(name, make(sheet, name))
    return Study.from_indicators(sheet.data, item=roles["item"], annotator=roles["annotator"], columns=columns)
