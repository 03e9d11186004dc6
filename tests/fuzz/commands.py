"""Random command lines, in this process: no traceback, an exit code that means something, nothing written elsewhere."""

from __future__ import annotations

import atexit
import csv
import random
import shutil
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from unittest import mock

import accord
from accord.workbench.server import Workbench
from tests.command.running import DATA, run
from tests.fuzz.campaign import Campaign, Case, Differs
from tests.fuzz.sums import results_in
from tests.readers.corruption import SAMPLES
from tests.warehouses import databases

ENDS = {0: "fine", 1: "below", 2: "error", 3: "undefined"}
PEOPLE = ("ana", "ben", "charlie")
GOOD = [
    "tiny.csv", "long.csv", "wide.csv", "ranked.csv", "sets.csv", "spans.csv", "rankings.csv", "preferences.csv",
    "scores.csv", "models.csv", "week.tally", "asked",
    "duckdb:x.duckdb?table=answers", "sqlite:x.sqlite?table=answers",
]  # fmt: skip
ODD = [
    *GOOD, "counts.csv", "missing.csv", "-", ".", "x\x1b.csv", "duckdb:x.duckdb", "duckdb:x.sqlite",
    "duckdb:", "sqlite:x.sqlite?table=x'; DROP TABLE answers; --", "sqlite:tiny.csv", "duckdb:missing.db",
    "postgres:x", "s3://a/b", "postgres://ana:secret@localhost:1/x",
    "mysql://localhost/x", "duckdb:x.duckdb?tabel=answers", "rows.sql",
]  # fmt: skip
WORDS = [
    "", "0", "-1", "1", "0.5", "1e999", "nan", "9" * 5000, "item", "annotator", "label", "ana", "ana,ben",
    "nominal", "ordinal",
    "tone=ordinal", "a=b", "csv", "json", "latex", "markdown", "\\t", ";", "utf-16", "undefined", "all",
    "draft", "bootstrap", "\ud83d",
    "majority", "dawid-skene", "mace", "auto", "=1+1", "a\nb", "out.csv", "out.html", "out.parquet",
    "no/such/out.csv", "truth.csv",
    "krippendorff_alpha", "fleiss_kappa,gwet_ac", "landis-koch", "2026-01-01", "raise", "skip", "first", "last",
    "long", "set", "é", "x'; DROP TABLE answers; --", '"a"', "answers", "asked", "tiny.csv", "key.json",
]  # fmt: skip
OUTPUTS = {
    "tally": ["out.tally"],
    "sql": ["queries", "asked"],
    "publish": ["pages", "asked"],
    "paper": ["out.md", "out.tex", "out.csv", "out.bib", "out.docx", "out.svg"],
    "report": ["out.html", "out.md", "out.tex", "out.json", "-"],
}
TABLES = ["out.csv", "out.tsv", "out.parquet", "out.jsonl", "-"]
FITTING = {
    "--queue-file": ["queue.csv"],
    "--key": ["key.json"],
    "--reference": ["truth.csv"],
    "--known": ["truth.csv"],
    "--method": ["majority", "dawid-skene", "mace", "one-coin", "auto", "expert-index"],
    "--level": ["nominal", "ordinal", "interval"],
    "--format": ["csv", "latex", "markdown", "jsonl", "md"],
    "--interval": ["analytic", "bootstrap", "jackknife", "bayesian", "gwet"],
    "--measure": ["krippendorff_alpha", "fleiss_kappa", "gwet_ac,cohen_kappa", "percent_agreement"],
    "--by": ["item", "annotator", "label", "topic", "text"],
    "--weights": ["linear", "quadratic", "identity", "masi"],
    "--confidence": ["0.9", "0.5", "0.999"],
    "--duplicates": ["first", "last", "repeat"],
    "--answers": ["single", "set", "ranked", "score"],
    "--seed": ["0", "7"],
    "--fail-below": ["0.1", "0.9"],
    "--exclude": ["ana", "ben"],
    "--item": ["item"],
    "--annotator": ["annotator"],
    "--label": ["label"],
    "--labels": ["no,yes", "a,b,c", "1,2,3"],
    "--benchmark": ["landis-koch", "krippendorff", "fleiss"],
    "--width": ["0.2"],
    "--models": ["gpt"],
    "--people": ["ana,ben"],
    "--gold": ["truth.csv", "ana"],
    "--start": ["start"],
    "--end": ["end"],
    "--rank": ["rank"],
    "--score": ["score"],
    "--target": ["0.5", "standard"],
    "--results": ["asked"],
    "--dialect": ["bigquery", "snowflake", "postgres", "sqlite"],
    "--table": ["answers", 'main."answers"'],
    "--query": ["rows.sql"],
    "--decisions": ["tiny.decisions.sqlite", "queue.csv"],
    "--smallest-cell": ["1", "5"],
    "--annotators": ["ana,ben"],
    "--shard-name": ["week"],
    "--title": ["a <b>title</b>"],
    "--where": ["topic=a", "label=x"],
}
NEEDED = {
    "sql": (("--dialect", "duckdb"), ("--table", "answers"), ("--labels", "a,b")),
    "tally": (("--output", "out.tally"),),
}
SETTINGS = [
    "[read]\nlabel = 'label'\n", "[read]\nannotators = ['ana', 'ben']\n", "[measure]\nlevel = 'ordinal'\n", "[read\n",
    "[report]\nanonymise = true\n", "[read]\nlabels = 'x'\n", "[read]\nitem = 3\n", "[more]\nx = 1\n", "read = 1\n",
    "[read]\nquery = 'SELECT * FROM answers'\n", "[read]\nwhere = {topic = ['a']}\n",
    "[read]\nencoding = 'undefined'\n",
    "[measure]\nby = 'x\\u001b]0;t\\u0007'\n", "[read]\nlevels = {tone = 'ordinal'}\n", "\ud83d", "\0",
]  # fmt: skip
SIZES = ("--resamples", "--iterations", "--restarts", "--queue", "--simulations", "--most", "--seeds")


