"""How long reading takes and how much memory it needs: Label Studio JSON as a stream, CSV against the bare scan.

Everything is made here, of a size that is given: --annotations for Label Studio (1,000,000 is about 1 GB), --rows
for CSV. Each piece of work runs in a process of its own; imports are not timed. For CSV these are timed in turn:

scan    what Polars does alone: `scan_csv(path).collect()`
read    `accord.read(path)`: the format and the roles found, every row read and checked, types settled; labels are
        not yet coded, which happens when something of the study is first asked
kappa   `accord.read(path)` and Fleiss's kappa of it: coding, the check for repeated answers and the tally too
"""

from __future__ import annotations

import argparse
import json
import os
import random
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

WORDS = ("the boat left port early and nobody on the quay had seen the lamp go out before dawn " * 2).split()
LABELS = ("travel", "news", "complaint")
ROUNDS = 5


def label_studio(path: Path, annotations: int, each: int = 4) -> None:
    """Tasks with four annotations each, about 1,000 bytes per annotation, as Label Studio writes them."""
    chance = random.Random(0)
    with path.open("w", encoding="utf-8") as stream:
        stream.write("[")
        for task in range(annotations // each):
            text = " ".join(chance.choices(WORDS, k=120))
            held = [
                {
                    "id": task * each + who,
                    "completed_by": {"id": who, "email": f"a{who}@example.org", "first_name": "", "last_name": ""},
                    "result": [
                        {
                            "id": f"r{task}{who}",
                            "type": "choices",
                            "value": {"choices": [chance.choice(LABELS)]},
                            "origin": "manual",
                            "to_name": "text",
                            "from_name": "topic",
                        }
                    ],
                    "was_cancelled": False,
                    "ground_truth": False,
                    "created_at": "2026-03-01T09:00:00.000000Z",
                    "updated_at": "2026-03-01T09:00:00.000000Z",
                    "draft_created_at": None,
                    "lead_time": 12.25,
                    "prediction": {},
                    "result_count": 1,
                    "unique_id": f"{chance.getrandbits(128):032x}",
                    "import_id": None,
                    "last_action": None,
                    "task": task,
                    "project": 7,
                    "updated_by": who,
                    "parent_prediction": None,
                    "parent_annotation": None,
                    "last_created_by": None,
                }
                for who in range(each)
            ]
            record = {
                "id": task,
                "annotations": held,
                "drafts": [],
                "predictions": [],
                "data": {"text": text},
                "meta": {},
                "project": 7,
            }
            stream.write((",\n" if task else "\n") + json.dumps(record))
        stream.write("]")


def table(path: Path, rows: int, each: int = 5) -> None:
    """A long CSV: a tenth of the labels disagree."""
    import numpy as np
    import polars as pl

    chance = np.random.default_rng(0)
    item = np.repeat(np.arange(rows // each), each)
    truth = np.repeat(chance.integers(0, 5, rows // each), each)
    label = np.where(chance.random(len(item)) < 0.1, chance.integers(0, 5, len(item)), truth)
    names = np.array(["complaint", "news", "praise", "question", "travel"])
    pl.DataFrame(
        {
            "item": item,
            "annotator": np.array([f"a{who}" for who in range(each)])[np.tile(np.arange(each), rows // each)],
            "label": names[label],
        }
    ).write_csv(path)


def child(work: str, path: Path) -> tuple[float, float]:
    """Run one piece of work in a process of its own: seconds and peak memory in GB."""
    done = subprocess.run(
        [sys.executable, __file__, "--work", work, str(path)], capture_output=True, text=True, check=False
    )
    if done.returncode:
        sys.exit(done.stderr)
    seconds, memory, said = done.stdout.strip().split("\t")
    print(f"   {work:12} {float(seconds):7.1f} s  {float(memory):5.2f} GB  {said}", flush=True)
    return float(seconds), float(memory)


def work(kind: str, path: Path) -> None:
    """In the child: read, and say what came of it."""
    import polars as pl

    import accord.readers.large_csv  # loaded beforehand: imports are not timed
    from accord.readers import format_registry

    format_registry.readers()
    began = time.perf_counter()
    if kind == "scan":
        said = str(pl.scan_csv(path).collect().shape)
    elif kind == "read":
        study = accord.read(path)
        said = "a study"
    elif kind == "kappa":
        said = str(accord.fleiss_kappa(accord.read(path)).value)
    else:
        said = repr(accord.read(path))
    seconds = time.perf_counter() - began
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (1 << 20 if sys.platform != "darwin" else 1 << 30)
    if kind == "read":
        said = repr(study)  # what came of it is looked at when time and memory have been taken
    print(f"{seconds}\t{peak}\t{said}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--annotations", type=int, default=100_000)
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--work", nargs=2, metavar=("WHAT", "FILE"))
    asked = parser.parse_args()
    if asked.work:
        work(asked.work[0], Path(asked.work[1]))
        return
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "export.json"
        label_studio(path, asked.annotations)
        print(f"Label Studio JSON, {asked.annotations:,} annotations, {path.stat().st_size / 1e9:.2f} GB")
        child("export", path)
        path.unlink()
        path = Path(folder) / "long.csv"
        table(path, asked.rows)
        print(f"CSV, {asked.rows:,} rows, {path.stat().st_size / 1e6:.0f} MB, on {os.cpu_count()} cores")
        rounds = [[child(what, path)[0] for what in ("scan", "read", "kappa")] for _ in range(ROUNDS)]
        bare, read, kappa = (sorted(times)[ROUNDS // 2] for times in zip(*rounds, strict=True))
        print(f"   accord.read takes {read / bare:.2f} times the bare scan (medians of {ROUNDS})")
        print(f"   accord.read with Fleiss's kappa takes {kappa / bare:.2f} times the bare scan")


if __name__ == "__main__":
    main()
