"""Small made-up files of the shapes of the real exports, so that what those show is tested where they are not."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import accord
from tests.oracles import coefficients as oracle
from tests.reporting.pages import Page

PEOPLE = ("Ana Example", "Ben Example", "Cyd Example")


def written(path: Path, rows: list[dict[str, Any]]) -> Path:
    with path.open("w", encoding="utf-8", newline="") as file:
        table = csv.DictWriter(file, rows[0])
        table.writeheader()
        table.writerows(rows)
    return path


def items_of(rows: list[dict[str, Any]], answer: str, *unit: str) -> list[dict[Any, Any]]:
    """The rows as the oracle reads them: one dict per unit, from annotator to answer."""
    items: dict[tuple[Any, ...], dict[Any, Any]] = {}
    for row in rows:
        items.setdefault(tuple(row[name] for name in unit), {})[row["annotator"]] = row[answer]
    return list(items.values())


def feelings() -> list[dict[str, Any]]:
    """Scores of three emotions, the emotion in the column `label`."""
    rng = np.random.default_rng(1)
    return [
        {"item": f"t{item}", "annotator": who, "label": emotion, "score": int(rng.integers(0, 5) + item % 7)}
        for item in range(12) for who in PEOPLE for emotion in ("anger", "fear", "joy")
        if rng.random() < 0.9
    ]  # fmt: skip


def test_scores_of_several_emotions_are_variables(tmp_path: Path) -> None:
    rows = feelings()
    study = accord.read(written(tmp_path / "long.csv", rows), task="label", score="score")
    assert list(study.tasks) == ["anger", "fear", "joy"]
    for emotion, part in study.tasks.items():
        mine = [row for row in rows if row["label"] == emotion]
        slow = oracle.krippendorff_alpha(items_of(mine, "score", "item"), [], "interval")
        assert part.n_annotations == len(mine)
        assert accord.krippendorff_alpha(part, level="interval").value == pytest.approx(slow.value, abs=1e-12)


def test_a_page_about_several_scores_that_names_nobody(tmp_path: Path) -> None:
    path = written(tmp_path / "long.csv", feelings())
    study = accord.read(path, task="label", score="score", answers="score")
    page = Page(accord.report(study, tmp_path / "page.html", anonymise=True).read_text(encoding="utf-8"))
    assert set(page.sections) >= {"facts", "verdict", "measured", "coefficients", "findings", "groups", "methods"}
    assert "Example" not in page.text


def test_rankings_of_systems_have_an_alpha_of_their_ranks(tmp_path: Path) -> None:
    rng = np.random.default_rng(2)
    rows = [
        {"item": f"d{item}", "annotator": who, "label": system, "rank": int(rank) + 1, "task": task}
        for item in range(6) for who in PEOPLE for task in ("correctness", "overall")
        for system, rank in zip(("bart", "lead", "human"), rng.permutation(3), strict=True)
    ]  # fmt: skip
    study = accord.read(written(tmp_path / "long.csv", rows), shape="ranking", label="label", rank="rank")
    assert set(study.tasks) == {"correctness", "overall"}
    for name, part in study.tasks.items():
        mine = items_of([row for row in rows if row["task"] == name], "rank", "item", "label")
        slow = oracle.krippendorff_alpha(mine, [1, 2, 3], "ordinal")
        assert accord.krippendorff_alpha(part, level="ordinal").value == pytest.approx(slow.value, abs=1e-12)


def test_rejected_records_of_prodigy_are_answers_where_they_are_wanted(tmp_path: Path) -> None:
    rng = np.random.default_rng(3)
    labels, lines, rows = ["guessing", "shoulds", "labelling"], [], []
    for item in range(10):
        for who in ("ana", "ben", "cyd"):
            chosen = [label for label in labels if rng.random() < 0.4]
            rows.append({"item": item, "annotator": who, "labels": frozenset(chosen)})
            lines.append({
                "text": f"Sentence {item}", "_input_hash": item, "_task_hash": item, "_session_id": f"d-{who}",
                "_annotator_id": f"d-{who}", "options": [{"id": label, "text": label} for label in labels],
                "accept": chosen, "answer": "accept" if chosen else "reject", "_view_id": "choice",
                "config": {"choice_style": "multiple"},
            })  # fmt: skip
    path = tmp_path / "types.jsonl"
    path.write_text("".join(f"{json.dumps(line)}\n" for line in lines), encoding="utf-8")
    rejected = sum(not row["labels"] for row in rows)
    assert rejected
    assert accord.read(path).left_out["rejected"] == rejected
    study = accord.read(path, include=["rejected"])
    assert study.n_annotations == len(rows)
    slow = oracle.weighted_alpha(items_of(rows, "labels", "item"), [], oracle.masi)
    assert accord.krippendorff_alpha(study, weights="masi").value == pytest.approx(slow.value, abs=1e-12)
