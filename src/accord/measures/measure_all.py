"""Every coefficient that fits, the recommended one first; and one coefficient for every pair of annotators."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Unpack

from accord.agreement.build import Fitting, agreement
from accord.agreement.measurements import Measurements
from accord.agreement.registry import MEASURES, Measure, measure_called, named
from accord.agreement.result import Agreement
from accord.agreement.table import Table
from accord.annotations.answers import LOCATED, Label, Level
from accord.coefficients.weights import WeightsLike
from accord.errors import Keyword, MeasureError, Message, OptionError, Words, WordsByName, keyword
from accord.measures.agreement_with_oneself import with_oneself
from accord.measures.fleiss import fleiss_kappa
from accord.measures.level_of_answers import scale_question, settled_level, why_clear
from accord.measures.recommendation import (
    AMOUNTS,
    TAKES_MOST,
    entry_of,
    in_order_of_report,
    of_each_variable,
    recommended,
    recommended_measure,
)
from accord.measures.spelled_as_one import spelling_question
from accord.study.kinds import MeasuredPeople, people_first
from accord.study.levels import level_or_weights
from accord.study.roles import ROLES
from accord.study.study import Study
from accord.study.study_of_input import Roles, as_study


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
            By default identity, for sets "masi", for ranked answers "overlap"; percent agreement is the plain share
            of equal answers.
        level: The level of measurement: "nominal", "ordinal", "interval", "ratio" or "circular". Any but "nominal"
            makes alpha the recommended one. By default the study's own; where nobody has declared one and labels look
            like a scale, `questions` has the values of both.
        labels: The scale: all labels there are, in order, used or not; by default those in the data, sorted.
        by: A column that makes groups: `to_table()` then has one row per coefficient and group.
        **roles: Which columns of a table are which, as in `Study`: item="id", annotator="who", label="tag" …

    Returns:
        `Measurements`: an `Agreement` for each coefficient, by place or by name; `recommended` is the first, `reason`
        says why, and `left_out` why the others do not fit. It is one that has a value, if any has, and that is 1
        where everybody agrees. Where every answer orders all labels, alpha compares ranks. `questions` has what only
        you can tell: whether labels that look like a scale are one. Where people and models answered, people are
        measured: `measured_people` says who, and `with_models` has the value with models; `study.all_alike()` measures
        all of them together.

    Raises:
        InputError: If `data` cannot be a study: `ColumnMissing`, `DuplicateAnswers` and `LabelError` are kinds of it.
        MeasureError: If no coefficient fits.
        OptionError: If both `weights` and `level` are given, or one of them cannot be.

    >>> found = measure(["yes", "no", "yes", "yes", "no"], ["yes", "no", "no", "yes", "no"])
    >>> found.recommended.measure, round(found.recommended.value, 3)
    ('cohen_kappa', 0.615)
    """
    level_or_weights(level, weights)
    everyone = as_study(data, other, labels, roles)
    measured = people_first(everyone)
    study = measured.study
    variables = list(study.tasks.values()) or [study]
    if all(part.kind in LOCATED for part in variables):
        _refuse_unused(study, weights=weights, level=level)
    if len({_sort(part, weights, level) for part in variables}) > 1 and by is None:
        return replace(_of_many_kinds(study, weights, level), measured_people=measured)
    first = variables[0]
    clear, level = why_clear(first, weights, level), settled_level(first, weights, level)
    results: dict[str, Agreement] = {}
    left_out: dict[str, Words] = {}
    costly: list[str] = []
    for name, entry in MEASURES.items():
        refused = _refusal(variables, entry, by, level)
        price = _price(variables, entry, level) if refused is None else None
        if price is not None:
            costly.append(name)
        if (why := price or refused) is not None:
            left_out[name] = why
            continue
        try:
            results[name] = entry.function(study, by=by, **entry.usual_options(first, weights, level))
        except MeasureError as refusal:
            left_out[name] = refusal.message  # with its parts: a way out stays one
    words = WordsByName(left_out)
    if not results:
        raise MeasureError("No coefficient fits. ", words[TAKES_MOST.name])
    best, reason = recommended(variables, results, level)
    order = in_order_of_report(best, results)
    with_models = _with_models(everyone, measured, MEASURES[best], weights, level)
    rows = [row for name in order for row in (results[name], *_further(study, MEASURES[name], by))]
    found = Measurements(tuple(rows), clear or reason, words, measured, with_models, costly=tuple(costly))
    found = _with_questions(found, settled=level is not None or weights is not None)
    return _with_oneself(_with_spellings(found, weights, level), weights, level)


def _further(study: Study, entry: Measure, by: str | None) -> list[Agreement]:
    """The same measure with the other options that tables show beside its usual ones; of one variable, whole."""
    if entry.further is None or by is not None or study.tasks:
        return []
    return [entry.of(study, **options) for options in entry.further(study)]


