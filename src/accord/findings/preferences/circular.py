"""circular_triads: do an annotator's preferences go in circles?"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, Unpack

import numpy as np

from accord.agreement.table import Table
from accord.preferences.circular_triads import CircularTriads, circular_of
from accord.preferences.comparisons import Comparisons
from accord.preferences.triads_within_items import within_items
from accord.study.study import Study
from accord.study.study_of_input import PlainRoles, as_study


def circular_triads(data: Any, /, *, labels: Sequence[Any] | None = None, **roles: Unpack[PlainRoles]) -> Table:
    r"""How often A is preferred to B, B to C, and C to A: circular triads of each annotator, and of all.

    .. math:: \zeta = 1 - \frac{d}{d_{max}}, \qquad d_{max} = \frac{n^3 - n}{24} \text{ or } \frac{n^3 - 4n}{24}

    d is the number of circular triads among n options, the second form for an even n (kendall1940): 1 is a plain order,
    0 as many circles as there can be. Somebody who tosses coins has a quarter of all triads in circles, and p is the
    chance of so few or fewer then: counted out over all tournaments up to eight options, by chi-squared beyond. Where
    people judged three options or more under one prompt, triads are counted within prompts, since an option may well be
    better for one prompt and worse for another; else over all prompts, a pair being decided by more wins.

    Missing data: a triad of which a pair was not compared, or tied, is none. ζ and p need all pairs of (a prompt's)
    options, and are undefined without.

    Args:
        data: A `Study` of preferences, or what one is made of: a table with `first=` and `second=`.
        labels: Not needed: preferences are on the scale first, tie, second.
        **roles: The keywords of `Study`.

    Returns:
        A `Table`: annotator ("all" in the last row: the majority of each pair), options, triads, circular, share, zeta,
        p.

    Raises:
        InputError: If `data` cannot be a study.
        MeasureError: If the answers are no preferences.
        OptionError: If an option has a value that it cannot take.

    References: kendall1940.

    >>> wins = ["01", "03", "12", "13", "20", "23"]
    >>> rows = [{"item": n, "annotator": "ana", "label": a, "first": a, "second": b} for n, (a, b) in enumerate(wins)]
    >>> table = circular_triads(rows)
    >>> table["circular"][0], table["zeta"][0], table["p"][0]
    (1, 0.5, 0.625)
    """
    return triads_table(as_study(data, None, labels, roles))  # type: ignore[arg-type]


def triads_table(study: Study) -> Table:
    """The same of a study, of everybody in it."""
    rows, inside = triads_of(study)
    data: dict[str, Any] = {
        "annotator": list(rows),
        "options": [one.options for one in rows.values()],
        "triads": [one.triads for one in rows.values()],
        "circular": [one.circular for one in rows.values()],
        "share": [one.share for one in rows.values()],
        "zeta": [one.zeta for one in rows.values()],
        "p": [one.p for one in rows.values()],
    }
    where = "under one prompt" if inside else "over all items"
    undecided = any(math.isnan(one.zeta) for one in rows.values())
    why = "ζ needs all pairs of options decided; where some are not, the circular share of decided triads stands."
    return Table(f"Circular triads, {where}; a quarter by chance", data, (why,) if undecided else ())


def triads_of(study: Study) -> tuple[dict[str, CircularTriads], bool]:
    """The circles of each annotator and of all, and whether they are counted under one prompt."""
    found = Comparisons.of(study)
    found.refuse_many()
    inside = within_items(found) is not None
    rows: dict[str, CircularTriads] = {}
    for who, mine in found.rows_of_each():
        theirs = found.where(mine).on_options_used()
        one = within_items(theirs) if inside else circular_of(theirs.wins)
        rows[str(found.annotators[who])] = one if one is not None else circular_of(np.zeros((2, 2)))
    rows["all"] = circular_of(found.wins)
    return rows, inside
