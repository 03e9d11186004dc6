"""Clusters of annotators: groups of annotators who agree among themselves more than with the others.

Every two annotators' agreement beyond chance is compared with what the two people alone would explain: somebody
careful agrees with everybody, a random responder with nobody (one factor). What is left over shows groups. Whether it
is more than chance is told by shuffling answers among the annotators of each item, which keeps the items as hard as
they are and forgets who said what.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Unpack

import numpy as np

from accord.agreement.table import Table
from accord.annotations.arrays import BoolArray, FloatArray, IntArray, divide
from accord.errors import MeasureError, counted
from accord.findings.compared_people import (
    MOST_PEOPLE,
    SEED,
    ComparedPeople,
    agreed_on,
    compared_people,
    one_factor,
)
from accord.findings.distances import Distances, need_distances
from accord.findings.finding import CANDIDATE, Clue, Evidence, Finding, NotLookedAt, TestFamily
from accord.findings.study_view import View
from accord.options import check_whole
from accord.study.study_of_input import Roles

SHUFFLES, ENOUGH = 499, 10  # shuffles at most; as many better ones settle that it is chance
FIRST_SHUFFLES, FAR = 99, 8.0  # after so many, so many standard deviations beyond all of them settle that it is not
LEAST = 0.1  # agreement beyond chance by which clusters must differ


@dataclass(frozen=True, eq=False)
class AnnotatorClusters:
    """Two groups of annotators, agreement beyond chance within and between them, and how likely that is chance."""

    people: IntArray  # positions of the annotators compared
    inside: BoolArray  # is somebody in the first group?
    within: float
    between: float
    p: float
    n_resamples: int
    items: int
    agreement: FloatArray  # (people, people)

    @property
    def shown(self) -> bool:
        """Are there two groups that differ beyond chance, and by enough to be worth a word?"""
        return self.p < CANDIDATE and self.within - self.between >= LEAST

    def at_home(self, person: int) -> bool:
        """Does somebody agree clearly better with their own group than with the other?"""
        place = np.nonzero(self.people == person)[0]
        if not len(place):
            return False
        same = self.inside == self.inside[place[0]]
        same[place[0]] = False
        own, other = self.agreement[place[0]][same], self.agreement[place[0]][self.inside != self.inside[place[0]]]
        return bool(own.mean() - other.mean() >= LEAST) if len(own) and len(other) else False

    def members(self, distances: Distances) -> tuple[list[str], list[str]]:
        """The names, the smaller group first."""
        names = distances.study.annotators
        groups = [[names[person] for person in self.people[self.inside == side]] for side in (True, False)]
        one, other = sorted(groups, key=len)
        return one, other


def look(view: View) -> Iterator[Clue]:
    """Two groups, if there are any."""
    distances = view.distances
    if isinstance(distances, str):
        yield NotLookedAt("clusters of annotators", distances)
        return
    found = view.clusters
    if isinstance(found, str):
        yield NotLookedAt("clusters of annotators", found)
        return
    yield TestFamily(1, "clusters of annotators")
    if not found.shown or _are_copies(view, found):
        return
    one, other = found.members(distances)
    yield Finding(
        "annotator-clusters",
        "warning",
        f"The annotators form two clusters: {', '.join(one)} on one side and {', '.join(other[:8])}"
        f"{' …' if len(other) > 8 else ''} on the other. Agreement beyond chance is {found.within:z.2f} within a "
        f"cluster and {found.between:z.2f} between them.",
        "The clusters read the task differently: let one of each go through the items on which they differ, and "
        "write what they settle into the guidelines. Where both readings are fair, keep both.",
        evidence=(
            Evidence("agreement beyond chance within clusters", found.within),
            Evidence("between clusters", found.between),
            Evidence("items looked at", float(found.items)),
        ),
        sources=("zhao2025", "dieugenio2000"),
        annotators=(*one, *other),
        p=found.p,
        weight=float(np.clip((found.within - found.between) / max(1 - found.between, 1e-9), 0, 1)) / 2,
        table=_table(distances, found),
    )


def _are_copies(view: View, found: AnnotatorClusters) -> bool:
    """Is one side nothing but people who answer as one, which has a finding of its own?"""
    sides = [set(found.people[found.inside == side].tolist()) for side in (True, False)]
    return any(side <= set(copies.people) for copies in view.copies for side in sides)


def clusters_of(compared: ComparedPeople, least: float = -np.inf) -> AnnotatorClusters:
    """The best division into two groups, and its p-value.

    Groups that differ by less than `least` would not be told whatever chance says, and are not shuffled: their p is 1.
    """
    grid, linked, agreement = compared.grid, compared.linked, compared.agreement
    strength, side = _split(compared, compared.observed)
    if min(side.sum(), (~side).sum()) < 2:
        return AnnotatorClusters(compared.people, side, np.nan, np.nan, 1.0, 0, len(grid), agreement)
    same = (side[:, None] == side[None, :]) & linked
    cross = (side[:, None] != side[None, :]) & linked
    within, between = (float(agreement[part].mean()) if part.any() else np.nan for part in (same, cross))
    p, n_resamples = (1.0, 0) if within - between < least else _shuffled(compared, strength)
    return AnnotatorClusters(compared.people, side, within, between, p, n_resamples, len(grid), agreement)


def _split(compared: ComparedPeople, observed: FloatArray) -> tuple[float, BoolArray]:
    """How strongly people divide in two beyond what each alone explains, and who is on which side."""
    linked, room = compared.linked, compared.room
    agreement = np.where(linked, 1 - (1 - observed) / room, 0.0)
    fitted = one_factor(agreement, linked)
    spread = np.sqrt(np.maximum(observed * (1 - observed), 0.02) / np.maximum(compared.common, 1)) / room
    left = np.where(linked, (agreement - fitted) / spread, 0.0)
    values, vectors = np.linalg.eigh(left)
    return float(values[-1]), vectors[:, -1] > 0


def _shuffled(compared: ComparedPeople, strength: float) -> tuple[float, int]:
    """Shuffle answers among the annotators of each item; stop early where chance does as well, or never nearly."""
    rng = np.random.default_rng(SEED)
    better, seen = 0, []
    for number in range(1, SHUFFLES + 1):
        agreed = agreed_on(_dealt_out(compared.grid, rng), compared.likeness)
        seen.append(_split(compared, np.where(compared.linked, divide(agreed, compared.common), 0.0))[0])
        better += seen[-1] >= strength
        if better >= ENOUGH:
            return better / number, number
        if number == FIRST_SHUFFLES and strength > np.mean(seen) + FAR * np.std(seen):
            break
    if better:
        return (better + 1) / (SHUFFLES + 1), SHUFFLES
    return min(_tail(np.array(seen), strength), 1 / (len(seen) + 1)), len(seen)


def _dealt_out(grid: IntArray, rng: np.random.Generator) -> IntArray:
    """The answers of each item among its annotators in a random order; who did not answer still has no answer."""
    missing = grid < 0
    if not missing.any():
        return rng.permuted(grid, axis=1)
    keys = rng.random(grid.shape)
    keys[missing] = 2.0
    rows = np.arange(len(grid))[:, None]
    shuffled = np.empty_like(grid)
    shuffled[rows, np.argsort(missing, axis=1, kind="stable")] = grid[rows, np.argsort(keys, axis=1)]
    return shuffled


def _tail(seen: FloatArray, strength: float) -> float:
    """The chance of more than was ever shuffled: by a gamma distribution with the shuffles' first three moments."""
    from scipy.special import gammaincc

    centre, spread = float(seen.mean()), float(seen.std())
    skewness = max(float(((seen - centre) ** 3).mean()) / spread**3, 0.1) if spread > 0 else 0.1
    shape = 4 / skewness**2
    return float(gammaincc(shape, max(shape + (strength - centre) / max(spread, 1e-12) * np.sqrt(shape), 0.0)))


