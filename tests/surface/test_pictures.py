"""The pictures of the documentation: each shows what there is now, stands on a page with words for it, and is small."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from accord.agreement.chart_drawing import Chart
from accord.reporting.figures import CHARTS
from tests.surface.test_docs import DOCS, every_page, script

pictured = script("pictured")
SHOWN = re.compile(r"!\[([^\]]*)\]\(([^)\s]+)\)")
LARGEST, ALL = 120_000, 3_000_000  # bytes


def pictures() -> list[Path]:
    return sorted(file for file in pictured.PICTURES.iterdir() if file.suffix in (".png", ".svg"))


def test_no_picture_is_stale() -> None:
    pytest.importorskip("altair")
    stale = pictured.stale()
    assert stale == [], f"these show something else now; look at them after python docs/make_pictures.py: {stale}"


def test_every_file_is_a_picture_that_is_made() -> None:
    assert {file.name for file in pictures()} == set(pictured.texts())


def test_a_picture_of_what_has_changed_is_stale(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    kept = json.loads(pictured.DIGESTS.read_text(encoding="utf-8"))
    monkeypatch.setattr(pictured, "DIGESTS", tmp_path / "digests.json")
    monkeypatch.setattr(pictured, "digests", lambda: {**kept, "queue.png": "another"})
    (tmp_path / "digests.json").write_text(json.dumps(kept), encoding="utf-8")
    assert pictured.stale() == ["queue.png"]
    pictured.keep_digests()
    assert pictured.stale() == []
    monkeypatch.setattr(pictured, "PICTURES", tmp_path)
    assert pictured.stale() == list(kept), "a picture that is not there"


def test_every_picture_stands_on_a_page_with_words_for_it() -> None:
    used: Counter[Path] = Counter()
    for page in every_page():
        for words, to in SHOWN.findall(page.read_text(encoding="utf-8")):
            used[(page.parent / to).resolve()] += 1
            assert len(words) > 15, f"{page.name} shows {to} without words"
    assert [file.name for file in pictures() if not used[file.resolve()]] == []
    assert [file for file in used if not file.is_file()] == []


def test_pictures_are_small_and_ask_nothing_from_elsewhere() -> None:
    sizes = {file.name: file.stat().st_size for file in pictures()}
    assert [name for name, size in sizes.items() if size > LARGEST] == []
    assert sum(sizes.values()) < ALL
    for file in pictures():
        if file.suffix == ".svg":
            drawn = file.read_text(encoding="utf-8").replace("http://www.w3.org/", "")
            assert "http" not in drawn, file.name


def test_a_chart_stands_on_the_page_that_explains_it_and_on_no_other() -> None:
    guides = "\n".join(page.read_text(encoding="utf-8") for page in DOCS.glob("*.md") if ".in." not in page.name)
    assert {name: guides.count(f"(pictures/{name}.svg)") for name in pictured.CHARTS} == dict.fromkeys(
        pictured.CHARTS, 1
    )


def test_every_kind_of_chart_has_a_picture(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn: dict[str, str] = {}
    for kind, draw in CHARTS.items():
        monkeypatch.setitem(CHARTS, kind, _noting(drawn, kind, draw))
    pictured._reported.cache_clear()
    for name in pictured.CHARTS:
        pictured.chart(name)
    titles = {title for _, title in pictured.CHARTS.values()}
    assert {drawn[title] for title in titles} == set(CHARTS)


def _noting(drawn: dict[str, str], kind: str, draw: Callable[..., Chart]) -> Callable[..., Chart]:
    """A chart as it is drawn, and its kind noted by its title."""

    def noted(*parts: Any, **options: Any) -> Chart:
        chart = draw(*parts, **options)
        drawn[" ".join(chart["title"])] = kind
        return chart

    return noted
