"""Random command lines, in this process: no traceback, an exit code that means something, nothing written elsewhere."""

from __future__ import annotations

import random
import shutil
from functools import cache
from pathlib import Path
from typing import Any
from unittest import mock

from accord.workbench.server import Workbench
from tests.command.running import DATA, run
from tests.fuzz.campaign import Campaign, Case, Differs
from tests.readers.corruption import SAMPLES

ENDS = {0: "fine", 1: "below", 2: "error", 3: "undefined"}
FILES = [
    "tiny.csv",
    "long.csv",
    "wide.csv",
    "ranked.csv",
    "sets.csv",
    "spans.csv",
    "counts.csv",
    "missing.csv",
    "-",
    ".",
    "x\x1b.csv",
]
WORDS = [
    "", "0", "-1", "1", "0.5", "1e999", "nan", "9" * 5000, "item", "annotator", "label", "ana", "ana,ben",
    "nominal", "ordinal",
    "tone=ordinal", "a=b", "csv", "json", "latex", "markdown", "\\t", ";", "utf-16", "undefined", "all",
    "draft", "bootstrap", "\ud83d",
    "majority", "dawid-skene", "mace", "auto", "=1+1", "a\nb", "out.csv", "out.html", "out.parquet",
    "no/such/out.csv", "truth.csv",
    "krippendorff_alpha", "fleiss_kappa,gwet_ac", "landis-koch", "2026-01-01", "raise", "skip", "first", "last",
    "long", "set", "é",
]  # fmt: skip
GOOD = ["tiny.csv", "long.csv", "wide.csv", "ranked.csv", "sets.csv"]
FITTING = {
    "--output": ["out.csv", "out.html", "out.md", "out.parquet", "out.jsonl", "-", "out.json", "out.tex"],
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
    "--benchmark": ["landis-koch", "krippendorff", "fleiss"],
    "--width": ["0.2"],
    "--target": ["0.5", "standard"],
}
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
    """A command, a file or two, and options with values that may fit."""
    command = chance.choice(list(commands()))
    files = GOOD if chance.random() < 0.85 else FILES
    line = [command, *(chance.choice(files) for _ in range(chance.choice((1, 1, 1, 2))))]
    for _ in range(chance.choice((0, 0, 1, 1, 2, 3))):
        option, valued = chance.choice(list(commands()[command].items()))
        line.append(option)
        if option in SIZES:
            line.append(chance.choice(("0", "1", "3", "x", "-1")))
        elif valued != (chance.random() < 0.02):
            line.append(chance.choice(FITTING.get(option, WORDS) if chance.random() < 0.7 else WORDS))
    return {"line": line}


def attempt(case: Case, folder: Path) -> str:
    """Run it in a folder with some files."""
    shutil.copy(DATA / "tiny.csv", folder)
    for name in ("long.csv", "wide.csv", "ranked.csv", "sets.csv", "spans.csv", "counts.csv"):
        shutil.copy(SAMPLES / "tables" / name, folder)
    (folder / "truth.csv").write_text("item,label\n1,x\n", encoding="utf-8")
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    with mock.patch.object(Workbench, "wait", autospec=True), mock.patch("webbrowser.open"):  # it would serve for ever
        said = run(*case["line"], folder=folder)
    if said.code not in ENDS or "Traceback" in said.err:
        raise Differs(f"{case['line']} ended with {said.code}: {said.err[-300:]}")
    if said.code == 2 and not said.err.startswith(("accord: ", "Usage")) and "accord" not in said.err:
        raise Differs(f"{case['line']} says nothing: {said.err[-300:]}")
    if "\x1b]" in said.out + said.err:
        raise Differs(f"{case['line']} sends escapes to the terminal")
    _check_files(case["line"], before, folder)
    return ENDS[said.code]


def _check_files(line: list[str], before: dict[str, bytes], folder: Path) -> None:
    """What was there is as it was, unless that was asked for; no half file is left."""
    after = {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}
    changed = [name for name, data in before.items() if after.get(name) != data]
    if changed and "--force" not in line:
        raise Differs(f"{line} changed {changed}")
    if any(name.endswith(".part") for name in after):
        raise Differs(f"{line} left a half file")


CAMPAIGN = Campaign("commands", draw, attempt)
