"""Numbers in tables of text: however they are written, and however large the file is."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import accord
from accord.errors import OptionError
from accord.readers import delimited

RNG = np.random.default_rng(0)
SCORES = [
    (item, f"r{who}", round(item % 50 / 10 + float(RNG.normal(0, 0.1)), 1)) for item in range(60) for who in range(3)
]


@pytest.fixture(params=["row by row", "through Polars"])
def way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Small files are read row by row, large ones through Polars; both must type a column alike."""
    if request.param == "through Polars":
        monkeypatch.setattr(delimited, "SMALL", 10)
    return str(request.param)


def put(folder: Path, *lines: str, name: str = "table.csv") -> Path:
    path = folder / name
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def long(labels: list[str], header: str = "item,annotator,label") -> list[str]:
    return [header, *(f"{place // 2},{'ab'[place % 2]},{label}" for place, label in enumerate(labels))]


@pytest.mark.parametrize("odd", ["-0", "+3", "1e3", " 7 ", "2.50", ".5"])
@pytest.mark.usefixtures("way")
def test_one_number_that_is_written_otherwise_does_not_make_the_others_text(odd: str, tmp_path: Path) -> None:
    study = accord.read(put(tmp_path, *long([str(place % 10) for place in range(199)] + [odd])))
    assert study.answers.numeric
    assert float(odd) in study.labels
    assert np.isfinite(accord.krippendorff_alpha(study, level="interval").value)


@pytest.mark.parametrize("codes", [["007", "008", "9"], ["1.1", "1.10", "2.5"], ["1", "2", "3x"], ["1", "2", "nan"]])
@pytest.mark.usefixtures("way")
def test_codes_stay_text(codes: list[str], tmp_path: Path) -> None:
    study = accord.read(put(tmp_path, *long(codes * 2)))
    assert study.labels == tuple(sorted(codes))


@pytest.mark.usefixtures("way")
def test_ids_stay_as_they_are_written(tmp_path: Path) -> None:
    study = accord.read(put(tmp_path, "item,annotator,label", "1e3,a,x", "1e3,b,y", "1000,a,x", "1000,b,x"))
    assert list(study.items) == ["1000", "1e3"]


def test_declared_labels_keep_their_type(tmp_path: Path) -> None:
    path = put(tmp_path, *long(["+1", "-1", "0", "+1"]))
    assert accord.read(path).labels == (-1, 0, 1)
    assert accord.read(path, labels=["-1", "0", "+1"]).labels == ("-1", "0", "+1")


@pytest.mark.usefixtures("way")
def test_columns_of_a_wide_table_are_numbers_alike(tmp_path: Path) -> None:
    study = accord.read(put(tmp_path, "item,ana,ben", "1,1,2", "2,-0,0", "3,2,2", "4,1,1"))
    assert study.labels == (0, 1, 2)


@pytest.mark.parametrize("options", [{}, {"decimal": ","}], ids=["guessed", "said"])
@pytest.mark.usefixtures("way")
def test_decimal_commas_are_decimals_in_large_files_too(options: Any, tmp_path: Path) -> None:
    lines = [f"{item};{who};{str(score).replace('.', ',')}" for item, who, score in SCORES]
    study = accord.read(put(tmp_path, "item;annotator;score", *lines), **options)
    assert study.kind == "score"
    assert sorted(set(study.answers.scores.tolist())) == sorted({score for *_, score in SCORES})
    assert accord.krippendorff_alpha(study).value > 0.95


@pytest.mark.usefixtures("way")
def test_a_blank_cell_among_scores_is_missing(tmp_path: Path) -> None:
    lines = [f"{item},{who},{'  ' if place == 7 else score}" for place, (item, who, score) in enumerate(SCORES)]
    study = accord.read(put(tmp_path, "item,annotator,score", *lines))
    assert (study.kind, study.n_annotations) == ("score", len(SCORES) - 1)
    assert accord.krippendorff_alpha(study).value > 0.95


@pytest.mark.usefixtures("way")
def test_a_blank_cell_among_numeric_labels_is_missing(tmp_path: Path) -> None:
    study = accord.read(put(tmp_path, *long(["1", "2", "  ", "1"])))
    assert (study.labels, study.n_annotations) == ((1, 2), 3)


@pytest.mark.usefixtures("way")
def test_a_line_without_anything_before_the_header_is_passed_over(tmp_path: Path) -> None:
    study = accord.read(put(tmp_path, "", *long(["1", "2", "2", "1"])))
    assert study.n_annotations == 4


@pytest.mark.usefixtures("way")
def test_a_decimal_mark_that_is_none_is_refused(tmp_path: Path) -> None:
    with pytest.raises(OptionError, match=r"decimal must be one of '.', ','; got ';'"):
        accord.read(put(tmp_path, *long(["1", "2"])), decimal=";")


def test_many_different_decimals_of_a_large_file_are_numbers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(delimited, "SMALL", 10)
    values = [round(place * 0.37 + 0.01, 2) for place in range(11_000)]
    study = accord.read(put(tmp_path, *long([str(value) for value in values])))
    assert study.answers.numeric
    assert set(study.labels) == set(values)


def test_numbers_that_answer_one_question_are_no_text_for_words_that_answer_another(tmp_path: Path) -> None:
    lines = [
        f"{item},{who},{task},{label}"
        for item in (1, 2)
        for who in "ab"
        for task, label in (("tone", item), ("topic", "art"))
    ]
    study = accord.read(put(tmp_path, "item,annotator,task,label", *lines), levels={"tone": "interval"})
    assert (study.tasks["tone"].labels, study.tasks["topic"].labels) == ((1, 2), ("art",))
    assert accord.krippendorff_alpha(study.tasks["tone"]).value == 1
