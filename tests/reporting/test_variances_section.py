"""The report's section on whose number a score is."""

from __future__ import annotations

from pathlib import Path

import accord
from accord.reporting.context import Context
from accord.reporting.sections import variances

EXAMPLE = Path(__file__).parents[2] / "examples" / "scored-answers.csv"


def test_it_tells_shares_components_every_form_and_annotators_needed() -> None:
    context = Context(accord.read(EXAMPLE))
    assert variances.needs(context)
    section = variances.build(context)
    assert "Of the variance of one score, 77% item, 9% annotator, 14% left over" in section.markdown
    assert "| ICC(A,1) | ICC(2,1) | 0.766 |" in section.markdown
    assert "Report ICC(A,1) where" in section.markdown.replace("\\", "")
    assert "annotators for a mean score with reliability 0.8" in section.html


def test_scores_that_are_all_the_same_have_no_such_section() -> None:
    study = accord.Study.from_wide([[3.0, 3.0], [3.0, 3.0], [3.0, 3.0]], answers="score")
    context = Context(study)
    assert not variances.needs(context)
    assert context.main.undefined
