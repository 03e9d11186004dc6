"""The methods of a gold by name: what each is called, takes and serves, and what is said of one that does not fit.

Labels and numbers have theirs here; spans and rankings have tables of the same kind in their own folders.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from accord.consensus import fit_models
from accord.consensus.ballots import Ballots
from accord.consensus.glad import glad
from accord.consensus.majority import majority, worker_agreement
from accord.consensus.method_outcome import Options, Outcome
from accord.errors import Keyword, OptionError, OwnWords

ON_LABELS = "labels"
ON_NUMBERS = "numbers"
ON_SPANS = "spans"
ON_RANKINGS = "rankings"
EM_OPTIONS = ("iterations", "tolerance", "restarts")
KEPT = (*EM_OPTIONS, "checkpoint")  # of models whose every iteration begins with what the one before has learned


@dataclass(frozen=True, eq=False)
class Method:
    """A way from answers to gold."""

    title: str
    serves: str  # labels, numbers, spans or rankings
    options: tuple[str, ...] = ()
    references: tuple[str, ...] = ()
    named: bool = True  # must annotators be told apart?
    run: Callable[[Ballots, Options], Outcome] | None = None  # for methods that take one question at a time


METHODS: dict[str, Method] = {
    "majority": Method("Majority", ON_LABELS, ("ties",), named=False, run=majority),
    "expert-index": Method("Expert index", ON_LABELS, ("order",), ("bhowmick2008",)),
    "sharpening": Method("Sharpening", ON_LABELS, ("item_weights", "p", "iterations", "tolerance"), ("rosenberg2004",)),
    "worker-agreement": Method("Worker agreement (Wawa)", ON_LABELS, (), ("ustalov2024",), run=worker_agreement),
    "one-coin": Method(
        "One coin", ON_LABELS, ("prior", "label_shares", *KEPT), ("raykar2010", "zhang2016"), run=fit_models.one_coin
    ),
    "dawid-skene": Method(
        "Dawid–Skene", ON_LABELS, ("prior", "label_shares", *KEPT), ("dawid1979",), run=fit_models.dawid_skene
    ),
    "mace": Method("MACE", ON_LABELS, ("label_shares", "inference", *KEPT), ("hovy2013",), run=fit_models.mace),
    "glad": Method("GLAD", ON_LABELS, ("label_shares", "iterations", "tolerance"), ("whitehill2009",), run=glad),
    "mean": Method("Mean", ON_NUMBERS, named=False),
    "median": Method("Median", ON_NUMBERS, named=False),
    "weighted-mean": Method("Weighted mean", ON_NUMBERS, ("prior", "iterations", "tolerance")),
    "severity-adjusted": Method("Severity-adjusted mean", ON_NUMBERS, references=("linacre1989",)),
    "rating-scale": Method("Rating-scale model", ON_NUMBERS, references=("andrich1978", "linacre1989")),
}
AUTO_OPTIONS = ("label_shares", *EM_OPTIONS)
AUTO_OPTIONS_OF_SCORES = ("iterations", "tolerance")


def check_method(method: str, methods: Mapping[str, Method], of: str) -> None:
    """A method of labels decides neither spans nor rankings."""
    if method != "auto" and method not in methods:
        raise OptionError(
            Keyword("method", method),
            f" decides one label per item, and these are {of}. For {of} choose ",
            OwnWords(methods),
            ".",
            available=list(methods),
        )


def check_taken(method: str, given: Mapping[str, Any], allowed: tuple[str, ...], of: str = "") -> None:
    """Every option that was given is one that the method takes; `of` says of which answers it is said."""
    strange = [name for name in given if name not in allowed]
    if strange:
        about = f" of {of} does not take " if of else " does not take "
        takes = OwnWords(allowed) if allowed else "no options"
        raise OptionError(
            Keyword("method", method), about, OwnWords(strange), "; it takes ", takes, ".", available=allowed
        )
