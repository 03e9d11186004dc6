"""Who may come in: the links that people are given, and the cookies that they keep."""

from __future__ import annotations

import hashlib
import hmac
import json
import secrets
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from accord.engine.whole_file import whole
from accord.errors import FileError, Message, OptionError, quoted
from accord.workbench.people import Person

TOKEN_BYTES = 24
COOKIE_SECONDS = 30 * 24 * 3600
OWNER_ONLY = 0o600


@dataclass(frozen=True)
class Invited:
    """Somebody who was given a link."""

    person: Person
    link: str = ""  # the hash of its token; nothing where it was withdrawn


class Links:
    """Everybody who was given a link, kept in a file beside the decisions that its owner alone may read.

    Tokens are kept as hashes: a link is told once, when it is made. A cookie says who somebody is, until when, and is
    signed with a key that lies in the file too: it outlives the server, and ends with the link that it came from.

    Args:
        path: The file.
        clock: What tells the time, in seconds.

    Raises:
        FileError: If the file is there and is not such a file.
    """

    def __init__(self, path: Path, clock: Callable[[], float] = time.time) -> None:
        self._path, self._clock, self._lock = path, clock, threading.Lock()
        kept = _read(path)
        self._secret: bytes = bytes.fromhex(kept["secret"]) if kept else secrets.token_bytes(32)
        self._invited: dict[str, Invited] = {one["name"]: _invited(one) for one in kept.get("people", ())}
        self._of_this_run: dict[str, str] = {}  # names by the hash of a token
        self._for_once: dict[str, str] = {}  # the same
        if not kept:
            self._write(self._invited)
        self.cookie_name = f"accord-{hashlib.sha256(self._secret).hexdigest()[:8]}"  # ports share their cookies

    @property
    def everybody(self) -> list[Invited]:
        """All who were given a link, in the order of their names."""
        return sorted(self._invited.values(), key=lambda one: one.person.name)

    def invite(self, person: Person) -> str:
        """Give somebody a link; one that the same name had before no longer works, nor do its cookies.

        Returns:
            The token that the link carries. It is told once: what is kept is its hash.

        Raises:
            OptionError: If nobody who leads would be left.
        """
        token = secrets.token_urlsafe(TOKEN_BYTES)
        with self._lock:
            if not person.leads and self._alone_leads(person.name):
                raise OptionError.must(
                    "role", Message("stay lead, for nobody else than ", quoted(person.name), " leads"), person.role
                )
            self._keep(Invited(person, _hash(token)))
        return token

    def link_of_this_run(self, person: Person) -> str:
        """A token that lets somebody in while this server runs; a link and cookies that they have stay good."""
        known = self._invited.get(person.name)
        if known is None or known.person != person or not known.link:
            return self.invite(person)
        token = secrets.token_urlsafe(TOKEN_BYTES)
        self._of_this_run[_hash(token)] = person.name
        return token

    def link_for_once(self, person: Person) -> str:
        """A token that lets somebody in a single time.

        What a browser is started with, everybody who has an account on this machine can see.
        """
        token = secrets.token_urlsafe(TOKEN_BYTES)
        self._for_once[_hash(token)] = person.name
        return token

    def withdraw(self, name: str) -> None:
        """Take somebody's link back: neither it nor the cookies that came of it let anybody in from now on."""
        with self._lock:
            known = self._invited.get(name)
            if known is None:
                raise OptionError.choice("name", name, self._invited, of_data=True)
            if self._alone_leads(name):
                raise OptionError.must("name", "be somebody else than the only one who leads", name)
            self._keep(Invited(known.person))

    def _alone_leads(self, name: str) -> bool:
        leading = [one.person.name for one in self._invited.values() if one.person.leads and one.link]
        return leading == [name]

    def with_token(self, token: str) -> Person | None:
        """Whose link carries this token, which is used up if it is for once; None where nobody's does."""
        wanted = _hash(token)  # of random bytes: how long it takes to compare hashes tells nothing of the token
        name = self._of_this_run.get(wanted) or self._for_once.pop(wanted, None)
        found = (one for one in self._invited.values() if one.link and (one.link == wanted or one.person.name == name))
        return next((one.person for one in found), None)

    def cookie(self, person: Person) -> str:
        """What a browser keeps: who, until when, and our signature, which the link is part of."""
        until = int(self._clock()) + COOKIE_SECONDS
        payload = f"{person.name.encode().hex()}.{until}"
        return f"{payload}.{self._signed('cookie', payload, self._invited[person.name].link)}"

    def with_cookie(self, cookie: str) -> Person | None:
        """Who a cookie says somebody is; None where it is not ours, is too old, or its link was withdrawn."""
        payload, _, signature = cookie.rpartition(".")
        name, _, until = payload.partition(".")
        try:
            known = self._invited.get(bytes.fromhex(name).decode())
            fresh = int(until) > self._clock()
        except ValueError:
            return None
        if known is None or not known.link or not fresh:
            return None
        return known.person if _same(signature, self._signed("cookie", payload, known.link)) else None

    def form_token(self, cookie: str) -> str:
        """What every form of somebody's pages carries, which no page of another site can know."""
        return self._signed("form", cookie)

    def knows_form(self, cookie: str, token: str) -> bool:
        """Does a form come from a page that was made for this cookie?"""
        return _same(token, self.form_token(cookie))

    def _signed(self, *parts: str) -> str:
        return hmac.new(self._secret, "\n".join(parts).encode(), hashlib.sha256).hexdigest()

    def _keep(self, one: Invited) -> None:
        """Replace the whole list, which other threads may be reading, once it is on the disk."""
        invited = {**self._invited, one.person.name: one}
        self._write(invited)
        self._invited = invited
        self._of_this_run = {link: name for link, name in self._of_this_run.items() if name != one.person.name}
        self._for_once = {link: name for link, name in self._for_once.items() if name != one.person.name}

    def _write(self, invited: Mapping[str, Invited]) -> None:
        people = [{"name": one.person.name, "role": one.person.role, "link": one.link} for one in invited.values()]
        with whole(self._path) as half:
            half.touch(OWNER_ONLY)
            half.write_text(json.dumps({"secret": self._secret.hex(), "people": people}, indent=1), encoding="utf-8")


def _read(path: Path) -> dict[str, Any]:
    """What the file holds; nothing where there is none yet."""
    if not path.exists():
        return {}
    try:
        kept: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        bytes.fromhex(kept["secret"])
        for one in kept["people"]:
            _invited(one)
    except (ValueError, KeyError, TypeError, AttributeError):
        raise FileError(
            path, "This is no list of people who decide. Move it away: new links are made when the server starts."
        ) from None
    return kept


def _invited(kept: dict[str, str]) -> Invited:
    role: Any = kept["role"]
    return Invited(Person(kept["name"], role), kept["link"])


def _hash(token: str) -> str:
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).hexdigest()


def _same(one: str, other: str) -> bool:
    return hmac.compare_digest(one.encode("utf-8", "surrogatepass"), other.encode())
