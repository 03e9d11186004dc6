"""Limits of ours lowered, so that small tables cross them: what comes out is the same on both sides of each."""

from __future__ import annotations

import contextlib
import importlib
import random
from pathlib import Path
from typing import Any
from unittest import mock

import polars as pl

import accord
from tests.fuzz import tables
from tests.fuzz.campaign import Campaign, Case, Differs
from tests.fuzz.forms import _delimited
from tests.fuzz.same_study import compare, measured

# Where another way is taken from here on, or less is held at a time; none of them may change a result.
LIMITS: dict[str, int] = {
    "readers.delimited.SMALL": 0,
    "readers.large_csv.FEW": 0,
    "readers.large_csv.LOOKED_AT": 2,
    "readers.large_csv.AT_ONCE": 5,
    "readers.source.HEAD": 64,
    "readers.source.LONG_HEAD": 128,
    "readers.json_files.CHUNK": 7,
    "study.tables.sheet.MANY": 1,
    "engine.frames.OWN_CELLS": 0,
    "engine.frames.FACTORISED_ROWS": 0,
    "engine.frames.DICTIONARY_ROWS": 0,
    "annotations.factorize.MANY_TEXTS": 1,
    "annotations.factorize.MANY_NUMBERS": 0,
    "annotations.packed_answers.DENSE": 0,
    "annotations.tally.DENSE_KEYS": 0,
    "annotations.tally.PAIRS_AT_ONCE": 1,
    "annotations.coded.DENSE_CODES": 0,
    "annotations.coded.MANY_ITEMS": 1,
    "annotations.arrays.BLOCK": 2,
    "annotations.arrays.MANY": 1,
    "coefficients.coefficient.PATTERNS_AT_ONCE": 1,
    "coefficients.annotator_pairs.DENSE_PAIRS": 0,
    "coefficients.label_pair_weights.CELLS_AT_ONCE": 1,
    "coefficients.label_pair_weights.FEW_SETS": 0,
    "coefficients.label_pair_weights.MOST_HELD": 0,
    "coefficients.weights.CELLS_AT_ONCE": 1,
    "coefficients.weights.MOST_TABLED": 0,
    "coefficients.set_weights.CELLS_AT_ONCE": 1,
    "coefficients.measurable.CELLS_AT_ONCE": 1,
    "coefficients.sums_over_units.JACKKNIFE_CELLS": 1,
    "coefficients.sums_over_units.INFLUENCE_CELLS": 0,
    "coefficients.item_sums.FULL_CELLS": 0,
    "agreement.inference.resampling.CELLS_AT_ONCE": 1,
}
PLAIN = {name: cells for name, cells in tables.FAMILIES.items() if name not in ("lists", "half", "mixed")}


def draw(chance: random.Random) -> Case:
    """A table, its form, and which limits are lowered."""
    table = tables.table(chance, PLAIN)
    if chance.random() < 0.3:  # rows, cells and numbers as people leave them
        place = chance.randrange(len(table["item"]))
        table[chance.choice(list(table))][place] = chance.choice(("", "  ", "0,5", "007", None))
    form = chance.choice(("csv", "csv", "semicolons", "jsonl", "parquet", "frame"))
    return {"table": table, "form": form, "limits": chance.sample(list(LIMITS), chance.choice((1, 1, 3, 10)))}


@contextlib.contextmanager
def _lowered(names: list[str]) -> Any:
    with contextlib.ExitStack() as lowered:
        for name in names:
            module, constant = name.rsplit(".", 1)
            lowered.enter_context(
                mock.patch.object(importlib.import_module(f"accord.{module}"), constant, LIMITS[name])
            )
        yield


def attempt(case: Case, folder: Path) -> str:
    """Read and measured as it is, and with limits lowered."""
    usual, told = _asked(case, folder)
    with _lowered(case["limits"]):
        lowered, told_lowered = _asked(case, folder)
    if (usual is None) != (lowered is None):
        raise Differs(f"{case['limits']}: {told[:300]} and {told_lowered[:300]}")
    if usual is None:
        return "error"
    compare(usual, lowered, str(case["limits"]))
    if dict(usual.left_out) != dict(lowered.left_out):
        raise Differs(f"{case['limits']}: left out {dict(usual.left_out)} and {dict(lowered.left_out)}")
    if told != told_lowered:
        raise Differs(f"{case['limits']}: {told[-600:]} and {told_lowered[-600:]}")
    return "study"


def _asked(case: Case, folder: Path) -> tuple[Any, str]:
    """The study and what is measured on it; without a study, why there is none."""
    table, path = case["table"], folder / f"x.{case['form']}"
    try:
        if case["form"] == "frame":
            study = accord.Study(pl.DataFrame(table, strict=False))
        elif case["form"] == "parquet":
            pl.DataFrame(table, strict=False).write_parquet(path)
            study = accord.read(path)
        elif case["form"] == "jsonl":
            pl.DataFrame(table, strict=False).write_ndjson(path)
            study = accord.read(path)
        else:
            study = accord.read(_delimited(table, folder / "x.csv", ";" if case["form"] == "semicolons" else ","))
        str(study.labels)
    except accord.AccordError as problem:
        return None, str(problem)
    return study, measured(study)


CAMPAIGN = Campaign("limits", draw, attempt)
