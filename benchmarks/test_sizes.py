"""How often does a test find what is not there, and how often what is? Studies drawn from populations that are known.

    python -m benchmarks.test_sizes [studies]

A test at 5 % should find something in at most 5 of 100 studies in which there is nothing: annotators who answer
independently of the items and of each other, groups drawn from one population, two studies of the same. What cannot be
told counts as not found, and how often that was stands beside it. The tests run a hundred of some of these; this script
runs 400 of each and prints what it saw, then how often real differences are found.
"""

from __future__ import annotations

import math
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

import accord
from accord.agreement.groups import parts, whether_they_differ

Cells = npt.NDArray[np.int64]
Question = Callable[[np.random.Generator], float]  # draws a study and gives its p-value; NaN where there is none

STUDIES = 400
DRAWS = 300  # resamples of a study
MARGINALS = {".6/.3/.1": (0.6, 0.3, 0.1), ".9/.06/.04": (0.9, 0.06, 0.04), ".95/.05": (0.95, 0.05)}
MEASURES: dict[str, Callable[[accord.Study], accord.Agreement]] = {
    "Cohen": accord.cohen_kappa,
    "Cohen, linear": partial(accord.cohen_kappa, weights="linear"),
    "Scott": accord.scott_pi,
    "Fleiss": accord.fleiss_kappa,
    "Conger, quadratic": partial(accord.conger_kappa, weights="quadratic"),
    "Light": accord.light_kappa,
    "alpha": accord.krippendorff_alpha,
    "alpha, interval": partial(accord.krippendorff_alpha, level="interval"),
}
OF_TWO = ("Cohen", "Cohen, linear", "Scott", "alpha")
OF_MORE = ("Fleiss", "Conger, quadratic", "Light", "alpha", "alpha, interval")


@dataclass(frozen=True)
class Rate:
    """How often p was below 0.05, and how often there was none."""

    found: float
    untold: float

    def __str__(self) -> str:
        return f"{self.found:.3f}" + (f" ({self.untold:.0%} not told)" if self.untold >= 0.005 else "")


def rate(ask: Question, studies: int = STUDIES, seed: int = 0) -> Rate:
    """Of so many studies."""
    p = np.array([ask(np.random.default_rng([seed, study])) for study in range(studies)])
    return Rate(float((p < 0.05).mean()), float(np.isnan(p).mean()))


# -- populations -------------------------------------------------------------------------------------------------------


def annotated(
    rng: np.random.Generator, items: int, people: int, know: float, marginals: tuple[float, ...] = (0.4, 0.35, 0.25)
) -> Cells:
    """Annotators who know the truth so often, else guess by the same shares; kappa is about know²."""
    truth = rng.choice(len(marginals), (items, 1), p=marginals)
    return np.where(rng.random((items, people)) < know, truth, rng.choice(len(marginals), (items, people), p=marginals))


def table(cells: Cells, group: Any = None, document: Any = None, first: int = 0) -> dict[str, list[Any]]:
    """One row per answer, items by name; groups of items, or of annotators, and documents."""
    items, people = cells.shape
    row, who = np.divmod(np.arange(items * people), people)
    columns: dict[str, list[Any]] = {
        "item": [f"i{first + item:05}" for item in row],
        "annotator": [f"a{number}" for number in who],
        "label": cells.ravel().tolist(),
    }
    if group is not None:
        of_rows = np.asarray(group)[row] if len(group) == items else np.asarray(group)[who]
        columns["group"] = of_rows.tolist()
    if document is not None:
        columns["document"] = [f"d{number:05}" for number in np.asarray(document)[row]]
    return columns


# -- questions ---------------------------------------------------------------------------------------------------------


def by_chance(
    measure: str,
    items: int,
    people: int,
    marginals: tuple[float, ...],
    alternative: Any = "two-sided",
    know: float = 0.0,
) -> Question:
    """Is the value more than chance?"""

    def ask(rng: np.random.Generator) -> float:
        cells = annotated(rng, items, people, know, marginals)
        study = accord.Study.from_wide(cells, labels=list(range(len(marginals))))
        return MEASURES[measure](study).test(alternative=alternative).p

    return ask


def in_documents(documents: int, each: int, know: float = 0.0) -> Question:
    """The same where each annotator leans to one label in every document, independently of the others."""

    def ask(rng: np.random.Generator) -> float:
        lean = rng.integers(0, 2, (documents, 1, 2))
        same = rng.random((documents, 1, 1)) < know
        lean = np.where(same, lean[:, :, :1], lean)
        cells = np.where(rng.random((documents, each, 2)) < 0.8, lean, 1 - lean).reshape(-1, 2)
        rows = table(cells, document=np.repeat(np.arange(documents), each))
        return accord.cohen_kappa(accord.Study(rows, cluster="document")).test().p

    return ask


