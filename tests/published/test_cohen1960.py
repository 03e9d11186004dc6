"""Cohen (1960) introduces kappa with two tables of two annotators and three labels, as proportions.

The tables are the proportions times 100 and times 200. The figures for Gwet's AC1 on them are later than the
paper; they come from DKPro Statistics, which works them out from Gwet (2008).
"""

from __future__ import annotations

import accord
from tests.tables import Figure, load, printed_in


@printed_in("cohen1960")
def test_accord_computes_what_cohen_printed(figure: Figure) -> None:
    assert figure.computed() == figure.printed()


def test_less_agreement_than_chance_is_below_zero() -> None:
    assert accord.cohen_kappa(load("cohen1960-p37").study()).value < 0