def annotator_clusters(
    data: Any, /, *, most: int = MOST_PEOPLE, labels: Sequence[Any] | None = None, **roles: Unpack[Roles]
) -> Table:
    """The annotators in the two groups that agree most among themselves, with each one's agreement inside and outside.

    The notes say whether there is more to the groups than chance. Among more than `most` annotators pairs are not
    compared unless asked for.

    Args:
        data: A `Study`, or what one is made of: a table with one row per annotation (a dataframe, a mapping of columns,
            a list of records), or a 2-D array of items × annotators.
        most: The most annotators whose pairs are compared.
        labels: The scale: all labels there are, in order, used or not; by default those in the data, sorted.
        **roles: Which columns of a table are which, as in `Study`: item="id", annotator="who", label="tag" …

    Returns:
        A `Table` with one row per annotator: the group, and agreement inside and outside it.

    Raises:
        InputError: If `data` cannot be a study: `ColumnMissing`, `DuplicateAnswers` and `LabelError` are kinds of it.
        MeasureError: If nobody is named, or there are too few or too many annotators to tell groups.
        OptionError: If an option has a value that it cannot take.

    >>> import numpy as np
    >>> rng = np.random.default_rng(0)
    >>> one, other = rng.integers(0, 2, (2, 60))
    >>> table = annotator_clusters(np.stack((one, one, one, other, other, other), axis=1))
    >>> [(row["annotator"], row["cluster"]) for row in table]
    [('1', 1), ('2', 1), ('3', 1), ('4', 2), ('5', 2), ('6', 2)]
    """
    distances = need_distances(data, labels, roles)
    check_whole("most", most, 0)
    compared = compared_people(distances, most)
    if isinstance(compared, str):
        raise MeasureError(compared)
    return _table(distances, clusters_of(compared))


def _table(distances: Distances, found: AnnotatorClusters) -> Table:
    names = distances.study.annotators
    side = np.where(found.inside == found.inside[0], 1, 2)
    same = side[:, None] == side[None, :]
    np.fill_diagonal(same, val=False)
    inside = divide((found.agreement * same).sum(1), same.sum(1))
    cross = side[:, None] != side[None, :]
    outside = divide((found.agreement * cross).sum(1), cross.sum(1))
    order = np.argsort(side, kind="stable")
    note = (
        f"Agreement beyond chance within clusters {found.within:z.2f}, between them {found.between:z.2f} "
        f"(p = {found.p:.3g}, {counted(found.n_resamples, 'shuffles')} of {counted(found.items, 'items')})."
        if found.n_resamples
        else "No division into two groups of two or more."
    )
    return Table(
        "Clusters of annotators",
        {
            "annotator": [names[person] for person in found.people[order]],
            "cluster": side[order],
            "inside": inside[order],
            "outside": outside[order],
        },
        (note,),
    )
