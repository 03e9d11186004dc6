"""Our own drawing of charts against Vega's, which notebooks have: the same words, ticks, marks and sizes."""

from __future__ import annotations

import json
import re
from typing import Any
from xml.etree import ElementTree as ET

import pytest

from accord.agreement.chart_drawing import PLAIN, svg, untitled
from accord.agreement.chart_scales import linear, number_text, rounded_out, tick_step, ticks
from accord.agreement.chart_text import NARROW, WIDE
from accord.reporting.figures import CHARTS
from tests.surface.test_plots import PARTS

SVG = "{http://www.w3.org/2000/svg}"


def drawings(kind: str, width: int) -> tuple[ET.Element, ET.Element]:
    """A chart as we draw it and as Vega does."""
    vega = pytest.importorskip("vl_convert")
    chart = CHARTS[kind](*PARTS[kind], width=width)
    return ET.fromstring(svg(chart)), ET.fromstring(vega.vegalite_to_svg(json.dumps(chart)))


def words(root: ET.Element) -> list[str]:
    return sorted(" ".join(text.itertext()) for text in root.iter(f"{SVG}text"))


@pytest.mark.parametrize("width", [WIDE, NARROW])
@pytest.mark.parametrize("kind", CHARTS)
def test_every_chart_says_what_vega_writes(kind: str, width: int) -> None:
    ours, theirs = drawings(kind, width)
    assert words(ours) == [word for word in words(theirs) if word]
    said = sorted(title.text or "" for title in ours.iter(f"{SVG}title"))
    spoken = [
        mark.get("aria-label") for mark in theirs.iter() if mark.get("aria-roledescription") not in (None, "title")
    ]
    assert said == sorted(word for word in spoken if word in said)
    assert said, "marks speak"


@pytest.mark.parametrize("kind", sorted(set(CHARTS) - {"shares"}))
def test_every_chart_is_as_large_as_vega_makes_it(kind: str) -> None:
    ours, theirs = drawings(kind, WIDE)
    assert ours.get("viewBox") == theirs.get("viewBox")


def ticks_of(root: ET.Element) -> dict[str, float]:
    """Where the numbers of the horizontal axis stand, from left to right."""
    found = {}
    for text in root.iter(f"{SVG}text"):
        place = re.match(r"translate\(([-\d.]+),", text.get("transform", ""))
        if text.get("text-anchor") == "middle" and re.fullmatch(r"[\d.]+", text.text or "") and place:
            found[str(text.text)] = float(place[1])
    return found


def test_marks_stand_where_their_values_are() -> None:
    root = ET.fromstring(svg(CHARTS["forest"]([("ana", 0.5, 0.25, 0.75)], "title")))
    places = ticks_of(root)
    (whisker,) = [line for line in root.iter(f"{SVG}line") if line.get("stroke-width") == "2"]
    ends = [float(str(whisker.get(end))) for end in ("x1", "x2")]
    unit = places["1.0"] - places["0.0"]
    assert ends == pytest.approx([places["0.0"] + share * unit for share in (0.25, 0.75)], abs=0.02)
    assert places["0.5"] == pytest.approx(places["0.0"] + unit / 2, abs=0.02)


def test_a_whisker_ends_where_the_axis_does() -> None:
    root = ET.fromstring(svg(CHARTS["forest"]([("ana", -0.9, -1.8, 0.0)], "title")))
    (whisker,) = [line for line in root.iter(f"{SVG}line") if line.get("stroke-width") == "2"]
    assert float(str(whisker.get("x1"))) == 0.0


def test_nothing_is_drawn_beyond_the_picture() -> None:
    rows: list[Any] = [("first", 10_000), ("second", 20)]
    for chart in (
        CHARTS["bars"](rows, "t", "x", width=NARROW),
        CHARTS["histogram"]([0.05, 0.95], [3, 27], "t", "x", "y"),
    ):
        root = ET.fromstring(svg(untitled(chart)))
        (group,) = root.findall(f"{SVG}g")
        left, top = (float(part) for part in re.findall(r"[\d.]+", str(group.get("transform"))))
        for text in group.iter(f"{SVG}text"):
            x, y = (float(part) for part in re.findall(r"-?[\d.]+", str(text.get("transform")))[:2])
            reach = 6 * len(text.text or "") if text.get("text-anchor") == "start" else 0
            assert 0 <= left + x + reach <= float(str(root.get("width")))
            assert 7 <= top + y <= float(str(root.get("height")))


def test_a_mark_that_leads_somewhere_is_a_link_called_by_what_it_says() -> None:
    chart = CHARTS["bars"]([("a<b", 3), ("c", 4)], "title", "number", links=["#a&b", ""])
    root = ET.fromstring(svg(chart))
    (link,) = root.iter(f"{SVG}a")
    assert link.attrib == {"href": "#a&b", "aria-label": "a<b: 3"}
    assert [title.text for title in root.iter(f"{SVG}title")] == ["a<b: 3", "c: 4"]


def test_colours_are_those_of_the_page_or_plain() -> None:
    chart = CHARTS["forest"](*PARTS["forest"])
    assert not [placeholder for placeholder in PLAIN if placeholder in svg(chart)]
    assert "var(--accent)" in svg(chart, themed=True)


@pytest.mark.parametrize(
    ("value", "form", "text"),
    [(0.0, ".2~s", "0"), (7, ".2~s", "7"), (123, ".2~s", "120"), (999, ".2~s", "1k"), (1_250_000, ".2~s", "1.2M"),
     (-1234.4, ",d", "−1,234"), (0.125, ".1f", "0.1"), (0.5, "%", "50%")],
)  # fmt: skip
def test_numbers_are_written_as_d3_writes_them(value: float, form: str, text: str) -> None:
    assert number_text(value, form) == text


def test_ticks_have_the_digits_of_their_step() -> None:
    assert [number_text(value, None, 0.05) for value in ticks(0, 0.1, 0.05)] == ["0.00", "0.05", "0.10"]
    assert [number_text(value, "%", 0.005) for value in (0.0, 0.005)] == ["0.0%", "0.5%"]
    assert [number_text(value, None, 500) for value in (0, 1500)] == ["0", "1,500"]
    assert [tick_step(0, high, 5) for high in (1, 3, 8, 100)] == [0.2, 0.5, 2.0, 20.0]


def test_a_scale_of_one_number_or_none_has_a_middle() -> None:
    assert linear([3.0], {"zero": False, "nice": False}, 100, flipped=False).at(3.0) == 50
    assert linear([], {}, 100, flipped=True).at(0.0) == 100
    assert rounded_out(-0.3, 9.7) == (-1.0, 10.0)
