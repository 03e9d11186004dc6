"""Cohen (1968) lets some disagreements weigh more than others, on the table of 1960.

His weights are disagreements, 0 1 3 / 1 0 6 / 3 6 0: taking neurosis for psychosis is worst. accord's weights
are similarities, so they are one minus a share of the worst.
"""

from __future__ import annotations

import numpy as np
import pytest

import accord
from tests.tables import Figure, load, printed_in


@printed_in("cohen1968")
def test_accord_computes_the_weighted_kappa(figure: Figure) -> None:
    assert figure.computed() == figure.printed()


def test_only_the_ratios_of_the_disagreements_matter() -> None:
    table = load("cohen1968")
    weights = np.array(table.cases[0]["options"]["weights"])
    milder = 1 - (1 - weights) / 2
    kappas = [accord.cohen_kappa(table.study(), weights=w).value for w in (weights, milder)]
    assert kappas[0] == pytest.approx(kappas[1], abs=1e-12)
