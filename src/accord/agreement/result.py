"""What comes back: an Agreement, and what it answers when asked more. Frozen, printable, serialisable."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from accord.agreement.registry import MEASURES, Measure
from accord.errors import counted, in_python, json_value
from accord.options import Progress, Rng, Shown, head, html_lines

if TYPE_CHECKING:
    from accord.agreement.interpretation import Interpretation
    from accord.agreement.recipe import Recipe
    from accord.agreement.table import Table
    from accord.agreement.uncertainty import Alternative, Interval, Method, Resample, Test
    from accord.coefficients.measurable import Measurable
    from accord.study.study import Study

WRITTEN = {"masi": "MASI", "jaccard": "Jaccard", "dice": "Dice"}  # weights that are names
PEOPLE_ALONE = in_python("accord.measure(study)", "`accord measure`")


@dataclass(frozen=True, eq=False, repr=False)
class Agreement(Shown):
    """One coefficient, what it was made of, and enough to ask it more.

    Attributes:
        measure: The name of the measure, such as "fleiss_kappa".
        value: The coefficient; NaN where it is undefined.
        observed: The agreement that was seen.
        expected: The agreement that chance would give.
        n_items: How many items count: those with answers of two people or more.
        n_annotators: How many annotators answered anything.
        n_answers: How many answers count; of somebody who answered an item more than once, one.
        undefined: Why there is no value; None if there is one.
        options: The options that it was measured with.
        notes: What one should know of how it was made.
        study: The study.
        coefficient: The coefficient as the measures compute it; None where there is nothing to compare.
        recipe: What makes the coefficient of any part of the study.
        by: The column that makes groups, if any.

    >>> import accord
    >>> study = accord.Study.from_wide([list("aab"), list("bbb"), list("aaa"), list("bab"), list("ccc")])
    >>> kappa = accord.fleiss_kappa(study)
    >>> print(kappa)
    Fleiss' kappa 0.583, 95% interval [-0.277, 0.898] (observed 0.733, expected 0.360; 5 items, 3 annotators)
    >>> round(kappa.value, 3), round(kappa.observed, 3), kappa.n_items
    (0.583, 0.733, 5)
    >>> f"{kappa:.2f}", float(kappa) == kappa.value
    ('0.58', True)
    """

    measure: str
    value: float
    observed: float
    expected: float
    n_items: int
    n_annotators: int
    n_answers: int
    undefined: str | None = None
    options: Mapping[str, Any] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    study: Study = field(repr=False, kw_only=True)
    coefficient: Measurable | None = field(default=None, repr=False, kw_only=True)
    recipe: Recipe = field(repr=False, kw_only=True)
    by: str | None = field(default=None, kw_only=True)

    def __getstate__(self) -> dict[str, Any]:
        """What goes to another process: all but the coefficient, which is made again of the study."""
        held = {one.name: getattr(self, one.name) for one in fields(self)}
        return {**held, "coefficient": self.coefficient is not None}

    def __setstate__(self, state: dict[str, Any]) -> None:
        from accord.agreement.build import coefficient_of

        made = coefficient_of(state["recipe"], state["study"]) if state["coefficient"] else None
        self.__dict__.update({**state, "coefficient": made})

    def __float__(self) -> float:
        return self.value

    def __round__(self, digits: int | None = None) -> float:
        return round(self.value, digits)

    def __lt__(self, other: object) -> bool:
        return self.value < _number(other)

    def __gt__(self, other: object) -> bool:
        return self.value > _number(other)

    def __le__(self, other: object) -> bool:
        return self.value <= _number(other)

    def __ge__(self, other: object) -> bool:
        return self.value >= _number(other)

    def __format__(self, spec: str) -> str:
        return format(self.value, spec) if spec else str(self)

    def __str__(self) -> str:
        if self.by is not None or self.study.tasks:
            return str(self.by_group())
        if self.undefined:
            return f"{self.title}: undefined. {self.undefined}"
        low, high = self.interval()
        span = "" if math.isnan(low) else f", 95% interval [{low:z.3f}, {high:z.3f}]"
        most = f" of at most {self.maximum:z.3f}" if self.maximum < 1 else ""
        parts = (
            f"observed {self.observed:z.3f}, expected {self.expected:z.3f}; " if math.isfinite(self.observed) else ""
        )
        return f"{self.title} {self.value:z.3f}{most}{span} ({parts}{counted(self.n_items, 'items')}, {self._who()})"

    def _who(self) -> str:
        """How many answered; people and models apart where both did, and what measures people alone."""
        study = self.study
        if not study._annotations.named or not (study.models and study.people):
            return counted(self.n_annotators, "annotators")
        people = "1 person" if len(study.people) == 1 else f"{len(study.people):,} people"
        kinds = {"models": study.models, "adjudicators": study.adjudicators, "others": study.others}
        *first, last = [people, *(counted(len(names), what) for what, names in kinds.items() if names)]
        alone = f"; {PEOPLE_ALONE} measures people" if len(study.people) > 1 else ""
        return f"{', '.join(first)} and {last}{alone}"

    @property
    def title(self) -> str:
        """The measure's name as one writes it, with its level or weights."""
        level, weights = (_called(self.options.get(name)) for name in ("level", "weights"))
        if weights in ("ordinal", "ratio", "circular"):
            weights += " weights"  # Gwet's tables, not Krippendorff's levels of the same name
        extra = [option for option in (level, weights) if option not in ("", "nominal", "identity")]
        of_what = None if self.coefficient is None else self.coefficient.of_what
        return self.entry.titled(", ".join([*extra, *([of_what] if of_what else [])]) or None)

    @property
    def maximum(self) -> float:
        """What perfect agreement would be with these answers: 1 as a rule, less where equal answers do not agree fully.

        NaN where nobody knows, where there is no value, and of a measure that is not 1 at best.
        """
        if self.coefficient is None or self.entry.high != 1:
            return math.nan
        return float(self.coefficient.maximum)

    @cached_property
    def entry(self) -> Measure:
        """What is known of the measure: its row of the registry."""
        return MEASURES[self.measure]

    # -- how sure ---------------------------------------------------------------------------------------------------

    def interval(
        self,
        *,
        confidence: float = 0.95,
        method: Method | None = None,
        n_resamples: int = 1000,
        cluster: str | None = None,
        resample: Resample = "items",
        population: int | None = None,
        rng: Rng = None,
        progress: Progress = None,
    ) -> Interval:
        """Where the value may lie, given that other items, annotators, or both might have been drawn.

        Args:
            confidence: How often such an interval should hold the true value.
            method: "analytic" (linearised, the default), "gwet" (the published form, with the number of items that
                have two answers taken as given), "jackknife", "bootstrap" (percentiles), "bca", "bayesian" (the
                Bayesian bootstrap), or "model-based" (what the model of an intraclass correlation says, the default
                there: exact by F where it can be, else by the likelihood).
            n_resamples: How many resamples, for the last three.
            cluster: A column that says which items belong together; without it the study's own `cluster` role.
            resample: What might have been otherwise: "items", "annotators" or "both".
            population: The number of items in all, where the annotated ones are a random part of them.
            rng: A seed or a Generator; by default the seed 0. The interval keeps it.
            progress: True, or a function of (done, total).

        Returns:
            An `Interval`, which unpacks into low and high, with `se`, `method` and `seed`; NaN with the reason in
            `undefined` where there is none.

        Raises:
            InputError: If the table has no column `cluster`, or there is no table.
            MeasureError: If annotators are to be resampled and nobody is named.
            OptionError: If an option has a value that it cannot take, or one that does not go with another.

        >>> from accord import Study, cohen_kappa
        >>> kappa = cohen_kappa(Study.from_confusion([[20, 5], [10, 15]]))
        >>> print(kappa.interval())
        [0.142, 0.658] (95%, analytic)
        >>> low, high = kappa.interval(method="bootstrap", n_resamples=200, rng=1)
        """
        from accord.agreement.inference.intervals import interval

        if _is_usual(confidence, n_resamples, resample, method, cluster, population, rng, progress):
            return self._usual_interval
        return interval(self, confidence, method, n_resamples, cluster, resample, population, rng, progress)

    @cached_property
    def _usual_interval(self) -> Interval:
        """Where nothing else is asked for; a sentence has it five times."""
        from accord.agreement.inference.intervals import interval

        return interval(self, 0.95, None, 1000, None, "items", None, None, None)

    def test(
        self,
        *,
        null: float = 0.0,
        alternative: Alternative = "two-sided",
        method: Literal["null-error", "analytic", "gwet", "jackknife", "permutation", "chi-square", "f", "exact"]
        | None = None,
        n_resamples: int = 1000,
        rng: Rng = None,
        progress: Progress = None,
    ) -> Test:
        """How surprising the value would be if the true one were `null`.

        Against zero the error is that of annotators who answer independently of the items ("null-error"): the spread
        that the value has over all shuffles of the answers, known without a shuffle. The error at the estimate is far
        too small there if one label is common. Against any other number it is the error at the estimate, with Student's
        t. For AC1, Brennan and Prediger's kappa and percent agreement zero is not what independent annotators have, and
        `note` says what it is.

        Args:
            null: The value under the null hypothesis; shuffled answers are only against 0.
            alternative: "two-sided", "greater" (is the value above `null`?) or "less".
            method: "null-error" (the default against 0), "analytic", "gwet" or "jackknife" (standard errors at the
                estimate; "analytic" is the default against other numbers), or "permutation" (answers dealt out anew
                among items; two-sided p-values are twice the smaller tail). Of rankings "permutation" (the default)
                puts the options of every list in any order; Kendall's W has "chi-square" (Friedman's), "f" and "exact".
            n_resamples: How many permutations; without "permutation" fewer, or none, where each takes long, and `note`
                says so.
            rng: A seed or a NumPy Generator; by default the seed 0. The result keeps it.
            progress: True for a line on the error stream, or a function of (done, total).

        Returns:
            A `Test` with `p`, `statistic`, `method` and `note`; NaN with the reason in `undefined` where the value is
            undefined.

        Raises:
            OptionError: If an option has a value that it cannot take, or one that does not go with another.

        >>> from accord import Study, cohen_kappa
        >>> kappa = cohen_kappa(Study.from_confusion([[20, 5], [10, 15]]))
        >>> print(kappa.test())
        p = 0.0103 (against chance, null-error)
        >>> print(kappa.test(null=0.2, alternative="greater"))
        p = 0.0654 (above 0.2, analytic)
        """
        from accord.agreement.inference.hypothesis_tests import test

        return test(self, null, alternative, method, n_resamples, rng, progress)

    # -- where from ---------------------------------------------------------------------------------------------------

    def by_item(self) -> Table:
        """Each item's answers, observed agreement, value against the study's chance, and weight in the coefficient.

        Returns:
            A `Table` with one row per item that counts: item, answers, observed, value, weight.

        Raises:
            MeasureError: If items stay in an engine and are not known one by one.

        >>> import accord
        >>> study = accord.Study.from_wide([list("aab"), list("bbb"), list("aaa"), list("bab"), list("ccc")])
        >>> print(accord.fleiss_kappa(study).by_item().head(2))
        Fleiss' kappa by item
        item  answers  observed  value   weight
        0     3        0.333     -0.042  0.200
        1     3        1.000     1.000   0.200
        """
        from accord.agreement.breakdowns import by_item

        return by_item(self)

    def by_label(self, *, chance: Literal["pooled", "own"] | None = None) -> Table:
        """Agreement on each label against the rest.

        Kappas pool the annotators' marginals (Fleiss's form) unless `chance="own"` asks for Cohen's; the other measures
        keep the chance model they have. Where ranked answers are divided between their labels (weights "shared-mass" or
        "overlap", as Rosenberg–Binkowski's), so they are here, p to the primary label, and the measure keeps its own
        chance model: the mean of the labels' values, weighted by 1 − expected, is then the value.

        Args:
            chance: The chance model of kappas: "pooled" or "own" marginals; None is "pooled", and the measure's own for
                divided answers.

        Returns:
            A `Table` with one row per label: label, answers, share, observed, expected, value, low, high.

        Raises:
            MeasureError: If the answers are scores, if the measure is not made of answers that are the same or not (an
                intraclass correlation, a distance), or if `chance="own"` and nobody is named.
            OptionError: If there is no such chance model.

        >>> import accord
        >>> study = accord.Study.from_wide([list("aab"), list("bbb"), list("aaa"), list("bab"), list("ccc")])
        >>> print(accord.fleiss_kappa(study).by_label())
        Fleiss' kappa by label: each against the rest
        label  answers  share  observed  expected  value  low     high
        a      6        0.400  0.733     0.520     0.444  -0.702  0.864
        b      6        0.400  0.733     0.520     0.444  -0.702  0.864
        c      3        0.200  1.000     0.680     1.000  -0.408  1.000
        Chance model: pooled.
        """
        from accord.agreement.breakdowns import by_label

        return by_label(self, chance)

    def by_annotator(self) -> Table:
        """Each annotator with the others: over the pairs of answers that hold one of theirs.

        Returns:
            A `Table` with one row per annotator: annotator, answers, observed, expected, value, low, high.

        Raises:
            MeasureError: If nobody is named.

        >>> import accord
        >>> study = accord.datasets.load("five-annotators")
        >>> print(accord.krippendorff_alpha(study).by_annotator().sorted("value").head(2))
        Krippendorff's alpha by annotator: each with the others
        annotator  answers  observed  expected  value  low    high
        ewa        54       0.662     0.254     0.547  0.415  0.679
        dario      37       0.691     0.254     0.586  0.439  0.734
        """
        from accord.agreement.breakdowns import by_annotator

        return by_annotator(self)

    def by_pair(self) -> Table:
        """The coefficient of each pair of annotators, on the items both answered.

        Returns:
            A `Table` with one row per pair who have an item in common: first, second, items, observed, expected, value,
            se.

        Raises:
            MeasureError: If nobody is named.

        >>> import accord
        >>> study = accord.Study.from_wide([list("aab"), list("bbb"), list("aaa"), list("bab"), list("ccc")])
        >>> print(accord.fleiss_kappa(study).by_pair())
        Fleiss' kappa by pair of annotators, on the items both answered
        first  second  items  observed  expected  value  se
        1      2       5      0.800     0.380     0.677  0.333
        1      3       5      0.800     0.380     0.677  0.333
        2      3       5      0.600     0.360     0.375  0.421
        """
        from accord.agreement.breakdowns import by_pair

        return by_pair(self)

    def by_group(
        self,
        *,
        confidence: float = 0.95,
        simultaneous: bool = False,
        method: Method | None = None,
        resample: Resample = "items",
        rng: Rng = 0,
    ) -> Table:
        """One row for each group of `by=`, or for each variable of the study; the notes tell whether they differ.

        The test of all groups at once is Welch's F where they have different items, Hotelling's where they share some,
        with degrees of freedom that count only items that move a value; or the surest difference of two, corrected for
        the number of pairs, where that is surer. Groups without an error are left out and named.

        Args:
            confidence: The confidence of the intervals.
            simultaneous: Whether all intervals are to hold together with this confidence (Šidák): the ones to look at
                where many groups are shown and the extreme ones catch the eye.
            method: How they are found, as in `interval`.
            resample: What might have been otherwise, as in `interval`.
            rng: A seed or a Generator, where something is drawn.

        Returns:
            A `Table` with one row per group or variable: value, low, high, observed, expected, items, annotators, note.

        Raises:
            OptionError: If there are no groups: neither `by=` was given to the measure nor `task=` to the study.

        >>> import accord
        >>> study = accord.datasets.load("five-annotators")
        >>> print(accord.krippendorff_alpha(study, by="topic").by_group(confidence=0.9)["value"].round(3).tolist())
        [0.743, 0.491, 0.668, 0.534]
        """
        from accord.agreement.groups import by_group

        return by_group(
            self, confidence=confidence, simultaneous=simultaneous, method=method, resample=resample, rng=rng
        )

    def differences(self, *, confidence: float = 0.95, simultaneous: bool = False) -> Table:
        """Every two groups or variables: the difference, its interval, and p-values corrected for their number.

        Args:
            confidence: The confidence of the intervals.
            simultaneous: Whether all intervals are to hold together with this confidence (Šidák).

        Returns:
            A `Table` with one row per pair of groups: first, second, difference, low, high, p, p_holm, common_items,
            and a note where the two cannot be compared.

        Raises:
            MeasureError: If groups that share items stay in an engine.
            OptionError: If there are no groups.

        >>> import accord
        >>> study = accord.datasets.load("five-annotators")
        >>> print(accord.krippendorff_alpha(study, by="topic").differences().head(2))
        Differences in Krippendorff's alpha between topic
        first  second      difference  low     high   p      p_holm  common_items
        hotel  museum      0.252       -0.037  0.540  0.082  0.493   0
        hotel  restaurant  0.075       -0.220  0.371  0.595  1.000   0
        """
        from accord.agreement.groups import differences

        return differences(self, confidence, simultaneous=simultaneous)

    # -- what it means ------------------------------------------------------------------------------------------------

    def interpret(self, benchmark: str | None = None, *, threshold: float | None = None) -> Interpretation:
        """How good that is, on a scale of the literature: the word of the value, and how far its interval reaches.

        One value has one word, that of its band; how sure that is, the bands of the interval's ends say, and
        `at_least`, the highest band that is reached with a probability of 95 %. Scales are for values that are 0 by
        chance and 1 at best: a coefficient whose `maximum` is below 1 gets no word.

        Args:
            benchmark: "landis-koch", "krippendorff", "krippendorff-1980", "rietveld-van-hout", "grove", "fleiss",
                "altman", "cicchetti", or a target of Zhao's lecture: "objective", "standard", "subjective",
                "highly-subjective". By default Krippendorff's for his alpha, Landis & Koch's for the others.
            threshold: A limit of your own instead. Krippendorff (1980) asks that it follow from what a wrong
                conclusion costs; a rule for that was never published.

        Returns:
            An `Interpretation`, which prints as a sentence, with `word`, `low_word` and `high_word` (of the interval's
            ends), `at_least`, and `probabilities` of each band.

        Raises:
            OptionError: If there is no such benchmark, or the threshold does not lie between −1 and 1.

        >>> from accord import Study, cohen_kappa
        >>> print(cohen_kappa(Study.from_confusion([[20, 5], [10, 15]])).interpret())
        0.400 is “fair” on the scale of Landis & Koch 1977; the interval reaches from “slight” to “substantial”
        """
        from accord.agreement.interpretation import interpret

        return interpret(self, benchmark, threshold)

    def sentence(self, *, benchmark: str | None = None, what: str | None = None) -> str:
        """The reporting sentence of Zhao's lecture, complete with the interval, ready for a paper.

        Args:
            benchmark: The scale that gives the word; see `interpret`. By default that of the measure.
            what: What was annotated, to be named in the sentence: "sentiment".

        Returns:
            Two sentences: annotators, answers and items, with those that cannot agree and what was left out; then the
            coefficient with its level or weights, the interval with its method and over what it is, the word of the
            scale, and observed agreement.

        Raises:
            OptionError: If there is no such benchmark.

        >>> from accord import Study, cohen_kappa
        >>> print(cohen_kappa(Study.from_confusion([[20, 5], [10, 15]])).sentence())  # doctest: +NORMALIZE_WHITESPACE
        Two annotators gave 100 answers to 50 items. Cohen's kappa was 0.400 (95% confidence interval 0.142 to 0.658,
        analytic over items; “fair” on the scale of Landis & Koch 1977, the interval reaches from “slight” to
        “substantial”) with observed agreement of 70.0%.
        """
        from accord.agreement.paper_sentence import sentence

        return sentence(self, benchmark, what)

    # -- in words and files -------------------------------------------------------------------------------------------

    def working(self) -> str:
        """The calculation step by step, with the study's own numbers.

        >>> import accord
        >>> print(accord.cohen_kappa(["a", "b", "a", "b"], ["a", "b", "b", "b"]).working())
        Cohen's kappa, step by step
        4 items, 2 annotators, 8 answers; 4 items have two answers or more.
        <BLANKLINE>
        Step 1: observed agreement
          the two agree on 3 of 4 items: A_o = 3 / 4 = 0.7500
        <BLANKLINE>
        Step 2: agreement expected by chance
          'a': 1 2 times, 2 1 times: 2 × 1 / 4² = 0.1250
          'b': 1 2 times, 2 3 times: 2 × 3 / 4² = 0.3750
          together: A_e = 0.5000
        <BLANKLINE>
        Step 3: the coefficient
          (A_o − A_e) / (1 − A_e) = (0.7500 − 0.5000) / (1 − 0.5000) = 0.5000
        """
        from accord.agreement.worked_steps import working

        return working(self)

    def plot(self) -> Any:
        """The value and its interval as an Altair chart; with groups or variables, one row each.

        Returns:
            An `altair.Chart`.

        Raises:
            ExtraMissing: If Altair is not installed.

        >>> import accord
        >>> study = accord.Study.from_wide([list("aab"), list("bbb"), list("aaa"), list("bab"), list("ccc")])
        >>> type(accord.fleiss_kappa(study).plot()).__name__
        'LayerChart'
        """
        from accord.agreement import charts
        from accord.agreement.chart_drawing import in_notebook

        if self.by is None and not self.study.tasks:
            return in_notebook(charts.of_results([self], self.title))
        table = self.by_group()
        rows = [(str(row[table.columns[0]]), row["value"], row["low"], row["high"]) for row in table]
        return in_notebook(charts.forest(rows, table.title))

    def cite(self) -> str:
        """The sources of the measure, ready for a list of references.

        >>> import accord
        >>> print(accord.cohen_kappa(["a", "b", "a"], ["a", "b", "b"]).cite())
        Cohen, J. (1960). A coefficient of agreement for nominal scales. Educational and Psychological Measurement
        20(1), 37–46.
        Cohen, J. (1968). Weighted kappa: nominal scale agreement with provision for scaled disagreement or partial
        credit. Psychological Bulletin 70(4), 213–220.
        """
        from accord.agreement.references import formatted

        return "\n".join(formatted(key) for key in self.entry.references)

    def to_dict(self) -> dict[str, Any]:
        """The one source for JSON, pages and the command: parts, options, and the default interval.

        >>> import accord
        >>> study = accord.Study.from_wide([list("aab"), list("bbb"), list("aaa"), list("bab"), list("ccc")])
        >>> found = accord.fleiss_kappa(study).to_dict()
        >>> found["schema"], found["measure"], round(found["value"], 3)
        ('accord/1', 'fleiss_kappa', 0.583)
        """
        return {
            **head("agreement"),
            "measure": self.measure,
            "title": self.title,
            "options": {name: json_value(value) for name, value in self.options.items()},
            "value": json_value(self.value),
            "maximum": json_value(self.maximum),
            "observed": json_value(self.observed),
            "expected": json_value(self.expected),
            "items": self.n_items,
            "annotators": self.n_annotators,
            "answers": self.n_answers,
            "interval": self.interval().to_dict(),
            "undefined": self.undefined,
            "notes": list(self.notes),
            "groups": self.by_group().to_dict()["rows"] if self.by is not None or self.study.tasks else None,
        }

    def _repr_html_(self) -> str:
        if self.by is not None or self.study.tasks:
            return self.by_group()._repr_html_()
        return html_lines("\n".join((str(self), *(f"  {note}" for note in self.notes))))


def _number(other: object) -> float:
    """What a value is put beside: a number, or another value."""
    if isinstance(other, int | float | np.number | Agreement):
        return float(other)
    raise TypeError(f"A value is put beside a number, or another value; got {type(other).__name__}.")


def _is_usual(confidence: Any, n_resamples: Any, resample: Any, *others: Any) -> bool:
    """Is nothing asked for but the interval that is printed? What cannot be asked for is refused elsewhere."""
    if any(other is not None for other in others):
        return False
    request = (confidence, n_resamples, resample)
    return tuple(map(type, request)) == (float, int, str) and request == (0.95, 1000, "items")


def _called(option: Any) -> str:
    """A level or weights in a word or two, for a title."""
    if option is None or isinstance(option, str):
        return WRITTEN.get(option or "", option or "")
    return "own weights"
