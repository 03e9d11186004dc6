"""The oracle of coefficients, sharing no code with accord, computes what papers printed."""

from __future__ import annotations

from typing import Any

import pytest

from tests.oracles import coefficients as oracle
from tests.tables import Figure, Table, tables

SETS: dict[str, oracle.Weight] = {"jaccard": oracle.jaccard, "dice": oracle.dice, "masi": oracle.masi}
SIMPLE = [f for table in tables() for f in table.figures() if f.part in ("value", "observed", "expected")]


@pytest.mark.parametrize("figure", SIMPLE, ids=str)
def test_the_oracle_computes_what_was_printed(figure: Figure) -> None:
    assert getattr(by_the_oracle(figure.table, figure.case), figure.part) == figure.printed()


def by_the_oracle(table: Table, case: dict[str, Any]) -> oracle.Parts:
    """The case without accord."""
    study = oracle_study(table)
    options = case.get("options", {})
    seen = {answer for item in study for answer in item.values()}
    labels = list(seen) if table.data_kind == "sets" else options.get("labels") or table.labels or sorted(seen)
    name, chance = case["measure"], options.get("chance", "pooled")
    measure = oracle.weighted_alpha if name == "krippendorff_alpha" else getattr(oracle, name)
    if "label" in case:
        one_label = oracle.fleiss_kappa if chance == "pooled" and name != "krippendorff_alpha" else measure
        return oracle.by_label(study, labels, one_label)[case["label"]]
    if "level" in options:
        return oracle.krippendorff_alpha(study, labels, options["level"])
    return measure(study, labels, oracle_weights(options.get("weights"), labels))


def oracle_study(table: Table) -> list[dict[oracle.Annotator, oracle.Answer]]:
    """The table as the oracle reads it."""
    match table.data_kind:
        case "counts":
            return oracle.from_counts(table.data, table.labels or [])
        case "contingency":
            return oracle.from_confusion(table.data, table.labels or [])
        case "sets":
            return oracle.from_wide([[frozenset(answer) for answer in row] for row in table.data])
    return oracle.from_wide(table.data)


def oracle_weights(weights: str | list[list[float]] | None, labels: oracle.Labels) -> oracle.Weight:
    """The weights of a case as a function of two answers."""
    if weights is None:
        return oracle.identity
    if isinstance(weights, str):
        return SETS[weights] if weights in SETS else oracle.gwet_weights(weights, labels)
    place = {label: k for k, label in enumerate(labels)}
    return lambda a, b: weights[place[a]][place[b]]
