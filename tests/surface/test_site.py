"""The site: built without a warning, whole without a request to others, and every public name can be linked to."""

from __future__ import annotations

import json
import re
import warnings
from pathlib import Path
from typing import Any

import pytest

import accord
from accord.measures.registered import MEASURES
from tests.surface.test_docs import DOCS, ROOT, script
from tests.surface.test_public_names import PUBLIC

pytestmark = pytest.mark.slow

# One of each kind: where it begins, search, a guide, wide tables, a notebook, a measure, the reference.
KINDS = ("index", "search", "plan", "moving-from", "notebooks/llm-judge", "measures/fleiss_kappa", "reference/gold")
DESK, PHONE = {"width": 1280, "height": 900}, {"width": 390, "height": 800}
BY_LAYOUT = {
    "runOnly": {"type": "rule", "values": ["color-contrast", "link-in-text-block", "scrollable-region-focusable"]}
}  # rules that see colours and sizes; the rest of a page is the same by day and by night
FROM_ELSEWHERE = re.compile(r"""<(?:script|link|img|iframe)[^>]*(?:src|href)=["'](?:https?:)?//[^"']*""")


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site without its gallery: reports are looked at elsewhere."""
    pytest.importorskip("sphinx")
    into = tmp_path_factory.mktemp("built") / "site"
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", PendingDeprecationWarning)  # of MyST about Sphinx, one a link
        assert script("build_site").build(into, samples=()) == 0, "Sphinx warns of something"
    return into


def test_every_page_of_the_docs_is_a_page_of_the_site(site: Path) -> None:
    pages = [page.relative_to(DOCS).with_suffix(".html") for page in DOCS.rglob("*.md") if ".in." not in page.name]
    assert [page for page in pages if not (site / page).is_file()] == []


def test_every_public_name_can_be_linked_to(site: Path) -> None:
    from sphinx.util.inventory import InventoryFile

    known = InventoryFile.loads((site / "objects.inv").read_bytes(), uri="").data
    names = {name for kind, held in known.items() if kind.startswith("py:") for name in held}
    short = ("datasets", "findings", "judge", "multilabel", "planning", "suggestions")
    wanted = {f"accord.{name}" for name in (*MEASURES, *PUBLIC) if name != "AccordError"}  # on the page of errors
    for package in short:
        held = set(getattr(accord, package).__all__) - set(PUBLIC)
        wanted |= {f"accord.{package}.{name}" for name in held}
    assert wanted - names == set()
    assert {"accord.Agreement.interval", "accord.Study.from_wide", "accord.Gold.queue"} <= names


def test_the_four_kinds_of_pages_stand_apart(site: Path) -> None:
    """Tutorials, how-to guides, explanation and reference are what the contents are sorted by."""
    page = (site / "tutorial.html").read_text(encoding="utf-8")
    contents = page.partition('<div class="sidebar-tree">')[2].partition("</div>")[0]
    parts = re.split(r'<p class="caption"[^>]*><span class="caption-text">(.*?)</span></p>', contents)[1:]
    kinds = {
        caption: re.findall(r'href="([^"#]+)\.html', links)
        for caption, links in zip(parts[::2], parts[1::2], strict=True)
    }
    assert list(kinds) == ["Tutorials", "How-to guides", "Explanation", "Reference", "About accord"]
    assert {"notebooks/data-leads-week", "notebooks/reliability-chapter", "notebooks/llm-judge"} <= set(
        kinds["Tutorials"]
    )
    assert {f"from-{tool}" for tool in ("label-studio", "prodigy", "inception", "a-spreadsheet")} <= set(
        kinds["How-to guides"]
    )
    assert {"theory", "uncertainty", "text-zhao"} <= set(kinds["Explanation"])
    assert {"command-line", "measures/index", "reference/results", "glossary"} <= set(kinds["Reference"])
    for caption, links in zip(parts[::2], parts[1::2], strict=True):
        titles = re.findall(r'<a class="[^"]*reference internal" href="[^"#]+">(.*?)</a>', links)
        assert len(titles) == len(set(titles)) > 3, f"two pages of {caption} are called the same"
    every = [page for pages in kinds.values() for page in pages if not page.startswith("measures/")]
    assert len(every) == len(set(every)), "a page is of one kind"


def test_every_page_says_how_long_it_takes(site: Path) -> None:
    pages = [page for page in site.rglob("*.html") if page.parent.name not in ("gallery", "_static")]
    silent = [
        page.relative_to(site).as_posix()
        for page in pages
        if not re.search(r"<em>(?:\d+ minutes? to read</em>|Ten minutes\.)", page.read_text(encoding="utf-8"))
    ]
    assert sorted(silent) == ["genindex.html", "index.html", "search.html"]


def test_nothing_is_asked_from_elsewhere(site: Path) -> None:
    asked = {
        f"{page.relative_to(site)}: {found}"
        for page in site.rglob("*.html")
        for found in FROM_ELSEWHERE.findall(page.read_text(encoding="utf-8"))
    }
    assert asked == set()


def test_formulas_need_no_script(site: Path) -> None:
    page = (site / "measures" / "fleiss_kappa.html").read_text(encoding="utf-8")
    assert '<math xmlns="http://www.w3.org/1998/Math/MathML" display="block">' in page
    assert re.search(r"<script[^>]*mathjax", page, re.IGNORECASE) is None


def test_a_notebook_is_a_page_with_its_charts_and_can_be_taken_along(site: Path) -> None:
    for stored in (DOCS / "notebooks").glob("*.ipynb"):
        assert (site / "notebooks" / stored.name).read_bytes() == stored.read_bytes()
        page = (site / "notebooks" / f"{stored.stem}.html").read_text(encoding="utf-8")
        assert f'href="{stored.name}" download' in page
        assert 'class="shown"' in page


def test_the_gallery_has_a_sentence_for_every_sample_and_for_no_other() -> None:
    page = (DOCS / "gallery.md").read_text(encoding="utf-8")
    listed = re.findall(r'^<li><a href="gallery/(.+?)\.html">(.+?)</a>: .+</li>$', page, re.MULTILINE)
    assert listed == [(one.name, one.title) for one in script("build_site").SAMPLES]


def test_the_site_is_opened_only_where_somebody_would_see_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    builder = script("build_site")
    opened: list[str] = []
    monkeypatch.setattr(builder, "build", lambda into: 0)
    monkeypatch.setattr(builder.webbrowser, "open", opened.append)
    monkeypatch.setattr(builder, "has_screen", lambda: False)
    assert builder.main([str(tmp_path), "--open"]) == 0
    assert (opened, "index.html" in capsys.readouterr().out) == ([], True)
    monkeypatch.setattr(builder, "has_screen", lambda: True)
    builder.main([str(tmp_path)])
    assert opened == []
    builder.main([str(tmp_path), "--open"])
    assert opened == [(tmp_path / "index.html").as_uri()]


def test_a_sample_is_a_whole_report(tmp_path: Path) -> None:
    builder = script("build_site")
    crowd = next(one for one in builder.SAMPLES if one.name == "crowd")
    builder.make_samples([crowd], tmp_path / "gallery")
    page = (tmp_path / "gallery" / "crowd.html").read_text(encoding="utf-8")
    assert "<title>A crowd</title>" in page
    assert "w19" in page, "who presses one key always is named"


@pytest.mark.browser
@pytest.mark.parametrize("name", KINDS)
def test_axe_finds_nothing_on_a_desk_by_day_and_on_a_phone_by_night(site: Path, browser: Any, name: str) -> None:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
    page = browser.new_page(viewport=DESK, color_scheme="light")
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto((site / f"{name}.html").as_uri())
    by_day = axe.run(page).response
    page.set_viewport_size(PHONE)
    page.emulate_media(color_scheme="dark")
    by_night = axe.run(page, options=BY_LAYOUT).response
    too_wide = page.evaluate("document.documentElement.scrollWidth > document.documentElement.clientWidth")
    page.close()
    for found in (by_day, by_night):
        assert len(found["passes"]) >= 2, "the examiner ran"
        assert [(rule["id"], rule["nodes"][0]["html"][:200]) for rule in found["violations"]] == []
    assert not too_wide, "a phone has to be moved sideways"
    assert [url for url in asked if not url.startswith(("file:", "data:"))] == []
    assert any(url.endswith(".css") or ".css?" in url for url in asked), "requests are seen"


@pytest.mark.browser
def test_search_finds_a_page_by_its_words_from_a_folder(site: Path, browser: Any) -> None:
    page = browser.new_page(viewport=DESK)
    page.goto((site / "index.html").as_uri())
    page.locator("input.sidebar-search").fill("missing answers")
    page.keyboard.press("Enter")
    page.locator("#search-results li", has_text="Missing answers").first.wait_for()
    page.close()


@pytest.mark.browser
@pytest.mark.parametrize("name", ["glossary", "moving-from", "reference/gold"])
def test_what_is_wide_is_whole_on_paper(site: Path, browser: Any, name: str) -> None:
    page = browser.new_page(viewport={"width": 720, "height": 1000})  # A4 less its margins
    page.goto((site / f"{name}.html").as_uri())
    page.emulate_media(media="print")
    ends = page.locator("article table, article pre").evaluate_all(
        "all => all.map(one => one.getBoundingClientRect().right)"
    )
    assert len(ends) > 3
    assert max(ends) <= 720
    assert not page.locator(".skip-to-content").is_visible()
    page.close()


@pytest.mark.browser
def test_the_site_is_read_without_a_script(site: Path, browser: Any) -> None:
    context = browser.new_context(java_script_enabled=False, viewport=PHONE, color_scheme="dark")
    page = context.new_page()
    page.goto((site / "measures" / "fleiss_kappa.html").as_uri())
    assert page.get_by_role("heading", level=1).is_visible()
    assert page.locator("math").first.is_visible()
    page.locator("header label[for=__navigation]").click()
    page.locator(".sidebar-tree a", has_text="Scores").first.click()
    page.wait_for_url("**/scores.html")
    assert page.locator("article table").first.is_visible()
    context.close()


def test_every_page_ends_with_what_to_read_next() -> None:
    """The index is where one begins, and the changelog ends with its oldest version."""
    pages = {page: page.read_text(encoding="utf-8") for page in script("build_site").pages()}
    ends = {
        page: words[-400:] if page.suffix == ".md" else str(json.loads(words)["cells"][-1]["source"])
        for page, words in pages.items()
    }
    silent = [page.relative_to(ROOT).as_posix() for page, end in ends.items() if "**Read next:**" not in end]
    assert silent == ["docs/index.md", "CHANGELOG.md"]
