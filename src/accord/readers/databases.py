"""Tables in databases: read as a lazy table is, with the same options; the rows stay where they are."""

from __future__ import annotations

from typing import Any

from accord.engine.frames import Frame
from accord.errors import AccordError, InputError, Keyword, MayBeNames, Message, OptionError
from accord.readers.read_options import OF_TABLES, refuse_unused
from accord.study.study import Study
from accord.study.tables.recognise import study_of_frame
from accord.study.tables.rows import ReadOptions
from accord.study.tables.sheet import SAMPLE, FrameSheet, Sheet
from accord.warehouses.addresses import Address
from accord.warehouses.database import asking, table_at

TABLE = "table"


def address_among(path: Any, table: str | None, query: str | None) -> Address | None:
    """The address of a database, where one is given for a path; what is said of databases is said of nothing else."""
    several = [Address.of(one) for one in path] if isinstance(path, list | tuple) else [Address.of(path)]
    found = [one for one in several if one is not None]
    if found and len(several) > 1:
        raise InputError(
            "A database is read by itself, without other files. To read several tables, join them there.",
            option=Keyword("path"),
        )
    for name, given in (("table", table), ("query", query)):
        if given is not None and not found:
            raise OptionError(
                Keyword(name), " is about databases, and a file is named here: say where the database is, such as "
                "duckdb:file.db or postgres://host/database.", option=Keyword(name, given),
            )  # fmt: skip
    return found[0] if found else None


def study_at(
    address: Address, table: str | None, query: str | None, format: str | None, options: ReadOptions  # noqa: A002
) -> Study:  # fmt: skip
    """The study of a table in a database, or of what a query gives there."""
    if format not in (None, TABLE):
        raise OptionError(
            Keyword("format", format), " is about files, and this is a database. Leave it out.",
            option=Keyword("format", format),
        )  # fmt: skip
    refuse_unused(
        options, OF_TABLES, Message(MayBeNames(address.called), f" is a {address.title} database"), table=True
    )
    if not isinstance(options.roles.get("item", ""), str):
        raise OptionError.must(
            "item", "be one column of a database; join several there, in a query", options.roles["item"]
        )
    rows = table_at(address, table, query)
    with asking(address, "Its rows cannot be counted"):
        study = study_of_frame(rows, options)
    which = MayBeNames(f" {address.table or table!r}", "")
    what = ("query",) if query is not None else ("table", which)
    origin = Message(*what, f" of a {address.title} database")
    return study._then(lambda whole: _with_source(whole, origin, address.title))


def first_rows(address: Address, table: str | None, query: str | None) -> Sheet | None:
    """Some first rows of the table, for a look at its columns; None where they cannot be had."""
    from accord.engine.scan import Scan  # with narwhals, which a file need not wait for

    try:
        with asking(address, "Its rows cannot be read"):
            scan = Scan.of(table_at(address, table, query))
            return None if scan is None else FrameSheet(Frame.open(scan.first_rows(SAMPLE)))
    except AccordError:
        return None


def _with_source(study: Study, origin: str, title: str) -> Study:
    """The study with where it is from; and that its rows are still there, where they are."""
    parts = study.tasks.values() or [study]
    stays = all(not part._annotations.in_memory for part in parts)
    notes = [f"the rows stay in {title}, which is asked for sums"] if stays else []
    return study._with_origin(Message(origin, " (", study.shape, ")"), [*study._reader_notes, *notes])
