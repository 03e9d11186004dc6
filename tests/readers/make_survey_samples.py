"""Writes the samples of surveys and crowds: a row per respondent or per assignment, answers in columns."""

# ruff: noqa: E501 - the samples are data, and a record stands on one line

from __future__ import annotations

import csv
import io
import json
import re
import zipfile
from typing import Any

from tests.readers.make_samples import BOAT, HERE, LAMP, put, table

Asked = tuple[str, str, dict[str, str], Any]  # name, text, import id, a cell per response


def mturk_site() -> None:
    """As the requester's site gives it: the header ends with two columns that no row has."""
    forms = [
        ("H1", "W1", {"topic": {"complaint": True, "praise": False}, "agree": {"on": True}, "tone": {"label": "cold"}, "where": {"entities": [{"startOffset": 4, "endOffset": 8, "label": "THING"}]}, "comment": "none"}),
        ("H1", "W2", {"topic": {"complaint": False, "praise": True}, "agree": {"on": False}, "tone": {"label": "warm"}, "where": {"entities": []}, "drawing": {"strokes": [[1, 2], {"x": 3}]}}),
        ("H2", "W1", {"topic": {"complaint": True, "praise": False}, "agree": {"on": True}, "tone": {"label": "cold"}, "where": {"entities": [{"startOffset": 4, "endOffset": 8, "label": "THING"}]}}),
    ]  # fmt: skip
    whole = table([
        {"HITId": hit, "Title": "Lamps", "AssignmentId": f"{hit}{who}", "WorkerId": who, "AssignmentStatus": "Submitted", "SubmitTime": "Sun Mar 01 01:10:20 PST 2026", "WorkTimeInSeconds": 20,
         "LifetimeApprovalRate": "100% (3/3)", "Input.lamp_id": hit.lower(), "Input.text": LAMP, "Answer.taskAnswers": json.dumps([form])}
        for hit, who, form in forms
    ])  # fmt: skip
    first, _, rest = whole.partition("\n")
    put("mturk-site/batch.csv", f"{first},Approve,Reject\n{rest}")


def turkle() -> None:
    """Turkle's results: no status, the user's name last, JSON in the cells that the form's own script filled."""
    put("turkle/results.csv", table([
        {"HITId": item, "HITTypeId": "", "Title": "Lamps", "CreationTime": "Sun Mar 01 09:00:00 UTC 2026", "MaxAssignments": 2, "AssignmentDurationInSeconds": 3600, "AssignmentId": f"{item}{who}", "WorkerId": who,
         "AcceptTime": "Sun Mar 01 09:00:00 UTC 2026", "SubmitTime": "Sun Mar 01 09:01:00 UTC 2026", "WorkTimeInSeconds": 60, "Input.text": LAMP, "Answer.broken": broken,
         "Answer.groups": json.dumps([{"members": ["a", "b"]}]), "Answer.parts": json.dumps({"lamp": broken, "wire": "ok"}), "Turkle.Username": f"user{who}"}
        for item, who, broken in ((11, 1, "yes"), (11, 2, "no"), (12, 1, "yes"), (12, 2, "yes"))
    ]))  # fmt: skip


def _qualtrics(questions: list[Asked], heads: int = 3) -> str:
    own = [
        ("StartDate", "Start Date", "startDate", "2026-03-01 09:00:00"), ("EndDate", "End Date", "endDate", "2026-03-01 09:05:00"), ("Status", "Response Type", "status", None),
        ("IPAddress", "IP Address", "ipAddress", "192.0.2.1"), ("Progress", "Progress", "progress", "100"), ("Duration (in seconds)", "Duration (in seconds)", "duration", "300"),
        ("Finished", "Finished", "finished", None), ("RecordedDate", "Recorded Date", "recordedDate", "2026-03-01 09:05:01"), ("ResponseId", "Response ID", "_recordId", None),
        ("UserLanguage", "User Language", "userLanguage", "EN"),
    ]  # fmt: skip
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow([name for name, *_ in own] + [name for name, *_ in questions])
    if heads > 1:
        writer.writerow([text for _, text, *_ in own] + [text for _, text, *_ in questions])
    if heads > 2:
        ids = [{"ImportId": called} for _, _, called, _ in own] + [called for _, _, called, _ in questions]
        writer.writerow([json.dumps(one, separators=(",", ":")) for one in ids])
    for place in range(len(questions[0][3])):
        said = {
            "Status": "IP Address" if place else "Survey Preview",
            "Finished": "False" if place == 1 else "True",
            "ResponseId": f"R_{place}",
        }
        writer.writerow([said.get(name, cell) for name, _, _, cell in own] + [cells[place] for *_, cells in questions])
    return stream.getvalue()


