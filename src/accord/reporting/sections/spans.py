"""Spans: how strictly marks may be compared, agreement on each label, who marks how much, and texts side by side."""

from __future__ import annotations

from typing import Any

import numpy as np

from accord.agreement.chart_text import short
from accord.agreement.table import Table
from accord.agreement.table_formats import as_html, as_markdown, largest_rows, marked, safe
from accord.annotations.arrays import add_up
from accord.errors import counted
from accord.measures.span_f1 import span_f1
from accord.reporting.context import LABELS_SHOWN, PEOPLE_SHOWN, Context, Section
from accord.reporting.figures import forest_or_table
from accord.reporting.item_query import distinct_names
from accord.reporting.links import findings_about, row_marks
from accord.spans.continuum import Continuum
from accord.spans.passages import Passage, PassagePart, passages, shared_by_all
from accord.spans.texts import texts_of_documents

DOCUMENTS_SHOWN = 8  # those with the least agreement
PASSAGES_SHOWN = 5  # of a document
# From strict to lenient: what counts as the same mark.
MATCHES: dict[str, dict[str, Any]] = {
    "same place and label": {"match": "exact"},
    "same place, any label": {"match": "boundary"},
    "half of the place and the label": {"match": "iou"},
    "half of the place, any label": {"match": "iou", "label_must_match": False},
    "any overlap and the label": {"match": "overlap"},
    "any overlap, any label": {"match": "overlap", "label_must_match": False},
}
HOW_TO_READ = (
    "A bracket opens where a mark begins and closes where it ends, with its label; of marks that cross, the label "
    "stands at both ends. What not everybody marked in this way is underlined."
)


def needs(context: Context) -> bool:
    """One variable of spans that two annotators marked in a document."""
    return not context.several and context.study.kind == "spans" and context.agreement.coefficient is not None


def build(context: Context) -> Section:
    """Tables from the whole to the parts, then the documents."""
    study = context.study
    continuum = Continuum.of(study)
    strict = _by_strictness(context)
    summary = _strictness_text(strict)
    body = [f"<p>{safe(summary)}</p>", as_html(strict)]
    markdown = [summary, "", as_markdown(strict)]
    drawn, by_label = _labels(context)
    body.append(drawn)
    markdown.append(as_markdown(by_label))
    if study.n_annotators <= PEOPLE_SHOWN:
        habits = _habits(continuum)
        body += [f"<h3>{safe(habits.title)}</h3>", as_html(habits, caption=False, sortable=len(habits) > 3)]
        markdown.append(as_markdown(habits))
    texts, plain = _documents(context, continuum)
    return Section("spans", "Marks", "".join([*body, texts]), "\n".join([*markdown, plain]))


def _by_strictness(context: Context) -> Table:
    """F1 by what counts as the same mark."""
    found = {name: span_f1(context.study, **how) for name, how in MATCHES.items()}
    intervals = {name: result.interval() for name, result in found.items()}
    data: dict[str, Any] = {
        "counts as the same": list(found),
        "F1": [result.value for result in found.values()],
        "low": [span.low for span in intervals.values()],
        "high": [span.high for span in intervals.values()],
    }
    return Table("Span F1 from strict to lenient", data)


def _strictness_text(strict: Table) -> str:
    """Is it borders or labels? By how much each would raise the value."""
    exact, labels, _, _, borders, both = strict["F1"]
    return (
        f"F1 is {exact:.2f} where place and label must be the same. It would be {borders:.2f} if borders did not "
        f"count, {labels:.2f} if labels did not, and {both:.2f} if neither did; what is missing then was marked by one "
        "and not by the other."
    )


def _labels(context: Context) -> tuple[str, Table]:
    """Agreement on each label, drawn and as a table."""
    main = context.agreement
    table = largest_rows(main.by_label(), "answers", LABELS_SHOWN, "labels are shown: those marked most often")
    rows = [(str(row["label"]), row["value"], row["low"], row["high"]) for row in table]
    place = {label: number for number, label in enumerate(context.study.labels)}
    places = [place[label] for label in table["label"]]
    marks = row_marks(context, "labels", places)
    title = f"{main.title} of each label by itself, 95% intervals"
    names = distinct_names(context.study.labels)
    links = context.all_behind({"labels": (names[at],)} for at in places)
    return forest_or_table(rows, title, table, marks, links=links) + findings_about(context, "labels", places), table


def _habits(continuum: Continuum) -> Table:
    """How much everybody marks, and in how long marks."""
    size = len(continuum.annotators)
    units = add_up(continuum.annotator, np.ones(continuum.n_units), size)
    covered = add_up(continuum.annotator, continuum.extent, size)
    documents = continuum.seen.sum(0)
    data: dict[str, Any] = {
        "annotator": list(continuum.annotators),
        "documents": documents,
        "marks": units.astype(np.int64),
        "per document": np.divide(units, documents, out=np.full(size, np.nan), where=documents > 0),
        "mean length": np.divide(covered, units, out=np.full(size, np.nan), where=units > 0),
    }
    return Table("Who marks how much", data)


