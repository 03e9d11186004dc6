"""The command speaks its own language: never Python in what it prints, and never its options in what Python says."""

from __future__ import annotations

import random
import re
import zipfile
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

import accord
from accord.errors import AccordError
from tests.command.running import Said, run

PYTHON = re.compile(
    r"\b[a-z_]{2,}=(?:['\[({…]|True|False|None)|\b[a-z_]+= "
    r"|\bstudy\.[a-z]|\baccord\.(?!toml)[a-z]|\bStudy[.(]|\b[a-z_]+\(\)"
)
OPTION = re.compile(r"(?<![\w-])--[a-z]{2,}")
PEOPLE = ("ana", "ben", "cal")


def table(folder: Path, name: str, columns: str, rows: Sequence[Sequence[object]]) -> None:
    lines = [columns, *(",".join(map(str, row)) for row in rows)]
    (folder / name).write_text("\n".join(lines) + "\n", encoding="utf-8")


def kind_of(who: str) -> str:
    return "model" if who == "gpt" else "person"


def long(folder: Path, name: str, labels: Sequence[object], more: Callable[[str], str] | None = None) -> None:
    """One row per annotation, with a column of what an annotator is where `more` tells it."""
    draw = random.Random(1)
    people = (*PEOPLE, "gpt") if more else PEOPLE
    rows = [(item, who, draw.choice(labels), *([more(who)] if more else [])) for item in range(30) for who in people]
    table(folder, name, "item,annotator,label" + (",kind" if more else ""), rows)


