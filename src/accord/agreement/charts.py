"""Results to charts: Altair specifications, drawn offline as static SVG or PNG.

Colours are names of the page's own: text, rule, accent and fill follow its theme when the SVG stands in the page.
Nothing is told by colour alone: cells carry their numbers, marks their shapes. Every chart takes the width it may fill,
so that a page can draw one for the desk and one for the telephone.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Hashable, Iterable, Sequence
from pathlib import Path
from typing import Any

from accord.agreement.result import Agreement
from accord.agreement.table import Table
from accord.errors import ExtraMissing, OptionError

# Placeholders that no chart uses by itself, and what the page puts in their place.
INK, RULE, ACCENT, SOFT, PAPER = "#010203", "#020304", "#030405", "#040506", "#050607"
THEME = {INK: "currentColor", RULE: "var(--rule)", ACCENT: "var(--accent)", SOFT: "var(--soft)", PAPER: "var(--paper)"}
PLAIN = {INK: "#1c2430", RULE: "#c9d1da", ACCENT: "#0b5cad", SOFT: "#9ec5ee", PAPER: "#ffffff"}
WIDE, NARROW = 720, 320  # a desk, a telephone
LONGEST_LABEL, LONGEST_NARROW = 28, 22
MANY_ROWS = 16  # from which on they move closer together
LETTER = 7.5  # the width of a letter on an axis, generously
CONTROL = re.compile("[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]")


def _altair() -> Any:
    try:
        import altair as alt
    except ImportError:
        raise ExtraMissing("A chart", "report") from None
    return alt


def forest(
    rows: Sequence[tuple[str, float, float, float]],
    title: str,
    axis: str = "agreement (1 is perfect)",
    *,
    marked: bool = False,
    width: int = WIDE,
    top: float = 1.0,
) -> Any:
    """One dot and whisker per row (name, value, low, high), on one axis up to `top`; with `marked` the first row is a
    diamond.
    """
    alt = _altair()
    names = shortened([name for name, *_ in rows], width)
    data: list[dict[str, Any]] = [
        {"name": names[name], "value": value, "first": marked and place == 0, "order": place}
        | {"low": low if math.isfinite(low) else value, "high": high if math.isfinite(high) else value}
        for place, (name, value, low, high) in enumerate(rows)
        if math.isfinite(value)
    ]
    lowest = min([0.0, *(row["low"] for row in data)])
    scale = alt.Scale(domain=[max(lowest, -1.0) - 0.02, top]) if math.isfinite(top) else alt.Scale(zero=True)
    axis = axis if math.isfinite(top) else "value"
    vertical = alt.Y("name:N", sort=alt.SortField("order"), title=None, axis=alt.Axis(labelLimit=220))
    base = alt.Chart(alt.Data(values=data))
    horizontal = alt.X("low:Q", title=short(axis, 60), scale=scale, axis=alt.Axis(tickCount=10 if width > 500 else 4))
    whisker = base.mark_rule(color=ACCENT, strokeWidth=2, clip=True).encode(y=vertical, x=horizontal, x2="high:Q")
    dot = base.mark_point(filled=True, size=90, color=ACCENT, opacity=1).encode(
        y=vertical,
        x=alt.X("value:Q", scale=scale),
        shape=alt.Shape("first:N", scale=alt.Scale(domain=[True, False], range=["diamond", "circle"]), legend=None),
        size=alt.Size("first:N", scale=alt.Scale(domain=[True, False], range=[170, 90]), legend=None),
    )
    number = base.mark_text(dy=-11, color=INK, fontSize=11).encode(
        y=vertical, x=alt.X("value:Q", scale=scale), text=alt.Text("value:Q", format=".2f")
    )
    step = 34 if len(data) <= MANY_ROWS else 27
    return _framed(whisker + dot + number, title, height=46 + step * max(len(data), 1), width=width)


def verdict(
    bands: Sequence[tuple[float, float, str]], value: float, low: float, high: float, title: str, *, width: int = WIDE
) -> Any:
    """One value and its interval over the bands of a scale (from, to, word)."""
    alt = _altair()
    floor = min(0.0, low if math.isfinite(low) else value, value)
    start = max(-1.0, math.floor(floor * 10) / 10)
    shown = [(max(left, start), right, word) for left, right, word in bands if right > start]
    strips = [
        {"from": left, "to": right, "middle": (left + right) / 2, "even": place % 2 == 0}
        | {"word": _wrapped(word, (right - left) / (1 - start) * (width - 60)), "row": 0}
        for place, (left, right, word) in enumerate(shown)
    ]
    scale = alt.Scale(domain=[start, 1.0], nice=False)
    base = alt.Chart(alt.Data(values=strips))
    axis = alt.Axis(grid=False, tickCount=10 if width > 500 else 5)
    horizontal = alt.X("from:Q", title="agreement (1 is perfect)", scale=scale, axis=axis)
    strip = base.mark_rect(color=SOFT).encode(
        x=horizontal,
        x2="to:Q",
        opacity=alt.Opacity("even:N", scale=alt.Scale(domain=[True, False], range=[0.45, 0.16]), legend=None),
    )
    words = base.mark_text(color=INK, fontSize=11, y=16, lineBreak="\n").encode(
        x=alt.X("middle:Q", scale=scale), text="word:N"
    )
    ends = (low if math.isfinite(low) else value, high if math.isfinite(high) else value)
    mark = alt.Chart(alt.Data(values=[{"value": value, "low": max(ends[0], start), "high": ends[1]}]))
    whisker = mark.mark_rule(color=ACCENT, strokeWidth=4, y=82).encode(x=alt.X("low:Q", scale=scale), x2="high:Q")
    dot = mark.mark_point(filled=True, size=160, color=ACCENT, opacity=1, shape="diamond", y=82).encode(
        x=alt.X("value:Q", scale=scale)
    )
    number = mark.mark_text(color=INK, fontSize=14, fontWeight=600, y=62).encode(
        x=alt.X("value:Q", scale=scale), text=alt.Text("value:Q", format=".2f")
    )
    return _framed(strip + words + whisker + dot + number, title, height=164, width=width)


def _wrapped(words: str, room: float) -> str:
    """Words over up to three lines, where they fit; nothing where a band is too small for any."""
    lines: list[str] = []
    for word in words.split():
        if lines and (len(lines[-1]) + 1 + len(word)) * 6 <= room:
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    fits = len(lines) <= 3 and all(len(line) * 5.2 <= room for line in lines)
    return "\n".join(lines) if fits else ""


def heat_map(
    table: Sequence[tuple[str, str, float, str]], title: str, across: str, down: str, *, width: int = WIDE
) -> Any:
    """Cells (row, column, value from 0 to 1, text): darker is more, and the number stands in the cell."""
    alt = _altair()
    names = shortened([name for row, column, *_ in table for name in (row, column)], width)
    order = list(dict.fromkeys(names[row] for row, *_ in table))
    seen = dict.fromkeys(names[column] for _, column, *_ in table)
    columns = [name for name in order if name in seen] + [name for name in seen if name not in order]
    data = [
        {"row": names[row], "column": names[column], "value": value, "text": text}
        for row, column, value, text in table
        if math.isfinite(value)
    ]
    longest = max((len(name) for name in columns), default=1)
    cell = (width - longest * LETTER - 60) / max(len(columns), 1)
    angle = 0 if longest * LETTER < cell else -90 if width <= NARROW or len(columns) > 12 else -35
    base = alt.Chart(alt.Data(values=data)).encode(
        x=alt.X(
            "column:N",
            sort=columns,
            title=short(across, 60),
            axis=alt.Axis(labelAngle=angle, labelLimit=150, grid=False),
        ),
        y=alt.Y("row:N", sort=order, title=short(down, 60), axis=alt.Axis(labelLimit=160, grid=False, titlePadding=14)),
    )
    # The soft colour at its fullest still lets the text be read, in either theme.
    cells = base.mark_rect(color=SOFT, stroke=PAPER).encode(
        opacity=alt.Opacity("value:Q", scale=alt.Scale(domain=[0, 1], range=[0.06, 1]), legend=None)
    )
    texts = base.mark_text(fontSize=11 if cell > 30 else 8, color=INK).encode(text="text:N")
    drawn = cells + texts if cell > 17 else cells  # the numbers stand in the table below where cells are small
    below = 40 if angle == 0 else min(longest, 20) * LETTER + 30
    return _framed(drawn, title, height=int(max(90, 30 * len(order)) + below + 30), width=width)


def shares(table: Sequence[tuple[str, str, float]], title: str, across: str, *, width: int = WIDE) -> Any:
    """Bars of shares (annotator, label, share), a small chart for each label, all on one scale."""
    alt = _altair()
    people = shortened([person for person, *_ in table], NARROW)
    labels = shortened([label for _, label, _ in table], NARROW)
    longest = max((len(name) for name in people.values()), default=1)
    columns = 4 if width > 500 else 2
    room = int(width / columns - longest * LETTER - 34)
    most = max((share for *_, share in table), default=1.0) or 1.0
    charts = []
    for label, told in labels.items():
        rows = [{"who": people[person], "share": share} for person, own, share in table if own == label]
        names = alt.Y("who:N", sort=list(people.values()), title=None, axis=alt.Axis(labelLimit=160, grid=False))
        axis = alt.Axis(format="%", tickCount=2, titlePadding=2)
        bars = alt.Chart(alt.Data(values=rows)).mark_bar(color=ACCENT)
        drawn = bars.encode(
            y=names, x=alt.X("share:Q", title=short(across, 60), scale=alt.Scale(domain=[0, most]), axis=axis)
        )
        head = alt.TitleParams(short(told, max(int(room / LETTER), 8)), fontSize=12, fontWeight="normal", offset=4)
        charts.append(drawn.properties(width=max(room, 40), height=max(34, 16 * len(people)), title=head))
    whole = alt.concat(*charts, columns=columns, spacing=14)
    return _styled(whole.properties(title=_titled(title, width)))


def histogram(
    values: Sequence[float],
    weights: Sequence[int],
    title: str,
    axis: str,
    count: str,
    *,
    bins: int = 10,
    width: int = WIDE,
) -> Any:
    """How many items lie in each tenth from 0 to 1; a value on a limit belongs to the bin below it, 0 to the first."""
    alt = _altair()
    data = [
        {"from": k / bins, "to": (k + 1) / bins, "middle": (k + 0.5) / bins, "items": number, "none": 0}
        for k, number in enumerate(binned(values, weights, bins))
    ]
    base = alt.Chart(alt.Data(values=data))
    ticks = alt.Axis(values=[k / bins for k in range(0, bins + 1, 1 if width > 500 else 2)], format=".1f")
    scale = alt.Scale(domain=[0, 1])
    bars = base.mark_rect(color=ACCENT, stroke=PAPER).encode(
        x=alt.X("from:Q", title=short(axis, 60), scale=scale, axis=ticks),
        x2="to:Q",
        y=alt.Y(
            "items:Q", title=short(count, 60), axis=alt.Axis(format=",d", tickMinStep=1, tickCount=5, titlePadding=14)
        ),
        y2="none:Q",
    )
    numbers = base.mark_text(dy=-7, color=INK, fontSize=10).encode(
        x=alt.X("middle:Q", scale=scale), y="items:Q", text=alt.Text("items:Q", format=",d" if width > 500 else ".2~s")
    )
    return _framed(bars + numbers, title, height=240, width=width)


def bars(rows: Sequence[tuple[str, float]], title: str, across: str, *, width: int = WIDE) -> Any:
    """One bar a row (name, number), in the order of the rows, with the number beside it."""
    alt = _altair()
    names = shortened([name for name, _ in rows], width)
    data = [{"name": names[name], "number": number, "order": place} for place, (name, number) in enumerate(rows)]
    base = alt.Chart(alt.Data(values=data)).encode(
        y=alt.Y("name:N", sort=alt.SortField("order"), title=None, axis=alt.Axis(labelLimit=220)),
        x=alt.X("number:Q", title=across, axis=alt.Axis(format=",d", tickMinStep=1)),
    )
    drawn = base.mark_bar(color=ACCENT)
    numbers = base.mark_text(dx=5, align="left", color=INK, fontSize=11).encode(text=alt.Text("number:Q", format=",d"))
    return _framed(drawn + numbers, title, max(60, 26 * len(data)), width)


def binned(values: Iterable[float], weights: Iterable[int], bins: int = 10) -> list[int]:
    """Items in each part of 0 to 1; a value on a limit belongs to the part below it, 0 to the first.

    >>> binned([0.0, 0.1, 0.11, 1.0], [1, 1, 1, 5])
    [2, 1, 0, 0, 0, 0, 0, 0, 0, 5]
    """
    counted = [0] * bins
    for value, weight in zip(values, weights, strict=True):
        if math.isfinite(value):
            counted[min(max(math.ceil(value * bins - 1e-9) - 1, 0), bins - 1)] += int(weight)
    return counted


def curve(
    rows: Sequence[tuple[float, float, float, float]], title: str, across: str, down: str, *, width: int = WIDE
) -> Any:
    """A line with its band: (x, value, low, high)."""
    alt = _altair()
    data = [{"x": x, "value": value, "low": low, "high": high} for x, value, low, high in rows if math.isfinite(value)]
    base = alt.Chart(alt.Data(values=data))
    horizontal = alt.X(
        "x:Q", title=short(across, 60), scale=alt.Scale(zero=False, nice=False), axis=alt.Axis(tickCount=6)
    )
    band = base.mark_area(color=SOFT, opacity=0.45).encode(
        x=horizontal,
        y=alt.Y(
            "low:Q", title=short(down, 60), scale=alt.Scale(zero=False), axis=alt.Axis(titlePadding=14, tickCount=5)
        ),
        y2="high:Q",
    )
    line = base.mark_line(color=ACCENT, strokeWidth=2.5, point=alt.OverlayMarkDef(color=ACCENT, size=45)).encode(
        x=horizontal, y="value:Q"
    )
    return _framed(band + line, title, height=250, width=width)


def pair_cells(table: Table, names: Sequence[str]) -> list[tuple[str, str, float, str]]:
    """A table by pair as the cells of a full matrix; nobody is compared with themselves."""
    found = {(row["first"], row["second"]): row["value"] for row in table}
    cells = []
    for row in names:
        for column in names:
            value = math.nan if row == column else found.get((row, column), found.get((column, row), math.nan))
            shade = max(value, 0.0) if math.isfinite(value) else 0.0
            cells.append((row, column, shade, f"{value:.2f}" if math.isfinite(value) else "–"))
    return cells


def of_results(results: Sequence[Agreement], title: str) -> Any:
    """The forest of several coefficients, the first marked; what has another unit has no place on its axis."""
    rows = []
    for result in results:
        if result.entry.high == results[0].entry.high:
            low, high = result.interval()
            rows.append((result.title, result.value, low, high))
    return forest(rows, title, marked=True, top=results[0].entry.high)


# -- drawing -----------------------------------------------------------------------------------------------------------


def svg(chart: Any, *, themed: bool = False) -> str:
    """The chart as SVG text: with plain colours, or with those of the page it will stand in."""
    drawn = str(_converter().vegalite_to_svg(chart.to_json()))
    return _replaced(drawn, THEME if themed else PLAIN)


def plain(chart: Any) -> Any:
    """The chart with plain colours: for a notebook, and for whoever saves it by Altair's own means."""
    return _altair().Chart.from_dict(json.loads(_replaced(chart.to_json(), PLAIN)))


