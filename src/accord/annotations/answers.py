"""Answers: what one annotator can say of one item, and the scale of labels it is said in.

An answer is a single label, a set of labels (the empty set is an answer, missing is not), labels in
order of preference (`ranked`), or a number (`score`). A study holds its distinct answers once, in canonical
order; everything after that works on their positions, so that names and types never reach the arithmetic.
"""

from __future__ import annotations

import math
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal, TypeAlias, get_args

import numpy as np

from accord.annotations.arrays import BoolArray, FloatArray, IntArray
from accord.annotations.left_out import Reason
from accord.errors import Keyword, LabelError, OptionError, Part, in_python, listing, remedy

Label: TypeAlias = str | int | float | bool
Kind: TypeAlias = Literal["single", "set", "ranked", "score", "spans", "boxes", "relations", "preference"]
Level: TypeAlias = Literal["nominal", "ordinal", "interval", "ratio", "circular"]  # of measurement
Order: TypeAlias = Literal["", "listed", "meant"]  # of labels: none, the order of a list, one that means something

# What became of an answer that a model should have given; it is missing, and counted.
FAILED = {"unparsable": Reason.UNPARSABLE, "refused": Reason.REFUSED, "error": Reason.ERROR}
LOCATED: tuple[Kind, ...] = ("spans", "boxes", "relations")  # marked places, each with a label
LEVELS: tuple[Level, ...] = get_args(Level)
PREFERENCE: Kind = "preference"  # of two options: once read, a single answer on the scale first, tie, second
KINDS: tuple[Kind, ...] = ("single", "set", "ranked", "score", *LOCATED, PREFERENCE)
EMPTY_SET = "∅"  # no label fits, which is an answer


class LabelSet(tuple[Label, ...]):
    """Labels that were given together, without an order; as text they are added up.

    >>> str(LabelSet(["fear", "joy"])), str(LabelSet())
    ('fear + joy', '∅')
    """

    __slots__ = ()

    def __str__(self) -> str:
        return " + ".join(map(str, self)) or EMPTY_SET


class Ranking(tuple[Label, ...]):
    """Labels in order of preference; as text the first stands before the others.

    >>> str(Ranking(["fear", "joy"]))
    'fear > joy'
    """

    __slots__ = ()

    def __str__(self) -> str:
        return " > ".join(map(str, self)) or EMPTY_SET


