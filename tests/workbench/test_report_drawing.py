"""Reports that are drawn aside: a page shows what there is, the rest comes, and mistakes are told to whoever waits."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from threading import Event
from unittest import mock

import pytest

from accord.errors import InputError
from accord.reporting.context import Context, Section
from accord.reporting.item_query import ALL_ITEMS, ItemQuery
from accord.workbench import live_report
from accord.workbench.live_report import LiveReport
from accord.workbench.report_drawing import Drawer, Drawing
from tests.workbench.serving import contested, serving

PATIENCE = 60.0  # seconds, for what surely comes


def section(name: str) -> Section:
    return Section(name, f"The {name} part", f"<p>what the {name} one says</p>")


class Stopped:
    """Two sections, the second of which waits to be let go."""

    def __init__(self) -> None:
        self.first_is_made, self.go, self.times = Event(), Event(), 0

    def sections(self, _context: Context | None = None) -> Iterator[Section]:
        self.times += 1
        yield section("first")
        yield section("second")
        self.first_is_made.set()
        assert self.go.wait(PATIENCE)
        yield section("third")


@pytest.fixture
def stopped() -> Iterator[Stopped]:
    made = Stopped()
    with mock.patch.object(live_report, "sections_in_turn", made.sections):
        yield made
    made.go.set()


def test_a_page_shows_what_there_is_and_then_all_of_it(stopped: Stopped) -> None:
    live = LiveReport(contested(), lambda _: "items")
    page = live.page(ALL_ITEMS, 0.0)
    assert page.more
    assert page.number == 12
    assert stopped.first_is_made.wait(PATIENCE)
    assert [key for key, _, _ in live.page(ALL_ITEMS, 0.0).sections] == ["first"]
    stopped.go.set()
    whole = live.page(ALL_ITEMS, PATIENCE)
    assert ([key for key, _, _ in whole.sections], whole.more) == (["first", "second", "third"], False)
    assert stopped.times == 1, "it was drawn once for everybody"


def test_the_server_answers_while_a_report_is_drawn_and_says_that_more_comes(stopped: Stopped, tmp_path: Path) -> None:
    with serving(contested(), tmp_path) as lead:
        page = lead.send("GET", "/report")
        assert "is being computed, and comes here by itself" in page.text
        assert '<noscript><meta http-equiv="refresh" content="1"></noscript>' in page.text
        assert lead.get("/items", label="maybe").status == 200, "others are answered meanwhile"
        stopped.go.set()
        whole = lead.get("/report")
    assert "is being computed" not in whole.text
    assert "refresh" not in whole.text
    assert "what the third one says" in whole.text


def test_a_mistake_is_told_to_whoever_waits_and_tried_again() -> None:
    tries = []

    def broken(_context: Context) -> Iterator[Section]:
        tries.append(1)
        raise ZeroDivisionError
        yield

    live = LiveReport(contested(), lambda _: "items")
    with mock.patch.object(live_report, "sections_in_turn", broken):
        for _ in range(2):
            with pytest.raises(ZeroDivisionError):
                live.page(ALL_ITEMS, PATIENCE)
    assert len(tries) == 2


def test_what_cannot_be_reported_says_why() -> None:
    def refused() -> Iterator[Section]:
        yield section("first")
        raise InputError("Nobody answered twice.")

    drawing = Drawing(3, refused)
    drawing.draw()
    assert (drawing.page(None).undefined, drawing.page(None).sections) == ("Nobody answered twice.", [])


def test_what_nobody_wants_any_more_is_not_begun() -> None:
    go, begun = Event(), Event()
    drawn: list[str] = []

    def making(name: str) -> Callable[[], Iterator[Section]]:
        def made() -> Iterator[Section]:
            begun.set()
            assert go.wait(PATIENCE)
            drawn.append(name)
            yield section(name)

        return made

    drawer, drawings = Drawer(), [Drawing(1, making(name)) for name in "abc"]
    for one in drawings:
        drawer.take(one)
    assert begun.wait(PATIENCE)
    drawings[1].unwanted = True
    go.set()
    drawings[2].page(PATIENCE)
    assert drawn == ["a", "c"]


def test_a_report_that_decisions_change_is_drawn_anew_when_it_is_old(stopped: Stopped) -> None:
    stopped.go.set()
    live = LiveReport(contested(), lambda _: "items", states=lambda _: live.index(ALL_ITEMS)._alike)
    asked = ItemQuery(state="open")
    first = live._drawing(asked)
    first.draw()
    with mock.patch.object(live_report, "OUTDATED", float("inf")):
        assert live._drawing(asked) is first
    with mock.patch.object(live_report, "OUTDATED", -1.0):
        assert live._drawing(asked) is not first


def test_the_gold_of_some_items_counts_those_alone() -> None:
    live = LiveReport(contested(), lambda _: "items")
    asked = ItemQuery(labels=("maybe",))
    number = len(live.index(asked).find(asked))
    gold = next(html for key, _, html in live.page(asked).sections if key == "gold")
    words = re.sub(r"<[^>]*>", " ", gold)
    assert f"of {number} items" in words
    assert "nobody answered it" not in words
