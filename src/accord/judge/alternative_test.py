"""The alternative annotator test: is a model as close to the other people as each person is, within a margin?"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, TypeAlias, Unpack, get_args

import numpy as np
import numpy.typing as npt

from accord.agreement.inference.intervals import from_resamples
from accord.agreement.inference.multiple_testing import benjamini_yekutieli
from accord.agreement.inference.resampling import Report
from accord.agreement.inference.wald import no_interval
from accord.agreement.table import Table
from accord.agreement.uncertainty import Interval
from accord.annotations.arrays import BoolArray, FloatArray, IntArray, divide
from accord.errors import Message, OptionError, PeopleNames
from accord.judge.alt_test_result import PASSES, AltTest, AltTests
from accord.judge.closeness import ABSENT, Closeness, people_of
from accord.judge.estimates import clusters_of
from accord.judge.noninferiority import mean_and_spread, t_test, tango_test, wilcoxon_test
from accord.judge.participants import Participants, Unparsable, participants_of
from accord.judge.scales import ScaleNote, compared_as_names, undeclared_scale, usual_closeness
from accord.options import MOST_RESAMPLES, Progress, Rng, check_choice, check_confidence, check_whole, reporter, seeded
from accord.study.study_of_input import PlainRoles

PairedTest: TypeAlias = Literal["t", "tango", "wilcoxon"]
FEW = 30  # items below which Tango's test replaces the t-test
LEAST_PEOPLE = 3
CELLS_AT_ONCE = 8_000_000  # how often each unit is drawn, in memory at a time
COUNTS_AT_ONCE = 300_000  # of people on resamples, of which tests make a dozen tables each
MANY_UNITS = 20_000  # units from which on they are drawn in groups
GROUPS = 5_000
CURVE = tuple(step / 100 for step in range(51))  # the margins of the ω(ε) curve
WILCOXON = (
    "Wilcoxon's test, published for fewer than 30 items, rejects 7 to 94 % of the time at the null boundary where 5 % "
    "is meant: the winning rate is too high. Tango's test keeps its level."
)


@dataclass(frozen=True)
class AltTestOptions:
    """The options of a test, checked."""

    epsilon: float
    q: float
    test: PairedTest
    least: int  # items that a person needs to be counted
    n_resamples: int
    confidence: float


def alt_test(
    study: Any,
    /,
    *,
    model: str | None = None,
    epsilon: float = 0.1,
    closeness: Closeness | None = None,
    test: PairedTest = "t",
    q: float = 0.05,
    people: Sequence[str] | None = None,
    least_items: int = 1,
    n_resamples: int = 1000,
    unparsable: Unparsable = "missing",
    confidence: float = 0.95,
    rng: Rng = 0,
    progress: Progress = None,
    labels: Sequence[Any] | None = None,
    **roles: Unpack[PlainRoles],
) -> AltTest:
    """Can the model stand in for an annotator? The alternative annotator test of Calderon, Reichart and Dror.

    Leave out one person j at a time. On each item, score the model and the person against the other people's answers;
    whoever is at least as close wins, both on a tie. With d = [person wins] − [model wins], H0: mean d ≥ ε is tested
    against "less" by a one-sided t-test, and Benjamini–Yekutieli corrects over the people. The winning rate ω is the
    share of people whose H0 is rejected; the model passes where ω ≥ 0.5. The advantage probability ρ is the mean over
    people of the share of items that the model wins; models are ranked by it.

    Beside what is published: a row for each person; ω for every margin; Tango's score test for each person, which
    replaces the t-test below 30 items and where the differences have no variance (there the published test has p = 0
    and passes whatever ε is); and intervals of ω and ρ from items drawn again.

    Args:
        study: A `Study` of people and models, or what one is made of, with its keywords.
        model: The model; needed where the study has several.
        epsilon: The margin: what a model may be worse and still be worth its lower cost. Published advice: 0.2 for
            experts, 0.15 for skilled annotators, 0.1 for crowds.
        closeness: How close an answer is to the others': "accuracy" (the share who gave the same), "ordinal" (the mean
            of 1 − distance / range, for numbers or labels in a declared order), "rmse" (minus the root mean squared
            distance), a table of answers × answers, or a function of two answers; higher is closer. Without it
            what fits the level of the study: "ordinal" for ordinal labels, "rmse" for scores, interval and ratio, else
            "accuracy". Where labels look like a scale and nobody said so, the notes tell whether it matters.
        test: "t" (published), "tango", or "wilcoxon" (published for few items, and wrong: see the notes).
        q: The level of the Benjamini–Yekutieli procedure.
        people: Who the people are; by default everybody who is neither a model nor an adjudicator.
        least_items: People with fewer items than this are left out (the reference implementation: 30).
        n_resamples: Resamples of items for the intervals; 0 for none.
        unparsable: Unparsable, refused and failed answers are "missing", or count as a "label".
        confidence: Of the intervals.
        rng: A seed or a Generator.
        progress: True, or a function of (done, total).
        labels: The scale, in order for closeness="ordinal".
        **roles: The keywords of `Study`.

    Returns:
        An `AltTest`: `omega` and `rho` with intervals, `passes`, a row per person in `annotators`, and ω by margin in
        `curve`; NaN with the reason in `undefined` where there is no test.

    Raises:
        InputError: If `data` cannot be a study, or a named person or model is not in it.
        MeasureError: If there are fewer than three people, or no model.
        OptionError: If an option has a value that it cannot take.

    Items without the model's answer or with fewer than two people's are left out. Fewer than three people are refused.
    Do not trust ω alone: it moves with ε and is 0 for few items. Self-consistency and bias are other questions.

    References: calderon2025, tango1998, benjamini2001.

    >>> from accord import Study
    >>> people = {"ana": list("aabbab" * 6), "ben": list("aabbaa" * 6), "chloe": list("abbbab" * 6)}
    >>> study = Study.from_wide({**people, "gpt": list("aabbab" * 6)})
    >>> found = alt_test(study, model="gpt", n_resamples=0)
    >>> found.omega, round(found.rho, 3), found.passes
    (1.0, 1.0, True)
    """
    options = _checked(epsilon, q, test, least_items, n_resamples, confidence)
    participants = participants_of(study, model=model, people=people, unparsable=unparsable, labels=labels, **roles)
    name = participants.one_model("The alternative annotator test")
    return _tested(participants, [name], closeness, options, rng, progress)[0]


def alt_tests(
    study: Any,
    /,
    *,
    models: Sequence[str] | None = None,
    epsilon: float = 0.1,
    closeness: Closeness | None = None,
    test: PairedTest = "t",
    q: float = 0.05,
    people: Sequence[str] | None = None,
    least_items: int = 1,
    n_resamples: int = 1000,
    unparsable: Unparsable = "missing",
    confidence: float = 0.95,
    rng: Rng = 0,
    progress: Progress = None,
    labels: Sequence[Any] | None = None,
    **roles: Unpack[PlainRoles],
) -> AltTests:
    """The alternative annotator test for every model of the study (or for `models`), ranked by ρ.

    Every model is tested by itself: the correction is over people, as published, and not over models; the more models
    are tried, the likelier one of them passes by chance. The resamples of items are the same for all.

    Args:
        study: A `Study` of people and models, or what one is made of, with its keywords.
        models: Which models; by default all of the study's `kind` role.
        epsilon: The margin: what a model may be worse and still be worth its lower cost. Published advice: 0.2 for
            experts, 0.15 for skilled annotators, 0.1 for crowds.
        closeness: How close an answer is to the others': "accuracy" (the share who gave the same), "ordinal" (the mean
            of 1 − distance / range, for numbers or labels in a declared order), "rmse" (minus the root mean squared
            distance), a table of answers × answers, or a function of two answers; higher is closer. Without it
            what fits the level of the study: "ordinal" for ordinal labels, "rmse" for scores, interval and ratio, else
            "accuracy". Where labels look like a scale and nobody said so, the notes tell whether it matters.
        test: "t" (published), "tango", or "wilcoxon" (published for few items, and wrong: see the notes).
        q: The level of the Benjamini–Yekutieli procedure.
        people: Who the people are; by default everybody who is neither a model nor an adjudicator.
        least_items: People with fewer items than this are left out (the reference implementation: 30).
        n_resamples: Resamples of items for the intervals; 0 for none.
        unparsable: Unparsable, refused and failed answers are "missing", or count as a "label".
        confidence: Of the intervals.
        rng: A seed or a Generator.
        progress: True, or a function of (done, total).
        labels: The scale, in order for closeness="ordinal".
        **roles: The keywords of `Study`.

    Returns:
        `AltTests`: an `AltTest` per model, by name; `to_table()` has one row per model, the highest advantage first.

    Raises:
        InputError: If `data` cannot be a study, or a named person or model is not in it.
        MeasureError: If there are fewer than three people, or no model.
        OptionError: If an option has a value that it cannot take.

    >>> from accord import Study
    >>> people = {"ana": list("aabbab" * 6), "ben": list("aabbaa" * 6), "chloe": list("abbbab" * 6)}
    >>> study = Study.from_wide({**people, "gpt": list("aabbab" * 6), "coin": list("ababab" * 6)})
    >>> found = alt_tests(study, models=["gpt", "coin"], n_resamples=0)
    >>> [(row["model"], row["omega"], round(row["rho"], 3)) for row in found.to_table()]
    [('gpt', 1.0, 1.0), ('coin', 0.0, 0.833)]
    """
    options = _checked(epsilon, q, test, least_items, n_resamples, confidence)
    participants = participants_of(study, models=models, people=people, unparsable=unparsable, labels=labels, **roles)
    participants.need_models("The alternative annotator test")
    return AltTests(tuple(_tested(participants, participants.models, closeness, options, rng, progress)))


def _checked(epsilon: Any, q: Any, test: str, least: int, n_resamples: int, confidence: float) -> AltTestOptions:
    if isinstance(epsilon, bool) or not isinstance(epsilon, int | float) or not 0 <= epsilon < 1:
        raise OptionError.must("epsilon", "be a margin from 0 up to 1, for example 0.1", epsilon)
    if isinstance(q, bool) or not isinstance(q, int | float) or not 0 < q < 1:
        raise OptionError.must("q", "lie between 0 and 1, for example 0.05", q)
    check_choice("test", test, get_args(PairedTest))
    check_whole("least_items", least, 1)
    check_whole("n_resamples", n_resamples, 0, most=MOST_RESAMPLES)
    check_confidence(confidence)
    return AltTestOptions(float(epsilon), float(q), test, least, n_resamples, confidence)  # type: ignore[arg-type]


def _tested(
    participants: Participants,
    models: Sequence[str],
    closeness_given: Closeness | None,
    options: AltTestOptions,
    rng: Rng,
    progress: Progress,
) -> list[AltTest]:
    participants.need_people(LEAST_PEOPLE, "The alternative annotator test")
    study = participants.study
    closeness: Closeness = usual_closeness(study) if closeness_given is None else closeness_given
    people = people_of(participants, closeness)
    found = [people.differences(participants.column(name)) for name in models]
    looks = undeclared_scale(study) if closeness_given is None else None
    scaled = None if looks is None else people_of(participants, usual_closeness(study, looks.level))
    drawn = [Drawn.no_resample()] * len(models)
    seed: int | None = None
    if options.n_resamples:
        generator, seed = seeded(rng)
        report = reporter(progress, "resamples")
        drawn = resampled_rates(found, clusters_of(participants.study), options, generator, report)
    tested = [
        _result(participants, name, wins, resampled, closeness, options, seed)
        for name, wins, resampled in zip(models, found, drawn, strict=True)
    ]
    if looks is None or scaled is None:
        return tested
    others = [counts_of(scaled.differences(participants.column(name))) for name in models]
    return [
        replace(one, notes=(*one.notes, compared_as_names(looks), *_as_scale(one, counts, options)))
        for one, counts in zip(tested, others, strict=True)
    ]


def _as_scale(names: AltTest, counts: FloatArray, options: AltTestOptions) -> Iterator[str]:
    """What the verdict would be if the labels were a scale, where it would be another."""
    omega = float(winning_rate(counts, options, options.epsilon))
    if not names.undefined and (omega >= PASSES) != names.passes:
        passes = "would pass" if omega >= PASSES else "would not pass"
        yield ScaleNote(f"As a scale, {names.model} {passes}: ω = {omega:.2f} instead of {names.omega:.2f}.")


def counts_of(differences: Any) -> FloatArray:
    """(people, 3) items, items that the person alone wins, items that the model alone wins."""
    return np.stack(
        [(differences != ABSENT).sum(0), (differences == 1).sum(0), (differences == -1).sum(0)], axis=1
    ).astype(np.float64)


def chosen_p(counts: FloatArray, options: AltTestOptions, epsilon: float) -> tuple[FloatArray, BoolArray]:
    """(…, people) the p that decides, NaN for people without items, and whether Tango's stands in for the t-test."""
    items, lost, won = counts[..., 0], counts[..., 1], counts[..., 2]
    _, tango = tango_test(items, lost, won, epsilon)
    stands_in = np.zeros(items.shape, dtype=np.bool_)
    if options.test == "tango":
        p = tango
    elif options.test == "wilcoxon":
        _, p = wilcoxon_test(items, lost, won, epsilon)
    elif (items < FEW).all():
        p, stands_in = tango, ~stands_in
    else:
        _, p = t_test(items, lost, won, epsilon)
        stands_in = (items < FEW) | np.isnan(p)
        p = np.where(stands_in, tango, p)
    return np.where(items >= options.least, p, np.nan), stands_in & (items >= options.least)


