"""The `accord` command: what it prints in a pipe and in a terminal, its exit codes, its errors, its settings."""

from __future__ import annotations

import html
import json
import os
import re
import subprocess
import sys
from importlib.resources import files
from pathlib import Path
from typing import Any
from unittest import mock

import jsonschema
import pytest

from accord.cli.program import COMMANDS
from accord.workbench.server import Workbench
from tests.command.running import DATA, PROGRAM, TINY, Said, in_terminal, in_terminal_here, piped, run

GOLDEN = Path(__file__).parent / "golden"
SCHEMA = json.loads(files("accord").joinpath("schema.json").read_text(encoding="utf-8"))
COLOUR = re.compile(r"\x1b\[[0-9;]*m")


def golden(name: str, text: str) -> None:
    """Compare with the stored text; ACCORD_GOLDEN=write stores it anew, to be read before it is kept."""
    stored = GOLDEN / name
    if os.environ.get("ACCORD_GOLDEN") == "write":
        stored.write_text(text, encoding="utf-8")
    assert text == stored.read_text(encoding="utf-8")


def as_json(said: Said) -> Any:
    """What was printed as JSON, valid against the schema; numbers to six digits."""
    told = json.loads(said.out)
    jsonschema.Draft202012Validator(SCHEMA).validate(told)
    return json.loads(said.out, parse_float=lambda digits: round(float(digits), 6))


# -- in a pipe ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("measure.txt", ["measure", TINY]),
        ("measure-quiet.txt", ["measure", TINY, "--quiet"]),
        ("measure-by.txt", ["measure", TINY, "-q", "--by", "topic"]),
        ("measure.csv", ["measure", TINY, "--format", "csv"]),
        ("measure.tex", ["measure", TINY, "--format", "latex"]),
        ("measure.md", ["measure", TINY, "--format", "markdown"]),
    ],
)
def test_measure_prints(name: str, arguments: list[str]) -> None:
    said = run(*arguments)
    assert (said.code, said.err) == (0, "")
    text = re.sub(
        r"\d\.\d{4,}", lambda number: f"{float(number[0]):.6f}", said.out
    )  # the last digits are the machine's
    golden(name, text)


def test_measure_in_json() -> None:
    golden("measure.json", json.dumps(as_json(run("measure", TINY, "--json")), indent=1, ensure_ascii=False) + "\n")


def test_measure_by_groups_in_json_keeps_the_schema() -> None:
    told = as_json(run("measure", TINY, "--json", "--by", "topic", "--confidence", "0.9"))
    assert {row["topic"] for row in told["table"]["rows"]} == {"land", "sea"}


def test_report_in_json(tmp_path: Path) -> None:
    told = as_json(run("report", TINY, "-o", str(tmp_path / "r.html"), "--json"))
    assert Path(told.pop("path")) == tmp_path / "r.html"
    golden("report.json", json.dumps(told, indent=1, ensure_ascii=False) + "\n")


def test_report_says_where_it_is(tmp_path: Path) -> None:
    said = run("report", TINY, "-o", str(tmp_path / "r.html"))
    headline, where = said.out.splitlines()
    assert headline.startswith("Cohen's kappa is 0.333 (95% interval ")
    assert where == f"The report is in {tmp_path / 'r.html'}"
    assert "To repeat it:" in (tmp_path / "r.html").read_text(encoding="utf-8")
    assert "accord report tiny.csv -o" in (tmp_path / "r.html").read_text(encoding="utf-8")


def test_quiet_says_nothing_of_a_report(tmp_path: Path) -> None:
    assert run("report", TINY, "-o", str(tmp_path / "r.md"), "-q").out == ""


def test_an_anonymous_report_names_nobody_and_no_folder(tmp_path: Path) -> None:
    said = run("report", str(DATA / TINY), "-o", str(tmp_path / "r.html"), "--anonymise", "--no-text")
    page = (tmp_path / "r.html").read_text(encoding="utf-8")
    assert not re.search(r"\b(ana|ben)\b", page)
    assert "First text" not in page
    assert str(DATA) not in page
    assert str(tmp_path) not in page
    assert f"Who is who is in {tmp_path / 'r-key.json'}; keep it apart." in said.out


@pytest.mark.slow
def test_a_closed_pipe_is_no_error() -> None:
    command = f"{sys.executable} -m accord.cli measure {TINY} --json | head -c 10"
    done = subprocess.run(["sh", "-c", command], cwd=DATA, capture_output=True, check=False)
    assert (done.stdout, done.stderr) == (b'{\n "schema', b"")
    command = f"{sys.executable} -m accord.cli measure {TINY} --json | true; echo ${{PIPESTATUS[0]}}"
    done = subprocess.run(["bash", "-c", command], cwd=DATA, capture_output=True, check=False)
    assert (done.stdout, done.stderr) == (b"141\n", b""), "as of any program whose reader has gone, and not 1"


