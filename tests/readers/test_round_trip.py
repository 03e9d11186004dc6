"""Read, write, read: the same study."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import accord
from accord.study import Study
from tests.readers.test_samples import ONE, SAMPLES, SEVERAL

UNNAMED = ("tables/counts.csv", "tables/soft.jsonl")
NAMED = [(name, options) for name, options, _ in ONE if name not in UNNAMED] + [(name, {}) for name, _ in SEVERAL]
ENDINGS = (".csv", ".tsv", ".jsonl", ".parquet")


def content(study: Study) -> Any:
    """What makes two studies the same: who said what of which item."""
    if study.tasks:
        return {name: content(part) for name, part in study.tasks.items()}
    triples = study.triples
    item, annotator, answer, count = (column.tolist() for column in triples.rows)
    places = study.answers.places or [()] * len(study.answers)

    def said(position: int) -> Any:
        value = study.answers.value(position)
        if study.kind == "set":
            return sorted(value, key=repr) if isinstance(value, tuple) else value
        return (value, places[position]) if study.answers.places else value

    rows = sorted(
        (
            (study.items[i], study.annotators[a], repr(said(k)), c)
            for i, a, k, c in zip(item, annotator, answer, count, strict=True)
        ),
        key=repr,
    )
    scale = sorted(study.labels, key=repr) if study.answers.declared else list(study.labels)
    return study.kind, scale, rows  # a declared order is not in the file: labels= says it again


@pytest.mark.parametrize("ending", ENDINGS)
@pytest.mark.parametrize(("name", "options"), NAMED, ids=[name for name, _ in NAMED])
def test_read_write_read(name: str, options: dict[str, Any], ending: str, tmp_path: Path) -> None:
    first = accord.read(SAMPLES / name, **options)
    path = first.write(tmp_path / f"long{ending}")
    again = accord.read(path)
    assert content(again) == content(first)
    if "wide" not in first.shape:  # gaps of a wide table are no rows of a long one
        kept = {reason: number for reason, number in first.left_out.items() if not reason.endswith("not read")}
        assert dict(again.left_out) == kept  # what a reader cannot read is not in the table it writes


@pytest.mark.parametrize("ending", ENDINGS)
def test_repeats_that_were_left_out_stay_out(ending: str, tmp_path: Path) -> None:
    path = tmp_path / "twice.csv"
    path.write_text("item,annotator,label\n1,ana,a\n1,ana,b\n1,ben,b\n1,ana,c\n")
    first = accord.read(path, duplicates="last")
    assert content(first)[2] == [(1, "ana", "'c'", 1), (1, "ben", "'b'", 1)]
    again = accord.read(first.write(tmp_path / f"long{ending}"))
    assert content(again) == content(first)
    assert dict(again.left_out) == dict(first.left_out) == {"repeated answers, of which another was kept": 2}


@pytest.mark.parametrize("seed", range(20))
def test_odd_labels_and_texts_come_back(seed: int, tmp_path: Path) -> None:
    chance = random.Random(seed)
    odd = [
        "a,b",
        'say "x"',
        "line\nbreak",
        " lead",
        "é",
        "🙂",
        "007",
        "1e3",
        "nan",
        "None",
        "true",
        "x;y|z",
        "'",
        "=1+1",
        "\tt",
    ]
    labels = chance.sample(odd, 6)
    people = chance.sample(odd, 3)
    table: dict[str, list[Any]] = {"item": [], "annotator": [], "label": []}
    for item in chance.sample(odd, 5):
        for who in people:
            for name, cell in (("item", item), ("annotator", who), ("label", chance.choice(labels))):
                table[name].append(cell)
    first = Study(table)
    for ending in ENDINGS:
        assert content(accord.read(first.write(tmp_path / f"long{ending}"))) == content(first), ending


def test_arrays_are_written_too(tmp_path: Path) -> None:
    first = Study.from_wide(np.array([[1, 2], [3, 3]]))
    assert content(accord.read(first.write(tmp_path / "long.csv"))) == content(first)


def test_counts_cannot_be_a_long_table(tmp_path: Path) -> None:
    with pytest.raises(accord.AccordError, match="names no annotators"):
        Study.from_counts([[2, 1]]).write(tmp_path / "long.csv")
    assert list(tmp_path.iterdir()) == []


def test_an_unknown_ending_is_refused(tmp_path: Path) -> None:
    with pytest.raises(accord.AccordError, match=r"Did you mean '\.csv'"):
        Study.from_pairs(["a"], ["a"]).write(tmp_path / "long.cvs")


def test_no_half_file_is_left(tmp_path: Path) -> None:
    study = Study.from_pairs(["a"], ["a"])
    with pytest.raises(accord.AccordError, match="cannot be written"):
        study.write(tmp_path / "no" / "such" / "folder.csv")
    study.write(tmp_path / "long.csv")
    assert [path.name for path in tmp_path.iterdir()] == ["long.csv"]
