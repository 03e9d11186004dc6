"""Tables with a row per annotation: what its columns say, and the study they make."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np

from accord.annotations.answers import IN_ORDER, KINDS, PREFERENCE, Kind
from accord.annotations.arrays import seen
from accord.errors import (
    DuplicateAnswers,
    Keyword,
    Message,
    OptionError,
    all_quoted,
    at_column,
    between,
    listing,
    naming,
    remedy,
)
from accord.study.roles import COMPARED, ROLES
from accord.study.study import Study
from accord.study.tables import column_names, label_columns, layouts, merged_cells, ticks
from accord.study.tables.column_roles import found_by_name, says_kinds
from accord.study.tables.item_keys import items_by, offering_both
from accord.study.tables.rows import ReadOptions, Rows, kept_name, study_keywords
from accord.study.tables.several_in_cells import several_note
from accord.study.tables.sheet import NUMBER, Sheet
from accord.study.tables.to_study import study_of
from accord.study.tables.wide_tables import items_in_columns

MOST_CALLS = 3  # that a question offers
THREE = 3  # columns of the plainest table: who said what of what


def long_table(sheet: Sheet, options: ReadOptions, roles: dict[str, Any]) -> Study:
    """One row per annotation."""
    ranked = layouts.ranked_columns(sheet) if "label" not in options.roles else []
    roles = _text_as_item(sheet, roles, ranked)
    if "item" not in roles and "annotator" in roles and set(options.roles) <= {"annotator"}:
        turned = items_in_columns(sheet, options, roles["annotator"])
        if turned is not None:
            return turned
    roles = _last_as_item(sheet, roles)
    _refuse_nameless(sheet, options, roles)
    merged_cells.fill_down(sheet, roles["item"], roles["annotator"])
    if ranked and not {roles["item"], roles["annotator"]} & set(ranked):
        return layouts.ranked(sheet, options, roles)
    if "label" not in roles and "score" not in roles:
        ticked = ticks.ticked_columns(sheet, [name for name in sheet.columns if name not in roles.values()])
        if ticked:
            return ticks.study_of_ticks(sheet, options, roles, ticked)
        found = _ranks_as_labels(sheet, options, roles)
        roles = found or {**roles, "label": label_columns.last_column(sheet, roles)}
    label_columns.refuse_empty_label(sheet, options, roles)
    _type_cells(sheet, options, roles)
    return _of_typed_cells(sheet, options, roles)


def _text_as_item(sheet: Sheet, roles: dict[str, Any], ranked: Sequence[str]) -> dict[str, Any]:
    """The roles, the only column of texts naming the item where nothing else does."""
    text = label_columns.only_text(sheet, roles) if "annotator" in roles and "item" not in roles else None
    if text is None or text in ranked:
        return roles
    sheet.notes.append(Message("no column names the item, so the text in ", column_names.column(text), " does"))
    return {**{role: name for role, name in roles.items() if name != text}, "item": text}


def _last_as_item(sheet: Sheet, roles: dict[str, Any]) -> dict[str, Any]:
    """The roles, the only column beside annotator and answer naming the item: there is nothing else it could be."""
    if "item" in roles or "annotator" not in roles:
        return roles
    filled = [name for name in sheet.columns if sheet.sample(name)]
    named = items_by(sheet, roles) if len(filled) == THREE else []
    if len(named) != 1 or len(named[0]) != 1:
        return roles
    of_items = column_names.column(named[0][0])
    sheet.notes.append(Message("no column is called as items are; ", of_items, " names them, the only one that can"))
    return {**roles, "item": named[0][0]}


def _refuse_nameless(sheet: Sheet, options: ReadOptions, roles: dict[str, Any]) -> None:
    """Which item and whose answer must be known."""
    missing = " and ".join(role for role in ("item", "annotator") if role not in roles)
    if not missing:
        return
    taken = {name: role for role, name in options.roles.items() if isinstance(name, str)}
    if missing in taken:
        raise sheet.error(
            "The column ",
            at_column(missing),
            f" is named as the {taken[missing]}, and no other is the {missing}: one column "
            f"cannot play two roles. Say which is the {missing}: ",
            remedy(**{missing: ...}),
            ".",
        )
    known = items_by(sheet, roles)[:MOST_CALLS] if missing == "item" else []
    calls = between([sheet.reading(item=names if len(names) > 1 else names[0]) for names in known], " or ")
    raise sheet.error(
        f"Which column is the {missing}? The table has ",
        all_quoted(sheet.columns),
        ". Say it: ",
        *(calls or [sheet.reading(item=..., annotator=..., label=...)]),
        ".",
    )


def _type_cells(sheet: Sheet, options: ReadOptions, roles: dict[str, Any]) -> None:
    """Numbers as numbers, labels as what they are, however a file writes them; those of a frame are as they are."""
    for role in ROLES:
        if not sheet.given and ROLES[role].numeric and role in roles and not sheet.make_numbers(roles[role]):
            raise sheet.no_numbers(roles[role], role)
    label = roles.get("label")
    if options.labels is None and label is not None:
        for column in label if isinstance(label, list | tuple) else [label]:
            sheet.type_labels(column)
    if not sheet.given and isinstance(label, str) and any(isinstance(cell, bool) for cell in sheet.sample(label)):
        sheet.replaced(label, layouts.words(sheet, label))


def _of_typed_cells(sheet: Sheet, options: ReadOptions, roles: dict[str, Any]) -> Study:
    """The study of cells that are what they mean: several variables, rows that say what they are, or plain answers."""
    if isinstance(roles.get("label"), list | tuple):
        return layouts.several_tasks(sheet, options, roles)
    if _is_marked(sheet, roles, options):
        return _collected(sheet, options, roles)
    if _differs_by_task(sheet, roles, options):
        study = _collected(sheet, options, roles)
        return study._with_origin(study.shape, (*study._reader_notes, *found_by_name(roles, options)))
    if options.separator is not None and "label" in roles:
        sheet.replaced(roles["label"], layouts.split(sheet, roles["label"], options.separator))
    roles = _that_are_read(roles, options)
    # the file is whole and its columns are known; millions of cells are coded when something of them is needed
    whole = partial(_plain_answers, sheet, options, roles)
    study = Study._from_loaded(whole) if sheet.large else whole()
    return study if options.only is None else _only(study, options.only)


def _that_are_read(roles: dict[str, Any], options: ReadOptions) -> dict[str, Any]:
    """The roles without ranks and places that the kind of answer does not have, unless they were named."""
    idle: set[str] = set()
    if options.answers in ("single", "set", "score"):
        idle = {"start", "end"} if options.answers == "single" else {"rank", "start", "end"}
    if not {"start", "end", "label"} <= set(roles) - (idle - set(options.roles)):
        idle |= {"start", "end"}
    return {role: name for role, name in roles.items() if role not in idle or role in options.roles}


def _plain_answers(sheet: Sheet, options: ReadOptions, roles: dict[str, Any]) -> Study:
    """A cell per answer."""
    keywords = {**study_keywords(options), "answers": options.answers or _only_kind(sheet)}
    others = [roles[role] for role in ("annotator", "task", "run") if role in roles]
    answers = roles.get("label", roles.get("score"))
    with naming(sheet.where), offering_both(sheet, roles["item"], others, of=DuplicateAnswers, answers=answers):
        study = Study(sheet.data, **roles, **keywords)
    label = roles.get("label")
    several = [] if sheet.given or not isinstance(label, str) else several_note(sheet, [label], options)
    found = (*_notes(roles, options, study), *several, *_unmeasured(sheet, roles))
    return study._with_origin(study.shape, (*found, *study._reader_notes))


def _only(study: Study, variable: str) -> Study:
    """One variable of a study of several."""
    if not study.tasks:
        raise OptionError(Keyword("only", variable), " chooses a variable, and the table holds one only.")
    if variable not in study.tasks:
        raise OptionError.choice("only", variable, [str(name) for name in study.tasks], of_data=True)
    return study.tasks[variable]


def _ranks_as_labels(sheet: Sheet, options: ReadOptions, roles: dict[str, Any]) -> dict[str, Any] | None:
    """Ranks and nothing that was ranked are labels: 1 to 3 of a scale. None where there is anything else."""
    rank = roles.get("rank")
    if rank is None or "rank" in options.roles or set(sheet.columns) - set(roles.values()):
        return None
    sentence = " holds the labels: no column holds anything that was put in order"
    sheet.notes.append(Message(column_names.column(rank), sentence))
    return {**{role: name for role, name in roles.items() if role != "rank"}, "label": rank}


def _differs_by_task(sheet: Sheet, roles: dict[str, Any], options: ReadOptions) -> bool:
    """Do numbers answer one question and words another? Then labels are typed question by question."""
    plain = {"item", "annotator", "label", "task"} <= set(roles) and not {"rank", "start", "end"} & set(roles)
    if sheet.given or sheet.large or not plain or options.separator is not None or options.labels is not None:
        return False
    numeric = {bool(NUMBER.fullmatch(cell)) for cell in sheet.sample(roles["label"]) if isinstance(cell, str)}
    return numeric == {False, True}


def _notes(roles: dict[str, str], options: ReadOptions, study: Study) -> list[str]:
    """What was found and not given: by the names of columns, and that places were read."""
    notes = found_by_name(roles, options)
    exchanged = _exchanged(roles, study)
    notes += [exchanged] if exchanged is not None else []
    if study.tasks and "task" not in options.roles and "task" in roles:
        of_variables = column_names.column(roles["task"])
        what = f" makes variables, each measured by itself: {listing(study.tasks)}"
        notes.append(Message("the column ", of_variables, what))
    placed = "start" in roles and "start" not in options.roles and options.answers is None
    if not study.tasks and study.kind == "spans" and placed:
        alone = remedy(answers="single")
        notes.append(Message("start and end were read as places in the item; ", alone, " reads the labels alone"))
    return notes


def _exchanged(roles: dict[str, str], study: Study) -> Message | None:
    """More annotators than items, each with as many answers as any other: are they called by each other's names?"""
    if study.tasks or study._annotations.stays:
        return None
    once = not study._annotations.repeated
    if once and study.n_annotators**2 <= study._annotations.n_annotations:  # each has answered an item at most once
        return None
    item, annotator, *_ = study._annotations.rows
    if study.n_annotators <= np.count_nonzero(seen(item, study._annotations.n_items)):
        return None  # which a tally would tell too, and take longer
    answers = np.bincount(annotator)
    answers = answers[answers > 0]
    if answers.min() != answers.max() or answers[0] < 2:
        return None
    what = f"there are more annotators ({study.n_annotators:,}) than items ({study.n_items:,}), each with "
    other = remedy(item=column_names.as_value(roles["annotator"]), annotator=column_names.as_value(roles["item"]))
    return Message(f"{what}{answers[0]:,} answers; if they are exchanged, say ", other)