def winning_rate(counts: FloatArray, options: AltTestOptions, epsilon: float) -> FloatArray:
    """ω: the share of people whose hypothesis is rejected."""
    p, _ = chosen_p(counts, options, epsilon)
    return divide(benjamini_yekutieli(p, options.q).sum(-1), np.isfinite(p).sum(-1))


def advantage(counts: FloatArray, least: int) -> FloatArray:
    """ρ: the mean over people of the share of items that the model wins or ties."""
    present = counts[..., 0] >= least
    share = 1 - divide(counts[..., 1], counts[..., 0])
    return divide(np.where(present, share, 0.0).sum(-1), present.sum(-1))


def _result(
    participants: Participants,
    name: str,
    wins: Any,
    drawn: Drawn,
    closeness: Closeness,
    options: AltTestOptions,
    seed: int | None,
) -> AltTest:
    counts = counts_of(wins)
    p, stands_in = chosen_p(counts, options, options.epsilon)
    used = np.isfinite(p)
    undefined = None if used.any() else "No item has an answer of the model and of two people."
    omega = float(winning_rate(counts, options, options.epsilon))
    rho = float(advantage(counts, options.least))
    spans = [_interval(values, options, seed) for values in (drawn.omega, drawn.rho)]
    curve = np.array([float(winning_rate(counts, options, margin)) for margin in CURVE])
    return AltTest(
        model=name, epsilon=options.epsilon, omega=omega, rho=rho, omega_interval=spans[0], rho_interval=spans[1],
        closeness=_called(closeness), test=options.test, q=options.q, items=int((wins != ABSENT).any(1).sum()),
        annotators=_by_person(participants.people, counts, p, stands_in, options), failed=participants.failed(name),
        curve=Table(f"Winning rate of {name} by margin", {"epsilon": np.array(CURVE), "omega": curve}),
        undefined=undefined, notes=_notes(participants, name, counts, stands_in, options),
    )  # fmt: skip


