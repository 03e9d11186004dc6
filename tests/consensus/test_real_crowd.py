"""Snow et al. 2008: recognising textual entailment, answered by a crowd."""

from __future__ import annotations

import csv

import pytest

import accord
from accord import Study
from tests.shared import DATA

pytestmark = pytest.mark.shared


def rows(name: str) -> list[dict[str, str]]:
    with (DATA / "snow2008_rte" / name).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


@pytest.fixture(scope="module")
def study() -> Study:
    return Study(rows("long.csv"))


@pytest.fixture(scope="module")
def truth() -> dict[str, str]:
    return {row["item"]: next(value for name, value in row.items() if name != "item") for row in rows("gold.csv")}


@pytest.mark.parametrize(
    ("method", "accuracy"),
    [
        ("majority", 0.896875),  # expected under random ties
        ("worker-agreement", 0.92125),
        ("one-coin", 0.9250),
        ("dawid-skene", 0.9275),
        ("mace", 0.92625),
        ("glad", 0.9250),
    ],
)
def test_the_reproduced_accuracies(study: Study, truth: dict[str, str], method: str, accuracy: float) -> None:
    score = accord.gold(study, method=method).score(truth)
    assert score.n_items == 800
    assert score.accuracy == pytest.approx(accuracy, abs=1.3e-3)  # one item


def test_auto_chooses_a_model_that_does_at_least_as_well(study: Study, truth: dict[str, str]) -> None:
    gold = accord.gold(study, rng=0)
    assert gold.method == "dawid-skene"
    assert gold.score(truth).accuracy >= 0.92


def test_the_likelihood_an_answer_is_the_true_one(study: Study) -> None:
    gold = accord.gold(study, method="dawid-skene")
    assert gold.log_likelihood / 8000 == pytest.approx(-0.4600, abs=5e-5)
