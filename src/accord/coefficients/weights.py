"""How alike two answers are: 1 for the same, 0 for nothing in common.

Weights are similarities, never distances. Each kind knows three things: how alike given pairs of answers are
(`between`), the weighted sum over shares of answers (`apply`, the product of the table and a vector), and how alike an
answer is to itself (`diagonal`). So a table of answers × answers is made only where it is small, and thousands of
distinct label sets need none.

Gwet's eight tables measure distance on the scale: by the value of numeric labels, else by place in the declared order.
They are not Krippendorff's levels (see `krippendorff_alpha`); the two disagree on "ordinal".
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Protocol, TypeAlias
from weakref import WeakKeyDictionary

import numpy as np
import numpy.typing as npt

from accord.annotations.answers import Answers, answers_called, by_rank
from accord.annotations.arrays import FloatArray, IntArray, divide, dot, ordinary
from accord.coefficients.set_weights import BETWEEN_SETS, BySharedLabels
from accord.errors import Keyword, MayBeNames, OptionError, WeightsError, all_quoted, in_python, one_of, quoted, remedy
from accord.options import check_choice

WeightsLike: TypeAlias = str | npt.ArrayLike | Callable[[Any, Any], float]  # of two labels, or two frozensets

MOST_TABLED = 3_000  # answers for which a table answers × answers is still made (72 MB)
CELLS_AT_ONCE = 4_000_000  # answers × labels held at a time while many pairs are compared


class Weights(Protocol):
    """How alike answers are, by position."""

    @property
    def name(self) -> str:
        """What the weights are called."""

    @property
    def is_identity(self) -> bool:
        """Do two answers match or not, and nothing in between?"""

    def between(self, left: IntArray, right: IntArray) -> FloatArray:
        """How alike each pair of answers is."""

    def apply(self, shares: FloatArray) -> FloatArray:
        """W · shares along the last axis."""

    @property
    def diagonal(self) -> FloatArray:
        """How alike each answer is to itself."""


@dataclass(frozen=True, eq=False)
class Identity:
    """The same answer or not."""

    size: int
    name: str = "identity"
    is_identity: bool = True

    def between(self, left: IntArray, right: IntArray) -> FloatArray:
        """1 where the two are the same."""
        return np.asarray(left == right, dtype=np.float64)

    def apply(self, shares: FloatArray) -> FloatArray:
        """The shares themselves."""
        return shares

    @cached_property
    def diagonal(self) -> FloatArray:
        """All ones."""
        return np.ones(self.size)


@dataclass(frozen=True, eq=False)
class Tabled:
    """A symmetric table answers × answers."""

    table: FloatArray
    name: str
    is_identity: bool = False

    def between(self, left: IntArray, right: IntArray) -> FloatArray:
        """Cells of the table."""
        return self.table[left, right]

    def apply(self, shares: FloatArray) -> FloatArray:
        """The table times the shares."""
        return shares @ self.table

    @cached_property
    def diagonal(self) -> FloatArray:
        """The table's diagonal."""
        return np.diagonal(self.table).copy()