def _refuse_unused(study: Study, **given: Any) -> None:
    """Marked places are compared with what each measure of them has, and never with weights of whole answers."""
    for name, value in given.items():
        if value is not None:
            raise OptionError(
                Keyword(name, value),
                f" is for labels of whole items; these are {study.kind}, compared place by place. Leave it out.",
            )


def _with_oneself(found: Measurements, weights: WeightsLike | None, level: Level | None) -> Measurements:
    """With how far annotators agree with themselves, where some answered items more than once."""
    study = found.recommended.study
    if study.tasks or study.kind in LOCATED or not study._annotations.repeated:
        return found
    return replace(found, with_oneself=with_oneself(study, weights=weights, level=level))


def _with_spellings(found: Measurements, weights: WeightsLike | None, level: Level | None) -> Measurements:
    """With what labels that are written in several ways are worth as one, where groups are not asked for."""
    first = found.recommended
    if first.by is not None:
        return found
    parts: dict[Label | None, Study] = dict(first.study.tasks.items()) or {None: first.study}

    def measured_as(part: Study) -> Callable[[Study], Agreement]:
        settled = settled_level(part, weights, level)
        return lambda study: first if study is first.study else among_annotators(study, weights=weights, level=settled)

    questions = [spelling_question(part, measured_as(part), name) for name, part in parts.items()]
    return replace(found, spellings=tuple(one for one in questions if one is not None))


def _with_questions(found: Measurements, *, settled: bool) -> Measurements:
    """With what only the user knows of labels that look like a scale, and their value as one beside the first."""
    study, names = found.recommended.study, found.recommended
    if settled:
        return found
    if study.tasks:
        each = [
            scale_question(part, among_annotators(part), variable=name)
            for name, part in study.tasks.items()
            if part.kind == "single"
        ]
        return replace(found, questions=tuple(one for one in each if one is not None))
    question = scale_question(study, names, by=names.by)
    if question is None:
        return found
    if question.looks.but_for:  # its value is of fewer answers than those of the table
        return replace(found, questions=(question,))
    first, *others = found.results
    return replace(found, results=(first, question.scale, *others), questions=(question,))


def _with_models(
    everyone: Study, measured: MeasuredPeople, entry: Measure, weights: WeightsLike | None, level: Level | None
) -> dict[str, Agreement]:
    """The same coefficient of models among themselves, and of everybody together, where people alone were measured."""
    if not measured.models or not measured.people or everyone.tasks:
        return {}
    groups = {"models among themselves": everyone.of_annotators(measured.models)} if len(measured.models) > 1 else {}
    groups["people and models together"] = everyone.of_annotators([*measured.people, *measured.models])
    found: dict[str, Agreement] = {}
    for who, part in groups.items():
        fitting = next(one for one in (entry, MEASURES[entry.for_more or entry.name], TAKES_MOST) if _fits(one, part))
        found[who] = fitting.of(part, **fitting.usual_options(part, weights, level))
    return found


def _fits(entry: Measure, study: Study) -> bool:
    return entry.why_not(study) is None


def _sort(part: Study, weights: WeightsLike | None, level: Level | None) -> tuple[str, Level | None]:
    """What a variable holds, and its level: variables of one sort have one coefficient."""
    return part.kind, settled_level(part, weights, level)


class _BestOfEach:
    """What is recommended for a variable: the weights and the level that were said are not for marks in a text."""

    def __init__(self, weights: WeightsLike | None, level: Level | None) -> None:
        self.weights, self.level = weights, level
        self._known: dict[int, tuple[Study, Agreement]] = {}  # by the number of a study, which lives as long as this

    def __reduce__(self) -> tuple[Any, ...]:
        return _BestOfEach, (self.weights, self.level)

    def settings(self, part: Study) -> tuple[WeightsLike | None, Level | None]:
        """What holds of a variable."""
        return (None, None) if part.kind in LOCATED else (self.weights, self.level)

    def __call__(self, part: Study) -> Agreement:
        if id(part) not in self._known:
            weights, level = self.settings(part)
            self._known[id(part)] = part, measure(part, weights=weights, level=level).recommended
        return self._known[id(part)][1]


@dataclass(frozen=True)
class _OneOfEach:
    """One measure of a variable, with the weights or the level that fit it."""

    name: str
    best: _BestOfEach

    def __call__(self, part: Study) -> Agreement:
        entry = MEASURES[self.name]
        at = settled_level(part, self.best.weights, self.best.level)
        reason = _refusal([part], entry, None, at) or _price([part], entry, at)
        if reason is not None:
            raise MeasureError(reason if isinstance(reason, str) else reason())
        return entry.of(part, **entry.usual_options(part, *self.best.settings(part)))


