"""Answers that put all labels in an order: measured as ranks, not as labels."""

from __future__ import annotations

import random
from itertools import combinations, permutations
from typing import Any

import numpy as np
import pytest

import accord
from accord.errors import MeasureError
from tests.multilabel.studies import near
from tests.shared import DATA

LABELS = ("a", "b", "c", "d")


def orders(seed: int, *, labels: int = 4, items: int = 12) -> list[dict[str, tuple[str, ...]]]:
    """Items with two to four orders that lean to a common one."""
    rng = random.Random(seed)
    options = list(permutations(LABELS[:labels]))
    study = []
    for _ in range(items):
        truth = rng.choice(options)
        people = rng.sample(["p0", "p1", "p2", "p3"], rng.randint(1, 4))
        study.append({who: truth if rng.random() < 0.6 else rng.choice(options) for who in people})
    return study


def ranked(study: list[dict[str, tuple[str, ...]]]) -> accord.Study:
    rows = [(place, who, order) for place, said in enumerate(study) for who, order in said.items()]
    return accord.Study(
        {
            "item": [item for item, _, order in rows for _ in order],
            "annotator": [who for _, who, order in rows for _ in order],
            "label": [label for *_, order in rows for label in order],
            "rank": [place + 1 for *_, order in rows for place, _ in enumerate(order)],
        },
        rank="rank",
    )


def cells(study: list[dict[str, tuple[str, ...]]]) -> accord.Study:
    """The same as scores: an item and a label together are an item, and its rank is the score."""
    rows = [
        (f"{place} {label}", who, rank + 1.0, place)
        for place, said in enumerate(study)
        for who, order in said.items()
        for rank, label in enumerate(order)
    ]
    names = ("item", "annotator", "score", "passage")
    return accord.Study(
        {name: [row[k] for row in rows] for k, name in enumerate(names)}, score="score", cluster="passage"
    )


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("level", ["ordinal", "interval"])
def test_alpha_of_orders_is_alpha_of_the_ranks_with_items_as_units(seed: int, level: Any) -> None:
    study = orders(seed, labels=3 + seed % 2)
    found = accord.krippendorff_alpha(ranked(study), level=level)
    slow = accord.krippendorff_alpha(cells(study), level=level)
    assert near(found.value, slow.value)
    assert near(found.interval(method="jackknife").se, slow.interval(method="jackknife").se)
    assert found.n_items == sum(len(said) > 1 for said in study)


@pytest.mark.parametrize("seed", range(4))
def test_its_breakdowns_add_up(seed: int) -> None:
    study = orders(seed)
    found = accord.krippendorff_alpha(ranked(study), level="ordinal")
    by_label, by_item = found.by_label(), found.by_item()
    assert np.mean(by_label["value"]) == pytest.approx(found.value)
    assert np.nansum(by_item["value"] * by_item["weight"]) == pytest.approx(found.value)
    for row in found.by_pair():
        both = [said for said in study if row["first"] in said and row["second"] in said]
        alone = [{who: said[who] for who in (row["first"], row["second"])} for said in both]
        assert row["value"] == pytest.approx(accord.krippendorff_alpha(cells(alone), level="ordinal").value)
    analytic, jackknife = found.interval(), found.interval(method="jackknife")
    assert analytic.se == pytest.approx(jackknife.se, rel=0.1)
    low, high = found.interval(method="bootstrap", n_resamples=400, rng=1)
    assert low < found.value < high


def test_perfect_agreement_is_1_and_opposite_orders_are_below_0() -> None:
    same = [{"p0": order, "p1": order} for order in permutations(LABELS)]
    assert accord.krippendorff_alpha(ranked(same), level="ordinal").value == 1
    turned = [{"p0": order, "p1": order[::-1]} for order in permutations(LABELS)]
    assert accord.krippendorff_alpha(ranked(turned), level="ordinal").value < -0.9


def test_measure_gives_ranks_and_no_kappa_of_labels() -> None:
    found = accord.measure(ranked(orders(3)))
    orders_of_options = {"kendall_w", "ranking_tau_b", "ranking_spearman"}
    assert {result.measure for result in found} == {"krippendorff_alpha", "percent_agreement", *orders_of_options}
    assert found.recommended.title == "Krippendorff's alpha (ordinal, of ranks)"
    assert "rankings" in found.reason
    assert "ranks" in found.left_out["rosenberg_binkowski_kappa"]
    assert "same options" in found.left_out["rank_biased_overlap"]


def test_ranks_have_no_amount() -> None:
    with pytest.raises(MeasureError, match="ranks have an order and no amount"):
        accord.krippendorff_alpha(ranked(orders(3)), level="ratio")


def test_variables_of_orders_stand_beside_variables_of_labels() -> None:
    """One variable orders all labels, the other has a primary and a secondary one: each is measured as what it is."""
    rows: dict[str, list[Any]] = {"item": [], "annotator": [], "label": [], "rank": [], "task": []}
    answers: dict[str, list[tuple[str, ...]]] = {
        "quality": [("a", "b", "c"), ("b", "a", "c")],
        "topic": [("a", "b"), ("c",)],
    }
    for task, choices in answers.items():
        for item in range(6):
            for who in ("p0", "p1"):
                for place, label in enumerate(choices[(item + (who == "p1" and item == 2)) % 2]):
                    for name, cell in zip(rows, (item, who, label, place + 1, task), strict=True):
                        rows[name].append(cell)
    found = accord.measure(accord.Study(rows, rank="rank", task="task"))
    titles = {row["variable"]: row["coefficient"] for row in found.to_table()}
    assert titles == {
        "quality": "Krippendorff's alpha (ordinal, of ranks)",
        "topic": "Krippendorff's alpha (overlap)",
    }


def test_a_value_of_orders_is_explained_by_itself_and_labels_are_not_looked_at() -> None:
    found = accord.explain(ranked(orders(3)))
    assert {finding.name for finding in found} <= {
        "low-agreement",
        "target-not-shown",
        "below-chance",
        "contested-queries",
    }
    assert any("rankings" in gap.why for gap in found.not_looked_at)


@pytest.mark.shared
def test_real_rankings_agree_as_their_readme_says() -> None:
    study = accord.read(DATA / "squality_ranking" / "long.csv")
    found = accord.measure(study)
    values = {row["variable"]: round(row["value"], 3) for row in found.to_table()}
    assert values == {"correctness": 0.657, "overall": 0.797, "selection": 0.784}


def test_pairs_of_annotators_can_be_drawn_again() -> None:
    found = accord.krippendorff_alpha(ranked(orders(5, items=30)), level="ordinal")
    assert found.interval(resample="annotators").se > 0
    assert len(list(combinations(found.study.annotators, 2))) == len(found.by_pair())
