"""Where a value comes from: by item, by label, by annotator, by pair."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from accord.agreement.breakdowns_in_engine import agreement_of_each, crowd_of
from accord.agreement.inference.annotator_errors import OwnChance, errors_of_each
from accord.agreement.registry import MEASURES
from accord.agreement.result import Agreement
from accord.agreement.table import Table
from accord.annotations.answers import Answers
from accord.annotations.arrays import FloatArray, IntArray, add_up, divide
from accord.annotations.tally import Tally
from accord.coefficients.annotator_pairs import AnnotatorPairs
from accord.coefficients.chance import MODELS, Chance, NoChance, Own, Uniform
from accord.coefficients.coefficient import Coefficient, Each, MeanOfPairs, Tabular, chance_corrected
from accord.coefficients.dipietro_hazari import VERDICTS, Differential
from accord.coefficients.in_engine import CrowdMean, CrowdOwn, CrowdPairs
from accord.coefficients.weights import Identity
from accord.errors import MeasureError, OptionError, counted

MOST_PAIRS_ONE_BY_ONE = 2_000
ALWAYS_OR_NEVER = "the label was given always or never, so chance alone would give full agreement."
NO_OTHERS = "nobody else answered the same items, or chance alone would give full agreement."
ONE_LABEL = "the two gave one and the same answer throughout, so chance alone would give full agreement."


def by_item(result: Agreement) -> Table:
    """One row an item of the study."""
    study, coefficient = result.study, result.coefficient
    tally = study.tally()
    answered, observed = np.zeros(len(study.items), np.int64), np.full(len(study.items), np.nan)
    place = _located(tally)
    answered[place >= 0] = tally.answered[place[place >= 0]]
    value, weight = observed.copy(), np.zeros(len(study.items))
    if coefficient is not None:
        parts = coefficient.decomposition()
        place = _located(coefficient.tally)
        inside = place >= 0
        observed[inside], value[inside] = parts.observed[place[inside]], parts.value[place[inside]]
        weight[inside] = parts.weight[place[inside]]
    more: dict[str, list[Any]] = {}
    kept = answered > 0
    if coefficient is not None:
        chosen = place[kept].tolist()
        for name, cells in coefficient.pattern_columns().items():
            more[name] = [cells[pattern] if pattern >= 0 else None for pattern in chosen]
    items = study.items
    return Table(
        f"{result.title} by item",
        {
            "item": [items[number] for number in np.nonzero(kept)[0].tolist()],
            "answers": answered[kept],
            "observed": observed[kept],
            "value": value[kept],
            "weight": weight[kept],
            **more,
        },
        _gaps(value[kept], result, "an item with a single answer has nothing to be compared with."),
    )


def _gaps(values: FloatArray, result: Agreement, reason: str) -> tuple[str, ...]:
    """Where rows have no value, a note says why."""
    missing = int((~np.isfinite(values)).sum())
    told = result.undefined if result.coefficient is None and result.undefined else reason
    return (f"{counted(missing, 'rows')} without a value: {told}",) if missing else ()


def _located(tally: Tally) -> IntArray:
    if tally.locate is None:
        raise MeasureError("The items are not known one by one.")
    return tally.locate()


# -- by label --------------------------------------------------------------------------------------------------------


def by_label(result: Agreement, chance: str | None) -> Table:
    """Each label against the rest, every annotator's answer reduced to whether it holds the label."""
    study = result.study
    if result.measure == "dipietro_hazari_kappa" and chance is None:
        return suggestions_by_label(result)
    if study.kind == "score":
        raise MeasureError("Scores have no labels; by_item() and by_annotator() show where they differ.")
    model = _label_chance(result, chance)
    each: Each = "answer" if result.measure == "krippendorff_alpha" and chance is None else "item"
    named = model == "own"
    if named and not study._annotations.named:
        raise MeasureError("chance='own' needs to know who answered, and this study does not say.")
    tally = study.tally(named=named)
    tally = tally.where(tally.pairable) if named and study.n_annotators == 2 else tally
    holds = _holding(study.answers)
    rows = [_label_parts(tally, holds[:, label], model, each) for label in range(len(study.labels))]
    counts = tally.per_answer(tally.count * tally.items[tally.pattern]) @ holds
    title = f"{result.title} by label: each against the rest"
    low, high = _around(np.array([row[2] for row in rows]), np.array([row[3] for row in rows]))
    return Table(
        title,
        {
            "label": list(study.labels),
            "answers": counts.astype(np.int64),
            "share": divide(counts, np.asarray(counts.sum() if study.kind != "set" else tally.n_answers)),
            "observed": np.array([row[0] for row in rows]),
            "expected": np.array([row[1] for row in rows]),
            "value": np.array([row[2] for row in rows]),
            "low": low,
            "high": high,
        },
        (f"Chance model: {model}.", *_gaps(np.array([row[2] for row in rows]), result, ALWAYS_OR_NEVER)),
    )


