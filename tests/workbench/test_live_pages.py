"""The live report and its lists over HTTP: filters, links that can be shared, pages by key, and nothing but text."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from markupsafe import escape

import accord
from tests.reporting.hostile import hostile_study
from tests.workbench.serving import Client, contested, invited, serving


@pytest.fixture(scope="module")
def lead(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Client]:
    with serving(contested(), tmp_path_factory.mktemp("live")) as client:
        yield client


def names(page: str) -> list[str]:
    """The items of a list, as its headings have them."""
    found = re.findall(r"<h2 dir=\"auto\">(.*?)</h2>", page)
    return [html.unescape(re.sub(r"<[^>]*>", "", one)) for one in found]


def test_the_report_leads_from_its_cells_to_their_items(lead: Client) -> None:
    page = lead.get("/report")
    assert page.status == 200
    links = [html.unescape(link) for link in re.findall(r'<a href="(/items\?[^"]*)" aria-label', page.text)]
    met = next(link for link in links if link.count("label=") == 2 and "maybe" in link and "no" in link)
    assert names(lead.get(met).text) == ["i0", "i6"]
    assert "annotator 1" in page.text
    assert "ben" not in re.findall(r"\w+", page.text)
    assert "Annotators have numbers here instead of names." in page.text
    assert "This page names annotators." in lead.get("/report", names="yes").text


def test_a_filter_is_an_address_and_makes_a_report_of_its_own(lead: Client) -> None:
    page = lead.get("/report", label="maybe", annotator="annotator 4")
    assert "Items with “maybe” from annotator 4" in html.unescape(page.text)
    assert 'value="maybe" selected' in page.text
    assert "No item is like that" in lead.get("/report", label="maybe", annotator="annotator 1").text
    assert names(lead.get("/items", search="NUMBER 7").text) == ["i7"]
    assert names(lead.get("/items", item="i3").text) == ["i3"]


@pytest.mark.parametrize(
    "query", [{"label": "nothing"}, {"agree": "perhaps"}, {"observed": "much"}, {"annotator": "ben"}, {"group": "x:y"}]
)
def test_an_address_that_asks_for_nothing_there_is_says_so(lead: Client, query: dict[str, str]) -> None:
    for path in ("/report", "/items"):
        page = lead.get(path, **query)
        assert page.status == 400
        assert 'class="problem"' in page.text


def test_items_come_a_page_at_a_time_by_key(tmp_path: Path) -> None:
    answers = [("x", "xy"[item % 2]) for item in range(120)]
    with serving(accord.Study.from_wide(answers), tmp_path) as lead:
        seen: list[str] = []
        address: str | None = "/items?agree=no"
        while address is not None:
            page = lead.get(address)
            seen += names(page.text)
            following = re.search(r'<a class="big" href="([^"]*)" rel="next">', page.text)
            address = None if following is None else html.unescape(following[1])
        assert seen == [str(item) for item in range(120) if item % 2]
        assert names(lead.get("/items", after="110").text) == [str(item) for item in range(111, 120)]
        assert "No items follow" in lead.get("/items", after="999999").text


def test_what_was_decided_is_seen_and_filtered_at_once(lead: Client) -> None:
    lead.on_screen("/decide", ("answer", '"yes"'), item='"i9"')
    assert "decided by lead" in lead.get("/items", item="i9").text
    assert names(lead.get("/items", state="decided").text) == ["i9"]
    assert "i9" not in names(lead.get("/items", state="open").text)


def test_a_reader_sees_numbers_and_the_lead_names_if_asked(lead: Client) -> None:
    reader = invited(lead, "rea", "reader")
    for path in ("/report", "/items"):
        assert "ben" not in re.findall(r"\w+", reader.get(path, names="yes").text)
        named = lead.get(path, names="yes").text
        assert "ben" in re.findall(r"\w+", named)
    assert "/queue?" not in reader.get("/items").text


def test_what_was_read_names_nobody_either(tmp_path: Path) -> None:
    """A table with a column for each annotator is described by its columns."""
    file = tmp_path / "wide.csv"
    file.write_text("item,xanthippe,quentin\n1,yes,no\n2,no,no\n3,yes,yes\n", "utf-8")
    with serving(accord.read(file), tmp_path) as lead:
        page = lead.get("/report").text
        assert "a column per annotator: annotator " in page
        assert "xanthippe" not in page
        assert lead.get("/items", group="xanthippe:yes").status == 400
        assert "xanthippe" in lead.get("/report", names="yes").text


def test_a_second_look_is_blind_in_lists_too(tmp_path: Path) -> None:
    with serving(contested(), tmp_path, second_look=1.0) as lead:
        lead.on_screen("/decide", ("answer", '"maybe"'), item='"i5"')
        other = invited(lead, "adj", "adjudicator")
        assert "waits for your second look" in other.get("/items", item="i5").text
        assert "decided by lead" not in other.get("/items", item="i5").text


def test_hostile_content_is_text_in_lists(tmp_path: Path) -> None:
    """The report of the same study is drawn by the tests of publishing."""
    with serving(hostile_study(), tmp_path) as lead:
        page = lead.get("/items")
        assert page.status == 200
        assert "<script>" not in page.text
        assert "<img" not in page.text
        label = str(lead.workbench.bench.study.labels[0])
        assert str(escape(label[:20])) in lead.get("/items", label=label).text
        assert str(tmp_path) not in page.text


def test_half_a_character_and_hidden_marks_stop_no_page(tmp_path: Path) -> None:
    """A text that was cut within an emoji, a label that says how it is written: exports have both."""
    half, marked = "half \ud83d", "\u200fright to left"
    rows = [
        {"item": f"{half} {number}", "annotator": who, "label": label, "text": f"cut within an emoji \ud83d {number}"}
        for number, labels in enumerate(("ab", "ba", "aa", "bb", "ab"))
        for who, label in zip("xy", ({"a": half, "b": marked}[letter] for letter in labels), strict=True)
    ]
    study = accord.Study(rows, text="text")
    with serving(study, tmp_path, second_look=0.0) as lead:
        assert lead.on_screen("/decide", ("answer", json.dumps(half)), ("comment", marked)).status == 200
        for path in ("/", "/queue", "/report", "/items", "/after", "/open-points", "/annotator?number=1"):
            assert lead.get(path).status == 200, path
        page = lead.get("/items")
        values = [html.unescape(value) for value in re.findall(r'<option value="([^"]*)"', page.text)]
        assert marked in values, "a form sends back what it was"
        for label in (marked, "half \\ud83d"):
            found = lead.get("/items", label=label)
            assert found.status == 200
            assert "\u200f" not in re.sub(r'value="[^"]*"', "", found.text), "and nothing hidden is shown"
    accord.publish(study, tmp_path / "pages", decisions=tmp_path / "study.sqlite")
    assert (tmp_path / "pages" / "index.html").is_file()