@dataclass(frozen=True, eq=False)
class Split:
    """Answers as mass split over labels (a primary p, a secondary 1 − p): alike by the product of the shares."""

    mass: FloatArray  # (K, labels)
    name: str = "shared-mass"
    is_identity: bool = False

    def between(self, left: IntArray, right: IntArray) -> FloatArray:
        """The dot product of the two answers' masses; from a table where that is small, since such pairs are many."""
        if self._table is not None:
            return self._table[left, right]
        total = np.empty(len(left))
        step = max(1, CELLS_AT_ONCE // max(self.mass.shape[1], 1))
        for first in range(0, len(left), step):
            part = slice(first, first + step)
            total[part] = dot(self.mass[left[part]], self.mass[right[part]])
        return total

    @cached_property
    def _table(self) -> FloatArray | None:
        return self.mass @ self.mass.T if len(self.mass) <= MOST_TABLED else None

    def apply(self, shares: FloatArray) -> FloatArray:
        """V (Vᵀ shares): no table is needed."""
        return (shares @ self.mass) @ self.mass.T

    @cached_property
    def diagonal(self) -> FloatArray:
        """p² + (1 − p)² for an answer with a secondary label: an answer need not be fully like itself."""
        return dot(self.mass, self.mass)


@dataclass(frozen=True, eq=False)
class Overlap:
    """Answers as mass split over labels: alike by the mass that both give to a label, so that the same is all alike."""

    mass: FloatArray  # (K, labels)
    name: str = "overlap"
    is_identity: bool = False

    def between(self, left: IntArray, right: IntArray) -> FloatArray:
        """Σ min of the two answers' masses."""
        total = np.empty(len(left))
        step = max(1, CELLS_AT_ONCE // max(self.mass.shape[1], 1))
        for first in range(0, len(left), step):
            part = slice(first, first + step)
            total[part] = np.minimum(self.mass[left[part]], self.mass[right[part]]).sum(axis=1)
        return total

    def apply(self, shares: FloatArray) -> FloatArray:
        """Label by label: those with less count what they have, those with more what the answer itself has."""
        rows = shares.reshape(-1, shares.shape[-1])
        out, total = np.zeros_like(rows), rows.sum(axis=1, keepdims=True)
        for column in self.mass.T:
            order = np.argsort(column, kind="stable")
            mass, share = column[order], rows[:, order]
            out[:, order] += np.cumsum(share * mass, axis=1) + mass * (total - np.cumsum(share, axis=1))
        return out.reshape(shares.shape)

    @cached_property
    def diagonal(self) -> FloatArray:
        """All the mass there is."""
        return np.asarray(self.mass.sum(axis=1))


# -- on a scale: Gwet's tables -------------------------------------------------------------------------------------


def linear(places: FloatArray) -> FloatArray:
    """Credit falls in proportion to the distance."""
    return _similarity(_apart(places))


def quadratic(places: FloatArray) -> FloatArray:
    """Credit falls with the square of the distance: near misses are cheap."""
    return _similarity(_apart(places) ** 2)


def radical(places: FloatArray) -> FloatArray:
    """Credit falls with the root of the distance: even near misses are dear."""
    return _similarity(np.sqrt(_apart(places)))


def ordinal(places: FloatArray) -> FloatArray:
    """Credit falls with the number of pairs of labels that lie between, ends included; only the order counts."""
    steps = _apart(np.arange(float(len(places))))
    return _similarity(steps * (steps + 1) / 2)


def ratio(places: FloatArray) -> FloatArray:
    """Distance in proportion to size: 1 and 2 are as far apart as 10 and 20."""
    if places.min() < 0:
        raise WeightsError(
            f"Ratio weights need labels that are not negative; found {places.min():g}. Choose ",
            remedy(weights="quadratic"),
            ".",
        )
    total = np.add.outer(places, places)
    apart = np.divide(_apart(places), total, out=np.zeros_like(total), where=total > 0) ** 2
    return _similarity(apart)


def circular(places: FloatArray) -> FloatArray:
    """The scale closes into a ring: the last label lies next to the first (hours, compass points)."""
    around = places.max() - places.min() + 1
    return _similarity(np.sin(np.pi * _apart(places) / around) ** 2)


def bipolar(places: FloatArray) -> FloatArray:
    """Distance relative to the two ends of the scale: a step near an end is longer than one in the middle."""
    total = np.add.outer(places, places)
    room = (total - 2 * places.min()) * (2 * places.max() - total)
    apart = np.divide(_apart(places) ** 2, room, out=np.zeros_like(room), where=_apart(places) > 0)
    return _similarity(apart)


def _apart(places: FloatArray) -> FloatArray:
    return np.abs(np.subtract.outer(places, places))


def _similarity(apart: FloatArray) -> FloatArray:
    """Distances as similarities: 1 for none, 0 for the longest."""
    return 1 - divide(apart, apart.max())


ON_A_SCALE: dict[str, Callable[[FloatArray], FloatArray]] = {
    "linear": linear,
    "quadratic": quadratic,
    "ordinal": ordinal,
    "radical": radical,
    "ratio": ratio,
    "circular": circular,
    "bipolar": bipolar,
}


# -- between ranked answers ----------------------------------------------------------------------------------------

RANKED = ("shared-mass", "overlap")
FOR_SEVERAL_LABELS = {"set": "masi", "ranked": "overlap"}  # weights that give credit for what two answers share
USUAL_P = 0.6  # of the primary label


def rank_weights(p: float | Sequence[float]) -> list[float]:
    """The weight of each rank: p and 1 − p with 0.5 ≤ p ≤ 1, or the weights themselves, none above the one before."""
    if isinstance(p, float | int | np.number) and not isinstance(p, bool):
        if not 0.5 <= p <= 1:
            raise OptionError.must(
                "p", "lie between 0.5 (both labels count alike) and 1 (the secondary label is ignored)", p
            )
        return [float(p), 1 - float(p)]
    try:
        ranks = [float(weight) for weight in p]  # type: ignore[union-attr]
    except (TypeError, ValueError, OverflowError):
        raise OptionError.must("p", "be a number, or one weight a rank such as (0.5, 0.3, 0.2)", p) from None
    falling = all(one >= other for one, other in itertools.pairwise(ranks))
    if not ranks or not falling or not np.isfinite(ranks).all() or ranks[-1] < 0 or ranks[0] <= 0:
        raise OptionError.must(
            "p", "begin above 0 and not rise from rank to rank, such as (0.5, 0.3, 0.2)", tuple(ranks)
        )
    return ranks


def falling(p: float, ranks: int) -> tuple[float, ...]:
    """One weight a rank: each (1 − p)/p times the one before, so that the first two stand as p to 1 − p."""
    step = (1 - p) / p
    return tuple(step**rank for rank in range(ranks))


def usual_p(answers: Answers) -> float | tuple[float, ...]:
    """Where nobody says: Rosenberg & Binkowski's 0.6, and falling weights where answers have more than two ranks."""
    ranks = answers.deepest
    return USUAL_P if ranks <= 2 else falling(USUAL_P, ranks)


def split_mass(answers: Answers, p: float | Sequence[float]) -> FloatArray:
    """(K, labels): the mass each answer gives to each label; the weights of the ranks used, in proportion.

    Labels that are tied at a rank share its weight equally. Two primary labels may then have less each than the
    secondary one, which nobody meant: such ranks share their weights together.
    """
    ranks = rank_weights(p)
    if answers.kind == "single":
        return answers.membership.astype(np.float64)
    mass = np.zeros((len(answers), len(answers.labels)))
    shares: dict[tuple[int, ...], FloatArray] = {}  # by how many labels stand at each rank
    for position, members in enumerate(answers.members):
        groups = by_rank(members)
        if len(groups) > len(ranks):
            raise WeightsError(
                f"An answer has {len(groups)} ranks, and ",
                Keyword("p"),
                f" gives weights for {len(ranks)}. Give one weight a rank, for example ",
                remedy(p=(0.5, 0.3, 0.2)),
                ".",
            )
        sizes = tuple(map(len, groups))
        if sizes not in shares:
            used = _of_each(ranks, sizes)
            shares[sizes] = used / used.sum() if len(members) > 1 else np.ones(len(members))
        mass[position, list(members)] = shares[sizes]
    return mass


def _of_each(ranks: Sequence[float], sizes: Sequence[int]) -> FloatArray:
    """The weight of each label of an answer with so many labels at each rank, never rising from one to the next."""
    shared: list[tuple[float, int]] = []  # the weight of ranks that share, and how many labels they have
    for weight, size in zip(ranks, sizes, strict=False):
        shared.append((weight, size))
        while len(shared) > 1 and shared[-1][0] / shared[-1][1] > shared[-2][0] / shared[-2][1]:
            (more, others), (weight_before, before) = shared.pop(), shared.pop()
            shared.append((weight_before + more, before + others))
    return np.concatenate([np.full(size, weight / size) for weight, size in shared])


def _overlap(mass: FloatArray) -> Weights:
    """Σ min of the masses: 1 for the same answer, unlike the product."""
    if len(mass) <= MOST_TABLED:
        table = sum((np.minimum.outer(column, column) for column in mass.T), np.zeros((len(mass), len(mass))))
        return Tabled(table, "overlap")
    return Overlap(mass)


def against_the_rest(name: str, held: FloatArray) -> Weights:
    """One label of answers that are divided between labels: `held` (K,) is the mass each gives to it, the rest is rest.

    >>> against_the_rest("shared-mass", np.array([1.0, 0.6])).between(np.array([0]), np.array([1]))
    array([0.6])
    """
    both = np.stack((held, 1 - held), axis=1)
    return Split(both) if name == "shared-mass" else _overlap(both)


# -- choosing ------------------------------------------------------------------------------------------------------


def build(choice: WeightsLike, answers: Answers, *, p: float | Sequence[float] | None = None) -> Weights:
    """The weights a caller chose, for these answers: a name, a table, or a function of two labels."""
    if isinstance(choice, str):
        return _named(choice, answers, usual_p(answers) if p is None else p)
    if callable(choice):
        return _called(choice, answers)
    return checked_table(choice, answers)


def choices(answers: Answers) -> list[str]:
    """The names that fit this kind of answer."""
    more = {"single": list(ON_A_SCALE), "score": list(ON_A_SCALE), "set": list(BETWEEN_SETS), "ranked": list(RANKED)}
    return ["identity", *more.get(answers.kind, [])]


def check_name(choice: object) -> None:
    """Refuse a name that no weights have, whether or not there are answers to weigh."""
    if isinstance(choice, str):
        check_choice("weights", choice, ["identity", *ON_A_SCALE, *BETWEEN_SETS, *RANKED])


def _named(name: str, answers: Answers, p: float | Sequence[float]) -> Weights:
    check_name(name)
    if name not in choices(answers):
        raise WeightsError(
            Keyword("weights", name),
            f" does not fit {answers_called(answers.kind)}; these do: ",
            all_quoted(choices(answers)),
            ".",
            available=choices(answers),
        )
    if name == "identity":
        return Identity(len(answers))
    if name in ON_A_SCALE:
        return _scaled(name, answers)
    if name in BETWEEN_SETS:
        return _between_sets(name, answers)
    mass = split_mass(answers, p)
    return Split(mass) if name == "shared-mass" else _overlap(mass)


def _scaled(name: str, answers: Answers) -> Weights:
    places = answers.positions(Keyword("weights", name))
    if len(places) < 2:
        return Identity(len(answers), name)
    if len(places) > MOST_TABLED:
        raise WeightsError(
            Keyword("weights", name),
            f" needs a table of all values against all, and there are {len(places)}. krippendorff_alpha with ",
            remedy(level=one_of("ordinal", "interval", "ratio", "circular")),
            " takes any number of values.",
        )
    return Tabled(ON_A_SCALE[name](places if name == "circular" else ordinary(places)), name)


_SETS: WeakKeyDictionary[Answers, dict[str, Weights]] = WeakKeyDictionary()  # while somebody holds the answers


def _between_sets(name: str, answers: Answers) -> Weights:
    """Made once for the answers of a study, since every coefficient asks for the same."""
    made = _SETS.setdefault(answers, {})
    if name not in made:
        sets = BySharedLabels(answers.membership, BETWEEN_SETS[name], name)
        made[name] = Tabled(sets.table(), name) if len(answers) <= MOST_TABLED else sets
    return made[name]


def _called(alike: Callable[[Any, Any], float], answers: Answers) -> Weights:
    """A table from a user's function of two answers."""
    if len(answers) > MOST_TABLED:
        raise WeightsError(
            f"A function as weights is asked for every pair of answers, and there are {len(answers)} distinct ones; "
            f"at most {MOST_TABLED} are allowed. Group the answers, or choose named weights.",
            remedies=[remedy(recode=...)],
        )
    values: list[Any] = [answers.value(position) for position in range(len(answers))]
    if answers.kind == "set":
        values = [frozenset(held) for held in values]
    return checked_table([[_weight_of_pair(alike, one, other) for other in values] for one in values], answers)


def _weight_of_pair(alike: Callable[[Any, Any], float], one: Any, other: Any) -> float:
    """A user's function on two answers; where it fails, which two they were."""
    try:
        return alike(one, other)
    except Exception as problem:
        raise WeightsError(
            "The function given as weights failed on ",
            quoted(one),
            " and ",
            quoted(other),
            f": {type(problem).__name__}: ",
            MayBeNames(str(problem)),
            ". It takes two answers and says how alike they are, from 0 to 1.",
        ) from problem


def checked_table(table: npt.ArrayLike, answers: Answers) -> Tabled:
    """A user's table, if it is one of similarities between the study's answers."""
    size = len(answers)
    try:
        given = np.asarray(table, dtype=np.float64)
    except (TypeError, ValueError, OverflowError):
        raise WeightsError(
            Keyword("weights"),
            " must be a table of numbers, all rows of one length; some cells are none, or a row is shorter.",
        ) from None
    if not given.ndim:
        raise WeightsError(
            Keyword("weights"),
            " must be a name (",
            all_quoted(choices(answers), most=9),
            "), a table of numbers or a function of two answers; got ",
            quoted(table),
            ".",
        )
    if given.shape != (size, size):
        raise WeightsError(
            Keyword("weights"),
            f" must be a {size} × {size} table, a row and a column for each of ",
            all_quoted([answers.value(k) for k in range(min(size, 9))]),
            f"; got shape {given.shape}. Declare ",
            remedy(labels=[...]),
            " if the scale has labels that the data do not use.",
        )
    if not np.isfinite(given).all() or given.min() < 0 or given.max() > 1:
        bad = given[~np.isfinite(given) | (given < 0) | (given > 1)][0]
        raise WeightsError(
            Keyword("weights"),
            f" must lie between 0 (nothing in common) and 1 (the same); got {bad:g}. For distances d give ",
            in_python("1 - d / d.max()"),
            ".",
        )
    if not given.diagonal().any() and given.any():
        raise WeightsError(
            Keyword("weights"),
            " must say how alike answers are, and in this table every answer is fully unlike itself (its diagonal is "
            "0): these look like distances d. Give ",
            in_python("1 - d / d.max()"),
            ".",
        )
    if not np.allclose(given, given.T, atol=1e-12):
        row, column = np.argwhere(~np.isclose(given, given.T, atol=1e-12))[0]
        raise WeightsError(
            Keyword("weights"),
            " must be symmetric; ",
            quoted(answers.value(int(row))),
            " with ",
            quoted(answers.value(int(column))),
            f" is "
            f"{given[row, column]:g}, and the other way round {given[column, row]:g}. "
            "To make them so: (w + w.T) / 2.",
        )
    return Tabled(given, "custom")