def _of_many_kinds(study: Study, weights: WeightsLike | None, level: Level | None) -> Measurements:
    """Several variables that differ in kind: every coefficient that fits one of them, each with its own weights."""
    results: dict[str, Agreement] = {}
    left_out: dict[str, Words] = {}
    best = _BestOfEach(weights, level)
    for name, entry in MEASURES.items():
        levels = [settled_level(part, weights, level) for part in study.tasks.values()]
        refusals = [_refusal([part], entry, None, at) for part, at in zip(study.tasks.values(), levels, strict=True)]
        reasons = [reason for reason in refusals if reason is not None]
        if len(reasons) < len(study.tasks):
            results[name] = agreement(name, study, Fitting(_OneOfEach(name, best), best), {})
        else:
            left_out[name] = reasons[0]
    words = WordsByName(left_out)
    if not results:
        raise MeasureError("No coefficient fits. ", words[TAKES_MOST.name])
    of_each = {name: _best_or_none(part, best) for name, part in study.tasks.items()}
    named = [result.measure for result in of_each.values() if result is not None and not result.undefined]
    first = max(named, key=named.count) if named else next(iter(results))
    order = [first, *(name for name in results if name != first)]
    found = Measurements(tuple(results[name] for name in order), of_each_variable(of_each), words)
    found = _with_questions(found, settled=level is not None or weights is not None)
    return _with_spellings(found, weights, level)


def _best_or_none(part: Study, best: Callable[[Study], Agreement]) -> Agreement | None:
    try:
        return best(part)
    except MeasureError:  # no coefficient takes what the variable holds
        return None


def among_annotators(study: Study, *, weights: WeightsLike | None = None, level: Level | None = None) -> Agreement:
    """The recommended coefficient alone, of one variable; where that judges suggestions, Fleiss' kappa.

    Of scores it is alpha: an intraclass correlation is made of variances, and answers cannot be looked at one by one.

    >>> among_annotators(Study.from_pairs(["a", "b", "b"], ["a", "b", "a"])).measure
    'cohen_kappa'
    """
    level = settled_level(study, weights, level)
    best = recommended_measure(study, level)
    entry = entry_of(fleiss_kappa) if best.judges_suggestions else best if best.by_answers else TAKES_MOST
    entry = entry if entry.why_not(study) is None else TAKES_MOST
    return entry.of(study, **entry.usual_options(study, weights, level))


def to_report(among: Agreement, *, weights: WeightsLike | None = None, level: Level | None = None) -> Agreement:
    """The recommended coefficient of the study whose coefficient `among_annotators` is given; that one in most cases.

    Of scores it is the intraclass correlation. One whose zero is not chance has no target to be compared with.
    """
    study = among.study
    level = settled_level(study, weights, level)
    best = recommended_measure(study, level)
    if best.by_answers or not best.chance_corrected or best.why_not(study) is not None:
        return among
    found = best.of(study, **best.usual_options(study, weights, level))
    return among if found.undefined else found


def _refusal(studies: Sequence[Study], entry: Measure, by: str | None, level: Level | None) -> Words | None:
    """Why `measure` does not ask for a measure. Groups or variables may fit where the whole does not."""
    if studies[0].kind == "score" and not entry.numeric:
        return lambda: Message(
            f"{entry.title} is for labels; these are scores, which ", named(TAKES_MOST.name), " takes."
        )
    later = entry.replaced_by
    if later is not None:
        return lambda: Message(
            f"{entry.title} was replaced by ", named(later), "; it serves to compare older figures, "
            "and is asked for by its name.",
        )  # fmt: skip
    option = entry.wants
    if option is not None:
        return lambda: Message(f"{entry.title} is asked for by its name, with ", keyword(option), ".")
    of_first = entry.why_not(studies[0])
    if of_first is None and (unasked := _first_reason(entry.unasked, studies, level)) is not None:
        return unasked
    if entry.role is not None and entry.role not in studies[0].roles:
        return f"{entry.title} needs {ROLES[entry.role].holds}; name its column when the study is made."
    parts = studies[0].groups(by).values() if by is not None and entry.two else studies
    first: Callable[[], MeasureError] | None = None
    for part in parts:
        refused = of_first if part is studies[0] else entry.why_not(part)
        if refused is None:
            return None
        first = first or refused
    return None if (why := first) is None else lambda: str(why())


def _price(studies: Sequence[Study], entry: Measure, level: Level | None) -> Words | None:
    """Why a measure that fits is left to who asks for it: it would take longer than all the others."""
    if entry.takes_long is None or entry.why_not(studies[0]) is not None:  # a group may fit, and groups are smaller
        return None
    return _first_reason(entry.takes_long, studies, level)


def _first_reason(
    why: Callable[[Study], Words | None] | None, studies: Sequence[Study], level: Level | None
) -> Words | None:
    """The first reason that a measure gives not to be asked for, variable by variable."""
    if why is None:
        return None
    return next((reason for part in studies if (reason := why(_as_amounts(part, level)))), None)


def _as_amounts(part: Study, level: Level | None) -> Study:
    """Labels that the call says are amounts are so for every measure, as if the study had said it."""
    are_amounts = level in AMOUNTS and part.level != level and part.kind == "single" and part.answers.numeric
    return part.declare(levels=level) if are_amounts else part


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
