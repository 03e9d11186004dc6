"""Tallies that were added up: a week in which annotators agree less is told, and weeks that are alike are not."""

from __future__ import annotations

from pathlib import Path

import accord
from tests.study.test_tallies import table


def weeks(folder: Path, careless: float) -> accord.Study:
    """Three weeks of 120 items each; in the last one some answers are replaced by one label."""
    paths = []
    for week in range(3):
        data = table(items=120, seed=week, first=120 * week)
        if week == 2:
            every = max(round(1 / careless), 1) if careless else len(data["label"]) + 1
            data["label"] = ["xyz"[at % 3] if at % every == 0 else label for at, label in enumerate(data["label"])]
        paths.append(accord.Study(data).write_tally(folder / f"w{week}.tally"))
    return accord.read(paths)


def test_a_week_that_agrees_less_is_told(tmp_path: Path) -> None:
    found = accord.explain(weeks(tmp_path, careless=0.5))
    (one,) = (finding for finding in found if finding.name == "shards-differ")
    assert one.severity == "warning"
    assert "differs between 3 shards" in one.says
    assert " in w2 and " in one.says
    assert one.table is not None
    assert list(one.table["shard"]) == ["w0", "w1", "w2"]


def test_weeks_that_are_alike_are_not_told(tmp_path: Path) -> None:
    found = accord.explain(weeks(tmp_path, careless=0.0))
    assert "shards-differ" not in [finding.name for finding in found]
    assert any(one.what == "test of whether shards differ" for one in found.tests)


def test_one_tally_has_no_shards_to_compare(tmp_path: Path) -> None:
    one = accord.read(accord.Study(table()).write_tally(tmp_path / "one.tally"))
    assert not any("shard" in family.what for family in accord.explain(one).tests)
