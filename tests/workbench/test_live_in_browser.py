"""The live report and units of texts in a real browser, where the way is not the usual one."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.workbench.serving import Client, contested, serving
from tests.workbench.test_in_browser import opened
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
