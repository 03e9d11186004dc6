"""The queue: one item a screen, decided, skipped, commented or taken back."""

from __future__ import annotations

import json
import mimetypes
import time
from collections import Counter
from typing import Any

import numpy as np
from starlette.responses import FileResponse, Response

from accord.annotations.arrays import BoolArray
from accord.consensus.spans.span_gold import SpanGold
from accord.errors import DecisionError
from accord.workbench.bench_options import Note
from accord.workbench.controls import CONTROLS, choices, sent
from accord.workbench.screens import ItemScreen
from accord.workbench.span_editor import Draft
from accord.workbench.span_screen import span_screen
from accord.workbench.visit import Fields, Visit, problem, to
from accord.workbench.written_answers import read_back, written

LONGEST_COMMENT = 4000  # characters
LONGEST_WAIT = 3600.0  # seconds on one screen; whoever took longer was away
LONGEST_NUMBER = 19  # digits, from which on it is no row's
LONG_TEXT = 600  # characters, from which on letters are smaller
PICTURES = ("image/png", "image/jpeg", "image/gif", "image/webp", "image/avif", "image/bmp")
ASKED, NAMED = "answers", "names"  # what is shown of the answers on request


def show(visit: Visit) -> Response:
    """The next item, or the one that the address names; blind until the answers are asked for."""
    bench = visit.site.bench
    if "item" in visit.query.values:
        place = place_of(visit, visit.query.one("item"))
        if place is None:
            return problem(visit, "The study has no such item.", 404)
    else:
        found = bench.next_item(visit.person, _among(visit))
        if found is None:
            return visit.page("queue_done.html.j2", progress=bench.progress(), last=_last(visit))
        place = found
    return item_page(visit, place, visit.query.one("show"))


def _among(visit: Visit) -> BoolArray | None:
    """(items,): those that somebody chose to decide; None for all."""
    if not visit.among:
        return None
    from accord.workbench.pages.report import asked_in  # what finds items loads when somebody chooses some

    asked, named = asked_in(Fields.of(visit.among), visit.person)
    chosen = np.zeros(len(visit.site.bench.study.items), dtype=np.bool_)
    chosen[visit.site.reports.of(named=named).index(asked).find(asked)] = True
    return chosen


def _onwards(visit: Visit, **query: str) -> Response:
    """To the queue, of the items that somebody chose."""
    return to("/queue", **query, **({"among": visit.among} if visit.among else {}))


def item_page(visit: Visit, place: int, asked: str, *, draft: Draft | None = None, told: str = "") -> Response:
    """The screen of an item; of a document, with a draft of its units and what could not be done to it.

    What somebody has typed beside a draft comes with its form, and stays.
    """
    typed = visit.form.one if draft is not None else _nothing_typed
    bench = visit.site.bench
    screen = bench.screen(place, visit.person, shown=asked in (ASKED, NAMED), names=asked == NAMED)
    gold = bench.gold
    return visit.page(
        "queue.html.j2",
        screen=screen,
        control=CONTROLS[screen.kind],
        choices=choices(screen.labels),
        form_item=json.dumps(screen.item),
        among={"among": visit.among} if visit.among else {},
        elsewhere=screen.image if screen.image.startswith(("http://", "https://")) else "",
        since=typed("since") or f"{time.time():.6f}",  # two decimals may lie ahead of a quick answer
        typed=typed,
        seen=visit.form.one("seen") or bench.standing.number[place],  # a draft goes on from where it began
        reasons=bench.reasons,
        progress=bench.progress(),
        last=_last(visit),
        long_text=len(screen.text) > LONG_TEXT,
        picture=picture_of(screen),
        named=asked == NAMED,
        differs=visit.person.leads and place in bench.second_looks.differ,
        standing=None if screen.stands is None else read_back(screen.stands.answer),
        asked=asked if asked in (ASKED, NAMED) else "",
        spans=span_screen(gold, place, screen, draft) if isinstance(gold, SpanGold) else None,
        told=told,
    )


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


