"""Peers and accord on the same work: who is right, how quick, with how much memory? Writes benchmarks/race.json.

    python -m benchmarks.race [--quick]

Right or wrong is told by published tables (tests/tables) and by data of which no coefficient can be computed. Times are
of the processor, so that a busy machine troubles nobody, the least of several runs in turns. docs/race.md is made of
the file by `python docs/make_reference.py`.
"""

from __future__ import annotations

import argparse
import datetime as dt
import json
import os
import platform
import subprocess
import sys
import tempfile
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np

import accord
from benchmarks import peers
from benchmarks._asking import Run, ask, stored
from benchmarks._data import labelled, marked, scored

HERE = Path(__file__).parent
TABLES = HERE.parent / "tests" / "tables"
RESULT = HERE / "race.json"
WORKER = HERE / "_race_worker.py"
ASKED_OF_TABLES = ("accord", "scikit-learn", "krippendorff", "irrCAC", "statsmodels", "nltk")
# Data of which the coefficient cannot be computed: right is whoever gives no number.
UNDEFINED: list[dict[str, Any]] = [
    {"name": "one label only", "data_kind": "ratings", "data": [["a", "a", "a"]] * 6},
    {"name": "two annotators, one label", "data_kind": "ratings", "data": [["a", "a"]] * 6},
    {
        "name": "no item with two answers",
        "data_kind": "ratings",
        "data": [["a", None, None], [None, "b", None], [None, None, "a"], ["b", None, None]],
    },
]
OF_UNDEFINED = ("cohen_kappa", "fleiss_kappa", "krippendorff_alpha", "conger_kappa")
# What is asked, on which data, and of whom: a task of _worker.py each.
WORK: list[tuple[str, str, dict[str, str]]] = [
    (
        "Cohen's kappa, 100,000 items",
        "labels",
        {
            "accord": "accord_pair:",
            "scikit-learn": "sklearn_pair:",
            "statsmodels": "statsmodels_pair:",
        },
    ),
    (
        "Fleiss' kappa, 100,000 items × 5",
        "labels",
        {
            "accord": "accord_values:fleiss_kappa",
            "statsmodels": "statsmodels_fleiss:",
            "irrCAC": "irrcac_value:fleiss_kappa",
            "nltk": "nltk_value:fleiss_kappa",
        },
    ),
    (
        "Krippendorff's alpha, 100,000 items × 5",
        "labels",
        {
            "accord": "accord_values:krippendorff_alpha",
            "krippendorff": "krippendorff_level:nominal",
            "irrCAC": "irrcac_value:krippendorff_alpha",
            "nltk": "nltk_value:krippendorff_alpha",
        },
    ),
    (
        "Interval alpha of 200 items × 2, all numbers different",
        "numbers",
        {"accord": "accord_level:interval", "krippendorff": "krippendorff_level:interval"},
    ),
    ("Dawid–Skene, 5,000 items × 5", "crowd", {"accord": "accord_gold:", "crowd-kit": "crowdkit_gold:"}),
    (
        "Gamma of 3 × 15 spans, chance to 2 %",
        "spans",
        {"accord": "accord_gamma:", "pygamma-agreement": "pygamma_gamma:"},
    ),
    ("ICC(A,1), 500 items × 5", "scores", {"accord": "accord_icc:", "pingouin": "pingouin_icc:"}),
]
TURNS = 3


def main() -> None:
    """Ask, and write the file."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--quick", action="store_true", help="one turn instead of three")
    given = arguments.parse_args()
    found = {
        "date": dt.datetime.now(tz=dt.UTC).date().isoformat(),
        "machine": {"cores": os.cpu_count(), "system": platform.system(), "python": platform.python_version()},
        "versions": versions(),
        "published": published(),
        "speed": speed(1 if given.quick else TURNS),
    }
    RESULT.write_text(a_line_each(found), encoding="utf-8")
    print(f"written: {RESULT.name}; now python docs/make_reference.py")


def a_line_each(found: dict[str, Any]) -> str:
    """JSON with a line for each figure and each question, so that two runs can be told apart line by line."""
    parts = []
    for name, value in found.items():
        rows = [json.dumps(one, ensure_ascii=False) for one in value] if isinstance(value, list) else []
        told = "[\n  " + ",\n  ".join(rows) + "\n ]" if rows else json.dumps(value, ensure_ascii=False)
        parts.append(f" {json.dumps(name)}: {told}")
    return "{\n" + ",\n".join(parts) + "\n}\n"


def versions() -> dict[str, dict[str, str]]:
    """What is in each environment, accord's first."""
    own = {name: version(name) for name in ("numpy", "scipy", "narwhals")}
    return {"accord": {"accord": accord.__version__, **own}, **{home: peers.versions(home) for home in peers.HOMES}}


