"""Artstein and Poesio (2008) survey agreement in computational linguistics on two tables of dialogue acts.

On the first, S, π and κ share one observed agreement and differ in chance alone. On the second, CHCK counts
as half like either of the others, and weighted κ and α follow.
"""

from __future__ import annotations

import accord
from tests.tables import Figure, load, printed_in


@printed_in("artstein-poesio2008")
def test_accord_computes_what_the_survey_works_out(figure: Figure) -> None:
    assert figure.computed() == figure.printed()


def test_the_three_coefficients_differ_in_chance_alone() -> None:
    study = load("artstein-poesio2008-p558").study()
    results = [f(study) for f in (accord.brennan_prediger_kappa, accord.scott_pi, accord.cohen_kappa)]
    assert len({round(result.observed, 12) for result in results}) == 1
    assert len({round(result.expected, 12) for result in results}) == 3
