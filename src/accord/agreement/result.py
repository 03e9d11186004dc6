"""What comes back: an Agreement, and what it answers when asked more. Frozen, printable, serialisable."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

import numpy as np

from accord.agreement.table import Table
from accord.coefficients.measurable import Measurable
from accord.errors import MeasureError, OptionError, counted, in_python, percent
from accord.options import Progress, Rng, Shown, head, html_lines, json_value

if TYPE_CHECKING:
    from accord.agreement.interpretation import Interpretation
    from accord.agreement.registry import Measure
    from accord.agreement.scale_question import ScaleQuestion
    from accord.agreement.spelling_question import SpellingQuestion
    from accord.agreement.with_oneself import SelfAgreement
    from accord.study.kinds import Asked
    from accord.study.study import Study

Method: TypeAlias = Literal["analytic", "gwet", "jackknife", "bootstrap", "bca", "bayesian", "model-based"]
WRITTEN = {"masi": "MASI", "jaccard": "Jaccard", "dice": "Dice"}  # weights that are names
Resample: TypeAlias = Literal["items", "annotators", "both"]
Alternative: TypeAlias = Literal["two-sided", "greater", "less"]


@dataclass(frozen=True, repr=False)
class Interval(Shown):
    """Where the value may lie; unpacks into low and high.

    Attributes:
        low: The lower end; NaN where there is no interval.
        high: The upper end.
        se: The standard error; where too few items speak for an interval, it speaks for as few.
        confidence: How often such an interval holds the true value.
        method: How it was found: "analytic", "gwet", "jackknife", "bootstrap", "bca", "bayesian" or "model-based";
            "within-item" of a single item, from what differs inside it.
        resample: What might have been otherwise: "items", "annotators" or "both".
        clusters: How many clusters stood in for items; None without clusters.
        n_resamples: How many resamples; None where there were none.
        undefined_resamples: On how many of them the value is undefined.
        seed: What makes the resamples repeatable.
        undefined: Why there is no interval; None if there is one.
        df: The degrees of freedom of its Student's t: units less one, or fewer where few of them inform the error.
        fisher: Was it taken on Fisher's z scale, because few items inform it?

    >>> import accord
    >>> interval = accord.cohen_kappa(accord.Study.from_confusion([[20, 5], [10, 15]])).interval(confidence=0.9)
    >>> print(interval)
    [0.185, 0.615] (90%, analytic)
    >>> low, high = interval
    >>> round(low, 3), round(high, 3), round(interval.se, 3), interval.method
    (0.185, 0.615, 0.128, 'analytic')
    """

    low: float
    high: float
    se: float
    confidence: float
    method: str
    resample: str = "items"
    clusters: int | None = None  # how many clusters stood in for items
    n_resamples: int | None = None
    undefined_resamples: int = 0
    seed: int | None = None
    undefined: str | None = None
    df: float | None = None
    fisher: bool = False

    def __iter__(self) -> Iterator[float]:
        return iter((self.low, self.high))

    def __getitem__(self, end: int) -> float:
        """The lower end is 0, the upper end 1."""
        return (self.low, self.high)[end]

    def __str__(self) -> str:
        if self.undefined:
            return f"undefined: {self.undefined}"
        return f"[{self.low:z.3f}, {self.high:z.3f}] ({percent(self.confidence)}, {self.method})"

    def to_dict(self) -> dict[str, Any]:
        """For JSON."""
        return {
            "low": json_value(self.low),
            "high": json_value(self.high),
            "se": json_value(self.se),
            "confidence": self.confidence,
            "method": self.method,
            "resample": self.resample,
            "clusters": self.clusters,
            "n_resamples": self.n_resamples,
            "undefined_resamples": self.undefined_resamples,
            "seed": self.seed,
            "undefined": self.undefined,
            "df": None if self.df is None else json_value(self.df),
            "fisher": self.fisher,
        }


@dataclass(frozen=True, repr=False)
class Test(Shown):
    """Is the value different from a given one (by default zero: no better than chance)?

    Attributes:
        p: The p-value.
        statistic: The value less `null`, in standard errors; by permutation the value itself.
        null: The value under the null hypothesis.
        method: "null-error", "analytic", "gwet", "jackknife", "permutation"; of rankings "chi-square", "f" or "exact".
        n_resamples: How many permutations; None where there were none.
        seed: What makes them repeatable.
        undefined: Why there is no test; None if there is one.
        alternative: "two-sided", "greater" or "less": what speaks against the null hypothesis.
        se: The standard error that was used; None by permutation.
        df: The degrees of freedom of Student's t; None for a normal or a permutation.
        note: What was done, or what a value of zero means, where that needs to be said.

    >>> import accord
    >>> kappa = accord.cohen_kappa(accord.Study.from_confusion([[20, 5], [10, 15]]))
    >>> test = kappa.test(null=0.2, alternative="greater")
    >>> print(test)
    p = 0.0654 (above 0.2, analytic)
    >>> round(test.p, 4), round(test.statistic, 2), test.method
    (0.0654, 1.56, 'analytic')
    """

    __test__ = False  # not a test case, whatever pytest thinks of the name

    p: float
    statistic: float
    null: float
    method: str
    n_resamples: int | None = None
    seed: int | None = None
    undefined: str | None = None
    alternative: str = "two-sided"
    se: float | None = None
    df: float | None = None
    note: str | None = None

    def __str__(self) -> str:
        if self.undefined:
            return f"undefined: {self.undefined}"
        words = {"greater": "above", "less": "below"}.get(self.alternative, "against")
        null = f"{self.null:g}" if self.method in ("analytic", "gwet", "jackknife") else "chance"
        note = f". {self.note}" if self.note else ""
        return f"p = {self.p:.3g} ({words} {null}, {self.method}){note}"

    def to_dict(self) -> dict[str, Any]:
        """For JSON."""
        return {name: json_value(value) for name, value in vars(self).items()}


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
    Fleiss' kappa 0.583, 95% interval [-0.127, 0.952] (observed 0.733, expected 0.360; 5 items, 3 annotators)
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
    recipe: Callable[[Study], Measurable] = field(repr=False, kw_only=True)
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

    @property
    def entry(self) -> Measure:
        """What is known of the measure: its row of the registry."""
        from accord.agreement.registry import MEASURES

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
            ColumnMissing: If the table has no column `cluster`.
            MeasureError: If annotators are to be resampled and nobody is named.
            OptionError: If an option has a value that it cannot take, or one that does not go with another.

        >>> from accord import Study, cohen_kappa
        >>> kappa = cohen_kappa(Study.from_confusion([[20, 5], [10, 15]]))
        >>> print(kappa.interval())
        [0.142, 0.658] (95%, analytic)
        >>> low, high = kappa.interval(method="bootstrap", n_resamples=200, rng=1)
        """
        from accord.agreement.inference.intervals import interval

        return interval(self, confidence, method, n_resamples, cluster, resample, population, rng, progress)

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
            n_resamples: How many permutations.
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
            MeasureError: If the answers are scores, or if `chance="own"` and nobody is named.
            OptionError: If there is no such chance model.

        >>> import accord
        >>> study = accord.Study.from_wide([list("aab"), list("bbb"), list("aaa"), list("bab"), list("ccc")])
        >>> print(accord.fleiss_kappa(study).by_label())
        Fleiss' kappa by label: each against the rest
        label  answers  share  observed  expected  value  low     high
        a      6        0.400  0.733     0.520     0.444  -0.503  0.926
        b      6        0.400  0.733     0.520     0.444  -0.503  0.926
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


