"""Every step at the workbench in a real browser, in every mode; axe looks at every kind of page, with every rule that a
mode can change."""

from __future__ import annotations

import base64
import csv
import io
import json
import re
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

import accord
from accord import Study
from accord.workbench.controls import choices
from accord.workbench.people import Person
from tests.reporting import pages as studies
from tests.workbench.hands import MODES, Hand, Mode
from tests.workbench.serving import Client, serving

pytestmark = pytest.mark.browser

PEOPLE = ("ana", "ben", "cyd")
SENTENCE = "Captain Nia Rask brought the ferry into Vellin."
MARKS = {
    "ana": [(8, 16, "PER"), (40, 46, "LOC")],
    "ben": [(0, 16, "PER"), (40, 46, "LOC")],
    "cem": [(8, 16, "PER"), (40, 46, "ORG")],
}
RULE = "unanimous, 3 answers or more"
DOT = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg=="  # a PNG


def labels() -> Study:
    """Sixty short texts, half of them contested."""
    rows = []
    for item in range(60):
        for who, name in enumerate(PEOPLE):
            label = ("yes", "no", "maybe")[(item + (item % 2 and who == item % 3)) % 3]
            rows.append((f"i{item}", name, label, f"What somebody wrote as number {item}."))
    return table(("item", "annotator", "label", "text"), rows, text="text")


def weeks() -> Iterator[str]:
    """Rows of an export: three weeks of ten items, on fewer of which the two agree every week."""
    for place in range(30):
        when = f"2026-03-{2 + 7 * (place // 10):02d}T10:00:00"
        yield f"w{place},ana,{'yes' if place % 2 else 'no'},{when}\n"
        yield f"w{place},ben,{'yes' if place % 2 and place % 10 > place // 10 else 'no'},{when}\n"


def pictured() -> Study:
    """Six pictures whose labels nobody agrees on."""
    rows = [(f"p{item}", who, ("boat", "bird")[who == "ben"], "one.png") for item in range(6) for who in PEOPLE[:2]]
    return table(("item", "annotator", "label", "image"), rows)


def marked() -> Study:
    rows = [(f"n{doc}", who, *mark, SENTENCE) for doc in range(8) for who, marks in MARKS.items() for mark in marks]
    return table(("item", "annotator", "start", "end", "label", "text"), rows, text="text")


def table(columns: tuple[str, ...], rows: list[Any], **roles: Any) -> Study:
    return Study(dict(zip(columns, map(list, zip(*rows, strict=True)), strict=True)), **roles)


@dataclass(frozen=True)
class Town:
    """Servers of studies of every kind, for all who walk."""

    servers: dict[str, Client]
    folder: Path
    export: Path  # which is watched


@pytest.fixture(scope="module")
def town(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Town]:
    folder = tmp_path_factory.mktemp("town")
    kinds = {
        "labels": labels(), "set": studies.sets(), "ranked": studies.ranked(), "score": studies.scores(),
        "spans": marked(), "ranking": accord.datasets.load("ranked-maps"),
        "preference": accord.datasets.load("compared-answers"),
    }  # fmt: skip
    export = folder / "export.csv"
    export.write_text("item,annotator,label,time\n" + "".join(weeks()), "utf-8")
    with ExitStack() as open_servers:
        servers = {
            kind: open_servers.enter_context(serving(study, folder, decisions=folder / f"{kind}.sqlite", second_look=0))
            for kind, study in kinds.items()
        }
        (folder / "pictures").mkdir()
        (folder / "pictures" / "one.png").write_bytes(base64.b64decode(DOT))
        for name, more in (("pictures", {"images": folder / "pictures"}), ("twice", {"second_look": 1.0})):
            served = serving(pictured(), folder, decisions=folder / f"{name}.sqlite", **more)
            servers[name] = open_servers.enter_context(served)
        watched = serving(accord.read(export), folder, decisions=folder / "w.sqlite", watch=export)
        servers["watched"] = open_servers.enter_context(watched)
        yield Town(servers, folder, export)


@pytest.fixture(params=MODES, ids=str)
def mode(request: pytest.FixtureRequest) -> Mode:
    chosen: Mode = request.param
    return chosen


@pytest.fixture
def context(browser: Any, mode: Mode) -> Iterator[Any]:
    made = mode.context(browser)
    made.set_default_timeout(60_000)
    yield made
    made.close()


def entered(context: Any, mode: Mode, client: Client) -> Hand:
    hand = Hand.at(context, mode, client.workbench.url)
    hand.page.wait_for_url(re.compile(r"//[^/]+/$"))
    return hand


