"""Labels: agreement on each, and which two are taken for each other more often than random errors would explain.

A pair of labels is confused when it holds more of the disagreement than any kind of random error would give it: errors
that fall on labels as often as these are used (a pair's share is then as π_k π_l), on all labels alike (as π_k + π_l),
or on all alike with some labels harder than others (as u_k + u_l, the u fitted to the data). The first two must be
exceeded by a quarter, so that neither rare nor hard labels nor a million items make a finding of nothing. Items (or
clusters of them) are the unit: pairs of answers on one item are not independent.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Unpack

import numpy as np

from accord.agreement.inference.multiple_testing import holm
from accord.agreement.table import Table
from accord.agreement.uncertainty import Interval
from accord.annotations.answers import Answers, answers_called
from accord.annotations.arrays import BoolArray, FloatArray, IntArray, add_up, divide
from accord.annotations.tally import RareAnswers, Tally
from accord.coefficients.coefficient import MOSTLY_CHANCE
from accord.coefficients.confusion import MOST_LABELS
from accord.coefficients.units import KindsOfUnits, Units
from accord.errors import MeasureError, Message, in_python, remedy
from accord.findings.finding import Clue, Evidence, Finding, NotLookedAt, TestFamily
from accord.findings.label_order import neighbours_on_a_scale, order_is_declared
from accord.findings.label_texts import shown
from accord.findings.merged_labels import Merge, merged
from accord.findings.study_view import View, interval_over, view_of
from accord.study.other_kinds import about_other_kinds
from accord.study.study_of_input import Roles

BEYOND = 1.25  # how far a pair must exceed what random errors would give it
MUCH = 0.1  # of all disagreement: what a pair must hold to be told
LARGE = 0.3  # of the same: what pairs must hold for guidelines to be called unclear on them
MOST_REPORTED = 3  # confused pairs that have a finding each; all are in the table
FEWEST_ANSWERS = 10  # by which a label is said to be agreed on least
MOST_LABELS_LOOKED_AT = 200  # the labels given most often, whose agreement is looked at unasked


# -- agreement on each label ------------------------------------------------------------------------------------------


def label_agreement(
    data: Any, other: Any = None, /, *, labels: Sequence[Any] | None = None, **roles: Unpack[Roles]
) -> Table:
    """Agreement on each label by both definitions, with how often it was given and 95 % intervals.

    `specific`: when one annotator gives the label, how often another does too: Σ c (c − 1) / (r (r − 1)) / Σ c / r, c
    of an item's r answers being the label (Spitzer & Fleiss 1974; for two labels the positive and negative agreement
    of Cicchetti & Feinstein 1990). Chance is not taken out; the mean over labels, each by its share, is observed
    agreement. `against_the_rest`: the kappa of the label against all others together, with shared marginals (Fleiss
    1971), as in `by_label()`. Of ranked answers the primary label counts; of sets, whether it is held.

    Missing data: every item counts once, however many answered it; items with a single answer count in the
    marginals only.

    Args:
        data: A `Study`, or what one is made of: a table with one row per annotation (a dataframe, a mapping of columns,
            a list of records), a 2-D array of items × annotators, or the first annotator's answers.
        other: The second annotator's answers in the same order, where `data` is the first's.
        labels: The scale: all labels there are, in order, used or not; by default those in the data, sorted.
        **roles: Which columns of a table are which, as in `Study`: item="id", annotator="who", label="tag" …

    Returns:
        A `Table` with one row per label: answers, items, `specific` and `against_the_rest`, each with its interval.

    Raises:
        InputError: If `data` cannot be a study: `ColumnMissing`, `DuplicateAnswers` and `LabelError` are kinds of it.
        MeasureError: If the answers are scores.
        OptionError: If an option has a value that it cannot take.

    References: spitzer1974; cicchetti1990; fleiss1971.

    >>> from accord import Study
    >>> table = label_agreement(Study.from_confusion([[80, 10], [5, 5]], labels=["yes", "no"]))
    >>> [(row["label"], round(row["specific"], 3), round(row["against_the_rest"], 3)) for row in table]
    [('yes', 0.914, 0.314), ('no', 0.4, 0.314)]
    """
    view = view_of(data, other, labels, roles, single=False)
    if view.study.kind not in ("single", "set", "ranked"):
        raise about_other_kinds("Agreement on each label", ("single", "set", "ranked"), view.study.kind)
    return label_table(view, np.arange(len(view.study.labels)))


def label_table(view: View, chosen: IntArray) -> Table:
    """The table for some labels, by their positions."""
    rows = [_of_label(view, int(label)) for label in chosen]
    names = [view.study.labels[label] for label in chosen]
    gaps = sum(math.isnan(row.kappa) for row in rows)
    return Table(
        "Agreement on each label",
        {
            "label": names,
            "answers": np.array([row.answers for row in rows], dtype=np.int64),
            "items": np.array([row.items for row in rows], dtype=np.int64),
            "specific": np.array([row.specific for row in rows]),
            "specific_low": np.array([row.specific_interval.low for row in rows]),
            "specific_high": np.array([row.specific_interval.high for row in rows]),
            "against_the_rest": np.array([row.kappa for row in rows]),
            "low": np.array([row.kappa_interval.low for row in rows]),
            "high": np.array([row.kappa_interval.high for row in rows]),
        },
        (f"{gaps} without a kappa: a label that is given always or never has nothing to be told from.",)
        if gaps
        else (),
    )


@dataclass(frozen=True)
class OfLabel:
    """Agreement on one label."""

    answers: int
    items: int
    specific: float
    specific_interval: Interval
    kappa: float
    kappa_interval: Interval


def _of_label(view: View, label: int) -> OfLabel:
    """Both definitions, from how many of each pattern's answers are the label."""
    held = _held(view, label)
    count, answered, items, pairable = held.count, held.answered, held.items, held.pairable
    n_items = view.tally.n_items
    share_of = np.where(pairable, count / answered, 0.0)  # every item counts once
    both = share_of * np.where(pairable, divide(count - 1, answered - 1), 0.0)
    specific = float(divide(items @ both, np.asarray(items @ share_of)))
    scores = n_items * (both - specific * share_of) / float(items @ share_of) if math.isfinite(specific) else None
    differ = np.where(pairable, divide(2 * count * (answered - count), answered * (answered - 1)), 0.0)
    apart = float(divide(items @ differ, np.asarray(items @ pairable)))
    share = float(divide(items @ (count / answered), np.asarray(n_items)))
    room = 2 * share * (1 - share)
    kappa = 1 - apart / room if room > 0 else math.nan
    influence = None
    if math.isfinite(kappa):
        seen = n_items / float(items @ pairable) * pairable * (differ - apart)
        influence = -seen / room + apart / room**2 * 2 * (1 - 2 * share) * (count / answered - share)
    rare = _rare(view, label) if 1 - room > MOSTLY_CHANCE else None
    return OfLabel(
        int(items @ count),
        int(items @ (count > 0)),
        specific,
        interval_over(held.units, specific, scores, ends=(0.0, 1.0)),
        kappa,
        interval_over(held.units, kappa, influence, rare=rare, worst=float(divide(1.0, room))),
    )


