"""How good is that? Scales of the literature, with the uncertainty of the value taken into account.

A scale gives words to bands of values. Where a source gives no band, there is no word. Bands are open below and closed
above, (0.20, 0.40], but for Krippendorff's and Cicchetti's, which are closed below.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from accord.agreement.result import Agreement
from accord.agreement.table import Table
from accord.annotations.arrays import FloatArray
from accord.errors import OptionError, percent
from accord.options import Shown, head, is_number

SO_GOOD_AS_CERTAIN = 0.995
SURE = 0.95  # the probability with which a band must be reached for its word to be used
CLOSE = 0.02  # an interval narrower than this is told with three digits
NO_SCALE = (
    "Scales of agreement are for chance-corrected coefficients; percent agreement is not one, so none gives it a word."
)


ON_TARGET = "on target"


@dataclass(frozen=True)
class Band:
    """A stretch of values and what a source calls it; no word where the source gives none."""

    low: float
    high: float
    word: str | None


@dataclass(frozen=True)
class Benchmark:
    """A scale: its bands from the lowest to the highest, and where it comes from."""

    name: str
    title: str
    references: tuple[str, ...]
    bands: tuple[Band, ...]
    closed_below: bool = False  # does a limit belong to the band above it?
    zero_above: bool = False  # does 0, if nothing else? Landis & Koch call only what is below 0 poor

    @property
    def is_target(self) -> bool:
        """Is it one limit to be above, and no scale of words?"""
        return self.bands[-1].word == ON_TARGET

    @property
    def named(self) -> str:
        """What follows its word in a sentence."""
        return f" ({self.title})" if self.is_target else f" on the scale of {self.title}"

    def band(self, value: float) -> Band:
        """The band that holds a value; twelve digits count, for 0.6 may come out as 0.6000000000000001."""
        value = round(value, 12)
        for band in self.bands:
            above = self.closed_below or (self.zero_above and band.high == 0)
            if value < band.high or (value == band.high and not above):
                return band
        return self.bands[-1]


def _scale(
    name: str,
    title: str,
    references: tuple[str, ...],
    *parts: tuple[float, str | None],
    closed_below: bool = False,
    zero_above: bool = False,
) -> Benchmark:
    """A scale from the upper limits of its bands."""
    lows = [-math.inf, *(limit for limit, _ in parts[:-1])]
    bands = tuple(Band(low, high, word) for low, (high, word) in zip(lows, parts, strict=True))
    return Benchmark(name, title, references, bands, closed_below, zero_above)


def _target(name: str, limit: float, title: str, references: tuple[str, ...]) -> Benchmark:
    return _scale(name, title, references, (limit, "below the target"), (1.0, ON_TARGET))


BENCHMARKS: dict[str, Benchmark] = {
    scale.name: scale
    for scale in (
        _scale(
            "landis-koch", "Landis & Koch 1977", ("landis1977",),
            (0.0, "poor"), (0.2, "slight"), (0.4, "fair"), (0.6, "moderate"), (0.8, "substantial"),
            (1.0, "almost perfect"), zero_above=True,
        ),
        _scale(
            "krippendorff", "Krippendorff 1980", ("krippendorff1980",),
            (0.67, "to be discounted"), (0.8, "allowing tentative conclusions"), (1.0, "allowing definite conclusions"),
            closed_below=True,
        ),
        _scale(
            "rietveld-van-hout", "Rietveld & van Hout 1993", ("rietveld1993",),
            (0.4, None), (0.6, "moderate"), (0.8, "substantial"), (1.0, None),
        ),
        _scale(
            "grove", "Grove et al. 1981", ("grove1981",),
            (0.5, None), (0.6, "acceptable by the lower threshold"), (1.0, "acceptable"),
        ),
        _scale(
            "fleiss", "Fleiss 1981", ("fleiss1981",),
            (0.4, "poor"), (0.75, "fair to good"), (1.0, "excellent"),
        ),
        _scale(
            "altman", "Altman 1991", ("altman1991",),
            (0.2, "poor"), (0.4, "fair"), (0.6, "moderate"), (0.8, "good"), (1.0, "very good"),
        ),
        _scale(
            "cicchetti", "Cicchetti 1994", ("cicchetti1994",),
            (0.4, "poor"), (0.6, "fair"), (0.75, "good"), (1.0, "excellent"), closed_below=True,
        ),
        _target("objective", 0.8, "Zhao's target for objective tasks, above 0.80", ("zhao2025",)),
        _target("standard", 0.7, "Zhao's target for standard annotation, above 0.70", ("zhao2025",)),
        _target("subjective", 0.5, "Zhao's target for subjective tasks, above 0.50", ("zhao2025",)),
        _target("highly-subjective", 0.4, "Zhao's target for highly subjective tasks, above 0.40", ("zhao2025",)),
    )
}  # fmt: skip


@dataclass(frozen=True, repr=False)
class Interpretation(Shown):
    """What a scale says of a value, and how sure that is."""

    benchmark: Benchmark
    value: float
    word: str | None  # of the highest band that is reached with 95 % probability
    point_word: str | None  # of the band the value itself lies in
    probabilities: tuple[float, ...]  # of each band, lowest first
    reached: float  # the probability of reaching at least the band of `word`
    undefined: str | None = None
    unsure: str | None = None  # why nothing can be said of how sure it is

    def __str__(self) -> str:
        if self.undefined:
            return f"undefined: {self.undefined}"
        point = self.point_word or "given no word"
        return f"{self.value:.3f} is {point}{self.benchmark.named}; {self.in_words}"

    @property
    def in_words(self) -> str:
        """What can be said with 95 % probability."""
        if self.unsure:
            return self.unsure
        if self.word is None:
            return "nothing higher that has a word is shown with 95% probability"
        if self.word == self.benchmark.bands[0].word:
            more = ON_TARGET if self.benchmark.is_target else f"more than {self.word}"
            return f"not shown to be {more}"
        least = "" if self.benchmark.is_target else "at least "
        return f"{least}{self.word} with {self.probability} probability"

    @property
    def probability(self) -> str:
        """The probability of reaching at least the band of `word`, in words."""
        return f"{self.reached:.0%}" if self.reached < SO_GOOD_AS_CERTAIN else "over 99%"

    def table(self) -> Table:
        """The bands and their probabilities."""
        bands = self.benchmark.bands
        return Table(
            self.benchmark.title,
            {
                "above": [band.low if math.isfinite(band.low) else -1.0 for band in bands],
                "up to": [band.high for band in bands],
                "word": [band.word or "(the source gives none)" for band in bands],
                "probability": np.array(self.probabilities),
            },
        )

    def to_dict(self) -> dict[str, Any]:
        """For JSON."""
        return {
            **head("interpretation"),
            "benchmark": self.benchmark.name,
            "word": self.word,
            "point_word": self.point_word,
            "reached": None if math.isnan(self.reached) else self.reached,
            "bands": self.table().to_dict()["rows"],
            "undefined": self.undefined or self.unsure,
        }


def interpret(result: Agreement, benchmark: str, threshold: float | None, cost: float | None = None) -> Interpretation:
    """A result on a scale, or against a threshold of one's own, or one from the cost of a wrong conclusion."""
    scale = _chosen(benchmark, threshold, cost)
    nothing = tuple(math.nan for _ in scale.bands)
    if result.undefined or (not result.entry.chance_corrected and scale.name != "threshold"):
        return Interpretation(scale, result.value, None, None, nothing, math.nan, result.undefined or NO_SCALE)
    point = scale.band(result.value).word
    error = result.interval().se
    if not error > 0:
        return Interpretation(scale, result.value, None, point, nothing, math.nan, unsure=_unsure(result, error))
    chances = _probabilities(scale, result.value, error)
    from_top = np.cumsum(chances[::-1])[::-1]
    place = max((k for k in range(len(chances)) if from_top[k] >= SURE - 1e-12), default=0)
    reached = float(from_top[place])
    return Interpretation(
        scale, result.value, scale.bands[place].word, point, tuple(float(chance) for chance in chances), reached
    )


