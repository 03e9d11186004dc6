"""Writes the samples of plain tables as people keep them: a sheet each, lists in cells, JSON by keys, marks in TSV."""

# ruff: noqa: E501 - the samples are data, and a record stands on one line

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from xml.sax.saxutils import escape

from tests.readers.make_samples import BOAT, LAMP, put

MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
LINKS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
Cells = Sequence[Sequence[str | int | None]]


def text_files() -> None:
    """One file per annotator, marks that are text, two lines of names, columns beside answers."""
    for who, labels in {"ana": "xyx", "ben": "xxx"}.items():
        rows = "".join(f"{text},{label}\n" for text, label in zip(("boat", "lamp", "tide"), labels, strict=True))
        put(f"tables/each/round1_{who}_final.csv", f"unit,category\n{rows}")
    put("tables/quotes.tsv", 'id\ttext\tana\tben\n1\t"Nia sailed\tx\tx\n2\tto Vis"\ty\ty\n3\t"Split" is far\tx\ty\n')
    put(
        "tables/enclosed.tsv", '"id"\t"text"\t"ana"\t"ben"\n"1"\t"Nia ""sailed"""\t"x"\t"x"\n"2"\t"to\nVis"\t"y"\t"x"\n'
    )
    put("tables/confidence.csv", "id,ana,ana_confidence,ben,ben_confidence,ben_comment\n1,x,3,x,2,\n2,y,1,x,3,hm\n")
    put(
        "tables/brackets.csv",
        "id,Primary label (ana),Secondary label (ana),Primary label (ben),Secondary label (ben)\n1,joy,fear,joy,\n2,fear,,fear,joy\n",
    )
    put(
        "tables/two-lines.csv",
        "id,Ana,,Ben,\n,tone,topic,tone,topic\n1,warm,sea,warm,sea\n2,cold,sea,warm,land\n3,cold,land,cold,land\n",
    )
    put(
        "tables/together.csv",
        "transcript,utterance,annotator,label\n1,1,ana,x\n1,1,ben,x\n1,2,ana,y\n1,2,ben,x\n2,1,ana,y\n2,1,ben,y\n",
    )
    put("tables/unnamed.csv", "id,calm,glad\nboat,3,1\nboat,4,1\nlamp,1,2\nlamp,2,2\nlamp,2,3\n")
    put(
        "tables/ties.csv",
        "item,annotator,label,rank\n1,ana,x,1\n1,ana,y,2\n1,ana,z,2\n1,ben,x,1\n2,ana,y,1\n2,ben,y,1\n2,ben,x,2\n",
    )
    put("tables/blanks.txt", "unit coder category\n1 ana x\n1 ben y\n2 ana x\n2 ben x\n")
    put(
        "tables/comments.csv",
        "# made by hand\n# in spring\nunit;coder;score\n1;ana;0,5\n1;ben;0,7\n2;ana;1,5\n2;ben;1,0\n",
    )


