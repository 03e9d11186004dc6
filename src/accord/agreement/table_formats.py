"""A Table in other clothes: HTML, Markdown, LaTeX, CSV."""

from __future__ import annotations

import html
import io
import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from accord.agreement.table import Table, cell_text, column_text, plain
from accord.options import check_choice
from accord.study.csv_writer import write_csv

FORMATS = ("csv", "latex", "markdown")
NEEDS_BOOKTABS = "% needs \\usepackage{booktabs}\n"
SPECIAL = {
    "\\": r"\textbackslash{}", "&": r"\&", "%": r"\%", "$": r"\$", "#": r"\#", "_": r"\_", "{": r"\{", "}": r"\}",
    "~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "–": "--", "−": "$-$", "²": r"$^2$", "…": r"\ldots{}",
    "“": "``", "”": "''", "κ": r"$\kappa$", "α": r"$\alpha$", "π": r"$\pi$", "∅": r"$\emptyset$",
}  # fmt: skip
# Marks that turn text around, and characters that steer a terminal or cannot be seen: told by their number.
HIDDEN = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]")
LONG_WORD, PROSE = 24, 36  # letters
TALL = 30  # rows from which on a table scrolls by itself
LONGEST_CELL = 600  # characters; beyond, a cell is cut and says so


def seen(text: object) -> str:
    """Text without hidden marks: each is told by its number.

    >>> seen("a\u202eb")
    'a[U+202E]b'
    """
    return HIDDEN.sub(lambda mark: f"[U+{ord(mark[0]):04X}]", str(text))


def one_line(text: object) -> str:
    """Text on one line, as a terminal may show it."""
    return " ".join(seen(text).split())


def cut(text: str, longest: int = LONGEST_CELL) -> str:
    """Text of a bearable length; what is cut says how long it was."""
    return text if len(text) <= longest else f"{text[: longest - 30]}… ({len(text):,} characters)"


def largest_rows(table: Table, by: str, most: int, shown: str) -> Table:
    """The rows with the largest numbers in a column, in their order; a note says how many `shown` are left."""
    if len(table) <= most:
        return table
    order = np.sort(np.argsort(-table[by].astype(np.int64), kind="stable")[:most]).tolist()
    note = f"{most} of {len(table):,} {shown}."
    return Table(table.title, {name: table[name][order] for name in table.columns}, (*table.notes, note))


@dataclass(frozen=True)
class RowMarks:
    """Where links may lead: an id for each row; and where they lead from it: links that stand in a last column, and
    an address that the first cell leads to.
    """

    ids: Sequence[str] = ()
    links: Sequence[str] = ()  # HTML, one per row
    leads: Sequence[str] = ()  # addresses, one per row; an empty one leads nowhere
    called: str = "findings"

    @property
    def shown(self) -> bool:
        """Does any row have links?"""
        return any(self.links)


def as_html(
    table: Table,
    *,
    caption: bool = True,
    sortable: bool = False,
    names: Sequence[str] | None = None,
    marks: RowMarks | None = None,
    stacked: bool = False,
) -> str:
    """An HTML table; every cell is text, whatever it holds. A stacked one has its cells below each other on a phone."""
    table = table if names else table.shown
    shown = [*(names or [name.replace("_", " ") for name in table.columns])]
    numeric = [is_numeric(table, name) for name in table.columns]
    head = "".join(_header(name, number=number, sortable=sortable) for name, number in zip(shown, numeric, strict=True))
    if marks is not None and marks.shown:
        head += _header(marks.called, number=False, sortable=sortable)
    body = "".join(
        f"<tr{_row_id(marks, place)}>"
        + "".join(
            _cell(column, cell, number=number, name=name if stacked else "", lead=lead)
            for (column, cell), number, name, lead in zip(
                row.items(), numeric, shown, _leads(marks, place, len(shown)), strict=True
            )
        )
        + (f"<td>{marks.links[place]}</td>" if marks is not None and marks.shown else "")
        + "</tr>"
        for place, row in enumerate(table)
    )
    title = f"<caption>{safe(table.title)}</caption>" if caption else ""
    classes = " ".join(word for word, wanted in (("sortable", sortable), ("stacked", stacked)) if wanted)
    kind = f' class="{classes}"' if classes else ""
    notes = "".join(f'<p class="note">{safe(note)}</p>' for note in table.notes)
    return (
        f'<div class="scroll{" tall" if len(table) > TALL else ""}" tabindex="0" role="region" '
        f'aria-label="{safe(cut(table.title, 120))}">'
        f"<table{kind}>{title}<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>{notes}"
    )


def for_notebook(table: Table) -> str:
    """For pages without a style sheet of ours: numbers to the right, text to the left, ids as they are."""
    table = table.shown
    numeric = [is_numeric(table, name) for name in table.columns]
    style = [f' style="padding:0 .6em;text-align:{"right" if number else "left"}"' for number in numeric]
    head = "".join(f"<th{how}>{safe(name)}</th>" for how, name in zip(style, table.columns, strict=True))
    body = "".join(
        "<tr>"
        + "".join(f"<td{how}>{safe(cut(cell_text(cell)))}</td>" for how, cell in zip(style, row.values(), strict=True))
        + "</tr>"
        for row in table
    )
    title = f'<caption style="text-align:left;font-weight:bold">{safe(table.title)}</caption>'
    notes = "".join(f"<p>{safe(note)}</p>" for note in table.notes)
    return f"<table>{title}<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{notes}"