def _interval(values: FloatArray, options: AltTestOptions, seed: int | None) -> Interval:
    if not len(values):
        return no_interval("No resamples were drawn: n_resamples is 0.", options.confidence, "bootstrap")
    return from_resamples(values, options.confidence, seed)


def _by_person(
    people: Sequence[str], counts: FloatArray, p: FloatArray, stands_in: BoolArray, options: AltTestOptions
) -> Table:
    items, lost, won = counts.T
    mean, spread = mean_and_spread(items, lost, won)
    t, by_t = t_test(items, lost, won, options.epsilon)
    z, by_tango = tango_test(items, lost, won, options.epsilon)
    decided = [
        ("tango" if swapped else options.test) if math.isfinite(one) else ""
        for one, swapped in zip(p, stands_in, strict=True)
    ]
    return Table(
        "The model in each person's place",
        {
            "annotator": list(people),
            "items": items.astype(np.int64),
            "person_wins": lost.astype(np.int64),
            "model_wins": won.astype(np.int64),
            "advantage": 1 - divide(lost, items),
            "difference": mean,
            "sd": spread,
            "t": t,
            "p_t": by_t,
            "z_tango": z,
            "p_tango": by_tango,
            "decided_by": decided,
            "p": p,
            "rejected": benjamini_yekutieli(p, options.q),
        },
        ("Wins are those of one alone; the other items are ties, which both win.",),
    )


