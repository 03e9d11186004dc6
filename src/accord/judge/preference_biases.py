"""Biases of a model that chooses between two answers: for its own, and for the longer one."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias, Unpack, get_args

import numpy as np

from accord.agreement.inference.wald import interval_around, mean_interval, no_interval
from accord.agreement.uncertainty import Interval
from accord.annotations.arrays import BoolArray, FloatArray
from accord.annotations.preference_words import side_in_words
from accord.coefficients.standard_errors import NORMAL, limits, p_value
from accord.errors import InputError, Keyword, Message, OptionError, all_quoted, at_column, counted, quoted
from accord.judge.logistic import fit_logistic
from accord.judge.participants import Participants, Unparsable, participants_of
from accord.judge.to_json import judgement, span
from accord.options import Shown, check_choice, check_confidence
from accord.study.study import Study
from accord.study.study_of_input import PlainRoles

Lengths: TypeAlias = Literal["difference", "log-ratio"]


@dataclass(frozen=True, eq=False, repr=False)
class SelfPreference(Shown):
    """Does a judge prefer its own answers more than people do?

    Over the pairs in which exactly one answer is the judge's own: `judge_wins` and `people_wins` are the shares of
    these that its own answer wins, by the judge and by people (a tie is half a win); `difference` is the first less
    the second, paired. `opportunity` is P(judge says own | people say own) − P(judge says other | people say other): 0
    for a judge that hears quality alike on both sides. `beyond_rivals` is the difference less that of the other models
    on the same pairs, which tells self-preference from a taste that all models share.

    >>> from accord import Study
    >>> from accord.judge import self_preference
    >>> rows = [
    ...     {"item": item, "annotator": who, "label": label, "one": "gpt", "two": "other"}
    ...     for item in range(8)
    ...     for who, label in (("ana", "12"[item % 2]), ("gpt", "1"))
    ... ]
    >>> found = self_preference(Study(rows), authors=["one", "two"], sides=["1", "2"], model="gpt")
    >>> print(found)
    gpt lets gpt win 100.0% of 8 pairs, people 50.0%: difference +0.500 [0.053, 0.947], p = 0.0331; equal
    opportunity +1.000 [1.000, 1.000]
    """

    judge: str
    own: str
    n_pairs: int
    judge_wins: float
    people_wins: float
    difference: float
    interval: Interval
    p: float
    opportunity: float
    opportunity_interval: Interval
    beyond_rivals: float
    beyond_interval: Interval
    rivals: tuple[str, ...]
    notes: tuple[str, ...] = field(default=())

    def __str__(self) -> str:
        rivals = (
            ""
            if math.isnan(self.beyond_rivals)
            else f"; beyond {counted(len(self.rivals), 'rivals')} {self.beyond_rivals:+z.3f}"
            f"{span(*self.beyond_interval)}"
        )
        equal = (
            "" if math.isnan(self.opportunity)
            else f"; equal opportunity {self.opportunity:+z.3f}{span(*self.opportunity_interval)}"
        )  # fmt: skip
        return (
            f"{self.judge} lets {self.own} win {self.judge_wins:.1%} of {counted(self.n_pairs, 'pairs')}, people "
            f"{self.people_wins:.1%}: difference {self.difference:+z.3f}{span(*self.interval)}, p = {self.p:.3g}"
            f"{equal}{rivals}" + "".join(f"\n{note}" for note in self.notes)
        )

    def to_dict(self) -> dict[str, Any]:
        """For JSON."""
        names = (
            "judge", "own", "n_pairs", "judge_wins", "people_wins", "difference", "interval", "p", "opportunity",
            "opportunity_interval", "beyond_rivals", "beyond_interval", "rivals",
        )  # fmt: skip
        return judgement("self_preference", {name: getattr(self, name) for name in names}, {}, self.notes)


def self_preference(
    data: Any,
    /,
    *,
    authors: Sequence[str],
    sides: Sequence[Any],
    own: str | None = None,
    model: str | None = None,
    people: Sequence[str] | None = None,
    unparsable: Unparsable = "missing",
    confidence: float = 0.95,
    labels: Sequence[Any] | None = None,
    **roles: Unpack[PlainRoles],
) -> SelfPreference:
    """Whether a judge lets its own answers win more often than people do.

    Args:
        data: A `Study` whose items are pairs of answers and whose labels say which one wins.
        authors: The two columns that say who wrote the first and the second answer.
        sides: The labels for the first and for the second answer; any other is a tie.
        own: What the judge is called as an author; by default its name as an annotator.
        model: Which model is the judge; by default the only one.
        people: Who the people are; by default everybody who is no model.
        unparsable: Failed answers are "missing", or count as a "label" (a tie).
        confidence: Of the intervals (t over pairs).
        labels: The scale.
        **roles: The keywords of `Study`.

    Returns:
        A `SelfPreference`: `judge_wins`, `people_wins`, their `difference` with `interval` and `p`, `opportunity`,
        `beyond_rivals`.

    Raises:
        InputError: If `data` cannot be a study, or judge and people have no pair in common.
        MeasureError: If there are no models or too few people, or the answers are of another kind.
        OptionError: If an option has a value that it cannot take.

    >>> from accord import Study
    >>> rows = {"item": [], "annotator": [], "label": [], "one": [], "two": []}
    >>> for item in range(8):
    ...     for who, label in (("ana", "12"[item % 2]), ("gpt", "1")):
    ...         for name, cell in zip(rows, (item, who, label, "gpt", "other")):
    ...             rows[name].append(cell)
    >>> found = self_preference(Study(rows), authors=["one", "two"], sides=["1", "2"], model="gpt")
    >>> found.judge_wins, found.people_wins, found.difference
    (1.0, 0.5, 0.5)
    """
    check_confidence(confidence)
    participants = participants_of(data, model=model, people=people, unparsable=unparsable, labels=labels, **roles)
    judge = participants.one_model("Self-preference")
    participants.need_people(1, "Self-preference")
    name = judge if own is None else own
    side = _own_side(participants.study, authors, name)
    everybody = _rivals(participants, judge, model)
    mine, theirs = _wins(participants, [judge], sides, side), _wins(participants, participants.people, sides, side)
    present = ~np.isnan(mine) & ~np.isnan(theirs)
    if not present.any():
        raise InputError(
            quoted(judge), " and people have no pair in common in which one answer is by ", quoted(name), "."
        )
    gap = (mine - theirs)[present]
    interval = mean_interval(gap, confidence)
    opportunity = _opportunity(mine[present], theirs[present], confidence)
    beyond = (mine - _wins(participants, everybody, sides, side))[present] if everybody else np.empty(0)
    beyond = beyond[~np.isnan(beyond)]
    return SelfPreference(
        judge, name, int(present.sum()), float(mine[present].mean()), float(theirs[present].mean()), float(gap.mean()),
        interval, _p(float(gap.mean()), interval.se, len(gap) - 1), *opportunity,
        float(beyond.mean()) if len(beyond) else math.nan, mean_interval(beyond, confidence), tuple(everybody),
        participants.notes([judge]),
    )  # fmt: skip


def _rivals(participants: Participants, judge: str, model: str | None) -> list[str]:
    """The other models, if the study's kind role tells of any."""
    if model is None or "kind" not in participants.study.roles:
        return []
    return [name for name in participants_of(participants.study).models if name != judge]


