"""What `accord measure` takes: coefficients, intervals, scales, tables; and how it says why it fails."""

from __future__ import annotations

import csv
import io
import json
import random
from pathlib import Path
from typing import Any

import jsonschema
import pytest

import accord
from tests.command.running import TINY, in_terminal, in_terminal_here, piped, run
from tests.command.test_command import SCHEMA

ROOT = Path(__file__).parents[2]
FIVE = str(ROOT / "examples" / "five-annotators.csv")


def rows(text: str) -> list[dict[str, str]]:
    """A CSV table that was printed."""
    return list(csv.DictReader(io.StringIO(text)))


def as_json(*arguments: str) -> Any:
    """What was printed as JSON, valid against the schema."""
    told = json.loads(run(*arguments).out)
    jsonschema.Draft202012Validator(SCHEMA).validate(told)
    return told


# -- which coefficient -------------------------------------------------------------------------------------------------


def test_a_coefficient_is_chosen_by_name() -> None:
    table = rows(run("measure", FIVE, "--measure", "gwet-ac,fleiss_kappa", "--format", "csv").out)
    assert len(table) == 2
    assert [float(row["value"]) for row in table] == [
        accord.gwet_ac(accord.read(FIVE)).value,
        accord.fleiss_kappa(accord.read(FIVE)).value,
    ]


SPANS = str(ROOT / "examples" / "marked-names.csv")


@pytest.mark.parametrize(
    ("measure", "typed", "keywords"),
    [
        ("span_f1", ["--match", "iou", "--threshold", "0.3"], {"match": "iou", "threshold": 0.3}),
        ("span_f1", ["--average", "macro", "--empty", "agree"], {"average": "macro", "empty": "agree"}),
        ("span_f1", ["--reference", "ana", "--no-label-must-match"], {"reference": "ana", "label_must_match": False}),
        ("krippendorff_alpha", ["--unit", "token", "--outside", "missing"], {"unit": "token", "outside": "missing"}),
        ("unitizing_alpha", ["--form", "coded", "--self-pairs", "kept"], {"form": "coded", "self_pairs": "kept"}),
        ("gamma_k", ["--of-label", "PER", "--variant", "pygamma"], {"of_label": "PER", "variant": "pygamma"}),
        ("gamma", ["--alpha", "3", "--precision", "0.1", "--seed", "4"], {"alpha": 3, "precision": 0.1, "rng": 4}),
    ],
)
def test_measures_of_spans_take_their_own_options(measure: str, typed: list[str], keywords: dict[str, Any]) -> None:
    table = rows(run("measure", SPANS, "--measure", measure, *typed, "--format", "csv").out)
    assert [float(row["value"]) for row in table] == [getattr(accord, measure)(accord.read(SPANS), **keywords).value]


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        (["--match", "overlap"], "--match is an option of a measure by its name. Say which: --measure span_f1."),
        (
            ["--form", "coded"],
            "--form is an option of a measure by its name. Say which: --measure icc or unitizing_alpha.",
        ),
        (["--measure", "span_f1", "--unit", "token"], "Span F1 does not take --unit; Cohen's kappa"),
        (["--measure", "unitizing_alpha", "--form", "best"], "--form must be one of 'unitizing', 'binary', 'coded'"),
        (["--measure", "span_f1", "--threshold", "0.7"], "--threshold must be left out where"),
    ],
)
def test_options_of_measures_that_serve_nothing_are_errors(typed: list[str], said: str) -> None:
    found = run("measure", SPANS, *typed)
    assert found.code == 2
    assert said in found.err


def test_intervals_of_groups_hold_together_where_that_is_asked() -> None:
    plain, together = (
        rows(run("measure", FIVE, "--by", "topic", *more, "--format", "csv").out) for more in ([], ["--simultaneous"])
    )
    for alone, wide in zip(plain, together, strict=True):
        assert alone["value"] == wide["value"]
        assert float(wide["low"]) < float(alone["low"])
    told = as_json("measure", FIVE, "--by", "topic", "--simultaneous", "--json")
    assert "Simultaneous intervals" in told["table"]["notes"][0]
    said = run("measure", FIVE, "--simultaneous")
    assert said.code == 2
    assert "--by" in said.err


