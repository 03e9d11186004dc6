"""Every coefficient that fits, the recommended one first; and one coefficient for every pair of annotators."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Unpack

from accord.agreement.build import Fitting, agreement
from accord.agreement.registry import MEASURES, measure_called
from accord.agreement.result import Agreement, Measurements
from accord.agreement.table import Table
from accord.coefficients.weights import WeightsLike, usual_p
from accord.errors import MeasureError, OptionError
from accord.measures.krippendorff import Level
from accord.study.study import Roles, Study, as_study

SET_WEIGHTS = "masi"
RANKED_WEIGHTS = "overlap"
FOR_ORDERS = "For whole orders take the rank as the score of an item and label together, and alpha at level='ordinal'."
OWN_WEIGHTS = ("rosenberg_binkowski_kappa", "bhowmick_am", "dipietro_hazari_kappa")  # they bring their own


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
        data: A `Study`, or what one is made of: a table with the keywords of `Study`, an array of items × annotators,
            two sequences.
        other: The second annotator's answers, where `data` is the first's.
        weights: How alike two answers are, for all coefficients; by default identity, for sets MASI, for ranked
            answers overlap.
        level: Krippendorff's level of measurement, for alpha: "ordinal" or "interval" also make alpha the recommended
            one.
        labels: The scale: all labels there are, in order.
        by: A column that makes groups; `to_table()` then has one row for each group.
        **roles: The keywords of `Study`.

    >>> found = measure(["yes", "no", "yes", "yes", "no"], ["yes", "no", "no", "yes", "no"])
    >>> found.recommended.measure, round(found.recommended.value, 3)
    ('cohen_kappa', 0.615)
    """
    if weights is not None and level is not None:
        raise OptionError("Give level= (for alpha) or weights= (for all coefficients), not both.")
    study = as_study(data, other, labels, roles)
    if len({part.kind for part in study.tasks.values()}) > 1 and by is None:
        return _of_many_kinds(study, weights, level)
    first = next(iter(study.tasks.values())) if study.tasks else study
    results: dict[str, Agreement] = {}
    left_out: dict[str, str] = {}
    for name, entry in MEASURES.items():
        try:
            _refuse(list(study.tasks.values()) or [study], name, by)
            options: dict[str, Any] = {"by": by, **_options(name, first, weights, level)}
            results[name] = entry.function(study, **options)
        except MeasureError as refusal:
            left_out[name] = str(refusal)
    if not results:
        raise MeasureError(f"No coefficient fits. {left_out['krippendorff_alpha']}")  # which takes the most
    best, reason = recommended(first, results, level)
    order = [best, *(name for name in results if name != best)]
    return Measurements(tuple(results[name] for name in order), reason, left_out)


def _of_many_kinds(study: Study, weights: WeightsLike | None, level: Level | None) -> Measurements:
    """Several variables that differ in kind: every coefficient that fits one of them, each with its own weights."""
    results: dict[str, Agreement] = {}
    left_out: dict[str, str] = {}

    def best(part: Study) -> Agreement:
        return measure(part, weights=weights, level=level).recommended

    def of(name: str) -> Callable[[Study], Agreement]:
        def measured(part: Study) -> Agreement:
            _refuse([part], name, None)
            found: Agreement = MEASURES[name].function(part, **_options(name, part, weights, level))
            return found

        return measured

    for name in MEASURES:
        reasons = [reason for part in study.tasks.values() if (reason := _refusal(part, name)) is not None]
        if len(reasons) < len(study.tasks):
            results[name] = agreement(name, study, Fitting(of(name), best), {})
        else:
            left_out[name] = reasons[0]
    if not results:
        raise MeasureError(f"No coefficient fits. {left_out['krippendorff_alpha']}")
    first = "krippendorff_alpha" if "krippendorff_alpha" in results else next(iter(results))
    order = [first, *(name for name in results if name != first)]
    reason = "The variables hold answers of different kinds; the table has for each what fits it."
    return Measurements(tuple(results[name] for name in order), reason, left_out)


def _refusal(study: Study, name: str) -> str | None:
    try:
        _refuse([study], name, None)
    except MeasureError as refusal:
        return str(refusal)
    return None


def among_annotators(study: Study, *, weights: WeightsLike | None = None, level: Level | None = None) -> Agreement:
    """The recommended coefficient alone, of one variable; where that judges suggestions, Fleiss' kappa.

    Whole orders are refused: a value that says little of them is nothing to judge by, or to explain.

    >>> among_annotators(Study.from_pairs(["a", "b", "b"], ["a", "b", "a"])).measure
    'cohen_kappa'
    """
    if study.answers.whole_orders:
        raise MeasureError(f"Every answer orders all labels, and no coefficient here is made for that. {FOR_ORDERS}")
    best, _ = _recommended(study, level)
    names = ["fleiss_kappa" if best == "dipietro_hazari_kappa" else best, "krippendorff_alpha"]
    if MEASURES[names[0]].refusal(study) is not None:
        names = names[1:]
    result: Agreement = MEASURES[names[0]].function(study, **_options(names[0], study, weights, level))
    return result


