"""Charts of scores: differences of two annotators over their mean, and how each annotator's scores are spread."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from accord.agreement.chart_drawing import (
    ACCENT,
    INK,
    RULE,
    SOFT,
    Chart,
    across_title,
    at,
    framed,
    leading,
    led_rows,
    marks,
    names_axis,
)
from accord.agreement.chart_text import DESK, LINE_HEIGHT, WIDE, most_lines, short, shown_names


def differences(
    points: Sequence[tuple[float, float, int]],
    lines: Sequence[tuple[str, float, float, float]],
    title: str,
    across: str,
    down: str,
    *,
    width: int = WIDE,
    links: Sequence[str] = (),
) -> Chart:
    """Points (mean, difference, how many) with horizontal lines (name, value, low, high), each in its band.

    Points of several items are larger; what they say tells how many. With `links`, an address a point, each leads
    somewhere.
    """
    data: list[dict[str, Any]] = [
        {"x": x, "y": y, "number": number, "says": f"mean {x:.3g}, difference {y:.3g}: {number:,} items"}
        for x, y, number in points
    ]
    href = leading(data, links)
    bands = [_band(*line) for line in lines]
    ends = [point["y"] for point in data] + [line[end] for line in bands for end in ("low", "high")]
    scale = {"domain": [min([0.0, *ends]), max([0.0, *ends])], "nice": True}
    value = at("value:Q", scale=scale)
    below = at("low:Q", scale=scale, title=short(down, 60), axis={"titlePadding": 14, "tickCount": 6})
    horizontal = at(
        "x:Q", title=across_title(across, width), scale={"zero": False, "padding": 12},
        axis={"tickCount": 8 if width > DESK else 4},
    )  # fmt: skip
    largest = max([point["number"] for point in data], default=1)
    sizes = {"domain": [0, largest], "range": [14, 220 if largest > 1 else 42]}
    dots = {"filled": True, "color": ACCENT, "opacity": 0.55, "aria": True}
    words = {"color": INK, "fontSize": 11, "align": "right", "dy": -6, "x": "width", "dx": -4}
    layers = [
        marks("rect", bands, {"color": SOFT, "opacity": 0.35}, y=below, y2="high:Q"),
        marks("rule", [{"zero": 0.0}], {"color": RULE, "strokeWidth": 1.5}, y=at("zero:Q", scale=scale)),
        marks("rule", bands, {"color": ACCENT, "strokeWidth": 2, "strokeDash": [6, 4]}, y=value),
        marks(
            "point", data, dots, x=horizontal, y=at("y:Q", scale=scale),
            size=at("number:Q", scale=sizes, legend=None), description="says:N", **href,
        ),
        marks("text", bands, words, y=value, text="says:N"),
    ]  # fmt: skip
    return framed(layers, title, height=330, width=width)


def _band(name: str, value: float, low: float, high: float) -> dict[str, Any]:
    """A line with its band, or without one where its limits are not known."""
    ends = {"low": low if math.isfinite(low) else value, "high": high if math.isfinite(high) else value}
    return {"name": name, "value": value, **ends, "says": f"{name} {value:.3g}"}


def spread(
    rows: Sequence[tuple[str, float, float, float, float, float]],
    title: str,
    axis: str,
    *,
    width: int = WIDE,
    links: Sequence[str] = (),
) -> Chart:
    """A row each (name, lowest, first quarter, median, third quarter, highest): a line, a box and a stroke. With
    `links`, an address per row, each leads somewhere over its whole width.
    """
    names = shown_names([name for name, *_ in rows], width)
    data: list[dict[str, Any]] = [
        {"name": names[name], "low": low, "first": first, "median": median, "third": third, "high": high}
        | {
            "order": place,
            "says": f"{short(name)}: half from {first:.3g} to {third:.3g}, all from {low:.3g} to {high:.3g}",
        }
        for place, (name, low, first, median, third, high) in enumerate(rows)
    ]
    shown = [row["name"] for row in data]
    vertical = at("name:N", sort={"field": "order"}, title=None, axis=names_axis(shown))
    scale = {"zero": False, "padding": 8}
    ticks = {"tickCount": 10 if width > DESK else 5}
    low = at("low:Q", title=across_title(axis, width), scale=scale, axis=ticks)
    box = {"color": SOFT, "height": 14, "stroke": ACCENT, "strokeWidth": 1, "aria": True}
    layers = [
        marks("rule", data, {"color": ACCENT, "strokeWidth": 1.5}, y=vertical, x=low, x2="high:Q"),
        marks("bar", data, box, y=vertical, x=at("first:Q", scale=scale), x2="third:Q", description="says:N"),
        marks("tick", data, {"color": INK, "thickness": 3, "height": 18}, y=vertical, x=at("median:Q", scale=scale)),
        *led_rows(data, links, y=vertical),
    ]
    step = max(27, most_lines(shown) * LINE_HEIGHT + 8)
    return framed(layers, title, height=60 + step * max(len(data), 1), width=width)
