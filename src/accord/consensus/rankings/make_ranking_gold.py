"""Gold of rankings by name: Borda, Kemeny, Plackett–Luce; and which is taken where nobody says."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import combinations
from typing import Any

import numpy as np

from accord.annotations.arrays import FloatArray
from accord.coefficients.standard_errors import quantile
from accord.consensus.methods import check_method, check_taken
from accord.consensus.rankings.kemeny import BY_SUBSETS, kemeny
from accord.consensus.rankings.plackett_luce import PRIOR, Strengths, strengths
from accord.consensus.rankings.ranking_gold import RankingGold
from accord.consensus.rankings.ranking_methods import BORDA, KEMENY, PLACKETT_LUCE, RANKING_METHODS
from accord.consensus.rankings.votes import QueryLists, QueryOrder
from accord.errors import Keyword, OptionError, counted, json_value
from accord.options import is_number
from accord.rankings.ranks import Ranks
from accord.study.study import Study

SURE = 0.95  # that two strengths differ, from which on they are told apart
EQUAL = 1e-9
MOST_CELLS = 20_000_000  # places of lists × options of one model of all queries


def gold_of_rankings(study: Study, method: str, given: Mapping[str, Any], known: Any) -> RankingGold:
    """The gold of a study of rankings."""
    check_method(method, RANKING_METHODS, "rankings")
    if known is not None:
        raise OptionError(Keyword("known"), " fixes the label of an item; these are rankings. Leave it out.")
    ranks = Ranks.of(study)
    notes: tuple[str, ...] = ()
    if method == "auto":
        method, why = _chosen(ranks)
        notes = (why,)
    _check_options(method, given)
    decide = _maker(method, given)
    queries = [QueryLists.of(ranks, query) for query in range(ranks.n_queries)]
    decisions = [decide(query) for query in queries]
    of_all = strengths_of_all(ranks, _prior(given)) if method == PLACKETT_LUCE else None
    return RankingGold(
        study, method, RANKING_METHODS[method].title, "ranking",
        notes=(*notes, *_partly_ranked(ranks), *which_error(of_all)),
        options={name: json_value(value) for name, value in given.items()}, queries=tuple(queries),
        ways=tuple(decisions), ranks=ranks,
        strengths={} if of_all is None else of_all.columns,
    )  # fmt: skip


def _chosen(ranks: Ranks) -> tuple[str, str]:
    """The method that fits, and why."""
    most = int(ranks.width.max(initial=0))
    if most <= BY_SUBSETS:
        return KEMENY, "Chosen: Kemeny's order, the one that the fewest pairs of options go against; lists are short."
    return BORDA, f"Chosen: the Borda count, as there are up to {counted(most, 'options')} in a query."


def _maker(method: str, given: Mapping[str, Any]) -> Callable[[QueryLists], QueryOrder]:
    if method == BORDA:
        return _borda
    if method == KEMENY:
        return kemeny
    prior = _prior(given)

    def decide(query: QueryLists) -> QueryOrder:
        return _plackett_luce(query, prior)

    return decide


def _prior(given: Mapping[str, Any]) -> float:
    """How many pseudo-rankings."""
    return PRIOR if "prior" not in given else 0.0 if given["prior"] == "none" else float(given["prior"])


def strengths_of_all(ranks: Ranks, prior: float) -> Strengths | None:
    """Strengths of the options in one model of all queries; None where that would be too large, or has none."""
    options = len(ranks.options)
    if int(ranks.size.sum()) * options > MOST_CELLS:
        return None
    table = np.full((len(ranks), options), np.nan)
    table[np.repeat(np.arange(len(ranks)), ranks.size), ranks.option] = ranks.rank
    found = strengths(table, ranks.query, prior)
    return found if prior or found.connected else None


def which_error(of_all: Strengths | None) -> tuple[str, ...]:
    """What the errors of strengths rest on, where that is not how queries differ."""
    if of_all is None or of_all.over_groups:
        return ()
    return (
        "Standard errors of strengths over all queries are the model's own, which takes lists as independent: there "
        "are too few queries for errors from how queries differ (more than twice as many as options).",
    )


def _borda(query: QueryLists) -> QueryOrder:
    """By the mean share of others that stand after an option; equal shares are tied."""
    score, error = query.borda
    ranks: FloatArray = np.round(-np.nan_to_num(score, nan=-1.0), 9).astype(np.float64)
    tied: dict[float, list[int]] = {}
    for place, rank in enumerate(ranks.tolist()):
        tied.setdefault(rank, []).append(place)
    pairs = sorted(pair for places in tied.values() for pair in combinations(places, 2))
    return QueryOrder(ranks, score, error, tuple(pairs), "both have the same Borda count")


def _plackett_luce(query: QueryLists, prior: float) -> QueryOrder:
    """By strengths; neighbours that are less than two standard errors apart are undecided, and keep their order."""
    many = len(query)
    nothing = np.full(many, np.nan)
    found = strengths(query.ranks, np.arange(len(query.ranks)), prior)
    if not prior and not found.connected:
        every = tuple(combinations(range(many), 2))
        why = "some options always stand before others, so that strengths without a prior are infinite"
        return QueryOrder(np.zeros(many), nothing, nothing, every, why)
    order = np.argsort(-found.log, kind="stable")
    pairs = []
    for one, other in zip(order[:-1].tolist(), order[1:].tolist(), strict=True):
        apart, error = found.difference(one, other)
        if apart < quantile(SURE) * error + EQUAL:
            pairs.append((one, other))
    return QueryOrder(
        -np.round(found.log, 9), found.log, found.error, tuple(pairs), "their strengths are within what chance can do"
    )


def _check_options(method: str, given: Mapping[str, Any]) -> None:
    check_taken(method, given, RANKING_METHODS[method].options, "rankings")
    prior = given.get("prior")
    if prior is not None and prior != "none" and not (is_number(prior) and prior > 0):
        raise OptionError.must("prior", f"be a number of pseudo-rankings, such as {PRIOR}, or 'none'", prior)


def _partly_ranked(ranks: Ranks) -> tuple[str, ...]:
    """Where not everybody ranked the same options."""
    partly = int(np.unique(ranks.cell_query[~ranks.common]).size)
    if not partly:
        return ()
    return (
        f"Of {counted(partly, 'queries')} not all annotators ranked the same options: every two options are compared "
        "by those who ranked both.",
    )
