"""explain: every detector looks at the study; what they find is corrected for all that was asked, and put in order."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any, Unpack

from accord.agreement.build import each_once
from accord.agreement.inference.multiple_testing import holm
from accord.agreement.interpretation import BENCHMARKS, digits, spread
from accord.agreement.result import Agreement
from accord.annotations.answers import LOCATED, Label, Level
from accord.coefficients.weights import WeightsLike
from accord.errors import MeasureError, Message, OptionError, OwnWords
from accord.findings.agreement_by_shard import look as across_shards
from accord.findings.agreement_on_labels import look as at_labels
from accord.findings.annotator_clustering import look as for_clusters
from accord.findings.causes import look as for_causes
from accord.findings.contested import look as at_items
from accord.findings.copied_answers import look as for_copies
from accord.findings.dependent_layers import look as across_layers
from accord.findings.drift import look as for_drift
from accord.findings.finding import SURE, Clue, Finding, NotLookedAt, TestFamily
from accord.findings.findings_result import Findings
from accord.findings.gamma_meaning import look as at_gamma
from accord.findings.gaps_by_label import look as at_gaps
from accord.findings.hard_items import look as for_hard_items
from accord.findings.hierarchy import look as below_parents
from accord.findings.label_spelling import in_one_spelling
from accord.findings.label_spelling import look as for_near_duplicates
from accord.findings.marginal_homogeneity import look as at_margins
from accord.findings.models_among import look as for_models
from accord.findings.models_among import set_aside
from accord.findings.neighbouring_labels import look as at_neighbours
from accord.findings.outlying_annotators import look as at_annotators
from accord.findings.power import power_of
from accord.findings.preferences.intransitive_annotators import look as for_triads
from accord.findings.preferences.one_order import look as at_orders
from accord.findings.preferences.place_of_options import look as at_places
from accord.findings.prevalence_bias import look as at_prevalence
from accord.findings.ranking_orders import look as at_rankings
from accord.findings.relative_bias import look as for_rater_bias
from accord.findings.scores_annotators import look as at_scores
from accord.findings.scores_annotators import look_across as for_halo
from accord.findings.spans_annotators import look as who_marks_more
from accord.findings.spans_labels import look as at_labels_of_spans
from accord.findings.spans_lengths import look as at_lengths
from accord.findings.spans_where_lost import look as where_f1_is_lost
from accord.findings.study_view import View
from accord.findings.value_checks import look as at_value
from accord.measures.level_of_answers import scale_question
from accord.measures.measure_all import among_annotators, to_report
from accord.options import is_among, is_number
from accord.study.in_memory import in_memory_where_small
from accord.study.kinds import people_first
from accord.study.levels import level_or_weights
from accord.study.study import Study
from accord.study.study_of_input import Roles, as_study

HINT = 0.2  # up to this corrected p, what would be a warning is told as a note; beyond, it is not told
TARGETS = ("objective", "standard", "subjective", "highly-subjective")  # Zhao's, by kind of task

OF_LABELS = "The answers are rankings, and what is looked for is about one label per answer."

# What each detector looks at, as it is told where the data do not allow it: first at the answers as they are written …
AS_WRITTEN: dict[str, Callable[[View], Iterable[Clue]]] = {
    "how high the value is": at_value,
    "prevalence and bias": at_prevalence,
    "near-duplicate labels": for_near_duplicates,
}
# … then at what they mean: nobody is blamed for a capital letter
DETECTORS: dict[str, Callable[[View], Iterable[Clue]]] = {
    "agreement on each label": at_labels,
    "neighbours on a scale": at_neighbours,
    "whether annotators use the labels alike": at_margins,
    "parents of labels": below_parents,
    "labels whose use goes together": for_rater_bias,
    "annotators one by one": at_annotators,
    "how annotators use the scale": at_scores,
    "change over time or with practice": for_drift,
    "agreement in each shard": across_shards,
    "answers that go together": for_copies,
    "clusters of annotators": for_clusters,
    "hard items": for_hard_items,
    "contested items": at_items,
    "gaps that go with labels": at_gaps,
    "models among the annotators": for_models,
    "causes of disagreement": for_causes,
}

# … and where the answers are preferences, at the options that were compared.
OF_PREFERENCES: dict[str, Callable[[View], Iterable[Clue]]] = {
    "what standing first is worth": at_places,
    "whether annotators have one order": at_orders,
    "preferences that go in circles": for_triads,
}

# Where an answer is any number of marked places, none of that can be asked.
OF_PLACES: dict[str, Callable[[View], Iterable[Clue]]] = {"how high the value is": at_value}
OF_SPANS: dict[str, Callable[[View], Iterable[Clue]]] = {
    **OF_PLACES,
    "what disagreement about spans is about": where_f1_is_lost,
    "labels of spans": at_labels_of_spans,
    "who marks more, or longer spans": who_marks_more,
    "long and short spans": at_lengths,
    "what a gamma means": at_gamma,
}

OF_RANKINGS: dict[str, Callable[[View], Iterable[Clue]]] = {**OF_PLACES, "orders of options": at_rankings}
# The kinds of answers that have detectors of their own.
OF_KINDS = {**dict.fromkeys(LOCATED, OF_PLACES), "spans": OF_SPANS, "ranking": OF_RANKINGS}


def explain(
    data: Any,
    other: Any = None,
    /,
    *,
    target: str | float = "standard",
    weights: WeightsLike | None = None,
    level: Level | None = None,
    labels: Sequence[Any] | None = None,
    **roles: Unpack[Roles],
) -> Findings:
    """What the coefficient hides, what causes the disagreement, and what to do about it.

    Every finding says what was found in a sentence or two, with the numbers behind it and their intervals, what speaks
    for it and against it, the remedy, and the source of the reasoning. A finding that could be chance has a p-value,
    corrected (Holm) for all questions that were asked of the data; only what survives that, and plain facts, are
    warnings. So of a hundred studies without a fault at most five show one.

    Args:
        data: A `Study`, or what one is made of: a table with the keywords of `Study`, an array of items × annotators,
            two sequences.
        other: The second annotator's answers, where `data` is the first's.
        target: How high agreement should be: "objective" (above 0.80), "standard" (0.70), "subjective" (0.50) or
            "highly-subjective" (0.40), the targets of Zhao's lecture; or a number of your own.
        weights: How alike two answers are, for the coefficient; as in `measure`.
        level: Krippendorff's level of measurement, as in `measure`.
        labels: The scale: all labels there are, in order.
        **roles: The keywords of `Study`.

    Returns:
        `Findings`, warnings first: each with `says`, `evidence`, `remedy`, `p_corrected`; print it, or take
        `to_table()`.

    Raises:
        InputError: If `data` cannot be a study: `ColumnMissing`, `DuplicateAnswers` and `LabelError` are kinds of it.
        MeasureError: If nobody can be compared with anybody.
        OptionError: If `target` is neither a name nor a number below 1, or both `weights` and `level` are given.

    >>> found = explain(["yes", "no", "maybe", "Yes"] * 10, ["yes", "no", "maybe", "yes"] * 10)
    >>> [finding.name for finding in found.warnings], str(found.warnings[0].evidence[0])
    (['near-duplicate-labels'], "Cohen's kappa once each is written in one way: 1")
    """
    limit, name = _target(target)
    level_or_weights(level, weights)
    measured = people_first(as_study(data, other, labels, roles).declare(levels=level))
    study = in_memory_where_small(measured.study)
    parts: dict[Label | None, Study] = {name: part for name, part in study.tasks.items()} or {None: study}  # noqa: C416 - wider keys
    alike = _alike(study)
    clues: list[Clue] = list(set_aside(measured))
    results: dict[Label | None, Agreement] = {}
    views: dict[Label | None, View] = {}
    for variable, part in parts.items():
        try:
            among = among_annotators(part, weights=weights, level=level)
        except MeasureError as refusal:
            clues.append(NotLookedAt("the coefficient", str(refusal), variable))
            continue
        results[variable] = to_report(among, weights=weights, level=level)
        view = valued = View(part, among, limit, results[variable])
        if alike is not study:  # what is found besides is about the answers on these items, whatever they stand for
            seen = alike if variable is None else alike.tasks[variable]
            view = View(seen, each_once(among), limit)
            valued = View(seen, among, limit, results[variable])
            clues.append(_as_they_are(view.main, variable))
        views[variable] = _in_one_spelling(view, weights, level)
        clues += [_of_variable(clue, variable) for clue in _clues(view, views[variable], valued)]
    if study.tasks:
        clues += across_layers(alike)
        clues += for_halo(alike)
    tests = tuple(clue for clue in clues if isinstance(clue, TestFamily))
    gaps = tuple(dict.fromkeys(clue for clue in clues if isinstance(clue, NotLookedAt)))
    n_tests = sum(one.n_tests for one in tests)
    found = _corrected([clue for clue in clues if isinstance(clue, Finding)], n_tests)
    power = tuple(
        one
        for variable, view in views.items()
        if view.study.kind not in LOCATED
        for one in power_of(view, n_tests, variable)
    )
    asking = _questions(parts, results) if weights is None else []
    headline = " ".join([_headline(results, limit, name), *asking])
    return Findings(tuple(_ordered(_covered(found))), headline, limit, tests, gaps, results, power)


def _alike(study: Study) -> Study:
    """The study with items that count alike; itself where they do."""
    uneven = any(part._uneven_weights is not None for part in study.tasks.values() or [study])
    return study.with_item_weights(None) if uneven else study


def _as_they_are(alike: Agreement, variable: Label | None) -> NotLookedAt:
    """That findings are about the items as they are, and what the value is there."""
    value = "undefined" if alike.undefined else digits(alike)
    why = (
        "The value counts items by their weights; what is found besides is about the annotated items, each counting "
        f"once ({alike.title} is {value} there)."
    )
    return NotLookedAt("what items weigh", why, variable)


def _questions(parts: dict[Label | None, Study], results: dict[Label | None, Agreement]) -> list[str]:
    """Are labels that look like a scale one? What is explained is another value then."""
    questions = [scale_question(parts[variable], result, variable=variable) for variable, result in results.items()]
    return [str(question) for question in questions if question is not None]


def _target(target: Any) -> tuple[float, str | None]:
    """The target as a number, and what it is called, where it has a name."""
    if isinstance(target, str):
        if not is_among(target, TARGETS):
            raise OptionError.choice("target", target, TARGETS).add(
                " A number between -1 and 1 will do as well, such as 0.667 or 0.8."
            )
        return BENCHMARKS[target].bands[0].high, target
    if not is_number(target) or not -1 < target < 1:
        raise OptionError.must(
            "target", Message("be one of ", OwnWords(TARGETS), ", or a number between -1 and 1"), target
        )
    return float(target), None


def _in_one_spelling(view: View, weights: WeightsLike | None, level: Level | None) -> View:
    """The view of the study in which every label is written in one way, where that can be measured as the study is."""
    if view.main.undefined or view.study.kind in OF_KINDS or not (weights is None or isinstance(weights, str)):
        return view
    study = in_one_spelling(view)
    return view if study is None else View(study, among_annotators(study, weights=weights, level=level), view.target)


def _clues(view: View, meant: View, valued: View) -> Iterator[Clue]:
    """What all detectors say of one variable; how high its value is, with the weights of items."""
    if view.main.undefined:
        yield NotLookedAt("what the coefficient hides", view.main.undefined)
    if view.study.kind == "ranking":
        yield NotLookedAt("labels one by one", OF_LABELS)
    detector_sets = [(AS_WRITTEN, view), (DETECTORS, meant), *([(OF_PREFERENCES, view)] if view.study.compares else [])]
    if view.study.kind in OF_KINDS:
        detector_sets = [(OF_KINDS[view.study.kind], view)]
    for detectors, seen in detector_sets:
        for what, look in detectors.items():
            try:
                yield from look(valued if look is at_value else seen)
            except MeasureError as refusal:  # the data are of a kind that this detector cannot take
                yield NotLookedAt(what, str(refusal))


def _of_variable(clue: Clue, variable: Label | None) -> Clue:
    return clue if isinstance(clue, TestFamily) or variable is None else replace(clue, variable=variable)


# -- how sure ---------------------------------------------------------------------------------------------------------


def _corrected(found: list[Finding], n_tests: int) -> list[Finding]:
    """Holm's correction over all questions asked; what does not survive it is a note, or is not told."""
    answers = sorted({one.p for one in found if one.p is not None})  # findings that rest on one test share its p
    family = max(n_tests, len(answers))
    corrected = dict(zip(answers, holm(answers, family).tolist(), strict=True))
    survivors = []
    for one in found:
        if one.p is None:
            survivors.append(one)
        elif corrected[one.p] < (SURE if one.severity == "note" else HINT):
            survivors.append(_weighed(replace(one, p_corrected=corrected[one.p]), family))
    return survivors


