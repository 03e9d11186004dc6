"""How often does a 95 % interval hold the true value? Studies drawn from populations whose coefficients are known.

    python benchmarks/coverage.py [studies] [of them resampled; 0: the analytic interval alone] [population …]

A population is a large finite table of annotated items; its coefficient is computed from all of it and is the truth.
A study is a random draw of items from it, or of documents of ten items. An honest interval holds the truth in 95 of 100
studies, or is refused with a reason. The table tells both: the least and the greatest share among the measures, and
how many intervals were refused. Bounds of full agreement are one-sided and hold the truth nearly always; they are
counted with the others, for they are printed like them. Shares well above 98 % are of studies that can take a few
values only, such as two disagreements among twenty items or three.
"""

from __future__ import annotations

import math
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache, partial

import numpy as np
import numpy.typing as npt

import accord
from accord.agreement.uncertainty import Method

Cells = npt.NDArray[np.float64]

ITEMS = 60_000  # of a population
PER_DOCUMENT = 10
STUDIES, RESAMPLED = 1000, 300
RESAMPLES = 400
SIZES = (15, 20, 30, 50, 100, 200, 500, 1000)
DRAWN: tuple[Method, ...] = ("bootstrap", "bca", "bayesian")
MEASURES: dict[str, Callable[[accord.Study], accord.Agreement]] = {
    "fleiss_kappa": accord.fleiss_kappa,
    "conger_kappa": accord.conger_kappa,
    "light_kappa": accord.light_kappa,
    "gwet_ac": accord.gwet_ac,
    "alpha nominal": accord.krippendorff_alpha,
    "alpha interval": partial(accord.krippendorff_alpha, level="interval"),
    "percent": accord.percent_agreement,
}
OF_ALL = tuple(MEASURES)
PLAIN = tuple(name for name in MEASURES if name not in ("light_kappa", "alpha interval"))