@dataclass(frozen=True, eq=False)
class Answers:
    """The distinct answers of a study, in canonical order.

    `labels` is the scale in its order: declared, or seen and sorted. For single answers, answer k is label k.
    For sets and ranked answers, `members[k]` lists the positions of the labels in answer k (sorted for a set, by
    rank for a ranked answer). For scores `labels` is empty and `scores[k]` is the number.
    """

    kind: Kind
    labels: tuple[Label, ...] = ()
    members: tuple[tuple[int, ...], ...] = ()
    scores: FloatArray = field(default_factory=lambda: np.empty(0))
    places: tuple[tuple[tuple[float, ...], ...], ...] = ()  # of marked places: where each member of answer k lies
    declared: bool = False  # the user said which labels there are
    order: Order = ""  # whether the user listed the labels in an order, and whether that means something

    @property
    def ordered(self) -> bool:
        """Did the user say that the order of the labels means something?"""
        return self.order == "meant"

    def __len__(self) -> int:
        if self.kind == "single":
            return len(self.labels)
        return len(self.scores) if self.kind == "score" else len(self.members)

    def value(self, position: int) -> Label | LabelSet | Ranking:
        """The answer at a position, as the user would write it."""
        if self.kind == "single":
            return self.labels[position]
        if self.kind == "score":
            return tidy_number(float(self.scores[position]))
        labels = [self.labels[label] for label in self.members[position]]
        return Ranking(labels) if self.kind == "ranked" else LabelSet(labels)

    @cached_property
    def membership(self) -> BoolArray:
        """(K, C): does answer k hold label c?"""
        held = np.zeros((len(self), len(self.labels)), dtype=np.bool_)
        if self.kind == "single":
            np.fill_diagonal(held, val=True)
        for position, members in enumerate(self.members):
            held[position, list(members)] = True
        return held

    def relabelled(self, answers: Answers, new: IntArray) -> tuple[Answers, IntArray]:
        """With answer k called new[k] on another scale: the answers then, and what each becomes."""
        return answers, new

    def numbers(self, what: Part) -> FloatArray:
        """The numeric value of each answer, or an error that says what needs numbers."""
        if self.kind == "score":
            return self.scores
        if self.kind != "single" or not self.numeric:
            raise LabelError(
                what,
                f" needs numbers, and the answers here are {self._described()}. Give numeric labels, or choose what "
                "fits names: ",
                remedy(level="nominal"),
                ", or ",
                remedy(labels=[...]),
                " in order for ordinal.",
            )
        try:
            return np.array(self.labels, dtype=np.float64)
        except OverflowError:
            raise LabelError(what, f" needs numbers below 1.8e308; found {listing(self.labels[-1:])}.") from None

    @property
    def whole_orders(self) -> bool:
        """Does every answer put all labels (three or more) in an order?"""
        lengths = {len(held) for held in self.members}
        return self.kind == "ranked" and lengths == {len(self.labels)} and len(self.labels) > 2

    @property
    def numeric(self) -> bool:
        """Are the labels numbers (yes and no are not)?"""
        return all(isinstance(label, int | float) and not isinstance(label, bool) for label in self.labels)

    def positions(self, what: Part) -> FloatArray:
        """Numbers to measure distances on a scale with: values of numeric labels, else places in a declared order."""
        if self.kind == "score" or (self.kind == "single" and self.numeric):
            return self.numbers(what)
        if self.kind == "single" and (self.order or set(self.labels) <= {False, True}):
            return np.arange(1.0, len(self) + 1.0)
        raise LabelError(
            what,
            f" needs labels in an order, and the answers here are {self._described()}, whose order nobody said. "
            "Declare the scale in order: ",
            remedy(labels=["low", "middle", "high"]),
            in_python(", or give an ordered categorical.", "."),
        )

    def _described(self) -> str:
        if self.kind == "single":
            return f"the labels {listing(self.labels, most=5)}"
        return {"set": "sets of labels", "ranked": "ranked labels", "score": "scores"}.get(self.kind, self.kind)


def scale_of(seen: Iterable[Label], declared: Sequence[Any] | None = None, *, order: Order = "listed") -> Answers:
    """The scale of single labels: the declared one, which must hold every label seen, or the seen ones, sorted.

    A list of labels says which there are. Its order is there to be taken by whoever measures them as a scale; that it
    means something is said by a level of measurement, or by an ordered categorical (`order="meant"`).
    """
    used = list(seen)
    if declared is None:
        return Answers("single", tuple(sorted_labels(used)))
    scale = _declared_scale(declared)
    refuse_mixed_types([*scale, *used])
    outside = sorted_labels(set(used) - set(scale))
    if outside:
        raise LabelError(
            f"The data use {listing(outside)}, which the declared labels {listing(scale)} do not hold. Add them to ",
            Keyword("labels"),
            ", or mend the data.",
        )
    return Answers("single", scale, declared=True, order=order)


def _declared_scale(declared: Sequence[Any]) -> tuple[Label, ...]:
    """The labels of `labels=`, each once, none blank."""
    if isinstance(declared, str | bytes | set | frozenset) or not isinstance(declared, Iterable):
        raise OptionError.must("labels", "be a list of all labels there are, in order, such as ['no', 'yes']", declared)
    given = list(declared)
    labels = [tidy_label(label) for label in given]
    missing = [raw for raw, label in zip(given, labels, strict=True) if label is None]
    if missing:
        raise LabelError(
            "A declared label must not be blank or missing; ",
            Keyword("labels"),
            f" has {listing(missing)}. Leave it out.",
        )
    scale = tuple(label for label in labels if label is not None)
    refuse_mixed_types(scale)
    if len(set(scale)) < len(scale):
        twice = dict.fromkeys(label for label in scale if scale.count(label) > 1)
        raise LabelError(Keyword("labels"), f" declares {listing(twice)} more than once. Name every label once.")
    return scale


