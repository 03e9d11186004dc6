"""The report of a study as it is now: whole or of some items, every number with the way to the items behind it."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from threading import RLock

from accord.agreement.table_formats import cut, seen
from accord.errors import AccordError
from accord.reporting.context import Context, Section
from accord.reporting.figures import clips_numbered
from accord.reporting.item_query import ALL_ITEMS, Address, ItemQuery, distinct_names
from accord.reporting.links import resolved
from accord.reporting.page import sections_of
from accord.study.kinds import people_first
from accord.study.rename import renamed
from accord.study.study import Study
from accord.workbench.items_behind import ItemIndex, States, narrowed, variable_asked
from accord.workbench.weeks import week_by_week

LONGEST_TITLE = 60  # letters of a section in the contents
KEPT = 8  # reports of some items that are kept
MOST_GROUPS = 60  # values of a column up to which it makes groups to choose from
SHARES = ((0.0, 0.5), (0.5, 0.75), (0.75, 0.99), (0.99, 1.0))  # spans of confidence to choose from


@dataclass(frozen=True)
class LivePage:
    """A report of some items: its sections, and how many items it is about."""

    sections: Sequence[tuple[str, str, str]]  # anchor, heading, HTML
    number: int
    undefined: str = ""  # why there is no report


@dataclass(frozen=True)
class Choices:
    """What can be chosen in the filters."""

    variables: Sequence[str]
    labels: Sequence[str]
    annotators: Sequence[str]
    groups: Sequence[tuple[str, Sequence[str]]]  # column, values
    shares: Sequence[str]


def unnamed(study: Study) -> Study:
    """The same study with annotators called by their numbers, as the screens of items call them."""
    if study.tasks:
        return study._with_tasks({name: unnamed(part) for name, part in study.tasks.items()})
    if not study._annotations.named:
        return study
    called = {name: f"annotator {place + 1}" for place, name in enumerate(study.annotators)}
    return renamed(study, called, study.annotators)


class LiveReport:
    """Reports of one study. Every method may be called by many threads at once; one of them draws at a time."""

    def __init__(
        self,
        study: Study,
        address: Address,
        *,
        title: str = "",
        show_text: bool = True,
        states: States | None = None,
        source: Study | None = None,
    ) -> None:
        self.study = study
        self.source = study if source is None else source  # of which it is the same under other names
        self._address = address
        self._title = title
        self._show_text = show_text
        self._states = states
        self._lock = RLock()
        self._pages: OrderedDict[ItemQuery, LivePage] = OrderedDict()
        self._indexes: dict[str, ItemIndex] = {}

    @cached_property
    def whole(self) -> Context:
        """The report of all items."""
        return self._context(self.study, ALL_ITEMS)

    def _context(self, study: Study, asked: ItemQuery) -> Context:
        return Context(
            people_first(study).study, everyone=study, title=self._title, show_text=self._show_text, anonymised=True,
            address=self._address, asked=asked,
        )  # fmt: skip

    def index(self, query: ItemQuery) -> ItemIndex:
        """The items of the variable that a query is about."""
        with self._lock:
            part = variable_asked(self.whole, query)
            return self._indexes.setdefault(part.prefix, ItemIndex(part, self._states))

    def page(self, query: ItemQuery) -> LivePage:
        """The report of the items that a query asks for; kept, since it takes a while, unless decisions change it."""
        with self._lock:
            if query.state:
                return self._drawn(query)
            if query not in self._pages:
                self._pages[query] = self._drawn(query)
                while len(self._pages) > KEPT:
                    self._pages.popitem(last=False)
            self._pages.move_to_end(query)
            return self._pages[query]

    def _drawn(self, query: ItemQuery) -> LivePage:
        context, number = self.whole, len(self.study.items) if not self.study.tasks else 0
        if query != ALL_ITEMS:
            index = self.index(query)
            number = len(index.find(query))
            if not number:
                return LivePage((), 0, "No item is like that.")
            context = self._context(narrowed(index, query), query)
        try:
            sections = sections_of(context)
            by_week = week_by_week(context)
            if by_week is not None:
                sections.insert(-1, by_week)  # what was done and how stays last
            return LivePage(_laid_out(sections), number)
        except AccordError as refusal:
            return LivePage((), number, str(refusal))

    def choices(self, query: ItemQuery) -> Choices:
        """What the filters of a page offer: of the variable that it is about."""
        part = variable_asked(self.whole, query)
        study = part.study
        taken = {*study.roles.values()} - {study.roles.get("cluster")}
        return Choices(
            [str(one.variable) for one in self.whole.parts],
            distinct_names(study.labels),
            [study.annotators[place] for place in study._present] if study._annotations.named else [],
            [(name, values) for name in study.columns if name not in taken and (values := _values(study, name))],
            [f"{low:g}-{high:g}" for low, high in SHARES] if part.gold is not None else [],
        )


def _values(study: Study, column: str) -> list[str]:
    """The values of a column that makes groups: more than one, and not too many."""
    if study._annotations.in_engine is not None:
        return []
    values = study._column(column).values
    return [str(value) for value in values] if 1 < len(values) <= MOST_GROUPS else []


def _laid_out(sections: Sequence[Section]) -> list[tuple[str, str, str]]:
    """Sections whose links lead somewhere and whose drawings do not mix."""
    mark = "<!-- the next section -->"
    whole = mark.join(f'<i id="{part.key}"></i>{part.html}' for part in sections)
    parts = resolved(clips_numbered(whole)).split(mark)
    return [
        (part.key, cut(seen(part.title), LONGEST_TITLE), html.removeprefix(f'<i id="{part.key}"></i>'))
        for part, html in zip(sections, parts, strict=True)
    ]