def _own_side(study: Study, authors: Sequence[str], own: str) -> FloatArray:
    """(items,) +1 where the first answer alone is the judge's own, −1 where the second alone is, NaN otherwise."""
    if len(authors) != 2 or isinstance(authors, str):
        raise OptionError.must("authors", "name two columns, who wrote the first and the second answer", authors)
    found = []
    for column in authors:
        coded = study._item_column(column, "authors")
        place = coded.values.index(own) if own in coded.values else -2
        found.append(coded.codes == place)
    if not (found[0] | found[1]).any():
        writers = {value for column in authors for value in study._item_column(column, "authors").values}
        raise InputError(
            quoted(own), " wrote none of the answers; the authors are ", all_quoted(sorted(map(str, writers))), "."
        )
    return np.where(found[0] ^ found[1], np.where(found[0], 1.0, -1.0), np.nan)


def sides_of(study: Study, sides: Sequence[Any]) -> FloatArray:
    """(labels,) +1 for the first answer, −1 for the second, 0 for a tie."""
    if len(sides) != 2 or isinstance(sides, str) or sides[0] == sides[1]:
        raise OptionError.must("sides", "name two labels, that the first answer wins and the second", sides)
    if study.compares:  # whose sides were read from the words of the export
        sides = [side_in_words(side) or side for side in sides]
    unknown = [side for side in sides if side not in study.labels]
    if unknown:
        raise OptionError.must("sides", Message("be labels of the study, ", all_quoted(study.labels)), unknown)
    return np.array([1.0 if label == sides[0] else -1.0 if label == sides[1] else 0.0 for label in study.labels])


