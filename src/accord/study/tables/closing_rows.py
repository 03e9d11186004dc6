"""Rows of a table in a file that are no items: blank ones, and sums or means below the last item."""

from __future__ import annotations

from accord.annotations.left_out import Reason
from accord.errors import MayBeNames, Message, counted, listing
from accord.study.tables import column_names
from accord.study.tables.sheet import Sheet
from accord.study.tables.to_study import same_type

# What stands in the place of an item's name where a row sums up those above it.
SUMS_UP = frozenset({
    "total", "totals", "sum", "grand_total", "subtotal", "mean", "average", "avg", "median", "std", "sd", "stdev",
    "variance", "min", "max", "count", "counts", "n", "kappa", "cohen_s_kappa", "cohens_kappa", "fleiss_kappa", "alpha",
    "krippendorff_s_alpha", "krippendorffs_alpha", "agreement", "percent_agreement", "iaa", "gesamt", "summe",
    "mittelwert", "durchschnitt", "somme", "moyenne", "suma", "promedio", "media", "totale", "totaal",
})  # fmt: skip


def set_aside(sheet: Sheet, item: str | None) -> None:
    """Take away rows without a cell, and the last ones that sum up the others; both are counted, and sums are named."""
    if sheet.given:
        return
    blank = sheet.blank_rows()
    sums: list[int] = []
    if item is not None:
        cells, gone = sheet.cells(item), set(blank)
        filled = [place for place in range(len(cells)) if place not in gone]
        while len(sums) + 1 < len(filled) and _sums_up(cells[filled[-1 - len(sums)]]):
            sums.append(filled[-1 - len(sums)])
        if sums:
            shown = listing([cells[place] for place in reversed(sums)], most=4)
            what = f"{counted(len(sums), 'rows')} at the end, summing up the others, left out: "
            sheet.notes.append(Message(what, MayBeNames(shown)))
    sheet.left_out.add(Reason.NO_ITEM, len(blank))
    sheet.left_out.add(Reason.SUMMARY, len(sums))
    if blank or sums:
        sheet.take_out(blank + sums)
    for name in sheet.columns if sums else ():  # what was text for the sake of a sum is what it is without
        cells = sheet.cells(name)
        if all(cell is None or isinstance(cell, str | int | float) for cell in cells):
            sheet.replaced(name, sheet.column_of(name, same_type(cells)))


def _sums_up(cell: object) -> bool:
    return isinstance(cell, str) and column_names.plain(cell) in SUMS_UP
