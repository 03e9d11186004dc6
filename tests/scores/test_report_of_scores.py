"""The report's section on how annotators use the scale."""

from __future__ import annotations

from pathlib import Path

import numpy as np

import accord


def test_the_report_shows_spread_severity_and_limits(tmp_path: Path) -> None:
    rng = np.random.default_rng(3)
    scores = np.clip(np.round(rng.normal(3, 1, (40, 1)) + np.array([0, 0.5, -0.8]) + rng.normal(0, 0.6, (40, 3))), 1, 5)
    study = accord.Study.from_wide({"ana": scores[:, 0], "ben": scores[:, 1], "cleo": scores[:, 2]}, answers="score")
    text = accord.report(study, tmp_path / "report.md").read_text(encoding="utf-8")
    for told in ("## Annotators on the scale", "How each annotator's scores are spread", "Severity is how far below",
                 "The chart shows the two who differ most", "many-facet rating-scale model"):  # fmt: skip
        assert told in text
    glance, verdict = (text.split(f"## {title}")[1].split("\n## ")[0] for title in ("At a glance", "Verdict"))
    main = accord.measure(study).recommended
    assert main.title in glance  # one headline number, that of the verdict
    assert main.title in verdict
    page = accord.report(study, tmp_path / "report.html").read_text(encoding="utf-8")
    assert 'id="scale-use"' in page
    assert "ben less cleo" in page


def test_two_annotators_with_one_item_have_a_report(tmp_path: Path) -> None:
    study = accord.Study.from_pairs([1.5], [2.5], answers="score")
    assert accord.report(study, tmp_path / "report.md").exists()


def test_a_distance_is_not_held_against_a_target_of_agreement(tmp_path: Path) -> None:
    study = accord.Study.from_wide(np.full((6, 3), 3.5), answers="score")
    found = accord.measure(study)
    assert found.recommended.measure == "icc"
    assert "All scores are the same" in found.advice
    text = accord.report(study, tmp_path / "report.md").read_text(encoding="utf-8")
    assert "Intraclass correlation (A,1) is undefined. All scores are the same" in text
    assert "below the target" not in text
