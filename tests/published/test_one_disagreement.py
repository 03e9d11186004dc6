"""One lone disagreement, the question users of every alpha package ask (fast-krippendorff#11, nltk#2991).

Twenty-one of twenty-two answers are the same and alpha is exactly 0, which looks like a bug. It is right:
with one deviating answer there is no variation left that the observers could have agreed on.
"""

from __future__ import annotations

import pytest

import accord
from tests.tables import Figure, load, printed_in


@printed_in("one-disagreement")
def test_alpha_is_zero_and_not_undefined(figure: Figure) -> None:
    assert figure.computed() == figure.printed()


def test_percent_agreement_is_high_all_the_same() -> None:
    assert accord.percent_agreement(load("one-disagreement").study()).value == pytest.approx(0.92)