def workbook(file: Path, *names: str) -> None:
    """The smallest workbook with these sheets, each with a row of two cells."""
    main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
    links = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
    package = "http://schemas.openxmlformats.org/package/2006/relationships"
    numbered = list(enumerate(names, 1))
    sheets = "".join(f'<sheet name="{name}" sheetId="{at}" r:id="r{at}"/>' for at, name in numbered)
    targets = "".join(f'<Relationship Id="r{at}" Type="s" Target="worksheets/s{at}.xml"/>' for at, _ in numbered)
    cells = '<row r="1"><c r="A1"><v>1</v></c><c r="B1"><v>2</v></c></row>'
    with zipfile.ZipFile(file, "w") as packed:
        packed.writestr("[Content_Types].xml", "<Types/>")
        book = f'<workbook xmlns="{main}" xmlns:r="{links}"><sheets>{sheets}</sheets></workbook>'
        packed.writestr("xl/workbook.xml", book)
        packed.writestr("xl/_rels/workbook.xml.rels", f'<Relationships xmlns="{package}">{targets}</Relationships>')
        for at, _ in numbered:
            sheet = f'<worksheet xmlns="{main}"><sheetData>{cells}</sheetData></worksheet>'
            packed.writestr(f"xl/worksheets/s{at}.xml", sheet)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A table for each way to be misunderstood."""
    to, draw = tmp_path_factory.mktemp("odd"), random.Random(2)
    wide = [(item, *draw.choices(["joy|fear", "joy", "fear"], k=3)) for item in range(20)]
    table(to, "sets.csv", "item,ana,ben,cal", wide)
    raters = [(who, f"{who}-x", item, draw.choice("xyz")) for item in range(6) for who in PEOPLE]
    table(to, "two_raters.csv", "rater,worker,doc,tag", raters)
    several = [(item, who, *draw.choices("xy", k=3)) for item in range(9) for who in PEOPLE]
    table(to, "several.csv", "id,who,tone,topic,mood", several)
    table(to, "twice.csv", "item,annotator,label", [(1, "ana", "x"), (1, "ana", "y"), (1, "ben", "x")])
    strangers = [(item, *(draw.choice([f"{who}1", f"{who}2"]) for who in "abc")) for item in range(30)]
    table(to, "strangers.csv", "id,a,b,c", strangers)
    table(to, "counts.csv", "doc,good,bad", [(f"d{item}", item % 4, 5 - item % 4) for item in range(8)])
    places = [(item, who, "x", place, place + 3) for item in range(6) for who in PEOPLE for place in (0, 7)]
    table(to, "spans.csv", "item,annotator,label,start,end", places)
    scores = [(item, who, draw.random(), kind_of(who)) for item in range(30) for who in (*PEOPLE, "gpt")]
    table(to, "scores.csv", "item,annotator,score,kind", scores)
    ranks = [(f"q{q}", who, thing, rank) for q in range(5) for who in PEOPLE for rank, thing in enumerate("xyz", 1)]
    table(to, "ranking.csv", "query,annotator,item,rank", ranks)
    ranked = [(item, who, label, rank) for item in range(9) for who in PEOPLE for rank, label in enumerate("xy", 1)]
    table(to, "ranked.csv", "item,annotator,label,rank", ranked)
    long(to, "words.csv", ["low", "middle", "high"])
    long(to, "names.csv", ["cat", "dog", "bird"])
    long(to, "one_label.csv", ["x"])
    long(to, "models.csv", "xxy", kind_of)
    (to / "western.csv").write_bytes((to / "words.csv").read_text().replace("low", "né").encode("cp1252"))
    (to / "headerless.csv").write_text((to / "words.csv").read_text().partition("\n")[2])
    workbook(to / "sheets.xlsx", "Full annotation", "Second round")
    return to


def everything(said: Said) -> str:
    return said.out + said.err


REFUSED = [
    ("measure two_raters.csv", "Say which: --annotator rater or --annotator worker."),
    ("measure twice.csv", "say --duplicates first, last or repeat."),
    ("measure names.csv --level ordinal", "Declare the scale in order: --labels low,middle,high."),
    ("measure words.csv --level interval", "choose what fits names: --level nominal"),
    ("measure several.csv", "--label tone for one of them; --label tone,topic,mood for several variables"),
    ("measure strangers.csv", "'a', 'b', 'c' share no label with each other"),
    ("measure counts.csv", "Say which: --shape counts or --shape wide."),
    ("measure headerless.csv", "--no-header --item column_1 --annotator column_2 --label column_3"),
    ("measure sheets.xlsx", "to read one, say --sheet 'Full annotation'."),
    ("gold several.csv --label tone,topic", "Choose one: --only tone; `accord measure` gives one row each."),
    ("judge scores.csv --measure kappa", "--measure must be one of 'concordance'"),
    ("judge words.csv", "Name them, --models …, or the column that tells, --kind kind."),
    ("judge models.csv --about consistency", "--run run --duplicates repeat"),
    ("report words.csv -o report.pdf", "--output must end in .html, .md, .tex or .json; got 'report.pdf'."),
    ("gold words.csv --queue 3 --queue-file q.pdf", "--queue-file must end in .csv or .tsv"),
    ("measure words.csv --labels low,high", "Add them to --labels, or mend the data."),
]  # fmt: skip
PRINTED = [
    ("measure sets.csv", "if they hold several, say --separator '|'"),
    ("measure western.csv", "say --encoding … if letters look wrong"),
    ("measure one_label.csv", "Declare the labels that could have been given: --labels …."),
    ("measure ranking.csv --shape ranking", "the lowest rank is first"),
    ("convert ranking.csv --shape ranking -o long.csv", "the lowest rank is first"),
    ("gold ranked.csv --answers ranked --method majority", "--method sharpening also uses the others."),
    ("gold models.csv --method dawid-skene --iterations 1", "raise --iterations, or loosen tolerance."),
    ("measure several.csv --label tone,topic --item id --annotator who", "by variable"),
    ("measure two_raters.csv --annotator rater", "by their names, --item doc, --label tag"),
    ("measure spans.csv --answers single --duplicates first", "left out"),
    ("explain models.csv", "name the column, --time …"),
    ("explain twice.csv --duplicates repeat", "--duplicates first keeps one answer each"),
    ("report models.csv -o models.html", "The report is in models.html"),
    ("report ranked.csv -o ranked.md", "The report is in ranked.md"),
    ("report several.csv --label tone,topic -o several.md", "The report is in several.md"),
]


@pytest.mark.parametrize(("typed", "way_out"), REFUSED)
def test_a_refusal_names_options_of_the_command(folder: Path, typed: str, way_out: str) -> None:
    said = run(*typed.split(), folder=folder)
    assert (said.code, said.out) == (2, "")
    assert way_out in said.err
    assert not PYTHON.search(said.err)


@pytest.mark.parametrize(("typed", "told"), PRINTED)
def test_what_is_printed_names_options_of_the_command(folder: Path, typed: str, told: str) -> None:
    said = run(*typed.split(), folder=folder)
    assert said.code in (0, 3), said.err
    assert told in re.sub(r"\s+", " ", everything(said))
    assert not PYTHON.search(everything(said))


@pytest.mark.parametrize("page", ["models.html", "ranked.md", "several.md"])
def test_a_report_of_the_command_names_its_options(folder: Path, page: str) -> None:
    typed = next(typed for typed, _ in PRINTED if page in typed)
    run(*typed.split(), folder=folder)
    written = (folder / page).read_text(encoding="utf-8")
    text = re.sub(r"<(script|style).*?</\1>|<[^>]*>", " ", written, flags=re.DOTALL)
    assert not PYTHON.search(text)


def test_the_same_report_from_python_speaks_python(folder: Path) -> None:
    accord.report(accord.read(folder / "models.csv"), folder / "python.md")
    written = (folder / "python.md").read_text(encoding="utf-8")
    assert "accord.report(study, path)" in written
    assert not OPTION.search(written)


@pytest.mark.parametrize(
    "file",
    ["two_raters.csv", "twice.csv", "several.csv", "strangers.csv", "counts.csv", "headerless.csv", "sheets.xlsx"],
)
def test_python_is_told_in_python(folder: Path, file: str) -> None:
    with pytest.raises(AccordError) as refused:
        accord.read(folder / file)
    assert PYTHON.search(str(refused.value))
    assert not OPTION.search(str(refused.value))


def test_notes_and_reasons_are_python_for_python(folder: Path) -> None:
    (note, *_) = accord.read(folder / "sets.csv").notes
    assert note.endswith("if they hold several, say separator='|'")
    undefined = accord.gwet_ac(accord.read(folder / "one_label.csv")).undefined
    assert undefined is not None
    assert undefined.endswith("Declare the labels that could have been given: labels=[…].")
    assert not any(OPTION.search(text) for text in (note, undefined))
