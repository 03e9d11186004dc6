"""Brennan and Prediger (1981) ask when the margins should be held fixed, on two tables of the same agreement.

Cohen's kappa moves from .27 to .29 with the margins; with chance spread evenly over the three labels the
coefficient stays at .40.
"""

from __future__ import annotations

from tests.tables import Figure, printed_in


@printed_in("brennan-prediger1981")
def test_accord_computes_what_brennan_and_prediger_printed(figure: Figure) -> None:
    assert figure.computed() == figure.printed()
