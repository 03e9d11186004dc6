"""Where a value comes from: by item, by label, by annotator, by pair."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Any, Literal

import numpy as np

from accord.agreement.build import coefficient_of, differential
from accord.agreement.inference.informative_items import analytic_interval
from accord.agreement.inference.wald import SINGLE, no_interval
from accord.agreement.result import Agreement
from accord.agreement.table import Table
from accord.agreement.uncertainty import Interval
from accord.annotations.answers import Answers
from accord.annotations.arrays import FloatArray, IntArray, add_up, divide
from accord.annotations.tally import Tally
from accord.coefficients.annotator_pairs import AnnotatorPairs
from accord.coefficients.annotator_values import who_answered
from accord.coefficients.chance import MODELS, Each, kind_of
from accord.coefficients.coefficient import MOSTLY_CHANCE, Tabular
from accord.coefficients.dipietro_hazari import VERDICTS
from accord.coefficients.formula import chance_corrected
from accord.coefficients.measurable import Breakdown, Measurable, Parts
from accord.coefficients.mixed_weights import for_answers, identity_for
from accord.coefficients.redrawn import SEED
from accord.coefficients.standard_errors import NO_ERROR, NORMAL, Ends, limits
from accord.coefficients.units import Sampled, Units
from accord.coefficients.weighted_items import WeightedItems
from accord.coefficients.weights import RANKED, split_mass, usual_p
from accord.coefficients.weights import against_the_rest as rest_of
from accord.errors import (
    Keyword,
    MeasureError,
    Message,
    Part,
    Wording,
    collected,
    counted,
    in_python,
    nobody_named,
    remedy,
    some_annotators,
)
from accord.options import check_choice
from accord.study.study import Study

MOST_PAIRS_ONE_BY_ONE = 2_000
ROWS_OF = {"by_item": "items", "by_annotator": "annotators", "by_pair": "pairs of annotators", "by_group": "groups"}
MOST_CELLS = 25_000_000  # answers × labels
ALWAYS_OR_NEVER = "the label was given always or never, so chance alone would give full agreement."
NO_OTHERS = "nobody else answered the same items, or chance alone would give full agreement."
BY_PRIMARY = "Of each answer its primary label alone counts: secondary labels do not enter."
BY_SHARES = "An answer counts for each of its labels by that label's share; “answers” are those that give it any."
MADE_UP = "The value is the mean of its labels' values, each weighted by 1 − expected."
EITHER = Answers("single", (False, True))  # is it the label, or not?
ONE_LABEL = "the two gave one and the same answer throughout, so chance alone would give full agreement."


def by_item(result: Agreement) -> Table:
    """One row per item of the study."""
    study, coefficient = result.study, result.coefficient
    tally = study.tally()  # all that was given, repeats too
    answered, observed = np.zeros(len(study.items), np.int64), np.full(len(study.items), np.nan)
    place = _located(tally)
    answered[place >= 0] = tally.answered[place[place >= 0]]
    value, weight = observed.copy(), np.zeros(len(study.items))
    if coefficient is not None:
        parts = coefficient.decomposition()
        place = _located(coefficient.sample)
        inside = place >= 0
        observed[inside], value[inside] = parts.observed[place[inside]], parts.value[place[inside]]
        weight[inside] = parts.weight[place[inside]]
    more: dict[str, list[Any]] = {}
    kept = answered > 0
    if coefficient is not None:
        chosen = place[kept].tolist()
        for name, cells in coefficient.unit_columns().items():
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
        _gaps(value[kept], result, _own_reason(coefficient, "item") or _alone(study)),
    )


def _own_reason(coefficient: Measurable | None, part: Literal["item", "pair"]) -> str | None:
    """Why a part has no value, where the measure knows."""
    return None if coefficient is None else coefficient.why_no_part(part)


def _alone(study: Study) -> str:
    """Why an item has no value."""
    answer = "answers of one person only" if study._annotations.repeated else "a single answer"
    return f"an item with {answer} has nothing to be compared with."


def _gaps(values: FloatArray, result: Agreement, reason: str) -> tuple[str, ...]:
    """Where rows have no value, a note says why."""
    missing = int((~np.isfinite(values)).sum())
    why = result.undefined if result.coefficient is None and result.undefined else reason
    return (f"{counted(missing, 'rows')} without a value: {why}",) if missing else ()


def _located(sample: Sampled) -> IntArray:
    if sample.locate is None:
        raise MeasureError(
            "The items stay in the engine and are not known one by one. Collect the frame, or filter it first.",
            remedies=[collected()],
        )
    return sample.locate()


# -- by label --------------------------------------------------------------------------------------------------------


def by_label(result: Agreement, chance: str | None) -> Table:
    """Each label against the rest, every annotator's answer reduced to whether it holds the label."""
    study = result.study
    if result.entry.by_label is not None and chance is None:
        result.entry.check(study)  # with groups a result may stand for answers of another kind
        return result.entry.by_label(result)
    alone = None if result.coefficient is None else [result.coefficient.of_label(k) for k in range(len(study.labels))]
    if alone and None not in alone:
        return labels_alone(result, alone)
    if study.kind == "score":
        tables = _other_tables(result, ("by_item", "by_annotator", "by_pair"))
        raise MeasureError("Scores have no labels; ", _shown_by(tables), " where they differ.", available=tables)
    if not _compares_answers(result):
        tables = _other_tables(result, ("by_annotator", "by_pair", "by_item"))
        raise MeasureError(
            f"{result.title} is not made of answers that are the same or not, so no label has a value of its own; ",
            _shown_by(tables),
            " where it differs.",
            available=tables,
        )
    shares = _shares_of_labels(result)
    if shares is not None and chance in (None, result.entry.chance):
        made_of = _made_of_labels(result, shares)
        if made_of:
            return _against_the_rest(result, made_of, study.tally(), shares, (MADE_UP, BY_SHARES), shared=True)
    model = _label_chance(result, chance)
    each: Each = "answer" if result.entry.each == "answer" and chance is None else "item"
    named = kind_of(model).named
    if named and not study._annotations.named:
        raise MeasureError(
            Keyword("chance", "own"), " needs to know who answered, and this study does not say. Choose ",
            remedy(chance="pooled"), ".",
        )  # fmt: skip
    _refuse_many_labels(study)
    tally = study._weighed._tally_of_people(named=named)
    tally = tally.where(tally.pairable) if named and study.n_annotators == 2 else tally
    way: tuple[Part, ...] = ("Divide answers between their labels: ", remedy(weights="overlap"), ". ")
    holds = study.answers.stands_for("A coefficient of one label", *way) if shares is None else shares
    # one at a time: each keeps sums over all patterns, of which there are as many as labels, or more
    parts = (_one_label(result, tally, held, model, each, shared=shares is not None) for held in holds.T)
    how = _how_labels_count(result, model, chance, shared=shares is not None)
    return _against_the_rest(result, parts, tally, holds, how, shared=shares is not None)