def rows(client: Client, item: str) -> list[Any]:
    """What was done to an item, in order."""
    return client.workbench.bench.log.of_item(json.dumps(item))


def test_from_the_report_to_items_and_their_screens(town: Town, context: Any, mode: Mode) -> None:
    hand = entered(context, mode, town.servers["labels"])
    hand.examined("overview")
    hand.go("Report")
    hand.whole()
    hand.examined("report")
    hand.choose("label", "maybe")
    hand.button("Show")
    hand.page.wait_for_url(re.compile("/report.*label=maybe"))
    hand.whole()
    report = hand.page.url
    behind = {
        "cell": hand.page.locator("section#labels figure").nth(1).locator("a:visible").first,
        "bar": hand.page.locator("section#gold figure a:visible").first,
        "value": hand.page.locator("section#verdict figure a:visible").first,
        "finding": hand.page.locator("section#findings .see a[href^='/items']:visible").first,
    }
    for what, link in behind.items():
        assert link.get_attribute("aria-label") or link.inner_text(), what
        hand.press(link)
        hand.page.wait_for_url(re.compile("/items"))
        hand.page.locator(".item-list > li").first.wait_for()
        if what == "cell":
            hand.examined("items")
        hand.page.goto(report)
        hand.whole()
    hand.press(hand.page.locator("p.acts a").first)
    hand.page.wait_for_url(re.compile("/items"))
    hand.page.locator(".item-list > li").first.wait_for()
    hand.press(hand.page.locator(".item-list h2 a").nth(1))
    hand.page.locator("#decision").wait_for()
    assert hand.found == []


def test_the_queue_people_and_what_comes_of_it(town: Town, context: Any, mode: Mode, browser: Any) -> None:
    lead = town.servers["labels"]
    before = lead.workbench.bench.log.last_number()
    hand = entered(context, mode, lead)
    hand.press(hand.page.locator("main .big"))
    hand.page.locator("#decision").wait_for()
    hand.examined("queue")
    first = hand.item
    assert hand.page.get_by_text("annotator 1").count() == 0, "blind first"
    hand.act("Show the answers", "v")
    hand.page.get_by_text("annotator 1").first.wait_for()
    hand.act("Show who gave them", "n")
    hand.page.get_by_text("cyd", exact=True).first.wait_for()
    hand.examined("answers")
    hand.pick("reason", 1)
    hand.write("Comment", f"said by {mode}")
    hand.act("The guideline is unclear here", "g")
    hand.act("the third label", "3")
    hand.said(f"for item {first}")
    hand.act("Undo", "u")
    hand.said(f"Item {first} is open again")
    hand.act("The guideline is unclear here", "g")
    hand.act("As the majority", "m")
    hand.said(f"for item {first}")
    second = hand.item
    hand.act("Skip", "s")
    hand.said(f"You left item {second} for later")
    third = hand.item
    hand.write("Comment", "a thought of its own")
    hand.button("Keep the comment without deciding")
    hand.said(f"Your comment on item {third} is kept")
    done = list(lead.workbench.bench.log.after(before))
    assert [row.act for row in done] == ["decide", "undo", "decide", "skip", "comment"]
    kept = done[0]
    assert (kept.reason, kept.comment, kept.unclear) == (lead.workbench.bench.reasons[0], f"said by {mode}", True)

    hand.go("People")
    name = f"ben at the {mode}"
    hand.write("Name", name)
    hand.button("Make a link")
    link = hand.page.get_by_label(f"The link of {name}", exact=True).input_value()
    hand.examined("people")
    others = mode.context(browser)
    others.set_default_timeout(60_000)
    ben = Hand.at(others, mode, link)
    ben.page.get_by_text(f"{name}, adjudicator").wait_for()
    ben.press(ben.page.locator("main .big"))
    ben.page.locator("#decision").wait_for()
    assert ben.item != third, "nobody gets what another is deciding"
    hand.page.goto(f"http://{lead.host}/queue?item=%22{ben.item}%22")
    hand.page.get_by_text(f"{name} is deciding this item just now").wait_for()
    hand.go("Overview")
    row = hand.page.locator("tr", has_text=name)
    row.get_by_text("now", exact=True).wait_for()
    ben.act("the first label", "1")
    ben.said("You decided")
    row.locator(f'[data-live="{name}: decided"]', has_text="1").wait_for()  # without loading again
    others.close()

    hand.go("Rules")
    hand.button("How many would that be?")
    hand.page.get_by_role("status").filter(has_text=RULE).wait_for()
    hand.button("Accept them")
    hand.said(f"accepted: {RULE}")
    hand.examined("rules")
    hand.press(hand.page.get_by_role("listitem").filter(has_text=RULE).get_by_role("button"))
    hand.said("open again")

    hand.go("What came of it")
    hand.examined("after")
    for option in hand.page.locator('[name="form"] option').all():
        form = option.get_attribute("value")
        hand.choose("form", option.inner_text())
        with hand.page.expect_download() as taken:
            hand.button("Take the gold along")
        file = Path(taken.value.path()).read_bytes()
        assert file, form
        if form == "csv":
            gold = {one["item"]: one for one in csv.DictReader(io.StringIO(file.decode("utf-8-sig")))}
            assert gold[first]["provenance"] == "person"
    hand.button("A page for each annotator: what was changed and why")
    hand.page.get_by_role("heading", name="A page for each annotator").wait_for()
    hand.examined("annotators")
    hand.press(hand.page.locator("main tbody a").first)
    hand.page.get_by_role("heading", name="annotator 1").wait_for()
    hand.examined("annotator")
    hand.go("Open points")
    hand.page.locator("article", has_text=first).first.wait_for()
    hand.examined("open-points")
    hand.page.goto(f"http://{lead.host}/queue?item=%22nothing%22")
    hand.page.get_by_role("alert").wait_for()
    hand.examined("problem")
    assert hand.found + ben.found == []


