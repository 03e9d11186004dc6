"""A Word document of headings, paragraphs and tables: the few parts of Office Open XML that these need, zipped.

Tables look as journals print them: a rule above, one below the head, one below all. The same blocks make the same
bytes: nothing is dated. python-docx would bring lxml, 5 MB packed, for headings, paragraphs and tables alone.
"""

from __future__ import annotations

import io
import zipfile
from collections.abc import Sequence
from dataclasses import dataclass
from xml.sax.saxutils import escape

from accord.agreement.table import Table, column_text
from accord.agreement.table_formats import cut, headings, is_numeric, seen, with_minus

WORDS = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
PACKAGE = "http://schemas.openxmlformats.org/package/2006"
OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
KIND = "application/vnd.openxmlformats-officedocument.wordprocessingml"
DECLARED = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
UNDATED = (1980, 1, 1, 0, 0, 0)  # the first day that a zip file knows
TEXT_WIDTH = 9638  # twentieths of a point: A4 with margins of 2 cm
MARGIN = 1134  # 2 cm
NOT_IN_XML = {0xFFFE: "\ufffd", 0xFFFF: "\ufffd"}  # besides what `seen` tells by its number

CONTENT_TYPES = (
    f'{DECLARED}<Types xmlns="{PACKAGE}/content-types">'
    f'<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
    f'<Override PartName="/word/document.xml" ContentType="{KIND}.document.main+xml"/>'
    f'<Override PartName="/word/styles.xml" ContentType="{KIND}.styles+xml"/></Types>'
)
RELATIONS = (
    f'{DECLARED}<Relationships xmlns="{PACKAGE}/relationships">'
    f'<Relationship Id="rId1" Type="{OFFICE}/officeDocument" Target="word/document.xml"/></Relationships>'
)
OF_DOCUMENT = (
    f'{DECLARED}<Relationships xmlns="{PACKAGE}/relationships">'
    f'<Relationship Id="rId1" Type="{OFFICE}/styles" Target="styles.xml"/></Relationships>'
)


def _style(name: str, *, called: str, looks: str, base: bool = False) -> str:
    on = "" if base else '<w:basedOn w:val="Normal"/>'
    first = ' w:default="1"' if base else ""
    start = f'<w:style w:type="paragraph"{first} w:styleId="{name}"><w:name w:val="{called}"/>'
    return f"{start}{on}<w:qFormat/>{looks}</w:style>"


STYLES = (
    f'{DECLARED}<w:styles xmlns:w="{WORDS}">'
    + _style(
        "Normal", called="Normal", base=True,
        looks='<w:pPr><w:spacing w:after="120"/></w:pPr><w:rPr><w:sz w:val="22"/></w:rPr>',
    )
    + _style(
        "Heading1", called="heading 1",
        looks='<w:pPr><w:keepNext/><w:spacing w:before="240" w:after="120"/><w:outlineLvl w:val="0"/></w:pPr>'
        '<w:rPr><w:b/><w:sz w:val="28"/></w:rPr>',
    )
    + _style(
        "Caption", called="caption",
        looks='<w:pPr><w:keepNext/><w:spacing w:before="120" w:after="60"/></w:pPr><w:rPr><w:b/></w:rPr>',
    )
    + _style("Cell", called="Table cell", looks='<w:pPr><w:spacing w:after="0"/></w:pPr>')
    + _style(
        "Note", called="Table note",
        looks='<w:pPr><w:spacing w:before="40" w:after="60"/></w:pPr><w:rPr><w:sz w:val="18"/></w:rPr>',
    )
    + "</w:styles>"
)  # fmt: skip


@dataclass(frozen=True)
class Heading:
    """The title of a part."""

    text: str


@dataclass(frozen=True)
class Paragraph:
    """Words."""

    text: str


Block = Heading | Paragraph | Table


