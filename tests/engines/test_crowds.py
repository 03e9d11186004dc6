"""Annotators by the thousand in an engine: pairs who met, each with the others, errors by one join."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import accord
from accord.annotations.answers import Answers
from accord.coefficients import annotator_values_in_engine, mean_of_pairs
from accord.engine import annotator_sums, lazy_annotations
from accord.engine.dialects import polars as polars_dialect
from accord.engine.scan import Scan
from accord.reporting.page import fingerprint
from accord.reporting.sections.items import STAY
from tests.engines.handing import QUICK, sampled
from tests.engines.test_same_digits import crowd

pytestmark = pytest.mark.engine

Lazily = Callable[[pl.DataFrame], Any]


@pytest.fixture
def frame() -> pl.DataFrame:
    """Forty annotators, some items with a single answer."""
    first = pl.col("annotator") == pl.col("annotator").first().over("item")
    return crowd(80, 3, 4, people=40).filter((pl.col("item") != "item 3") | first)


@pytest.fixture(autouse=True)
def _everything_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lazy_annotations, "MOST_ROWS", 10)


@pytest.fixture
def in_engine(studied: Callable[..., accord.Study], frame: pl.DataFrame) -> accord.Study:
    return studied(frame)


def close(here: Any, there: Any, *names: str) -> None:
    for name in names:
        assert np.allclose(here[name].astype(float), there[name].astype(float), rtol=1e-10, atol=1e-13, equal_nan=True)


@pytest.fixture
def few_in_common(monkeypatch: pytest.MonkeyPatch) -> None:
    """In a small crowd two people share few items, and Light's kappa would have no interval to compare."""
    monkeypatch.setattr(mean_of_pairs, "FEW_IN_COMMON", 0)


@pytest.mark.usefixtures("few_in_common")
def test_light_has_its_exact_error_in_the_engine(lazily: Lazily, frame: pl.DataFrame) -> None:
    eager, lazy = accord.light_kappa(accord.Study(frame)), accord.light_kappa(accord.Study(lazily(frame)))
    assert lazy.value == pytest.approx(eager.value, abs=1e-14)
    assert lazy.interval().se == pytest.approx(eager.interval().se, rel=1e-12)
    assert lazy.interval().high == pytest.approx(eager.interval().high, rel=1e-12)


def test_a_report_beyond_memory_is_made_of_sums_and_says_what_it_does_not_list(
    frame: pl.DataFrame, tmp_path: Path
) -> None:
    study = accord.Study(frame.lazy())
    page = accord.report(study, tmp_path / "lazy.md").read_text(encoding="utf-8")
    assert STAY in page
    finding = next(one for one in accord.explain(study) if one.name == "contested-items")
    assert finding.table is None
    assert "too many to be brought here" in finding.remedy
    here = next(one for one in accord.explain(accord.Study(frame)) if one.name == "contested-items")
    assert finding.says == here.says
    assert fingerprint(study) == fingerprint(accord.Study(frame.reverse().lazy()))
    assert fingerprint(study) != fingerprint(accord.Study(frame.filter(pl.col("item") != "item 5").lazy()))


def test_an_error_that_reads_the_whole_table_is_asked_for_once(
    frame: pl.DataFrame, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str | None] = []
    moments = annotator_sums.Crowd.moments

    def counted(crowd: annotator_sums.Crowd, scores: Any, column: str | None) -> annotator_sums.ScoreMoments:
        asked.append(column)
        return moments(crowd, scores, column)

    monkeypatch.setattr(annotator_sums.Crowd, "moments", counted)
    result = accord.conger_kappa(accord.Study(frame.lazy()))
    first, again = result.interval(), result.interval(confidence=0.9)
    assert asked == [None]
    assert first.se == again.se == pytest.approx(accord.conger_kappa(accord.Study(frame)).interval().se, rel=1e-12)


@pytest.mark.parametrize(("lazily", "many"), sampled([True, False]), indirect=["lazily"])
def test_divided_labels_of_a_crowd_are_made_up_in_the_engine(
    lazily: Lazily, frame: pl.DataFrame, monkeypatch: pytest.MonkeyPatch, many: bool
) -> None:
    second = frame.filter(pl.col("label").rank("ordinal") % 3 == 0).with_columns(pl.lit("another").alias("label"))
    both = [frame.with_columns(rank=pl.lit(1, pl.Int64)), second.with_columns(rank=pl.lit(2, pl.Int64))]
    if many:  # the pairs stay in the engine, which then knows no label of a pair: pooled marginals, and a note
        monkeypatch.setattr(annotator_sums, "MOST_PATTERNS", 1)
    eager, lazy = (
        accord.rosenberg_binkowski_kappa(accord.Study(data, rank="rank"))
        for data in (pl.concat(both), lazily(pl.concat(both)))
    )
    here, there = eager.by_label(chance="pooled" if many else None), lazy.by_label()
    close(there, here, "answers", "share", "observed", "expected", "value")
    if many:  # else what an item adds to a pair's label is not known in the engine, so few items do not widen it
        close(there, here, "low", "high")
    assert any("pooled" in note for note in there.notes) == many


@pytest.mark.usefixtures("few_in_common")
def test_a_mean_of_pairs_is_not_resampled_by_pairs_of_answers(lazily: Lazily, frame: pl.DataFrame) -> None:
    lazy = accord.light_kappa(accord.Study(lazily(frame)))
    for method in ("bootstrap", "jackknife"):
        with pytest.raises(accord.AccordError, match="stays in the engine"):
            lazy.interval(method=method)


