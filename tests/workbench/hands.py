"""Somebody at the workbench: by keyboard alone, by mouse or by touch, at a desk or with a telephone, light or dark."""

from __future__ import annotations

import json
import os
import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

DESK = {"viewport": {"width": 1200, "height": 900}}
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
# Every rule, and one that no examination has by itself; in the dark, which changes nothing but colours on a device,
# those that see colours.
EVERY_RULE = {"resultTypes": ["violations"], "rules": {"target-size": {"enabled": True}}}
OF_COLOURS = {
    "resultTypes": ["violations"],
    "runOnly": {"type": "rule", "values": ["color-contrast", "link-in-text-block"]},
}
PAPER = {"light": "rgb(255, 255, 255)", "dark": "rgb(18, 22, 28)"}
PICTURES = os.environ.get("ACCORD_PICTURES", "")  # a folder to put a picture of every page into, to be looked at


@dataclass(frozen=True)
class Mode:
    """How somebody works."""

    device: str
    colours: str
    by: str

    def __str__(self) -> str:
        return f"{self.device}-{self.colours}-{self.by}"

    def context(self, browser: Any) -> Any:
        device: dict[str, Any] = DESK if self.device == "desk" else PHONE
        return browser.new_context(**device, color_scheme=self.colours, bypass_csp=True, accept_downloads=True)


MODES = [
    Mode("desk", "light", "keys"), Mode("desk", "dark", "mouse"), Mode("phone", "light", "touch"),
    Mode("phone", "dark", "touch"),
]  # fmt: skip


@dataclass
class Hand:
    """A page, and a hand that works at it."""

    page: Any
    mode: Mode
    found: list[Any] = field(default_factory=list)  # what the examiner finds, and what went wrong

    @classmethod
    def at(cls, context: Any, mode: Mode, url: str) -> Hand:
        """Open a link."""
        hand = cls(context.new_page(), mode)
        ours = urlsplit(url).netloc
        hand.page.on("pageerror", lambda error: hand.found.append(f"error: {error}"))
        hand.page.on("request", lambda asked: hand.note(asked.url, ours))
        hand.page.goto(url)
        return hand

    def note(self, url: str, ours: str) -> None:
        """Whatever is asked of another server."""
        if not url.startswith(("data:", "file:")) and urlsplit(url).netloc != ours:
            self.found.append(f"asked for {url}")

    # -- working -------------------------------------------------------------------------------------------------------

    def press(self, target: Any) -> None:
        """Press a button or follow a link."""
        if self.mode.by == "keys":
            assert target.evaluate("(one) => one.tabIndex") >= 0, "the keyboard comes there"
            target.focus()
            self.page.keyboard.press("Enter")
        elif self.mode.by == "touch":
            target.tap()
        else:
            target.click()

    def button(self, name: str) -> None:
        """Press what is called so, on the page or in the menu."""
        exact = re.compile(rf"^\W*(?:\w\W+)?{re.escape(name)}$|^(?:\S+\s+)?{re.escape(name)}$")
        one = self.page.get_by_role("button", name=exact).or_(self.page.get_by_role("link", name=exact))
        self.press(one.locator("visible=true").first)

    def act(self, name: str, key: str) -> None:
        """Do what has a key and a button."""
        self.page.locator("main:not([aria-busy])").wait_for()  # until the last step is answered nothing counts
        if self.mode.by == "keys":
            self.page.keyboard.press(key)
        else:
            self.press(self.page.locator(f'main [data-key="{key}"]').first)
        assert name

    def write(self, label: str, text: str) -> None:
        """Type into a field; what was there is replaced."""
        where = self.page.get_by_label(label)
        if self.mode.by == "keys":
            where.focus()
            self.page.keyboard.press("Control+A")
            self.page.keyboard.type(text)
            self.page.keyboard.press("Escape")
        else:
            where.fill(text)

    def pick(self, name: str, number: int) -> None:
        """Take an option of a list by its number."""
        where = self.page.locator(f'[name="{name}"]')
        if self.mode.by == "keys":
            where.focus()
            for _ in range(number):
                self.page.keyboard.press("ArrowDown")
            self.page.keyboard.press("Escape")
        else:
            where.select_option(index=number)

    def choose(self, name: str, option: str) -> None:
        """Choose from a list by what an option is called."""
        where = self.page.locator(f'select[name="{name}"]')
        if self.mode.by == "keys":
            where.focus()
            self.page.keyboard.type(option)
        else:
            where.select_option(label=option)
        assert where.evaluate("(one) => one.selectedOptions[0].label") == option

    def go(self, name: str) -> None:
        """To a page of the menu."""
        self.press(self.page.locator("nav").get_by_role("link", name=name, exact=True))
        self.page.locator("nav a[aria-current]", has_text=name).wait_for()

    # -- looking -------------------------------------------------------------------------------------------------------

    def said(self, words: str) -> None:
        """Wait until the page says something of the last step."""
        self.page.locator(".said", has_text=words).wait_for()

    @property
    def item(self) -> str:
        """The item on the screen."""
        return str(json.loads(self.page.locator('#decision [name="item"]').input_value()))

    def whole(self) -> None:
        """Wait until a report has all its sections."""
        self.page.locator("section#methods").wait_for()
        self.page.locator("[data-more]").wait_for(state="detached")

    def examined(self, kind: str) -> None:
        """Have axe look at a page; and nothing may hang over its edge."""
        axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
        self.page.evaluate("document.querySelectorAll('details').forEach((part) => { part.open = true; })")
        light = self.mode.colours == "light"
        told = axe.run(self.page, options=EVERY_RULE if light else OF_COLOURS).response
        assert len(told["passes"]) >= (15 if light else 1), "the examiner ran"
        self.found += [(kind, rule["id"], rule["nodes"][0]["html"][:300]) for rule in told["violations"]]
        wide, room = self.page.evaluate("[document.scrollingElement.scrollWidth, innerWidth]")
        if wide > room:
            self.found.append((kind, "hangs over the edge", wide, room))
        paper = self.page.evaluate("getComputedStyle(document.body).backgroundColor")
        if paper != PAPER[self.mode.colours]:
            self.found.append((kind, "is of the other colours", paper))
        if PICTURES:
            self.page.screenshot(path=Path(PICTURES) / f"{kind}-{self.mode}.png", full_page=True)
