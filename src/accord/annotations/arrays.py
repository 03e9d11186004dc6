"""The kinds of arrays that accord computes with, and a few operations that everybody needs."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, TypeAlias
from weakref import WeakValueDictionary

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    from accord.annotations.in_threads import Block

FloatArray: TypeAlias = npt.NDArray[np.float64]
IntArray: TypeAlias = npt.NDArray[np.int64]
BoolArray: TypeAlias = npt.NDArray[np.bool_]
DENSE = 16  # bytes per row that marking may take
NOTHING_LEFT = 1e-12  # 1 − expected below this is zero: there is nothing that agreement could be better than
BLOCK = 1 << 16  # rows at a time
LOG_ZERO = -1e4  # stands in for log 0, so that an own answer can be taken out again
ORDERED = 2**32  # pairs that are told apart by 32 bits
FEW = 16  # seconds of one first, of which every two may be compared
MANY = 100_000  # pairs from which on it pays to load SciPy's sparse matrices
THREADED = 10_000  # numbers from which on BLAS calls other threads to add up products
BLOCKS = 1_000_000  # from which on they are looked at block by block, in threads
_NUMBERS: WeakValueDictionary[int, IntArray] = WeakValueDictionary()  # while somebody holds them


def add_up(place: IntArray, values: npt.ArrayLike, size: int) -> FloatArray:
    """The sum of the values that go to each place."""
    return np.asarray(np.bincount(place, weights=values, minlength=size), dtype=np.float64)


def columns_added(place: npt.NDArray[Any], table: FloatArray, size: int) -> FloatArray:
    """(size, columns): the sum of the rows of a table that go to each place.

    >>> columns_added(np.array([1, 1]), np.array([[1.0, 2.0], [3.0, 4.0]]), 2).tolist()
    [[0.0, 0.0], [4.0, 6.0]]
    """
    total = np.empty((size, table.shape[1]))
    for column in range(table.shape[1]):
        total[:, column] = np.bincount(place, weights=table[:, column], minlength=size)
    return total


def looked_up_sums(place: IntArray, key: IntArray, table: FloatArray, size: int) -> FloatArray:
    """The sum of table[key] that goes to each place.

    In a table that is in order of its items neighbouring rows go to near places: then nothing as long as it is made.

    >>> looked_up_sums(np.array([0, 0, 1]), np.array([1, 0, 1]), np.array([1.0, 8.0]), 2).tolist()
    [9.0, 8.0]
    """
    total = np.zeros(size)
    for begin in range(0, len(place), BLOCK):
        some = place[begin : begin + BLOCK]
        low = int(some.min())
        if int(some.max()) - low > BLOCK:
            return add_up(place, table.take(key), size)
        part = np.bincount(some - low, weights=table.take(key[begin : begin + BLOCK]))
        total[low : low + len(part)] += part
    return total


def found_at(keys: IntArray, wanted: IntArray) -> IntArray:
    """Where each wanted key stands among keys that ascend; −1 where it does not.

    >>> found_at(np.array([2, 3, 5]), np.array([3, 4, 9, 2])).tolist()
    [1, -1, -1, 0]
    """
    if not len(keys):
        return np.full(len(wanted), -1, dtype=np.int64)
    place = np.minimum(np.searchsorted(keys, wanted), len(keys) - 1)
    return np.where(keys[place] == wanted, place, -1)


def places(keys: IntArray, wanted: IntArray, size: int) -> IntArray:
    """The same for keys below `size`: by a table where that takes little memory.

    >>> places(np.array([2, 3, 5]), np.array([3, 4, 2]), 6).tolist()
    [1, -1, 0]
    """
    if len(keys) == len(wanted) and (keys == wanted).all():
        return np.arange(len(keys))
    if size > DENSE * len(wanted):
        return found_at(keys, wanted)
    table = np.full(size, -1, dtype=np.int64)
    table[keys] = np.arange(len(keys))
    return table[wanted]


def numbers(size: int) -> IntArray:
    """0, 1, 2 … in 32 bits where they fit: one array for all who ask while anybody holds it, and not to be written."""
    found = _NUMBERS.get(size)
    if found is None:
        kind = np.int32 if size < 2**31 else np.int64
        found = _NUMBERS[size] = np.arange(size, dtype=kind) if size < BLOCKS else _counted_up(np.empty(size, kind))
        found.flags.writeable = False
    return found


def _counted_up(places: IntArray) -> IntArray:
    """0, 1, 2 … written in threads: most of the time goes into the memory, which is new."""
    from accord.annotations.in_threads import BATCH, each_in_threads

    def write(begin: int) -> None:
        some = places[begin : begin + BATCH]
        some[:] = np.arange(begin, begin + len(some), dtype=places.dtype)

    for _ in each_in_threads(write, ((begin,) for begin in range(0, len(places), BATCH))):
        pass
    return places


def seen(codes: npt.NDArray[np.integer[Any]], size: int) -> BoolArray:
    """(size,) which codes stand there? −1 is none. Of many rows only as many are looked at as it takes to see all."""
    marked, flat = np.zeros(size + 1, dtype=np.bool_), codes.ravel()
    if size > BLOCK and len(flat) >= BLOCKS:
        from accord.annotations.in_threads import cut, each_in_threads

        for _ in each_in_threads(lambda part: marked.put(part, 1, mode="wrap"), cut(flat)):  # two may mark one place
            pass
        return marked[:size]
    begin, end = 0, min(8 * size, BLOCK)  # of few codes all are often seen at once
    while begin < len(flat):
        marked[flat[begin:end]] = True  # where −1 is the last place
        if marked[:size].all():
            break
        begin, end = end, end + BLOCK
    return marked[:size]


def used(codes: npt.NDArray[np.integer[Any]], size: int) -> IntArray:
    """The codes in use, in order; by marking, which is much faster than sorting or hashing."""
    return np.nonzero(seen(codes, size))[0]


def has_twice(codes: IntArray, size: int) -> bool:
    """Does a code below `size` stand twice? By marking where that takes little memory, else by sorting."""
    if size <= DENSE * len(codes):
        return int(np.count_nonzero(seen(codes, size))) < len(codes)
    return _equal_neighbours(np.sort(codes))  # several times quicker than the order of the rows, which few need


def _equal_neighbours(ordered: npt.NDArray[np.integer[Any]]) -> bool:
    return bool((ordered[1:] == ordered[:-1]).any())


def totals(codes: IntArray, values: IntArray | FloatArray, size: int) -> tuple[IntArray, FloatArray]:
    """The different codes below `size`, in order, and the sum of each one's positive values."""
    if size <= DENSE * len(codes):
        total = add_up(codes, values, size)
        found = np.nonzero(total)[0]
        return found, total[found]
    found, place = np.unique(codes, return_inverse=True)
    return found, add_up(place, values, len(found))


