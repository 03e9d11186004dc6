"""How a chart is described and drawn: Vega-Lite as plain data, drawn offline as static SVG (`chart_svg`).

Colours are names of the page's own: text, rule, accent and fill follow its theme when the SVG stands in the page. To
build the same charts by Altair's classes takes longer than to draw them, so Altair is asked only where a chart is
handed to a notebook, and there it checks what was written.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypeAlias

from accord.agreement.chart_svg import drawn
from accord.agreement.chart_text import LETTER, LINE_HEIGHT, SPLIT, fitted, longest_line
from accord.errors import ExtraMissing

Chart: TypeAlias = dict[str, Any]

# Placeholders that no chart uses by itself, and what the page puts in their place.
INK, RULE, ACCENT, SOFT, PAPER = "#010203", "#020304", "#030405", "#040506", "#050607"
THEME = {INK: "currentColor", RULE: "var(--rule)", ACCENT: "var(--accent)", SOFT: "var(--soft)", PAPER: "var(--paper)"}
PLAIN = {INK: "#1c2430", RULE: "#c9d1da", ACCENT: "#0b5cad", SOFT: "#9ec5ee", PAPER: "#ffffff"}
TITLE_LETTER = 8.4  # the width of a letter of a title, generously

SCHEMA = "https://vega.github.io/schema/vega-lite/v6.1.0.json"
KINDS = {"Q": "quantitative", "N": "nominal"}
ENDS = {"x2", "y2"}  # they have the kind of their beginnings
STYLE = {
    "background": PAPER,
    "aria": False,  # the page describes a chart as one picture; marks that speak say so themselves
    "padding": {"left": 10, "right": 16, "top": 4, "bottom": 4},  # room where a reader's font is wider than ours
    "font": "system-ui, sans-serif",
    "axis": {
        "labelColor": INK, "titleColor": INK, "gridColor": RULE, "domainColor": RULE, "tickColor": RULE,
        "titleFontWeight": "normal", "labelFontSize": 11, "titleFontSize": 12, "labelFlush": False, "titlePadding": 8,
    },
    "view": {"stroke": None},
    "title": {
        "color": INK, "anchor": "start", "frame": "bounds", "fontSize": 14, "fontWeight": 600, "offset": 10,
    },
}  # fmt: skip


# -- describing --------------------------------------------------------------------------------------------------------


def at(column: str, **options: Any) -> Chart:
    """What a mark takes from a column, "name:Q" of numbers or "name:N" of names.

    >>> at("low:Q", title=None)
    {'field': 'low', 'type': 'quantitative', 'title': None}
    """
    field, _, kind = column.partition(":")
    return {"field": field, "type": KINDS[kind], **options}


def marks(kind: str, rows: Sequence[Mapping[str, Any]], look: Mapping[str, Any], **encoding: str | Chart) -> Chart:
    """One mark per row: what it is, how it looks, and what its place, size and words are taken from."""
    taken = {channel: column if isinstance(column, dict) else at(column) for channel, column in encoding.items()}
    for end in ENDS & taken.keys():
        taken[end].pop("type", None)
    return {"data": {"values": list(rows)}, "mark": {"type": kind, **look}, "encoding": taken}


def leading(rows: Sequence[dict[str, Any]], links: Sequence[str]) -> dict[str, str]:
    """Let the mark of each row lead to an address, where there are any; and the channel by which marks do so."""
    for row, link in zip(rows, links, strict=bool(links)):
        row["href"] = link
    return {"href": "href:N"} if links else {}


def led_rows(rows: Sequence[dict[str, Any]], links: Sequence[str], **place: Chart) -> list[Chart]:
    """A layer that lets every row of a chart lead somewhere over its whole width; none where there are no links.

    `place` says where a row is: `y`, or from `y` to `y2`.
    """
    if not links:
        return []
    across: dict[str, Chart] = {"x": {"value": 0}, "x2": {"value": "width"}}
    href = leading(rows, links)
    return [marks("rect", rows, {"opacity": 0, "aria": True}, **place, **across, **href, description="says:N")]


def names_axis(names: Sequence[str], **options: Any) -> Chart:
    """A vertical axis of names, each whole, and with room for a reader's wider letters."""
    room = int(longest_line(names) * LETTER) + 8
    lines = {"labelExpr": SPLIT, "labelLimit": 0, "labelLineHeight": LINE_HEIGHT}
    return {**lines, "minExtent": room, **options}


def across_title(text: str, width: int) -> list[str]:
    """The title of a horizontal axis, over as many lines as it needs."""
    return fitted(text, width * 0.6)


def framed(layers: Iterable[Chart], title: str, height: int, width: int) -> Chart:
    """A chart of layers as wide as it may be, whatever its axes need."""
    lines = fitted(title, width - 20, TITLE_LETTER)
    fit = {"type": "fit", "contains": "padding"}
    size = {"width": width, "height": height + 18 * len(lines), "autosize": fit}
    return {"$schema": SCHEMA, "layer": list(layers), "title": lines, **size, "config": STYLE}


def side_by_side(charts: Sequence[Chart], title: str, columns: int, width: int) -> Chart:
    """Small charts, so many to a row, under one title."""
    lines = fitted(title, width - 20, TITLE_LETTER)
    return {"$schema": SCHEMA, "concat": charts, "columns": columns, "spacing": 14, "title": lines, "config": STYLE}


def untitled(chart: Chart) -> Chart:
    """The chart without its title, where the page says it."""
    bare = {name: value for name, value in chart.items() if name != "title"}
    if "height" in bare:  # charts side by side have none of their own
        bare["height"] -= 18 * len(chart["title"]) + 10
    return bare


# -- drawing -----------------------------------------------------------------------------------------------------------


def svg(chart: Chart, *, themed: bool = False) -> str:
    """The chart as SVG text: with plain colours, or with those of the page it will stand in."""
    return _replaced(drawn(chart), THEME if themed else PLAIN)


def in_notebook(chart: Chart) -> Any:
    """The chart with plain colours as Altair's own: for a notebook, and for whoever saves it by Altair's means."""
    try:
        import altair as alt
    except ImportError:
        raise ExtraMissing("A chart", "report") from None
    return alt.Chart.from_dict(json.loads(_replaced(json.dumps(chart), PLAIN)))


def converter() -> Any:
    """What turns drawings into other formats; where it is missing, how to get it."""
    try:
        import vl_convert
    except ImportError:
        raise ExtraMissing("Drawing a chart", "report") from None
    return vl_convert


def _replaced(drawing: str, colours: dict[str, str]) -> str:
    for placeholder, colour in colours.items():
        drawing = drawing.replace(placeholder, colour)
    return drawing
