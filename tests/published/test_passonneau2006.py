"""Passonneau (2006) compares sets of labels by MASI: Jaccard's similarity times a factor for monotonicity.

Two definitions carry the name. DKPro Statistics multiplies the Jaccard *distance* by a factor of its own and
gets alpha .252 on these nine items, where Passonneau's gives .273. Two empty sets are alike: the annotators
agree that nothing applies (NLTK divides by zero there).
"""

from __future__ import annotations

from typing import Any

import pytest

import accord
from tests.tables import Figure, load, printed_in


@printed_in("passonneau2006")
def test_accord_computes_alpha_over_sets(figure: Figure) -> None:
    assert figure.computed() == figure.printed()


def test_dkpros_definition_is_another_one() -> None:
    def dkpro(one: Any, other: Any) -> float:
        a, b = set(one), set(other)
        if a == b:
            return 1.0
        factor = 1 / 3 if a <= b or b <= a else 2 / 3 if a & b else 1.0
        return 1 - factor * (1 - len(a & b) / len(a | b))

    table = load("passonneau2006")
    alpha = accord.krippendorff_alpha(table.study(), weights=dkpro)
    assert alpha.value == pytest.approx(table.cases[0]["printed"], abs=0.001)
