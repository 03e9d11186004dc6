"""Gaps that go with labels: found where answers are missing by what they would have been, and nowhere else."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from accord import Study
from accord.findings.explaining import explain
from accord.findings.gaps_by_label import gaps_of
from accord.findings.study_view import View
from accord.measures.measure_all import among_annotators

NAMES = np.array(list("abc"), dtype=object)


def skipped(seed: int, *, skips: float, usual: float = 0.1, items: int = 200, people: int = 3) -> Any:
    """Answers to “b” are left out with a chance of their own, all others with the usual one."""
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, 3, (items, 1))
    said = np.where(rng.random((items, people)) < 0.85, truth, rng.integers(0, 3, (items, people)))
    cells = NAMES[said]
    cells[rng.random(cells.shape) < np.where(truth == 1, skips, usual)] = None
    return cells


def one_with_a_habit(seed: int) -> Any:
    """Somebody who prefers “a” answered few items, whatever they are: no gap goes with a label."""
    rng = np.random.default_rng(seed)
    cells = skipped(seed, skips=0.1)
    cells[:, 0] = np.where(rng.random(len(cells)) < 0.4, "a", cells[:, 0])
    cells[rng.random(len(cells)) < 0.6, 0] = None
    return cells


def p_of(study: Study) -> float:
    found = gaps_of(View(study, among_annotators(study), 0.7))
    return 1.0 if found is None else float(found.p.min()) * found.n_tests


def test_answers_that_are_missing_by_label_are_a_warning_with_what_to_do() -> None:
    for seed in range(10):
        (finding,) = explain(Study.from_wide(skipped(seed, skips=0.4)))["gaps-go-with-labels"]
        assert (finding.severity, finding.labels) == ("warning", ("b",))
        assert finding.evidence[0].value < finding.evidence[1].value
        assert "item_weight" in finding.remedy


def test_the_numbers_are_those_of_the_table() -> None:
    cells = skipped(1, skips=0.4)
    there = cells != None  # noqa: E711 - by cell
    answered = there.sum(1)
    share = np.array([np.mean(row[kept] == "b") if kept.any() else 0.0 for row, kept in zip(cells, there, strict=True)])
    (finding,) = explain(Study.from_wide(cells))["gaps-go-with-labels"]
    own, others, items = (one.value for one in finding.evidence)
    assert items == pytest.approx(share.sum())
    assert own == pytest.approx(share @ answered / share.sum())
    rest = np.where(answered > 0, 1 - share, 0.0)
    assert others == pytest.approx(rest @ answered / rest.sum())


@pytest.mark.parametrize(
    "make", [lambda seed: skipped(seed, skips=0.2, usual=0.2), one_with_a_habit], ids=["alike", "a habit"]
)
def test_gaps_that_have_nothing_to_do_with_labels_are_no_finding(make: Callable[[int], Any]) -> None:
    p = np.array([p_of(Study.from_wide(make(seed))) for seed in range(60)])
    assert (p < 0.05).sum() <= 7  # 5 in 100 are 3 in 60


def test_clusters_with_gaps_and_labels_of_their_own_are_one_draw_each() -> None:
    sure = {True: 0, False: 0}
    for seed in range(30):
        rng = np.random.default_rng(seed)
        rows = []
        for document in range(20):
            gap, marginals = rng.choice([0.05, 0.5]), rng.dirichlet([0.7] * 3)
            for item in range(10):
                truth = rng.choice(3, p=marginals)
                rows += [
                    {"item": f"{document}-{item}", "annotator": who, "label": NAMES[truth], "document": document}
                    for who in "xyz"
                    if rng.random() >= gap
                ]
        for known in sure:
            sure[known] += p_of(Study(rows, cluster="document" if known else None)) < 0.05
    assert sure[True] <= 4 < sure[False]


def test_without_gaps_nothing_is_asked() -> None:
    found = explain(Study.from_wide(skipped(0, skips=0.0, usual=0.0)))
    assert not any("gaps" in family.what for family in found.tests)


def test_counts_without_names_have_gaps_as_well() -> None:
    rng = np.random.default_rng(3)
    truth = rng.integers(0, 3, 200)
    answers = rng.binomial(4, np.where(truth == 1, 0.6, 0.95))
    counts = np.array([rng.multinomial(r, np.eye(3)[t] * 0.7 + 0.1) for r, t in zip(answers, truth, strict=True)])
    found = explain(Study.from_counts(counts[answers > 0], labels=["a", "b", "c"]))
    assert found["gaps-go-with-labels"][0].labels == ("b",)
