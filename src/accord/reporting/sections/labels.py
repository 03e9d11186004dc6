"""Labels: agreement on each, which are taken for which, and who uses which."""

from __future__ import annotations

import math

import numpy as np

from accord.agreement.chart_text import short
from accord.agreement.interpretation import digits
from accord.agreement.result import Agreement
from accord.agreement.table import Table
from accord.agreement.table_formats import as_markdown, largest_rows, marked, safe
from accord.annotations.arrays import FloatArray
from accord.coefficients.confusion import pooled_confusion
from accord.errors import MeasureError
from accord.measures.fleiss import fleiss_kappa
from accord.reporting.context import LABELS_SHOWN, PEOPLE_SHOWN, Context, Section
from accord.reporting.figures import figure, forest_or_table
from accord.reporting.item_query import distinct_names
from accord.reporting.links import findings_about, row_marks
from accord.study.study import Study

FEW_LABELS, FEW_PEOPLE = 8, 12  # whose marginal distributions are drawn as bars


def needs(context: Context) -> bool:
    """One variable with labels, and an item with two answers; marked places have a section of their own."""
    kinds = ("single", "set", "ranked")
    return not context.several and context.study.kind in kinds and bool(context.study.tally().pairable.any())


def build(context: Context) -> Section:
    """By label, confusion, and marginal distributions."""
    study = context.study
    try:
        every = _base(context).by_label()
    except MeasureError as refusal:  # too many labels: said, not hidden
        return Section("labels", "Labels", f'<p class="note">{safe(refusal)}</p>', marked(str(refusal)))
    by_label = largest_rows(every, "answers", LABELS_SHOWN, "labels are shown: those given most often")
    rows = [(str(row["label"]), row["value"], row["low"], row["high"]) for row in by_label]
    place = {label: number for number, label in enumerate(study.labels)}
    places = [place[label] for label in by_label["label"]]
    marks = row_marks(context, "labels", places)
    title = f"{_base(context).title}: agreement on each label against the rest, 95% intervals"
    sentence = _by_another(context)
    body = [f"<p>{safe(sentence)}</p>"] if sentence else []
    names = distinct_names(study.labels)
    links = context.all_behind({"labels": (names[place],)} for place in places)
    body += [
        forest_or_table(rows, title, by_label, marks, links=links),
        findings_about(context, "labels", places),
        *(f'<p class="note">{safe(note)}</p>' for note in by_label.notes),
    ]
    markdown = [*([marked(sentence), ""] if sentence else []), as_markdown(by_label)]
    if 2 <= len(study.labels) <= LABELS_SHOWN and study.kind != "set":  # what sets confuse has a section of its own
        counts = pooled_confusion(study)
        table, cells = _confusion(study, counts)
        text = _most_confused(study, counts)
        words = ("When one annotator says the row, what does another say?", "another annotator's label", "one's label")
        links = context.all_behind({"labels": cell[:2]} for cell in cells)
        met = any(math.isfinite(cell[2]) for cell in cells)
        body += [f"<p>{safe(text)}</p>"]
        body += [figure("heat_map", (cells, *words), table, text, links=links)] if met else []
        markdown += [marked(text), "", *([as_markdown(table)] if met else [])]
    if study._annotations.named and len(study.labels) <= LABELS_SHOWN and study.n_annotators <= PEOPLE_SHOWN:
        table, bars = _marginals(study)
        body.append(_marginals_figure(context, table, bars))
        markdown.append(as_markdown(table))
    return Section("labels", "Labels", "".join(body), "\n".join(markdown))


def _base(context: Context) -> Agreement:
    """Fleiss's kappa where it fits: its parts by label are the textbook's."""
    return context.measured(fleiss_kappa) or context.agreement


def _by_another(context: Context) -> str:
    """Where labels are measured by another coefficient than the study, that it is so."""
    base, main = _base(context), context.main
    if base.measure == main.measure:
        return ""
    return (
        f"Labels are measured by {base.title}, not by {main.title} as the study is: each label against all others, "
        f"for which {base.title} has the usual form. All labels together have {base.title} {digits(base)}."
    )


def _confusion(study: Study, counts: FloatArray) -> tuple[Table, list[tuple[str, str, float, str]]]:
    """Row shares of the pooled confusion table."""
    totals = counts.sum(1, keepdims=True)
    shares = np.divide(counts, totals, out=np.full_like(counts, np.nan), where=totals > 0)
    names = distinct_names(study.labels)
    cells = [
        (names[row], names[column], float(shares[row, column]), f"{shares[row, column]:.0%}")
        for row in range(len(names))
        for column in range(len(names))
    ]
    data = {"label": names, **{f"says {name}": shares[:, place] for place, name in enumerate(names)}}
    return Table("Share of pairs of answers, by the label of one", data), cells


def _most_confused(study: Study, counts: FloatArray) -> str:
    """The two labels most often taken for each other, in a sentence."""
    apart = np.triu(counts + counts.T, 1)
    disagreement = apart.sum()
    if not disagreement:
        return "No two labels are ever taken for each other."
    row, column = np.unravel_index(int(apart.argmax()), apart.shape)
    if len(study.labels) == 2:
        return f"The two labels meet in {disagreement / counts.sum():.0%} of all pairs of answers on an item."
    share = apart[row, column] / disagreement
    names = f"“{short(study.labels[row], 60)}” and “{short(study.labels[column], 60)}”"
    return f"{names} meet in {share:.0%} of all disagreement, more than any other two labels."


def _marginals(study: Study) -> tuple[Table, list[tuple[str, str, float]]]:
    """Each annotator's share of each label."""
    cells = study._annotations.answers_by_annotator()
    given = cells @ study.answers.membership.astype(np.float64)
    totals = cells.sum(1, keepdims=True)
    shares = np.divide(given, totals, out=np.zeros_like(given), where=totals > 0)
    people = [study.annotators[person] for person in study._present]
    names = distinct_names(study.labels)
    data = {"annotator": people, **{f"says {name}": shares[study._present, place] for place, name in enumerate(names)}}
    bars = [
        (who, name, float(shares[person, place]))
        for place, name in enumerate(names)
        for person, who in zip(study._present, people, strict=True)
    ]
    return Table("Share of each annotator's answers", data), bars


def _marginals_figure(context: Context, table: Table, bars: list[tuple[str, str, float]]) -> str:
    """Bars for a few, a heat map for many."""
    study = context.study
    links = context.all_behind({"annotators": (who,), "labels": (label,)} for who, label, _ in bars)
    title, text = "How often each annotator uses each label", _most_unlike(table)
    if len(study.labels) <= FEW_LABELS and study.n_annotators <= FEW_PEOPLE:
        return figure("shares", (bars, title, "share of answers"), table, text, links=links)
    cells = [(who, label, share, f"{share:.0%}") for who, label, share in bars]
    return figure("heat_map", (cells, f"{title}, share of answers", "label", "annotator"), table, text, links=links)


def _most_unlike(table: Table) -> str:
    """The label whose use differs most between annotators."""
    widest, text = -1.0, "No label is used."
    for name in table.columns[1:]:
        shares = table[name].astype(np.float64)
        if shares.max() - shares.min() > widest:
            widest = shares.max() - shares.min()
            label = short(name.removeprefix("says "), 60)
            between = f"from {shares.min():.0%} to {shares.max():.0%} of an annotator's answers"
            text = f"The use of {label} differs most: {between}."
    return text
