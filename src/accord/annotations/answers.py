"""Answers: what one annotator can say of one item, and the scale of labels it is said in.

An answer is a single label, a set of labels (the empty set is an answer, missing is not), labels in order of
preference, some perhaps tied (`ranked`), the options of a query in order (`ranking`), or a number (`score`). A study
holds its distinct answers once, in canonical order; everything after that works on their positions, so that names and
types never reach the arithmetic.
"""

from __future__ import annotations

import math
import sys
import unicodedata
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, ClassVar, Literal, TypeAlias, get_args

import numpy as np

from accord.annotations.arrays import BoolArray, FloatArray, IntArray, add_up
from accord.annotations.left_out import Reason
from accord.annotations.majority_rule import leads
from accord.errors import (
    SURELY_WRITTEN,
    Keyword,
    LabelError,
    MeasureError,
    Message,
    OptionError,
    Part,
    Quoted,
    Remedy,
    all_quoted,
    as_typed,
    between,
    in_python,
    quoted,
    remedy,
    with_article,
)

Label: TypeAlias = str | int | float | bool
Kind: TypeAlias = Literal["single", "set", "ranked", "ranking", "score", "spans", "boxes", "relations", "preference"]
Level: TypeAlias = Literal["nominal", "ordinal", "interval", "ratio", "circular"]  # of measurement
Between: TypeAlias = Callable[[IntArray, IntArray], FloatArray]  # of pairs of answers of the scale
Order: TypeAlias = Literal["", "listed", "meant"]  # of labels: none, the order of a list, one that means something

# What became of an answer that a model should have given; it is missing, and counted.
FAILED = {"unparsable": Reason.UNPARSABLE, "refused": Reason.REFUSED, "error": Reason.ERROR}
LOCATED: tuple[Kind, ...] = ("spans", "boxes", "relations")  # marked places, each with a label
LEVELS: tuple[Level, ...] = get_args(Level)
IN_ORDER: tuple[Kind, ...] = ("ranked", "ranking")  # labels of an item by preference, or options of a query in order
PREFERENCE: Kind = "preference"  # of two options: once read, a single answer on the scale first, tie, second
KINDS: tuple[Kind, ...] = ("single", "set", *IN_ORDER, "score", *LOCATED, PREFERENCE)
_CALLED: dict[str, str] = {"ranking": "rankings", **{kind: f"answers in {kind}" for kind in LOCATED}}
NOTHING = ("NAType", "NaTType", "MaskedConstant")  # types whose values say that there is none
MOST_DIGITS = 308  # of a decimal that is a number: a float ends there
LARGEST = 1e150  # of a number to be measured with: the squares of many such add up to a number as well
EMPTY_SET = "∅"  # no label fits, which is an answer


def _as_float(label: Any) -> float:
    """A numeric label as a number; infinite where it is larger than any."""
    try:
        return float(label)
    except OverflowError:
        return math.inf if label > 0 else -math.inf


def _fitting_names(what: Part) -> tuple[Part, ...]:
    """What else there is where a level, a method or a kind of answers needs numbers; a measure has no other level."""
    keyword = what.name if isinstance(what, Keyword) else ""
    if keyword == "level":
        return remedy(level="nominal"), ", or ", remedy(labels=[...]), " in order for ordinal"
    if keyword == "method":
        return (remedy(method="majority"),)
    if keyword == "answers":
        return (remedy(answers="single"),)
    return (Remedy({}, "accord.krippendorff_alpha", python="krippendorff_alpha", title="Krippendorff's alpha"),)


def _refuse_beyond(numbers: FloatArray, *what: Part) -> None:
    """Numbers whose squares would be none."""
    beyond = numbers[~(np.abs(numbers) <= LARGEST)] if len(numbers) else numbers
    if len(beyond):
        raise LabelError(
            *what, f" between -{LARGEST:g} and {LARGEST:g}, whose squares are numbers too; found {beyond[0]:g}. Count "
            "in a larger unit: divide the column by one.",
         option=Keyword("score"))  # fmt: skip


def answers_called(kind: str) -> str:
    """What answers of a kind are called in a sentence.

    >>> answers_called("set"), answers_called("spans"), answers_called("ranking")
    ('set answers', 'answers in spans', 'rankings')
    """
    return _CALLED.get(kind, f"{kind} answers")


