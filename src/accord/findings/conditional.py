"""Conditional agreement: where two answers agree on a first decision, do they agree on the one that depends on it?"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Unpack

import numpy as np

from accord.agreement.inference import resampling
from accord.agreement.inference.intervals import from_resamples
from accord.agreement.inference.multiple_testing import holm
from accord.agreement.inference.wald import no_interval
from accord.agreement.table import Table
from accord.annotations.answers import Answers, Label
from accord.annotations.arrays import FloatArray, IntArray, add_up, divide
from accord.annotations.tally import Tally
from accord.coefficients.coefficient import Smooth
from accord.coefficients.formula import chance_corrected
from accord.coefficients.item_sums import ItemSums
from accord.coefficients.measurable import Decomposition, Parts
from accord.coefficients.standard_errors import p_value
from accord.coefficients.units import Units
from accord.errors import Keyword, Message, OptionError, all_quoted, quoted, remedy
from accord.findings.layers import Layers
from accord.options import MOST_RESAMPLES, Rng, check_confidence, check_whole, seeded
from accord.study.in_memory import in_memory_where_small
from accord.study.other_kinds import about_other_kinds
from accord.study.study import Study
from accord.study.study_of_input import Roles, as_study

ALL = "all"  # the row over every first decision
EACH_ITEM_ONCE = (
    "Over items of which two answers or more agree on the first decision: each item counts once, spread over the pairs "
    "that do; chance within each decision."
)


def conditional_agreement(
    data: Any,
    /,
    *,
    given: Label | Mapping[Label, Label] | Collection[Label] | Callable[[Label], Label],
    of: Label | None = None,
    confidence: float = 0.95,
    n_resamples: int = 1000,
    rng: Rng = None,
    **roles: Unpack[Roles],
) -> Table:
    r"""Agreement on a decision among answers that agree on the decision before it, every item counting once.

    .. math:: \kappa = \frac{\sum_v W_v (o_v - e_v)}{\sum_v W_v (1 - e_v)}

    Over pairs of answers to an item that have the same first decision v: :math:`o_v` is the share of them with the same
    second answer, :math:`e_v` the chance of that with the marginals of the answers in these pairs, :math:`W_v` how many
    items' worth of pairs there are. An item counts once, spread over those of its pairs that agree on the first
    decision, as in every kappa here, so that an item which many people answered does not outweigh the others; with two
    annotators pairs and items are the same. (Neither Krippendorff nor Di Eugenio gives a formula for more.) Chance is
    reckoned within each first decision, for the pairs agree on that already. A decision after which only one answer is
    possible (not tagged, and so nothing more to say) adds nothing. The interval is a bootstrap over items.

    Args:
        data: A `Study`, or what one is made of.
        given: The first decision: the name of a layer (variable) of the study; or, of a study of one variable, a
            column, a mapping from each label to its first decision, a function that does the same, or the labels that
            belong together (the decision is then whether the answer is one of them).
        of: The layer that depends on it, where the study has more than two.
        confidence: Of the interval.
        n_resamples: How many resamples.
        rng: A seed or a Generator.
        **roles: The keywords of `Study`.

    Returns:
        A `Table` with one row for all first decisions together and one for each: given, pairs, observed, expected,
        value, low, high.

    Raises:
        InputError: If `data` cannot be a study: `ColumnMissing`, `DuplicateAnswers` and `LabelError` are kinds of it.
        MeasureError: If the answers are not single labels.
        OptionError: If `given` is neither a layer, a column, a mapping, a function nor labels, or `of` is no layer.

    The first row is over all first decisions, the others are one each. An answer that is missing in either layer is
    left out; see `with_not_tagged`. With two annotators, no first decision but one, and nothing missing, it is
    Scott's pi.

    References: krippendorff1980 (conditional reliability); dieugenio2000.

    >>> tags = ["accept", "accept", "none", "reject", "none"], ["accept", "reject", "none", "reject", "accept"]
    >>> table = conditional_agreement(Study.from_pairs(*tags), given=["accept", "reject"], rng=0)
    >>> [(row["given"], row["pairs"], round(row["observed"], 2)) for row in table][:1]
    [('all', 4, 0.75)]
    """
    check_confidence(confidence)
    check_whole("n_resamples", n_resamples, 2, most=MOST_RESAMPLES)
    study = in_memory_where_small(as_study(data, None, None, roles))
    joint = _joint(study, given, of)
    whole = Conditional(joint)
    units = Units.of(joint.study, whole.tally, None)
    generator, seed = seeded(rng)
    values = _resampled(whole, units, n_resamples, generator)
    rows = [_row(whole, None, values[:, 0], confidence, seed)]
    rows += [_row(whole, place, values[:, 1 + place], confidence, seed) for place in range(len(whole.decisions))]
    p = np.array([row.pop("p") for row in rows])
    columns: dict[str, Any] = {name: [row[name] for row in rows] for name in rows[0]}
    for name in ("value", "low", "high", "observed", "expected", "items"):
        columns[name] = np.array(columns[name])
    reason = columns.pop("undefined")
    columns |= {"p": p, "p_holm": holm(p), "undefined": reason}
    return Table(f"Agreement on {joint.second} where {joint.first} agrees", columns, _notes(whole, seed))


# -- the first decision and the second ---------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class TwoDecisions:
    """Both decisions of each answer, as one: answer j of the study is decision `decision[j]`, then `then[j]`."""

    study: Study
    first: str
    second: str
    decisions: tuple[Any, ...]
    decision: IntArray
    then: IntArray
    left_out: int  # answers with a second decision but no first


def _joint(study: Study, given: Any, of: Label | None) -> TwoDecisions:
    if study.tasks:
        return _of_layers(study, given, of)
    if of is not None:
        raise OptionError(Keyword("of"), " names a layer, and this study holds one variable. Leave it out.")
    if study.kind != "single":
        raise about_other_kinds("Conditional agreement", ("single",), study.kind)
    if isinstance(given, str) and given in study.columns:
        column = study._column(given, "given")
        return _together(study, column.codes, column.values, f"{given!r}", "the label")
    if not isinstance(given, str | Mapping) and isinstance(given, Collection):
        unknown = [label for label in given if label not in study.labels]
        if unknown or not given:
            raise OptionError.must(
                "given", Message("hold labels that belong together, of ", all_quoted(study.labels)), list(given)
            )
    firsts = [_decision(given, label) for label in study.labels]
    values = tuple(dict.fromkeys(firsts))
    codes = np.array([values.index(first) for first in firsts], dtype=np.int64)
    return _together(study, codes[study._annotations.rows[2]], values, "the first decision", "the label")


def _decision(given: Any, label: Label) -> Any:
    """What a label says of the first decision."""
    if isinstance(given, Mapping):
        if label not in given:
            raise OptionError(
                Keyword("given"), " must say the first decision of every label; ", quoted(label), " is missing."
            )
        return given[label]
    if callable(given):
        return given(label)
    if isinstance(given, str) or not isinstance(given, Collection):
        raise OptionError(
            Keyword("given", given),
            " is no column of the study. Name a layer or a column, or give a mapping from label to first decision, a "
            "function, or a list of labels that belong together.",
        )
    return "one of them" if label in given else "another"


def _of_layers(study: Study, given: Any, of: Label | None) -> TwoDecisions:
    layers = Layers.of(study)
    first = layers.need(given, "given")
    others = [name for name in layers.codes if name != first]
    if of is None and len(others) != 1:
        raise OptionError(
            "Which layer depends on ", quoted(first), "? Say ", remedy(of=...), ", one of ", all_quoted(others), "."
        )
    second = others[0] if of is None else layers.need(of, "of")
    if second == first:
        raise OptionError(
            Keyword("given"),
            " and ",
            Keyword("of"),
            " are the same layer, ",
            quoted(first),
            ". Name two different ones.",
        )
    return joint_of_layers(study, layers, first, second)


def joint_of_layers(study: Study, layers: Layers, first: Label, second: Label) -> TwoDecisions:
    """The answers in one layer with what the same annotators said of the same items in another."""
    present = layers.codes[second] >= 0
    like = layers.study(study, layers.answers[second], layers.codes[second])
    return _together(like, layers.codes[first][present], layers.answers[first].labels, f"{first!r}", f"{second!r}")


def _together(study: Study, codes: IntArray, values: tuple[Any, ...], first: str, second: str) -> TwoDecisions:
    """A study whose answers are both decisions at once; `codes` has the first decision of each annotation."""
    answer, size = study._annotations.rows[2], len(study.answers)
    present = codes >= 0
    used, place = np.unique(codes[present] * size + answer[present], return_inverse=True)
    decision, then = np.divmod(used, max(size, 1))
    together = Answers("single", tuple(range(len(used))))
    both = study._with_annotations(study._annotations.keep(present).answered(together, place))
    return TwoDecisions(both, first, second, values, decision, then, int((~present).sum()))


# -- the coefficient ---------------------------------------------------------------------------------------------------


class Conditional(Smooth):
    """The sums are, for each decision, the pairs that agree; then, for each joint answer, its share of the pairs."""

    def __init__(self, joint: TwoDecisions) -> None:
        tally = joint.study.tally()
        self.joint = joint
        self.decisions = joint.decisions
        self.patterns = _pairs(tally, joint).per_item > 0  # patterns of which two answers agree on the first decision
        self.tally = tally.where(self.patterns)
        self.pairs = _pairs(self.tally, joint)
        self.item_sums = self._agreed().joined(self._given())

    def _agreed(self) -> ItemSums:
        """For each pattern and decision: the share of the item's pairs that agree on both."""
        tally, decision = self.tally, self.joint.decision[self.tally.answer]
        alike = tally.count * (tally.count - 1.0) / 2 / self.pairs.per_item[tally.pattern]
        return ItemSums(decision, alike, tally.starts, len(self.decisions))

    def _given(self) -> ItemSums:
        """For each pattern and joint answer: its share of the answers in the item's pairs."""
        tally = self.tally
        share = tally.count * (self.pairs.with_same - 1.0) / 2 / self.pairs.per_item[tally.pattern]
        return ItemSums(tally.answer, share, tally.starts, len(self.joint.decision))

    def by_decision(self, sums: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
        """(…, V) agreement, weight and weighted chance of each decision, none of them divided yet."""
        size = len(self.decisions)
        agreed, given = sums[..., :size], sums[..., size:]
        weight, squares = np.zeros_like(agreed), np.zeros_like(agreed)
        for answer, decision in enumerate(self.joint.decision):
            weight[..., decision] += given[..., answer]
            squares[..., decision] += given[..., answer] ** 2
        return agreed, weight, np.nan_to_num(divide(squares, weight))

    @cached_property
    def seen(self) -> tuple[FloatArray, FloatArray, FloatArray]:
        """The same on the items of the study."""
        return self.by_decision(self.item_sums.total(self.tally.items))

    def combine(self, sums: FloatArray) -> Parts:
        """Over all decisions."""
        agreed, weight, chance_sum = self.by_decision(sums)
        total = weight.sum(-1)
        observed, expected = divide(agreed.sum(-1), total), divide(chance_sum.sum(-1), total)
        return Parts(observed, expected, chance_corrected(observed, expected))

    def slopes(self, sums: FloatArray) -> FloatArray:
        """By the chain rule on (A − E) / (W − E), with E = Σ m² / W in each decision."""
        agreed, weight, chance_sum = self.by_decision(sums)
        room = float((weight - chance_sum).sum())
        value = float((agreed - chance_sum).sum()) / room
        decision = self.joint.decision
        share = np.nan_to_num(divide(sums[len(self.decisions) :], weight[decision]))
        by_chance = 2 * share - np.nan_to_num(divide(chance_sum, weight))[decision]
        return np.concatenate((np.ones(len(self.decisions)), (value - 1) * by_chance - value)) / room

    def decomposition(self) -> Decomposition:
        """Each item against the study's chance, all decisions together."""
        tally = self.tally
        agreed = tally.per_pattern(self._agreed().values)
        value = chance_corrected(agreed, np.asarray(self.parts.expected))
        return Decomposition(agreed, value, np.full(len(tally), 1 / max(tally.n_items, 1)))

    def alike(self, left: IntArray, right: IntArray) -> FloatArray:
        """The same on both decisions."""
        return np.asarray(left == right, dtype=np.float64)


@dataclass(frozen=True, eq=False)
class DecisionPairs:
    """Pairs of answers with the same first decision."""

    with_same: FloatArray  # (E,) for each entry, how many answers of its item share its decision
    by_decision: FloatArray  # (P, V) how many such pairs an item of each pattern has

    @cached_property
    def per_item(self) -> FloatArray:
        """(P,) the same over all decisions."""
        return np.asarray(self.by_decision.sum(1))


def _pairs(tally: Tally, joint: TwoDecisions) -> DecisionPairs:
    size = len(joint.decisions)
    key = tally.pattern * size + joint.decision[tally.answer]
    alike = add_up(key, tally.count, len(tally) * size)
    return DecisionPairs(alike[key], (alike * (alike - 1) / 2).reshape(len(tally), size))


def _resampled(whole: Conditional, units: Units, n_resamples: int, rng: np.random.Generator) -> FloatArray:
    """(draws, 1 + V) the value over all decisions, and of each, on items drawn again."""
    values = np.full((n_resamples, 1 + len(whole.decisions)), np.nan)
    if not units.number:
        return values
    again = resampling.RedrawnItems(units)
    for first, last in resampling.blocks(n_resamples, max(again.width, whole.item_sums.width)):
        sums = whole.item_sums.total(again.draw(rng, last - first))
        agreed, weight, chance_sum = whole.by_decision(sums)
        values[first:last, 0] = whole.combine(sums).value
        values[first:last, 1:] = chance_corrected(divide(agreed, weight), divide(chance_sum, weight))
    return values


def _row(
    whole: Conditional, place: int | None, values: FloatArray, confidence: float, seed: int | None
) -> dict[str, Any]:
    """The whole, or one decision."""
    agreed, weight, chance_sum = (part if place is None else part[place] for part in whole.seen)
    total = float(weight.sum())
    observed, expected = (float(divide(part.sum(), total)) for part in (agreed, chance_sum))
    value = float(chance_corrected(np.asarray(observed), np.asarray(expected)))
    why = _why(place, total, value)
    span = from_resamples(values, confidence, seed) if why is None else no_interval(why, confidence, "bootstrap")
    return {
        "given": ALL if place is None else whole.decisions[place],
        "value": value,
        "low": span.low,
        "high": span.high,
        "observed": observed,
        "expected": expected,
        "pairs": _number_of_pairs(whole, place),
        "items": total,
        "p": p_value(value, span.se),
        "undefined": why or span.undefined or "",
    }


def _why(place: int | None, total: float, value: float) -> str | None:
    if total == 0:
        return "No two answers to an item agree on it."
    if math.isfinite(value):
        return None
    which = "these decisions" if place is None else "this decision"
    return f"After {which} one answer only was given, so there is nothing to agree on."


def _number_of_pairs(whole: Conditional, place: int | None) -> int:
    pairs = whole.pairs.per_item if place is None else whole.pairs.by_decision[:, place]
    return round(float(whole.tally.items @ pairs))


def _notes(whole: Conditional, seed: int | None) -> tuple[str, ...]:
    notes = [EACH_ITEM_ONCE]
    if whole.joint.left_out:
        notes.append(f"{whole.joint.left_out:,} answers say nothing of the first decision and are left out.")
    if seed is not None:
        notes.append(f"Bootstrap intervals over items, seed {seed}.")
    return tuple(notes)
