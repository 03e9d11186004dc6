"""Krippendorff (1980, p. 139) works alpha out for three observers, nine units and three levels.

Complete data with more than two observers are where R's irr goes wrong: it gives .6348, .5382 and .4733.
"""

from __future__ import annotations

from tests.tables import Figure, printed_in


@printed_in("krippendorff1980")
def test_accord_computes_the_books_alphas(figure: Figure) -> None:
    assert figure.computed() == figure.printed()
