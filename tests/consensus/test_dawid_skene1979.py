"""Dawid & Skene 1979: the anaesthetists, whose first observer answered three times."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose

import accord
from accord import Gold, Study

TABLE: dict[str, Any] = json.loads(Path(__file__).with_name("dawid_skene_1979.json").read_text(encoding="utf-8"))
COUNTS = np.array(TABLE["counts"])


def patients() -> Study:
    item, observer, answer = np.nonzero(COUNTS)
    often = COUNTS[item, observer, answer]
    rows = {"item": item, "annotator": [f"observer {place + 1}" for place in observer], "label": answer + 1}
    repeated = {name: np.repeat(np.asarray(column), often) for name, column in rows.items()}
    return Study(repeated, duplicates="repeat", labels=[1, 2, 3, 4])


@pytest.fixture(scope="module")
def gold() -> Gold:
    return accord.gold(patients(), method="dawid-skene", prior="none")


def test_the_shares_of_the_classes_are_the_published_ones(gold: Gold) -> None:
    shares = gold.outcomes[0].shares
    assert shares is not None
    assert_allclose(shares, [0.40, 0.42, 0.11, 0.07], atol=5e-3)
    assert_allclose(shares, [0.3996, 0.4220, 0.1118, 0.0667], atol=5e-5)


def test_the_log_likelihood_is_reached_and_never_falls(gold: Gold) -> None:
    assert gold.log_likelihood == pytest.approx(-192.8909, abs=5e-5)
    assert gold.progress is not None
    assert gold.progress.trace[0] == pytest.approx(TABLE["first_log_likelihood"], abs=1e-9)
    assert (np.diff(gold.progress.trace) >= 0).all()
    assert gold.progress.converged


def test_the_confusion_tables_of_the_observers_are_reproduced(gold: Gold) -> None:
    confusion = gold.outcomes[0].confusion
    assert confusion is not None
    assert_allclose(confusion, TABLE["confusion"], atol=2e-4)
    table = gold.confusion("observer 1")
    assert table.columns == ("label", "says 1", "says 2", "says 3", "says 4")
    assert_allclose(table["says 1"], np.array(TABLE["confusion"])[0, :, 0], atol=2e-4)


def test_the_posteriors_are_reproduced(gold: Gold) -> None:
    assert_allclose(gold.soft(), TABLE["posteriors"], atol=2e-4)


def test_repeated_answers_count(gold: Gold) -> None:
    assert gold.study.n_annotations == COUNTS.sum() == 315
    once = accord.gold(
        patients().of_annotators([f"observer {n}" for n in range(2, 6)]), method="dawid-skene", prior="none"
    )
    assert once.log_likelihood != pytest.approx(gold.log_likelihood)


def test_a_prior_gives_the_mode_of_the_posterior() -> None:
    found = accord.gold(patients(), method="dawid-skene", prior=(2.0, 0.5), tolerance=1e-12)
    assert found.progress is not None
    assert found.progress.objective == "log posterior"
    assert (np.diff(found.progress.trace) >= -1e-9).all()
    assert found.log_likelihood < -192.8909  # what the likelihood alone prefers is elsewhere
