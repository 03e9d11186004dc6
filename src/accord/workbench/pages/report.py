"""The live report: its sections as they are now, of all items or of some, each number with the items behind it."""

from __future__ import annotations

from starlette.responses import Response

from accord.reporting.item_query import ItemQuery, in_address
from accord.workbench.bench_reports import NAMES
from accord.workbench.people import Person
from accord.workbench.visit import FormFields, Visit

PATIENCE = 0.1  # seconds that a page waits for the whole report, before it shows what there is


def show(visit: Visit) -> Response:
    """The report of the items that the address asks for."""
    query, named = query_of_visit(visit)
    live = visit.site.reports.of(named=named)
    return visit.page(
        "report.html.j2", query=query, named=named, shown=live.page(query, PATIENCE), choices=live.choices(query),
        to_items=address("/items", query, named=named), to_names=address("/report", query, named=not named),
    )  # fmt: skip


def query_of_visit(visit: Visit) -> tuple[ItemQuery, bool]:
    """Which items an address asks for, and whether annotators have their names: a reader does not see them."""
    return query_of_fields(visit.query, visit.person)


def query_of_fields(fields: FormFields, person: Person) -> tuple[ItemQuery, bool]:
    """The same of any fields: of an address, or of what an address carries along."""
    pairs = [(name, value) for name, values in fields.values.items() for value in values]
    return ItemQuery.of(pairs), NAMES in pairs and person.decides


def address(path: str, query: ItemQuery, *, named: bool, **more: str) -> str:
    """A page about some items, as a link that can be shared."""
    query_string = in_address([*query.pairs, *([NAMES] if named else []), *more.items()])
    return f"{path}?{query_string}" if query_string else path
