"""Every coefficient that fits, the recommended one first; and one coefficient for every pair of annotators."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, Unpack

from accord.agreement.build import Fitting, agreement
from accord.agreement.registry import MEASURES, Measure, measure_called
from accord.agreement.result import Agreement, Measurements
from accord.agreement.table import Table
from accord.annotations.answers import Level
from accord.coefficients.weights import WeightsLike
from accord.errors import MeasureError, OptionError, keyword
from accord.measures.cohen import cohen_kappa
from accord.measures.dipietro_hazari import dipietro_hazari_kappa
from accord.measures.fleiss import fleiss_kappa
from accord.measures.krippendorff import krippendorff_alpha
from accord.measures.rosenberg_binkowski import rosenberg_binkowski_kappa
from accord.measures.scales import scale_question, settled_level, why_clear
from accord.study.study import Roles, Study, as_study

TAKES_MOST = MEASURES[krippendorff_alpha.__name__]  # any number of annotators, any kind of answer, gaps
FOR_ORDERS = "For whole orders take the rank as the score of an item and label together, and alpha at level='ordinal'."


def measure(
    data: Any,
    other: Any = None,
    /,
    *,
    weights: WeightsLike | None = None,
    level: Level | None = None,
    labels: Sequence[Any] | None = None,
    by: str | None = None,
    **roles: Unpack[Roles],
) -> Measurements:
    """Every coefficient that fits the study, the recommended one first and why.

    Args:
        data: A `Study`, or what one is made of: a table with one row per annotation (a dataframe, a mapping of columns,
            a list of records), a 2-D array of items × annotators, or the first annotator's answers.
        other: The second annotator's answers in the same order, where `data` is the first's.
        weights: How alike two answers are, for all coefficients: a name, a table or a function, as in `fleiss_kappa`.
            By default identity, for sets "masi", for ranked answers "overlap".
        level: The level of measurement: "nominal", "ordinal", "interval", "ratio" or "circular". Any but "nominal"
            makes alpha the recommended one. By default the study's own; where nobody has declared one and labels look
            like a scale, `questions` has the values of both.
        labels: The scale: all labels there are, in order, used or not; by default those in the data, sorted.
        by: A column that makes groups: `to_table()` then has one row per coefficient and group.
        **roles: Which columns of a table are which, as in `Study`: item="id", annotator="who", label="tag" …

    Returns:
        `Measurements`: an `Agreement` for each coefficient, by place or by name; `recommended` is the first, `reason`
        says why, `left_out` why the others do not fit, and `questions` what only you can tell.

    Raises:
        InputError: If `data` cannot be a study: `ColumnMissing`, `DuplicateAnswers` and `LabelError` are kinds of it.
        MeasureError: If no coefficient fits.
        OptionError: If both `weights` and `level` are given, or one of them cannot be.

    >>> found = measure(["yes", "no", "yes", "yes", "no"], ["yes", "no", "no", "yes", "no"])
    >>> found.recommended.measure, round(found.recommended.value, 3)
    ('cohen_kappa', 0.615)
    """
    if weights is not None and level is not None:
        raise OptionError(
            "Give ", keyword("level"), " (for alpha) or ", keyword("weights"), " (for all coefficients), not both."
        )
    study = as_study(data, other, labels, roles)
    asked, parts = level, list(study.tasks.values()) or [study]
    if len({(part.kind, settled_level(part, weights, level)) for part in parts}) > 1 and by is None:
        return _of_many_kinds(study, weights, level)
    first = parts[0]
    level = settled_level(first, weights, level)
    results: dict[str, Agreement] = {}
    left_out: dict[str, str] = {}
    for name, entry in MEASURES.items():
        reason = _refusal(parts, entry, by)
        if reason is not None:
            left_out[name] = reason
            continue
        try:
            results[name] = entry.function(study, by=by, **entry.usual_options(first, weights, level))
        except MeasureError as refusal:
            left_out[name] = str(refusal)
    if not results:
        raise MeasureError(f"No coefficient fits. {left_out[TAKES_MOST.name]}")
    best, reason = recommended(first, results, level)
    order = [best, *(name for name in results if name != best)]
    return _asked(
        Measurements(tuple(results[name] for name in order), why_clear(first, weights, asked) or reason, left_out),
        settled=level is not None or weights is not None,
    )


def _asked(found: Measurements, *, settled: bool) -> Measurements:
    """With what only the user knows of labels that look like a scale, and their value as one beside the first."""
    study, names = found.recommended.study, found.recommended
    if settled:
        return found
    if study.tasks:
        each = {name: scale_question(part, among_annotators(part), variable=name) for name, part in study.tasks.items()}
        return replace(found, questions=tuple(one for one in each.values() if one is not None))
    question = scale_question(study, names, by=names.by)
    if question is None:
        return found
    first, *others = found.results
    return replace(found, results=(first, question.scale, *others), questions=(question,))


def _of_many_kinds(study: Study, weights: WeightsLike | None, level: Level | None) -> Measurements:
    """Several variables that differ in kind: every coefficient that fits one of them, each with its own weights."""
    results: dict[str, Agreement] = {}
    left_out: dict[str, str] = {}

    def best(part: Study) -> Agreement:
        return measure(part, weights=weights, level=level).recommended

    def of(entry: Measure) -> Callable[[Study], Agreement]:
        def measured(part: Study) -> Agreement:
            reason = _refusal([part], entry, None)
            if reason is not None:
                raise MeasureError(reason)
            return entry.of(part, **entry.usual_options(part, weights, level))

        return measured

    for name, entry in MEASURES.items():
        reasons = [reason for part in study.tasks.values() if (reason := _refusal([part], entry, None)) is not None]
        if len(reasons) < len(study.tasks):
            results[name] = agreement(name, study, Fitting(of(entry), best), {})
        else:
            left_out[name] = reasons[0]
    if not results:
        raise MeasureError(f"No coefficient fits. {left_out[TAKES_MOST.name]}")
    first = TAKES_MOST.name if TAKES_MOST.name in results else next(iter(results))
    order = [first, *(name for name in results if name != first)]
    reason = "The variables hold answers of different kinds; the table has for each what fits it."
    found = Measurements(tuple(results[name] for name in order), reason, left_out)
    return _asked(found, settled=level is not None or weights is not None)


def among_annotators(study: Study, *, weights: WeightsLike | None = None, level: Level | None = None) -> Agreement:
    """The recommended coefficient alone, of one variable; where that judges suggestions, Fleiss' kappa.

    Whole orders are refused: a value that says little of them is nothing to judge by, or to explain.

    >>> among_annotators(Study.from_pairs(["a", "b", "b"], ["a", "b", "a"])).measure
    'cohen_kappa'
    """
    if study.answers.whole_orders:
        raise MeasureError(f"Every answer orders all labels, and no coefficient here is made for that. {FOR_ORDERS}")
    level = settled_level(study, weights, level)
    best, _ = _recommended(study, level)
    entry = entry_of(fleiss_kappa) if best.role == "suggested" else best
    entry = entry if entry.refusal(study) is None else TAKES_MOST
    return entry.of(study, **entry.usual_options(study, weights, level))


def _refusal(studies: Sequence[Study], entry: Measure, by: str | None) -> str | None:
    """Why `measure` does not ask for a measure. Groups or variables may fit where the whole does not."""
    if studies[0].kind == "score" and not entry.numeric:
        return f"{entry.title} is for labels; these are scores, which {TAKES_MOST.name} takes."
    if entry.role is not None and entry.role not in studies[0].roles:
        return f"{entry.title} judges suggested labels; name their column when the study is made."
    parts = studies[0].groups(by).values() if by is not None and entry.two else studies
    refusals = [entry.refusal(part) for part in parts]
    return str(refusals[0]) if refusals and all(refusal is not None for refusal in refusals) else None


def _has_suggestions(study: Study) -> bool:
    """Is anything suggested for the items? Of several variables, perhaps for another one only."""
    if "suggested" not in study.roles or study._annotations.in_engine is not None:
        return "suggested" in study.roles
    return bool((study._column(study.roles["suggested"], "suggested").codes >= 0).any())


def entry_of(function: Callable[..., Agreement]) -> Measure:
    """The registry's row of a measure."""
    return MEASURES[function.__name__]


