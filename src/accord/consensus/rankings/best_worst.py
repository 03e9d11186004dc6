"""Best–worst scaling: people name the best and the worst of a few options; what each option is worth over all of them.

An answer is a ranking of what was shown: the best, then those that are neither, tied, then the worst. An option that is
shown often enough has a score, (times best − times worst) / times shown, from −1 to 1.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Unpack

import numpy as np

from accord.agreement.table import Table
from accord.annotations.arrays import FloatArray, IntArray, add_up, divide
from accord.consensus.rankings.make_ranking_gold import strengths_of_all, which_error
from accord.consensus.rankings.plackett_luce import PRIOR
from accord.errors import Keyword, MeasureError, OptionError, counted, json_value, one_task
from accord.options import Rng, Shown, check_whole, head, seeded
from accord.rankings.midranks import places
from accord.rankings.ranks import Ranks
from accord.scores.moments_of_pairs import correlated
from accord.study.other_kinds import about_other_kinds
from accord.study.study_of_input import Roles, as_study

SPLITS, MOST_SPLITS = 100, 1_000_000
HOW = (
    "Split-half reliability: the answers to each set of options are dealt into two halves, options scored from each, "
    "and the two correlated; the mean over splits. Spearman–Brown's formula says what it is for all answers together."
)
OF_SCORES = (
    "se is the standard error of the score over sets of options: those who judged one set count together. Of an option "
    "in a single set there is none."
)


@dataclass(frozen=True, eq=False, repr=False)
class BestWorst(Shown):
    """The options with their scores, and how reliable these are.

    Attributes:
        options: A `Table` with one row per option, the best first: times shown, best and worst, the score with its
            standard error over sets of options, and the strength in a Plackett–Luce model of all answers.
        reliability: The mean correlation (Pearson) of the scores of two halves of the answers; NaN with the reason in
            `undefined`.
        stepped_up: What it is for all answers, by Spearman–Brown's formula.
        spearman: The mean rank correlation of the two halves.
        splits: How often the answers were split.
        seed: What makes the splits repeatable.
        undefined: Why there is no reliability; None if there is one.
    """

    options: Table
    reliability: float
    stepped_up: float
    spearman: float
    splits: int
    seed: int | None
    undefined: str | None = None

    def __str__(self) -> str:
        sure = (
            f"no split-half reliability: {self.undefined}"
            if self.undefined
            else f"split-half reliability {self.reliability:.3f} ({self.stepped_up:.3f} of all answers)"
        )
        return f"Best–worst scores of {counted(len(self.options), 'options')}, {sure}\n{self.options}"

    def to_dict(self) -> dict[str, Any]:
        """For JSON."""
        numbers = {name: json_value(getattr(self, name)) for name in ("reliability", "stepped_up", "spearman")}
        return {
            **head("best-worst"), **numbers, "splits": self.splits, "seed": self.seed, "undefined": self.undefined,
            "options": self.options.to_dict()["rows"],
        }  # fmt: skip


def best_worst_scores(
    data: Any, other: Any = None, /, *, n_splits: int = SPLITS, rng: Rng = None, **roles: Unpack[Roles]
) -> BestWorst:
    """What options are worth that people named the best and the worst of a few: counts, a model, and reliability.

    The score of an option is (times best − times worst) / times shown. Whole rankings will do as well: their first and
    last options count, and the model takes all of their order.

    Args:
        data: A `Study` of rankings, or what one is made of; a table with the columns best and worst and the options
            shown (a list, or option1, option2 …) is read as such.
        other: Not for rankings.
        n_splits: How often answers are split into halves.
        rng: A seed or a NumPy Generator; by default the seed 0.
        **roles: Which columns of a table are which, as in `Study`.

    Returns:
        A `BestWorst`: `options`, `reliability`, `stepped_up`.

    Raises:
        InputError: If `data` cannot be a study.
        MeasureError: If the answers are not rankings, or there are none.
        OptionError: If `n_splits` is no whole number above 0, or the study holds several variables.

    References: louviere2015; kiritchenko2016; plackett1975.

    >>> shown = [["a", "b", "c", "d"], ["a", "b", "c", "e"], ["a", "c", "d", "e"]]
    >>> rows = [
    ...     {"item": place, "annotator": who, "options": options, "best": options[0], "worst": options[-1]}
    ...     for place, options in enumerate(shown)
    ...     for who in ("ana", "ben")
    ... ]
    >>> found = best_worst_scores(rows)
    >>> list(zip(found.options["label"], found.options["score"].round(2).tolist()))
    [('a', 1.0), ('b', 0.0), ('c', 0.0), ('d', -0.5), ('e', -1.0)]
    """
    check_whole("n_splits", n_splits, 1, most=MOST_SPLITS)
    study = as_study(data, other, None, roles)
    if study.tasks:
        raise OptionError("Choose one variable of the study: ", one_task(next(iter(study.tasks))), ".")
    if study.kind != "ranking":
        raise about_other_kinds("A best–worst score", ("ranking",), study.kind)
    if not study.n_annotations:
        raise MeasureError(
            "Nobody has answered anything yet, so nothing can be scored. Add answers first.", option=Keyword("label")
        )
    generator, seed = seeded(rng)
    ranks = Ranks.of(study)
    judged = _Judged.of(ranks)
    values, undefined = _halves(judged, n_splits, generator)
    mean = np.nanmean(values, axis=0) if undefined is None else np.full(2, np.nan)
    stepped = float(2 * mean[0] / (1 + mean[0]))
    return BestWorst(_table(ranks, judged), float(mean[0]), stepped, float(mean[1]), n_splits, seed, undefined)


@dataclass(frozen=True, eq=False)
class _Judged:
    """Every option that was shown to somebody: the list, the option, and whether it was best (1) or worst (−1)."""

    lists: IntArray
    option: IntArray
    named: FloatArray
    query: IntArray  # (N,) of each list
    size: int  # options there are

    @classmethod
    def of(cls, ranks: Ranks) -> _Judged:
        """From lists; those who tie the first place share being the best."""
        lists, cell, place = ranks.entries()
        best, worst = np.full(len(ranks), np.inf), np.full(len(ranks), -np.inf)
        np.minimum.at(best, lists, place)
        np.maximum.at(worst, lists, place)
        first, last = place == best[lists], place == worst[lists]
        shares = [divide(end, np.bincount(lists[end], minlength=len(ranks))[lists]) for end in (first, last)]
        named = np.where(best[lists] < worst[lists], np.nan_to_num(shares[0]) - np.nan_to_num(shares[1]), 0.0)
        return cls(lists, ranks.cell_option[cell], named, ranks.query, len(ranks.options))

    def scores(self, kept: FloatArray) -> FloatArray:
        """(options,) (best − worst) / shown, of some lists; NaN for an option that none of them shows."""
        weight = kept[self.lists]
        return divide(add_up(self.option, weight * self.named, self.size), add_up(self.option, weight, self.size))


def _halves(judged: _Judged, splits: int, rng: np.random.Generator) -> tuple[FloatArray, str | None]:
    """(splits, 2) Pearson's and Spearman's correlation of the scores of two halves of each query's lists."""
    if not (np.bincount(judged.query) > 1).any():
        return np.full((1, 2), np.nan), "No set of options was judged twice."
    found = np.empty((splits, 2))
    for split in range(splits):
        order = np.lexsort((rng.random(len(judged.query)), judged.query))
        place = np.empty(len(order), dtype=np.int64)
        begins = np.searchsorted(judged.query[order], judged.query[order])
        place[order] = np.arange(len(order)) - begins
        turned = rng.integers(0, 2, size=int(judged.query.max()) + 1)[judged.query]  # so that no half has all odd ones
        half = (place + turned) % 2 == 0
        one, another = judged.scores(half.astype(np.float64)), judged.scores((~half).astype(np.float64))
        both = np.isfinite(one) & np.isfinite(another)
        pairs = [(one[both], another[both]), tuple(places(part[None, both]).mid[0] for part in (one, another))]
        for column, (first, second) in enumerate(pairs):
            found[split, column] = correlated(first, second)[0]
    if not np.isfinite(found).all(1).any():
        return found, "The halves have too few options in common, or all of them have one score."
    return found, None


