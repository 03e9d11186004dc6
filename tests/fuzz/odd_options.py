"""Options of every public function with values of the wrong kind: each is taken, or refused in accord's own words."""

from __future__ import annotations

import inspect
import random
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

import accord
from tests.fuzz import tables
from tests.fuzz.campaign import Campaign, Case

ROOMS = ("findings", "judge", "planning", "multilabel", "suggestions")
# What works on files or serves has campaigns of its own.
ELSEWHERE = ("serve", "publish", "queries", "read", "from_results", "report")
LARGE = 2**70


class Unshown:
    """Somebody's own class, with a mistake in it."""

    def __repr__(self) -> str:
        raise RuntimeError("no words for this")


ODD: dict[str, Any] = {
    "zero": 0, "minus one": -1, "a half": 0.5, "beyond one": 1.5, "nothing": None, "NaN": float("nan"),
    "infinity": float("inf"), "no text": "", "a text": "x", "yes": True, "large": LARGE, "four hundred digits": 10**400,
    "no list": [], "a list": ["x"], "a list of nothing": [None], "lists of two lengths": [[1, 2], [3]], "a mapping": {},
    "a mapping of one": {"x": 1}, "no tuple": (), "bytes": b"x", "an array": np.array([0.2, 0.3]),
    "a number of NumPy": np.float64(0.3), "an object": object(), "a function": lambda x: x,
    "half a character": "\ud83d", "NUL": "a\0b", "a set": set(), "a range": range(3),
    "five thousand digits": 10**5000, "a list of five thousand digits": [10**5000], "a generator": map(str, ()),
    "what cannot show itself": Unshown(), "a moment": pd.Timestamp("2020-01-01"),
    "next to nothing": 5e-324, "nearly one": 1 - 2**-53, "nearly infinite": 1e308, "as many as memory holds": 10**13,
    "a list of huge numbers": [1e200, 1, -1e300, 0], "a list of next to nothing": [5e-324, 1e-300, 1e-300],
    "a label": "yes", "a column": "topic", "a person": "ana",
}  # fmt: skip
PLAIN: dict[str, dict[str, Any]] = {  # what takes no study, with arguments that do
    "judge.rogan_gladen": {"share": 0.6, "sensitivity": 0.8, "specificity": 0.75},
    "judge.allocate": {"correlation": 0.8, "person_cost": 1.0, "model_cost": 0.01, "budget": 100},
    "judge.calibrate": {"stated": [0.5, 0.9, 0.2], "correct": [1, 1, 0]},
    "judge.prediction_powered_mean": {"people": [1, 0, 1, 1], "model": [1, 0, 0, 1], "rest": [1, 0, 1]},
    "planning.kappa_error": {"table": [[40, 10], [20, 30]], "items": 50},
    "planning.intraclass_error": {"share": 0.5, "value": 0.3, "items": 50},
    "planning.annotators_needed": {"target": 0.9, "accuracy": 0.7},
    "findings.parent_of": {"separator": " > "},
    "findings.shared_depth": {"separator": " > "},
}


@cache
def _functions() -> dict[str, Callable[..., Any]]:
    """Every public function of a study, by room and name."""
    found: dict[str, Callable[..., Any]] = {}
    for room in ("", *ROOMS):
        module = getattr(accord, room) if room else accord
        for name in module.__all__:
            function = getattr(module, name)
            if inspect.isfunction(function) and name not in ELSEWHERE and _options(function):
                found.setdefault(f"{room}.{name}" if room else name, function)
    return {name: function for name, function in found.items() if _takes_a_study(function)}


def _takes_a_study(function: Callable[..., Any]) -> bool:
    needed = [one for one in inspect.signature(function).parameters.values() if one.default is one.empty]
    return next(iter(inspect.signature(function).parameters)) in ("data", "study") and all(
        one.kind is not one.POSITIONAL_ONLY for one in needed[1:]
    )


def _options(function: Callable[..., Any]) -> list[str]:
    given = inspect.signature(function).parameters.values()
    return [one.name for one in given if one.kind in (one.KEYWORD_ONLY, one.POSITIONAL_OR_KEYWORD)]


def draw(chance: random.Random) -> Case:
    """A function, and one or two of its options with odd values."""
    if chance.random() < 0.1:
        asked = chance.sample(_options(accord.read)[1:], chance.choice((1, 1, 2)))
        odd = {one: chance.choice(list(ODD)) for one in asked}
        return {"function": "read", "odd": odd, "table": tables.KINDS["labels"][0](chance), "roles": {}}
    if chance.random() < 0.2:
        name = chance.choice(list(PLAIN))
        odd = {one: chance.choice(list(ODD)) for one in PLAIN[name] if chance.random() < 0.5}
        return {"function": name, "odd": odd, "table": None, "roles": {}}
    name = chance.choice(list(_functions()))
    made, roles = tables.KINDS[chance.choice(("labels", *tables.KINDS))]
    options = _options(_functions()[name])
    odd = {one: chance.choice(list(ODD)) for one in chance.sample(options, min(len(options), chance.choice((1, 1, 2))))}
    return {"function": name, "odd": odd, "table": made(chance), "roles": roles}


def attempt(case: Case, folder: Path) -> str:
    """Ask, and print what comes of it."""
    odd = {name: ODD[value] for name, value in case["odd"].items() if name != "progress"}
    if case["table"] is None:
        room, _, name = case["function"].partition(".")
        given = {**PLAIN[case["function"]], **odd}
        function = getattr(getattr(accord, room), name)
        alone = [
            given.pop(one.name)
            for one in inspect.signature(function).parameters.values()
            if one.kind is one.POSITIONAL_ONLY
        ]
        str(function(*alone, **given))
        return "answer"
    study = accord.Study(case["table"], **case["roles"])
    if case["function"] == "read":
        str(accord.read(study.write(folder / "x.csv"), **odd))
        return "answer"
    try:
        str(_functions()[case["function"]](study, **odd))
    except TypeError as problem:  # Python's own: the study is given twice, or an argument that is needed is not
        if "multiple values" in str(problem) or "required" in str(problem):
            return "not asked"
        raise
    return "answer"


CAMPAIGN = Campaign("options", draw, attempt)
