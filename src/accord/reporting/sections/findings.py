"""Findings: what the coefficient hides, what causes the disagreement, and what to do about it."""

from __future__ import annotations

from collections.abc import Iterator

from accord.agreement.references import formatted
from accord.agreement.table_formats import as_html, as_markdown, cut, marked, safe
from accord.findings.explaining import TARGETS, explain
from accord.findings.finding import Finding
from accord.findings.findings_result import Findings, chance
from accord.reporting.context import Context, Section

FINDINGS_SHOWN = 40  # in a page; the command and the library have all
ROWS_SHOWN = 20  # of a table behind a finding
LONGEST = 1_200  # characters of a sentence, whatever the labels in it


def needs(_context: Context) -> bool:
    """Every report says what it found, or that it found nothing."""
    return True


def build(context: Context) -> Section:
    """Warnings first, each with its evidence and its remedy; then what is worth knowing."""
    options = {name: value for name, value in context.options.items() if name in ("weights", "level")}
    target = context.benchmark if context.benchmark in TARGETS else "standard"
    found = explain(context.study, target=target, **options)
    shown = list(found)[:FINDINGS_SHOWN]
    summary = _summary(found)
    body = [f"<p>{safe(summary)}</p>", *(_card(one) for one in shown)]
    markdown = [marked(summary), "", *(line for one in shown for line in _lines(one))]
    if len(found) > len(shown):
        more = f"{len(found) - len(shown)} further findings are shown by accord explain."
        body.append(f"<p>{more}</p>")
        markdown += [more, ""]
    body += [f'<p class="note">{safe(found.corrected_for)}</p>', _gaps(found), _sources(shown)]
    markdown += [marked(found.corrected_for), ""]
    markdown += [f"Not looked at: {marked(cut(gap, LONGEST))}\n" for gap in found.gaps]
    return Section("findings", "Findings", "".join(body), "\n".join(markdown))


def _summary(found: Findings) -> str:
    if not found:
        return f"{found.headline} Nothing else was found."
    number = len(found.warnings)
    warnings = "No warning" if not number else "One warning" if number == 1 else f"{number} warnings"
    notes = len(found.notes)
    return f"{found.headline} {warnings}, {notes} {'note' if notes == 1 else 'notes'}."


def _title(one: Finding) -> str:
    """The finding's name in words, with the variable it is about."""
    name = one.name.replace("-", " ").capitalize()
    return name if one.variable is None else f"{name} ({cut(str(one.variable), 60)})"


def _facts(one: Finding) -> Iterator[str]:
    """Evidence, what speaks for it and against it, and how sure it is."""
    yield from (str(part) for part in one.evidence)
    yield from (f"Speaks for it: {reason}" for reason in one.speaks_for)
    yield from (f"Speaks against it: {reason}" for reason in one.speaks_against)
    if one.p_corrected is not None:
        yield f"p {chance(one.p_corrected)} after correction for all questions asked"


def _card(one: Finding) -> str:
    """One finding in the page; its table unfolds."""
    beneath = " beneath" if one.part_of else ""
    parts = [
        f'<h3><span class="mark">{safe(one.severity)}</span> {safe(_title(one))}</h3>',
        f"<p>{safe(cut(one.says, LONGEST))}</p>",
    ]
    facts = "".join(f"<li>{safe(cut(fact, LONGEST))}</li>" for fact in _facts(one))
    if facts:
        parts.append(f"<ul>{facts}</ul>")
    if one.remedy:
        parts.append(f"<p><strong>What to do:</strong> {safe(cut(one.remedy, LONGEST))}</p>")
    if one.table is not None and len(one.table):
        title = safe(cut(one.table.title, 120))
        parts.append(f"<details><summary>{title}</summary>{as_html(one.table.head(ROWS_SHOWN), caption=False)}")
        if len(one.table) > ROWS_SHOWN:
            parts.append(f'<p class="note">The first {ROWS_SHOWN} of {len(one.table):,} rows.</p>')
        parts.append("</details>")
    return f'<div class="finding {safe(one.severity)}{beneath}">{"".join(parts)}</div>'


def _lines(one: Finding) -> Iterator[str]:
    """One finding in Markdown."""
    yield f"### {one.severity.capitalize()}: {marked(_title(one))}"
    yield ""
    yield marked(cut(one.says, LONGEST))
    yield ""
    facts = [f"- {marked(cut(fact, LONGEST))}" for fact in _facts(one)]
    yield from [*facts, ""] if facts else []
    if one.remedy:
        yield f"**What to do:** {marked(cut(one.remedy, LONGEST))}"
        yield ""
    if one.table is not None and len(one.table):
        yield as_markdown(one.table.head(ROWS_SHOWN))


def _gaps(found: Findings) -> str:
    if not found.not_looked_at:
        return ""
    listed = "".join(f"<li>{safe(cut(gap, LONGEST))}</li>" for gap in found.gaps)
    return f"<details><summary>What could not be looked at</summary><ul>{listed}</ul></details>"


def _sources(shown: list[Finding]) -> str:
    """Where the reasoning comes from."""
    keys = dict.fromkeys(key for one in shown for key in one.sources)
    if not keys:
        return ""
    listed = "".join(f"<li>{safe(formatted(key))}</li>" for key in keys)
    return f"<details><summary>Sources</summary><ul>{listed}</ul></details>"
