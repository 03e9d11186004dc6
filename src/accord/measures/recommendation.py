"""Which coefficient to report, and why: one that applies, is defined, and is 1 where everybody agrees."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence

from accord.agreement.groups import parts as groups_of
from accord.agreement.registry import MEASURES, Measure
from accord.agreement.result import Agreement
from accord.annotations.answers import Label, Level
from accord.errors import Message, counted, in_python
from accord.measures.bhowmick import bhowmick_am
from accord.measures.cohen import cohen_kappa
from accord.measures.dipietro_hazari import dipietro_hazari_kappa
from accord.measures.fleiss import fleiss_kappa
from accord.measures.icc import icc
from accord.measures.kendall import kendall_w
from accord.measures.krippendorff import krippendorff_alpha
from accord.measures.rank_biased_overlap import rank_biased_overlap
from accord.measures.span_f1 import span_f1
from accord.study.shapes.loaded import Trait
from accord.study.study import Study

AMOUNTS = ("interval", "ratio")  # levels at which differences mean something
TAKES_MOST = MEASURES[krippendorff_alpha.__name__]  # any number of annotators, any kind of answer, gaps


def entry_of(function: Callable[..., Agreement]) -> Measure:
    """The registry's row of a measure."""
    return MEASURES[function.__name__]


def recommended(variables: Sequence[Study], results: Mapping[str, Agreement], level: Level | None) -> tuple[str, str]:
    """The coefficient to report of one variable, or of several of one kind, and why."""
    best, reason = _of_all([_of_one(part, level) for part in _measurable(variables)])
    if best.name not in results:
        best, reason = MEASURES[next(iter(results))], "It is the first that fits these answers."
    if _is_defined(results[best.name]):
        return best.name, reason
    defined = [name for name in _in_order(results) if _is_defined(results[name])]
    if not defined:
        return best.name, reason
    instead = next((name for name in defined if not MEASURES[name].is_distance), None)
    why = results[best.name].undefined if len(variables) == 1 else None
    undefined = f"{best.title} is undefined{f': {why}' if why else ' for every variable.'}"
    if instead is None:
        return best.name, f"{undefined} What has a value is a distance, which is no agreement: 0 is its best."
    chance = "" if MEASURES[instead].chance_corrected else ", though it says nothing of chance"
    return instead, f"{undefined} {MEASURES[instead].title} has a value{chance}."


def _measurable(variables: Sequence[Study]) -> Sequence[Study]:
    """The variables that decide: those with an item that has two answers, or all if there are none."""
    return [part for part in variables if part._tally_of_people().n_compared] or variables


def _of_all(choices: Sequence[tuple[Measure, str]]) -> tuple[Measure, str]:
    """One coefficient for variables of one kind, so that they can be compared."""
    best, reason = choices[0]
    if any(other is not best for other, _ in choices):
        return TAKES_MOST, (
            "The variables differ in who answered what: alpha fits all of them, and one coefficient lets them be "
            "compared."
        )
    if any(other != reason for _, other in choices):
        return best, "It fits each of the variables."
    return best, reason


def _is_defined(result: Agreement) -> bool:
    """Is there a value, of the whole or of a group or variable of it?"""
    if not result.undefined:
        return True
    grouped = result.by is not None or bool(result.study.tasks)
    return grouped and any(math.isfinite(part.value) for part in groups_of(result).values())


def _in_order(results: Mapping[str, Agreement]) -> list[str]:
    """What to try next: alpha, then the other chance-corrected ones that ask for no role, then the rest."""
    rest = sorted(results, key=lambda name: (not MEASURES[name].chance_corrected, MEASURES[name].role is not None))
    return [name for name in dict.fromkeys((TAKES_MOST.name, *rest)) if name in results]


def of_each_variable(best: Mapping[Label, Agreement | None]) -> str:
    """The reason where variables hold answers of different kinds: what is recommended for which of them."""
    named: dict[str, list[str]] = {}
    without: dict[str, list[str]] = {}
    for name, result in best.items():
        if result is None or result.undefined:
            without.setdefault("not measured" if result is None else "undefined", []).append(str(name))
        else:
            alone = " alone" if result.entry.is_share else ""
            named.setdefault(f"{result.title}{alone}", []).append(str(name))
    clauses = [f"{title} for {', '.join(names)}" for title, names in named.items()]
    clauses += [f"{what}: {', '.join(names)}" for what, names in without.items()]
    return f"The variables hold answers of different kinds, and each has what fits it: {'; '.join(clauses)}."


def recommended_measure(study: Study, level: Level | None) -> Measure:
    """The coefficient to report of one variable, whether or not it has a value."""
    return _of_one(study, level)[0]


