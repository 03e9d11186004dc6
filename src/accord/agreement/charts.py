"""Charts of values and their intervals: forest, verdict, curve.

Nothing is told by colour alone: cells carry their numbers, marks their shapes. Every chart takes the width it may fill,
so that a page can draw one for the desk and one for the telephone. Marks carry what they show in words, which a page
puts under the pointer.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from accord.agreement.chart_drawing import (
    ACCENT,
    INK,
    SOFT,
    Chart,
    across_title,
    at,
    framed,
    led_rows,
    marks,
    names_axis,
)
from accord.agreement.chart_text import (
    DESK,
    LETTER,
    LINE_HEIGHT,
    LONGEST_NAME,
    WIDE,
    height_of_rows,
    short,
    shown_names,
)
from accord.agreement.result import Agreement

ROOM_BELOW = 84  # points that words below a band may take


def forest(
    rows: Sequence[tuple[str, float, float, float]],
    title: str,
    axis: str = "agreement (1 is perfect)",
    *,
    marked: bool = False,
    width: int = WIDE,
    top: float = 1.0,
    links: Sequence[str] = (),
) -> Chart:
    """One dot and whisker per row (name, value, low, high), on one axis up to `top`; with `marked` the first row is a
    diamond. With `links`, an address per row, each leads somewhere over its whole width.
    """
    names = shown_names([name for name, *_ in rows], width)
    data: list[dict[str, Any]] = [
        {"name": names[name], "value": value, "first": marked and place == 0, "order": place}
        | {"low": low if math.isfinite(low) else value, "high": high if math.isfinite(high) else value}
        | {"says": _description(name, value, low, high)}
        for place, (name, value, low, high) in enumerate(rows)
        if math.isfinite(value)
    ]
    lowest = min([0.0, *(row["low"] for row in data)])
    scale = {"domain": [max(lowest, -1.0) - 0.02, top]} if math.isfinite(top) else {"zero": True}
    axis_title = across_title(axis if math.isfinite(top) else "value", width)
    shown = [row["name"] for row in data]
    vertical = at("name:N", sort={"field": "order"}, title=None, axis=names_axis(shown))
    ticks = {"tickCount": 10 if width > DESK else 4}
    horizontal = at("low:Q", title=axis_title, scale=scale, axis=ticks)
    value = at("value:Q", scale=scale)
    whisker = marks(
        "rule", data, {"color": ACCENT, "strokeWidth": 2, "clip": True}, y=vertical, x=horizontal, x2="high:Q"
    )
    dot = marks(
        "point", data, {"filled": True, "size": 90, "color": ACCENT, "opacity": 1, "aria": True},
        y=vertical, x=value, shape=_by_flag("first:N", ["diamond", "circle"]),
        size=_by_flag("first:N", [170, 90]), description="says:N",
    )  # fmt: skip
    number = marks(
        "text", data, {"dy": -11, "color": INK, "fontSize": 11}, y=vertical, x=value, text=at("value:Q", format=".2f")
    )
    led = [link for row, link in zip(rows, links, strict=bool(links)) if math.isfinite(row[1])]
    layers = [whisker, dot, number, *led_rows(data, led, y=vertical)]
    return framed(layers, title, height=height_of_rows(len(data), shown), width=width)


def _by_flag(column: str, looks: Sequence[Any]) -> Chart:
    """How marks look of which a column is true, and how the others."""
    return at(column, scale={"domain": [True, False], "range": looks}, legend=None)


def verdict(
    bands: Sequence[tuple[float, float, str]],
    value: float,
    low: float,
    high: float,
    title: str,
    *,
    width: int = WIDE,
    link: str = "",
) -> Chart:
    """One value and its interval over the bands of a scale (from, to, word); with `link`, the value leads somewhere."""
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
    scale = {"domain": [start, 1.0], "nice": False}
    axis = {"grid": False, "tickCount": 10 if width > DESK else 5}
    horizontal = at("from:Q", title="agreement (1 is perfect)", scale=scale, axis=axis)
    middle = at("middle:Q", scale=scale)
    words = {"color": INK, "fontSize": 11, "lineBreak": "\n"}
    layers = [
        marks("rect", strips, {"color": SOFT}, x=horizontal, x2="to:Q", opacity=_by_flag("even:N", [0.45, 0.16])),
        marks("text", strips, {**words, "y": 16}, x=middle, text="word:N"),
        *_measured(value, low, high, scale),
    ]
    if link:
        place: dict[str, Chart] = {"y": {"value": 50}, "y2": {"value": 100}}
        layers += led_rows([{"says": _description("value", value, low, high)}], [link], **place)
    if below:
        layers.append(marks("text", below, {**words, "y": 106}, x=middle, text="word:N"))
    return framed(layers, title, height=164 + (LINE_HEIGHT * 3 if below else 0), width=width)


def _measured(value: float, low: float, high: float, scale: dict[str, Any]) -> list[Chart]:
    """The value on its scale: whisker, dot and number."""
    ends = (low if math.isfinite(low) else value, high if math.isfinite(high) else value)
    start = scale["domain"][0]
    rows = [
        {"value": value, "low": max(ends[0], start), "high": ends[1], "says": _description("value", value, low, high)}
    ]
    place = at("value:Q", scale=scale)
    dot = {"filled": True, "size": 160, "color": ACCENT, "opacity": 1, "shape": "diamond", "y": 82, "aria": True}
    number = {"color": INK, "fontSize": 14, "fontWeight": 600, "y": 62}
    whisker = {"color": ACCENT, "strokeWidth": 4, "y": 82}
    return [
        marks("rule", rows, whisker, x=at("low:Q", scale=scale), x2="high:Q"),
        marks("point", rows, dot, x=place, description="says:N"),
        marks("text", rows, number, x=place, text=at("value:Q", format=".2f")),
    ]


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
) -> Chart:
    """A line with its band: (x, value, low, high)."""
    data = [
        {"x": x, "value": value, "says": _description(f"{x:.3g}", value, low, high)}
        | {"low": low if math.isfinite(low) else value, "high": high if math.isfinite(high) else value}
        for x, value, low, high in rows
        if math.isfinite(value)
    ]
    horizontal = at(
        "x:Q", title=across_title(across, width), scale={"zero": False, "nice": False}, axis={"tickCount": 6}
    )
    upright = {"titlePadding": 14, "tickCount": 5}
    vertical = at("low:Q", title=short(down, 60), scale={"zero": False}, axis=upright)
    dots = {"filled": True, "color": ACCENT, "size": 45, "opacity": 1, "aria": True}
    layers = [
        marks("area", data, {"color": SOFT, "opacity": 0.45}, x=horizontal, y=vertical, y2="high:Q"),
        marks("line", data, {"color": ACCENT, "strokeWidth": 2.5}, x=horizontal, y="value:Q"),
        marks("point", data, dots, x=horizontal, y="value:Q", description="says:N"),
    ]
    return framed(layers, title, height=250, width=width)


def of_results(results: Sequence[Agreement], title: str) -> Chart:
    """The forest of several coefficients, the first marked; what has another unit has no place on its axis."""
    rows = []
    for result in results:
        if result.entry.high == results[0].entry.high:
            low, high = result.interval()
            rows.append((result.title, result.value, low, high))
    return forest(rows, title, marked=True, top=results[0].entry.high)


def _description(name: str, value: float, low: float, high: float) -> str:
    """What a pointer reads off a mark."""
    return f"{short(name, LONGEST_NAME)}: {value:z.2f}" + (
        f" ({low:z.2f} to {high:z.2f})" if math.isfinite(low + high) else ""
    )