# -- texts side by side ------------------------------------------------------------------------------------------------


def _documents(context: Context, continuum: Continuum) -> tuple[str, str]:
    """The documents with the least agreement, each as everybody marked it; as a list of places where texts are not."""
    table = context.agreement.by_item()
    worst = [name for name in table.sorted("value")["item"] if name is not None][:DOCUMENTS_SHOWN]
    place = {name: number for number, name in enumerate(context.study._annotations.items)}
    chosen = [place[name] for name in worst]
    near = continuum.take(np.isin(continuum.document, chosen))
    shared = shared_by_all(near)
    known = texts_of_documents(context.study) if context.show_text else None
    body, markdown = ["<h3>Documents with the least agreement</h3>"], ["### Documents with the least agreement", ""]
    if known is None or not any(known.text[number] for number in chosen):
        listed = _places(near, shared, context)
        note = "The documents' texts are not shown." if known is None else "The table has no texts of documents."
        return (
            "".join([*body, f'<p class="note">{note}</p>', as_html(listed, caption=False)]),
            "\n".join([*markdown, note, "", as_markdown(listed)]),
        )
    body.append(f'<p class="note">{safe(HOW_TO_READ)}</p>')
    for number in chosen:
        text = known.text[number]
        if text is not None:
            found, there = passages(near, number, text, shared, PASSAGES_SHOWN)
            name = str(context.study.items[number])
            html, plain = _document(name, context.behind(items=(name,)), found, there, continuum)
            body.append(html)
            markdown += [plain, ""]
    return "".join(body), "\n".join(markdown)


def _document(name: str, lead: str, found: list[Passage], there: int, continuum: Continuum) -> tuple[str, str]:
    """One document: its passages, each a line per annotator; its name leads to its page, where there is one."""
    more = (
        f" The first {len(found)} of {counted(there, 'passages')} in which marks differ." if there > len(found) else ""
    )
    title = short(name, 80)
    heading = f'<a href="{safe(lead)}">{safe(title)}</a>' if lead else safe(title)
    html = [f'<section class="passages"><h4>{heading}</h4>']
    plain = [f"**{marked(title)}**{more}", ""]
    if not found:
        html.append("<p>Everybody marked the same.</p>")
        plain.append("Everybody marked the same.")
    for passage in found:
        rows = "".join(
            f"<div><dt>{safe(continuum.annotators[who])}</dt><dd>{_html(parts)}</dd></div>"
            for who, parts in passage.lines
        )
        html.append(f"<dl>{rows}</dl>")
        plain += [f"- {marked(continuum.annotators[who])}: {marked(_plain(parts))}" for who, parts in passage.lines]
        plain.append("")
    html.append(f'<p class="note">{safe(more.strip())}</p></section>' if more else "</section>")
    return "".join(html), "\n".join(plain)


def _html(parts: tuple[PassagePart, ...]) -> str:
    """A line with brackets around marks, their labels behind, and what differs underlined."""
    found = []
    for part in parts:
        inner = safe(part.text)
        if part.depth:
            inner = f'<mark class="differs">{inner}</mark>' if part.differs else f"<mark>{inner}</mark>"
        labels = "".join(f"<b>]</b><sub>{safe(short(label, 40))}</sub>" for label in part.closes)
        opens = "".join(
            "<b>[</b>" if label is None else f"<sub>{safe(short(label, 40))}</sub><b>[</b>" for label in part.opens
        )
        found.append(f"{opens}{inner}{labels}")
    return "".join(found)


def _plain(parts: tuple[PassagePart, ...]) -> str:
    found = []
    for part in parts:
        opens = "".join("[" if label is None else f"({short(label, 40)})[" for label in part.opens)
        closes = "".join(f"]({short(label, 40)})" for label in part.closes)
        found.append(f"{opens}{part.text}{closes}")
    return "".join(found)


def _places(continuum: Continuum, shared: Any, context: Context) -> Table:
    """What not everybody marked, by its places."""
    units = np.nonzero(~shared)[0][: DOCUMENTS_SHOWN * PASSAGES_SHOWN * 2]
    data: dict[str, Any] = {
        "item": [str(context.study.items[number]) for number in continuum.document[units]],
        "annotator": [continuum.annotators[who] for who in continuum.annotator[units]],
        "start": continuum.start[units],
        "end": continuum.end[units],
        "label": [str(continuum.labels[code]) for code in continuum.label[units]],
    }
    return Table("Marks that not everybody made", data)
