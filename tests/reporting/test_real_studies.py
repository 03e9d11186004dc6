"""Reports of real studies: single labels, a crowd, sets, suggestions, many variables, scores."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import accord
from tests.reporting.pages import Page
from tests.shared import DATA

ALWAYS = {"facts", "todo", "verdict", "measured", "coefficients", "findings", "methods"}
REPORTS: list[tuple[str, dict[str, Any], set[str]]] = [
    ("linkedin_posts/long.csv", {}, {"labels", "annotators", "items", "gold"}),
    ("snow2008_rte/long.csv", {}, {"labels", "annotators", "items", "gold"}),
    ("presto_types/long_131.csv", {"answers": "set"}, {"labels", "annotators", "items", "sets", "gold"}),
    ("presto_distortion/original/presto_distortion.jsonl", {}, {"labels", "annotators", "items", "gold"}),
    (
        "snow2008_affect/long.csv",
        {"task": "label", "score": "score", "answers": "score"},
        {"groups", *(f"v{place}" for place in range(1, 7))},
    ),
    (
        "snow2008_wordsim/long.csv",
        {"score": "score", "answers": "score"},
        {"annotators", "items", "variances", "scores", "scale-use"},
    ),
]


@pytest.mark.shared
@pytest.mark.slow
@pytest.mark.parametrize(("name", "how", "sections"), REPORTS, ids=[name for name, *_ in REPORTS])
def test_a_real_study_has_its_page(tmp_path: Path, name: str, how: dict[str, Any], sections: set[str]) -> None:
    study = accord.read(DATA / name, **how)
    path = accord.report(study, tmp_path / "report.html", anonymise=True)
    assert path.stat().st_size < 3_000_000
    page = Page(path.read_text(encoding="utf-8"))
    assert set(page.sections) - {"suggested"} == ALWAYS | sections
    names = {who for part in study.tasks.values() or [study] for who in part.annotators}
    shown = set(page.text.replace(",", " ").replace(":", " ").split())
    assert not {who for who in names if len(who) > 3} & shown, "an anonymous page names nobody"
