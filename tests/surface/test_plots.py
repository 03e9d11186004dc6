"""Charts as a user meets them: in a notebook, or saved by Altair's own means."""

from __future__ import annotations

import math
from typing import Any

import pytest

import accord
from accord.agreement.chart_drawing import ACCENT, PLAIN, in_notebook
from accord.reporting.figures import CHARTS

PARTS: dict[str, tuple[Any, ...]] = {
    "forest": ([("ana", 0.5, 0.4, 0.6), ("ben", 0.2, math.nan, math.nan)], "title"),
    "verdict": ([(0.0, 0.4, "fair"), (0.4, 0.41, "hardly any room"), (0.41, 1.0, "good")], 0.5, 0.4, 0.6, "title"),
    "heat_map": ([("a", "b", 0.25, "25%"), ("b", "a", 0.5, "50%")], "title", "across", "down"),
    "shares": ([("ana", "yes", 0.5), ("ben", "no", 0.25)], "title", "share"),
    "histogram": ([0.05, 0.95], [3, 4], "title", "agreement", "items"),
    "curve": ([(0.5, 0.2, 0.1, 0.3), (1.0, 0.4, math.nan, math.nan)], "title", "across", "down"),
    "bars": ([("a", 3), ("b", 4)], "title", "number"),
    "differences": ([(3.0, -1.0, 2), (4.0, 0.5, 1)], [("bias", -0.2, -0.6, 0.2)], "title", "mean", "difference"),
    "spread": ([("ana", 1.0, 2.0, 3.0, 4.0, 5.0)], "title", "score"),
    "strengths": ([("a", 0.5, 0.1, 0.9, 1), ("b", -0.5, -0.9, -0.1, 2)], "title", "strength"),
}


def test_a_chart_that_is_shown_has_colours_and_not_the_pages_placeholders() -> None:
    study = accord.Study.from_pairs(["a", "b", "a", "b"], ["a", "b", "b", "b"])
    for chart in (accord.cohen_kappa(study).plot(), accord.measure(study).plot()):
        drawn = chart.to_json()
        assert not [colour for colour in PLAIN if colour in drawn]
        assert PLAIN[ACCENT] in drawn


@pytest.mark.parametrize("kind", CHARTS)
@pytest.mark.parametrize("width", [720, 320])
def test_every_chart_is_what_altair_takes_for_a_chart(kind: str, width: int) -> None:
    shown = in_notebook(CHARTS[kind](*PARTS[kind], width=width))
    described = shown.to_dict()  # checked against Vega-Lite's schema
    assert described.keys() & {"layer", "concat"}
    assert " ".join(described["title"]) == "title"
