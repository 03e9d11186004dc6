"""`accord gold` on spans: a row per unit, options of its own, and errors in its own language."""

from __future__ import annotations

import csv
from pathlib import Path

import accord
from tests.command.running import run
from tests.command.test_command import as_json

SPANS = Path(__file__).parents[2] / "examples" / "marked-names.csv"


def tagged(folder: Path) -> Path:
    """Three people's tags of two sentences, the token's place in a column of its own name."""
    tags = {
        ("s1", "ana"): "B-PER I-PER O", ("s1", "ben"): "B-PER I-PER O", ("s1", "cem"): "B-PER O O",
        ("s2", "ana"): "O B-LOC", ("s2", "ben"): "O O", ("s2", "cem"): "O O",
    }  # fmt: skip
    lines = ["sentence,nr,annotator,tag"]
    lines += [
        f"{item},{place},{who},{tag}" for (item, who), given in tags.items() for place, tag in enumerate(given.split())
    ]
    file = folder / "tags.csv"
    file.write_text("\n".join(lines), encoding="utf-8")
    return file


def test_a_row_is_written_for_every_unit_and_for_every_item_without_one(tmp_path: Path) -> None:
    target = tmp_path / "gold.csv"
    said = run("gold", str(tagged(tmp_path)), "--token", "nr", "--method", "majority", "-o", str(target))
    assert said.code == 0, said.err
    rows = list(csv.DictReader(target.read_text(encoding="utf-8").splitlines()))
    assert [(row["item"], row["start"], row["end"], row["label"]) for row in rows] == [
        ("s1", "0", "2", "PER"), ("s2", "", "", ""),
    ]  # fmt: skip
    assert accord.read(target).kind == "spans"


def test_options_of_spans_reach_the_library(tmp_path: Path) -> None:
    tags = str(tagged(tmp_path))
    told = as_json(run("gold", tags, "--token", "nr", "--method", "token-majority", "--transitions", "free", "--json"))
    assert told["options"] == {"transitions": "free"}
    assert told["title"] == "Majority of tokens"
    half = as_json(run("gold", tags, "--token", "nr", "--method", "majority", "--match", "exact", "--json"))
    assert half["options"] == {"match": "exact"}


def test_a_method_for_labels_is_refused_with_those_for_spans() -> None:
    said = run("gold", str(SPANS), "--method", "mace")
    assert said.code == 2
    assert "--method mace decides one label per item" in said.err
    assert "'sequence'" in said.err


def test_the_queue_of_units_is_filled_in_and_read_back(tmp_path: Path) -> None:
    queue, target = tmp_path / "queue.csv", tmp_path / "gold.csv"
    assert run("gold", str(SPANS), "--queue", "3", "--queue-file", str(queue)).code == 0
    rows = list(csv.DictReader(queue.read_text(encoding="utf-8").splitlines()))
    assert len(rows) == 3
    rows[0]["decision"] = "no" if rows[0]["in_gold"] == "yes" else "yes"
    with queue.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, rows[0])
        writer.writeheader()
        writer.writerows(rows)
    said = run("gold", str(SPANS), "--decisions", str(queue), "--decided-by", "eva", "-o", str(target))
    assert said.code == 0, said.err
    assert "1 unit decided by a person" in said.out


def test_the_queue_is_printed_where_some_documents_have_no_text(tmp_path: Path) -> None:
    rows = ["item,annotator,label,start,end,text", "d1,ana,PER,0,3,Ana left", "d1,ben,PER,0,3,", "d1,cem,LOC,4,8,"]
    rows += [f"d2,{who},PER,{start},4," for who, start in (("ana", 0), ("ben", 0), ("cem", 1))]
    file = tmp_path / "some.csv"
    file.write_text("\n".join(rows), encoding="utf-8")
    said = run("gold", str(file), "--method", "majority", "--queue", "9")
    assert said.code == 0, said.err
    assert "left" in said.out


def test_the_gold_is_scored_against_a_file_of_spans(tmp_path: Path) -> None:
    target = tmp_path / "truth.csv"
    run("gold", str(SPANS), "--method", "majority", "-o", str(target))
    said = run("gold", str(SPANS), "--method", "majority", "--reference", str(target), "--json")
    assert as_json(said)["score"]["f1"] == 1.0
