"""The server: pages and changes put together behind the guard, and a process of uvicorn that speaks for them."""

from __future__ import annotations

import errno
import socket
import ssl
import threading
import webbrowser
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from importlib.util import find_spec
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self, Unpack

from accord.errors import (
    ExtraMissing,
    FileError,
    InputError,
    Keyword,
    MayBeNames,
    OptionError,
    remedy,
)
from accord.options import check_whole
from accord.study.study_of_input import Roles, as_study
from accord.workbench.access_links import Links
from accord.workbench.bench import Bench
from accord.workbench.bench_options import BenchOptions
from accord.workbench.file_holder import Holder
from accord.workbench.freed_memory import given_back
from accord.workbench.people import Person
from accord.workbench.queue_order import OrderBy
from accord.workbench.second_look import SHARE
from accord.workbench.watching import Watch, Watched

if TYPE_CHECKING:
    import uvicorn
    from starlette.types import ASGIApp

    from accord.workbench.site import Site

LOOPBACK = "127.0.0.1"
USUAL_PORT = 8717  # where it is free: an address that can be kept
HIGHEST_PORT = 65535
WAITING = 512  # connections that wait to be taken
MOST_CONNECTIONS = 800  # at once: six of each of a hundred browsers, and some to spare; more are told to come again
KEPT_OPEN = 30  # seconds that a browser's connection waits for its next request
PATIENCE = 3  # seconds for what is being answered when the server ends
GUESSES, GUESSES_PER_SECOND = 20, 0.2  # of links that do not exist, from one address
PEOPLE_ENDING = ".people.json"


@dataclass(frozen=True)
class ServerAddress:
    """Where a server listens, and how it is spoken to.

    Args:
        host: The address to listen on; anything but this machine's own needs TLS, or says its risk.
        port: The port; None takes the usual one, or any that is free.
        certificate: A certificate in a PEM file, for TLS.
        key: Its key.
        names: Names besides that others use for this machine: of a tunnel, of a proxy.
    """

    host: str = LOOPBACK
    port: int | None = None
    certificate: Path | None = None
    key: Path | None = None
    names: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if self.port is not None:
            check_whole("port", self.port, 0)
            if self.port > HIGHEST_PORT:
                raise OptionError.must("port", f"be at most {HIGHEST_PORT}", self.port)
        if (self.certificate is None) != (self.key is None):
            raise OptionError(
                "TLS takes both ", Keyword("certificate"), " and ", Keyword("key"), ", and one of them is missing. "
                "Give both, or neither.",
            )  # fmt: skip

    @property
    def secure(self) -> bool:
        """Does it speak TLS?"""
        return self.certificate is not None

    @property
    def risk(self) -> str:
        """What a lead should know who lets others in without TLS; nothing where there is no risk."""
        from accord.workbench.security import is_loopback

        if self.secure or is_loopback(self.host):
            return ""
        return (
            "Whoever is on the way between this machine and another can read texts, answers, names and links, and "
            "decide in somebody's name: nothing is encrypted. Give a certificate and its key, or let others in through "
            "a tunnel that is."
        )


class Workbench:
    """A server that runs in a thread of this process, from its making to `close`.

    >>> import accord, tempfile
    >>> from pathlib import Path
    >>> study = accord.Study.from_pairs(["yes", "no", "yes"], ["yes", "yes", "no"])
    >>> file = Path(tempfile.mkdtemp()) / "decisions.sqlite"
    >>> workbench = accord.serve(study, decisions=file, port=0, open_browser=False)
    >>> workbench.url.startswith("http://127.0.0.1:")
    True
    >>> workbench.close()
    """

    def __init__(
        self,
        bench: Bench,
        server: uvicorn.Server,
        listening: socket.socket,
        url: str,
        risk: str,
        watch: Watch | None = None,
    ) -> None:
        self.bench = bench
        self.url = url
        self.risk = risk
        self.watch = watch
        self._server = server
        self._thread = threading.Thread(target=server.run, args=([listening],), name="accord workbench", daemon=True)
        self._thread.start()
        if watch is not None:
            watch.start()

    def wait(self) -> None:
        """Wait until the server ends: by `close`, or by an interrupt (Ctrl-C), which ends it."""
        try:
            while self._thread.is_alive():
                self._thread.join(0.5)
        finally:
            self.close()

    def close(self) -> None:
        """End the server. Every decision that was answered is on the disk already."""
        if self.watch is not None:
            self.watch.close()
        self._server.should_exit = True
        self._thread.join(2 * PATIENCE)
        self.bench.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"Workbench({self.url.partition('/enter')[0]!r})"  # a link lets in whoever reads it


