"""The page in a browser: sorting, searching, copying, themes, keyboard, print, a telephone; nothing from outside."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import accord
from tests.findings.studies import confusing
from tests.reporting.hostile import GROUP, HOSTILE, hostile_study
from tests.reporting.pages import STUDIES

pytestmark = pytest.mark.browser

SERIOUS = ("serious", "critical")
COLOURS = {
    "runOnly": {"type": "rule", "values": ["color-contrast", "link-in-text-block"]},
    "resultTypes": ["violations"],
}
# Drawn alike on every page: their dark colours are looked at on one.
SAME_COLOURS = {"facts", "measured", "coefficients", "labels", "annotators", "items", "gold", "methods"}


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Reports of several kinds of study."""
    folder = tmp_path_factory.mktemp("pages")
    for name in ("single", "ranked", "sets", "suggested", "variables", "counts", "one_label"):
        accord.report(STUDIES[name](), folder / f"{name}.html", title=f"A {name} study")
    accord.report(confusing(1), folder / "confusing.html")
    accord.report(hostile_study(), folder / "hostile.html", title=HOSTILE["script"], by=GROUP, source=HOSTILE["image"])
    return folder


@pytest.fixture
def opened(browser: Any, pages: Path) -> Iterator[Callable[..., Any]]:
    """A function that opens a page; at the end, nothing may have been asked from outside or gone wrong."""
    contexts: list[Any] = []
    problems: list[str] = []

    def open_page(name: str, width: int = 1200, scheme: str = "light", **options: Any) -> Any:
        context = browser.new_context(viewport={"width": width, "height": 900}, color_scheme=scheme, **options)
        contexts.append(context)
        page = context.new_page()
        page.on("request", lambda request: _note_request(request.url, problems))
        page.on("pageerror", lambda error: problems.append(f"error: {error}"))
        page.on("console", lambda said: problems.append(said.text) if said.type == "error" else None)
        page.goto((pages / f"{name}.html").as_uri())
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert problems == []


def _note_request(url: str, problems: list[str]) -> None:
    if not url.startswith(("file:", "data:")):
        problems.append(f"asked for {url}")


def cells(page: Any, column: int) -> list[str]:
    found: list[str] = page.locator(f"#contested tbody tr:not([hidden]) td:nth-child({column})").all_inner_texts()
    return found


def test_a_table_sorts_up_and_down_with_numbers_as_numbers(opened: Callable[..., Any]) -> None:
    page = opened("single")
    head = page.locator("#contested th", has_text="item")
    head.get_by_role("button").click()
    first = cells(page, 1)
    assert first == sorted(first, key=lambda name: int(name[1:]))
    assert head.get_attribute("aria-sort") == "ascending"
    head.get_by_role("button").click()
    assert cells(page, 1) == first[::-1]
    assert head.get_attribute("aria-sort") == "descending"
    value = page.locator("#contested th", has_text="observed")
    value.get_by_role("button").click()
    assert head.get_attribute("aria-sort") is None
    numbers = [float(cell) for cell in cells(page, 2)]
    assert numbers == sorted(numbers)
    assert "Sorted by observed" in page.locator("#status").inner_text()


def test_contested_items_are_searched(opened: Callable[..., Any]) -> None:
    page = opened("single")
    every = len(cells(page, 1))
    page.get_by_label("Search").fill("TEXT OF I8 ".strip())
    assert cells(page, 1) == ["i8"]
    assert page.locator('[data-count="contested"]').inner_text() == f"1 of {every}"
    page.get_by_label("Search").fill("")
    assert len(cells(page, 1)) == every


def test_the_sentence_is_copied(opened: Callable[..., Any]) -> None:
    page = opened("single", permissions=["clipboard-read", "clipboard-write"])
    page.get_by_role("button", name="Copy: For your paper").click()
    page.locator("#status", has_text="Copied").wait_for(state="attached")  # a browser copies in its own time
    assert page.evaluate("navigator.clipboard.readText()") == page.locator("blockquote").first.inner_text()


