"""Who may come in: links, cookies, origins, form tokens, hosts, roles, limits; and what every answer carries."""

from __future__ import annotations

import asyncio
import errno
import http.client
import logging
import re
import shutil
import socket
import ssl
import subprocess
import urllib.request
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Any
from unittest import mock
from urllib.parse import urlsplit

import pytest
from h11 import LocalProtocolError

import accord
from accord import serve
from accord.errors import FileError, InputError, OptionError
from accord.workbench import security, server
from accord.workbench.access_links import COOKIE_SECONDS, Links
from accord.workbench.people import Person
from accord.workbench.request_limits import Rate
from accord.workbench.routes import DECLARED
from accord.workbench.security import LARGEST_BODY, Hosts, same_origin
from accord.workbench.server import ServerAddress
from accord.workbench.slow_heads import InTime
from accord.workbench.visit import FormAddress, Page
from tests.workbench.serving import TIMEOUT, Client, contested, everybody, invited, serving

CHANGES = [one for one in DECLARED if isinstance(one, FormAddress)]
PAGES = [one for one in DECLARED if isinstance(one, Page)]


@pytest.fixture(scope="module")
def lead(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Client]:
    with serving(contested(), tmp_path_factory.mktemp("served")) as client:
        yield client


@pytest.fixture(scope="module")
def people(lead: Client) -> dict[str, Client]:
    return everybody(lead)


def test_whoever_has_no_link_sees_no_page(lead: Client) -> None:
    stranger = Client(lead.workbench)
    assert {stranger.get(one.path).status for one in PAGES} == {401}
    assert {stranger.send("POST", one.path, "", Origin=f"http://{lead.host}").status for one in CHANGES} == {401}
    assert stranger.get("/assets/workbench.js").status == 200


def test_the_token_is_in_the_address_once_and_becomes_a_cookie_that_no_script_or_other_site_uses(lead: Client) -> None:
    parts = urlsplit(lead.workbench.url)
    answer = Client(lead.workbench).send("GET", f"{parts.path}?{parts.query}")
    kept = answer.headers["set-cookie"].lower()
    assert "httponly" in kept
    assert "samesite=strict" in kept
    token = parts.query.partition("=")[2]
    assert token not in answer.text
    assert 'content="0;url=/"' in answer.text, "the page leads on to an address without it"
    assert answer.headers["referrer-policy"] == "no-referrer", "and tells nobody where it came from"
    assert lead.get("/").headers["referrer-policy"] == "same-origin"


def test_a_browser_that_comes_from_another_site_is_asked_to_come_again_from_here(lead: Client) -> None:
    """A strict cookie is not sent with the first step from elsewhere: a link in a message works all the same."""
    first = Client(lead.workbench).send("GET", "/queue?item=%22i0%22", Sec_Fetch_Site="cross-site")
    assert first.status == 200
    assert "0;url=/queue?item=%22i0%22" in first.text
    elsewhere = Client(lead.workbench).send("GET", "//evil.example/x", Sec_Fetch_Site="cross-site")
    assert "0;url=/evil.example/x" in elsewhere.text, "never to another server"
    assert Client(lead.workbench).send("GET", "/queue", Sec_Fetch_Site="same-origin").status == 401


def test_a_name_that_somebody_else_turned_to_this_address_is_refused(lead: Client) -> None:
    for path in ("/", "/enter?token=x", "/assets/style.css"):
        assert lead.send("GET", path, Host="evil.example").status == 421
    assert lead.send("GET", "/", Host=f"localhost:{urlsplit(lead.workbench.url).port}").status == 200


def test_the_names_of_a_server_for_others() -> None:
    assert Hosts("0.0.0.0").knows("192.168.1.7:8717")
    assert not Hosts("0.0.0.0").knows("evil.example")
    assert Hosts("0.0.0.0", ("desk.example",)).knows("desk.example:8717")
    assert not Hosts("127.0.0.1").knows("")
    assert not Hosts("127.0.0.1").knows("[:::")