def _label_chance(result: Agreement, chance: str | None) -> str:
    if chance is not None and chance not in ("pooled", "own"):
        raise OptionError.choice("chance", chance, ("pooled", "own"))
    own = chance or MEASURES[result.measure].chance
    return chance or ("pooled" if own == "own" else own)


def _holding(answers: Answers) -> FloatArray:
    """(K, labels): does an answer count for a label? A ranked answer counts for its primary one."""
    if answers.kind != "ranked":
        return answers.membership.astype(np.float64)
    primary = np.zeros((len(answers), len(answers.labels)))
    primary[np.arange(len(answers)), [members[0] for members in answers.members]] = 1.0
    return primary


def _label_parts(tally: Tally, holds: FloatArray, model: str, each: Each) -> tuple[float, float, float, float]:
    """Observed, expected, value and standard error of one label against the rest."""
    binary = Answers("single", (False, True))
    told = tally.relabelled(binary, holds.astype(np.int64))
    if not told.pairable.any():
        return math.nan, math.nan, math.nan, math.nan
    from accord.coefficients.units import Units

    coefficient = Tabular(told, Identity(2), MODELS[model](told), each)
    parts = coefficient.parts
    defined = math.isfinite(float(parts.value))
    error = Units(coefficient.tally).error(coefficient.influence()) if defined else math.nan
    return float(parts.observed), float(parts.expected), float(parts.value), error


# -- by annotator ----------------------------------------------------------------------------------------------------


def by_annotator(result: Agreement) -> Table:
    """The same sums over the pairs of answers that hold one of theirs, each with the weight it has in the whole."""
    study, coefficient = result.study, result.coefficient
    _need_names(result, "by_annotator()")
    people = study._present
    crowd = crowd_of(study, suggested=isinstance(coefficient, Differential))
    observed, expected, value, error = (np.full(len(study.annotators), np.nan) for _ in range(4))
    if crowd is not None:
        answers = crowd.cells.sum(axis=1)
    else:
        tally = study.tally(named=True)
        answers = add_up(_who(tally), tally.count * tally.items[tally.pattern], len(study.annotators))
    if isinstance(coefficient, MeanOfPairs):
        observed, expected, value = _mean_of_own_pairs(coefficient, len(study.annotators))
        error = _error_of_own_pairs(coefficient, len(study.annotators))
    elif isinstance(coefficient, CrowdMean):
        observed, expected, value, error = coefficient.of_each()
    elif coefficient is not None and crowd is not None:
        observed, expected, value, error = agreement_of_each(crowd, coefficient)
    elif coefficient is not None:
        among = coefficient.among(tally)
        observed = _observed_of_each(among, coefficient)
        expected = _expected_of_each(tally, coefficient)
        value = chance_corrected(observed, expected)
        error = errors_of_each(among, coefficient, observed, expected)
    low, high = _around(value, error)
    return Table(
        f"{result.title} by annotator: each with the others",
        {
            "annotator": [study.annotators[person] for person in people],
            "answers": answers[people].astype(np.int64),
            "observed": observed[people],
            "expected": expected[people],
            "value": value[people],
            "low": low[people],
            "high": high[people],
        },
        (*_gaps(value[people], result, NO_OTHERS), *_unsure(value[people], error[people], result)),
    )


def _unsure(value: FloatArray, error: FloatArray, result: Agreement) -> tuple[str, ...]:
    """Where values of several items have no interval, a note says why."""
    missing = int((np.isfinite(value) & ~np.isfinite(error)).sum()) if result.n_items > 1 else 0
    told = "their errors would need every answer of everybody; fewer annotators, or a frame in memory, have them."
    return (f"{counted(missing, 'rows')} without an interval: {told}",) if missing else ()


def _around(value: FloatArray, error: FloatArray) -> tuple[FloatArray, FloatArray]:
    """95 % intervals, cut at 1."""
    reach = 1.959963984540054 * error
    return value - reach, np.minimum(value + reach, 1.0)


