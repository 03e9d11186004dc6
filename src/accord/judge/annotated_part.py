"""Which items people annotated and which models only, and what predicts the former from the latter."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from accord.agreement.build import differential, tallied
from accord.agreement.result import Agreement
from accord.agreement.self_agreement_result import as_different_people
from accord.annotations.arrays import BoolArray, FloatArray, IntArray
from accord.coefficients.chance import Pooled
from accord.coefficients.coefficient import Smooth
from accord.errors import (
    Keyword,
    LabelError,
    MeasureError,
    OptionError,
    all_quoted,
    counted,
    in_python,
    remedy,
)
from accord.judge.estimates import clusters_of
from accord.judge.participants import Participants
from accord.judge.predicted_sums import LEVELS, Predicted, fitted, from_answers, in_full, looks, terms
from accord.measures.dipietro_hazari import dipietro_hazari_kappa
from accord.measures.registered import MEASURES
from accord.study.study import Study
from accord.study.suggested_labels import Suggestions, read_suggestions, suggestions_of


@dataclass(frozen=True, eq=False)
class AnnotatedPart:
    """Items with people and models, items with models only."""

    people: Study
    models: Study
    annotated: IntArray
    rest: IntArray
    clusters: tuple[IntArray, IntArray] | None
    notes: tuple[str, ...]

    @property
    def total(self) -> int:
        """All items that count."""
        return len(self.annotated) + len(self.rest)

    @classmethod
    def of(cls, participants: Participants) -> AnnotatedPart:
        """Of people and models."""
        people, models = (
            participants.study.of_annotators(names) for names in (participants.people, participants.models)
        )
        have, predicted = _answered(people), _answered(models)
        annotated, rest = np.nonzero(have & predicted)[0], np.nonzero(predicted & ~have)[0]
        _need_both(len(annotated), len(rest))
        lost = int((have & ~predicted).sum())
        notes = (f"{counted(lost, 'items')} that people annotated and no model answered left out.",) if lost else ()
        return cls(people, models, annotated, rest, _clusters(participants.study, annotated, rest, 0), notes)


def _need_both(few: int, many: int) -> None:
    if few < 3:
        raise MeasureError(
            f"People and the model have {counted(few, 'items')} in common; correcting needs three at least, and thirty "
            "to be of use. Have people annotate a random part of the items.",
            option=Keyword("model"),
        )
    if many < 2:
        raise MeasureError(
            f"People annotated all {few:,} items that the model answered, so there is nothing to correct: measure "
            "people's answers themselves.",
            option=Keyword("model"),
        )


def _answered(study: Study) -> BoolArray:
    """(items,) is there an answer?"""
    present = np.zeros(study._annotations.n_items, dtype=np.bool_)
    present[study._annotations.rows[0]] = True
    return present


def _clusters(study: Study, annotated: IntArray, rest: IntArray, elsewhere: int) -> tuple[IntArray, IntArray] | None:
    codes = clusters_of(study)
    if codes is None:
        return None
    more = codes.max(initial=-1) + 1 + np.arange(elsewhere)
    return codes[annotated], np.concatenate((codes[rest], more))


def label_shares(study: Study, items: IntArray) -> FloatArray:
    """(items, labels) each item's marginal distribution of answers."""
    tally = study.tally()
    assert tally.locate is not None
    return in_full(Pooled().item_sums(tally))[tally.locate()[items]]


def units(items: int, clusters: tuple[IntArray, IntArray] | None) -> int:
    """How many annotated items there are, or clusters of them."""
    return items if clusters is None else len(np.unique(clusters[0]))


class FromAnswers:
    """Models' answers predict people's agreement."""

    def __init__(self, participants: Participants, measure: str, predict: str, options: dict[str, Any]) -> None:
        participants.need_models("Corrected agreement")
        self.part = AnnotatedPart.of(participants)
        self.annotated, self.n_rest = self.part.annotated, len(self.part.rest)
        self.clusters = self.part.clusters
        self.notes = (*self.part.notes, *participants.notes(participants.models))
        self.plain = _plain(self.part.people, self.annotated, measure, options)
        tally = self.part.models.tally()
        most = float(tally.items @ tally.pairable) / tally.n_items
        self.predict = predict if predict != "auto" else "answers" if most > 0.5 else "fitted"
        if self.predict == "answers" and most == 0:
            raise MeasureError(
                Keyword("predict", "answers"),
                " needs two models (or runs) per item to agree with each other; there is ",
                all_quoted(participants.models),
                " alone. Use ",
                remedy(predict="fitted"),
                ".",
            )

    def predicted(self, formula: Smooth) -> Predicted:
        """Terms of items, their own and predicted."""
        known = np.zeros(formula.item_sums.width, dtype=np.bool_)
        models = as_different_people(self.part.models)  # so that runs of one model are answers, too
        if self.predict == "answers":
            answers = tallied(self.plain.recipe.of_part(self.plain, models)).as_item_means()
            assert answers is not None
            return from_answers(formula, answers, self.annotated, self.part.rest, known)
        seen = looks(models.tally(), models._annotations.n_items)
        nothing = np.zeros((int(seen.max()) + 1, formula.item_sums.width))
        return fitted(terms(formula, self.annotated), seen[self.annotated], seen[self.part.rest], known, nothing)