def _other_tables(result: Agreement, wanted: tuple[str, ...]) -> tuple[str, ...]:
    """The first two of these tables that the result has; by group, which every one has, where there is none."""
    known = ("by_item", "by_annotator", "by_pair") if result.coefficient is None else result.coefficient.tables
    if not result.study._annotations.named:
        known = tuple(name for name in known if name == "by_item")
    return tuple(name for name in wanted if name in known)[:2] or ("by_group",)


def _shown_by(tables: tuple[str, ...]) -> Wording:
    """Which tables show it, as a sentence begins."""
    verb = "shows" if len(tables) == 1 else "show"
    rows = " and ".join(ROWS_OF[name] for name in tables)
    return in_python(f"{' and '.join(f'{name}()' for name in tables)} {verb}", f"{rows} show")


def _compares_answers(result: Agreement) -> bool:
    """Is it made of answers compared one by one? Then so is its value of one label against the rest."""
    coefficient = result.coefficient
    return result.entry.by_answers and (coefficient is None or coefficient.unweighted.on_patterns() is not None)


def _refuse_many_labels(study: Study) -> None:
    """Refuse a table of answers by labels that would not lie in memory beside all else."""
    answers, labels = len(study.answers), len(study.labels)
    if answers * labels > MOST_CELLS:
        raise MeasureError(
            f"Values by label take a table of {answers:,} answers × {labels:,} labels, and it may have "
            f"{MOST_CELLS:,} cells. Merge rare labels first.",
            remedies=[remedy(recode=...)],
        )


