"""Files that are broken, lie or are not what they seem: an error with the file and the place, never half a study."""

from __future__ import annotations

import io
import json
import zipfile
from pathlib import Path
from typing import Any

import pytest

import accord
from accord.errors import DuplicateAnswers, FileError, InputError
from accord.readers import source as sources
from accord.study.write import long_columns

SAMPLES = Path(__file__).parent / "samples"


def put(folder: Path, content: str | bytes, name: str = "table.csv") -> Path:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


GOOD = "item,annotator,label\n1,ana,a\n1,ben,b\n"


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("t.csv", b"", "t.csv: The file is empty"),
        (
            "t.xls",
            b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600),
            "t.xls: It is an old Excel file (.xls)",
        ),
        ("t.xls", b"<html><table><tr><td>item</td></tr></table></html>", "t.xls: It is a web page (HTML)"),
        (
            "t.db",
            b"SQLite format 3\0" + bytes(90),
            "t.db: It is an SQLite database, which is not read. Export its table as CSV",
        ),
        (
            "t.csv.gz",
            b"\x1f\x8b\x08\0" + bytes(20),
            "t.csv.gz: It is packed with gzip, which is not read. Unpack it first",
        ),
        ("t.pdf", b"%PDF-1.4\n1 0 obj\n", "t.pdf: It is a PDF"),
        ("t.csv", b"  \n", "t.csv: The file is empty"),
        ("t.csv", b"item,annotator,label\n", "t.csv: The table has no rows"),
        ("t.csv", b"item,annotator,label\n1,ana\n", "t.csv, line 2: The row has 2 cells, and the header names 3"),
        ("t.csv", b"item,annotator,label\n1,ana,a\n1,ben,b,c\n", "t.csv, line 3: The row has 4 cells"),
        ("t.csv", b"item,label,label\n1,a,b\n", "t.csv, line 1: The header names 'label' more than once"),
        ("t.csv", b'item,annotator,label\n1,ana,"a\n', "t.csv, line 2: It is not CSV"),
        (
            "t.csv",
            "item,annotator,label\n1,Zoë,é\n1,ben,b\n".encode() + b"2,\xff,a\n",
            "t.csv, line 4: The byte 0xff is not UTF-8",
        ),
        (
            "t.json",
            b'[{"id": 1, "data": {}, "annotations": []}, {"id": 2, "da',
            "t.json, record 2, line 1: It is not JSON: the file ends",
        ),
        (
            "t.json",
            b'[{"id": 1, "data": {}, "annotations": []} {"id": 2}]',
            "t.json, record 1, line 1: After the record there is '{'",
        ),
        (
            "t.jsonl",
            b'{"_input_hash": 1, "answer": "accept", "label": "x"}\n{"_input_hash": 2,\n',
            "t.jsonl, line 2: It is not JSON",
        ),
        (
            "t.jsonl",
            b'{"_input_hash": 1, "answer": "perhaps", "label": "x"}\n',
            "t.jsonl, line 1: 'answer' should be accept",
        ),
        ("t.xml", b"<annotations><version>1.1</version><image name='a'></annotations>", "t.xml, line 1: It is not XML"),
        ("t.bin", b"\x00\x01\x02\x03", "neither text nor Parquet"),
        ("t.parquet", b"PAR1 and no more", "It cannot be read as Parquet"),
        ("t.xlsx", b"PK\x03\x04 broken", "cannot be read"),
    ],
)
def test_a_broken_file_names_the_place(tmp_path: Path, name: str, content: bytes, said: str) -> None:
    with pytest.raises(FileError) as caught:
        accord.read(put(tmp_path, content, name))
    assert said in str(caught.value)


def test_a_missing_file_suggests_its_neighbours(tmp_path: Path) -> None:
    put(tmp_path, GOOD, "answers.csv")
    with pytest.raises(FileError, match=r"Did you mean 'answers\.csv'"):
        accord.read(tmp_path / "answer.csv")