def test_what_was_asked_for_is_not_recommended() -> None:
    said = run("measure", FIVE, "--measure", "gwet_ac")
    assert "Recommended" not in said.out
    assert as_json("measure", FIVE, "--measure", "gwet_ac", "--json")["recommended"] == "gwet_ac"


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["--measure", "fleis_kappa"], "Did you mean 'fleiss_kappa'?"),
        (["--measure", "cohen_kappa"], "Cohen's kappa is for two annotators; the study has 5"),
        (["--interval", "bootstrp"], "--interval must be one of"),
        (["--resample", "people"], "--resample must be one of"),
        (["--benchmark", "landis"], "Did you mean 'landis-koch'?"),
        (["--seed", "-1"], "--seed must be a whole number"),
    ],
)
def test_a_wrong_choice_is_one_line_with_the_way_out(arguments: list[str], told: str) -> None:
    said = run("measure", FIVE, *arguments)
    assert said.code == 2
    assert said.err.count("\n") == 1
    assert told in said.err


# -- intervals and scales ----------------------------------------------------------------------------------------------


def test_the_interval_is_the_one_that_was_asked_for() -> None:
    arguments = ["--measure", "krippendorff_alpha", "--interval", "bootstrap", "--seed", "7", "--confidence", "0.9"]
    result = accord.krippendorff_alpha(accord.read(FIVE))
    span = result.interval(method="bootstrap", rng=7, confidence=0.9)
    (row,) = rows(run("measure", FIVE, *arguments, "--format", "csv").out)
    assert (float(row["low"]), float(row["high"])) == (span.low, span.high)
    said = run("measure", FIVE, *arguments)
    assert "Intervals by bootstrap, over items, 1,000 resamples, seed 7." in said.out
    assert as_json("measure", FIVE, *arguments, "--json")["results"][0]["interval"]["method"] == "bootstrap"


def test_annotators_might_have_been_others_too() -> None:
    items = rows(run("measure", FIVE, "--format", "csv").out)[0]
    both = rows(run("measure", FIVE, "--resample", "both", "--format", "csv").out)[0]
    assert float(both["high"]) - float(both["low"]) > float(items["high"]) - float(items["low"])


def test_groups_have_the_interval_that_was_asked_for() -> None:
    usual = rows(run("measure", FIVE, "--by", "topic", "--format", "csv").out)
    drawn = rows(run("measure", FIVE, "--by", "topic", "--interval", "bootstrap", "--format", "csv").out)
    assert [row["value"] for row in usual] == [row["value"] for row in drawn]
    assert [row["low"] for row in usual] != [row["low"] for row in drawn]


def test_the_scale_gives_its_word() -> None:
    assert "on the scale of Krippendorff" in run("measure", FIVE, "-q", "--benchmark", "krippendorff").out
    told = as_json("measure", FIVE, "--benchmark", "krippendorff", "--json")
    assert told["interpretation"]["benchmark"] == "krippendorff"


# -- tables ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["by_pair", "by_label", "by_annotator", "by_item"])
def test_a_table_is_printed_where_it_is_asked_for(name: str) -> None:
    option = f"--{name.replace('_', '-')}"
    result = accord.measure(accord.read(FIVE)).recommended
    expected = getattr(result, name)()
    assert expected.title in run("measure", FIVE, "-q", option).out
    table = rows(run("measure", FIVE, option, "--format", "csv").out)
    assert len(table) == len(expected)
    (told,) = as_json("measure", FIVE, option, "--json")["tables"][name]
    assert told["title"] == expected.title


