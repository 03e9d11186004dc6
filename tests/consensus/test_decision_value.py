"""What a decision is worth: how wrong the label may be, what errors cost, and how many like it a ruling settles."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import accord
from accord.consensus.decision_value import TRUST, decision_value
from accord.consensus.gold import Gold


def gold(*patterns: str, **options: Any) -> Gold:
    table = [
        {"item": number, "annotator": who, "label": label}
        for number, labels in enumerate(patterns)
        for who, label in zip("vwxyz", labels, strict=False)
    ]
    return accord.gold(table, method="one-coin", **options)


CROWD = ("aaaab", "bbbba", "aaaaa", "bbbbb", "ababb") * 5


def test_without_costs_it_is_how_likely_the_label_is_wrong() -> None:
    found = gold(*CROWD)
    assert decision_value(found).own == pytest.approx(1 - found.confidence)


def test_costs_weigh_the_errors_that_may_be() -> None:
    found = gold(*CROWD)
    soft = found.soft()
    costs = np.array([[0.0, 5.0], [2.0, 0.0]])
    chosen = soft.argmax(axis=1)
    expected = [soft[place] @ costs[:, label] for place, label in enumerate(chosen)]
    assert decision_value(found, costs).own == pytest.approx(np.array(expected))


def test_a_ruling_settles_items_with_the_same_answers() -> None:
    value = decision_value(gold(*CROWD))
    assert (value.like == 4).all()
    assert (value.others >= 0).all()


def test_what_one_ruling_saves_on_the_others_is_what_bayes_says() -> None:
    found = gold(*CROWD)
    value, soft = decision_value(found), found.soft()
    alike = [place for place, labels in enumerate(CROWD) if labels == "ababb"]
    posterior = soft[alike].mean(axis=0)
    after = 0.0
    for label in range(2):
        moved = (TRUST * posterior + np.eye(2)[label]) / (TRUST + 1)
        after += posterior[label] * (1 - moved.max())
    assert value.others[alike[0]] == pytest.approx(4 * max(1 - posterior.max() - after, 0), abs=1e-12)


def test_nothing_is_gained_where_a_person_decided_or_the_label_is_known() -> None:
    decided = gold(*CROWD).decide({4: "a"}, by="ana", at="now")
    assert decision_value(decided).total[4] == 0
    assert decision_value(decided).like[9] == 3
    known = decision_value(gold(*CROWD, known={4: "a"}))
    assert known.total[4] == 0


def test_scores_sets_and_rankings_go_by_their_own_doubt() -> None:
    numbers = accord.gold({"item": [1, 1, 2, 2], "annotator": ["a", "b"] * 2, "score": [1, 1, 1, 5]}, score="score")
    assert decision_value(numbers).total.argmax() == 1
    orders = [
        {"item": item, "annotator": who, "label": label, "rank": rank}
        for item, who, order in [(1, "a", "xyz"), (1, "b", "xyz"), (2, "a", "xyz"), (2, "b", "zyx"), (2, "c", "xzy")]
        for rank, label in enumerate(order, 1)
    ]
    ranked = accord.gold(accord.Study(orders, rank="rank", answers="ranking"))
    assert decision_value(ranked).total.argmax() == 1
