"""What one package answers to published tables: run in the environment of the package.

    python -P benchmarks/_race_worker.py PACKAGE TABLES.json

The tables are those of tests/tables, each with the figures that were printed of it. For each figure that the package
offers the coefficient of, prints what it said: a number, or why there is none. What it does not offer is not asked.
Needs nothing but NumPy and the package.
"""

from __future__ import annotations

import json
import math
import sys
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

Ratings = list[list[Any]]  # items × annotators, None where nobody answered
Answer = Callable[["Asked", str], float]

OFFERED: dict[str, dict[str, Answer]] = {}  # by package, then by measure
TWO = 2


class Asked:
    """One published figure: the data, and with which options."""

    def __init__(self, table: dict[str, Any], case: dict[str, Any]) -> None:
        self.options: dict[str, Any] = case.get("options", {})
        self.kind: str = table["data_kind"]
        self.data: Ratings = table["data"]
        self.labels: list[Any] | None = table.get("labels")

    @property
    def ratings(self) -> Ratings:
        """Items × annotators, whatever shape was printed."""
        if self.kind == "ratings":
            return self.data
        if self.kind == "contingency":
            cells = [(i, j, int(n)) for i, row in enumerate(self.data) for j, n in enumerate(row)]
            names = self.labels or list(range(1, len(self.data) + 1))
            return [[names[i], names[j]] for i, j, n in cells for _ in range(n)]
        raise NotOffered(self.kind)

    @property
    def counts(self) -> np.ndarray[Any, Any]:
        """Items × labels."""
        if self.kind == "counts":
            return np.array(self.data)
        ratings = self.ratings
        labels = self.scale
        return np.array([[row.count(label) for label in labels] for row in ratings])

    @property
    def scale(self) -> list[Any]:
        """All labels, those that nobody used too where they were declared."""
        return self.labels or sorted({cell for row in self.ratings for cell in row if cell is not None})

    @property
    def pair(self) -> tuple[list[Any], list[Any]]:
        """Two annotators without gaps."""
        ratings = self.ratings
        if len(ratings[0]) != TWO or any(cell is None for row in ratings for cell in row):
            raise NotOffered("two annotators without gaps only")
        return [row[0] for row in ratings], [row[1] for row in ratings]

    @property
    def triples(self) -> list[tuple[str, str, Any]]:
        """Annotator, item, label, as nltk wants them."""
        return [
            (f"a{who}", f"i{item}", label)
            for item, row in enumerate(self.ratings)
            for who, label in enumerate(row)
            if label is not None
        ]

    @property
    def coded(self) -> np.ndarray[Any, Any]:
        """Annotators × items as numbers, NaN where nobody answered."""
        scale = self.scale
        numeric = all(isinstance(label, int | float) for label in scale)
        code = {label: float(label) if numeric else float(place) for place, label in enumerate(scale)}
        rows = [[math.nan if cell is None else code[cell] for cell in row] for row in self.ratings]
        return np.array(rows).T

    def only(self, *names: str) -> dict[str, Any]:
        """The options, where the package has all of them."""
        if set(self.options) - set(names):
            raise NotOffered(f"no {', '.join(set(self.options) - set(names))}")
        return self.options


class NotOffered(Exception):
    """The package has no such thing, so it is not asked."""


def offers(package: str, *measures: str) -> Callable[[Answer], Answer]:
    """Put an answer into the table: what is called of a package for these measures."""

    def keep(answer: Answer) -> Answer:
        OFFERED.setdefault(package, {}).update(dict.fromkeys(measures, answer))
        return answer

    return keep


IRRCAC = {
    "fleiss_kappa": "fleiss",
    "gwet_ac": "gwet",
    "brennan_prediger_kappa": "bp",
    "krippendorff_alpha": "krippendorff",
    "conger_kappa": "conger",
}
NLTK = {
    "krippendorff_alpha": "alpha",
    "fleiss_kappa": "pi",
    "scott_pi": "pi",
    "light_kappa": "kappa",
    "conger_kappa": "multi_kappa",
    "brennan_prediger_kappa": "S",
    "cohen_kappa": "kappa",
    "percent_agreement": "avg_Ao",
}


