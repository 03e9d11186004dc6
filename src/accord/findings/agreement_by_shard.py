"""Shards: where tallies were added up, does agreement differ between them? Weeks drift, sites have their own ways.

The rows of a tally are gone, so what a time or a place would tell is told by the tally that an item comes from.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from accord.agreement.groups import by_group, parts, whether_they_differ
from accord.agreement.interpretation import digits
from accord.findings.finding import CANDIDATE, Clue, Evidence, Finding, NotLookedAt, TestFamily
from accord.findings.study_view import View
from accord.study.adding_tallies import SHARD

WHAT = "agreement in each shard"


def look(view: View) -> Iterator[Clue]:
    """One test for all shards."""
    study = view.study
    if study._annotations.tells_items or SHARD not in study.columns or view.main.undefined:
        return
    result = replace(view.main, by=SHARD)
    sure, test = whether_they_differ(result, parts(result))
    if test is None or test.undefined:
        few = "Fewer than two shards have a value whose error is known."
        yield NotLookedAt(WHAT, few if test is None or test.undefined is None else test.undefined)
        return
    yield TestFamily(1, "test of whether shards differ")
    if test.p < CANDIDATE:
        order = sorted(sure, key=lambda shard: sure[shard].value)
        low, high = order[0], order[-1]
        yield Finding(
            "shards-differ",
            "warning",
            f"{view.main.title} differs between {len(sure)} shards: it is {digits(sure[low])} in {low} and "
            f"{digits(sure[high])} in {high}.",
            "Find out what was different there: other annotators, other items, another version of the guidelines. "
            "Report the shards one by one rather than all together.",
            evidence=tuple(
                Evidence(f"{part.title} in {shard}", part.value, part.interval())
                for shard, part in ((low, sure[low]), (high, sure[high]))
            ),
            speaks_against=("The items of the shards may differ, and be harder or easier to agree on.",),
            p=test.p,
            table=by_group(result),
        )