def lean_of(participants: Participants, names: Sequence[str], sides: Sequence[Any]) -> FloatArray:
    """(items,) the mean of +1 for the first answer and −1 for the second over these annotators, NaN for missing."""
    grid = participants.grid(names)
    value = np.append(sides_of(participants.study, sides), np.nan)[grid]
    present = (grid >= 0).sum(axis=1)
    return np.where(present > 0, np.nansum(value, axis=1) / np.maximum(present, 1), np.nan)


def _wins(participants: Participants, names: Sequence[str], sides: Sequence[Any], side: FloatArray) -> FloatArray:
    """(items,) how far the judge's own answer wins, 0 to 1."""
    return np.asarray((1 + side * lean_of(participants, names, sides)) / 2)


def _opportunity(mine: FloatArray, theirs: FloatArray, confidence: float) -> tuple[float, Interval]:
    """P(judge own | people own) − P(judge other | people other), over pairs on which people are not tied."""
    ours, others = (mine == 1)[theirs > 0.5], (mine == 0)[theirs < 0.5]
    if not len(ours) or not len(others):
        return math.nan, no_interval("People never let one of the two sides win.", confidence, "normal")
    value = float(ours.mean() - others.mean())
    error = math.sqrt(sum(float(part.mean() * (1 - part.mean())) / len(part) for part in (ours, others)))
    return value, interval_around(value, error, df=NORMAL, confidence=confidence, method="normal", ends=(-1.0, 1.0))


def _p(mean: float, error: float, df: int) -> float:
    """Two-sided p of a mean against zero; the same on every pair, it is certain."""
    return float(mean == 0) if error == 0 and df >= 1 else p_value(mean, error, df)


# -- length ------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False, repr=False)
class VerbosityBias(Shown):
    """Does a judge prefer the longer answer, given what people prefer?

    `slope` is the change of the log-odds that the first answer wins when its lead in length grows by one standard
    deviation, people's verdict fixed; `odds_ratio` its exponential: 1 is no bias.

    >>> from accord.judge import verbosity_bias
    >>> rows = [
    ...     {"item": item, "annotator": who, "label": label, "long": 100 - 7 * (item % 5), "short": 70}
    ...     for item in range(20)
    ...     for who, label in (("ana", "12"[item % 2]), ("gpt", "12"[item % 3 == 0]))
    ... ]
    >>> found = verbosity_bias(rows, lengths=["long", "short"], sides=["1", "2"], model="gpt")
    >>> found.n_pairs, round(found.odds_ratio, 2), round(found.p, 2)
    (20, 0.85, 0.74)
    """

    judge: str
    slope: float
    error: float
    odds_ratio: float
    interval: Interval  # of the odds ratio
    p: float  # likelihood ratio
    people_slope: float  # of people's verdict
    first_slope: float  # of standing first: the constant
    spread: float  # one standard deviation of the difference
    n_pairs: int
    undefined: str | None = None
    notes: tuple[str, ...] = field(default=())

    def __str__(self) -> str:
        if self.undefined:
            return f"Verbosity bias of {self.judge}: undefined. {self.undefined}"
        low, high = self.interval
        return (
            f"{self.judge}: an answer that is one standard deviation ({self.spread:.3g}) longer has "
            f"{self.odds_ratio:.2f}{span(low, high, 2)} times the odds to win, given what people say "
            f"(p = {self.p:.3g}, {counted(self.n_pairs, 'pairs')})" + "".join(f"\n{note}" for note in self.notes)
        )

    def to_dict(self) -> dict[str, Any]:
        """For JSON."""
        names = (
            "judge", "slope", "error", "odds_ratio", "interval", "p", "people_slope", "first_slope", "spread",
            "n_pairs", "undefined",
        )  # fmt: skip
        return judgement("verbosity_bias", {name: getattr(self, name) for name in names}, {}, self.notes)


