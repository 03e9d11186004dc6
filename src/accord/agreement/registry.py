"""Every measure: what it is called, what it needs, its chance model, what its values are like, and its sources.

A measure registers itself where it stands, in `measures/`: the command, the report, the docs, the public names and the
law tests read this table and know no measure by its name.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from inspect import signature
from types import FunctionType
from typing import TYPE_CHECKING, Any, TypeVar

from accord.annotations.answers import LOCATED, answers_called
from accord.coefficients.weights import FOR_SEVERAL_LABELS
from accord.errors import Keyword, MeasureError, Message, OptionError, Part, Remedy, Words, between, remedy
from accord.options import BY_OTHERS

if TYPE_CHECKING:
    from accord.agreement.result import Agreement
    from accord.agreement.table import Table
    from accord.study.study import Study

Function = TypeVar("Function", bound=Callable[..., Any])
UNNAMED, MORE_ANNOTATORS = "unnamed", "more annotators"  # cases that a measure may serve, besides kinds of answers
ORDER_AND_NAMES = frozenset({"annotator order", "item order", "label names"})  # what changes no value


def weights_as_usual(study: Study, weights: Any, _level: str | None) -> dict[str, Any]:
    """The options with which `measure` asks: weights that fit the kind of answers, unless the caller has others."""
    usual = FOR_SEVERAL_LABELS.get(study.kind, "identity")
    return {"weights": usual if weights is None else weights}


def equal_or_not(_study: Study, weights: Any, _level: str | None) -> dict[str, Any]:
    """Of a measure that asks whether answers are the same, unless the caller has weights."""
    return {"weights": "identity" if weights is None else weights}


def no_options(_study: Study, _weights: Any, _level: str | None) -> dict[str, Any]:
    """Of a measure that brings its own weights."""
    return {}


def _unregistered(*_: Any, **__: Any) -> Agreement:
    raise NotImplementedError("a measure is registered with the function that computes it")


@dataclass(frozen=True)
class Serves:
    """That a measure takes what another does not: what it is of that, in a few words, and the options this asks for."""

    words: str = ""
    options: Mapping[str, Any] = field(default_factory=dict, hash=False)


@dataclass(frozen=True, kw_only=True)
class Measure:
    """One row of the table of measures."""

    title: str
    references: tuple[str, ...]
    summary: str  # one line for lists and tables
    formula: str  # as one writes it, for the report's methods
    chance: str = "none"  # its chance model
    # what it needs
    named: bool = False  # must it know who answered?
    two: bool = False  # is it for exactly two annotators?
    finite_scale: bool = False  # does it need a finite scale of single labels?
    numeric: bool = False  # does it take scores as the numbers they are?
    kinds: tuple[str, ...] = ()  # the kinds of answers it is made for; empty: any that are of the item as a whole
    also: tuple[str, ...] = ()  # kinds it takes though they are no labels of the item as a whole: spans, rankings
    replaced_by: str | None = None  # the measure in whose favour `measure` leaves it to who asks for it by name
    role: str | None = None  # a role without which `measure` does not ask for it
    unasked: Callable[[Study], Words | None] | None = None  # why `measure` does not ask for it of a study, if so
    takes_long: Callable[[Study], str | None] | None = None  # the same where it would take longer than all the rest
    wants: str | None = None  # an option that only the caller can give: `measure` does not ask for it
    # cases and kinds of answers for which it is offered where another does not fit
    serves: Mapping[str, Serves] = field(default_factory=dict, hash=False)
    instead: Callable[[], Sequence[Part]] | None = None  # what is said of answers of other kinds than its own
    for_more: str | None = None  # of a measure for two annotators: the one that is the same on each pair of more
    further: Callable[[Study], Sequence[dict[str, Any]]] | None = None  # options of the rows that tables show besides
    # how it is asked and called
    usual_options: Callable[[Study, Any, str | None], dict[str, Any]] = weights_as_usual
    titles: tuple[str, str] | None = None  # without and with weights, where the name tells
    # what its values are like
    each: str = "item"  # what counts once in observed agreement
    low: float = -1.0
    high: float = 1.0
    chance_corrected: bool = True  # is 0 chance and 1 perfect? Then the scales of the literature apply
    zero: str | None = None  # what a value of zero means, where it is not what independent annotators would have
    no_scale: str = ""  # why no scale of the literature puts words on its values, where that is so
    benchmark: str = "landis-koch"  # the scale whose words are put on its values unless somebody asks for another
    is_share: bool = False  # is the value itself a share of matching pairs, told in per cent?
    well_known: bool = False  # is it so widely known that a paper cites no source of it?
    partial_credit: bool = False  # is observed agreement a mean of partial credit, whatever the weights?
    exchangeable: bool = False  # would chance deal all answers anew over everybody, not each annotator's own?
    by_answers: bool = True  # is it made of answers compared one by one, so that items and answers can be looked at?
    of_item_means: bool = False  # is it a function of means over items? Then predictions can stand in for people
    by_label: Callable[[Agreement], Table] | None = None  # where labels are not each against the rest
    properties: frozenset[str] = frozenset()  # the laws it obeys, for the tests
    # set by `register`
    name: str = ""
    function: Callable[..., Any] = _unregistered

    @property
    def judges_suggestions(self) -> bool:
        """Is it about labels that were suggested beforehand, and not about how far annotators agree?"""
        return self.role == "suggested"

    @property
    def left_to_callers(self) -> bool:
        """May `measure` leave it to who asks for it by name, though it fits the study?"""
        return any(why is not None for why in (self.replaced_by, self.unasked, self.takes_long, self.wants))

    @property
    def zero_is_chance(self) -> bool:
        """Is zero what annotators would have who answer independently of the items?"""
        return self.chance_corrected and self.zero is None

    @property
    def is_distance(self) -> bool:
        """Does it tell how far answers lie apart, so that its best is 0, and no target of agreement fits it?"""
        return math.isinf(self.high) and not self.chance_corrected

    @property
    def within_sentence(self) -> str:
        """The title amid a sentence: small, but for whoever has a name in it.

        >>> names = ("Rank-biased overlap", "Kendall's W", "Brennan–Prediger kappa", "ICC")
        >>> [Measure(title=name, references=(), summary="", formula="").within_sentence for name in names]
        ['rank-biased overlap', "Kendall's W", 'Brennan–Prediger kappa', 'ICC']
        """
        first = self.title.partition(" ")[0]
        is_name = any(mark in first for mark in "'’–") or not first[1:].islower()
        return self.title if is_name else self.title[:1].lower() + self.title[1:]

    def of(self, study: Study, **options: Any) -> Agreement:
        """What the public function gives for a study; options that it does not have are an error."""
        self.check_options(options)
        found: Agreement = self.function(study, **options)
        return found

    def titled(self, extra: str | None) -> str:
        """The name as one writes it, with the level or the weights that are not the plain ones."""
        title = self.titles[extra is not None] if self.titles else self.title
        return f"{title} ({extra})" if extra else title

    def check_options(self, options: Iterable[str]) -> None:
        """Refuse options that this measure does not have."""
        strange = [name for name in options if not self.takes(name)]
        if strange:
            raise OptionError(
                f"{self.title} does not take ", *between([Keyword(name) for name in strange], " or "), ". Leave it out."
            )

    def takes(self, option: str) -> bool:
        """Does it have such an option?"""
        return option in _keywords(self.function)

    def refusal(self, study: Study) -> MeasureError | None:
        """Why this measure cannot take the study, and what can; None if it can. Missing answers are no reason."""
        why = self.why_not(study)
        return None if why is None else why()

    def why_not(self, study: Study) -> Callable[[], MeasureError] | None:
        """What makes the refusal; None if the measure takes the study. Of very many that do not, few are ever read."""
        kind = study.kind
        made_for = kind in (*self.kinds, *self.also)
        if kind in LOCATED and not made_for:
            return lambda: MeasureError(
                f"{self.title} compares one answer per item and annotator; these are {kind}: marked places, of "
                "which an item has any number. They are not labels of the item, and are not measured as such. ",
                *_instead(study),
            )
        if kind == "ranking" and not made_for:
            return lambda: MeasureError(
                f"{self.title} compares labels of an item; these are rankings, the options of a query in order. ",
                *serving(kind),
                " serves; ",
                remedy(answers="ranked"),
                " reads the first of them as a primary label.",
            )
        if self.kinds and kind not in self.kinds:
            fits = " or ".join(map(answers_called, self.kinds))
            return lambda: MeasureError(
                f"{self.title} is for {fits}; these are {answers_called(kind)}. ",
                *((*serving(kind), " serves.") if self.instead is None else self.instead()),
            )
        if self.named and not study._annotations.named and study.n_annotations:
            return lambda: MeasureError(
                f"{self.title} compares annotators, and a ",
                study.shape,
                " does not say who answered. ",
                *serving(UNNAMED),
                " serves.",
            )
        if self.two and (people := study.n_annotators) > 2:
            return lambda: MeasureError(
                f"{self.title} is for two annotators; the study has {people}. For more: ",
                *serving(MORE_ANNOTATORS),
                self._of_every_pair(),
                ".",
            )
        if self.finite_scale and kind != "single":
            return lambda: MeasureError(
                f"{self.title} needs a finite scale of single labels; these are {answers_called(kind)}. ",
                *serving(kind),
                " serves.",
            )
        return None

    def _of_every_pair(self) -> Remedy:
        """Each pair of annotators by this measure, which the command shows unasked."""
        call = remedy("pairwise", f"study, {self.name!r}")
        return Remedy({"measure": self.name}, "accord.pairwise", python=f"; {call} for every pair", command="")

    def check(self, study: Study) -> None:
        """Raise the refusal, if there is one."""
        refusal = self.refusal(study)
        if refusal is not None:
            try:
                raise refusal
            finally:
                del refusal  # which would hold this frame, and with it the study


@cache
def _keywords(function: Callable[..., Any]) -> frozenset[str]:
    """What a measure's function can be given, looked up once: every call of a measure asks."""
    return frozenset(signature(function).parameters)


