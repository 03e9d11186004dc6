"""Sheets that are ticked: a column per label, with a cross or nothing in its cells."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

from accord.errors import Message, all_quoted, at_column, listing, quoted, remedy
from accord.study.declared_scales import Scale
from accord.study.study import Study
from accord.study.tables.rows import ReadOptions, Rows, kept_name
from accord.study.tables.sheet import Sheet, as_label
from accord.study.tables.to_study import study_of

# What people and programs put into a cell to tick it, where nothing stands in the others.
TICKS = frozenset({"x", "xx", "1", "true", "yes", "y", "ja", "oui", "si", "*", "+", "✓", "✔", "☑", "✅", "√", "•", "●"})


def ticked_columns(sheet: Sheet, names: Sequence[str]) -> list[str]:
    """Those of some columns that hold one and the same tick or nothing; none where fewer than two hold any.

    A column that nobody ticked is one of them where it stands among the others.
    """
    held = {name: {_plain(cell) for cell in sheet.sample(name)} for name in names}
    ticks = {tick for cells in held.values() if len(cells) == 1 for tick in cells if tick in TICKS}
    if len(ticks) != 1:
        return []
    places = [place for place, name in enumerate(names) if held[name] == ticks]
    among = names[places[0] : places[-1] + 1]
    blank = any(cell is None or cell == "" for name in among for cell in sheet.first_cells(name))
    return [name for name in among if held[name] <= ticks] if len(places) > 1 and blank else []


def are_ticks(sheet: Sheet, names: Collection[str]) -> bool:
    """Are all of some columns ticked?"""
    return bool(names) and len(ticked_columns(sheet, list(names))) == len(names)


def chosen(columns: dict[str, str], cells: dict[str, list[Any]], place: int) -> list[str]:
    """The labels that are ticked in a row; `columns` has the column of each label."""
    return [label for label, name in columns.items() if not _is_blank(cells[name][place])]


def booleans(sheet: Sheet, name: str) -> Any:
    """A ticked column as true and false."""
    return sheet.column_of(name, [not _is_blank(cell) for cell in sheet.cells(name)])


def study_of_ticks(sheet: Sheet, options: ReadOptions, roles: dict[str, Any], labels: Sequence[str]) -> Study:
    """A row per annotation, a column per label: sets of labels, or single ones where nobody ticked two."""
    rows = Rows("table of ticked columns", options)
    cells = sheet.lists()
    _refuse_others(sheet, labels, cells)
    kept = {name: role for role, name in roles.items() if isinstance(name, str) and role not in ("label", "score")}
    rest = {name: kept.get(name, kept_name(name)) for name in sheet.columns if name not in labels}
    columns = {name: name for name in labels}
    ticked = [chosen(columns, cells, place) for place in range(sheet.rows)]
    several = any(len(held) > 1 for held in ticked) if options.answers is None else options.answers == "set"
    for place, held in enumerate(ticked):
        common = {word: cells[name][place] for name, word in rest.items()}
        if several:
            rows.answer("set", held, **common)
        else:
            rows.add(options.answers or "single", label=held[0] if held else None, **common)
    rows.scales[""] = Scale(tuple(labels))
    rows.note(_note(labels, several=several))
    return study_of(rows.finish(), options)


def _note(labels: Sequence[str], *, several: bool) -> Message:
    what = f"a tick in a column gives its label: {listing(labels, most=6)}; a row without one "
    if several:
        return Message(what, "is an answer of no label")
    return Message(what, "has no answer. If several may be ticked, say ", remedy(answers="set"))


def _refuse_others(sheet: Sheet, labels: Sequence[str], cells: dict[str, list[Any]]) -> None:
    """Further down, too, cells hold a tick or nothing."""
    for name in labels:
        for place, cell in enumerate(cells[name]):
            if not _is_blank(cell) and _plain(cell) not in TICKS:
                raise sheet.error(
                    "The column ",
                    at_column(name),
                    " is ticked or blank, and this cell holds ",
                    quoted(cell),
                    ". Mend it, or say what the columns are: ",
                    remedy(label=list(labels)),
                    " for several variables.",
                    part=f"row {place + 1}",
                )


def refuse_without_annotator(sheet: Sheet, names: Sequence[str]) -> None:
    """Ticks of whom? Columns of labels are no columns of annotators."""
    labels = ticked_columns(sheet, names)
    if len(labels) < len(names):
        return
    raise sheet.error(
        "Cells of ",
        all_quoted(labels, most=6),
        " are ticked or blank, so that each column is a label, and no column names the annotator. Say which one does: ",
        sheet.reading(annotator=...),
        "; or read the files of all annotators together, each called after its annotator.",
    )


def _is_blank(cell: Any) -> bool:
    return cell is None or (isinstance(cell, str) and not cell.strip()) or (isinstance(cell, float) and cell != cell)  # noqa: PLR0124 - NaN


def _plain(cell: Any) -> str:
    return as_label(cell).strip().casefold()