def _notes(
    participants: Participants, name: str, counts: FloatArray, stands_in: BoolArray, options: AltTestOptions
) -> tuple[str, ...]:
    notes = list(participants.notes([name]))
    items = counts[:, 0]
    flat = (items >= options.least) & (items > 1) & ~(mean_and_spread(*counts.T)[1] > 0)
    if options.test == "wilcoxon":
        notes.append(WILCOXON)
    few = stands_in & (items < FEW)
    if few.any():
        who = "One person" if few.sum() == 1 else f"{int(few.sum()):,} people"
        notes.append(f"{who} answered fewer than {FEW} items: Tango's test decides there.")
    if flat.any() and options.test == "t":
        whom = PeopleNames([participants.people[place] for place in np.nonzero(flat)[0]])
        passing = "" if counts[flat, 1].any() else " and would pass whatever the margin"
        why = f" all differences are equal, so a t-test has no variance to go by{passing}; Tango's test decides there."
        notes.append(Message("Against ", whom, why))
    if (items < options.least).any():
        whom = PeopleNames([participants.people[place] for place in np.nonzero(items < options.least)[0]])
        notes.append(Message("Too few items to be counted: ", whom, "."))
    if len(participants.people) - int((items < options.least).sum()) < LEAST_PEOPLE:
        notes.append("Fewer than three people are left, and the test is made for three or more.")
    return tuple(notes)


