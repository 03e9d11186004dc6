"""Plain tables: which shape they have, which column plays which role, and the study they make."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, get_args

import numpy as np

from accord.annotations.answers import IN_ORDER, KINDS, PREFERENCE, Kind, Level
from accord.annotations.arrays import seen
from accord.annotations.bio_tags import OUTSIDE
from accord.engine.frames import Frame, refuse_empty
from accord.engine.lazy_annotations import is_large, refuse_large
from accord.engine.scan import Scan
from accord.errors import (
    ColumnMissing,
    DuplicateAnswers,
    FileError,
    Keyword,
    Message,
    OptionError,
    between,
    listing,
    naming,
    remedy,
)
from accord.study.kinds import KIND_WORDS
from accord.study.levels import ONLY, LevelsLike
from accord.study.roles import ROLES
from accord.study.shapes.compared import ROLES as COMPARED
from accord.study.shapes.tagged_tokens import are_tags
from accord.study.shapes.wide import refuse_annotators_in_rows, refuse_confusion
from accord.study.study import Study
from accord.study.tables import (
    column_names,
    headerless,
    label_columns,
    layouts,
    list_cells,
    merged_cells,
    nested_annotations,
    preference_tables,
    rankings,
    ticks,
)
from accord.study.tables.rows import STATUSES, SUBMITTED, ReadOptions, Rows, Shape, kept_name, made_with
from accord.study.tables.sheet import NUMBER, SAMPLE, FrameSheet, Sheet
from accord.study.tables.to_study import study_of
from accord.study.tables.together import offering_both
from accord.study.tables.wide_tables import items_in_columns, recognised_wide, several_note, wide

SHAPES: tuple[Shape, ...] = get_args(Shape)
MOST_VARIABLES = 200
MANY_ROWS = 5  # of a long table, in which an item comes again
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
    rankings.is_best_worst: rankings.best_worst,
    rankings.is_listed: rankings.listed,
    rankings.is_in_columns: rankings.in_columns,
    rankings.is_by_annotator: rankings.by_annotator,
}


def study_of_frame(data: Any, options: ReadOptions, naming: Sequence[str] = ()) -> Study:
    """The study of a table that was given: its columns and shape are recognised as those of a file are.

    `naming`: columns that name the item together.
    """
    frame = Frame.open(data)
    scan = None if isinstance(data, Mapping | list | tuple) else Scan.of(data)
    if scan is not None:
        found = _lazy_roles(scan, options) if options.separator is None else None
        if found is not None:
            study = Study(data, **found, **made_with(options))
            return study._with_origin(study.shape, (*found_by_name(found, options), *study._told))
        if is_large(scan):
            refuse_large(scan)
        frame.keep(frame.columns)
    refuse_empty(len(frame), frame.columns)
    if not options.roles:
        refuse_confusion(data)
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
    check_columns(sheet, options)
    found = roles_by_name(sheet, options)
    if not {"item", "annotator"} <= set(found) or not {"label", "score"} & set(found):
        return None
    if isinstance(found.get("label"), list | tuple) or "token" in found:
        return None
    unsaid = ("score", "start", "end") if "label" in found else ()  # which no engine keeps beside labels
    return {role: name for role, name in found.items() if role not in unsaid or role in options.roles}


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
            f"The table has no rows (its columns are {listing(sheet.columns)}). Was everything filtered out?",
        )
    _refuse_idle_include(sheet, options)
    kept = {name: scale.level for name, scale in sheet.scales.items() if scale.level is not None}

    def whole(study: Study) -> Study:
        named = study._with_origin(sheet.named(study.shape), (*sheet.notes, *study._told), sheet.left_out)
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


def check_columns(sheet: Sheet, options: ReadOptions) -> None:
    """Every column that was named must be there."""
    for role, name in options.roles.items():
        for column in name if isinstance(name, list | tuple) else [name]:
            if column not in sheet.columns:
                raise ColumnMissing(role, column, sheet.columns)


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
        "long": lambda: _long(sheet, options, {**ordered, **roles_by_name(sheet, options)}),
        "ranking": lambda: rankings.said(sheet, options),
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
    roles = roles_by_name(sheet, options)
    if "annotator" in roles or (set(options.roles) & {"label", "score", "rank"}):
        return _long(sheet, options, roles)
    return recognised_wide(sheet, options)


def own_layout(sheet: Sheet, options: ReadOptions) -> Callable[[Sheet, ReadOptions], Study] | None:
    """What makes a study of a layout of its own; None where the columns have to tell. Nested cells are opened."""
    nested_annotations.unfold(sheet)
    ranked = RANKINGS if options.answers in (None, "ranking") else {}
    if options.roles:
        told = set(options.roles) <= {"item", "annotator"} and bool(ranked) and rankings.is_best_worst(sheet)
        return rankings.best_worst if told else None
    nested_annotations.open_enumerations(sheet)
    other = None if options.answers in (None, PREFERENCE) else preference_tables.preferences  # not what was asked for
    layouts_of = {**OWN_LAYOUTS, **ranked}
    return next((make for fits, make in layouts_of.items() if make is not other and fits(sheet)), None)


def roles_by_name(sheet: Sheet, options: ReadOptions) -> dict[str, Any]:
    """The column of each role: as given, or by its name."""
    unsaid = options.answers in (None, PREFERENCE) and not options.roles
    roles = preference_tables.roles_of(sheet) if unsaid else dict(options.roles)
    flat = [name for value in roles.values() for name in (value if isinstance(value, list | tuple) else [value])]
    for role in ROLES:
        if role in roles or (role == "label" and "score" in options.roles and "label" not in options.roles):
            continue
        taken = [*flat, *(name for key, name in roles.items() if key not in options.roles)]
        found = column_names.candidates(role, sheet.columns, taken)
        if role == "item" and not found:
            weak = column_names.weak_item(sheet.columns, taken)
            found = [name for name in weak[:1] if not _names_answers(sheet, name)]
        found = [name for name in found if _plausible(role, sheet, name)]
        if role == "label":
            found = [name for name in found if not label_columns.is_of_items(sheet, roles, name)]
        if role == "task":
            found = [name for name in found if _makes_variables(sheet, roles, name)]
        if role == "token":
            found = [name for name in found if options.answers in (None, "spans") and _tagged(sheet, roles)]
        if len(found) > 1 and role in ("item", "annotator", "label"):
            _refuse_two(role, found, sheet)
        if found:
            roles[role] = found[0]
    if "label" in roles and options.answers in (None, "spans"):
        _refuse_odd_places(sheet, roles)
    return _compared(sheet, roles, options)


def _names_answers(sheet: Sheet, name: str) -> bool:
    """Does a column that may name items by its ending name every row, as the ids of answers do?"""
    cells = sheet.first_cells(name)
    named = column_names.plain(name) in column_names.WEAK_ITEM
    return not named and len(cells) >= MANY_ROWS and len(set(map(str, cells))) == len(cells)


def _compared(sheet: Sheet, roles: dict[str, Any], options: ReadOptions) -> dict[str, Any]:
    """The roles without two options that nobody named, unless labels say which of them was preferred."""
    if set(COMPARED) <= set(options.roles) or not set(COMPARED) & set(roles):
        return roles
    label = roles.get("label")
    asked = options.answers in (None, PREFERENCE)
    if asked and set(COMPARED) <= set(roles) and isinstance(label, str):
        asked = options.answers == PREFERENCE
        if asked or preference_tables.fits(sheet, roles["first"], roles["second"], label):
            return roles
    return {role: name for role, name in roles.items() if role not in COMPARED or role in options.roles}


def _refuse_odd_places(sheet: Sheet, roles: dict[str, Any]) -> None:
    """Columns that are called as places are, of which one holds numbers but for a few cells: those are mistakes."""
    taken = [name for name in roles.values() if isinstance(name, str)]
    for role, other in (("start", "end"), ("end", "start")):
        names = [] if role in roles else column_names.candidates(role, sheet.columns, taken)
        if not names or not (other in roles or column_names.candidates(other, sheet.columns)):
            continue
        row, numbers, others = sheet.odd_among_numbers(names[0])
        if numbers > others:
            raise sheet.error(
                f"The column {names[0]!r} says where marked places {role}, and {sheet.cells(names[0])[row]!r} is no "
                f"number{f' ({others:,} cells are such)' if others > 1 else ''}. Mend it, or leave the places out: ",
                remedy(answers="single"),
                ".",
                part=f"row {row + 1}",
            )


def _plausible(role: str, sheet: Sheet, name: str) -> bool:
    """Does a column hold what its name promises? Statuses and kinds must be words that are known."""
    cells = sheet.sample(name)
    if ROLES[role].numeric:
        return sheet.numbers(name) is not None
    if role == "status":
        return bool(cells) and {str(cell) for cell in cells} <= {SUBMITTED, *STATUSES}
    if role == "kind":
        return bool(cells) and {str(cell).lower() for cell in cells} <= set(KIND_WORDS)
    return (sheet.given and name == role) or not any(isinstance(cell, dict) for cell in cells)


def _tagged(sheet: Sheet, roles: dict[str, Any]) -> bool:
    """Are the labels BIO tags?"""
    label = roles.get("label")
    if not isinstance(label, str):
        return False
    first = sheet.first_cells(label)
    return are_tags(first) or ({str(cell) for cell in first} == {OUTSIDE} and are_tags(sheet.cells(label)))


def _makes_variables(sheet: Sheet, roles: dict[str, Any], name: str) -> bool:
    """Does a column name variables? By its name and few values, or where somebody answered an item in several."""
    if _crosses(sheet, roles, name):
        return True
    if "item" not in roles or "annotator" not in roles or column_names.plain(name) not in column_names.VARIABLES:
        return False
    values, items = (
        {cell for cell in sheet.first_cells(column) if cell is not None} for column in (name, roles["item"])
    )
    return 2 <= len(values) < len(items) and len(values) <= MOST_VARIABLES


def _crosses(sheet: Sheet, roles: dict[str, Any], name: str) -> bool:
    """Did someone answer one item in several tasks? Otherwise the column only says something of the item."""
    if "item" not in roles or "annotator" not in roles:
        return False
    seen: dict[tuple[Any, Any], Any] = {}
    columns = (sheet.first_cells(column) for column in (roles["item"], roles["annotator"], name))
    return any(seen.setdefault((item, who), task) != task for item, who, task in zip(*columns, strict=True))


def _refuse_two(role: str, found: list[str], sheet: Sheet) -> None:
    calls = between([sheet.reading(**{role: name}) for name in found[:3]], " or ")
    raise sheet.error(f"{listing(found)} could each be the {role}. Say which: ", *calls, ".")


def _long(sheet: Sheet, options: ReadOptions, roles: dict[str, Any]) -> Study:
    """One row an annotation."""
    ranked = layouts.ranked_columns(sheet) if "label" not in options.roles else []
    text = label_columns.only_text(sheet, roles)
    if "item" not in roles and "annotator" in roles and text is not None and text not in ranked:
        sheet.notes.append(f"no column names the item, so the text in {text!r} does")
        roles = {**{role: name for role, name in roles.items() if name != text}, "item": text}
    if "item" not in roles and "annotator" in roles and set(options.roles) <= {"annotator"}:
        turned = items_in_columns(sheet, options, roles["annotator"])
        if turned is not None:
            return turned
    if "item" not in roles or "annotator" not in roles:
        missing = " and ".join(role for role in ("item", "annotator") if role not in roles)
        taken = {name: role for role, name in options.roles.items() if isinstance(name, str)}
        if missing in taken:
            raise sheet.error(
                f"The column {missing!r} is named as the {taken[missing]}, and no other is the {missing}: one column "
                f"cannot play two roles. Say which is the {missing}: ",
                remedy(**{missing: ...}),
                ".",
            )
        raise sheet.error(
            f"Which column is the {missing}? The table has {listing(sheet.columns)}. Say it: ",
            sheet.reading(item=..., annotator=..., label=...),
            ".",
        )
    merged_cells.fill_down(sheet, roles["item"], roles["annotator"])
    if ranked and not {roles["item"], roles["annotator"]} & set(ranked):
        return layouts.ranked(sheet, options, roles)
    if "label" not in roles and "score" not in roles:
        ticked = ticks.ticked_columns(sheet, [name for name in sheet.columns if name not in roles.values()])
        if ticked:
            return ticks.study_of_ticks(sheet, options, roles, ticked)
        roles = _ranks_as_labels(sheet, options, roles) or {
            **roles,
            "label": label_columns.last_column(sheet, roles),
        }
    label_columns.refuse_empty_label(sheet, options, roles)
    _make_numeric(sheet, roles)
    label = roles.get("label")
    if options.labels is None and label is not None:
        for column in label if isinstance(label, list | tuple) else [label]:
            sheet.type_labels(column)
    if isinstance(roles.get("label"), list | tuple):
        return layouts.several_tasks(sheet, options, roles)
    label = roles.get("label")
    if not sheet.given and isinstance(label, str) and any(isinstance(cell, bool) for cell in sheet.sample(label)):
        sheet.replaced(roles["label"], layouts.words(sheet, roles["label"]))
    if _is_marked(sheet, roles, options):
        return _collected(sheet, options, roles)
    if _differs_by_task(sheet, roles, options):
        study = _collected(sheet, options, roles)
        return study._with_origin(study.shape, (*study._told, *found_by_name(roles, options)))
    if options.separator is not None and "label" in roles:
        sheet.replaced(roles["label"], layouts.split(sheet, roles["label"], options.separator))
    answers = options.answers or _only_kind(sheet)
    keywords = {**made_with(options), "answers": answers}
    if options.answers in ("single", "set", "score"):
        unread = ("start", "end") if options.answers == "single" else ("rank", "start", "end")
        roles = {role: name for role, name in roles.items() if role not in unread or role in options.roles}
    if "start" not in roles or "end" not in roles or "label" not in roles:
        roles = {role: name for role, name in roles.items() if role not in ("start", "end") or role in options.roles}

    def whole() -> Study:
        others = [roles[role] for role in ("annotator", "task", "run") if role in roles]
        with naming(sheet.where), offering_both(sheet, roles["item"], others, of=DuplicateAnswers):
            study = Study(sheet.data, **roles, **keywords)
        several = [] if sheet.given or not isinstance(label, str) else several_note(sheet, [label], options)
        found = (*_notes(roles, options, study), *several, *_unmeasured(sheet, roles))
        return study._with_origin(study.shape, (*found, *study._told))

    # the file is whole and its columns are known; millions of cells are coded when something of them is needed
    study = Study._from_loaded(whole) if sheet.large else whole()
    if options.only is not None:
        if not study.tasks:
            raise OptionError(Keyword("only", options.only), " chooses a variable, and the table holds one only.")
        if options.only not in study.tasks:
            raise OptionError.choice("only", options.only, [str(name) for name in study.tasks])
        return study.tasks[options.only]
    return study


def _ranks_as_labels(sheet: Sheet, options: ReadOptions, roles: dict[str, Any]) -> dict[str, Any] | None:
    """Ranks and nothing that was ranked are labels: 1 to 3 of a scale. None where there is anything else."""
    rank = roles.get("rank")
    if rank is None or "rank" in options.roles or set(sheet.columns) - set(roles.values()):
        return None
    sheet.notes.append(f"{rank!r} holds the labels: no column holds anything that was put in order")
    return {**{role: name for role, name in roles.items() if role != "rank"}, "label": rank}


def _differs_by_task(sheet: Sheet, roles: dict[str, Any], options: ReadOptions) -> bool:
    """Do numbers answer one question and words another? Then labels are typed question by question."""
    plain = {"item", "annotator", "label", "task"} <= set(roles) and not {"rank", "start", "end"} & set(roles)
    if sheet.given or sheet.large or not plain or options.separator is not None or options.labels is not None:
        return False
    numeric = {bool(NUMBER.fullmatch(cell)) for cell in sheet.sample(roles["label"]) if isinstance(cell, str)}
    return numeric == {False, True}


def _make_numeric(sheet: Sheet, roles: dict[str, Any]) -> None:
    """Columns of numbers, however a file writes them; those of a frame are as they are."""
    for role in ROLES:
        if not sheet.given and ROLES[role].numeric and role in roles and not sheet.make_numbers(roles[role]):
            raise sheet.no_numbers(roles[role], role)


def found_by_name(roles: dict[str, str], options: ReadOptions) -> list[str]:
    """What was found by the names of columns, where they are not accord's own words."""
    other = {role: name for role, name in roles.items() if role not in options.roles and name != role}
    if not other:
        return []
    return [Message("by their names, ", *between([Keyword(role, name) for role, name in other.items()], ", "))]


