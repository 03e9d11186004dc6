"""Results to charts: Altair specifications, drawn offline as static SVG or PNG.

Colours are names of the page's own: text, rule, accent and fill follow its theme when the SVG stands in the page.
Nothing is told by colour alone: cells carry their numbers, marks their shapes. Every chart takes the width it may fill,
so that a page can draw one for the desk and one for the telephone. Marks carry what they show in words, which a page
puts under the pointer.
"""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from accord.agreement.chart_text import (
    LETTER,
    LINE_HEIGHT,
    LONGEST_NAME,
    SPLIT,
    WIDE,
    finished,
    fitted,
    longest_line,
    most_lines,
    short,
    shown_names,
)
from accord.agreement.result import Agreement
from accord.errors import ExtraMissing, OptionError

# Placeholders that no chart uses by itself, and what the page puts in their place.
INK, RULE, ACCENT, SOFT, PAPER = "#010203", "#020304", "#030405", "#040506", "#050607"
THEME = {INK: "currentColor", RULE: "var(--rule)", ACCENT: "var(--accent)", SOFT: "var(--soft)", PAPER: "var(--paper)"}
PLAIN = {INK: "#1c2430", RULE: "#c9d1da", ACCENT: "#0b5cad", SOFT: "#9ec5ee", PAPER: "#ffffff"}
MANY_ROWS = 16  # from which on they move closer together
TITLE_LETTER = 8.4  # the width of a letter of a title, generously
ROOM_BELOW = 84  # points that words below a band may take
DESK = 500  # from this width on there is room for more ticks


def altair_module() -> Any:
    """Altair, which only charts need."""
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
    alt = altair_module()
    names = shown_names([name for name, *_ in rows], width)
    data: list[dict[str, Any]] = [
        {"name": names[name], "value": value, "first": marked and place == 0, "order": place}
        | {"low": low if math.isfinite(low) else value, "high": high if math.isfinite(high) else value}
        | {"says": _says(name, value, low, high)}
        for place, (name, value, low, high) in enumerate(rows)
        if math.isfinite(value)
    ]
    lowest = min([0.0, *(row["low"] for row in data)])
    scale = alt.Scale(domain=[max(lowest, -1.0) - 0.02, top]) if math.isfinite(top) else alt.Scale(zero=True)
    axis = axis if math.isfinite(top) else "value"
    shown = [row["name"] for row in data]
    vertical = alt.Y("name:N", sort=alt.SortField("order"), title=None, axis=names_axis(shown))
    base = alt.Chart(alt.Data(values=data))
    horizontal = alt.X("low:Q", title=across_title(axis, width), scale=scale, axis=_ticks(width, 10))
    whisker = base.mark_rule(color=ACCENT, strokeWidth=2, clip=True).encode(y=vertical, x=horizontal, x2="high:Q")
    dot = base.mark_point(filled=True, size=90, color=ACCENT, opacity=1, aria=True).encode(
        y=vertical,
        x=alt.X("value:Q", scale=scale),
        shape=alt.Shape("first:N", scale=alt.Scale(domain=[True, False], range=["diamond", "circle"]), legend=None),
        size=alt.Size("first:N", scale=alt.Scale(domain=[True, False], range=[170, 90]), legend=None),
        description="says:N",
    )
    number = base.mark_text(dy=-11, color=INK, fontSize=11).encode(
        y=vertical, x=alt.X("value:Q", scale=scale), text=alt.Text("value:Q", format=".2f")
    )
    step = max(34 if len(data) <= MANY_ROWS else 27, most_lines(shown) * LINE_HEIGHT + 8)
    return framed(whisker + dot + number, title, height=46 + step * max(len(data), 1), width=width)


def verdict(
    bands: Sequence[tuple[float, float, str]], value: float, low: float, high: float, title: str, *, width: int = WIDE
) -> Any:
    """One value and its interval over the bands of a scale (from, to, word)."""
    alt = altair_module()
    floor = min(0.0, low if math.isfinite(low) else value, value)
    start = max(-1.0, math.floor(floor * 10) / 10)
    shown = [(max(left, start), right, word) for left, right, word in bands if right > start]
    room = (width - 60) / (1 - start)
    strips = [
        {"from": left, "to": right, "middle": (left + right) / 2, "even": place % 2 == 0}
        | {"word": _wrapped(word, (right - left) * room)}
        for place, (left, right, word) in enumerate(shown)
    ]
    below = _below([band for band, strip in zip(shown, strips, strict=True) if not strip["word"]], room)
    scale = alt.Scale(domain=[start, 1.0], nice=False)
    base = alt.Chart(alt.Data(values=strips))
    axis = alt.Axis(grid=False, tickCount=10 if width > DESK else 5)
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
    told = {"value": value, "low": max(ends[0], start), "high": ends[1], "says": _says("value", value, low, high)}
    mark = alt.Chart(alt.Data(values=[told]))
    whisker = mark.mark_rule(color=ACCENT, strokeWidth=4, y=82).encode(x=alt.X("low:Q", scale=scale), x2="high:Q")
    dot = mark.mark_point(filled=True, size=160, color=ACCENT, opacity=1, shape="diamond", y=82, aria=True).encode(
        x=alt.X("value:Q", scale=scale), description="says:N"
    )
    number = mark.mark_text(color=INK, fontSize=14, fontWeight=600, y=62).encode(
        x=alt.X("value:Q", scale=scale), text=alt.Text("value:Q", format=".2f")
    )
    drawn = strip + words + whisker + dot + number
    if below:
        lower = alt.Chart(alt.Data(values=below)).mark_text(color=INK, fontSize=11, y=106, lineBreak="\n")
        drawn += lower.encode(x=alt.X("middle:Q", scale=scale), text="word:N")
    return framed(drawn, title, height=164 + (LINE_HEIGHT * 3 if below else 0), width=width)


