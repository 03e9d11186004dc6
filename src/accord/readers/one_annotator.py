"""A file or a sheet of one annotator's answers among others: its name says whose they are."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace

from accord.errors import InputError, Message, quoted, remedy
from accord.readers import file_names
from accord.readers.source import Source
from accord.study.tables import column_names
from accord.study.tables.column_roles import roles_by_name
from accord.study.tables.label_columns import MOST_NAMED, only_text
from accord.study.tables.list_cells import open_lists
from accord.study.tables.recognise import own_layout
from accord.study.tables.rows import ReadOptions
from accord.study.tables.sheet import Sheet
from accord.study.tables.ticks import are_ticks
from accord.study.tables.wide_tables import answer_columns, item_column


@dataclass(frozen=True)
class AnnotatorFile:
    """One of several: a file, or a sheet of a workbook."""

    source: Source
    name: str  # what it is called in messages
    who: str  # whom it is called after
    sheet: str | None = None

    @property
    def what(self) -> str:
        """What its name is the name of."""
        return "file" if self.sheet is None else "sheet"

    @property
    def called(self) -> str:
        """The name of the file without its ending, or the title of the sheet."""
        return self.source.name if self.sheet is None else self.sheet


def name_annotator(sheet: Sheet, options: ReadOptions, part: AnnotatorFile) -> ReadOptions:
    """A table of one annotator's answers says by its file's name whose they are; items may be called by their text.

    Returns the options with which the table is then read.
    """
    if options.separator is None:
        open_lists(sheet)
    if own_layout(sheet, options) is not None:
        return options  # which name annotators in their own way, or nobody
    if options.shape not in (None, "long") or options.annotators is not None or "annotator" in options.roles:
        return options
    roles = roles_by_name(sheet, options)
    if "annotator" in roles:
        return options
    if "item" not in roles:
        text = _only_text(sheet)
        if text is None or not ({"label", "score"} & set(roles)):
            return options
        sheet.notes.append(Message("no column names the item, so the text in ", column_names.column(text), " does"))
        options = replace(options, roles={**options.roles, "item": text})
    if not {"label", "score"} & set(options.roles):
        answers = answer_columns(sheet, item_column(sheet))
        if are_ticks(sheet, answers):
            _call_after(sheet, part)
            return options
        named = roles.get("label", roles.get("score"))
        if len(answers) > 1 and (named is None or _shares(sheet, named, answers)):
            return options  # a column per annotator, or nobody knows
    _call_after(sheet, part)
    return options


def _call_after(sheet: Sheet, part: AnnotatorFile) -> None:
    """Call the annotator of all rows after the file, unless that is called after nobody."""
    if file_names.names_a_part(part.called) and part.who in part.called:
        raise sheet.error(
            f"No column names an annotator, and the {part.what} is called ",
            quoted(part.called),
            ", which names nobody. Say which column does: ",
            remedy(annotator=...),
            f"; or call the {part.what} after whoever answered.",
        )
    sheet.lay_open()
    sheet.data["annotator"] = [part.who] * sheet.rows
    sheet.columns = [*sheet.columns, "annotator"]
    cut = ", without what all names share" if part.called != part.who else ""
    sheet.notes.append(f"no column names an annotator, so the name of the {part.what} does{cut}")


def _only_text(sheet: Sheet) -> str | None:
    """The column of texts, none twice, that can name items where nothing else does."""
    text = only_text(sheet, {})
    cells = sheet.cells(text) if text is not None else [None]
    return None if None in cells or len(set(cells)) < len(cells) else text


@contextmanager
def asking_for_variables(sheet: Sheet, options: ReadOptions) -> Iterator[None]:
    """A file of one annotator with several variables looks like a wide table: the error says how to tell it."""
    try:
        yield
    except InputError as problem:
        if "annotator" in sheet.columns or {"label", "score", "annotator"} & set(options.roles):
            raise

        columns = answer_columns(sheet, item_column(sheet))
        named = remedy(label=columns if 1 < len(columns) <= MOST_NAMED else [...])
        problem.add(" If the file holds one annotator's answers, name their columns: ", named, ".")
        raise


def _shares(sheet: Sheet, name: str, others: Sequence[str]) -> bool:
    """Does another column hold the same labels?"""
    own = {str(cell) for cell in sheet.sample(name)}
    return any(own & {str(cell) for cell in sheet.sample(other)} for other in others if other != name)
