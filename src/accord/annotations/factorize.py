"""Raw cells to integer codes: equal labels get equal codes, missing cells get −1."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from accord.annotations.answers import Label, sorted_labels, tidy_label
from accord.annotations.arrays import FloatArray, IntArray, used
from accord.errors import LabelError, Part, at_row, quoted

EXACT = np.float64(2**53)  # whole floats below this are integers, one by one
MANY_NUMBERS = 1_000
MANY_TEXTS = 1_000  # from here on texts are put in order by their bytes
MOST_WORDS = 8  # of eight letters
SPREAD = 4  # integers whose range is at most this many times their number are coded through a table


@dataclass(frozen=True, eq=False)
class Coded:
    """One code per cell (−1 for missing), and the distinct values that the codes stand for, in canonical order."""

    codes: IntArray
    values: tuple[Label, ...]

    @property
    def n_missing(self) -> int:
        """How many cells have no value."""
        return int((self.codes < 0).sum())

    def onto(self, scale: Sequence[Label]) -> IntArray:
        """The codes on another scale, which holds every value in use; other values have no code there."""
        if tuple(scale) == self.values:
            return self.codes
        return self.placed({label: position for position, label in enumerate(scale)})

    def placed(self, place: Mapping[Label, int]) -> IntArray:
        """The codes by the place that each value has, the same for many columns; other values have no code."""
        moved = np.array([*(place.get(value, -1) for value in self.values), -1], dtype=np.int64)
        return moved[self.codes]


def code(cells: npt.ArrayLike | Iterable[Any], *, what: str = "label") -> Coded:
    """Code an array, a list or any sequence of cells; the codes keep an array's shape."""
    plain = type(cells) is np.ndarray or not isinstance(cells, np.ndarray)  # to ask of NumPy's masks is to load them
    if not plain and isinstance(cells, np.ma.MaskedArray):  # what lies under the mask does not count, whatever it is
        coded = _code_array(cells.compressed(), what)
        codes = np.full(cells.shape, -1, dtype=coded.codes.dtype)
        codes[~np.ma.getmaskarray(cells)] = coded.codes
        return Coded(codes, coded.values)
    if isinstance(cells, np.ndarray):
        return _code_array(cells, what)
    return _code_objects(list(cells), what)  # type: ignore[arg-type]


def _code_array(cells: npt.NDArray[Any], what: str) -> Coded:
    if cells.dtype.kind in "iu":
        return _code_integers(cells)
    if cells.dtype.kind == "b":
        return _code_integers(cells.astype(np.int8), boolean=True)
    if cells.dtype.kind == "f":
        return _code_floats(cells)
    if cells.dtype.kind in "mM":
        return _code_times(cells, what)
    coded = _code_objects(cells.ravel().tolist(), what)
    return Coded(coded.codes.reshape(cells.shape), coded.values)


def _code_integers(cells: npt.NDArray[Any], *, boolean: bool = False) -> Coded:
    """Through a table where the integers are dense, else by sorting."""
    if not cells.size:
        return Coded(np.empty(cells.shape, dtype=np.int64), ())
    low, high = int(cells.min()), int(cells.max())
    if high - low <= SPREAD * cells.size + 1000:
        offset = _from_zero(cells, low)
        present = used(offset, high - low + 1)
        values: Any = range(low, high + 1)  # millions of numbers need not be written out
        if boolean or not len(present) == high - low + 1 > MANY_NUMBERS:
            values = (present + low).tolist() if high < 2**62 else [place + low for place in present.tolist()]
        codes = offset if len(values) == high - low + 1 else _numbered(present, high - low + 1)[offset]
    else:
        distinct, codes = np.unique(cells, return_inverse=True)
        values, codes = distinct.tolist(), codes.reshape(cells.shape)
    small = in_small_integers(codes, len(values))
    if small is cells:  # read-only, too: a frame writes to what it shows as read-only
        small = cells.copy()
    if isinstance(values, range):
        return Coded(small, values)  # type: ignore[arg-type]
    names: list[Any] = [bool(value) for value in values] if boolean else values
    return Coded(small, tuple(names))


def _from_zero(cells: npt.NDArray[Any], low: int) -> npt.NDArray[Any]:
    """Cells less their smallest, as integers that can be an index: 100 − (−100) is no int8, and a uint64 is none."""
    wide = cells if low == 0 or cells.dtype.itemsize == 8 else cells.astype(np.int64)
    offset = wide if low == 0 else wide - wide.dtype.type(low)
    return offset.astype(np.int64) if offset.dtype == np.uint64 else offset


def _code_floats(cells: npt.NDArray[Any]) -> Coded:
    """NaN is missing; whole numbers become integers."""
    missing = np.isnan(cells)
    whole = (np.abs(cells) < EXACT) & (cells == np.floor(cells))
    if whole.any() and (whole | missing).all():
        filled = np.where(whole, cells, cells.flat[whole.argmax()])  # with a number that is there anyway
        coded = _code_integers(filled.astype(np.int64))
        return Coded(np.where(whole, coded.codes, coded.codes.dtype.type(-1)), coded.values)
    values, inverse = np.unique(cells[~missing], return_inverse=True)
    codes = np.full(cells.shape, -1, dtype=np.int64)
    codes[~missing] = inverse
    names = [tidy_label(value) for value in values.tolist()]
    return Coded(in_small_integers(codes, len(names)), tuple(name for name in names if name is not None))