@offers("scikit-learn", "cohen_kappa")
def sklearn(asked: Asked, _measure: str) -> float:
    """Two lists."""
    from sklearn.metrics import cohen_kappa_score

    weights = asked.only("weights").get("weights")
    if weights not in (None, "linear", "quadratic"):
        raise NotOffered("own weights")
    return float(cohen_kappa_score(*asked.pair, labels=asked.labels, weights=weights))


@offers("krippendorff", "krippendorff_alpha")
def krippendorff(asked: Asked, _measure: str) -> float:
    """Annotators × items."""
    import krippendorff as package

    level = asked.only("level").get("level", "nominal")
    if level == "circular":
        raise NotOffered(level)
    return float(package.alpha(reliability_data=asked.coded, level_of_measurement=level))


@offers("irrCAC", *IRRCAC)
def irrcac(asked: Asked, measure: str) -> float:
    """A pandas frame, items × annotators."""
    import pandas as pd
    from irrCAC.raw import CAC

    weights = asked.only("weights").get("weights", "identity")
    if not isinstance(weights, str):
        raise NotOffered("own weights")
    frame = pd.DataFrame(asked.ratings)
    found = getattr(CAC(frame, weights=weights, categories=asked.labels, digits=15), IRRCAC[measure])()
    return float(found["est"]["coefficient_value"])


@offers("statsmodels", "cohen_kappa")
def statsmodels_cohen(asked: Asked, _measure: str) -> float:
    """A contingency table."""
    from statsmodels.stats.inter_rater import cohens_kappa

    weights = asked.only("weights").get("weights")
    if not (weights is None or isinstance(weights, str)):
        raise NotOffered("own weights")
    first, second = asked.pair
    place = {label: number for number, label in enumerate(asked.scale)}
    table = np.zeros((len(place), len(place)))
    for one, other in zip(first, second, strict=True):
        table[place[one], place[other]] += 1
    return float(cohens_kappa(table, weights=weights, return_results=False))


@offers("statsmodels", "fleiss_kappa", "brennan_prediger_kappa")
def statsmodels_fleiss(asked: Asked, measure: str) -> float:
    """Items × labels."""
    from statsmodels.stats.inter_rater import fleiss_kappa

    asked.only()
    return float(fleiss_kappa(asked.counts, method="fleiss" if measure == "fleiss_kappa" else "randolph"))


@offers("nltk", *NLTK)
def nltk(asked: Asked, measure: str) -> float:
    """Triples."""
    from nltk.metrics.agreement import AnnotationTask

    asked.only()
    if measure in ("cohen_kappa", "scott_pi"):
        _ = asked.pair  # the mean over pairs of more is another coefficient
    return float(getattr(AnnotationTask(data=asked.triples), NLTK[measure])())


def _accord(asked: Asked, measure: str) -> float:
    import accord

    data = np.array(asked.data, dtype=object if asked.kind == "ratings" else None)
    made = {"ratings": accord.Study.from_wide, "counts": accord.Study.from_counts}
    study = made.get(asked.kind, accord.Study.from_confusion)(data, labels=asked.labels)
    return float(getattr(accord, measure)(study, **asked.options).value)


def answers(package: str, tables: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """What the package says to each figure; what it does not offer says so."""
    found: list[dict[str, Any]] = []
    for table in tables:
        for case in table["cases"]:
            answer = _accord if package == "accord" else OFFERED[package].get(case["measure"])
            if answer is None:
                found.append({"offered": False})
                continue
            asked = Asked(table, case)
            try:
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore")
                    value = answer(asked, case["measure"])
            except NotOffered:
                found.append({"offered": False})
            except Exception as problem:  # noqa: BLE001 - whatever a package raises is its answer
                found.append({"offered": True, "error": f"{type(problem).__name__}: {problem}"[:200]})
            else:
                found.append({"offered": True, "value": value if math.isfinite(value) else None})
    return found


if __name__ == "__main__":
    name, path = sys.argv[1:]
    print(json.dumps(answers(name, json.loads(Path(path).read_text(encoding="utf-8")))))
