"""Choosing a method: the simplest of those that best predict answers they have not seen.

No method wins everywhere, and accuracy cannot be seen without gold. What can be seen is how probable a model finds
answers that were held out, given the item's other answers and what it learned of the annotator. Every model that has a
likelihood is asked; the majority takes part as the model in which everybody has one and the same accuracy. Models that
cannot be told apart by it are ranked by what they have to learn: the simplest wins.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import TypeAlias

import numpy as np

from accord.agreement.table import Table
from accord.annotations.arrays import BoolArray, FloatArray, IntArray
from accord.consensus.ballots import BLOCK_ITEMS, Ballots
from accord.consensus.dawid_skene import FEW_ANSWERS
from accord.consensus.evidence import LabelEvidence
from accord.consensus.fit_models import FIRST, fitted
from accord.consensus.glad import skill_and_ease
from accord.consensus.method_outcome import Options
from accord.consensus.numeric_methods import Scores, mean, weighted_mean
from accord.consensus.stacked_fits import Stack, fit_stacked
from accord.consensus.table_sizes import numbers_of

# of a block of items: how probable held-out answers are, from the item (counted from the block's first) and the cell
Likely: TypeAlias = Callable[[int, int, IntArray, IntArray], FloatArray]
FOLDS = 5
MANY = 200_000  # answers; beyond, one part in ten is held out once
MANY_ANSWERS = 2_000_000  # beyond, and beyond so many per annotator and label, a sample of the items tells as much
ENOUGH_EACH = 2 * FEW_ANSWERS
MANY_NUMBERS = 2_000_000  # of the tables that a step of a model fills; beyond, the same
GLAD_ANSWERS = 20_000  # a number per item takes long to learn, five times over
MOST_STACKED = 60_000  # numbers that a step fills: so many are fitted at once, where asking takes longer than adding up
HELD_OUT_ITERATIONS = 100
HELD_OUT_TOLERANCE = 1e-6
LEAST_VARIANCE = 1e-12  # of held-out scores whose largest is one
TINY = float(np.finfo(np.float64).tiny)
LEARNED = ", learned shares"  # how common the labels are is itself a question: even ones are the default of these two
METHOD_OF = {"one-accuracy": "majority", f"one-coin{LEARNED}": "one-coin", f"mace{LEARNED}": "mace"}
# by what has to be learned: one number, one per annotator, habits too, how common labels are, a table per annotator,
# a number per item
SIMPLEST_FIRST = (
    "one-accuracy", "one-coin", "mace", f"one-coin{LEARNED}", f"mace{LEARNED}", "dawid-skene", "glad",
    "mean", "weighted-mean",
)  # fmt: skip
STANDARD_ERRORS_APART = 2.0  # standard errors


@dataclass(frozen=True, eq=False)
class Chosen:
    """The method that was chosen, why, and the others beside it."""

    method: str
    reason: str
    table: Table
    model: str = ""  # as the table calls it; "" where no model was asked
    unsure: bool = False  # does nothing tell how good annotators are?

    @property
    def shares(self) -> str | None:
        """How common labels are is "learned" where that variant was chosen."""
        return "learned" if self.model.endswith(LEARNED) else None


def compared(questions: Sequence[Ballots], options_each: Sequence[Options], rng: np.random.Generator) -> Contest:
    """Held-out log-likelihood of every model, over one question or (sets) one per label."""
    names = [*FIRST]
    if all(options.shares is None for options in options_each):
        names += [name for name in METHOD_OF if name.endswith(LEARNED)]
    if sum(len(ballots.cells) for ballots in questions) <= GLAD_ANSWERS:
        names.append("glad")
    folds: list[Fold] = []
    spared = 0
    for whole, options_of_all in zip(questions, options_each, strict=True):
        ballots, options = _enough(whole, options_of_all, rng)
        spared += whole.n_items - ballots.n_items
        folds += [Fold(ballots, held_out, options) for held_out in _folds(ballots, rng)]
    parts: dict[str, list[FloatArray]] = {name: [] for name in names}
    for some in _alike(folds):
        for done, name in enumerate(names, start=1):
            parts[name].append(_predicted(name, some))
            if some[0].options.on_iteration is not None:  # so that whoever waits sees how far the comparison has come
                some[0].options.on_iteration(done, len(names), float(parts[name][-1].sum()))
    found = {name: np.concatenate(values) for name, values in parts.items()}
    return Contest(found, np.concatenate([fold.often for fold in folds]), spared)


@dataclass(frozen=True, eq=False)
class Fold:
    """A question some of whose answers are held out."""

    ballots: Ballots
    held_out: BoolArray
    options: Options

    @property
    def often(self) -> FloatArray:
        """How often each held-out answer was given."""
        counts = self.ballots.counts
        return np.ones(int(self.held_out.sum())) if counts is None else counts[self.held_out].astype(np.float64)

    @property
    def size(self) -> tuple[int, int, int]:
        """Only folds of one size can be fitted together."""
        return self.ballots.n_items, self.ballots.n_annotators, self.ballots.n_answers


def _alike(folds: Sequence[Fold]) -> Iterator[list[Fold]]:
    """As many folds at a time as can be fitted together: small ones of one size, in which no label is known."""
    some: list[Fold] = []
    for fold in folds:
        number = len(some) + 1
        full = number * numbers_of(fold.ballots) > MOST_STACKED or number * fold.ballots.n_items > BLOCK_ITEMS
        if some and (full or fold.options.known is not None or fold.size != some[0].size):
            yield some
            some = []
        some.append(fold)
    if some:
        yield some


def _enough(ballots: Ballots, options: Options, rng: np.random.Generator) -> tuple[Ballots, Options]:
    """All items; or some drawn at random where these tell as much: every annotator's table is well known by them."""
    wanted = max(MANY_ANSWERS, ENOUGH_EACH * ballots.width)
    share = wanted / max(len(ballots.cells), 1)
    if share >= 1:
        return ballots, options
    chosen = rng.random(ballots.n_items) < share
    known = None if options.known is None else options.known[chosen]
    return ballots.of_items(chosen), replace(options, known=known)