@pytest.mark.parametrize(
    ("lazily", "measure"),
    sampled(["light_kappa", "conger_kappa", "fleiss_kappa", "krippendorff_alpha", "gwet_ac"]),
    indirect=["lazily"],
)
def test_each_annotator_with_the_others_is_added_up_in_the_engine(
    in_engine: accord.Study, frame: pl.DataFrame, measure: str
) -> None:
    function = getattr(accord, measure)
    eager, lazy = (function(study).by_annotator() for study in (accord.Study(frame), in_engine))
    assert list(lazy["annotator"]) == list(eager["annotator"])
    close(lazy, eager, "answers", "observed", "expected", "value", "low", "high")


def test_with_too_many_labels_each_annotator_has_a_value_and_a_note(
    lazily: Lazily, frame: pl.DataFrame, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(annotator_values_in_engine, "MOST_ANSWERS", 2)
    eager, lazy = (accord.conger_kappa(accord.Study(data)).by_annotator() for data in (frame, lazily(frame)))
    close(lazy, eager, "observed", "expected", "value")
    assert np.isnan(lazy["low"].astype(float)).all()
    assert "without an interval" in lazy.notes[-1]


@pytest.mark.parametrize(
    ("lazily", "measure"),
    sampled(["cohen_kappa", "conger_kappa", "fleiss_kappa", "krippendorff_alpha"]),
    indirect=["lazily"],
)
def test_every_pair_is_measured_from_what_the_engine_counts(
    in_engine: accord.Study, frame: pl.DataFrame, measure: str
) -> None:
    eager, lazy = (accord.pairwise(study, measure) for study in (accord.Study(frame), in_engine))
    assert lazy["first"].tolist() == eager["first"].tolist()
    assert lazy["items"].tolist() == eager["items"].tolist()
    close(lazy, eager, "observed", "expected", "value", "se")


def with_documents(frame: pl.DataFrame) -> pl.DataFrame:
    label, item = pl.col("label").str.slice(6).cast(pl.Int64), pl.col("item").str.slice(5).cast(pl.Int64)
    return frame.with_columns(label=label, document=item // 5)


@pytest.fixture
def too_many_pairs(monkeypatch: pytest.MonkeyPatch) -> None:
    """They stay in the engine."""
    monkeypatch.setattr(annotator_sums, "MOST_PATTERNS", 20)


@pytest.mark.usefixtures("too_many_pairs")
def test_the_mean_of_pairs_that_are_too_many_is_made_in_the_engine(lazily: Lazily, frame: pl.DataFrame) -> None:
    frame = with_documents(frame)
    eager, lazy = (accord.light_kappa(accord.Study(data), weights="linear") for data in (frame, lazily(frame)))
    for part in ("value", "observed", "expected", "n_items", "n_answers"):
        assert getattr(lazy, part) == pytest.approx(getattr(eager, part), abs=1e-12)
    assert lazy.notes == eager.notes
    assert lazy.interval().se == pytest.approx(eager.interval().se, rel=1e-10)
    with pytest.raises(accord.AccordError, match="pair by pair"):
        lazy.by_pair()
    with pytest.raises(accord.AccordError, match="stays in the engine"):
        lazy.interval(method="bootstrap")


@pytest.mark.usefixtures("too_many_pairs")
@pytest.mark.parametrize("lazily", QUICK, indirect=True)  # which ask again what the error above is made of
def test_pairs_that_are_too_many_have_clusters_and_annotators_in_the_engine(
    lazily: Lazily, frame: pl.DataFrame
) -> None:
    frame = with_documents(frame)
    eager, lazy = (accord.light_kappa(accord.Study(data), weights="linear") for data in (frame, lazily(frame)))
    assert lazy.interval(cluster="document").se == pytest.approx(eager.interval(cluster="document").se, rel=1e-10)
    close(lazy.by_annotator(), eager.by_annotator(), "answers", "observed", "expected", "value", "low", "high")


def test_very_many_names_are_counted_by_digest_and_told_by_name(monkeypatch: pytest.MonkeyPatch) -> None:
    names = [f"somebody with a name of many letters {place % 700}" for place in range(5_000)] + [None] * 3
    scan = Scan.of(pl.LazyFrame({"annotator": names}))
    assert scan is not None
    plain = sorted(scan.counted("annotator"), key=str)
    monkeypatch.setattr(polars_dialect, "MANY_TEXTS", 100)
    monkeypatch.setattr(polars_dialect, "BATCH", 900)  # so that names come in several pieces
    monkeypatch.setattr(polars_dialect, "TOGETHER", 1)
    assert sorted(scan.counted("annotator"), key=str) == plain
    assert (None, 3) in plain
    assert len(plain) == 701


def test_answers_that_are_none_of_the_scale_any_more_are_nobodys(lazily: Lazily, frame: pl.DataFrame) -> None:
    study = accord.Study(lazily(frame))
    lazy = study._annotations.in_engine
    assert lazy is not None
    left = study.labels[1:]
    became = np.array([-1, *range(len(left))])
    table = lazy.recoded(Answers("single", left), became).answers_by_annotator()
    counted = frame.filter(pl.col("label") != study.labels[0]).group_by("annotator", "label").len()
    expected = {(who, label): number for who, label, number in counted.iter_rows()}
    found = {
        (who, label): table[place, answer]
        for place, who in enumerate(study.annotators)
        for answer, label in enumerate(left)
        if table[place, answer]
    }
    assert found == expected
