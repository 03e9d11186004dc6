"""What is made of sums needs no rows: ICC by moments and strengths from counts, as in memory."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import polars as pl
import pytest

import accord
from accord.engine import lazy_annotations
from accord.errors import AccordError, MeasureError, OptionError

pytestmark = pytest.mark.engine

Lazily = Callable[[pl.DataFrame], Any]
COLUMNS: dict[str, Any] = {"item": "id", "annotator": "who"}
COMPARED: dict[str, Any] = {"item": "prompt", "annotator": "judge", "label": "winner", "first": "a", "second": "b"}


def scored(gaps: float, column: str = "score") -> pl.DataFrame:
    """Scores on a scale of tenths."""
    rng = np.random.default_rng(3)
    score = np.round(rng.normal(5, 1, (40, 1)) + np.array([0.4, 0.0, -0.3]) + rng.normal(0, 0.7, (40, 3)), 1)
    item, who = np.nonzero(rng.random(score.shape) >= gaps)
    frame = pl.DataFrame(
        {"id": [f"item {one}" for one in item], "who": [f"a{one}" for one in who], column: score[item, who]}
    )
    return frame.sample(fraction=1, shuffle=True, seed=2)


def compared() -> pl.DataFrame:
    """Three judges, some of whom judge one prompt for several pairs, with ties and in both orders."""
    rng = np.random.default_rng(4)
    rows = []
    for prompt in range(60):
        for judge in range(1 + prompt % 3):
            one, other = (
                rng.permutation(4)[:2] if judge == 2 else sorted((prompt % 4, (prompt + 1 + prompt // 4 % 3) % 4))
            )
            first, second = (one, other) if rng.random() < 0.5 else (other, one)
            ahead = 0.7 * (first - second) + rng.logistic()
            said = "tie" if abs(ahead) < 0.5 else f"m{first if ahead > 0 else second}"
            rows.append((f"prompt {prompt}", f"j{judge}", f"m{first}", f"m{second}", said))
    return pl.DataFrame(rows, schema=["prompt", "judge", "a", "b", "winner"], orient="row")


@pytest.fixture
def nothing_fits(monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    """A function after which no table fits into memory."""
    return lambda: monkeypatch.setattr(lazy_annotations, "MOST_ROWS", 10)


def as_in_memory(frame: pl.DataFrame, lazily: Lazily, nothing_fits: Callable[[], None], column: str) -> None:
    """Values, intervals, sizes and notes of three forms."""
    roles: dict[str, Any] = {**COLUMNS, column: column}
    eager = {form: accord.icc(frame, form=form, **roles) for form in ("A,1", "C,k", "1,1")}
    nothing_fits()
    study = accord.Study(lazily(frame), **roles)
    for form, known in eager.items():
        found = accord.icc(study, form=form)
        assert found.value == pytest.approx(known.value, rel=1e-12)
        assert tuple(found.interval())[:2] == pytest.approx(tuple(known.interval())[:2], rel=1e-9)
        assert (found.n_items, found.n_annotators, found.n_answers) == (known.n_items, 3, known.n_answers)
        assert found.notes == known.notes


def test_icc_by_moments_has_the_digits_of_memory(lazily: Lazily, nothing_fits: Callable[[], None]) -> None:
    as_in_memory(scored(0.3), lazily, nothing_fits, "score")


def test_icc_by_moments_of_a_table_without_gaps_is_that_of_mean_squares(nothing_fits: Callable[[], None]) -> None:
    as_in_memory(scored(0.0), pl.DataFrame.lazy, nothing_fits, "score")


def test_icc_of_numeric_labels_needs_no_rows_either(nothing_fits: Callable[[], None]) -> None:
    frame = scored(0.3, "label").with_columns(label=pl.col("label").round().cast(pl.Int64))
    as_in_memory(frame, pl.DataFrame.lazy, nothing_fits, "label")


def test_strengths_from_counts_have_the_digits_of_memory(lazily: Lazily, nothing_fits: Callable[[], None]) -> None:
    frame = compared()
    known = accord.bradley_terry(frame, order_effect=True, **COMPARED)
    nothing_fits()
    found = accord.bradley_terry(lazily(frame), order_effect=True, **COMPARED)
    assert found.options == known.options
    assert found.strength == pytest.approx(known.strength, rel=1e-9)
    assert found.error == pytest.approx(known.error, rel=1e-9)
    assert (found.n_comparisons, found.n_items) == (known.n_comparisons, known.n_items)
    assert found.in_tiers() == known.in_tiers()
    assert found.tie_effect is not None
    assert known.tie_effect is not None
    assert found.tie_effect.interval.low == pytest.approx(known.tie_effect.interval.low)


def test_what_sums_do_not_tell_is_refused_with_the_way_out(nothing_fits: Callable[[], None]) -> None:
    scores, preferences = scored(0.2).lazy(), compared().lazy()
    nothing_fits()
    found = accord.icc(scores, **COLUMNS, score="score")
    with pytest.raises(OptionError, match="model-based"):
        found.interval(method="bootstrap")
    with pytest.raises(OptionError, match="model-based"):
        found.interval(method="analytic")
    for table in (found.by_item, found.by_pair, found.by_annotator):
        with pytest.raises(MeasureError, match="collect"):
            table()
    with pytest.raises(MeasureError, match="one by one"):
        accord.bradley_terry(preferences, annotator_weights={"j0": 2.0}, **COMPARED)
    with pytest.raises(MeasureError, match="first="):
        accord.bradley_terry(preferences, item="prompt", annotator="judge", label="winner")
    with pytest.raises(MeasureError, match="Who judged"):
        accord.bradley_terry(preferences, **COMPARED).by_annotator()
    with pytest.raises(AccordError, match="finite"):
        accord.Study(scored(0.2).with_columns(score=pl.lit(float("inf"))).lazy(), **COLUMNS, score="score")


def test_rows_that_are_no_comparison_are_counted(nothing_fits: Callable[[], None]) -> None:
    frame = compared()
    blank = frame.head(2).with_columns(winner=pl.lit(None, pl.String))
    nothing_fits()
    found = accord.bradley_terry(pl.concat([frame, blank]).lazy(), **COMPARED)
    assert "2 rows without an item, an annotator or an answer left out." in found.notes
    assert found.n_comparisons == len(frame)


def test_clusters_of_preferences_are_what_was_sampled(nothing_fits: Callable[[], None]) -> None:
    frame = compared().with_columns(topic=pl.col("prompt").str.slice(7).cast(pl.Int64) % 12)
    known = accord.bradley_terry(frame, cluster="topic", **COMPARED)
    nothing_fits()
    found = accord.bradley_terry(frame.lazy(), cluster="topic", **COMPARED)
    assert found.error == pytest.approx(known.error, rel=1e-9)
    assert found.n_items == known.n_items == 12
