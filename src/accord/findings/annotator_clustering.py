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
from accord.errors import MeasureError, Message, counted, some_annotators
from accord.findings.distances import Distances, need_distances
from accord.findings.finding import CANDIDATE, Clue, Evidence, Finding, NotLookedAt, TestFamily
from accord.findings.study_view import View
from accord.study.study import Roles

FEWEST_PEOPLE = 4
MOST_PEOPLE = 60  # unless chosen by hand: pairs of annotators are never made for a crowd
MOST_CELLS, MANY_ITEMS = 30_000, 2_000  # items × annotators to shuffle; beyond them a random part, never fewer items
FEWEST_COMMON = 10  # items that two annotators must share to be compared
FEWEST_LINKED = 0.5  # share of pairs that must be compared
DRAWS, ENOUGH = 499, 10  # shuffles at most; as many better ones settle that it is chance
LEAST = 0.1  # agreement beyond chance by which clusters must differ
SEED = 20250323


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
    found = clusters_of(distances, least=LEAST)
    if isinstance(found, str):
        yield NotLookedAt("clusters of annotators", found)
        return
    yield TestFamily(1, "clusters of annotators")
    if found.p >= CANDIDATE or found.within - found.between < LEAST:
        return
    one, other = found.members(distances)
    yield Finding(
        "annotator-clusters",
        "warning",
        f"The annotators form two clusters: {', '.join(one)} on one side and {', '.join(other[:8])}"
        f"{' …' if len(other) > 8 else ''} on the other. Agreement beyond chance is {found.within:.2f} within a "
        f"cluster and {found.between:.2f} between them.",
        "The clusters read the task differently: let one of each go through the items on which they differ, and "
        "write what they settle into the guidelines. Where both readings are fair, keep both.",
        evidence=(
            Evidence("agreement beyond chance within clusters", found.within),
            Evidence("between clusters", found.between),
            Evidence("items looked at", float(found.items)),
        ),
        sources=("zhao2025", "dieugenio2000"),
        annotators=tuple(one),
        p=found.p,
        weight=float(np.clip((found.within - found.between) / max(1 - found.between, 1e-9), 0, 1)) / 2,
        table=_table(distances, found),
    )


def clusters_of(distances: Distances, most: int = MOST_PEOPLE, least: float = -np.inf) -> AnnotatorClusters | str:
    """The best division into two groups, and its p-value; or why none is looked for.

    Groups that differ by less than `least` would not be told whatever chance says, and are not shuffled: their p is 1.
    """
    people = distances.study._present
    if len(people) < FEWEST_PEOPLE:
        return f"There are {counted(len(people), 'annotators')}; clusters need {FEWEST_PEOPLE}."
    if len(people) > most:
        return Message(
            f"{len(people):,} annotators make {len(people) * (len(people) - 1) // 2:,} pairs, which are not compared "
            f"unasked; at most {most} are. Choose some: ",
            some_annotators(),
            ".",
        )
    if len(distances.tally.answers) > 400:
        return f"{len(distances.tally.answers):,} different answers are too many to compare pair by pair."
    rng = np.random.default_rng(SEED)
    grid = _grid(distances, people, rng)
    common = (grid >= 0).T.astype(np.float64) @ (grid >= 0)
    np.fill_diagonal(common, 0.0)
    linked = common >= FEWEST_COMMON
    if linked.sum() < FEWEST_LINKED * len(people) * (len(people) - 1) or (linked.sum(1) < 2).any():
        return f"Too few pairs of annotators share {FEWEST_COMMON} items."
    table = 1 - distances.distance_table()
    strength, side, agreement = _split(_agreed(grid, table), common, linked, distances.room)
    if min(side.sum(), (~side).sum()) < 2:
        return AnnotatorClusters(people, side, np.nan, np.nan, 1.0, 0, len(grid), agreement)
    same = (side[:, None] == side[None, :]) & linked
    cross = (side[:, None] != side[None, :]) & linked
    within, between = (float(agreement[part].mean()) if part.any() else np.nan for part in (same, cross))
    if within - between < least:
        return AnnotatorClusters(people, side, within, between, 1.0, 0, len(grid), agreement)
    p, n_resamples = _shuffled(grid, table, common, linked, distances.room, strength, rng)
    return AnnotatorClusters(people, side, within, between, p, n_resamples, len(grid), agreement)