def _of_one(study: Study, level: Level | None) -> tuple[Measure, str]:
    """The coefficient for one variable, by what it holds, and why."""
    if not study._tally_of_people().n_compared:
        return (entry_of(span_f1) if study.kind == "spans" else TAKES_MOST), _nothing_to_compare(study)
    if study.kind == "spans":
        return entry_of(span_f1), (
            "The answers are marked spans: F1 between annotators is what kappa comes to where most of the text is "
            "unmarked, and needs no count of what nobody marked."
        )
    if study.kind == "score":
        return _of_scores(study)
    if study.kind == "ranking" and level != "nominal":
        return _of_rankings(study)
    if study.compares and level in (None, "ordinal"):
        return TAKES_MOST, (
            "The answers are preferences: alpha takes off what coin tosses would agree on, with gaps and any judges, "
            "and a tie is nearer to either side than the sides are to each other. Agreement on preferences, with half "
            "credit for ties, stands beside it."
        )
    if level in AMOUNTS:
        return TAKES_MOST, (
            f"Alpha is made for the {level} level, with gaps and any annotators; kappas only count whether answers are "
            f"the same. {entry_of(icc).title} stands beside it."
        )
    if level not in (None, "nominal"):
        return TAKES_MOST, (
            f"Alpha is made for the {level} level; the other coefficients only count whether answers are the same."
        )
    if study.kind == "single" and _has_suggestions(study):
        return _with_suggestions(study)
    if study.kind == "ranked":
        return TAKES_MOST, Message(
            "The answers are a primary and secondary labels: alpha counts what two answers share, and is 1 where all "
            "agree. Rosenberg–Binkowski kappa stands beside it with its maximum",
            in_python(", and p_curve shows what the secondary labels add", ""),
            ".",
        )
    if study.kind == "set":
        return TAKES_MOST, (
            "The answers are sets of labels: alpha gives partial credit for partial overlap, with gaps. "
            f"{entry_of(bhowmick_am).title} stands beside it."
        )
    return _of_single_labels(study)


def _of_scores(study: Study) -> tuple[Measure, str]:
    """How far a number says something of its item; alpha where items do not count alike."""
    if study._uneven_weights is not None:
        return TAKES_MOST, "The answers are numbers and items have weights: alpha counts how far apart they are."
    if not study._annotations.named:
        return entry_of(icc), (
            "The answers are numbers and nobody is named: it is the share of their variance that is the items'. "
            "Form 1,1 is of a single score, 1,k of the mean of an item's scores."
        )
    return entry_of(icc), (
        "The answers are numbers: it is the share of their variance that is the items'. Report A,1 where one "
        "annotator's number is used as it is and others might have scored; C,1 where annotators' severity does not "
        "matter; A,k or C,k where the mean of all annotators is used."
    )


def _of_rankings(study: Study) -> tuple[Measure, str]:
    """By whether annotators ranked the same options, and how many queries there are."""
    from accord.rankings.ranks import Ranks  # few have rankings

    ranks = Ranks.of(study)
    if not ranks.mostly_common:
        return entry_of(rank_biased_overlap), (
            "Annotators listed different options: rank-biased overlap takes lists as they are, and early places count "
            "most. Correlations of ranks see the options in common only."
        )
    if int((ranks.people > 1).sum()) == 1:
        return entry_of(kendall_w), (
            "One query was ranked: Kendall's W tells how far its annotators agree, and has a test of its own."
        )
    return TAKES_MOST, (
        "The answers are rankings: alpha compares the ranks that an option of a query was given, and 0 is chance "
        "however many annotators there are, which Kendall's W is not."
    )


def _with_suggestions(study: Study) -> tuple[Measure, str]:
    """What a tool stored beside the answers need not have been shown; what was named as suggested was."""
    judged = entry_of(dipietro_hazari_kappa)
    if Trait.SUGGESTED_BY_THE_TOOL in study._traits:
        among, why = _of_single_labels(study)
        return among, (
            f"{why} The export keeps labels of a model and does not say whether annotators saw them; if they did, "
            f"{judged.title} beside it tells whether they agree on them or on something else."
        )
    return judged, (
        "Labels were suggested beforehand: it tells whether the annotators agree on them or on something else. How far "
        "they agree at all stands beside it."
    )


def in_order_of_report(best: str, results: Mapping[str, Agreement]) -> list[str]:
    """The recommended one, then its other half where labels were suggested (agreement, or on what), then the rest."""
    judging = [name for name in results if MEASURES[name].judges_suggestions]
    agreeing = [name for name in (entry_of(fleiss_kappa).name, TAKES_MOST.name) if name in results]
    beside = agreeing if MEASURES[best].judges_suggestions else judging
    return list(dict.fromkeys((best, *beside[:1], *results)))


def _of_single_labels(study: Study) -> tuple[Measure, str]:
    """By who answered what."""
    people, complete = study.n_annotators, bool((study._tally_of_people().answered == study.n_annotators).all())
    if not study._annotations.named:
        return entry_of(fleiss_kappa), "Nobody is named, so chance is one pooled marginal distribution."
    if people == 2:
        if complete:
            return entry_of(cohen_kappa), "Two annotators answered every item, each with marginals of their own."
        return TAKES_MOST, "Two annotators with gaps: alpha uses every answer that can be paired."
    if complete:
        return entry_of(fleiss_kappa), f"{people} annotators answered every item."
    return TAKES_MOST, f"{people:,} annotators, and not every item has an answer from each: alpha is made for gaps."


def _nothing_to_compare(study: Study) -> str:
    """Agreement needs two answers to an item; what there is instead."""
    tally = study.tally()
    if not tally.n_items:
        return "Nobody has answered anything yet."
    given = f"{counted(tally.n_answers, 'answers')} to {counted(tally.n_items, 'items')}"
    if study.n_annotators == 1:
        return f"Agreement needs two annotators, and there is one, with {given}."
    return f"Agreement needs two answers to an item, and {study.n_annotators:,} annotators gave {given}, one to each."


def _has_suggestions(study: Study) -> bool:
    """Is anything suggested for the items? Of several variables, perhaps for another one only."""
    if "suggested" not in study.roles or not study._annotations.in_memory:
        return "suggested" in study.roles
    return bool((study._column(study.roles["suggested"], "suggested").codes >= 0).any())
