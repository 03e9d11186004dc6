"""Who puts options in the opposite order, who in an order of their own, and queries on which nobody agrees."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from accord.agreement.inference.wald import mean_interval
from accord.annotations.arrays import FloatArray
from accord.coefficients.standard_errors import p_value
from accord.errors import counted, listing
from accord.findings.finding import CANDIDATE, Clue, Evidence, Finding, NotLookedAt, TestFamily
from accord.findings.study_view import View
from accord.rankings.over_queries import OverQueries
from accord.rankings.pair_measures import TAU_B
from accord.rankings.ranks import Ranks

FEWEST = 6  # queries that an annotator shares with others, below which nothing is said of them
QUERIES_NAMED = 5
FEW_CONTESTED = 0.3  # of the queries: where more are contested, it is the study that disagrees


def look(view: View) -> Iterator[Clue]:
    """Annotators by their tau-b with the others, and queries by the tau-b of everybody."""
    if view.main.undefined:
        return
    ranks = Ranks.of(view.study)
    tau = TAU_B.of(ranks)
    if not len(tau.values):
        return
    yield from _backwards(view, ranks, tau)
    yield from _contested(view, tau)


def _backwards(view: View, ranks: Ranks, tau: OverQueries) -> Iterator[Clue]:
    """Whoever's orders are those of the others turned round, surely below zero over queries."""
    found = tau.by_annotator(view.study)
    queries = _queries_of_each(tau, len(ranks.annotators))
    judged = np.nonzero((queries >= FEWEST) & np.isfinite(found.value))[0]
    if not len(judged):
        yield NotLookedAt(
            "who ranks backwards", f"It takes {FEWEST} queries that somebody ranked together with others to tell."
        )
        return
    if len(ranks.annotators) == 2:
        judged = judged[:1]  # the two have one value
    yield TestFamily(len(judged), "annotators who may rank backwards")
    for who in judged.tolist():
        value, error = float(found.value[who]), float(found.error[who])
        p = p_value(value, error, queries[who] - 1, "less") if error > 0 else (0.0 if value < 0 else 1.0)
        if value < 0 and p < CANDIDATE:
            yield _finding(ranks, value, _among_others(tau, who), who, p)


def _among_others(tau: OverQueries, who: int) -> float:
    """The mean tau-b of pairs without an annotator; NaN where there are none."""
    pairs = tau.pairwise
    kept = np.isfinite(pairs.value) & (pairs.first != who) & (pairs.second != who)
    return float(pairs.value[kept].mean()) if kept.any() else float("nan")


def _finding(ranks: Ranks, value: float, others: float, who: int, p: float) -> Finding:
    """One who ranks backwards; of two annotators nobody knows which."""
    name, two = ranks.annotators[who], len(ranks.annotators) == 2
    whose = f"{ranks.annotators[0]} and {ranks.annotators[1]} put" if two else f"Annotator {name} puts"
    against = "each other's order turned round" if two else "the order of the others turned round"
    evidence = [Evidence("mean tau-b with the others", value)]
    if not two:
        evidence.append(Evidence("mean tau-b among the others", others))
    return Finding(
        "ranks-backwards",
        "warning",
        f"{whose} the options in {against}: mean tau-b {value:z.2f}.",
        "Ask whether rank 1 was taken for the last place. If so, turn the ranks round, and say in the guidelines which "
        "end is the first.",
        evidence=tuple(evidence),
        annotators=ranks.annotators if two else (name,),
        p=p,
        weight=min(abs(value), 1.0),
        speaks_against=() if two or others > 0 else ("The others do not agree among themselves either.",),
    )


def _queries_of_each(tau: OverQueries, people: int) -> FloatArray:
    """(R,) in how many queries each annotator can be compared with another."""
    pairs = tau.pairwise
    kept = np.isfinite(pairs.value)
    who = np.concatenate((pairs.first[kept], pairs.second[kept]))
    queries = np.unique(who * (int(pairs.query.max(initial=0)) + 1) + np.tile(pairs.query[kept], 2))
    return np.bincount(queries // (int(pairs.query.max(initial=0)) + 1), minlength=people).astype(np.float64)


def _contested(view: View, tau: OverQueries) -> Iterator[Clue]:
    """Queries whose annotators agree no better than chance, where others do."""
    values = tau.by_query
    low = np.nonzero(values <= 0)[0]
    known = int(np.isfinite(values).sum())
    if not len(low) or known < FEWEST or len(low) > FEW_CONTESTED * known or float(tau.parts.value) <= 0:
        return
    order = low[np.argsort(values[low], kind="stable")]
    names = [view.study.items[place] for place in order[:QUERIES_NAMED].tolist()]
    rest = mean_interval(np.delete(values, low), 0.95)
    yield Finding(
        "contested-queries",
        "note",
        f"On {counted(len(low), 'queries')} of {known:,} annotators order the options no better than chance "
        f"({listing(names, most=QUERIES_NAMED)}).",
        "Read them: are the options alike, is the question unclear, or does each annotator weigh another thing? What "
        "cannot be ordered may be tied.",
        evidence=(
            Evidence("share of queries with a mean tau-b of zero or less", len(low) / known),
            Evidence("mean tau-b of the other queries", float(np.nanmean(np.delete(values, low))), rest),
        ),
        items=tuple(names),
        weight=len(low) / known,
    )
