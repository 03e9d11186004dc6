"""Options as users say them, in numbers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from accord.annotations.arrays import FloatArray
from accord.errors import Keyword, OptionError, listing, remedy
from accord.study.study import Study

MILD = "mild"  # a prior by its name
PRIOR = 1.0  # pseudo-answers on the right label and on all wrong ones together: unseen answers must stay possible


def mild_prior(labels: int) -> FloatArray:
    """(C, K): one pseudo-answer on the right label, one shared out over the wrong ones."""
    pseudo = np.full((labels, labels), PRIOR / max(labels - 1, 1))
    np.fill_diagonal(pseudo, PRIOR)
    return pseudo


def is_mild(prior: Any) -> bool:
    """Is the prior named, rather than given in numbers?"""
    return isinstance(prior, str) and prior == MILD


def pseudo_answers(prior: Any, number: int) -> FloatArray | None:
    """(C, K) from the word "mild", a number, a pair (right, each wrong) or a table; None for none."""
    if prior is None:
        return None
    if is_mild(prior):
        return mild_prior(number)
    given = np.asarray(prior, dtype=np.float64)
    if given.ndim == 0:
        table = np.full((number, number), float(given))
    elif given.shape == (2,):
        table = np.full((number, number), given[1])
        np.fill_diagonal(table, given[0])
    else:
        table = given
    if table.shape != (number, number) or not np.isfinite(table).all() or (table < 0).any():
        raise OptionError.must(
            "prior",
            f"be {MILD!r}, a number of pseudo-answers, a pair (on the right answer, on each wrong one) or a "
            f"{number} × {number} table, none below 0",
            prior,
        )
    return table


def label_shares_of(given: Any, study: Study, *, sets: bool, learns: bool) -> FloatArray | str | None:
    """The words "learned" and "uniform", or one share a label, summing to one."""
    if given is None:
        return None
    if isinstance(given, str):
        if given not in ("learned", "uniform"):
            raise OptionError.choice("label_shares", given, ("learned", "uniform"))
        if given == "learned" and not learns:
            raise OptionError(
                "GLAD does not learn how common the labels are: give ",
                remedy(label_shares="uniform"),
                " or the shares.",
            )
        return given
    if sets:
        raise OptionError.must(
            "label_shares", "be 'learned' or 'uniform' for sets, where each label is a question of its own", given
        )
    if isinstance(given, Mapping):
        missing = [label for label in study.labels if label not in given]
        if missing:
            raise OptionError(Keyword("label_shares"), f" does not name {listing(missing)}. Give every label a share.")
        given = [given[label] for label in study.labels]
    shares = np.asarray(given, dtype=np.float64)
    if shares.shape != (len(study.labels),) or not (shares > 0).all() or abs(shares.sum() - 1) > 1e-6:
        raise OptionError.must("label_shares", f"be {len(study.labels)} shares above 0 that sum to 1", given)
    scaled: FloatArray = shares / shares.sum()
    return scaled
