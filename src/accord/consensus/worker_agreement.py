"""Worker agreement with the aggregate (Wawa): a second vote, weighted by agreement with the first."""

from __future__ import annotations

import numpy as np

from accord.annotations.arrays import FloatArray, divide
from accord.annotations.majority import leads
from accord.consensus.ballots import Ballots
from accord.consensus.evidence import largest, row_sums, votes
from accord.consensus.outcome import Ask, Outcome


def worker_agreement(ballots: Ballots, ask: Ask) -> Outcome:
    """Majority; each annotator's share of answers that are the majority's; a vote weighted with it.

    One pass, no model. Where labels are level in the first vote, an answer among them counts as one over their number,
    so that no label is favoured by its place in the scale. An annotator who never was with the majority has no weight.
    """
    first = votes(ballots, known=ask.known)

    def work(begin: int, end: int) -> tuple[FloatArray]:
        shares = first.soft(ballots, begin, end)[0]
        winners = leads(shares, largest(shares)[:, None]).astype(np.float64)
        winners /= np.maximum(row_sums(winners), 1.0)[:, None]
        return (ballots.hits(begin, end, winners),)

    (hits,) = ballots.total_of(work)
    skill = np.nan_to_num(divide(hits, ballots.answered))
    return Outcome.of(
        ballots, votes(ballots, skill, ask.known), weights=skill, weights_are="agreement with the majority"
    )
