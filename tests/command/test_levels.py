"""`--level` and accord.toml: what settles whether labels are a scale, and what the command says until it is settled."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import numpy as np
import pytest

import accord
from tests.command.running import run
from tests.command.test_command import SCHEMA

RNG = np.random.default_rng(0)
TRUTH = RNG.integers(1, 6, 40)
LIKERT = np.clip(TRUTH[:, None] + RNG.integers(-1, 2, (40, 3)), 1, 5)
WORDS = ["never", "rarely", "sometimes", "often", "always"]
ASKED = (
    "The labels are numbers (1 to 5). If they are a scale, Krippendorff's alpha (ordinal) is 0.74: say --level "
    "ordinal. If they are names, Fleiss' kappa is 0.23: say --level nominal."
)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Ratings as numbers, as words, and beside topics as one of two variables."""
    cells = [(item, f"r{who}", int(LIKERT[item, who])) for item in range(40) for who in range(3)]
    both = [f"{item},{who},tone,{value}\n{item},{who},topic,{'abc'[item % 3]}" for item, who, value in cells]
    for name, header, lines in (
        ("likert", "item,annotator,label", [f"{item},{who},{value}" for item, who, value in cells]),
        ("words", "item,annotator,label", [f"{item},{who},{WORDS[value - 1]}" for item, who, value in cells]),
        ("both", "item,annotator,task,label", both),
    ):
        (tmp_path / f"{name}.csv").write_text("\n".join([header, *lines]) + "\n", encoding="utf-8")
    return tmp_path


@pytest.mark.parametrize("quiet", [[], ["--quiet"]], ids=["plain", "quiet"])
def test_measure_asks_in_its_own_words(folder: Path, quiet: list[str]) -> None:
    said = run("measure", "likert.csv", *quiet, folder=folder)
    assert (said.code, said.err) == (0, "")
    assert ASKED in said.out.splitlines()


def test_measure_asks_as_well_where_a_coefficient_is_named(folder: Path) -> None:
    said = run("measure", "likert.csv", "--measure", "krippendorff_alpha", folder=folder)
    assert "Krippendorff's alpha  0.233" in said.out
    assert ASKED in said.out.splitlines()


def test_measure_asks_in_json(folder: Path) -> None:
    told = json.loads(run("measure", "likert.csv", "--json", folder=folder).out)
    jsonschema.Draft202012Validator(SCHEMA).validate(told)
    assert [question["says"] for question in told["questions"]] == [ASKED]


@pytest.mark.parametrize("level", ["nominal", "ordinal", "interval"])
def test_a_level_settles_it(folder: Path, level: str) -> None:
    said = run("measure", "likert.csv", "--level", level, folder=folder)
    assert "--level" not in said.out
    title = "Fleiss' kappa" if level == "nominal" else f"Krippendorff's alpha ({level})"
    assert f"Recommended: {title}." in said.out


def test_words_need_no_list_and_the_order_taken_is_said(folder: Path) -> None:
    said = run("measure", "words.csv", "--level", "ordinal", folder=folder)
    assert "never < rarely < sometimes < often < always; --labels … says another" in said.out
    assert "Krippendorff's alpha (ordinal)  0.744" in said.out


def test_each_variable_has_its_level(folder: Path) -> None:
    asked = run("measure", "both.csv", "-q", folder=folder)
    assert "say --level tone=ordinal" in asked.out
    said = run("measure", "both.csv", "-q", "--level", "tone=ordinal", folder=folder)
    assert "--level" not in said.out
    assert "tone      single   Krippendorff's alpha (ordinal)  0.744" in said.out
    assert "topic     single   Fleiss' kappa                   1.000" in said.out


@pytest.mark.parametrize("setting", ['[measure]\nlevel = "ordinal"\n', '[read]\nlevels = "ordinal"\n'])
def test_accord_toml_says_a_level(folder: Path, setting: str) -> None:
    (folder / "accord.toml").write_text(setting, encoding="utf-8")
    assert "Recommended: Krippendorff's alpha (ordinal)." in run("measure", "likert.csv", folder=folder).out
    assert "Recommended: Fleiss' kappa." in run("measure", "likert.csv", "--level", "nominal", folder=folder).out
    assert "Krippendorff's alpha (ordinal) is 0.74" in run("explain", "likert.csv", folder=folder).out


