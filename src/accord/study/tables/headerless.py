"""Tables whose columns have no names: what they may be has to be said, never guessed."""

from __future__ import annotations

from accord.errors import FileError
from accord.study.tables.sheet import Sheet

IN_ORDER = ("item", "annotator", "label")


def in_order(sheet: Sheet, *, header: bool) -> dict[str, str]:
    """Three columns without names of a long table are the item, the annotator and the label."""
    if header or len(sheet.columns) != len(IN_ORDER):
        return {}
    return dict(zip(IN_ORDER, sheet.columns, strict=True))


def refuse_two_readings(sheet: Sheet, *, header: bool) -> None:
    """Three columns without names may be item, annotator and label, or three annotators."""
    if header or len(sheet.columns) != len(IN_ORDER):
        return
    items, people = (sheet.first_cells(name) for name in sheet.columns[:2])
    pairs = list(zip(items, people, strict=True))
    if len(set(items)) < len(items) and len(set(pairs)) == len(pairs):
        raise sheet.error(
            "Three columns without names may be item, annotator and label, or three annotators. Say which: ",
            sheet.reading(header=False, shape="long"),
            " or ",
            sheet.reading(header=False, shape="wide"),
            ".",
        )


def refuse_a_header_of_data(sheet: Sheet) -> None:
    """Names of columns that come again as cells of the same column are no names."""
    again = [name for name in sheet.columns if name in {str(cell) for cell in sheet.sample(name)}]
    if len(again) >= 2:
        raise FileError(
            sheet.where,
            f"It looks like data, not like names of columns: {again[0]!r} and {again[1]!r} come "
            f"again below themselves. If there is no header, say so: ",
            sheet.reading(header=False, shape="long"),
            " for item, annotator and label, or ",
            sheet.reading(header=False, shape="wide"),
            " for a column per annotator.",
            line=1,
        )
