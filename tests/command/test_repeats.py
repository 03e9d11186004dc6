"""Answers that somebody gave again: agreement with oneself stands beside agreement between annotators."""

from __future__ import annotations

from pathlib import Path

import pytest

import accord
from accord.reporting.context import Context
from accord.reporting.sections import coefficients, measured
from tests.command.running import run
from tests.command.test_command import as_json

ROWS = "item,annotator,label\n" + "".join(
    f"{item},{who},{label}\n"
    for item in range(20)
    for who, label in (("ana", "xy"[item % 2]), ("ben", "yx"[item % 2]))
    for _ in range(2)
)


@pytest.fixture
def table(tmp_path: Path) -> Path:
    path = tmp_path / "twice.csv"
    path.write_text(ROWS, encoding="utf-8")
    return path


def test_measure_prints_agreement_with_oneself_beside_that_with_others(table: Path) -> None:
    said = run("measure", table.name, "--duplicates", "repeat", "-q", folder=table.parent)
    assert said.code == 0
    assert "Cohen's kappa" in said.out
    assert "-1.000" in said.out
    lines = " ".join(said.out.split())
    assert "40 of 80 answers were given again by the same annotator: only answers of different people" in lines
    assert "Agreement with oneself: Krippendorff's alpha 1.000" in lines
    assert "100% of repeated answers are the same" in lines
    assert "(20 items answered more than once by 2 annotators)" in lines


def test_json_has_it_with_a_row_for_each_annotator(table: Path) -> None:
    said = run("measure", table.name, "--duplicates", "repeat", "--json", folder=table.parent)
    oneself = as_json(said)["with_oneself"]
    assert (oneself["items"], oneself["annotators"], oneself["repeats"]) == (20, 2, 40)
    assert oneself["agreement"]["value"] == 1
    assert [row["annotator"] for row in oneself["by_annotator"]["rows"]] == ["ana", "ben"]


def test_one_measure_by_name_has_it_beside_it_too(table: Path) -> None:
    said = run("measure", table.name, "--duplicates", "repeat", "--measure", "fleiss_kappa", folder=table.parent)
    assert "Agreement with oneself" in said.out


def test_names_are_hidden_there_as_well(table: Path) -> None:
    said = run("measure", table.name, "--duplicates", "repeat", "--json", "--anonymise", folder=table.parent)
    assert said.code == 0
    assert not any(name in said.out for name in ('"ana"', '"ben"'))


def test_the_report_has_it_and_counts_gaps_by_people(table: Path) -> None:
    context = Context(accord.read(table, duplicates="repeat"))
    section = coefficients.build(context)
    assert "Agreement with oneself by annotator" in section.markdown
    assert "100% of repeated answers are the same" in section.html
    assert "0 of 40 pairs of an item and an annotator" in measured.build(context).markdown
    without = coefficients.build(Context(accord.read(table, duplicates="first")))
    assert "oneself" not in without.html