def word_document(blocks: Sequence[Block]) -> bytes:
    """The bytes of a .docx file."""
    body = "".join(_drawn(block) for block in blocks)
    page = (
        '<w:sectPr><w:pgSz w:w="11906" w:h="16838"/>'
        f'<w:pgMar w:top="{MARGIN}" w:right="{MARGIN}" w:bottom="{MARGIN}" w:left="{MARGIN}" '
        'w:header="567" w:footer="567" w:gutter="0"/></w:sectPr>'
    )
    parts = {
        "[Content_Types].xml": CONTENT_TYPES,
        "_rels/.rels": RELATIONS,
        "word/document.xml": f'{DECLARED}<w:document xmlns:w="{WORDS}"><w:body>{body}{page}</w:body></w:document>',
        "word/styles.xml": STYLES,
        "word/_rels/document.xml.rels": OF_DOCUMENT,
    }
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w") as file:
        for name, text in parts.items():
            entry = zipfile.ZipInfo(name, UNDATED)
            entry.compress_type = zipfile.ZIP_DEFLATED
            file.writestr(entry, text.encode("utf-8", "replace"))
    return held.getvalue()


def _drawn(block: Block) -> str:
    if isinstance(block, Heading):
        return _paragraph(block.text, "Heading1")
    return _paragraph(block.text) if isinstance(block, Paragraph) else _table(block)


def _paragraph(text: str, style: str = "Normal", *, right: bool = False, bold: bool = False) -> str:
    aligned = '<w:jc w:val="right"/>' if right else ""
    weight = "<w:rPr><w:b/></w:rPr>" if bold else ""
    words = escape(seen(text).translate(NOT_IN_XML))
    return (
        f'<w:p><w:pPr><w:pStyle w:val="{style}"/>{aligned}</w:pPr>'
        f'<w:r>{weight}<w:t xml:space="preserve">{words}</w:t></w:r></w:p>'
    )


def _table(table: Table) -> str:
    """A caption above, the notes below; the head again on every page, and no row over two pages."""
    table = table.shown
    right = [is_numeric(table, name) for name in table.columns]
    width = TEXT_WIDTH // max(len(table.columns), 1)
    head = _row([_cell(name, width, right=one, head=True) for name, one in zip(headings(table), right, strict=True)])
    rows = "".join(
        _row([
            _cell(with_minus(cut(column_text(name, cell)), number=one), width, right=one)
            for (name, cell), one in zip(row.items(), right, strict=True)
        ])
        for row in table
    )  # fmt: skip
    rule = '<w:{} w:val="single" w:sz="8" w:space="0" w:color="auto"/>'
    looks = (
        '<w:tblPr><w:tblW w:w="5000" w:type="pct"/>'
        f"<w:tblBorders>{rule.format('top')}{rule.format('bottom')}</w:tblBorders></w:tblPr>"
    )
    grid = "<w:tblGrid>" + f'<w:gridCol w:w="{width}"/>' * len(table.columns) + "</w:tblGrid>"
    caption = _paragraph(table.title, "Caption")
    notes = "".join(_paragraph(note, "Note") for note in table.notes)
    again = head.replace("<w:trPr>", "<w:trPr><w:tblHeader/>", 1)
    return f"{caption}<w:tbl>{looks}{grid}{again}{rows}</w:tbl>{notes or _paragraph('', 'Note')}"


def _row(cells: Sequence[str]) -> str:
    return f"<w:tr><w:trPr><w:cantSplit/></w:trPr>{''.join(cells)}</w:tr>"


def _cell(text: str, width: int, *, right: bool, head: bool = False) -> str:
    below = '<w:tcBorders><w:bottom w:val="single" w:sz="4" w:space="0" w:color="auto"/></w:tcBorders>' if head else ""
    looks = f'<w:tcPr><w:tcW w:w="{width}" w:type="dxa"/>{below}</w:tcPr>'
    return f"<w:tc>{looks}{_paragraph(text, 'Cell', right=right, bold=head)}</w:tc>"