def as_text(value: Any) -> str:
    """A label, or another value of a cell, as files, databases and exports write it: all digits, true and false.

    >>> as_text(True), as_text(1.0), as_text("7")
    ('true', '1.0', '7')
    """
    return ("true" if value else "false") if isinstance(value, bool) else str(value)


class LabelSet(tuple[Label, ...]):
    """Labels that were given together, without an order; as text they are added up.

    >>> str(LabelSet(["fear", "joy"])), str(LabelSet())
    ('fear + joy', '∅')
    """

    __slots__ = ()

    def __str__(self) -> str:
        return " + ".join(map(str, self)) or EMPTY_SET


class Tie(tuple[Label, ...]):
    """Labels that share one rank of an answer."""

    __slots__ = ()

    def __str__(self) -> str:
        return " = ".join(map(str, self))


class Ranking(tuple[Label | Tie, ...]):
    """Labels in order of preference; as text the first stands before the others, and equal signs between tied ones.

    >>> str(Ranking(["fear", "joy"])), str(Ranking(["fear", Tie(["anger", "joy"])]))
    ('fear > joy', 'fear > anger = joy')
    """

    __slots__ = ()

    def __str__(self) -> str:
        return " > ".join(map(str, self)) or EMPTY_SET


class TiedMembers(tuple[int, ...]):
    """Positions of labels in order of preference, of which some share a rank; within a rank in the order of the scale.

    Whoever only asks which labels an answer holds takes it for any other; it is another answer than one that holds
    the same labels in an order.
    """

    ranks: tuple[int, ...]  # of each, from 1 without gaps

    def __new__(cls, members: Iterable[int], ranks: tuple[int, ...]) -> TiedMembers:
        """Labels and their ranks, in canonical order; made by `ranked_members`."""
        found = super().__new__(cls, members)
        found.ranks = ranks
        return found

    def __getnewargs__(self) -> tuple[Any, ...]:
        return tuple(self), self.ranks

    def __eq__(self, other: object) -> bool:
        return isinstance(other, TiedMembers) and self.ranks == other.ranks and tuple(self) == tuple(other)

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __hash__(self) -> int:
        return hash((tuple(self), self.ranks))

    def __repr__(self) -> str:
        return f"{type(self).__name__}({tuple(self)}, {self.ranks})"


def ranked_members(labels: Sequence[int], ranks: Sequence[int]) -> tuple[int, ...]:
    """Labels by their ranks, which may repeat and leave numbers out, in canonical form.

    >>> ranked_members([4, 2, 7], [1, 3, 2]), ranked_members([4, 7, 2], [1, 2, 2])
    ((4, 7, 2), TiedMembers((4, 2, 7), (1, 2, 2)))
    """
    order = sorted(zip(ranks, labels, strict=True))
    distinct = {rank: place for place, rank in enumerate(sorted(set(ranks)), start=1)}
    held = tuple(label for _, label in order)
    return held if len(distinct) == len(held) else TiedMembers(held, tuple(distinct[rank] for rank, _ in order))


def run_from_one(ranks: Sequence[int]) -> bool:
    """Do these ranks, lowest first, run from 1? After a tie with the next number, or with the places taken left out.

    >>> run_from_one([1, 2, 2, 3]), run_from_one([1, 2, 2, 4]), run_from_one([1, 3])
    (True, True, False)
    """
    steps = zip(ranks, ranks[1:], range(2, len(ranks) + 1), strict=False)
    return ranks[0] == 1 and all(after in (before, before + 1, place) for before, after, place in steps)


def ranks_of(members: tuple[int, ...]) -> tuple[int, ...]:
    """The rank of each label of a ranked answer, from 1."""
    return members.ranks if isinstance(members, TiedMembers) else tuple(range(1, len(members) + 1))


def by_rank(members: tuple[int, ...]) -> list[list[int]]:
    """The labels of each rank, the first rank first."""
    groups: list[list[int]] = []
    for label, rank in zip(members, ranks_of(members), strict=True):
        if rank > len(groups):
            groups.append([])
        groups[-1].append(label)
    return groups


def canonical(members: Iterable[tuple[int, ...]]) -> tuple[tuple[int, ...], ...]:
    """Distinct answers in the order that every study has them in: shorter ones first, then by labels, then by ranks."""
    return tuple(sorted(set(members), key=lambda held: (len(held), tuple(held), ranks_of(held))))


