"""A table in a database, as an engine has it: it stays there, and the study asks for sums."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from difflib import get_close_matches
from typing import Any, Protocol
from weakref import finalize

from accord.errors import (
    AccordError,
    ExtraMissing,
    FileError,
    InputError,
    Keyword,
    MayBeNames,
    OptionError,
    Part,
    all_quoted,
    quoted,
    remedy,
)
from accord.warehouses.addresses import TITLES, Address
from accord.warehouses.query_texts import one_query
from accord.warehouses.sql_dialects import name_parts

WITH_THE_EXTRA = ("postgres", "sqlite")  # whose drivers come with "accord[warehouse]"
VIEW = "accord_rows"  # what a query gives, while a connection lasts
HEAD = 16  # bytes of a file that tell what it is
MARKS = {"duckdb": (8, b"DUCK"), "sqlite": (0, b"SQLite format 3")}
LONGEST_QUOTED = 200  # letters of what a driver says
MISTAKES = (AssertionError, AttributeError, IndexError, NameError, TypeError)  # of a program, not of a database
# What drivers say, in small letters, by what is wrong: the first that fits.
WRONG_SECRET = ("password authentication", "authentication failed", "no password supplied", "incorrect username")
REFUSED = ("permission denied", "insufficient privilege", "access denied", "forbidden", "not authorized")
NO_ROUTE = (
    "connection refused", "could not translate host", "timeout", "timed out", "no such file or directory",
    "network is unreachable", "name or service not known", "could not connect", "connection failed",
    "connection is bad",
)  # fmt: skip


class Database(Protocol):
    """A database that is open."""

    def tables(self, before: Sequence[str]) -> list[str]:
        """What its tables are called; of a schema, where one is named."""

    def table(self, before: Sequence[str], name: str) -> Any:
        """A table as a lazy frame; a KeyError where there is none."""

    def query(self, text: str) -> Any:
        """What a query gives, as a lazy frame."""


class InDuckDB:
    """A DuckDB database in a file, opened for reading; its relations are what accord asks at its quickest."""

    def __init__(self, address: Address) -> None:
        import duckdb

        self._connection = duckdb.connect(address.url, read_only=True)

    def tables(self, before: Sequence[str]) -> list[str]:
        """Of one schema, or of all."""
        rows = self._connection.execute("SELECT table_schema, table_name FROM information_schema.tables").fetchall()
        return sorted({name for schema, name in rows if not before or schema == before[-1]})

    def table(self, before: Sequence[str], name: str) -> Any:
        """A relation."""
        import duckdb

        try:
            return self._connection.table(".".join(map(_quoted, (*before, name))))
        except duckdb.CatalogException:
            raise KeyError(name) from None

    def query(self, text: str) -> Any:
        """A relation."""
        return self._connection.sql(text)


class ThroughIbis:
    """Any other database."""

    def __init__(self, address: Address) -> None:
        import ibis

        self._scheme = address.scheme
        if address.scheme == "sqlite":
            self._database = ibis.sqlite.connect(address.url)
            finalize(self._database, _let_go, self._database.con)  # which Ibis leaves open for whoever comes last
        else:
            self._database = ibis.connect(address.url, **_given_apart(address))

    def tables(self, before: Sequence[str]) -> list[str]:
        """Of one schema, or of the usual one."""
        return sorted(self._database.list_tables(database=_where(before)))

    def table(self, before: Sequence[str], name: str) -> Any:
        """A table of Ibis."""
        from ibis.common.exceptions import TableNotFound

        try:
            return self._database.table(name, database=_where(before))
        except TableNotFound:
            raise KeyError(name) from None

    def query(self, text: str) -> Any:
        """A table of Ibis; in Postgres a view of this connection, which Ibis 12 makes too, and fails to drop."""
        if self._scheme != "postgres":
            return self._database.sql(text)
        self._database.raw_sql(f"CREATE TEMPORARY VIEW {VIEW} AS\n{text}").close()
        return self._database.table(VIEW)


def _let_go(connection: Any) -> None:
    """Close a connection once no table of it is left."""
    with suppress(Exception):  # of another thread, or closed already: there is nobody left to tell
        connection.close()


def table_at(address: Address, table: str | None = None, query: str | None = None) -> Any:
    """The table, or what a query gives, at an address: a lazy frame, none of its rows fetched.

    Raises:
        InputError: If the database, the table or a permission is missing.
        OptionError: If it is not said once which table it is.
        ExtraMissing: If a driver is not installed.
    """
    named = [one for one in (address.table, table) if one is not None]
    if len(named) + (query is not None) > 1:
        raise OptionError("Say once which rows to read: ", Keyword("table"), " or ", Keyword("query"), ".")
    _refuse_other_file(address)
    with asking(address, "It cannot be opened"):
        database: Database = InDuckDB(address) if address.scheme == "duckdb" else ThroughIbis(address)
    if query is not None:
        with asking(address, "The query was refused"):
            return database.query(one_query(query))
    if named:
        return _table(database, address, named[0])
    with asking(address, "Its tables cannot be listed"):
        there = database.tables(())
    raise InputError(
        MayBeNames(address.called),
        " holds ",
        all_quoted(there) if there else "no tables",
        ". Say which to read: ",
        remedy(table=there[0] if there else ...),
        ".",
        option=Keyword("table"),
        available=there,
    )


def _table(database: Database, address: Address, name: str) -> Any:
    """A table by its name, with what stands before it: schema.table, catalog.schema.table."""
    *before, last = name_parts(name)
    with asking(address, "The table ", quoted(name), " cannot be opened"):
        try:
            return database.table(before, last)
        except KeyError:
            there = database.tables(before)
    near = get_close_matches(last, there, 1, 0.6)
    meant = ".".join([*before, near[0]]) if near else ...
    raise InputError(
        MayBeNames(address.called),
        " has no table ",
        quoted(name),
        f"{' that you may read' if address.file is None else ''}; it has ",
        all_quoted(there) if there else "none",
        ". ",
        *(("Did you mean ", remedy(table=meant), "?") if near else ("Say another: ", remedy(table=...), ".")),
        option=Keyword("table", name),
        available=there,
    )


def _quoted(part: str) -> str:
    return '"' + part.replace('"', '""') + '"'


def _where(before: Sequence[str]) -> Any:
    """What stands before a table's name, as Ibis takes it."""
    return tuple(before) if len(before) > 1 else before[0] if before else None


