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
from accord.agreement.uncertainty import EXACT, Interval
from accord.annotations.arrays import FloatArray
from accord.errors import OptionError, json_value, percent
from accord.options import Shown, check_choice, head, is_number

SO_GOOD_AS_CERTAIN = 0.995
SURE = 0.95  # the probability with which a band must be reached for its word to be used
DIGITS = 3  # after the point, in tables and sentences alike
MOST_DIGITS = 6
CLOSE = 0.002  # an interval narrower than this is told with one digit more
NO_SCALE = "Scales of agreement are for chance-corrected coefficients; {} is not one, so none gives it a word."


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
            "krippendorff", "Krippendorff 2004", ("krippendorff2004",),
            (0.667, "not to be relied on"), (0.8, "for tentative conclusions only"), (1.0, "to be relied on"),
            closed_below=True,
        ),
        _scale(
            "krippendorff-1980", "Krippendorff 1980", ("krippendorff1980",),
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
        _scale(
            "koo-li", "Koo & Li 2016", ("koo2016",),
            (0.5, "poor"), (0.75, "moderate"), (0.9, "good"), (1.0, "excellent"), closed_below=True,
        ),
        _target("objective", 0.8, "Zhao's target for objective tasks, above 0.80", ("zhao2025",)),
        _target("standard", 0.7, "Zhao's target for standard annotation, above 0.70", ("zhao2025",)),
        _target("subjective", 0.5, "Zhao's target for subjective tasks, above 0.50", ("zhao2025",)),
        _target("highly-subjective", 0.4, "Zhao's target for highly subjective tasks, above 0.40", ("zhao2025",)),
    )
}  # fmt: skip


@dataclass(frozen=True, repr=False)
class Interpretation(Shown):
    """What a scale says of a value, and how sure that is: one word for one value, and how far the interval reaches.

    Attributes:
        benchmark: The scale.
        value: The value.
        word: What the scale calls the band that the value lies in; None where the source gives no word.
        low_word: The same of the lower end of the interval.
        high_word: The same of the upper end.
        at_least: The word of the highest band that is reached with a probability of 95 %.
        probabilities: The probability of each band, lowest first.
        reached: The probability of reaching at least the band of `at_least`.
        undefined: Why there is no word at all; None if there may be one.
        unsure: Why nothing can be said of how sure it is; None if something can.
    """

    benchmark: Benchmark
    value: float
    word: str | None
    low_word: str | None
    high_word: str | None
    at_least: str | None
    probabilities: tuple[float, ...]
    reached: float
    undefined: str | None = None
    unsure: str | None = None

    def __str__(self) -> str:
        if self.undefined:
            return f"undefined: {self.undefined}"
        return f"{self.value:z.3f} is {self.called}; {self.uncertainty}"

    @property
    def called(self) -> str:
        """The word of the value, and whose word it is."""
        return f"{_quoted(self.word)}{self.benchmark.named}"

    @property
    def uncertainty(self) -> str:
        """How far the interval reaches, in the words of the scale; the value keeps its own."""
        if self.unsure:
            return self.unsure
        if self.low_word == self.high_word:
            return "so is the whole interval" if self.word else "so are all values of the interval"
        return f"the interval reaches from {_quoted(self.low_word)} to {_quoted(self.high_word)}"

    @property
    def probability(self) -> str:
        """The probability of reaching at least the band of `at_least`, in words."""
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
            "low_word": self.low_word,
            "high_word": self.high_word,
            "at_least": self.at_least,
            "reached": json_value(self.reached),
            "bands": self.table().to_dict()["rows"],
            "undefined": self.undefined or self.unsure,
        }


def _quoted(word: str | None) -> str:
    return "a value without a word" if word is None else f"“{word}”"