@cache
def commands() -> dict[str, dict[str, bool]]:
    """Every command with its options, and whether each takes a value."""
    import typer

    from accord.cli.program import every_command

    group: Any = typer.main.get_command(every_command())
    return {
        name: {part.opts[0]: not part.is_flag for part in command.params if part.opts[0].startswith("--")}
        for name, command in sorted(group.commands.items())
    }


def draw(chance: random.Random) -> Case:
    """A command, a file or two, options with values that may fit, and perhaps settings beside the data."""
    command = chance.choice(list(commands()))
    files = GOOD if chance.random() < 0.85 else ODD
    number = 0 if command == "sql" or chance.random() < 0.05 else chance.choice((1, 1, 1, 2))
    line = [command, *(chance.choice(files) for _ in range(number))]
    for option, value in NEEDED.get(command, ()):
        if chance.random() < 0.85:
            line += [option, value]
    for _ in range(chance.choice((0, 0, 1, 1, 2, 3))):
        option, valued = chance.choice(list(commands()[command].items()))
        line.append(option)
        if option in SIZES:
            line.append(chance.choice(("0", "1", "3", "x", "-1")))
        elif valued != (chance.random() < 0.02):
            line.append(chance.choice(_fitting(command, option) if chance.random() < 0.7 else WORDS))
    return {"line": line, "settings": chance.choice(SETTINGS) if chance.random() < 0.1 else None}


def _fitting(command: str, option: str) -> list[str]:
    """Values that an option of a command takes."""
    return OUTPUTS.get(command, TABLES) if option == "--output" else FITTING.get(option, WORDS)


def attempt(case: Case, folder: Path) -> str:
    """Run it in a folder with some files."""
    _fill(folder)
    if case.get("settings") is not None:
        (folder / "accord.toml").write_bytes(case["settings"].encode("utf-8", "surrogatepass"))
    before = _files_in(folder)
    with mock.patch.object(Workbench, "wait", autospec=True), mock.patch("webbrowser.open"):  # it would serve for ever
        said = run(*case["line"], folder=folder)
    if said.code not in ENDS or "Traceback" in said.err:
        raise Differs(f"{case['line']} ended with {said.code}: {said.err[-300:]}")
    if said.code == 2 and not said.err.startswith(("accord: ", "Usage")) and "accord" not in said.err:
        raise Differs(f"{case['line']} says nothing: {said.err[-300:]}")
    if "\x1b]" in said.out + said.err:
        raise Differs(f"{case['line']} sends escapes to the terminal")
    if "secret" in said.out + said.err:
        raise Differs(f"{case['line']} tells a password")
    _check_files(case["line"], before, folder)
    return ENDS[said.code]


def _fill(folder: Path) -> None:
    """Tables, a tally, results of queries, and two databases."""
    shutil.copy(DATA / "tiny.csv", folder)
    for name in (
        "long.csv",
        "wide.csv",
        "ranked.csv",
        "sets.csv",
        "spans.csv",
        "counts.csv",
        "rankings.csv",
        "preferences.csv",
    ):
        shutil.copy(SAMPLES / "tables" / name, folder)
    (folder / "scores.csv").write_text(
        "item,annotator,score\n" + "".join(f"{n},{who},{(n * len(who)) % 7 / 2}\n" for n in range(6) for who in PEOPLE),
        encoding="utf-8",
    )
    (folder / "models.csv").write_text(
        "item,annotator,label,kind\n"
        + "".join(f"{n},{who},{'xy'[n % len(who) % 2]},person\n" for n in range(9) for who in PEOPLE)
        + "".join(f"{n},gpt,{'xy'[n % 2]},model\n" for n in range(9)),
        encoding="utf-8",
    )
    (folder / "truth.csv").write_text("item,label\n1,x\n", encoding="utf-8")
    (folder / "rows.sql").write_text("SELECT * FROM answers", encoding="utf-8")
    shutil.copytree(_made(), folder, dirs_exist_ok=True)


@cache
def _made() -> Path:
    """A folder with what takes a while to make; it lies there until this process ends."""
    made = TemporaryDirectory()
    atexit.register(made.cleanup)
    folder = Path(made.name)
    study = accord.read(DATA / "tiny.csv")
    study.write_tally(folder / "week.tally")
    with (DATA / "tiny.csv").open(encoding="utf-8", newline="") as stream:
        columns, *rows = csv.reader(stream)
    for database in (databases.sqlite(folder / "x.sqlite"), databases.duckdb(folder / "x.duckdb")):
        database.fill("answers", columns, list(map(tuple, rows)))
        asked = accord.queries("answers", dialect=database.dialect, labels=study.labels)
        if not (folder / "asked").exists():
            results_in(database, asked, folder / "asked")
        database.close()
    return folder


def _files_in(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def _check_files(line: list[str], before: dict[str, bytes], folder: Path) -> None:
    """What was there is as it was, unless that was asked for; no half file is left."""
    after = _files_in(folder)
    changed = [name for name, data in before.items() if after.get(name) != data]
    if changed and "--force" not in line:
        raise Differs(f"{line} changed {changed}")
    if any(name.endswith(".part") for name in after):
        raise Differs(f"{line} left a half file")


CAMPAIGN = Campaign("commands", draw, attempt)