def _weighed(one: Finding, family: int) -> Finding:
    """A warning that could be chance, given all that was looked for, is a note."""
    if one.severity == "note" or (one.p_corrected is not None and one.p_corrected < SURE):
        return one
    among = f"Among {family:,} questions, one" if family > 1 else "One"
    doubt = f"{among} answer like this may well be chance."
    return replace(one, severity="note", speaks_against=(*one.speaks_against, doubt))


# -- in which order ---------------------------------------------------------------------------------------------------


def _covered(found: list[Finding]) -> list[Finding]:
    """One thing is told once: what another finding covers stands beneath it, and is no warning of its own.

    Plain facts cover before causes do: labels that differ in case only are confused, and no guidelines will help.
    """
    covering = sorted(
        (one for one in found if one.covers), key=lambda one: (one.cause, one.severity == "note", -one.weight)
    )
    arranged = []
    for one in found:
        over = (other for other in covering if one.name in other.covers and other.concerns(one))
        cover = next((other for other in over if other is not one and not (one.cause and other.cause)), None)
        arranged.append(one if cover is None else replace(one, part_of=cover.name, severity=_less(one, cover)))
    return arranged


def _less(one: Finding, cover: Finding) -> Any:
    return "note" if cover.severity == "warning" else one.severity


def _ordered(found: list[Finding]) -> Iterator[Finding]:
    """Warnings before notes, causes first, then by weight; what a finding covers right after it."""
    alone = [one for one in found if one.part_of is None]
    for one in sorted(alone, key=lambda one: (one.severity == "note", not one.cause, -one.weight)):
        yield one
        if one.covers:
            beneath = [part for part in found if part.part_of == one.name and one.concerns(part)]
            yield from sorted(beneath, key=lambda part: -part.weight)


def _headline(results: dict[Label | None, Agreement], limit: float, name: str | None) -> str:
    """The value and the target, or how many variables reach it."""
    aim = f"the target is above {limit:.2f}" + ("" if name is None else f" ({name} tasks)")
    if None in results:
        main = results[None]
        if main.undefined:
            return f"{main.title} is undefined. {main.undefined}"
        return f"{main.title} is {digits(main, limit)} ({spread(main, target=limit)}); {aim}."
    if not results:
        return "No coefficient fits these answers, so there is nothing to explain."
    defined = [main for main in results.values() if not main.undefined]
    reached = [main for main in defined if main.value > limit]
    sure = sum(main.interval().low > limit for main in reached)
    whole = f", {'none' if not sure else 'all' if sure == len(reached) else sure} of them with the whole interval"
    sentence = f"The value of {len(reached)} of {len(results)} variables is above the target"
    return f"{sentence}{whole if reached else ''}; {aim}."
