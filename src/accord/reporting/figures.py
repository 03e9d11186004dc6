"""A chart in the page: drawn in the page's colours, with its text alternative and its data as a table."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from accord import plots
from accord.reporting.tables import as_html, safe
from accord.table import Table

CHARTS: dict[str, Callable[..., Any]] = {
    "forest": plots.forest,
    "verdict": plots.verdict,
    "heat_map": plots.heat_map,
    "shares": plots.shares,
    "histogram": plots.histogram,
    "curve": plots.curve,
}


def figure(kind: str, parts: tuple[Any, ...], table: Table, spoken: str) -> str:
    """A figure: the chart, what it says in words for those who do not see it, and the numbers behind it."""
    drawn = plots.svg(CHARTS[kind](*parts), themed=True)
    drawn = drawn.replace("<svg", f'<svg role="img" aria-label="{safe(spoken[:600])}"', 1)
    drawn = f'<div class="drawn" tabindex="0" role="group" aria-label="Chart: {safe(table.title)}">{drawn}</div>'
    data = as_html(table, caption=False, sortable=len(table) > 3)
    summary = f"<summary>Data: {safe(table.title)}</summary>"
    return f'<figure class="chart">{drawn}<details>{summary}{data}</details></figure>'
