"""The site: built without a warning, whole without a request to others, and every public name can be linked to."""

from __future__ import annotations

import re
import warnings
from pathlib import Path

import pytest

import accord
from accord.measures.registered import MEASURES
from tests.surface.test_docs import DOCS, reference, script

pytestmark = pytest.mark.slow

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
    wanted = {f"accord.{name}" for name in (*MEASURES, "read", "Study", "measure", "Agreement", "gold", "report")}
    assert wanted <= names
    assert {f"accord.judge.{name}" for name in accord.judge.__all__} <= names


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


def test_every_page_that_somebody_wrote_ends_with_what_to_read_next() -> None:
    made = reference.written()
    written = [page for page in DOCS.glob("*.md") if page not in made and ".in." not in page.name]
    silent = [page.name for page in written if "**Read next:**" not in page.read_text(encoding="utf-8")[-400:]]
    assert silent == ["index.md"]
