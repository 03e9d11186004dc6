"""The words of charts: labels whole, titles that fit, values under a pointer, and nothing that shouts."""

from __future__ import annotations

import math
import re
from xml.etree import ElementTree as ET

import pytest

from accord.agreement import charts, count_charts
from accord.agreement.chart_drawing import svg, untitled
from accord.agreement.chart_text import NARROW, WIDE, fitted, lines, shown_names
from accord.agreement.table import Table
from accord.reporting.figures import figure

LONG = "Omstreden naar huidige maatstaven en dus niet te gebruiken"
TEXT = "{http://www.w3.org/2000/svg}text"


def words(drawn: str) -> list[str]:
    return [" ".join(part for part in text.itertext()) for text in ET.fromstring(drawn).iter(TEXT)]


@pytest.mark.parametrize("width", [WIDE, NARROW])
def test_long_labels_stand_whole_in_every_chart(width: int) -> None:
    cells = [(row, column, 0.5, "50%") for row in (LONG, "no") for column in (LONG, "no")]
    drawings = [
        charts.forest([(LONG, 0.5, 0.4, 0.6)], "title", width=width),
        count_charts.heat_map(cells, "title", "across", "down", width=width),
        count_charts.bars([(LONG, 3)], "title", "across", width=width),
        count_charts.shares([("ana", LONG, 0.5)], "title", "share", width=width),
    ]
    for chart in drawings:
        assert any(LONG in word for word in words(svg(chart))), chart


def test_a_bar_is_read_out_as_it_is_printed() -> None:
    drawn = svg(count_charts.bars([("item", 76.57838085625568), ("rest", 1234)], "title", "per cent"))
    assert ">item: 77<" in drawn
    assert ">rest: 1,234<" in drawn


def test_columns_that_have_no_room_for_names_carry_the_numbers_of_the_rows() -> None:
    cells = [(row, column, 0.5, "50%") for row in (LONG, "no") for column in (LONG, "no")]
    shown = words(svg(count_charts.heat_map(cells, "title", "across", "down", width=NARROW)))
    assert {"1", "2"} <= set(shown)
    assert "2  no" in shown or "2 no" in shown


def test_a_label_is_broken_between_words_and_told_apart_when_cut() -> None:
    assert lines("one two three", 7) == ["one two", "three"]
    assert lines("x" * 20, 8) == ["x" * 8, "x" * 8, "x" * 4]
    first, second = shown_names(["y" * 500, "y" * 501], NARROW).values()
    assert first != second
    assert first.endswith("…")


def test_titles_wrap_to_the_width_there_is() -> None:
    title = "How often each annotator uses each label"
    assert " ".join(fitted(title, 200)) == title
    assert all(len(line) * 6.6 <= 200 for line in fitted(title, 200))
    bare = untitled(charts.forest([("a", 0.5, 0.4, 0.6)], title, width=NARROW))
    assert title.split(maxsplit=1)[0] not in " ".join(words(svg(bare)))


def test_marks_say_their_values_to_a_pointer() -> None:
    drawn = svg(charts.forest([("ana", 0.5, 0.4, 0.6)], "title"))
    assert "<title>ana: 0.50 (0.40 to 0.60)</title>" in drawn
    cell = svg(count_charts.heat_map([("a", "b", 0.25, "25%"), ("b", "a", 0.5, "50%")], "t", "x", "y"))
    assert "<title>a · b: 25%</title>" in cell
    bar = svg(count_charts.histogram([0.05, 0.95], [3, 4], "t", "x", "items"))
    assert "<title>0 to 0.1: 3</title>" in bar


def test_empty_bins_are_silent() -> None:
    drawn = svg(count_charts.histogram([0.05, 0.95], [30, 40], "t", "x", "items"))
    marks = re.findall(r"<title>[^<]*</title>", drawn)
    assert len(marks) == 2
    assert len([word for word in words(drawn) if word in ("30", "40")]) >= 2


def test_the_first_and_the_last_tick_stand_on_their_lines() -> None:
    drawn = svg(charts.forest([("ana", 0.5, 0.0, 0.9)], "title"))
    labels = re.findall(r'text-anchor="(\w+)"[^>]*>(0\.0|1\.0)</text>', drawn)
    assert labels == [("middle", "0.0"), ("middle", "1.0")]


def test_a_curve_without_an_interval_and_one_without_a_value_are_drawn() -> None:
    drawn = svg(charts.curve([(0.5, 0.2, math.nan, math.nan), (1.0, math.nan, 0.1, 0.2)], "t", "x", "y"))
    assert "<title>0.5: 0.20</title>" in drawn


def test_bins_of_any_stretch() -> None:
    assert count_charts.binned([1, 2, 5], [1, 1, 1], 5, (0.5, 5.5)) == [1, 1, 0, 0, 1]
    assert count_charts.bin_names(2, (-1.0, 1.0), ".0f") == ["-1 to 0", "0 to 1"]


def test_every_band_of_the_verdict_has_its_word_on_a_telephone() -> None:
    bands = [(-1.0, 0.667, "not to be relied on"), (0.667, 0.8, "for tentative conclusions only")]
    bands.append((0.8, 1.0, "to be relied on"))
    for width in (WIDE, NARROW):
        drawn = svg(charts.verdict(bands, 0.3, 0.2, 0.4, "title", width=width))
        assert "tentative" in drawn
        assert "relied" in drawn


def test_a_number_that_a_chart_says_is_not_cut_short() -> None:
    points, limits = [(3.0, -1.0, 2), (4.0, 0.5, 1)], [("upper limit", 0.1066, 0.05, 0.2)]
    table = Table("data", {"mean": [3.0], "difference": [-1.0]})
    drawn = figure("differences", (points, limits, "title", "mean", "difference"), table, "spoken")
    assert "upper limit 0.107" in drawn
