"""Tables with a row per item and a column per annotator: which columns hold answers, and what speaks against it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from accord.engine.frames import Frame
from accord.errors import ColumnMissing, MayBeNames, Message, Part, all_quoted, between, listing, quoted, remedy
from accord.study.study import Study
from accord.study.tables import (
    closing_rows,
    column_families,
    column_names,
    free_text,
    headerless,
    layouts,
    row_numbers,
    ticks,
)
from accord.study.tables.item_keys import crossed, offering_both, records_way, unnamed_way
from accord.study.tables.rows import ReadOptions, Rows, study_keywords
from accord.study.tables.several_in_cells import several_note
from accord.study.tables.sharing_labels import sharing_labels
from accord.study.tables.sheet import FrameSheet, Sheet, as_label
from accord.study.tables.to_study import study_of

MANY_COLUMNS = 5  # from so many on, more columns than rows may be items
FEW = 5  # rows, below which a column that shares no label with the others may still be an annotator's
VERY_FEW, MANY_STRANGERS = 3, 3  # rows, from which on so many such columns are none, if they are half of all


def recognised_wide(sheet: Sheet, options: ReadOptions) -> Study:
    """A row per item: only where the columns are answers to the same question, in labels that they share."""
    item = _item_of(sheet, options)
    closing_rows.set_aside(sheet, item)
    weight = _weight_column(sheet, options)
    answers = [name for name in sheet.columns if name not in (item, weight) and not _about_items(sheet, name)]
    family = column_families.family_of(sheet, answers, options.annotators or ())
    if family is not None:
        return column_families.study_of_family(sheet, options, family, item, weight)
    people = [name for name in answer_columns(sheet, item) if name != weight]
    long: tuple[Part, ...] = ("one row per annotation: ", _as_rows(sheet, item))
    headerless.refuse_a_header_of_data(sheet)
    if len(people) < 2:
        others = [name for name in sheet.columns if name != item]
        _refuse_counts(sheet, [name for name in others if row_numbers.numbers_items(sheet, name)])
        raise sheet.error(
            "Which column is the annotator? The table has ",
            all_quoted(sheet.columns),
            ". Say it, ",
            *long,
            ".",
            *records_way(sheet),
            *unnamed_way(sheet, item),
        )
    ticks.refuse_without_annotator(sheet, people)
    samples = {name: {_in_small_letters(cell) for cell in sheet.sample(name)} for name in people}
    numbered = all(column_names.NUMBERED.match(column_names.plain(name)) for name in people)
    if not numbered:
        _refuse_counts(sheet, people)
        _refuse_confusion(sheet, people)
    named = _naming_stranger(sheet, people, samples) if item is None else None
    if named is not None:
        sentence = " names them: no cell of it comes again"
        sheet.notes.append(Message("no column is called as items are; ", column_names.column(named), sentence))
        return recognised_wide(sheet, replace(options, roles={**options.roles, "item": named}))
    if not numbered:
        _refuse_strangers(sheet, item, people, samples, long)
    study = wide(sheet, replace(options, annotators=people))
    study = study._with_origin(study.shape, (*study._reader_notes, *several_note(sheet, people, options)))
    notes = [Message("a column per annotator: ", column_names.people(people))]
    notes += _decided_note(sheet, people, item)
    notes += _turned_note(sheet, people, item)
    return study._with_origin(study.shape, (*study._reader_notes, *notes))


def _as_rows(sheet: Sheet, item: str | None) -> Part:
    """The call that reads a row per annotation, with the columns where the cells tell them."""
    thing, who, label = crossed(sheet, item) or (..., ..., ...)
    return sheet.reading(item=thing, annotator=who, label=label)


def _refuse_counts(sheet: Sheet, names: Sequence[str]) -> None:
    """Whole numbers whose rows all have one sum."""
    if not layouts.look_like_counts(sheet, list(names)):
        return
    raise sheet.error(
        "Every row of ",
        all_quoted(names, most=4),
        " sums to one number. These are counts of labels, or ratings by accident. Say which: ",
        sheet.reading(shape="counts"),
        " or ",
        sheet.reading(shape="wide"),
        ".",
    )


def _refuse_confusion(sheet: Sheet, people: Sequence[str]) -> None:
    """Counts in rows that are called as the columns are: two annotators' confusion table."""
    first, rest = sheet.columns[0], list(sheet.columns[1:])
    rows = [as_label(cell) for cell in sheet.cells(first)] if sheet.rows == len(rest) else []
    if rows != rest or set(people) - set(rest) or layouts.sums_of(sheet, rest) is None:
        return
    raise sheet.error(
        "Rows and columns are called alike (",
        all_quoted(rest, most=4),
        "), and hold counts: two annotators' confusion table, or items × annotators by accident. Say which: ",
        sheet.reading(shape="confusion"),
        " or ",
        sheet.reading(shape="wide"),
        ".",
    )


