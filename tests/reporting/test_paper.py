"""What a paper prints: the same numbers in every file, a paragraph that keeps the checklist, nothing left unsaid."""

from __future__ import annotations

import csv
import io
import re
import struct
import zipfile
from functools import cache
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest

import accord
from accord import Study
from accord.agreement.table import Table
from accord.annotations.answers import Level
from accord.errors import InputError, MeasureError, OptionError
from tests.command.running import DATA, TINY, run

FIVE = Path(__file__).parents[2] / "examples" / "five-annotators.csv"
WORD = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"


@cache
def five() -> Study:
    return accord.read(FIVE)


@cache
def variables() -> Study:
    """Three variables at their own levels, with gaps, one item with a single answer."""
    rows = [
        (item, who, "ab"[(item + (who == "cyd" and item % 3 == 0)) % 2], 1 + (item + (who == "ben")) % 4, item + 0.5)
        for item in range(12)
        for who in ("ana", "ben", "cyd")
        if (item, who) not in {(3, "ben"), (7, "cyd"), (7, "ben")}
    ]
    names = ("item", "annotator", "topic", "tone", "length")
    table = {name: [row[place] for row in rows] for place, name in enumerate(names)}
    levels: dict[Any, Level] = {"topic": "nominal", "tone": "ordinal", "length": "ratio"}
    return Study(table, item="item", annotator="annotator", label=["topic", "tone", "length"], levels=levels)


def docx_parts(path: Path) -> dict[str, ET.Element]:
    with zipfile.ZipFile(path) as file:
        assert file.testzip() is None
        return {name: ET.fromstring(file.read(name)) for name in file.namelist()}


def paragraphs(parts: dict[str, ET.Element]) -> list[str]:
    found = parts["word/document.xml"].iter(f"{WORD}p")
    return ["".join(text.text or "" for text in one.iter(f"{WORD}t")) for one in found]


# The table ------------------------------------------------------------------------------------------------------------


def test_each_variable_has_its_coefficient_at_its_own_level_and_amounts_no_share() -> None:
    table = accord.paper(variables()).table
    assert [row["level"] for row in table] == ["ratio", "ordinal", "nominal"]
    assert [row["variable"] for row in table] == ["length", "tone", "topic"]
    assert [row["items"] for row in table] == [11, 11, 11]
    assert [row["Percent agreement"] == "–" for row in table] == [True, False, False]
    assert "Percent agreement is told of labels, not of amounts." in table.notes


def test_a_cell_is_the_value_and_its_interval() -> None:
    paper = accord.paper(five(), measures="gwet_ac", method="bootstrap", confidence=0.9, rng=3)
    result = accord.gwet_ac(five())
    low, high = result.interval(method="bootstrap", confidence=0.9, rng=3)
    assert paper.table["Gwet's AC1"][0] == f"{result.value:.3f} [{low:.3f}, {high:.3f}]"
    words = "90% confidence intervals, bootstrap over items (1,000 resamples, seed 3)"
    assert paper.table.notes == (f"In brackets: {words}.",)
    assert f"Intervals are {words}." in paper.methods


def test_a_minus_is_a_minus_in_print() -> None:
    table = accord.paper(["yes", "no", "yes", "no"], ["no", "yes", "yes", "no"]).table
    assert "[−" in table["Cohen's kappa"][0]


def test_numbers_have_all_digits_and_a_row_per_variable_and_coefficient() -> None:
    paper = accord.paper(five(), by="topic", measures=["krippendorff_alpha", "fleiss_kappa"])
    rows = list(paper.numbers)
    assert len(rows) == 8
    kappas = accord.fleiss_kappa(five(), by="topic").by_group()
    assert [row["value"] for row in rows[4:]] == list(kappas["value"])
    assert [row["topic"] for row in rows[4:]] == list(kappas["topic"])


def test_what_has_no_value_says_why_below_the_table() -> None:
    alike = {"item": [1, 1, 2, 2], "annotator": ["ana", "ben"] * 2, "same": ["a"] * 4, "other": ["a", "b", "b", "b"]}
    study = Study(alike, item="item", annotator="annotator", label=["same", "other"])
    table = accord.paper(study, measures="cohen_kappa").table
    assert table["Cohen's kappa"][list(table["variable"]).index("same")] == "–"
    assert any(note.startswith("Cohen's kappa of same: undefined. ") for note in table.notes)


# The paragraph --------------------------------------------------------------------------------------------------------


