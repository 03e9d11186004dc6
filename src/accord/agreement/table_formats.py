"""A Table in other clothes: HTML, Markdown, LaTeX, CSV."""

from __future__ import annotations

import html
import io
import math
import re
from collections.abc import Sequence
from typing import Any

import numpy as np

from accord.agreement.table import Table, cell_text, plain
from accord.errors import OptionError
from accord.study.csv_writer import write_csv

FORMATS = ("csv", "latex", "markdown")
SPECIAL = {
    "\\": r"\textbackslash{}", "&": r"\&", "%": r"\%", "$": r"\$", "#": r"\#", "_": r"\_", "{": r"\{", "}": r"\}",
    "~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "–": "--", "−": "$-$", "²": r"$^2$", "…": r"\ldots{}",
    "κ": r"$\kappa$", "α": r"$\alpha$", "π": r"$\pi$", "∅": r"$\emptyset$",
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


def as_html(table: Table, *, caption: bool = True, sortable: bool = False, names: Sequence[str] | None = None) -> str:
    """An HTML table; every cell is text, whatever it holds."""
    shown = names or [name.replace("_", " ") for name in table.columns]
    numeric = [all(_is_number(cell) for cell in table.data[name]) for name in table.columns]
    head = "".join(_header(name, number=number, sortable=sortable) for name, number in zip(shown, numeric, strict=True))
    body = "".join(
        "<tr>"
        + "".join(_cell(cell, number=number) for cell, number in zip(row.values(), numeric, strict=True))
        + "</tr>"
        for row in table
    )
    title = f"<caption>{safe(table.title)}</caption>" if caption else ""
    kind = ' class="sortable"' if sortable else ""
    notes = "".join(f'<p class="note">{safe(note)}</p>' for note in table.notes)
    return (
        f'<div class="scroll{" tall" if len(table) > TALL else ""}" tabindex="0" role="region" '
        f'aria-label="{safe(cut(table.title, 120))}">'
        f"<table{kind}>{title}<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>{notes}"
    )


def for_notebook(table: Table) -> str:
    """For pages without a style sheet of ours: numbers to the right, text to the left, ids as they are."""
    table = without_empty_columns(table)
    numeric = [all(_is_number(cell) for cell in table.data[name]) for name in table.columns]
    style = [f' style="padding:0 .6em;text-align:{"right" if number else "left"}"' for number in numeric]
    head = "".join(f"<th{how}>{safe(name)}</th>" for how, name in zip(style, table.columns, strict=True))
    body = "".join(
        "<tr>"
        + "".join(
            f"<td{how}>{safe(cut(cell_text(cell, thousands=False)))}</td>"
            for how, cell in zip(style, row.values(), strict=True)
        )
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


def _cell(cell: Any, *, number: bool) -> str:
    value, text = plain(cell), cut(cell_text(cell))
    kind = ' class="number"' if number else f' dir="auto"{_spacious(text)}'
    rounded = round(value, 6) if isinstance(value, float) else value
    sort = "" if not number else ' data-sort=""' if _is_missing(value) else f' data-sort="{rounded}"'
    return f"<td{kind}{sort}>{safe(text)}</td>"


def _spacious(text: str) -> str:
    """A class for cells that must break within a word, or need room to be read."""
    if any(len(word) > LONG_WORD for word in text.split()):
        return ' class="unbroken"'
    return ' class="prose"' if len(text) > PROSE else ""


def _is_missing(value: Any) -> bool:
    return value is None or (isinstance(value, float) and math.isnan(value))


def _is_number(cell: Any) -> bool:
    value = plain(cell)
    return value is None or (isinstance(value, int | float) and not isinstance(value, bool))


def safe(text: object) -> str:
    """Text that is nothing but text: escaped, without hidden marks."""
    return html.escape(seen(text))


def as_markdown(table: Table) -> str:
    """A Markdown table."""
    lines = [f"**{marked(table.title)}**", ""]
    lines.append("| " + " | ".join(marked(name.replace("_", " ")) for name in table.columns) + " |")
    lines.append("|" + "|".join("---" for _ in table.columns) + "|")
    lines += ["| " + " | ".join(marked(cut(cell_text(cell))) for cell in row.values()) + " |" for row in table]
    if table.notes:
        lines += ["", *map(marked, table.notes)]
    return "\n".join(lines) + "\n"


def marked(text: object) -> str:
    """Text that Markdown takes for text, on one line: no tags, links, emphasis, code or entities of its own."""
    return re.sub(r"([\\`*_\[\]|~#])", r"\\\1", one_line(text)).replace("&", "&amp;").replace("<", "&lt;")


def as_latex(table: Table) -> str:
    """A LaTeX table for booktabs."""
    numeric = [all(_is_number(cell) for cell in table.data[name]) for name in table.columns]
    columns = "".join("r" if number else "l" for number in numeric)
    lines = [
        "\\begin{table}",
        "\\centering",
        f"\\caption{{{latex(table.title)}}}",
        f"\\begin{{tabular}}{{{columns}}}",
        "\\toprule",
    ]
    lines.append(" & ".join(latex(name.replace("_", " ")) for name in table.columns) + " \\\\")
    lines.append("\\midrule")
    lines += [" & ".join(latex(cut(cell_text(cell), 200)) for cell in row.values()) + " \\\\" for row in table]
    lines += ["\\bottomrule", "\\end{tabular}", "\\end{table}"]
    return "\n".join(lines) + "\n"


def latex(text: str) -> str:
    """Text with LaTeX's special characters made harmless."""
    return "".join(SPECIAL.get(letter, letter) for letter in one_line(text))


def as_csv(table: Table) -> str:
    """Comma-separated values with all digits."""
    out = io.StringIO()
    write_csv(out, table.columns, (row.values() for row in table))
    return out.getvalue()


def check_format(form: str | None) -> None:
    """A format that a table can be printed in, or none."""
    if form is not None and form not in FORMATS:
        raise OptionError.choice("form", form, FORMATS)


def rendered(table: Table, form: str) -> str:
    """A table in one of the formats of the command."""
    check_format(form)
    if form == "csv":  # for programs: the same columns whatever is in them
        return as_csv(table)
    return {"latex": as_latex, "markdown": as_markdown}[form](without_empty_columns(table))


def without_empty_columns(table: Table) -> Table:
    """The table without columns that hold nothing; one without rows as it is."""
    filled = [name for name in table.columns if not len(table) or any(cell_text(cell) for cell in table.data[name])]
    return Table(table.title, {name: table.data[name] for name in filled}, table.notes)
