"""The pieces of a drawing: words over their lines, lines, boxes, outlines; numbers to a hundredth of a point."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from html import escape
from typing import Any

FONT = 'font-family="system-ui, sans-serif"'


def outline(shape: str, area: float) -> str:
    """A circle or a diamond around zero."""
    if shape == "diamond":
        half = point(math.sqrt(area) / 2)
        return f"M-{half},0L0,-{half}L{half},0L0,{half}Z"
    r = point(math.sqrt(area / math.pi))
    return f"M{r},0A{r},{r},0,1,1,-{r},0A{r},{r},0,1,1,{r},0Z"


def through(points: Iterable[tuple[float | None, float | None]]) -> str:
    """A path from point to point."""
    return "M" + "L".join(f"{point(x or 0)},{point(y or 0)}" for x, y in points)


def words(lines: Sequence[str], x: float, y: float, anchor: str, font: dict[str, Any], *, turned: bool = False) -> str:
    """Words over their lines; nothing where there are none."""
    if not any(lines):
        return ""
    look = {"font-size": f"{font['fontSize']}px", "font-weight": font.get("fontWeight"), "fill": font["color"]}
    place = f'transform="translate({point(x)},{point(y)}){" rotate(-90)" if turned else ""}"'
    inner = safe(lines[0])
    if len(lines) > 1:
        rest = "".join(f'<tspan x="0" dy="{font["fontSize"] + 2}">{safe(line)}</tspan>' for line in lines[1:])
        inner = f"<tspan>{inner}</tspan>{rest}"
    return f'<text text-anchor="{anchor}" {place} {FONT}{attributes(look)}>{inner}</text>'


def line(x: float, y: float, x2: float, y2: float, look: str) -> str:
    """From one point to another."""
    return f'<line x1="{point(x)}" y1="{point(y)}" x2="{point(x2)}" y2="{point(y2)}" {look}/>'


def box(x: float, y: float, width: float, height: float, look: dict[str, Any]) -> str:
    """A box from its upper left corner."""
    place = f'x="{point(x)}" y="{point(y)}" width="{point(max(width, 0.0))}" height="{point(max(height, 0.0))}"'
    return f"<rect {place}{attributes(look)}/>"


def attributes(look: dict[str, Any]) -> str:
    """Those that are said."""
    written = {name: ",".join(map(str, value)) if isinstance(value, list) else value for name, value in look.items()}
    found = ((name, point(value) if isinstance(value, float) else value) for name, value in written.items())
    return "".join(f' {name}="{value}"' for name, value in found if value is not None)


def height_of(lines: Sequence[str], size: float) -> float:
    """The height of so many lines."""
    return size + (len(lines) - 1) * (size + 2)


def safe(text: object) -> str:
    """Text that is no markup."""
    return escape(str(text))


def point(value: float) -> str:
    """A place, to a hundredth of a point."""
    return f"{value:.2f}".rstrip("0").rstrip(".") or "0"
