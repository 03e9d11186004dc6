"""What else tells items apart: clusters, groups and suggested labels, as keys of the tally that an engine makes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

import numpy as np
import polars as pl
import pytest

import accord
from accord.engine import lazy_annotations
from tests.engines.handing import sampled
from tests.engines.test_same_digits import crowd, told

pytestmark = pytest.mark.engine

Lazily = Callable[[pl.DataFrame], Any]


@pytest.fixture(autouse=True)
def _nothing_is_pulled(monkeypatch: pytest.MonkeyPatch) -> None:
    """No annotation may be brought into memory."""
    monkeypatch.setattr(lazy_annotations, "MOST_ROWS", 10)


def clustered(items: int = 60, labels: int = 3, people: int = 6) -> pl.DataFrame:
    """Annotations with a document, a heuristic's label and a topic for each item; some have none."""
    frame = crowd(items, labels, 3, people=people)
    number = pl.col("item").str.slice(5).cast(pl.Int64)
    return frame.with_columns(
        document=pl.when(number % 7 == 0).then(None).otherwise(pl.format("document {}", number // 4)),
        heuristic=pl.when(number % 9 == 1).then(None).otherwise(pl.format("label 00{}", number % labels)),
    )


@pytest.mark.parametrize(
    ("lazily", "measure"),
    sampled(["conger_kappa", "fleiss_kappa", "krippendorff_alpha", "gwet_ac"]),
    indirect=["lazily"],
)
def test_clusters_of_items_count_in_an_engine_as_in_memory(studied: Callable[..., accord.Study], measure: str) -> None:
    frame, function = clustered(), getattr(accord, measure)
    eager, lazy = (function(make(frame, cluster="document")) for make in (accord.Study, studied))
    assert lazy.interval() == eager.interval()
    assert lazy.interval(method="bootstrap", rng=3, n_resamples=30) == eager.interval(
        method="bootstrap", rng=3, n_resamples=30
    )
    assert lazy.interval(method="jackknife") == eager.interval(method="jackknife")


@pytest.mark.parametrize(("lazily", "measure"), sampled(["light_kappa", "conger_kappa"]), indirect=["lazily"])
def test_a_crowd_in_its_engine_has_the_exact_error_of_clusters(lazily: Lazily, measure: str) -> None:
    frame, function = clustered(people=40), getattr(accord, measure)
    eager, lazy = (function(accord.Study(data, cluster="document")) for data in (frame, lazily(frame)))
    assert lazy.interval().clusters == eager.interval().clusters
    assert lazy.interval().se == pytest.approx(eager.interval().se, rel=1e-12)


def test_a_cluster_that_differs_within_an_item_is_an_error(lazily: Lazily) -> None:
    frame = clustered().with_columns(document=pl.format("page {}", pl.int_range(pl.len())))
    with pytest.raises(accord.AccordError, match="must say one thing of an item"):
        accord.fleiss_kappa(accord.Study(lazily(frame), cluster="document")).interval()


@pytest.mark.parametrize(("lazily", "labels"), sampled([8, 3]), indirect=["lazily"])
def test_suggestions_of_a_column_are_judged_in_the_engine(lazily: Lazily, labels: int) -> None:
    frame = clustered(labels=labels)
    eager, lazy = (
        accord.dipietro_hazari_kappa(accord.Study(data, suggested="heuristic")) for data in (frame, lazily(frame))
    )
    assert told(lazy) == told(eager)
    assert lazy.notes == eager.notes
    assert lazy.by_label().to_dict() == eager.by_label().to_dict()


def test_suggestions_have_clusters_in_the_engine(lazily: Lazily) -> None:
    frame = clustered()
    eager, lazy = (
        accord.dipietro_hazari_kappa(accord.Study(data, cluster="document"), suggested="heuristic")
        for data in (frame, lazily(frame))
    )
    assert lazy.interval() == eager.interval()


@pytest.mark.parametrize(("lazily", "suggested"), sampled(["annotator 002", "heuristic"]), indirect=["lazily"])
def test_each_annotator_of_a_crowd_against_suggestions_in_the_engine(lazily: Lazily, suggested: str) -> None:
    frame = clustered(people=40)
    eager, lazy = (
        accord.dipietro_hazari_kappa(accord.Study(data), suggested=suggested).by_annotator()
        for data in (frame, lazily(frame))
    )
    assert list(lazy["annotator"]) == list(eager["annotator"])
    for name in ("answers", "observed", "expected", "value", "low", "high"):
        assert np.allclose(lazy[name].astype(float), eager[name].astype(float), rtol=1e-9, atol=1e-12, equal_nan=True)


def test_an_annotator_may_be_the_suggester_in_the_engine(lazily: Lazily) -> None:
    frame = clustered()
    eager, lazy = (
        accord.dipietro_hazari_kappa(accord.Study(data), suggested="annotator 002") for data in (frame, lazily(frame))
    )
    assert told(lazy) == told(eager)
    assert lazy.options == eager.options


def test_suggestions_may_be_handed_to_the_engine(lazily: Lazily) -> None:
    frame = clustered()
    by_item = {f"item {place}": f"label 00{place % 3}" for place in range(0, 70, 2)}
    table = pl.DataFrame({"item": list(by_item), "suggested": list(by_item.values())})
    for source in (by_item, table):
        eager, lazy = (
            accord.dipietro_hazari_kappa(accord.Study(data), suggested=source) for data in (frame, lazily(frame))
        )
        assert told(lazy) == told(eager)
        assert lazy.notes == eager.notes
    assert any("nobody annotated" in note for note in lazy.notes)
    strange: list[dict[Any, str]] = [{7: "label 001"}, {}]
    for other in strange:
        with pytest.raises(accord.AccordError, match="None of the suggestions is for an item"):
            accord.dipietro_hazari_kappa(accord.Study(lazily(frame)), suggested=other)
    with pytest.raises(accord.AccordError, match="goes by row number"):
        accord.dipietro_hazari_kappa(accord.Study(lazily(frame)), suggested=["label 001"])


def test_a_suggestion_that_differs_within_an_item_is_an_error(lazily: Lazily) -> None:
    frame = clustered().with_columns(heuristic="label")
    with pytest.raises(accord.AccordError, match="must say one thing of an item"):
        accord.dipietro_hazari_kappa(accord.Study(lazily(frame), suggested="heuristic"))


def test_suggestions_differ_by_group_in_the_engine(lazily: Lazily) -> None:
    frame = clustered()
    eager, lazy = (
        accord.dipietro_hazari_kappa(accord.Study(data), suggested="heuristic", by="topic").by_group()
        for data in (frame, lazily(frame))
    )
    assert lazy.to_dict() == eager.to_dict()


def test_sets_and_rankings_have_groups_in_the_engine(lazily: Lazily) -> None:
    first = crowd(40, 4, 3, seed=3)
    second = first.with_columns(label=pl.col("label") + " more").sample(fraction=0.4, seed=5)
    both = pl.concat([first.with_columns(rank=pl.lit(1, pl.Int64)), second.with_columns(rank=pl.lit(2, pl.Int64))])
    for roles in cast("list[dict[str, Any]]", [{"rank": "rank"}, {"answers": "set"}]):
        eager, lazy = (
            accord.krippendorff_alpha(accord.Study(data, **roles), by="topic").by_group()
            for data in (both, lazily(both))
        )
        assert lazy.to_dict() == eager.to_dict()


def test_groups_that_share_items_are_told_one_by_one(lazily: Lazily) -> None:
    frame = crowd(60, 3, 4, people=8).with_columns(
        school=pl.when(pl.col("annotator") < "annotator 004").then(pl.lit("north")).otherwise(pl.lit("south"))
    )
    eager, lazy = (accord.fleiss_kappa(accord.Study(data), by="school").by_group() for data in (frame, lazily(frame)))
    assert np.array_equal(lazy["value"], eager["value"])
    assert np.array_equal(lazy["low"], eager["low"])


def test_annotations_without_a_group_are_counted(lazily: Lazily) -> None:
    frame = clustered()
    eager, lazy = (
        accord.fleiss_kappa(accord.Study(data), by="heuristic").by_group() for data in (frame, lazily(frame))
    )
    assert lazy.notes == eager.notes


def test_groups_that_share_items_are_compared_in_the_engine(lazily: Lazily) -> None:
    frame = crowd(80, 3, 6, people=12).with_columns(
        school=pl.format("school {}", pl.col("annotator").str.slice(10).cast(pl.Int64) % 3)
    )
    eager, lazy = (accord.fleiss_kappa(accord.Study(data), by="school").by_group() for data in (frame, lazily(frame)))
    assert lazy.notes == eager.notes
    assert " differ: F " in lazy.notes[1]


def test_groups_of_clusters_are_compared_in_the_engine(lazily: Lazily) -> None:
    frame = clustered().drop_nulls("document")
    eager, lazy = (
        accord.fleiss_kappa(accord.Study(data, cluster="document"), by="topic").by_group()
        for data in (frame, lazily(frame))
    )
    assert lazy.notes == eager.notes