def interpret(result: Agreement, benchmark: str | None, threshold: float | None) -> Interpretation:
    """A result on a scale, or against a threshold of one's own."""
    scale = _chosen(result.entry.benchmark if benchmark is None else benchmark, threshold)
    nothing = tuple(math.nan for _ in scale.bands)
    none = result.undefined or (None if scale.name == "threshold" else _without_words(result))
    if none:
        return Interpretation(scale, result.value, None, None, None, None, nothing, math.nan, undefined=none)
    word = scale.band(result.value).word
    span = result.interval()
    if math.isnan(span.low) or span.low == span.high:
        unsure = _unsure(span)
        return Interpretation(scale, result.value, word, None, None, None, nothing, math.nan, unsure=unsure)
    if span.method == EXACT:
        ends = (scale.band(span.low).word, word)
        return Interpretation(scale, result.value, word, *ends, ends[0], nothing, span.confidence)
    chances = _probabilities(scale, result, span)
    from_top = np.cumsum(chances[::-1])[::-1]
    place = max((k for k in range(len(chances)) if from_top[k] >= SURE - 1e-12), default=0)
    ends = (scale.band(span.low).word, scale.band(span.high).word)
    return Interpretation(
        scale, result.value, word, *ends, scale.bands[place].word, tuple(chances.tolist()), float(from_top[place])
    )


def _without_words(result: Agreement) -> str | None:
    """Why no scale of the literature fits: their words are for values that are 0 by chance and 1 at best."""
    if result.entry.no_scale:
        return result.entry.no_scale
    if not result.entry.chance_corrected:
        return NO_SCALE.format(result.entry.within_sentence)
    if result.maximum == 1:
        return None
    most = "at most" if math.isnan(result.maximum) else f"at most {result.maximum:z.3f}, not"
    return f"Scales of agreement end at 1, and {result.title} of these answers reaches {most} 1: none gives it a word."


def _unsure(span: Interval) -> str:
    """Why it is not told how sure a word is."""
    if math.isnan(span.low):
        return "too little is known to tell how sure that is"
    return "all items there are were annotated, so nothing is left to be unsure of"


def _chosen(benchmark: str, threshold: float | None) -> Benchmark:
    if threshold is not None:
        if not is_number(threshold) or not -1 < threshold < 1:
            raise OptionError.must("threshold", "lie between -1 and 1", threshold)
        return _target("threshold", threshold, f"a threshold of {threshold:g}", ("krippendorff1980",))
    check_choice("benchmark", benchmark, BENCHMARKS)
    return BENCHMARKS[benchmark]


def _probabilities(scale: Benchmark, result: Agreement, span: Interval) -> FloatArray:
    """The probability of each band, by the distribution that the interval has, cut to [−1, 1]."""
    from accord.agreement.inference.informative_items import probability_below

    limits = np.array([-1.0, *(band.high for band in scale.bands[:-1]), 1.0])
    below = probability_below(limits, result.value, span, (result.entry.low, result.entry.high))
    if below[-1] == below[0]:  # all of it lies outside: in the first band or in the last
        at_the_end = np.zeros(len(scale.bands))
        at_the_end[0 if result.value < 0 else -1] = 1.0
        return at_the_end
    shares: FloatArray = np.diff(below) / (below[-1] - below[0])
    return shares


def places(result: Agreement, target: float = math.inf) -> int:
    """Digits after the point for the value and its interval alike: three, as in tables, or as many as keep them apart.

    More are needed where the interval is very narrow, or where rounding would move the value over a limit of its scale
    or onto a target beside which it lies.

    >>> from accord import measure
    >>> places(measure([1, 1, 2, 2], [1, 1, 2, 1]).recommended)
    3
    """
    low, high = result.interval()
    scale = BENCHMARKS[result.entry.benchmark]
    number = DIGITS + (0 < high - low < CLOSE)
    while number < MOST_DIGITS and _would_move(result.value, round(result.value, number), scale, target):
        number += 1
    return number


def _would_move(value: float, rounded: float, scale: Benchmark, target: float) -> bool:
    """Would a value be in another band, or on its target, if it were rounded?"""
    onto_target = rounded == target != round(value, MOST_DIGITS)
    return onto_target or scale.band(rounded) is not scale.band(value)


def digits(result: Agreement, target: float = math.inf) -> str:
    """The value as sentences give it, with its maximum where that is not 1.

    >>> from accord import measure
    >>> digits(measure([1, 1, 2, 2], [1, 1, 2, 1]).recommended)
    '0.500'
    """
    number = places(result, target)
    known = result.maximum < 1  # and not NaN
    return f"{result.value:z.{number}f}" + (f" of at most {result.maximum:z.{number}f}" if known else "")


def spread(result: Agreement, what: str = "", target: float = math.inf) -> str:
    """The interval in words, with the digits of the value."""
    span = result.interval()
    if math.isnan(span.low):
        return "no interval"
    number = places(result, target)
    return f"{percent(span.confidence)} {what}interval {span.low:z.{number}f} to {span.high:z.{number}f}"
