"""Every coefficient with its interval on one axis, why one is recommended, and its working."""

from __future__ import annotations

import math
from typing import Any

from accord.agreement.coefficient_table import notes_of
from accord.agreement.result import Agreement
from accord.agreement.table import Table
from accord.agreement.table_formats import as_html, as_markdown, cut, marked, safe, seen
from accord.reporting.context import Context, Section
from accord.reporting.figures import figure

STEADY_SHOWN = 25  # annotators and how far they agree with themselves, the least steady first


def needs(_context: Context) -> bool:
    """Every report compares coefficients."""
    return True


def build(context: Context) -> Section:
    """The chance models side by side."""
    found = context.measurements
    main = found.recommended
    body = [f"<p>{safe(found.advice)}</p>"]
    markdown = [marked(found.advice), ""]
    if context.several and len(found) > 1:  # a single one has its values in the section on variables
        table = _by_variable(list(found))
        body.append(as_html(table, sortable=len(table) > 3))
        markdown.append(as_markdown(table))
    elif not context.several:
        table = as_one_table(list(found))
        top = found[0].entry.high  # what has another unit has no place on the axis; the table has it
        rows = [(result.title, result.value, *result.interval()) for result in found if result.entry.high == top]
        spoken = "; ".join(f"{name} {value:z.2f}" for name, value, *_ in rows if math.isfinite(value))
        if spoken:
            title = "Coefficients with 95% intervals; the diamond is the recommended one"
            links = context.all_behind({"agree": "no"} for _ in rows)
            body.append(figure("forest", (rows, title), table, spoken, marked=True, links=links, top=top))
        chances = _chance_models(list(found))
        body += [as_html(chances), _working(main)]
        markdown += [as_markdown(table), "", as_markdown(chances), "", _fenced(_steps(main))]
    if found.with_oneself is not None:
        lines = " ".join(found.oneself_in_words())
        table = found.with_oneself.by_annotator().head(STEADY_SHOWN)
        body += [f"<p>{safe(lines)}</p>", as_html(table)]
        markdown += [marked(lines), "", as_markdown(table)]
    if found.left_out:
        listed = "".join(f"<li>{safe(reason)}</li>" for reason in dict.fromkeys(found.left_out.values()))
        body.append(f"<details><summary>Coefficients that do not fit these data</summary><ul>{listed}</ul></details>")
    return Section("coefficients", "Coefficients", "".join(body), "\n".join(markdown))


def as_one_table(results: list[Agreement]) -> Table:
    """One row per coefficient."""
    spans = [result.interval() for result in results]
    below_one = any(result.maximum < 1 for result in results)
    return Table(
        "Coefficients",
        {
            "coefficient": [result.title for result in results],
            "value": [result.value for result in results],
            **({"maximum": [result.maximum for result in results]} if below_one else {}),
            "low": [span.low for span in spans],
            "high": [span.high for span in spans],
            "observed": [result.observed for result in results],
            "expected": [result.expected for result in results],
        },
        notes_of(results),
    )


def _chance_models(results: list[Agreement]) -> Table:
    """What each coefficient attributes to chance: the reason why they differ."""
    columns: dict[str, list[Any]] = {
        "coefficient": [result.title for result in results],
        "expected by chance": [result.expected for result in results],
        "value": [result.value for result in results],
        "what it assumes": [result.entry.summary for result in results],
    }
    if any(result.undefined for result in results):
        columns["why it is undefined"] = [result.undefined or "" for result in results]
    return Table("What each attributes to chance", columns)


def _by_variable(results: list[Agreement]) -> Table:
    """Variables down, coefficients across."""
    tables = {result.title: result.by_group() for result in results}
    first = next(iter(tables.values()))
    name = first.columns[0]
    columns = {"variable": [str(value) for value in first[name]]}
    return Table("Values by variable", columns | {title: list(table["value"]) for title, table in tables.items()})


def _steps(main: Agreement) -> str:
    """The working, with lines of a bearable length."""
    return "\n".join(cut(seen(line), 300) for line in main.working().splitlines())


def _working(main: Agreement) -> str:
    return f"<details><summary>{safe(main.title)}, step by step</summary><pre>{safe(_steps(main))}</pre></details>"


def _fenced(text: str) -> str:
    """Text between fences longer than any it holds."""
    fence = "```"
    while fence in text:
        fence += "`"
    return f"{fence}text\n{text}\n{fence}\n"