def test_the_paragraph_keeps_the_checklist_of_the_tutorial() -> None:
    told = accord.paper(variables()).methods
    assert told.startswith("Three annotators gave 99 answers to 12 items on 3 variables.")
    for words in (
        "Items with a single answer, which cannot agree: 1 of length, 1 of tone, 1 of topic.",
        "Of 108 possible answers, 9 are missing; none was filled in",
        "(ratio for length, ordinal for tone, nominal for topic)",
        "(Krippendorff, 1970; ",
        "near misses count in part",
        "only where they are the same",
        "95% confidence intervals, analytic over items",
        f"computed with accord {accord.__version__}.",
    ):
        assert words in told


def test_a_share_has_its_sources_but_for_percent_agreement_which_everybody_knows() -> None:
    study = accord.datasets.load("compared-answers")
    text = accord.paper(study, measures=["preference_agreement", "percent_agreement"]).methods
    assert "measured by agreement on preferences (Zheng et al., 2023) and by percent agreement." in text


def test_a_coefficient_is_written_as_amid_a_sentence() -> None:
    scores = accord.paper(accord.datasets.load("scored-answers")).methods
    assert "Agreement was measured by intraclass correlation (A,1) (Shrout & Fleiss, 1979" in scores


def test_the_paragraph_says_what_was_left_out_and_who_stood_aside() -> None:
    rows = {
        "item": [1, 1, 1, 2, 2, 2, 3, 3, 3],
        "annotator": ["ana", "ben", "cyd"] * 3,
        "label": ["a", "a", "a", "b", "b", None, "a", "b", "a"],
    }
    told = accord.paper(rows, what="tone").methods
    assert "for tone; left out: 1 row without an answer." in told
    assert "Of 9 possible answers, 1 is missing; it was not filled in" in told
    people = accord.paper({**rows, "kind": ["person", "person", "model"] * 3}).methods
    assert "Everybody answered every item." in people
    assert "1 model ('cyd') stands aside." in people


def test_of_a_table_of_counts_nobody_knows_who_is_missing() -> None:
    uneven = accord.paper(Study.from_counts([[3, 0, 1], [2, 1, 0], [0, 4, 0], [1, 0, 0]])).methods
    assert uneven.startswith("Up to four annotators gave 12 answers to 4 items; 1 item with a single answer")
    assert "missing" not in uneven
    assert "Every item had as many answers." in accord.paper(Study.from_counts([[3, 1], [2, 2], [0, 4]])).methods


def test_a_question_that_is_open_stands_above_the_text_in_every_file(tmp_path: Path) -> None:
    scale = {
        "item": list(range(9)) * 2,
        "annotator": ["ana"] * 9 + ["ben"] * 9,
        "label": [1, 2, 3, 4, 5, 1, 2, 3, 4] * 2,
    }
    paper = accord.paper(scale)
    assert len(paper.open) == 1
    assert paper.open[0] in str(paper)
    assert "To be settled before this is printed: " in paragraphs(docx_parts(paper.write(tmp_path / "a.docx")))[0]
    assert "To be settled before" in paper.write(tmp_path / "a.md").read_text(encoding="utf-8").splitlines()[0]
    assert "% To be settled before" in paper.write(tmp_path / "a.tex").read_text(encoding="utf-8")
    assert accord.paper(scale, level="ordinal").open == ()


# The files ------------------------------------------------------------------------------------------------------------


def test_word_opens_what_is_written(tmp_path: Path) -> None:
    paper = accord.paper(five(), by="topic")
    parts = docx_parts(paper.write(tmp_path / "paper.docx"))
    assert next(iter(parts)) == "[Content_Types].xml"  # as Word wants it
    named = {one.attrib["PartName"] for one in parts["[Content_Types].xml"] if "PartName" in one.attrib}
    assert named == {"/word/document.xml", "/word/styles.xml"}
    told = paragraphs(parts)
    assert told[:2] == ["Methods", paper.methods]
    assert set(paper.references) <= set(told)
    rows = [
        ["".join(text.text or "" for text in cell.iter(f"{WORD}t")) for cell in row.iter(f"{WORD}tc")]
        for row in parts["word/document.xml"].iter(f"{WORD}tr")
    ]
    assert rows[0] == ["Topic", "Krippendorff's alpha (nominal)", "Percent agreement", "Items", "Annotators"]
    assert rows[1:] == [[str(cell) for cell in row.values()] for row in paper.table]
    used = {one.attrib[f"{WORD}val"] for one in parts["word/document.xml"].iter(f"{WORD}pStyle")}
    known = {one.attrib[f"{WORD}styleId"] for one in parts["word/styles.xml"].iter(f"{WORD}style")}
    assert used <= known


def test_a_table_with_anything_in_its_cells_becomes_a_document(tmp_path: Path) -> None:
    odd = ["<w:p>", "a\x00b", "\u202eright", "\ud800", "\uffff", "&amp;", "x" * 2000, -0.5]
    path = Table("Odd & <title>", {"cell": odd}, ("a note",)).to_docx(tmp_path / "odd.docx")
    told = paragraphs(docx_parts(path))
    assert told[0] == "Odd & <title>"
    assert told[2:6] == ["<w:p>", "a[U+0000]b", "[U+202E]right", "?"]
    assert told[-1] == "a note"


