"""The workbench in a real browser where something is unusual; the usual way is walked in `test_walk_in_browser.py`."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from unittest import mock
from urllib.parse import urlsplit

import pytest

from accord.errors import FileError
from tests.reporting import pages as studies
from tests.reporting.hostile import hostile_study
from tests.workbench.serving import Client, contested, invited, serving

pytestmark = pytest.mark.browser

DESK: dict[str, Any] = {"viewport": {"width": 1200, "height": 900}, "color_scheme": "light"}
PHONE: dict[str, Any] = {
    "viewport": {"width": 390, "height": 844},
    "color_scheme": "dark",
    "has_touch": True,
    "is_mobile": True,
}
OVERVIEW = re.compile(r"//[^/]+/$")


@pytest.fixture
def opened(browser: Any) -> Iterator[Callable[..., Any]]:
    """A function that opens somebody's link; at the end, nothing may have been asked from outside or gone wrong."""
    contexts: list[Any] = []
    problems: list[str] = []

    def open_link(lead: Client, device: dict[str, Any] = DESK, url: str = "", **options: Any) -> Any:
        context = browser.new_context(**{**device, **options})
        contexts.append(context)
        page = context.new_page()
        page.on("request", lambda request: note(request.url, urlsplit(lead.workbench.url).netloc))
        page.on("pageerror", lambda error: problems.append(f"error: {error}"))
        page.on("console", lambda said: problems.append(said.text) if "Refused" in said.text else None)
        page.goto(url or lead.workbench.url)
        page.wait_for_url(OVERVIEW)
        return page

    def note(url: str, host: str) -> None:
        if not url.startswith("data:") and urlsplit(url).netloc != host:
            problems.append(f"asked for {url}")

    yield open_link
    for context in contexts:
        context.close()
    assert problems == []


@pytest.fixture
def lead(tmp_path: Path) -> Iterator[Client]:
    with serving(contested(), tmp_path) as client:
        yield client


def said(page: Any, words: str) -> None:
    """Wait until the page says something of the last step."""
    page.locator(".said", has_text=words).wait_for()


def item_of(page: Any) -> str:
    return str(json.loads(page.locator('#decision [name="item"]').input_value()))


def paper(page: Any) -> str:
    return str(page.evaluate("getComputedStyle(document.body).backgroundColor"))


def rows(client: Client) -> list[Any]:
    return [row for row in client.workbench.bench.log.after() if row.item is not None]


def test_the_colours_that_somebody_chose_stay(lead: Client, opened: Callable[..., Any]) -> None:
    page = opened(lead)
    papers = [paper(page)]
    page.get_by_role("button", name="Switch between light and dark").press("Enter")
    papers.append(paper(page))
    page.locator("main").focus()
    page.keyboard.press("Enter")
    page.locator("#decision").wait_for()
    assert [*papers, paper(page)] == ["rgb(255, 255, 255)", "rgb(18, 22, 28)", "rgb(18, 22, 28)"]
    page.keyboard.press("?")
    page.locator("details[open] .help").wait_for()


def test_the_median_of_scores_is_taken_without_typing_one(tmp_path: Path, opened: Callable[..., Any]) -> None:
    with serving(studies.scores(), tmp_path) as lead:
        page = opened(lead)
        page.get_by_role("link", name="Begin to decide").click()
        page.locator("#decision").wait_for()
        item = item_of(page)
        page.keyboard.press("v")
        page.get_by_text("annotator 1").first.wait_for()
        page.get_by_role("button", name="As the median").click()
        said(page, f"for item {item}")


def test_without_a_script_it_is_read_and_decided_all_the_same(lead: Client, opened: Callable[..., Any]) -> None:
    page = opened(lead, java_script_enabled=False)
    page.get_by_role("link", name="Begin to decide").click()
    item = item_of(page)
    page.get_by_label("Comment").fill("a thought")
    page.get_by_label("Comment").press("Enter")
    said(page, f"Your comment on item {item} is kept")
    assert item_of(page) == item, "Enter in the comment decides nothing"
    page.get_by_role("button", name="yes").click()
    said(page, f"You decided yes for item {item}")
    assert [row.act for row in rows(lead)] == ["comment", "decide"]