def _notes(roles: dict[str, str], options: ReadOptions, study: Study) -> list[str]:
    """What was found and not given: by the names of columns, and that places were read."""
    notes = found_by_name(roles, options)
    exchanged = _exchanged(roles, study)
    notes += [exchanged] if exchanged is not None else []
    if study.tasks and "task" not in options.roles and "task" in roles:
        notes.append(f"the column {roles['task']!r} makes variables, each measured by itself: {listing(study.tasks)}")
    placed = "start" in roles and "start" not in options.roles and options.answers is None
    if not study.tasks and study.kind == "spans" and placed:
        alone = remedy(answers="single")
        notes.append(Message("start and end were read as places in the item; ", alone, " reads the labels alone"))
    return notes


def _exchanged(roles: dict[str, str], study: Study) -> Message | None:
    """More annotators than items, each with as many answers as any other: are they called by each other's names?"""
    if study.tasks or study._annotations.stays:
        return None
    item, annotator, *_ = study._annotations.rows
    if study.n_annotators <= np.count_nonzero(seen(item, study._annotations.n_items)):
        return None  # which a tally would tell too, and take longer
    answers = np.bincount(annotator)
    answers = answers[answers > 0]
    if answers.min() != answers.max() or answers[0] < 2:
        return None
    what = f"there are more annotators ({study.n_annotators:,}) than items ({study.n_items:,}), each with "
    other = remedy(item=roles["annotator"], annotator=roles["item"])
    return Message(f"{what}{answers[0]:,} answers; if they are exchanged, say ", other)