@dataclass(frozen=True)
class Population:
    """Annotators who know the true label with a given probability, and otherwise answer by how common labels are."""

    shares: tuple[float, ...]  # of the labels
    knowing: float
    people: int = 2
    missing: float = 0.0
    documents: float = 0.0  # how much knowing differs between documents; 0: no documents
    sizes: tuple[int, ...] = SIZES
    measures: tuple[str, ...] = PLAIN

    def table(self, rng: np.random.Generator) -> Cells:
        """(items, annotators) the answers to all items; NaN where one is missing."""
        labels = np.arange(1.0, len(self.shares) + 1)
        truth = rng.choice(labels, ITEMS, p=self.shares)
        knowing = np.full((ITEMS, 1), self.knowing)
        if self.documents:
            by_document = self.knowing + self.documents * (rng.random(ITEMS // PER_DOCUMENT) - 0.5)
            knowing = np.repeat(by_document, PER_DOCUMENT)[:, None]
        guesses = rng.choice(labels, (ITEMS, self.people), p=self.shares)
        cells = np.where(rng.random(guesses.shape) < knowing, truth[:, None], guesses)
        return np.where(rng.random(cells.shape) < self.missing, np.nan, cells)


EVEN = (0.4, 0.3, 0.3)
POPULATIONS = {
    "two labels, even": Population((0.5, 0.5), 0.8),
    "one label 90 %": Population((0.9, 0.1), 0.8),
    "one label 95 %": Population((0.95, 0.05), 0.8, people=3),
    "one label 98 %": Population((0.98, 0.02), 0.78, people=3),
    "near 1": Population((0.5, 0.5), 0.985),
    "near 1, three annotators": Population((0.4, 0.3, 0.2, 0.1), 0.985, people=3),
    "three annotators": Population(EVEN, 0.75, people=3, measures=OF_ALL),
    "five, two in five answers missing": Population((0.5, 0.3, 0.2), 0.75, people=5, missing=0.4, measures=OF_ALL),
    "ten labels": Population((0.3, 0.2, 0.1, 0.1, 0.1, 0.05, 0.05, 0.05, 0.03, 0.02), 0.75, people=3),
    "8 documents of ten items": Population(EVEN, 0.65, people=3, documents=0.7, sizes=(80,)),
    "20 documents": Population(EVEN, 0.65, people=3, documents=0.7, sizes=(200,)),
    "60 documents": Population(EVEN, 0.65, people=3, documents=0.7, sizes=(600,)),
}


@cache
def cells_of(name: str) -> Cells:
    """The answers to all items of a population."""
    return POPULATIONS[name].table(np.random.default_rng(list(POPULATIONS).index(name)))


def study_of(name: str, rows: npt.NDArray[np.int64]) -> accord.Study:
    """The study of some items; by documents where the population has them."""
    population, cells = POPULATIONS[name], cells_of(name)[rows]
    labels = [float(label + 1) for label in range(len(population.shares))]
    if not population.documents:
        return accord.Study.from_wide(cells, labels=labels, levels="nominal")
    item, person = np.indices(cells.shape).reshape(2, -1)
    table = {
        "item": item.tolist(), "annotator": [f"a{one}" for one in person], "label": cells.ravel().tolist(),
        "document": (item // PER_DOCUMENT).tolist(),
    }  # fmt: skip
    return accord.Study(table, cluster="document", labels=labels, levels="nominal")


@cache
def truth(name: str, measure: str) -> float:
    """The coefficient of the whole population."""
    labels = [float(label + 1) for label in range(len(POPULATIONS[name].shares))]
    whole = accord.Study.from_wide(cells_of(name), labels=labels, levels="nominal")
    return MEASURES[measure](whole).value


def drawn(name: str, items: int, studies: int, seed: int = 0) -> Iterator[accord.Study]:
    """Random studies of so many items."""
    rng = np.random.default_rng([seed, items])
    for _ in range(studies):
        if POPULATIONS[name].documents:
            first = PER_DOCUMENT * rng.integers(0, ITEMS // PER_DOCUMENT, items // PER_DOCUMENT)
            rows = (first[:, None] + np.arange(PER_DOCUMENT)).ravel()
        else:
            rows = rng.integers(0, ITEMS, items)
        yield study_of(name, rows)


@dataclass
class Seen:
    """What intervals of one kind did: how many there were, and how many held the truth."""

    made: int = 0
    held: int = 0
    refused: int = 0

    def add(self, span: accord.Interval, true: float) -> None:
        """Count one more."""
        if math.isnan(span.low):
            self.refused += 1
        else:
            self.made += 1
            self.held += span.low <= true <= span.high

    @property
    def share(self) -> float:
        """Of those that there were, how many held the truth; NaN of too few to tell."""
        return self.held / self.made if self.made >= 30 else math.nan


@dataclass
class Row:
    """One population and size: what was seen of each method, by measure."""

    seen: dict[tuple[str, str], Seen] = field(default_factory=dict)

    def add(self, method: str, measure: str, span: accord.Interval, true: float) -> None:
        """Count one more."""
        self.seen.setdefault((method, measure), Seen()).add(span, true)

    def cell(self, method: str) -> str:
        """The least and the greatest share among the measures, and the share refused."""
        of_method = [seen for (one, _), seen in self.seen.items() if one == method]
        shares = [100 * seen.share for seen in of_method if not math.isnan(seen.share)]
        refused = max(100 * seen.refused / (seen.made + seen.refused) for seen in of_method)
        ends = f"{min(shares):.0f} to {max(shares):.0f}" if shares else "–"
        return ends + (f" ({refused:.0f} refused)" if refused >= 0.5 else "")


def run(name: str, items: int, studies: int, resampled: int) -> Row:
    """Draw the studies and ask each measure for its intervals."""
    row = Row()
    for number, study in enumerate(drawn(name, items, studies)):
        for measure in POPULATIONS[name].measures:
            result, true = MEASURES[measure](study), truth(name, measure)
            row.add("analytic", measure, result.interval(method="analytic"), true)
            if measure in ("fleiss_kappa", "gwet_ac") and number < resampled:
                row.add("jackknife", measure, result.interval(method="jackknife"), true)
                for method in DRAWN:
                    row.add(method, measure, result.interval(method=method, n_resamples=RESAMPLES, rng=number), true)
    return row


def main(studies: int = STUDIES, resampled: int = RESAMPLED, only: Sequence[str] = ()) -> None:
    """All populations, or some of them by their names."""
    print(f"{studies:,} studies of each kind, the first {resampled:,} also by {RESAMPLES} resamples; 95 % intervals\n")
    methods = ("analytic", "jackknife", *DRAWN) if resampled else ("analytic",)
    print(f"| population | items | {' | '.join(methods)} |\n|---|---|{'---|' * len(methods)}")
    begun = time.process_time()
    for name in only or POPULATIONS:
        for items in POPULATIONS[name].sizes:
            row = run(name, items, studies, resampled)
            print(f"| {name} | {items:,} | {' | '.join(row.cell(method) for method in methods)} |", flush=True)
    print(f"\n{time.process_time() - begun:.0f} s of processor time")


if __name__ == "__main__":
    given = [int(argument) for argument in sys.argv[1:3]]
    studies, resampled = given + [STUDIES, RESAMPLED][len(given) :]
    main(studies, resampled, sys.argv[3:])
