"""Charts of scores: differences of two annotators over their mean, and how each annotator's scores are spread."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from accord.agreement.chart_text import LINE_HEIGHT, WIDE, most_lines, short, shown_names
from accord.agreement.charts import ACCENT, DESK, INK, RULE, SOFT, across_title, altair_module, framed, names_axis


def differences(
    points: Sequence[tuple[float, float, int]],
    lines: Sequence[tuple[str, float, float, float]],
    title: str,
    across: str,
    down: str,
    *,
    width: int = WIDE,
) -> Any:
    """Points (mean, difference, how many) with horizontal lines (name, value, low, high), each in its band.

    Points of several items are larger; what they say tells how many.
    """
    alt = altair_module()
    data: list[dict[str, Any]] = [
        {"x": x, "y": y, "number": number, "says": f"mean {x:.3g}, difference {y:.3g}: {number:,} items"}
        for x, y, number in points
    ]
    told: list[dict[str, Any]] = [
        {"name": name, "value": value, "low": low if math.isfinite(low) else value}
        | {"high": high if math.isfinite(high) else value, "says": f"{name} {value:.3g}"}
        for name, value, low, high in lines
    ]
    ends = [point["y"] for point in data] + [line[end] for line in told for end in ("low", "high")]
    scale = alt.Scale(domain=[min([0.0, *ends]), max([0.0, *ends])], nice=True)
    vertical = alt.Axis(titlePadding=14, tickCount=6)
    horizontal = alt.X(
        "x:Q",
        title=across_title(across, width),
        scale=alt.Scale(zero=False, padding=12),
        axis=alt.Axis(tickCount=8 if width > DESK else 4),
    )
    base = alt.Chart(alt.Data(values=told))
    bands = base.mark_rect(color=SOFT, opacity=0.35).encode(
        y=alt.Y("low:Q", scale=scale, title=short(down, 60), axis=vertical), y2="high:Q"
    )
    rules = base.mark_rule(color=ACCENT, strokeWidth=2, strokeDash=[6, 4]).encode(y=alt.Y("value:Q", scale=scale))
    names = base.mark_text(color=INK, fontSize=11, align="right", dy=-6, x="width", dx=-4).encode(
        y=alt.Y("value:Q", scale=scale), text="says:N"
    )
    zero = alt.Chart(alt.Data(values=[{"zero": 0.0}])).mark_rule(color=RULE, strokeWidth=1.5)
    largest = max([point["number"] for point in data], default=1)
    dots = (
        alt.Chart(alt.Data(values=data))
        .mark_point(filled=True, color=ACCENT, opacity=0.55, aria=True)
        .encode(
            x=horizontal,
            y=alt.Y("y:Q", scale=scale),
            size=alt.Size(
                "number:Q", scale=alt.Scale(domain=[0, largest], range=[14, 220 if largest > 1 else 42]), legend=None
            ),
            description="says:N",
        )
    )
    drawn = bands + zero.encode(y=alt.Y("zero:Q", scale=scale)) + rules + dots + names
    return framed(drawn, title, height=330, width=width)


def spread(
    rows: Sequence[tuple[str, float, float, float, float, float]], title: str, axis: str, *, width: int = WIDE
) -> Any:
    """A row each (name, lowest, first quarter, median, third quarter, highest): a line, a box and a stroke."""
    alt = altair_module()
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
    vertical = alt.Y("name:N", sort=alt.SortField("order"), title=None, axis=names_axis(shown))
    scale = alt.Scale(zero=False, padding=8)
    base = alt.Chart(alt.Data(values=data))
    ticks = alt.Axis(tickCount=10 if width > DESK else 5)
    whole = base.mark_rule(color=ACCENT, strokeWidth=1.5).encode(
        y=vertical, x=alt.X("low:Q", title=across_title(axis, width), scale=scale, axis=ticks), x2="high:Q"
    )
    box = base.mark_bar(color=SOFT, height=14, stroke=ACCENT, strokeWidth=1, aria=True).encode(
        y=vertical, x=alt.X("first:Q", scale=scale), x2="third:Q", description="says:N"
    )
    stroke = base.mark_tick(color=INK, thickness=3, height=18).encode(y=vertical, x=alt.X("median:Q", scale=scale))
    step = max(27, most_lines(shown) * LINE_HEIGHT + 8)
    return framed(whole + box + stroke, title, height=60 + step * max(len(data), 1), width=width)