def _header(name: str, *, number: bool, sortable: bool) -> str:
    kind = ' class="number"' if number else ""
    label = safe(cut(name, 80))
    inner = f'<button type="button">{label}</button>' if sortable else label
    return f'<th scope="col"{kind}>{inner}</th>'


def _row_id(marks: RowMarks | None, place: int) -> str:
    return "" if marks is None or not marks.ids else f' id="{safe(marks.ids[place])}"'


def _leads(marks: RowMarks | None, place: int, number: int) -> list[str]:
    """Where each cell of a row leads: the first one, if any."""
    first = "" if marks is None or not marks.leads else marks.leads[place]
    return [first, *[""] * (number - 1)]


def _cell(column: str, cell: Any, *, number: bool, name: str = "", lead: str = "") -> str:
    value, text = plain(cell), cut(column_text(column, cell))
    kind = ' class="number"' if number else f' dir="auto"{_spacious(text)}'
    rounded = round(value, 6) if isinstance(value, float) else value
    sort = "" if not number else ' data-sort=""' if _is_missing(value) else f' data-sort="{rounded}"'
    name_attribute = f' data-name="{safe(name)}"' if name else ""
    inner = f'<a href="{safe(lead)}">{safe(text)}</a>' if lead else safe(text)
    return f"<td{kind}{sort}{name_attribute}>{inner}</td>"


def _spacious(text: str) -> str:
    """A class for cells that must break within a word, or need room to be read."""
    if any(len(word) > LONG_WORD for word in text.split()):
        return ' class="unbroken"'
    return ' class="prose"' if len(text) > PROSE else ""


def _is_missing(value: Any) -> bool:
    return value is None or (isinstance(value, float) and math.isnan(value))


def is_numeric(table: Table, column: str) -> bool:
    """Has a column nothing but numbers, which stand to the right?"""
    return all(_is_number(cell) for cell in table.data[column])


def _is_number(cell: Any) -> bool:
    value = plain(cell)
    return value is None or (isinstance(value, int | float) and not isinstance(value, bool))


def safe(text: object) -> str:
    """Text that is nothing but text: escaped, without hidden marks."""
    return html.escape(seen(text))


def as_markdown(table: Table) -> str:
    """A Markdown table."""
    table = table.shown
    lines = [f"**{marked(table.title)}**", ""]
    lines.append("| " + " | ".join(marked(name.replace("_", " ")) for name in table.columns) + " |")
    lines.append("|" + "|".join("---" for _ in table.columns) + "|")
    for row in table:
        lines.append("| " + " | ".join(marked(cut(column_text(name, cell))) for name, cell in row.items()) + " |")
    if table.notes:
        lines += ["", *map(marked, table.notes)]
    return "\n".join(lines) + "\n"


def marked(text: object) -> str:
    """Text that Markdown takes for text, on one line: no tags, links, emphasis, code or entities of its own."""
    return re.sub(r"([\\`*_\[\]|~#])", r"\\\1", one_line(text)).replace("&", "&amp;").replace("<", "&lt;")


def as_latex(table: Table) -> str:
    """A LaTeX table for booktabs, fit to print: what is empty or for programs is left out, notes stand below."""
    table = table.shown
    numeric = [is_numeric(table, name) for name in table.columns]
    columns = "".join("r" if number else "l" for number in numeric)
    lines = [
        "\\begin{table}",
        "\\centering",
        f"\\caption{{{latex(table.title)}}}",
        f"\\begin{{tabular}}{{{columns}}}",
        "\\toprule",
    ]
    lines.append(" & ".join(map(latex, headings(table))) + " \\\\")
    lines.append("\\midrule")
    for row in table:
        cells = zip(row.items(), numeric, strict=True)
        lines.append(" & ".join(_latex_cell(*named, number=number) for named, number in cells) + " \\\\")
    lines += ["\\bottomrule", "\\end{tabular}"]
    if table.notes:
        lines += ["\\par\\smallskip", "{\\footnotesize " + " ".join(map(latex, table.notes)) + "}"]
    lines.append("\\end{table}")
    return "\n".join(lines) + "\n"


def headings(table: Table) -> list[str]:
    """What stands above the columns in print."""
    return ["SE" if name == "se" else name[:1].upper() + name[1:].replace("_", " ") for name in table.columns]


def with_minus(text: str, *, number: bool) -> str:
    """A cell in print: the minus of a number is a minus, not a hyphen."""
    return f"−{text[1:]}" if number and text.startswith("-") else text


def _latex_cell(column: str, cell: Any, *, number: bool) -> str:
    return latex(with_minus(cut(column_text(column, cell), 200), number=number))


def latex(text: str) -> str:
    """Text with LaTeX's special characters made harmless."""
    return "".join(SPECIAL.get(letter, letter) for letter in one_line(text))


def as_csv(table: Table, *, keep_formulas: bool = False) -> str:
    """Comma-separated values with all digits."""
    out = io.StringIO()
    write_csv(out, table.data, keep_formulas=keep_formulas)
    return out.getvalue()


def check_format(form: str | None) -> None:
    """A format that a table can be printed in, or none."""
    if form is not None:
        check_choice("form", form, FORMATS)


def rendered(table: Table, form: str, *, keep_formulas: bool = False) -> str:
    """A table in one of the formats of the command."""
    check_format(form)
    if form == "csv":  # for programs: the same columns whatever is in them
        return as_csv(table, keep_formulas=keep_formulas)
    return as_markdown(table) if form == "markdown" else f"{NEEDS_BOOKTABS}{as_latex(table)}"
