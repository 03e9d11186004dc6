"""Gold of spans: the units of each document with their confidence, what they rest on, and what is left undecided."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from accord.agreement.table import Table
from accord.annotations.answers import Label, tidy_number
from accord.annotations.arrays import BoolArray, FloatArray, IntArray, divide
from accord.annotations.majority_rule import MORE_LIKELY_WRONG
from accord.consensus.annotator_tables import need_annotator
from accord.consensus.decision import Decision
from accord.consensus.gold import Gold
from accord.consensus.method_outcome import Progressed
from accord.consensus.score_against_reference import BINS
from accord.consensus.spans.marked_units import Decided, Marked, Unit, UnitPlace, seen_by
from accord.engine.whole_file import path_of
from accord.errors import MeasureError, Message, counted, in_python, quoted
from accord.options import check_confidence
from accord.spans.continuum import Continuum
from accord.study.study import Study


@dataclass(frozen=True, eq=False, repr=False)
class SpanGold(Gold):
    """The units of each document.

    `labels` has one entry per item of `study.items`: its units as (start, end, label), in order; an item in which
    nothing is marked has none, and is decided all the same. `confidence` is that of each item's least sure unit;
    `to_table()` has a row per unit, with the probability that exactly this unit is there (`confidence_is` "posterior")
    or the share of people who marked it ("vote share").
    """

    continuum: Continuum = field(kw_only=True)
    marked: Marked = field(kw_only=True)
    found: Decided = field(kw_only=True)
    unit_decisions: Mapping[UnitPlace, Decision] = field(
        default_factory=dict, kw_only=True
    )  # label True: in, False: out

    # -- the units -------------------------------------------------------------------------------------------------

    @cached_property
    def units(self) -> tuple[UnitPlace, ...]:
        """All units in canonical order, people's decisions made."""
        taken = {place for place in self.found.places if self._stays(place)}
        taken |= {place for place, decision in self.unit_decisions.items() if decision.label}
        return tuple(sorted(taken))

    def _stays(self, place: UnitPlace) -> bool:
        """A unit stays unless a person took it out, or put in another that overlaps it where nobody marked both."""
        decision = self.unit_decisions.get(place)
        if decision is not None:
            return bool(decision.label)
        return place not in self._displaced

    @cached_property
    def _displaced(self) -> frozenset[UnitPlace]:
        put_in = [place for place, decision in self.unit_decisions.items() if decision.label]
        by_document: dict[int, list[UnitPlace]] = {}
        for place in self.found.places:
            by_document.setdefault(place.document, []).append(place)
        return frozenset(
            other
            for place in put_in
            for other in by_document.get(place.document, [])
            if other != place and place.overlaps(other) and not (self.people(place) & self.people(other))
        )

    def people(self, place: UnitPlace) -> frozenset[int]:
        """Who marked exactly this unit."""
        at = self.marked.at.get(place)
        return frozenset() if at is None else self.marked.people[at]

    @cached_property
    def unit_confidence(self) -> FloatArray:
        """(units,): how sure each is; NaN where a person decided."""
        known = dict(zip(self.found.places, self.found.confidence.tolist(), strict=True))
        return np.array(
            [math.nan if place in self.unit_decisions else known[place] for place in self.units], dtype=np.float64
        )

    @cached_property
    def unit_votes(self) -> FloatArray:
        """(units,): the share of those who saw the document who marked exactly this unit."""
        number = np.array([self.marked.number(place) for place in self.units], dtype=np.float64)
        return divide(number, self.seen[self.documents])  # none of a document that a person alone has decided

    @cached_property
    def documents(self) -> IntArray:
        """(units,): the document of each, by its position."""
        return np.array([place.document for place in self.units], dtype=np.int64)

    @cached_property
    def seen(self) -> IntArray:
        """(items,): how many saw each."""
        return seen_by(self.continuum)

    @cached_property
    def labels(self) -> list[Any]:
        """One entry per item: its units, as (start, end, label)."""
        found: list[list[Unit]] = [[] for _ in range(len(self))]
        for place in self.units:
            found[place.document].append(self._unit(place))
        return [tuple(units) for units in found]

    def _unit(self, place: UnitPlace) -> Unit:
        start, end = tidy_number(place.pieces[0]), tidy_number(place.pieces[-1])
        return Unit(start, end, self.study.labels[place.label])

    @cached_property
    def decided(self) -> BoolArray:
        """(items,): did anybody see the document, and is every unit of it settled?"""
        settled = self.seen > 0
        settled[[place.document for place in self.open]] = False
        return settled

    @cached_property
    def open(self) -> tuple[UnitPlace, ...]:
        """Units that are neither in nor out."""
        return tuple(place for place in sorted(self.found.undecided) if place not in self.unit_decisions)

    # -- how sure --------------------------------------------------------------------------------------------------

    @cached_property
    def confidence(self) -> FloatArray:
        """(items,): that of the least sure unit; NaN where there is none, or a person decided."""
        lowest = np.full(len(self), np.inf)
        sure = np.nan_to_num(self.unit_confidence, nan=np.inf)
        np.minimum.at(lowest, self.documents, sure)
        return np.where(np.isfinite(lowest), lowest, np.nan)

    @cached_property
    def votes(self) -> FloatArray:
        """(items,): the share behind the least supported unit; NaN where there is none."""
        lowest = np.full(len(self), np.inf)
        np.minimum.at(lowest, self.documents, self.unit_votes)
        return np.where(np.isfinite(lowest), lowest, np.nan)

    @property
    def mean_confidence(self) -> float:
        """Over the units that have one; NaN if none has."""
        trusted = self.unit_confidence[~np.isnan(self.unit_confidence)]
        return float(trusted.mean()) if len(trusted) else math.nan

    @property
    def confidence_is(self) -> str:
        """What the confidence of a unit is: "posterior" or "vote share"."""
        return self.found.softness

    @property
    def progress(self) -> Progressed | None:
        """How the iteration went."""
        return self.found.progress

    @property
    def log_likelihood(self) -> float:
        """The log-likelihood of the tags under the model; NaN for votes."""
        return self.found.log_likelihood

    def soft(self) -> FloatArray:
        """Spans have no soft labels of items."""
        raise self._no("soft labels")

    def posterior(self) -> Table:
        """Spans have no posterior of items."""
        raise self._no("posterior of an item")

    def vote_shares(self) -> Table:
        """Spans have no vote shares of items."""
        raise self._no("vote shares of an item")

    def answers_needed(self, *, confidence: float = 0.95) -> Table:
        """How many more people should mark a document is not worked out for spans."""
        raise self._no("number of answers that are still needed")

    def _no(self, what: str) -> MeasureError:
        return MeasureError(
            f"A gold of spans has no {what}: an item holds any number of units. See ",
            in_python("to_table(), which has a row per unit", "the table, which has a row per unit"),
            ".",
        )

    def _doubt(self) -> FloatArray:
        """(items,): how many units of it are expected to be wrong."""
        from accord.consensus.spans.unit_queue import uncertainties

        total = np.zeros(len(self))
        for place, wrong in uncertainties(self).items():
            total[place.document] += wrong
        return total

    def _holding(self, label: int) -> BoolArray:
        """(items,): is a unit of it called so?"""
        found = np.zeros(len(self), dtype=np.bool_)
        found[[place.document for place in self.units if place.label == label]] = True
        return found

    def _majority(self, place: int, rows: IntArray) -> Any:
        """The units that more than half of those who saw a document marked."""
        pairs = zip(self.marked.places, self.marked.people, strict=True)
        return [
            [[tidy_number(bound) for bound in unit.pieces], self.study.labels[unit.label]]
            for unit, people in pairs
            if unit.document == place and 2 * len(people) > self.seen[place]
        ]

    # -- what is left ----------------------------------------------------------------------------------------------

    def _why(self, place: int) -> str | None:
        """A sentence for each of the open units of a document."""
        if not self.seen[place]:
            return "nobody answered it"
        return "; ".join(self._open_in.get(place, [])) or None

    @cached_property
    def _open_in(self) -> dict[int, list[str]]:
        """What is open in each document, in words."""
        found: dict[int, list[str]] = {}
        for place in self.open:
            found.setdefault(place.document, []).append(f"{self.named(place)}: {self.found.undecided[place]}")
        return found

    def undecided(self) -> Table:
        """The units that are neither in the gold nor out of it, and the items that nobody answered, and why."""
        from accord.consensus.spans.unit_table import undecided_table

        return undecided_table(self)

    def named(self, place: UnitPlace) -> Message:
        """A unit in words."""
        bounds = " … ".join(
            f"{place.pieces[at]:g} to {place.pieces[at + 1]:g}" for at in range(0, len(place.pieces), 2)
        )
        return Message(quoted(self.study.labels[place.label]), f" from {bounds}")

    def distribution(self) -> Table:
        """How many units got each label, and how many documents hold none."""
        from accord.consensus.spans.unit_table import distribution

        return distribution(self)

    def by_label(self) -> Table:
        """The votes behind the units of each label.

        Returns:
            A `Table` with one row per label: how many `units` got it, the mean share of people who marked exactly
            them (`votes`), their mean `confidence`, and how many distinct units were marked with it (`marked`).
        """
        from accord.consensus.spans.unit_table import label_table

        return label_table(self)

    # -- the annotators --------------------------------------------------------------------------------------------

    def annotators(self, *, confidence: float = 0.95) -> Table:
        """Each annotator against the gold: how many of their units are in it, and how many of its units are theirs.

        Args:
            confidence: The confidence of the intervals of precision and recall (Wilson).

        Returns:
            A `Table` with one row per annotator: documents seen, units marked, those in the gold (`right`), precision
            and recall with their intervals, and F1. A unit is right if place and label are the same.

        Raises:
            OptionError: If `confidence` does not lie between 0 and 1.
        """
        from accord.consensus.spans.annotators_against_gold import annotator_table

        check_confidence(confidence)
        return annotator_table(self, confidence)

    def confusion(self, annotator: str, *, label: Label | None = None) -> Table:
        """An annotator's confusion of tags: one row per true tag, one column per answer.

        Args:
            annotator: Whose table it is.
            label: Not for spans, where one table holds all tags.

        Returns:
            A `Table` of shares: each row sums to 1, or is NaN where nothing is known of it.

        Raises:
            MeasureError: If the method learns nothing of how annotators answer, or `label` is given.
            OptionError: If there is no such annotator.
        """
        who = need_annotator(self, annotator)
        if self.found.mass is None or label is not None:
            raise self._no("table of confusions" if label is None else "table of one label")
        mass = self.found.mass[who]
        shares = divide(mass, mass.sum(axis=1, keepdims=True))
        columns: dict[str, Any] = {
            "true": list(self.found.tags),
            **{tag: shares[:, at] for at, tag in enumerate(self.found.tags)},
        }
        return Table(f"How {annotator} tags tokens", columns)

    # -- people decide ---------------------------------------------------------------------------------------------

    def score(
        self, reference: Any, *, item: str = "item", label: str = "label", confidence: float = 0.95, bins: int = BINS
    ) -> Any:
        """How right the gold is, against a reference, by exact units: place and label must be the same.

        Args:
            reference: What is true: a Study of spans by one annotator, another gold of spans, a table of spans (item,
                start, end, label) or of tagged tokens (item, token, tag), or the path of a file with one of them.
            item: The column of the reference that names the item.
            label: The column with its label or tag.
            confidence: The confidence of the interval.
            bins: How many bins of confidence the calibration has.

        Returns:
            A `SpanScore`: precision, recall and F1 with an interval over documents, each label's, and calibration.

        Raises:
            InputError: If the reference cannot be read, or shares no item with the study.
            OptionError: If `confidence` or `bins` has a value that it cannot take.
        """
        from accord.consensus.spans.scoring import score_units

        return score_units(self, reference, item=item, label=label, confidence=confidence, bins=bins)

    def queue(
        self,
        n: int = 20,
        *,
        path: str | Path | None = None,
        show_text: bool = True,
        show_annotators: bool = False,
        force: bool = False,
    ) -> Table:
        """The most uncertain units, those of the gold and those that somebody marked: a person says yes or no.

        Args:
            n: How many units at most.
            path: Where to write the table too, as .csv or .tsv; by default nowhere.
            show_text: Whether the marked words are shown, where the texts are known.
            show_annotators: Whether it is shown who marked it.
            force: Whether decisions in the file that this gold does not have may be lost.

        Returns:
            A `Table` with one row per unit, the most useful decision first; `decision`, `decided_by` and `decided_at`
            are empty, to be filled in (yes or no) and handed to `decide`.

        Raises:
            InputError: If the file cannot be written, or holds decisions that would be lost.
            OptionError: If `n` is no whole number above 0, or the ending is another.
        """
        from accord.consensus.adjudication import QueueSheet
        from accord.consensus.spans.unit_queue import queue_of_units

        sheet = QueueSheet(None if path is None else path_of(path), show_text, show_annotators, force)
        return queue_of_units(self, n, sheet)

    def decide(self, decisions: Any, *, by: str | None = None, at: str | None = None) -> SpanGold:
        """The same gold with a person's decisions: yes takes a unit in, no takes it out.

        A unit that is taken in displaces those of the gold that overlap it, unless somebody marked both.

        Args:
            decisions: A filled-in queue: a table, a frame or the path of a CSV file.
            by: Who decided, where the queue does not say in `decided_by`.
            at: When, where it does not say in `decided_at`; by default now.

        Returns:
            A new `SpanGold`.

        Raises:
            InputError: If the decisions cannot be read, name an item that the study does not have, or do not say who
                decided.
            LabelError: If a decision is neither yes nor no, or its label is not on the scale.
        """
        from accord.consensus.spans.unit_queue import with_decisions

        return with_decisions(self, decisions, by, at)

    def _with_decided(self, decided: Mapping[int, Decision]) -> SpanGold:
        """The gold in which some documents hold exactly the units, each its pieces and label, that were decided on."""
        codes = {label: code for code, label in enumerate(self.study.labels)}
        made = {place: one for place, one in self.unit_decisions.items() if place.document not in decided}
        for place in {*self.units, *self.found.places, *self.open}:
            if place.document in decided:
                made[place] = replace(decided[place.document], label=False)
        for document, decision in decided.items():
            for pieces, label in decision.label:
                made[UnitPlace(document, pieces, codes[label])] = replace(decision, label=True)
        return replace(self, unit_decisions=made)

    @property
    def _as_spans(self) -> SpanGold:
        """It is."""
        return self

    @property
    def decision_labels(self) -> dict[Label, dict[Unit, bool]]:
        """Item ─▶ the units of it that a person decided, each with whether it belongs into the gold."""
        found: dict[Label, dict[Unit, bool]] = {}
        for place, decision in sorted(self.unit_decisions.items()):
            found.setdefault(self.study.items[place.document], {})[self._unit(place)] = bool(decision.label)
        return found

    # -- in words and files ----------------------------------------------------------------------------------------

    def to_table(self) -> Table:
        """One row per unit: item, start, end, label, confidence, votes, answers, where it is from, and remarks.

        An item in which nothing is marked has one row without a place. The column `annotator` says "gold", so that the
        file is a study of spans again; pieces of discontinuous units are in `fragments`.
        """
        from accord.consensus.spans.unit_table import unit_table

        return unit_table(self)

    def cells_of(self, place: UnitPlace) -> dict[str, Any]:
        """Where a unit lies and its label, as cells of a row."""
        return {
            "item": self.study.items[place.document],
            "start": tidy_number(place.pieces[0]),
            "end": tidy_number(place.pieces[-1]),
            "label": self.study.labels[place.label],
        }

    def to_study(self) -> Study:
        """The gold as a study of spans by one annotator, "gold".

        Returns:
            A `Study`, in which an item without units is answered with nothing marked.
        """
        table = self.to_table()
        needed = [name for name in ("item", "annotator", "start", "end", "label", "fragments") if name in table.columns]
        roles = {role: role for role in needed if role != "fragments"}
        return Study({name: list(table[name]) for name in needed}, labels=list(self.study.labels), **roles)  # type: ignore[arg-type]

    def to_dict(self, *, items: bool = True) -> dict[str, Any]:
        """For JSON: how the gold was made, what came out, and (unless `items` is False) every unit.

        Args:
            items: Whether every unit is listed.

        Returns:
            A dictionary that JSON can hold.
        """
        return {**super().to_dict(items=items), "decided_by_people": len(self.unit_decisions)}

    def cite(self) -> str:
        """The sources of the method."""
        from accord.agreement.references import formatted
        from accord.consensus.spans.span_methods import SPAN_METHODS

        return "\n".join(formatted(key) for key in SPAN_METHODS[self.method].references)

    def __str__(self) -> str:
        items = counted(int((self.seen > 0).sum()), "items")
        lines = [f"Gold by {self.title}: {counted(len(self.units), 'units')} in {items}."]
        if self.open:
            lines[0] = f"{lines[0][:-1]}, {counted(len(self.open), 'units')} undecided."
        if not math.isnan(self.mean_confidence):
            lines.append(f"Mean confidence of a unit ({self.confidence_is}) {self.mean_confidence:.3f}.")
        if self.progress is not None:
            how = "" if self.progress.converged else ", not converged"
            lines.append(
                f"{self.progress.objective.capitalize()} {self.progress.trace[-1]:,.10g} after "
                f"{counted(self.progress.iterations, 'iterations')}{how}."
            )
        if self.unit_decisions:
            lines.append(f"{counted(len(self.unit_decisions), 'units')} decided by a person.")
        return "\n".join([*lines, *self.notes, *self.doubts])

    __repr__ = __str__

    @property
    def doubts(self) -> tuple[str, ...]:
        """Units that the model itself takes to be wrong rather than right."""
        number = int((self.unit_confidence < MORE_LIKELY_WRONG).sum()) if self.confidence_is == "posterior" else 0
        if not number:
            return ()
        are = "is" if number == 1 else "are"
        return (
            f"{counted(number, 'units')} {are} in the gold with a confidence below {MORE_LIKELY_WRONG:g}: more likely "
            "wrong than right in some point, if only a boundary; a person should look.",
        )