def _naming_stranger(sheet: Sheet, people: Sequence[str], samples: Mapping[str, set[str]]) -> str | None:
    """The first column, where nobody else's labels stand in it, and it is text of which nothing comes again."""
    first = sheet.columns[0]
    others = [name for name in people if name != first]
    apart = first not in people or sharing_labels(samples) == [[first], others]
    if sheet.rows < FEW or not apart or is_prose(sheet, first) or column_names.decided(first):
        return None
    cells = sheet.cells(first)
    return first if all(isinstance(cell, str) for cell in cells) and len(set(cells)) == len(cells) else None


def is_wide_by_labels(sheet: Sheet) -> bool:
    """Do columns that are called after annotators hold their answers: expert beside student, judge beside human?

    Their cells are then words that another column has too, and no item has a second row. Numbers may be people's as
    well as labels, which is asked.
    """
    item = item_column(sheet)
    called = column_names.candidates("annotator", sheet.columns, [] if item is None else [item])
    if not called or "annotator" in called or (item is not None and len(set(sheet.keys(item))) < sheet.rows):
        return False
    answers = [name for name in sheet.columns if name in (*called, *answer_columns(sheet, item))]
    words = {name: {_in_small_letters(cell) for cell in sheet.sample(name)} for name in answers}
    shared = all(
        len(words[name]) < sheet.rows and any(words[name] & words[other] for other in words if other != name)
        for name in called
    )
    numbers = any(not isinstance(cell, str) for name in called for cell in sheet.sample(name))
    if shared and numbers and item is not None:
        label = next(name for name in answers if name != called[0])
        raise sheet.error(
            "No item has a second row, and ",
            quoted(called[0]),
            " holds what ",
            quoted(label),
            " does: an annotator's answers, or numbers of annotators. Say which: ",
            sheet.reading(annotators=answers),
            " or ",
            sheet.reading(item=item, annotator=called[0], label=label),
            ".",
        )
    return shared and not numbers


def _refuse_strangers(
    sheet: Sheet, item: str | None, people: Sequence[str], samples: Mapping[str, set[str]], long: Sequence[Part]
) -> None:
    """Columns of annotators share labels, all of them directly or through others; a few rows may be too few for it."""
    groups = sharing_labels(samples)
    alone = [group[0] for group in groups if len(group) == 1]
    many = sheet.rows >= VERY_FEW and len(alone) >= MANY_STRANGERS and 2 * len(alone) >= len(people)
    if len(groups) == 1 or (sheet.rows < FEW and not many):
        return
    several = [group for group in groups if len(group) > 1]
    if alone:
        others = [name for group in several for name in group]
        whom: list[Part] = ["the other columns (", all_quoted(others), ")"] if others else ["each other"]
        what = [all_quoted(alone), f" {'shares' if len(alone) == 1 else 'share'} no label with ", *whom]
    else:
        others = several[0]
        what = ["Columns share labels in groups only: ", *between([all_quoted(group, 4) for group in groups], "; ")]
    raise sheet.error(
        *what,
        ", so these may not all be annotators. Say it, ",
        *long,
        "; or one column per annotator: ",
        sheet.reading(annotators=others if len(others) > 1 else [...]),
        ".",
        *records_way(sheet),
        *unnamed_way(sheet, item),
    )


