"""What a value of gamma means: the errors that would give it on units like those of a study."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Unpack

import numpy as np

from accord.agreement.table import Table
from accord.annotations.arrays import FloatArray
from accord.errors import MeasureError, OptionError
from accord.measures.gamma import chance_options, gamma
from accord.options import Rng, is_number, listed
from accord.spans.chance_continua import Sampler
from accord.spans.chance_disorder import ChanceOptions, Disorders
from accord.spans.continuum import Continuum
from accord.spans.gamma import gamma_of_units
from accord.spans.planted_errors import KINDS, Kind, Truth, rate_that_gives, with_errors
from accord.study.study_of_input import Roles, as_study

RATES = (0.05, 0.1, 0.2, 0.3, 0.5)
PRECISION = 0.05
AT_ONCE = 6  # samples: of some 200 units together they are as exact as thirty of a few
WORDS = {
    "missing": "units missing", "false": "false units", "shifted": "units with shifted borders",
    "relabelled": "units relabelled", "all": "units with each of these errors",
}  # fmt: skip


def gamma_scale(
    data: Any,
    other: Any = None,
    /,
    *,
    rates: Sequence[float] = RATES,
    alpha: float = 1.0,
    beta: float = 1.0,
    sampler: Sampler = "mathet",
    rng: Rng = None,
    labels: Sequence[Any] | None = None,
    **roles: Unpack[Roles],
) -> Table:
    """What a gamma means here: the value that annotators would have who make errors at known rates.

    Gamma has no scale of its own: on long, sparse units a value is easier to reach than on short, dense ones. So errors
    are planted, as by the Corpus Shuffling Tool (mathet2012). In each document what one annotator marked, drawn at
    random, is taken for the truth, and as many annotators as saw it are each given errors of one kind, independently:
    *missing*, each unit is left out with probability `rate`; *false*, as many units are added as a binomial of the
    units and the rate gives, with the lengths and labels of true ones, anywhere; *shifted*, with probability `rate`
    both borders of a unit move, each by up to half its length either way; *relabelled*, with probability `rate` a unit
    has another label, as often as others are used; *all*, every one of these. Documents come again until there are some
    200 true units; of a large study about 600 are taken.

    Args:
        data: A `Study` of spans, or what one is made of, as in `gamma`.
        other: Not for spans.
        rates: The shares of units with an error, rising, above 0 and up to 1.
        alpha: How much position counts, as in `gamma`.
        beta: How much labels count.
        sampler: What chance is: "mathet" or "pygamma".
        rng: A seed or a Generator; by default the seed 0.
        labels: All labels there are, used or not; by default those in the data, sorted.
        **roles: Which columns of a table are which, as in `Study`.

    Returns:
        A `Table` with a row per rate and a column per kind of error; its notes say which rates give the study's gamma.

    Raises:
        InputError: If `data` cannot be a study.
        MeasureError: If the answers are not spans, or nobody marked anything.
        OptionError: If an option has a value that it cannot take.

    References: mathet2012; mathet2015.

    >>> from accord import Study
    >>> table = {
    ...     "doc": ["d1"] * 6,
    ...     "who": ["ana"] * 3 + ["ben"] * 3,
    ...     "start": [1, 8, 20, 2, 8, 21],
    ...     "end": [5, 12, 24, 6, 12, 24],
    ...     "tag": ["a", "b", "a", "a", "b", "b"],
    ... }
    >>> study = Study(table, item="doc", annotator="who", label="tag", start="start", end="end")
    >>> scale = gamma_scale(study, rates=[0.1, 0.5])
    >>> bool(scale["missing"][0] > scale["missing"][1])
    True
    """
    # A document that comes again is another one: with the same samples all of its copies would be off together, and
    # it would take thousands of samples of each to make up for it.
    options = replace(chance_options(alpha, beta, sampler, PRECISION, rng), at_once=AT_ONCE, copies=True)
    _check_rates(rates)
    study = as_study(data, other, labels, roles)
    result = gamma(study, alpha=alpha, beta=beta, sampler=sampler, rng=options.seed)
    if result.undefined:
        raise MeasureError("There is no gamma to explain: ", result.undefined or "")
    marked = Continuum.of(study)
    truth = Truth.of(marked, np.random.default_rng([options.seed, 1]))
    kinds = [kind for kind in KINDS if kind != "relabelled" or len(marked.labels) > 1]
    shown: dict[str, FloatArray] = {"rate": np.array(rates, dtype=np.float64)}
    for kind in kinds:
        shown[kind] = _values(truth, options, [kind], rates)
    shown["all"] = _values(truth, options, kinds, rates)
    return Table("Gamma of annotators with errors, by the share of units with one", shown, _notes(result.value, shown))


def _check_rates(rates: Sequence[float]) -> None:
    rule = "be numbers above 0 and up to 1, rising"
    given = listed("rates", rates, rule)
    if not given or not all(is_number(rate) and 0 < rate <= 1 for rate in given) or given != sorted(set(given)):
        raise OptionError.must("rates", rule, rates)


def _values(truth: Truth, options: ChanceOptions, kinds: Sequence[Kind], rates: Sequence[float]) -> FloatArray:
    """Gamma for each rate; every column has random numbers of its own, which do not change with the others."""
    found = []
    for rate in rates:
        places = [KINDS.index(kind) for kind in kinds]
        rng = np.random.default_rng([options.seed, 2, *places, round(1e6 * rate)])
        made = with_errors(truth, dict.fromkeys(kinds, float(rate)), rng)
        found.append(float(gamma_of_units(Disorders(made, options)).parts.value))
    return np.array(found)


def _notes(value: float, shown: dict[str, FloatArray]) -> tuple[str, ...]:
    """Which rate of each error alone gives the study's value."""
    rates = np.concatenate(([0.0], shown["rate"]))
    parts = []
    for kind, values in shown.items():
        if kind == "rate":
            continue
        rate = rate_that_gives(value, rates, np.concatenate(([1.0], values)))
        parts.append(f"{f'{rate:.0%}' if math.isfinite(rate) else f'more than {rates[-1]:.0%}'} {WORDS[kind]}")
    return (
        f"The study's gamma is {value:z.3f}: on units like these as with {', '.join(parts[:-1])}, or {parts[-1]}.",
        "What one annotator marked is taken for the truth; every annotator has errors, independently of the others.",
    )