def test_several_tables_of_several_coefficients_come_one_after_another() -> None:
    said = run("measure", FIVE, "--measure", "gwet_ac,fleiss_kappa", "--by-pair", "--by-label", "--format", "markdown")
    assert said.out.count("**") == 8, "four titles"


def test_tables_of_people_are_anonymous_too() -> None:
    said = run("measure", FIVE, "--by-annotator", "--by-pair", "--anonymise")
    assert "A1" in said.out
    assert "chloe" not in said.out


def test_ids_are_printed_as_they_are(tmp_path: Path) -> None:
    lines = [f"{item},{who},x{item % 2}" for item in range(18368, 18378) for who in ("ana", "ben")]
    (tmp_path / "x.csv").write_text("item,annotator,label\n" + "\n".join(lines), encoding="utf-8")
    said = run("measure", "x.csv", "-q", "--by-item", folder=tmp_path)
    assert "18368" in said.out
    assert "18,368" not in said.out


@pytest.mark.parametrize(
    "arguments",
    [
        ["measure", "five-annotators.csv"],
        ["explain", "five-annotators.csv"],
        ["judge", "judged-answers.csv"],
        ["judge", "judged-answers.csv", "--about", "alt-test"],
        ["plan", "two-annotators.csv", "--width", "0.3", "--simulations", "100"],
        ["gold", "five-annotators.csv", "--queue", "3"],
        ["compare", "two-annotators.csv", "five-annotators.csv"],
        ["doctor", "five-annotators.csv"],
    ],
    ids=" ".join,
)
def test_every_command_prints_its_tables_in_other_formats(arguments: list[str]) -> None:
    examples = ROOT / "examples"
    assert run(*arguments, "--format", "latex", folder=examples).out.count("\\begin{tabular}") >= 1
    markdown = run(*arguments, "--format", "markdown", folder=examples).out
    assert markdown.startswith("**")
    assert "|---|" in markdown
    assert run(*arguments, "--format", "pdf", folder=examples).code == 2


def test_models_that_had_to_pass_and_warnings_are_named() -> None:
    examples = ROOT / "examples"
    said = run("judge", "judged-answers.csv", "-q", "--fail-unless-passed", folder=examples)
    assert (said.code, said.err) == (1, "accord: flatterer, hasty do not pass.\n")
    said = run("explain", "five-annotators.csv", "-q", "--target", "0.9", "--fail-on-warning", folder=examples)
    assert said.code == 1
    assert "low-agreement" in said.err


# -- limits ------------------------------------------------------------------------------------------------------------


def test_a_limit_that_is_missed_is_told() -> None:
    said = run("measure", TINY, "-q", "--fail-below", "0.67")
    assert (said.code, said.err) == (1, "accord: Cohen's kappa is 0.333, below the limit of 0.67.\n")
    told = json.loads(run("measure", TINY, "--fail-below", "0.67", "--json").out)
    assert told["limits"]["below"] == ["Cohen's kappa is 0.333, below the limit of 0.67."]
    assert "limits" not in json.loads(run("measure", TINY, "--json").out)


def test_a_lower_end_and_a_group_below_the_limit_are_told() -> None:
    assert "The lower end of the interval of " in run("measure", TINY, "-q", "--fail-below-lower", "0.1").err
    assert (
        " of land is 0.400, below the limit of 0.45."
        in run("measure", TINY, "-q", "--by", "topic", "--fail-below", "0.45").err
    )


# -- ordinary options that were tracebacks -----------------------------------------------------------------------------


def test_a_tab_may_be_spelled(tmp_path: Path) -> None:
    (tmp_path / "x.txt").write_text("item\tannotator\tlabel\n1\tana\tx\n1\tben\ty\n", encoding="utf-8")
    for spelled in (r"\t", "tab", "\t"):
        assert "Study of 1 item by 2 annotators" in run("measure", "x.txt", "--delimiter", spelled, folder=tmp_path).out


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["--delimiter", "ab"], "--delimiter must be one character"),
        (["--separator", ""], "--separator must be what stands between"),
        (["--encoding", "undefined"], "There is no encoding 'undefined'"),
        (["--encoding", "nonsense"], "There is no encoding 'nonsense'"),
        (["--labels", "9" * 5000], "The data use 'no', 'yes'"),
    ],
)
def test_an_odd_option_is_no_traceback(arguments: list[str], told: str) -> None:
    said = run("measure", TINY, *arguments)
    assert said.code == 2
    assert said.err.count("\n") == 1
    assert told in said.err