def _called(closeness: Closeness) -> str:
    if isinstance(closeness, str):
        return closeness
    return getattr(closeness, "__name__", "custom") if callable(closeness) else "custom table"


@dataclass(frozen=True, eq=False)
class Drawn:
    """ω and ρ on each resample."""

    omega: FloatArray
    rho: FloatArray

    @classmethod
    def no_resample(cls) -> Drawn:
        """Where none is drawn."""
        return cls(np.empty(0), np.empty(0))

    def put(self, which: slice, counts: FloatArray, options: AltTestOptions) -> None:
        """Those of some resamples, from (resamples, people, 3) counts."""
        self.omega[which] = winning_rate(counts, options, options.epsilon)
        self.rho[which] = advantage(counts, options.least)


def resampled_rates(
    found: Sequence[npt.NDArray[np.int8]],
    cluster: IntArray | None,
    options: AltTestOptions,
    rng: np.random.Generator,
    report: Report,
) -> list[Drawn]:
    """For each model its rates on resamples, the same ones for all; counts are kept for some resamples at a time.

    Items on which nobody can be compared with any model are not drawn. More than 20,000 items are first put into 5,000
    groups at random, and the groups are drawn: items are independent, so the spread is the same up to 1 %.
    """
    usable = np.zeros(len(found[0]), dtype=np.bool_)
    for wins in found:
        usable |= (wins != ABSENT).any(1)
    rows = np.nonzero(usable)[0]
    people, n_resamples = found[0].shape[1], options.n_resamples
    rates = [Drawn(np.empty(n_resamples), np.empty(n_resamples)) for _ in found]
    if not len(rows):
        for one in rates:
            one.put(slice(None), np.zeros((1, people, 3)), options)
        return rates
    unit = np.arange(len(rows)) if cluster is None else np.unique(cluster[rows], return_inverse=True)[1]
    number = int(unit.max()) + 1
    if number > MANY_UNITS:
        unit, number = (rng.permutation(number) % GROUPS)[unit], GROUPS
    totals = [_per_unit(wins[rows], unit, number) for wins in found]
    step = max(1, min(CELLS_AT_ONCE // number, COUNTS_AT_ONCE // (3 * people)))
    for first in range(0, n_resamples, step):
        last = min(first + step, n_resamples)
        drawn = np.empty((last - first, number), dtype=np.float32)  # whole numbers far below 2²⁴: exact
        for row in drawn:
            row[:] = np.bincount(rng.integers(number, size=number), minlength=number)
        for total, one in zip(totals, rates, strict=True):
            counts = (drawn @ total).reshape(last - first, people, 3).astype(np.float64)
            one.put(slice(first, last), counts, options)
        report(last, n_resamples)
    return rates


def _per_unit(wins: npt.NDArray[np.int8], unit: IntArray, number: int) -> npt.NDArray[np.float32]:
    """(units, people × 3) items, person's wins and model's wins of each unit."""
    people = wins.shape[1]
    place = unit[:, None] * people + np.arange(people)
    parts = [np.bincount(place[part], minlength=number * people) for part in (wins != ABSENT, wins == 1, wins == -1)]
    return np.stack(parts, axis=1).reshape(number, people * 3).astype(np.float32)
