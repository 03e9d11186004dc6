"""Chapters: where a study holds several variables, the full sections of each."""

from __future__ import annotations

import re
from collections.abc import Iterator

from accord.agreement.table_formats import as_html, as_markdown, marked, safe
from accord.reporting.context import Context, Section
from accord.reporting.sections import OF_A_VARIABLE
from accord.reporting.sections.coefficients import as_one_table
from accord.reporting.sections.verdict import headline

MOST = 12  # variables with sections of their own: those with the least agreement
HEADING = re.compile(r"(</?h)3\b")


def chapters(context: Context) -> Iterator[Section]:
    """One for each variable, in the order of the study."""
    shown = _chosen(context)
    for part in context.parts:
        if part in shown:
            yield _chapter(part)
    if len(shown) < len(context.parts):
        left = [str(part.variable) for part in context.parts if part not in shown]
        text = (
            f"The {len(shown)} variables with the least agreement have sections of their own. A report of one of the "
            f"others has them too: {', '.join(left)}."
        )
        yield Section("others", "Further variables", f"<p>{safe(text)}</p>", marked(text))


def _chosen(context: Context) -> list[Context]:
    """The variables whose sections are shown: those with the least agreement, if not all."""
    results = context.findings.results
    known = [part for part in context.parts if part.variable in results]
    worst = sorted(known, key=lambda part: (bool(results[part.variable].undefined), results[part.variable].value))
    others = [part for part in context.parts if part not in known]
    return [*worst, *others][:MOST]


def _chapter(part: Context) -> Section:
    """The value, the coefficients, and whatever fits the variable."""
    key, title = part.prefix.rstrip("-"), str(part.variable)
    if part.refusal is not None:  # spans, for one: said, as everywhere
        return Section(key, title, f"<p>{safe(part.refusal)}</p>", marked(part.refusal))
    text = headline(part)
    table = as_one_table(list(part.measurements))
    body = [f"<p><strong>{safe(text)}</strong></p>", _folded(table.title, as_html(table, caption=False))]
    markdown = [marked(text), "", as_markdown(table)]
    for fitting in OF_A_VARIABLE:
        if fitting.needs(part):
            section = fitting.build(part)
            inner = HEADING.sub(r"\g<1>4", section.html)
            body.append(f'<h3 id="{part.prefix}{section.key}">{safe(section.title)}</h3>{inner}')
            markdown += [f"### {marked(section.title)}", "", section.markdown, ""]
    return Section(key, title, "".join(body), "\n".join(markdown))


def _folded(title: str, inner: str) -> str:
    return f"<details><summary>{safe(title)}</summary>{inner}</details>"