def _error_of_own_pairs(coefficient: MeanOfPairs, size: int) -> FloatArray:
    """For a mean of pairs: the scores of an annotator's own meetings, summed within items."""
    met, items = coefficient.meetings, coefficient.tally.items.astype(np.float64)
    _, _, value, _, scores = _pairs_at_once(coefficient.tally, met, coefficient)
    there = np.isfinite(value)
    number = add_up(met.first[there], np.ones(int(there.sum())), size) + add_up(
        met.second[there], np.ones(int(there.sum())), size
    )
    common = met.common(items)
    part = np.where(there[met.pair], np.nan_to_num(scores) / common[met.pair], 0.0)
    if isinstance(coefficient, CrowdPairs):  # whose patterns are meetings: what belongs to an item the engine knows
        squares, whole = coefficient.crowd.squares_of_each(part), float(coefficient.counted.n_items)
    else:
        keys = np.concatenate([met.pattern * size + end[met.pair] for end in (met.first, met.second)])
        distinct, place = np.unique(keys, return_inverse=True)
        total = add_up(place, np.concatenate((part, part)), len(distinct))
        squares, whole = add_up(distinct % size, items[distinct // size] * total**2, size), float(items.sum())
    squares = squares * (whole / max(whole - 1, 1))  # as every analytic error
    return np.where(number > 0, np.sqrt(squares) / np.maximum(number, 1), np.nan)


def _observed_of_each(tally: Tally, coefficient: Coefficient) -> FloatArray:
    """A pair of answers weighs 1 / (r (r − 1)) where items count once, 1 / (r − 1) where answers do."""
    met = AnnotatorPairs.of(tally)
    answered = tally.answered[met.pattern].astype(np.float64)
    each = getattr(coefficient, "each", "answer")
    weight = tally.items[met.pattern] / (answered - 1) / (answered if each == "item" else 1.0)
    alike = weight * coefficient.meeting(tally, met)
    ends = (met.first[met.pair], met.second[met.pair])
    size = len(tally.annotators)
    total, share = (sum(add_up(end, part, size) for end in ends) for part in (alike, weight))
    return divide(total, share)


def _expected_of_each(tally: Tally, coefficient: Coefficient) -> FloatArray:
    """The study's chance; with own mixes, the mean over the pairs that hold the annotator."""
    size = len(tally.annotators)
    if not isinstance(coefficient, Tabular) or not isinstance(coefficient.chance, Own):
        return np.full(size, float(coefficient.parts.expected))
    cells = coefficient.chance.features(coefficient.tally).total(coefficient.tally.items)
    return OwnChance.of(cells.reshape(size, -1), coefficient.chance_weights).expected


def _mean_of_own_pairs(coefficient: MeanOfPairs, size: int) -> tuple[FloatArray, FloatArray, FloatArray]:
    """For a mean of pairs: the mean over an annotator's own pairs."""
    pairs, *_ = coefficient.by_pair(coefficient.sums)
    met = coefficient.meetings
    there = np.isfinite(pairs.value)
    number = sum(np.bincount(end[there], minlength=size) for end in (met.first, met.second))
    means = []
    for part in (pairs.observed, pairs.expected, pairs.value):
        total = sum(add_up(end[there], part[there], size) for end in (met.first, met.second))
        means.append(divide(np.asarray(total), np.asarray(number)))
    return means[0], means[1], means[2]


# -- by pair ---------------------------------------------------------------------------------------------------------


def by_pair(result: Agreement) -> Table:
    """The measure itself on each pair of annotators who met, with its standard error."""
    _need_names(result, "by_pair()")
    study, coefficient = result.study, result.coefficient
    crowd = crowd_of(study)
    tally = study.tally(named=True) if crowd is None else crowd.pair_tally
    tally = tally.where(tally.pairable)
    met = AnnotatorPairs.of(tally)
    common = met.common(tally.items)
    if coefficient is None:
        observed, expected, value, error = (np.full(len(met), np.nan) for _ in range(4))
    elif isinstance(coefficient, Tabular | MeanOfPairs | CrowdOwn):
        observed, expected, value, error, _ = _pairs_at_once(tally, met, coefficient)
    else:
        observed, expected, value, error = _pairs_one_by_one(result, met)
    names = study.annotators
    return Table(
        f"{result.title} by pair of annotators, on the items both answered",
        {
            "first": [names[person] for person in met.first],
            "second": [names[person] for person in met.second],
            "items": common.astype(np.int64),
            "observed": observed,
            "expected": expected,
            "value": value,
            "se": error,
        },
        _gaps(value, result, ONE_LABEL),
    )


def _pairs_at_once(
    tally: Tally, met: AnnotatorPairs, coefficient: Tabular | MeanOfPairs | CrowdOwn
) -> tuple[FloatArray, FloatArray, FloatArray, FloatArray, FloatArray]:
    """All pairs together: observed, expected, value, standard error, and the score of each meeting."""
    items, size = tally.items, len(tally.answers)
    alike = coefficient.weights.between(met.said, met.replied)
    weights = coefficient.chance_weights if isinstance(coefficient, Tabular) else coefficient.weights
    common, observed = met.common(items), met.mean(alike, items)
    first, second = met.answers(items, size)
    chance: Chance = coefficient.chance if isinstance(coefficient, Tabular) else Own(2, size)
    if isinstance(chance, Own):
        expected = (first * weights.apply(second)).sum(1) / common**2
        by_first = (weights.apply(second) / common[:, None] - expected[:, None]) / common[:, None]
        by_second = (weights.apply(first) / common[:, None] - expected[:, None]) / common[:, None]
        moved = common[met.pair] * (by_first[met.pair, met.said] + by_second[met.pair, met.replied])
    else:
        share = 1.0 if chance.name in ("without-replacement", "pooled-counts") else 0.5
        sums = share * (first + second)
        expected = chance.expected(sums, weights)
        moved = np.zeros(len(alike))
        if not isinstance(chance, Uniform | NoChance):
            slopes = chance.slopes(sums, weights)
            moved = common[met.pair] * share * (slopes[met.pair, met.said] + slopes[met.pair, met.replied])
    value = chance_corrected(observed, expected)
    scores = divide(alike - observed[met.pair] - (1 - value[met.pair]) * moved, (1 - expected)[met.pair])
    scores -= met.mean(scores, items)[met.pair]  # not zero already where luck draws without replacement
    squares = add_up(met.pair, items[met.pattern] * scores**2, len(met))
    return observed, expected, value, np.sqrt(divide(squares, common * (common - 1))), scores


def _pairs_one_by_one(result: Agreement, met: AnnotatorPairs) -> tuple[FloatArray, FloatArray, FloatArray, FloatArray]:
    """Each pair as a study of its own, for measures that are not made of a table."""
    if len(met) > MOST_PAIRS_ONE_BY_ONE:
        raise MeasureError(
            f"{len(met):,} pairs of annotators met; at a numeric level pairs are measured one by one, at most "
            f"{MOST_PAIRS_ONE_BY_ONE:,} of them. Choose some: study.of_annotators([…])."
        )
    from accord.coefficients.units import Units

    rows = []
    for first, second in zip(met.first, met.second, strict=True):
        both = result.study._where(np.isin(result.study._annotations.rows[1], (first, second)))
        coefficient = result.recipe(both)
        parts = coefficient.parts
        defined = math.isfinite(float(parts.value))
        error = Units(coefficient.tally).error(coefficient.influence()) if defined else math.nan
        rows.append((float(parts.observed), float(parts.expected), float(parts.value), error))
    columns = np.array(rows).reshape(-1, 4)
    return columns[:, 0], columns[:, 1], columns[:, 2], columns[:, 3]


def _who(tally: Tally) -> IntArray:
    assert tally.annotator is not None
    return tally.annotator


def _need_names(result: Agreement, what: str) -> None:
    if not result.study._annotations.named:
        raise MeasureError(f"{what} needs to know who answered, and a {result.study.shape} does not say.")
    if result.study._annotations.repeated:
        raise MeasureError(f"{what} compares annotators, and some answered an item more than once: duplicates='first'.")


def suggestions_by_label(result: Agreement) -> Table:
    """One row a label: how often it was given and suggested, and how good it is where it is suggested."""
    found = result.coefficient
    if not isinstance(found, Differential):
        labels = list(result.study.labels)
        return Table(f"{result.title} by label", {"label": labels}, (result.undefined or "",))
    size, items, key = len(found.labels), found.tally.items, found.key
    pairable = add_up(key, items * found.tally.pairable, size)
    right, wrong = (
        divide(add_up(key, items * np.nan_to_num(part), size), pairable) for part in (found.right, found.wrong)
    )
    expected = 2 * found.given**2 - found.given @ found.given
    verdicts = {name: add_up(key, items * (found.verdict == place), size) for place, name in enumerate(VERDICTS)}
    return Table(
        f"{result.title} by suggested label",
        {
            "label": list(found.labels),
            "given": found.given,
            "items": found._suggested,  # noqa: SLF001 - its own module
            "suggested": found.proposed,
            "right": right,
            "wrong": wrong,
            "observed": right - wrong,
            "expected": expected,
            "value": chance_corrected(right - wrong, expected),
            "good": verdicts["good"].astype(np.int64),
            "poor": verdicts["poor"].astype(np.int64),
            "very_poor": verdicts["very poor"].astype(np.int64),
        },
        (
            "Good: most annotators gave the suggested label; very poor: most gave one other label; poor: neither.",
            "Expected is what luck gives on items with that suggestion; its mean over suggestions is the study's.",
        ),
    )
