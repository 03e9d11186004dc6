"""How good is a system? Against gold or against people, with the human ceiling beside it; several systems, paired."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations
from typing import Any, Literal, TypeAlias, TypeVar, Unpack

import numpy as np

from accord.agreement.inference.multiple_testing import holm
from accord.agreement.table import Table
from accord.annotations.answers import Label, answers_called
from accord.annotations.arrays import BoolArray, FloatArray, IntArray
from accord.coefficients.standard_errors import limits, p_value
from accord.coefficients.units import Units
from accord.coefficients.weights import WeightsLike, build
from accord.consensus.gold import Gold
from accord.errors import (
    Keyword,
    MayBeNames,
    MeasureError,
    Message,
    OptionError,
    PeopleNames,
    Remedy,
    all_quoted,
    counted,
    keyword,
    quoted,
    remedy,
)
from accord.judge.ceiling import (
    Ceiling,
    largest_share,
    majority_against_gold,
    majority_of_others,
    one_against_another,
    person_against_gold,
)
from accord.judge.closeness import alike_on_a_scale
from accord.judge.costs import cost_table
from accord.judge.estimates import Estimate, clusters_of, difference, estimate, nothing
from accord.judge.evaluation_result import Evaluation, Judged
from accord.judge.joint_table import OF_LABELS, JointLabels, Measured, ReferenceLabels, by_label
from accord.judge.participants import Participants, Unparsable, participants_of
from accord.judge.scales import ScaleNote, compared_as_names, undeclared_scale, usual_weights
from accord.judge.systems import System, adjudicated, gold_of, shared_scale, systems_of
from accord.options import check_choice, check_confidence
from accord.study.study_of_input import PlainRoles

Quality: TypeAlias = Literal[
    "kappa", "alpha", "accuracy", "cost", "concordance", "correlation", "bias", "difference", "tau", "overlap"
]
OF_KIND: dict[str, tuple[Quality, ...]] = {  # the first is the usual one
    "single": ("kappa", "alpha", "accuracy", "cost"),
    "score": ("concordance", "correlation", "bias", "difference"),
    "ranking": ("tau", "overlap"),
}
People: TypeAlias = tuple[str, ...]
Key = TypeVar("Key")
Value = TypeVar("Value")
MOST_LABELS = 2_000


def evaluate(
    system: Any,
    study: Any,
    /,
    *,
    gold: Any = None,
    people: Sequence[str] | None = None,
    weights: WeightsLike | None = None,
    costs: Any = None,
    measure: Quality | None = None,
    unparsable: Unparsable = "missing",
    confidence: float = 0.95,
    labels: Sequence[Any] | None = None,
    **roles: Unpack[PlainRoles],
) -> Evaluation:
    """A system, or several, against gold or against people, with what people themselves reach.

    Every item adds one to a table of predicted and reference labels: gold, or the answers of the
    item's people, each with an equal share. Cohen's kappa, Krippendorff's alpha (nominal, or with `weights`), accuracy
    and a mean cost are functions of that table; against people, accuracy is the chance to agree with a person drawn at
    random. Intervals are over items (or the study's clusters of them), and differences between systems are paired: on
    the items that both answered, with Holm's correction for their number.

    The human ceiling stands beside every value. Against people: from below, the majority of the others against the one
    left out; from above, the most frequent label against everybody, which is too high with few people. Against gold: a
    person, and the majority of the people.

    Args:
        system: The name of an annotator or a column, a mapping from item to label, a table, a list by row number; a
            mapping from names to these, or a list of names, for several; None for every model of the study.
        study: A `Study`, or what one is made of, with its keywords.
        gold: The reference: a column, a mapping, a table, a `Gold`, the name of an annotator; True for the
            adjudicators' answers, False for people. By default the adjudicators if there are any, else people.
        people: Who the people are; by default everybody who is neither a model, nor an adjudicator, nor one of the
            systems.
        weights: How alike two labels are, for kappa, alpha and accuracy. By default what fits the level of the study:
            "linear" for ordinal labels, "quadratic" for interval and ratio, else identity.
        costs: What it costs to predict a label (columns) where the reference is another (rows): labels × labels, in
            order; or a mapping (reference, predicted) ─▶ cost.
        measure: By which systems are compared and the summary is printed: of labels "kappa" (the default), "alpha",
            "accuracy" or "cost"; of scores "concordance" (the default), "correlation", "bias" (its score less that of
            the reference) or "difference" (the mean absolute one); of rankings "tau" (tau-b, the default) or "overlap"
            (rank-biased, p = 0.9), both means over queries.
        unparsable: Unparsable, refused and failed answers are "missing", or count as a "label" that is always wrong.
        confidence: Of the intervals.
        labels: The scale.
        **roles: The keywords of `Study`.

    Returns:
        An `Evaluation`: a `Judged` per system, by name or as `only`, with `compared` for every two of them.

    Raises:
        InputError: If `study` cannot be a study, or a system has no label for any of its items.
        MeasureError: If there are no models or too few people, or the answers are of another kind.
        OptionError: If an option has a value that it cannot take.

    References: cohen1960, krippendorff2004, dieugenio2000.

    >>> people = [["a", "a", "a"], ["b", "b", "a"], ["b", "b", "b"], ["a", "a", "a"], ["a", "b", "b"], ["b", "b", "b"]]
    >>> found = evaluate(["a", "b", "b", "a", "a", "b"], people)
    >>> round(found.only.accuracy.value, 3), round(found.only.ceiling.above["accuracy"].value, 3)
    (0.833, 0.889)
    """
    check_confidence(confidence)
    participants = participants_of(study, people=people, unparsable=unparsable, labels=labels, **roles)
    kind = participants.study.kind
    _refuse_kinds(participants)
    measure = OF_KIND[kind][0] if measure is None else measure
    _check_measure(measure, costs, kind)
    systems = systems_of(system, participants)
    if people is None:
        participants = participants.but_for([one.annotator for one in systems if one.annotator])
    reference = _reference(gold, participants)
    if isinstance(gold, str) and gold in [one.annotator for one in systems]:
        raise OptionError(quoted(gold), " is a system and the gold for it at once: leave it out of one of the two.")
    if kind != "single":
        return _without_labels(participants, systems, reference, gold, measure, confidence, weights)
    scale = shared_scale([*systems, *([reference] if reference else [])])
    if len(scale) > MOST_LABELS:
        raise MeasureError(
            f"A confusion table is for up to {MOST_LABELS:,} labels; here are {len(scale):,}. Merge rare labels first.",
            remedies=[remedy(recode=...)],
        )
    usual = usual_weights(participants.study)
    outside = weights is None and len(scale) != len(participants.study.labels)
    evaluator = Evaluator(
        participants,
        scale,
        reference,
        _tables(participants, scale, weights if weights is not None or outside else usual, costs),
        clusters_of(participants.study),
        confidence,
    )
    judged = tuple(evaluator.judged(one) for one in systems)
    return Evaluation(
        judged, "gold" if reference else "people", measure, scale,
        compared=evaluator.compared(systems, measure),
        notes=(
            *_notes(participants, systems, reference, gold),
            *([] if weights is not None or outside else _scale_notes(evaluator, systems, usual, measure)),
        ),
    )  # fmt: skip


def _without_labels(
    participants: Participants,
    systems: list[System],
    reference: System | None,
    gold: Any,
    measure: Quality,
    confidence: float,
    weights: WeightsLike | None,
) -> Evaluation:
    """Scores, as the numbers they are, and rankings, as the orders they are; each with what people reach."""
    from accord.judge.evaluate_rankings import RankingEvaluator, ranking_tables  # evaluators of this module
    from accord.judge.evaluate_scores import ScoreEvaluator, score_tables

    if weights is not None:
        raise OptionError(keyword("weights"), " are for labels; scores and rankings are compared as what they are.")
    clusters = clusters_of(participants.study)
    evaluator: Evaluator = (
        ScoreEvaluator(participants, (), reference, score_tables(), clusters, confidence)
        if participants.study.kind == "score"
        else RankingEvaluator(participants, (), reference, ranking_tables(), clusters, confidence)
    )
    judged = tuple(evaluator.judged(one) for one in systems)
    compared, notes = evaluator.compared(systems, measure), _notes(participants, systems, reference, gold)
    return Evaluation(judged, "gold" if reference else "people", measure, (), compared=compared, notes=notes)


def _scale_notes(evaluator: Evaluator, systems: Sequence[System], chosen: str, measure: str) -> Iterator[str]:
    """That values are weighted because labels are a scale; or what they would be if the labels were one."""
    study = evaluator.participants.study
    if chosen != "identity":
        yield f"The labels are a scale, so kappa, alpha and accuracy have {chosen!s} weights."
    looks = undeclared_scale(study)
    if looks is None or measure == "cost":
        return
    yield compared_as_names(looks)
    alike = alike_on_a_scale(study.answers, "a scale")
    values = ", ".join(f"{evaluator.on_a_scale(system, measure, alike)} for {system.name}" for system in systems)
    reach = evaluator.person_on_a_scale(measure, alike)
    person = "" if reach is None else f"; a person has {reach:.2f}"
    yield ScaleNote(f"As a scale (linear weights), {measure} is {values}{person}.")


@dataclass(eq=False)
class Evaluator:
    """One call of evaluate: the reference of the systems, and the measures; what several systems share is kept."""

    participants: Participants
    scale: tuple[Label, ...]
    gold: System | None
    weights: dict[str, FloatArray]  # measure ─▶ (labels, labels)
    cluster: IntArray | None  # (items,)
    confidence: float
    _references: dict[People, ReferenceLabels] = field(default_factory=dict)
    _joints: dict[System, JointLabels] = field(default_factory=dict)
    _humans: dict[People, tuple[JointLabels, JointLabels, JointLabels]] = field(default_factory=dict)
    _ceilings: dict[tuple[People, bytes], Ceiling] = field(default_factory=dict)
    _scores: dict[tuple[Any, str, bytes], tuple[Measured, FloatArray]] = field(default_factory=dict)

    def judged(self, system: System) -> Judged:
        """Everything about one system."""
        joint, people = self.joint(system), self._people(system)
        found = self._ceiling(people, joint.present)
        labels, confusion = self._tables_of(joint)
        return Judged(
            name=system.name,
            items=int(joint.present.sum()),
            n_reference=self._with_reference(system),
            failed=system.failed,
            values=self.measured(joint),
            labels=labels,
            confusion=confusion,
            ceiling=found,
            gaps=self._gaps(joint, people, found),
        )

    def _tables_of(self, joint: JointLabels) -> tuple[Table, Table]:
        """By label, and predicted against reference labels."""
        return self._by_label(joint), _confusion(joint.table, self.scale, gold=self.gold is not None)

    def _with_reference(self, system: System) -> int:
        """How many items there are to judge a system on."""
        return int(self._reference(system).present.sum())

    def measured(self, joint: JointLabels) -> dict[str, Estimate]:
        """Every measure of a table of pairs, with its interval."""
        units = self._units(joint.present)
        return {name: self._measured(name, joint, units) for name in self.weights}

    def _measured(self, name: str, joint: JointLabels, units: Units) -> Estimate:
        found = OF_LABELS[name](joint.table, self.weights[name])
        if found.undefined:
            return nothing(found.undefined, self.confidence)
        scores = found.scores(joint, joint.present)
        return estimate(found.value, scores, units, self.confidence, found.ends, found.expected)

    def on_a_scale(self, system: System, measure: str, alike: FloatArray) -> str:
        """The value of a system if the labels were a scale."""
        return f"{OF_LABELS[measure](self.joint(system).table, alike).value:z.2f}"

    def person_on_a_scale(self, measure: str, alike: FloatArray) -> float | None:
        """What a person has if the labels were a scale: against another person, or against gold."""
        itself = set() if self.gold is None else {self.gold.annotator}
        joints = self._human(tuple(name for name in self.participants.people if name not in itself))
        return None if joints is None else OF_LABELS[measure](joints[2].table, alike).value

    def _units(self, present: BoolArray) -> Units:
        return Units.of_items(present, self.cluster)

    def _people(self, system: System) -> People:
        """The people other than the system itself, and other than whose answers are gold."""
        itself = {one.annotator for one in (system, self.gold) if one is not None}
        return tuple(name for name in self.participants.people if name not in itself)

    def _reference(self, system: System) -> ReferenceLabels:
        """Gold, or the people's answers."""
        people, size = self._people(system), len(self.scale)
        if self.gold is not None:
            return ReferenceLabels.of_gold(self.gold.onto(self.scale), size)
        return _once(self._references, people, lambda: ReferenceLabels.of_people(self.participants.grid(people), size))

    def joint(self, system: System) -> JointLabels:
        """What a system predicted, with its reference."""
        return _once(self._joints, system, lambda: self._reference(system).against(system.onto(self.scale)))

    def _ceiling(self, people: People, present: BoolArray) -> Ceiling | None:
        """What people reach on the items that the system is judged on; None where there are too few people."""
        joints = self._human(people)
        if joints is None:
            return None

        def build() -> Ceiling:
            parts = [one.where(present) for one in joints]
            below, above, person = (self.measured(one) for one in parts)
            return Ceiling(people, int(parts[0].present.sum()), below, above, person, self.gold is not None)

        return _once(self._ceilings, (people, present.tobytes()), build)

    def _human(self, people: People) -> tuple[JointLabels, JointLabels, JointLabels] | None:
        """People from below, from above, and one person: against gold, or against each other."""
        size, gold = len(self.scale), self.gold
        if len(people) < (1 if gold else 2):
            return None

        def build() -> tuple[JointLabels, JointLabels, JointLabels]:
            grid = self.participants.grid(people)
            if gold is None:
                return majority_of_others(grid, size), largest_share(grid, size), one_against_another(grid, size)
            codes = gold.onto(self.scale)
            person = person_against_gold(grid, codes, size)
            return person, majority_against_gold(grid, codes, size), person

        return _once(self._humans, people, build)

    def _gaps(self, joint: JointLabels, people: People, found: Ceiling | None) -> dict[str, Estimate]:
        """The system less a person, paired over the items that have a value for both."""
        joints = self._human(people)
        if found is None or joints is None:
            return {}
        person = joints[2]
        units = self._units(joint.present & person.present)
        return {name: self.difference(name, units, (None, joint), (people, person)) for name in self.weights}

    def _scored(self, name: str, joint: JointLabels, present: BoolArray, key: Any) -> tuple[Measured, FloatArray]:
        """A measure on some of a table's items, and the scores of items; with a key, the same again costs nothing."""

        def build() -> tuple[Measured, FloatArray]:
            part = joint.where(present)
            found = OF_LABELS[name](part.table, self.weights[name])
            return found, found.scores(part, present)

        return build() if key is None else _once(self._scores, (key, name, present.tobytes()), build)

    def difference(self, name: str, units: Units, *of: tuple[Any, JointLabels]) -> Estimate:
        """One table's measure less another's, paired over the same items; each table comes with a key to keep it by."""
        present = units.sample.items > 0
        (first, scores), (second, others) = (self._scored(name, joint, present, key) for key, joint in of)
        undefined = first.undefined or second.undefined
        if undefined:
            return nothing(undefined, self.confidence)
        return difference(first.value - second.value, scores - others, units, self.confidence, self._widest(name))

    def _widest(self, name: str) -> float:
        """How far two values of a measure can lie apart."""
        return OF_LABELS[name].widest(self.weights[name])

    def compared(self, systems: Sequence[System], measure: str) -> Table:
        """Every two systems on the items that both answered, with Holm's correction for their number."""
        joints = [self.joint(system) for system in systems]
        pairs = list(combinations(range(len(systems)), 2))
        gaps, p, common = [], np.empty(len(pairs)), np.empty(len(pairs), dtype=np.int64)
        for place, (one, other) in enumerate(pairs):
            units = self._units(joints[one].present & joints[other].present)
            gap = self.difference(measure, units, (one, joints[one]), (other, joints[other]))
            gaps.append(gap)
            p[place], common[place] = _two_sided(gap, units), units.sample.n_items
        return Table(
            f"Systems compared by {measure}, paired over the items that both answered",
            {
                "first": [systems[one].name for one, _ in pairs],
                "second": [systems[other].name for _, other in pairs],
                "difference": np.array([gap.value for gap in gaps]),
                "low": np.array([gap.low for gap in gaps]),
                "high": np.array([gap.high for gap in gaps]),
                "p": p,
                "p_holm": holm(p),
                "common_items": common,
            },
        )

    def _by_label(self, joint: JointLabels) -> Table:
        found = by_label(joint, self.cluster)
        df = max(int(joint.present.sum()) - 1, 1)
        if self.gold is not None:
            found = replace(found, reference=found.reference.round().astype(np.int64))
        data: dict[str, Any] = {
            "label": list(self.scale),
            "reference": found.reference,
            "predicted": found.predicted.round().astype(np.int64),
        }
        for name, values in (("precision", found.precision), ("recall", found.recall), ("f1", found.f1)):
            data[name] = values
            data[f"{name}_low"], data[f"{name}_high"] = limits(
                values, found.errors[name], df=df, confidence=self.confidence, ends=(0.0, 1.0)
            )
        whose = "gold" if self.gold else "the people's answers, an item's shares adding up to one"
        return Table(
            "Precision, recall and F1 by label", data, (f"Reference is how many items have the label in {whose}.",)
        )


def _check_measure(measure: str, costs: Any, kind: str) -> None:
    check_choice("measure", measure, OF_KIND[kind])
    if measure == "cost" and costs is None:
        raise OptionError(Keyword("measure", measure), " needs ", remedy(costs=...), ", a table of labels × labels.")


def _refuse_kinds(participants: Participants) -> None:
    if participants.study.kind not in OF_KIND:
        raise MeasureError(
            "Single labels, scores and rankings can be held against gold or people; these are "
            f"{answers_called(participants.study.kind)}. The alternative annotator test takes them: ",
            Remedy({"about": "alt-test"}, python=str(remedy("accord.judge.alt_test", "study"))),
            ".",
        )


def _reference(gold: Any, participants: Participants) -> System | None:
    """What systems are compared with: gold, or None for people."""
    if gold is None:
        return adjudicated(participants) if (participants.gold >= 0).any() else _need_somebody(participants)
    return _need_somebody(participants) if gold is False else gold_of(gold, participants)


def _need_somebody(participants: Participants) -> System | None:
    if not participants.people:
        some = " is a model, and " if len(participants.models) == 1 else " are models, and "
        known = (all_quoted(participants.models), some) if participants.models else ()
        raise MeasureError(
            "There is nobody to hold the system against: ",
            *known,
            "no gold was given. Give ",
            remedy(gold=...),
            ", or say who the people are: ",
            remedy(people=[...]),
            ".",
        )
    return None


def _tables(
    participants: Participants, scale: tuple[Label, ...], weights: WeightsLike | None, costs: Any
) -> dict[str, FloatArray]:
    """How alike two labels are for each measure, and the costs turned so that rows are predicted labels."""
    alike = np.eye(len(scale))
    if weights is not None and weights != "identity":
        if len(scale) != len(participants.study.labels):
            more = all_quoted(scale[len(participants.study.labels) :])
            rule = (" the scale must hold every label; ", more, " are not on it: ")
            raise OptionError("With ", keyword("weights"), *rule, remedy(labels=[...]), ".")
        alike = np.asarray(build(weights, participants.study.answers).apply(np.eye(len(scale))))
    tables = {"kappa": alike, "alpha": alike, "accuracy": alike}
    return tables if costs is None else {**tables, "cost": cost_table(costs, scale).T}


def _confusion(table: FloatArray, scale: tuple[Label, ...], *, gold: bool) -> Table:
    """A row for each label that the system gave."""
    data: dict[str, Any] = {"predicted": list(scale)}
    for place, label in enumerate(scale):
        cells = table[:, place]
        data[str(label)] = cells.astype(np.int64) if gold else cells
    whose = "gold" if gold else "of people, an item's people sharing one"
    return Table("Predicted labels (rows) and reference labels (columns)", data, (f"Columns are {whose}.",))


def _two_sided(gap: Estimate, units: Units) -> float:
    if gap.value == 0 and not gap.interval.se > 0:
        return 1.0
    return p_value(gap.value, gap.interval.se, max(units.number - 1, 1))


def _once(kept: dict[Key, Value], key: Key, build: Callable[[], Value]) -> Value:
    """What was computed before, or is now."""
    if key not in kept:
        kept[key] = build()
    return kept[key]


def _notes(
    participants: Participants, systems: Sequence[System], reference: System | None, gold: Any
) -> tuple[str, ...]:
    notes = list(participants.notes([system.annotator for system in systems if system.annotator]))
    for system in systems:
        if system.elsewhere:
            outside = f": {counted(system.elsewhere, 'labels')} of items outside the study."
            notes.append(Message(MayBeNames(system.name), outside))
    makers = _makers(gold) if reference else set()
    within = [system.name for system in systems if system.annotator in makers]
    if within:
        notes.append(
            Message("The gold was decided with the answers of ", PeopleNames(within), ": its own value is too high.")
        )
    if makers & set(participants.people):
        notes.append("The gold was decided with the people's own answers: what people reach against it is too high.")
    if reference is None and len(participants.people) < 2:
        notes.append("There is one person only, so what people reach is not known.")
    return tuple(notes)


def _makers(gold: Any) -> set[str]:
    """Whose answers a Gold was decided with; nothing else says it."""
    return {gold.study.annotators[place] for place in gold.study._present} if isinstance(gold, Gold) else set()
