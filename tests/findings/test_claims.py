"""What findings may claim: nothing against somebody that is merely not known, nothing without an interval."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import accord
from accord import Study
from accord.agreement.result import Agreement
from accord.agreement.uncertainty import Interval
from accord.findings.explaining import explain
from accord.findings.findings_result import Findings
from tests.findings.studies import grid

WHY = "Two items hold another answer than “a”, and two tell nothing of an error. Annotate more items."


def _refused(_result: Agreement, *_: Any, **__: Any) -> Interval:
    return Interval(math.nan, math.nan, math.nan, 0.95, "analytic", undefined=WHY)


@pytest.fixture
def no_interval(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every interval is refused, as where few items tell of an error."""
    monkeypatch.setattr(Agreement, "interval", _refused)


@pytest.mark.usefixtures("no_interval")
@pytest.mark.parametrize("error", [0.05, 0.6], ids=["high", "low"])
def test_without_an_interval_no_target_is_missed_or_reached(error: float) -> None:
    found = explain(Study.from_wide(grid(1, items=60, people=3, labels=4, error=error)), target=0.7)
    assert "low-agreement" not in [one.name for one in found]
    (told,) = found["target-not-shown"]
    assert told.says.endswith(WHY)
    assert "nan" not in str(found).lower().replace("annotator", "")


def test_what_is_not_known_speaks_neither_for_a_cause_nor_against_it() -> None:
    rng = np.random.default_rng(0)
    truth = rng.integers(0, 4, 200)[:, None]
    knows = np.array([0.35, 0.9, 0.9])
    cells = np.where(rng.random((200, 3)) < knows, truth, rng.integers(0, 4, (200, 3)))
    found = explain(Study.from_wide(cells))
    cause = found.causes[0]
    assert cause.name == "unreliable-annotator"
    assert any("When answers were given" in text for text in cause.not_known)
    for one in found:
        assert not any("not known" in text.lower() for text in (*one.speaks_for, *one.speaks_against))
    shown = found.to_text()
    assert "not known: When" in " ".join(shown.split()).replace("known: Whether", "known: When")
    assert cause.to_dict()["not_known"] == list(cause.not_known)
    assert "Not known: " in found._repr_html_()


def _prevalence(found: Any) -> dict[str, Any]:
    return next(row for row in found.to_table() if row["index"] == "prevalence index")


def test_a_prevalence_index_below_zero_has_a_meaning_that_fits() -> None:
    often = accord.findings.prevalence_and_bias(Study.from_confusion([[80, 10], [5, 5]], labels=["yes", "no"]))
    seldom = accord.findings.prevalence_and_bias(Study.from_confusion([[5, 5], [10, 80]], labels=["yes", "no"]))
    assert _prevalence(often)["value"] == pytest.approx(0.75)
    assert _prevalence(seldom)["value"] == pytest.approx(-0.75)
    for row in map(_prevalence, (often, seldom)):
        assert row["meaning"] == "0: labels used evenly; 1: “yes” takes all; −1: “no” takes all"
    three = accord.findings.prevalence_and_bias(["a", "b", "c", "a"], ["a", "b", "b", "a"])
    assert _prevalence(three)["meaning"] == "0: labels used evenly; 1: one label takes all"


def _told(found: Findings, *names: str) -> str:
    return " ".join(one.says for one in found if one.name in names)


def test_prevalence_is_told_with_the_coefficient_of_the_headline() -> None:
    constant = explain(["x"] * 15, ["x"] * 13 + ["y"] * 2)  # Cohen's kappa is 0, Siegel & Castellan's is not
    told = _told(constant, "uneven-prevalence", "high-agreement-low-kappa")
    assert "Cohen's kappa" in constant.headline
    assert "Cohen's kappa" in told
    with_gaps = explain(
        [["a", "a", "a"]] * 60 + [["a", "a", "b"]] * 8 + [["b", "b", None]] * 4 + [["a", None, "b"]] * 3
    )
    told = _told(with_gaps, "uneven-prevalence", "high-agreement-low-kappa")
    assert "Krippendorff's alpha" in with_gaps.headline
    assert "Krippendorff's alpha" in told


def test_of_two_clusters_of_two_both_are_named() -> None:
    rng = np.random.default_rng(4)
    one, other = rng.integers(0, 3, (2, 150))
    cells = np.stack((one, one, other, other), axis=1)
    cells = np.where(rng.random(cells.shape) < 0.08, rng.integers(0, 3, cells.shape), cells)
    (finding,) = explain(Study.from_wide(cells))["annotator-clusters"]
    assert set(finding.annotators) == {"1", "2", "3", "4"}
