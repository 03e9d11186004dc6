"""A chart in the page: drawn in the page's colours, with its text alternative and its data as a table."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from accord.agreement import charts, count_charts, score_charts, strength_chart
from accord.agreement.chart_drawing import LINKS, Chart, svg, untitled
from accord.agreement.chart_text import NARROW, WIDE
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
# The chart is one picture with one description; what the library says of each mark would be read out besides.
MARK_WORDS = re.compile(r' (?:aria-label|aria-roledescription|aria-hidden|role)="[^"]*"')
TITLES = re.compile(r"<title>[^<]*</title>")  # for a pointer, which a telephone has not
TAG = re.compile(r"<[^>]*>")  # in which numbers are places and sizes; what a chart says stands between
LONG_NUMBER = re.compile(r"(\d+\.\d{2})\d+")
LED = re.compile(rf'<a xlink:href="{re.escape(LINKS)}([^"]*)">(.*?)</a>', re.S)  # a mark that leads somewhere
SAID = re.compile(r"<title>([^<]*)</title>")
LONGEST_DESCRIPTION = 400
CLIPS = re.compile(r'(id="|url\(#)(clip\d+)("|\))')
SAVES = (
    '<p class="tools"><button type="button" class="saves" data-as="svg">Save as SVG</button> '
    '<button type="button" class="saves" data-as="png">Save as PNG</button></p>'
)


def clips_numbered(page: str) -> str:
    """The page with its clipping paths numbered from one: the drawer counts on over all it has ever drawn."""
    numbers: dict[str, int] = {}

    def number(found: re.Match[str]) -> str:
        before, name, after = found.groups()
        return f"{before}clip{numbers.setdefault(name, len(numbers) + 1)}{after}"

    return CLIPS.sub(number, page)


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


def _drawn(chart: Chart, spoken: str) -> str:
    drawn = MARK_WORDS.sub("", svg(chart, themed=True))
    drawn = TAG.sub(lambda tag: LONG_NUMBER.sub(r"\1", tag[0]) if "href" not in tag[0] else tag[0], drawn)
    drawn, leads = LED.subn(_link, drawn)
    label = safe(cut(spoken, LONGEST_DESCRIPTION))
    return drawn.replace("<svg", f'<svg role="{"group" if leads else "img"}" aria-label="{label}"', 1)


def _link(found: re.Match[str]) -> str:
    """A mark as a link that is called what the mark says; as it is where it leads nowhere."""
    address, mark = found.groups()
    said = SAID.search(mark)
    return f'<a href="{address}" aria-label="{said[1] if said else address}">{mark}</a>' if address else mark
