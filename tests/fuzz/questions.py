"""Everything that a result can be asked, of every measure, and every table of findings: each answers or says why not.

Rows in another order, asked the same, give the same digits.
"""

from __future__ import annotations

import inspect
import math
import pickle
import random
import re
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import accord
from accord.measures.registered import MEASURES
from tests.fuzz import tables
from tests.fuzz.campaign import Campaign, Case, Differs

METHODS = ("analytic", "gwet", "jackknife", "bootstrap", "bca", "bayesian", "model-based")
RESULT: dict[str, dict[str, list[Any]]] = {
    "interval": {
        "method": [*METHODS], "confidence": [0.5, 0.999, 0.95, 1 - 2**-53], "n_resamples": [1, 20, 10**13],
        "cluster": ["topic", "x"], "resample": ["items", "annotators", "both"], "population": [1, 10, 10**6],
    },
    "test": {
        "method": ["null-error", "analytic", "gwet", "jackknife", "permutation", "chi-square", "f", "exact"],
        "null": [0.0, 0.2, -1, 1e308], "alternative": ["two-sided", "greater", "less"], "n_resamples": [1, 20],
    },
    "by_item": {}, "by_label": {"chance": ["pooled", "own"]}, "by_annotator": {}, "by_pair": {},
    "by_group": {"simultaneous": [True, False]}, "differences": {"simultaneous": [True, False]},
    "interpret": {"benchmark": ["landis-koch", "krippendorff", "cicchetti"], "threshold": [0.5]},
    "sentence": {"what": ["<b>", ""]}, "working": {}, "cite": {}, "to_dict": {}, "plot": {},
}  # fmt: skip
ROOMS = ("findings", "multilabel", "judge", "suggestions", "planning")
ONLY_ANSWER = ("with_links", "with_not_tagged")  # which give a table, and not of a study
DRAWN = ("bootstrap", "bca", "bayesian")  # intervals of resamples
ORDERLESS = ("interval", "test", "working", "to_dict")  # what does not list rows
NUMBER = re.compile(r"-?\d+(?:\.\d+)?(?:e[-+]?\d+)?")
LEAST, LAST_DIGIT = 1e-6, 2e-3  # of numbers in full, and of those that are printed with three digits
ROLES: dict[str, list[Any]] = {
    "cluster": ["topic"],
    "item_weight": ["weight"],
    "duplicates": ["repeat", "first"],
    "answers": ["single", "set", "ranked", "score"],
    "suggested": ["ana"],
    "kind": ["kind"],
}


@cache
def tables_of_findings() -> dict[str, Callable[..., Any]]:
    """Every function of a study that needs no other word, by room and name."""
    found: dict[str, Callable[..., Any]] = {}
    for room in ROOMS:
        module = getattr(accord, room)
        for name in module.__all__:
            function = getattr(module, name)
            if inspect.isroutine(function) and name not in ONLY_ANSWER:
                first, *others = inspect.signature(function).parameters.values()
                if first.name in ("data", "study") and all(_may_be_left_out(one) for one in others):
                    found[f"{room}.{name}"] = function
    return found


def _may_be_left_out(parameter: inspect.Parameter) -> bool:
    return parameter.default is not inspect.Parameter.empty or parameter.kind is inspect.Parameter.VAR_KEYWORD


def draw(chance: random.Random) -> Case:
    """A table with more columns, how it becomes a study, and a question."""
    kind = chance.choice(("labels", "labels", "sets", "scores", *tables.KINDS))
    table, told = _table(chance, kind)
    roles = {name: chance.choice(values) for name, values in ROLES.items() if chance.random() < 0.12}
    case: Case = {"table": table, "roles": {**told, **roles}, "seed": chance.randrange(10**6)}
    if chance.random() < 0.3:
        return {**case, "finding": chance.choice(list(tables_of_findings()))}
    question = chance.choice(list(RESULT))
    options = {name: chance.choice(values) for name, values in RESULT[question].items() if chance.random() < 0.35}
    by = "topic" if chance.random() < (0.8 if question in ("by_group", "differences") else 0.15) else None
    return {**case, "measure": chance.choice(list(MEASURES)), "by": by, "question": question, "options": options}


def _table(chance: random.Random, kind: str) -> tuple[dict[str, list[Any]], dict[str, Any]]:
    """Of one kind, with what may be said of its rows besides."""
    if kind == "sets":
        table, told = tables.table(chance, {"words": ["a", "b", "c"]}), {"answers": "set", "separator": "|"}
        table["label"] = [
            None if one is None else "|".join(sorted({one, chance.choice("abc")})) for one in table["label"]
        ]
    else:
        made, told = tables.KINDS[kind]
        table = made(chance)
    if chance.random() < 0.3:  # some rows again, as runs of one annotator
        table = {name: cells + cells[: len(cells) // 2] for name, cells in table.items()}
        table["run"] = [1] * (len(table["item"]) - len(table["item"]) // 3) + [2] * (len(table["item"]) // 3)
    about = {item: (chance.choice("ab"), chance.choice((1, 1, 2.5))) for item in table["item"]}
    table["topic"] = [about[item][0] for item in table["item"]]
    table["weight"] = [about[item][1] for item in table["item"]]
    table["kind"] = ["model" if who in ("7", "cy") else "person" for who in table["annotator"]]
    return table, told


def attempt(case: Case, _: Path) -> str:
    """Ask; the answer can be printed, here and in another process, and does not depend on the order of rows."""
    study = accord.Study(case["table"], **case["roles"])
    if "finding" in case:
        told = _told(tables_of_findings()[case["finding"]](study))
        return "finding" if told else "nothing"
    told = _asked(study, case)
    if case["question"] in ORDERLESS and "duplicates" not in case["roles"] and "run" not in case["table"]:
        order = list(range(len(case["table"]["item"])))
        random.Random(case["seed"]).shuffle(order)
        again = accord.Study(
            {name: [cells[row] for row in order] for name, cells in case["table"].items()}, **case["roles"]
        )
        other = _asked(again, case)
        if not _alike(told, other, LEAST if case["question"] == "to_dict" else LAST_DIGIT):
            raise Differs(f"{told[:300]} and in another order {other[:300]}")
    return "answer"


def _asked(study: accord.Study, case: Case) -> str:
    result = MEASURES[case["measure"]].function(study, **({} if case["by"] is None else {"by": case["by"]}))
    options = dict(case["options"])
    if options.get("method") in DRAWN and result.coefficient is not None and result.coefficient.resample_cost:
        options.setdefault("n_resamples", 100)  # a thousand fits take ten seconds, and are asked for twice
    return _told(getattr(result, case["question"])(**options))


def _alike(one: str, other: str, apart: float) -> bool:
    """The same words, and numbers that differ by rounding at most."""
    words, others = (NUMBER.split(text) for text in (one, other))
    numbers, other_numbers = (list(map(float, NUMBER.findall(text))) for text in (one, other))
    if words != others or len(numbers) != len(other_numbers):
        return False
    return all(
        math.isclose(number, same, rel_tol=apart, abs_tol=apart)
        for number, same in zip(numbers, other_numbers, strict=True)
    )


def _told(answer: Any) -> str:
    told = str(answer)
    if type(answer).__module__.startswith("accord"):
        again = str(pickle.loads(pickle.dumps(answer)))  # noqa: S301 - our own
        if again != told:
            raise Differs(f"{told[:300]} and in another process {again[:300]}")
    return told


CAMPAIGN = Campaign("questions", draw, attempt)
