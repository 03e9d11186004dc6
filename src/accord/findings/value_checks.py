"""The value: is it high enough, is it below chance, and what do the chance models say when they stand side by side?"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Unpack

import numpy as np

from accord.agreement.inference.informative_items import analytic_interval
from accord.agreement.interpretation import digits, spread
from accord.agreement.table import Table
from accord.agreement.uncertainty import Interval
from accord.annotations.answers import LOCATED, answers_called
from accord.coefficients import chance
from accord.coefficients.chance import Chance, Each, Own
from accord.coefficients.coefficient import Tabular
from accord.coefficients.mixed_weights import identity_for
from accord.findings.below_chance import is_negative, p_below_chance
from accord.findings.finding import Clue, Evidence, Finding, NotLookedAt
from accord.findings.label_texts import shown
from accord.findings.study_view import View, view_of
from accord.study.study_of_input import Roles

BEYOND_CHANCE = (
    0.01  # how seldom answers dealt out anew may match as little, where annotators are set against each other
)
CLEARLY = 0.05  # how far below zero such a value is at least
HARDLY = 0.01  # a difference between coefficients that is not worth a word
MOST_CELLS = 5_000_000  # annotators × labels, beyond which own marginals are not put side by side unasked
ASSUMES = {
    "own": "each annotator has marginals of their own",
    "pooled": "all annotators have the same marginals",
    "uniform": "every label of the scale is equally likely",
    "hesitant": "only uncertain answers match by chance",
    "without-replacement": "two different answers are drawn from all that were given",
}


@dataclass(frozen=True)
class ChanceModelValue:
    """A chance model, and what the coefficient is under it."""

    name: str
    title: str
    observed: float
    expected: float
    value: float
    interval: Interval


def look(view: View) -> Iterator[Clue]:
    """The level of agreement, and what the chance models say about bias and prevalence."""
    if view.main.undefined:
        return
    yield from _level(view)
    if view.study.kind in (*LOCATED, "ranking"):
        return
    if not view.single:
        yield NotLookedAt(
            "chance models side by side",
            f"They are for one label per answer; these are {answers_called(view.study.kind)}.",
        )
    elif len(view.study.labels) >= 2:
        yield _side_by_side(view)


# -- is it high enough? -----------------------------------------------------------------------------------------------


def _level(view: View) -> Iterator[Finding]:
    """Below the target for sure, or not shown to reach it; below zero."""
    main, span = view.reported, view.interval
    value = f"{main.title} is {digits(main, view.target)} ({spread(main, target=view.target)})"
    known = view.has_interval
    evidence = (Evidence(main.title, main.value, span if known else None), Evidence("target", view.target))
    if is_negative(view):
        yield _below_zero(view, value, evidence)
    if view.below_target:
        yield Finding(
            "low-agreement", "warning",
            f"{value}: even the upper end of the interval{_exactly(span.high, view.target)} is below the target of "
            f"{view.target:z.2f}.",
            "Look at the other findings for the cause before annotating more: sharpen the guidelines where labels are "
            "confused, train where somebody differs. Lower the target only for a task that is subjective by nature, "
            "and say so.",
            evidence, sources=("zhao2025", "krippendorff1980"), weight=1.0,
        )  # fmt: skip
    elif main.value <= view.target or (known and span.low < view.target) or span.undefined:
        side = "below" if main.value <= view.target else "above"
        yield Finding(
            "target-not-shown", "note",
            f"{value}: it lies {side} the target of {view.target:.2f}, and these items do not settle on which side the "
            f"true value is.{_why_no_interval(view)}",
            "Annotate more items with two or more annotators each before you say that it is reached or missed.",
            evidence, sources=("zhao2025",), weight=0.5,
        )  # fmt: skip


def _why_no_interval(view: View) -> str:
    """Why there is no interval to hold against the target, where there is none."""
    return "" if view.has_interval or not view.interval.undefined else f" {view.interval.undefined}"


def _exactly(limit: float, target: float) -> str:
    """The limit with more digits, where two would make it look like the target."""
    return f", {limit:.4f}," if f"{limit:z.2f}" == f"{target:z.2f}" else ""


def _below_zero(view: View, value: str, evidence: tuple[Evidence, ...]) -> Finding:
    """A negative value is an answer: kappa is not bounded below by zero, whatever Di Eugenio (2000) says.

    It is a warning only where the same answers, dealt out over the items anew, hardly ever match so seldom.
    """
    p = p_below_chance(view)
    sure = p < BEYOND_CHANCE and view.reported.value <= -CLEARLY
    meaning, remedy = (_below_of_scores if view.study.kind == "score" else _below_of_labels)(sure)
    seldom = Evidence("how often the same answers, dealt out anew, match as seldom (p)", p)
    return Finding(
        "below-chance", "warning" if sure else "note", f"{value}: {meaning}.", remedy,
        (*evidence, seldom) if math.isfinite(p) else evidence,
        sources=("dieugenio2000", "cohen1960"), weight=0.95,
    )  # fmt: skip


def _below_of_labels(sure: bool) -> tuple[str, str]:
    """What a negative value means, and what to do."""
    if sure:
        return (
            "annotators match less often than chance would, so something sets them against each other: a swapped or "
            "reversed label, a column out of step, or annotators who were given different rules",
            "Check first that rows, items and labels were joined rightly; then compare the annotators' rules on ten "
            "items on which they differ. Report the negative value as it is.",
        )
    return (
        "annotators match no better than chance would; that is no sign that anything sets them against each other",
        "Report the value as it is, with how often each label was given: with one label nearly throughout, or few "
        "items, kappa is at zero whatever annotators do. Look at the items on which they differ.",
    )


def _below_of_scores(sure: bool) -> tuple[str, str]:
    """The same of scores."""
    if sure:
        return (
            "scores of one item lie further apart than scores of different items do, so something sets annotators "
            "against each other: a scale that somebody read the other way round, a column out of step, or levels that "
            "lie far apart",
            "Check first that rows and items were joined rightly and which end of the scale is high; then look at how "
            "each annotator uses the scale (annotators_on_scale). Report the negative value as it is.",
        )
    return (
        "scores of one item lie no closer than scores of different items do; that is no sign that anything sets "
        "annotators against each other",
        "Report the value as it is, with the standard deviation of the scores: where the items hardly differ, or are "
        "few, it is at zero whatever annotators do. Look at how each annotator uses the scale (annotators_on_scale).",
    )


# -- chance models side by side ---------------------------------------------------------------------------------------


def chance_models(
    data: Any, other: Any = None, /, *, labels: Sequence[Any] | None = None, **roles: Unpack[Roles]
) -> Table:
    """One observed agreement under five chance models, the values with their intervals.

    Cohen's (or Conger's) own marginals against Siegel & Castellan's shared one shows annotator bias; the shared one
    against Bennett's S (Brennan & Prediger), for which all labels are equally likely, shows prevalence (Di Eugenio &
    Glass 2004; Byrt et al. 1993). The note says so in a sentence. Alpha is Scott's pi but for a term of 1/(2n), where
    Di Eugenio (2000) takes it for a measure with own marginals.

    Args:
        data: A `Study`, or what one is made of: a table with one row per annotation (a dataframe, a mapping of columns,
            a list of records), a 2-D array of items × annotators, or the first annotator's answers.
        other: The second annotator's answers in the same order, where `data` is the first's.
        labels: The scale: all labels there are, in order, used or not; by default those in the data, sorted.
        **roles: Which columns of a table are which, as in `Study`: item="id", annotator="who", label="tag" …

    Returns:
        A `Table` with one row per chance model: observed, expected, value, low, high; the note says what the
        differences show.

    Raises:
        InputError: If `data` cannot be a study: `ColumnMissing`, `DuplicateAnswers` and `LabelError` are kinds of it.
        MeasureError: If the answers are not single labels.
        OptionError: If an option has a value that it cannot take.

    References: dieugenio2004; byrt1993; dieugenio2000; gwet2008; krippendorff2004.

    >>> from accord import Study
    >>> table = chance_models(Study.from_confusion([[80, 10], [5, 5]]))  # Feinstein & Cicchetti 1990
    >>> [(row["coefficient"], round(row["value"], 2)) for row in table][:3]
    [("Cohen's kappa", 0.32), ('Siegel & Castellan', 0.31), ("Bennett's S", 0.7)]
    """
    view = view_of(data, other, labels, roles)
    return as_table(view, models(view))


def as_table(view: View, found: list[ChanceModelValue]) -> Table:
    """One row per chance model; the note tells what the differences mean."""
    return Table(
        "Chance models side by side",
        {
            "coefficient": [model.title for model in found],
            "chance_model": [ASSUMES[model.name] for model in found],
            "observed": np.array([model.observed for model in found]),
            "expected": np.array([model.expected for model in found]),
            "value": np.array([model.value for model in found]),
            "low": np.array([model.interval.low for model in found]),
            "high": np.array([model.interval.high for model in found]),
        },
        (sentence(view, found),),
    )


def models(view: View) -> list[ChanceModelValue]:
    """Every chance model that fits the data."""
    size, tally = len(view.tally.answers), view.tally_of_people()
    assert tally is not None
    found = []
    own = _own(view)
    if own is not None:
        found.append(own)
    rows: tuple[tuple[str, Chance, Each], ...] = (
        ("Siegel & Castellan", chance.Pooled(), "item"),
        ("Bennett's S", chance.Uniform(size), "item"),
        ("Gwet's AC1", chance.Hesitant(size), "item"),
        ("Krippendorff's alpha", chance.WithoutReplacement(), "answer"),
    )
    for title, model, each in rows:
        found.append(_model(view, title, Tabular(tally, identity_for(tally.answers), model, each)))
    return found


def _own(view: View) -> ChanceModelValue | None:
    """Cohen's for two annotators, on the items both answered; Conger's for more."""
    tally = view.tally_of_people(named=True)
    if tally is None or view.study.n_annotators < 2 or len(tally.annotators) * len(tally.answers) > MOST_CELLS:
        return None
    two = view.study.n_annotators == 2
    tally = tally.where(tally.pairable) if two else tally
    size = len(tally.answers)
    title = "Cohen's kappa" if two else "Conger's kappa"
    return _model(view, title, Tabular(tally, identity_for(tally.answers), Own(len(tally.annotators), size)))


def _model(view: View, title: str, coefficient: Tabular) -> ChanceModelValue:
    parts = coefficient.parts
    value = float(parts.value)
    span = analytic_interval(coefficient, view.units_of(coefficient.tally))
    return ChanceModelValue(coefficient.chance.name, title, float(parts.observed), float(parts.expected), value, span)


def sentence(view: View, found: list[ChanceModelValue]) -> str:
    """What the differences between the models say about annotator bias and prevalence."""
    by_name = {model.name: model for model in found}
    own, pooled, even = by_name.get("own"), by_name["pooled"], by_name["uniform"]
    if not math.isfinite(pooled.value):
        return "All answers are the same label, so that chance would agree as well: only S and AC1 are defined."
    primary = "Of the primary labels alone: " if view.study.kind == "ranked" else ""
    if view.study.kind == "single" and view.main.options.get("level") not in (None, "nominal"):
        primary = "Of the labels as names, without their order: "
    return f"{primary}{_of_bias(view, own, pooled)} {_of_prevalence(view, pooled, even)}"


def _of_bias(view: View, own: ChanceModelValue | None, pooled: ChanceModelValue) -> str:
    """Own marginals against shared ones: chance with own ones is smaller by the differences between them."""
    if own is None:
        return f"What annotator bias adds cannot be told. {view.why_not_named if not view.named else ''}".rstrip()
    gap = own.value - pooled.value
    both = f"{own.title} is {own.value:z.3f} and Siegel & Castellan's {pooled.value:z.3f}"
    if abs(gap) < HARDLY:
        return f"{both}: how differently annotators use the labels hardly changes what chance would give."
    if gap > 0 and view.complete:
        return (
            f"{both}: annotators use the labels differently, which lowers the chance of own marginals and raises the "
            f"first by {gap:z.3f}; that much of it is bias, not merit."
        )
    return (
        f"{both}; annotators did not answer the same items, so the difference of {gap:+z.3f} comes from items as well "
        "as from bias."
    )


def _of_prevalence(view: View, pooled: ChanceModelValue, even: ChanceModelValue) -> str:
    """Even marginals against those in use: chance agreement is the greater, the more one label dominates."""
    gap = even.value - pooled.value
    most = int(np.argmax(view.marginals))
    if gap < HARDLY:
        return f"S, for which all labels are equally likely, is {even.value:z.3f}: prevalence hardly plays a part."
    return (
        f"S, for which all labels are equally likely, is {even.value:z.3f}: prevalence takes {gap:z.3f} from the "
        f"value, for {shown(view.tally.answers.labels[most])} takes {view.marginals[most]:.0%} of the answers and "
        f"chance matches {pooled.expected:.0%} of pairs instead of {even.expected:.0%}."
    )


def _side_by_side(view: View) -> Finding:
    """The sentence, as a note."""
    found = models(view)
    table = as_table(view, found)
    return Finding(
        "chance-models", "note",
        table.notes[0],
        "Report the coefficient with its chance model named, and one with even chance where prevalence matters.",
        tuple(Evidence(model.title, model.value, model.interval) for model in found if math.isfinite(model.value)),
        sources=("dieugenio2000", "dieugenio2004", "byrt1993"), weight=0.1, table=table,
    )  # fmt: skip
