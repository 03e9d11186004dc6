"""Tables whose columns have no names: what they may be has to be said, never guessed."""

from __future__ import annotations

import re
from itertools import combinations

from accord.errors import FileError, Part, quoted
from accord.study.tables import column_names
from accord.study.tables.sheet import Sheet

IN_ORDER = ("item", "annotator", "label")
QRELS = ("query", "iteration", "document", "grade")  # the columns of TREC's judgements, which nothing names


def in_order(sheet: Sheet, *, header: bool) -> dict[str, str]:
    """Three columns without names of a long table are the item, the annotator and the label."""
    if header or len(sheet.columns) != len(IN_ORDER):
        return {}
    return dict(zip(IN_ORDER, sheet.columns, strict=True))


def refuse_two_readings(sheet: Sheet, *, header: bool) -> None:
    """Three columns without names may be item, annotator and label, in any order, or three annotators."""
    if header or len(sheet.columns) != len(IN_ORDER):
        return
    if _naming(sheet) is not None:
        raise sheet.error(
            "Three columns without names may be item, annotator and label, in this order or another, or three "
            "annotators. Say which: ",
            *_ways(sheet),
            ".",
        )


def refuse_no_names(sheet: Sheet) -> None:
    """Rows without names of columns, in a file that could have them."""
    sentence = f"Its rows are lists of {len(sheet.columns)} cells, and nothing names the columns. Say what they are: "
    raise sheet.error(sentence, *_ways(sheet), ".")


def refuse_a_header_of_data(sheet: Sheet) -> None:
    """Names of columns that come again as cells of the same column are no names; nor are then numbers above numbers."""
    named = column_names.candidates("item", sheet.columns[:1]) or column_names.weak_item(sheet.columns[:1])
    if named or (sheet.given and sheet.columns == [str(place) for place in range(len(sheet.columns))]):
        return  # annotators who are called 1, 2, 3, and answer so; a frame without names
    again = [name for name in sheet.columns if name in {str(cell) for cell in sheet.sample(name)}]
    numbers = [name for name in sheet.columns if name not in again and _is_number_above_numbers(sheet, name)]
    if len(again) >= 2 or (again and numbers):
        evidence = (
            (quoted(again[0]), " comes again below itself, and ", quoted(numbers[0]), " is a number above numbers")
            if numbers
            else (quoted(again[0]), " and ", quoted(again[1]), " come again below themselves")
        )
        raise FileError(
            sheet.where,
            "It looks like data, not like names of columns: ",
            *evidence,
            ". If there is no header, say so: ",
            *_ways(sheet),
            ".",
            line=1,
        )


def _is_number_above_numbers(sheet: Sheet, name: str) -> bool:
    cells = sheet.sample(name)
    numeric = bool(cells) and all(isinstance(cell, int | float) for cell in cells)
    return numeric and re.fullmatch(r"-?\d+([.,]\d+)?", name) is not None


def _ways(sheet: Sheet) -> list[Part]:
    """The calls that read a table without names: a row per annotation, the likelier order first, or a row per item."""
    pair = _naming(sheet)
    wide: list[Part] = [sheet.reading(header=False, shape="wide"), " for a column per annotator"]
    if len(sheet.columns) < len(IN_ORDER):
        return wide
    if _are_relevance_judgements(sheet):
        judged = sheet.reading(header=False, item=["column_1", "column_3"], label="column_4")
        return [judged, " for a query, a document and its grade, as TREC has them, or ", *wide]
    if pair is None:
        some = {role: f"column_{place}" for place, role in enumerate(IN_ORDER, start=1)}
        return [
            sheet.reading(header=False, **some), " (columns are then called column_1, column_2 …), or ", *wide,
        ]  # fmt: skip
    number = {place: len(set(map(str, sheet.cells(sheet.columns[place])))) for place in pair}
    more, fewer = sorted(pair, key=lambda place: -number[place])
    label = f"column_{next(place for place in range(len(IN_ORDER)) if place not in pair) + 1}"
    first, second = (
        sheet.reading(header=False, item=f"column_{item + 1}", annotator=f"column_{who + 1}", label=label)
        for item, who in ((more, fewer), (fewer, more))
    )
    why = f" ({number[more]:,} items by {number[fewer]:,} annotators), " if number[more] > number[fewer] else ", "
    return [first, why, second, " if it is the other way round, or ", *wide]


def _are_relevance_judgements(sheet: Sheet) -> bool:
    """Four columns, the second always 0 (or Q0), the last whole numbers: query, iteration, document, grade."""
    if len(sheet.columns) != len(QRELS):
        return False
    query, always, document, grade = sheet.columns
    same = {str(cell) for cell in sheet.sample(always)} <= {always} and always in ("0", "Q0", "1")
    pairs = list(zip(sheet.cells(query), sheet.cells(document), strict=True))
    return same and sheet.numbers(grade) is not None and len(set(pairs)) == len(pairs)


def _naming(sheet: Sheet) -> tuple[int, int] | None:
    """The two of three columns that together name every row, as an item and an annotator do; both repeat."""
    if len(sheet.columns) != len(IN_ORDER):
        return None
    cells = [list(map(str, sheet.cells(name))) for name in sheet.columns]
    for one, other in combinations(range(len(cells)), 2):
        pairs = list(zip(cells[one], cells[other], strict=True))
        if len(set(pairs)) == len(pairs) and all(len(set(cells[place])) < len(pairs) for place in (one, other)):
            return one, other
    return None
