"""Addresses of databases: postgres://host/database?table=answers, duckdb:file.db. None holds a secret."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from os import PathLike, fspath
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import parse_qsl, urlencode, urlsplit

from accord.errors import InputError, Keyword, OptionError, OwnWords, did_you_mean, quoted

SCHEME = re.compile(r"([a-z][a-z0-9+.-]+):(?=.)", re.IGNORECASE)  # one letter is a drive of Windows
IN_FILES = ("duckdb", "sqlite")
ON_SERVERS = ("postgres", "bigquery", "snowflake", "clickhouse", "trino")
SCHEMES = (*ON_SERVERS, *IN_FILES)
NO_DATABASES = ("http", "https", "s3", "gs", "file")  # what has an address besides
SAME = {"postgresql": "postgres"}
TITLES = {
    "postgres": "Postgres", "bigquery": "BigQuery", "snowflake": "Snowflake", "clickhouse": "ClickHouse",
    "trino": "Trino", "duckdb": "DuckDB", "sqlite": "SQLite",
}  # fmt: skip
# Where each finds its secret: drivers look there themselves, or it is handed on under the keyword.
SECRETS: Mapping[str, tuple[str, str]] = {
    "postgres": ("PGPASSWORD", ""),
    "bigquery": ("GOOGLE_APPLICATION_CREDENTIALS", ""),
    "snowflake": ("SNOWFLAKE_PASSWORD", "password"),
    "clickhouse": ("CLICKHOUSE_PASSWORD", "password"),
    "trino": ("TRINO_PASSWORD", "auth"),
}
SECRET = re.compile(r"pass|pwd|token|secret|credential|auth$|key$", re.IGNORECASE)  # a parameter that holds one

if TYPE_CHECKING:
    _Path = Path
else:
    _Path = type(Path())  # in Python 3.11 a path is made of the one for this system


class AddressPath(_Path):
    """A database where a file may be named; unlike a path it keeps both slashes of postgres://."""

    _address = ""

    @classmethod
    def of(cls, typed: str) -> Path:
        """What was typed: a path, or what looks like an address and is looked at more closely when it is read."""
        found = SCHEME.match(typed)
        if found is None or not (found[1].lower() in SCHEMES or typed[found.end() :].startswith("//")):
            return Path(typed)
        path = cls(typed)
        path._address = typed
        return path

    def __str__(self) -> str:
        return self._address or super().__str__()

    def __fspath__(self) -> str:
        return str(self)


@dataclass(frozen=True)
class Address:
    """Where a database is, without any secret."""

    scheme: str
    url: str  # as Ibis takes it; of a database in a file, the file
    table: str | None = None

    @classmethod
    def of(cls, path: object) -> Address | None:
        """The address that is given for a path; None where it is a path.

        >>> Address.of("postgres://ana@db.example/labels?table=public.answers")
        Address(scheme='postgres', url='postgres://ana@db.example/labels', table='public.answers')
        >>> Address.of("duckdb:data/labels.db")
        Address(scheme='duckdb', url='data/labels.db', table=None)
        >>> Address.of("labels.csv")
        """
        if not isinstance(path, str | PathLike):
            return None
        text = fspath(path)
        scheme = cls.scheme_of(text) if isinstance(text, str) else None
        if scheme is None:
            return None
        return _in_file(scheme, text) if scheme in IN_FILES else _on_server(scheme, text)

    @staticmethod
    def scheme_of(text: str) -> str | None:
        """Which kind of database an address is of; None for what is none, an error for one that nobody knows."""
        found = SCHEME.match(text)
        if found is None:
            return None
        word = found[1].lower()
        scheme = SAME.get(word, word)
        if scheme in SCHEMES:
            return scheme
        if not text[found.end() :].startswith("//") or word in NO_DATABASES:
            return None
        near = get_close_matches(scheme, SCHEMES, 1, 0.7)
        hint = did_you_mean(near, of_data=False)
        other = " Write the annotations of another one to a file, as CSV or Parquet, and read that."
        raise InputError(
            quoted(found[1]),
            " is no database that accord reads from; it reads from ",
            OwnWords(SCHEMES),
            ".",
            *(hint or (other,)),
            available=SCHEMES,
        )  # without the address, which may hold a secret

    @property
    def title(self) -> str:
        """What the database is called."""
        return TITLES[self.scheme]

    @property
    def file(self) -> Path | None:
        """The file of a database that lies in one."""
        return Path(self.url) if self.scheme in IN_FILES else None

    @property
    def called(self) -> str:
        """The database in a word, without user and server."""
        file = self.file
        return file.name if file is not None else self.title

    @property
    def public(self) -> str:
        """The address as others may see it: without folders, user and server.

        >>> Address.of("postgres://ana@db.example/labels?table=public.answers").public
        'postgres://…?table=public.answers'
        """
        file = self.file
        place = "//…" if file is None else file.name
        return f"{self.scheme}:{place}" + ("" if self.table is None else f"?table={self.table}")

    @property
    def secret(self) -> tuple[str, str]:
        """The variable of the environment with its secret, and the keyword under which its driver takes it."""
        return SECRETS.get(self.scheme, ("", ""))


def _in_file(scheme: str, text: str) -> Address:
    place, _, parameters = text.partition(":")[2].partition("?")
    rest = dict(parse_qsl(parameters, keep_blank_values=True))
    table = rest.pop("table", None)
    if rest:
        raise OptionError.must("path", f"name a file and perhaps a table: {scheme}:file.db?table=answers", list(rest))
    file = place.removeprefix("//")
    if not file:
        raise OptionError.must("path", f"name the file of the database: {scheme}:file.db", f"{scheme}:")
    return Address(scheme, file, table)


def _on_server(scheme: str, text: str) -> Address:
    """The parts of the address; what holds a secret is refused without being shown."""
    shape = f"{scheme}://host/database?table=answers"
    try:
        parts = urlsplit(text)
        held = parts.password is not None
    except ValueError:  # a bracket without its other half; it is not shown, since it may hold a secret
        raise InputError(
            f"The address of the {TITLES[scheme]} database cannot be read. It looks like {shape}.",
            option=Keyword("path"),
        ) from None
    parameters = dict(parse_qsl(parts.query, keep_blank_values=True))
    if held or any(map(SECRET.search, parameters)):
        _refuse_secret(scheme)
    if not text.partition(":")[2].startswith("//"):
        raise InputError(f"The address of a {TITLES[scheme]} database looks like {shape}.", option=Keyword("path"))
    table = parameters.pop("table", None)
    more = f"?{urlencode(parameters)}" if parameters else ""
    return Address(scheme, f"{scheme}://{parts.netloc}{parts.path}{more}", table)


def _refuse_secret(scheme: str) -> None:
    variable, _ = SECRETS[scheme]
    raise InputError(
        f"The address of the {TITLES[scheme]} database holds a password or a key, which shells and logs keep. Take it "
        f"out, change it if others may have seen it, and set the environment variable {variable} instead.",
        option=Keyword("path"),
    )
