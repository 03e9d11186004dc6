"""Scores with the annotators' severity taken off: by a least-squares fit, or by the rating-scale model."""

from __future__ import annotations

from accord.agreement.rating_scale_model import fitted
from accord.consensus.numeric_methods import Scored, Scores
from accord.errors import MeasureError, counted, remedy
from accord.scores.severity import AnnotatorEffects, Rated
from accord.study.study import Study


def severity_adjusted(scores: Scores) -> Scored:
    """The mean of an item's scores, the severity of who gave each taken off.

    Effects come from a least-squares fit of items and annotators and sum to zero, so that one that all share cannot
    be seen. The error of an item holds the noise of its scores and what is not known of the effects of those who gave
    them. Who scored an item more than once has their mean there.
    """
    shape = scores.n_items, scores.n_annotators
    effects = AnnotatorEffects.of(Rated.merged(scores.item, scores.annotator, scores.value, scores.count, shape))
    notes = []
    if not effects.linked:
        notes.append(
            "The annotators fall into groups without a common item: severities are taken off within each, and scores "
            "of different groups cannot be compared."
        )
    alone = int(effects.alone.sum())
    if alone:
        notes.append(
            f"{counted(alone, 'items')} scored by somebody who shares no item with anybody: the severity is not known, "
            "so the score is as it was given and has no standard error."
        )
    return Scored(effects.item_value, effects.item_error, effects.effect, effects.noise, notes=tuple(notes))


def rating_scale_scores(study: Study) -> Scored:
    """What an annotator of mean severity would give on average, by the many-facet rating-scale model."""
    model = fitted(study, "mml")
    if model.undefined:
        raise MeasureError(
            "There is no rating-scale model of these scores. ",
            model.undefined or "",
            " Choose another way: ",
            remedy(method="severity-adjusted"),
            ".",
        )
    value, error = model.fair_scores()
    return Scored(value, error, notes=model.notes)
