"""The sets of units that save most together, no unit in two of them: exactly.

Three steps, each for what the one before could not settle. *By shares*: take the best set of every unit where its
members agree on it, and divide what it saves among them; where no other set saves more than the shares of its units, no
other choice can be better (linear duality), and that is the proof. *By a linear program* for the rest, component by
component. *By branching* (HiGHS) where that has a fractional answer.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from accord.annotations.arrays import BoolArray, FloatArray, IntArray
from accord.spans.stacked_continua import TooMany
from accord.spans.unit_sets import SetSearch, UnitSets

ROWS_AT_ONCE = 1_500  # units of small components that share a linear program
MOST_ROWS = 30_000  # units of one component that a linear program can take
SETS_A_UNIT = 60  # sets for each unit, from which on they are generated as they are needed
FIRST_SETS = 1_000  # partial sets held while they are generated, at first
SETS_AT_ONCE = 256_000  # and at most
ROUNDS = 200  # of generating; some tens are usual
PULL = 1e-3  # how strongly prices are drawn to the shares of the sets chosen
CERTAIN = 1e-9  # less than this saved is no violation
FRACTION = 1e-6
FEW_UNITS = 12  # of a component, so few that all answers can be tried
FIRST_GAP = 0.05  # how much worse than the linear program whole answers are at first supposed to be
PATIENCE = 60  # seconds after which branching is given up
SCALE = 1e4  # of savings in HiGHS, whose gap for whole answers is absolute


def best_packing(sets: UnitSets, size: int) -> UnitSets:
    """The chosen sets, of all there are."""
    if not len(sets):
        return sets
    chosen = _by_agreement(sets, size)
    price = _price(sets.where(chosen), size)
    violated = sets.sums(price) < sets.saving - CERTAIN
    if not violated.any():
        return sets.where(chosen)
    component = _components(sets, size)
    open_ones = np.zeros(int(component.max()) + 1, dtype=np.bool_)
    open_ones[component[violated]] = True
    waiting = open_ones[component]
    parts = [sets.where(chosen[~waiting[chosen]])]
    parts += [_by_program(sets.where(rows)) for rows in _batches(component, waiting, sets)]
    return UnitSets.joined(parts)


def _by_agreement(sets: UnitSets, size: int) -> IntArray:
    """Sets that are the best, by what they save for each member, for all of their members; and so on with the rest."""
    held = sets.members >= 0
    order = np.argsort(-sets.saving / held.sum(axis=1), kind="stable")
    rank = np.empty(len(order), dtype=np.int64)
    rank[order] = np.arange(len(order))
    members, left = np.where(held, sets.members, size), np.arange(len(sets))
    chosen: list[IntArray] = []
    while len(left):
        best = np.full(size + 1, len(sets), dtype=np.int64)
        np.minimum.at(best, members[left].ravel(), np.repeat(rank[left], members.shape[1]))
        best[size] = -1
        mine = best[members[left]]
        won = left[((mine == rank[left][:, None]) | (mine == -1)).all(axis=1)]
        chosen.append(won)
        taken = np.zeros(size + 1, dtype=np.bool_)
        taken[members[won]] = True
        taken[size] = False
        left = left[~taken[members[left]].any(axis=1)]
    return np.sort(np.concatenate([np.zeros(0, np.int64), *chosen]))


def _price(chosen: UnitSets, size: int, times: FloatArray | None = None) -> FloatArray:
    """(U,) what each unit has of the saving of its set; 0 of a unit alone."""
    share = chosen.share if times is None else chosen.share * times[:, None]
    held = chosen.members >= 0
    return np.bincount(chosen.members[held], share[held], minlength=size).astype(np.float64)


def _components(sets: UnitSets, size: int) -> IntArray:
    """(S,) which sets hang together by common units."""
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import connected_components

    first = np.broadcast_to(sets.members[:, :1], sets.members.shape)
    held = sets.members >= 0
    links = csr_array((np.ones(int(held.sum()), dtype=np.int8), (first[held], sets.members[held])), shape=(size, size))
    _, of_unit = connected_components(links, directed=False)
    _, place = np.unique(of_unit[sets.members[:, 0]], return_inverse=True)
    return place.astype(np.int64)


def _batches(component: IntArray, waiting: BoolArray, sets: UnitSets) -> list[IntArray]:
    """Sets of the components that wait, several small components together."""
    rows = np.nonzero(waiting)[0]
    rows = rows[np.argsort(component[rows], kind="stable")]
    cut = np.nonzero(np.diff(component[rows]))[0] + 1
    batches: list[list[IntArray]] = []
    held = 0
    for group in np.split(rows, cut):
        units = len(np.unique(sets.members[group]))  # −1 for one unit more does not matter
        if batches and held + units <= ROWS_AT_ONCE:
            batches[-1].append(group)
            held += units
        else:
            batches.append([group])
            held = units
    return [np.concatenate(batch) for batch in batches]


def _by_program(sets: UnitSets) -> UnitSets:
    """The best of some components."""
    if not len(sets):
        return sets
    units = np.unique(sets.members[sets.members >= 0])
    if len(units) > MOST_ROWS:
        raise TooMany(len(units), len(sets))
    local = UnitSets(np.where(sets.members >= 0, np.searchsorted(units, sets.members), -1), sets.saving, sets.share)
    amount, price = _linear(local, len(units))
    whole = amount > 1 - FRACTION
    if ((amount > FRACTION) & ~whole).any():
        whole = _branched(local, amount, price, len(units))
    return sets.where(np.nonzero(whole)[0])


def _linear(sets: UnitSets, size: int, towards: FloatArray | None = None) -> tuple[FloatArray, FloatArray]:
    """How much of each set a linear program takes, and the price of each unit.

    There are many optimal prices. `towards` has those chosen that are nearest to it: the units' limits may then move by
    a little, at its value.
    """
    from scipy.optimize import linprog
    from scipy.sparse import eye_array, hstack

    matrix: Any = _matrix(sets, size)
    gain, bounds = sets.saving, np.tile([0.0, np.inf], (len(sets), 1))
    if towards is not None:
        matrix = hstack([matrix, eye_array(size)])
        gain = np.concatenate((gain, towards))
        bounds = np.concatenate((bounds, np.tile([-PULL, PULL], (size, 1))))
    answer = linprog(
        -gain, A_ub=matrix.tocsc(), b_ub=np.ones(size), bounds=bounds, method="highs-ds",
        options={"dual_feasibility_tolerance": 1e-10, "primal_feasibility_tolerance": 1e-10},
    )  # fmt: skip
    return np.asarray(answer.x[: len(sets)]), np.maximum(-answer.ineqlin.marginals, 0)


def _matrix(sets: UnitSets, size: int) -> Any:
    """(units × sets) which units are in which sets."""
    from scipy.sparse import csr_array

    row, column = np.nonzero(sets.members >= 0)
    return csr_array((np.ones(len(row)), (sets.members[row, column], row)), shape=(size, len(sets)))


def _branched(sets: UnitSets, amount: FloatArray, price: FloatArray, size: int) -> BoolArray:
    """The best whole answer where the linear program has a fractional one.

    A set whose units' prices exceed its saving by some gap makes any answer that much worse than the linear program. So
    only sets within the gap that whole answers turn out to have can be in the best one; these fall into small
    components, and those that the linear program answers whole stay as they are.
    """
    slack, gap = sets.sums(price) - sets.saving, FIRST_GAP
    while True:
        inside = np.nonzero(slack <= gap + CERTAIN)[0]
        near = sets.where(inside)
        component = _components(near, size)
        fractional = (amount[inside] > FRACTION) & (amount[inside] < 1 - FRACTION)
        chosen, lost = amount > 1 - FRACTION, 0.0
        for group in np.unique(component[fractional]):
            rows = inside[component == group]
            taken = _whole_answer(sets.where(rows))
            lost += float(sets.saving[rows] @ (amount[rows] - taken))
            chosen[rows] = taken
        if lost <= gap + CERTAIN:
            return chosen
        gap = lost


def _whole_answer(sets: UnitSets) -> BoolArray:
    """The best whole answer of one component: of few units by trying, which is quicker than to set up a program."""
    units = np.unique(sets.members[sets.members >= 0])
    return _by_trying(sets, units) if len(units) <= FEW_UNITS else _by_branching(sets, units)


def _by_trying(sets: UnitSets, units: IntArray) -> BoolArray:
    """For the first unit that is left, alone or in each of its sets: the best with the best of the rest."""
    bits = 1 << np.searchsorted(units, sets.members)
    masks = np.where(sets.members >= 0, bits, 0).sum(axis=1).tolist()
    saving: list[float] = sets.saving.tolist()
    holding = [[row for row, mask in enumerate(masks) if mask >> unit & 1] for unit in range(len(units))]

    @cache
    def best(left: int) -> tuple[float, tuple[int, ...]]:
        if not left:
            return 0.0, ()
        first = left & -left
        found = best(left ^ first)
        for row in holding[first.bit_length() - 1]:
            if masks[row] & ~left:
                continue
            rest, chosen = best(left & ~masks[row])
            if rest + saving[row] > found[0]:
                found = rest + saving[row], (row, *chosen)
        return found

    taken = np.zeros(len(sets), dtype=np.bool_)
    taken[list(best((1 << len(units)) - 1)[1])] = True
    return taken


def _by_branching(sets: UnitSets, units: IntArray) -> BoolArray:
    """The same by HiGHS."""
    from scipy.optimize import Bounds, LinearConstraint, milp

    local = UnitSets(np.where(sets.members >= 0, np.searchsorted(units, sets.members), -1), sets.saving, sets.share)
    answer = milp(
        -SCALE * sets.saving, integrality=np.ones(len(sets)), bounds=Bounds(0, 1),
        constraints=LinearConstraint(_matrix(local, len(units)).tocsc(), -np.inf, 1),
        options={"mip_rel_gap": 0, "time_limit": PATIENCE},
    )  # fmt: skip
    if answer.status != 0:
        raise TooMany(len(units), len(sets))
    return np.asarray(answer.x > 0.5)


def generated_packing(search: SetSearch) -> UnitSets:
    """The chosen sets where there are too many to list: they are generated by the prices that a linear program has.

    Prices near the shares of the sets chosen soon leave nothing violated; the vertices that a simplex method would give
    take many times the rounds.
    """
    sets, size = search.around_each(), search.size
    towards, limit = _price(sets.where(_by_agreement(sets, size)), size), FIRST_SETS
    for _ in range(ROUNDS):
        amount, price = _linear(sets, size, towards)
        found = search.worth(price, CERTAIN, limit)
        while not len(found.sets) and not found.whole and limit < SETS_AT_ONCE:
            limit *= 8  # nothing among the most promising: look further
            found = search.worth(price, CERTAIN, limit)
        if found.whole and not len(found.sets):
            return _settled(search, sets, price)
        if not len(found.sets):
            break
        value = found.sets.saving - found.sets.sums(price)
        best = np.sort(np.argsort(-value, kind="stable")[: 3 * size])
        sets = UnitSets.joined([sets, found.sets.where(best)])
        towards = _price(sets, size, np.pad(amount, (0, len(best))))
    raise TooMany(search.size, len(sets))


def _settled(search: SetSearch, sets: UnitSets, price: FloatArray) -> UnitSets:
    """The best whole answer, where prices leave nothing violated.

    What the sets at hand give in whole is worse than the prices by some gap; only sets within that gap of their units'
    prices can be in a better one.
    """
    chosen = _by_program(sets)
    gap = float(price.sum() - chosen.saving.sum())
    if gap <= CERTAIN:
        return chosen
    found = search.worth(price, -gap - CERTAIN, SETS_AT_ONCE)
    if not found.whole:
        raise TooMany(search.size, len(found.sets))
    return _by_program(found.sets)