def _grid(distances: Distances, people: IntArray, rng: np.random.Generator) -> IntArray:
    """(items, people) answers, −1 for missing; a random part of the items where they are many."""
    tally = distances.tally
    most = max(MOST_CELLS // len(people), MANY_ITEMS)
    items = tally.items
    if tally.n_items > most:
        items = rng.multivariate_hypergeometric(items, most, method="marginals")
    place = np.full(distances.people, -1)
    place[people] = np.arange(len(people))
    grid = np.full((len(tally), len(people)), -1, dtype=np.int64)
    grid[tally.pattern, place[distances.who]] = tally.answer
    return np.repeat(grid, items, axis=0)


def _agreed(grid: IntArray, table: FloatArray) -> FloatArray:
    """(people, people) the sum of likeness over common items."""
    total = np.zeros((grid.shape[1], grid.shape[1]))
    ones = [(grid == answer).astype(np.float64) for answer in range(len(table))]
    if np.array_equal(table, np.eye(len(table))):
        for one in ones:
            total += one.T @ one
        return total
    for answer, one in enumerate(ones):
        likeness = sum(table[answer, other] * ones[other] for other in range(len(table)))
        total += one.T @ likeness
    return (total + total.T) / 2


def _split(
    agreed: FloatArray, common: FloatArray, linked: BoolArray, room: float
) -> tuple[float, BoolArray, FloatArray]:
    """How strongly people divide in two beyond what each alone explains, who is on which side, and agreement."""
    observed = np.where(linked, divide(agreed, common), 0.0)
    agreement = np.where(linked, 1 - (1 - observed) / room, 0.0)
    fitted = _one_factor(agreement, linked)
    spread = np.sqrt(np.maximum(observed * (1 - observed), 0.02) / np.maximum(common, 1)) / room
    left = np.where(linked, (agreement - fitted) / spread, 0.0)
    values, vectors = np.linalg.eigh(left)
    return float(values[-1]), vectors[:, -1] > 0, agreement


def _one_factor(agreement: FloatArray, linked: BoolArray, rounds: int = 25) -> FloatArray:
    """The products s_g s_h nearest to agreement off the diagonal."""
    factor = np.sqrt(np.maximum(divide((agreement * linked).sum(1), linked.sum(1)), 0.01))
    for _ in range(rounds):
        fresh = divide((agreement * linked) @ factor, linked @ factor**2)
        factor = 0.5 * factor + 0.5 * np.clip(np.nan_to_num(fresh), 0.01, 1.5)
    return np.asarray(factor[:, None] * factor[None, :])


def _shuffled(
    grid: IntArray,
    table: FloatArray,
    common: FloatArray,
    linked: BoolArray,
    room: float,
    strength: float,
    rng: np.random.Generator,
) -> tuple[float, int]:
    """Shuffle answers among the annotators of each item; stop early where chance does as well often enough."""
    missing = grid < 0
    places = np.argsort(missing, axis=1, kind="stable")
    rows = np.arange(len(grid))[:, None]
    better, seen = 0, []
    for draw in range(1, DRAWS + 1):
        keys = rng.random(grid.shape)
        keys[missing] = 2.0
        shuffled = np.empty_like(grid)
        shuffled[rows, places] = grid[rows, np.argsort(keys, axis=1)]
        seen.append(_split(_agreed(shuffled, table), common, linked, room)[0])
        better += seen[-1] >= strength
        if better >= ENOUGH:
            return better / draw, draw
    if better:
        return (better + 1) / (DRAWS + 1), DRAWS
    return min(_tail(np.array(seen), strength), 1 / (DRAWS + 1)), DRAWS


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
    found = clusters_of(distances, most)
    if isinstance(found, str):
        raise MeasureError(found)
    return _table(distances, found)


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
        f"Agreement beyond chance within clusters {found.within:.2f}, between them {found.between:.2f} "
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
