"""What every request has to pass before a page sees it, and what every answer carries.

A server on one's own machine is reached by every page that its browser shows. So: the Host header is one that we are
known by (a name that somebody else turned to this address is not), a cookie or a link's token says who is asking, a
change comes from a page of ours (origin) that was made for this person (form token), and nobody asks too much.
"""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from ipaddress import ip_address
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from h11 import LocalProtocolError
from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.requests import cookie_parser
from starlette.responses import PlainTextResponse, Response

from accord.workbench.access_links import COOKIE_SECONDS, Links
from accord.workbench.people import Person
from accord.workbench.request_limits import Rate

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
ON_EVERY_ANSWER = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "same-origin",  # without one, browsers would not tell the origin of a form
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "cache-control": "no-store",
}
LOOPBACK = ("127.0.0.1", "localhost", "::1")
ANY_ADDRESS = ("0.0.0.0", "::", "")
LARGEST_BODY = 256 * 1024  # bytes: a decision with a long comment, or the spans of a long text
MOST_HEARD = 16 * LARGEST_BODY  # of what is refused
LONGEST_ADDRESS = 8 * 1024
TOO_MUCH = "That is too much at once."
SLOWEST_BODY = 60.0  # seconds that a body may take
TOO_SLOW = "That took too long."
CLOSED = {"connection": "close"}  # what comes of it later is no request
CHANGING = ("POST",)
READING = ("GET", "HEAD")
OPEN_TO_ALL = ("/enter", "/assets/")  # where a link's token is looked at, and what tells nothing


@dataclass(frozen=True)
class Hosts:
    """The names that this server is known by.

    Args:
        host: The address that it listens on.
        also: Names that others may use for it besides: of a tunnel, of a proxy.

    >>> Hosts("127.0.0.1").knows("localhost:8000"), Hosts("127.0.0.1").knows("evil.example:8000")
    (True, False)
    """

    host: str
    also: tuple[str, ...] = ()

    def knows(self, header: str) -> bool:
        """Is it one of ours that a Host header names? An address in numbers cannot be turned to us by others."""
        try:
            name = (urlsplit(f"//{header}").hostname or "").lower()
        except ValueError:
            return False
        if name in (*LOOPBACK, self.host.lower(), *(one.lower() for one in self.also)):
            return bool(name)
        return self.host in ANY_ADDRESS and (_is_number(name) or name == socket.gethostname().lower())


def _is_number(name: str) -> bool:
    try:
        ip_address(name)
    except ValueError:
        return False
    return True


def is_loopback(host: str) -> bool:
    """Does an address lead nowhere but to this machine?

    >>> is_loopback("localhost"), is_loopback("127.0.0.3"), is_loopback("0.0.0.0")
    (True, True, False)
    """
    return host.lower() == "localhost" or (_is_number(host) and ip_address(host).is_loopback)


def same_origin(headers: Mapping[str, str], *, secure: bool) -> bool:
    """Does a change come from a page of this server? Browsers say so; what says nothing is refused."""
    site = headers.get("sec-fetch-site")
    if site is not None and site not in ("same-origin", "none"):
        return False
    try:
        origin = urlsplit(headers.get("origin", ""))
    except ValueError:  # a bracket that is never closed
        return False
    if secure and origin.scheme != "https":
        return False
    return bool(origin.netloc) and origin.netloc.lower() == headers.get("host", "").lower()


