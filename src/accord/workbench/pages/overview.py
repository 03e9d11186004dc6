"""The overview: how far everybody is, live, and the way to the queue."""

from __future__ import annotations

from typing import Any

from starlette.responses import JSONResponse, Response

from accord.workbench.progress import Progress
from accord.workbench.visit import Visit
from accord.workbench.watching import News


def show(visit: Visit) -> Response:
    """The first page."""
    bench = visit.site.bench
    return visit.page(
        "overview.html.j2",
        progress=bench.progress(),
        study=bench.study,
        n_items=len(bench.study.items),
        news=[in_one_line(one) for one in visit.site.news],
    )


def live(visit: Visit) -> Response:
    """What pages show of everybody's progress, as they ask for it every few seconds."""
    news = visit.site.news
    return JSONResponse(counts(visit.site.bench.progress()) | {"news": in_one_line(news[0]) if news else ""})


def in_one_line(news: News) -> str:
    """A piece of news in a line."""
    return f"{news.at[:16].replace('T', ' ')} UTC: {news.message}"


def counts(progress: Progress) -> dict[str, Any]:
    """The numbers by the names that templates have for them (`data-live`)."""
    found: dict[str, Any] = {
        "done": progress.contested - progress.contested_left,
        "left": progress.contested_left,
        "decided": progress.decided,
        "accepted": progress.accepted,
        "second-looks": progress.second_looks,
    }
    for one in progress.people:
        found |= {f"{one.name}: decided": one.decided, f"{one.name}: skipped": one.skipped}
        found[f"{one.name}: second looks"] = one.second_looks
        found[f"{one.name}: deciding"] = "now" if one.deciding else ""
    return found
