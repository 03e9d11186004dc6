"""Options that many questions share, each checked in one way."""

from __future__ import annotations

import inspect
import math
import sys
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import cache
from numbers import Integral, Real
from types import CodeType
from typing import Any, TypeAlias
from weakref import WeakSet

import numpy as np

from accord.annotations.arrays import FloatArray
from accord.errors import (
    InputError,
    Keyword,
    OptionError,
    Quoted,
    Remedy,
    UnknownKeyword,
    as_typed,
    did_you_mean,
    nearest,
    quoted,
    remedy,
)

Rng: TypeAlias = "int | np.random.Generator | None"  # in quotes: naming it would load NumPy's generators
Progress: TypeAlias = bool | Callable[[int, int], None] | None
SEEDS = 2**128  # among which NumPy chooses one where it is told none
MOST_RESAMPLES = 10_000_000  # whose values take 80 MB
MOST_DIGITS = 18  # of a number that counts something; Python refuses to read thousands of them
WIDEST, EXACT = 2**127, 2**53  # whole numbers below these are exact in a column of them, and among fractions
LARGEST_BITS = 1_000  # of a whole number that is a fraction's neighbour: floats end at 1,024
SEED = 0  # of everything that is drawn at random, unless another is given: the same call, the same result


def seeded(rng: Rng) -> tuple[np.random.Generator, int | None]:
    """A generator and the seed to keep; by default one fixed seed, so that the same call gives the same result."""
    if isinstance(rng, np.random.Generator):
        return rng, None
    whole = isinstance(rng, int | np.integer) and not isinstance(rng, bool)
    if rng is not None and (not whole or rng < 0):
        raise OptionError.must("rng", "be a seed (a whole number, not negative) or a numpy Generator", rng)
    seed = SEED if rng is None else int(rng)
    if seed >= SEEDS:
        raise OptionError.must("rng", "be below 2**128, as many seeds as NumPy chooses among", rng)
    return np.random.default_rng(seed), seed


def check_confidence(confidence: Any) -> None:
    """A share between 0 and 1: 95 is no confidence, 0.95 is."""
    if not is_number(confidence) or not 0 < confidence < 1:
        raise OptionError.must("confidence", "lie between 0 and 1, for example 0.95", confidence)
    if (1 + confidence) / 2 == 1:  # whose quantile is infinite
        raise OptionError.must("confidence", "be further from 1, for example 0.999999", confidence)


def check_whole(name: str, value: Any, least: int, what: str = "", most: int | None = None) -> None:
    """A whole number that is not below `least`, nor above `most`."""
    if not is_whole(value) or value < least:
        rule = f"be a whole number, at least {least}{f' ({what})' if what else ''}"
        raise OptionError.must(name, rule, value)
    if most is not None and value > most:
        raise OptionError.must(name, f"be a whole number, at most {most:,}", value)


def check_choice(name: str, value: Any, known: Iterable[Any]) -> None:
    """One of the known values."""
    if not is_among(value, known):
        raise OptionError.choice(name, value, known)


def is_among(value: Any, known: Iterable[Any]) -> bool:
    """Is it one of the known values? An array or a list, which nothing equals for sure, is none of them.

    >>> is_among("a", ("a", "b")), is_among(["a"], ("a", "b"))
    (True, False)
    """
    return is_hashable(value) and value in known


def is_hashable(value: Any) -> bool:
    """Can it be a name or a key? Not a list, an array or what holds one, whatever its type says of itself."""
    try:
        hash(value)
    except TypeError:
        return False
    return True


def check_flag(name: str, value: Any) -> None:
    """Yes or no."""
    if not isinstance(value, bool | np.bool_):
        raise OptionError.must(name, "be True or False", value)


def listed(name: str, values: Any, rule: str) -> list[Any]:
    """The members of a list, a tuple, an array; a text or a single value is none of them.

    >>> listed("people", ("ana", "ben"), "be a list of names")
    ['ana', 'ben']
    """
    if isinstance(values, str | bytes | Mapping) or not isinstance(values, Iterable):
        raise OptionError.must(name, rule, values)
    return list(values)