def _unmeasured(sheet: Sheet, roles: dict[str, Any]) -> list[str]:
    """Which columns of a file are kept and not measured."""
    used = {*roles.values(), *sheet.naming, "answers"}
    rest = [] if sheet.given else [name for name in sheet.columns if name not in used and sheet.sample(name)]
    return [f"kept, and not measured: {listing(rest, most=6)}"] if rest else []


def _is_marked(sheet: Sheet, roles: dict[str, Any], options: ReadOptions) -> bool:
    """Did `Study.write` make the table, or does it say which answers count?"""
    if sheet.given and "status" in options.roles:
        return False  # as the caller says: what failed is missing, the rest counts
    repeats = options.duplicates in ("first", "last") and not sheet.given
    marked = "status" in roles or bool(options.adjudicator) or repeats
    kinds = {str(cell) for cell in sheet.sample("answers")} if "answers" in sheet.columns else set()
    return marked or (bool(kinds) and kinds <= set(KINDS) and _only_kind(sheet) is None)


def _only_kind(sheet: Sheet) -> Kind | None:
    """The kind of all answers of a large table that says it in every row: its rows need not be looked at one by one."""
    if not sheet.large or sheet.scales or "answers" not in sheet.columns:
        return None
    found: Any = sheet.only_value("answers")
    return found if found in ("single", "set", *IN_ORDER, "score") else None


