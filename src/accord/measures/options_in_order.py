"""Where the options of rankings stand: one row per option, for every measure of rankings."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from accord.annotations.arrays import add_up, divide

if TYPE_CHECKING:
    from accord.agreement.result import Agreement
    from accord.agreement.table import Table

MEAN = "Mean ranks are over all rankings that hold the option, tied options sharing the mean of their places."


def by_option(result: Agreement) -> Table:
    """How often each option was ranked, where on average, and how often first and last."""
    from accord.agreement.table import Table
    from accord.rankings.ranks import Ranks

    ranks = Ranks.of(result.study)
    size = len(ranks.options)
    lists, cells, values = ranks.entries()
    options = ranks.cell_option[cells]  # whatever the query
    given = np.bincount(options, minlength=size)
    mean = divide(add_up(options, values, size), given)
    squares = add_up(options, (values - mean[options]) ** 2, size)
    best, worst = np.full(len(ranks), np.inf), np.full(len(ranks), -np.inf)
    np.minimum.at(best, lists, values)
    np.maximum.at(worst, lists, values)
    first, last = (
        divide(add_up(options, at_end, size), given) for at_end in (values == best[lists], values == worst[lists])
    )
    return Table(
        f"{result.title}: where the options stand",
        {
            "label": list(ranks.options),
            "answers": given,
            "mean_rank": mean,
            "sd": np.sqrt(divide(squares, np.maximum(given - 1, 0))),
            "first": first,
            "last": last,
        },
        (MEAN,),
    )