def _folds(ballots: Ballots, rng: np.random.Generator) -> list[BoolArray]:
    """Which entries are held out, fold by fold."""
    number = len(ballots.cells)
    if number > MANY or numbers_of(ballots) > MANY_NUMBERS:
        return [rng.random(number) < 0.1]
    fold = rng.permutation(number) % FOLDS
    return [fold == place for place in range(FOLDS) if (fold == place).any()]


def _predicted(name: str, folds: Sequence[Fold]) -> FloatArray:
    """The log probability of each held-out answer, by what the other answers teach: small folds in one fit."""
    options = replace(
        folds[0].options,
        learn=True,
        iterations=HELD_OUT_ITERATIONS,
        tolerance=HELD_OUT_TOLERANCE,
        restarts=0,
        on_iteration=None,
    )
    if name.endswith(LEARNED):
        name, options = METHOD_OF[name], replace(options, shares="learned")
    if name == "glad":
        return np.concatenate([_held_out(fold.ballots, fold.held_out, _by_ease, options) for fold in folds])
    held_out = np.concatenate([fold.held_out for fold in folds])
    if len(folds) > 1:
        stack = Stack.of([fold.ballots for fold in folds])
        return _held_out(stack.ballots, held_out, partial(_stacked, name, len(folds)), options)
    return _held_out(folds[0].ballots, held_out, partial(_fitted, name), options)


def _held_out(
    ballots: Ballots, held_out: BoolArray, learned: Callable[[Ballots, Options], Likely], options: Options
) -> FloatArray:
    """The same by one way to learn from answers."""
    train = ballots.keep(~held_out)
    likely = learned(train, options)

    def work(begin: int, end: int) -> FloatArray:
        here = slice(int(ballots.starts[begin]), int(ballots.starts[end]))
        out = held_out[here]
        return likely(begin, end, ballots.entry_items(begin, end)[out], ballots.cells[here][out])

    chance = np.concatenate(list(train.each(work)))
    return np.asarray(np.log(np.maximum(chance, 1e-300)))


