"""What each item weighs, where items were chosen with unequal chances: the inverse of its chance of being chosen.

Only their proportions matter. An item with two answers or more has a weight; one with a single answer may go without,
as where everything was annotated once and chosen items twice: it is then left out, and the chosen ones stand for it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from accord.annotations.answers import Label
from accord.annotations.arrays import FloatArray, IntArray
from accord.annotations.factorize import Coded, code
from accord.annotations.tally import Tally
from accord.errors import (
    InputError,
    Keyword,
    LabelError,
    OptionError,
    Part,
    all_quoted,
    counted,
)
from accord.options import is_number
from accord.study.shapes.cells import Numbered
from accord.study.shapes.loaded import Loaded, WeightsOfItems

if TYPE_CHECKING:
    from accord.study.study import Study

ROLE = "item_weight"
GIVEN = "given"  # what weights are called that no column holds


@dataclass(frozen=True, eq=False)
class ItemWeights:
    """The distinct weights of a study's items, in order, and how patterns are told apart by them."""

    name: str  # the column
    values: FloatArray
    codes: IntArray | None  # (items of the study,) place among the values, −1 for none; None: only an engine knows
    left_out: int = 0  # items with a single answer and no weight
    brought: Callable[[], IntArray] | None = None  # the codes once an engine's items are brought here

    @property
    def words(self) -> str:
        """How items count, in a few words."""
        return weighting(self.name)

    @property
    def alike(self) -> bool:
        """Do all items weigh the same, so that nothing is to be weighed?"""
        return len(self.values) < 2 and not self.left_out

    @property
    def _kinds(self) -> int:
        return max(len(self.values), 1)

    def of(self, tally: Tally) -> Tally:
        """A tally of the study whose items count by their weights."""
        if tally.weight is not None:
            return tally
        if self.codes is None and tally.crossed is not None:
            return self._split_in_engine(tally).weighted(self.values)
        assert self.codes is not None
        return tally.split(self.codes, self._kinds).weighted(self.values)

    def _split_in_engine(self, tally: Tally) -> Tally:
        """By the column, where items stay in their engine."""

        def locate() -> IntArray:
            assert self.brought is not None
            located = tally.split(self.brought(), self._kinds).locate
            assert located is not None
            return located()

        return replace(tally.split_by_column(self.name, self._places, self._kinds), locate=locate)

    def _places(self, cells: list[Any]) -> IntArray:
        return _numbers(code(cells, what="weight"), self.name)[0]

    def effective(self, items: FloatArray | IntArray, one: FloatArray) -> float:
        """(Σ w)² / Σ w²: how many items that count alike would be as sure of a mean; of what they and each weigh."""
        return float(items.sum()) ** 2 / float(items @ one) if len(items) else 0.0


def weighting(name: str) -> str:
    """How items count, in a few words: by a column, or as somebody said."""
    return "weighted" if name == GIVEN else f"weighted by {name!r}"


def weights_of(study: Study, given: WeightsOfItems | None) -> ItemWeights | None:
    """The weights of a study of one variable, as they were given or in the column of its role; None without."""
    name = study.roles.get(ROLE)
    if given is not None:
        return _checked(study, _by_item(study, given), GIVEN)
    if name is None:
        return None
    if not study._annotations.in_memory and study.tally().crossed is not None:
        return _in_engine(study, name)
    return _checked(study, _of_column(study, name), name)


def _of_column(study: Study, name: str) -> Coded:
    """One code per item, −1 where it has none."""
    try:
        return study._item_column(name, ROLE)
    except LabelError as problem:  # infinite, or text among numbers
        raise InputError(Keyword(ROLE, name), " must hold finite numbers above zero. ", problem.message) from None


def _checked(study: Study, found: Coded, name: str) -> ItemWeights:
    """Every item that is compared has a weight."""
    codes, values = _numbers(found, name)
    tally = study.tally()
    assert tally.locate is not None
    pattern = tally.locate()
    answered = np.append(tally.answered, 0)[pattern]
    without = (codes < 0) & (answered >= 2)
    if without.any():
        names = [study.items[place] for place in np.nonzero(without)[0].tolist()]
        raise _missing(name, len(names), ": ", all_quoted(names, 3))
    used = np.unique(codes[(codes >= 0) & (answered > 0)])  # of groups and parts, only their own
    place = np.full(len(values) + 1, -1, dtype=np.int64)
    place[used] = np.arange(len(used))
    return ItemWeights(name, values[used], place[codes], int(((codes < 0) & (answered == 1)).sum()))


def _in_engine(study: Study, name: str) -> ItemWeights:
    """The same of a column of a table that stays in its engine: items are known by pattern."""
    tally = study.tally()
    assert tally.crossed is not None
    found = tally.crossed((study._annotations.need(ROLE, name),))
    codes, values = _numbers(code(found.values[0], what="weight"), name)
    compared = tally.pairable[found.pattern]
    without = int(found.number[(codes < 0) & compared].sum())
    if without:
        raise _missing(name, without)
    return ItemWeights(name, values, None, int(found.number[codes < 0].sum()), lambda: _brought(study, name))


def _brought(study: Study, name: str) -> IntArray:
    """(items,) the place of each item's weight, from the annotations brought here."""
    here = study._in_memory
    codes = _checked(here, _of_column(here, name), name).codes
    assert codes is not None
    return codes


