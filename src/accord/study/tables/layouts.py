"""The less usual layouts of a table: counts, confusion, ranked columns."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from accord.annotations.answers import Kind, as_text
from accord.annotations.left_out import LeftOut, Reason
from accord.errors import InputError, Message, all_quoted, at_item, quoted, remedy
from accord.study.shapes.counts import of_unnamed
from accord.study.shapes.loaded import Loaded
from accord.study.study import Study
from accord.study.tables import column_names
from accord.study.tables.rows import ReadOptions, Rows, kept_name
from accord.study.tables.sheet import Sheet, as_label, json_cell
from accord.study.tables.to_study import as_declared, same_type, study_of

# What stands beside counts of labels and is none: how many there are, and the label that most gave.
TOTALS = frozenset(
    {"count", "total", "sum", "n", "votes", "annotators", "n_annotators", "n_annotations", "num_annotators"}
)
DECIDED_BESIDE = frozenset({"class", "label", "category"})
YES_NO = {
    **dict.fromkeys(("1", "true", "yes", "y", "t", "ja", "oui", "si", "checked"), True),
    **dict.fromkeys(("0", "false", "no", "n", "f", "nein", "non", "unchecked"), False),
}
RANKED_WORDS = ("primary", "secondary", "tertiary")


def look_like_counts(sheet: Sheet, names: list[str]) -> bool:
    """Whole numbers from 0 whose rows all have one sum, or the one that a column of totals says."""
    sums = sums_of(sheet, [name for name in names if column_names.plain(name) not in DECIDED_BESIDE])
    if sums is None:
        return False
    total = [sheet.numbers(name) for name in sheet.columns if column_names.plain(name) in TOTALS]
    return (len(set(sums)) == 1 and sums[0] >= 2) or any(
        numbers is not None and list(numbers) == sums for numbers in total
    )


def sums_of(sheet: Sheet, names: list[str]) -> list[int] | None:
    """The sum of every row; None where a cell is no whole number from 0, or there is but one column."""
    rows = list(zip(*(sheet.cells(name) for name in names), strict=True))
    whole = all(isinstance(cell, int) and not isinstance(cell, bool) and cell >= 0 for row in rows for cell in row)
    return [sum(row) for row in rows] if whole and len(names) > 1 else None


def counts(sheet: Sheet, options: ReadOptions) -> Study:
    """Items × labels."""
    item = options.roles.get("item") or next(
        iter(column_names.candidates("item", sheet.columns) or column_names.weak_item(sheet.columns)), None
    )
    plain = {name: column_names.plain(name) for name in sheet.columns if name != item}
    aside = [name for name, word in plain.items() if word in TOTALS | DECIDED_BESIDE]
    table = {
        name: sheet.cells(name)
        for name, word in plain.items()
        if word not in column_names.NO_ANSWERS and name not in aside
    }
    if aside:
        sheet.notes.append(Message("taken aside, as no label: ", column_names.columns(aside)))
    if not table:
        raise sheet.error("No columns of counts are left; the table has ", all_quoted(sheet.columns), ".")
    whole = {name: [cell or 0 for cell in cells] for name, cells in table.items()}
    return Study.from_counts(whole, labels=options.labels)


def is_counted(sheet: Sheet) -> bool:
    """A row per item and label, with how many gave it: what `Study.write` makes of counts."""
    needed, columns = {"item", "label", "count"}, set(sheet.columns)
    return needed <= columns <= needed | {"task"} and sheet.numbers("count") is not None


def counted(sheet: Sheet, options: ReadOptions) -> Study:
    """Counts of labels, a row each: nobody is named."""
    numbers = list(sheet.numbers("count"))
    for item, number in zip(sheet.cells("item"), numbers, strict=True):
        if not isinstance(number, int) or number < 0:
            raise sheet.error(
                "A count must be a whole number from 0; item ", at_item(item), " has ", quoted(number), "."
            )
    tasks = sheet.keys("task") if "task" in sheet.columns else [None] * sheet.rows
    places: dict[Any, list[int]] = {}
    for place, task in enumerate(tasks):
        places.setdefault(task, []).append(place)
    every = [sheet.cells(name) for name in ("item", "label")]
    left_out, parts = LeftOut(), {}
    for task, mine in places.items():
        items, labels = ([cells[place] for place in mine] for cells in every)
        given = _declared(sheet, options, "" if task is None else str(task))
        typed = same_type(labels) if given is None else as_declared(labels, given)
        _refuse_others(sheet, items, typed, given)
        parts[task] = of_unnamed(items, typed, given, left_out, [numbers[place] for place in mine])
    whole = next(iter(parts.values())) if len(parts) == 1 else None
    several = {} if whole is not None else parts
    return Study._from_loaded(Loaded(whole, left_out, "table of counts", sheet.rows, {}, several))


def _declared(sheet: Sheet, options: ReadOptions, task: str) -> Sequence[Any] | None:
    """The labels that were declared of a variable; None where nobody did."""
    kept = sheet.scales[task].labels if task in sheet.scales else ()
    return options.labels if options.labels is not None else kept or None


def _refuse_others(sheet: Sheet, items: list[Any], labels: list[Any], declared: Sequence[Any] | None) -> None:
    """A label that was not declared is an error."""
    for item, label in zip(items, labels, strict=True):
        if declared is not None and label not in declared:
            raise sheet.error("Item ", at_item(item), " has the label ", quoted(label), ", which is not on its scale.")


def unnamed(sheet: Sheet, options: ReadOptions, roles: dict[str, Any]) -> Study:
    """A row per answer, of people who are not named."""
    if "item" not in roles:
        raise sheet.error(
            "Which column is the item? The table has ", all_quoted(sheet.columns), ". Say ", remedy(item=...), "."
        )
    label = options.roles.get("label") or options.roles.get("score") or roles.get("label") or roles.get("score")
    if label is None:
        left = [name for name in sheet.columns if name != roles["item"] and name not in roles.values()]
        raise sheet.error(all_quoted(left), " could each be the label. Say which: ", remedy(label=left), ".")
    names = list(label) if isinstance(label, list | tuple) else [label]
    if options.labels is None:
        for name in names:
            sheet.type_labels(name)
    cleaning = options.cleaning
    table = _row_each(sheet, roles["item"], names)
    study = Study.from_unnamed(
        table, item=roles["item"], label=names, labels=options.labels, missing=cleaning.missing,
        trim=cleaning.trim, fold_case=cleaning.fold_case, recode=cleaning.recode,
    )  # fmt: skip
    return study if options.only is None else study.tasks[options.only]


def _row_each(sheet: Sheet, item: str, names: Sequence[str]) -> Any:
    """The table with a row for each answer, where cells hold lists of them; of several variables, side by side."""
    if not any(isinstance(cell, list) for name in names for cell in sheet.sample(name)):
        return sheet.data
    columns: dict[str, list[Any]] = {item: [], **{name: [] for name in names}}
    cells = [[cell if isinstance(cell, list) else [cell] for cell in sheet.cells(name)] for name in names]
    for thing, *held in zip(sheet.cells(item), *cells, strict=True):
        most = max(map(len, held))
        columns[item] += [thing] * most
        for name, answers in zip(names, held, strict=True):
            columns[name] += [*answers, *([None] * (most - len(answers)))]
    return columns


def confusion(sheet: Sheet, options: ReadOptions) -> Study:
    """Two annotators' contingency table; a first column that is no number names the rows."""
    first = sheet.columns[0]
    named = any(isinstance(cell, str) for cell in sheet.sample(first))
    table = {name: sheet.cells(name) for name in sheet.columns if not (named and name == first)}
    if named and [str(cell) for cell in sheet.cells(first)] != list(table):
        raise sheet.error(
            "The rows of a confusion table must be the columns' labels, in that order; the rows are ",
            all_quoted(sheet.cells(first)),
            ", the columns ",
            all_quoted(table),
            ".",
        )
    return Study.from_confusion(table, labels=options.labels)


