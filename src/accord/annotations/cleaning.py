"""What is done to labels before they are read, on request: missing codes, trimming, case folding, recoding; counted."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, TypedDict

import numpy as np
import numpy.typing as npt

from accord.annotations.answers import holds_several, tidy_label
from accord.annotations.left_out import LeftOut, Reason
from accord.errors import OptionError, counted, listing


class CleaningOptions(TypedDict, total=False):
    """How labels are cleaned: keywords of `Study`, `accord.read` and every measure."""

    missing: Sequence[Any]
    trim: bool
    fold_case: bool
    recode: Mapping[Any, Any]


CLEANING = tuple(CleaningOptions.__annotations__)


@dataclass(frozen=True)
class Cleaning:
    """What the caller wants done to labels. A label is meant however it is written: 99 is "99" too."""

    missing: tuple[str, ...] = ()
    trim: bool = False
    fold_case: bool = False
    recode: Mapping[str, Any] = field(default_factory=dict)

    @classmethod
    def of(
        cls,
        missing: Sequence[Any] | None = None,
        trim: bool = False,
        fold_case: bool = False,
        recode: Mapping[Any, Any] | None = None,
    ) -> Cleaning:
        """From the keywords of a call, which are checked."""
        if missing is not None and (isinstance(missing, str | bytes | Mapping) or not isinstance(missing, Iterable)):
            raise OptionError.must("missing", "list the codes that stand for no answer, such as [99, 'NA']", missing)
        for name, value in (("trim", trim), ("fold_case", fold_case)):
            if not isinstance(value, bool):
                raise OptionError.must(name, "be True or False", value)
        if recode is not None and not isinstance(recode, Mapping):
            raise OptionError.must("recode", "map labels to labels, such as {'Yes': 'yes'}", recode)
        codes = tuple(_written(code) for code in (() if missing is None else missing))
        return cls(codes, trim, fold_case, {_written(old): new for old, new in (recode or {}).items()})

    def __bool__(self) -> bool:
        return bool(self.missing or self.trim or self.fold_case or self.recode)


NO_CLEANING = Cleaning()


class Cleaner:
    """Cleans the labels of one study, and counts what it changes.

    >>> cleaner = Cleaner(Cleaning.of(missing=[99], trim=True, fold_case=True))
    >>> cleaner.column(["Yes", "no ", "99", 99, None]), cleaner.changed["missing"]
    (['yes', 'no', None, None, None], 2)
    """

    def __init__(self, cleaning: Cleaning) -> None:
        self.cleaning = cleaning
        self.changed = {"missing": 0, "trim": 0, "fold_case": 0, "recode": 0}
        self._paused = False
        self.dropped_text = False  # was text among the missing codes found? Then the rest may be numbers
        self._missing = {*cleaning.missing, *(code.casefold() for code in cleaning.missing if cleaning.fold_case)}

    def __bool__(self) -> bool:
        return bool(self.cleaning) and not self._paused

    @contextmanager
    def done(self) -> Iterator[None]:
        """While this lasts there is nothing to clean: the labels are as they should be."""
        self._paused = True
        try:
            yield
        finally:
            self._paused = False

    def column(self, cells: Iterable[Any], numbers: Iterable[int] | None = None) -> list[Any]:
        """Cells as they are to be read, None for a missing code; `numbers` says how often each stands there."""
        known: dict[Any, tuple[Any, tuple[str, ...]]] = {}
        found: list[Any] = []
        often = iter(numbers) if numbers is not None else None
        for cell in cells:
            number = 1 if often is None else next(often)
            if holds_several(cell):
                found.append(self._several(cell))
                continue
            key = (type(cell), cell)
            try:
                label, done = known[key] if key in known else known.setdefault(key, self._one(cell))
            except TypeError:  # a cell that cannot be a key is no label: whoever codes it says so
                label, done = cell, ()
            for what in done:
                self.changed[what] += number
            found.append(label)
        return found

    def array(self, cells: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """An array of cells; missing codes among numbers are masked."""
        if cells.dtype == object or cells.dtype.kind not in "iuf":
            cleaned = np.empty(cells.size, dtype=object)
            cleaned[:] = self.column(cells.ravel().tolist())
            return cleaned.reshape(cells.shape)
        codes = [code for code in map(_number, self.cleaning.missing) if code is not None]
        if self.cleaning.recode:
            return self.array(cells.astype(object))
        gone = np.isin(cells, codes)
        self.changed["missing"] += int(gone.sum())
        return np.ma.masked_array(cells, mask=gone | np.ma.getmaskarray(cells))

    def labels(self, categories: Sequence[Any]) -> list[Any]:
        """The categories of a declared scale, cleaned; nothing is counted."""
        cleaned = [self._one(category)[0] for category in categories]
        return list(dict.fromkeys(label for label in cleaned if label is not None))

    def note_missing(self, left_out: LeftOut) -> None:
        """Answers that were missing codes are counted as that, not as gaps."""
        number = self.changed["missing"]
        for gap in (Reason.NO_ANSWER, Reason.EMPTY_CELL, Reason.BLANK_LABEL):
            number -= left_out.move(gap, Reason.MISSING_CODE, number)

    def notes(self) -> list[str]:
        """What was changed, and how often."""
        codes = listing(self.cleaning.missing, most=5)
        words = {
            "missing": f"{codes} read as no answer",
            "trim": "blanks around labels taken away",
            "fold_case": "labels read in small letters",
            "recode": "labels recoded",
        }
        return [
            f"{what}: {counted(self.changed[name], 'cells')}"
            for name, what in words.items()
            if getattr(self.cleaning, name)
        ]

    def _several(self, cell: Any) -> list[Any] | None:
        """An answer of several labels: each is cleaned, those that became the same are one; of codes alone, none.

        Labels that are tied in a ranked answer are a list within it.
        """
        labels: dict[Any, None] = {}
        found: list[Any] = []
        for part in self.column(list(cell)):
            tied = part if holds_several(part) else [part]
            new = [label for label in dict.fromkeys(tied) if label is not None and label not in labels]
            labels |= dict.fromkeys(new)
            found += [new] if holds_several(part) and new else new
        return found if found or not len(cell) else None

    def _one(self, cell: Any) -> tuple[Any, tuple[str, ...]]:
        """One cell as it is to be read, and what was done to it."""
        if cell is None or not isinstance(cell, str | int | float | np.generic) or tidy_label(cell) is None:
            return cell, ()
        done: list[str] = []
        label: Any = cell
        if self.cleaning.trim and isinstance(label, str):
            label = label.strip()
            done += ["trim"] if label != cell else []
        written = _written(label)
        folded = written.casefold() if self.cleaning.fold_case else written
        for way in (written, folded):
            if way in self.cleaning.recode:
                new = self.cleaning.recode[way]
                return (None, ("missing",)) if tidy_label(new) is None else (new, (*done, "recode"))
        if written in self._missing or folded in self._missing:
            self.dropped_text = self.dropped_text or isinstance(cell, str)
            return None, ("missing",)
        if isinstance(label, str) and folded != label:
            return folded, (*done, "fold_case")
        return label, tuple(done)


def _written(label: Any) -> str:
    """A label as text: 99, 99.0 and "99" are one."""
    return str(tidy_label(label)) if isinstance(label, int | float | np.generic) else str(label)


def _number(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None
