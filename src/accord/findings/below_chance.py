"""Below chance: do annotators match less often than the same answers would if they were dealt out over the items anew?

A standard error at the estimate is none of a value of zero: skewed labels make it far too small, and an annotator who
gave one label throughout makes it a rounding error. What shuffled answers would show decides.
"""

from __future__ import annotations

import math

from accord.agreement.inference.shuffled_answers import shuffled
from accord.findings.study_view import ROUNDING, View


def is_negative(view: View) -> bool:
    """Is the value below zero by more than a rounding error?"""
    return view.reported.value < -ROUNDING


def p_below_chance(view: View) -> float:
    """How likely as few matches, or fewer, are among answers that are dealt out anew; one-sided, NaN where unknown."""
    found = None if view.main.undefined else shuffled(view.main)
    return math.nan if found is None or not found.error > 0 else found.p("less")