def _table(ranks: Ranks, judged: _Judged) -> Table:
    """The options, the best first."""
    size = judged.size
    score = judged.scores(np.ones(len(ranks)))
    shown = np.bincount(judged.option, minlength=size)
    query = judged.query[judged.lists]
    away = judged.named - score[judged.option]
    key, place = np.unique(judged.option * (int(query.max(initial=0)) + 1) + query, return_inverse=True)
    group = key // (int(query.max(initial=0)) + 1)
    sets = np.bincount(group, minlength=size)
    squares = add_up(group, add_up(place, away, len(key)) ** 2, size)
    error = divide(np.sqrt(squares * divide(sets, np.maximum(sets - 1, 0))), shown)
    order = np.argsort(-np.nan_to_num(score, nan=-2.0), kind="stable")
    of_all = strengths_of_all(ranks, PRIOR)
    columns: dict[str, Any] = {
        "label": np.array(ranks.options, dtype=object), "shown": shown,
        "best": add_up(judged.option, np.maximum(judged.named, 0), size),
        "worst": add_up(judged.option, np.maximum(-judged.named, 0), size), "score": score, "se": error,
        **({} if of_all is None else of_all.columns),
    }  # fmt: skip
    notes = (HOW, OF_SCORES, *which_error(of_all))
    return Table("Best–worst scores", {name: held[order] for name, held in columns.items()}, notes)
