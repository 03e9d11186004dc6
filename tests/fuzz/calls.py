"""Random calls on small and odd studies: each answers, in another process too, or says what is wrong."""

from __future__ import annotations

import pickle
import random
from pathlib import Path
from typing import Any

import polars as pl

import accord
from tests.fuzz import tables
from tests.fuzz.campaign import Campaign, Case, Differs

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
    "plan": {
        "width": [0.1, 0, 5, 1e300], "above": [0.5, -0.9], "confidence": [0.95, 0.5, 0.01], "power": [0.8, 0.5, 0.01],
        "measure": ["fleiss_kappa", "krippendorff_alpha", "mean_absolute_difference"],
    },
    "write": {},
    "describe": {},
    "one measure": {
        "measure": [
            "percent_agreement", "cohen_kappa", "gwet_ac", "krippendorff_alpha", "icc", "lin_concordance", "span_f1",
            "unitizing_alpha", "kendall_w", "rank_biased_overlap", "preference_agreement", "light_kappa",
        ],
        "by": ["topic", None], "method": ["analytic", "bootstrap", "jackknife", "bca", "bayesian", "x"],
    },
    "pairwise": {},
    "paper": {"by": ["topic", None], "level": ["nominal", "ordinal"]},
    "publish": {"show_names": [True, False], "show_text": [True, False]},
    "tally": {"by": ["topic", None], "named": [True, False]},
    "judge": {"system": ["ana", "7", ["ana", "ben"], [], "topic", None], "gold": ["topic", "ben", True, None]},
    "model": {
        "name": ["alt_test", "panel", "self_consistency", "label_bias", "human_likeness", "position_bias"],
        "model": ["ana", "ben", "nobody"],
    },
    "special": {
        "name": [
            "self_agreement", "bland_altman", "variance_components", "rating_scale_model", "annotators_on_scale",
            "span_counts", "span_differences", "matched_spans", "gamma_scale", "p_curve", "item_classes",
            "best_worst_scores", "bradley_terry", "circular_triads", "position_effect",
        ],
    },
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
        "lazy": chance.random() < 0.15,
    }


def attempt(case: Case, folder: Path) -> str:
    """Ask, and print the answer: here, and as another process gets it."""
    study = accord.Study(_lazy(case["table"]) if case.get("lazy") else case["table"], **case["roles"])
    options = {name: value for name, value in case["options"].items() if value is not None}
    answer = _answer(study, case["call"], options, folder / f"x{case['ending']}")
    told, again = str(answer), str(pickle.loads(pickle.dumps(answer)))  # noqa: S301 - our own
    if told != again:
        raise Differs(f"{told[:300]} and in another process {again[:300]}")
    return "answer"


def _lazy(table: dict[str, list[Any]]) -> Any:
    """The same as a table that stays where it is; of what Polars cannot hold, the table."""
    try:
        return pl.DataFrame(table, strict=False).lazy()
    except UnicodeEncodeError:
        return table


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
    if call == "one measure":
        return _one_measure(study, **options)
    if call == "tally":
        return str(accord.read(study.write_tally(path.with_suffix(".tally"), **options)).describe())
    if call == "publish":
        return accord.publish(study, path.with_suffix(""), **options)
    if call == "judge":
        return accord.judge.evaluate(options.pop("system", None), study, **options)
    if call == "model":
        name, model = options.get("name", "alt_test"), options.get("model", "ana")
        own = {"models": [model]} if name == "panel" else {"model": model}
        return getattr(accord.judge, name)(study, **own)
    if call == "special":
        call = options.pop("name", "self_agreement")
    asked: Any = getattr(accord, call)
    return asked(study, **options)


def _one_measure(study: accord.Study, measure: str = "fleiss_kappa", by: str | None = None, method: Any = None) -> Any:
    """A result, and what it can be asked."""
    found = getattr(accord, measure)(study, by=by)
    more = {} if method is None else {"method": method, **({} if method in ("analytic", "jackknife") else {"rng": 0})}
    asked = [found, found.interval(**more), found.interpret(), found.sentence()]
    return [*asked, found.by_group(), found.differences()] if by is not None else [*asked, found.test()]


CAMPAIGN = Campaign("calls", draw, attempt)