def split(sheet: Sheet, name: str, separator: str) -> Any:
    """Cells with several labels as lists: by a separator, or as JSON."""
    return sheet.column_of(name, [split_cell(cell, separator) for cell in sheet.cells(name)])


def split_cell(cell: Any, separator: str) -> list[Any] | None:
    """The labels of a cell that holds several."""
    if cell is None or isinstance(cell, list):
        return cell
    if separator == "json":
        held = json_cell(cell)
        return held if isinstance(held, list) else [held]
    return [part.strip() for part in str(cell).split(separator) if part.strip()]


def put_answer(rows: Rows, options: ReadOptions, cell: Any, kind: Kind | None, **cells: Any) -> None:
    """The answer in a cell, of several labels where it holds a list or they are separated; `kind` where it was said."""
    if options.separator is not None:
        if cell is None:
            rows.left_out.add(Reason.NO_ANSWER, 1)
            return
        cell = split_cell(cell, options.separator)
    if isinstance(cell, list):
        rows.answer(kind or "set", cell, **cells)
    else:
        rows.add(kind or "single", label=cell, **cells)


def booleans(sheet: Sheet, name: str) -> Any:
    """A yes/no column as true and false."""
    cells = [None if cell is None else YES_NO.get(as_label(cell).strip().lower(), cell) for cell in sheet.cells(name)]
    return sheet.column_of(name, cells)