def test_the_theme_follows_the_system_and_the_button(opened: Callable[..., Any]) -> None:
    def paper(page: Any) -> str:
        return str(page.evaluate("getComputedStyle(document.body).backgroundColor"))

    light, dark = opened("single"), opened("single", scheme="dark")
    assert (paper(light), paper(dark)) == ("rgb(255, 255, 255)", "rgb(18, 22, 28)")
    light.get_by_role("button", name="Switch between light and dark").click()
    assert paper(light) == paper(dark)
    drawn = light.evaluate("getComputedStyle(document.querySelector('.chart .wide svg text')).fill")
    assert drawn == light.evaluate("getComputedStyle(document.body).color"), "charts follow the theme"


@pytest.mark.parametrize(
    "name", ["single", "ranked", "sets", "suggested", "variables", "counts", "one_label", "hostile"]
)
def test_axe_finds_nothing_serious_in_light_and_in_dark(opened: Callable[..., Any], name: str) -> None:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
    page = opened(name, bypass_csp=True)  # the examiner is a script, and the page forbids others
    page.evaluate("document.querySelectorAll('details').forEach((part) => { part.open = true; })")
    examined = axe.run(page).response
    assert len(examined["passes"]) > 20, "the examiner ran"
    shown = page.evaluate("[...document.querySelectorAll('main > section[id]')].map((part) => part.id)")
    own = {"include": [f"#{part}" for part in shown if part not in SAME_COLOURS]}
    page.emulate_media(color_scheme="dark")  # which changes colours and nothing else
    in_dark = axe.run(page, context=None if name == "single" else own, options=COLOURS).response
    assert "color-contrast" in {rule["id"] for rule in in_dark["passes"]}
    found = [*examined["violations"], *in_dark["violations"]]
    assert [(rule["id"], rule["nodes"][0]["html"][:200]) for rule in found if rule["impact"] in SERIOUS] == []


def test_hostile_content_is_text(opened: Callable[..., Any]) -> None:
    page = opened("hostile")
    assert page.evaluate("window.hacked") is None
    assert page.title() == HOSTILE["script"]
    assert page.locator("h1").inner_text() == HOSTILE["script"]
    assert page.locator("main img, main b, main iframe, main script").count() == 0
    assert HOSTILE["image"] in page.locator("#measured").inner_text()
    page.get_by_label("Search").fill("</script>")
    assert len(cells(page, 1)) >= 1


def test_the_policy_blocks_a_script_that_is_not_ours(browser: Any, pages: Path, tmp_path: Path) -> None:
    html = (pages / "single.html").read_text(encoding="utf-8")
    (tmp_path / "foreign.js").write_text("window.foreign = true;", encoding="utf-8")
    foreign = (
        '<script>window.hacked = true</script><script src="foreign.js"></script><p onclick="window.hacked = true">x</p>'
    )
    (tmp_path / "page.html").write_text(html.replace("<main>", f"<main>{foreign}"), encoding="utf-8")
    page = browser.new_page()
    refused: list[str] = []
    page.on("console", lambda said: refused.append(said.text))
    page.goto((tmp_path / "page.html").as_uri())
    page.locator("main > p").first.click()
    assert page.evaluate("[window.hacked, window.foreign]") == [None, None]
    assert sum("Content Security Policy" in line for line in refused) >= 3
    page.close()


@pytest.mark.parametrize(
    "name", ["single", "ranked", "sets", "suggested", "variables", "counts", "one_label", "hostile"]
)
@pytest.mark.parametrize("width", [360, 768])
def test_a_narrow_screen_shows_all_without_scrolling_sideways(
    opened: Callable[..., Any], name: str, width: int
) -> None:
    page = opened(name, width=width)
    page.evaluate("document.querySelectorAll('details').forEach((part) => { part.open = true; })")
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    shown = "narrow" if width < 576 else "wide"
    assert page.locator(f".drawn.{shown} svg").first.is_visible() or page.locator("svg").count() == 0
    wide = page.evaluate(
        "[...document.querySelectorAll('.drawn svg')].map((drawn) => drawn.getBoundingClientRect().width)"
    )
    assert max(wide, default=0) <= width - 30


