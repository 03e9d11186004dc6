"""What the first attack on accord found, each as it was found: the same files, the same calls, the same commands.

What took gigabytes or minutes is in `benchmarks/bounds.py`, what needs kills in `benchmarks/kills.py`; what has a test
file of its own (whole files, planted names and their key, streams, other processes, half characters) is there.
"""

from __future__ import annotations

import itertools
import json
import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import accord
from accord.engine import lazy_annotations
from accord.errors import AccordError, FileError, InputError, MeasureError, OptionError
from accord.readers import delimited
from tests.command.running import in_terminal_here, run
from tests.readers.corruption import SAMPLES

EXAMPLES = Path(__file__).parents[2] / "examples"
LONG = "item,annotator,label\n1,Quentin,a\n1,Zebedee,a\n2,Quentin,b\n2,Zebedee,a\n3,Quentin,b\n3,Zebedee,b\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "x.csv").write_text(LONG, encoding="utf-8")
    return tmp_path


def written(path: Path, text: str) -> Path:
    path.write_text(text, encoding="utf-8")
    return path


# -- wrong or lost without a word --------------------------------------------------------------------------------------


@pytest.mark.parametrize("blank", [False, True])
@pytest.mark.parametrize("mark", [",", "."])
def test_scores_of_a_large_csv_stay_scores(
    mark: str, blank: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = [f"{n};{who};{(n * 7 + at) % 30}{mark}5" for n in range(40) for at, who in enumerate("abc")]
    rows += ["41;a;  "] if blank else []
    path = written(tmp_path / "comma.csv", "\n".join(["item;annotator;score", *rows, ""]))
    small = accord.read(path, decimal=mark)
    monkeypatch.setattr(delimited, "SMALL", 0)
    large = accord.read(path, decimal=mark)
    assert small.kind == large.kind == "score"
    assert dict(small.left_out) == dict(large.left_out)
    alphas = [accord.krippendorff_alpha(study, level="interval").value for study in (small, large)]
    assert alphas[0] == alphas[1]


def test_decisions_in_a_queue_survive_the_command_that_made_it(folder: Path) -> None:
    line = ("gold", "x.csv", "--method", "majority", "--queue", "5", "--queue-file", "decide.csv")
    assert run(*line, folder=folder).code == 0
    queue = folder / "decide.csv"
    pl.read_csv(queue).with_columns(decision=pl.lit("a"), decided_by=pl.lit("Maria")).write_csv(queue)
    filled = queue.read_bytes()
    said = run(*line, folder=folder)
    assert (said.code, queue.read_bytes()) == (2, filled), said.err


@pytest.mark.parametrize(
    "line",
    [("-o", "x.csv"), ("--queue-file", "x.csv"), ("-o", "s.csv", "--queue-file", "s.csv")],
)
def test_no_output_goes_over_an_input_or_another_output(line: tuple[str, ...], folder: Path) -> None:
    said = run("gold", "x.csv", "--method", "majority", *line, folder=folder)
    assert said.code == 2, said.err
    assert (folder / "x.csv").read_text(encoding="utf-8") == LONG


def test_the_same_gold_at_every_run() -> None:
    study = accord.read(EXAMPLES / "two-annotators.csv")
    one, other = (accord.gold(study).to_table().to_dict() for _ in range(2))
    assert one == other


# -- breaks in plausible use -------------------------------------------------------------------------------------------


def test_a_table_with_runs_is_read_again(tmp_path: Path) -> None:
    rows = "item,annotator,run,label\n1,a,1,x\n1,b,1,x\n2,a,1,y\n2,b,1,x\n"
    first = accord.read(written(tmp_path / "r.csv", rows))
    assert accord.read(first.write(tmp_path / "w.csv")).n_annotations == first.n_annotations == 4


def test_valid_json_with_line_ends_after_it_is_told_at_once(tmp_path: Path) -> None:
    with pytest.raises(InputError):
        accord.read(written(tmp_path / "n.json", "[1]" + "\n" * 40_000))


def test_headers_reach_the_terminal_without_escapes(tmp_path: Path) -> None:
    written(tmp_path / "w.csv", "item,a\x1b]0;pwned\x07,b\n1,x,x\n2,y,y\n")
    said = run("measure", "w.csv", folder=tmp_path)
    assert said.code in (0, 3)
    assert "\x1b" not in said.out + said.err


def test_a_report_of_ranked_answers_without_a_curve_is_written(tmp_path: Path) -> None:
    written(tmp_path / "k.csv", "item,annotator,primary,secondary\nt1,ana,a,b\nt1,ben,c,\n")
    assert run("report", "k.csv", "-o", "k.html", folder=tmp_path).code in (0, 3)
    assert (tmp_path / "k.html").is_file()


@pytest.mark.parametrize("include", ["draft", ["drafts"]])
def test_a_status_that_is_misspelt_is_refused(include: Any) -> None:
    with pytest.raises(OptionError, match="draft"):
        accord.read(SAMPLES / "label-studio" / "export.json", include=include)


@pytest.mark.parametrize(
    "option",
    [("--delimiter", "\\t"), ("--separator", ""), ("--encoding", "undefined"), ("--labels", "9" * 5000)],
    ids=lambda option: option[0],
)
def test_ordinary_options_end_in_a_sentence(option: tuple[str, str], folder: Path) -> None:
    said = run("measure", "x.csv", *option, folder=folder)
    assert said.code in (0, 2, 3)
    assert "Traceback" not in said.err
    assert said.code == 0 or said.err.startswith("accord: ") or said.code == 3


@pytest.mark.parametrize("output", [("-o", "g.csv"), ("--format", "csv")])
def test_no_cell_of_a_csv_is_a_formula(output: tuple[str, str], tmp_path: Path) -> None:
    rows = [f"{n},{who},{label}" for n, label in enumerate(("=1+1", "+x", "-y", "@z")) for who in "ab"]
    written(tmp_path / "f.csv", "\n".join(["item,annotator,label", *rows, ""]))
    said = run("gold", "f.csv", "--method", "majority", *output, folder=tmp_path)
    text = (tmp_path / "g.csv").read_text(encoding="utf-8") if output[0] == "-o" else said.out
    cells = [cell for line in text.splitlines() for cell in line.split(",")]
    assert "'=1+1" in cells or output[0] == "--format"
    assert not any(cell.startswith(("=", "+", "@", "\t")) for cell in cells)


# -- breaks in odd use -------------------------------------------------------------------------------------------------

NINES = "9" * 5000
BRAT = {"d.txt": "The ship sails.\n", "d.ann": f"T1\tShip 4 {NINES}\tship\n"}


@pytest.mark.parametrize(
    "files",
    [
        {"a.json": '[{"item":1,"annotator":"a","label":' + NINES + "}]"},
        {"a.jsonl": '{"item":1,"annotator":"a","label":' + NINES + "}\n"},
        BRAT,
        {"s.csv": f"item,annotator,label,start,end\n1,a,x,0,{NINES}\n1,b,x,0,3\n"},
        {"r.csv": f"item,annotator,rank_1,rank_2,rank_{NINES}\n1,a,x,y,z\n1,b,x,y,z\n"},
    ],
    ids=["array", "lines", "brat", "offsets", "header"],
)
def test_numbers_of_too_many_digits_are_refused_or_read(files: dict[str, str], tmp_path: Path) -> None:
    for name, text in files.items():
        written(tmp_path / name, text)
    with pytest.raises(AccordError):
        accord.read(tmp_path if len(files) > 1 else tmp_path / next(iter(files)))


@pytest.mark.parametrize("method", ["auto", "majority", "dawid-skene", "mace", "one-coin", "glad", "expert-index"])
def test_gold_without_an_answer_is_refused_or_undecided(method: str) -> None:
    table = {"item": [1, 1], "annotator": ["a", "b"], "label": [None, None]}
    for answers in ("single", "set"):
        try:
            gold = accord.gold(accord.Study(table, answers=answers), method=method)
        except AccordError:
            continue
        assert gold.n_decided <= 1


def test_a_lazy_table_with_tasks_and_clusters_is_explained() -> None:
    columns = ["item", "annotator", "label", "task", "cl"]
    rows = [
        (i, who, "xy"[(i + at) % 2], task, i // 4)
        for i, (at, who), task in itertools.product(range(12), enumerate("abc"), ("t", "u"))
    ]
    frame = pl.DataFrame(rows, schema=columns, orient="row")
    lazy, held = (accord.explain(table, task="task", cluster="cl") for table in (frame.lazy(), frame))
    assert [str(one) for one in lazy] == [str(one) for one in held]


HUGE = 10**5000
ODD_CALLS: dict[str, Callable[[], object]] = {
    "timedelta": lambda: accord.Study({"item": [1], "annotator": ["a"], "label": [np.timedelta64(1, "D")]}),
    "spans": lambda: accord.Study(
        {"item": [1], "annotator": ["a"], "label": ["x"], "start": [0], "end": [10**400]}, start="start", end="end"
    ),
    "boxes": lambda: accord.Study(
        {"item": [1], "annotator": ["a"], "label": ["x"], "x": [10**400], "y": [0], "width": [1], "height": [1]},
        answers="boxes",
    ),
    "prior": lambda: accord.gold({"item": [1], "annotator": ["a"], "label": ["x"]}, method="dawid-skene", prior={}),
    "only": lambda: accord.read(SAMPLES / "tables" / "long.csv", only=["a"]),  # type: ignore[arg-type]
    "adjudicator": lambda: accord.read(SAMPLES / "tables" / "long.csv", adjudicator=5.5),  # type: ignore[arg-type]
    "form": lambda: accord.icc([[1, 2], [3, 4], [2, 2]], form=f"A,{NINES}"),
    "only of a wide table": lambda: accord.read(EXAMPLES / "two-annotators.csv", only=["a"]),  # type: ignore[arg-type]
    "width": lambda: accord.plan(width=HUGE),
    "a huge label": lambda: accord.Study({"item": [1], "annotator": ["a"], "label": [HUGE]}),
    "a huge name": lambda: accord.measure({"item": [1], "annotator": [HUGE], "label": ["a"]}),
    "a huge group": lambda: accord.measure({"item": [1], "annotator": ["a"], "label": ["x"], "g": [HUGE]}, by="g"),
    "a huge cell": lambda: accord.Study({"item": [1], "annotator": ["a"], "label": ["x"], "g": [HUGE]}).write("a.csv"),
    "a name of a file": lambda: accord.read("a" * 300),
    "name": lambda: accord.read(SAMPLES / "tables" / "long.csv").write("a\0.csv"),
}


@pytest.mark.parametrize("name", ODD_CALLS)
def test_odd_values_are_refused_in_a_sentence(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(AccordError, match=r"\w.*[.?)]$") as refused:
        ODD_CALLS[name]()
    json.dumps(refused.value.to_dict())


def test_a_time_of_thousands_of_digits_is_refused_by_its_column() -> None:
    table = {"item": [1, 1], "annotator": ["a", "b"], "label": ["x", "y"], "when": [HUGE, 1]}
    with pytest.raises(AccordError, match=r"about 5,001 digits> in the column 'when'\. Make it text"):
        accord.explain(table, time="when")


def test_numbers_of_128_bits_are_numbers() -> None:
    label = pl.Series([1, 2, 2, 2], dtype=pl.Int128)
    frame = pl.DataFrame({"item": [1, 1, 2, 2], "annotator": ["a", "b"] * 2, "label": label})
    assert accord.Study(frame).labels == (1, 2)


def test_spans_of_which_none_has_a_place_are_written(tmp_path: Path) -> None:
    table = {"item": [1, 1], "annotator": ["a", "b"], "label": [None] * 2, "start": [None] * 2, "end": [None] * 2}
    study = accord.Study(table, answers="spans", start="start", end="end")
    again = accord.read(study.write(tmp_path / "s.jsonl"))
    assert again.n_annotations == study.n_annotations


def test_a_brat_project_in_which_nobody_marked_anything_is_read(tmp_path: Path) -> None:
    for who in ("ana", "ben"):
        (tmp_path / who).mkdir()
        written(tmp_path / who / "d.txt", "The ship sails.\n")
        written(tmp_path / who / "d.ann", "")
    study = accord.read(tmp_path)
    assert (study.kind, study.n_annotators, study.n_items) == ("spans", 2, 1)


def test_an_annotator_without_a_name_comes_back_or_is_refused(tmp_path: Path) -> None:
    path = written(tmp_path / "w.csv", "item, ,b\n1,x,x\n2,y,x\n")
    try:
        first = accord.read(path)
    except InputError:
        return
    assert accord.read(first.write(tmp_path / "again.csv")).n_annotations == first.n_annotations


@pytest.mark.parametrize("place", [0, 12, None])
def test_a_file_of_an_export_with_a_nul_is_not_passed_over(place: int | None, tmp_path: Path) -> None:
    copy = tmp_path / "inception"
    shutil.copytree(SAMPLES / "inception", copy)
    victim = copy / "annotation" / "boat.txt" / "ana.tsv"
    data = victim.read_bytes()
    at = len(data) if place is None else place
    victim.write_bytes(data[:at] + b"\0" + data[at:])
    with pytest.raises(FileError, match=r"ana\.tsv: It holds NUL characters"):
        accord.read(copy)
    rest = accord.read(copy, on_error="skip")
    assert rest.left_out["records that could not be read"] == 1
    assert "ana" not in rest.annotators


def test_settings_as_deep_as_a_well_are_refused(folder: Path) -> None:
    written(folder / "accord.toml", "a = " + "[" * 5000 + "]" * 5000 + "\n")
    said = run("measure", "x.csv", folder=folder)
    assert said.code == 2
    assert "accord.toml" in said.err


def test_gold_of_too_many_labels_says_at_which_size() -> None:
    from accord.consensus import table_sizes

    labels = [f"l{n}" for n in range(40)]
    table = {"item": [n for n in range(40) for _ in "ab"], "annotator": ["a", "b"] * 40, "label": labels * 2}
    with pytest.MonkeyPatch.context() as limits:
        limits.setattr(table_sizes, "MOST_COMPARED", 100)
        limits.setattr(table_sizes, "PER_ANSWER", 1)
        limits.setattr(table_sizes, "MOST_NUMBERS", 100)
        gold = accord.gold(table)
        assert (gold.method, gold.confidence_is) == ("majority", "vote share")
        assert "40 items with 40 labels have 4,800" in gold.notes[0]
        with pytest.raises(MeasureError, match="2 annotators × 40 answers × 40 labels"):
            accord.gold(table, method="dawid-skene")
        with pytest.raises(MeasureError, match="Judging annotators by one another takes a table"):
            gold.annotators()
        assert gold.to_dict()["annotators"] == []
        assert any("Judging annotators" in note for note in gold.to_dict()["notes"])


# -- the parts of a defect that are easily passed over -----------------------------------------------------------------

CELLS = [f"{item},{who},{(item * 3 + place) % 4}" for item in range(9) for place, who in enumerate("abc")]
ODD_TABLES = {
    "an empty line first": ["", "item,annotator,label", *CELLS],
    "rows of blanks": ["item,annotator,label", *CELLS[:5], " , ,  ", ",,", *CELLS[5:], " ,,"],
    "a blank among numbered labels": ["item,annotator,label", *CELLS, "9,a,  ", "9,b,1"],
}


@pytest.mark.parametrize("name", ODD_TABLES)
def test_a_large_csv_is_read_by_the_rules_of_a_small_one(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = written(tmp_path / "x.csv", "\n".join([*ODD_TABLES[name], ""]))
    small = accord.read(path)
    monkeypatch.setattr(delimited, "SMALL", 0)
    large = accord.read(path)
    assert small.labels == large.labels == (0, 1, 2, 3)
    assert dict(small.left_out) == dict(large.left_out)
    assert accord.fleiss_kappa(small).value == accord.fleiss_kappa(large).value


HALF = "\ud83d"


@pytest.mark.parametrize(
    "line",
    [
        ("gold", "--method", "majority", "--queue", "4", "--queue-file", "q.csv"),
        ("gold", "--method", "majority", "--json"),
        ("measure", "--json", "--by-annotator"),
        ("explain", "--json"),
        ("report", "-o", "r.html"),
        ("report", "-o", "r.md", "--anonymise"),
        ("convert", "-o", "c.parquet"),
    ],
    ids=" ".join,
)
def test_half_a_character_in_a_label_and_a_name_stops_no_command(line: tuple[str, ...], tmp_path: Path) -> None:
    rows = [{"item": n, "annotator": f"Zebedee{HALF}"[: 7 + n % 2], "label": f"x{HALF}"} for n in range(4)]
    rows += [{"item": n, "annotator": f"Quentin {HALF}", "label": "y" if n else f"x{HALF}"} for n in range(4)]
    written(tmp_path / "x.jsonl", "\n".join(map(json.dumps, rows)))
    said = run(line[0], "x.jsonl", *line[1:], folder=tmp_path)
    assert (said.code in (0, 3), said.err) == (True, ""), said.err


@pytest.mark.parametrize("name", ["\x1b]0;pwned\x07.csv", "a\x1b[31m\u202e.csv"])
@pytest.mark.parametrize("text", [LONG, "colour\nred\n", ""])
def test_names_of_files_reach_the_terminal_without_escapes(name: str, text: str, tmp_path: Path) -> None:
    written(tmp_path / name, text)
    for command in ("measure", "doctor", "explain"):
        said = run(command, name, folder=tmp_path)
        assert not [mark for mark in "\x1b\x07\u202e" if mark in said.out + said.err], command
    seen = in_terminal_here("measure", name, columns=100, folder=tmp_path, NO_COLOR="1").out  # with the progress line
    assert not [mark for mark in ("\x1b]0;", "\x07", "\x1b[31m", "\u202e") if mark in seen]


@pytest.mark.parametrize("deed", [Path.unlink, lambda path: path.write_bytes(b"PAR1 and no more")])
def test_a_large_file_that_is_gone_or_another_is_told(
    deed: Callable[[Path], object], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lazy_annotations, "CROWD_ROWS", 10)
    table = {"item": [n // 2 for n in range(400)], "annotator": ["a", "b"] * 200, "label": [*"xyxx"] * 100}
    pl.DataFrame(table).write_parquet(tmp_path / "x.parquet")
    study = accord.read(tmp_path / "x.parquet")
    deed(tmp_path / "x.parquet")
    with pytest.raises(AccordError):
        accord.explain(study)


def test_an_offset_of_too_many_digits_in_xmi_is_refused(tmp_path: Path) -> None:
    text = (SAMPLES / "xmi" / "ana.xmi").read_text(encoding="utf-8")
    path = written(tmp_path / "ana.xmi", re.sub(r'end="\d+"', f'end="{NINES}"', text))
    with pytest.raises(AccordError):
        accord.read(path)


def test_yes_and_no_come_back_as_the_words_that_files_hold(tmp_path: Path) -> None:
    study = accord.Study({"item": [1, 1, 2, 2, 3, 3], "annotator": ["a", "b"] * 3, "label": [True, False, *[True] * 4]})
    for ending in ("csv", "jsonl", "parquet"):
        again = accord.read(study.write(tmp_path / f"x.{ending}"))
        assert again.labels == ("false", "true")
        assert accord.fleiss_kappa(again).value == accord.fleiss_kappa(study).value