def save(chart: Any, path: str | Path) -> Path:
    """Write a chart as .svg or .png."""
    target = Path(path)
    if target.suffix == ".svg":
        target.write_text(svg(chart), encoding="utf-8")
    elif target.suffix == ".png":
        target.write_bytes(_converter().svg_to_png(svg(chart), scale=2))
    else:
        raise OptionError.ending(target.name, (".svg", ".png"))
    return target


def short(text: object, longest: int = LONGEST_LABEL) -> str:
    """A label that fits an axis, without the marks that turn text around."""
    plain = " ".join(CONTROL.sub(" ", str(text)).split()) or "(blank)"
    return plain if len(plain) <= longest else plain[: longest - 1] + "…"


def shortened(names: Sequence[Hashable], width: int = WIDE) -> dict[Any, str]:
    """Each name as an axis shows it; names that look alike when cut are told apart by a number.

    >>> shortened(["yes", "no"])
    {'yes': 'yes', 'no': 'no'}
    >>> list(shortened(["x" * 40, "x" * 41], NARROW).values())
    ['xxxxxxxxxxxxxxxxxxxxx…', 'xxxxxxxxxxxxxxxxxxxxx… (2)']
    """
    longest = LONGEST_LABEL if width > NARROW else LONGEST_NARROW
    found: dict[Any, str] = {}
    taken: set[str] = set()
    for name in dict.fromkeys(names):
        told = look = short(name, longest)
        number = 1
        while told in taken:
            number += 1
            told = f"{look} ({number})"
        taken.add(told)
        found[name] = told
    return found