def test_a_seed_is_of_whatever_is_drawn_and_no_error_where_nothing_is() -> None:
    assert run("measure", TINY, "--seed", "3").out == run("measure", TINY).out
    drawn = [run("measure", TINY, "--interval", "bootstrap", "--seed", seed).out for seed in ("0", "3", "3")]
    assert drawn[1] == drawn[2] != drawn[0]


@pytest.mark.parametrize("command", ["measure", "paper"])
@pytest.mark.parametrize("seed", ["0", "3"])
def test_a_seed_of_intervals_that_draw_nothing_is_an_error(command: str, seed: str) -> None:
    said = run(command, TINY, "--interval", "analytic", "--seed", seed)
    assert said.code == 2
    assert said.err == (
        f"accord: --seed {seed} is of what is drawn at random, and analytic intervals draw nothing. Leave it out, or "
        "draw: --interval bootstrap, bca or bayesian.\n"
    )


# -- streams -----------------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_a_windows_code_page_is_no_crash() -> None:
    given = {"PYTHONIOENCODING": "cp1252"}
    import os
    import subprocess

    from tests.command.running import DATA, PROGRAM

    data = str(ROOT / "examples" / "people-and-models.csv")
    done = subprocess.run(
        [*PROGRAM, "judge", data, "-q"], cwd=DATA, env={**os.environ, **given}, capture_output=True, check=False
    )
    assert done.returncode == 0
    assert r"\u03c9 = " in done.stdout.decode("cp1252")


@pytest.mark.slow
def test_data_for_other_programs_are_utf_8_everywhere(tmp_path: Path) -> None:
    (tmp_path / "x.csv").write_text(
        "item,annotator,label\n1,ana,żółć\n1,ben,żółć\n2,ana,y\n2,ben,y\n", encoding="utf-8"
    )
    said = piped("measure", "x.csv", "--by-label", "--format", "csv", folder=tmp_path, PYTHONIOENCODING="cp1252")
    assert "żółć" in said.out


def test_a_mistake_of_ours_is_not_a_verdict(monkeypatch: pytest.MonkeyPatch) -> None:
    import accord.measures.measure_all

    def broken(*_: object, **__: object) -> None:
        raise RuntimeError("broken")

    monkeypatch.setattr(accord.measures.measure_all, "measure", broken)
    said = run("measure", TINY)
    assert said.code == 70
    assert said.err.startswith("accord: This is a mistake in accord, not in your data (RuntimeError in test_measuring")
    assert said.err.endswith("Please report it with what this prints: accord --debug measure tiny.csv\n")
    assert "Traceback" not in said.err
    said = run("measure", TINY, "--anonymise", "--annotators", "ana,ben")
    assert said.code == 70
    assert said.err.endswith("accord --debug measure tiny.csv --anonymise --annotators …\n")
    said = run("--debug", "measure", TINY)
    assert said.code == 70
    assert said.err.startswith("Traceback")
    assert said.err.endswith("in your data. Please report it with the lines above.\n")


@pytest.mark.slow
def test_without_its_packages_the_command_says_what_to_install() -> None:
    import subprocess
    import sys

    code = "import sys; sys.modules['typer'] = None; from accord.cli import main; main()"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=False, text=True)
    assert done.returncode == 2
    assert done.stderr == 'accord: The command needs packages that are not installed: pip install "accord[report]"\n'


