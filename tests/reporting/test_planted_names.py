"""Planted names, looked for in everything that every command prints or writes when people are to be hidden."""

from __future__ import annotations

import csv
import zipfile
from pathlib import Path

import polars as pl
import pytest

from tests.command.running import run
from tests.fuzz.commands import commands
from tests.readers.results_folder import results_of
from tests.warehouses import databases

pytestmark = pytest.mark.usefixtures("few_planted_errors")

NAMES = ("Xanthippe", "Quentin", "Zebedee")
FOLDER = "secret-folder"
TEXT = "The ship sails to Rome and back again."
KEY = "key.json"  # who is who: the one place where names may stand


def long_table() -> str:
    lines = [f"{i},{who},{'abc'[(i * 3 + p * i) % 3]},d{i % 2}" for i in range(12) for p, who in enumerate(NAMES)]
    return "\n".join(["item,annotator,label,part", *lines, ""])


def wide_table() -> str:
    return "\n".join(["item," + ",".join(NAMES), *(f"{i},a,{'ab'[i % 2]},{'ba'[i % 3 % 2]}" for i in range(9)), ""])


def score_table() -> str:
    lines = [f"{i},{who},{i + p / 2}" for i in range(8) for p, who in enumerate(NAMES)]
    return "\n".join(["item,annotator,score", *lines, ""])


def span_table() -> str:
    lines = [
        f"d{i},{who},{4 + shift},{8 + shift},{'SHIP' if i % 2 else 'BOAT'},{TEXT}"
        for i in range(6)
        for p, who in enumerate(NAMES)
        for shift in ({0, p % 2} if i % 3 else {p})
    ]
    return "\n".join(["item,annotator,start,end,label,text", *lines, ""])


def set_table() -> str:
    lines = [f"{i},{who},{['a|b', 'a', 'b|c'][(i + p) % 3]}" for i in range(8) for p, who in enumerate(NAMES)]
    return "\n".join(["item,annotator,label", *lines, ""])


STUDIES = {"long": long_table, "wide": wide_table, "scores": score_table, "spans": span_table, "sets": set_table}
LINES = (
    ("measure", "--by-pair", "--by-annotator", "--by-item"),
    ("measure", "--json"),
    ("measure", "--by-pair", "--format", "csv"),
    ("explain",),
    ("explain", "--json"),
    (
        "gold",
        "--show-annotators",
        "--show-labels",
        "--queue",
        "9",
        "--queue-names",
        "--queue-file",
        "q.csv",
        "-o",
        "g.csv",
    ),
    ("gold", "--json", "--queue", "9", "--queue-names"),
    ("report", "-o", "r.md"),
    ("report", "-o", "r.json"),
    ("paper", "-o", "p.md"),
)


def held_in(path: Path) -> str:
    """What a file holds, unpacked, as text; of arrays of letters too, which take four bytes each."""
    parts = [path.read_bytes()]
    if zipfile.is_zipfile(path):
        with zipfile.ZipFile(path) as packed:
            parts = [packed.read(name) for name in packed.namelist()]
    return "\n".join(part.decode("utf-8", "replace") + part.decode("latin-1").replace("\0", "") for part in parts)


def told_by(folder: Path, *line: str) -> str:
    """All that a run prints and writes, but for the key."""
    before = {path: path.stat().st_mtime_ns for path in folder.rglob("*") if path.is_file()}
    said = run(*line, folder=folder)
    written = [path for path in folder.rglob("*") if path.is_file() and path.stat().st_mtime_ns != before.get(path)]
    texts = [held_in(path) for path in written if path.name not in (KEY, "r-key.json")]
    return "\n".join([said.out, said.err, *texts, *(path.name for path in written)])


@pytest.mark.parametrize("study", STUDIES)
def test_no_name_and_no_folder_is_told(study: str, tmp_path: Path) -> None:
    source = tmp_path / FOLDER / "answers.csv"
    source.parent.mkdir()
    source.write_text(STUDIES[study](), encoding="utf-8")
    more = ("--separator", "|") if study == "sets" else ()
    for line in LINES:
        told = told_by(tmp_path, line[0], str(source), *more, "--anonymise", "--key", KEY, *line[1:])
        assert len(told) > 100, line
        assert not [name for name in NAMES if name.lower() in told.lower()], line
        assert FOLDER not in told, line


@pytest.mark.parametrize("table", ["?table=answers", ""])
def test_no_name_and_no_folder_of_a_database_is_told(table: str, tmp_path: Path) -> None:
    (tmp_path / FOLDER).mkdir()
    database = databases.duckdb(tmp_path / FOLDER / "x.db")
    columns, *rows = csv.reader(long_table().splitlines())
    database.fill("answers", columns, list(map(tuple, rows)))
    database.close()
    for place in (FOLDER, tmp_path / FOLDER):
        address, more = f"duckdb:{place}/x.db{table}", () if table else ("--table", "answers")
        for line in (("measure", "--json"), ("explain",), ("report", "-o", "r.md"), ("paper", "-o", "p.md")):
            told = told_by(tmp_path, line[0], address, *more, "--anonymise", "--key", KEY, *line[1:], *forced(line))
            assert len(told) > 100, line
            assert not [word for word in (*NAMES, FOLDER, tmp_path.name) if word in told], line