def sheets_of_people() -> None:
    """Columns that stand straight, ticks, names that stand once for several rows, numbers beside answers."""
    put(
        "tables/straight.txt",
        "  unit  coder  category\n     1    ana         x\n     1    ben         y\n     2    ana         x\n     2    ben         x\n",
    )
    put(
        "tables/of-r.txt",
        '"unit" "coder" "category"\n"1" 1 "ana" "x"\n"2" 1 "ben" "to y"\n"3" 2 "ana" "x"\n"4" 2 "ben" "x"\n',
    )
    put("tables/ticks.csv", "item,annotator,joy,fear,hope\n1,ana,x,,\n1,ben,x,X,\n2,ana,,x,\n2,ben,,,\n")
    put("tables/one-tick.csv", "item,annotator,joy,fear\n1,ana,1,\n1,ben,1,\n2,ana,,1\n2,ben,,\n")
    for who, ticks in {"ana": ("x,", ",x"), "ben": ("x,x", ",x")}.items():
        put(f"tables/ticked/{who}.csv", f"item,joy,fear\n1,{ticks[0]}\n2,{ticks[1]}\n")
    put("tables/ticks-wide.csv", "item,ana_joy,ana_fear,ben_joy,ben_fear\n1,x,,x,x\n2,,x,,x\n3,,,x,\n")
    put("tables/merged.csv", "item,annotator,label\n1,ana,x\n,ben,y\n2,ana,x\n,ben,x\n")
    put(
        "tables/one-question.csv",
        "id,text,Tone,\n,,ana,ben\n1,The lamp,warm,cold\n2,The tide,cold,cold\n3,A boat,warm,warm\n",
    )
    put(
        "tables/numbered.csv",
        "item,page,n_words,ana,ben\n"
        + "".join(f"d{at},{at},{at + 3},{at % 3 + 1},{at % 2 + 1}\n" for at in range(1, 7)),
    )
    put(
        "tables/slashes.csv",
        "id,tone/ana,topic/ana,tone/ben,topic/ben\n1,warm,sea,warm,sea\n2,cold,sea,warm,land\n3,cold,land,cold,land\n",
    )
    put("tables/deutsch.csv", "Text-Nr;Kodierer;Kategorie\n1;ana;gut\n1;ben;gut\n2;ana;böse\n2;ben;gut\n")
    put(
        "tables/several-lists.json",
        json.dumps({
            str(at): {
                "id_TEXT": str(at), "annotators": ["ana", "ben"], "age_annotators": ["18-22", "46+"],
                "labels_task1": ["YES", "NO" if at % 2 else "YES"], "labels_task2": [["a"], ["a", "b"] if at % 2 else []],
            }
            for at in range(1, 4)
        }),
    )  # fmt: skip


def lists() -> None:
    """Lists in cells as JSON, Python and NumPy write them."""
    put(
        "tables/lists-python.csv",
        "id,annotators,labels\n1,\"['ana', 'ben']\",\"['x', 'y']\"\n2,\"['ana', 'ben']\",\"['x', 'x']\"\n",
    )
    put(
        "tables/lists-numpy.csv",
        "id,anon_annotators,annotations\n1,['ana' 'ben'],\"[array(['x'], dtype=object) array(['x', 'y'], dtype=object)]\"\n2,['ana' 'ben'],\"[array(['y'], dtype=object) array([], dtype=object)]\"\n",
    )
    put(
        "tables/sets-json.csv",
        'item,annotator,label\n1,ana,"[""x"", ""y""]"\n1,ben,"[""x""]"\n2,ana,[]\n2,ben,"[""y""]"\n',
    )
    put("tables/side-by-side.csv", 'id,annotators,annotations\n1,"ana,ben,cy","0,1,1"\n2,"ana,ben","1,1"\n')


def by_keys() -> None:
    """JSON that is no list of records."""
    put(
        "tables/by-id.json",
        json.dumps(
            {
                "boat": {"text": BOAT, "labels": {"ana": "x", "ben": "y"}},
                "lamp": {"text": LAMP, "labels": {"ana": "y", "ben": "y"}},
            },
            indent=1,
        ),
    )
    put("tables/by-person.json", json.dumps({"ana": {"1": "x", "2": "y", "3": "x"}, "ben": {"1": "x", "2": "x"}}))
    put(
        "tables/by-item.json",
        json.dumps({"d1": {"ana": ["x"], "ben": ["x", "y"]}, "d2": {"ana": [], "ben": ["y"]}, "d3": {"ana": ["y"]}}),
    )
    put(
        "tables/lists-by-person.json",
        json.dumps({"ana": [{"id": 1, "label": "x"}, {"id": 2, "label": "y"}], "ben": [{"id": 1, "label": "x"}]}),
    )
    put(
        "tables/under-key.json",
        json.dumps(
            {
                "version": 2,
                "data": {
                    "instances": [
                        {"id": 1, "annotator": who, "label": label} for who, label in (("ana", "x"), ("ben", "y"))
                    ]
                },
            }
        ),
    )
    put(
        "tables/columns-pandas.json",
        json.dumps({"item": {"0": 1, "1": 1}, "annotator": {"0": "ana", "1": "ben"}, "label": {"0": "x", "1": "y"}}),
    )
    put("tables/three-keys.json", json.dumps({who: {item: {"tone": tone, "topic": topic} for item, tone, topic in rows} for who, rows in {
        "ana": [("d1", "warm", "sea"), ("d2", "cold", "sea"), ("d3", "cold", "land")],
        "ben": [("d1", "warm", "sea"), ("d2", "warm", "land"), ("d3", "cold", "land")],
    }.items()}))  # fmt: skip


