"""Every coefficient with its interval on one axis, why one is recommended, and its working."""

from __future__ import annotations

from accord.reporting.context import Context, Section
from accord.reporting.figures import figure
from accord.reporting.tables import as_markdown, safe
from accord.table import Table


def needs(context: Context) -> bool:
    """One variable; several have their own section."""
    return not context.several


def build(context: Context) -> Section:
    """The chance models side by side."""
    found = context.measurements
    main = found.recommended
    table = _table(context)
    rows = []
    for result in found:
        low, high = result.interval()
        rows.append((result.title, result.value, low, high))
    spoken = "; ".join(f"{name} {value:.2f}" for name, value, *_ in rows)
    body = [f"<p>Recommended: <strong>{safe(main.title)}</strong>. {safe(found.reason)}</p>"]
    body.append(figure("forest", (rows, "Coefficients with 95% intervals"), table, spoken))
    body.append(
        f"<details><summary>{safe(main.title)}, step by step</summary><pre>{safe(main.working())}</pre></details>"
    )
    if found.left_out:
        listed = "".join(f"<li>{safe(reason)}</li>" for reason in dict.fromkeys(found.left_out.values()))
        body.append(f"<details><summary>Coefficients that do not fit these data</summary><ul>{listed}</ul></details>")
    markdown = f"Recommended: **{main.title}**. {found.reason}\n\n{as_markdown(table)}\n```\n{main.working()}\n```\n"
    return Section("coefficients", "Coefficients", "".join(body), markdown)


def _table(context: Context) -> Table:
    """One row a coefficient, with what it believes of luck."""
    from accord.registry import MEASURES

    results = list(context.measurements)
    spans = [result.interval() for result in results]
    return Table(
        "Coefficients",
        {
            "coefficient": [result.title for result in results],
            "value": [result.value for result in results],
            "low": [span.low for span in spans],
            "high": [span.high for span in spans],
            "observed": [result.observed for result in results],
            "expected": [result.expected for result in results],
            "what it assumes": [result.undefined or MEASURES[result.measure].says for result in results],
        },
        tuple(note for result in results for note in result.notes),
    )
