"""Random calls on small and odd studies: each answers, or says what is wrong."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import accord
from tests.fuzz import tables
from tests.fuzz.campaign import Campaign, Case

CALLS: dict[str, dict[str, list[Any]]] = {
    "measure": {"by": ["topic", "label", "annotator", None], "level": ["nominal", "ordinal", "interval", "ratio"]},
    "explain": {"target": [0.5, "standard", "subjective", 2, None]},
    "gold": {
        "method": [
            "majority", "dawid-skene", "one-coin", "mace", "glad", "expert-index", "auto", "mean", "weighted-mean",
            "median", "severity-adjusted", "rating-scale", "token-majority", "sequence", "borda", "plackett-luce", "x",
        ],
        "ties": ["none", "first", "random", "x"], "rng": [0, 1, -1, "x"],
    },
    "report": {"anonymise": [True, False], "by": ["topic", None], "title": ["t", "", "<b>"]},
    "compare": {"by": ["topic", None]},
    "breakdowns": {},
    "plan": {"width": [0.1, 0, 5], "measure": ["fleiss_kappa", "krippendorff_alpha"]},
    "write": {},
    "describe": {},
}  # fmt: skip
ENDINGS = (".html", ".md", ".tex", ".json")
ROLES = ("answers", "duplicates", "labels", "suggested", "task")
ROLE_VALUES: dict[str, list[Any]] = {
    "answers": ["single", "set", "ranked", "score", "x"],
    "duplicates": ["error", "first", "last", "repeat"],
    "labels": [["yes", "no", "maybe", "unsure"], [1, 2, 3, 4, 5], [], ["a", "a"], "ab"],
    "suggested": ["topic", "ana", "nobody"],
    "task": ["topic"],
}


def draw(chance: random.Random) -> Case:
    """A table, how it becomes a study, a call and its options."""
    call = chance.choice(list(CALLS))
    made, told = tables.KINDS[chance.choice(("labels", *tables.KINDS))]
    options = {name: chance.choice(values) for name, values in CALLS[call].items() if chance.random() < 0.4}
    roles = {name: chance.choice(ROLE_VALUES[name]) for name in ROLES if chance.random() < 0.15}
    return {
        "table": made(chance),
        "roles": told | roles,
        "call": call,
        "options": options,
        "ending": chance.choice(ENDINGS),
    }


def attempt(case: Case, folder: Path) -> str:
    """Ask, and print the answer."""
    study = accord.Study(case["table"], **case["roles"])
    options = {name: value for name, value in case["options"].items() if value is not None}
    str(_answer(study, case["call"], options, folder / f"x{case['ending']}"))
    return "answer"


def _answer(study: accord.Study, call: str, options: dict[str, Any], path: Path) -> object:
    if call == "report":
        return accord.report(study, path, **options)
    if call == "compare":
        results = [result for result in accord.measure(study, **options) if result.undefined is None]
        return accord.compare(*results[:2]) if len(results) > 1 else results
    if call == "breakdowns":
        kappa = accord.measure(study).recommended
        return [str(kappa.interval()), *(str(table()) for table in (kappa.by_item, kappa.by_label, kappa.by_annotator))]
    if call == "write":
        return [str(accord.read(study.write(path.with_suffix(ending)))) for ending in (".csv", ".jsonl", ".parquet")]
    if call == "gold":
        gold = accord.gold(study, **options)
        return [str(gold), str(gold.annotators()), str(gold.queue(3)), gold.write(path.with_suffix(".csv"))]
    if call == "describe":
        return study.describe()
    asked: Any = getattr(accord, call)
    return asked(study, **options)


CAMPAIGN = Campaign("calls", draw, attempt)