def one_or_listed(name: str, values: Any, rule: str) -> list[Any]:
    """The same, where a text by itself is one of them; nothing is none.

    >>> one_or_listed("facets", "prompt", "name columns"), one_or_listed("facets", None, "name columns")
    (['prompt'], [])
    """
    given = [values] if isinstance(values, str) else [] if values is None else listed(name, values, rule)
    if not all(map(is_hashable, given)):  # a list within it is no name
        raise OptionError.must(name, rule, values)
    return given


def check_positive(name: str, value: Any, example: str) -> None:
    """A finite number above 0."""
    if not is_number(value) or not 0 < value < math.inf:
        raise OptionError.must(name, f"be a positive number, such as {example}", value)


def check_finite(name: str, value: Any) -> None:
    """A number, and not infinite or NaN."""
    if not is_number(value) or not math.isfinite(value):
        raise OptionError.must(name, "be a number", value)


def is_whole(value: Any) -> bool:
    """A whole number, and not True or False."""
    return isinstance(value, Integral) and not isinstance(value, bool)


def whole_number(text: object) -> int | None:
    """The whole number that a text is, in digits alone; None of any other, and of more digits than anybody counts to.

    >>> whole_number("12"), whole_number("-3"), whole_number("9" * 5000)
    (12, None, None)
    """
    return int(text) if isinstance(text, str) and text.isdecimal() and len(text) <= MOST_DIGITS else None


def is_number(value: Any) -> bool:
    """A real number, and not True or False; nor a whole number of hundreds of digits, which nothing can be made of."""
    if isinstance(value, int):
        return not isinstance(value, bool) and value.bit_length() < LARGEST_BITS
    return isinstance(value, Real)


def as_numbers(name: str, values: Any) -> FloatArray:
    """One number per item; NaN for none."""
    try:
        return np.asarray(values, np.float64).ravel()
    except (TypeError, ValueError, OverflowError):
        raise InputError(
            Keyword(name), " must hold numbers, one per item; got ", Quoted([values], 1, f"{as_typed(values):.80}"), "."
        ) from None


def reporter(progress: bool | Callable[[int, int], None] | None, what: str) -> Callable[[int, int], None]:
    """A function of (done, total): the caller's own, a line on the error stream, or nothing."""
    if callable(progress):
        return progress
    if not progress:
        return _report_nothing

    def report(done: int, total: int) -> None:
        end = "\n" if done >= total else ""
        sys.stderr.write(f"\r{what}: {done:,} of {total:,}{end}")
        sys.stderr.flush()

    return report


def _report_nothing(_done: int, _total: int) -> None:
    """Say nothing."""


class Shown:
    """A result that is said in a few lines: at the prompt, and in a notebook, where the first line stands out."""

    def __repr__(self) -> str:
        return str(self)

    def _repr_html_(self) -> str:
        return html_lines(str(self))


def html_lines(text: str) -> str:
    r"""Lines of text for a notebook: bold is the first, up to what it adds in brackets. Whatever they hold is text.

    >>> print(html_lines("kappa 0.4 (3 items)\n  a < b").replace("<p", "\n<p"))
    <div>
    <p style="margin:0"><strong>kappa 0.4</strong> (3 items)</p>
    <p style="margin:0;padding-left:1em">a &lt; b</p></div>
    """
    from html import escape  # for notebooks alone

    first, *rest = text.split("\n")
    value, bracket, more = first.partition(" (")
    lines = [f'<p style="margin:0"><strong>{escape(value)}</strong>{escape(bracket + more)}</p>']
    for line in rest:
        inset = ";padding-left:1em" if line.startswith(" ") else ""
        lines.append(f'<p style="margin:0{inset}">{escape(line.strip())}</p>')
    return f"<div>{''.join(lines)}</div>"


__version__ = "0.1.0"  # of accord: every room may say it, and imports none above it for that
SCHEMA = "accord/1"


def head(kind: str) -> dict[str, Any]:
    """What every object that becomes JSON begins with."""
    return {"schema": SCHEMA, "object": kind, "version": __version__}


ESCAPED = "backslashreplace"  # how half a character, as of a text cut within an emoji, is written into a file


