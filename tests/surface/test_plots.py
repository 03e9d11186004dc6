"""Charts as a user meets them: in a notebook, or saved by Altair's own means."""

from __future__ import annotations

import accord
from accord.agreement import charts


def test_a_chart_that_is_shown_has_colours_and_not_the_pages_placeholders() -> None:
    study = accord.Study.from_pairs(["a", "b", "a", "b"], ["a", "b", "b", "b"])
    for chart in (accord.cohen_kappa(study).plot(), accord.measure(study).plot()):
        drawn = chart.to_json()
        assert not [colour for colour in charts.PLAIN if colour in drawn]
        assert charts.PLAIN[charts.ACCENT] in drawn