def book_of(sheets: Mapping[str, Cells], merged: Sequence[str] = ()) -> bytes:
    """A workbook with these sheets; `merged` are areas of each, such as A2:A3."""
    names = [f'<sheet name="{escape(name)}" sheetId="{at}" r:id="r{at}"/>' for at, name in enumerate(sheets, start=1)]
    links = [f'<Relationship Id="r{at}" Target="worksheets/sheet{at}.xml"/>' for at in range(1, len(sheets) + 1)]
    parts = {
        "[Content_Types].xml": '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>',
        "xl/workbook.xml": f'<workbook xmlns="{MAIN}" xmlns:r="{LINKS}"><sheets>{"".join(names)}</sheets></workbook>',
        "xl/_rels/workbook.xml.rels": f'<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">{"".join(links)}</Relationships>',
    }
    for at, rows in enumerate(sheets.values(), start=1):
        body = "".join(_row(number, row) for number, row in enumerate(rows, start=1))
        areas = "".join(f'<mergeCell ref="{area}"/>' for area in merged)
        body = f"<sheetData>{body}</sheetData>{f'<mergeCells>{areas}</mergeCells>' if areas else ''}"
        parts[f"xl/worksheets/sheet{at}.xml"] = f'<worksheet xmlns="{MAIN}">{body}</worksheet>'
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in parts.items():
            archive.writestr(zipfile.ZipInfo(name, (2026, 3, 1, 0, 0, 0)), content)
    return packed.getvalue()


def _row(number: int, cells: Sequence[str | int | None]) -> str:
    return f'<row r="{number}">{"".join(_cell(f"{chr(65 + at)}{number}", cell) for at, cell in enumerate(cells))}</row>'


def _cell(at: str, value: str | int | None) -> str:
    if value is None:
        return ""
    if isinstance(value, str):
        return f'<c r="{at}" t="inlineStr"><is><t>{escape(value)}</t></is></c>'
    return f'<c r="{at}"><v>{value}</v></c>'


def books() -> None:
    """A sheet per annotator, and a title above the names."""
    said: dict[str, Cells] = {"Empty": []}
    for who, first, second in (("Ana", "x", "y"), ("Ben", "x", "x")):
        said[who] = [["id", "text", "label"], [1, BOAT, first], [2, LAMP, second]]
    put("tables/sheets.xlsx", book_of(said))
    rows: Cells = [["Boats, spring"], ["item", "annotator", "label"], [1, "ana", "x"], [1, "ben", "y"]]
    put("tables/titled.xlsx", book_of({"Answers": rows}))
    cells: Cells = [
        ["item", "annotator", "label"],
        [1, "ana", "x"],
        [None, "ben", "y"],
        [2, "ana", "x"],
        [3, "ana", "x"],
    ]
    put("tables/merged.xlsx", book_of({"Answers": cells}, ["A2:A3"]))


if __name__ == "__main__":
    assert Path(__file__).parent.joinpath("samples").is_dir()
    for make in (text_files, sheets_of_people, lists, by_keys, books):
        make()
