"""Findings about spans: planted faults are told, nobody is accused of another's, studies without a fault are quiet."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pytest

import accord
from accord.findings import spans_labels
from accord.findings.explaining import OF_SPANS, _corrected
from accord.findings.finding import Clue, Finding, NotLookedAt, TestFamily
from accord.findings.study_view import View
from tests.spans.drawn import PEOPLE, Documents, Marks, many, one, study

QUIET = {"shift": 0.01, "wrong": 0.01, "missed": 0.02}
NOISY = {"shift": 0.1, "wrong": 0.1, "missed": 0.1}
MARKED = [
    {"doc": f"d{place}", "who": who, "tag": tag, "start": start + place * (who == "ben"), "end": start + 4}
    for place in range(3)
    for who in ("ana", "ben")
    for start, tag in ((1, "a"), (9, "b"), (20, "a" if who == "ana" else "b"))
]


GAMMA = "what a gamma means"  # never a warning, and slow: it is tested by itself


def clues(documents: Documents) -> list[Clue]:
    """What all detectors for spans say that may accuse; the target is far below."""
    marked = study(documents)
    view = View(marked, accord.span_f1(marked), 0.1)
    return [clue for what, look in OF_SPANS.items() if what != GAMMA for clue in look(view)]


@pytest.mark.usefixtures("few_planted_errors")
def test_what_a_gamma_means_is_told_and_not_where_many_saw_a_document() -> None:
    few = accord.Study(MARKED, item="doc", annotator="who", label="tag", start="start", end="end")
    found = [finding for finding in accord.explain(few).notes if finding.name == "gamma-meaning"]
    assert len(found) == 1
    assert "units missing" in found[0].says
    many_people = [{**row, "who": f"{row['who']}{copy}"} for row in MARKED for copy in range(3)]
    crowd = accord.Study(many_people, item="doc", annotator="who", label="tag", start="start", end="end")
    told = accord.explain(crowd)
    assert not any(finding.name == "gamma-meaning" for finding in told.notes)
    assert any(gap.what == GAMMA for gap in told.not_looked_at)


def warnings(documents: Documents) -> list[Finding]:
    """What survives the correction for all that was asked."""
    told = clues(documents)
    tests = sum(clue.n_tests for clue in told if isinstance(clue, TestFamily))
    found = _corrected([clue for clue in told if isinstance(clue, Finding)], tests)
    return [finding for finding in found if finding.severity == "warning"]


def names(documents: Documents) -> list[str]:
    """Their names."""
    return [finding.name for finding in warnings(documents)]


def changed(documents: Documents, who: str, how: Any) -> Documents:
    """The same with what one person marked put through a function."""
    return [{name: how(marks) if name == who else marks for name, marks in one.items()} for one in documents]


@pytest.mark.parametrize("people", [2, 3])
def test_studies_without_a_fault_are_quiet(people: int) -> None:
    told = Counter[str]()
    for seed in range(30):
        drawn = many(40, np.random.default_rng(seed), **QUIET)
        told.update(names([{who: marks[who] for who in PEOPLE[:people]} for marks in drawn]))
    assert sum(told.values()) <= 2


def test_errors_that_everybody_makes_alike_accuse_nobody() -> None:
    told = Counter[str]()
    for seed in range(30):
        told.update(names(many(60, np.random.default_rng(seed), **NOISY)))
    general = sum(told[name] for name in ("span-borders", "span-labels", "span-presence"))
    assert sum(told.values()) - general <= 2
    assert told["span-borders"] > 20  # where a fifth of the pairs differ, it is told what about


def test_borders_and_labels_are_told_apart() -> None:
    rng = np.random.default_rng(1)
    assert names(many(60, rng, shift=0.3, wrong=0.0, missed=0.0)) == ["span-borders"]
    assert names(many(60, rng, shift=0.0, wrong=0.3, missed=0.0)) == ["span-labels"]
    assert names(many(60, rng, shift=0.0, wrong=0.0, missed=0.35)) == ["span-presence"]


def test_who_marks_fewer_is_told_and_nobody_else() -> None:
    rng = np.random.default_rng(2)
    careless = changed(many(60, rng, **QUIET), "ben", lambda marks: [mark for mark in marks if rng.random() < 0.7])
    [found] = [finding for finding in warnings(careless) if finding.name.startswith("marks")]
    assert (found.name, found.annotators) == ("marks-fewer", ("ben",))
    assert "against" in found.says


def test_of_two_annotators_it_is_one_finding() -> None:
    rng = np.random.default_rng(3)
    careless = changed(many(60, rng, **QUIET), "ben", lambda marks: [mark for mark in marks if rng.random() < 0.7])
    told = warnings([{who: marks[who] for who in PEOPLE[:2]} for marks in careless])
    assert [(one.name, one.annotators) for one in told if one.name.startswith("marks")] == [("marks-fewer", ("ben",))]


def longer(marks: Marks) -> Marks:
    """Spans that reach two further, half of them."""
    return [
        one(pieces[0][0], pieces[-1][1] + 2, label) if number % 2 else (pieces, label)
        for number, (pieces, label) in enumerate(marks)
    ]


def test_who_marks_longer_spans_is_told() -> None:
    found = warnings(changed(many(60, np.random.default_rng(4), **QUIET), "cyd", longer))
    assert [one.annotators for one in found if one.name == "marks-longer"] == [("cyd",)]
    assert [one.annotators for one in found if one.name == "marks-shorter"] == []


def test_confused_labels_are_named() -> None:
    rng = np.random.default_rng(5)

    def confused(marks: Marks) -> Marks:
        swap = {"X": "Y", "Y": "X"}
        return [(pieces, swap.get(label, label) if rng.random() < 0.2 else label) for pieces, label in marks]

    found = warnings(changed(many(80, rng, **QUIET), "ana", confused))
    assert [one.labels for one in found if one.name == "confused-labels"] == [("X", "Y")]


def test_documents_of_one_cluster_are_one_witness_of_confused_labels() -> None:
    rng = np.random.default_rng(5)

    def confused(marks: Marks) -> Marks:
        swap = {"X": "Y", "Y": "X"}
        return [(pieces, swap.get(label, label) if rng.random() < 0.2 else label) for pieces, label in marks]

    marked = study(changed(many(80, rng, **QUIET), "ana", confused))
    told = {}
    for width in (1, 40):
        table = {name: marked._frame.cells(name) for name in marked._frame.columns}  # type: ignore[union-attr]
        items = list(dict.fromkeys(table[marked.roles["item"]]))
        table["batch"] = [items.index(item) // width for item in table[marked.roles["item"]]]
        roles: dict[str, Any] = {**marked.roles, "cluster": "batch"}
        grouped = accord.Study(table, **roles)
        clues = spans_labels.look(View(grouped, accord.span_f1(grouped), 0.1))
        told[width] = [one.p or 0.0 for one in clues if isinstance(one, Finding) and one.name == "confused-labels"]
    assert told[1]
    assert all(p > told[1][0] for p in told[40])


def test_long_spans_that_are_agreed_on_less_are_told() -> None:
    rng = np.random.default_rng(6)

    def frayed(marks: Marks) -> Marks:
        return [
            one(pieces[0][0], pieces[-1][1] + int(rng.integers(3)), label)
            if pieces[-1][1] - pieces[0][0] > 4
            else (pieces, label)
            for pieces, label in marks
        ]

    told = warnings(changed(many(80, rng, **QUIET), "ana", frayed))
    [found] = [finding for finding in told if finding.name == "span-length"]
    assert found.says.startswith("Long spans are agreed on less")


def test_a_label_that_is_agreed_on_less_is_named() -> None:
    rng = np.random.default_rng(7)

    def forgets(marks: Marks) -> Marks:
        return [mark for mark in marks if mark[1] != "Z" or rng.random() < 0.5]

    found = warnings(changed(many(80, rng, **QUIET), "ana", forgets))
    assert [one.labels for one in found if one.name == "weak-label"] == [("Z",)]


def test_the_losses_add_up_to_what_f1_lacks() -> None:
    [found] = [
        clue
        for clue in clues(many(40, np.random.default_rng(8), **NOISY))
        if isinstance(clue, Finding) and clue.name == "span-losses"
    ]
    exact = accord.span_f1(study(many(40, np.random.default_rng(8), **NOISY))).value
    assert sum(one.value for one in found.evidence) == pytest.approx(1 - exact)


def test_a_single_document_is_not_tested_and_says_so() -> None:
    told = clues(many(1, np.random.default_rng(9), **NOISY))
    assert {clue.what for clue in told if isinstance(clue, NotLookedAt)} >= {
        "what disagreement is about", "who marks more, or longer spans",
    }  # fmt: skip


def test_nothing_marked_is_nothing_to_tell() -> None:
    assert [clue for clue in clues([{"ana": [], "ben": []}]) if isinstance(clue, Finding)] == []
