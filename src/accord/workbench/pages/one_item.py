"""The screen of one item: what every page shows that is about it, whoever led there."""

from __future__ import annotations

import json
import time
from collections import Counter
from typing import Any, TypeAlias

from starlette.responses import Response

from accord.workbench.controls import CONTROLS, choices, sent
from accord.workbench.decision_log import LoggedRow
from accord.workbench.screens import ItemScreen
from accord.workbench.span_editor import Draft, SpanEditor
from accord.workbench.span_screen import span_screen
from accord.workbench.visit import Visit
from accord.workbench.written_answers import read_back, written

LONGEST_NUMBER = 19  # digits, from which on it is no row's
LONG_TEXT = 600  # characters, from which on letters are smaller
WITH_ANSWERS, WITH_NAMES = "answers", "names"  # what is shown of the answers on request

Done: TypeAlias = dict[str, Any]  # what somebody just did: the row, the item, the answer, and what was answered


def item_page(
    visit: Visit, place: int, show: str, *, draft: Draft | None = None, problem: str = "", did: Done | None = None
) -> Response:
    """The screen of an item; of a document, with a draft of its units and what could not be done to it.

    What somebody has typed beside a draft comes with its form, and stays until it is kept.
    """
    typed = visit.form.one if draft is not None and did is None else _nothing_typed
    bench = visit.site.bench
    screen = bench.screen(place, visit.person, shown=show in (WITH_ANSWERS, WITH_NAMES), names=show == WITH_NAMES)
    spans = bench.gold._as_spans
    return visit.page(
        "queue.html.j2",
        screen=screen,
        control=CONTROLS[screen.kind],
        choices=choices(screen.labels, screen.compared),
        form_item=json.dumps(screen.item),
        among={"among": visit.among} if visit.among else {},
        elsewhere=screen.image if screen.image.startswith(("http://", "https://")) else "",
        since=visit.form.one("since") or f"{time.time():.6f}",  # two decimals may lie ahead of a quick answer
        typed=typed,
        seen=visit.form.one("seen") or bench.standing.number[place],  # a draft goes on from where it began
        reasons=bench.reasons,
        progress=bench.progress(),
        last=did,
        deciding=_deciding(visit, place),
        long_text=len(screen.text) > LONG_TEXT,
        picture=picture_of(screen),
        named=show == WITH_NAMES,
        differs=visit.person.leads and place in bench.second_looks.differ,
        standing=None if screen.stands is None else read_back(screen.stands.answer),
        show=show if show in (WITH_ANSWERS, WITH_NAMES) else "",
        spans=None if spans is None else span_screen(spans, place, screen, draft),
        problem=problem,
    )


def _deciding(visit: Visit, place: int) -> str:
    """Who else is deciding an item just now; nobody where it is free or one's own."""
    holder = visit.site.bench.claims.holder(place)
    return "" if holder is None or holder == visit.person.name else holder


def _nothing_typed(_name: str) -> str:
    return ""


def picture_of(screen: ItemScreen) -> str:
    """What an image of the page may point to: the picture itself, or our own address of it; never another server."""
    if screen.image.startswith("data:image/"):
        return screen.image
    return "" if "://" in screen.image or not screen.image else "ours"


def place_of(visit: Visit, item: str) -> int | None:
    """Where the item of an address or a form stands."""
    return visit.site.bench.view.place(written(sent(item)))


def editor_of(visit: Visit, place: int) -> SpanEditor | None:
    """The editor of a document's units, as blind as the page that a form was sent from; None of other items."""
    spans = visit.site.bench.gold._as_spans
    blind = visit.form.one("show") not in (WITH_ANSWERS, WITH_NAMES)
    return None if spans is None else SpanEditor(spans, place, blind=blind)


def done_last(visit: Visit) -> Done | None:
    """What an address says that somebody just did; None where it says nothing, or what another did."""
    number = visit.query.one("did")
    row = visit.site.bench.log.by_number(int(number)) if number.isdecimal() and len(number) < LONGEST_NUMBER else None
    return None if row is None or row.by != visit.person.name else what_was_done(visit, row)


def what_was_done(visit: Visit, row: LoggedRow) -> Done | None:
    """What was done, with the answers that were given: blind first, then shown."""
    if row.item is None:
        return None
    place = visit.site.bench.view.place(row.item)
    if place is None:
        return None
    given = _counted(visit, place) if row.act == "decide" and not row.second_look else []
    return {"row": row, "item": read_back(row.item), "answer": read_back(row.after), "given": given}


def _counted(visit: Visit, place: int) -> list[tuple[Any, int]]:
    """The answers to an item and how many gave each, most often first."""
    counts: Counter[Any] = Counter()
    for given in visit.site.bench.view.answers(place):
        counts[given.answer] += given.times
    return counts.most_common()