@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"])
@pytest.mark.parametrize("end", [b"\n", b"\r\n"])
def test_marks_and_line_ends_do_not_matter(tmp_path: Path, mark: bytes, end: bytes) -> None:
    study = accord.read(put(tmp_path, mark + GOOD.encode().replace(b"\n", end)))
    assert (study.labels, study.roles["item"]) == (("a", "b"), "item")
    lines = (SAMPLES / "prodigy/choice.jsonl").read_bytes()
    assert accord.read(put(tmp_path, mark + lines.replace(b"\n", end), "p.jsonl")).n_annotations == 4


def test_utf_16_with_its_mark_is_read(tmp_path: Path) -> None:
    assert accord.read(put(tmp_path, GOOD.encode("utf-16"))).n_annotations == 2


def test_skipping_goes_on_and_counts(tmp_path: Path) -> None:
    path = put(tmp_path, GOOD + "2,ana\n2,ben,b\n")
    assert dict(accord.read(path, on_error="skip").left_out) == {"rows with fewer cells than there are columns": 1}
    lines = (SAMPLES / "prodigy/choice.jsonl").read_text().splitlines()
    study = accord.read(put(tmp_path, "\n".join([*lines[:2], "{broken", *lines[2:]]), "p.jsonl"), on_error="skip")
    assert study.left_out["records that could not be read"] == 1
    assert study.n_annotations == 4


def test_a_record_that_is_skipped_leaves_nothing_behind(tmp_path: Path) -> None:
    tasks = json.loads((SAMPLES / "label-studio/export.json").read_text())
    tasks[0]["annotations"][1]["result"][2]["value"]["rating"] = "five"
    path = put(tmp_path, json.dumps(tasks), "export.json")
    with pytest.raises(FileError, match="record 1: 'rating' should be a number, and it is text"):
        accord.read(path)
    study = accord.read(path, on_error="skip")
    assert study.left_out["records that could not be read"] == 1
    assert tuple(study.tasks["topic"].items) == (2,)


def test_offsets_that_do_not_fit_name_the_item(tmp_path: Path) -> None:
    tasks = json.loads((SAMPLES / "label-studio/export.json").read_text())
    tasks[0]["annotations"][0]["result"][4]["value"].update(start=5, end=9)
    path = put(tmp_path, json.dumps(tasks), "export.json")
    with pytest.raises(accord.AccordError, match="the first in item 1: at 5 to 9 the export says 'Split'"):
        accord.read(path)
    assert accord.read(path, on_error="skip").left_out["spans whose offsets do not fit their text"] == 1


def zipped(folder: Path, files: dict[str, str], name: str = "export.zip") -> Path:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for inside, content in files.items():
            archive.writestr(inside, content)
    return put(folder, packed.getvalue(), name)


@pytest.mark.parametrize(
    "name", ["../evil.jsonl", "a/../../evil.jsonl", "/etc/evil.jsonl", "..\\evil.jsonl", "C:evil.jsonl"]
)
def test_a_zip_that_climbs_out_of_its_folder_is_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(FileError, match="climbs out of its folder"):
        accord.read(zipped(tmp_path, {name: "{}"}))


def test_a_zip_that_is_packed_too_tightly_is_refused(tmp_path: Path) -> None:
    path = zipped(tmp_path, {"all.jsonl": " " * 40_000_000})
    with zipfile.ZipFile(path) as archive:
        member = archive.getinfo("all.jsonl")
    member.compress_size = 10
    with pytest.raises(FileError, match="packed so tightly"):
        sources.check_members(path, [member])