def _fitted(name: str, train: Ballots, options: Options) -> Likely:
    """By a model of one question."""
    found = fitted(name, train, options)
    return _by_confusion(found.model.confusion, found.evidence, train)


def _stacked(name: str, questions: int, train: Ballots, options: Options) -> Likely:
    """By a model of each of several questions."""
    first = FIRST[name](train, options)
    found = fit_stacked(Stack(train, questions), first, iterations=options.iterations, tolerance=options.tolerance)
    return _by_confusion(found.confusion, found.evidence, train)


def _by_confusion(confusion: FloatArray, evidence: LabelEvidence, train: Ballots) -> Likely:
    """By everybody's confusion table."""
    by_cell = confusion.transpose(0, 2, 1).reshape(train.width, -1)

    def likely(begin: int, end: int, item: IntArray, cell: IntArray) -> FloatArray:
        soft = evidence.soft(train, begin, end)[0]
        return np.asarray(np.einsum("ec,ec->e", soft[item], by_cell[cell]))

    return likely


def _by_ease(train: Ballots, options: Options) -> Likely:
    """By how skilled people are and how easy items."""
    skill, ease, evidence = skill_and_ease(train, options)

    def likely(begin: int, end: int, item: IntArray, cell: IntArray) -> FloatArray:
        person, answer = np.divmod(cell, train.n_answers)
        right = 1 / (1 + np.exp(-np.clip(skill[person] * ease[begin + item], -500, 500)))
        posterior = evidence.soft(train, begin, end)[0][item, answer]
        return np.asarray(posterior * right + (1 - posterior) * (1 - right) / max(train.n_answers - 1, 1))

    return likely


@dataclass(frozen=True, eq=False)
class Contest:
    """How probable each model finds each held-out answer."""

    found: Mapping[str, FloatArray]  # model ─▶ log probabilities
    often: FloatArray  # how often each answer was given
    spared: int = 0  # items (of sets: over all labels) that were not asked, as those drawn tell as much

    @cached_property
    def means(self) -> dict[str, float]:
        """Per answer."""
        return {name: float(np.average(values, weights=self.often)) for name, values in self.found.items()}

    @cached_property
    def order(self) -> list[str]:
        """The best first; a model without a score stands last: NaN has no place of its own in an order."""
        means = self.means
        return sorted(means, key=lambda name: -means[name] if np.isfinite(means[name]) else np.inf)

    def winner(self, refused: Collection[str] = ()) -> Chosen:
        """The simplest of the models that cannot be told from the best, leaving out those that were refused."""
        order = [name for name in self.order if name not in refused]
        best = order[0]
        equal = [name for name in order if name == best or self._indistinguishable(best, name)]
        chosen = min(equal, key=SIMPLEST_FIRST.index)
        return Chosen(METHOD_OF.get(chosen, chosen), self._reason(chosen, order, equal), self.table, chosen)

    def _indistinguishable(self, best: str, other: str) -> bool:
        behind, error = _behind(self.found[best], self.found[other], self.often)
        return behind <= STANDARD_ERRORS_APART * error  # NaN, of a model without a score, is not

    def _notes(self) -> tuple[str, ...]:
        held_out = f"{len(self.often):,} answers were held out and predicted from the rest"
        if not self.spared:
            return (f"{held_out}.",)
        return (f"{held_out}, in a sample: {self.spared:,} items were not drawn for this comparison.",)

    def _reason(self, chosen: str, order: list[str], equal: list[str]) -> str:
        best, name = order[0], _called(chosen)
        score = f"log-likelihood {self.means[best]:.4f} per answer"
        if len(equal) > 1:
            others = f"{len(equal)} models" if len(equal) < len(order) else "the models"
            lead = f"{name} is the simplest of {others} that held-out answers cannot tell apart"
            if chosen == best:
                return f"{lead}, and predicts them best: {score}."
            behind, error = _behind(self.found[best], self.found[chosen], self.often)
            return f"{lead}: {_called(best)} predicts them best, {score}, {_gap(behind, error)} ahead of it."
        reason = f"{name} predicts held-out answers best: {score}"
        second = order[1] if len(order) > 1 else best
        behind, error = _behind(self.found[best], self.found[second], self.often)
        if second == best or not np.isfinite(behind):
            return f"{reason}."
        return f"{reason}, {_gap(behind, error)} ahead of {_called(second)}."

    @cached_property
    def table(self) -> Table:
        """One row per model, the best first."""
        order, best = self.order, self.found[self.order[0]]
        behind, errors = zip(*(_behind(best, self.found[name], self.often) for name in order), strict=True)
        return Table(
            "Held-out log-likelihood per answer",
            {
                "model": order,
                "method": [METHOD_OF.get(name, name) for name in order],
                "log_likelihood": np.array([self.means[name] for name in order]),
                "behind": np.array(behind),
                "se": np.array(errors),
            },
            self._notes(),
        )


