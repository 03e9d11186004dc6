"""The live report, lists of items, units of texts and published pages in a real browser."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import accord
from tests.workbench.serving import Client, contested, serving
from tests.workbench.test_in_browser import DESK, PHONE, opened
from tests.workbench.test_span_decisions import study as marked

pytestmark = pytest.mark.browser
__all__ = ["opened"]  # the fixture that opens somebody's link


@pytest.fixture
def lead(tmp_path: Path) -> Iterator[Client]:
    with serving(contested(), tmp_path) as client:
        yield client


@pytest.fixture
def texts(tmp_path: Path) -> Iterator[Client]:
    with serving(marked(), tmp_path) as client:
        yield client


def units(page: Any) -> list[list[Any]]:
    held: list[list[Any]] = json.loads(page.locator('#decision [name="draft"]').input_value())["units"]
    return held


def wait_for_units(page: Any, *wanted: list[Any]) -> None:
    """Wait until the draft on the page holds these units and no others."""
    kept = page.locator(".unit", has=page.locator(".tick", has_text="✓"))
    for place, label in wanted:
        kept.filter(has_text=f"{place}").filter(has_text=label).first.wait_for()
    page.locator("#decision", has_text=f"Decide {told(len(wanted))}").wait_for()


def told(number: int) -> str:
    return "this unit" if number == 1 else f"these {number} units"


def test_a_document_is_decided_by_keyboard_alone(texts: Client, opened: Callable[..., Any]) -> None:
    page = opened(texts)
    page.keyboard.press("Enter")
    page.locator(".text.marking").wait_for()
    assert page.get_by_text("2 of 3 marked it").count() == 0
    page.keyboard.press("v")
    page.get_by_text("2 of 3 marked it").first.wait_for()
    here = page.locator(".unit.here")
    here.filter(has_text="Captain Nia Rask").wait_for()
    page.keyboard.press("a")
    wait_for_units(page, ["Captain Nia Rask", "PER"], ["Vellin", "LOC"])
    for key, words in (("w", "Nia Rask"), ("p", "Nia Rask brought"), ("o", "Nia Rask"), ("ArrowRight", "Nia Rask ")):
        page.keyboard.press(key)
        here.locator(".name", has_text=re.compile(rf"^{words}$")).wait_for()
    page.keyboard.press("ArrowLeft")
    here.locator(".name", has_text=re.compile("^Nia Rask$")).wait_for()
    page.keyboard.press("k")
    wait_for_units(page, ["Nia", "PER"], ["Rask", "PER"], ["Vellin", "LOC"])
    page.keyboard.press("j")
    wait_for_units(page, ["Nia Rask", "PER"], ["Vellin", "LOC"])
    page.keyboard.press("2")
    here.filter(has_text="ORG").wait_for()
    page.keyboard.press("b")
    wait_for_units(page, ["Nia Rask", "PER"], ["Vellin", "LOC"])
    page.keyboard.press("i")
    page.locator("#decision", has_text="Decide these 3 units").wait_for()
    page.keyboard.press("x")
    wait_for_units(page, ["Nia Rask", "PER"], ["Vellin", "LOC"])
    assert units(page) == [[[8, 16], "PER"], [[40, 46], "LOC"]]
    page.keyboard.press("Enter")
    page.locator(".said", has_text="PER 8–16, LOC 40–46").wait_for()
    stands = texts.workbench.bench.standing.of(0)
    assert stands is not None
    assert json.loads(stands.answer) == [[[8, 16], "PER"], [[40, 46], "LOC"]]
    page.keyboard.press("u")
    page.locator(".said", has_text="is open again").wait_for()


def test_a_document_is_decided_by_hand_on_a_phone(texts: Client, opened: Callable[..., Any]) -> None:
    page = opened(texts, PHONE)
    page.get_by_role("link", name="Begin to decide").click()
    page.get_by_role("button", name="Show what was marked").click()
    page.locator(".unit", has_text="ORG").click()
    page.locator(".unit.here", has_text="ORG").wait_for()
    page.get_by_role("button", name="Accept or leave out").click()
    wait_for_units(page, ["Nia Rask", "PER"], ["Vellin", "ORG"])
    page.get_by_role("button", name="Decide these 2 units").click()
    page.locator(".said", has_text="ORG 40–46").wait_for()


def test_what_is_selected_in_the_text_becomes_a_unit(texts: Client, opened: Callable[..., Any]) -> None:
    page = opened(texts)
    page.get_by_role("link", name="Begin to decide").click()
    expect = pytest.importorskip("playwright.sync_api").expect
    line = page.locator(".text.marking span").first
    line.wait_for()
    line.evaluate(
        """(part) => {
            const range = document.createRange();
            range.setStart(part.firstChild, 25);
            range.setEnd(part.firstChild, 34);
            getSelection().removeAllRanges();
            getSelection().addRange(range);
        }"""
    )
    expect(page.locator('[name="selection"]')).to_have_value("25 34")
    page.keyboard.press("i")
    wait_for_units(page, ["ferry", "LOC"])
    assert units(page) == [[[25, 34], "LOC"]]


def test_without_a_script_a_document_is_decided_too(texts: Client, opened: Callable[..., Any]) -> None:
    page = opened(texts, java_script_enabled=False)
    page.get_by_role("link", name="Begin to decide").click()
    page.get_by_role("button", name="Show what was marked").click()
    page.get_by_role("button", name="Next", exact=False).first.click()
    page.get_by_role("button", name="Decide these 2 units").click()
    page.locator(".said", has_text="PER 8–16").wait_for()


def test_a_cell_leads_to_its_items_and_an_item_to_its_screen(lead: Client, opened: Callable[..., Any]) -> None:
    page = opened(lead, PHONE)
    page.get_by_role("link", name="Report", exact=True).click()
    cell = page.locator("section#labels figure").nth(1).locator("a:visible").first
    assert cell.get_attribute("aria-label")
    cell.focus()
    page.keyboard.press("Enter")
    page.wait_for_url(re.compile(r"/items\?label="))
    page.locator(".item-list h2 a").first.click()
    page.wait_for_url(re.compile(r"/queue\?item="))
    page.locator("#decision").wait_for()


def test_a_filter_narrows_the_report_and_its_address_is_enough(lead: Client, opened: Callable[..., Any]) -> None:
    page = opened(lead)
    page.goto(f"http://{lead.host}/report")
    page.locator('.filters [name="label"]').select_option("maybe")
    page.get_by_role("button", name="Show", exact=True).click()
    page.wait_for_url(re.compile("label=maybe"))
    page.get_by_role("heading", name="Items with “maybe” from somebody").wait_for()
    other = opened(lead)
    other.goto(page.url)
    other.get_by_role("heading", name="Items with “maybe” from somebody").wait_for()


def test_axe_finds_nothing_on_live_pages(tmp_path: Path, opened: Callable[..., Any]) -> None:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()

    def examined(page: Any) -> list[Any]:
        page.evaluate("document.querySelectorAll('details').forEach((part) => { part.open = true; })")
        found = axe.run(page).response
        assert len(found["passes"]) > 15, "the examiner ran"
        return [(page.url, rule["id"], rule["nodes"][0]["html"][:200]) for rule in found["violations"]]

    problems: list[Any] = []
    with serving(contested(), tmp_path, decisions=tmp_path / "one.sqlite") as lead:
        for device, address in ((DESK, "report"), (PHONE, "items?label=no&label=maybe")):
            page = opened(lead, device, bypass_csp=True)
            page.goto(f"http://{lead.host}/{address}")
            problems += examined(page)
    with serving(marked(), tmp_path, decisions=tmp_path / "two.sqlite") as lead:
        page = opened(lead, PHONE, bypass_csp=True)
        page.goto(f"http://{lead.host}/queue")
        page.get_by_role("button", name="Show what was marked").click()
        page.get_by_text("2 of 3 marked it").first.wait_for()
        problems += examined(page)
    assert problems == []


def test_published_pages_open_from_a_folder(tmp_path: Path, browser: Any) -> None:
    first = accord.publish(contested(), tmp_path / "pages")
    context = browser.new_context(**DESK)
    problems: list[str] = []
    page = context.new_page()
    page.on("pageerror", lambda error: problems.append(str(error)))
    page.on("console", lambda said: problems.append(said.text) if said.type in ("error", "warning") else None)
    page.on("request", lambda asked: None if asked.url.startswith(("file:", "data:")) else problems.append(asked.url))
    page.goto(first.as_uri())
    page.get_by_role("button", name="Switch between light and dark").click()
    assert page.locator("html").get_attribute("data-theme") in ("light", "dark")
    page.locator("section#gold a:visible").first.click()
    page.wait_for_url(re.compile(r"/items/\d+\.html$"))
    assert page.locator(".item-list > li").count() > 0
    page.get_by_role("link", name="Report").click()
    page.wait_for_url(re.compile(r"/index\.html$"))
    context.close()
    assert problems == []