def sorted_labels(labels: Iterable[Label], what: str = "label") -> list[Label]:
    """Distinct labels (or ids) in canonical order: numbers by value, text by code point; never a mixture."""
    found = list(labels)
    refuse_mixed_types(found, what)
    return sorted(set(found), key=lambda label: label)


def refuse_mixed_types(labels: Iterable[Label], what: str = "label") -> None:
    """Labels are all text, all numbers or all yes/no: 1 and '1' may be one label or two, and only the user knows."""
    found: dict[str, dict[Label, None]] = {}
    for label in labels:
        found.setdefault(type_of(label), {}).setdefault(label)
    if len(found) > 1:
        shown = " and ".join(f"{kind} ({next(iter(held))!r})" for kind, held in sorted(found.items()))
        numbers, others = (
            found.get("number", {}),
            [label for kind in found if kind != "number" for label in found[kind]],
        )
        alone = f" Only {others[0]!r} is no number." if len(others) == 1 < len(numbers) else ""
        raise LabelError(
            f"The {what}s are of mixed types: {shown}.{alone} Make them one type before reading",
            in_python(f", for example frame[{what!r}] = frame[{what!r}].astype('string')", ""),
            ".",
        )


def type_of(label: Label) -> str:
    """What a label is, in a word."""
    return "yes/no" if isinstance(label, bool) else "text" if isinstance(label, str) else "number"


def tidy_label(value: Any, what: str = "label") -> Label | None:
    """One raw cell as a label (or as whatever `what` says), or None for missing.

    None, NaN, NaT, NA and blank text are missing; the text "nan" is a label. Whole floats become integers, text
    is NFC-normalised and otherwise left alone.
    """
    if value is None:
        return None
    if isinstance(value, str):  # the inner str makes plain text of subclasses: np.str_, members of a StrEnum
        return unicodedata.normalize("NFC", str.__str__(value)) if value.strip() else None
    if isinstance(value, bool | np.bool_):
        return bool(value)
    if isinstance(value, int | np.integer):
        return int(value)
    if isinstance(value, float | np.floating):
        return None if math.isnan(value) else tidy_number(float(value))
    return _unusual_label(value, what)


def _unusual_label(value: Any, what: str) -> Label | None:
    """A cell that is neither text nor a plain number: one of the many names of nothing, or an error."""
    if type(value).__name__ in ("NAType", "NaTType", "MaskedConstant"):
        return None
    if isinstance(value, np.datetime64 | np.timedelta64) and np.isnat(value):
        return None
    if type(value).__name__ == "Decimal":
        return None if value.is_nan() else tidy_label(float(value), what)
    shown = repr(value)
    shown = shown if len(shown) <= 80 else f"{shown[:80]}…"
    if what == "label" and holds_several(value):
        raise LabelError(
            f"A label must be one text or number; found {shown}, which holds several. Say ",
            remedy(answers="set"),
            " for labels without order, or ",
            remedy(answers="ranked"),
            " for labels in order of preference.",
        )
    way_out = in_python("cell.decode()", "as UTF-8") if isinstance(value, bytes) else in_python("str(cell)", "as text")
    a = "An" if what[:1] in "aeiou" else "A"
    raise LabelError(
        f"{a} {what} must be text, a number or yes/no; found {shown} of type {type(value).__name__}. "
        "Make it text first: ",
        way_out,
        ".",
    )


def holds_several(cell: Any) -> bool:
    """Is this cell a list of labels? A masked cell is an array too, of no dimension."""
    return isinstance(cell, list | tuple | set | frozenset) or (isinstance(cell, np.ndarray) and cell.ndim > 0)


def tidy_number(value: float) -> int | float:
    """Whole floats as integers, so that 1.0 and 1 are one label; infinity is refused."""
    if math.isinf(value):
        raise LabelError(f"A label or score must be finite; found {value}. Make it missing (None) or mend the data.")
    return int(value) if value == int(value) else value