def _called(model: str) -> str:
    return "majority" if model == "one-accuracy" else model


def _gap(behind: float, error: float) -> str:
    return f"{behind:.4f} (standard error {error:.4f})"


def _behind(best: FloatArray, other: FloatArray, often: FloatArray) -> tuple[float, float]:
    """How much less probable a model finds an answer than the best does, with the standard error; NaN without a
    score.
    """
    if not (np.isfinite(best).all() and np.isfinite(other).all()):
        return np.nan, np.nan
    gap = best - other
    behind = float(np.average(gap, weights=often))
    return behind, float(np.sqrt(np.average((gap - behind) ** 2, weights=often) / len(gap)))


def choose_for_scores(scores: Scores, rng: np.random.Generator) -> Chosen:
    """The mean (one precision for all, no bias) against the weighted mean, by held-out log density."""
    fold = rng.permutation(len(scores.item)) % FOLDS
    found: dict[str, list[FloatArray]] = {"mean": [], "weighted-mean": []}
    often = []
    for place in range(FOLDS):
        held_out = fold == place
        train = Scores(
            item=scores.item[~held_out],
            annotator=scores.annotator[~held_out],
            value=scores.value[~held_out],
            count=scores.count[~held_out],
            n_items=scores.n_items,
            n_annotators=scores.n_annotators,
        )
        answered = held_out & (train.by_item[scores.item] > 0)
        if not answered.any():
            continue
        often.append(scores.count[answered])
        for name, values in found.items():
            values.append(_density(name, train, scores, answered))
    if not often:
        reason = "No item has two answers, so nothing can be predicted; the mean needs the least."
        return Chosen("mean", reason, Table("Held-out log-likelihood per answer", {"model": [], "method": []}))
    return Contest({name: np.concatenate(values) for name, values in found.items()}, np.concatenate(often)).winner()


def _density(name: str, train: Scores, scores: Scores, held_out: BoolArray) -> FloatArray:
    """The log density of held-out numbers."""
    item, who, value = scores.item[held_out], scores.annotator[held_out], scores.value[held_out]
    learned = weighted_mean(train, iterations=HELD_OUT_ITERATIONS)
    spread = learned.spread
    if name == "mean" or spread is None or learned.bias is None or np.isnan(spread).any():
        plain = mean(train)
        centre = plain.value[item]
        squares = train.count * (train.value - plain.value[train.item]) ** 2
        df = max(float(train.count.sum() - np.count_nonzero(train.by_item)), 1.0)
        variance = float(squares.sum()) / df * (1 + 1 / train.by_item[item])
    else:
        centre = learned.value[item] + learned.bias[who]
        variance = learned.se[item] ** 2 + spread[who] ** 2
    largest = float(np.abs(scores.value).max(initial=0.0))
    variance = np.maximum(variance, max(LEAST_VARIANCE * largest**2, TINY))
    return -0.5 * (np.log(2 * np.pi * variance) + (value - centre) ** 2 / variance)