def test_accord_toml_says_a_level_for_each_variable(folder: Path) -> None:
    (folder / "accord.toml").write_text('[measure.level]\ntone = "ordinal"\ntopic = "nominal"\n', encoding="utf-8")
    said = run("measure", "both.csv", "-q", folder=folder)
    assert "tone      single   Krippendorff's alpha (ordinal)  0.744" in said.out
    assert "--level" not in said.out


@pytest.mark.parametrize("setting", ["[measure]\nlevel = 3\n", "[measure.level]\ntone = 3\n"])
def test_a_level_of_another_type_is_refused(folder: Path, setting: str) -> None:
    (folder / "accord.toml").write_text(setting, encoding="utf-8")
    said = run("measure", "both.csv", folder=folder)
    assert said.code == 2
    assert "'level' must be text, or a table with a text for each variable; got" in said.err


def test_every_command_that_reads_data_takes_it(folder: Path) -> None:
    ordinal = ["likert.csv", "--level", "ordinal"]
    assert "Krippendorff's alpha (ordinal)" in run("explain", *ordinal, folder=folder).out
    planned = run("plan", *ordinal, "--width", "0.2", "--simulations", "100", folder=folder)
    assert "Krippendorff's alpha (ordinal)" in planned.out
    report = run("report", *ordinal, "-o", "report.md", folder=folder)
    assert "Krippendorff's alpha (ordinal) is 0.74" in report.out
    assert "--level nominal" not in (folder / "report.md").read_text(encoding="utf-8")
    run("convert", *ordinal, "-o", "kept.csv", folder=folder)
    assert accord.read(folder / "kept.csv").level == "ordinal"
    assert "--level" not in run("measure", "kept.csv", folder=folder).out


def test_the_report_says_both_until_it_is_settled(folder: Path) -> None:
    assert ASKED in run("report", "likert.csv", "-o", "report.md", folder=folder).out.splitlines()
    page = (folder / "report.md").read_text(encoding="utf-8")
    assert ASKED in page
    assert "gave 120 answers" not in page, "no sentence for a paper while it is open which value is to be reported"


def test_judge_asks_and_takes_a_level(folder: Path) -> None:
    lines = (folder / "likert.csv").read_text(encoding="utf-8").splitlines()
    more = [f"{item},gpt,{value}" for item, value in enumerate(np.clip(TRUTH + 1, 1, 5).tolist())]
    (folder / "judged.csv").write_text("\n".join([*lines, *more]) + "\n", encoding="utf-8")
    asked = run("judge", "judged.csv", "--models", "gpt", folder=folder)
    assert (
        "compared as names: the same or not. If they are a scale, say --level ordinal; if they are names, --level"
        in (asked.out)
    )
    settled = run("judge", "judged.csv", "--models", "gpt", "--level", "ordinal", folder=folder)
    assert "compared as names" not in settled.out
    assert "have linear weights" in settled.out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--level", "ordnal"], "--level must be one of 'nominal', 'ordinal'"),
        (["--level", "tone=ordinal"], "--level names 'tone', and there is no such variable: there is 'label'."),
        (["--level", "=ordinal"], "--level must be a level, or a level for each variable: tone=ordinal,length=ratio"),
        (["--level", "ordinal", "--weights", "linear"], "Give --level or --weights, not both"),
    ],
)  # fmt: skip
def test_what_is_no_level_is_refused(folder: Path, arguments: list[str], message: str) -> None:
    said = run("measure", "likert.csv", *arguments, folder=folder)
    assert (said.code, said.out) == (2, "")
    assert message in said.err


def test_order_is_an_option_and_a_setting(folder: Path) -> None:
    by_level = run("measure", "words.csv", "--labels", ",".join(WORDS), "--level", "ordinal", "--json", folder=folder)
    typed = run("measure", "words.csv", "--labels", ",".join(WORDS), "--ordered", "--json", folder=folder)
    assert typed.out == by_level.out
    (folder / "accord.toml").write_text(f"[read]\nlabels = {json.dumps(WORDS)}\nordered = true\n", encoding="utf-8")
    told = json.loads(run("measure", "words.csv", "--json", folder=folder).out)
    expected = json.loads(by_level.out)
    expected["study"]["notes"].append("accord.toml beside the data sets [read] 'labels', 'ordered'")
    assert told == expected
    names = json.loads(run("measure", "words.csv", "--level", "nominal", "--json", folder=folder).out)
    assert names["questions"] == []  # what is typed stands over what the file says
    against = run("measure", "words.csv", "--no-ordered", "--level", "ordinal", folder=folder)
    assert (against.code, "--no-ordered and --level ordinal contradict" in against.err) == (2, True)
