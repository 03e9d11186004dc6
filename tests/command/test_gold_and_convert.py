"""`accord gold` and `accord convert`: one library call each, and files that are whole."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

import accord
from accord.workbench.bench import Bench
from accord.workbench.bench_options import Note
from accord.workbench.people import Person
from accord.workbench.rules import Rule
from tests.command.running import DATA, TINY, in_terminal, run
from tests.command.test_command import as_json, golden


def test_gold_writes_one_row_an_item(tmp_path: Path) -> None:
    target = tmp_path / "gold.csv"
    said = run("gold", TINY, "--method", "majority", "-o", str(target))
    assert said.code == 0
    assert f"The gold standard is in {target}" in said.out
    rows = list(csv.DictReader(target.read_text(encoding="utf-8").splitlines()))
    expected = accord.gold(accord.read(DATA / TINY), method="majority")
    assert [row["item"] for row in rows] == [str(item) for item in expected.to_table()["item"]]
    assert [row["label"] for row in rows if row["label"]] == [
        str(label) for label in expected.labels if label is not None
    ]


def test_gold_tells_the_same_in_json_with_a_seed() -> None:
    one, other = (
        run("gold", TINY, "--ties", "random", "--method", "majority", "--seed", "3", "--json") for _ in range(2)
    )
    assert one == other
    golden("gold.json", json.dumps(as_json(one), indent=1, ensure_ascii=False) + "\n")


def test_gold_by_an_unknown_method_is_one_line_with_the_way_out() -> None:
    said = run("gold", TINY, "--method", "majorty")
    assert (said.code, said.out) == (2, "")
    assert said.err.count("\n") == 1
    assert "Did you mean 'majority'?" in said.err


def test_convert_writes_a_long_table_that_reads_as_the_same_study(tmp_path: Path) -> None:
    for ending in ("csv", "jsonl", "parquet"):
        target = tmp_path / f"long.{ending}"
        assert run("convert", TINY, "-o", str(target)).code == 0
        here, there = (accord.fleiss_kappa(accord.read(path)) for path in (DATA / TINY, target))
        assert here.value == there.value


def test_convert_tells_what_it_wrote_in_json(tmp_path: Path) -> None:
    told = as_json(run("convert", TINY, "-o", str(tmp_path / "long.csv"), "--json"))
    told["path"] = Path(told["path"]).name
    golden("convert.json", json.dumps(told, indent=1, ensure_ascii=False) + "\n")


def test_convert_to_an_unknown_ending_leaves_no_file(tmp_path: Path) -> None:
    said = run("convert", TINY, "-o", str(tmp_path / "long.docx"))
    assert said.code == 2
    assert ".parquet" in said.err
    assert not list(tmp_path.iterdir())


def crowd(folder: Path) -> None:
    """Answers and truth in two files, as crowd sets come."""
    truth = {place: place % 2 for place in range(1, 13)}
    rows = [(item, who, label if (item + who) % 5 else 1 - label) for item, label in truth.items() for who in (1, 2, 3)]
    (folder / "answer.csv").write_text(
        "question,worker,answer\n" + "".join(f"{i},w{w},{a}\n" for i, w, a in rows), encoding="utf-8"
    )
    (folder / "truth.csv").write_text(
        "question,truth\n" + "".join(f"{item},{label}\n" for item, label in truth.items()), encoding="utf-8"
    )


def test_gold_is_checked_against_a_reference(tmp_path: Path) -> None:
    crowd(tmp_path)
    said = run("gold", "answer.csv", "--method", "one-coin", "--reference", "truth.csv", folder=tmp_path)
    assert said.code == 0
    assert "Against the reference: accuracy 1.0000" in said.out
    assert "precision" in said.out
    told = as_json(
        run("gold", "answer.csv", "--method", "majority", "--reference", "truth.csv", "--json", folder=tmp_path)
    )
    assert (told["score"]["items"], told["score"]["accuracy"]) == (12, 1.0)


def test_a_queue_is_filled_in_and_read_back(tmp_path: Path) -> None:
    crowd(tmp_path)
    first = run(
        "gold", "answer.csv", "--method", "majority", "--queue", "2", "--queue-file", "decide.csv", folder=tmp_path
    )
    assert "Items to decide" in first.out
    assert "The items to decide are in decide.csv" in first.out
    rows = list(csv.DictReader((tmp_path / "decide.csv").read_text(encoding="utf-8").splitlines()))
    assert len(rows) == 2
    rows[0]["decision"] = "1"
    with (tmp_path / "decided.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, rows[0])
        writer.writeheader()
        writer.writerows(rows)
    said = run(
        "gold", "answer.csv", "--method", "majority", "--decisions", "decided.csv", "--decided-by", "judge", "--json",
        folder=tmp_path,
    )  # fmt: skip
    told = as_json(said)
    assert told["decided_by_people"] == 1
    (row,) = [row for row in told["labels"] if str(row["item"]) == rows[0]["item"]]
    assert (row["label"], row["source"], row["decided_by"]) == (1, "person", "judge")


def test_known_labels_priors_and_annotators_on_the_command_line(tmp_path: Path) -> None:
    crowd(tmp_path)
    said = run(
        "gold", "answer.csv", "--method", "dawid-skene", "--known", "truth.csv", "--prior", "0.5", "--label-shares",
        "uniform", "--iterations", "50", "--restarts", "1", "--seed", "1", "--show-annotators", folder=tmp_path,
    )  # fmt: skip
    assert said.code == 0, said.err
    assert "12 of 12 items decided" in said.out
    assert "competence" in said.out


REFUSED = [
    ("--reference-item nope", "--reference-item belongs to --reference, which is not given"),
    ("--reference-label nope", "--reference-label belongs to --reference, which is not given"),
    ("--decided-by me", "--decided-by belongs to --decisions, which is not given"),
    ("--reference truth.csv --reference-item quest", "Did you mean --reference-item question?"),
    ("--reference odd.csv", "Name it 'item', or say --reference-item …"),
    ("--decisions odd.csv --decided-by me", "No column 'item' among the decisions"),
    ("--decisions done.csv", "Fill in decided_by, or say --decided-by …"),
    ("--decisions empty.csv --decided-by me", "empty.csv: The file is empty"),
    ("--decisions none.csv", "There is no file 'none.csv' here"),
    ("--queue 0", "--queue must be a whole number, at least 1; got 0."),
    ("--queue-file q.txt", "--queue-file must end in .csv or .tsv; got 'q.txt'."),
    ("--seed -1", "--seed must be a whole number, at least 0; got -1."),
    ("--method GLAD", "Did you mean 'glad'?"),
    ("--method sharpening --restarts 3", "--method sharpening does not take --restarts; it takes --iterations."),
    ("--method mean --prior 1", "--method mean does not take --prior; it takes no options."),
]


@pytest.mark.parametrize(("options", "said"), REFUSED)
def test_gold_refuses_what_it_would_have_to_ignore_in_its_own_words(options: str, said: str, tmp_path: Path) -> None:
    crowd(tmp_path)
    (tmp_path / "odd.csv").write_text("a,b,c\n1,x,0\n", encoding="utf-8")
    (tmp_path / "done.csv").write_text("item,decision\n1,0\n", encoding="utf-8")
    (tmp_path / "empty.csv").touch()
    method = [] if "--method" in options else ["--method", "majority"]
    found = run("gold", "answer.csv", *method, *options.split(), folder=tmp_path)
    assert (found.code, found.out, found.err.count("\n")) == (2, "", 1)
    assert said in found.err


def test_gold_of_words_offers_no_option_that_it_lacks_for_a_mean() -> None:
    found = run("gold", TINY, "--method", "mean")
    assert found.code == 2
    assert "--method mean needs numbers" in found.err
    assert "--level" not in found.err


def test_gold_reads_files_in_other_encodings(tmp_path: Path) -> None:
    (tmp_path / "answer.csv").write_text("item,annotator,label\n1,a,grün\n1,b,grün\n", encoding="utf-8")
    (tmp_path / "latin.csv").write_bytes("item,label,decision\n1,grün,grün\n".encode("latin-1"))
    for options in (("--reference",), ("--known",), ("--decided-by", "me", "--decisions")):
        found = run("gold", "answer.csv", "--method", "majority", *options, "latin.csv", folder=tmp_path)
        assert (found.code, found.err) == (0, "")


@pytest.mark.slow
def test_the_terminal_shows_iterations_and_the_likelihood(tmp_path: Path) -> None:
    crowd(tmp_path)
    said = in_terminal("gold", "answer.csv", "--method", "dawid-skene", columns=120, folder=tmp_path)
    assert "iteration" in said.out
    assert "likelihood" in said.out


TEXTS = "item,annotator,label,text\n" + "".join(
    f"{18368 + item},{who},{label},The text of {item} to look at\n"
    for item, labels in enumerate(((3, 4), (3, 3), (4, 3)))
    for who, label in zip(("ana", "ben"), labels, strict=True)
)


def test_gold_prints_ids_as_they_are_and_the_texts_to_decide_by(tmp_path: Path) -> None:
    (tmp_path / "x.csv").write_text(TEXTS, encoding="utf-8")
    said = run("gold", "x.csv", "--queue", "2", "--queue-file", "q.csv", "--queue-names", folder=tmp_path)
    assert said.code == 0
    assert "18368" in said.out
    assert "18,368" not in said.out
    rows = list(csv.DictReader((tmp_path / "q.csv").read_text(encoding="utf-8").splitlines()))
    assert rows[0]["text"] == "The text of 0 to look at"
    assert (rows[0]["answers"], rows[0]["annotators"]) == ("3: 1 vote, 4: 1", "ana: 3, ben: 4")
    said = run("gold", "x.csv", "--queue", "2", "--queue-file", "bare.csv", "--no-text", folder=tmp_path)
    assert "The text" not in said.out + (tmp_path / "bare.csv").read_text(encoding="utf-8")


def test_gold_says_how_it_was_decided_and_with_which_seed(tmp_path: Path) -> None:
    crowd(tmp_path)
    files = []
    for place in range(3):
        said = run("gold", "answer.csv", "-o", f"g{place}.csv", "--show-labels", folder=tmp_path)
        assert said.code == 0, said.err
        assert "Gold by " in said.out
        assert "Random seed 0." in said.out
        assert "Votes behind the labels" in said.out
        files.append((tmp_path / f"g{place}.csv").read_bytes())
    assert len(set(files)) == 1


OVER = [
    ("-o answer.csv", "'answer.csv' is read here, and would be replaced by what is written. Name another file, or say "
                      "--force to replace it."),
    ("--queue-file answer.csv", "'answer.csv' is read here"),
    ("--reference truth.csv -o ./truth.csv", "is read here"),
    ("-o old.csv", "'old.csv' exists already. Name another file, or say --force to replace it."),
    ("--queue-file old.csv", "'old.csv' exists already"),
    ("-o new.csv --queue-file new.csv", "--queue-file and --output are one file, 'new.csv'. Name two."),
    ("--queue-file filled.csv", "'filled.csv' holds 1 decision, which a new queue would replace. Keep them: "
                                "--decisions filled.csv; or name another file, or say --force to lose them."),
]  # fmt: skip


@pytest.mark.parametrize(("options", "said"), OVER)
def test_gold_writes_over_nothing_unless_told(options: str, said: str, tmp_path: Path) -> None:
    crowd(tmp_path)
    (tmp_path / "old.csv").write_text("work of weeks", encoding="utf-8")
    (tmp_path / "filled.csv").write_text("item,decision,decided_by\n1,0,Maria\n", encoding="utf-8")
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    found = run("gold", "answer.csv", "--method", "majority", *options.split(), folder=tmp_path)
    assert (found.code, found.out, found.err.count("\n")) == (2, "", 1)
    assert said in found.err
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == before


def test_gold_writes_over_files_if_told(tmp_path: Path) -> None:
    crowd(tmp_path)
    (tmp_path / "old.csv").write_text("work of weeks", encoding="utf-8")
    assert run("gold", "answer.csv", "--method", "majority", "-o", "old.csv", "--force", folder=tmp_path).code == 0
    assert (tmp_path / "old.csv").read_text(encoding="utf-8").startswith("item,label")


def test_the_queue_of_decisions_keeps_them(tmp_path: Path) -> None:
    crowd(tmp_path)
    flow = ["gold", "answer.csv", "--method", "majority", "--queue", "2", "--queue-file", "decide.csv"]
    assert run(*flow, folder=tmp_path).code == 0
    text = (tmp_path / "decide.csv").read_text(encoding="utf-8").splitlines()
    text[1] = text[1].removesuffix(",,,") + ",1,Maria,2024-05-06"
    (tmp_path / "decide.csv").write_text("\n".join(text) + "\n", encoding="utf-8")
    found = run(*flow, "--decisions", "decide.csv", folder=tmp_path)
    assert found.code == 0, found.err
    rows = list(csv.DictReader((tmp_path / "decide.csv").read_text(encoding="utf-8").splitlines()))
    assert [row["decided_by"] for row in rows] == ["", "", "Maria"]


def test_a_reference_of_scores_is_found_or_asked_for(tmp_path: Path) -> None:
    (tmp_path / "x.csv").write_text(
        "item,annotator,label,score\n" + "".join(f"{i},{w},similarity,{i + w}\n" for i in range(4) for w in range(3)),
        encoding="utf-8",
    )
    (tmp_path / "gold.csv").write_text(
        "item,label,score\n" + "".join(f"{i},similarity,{i + 1}\n" for i in range(4)), encoding="utf-8"
    )
    (tmp_path / "odd.csv").write_text("item,label,mark\n0,similarity,1\n", encoding="utf-8")
    found = run("gold", "x.csv", "--score", "score", "--reference", "gold.csv", folder=tmp_path)
    assert found.code == 0, found.err
    assert "Against the reference" in found.out
    found = run("gold", "x.csv", "--score", "score", "--reference", "odd.csv", folder=tmp_path)
    assert found.code == 2
    assert "it says 'similarity'. Name its column of numbers: --reference-label …." in found.err


def test_decisions_of_the_workbench_are_read_from_their_file(tmp_path: Path) -> None:
    (tmp_path / "study.csv").write_text("item,annotator,label\n1,a,x\n1,b,y\n2,a,x\n2,b,x\n3,a,y\n3,b,x\n", "utf-8")
    bench = Bench.open(accord.read(tmp_path / "study.csv"), tmp_path / "decisions.sqlite")
    bench.decide(0, "y", Person("ana"), "k1", note=Note("context outside the text"))
    bench.decide(2, "x", Person("ana"), "k2")
    bench.undo(Person("ana"), "k3")
    bench.accept(Rule(answers=2), Person("lea", "lead"), "k4")
    before = bench.log.last_number()
    line = ("gold", "study.csv", "--method", "majority", "--decisions", "decisions.sqlite")
    found = run(*line, "-o", "gold.csv", folder=tmp_path)
    assert found.code == 0, found.err
    assert bench.log.last_number() == before, "it was only read, while somebody decides"
    bench.close()
    rows = list(csv.DictReader((tmp_path / "gold.csv").read_text("utf-8").splitlines()))
    assert [(row["label"], row["source"], row["decided_by"]) for row in rows] == [
        ("y", "person", "ana"), ("x", "rule", "lea"), ("", "undecided", ""),
    ]  # fmt: skip
    refused = run(*line, "--decided-by", "me", folder=tmp_path)
    assert "--decided-by is for a queue that does not say who decided" in refused.err
    (tmp_path / "other.csv").write_text("item,annotator,label\n8,a,p\n8,b,q\n9,a,p\n9,b,p\n", "utf-8")
    other = run("gold", "other.csv", "--decisions", "decisions.sqlite", folder=tmp_path)
    assert "decisions.sqlite: It holds decisions of another study" in other.err