def among_groups(groups: int, items: int, people: int, know: float, other: float | None = None) -> Question:
    """Do groups of items differ? In one of them annotators may know the truth more or less often."""

    def ask(rng: np.random.Generator) -> float:
        cells = annotated(rng, groups * items, people, know)
        if other is not None:
            cells[:items] = annotated(rng, items, people, other)
        rows = table(cells, group=np.repeat([f"g{number}" for number in range(groups)], items))
        result = accord.fleiss_kappa(rows, by="group")
        _, told = whether_they_differ(result, parts(result))
        return math.nan if told is None else told.p

    return ask


def among_teams(teams: int, items: int, know: float, other: float | None = None) -> Question:
    """Do teams of three annotators differ who answered the same items? Some items are hard for all."""

    def ask(rng: np.random.Generator) -> float:
        hard = rng.random((items, 1)) < 0.3
        truth = rng.integers(0, 3, (items, 1))
        sure = np.full(3 * teams, know)
        sure[:3] = know if other is None else other
        knows = rng.random((items, 3 * teams)) < np.where(hard, sure / 2, sure)
        cells = np.where(knows, truth, rng.integers(0, 3, (items, 3 * teams)))
        rows = table(cells, group=np.repeat([f"g{number}" for number in range(teams)], 3))
        result = accord.fleiss_kappa(rows, by="group")
        _, told = whether_they_differ(result, parts(result))
        return math.nan if told is None else told.p

    return ask


def among_variables(variables: int, items: int, noise: float = 0.8, other: float | None = None) -> Question:
    """Do variables differ that were scored on the same items? Most scores are nil, and a few items weigh very much."""

    def ask(rng: np.random.Generator) -> float:
        rows: dict[str, list[Any]] = {name: [] for name in ("item", "annotator", "score", "variable")}
        for variable in range(variables):
            strong = np.where(rng.random(items) < 0.25, np.exp(rng.normal(2.5, 1, items)), 0.3)[:, None]
            spread = noise if variable or other is None else other
            cells = strong * np.exp(rng.normal(0, spread, (items, 5))) * (rng.random((items, 5)) < 0.8)
            columns = table(np.minimum(cells.round(), 100).astype(np.int64))
            rows["score"] += columns.pop("label")
            rows["variable"] += [f"v{variable}"] * cells.size
            for name, column in columns.items():
                rows[name] += column
        result = accord.krippendorff_alpha(accord.Study(rows, score="score", task="variable"), level="interval")
        _, told = whether_they_differ(result, parts(result))
        return math.nan if told is None else told.p

    return ask


def of_two(items: int, know: float, other: float, method: Any = "analytic", **asked: Any) -> Question:
    """Do two studies of different items differ?"""

    def ask(rng: np.random.Generator) -> float:
        x, y = (
            accord.fleiss_kappa(table(annotated(rng, items, 3, sure), first=first))
            for sure, first in ((know, 0), (other, 10_000))
        )
        return accord.compare(x, y, method=method, n_resamples=DRAWS, **asked).p

    return ask


def of_paired(items: int, know: float, other: float, method: Any = "analytic") -> Question:
    """Do two teams differ on the same items?"""

    def ask(rng: np.random.Generator) -> float:
        truth = annotated(rng, items, 1, 0.0)
        x, y = (
            accord.fleiss_kappa(table(np.where(rng.random((items, 3)) < sure, truth, annotated(rng, items, 3, 0.0))))
            for sure in (know, other)
        )
        return accord.compare(x, y, method=method, n_resamples=DRAWS).p

    return ask


def of_documents(method: Any, number: int = 16, each: int = 8) -> Question:
    """Do two studies of so many documents differ, in each of which all items are easy or hard?"""

    def ask(rng: np.random.Generator) -> float:
        results = []
        for first in (0, 10_000):
            know = np.repeat(np.where(rng.random(number) < 0.6, 0.95, 0.2), each)[:, None]
            truth = rng.integers(0, 2, (number * each, 1))
            cells = np.where(rng.random((number * each, 2)) < know, truth, rng.integers(0, 2, (number * each, 2)))
            rows = table(cells, document=first + np.repeat(np.arange(number), each), first=first)
            results.append(accord.krippendorff_alpha(accord.Study(rows, cluster="document")))
        return accord.compare(*results, method=method, n_resamples=DRAWS).p

    return ask


# -- the tables --------------------------------------------------------------------------------------------------------


