"""Layers that hang together: does disagreement in one follow from disagreement in another, and do rater biases?"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import permutations
from typing import Any

import numpy as np

from accord.agreement.inference.multiple_testing import holm
from accord.agreement.inference.resampling import RedrawnItems, blocks
from accord.agreement.inference.wald import interval_around
from accord.annotations.answers import Answers, Label
from accord.annotations.arrays import FloatArray
from accord.coefficients.chance import Pooled
from accord.coefficients.coefficient import Tabular
from accord.coefficients.standard_errors import NORMAL, p_value
from accord.coefficients.units import Units
from accord.coefficients.weights import Identity
from accord.errors import MeasureError, Message, counted, in_python
from accord.findings.conditional import Conditional, TwoDecisions, joint_of_layers
from accord.findings.finding import SURE, Clue, Evidence, Finding, NotLookedAt, TestFamily
from accord.findings.label_texts import shown
from accord.findings.layers import Layers
from accord.findings.relative_bias import FEWEST, LOOKS, MOST_LABELS, MOST_LOOKED_AT, RaterShares, correlations
from accord.options import SEED
from accord.study.study import Study

N_RESAMPLES = 500
LEAST_CHANGE = 0.05  # a difference in kappa below this is not worth a word
MOST_LAYERS = 8
MOST_ANNOTATIONS = 2_000_000


def look(study: Study) -> Iterator[Clue]:
    """What several layers say together; they are looked at one by one elsewhere."""
    parts = list(study.tasks.values())
    annotations = sum(part.n_annotations for part in parts)
    if len(parts) > MOST_LAYERS or annotations > MOST_ANNOTATIONS:
        call = in_python("; ask for conditional_agreement(study, given=…, of=…)", " to look at unasked")
        size = counted(len(parts), "layers") + f" with {annotations:,} annotations"
        yield NotLookedAt("layers together", Message(f"{size} are many", call, "."))
        return
    try:
        layers = Layers.of(study)
    except MeasureError as refusal:
        yield NotLookedAt("layers together", str(refusal))
        return
    yield from _after_one_another(study, layers)
    yield from _rater_shares(layers)


# -- does one follow from the other? -----------------------------------------------------------------------------------


def _after_one_another(study: Study, layers: Layers) -> Iterator[Clue]:
    found: list[tuple[float, Finding]] = []
    n_tests = 0
    for first, second in permutations(layers.codes, 2):
        joint = joint_of_layers(study, layers, first, second)
        gained = gain(joint)
        if gained is None:
            continue
        n_tests += 1
        if gained.difference > LEAST_CHANGE:
            found.append((gained.p, _follows(first, second, gained)))
    if n_tests:
        yield TestFamily(n_tests, "layers that follow from one another")
    for p, finding in found:
        if p * n_tests < SURE:
            yield finding


@dataclass(frozen=True)
class Gain:
    """Agreement on a second decision where the first agrees, over agreement on all items."""

    value: float  # where the first agrees
    whole: float
    error: float  # of their difference

    @property
    def difference(self) -> float:
        """How much better it is where the first agrees."""
        return self.value - self.whole

    @property
    def p(self) -> float:
        """Two-sided, of no difference."""
        return p_value(self.difference, self.error)


def gain(joint: TwoDecisions) -> Gain | None:
    """The value of the second decision where the first agrees, over its value on all items; None where undefined."""
    tally = joint.study.tally()
    where = Conditional(joint)
    size = int(joint.then.max(initial=0)) + 1
    everywhere = Tabular(tally.relabelled(Answers("single", tuple(range(size))), joint.then), Identity(size), Pooled())
    value, whole = float(where.parts.value), float(everywhere.parts.value)
    if not math.isfinite(value) or not math.isfinite(whole) or tally.n_items < 2:
        return None
    differences = _differences(joint, where, everywhere)
    present = differences[np.isfinite(differences)]
    error = float(present.std(ddof=1)) if len(present) > 0.95 * N_RESAMPLES else math.nan
    if not error > 0:
        return None
    return Gain(value, whole, error)


def _differences(joint: TwoDecisions, where: Conditional, everywhere: Tabular) -> FloatArray:
    """(resamples,) the gain on items, or clusters of them, drawn again."""
    again = RedrawnItems(Units.of(joint.study, joint.study.tally(), None))
    rng, found = np.random.default_rng(SEED), np.empty(N_RESAMPLES)
    for first, last in blocks(N_RESAMPLES, again.width):
        items = again.draw(rng, last - first)
        found[first:last] = where.evaluate(items[:, where.patterns]).value - everywhere.evaluate(items).value
    return found


def _follows(first: Label, second: Label, gained: Gain) -> Finding:
    span = interval_around(gained.difference, gained.error, df=NORMAL, method="bootstrap")
    return Finding(
        "follows-from-another-layer",
        "note",
        f"Where annotators agree on {shown(first)} they agree on {shown(second)} better ({gained.value:z.2f}) than "
        f"over all items ({gained.whole:z.2f}): part of the disagreement on {shown(second)} goes with that on "
        f"{shown(first)}.",
        f"Settle {shown(first)} first, and judge {shown(second)} by its conditional agreement: one cause, not two.",
        (
            Evidence(f"agreement on {second} where {first} agrees", gained.value),
            Evidence(f"agreement on {second}", gained.whole),
            Evidence("difference", gained.difference, span),
        ),
        sources=("krippendorff1980", "dieugenio2000"),
        p=gained.p,
        weight=0.2,
        variable=second,
    )


# -- do rater biases go together? --------------------------------------------------------------------------------


def _rater_shares(layers: Layers) -> Iterator[Clue]:
    """Labels of different layers that the same annotators give more, or less, often."""
    rater_shares = RaterShares.of(layers)
    people = len(rater_shares.annotators)
    if len(rater_shares.labels) > MOST_LABELS or not FEWEST <= people <= MOST_LOOKED_AT:
        return
    pairs, value, p = correlations(rater_shares.shares, LOOKS, np.random.default_rng(SEED))
    apart = [rater_shares.layers[one] != rater_shares.layers[other] for one, other in pairs]
    across = np.array(apart, dtype=np.bool_) & np.isfinite(p)
    if not across.any():
        return
    yield TestFamily(int(across.sum()), "labels of different layers whose use goes together")
    sure = np.zeros(len(p), dtype=np.bool_)
    sure[across] = holm(p[across]) < SURE
    called: list[Any] = rater_shares.called
    # who gives one label more often gives another less often: of two layers the clearest pair is told, not its mirrors
    clearest: dict[tuple[Label, Label], int] = {}
    for place in sorted(np.nonzero(sure)[0].tolist(), key=lambda at: (p[at], -value[at])):
        one, other = pairs[place]
        clearest.setdefault((rater_shares.layers[one], rater_shares.layers[other]), place)
    for place in clearest.values():
        one, other = (called[at] for at in pairs[place])
        more = "more" if value[place] > 0 else "less"
        yield Finding(
            "correlated-biases",
            "note",
            f"Annotators who give {shown(one)} more often than others give {shown(other)} {more} often (correlation "
            f"{value[place]:z.2f} over {people} annotators): the two have one cause.",
            "Settle the layer that is decided first; look at the other one again afterwards.",
            (Evidence("correlation of relative biases", float(value[place])), Evidence("annotators", float(people))),
            sources=("wiebe1999", "dieugenio2000"),
            p=float(p[place]),
            weight=0.05,
        )