def qualtrics() -> None:
    """Three lines of headers: a question an item; a loop; a grid with a question a text; choices in a column each."""
    boats: list[Asked] = [(f"Q{place}", f"Is boat {place} red?\n\nLook twice.", {"ImportId": f"QID{place}"}, cells)
             for place, cells in enumerate((["Yes", "Yes", "No", "Yes"], ["No", "No", "No", ""], ["No", "Yes", "Yes", "Yes"]), start=1)]  # fmt: skip
    people: list[Asked] = [
        ("Q9", "How old are you?", {"ImportId": "QID9_TEXT"}, [30, 31, 32, 33]),
        ("hand", "With which hand do you write?", {"ImportId": "QID10"}, ["left", "right", "right", "right"]),
        ("Q11_First Click", "Timing - First Click", {"ImportId": "QID11_FIRST_CLICK"}, [1.5, 2.5, 3.5, 4.5]),
        ("Q12_4_TEXT", "Which boat? - Other - Text", {"ImportId": "QID12_4_TEXT"}, ["", "", "the small one", ""]),
        ("arm", "arm", {"ImportId": "arm"}, ["A", "B", "A", "B"]),
    ]
    put("qualtrics/boats.csv", _qualtrics([*boats, *people]))
    put("qualtrics/two-lines.csv", _qualtrics(boats, heads=2))
    put("qualtrics/loop.csv", _qualtrics([
        (f"{turn}_{name}", f"{text} {turn}", {"ImportId": f"{turn}_QID{place}"}, cells)
        for turn in (1, 2) for place, (name, text, cells) in enumerate((("Q3", "How warm?", [1, 2, 3, turn]), ("Q4", "Which tone?", ["kind", "kind", "rude", "kind"])), start=3)
    ]))  # fmt: skip
    put("qualtrics/grid.csv", _qualtrics([
        (f"Q{text}_{row}", f"Text {text}: how do you find it? - {name}", {"ImportId": f"QID{text}_{row}"}, [1, text, row, 3])
        for text in (1, 2, 3) for row, name in enumerate(("clear", "kind"), start=1)
    ]))  # fmt: skip
    put("qualtrics/choices.csv", _qualtrics([
        (f"Q{text}_{place}", f"What is text {text} about? - {name}", {"ImportId": f"QID{text}", "choiceId": str(place)}, ["1", "1", "" if place == text else "1", ""])
        for text in (1, 2) for place, name in enumerate(("boats", "lamps"), start=1)
    ]))  # fmt: skip


def forms() -> None:
    """Google's and Microsoft's: what was asked is the name of the column."""
    put("google-forms/questions.csv", table([
        {"Timestamp": f"2026/03/01 9:0{place}:00 AM GMT+1", "Email Address": f"{who}@example.org", "How kind is text 1?": first, "How kind is text 2?": second, "How old are you?": 30 + place, "Anything else?": said}
        for place, (who, first, second, said) in enumerate((("ana", 1, 2, ""), ("ben", 2, 2, f"I could not tell what {BOAT} was about at all."), ("cy", 1, "", "The texts were too short for a judgement, I think, and dull.")))
    ]))  # fmt: skip
    put("google-forms/grid.csv", table([
        {"Zeitstempel": f"01.03.2026 09:0{place}:00", **{f"{stem} [{row}]": cells[place] for stem, cells in (("Tone", ["warm", "cold"]), ("Aim", ["ask", "tell"])) for row in ("Boat", "Lamp", "Tide")}}
        for place in range(2)
    ]))  # fmt: skip
    put(
        "google-forms/again.csv",
        "Timestamp,Is it kind?,How sure?,Is it kind?,How sure?\n2026/03/01 9:00:00,yes,1,no,2\n2026/03/01 9:01:00,yes,3,yes,3\n",
    )
    put("google-forms/microsoft.csv", table([
        {"ID": place, "Start time": "3/1/26 9:00:00", "Completion time": "3/1/26 9:05:00", "Email": f"{who}@example.org", "Name": who, "Text 1": first, "Text 2": second}
        for place, (who, first, second) in enumerate((("ana", "kind", "rude"), ("ben", "kind", "kind")), start=1)
    ]))  # fmt: skip