@pytest.mark.parametrize("change", CHANGES, ids=lambda one: one.path)
def test_every_change_checks_origin_form_token_and_role(people: dict[str, Client], change: FormAddress) -> None:
    lead, before = people["lead"], people["lead"].workbench.bench.progress()
    host = lead.host
    assert lead.post(change.path, Origin="http://evil.example").status == 403
    assert lead.post(change.path, Origin="null").status == 403
    assert lead.post(change.path, Sec_Fetch_Site="cross-site").status == 403
    assert lead.send("POST", change.path, "").status == 403, "no origin is no origin of ours"
    assert lead.send("POST", change.path, "", Origin=f"http://{host}").status == 403, "no form token"
    other = people["adjudicator"].form_token()
    assert lead.post(change.path, {"form_token": other}).status == 403, "a token that was made for another"
    assert people["reader"].post(change.path).status == 403
    if change.role == "lead":
        assert people["adjudicator"].post(change.path).status == 403
    assert lead.get(change.path).status in (200, 404, 405), "an address alone changes nothing"
    assert people["lead"].workbench.bench.progress() == before


@pytest.mark.parametrize("page", PAGES, ids=lambda one: one.path)
def test_every_page_is_for_its_roles_and_nobody_else(people: dict[str, Client], page: Page) -> None:
    roles = ("lead", "adjudicator", "reader")
    allowed = {role: people[role].get(page.path).status != 403 for role in roles}
    assert allowed == {role: roles.index(role) <= roles.index(page.role) for role in roles}


def test_every_answer_carries_what_keeps_it_harmless(lead: Client) -> None:
    stranger = Client(lead.workbench)
    answers = [
        lead.get("/"),
        lead.get("/queue", item='"no such item"'),
        lead.get("/nowhere"),
        stranger.get("/"),
        stranger.get("/enter", token="wrong"),
        lead.send("GET", "/", Host="evil.example"),
        lead.send("PUT", "/"),
        lead.get("/assets/workbench.css"),
    ]
    assert [one.status for one in answers] == [200, 404, 404, 401, 403, 421, 405, 200]
    for answer in answers:
        policy = answer.headers["content-security-policy"]
        assert policy.startswith("default-src 'none'")
        assert "unsafe" not in policy
        assert "frame-ancestors 'none'" in policy
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert "server" not in answer.headers
    assert answers[0].headers["cache-control"] == "no-store"