def _refuse(studies: Sequence[Study], name: str, by: str | None) -> None:
    """Scores are numbers: only alpha takes them as such. Groups or variables may fit where the whole does not."""
    if studies[0].kind == "score" and name != "krippendorff_alpha":
        raise MeasureError(f"{MEASURES[name].title} is for labels; these are scores, which krippendorff_alpha takes.")
    if name == "dipietro_hazari_kappa" and "suggested" not in studies[0].roles:
        raise MeasureError("DiPietro–Hazari kappa judges suggested labels; name their column when the study is made.")
    parts = studies[0].groups(by).values() if by is not None and MEASURES[name].two else studies
    refusals = [MEASURES[name].refusal(part) for part in parts]
    if refusals and all(refusals):
        raise MeasureError(refusals[0])


def _has_suggestions(study: Study) -> bool:
    """Is anything suggested for the items? Of several variables, perhaps for another one only."""
    if "suggested" not in study.roles or study._annotations.in_engine is not None:
        return "suggested" in study.roles
    return bool((study._column(study.roles["suggested"], "suggested").codes >= 0).any())


def _options(name: str, study: Study, weights: Any, level: Level | None) -> dict[str, Any]:
    usual = {"set": SET_WEIGHTS, "ranked": RANKED_WEIGHTS}.get(study.kind, "identity")
    chosen = usual if weights is None else weights
    if name == "rosenberg_binkowski_kappa":
        return {"p": usual_p(study.answers)}
    if name in OWN_WEIGHTS:
        return {}
    if name != "krippendorff_alpha":
        return {"weights": chosen}
    if weights is None and (level is not None or study.kind in ("single", "score")):
        return {"level": level}
    return {"weights": chosen}


def recommended(study: Study, results: dict[str, Agreement], level: Level | None) -> tuple[str, str]:
    """The coefficient to report, and why."""
    best, reason = _recommended(study, level)
    if best in results:
        return best, reason
    return next(iter(results)), "It is the first that fits these answers."


def _recommended(study: Study, level: Level | None) -> tuple[str, str]:
    people, tally = study.n_annotators, study.tally()
    answered = tally.answered
    complete = bool(len(answered)) and bool((answered == people).all())
    if not tally.n_items:
        return "krippendorff_alpha", "Nobody has answered anything yet, and alpha fits whatever will come."
    if study.kind == "score":
        return (
            "krippendorff_alpha",
            "The answers are numbers: alpha counts how far apart they are, with gaps and any annotators.",
        )
    if level not in (None, "nominal"):
        return "krippendorff_alpha", f"Alpha is made for the {level} level."
    if study.kind == "single" and _has_suggestions(study):
        return (
            "dipietro_hazari_kappa",
            "Labels were suggested beforehand: it tells whether the annotators agree on them or on something else.",
        )
    if study.answers.whole_orders:
        return (
            "rosenberg_binkowski_kappa",
            "But every answer orders all labels, of which it says little: it is made for one or two of many labels. "
            f"{FOR_ORDERS}",
        )
    if study.kind == "ranked":
        return (
            "rosenberg_binkowski_kappa",
            "The answers are a primary and secondary labels: it is made for them, and p_curve shows what they add.",
        )
    if study.kind == "set":
        return (
            "krippendorff_alpha",
            "The answers are sets of labels: alpha gives partial credit for partial overlap, with gaps. bhowmick_am "
            "stands beside it.",
        )
    if study._annotations.repeated:
        return "krippendorff_alpha", "Some annotators answered an item more than once, which alpha allows."
    if not study._annotations.named:
        return "fleiss_kappa", "Nobody is named, so luck is one shared label mix."
    if people == 2:
        if complete:
            return "cohen_kappa", "Two annotators answered every item, each with a label mix of their own."
        return "krippendorff_alpha", "Two annotators with gaps: alpha uses every answer that can be paired."
    if complete:
        return "fleiss_kappa", f"{people} annotators answered every item."
    return (
        "krippendorff_alpha",
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
    """A coefficient for every pair of annotators, on the items both answered; pairs who never met are not there.

    >>> table = pairwise([["a", "a", "b"], ["b", "b", "b"], ["a", "a", "a"]])
    >>> [(row["first"], row["second"], round(row["value"], 2)) for row in table]
    [('1', '2', 1.0), ('1', '3', 0.4), ('2', '3', 0.4)]
    """
    entry = measure_called(measure)
    study = as_study(data, None, labels, roles)
    options = {name: value for name, value in (("weights", weights), ("level", level)) if value is not None}
    entry.check_options(options)
    # measures for exactly two annotators have a twin for more, which is the same on each pair
    twin = {"cohen_kappa": "light_kappa", "scott_pi": "fleiss_kappa"}.get(measure, measure)
    table = MEASURES[twin].of(study, **options).by_pair()
    return Table(f"{entry.title} by pair of annotators, on the items both answered", table.data, table.notes)