def _given_apart(address: Address) -> dict[str, Any]:
    """What the address does not say: the secret, from the environment; and that nothing is made in the database."""
    variable, keyword = address.secret
    secret = os.environ.get(variable)
    given: dict[str, Any] = {keyword: secret} if keyword and secret else {}
    return given | ({"create_object_udfs": False} if address.scheme == "snowflake" else {})


def _refuse_other_file(address: Address) -> None:
    """A database in a file that is not there would be made; one of another kind be sought on the network."""
    file = address.file
    if file is None:
        return
    if not file.is_file():
        raise FileError(file, f"There is no such file, so no {address.title} database. Check the name and the folder.")
    with file.open("rb") as stream:
        head = stream.read(HEAD)
    kind = next((scheme for scheme, (place, mark) in MARKS.items() if head[place:].startswith(mark)), None)
    if kind != address.scheme:
        other = (f"; it is one of {TITLES[kind]}. Say {kind}:", MayBeNames(file.name), " instead.") if kind else ()
        alone = f". Name any other file without {address.scheme}: before it."
        raise FileError(file, f"This is no {address.title} database", *(other or (alone,)))


@contextmanager
def asking(address: Address, *what: Part) -> Iterator[None]:
    """What drivers raise, each its own exceptions, becomes ours: the cause in words, what was said, never a secret."""
    try:
        yield
    except (AccordError, *MISTAKES):
        raise
    except ImportError:
        raise _no_driver(address) from None
    except Exception as problem:  # noqa: BLE001 - drivers share no class of errors
        raise InputError(MayBeNames(address.called), ": ", *what, *_cause(address, str(problem))) from None


def _no_driver(address: Address) -> ExtraMissing:
    if address.scheme == "duckdb":
        return ExtraMissing("Reading from DuckDB", "duckdb")
    more = "" if address.scheme in WITH_THE_EXTRA else f' "ibis-framework[{address.scheme}]"'
    return ExtraMissing(f"Reading from {address.title}", package=f'"accord[warehouse]"{more}')


def _cause(address: Address, message: str) -> list[Part]:
    variable, _ = address.secret
    secret = os.environ.get(variable) if variable else None
    lines = message.replace(secret, "…").splitlines() if secret else message.splitlines()
    first = next((line.strip() for line in lines if line.strip()), "nothing")[:LONGEST_QUOTED]
    its_words, words = (" It said: ", quoted(first), "."), message.lower()
    if any(sign in words for sign in WRONG_SECRET):
        return [f": it does not know this user or this password, which it takes from {variable}.", *its_words]
    if any(sign in words for sign in REFUSED):
        return [": you may not read it. Ask whoever runs it for the right to select.", *its_words]
    if any(sign in words for sign in NO_ROUTE):
        return [": nothing answers there. Check host, port and network.", *its_words]
    return [".", *its_words]
