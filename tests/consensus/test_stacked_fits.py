"""Many small fits at once give what each gives by itself."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose

from accord.consensus import model_selection
from accord.consensus.ballots import Ballots
from accord.consensus.fit_models import FIRST, fitted
from accord.consensus.method_outcome import Options
from accord.consensus.stacked_fits import Stack, fit_stacked

HOW = Options(learn=True, iterations=40, tolerance=1e-6)
PRIORS = {
    "learned": HOW,
    "none": Options(iterations=40, tolerance=1e-6),
    "learned shares": Options(learn=True, shares="learned", iterations=40),
}


def questions(seed: int, number: int = 6, labels: int = 2, *, repeats: bool = False) -> list[Ballots]:
    """Of equal size and of any difficulty, so that some converge long before others; some items have no answer."""
    rng = np.random.default_rng(seed)
    found = []
    for skill in np.linspace(0.4, 0.98, number):
        truth = rng.integers(0, labels, 30)
        item, person = np.divmod(rng.permutation(150)[:90], 5)
        right = rng.random(90) < skill
        answer = np.where(right, truth[item], rng.integers(0, labels, 90))
        count = rng.integers(1, 4, 90) if repeats else None
        found.append(Ballots.from_codes(item, person, answer, 30, 5, labels, count))
    return found


@pytest.mark.parametrize("repeats", [False, True])
@pytest.mark.parametrize("prior", PRIORS)
@pytest.mark.parametrize("name", FIRST)
def test_each_question_ends_where_it_ends_by_itself(name: str, prior: str, repeats: bool) -> None:
    options = PRIORS[prior]
    for labels in (2, 4):
        alone = questions(labels, labels=labels, repeats=repeats)
        fits = [fitted(name, ballots, options) for ballots in alone]
        assert len({fit.iterations for fit in fits}) > 1, "or none would be left out before the others"
        stack = Stack.of(alone)
        first = FIRST[name](stack.ballots, options)
        found = fit_stacked(stack, first, iterations=options.iterations, tolerance=options.tolerance)
        assert_allclose(found.confusion, np.concatenate([fit.model.confusion for fit in fits]), atol=1e-12)
        soft = np.concatenate([fit.evidence.all(ballots) for fit, ballots in zip(fits, alone, strict=True)])
        assert_allclose(found.evidence.soft(stack.ballots, 0, stack.ballots.n_items)[0], soft, atol=1e-12)


def test_some_questions_of_a_stack_are_a_stack() -> None:
    alone = questions(1, repeats=True)
    part, same = Stack.of(alone).only(np.array([1, 4])), Stack.of([alone[1], alone[4]])
    assert part.number == 2
    for name in ("n_items", "n_annotators", "n_answers"):
        assert getattr(part.ballots, name) == getattr(same.ballots, name)
    for name in ("starts", "cells", "counts"):
        assert getattr(part.ballots, name).tolist() == getattr(same.ballots, name).tolist()
    assert part.answers.tolist() == [alone[1].total, alone[4].total]


def test_models_are_compared_alike_one_by_one_and_together(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = questions(3)
    together = model_selection.compared(asked, [Options()] * len(asked), np.random.default_rng(0))
    monkeypatch.setattr(model_selection, "MOST_STACKED", 0)
    alone = model_selection.compared(asked, [Options()] * len(asked), np.random.default_rng(0))
    assert together.found.keys() == alone.found.keys()
    assert together.often.tolist() == alone.often.tolist()
    for name, values in alone.found.items():
        assert_allclose(together.found[name], values, atol=1e-9)


def test_questions_with_a_known_label_are_fitted_by_themselves() -> None:
    asked = questions(4, number=2)
    known = [np.where(np.arange(30) < 5, 1, -1), np.full(30, -1)]
    each = [Options(known=codes) for codes in known]
    folds = [model_selection.Fold(b, np.zeros(len(b.cells), np.bool_), o) for b, o in zip(asked, each, strict=True)]
    assert [len(some) for some in model_selection._alike(folds)] == [1, 1]
    free = [model_selection.Fold(b, np.zeros(len(b.cells), np.bool_), Options()) for b in asked]
    assert [len(some) for some in model_selection._alike(free)] == [2]