def _against_the_rest(
    result: Agreement,
    parts: Iterable[Measurable | None],
    tally: Tally,
    holds: FloatArray,
    notes: Sequence[str],
    *,
    shared: bool,
) -> Table:
    """A row per label from its coefficients; `holds` (K, labels) is how much of each label an answer holds."""
    divided = tally.where(tally.pairable) if shared else None
    rows = [_label_parts(result.study, part, divided, held) for part, held in zip(parts, holds.T, strict=True)]
    value = np.array([row[2] for row in rows])
    given = tally.answers.onto_scale(tally.per_answer(tally.count * tally.items[tally.pattern])) @ holds
    whole = given.sum() if result.study.kind != "set" else float(tally.items @ tally.answered)
    return Table(
        f"{result.title} by label: each against the rest",
        {
            "label": list(result.study.labels),
            "answers": _times_given(result.study, tally, np.sign(holds)).astype(np.int64),
            "share": divide(given, np.asarray(whole)),
            "observed": np.array([row[0] for row in rows]),
            "expected": np.array([row[1] for row in rows]),
            "value": value,
            "low": np.array([row[3].low for row in rows]),
            "high": np.array([row[3].high for row in rows]),
        },
        (
            *notes,
            *_gaps(value, result, ALWAYS_OR_NEVER),
            *_without_intervals([row[3] for row in rows if math.isfinite(row[2])]),
        ),
    )


def _shares_of_labels(result: Agreement) -> FloatArray | None:
    """(K, labels) how each answer is divided between labels, where the weights divide it: p to the primary one."""
    study, weights = result.study, result.options.get("weights")
    if study.kind != "ranked" or not isinstance(weights, str) or weights not in RANKED:
        return None
    return split_mass(study.answers, result.options.get("p", usual_p(study.answers)))


def _made_of_labels(result: Agreement, shares: FloatArray) -> list[Measurable] | None:
    """The coefficients whose mean, weighted by 1 − expected, is the value; None where there are none."""
    coefficient = result.coefficient.on_patterns() if result.coefficient is not None else None
    if coefficient is None:
        return None
    found = [coefficient.against_the_rest(rest_of(result.options["weights"], held)) for held in shares.T]
    parts = [part for part in found if part is not None]
    return parts if len(parts) == len(found) else None


def _times_given(study: Study, tally: Tally, holds: FloatArray) -> FloatArray:
    """(labels,) how often each label was given; where somebody answered again, by all answers."""
    given = study.tally() if study._annotations.repeated else tally
    return np.asarray(given.per_answer(given.count * given.units[given.pattern]) @ holds)


def labels_alone(
    result: Agreement, alone: Sequence[Measurable | None], what: str = "each by itself", notes: tuple[str, ...] = ()
) -> Table:
    """Where a measure knows each label by itself: one row each, against the chance of the whole; NaN without a part."""
    nothing = Parts.of_value(np.array(np.nan))
    parts = [nothing if part is None else part.parts for part in alone]
    ends = (result.entry.low, result.entry.high)
    spans = [
        no_interval("") if part is None else analytic_interval(part, Units.of(result.study, part.sample, None), ends)
        for part in alone
    ]
    return Table(
        f"{result.title} by label: {what}",
        {
            "label": list(result.study.labels),
            "answers": np.array([0 if part is None else part.n_answers for part in alone]),
            "observed": np.array([float(part.observed) for part in parts]),
            "expected": np.array([float(part.expected) for part in parts]),
            "value": np.array([float(part.value) for part in parts]),
            "low": np.array([span.low for span in spans]),
            "high": np.array([span.high for span in spans]),
            **({} if result.coefficient is None else result.coefficient.label_columns()),
        },
        notes or _without_intervals(spans),
    )


def _without_intervals(spans: Sequence[Interval]) -> tuple[str, ...]:
    """A note where some labels that have a value have no interval."""
    missing = sum(math.isnan(span.low) for span in spans)
    few = "too few items (or clusters of them) hold them to tell"
    return (f"{counted(missing, 'labels')} without an interval: {few}.",) if missing else ()


def _label_chance(result: Agreement, chance: str | None) -> str:
    if chance is not None:
        check_choice("chance", chance, ("pooled", "own"))
    return chance or ("pooled" if kind_of(result.entry.chance).named else result.entry.chance)