def numbers_of_each(codes: IntArray, size: int) -> tuple[IntArray, IntArray]:
    """The different codes below `size`, in order, and how often each stands there.

    >>> numbers_of_each(np.array([3, 1, 3]), 4)
    (array([1, 3]), array([1, 2]))
    """
    if size > DENSE * len(codes):
        return np.unique(codes, return_counts=True)
    number = np.bincount(codes)
    found = np.nonzero(number)[0]
    return found, number[found]


def in_order(codes: IntArray, size: int) -> IntArray:
    """The places of different codes below `size`, from the least to the greatest; marked where that takes little."""
    if size > DENSE * len(codes):
        return np.argsort(codes, kind="stable")
    place = np.full(size, -1, dtype=np.int64)
    place[codes] = np.arange(len(codes))
    return place[place >= 0]


def pairs_repeat(first: IntArray, second: IntArray, shape: tuple[int, int]) -> bool:
    """Does a pair of codes stand twice?

    Pairs are put in order by the first, where a table does not come in it; where few belong to each first, every two of
    them are compared: those next to each other, those two apart …
    """
    size = shape[0] * shape[1]
    if size <= DENSE * len(first):
        return _marked_twice(first, second, shape)
    if len(first) < MANY or max(*shape, len(first) + 1) >= 2**31:
        return has_twice(first.astype(np.int64) * shape[1] + second, size)
    known = _repeat_in_order(first, second)
    if known is not None:
        return known
    if len(first) < BLOCKS and size <= ORDERED:  # and no SciPy, which takes longer to load
        return _equal_neighbours(np.sort(first.astype(np.uint32) * np.uint32(shape[1]) + second.astype(np.uint32)))
    from accord.annotations.in_threads import Block, Blocks, counted, cut, each_in_threads

    if len(first) < BLOCKS:
        return _repeat_within(Block(0, shape[0], first, second), shape[1])
    blocks = Blocks(cut(first, second), counted(first, shape[0]))
    numbered = ((at,) for at in range(blocks.number))
    return any(each_in_threads(lambda at: _repeat_within(blocks.block(at), shape[1]), numbered))