# -- terminals ---------------------------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("columns", [80, 100, 140])
@pytest.mark.parametrize(
    "arguments",
    [
        ["measure", "five-annotators.csv", "--by-pair"],
        ["measure", "five-annotators.csv", "--by", "topic"],
        ["judge", "judged-answers.csv"],
        ["judge", "judged-answers.csv", "--about", "alt-test"],
        ["plan", "two-annotators.csv", "--width", "0.3", "--simulations", "100", "--seed", "1"],
        ["gold", "five-annotators.csv", "--queue", "3", "--show-annotators"],
        ["compare", "two-annotators.csv", "five-annotators.csv"],
        ["doctor", "five-annotators.csv"],
    ],
    ids=" ".join,
)
def test_everything_fits_the_terminal(arguments: list[str], columns: int) -> None:
    from accord.cli.terminal import width

    once = arguments[0] == "plan" and columns == 80  # with numbers that come while it works; one process is enough
    shown_in = in_terminal if once else in_terminal_here
    said = shown_in(*arguments, columns=columns, folder=ROOT / "examples", NO_COLOR="1")
    shown = said.out.rsplit("\x1b[2K", 1)[-1].splitlines()
    assert len(shown) > 5
    assert [line for line in shown if width(line) > columns] == []


def test_tables_fit_whatever_they_hold() -> None:
    from accord.agreement.table import Table
    from accord.cli.terminal import drawn, width

    dice = random.Random(1)
    words = ["κappa", "良い", "a" * 30, "inter-annotator", "of", "the", "agreement", "x"]
    for _ in range(200):
        height = dice.randint(1, 5)
        data: dict[str, Any] = {}
        for place in range(dice.randint(1, 12)):
            text = [" ".join(dice.choices(words, k=dice.randint(1, 12))) for _ in range(height)]
            data[f"column_{place}"] = text if dice.random() < 0.4 else [dice.random() for _ in range(height)]
        for room in (60, 80, 140):
            lines = drawn(Table("Title", data), room).splitlines()
            assert max(map(width, lines)) <= room, "\n".join(lines)


def test_words_are_broken_between_words_only() -> None:
    from accord.cli.terminal import wrapped

    text = "The Rosenberg–Binkowski kappa of well-known inter-annotator data, said at length so that it must wrap"
    assert set(wrapped(text, 40).split()) == set(text.split())


# -- items that were chosen --------------------------------------------------------------------------------------------


def test_items_weigh_what_a_column_says(tmp_path: Path) -> None:
    chance = random.Random(4)
    lines = ["item,annotator,label,chance_inverse"]
    for item in range(30):
        truth, weight = chance.choice("xyz"), (1, 2.5, 4)[item % 3]
        for who in ("ana", "ben"):
            lines.append(f"{item},{who},{truth if chance.random() < 0.7 else chance.choice('xyz')},{weight}")
    (tmp_path / "chosen.csv").write_text("\n".join(lines))
    study = accord.read(tmp_path / "chosen.csv", item_weight="chance_inverse")
    said = run("measure", "chosen.csv", "--item-weight", "chance_inverse", folder=tmp_path).out
    assert said.count("Items are weighted by 'chance_inverse': 30 are worth") == 1
    told = json.loads(run("measure", "chosen.csv", "--item-weight", "chance_inverse", "--json", folder=tmp_path).out)
    jsonschema.Draft202012Validator(SCHEMA).validate(told)
    assert told["study"]["item_weight"] == "chance_inverse"
    assert told["results"][0]["value"] == accord.cohen_kappa(study).value
    (tmp_path / "accord.toml").write_text('[read]\nitem_weight = "chance_inverse"\n')
    told_by_file = run("measure", "chosen.csv", folder=tmp_path).out
    assert told_by_file.replace("  note: accord.toml beside the data sets [read] 'item_weight'\n", "") == said
    refused = run("measure", "chosen.csv", "--item-weight", "label", folder=tmp_path)
    assert "--item-weight label must be a column of numbers" in refused.err