def test_a_zip_that_lies_about_its_size_is_refused(tmp_path: Path) -> None:
    data = bytearray((SAMPLES / "doccano/project.zip").read_bytes())
    place = data.index(b"PK\x01\x02")
    size = int.from_bytes(data[place + 24 : place + 28], "little")
    data[place + 24 : place + 28] = (size - 40).to_bytes(4, "little")
    with pytest.raises(FileError):
        accord.read(put(tmp_path, bytes(data), "project.zip"))


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be"])
@pytest.mark.parametrize("name", ["t.json", "t.jsonl", "t.csv"])
def test_text_of_wide_letters_without_a_mark_is_said_to_be_that(tmp_path: Path, encoding: str, name: str) -> None:
    lines = ['{"item": 1, "annotator": "ana", "label": "x"}', '{"item": 1, "annotator": "ben", "label": "x"}']
    text = {"t.json": f"[{','.join(lines)}]", "t.jsonl": "\n".join(lines), "t.csv": GOOD}[name]
    told = f"It looks like {encoding[:6].upper()} without the mark.*encoding='{encoding}'"
    with pytest.raises(FileError, match=told):
        accord.read(put(tmp_path, text.encode(encoding), name))


WIDE = ["utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be"]
ROWS = [{"item": item, "annotator": who, "label": "schön 🙂"} for item in (1, 2) for who in ("ana", "ben")]
TEXTS = {
    "t.json": json.dumps(ROWS, ensure_ascii=False),
    "t.jsonl": "\n".join(json.dumps(row, ensure_ascii=False) for row in ROWS),
    "t.csv": "item,annotator,label\n" + "".join(f"{','.join(map(str, row.values()))}\n" for row in ROWS),
    "o.json": json.dumps({"data": ROWS}, ensure_ascii=False),
    **{f"{size}.jsonl": json.dumps({**ROWS[0], "label": "x" * size}) for size in range(4)},  # cut within no letter
    "choice.jsonl": (SAMPLES / "prodigy" / "choice.jsonl").read_text(encoding="utf-8"),
}


@pytest.mark.parametrize("encoding", WIDE)
@pytest.mark.parametrize("name", TEXTS)
@pytest.mark.parametrize(("mark", "said"), [("\ufeff", False), ("\ufeff", True), ("", True)])
def test_text_of_wide_letters_is_read_by_its_mark_or_as_somebody_says(
    tmp_path: Path, name: str, encoding: str, mark: str, said: bool
) -> None:
    other = put(tmp_path, (mark + TEXTS[name]).encode(encoding), f"wide/{name}")
    found = accord.read(other, encoding=encoding if said else None)
    plain = accord.read(put(tmp_path, TEXTS[name], name))
    assert long_columns(found) == long_columns(plain)


@pytest.mark.parametrize("encoding", ["utf-32", "utf-16"])
@pytest.mark.parametrize("name", TEXTS)
def test_an_encoding_whose_mark_tells_the_order_of_bytes_can_be_said(tmp_path: Path, name: str, encoding: str) -> None:
    study = accord.read(put(tmp_path, TEXTS[name].encode(encoding), f"wide/{name}"), encoding=encoding)
    assert long_columns(study) == long_columns(accord.read(put(tmp_path, TEXTS[name], name)))


def test_a_folder_of_wide_letters_without_a_mark_is_read_as_somebody_says(tmp_path: Path) -> None:
    for item in (1, 2):
        put(tmp_path, f"item,annotator,label\n{item},ana,x\n{item},ben,x\n".encode("utf-32-le"), f"all/{item}.csv")
    assert accord.read(tmp_path / "all", encoding="utf-32-le").n_items == 2


def test_xml_in_utf_32_is_refused_as_that(tmp_path: Path) -> None:
    with pytest.raises(FileError, match=r"It is XML in UTF-32, which is not read\. Save it as UTF-8\."):
        accord.read(put(tmp_path, "<annotations/>".encode("utf-32"), "export.xml"), format="cvat")


@pytest.mark.parametrize(
    "document",
    [
        '<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><annotations><version>1.1</version>&x;</annotations>',
        '<!DOCTYPE a [<!ENTITY x "lol"><!ENTITY y "&x;&x;">]><annotations><version>1.1</version>&y;</annotations>',
    ],
)
@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
def test_entities_are_refused(tmp_path: Path, document: str, encoding: str) -> None:
    with pytest.raises(FileError, match="document type or entities"):
        accord.read(put(tmp_path, document.encode(encoding), "export.xml"), format="cvat")


