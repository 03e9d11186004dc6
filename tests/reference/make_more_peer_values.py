"""What crowd-kit and pingouin answer on two small studies: writes `more_peer_values.json` beside this file.

They live in an environment apart (`benchmarks/peers.py` makes it as build/more-peers)::

    build/more-peers/bin/python tests/reference/make_more_peer_values.py

The seed is fixed, so the same versions write the same bytes.
"""

# mypy: disable-error-code="import-not-found,import-untyped"

from __future__ import annotations

import json
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pingouin
from crowdkit.aggregation import DawidSkene, MajorityVote, OneCoinDawidSkene

TARGET = Path(__file__).with_name("more_peer_values.json")
SEED = 1979
LABELS = np.array(["blue", "green", "red"])


def main() -> None:
    """Ask both, and write."""
    rng = np.random.default_rng(SEED)
    found = {
        "header": {name: version(name) for name in ("crowd-kit", "pingouin", "numpy", "pandas")} | {"seed": SEED},
        "gold": gold(rng),
        "scores": scores(rng),
    }
    TARGET.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")


def gold(rng: np.random.Generator) -> dict[str, Any]:
    """Sixty items by five annotators, some better than others; without ties, whose winner is a matter of taste."""
    truth = rng.integers(len(LABELS), size=60)
    right = rng.random((60, 5)) < np.array([0.9, 0.85, 0.8, 0.6, 0.5])
    codes = np.where(right, truth[:, None], rng.integers(len(LABELS), size=(60, 5)))
    counts = np.stack([(codes == place).sum(axis=1) for place in range(len(LABELS))])
    codes = codes[(counts == counts.max(axis=0)).sum(axis=0) == 1]
    frame = pd.DataFrame({
        "task": np.repeat(np.arange(len(codes)), 5),
        "worker": np.tile([f"w{who}" for who in range(5)], len(codes)),
        "label": LABELS[codes.ravel()],
    })  # fmt: skip
    methods = {
        "majority": MajorityVote(),
        "dawid-skene": DawidSkene(n_iter=1_000, tol=1e-12),
        "one-coin": OneCoinDawidSkene(n_iter=1_000, tol=1e-12),
    }
    answers = {name: method.fit_predict(frame).sort_index().tolist() for name, method in methods.items()}
    return {"ratings": LABELS[codes].tolist(), "answers": answers}


def scores(rng: np.random.Generator) -> dict[str, Any]:
    """Thirty items by four annotators, each with a severity of their own."""
    ratings = rng.normal(50, 10, (30, 1)) + rng.normal(0, 3, 4) + rng.normal(0, 5, (30, 4))
    ratings = ratings.round(1)
    frame = pd.DataFrame({
        "item": np.repeat(np.arange(30), 4),
        "who": np.tile(np.arange(4), 30),
        "score": ratings.ravel(),
    })  # fmt: skip
    table = pingouin.intraclass_corr(frame, targets="item", raters="who", ratings="score")
    interval = next(name for name in table.columns if str(name).startswith("CI95"))
    rows = [
        {"type": row["Type"], "value": float(row["ICC"]), "interval": [float(end) for end in row[interval]]}
        for _, row in table.iterrows()
    ]
    return {"ratings": ratings.tolist(), "icc": rows}


if __name__ == "__main__":
    main()