@pytest.mark.slow
@pytest.mark.parametrize("line", [("measure", TINY), ("sql", "--dialect", "sqlite", "--table", "a")], ids=" ".join)
def test_an_output_that_is_full_is_told_in_a_line(line: tuple[str, ...]) -> None:
    with Path("/dev/full").open("w") as full:
        done = subprocess.run([*PROGRAM, *line], cwd=DATA, stdout=full, stderr=subprocess.PIPE, check=False, text=True)
    assert done.returncode == 2
    assert done.stderr.startswith("accord: The output cannot be read or written: No space left on device.\n")


@pytest.mark.slow
def test_text_that_the_terminal_cannot_write_is_no_error() -> None:
    assert json.loads(piped("measure", TINY, "--json", PYTHONIOENCODING="ascii").out)["object"] == "measurements"


# -- in a terminal -----------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_a_wide_terminal_has_the_whole_table() -> None:
    said = in_terminal("measure", TINY, "-q", columns=200, NO_COLOR="1")
    assert said.code == 0
    assert "\x1b[3" not in said.out, "no colour was asked for"
    golden("terminal-200.txt", COLOUR.sub("", said.out))


@pytest.mark.slow
def test_a_narrow_terminal_has_all_of_it_in_parts() -> None:
    said = in_terminal_here("measure", TINY, "-q", columns=60, NO_COLOR="1")
    lines = COLOUR.sub("", said.out).splitlines()
    assert max(map(len, lines)) <= 60
    assert sum(line.startswith("coefficient ") for line in lines) == 2
    assert "In every row: items 6, annotators 2." in lines
    golden("terminal-60.txt", "\n".join(lines) + "\n")


@pytest.mark.slow
@pytest.mark.parametrize("columns", [60, 200])
@pytest.mark.parametrize("command", [(), ("measure",), ("report",)])
def test_help_fits_the_terminal(command: tuple[str, ...], columns: int) -> None:
    shown_in = in_terminal if command == ("measure",) and columns == 60 else in_terminal_here  # one process is enough
    said = shown_in(*command, "--help", columns=columns)
    lines = COLOUR.sub("", said.out).splitlines()
    assert said.code == 0
    assert max(map(len, lines)) <= columns
    assert any("accord report annotations.csv" in line or "accord measure annotations.csv" in line for line in lines)


@pytest.mark.slow
def test_progress_is_shown_in_a_terminal_and_gone_at_the_end(tmp_path: Path) -> None:
    said = in_terminal("report", TINY, "-o", str(tmp_path / "r.html"), columns=100)
    assert "Writing the report" in said.out
    assert "\x1b[2K" in said.out, "the line is cleared"
    quiet = in_terminal_here("report", TINY, "-o", str(tmp_path / "r.json"), "--quiet", columns=100)
    assert quiet.out == ""


# -- exit codes --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("code", "arguments"),
    [
        (0, []),
        (0, ["--fail-below", "0.3"]),
        (1, ["--fail-below", "0.67"]),
        (1, ["--fail-below-lower", "0.1"]),
        (0, ["--fail-below-lower", "-1"]),
        (1, ["--by", "topic", "--fail-below", "0.45"]),
        (2, ["--fail-below", "67"]),
        (2, ["--confidence", "95"]),
        (2, ["--format", "pdf"]),
        (2, ["--weights", "linaer"]),
        (2, ["--nonsense"]),
        (2, ["--label", "tag"]),
    ],
)
def test_exit_codes_of_measure(code: int, arguments: list[str]) -> None:
    said = run("measure", TINY, "-q", *arguments)
    assert said.code == code
    assert (said.err == "") == (code == 0)


def test_an_undefined_value_is_three(tmp_path: Path) -> None:
    (tmp_path / "one.csv").write_text("item,annotator,label\n1,ana,x\n1,ben,x\n2,ana,x\n2,ben,x\n", encoding="utf-8")
    said = run("measure", "one.csv", folder=tmp_path)
    assert said.code == 3
    assert "is undefined" in said.out
    assert run("report", "one.csv", folder=tmp_path).code == 3
    told = as_json(run("measure", "one.csv", "--json", folder=tmp_path))
    values = {result["measure"]: result["value"] for result in told["results"]}
    assert values["cohen_kappa"] is None
    assert (told["recommended"], values["percent_agreement"]) == ("percent_agreement", 1.0)


