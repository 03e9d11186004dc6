"""Randolph (2005) leaves the margins free, so that agreeing on one label does not lower kappa.

Both tables of p. 17 have the same agreement. When "no" nearly disappears, Fleiss's kappa drops from .33 below
zero and the free-marginal kappa stays. It is Brennan and Prediger's under another name, for any number of
annotators.
"""

from __future__ import annotations

from tests.tables import Figure, printed_in


@printed_in("randolph2005")
def test_accord_computes_what_randolph_printed(figure: Figure) -> None:
    assert figure.computed() == figure.printed()