def recommended(study: Study, results: dict[str, Agreement], level: Level | None) -> tuple[str, str]:
    """The coefficient to report, and why."""
    best, reason = _recommended(study, level)
    if best.name in results:
        return best.name, reason
    return next(iter(results)), "It is the first that fits these answers."


def _recommended(study: Study, level: Level | None) -> tuple[Measure, str]:
    people, tally = study.n_annotators, study.tally()
    answered = tally.answered
    complete = bool(len(answered)) and bool((answered == people).all())
    if not tally.n_items:
        return TAKES_MOST, "Nobody has answered anything yet, and alpha fits whatever will come."
    if study.kind == "score":
        return (
            TAKES_MOST,
            "The answers are numbers: alpha counts how far apart they are, with gaps and any annotators.",
        )
    if level not in (None, "nominal"):
        return TAKES_MOST, f"Alpha is made for the {level} level."
    if study.kind == "single" and _has_suggestions(study):
        return (
            entry_of(dipietro_hazari_kappa),
            "Labels were suggested beforehand: it tells whether the annotators agree on them or on something else.",
        )
    if study.answers.whole_orders:
        return (
            entry_of(rosenberg_binkowski_kappa),
            "But every answer orders all labels, of which it says little: it is made for one or two of many labels. "
            f"{FOR_ORDERS}",
        )
    if study.kind == "ranked":
        return (
            entry_of(rosenberg_binkowski_kappa),
            "The answers are a primary and secondary labels: it is made for them, and p_curve shows what they add.",
        )
    if study.kind == "set":
        return (
            TAKES_MOST,
            "The answers are sets of labels: alpha gives partial credit for partial overlap, with gaps. bhowmick_am "
            "stands beside it.",
        )
    if study._annotations.repeated:
        return TAKES_MOST, "Some annotators answered an item more than once, which alpha allows."
    if not study._annotations.named:
        return entry_of(fleiss_kappa), "Nobody is named, so chance is one pooled marginal distribution."
    if people == 2:
        if complete:
            return entry_of(cohen_kappa), "Two annotators answered every item, each with marginals of their own."
        return TAKES_MOST, "Two annotators with gaps: alpha uses every answer that can be paired."
    if complete:
        return entry_of(fleiss_kappa), f"{people} annotators answered every item."
    return (
        TAKES_MOST,
        f"{people:,} annotators, and not every item has an answer from each: alpha is made for gaps.",
    )