def test_a_group_without_a_value_does_not_pass_a_limit(tmp_path: Path) -> None:
    rows = [("1", "x", "x", "a"), ("2", "y", "y", "a"), ("3", "x", "x", "b"), ("4", "x", "x", "b")]
    lines = [
        f"{item},{who},{label},{group}" for item, one, other, group in rows for who, label in (("p", one), ("q", other))
    ]
    (tmp_path / "g.csv").write_text("item,annotator,label,group\n" + "\n".join(lines), encoding="utf-8")
    assert run("measure", "g.csv", "-q", "--by", "group", folder=tmp_path).code == 0
    assert run("measure", "g.csv", "-q", "--by", "group", "--fail-below", "0.5", folder=tmp_path).code == 3


# -- errors ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["measure", "nowhere.csv"], "There is no file 'nowhere.csv'"),
        (["measure", TINY, "--label", "lable"], "Did you mean --label label?"),
        (["measure", TINY, "--level", "ordnial"], "Did you mean 'ordinal'?"),
        (["measure"], "Name the annotations once: as FILE, or by the folder of --results."),
        (["compare"], "See accord compare --help."),
        (["masure", TINY], "See accord --help."),
        (["report", TINY, "-o", "report.pdf"], "--output must end in .html, .md, .tex or .json; got 'report.pdf'."),
        (["report", TINY, "--benchmark", "landis"], "Did you mean 'landis-koch'?"),
        (["report", TINY, "--anonymise", "--by", "annotator"], "names the annotators"),
        (["measure", TINY, "--weights", "linear", "--level", "ordinal"], "not both"),
    ],
)
def test_an_error_is_one_line_with_the_way_out(arguments: list[str], told: str) -> None:
    said = run(*arguments)
    assert said.code == 2
    assert said.out == ""
    assert said.err.startswith("accord: ")
    assert said.err.count("\n") == 1
    assert told in said.err


def test_the_way_out_is_in_the_words_of_the_command(tmp_path: Path) -> None:
    (tmp_path / "twice.csv").write_text("item,annotator,label\n1,ana,x\n1,ana,y\n1,ben,x\n", encoding="utf-8")
    said = run("measure", "twice.csv", folder=tmp_path)
    assert "--answers set" in said.err
    assert "--duplicates first" in said.err
    assert "duplicates='first'" not in said.err
    assert run("measure", "twice.csv", "--duplicates", "first", "-q", folder=tmp_path).code in (0, 3)


def test_a_folder_that_cannot_be_written_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    said = run("report", TINY, "-o", str(tmp_path / "file" / "r.html"))
    assert said.code == 2
    assert said.err.startswith("accord: ")
    assert said.err.count("\n") == 1


# -- settings ----------------------------------------------------------------------------------------------------------


def with_settings(folder: Path, toml: str) -> Path:
    (folder / TINY).write_text((DATA / TINY).read_text(encoding="utf-8").replace("label", "tag"), encoding="utf-8")
    (folder / "accord.toml").write_text(toml, encoding="utf-8")
    return folder


def test_settings_beside_the_data_are_kept_to(tmp_path: Path) -> None:
    toml = (
        '[read]\nlabel = "tag"\nlabels = ["no", "yes", "perhaps"]\n[measure]\nby = "topic"\n[report]\ntitle = "Ours"\n'
    )
    folder = with_settings(tmp_path, toml + "show_text = false\nanonymise = true\n")
    told = as_json(run("measure", TINY, "--json", folder=folder))
    assert [label["label"] for label in told["study"]["labels"]] == ["no", "yes", "perhaps"]
    assert told["results"][0]["groups"] is not None
    run("report", TINY, "-q", folder=folder)
    page = (folder / "report.html").read_text(encoding="utf-8")
    assert "<title>Ours</title>" in page
    assert "First text" not in page
    assert (folder / "report-key.json").is_file()


@pytest.mark.parametrize(
    ("toml", "typed", "told"),
    [
        ('[read]\nlabel = "tag"\n', (), "accord.toml beside the data sets [read] 'label'"),
        ('[read]\nlabel = "text"\nannotators = ["ana", "ben"]\n', ("--label", "tag"), "sets [read] 'annotators'"),
        ('[read]\nlabel = "tag"\n[measure]\nby = "topic"\n', (), "sets [read] 'label' and [measure] 'by'"),
        ('[read]\nlabel = "text"\n', ("--label", "tag"), None),
        ('[report]\ntitle = "Ours"\n', ("--label", "tag"), None),
    ],
)
def test_settings_that_change_what_is_measured_are_named(
    toml: str, typed: tuple[str, ...], told: str | None, tmp_path: Path
) -> None:
    folder = with_settings(tmp_path, toml)
    printed = run("measure", TINY, *typed, folder=folder).out
    notes = as_json(run("measure", TINY, *typed, "--json", folder=folder))["study"]["notes"]
    run("report", TINY, *typed, "-q", folder=folder)
    for text in (printed, " ".join(notes), html.unescape((folder / "report.html").read_text(encoding="utf-8"))):
        assert (told in text) if told else ("accord.toml" not in text)