@dataclass(frozen=True, eq=False)
class Answers:
    """The distinct answers of a study, in canonical order.

    `labels` is the scale in its order: declared, or seen and sorted. For single answers, answer k is label k.
    For sets and ranked answers, `members[k]` lists the positions of the labels in answer k (sorted for a set, by
    rank for a ranked answer, as `TiedMembers` where labels share a rank). For scores `labels` is empty and
    `scores[k]` is the number.
    """

    kind: Kind
    labels: tuple[Label, ...] = ()
    members: tuple[tuple[int, ...], ...] = ()
    scores: FloatArray = field(default_factory=lambda: np.empty(0))
    places: tuple[tuple[tuple[float, ...], ...], ...] = ()  # of marked places: where each member of answer k lies
    declared: bool = False  # the user said which labels there are
    order: Order = ""  # whether the user listed the labels in an order, and whether that means something

    mixed: ClassVar[bool] = False  # did somebody give different answers to one item? Then `MixedAnswers` has the rest

    def __post_init__(self) -> None:
        _refuse_beyond(self.scores, "A score must lie")

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
        if self.kind in IN_ORDER:
            groups = [[self.labels[label] for label in held] for held in by_rank(self.members[position])]
            return Ranking(held[0] if len(held) == 1 else Tie(held) for held in groups)
        return LabelSet(self.labels[label] for label in self.members[position])

    def majority(self, given: IntArray, times: IntArray) -> Any:
        """The answer given more often than any other; None where several lead. Of scores the median."""
        if self.kind == "score":
            return float(np.median(np.repeat(self.scores[given], times)))
        there, which = np.unique(given, return_inverse=True)
        votes = np.bincount(which, weights=times)
        leading = np.nonzero(leads(votes, votes.max()))[0]
        return self.value(int(there[leading[0]])) if len(leading) == 1 else None

    @cached_property
    def membership(self) -> BoolArray:
        """(K, C): does answer k hold label c?"""
        held = np.zeros((len(self), len(self.labels)), dtype=np.bool_)
        if self.kind == "single":
            np.fill_diagonal(held, val=True)
        for position, members in enumerate(self.members):
            held[position, list(members)] = True
        return held

    def per_label(self, of_answers: FloatArray) -> FloatArray:
        """(C,): what each answer has, added up over those that hold a label; as often as they hold it."""
        if self.kind == "single":
            return of_answers
        label = np.fromiter((label for held in self.members for label in held), dtype=np.int64)
        return add_up(label, np.repeat(of_answers, list(map(len, self.members))), len(self.labels))

    @cached_property
    def ranks(self) -> IntArray:
        """(K, C): the rank of label c in the ranked answer k, 0 where it holds it not."""
        found = np.zeros((len(self), len(self.labels)), dtype=np.int64)
        for position, members in enumerate(self.members):
            found[position, list(members)] = ranks_of(members)
        return found

    @property
    def deepest(self) -> int:
        """The most ranks that an answer has."""
        return max((ranks_of(members)[-1] for members in self.members if members), default=0)

    @cached_property
    def tied(self) -> BoolArray:
        """(K,): do labels of answer k share a rank?"""
        return np.array([isinstance(members, TiedMembers) for members in self.members], dtype=np.bool_)

    @cached_property
    def primary(self) -> IntArray:
        """(K,): the primary label of each ranked answer, −1 where several are tied for it."""
        first = [by_rank(members)[0] for members in self.members]
        return np.array([held[0] if len(held) == 1 else -1 for held in first], dtype=np.int64)

    def one_primary(self, what: Part, *otherwise: Part) -> IntArray:
        """The same, or an error that says what needs one primary label, and what else would take several."""
        several = np.nonzero(self.primary < 0)[0].tolist()
        if several:
            example = str(self.value(several[0]))
            raise MeasureError(
                what,
                " takes one primary label, and some answers have several, such as ",
                quoted(example),
                ". ",
                *otherwise,
                "Read their labels as sets: ",
                remedy(answers="set"),
                ".",
            )
        return self.primary

    def stands_for(self, what: Part, *otherwise: Part) -> FloatArray:
        """(K, C): does answer k count for label c alone? A ranked one for its primary label, or an error as there."""
        if self.kind == "ranked":
            return np.asarray(np.eye(len(self.labels))[self.one_primary(what, *otherwise)])
        return self.membership.astype(np.float64)

    def relabelled(self, answers: Answers, new: IntArray) -> tuple[Answers, IntArray]:
        """With answer k called new[k] on another scale: the answers then, and what each becomes."""
        return answers, new

    # -- what answers consist of: here each of itself alone, in `MixedAnswers` some of several ------------------------

    @property
    def unmixed(self) -> Answers:
        """The answers of the scale, without mixed ones."""
        return self

    def onto_scale(self, numbers: FloatArray) -> FloatArray:
        """(…, K) how often each answer of the scale was given, of how often each answer was; mixed ones by shares."""
        return numbers

    def mean_of_parts(self, values: FloatArray) -> FloatArray:
        """(answers, …) what has a value for each answer of the scale, on average over the parts of each answer."""
        return values

    def spread_of_parts(self, values: FloatArray) -> FloatArray:
        """(answers,) the variance of the parts of each: 0 of an answer that is not mixed."""
        return np.zeros(len(values))

    def parts(self, positions: IntArray) -> tuple[IntArray, IntArray, FloatArray]:
        """What answers consist of: which of them, the answer of the scale, and its share."""
        return np.arange(len(positions)), positions, np.ones(len(positions))

    def pairs_of_parts(self, left: IntArray, right: IntArray) -> tuple[IntArray, IntArray, IntArray, FloatArray]:
        """Every part of the left answer with every part of the right: which pair, both parts, how often they meet."""
        return np.arange(len(left)), left, right, np.ones(len(left))

    def mean_between(self, left: IntArray, right: IntArray, between: Between) -> FloatArray:
        """What holds between answers of the scale, between any answers: the mean over what both consist of."""
        return between(left, right)

    # -- on a scale ---------------------------------------------------------------------------------------------------

    def numbers(self, what: Part) -> FloatArray:
        """The numeric value of each answer, or an error that says what needs numbers."""
        if self.kind == "score":
            return self.scores
        if self.kind != "single" or not self.numeric:
            raise LabelError(
                what,
                " needs numbers, and the answers here are ",
                self._described(),
                ". Give numeric labels, or choose what fits names: ",
                *_fitting_names(what),
                ".",
            )
        numbers = np.array([_as_float(label) for label in self.labels], dtype=np.float64)
        _refuse_beyond(numbers, what, " needs numbers")
        return numbers

    @property
    def whole_orders(self) -> bool:
        """Does every answer put all labels (three or more) in an order, without ties?"""
        lengths = {len(held) for held in self.members}
        whole = self.kind == "ranked" and lengths == {len(self.labels)} and len(self.labels) > 2
        return whole and not self.tied.any()

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
            " needs labels in an order, and the answers here are ",
            self._described(),
            ", whose order nobody said. Declare the scale in order: ",
            remedy(labels=["low", "middle", "high"]),
            in_python(", or give an ordered categorical.", "."),
        )

    def _described(self) -> str:
        if self.kind == "single":
            return Message("the labels ", all_quoted(self.labels, 5))
        return {"set": "sets of labels", "ranked": "ranked labels", "ranking": "rankings", "score": "scores"}.get(
            self.kind, self.kind
        )


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
            "The data use ",
            all_quoted(outside),
            ", which the declared labels ",
            all_quoted(scale),
            " do not hold. Add them to ",
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
            " has ",
            all_quoted(missing),
            ". Leave it out.",
        )
    scale = tuple(label for label in labels if label is not None)
    refuse_mixed_types(scale)
    if len(set(scale)) < len(scale):
        twice = dict.fromkeys(label for label in scale if scale.count(label) > 1)
        raise LabelError(Keyword("labels"), " declares ", all_quoted(twice), " more than once. Name every label once.")
    return scale


