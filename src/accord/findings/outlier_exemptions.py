"""Who may be said to stand apart: three reasons for which nobody is accused, however far from the others.

    leaving these answers out lowers the coefficient, or leaves it as it is
    the annotators form two clusters, and the person is at home in one of them: two readings, and no bad annotator
    some of the others answer as one, which puts everybody else at a distance; counted once, they do not

The distances themselves stay as they are in the tables: this is about what is said of a person.
"""

from __future__ import annotations

import numpy as np

from accord.annotations.arrays import BoolArray, FloatArray, IntArray
from accord.findings.distances import Distances, distances_of
from accord.findings.finding import CANDIDATE
from accord.findings.study_view import View
from accord.findings.without_annotator import changes

STEPS = 60_000_000  # annotators × entries up to which everybody far from the rest is left out in turn
TWO_READINGS = 0.001  # the p of clusters from which on they explain why somebody is far from the others


def p_of_standing_apart(view: View) -> FloatArray:
    """(R,) of being further from the others than is worth a word; 1 for whom that is no reason for an accusation."""
    distances = view.distances
    assert not isinstance(distances, str)
    p = distances.against_rest.p.copy()
    far = np.nonzero(p < CANDIDATE)[0]
    for spared in (_explained_by_clusters, _explained_by_copies, _needed):
        if len(far):
            is_spared = spared(view, distances, far)
            p[far[is_spared]] = 1.0
            far = far[~is_spared]
    return p


def _explained_by_clusters(view: View, _distances: Distances, far: IntArray) -> BoolArray:
    clusters = view.clusters
    if isinstance(clusters, str) or not clusters.shown or clusters.p >= TWO_READINGS:
        return np.zeros(len(far), dtype=np.bool_)
    return np.array([clusters.at_home(int(person)) for person in far], dtype=np.bool_)


def _explained_by_copies(view: View, distances: Distances, far: IntArray) -> BoolArray:
    again = {person for copies in view.copies for person in copies.people[1:]}
    nobody = np.zeros(len(far), dtype=np.bool_)
    if not again:
        return nobody
    names = [name for place, name in enumerate(distances.study.annotators) if place not in again]
    if len(names) < 3:
        return ~nobody
    once = distances_of(distances.study.of_annotators(names), distances.main)
    if isinstance(once, str):
        return nobody
    p = dict(zip(once.study.annotators, once.against_rest.p.tolist(), strict=True))
    return np.array([not p.get(distances.study.annotators[person], 0.0) < CANDIDATE for person in far], dtype=np.bool_)


def _needed(_view: View, distances: Distances, far: IntArray) -> BoolArray:
    """Without whom the coefficient would not rise; in a crowd too large to leave everybody out in turn, nobody."""
    if len(far) * len(distances.whole.answer) > STEPS:
        return np.zeros(len(far), dtype=np.bool_)
    return np.array([not change.change > 0 for change in changes(distances, far.tolist())], dtype=np.bool_)