@dataclass(frozen=True, eq=False)
class Measurements(Sequence[Agreement]):
    """Every coefficient that fits a study, the recommended one first.

    Attributes:
        results: An `Agreement` for each; `found[0]` and `found["fleiss_kappa"]` choose one.
        reason: Why the first one is recommended.
        left_out: The measures that do not fit, and why.
        asked: Whose answers were measured, and who was set aside: models beside people.
        beside: The recommended coefficient of those who were set aside, by who they are.
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
    asked: Asked | None = None
    beside: Mapping[str, Agreement] = field(default_factory=dict)
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
        from accord.agreement.build import best_of_variables

        best = self.recommended
        if best_of_variables(best) is not None:
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
                raise MeasureError(f"{place!r} is not among the measures of this study: {self.left_out[place]}")
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
        from accord.agreement.build import asked_for
        from accord.agreement.registry import check_taken, measure_called

        wanted = dict.fromkeys([names] if isinstance(names, str) else names)
        entries = [measure_called(name) for name in wanted]
        check_taken(entries, options)
        chosen = tuple(asked_for(self._called_with(one, options)) for one in entries)
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
        if self.asked is None or not self.asked.note:
            return last
        values = [f"{who}: {one.title} {one.value:z.3f}" for who, one in self.beside.items() if not one.undefined]
        return [" ".join([self.asked.note, *([f"Beside them, {'; '.join(values)}."] if values else [])]), *last]

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
            "asked": None if self.asked is None else self.asked.to_dict(),
            "beside": [{"who": who, **result.to_dict()} for who, result in self.beside.items()],
            "with_oneself": None if self.with_oneself is None else self.with_oneself.to_dict(),
        }


@dataclass(frozen=True, repr=False)
class Comparison(Shown):
    """Two values side by side: the difference, and how sure it is.

    Attributes:
        first: The value of the first result.
        second: The value of the second.
        difference: The first less the second.
        low: The lower end of its interval.
        high: The upper end.
        se: Its standard error.
        p: The p-value: of no difference, or of what `alternative` asks.
        paired: Whether the two share items.
        common_items: How many.
        confidence: Of the interval.
        method: "analytic" or "bootstrap".
        n_resamples: How many resamples; None where there were none.
        seed: What makes them repeatable.
        undefined: Why they cannot be compared; None if they can.
        measures: Which coefficients the two are.
        pairing: Whether items are the same, and how that is known, in words.
        caveat: Why the difference may not be one of agreement; None where nothing is in the way.
        alternative: What a small p speaks for: "two-sided", "greater", "less", "non-inferior" or "equivalent".
        margin: How much less, or how far apart, does not matter; None where nothing was said.
        df: The degrees of freedom of Student's t, by which a bootstrap's percentiles are widened too.

    >>> import accord
    >>> study = accord.datasets.load("five-annotators")
    >>> found = accord.compare(accord.krippendorff_alpha(study), accord.percent_agreement(study))
    >>> round(found.difference, 3), round(found.low, 3), round(found.high, 3), found.p < 0.001
    (-0.098, -0.127, -0.069, True)
    """

    first: float
    second: float
    difference: float
    low: float
    high: float
    se: float
    p: float
    paired: bool
    common_items: int
    confidence: float
    method: str
    n_resamples: int | None = None
    seed: int | None = None
    undefined: str | None = None
    measures: tuple[str, ...] = ()  # which coefficients the first and the second are
    pairing: str = ""
    caveat: str | None = None
    alternative: str = "two-sided"
    margin: float | None = None
    df: float | None = None

    @property
    def verdict(self) -> str:
        """What is shown, at 5 %, in a sentence."""
        if self.undefined:
            return f"The two cannot be compared. {self.undefined}"
        return f"The first {self.shown} (p = {self.p:.3g})."

    @property
    def shown(self) -> str:
        """The same as what is said of the first: "is shown to be above the second"."""
        claim = {
            "greater": "be above the second",
            "less": "be below the second",
            "non-inferior": f"be at least the second less {self.margin}",
            "equivalent": f"be within {self.margin} of the second",
        }.get(self.alternative, "differ from the second")
        return f"is {'' if self.p < 0.05 else 'not '}shown to {claim}"

    def __str__(self) -> str:
        if self.undefined:
            return f"undefined: {self.undefined}"
        verdict = "" if self.alternative == "two-sided" else f". The first {self.shown}"
        return (
            f"{self.first:z.3f} against {self.second:z.3f}: difference {self.difference:+z.3f} "
            f"[{self.low:+z.3f}, {self.high:+z.3f}], p = {self.p:.3g} ({self.pairing}, {self.method})"
            f"{verdict}{f'. {self.caveat}' if self.caveat else ''}"
        )

    def to_dict(self) -> dict[str, Any]:
        """For JSON."""
        fields = {name: json_value(value) for name, value in vars(self).items()}
        return {**head("comparison"), **fields, "verdict": self.verdict}


def _number(other: object) -> float:
    """What a value is put beside: a number, or another value."""
    if isinstance(other, int | float | np.number | Agreement):
        return float(other)
    raise TypeError(f"A value is put beside a number, or another value; got {type(other).__name__}.")


def _called(option: Any) -> str:
    """A level or weights in a word or two, for a title."""
    if option is None or isinstance(option, str):
        return WRITTEN.get(option or "", option or "")
    return "own weights"
