"""Can this model replace an annotator? Everything that bears on it, model by model, in one answer."""

from __future__ import annotations

import html
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Unpack

from accord.agreement.table import Table
from accord.errors import Keyword, Message
from accord.judge.alt_test_result import IN_WORDS, PASSES, AltTest, AltTests
from accord.judge.alternative_test import LEAST_PEOPLE, alt_tests
from accord.judge.closeness import Closeness
from accord.judge.estimates import better
from accord.judge.evaluate_systems import Quality, evaluate
from accord.judge.evaluation_result import Evaluation, Judged
from accord.judge.joint_scores import SCORE_QUALITIES
from accord.judge.judge_biases import LabelBias, label_bias
from accord.judge.likeness_to_people import MOST_PEOPLE, Likeness, human_likeness
from accord.judge.participants import Unparsable, participants_of
from accord.judge.scales import ScaleNote, usual_closeness, usual_weights
from accord.judge.to_json import judgement
from accord.options import Progress, Rng
from accord.study.study import Study
from accord.study.study_of_input import PlainRoles

BIASED = 0.05  # the level of significance at which marginals are said to differ from people's
MOST_LABELS = 200  # labels up to which the marginals are compared
WORDS = {
    **IN_WORDS,
    "no": "is worse than a person, and does not pass",
    "untested": "cannot be tested: that takes three people or more, and items that they share with the model",
}


