"""Power: what a study says it would have shown is what simulated studies show; to find nothing is no sign of health."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import numpy as np
import pytest

import accord
from accord import Study
from accord.findings.explaining import explain
from accord.findings.power import Power, sentence
from benchmarks.faults import PLANTS, QUESTIONS, SIZES, best_test, found_in, is_kept, promised_and_kept, said, wide
from tests.command.running import run
from tests.command.test_command import SCHEMA

SAMPLE = 16  # studies of each kind: shares have an error of up to 0.12


@pytest.mark.parametrize("title", ["100 × 3, three labels", "200 × 2, three labels"])
def test_what_is_promised_is_kept(title: str) -> None:
    told = {fault: (promised, kept) for fault, promised, kept in promised_and_kept(SIZES[title], SAMPLE)}
    assert set(told) >= {"guessing-annotator", "confused-labels", "hard-items"}
    for fault, (promised, kept) in told.items():
        assert abs(promised - kept) <= 0.15 + 2 * 0.12, (fault, promised, kept)


@pytest.mark.parametrize(
    ("title", "fault"),
    [
        ("60 × 3, four labels", "confused-labels"),
        ("100 × 6, five labels", "copied-answers"),
        ("150 × 3, four labels, times", "rising-disagreement"),
    ],
)
def test_no_more_is_promised_than_is_kept(title: str, fault: str) -> None:
    """Where a fault changes what it is looked for with: who is the furthest, whom a pair agrees with, the spread."""
    ((_, promised, kept),) = promised_and_kept(SIZES[title], 80, faults=[fault])
    assert is_kept(promised, kept, 80), (promised, kept)


def test_nothing_finds_more_than_the_best_test() -> None:
    """Three answers to 200 items cannot tell a hard fifth among items that 85 % know: it takes 500."""
    few, many = (best_test(items, 0.2, 0.85, 4, 0.05 / QUESTIONS) for items in (200, 500))
    assert few < 0.4
    assert many > 0.8
    assert best_test(200, 0.2, 0.85, 4, 0.05) < 0.81  # even if nothing else were asked
    found, _ = found_in("a hard fifth, R = 3, the others know 85 %", 30, seed=3)
    assert is_kept(few - 0.1, found, 30)  # and what is there to be found is found


def _power(items: int, people: int, labels: int = 4, seed: int = 0) -> dict[str, float]:
    marginals = [1 / labels] * labels
    found = explain(wide(said(np.random.default_rng(seed), items, people, marginals, 0.85)))
    return {one.fault: one.probability for one in found.power}


def test_more_items_show_more() -> None:
    sizes = [_power(items, 5) for items in (40, 120, 400, 2_000)]
    for fault in ("guessing-annotator", "confused-labels", "hard-items", "copied-answers"):
        shares = [size[fault] for size in sizes]
        assert shares == sorted(shares)
        assert shares[-1] > 0.99


def test_what_the_data_cannot_tell_is_said_to_be_out_of_reach() -> None:
    two = _power(200, 2, labels=2)
    assert two["guessing-annotator"] == two["confused-labels"] == two["hard-items"] == 0
    assert two["different-label-use"] > 0
    assert _power(200, 3)["copied-answers"] == 0
    assert _power(200, 3, labels=2)["hard-items"] == 0  # three answers of two labels


def test_clusters_are_fewer_than_items() -> None:
    rng = np.random.default_rng(3)
    knows = np.repeat(rng.choice([0.3, 1.0], 20), 10)[:, None]
    cells = said(rng, 200, 3, [0.25] * 4, knows)
    rows = [
        {"item": item, "annotator": who, "label": "abcd"[cells[item, who]], "document": item // 10}
        for item in range(200)
        for who in range(3)
    ]
    alone, together = (
        {one.fault: one.probability for one in explain(study).power}
        for study in (Study(rows), Study(rows, cluster="document"))
    )
    assert together["guessing-annotator"] < alone["guessing-annotator"]


def test_it_is_one_sentence_on_what_would_be_found() -> None:
    found = explain(wide(said(np.random.default_rng(0), 60, 3, [0.25] * 4, 0.85)))
    told = found.would_show
    assert told.startswith(
        "A study of this size and agreement would show an annotator who guesses half of the answers "
    )
    assert "It cannot show an annotator who copies" in told
    assert told.endswith("What was not found may still be there.")
    assert told in " ".join(found.to_text().split())
    assert told in found.to_table().notes
    assert told.split(" would show")[0] in found._repr_html_()


def test_the_numbers_are_written_as_one_reads_them() -> None:
    some = (
        Power("hard-items", "hard items", 0.999),
        Power("confused-labels", "confused labels", 0.004),
        Power("copied-answers", "copies", 0.0),
    )
    assert sentence(some) == (
        "A study of this size and agreement would show hard items with a probability of over 0.99 and confused labels "
        "with below 0.01. It cannot show copies. What was not found may still be there."
    )
    by_variable = [Power("hard-items", "hard items", share, name) for share, name in ((0.2, "a"), (0.6, "b"))]
    assert "a probability of 0.20 to 0.60, by variable" in sentence(by_variable)
    assert sentence([Power("hard-items", "hard items", 0.0)]).startswith("A study like this cannot show hard items.")
    assert sentence(()) == ""


def test_the_command_and_the_report_say_it(tmp_path: Path) -> None:
    told = json.loads(run("explain", "tiny.csv", "--json").out)
    jsonschema.Draft202012Validator(SCHEMA).validate(told)
    assert {"fault", "says", "probability", "variable"} == set(told["power"][0])
    for name in ("report.html", "report.md"):
        accord.report(SIZES["60 × 3, four labels"].study(np.random.default_rng(0)), tmp_path / name)
        assert "would show an annotator who guesses half" in (tmp_path / name).read_text(encoding="utf-8")


def test_every_fault_has_a_plant() -> None:
    """So that the benchmark holds every promise against what happens."""
    sizes = (size for title, size in SIZES.items() if "three" in title or "times" in title or "five" in title)
    told = {one.fault for size in sizes for one in explain(size.study(np.random.default_rng(1))).power}
    assert told == set(PLANTS)


def test_an_undefined_value_promises_nothing() -> None:
    assert explain(["x"] * 20, ["x"] * 20).would_show == ""
