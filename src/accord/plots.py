"""Results to charts: Altair specifications, drawn offline as static SVG or PNG.

Colours are names of the page's own: text, rule, accent and fill follow its theme when the SVG stands in the page.
Nothing is told by colour alone: cells carry their numbers, marks their shapes.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from accord.errors import ExtraMissing, OptionError
from accord.result import Agreement
from accord.table import Table

# Placeholders that no chart uses by itself, and what the page puts in their place.
INK, RULE, ACCENT, SOFT, PAPER = "#010203", "#020304", "#030405", "#040506", "#050607"
THEME = {INK: "currentColor", RULE: "var(--rule)", ACCENT: "var(--accent)", SOFT: "var(--soft)", PAPER: "var(--paper)"}
PLAIN = {INK: "#1c2430", RULE: "#c9d1da", ACCENT: "#0b5cad", SOFT: "#9ec5ee", PAPER: "#ffffff"}
LONGEST_LABEL = 28


def _altair() -> Any:
    try:
        import altair as alt
    except ImportError:
        raise ExtraMissing("A chart", "report") from None
    return alt


def forest(rows: Sequence[tuple[str, float, float, float]], title: str, axis: str = "agreement (1 is perfect)") -> Any:
    """One dot and whisker a row (name, value, low, high), on one axis; the first row is marked."""
    alt = _altair()
    data: list[dict[str, Any]] = [
        {"name": short(name), "value": value, "first": place == 0, "order": place}
        | {"low": low if math.isfinite(low) else value, "high": high if math.isfinite(high) else value}
        for place, (name, value, low, high) in enumerate(rows)
        if math.isfinite(value)
    ]
    lowest = min([0.0, *(row["low"] for row in data)])
    scale = alt.Scale(domain=[max(lowest, -1.0) - 0.02, 1.0])
    vertical = alt.Y("name:N", sort=alt.SortField("order"), title=None, axis=alt.Axis(labelLimit=220))
    base = alt.Chart(alt.Data(values=data))
    whisker = base.mark_rule(color=ACCENT, strokeWidth=2).encode(
        y=vertical, x=alt.X("low:Q", title=axis, scale=scale), x2="high:Q"
    )
    dot = base.mark_point(filled=True, size=90, color=ACCENT, opacity=1).encode(
        y=vertical,
        x=alt.X("value:Q", title=axis, scale=scale),
        shape=alt.Shape("first:N", scale=alt.Scale(domain=[True, False], range=["diamond", "circle"]), legend=None),
    )
    number = base.mark_text(dy=-10, color=INK, fontSize=11).encode(
        y=vertical, x=alt.X("value:Q", scale=scale), text=alt.Text("value:Q", format=".2f")
    )
    return _framed(whisker + dot + number, title, height=max(60, 34 * len(data)))


def verdict(bands: Sequence[tuple[float, float, str]], value: float, low: float, high: float, title: str) -> Any:
    """One value and its interval over the bands of a scale (from, to, word)."""
    alt = _altair()
    floor = min(0.0, low if math.isfinite(low) else value, value)
    start = max(-1.0, math.floor(floor * 10) / 10)
    shown = [(max(left, start), right, word) for left, right, word in bands if right > start]
    strips = [
        {"from": left, "to": right, "middle": (left + right) / 2, "word": word, "even": place % 2 == 0, "row": 0}
        for place, (left, right, word) in enumerate(shown)
    ]
    scale = alt.Scale(domain=[start, 1.0], nice=False)
    base = alt.Chart(alt.Data(values=strips))
    horizontal = alt.X("from:Q", title="agreement (1 is perfect)", scale=scale, axis=alt.Axis(grid=False))
    strip = base.mark_rect(color=SOFT).encode(
        x=horizontal,
        x2="to:Q",
        opacity=alt.Opacity("even:N", scale=alt.Scale(domain=[True, False], range=[0.35, 0.12]), legend=None),
    )
    words = base.mark_text(color=INK, fontSize=11, y=14).encode(x=alt.X("middle:Q", scale=scale), text="word:N")
    point = [{"value": value, "low": low if math.isfinite(low) else value, "high": high if math.isfinite(high) else value}]
    mark = alt.Chart(alt.Data(values=point))
    whisker = mark.mark_rule(color=ACCENT, strokeWidth=4, y=58).encode(x=alt.X("low:Q", scale=scale), x2="high:Q")
    dot = mark.mark_point(filled=True, size=160, color=ACCENT, opacity=1, shape="diamond", y=58).encode(
        x=alt.X("value:Q", scale=scale)
    )
    number = mark.mark_text(color=INK, fontSize=14, fontWeight=600, y=38).encode(
        x=alt.X("value:Q", scale=scale), text=alt.Text("value:Q", format=".2f")
    )
    return _framed(strip + words + whisker + dot + number, title, height=84)


def heat_map(table: Sequence[tuple[str, str, float, str]], title: str, across: str, down: str) -> Any:
    """Cells (row, column, value from 0 to 1, text): darker is more, and the number stands in the cell."""
    alt = _altair()
    order = list(dict.fromkeys(short(row) for row, *_ in table))
    seen = dict.fromkeys(short(column) for _, column, *_ in table)
    columns = [name for name in order if name in seen] + [name for name in seen if name not in order]
    data = [
        {"row": short(row), "column": short(column), "value": value, "text": text, "strong": value > 0.55}
        for row, column, value, text in table
        if math.isfinite(value)
    ]
    base = alt.Chart(alt.Data(values=data)).encode(
        x=alt.X("column:N", sort=columns, title=across, axis=alt.Axis(labelAngle=-35, labelLimit=140, grid=False)),
        y=alt.Y("row:N", sort=order, title=down, axis=alt.Axis(labelLimit=160, grid=False)),
    )
    cells = base.mark_rect(color=ACCENT, stroke=PAPER).encode(
        opacity=alt.Opacity("value:Q", scale=alt.Scale(domain=[0, 1], range=[0.04, 0.95]), legend=None)
    )
    texts = base.mark_text(fontSize=11).encode(
        text="text:N",
        color=alt.Color("strong:N", scale=alt.Scale(domain=[True, False], range=[PAPER, INK]), legend=None),
    )
    return _framed(cells + texts, title, height=max(90, 30 * len(order)))


def shares(table: Sequence[tuple[str, str, float]], title: str, across: str) -> Any:
    """Bars of shares (annotator, label, share), a small chart for each label."""
    alt = _altair()
    people = list(dict.fromkeys(short(person) for person, *_ in table))
    labels = list(dict.fromkeys(short(label) for _, label, _ in table))
    data = [{"who": short(person), "label": short(label), "share": share} for person, label, share in table]
    bars = (
        alt.Chart(alt.Data(values=data))
        .mark_bar(color=ACCENT)
        .encode(
            y=alt.Y("who:N", sort=people, title=None, axis=alt.Axis(labelLimit=120)),
            x=alt.X("share:Q", title=across, axis=alt.Axis(format="%", tickCount=3)),
        )
        .properties(width=130, height=max(40, 17 * len(people)))
        .facet(
            facet=alt.Facet("label:N", sort=labels, title=None, header=alt.Header(labelFontSize=12, labelColor=INK)),
            columns=4,
        )
    )
    return _styled(bars.properties(title=title))


def histogram(
    values: Sequence[float], weights: Sequence[int], title: str, axis: str, count: str, bins: int = 10
) -> Any:
    """How many items lie in each tenth from 0 to 1; a value on a limit belongs to the bin below it, 0 to the first."""
    alt = _altair()
    counted = [0] * bins
    for value, weight in zip(values, weights, strict=True):
        if math.isfinite(value):
            counted[min(max(math.ceil(value * bins - 1e-9) - 1, 0), bins - 1)] += int(weight)
    data = [{"from": k / bins, "to": (k + 1) / bins, "items": number, "none": 0} for k, number in enumerate(counted)]
    base = alt.Chart(alt.Data(values=data))
    bars = base.mark_rect(color=ACCENT, stroke=PAPER).encode(
        x=alt.X(
            "from:Q",
            title=axis,
            scale=alt.Scale(domain=[0, 1]),
            axis=alt.Axis(values=[k / bins for k in range(bins + 1)]),
        ),
        x2="to:Q",
        y=alt.Y("items:Q", title=count, axis=alt.Axis(format=",d", tickMinStep=1)),
        y2="none:Q",
    )
    middle = alt.X("middle:Q", scale=alt.Scale(domain=[0, 1]))
    numbers = (
        alt.Chart(alt.Data(values=[{**row, "middle": (row["from"] + row["to"]) / 2} for row in data]))
        .mark_text(dy=-6, color=INK, fontSize=10)
        .encode(x=middle, y="items:Q", text=alt.Text("items:Q", format=",d"))
    )
    return _framed(bars + numbers, title, height=170)


def curve(rows: Sequence[tuple[float, float, float, float]], title: str, across: str, down: str) -> Any:
    """A line with its band: (x, value, low, high)."""
    alt = _altair()
    data = [{"x": x, "value": value, "low": low, "high": high} for x, value, low, high in rows if math.isfinite(value)]
    base = alt.Chart(alt.Data(values=data))
    horizontal = alt.X("x:Q", title=across, scale=alt.Scale(zero=False, nice=False))
    band = base.mark_area(color=SOFT, opacity=0.45).encode(
        x=horizontal, y=alt.Y("low:Q", title=down, scale=alt.Scale(zero=False)), y2="high:Q"
    )
    line = base.mark_line(color=ACCENT, strokeWidth=2.5, point=alt.OverlayMarkDef(color=ACCENT, size=45)).encode(
        x=horizontal, y="value:Q"
    )
    return _framed(band + line, title, height=200)


def pair_cells(table: Table, names: Sequence[str]) -> list[tuple[str, str, float, str]]:
    """A table by pair as the cells of a full matrix."""
    found = {(row["first"], row["second"]): row["value"] for row in table}
    cells = []
    for row in names:
        for column in names:
            if row == column:
                continue
            value = found.get((row, column), found.get((column, row), math.nan))
            cells.append((row, column, max(value, 0.0) if math.isfinite(value) else math.nan, f"{value:.2f}"))
    return cells


def of_results(results: Sequence[Agreement], title: str) -> Any:
    """The forest of several coefficients."""
    rows = []
    for result in results:
        low, high = result.interval()
        rows.append((result.title, result.value, low, high))
    return forest(rows, title)


# -- drawing -----------------------------------------------------------------------------------------------------------


def svg(chart: Any, *, themed: bool = False) -> str:
    """The chart as SVG text: with plain colours, or with those of the page it will stand in."""
    drawn = _converter().vegalite_to_svg(chart.to_json())
    if not themed:
        return _replaced(drawn, PLAIN)
    drawn = _replaced(drawn, THEME)
    drawn = re.sub(
        r'<svg([^>]*?) width="([\d.]+)" height="([\d.]+)"', r'<svg\1 data-width="\2" data-height="\3"', drawn, count=1
    )
    return drawn.replace('style="max-width: 100%;"', "")


def save(chart: Any, path: str | Path) -> Path:
    """Write a chart as .svg or .png."""
    target = Path(path)
    if target.suffix == ".svg":
        target.write_text(svg(chart), encoding="utf-8")
    elif target.suffix == ".png":
        target.write_bytes(_converter().svg_to_png(svg(chart), scale=2))
    else:
        raise OptionError(f"A chart is written as .svg or .png; got {target.name!r}.")
    return target


def short(text: object) -> str:
    """A label that fits an axis, without the marks that turn text around."""
    plain = "".join(
        letter for letter in str(text) if letter not in "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
    )
    plain = " ".join(plain.split()) or "(blank)"
    return plain if len(plain) <= LONGEST_LABEL else plain[: LONGEST_LABEL - 1] + "…"


def _framed(chart: Any, title: str, height: int) -> Any:
    return _styled(chart.properties(title=title, width=520, height=height))


def _styled(chart: Any) -> Any:
    alt = _altair()
    axis = alt.Axis(
        labelColor=INK, titleColor=INK, gridColor=RULE, domainColor=RULE, tickColor=RULE, titleFontWeight="normal"
    )
    return chart.configure(
        background="transparent",
        padding={"left": 22, "right": 12, "top": 6, "bottom": 6},  # room where a reader's font is wider than ours
        font="system-ui, sans-serif",
        axis=alt.AxisConfig(**axis.to_dict()),
        view=alt.ViewConfig(stroke=None),
        title=alt.TitleConfig(color=INK, anchor="start", fontSize=14, fontWeight=600, offset=10),
    )


def _converter() -> Any:
    try:
        import vl_convert
    except ImportError:
        raise ExtraMissing("Drawing a chart", "report") from None
    return vl_convert


def _replaced(drawn: str, colours: dict[str, str]) -> str:
    for placeholder, colour in colours.items():
        red, green, blue = (int(placeholder[k : k + 2], 16) for k in (1, 3, 5))
        drawn = drawn.replace(placeholder, colour).replace(f"rgb({red}, {green}, {blue})", colour)
    return drawn
