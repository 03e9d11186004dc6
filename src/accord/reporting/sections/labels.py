"""Labels: agreement on each, which are taken for which, and who uses which."""

from __future__ import annotations

import numpy as np

from accord.arrays import add_up
from accord.confusion import pooled_confusion
from accord.reporting.context import LABELS_SHOWN, PEOPLE_SHOWN, Context, Section
from accord.reporting.figures import figure
from accord.reporting.tables import as_markdown, safe
from accord.study import Study
from accord.table import Table


def needs(context: Context) -> bool:
    """One variable with labels."""
    return not context.several and context.study.kind != "score" and bool(context.study.tally().pairable.any())


def build(context: Context) -> Section:
    """By label, confusion, and label mixes."""
    study = context.study
    by_label = _base(context).by_label()
    rows = [(str(row["label"]), row["value"], row["low"], row["high"]) for row in by_label][:LABELS_SHOWN]
    spoken = "; ".join(f"{label} {value:.2f}" for label, value, *_ in rows if value == value)  # noqa: PLR0124 - NaN
    body = [figure("forest", (rows, "Agreement on each label against the rest"), by_label, spoken)]
    markdown = [as_markdown(by_label)]
    if 2 <= len(study.labels) <= LABELS_SHOWN:
        table, cells = _confusion(study)
        told = f"{_most_confused(study)}"
        body.append(f"<p>{safe(told)}</p>")
        parts = (
            cells,
            "When one annotator says the row, what does another say?",
            "another annotator's label",
            "one's label",
        )
        body.append(figure("heat_map", parts, table, told))
        markdown += [told, "", as_markdown(table)]
    if study.triples.named and len(study.labels) <= LABELS_SHOWN and study.n_annotators <= PEOPLE_SHOWN:
        table, bars = _mixes(study)
        body.append(figure("shares", (bars, "How often each annotator uses each label", "share of answers"), table,
                           "Label shares by annotator; the table below has the numbers."))  # fmt: skip
        markdown.append(as_markdown(table))
    return Section("labels", "Labels", "".join(body), "\n".join(markdown))


def _base(context: Context):  # type: ignore[no-untyped-def]  # noqa: ANN202
    """Fleiss's kappa where it fits: its parts by label are the textbook's."""
    found = {result.measure: result for result in context.measurements}
    return found.get("fleiss_kappa", context.main)


def _confusion(study: Study) -> tuple[Table, list[tuple[str, str, float, str]]]:
    """Row shares of the pooled confusion table."""
    counts = pooled_confusion(study)
    totals = counts.sum(1, keepdims=True)
    shares = np.divide(counts, totals, out=np.zeros_like(counts), where=totals > 0)
    names = [str(label) for label in study.labels]
    cells = [
        (names[row], names[column], float(shares[row, column]), f"{shares[row, column]:.0%}")
        for row in range(len(names))
        for column in range(len(names))
    ]
    data = {"label": names, **{name: shares[:, place] for place, name in enumerate(names)}}
    return Table("Share of pairs of answers, by the label of one", data), cells


def _most_confused(study: Study) -> str:
    """The two labels most often taken for each other, in a sentence."""
    counts = pooled_confusion(study)
    apart = np.triu(counts + counts.T, 1)
    disagreement = apart.sum()
    if not disagreement:
        return "No two labels are ever taken for each other."
    row, column = np.unravel_index(int(apart.argmax()), apart.shape)
    share = apart[row, column] / disagreement
    names = f"{study.labels[row]!s} and {study.labels[column]!s}"
    return f"{names} meet in {share:.0%} of all disagreement, more than any other two labels."


def _mixes(study: Study) -> tuple[Table, list[tuple[str, str, float]]]:
    """Each annotator's share of each label."""
    _, annotator, answer, count = study.triples.rows
    size = len(study.answers)
    cells = add_up(annotator * size + answer, count, len(study.annotators) * size).reshape(-1, size)
    held = cells @ study.answers.membership.astype(np.float64)
    totals = cells.sum(1, keepdims=True)
    shares = np.divide(held, totals, out=np.zeros_like(held), where=totals > 0)
    people = [study.annotators[person] for person in study.present]
    data = {
        "annotator": people,
        **{str(label): shares[study.present, place] for place, label in enumerate(study.labels)},
    }
    bars = [
        (name, str(label), float(shares[person, place]))
        for place, label in enumerate(study.labels)
        for person, name in zip(study.present, people, strict=True)
    ]
    return Table("Share of each annotator's answers", data), bars
