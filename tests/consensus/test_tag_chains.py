"""Chains of tags and the sequence model, against every sequence written down."""

from __future__ import annotations

import numpy as np
import pytest

from accord.annotations.arrays import FloatArray, IntArray
from accord.consensus.spans import sequence_model
from accord.consensus.spans.chains import Chains, Steps, legal_steps
from accord.consensus.spans.token_answers import TokenAnswers
from tests.oracles import tag_chains as slow

LENGTHS = (4, 1, 3, 5)
TAGS = 5


def some_chains(seed: int, tags: int = TAGS) -> Chains:
    rng = np.random.default_rng(seed)
    begins, may = legal_steps(tags)
    first, follows = begins * rng.gamma(1.0, size=tags), may * rng.gamma(1.0, size=(tags, tags))
    says = rng.normal(size=(sum(LENGTHS), tags)) * 2
    return Chains(
        Steps(np.concatenate(([0], np.cumsum(LENGTHS)))), says, first / first.sum(),
        follows / follows.sum(axis=1, keepdims=True),
    )  # fmt: skip


def documents(chains: Chains) -> list[FloatArray]:
    return [chains.log_emissions[a:b] for a, b in zip(chains.steps.offset, chains.steps.offset[1:], strict=False)]


def test_an_inside_tag_follows_its_own_unit_only_and_begins_nothing() -> None:
    begins, may = legal_steps(5)
    assert begins.tolist() == [True, True, False, True, False]
    assert may[:, 2].tolist() == [False, True, True, False, False]
    assert may[:, [0, 1, 3]].all()


@pytest.mark.parametrize("seed", range(3))
def test_probabilities_steps_and_likelihood_are_those_of_all_sequences(seed: int) -> None:
    chains = some_chains(seed)
    found = chains.posteriors()
    each = [(says, chains.first, chains.follows) for says in documents(chains)]
    assert found.tags == pytest.approx(np.concatenate([slow.tag_probabilities(*one) for one in each]))
    assert found.followed == pytest.approx(sum(slow.steps_expected(*one) for one in each))
    total = sum(np.log(sum(slow.weighed(*one).values())) for one in each)
    assert found.log_likelihood == pytest.approx(total)


@pytest.mark.parametrize("seed", range(3))
def test_the_best_tags_are_those_of_the_heaviest_sequence(seed: int) -> None:
    chains = some_chains(seed)
    heaviest: list[int] = []
    for says in documents(chains):
        found = slow.weighed(says, chains.first, chains.follows)
        best = max(found.values())
        heaviest.extend(next(sequence for sequence, weight in found.items() if weight == best))
    assert chains.best().tolist() == heaviest


@pytest.mark.parametrize("seed", range(3))
def test_a_unit_is_as_probable_as_all_sequences_that_hold_exactly_it(seed: int) -> None:
    chains = some_chains(seed)
    posteriors = chains.posteriors()
    begin = 0
    for says in documents(chains):
        units = [(a, b, c) for a in range(len(says)) for b in range(a, len(says)) for c in range((TAGS - 1) // 2)]
        expected = [slow.unit_probability(says, chains.first, chains.follows, unit) for unit in units]
        first, last, label = (np.array(part, dtype=np.int64) for part in zip(*units, strict=True))
        assert posteriors.units(first + begin, last + begin, label) == pytest.approx(expected)
        begin += len(says)


def random_documents(seed: int, *, people: int, tags: int) -> list[list[dict[int, int]]]:
    """Tags with gaps: somebody leaves out a token now and then, somebody a whole document."""
    rng = np.random.default_rng(seed)
    return [
        [
            {who: int(rng.integers(tags)) for who in range(people) if rng.random() < 0.8}
            for _ in range(int(rng.integers(1, 5)))
        ]
        for _ in range(6)
    ]


def answers_of(given: list[list[dict[int, int]]], *, people: int, tags: int) -> TokenAnswers:
    rows: list[tuple[int, int, int, int]] = []
    offset = np.concatenate(([0], np.cumsum([len(tokens) for tokens in given])))
    for document, tokens in enumerate(given):
        for at, said in enumerate(tokens):
            for person in sorted(said):
                rows.append(
                    (int(offset[document]) + at, person, said[person], tokens[at - 1].get(person, 0) if at else 0)
                )
    token, who, tag, before = (np.array(part, dtype=np.int64) for part in zip(*rows, strict=True))
    place = np.arange(float(offset[-1]))
    labels = tuple("abcdef"[: (tags - 1) // 2])
    return TokenAnswers(labels, people, offset, place, place + 1, token, who, tag, before)


@pytest.mark.parametrize("seed", range(3))
def test_the_sequence_model_is_its_slow_version(seed: int) -> None:
    given = random_documents(seed, people=3, tags=3)
    found = sequence_model.fit(answers_of(given, people=3, tags=3), prior=0.1, iterations=4, tolerance=0.0)
    expected = slow.sequence_model(given, 3, 3, 4, (sequence_model.HISTORY, sequence_model.CROWD, 0.1))
    assert found.posteriors.tags == pytest.approx(np.concatenate(expected), abs=1e-9)


def test_it_stops_when_nothing_moves_and_says_how_far_it_came() -> None:
    answers = answers_of(random_documents(0, people=3, tags=3), people=3, tags=3)
    found = sequence_model.fit(answers, iterations=500)
    assert found.progress.converged
    assert found.progress.trace[-1] <= sequence_model.TOLERANCE < found.progress.trace[0]
    assert not sequence_model.fit(answers, iterations=2).progress.converged


def shuffled(answers: TokenAnswers, people: IntArray) -> TokenAnswers:
    who = people[answers.annotator]
    order = np.lexsort((who, answers.token))
    return TokenAnswers(
        answers.labels, answers.n_annotators, answers.offset, answers.start, answers.end, answers.token[order],
        who[order], answers.tag[order], answers.previous[order],
    )  # fmt: skip


def test_who_comes_first_changes_nothing() -> None:
    answers = answers_of(random_documents(1, people=4, tags=5), people=4, tags=5)
    one, other = (
        sequence_model.fit(given, iterations=20).posteriors.tags
        for given in (answers, shuffled(answers, np.array([2, 0, 3, 1])))
    )
    assert one == pytest.approx(other, abs=1e-9)