def test_a_server_that_is_away_is_asked_until_it_is_back(lead: Client, opened: Callable[..., Any]) -> None:
    page = opened(lead)
    page.goto(page.url + "queue")
    item = item_of(page)
    page.context.set_offline(True)
    page.keyboard.press("1")
    page.locator("#waiting", has_text="Not kept yet").wait_for()
    assert rows(lead) == []
    page.context.set_offline(False)
    said(page, f"for item {item}")
    assert page.locator("#waiting").count() == 0
    assert [row.act for row in rows(lead)] == ["decide"]


def test_what_was_typed_stays_where_a_decision_could_not_be_kept(lead: Client, opened: Callable[..., Any]) -> None:
    page = opened(lead)
    page.goto(page.url + "queue")
    item = item_of(page)
    page.get_by_label("Comment").fill("not to be typed twice")
    with mock.patch.object(lead.workbench.bench.log, "append", side_effect=FileError("x", "The disk is full.")):
        page.keyboard.press("Escape")
        page.keyboard.press("1")
        page.get_by_role("alert").filter(has_text="The disk is full").wait_for()
    page.keyboard.press("Enter")
    page.locator("#decision").wait_for()
    assert item_of(page) == item
    assert page.get_by_label("Comment").input_value() == "not to be typed twice"


def test_what_others_do_is_seen_without_loading_again(lead: Client, opened: Callable[..., Any]) -> None:
    page = opened(lead)
    assert page.locator('strong[data-live="decided"]').inner_text() == "0"
    invited(lead, "ben", "adjudicator").on_screen("/decide", ("answer", '"yes"'))
    page.locator('strong[data-live="decided"]', has_text="1").wait_for()


def test_a_link_from_another_site_works(lead: Client, opened: Callable[..., Any]) -> None:
    """Cookies that other sites may not use are not sent along the first step from there."""
    page = opened(lead)
    for address in (lead.workbench.url, f"http://{lead.host}/queue?item=%22i5%22"):
        page.goto("data:text/html," + f"<a href='{address}'>the link</a>")
        page.get_by_role("link").click()
        page.locator("nav").wait_for()
    assert item_of(page) == "i5"
    assert "token" not in page.url


def test_hostile_content_is_text(tmp_path: Path, opened: Callable[..., Any]) -> None:
    with serving(hostile_study(), tmp_path) as lead:
        page = opened(lead, PHONE)
        page.goto(page.url + "queue")
        page.get_by_role("link", name="Show the").tap()
        page.get_by_text("annotator 1").first.wait_for()
        page.locator(".choice").first.tap()
        said(page, "You decided")
        assert page.evaluate("window.hacked") is None
        assert page.locator("main img, main iframe, main script").count() == 0
        width = page.evaluate("[document.scrollingElement.scrollWidth, innerWidth]")
        assert width[0] <= width[1]


def test_people_and_rules_by_hand(lead: Client, opened: Callable[..., Any]) -> None:
    page = opened(lead)
    page.get_by_role("link", name="People").click()
    page.get_by_label("Name").fill("ben")
    page.get_by_role("button", name="Make a link").click()
    link = page.get_by_label("The link of ben", exact=True).input_value()
    ben = opened(lead, url=link)
    assert ben.get_by_text("ben, adjudicator").is_visible()
    assert ben.get_by_role("link", name="Rules").count() == 0
    page.get_by_role("link", name="Rules").click()
    page.get_by_role("button", name="How many would that be?").click()
    page.get_by_role("button", name="Accept them").click()
    said(page, "items accepted")
    accepted = lead.workbench.bench.progress().accepted
    assert accepted > 0
    page.get_by_role("button", name="Take back").click()
    said(page, "open again")
    assert lead.workbench.bench.progress().accepted == 0
    page.get_by_label("What can be chosen beside a decision").fill("irony\nno context")
    page.get_by_role("button", name="Keep the reasons").click()
    said(page, "reasons are kept")
    ben.goto(f"http://{lead.host}/queue")
    assert ben.get_by_label("Reason").locator("option").all_inner_texts() == ["none said", "irony", "no context"]