def decide(visit: Visit) -> Response:
    """Keep a decision, and go on to the next item."""
    bench, place = visit.site.bench, _place(visit)
    second = bench.second_looks.wants(place, visit.person.name)
    answer: Any
    if "majority" in visit.form.values:
        answer = bench.as_majority(place)
    else:
        answer = CONTROLS[bench.study.kind].read(visit.form)
    row = bench.decide(place, answer, visit.person, visit.key, note=_note(visit), second_look=second, seen=_seen(visit))
    return _onwards(visit, did=str(row.number))


def skip(visit: Visit) -> Response:
    """Leave an item for later."""
    row = visit.site.bench.skip(_place(visit), visit.person, visit.key, note=_note(visit))
    return _onwards(visit, did=str(row.number))


def comment(visit: Visit) -> Response:
    """Keep a comment, and stay with the item."""
    row = visit.site.bench.comment(_place(visit), visit.person, visit.key, _note(visit))
    return _onwards(visit, item=visit.form.one("item"), did=str(row.number))


def undo(visit: Visit) -> Response:
    """Take the last step back, and show the item that it was about."""
    row = visit.site.bench.undo(visit.person, visit.key)
    if row is None or row.item is None:
        return problem(visit, "There is nothing of yours to take back.", 409)
    return _onwards(visit, item=json.dumps(read_back(row.item)), did=str(row.number))


def picture(visit: Visit) -> Response:
    """The picture of an item, from the folder that pictures lie in and from nowhere else."""
    place = place_of(visit, visit.query.one("item"))
    folder = visit.site.images
    if place is None or folder is None:
        return problem(visit, "There is no such picture.", 404)
    inside = folder.resolve()
    try:
        file = (inside / visit.site.bench.view.image(place)).resolve()
        there = file.is_relative_to(inside) and file.is_file()
    except (OSError, ValueError, RuntimeError):  # a name that no file can have, a link that leads to itself
        return problem(visit, "There is no such picture.", 404)
    kind = mimetypes.guess_type(file.name)[0]
    if not there or kind not in PICTURES:
        return problem(visit, "There is no such picture.", 404)
    return FileResponse(file, media_type=kind)


def _place(visit: Visit) -> int:
    place = place_of(visit, visit.form.one("item", "null"))
    if place is None:
        raise DecisionError("The study no longer has this item: its file has changed. Go on with the next.")
    return place


def _seen(visit: Visit) -> int | None:
    """The row that stood when the page was made; None where the form does not say."""
    number = visit.form.one("seen")
    return int(number) if number.isdecimal() and len(number) < LONGEST_NUMBER else None


def _note(visit: Visit) -> Note:
    """What was said beside a decision; how long it took is what the page says, within reason."""
    form = visit.form
    words = form.one("comment").strip()
    if len(words) > LONGEST_COMMENT:
        raise DecisionError(
            f"A comment has at most {LONGEST_COMMENT:,} characters; this one has {len(words):,}. Shorten it."
        )
    try:
        taken = time.time() - float(form.one("since"))
    except ValueError:
        taken = -1.0
    seconds = round(taken, 2) if 0 <= taken <= LONGEST_WAIT else None
    return Note(form.one("reason"), words, unclear="unclear" in form.values, seconds=seconds)


def _last(visit: Visit) -> dict[str, Any] | None:
    """What somebody just did, with the answers that were given: blind first, then shown."""
    number = visit.query.one("did")
    row = visit.site.bench.log.by_number(int(number)) if number.isdecimal() and len(number) < LONGEST_NUMBER else None
    if row is None or row.item is None or row.by != visit.person.name:
        return None
    place = visit.site.bench.view.place(row.item)
    if place is None:
        return None
    given = _counted(visit, place) if row.act == "decide" and not row.second_look else []
    answer = read_back(row.after)
    if answer == []:
        answer = CONTROLS[visit.site.bench.study.kind].nothing
    return {"row": row, "item": read_back(row.item), "answer": answer, "given": given}


def _counted(visit: Visit, place: int) -> list[tuple[Any, int]]:
    """The answers to an item and how many gave each, most often first."""
    counts: Counter[Any] = Counter()
    for given in visit.site.bench.view.answers(place):
        counts[given.answer] += given.times
    return counts.most_common()
