"""Tallies of weeks and sites as one study: compared with each other, and refused where they are of other questions."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import accord
from accord.errors import FileError, InputError, MeasureError
from tests.study.test_tallies import table


def week(folder: Path, name: str, *, by: str = "lang", data: dict[str, list[Any]] | None = None, **how: Any) -> Path:
    """The tally of one week; how it is read and written is said by keywords."""
    writing = {key: how.pop(key) for key in ("named", "item_sketch", "shard_name") if key in how}
    found = table() if data is None else data
    study = accord.Study(found, item="item", annotator="annotator", label="label", **how)
    return study.write_tally(folder / f"{name}.tally", by=by, **writing)


def two_weeks(folder: Path, **how: Any) -> list[Path]:
    return [week(folder, "w1", **how), week(folder, "w2", data=table(seed=2, first=40), **how)]


def test_weeks_are_groups_and_whether_they_differ_is_tested(tmp_path: Path) -> None:
    both = accord.read(two_weeks(tmp_path))
    rows = table()
    more = table(seed=2, first=40)
    whole = {name: [*rows[name], *more[name]] for name in rows}
    whole["shard"] = ["w1"] * len(rows["item"]) + ["w2"] * len(more["item"])
    study = accord.Study(whole, item="item", annotator="annotator", label="label")
    for measure in (accord.fleiss_kappa, accord.conger_kappa, accord.krippendorff_alpha):
        assert str(measure(both, by="shard").by_group()) == str(measure(study, by="shard").by_group())
        assert str(measure(both, by="lang").by_group()) == str(measure(study, by="lang").by_group())
    assert "2 tallies added up; by='shard' compares them" in both.notes


def test_a_folder_of_tallies_is_added_up(tmp_path: Path) -> None:
    two_weeks(tmp_path)
    assert accord.read(tmp_path).n_items == 80


def test_the_shard_may_have_a_name_of_its_own(tmp_path: Path) -> None:
    paths = [week(tmp_path, "a", shard_name="north"), week(tmp_path, "b", data=table(first=40), shard_name="south")]
    assert list(accord.read(paths).groups("shard")) == ["north", "south"]


def test_a_sum_that_is_written_keeps_its_shards(tmp_path: Path) -> None:
    whole = accord.read(two_weeks(tmp_path)).write_tally(tmp_path / "both.tally", by=["lang", "shard"])
    third = week(tmp_path, "w3", data=table(seed=3, first=80))
    assert list(accord.read([whole, third]).groups("shard")) == ["w1", "w2", "w3"]


def test_items_in_two_tallies_are_seen(tmp_path: Path) -> None:
    paths = [week(tmp_path, "w1"), week(tmp_path, "w2", data=table(seed=2, first=35))]
    (note,) = (note for note in accord.read(paths).notes if "share" in note)
    assert note.startswith("tallies share items: 5 items in 'w1' and 'w2'. Such an item counts in each")


def test_without_a_sketch_the_risk_is_said(tmp_path: Path) -> None:
    notes = accord.read(two_weeks(tmp_path, item_sketch=False)).notes
    assert any(note.startswith("'w1', 'w2' do not tell which items there are") for note in notes)


def test_row_numbers_are_no_ids_that_two_tallies_could_share(tmp_path: Path) -> None:
    one, other = (accord.Study.from_pairs(list("xxyz" * 3), list(cells * 3)) for cells in ("xyyz", "xxxz"))
    paths = [one.write_tally(tmp_path / "a.tally"), other.write_tally(tmp_path / "b.tally")]
    assert any("do not tell which items" in note for note in accord.read(paths).notes)


def test_the_same_tally_twice_is_an_error(tmp_path: Path) -> None:
    path = week(tmp_path, "w1")
    with pytest.raises(InputError, match="named twice"):
        accord.read([path, tmp_path / "." / "w1.tally"])
    (tmp_path / "copy.tally").write_bytes(path.read_bytes())
    with pytest.raises(FileError, match=r"a copy of .* would count twice"):
        accord.read([path, tmp_path / "copy.tally"])
    with pytest.raises(FileError, match="the same tally as 'w1'"):
        accord.read([path, week(tmp_path, "other", shard_name="other")])


def test_labels_that_nobody_declared_are_put_together(tmp_path: Path) -> None:
    other = week(tmp_path, "w2", data=table(seed=2, first=40, labels="wyz"))
    both = accord.read([week(tmp_path, "w1"), other])
    assert both.labels == ("w", "x", "y", "z")
    (note,) = (note for note in both.notes if note.startswith("labels"))
    assert str(note) == (
        "labels that only some of the tallies have: 'x' in 'w1', 'w' in 'w2'. Where two of them are one by another "
        "name, write a tally anew with recode=…"
    )
    assert not any(note.startswith("labels") for note in accord.read(two_weeks(tmp_path)).notes)


@pytest.mark.parametrize(
    ("first", "second", "words"),
    [
        ({}, {"data": table(first=40, labels="abc")}, "of other labels: 'x', 'y', 'z' in 'w1'.*they share none"),
        ({"labels": list("xyz")}, {"labels": list("zyxw")}, "'w1' declares its labels"),
        ({"levels": "ordinal", "labels": list("xyz")}, {"labels": list("xyz")}, "Level of measurement: ordinal in"),
        ({"cluster": "doc"}, {}, "Columns: 'doc', 'lang' in 'w1', and 'lang' in 'w2'"),
        ({"cluster": "doc"}, {"by": "doc", "cluster": "lang"}, "Roles of columns"),
        ({"named": False}, {}, "Who answered what: not kept in 'w1', and kept in 'w2'"),
        ({"shard_name": "a"}, {"shard_name": "a"}, "all called 'a'"),
    ],
)
def test_tallies_of_other_questions_are_refused(
    first: dict[str, Any], second: dict[str, Any], words: str, tmp_path: Path
) -> None:
    paths = [week(tmp_path, "w1", **first), week(tmp_path, "w2", **{"data": table(seed=2, first=40), **second})]
    with pytest.raises(InputError, match=words):
        accord.read(paths)


def test_tallies_and_tables_are_not_read_together(tmp_path: Path) -> None:
    (tmp_path / "rows.csv").write_text("item,annotator,label\n1,a,x\n1,b,x\n")
    with pytest.raises(InputError, match="rows and sums are not read together"):
        accord.read([week(tmp_path, "w1"), tmp_path / "rows.csv"])


def test_annotators_by_number_keep_their_order(tmp_path: Path) -> None:
    def numbered(people: tuple[int, int], first: int) -> accord.Study:
        cells = {"item": [first, first, first + 1, first + 1], "annotator": [*people] * 2, "label": list("xyxx")}
        return accord.Study(cells)

    paths = [
        numbered((2, 10), 1).write_tally(tmp_path / "a.tally"),
        numbered((2, 9), 5).write_tally(tmp_path / "b.tally"),
    ]
    assert accord.read(paths).annotators == ("2", "9", "10")


def test_two_tallies_are_compared_as_different_items(tmp_path: Path) -> None:
    one, other = (accord.fleiss_kappa(accord.read(path)) for path in two_weeks(tmp_path))
    found = accord.compare(one, other)
    assert (found.paired, found.common_items, found.pairing) == (False, 0, "on different items")
    assert found.se == pytest.approx((one.interval().se ** 2 + other.interval().se ** 2) ** 0.5)
    with pytest.raises(MeasureError, match="paired=True is about single items"):
        accord.compare(one, other, paired=True)


@pytest.mark.parametrize(
    ("first", "sketch", "words"),
    [
        (35, True, "5 items in both, told apart by neither tally: compared as different ones"),
        (40, False, "a tally does not tell which items it holds, so compared as different ones"),
    ],
)
def test_comparing_tells_what_is_known_of_items_in_both(first: int, sketch: bool, words: str, tmp_path: Path) -> None:
    paths = [week(tmp_path, "w1"), week(tmp_path, "w2", data=table(seed=2, first=first), item_sketch=sketch)]
    one, other = (accord.fleiss_kappa(accord.read(path)) for path in paths)
    assert accord.compare(one, other).pairing == words
