"""brat's standoff files: a .txt and an .ann a document, zipped. brat marks texts, so spans only."""

from __future__ import annotations

import io
import re
import zipfile

from accord.annotations.answers import answers_called
from accord.errors import MeasureError, at_item, remedy
from accord.options import ESCAPED
from accord.workbench.after.final_gold import FinalItem
from accord.workbench.after.tools.sheet import GoldSheet
from accord.workbench.span_units import MarkedUnit

ENDING = ".zip"
UNSAFE = re.compile(r"[^\w.-]+")  # in a file name
WORDLIKE = re.compile(r"\s+")  # brat's types have no blanks
LONGEST_NAME = 100


def contents(sheet: GoldSheet) -> bytes:
    """A zip file with two files per document.

    Raises:
        MeasureError: If the answers are no spans, or a text is not known.
    """
    if sheet.kind != "spans":
        raise MeasureError(
            f"These are {answers_called(sheet.kind)}, and brat marks spans. Write another form: ",
            remedy(form="csv"),
            ".",
        )
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w", zipfile.ZIP_DEFLATED) as folder:
        for number, item in enumerate(sheet.items):
            name = _name(item, number)
            folder.writestr(_file(f"{name}.txt"), item.text.encode("utf-8", ESCAPED))
            folder.writestr(_file(f"{name}.ann"), _standoff(sheet, item).encode("utf-8", ESCAPED))
    return held.getvalue()


def _file(name: str) -> zipfile.ZipInfo:
    """A file in the zip; its date is fixed, so that the same gold is the same file."""
    return zipfile.ZipInfo(name, date_time=(1980, 1, 1, 0, 0, 0))


def _name(item: FinalItem, number: int) -> str:
    """A file name that no folder minds; the number keeps items apart whose names differ in what was left out."""
    plain = UNSAFE.sub("_", str(item.item)).strip("._")[:LONGEST_NAME]
    return plain if plain == str(item.item) else f"{number:06d}_{plain}"


def _standoff(sheet: GoldSheet, item: FinalItem) -> str:
    if not item.text:
        raise MeasureError(
            "The text of item ",
            at_item(item.item),
            " is not known, and brat needs it. Write another form: ",
            remedy(form="csv"),
            ".",
        )
    units = enumerate(sheet.units(item), start=1)
    return "".join(f"T{number}\t{_entity(item.text, unit)}\n" for number, unit in units)


def _entity(text: str, unit: MarkedUnit) -> str:
    bounds = [(int(start), int(end)) for start, end in zip(unit.pieces[::2], unit.pieces[1::2], strict=True)]
    places = ";".join(f"{start} {end}" for start, end in bounds)
    words = " ".join(WORDLIKE.sub(" ", text[start:end]) for start, end in bounds)
    return f"{WORDLIKE.sub('_', str(unit.label))} {places}\t{words}"
