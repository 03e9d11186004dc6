"""The rule of the majority, wherever it applies: a label that leads alone wins; labels that lead together are tied."""

from __future__ import annotations

from typing import Any

TIE = 1e-9  # shares and posteriors nearer than this are equal: sums of floats have no fixed last digit
MORE_LIKELY_WRONG = 0.5  # a posterior below it: the label leads, and another is still likelier than not
EQUAL_DIGITS = 9  # of a confidence: items that differ by less are equally sure, and stand in their own order


def leads(share: Any, largest: Any) -> Any:
    """Is the share (or number of votes, or posterior) of a label the largest of its item?

    One line for arrays and for the expressions of an engine: both know these operators. A NaN never leads.

    >>> leads(0.1 + 0.2, 0.3), leads(1, 2)
    (True, False)
    """
    return share >= largest - TIE