def application(site: Site, address: ServerAddress) -> ASGIApp:
    """The pages behind the guard."""
    from starlette.applications import Starlette
    from starlette.requests import Request
    from starlette.responses import Response
    from starlette.routing import Route

    from accord.workbench.pages import sign_in
    from accord.workbench.request_limits import Rate
    from accord.workbench.routes import DECLARED
    from accord.workbench.security import Guard, Hosts
    from accord.workbench.templating import ASSETS, asset
    from accord.workbench.visit import route

    guesses = Rate(per_second=GUESSES_PER_SECOND, burst=GUESSES)

    async def enter(request: Request) -> Response:
        return sign_in.enter(site, request, guesses)

    async def assets(request: Request) -> Response:
        name = request.path_params["name"]
        if name not in ASSETS:
            return Response("There is no such file.", 404, media_type="text/plain")
        kept = {"cache-control": "max-age=31536000"}
        return Response(asset(name), media_type=ASSETS[name], headers=kept)

    async def mistake(_request: Request, _error: Exception) -> Response:
        return Response("This is a mistake in accord. The server's terminal says more.", 500, media_type="text/plain")

    routes = [Route("/enter", enter), Route("/assets/{name}", assets), *(route(site, one) for one in DECLARED)]
    app = Starlette(routes=routes, exception_handlers={Exception: mistake})
    app.router.redirect_slashes = False
    hosts = Hosts(address.host, address.names)
    return Guard(app, site.links, hosts, address.secure, sign_in.unknown, guesses)


def serve(
    data: Any,
    /,
    *,
    decisions: str | Path = "decisions.sqlite",
    name: str = "lead",
    host: str = LOOPBACK,
    port: int | None = None,
    certificate: str | Path | None = None,
    key: str | Path | None = None,
    known_as: Sequence[str] = (),
    order: OrderBy = "value",
    costs: Any = None,
    second_look: float = SHARE,
    images: str | Path | None = None,
    title: str = "",
    rng: int = 0,
    open_browser: bool = True,
    watch: str | Path | Watched | None = None,
    **roles: Unpack[Roles],
) -> Workbench:
    """Open the workbench of a study in a browser: the queue of contested items, decided by people, live.

    The server runs in a thread and listens on this machine alone, unless `host` says otherwise. Every decision is a row
    in an SQLite file, on the disk before it is answered; the same file goes on where it was left.

    Args:
        data: A `Study`, or what one is made of.
        decisions: The file of decisions, begun where there is none. Beside it lies who may come in.
        name: Whose link `url` is: the lead's.
        host: The address to listen on. Anything but this machine's own needs a certificate, or says its risk.
        port: The port; by default 8717, or any that is free; 0 is any.
        certificate: A certificate in a PEM file, for TLS.
        key: Its key, in a PEM file.
        known_as: Names besides that others use for this machine: of a tunnel, of a proxy.
        order: What comes first: "value" (what a decision is worth), "uncertainty", "disagreement", "given", "random".
        costs: What it costs to take one label for another, for the value of a decision: a mapping (true, given) ─▶
            cost, or a table; by default every error costs one.
        second_look: The share of what people decide that another person decides too, blind.
        images: The folder that pictures of items lie in, where the study names them.
        title: What the study is called on the pages.
        rng: The seed of what is drawn at random: the tenth that two people decide.
        open_browser: Whether to open it there.
        watch: The file that `data` was read from: when it changes it is read again as `accord.read` reads it, with
            these roles. Decisions stay, and the pages say what is new.
        **roles: The keywords of `Study`.

    Returns:
        The running server: `url` is the lead's link, `wait()` waits for its end, `close()` ends it. It closes itself at
        the end of a `with`.

    Raises:
        InputError: If `data` cannot be a study, or the file of decisions cannot be opened: another server has it, it is
            damaged, or it is another study's.
        OptionError: If an option has a value that it cannot take.
        ExtraMissing: If the packages of "accord[serve]" are not installed.

    >>> import accord, tempfile
    >>> study = accord.Study.from_pairs(["yes", "no", "yes"], ["yes", "yes", "no"])
    >>> file = Path(tempfile.mkdtemp()) / "decisions.sqlite"
    >>> with accord.serve(study, decisions=file, port=0, open_browser=False) as workbench:
    ...     workbench.bench.progress().contested
    2
    """
    address = ServerAddress(
        host,
        port,
        None if certificate is None else Path(certificate),
        None if key is None else Path(key),
        tuple(known_as),
    )
    place = None if images is None else Path(images)
    if place is not None and not place.is_dir():
        raise FileError(place, "There is no such folder of pictures. Name the one that they lie in.")
    study = as_study(data, None, None, roles)
    _need_packages()
    lead = Person(name, "lead")
    log = Path(decisions)
    bench = Bench.open(study, log, BenchOptions(order=order, costs=costs, seed=rng, second_look=second_look))
    given_back(len(study.items))
    try:
        watching = None if watch is None else Watch(_watched(watch, roles), bench)
        links = Links(log.with_name(log.name + PEOPLE_ENDING))
        started = _started(bench, links, lead, address, title or log.stem, place, watching)
    except BaseException:
        bench.close()
        raise
    if open_browser:
        with suppress(webbrowser.Error):
            webbrowser.open(f"{started.url.partition('?')[0]}?token={links.link_for_once(lead)}")
    return started


