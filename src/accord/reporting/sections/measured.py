"""What was measured: items, annotators, answers, missing ones, labels, and what was left out."""

from __future__ import annotations

from accord.agreement.table import Table
from accord.agreement.table_formats import as_html, as_markdown, cut, one_line, safe
from accord.annotations.answers import Label
from accord.errors import counted
from accord.reporting.context import LABELS_SHOWN, Context, Section

MOST_VARIABLES = 40


def needs(_context: Context) -> bool:
    """Every report says what it is about."""
    return True


def build(context: Context) -> Section:
    """Counts, and nothing dropped silently."""
    about = context.study.describe()
    rows: list[tuple[str, str]] = [
        ("read from", f"{context.source or 'data in memory'}: {about.shape}, {counted(about.rows, 'rows')}"),
        ("items", f"{about.items:,}"),
        ("annotators", f"{'' if context.named else 'up to '}{about.annotators:,}{'' if context.named else ' an item'}"),
        ("answers", _answers(context, about.annotations, about.kind)),
    ]
    if about.tasks:
        more = f" … ({len(about.tasks)} in all)" if len(about.tasks) > MOST_VARIABLES else ""
        rows.append(("variables", ", ".join(str(task) for task in about.tasks[:MOST_VARIABLES]) + more))
    else:
        low, high = about.answers_per_item
        rows.append(("answers per item", f"{low}" if low == high else f"{low} to {high}"))
        rows.append(("items with a single answer", f"{about.single_answer_items:,}"))
        rows.append(("missing", _missing(context)))
    rows += [("weights of items", f"items are {about.weighting}")] if about.item_weight is not None else []
    measured = context.measurements.measured_people
    rows += [("whose answers", measured.note)] if measured is not None and measured.note else []
    rows.append(("left out", "; ".join(counted(number, why) for why, number in about.left_out.items()) or "nothing"))
    rows += [("note", note) for note in about.notes]
    listed = "".join(f'<dt>{safe(name)}</dt><dd dir="auto">{safe(cut(value))}</dd>' for name, value in rows)
    table = Table(
        "What was read", {"what": [name for name, _ in rows], "how much": [one_line(what) for _, what in rows]}
    )
    body, markdown = f"<dl>{listed}</dl>", as_markdown(table)
    if about.labels:
        labels = _labels(about.labels, about.annotations, one_each=about.kind == "single")
        body += as_html(labels, sortable=len(labels) > 3)
        markdown += "\n" + as_markdown(labels)
    return Section("measured", "What was measured", body, markdown)


def _answers(context: Context, number: int, kind: str) -> str:
    """How many, and of which kind: of each kind, where variables differ in that."""
    of_kind: dict[str, int] = {}
    for part in context.parts:
        of_kind[part.study.kind] = of_kind.get(part.study.kind, 0) + part.study.n_annotations
    if len(of_kind) < 2:
        return f"{number:,} ({kind})"
    return ", ".join(f"{count:,} ({name})" for name, count in of_kind.items())


def _missing(context: Context) -> str:
    """Of all pairs of an item and an annotator, those without an answer."""
    if context.missing is None:
        return "not known: nobody is named, so missing answers cannot be counted"
    missing, possible = context.missing
    share = f" ({missing / possible:.0%})" if possible else ""
    crowd = "; by design: many people, a few items each" if context.crowd else ""
    return f"{missing:,} of {possible:,} pairs of an item and an annotator{share}{crowd}"


def _labels(counts: dict[Label, int], answers: int, *, one_each: bool) -> Table:
    """How often each label was given; where there are many, the most frequent."""
    ranked = sorted(counts.items(), key=lambda entry: -entry[1])
    kept = {label for label, _ in ranked[: 4 * LABELS_SHOWN]}
    shown = {label: count for label, count in counts.items() if label in kept}
    total = max(sum(counts.values()) if one_each else answers, 1)
    notes: tuple[str, ...] = ()
    if len(shown) < len(counts):
        notes = (f"{len(shown)} of {len(counts):,} labels are shown: those given most often.",)
    return Table(
        "Labels",
        {
            "label": [str(label) for label in shown],
            "times given": list(shown.values()),
            "share of answers": [count / total for count in shown.values()],
        },
        notes,
    )
