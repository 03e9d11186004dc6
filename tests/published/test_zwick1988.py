"""Zwick (1988) compares S, π and κ on three tables with the same agreement and ever more unequal margins.

S never moves. π and κ fall together when the labels are used unevenly. When the annotators disagree about the
margins, κ rises above both: it rewards what one would rather see punished.
"""

from __future__ import annotations

import accord
from tests.tables import Figure, load, printed_in


@printed_in("zwick1988")
def test_accord_computes_what_zwick_printed(figure: Figure) -> None:
    assert figure.computed() == figure.printed()


def test_kappa_rewards_annotators_who_disagree_about_the_margins() -> None:
    study = load("zwick1988-3").study()
    s, pi, kappa = (f(study).value for f in (accord.brennan_prediger_kappa, accord.scott_pi, accord.cohen_kappa))
    assert pi < s < kappa
