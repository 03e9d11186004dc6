"""How often does `explain` warn where nothing is wrong, and how often does it show a fault that was planted?

    python -m benchmarks.faults [studies without a fault] [studies of each fault]

The populations are those of an independent check, where warnings were once far too many: annotators without skill on
skewed labels, agreement that reaches its target with a rare label, documents with leanings of their own, gaps; and
equal skill throughout (n 25 to 200, 2 to 10 annotators, 2 to 6 labels, even and skewed, gaps, times). Each says which
warnings would be right there: agreement of people without skill is low, and may be called so.

Faults are planted in answers that are right with one chance for all. What counts is a warning, or a note whose p-value
survives correction (where agreement reaches its target all the same). Whether somebody else was blamed is counted too.

The last table holds the probabilities that `explain` itself gives (`Findings.power`, from studies without the fault)
against how often the fault was found once it was planted.

Must hold: at most 5 in 100 wrong warnings in each population; each fault as often as its line says; nothing promised
that is not kept, but for two standard errors. A fifth of guessed items among such as 85 % know is more than three
answers each can show on 200 items: what the best test of all would find is printed beside it.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

import accord
from accord.findings.explaining import explain
from accord.findings.findings_result import Findings

Cells = npt.NDArray[np.int64]
Shares = npt.NDArray[np.float64]
Made = Callable[[np.random.Generator], accord.Study]
Plant = Callable[[np.random.Generator, Cells, list[float], Any], Cells]  # by the part of the answers given so far
NAMES = np.array(list("abcdefgh"), dtype=object)
CLEAN, PLANTED = 200, 30
ANNOTATOR = ("unreliable-annotator", "outlying-annotator")
MOST_WARNED = 0.05
QUESTIONS = 20  # that `explain` asks of three annotators and four labels, each at its part of 5 %
LOW = frozenset({"low-agreement"})  # the warning that is right where agreement is low


def said(rng: np.random.Generator, items: int, people: int, marginals: Any, knows: Any) -> Cells:
    """Answers that are right with a chance, and otherwise fall on labels by their shares."""
    truth = rng.choice(len(marginals), items, p=marginals)[:, None]
    guess = rng.choice(len(marginals), (items, people), p=marginals)
    return np.asarray(np.where(rng.random((items, people)) < knows, truth, guess), dtype=np.int64)


def wide(cells: Cells, missing: Any = None) -> accord.Study:
    """A grid of letters; some cells may be missing."""
    table = NAMES[cells]
    if missing is not None:
        table[missing] = None
    return accord.Study.from_wide(table)


def even(labels: int) -> list[float]:
    """Labels in equal shares."""
    return [1 / labels] * labels


# -- nothing planted --------------------------------------------------------------------------------------------------


def no_skill(items: int, marginals: list[float], people: int = 2) -> Made:
    """Everybody guesses, by the shares of the labels."""
    return lambda rng: wide(said(rng, items, people, marginals, 0.0))


def true_kappa(items: int, marginals: list[float], people: int, kappa: float = 0.75) -> Made:
    """Agreement whose true kappa lies above the usual target of 0.70."""
    return lambda rng: wide(said(rng, items, people, marginals, kappa**0.5))


def leanings(people: int, documents: int = 15, per_document: int = 8) -> Made:
    """In every document each annotator leans to some labels, and on the whole to none; the documents are known."""

    def made(rng: np.random.Generator) -> accord.Study:
        rows: list[dict[str, Any]] = []
        for document in range(documents):
            lean = rng.normal(0, 1.0, (people, 3))
            for item in range(per_document):
                odds = np.exp(lean + 3.0 * (np.arange(3) == rng.integers(3)))
                rows += [
                    {"item": f"{document}-{item}", "annotator": f"a{who}", "document": document,
                     "label": NAMES[rng.choice(3, p=odds[who] / odds[who].sum())]}
                    for who in range(people)
                ]  # fmt: skip
        return accord.Study(rows, cluster="document")

    return made


def equal_skill(rng: np.random.Generator) -> accord.Study:
    """Any size, any number of people and labels, even or skewed, with gaps and times or without."""
    items, people, labels = int(rng.choice([25, 60, 120, 200])), int(rng.integers(2, 11)), int(rng.integers(2, 7))
    marginals = even(labels) if rng.random() < 0.5 else rng.dirichlet(np.full(labels, 1.5)).tolist()
    cells = said(rng, items, people, marginals, float(rng.choice([0.65, 0.85, 0.97])))
    missing = rng.random(cells.shape) < (rng.uniform(0.1, 0.4) if rng.random() < 0.5 else 0.0)
    item, who = np.nonzero(~missing)
    when = rng.permuted(np.tile(np.arange(items), (people, 1)), axis=1).T
    rows = {"item": item, "annotator": who, "label": NAMES[cells[item, who]].tolist(), "when": when[item, who]}
    return accord.Study(rows, time="when" if rng.random() < 0.5 else None)


def habit(rng: np.random.Generator) -> accord.Study:
    """Somebody who prefers a label answered few of the items: no gap goes with a label."""
    cells = said(rng, 200, 3, even(3), 0.85)
    missing = rng.random(cells.shape) < np.array([0.6, 0.15, 0.15])
    cells[:, 0] = np.where(rng.random(200) < 0.1, 0, cells[:, 0])
    return wide(cells, missing)


SKEWED: list[float] = [0.9, 0.06, 0.04]
NOTHING: dict[str, tuple[Made, frozenset[str]]] = {
    "equal skill, n 25–200, R 2–10, K 2–6, gaps, times": (equal_skill, LOW),
    "no skill, n = 50, .90/.06/.04": (no_skill(50, SKEWED), LOW),
    "no skill, n = 50, .95/.05": (no_skill(50, [0.95, 0.05]), LOW),
    "no skill, n = 100, .95/.03/.02": (no_skill(100, [0.95, 0.03, 0.02]), LOW),
    "no skill, n = 200, .97/.02/.01": (no_skill(200, [0.97, 0.02, 0.01]), LOW),
    "no skill, n = 50, R = 3": (no_skill(50, SKEWED, 3), LOW),
    "true kappa .75, n = 25, .9/.1": (true_kappa(25, [0.9, 0.1], 2), frozenset()),
    "true kappa .75, n = 50, .95/.05": (true_kappa(50, [0.95, 0.05], 2), frozenset()),
    "true kappa .75, n = 50, .95/.05, R = 3": (true_kappa(50, [0.95, 0.05], 3), frozenset()),
    "true kappa .75, n = 100, .97/.03": (true_kappa(100, [0.97, 0.03], 2), frozenset()),
    "leanings by document, R = 2": (leanings(2), LOW),
    "leanings by document, R = 3": (leanings(3), LOW),
    "leanings by document, R = 5": (leanings(5), LOW),
    "gaps of one with a habit": (habit, LOW | {*ANNOTATOR}),
}


def wrong_warnings(name: str, number: int, seed: int = 0) -> tuple[float, dict[str, int]]:
    """The share of studies with a warning that is wrong there, and which those are."""
    make, right = NOTHING[name]
    seen: dict[str, int] = {}
    some = 0
    for one in range(number):
        found = explain(make(np.random.default_rng([seed, one, len(name)])))
        wrong = {finding.name for finding in found.warnings} - right
        some += bool(wrong)
        for finding in wrong:
            seen[finding] = seen.get(finding, 0) + 1
    return some / max(number, 1), seen


# -- faults ------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Planted:
    """A fault: how it is made, what shows it, whom it concerns, and in which share of studies it must be found."""

    make: Made
    shows: tuple[str, ...]
    least: float
    people: tuple[str, ...] = ()  # whom it concerns; somebody else alone would be blamed wrongly


def guesser(items: int, people: int, share: float = 0.55, knows: float = 0.85) -> Made:
    """The first of the annotators guesses a part of the answers."""
    return lambda rng: wide(said(rng, items, people, even(4), np.array([knows * (1 - share), *[knows] * (people - 1)])))


def constant(rng: np.random.Generator) -> accord.Study:
    """One gives one label throughout."""
    cells = said(rng, 60, 3, even(4), 0.85)
    cells[:, 0] = 0
    return wide(cells)


def swapped(labels: list[str] | None) -> Made:
    """Cats are taken for dogs and dogs for cats, 25 % of the time; the labels are declared or not."""

    def made(rng: np.random.Generator) -> accord.Study:
        cells = said(rng, 200, 3, even(3), 0.92)
        turned = rng.random(cells.shape) < 0.25
        names = np.array(["cat", "dog", "bird"], dtype=object)
        return accord.Study.from_wide(names[np.where(turned & (cells < 2), 1 - cells, cells)], labels=labels)

    return made


def copying(items: int, people: int, share: float = 0.8) -> Made:
    """The first copies the second."""

    def made(rng: np.random.Generator) -> accord.Study:
        cells = said(rng, items, people, even(4), 0.75)
        cells[:, 0] = np.where(rng.random(items) < share, cells[:, 1], cells[:, 0])
        return wide(cells)

    return made


def hard(share: float, people: int, knows: float = 0.97, items: int = 200) -> Made:
    """Everybody guesses on a part of the items."""
    return lambda rng: wide(said(rng, items, people, even(4), np.where(rng.random(items) < share, 0.0, knows)[:, None]))


def skipped(people: int) -> Made:
    """Answers to one label are left out in 40 % of cases, others in 10 %."""

    def made(rng: np.random.Generator) -> accord.Study:
        truth = rng.integers(0, 3, (200, 1))
        cells = np.where(rng.random((200, people)) < 0.85, truth, rng.integers(0, 3, (200, people)))
        return wide(cells, rng.random(cells.shape) < np.where(truth == 1, 0.4, 0.1))

    return made


def drifting(items: int, people: int, who: slice) -> Made:
    """Some or all know less and less."""

    def made(rng: np.random.Generator) -> accord.Study:
        knows = np.full((items, people), 0.9)
        knows[:, who] = np.linspace(0.98, 0.3, items)[:, None]
        cells = said(rng, items, people, even(4), knows)
        item, annotator = np.nonzero(cells >= 0)
        rows = {"item": item, "annotator": annotator, "label": NAMES[cells[item, annotator]].tolist(), "when": item}
        return accord.Study(rows, time="when")

    return made


DRIFT = ("annotator-drifts", "too-little-training", "disagreement-rises")
FAULTS: dict[str, Planted] = {
    "guesses 55 %, n = 60, R = 3": Planted(guesser(60, 3), ANNOTATOR, 0.3, ("1",)),
    "guesses 55 %, n = 60, R = 5": Planted(guesser(60, 5), ANNOTATOR, 0.3, ("1",)),
    "guesses 55 %, n = 200, R = 3": Planted(guesser(200, 3), ANNOTATOR, 0.95, ("1",)),
    "guesses 55 %, n = 200, R = 5": Planted(guesser(200, 5), ANNOTATOR, 0.95, ("1",)),
    "guesses all, n = 60, R = 3": Planted(guesser(60, 3, 1.0), ANNOTATOR, 0.95, ("1",)),
    "one label throughout, n = 60, R = 3": Planted(constant, ("constant-answers", *ANNOTATOR), 0.95, ("1",)),
    "cat and dog swapped 25 %": Planted(swapped(None), ("unclear-guidelines",), 0.95),
    "… declared side by side": Planted(swapped(["cat", "dog", "bird"]), ("unclear-guidelines",), 0.95),
    "… declared apart": Planted(swapped(["cat", "bird", "dog"]), ("unclear-guidelines",), 0.95),
    "one drifts, n = 200, R = 3": Planted(drifting(200, 3, slice(1)), DRIFT, 0.8),
    "all drift, n = 200, R = 5": Planted(drifting(200, 5, slice(None)), DRIFT, 0.95),
    "copies 80 %, n = 300, R = 5": Planted(copying(300, 5), ("copied-answers",), 0.9, ("1", "2")),
    "copies 80 %, n = 300, R = 8": Planted(copying(300, 8), ("copied-answers",), 0.9, ("1", "2")),
    "copies 80 %, n = 300, R = 10": Planted(copying(300, 10), ("copied-answers",), 0.9, ("1", "2")),
    "35 % of items guessed, R = 5": Planted(hard(0.35, 5), ("hard-items",), 0.8),
    "35 % of items guessed, R = 3": Planted(hard(0.35, 3), ("hard-items",), 0.8),
    "a hard fifth, R = 5": Planted(hard(0.2, 5), ("hard-items",), 0.8),
    "a hard fifth, R = 3": Planted(hard(0.2, 3), ("hard-items",), 0.8),
    "a hard fifth, R = 5, the others know 85 %": Planted(hard(0.2, 5, 0.85), ("hard-items",), 0.8),
    "a hard fifth, R = 3, the others know 85 %": Planted(hard(0.2, 3, 0.85), ("hard-items",), 0.25),
    "… of 500 items": Planted(hard(0.2, 3, 0.85, 500), ("hard-items",), 0.75),
    "one label skipped 40 %, n = 200, R = 3": Planted(skipped(3), ("gaps-go-with-labels",), 0.9),
}


def shows(found: Findings, names: tuple[str, ...]) -> bool:
    """Is one of them a warning, or sure and a note?"""
    return any(
        one.name in names and (one.severity == "warning" or (one.p_corrected is not None and one.p_corrected < 0.05))
        for one in found
    )


def blames(found: Findings, people: tuple[str, ...]) -> bool:
    """Is somebody else called unreliable, random or copied, for sure?"""
    accused = {
        name
        for one in found
        if one.name in (*ANNOTATOR, "copied-answers", "constant-answers") and one.severity == "warning"
        for name in one.annotators
    }
    return bool(accused - {*people})


def found_in(name: str, number: int, seed: int = 0) -> tuple[float, float]:
    """The share of studies in which a fault is shown, and in which somebody else is blamed."""
    planted = FAULTS[name]
    told = [explain(planted.make(np.random.default_rng([seed, one, len(name)]))) for one in range(number)]
    wrongly = sum(blames(found, planted.people) for found in told) if planted.people else 0
    return sum(shows(found, planted.shows) for found in told) / max(number, 1), wrongly / max(number, 1)


# -- the most that any test could find ---------------------------------------------------------------------------------


def met(knows: float, labels: int) -> Shares:
    """How often three answers to an item are all the same, two of them, or none; others guess evenly."""
    right, wrong = knows + (1 - knows) / labels, (1 - knows) / labels
    same = right**3 + (labels - 1) * wrong**3
    none = (labels - 1) * (labels - 2) * (3 * right * wrong**2 + (labels - 3) * wrong**3)
    return np.array([same, 1 - same - none, none])


def best_test(items: int, share: float, knows: float, labels: int, level: float) -> float:
    """How likely the best test of all shows a share of guessed items by three answers each, at a level.

    It knows the shares that there are, and holds them against the one chance for all items that looks most like them
    (Neyman & Pearson): no test that is wrong at most so often where all items are alike can show more. Labels and
    people are alike, so that how many of the answers to an item match is all that there is to know.
    """
    from scipy.stats import multinomial

    planted = (1 - share) * met(knows, labels) + share * met(0.0, labels)
    chances = (met(chance, labels) for chance in np.linspace(0, 0.999, 1_000))
    alike = min(chances, key=lambda one: float(planted @ np.log(planted / one)))
    same, two = np.divmod(np.arange((items + 1) ** 2), items + 1)
    seen = np.stack((same, two, items - same - two), axis=1)[same + two <= items]
    order = np.argsort(-(seen @ np.log(planted / alike)), kind="stable")
    wrongly, rightly = (np.cumsum(multinomial.pmf(seen[order], items, one)) for one in (alike, planted))
    last = int(np.searchsorted(wrongly, level, side="right"))
    begun = (level - (wrongly[last - 1] if last else 0.0)) / (wrongly[last] - (wrongly[last - 1] if last else 0.0))
    before = rightly[last - 1] if last else 0.0
    return float(before + begun * (rightly[last] - before))  # at its limit it tosses a coin, and so is never below


# -- power -------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Size:
    """A study of equal skill, in which one fault after the other is planted; everybody has an order of their own."""

    items: int
    people: int
    marginals: list[float]
    knows: float
    timed: bool = False

    def study(self, rng: np.random.Generator, plant: Plant | None = None) -> accord.Study:
        """With a fault or without."""
        cells = said(rng, self.items, self.people, self.marginals, self.knows)
        order = rng.permuted(np.tile(np.arange(self.items), (self.people, 1)), axis=1).T
        if plant is not None:
            cells = plant(rng, cells, self.marginals, (order + 1) / self.items)
        if not self.timed:
            return wide(cells)
        item, who = np.nonzero(cells >= 0)
        rows = {"item": item, "annotator": who, "label": NAMES[cells[item, who]].tolist(), "when": order[item, who]}
        return accord.Study(rows, time="when")


def half_guessed(rng: np.random.Generator, cells: Cells, marginals: list[float], _part: Any) -> Cells:
    """The first annotator guesses half of the answers."""
    guess = rng.choice(len(marginals), len(cells), p=marginals)
    cells[:, 0] = np.where(rng.random(len(cells)) < 0.5, guess, cells[:, 0])
    return cells


def quarter_swapped(rng: np.random.Generator, cells: Cells, marginals: list[float], _part: Any) -> Cells:
    """Everybody takes the two commonest labels for each other in a quarter of the answers."""
    one, other = np.argsort(-np.bincount(cells.ravel(), minlength=len(marginals)), kind="stable")[:2]
    turned = rng.random(cells.shape) < 0.25
    return np.where(turned & (cells == one), other, np.where(turned & (cells == other), one, cells))


def fifth_hard(rng: np.random.Generator, cells: Cells, marginals: list[float], _part: Any) -> Cells:
    """Everybody guesses on a fifth of the items."""
    return np.where(rng.random((len(cells), 1)) < 0.2, rng.choice(len(marginals), cells.shape, p=marginals), cells)


def mostly_copied(rng: np.random.Generator, cells: Cells, _marginals: list[float], _part: Any) -> Cells:
    """The first annotator copies four fifths of the answers from the second."""
    cells[:, 0] = np.where(rng.random(len(cells)) < 0.8, cells[:, 1], cells[:, 0])
    return cells


def tenth_moved(rng: np.random.Generator, cells: Cells, marginals: list[float], _part: Any) -> Cells:
    """The first annotator gives the commonest label on a tenth more of the items."""
    common = int(np.bincount(cells.ravel(), minlength=len(marginals)).argmax())
    cells[rng.permutation(np.nonzero(cells[:, 0] != common)[0])[: len(cells) // 10], 0] = common
    return cells


def getting_worse(rng: np.random.Generator, cells: Cells, marginals: list[float], part: Any) -> Cells:
    """Everybody guesses more and more: the distance from the others rises by 0.2, by the root of the part done."""
    seen = np.mean([cells[:, one] != cells[:, two] for one in range(cells.shape[1]) for two in range(one)])
    rise = 0.2 / max(1 - float(np.square(marginals).sum()) - float(seen), 0.05)
    more = 0.75 * (
        1 - np.sqrt(max(1 - 8 / 3 * rise, 0.0))
    )  # the others guess more as well: two thirds of it on average
    return np.where(
        rng.random(cells.shape) < more * np.sqrt(part), rng.choice(len(marginals), cells.shape, p=marginals), cells
    )


SIZES: dict[str, Size] = {
    "60 × 3, four labels": Size(60, 3, even(4), 0.85),
    "100 × 3, three labels": Size(100, 3, even(3), 0.9),
    "200 × 3, four labels": Size(200, 3, even(4), 0.75),
    "100 × 6, five labels": Size(100, 6, even(5), 0.7),
    "150 × 3, .8/.15/.05": Size(150, 3, [0.8, 0.15, 0.05], 0.85),
    "200 × 2, three labels": Size(200, 2, even(3), 0.85),
    "150 × 3, four labels, times": Size(150, 3, even(4), 0.85, timed=True),
}
PLANTS: dict[str, tuple[Plant, tuple[str, ...]]] = {
    "guessing-annotator": (half_guessed, ANNOTATOR),
    "confused-labels": (quarter_swapped, ("confused-labels", "unclear-guidelines")),
    "hard-items": (fifth_hard, ("hard-items",)),
    "copied-answers": (mostly_copied, ("copied-answers",)),
    "different-label-use": (tenth_moved, ("different-label-use",)),
    "rising-disagreement": (getting_worse, ("disagreement-rises",)),
}


def promised_and_kept(
    size: Size, number: int, seed: int = 0, faults: Collection[str] = ()
) -> Iterator[tuple[str, float, float]]:
    """For each fault, or for some, the probability that `explain` gives of it over studies without it, and how often it
    is found.
    """
    promised: dict[str, list[float]] = {}
    for one in range(number):
        for power in explain(size.study(np.random.default_rng([seed, one, 1]))).power:
            if not faults or power.fault in faults:
                promised.setdefault(power.fault, []).append(power.probability)
    for fault, told in promised.items():
        plant, names = PLANTS[fault]
        kept = 0
        for one in range(number if max(told) > 0 else 0):
            kept += shows(explain(size.study(np.random.default_rng([seed, one, 2]), plant)), names)
        yield fault, float(np.mean(told)), kept / number


def is_kept(promised: float, kept: float, number: int) -> bool:
    """Was a fault found as often as was promised, or more often, but for two standard errors of so many studies?"""
    share = (kept * number + 2) / (number + 4)  # none of 30 is no proof of never
    return bool(promised <= kept + 2 * (share * (1 - share) / number) ** 0.5)


def main() -> None:
    """Print the three tables; stop with an error where a promise is not kept."""
    clean = int(sys.argv[1]) if len(sys.argv) > 1 else CLEAN
    planted = int(sys.argv[2]) if len(sys.argv) > 2 else PLANTED
    begin, kept = time.perf_counter(), True
    print(f"nothing planted, {clean} studies each: any wrong warning (at most {MOST_WARNED:.0%})")
    for name in NOTHING:
        share, which = wrong_warnings(name, clean)
        kept &= share <= MOST_WARNED
        print(f"  {name:52} {share:6.1%}  {which or ''}", flush=True)
    print(f"planted, {planted} studies each: found (at least), somebody else blamed")
    for name, fault in FAULTS.items():
        share, wrongly = found_in(name, planted)
        kept &= share >= fault.least and wrongly == 0
        print(f"  {name:52} {share:6.0%} ({fault.least:.0%})  {wrongly:.0%}", flush=True)
    for items in (200, 500):
        most = [best_test(items, 0.2, 0.85, 4, level) for level in (MOST_WARNED, MOST_WARNED / QUESTIONS)]
        print(
            f"the most that any test could find of a hard fifth of {items} items by three answers, where the others "
            f"know 85 %: {most[1]:.0%} among {QUESTIONS} questions, {most[0]:.0%} if nothing else were asked"
        )
    print(f"power, {planted} studies each: promised by explain, kept")
    for title, size in SIZES.items():
        for name, promised, real in promised_and_kept(size, planted):
            kept &= is_kept(promised, real, planted)
            doubt = "" if is_kept(promised, real, planted) else "  promised too much"
            print(f"  {title:28} {name:22} {promised:6.2f} {real:6.2f}{doubt}", flush=True)
    print(f"{time.perf_counter() - begin:.0f} s")
    sys.exit(0 if kept else 1)


if __name__ == "__main__":
    main()
