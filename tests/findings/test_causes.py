"""Causes: told apart by evidence, quiet on clean studies, and never too quick with a person.

A bounded run of `benchmarks/causes.py`, which says how studies are made; it runs 1,000 clean ones.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import accord
from accord.findings import Findings, explain
from accord.findings.cause_signs import CAUSES as IN_ORDER
from accord.findings.cause_signs import concentration
from accord.findings.causes import REMEDIES
from benchmarks.causes import CAUSES, LEAST_NAMED, MOST_WARNED, named, studies, unrepeated, warned
from tests.findings.planted import guessed, long_table

CLEAN, PLANTED = 60, 15


def causes(found: Findings) -> list[str]:
    return [finding.name for finding in found if finding.cause]


# -- simulated studies -----------------------------------------------------------------------------------------------


def test_clean_studies_are_left_in_peace() -> None:
    assert warned(CLEAN)["any"] <= MOST_WARNED * CLEAN


@pytest.mark.parametrize("cause", CAUSES)
def test_a_planted_cause_is_named_first(cause: str) -> None:
    assert named(cause, PLANTED)[CAUSES[cause][1]] >= LEAST_NAMED * PLANTED


def test_without_repeats_a_subjective_task_is_a_guess_and_said_to_be_one() -> None:
    for study in studies(unrepeated, 3):
        (finding,) = explain(study)["subjective-task"]
        assert finding.severity == "note"
        assert finding.p is None
        assert "answered again" in finding.remedy
        assert any("agree with themselves" in text for text in finding.not_known)


# -- what is said ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("cause", CAUSES)
def test_a_cause_says_what_speaks_for_it_and_has_the_remedy_and_source(cause: str) -> None:
    make, name = CAUSES[cause]
    found = next(found for found in map(explain, studies(make, 10)) if found[0].name == name)
    finding = found[0]
    assert finding.cause
    assert finding.speaks_for
    assert finding.evidence
    assert finding.remedy == REMEDIES[name]
    assert "zhao2025" in finding.sources
    assert 0 < finding.weight <= 1


def swapped(rng: np.random.Generator, people: Any, share: float = 0.35) -> Any:
    """Labels 0 and 1 swapped now and then by some annotators."""
    cells = guessed(rng, 240, (0.95, 0.95, 0.95, 0.95))
    turned = np.zeros(cells.shape, dtype=bool)
    turned[:, people] = rng.random((240, len(people))) < share
    return np.where(turned & (cells < 2), 1 - cells, cells)


def test_unclear_guidelines_name_the_labels() -> None:
    finding = explain(long_table(swapped(np.random.default_rng(0), [0, 1, 2, 3])))[0]
    assert finding.name == "unclear-guidelines"
    assert set(finding.labels) == {"l0", "l1"}


def test_one_who_reads_a_label_otherwise_needs_training_and_is_not_called_unreliable() -> None:
    found = explain(long_table(swapped(np.random.default_rng(1), [2], 0.8)))
    assert found[0].name == "too-little-training"
    assert found[0].annotators == ("a2",)
    assert all(one.severity == "note" for one in found if one.name == "unreliable-annotator")


def test_somebody_constant_does_not_make_the_guidelines_unclear() -> None:
    cells = guessed(np.random.default_rng(2), 240, (0.95, 0.95, 0.95, 0.95))
    cells[:, 0] = 1
    assert "unclear-guidelines" not in causes(explain(cells))


def test_an_unreliable_annotator_is_never_named_before_confused_labels() -> None:
    rng = np.random.default_rng(3)
    cells = swapped(rng, [0, 1, 2, 3])
    cells[:, 3] = np.where(rng.random(240) < 0.5, rng.integers(0, 4, 240), cells[:, 3])
    found = explain(cells)
    assert causes(found)[0] == "unclear-guidelines"
    assert all(one.severity == "note" for one in found if one.name == "unreliable-annotator")


def test_a_few_unreliable_annotators_are_named_together() -> None:
    found = explain(guessed(np.random.default_rng(4), 200, (0.95,) * 8 + (0.4,) * 3))
    assert found[0].name == "unreliable-annotator"
    assert set(found[0].annotators) == {"9", "10", "11"}
    assert "3 annotators together" in found[0].says


def test_repeats_that_differ_as_much_as_people_do_speak_against_a_subjective_task() -> None:
    rng = np.random.default_rng(5)
    truth = rng.integers(0, 3, 120)
    rows: dict[str, list[Any]] = {"item": [], "annotator": [], "label": []}
    for item in range(120):
        for who in ("a", "b", "c"):
            for _ in range(2):
                rows["item"].append(item)
                rows["annotator"].append(who)
                rows["label"].append(int(truth[item] if rng.random() < 0.7 else rng.integers(0, 3)))
    found = explain(accord.Study(rows, duplicates="repeat"))
    assert "subjective-task" not in causes(found)


# -- where disagreement sits -----------------------------------------------------------------------------------------


def test_two_labels_have_no_pair_to_sit_in() -> None:
    assert concentration(accord.Study.from_wide([["a", "b"], ["a", "a"]] * 20).tally()) is None
    found = explain([["a", "b"], ["a", "a"], ["b", "b"]] * 20)
    assert any(gap.what == "unclear guidelines" for gap in found.not_looked_at)


def test_the_share_of_a_pair_is_the_one_counted() -> None:
    rows = [["a", "b"]] * 12 + [["a", "c"]] * 4 + [["b", "c"]] * 4 + [["a", "a"], ["b", "b"], ["c", "c"]] * 10
    found = concentration(accord.Study.from_wide(rows).tally())
    assert found is not None
    assert found.pairs[0] == (0, 1)
    assert found.share == pytest.approx(12 / 20)
    assert found.clashes == pytest.approx(20)


def test_a_frequent_label_alone_is_no_confusion() -> None:
    """Mistakes fall on labels by their use: most clashes are with the common one, and that is no news."""
    rng = np.random.default_rng(6)
    marginals = [0.8, 0.1, 0.1]
    truth = rng.choice(3, 400, p=marginals)[:, None]
    cells = np.where(rng.random((400, 3)) < 0.8, truth, rng.choice(3, (400, 3), p=marginals))
    assert "unclear-guidelines" not in causes(explain(cells))


# -- any data --------------------------------------------------------------------------------------------------------

ANY: dict[str, Any] = {
    "one annotator": lambda: accord.Study.from_wide([["a"], ["b"], ["a"]]),
    "one item": lambda: accord.Study.from_wide([["a", "b", "a"]]),
    "one label": lambda: accord.Study.from_wide([["a", "a", "a"]] * 30),
    "all silent": lambda: accord.Study.from_wide([[None, None], [None, None]]),
    "counts": lambda: accord.Study.from_counts([[3, 0, 1], [1, 2, 1], [0, 0, 4]] * 12),
    "confusion": lambda: accord.Study.from_confusion([[40, 9, 1], [12, 30, 2], [1, 3, 20]]),
    "scores": lambda: accord.Study.from_wide(np.random.default_rng(0).normal(size=(60, 4)), answers="score"),
    "many scores": lambda: accord.Study.from_wide(np.random.default_rng(0).normal(size=(600, 4)), answers="score"),
    "sets": lambda: accord.Study.from_wide([[["a"], ["a", "b"], []], [["b"], ["b"], ["c"]]] * 30, answers="set"),
    "ranked": lambda: accord.Study.from_wide([[["a"], ["a", "b"]], [["b"], ["c"]]] * 30, answers="ranked"),
    "ordered": lambda: accord.Study.from_wide(guessed(np.random.default_rng(1), 80, (0.8, 0.7, 0.6)), labels=range(4)),
    "two annotators": lambda: accord.Study.from_pairs(["a", "b", "c"] * 20, ["a", "b", "b"] * 20),
    "strangers": lambda: accord.Study.from_wide([["a", None], [None, "b"]] * 30),
}  # fmt: skip


@pytest.mark.parametrize("make", ANY.values(), ids=ANY)
def test_whatever_the_data_something_is_said_and_nothing_raised(make: Any) -> None:
    found = explain(make())
    assert str(found)
    assert found.to_dict()


@pytest.mark.engine
def test_a_lazy_frame_is_explained_as_far_as_it_goes() -> None:
    polars = pytest.importorskip("polars")
    cells = guessed(np.random.default_rng(7), 120, (0.9, 0.9, 0.5))
    item, who = np.nonzero(cells >= 0)
    table = {"item": item, "annotator": [f"a{person}" for person in who], "label": [f"l{k}" for k in cells[item, who]]}
    lazy, eager = (explain(accord.Study(polars.DataFrame(table).lazy() if one else table)) for one in (True, False))
    assert [finding.name for finding in lazy] == [finding.name for finding in eager]


def test_the_four_causes_are_those_of_the_lecture() -> None:
    assert set(REMEDIES) == set(IN_ORDER)
    assert IN_ORDER[-1] == "unreliable-annotator"


def test_neighbours_on_an_ordered_scale_clash_and_that_is_a_note() -> None:
    rng = np.random.default_rng(8)
    cells = rng.integers(0, 4, 300)[:, None].repeat(3, axis=1)
    cells = np.where(np.isin(cells, (1, 2)) & (rng.random(cells.shape) < 0.4), 3 - cells, cells)  # 1 for 2 and 2 for 1
    (ordered,) = explain(accord.Study.from_wide(cells, levels="ordinal"))["unclear-guidelines"]
    assert (ordered.severity, ordered.labels) == ("note", (1, 2))
    (plain,) = explain(accord.Study.from_wide(np.array(["a", "b", "c", "d"])[cells]))["unclear-guidelines"]
    assert (plain.severity, plain.labels) == ("warning", ("b", "c"))


@pytest.mark.parametrize("labels", [None, ["cat", "dog", "bird"], ["dog", "bird", "cat"]])
def test_a_list_of_labels_is_no_order_and_switches_no_warning_off(labels: list[str] | None) -> None:
    rng = np.random.default_rng(8)
    said = rng.integers(0, 3, 200)[:, None].repeat(3, axis=1)
    said = np.where((said < 2) & (rng.random(said.shape) < 0.25), 1 - said, said)
    found = explain(accord.Study.from_wide(np.array(["cat", "dog", "bird"], dtype=object)[said], labels=labels))
    assert (found[0].name, found[0].severity, set(found[0].labels)) == ("unclear-guidelines", "warning", {"cat", "dog"})


def test_confused_labels_are_a_note_where_agreement_is_high_enough() -> None:
    rng = np.random.default_rng(9)
    cells = guessed(rng, 400, (0.99, 0.99, 0.99), 6)
    cells = np.where((cells < 2) & (rng.random(cells.shape) < 0.12), 1 - cells, cells)
    found = explain(long_table(cells))
    (finding,) = found["unclear-guidelines"]
    assert finding.severity == "note"
    assert "Agreement reaches its target." in finding.speaks_against


def test_thousands_of_labels_make_no_table_of_pairs(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(10)
    own = rng.integers(0, 3000, (3000, 3))
    cells = np.where(rng.random(own.shape) < 0.8, np.arange(3000)[:, None], own)
    monkeypatch.setattr("accord.findings.cause_signs._clashes_of", lambda *_: pytest.fail("a table of pairs was made"))
    assert explain(accord.Study.from_wide([[f"l{label}" for label in row] for row in cells]))