def forced(line: tuple[str, ...]) -> tuple[str, ...]:
    return ("--force",) if "-o" in line else ()


def test_pages_for_others_name_nobody(tmp_path: Path) -> None:
    for name, table in STUDIES.items():
        source = tmp_path / FOLDER / f"{name}.csv"
        source.parent.mkdir(exist_ok=True)
        source.write_text(table(), encoding="utf-8")
        more = ("--separator", "|") if name == "sets" else ()
        told = told_by(tmp_path, "publish", str(source), *more, "--key", KEY, "--no-text", "-o", f"pages-{name}")
        assert len(told) > 1000, name
        assert not [word for word in (*NAMES, FOLDER, TEXT) if word in told], name


def test_sums_for_others_name_nobody(tmp_path: Path) -> None:
    (tmp_path / FOLDER).mkdir()
    (tmp_path / FOLDER / "x.csv").write_text(long_table(), encoding="utf-8")
    run("tally", f"{FOLDER}/x.csv", "-o", f"{FOLDER}/x.tally", folder=tmp_path)
    table = {name: list(cells) for name, cells in zip(*_rows_of(long_table()), strict=True)}
    results_of(table, tmp_path / FOLDER / "results", labels=["a", "b", "c"])
    for source in ("x.tally", "results"):
        for line in (
            ("measure", "--by-pair", "--json"),
            ("explain",),
            ("report", "-o", "r.md"),
            ("paper", "-o", "p.md"),
        ):
            told = told_by(
                tmp_path, line[0], f"{FOLDER}/{source}", "--anonymise", "--key", KEY, *line[1:], *forced(line)
            )
            assert not [word for word in (*NAMES, FOLDER) if word in told], (source, line)
    asked = run("sql", "--dialect", "duckdb", "--table", "answers", "--labels", "a,b,c", "--no-names", "-o", "asked",
                folder=tmp_path)  # fmt: skip
    assert asked.code == 0
    assert not list((tmp_path / "asked").glob("*annotators*")), "no query gives a name"


def _rows_of(text: str) -> tuple[list[str], list[tuple[str, ...]]]:
    columns, *rows = csv.reader(text.splitlines())
    return columns, list(zip(*rows, strict=True))


@pytest.mark.parametrize("ending", ["html", "tex"])
def test_no_name_stands_in_a_page(ending: str, tmp_path: Path) -> None:
    (tmp_path / FOLDER).mkdir()
    (tmp_path / FOLDER / "x.csv").write_text(span_table(), encoding="utf-8")
    told = told_by(tmp_path, "report", f"{FOLDER}/x.csv", "--anonymise", "-o", f"r.{ending}")
    assert len(told) > 1000
    assert not [word for word in (*NAMES, FOLDER) if word in told]
    told = told_by(tmp_path, "report", f"{FOLDER}/x.csv", "--no-text", "--anonymise", "-o", f"r2.{ending}")
    assert TEXT not in told


def test_no_name_stands_in_a_tally(tmp_path: Path) -> None:
    (tmp_path / FOLDER).mkdir()
    (tmp_path / FOLDER / "x.csv").write_text(long_table(), encoding="utf-8")
    said = run("tally", f"{FOLDER}/x.csv", "--anonymise", "--key", KEY, "-o", "x.tally", folder=tmp_path)
    file = tmp_path / "x.tally"
    packed, cells = file.read_bytes().decode("latin-1"), str(pl.read_parquet(file).to_dict(as_series=False))
    assert said.code == 0
    assert not [word for word in (*NAMES, FOLDER) for told in (said.out, said.err, packed, cells) if word in told]


def test_every_command_that_hides_names_is_looked_at() -> None:
    hides = {name for name, options in commands().items() if "--anonymise" in options}
    assert hides == {line[0] for line in LINES} | {"judge", "tally"}, "give a new one a line, or a test of its own"
    shows = {name for name, options in commands().items() if "--show-names" in options}
    assert shows == {"publish"}, "give a new one a test of its own"
    others = {"compare", "plan", "sql"}  # which name nobody
    for_owners = {"convert", "doctor", "serve"}  # rows, what a file holds, and a link for each who may come in
    assert set(commands()) == hides | shows | others | for_owners


def test_commands_that_speak_of_all_people_together_name_nobody(tmp_path: Path) -> None:
    (tmp_path / FOLDER).mkdir()
    for name, table in (("x", long_table()), ("y", long_table().replace(",a,", ",b,"))):
        (tmp_path / FOLDER / f"{name}.csv").write_text(table, encoding="utf-8")
    one, other = f"{FOLDER}/x.csv", f"{FOLDER}/y.csv"
    for line in (
        ("compare", one, other), ("compare", one, other, "--json"), ("compare", one, other, "--format", "csv"),
        ("plan", one, "--width", "0.3"), ("plan", one, "--width", "0.3", "--json"), ("measure", "--show-completion"),
    ):  # fmt: skip
        told = told_by(tmp_path, *line)
        assert not [word for word in (*NAMES, FOLDER) if word in told], line


