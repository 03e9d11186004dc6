"""Charts of counts and shares: heat maps, bars, histograms; what `charts` is for values and intervals."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import Any

from accord.agreement.chart_drawing import (
    ACCENT,
    INK,
    PAPER,
    SOFT,
    Chart,
    across_title,
    at,
    framed,
    leading,
    marks,
    names_axis,
    side_by_side,
)
from accord.agreement.chart_text import (
    DESK,
    LETTER,
    LINE_HEIGHT,
    LONGEST_NAME,
    NARROW,
    SPLIT,
    WIDE,
    fitted,
    longest_line,
    most_lines,
    short,
    shown_names,
)
from accord.agreement.table import Table


def heat_map(
    table: Sequence[tuple[str, str, float, str]],
    title: str,
    across: str,
    down: str,
    *,
    width: int = WIDE,
    links: Sequence[str] = (),
) -> Chart:
    """Cells (row, column, value from 0 to 1, text): darker is more, and the number stands in the cell. With `links`, an
    address a cell, each leads somewhere.

    Where the columns are the rows again and their names do not fit above a column, rows are numbered and columns carry
    the numbers, so that every name stands whole.
    """
    rows = shown_names([row for row, *_ in table], width, 24 if width > NARROW else 16)
    columns = shown_names([column for _, column, *_ in table], width, 24)
    order = [*(name for name in rows if name in columns), *(name for name in columns if name not in rows)]
    columns = {name: columns[name] for name in order}
    wide = longest_line([*rows.values()]) * LETTER
    cell = (width - wide - 60) / max(len(columns), 1)
    flat = longest_line([*columns.values()]) * LETTER < cell
    if not flat and set(columns) == set(rows):
        numbers = {name: place for place, name in enumerate(rows, start=1)}
        rows = {name: f"{numbers[name]}  {shown}" for name, shown in rows.items()}
        columns, flat = {name: str(numbers[name]) for name in columns}, True
    data = [
        {
            "row": rows[row],
            "column": columns[column],
            "value": value,
            "text": text,
            "says": _description(f"{row} · {column}", text),
        }
        for row, column, value, text in table
        if math.isfinite(value)
    ]
    href = leading(data, [link for cell, link in zip(table, links, strict=bool(links)) if math.isfinite(cell[2])])
    axes = _axes(rows, columns, (across, down), flat=flat, width=width)
    # The soft colour at its fullest still lets the text be read, in either theme.
    shade = at("value:Q", scale={"domain": [0, 1], "range": [0.06, 1]}, legend=None)
    look = {"color": SOFT, "stroke": PAPER, "aria": True}
    layers = [marks("rect", data, look, **axes, opacity=shade, description="says:N", **href)]
    if cell > 17:  # where cells are smaller the numbers stand in the table below
        layers.append(marks("text", data, {"fontSize": 11 if cell > 30 else 8, "color": INK}, **axes, text="text:N"))
    step = max(30, most_lines([*rows.values()]) * LINE_HEIGHT + 6)
    lines, longest = most_lines([*columns.values()]), longest_line([*columns.values()])
    below = 30 + lines * LINE_HEIGHT if flat else longest * LETTER + 40
    return framed(layers, title, height=int(max(60, step * len(rows)) + below), width=width)


def _axes(
    rows: dict[str, str], columns: dict[str, str], words: tuple[str, str], *, flat: bool, width: int
) -> dict[str, Chart]:
    """The two axes of a heat map; a telephone has no room for a title on its side."""
    across, down = words
    names = [*rows.values()]
    split = {"labelExpr": SPLIT, "labelLimit": 0, "labelLineHeight": LINE_HEIGHT, "grid": False}
    horizontal = {"labelAngle": 0 if flat else -90, **split}
    vertical = names_axis(names, grid=False, titlePadding=10)
    return {
        "x": at("column:N", sort=[*columns.values()], title=across_title(across, width), axis=horizontal),
        "y": at("row:N", sort=names, title=short(down, 60) if width > DESK else None, axis=vertical),
    }


def shares(
    table: Sequence[tuple[str, str, float]], title: str, across: str, *, width: int = WIDE, links: Sequence[str] = ()
) -> Chart:
    """Bars of shares (annotator, label, share), a small chart for each label, all on one scale; `links` as heat maps
    have them.
    """
    people = shown_names([person for person, *_ in table], NARROW, 16)
    labels = dict.fromkeys(label for _, label, _ in table)
    shown = [*people.values()]
    columns = 4 if width > DESK else 2
    room = max(int(width / columns - longest_line(shown) * LETTER - 40), 40)
    most = max((share for *_, share in table), default=1.0) or 1.0
    height = max(34, len(people) * max(16, most_lines(shown) * LINE_HEIGHT + 3))
    names = at("who:N", sort=shown, title=None, axis=names_axis(shown, grid=False))
    axis = {"format": "%", "tickCount": 2, "titlePadding": 2}
    axis_title = fitted(across, room + longest_line(shown) * LETTER / 2)
    charts = []
    for label in labels:
        rows = [
            {
                "who": people[person],
                "share": share,
                "says": _description(f"{person}, {label}", f"{share:.0%}"),
            }
            for person, own, share in table
            if own == label
        ]
        href = leading(rows, [link for (_, own, _), link in zip(table, links, strict=bool(links)) if own == label])
        drawn = marks(
            "bar", rows, {"color": ACCENT, "aria": True},
            y=names, x=at("share:Q", title=axis_title, scale={"domain": [0, most]}, axis=axis),
            description="says:N", **href,
        )  # fmt: skip
        head = {"text": fitted(label, room + longest_line(shown) * LETTER), "fontSize": 12, "fontWeight": "normal"}
        charts.append({**drawn, "width": room, "height": height, "title": head})
    return side_by_side(charts, title, columns, width)


def histogram(
    values: Sequence[float],
    weights: Sequence[int],
    title: str,
    axis: str,
    count: str,
    *,
    bins: int = 10,
    width: int = WIDE,
    span: tuple[float, float] = (0.0, 1.0),
    links: Sequence[str] = (),
) -> Chart:
    """How many items lie in each part of a stretch, a tenth of 0 to 1 unless said; a value on a limit belongs to the
    bin below it, the lowest to the first. A bin without items says nothing. With `links`, an address per bin, each
    leads somewhere.
    """
    low, high = span
    edges = [low + k * (high - low) / bins for k in range(bins + 1)]
    counts = binned(values, weights, bins, span)
    data: list[dict[str, Any]] = [
        {"from": left, "to": right, "middle": (left + right) / 2, "items": number, "none": 0}
        | {"says": f"{left:.3g} to {right:.3g}: {number:,}"}
        for (left, right), number in zip(pairwise(edges), counts, strict=True)
        if number
    ]
    href = leading(data, [link for number, link in zip(counts, links, strict=bool(links)) if number])
    ticks: dict[str, Any] = {"tickCount": 5 if width <= DESK else 10}
    if span == (0.0, 1.0):
        ticks = {"values": [k / bins for k in range(0, bins + 1, 1 if width > DESK else 2)], "format": ".1f"}
    scale = {"domain": [low, high], "nice": False}
    upright = {"format": ",d", "tickMinStep": 1, "tickCount": 5, "titlePadding": 14}
    bars = marks(
        "rect", data, {"color": ACCENT, "stroke": PAPER, "aria": True},
        x=at("from:Q", title=across_title(axis, width), scale=scale, axis=ticks), x2="to:Q",
        y=at("items:Q", title=short(count, 60), axis=upright), y2="none:Q", description="says:N", **href,
    )  # fmt: skip
    numbers = marks(
        "text", data, {"dy": -7, "color": INK, "fontSize": 10},
        x=at("middle:Q", scale=scale), y="items:Q", text=at("items:Q", format=",d" if width > DESK else ".2~s"),
    )  # fmt: skip
    return framed([bars, numbers], title, height=240, width=width)


def bars(
    rows: Sequence[tuple[str, float]], title: str, across: str, *, width: int = WIDE, links: Sequence[str] = ()
) -> Chart:
    """One bar a row (name, number), in the order of the rows, with the number beside it; with `links`, an address a
    row, each leads somewhere.
    """
    names = shown_names([name for name, _ in rows], width)
    data = [
        {"name": names[name], "number": number, "order": place, "says": _description(name, f"{number:,.0f}")}
        for place, (name, number) in enumerate(rows)
    ]
    shown = [*names.values()]
    counts = {"format": ",d", "tickMinStep": 1, "tickCount": 6}
    axes = {
        "y": at("name:N", sort={"field": "order"}, title=None, axis=names_axis(shown)),
        "x": at("number:Q", title=across_title(across, width), axis=counts),
    }
    href = leading(data, links)
    drawn = marks("bar", data, {"color": ACCENT, "aria": True}, **axes, **href, description="says:N")
    beside = {"dx": 5, "align": "left", "color": INK, "fontSize": 11}
    numbers = marks("text", data, beside, **axes, text=at("number:Q", format=",d"))
    step = max(26, most_lines(shown) * LINE_HEIGHT + 8)
    return framed([drawn, numbers], title, 54 + step * max(len(data), 1), width)


def bin_names(bins: int = 10, span: tuple[float, float] = (0.0, 1.0), digits: str = ".1f") -> list[str]:
    """What the parts of a stretch are called in a table.

    >>> bin_names(2)
    ['0.0 to 0.5', '0.5 to 1.0']
    """
    low, high = span
    edges = [low + k * (high - low) / bins for k in range(bins + 1)]
    return [f"{left:{digits}} to {right:{digits}}" for left, right in pairwise(edges)]


def binned(
    values: Iterable[float], weights: Iterable[int], bins: int = 10, span: tuple[float, float] = (0.0, 1.0)
) -> list[int]:
    """Items in each part of a stretch; a value on a limit belongs to the part below it, the lowest to the first.

    >>> binned([0.0, 0.1, 0.11, 1.0], [1, 1, 1, 5])
    [2, 1, 0, 0, 0, 0, 0, 0, 0, 5]
    """
    counted = [0] * bins
    low, high = span
    for value, weight in zip(values, weights, strict=True):
        if math.isfinite(value):
            share = (value - low) / (high - low)
            counted[min(max(math.ceil(share * bins - 1e-9) - 1, 0), bins - 1)] += int(weight)
    return counted


def _description(name: str, number: str) -> str:
    """What a pointer reads off a mark."""
    return f"{short(name, LONGEST_NAME)}: {number}"


def pair_cells(table: Table, names: Sequence[str]) -> list[tuple[str, str, float, str]]:
    """A table by pair as the cells of a full matrix; nobody is compared with themselves."""
    found = {(row["first"], row["second"]): row["value"] for row in table}
    cells = []
    for row in names:
        for column in names:
            value = math.nan if row == column else found.get((row, column), found.get((column, row), math.nan))
            shade = max(value, 0.0) if math.isfinite(value) else 0.0
            cells.append((row, column, shade, f"{value:z.2f}" if math.isfinite(value) else "–"))
    return cells
