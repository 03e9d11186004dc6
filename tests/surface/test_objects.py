"""Every object that becomes JSON keeps the schema, and every kind in the schema is made by somebody."""

from __future__ import annotations

import json
from collections.abc import Callable
from importlib.resources import files
from typing import Any

import jsonschema
import pytest

import accord
from accord import Study

SCHEMA: dict[str, Any] = json.loads(files("accord").joinpath("schema.json").read_text(encoding="utf-8"))
OF_THE_COMMAND = {
    "report",
    "converted",
    "tallied",
    "scales",
    "comparisons",
    "diagnosis",
}  # tests/command and tests/readers look at these

WIDE = Study.from_wide([["a", "a", "b"], ["b", "b", "b"], ["a", "a", "a"], ["b", "a", None]] * 4)
RANKED = Study.from_wide([[["a", "b"], ["a"]], [["b"], ["b", "a"]], [["a"], ["b"]]] * 4, answers="ranked")
TWICE = {"item": [1, 1, 2, 2, 3], "annotator": ["ana", "ana", "ben", "ben", "ben"], "label": list("aabab")}
SPANS = Study(
    {
        "item": [1, 1, 2, 2],
        "annotator": ["ana", "ben"] * 2,
        "start": [0, 0, 3, 5],
        "end": [4, 4, 6, 9],
        "label": list("aabb"),
    }
)
PREFERRED = Study(
    {
        "item": [1, 2, 3, 4],
        "annotator": ["ana"] * 4,
        "first": list("abcb"),
        "second": list("bcaa"),
        "label": list("abat"),
    },
    recode={"t": "tie"},
)
SCORES = Study.from_wide([[9, 2, 5], [6, 1, 3], [8, 4, 6], [7, 1, 2]], answers="score")
SUGGESTED = {item: "a" if item % 3 else "b" for item in range(16)}

OBJECTS: dict[str, Callable[[], Any]] = {
    "agreement": lambda: accord.fleiss_kappa(WIDE),
    "measurements": lambda: accord.measure(WIDE),
    "paper": lambda: accord.paper(WIDE, what="tone"),
    "self_agreement": lambda: accord.self_agreement(TWICE, duplicates="repeat"),
    "table": lambda: accord.pairwise(WIDE),
    "queries": lambda: accord.queries("answers", dialect="duckdb", labels=["a", "b"], by="topic"),
    "comparison": lambda: accord.compare(accord.fleiss_kappa(WIDE), accord.gwet_ac(WIDE)),
    "gold": lambda: accord.gold(WIDE, method="majority"),
    "score": lambda: accord.gold(WIDE, method="majority").score(dict.fromkeys(range(16), "a")),
    "span_score": lambda: accord.gold(SPANS).score(
        {"item": [1, 2], "start": [0, 3], "end": [4, 6], "label": ["a", "b"]}
    ),
    "interpretation": lambda: accord.fleiss_kappa(WIDE).interpret(),
    "p_curve": lambda: accord.p_curve(RANKED),
    "item_classes": lambda: accord.item_classes(RANKED),
    "agreement_matrix": lambda: accord.multilabel.agreement_matrix(RANKED),
    "combined_labels": lambda: accord.multilabel.combine_labels(RANKED, pairs=[("a", "b")]),
    "secondary_use": lambda: accord.multilabel.secondary_use(RANKED),
    "suggesters": lambda: accord.suggestions.compare_suggesters(WIDE, {"rule": SUGGESTED, "other": SUGGESTED}),
    "findings": lambda: accord.explain(WIDE),
    "sample": lambda: accord.sample_for_annotation(SUGGESTED, 6, rng=1),
    "plan": lambda: accord.plan(WIDE, width=0.4, n_simulations=100, rng=1),
    "annotators_needed": lambda: accord.planning.annotators_needed(0.9, accuracy=0.7),
    "variance_components": lambda: accord.variance_components(SCORES),
    "decision_study": lambda: accord.planning.decision_study(SCORES),
    "limits_of_agreement": lambda: accord.bland_altman(SCORES),
    "rating_scale_model": lambda: accord.rating_scale_model(SCORES),
    "judgement": lambda: accord.judge.evaluate(SUGGESTED, WIDE),
    "bradley_terry": lambda: accord.bradley_terry(PREFERRED),
    "position_effect": lambda: accord.position_effect(PREFERRED),
}


def test_every_kind_of_the_schema_is_looked_at() -> None:
    kinds = {kind["$ref"].removeprefix("#/$defs/") for kind in SCHEMA["oneOf"]}
    assert kinds == set(OBJECTS) | OF_THE_COMMAND


@pytest.mark.parametrize("kind", OBJECTS)
def test_an_object_keeps_the_schema(kind: str) -> None:
    told = json.loads(json.dumps(OBJECTS[kind]().to_dict(), allow_nan=False))
    assert (told["schema"], told["object"], told["version"]) == ("accord/1", kind, accord.__version__)
    jsonschema.Draft202012Validator({**SCHEMA, "oneOf": [{"$ref": f"#/$defs/{kind}"}]}).validate(told)
    assert set(told) <= {"schema", "object", "version", *SCHEMA["$defs"][kind]["properties"]}, (
        "a field is not described"
    )


def test_no_object_is_of_two_kinds() -> None:
    for make in OBJECTS.values():
        jsonschema.Draft202012Validator(SCHEMA).validate(json.loads(json.dumps(make().to_dict(), allow_nan=False)))
