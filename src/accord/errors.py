"""Everything accord raises on purpose.

AccordError (a ValueError)
├── InputError            what was given cannot be a study
│   ├── ColumnMissing     a role names a column that the table does not have
│   ├── DuplicateAnswers  an annotator answered an item twice, and nobody said what to do
│   ├── FileError         a file that cannot be read, or not as its format says; names the file and the place
│   └── LabelError        a label of a type, or outside a scale, that cannot be
├── MeasureError          the question does not fit the data; the message names one that does
│   └── WeightsError      weights that are not similarities between the study's answers
├── OptionError           an option with a value it cannot take
├── EngineOverflow        a code that did not fit into an engine's integers: caught, and wider ones taken
└── ExtraMissing          a feature whose optional packages are not installed

A message says what was found, with the actual values, and then the way out.
A value that is merely *undefined* (one label used, nobody to compare with) is never an error:
it is NaN in the result, and `undefined` says why.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from difflib import get_close_matches


class AccordError(ValueError):
    """Base of every error that accord raises on purpose."""


class InputError(AccordError):
    """What was given cannot be read as a study."""


class ColumnMissing(InputError):
    """A role names a column that the table does not have."""

    def __init__(self, role: str, wanted: object, have: Sequence[str]) -> None:
        near = get_close_matches(str(wanted), [str(name) for name in have], 1, 0.5)
        several = role in ("annotators", "columns")  # options that take a list
        meant = [f"{name!r}" if several else f"{role}={name!r}" for name in near]
        hint = f" Did you mean {meant[0]}?" if near else f" Say which one it is: {role}={'[…]' if several else '…'}"
        purpose = {"by": "to make groups by", "annotators": "to read answers from", "columns": "to read yes or no from"}
        what = purpose.get(role, f"to read the {role} from")
        super().__init__(f"No column {wanted!r} {what}; the table has {listing(have)}.{hint}")


class DuplicateAnswers(InputError):
    """The same annotator answered the same item more than once."""


class FileError(InputError):
    """A file that cannot be read, or that is not as its format says."""

    def __init__(self, file: object, place: str, message: str) -> None:
        name = getattr(file, "name", None) or str(file)
        super().__init__(f"{name}, {place}: {message}" if place else f"{name}: {message}")


class LabelError(InputError):
    """A label that cannot be one, or that the declared scale does not hold."""


class MeasureError(AccordError):
    """A measure that cannot take this kind of answer or this number of annotators."""


class WeightsError(MeasureError):
    """Weights that are not similarities between the study's answers."""


class OptionError(AccordError):
    """An option with a value it cannot take."""

    @classmethod
    def choice(cls, name: str, got: object, allowed: Iterable[str]) -> OptionError:
        """The error for a word that is not among the allowed ones."""
        names = list(allowed)
        near = get_close_matches(str(got), names, 1, 0.6)
        hint = f" Did you mean {near[0]!r}?" if near else ""
        return cls(f"{name} must be one of {listing(names)}; got {got!r}.{hint}")


class EngineOverflow(AccordError):
    """A sum of codes did not fit into the engine's integers; the caller takes wider ones. Users never see it."""


class ExtraMissing(AccordError):
    """A feature whose optional packages are not installed."""

    def __init__(self, feature: str, extra: str | None = None, *, package: str | None = None) -> None:
        what = package or f'"accord[{extra}]"'
        super().__init__(f"{feature} needs packages that are not installed: pip install {what}")


def counted(number: int, what: str) -> str:
    """A number of things, in the singular for one; the first word is what is counted.

    >>> counted(1, "rows without an item"), counted(1200, "rows without an item")
    ('1 row without an item', '1,200 rows without an item')
    """
    noun, space, rest = what.partition(" ")
    return f"{number:,} {noun.removesuffix('s') if number == 1 else noun}{space}{rest}"


def percent(share: float) -> str:
    """A share in per cent, with the decimals it has.

    >>> percent(0.95), percent(0.999)
    ('95%', '99.9%')
    """
    return f"{100 * share:.6g}%"


def listing(values: Iterable[object], most: int = 8) -> str:
    """Values for a message: quoted, and cut where there are many.

    >>> listing(["a", "b"]), listing(range(20), most=3)
    ("'a', 'b'", '0, 1, 2 … (20 in all)')
    """
    shown = [repr(value) for value in values]
    if len(shown) <= most:
        return ", ".join(shown) or "nothing"
    return ", ".join(shown[:most]) + f" … ({len(shown)} in all)"
