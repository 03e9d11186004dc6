"""What measures of scores have in common in the table of measures: when `measure` asks for them, and their entries."""

from __future__ import annotations

import math
from functools import partial

from accord.agreement.registry import ORDER_AND_NAMES, Measure, no_options
from accord.annotations.answers import answers_called
from accord.errors import Message, Words, remedy
from accord.study.study import Study

FEW_SCORES = 50  # different ones: items then look alike
PAIRS_UNASKED = 2_000_000  # of scores, compared one by one
RANKED_UNASKED = 500_000  # the same where every two items of a pair are put in order


def correlation(title: str, reference: str, summary: str, formula: str, most: int) -> Measure:
    """A correlation of each pair of annotators; `most` pairs of scores are compared unasked."""
    return Measure(
        title=title,
        references=(reference,),
        summary=summary,
        formula=formula,
        named=True,
        no_scale="Words for correlations belong to fields, not to agreement: a constant shift leaves them at 1.",
        kinds=("score", "single"),
        numeric=True,
        unasked=partial(only_of_scores, title),
        takes_long=partial(many_pairs_of_scores, title, most),
        by_answers=False,
        usual_options=no_options,
        properties=ORDER_AND_NAMES,
    )


def distance(title: str, reference: str, summary: str, formula: str) -> Measure:
    """How far scores of an item lie apart, in the unit of the scale."""
    return Measure(
        title=title,
        references=(reference,),
        summary=summary,
        formula=formula,
        low=0.0,
        high=math.inf,
        chance_corrected=False,
        kinds=("score", "single"),
        numeric=True,
        unasked=partial(only_of_scores, title),
        by_answers=False,
        usual_options=no_options,
        properties=ORDER_AND_NAMES,
    )


def only_of_scores(title: str, study: Study) -> Words | None:
    """Why `measure` does not ask for a measure of scores: nobody has called the labels a scale."""
    if study.kind not in ("single", "score"):
        return f"{title} is for numbers, and these are {answers_called(study.kind)}."
    if study.kind == "single" and study.level not in ("interval", "ratio"):
        if not study.answers.numeric:
            return f"{title} is for numbers, and these are labels."
        return lambda: Message(
            f"{title} takes labels as the numbers they are: say ", remedy(level="interval"), ", or ask by its name."
        )
    return None


def many_pairs_of_scores(title: str, most: int, study: Study) -> str | None:
    """Why more than so many pairs of scores, compared one by one, are left to who asks for them.

    Where scores are few different ones, items that look alike are compared once.
    """
    if len(study.answers) <= FEW_SCORES:
        return None
    pairs = study.n_annotations * (study.n_annotations / max(study.n_items, 1) - 1) / 2
    return f"{title} of {pairs:,.0f} pairs of scores takes long; it is asked for by its name." if pairs > most else None