WRONG = {
    "answered twice": (f"{long_table()}0,Quentin,b,d0\n", ()),
    "one cell too few": (long_table() + "99,Zebedee\n", ()),
    "misspelt": (long_table(), ("--annotators", "Xanthippe,Quentn")),
    "no adjudicator": (long_table(), ("--adjudicator", "Quentn")),
    "left out": (long_table(), ("--exclude", "Quentn")),
    "where": (long_table(), ("--where", "annotator=Quentn")),
    "no such column": (wide_table(), ("--label", "lable")),
    "no columns of annotators": (wide_table(), ("--annotators", "Xanthippe,Quentn")),
    "groups": (wide_table(), ("--task", "nothing")),
    "groups by nearly a person": (wide_table(), ("--by", "Xanthipp")),
    "a cell that is none": (long_table().replace("0,Quentin,a", '0,"Quentin,a'), ()),
}
HIDING = sorted(name for name, options in commands().items() if "--anonymise" in options)


@pytest.mark.parametrize("wrong", WRONG)
def test_an_error_names_nobody_either(wrong: str, tmp_path: Path) -> None:
    table, options = WRONG[wrong]
    (tmp_path / "x.csv").write_text(table, encoding="utf-8")
    for command in HIDING:
        written = {"report": "r.md", "paper": "p.md", "tally": "t.tally"}.get(command)
        more = ("-o", written) if written else ()
        said = run(command, "x.csv", *options, "--anonymise", *more, folder=tmp_path)
        assert said.code == 2, (command, said)
        assert not [name for name in (*NAMES, "Quentn") if name in said.err + said.out], (command, said.err)
        shown = run(command, "x.csv", *options, *more, folder=tmp_path)
        hidden = said.err != shown.err
        assert ("without --anonymise they are told" in said.err) == hidden, said.err


def test_an_error_in_the_folder_of_a_person_names_nobody(tmp_path: Path) -> None:
    for name in NAMES:
        (tmp_path / "brat" / name).mkdir(parents=True)
        (tmp_path / "brat" / name / "d.txt").write_text(TEXT, encoding="utf-8")
        (tmp_path / "brat" / name / "d.ann").write_text("T1\tShip 4 eight\tship\n", encoding="utf-8")
    said = run("measure", "brat", "--anonymise", folder=tmp_path)
    assert said.code == 2
    assert not [name for name in NAMES if name in said.err], said.err
    assert [name for name in NAMES if name in run("measure", "brat", folder=tmp_path).err]


def test_settings_that_hide_people_hide_them_in_errors_too(tmp_path: Path) -> None:
    (tmp_path / "x.csv").write_text(WRONG["answered twice"][0], encoding="utf-8")
    (tmp_path / "accord.toml").write_text("[report]\nanonymise = true\n", encoding="utf-8")
    said = run("report", "x.csv", "-o", "r.md", folder=tmp_path)
    assert (said.code, "Quentin" in said.err, "answered item 0 more than once" in said.err) == (2, False, True)


def test_a_checkpoint_names_nobody(tmp_path: Path) -> None:
    (tmp_path / "x.csv").write_text(long_table(), encoding="utf-8")
    said = run("gold", "x.csv", "--anonymise", "--method", "dawid-skene", "--checkpoint", "kept", folder=tmp_path)
    assert said.code == 0, said.err
    held = [held_in(path) for path in tmp_path.rglob("kept*") if path.is_file()]
    assert held, "it is left there"
    assert not [name for name in NAMES for told in held if name in told]


def test_no_name_of_a_person_is_told_by_a_judge(tmp_path: Path) -> None:
    lines = [f"{i},{who},{'ab'[(i + p) % 2]},{kind}" for i in range(20) for p, (who, kind) in enumerate(
        [*((name, "person") for name in NAMES), ("gpt", "model")])]  # fmt: skip
    (tmp_path / "x.csv").write_text("\n".join(["item,annotator,label,kind", *lines, ""]), encoding="utf-8")
    for more in ((), ("--json",), ("--format", "csv")):
        told = told_by(tmp_path, "judge", "x.csv", "--anonymise", *more)
        assert "gpt" in told
        assert not [name for name in NAMES if name in told]


def test_people_in_folders_of_an_export_are_told_by_nobody(tmp_path: Path) -> None:
    for place, name in enumerate(NAMES):
        for document in range(3):
            folder = tmp_path / "brat" / name
            folder.mkdir(parents=True, exist_ok=True)
            (folder / f"d{document}.txt").write_text(TEXT, encoding="utf-8")
            mark = f"T1\tShip {4 + place * (document % 2)} 8\t{TEXT[4 + place * (document % 2) : 8]}\n"
            (folder / f"d{document}.ann").write_text(mark, encoding="utf-8")
    for line in (("measure", "--by-annotator"), ("explain",), ("gold", "--queue", "3"), ("report", "-o", "r.md")):
        told = told_by(tmp_path, line[0], "brat", "--anonymise", *line[1:])
        assert not [name for name in NAMES if name in told], line