def _how_labels_count(result: Agreement, model: str, chance: str | None, *, shared: bool) -> list[str]:
    """Which chance model, where it is not the coefficient's own; and which label of a ranked answer counts."""
    notes: list[str] = [f"Chance model: {model}."]
    if kind_of(result.entry.chance).named and chance is None:
        pooled = "Scott's pi" if result.study.n_annotators == 2 else "Fleiss' kappa"
        notes[0] = Message(
            f"Chance model: pooled, so the values are {pooled} of each label against the rest",
            in_python("; chance='own' has Cohen's", ""),
            ".",
        )
    if result.study.kind == "ranked":
        notes.append(BY_SHARES if shared else BY_PRIMARY)
    return notes


def _one_label(
    result: Agreement, tally: Tally, held: FloatArray, model: str, each: Each, *, shared: bool
) -> Measurable | None:
    """One label against the rest: answers that are divided keep their shares, others hold it or not."""
    if not tally.pairable.any():
        return None
    if shared:
        weights = for_answers(rest_of(result.options["weights"], held), tally.answers)
        part = Tabular(tally, weights, MODELS[model](tally), each)
    else:
        binary_tally = tally.relabelled(EITHER, held.astype(np.int64))
        part = Tabular(binary_tally, identity_for(binary_tally.answers), MODELS[model](binary_tally), each)
    of_items = result.study._item_weights
    return part if part.tally.weight is None or of_items is None else WeightedItems(part, of_items)


def _label_parts(
    study: Study, coefficient: Measurable | None, divided: Tally | None, held: FloatArray
) -> tuple[float, float, float, Interval]:
    """Observed, expected, value and interval of one label against the rest.

    The value may hang on few items: those that hold the label, or the rest. Where answers are divided between labels,
    the coefficient does not know which these are, and they are looked for among the patterns of `divided`.
    """
    if coefficient is None:
        return math.nan, math.nan, math.nan, no_interval(SINGLE)
    parts, either = coefficient.parts, None
    if divided is not None and float(parts.expected) > MOSTLY_CHANCE:
        either = divided.relabelled(EITHER, (held >= 0.5).astype(np.int64))
    span = analytic_interval(coefficient, Units.of(study, coefficient.sample, None), among=either)
    return float(parts.observed), float(parts.expected), float(parts.value), span


# -- by annotator ----------------------------------------------------------------------------------------------------


def by_annotator(result: Agreement) -> Table:
    """One row per annotator who answered anything: each with the others."""
    study, coefficient = result.study, result.coefficient
    _need_names(result, "A table by annotator")
    people = study._present
    found = Breakdown.nothing(len(study.annotators)) if coefficient is None else coefficient.by_annotator(study)
    value, error = found.value[people], found.error[people]
    low, high = _around(value, error, (result.entry.low, result.entry.high))
    return Table(
        f"{result.title} by annotator: each with the others",
        {
            "annotator": [study.annotators[person] for person in people],
            "answers": _answers_of_each(study)[people].astype(np.int64),
            "observed": found.observed[people],
            "expected": found.expected[people],
            "value": value,
            "low": low,
            "high": high,
        },
        (*_gaps(value, result, NO_OTHERS), *_unsure(value, error, result)),
    )


def _answers_of_each(study: Study) -> FloatArray:
    """(R,) how many answers each annotator gave."""
    known = study._annotations.crowd() or study._annotations.people_sums
    if known is not None:
        return np.asarray(known.cells.sum(axis=1), dtype=np.float64)
    tally = study.tally(named=True)
    return add_up(who_answered(tally), tally.count * tally.items[tally.pattern], len(study.annotators))


def _unsure(value: FloatArray, error: FloatArray, result: Agreement) -> tuple[str, ...]:
    """Where values of several items have no interval, a note says why."""
    missing = int((np.isfinite(value) & ~np.isfinite(error)).sum()) if result.n_items > 1 else 0
    reason = "their errors would need every answer of everybody; fewer annotators, or a frame in memory, have them."
    return (f"{counted(missing, 'rows')} without an interval: {reason}",) if missing else ()