def sizes() -> Iterator[tuple[str, str, Question]]:
    """What is asked where nothing is to be found: the test, the population, the question."""
    for items, (name, marginals), people in (
        (items, marginals, people) for people in (2, 3, 4) for marginals in MARGINALS.items() for items in (15, 50, 200)
    ):
        for measure in OF_TWO if people == 2 else OF_MORE:
            if people < 4 or (items < 200 and measure in ("Fleiss", "alpha")):
                yield f"chance: {measure}", f"{people} × {items}, {name}", by_chance(measure, items, people, marginals)
    for name, marginals in MARGINALS.items():
        for people, items, measure in ((2, 30, "Cohen"), (3, 15, "Fleiss"), (3, 50, "alpha")):
            ask = by_chance(measure, items, people, marginals, "greater")
            yield f"above chance: {measure}", f"{people} × {items}, {name}", ask
    yield "chance, clusters: Cohen", "12 documents of 8, leaning", in_documents(12, 8)
    for groups, items, people, know in (
        (3, 10, 2, 0.75), (3, 30, 2, 0.75), (8, 30, 2, 0.75), (8, 10, 2, 0.75), (5, 100, 2, 0.75), (8, 15, 2, 0.93),
        (4, 30, 3, 0.97),
    ):  # fmt: skip
        yield "groups", f"{groups} × {items}, {people} know {know}", among_groups(groups, items, people, know)
    for teams, items in ((2, 25), (3, 25), (3, 100), (5, 40)):
        yield "groups that share items", f"{teams} teams on {items}", among_teams(teams, items, 0.75)
    for variables, items in ((6, 30), (6, 100), (3, 300)):
        ask = among_variables(variables, items)
        yield "variables, heavy-tailed scores", f"{variables} on {items} items, interval alpha", ask
    for items in (25, 100):
        for method in ("analytic", "bootstrap"):
            yield f"compare, {method}", f"unpaired, {items} each", of_two(items, 0.75, 0.75, method)
            yield f"compare, {method}", f"paired, {items}", of_paired(items, 0.75, 0.75, method)
    for method in ("analytic", "bootstrap"):
        yield f"compare, {method}", "16 documents against 16", of_documents(method)
    edge = math.sqrt(0.75**2 - 0.1)  # kappa is know², so this one is at the margin
    yield "non-inferior by 0.1", "unpaired, 100 each, 0.1 below", of_two(100, edge, 0.75, margin=0.1)
    yield (
        "equivalent within 0.1",
        "unpaired, 100 each, 0.1 below",
        of_two(100, edge, 0.75, margin=0.1, alternative="equivalent"),
    )


def powers() -> Iterator[tuple[str, str, Question]]:
    """What is asked where there is something to be found."""
    for items, know in ((15, 0.6), (50, 0.4), (200, 0.25)):
        ask = by_chance("Cohen", items, 2, MARGINALS[".6/.3/.1"], know=know)
        yield "chance: Cohen", f"2 × {items}, .6/.3/.1, kappa {know**2:.2f}", ask
    for items, know in ((50, 0.7), (200, 0.5)):
        ask = by_chance("Cohen", items, 2, MARGINALS[".95/.05"], know=know)
        yield "chance: Cohen", f"2 × {items}, .95/.05, kappa {know**2:.2f}", ask
    yield "groups", "3 × 60, 3 know .92 and .77 (kappa .85, .6)", among_groups(3, 60, 3, 0.775, 0.92)
    yield "groups", "8 × 10, 2 know .6 and .95 (kappa .36, .9)", among_groups(8, 10, 2, 0.6, 0.95)
    yield "groups that share items", "3 teams on 100, know .75 and .9", among_teams(3, 100, 0.75, 0.9)
    ask = among_variables(6, 100, 0.8, 0.2)
    yield "variables, heavy-tailed scores", "6 on 100 items, one with a quarter of the noise", ask
    for items in (25, 100):
        yield "compare, analytic", f"unpaired, {items} each, kappa .64 and .42", of_two(items, 0.8, 0.65)
    yield "non-inferior by 0.1", "unpaired, 200 each, no difference", of_two(200, 0.85, 0.85, margin=0.1)


def show(title: str, rows: Iterator[tuple[str, str, Question]], studies: int) -> None:
    """One line each."""
    print(f"\n{title}: how often p < 0.05 in {studies} studies\n")
    print("| test | population | share |\n|---|---|---|")
    for test, population, ask in rows:
        print(f"| {test} | {population} | {rate(ask, studies)} |", flush=True)


def main() -> None:
    """Both tables."""
    studies, began = int(sys.argv[1]) if len(sys.argv) > 1 else STUDIES, time.process_time()
    show("Nothing is there", sizes(), studies)
    show("Something is there", powers(), studies)
    print(f"\n{time.process_time() - began:.0f} s of one core")


if __name__ == "__main__":
    main()