@dataclass(frozen=True, eq=False)
class _Held:
    """Kinds of items by how many of their answers are a label."""

    count: FloatArray
    answered: FloatArray
    items: IntArray | FloatArray
    pairable: BoolArray
    units: Units


def _held(view: View, label: int) -> _Held:
    """The patterns that hold the label; of the others, which are alike here, one that can be compared and one not.

    With thousands of labels nearly all patterns hold any other. Where items come in clusters, or count differently, the
    patterns stay apart.
    """
    tally, units = view.tally, view.units
    holds = view.study.answers.membership[tally.answer, label] if view.study.kind == "set" else tally.answer == label
    answered, items, pairable = tally.answered.astype(np.float64), tally.items, tally.pairable
    if units.cluster is not None or tally.weight is not None:
        return _Held(tally.per_pattern(tally.count * holds), answered, items, pairable, units)
    entries = np.flatnonzero(holds)
    with_it, place = np.unique(tally.pattern[entries], return_inverse=True)
    count = add_up(place, tally.count[entries], len(with_it))
    without = view.kinds_of_items - np.bincount(pairable[with_it], items[with_it], minlength=2).astype(np.int64)
    there = np.flatnonzero(without)  # 0 of items that cannot be compared, 1 of those that can
    number = np.concatenate((items[with_it], without[there])).astype(np.int64)
    return _Held(
        np.concatenate((count, np.zeros(len(there)))),
        np.concatenate((answered[with_it], there + 1.0)),
        number,
        np.concatenate((pairable[with_it], there == 1)),
        Units(KindsOfUnits(number)),
    )


