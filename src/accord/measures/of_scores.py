"""What measures of scores have in common in the table of measures: correlations of pairs, distances within items."""

from __future__ import annotations

import math
from functools import partial

from accord.agreement.registry import ORDER_AND_NAMES, Measure, no_options
from accord.scores.score_pairs import many_pairs_of_scores, only_of_scores


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
        instead="krippendorff_alpha serves.",
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
        instead="krippendorff_alpha serves.",
        unasked=partial(only_of_scores, title),
        by_answers=False,
        usual_options=no_options,
        properties=ORDER_AND_NAMES,
    )
