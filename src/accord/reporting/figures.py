"""A chart in the page: drawn in the page's colours, with its text alternative and its data as a table."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from typing import Any

from accord.agreement import charts, count_charts, score_charts, strength_chart
from accord.agreement.chart_drawing import Chart, svg, untitled
from accord.agreement.chart_text import NARROW, WIDE, short
from accord.agreement.table import Table
from accord.agreement.table_formats import RowMarks, as_html, cut, safe

CHARTS: dict[str, Callable[..., Chart]] = {
    "forest": charts.forest,
    "verdict": charts.verdict,
    "heat_map": count_charts.heat_map,
    "shares": count_charts.shares,
    "histogram": count_charts.histogram,
    "curve": charts.curve,
    "bars": count_charts.bars,
    "strengths": strength_chart.strengths,
    "differences": score_charts.differences,
    "spread": score_charts.spread,
}
TITLES = re.compile(r"<title>[^<]*</title>")  # for a pointer, which a telephone has not
LONGEST_DESCRIPTION = 400
SAVES = (
    '<p class="tools"><button type="button" class="saves" data-as="svg">Save as SVG</button> '
    '<button type="button" class="saves" data-as="png">Save as PNG</button></p>'
)


def figure(
    kind: str, parts: tuple[Any, ...], table: Table, spoken: str, marks: RowMarks | None = None, **options: Any
) -> str:
    """A figure: the chart for a desk and for a telephone, what it says in words, and the numbers behind it.

    On a telephone the page says the title, which a drawing cannot wrap as a reader's letters need it. Where marks lead
    somewhere (`links`), the chart is a group of links, each called by what its mark says.
    """
    wide, narrow = (CHARTS[kind](*parts, width=width, **options) for width in (WIDE, NARROW))
    title = safe(" ".join(narrow["title"]))
    drawn = (
        f'<div class="drawn wide">{_drawn(wide, spoken)}</div>'
        f'<figcaption class="title narrow">{title}</figcaption>'
        f'<div class="drawn narrow">{TITLES.sub("", _drawn(untitled(narrow), spoken))}</div>'
    )
    data = as_html(table, caption=False, sortable=len(table) > 3, marks=marks)
    summary = f"<summary>Data: {safe(cut(table.title, 120))}</summary>"
    return f'<figure class="chart">{drawn}<details>{summary}{data}{SAVES}</details></figure>'


def forest_or_table(
    rows: Sequence[tuple[Any, ...]], title: str, table: Table, marks: RowMarks | None = None, **options: Any
) -> str:
    """A chart of names, values and their limits; the table alone where no value is defined."""
    spoken = "; ".join(f"{short(name)} {value:z.2f}" for name, value, *_ in rows if math.isfinite(value))
    return figure("forest", (rows, title), table, spoken, marks, **options) if spoken else as_html(table, marks=marks)


def _drawn(chart: Chart, spoken: str) -> str:
    """The chart is one picture with one description; or a group of links, each called by what its mark says."""
    drawn = svg(chart, themed=True)
    role, label = "group" if "<a " in drawn else "img", safe(cut(spoken, LONGEST_DESCRIPTION))
    return drawn.replace("<svg", f'<svg role="{role}" aria-label="{label}"', 1)
