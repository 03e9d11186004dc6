"""A Postgres server of our own: an empty cluster in a folder, reached through a socket there, gone with its starter."""

from __future__ import annotations

import os
import pwd
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

DEBIAN = Path("/usr/lib/postgresql")  # where Debian keeps the programs of each version, off the path
# The server lasts as long as the input of its guard, which then takes its folder away; its words go to whoever waits.
GUARD = '"$@" & exec 2>/dev/null; cat >/dev/null; kill -QUIT $!; wait $!; rm -rf "$0"'
READY = "ready to accept connections"
NOBODY = ("postgres", "nobody")  # Postgres refuses to be run by root
PORT = 5432  # of which only the name of the socket is made, whatever the environment says
SETTINGS = {
    "port": str(PORT), "listen_addresses": "''", "fsync": "off", "full_page_writes": "off", "synchronous_commit": "off",
    "shared_buffers": "16MB", "max_connections": "100", "autovacuum": "off", "log_min_messages": "log",
    "log_checkpoints": "off", "lc_messages": "C",
}  # fmt: skip


def programs() -> Path | None:
    """The folder with initdb and pg_ctl; None where there is none."""
    found = shutil.which("initdb")
    if found is not None:
        return Path(found).parent
    versions = sorted(DEBIAN.glob("*/bin/initdb"), key=lambda path: float(path.parts[-3]))
    return versions[-1].parent if versions else None


@contextmanager
def server(folder_of_programs: Path) -> Iterator[Path]:
    """The folder of the socket of a server that ends with this, or with this process however that ends."""
    folder = Path(tempfile.mkdtemp(prefix="accord-postgres-"))
    who = _unprivileged()
    if who is not None:
        shutil.chown(folder, user=who)
    data = folder / "data"
    try:
        make = [str(folder_of_programs / "initdb"), "-D", str(data), "-U", "postgres", "-A", "trust", "-E", "UTF8"]
        subprocess.run(
            [*make, "--locale=C.UTF-8", "--no-sync"], cwd=folder, user=who, check=True, capture_output=True, text=True
        )
        settings = "".join(f"{name} = {value}\n" for name, value in SETTINGS.items())
        with (data / "postgresql.conf").open("a", encoding="utf-8") as file:
            file.write(f"{settings}unix_socket_directories = '{folder}'\n")
        with _guarded([str(folder_of_programs / "postgres"), "-D", str(data)], folder, who):
            yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def _guarded(command: list[str], folder: Path, who: str | None) -> Iterator[None]:
    """The server, once it is ready; it ends when the input of its guard does: by us, or with this process."""
    guard = subprocess.Popen(
        ["/bin/sh", "-c", GUARD, str(folder), *command],
        stdin=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=folder, user=who,
    )  # fmt: skip
    try:
        assert guard.stderr is not None
        seen: list[str] = []
        while not seen or READY not in seen[-1]:
            line = guard.stderr.readline()
            assert line, f"Postgres did not start: {''.join(seen)}"
            seen.append(line)
        yield
    finally:
        guard.communicate()


def _unprivileged() -> str | None:
    """Whom root lends the server to; None for whoever is not root."""
    if os.geteuid() != 0:
        return None
    known = {entry.pw_name for entry in pwd.getpwall()}
    return next(name for name in NOBODY if name in known)
