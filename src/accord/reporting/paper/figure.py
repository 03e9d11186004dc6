"""Values with their intervals as a figure in the width of a journal's column: SVG, PDF or PNG."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from accord.agreement import charts
from accord.agreement.chart_drawing import converter, svg, untitled
from accord.errors import MeasureError, OptionError
from accord.reporting.paper.publication_table import Column

POINTS = 96 / 25.4  # of a drawing, in a millimetre
PRINTED = 0.75  # of a point of print, in one of a drawing
DOTS = 300  # to an inch
NARROWEST, WIDEST = 50, 400  # millimetres
SIZE = re.compile(r' width="([\d.]+)" height="([\d.]+)"')


def check_width(width: float) -> None:
    """A width that a page has, in millimetres."""
    if not NARROWEST <= width <= WIDEST:
        raise OptionError.must("width", f"lie between {NARROWEST} and {WIDEST} millimetres", width)


def drawn(columns: Sequence[Column], how: dict[str, Any], ending: str, width: float) -> bytes:
    """The figure as the bytes of a file; its title is the caption's business.

    Shares of answers that agree stand on another scale: they are drawn where there is nothing else.
    """
    columns = [column for column in columns if not column.defined[0].entry.is_share] or columns
    rows = _rows(columns, how)
    if not rows:
        raise MeasureError("No coefficient has a value, so there is nothing to draw.")
    tops = [one.entry.high for column in columns for one in column.defined]
    chart = charts.forest(rows, "", width=round(width * POINTS), top=max(tops))
    picture = svg(untitled(chart))
    if ending == ".pdf":
        return bytes(converter().svg_to_pdf(SIZE.sub(_in_points_of_print, picture, count=1)))
    if ending == ".png":
        return bytes(converter().svg_to_png(picture, scale=PRINTED, ppi=DOTS))
    return SIZE.sub(_in_millimetres, picture, count=1).encode("utf-8")


def _rows(columns: Sequence[Column], how: dict[str, Any]) -> list[tuple[str, float, float, float]]:
    """A name, a value and its interval each; the coefficients of a variable below each other."""
    found = []
    for name in columns[0].results:
        for column in columns:
            one = column.results.get(name)
            if one is None or one.undefined:
                continue
            span = one.interval(**how)
            title = [one.title] if len(columns) > 1 or name is None else []
            found.append((", ".join([*([] if name is None else [str(name)]), *title]), one.value, span.low, span.high))
    return found


def _in_points_of_print(found: re.Match[str]) -> str:
    wide, high = (float(size) * PRINTED for size in found.groups())
    return f' width="{wide:.2f}" height="{high:.2f}"'


def _in_millimetres(found: re.Match[str]) -> str:
    wide, high = (float(size) / POINTS for size in found.groups())
    return f' width="{wide:.2f}mm" height="{high:.2f}mm"'