def test_a_folder_of_mixed_formats_is_refused(tmp_path: Path) -> None:
    put(tmp_path, GOOD, "mixed/a.csv")
    put(tmp_path, '{"x": 1}', "mixed/b.json")
    with pytest.raises(InputError, match=r"mixed/b\.json: It is one JSON object with 'x'.*on_error='skip'"):
        accord.read(tmp_path / "mixed")


def test_files_that_are_no_part_of_an_export_are_not_passed_over(tmp_path: Path) -> None:
    put(tmp_path, "T1\tLOC 0 3\tNia\n", "mixed/ana/boat.ann")
    put(tmp_path, GOOD, "mixed/answers.csv")
    put(tmp_path, "[entities]\n", "mixed/annotation.conf")  # part of brat
    with pytest.raises(FileError, match=r"There is 1 file of another kind beside the brat export: 'answers\.csv'"):
        accord.read(tmp_path / "mixed")
    study = accord.read(tmp_path / "mixed", format="brat")
    assert "not read: 1 file of another kind beside the brat export: 'answers.csv'" in study.notes


def test_a_broken_file_among_others_is_named(tmp_path: Path) -> None:
    good = (SAMPLES / "doccano/classes/ana.jsonl").read_text(encoding="utf-8")
    for name, content in (("ana.jsonl", good), ("ben.jsonl", good[:30] + "\n")):
        put(tmp_path, content, f"members/{name}")
    with pytest.raises(FileError, match=r"members/ben\.jsonl, line 1: It is not JSON"):
        accord.read(tmp_path / "members")
    packed = zipped(tmp_path, {"ana.jsonl": good, "ben.jsonl": good[:30] + "\n"})
    with pytest.raises(FileError, match=r"export\.zip/ben\.jsonl, line 1: It is not JSON"):
        accord.read(packed)


def test_a_zip_of_nothing_much_is_refused_before_it_is_unpacked(tmp_path: Path) -> None:
    path = zipped(tmp_path, {"all.jsonl": " " * 64_000_000})
    assert path.stat().st_size < 100_000
    with pytest.raises(FileError, match="packed so tightly"):
        accord.read(path)


def test_two_formats_at_once_are_refused_with_both_calls(tmp_path: Path) -> None:
    put(tmp_path, "T1\tLOC 0 3\tNia\n", "both/ana/boat.ann")
    put(tmp_path, (SAMPLES / "potato/ana/user_state.json").read_text(), "both/ana/user_state.json")
    with pytest.raises(accord.AccordError, match=r"format='brat'\).* or .*format='potato'\)"):
        accord.read(tmp_path / "both")


def test_an_annotator_who_annotated_twice_is_an_error_unless_said(tmp_path: Path) -> None:
    tasks: list[dict[str, Any]] = json.loads((SAMPLES / "label-studio/export.json").read_text())
    again = json.loads(json.dumps(tasks[1]["annotations"][0]))
    again.update(id=99, created_at="2026-03-02T00:00:00Z")
    again["result"][0]["value"]["choices"] = ["praise"]
    tasks[1]["annotations"].insert(0, again)
    path = put(tmp_path, json.dumps(tasks), "export.json")
    with pytest.raises(DuplicateAnswers, match="duplicates='last', 'first' or 'repeat'"):
        accord.read(path, only="topic")
    assert (
        "praise" in accord.read(path, only="topic", duplicates="last").labels
    )  # by the time, not by the place in the file
    assert "praise" not in accord.read(path, only="topic", duplicates="first").labels