def _collected(sheet: Sheet, options: ReadOptions, roles: dict[str, Any]) -> Study:
    """A table whose rows say what they are."""
    names = {name: role for role, name in roles.items()}
    rows = Rows("long table", options)
    if "status" not in roles:  # a column of that name, with other words, says something else
        names["status"] = kept_name("status")
    rows.columns = {names.get(name, name): cells for name, cells in sheet.lists().items()}
    rows.columns = {name: [None if cell == "" else cell for cell in cells] for name, cells in rows.columns.items()}
    rows.length = sheet.rows
    rows.scales = sheet.scales
    for column in ("annotation", "task"):
        if column in rows.columns:
            rows.columns[column] = [None if cell is None else str(cell) for cell in rows.columns[column]]
    for column in ("x", "y", "width", "height", "to_start", "to_end"):
        if column in rows.columns and (numbers := sheet.numbers(column)) is not None:
            rows.columns[column] = numbers if isinstance(numbers, list) else numbers.to_list()
    kinds = set(rows.columns.get("answers", []))
    if "answers" not in rows.columns:
        kind = options.answers or (
            "ranked"
            if "rank" in roles
            else PREFERENCE
            if set(COMPARED) <= set(roles)
            else "spans"
            if {"start", "end"} <= set(roles)
            else "single"
            if "label" in roles
            else "score"
        )
        rows.columns["answers"] = [kind] * rows.length
    else:
        rows.says_kind = True
    if None in kinds:
        raise sheet.error("Some rows do not say in the column 'answers' what kind of answer they are. Fill it in.")
    return study_of(rows, options)


def _indicators(sheet: Sheet, options: ReadOptions) -> Study:
    roles = roles_by_name(sheet, options)
    for role in ("item", "annotator"):
        if role not in roles:
            needed = remedy(**{role: ...})
            raise sheet.error("Yes/no columns need ", needed, f"; the table has {listing(sheet.columns)}.")
    taken = {roles["item"], roles["annotator"], *(name for role, name in options.roles.items() if role != "label")}
    rest = [name for name in sheet.columns if name not in taken]
    yes_no = [name for name in rest if label_columns.yes_no(sheet, name)]
    chosen = options.roles.get("label") or ticks.ticked_columns(sheet, rest) or yes_no
    columns = list(chosen) if isinstance(chosen, list | tuple) else [chosen]
    make = ticks.booleans if ticks.are_ticks(sheet, columns) else layouts.booleans
    for name in columns:
        sheet.replaced(name, make(sheet, name))
    return Study.from_indicators(sheet.data, item=roles["item"], annotator=roles["annotator"], columns=columns)
