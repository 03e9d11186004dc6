"""The order of labels: is it said, may there be one, and which labels stand side by side?

An order is known where somebody said so: by a level of measurement, or an ordered categorical. Numbers, and words of a
known order, may be a scale or names, and are asked about. A list of labels is no order.
"""

from __future__ import annotations

import numpy as np

from accord.annotations.arrays import IntArray
from accord.annotations.recognised_scale import recognised
from accord.findings.study_view import View


def order_is_declared(view: View) -> bool:
    """Did somebody say that the labels have an order: by a level of measurement, or an ordered categorical?"""
    return view.study.level not in (None, "nominal") or view.main.options.get("level") not in (None, "nominal")


def may_be_a_scale(view: View) -> bool:
    """Have the labels an order, or do they look like a scale, of three or more?"""
    study = view.study
    if study.kind != "single" or len(study.labels) <= 2 or study.level == "nominal":
        return False
    return order_is_declared(view) or study.answers.numeric or recognised(study.answers) is not None


def neighbours_on_a_scale(view: View, one: int, two: int) -> bool:
    """Do the two stand beside each other on a scale: one that somebody declared, or one that the labels look like?"""
    if not may_be_a_scale(view):
        return False
    place = places_in_use(view)
    return abs(int(place[one]) - int(place[two])) == 1


def places_in_use(view: View) -> IntArray:
    """(K,) the place of each label among those in use, in the order of the scale."""
    study, in_use = view.study, np.nonzero(view.marginals > 0)[0].tolist()
    looks = recognised(study.answers) if study.level is None else None
    if looks is not None:
        in_use.sort(key=lambda place: looks.order.index(study.labels[place]))
    places = np.full(len(study.labels), -1, dtype=np.int64)
    places[in_use] = np.arange(len(in_use))
    return places
