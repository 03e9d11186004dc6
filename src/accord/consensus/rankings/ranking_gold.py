"""Gold of rankings: an order of the options of each query, what it rests on, and which pairs are left undecided."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import pairwise
from typing import Any, NoReturn

import numpy as np

from accord.agreement.table import Table
from accord.annotations.answers import Label, Ranking, Tie
from accord.annotations.arrays import BoolArray, FloatArray, IntArray, add_up, divide
from accord.consensus import decision
from accord.consensus.gold import Gold
from accord.consensus.rankings.votes import QueryLists, QueryOrder
from accord.errors import MeasureError, counted, in_python
from accord.options import check_confidence, head
from accord.rankings.correlation import tau_b
from accord.rankings.midranks import places
from accord.rankings.ranks import Ranks
from accord.study.study import Study

MOST_SHOWN = 8  # options that the order over all queries names
MOST_PAIRS = 3  # undecided pairs of a query that a reason names


@dataclass(frozen=True, eq=False, repr=False)
class RankingGold(Gold):
    """The order of the options of each query.

    `labels` has one `Ranking` per item of `study.items`; options that are tied in it could not be told apart.
    `confidence` is, of those who ranked two neighbours of the order, the share who put them so, of the least supported
    pair. `to_table()` has a row per option, and `overall()` the options over all queries.
    """

    queries: tuple[QueryLists, ...] = field(kw_only=True)
    ways: tuple[QueryOrder, ...] = field(kw_only=True)
    ranks: Ranks = field(kw_only=True)
    strengths: Mapping[str, FloatArray] = field(default_factory=dict, kw_only=True)  # of options over all queries

    @cached_property
    def labels(self) -> list[Any]:
        """One order per item; None where nobody ranked it."""
        return [self._order(place) for place in range(len(self))]

    def _order(self, place: int) -> Ranking | None:
        query, way = self.queries[place], self.ways[place]
        if not len(query):
            return None
        groups = [np.nonzero(way.ranks == rank)[0] for rank in np.unique(way.ranks)]
        names = [[self.ranks.options[query.options[at]] for at in group] for group in groups]
        return Ranking(Tie(group) if len(group) > 1 else group[0] for group in names)

    @cached_property
    def decided(self) -> BoolArray:
        """(items,): did somebody rank it, and is every pair of options settled?"""
        return np.array([len(q) > 0 and not way.open for q, way in zip(self.queries, self.ways, strict=True)])

    @cached_property
    def confidence(self) -> FloatArray:
        """(items,): the share of lists behind the least supported pair of neighbours; NaN of one option."""
        found = np.full(len(self), np.nan)
        for place, (query, way) in enumerate(zip(self.queries, self.ways, strict=True)):
            support = query.support(way.ranks)
            if np.isfinite(support).any():
                found[place] = np.nanmin(support)
        return found

    @property
    def votes(self) -> FloatArray:
        """(items,): the same: everybody counts alike."""
        return self.confidence

    @property
    def confidence_is(self) -> str:
        """A share of lists."""
        return "vote share"

    @property
    def progress(self) -> None:
        """No iteration is told of: queries are fitted one by one."""
        return

    @property
    def log_likelihood(self) -> float:
        """Of no method that is of all queries."""
        return math.nan

    def _doubt(self) -> FloatArray:
        """(items,): how far the least supported pair of neighbours is from being unanimous."""
        return 1 - np.nan_to_num(self.confidence, nan=0.0)

    def _holding(self, label: int) -> BoolArray:
        """(items,): does its order hold this option?"""
        return np.array([label in query.options for query in self.queries], dtype=np.bool_)

    def _with_decided(self, decided: Mapping[int, decision.Decision]) -> RankingGold:
        """The gold with the orders that were decided: of each query its options by rank, tied ones in a list."""
        ways = list(self.ways)
        for place, made in decided.items():
            groups = [group if isinstance(group, list) else [group] for group in made.label]
            rank = {option: float(number) for number, group in enumerate(groups, start=1) for option in group}
            names = [self.ranks.options[option] for option in self.queries[place].options]
            ranks = np.array([rank.get(name, len(groups) + 1.0) for name in names])
            nothing = np.full(len(names), np.nan)
            ways[place] = QueryOrder(ranks, nothing, nothing)
        return replace(self, ways=tuple(ways))

    # -- what is left --------------------------------------------------------------------------------------------------

    def _why(self, place: int) -> str | None:
        """Which pairs of options are undecided, and why."""
        query, way = self.queries[place], self.ways[place]
        if not len(query):
            return "nobody ranked it"
        if not way.open:
            return None
        names = [self.ranks.options[option] for option in query.options]
        shown = [f"{names[a]!r} and {names[b]!r}" for a, b in way.open[:MOST_PAIRS]]
        more = f" … ({len(way.open)} pairs)" if len(way.open) > MOST_PAIRS else ""
        return f"{', '.join(shown)}{more}: {way.why}"

    def distribution(self) -> Table:
        """How often each option is first and last, and its mean place, over queries."""
        table = self.overall()
        kept = ("label", "queries", "first", "mean_rank")
        return Table("Options over all queries", {name: table.data[name] for name in kept})

    def by_label(self) -> Table:
        """The options over all queries, as `overall()`."""
        return self.overall()

    def overall(self) -> Table:
        """Where the options stand over all queries that hold them.

        Returns:
            A `Table` with one row per option, the best mean place first: in how many `queries` it is, in how many the
            gold puts it `first` (alone or tied), its `mean_rank` there with the standard error `se` over queries, and
            the mean share of a list's other options that stand after it (`borda`) with its own error. Plackett–Luce has
            the `strength` of each option besides, of one model of all queries, with its error over queries (with
            few queries the model's own; a note says so).
        """
        size = len(self.ranks.options)
        cells = [self._of_query(query, way) for query, way in zip(self.queries, self.ways, strict=True)]
        option, mid, first, borda = (np.concatenate([np.zeros(0), *part]) for part in zip(*cells, strict=True))
        at = option.astype(np.int64)
        (mean, error), (share, share_error) = (_mean_and_error(at, values, size) for values in (mid, borda))
        order = np.argsort(mean, kind="stable")
        columns: dict[str, Any] = {
            "label": np.array(self.ranks.options, dtype=object), "queries": np.bincount(at, minlength=size),
            "first": add_up(at, first, size).astype(np.int64), "mean_rank": mean, "se": error,
            "borda": share, "borda_se": share_error, **self.strengths,
        }  # fmt: skip
        return Table(
            f"Options over all queries, by {self.title}", {name: held[order].tolist() for name, held in columns.items()}
        )

    @staticmethod
    def _of_query(query: QueryLists, way: QueryOrder) -> tuple[FloatArray, ...]:
        """(n,) of each option: which it is, its mid-rank in the gold, whether it is first, and its Borda share."""
        if not len(query):
            return tuple(np.zeros(0) for _ in range(4))
        best = (way.ranks == way.ranks.min()).astype(np.float64)
        return query.options.astype(np.float64), places(way.ranks[None]).mid[0], best, query.borda[0]

    # -- the annotators ------------------------------------------------------------------------------------------------

    def annotators(self, *, confidence: float = 0.95) -> Table:
        """Each annotator against the gold: the mean tau-b of their lists with it.

        Args:
            confidence: The confidence of the intervals, over queries.

        Returns:
            A `Table` with one row per annotator: how many queries they ranked, the mean tau-b with the gold with its
            interval, and how often they put the gold's first option first.

        Raises:
            OptionError: If `confidence` does not lie between 0 and 1.
        """
        from accord.agreement.inference.wald import mean_interval

        check_confidence(confidence)
        values: dict[int, list[float]] = {who: [] for who in range(len(self.ranks.annotators))}
        agree: dict[int, list[bool]] = {who: [] for who in values}
        for place, (query, way) in enumerate(zip(self.queries, self.ways, strict=True)):
            if not len(query):
                continue
            lists = np.arange(self.ranks.lists_of[place], self.ranks.lists_of[place + 1])
            tau = tau_b(query.ranks, np.broadcast_to(way.ranks, query.ranks.shape))
            best = way.ranks == way.ranks.min()
            for at, who in enumerate(self.ranks.annotator[lists].tolist()):
                values[who].append(float(tau[at]))
                agree[who].append(bool(best[query.ranks[at] == np.nanmin(query.ranks[at])].any()))
        spans = [mean_interval(np.array(held), confidence) for held in values.values()]
        means = [float(np.nanmean(held)) if np.isfinite(held).any() else math.nan for held in values.values()]
        return Table(
            "Annotators against the gold, to which they contributed",
            {
                "annotator": list(self.ranks.annotators), "queries": [len(held) for held in values.values()],
                "tau_b": means, "low": [span.low for span in spans], "high": [span.high for span in spans],
                "same_first": [float(np.mean(held)) if held else math.nan for held in agree.values()],
            },
        )  # fmt: skip

    # -- in words and files --------------------------------------------------------------------------------------------

    def to_table(self) -> Table:
        """One row per option of each query: item, annotator ("gold"), label, rank, score, its error and support.

        `support` is the share of those who ranked the option and its next one who put them so. Tied ranks are options
        that could not be told apart; `remark` says why. The file is a study of rankings again.
        """
        names = ("item", "annotator", "label", "rank", "score", "se", "support", "rankings", "remark", "answers")
        rows: dict[str, list[Any]] = {name: [] for name in names}
        for item, query, way in zip(self.study.items, self.queries, self.ways, strict=True):
            if not len(query):
                continue
            support, remark = query.support(way.ranks), self.reason(item) or ""
            mid, open_ones = places(way.ranks[None]).before[0] + 1, {option for pair in way.open for option in pair}
            for at in np.argsort(way.ranks, kind="stable").tolist():
                cells = (
                    item, "gold", self.ranks.options[query.options[at]], int(mid[at]), float(way.score[at]),
                    float(way.error[at]), float(support[at]), int(query.rankers[at]),
                    remark if at in open_ones else "", "ranking",
                )  # fmt: skip
                for name, cell in zip(rows, cells, strict=True):
                    rows[name].append(cell)
        empty = [name for name in ("score", "se") if not np.isfinite(rows[name]).any()]
        return Table(f"Gold by {self.title}", {name: cells for name, cells in rows.items() if name not in empty})

    def to_study(self) -> Study:
        """The gold as a study of rankings by one annotator, "gold"."""
        table = self.to_table()
        columns = {name: list(table[name]) for name in ("item", "annotator", "label", "rank")}
        return Study(columns, rank="rank", answers="ranking", labels=list(self.study.labels))

    def to_dict(self, *, items: bool = True) -> dict[str, Any]:
        """For JSON: how the gold was made, what came out, and (unless `items` is False) every option of every query.

        Args:
            items: Whether every option is listed.

        Returns:
            A dictionary that JSON can hold.
        """
        return {
            **head("gold"), "method": self.method, "title": self.title, "options": dict(self.options),
            "seed": self.seed, "items": len(self), "decided": self.n_decided,
            "undecided": len(self) - self.n_decided, "decided_by_people": 0, "known": 0,
            "confidence_is": self.confidence_is, "fit": None, "choice": None,
            "distribution": self.distribution().to_dict()["rows"], "by_label": self.by_label().to_dict()["rows"],
            "annotators": self.annotators().to_dict()["rows"],
            "labels": self.to_table().to_dict()["rows"] if items else None, "notes": list(self.notes),
        }  # fmt: skip

    def cite(self) -> str:
        """The sources of the method."""
        from accord.agreement.references import formatted
        from accord.consensus.rankings.ranking_methods import RANKING_METHODS

        return "\n".join(formatted(key) for key in RANKING_METHODS[self.method].references)

    def __str__(self) -> str:
        lines = [
            f"Gold by {self.title}: the order of the options of {counted(len(self), 'queries')}, "
            f"{self.n_decided:,} of them wholly decided."
        ]
        if not math.isnan(self.mean_confidence):
            lines.append(f"Mean support of the least supported pair of neighbours {self.mean_confidence:.3f}.")
        if self._hangs_together:
            lines.append(f"Over all queries: {self._all_in_order()} (by mean place).")
        return "\n".join([*lines, *self.notes])

    @cached_property
    def _hangs_together(self) -> bool:
        """Can one come from every option to every other by lists that hold both? Else their places do not compare."""
        from scipy.sparse import csr_array
        from scipy.sparse.csgraph import connected_components

        many = len(self.ranks)
        lists = np.repeat(np.arange(many), self.ranks.size)
        both = many + len(self.ranks.options)  # places of one map, on which a list leads to its options
        leads = csr_array((np.ones(len(lists)), (lists, many + self.ranks.option)), shape=(both, both))
        return len(np.unique(connected_components(leads, directed=False)[1][many:])) == 1

    def _all_in_order(self) -> str:
        """The options by mean place, the first of them."""
        table = self.overall()
        names, place = [str(label) for label in table["label"]][:MOST_SHOWN], table["mean_rank"]
        signs = [" = " if math.isclose(one, other) else " > " for one, other in pairwise(place[:MOST_SHOWN])]
        more = " …" if len(place) > MOST_SHOWN else ""
        return "".join(part for pair in zip(names, [*signs, more], strict=True) for part in pair)

    __repr__ = __str__

    @property
    def doubts(self) -> tuple[str, ...]:
        """None: what is undecided is tied."""
        return ()

    # -- what a ranking has not ----------------------------------------------------------------------------------------

    def soft(self) -> NoReturn:
        """Rankings have no soft labels of items."""
        self._no("soft labels")

    def posterior(self) -> NoReturn:
        """Rankings have no posterior of labels."""
        self._no("posterior of labels")

    def vote_shares(self) -> NoReturn:
        """Rankings have no vote shares of labels."""
        self._no("vote shares of labels")

    def answers_needed(self, *, confidence: float = 0.95) -> NoReturn:
        """How many more people should rank a query is not worked out."""
        self._no("number of answers that are still needed")

    def confusion(self, annotator: str, *, label: Label | None = None) -> NoReturn:
        """Rankings have no confusions of labels."""
        self._no("table of confusions")

    def queue(self, *_: Any, **__: Any) -> NoReturn:
        """Pairs that are undecided are in `undecided()`; a person decides them in the table itself."""
        self._no("queue of items: the ranks in its table can be changed by hand")

    def decide(self, *_: Any, **__: Any) -> NoReturn:
        """A person changes ranks in the table that was written."""
        self._no("decisions one by one: the ranks in its table can be changed by hand")

    def score(self, *_: Any, **__: Any) -> NoReturn:
        """Read together with the reference as two annotators, it is measured."""
        self._no("score against labels: put the reference beside it as an annotator, and measure the two")

    def _no(self, what: str) -> NoReturn:
        raise MeasureError(
            f"A gold of rankings has no {what}. See ",
            in_python("to_table(), which has a row per option", "the table, which has a row per option"),
            ".",
            available=("to_table",),
        )


def _mean_and_error(at: IntArray, values: FloatArray, size: int) -> tuple[FloatArray, FloatArray]:
    """(size,) means of the values at each place, and their standard errors."""
    there = ~np.isnan(values)
    at, values = at[there], values[there]
    number = np.bincount(at, minlength=size)
    mean = divide(add_up(at, values, size), number)
    squares = add_up(at, (values - mean[at]) ** 2, size)
    return mean, np.sqrt(divide(squares, number * np.maximum(number - 1, 0)))