def test_the_same_data_make_the_same_bytes(tmp_path: Path) -> None:
    for ending in (".docx", ".svg", ".csv"):
        files = [accord.paper(five()).write(tmp_path / f"{name}{ending}") for name in ("one", "two")]
        assert files[0].read_bytes() == files[1].read_bytes()


def test_latex_closes_what_it_opens_and_cites_what_the_bibliography_has(tmp_path: Path) -> None:
    paper = accord.paper(five(), by="topic")
    text = paper.write(tmp_path / "paper.tex").read_text(encoding="utf-8")
    opened, closed = re.findall(r"\\begin\{(\w+)\}", text), re.findall(r"\\end\{(\w+)\}", text)
    assert opened == closed[::-1] == ["table", "tabular"]
    assert text.count("{") == text.count("}")
    cells = {line.count("&") for line in text.splitlines() if line.endswith(r"\\")}
    assert cells == {4}
    bibliography = paper.write(tmp_path / "paper.bib").read_text(encoding="utf-8")
    keys = re.findall(r"^@\w+\{([^,]+),$", bibliography, re.MULTILINE)
    cited = [key for found in re.findall(r"\\cite\{([^}]+)\}", text) for key in found.split(",")]
    assert cited
    assert keys == [*dict.fromkeys(cited), "accord"]


def test_csv_has_the_numbers(tmp_path: Path) -> None:
    paper = accord.paper(five())
    rows = list(csv.DictReader(io.StringIO(paper.write(tmp_path / "p.csv").read_text(encoding="utf-8"))))
    assert float(rows[0]["value"]) == accord.krippendorff_alpha(five()).value
    assert rows[0]["measure"] == "krippendorff_alpha"


def test_figures_have_the_width_of_the_column(tmp_path: Path) -> None:
    paper = accord.paper(five(), by="topic")
    drawn = paper.write(tmp_path / "f.svg").read_text(encoding="utf-8")
    root = ET.fromstring(drawn)
    assert float(root.attrib["width"].removesuffix("mm")) == pytest.approx(85, abs=0.2)
    assert "hotel" in drawn
    box = re.search(rb"/MediaBox \[0 0 ([\d.]+) ", paper.write(tmp_path / "f.pdf", width=174).read_bytes())
    assert box is not None
    assert float(box[1]) / 72 * 25.4 == pytest.approx(174, abs=0.2)
    wide, _ = struct.unpack(">II", paper.write(tmp_path / "f.png").read_bytes()[16:24])
    assert wide / 300 * 25.4 == pytest.approx(85, abs=0.2)


def test_what_cannot_be_written_is_refused(tmp_path: Path) -> None:
    paper = accord.paper(five())
    with pytest.raises(OptionError, match=r"must end in \.docx"):
        paper.write(tmp_path / "paper.doc")
    with pytest.raises(OptionError, match="between 50 and 400 millimetres; got 12"):
        paper.write(tmp_path / "paper.svg", width=12)
    with pytest.raises(InputError, match="there is no folder"):
        paper.write(tmp_path / "none" / "paper.md")
    with pytest.raises(MeasureError, match="nothing to draw"):
        accord.paper(["a", "a"], ["a", "a"], measures="cohen_kappa").write(tmp_path / "paper.svg")
    assert list(tmp_path.iterdir()) == []


# The command ----------------------------------------------------------------------------------------------------------


def test_the_command_writes_every_file_that_is_named(tmp_path: Path) -> None:
    names = [str(tmp_path / f"p{ending}") for ending in (".docx", ".tex", ".bib", ".md")]
    said = run("paper", TINY, *(word for name in names for word in ("-o", name)))
    assert said.code == 0
    assert said.out.endswith(f"Written: {', '.join(names)}\n")
    assert all(Path(name).stat().st_size for name in names)
    again = run("paper", TINY, "-o", names[0])
    assert (again.code, "exists already" in again.err) == (2, True)


def test_the_command_prints_what_the_library_says() -> None:
    said = run("paper", TINY, "--what", "mood")
    assert said.out == f"{accord.paper(accord.read(DATA / TINY), what='mood')}\n"


def test_the_command_refuses_in_its_own_words() -> None:
    assert "--output must end in .docx" in run("paper", TINY, "-o", "paper.doc").err
    assert "--width must lie between 50 and 400" in run("paper", TINY, "-o", "paper.svg", "--width", "5").err
    assert "--measure must be one of" in run("paper", TINY, "--measure", "kapa").err