def _in_small_letters(cell: Any) -> str:
    """A label as one that differs in case or blanks only: who writes Yes and who writes yes answer alike."""
    return as_label(cell).strip().casefold()


def _turned_note(sheet: Sheet, people: Sequence[str], item: str | None) -> list[Message]:
    """More columns than rows, all filled: is a row an annotator?"""
    if item is None or len(people) < MANY_COLUMNS or len(people) <= sheet.rows:
        return []
    what = f"there are more annotators ({len(people):,}) than items ({sheet.rows:,}); if a row is an annotator, say "
    return [Message(what, remedy(annotator=column_names.as_value(item)))]


def study_of_named_people(data: Any, options: ReadOptions) -> Study | None:
    """The study of a wide frame whose columns are called after annotators and variables: V1A, V1B; else None."""
    frame = Frame.open(data)
    people = list(map(str, options.annotators or ()))
    names = [str(name) for name in frame.columns]
    if not people or isinstance(options.annotators, str) or set(people) & set(names):
        return None
    sheet = FrameSheet(frame)
    item = _item_of(sheet, options)
    family = column_families.family_of(
        sheet, [name for name in names if name != item and not _about_items(sheet, name)], people
    )
    if family is None or not set(people) <= set(family.annotators):
        return None
    weight = _weight_column(sheet, options)
    return column_families.study_of_family(sheet, options, family, item, weight).of_annotators(people)


def wide(sheet: Sheet, options: ReadOptions) -> Study:
    """The study of a table with a column per annotator: those that are named, or all that hold answers."""
    item, weight = _item_of(sheet, options), _weight_column(sheet, options)
    closing_rows.set_aside(sheet, item)
    requested = options.annotators or ()  # of another shape they are annotators' names, looked for once it is read
    named = bool(requested) and (options.shape is not None or bool(set(requested) & set(sheet.columns)))
    chosen = list(requested) if named else [name for name in answer_columns(sheet, item) if name != weight]
    there = set(sheet.columns)
    for name in chosen:
        if name not in there:
            raise ColumnMissing("annotators", name, sheet.columns)
    if options.separator is not None:
        for name in chosen:
            sheet.replaced(name, layouts.split(sheet, name, options.separator))
    if options.labels is None:
        for name in chosen:
            sheet.type_labels(name)
    _same_types(sheet, chosen)
    made = {name: value for name, value in study_keywords(options).items() if name != "duplicates"}
    with offering_both(sheet, item, unnamed=True):
        study = Study.from_wide(sheet.data, item=item, annotators=chosen, **made)
    return study if weight is None else study.with_item_weights(weight)


def items_in_columns(sheet: Sheet, options: ReadOptions, who: str) -> Study | None:
    """A row per annotator and a column per item: the study, where nobody has two rows and columns share labels."""
    people = sheet.cells(who)
    items = [name for name in sheet.columns if name != who and not is_prose(sheet, name) and sheet.sample(name)]
    labels = [set(map(as_label, sheet.sample(name))) for name in items]
    if len(set(sheet.keys(who))) < len(people) or len(people) < 2 or len(items) < 2:
        return None
    if not _of_one_scale(labels):
        return None
    rows = Rows("table with a row per annotator", options)
    columns = sheet.lists()
    for place, person in enumerate(people):
        for name in items:
            rows.add(options.answers or "single", item=name, annotator=person, label=columns[name][place])
    rows.note(Message("a row per annotator, and a column per item: ", column_names.people(items)))
    return study_of(rows.finish(), options)


def _of_one_scale(labels: Sequence[set[str]]) -> bool:
    """Does every column share a label with another, or hold numbers that follow on those that are shared?

    Of Krippendorff's five codes one is given to a single unit.
    """
    held = Counter(label for column in labels for label in column)
    shared = {label for label, columns in held.items() if columns > 1}
    alone = {label for column in labels if not column & shared for label in column}
    if not alone or not shared or not all(label.isdecimal() for label in shared | alone):
        return not alone
    lowest, highest = min(map(int, shared)), max(map(int, shared))
    return all(lowest - 1 <= int(label) <= highest + 1 for label in alone)