def words(sheet: Sheet, name: str) -> Any:
    """True and false as words, as they are in text files."""
    cells = [as_text(cell) if isinstance(cell, bool) else cell for cell in sheet.cells(name)]
    return sheet.column_of(name, cells)


def ranked_columns(sheet: Sheet) -> list[str]:
    """The columns primary, secondary …, in order; empty where the first two are not both there."""
    found = []
    for word in RANKED_WORDS:
        match = [name for name in sheet.columns if column_names.plain(name) in (word, f"{word}_label", f"label_{word}")]
        if not match:
            break
        found.append(match[0])
    return found if len(found) >= 2 else []


def ranked(sheet: Sheet, options: ReadOptions, roles: dict[str, Any]) -> Study:
    """A primary label and secondary ones, a column each."""
    names = ranked_columns(sheet)
    rows = Rows("table with ranked columns", options)
    columns = sheet.lists()
    roles = {role: name for role, name in roles.items() if role not in ("label", "rank", "score", "start", "end")}
    extra = {
        kept_name(name): columns[name] for name in sheet.columns if name not in names and name not in roles.values()
    }
    for place in range(sheet.rows):
        common = {role: columns[name][place] for role, name in roles.items() if name not in names}
        held = [columns[name][place] for name in names]
        if held[0] is None and any(label is not None for label in held):
            raise no_primary(sheet, place, *names[:2])
        for rank, label in enumerate((label for label in held if label is not None), start=1):
            rows.add(
                "ranked", label=label, rank=rank, **{**common, **{name: cells[place] for name, cells in extra.items()}}
            )
        if held[0] is None:
            rows.left_out.add(Reason.NO_ANSWER, 1)
    rows.finish()
    return study_of(rows, options)


def no_primary(sheet: Sheet, place: int, primary: str = "primary", secondary: str = "secondary") -> InputError:
    """The error for a ranked answer without its first label."""
    return sheet.error(f"There is a {secondary} label and no {primary} one.", part=f"row {place + 1}")


def several_tasks(sheet: Sheet, options: ReadOptions, roles: dict[str, Any]) -> Study:
    """Several columns of labels, each a variable; the other columns are kept beside each."""
    rows = Rows("table of several variables", options)
    columns = sheet.lists()
    names = list(roles["label"])
    roles = {role: name for role, name in roles.items() if role not in ("label", "task")}
    kept = {kept_name(name): name for name in sheet.columns if name not in names and name not in roles.values()}
    for place in range(sheet.rows):
        common = {called: columns[name][place] for called, name in {**kept, **roles}.items()}
        for name in names:
            cell = columns[name][place]
            if isinstance(cell, list):
                rows.answer("set", cell, task=name, **common)
            else:
                rows.add(options.answers or "single", label=cell, task=name, **common)
    return study_of(rows.finish(), options)


def is_soft(sheet: Sheet) -> bool:
    """Counts of labels in a cell."""
    return _soft_column(sheet) is not None


def _soft_column(sheet: Sheet) -> str | None:
    for name in sheet.columns:
        cells = sheet.sample(name)
        if column_names.plain(name) not in column_names.COUNTED_LABELS or not cells:
            continue
        if all(isinstance(cell, dict) and all(isinstance(n, int | None) for n in cell.values()) for cell in cells):
            return name
    return None


def soft(sheet: Sheet, options: ReadOptions) -> Study:
    """Counts of labels in a cell: nobody is named."""
    column = _soft_column(sheet) or ""
    cells = [cell or {} for cell in sheet.cells(column)]
    names = sorted({label for cell in cells for label, count in cell.items() if count is not None})
    if not names:
        raise sheet.error(quoted(column), " holds no counts.")
    return Study.from_counts({name: [cell.get(name) or 0 for cell in cells] for name in names}, labels=options.labels)