def _unsure(result: Agreement, error: float) -> str:
    """Why an error that is missing or zero says nothing of other items."""
    if math.isnan(error):
        return "there is no interval, so how sure that is cannot be told"
    tally = result.study.tally()
    items = int(tally.items @ tally.pairable)
    if result.value < 1:
        return "all items look alike, so how sure that is cannot be told"
    hidden = 1 - (1 - SURE) ** (1 / items)  # what a sample without one disagreement still allows
    return f"no item has two different answers; up to {hidden:.1%} of items like these may still have (95% probability)"


def threshold_from_cost(cost: float) -> float:
    """The lowest agreement worth relying on when a wrong conclusion costs so many times what a new annotation does.

    Krippendorff (1980, chapter 12) asks that the standard follow from the cost of wrong conclusions, and gives no rule;
    this is the simplest one. Where an annotator either knows the answer or guesses, the coefficient is the share of
    answers that are known, and 1 − value the share that is chance. Relying on an answer costs (1 − value) · cost on
    average, annotating it anew costs 1: it pays to rely on it from 1 − 1 / cost on. Krippendorff's own 0.67 and 0.80
    are costs of three and five.

    >>> [round(threshold_from_cost(cost), 2) for cost in (2, 3, 5, 20)]
    [0.5, 0.67, 0.8, 0.95]
    """
    if not is_number(cost) or not 1 < cost < math.inf:
        raise OptionError(
            f"cost says how many times as much a wrong conclusion costs as annotating an item anew, more than 1; got "
            f"{cost!r}."
        )
    return 1 - 1 / cost


