"""A chart of strengths in order, with their intervals, and bands for tiers of those that cannot be told apart."""

from __future__ import annotations

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
from accord.agreement.chart_text import DESK, WIDE, height_of_rows, short, shown_names

ROOM = 0.06  # of the axis, left of the outermost whisker
WORD = 52  # points that the name of a tier takes at the right end


def strengths(
    rows: Sequence[tuple[str, float, float, float, int]],
    title: str,
    axis: str,
    *,
    width: int = WIDE,
    links: Sequence[str] = (),
) -> Chart:
    """One dot and whisker per row (name, value, low, high, tier), from the strongest down; a band for each tier. With
    `links`, an address per row, each leads somewhere over its whole width.
    """
    names = shown_names([name for name, *_ in rows], width)
    low, high = min(row[2] for row in rows), max(row[3] for row in rows)
    span = (high - low) or 1.0
    start, end = low - ROOM * span, high + span * WORD / (width / 2)
    data: list[dict[str, Any]] = []
    seen: set[int] = set()
    for place, (name, strength, below, above, tier) in enumerate(rows):
        tier_label = "" if tier in seen else f"tier {tier}"
        seen.add(tier)
        description = f"{short(name, 80)}: {strength:.2f} ({below:.2f} to {above:.2f}), tier {tier}"
        data.append({
            "name": names[name], "value": strength, "low": below, "high": above, "order": place, "says": description,
            "tier": tier_label, "even": tier % 2 == 0, "start": start, "end": end,
        })  # fmt: skip
    scale = {"domain": [start, end], "nice": False}
    shown = [row["name"] for row in data]
    vertical = at("name:N", sort={"field": "order"}, title=None, axis=names_axis(shown), scale={"padding": 0})
    ticks = {"tickCount": 8 if width > DESK else 4, "grid": True}
    across = at("start:Q", title=across_title(axis, width), scale=scale, axis=ticks)
    value = at("value:Q", scale=scale)
    shade = at("even:N", scale={"domain": [True, False], "range": [0.12, 0.34]}, legend=None)
    layers = [
        marks("rect", data, {"color": SOFT}, y=vertical, x=across, x2="end:Q", opacity=shade),
        marks("rule", data, {"color": ACCENT, "strokeWidth": 2}, y=vertical, x=at("low:Q", scale=scale), x2="high:Q"),
        marks(
            "point", data, {"filled": True, "size": 90, "color": ACCENT, "opacity": 1, "aria": True},
            y=vertical, x=value, description="says:N",
        ),
        marks(
            "text", data, {"dy": -11, "color": INK, "fontSize": 11}, y=vertical, x=value,
            text=at("value:Q", format=".2f"),
        ),
        marks(
            "text", data, {"align": "right", "dx": -4, "color": INK, "fontSize": 11, "fontWeight": 600},
            y=vertical, x=at("end:Q", scale=scale), text="tier:N",
        ),
        *led_rows(data, links, y=vertical),
    ]  # fmt: skip
    return framed(layers, title, height=height_of_rows(len(data), shown), width=width)