def _repeat_in_order(first: IntArray, second: IntArray) -> bool | None:
    """The same of a table that is in order of the first, as most are; None where it is not, or many belong to one.

    >>> _repeat_in_order(np.array([0, 0, 0, 1]), np.array([2, 1, 2, 1]))
    True
    >>> _repeat_in_order(np.array([0, 0, 1, 1]), np.array([2, 1, 2, 1]))
    False
    """
    found = False
    for begin in range(0, len(first), BLOCK):  # with as many rows of the next block as are compared with its last one
        firsts, seconds = first[begin : begin + BLOCK + FEW], second[begin : begin + BLOCK + FEW]
        if (firsts[1:] < firsts[:-1]).any():
            return None
        for apart in range(1, len(firsts)):
            same = firsts[apart:] == firsts[:-apart]
            if not same.any():
                break
            if apart >= FEW:
                return None
            same &= seconds[apart:] == seconds[:-apart]
            found |= bool(same.any())
    return found


def _repeat_within(block: Block, size: int) -> bool:
    """Does a pair of one block stand twice? Its second codes are below `size`."""
    from scipy.sparse import csr_array

    starts, seconds = block.by_first()
    most = int(np.diff(starts).max(initial=0))
    if most > FEW:
        ones, shape = np.ones(len(seconds), dtype=np.bool_), (block.size, size)
        together = csr_array((ones, seconds.astype(starts.dtype), starts), shape=shape)
        together.sum_duplicates()  # equal pairs are joined
        return int(together.nnz) < len(seconds)
    for apart in range(1, most):
        equal = np.nonzero(seconds[apart:] == seconds[:-apart])[0]
        if (equal + apart < starts[np.searchsorted(starts, equal, side="right")]).any():  # of one and the same first
            return True
    return False


def _marked_twice(first: IntArray, second: IntArray, shape: tuple[int, int]) -> bool:
    """Does a pair of codes stand twice? By marking, some rows at a time: no array of all pairs is made."""
    marked = np.zeros(shape[0] * shape[1], dtype=np.bool_)
    for begin in range(0, len(first), BLOCK):
        pair = first[begin : begin + BLOCK].astype(np.int64) * shape[1]
        pair += second[begin : begin + BLOCK]
        marked[pair] = True
    return int(np.count_nonzero(marked)) < len(first)


def is_masked(cells: npt.NDArray[Any]) -> bool:
    """Are some of the cells masked? A plain array has no mask, and asking NumPy for its masks would load them."""
    return type(cells) is not np.ndarray and bool(np.ma.is_masked(cells))


def filled(cells: npt.NDArray[Any]) -> FloatArray:
    """Cells as numbers, NaN for masked ones."""
    numbers = cells.astype(np.float64)
    return numbers if type(numbers) is np.ndarray else np.asarray(np.ma.filled(numbers, np.nan))


def divide(above: npt.ArrayLike, below: npt.ArrayLike) -> FloatArray:
    """A quotient that is NaN where it does not exist."""
    numerator, denominator = np.asarray(above, np.float64), np.asarray(below, np.float64)
    if denominator.all() if denominator.ndim else denominator:  # as nearly always; one number is asked at once
        return np.asarray(numerator / denominator)
    same = numerator.shape == denominator.shape
    quotient = np.full(numerator.shape if same else np.broadcast_shapes(numerator.shape, denominator.shape), np.nan)
    np.divide(numerator, denominator, out=quotient, where=denominator != 0)
    return quotient


def ordinary(values: FloatArray) -> FloatArray:
    """The values in proportion, where their powers would overflow or vanish: for what does not depend on the unit."""
    largest = float(np.nanmax(np.abs(values), initial=0.0))
    return values if largest == 0 or 1e-40 < largest < 1e40 else values / largest


def unit_of(values: FloatArray) -> float:
    """The power of two below the largest of some values, in which they can be counted without losing a digit.

    >>> unit_of(np.array([0.5, -6.0])), unit_of(np.zeros(2))
    (4.0, 1.0)
    """
    largest = float(np.abs(values).max(initial=0.0))
    return math.ldexp(0.5, math.frexp(largest)[1]) if 0 < largest < math.inf else 1.0


def sum_of_products(left: npt.NDArray[Any], right: npt.NDArray[Any]) -> float:
    """Σ left · right of two rows. BLAS cuts long ones up for threads, and waits for those that are busy elsewhere.

    >>> sum_of_products(np.array([1, 2]), np.array([0.5, 2.0]))
    4.5
    """
    return float(left @ right) if len(left) < THREADED else float(np.einsum("i,i->", left, right))


def dot(left: FloatArray, right: FloatArray) -> FloatArray:
    """The sum of products along the last axis."""
    products: FloatArray = (left * right).sum(-1)
    return products
