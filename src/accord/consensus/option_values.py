"""Options as users say them, in numbers."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from os import PathLike
from typing import Any

import numpy as np

from accord.annotations.arrays import FloatArray
from accord.consensus.em import ITERATIONS, TOLERANCE
from accord.consensus.learned_prior import LEARNED
from accord.consensus.numeric_methods import PRIOR_ANSWERS
from accord.errors import Keyword, Message, OptionError, OwnWords, all_quoted, counted, listing, remedy
from accord.options import check_choice, check_positive, check_whole, is_number
from accord.study.study import Study

MILD, NONE = "mild", "none"  # priors by their names, beside the one that is learned
NAMED = (LEARNED, MILD, NONE)
MOST_RESTARTS = 1_000_000
PRIOR = 1.0  # pseudo-answers on the right label and on all wrong ones together: unseen answers must stay possible


def mild_prior(labels: int) -> FloatArray:
    """(C, K): one pseudo-answer on the right label, one shared out over the wrong ones."""
    pseudo = np.full((labels, labels), PRIOR / max(labels - 1, 1))
    np.fill_diagonal(pseudo, PRIOR)
    return pseudo


def is_named(prior: Any) -> bool:
    """Is the prior named, rather than given in numbers?"""
    return isinstance(prior, str) and prior in NAMED


def is_learned(prior: Any) -> bool:
    """Is the prior learned from the crowd, as it is by default?"""
    return prior is None or (isinstance(prior, str) and prior == LEARNED)


def pseudo_answers(prior: Any, number: int) -> FloatArray | None:
    """(C, K) from the word "mild", a number, a pair (right, each wrong) or a table; None for none or a learned one."""
    if prior is None or is_named(prior):
        return mild_prior(number) if prior == MILD else None
    try:
        given = np.asarray(prior, dtype=np.float64)
    except (TypeError, ValueError, OverflowError):  # no numbers at all
        given = np.empty(0)
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
            Message(
                "be ",
                OwnWords(NAMED),
                ", a number of pseudo-answers, a pair (on the right answer, on each wrong one) or a "
                f"{number} × {number} table, none below 0",
            ),
            prior,
        )
    return table


def label_shares_of(given: Any, study: Study, *, sets: bool, learns: bool) -> FloatArray | str | None:
    """The words "learned" and "uniform", or one share per label, summing to one."""
    if given is None:
        return None
    if isinstance(given, str):
        check_choice("label_shares", given, ("learned", "uniform"))
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
            raise OptionError(
                Keyword("label_shares"), " does not name ", all_quoted(missing), ". Give every label a share."
            )
        given = [given[label] for label in study.labels]
    shares = np.asarray(given, dtype=np.float64)
    if shares.shape != (len(study.labels),) or not (shares > 0).all() or abs(shares.sum() - 1) > 1e-6:
        raise OptionError.must(
            "label_shares", f"be {counted(len(study.labels), 'shares')} above 0 that sum to 1", given
        )
    scaled: FloatArray = shares / shares.sum()
    return scaled


def word(name: str, value: str, allowed: Sequence[str]) -> str:
    """One of the allowed words."""
    check_choice(name, value, allowed)
    return value


def check_values(method: str, given: Mapping[str, Any]) -> None:
    """Numbers where numbers are wanted; whether they fit the labels is seen later."""
    check_whole("iterations", given.get("iterations", ITERATIONS), 1)
    check_whole("restarts", given.get("restarts", 0), 0, most=MOST_RESTARTS)
    tolerance = given.get("tolerance", TOLERANCE)
    if not is_number(tolerance) or math.isnan(tolerance):  # below 0 all iterations run
        raise OptionError.must("tolerance", f"be a number, such as {TOLERANCE:g}", tolerance)
    if not isinstance(given.get("checkpoint", ""), str | PathLike):
        raise OptionError.must("checkpoint", "be the name of a file", given["checkpoint"])
    if method == "weighted-mean":
        prior = given.get("prior", PRIOR_ANSWERS)
        check_positive("prior", prior, f"{PRIOR_ANSWERS:g} pseudo-answers for the weighted mean")
    elif not is_named(given.get("prior", LEARNED)):
        allowed = f"{listing(NAMED)}, a number, a pair of numbers or a square table of them"
        _check_numbers("prior", given["prior"], allowed)
    shares = given.get("label_shares", "learned")
    if not isinstance(shares, str):
        _check_numbers("label_shares", shares, "'learned', 'uniform' or one number per label")


def _check_numbers(name: str, value: Any, allowed: str) -> None:
    try:
        cells = np.asarray(list(value.values()) if isinstance(value, Mapping) else value)
        cells.astype(np.float64)
    except (TypeError, ValueError, OverflowError):  # rows of several lengths, or no numbers
        cells = np.asarray("")
    if cells.dtype.kind not in "iufO":
        raise OptionError.must(name, f"be {allowed}", value)
