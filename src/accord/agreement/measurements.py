"""Every coefficient of a study that fits it, the recommended one first."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from accord.agreement.result import Agreement
from accord.agreement.table import Table
from accord.errors import MeasureError, OptionError, quoted
from accord.options import Rng, head, html_lines, one_or_listed

if TYPE_CHECKING:
    from accord.agreement.registry import Measure
    from accord.agreement.scale_question import ScaleQuestion
    from accord.agreement.self_agreement_result import SelfAgreement
    from accord.agreement.spelling_question import SpellingQuestion
    from accord.agreement.uncertainty import Method, Resample
    from accord.study.kinds import MeasuredPeople


@dataclass(frozen=True, eq=False)
class Measurements(Sequence[Agreement]):
    """Every coefficient that fits a study, the recommended one first.

    Attributes:
        results: An `Agreement` for each; `found[0]` and `found["fleiss_kappa"]` choose one.
        reason: Why the first one is recommended.
        left_out: The measures that do not fit, and why.
        measured_people: Whose answers were measured, and who was set aside: models beside people.
        with_models: Where people alone were measured, the recommended coefficient with models in it, by who is.
        questions: What only the user knows: whether labels that look like a scale are one. A `ScaleQuestion` for each
            such variable, with the value for a scale, which is the second row, and the value for names.
        spellings: The same of labels that differ in case or blanks only: a `SpellingQuestion` for each variable that
            has some, with the value for one label each.
        with_oneself: How far annotators agree with themselves, a `SelfAgreement`, where some answered items more than
            once: such answers do not count in any coefficient here.
        costly: The names of measures that fit and were left out because they would take longer than all the others;
            `left_out` has the price of each.

    >>> import accord
    >>> study = accord.datasets.load("five-annotators")
    >>> found = accord.measure(study)
    >>> found.recommended.title, len(found), found["fleiss_kappa"].title
    ("Krippendorff's alpha", 7, "Fleiss' kappa")
    >>> print(found.reason)
    5 annotators, and not every item has an answer from each: alpha is made for gaps.
    >>> round(float(found.to_table(confidence=0.9)["low"][0]), 3)
    0.524
    >>> print(found.sentence(what="sentiment").partition(". ")[0])
    Five annotators gave 253 answers to 60 items for sentiment
    >>> found.in_words_beside(), found.oneself_in_words()
    ([], [])
    >>> type(found.plot()).__name__
    'LayerChart'
    """

    results: tuple[Agreement, ...]
    reason: str  # why the first one is recommended
    left_out: Mapping[str, str] = field(default_factory=dict)  # measures that do not fit, and why
    measured_people: MeasuredPeople | None = None
    with_models: Mapping[str, Agreement] = field(default_factory=dict)
    questions: tuple[ScaleQuestion, ...] = ()
    spellings: tuple[SpellingQuestion, ...] = ()
    with_oneself: SelfAgreement | None = None
    costly: tuple[str, ...] = ()  # names of those left out that would take longer than all the others

    @property
    def recommended(self) -> Agreement:
        """The one to report."""
        return self.results[0]

    @property
    def measurable(self) -> bool:
        """Has any coefficient a value, or may a group or a variable have one?"""
        best = self.recommended
        return best.by is not None or bool(best.study.tasks) or not all(result.undefined for result in self.results)

    @property
    def advice(self) -> str:
        """What is recommended and why, in words; of variables that differ in kind, for each its own."""
        best = self.recommended
        if best.recipe.best_of_variables is not None:
            return f"Recommended: {self.reason[:1].lower()}{self.reason[1:]}"
        if not self.measurable:
            why = best.undefined if best.study.tally().n_compared else self.reason
            return f"No agreement can be measured. {why}"
        if self.open:
            of = ", ".join(dict.fromkeys(str(one.variable) for one in self.open if one.variable is not None))
            return f"Which one to report depends on what the labels{f' of {of}' if of else ''} are."
        return f"Recommended: {best.title}. {self.reason}"

    def sentence(self, *, benchmark: str | None = None, what: str | None = None) -> str:
        """The reporting sentence of the recommended coefficient, with the other value where a question is open.

        Args:
            benchmark: The scale that gives the word; see `Agreement.interpret`.
            what: What was annotated, to be named in the sentence: "sentiment".

        Returns:
            The sentence of `Agreement.sentence`, and one more for each question that the only variable leaves open, or
            where labels were suggested: how far annotators agree among themselves, and how far on what was suggested.

        Raises:
            OptionError: If there is no such benchmark.
        """
        from accord.agreement.paper_sentence import of_suggestions

        first = self.recommended.sentence(benchmark=benchmark, what=what)
        doubts = [one.beside for one in self.open if one.variable is None]
        return " ".join([first, *doubts, *of_suggestions(self)])

    @property
    def open(self) -> tuple[ScaleQuestion | SpellingQuestion, ...]:
        """All that only the user knows; until it is said, no value is the one to report."""
        return (*self.spellings, *self.questions)

    @property
    def question(self) -> ScaleQuestion | None:
        """Are the labels a scale? None where that is not in doubt; of several variables, the first in doubt."""
        return self.questions[0] if self.questions else None

    def __len__(self) -> int:
        return len(self.results)

    def __float__(self) -> float:
        return self.recommended.value

    def __getitem__(self, place: Any) -> Any:
        """By place, or by the name of the measure."""
        if isinstance(place, str):
            beside = [question.scale for question in self.questions]
            found = {result.measure: result for result in reversed(self.results) if result not in beside}
            if place in self.left_out:
                raise MeasureError(quoted(place), " is not among the measures of this study: ", self.left_out[place])
            if place not in found:
                raise OptionError.choice("The name of a measure", place, found)
            return found[place]
        return self.results[place]

    def plot(self) -> Any:
        """Every coefficient with its interval as an Altair chart; the recommended one is the diamond.

        Returns:
            An `altair.Chart`.

        Raises:
            ExtraMissing: If Altair is not installed.
        """
        from accord.agreement import charts
        from accord.agreement.chart_drawing import in_notebook

        title = "Coefficients with 95% intervals; the diamond is the recommended one"
        return in_notebook(charts.of_results(self.results, title))

    def only(self, names: str | Sequence[str], **options: Any) -> Measurements:
        """Some of the coefficients, in this order; the first is then the one to report.

        Args:
            names: The name of a measure, such as "fleiss_kappa", or several.
            **options: Keywords of these measures, such as `match` of `span_f1`: each is given to those that have it.

        Returns:
            New `Measurements`, whose `reason` says that they were asked for.

        Raises:
            MeasureError: If one of them does not fit the study; it says why.
            OptionError: If there is no such measure, or none of them has an option that is given.

        >>> from accord import measure
        >>> found = measure(["a", "b", "b", "a"], ["a", "b", "a", "a"])
        >>> [result.measure for result in found.only(["gwet_ac", "scott_pi"])]
        ['gwet_ac', 'scott_pi']
        """
        from accord.agreement.registry import check_taken, measure_called

        rule = "name one measure or more, such as 'fleiss_kappa'"
        entries = list(dict.fromkeys(measure_called(name) for name in one_or_listed("measures", names, rule)))
        if not entries:
            raise OptionError.must("measures", rule, names)
        check_taken(entries, options)
        found = (self._called_with(one, options) for one in entries)
        chosen = tuple(one.recipe.as_named(one) for one in found)
        return replace(self, results=chosen, reason="It was asked for.")

    def _called_with(self, entry: Measure, options: Mapping[str, Any]) -> Agreement:
        """A measure as it was found; anew with options of its own, or if it was left to who asks for it."""
        own = {name: value for name, value in options.items() if entry.takes(name)}
        left = entry.left_to_callers and entry.name in self.left_out
        if not own and not left:
            return self[entry.name]  # type: ignore[no-any-return]
        first = self.recommended
        entry.check(first.study)
        usual = entry.usual_options(first.study, None, None)
        if entry.name not in self.left_out:
            found = self[entry.name].options
            usual = {name: found.get(name) for name in usual}  # weights and level, as they were said
        return entry.of(first.study, by=first.by, **{**usual, **own})

    def to_table(
        self,
        *,
        confidence: float = 0.95,
        simultaneous: bool = False,
        method: Method | None = None,
        resample: Resample = "items",
        rng: Rng = 0,
    ) -> Table:
        """One row per coefficient (and group).

        Args:
            confidence: The confidence of the intervals.
            simultaneous: Whether the intervals of all groups or variables are to hold together with this confidence.
            method: How they are found, as in `Agreement.interval`.
            resample: What might have been otherwise, as in `Agreement.interval`.
            rng: A seed or a Generator, where something is drawn.

        Returns:
            A `Table`: coefficient, measure, level, weights, value, maximum, low, high, se, observed, expected, items
            (with two answers or more), annotators, undefined. It prints without what the title says already: `measure`
            (the name of the function), `level` and `weights`; and `maximum` only where it is not 1.

        Raises:
            OptionError: If `confidence` does not lie between 0 and 1, or `simultaneous=True` and there are no groups.
        """
        from accord.agreement.coefficient_table import as_table

        return as_table(
            self, confidence=confidence, simultaneous=simultaneous, method=method, resample=resample, rng=rng
        )

    def __str__(self) -> str:
        words = [self.advice, *map(str, self.open), *self.in_words_beside()]
        return "\n".join([*([str(self.to_table())] if self.measurable else []), *words])

    def in_words_beside(self) -> list[str]:
        """Who was measured and who was not, with the value of those who were set aside; agreement with oneself; what
        was left out for its price.

        Nothing where everybody was measured, nobody answered an item twice and nothing takes long.
        """
        last = [*self.oneself_in_words(), *(self.left_out[name] for name in self.costly)]
        note = "" if self.measured_people is None else self.measured_people.note
        if not note:
            return last
        values = [f"{who}: {one.title} {one.value:z.3f}" for who, one in self.with_models.items() if not one.undefined]
        return [" ".join([note, *([f"Beside them, {'; '.join(values)}."] if values else [])]), *last]

    def oneself_in_words(self) -> list[str]:
        """How far annotators agree with themselves; nothing where nobody answered an item twice."""
        return [] if self.with_oneself is None else [f"{self.with_oneself}."]

    __repr__ = __str__

    def _repr_html_(self) -> str:
        best = self.recommended
        grouped = best.by is not None or bool(best.study.tasks)
        value = [] if grouped or not self.measurable else [str(best)]
        words = "\n".join([*value, self.advice, *map(str, self.open), *self.in_words_beside()])
        return html_lines(words) + (self.to_table()._repr_html_() if self.measurable else "")

    def to_dict(self) -> dict[str, Any]:
        """For JSON."""
        return {
            **head("measurements"),
            "study": self.recommended.study.describe().to_dict(),
            "recommended": self.recommended.measure,
            "reason": self.reason,
            "advice": self.advice,
            "questions": [question.to_dict() for question in self.questions],
            "spellings": [question.to_dict() for question in self.spellings],
            "results": [result.to_dict() for result in self.results],
            "left_out": dict(self.left_out),
            "measured_people": None if self.measured_people is None else self.measured_people.to_dict(),
            "with_models": [{"who": who, **result.to_dict()} for who, result in self.with_models.items()],
            "with_oneself": None if self.with_oneself is None else self.with_oneself.to_dict(),
        }