def _below(bands: Sequence[tuple[float, float, str]], room: float) -> list[dict[str, Any]]:
    """Words of bands that are too small for them, below the value: there the room of their neighbours is free.

    `room` is how many points wide agreement of 1 is.
    """
    found: list[dict[str, Any]] = []
    taken = -math.inf
    for left, right, word in bands:
        lines = _wrapped(word, ROOM_BELOW)
        half = max((len(line) for line in lines.split("\n")), default=0) * LETTER / 2 / room
        middle = min((left + right) / 2, 1 - half)
        if lines and middle - half >= taken:
            found.append({"middle": middle, "word": lines})
            taken = middle + half
    return found


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


def curve(
    rows: Sequence[tuple[float, float, float, float]], title: str, across: str, down: str, *, width: int = WIDE
) -> Any:
    """A line with its band: (x, value, low, high)."""
    alt = altair_module()
    data = [
        {"x": x, "value": value, "says": _says(f"{x:.3g}", value, low, high)}
        | {"low": low if math.isfinite(low) else value, "high": high if math.isfinite(high) else value}
        for x, value, low, high in rows
        if math.isfinite(value)
    ]
    base = alt.Chart(alt.Data(values=data))
    horizontal = alt.X(
        "x:Q", title=across_title(across, width), scale=alt.Scale(zero=False, nice=False), axis=alt.Axis(tickCount=6)
    )
    band = base.mark_area(color=SOFT, opacity=0.45).encode(
        x=horizontal,
        y=alt.Y(
            "low:Q", title=short(down, 60), scale=alt.Scale(zero=False), axis=alt.Axis(titlePadding=14, tickCount=5)
        ),
        y2="high:Q",
    )
    line = base.mark_line(color=ACCENT, strokeWidth=2.5).encode(x=horizontal, y="value:Q")
    dots = base.mark_point(filled=True, color=ACCENT, size=45, opacity=1, aria=True).encode(
        x=horizontal, y="value:Q", description="says:N"
    )
    return framed(band + line + dots, title, height=250, width=width)


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
    described = chart.to_json(ensure_ascii=False).encode("utf-8", "replace").decode("utf-8")  # no half characters
    drawn = str(_converter().vegalite_to_svg(described))
    return finished(_replaced(drawn, THEME if themed else PLAIN))


def plain(chart: Any) -> Any:
    """The chart with plain colours: for a notebook, and for whoever saves it by Altair's own means."""
    return altair_module().Chart.from_dict(json.loads(_replaced(chart.to_json(), PLAIN)))


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


def _says(name: str, value: float, low: float, high: float) -> str:
    """What a pointer reads off a mark."""
    return f"{short(name, LONGEST_NAME)}: {value:.2f}" + (
        f" ({low:.2f} to {high:.2f})" if math.isfinite(low + high) else ""
    )


def across_title(text: str, width: int) -> list[str]:
    """The title of a horizontal axis, over as many lines as it needs."""
    return fitted(text, width * 0.6)


def _ticks(width: int, most: int) -> Any:
    return altair_module().Axis(tickCount=most if width > DESK else 4)


def untitled(chart: Any) -> Any:
    """The chart without its title, where the page says it."""
    bare = chart.copy(deep=False)
    bare.title = altair_module().Undefined
    if isinstance(getattr(bare, "height", None), int):  # charts side by side have none of their own
        bare.height -= 18 * len(chart.title) + 10
    return bare


def names_axis(names: Sequence[str], **options: Any) -> Any:
    """A vertical axis of names, each whole, and with room for a reader's wider letters."""
    room = int(longest_line(names) * LETTER) + 8
    return altair_module().Axis(labelExpr=SPLIT, labelLimit=0, labelLineHeight=LINE_HEIGHT, minExtent=room, **options)


def framed(chart: Any, title: str, height: int, width: int) -> Any:
    """A chart as wide as it may be, whatever its axes need."""
    alt = altair_module()
    lines = fitted(title, width - 20, TITLE_LETTER)
    fit = alt.AutoSizeParams(type="fit", contains="padding")
    whole = height + 18 * len(lines)
    return styled(chart.properties(title=lines, width=width, height=whole, autosize=fit))


def styled(chart: Any) -> Any:
    """A chart in the colours and letters of all."""
    alt = altair_module()
    axis = alt.Axis(
        labelColor=INK, titleColor=INK, gridColor=RULE, domainColor=RULE, tickColor=RULE, titleFontWeight="normal",
        labelFontSize=11, titleFontSize=12, labelFlush=False,
        titlePadding=8,
    )  # fmt: skip
    return chart.configure(
        background=PAPER,
        aria=False,  # the page describes a chart as one picture; marks that speak say so themselves
        padding={"left": 10, "right": 16, "top": 4, "bottom": 4},  # room where a reader's font is wider than ours
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