def sorted_labels(labels: Iterable[Label], what: str = "label") -> list[Label]:
    """Distinct labels (or ids) in canonical order: numbers by value, text by code point; never a mixture."""
    found = list(labels)
    refuse_mixed_types(found, what)
    return sorted(set(found), key=lambda label: label)


def refuse_mixed_types(labels: Iterable[Label], what: str = "label") -> None:
    """Labels are all text, all numbers or all yes/no: 1 and '1' may be one label or two, and only the user knows."""
    labels = list(labels)
    if len({_word(kind) for kind in set(map(type, labels))}) < 2:
        return
    found: dict[str, dict[Label, None]] = {}
    for label in labels:
        found.setdefault(type_of(label), {}).setdefault(label)
    shown = [Message(f"{kind} (", quoted(next(iter(found[kind]))), ")") for kind in sorted(found)]
    numbers, others = (
        found.get("number", {}),
        [label for kind in found if kind != "number" for label in found[kind]],
    )
    alone = (" Only ", quoted(others[0]), " is no number.") if len(others) == 1 < len(numbers) else ()
    raise LabelError(
        f"The {what}s are of mixed types: ",
        *between(shown, " and "),
        ".",
        *alone,
        " Make them one type before reading",
        in_python(f", for example frame[{what!r}] = frame[{what!r}].astype('string')", ""),
        ".",
        option=Keyword(what),
        available=sorted(found),
        remedies=[remedy(missing=[others[0]])] if alone else (),
    )