@dataclass(frozen=True, eq=False)
class Verdict:
    """Every model of a study: against people (or gold), in each person's place, and as like people as people are.

    >>> from accord import Study
    >>> from accord.judge import verdict
    >>> people = {"ana": list("aabbab" * 6), "ben": list("aabbaa" * 6), "chloe": list("abbbab" * 6)}
    >>> study = Study.from_wide({**people, "gpt": list("aabbab" * 6), "coin": list("ababab" * 6)})
    >>> found = verdict(study, models=["gpt", "coin"], n_resamples=200)
    >>> found.models, found.to_table()["model"].tolist()
    (('gpt', 'coin'), ['gpt', 'coin'])
    """

    evaluation: Evaluation
    alternative: AltTests | None  # None where there are fewer than three people
    likeness: dict[str, Likeness]
    bias: dict[str, LabelBias]  # the test does not see that a model gives one label too often
    notes: tuple[str, ...] = ()

    @property
    def models(self) -> tuple[str, ...]:
        """The models, in the study's order."""
        return tuple(one.name for one in self.evaluation)

    @property
    def questions(self) -> tuple[str, ...]:
        """What only the user knows of the scale, and what would be said then: it comes before the answers."""
        return tuple(note for note in self.notes if isinstance(note, ScaleNote))

    def answer(self, model: str) -> str:
        """One of yes, perhaps, not shown, no and untested.

        Yes: the alternative annotator test is passed, and by the lower end of the winning rate's interval too; perhaps:
        passed by the rate alone. No: not passed even by the upper end, and the interval of the model's difference from
        a person lies below zero. Not shown: anything else.

        Args:
            model: The name of a model.

        Returns:
            One of "yes", "perhaps", "not shown", "no" and "untested".

        Raises:
            OptionError: If there is no such model.

        >>> from accord import Study
        >>> from accord.judge import verdict
        >>> people = {"ana": list("aabbab" * 6), "ben": list("aabbaa" * 6), "chloe": list("abbbab" * 6)}
        >>> study = Study.from_wide({**people, "gpt": list("aabbab" * 6), "coin": list("ababab" * 6)})
        >>> found = verdict(study, models=["gpt", "coin"], n_resamples=200)
        >>> found.answer("gpt"), found.answer("coin")
        ('yes', 'not shown')
        """
        judged = self.evaluation[model]
        if self.alternative is None or self.alternative[model].undefined:
            return "untested"
        return _answer(self.alternative[model], judged, self.evaluation.measure)

    def sentence(self, model: str, *, reasons: bool = True) -> str:
        """The answer for one model, with its reasons.

        Args:
            model: The name of a model.
            reasons: Whether they are told.

        Returns:
            A few sentences; without reasons one.

        Raises:
            OptionError: If there is no such model.

        >>> from accord import Study
        >>> from accord.judge import verdict
        >>> people = {"ana": list("aabbab" * 6), "ben": list("aabbaa" * 6), "chloe": list("abbbab" * 6)}
        >>> study = Study.from_wide({**people, "gpt": list("aabbab" * 6), "coin": list("ababab" * 6)})
        >>> found = verdict(study, models=["gpt", "coin"], n_resamples=200)
        >>> found.sentence("coin", reasons=False)
        'coin is not shown to be fit to stand in for an annotator.'
        """
        judged = self.evaluation[model]
        text = f"{model} {WORDS[self.answer(model)]}."
        if not reasons:
            return text
        value = judged.described(self.evaluation.measure)
        text += f" {value[:1].upper()}{value[1:]}."
        if self.alternative is not None and not self.alternative[model].undefined:
            test = self.alternative[model]
            text += f" Winning rate ω = {test.omega:.2f} at ε = {test.epsilon:g}, advantage ρ = {test.rho:.3f}."
        return f"{text}{self._bias(model)}"

    def _bias(self, model: str) -> str:
        """The label that the model gives too often or too seldom, if its labels are shown to differ from people's."""
        found = self.bias.get(model)
        level = self.evaluation[model].values.get("bias")
        if level is not None and not level.undefined and not level.low <= 0 <= level.high:
            above = "above" if level.value > 0 else "below"
            against = "people" if self.evaluation.against == "people" else "gold"
            return (
                f" It scores {abs(level.value):.3g} {above} {against} on average [{level.low:.3g}, {level.high:.3g}]."
            )
        rows = [row for row in found.table if row["p_holm"] < BIASED] if found is not None else []
        if found is None or not rows or found.p >= BIASED:  # NaN where all items differ alike
            return ""
        row = max(rows, key=lambda one: abs(one["difference"]))
        often = "more often" if row["difference"] > 0 else "less often"
        return f" It gives {row['label']!r} {often} than people: {row['model']:.0%} against {row['people']:.0%}."

    def to_table(self) -> Table:
        """A row per model.

        Returns:
            A `Table` with one row per model: model, answer (yes, no, perhaps, not shown), the value of the measure with
            low and high; a_person, people_reach and at_most, what people reach; omega, rho and least_margin of the
            alternative annotator test; likeness and z; items, unparsable.
        """
        rows = [self._row(judged) for judged in self.evaluation]
        return Table("Can a model replace an annotator?", {name: [row[name] for row in rows] for name in rows[0]})

    def _row(self, judged: Judged) -> dict[str, Any]:
        measure, nan = self.evaluation.measure, float("nan")
        value, reach = judged.values[measure], judged.ceiling
        test = None if self.alternative is None else self.alternative[judged.name]
        like = self.likeness.get(judged.name)
        return {
            "model": judged.name,
            "answer": self.answer(judged.name),
            measure: value.value,
            "low": value.low,
            "high": value.high,
            **{
                name: judged.values[name].value for name in SCORE_QUALITIES if name in judged.values and name != measure
            },
            "a_person": nan if reach is None else reach.person[measure].value,
            "people_reach": nan if reach is None else reach.below[measure].value,
            "at_most": nan if reach is None else reach.above[measure].value,
            "omega": nan if test is None else test.omega,
            "rho": nan if test is None else test.rho,
            "least_margin": nan if test is None else test.least_margin,
            "likeness": nan if like is None else like.difference.value,
            "z": nan if like is None else like.z,
            "items": judged.items,
            "unparsable": judged.unparsable,
        }

    def __str__(self) -> str:
        lines = [self.sentence(model) for model in self.models]
        compared = [str(self.evaluation.compared)] if len(self.evaluation.compared) else []
        first = [*self.questions, ""] if self.questions else []
        others = [note for note in self.notes if note not in self.questions]
        return "\n".join([*first, *lines, "", str(self.to_table()), *compared, *others])

    __repr__ = __str__

    def _repr_html_(self) -> str:
        lines = [*self.questions, *(self.sentence(model) for model in self.models)]
        text = "".join(f"<p>{html.escape(line)}</p>" for line in lines)
        return f"{text}{self.to_table()._repr_html_()}"

    def to_dict(self) -> dict[str, Any]:
        """For JSON: the table, the comparisons, and every result whole."""
        tables = {"models": self.to_table(), "compared": self.evaluation.compared}
        text = judgement("verdict", {"against": self.evaluation.against}, tables, self.notes)
        results = [self.evaluation.to_dict(), *(one.to_dict() for one in self.alternative or ())]
        more: list[Likeness | LabelBias] = [*self.likeness.values(), *self.bias.values()]
        return {**text, "results": [*results, *(one.to_dict() for one in more)]}


