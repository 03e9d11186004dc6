"""Lists of items: those behind a cell, a bar or a finding, or that a filter asks for, a page at a time."""

from __future__ import annotations

from urllib.parse import urlencode

from starlette.responses import Response

from accord.workbench.item_list import page_of_items
from accord.workbench.pages.report import address, query_of_visit
from accord.workbench.visit import Visit


def show(visit: Visit) -> Response:
    """The items that the address asks for, from a key on."""
    query, named = query_of_visit(visit)
    reports = visit.site.reports
    live = reports.of(named=named)
    index = live.index(query)
    after = visit.query.one("after")
    key = int(after) if after.isdecimal() and len(after) < 19 else -1
    page = page_of_items(index.context, index.find(query), reports.outcome(visit.person.name), key)
    return visit.page(
        "items.html.j2", query=query, named=named, page=page, choices=live.choices(query),
        to_report=address("/report", query, named=named), to_names=address("/items", query, named=not named),
        to_queue=f"/queue?{urlencode({'among': address('', query, named=named)[1:]})}" if query.pairs else "/queue",
        to_next="" if page.after is None else address("/items", query, named=named, after=str(page.after)),
    )  # fmt: skip