@pytest.mark.parametrize("kind", ["set", "ranked", "score", "ranking", "preference"])
def test_sets_orders_and_scores(town: Town, context: Any, mode: Mode, kind: str) -> None:
    lead = town.servers[kind]
    hand = entered(context, mode, lead)
    hand.go("Decide")
    hand.page.locator("#decision").wait_for()
    item = hand.item
    hand.examined(kind)
    scale = list(lead.workbench.bench.study.labels[:2])
    keys = {number: one.key for number, one in enumerate(choices(lead.workbench.bench.study.labels), start=1)}
    if kind == "score":
        hand.write("Score", "2.5")
    elif kind != "preference":
        for number in (2, 1) if kind == "set" else (2, 1, 3, 1):
            hand.act("a label", keys[number])
    if kind in ("ranked", "ranking"):  # one pressed again is taken out, and the others move up
        assert [place.input_value() for place in hand.page.locator("[name=place]").all()][:3] == ["", "1", "2"]
        for number in (3, 1):
            hand.act("a label", keys[number])
    hand.act("Decide", "2" if kind == "preference" else "Enter")
    hand.said(f"for item {item}")
    wanted = {"set": scale, "score": 2.5, "preference": dict(enumerate(scale)).get(1)}.get(kind, scale[::-1])
    assert json.loads(rows(lead, item)[-1].after) == wanted
    assert hand.found == []


def test_units_of_a_text(town: Town, context: Any, mode: Mode) -> None:
    lead = town.servers["spans"]
    hand = entered(context, mode, lead)
    hand.go("Decide")
    hand.page.locator(".text.marking").wait_for()
    item, here = hand.item, hand.page.locator(".unit.here .name")

    def stands(words: str) -> None:
        here.filter(has_text=re.compile(f"^{words}$")).wait_for()

    def units(number: int) -> None:
        word = "this unit" if number == 1 else f"these {number} units"
        hand.page.locator("#decision", has_text=f"Decide {word}").wait_for()

    hand.act("Show what was marked", "v")
    hand.page.get_by_text("2 of 3 marked it").first.wait_for()
    hand.examined("spans")
    stands("Captain Nia Rask")
    for name, key, words in (
        ("accept", "a", "Captain Nia Rask"),
        ("its beginning a word to the right", "w", "Nia Rask"),
        ("its end a word to the right", "p", "Nia Rask brought"),
        ("its end a word to the left", "o", "Nia Rask"),
        ("its end a character to the right", "ArrowRight", "Nia Rask "),
        ("its end a character to the left", "ArrowLeft", "Nia Rask"),
    ):
        hand.act(name, key)
        stands(words)
    hand.act("split", "k")
    units(3)
    hand.write("Comment", "is a rank a name?")
    hand.button("Keep the comment without deciding")
    hand.said(f"Your comment on item {item} is kept")
    units(3)
    hand.act("merge", "j")
    units(2)
    hand.act("another label", "2")
    hand.page.locator(".unit.here", has_text="ORG").wait_for()
    hand.act("take the last step back", "b")
    hand.page.locator(".unit.here", has_text="PER").wait_for()
    hand.act("mark the next word", "i")
    units(3)
    hand.act("delete", "x")
    units(2)
    hand.act("Decide", "Enter")
    hand.said("PER 8–16, LOC 40–46")
    assert json.loads(rows(lead, item)[-1].after) == [[[8, 16], "PER"], [[40, 46], "LOC"]]
    assert hand.found == []


