"""Gaps that go with labels: have items of some label fewer answers than the others, or more?

Who leaves out what they are unsure of, or asks a second opinion of chosen items only, makes gaps that depend on the
answer; a coefficient over items with two answers then speaks of other items than the study holds. If gaps had nothing
to do with answers, the share s of an item's answers that are of one label would have the same mean whatever the number
r of its answers. So the mean of (r − r̄)(s − s̄) is zero, and is held against its error over items (or clusters of
them). Each annotator counts against their own use of the label: that somebody who prefers a label answered fewer items
is no gap of this kind.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from accord.agreement.inference.informative_items import degrees_of_freedom
from accord.agreement.inference.multiple_testing import holm
from accord.agreement.table import Table
from accord.annotations.arrays import FloatArray, IntArray, add_up, divide
from accord.annotations.tally import Tally
from accord.coefficients.standard_errors import p_value
from accord.findings.finding import CANDIDATE, Clue, Evidence, Finding, NotLookedAt, TestFamily
from accord.findings.label_texts import shown
from accord.findings.study_view import View, given_by

FEWEST_ITEMS = 30  # with any answer
FEWEST_OF_A_KIND = 10  # items with another number of answers than most have; items of a label, as many as count
LEAST = 0.05  # of the mean number of answers per item: a difference that is worth a word
MOST_CELLS = 5_000_000  # patterns × labels
MOST_PATTERNS, SEED = 20_000, 20250323  # of who said what, beyond which as many items are drawn


@dataclass(frozen=True, eq=False)
class GapsByLabel:
    """Of each label that is looked at: answers per item, on its items and on the others."""

    label: IntArray  # places
    items: FloatArray  # of the label, each answer counted as its part of the item
    answers: FloatArray  # per item of the label
    others: FloatArray  # per item of the other labels
    p: FloatArray
    mean: float  # answers per item

    @property
    def n_tests(self) -> int:
        """How many questions that is: of two labels, one is as good as the other."""
        return len(self.label) if len(self.label) > 2 else min(len(self.label), 1)


def gaps_of(view: View) -> GapsByLabel | None:
    """Answers per item by label; None where all items have as many answers, or too few have not."""
    tally = view.tally.where(view.tally.answered >= 1)
    answered = tally.answered.astype(np.float64)
    usual = np.bincount(tally.answered, weights=tally.items).max(initial=0.0)
    if tally.n_items < FEWEST_ITEMS or tally.n_items - usual < FEWEST_OF_A_KIND:
        return None
    share = _shares(tally)
    items = np.asarray(tally.items @ share)
    label = np.nonzero((items >= FEWEST_OF_A_KIND) & (tally.n_items - items >= FEWEST_OF_A_KIND))[0]
    if not len(label):
        return None
    mean = float(tally.items @ answered) / tally.n_items
    own = divide((tally.items * answered) @ share[:, label], items[label])
    rest = divide((tally.items * answered) @ (1 - share[:, label]), tally.n_items - items[label])
    return GapsByLabel(label, items[label], own, rest, _p_by_label(view, label), mean)


def _p_by_label(view: View, labels: IntArray) -> FloatArray:
    """How likely such gaps are by chance, for each of some labels; of many patterns a random part of items tells."""
    tally = view.tally if view.named_tally is None else view.named_tally
    tally = tally.where(tally.answered >= 1)
    if len(tally) > MOST_PATTERNS and view.units.clusters is None:
        rng = np.random.default_rng(SEED)
        drawn = rng.multivariate_hypergeometric(tally.units, MOST_PATTERNS, method="marginals")
        tally = replace(tally, items=drawn, weight=None).where(drawn > 0)
    number = tally.answered.astype(np.float64)
    more = number - float(tally.items @ number) / tally.n_items
    beyond = _beyond_use(tally)
    return np.array([_p(view, tally, more * beyond[:, place]) for place in labels])


def _shares(tally: Tally) -> FloatArray:
    """(P, K) the share of a pattern's answers that are of each label."""
    size = len(tally.answers)
    counts = add_up(tally.pattern * size + tally.answer, tally.count, len(tally) * size).reshape(-1, size)
    return np.asarray(counts / tally.answered[:, None])