def test_the_keyboard_reaches_and_works_everything(opened: Callable[..., Any]) -> None:
    page = opened("single")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.textContent") == "Skip to the verdict"
    page.keyboard.press("Enter")
    page.wait_for_url("**#verdict")  # the address changes a moment after the key
    wanted = {"button", "summary", "input", "a"}
    reached: set[str] = set()
    for _ in range(120):
        page.keyboard.press("Tab")
        tag = page.evaluate("document.activeElement.tagName.toLowerCase()")
        reached.add(tag)
        outline = page.evaluate("getComputedStyle(document.activeElement).outlineStyle")
        assert tag == "body" or outline != "none", f"focus on {tag} is not seen"
        if page.evaluate("document.activeElement.closest('th') !== null"):
            page.keyboard.press("Enter")
            assert page.evaluate("document.activeElement.closest('th').getAttribute('aria-sort')") == "ascending"
            break
    assert wanted - {"a"} <= reached


@pytest.mark.parametrize("width", [390, 1280])
def test_the_contents_stay_in_sight(opened: Callable[..., Any], width: int) -> None:
    page = opened("single", width=width)
    page.evaluate("document.getElementById('gold').scrollIntoView()")
    place = page.locator("nav").bounding_box()
    assert -1 <= place["y"] <= 60, "beside or above what is read"
    page.locator('nav a[aria-current][href="#gold"]').wait_for(
        state="attached"
    )  # a function would be text to evaluate, which the page forbids


def test_a_link_unfolds_the_row_it_leads_to_and_the_row_leads_back(opened: Callable[..., Any]) -> None:
    page = opened("confusing")
    link = page.locator('.finding a[href^="#labels-"]').first
    row = page.locator(str(link.get_attribute("href")))
    assert not row.is_visible(), "the numbers behind a chart are folded"
    link.click()
    row.wait_for(state="visible")
    row.locator('a[href^="#finding-"]').first.click()
    page.wait_for_url("**#finding-*")


def test_a_table_that_goes_on_shows_a_shadow(opened: Callable[..., Any]) -> None:
    page = opened("sets", width=390)
    tables = page.locator("#sets .scroll")
    assert page.evaluate(
        "[...document.querySelectorAll('#sets .scroll')].some((one) => one.scrollWidth > one.clientWidth)"
    )
    assert "radial-gradient" in tables.first.evaluate("(one) => getComputedStyle(one).backgroundImage")


def test_a_warning_has_a_colour_that_nothing_else_has(opened: Callable[..., Any]) -> None:
    page = opened("confusing")
    mark = "(one) => getComputedStyle(one).backgroundColor"
    assert page.locator(".finding.warning .mark").first.evaluate(mark) != page.locator(
        ".finding.note .mark"
    ).first.evaluate(mark)


def test_print_is_black_on_white_and_leaves_out_what_is_for_the_hand(
    opened: Callable[..., Any], tmp_path: Path
) -> None:
    page = opened("single", scheme="dark")
    page.emulate_media(media="print")
    assert page.evaluate("getComputedStyle(document.body).color") == "rgb(0, 0, 0)"
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    assert not page.locator("nav").is_visible()
    assert page.locator(".drawn.wide svg").first.is_visible()
    page.pdf(path=str(tmp_path / "page.pdf"))
    assert (tmp_path / "page.pdf").read_bytes()[:5] == b"%PDF-"


@pytest.mark.parametrize("kind", ["svg", "png"])
def test_a_chart_is_saved(opened: Callable[..., Any], kind: str, tmp_path: Path) -> None:
    page = opened("single")
    page.locator("#coefficients details summary").first.click()
    with page.expect_download() as waiting:
        page.locator(f'#coefficients .saves[data-as="{kind}"]').click()
    waiting.value.save_as(tmp_path / "chart")
    saved = (tmp_path / "chart").read_bytes()
    assert saved.startswith(b"<svg" if kind == "svg" else b"\x89PNG")
    assert b"var(--" not in saved