def _code_times(cells: npt.NDArray[Any], what: str) -> Coded:
    """NaT is missing; a moment or a duration cannot be a label."""
    missing = np.isnat(cells)
    for moment in cells[~missing][:1]:
        tidy_label(moment, what)  # says so
    return Coded(np.full(cells.shape, -1, dtype=np.int64), ())


def _code_objects(cells: list[Any], what: str) -> Coded:
    """Cell by cell through a dictionary: text, mixtures with None, anything else."""
    types = set(map(type, cells))
    # 1, 1.0 and True are equal to Python and not to us: where types mix, the type is part of the key
    keys = cells if len(types) <= 1 else [(type(cell), cell) for cell in cells]
    try:
        distinct = dict.fromkeys(keys)
    except TypeError:  # a cell that cannot be a key: nothing by another name (a masked cell), or an error that says so
        return _code_objects([tidy_label(cell, what) for cell in cells], what)
    raw = distinct if keys is cells else (key[1] for key in distinct)
    tidy = [tidy_label(cell, what) for cell in raw]
    values = sorted_labels((label for label in tidy if label is not None), what)
    place: dict[Label | None, int] = {label: position for position, label in enumerate(values)}
    place[None] = -1
    table = {key: place[label] for key, label in zip(distinct, tidy, strict=True)}
    return Coded(np.fromiter(map(table.__getitem__, keys), dtype=np.int64, count=len(keys)), tuple(values))


def numbers_of(cells: Iterable[Any], where: Part) -> FloatArray:
    """Cells as numbers, NaN for missing; a cell that is none is an error that says where it stands."""
    numbers: list[float] = []
    for row, cell in enumerate(cells):
        known = isinstance(cell, float | np.floating)
        number = float(cell) if known else tidy_label(cell, "score")
        if isinstance(number, str | bool):
            raise LabelError(
                "A score must be a number; ",
                where,
                " has ",
                quoted(cell),
                " in ",
                at_row(row),
                ". Make it one, or missing (None).",
            )
        try:
            numbers.append(math.nan if number is None else float(number))
        except OverflowError:
            numbers.append(math.inf)
    return np.array(numbers, dtype=np.float64)


def recode(codes: IntArray, raw: Sequence[Any], *, what: str = "label") -> Coded:
    """Codes that stand for raw cells (−1 for none) as canonical codes: missing found, equal labels joined, sorted."""
    distinct = _code_plain_text(raw)
    if distinct is None:
        distinct = _code_objects(list(raw), what)
    table = in_small_integers(np.append(distinct.codes, -1), len(distinct.values))
    return _trimmed(table[codes], distinct.values)


def _code_plain_text(raw: Sequence[Any]) -> Coded | None:
    """Many different short texts of plain letters, in order by their bytes, eight at a time; None for anything else.

    Letters of ASCII are their own normal form, and their bytes are in the order of code points.
    """
    if len(raw) < MANY_TEXTS or set(map(type, raw)) != {str}:
        return None
    joined = "".join(raw)
    if not joined.isascii() or "\0" in joined:
        return None
    texts = np.array(raw, dtype="S")
    words = -(-texts.dtype.itemsize // 8)
    if words > MOST_WORDS:
        return None
    padded = np.zeros((len(texts), 8 * words), dtype=np.uint8)
    padded[:, : texts.dtype.itemsize] = texts.view(np.uint8).reshape(len(texts), -1)
    keys = padded.view(">u8").astype(np.uint64)
    order = np.argsort(keys[:, 0]) if words == 1 else np.lexsort(keys.T[::-1])
    same = (keys[order[1:]] == keys[order[:-1]]).all(axis=1)
    if same.any() or not raw[order[0]].strip() or raw[order[0]][0] <= " ":  # blanks stand first
        return None
    codes = np.empty(len(texts), dtype=np.int64)
    codes[order] = np.arange(len(texts))
    names = np.array(raw, dtype=object)[order]
    return Coded(codes, tuple(names.tolist()))


def _trimmed(codes: IntArray, values: tuple[Label, ...]) -> Coded:
    """Without the values that no code stands for any more."""
    present = used(codes, len(values))
    if len(present) == len(values):
        return Coded(codes, values)
    return Coded(_numbered(present, len(values))[codes], tuple(values[position] for position in present))


def _numbered(present: IntArray, size: int) -> IntArray:
    """(size + 1,) the number of each code among those in use, −1 for the others, and for missing, the last."""
    moved = np.full(size + 1, -1, dtype=np.int64)
    moved[present] = np.arange(len(present))
    return moved


def in_small_integers(codes: npt.NDArray[Any], number: int) -> IntArray:
    """Codes in the smallest integers that hold them: large grids are read many times over."""
    if number >= 32_767 and codes.dtype == np.int32:
        return codes
    small = np.int8 if number < 127 else np.int16 if number < 32_767 else np.int64
    return codes.astype(small, copy=False)