def test_options_are_checked() -> None:
    with pytest.raises(accord.AccordError, match="on_error must be one of"):
        accord.read(SAMPLES / "tables/long.csv", on_error="ignore")  # type: ignore[arg-type]
    with pytest.raises(accord.AccordError, match="Did you mean 'prodigy'"):
        accord.read(SAMPLES / "prodigy/choice.jsonl", format="prodgy")
    with pytest.raises(accord.AccordError, match="which has no columns to choose"):
        accord.read(SAMPLES / "doccano/spans", item="id")


def test_a_zip_with_a_file_without_a_name_is_damaged(tmp_path: Path) -> None:
    """Python's own zipfile raises IndexError there."""
    path = tmp_path / "export.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("ana.jsonl", "{}")
    path.write_bytes(path.read_bytes().replace(b"ana.jsonl", b"\0na.jsonl"))
    with pytest.raises(FileError, match="a file without a name"):
        accord.read(path)


def test_marks_without_an_item_are_counted_and_make_an_empty_study() -> None:
    table = {"item": [None, None], "annotator": ["a", "b"], "label": ["x", "y"], "start": [1, 2], "end": [3, 4]}
    study = accord.Study(table, start="start", end="end")
    assert study.n_annotations == 0
    assert "2 rows without an item" in str(study.describe())


@pytest.mark.parametrize(("name", "content"), [
    ("a.json", '[{"item": 1, "annotator": "a", "label": %s}]'),
    ("a.jsonl", '{"item": 1, "annotator": "a", "label": %s}\n'),
    ("a.ann", "T1\tLOC 0 %s\tRome\n"),
    ("a.tsv", "#FORMAT=WebAnno TSV 3.3\n#T_SP=webanno.custom.Span|label\n\n\n#Text=Rome\n1-1\t0-%s\tRome\tLOC\t\n"),
    ("a.xmi", '<xmi:XMI xmlns:xmi="http://www.omg.org/XMI" xmlns:cas="http:///uima/cas.ecore" xmlns:c="http:///c.ecore">'
              '<cas:Sofa xmi:id="1" sofaString="Rome"/><c:Span xmi:id="2" begin="0" end="%s"/></xmi:XMI>'),
])  # fmt: skip
def test_numbers_of_thousands_of_digits_are_named(name: str, content: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text(content % ("9" * 5000))
    with pytest.raises(accord.AccordError, match=r"a\.\w+"):
        accord.read(tmp_path / name)


def test_a_format_that_was_said_of_a_folder_without_its_files_holds_nothing(tmp_path: Path) -> None:
    put(tmp_path, '{"id": 1, "label": "x"}\n', "D/a.jsonl")
    with pytest.raises(InputError, match="The brat folder holds no answers"):
        accord.read(tmp_path / "D", format="brat")


@pytest.mark.parametrize(("encoding", "said"), [
    ("utf-16", "It cannot be read in this encoding: UTF-16 stream does not start with BOM"),
    ("punycode", "It cannot be read in this encoding: "),
    ("hex", "There is no encoding 'hex'. Say another: encoding='utf-8', 'cp1252' or 'utf-16'"),
])  # fmt: skip
def test_an_encoding_that_json_is_not_in_is_named_with_others(encoding: str, said: str, tmp_path: Path) -> None:
    records = [{"item": item, "annotator": who, "label": "x"} for item in (1, 2) for who in "ab"]
    with pytest.raises(accord.AccordError, match=said):
        accord.read(put(tmp_path, json.dumps(records), "x.json"), encoding=encoding)


def test_preferences_need_what_was_compared_in_an_export_too() -> None:
    with pytest.raises(accord.AccordError, match="needs first=… and second=…, what was compared in each row"):
        accord.read(SAMPLES / "labelme", answers="preference")


def test_rankings_by_somebody_who_is_no_column_are_refused(tmp_path: Path) -> None:
    with pytest.raises(accord.errors.ColumnMissing, match="No column 'zed' to read answers from"):
        accord.read(put(tmp_path, "option,ana,ben\nx,1,2\ny,2,1\n"), shape="ranking", annotators=["zed"])