def verbosity_bias(
    data: Any,
    /,
    *,
    lengths: Sequence[str],
    sides: Sequence[Any],
    scale: Lengths = "difference",
    model: str | None = None,
    people: Sequence[str] | None = None,
    unparsable: Unparsable = "missing",
    confidence: float = 0.95,
    labels: Sequence[Any] | None = None,
    **roles: Unpack[PlainRoles],
) -> VerbosityBias:
    """Whether a judge prefers longer answers than people do: logistic regression of its verdict.

    log-odds(first wins) = constant + slope · lead in length (in standard deviations) + slope · people's verdict, where
    people's verdict is the mean of +1 (first), −1 (second) and 0 (tie). Pairs that the judge calls a tie are left out
    and counted. Maximum likelihood by Newton's method; where the data are separated there is no value, and it says so.

    Args:
        data: A `Study` whose items are pairs of answers and whose labels say which one wins.
        lengths: The two columns with the length of the first and of the second answer.
        sides: The labels for the first and for the second answer; any other is a tie.
        scale: The lead as a "difference" of lengths, or a "log-ratio".
        model: Which model is the judge; by default the only one.
        people: Who the people are; by default everybody who is no model.
        unparsable: Failed answers are "missing", or count as a "label" (a tie).
        confidence: Of the interval (Wald's).
        labels: The scale.
        **roles: The keywords of `Study`.

    Returns:
        A `VerbosityBias`: `slope`, `odds_ratio` with `interval` and `p`; NaN with the reason in `undefined` where data
        are separated.

    Raises:
        InputError: If `data` cannot be a study, or a length is no number.
        MeasureError: If there are no models or too few people, or the answers are of another kind.
        OptionError: If an option has a value that it cannot take.

    >>> rows = {"item": [], "annotator": [], "label": [], "long": [], "short": []}
    >>> for item in range(20):
    ...     for who, label in (("ana", "12"[item % 2]), ("gpt", "12"[item % 3 == 0])):
    ...         for name, cell in zip(rows, (item, who, label, 100 - 7 * (item % 5), 70)):
    ...             rows[name].append(cell)
    >>> found = verbosity_bias(rows, lengths=["long", "short"], sides=["1", "2"], model="gpt")
    >>> round(found.odds_ratio, 2), found.n_pairs
    (0.85, 20)
    """
    from scipy.special import gammaincc

    check_confidence(confidence)
    check_choice("scale", scale, get_args(Lengths))
    participants = participants_of(data, model=model, people=people, unparsable=unparsable, labels=labels, **roles)
    judge = participants.one_model("Verbosity bias")
    participants.need_people(1, "Verbosity bias")
    lead = _lead(participants.study, lengths, scale)
    mine, theirs = lean_of(participants, [judge], sides), lean_of(participants, participants.people, sides)
    present: BoolArray = ~(np.isnan(mine) | np.isnan(theirs) | np.isnan(lead))
    ties = int((present & (mine == 0)).sum())
    present &= mine != 0
    spread = float(lead[present].std(ddof=1)) if present.sum() > 1 else math.nan
    scaled = lead[present] / spread if spread > 0 else lead[present]
    won = (mine[present] > 0).astype(np.float64)
    without = np.stack((np.ones(len(won)), theirs[present]), axis=1)
    full, less = fit_logistic(np.column_stack((without, scaled)), won), fit_logistic(without, won)
    slope, error = float(full.slopes[2]), float(full.errors[2])
    low, high = limits(slope, error, df=NORMAL, confidence=confidence)
    gain = max(2 * (full.log_likelihood - less.log_likelihood), 0.0)
    p = float(gammaincc(0.5, gain / 2)) if not math.isnan(slope) and math.isfinite(gain) else math.nan
    notes = (f"{counted(ties, 'ties')} of {judge} left out.",) if ties else ()
    ends = Interval(math.exp(low), math.exp(high), error, confidence, "wald", undefined=full.undefined)
    return VerbosityBias(
        judge, slope, error, math.exp(slope), ends, p, float(full.slopes[1]), float(full.slopes[0]), spread, len(won),
        full.undefined, (*notes, *participants.notes([judge])),
    )  # fmt: skip


def _lead(study: Study, lengths: Sequence[str], scale: Lengths) -> FloatArray:
    """(items,) how much longer the first answer is."""
    if len(lengths) != 2 or isinstance(lengths, str):
        raise OptionError.must("lengths", "name two columns, for the first and the second answer", lengths)
    numbers = []
    for column in lengths:
        coded = study._item_column(column, "lengths")
        wrong = [value for value in coded.values if isinstance(value, str | bool)]
        if wrong:
            raise InputError(
                "Lengths are numbers; the column ", at_column(column), " holds ", all_quoted(wrong, most=3), "."
            )
        values = np.array([*map(float, coded.values), math.nan])
        numbers.append(values[coded.codes])
    if scale == "log-ratio":
        if any((part <= 0).any() for part in numbers):
            raise InputError("A log-ratio needs lengths above 0.", option=Keyword("scale", scale))
        return np.asarray(np.log(numbers[0]) - np.log(numbers[1]))
    return np.asarray(numbers[0] - numbers[1])
