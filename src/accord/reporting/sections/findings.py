"""Findings: what the coefficient hides, what causes the disagreement, and what to do about it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from accord.agreement.references import formatted
from accord.agreement.table import Table
from accord.agreement.table_formats import as_html, as_markdown, cut, marked, safe
from accord.findings.finding import Finding
from accord.findings.findings_result import Findings, chance, reasons
from accord.reporting.context import Context, Section
from accord.reporting.finding_groups import FindingGroup, groups
from accord.reporting.links import items_behind, see_also

FINDINGS_SHOWN = 40  # in a page; the command and the library have all
ROWS_SHOWN = 20  # of a table behind a finding
MARKS = {"warning": "⚠ Warning", "note": "Note"}  # a word, whatever the colour
LONGEST = 1_200  # characters of a sentence, whatever the labels in it


def needs(_context: Context) -> bool:
    """Every report says what it found, or that it found nothing."""
    return True


def build(context: Context) -> Section:
    """Warnings first, each with its evidence and its remedy; then what is worth knowing."""
    found = context.findings
    every = groups(found)
    shown = every[:FINDINGS_SHOWN]
    summary = _summary(found, every)
    body = [f"<p>{safe(summary)}</p>", *(_card(context, group) for group in shown)]
    markdown = [marked(summary), "", *(line for group in shown for line in _lines(group))]
    if len(every) > len(shown):
        more = f"{len(every) - len(shown)} further findings are shown by accord explain."
        body.append(f"<p>{more}</p>")
        markdown += [more, ""]
    body += [
        f'<p class="note">{safe(found.corrected_for)}</p>',
        f'<p class="note">{safe(found.would_show)}</p>' if found.power else "",
        _gaps(found),
        _sources([one for group in shown for one in group.found]),
    ]
    markdown += [marked(found.corrected_for), ""]
    markdown += [marked(found.would_show), ""] if found.power else []
    markdown += [f"Not looked at: {marked(cut(gap, LONGEST))}\n" for gap in found.gaps]
    return Section("findings", "Findings", "".join(body), "\n".join(markdown))


def _summary(found: Findings, every: Sequence[FindingGroup]) -> str:
    """How many warnings and notes follow: of those that several variables share, one."""
    if not found:
        return f"{found.headline} Nothing else was found."
    counts = Counter(group.first.severity for group in every)
    number, notes = counts["warning"], counts["note"]
    warnings = "No warning" if not number else "One warning" if number == 1 else f"{number} warnings"
    return f"{found.headline} {warnings}, {notes} {'note' if notes == 1 else 'notes'}."


def _facts(one: Finding) -> Iterator[str]:
    """Evidence, what speaks for it and against it, what is not known, and how sure it is."""
    yield from (str(part) for part in one.evidence)
    yield from (f"{word.capitalize()}: {reason}" for word, texts in reasons(one) for reason in texts)
    if one.p_corrected is not None:
        yield f"p {chance(one.p_corrected)} after correction for all questions asked"


def _card(context: Context, group: FindingGroup) -> str:
    """One finding in the page, or one that several variables share; its table unfolds."""
    one = group.first
    beneath = " beneath" if one.part_of else ""
    text, table, facts = _group_text(group)
    parts = [f'<h3><span class="mark">{MARKS[one.severity]}</span> {safe(cut(group.title, 160))}</h3>']
    parts += [f"<p>{safe(text)}</p>"] if text else []
    parts += [] if table is None else [as_html(table, caption=False)]
    listed = "".join(f"<li>{safe(cut(fact, LONGEST))}</li>" for fact in facts)
    parts.append(f"<ul>{listed}</ul>" if listed else "")
    parts += [f"<p><strong>What to do:</strong> {safe(cut(remedy, LONGEST))}</p>" for remedy in _remedies(group)]
    parts += [see_also(context, group), items_behind(context, group)]
    parts += [_unfolding(each) for each in group.found]
    return f'<div id="{group.anchor}" class="finding {safe(one.severity)}{beneath}">{"".join(parts)}</div>'


def _group_text(group: FindingGroup) -> tuple[str, Table | None, list[str]]:
    """What is said, a table where variables differ, and facts: nothing word for word for every variable."""
    one = group.first
    if len(group.found) == 1:
        return cut(one.says, LONGEST), None, list(_facts(one))
    common = [fact for fact in _facts(one) if all(fact in list(_facts(other)) for other in group.found)]
    columns: dict[str, list[str]] = {"variable": [str(each.variable) for each in group.found]}
    same = len({each.says for each in group.found}) == 1
    names = tuple(part.what for part in one.evidence)
    if not same and (one.labels or one.annotators or not names):
        columns["what was found"] = [cut(each.says, LONGEST) for each in group.found]
    elif all(tuple(part.what for part in each.evidence) == names for each in group.found):
        for place, name in enumerate(names):
            cells = [str(each.evidence[place]).removeprefix(f"{name}: ") for each in group.found]
            columns |= {name: cells} if len(set(cells)) > 1 else {}
    return cut(one.says, LONGEST) if same else "", Table(group.title, columns) if len(columns) > 1 else None, common


def _remedies(group: FindingGroup) -> list[str]:
    """What to do, each thing once."""
    return list(dict.fromkeys(one.remedy for one in group.found if one.remedy))


def _unfolding(one: Finding) -> str:
    if one.table is None or not len(one.table):
        return ""
    of = "" if one.variable is None else f" ({one.variable})"
    title = safe(cut(f"{one.table.title}{of}", 120))
    more = (
        f'<p class="note">The first {ROWS_SHOWN} of {len(one.table):,} rows.</p>' if len(one.table) > ROWS_SHOWN else ""
    )
    return f"<details><summary>{title}</summary>{as_html(one.table.head(ROWS_SHOWN), caption=False)}{more}</details>"


def _lines(group: FindingGroup) -> Iterator[str]:
    """One finding in Markdown, or one that several variables share."""
    one = group.first
    yield f"### {one.severity.capitalize()}: {marked(cut(group.title, 160))}"
    yield ""
    text, table, facts = _group_text(group)
    yield from [marked(text), ""] if text else []
    yield from [] if table is None else [as_markdown(table)]
    yield from [*(f"- {marked(cut(fact, LONGEST))}" for fact in facts), ""] if facts else []
    for remedy in _remedies(group):
        yield f"**What to do:** {marked(cut(remedy, LONGEST))}"
        yield ""
    for each in group.found:
        if each.table is not None and len(each.table):
            yield as_markdown(each.table.head(ROWS_SHOWN))


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