# -- right or wrong ----------------------------------------------------------------------------------------------------


def published() -> list[dict[str, Any]]:
    """Each figure, and what each package said of it."""
    tables = [*figures(), *undefined()]
    with tempfile.TemporaryDirectory(prefix="accord-race-") as folder:
        path = Path(folder) / "tables.json"
        path.write_text(json.dumps(tables), encoding="utf-8")
        said = {package: _said(package, path) for package in ASKED_OF_TABLES}
    asked = [(table, case) for table in tables for case in table["cases"]]
    return [
        {
            "table": table["name"],
            "measure": case["measure"],
            "options": {name: "own" if isinstance(how, list) else how for name, how in case.get("options", {}).items()},
            "figure": case["value"],
            "tolerance": case["tolerance"],
            "answers": {package: answers[place] for package, answers in said.items()},
        }
        for place, (table, case) in enumerate(asked)
    ]


def figures() -> list[dict[str, Any]]:
    """The published tables of single labels, with the values that were printed of them."""
    found = []
    for path in sorted(TABLES.glob("*.json")):
        table = json.loads(path.read_text(encoding="utf-8"))
        cases = [_case(case) for case in table["cases"] if "value" in case and "label" not in case]
        if table["data_kind"] != "sets" and cases:
            found.append({**table, "name": path.stem, "cases": cases})
    return found


def _case(case: dict[str, Any]) -> dict[str, Any]:
    slack = case["tolerance"]
    return {**case, "tolerance": slack["value"] if isinstance(slack, dict) else slack}


def undefined() -> list[dict[str, Any]]:
    """Data of which there is no coefficient, for each that fits the number of annotators."""
    found = []
    for table in UNDEFINED:
        two = len(table["data"][0]) == 2
        names = [name for name in OF_UNDEFINED if two or name != "cohen_kappa"]
        found.append({**table, "cases": [{"measure": name, "value": None, "tolerance": 0} for name in names]})
    return found


def _said(package: str, tables: Path) -> list[dict[str, Any]]:
    program = sys.executable if package == "accord" else str(peers.python())
    done = subprocess.run(
        [program, "-P", str(WORKER), package, str(tables)], capture_output=True, text=True, check=True
    )
    answers: list[dict[str, Any]] = json.loads(done.stdout.splitlines()[-1])
    return answers


# -- speed -------------------------------------------------------------------------------------------------------------


def speed(turns: int) -> list[dict[str, Any]]:
    """Seconds of the processor and memory of each package, the least of several runs in turns."""
    rng = np.random.default_rng(22)
    data = {
        "labels": labelled(rng, 100_000, 5, 5),
        "numbers": scored(rng, 200, 2),
        "crowd": labelled(rng, 5_000, 5, 4),
        "scores": scored(rng, 500, 5),
        "spans": marked(rng, 15, 3, 3),
    }
    found = []
    with stored(**data) as paths:
        for question, kind, tasks in WORK:
            runs: dict[str, list[Run]] = {package: [] for package in tasks}
            for _ in range(turns):
                for package, task in tasks.items():
                    runs[package].append(ask(task, paths[kind]))
            best = {package: min(several, key=lambda run: run.processor) for package, several in runs.items()}
            found.append({"question": question, "packages": {name: _told(run) for name, run in best.items()}})
            print(question, {name: f"{run.processor:.3g} s" for name, run in best.items()})
    return found


def _told(run: Run) -> dict[str, Any]:
    return {"seconds": run.processor, "peak_mb": round(run.peak_mb), "values": run.values}


if __name__ == "__main__":
    main()