def pairwise(
    data: Any,
    /,
    measure: str = "cohen_kappa",
    *,
    labels: Sequence[Any] | None = None,
    weights: WeightsLike | None = None,
    level: Level | None = None,
    **roles: Unpack[Roles],
) -> Table:
    """A coefficient for every pair of annotators, on the items both answered; pairs without a common item are left out.

    Args:
        data: A `Study`, or what one is made of: a table with one row per annotation (a dataframe, a mapping of columns,
            a list of records), or a 2-D array of items × annotators.
        measure: The name of the coefficient: any of `accord.measure`, also those for two annotators only.
        labels: The scale: all labels there are, in order, used or not; by default those in the data, sorted.
        weights: How alike two answers are, where the coefficient takes weights: a name, a table or a function, as in
            `fleiss_kappa`.
        level: Krippendorff's level of measurement for alpha: "nominal", "ordinal", "interval", "ratio" or "circular".
        **roles: Which columns of a table are which, as in `Study`: item="id", annotator="who", label="tag" …

    Returns:
        A `Table` with one row per pair: first, second, items (that both answered), observed, expected, value, se.

    Raises:
        InputError: If `data` cannot be a study: `ColumnMissing`, `DuplicateAnswers` and `LabelError` are kinds of it.
        MeasureError: If the coefficient does not fit the answers, or if nobody is named.
        OptionError: If there is no such measure, or if it does not take `weights` or `level`.

    >>> table = pairwise([["a", "a", "b"], ["b", "b", "b"], ["a", "a", "a"]])
    >>> [(row["first"], row["second"], round(row["value"], 2)) for row in table]
    [('1', '2', 1.0), ('1', '3', 0.4), ('2', '3', 0.4)]
    """
    entry = measure_called(measure)
    study = as_study(data, None, labels, roles)
    options = {name: value for name, value in (("weights", weights), ("level", level)) if value is not None}
    entry.check_options(options)
    table = MEASURES[entry.for_more or entry.name].of(study, **options).by_pair()
    return Table(f"{entry.title} by pair of annotators, on the items both answered", table.data, table.notes)