def _beyond_use(tally: Tally) -> FloatArray:
    """(P, K) the same less what its annotators usually give; where nobody is named, less what is usual."""
    share = _shares(tally)
    if tally.annotator is None:
        return np.asarray(share - (tally.items @ share) / tally.n_items)
    given = given_by(tally)
    usual = np.nan_to_num(divide(given, given.sum(1, keepdims=True)))
    expected = [tally.per_pattern(tally.count * usual[tally.annotator, place]) for place in range(share.shape[1])]
    return np.asarray(share - np.stack(expected, axis=1) / tally.answered[:, None])


def _p(view: View, tally: Tally, scores: FloatArray) -> float:
    """Two-sided: the mean of the scores against its error over items or clusters, by as many as tell of it."""
    units = view.units.over(tally)
    mean = float(tally.items @ scores) / tally.n_items
    p = p_value(mean, units.error(scores - mean), degrees_of_freedom(*units.totals(scores - mean)))
    return 1.0 if math.isnan(p) else p


def look(view: View) -> Iterator[Clue]:
    """The label whose items have the fewest or the most answers beyond chance."""
    if not view.single or view.main.undefined or len(view.study.labels) < 2:
        return
    if len(view.tally) * len(view.study.labels) > MOST_CELLS:
        yield NotLookedAt("gaps that go with labels", "There are too many patterns of answers to look at each label.")
        return
    found = gaps_of(view)
    if found is None:
        return
    yield TestFamily(found.n_tests, "labels that gaps may go with")
    place = int(np.argmin(found.p))
    change = float(found.answers[place] - found.others[place])
    if found.p[place] < CANDIDATE and abs(change) >= LEAST * found.mean and math.isfinite(change):
        yield _finding(view, found, place)


def _finding(view: View, found: GapsByLabel, place: int) -> Finding:
    label = view.tally.answers.labels[found.label[place]]
    own, others = float(found.answers[place]), float(found.others[place])
    fewer = own < others
    return Finding(
        "gaps-go-with-labels",
        "warning",
        f"Gaps go with labels: items that annotators call {shown(label)} have {own:.2f} answers on average, the others "
        f"{others:.2f}. The coefficient, which rests on items with two answers or more, speaks "
        f"{'less' if fewer else 'more'} of {shown(label)} than the study holds.",
        "Find out why answers are missing. Where annotators leave out what they are unsure of, let them say so: a "
        "label such as “unclear” is an answer, a gap is none. Where items were chosen for a second opinion, give each "
        "item its weight, one over the chance of being annotated twice (the role item_weight), so that the coefficient "
        "speaks of all items.",
        evidence=(
            Evidence(f"answers per item of {shown(label)}", own),
            Evidence("answers per item of the other labels", others),
            Evidence(f"items of {shown(label)}, answers counted as parts of items", float(found.items[place])),
        ),
        speaks_against=("Parts of the data that had other annotators and other labels look like this too.",)
        if "cluster" not in view.study.roles
        else (),
        sources=("krippendorff2004",),
        labels=(label,),
        p=float(found.p[place]),
        weight=min(abs(own - others) / max(found.mean, 1e-9), 1.0) / 2,
        table=_table(view, found),
    )


def _table(view: View, found: GapsByLabel) -> Table:
    names = view.tally.answers.labels
    return Table(
        "Answers per item, by label",
        {
            "label": [names[place] for place in found.label],
            "items": found.items,
            "answers_per_item": found.answers,
            "on_other_items": found.others,
            "p": found.p,
            "p_holm": holm(found.p, found.n_tests) if len(found.p) > 2 else found.p,
        },
        (f"All items have {found.mean:.2f} answers on average. Every answer counts as its part of the item.",),
    )