def test_an_export_that_grows_is_told_while_it_is_looked_at(town: Town, context: Any, mode: Mode) -> None:
    hand = entered(context, mode, town.servers["watched"])
    hand.page.get_by_role("heading", name="What is new").wait_for()
    number = 2 + MODES.index(mode)  # what is told differs from what was told before
    with town.export.open("a", encoding="utf-8") as file:
        new = ((f"{mode} {place}", who, ("no", "yes")[place % 2]) for place in range(number) for who in ("ana", "ben"))
        file.write("".join(f"{item},{who},{label},2026-03-24T10:00:00\n" for item, who, label in new))
    hand.page.locator('[data-live="news"]', has_text=f"{number} new items").wait_for()
    hand.go("Report")
    hand.whole()
    weekly = hand.page.locator("section#weeks")
    weekly.get_by_text("in the week of 2026-03-23").first.wait_for()
    hand.press(weekly.locator("figure a:visible").nth(1))
    hand.page.wait_for_url(re.compile("week=2026-03-09"))
    hand.page.get_by_text("Items 1 to 10 of 10.").wait_for()
    assert hand.found == []


def test_pictures_are_seen_and_decided(town: Town, context: Any, mode: Mode) -> None:
    hand = entered(context, mode, town.servers["pictures"])
    hand.go("Decide")
    picture = hand.page.get_by_role("img", name="The picture of this item")
    picture.wait_for()
    assert picture.evaluate("async (one) => { await one.decode(); return one.naturalWidth; }") == 1
    hand.examined("picture")
    item = hand.item
    hand.act("the first label", "1")
    hand.said(f"You decided bird for item {item}")
    assert hand.found == []


def test_two_decide_the_same_one_blind_to_the_other(town: Town, context: Any, mode: Mode, browser: Any) -> None:
    lead = town.servers["twice"]
    hand = entered(context, mode, lead)
    hand.go("Decide")
    hand.page.locator("#decision").wait_for()
    item = hand.item
    hand.act("the first label", "1")
    hand.said(f"for item {item}")
    hand.go("People")
    name = f"eve at the {mode}"
    hand.write("Name", name)
    hand.button("Make a link")
    link = hand.page.get_by_label(f"The link of {name}", exact=True).input_value()
    others = mode.context(browser)
    others.set_default_timeout(60_000)
    eve = Hand.at(others, mode, link)
    eve.press(eve.page.locator("main .big"))
    eve.page.get_by_text("a second look: somebody else decided it too").wait_for()
    assert eve.item == item
    eve.act("Show the answers", "v")
    eve.page.get_by_text("annotator 1").first.wait_for()
    assert eve.page.get_by_text("Now it is").count() == 0, "nobody tells how it was decided"
    eve.act("the second label", "2")
    eve.said(f"for item {item}")
    others.close()
    hand.go("Overview")
    hand.page.get_by_text("They come first in your queue").wait_for()
    hand.go("What came of it")
    hand.page.get_by_text(re.compile(r"Decided twice: \d+ items?, .*Both agree on 0")).wait_for()
    hand.page.locator("tr", has_text=item).get_by_text(name).wait_for()
    hand.go("Decide")
    hand.page.get_by_text("Two people decided it differently. What you decide now stands.").wait_for()
    hand.examined("differs")
    hand.act("the first label", "1")
    hand.said(f"for item {item}")
    assert lead.workbench.bench.progress().differ == 0
    assert hand.found + eve.found == []


@pytest.fixture(scope="module")
def published(town: Town) -> Path:
    """What was decided so far, and one item besides, as static pages."""
    bench = town.servers["labels"].workbench.bench
    bench.decide(59, "no", Person("lea", "lead"), "published")
    return accord.publish(bench.study, town.folder / "pages", decisions=bench.log.path, title="Reviews")


def test_published_pages_from_a_folder(published: Path, context: Any, mode: Mode) -> None:
    hand = Hand.at(context, mode, published.as_uri())
    hand.examined("published")
    hand.press(hand.page.locator("section#gold figure a:visible").first)
    hand.page.wait_for_url(re.compile(r"/items/\d+\.html$"))
    hand.page.locator(".item-list > li").first.wait_for()
    hand.examined("published-items")
    hand.go("Adjudication")
    hand.page.get_by_role("heading", name="What was decided").wait_for()
    hand.examined("published-adjudication")
    hand.button("Switch between light and dark")
    other = {"light": "dark", "dark": "light"}[mode.colours]
    assert hand.page.locator("html").get_attribute("data-theme") == other
    assert hand.found == []