def _rare(view: View, label: int) -> RareAnswers | None:
    """What there is of the label, or of the rest, where nearly all is the other; as `by_label` counts it."""
    answers = view.tally.answers
    held = answers.membership[:, label] if view.study.kind == "set" else np.arange(len(answers)) == label
    sides = Answers("single", (f"not {answers.labels[label]}", answers.labels[label]))
    return view.pairable_tally.relabelled(sides, held.astype(np.int64)).rare_answers()


# -- confused pairs ---------------------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Confused:
    """Every two labels that met on an item, the pair with most disagreement first."""

    first: IntArray  # positions of the labels
    second: IntArray
    meets: FloatArray  # (J,) items' worth of disagreement
    share: FloatArray  # (J,) of all disagreement
    expected: FloatArray  # (J,) the largest share that random errors of some kind would give
    p: FloatArray
    n_tests: int  # pairs of labels in use, met or not
    effective: float  # as how many disagreeing items with one pair each the data count


def confused_in_view(view: View) -> Confused:
    """Disagreement by pairs of labels, against what random errors would give."""
    return confused_in(view.tally, view.marginals, _effective(view))


def confused_in(tally: Tally, marginals: FloatArray, effective: float, *, hardness: bool = True) -> Confused:
    """The same of any tally, with its marginals and its number of disagreeing units.

    Without `hardness` a label that is hard against all others counts as confused with them.
    """
    tally = tally.where(tally.pairable)
    size = len(tally.answers)
    if size > MOST_LABELS:
        raise MeasureError(
            f"Pairs of labels are looked at for up to {MOST_LABELS:,} labels; here are {size:,}.",
            remedies=[remedy(recode=...)],
        )
    answered = tally.answered.astype(np.float64)
    unit = tally.items / (answered * (answered - 1))
    total = np.zeros(size * size)
    for left, right in tally.pairs():
        low, high = (
            np.minimum(tally.answer[left], tally.answer[right]),
            np.maximum(tally.answer[left], tally.answer[right]),
        )
        weight = 2 * unit[tally.pattern[left]] * tally.count[left] * tally.count[right]
        total += add_up(low * size + high, weight, size * size)
    in_contact = np.nonzero(total > 0)[0]
    in_contact = in_contact[np.argsort(-total[in_contact], kind="stable")]
    first, second = np.divmod(in_contact, size)
    share = divide(total[in_contact], np.asarray(total.sum()))
    in_use = int((marginals > 0).sum())
    by_use = share_by_use(marginals, first, second)
    by_hardness = share_by_hardness(first, second, share, in_use, size) if hardness else np.zeros(len(share))
    return Confused(
        first,
        second,
        total[in_contact],
        share,
        np.maximum(by_use, by_hardness),
        tail_of_share(share, np.maximum(BEYOND * by_use, by_hardness), effective),
        in_use * (in_use - 1) // 2,
        effective,
    )


def share_by_use(marginals: FloatArray, first: IntArray, second: IntArray) -> FloatArray:
    """The larger of the shares that errors by the marginals in use, or on all labels alike, would give a pair."""
    in_use = int((marginals > 0).sum())
    by_marginals = divide(2 * marginals[first] * marginals[second], np.asarray(1 - float(marginals @ marginals)))
    alike = (marginals[first] + marginals[second]) / max(in_use - 1, 1)
    return np.maximum(by_marginals, alike)


def share_by_hardness(first: IntArray, second: IntArray, share: FloatArray, in_use: int, size: int) -> FloatArray:
    """The shares if every label were as hard as it is and its errors fell on all others alike: u_k + u_l.

    The u that give every label the disagreement it has. With three labels any shares can be given so, and nothing would
    be left to find: there labels are taken to be equally hard.
    """
    if in_use < 4:
        return np.zeros(len(share))
    of_label = add_up(first, share, size) + add_up(second, share, size)
    own = (of_label - 1 / (in_use - 1)) / (in_use - 2)
    return np.maximum(own[first] + own[second], 0.0)


def _effective(view: View) -> float:
    """Kish's number of disagreeing units: (Σ t)² / Σ t² over items or clusters, t a unit's disagreement."""
    totals, number = view.units.totals(view.disagreement)
    squares = float(number @ totals**2)
    return float(number @ totals) ** 2 / squares if squares else 0.0