def _unmeasured(sheet: Sheet, roles: dict[str, Any]) -> list[str]:
    """Which columns of a file are kept and not measured."""
    used = {*roles.values(), *sheet.naming, "answers"}
    rest = [] if sheet.given else [name for name in sheet.columns if name not in used and sheet.sample(name)]
    return [Message("kept, and not measured: ", column_names.columns(rest, most=6))] if rest else []


def _is_marked(sheet: Sheet, roles: dict[str, Any], options: ReadOptions) -> bool:
    """Did `Study.write` make the table, or does it say which answers count?"""
    if sheet.given and "status" in options.roles:
        return False  # as the caller says: what failed is missing, the rest counts
    repeats = options.duplicates in ("first", "last") and not sheet.given
    marked = "status" in roles or bool(options.adjudicator) or repeats
    return marked or (says_kinds(sheet) and _only_kind(sheet) is None)


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
    if "answers" in sheet.columns and {str(cell) for cell in sheet.sample("answers")}.isdisjoint(KINDS):
        names["answers"] = kept_name("answers")
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
        rows.columns["answers"] = [options.answers or _kind_by_roles(roles)] * rows.length
    else:
        rows.says_kind = True
    if None in kinds:
        raise sheet.error("Some rows do not say in the column 'answers' what kind of answer they are. Fill it in.")
    return study_of(rows, options)


def _kind_by_roles(roles: dict[str, Any]) -> Kind:
    """What kind of answer the columns hold together."""
    if "rank" in roles:
        return "ranked"
    if set(COMPARED) <= set(roles):
        return PREFERENCE
    if {"start", "end"} <= set(roles):
        return "spans"
    return "single" if "label" in roles else "score"
