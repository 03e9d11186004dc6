"""Findings about scores: planted faults are told of who has them, and honest studies show none.

benchmarks/score_faults.py counts the same over hundreds of studies.
"""

from __future__ import annotations

import math

import numpy as np
import pytest

import accord
from accord.coefficients.standard_errors import of_correlation
from benchmarks.score_faults import CULPRIT, FAULTS, NAMES, honest, on_scale, study_of


@pytest.mark.parametrize("name", FAULTS)
def test_a_planted_fault_is_told_of_who_has_it(name: str) -> None:
    rng = np.random.default_rng(3)
    scores = honest(rng, 200, 5)
    FAULTS[name](scores, rng)
    found = accord.explain(study_of(on_scale(scores, rng, 7, 0.1))).warnings
    mine = [one for one in found if one.name in NAMES]
    assert [one.annotators for one in mine] == [(f"a{CULPRIT}",)] * len(mine)
    assert name in [one.name for one in mine]


@pytest.mark.parametrize("seed", range(6))
def test_an_honest_study_accuses_nobody(seed: int) -> None:
    rng = np.random.default_rng(seed)
    found = accord.explain(study_of(on_scale(honest(rng, 60, 4), rng, 5, 0.1)))
    assert [one.name for one in found.warnings if one.name in NAMES] == []


def test_of_two_annotators_nobody_is_called_severe() -> None:
    rng = np.random.default_rng(0)
    truth = rng.normal(5, 1, 60)
    found = accord.explain(accord.Study.from_pairs(truth, truth - 1.5 + rng.normal(0, 0.5, 60), answers="score"))
    one = next(one for one in found.warnings if one.name == "annotator-severity")
    assert "two annotators do not tell" in one.says
    assert set(one.annotators) == {"1", "2"}


def test_one_impression_in_several_variables_is_a_halo() -> None:
    rng = np.random.default_rng(2)
    rows: list[dict[str, object]] = []
    for item in range(80):
        truth = rng.normal(0, 1, 3)
        for who in range(4):
            noise = rng.normal(0, 0.8, 3) if who != CULPRIT else np.full(3, rng.normal(0, 0.8)) + rng.normal(0, 0.2, 3)
            given = dict(zip(("tone", "length", "style"), truth + noise, strict=True))
            rows += [{"item": item, "annotator": f"a{who}", "task": name, "score": one} for name, one in given.items()]
    study = accord.Study(rows, item="item", annotator="annotator", score="score", task="task")
    found = accord.explain(study)
    assert [one.annotators for one in found.warnings if one.name == "halo"] == [(f"a{CULPRIT}",)]
    table = accord.annotators_on_scale(study)
    by_person = {row["annotator"]: row["halo"] for row in table}
    assert by_person[f"a{CULPRIT}"] > 0.6
    assert max(value for who, value in by_person.items() if who != f"a{CULPRIT}") < 0.3


def test_few_items_judge_nobody() -> None:
    found = accord.explain(accord.Study.from_wide([[1.0, 2.0, 5.0], [2.0, 3.0, 1.0], [3.0, 1.0, 2.0]], answers="score"))
    assert any(one.what == "how annotators use the scale" for one in found.not_looked_at)


def test_scores_below_chance_are_told_in_the_words_of_scores() -> None:
    rng = np.random.default_rng(5)
    truth = rng.normal(5, 1, 60)
    table = np.stack((truth, 10 - truth), axis=1) + rng.normal(0, 0.2, (60, 2))
    found = accord.explain(accord.Study.from_wide(np.round(table, 1), answers="score"))
    below = next(one for one in found if one.name == "below-chance")
    assert "scores of one item lie further apart" in below.says
    assert "label" not in below.says + below.remedy


def test_an_error_of_a_correlation_is_told_one_way() -> None:
    """That of the correlation itself, not that of Fisher's z, in which only the limits are found."""
    rng = np.random.default_rng(3)
    truth = rng.normal(50, 12, 60)
    cells = np.round(truth[:, None] + rng.normal(0, 6, (60, 4)))
    cells[:, 3] = 100 - cells[:, 3]
    study = accord.Study.from_wide(cells, answers="score")
    finding = next(one for one in accord.explain(study) if one.name == "scores-backwards")
    found = finding.evidence[0]
    assert found.interval is not None
    assert found.interval.se == pytest.approx((1 - found.value**2) / math.sqrt(59))
    r = float(np.corrcoef(cells[:, 3], cells[:, 0])[0, 1])
    scored = accord.gold(study.of_annotators(["4"])).score(dict(enumerate(cells[:, 0])))
    span = scored.interval
    assert span.se == pytest.approx((1 - r * r) / math.sqrt(59))
    assert (span.low, span.high, span.se) == pytest.approx(of_correlation(r, 60))
    assert (span.method, found.interval.method) == ("fisher", "fisher")
