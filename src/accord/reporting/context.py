"""What every section of a report may ask for: the study, its results, and what may be shown."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

from accord.agreement.interpretation import BENCHMARKS, Benchmark
from accord.agreement.measurements import Measurements
from accord.agreement.result import Agreement
from accord.annotations.answers import LOCATED, Label
from accord.consensus.gold import Gold
from accord.consensus.make_gold import gold
from accord.errors import AccordError
from accord.findings.contested import Contested, most_contested
from accord.findings.explaining import TARGETS, explain
from accord.findings.findings_result import Findings
from accord.measures.fleiss import fleiss_kappa
from accord.measures.krippendorff import krippendorff_alpha
from accord.measures.measure_all import measure
from accord.reporting.item_query import ALL_ITEMS, Address, ItemQuery
from accord.study.item_texts import text_column, texts_of
from accord.study.study import Study

if TYPE_CHECKING:
    from accord.judge.participants import Participants
    from accord.judge.verdicts import Verdict

ITEMS_SHOWN = 200  # contested items listed in full
PEOPLE_SHOWN = 40  # annotators listed; of more, the lowest and some of the rest
MATRIX_PEOPLE = 16  # annotators in a matrix of pairs
PAIRED_PEOPLE = 400  # annotators up to whom pairs are compared at all
LABELS_SHOWN = 24
GROUPS_SHOWN = 60
CROWD = 8  # people from whom on a study may be a crowd's
MODELS_SHOWN = 30
N_RESAMPLES = 500  # of a verdict
MANY_ITEMS = 200_000  # no resamples of larger studies, whose intervals would be points


@dataclass(frozen=True, eq=False)
class Context:
    """One report: the study, the options, and results computed once."""

    study: Study  # whose agreement is reported: people, where people and models answered
    everyone: Study | None = None  # with the models, where they stand aside
    title: str = "Agreement report"
    benchmark: str | None = None  # the scale of words, or a target; None is what each measure usually has
    date: str = ""  # of the study, as its maker says it
    by: str | None = None
    options: dict[str, Any] = field(default_factory=dict)  # weights, level
    show_text: bool = True
    anonymised: bool = False
    source: str = ""
    command: str = ""
    fingerprint: str = ""  # of the annotations, before anybody's name was hidden
    prefix: str = ""  # of the anchors: those of a variable among several begin with its number
    variable: Label | None = None  # the one that the context is about, of several
    whole: Context | None = None  # of which that is a part
    address: Address | None = None  # of the items behind what is drawn, where there are pages of items
    query: ItemQuery = ALL_ITEMS  # which items the context is about, of a larger study

    @cached_property
    def parts(self) -> tuple[Context, ...]:
        """A context for each variable, where there are several."""
        return tuple(
            replace(
                self,
                study=part,
                everyone=self.with_models.tasks[name],
                by=None,
                prefix=f"v{place}-",
                variable=name,
                whole=self,
            )
            for place, (name, part) in enumerate(self.study.tasks.items(), start=1)
        )

    @property
    def with_models(self) -> Study:
        """Everybody who answered."""
        return self.everyone or self.study

    @cached_property
    def measurements(self) -> Measurements:
        """Every coefficient that fits."""
        return measure(self.with_models, by=self.by, **self.options)

    @property
    def main(self) -> Agreement:
        """The recommended coefficient."""
        return self.measurements.recommended

    @property
    def agreement(self) -> Agreement:
        """The recommended coefficient among annotators that compares answers one by one.

        Where the first judges suggestions, Fleiss' kappa; where it is of variances, alpha.
        """
        if self.main.entry.role is not None:
            return self.measured(fleiss_kappa) or self.main
        return self.main if self.main.entry.by_answers else self.measured(krippendorff_alpha) or self.main

    def measured(self, measure: Callable[..., Agreement]) -> Agreement | None:
        """What a measure gives, where it is among those that fit."""
        return next((result for result in self.measurements if result.entry.function is measure), None)

    @property
    def target(self) -> Benchmark:
        """What the value should be above: that of the findings and of the verdict alike."""
        return BENCHMARKS[self.benchmark if self.benchmark in TARGETS else "standard"]

    @property
    def several(self) -> bool:
        """Does the study hold several variables?"""
        return bool(self.study.tasks)

    @property
    def named(self) -> bool:
        """Does the study say who answered?"""
        parts = self.study.tasks.values() if self.several else [self.study]
        return any(part._annotations.named for part in parts)

    def behind(self, **what: Any) -> str:
        """The address of the items of which something is so; empty where there are no pages of items."""
        if self.address is None:
            return ""
        variable = "" if self.variable is None else str(self.variable)
        return self.address(self.query.with_more(ItemQuery(**{"variable": variable, **what})))

    def all_behind(self, of_each: Iterable[Mapping[str, Any] | None]) -> list[str]:
        """`behind` of each that has items behind it; none at all where there are no pages of items."""
        return [] if self.address is None else ["" if what is None else self.behind(**what) for what in of_each]

    # -- what several sections tell ------------------------------------------------------------------------------------

    @cached_property
    def findings(self) -> Findings:
        """What the coefficient hides; of all variables."""
        if self.whole is not None:
            return self.whole.findings
        found = explain(self.with_models, target=self.target.name, **self.options)
        return found if self.show_text else found.without_texts()

    @cached_property
    def contested(self) -> Contested | None:
        """The items with the least agreement; None where items cannot be compared."""
        if self.several or self.refusal is not None or self.study.kind in (*LOCATED, "ranking"):
            return None
        if self.agreement.coefficient is None:
            return None
        return most_contested(self.agreement, ITEMS_SHOWN if self.study._annotations.lists_items else 0)

    @cached_property
    def refusal(self) -> str | None:
        """Why no coefficient fits, of a variable among others; where it is the study, that is an error."""
        if self.whole is None:
            return None
        try:
            self.measurements  # noqa: B018 - kept for those who ask
        except AccordError as problem:
            return str(problem)
        return None

    @cached_property
    def gold(self) -> Gold | None:
        """The majority's labels or spans (for sets Bhowmick's expert index), where the answers are labels or spans."""
        if not self.has_gold:
            return None
        return gold(self.study, method="expert-index" if self.study.kind == "set" else "majority")

    @cached_property
    def has_gold(self) -> bool:
        """Are there answers that a first gold can be made of?"""
        study = self.study
        if self.several or study.kind not in ("single", "set", "spans") or not study.tally().pairable.any():
            return False
        if not study._annotations.tells_items:
            return False
        return study.kind != "set" or study._annotations.named

    @cached_property
    def missing(self) -> tuple[int, int] | None:
        """Of all pairs of an item and an annotator, how many have no answer; None where that cannot be counted."""
        if self.several or not self.named:
            return None
        tally = self.study._tally_of_people()
        possible = tally.n_items * self.study.n_annotators
        return None if possible < tally.n_answers else (possible - tally.n_answers, possible)

    @cached_property
    def crowd(self) -> bool:
        """Did each of many people answer a part only, so that few answered any one item? Then nothing is missing."""
        if self.missing is None or not self.missing[0]:
            return False
        _, most = self.study.describe().answers_per_item
        return self.study.n_annotators >= CROWD and most * 2 <= self.study.n_annotators

    @cached_property
    def participants(self) -> Participants | None:
        """Who is a person and who a model, where the study says and has both."""
        everyone = self.with_models
        if self.several or not everyone._annotations.named or not everyone.models or not everyone.people:
            return None
        from accord.judge.participants import participants_of

        return participants_of(everyone)

    @cached_property
    def model_verdict(self) -> Verdict | None:
        """May each model stand in for a person? Where the study has both, and each answered an item once."""
        everyone = self.with_models
        if self.participants is None or everyone.kind != "single" or everyone._annotations.repeated:
            return None
        from accord.judge.verdicts import verdict

        models = list(self.participants.models)[:MODELS_SHOWN]
        return verdict(everyone, models=models, n_resamples=N_RESAMPLES if everyone.n_items <= MANY_ITEMS else 0)

    # -- texts ---------------------------------------------------------------------------------------------------------

    @cached_property
    def text_column(self) -> str | None:
        """The column with the items' texts: the study's own, or one that plainly holds them."""
        return text_column(self.study) if self.show_text and not self.several else None

    @property
    def shows_texts(self) -> bool:
        """Are there texts of items, and may they be shown?"""
        return self.text_column is not None or any(part.text_column is not None for part in self.parts)

    def texts(self, items: Sequence[int]) -> list[str]:
        """The texts of some items, by their positions; the first that the table gives for each."""
        assert self.text_column is not None
        return texts_of(self.study, self.text_column, items)


@dataclass(frozen=True)
class Section:
    """One part of the page: its anchor, its heading, its body as HTML, and the same in Markdown."""

    key: str
    title: str
    html: str
    markdown: str = ""
