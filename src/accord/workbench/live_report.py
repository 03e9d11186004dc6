"""The report of a study as it is now: whole or of some items, every number with the way to the items behind it."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from threading import RLock

from accord.errors import LabelError, OptionError
from accord.reporting.anonymise import names_annotators
from accord.reporting.context import Context, Section
from accord.reporting.item_query import ALL_ITEMS, Address, ItemQuery, distinct_names
from accord.reporting.page import sections_in_turn
from accord.study.annotator_names import renamed
from accord.study.kinds import people_first
from accord.study.study import Study
from accord.study.unnamed_notes import unnamed_notes
from accord.workbench.items_behind import ItemIndex, States, narrowed, variable_of_query
from accord.workbench.report_drawing import Drawer, Drawing, LivePage
from accord.workbench.weekly_agreement import week_by_week

KEPT = 8  # reports of some items that are kept
OUTDATED = 10.0  # seconds after which a report that decisions change is drawn anew
MOST_GROUPS = 60  # values of a column up to which it makes groups to choose from
SHARES = ((0.0, 0.5), (0.5, 0.75), (0.75, 0.99), (0.99, 1.0))  # spans of confidence to choose from


@dataclass(frozen=True)
class FilterChoices:
    """What can be chosen in the filters."""

    variables: Sequence[str]
    labels: Sequence[str]
    annotators: Sequence[str]
    groups: Sequence[tuple[str, Sequence[str]]]  # column, values
    shares: Sequence[str]


def unnamed(study: Study) -> Study:
    """The same study with annotators called by their numbers, as the screens of items call them; in its notes too."""
    if study.tasks:
        whole = study._with_tasks({name: unnamed(part) for name, part in study.tasks.items()})
        return unnamed_notes(whole, {})  # a variable has numbers of its own
    if not study._annotations.named:
        return study
    called = {name: f"annotator {place + 1}" for place, name in enumerate(study.annotators)}
    if study._annotations.in_memory:
        study._annotations.rows  # noqa: B018 - made once for both names
    return unnamed_notes(renamed(study, called, study.annotators), called)


class LiveReport:
    """Reports of one study. Every method may be called by many threads at once; one thread aside draws for all."""

    def __init__(
        self,
        study: Study,
        address: Address,
        *,
        title: str = "",
        show_text: bool = True,
        named: bool = False,
        states: States | None = None,
        source: Study | None = None,
    ) -> None:
        self.study = study
        self.source = study if source is None else source  # of which it is the same under other names
        self._address = address
        self._title = title
        self._show_text = show_text
        self._named = named  # are annotators called by their names?
        self._states = states
        self._lock = RLock()
        self._drawings: OrderedDict[ItemQuery, Drawing] = OrderedDict()
        self._drawer = Drawer()
        self._indexes: dict[tuple[str, bool], ItemIndex] = {}  # by variable, and whether models are among those asked

    @cached_property
    def whole(self) -> Context:
        """All items, for whoever looks for some of them."""
        return self._context(self.study, ALL_ITEMS)

    @cached_property
    def _of_people(self) -> frozenset[str]:
        """Columns that hold somebody's answers, under their name, or copy who answered: they make no groups."""
        variables = list(self.source.tasks.values()) or [self.source]
        own = {name for variable in variables for name in variable.annotators}
        if not self._named:
            own |= {
                name
                for variable in variables
                for name in variable.columns
                if name not in variable.roles.values() and _values(variable, name) and names_annotators(variable, name)
            }
        return frozenset(own)

    def _context(self, study: Study, query: ItemQuery) -> Context:
        return Context(
            people_first(study).study, everyone=study, title=self._title, show_text=self._show_text,
            anonymised=not self._named, address=self._address, query=query,
        )  # fmt: skip

    def index(self, query: ItemQuery) -> ItemIndex:
        """The items of the variable that a query is about; where it names a model, with what models answered."""
        if query.group.partition(":")[0] in self._of_people:
            raise OptionError.must("group", "be of a column that is nobody's answers", query.group)
        with self._lock:
            part = variable_of_query(self.whole, query)
            stands_aside = not set(query.annotators) <= set(_present(part.study))
            if (part.prefix, stands_aside) not in self._indexes:
                context = replace(part, study=part.with_models, everyone=None) if stands_aside else part
                self._indexes[part.prefix, stands_aside] = ItemIndex(context, self._states)
            return self._indexes[part.prefix, stands_aside]

    def page(self, query: ItemQuery, patience: float | None = None) -> LivePage:
        """The report of the items that a query asks for, as far as it is drawn.

        Args:
            query: Which items.
            patience: Seconds to wait for all of it, which is drawn aside; None draws it here and waits.
        """
        drawing = self._drawing(query)
        if patience is None:
            drawing.draw()
        else:
            self._drawer.take(drawing)
        return drawing.page(patience)

    def _drawing(self, query: ItemQuery) -> Drawing:
        """Kept, since it takes a while; one that decisions change is drawn anew for whoever comes later."""
        known = self._drawings.get(query)
        if known is None or self._is_spent(query, known):
            begun = self._begun(query)  # while others ask for theirs
            with self._lock:
                known = self._drawings.get(query)
                if known is None or self._is_spent(query, known):
                    known = self._drawings[query] = begun
        with self._lock:
            self._drawings[query] = known  # others may have pushed it out just now
            known.unwanted = False
            self._drawings.move_to_end(query)
            while len(self._drawings) > KEPT:
                self._drawings.popitem(last=False)[1].unwanted = True
        return known

    @staticmethod
    def _is_spent(query: ItemQuery, known: Drawing) -> bool:
        return known.failed or (bool(query.state) and known.is_older_than(OUTDATED))

    def _begun(self, query: ItemQuery) -> Drawing:
        """A report that nobody has begun to draw; which items it is about is known from now on.

        What it computes is its own and goes with it: of a million items it takes hundreds of megabytes.
        """
        if query == ALL_ITEMS:
            number = len(self.study.items) if not self.study.tasks else 0
            return Drawing(number, lambda: _sections(self._context(self.study, ALL_ITEMS)))
        index = self.index(query)
        found = index.find(query)
        if not len(found):
            return Drawing(0, lambda: iter(()), "No item is like that.")
        return Drawing(len(found), lambda: _sections(self._context(narrowed(index, query, found), query)))

    def choices(self, query: ItemQuery) -> FilterChoices:
        """What the filters of a page offer: of the variable that it is about."""
        part = variable_of_query(self.whole, query)
        study = part.study
        taken = {*study.roles.values()} - {study.roles.get("cluster")} | self._of_people
        return FilterChoices(
            [str(one.variable) for one in self.whole.parts],
            distinct_names(study.labels),
            _people(study, query),
            [(name, values) for name in study.columns if name not in taken and (values := _values(study, name))],
            [f"{low:g}-{high:g}" for low, high in SHARES] if part.has_gold else [],
        )


def _people(study: Study, query: ItemQuery) -> list[str]:
    """Whose answers can be chosen; somebody who was asked for, and who stands aside, besides."""
    present = _present(study)
    return [*present, *(name for name in query.annotators if name not in present)]


def _present(study: Study) -> list[str]:
    """Everybody who answered, by name."""
    return [study.annotators[place] for place in study._present] if study._annotations.named else []


def _values(study: Study, column: str) -> list[str]:
    """The values of a column that makes groups: more than one, and not too many."""
    if not study._annotations.in_memory:
        return []
    try:
        values = study._column(column).values
    except LabelError:  # lists or objects, such as a conversation, make no groups
        return []
    return [str(value) for value in values] if 1 < len(values) <= MOST_GROUPS else []


def _sections(context: Context) -> Iterator[Section]:
    """The sections of a report and how agreement went week by week; what was done and how stays last."""
    last: Section | None = None
    for section in sections_in_turn(context):
        if last is not None:
            yield last
        last = section
    by_week = week_by_week(context)
    if by_week is not None:
        yield by_week
    if last is not None:
        yield last