@dataclass
class Guard:
    """The door before all pages; what passes has a `person` in its state, or leads to where a link is looked at."""

    app: ASGIApp
    links: Links
    hosts: Hosts
    secure: bool
    refused: ASGIApp  # the page for those whom nobody knows
    guesses: Rate  # of links that do not exist
    rate: Rate = field(default_factory=lambda: Rate(per_second=100, burst=400))

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or hand it on."""
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
            return
        if scope["type"] != "http":
            await send({"type": "websocket.close", "code": 1008})
            return
        headers = Headers(scope=scope)
        cookie = cookie_parser(headers.get("cookie", "")).get(self.links.cookie_name, "")
        person = self.links.with_cookie(cookie) if cookie else None
        state = scope.setdefault("state", {})
        state["person"], state["cookie"] = person, cookie
        answer: ASGIApp | None = self._refusal(scope, headers, person)
        if answer is None and person is None and not scope["path"].startswith(OPEN_TO_ALL):
            answer = self.refused
        if answer is None:
            await self._handed_on(scope, receive, send)
        else:
            try:
                await _drained(_in_time(receive))
            except TimeoutError:
                answer = _too_slow()
            await answer(scope, receive, _with_headers(send, CLOSED if person is None else None))

    def _refusal(self, scope: Scope, headers: Headers, person: Person | None) -> Response | None:
        """Why a request is not answered at all; None where it is."""
        caller = f"by {person.name}" if person is not None else _address(scope)
        if not self.hosts.knows(headers.get("host", "")):
            return _plain("This server is not known by that name.", 421)
        if len(scope["raw_path"]) + len(scope["query_string"]) > LONGEST_ADDRESS:
            return _plain("The address is too long.", 414)
        if not self.rate.allows(caller) or (person is None and self.guesses.is_spent(_address(scope))):
            return _plain("Too many requests. Wait a moment.", 429, {"retry-after": "1"})
        if scope["method"] not in (*CHANGING, *READING):
            return _plain("Pages are read, and forms are sent.", 405, {"allow": ", ".join((*READING, *CHANGING))})
        if _length(headers) > LARGEST_BODY:
            return _plain(TOO_MUCH, 413)
        if scope["method"] in CHANGING and not same_origin(headers, secure=self.secure):
            return _plain("A change has to come from a page of this server.", 403)
        return None

    async def _handed_on(self, scope: Scope, receive: Receive, send: Send) -> None:
        """To the pages, with no more of the body than we take (its length need not be said, nor be true)."""
        taken, heard = 0, _in_time(receive)

        async def receive_some() -> Message:
            nonlocal taken
            try:
                message = await heard()
                taken += len(message.get("body", b""))
                if taken > LARGEST_BODY and message.get("more_body", False):
                    await _drained(heard)
            except TimeoutError:
                raise HTTPException(408, TOO_SLOW, CLOSED) from None
            if taken > LARGEST_BODY:
                raise HTTPException(413, TOO_MUCH)
            return message

        await self.app(scope, receive_some, _with_headers(send))


def _in_time(receive: Receive) -> Receive:
    """A body comes within a while or not at all: whoever sends a letter a minute keeps no connection."""
    until, whole = asyncio.get_running_loop().time() + SLOWEST_BODY, False

    async def heard() -> Message:
        nonlocal whole
        if whole:  # what comes then is that somebody went away, whenever they do
            return await receive()
        async with asyncio.timeout_at(until):
            message = await receive()
        whole = not message.get("more_body", False)
        return message

    return heard


def _too_slow() -> Response:
    return _plain(TOO_SLOW, 408, CLOSED)


async def _drained(receive: Receive) -> None:
    """Hear out what is refused, within reason: whoever is cut off while speaking does not hear the answer."""
    left, more = MOST_HEARD, True
    while more and left > 0:
        message = await receive()
        left -= len(message.get("body", b""))
        more = bool(message.get("more_body", False))


def _with_headers(send: Send, more: Mapping[str, str] | None = None) -> Send:
    """What every answer carries, unless the page says something of its own; nobody unknown keeps a connection."""

    async def sent(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in {**ON_EVERY_ANSWER, **(more or {})}.items():
                headers.setdefault(name, value)
        with suppress(LocalProtocolError):  # they said what is no request meanwhile, and their connection is closed
            await send(message)

    return sent


def _plain(words: str, status: int, headers: Mapping[str, str] | None = None) -> Response:
    return PlainTextResponse(words, status, headers)


def _address(scope: Scope) -> str:
    client = scope.get("client")
    return f"from {client[0] if client else 'nowhere'}"


def _length(headers: Headers) -> int:
    content_length = headers.get("content-length", "0")
    return int(content_length) if content_length.isdecimal() and len(content_length) < 20 else LARGEST_BODY + 1


def set_cookie(answer: Response, links: Links, person: Person, *, secure: bool) -> None:
    """Let a browser keep who it is for: no script reads it, no other site sends it along."""
    answer.set_cookie(
        links.cookie_name,
        links.cookie(person),
        max_age=COOKIE_SECONDS,
        httponly=True,
        samesite="strict",
        secure=secure,
    )
