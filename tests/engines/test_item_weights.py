"""What items weigh is one more key of the tally that an engine makes: the same digits as in memory."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import polars as pl
import pytest

import accord
from accord.engine import lazy_annotations
from accord.errors import InputError, MeasureError
from tests.engines.handing import sampled
from tests.engines.test_keys import clustered

pytestmark = pytest.mark.engine

Lazily = Callable[[pl.DataFrame], Any]


@pytest.fixture(autouse=True)
def _nothing_is_pulled(monkeypatch: pytest.MonkeyPatch) -> None:
    """No annotation may be brought into memory."""
    monkeypatch.setattr(lazy_annotations, "MOST_ROWS", 10)


def weighted(people: int = 6) -> pl.DataFrame:
    """Annotations with a weight for each item."""
    number = pl.col("item").str.slice(5).cast(pl.Int64)
    return clustered(people=people).with_columns(w=0.5 + number % 4)


@pytest.mark.parametrize(("lazily", "measure"), sampled(["conger_kappa", "krippendorff_alpha"]), indirect=["lazily"])
def test_weights_of_items_count_in_an_engine_as_in_memory(lazily: Lazily, measure: str) -> None:
    frame, function = weighted(), getattr(accord, measure)
    plain = function(accord.Study(frame))
    eager, lazy = (function(accord.Study(data, item_weight="w")) for data in (frame, lazily(frame)))
    assert lazy.value == eager.value != plain.value
    assert lazy.notes == eager.notes
    assert lazy.interval() == eager.interval()
    assert lazy.interval(method="jackknife") == eager.interval(method="jackknife")
    one, other = (result.interval(method="bootstrap", rng=3, n_resamples=30) for result in (eager, lazy))
    assert one == other


def test_weights_and_clusters_and_suggestions_meet(lazily: Lazily) -> None:
    frame = weighted()
    roles: dict[str, Any] = {"item_weight": "w", "cluster": "document", "suggested": "heuristic"}
    eager, lazy = (accord.Study(data, **roles) for data in (frame, lazily(frame)))
    assert accord.fleiss_kappa(lazy).interval() == accord.fleiss_kappa(eager).interval()
    one, other = (accord.dipietro_hazari_kappa(study) for study in (eager, lazy))
    assert other.value == pytest.approx(one.value, rel=1e-12)
    assert other.interval().se == pytest.approx(one.interval().se, rel=1e-12)


def test_a_mapping_of_weights_goes_to_the_engine(lazily: Lazily) -> None:
    frame = weighted()
    by_item = dict(frame.select("item", "w").iter_rows())
    lazy = accord.Study(lazily(frame.drop("w"))).with_item_weights(by_item)
    assert accord.fleiss_kappa(lazy).value == accord.fleiss_kappa(accord.Study(frame, item_weight="w")).value


def test_what_is_wrong_with_weights_is_said(lazily: Lazily) -> None:
    frame = weighted()
    gap = frame.with_columns(w=pl.when(pl.col("item") == frame["item"][0]).then(None).otherwise(pl.col("w")))
    with pytest.raises(InputError, match="1 item with two answers or more has no weight"):
        accord.fleiss_kappa(accord.Study(lazily(gap), item_weight="w"))
    torn = frame.with_columns(w=1.0 + pl.int_range(pl.len()))
    with pytest.raises(InputError, match="must say one thing of an item"):
        accord.fleiss_kappa(accord.Study(lazily(torn), item_weight="w"))
    with pytest.raises(InputError, match="must hold finite numbers above zero"):
        accord.fleiss_kappa(accord.Study(lazily(frame.with_columns(w=pl.col("w") - 0.5)), item_weight="w"))


def test_who_answered_what_of_a_crowd_is_not_weighed_in_its_engine(lazily: Lazily) -> None:
    study = accord.Study(lazily(weighted(people=40)), item_weight="w")
    for measure in (accord.conger_kappa, accord.light_kappa):
        with pytest.raises(MeasureError, match=r"which stay in the engine\. Collect the frame"):
            measure(study)
    with pytest.raises(MeasureError, match=r"which stay in the engine\. Collect the frame"):
        accord.fleiss_kappa(study).by_annotator()
    with pytest.raises(MeasureError, match=r"which stay in the engine\. Collect the frame"):
        accord.fleiss_kappa(study).by_pair()