def _around(value: FloatArray, error: FloatArray, ends: Ends) -> tuple[FloatArray, FloatArray]:
    """95 % intervals, cut where values of the measure end; none where no item differs from another."""
    low, high = limits(value, np.where(error > NO_ERROR, error, np.nan), df=NORMAL, ends=ends)
    return np.minimum(low, value), np.maximum(high, value)


# -- by pair ---------------------------------------------------------------------------------------------------------


def by_pair(result: Agreement) -> Table:
    """The measure itself on each pair of annotators who met, with its standard error."""
    _need_names(result, "A table by pair")
    study, coefficient = result.study, result.coefficient
    known = study._annotations.crowd() or study._annotations.people_sums
    tally = study._tally_of_people(named=True) if known is None else known.pair_tally
    tally = tally.where(tally.pairable)
    pairs = AnnotatorPairs.of(tally)
    found: Breakdown = Breakdown.nothing(len(pairs))
    notes: tuple[str, ...] = ()
    if coefficient is not None:
        known_pairs = coefficient.by_pair(tally, pairs)
        found, notes = (known_pairs, ()) if known_pairs is not None else _pairs_one_by_one(result, pairs)
    names = study.annotators
    return Table(
        f"{result.title} by pair of annotators, on the items both answered",
        {
            "first": [names[person] for person in pairs.first],
            "second": [names[person] for person in pairs.second],
            "items": pairs.common(tally.items).astype(np.int64),
            "observed": found.observed,
            "expected": found.expected,
            "value": found.value,
            "se": found.error,
        },
        (*_gaps(found.value, result, _own_reason(coefficient, "pair") or ONE_LABEL), *notes),
    )


def _pairs_one_by_one(result: Agreement, pairs: AnnotatorPairs) -> tuple[Breakdown, tuple[str, ...]]:
    """Each pair as a study of its own, for measures that are not made of a table; and what to know of their errors."""
    if len(pairs) > MOST_PAIRS_ONE_BY_ONE:
        raise MeasureError(
            f"{len(pairs):,} pairs of annotators have common items; this measure takes them one by one, at most "
            f"{MOST_PAIRS_ONE_BY_ONE:,} of them. Choose some: ",
            some_annotators(),
            ".",
        )
    rows, drawn, study = [], 0, result.study._in_memory
    if study is not result.study:
        coefficient_of(result.recipe, study)  # what it reads of items it reads of the whole, for all of its parts
    for first, second in zip(pairs.first, pairs.second, strict=True):
        both = study._where(np.isin(study._annotations.rows[1], (first, second)))
        coefficient = coefficient_of(result.recipe, both)
        parts = coefficient.parts
        defined = math.isfinite(float(parts.value))
        error = coefficient.error(Units(coefficient.sample)) if defined else math.nan
        drawn += defined and coefficient.error_method == "bootstrap"
        rows.append((float(parts.observed), float(parts.expected), float(parts.value), error))
    columns = np.array(rows).reshape(-1, 4)
    note = (
        f"The standard errors of {counted(drawn, 'pairs')} are those of items drawn again (seed {SEED}), for leaving "
        "one out moves nothing."
    )
    return Breakdown(columns[:, 0], columns[:, 1], columns[:, 2], columns[:, 3]), (note,) if drawn else ()


def _need_names(result: Agreement, what: str) -> None:
    if not result.study._annotations.named:
        raise nobody_named(f"{what} needs to know who answered", result.study.shape)


def suggestions_by_label(result: Agreement) -> Table:
    """One row per label: how often it was given and suggested, and how good it is where it is suggested."""
    found = differential(result)
    if found is None:
        labels = list(result.study.labels)
        return Table(f"{result.title} by label", {"label": labels}, (result.undefined or "",))
    size, items, key = len(found.labels), found.tally.items, found.key
    pairable, units = add_up(key, items * found.tally.pairable, size), found.tally.units
    right, wrong = (
        divide(add_up(key, items * np.nan_to_num(part), size), pairable) for part in (found.right, found.wrong)
    )
    expected = 2 * found.given**2 - found.given @ found.given
    verdicts = {name: add_up(key, units * (found.verdict == place), size) for place, name in enumerate(VERDICTS)}
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
            "Expected is what chance gives on items with that suggestion; its mean over suggestions is the study's.",
        ),
    )