class FromSuggestions:
    """κ_DH: the suggestion itself predicts how people will judge it; its marginals are known for all items."""

    predict = "fitted"

    def __init__(self, participants: Participants, suggested: Any, options: dict[str, Any]) -> None:
        study = participants.study
        suggester = suggested if isinstance(suggested, str) and suggested in study.annotators else None
        suggestions = read_suggestions(suggested, study)
        if suggestions.design is not None:
            raise OptionError(
                "Give the suggestions of the whole data set, not the sample that was drawn from it: ",
                in_python("suggested={item: label, …}", "--suggested"),
                ". The sample by itself is what ",
                in_python("dipietro_hazari_kappa(study, suggested=sample)", "`accord measure --suggested`"),
                " takes.",
                option=Keyword("suggested"),
            )
        judges = study.of_annotators([name for name in participants.people if name != suggester])
        have, proposed = _answered(judges), suggestions.codes >= 0
        self.annotated = np.nonzero(have & proposed)[0]
        rest = np.nonzero(proposed & ~have)[0]
        elsewhere = _elsewhere(suggested, suggestions, study)
        others = [name for name in participants.models if name != suggester]
        seen = looks(study.of_annotators(others).tally(), study._annotations.n_items, suggestions.codes)
        self.stratum = seen[self.annotated]
        self.rest = np.concatenate((seen[rest], elsewhere * LEVELS + LEVELS - 1))
        self.n_rest = len(self.rest)
        _need_both(len(self.annotated), self.n_rest)
        self.clusters = _clusters(study, self.annotated, rest, len(elsewhere))
        codes = suggestions.codes
        source = {study.items[place]: suggestions.labels[codes[place]] for place in self.annotated.tolist()}
        self.plain = _plain(judges, self.annotated, dipietro_hazari_kappa.__name__, {**options, "suggested": source})
        self.scale = suggestions.labels
        lost = int((have & ~proposed).sum())
        judged = differential(self.plain)
        fit = None if judged is None else judged.agreement_of_judges
        self.notes: tuple[str, ...] = () if fit is None else (fit,)
        if lost:
            self.notes += (f"{counted(lost, 'items')} without a suggestion left out.",)

    def predicted(self, _formula: Smooth) -> Predicted:
        """Terms of items; R, S and the shares of answers are predicted from the suggestion and by other models."""
        formula = differential(self.plain)
        assert formula is not None
        size, place = len(formula.labels), {label: at for at, label in enumerate(formula.labels)}
        missing = [label for label in self.scale if label not in place]
        if missing:
            raise LabelError(
                all_quoted(missing),
                " is suggested for items that nobody annotated only. Declare all labels: ",
                remedy(labels=[...]),
                ".",
            )
        onto = np.array([place[label] for label in self.scale], dtype=np.int64)
        strata = LEVELS * len(self.scale)
        known = np.zeros(3 + 2 * size, dtype=np.bool_)
        known[3 + size :] = True
        table = np.zeros((strata, 3 + 2 * size))
        table[np.arange(strata), 3 + size + onto[np.arange(strata) // LEVELS]] = 1.0
        return fitted(terms(formula, self.annotated), self.stratum, self.rest, known, table)


def _plain(people: Study, annotated: IntArray, measure: str, options: dict[str, Any]) -> Agreement:
    """The coefficient of the annotated items as people have it."""
    inside = np.zeros(people._annotations.n_items, dtype=np.bool_)
    inside[annotated] = True
    part = people._where(inside[people._annotations.rows[0]])
    if part._annotations.repeated:
        raise MeasureError(
            "Models' answers stand in for one answer of each person to an item, and some people answered an item more "
            "than once. Keep one: ",
            remedy(duplicates="first"),
            ".",
        )
    found = MEASURES[measure].function(part, **options)
    assert isinstance(found, Agreement)
    return found


def _elsewhere(source: Any, suggestions: Suggestions, study: Study) -> IntArray:
    """Codes of suggestions for items that the study does not have."""
    if not suggestions.elsewhere:
        return np.empty(0, dtype=np.int64)
    present = set(study.items)
    whole = suggestions_of(source, study.roles.get("item", "item"))
    place = {label: at for at, label in enumerate(suggestions.labels)}
    labels = [label for item, label in whole.items() if item not in present]
    outside = {label for label in labels if label not in place}
    if outside:
        raise LabelError(
            all_quoted(sorted(map(str, outside))),
            " is suggested for items that nobody annotated only. Declare all labels: ",
            remedy(labels=[...]),
            ".",
        )
    return np.array([place[label] for label in labels], dtype=np.int64)