def type_of(label: Label) -> str:
    """What a label is, in a word."""
    return _word(type(label))


def _word(kind: type) -> str:
    return "yes/no" if issubclass(kind, bool) else "text" if issubclass(kind, str) else "number"


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
    if isinstance(value, int | np.integer) and not isinstance(value, np.timedelta64):  # which NumPy counts as one
        whole = int(value)
        return whole if whole.bit_length() < SURELY_WRITTEN else refuse_unwritten(whole, f" as {with_article(what)}")
    if isinstance(value, float | np.floating):
        return None if math.isnan(value) else tidy_number(float(value))
    return _unusual_label(value, what)


def refuse_unwritten(whole: int, *where: Part) -> int:
    """A number of so many digits that Python writes it nowhere: no file and no page could hold it."""
    try:
        str(whole)
    except ValueError:
        raise LabelError(
            f"Python writes no number of more than {sys.get_int_max_str_digits():,} digits; found ",
            quoted(whole),
            *where,
            ". Make it text.",
        ) from None
    return whole


def _unusual_label(value: Any, what: str) -> Label | None:
    """A cell that is neither text nor a plain number: one of the many names of nothing, or an error."""
    if type(value).__name__ in NOTHING:
        return None
    if isinstance(value, np.datetime64 | np.timedelta64) and np.isnat(value):
        return None
    if type(value).__name__ == "Decimal":
        whole = value.is_finite() and value.adjusted() < MOST_DIGITS and value == value.to_integral_value()
        return None if value.is_nan() else int(value) if whole else tidy_number(float(value))  # an id loses no digit
    shown = as_typed(value)
    shown = shown if len(shown) <= 80 else f"{shown[:80]}…"
    if what == "label" and holds_several(value):
        raise LabelError(
            "A label must be one text or number; found ",
            Quoted([value], 1, shown),
            ", which holds several. Say ",
            remedy(answers="set"),
            " for labels without order, or ",
            remedy(answers="ranked"),
            " for labels in order of preference.",
        )
    python = _as_text(value) if isinstance(value, bytes) else "str(cell)"
    raise LabelError(
        f"{'An' if what[:1] in 'aeiou' else 'A'} {what} must be text, a number or yes/no; found ",
        Quoted([value], 1, shown),
        f" of type {type(value).__name__}. Make it text first",
        in_python(f": {python}", ""),
        ".",
        option=Keyword(what, shown),
        available=("text", "number", "yes/no"),
    )


def _as_text(value: bytes) -> str:
    """How bytes are made text in Python: decoded where they are text, else in hexadecimal digits."""
    try:
        value.decode()
    except UnicodeDecodeError:
        return "cell.hex()"
    return "cell.decode()"


def holds_several(cell: Any) -> bool:
    """Is this cell a list of labels? A masked cell is an array too, of no dimension."""
    return isinstance(cell, list | tuple | set | frozenset) or (isinstance(cell, np.ndarray) and cell.ndim > 0)


def tidy_number(value: float) -> int | float:
    """Whole floats as integers, so that 1.0 and 1 are one label; infinity is refused."""
    if math.isinf(value):
        raise LabelError(
            "A label or score must be finite; found ", quoted(value), ". Make it missing (None) or mend the data."
        )
    return int(value) if value == int(value) else value
