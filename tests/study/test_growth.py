"""Twice as many groups, people or columns are twice the work: what was quadratic is counted, not timed.

Lists of names count how often they are gone through: once for each name would be the square of their number.
"""

from __future__ import annotations

import tracemalloc
import weakref
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import accord
from accord import findings
from accord.agreement import breakdowns
from accord.agreement import groups as groups_module
from accord.agreement.inference.joint_tests import with_surest
from accord.annotations.coded import CodedAnnotations
from accord.errors import MeasureError
from accord.reporting.anonymise import anonymised
from accord.study.tables.sheet import Sheet

GONE_THROUGH = [0]


class Counted:
    """Names that count how often they are gone through."""

    def __iter__(self) -> Any:
        GONE_THROUGH[0] += 1
        return super().__iter__()  # type: ignore[misc]

    def __contains__(self, name: object) -> bool:
        GONE_THROUGH[0] += 1
        return bool(super().__contains__(name))  # type: ignore[misc]

    def index(self, *given: Any) -> int:
        GONE_THROUGH[0] += 1
        return int(super().index(*given))  # type: ignore[misc]

    def count(self, name: Any) -> int:
        GONE_THROUGH[0] += 1
        return int(super().count(name))  # type: ignore[misc]


class NamesInTuple(Counted, tuple[str, ...]):
    """The names of a tuple."""


class NamesInList(Counted, list[str]):
    """The names of a list."""


def many_groups(number: int) -> accord.Study:
    """Three items a group, two annotators."""
    rng = np.random.default_rng(2)
    item = np.repeat(np.arange(3 * number), 2)
    return accord.Study(
        {
            "item": item,
            "annotator": np.tile(["x", "y"], 3 * number),
            "label": np.array(["a", "b"])[rng.integers(2, size=6 * number)],
            "part": [f"g{one // 3}" for one in item],
        }
    )


def test_groups_take_each_row_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every group looked at all rows: with 4,000 groups 96 million."""
    looked_at, keep = [], CodedAnnotations.keep

    def counted(self: CodedAnnotations, annotations: Any) -> CodedAnnotations:
        looked_at.append(len(annotations))
        return keep(self, annotations)

    monkeypatch.setattr(CodedAnnotations, "keep", counted)
    study = many_groups(60)
    table = accord.fleiss_kappa(study, by="part").by_group()
    assert len(table) == 60
    assert sum(looked_at) <= 3 * study.n_annotations


def test_beyond_some_groups_no_two_are_compared(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tables of groups × groups: 4,000 groups took 2 GiB."""
    compared: list[int] = []

    def counted(*given: Any) -> Any:
        compared.append(len(given[1]))
        return with_surest(*given)

    monkeypatch.setattr(groups_module, "with_surest", counted)
    study = many_groups(40)
    few = accord.percent_agreement(study, by="part").by_group()
    assert compared
    monkeypatch.setattr(groups_module, "MOST_PAIRED", compared[0] - 1)
    compared.clear()
    many = accord.percent_agreement(study, by="part").by_group()
    assert not compared
    assert any("groups" in note for note in many.notes), "one test for all is told as ever"
    assert many["value"].tolist() == pytest.approx(few["value"].tolist(), nan_ok=True)


def gone_through_by_anonymising(people: int) -> int:
    study = accord.Study.from_wide({f"person {number}": ["a", "b", "b"] for number in range(people)})
    annotations = study._annotations.to_memory()
    named = study._with_annotations(replace(annotations, annotators=NamesInTuple(annotations.annotators)))
    GONE_THROUGH[0] = 0
    hidden, key = anonymised(named)
    assert len(key) == hidden.n_annotators == people
    return GONE_THROUGH[0]


def test_names_are_hidden_by_going_through_them_a_few_times() -> None:
    """Each name was looked for among all: 10 s for 40,000 people."""
    assert gone_through_by_anonymising(200) == gone_through_by_anonymising(20) > 0


