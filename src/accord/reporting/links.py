"""Ways through the page: from a finding to the label, annotator or item it speaks of, and back.

A row that a link may lead to has the id of its section and its place: labels-3, or v2-labels-3 in the second
variable. Not every row is on the page; what is not leads to its section, or is no link.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

from accord.agreement.table_formats import RowMarks, cut, safe
from accord.errors import counted
from accord.findings.finding import Finding
from accord.reporting.context import Context
from accord.reporting.finding_groups import FindingGroup, groups
from accord.reporting.item_query import MOST_VALUES, distinct_names

LINK = re.compile(r'<a class="to" href="#([\w-]+)">(.*?)</a>', re.S)
IDS = re.compile(r' id="([\w-]+)"')
MOST_LINKS = 8  # from a finding to items, or from a row to findings
FEW_LINKS = 3  # from a finding to items of each of several variables
OF_ALL = ("contested-items",)  # what a whole table is about is not said in each of its rows
LONGEST = 60  # characters of what a link is called


def link(target: str, text: object) -> str:
    """A link within the page."""
    return f'<a class="to" href="#{target}">{safe(cut(str(text), LONGEST))}</a>'


def resolved(page: str) -> str:
    """The page with links that lead somewhere: to a row, else to its section, else none."""
    known = {found[1] for found in IDS.finditer(page)}

    def lead(found: re.Match[str]) -> str:
        target, text = found.groups()
        section = re.sub(r"-\d+$", "", target)
        there = target if target in known else section if section in known else None
        return text if there is None else f'<a class="to" href="#{there}">{text}</a>'

    return LINK.sub(lead, page)


def row_marks(context: Context, section: str, places: Sequence[int]) -> RowMarks:
    """Ids for rows that stand for labels, annotators or items by their places in the study, links to findings, and
    the way to the items behind each.
    """
    names = _names(context, section)
    about: dict[int, list[FindingGroup]] = {}
    wanted = {names[place]: place for place in places}
    for group in groups(context.findings):
        if group.first.name in OF_ALL:
            continue
        for name in _concerned(context, group, section):
            if name in wanted and group not in about.setdefault(wanted[name], []):
                about[wanted[name]].append(group)
    ids = [f"{context.prefix}{section}-{place}" for place in places]
    links = [
        ", ".join(link(group.anchor, group.name) for group in about.get(place, [])[:MOST_LINKS]) for place in places
    ]
    return RowMarks(ids, links, leads=_leads(context, section, places))


def _leads(context: Context, section: str, places: Sequence[int]) -> list[str]:
    """The way from each row that stands for a label, an annotator or an item to the items behind it."""
    if section == "labels":
        names = distinct_names(context.study.labels)
        return context.all_behind({"labels": (names[place],)} for place in places)
    if section == "annotators":
        people = context.study.annotators
        return context.all_behind({"annotators": (people[place],), "agree": "no"} for place in places)
    return context.all_behind({"items": (str(context.study.items[place]),)} for place in places)


def findings_about(context: Context, section: str, places: Sequence[int]) -> str:
    """The findings that speak of some labels or annotators, each with those it speaks of."""
    names, wanted = _names(context, section), set(places)
    links = []
    for group in groups(context.findings):
        place = _places(names, _concerned(context, group, section))
        spoken = [str(name) for name, number in place.items() if number in wanted]
        more = f" and {len(spoken) - MOST_LINKS} more" if len(spoken) > MOST_LINKS else ""
        if spoken:
            links.append(f"{link(group.anchor, group.name)} ({safe(cut(', '.join(spoken[:MOST_LINKS]), 200))}{more})")
    return f'<p class="see">In the findings: {"; ".join(links)}</p>' if links else ""


def _names(context: Context, section: str) -> Sequence[object]:
    study = context.study
    return {"labels": study.labels, "annotators": study.annotators, "items": study.items}[section]


def _concerned(context: Context, group: FindingGroup, section: str) -> list[object]:
    """The labels, annotators or items that a group of findings speaks of, in this variable."""
    return [name for one in group.found if one.variable == context.variable for name in getattr(one, section)]


def see_also(context: Context, group: FindingGroup) -> str:
    """Links from findings to what they speak of: labels, annotators, items; by variable, where there are several."""
    entries = []
    for part in context.parts or (context,):
        found = [one for one in group.found if one.variable == part.variable]
        links = " · ".join(_to(part, found, MOST_LINKS if len(group.variables) < 2 else FEW_LINKS))
        if part.variable is not None and found:
            variable = link(part.prefix.rstrip("-"), part.variable)
            entries.append(f"{variable} ({links})" if links else variable)
        elif links:
            entries.append(links)
    return f'<p class="see">See {", ".join(entries)}</p>' if entries else ""


def items_behind(context: Context, group: FindingGroup) -> str:
    """Links from findings to the items behind them, where there are pages of items.

    What speaks of no label, annotator or item in particular is about the items whose answers differ.
    """
    if context.address is None:
        return ""
    links: list[str] = []
    for part in context.parts or (context,):
        for one in group.found:
            if one.variable == part.variable:
                queries = list(_item_queries(part, one)) or [({"agree": "no"}, f"contested items{_of_variable(part)}")]
                links += [f'<a href="{safe(part.behind(**what))}">{safe(text)}</a>' for what, text in queries]
    return f'<p class="see">Items behind it: {" · ".join(list(dict.fromkeys(links))[:MOST_LINKS])}</p>' if links else ""


def _item_queries(part: Context, one: Finding) -> Iterator[tuple[dict[str, Any], str]]:
    """Which items a finding is about, each with what a link to them is called."""
    several = _of_variable(part)
    if one.items:
        named = tuple(str(item) for item in one.items[:MOST_VALUES])
        yield {"items": named}, f"{counted(len(named), 'items')} that it names{several}"
    names = dict(zip(part.study.labels, distinct_names(part.study.labels), strict=True))
    labels = tuple(names[label] for label in one.labels if label in names)
    if len(labels) == 2:
        pair = f"“{labels[0]}” met “{labels[1]}”"
        yield {"labels": labels}, f"{cut(pair, 2 * LONGEST)}{several}"
    else:
        yield from (
            ({"labels": (label,), "agree": "no"}, f"contested “{cut(label, LONGEST)}”{several}") for label in labels
        )
    for who in one.annotators:
        if who in part.study.annotators:
            yield {"annotators": (who,), "agree": "no"}, f"{cut(who, LONGEST)} differs{several}"


def _of_variable(part: Context) -> str:
    return "" if part.variable is None else f" ({cut(str(part.variable), LONGEST)})"


def _to(part: Context, found: Sequence[Finding], most: int) -> list[str]:
    """Links to the labels, annotators and items of some findings, so many of each at most."""
    links = []
    for section in ("labels", "annotators", "items"):
        mentioned = list(dict.fromkeys(name for one in found for name in getattr(one, section)))[:most]
        places = _places(_names(part, section), mentioned) if mentioned else {}
        links += [link(f"{part.prefix}{section}-{places[name]}", name) for name in mentioned if name in places]
    return links


def _places(names: Sequence[object], wanted: Sequence[object]) -> dict[object, int]:
    """Where some names stand."""
    wanted_names = set(wanted)
    return {name: place for place, name in enumerate(names) if name in wanted_names}