def _missing(name: str, number: int, *such: Part) -> InputError:
    return InputError(
        Keyword(ROLE, name),
        f" must say what every item that is compared weighs; {counted(number, 'items')} with two answers or more "
        f"{'has' if number == 1 else 'have'} no weight",
        *such,
        ". Fill it in, or leave their answers out.",
    )


def _numbers(found: Coded, name: str) -> tuple[IntArray, FloatArray]:
    """Codes by the size of the weight, and the weights: finite and positive numbers."""
    _refuse_odd(found.values, name)
    values = np.array(found.values, dtype=np.float64)
    order = np.argsort(values, kind="stable")
    place = np.append(np.empty_like(order), -1)
    place[order] = np.arange(len(order))
    return place[found.codes], values[order]


def _is_there(value: Any) -> bool:
    """None, NaN and NA are no weights."""
    if isinstance(value, float | np.floating):
        return not math.isnan(value)
    return value is not None and type(value).__name__ != "NAType"


def _refuse_odd(values: Iterable[Any], name: str) -> None:
    """A weight is one divided by a chance."""
    wrong = [value for value in values if not (is_number(value) and math.isfinite(value) and value > 0)]
    if wrong:
        raise InputError(
            Keyword(ROLE, name),
            " must hold finite numbers above zero (of 300 digits at most), one divided by the chance of being chosen; "
            "found ",
            all_quoted(wrong, most=3),
            ". Mend them; an item that was not chosen has no weight.",
        )


def _by_item(study: Study, given: WeightsOfItems) -> Coded:
    """Weights that somebody gave, one code per item of the study."""
    items = study.items
    if isinstance(given, Mapping):
        if items and given and not any(item in given for item in items):
            raise InputError(
                "None of the weights is for an item of the study: they are for ",
                all_quoted(list(given), most=3),
                ", and the items are ",
                all_quoted(items[:3]),
                ". Are ids text in one and numbers in the other?",
                option=Keyword(ROLE),
            )
        return _coded([given.get(item) for item in items])
    if not isinstance(items, Numbered) and ("item" in study.roles or not all(isinstance(one, int) for one in items)):
        raise InputError(
            "A plain list of weights goes by row number, and the items of this study have names: give a mapping from "
            "item to weight, or a column.",
            option=Keyword(ROLE),
        )
    if len(given) != (len(items) if isinstance(items, Numbered) else study.n_rows):
        raise InputError(
            f"There are {len(given):,} weights for {study.n_rows:,} items. Give one for each, None for none.",
            option=Keyword(ROLE),
        )
    if isinstance(items, Numbered):
        return _coded(given)
    return _coded([given[cast(int, row)] for row in items])  # rows that nobody answered are no items


def _coded(cells: Sequence[Any] | FloatArray) -> Coded:
    """Weights as codes; None, NaN and NA are none."""
    if not (isinstance(cells, np.ndarray) and cells.dtype.kind in "iuf"):
        _refuse_odd((cell for cell in cells if _is_there(cell)), GIVEN)
        cells = np.array([cell if _is_there(cell) else math.nan for cell in cells], dtype=np.float64)
    there = ~np.isnan(cells)
    values, place = np.unique(cells[there], return_inverse=True)
    codes = np.full(len(cells), -1, dtype=np.int64)
    codes[there] = place
    return Coded(codes, tuple(values.tolist()))


def with_weights(study: Study, weights: str | WeightsOfItems | None) -> Loaded:
    """What is loaded of a study, with other weights of its items, or with none."""
    loaded = study._loaded  # noqa: SLF001 - its own
    roles = {role: name for role, name in loaded.roles.items() if role != ROLE}
    plain = replace(loaded, roles=roles, item_weights=None)
    if weights is None:
        return plain
    if isinstance(weights, str):
        next(iter(study.tasks.values()), study)._need_column(weights, ROLE)
        return replace(plain, roles={**roles, ROLE: weights})
    given = _as_given(weights)
    lazy = None if loaded.annotations is None else loaded.annotations.in_engine
    if lazy is None:
        return replace(plain, item_weights=given)
    if not isinstance(given, Mapping):
        raise InputError(
            "A plain list of weights goes by row number, and the rows of a lazy frame have none: give a mapping from "
            "item to weight, or a column.",
            option=Keyword(ROLE),
        )
    column = next(name for name in (f"{ROLE}{'_' * size}" for size in range(99)) if name not in study.columns)
    return replace(plain, annotations=lazy.with_item_values(given, column), roles={**roles, ROLE: column})


def _as_given(weights: Any) -> WeightsOfItems:
    """A mapping from item to weight, or one weight for each item in order."""
    if isinstance(weights, Mapping):
        return {item: weight for item, weight in weights.items() if weight is not None}
    if hasattr(weights, "__len__") and not isinstance(weights, str | bytes):
        found: WeightsOfItems = weights if isinstance(weights, np.ndarray | list | tuple) else list(weights)
        return found
    raise OptionError.must("weights", "be a column, a mapping from item to weight, or a list with one each", weights)


def named_weights(study: Study) -> dict[Label, float]:
    """The weight of each item that has one, as it was given."""
    found = study._item_weights
    if found is None:
        return {}
    codes = _brought(study, found.name) if found.codes is None else found.codes
    return {study.items[place]: float(found.values[at]) for place, at in enumerate(codes.tolist()) if at >= 0}