def _weight_column(sheet: Sheet, options: ReadOptions) -> str | None:
    """The column that says what each item weighs, as numbers: as given, or by its name."""
    found = options.roles.get("item_weight")
    if found is None:
        names = column_names.candidates("item_weight", sheet.columns)
        found = names[0] if names and sheet.numbers(names[0]) is not None else None
    elif found not in sheet.columns:
        raise ColumnMissing("item_weight", found, sheet.columns)
    if found is not None and not sheet.make_numbers(found):
        raise sheet.no_numbers(found, "item_weight")
    return found


def _same_types(sheet: Sheet, chosen: Sequence[str]) -> None:
    """One annotator's numbers beside another's words are words."""
    samples = {name: sheet.sample(name) for name in chosen}
    texts = [name for name, cells in samples.items() if any(isinstance(cell, str) for cell in cells)]
    if not texts or len(texts) == len(chosen):
        return
    for name in set(chosen) - set(texts):
        sheet.make_text(name)


def _item_of(sheet: Sheet, options: ReadOptions) -> str | None:
    """The column that names the items: as given, or by its own name."""
    return options.roles.get("item") or item_column(sheet)


def item_column(sheet: Sheet) -> str | None:
    """The column that names the items, by its own name."""
    found = column_names.candidates("item", sheet.columns) or column_names.weak_item(sheet.columns)
    if found:
        return found[0]
    first = next(iter(sheet.columns), None)  # which may say at least which row it was
    counts = first is not None and row_numbers.numbers_items(sheet, first) and row_numbers.counts_rows(sheet, first)
    return first if counts else None


def answer_columns(sheet: Sheet, item: str | None) -> list[str]:
    """The columns of a wide table that hold answers."""
    rest = [name for name in sheet.columns if name != item]
    numbered = [name for name in rest if column_names.NUMBERED.match(column_names.plain(name))]
    if len(numbered) >= 2:
        return numbered
    answers = [name for name in rest if not is_prose(sheet, name) and not column_names.decided(name)]
    return [name for name in answers if not _about_items(sheet, name)]


def _about_items(sheet: Sheet, name: str) -> bool:
    """Is it a column of a wide table that says something of the items, and is nobody's?"""
    named = column_names.AN_ID.fullmatch(column_names.plain(name)) is not None
    return is_prose(sheet, name) or _nested(sheet, name) or named or row_numbers.numbers_items(sheet, name)


def is_prose(sheet: Sheet, name: str) -> bool:
    """Is it a column that never holds an annotator's answers, by its name or by its cells?"""
    no_answers = name in sheet.naming or column_names.plain(name) in column_names.NO_ANSWERS
    return no_answers or free_text.is_prose(sheet.sample(name))


def is_text(sheet: Sheet, name: str) -> bool:
    """Is it a column of texts, by its name or by its cells?"""
    cells = sheet.sample(name)
    named = column_names.plain(name) in column_names.TEXTS
    return free_text.is_prose(cells) or (named and all(isinstance(cell, str) for cell in cells))


def _decided_note(sheet: Sheet, people: Sequence[str], item: str | None) -> list[Message]:
    """What was taken aside: labels that were made of the annotators' own, or known beforehand; numbers of items."""
    free = [name for name in sheet.columns if name not in people and name != item]
    aside = [name for name in free if column_names.decided(name) or row_numbers.numbers_items(sheet, name)]
    return [Message("taken aside, as no annotator's answers", MayBeNames(f": {listing(aside)}", ""))] if aside else []


def _nested(sheet: Sheet, name: str) -> bool:
    """Do cells hold objects, or lists of them? No annotator answers so."""
    cells = sheet.sample(name)[:50]
    return any(isinstance(part, dict) for cell in cells for part in (cell if isinstance(cell, list) else [cell]))
