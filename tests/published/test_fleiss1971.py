"""Fleiss (1971) extends kappa to many annotators: six psychiatrists each for thirty patients, five diagnoses.

The six are not the same from patient to patient, so the table is counts. Fleiss worked from shares rounded to
three digits; his expected agreement (.2201 for .2199) and his kappas label by label (.248 for .245) show it.
"""

from __future__ import annotations

import numpy as np
import pytest

import accord
from tests.tables import Figure, load, printed_in


@printed_in("fleiss1971")
def test_accord_computes_what_fleiss_printed(figure: Figure) -> None:
    assert figure.computed() == figure.printed()


def test_kappa_is_the_mean_of_the_labels_kappas_weighted_by_their_variance() -> None:
    table = load("fleiss1971")
    kappa = accord.fleiss_kappa(table.study())
    share = np.array(table.data).sum(axis=0) / np.array(table.data).sum()
    labels = np.array(kappa.by_label()["value"], dtype=float)
    assert kappa.value == pytest.approx(np.average(labels, weights=share * (1 - share)), abs=1e-12)


def test_kappa_is_the_mean_of_the_patients_kappas() -> None:
    kappa = accord.fleiss_kappa(load("fleiss1971").study())
    patients = np.array(kappa.by_item()["value"], dtype=float)
    assert len(patients) == 30
    assert kappa.value == pytest.approx(patients.mean(), abs=1e-12)
