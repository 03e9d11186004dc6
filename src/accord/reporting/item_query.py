"""Which items are behind a cell, a bar or a finding: a question in words that an address can carry.

A page that is alone in its file has no items to lead to. Where pages are served or published together, a section asks
`Context.behind` for the address of the items behind what it draws, and the workbench answers it with their list.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any, TypeAlias
from urllib.parse import urlencode

from accord.errors import OptionError, listing
from accord.options import ESCAPED, encodable

Span: TypeAlias = tuple[float, float]  # above the first, up to the second; from 0, which belongs to the first
AGREE = ("yes", "no")
STATES = ("open", "decided", "accepted")  # by nobody, by a person, by a rule
SEVERAL = {"label": "labels", "annotator": "annotators", "item": "items"}  # what an address says once for each
SPANS = ("observed", "confidence")
NUMBERS = ("score", "mean", "apart", "less", "place", "with_others")  # spans of numbers that may be any: "2..3.5"
MOST_LABELS = 2
MOST_VALUES = 500  # of one name in an address


@dataclass(frozen=True)
class ItemQuery:
    """Items of which all of this is so; nothing said is every item.

    Annotators narrow whose answers count: each of them answered, and labels are theirs. Of two labels, one person gave
    one and another the other; twice the same is two people who gave it. Who agrees: the annotators named, if there are
    two or more; the one named with the others; or everybody.
    """

    variable: str = ""  # of several
    labels: tuple[str, ...] = ()  # as `distinct_names` writes them
    annotators: tuple[str, ...] = ()
    agree: str = ""
    observed: Span | None = None  # agreement of the item
    confidence: Span | None = None  # of its gold
    gold: str = ""  # the label that the gold has
    group: str = ""  # a column and a value of it: "language:de"
    option: str = ""  # of preferences: one of the two that were compared
    score: Span | None = None  # that somebody gave
    mean: Span | None = None  # of the scores
    apart: Span | None = None  # how far two scores of it lie apart
    less: Span | None = None  # of two annotators, the first one's score less the second one's
    place: Span | None = None  # of rankings: where somebody put the label
    with_others: Span | None = None  # how far somebody who answered it agrees with the others, over all items
    suggested: str = ""  # the label that was suggested
    week: str = ""  # the Monday of the week in which an item got its last answer: "2026-03-02"
    items: tuple[str, ...] = ()
    state: str = ""
    search: str = ""  # letters of the item's name or text

    @classmethod
    def of(cls, parameters: Iterable[tuple[str, str]]) -> ItemQuery:
        """From the names and values of an address; names of other things are passed over.

        Raises:
            OptionError: If a value is none that its name can have.

        >>> ItemQuery.of([("label", "yes"), ("label", "no"), ("after", "7")]).labels
        ('yes', 'no')
        """
        found: dict[str, Any] = {}
        known = {one.name for one in fields(cls)} - set(SEVERAL.values())
        for name, value in parameters:
            if name in SEVERAL and value:
                found[SEVERAL[name]] = (*found.get(SEVERAL[name], ()), value)
            elif name in known and value:
                found[name] = READ[name](name, value) if name in READ else value
        return cls(**found)

    def __post_init__(self) -> None:
        """What an address may not say is an error."""
        for name, allowed in (("agree", AGREE), ("state", STATES)):
            if getattr(self, name) not in ("", *allowed):
                raise OptionError.choice(name, getattr(self, name), allowed)
        if len(self.labels) > MOST_LABELS:
            raise OptionError.must("label", f"be said {MOST_LABELS} times at most", len(self.labels))
        if max(len(self.annotators), len(self.items)) > MOST_VALUES:
            raise OptionError.must("item", f"be said {MOST_VALUES} times at most", len(self.items))

    @property
    def pairs(self) -> list[tuple[str, str]]:
        """Names and values, always in the same order; what is not asked is not said."""
        singular = {many: one for one, many in SEVERAL.items()}
        parameters: list[tuple[str, str]] = []
        for one in fields(self):
            value = getattr(self, one.name)
            if one.name in singular:
                parameters += [(singular[one.name], text) for text in value]
            elif one.name in SPANS and value is not None:
                parameters.append((one.name, f"{value[0]:g}-{value[1]:g}"))
            elif one.name in NUMBERS and value is not None:
                parameters.append((one.name, f"{value[0]:.12g}..{value[1]:.12g}"))
            elif value:
                parameters.append((one.name, value))
        return parameters

    @property
    def address(self) -> str:
        """As the query part of an address; empty where nothing is asked.

        >>> ItemQuery(labels=("a b", "ü"), observed=(0.2, 0.3)).address
        'label=a+b&label=%C3%BC&observed=0.2-0.3'
        """
        return in_address(self.pairs)

    def with_more(self, other: ItemQuery) -> ItemQuery:
        """What both ask; where both say something of one thing, what the other says."""
        settings = {one.name: getattr(other, one.name) for one in fields(other)}
        return replace(self, **{name: value for name, value in settings.items() if value != getattr(ALL_ITEMS, name)})

    def __str__(self) -> str:
        """In words, for a heading.

        >>> print(ItemQuery(labels=("yes", "no"), annotators=("A1", "A2"), agree="no"))
        Items with “yes” from one and “no” from another of A1 and A2, who differ
        """
        return f"Items{''.join(_words(self))}" if self != ALL_ITEMS else "All items"


def in_address(pairs: Iterable[tuple[str, str]]) -> str:
    """Names and values as an address carries them; half a character as `distinct_names` writes it."""
    return urlencode(list(pairs), errors=ESCAPED)


ALL_ITEMS = ItemQuery()
Address: TypeAlias = Callable[[ItemQuery], str]


def _span(name: str, value: str) -> Span:
    try:
        low, high = (float(end) for end in value.split("-"))
    except ValueError:
        low = high = math.nan
    if not 0 <= low <= high <= 1:
        raise OptionError.must(name, "be two numbers from 0 to 1 with a hyphen between, such as 0.2-0.3", value)
    return low, high


def _numbers(name: str, value: str) -> Span:
    try:
        low, high = (float(end) for end in value.split(".."))
    except ValueError:
        low = high = math.nan
    if not low <= high:
        raise OptionError.must(name, "be two numbers with two dots between, such as 2..3.5", value)
    return low, high


READ: dict[str, Callable[[str, str], Span]] = {**dict.fromkeys(SPANS, _span), **dict.fromkeys(NUMBERS, _numbers)}


def _words(query: ItemQuery) -> Iterable[str]:
    """The parts of a query, each as words that follow the others."""
    if query.variable:
        yield f" of {query.variable}"
    yield from _answers_in_words(query)
    if query.option:
        yield f", of which “{query.option}” is compared"
    yield from _scores_in_words(query)
    if query.place is not None:
        yield f", at a place {_between(query.place)}"
    if query.with_others is not None:
        yield f", answered by somebody whose agreement with the others is {_between(query.with_others)}"
    if query.suggested:
        yield f", for which “{query.suggested}” was suggested"
    if query.gold:
        yield f", decided as “{query.gold}”"
    if query.observed is not None:
        yield f", with an observed agreement {_between(query.observed)}"
    if query.confidence is not None:
        yield f", with a confidence {_between(query.confidence)}"
    if query.group:
        yield f", of {query.group}"
    if query.week:
        yield f", last answered in the week of {query.week}"
    if query.state:
        by = {"open": "by nobody yet", "decided": "by a person", "accepted": "by a rule"}
        yield f", decided {by[query.state]}"
    if query.items:
        yield f" {listing(query.items)}"
    if query.search:
        yield f" with “{query.search}” in them"


def _answers_in_words(query: ItemQuery) -> Iterable[str]:
    """Who gave what, and whether they agree."""
    people = " and ".join(query.annotators)
    of = f" of {people}" if people else ""
    if len(query.labels) == MOST_LABELS and query.labels[0] == query.labels[1]:
        yield f" with “{query.labels[0]}” from two{of}"
    elif len(query.labels) == MOST_LABELS:
        yield f" with “{query.labels[0]}” from one and “{query.labels[1]}” from another{of}"
    elif query.labels:
        yield f" with “{query.labels[0]}” from {people or 'somebody'}"
    elif people:
        yield f" answered by {people}"
    if query.agree:
        agree, differ = ("agree", "differ") if len(query.annotators) > 1 else ("agrees", "differs")
        word = agree if query.agree == "yes" else differ
        with_whom = " with the others" if query.agree == "yes" else " from another"
        alone = len(query.annotators) == 1
        yield (
            f", who {word}{with_whom if alone else ''}"
            if people
            else (" that all answered alike" if query.agree == "yes" else " that are contested")
        )


def _scores_in_words(query: ItemQuery) -> Iterable[str]:
    """Which scores they have."""
    if query.score is not None:
        yield f", with a score {_between(query.score)}"
    if query.mean is not None:
        yield f", with a mean score {_between(query.mean)}"
    if query.apart is not None:
        yield f", with two scores {_between(query.apart)} apart"
    if query.less is not None:
        yield f", the first score less the second {_between(query.less)}"


def _between(span: Span) -> str:
    low, high = span
    if low == high:
        return f"of {low:g}"
    if math.isinf(low) or math.isinf(high):
        return f"up to {high:g}" if math.isinf(low) else f"above {low:g}"
    return f"from {low:g} to {high:g}"


def tenths() -> list[Span]:
    """The parts that histograms of shares have, as spans."""
    return [(tenth / 10, (tenth + 1) / 10) for tenth in range(10)]


def distinct_names(names: Sequence[object]) -> list[str]:
    """Labels of different types may read the same (1 and "1"); as names they must not, and an address carries them.

    >>> distinct_names([1, "1", "a"])
    ['1', '1 (2)', 'a']
    """
    seen: dict[str, int] = {}
    distinct = []
    for name in map(encodable, map(str, names)):
        seen[name] = seen.get(name, 0) + 1
        distinct.append(name if seen[name] == 1 else f"{name} ({seen[name]})")
    return distinct
