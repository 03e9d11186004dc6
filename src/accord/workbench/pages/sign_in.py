"""The door: a link's token is taken once and becomes a cookie; whoever has neither is told how to get a link."""

from __future__ import annotations

from typing import TYPE_CHECKING

from starlette.requests import Request
from starlette.responses import Response

from accord.workbench.security import set_cookie
from accord.workbench.templating import rendered

if TYPE_CHECKING:
    from starlette.types import Receive, Scope, Send

    from accord.workbench.request_limits import Rate
    from accord.workbench.site import Site


def enter(site: Site, request: Request, guesses: Rate) -> Response:
    """Let somebody in who brings a link.

    The page that sets the cookie leads on by itself: a browser that came here from another site would not send a
    strict cookie along a redirect, but it does along the next step, which is ours.
    """
    person = site.links.with_token(request.query_params.get("token", ""))
    if person is None:
        guesses.allows(f"from {request.client.host if request.client else 'nowhere'}")
        return _page("This link does not work", "It was withdrawn or replaced. Ask the lead for another.", 403)
    answer = _page("Come in", f"Welcome, {person.name}.", 200, "/")
    answer.headers["referrer-policy"] = "no-referrer"  # the address holds the token
    set_cookie(answer, site.links, person, secure=site.secure)
    return answer


async def unknown(scope: Scope, receive: Receive, send: Send) -> None:
    """For those whom nobody knows; a browser that came from another site is asked to come again from here."""
    request = Request(scope)
    if request.method == "GET" and request.headers.get("sec-fetch-site") in ("cross-site", "same-site"):
        address = "/" + request.url.path.lstrip("/\\") + (f"?{request.url.query}" if request.url.query else "")
        answer = _page("One moment", "This page is opened again from here.", 200, address)
    else:
        words = "Open the link that you were given, or that the command printed when it began."
        answer = _page("Who is there?", words, 401)
    await answer(scope, receive, send)


def _page(title: str, words: str, status: int, following: str = "") -> Response:
    html = rendered("door.html.j2", title=title, words=words, next=following)
    return Response(html, status, media_type="text/html")