def form_in_excel() -> None:
    """Microsoft Forms gives Excel: numbers are numbers, texts stand apart and are pointed at."""
    rows: list[list[str | int]] = [
        ["ID", "Start time", "Completion time", "Email", "Name", "Text 1", "Text 2"],
        [1, "3/1/26 9:00", "3/1/26 9:05", "ana@example.org", "ana", 3, 4],
        [2, "3/1/26 9:10", "3/1/26 9:15", "ben@example.org", "ben", 4, 3],
    ]
    shared = list(dict.fromkeys(cell for row in rows for cell in row if isinstance(cell, str)))
    main, links = (
        f"http://schemas.openxmlformats.org/{part}"
        for part in ("spreadsheetml/2006/main", "officeDocument/2006/relationships")
    )

    def cell(at: str, value: str | int) -> str:
        return (
            f'<c r="{at}" t="s"><v>{shared.index(value)}</v></c>'
            if isinstance(value, str)
            else f'<c r="{at}"><v>{value}</v></c>'
        )

    body = "".join(
        f'<row r="{number}">{"".join(cell(f"{letter}{number}", value) for letter, value in zip("ABCDEFG", row, strict=True))}</row>'
        for number, row in enumerate(rows, start=1)
    )
    parts = {
        "[Content_Types].xml": '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>',
        "xl/workbook.xml": f'<workbook xmlns="{main}" xmlns:r="{links}"><sheets><sheet name="Sheet1" sheetId="1" r:id="rId1"/></sheets></workbook>',
        "xl/_rels/workbook.xml.rels": '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="worksheet" Target="worksheets/sheet1.xml"/></Relationships>',
        "xl/sharedStrings.xml": f'<sst xmlns="{main}">{"".join(f"<si><t>{text}</t></si>" for text in shared)}</sst>',
        "xl/worksheets/sheet1.xml": f'<worksheet xmlns="{main}"><sheetData>{body}</sheetData></worksheet>',
    }
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, part in parts.items():
            archive.writestr(zipfile.ZipInfo(name, (2026, 3, 1, 0, 0, 0)), part)
    put("google-forms/microsoft.xlsx", packed.getvalue())


def statistics_files() -> None:
    """SPSS with a column per person and codes that mean no answer; Stata with a row per answer. The times in them are cut out."""
    import polars as pl
    import pyreadstat

    folder = HERE / "statistics"
    folder.mkdir(parents=True, exist_ok=True)
    scale: dict[int | float, str] = {1: "never", 2: "sometimes", 3: "often", 4: "always"}
    pyreadstat.write_sav(
        pl.DataFrame({"item": [1.0, 2, 3, 4], "text": ["boat", "lamp", "tide", "sun"], "ana": [1.0, 2, 4, 9], "ben": [1.0, 2, None, 2]}), folder / "wide.sav",
        variable_value_labels={"ana": {**scale, 9: "no answer"}, "ben": {**scale, 9: "no answer"}}, missing_ranges={"ana": [9], "ben": [9]}, variable_measure={"ana": "ordinal", "ben": "ordinal"})  # fmt: skip
    pyreadstat.write_dta(
        pl.DataFrame({"item": [1, 1, 2, 2], "rater": [1, 2, 1, 2], "label": [1, 2, 2, 2]}), folder / "long.dta",
        variable_value_labels={"rater": {1: "ana", 2: "ben"}, "label": {1: "no", 2: "yes", 3: "unsure"}})  # fmt: skip
    for name, moment, still in (
        ("wide.sav", rb"\d\d [A-Z][a-z]{2} \d\d\d\d:\d\d:\d\d", b"01 Mar 2609:00:00"),
        ("long.dta", rb"\d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d", b"01 Mar 2026 09:00"),
    ):
        data = (folder / name).read_bytes()
        put(f"statistics/{name}", re.sub(moment, still, data, count=1))


def open_document() -> None:
    """A spreadsheet of LibreOffice: cells that repeat, a remark, blanks, and the million empty rows at the end."""
    spaces = " ".join(
        f'xmlns:{name}="urn:oasis:names:tc:opendocument:xmlns:{name}:1.0"' for name in ("office", "table", "text")
    )

    def text(cell: str, times: int = 1) -> str:
        return f'<table:table-cell office:value-type="string" table:number-columns-repeated="{times}"><text:p>{cell}</text:p></table:table-cell>'

    def row(cells: str, times: int = 1) -> str:
        return f'<table:table-row table:number-rows-repeated="{times}">{cells}</table:table-row>'

    three = '<table:table-cell office:value-type="float" office:value="3"><office:annotation><text:p>sure?</text:p></office:annotation><text:p>3</text:p></table:table-cell>'
    rows = [row(text("item") + text("annotator") + text("label")), row(text("boat") + text("ana") + text("far<text:s text:c=\"2\"/>off")), row(text("boat") + text("ben") + text("near")),
            row(text("lamp") + text("ana") + three), row(text("lamp") + text("ben") + three), row('<table:table-cell table:number-columns-repeated="1024"/>', 1048571)]  # fmt: skip
    body = f'<table:table table:name="Answers">{"".join(rows)}</table:table><table:table table:name="Empty">{row("<table:table-cell/>")}</table:table>'
    content = f'<?xml version="1.0" encoding="UTF-8"?><office:document-content {spaces} office:version="1.3"><office:body><office:spreadsheet>{body}</office:spreadsheet></office:body></office:document-content>'
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, part in (
            ("mimetype", "application/vnd.oasis.opendocument.spreadsheet"),
            ("content.xml", content),
            ("META-INF/manifest.xml", "<manifest/>"),
        ):
            archive.writestr(zipfile.ZipInfo(name, (2026, 3, 1, 0, 0, 0)), part)
    put("tables/book.ods", packed.getvalue())


if __name__ == "__main__":
    for make in (mturk_site, turkle, qualtrics, forms, form_in_excel, statistics_files, open_document):
        make()