def verdict(
    study: Any,
    /,
    *,
    models: Sequence[str] | None = None,
    epsilon: float = 0.1,
    gold: Any = None,
    closeness: Closeness | None = None,
    people: Sequence[str] | None = None,
    measure: Quality | None = None,
    unparsable: Unparsable = "missing",
    confidence: float = 0.95,
    n_resamples: int = 1000,
    rng: Rng = 0,
    progress: Progress = None,
    labels: Sequence[Any] | None = None,
    **roles: Unpack[PlainRoles],
) -> Verdict:
    """Can a model replace an annotator? Every model of a study evaluated, tested in each person's place, and compared.

    `evaluate`, `alt_tests`, `human_likeness` and `label_bias` at once.

    Args:
        study: A `Study` of people and models with labels, scores or rankings, or what one is made of, with its
            keywords.
        models: Which models; by default those that the study's `kind` column tells.
        epsilon: The margin of the alternative annotator test.
        gold: The reference of models in `evaluate`; by default the adjudicators if there are any, else people.
        closeness: How close an answer is to others', for the alternative annotator test.
        people: Who the people are; by default everybody who is neither a model nor an adjudicator.
        measure: The value that is printed and compared: of labels "kappa" (the default), "alpha" or "accuracy"; of
            scores "concordance" (the default), "correlation", "bias" or "difference"; of rankings "tau" (the
            default) or "overlap".
        unparsable: Unparsable, refused and failed answers are "missing", or count as a "label".
        confidence: Of the intervals.
        n_resamples: Resamples of items for the intervals of ω and ρ.
        rng: A seed or a Generator.
        progress: True, or a function of (done, total).
        labels: The scale.
        **roles: The keywords of `Study`.

    Returns:
        A `Verdict`: `answer(model)` in a word, `sentence(model)` with the reasons, and every result whole.

    Raises:
        InputError: If `data` cannot be a study, or a named person or model is not in it.
        MeasureError: If there are no models or too few people, or the answers are of another kind.
        OptionError: If an option has a value that it cannot take.

    >>> from accord import Study
    >>> people = {"ana": list("aabbab" * 6), "ben": list("aabbaa" * 6), "chloe": list("abbbab" * 6)}
    >>> study = Study.from_wide({**people, "gpt": list("aabbab" * 6)})
    >>> found = verdict(study, models=["gpt"], n_resamples=200)
    >>> found.answer("gpt"), round(found.evaluation["gpt"].kappa.value, 3)
    ('yes', 0.778)
    """
    participants = participants_of(study, models=models, people=people, labels=labels, **roles)
    participants.need_models("A verdict")
    named: dict[str, Any] = {"people": list(participants.people), "unparsable": unparsable, "confidence": confidence}
    found = evaluate(list(participants.models), participants.study, gold=gold, measure=measure, **named)
    enough = len(participants.people) >= LEAST_PEOPLE
    tests: AltTests | None = None
    if enough:
        drawing: dict[str, Any] = {"n_resamples": n_resamples, "rng": rng, "progress": progress}
        tests = alt_tests(
            participants.study,
            models=list(participants.models),
            epsilon=epsilon,
            closeness=closeness,
            **drawing,
            **named,
        )
    few = enough and len(participants.people) <= MOST_PEOPLE and participants.study.kind == "single"
    likeness = {
        name: human_likeness(participants.study, model=name, **named) for name in (participants.models if few else ())
    }
    named_labels = participants.study.kind != "ranking" and 0 < len(participants.study.labels) <= MOST_LABELS
    both = [one.name for one in found if one.items and named_labels]
    bias = {name: label_bias(participants.study, model=name, **named) for name in both} if participants.people else {}
    apart = _measured_otherwise(participants.study, closeness, found.measure)
    notes = dict.fromkeys(
        [*participants.people_note(), *found.notes, *apart, *(note for one in tests or () for note in one.notes)]
    )
    return Verdict(found, tests, likeness, bias, tuple(notes))


def _measured_otherwise(study: Study, closeness: Closeness | None, measure: str) -> tuple[str, ...]:
    """That ω and kappa compare answers in different ways, where the caller chose how ω does."""
    if not isinstance(closeness, str) or study.kind != "single" or closeness == usual_closeness(study):
        return ()
    weighted, near, same = usual_weights(study) != "identity", "by their distance on the scale", "as the same or not"
    if (closeness != "accuracy") == weighted:
        return ()
    note = Message(
        f"Winning rate and advantage compare answers {same if weighted else near} (", Keyword("closeness", closeness),
        f"), {measure} compares them {near if weighted else same}.",
    )  # fmt: skip
    return (note,)


def _answer(test: AltTest, judged: Judged, measure: str) -> str:
    low, high = test.omega_interval.low, test.omega_interval.high
    if test.passes:
        return "perhaps" if low < PASSES else "yes"
    names = [name for name in (measure, "accuracy", "concordance") if better(name) == "more"]
    gaps = [judged.gaps[name] for name in names if name in judged.gaps]
    gap = next((one for one in gaps if not one.undefined), None)  # people may have no kappa where they all agree
    return "no" if high < PASSES and gap is not None and gap.high < 0 else "not shown"
