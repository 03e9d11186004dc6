"""A workbench that really serves, and a client that speaks to it as a browser does."""

from __future__ import annotations

import html
import http.client
import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any
from unittest import mock
from urllib.parse import urlencode, urlsplit

from accord import Gold, Study, Workbench, gold, serve
from accord.workbench import bench
from accord.workbench.people import Role

TIMEOUT = 30


@dataclass(frozen=True)
class Answer:
    """What the server answered."""

    status: int
    headers: dict[str, str]
    text: str

    def field(self, name: str) -> str:
        """The value of a hidden field of the page."""
        found = re.search(rf'<input type="hidden" name="{name}" value="([^"]*)"', self.text)
        assert found is not None, f"no field {name} in {self.text[:500]}"
        return html.unescape(found[1])

    @property
    def item(self) -> Any:
        return json.loads(self.field("item"))


@dataclass
class Client:
    """Somebody with a cookie, or without."""

    workbench: Workbench
    cookie: str = ""
    token: str = ""

    @property
    def host(self) -> str:
        return urlsplit(self.workbench.url).netloc

    def send(self, method: str, path: str, body: str | None = None, **headers: str) -> Answer:
        connection = http.client.HTTPConnection(self.host, timeout=TIMEOUT)
        given = {"Host": self.host, **{name.replace("_", "-"): text for name, text in headers.items()}}
        if self.cookie:
            given.setdefault("Cookie", self.cookie)
        try:
            connection.request(method, path, body, given)
            got = connection.getresponse()
            return Answer(
                got.status,
                {name.lower(): text for name, text in got.getheaders()},
                got.read().decode("utf-8", "replace"),
            )
        finally:
            connection.close()

    def enter(self, url: str) -> Client:
        """Open a link, and keep the cookie."""
        parts = urlsplit(url)
        answer = self.send("GET", f"{parts.path}?{parts.query}")
        assert answer.status == 200, answer.text
        self.cookie = answer.headers["set-cookie"].partition(";")[0]
        return self

    def get(self, path: str, **query: str) -> Answer:
        """A page; of a report that is still being computed, the whole one."""
        address = f"{path}?{urlencode(query)}" if query else path
        answer = self.send("GET", address)
        while ' data-more="' in answer.text:  # each try waits a while at the server
            answer = self.send("GET", address)
        return answer

    def form_token(self) -> str:
        """What every page of theirs carries, the same as long as the cookie is."""
        if not self.token:
            found = re.search(r'<meta name="form-token" content="(\w+)">', self.get("/").text)
            assert found is not None
            self.token = found[1]
        return self.token

    def post(self, path: str, fields: Any = (), **headers: str) -> Answer:
        """Send a form as a browser sends one of our own pages; what it leads to is not followed."""
        sent = {"Content-Type": "application/x-www-form-urlencoded", "Origin": f"http://{self.host}", **headers}
        pairs = list(fields.items()) if isinstance(fields, dict) else list(fields)
        if "form_token" not in dict(pairs):
            pairs.append(("form_token", self.form_token()))
        return self.send("POST", path, urlencode([(name, text) for name, text in pairs if text is not None]), **sent)

    def on_screen(self, path: str, *fields: tuple[str, str], **query: str) -> Answer:
        """Send the form of the next item's page, or of one that is asked for, and follow it."""
        page = self.get("/queue", **query)
        hidden = [(name, page.field(name)) for name in ("form_token", "item", "key", "seen", "since")]
        return self.follow(self.post(path, [*hidden, *fields]))

    def follow(self, answer: Answer) -> Answer:
        return self.get(answer.headers["location"]) if answer.status == 303 else answer


@contextmanager
def serving(study: Study, folder: Path, **options: Any) -> Iterator[Client]:
    """A lead at the workbench of a study, whose model is fitted once for all tests that open it."""
    chosen: dict[str, Any] = {"port": 0, "open_browser": False, "name": "lead", "decisions": folder / "study.sqlite"}
    with mock.patch.object(bench, "gold_of", _fitted_once):
        workbench = serve(study, **{**chosen, **options})
    with workbench:
        yield Client(workbench).enter(workbench.url)


@cache
def _fitted_once(study: Study) -> Gold:
    return gold(study)


def invited(lead: Client, name: str, role: Role) -> Client:
    """Somebody else, by a link that the lead gives them."""
    page = lead.post("/people/invite", {"name": name, "role": role})
    found = re.search(r'value="(http[^"]+/enter\?token=[^"]+)"', page.text)
    assert found is not None, page.text
    return Client(lead.workbench).enter(html.unescape(found[1]))


def everybody(lead: Client) -> dict[str, Client]:
    """One person of each role."""
    return {"lead": lead, "adjudicator": invited(lead, "adj", "adjudicator"), "reader": invited(lead, "rea", "reader")}


@cache
def contested() -> Study:
    """Twelve items with texts, four of them contested, one without a majority."""
    rows = []
    for item in range(12):
        for who, name in enumerate(("ana", "ben", "cyd", "dee")):
            label = "yes" if item % 2 else "no"
            if item % 3 == 0 and name == "dee":
                label = "maybe"
            if item == 5 and who >= 2:
                label = "maybe"
            rows.append((f"i{item}", name, label, f"What somebody wrote as number {item}."))
    columns = ("item", "annotator", "label", "text")
    return Study(dict(zip(columns, map(list, zip(*rows, strict=True)), strict=True)), text="text")
