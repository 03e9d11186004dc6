"""A large Parquet file, and a folder of them, stay where they are: the same digits, and nothing read whole."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

import accord
from accord.engine import lazy_annotations


@pytest.fixture
def frame() -> pl.DataFrame:
    """Annotations whose columns are called as other tools call them."""
    rows = [
        {"unit": f"u{item}", "coder": f"c{who}", "category": "yes" if (item * who) % 3 else "no"}
        for item in range(40)
        for who in range(4)
        if (item + who) % 5
    ]
    return pl.DataFrame(rows)


@pytest.fixture(autouse=True)
def _everything_is_large(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lazy_annotations, "CROWD_ROWS", 10)


def told(study: accord.Study) -> tuple[object, ...]:
    result = accord.krippendorff_alpha(study)
    return (
        result.value,
        result.interval(),
        result.interval(method="bootstrap", rng=1, n_resamples=30),
        result.n_annotators,
    )


def test_a_large_file_is_scanned_and_gives_the_same_digits(tmp_path: Path, frame: pl.DataFrame) -> None:
    frame.write_parquet(tmp_path / "answers.parquet")
    study = accord.read(tmp_path / "answers.parquet")
    assert study._annotations.in_engine is not None
    assert study.shape == "Parquet file (long table)"
    assert "item='unit'" in study.notes[0]
    assert told(study) == told(accord.Study(frame, item="unit", annotator="coder", label="category"))


def test_a_folder_of_parts_is_one_table(tmp_path: Path, frame: pl.DataFrame) -> None:
    for part, rows in enumerate((frame.head(50), frame.tail(len(frame) - 50))):
        rows.write_parquet(tmp_path / f"part-{part}.parquet")
    (tmp_path / "_SUCCESS").touch()
    study = accord.read(tmp_path)
    assert told(study) == told(accord.Study(frame, item="unit", annotator="coder", label="category"))


def test_progress_is_told(tmp_path: Path, frame: pl.DataFrame) -> None:
    crowd = pl.concat([frame.with_columns(coder=pl.col("coder") + f"-{copy}") for copy in range(10)])
    crowd.write_parquet(tmp_path / "answers.parquet")
    steps: list[tuple[int, int]] = []
    accord.read(tmp_path / "answers.parquet", progress=lambda done, total: steps.append((done, total)))
    assert steps[-1] == (1, 1)


def test_what_must_be_changed_first_is_read_whole(tmp_path: Path, frame: pl.DataFrame) -> None:
    frame.with_columns(category=pl.col("category") == "yes").write_parquet(tmp_path / "yes-no.parquet")
    assert accord.read(tmp_path / "yes-no.parquet")._annotations.in_engine is None


def test_a_small_file_is_read_whole(tmp_path: Path, frame: pl.DataFrame, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lazy_annotations, "CROWD_ROWS", 1_000)
    frame.write_parquet(tmp_path / "answers.parquet")
    assert accord.read(tmp_path / "answers.parquet")._annotations.in_engine is None


def test_a_folder_that_is_no_long_table_is_refused(tmp_path: Path) -> None:
    pl.DataFrame({"ana": ["a", "b"], "ben": ["a", "a"]}).write_parquet(tmp_path / "part-0.parquet")
    pl.DataFrame({"ana": ["a", "b"], "ben": ["a", "a"]}).write_parquet(tmp_path / "part-1.parquet")
    with pytest.raises(accord.AccordError, match="one row per annotation"):
        accord.read(tmp_path)
