"""Makes the pictures of the documentation: a real server, a real browser, the sample studies of accord.

    python docs/make_pictures.py             write docs/pictures: pages as PNG, charts and terminals as SVG

It needs Chromium (or Chrome) and the packages of "accord[dev]". The same steps give the same pictures, but for fonts.
docs/pictured.py lists them, and tells which are stale.
"""

from __future__ import annotations

import importlib
import shutil
import sys
import tempfile
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import accord
from accord.agreement.chart_drawing import svg
from accord.agreement.table_formats import safe
from accord.workbench.bench_options import Note
from accord.workbench.people import Person

sys.path.insert(0, str(Path(__file__).resolve().parent))  # scripts, and no package
pictured = importlib.import_module("pictured")

PICTURES: Path = pictured.PICTURES
EXAMPLES: Path = pictured.ROOT / "examples"
BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
SIZE = {"width": 820, "height": 620}
TALL = {"width": 820, "height": 980}
PHONE = {"width": 390, "height": 700}
DESK = {"width": 1280, "height": 630}
LETTER, LINE, EDGE = 7.83, 18, 16  # of a terminal, in points: a letter of 13 points is so wide


def labels(folder: Path, browser: Any) -> Path:
    """Overview, queue, report, items and what comes of it, of single labels."""
    study = accord.read(EXAMPLES / "five-annotators.csv")
    decisions = folder / "five-annotators.decisions.sqlite"
    with accord.serve(
        study, decisions=decisions, port=0, open_browser=False, name="Noor", title="five-annotators.csv"
    ) as workbench:
        _decide_some(workbench, study)
        page = _entered(browser, workbench.url)
        _take(page, "overview")
        page.goto(_at(workbench.url, "/queue"))
        _take(page, "queue")
        page.keyboard.press("v")
        page.get_by_text("annotator 1").first.wait_for()
        page.set_viewport_size(TALL)  # the answers stand below what is decided
        _take(page, "answers")
        page.set_viewport_size(SIZE)
        page.goto(_at(workbench.url, "/report"))
        page.locator("#parts:not(:has([data-more])) section#methods").wait_for()  # the last; parts come one by one
        _take(page, "report")
        page.locator("section#labels figure").nth(1).scroll_into_view_if_needed()
        page.locator("section#labels figure").nth(1).evaluate("(figure) => figure.scrollIntoView()")
        _take(page, "matrix")
        page.goto(_at(workbench.url, "/items?label=mixed&label=negative"))
        _take(page, "items")
        page.goto(_at(workbench.url, "/after"))
        _take(page, "after")
        page.context.close()
        phone = _entered(browser, workbench.url, viewport=PHONE, color_scheme="dark", has_touch=True, is_mobile=True)
        phone.goto(_at(workbench.url, "/queue"))
        _take(phone, "phone")
        phone.context.close()
    return decisions


def _decide_some(workbench: accord.Workbench, study: accord.Study) -> None:
    """Two people decide a few items each."""
    bench = workbench.bench
    for number in range(9):
        person = Person(("Noor", "Sol")[number % 2])
        place = bench.next_item(person)
        assert place is not None
        note = Note(
            bench.reasons[number % 3], "irony?" if number == 4 else "", unclear=number == 4, seconds=6.0 + number
        )
        bench.decide(place, study.labels[(2 * number) % len(study.labels)], person, f"picture-{number}", note=note)


def spans(folder: Path, browser: Any) -> None:
    """The units of a text."""
    study = accord.read(EXAMPLES / "marked-names.csv")
    file = folder / "marked-names.decisions.sqlite"
    with accord.serve(
        study, decisions=file, port=0, open_browser=False, name="Noor", title="marked-names.csv"
    ) as bench:
        page = _entered(browser, bench.url)
        page.goto(_at(bench.url, "/queue"))
        page.keyboard.press("v")
        page.get_by_text("2 of 3 marked it").first.wait_for()
        page.keyboard.press("ArrowDown")
        page.locator(".unit").nth(1).and_(page.locator(".here")).wait_for()
        _take(page, "spans")
        page.context.close()


def published(folder: Path, browser: Any, decisions: Path) -> None:
    """A page of a publication."""
    study = accord.read(EXAMPLES / "five-annotators.csv")
    first = accord.publish(study, folder / "pages", decisions=decisions, title="Reviews")
    context = browser.new_context(viewport=SIZE)
    page = context.new_page()
    page.goto(first.with_name("adjudication.html").as_uri())
    _take(page, "published")
    context.close()


def reports(folder: Path, browser: Any) -> None:
    """The first screen of a report: on a desk, in the dark, on a phone."""
    page = pictured.write_report(folder)
    devices: dict[str, dict[str, Any]] = {
        "report-desk": {"viewport": DESK},
        "report-dark": {"viewport": DESK, "color_scheme": "dark"},
        "report-phone": {"viewport": PHONE, "has_touch": True, "is_mobile": True},
    }
    for name in pictured.REPORTS:
        context = browser.new_context(**devices[name])
        shown = context.new_page()
        shown.goto(page.as_uri())
        _take(shown, name)
        context.close()


def drawings() -> None:
    """Charts as the report draws them, and what the command prints."""
    for name in (*pictured.CHARTS, *pictured.PLOTS):
        _write(name, svg(pictured.chart(name)))
    for name, arguments in pictured.COMMANDS.items():
        _write(name, terminal(pictured.printed(*arguments)))


def terminal(text: str) -> str:
    """A text as a terminal shows it; blanks are hard ones, for a drawing makes one of several."""
    lines = text.rstrip().split("\n")
    wide, high = round(pictured.COLUMNS * LETTER + 2 * EDGE), len(lines) * LINE + 2 * EDGE
    rows = "".join(
        f'<text x="{EDGE}" y="{EDGE + (place + 0.75) * LINE:g}">{safe(line).replace(" ", "&#160;")}</text>'
        for place, line in enumerate(lines)
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{wide}" height="{high}" viewBox="0 0 {wide} {high}">'
        f'<rect width="{wide}" height="{high}" rx="8" fill="#12161c"/>'
        f'<g fill="#e6e9ee" font-family="ui-monospace, DejaVu Sans Mono, Menlo, Consolas, monospace" font-size="13">'
        f"{rows}</g></svg>\n"
    )


def _write(name: str, drawn: str) -> None:
    (PICTURES / f"{name}.svg").write_text(drawn, encoding="utf-8")
    print(f"docs/pictures/{name}.svg")


def _entered(browser: Any, url: str, **device: Any) -> Any:
    page = browser.new_context(**{"viewport": SIZE, **device}).new_page()
    page.goto(url)
    page.wait_for_url(_at(url, "/"))
    return page


def _at(url: str, path: str) -> str:
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc}{path}"


def _take(page: Any, name: str) -> None:
    page.screenshot(path=PICTURES / f"{name}.png")
    print(f"docs/pictures/{name}.png")


def main() -> None:
    """Make all of them."""
    from playwright.sync_api import sync_playwright

    program = next(filter(None, map(shutil.which, BROWSERS)), None)
    PICTURES.mkdir(exist_ok=True)
    drawings()
    with tempfile.TemporaryDirectory() as held, sync_playwright() as playwright:
        folder = Path(held)
        browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
        decisions = labels(folder, browser)
        spans(folder, browser)
        published(folder, browser, decisions)
        reports(folder, browser)
        browser.close()
    pictured.keep_digests()


if __name__ == "__main__":
    main()
