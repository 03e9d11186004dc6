"""Whatever may be asked of a table may be asked of a lazy one, and the answer is the same, or the same refusal."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

import numpy as np
import polars as pl
import pytest

import accord
import accord.planning
from accord.engine import lazy_annotations

pytestmark = pytest.mark.engine

MODULES = (accord, accord.findings, accord.judge, accord.planning, accord.suggestions)
NEEDED: dict[str, dict[str, Any]] = {
    "plan": {"width": 0.2}, "gold": {"method": "majority"}, "alt_test": {"model": "ana"},
    "human_likeness": {"model": "ana"}, "conditional_agreement": {"given": ["x", "y"]},
}  # fmt: skip


def table(people: int = 3) -> Any:
    """Forty items with three answers each, and whatever else a column may say."""
    rng, rows = np.random.default_rng(0), np.arange(120)
    names = ("ana", "ben", "eve", *(f"annotator {number}" for number in range(3, people)))
    truth = np.array(["x", "y", "z"])[rows // 3 % 3]
    label = np.where(rng.random(120) < 0.7, truth, rng.choice(["x", "y", "z"], 120))
    return pl.DataFrame(
        {
            "item": [f"item {row // 3:02}" for row in rows],
            "annotator": [names[(row + row // people) % people] for row in rows],
            "label": label.tolist(),
            "heuristic": truth.tolist(),
            "document": [f"document {row // 12}" for row in rows],
            "when": rows.tolist(),
            "number": [1.5 * "xyz".index(given) for given in label],
        }
    )


@cache
def frames(people: int = 3) -> dict[str, tuple[Any, dict[str, Any]]]:
    """A frame of every kind of answers, with the roles of its columns."""
    single = table(people)
    some = pl.Series(np.random.default_rng(1).random(len(single)) < 0.4)
    second = single.filter(some).with_columns(label=pl.lit("w"))
    ranks = [single.with_columns(rank=pl.lit(1)), second.with_columns(rank=pl.lit(2))]
    return {
        "single": (single, {"cluster": "document", "time": "when", "suggested": "heuristic"}),
        "plain": (single, {}),
        "sets": (pl.concat([single, second]), {"answers": "set"}),
        "ranked": (pl.concat(ranks), {"rank": "rank"}),
        "scores": (single, {"answers": "score", "score": "number"}),
    }


def functions() -> Iterator[tuple[str, Callable[..., Any]]]:
    """Every public function that a study alone, or with what is needed above, is enough for."""
    for module in MODULES:
        for name in module.__all__:
            function = getattr(module, name)
            if not inspect.isfunction(function) or name in ("read", "anonymise", "report", "serve", "publish"):
                continue
            given = {"data", "study", "pilot", *NEEDED.get(name, {})}
            parameters = inspect.signature(function).parameters.values()
            needed = [each for each in parameters if each.default is each.empty and each.kind is not each.VAR_KEYWORD]
            if needed and {each.name for each in needed} <= given:
                yield f"{module.__name__}.{name}", function


ASKED = dict(functions())


def said(function: Callable[..., Any], frame: Any, roles: dict[str, Any]) -> str:
    """The answer in words, or the refusal."""
    options = dict(NEEDED.get(function.__name__, {}))
    if "rng" in inspect.signature(function).parameters:
        options["rng"] = 0
    try:
        return str(function(accord.Study(frame, **roles), **options))
    except accord.AccordError as refusal:
        return f"refused: {refusal}"


def test_there_are_functions_to_ask() -> None:
    assert len(ASKED) > 50
    assert {"accord.measure", "accord.gold", "accord.explain", "accord.bhowmick_am"} <= set(ASKED)


@pytest.mark.parametrize("name", ASKED)
def test_a_lazy_frame_is_told_the_same(name: str) -> None:
    for frame, roles in frames().values():
        assert said(ASKED[name], frame.lazy(), roles) == said(ASKED[name], frame, roles)


@pytest.mark.parametrize("name", ASKED)
def test_a_crowd_that_stays_in_its_engine_is_answered_or_refused(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lazy_annotations, "MOST_ROWS", 10)
    for frame, roles in frames(36).values():
        assert said(ASKED[name], frame.lazy(), roles)