def test_what_is_too_long_is_refused_whether_its_length_is_said_or_not(lead: Client) -> None:
    assert lead.post("/decide", {"comment": "x" * (LARGEST_BODY + 1)}).status == 413
    assert lead.get("/queue", item="x" * 10_000).status == 414
    with socket.create_connection(lead.host.split(":")) as raw:  # type: ignore[arg-type]
        raw.sendall(
            f"POST /decide HTTP/1.1\r\nHost: {lead.host}\r\nOrigin: http://{lead.host}\r\nCookie: {lead.cookie}\r\n"
            "Transfer-Encoding: chunked\r\n\r\n".encode()
        )
        for _ in range(LARGEST_BODY // 60_000 + 3):
            raw.sendall(b"%x\r\n" % 60_000 + b"x" * 60_000 + b"\r\n")
        raw.sendall(b"0\r\n\r\n")
        assert raw.recv(64).startswith(b"HTTP/1.1 413")


@pytest.mark.parametrize("known", [True, False])
def test_a_body_that_never_ends_keeps_no_connection(lead: Client, known: bool) -> None:
    cookie = lead.cookie if known else "nobody=1"
    with (
        mock.patch.object(security, "SLOWEST_BODY", 0.01),
        socket.create_connection(lead.host.split(":")) as raw,  # type: ignore[arg-type]
    ):
        raw.sendall(
            f"POST /decide HTTP/1.1\r\nHost: {lead.host}\r\nOrigin: http://{lead.host}\r\nCookie: {cookie}\r\n"
            "Content-Length: 1000\r\n\r\nitem=".encode()
        )
        answered = b"".join(iter(lambda: raw.recv(4096), b""))
    assert answered.startswith(b"HTTP/1.1 408")


def test_nobody_asks_or_guesses_without_end() -> None:
    now = [0.0]
    rate = Rate(per_second=1, burst=3, clock=lambda: now[0])
    assert [rate.allows("a") for _ in range(4)] == [True, True, True, False]
    assert rate.is_spent("a")
    assert not rate.is_spent("b")
    now[0] = 1.0
    assert rate.allows("a")


def test_links_cannot_be_guessed_one_after_another(tmp_path: Path) -> None:
    with mock.patch.object(server, "GUESSES_PER_SECOND", 0.0), serving(contested(), tmp_path) as lead:
        stranger = Client(lead.workbench)
        statuses = [stranger.get("/enter", token=f"guess {number}").status for number in range(22)]
        assert statuses == [403] * 20 + [429] * 2
        assert lead.get("/").status == 200, "whoever is in stays in"


def test_a_link_that_was_withdrawn_lets_nobody_in(lead: Client) -> None:
    eve = invited(lead, "eve", "reader")
    assert eve.get("/").status == 200
    assert lead.follow(lead.post("/people/withdraw", {"name": "eve"})).status == 200
    assert eve.get("/").status == 401
    again = invited(lead, "eve", "adjudicator")
    assert again.get("/queue").status == 200
    assert eve.get("/").status == 401


def test_a_link_of_this_run_ends_when_its_person_is_given_another(tmp_path: Path) -> None:
    links = Links(tmp_path / "people.json")
    ana = Person("ana", "lead")
    links.invite(ana)
    links.invite(Person("ben", "lead"))
    token = links.link_of_this_run(ana)
    assert links.with_token(token) == ana
    links.invite(Person("ana", "reader"))
    assert links.with_token(token) is None


def test_what_a_browser_is_started_with_works_once(tmp_path: Path) -> None:
    """Others with an account on this machine can see it in the list of processes."""
    with mock.patch("webbrowser.open") as opened, serving(contested(), tmp_path, open_browser=True) as lead:
        address = urlsplit(opened.call_args.args[0])
        assert address.query != urlsplit(lead.workbench.url).query
        answers = [Client(lead.workbench).send("GET", f"/enter?{address.query}") for _ in range(2)]
    assert [one.status for one in answers] == [200, 403]
    assert address.path == "/enter"


def test_a_link_that_could_not_be_kept_was_not_given(tmp_path: Path) -> None:
    links = Links(tmp_path / "people.json")
    token = links.invite(Person("ana", "lead"))
    with mock.patch.object(Path, "write_text", side_effect=OSError(errno.ENOSPC, "no room")):
        with pytest.raises(InputError, match="cannot be written"):
            links.invite(Person("ben", "reader"))
        with pytest.raises(InputError, match="cannot be written"):
            links.invite(Person("ana", "lead"))
    assert [one.person.name for one in links.everybody] == ["ana"]
    assert links.with_token(token) == Person("ana", "lead")


def test_somebody_always_leads(lead: Client) -> None:
    refused = lead.post("/people/withdraw", {"name": "lead"})
    assert refused.status == 409
    assert "only one who leads" in refused.text
    assert lead.post("/people/invite", {"name": "lead", "role": "reader"}).status == 409
    assert lead.post("/people/invite", {"name": " ", "role": "reader"}).status == 409
    assert lead.post("/people/invite", {"name": "fay", "role": "king"}).status == 409
    assert lead.get("/").status == 200


def test_a_cookie_is_signed_ends_and_belongs_to_one_file(tmp_path: Path) -> None:
    now = [0.0]
    links, other = Links(tmp_path / "a.json", lambda: now[0]), Links(tmp_path / "b.json", lambda: now[0])
    ana = Person("ana", "lead")
    token = links.invite(ana)
    other.invite(ana)
    cookie = links.cookie(ana)
    assert links.with_token(token) == links.with_cookie(cookie) == ana
    assert other.with_cookie(cookie) is None
    assert links.with_cookie(cookie[:-1] + ("0" if cookie[-1] != "0" else "1")) is None
    assert links.with_cookie("") is links.with_cookie("x.y.z") is links.with_token("") is None
    assert Links(tmp_path / "a.json", lambda: now[0]).with_cookie(cookie) == ana, "it outlives the server"
    assert (tmp_path / "a.json").stat().st_mode & 0o077 == 0
    assert token not in (tmp_path / "a.json").read_text()
    now[0] = COOKIE_SECONDS + 1
    assert links.with_cookie(cookie) is None


def test_a_link_of_a_new_run_leaves_cookies_of_the_last_one_good(tmp_path: Path) -> None:
    with serving(contested(), tmp_path) as first:
        cookie, url = first.cookie, first.workbench.url
    with serving(contested(), tmp_path) as second:
        assert second.workbench.url.partition("token=")[2] != url.partition("token=")[2]
        assert Client(second.workbench, cookie).get("/").status == 200


def test_a_list_of_people_that_is_none_is_said_and_kept(tmp_path: Path) -> None:
    file = tmp_path / "people.json"
    file.write_text('{"secret": 3}')
    with pytest.raises(FileError, match="no list of people"):
        Links(file)
    assert file.read_text() == '{"secret": 3}'


def test_origins() -> None:
    def asked(secure: bool = False, **headers: str) -> bool:
        return same_origin(
            {"host": "desk:1", **{name.replace("_", "-"): text for name, text in headers.items()}}, secure=secure
        )

    assert asked(origin="http://desk:1")
    assert asked(origin="https://desk:1", secure=True)
    assert not asked(origin="http://desk:1", secure=True)
    assert not asked(origin="http://desk:2")
    assert not asked(origin="http://desk:1", sec_fetch_site="same-site")
    assert not asked()
    assert not asked(origin="http://[")


def test_an_origin_that_is_no_address_is_refused_without_a_word_on_the_terminal(
    lead: Client, capfd: pytest.CaptureFixture[str]
) -> None:
    for origin in ("http://[", "//[::1", "http://\u2100".encode().decode("latin-1")):
        assert lead.send("POST", "/skip", "", Origin=origin).status == 403
        assert Client(lead.workbench).send("POST", "/skip", "", Origin=origin).status == 403
    assert capfd.readouterr().err == ""


@pytest.mark.parametrize("said", [b"", b"GET / HTTP/1.1\r\nHost: 127.0", b"G"])
def test_a_connection_that_does_not_say_what_it_wants_is_closed(lead: Client, said: bytes) -> None:
    parts = urlsplit(lead.workbench.url)
    with (
        mock.patch.object(InTime, "seconds", 0.05),
        socket.create_connection((str(parts.hostname), int(parts.port or 0)), timeout=TIMEOUT) as held,
    ):
        with suppress(ConnectionError):  # it may be closed before anything is said
            held.sendall(said)
        assert closed(held)
    assert lead.get("/").status == 200


BROKEN = {
    "half a form": b"Content-Length: 100\r\n\r\nitem=1",
    "no length of a piece": b"Transfer-Encoding: chunked\r\n\r\nzz\r\n",
    "half a piece": b"Transfer-Encoding: chunked\r\n\r\n5\r\nab",
    "nothing after all": b"Expect: 100-continue\r\nContent-Length: 100\r\n\r\n",
}


@pytest.mark.parametrize("rest", BROKEN)
def test_whoever_leaves_in_the_middle_of_a_form_leaves_no_trace(
    lead: Client, rest: str, caplog: pytest.LogCaptureFixture
) -> None:
    head = f"POST /decide HTTP/1.1\r\nHost: {lead.host}\r\nCookie: {lead.cookie}\r\nOrigin: http://{lead.host}\r\n"
    parts = urlsplit(lead.workbench.url)
    logger = logging.getLogger("uvicorn.error")  # which prints what it is told
    logger.addHandler(caplog.handler)
    try:
        with socket.create_connection((str(parts.hostname), int(parts.port or 0)), timeout=TIMEOUT) as held:
            held.sendall(head.encode() + BROKEN[rest])
            held.shutdown(socket.SHUT_WR)
            while held.recv(4096):
                pass
        assert lead.get("/").status == 200  # by then the other was answered
    finally:
        logger.removeHandler(caplog.handler)
    assert not caplog.records


def test_an_answer_that_cannot_be_told_any_more_ends_its_connection_alone(caplog: pytest.LogCaptureFixture) -> None:
    async def sent(_message: Any) -> None:
        raise LocalProtocolError("Can't send data when our state is ERROR")

    async def answered() -> None:
        await security._with_headers(sent)({"type": "http.response.body", "body": b""})

    asyncio.run(answered())
    one = type("One", (InTime, Failing), {"waiting": Counter()})()
    one.transport = mock.Mock()
    one.data_received(b"x")
    one.transport.close.assert_called_once()
    assert not caplog.records


class Failing(asyncio.Protocol):
    """A protocol that has said something else already."""

    def data_received(self, data: bytes) -> None:
        raise LocalProtocolError("Too much data for declared Content-Length")


def test_a_connection_is_used_again_and_again_and_closed_when_it_says_half_a_thing(lead: Client) -> None:
    connection = http.client.HTTPConnection(lead.host, timeout=TIMEOUT)
    connection.connect()
    ours = connection.sock
    for _ in range(3):
        connection.request("GET", "/live", headers={"Cookie": lead.cookie})
        with connection.getresponse() as answer:
            answer.read()
    assert connection.sock is ours
    with mock.patch.object(InTime, "seconds", 0.05):
        ours.sendall(b"GET /li")
        assert closed(ours)
    connection.close()


def test_nobody_has_many_connections_that_say_nothing(tmp_path: Path) -> None:
    with serving(contested(), tmp_path) as lead, ExitStack() as held, mock.patch.object(InTime, "most_waiting", 3):
        parts = urlsplit(lead.workbench.url)
        where = (str(parts.hostname), int(parts.port or 0))
        several = [held.enter_context(socket.create_connection(where, timeout=TIMEOUT)) for _ in range(4)]
        assert closed(several[3]), "the fourth is one too many"
        several[0].sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
        answer = several[0].recv(20)
        assert answer.startswith(b"HTTP/1.1 401")
        assert lead.get("/").status == 200, "one has spoken, so that there is room for another"


def test_whoever_is_unknown_keeps_no_connection(lead: Client) -> None:
    assert Client(lead.workbench).get("/").headers["connection"] == "close"
    assert "connection" not in lead.get("/").headers


def closed(held: socket.socket) -> bool:
    """Wait until the other side closes a connection without a word."""
    try:
        return held.recv(1) == b""
    except ConnectionError:
        return True


def test_no_page_tells_a_folder_of_the_server(lead: Client, tmp_path_factory: pytest.TempPathFactory) -> None:
    folder = str(lead.workbench.bench.log.path.parent)
    pages = [lead.get(one.path) for one in PAGES] + [lead.get("/queue", item="{"), lead.post("/decide", {"item": "1"})]
    assert not [one.text for one in pages if folder in one.text or str(Path.cwd()) in one.text]


def test_an_export_that_cannot_be_read_again_tells_no_folder(tmp_path: Path) -> None:
    folder = tmp_path / "secret place"
    folder.mkdir()
    (folder / "export.csv").write_text("item,annotator,label\n1,a,x\n1,b,y\n", "utf-8")
    study = accord.read(folder / "export.csv")
    with serving(study, tmp_path, watch=folder / "export.csv") as lead:
        watch = lead.workbench.watch
        assert watch is not None
        watch.close()
        (folder / "export.csv").write_text("nonsense\n", "utf-8")
        watch.look()
        watch.look()
        page = lead.get("/").text
    assert "cannot be taken" in page
    assert "export.csv" in page
    assert "secret place" not in page


def test_only_this_machine_unless_it_is_said_and_then_the_risk(tmp_path: Path) -> None:
    assert ServerAddress().risk == ""
    assert "nothing is encrypted" in ServerAddress("0.0.0.0").risk
    assert ServerAddress("0.0.0.0", certificate=tmp_path, key=tmp_path).risk == ""
    with pytest.raises(OptionError, match="takes both certificate and key"):
        ServerAddress(certificate=tmp_path)
    with pytest.raises(OptionError, match="at most 65535"):
        ServerAddress(port=70_000)


def test_a_port_that_is_taken_is_said_with_the_way_out(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(InputError, match=r"Nothing can listen on 127\.0\.0\.1"):
            serve(contested(), decisions=tmp_path / "study.sqlite", port=port, open_browser=False)
    with serving(contested(), tmp_path):  # and the file of decisions was let go
        pass


@pytest.mark.parametrize("host", ["192.0.2.1", "nobody.invalid", "a..b", "\ud83d"])
def test_an_address_of_no_machine_is_said(host: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=rf"Nothing can listen on {re.escape(host)}: .*no address of this machine"):
        serve(contested(), decisions=tmp_path / "study.sqlite", host=host, open_browser=False)


def test_a_folder_of_pictures_that_is_not_there_is_said(tmp_path: Path) -> None:
    with pytest.raises(FileError, match="no such folder of pictures"):
        serve(contested(), decisions=tmp_path / "study.sqlite", images=tmp_path / "none", open_browser=False)


def test_tls(tmp_path: Path) -> None:
    openssl = shutil.which("openssl")
    if openssl is None:
        pytest.skip("openssl makes the certificate")
    certificate, key = tmp_path / "cert.pem", tmp_path / "key.pem"
    subprocess.run(
        [openssl, "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
         "-subj", "/CN=localhost", "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", key, "-out", certificate],
        check=True, capture_output=True,
    )  # fmt: skip
    trusting = ssl.create_default_context(cafile=str(certificate))
    options: dict[str, Any] = {"port": 0, "open_browser": False, "certificate": certificate, "key": key}
    with serve(contested(), decisions=tmp_path / "a.sqlite", **options) as workbench:
        assert workbench.url.startswith("https://127.0.0.1:")
        with urllib.request.urlopen(workbench.url, context=trusting) as answer:
            assert answer.status == 200
            assert "; secure" in answer.headers["set-cookie"].lower()
    with pytest.raises(FileError, match="cannot be used"):
        serve(contested(), decisions=tmp_path / "b.sqlite", **{**options, "certificate": key, "key": certificate})
