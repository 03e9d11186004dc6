"""A chart in the page: drawn in the page's colours, with its text alternative and its data as a table."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from accord.agreement import charts
from accord.agreement.table import Table
from accord.agreement.table_formats import as_html, cut, safe

CHARTS: dict[str, Callable[..., Any]] = {
    "forest": charts.forest,
    "verdict": charts.verdict,
    "heat_map": charts.heat_map,
    "shares": charts.shares,
    "histogram": charts.histogram,
    "curve": charts.curve,
    "bars": charts.bars,
}
# The chart is one picture with one description; what the library says of each mark would be read out besides.
MARK_WORDS = re.compile(r' (?:aria-label|aria-roledescription|aria-hidden|role)="[^"]*"')
LONG_NUMBER = re.compile(r"(\d+\.\d{2})\d+")
LONGEST_DESCRIPTION = 400
SAVES = (
    '<p class="tools"><button type="button" class="saves" data-as="svg">Save as SVG</button> '
    '<button type="button" class="saves" data-as="png">Save as PNG</button></p>'
)


def figure(kind: str, parts: tuple[Any, ...], table: Table, spoken: str, **options: Any) -> str:
    """A figure: the chart for a desk and for a telephone, what it says in words, and the numbers behind it."""
    drawn = "".join(
        f'<div class="drawn {name}">{_drawn(CHARTS[kind](*parts, width=width, **options), spoken)}</div>'
        for name, width in (("wide", charts.WIDE), ("narrow", charts.NARROW))
    )
    data = as_html(table, caption=False, sortable=len(table) > 3)
    summary = f"<summary>Data: {safe(cut(table.title, 120))}</summary>"
    return f'<figure class="chart">{drawn}<details>{summary}{data}{SAVES}</details></figure>'


def _drawn(chart: Any, spoken: str) -> str:
    drawn = MARK_WORDS.sub("", charts.svg(chart, themed=True))
    drawn = LONG_NUMBER.sub(r"\1", drawn)
    label = safe(cut(spoken, LONGEST_DESCRIPTION))
    return drawn.replace("<svg", f'<svg role="img" aria-label="{label}"', 1)