def tail_of_share(share: FloatArray, limit: FloatArray, effective: float) -> FloatArray:
    """The binomial tail: how likely is a share this high, or higher, if the true one were at the limit?

    With two annotators every disagreeing item has one pair of labels, and the tail is exact; with more, an item is
    taken as if all its disagreement were of one pair, which is on the safe side.
    """
    from scipy.special import betainc

    limit = np.minimum(limit, 1.0)
    hits = share * effective
    tail = betainc(np.maximum(hits, 1e-12), np.maximum(effective - hits, 0.0) + 1, limit)
    return np.where(limit >= 1, 1.0, np.asarray(tail, dtype=np.float64))


def confused_labels(
    data: Any, other: Any = None, /, *, labels: Sequence[Any] | None = None, **roles: Unpack[Roles]
) -> Table:
    """Every two labels that met on an item: how much of the disagreement is theirs, against what random errors give.

    `expected` is the largest share that errors would give the pair if they fell on labels as often as these are used,
    on all labels alike, or on all alike with some labels harder than others; `p` is of exceeding the first two by a
    quarter and the third at all, with items as the unit; `p_holm` is corrected for all pairs of labels in use.

    Args:
        data: A `Study`, or what one is made of: a table with one row per annotation (a dataframe, a mapping of columns,
            a list of records), a 2-D array of items × annotators, or the first annotator's answers.
        other: The second annotator's answers in the same order, where `data` is the first's.
        labels: The scale: all labels there are, in order, used or not; by default those in the data, sorted.
        **roles: Which columns of a table are which, as in `Study`: item="id", annotator="who", label="tag" …

    Returns:
        A `Table` with one row per pair of labels, the most confused first: disagreement, share, expected, p, p_holm.

    Raises:
        InputError: If `data` cannot be a study: `ColumnMissing`, `DuplicateAnswers` and `LabelError` are kinds of it.
        MeasureError: If the answers are scores, or there are too many labels.
        OptionError: If an option has a value that it cannot take.

    >>> answers = ["good", "fair", "bad"] * 40 + ["good"] * 12 + ["bad"] * 1
    >>> others = ["good", "fair", "bad"] * 40 + ["fair"] * 12 + ["good"] * 1
    >>> [(row["first"], row["second"], round(row["share"], 2)) for row in confused_labels(answers, others)]
    [('fair', 'good', 0.92), ('bad', 'good', 0.08)]
    """
    return confused_table(view_of(data, other, labels, roles))


def confused_table(view: View) -> Table:
    """The table of a view."""
    pairs = view.confused
    names = view.tally.answers.labels
    return Table(
        "Labels that are taken for each other",
        {
            "first": [names[place] for place in pairs.first],
            "second": [names[place] for place in pairs.second],
            "disagreement": pairs.meets,
            "share": pairs.share,
            "expected": pairs.expected,
            "p": pairs.p,
            "p_holm": holm(pairs.p, pairs.n_tests),
        },
        (f"{pairs.n_tests:,} pairs of labels are in use; disagreement counts as {pairs.effective:.0f} items.",),
    )


# -- what is found ----------------------------------------------------------------------------------------------------


def look(view: View) -> Iterator[Clue]:
    """Confused pairs with what merging them would do, and the label that is agreed on least."""
    kind = view.study.kind
    if view.main.undefined:
        return
    if kind not in ("single", "set", "ranked"):
        yield NotLookedAt("agreement on each label", f"These are {answers_called(kind)}, which have no labels.")
        return
    yield from _weakest(view)
    if kind == "set":
        yield NotLookedAt(
            "confused labels",
            Message(
                "An answer is a set of labels",
                in_python("; accord.multilabel.label_confusion shows which are taken for which", ""),
                ".",
            ),
        )
    elif len(view.tally.answers) > MOST_LABELS:
        yield NotLookedAt("confused labels", f"More than {MOST_LABELS:,} labels have too many pairs.")
    elif int((view.marginals > 0).sum()) > 2:
        yield from _confusions(view)


def _confusions(view: View) -> Iterator[Clue]:
    """The pairs that hold more of the disagreement than random errors would give them."""
    pairs = view.confused
    yield TestFamily(pairs.n_tests, "pairs of labels")
    certain = pairs.n_tests * pairs.p < 1  # the others cannot survive, whatever else is asked
    reported = np.nonzero(certain & (pairs.share >= MUCH) & (pairs.p < 0.05))[0][:MOST_REPORTED].tolist()
    if not reported:
        return
    gains = {frozenset(merge.places): merge for merge in merged(view, _most_disagreement(pairs))}
    table = confused_table(view)
    for place in reported:
        yield _confusion(view, pairs, place, gains, table)


