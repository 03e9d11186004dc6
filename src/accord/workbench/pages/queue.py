"""The queue: one item a screen, decided, skipped, commented or taken back."""

from __future__ import annotations

import json
import mimetypes
import time
from typing import Any

import numpy as np
from starlette.responses import FileResponse, Response

from accord.annotations.arrays import BoolArray
from accord.errors import DecisionError
from accord.workbench.bench_options import Note
from accord.workbench.controls import CONTROLS
from accord.workbench.pages.one_item import LONGEST_NUMBER, done_last, editor_of, item_page, place_of, what_was_done
from accord.workbench.visit import FormFields, Visit, problem, to
from accord.workbench.written_answers import read_back

LONGEST_COMMENT = 4000  # characters
LONGEST_WAIT = 3600.0  # seconds on one screen; whoever took longer was away
PICTURES = ("image/png", "image/jpeg", "image/gif", "image/webp", "image/avif", "image/bmp")


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
            return visit.page("queue_done.html.j2", progress=bench.progress(), last=done_last(visit))
        place = found
    return item_page(visit, place, visit.query.one("show"), did=done_last(visit))


def _among(visit: Visit) -> BoolArray | None:
    """(items,): those that somebody chose to decide; None for all."""
    if not visit.among:
        return None
    from accord.workbench.pages.report import query_of_fields  # what finds items loads when somebody chooses some

    query, named = query_of_fields(FormFields.of(visit.among), visit.person)
    chosen = np.zeros(len(visit.site.bench.study.items), dtype=np.bool_)
    chosen[visit.site.reports.of(named=named).index(query).find(query)] = True
    return chosen


def _onwards(visit: Visit, **query: str) -> Response:
    """To the queue, of the items that somebody chose."""
    return to("/queue", **query, **({"among": visit.among} if visit.among else {}))


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
    """Keep a comment, and stay with the item; with what was made of its units, where it has some."""
    place = _place(visit)
    row = visit.site.bench.comment(place, visit.person, visit.key, _note(visit))
    editor = editor_of(visit, place)
    if editor is not None and visit.form.one("draft"):
        draft = editor.read(visit.form.one("draft"))
        return item_page(visit, place, visit.form.one("show"), draft=draft, did=what_was_done(visit, row))
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