def gone_through_by_reading(columns: int, folder: Path, monkeypatch: pytest.MonkeyPatch) -> int:
    """A wide table of three items."""
    begin = Sheet.__post_init__

    def counted(self: Sheet) -> None:
        begin(self)
        self.columns = NamesInList(self.columns)

    rng = np.random.default_rng(1)
    lines = [",".join(["item", *(f"p{n}" for n in range(columns))])]
    lines += [",".join([str(item), *rng.choice(["a", "b"], columns)]) for item in range(3)]
    path = folder / "wide.csv"
    path.write_text("\n".join(lines), encoding="utf-8")
    with monkeypatch.context() as patched:
        patched.setattr(Sheet, "__post_init__", counted)
        GONE_THROUGH[0] = 0
        assert accord.read(path).n_annotators == columns
    return GONE_THROUGH[0]


def test_columns_are_told_apart_by_going_through_them_a_few_times(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each name was counted among all: 43 s for 40,000 columns."""
    few, many = (gone_through_by_reading(columns, tmp_path, monkeypatch) for columns in (100, 200))
    assert 0 < many <= few + 10


@pytest.mark.parametrize("people", ["xy", "xyz"])
def test_explaining_many_labels_makes_no_table_of_labels_by_labels(people: str) -> None:
    """Such a table of 100,000 labels asked for 71 GiB; one of 6,000 would take 288 MB here."""
    labels = 6_000
    rng = np.random.default_rng(3)
    item = np.repeat(np.arange(labels), len(people))
    label = np.where(rng.random(len(item)) < 0.8, item, rng.integers(labels, size=len(item)))
    study = accord.Study({"item": item, "annotator": [*people] * labels, "label": [f"l{one}" for one in label]})
    str(accord.explain(["a", "b"], ["a", "a"]))  # what is loaded counts once
    tracemalloc.start()
    try:
        assert str(accord.explain(study))
        assert tracemalloc.get_traced_memory()[1] < 64_000_000
    finally:
        tracemalloc.stop()
    for asked in (findings.stuart_maxwell, findings.mcnemar, findings.confusion):
        with pytest.raises(MeasureError, match=r"up to 2,000 labels; here are .*5,\d{3}\. Merge rare labels first"):
            asked(study)
    with pytest.raises(MeasureError, match="confusion_by_pair, which names the cells"):
        findings.confusion(study, annotators=["x", "y"])
    assert len(findings.confusion_by_pair(study)) > labels / 2


def test_values_by_label_are_made_one_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    alive: weakref.WeakSet[object] = weakref.WeakSet()
    most = 0
    made = breakdowns._one_label

    def watched(*given: Any, **more: Any) -> Any:
        nonlocal most
        part = made(*given, **more)
        alive.add(part)
        most = max(most, len(alive))
        return part

    monkeypatch.setattr(breakdowns, "_one_label", watched)
    table = {
        "item": [n // 2 for n in range(120)],
        "annotator": ["a", "b"] * 60,
        "label": [n * n % 30 for n in range(120)],
    }
    study = accord.Study(table)
    assert len(accord.fleiss_kappa(study).by_label()) == len(study.labels) > 3
    assert most <= 2


def test_too_many_labels_for_values_of_each_are_refused_and_the_report_says_so(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(breakdowns, "MOST_CELLS", 100)
    table = {
        "item": [n // 2 for n in range(60)],
        "annotator": ["a", "b"] * 30,
        "label": [f"l{n // 3}" for n in range(60)],
    }
    with pytest.raises(MeasureError, match=r"20 answers × 20 labels, and it may have 100 cells\. Merge rare labels"):
        accord.fleiss_kappa(table).by_label()
    accord.report(table, tmp_path / "r.md")
    assert "20 answers × 20 labels" in (tmp_path / "r.md").read_text(encoding="utf-8")