def _titled(title: str, width: int) -> list[str]:
    """A title over as many lines as it needs."""
    lines = [""]
    for word in short(title, 200).split():
        if lines[-1] and (len(lines[-1]) + len(word) + 1) * 8.4 > width - 20:
            lines.append(word)
        else:
            lines[-1] = f"{lines[-1]} {word}".strip()
    return lines


def _framed(chart: Any, title: str, height: int, width: int) -> Any:
    """A chart as wide as it may be, whatever its axes need."""
    alt = _altair()
    lines = _titled(title, width)
    fit = alt.AutoSizeParams(type="fit", contains="padding")
    whole = height + 18 * len(lines)
    return _styled(chart.properties(title=lines, width=width, height=whole, autosize=fit))


def _styled(chart: Any) -> Any:
    alt = _altair()
    axis = alt.Axis(
        labelColor=INK, titleColor=INK, gridColor=RULE, domainColor=RULE, tickColor=RULE, titleFontWeight="normal",
        labelFontSize=11, titleFontSize=12,
    )  # fmt: skip
    return chart.configure(
        background=PAPER,
        aria=False,  # the page describes a chart as one picture
        padding={"left": 10, "right": 12, "top": 4, "bottom": 4},  # room where a reader's font is wider than ours
        font="system-ui, sans-serif",
        axis=alt.AxisConfig(**axis.to_dict()),
        view=alt.ViewConfig(stroke=None),
        title=alt.TitleConfig(color=INK, anchor="start", frame="bounds", fontSize=14, fontWeight=600, offset=10),
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