def _watched(watch: str | Path | Watched, roles: Roles) -> Watched:
    """The file to look at, and how it is read."""
    if isinstance(watch, Watched):
        return watch
    from accord.readers.read import read

    file = Path(watch)
    if not file.is_file():
        raise FileError(file, "There is no such file to watch. Name the one that the study was read from.")
    return Watched((file,), lambda: read(file, **roles))


def _need_packages() -> None:
    if not all(map(find_spec, ("starlette", "uvicorn", "jinja2"))):
        raise ExtraMissing("The workbench", "serve")


def _started(
    bench: Bench,
    links: Links,
    lead: Person,
    address: ServerAddress,
    title: str,
    images: Path | None,
    watch: Watch | None,
) -> Workbench:
    import uvicorn

    from accord.workbench.routes import MENU
    from accord.workbench.site import Site
    from accord.workbench.slow_heads import protocol_in_time

    log = bench.log.path
    token = links.link_of_this_run(lead)
    site = Site(
        bench,
        links,
        title,
        secure=address.secure,
        images=images,
        menu=MENU,
        private=_private(log, images, watch),
        watch=watch,
    )
    listening = _listening(address)
    where = _where(address, listening.getsockname()[1])
    bench.log.announce(Holder.here(where))
    config = uvicorn.Config(
        application(site, address),
        log_level="error",
        access_log=False,
        lifespan="off",
        proxy_headers=False,  # nobody tells us who somebody is
        server_header=False,
        http=protocol_in_time(),
        limit_concurrency=MOST_CONNECTIONS,
        timeout_keep_alive=KEPT_OPEN,
        timeout_graceful_shutdown=PATIENCE,
        backlog=WAITING,
        ssl_certfile=address.certificate,
        ssl_keyfile=address.key,
    )
    try:
        server = uvicorn.Server(config)
        config.load()
    except (ssl.SSLError, OSError) as problem:
        listening.close()
        raise FileError(
            address.certificate,
            "This certificate and its key cannot be used: ",
            MayBeNames(str(problem)),
            ". Give PEM files that belong together.",
        ) from None
    return Workbench(bench, server, listening, f"{where}/enter?token={token}", address.risk, watch)


def _private(log: Path, images: Path | None, watch: Watch | None) -> tuple[Path, ...]:
    """The folders of this machine that errors may name, the longest first: no page tells them."""
    files = () if watch is None else watch.files
    folders = {Path.cwd(), log.absolute().parent, *(file.absolute().parent for file in files)}
    folders |= {folder.resolve() for folder in folders} | (set() if images is None else {images.absolute()})
    return tuple(sorted(folders, key=lambda folder: -len(str(folder))))


def _listening(address: ServerAddress) -> socket.socket:
    """A socket that takes connections from now on, whoever answers them."""
    port = address.port
    if port is None:
        with suppress(InputError):
            return _listening(replace(address, port=USUAL_PORT))
        port = 0
    try:
        socket.getaddrinfo(address.host or None, port, family=_family(address.host))
    except (OSError, ValueError) as problem:  # the latter of letters that no name of a machine has
        raise _not_here(address.host, getattr(problem, "strerror", None) or "that is no name of a machine") from None
    try:
        listening = socket.create_server((address.host, port), family=_family(address.host), backlog=WAITING)
    except OSError as problem:
        why = (problem.strerror or str(problem)).partition(" (while attempting")[0]
        if problem.errno == errno.EADDRNOTAVAIL:
            raise _not_here(address.host, why) from None
        raise InputError(
            f"Nothing can listen on {address.host}, port {port}: {why}. Choose another port, or any that is free: ",
            remedy(port=0),
            ".",
        ) from None
    listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)  # or a page waits 40 ms for an acknowledgement
    return listening


def _not_here(host: str, why: str) -> InputError:
    """An address on which nothing can listen."""
    return InputError(
        f"Nothing can listen on {host}: {why}. It is no address of this machine; name one that is, or leave ",
        Keyword("host"),
        " out.",
    )


def _family(host: str) -> socket.AddressFamily:
    return socket.AF_INET6 if ":" in host else socket.AF_INET


def _where(address: ServerAddress, port: int) -> str:
    """The address that a browser on this machine opens."""
    host = {"0.0.0.0": LOOPBACK, "::": "::1", "": LOOPBACK}.get(address.host, address.host)
    shown = f"[{host}]" if ":" in host else host
    return f"{'https' if address.secure else 'http'}://{shown}:{port}"
