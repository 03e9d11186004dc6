"""The items behind a cell, a bar or a finding: what an `ItemQuery` asks, found among the items of a report.

Items are known by their positions; answers are looked up as integers, so that a million items take some milliseconds.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from functools import cached_property, lru_cache

import numpy as np

from accord.agreement.build import each_once, tallied
from accord.annotations.arrays import BoolArray, FloatArray, IntArray, add_up
from accord.consensus.label_names import NameLookup
from accord.errors import OptionError
from accord.options import encodable
from accord.rankings.ranks import Ranks
from accord.reporting.context import Context
from accord.reporting.item_query import ItemQuery, Span, distinct_names
from accord.reporting.study_date import week_of_items
from accord.study.item_texts import texts_of
from accord.study.roles import COMPARED
from accord.study.shapes.compared import options_of
from accord.study.study import Study
from accord.workbench.item_scores import ItemScores, within

KEPT = 16  # answers to queries that are kept: of a million items each takes a megabyte

States = Callable[[str], BoolArray]  # (items,): of which items is this so? Of a study of which decisions are known


@dataclass(frozen=True, eq=False)
class ItemIndex:
    """The items of one variable, and which of them a query asks for."""

    context: Context
    states: States | None = None

    def __post_init__(self) -> None:
        """Answers are kept; those about decisions are not, since decisions change."""
        object.__setattr__(self, "_kept", lru_cache(KEPT)(self._found))

    @property
    def study(self) -> Study:
        """Whose items they are."""
        return self.context.study

    def find(self, query: ItemQuery) -> IntArray:
        """The positions of the items that a query asks for, ascending.

        Raises:
            OptionError: If it names a label, annotator, column, group or item that the study does not have.
        """
        known: BoolArray = self._kept(query)  # type: ignore[attr-defined]
        return np.flatnonzero(known & self.states(query.state) if query.state and self.states is not None else known)

    def _found(self, query: ItemQuery) -> BoolArray:
        item, _, answer, _ = self._rows
        counts = self.counting(query)
        found = self._any(item if counts is None else item[counts])
        for who in query.annotators if len(query.annotators) > 1 else ():
            found &= self._answered_by(who)
        if query.labels:
            found &= self._with_labels(query, counts)
        if query.agree:
            alike = self._alike if len(query.annotators) < 2 else self._alike_among(item[counts], answer[counts])
            found &= alike if query.agree == "yes" else ~alike & (self._answers > 1)
        if query.agree == "yes":
            found &= self._answers > 1
        for span, share in ((query.observed, "_observed"), (query.confidence, "_confidence")):
            if span is not None:
                found &= within(getattr(self, share), (span[0] or -np.inf, span[1]))  # 0 belongs to the first span
        if query.option:
            found &= self._comparing(query.option)
        if any(span is not None for span in (query.score, query.mean, query.apart, query.less)):
            found &= self._with_scores(query, counts)
        if query.place is not None:
            found &= self._put_at(query, query.place)
        if query.with_others is not None:
            found &= self._answered_by_those(query.with_others)
        if query.suggested:
            found &= self._suggested_as(query.suggested)
        if query.gold:
            found &= self._decided_as(query.gold)
        if query.week:
            found &= self._last_in(query.week)
        if query.items:
            found &= self._named(query)
        if query.search:
            found &= self._holding(query.search)
        return found

    # -- whose answers count -----------------------------------------------------------------------------------------

    def counting(self, query: ItemQuery) -> BoolArray | None:
        """(A,): which annotations a query is about; None for all."""
        counting: BoolArray | None = None
        if query.annotators:
            counting = np.isin(self._rows[1], [self._person(name) for name in query.annotators])
        if query.group:
            of_group = self._of_group(query.group)
            counting = of_group if counting is None else counting & of_group
        return counting

    def _of_group(self, group: str) -> BoolArray:
        """(A,): which annotations have this value in this column."""
        for column in self.study.columns:
            if group.startswith(f"{column}:"):
                coded = self.study._column(column)
                for place, value in enumerate(coded.values):
                    if group == f"{column}:{value}":
                        return np.asarray(coded.codes == place)
        raise OptionError.must("group", "be a column of the table and one of its values, such as language:de", group)

    def _person(self, name: str) -> int:
        if name not in self.study.annotators:
            raise OptionError.choice("annotator", name, self.study.annotators, of_data=True)
        return self.study.annotators.index(name)

    def _answered_by(self, name: str) -> BoolArray:
        return self._any(self._rows[0][self._rows[1] == self._person(name)])

    # -- what was answered -------------------------------------------------------------------------------------------

    def _with_labels(self, query: ItemQuery, counts: BoolArray | None) -> BoolArray:
        """Did as many people as labels are asked give them, each one of them?"""
        item, _, answer, count = self._rows
        places = [self._label(name) for name in query.labels]
        member = self.study.answers.membership

        def givers(held: BoolArray) -> FloatArray:
            given = held[answer] if counts is None else held[answer] & counts
            return add_up(item[given], count[given], self.n_items)

        found = givers(np.asarray(member[:, places].any(axis=1))) >= len(places)
        for place in dict.fromkeys(places):
            found &= givers(member[:, place]) > 0
        return np.asarray(found)

    def _label(self, name: str) -> int:
        names, wanted = distinct_names(self.study.labels), encodable(name)
        if wanted not in names:
            raise OptionError.choice("label", name, names, of_data=True)
        return names.index(wanted)

    def _comparing(self, name: str) -> BoolArray:
        """(items,): is this one of the two options that were compared?"""
        if not self.study.compares:
            raise OptionError.must("option", "be asked of preferences, which these answers are not", name)
        options, *sides = options_of([self.study._column(self.study.roles[role], role) for role in COMPARED])
        if name not in options:
            raise OptionError.choice("option", name, options, of_data=True)
        found = np.zeros(self.n_items, dtype=np.bool_)
        for side in sides:
            found[self._rows[0][side == options.index(name)]] = True
        return found

    def _put_at(self, query: ItemQuery, span: Span) -> BoolArray:
        """(items,): did somebody put this option at such a place of their ranking?"""
        if self.study.kind != "ranking" or len(query.labels) != 1:
            raise OptionError.must("place", "be asked of rankings and one label of theirs", query.address)
        ranks = Ranks.of(self.study)
        lists, cell, place = ranks.entries()
        there = (ranks.cell_option[cell] == self._label(query.labels[0])) & within(place, span)
        return self._any(ranks.query[lists[there]])

    def _answered_by_those(self, span: Span) -> BoolArray:
        """(items,): did somebody answer who agrees so far with the others?"""
        agree = within(self._agreement_of_each, span)
        return self._any(self._rows[0][agree[self._rows[1]]])

    @cached_property
    def _agreement_of_each(self) -> FloatArray:
        """(annotators,): how far each agrees with the others; NaN where that is not known."""
        if not self.study._annotations.named:
            return np.full(1, np.nan)
        table = self.context.agreement.by_annotator()
        known = dict(zip(table["annotator"], table["value"].tolist(), strict=True))
        return np.array([known.get(name, np.nan) for name in self.study.annotators])

    def _any(self, items: IntArray) -> BoolArray:
        found = np.zeros(self.n_items, dtype=np.bool_)
        found[items] = True
        return found

    def _with_scores(self, query: ItemQuery, counts: BoolArray | None) -> BoolArray:
        """(items,): are there scores like these, among those of whom a query is about?"""
        if self.study.kind != "score" and not (self.study.kind == "single" and self.study.answers.numeric):
            raise OptionError.must("score", "be asked of scores, which these answers are not", query.address)
        item, annotator, answer, count = self._rows
        value = np.asarray(self.study.answers.numbers("scores"), dtype=np.float64)[answer]
        kept = np.ones(len(item), dtype=np.bool_) if counts is None else counts
        people = [self._person(name) for name in query.annotators]
        scores = ItemScores(item[kept], annotator[kept], value[kept], count[kept], self.n_items)
        return scores.like(query, people)

    @cached_property
    def _alike(self) -> BoolArray:
        """(items,): did everybody who answered say the same?"""
        tally = self.study._tally_of_people()
        different = np.append(np.bincount(tally.pattern, minlength=len(tally)) < 2, False)  # −1: nobody answered
        if tally.locate is None:
            return self._alike_among(self._rows[0], self._rows[2])
        return np.asarray(different[tally.locate()])

    def _alike_among(self, item: IntArray, answer: IntArray) -> BoolArray:
        low = np.full(self.n_items, np.iinfo(np.int64).max)
        high = np.full(self.n_items, -1)
        np.minimum.at(low, item, answer)
        np.maximum.at(high, item, answer)
        return np.asarray(low == high)

    @cached_property
    def _answers(self) -> FloatArray:
        """(items,): how many answers each has."""
        item, _, _, count = self._rows
        return add_up(item, count, self.n_items)

    # -- what came of it ---------------------------------------------------------------------------------------------

    @cached_property
    def _observed(self) -> FloatArray:
        """(items,): the observed agreement; NaN where an item has fewer than two answers."""
        main = each_once(self.context.agreement)
        tally = tallied(main).tally if main.coefficient is not None else None
        if tally is None or tally.locate is None:
            return np.full(self.n_items, np.nan)
        return np.append(tallied(main).decomposition().observed, np.nan)[tally.locate()]

    @cached_property
    def _confidence(self) -> FloatArray:
        """(items,): that of the report's gold; NaN where it is undecided."""
        gold = self.context.gold
        if gold is None:
            return np.full(self.n_items, np.nan)
        return np.where(gold.decided, np.round(gold.confidence, 6), np.nan)

    def _decided_as(self, name: str) -> BoolArray:
        """(items,): does the report's gold hold this label?"""
        gold, place = self.context.gold, self._label(name)
        return np.zeros(self.n_items, dtype=np.bool_) if gold is None else gold._holding(place)

    def _suggested_as(self, name: str) -> BoolArray:
        """(items,): was this label suggested?"""
        column = self.study.roles.get("suggested")
        if column is None:
            raise OptionError.must("suggested", "be asked of a study with suggested labels", name)
        coded = self.study._item_column(column, "suggested")
        names = distinct_names(coded.values)
        if name not in names:
            raise OptionError.choice("suggested", name, names, of_data=True)
        return np.asarray(coded.codes == names.index(name))

    def _last_in(self, week: str) -> BoolArray:
        """(items,): did an item get its last answer in the week of this Monday?"""
        weeks = week_of_items(self.study)
        try:
            monday = date.fromisoformat(week).toordinal()
        except ValueError:
            raise OptionError.must("week", "be a Monday, such as 2026-03-02", week) from None
        return np.zeros(self.n_items, dtype=np.bool_) if weeks is None else np.asarray(weeks == monday)

    # -- names and texts ---------------------------------------------------------------------------------------------

    def _named(self, query: ItemQuery) -> BoolArray:
        found = np.zeros(self.n_items, dtype=np.bool_)
        for name in query.items:
            place = self.names.place(name)
            if place is None:
                raise OptionError.must("item", "be the name of an item", name)
            found[place] = True
        return found

    def _holding(self, letters: str) -> BoolArray:
        wanted = letters.casefold()
        return np.array([wanted in text for text in self._searched], dtype=np.bool_)

    @cached_property
    def names(self) -> NameLookup:
        """Items by what they are called."""
        return NameLookup(self.study.items)

    @cached_property
    def _searched(self) -> list[str]:
        """Name and text of each item, in one case."""
        names = [str(name).casefold() for name in self.study.items]
        column = self.context.text_column
        if column is None:
            return names
        texts = texts_of(self.study, column, range(self.n_items))
        return [f"{name} {text.casefold()}" for name, text in zip(names, texts, strict=True)]

    @cached_property
    def n_items(self) -> int:
        """How many items there are, answered or not."""
        return self.study._annotations.n_items

    @cached_property
    def _rows(self) -> tuple[IntArray, IntArray, IntArray, IntArray]:
        return self.study._annotations.to_memory().rows


def variable_of_query(context: Context, query: ItemQuery) -> Context:
    """The context of the variable that a query is about; of several, the first unless it is said.

    Raises:
        OptionError: If there is no such variable.
    """
    if not context.parts:
        return context
    names: dict[str, Context] = {str(part.variable): part for part in context.parts}
    if query.variable and query.variable not in names:
        raise OptionError.choice("variable", query.variable, list(names), of_data=True)
    return names[query.variable] if query.variable else context.parts[0]


def narrowed(index: ItemIndex, query: ItemQuery, found: IntArray) -> Study:
    """The answers that a query is about, to the items that it found; items and scale stay."""
    wanted = np.zeros(index.n_items, dtype=np.bool_)
    wanted[found] = True
    chosen = wanted[index.study._annotations.to_memory().rows[0]]
    counting = index.counting(query)
    if counting is not None:
        chosen &= counting
    return index.study if chosen.all() else index.study._where(chosen)
