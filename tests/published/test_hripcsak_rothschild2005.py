"""Hripcsak and Rothschild 2005: F1 between annotators is positive specific agreement, and the limit of kappa.

Where 30 phrases are marked by both, 10 and 6 by one only and d by nobody, kappa tends to 2·30 / (2·30 + 10 + 6) as d
grows; the values of kappa are recomputed from that table.
"""

from __future__ import annotations

import pytest

import accord
from tests.spans.drawn import one, study

BOTH, MINE, THEIRS = 30, 10, 6
LIMIT = 2 * BOTH / (2 * BOTH + MINE + THEIRS)
KAPPAS = {10: 0.3488372093023257, 100: 0.7156767283349562, 1_000: 0.7815599874699806, 1_000_000: 0.7894657064358441}


def test_f1_is_positive_specific_agreement() -> None:
    words = [one(at, at + 1, "X") for at in range(BOTH + MINE + THEIRS)]
    mine, theirs = words[: BOTH + MINE], words[:BOTH] + words[BOTH + MINE :]
    assert accord.span_f1(study([{"ana": mine, "ben": theirs}])).value == pytest.approx(LIMIT)


def test_kappa_tends_to_it_as_the_unmarked_grows() -> None:
    found = {
        unmarked: accord.cohen_kappa(accord.Study.from_confusion([[BOTH, MINE], [THEIRS, unmarked]])).value
        for unmarked in KAPPAS
    }
    assert found == pytest.approx(KAPPAS)
    assert sorted(found.values()) == list(found.values())
    assert LIMIT - found[1_000_000] < 1e-5
