"""A description of a chart (`chart_drawing`) as SVG: the marks, scales and axes of Vega-Lite that ours are made of.

Vega itself, which notebooks use, takes half a second of the processor to start and 30 ms a chart, and the report of a
small study has twenty: more than all else that it does. This takes 1 ms a chart. Where a reader's font is wider than
another the room is that of `chart_text.LETTER`, as descriptions reckon it.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from typing import Any

from accord.agreement.chart_scales import Bands, Linear, linear, number_text, tick_step, ticks
from accord.agreement.chart_text import LINE_HEIGHT
from accord.agreement.svg_parts import attributes, box, height_of, line, outline, point, safe, through, words

DIGIT = 6.2  # the width of a digit beside a tick
TICK, GAP = 5, 2  # its length, and what lies between it and its label
MIDDLE, TOP = 0.3, 0.79  # of a letter's size: from its middle, and from its top, to the line it stands on
OVERHANG, OVER = 8, 4  # of a label that stands in the middle of an end, sideways and upwards
BAR = 0.9  # of a band's room
Words = tuple[list[str], float, float, str]  # lines, where the first begins or stands, and which of the two
SPACING = {"titlePadding": 8, "tickCount": 10}


def drawn(chart: dict[str, Any]) -> str:
    """The whole chart."""
    style = chart["config"]
    pad, head = style["padding"], style["title"]
    title = chart.get("title", [])
    top = pad["top"] + (height_of(title, head["fontSize"]) + head["offset"] if title else 0)
    if "concat" in chart:
        panels = [ChartPanel(one, style, one["width"], one["height"]) for one in chart["concat"]]
        placed, width, height = _in_rows(panels, chart["columns"], chart["spacing"], pad["left"], top)
        width, height = math.ceil(width + pad["right"]), math.ceil(height + pad["bottom"])
    else:
        width, height = chart["width"], chart["height"]
        panel = ChartPanel.fitted(chart, style, width - pad["left"] - pad["right"], height - top - pad["bottom"])
        placed = [(pad["left"] + panel.left, top + panel.over, panel)]
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" version="1.1" width="{width}" height="{height}" '
        f'viewBox="0 0 {width} {height}">',
        f'<rect width="{width}" height="{height}" fill="{style["background"]}"/>',
        words(title, pad["left"], pad["top"] + round(head["fontSize"] * TOP), "start", head),
    ]
    for left, above, panel in placed:
        parts += [f'<g fill="none" transform="translate({point(left)},{point(above)})">', *panel.parts(), "</g>"]
    return "".join([*parts, "</svg>"]).encode("utf-8", "replace").decode("utf-8")  # no half characters


def _in_rows(
    panels: Sequence[ChartPanel], columns: int, spacing: float, left: float, top: float
) -> tuple[list[tuple[float, float, ChartPanel]], float, float]:
    """Panels side by side, so many to a row, and how far they reach."""
    before, after = max(one.left for one in panels), max(one.right for one in panels)
    wide = before + max(one.width for one in panels) + after
    placed, high = [], top
    for start in range(0, len(panels), columns):
        row = panels[start : start + columns]
        above = high + max(one.above for one in row)
        placed += [(left + before + place * (wide + spacing), above, one) for place, one in enumerate(row)]
        high = above + max(one.height + one.below for one in row) + spacing
    return placed, left + min(columns, len(panels)) * (wide + spacing) - spacing, high - spacing


class ChartPanel:
    """Marks on one pair of axes."""

    def __init__(self, chart: dict[str, Any], style: dict[str, Any], width: float, height: float) -> None:
        self.layers: list[dict[str, Any]] = chart.get("layer", [chart])
        self.style, self.width, self.height = style, width, height
        self.title: dict[str, Any] = {} if "layer" in chart else {**style["title"], **chart.get("title", {})}

    @classmethod
    def fitted(cls, chart: dict[str, Any], style: dict[str, Any], width: float, height: float) -> ChartPanel:
        """With so much room for the axes too: what stands beside the marks depends on their room only by its ticks."""
        first = cls(chart, style, width, height)
        again = cls(chart, style, width - first.left - first.right, height - first.over - first.below)
        return cls(chart, style, width - again.left - again.right, height - again.over - again.below)

    # -- scales and room -------------------------------------------------------------------------------------------

    def _definitions(self, channel: str) -> list[dict[str, Any]]:
        """What the layers say of x or y, where it is taken from a column."""
        found = [layer["encoding"].get(channel) for layer in self.layers]
        return [one for one in found if one is not None and "field" in one]

    def _merged(self, channel: str, part: str) -> dict[str, Any]:
        merged: dict[str, Any] = {}
        for one in reversed(self._definitions(channel)):
            merged |= one.get(part) or {}
        return merged

    @cached_property
    def x(self) -> Linear | Bands | None:
        """Where things stand from left to right."""
        return self._scale("x", self.width)

    @cached_property
    def y(self) -> Linear | Bands | None:
        """Where things stand from top to bottom."""
        return self._scale("y", self.height)

    def _scale(self, channel: str, length: float) -> Linear | Bands | None:
        definitions = self._definitions(channel)
        if not definitions:
            return None
        length = max(length, 1.0)
        columns = [
            (layer, layer["encoding"][name]["field"])
            for layer in self.layers
            for name in (channel, f"{channel}2")
            if "field" in layer["encoding"].get(name, {})
        ]
        if any(one.get("type") == "nominal" for one in definitions):
            return Bands(tuple(_in_order(definitions[0].get("sort"), columns)), length)
        values = [float(row[field]) for layer, field in columns for row in layer["data"]["values"]]
        return linear(values, self._merged(channel, "scale"), length, flipped=channel == "y")

    def _labels(self, channel: str) -> list[tuple[float, list[str]]]:
        """Where an axis has its ticks, and the lines that stand there."""
        scale, axis = getattr(self, channel), {**SPACING, **self._merged(channel, "axis")}
        if isinstance(scale, Bands):
            return [(scale.at(name), str(name).split("\n")) for name in scale.names]
        if scale is None:
            return []
        step = max(tick_step(scale.low, scale.high, axis["tickCount"]), axis.get("tickMinStep", 0))
        places = axis.get("values") or ticks(scale.low, scale.high, step)
        return [(scale.at(value), [number_text(value, axis.get("format"), step)]) for value in places]

    def _title(self, channel: str) -> list[str]:
        title = next((one["title"] for one in self._definitions(channel) if "title" in one), None)
        return [] if title is None else [title] if isinstance(title, str) else list(title)

    @cached_property
    def _beside(self) -> float:
        """How far the labels of the vertical axis reach."""
        longest = max((len(one) for _, lines in self._labels("y") for one in lines), default=0)
        reach = TICK + GAP + longest * DIGIT if self.y is not None else 0.0
        return max(reach, float(self._merged("y", "axis").get("minExtent", 0)))

    @cached_property
    def _under(self) -> float:
        """How far those of the horizontal axis do."""
        labels = [lines for _, lines in self._labels("x")]
        if not labels:
            return 0.0
        if self._merged("x", "axis").get("labelAngle"):
            return TICK + GAP + max(len(one) for lines in labels for one in lines) * DIGIT
        return TICK + GAP + 10 + (max(map(len, labels)) - 1) * LINE_HEIGHT

    @cached_property
    def left(self) -> float:
        """The room of the vertical axis."""
        padding = {**self.style["axis"], **self._merged("y", "axis")}["titlePadding"]
        return max(self._beside + (padding + 12 if self._title("y") else 0), OVERHANG)

    @cached_property
    def right(self) -> float:
        """What the last label of the horizontal axis takes beyond it, or words beside a mark."""
        ends = [x + len(lines[0]) * DIGIT for (lines, x, _, anchor), _ in self._all_words() if anchor == "start"]
        return max([OVERHANG if isinstance(self.x, Linear) else 0.0, *(end - self.width for end in ends)])

    @cached_property
    def over(self) -> float:
        """What the uppermost label of the vertical axis takes beyond it, or words above a mark."""
        return max(
            [
                OVER if isinstance(self.y, Linear) else 0.0,
                *(size * TOP - base for (_, _, base, _), size in self._all_words()),
            ]
        )

    @cached_property
    def below(self) -> float:
        """The room of the horizontal axis."""
        padding = {**self.style["axis"], **self._merged("x", "axis")}["titlePadding"]
        title = self._title("x")
        return self._under + (padding + height_of(title, self.style["axis"]["titleFontSize"]) if title else 0)

    @property
    def above(self) -> float:
        """The room of a title of its own."""
        return height_of(self.title["text"], self.title["fontSize"]) + self.title["offset"] if self.title else 0

    # -- drawing ---------------------------------------------------------------------------------------------------

    def parts(self) -> Iterator[str]:
        """Axes first, marks over them."""
        if self.title:
            yield words(
                self.title["text"], -self.left, round(self.title["fontSize"] * TOP) - self.above, "start", self.title
            )
        yield from self._axis("x")
        yield from self._axis("y")
        for layer in self.layers:
            yield from self._marks(layer)

    def _axis(self, channel: str) -> Iterator[str]:
        scale = getattr(self, channel)
        if scale is None:
            return
        look, own = self.style["axis"], self._merged(channel, "axis")
        across, length = channel == "x", self.height if channel == "x" else self.width
        labels = self._labels(channel)
        rule = f'stroke="{look["tickColor"]}"'
        base = f"translate(0.5,{point(self.height + 0.5)})" if across else "translate(0.5,0.5)"
        grid = own.get("grid", isinstance(scale, Linear))
        yield f'<g transform="{base}">'
        for place, _ in labels:
            if grid:
                yield line(place, 0, place, -length, rule) if across else line(0, place, length, place, rule)
            yield line(place, 0, place, TICK, rule) if across else line(-TICK, place, 0, place, rule)
        yield line(0, 0, self.width, 0, rule) if across else line(0, 0, 0, self.height, rule)
        yield "</g>"
        font = {"fontSize": look["labelFontSize"], "color": look["labelColor"]}
        for place, lines in labels:
            yield self._label(lines, place, font, across=across, turned=bool(own.get("labelAngle")))
        yield from self._axis_title(channel, {"fontSize": look["titleFontSize"], "color": look["titleColor"]})

    def _label(self, lines: list[str], place: float, font: dict[str, Any], *, across: bool, turned: bool) -> str:
        size = font["fontSize"]
        if not across:
            up = (len(lines) - 1) * LINE_HEIGHT / 2
            return words(lines, -(TICK + GAP), place - up + round(size * MIDDLE), "end", font)
        under = self.height + TICK + GAP
        if turned:
            return words(lines, place + round(size * MIDDLE), under, "end", font, turned=True)
        return words(lines, place, under + round(size * TOP), "middle", font)

    def _axis_title(self, channel: str, font: dict[str, Any]) -> Iterator[str]:
        title = self._title(channel)
        padding = {**self.style["axis"], **self._merged(channel, "axis")}["titlePadding"]
        if title and channel == "x":
            place = self.height + self._under + padding + round(font["fontSize"] * TOP)
            yield words(title, self.width / 2, place, "middle", font)
        elif title:
            yield words(title, -(self._beside + padding), self.height / 2, "middle", font, turned=True)

    # -- marks -----------------------------------------------------------------------------------------------------

    def _marks(self, layer: dict[str, Any]) -> Iterator[str]:
        look, taken, rows = layer["mark"], layer["encoding"], layer["data"]["values"]
        if look["type"] in ("area", "line"):
            yield self._path(look, taken, rows)
            return
        for row in rows:
            mark = self._mark(look, taken, row)
            description = row[taken["description"]["field"]] if look.get("aria") and "description" in taken else ""
            if description:
                tag = mark[1:].split(" ", 1)[0]
                mark = f"{mark[:-2]}><title>{safe(description)}</title></{tag}>"
            address = row.get("href", "") if "href" in taken else ""
            yield (
                f'<a href="{safe(address)}" aria-label="{safe(description or address)}">{mark}</a>' if address else mark
            )

    def _mark(self, look: dict[str, Any], taken: dict[str, Any], row: dict[str, Any]) -> str:
        kind = look["type"]
        if kind in ("rect", "bar"):
            return self._box(look, taken, row)
        if kind == "text":
            return words(*self._words(look, taken, row), look)
        x, y = (self._place(channel, look, taken, row) for channel in ("x", "y"))
        if kind == "rule":
            x2, y2 = (self._end(channel, taken, row) for channel in ("x", "y"))
            width = {"stroke-width": look.get("strokeWidth", 1), "stroke-dasharray": look.get("strokeDash")}
            x, x2 = (0.0, self.width) if x is None else (x, x if x2 is None else x2)
            if look.get("clip"):
                x, x2 = (min(max(end, 0.0), self.width) for end in (x, x2))
            y = y or 0.0
            return line(x, y, x2, y if y2 is None else y2, f'stroke="{look["color"]}"{attributes(width)}')
        assert x is not None
        assert y is not None
        fill = {"fill": look["color"], "opacity": self._shade(look, taken, row)}
        if kind == "tick":
            wide, high = look["thickness"], look["height"]
            return box(x - wide / 2, y - high / 2, wide, high, fill)
        if kind == "point":
            size = _looked_up(taken["size"], row) if "size" in taken else look["size"]
            shape = _looked_up(taken["shape"], row) if "shape" in taken else look.get("shape", "circle")
            return f'<path transform="translate({point(x)},{point(y)})" d="{outline(shape, size)}"{attributes(fill)}/>'
        raise NotImplementedError(f"no chart of ours has marks of the kind {kind!r}")

    def _words(self, look: dict[str, Any], taken: dict[str, Any], row: dict[str, Any]) -> Words:
        """What is written at a mark, and where."""
        encoding, x, y = taken["text"], *(self._place(channel, look, taken, row) or 0.0 for channel in ("x", "y"))
        value = row[encoding["field"]]
        text = number_text(value, encoding["format"]) if "format" in encoding else str(value)
        anchor = {"left": "start", "right": "end"}.get(look.get("align", ""), "middle")
        base = y + look.get("dy", 0) + round(look["fontSize"] * MIDDLE)
        return text.split("\n"), x + look.get("dx", 0), base, anchor

    def _all_words(self) -> Iterator[tuple[Words, float]]:
        """All that is written at marks, and the size of its letters."""
        for layer in self.layers:
            look = layer["mark"]
            if look["type"] == "text":
                for row in layer["data"]["values"]:
                    yield self._words(look, layer["encoding"], row), look["fontSize"]

    def _box(self, look: dict[str, Any], taken: dict[str, Any], row: dict[str, Any]) -> str:
        left, right = self._stretch("x", look, taken, row)
        top, bottom = self._stretch("y", look, taken, row)
        stroke = {"stroke": look.get("stroke"), "stroke-width": look.get("strokeWidth")}
        fill = {"fill": look.get("color", "transparent"), "opacity": self._shade(look, taken, row), **stroke}
        return box(left, top, right - left, bottom - top, fill)

    def _stretch(
        self, channel: str, look: dict[str, Any], taken: dict[str, Any], row: dict[str, Any]
    ) -> tuple[float, float]:
        """From where to where a box reaches: over its band, to its end, from zero, or over everything."""
        scale = getattr(self, channel)
        place, end = self._place(channel, look, taken, row), self._end(channel, taken, row)
        if place is None:
            return 0.0, self.width if channel == "x" else self.height
        if end is None and isinstance(scale, Bands):
            thick = look.get("height", scale.step * BAR) if look["type"] == "bar" else scale.step
            return place - thick / 2, place + thick / 2
        if end is None:
            end = scale.at(0.0)
        return min(place, end), max(place, end)

    def _place(self, channel: str, look: dict[str, Any], taken: dict[str, Any], row: dict[str, Any]) -> float | None:
        """Where a mark begins, or stands; None where nothing says so."""
        given = taken.get(channel, {})
        if "field" in given:
            found: float = getattr(self, channel).at(row[given["field"]])
            return found
        constant = given.get("value", look.get(channel))
        return self._length_of(constant) if constant is not None else None

    def _end(self, channel: str, taken: dict[str, Any], row: dict[str, Any]) -> float | None:
        given = taken.get(f"{channel}2", {})
        if "field" in given:
            found: float = getattr(self, channel).at(row[given["field"]])
            return found
        return self._length_of(given["value"]) if "value" in given else None

    def _length_of(self, value: float | str) -> float:
        return self.width if value == "width" else float(value)

    def _shade(self, look: dict[str, Any], taken: dict[str, Any], row: dict[str, Any]) -> Any:
        return _looked_up(taken["opacity"], row) if "opacity" in taken else look.get("opacity")

    def _path(self, look: dict[str, Any], taken: dict[str, Any], rows: Sequence[dict[str, Any]]) -> str:
        """A line through the rows, or the area between two."""
        ordered = sorted(rows, key=lambda row: row[taken["x"]["field"]])
        points = [(self._place("x", {}, taken, row), self._place("y", {}, taken, row)) for row in ordered]
        if look["type"] == "line":
            stroke = {"stroke": look["color"], "stroke-width": look["strokeWidth"]}
            return f'<path d="{through(points)}"{attributes(stroke)}/>'
        back = [(self._place("x", {}, taken, row), self._end("y", taken, row)) for row in reversed(ordered)]
        fill = {"fill": look["color"], "opacity": look.get("opacity")}
        return f'<path d="{through([*points, *back])}Z"{attributes(fill)}/>'


def _in_order(sort: Any, columns: Iterable[tuple[dict[str, Any], str]]) -> list[Any]:
    """The names of an axis: as they are listed, or by the number that a column gives them."""
    rows = [(row[field], row) for layer, field in columns for row in layer["data"]["values"]]
    if isinstance(sort, dict):
        by = sort["field"]
        rows.sort(key=lambda pair: pair[1].get(by, math.inf))
    names = list(dict.fromkeys(name for name, _ in rows))
    listed = sort if isinstance(sort, list) else []
    return [*(name for name in listed if name in names), *(name for name in names if name not in listed)]


def _looked_up(channel: dict[str, Any], row: dict[str, Any]) -> Any:
    """A size, shape or shade by its own scale: of what is true or not, or of numbers."""
    value, scale = row[channel["field"]], channel["scale"]
    if channel["type"] == "nominal":
        return scale["range"][scale["domain"].index(value)]
    (low, high), (start, end) = scale["domain"], scale["range"]
    return start + (end - start) * (value - low) / ((high - low) or 1)
