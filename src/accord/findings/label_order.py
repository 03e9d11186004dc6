"""The order of labels: is it said, may there be one, and which labels stand side by side?

An order is known where somebody said so: by a level of measurement, or an ordered categorical. Numbers may be a scale or
names, and are asked about. A list of labels is no order.
"""

from __future__ import annotations

import numpy as np

from accord.annotations.arrays import IntArray
from accord.findings.study_view import View


def order_is_said(view: View) -> bool:
    """Did somebody say that the labels have an order: by a level of measurement, or an ordered categorical?"""
    return view.study.level not in (None, "nominal") or view.main.options.get("level") not in (None, "nominal")


def may_be_a_scale(view: View) -> bool:
    """Have the labels an order, or are they numbers, of which three or more are in use?"""
    answers = view.study.answers
    return view.study.kind == "single" and len(answers.labels) > 2 and (order_is_said(view) or answers.numeric)


def neighbours_on_a_scale(view: View, one: int, two: int) -> bool:
    """Do the two stand beside each other on a scale whose order means something?"""
    if not may_be_a_scale(view):
        return False
    place = places_in_use(view)
    return abs(int(place[one]) - int(place[two])) == 1


def places_in_use(view: View) -> IntArray:
    """(K,) the place of each label among those in use."""
    return np.asarray(np.cumsum(view.marginals > 0) - 1)