def _instead(study: Study) -> tuple[Part, ...]:
    """What measures marked places, and what they can be read as besides."""
    found = serving(study.kind)
    if study.kind == "relations":
        return *found, " serves."
    return (
        *((*found, " serves") if found else [f"No measure takes {study.kind} yet"]),
        "; ",
        remedy(answers="set", duplicates="first"),
        " reads which labels an item has, wherever they lie, ",
        remedy(answers="single"),
        " the label alone where each item has one.",
    )


MEASURES: dict[str, Measure] = {}


def named(measure: str, **options: Any) -> Remedy:
    """A measure in a message, as a way out: Python calls it, and whoever does not write Python reads its title."""
    words = f"{measure} with {remedy(**options)}" if options else measure
    return Remedy(options, f"accord.{measure}", python=words, title=MEASURES[measure].title)


def serving(case: str) -> list[Part]:
    """The measures that serve answers of a kind, or another case, as a sentence names them; nothing if none does."""
    found: list[Part] = [
        Message(named(measure.name, **how.options), f" ({how.words})" if how.words else "")
        for measure in MEASURES.values()
        if (how := measure.serves.get(case)) is not None
    ]
    *first, last = found or [""]
    return [*between(first, ", "), " or ", last] if first else found


def register(entry: Measure) -> Callable[[Function], Function]:
    """Make a function a measure: it is then a public name, measured by `measure`, the command and the report."""

    def add(function: Function) -> Function:
        MEASURES[function.__name__] = replace(entry, name=function.__name__, function=function)
        if isinstance(function, FunctionType):
            BY_OTHERS.add(function.__code__)
        return function

    return add


def check_taken(measures: Iterable[Measure], options: Iterable[str]) -> None:
    """Refuse options that none of some measures has."""
    entries = list(measures)
    for name in options:
        if not any(entry.takes(name) for entry in entries):
            takers = [entry.name for entry in MEASURES.values() if entry.takes(name)]
            raise OptionError(
                f"{' and '.join(entry.title for entry in entries)} {'does' if len(entries) == 1 else 'do'} not take ",
                Keyword(name),
                "; ",
                *between(map(named, takers), ", "),
                f" {'does' if len(takers) == 1 else 'do'}. Leave it out.",
                available=takers,
            )


def measure_called(name: Any) -> Measure:
    """The measure of this name, or an error with the nearest ones."""
    if not isinstance(name, str) or name not in MEASURES:
        raise OptionError.choice("measure", name, MEASURES)
    return MEASURES[name]
