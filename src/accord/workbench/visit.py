"""A visit: who asks for which page and with what; and how a page or a change is declared and answered."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeAlias
from urllib.parse import parse_qs, urlencode

from starlette.concurrency import run_in_threadpool
from starlette.requests import ClientDisconnect, Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from accord.errors import AccordError, DecisionError
from accord.workbench.people import Person, Role
from accord.workbench.templating import rendered

if TYPE_CHECKING:
    from accord.workbench.site import Site

LONGEST_KEY = 100
MOST_FIELDS = 10_000  # of a form: a set of labels, a list of spans


@dataclass(frozen=True)
class FormFields:
    """What an address or a form says, each field once or several times."""

    values: Mapping[str, Sequence[str]] = field(default_factory=dict)

    @classmethod
    def of(cls, text: str) -> FormFields:
        """From the text behind a question mark, or of a form."""
        return cls(parse_qs(text, keep_blank_values=True, max_num_fields=MOST_FIELDS, errors="replace"))

    def one(self, name: str, default: str = "") -> str:
        """A field, the last where it stands several times."""
        return self.values.get(name, [default])[-1]

    def all(self, name: str) -> list[str]:
        """Every value of a field, in the order of the form."""
        return list(self.values.get(name, ()))


@dataclass(frozen=True)
class Visit:
    """Somebody who asks for something."""

    site: Site
    person: Person
    path: str
    query: FormFields
    form: FormFields
    form_token: str
    origin: str = ""  # how this server was called: its address as others can use it

    def page(self, template: str, status: int = 200, /, **values: Any) -> Response:
        """A page of a template, with what every page needs."""
        return Response(rendered(template, visit=self, site=self.site, **values), status, media_type="text/html")

    @property
    def among(self) -> str:
        """Which items somebody chose to decide, as the address of a list of items has it; nothing for all."""
        return self.query.one("among") or self.form.one("among")

    @property
    def key(self) -> str:
        """The key of the form that was sent: the same one again is the same act."""
        key = self.form.one("key")
        if not key or len(key) > LONGEST_KEY:
            raise DecisionError("This form has no key of its own. Load the page again, then send it.")
        return key

    @staticmethod
    def fresh_key() -> str:
        """What makes a form one act: sent again, it is not done again."""
        return secrets.token_urlsafe(12)


Answering: TypeAlias = Callable[[Visit], Response]


@dataclass(frozen=True)
class Page:
    """An address that is read, and by whom."""

    path: str
    answer: Answering
    role: Role = "reader"


@dataclass(frozen=True)
class FormAddress:
    """An address that a form is sent to; only a form of our own pages, made for whoever sends it, is taken."""

    path: str
    answer: Answering
    role: Role


RANK: tuple[Role, ...] = ("lead", "adjudicator", "reader")


def route(site: Site, declared: Page | FormAddress) -> Route:
    """A page or a change as the server knows it: the role and the form token are checked before it is asked."""
    changes = isinstance(declared, FormAddress)

    async def endpoint(request: Request) -> Response:
        try:
            body = (await request.body()).decode("utf-8", "replace") if changes else ""
        except ClientDisconnect:
            return Response(status_code=400)  # nobody hears it: whoever sent half a form is gone
        return await run_in_threadpool(_answered, site, declared, request, body)

    return Route(declared.path, endpoint, methods=["POST"] if changes else ["GET"])


def _answered(site: Site, declared: Page | FormAddress, request: Request, body: str) -> Response:
    person: Person = request.state.person
    cookie: str = request.state.cookie
    try:
        query, form = FormFields.of(request.url.query), FormFields.of(body)
    except ValueError:
        return _plainly(site, person, "This form has too many fields.", 413)
    token = site.links.form_token(cookie)
    origin = f"{'https' if site.secure else 'http'}://{request.headers.get('host', '')}"
    visit = Visit(site, person, request.url.path, query, form, token, origin)
    if RANK.index(person.role) > RANK.index(declared.role):
        return problem(visit, f"This is for the {declared.role}, and you are here as {person.role}.", 403)
    sent = form.one("form_token") or request.headers.get("x-form-token", "")
    if isinstance(declared, FormAddress) and not site.links.knows_form(cookie, sent):
        return problem(visit, "This form is not from a page of yours. Load the page again, then send it.", 403)
    try:
        with site.bench.study_lock.shared():  # the items of a request stay what they are until it is answered
            return declared.answer(visit)
    except AccordError as error:
        return problem(visit, site.public_words(error), 409 if isinstance(declared, FormAddress) else 400)


def _plainly(site: Site, person: Person, words: str, status: int) -> Response:
    return problem(Visit(site, person, "", FormFields(), FormFields(), ""), words, status)


def problem(visit: Visit, words: str, status: int) -> Response:
    """A page that says what went wrong, with the way back to the item that it is about."""
    return visit.page("problem.html.j2", status, words=words, item=visit.form.one("item"))


def to(path: str, **query: str) -> Response:
    """After a change: the page to read next."""
    return RedirectResponse(f"{path}?{urlencode(query)}" if query else path, 303)