def _most_disagreement(pairs: Confused, most: int = 10) -> list[tuple[int, int]]:
    return [(int(one), int(two)) for one, two in zip(pairs.first[:most], pairs.second[:most], strict=True)]


def _confusion(view: View, pairs: Confused, place: int, gains: dict[frozenset[int], Merge], table: Table) -> Finding:
    names = view.tally.answers.labels
    one, two = int(pairs.first[place]), int(pairs.second[place])
    merge = gains.get(frozenset((one, two)))
    share, expected = float(pairs.share[place]), float(pairs.expected[place])
    evidence = [Evidence("share of all disagreement", share), Evidence("share that random errors would give", expected)]
    then = ""
    if merge is not None and math.isfinite(merge.gain):
        evidence += [
            Evidence(f"{merge.title} if the two were one label", merge.after),
            Evidence("gain by merging", merge.gain, merge.interval),
        ]
        then = f" If the difference is not needed, merging them would {_moved(merge)}."
    neighbours, scale = neighbours_on_a_scale(view, one, two), order_is_declared(view)
    expected_so = "They are neighbours on an ordered scale, where most disagreement is expected."
    unless = "If these labels are a scale and not mere names, neighbours are expected to be confused."
    against = (expected_so if scale else unless,) if neighbours else ()
    return Finding(
        "confused-labels", "note" if (neighbours and scale) or view.reaches_target else "warning",
        f"{shown(names[one])} and {shown(names[two])} are taken for each other: {share:.0%} of all disagreement is "
        f"between them, where random errors would give at most {expected:.0%}.",
        f"Write down what tells {shown(names[one])} from {shown(names[two])}, with examples and edge cases, and try it "
        f"on items on which annotators chose one and the other.{then}",
        tuple(evidence),
        speaks_against=against,
        sources=("zhao2025", "artstein2008"),
        labels=(names[one], names[two]),
        p=float(pairs.p[place]),
        weight=share,
        table=table,
    )  # fmt: skip


def _moved(merge: Merge) -> str:
    """What merging does to the coefficient."""
    low, high = merge.interval
    if merge.gain > 0:
        gain = f" (gain {low:+z.2f} to {high:+z.2f})" if math.isfinite(low) and math.isfinite(high) else ""
        return f"raise {merge.title} from {merge.before:z.2f} to {merge.after:z.2f}{gain}"
    return f"not raise {merge.title} ({merge.before:z.2f} before, {merge.after:z.2f} after)"


def _weakest(view: View) -> Iterator[Clue]:
    """The label agreed on least, where it is clearly below all together; of a scale that is just its middle."""
    if order_is_declared(view) or (view.neighbours is not None and view.neighbours.shown):
        return
    tally = view.tally
    given_by_answer = tally.per_answer(tally.count * tally.items[tally.pattern])
    given = view.study.answers.per_label(given_by_answer) if view.study.kind == "set" else given_by_answer
    used = np.nonzero(given > 0)[0]
    if len(used) < 3:
        return  # of two labels, both have the same kappa against the rest
    used = used[given[used] >= FEWEST_ANSWERS]  # a label given once or twice is a rare label, and no weak one
    if not len(used):
        return
    chosen = np.sort(used[np.argsort(-given[used], kind="stable")[:MOST_LABELS_LOOKED_AT]])
    table = label_table(view, chosen)
    value, high = table["against_the_rest"], table["high"]
    if not np.isfinite(value).any():
        return
    place = int(np.nanargmin(value))
    if not (view.has_interval and high[place] < view.interval.low):
        return
    row = list(table)[place]
    span = Interval(row["low"], row["high"], math.nan, 0.95, "analytic")
    yield Finding(
        "weak-label", "note",
        f"{shown(row['label'])} is agreed on least: when one annotator gives it, another does in {row['specific']:.0%} "
        f"of cases, and its kappa against the rest is {row['against_the_rest']:z.2f}, below that of all together.",
        "Look at items to which somebody gave it and somebody did not; define it by what it is not, or drop it if it "
        "is seldom needed.",
        (
            Evidence(f"kappa of {shown(row['label'])} against the rest", row["against_the_rest"], span),
            Evidence("specific agreement", row["specific"]), Evidence("answers", row["answers"]),
        ),
        sources=("spitzer1974", "fleiss1971", "zhao2025"), labels=(row["label"],), weight=0.2, table=table,
    )  # fmt: skip
