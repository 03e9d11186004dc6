"""What was measured: items, annotators, answers, labels, and what was left out."""

from __future__ import annotations

from accord.answers import Label
from accord.reporting.context import Context, Section
from accord.reporting.tables import as_html, as_markdown, safe
from accord.table import Table


def needs(_context: Context) -> bool:
    """Every report says what it is about."""
    return True


def build(context: Context) -> Section:
    """Counts, and nothing dropped silently."""
    about = context.study.describe()
    low, high = about.answers_per_item
    rows: list[tuple[str, str]] = [
        ("read from", f"{context.source or 'data in memory'} ({about.shape}, {about.rows:,} rows)"),
        ("items", f"{about.items:,}"),
        ("annotators", f"{about.annotators:,}"),
        ("answers", f"{about.annotations:,} ({about.kind})"),
    ]
    if about.tasks:
        rows.append(("variables", ", ".join(str(task) for task in about.tasks)))
    else:
        rows.append(("answers an item", f"{low}" if low == high else f"{low} to {high}"))
        rows.append(("items with a single answer", f"{about.single_answer_items:,}"))
    left_out = [f"{number:,} {reason}" for reason, number in about.left_out.items()] or ["nothing"]
    rows.append(("left out", "; ".join(left_out)))
    table = Table("What was read", {"what": [name for name, _ in rows], "how much": [value for _, value in rows]})
    listed = "".join(f"<dt>{safe(name)}</dt><dd>{safe(value)}</dd>" for name, value in rows)
    body, markdown = f"<dl>{listed}</dl>", as_markdown(table)
    if about.labels:
        labels = _labels(about.labels)
        body += as_html(labels)
        markdown += "\n" + as_markdown(labels)
    return Section("measured", "What was measured", body, markdown)


def _labels(counts: dict[Label, int]) -> Table:
    total = sum(counts.values()) or 1
    return Table(
        "Labels",
        {
            "label": list(counts),
            "times given": list(counts.values()),
            "share": [count / total for count in counts.values()],
        },
    )