def encodable(cell: Any) -> Any:
    r"""A cell that can be written: half a character, which no file can hold, stands as what it is called.

    >>> encodable("great \ud83d"), encodable(3)
    ('great \\ud83d', 3)
    """
    return cell.encode("utf-8", ESCAPED).decode("utf-8") if isinstance(cell, str) and not cell.isascii() else cell


def storable(cells: Iterable[Any]) -> list[Any]:
    r"""Cells as a column of one type can hold them: `encodable`, and all as text where a number has too many digits.

    >>> storable([1, 2, None]), storable([1, 2**127]), storable([0.5, 2**53 + 1])
    ([1, 2, None], ['1', '170141183460469231731687303715884105728'], ['0.5', '9007199254740993'])
    """
    held = list(cells)
    if not any(issubclass(kind, list | tuple | dict) for kind in {type(cell) for cell in held}) and not too_long(held):
        return [encodable(cell) for cell in held]
    as_text = too_long(list(within(held)))
    return [_stored(cell, as_text=as_text) for cell in held]


def _stored(cell: Any, *, as_text: bool) -> Any:
    if isinstance(cell, list | tuple):
        return [_stored(part, as_text=as_text) for part in cell]
    if isinstance(cell, dict):
        return {encodable(name): _stored(part, as_text=as_text) for name, part in cell.items()}
    if not as_text:
        return encodable(cell)
    return None if cell is None or cell != cell else encodable(str(cell))  # noqa: PLR0124 - NaN says nothing


def within(cell: Any) -> Iterator[Any]:
    """All that lists and records hold, down to the last.

    >>> list(within([1, (2, [3]), {"a": 4}]))
    [1, 2, 3, 4]
    """
    if isinstance(cell, list | tuple | dict):
        for part in cell.values() if isinstance(cell, dict) else cell:
            yield from within(part)
    else:
        yield cell


def too_long(cells: Sequence[Any]) -> bool:
    """Is there a whole number that a column of numbers does not hold to its last digit?"""
    kinds = {type(cell) for cell in cells}
    most = EXACT if float in kinds else WIDEST
    return int in kinds and any(type(cell) is int and not -most <= cell < most for cell in cells)


BY_OTHERS: WeakSet[CodeType] = WeakSet()  # functions that are public by having been registered, wherever they are


def public_function() -> str:
    """The function of accord that the caller called, or the measure of somebody else's that did."""
    name, frame = "measure", inspect.currentframe()
    while frame is not None and frame.f_code.co_name != "<module>":
        if frame.f_code in BY_OTHERS:
            return frame.f_code.co_name
        if not str(frame.f_globals.get("__name__", "")).startswith("accord."):
            break
        name, frame = frame.f_code.co_qualname, frame.f_back
    return name.removesuffix(".__init__").rpartition(".")[2]


def refuse_unknown(
    given: Mapping[str, Any],
    known: Collection[str],
    others: Iterable[str] = (),
    of_results: Mapping[str, str] | None = None,
) -> None:
    """Refuse a keyword that the function does not have, with the nearest that it has, or the method it belongs to.

    Args:
        given: What a call gave as **keywords.
        known: Which of these there are.
        others: The keywords beside them, which may have been meant.
        of_results: Keywords of the methods of a result, and of which.
    """
    for name, value in given.items():
        if name in known:
            continue
        there = list(dict.fromkeys([*known, *others]))
        close = [one for one in nearest(name, there, 0.6) if one != name]
        ways = [Remedy({one: value}) for one in close]
        hint = did_you_mean(close, of_data=False)
        method = (of_results or {}).get(name)
        raise UnknownKeyword(
            f"{public_function()}() got an unexpected keyword argument ",
            quoted(name),
            ".",
            *(hint if method is None else (" It belongs to the result: ", remedy(f".{method}", **{name: ...}), ".")),
            option=Keyword(name, value),
            available=there,
            remedies=ways if method is None else [],
        )


@cache
def keywords_of(called: Callable[..., Any]) -> tuple[str, ...]:
    """What a function takes by name alone."""
    parameters = inspect.signature(called).parameters.values()
    return tuple(one.name for one in parameters if one.kind is inspect.Parameter.KEYWORD_ONLY)