def _chosen(benchmark: str, threshold: float | None, cost: float | None) -> Benchmark:
    if threshold is not None and cost is not None:
        raise OptionError("Give threshold= or cost=, from which a threshold follows, not both.")
    if cost is not None:
        limit = threshold_from_cost(cost)
        title = f"a threshold of {limit:.3g}, for a wrong conclusion that costs {cost:g} times a new annotation"
        return _target("threshold", limit, title, ("krippendorff1980",))
    if threshold is not None:
        if not is_number(threshold) or not -1 < threshold < 1:
            raise OptionError(f"threshold must lie between -1 and 1; got {threshold!r}.")
        return _target("threshold", threshold, f"a threshold of {threshold:g}", ("krippendorff1980",))
    if benchmark not in BENCHMARKS:
        raise OptionError.choice("benchmark", benchmark, BENCHMARKS)
    return BENCHMARKS[benchmark]


def _probabilities(scale: Benchmark, value: float, error: float) -> FloatArray:
    """The probability of each band: normal around the value, cut to [−1, 1]."""
    from scipy.special import ndtr

    limits = np.array([-1.0, *(band.high for band in scale.bands[:-1]), 1.0])
    below = ndtr((limits - value) / error)
    shares: FloatArray = np.diff(below) / (below[-1] - below[0])
    return shares


NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")


def sentence(result: Agreement, benchmark: str, what: str | None) -> str:
    """Annotators, items, coefficient, interval, word and observed agreement: what the lecture asks a report to give."""
    people = NUMBERS[result.n_annotators] if result.n_annotators < len(NUMBERS) else f"{result.n_annotators:,}"
    items = f"{result.n_items:,} item{'s' if result.n_items != 1 else ''}"
    task = f" for {what}" if what else ""
    named = "" if result.study.tasks or result.study._annotations.named else "Up to "  # a table of counts names nobody
    who = f"{named}{people}".capitalize()
    opening = f"{who} annotator{'s' if result.n_annotators != 1 else ''} labelled {items}{task}."
    if result.undefined:
        return f"{opening} {result.title} is undefined: {result.undefined}"
    meaning = interpret(result, benchmark, None)
    word = f"{meaning.point_word}{meaning.benchmark.named}, " if meaning.point_word else ""
    in_words = "" if meaning.undefined else f"; {word}{meaning.in_words}"
    if result.entry.is_share:
        return f"{opening} {result.title} was {result.value:.0%} ({spread(result)}; not corrected for chance)."
    within = f"{spread(result, 'confidence ')}{in_words}"
    observed = f" with {_observed(result)}" if math.isfinite(result.observed) else ""
    return f"{opening} {result.title} was {digits(result)} ({within}){observed}."


def _observed(result: Agreement) -> str:
    """Observed agreement as what it is: a share of pairs that match, a mean of partial credit, or two shares apart."""
    own = result.coefficient.observed_in_words() if result.coefficient is not None else None
    if own:
        return own
    options = (result.options.get("weights"), result.options.get("level"))
    if result.entry.partial_credit or any(option not in (None, "identity", "nominal") for option in options):
        return f"observed agreement {result.observed:.2f}"
    return f"observed agreement of {result.observed:.0%}"


def digits(result: Agreement) -> str:
    """The value with two digits, or three where two would hide the interval or move it over a limit of a scale.

    >>> from accord import measure
    >>> digits(measure([1, 1, 2, 2], [1, 1, 2, 1]).recommended)
    '0.50'
    """
    low, high = result.interval()
    near = 0 < high - low < CLOSE or any(
        scale.band(round(result.value, 2)) is not scale.band(result.value) for scale in BENCHMARKS.values()
    )
    return f"{result.value:.{3 if near else 2}f}"


def spread(result: Agreement, what: str = "") -> str:
    """The interval in words."""
    span = result.interval()
    if not span.se > 0:  # missing, or zero because no item differs from another
        return "no interval"
    places = 3 if span.high - span.low < CLOSE else 2
    return f"{percent(span.confidence)} {what}interval {span.low:.{places}f} to {span.high:.{places}f}"
