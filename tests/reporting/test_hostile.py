"""Hostile content is shown as text and breaks nothing: the page, Markdown, LaTeX, charts and the terminal."""

from __future__ import annotations

import re
from functools import cache
from xml.etree import ElementTree as ET

import pytest

from accord.agreement import charts, count_charts
from accord.agreement.chart_drawing import svg
from accord.agreement.chart_text import NARROW, WIDE
from accord.agreement.table import Table
from accord.agreement.table_formats import as_csv, as_html, as_latex, as_markdown
from accord.cli.terminal import as_text
from accord.reporting.context import Context
from accord.reporting.page import rendered
from tests.reporting.hostile import GROUP, HOSTILE, hostile_study
from tests.reporting.pages import Page

ESCAPES = re.compile(r"(?<!\\)(?:\\\\)*[&%$#_{}~^]")


@cache
def context() -> Context:
    return Context(
        hostile_study(),
        title=HOSTILE["script"] + "t" * 10_000,
        by=GROUP,
        source=HOSTILE["image"],
        command=HOSTILE["quotes"],
    )


@cache
def page() -> Page:
    return Page(rendered(context(), ".html"))


def test_the_page_holds_one_script_and_only_our_tags() -> None:
    tags = {tag for tag, _ in page().tags}
    assert [tag for tag, _ in page().tags].count("script") == 1
    assert not tags & {"img", "b", "iframe", "link", "object"}
    assert [tag for tag, _ in page().tags].count("style") == 1
    assert not any(name.startswith("on") for _, attributes in page().tags for name in attributes)


@pytest.mark.parametrize(
    "name", ["script", "image", "attribute", "comment", "entity", "template", "chinese", "devanagari", "emoji"]
)
def test_hostile_text_is_shown_as_it_is(name: str) -> None:
    assert " ".join(HOSTILE[name].split()) in page().text


def test_marks_that_turn_text_are_told_by_number() -> None:
    assert "\u202e" not in page().html
    assert "[U+202E]" in page().text
    assert "\x1b" not in page().html
    assert "[U+001B]" in page().text


def test_long_text_is_cut_and_says_so() -> None:
    assert "w" * 1000 not in page().html
    assert "… (10,000 characters)" in page().text
    assert len(page().html) < 3_000_000


def test_markdown_keeps_its_tables() -> None:
    text = re.sub(r"^(```+)text\n.*?^\1$", "", rendered(context(), ".md"), flags=re.M | re.S)
    assert "<script>" not in text.replace("&lt;", "")
    assert "](javascript" not in text.replace("\\]", "")
    rows = [line for line in text.splitlines() if line.startswith("| ") and line.endswith(" |")]
    for table in re.split(r"\n\n", text):
        lines = [line for line in table.splitlines() if line.startswith("|")]
        assert len({len(re.findall(r"(?<!\\)\|", line)) for line in lines}) <= 1, lines[:3]
    assert rows


@pytest.mark.parametrize("name", HOSTILE)
def test_a_cell_of_each_format_is_only_text(name: str) -> None:
    table = Table(HOSTILE[name], {HOSTILE[name]: [HOSTILE[name]], "value": [0.5]}, (HOSTILE[name],))
    found = Page(as_html(table))
    assert {tag for tag, _ in found.tags} <= {"div", "table", "caption", "thead", "tbody", "tr", "th", "td", "p"}
    lines = as_latex(table).splitlines()
    row = lines[lines.index("\\midrule") + 1]
    assert row.endswith(" & 0.500 \\\\")
    plain = row.removesuffix(" & 0.500 \\\\")
    for harmless in (
        "$-$",
        "$^2$",
        r"$\kappa$",
        r"\textbackslash{}",
        r"\textasciitilde{}",
        r"\textasciicircum{}",
        r"\ldots{}",
    ):
        plain = plain.replace(harmless, "")
    assert not ESCAPES.search(plain.replace("\\&", "").replace("\\%", "")) or not re.search(r"(?<!\\)[&%$#_]", plain)
    assert as_markdown(table).splitlines()[2].count("|") - as_markdown(table).splitlines()[2].count("\\|") == 3
    assert as_csv(table).endswith(",0.5\n")
    assert "\x1b" not in as_text(table)
    assert len(as_text(table).splitlines()) == 4


@pytest.mark.parametrize("width", [WIDE, NARROW])
@pytest.mark.parametrize("kind", ["forest", "heat_map", "shares", "verdict", "groups"])
def test_charts_are_well_formed_and_hold_no_script(kind: str, width: int) -> None:
    words = list(HOSTILE.values())[:10]
    drawings = {
        "forest": lambda: charts.forest([(word, 0.5, 0.4, 0.6) for word in words], HOSTILE["script"], width=width),
        "heat_map": lambda: count_charts.heat_map(
            [(a, b, 0.5, "50%") for a in words for b in words],
            HOSTILE["image"],
            HOSTILE["long"],
            HOSTILE["lines"],
            width=width,
        ),
        "shares": lambda: count_charts.shares(
            [(a, b, 0.1) for a in words[:3] for b in words[:5]], HOSTILE["vega"], "x", width=width
        ),
        "verdict": lambda: charts.verdict(
            [(-1.0, 0.5, HOSTILE["long"]), (0.5, 1.0, "x")], 0.4, 0.3, 0.5, "t", width=width
        ),
        "groups": lambda: charts.forest(
            [("x" * 100 + str(k), 0.1 * k, 0.0, 1.0) for k in range(5)], "same", width=width
        ),
    }
    drawn = svg(drawings[kind](), themed=True)
    root = ET.fromstring(drawn)
    assert {element.tag.split("}")[1] for element in root.iter()} <= {
        "svg",
        "g",
        "path",
        "text",
        "title",
        "tspan",
        "rect",
        "line",
        "defs",
        "clipPath",
    }
    if kind == "groups":
        marks = {"".join(text.itertext()) for text in root.iter("{http://www.w3.org/2000/svg}text")}
        marks = {mark for mark in marks if mark.startswith("x")}
        assert len(marks) == 5, "labels that look alike when cut stay apart"
