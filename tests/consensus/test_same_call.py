"""The same call gives the same result: one seed for whoever names none, and it is told."""

from __future__ import annotations

import csv
import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import accord
from accord import Study
from accord.options import SEED
from tests.consensus.simulated import simulate

EXAMPLES = Path(__file__).parents[2] / "examples"


@pytest.mark.parametrize("name", ["two-annotators.csv", "five-annotators.csv", "judged-answers.csv"])
def test_five_calls_give_one_gold_standard(name: str) -> None:
    study = accord.read(EXAMPLES / name)
    golds = [json.dumps(accord.gold(study).to_dict()) for _ in range(5)]
    assert len(set(golds)) == 1


def test_two_processes_give_one_gold_standard(tmp_path: Path) -> None:
    code = (
        "import sys, accord; gold = accord.gold(accord.read(sys.argv[1])); gold.write(sys.argv[2]); print(repr(gold))"
    )
    source = str(EXAMPLES / "two-annotators.csv")
    said = []
    for place in range(2):
        paths = os.pathsep.join(filter(None, sys.path))
        command = [sys.executable, "-c", code, source, str(tmp_path / f"{place}.csv")]
        settings = os.environ | {"PYTHONPATH": paths, "PYTHONHASHSEED": str(place)}
        said.append(subprocess.run(command, check=True, capture_output=True, text=True, env=settings).stdout)
    assert said[0] == said[1]
    assert (tmp_path / "0.csv").read_bytes() == (tmp_path / "1.csv").read_bytes()


def test_the_seed_is_printed_kept_and_written(tmp_path: Path) -> None:
    gold = accord.gold(simulate(items=60).study)
    assert gold.seed == SEED
    assert f"Random seed {SEED}." in repr(gold)
    assert gold.to_dict()["seed"] == SEED
    with gold.write(tmp_path / "gold.csv").open(encoding="utf-8", newline="") as file:
        assert {row["seed"] for row in csv.DictReader(file)} == {str(SEED)}
    assert accord.gold(simulate(items=60).study, rng=7).seed == 7


def test_what_draws_nothing_has_no_seed() -> None:
    gold = accord.gold(simulate(items=60).study, method="majority", rng=7)
    assert gold.seed is None
    assert "seed" not in repr(gold)
    assert "seed" not in gold.to_table().columns


def test_ties_broken_at_random_are_broken_alike() -> None:
    table = {"item": np.repeat(np.arange(40), 2), "annotator": list("ab") * 40, "label": list("xy") * 40}
    first, second = (accord.gold(table, method="majority", ties="random").labels for _ in range(2))
    assert first == second
    assert len(set(first)) == 2, "it is drawn, and not the first label"
    assert accord.gold(table, method="majority", ties="random", rng=1).labels != first


def test_a_generator_goes_on_where_it_stands() -> None:
    study, rng = simulate(items=60).study, np.random.default_rng(3)
    one, two = (accord.gold(study, rng=rng).choice for _ in range(2))
    assert one is not None
    assert two is not None
    assert one.to_dict() != two.to_dict()


STUDY = Study.from_wide(np.random.default_rng(0).integers(0, 3, (40, 4)))
DRAWN: dict[str, Callable[[], Any]] = {
    "bootstrap": lambda: accord.fleiss_kappa(STUDY).interval(method="bootstrap", n_resamples=200).to_dict(),
    "permutation": lambda: accord.fleiss_kappa(STUDY).test(method="permutation", n_resamples=99).p,
    "compare": lambda: str(accord.compare(accord.fleiss_kappa(STUDY), accord.gwet_ac(STUDY), method="bootstrap")),
    "plan": lambda: accord.plan(STUDY, width=0.4, n_simulations=100).to_dict(),
    "sample": lambda: str(accord.sample_for_annotation({i: "xy"[i % 2] for i in range(99)}, 10).items),
}


@pytest.mark.parametrize("name", DRAWN)
def test_whatever_draws_gives_the_same_again(name: str) -> None:
    assert DRAWN[name]() == DRAWN[name]()