def test_every_command_names_settings_that_change_what_it_reads(tmp_path: Path) -> None:
    folder = with_settings(tmp_path, '[read]\nlabel = "tag"\n')
    lines = {
        "measure": (), "explain": (), "gold": ("--method", "majority"), "compare": (TINY,), "plan": ("--width", "0.4"),
        "report": ("-o", "r.md"), "paper": (), "publish": ("-o", "pages"), "convert": ("-o", "c.csv"),
        "tally": ("-o", "t.tally"), "doctor": (), "judge": ("--models", "ben"), "serve": ("--no-browser",),
    }  # fmt: skip
    assert {*lines, "sql"} == set(COMMANDS), "sql reads no file"
    with mock.patch.object(Workbench, "wait", autospec=True):
        for command, more in lines.items():
            said = run(command, TINY, *more, folder=folder)
            page = (folder / "r.md").read_text(encoding="utf-8") if command == "report" else ""
            assert "accord.toml beside the data sets" in said.out + said.err + page, command


def test_what_is_typed_goes_before_the_settings(tmp_path: Path) -> None:
    folder = with_settings(tmp_path, '[read]\nlabel = "text"\n')
    assert (
        as_json(run("measure", TINY, "--json", "--label", "tag", folder=folder))["study"]["labels"][0]["label"] == "no"
    )


@pytest.mark.parametrize(
    ("toml", "told"),
    [
        ("[read\n", "This is not TOML"),
        ("[columns]\nitem = 'x'\n", "There is no part 'columns'; there are [read], [measure] and [report]."),
        ("read = 3\n", "got 3."),
        ("[read]\nlabell = 'x'\n", "Did you mean 'label'?"),
        ("[read]\nitem = 3\n", "'item' must be text or a list; got 3."),
        ("[read]\nlabels = 'a,b'\n", "'labels' must be a list"),
        ("[report]\nanonymise = 'yes'\n", "'anonymise' must be true or false; got 'yes'."),
        ("[measure]\nby = ['a']\n", "'by' must be text"),
        ("[report]\nbenchmark = '</script>'\n", "benchmark must be one of"),
    ],
)
def test_odd_settings_are_an_error(tmp_path: Path, toml: str, told: str) -> None:
    said = run("report", TINY, folder=with_settings(tmp_path, toml))
    assert said.code == 2
    assert said.err.count("\n") == 1
    assert told in said.err


# -- the rest ----------------------------------------------------------------------------------------------------------


def test_the_version() -> None:
    import accord

    assert run("--version") == Said(0, f"accord {accord.__version__}\n")


@pytest.mark.slow
@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_is_offered(shell: str) -> None:
    said = piped("--show-completion", shell, _TYPER_COMPLETE_TEST_DISABLE_SHELL_DETECTION="1")
    assert said.code == 0
    assert "_ACCORD_COMPLETE" in said.out or "_CLI" in said.out or "COMPLETE" in said.out


def test_every_option_of_reading_is_one_of_the_library() -> None:
    import dataclasses
    import inspect

    from accord import measure, read
    from accord.cli import options
    from accord.cli.settings import PARTS
    from accord.study.roles import ROLES

    own = {field.name for field in dataclasses.fields(options.SourceOptions)} - {
        "files",
        "columns",
        "results",
    }  # a folder for FILE
    offered = {"levels" if name == "level" else name for name in own} | set(ROLES)  # --level tone=ordinal
    known = set(inspect.signature(read).parameters) - {"path", "progress"}
    assert offered == known
    assert set(PARTS["read"]) == known
    assert {field.name for field in dataclasses.fields(options.MeasureOptions)} <= set(
        inspect.signature(measure).parameters
    )


def test_help_does_not_load_what_it_does_not_need() -> None:
    import subprocess
    import sys

    heavy = ("scipy", "polars", "altair", "narwhals", "jinja2")
    code = f"import sys; from accord.cli import app; print([name for name in {heavy} if name in sys.modules])"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, text=True).stdout == "[]\n"
