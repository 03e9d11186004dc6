"""What an engine raises, in accord's words where the cause is known: memory too small, a file that is damaged."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from accord.engine.dialects import trouble_in
from accord.engine.dialects.dialect import Trouble
from accord.engine.positional_codes import EngineOverflow
from accord.engine.whole_file import FULL
from accord.errors import AccordError, InputError, Part, in_python, quoted


@contextmanager
def our_errors() -> Iterator[None]:
    """Errors of an engine become ours where it is known what they are about, and stay what they are elsewhere."""
    try:
        yield
    except (AccordError, KeyboardInterrupt, SystemExit):
        raise
    except BaseException as problem:  # the panics of Polars are no Exception
        message = f"{type(problem).__name__}: {problem}"
        trouble = trouble_in(message)
        full = trouble is Trouble.FILE and any(sign in message for sign in FULL)
        if trouble is None or full:  # of a full disk whoever writes knows more
            raise
        if trouble is Trouble.OVERFLOW:
            raise EngineOverflow(message) from None
        cause = quoted(message.splitlines()[0][:200])
        raise InputError(*_in_words(trouble), " It said: ", cause, ".") from None


def with_our_errors(batches: Iterator[Any]) -> Iterator[Any]:
    """Batches that an engine makes while they are asked for."""
    with our_errors():
        yield from batches


def _in_words(trouble: Trouble) -> tuple[Part, ...]:
    """What happened, and the way out."""
    known: dict[Trouble, tuple[Part, ...]] = {
        Trouble.TYPE: (
            "A column of the table is of a type that cannot leave the engine. Make it text or numbers there, or "
            "select the other columns.",
        ),
        Trouble.MEMORY: (
            "The engine ran out of the memory it may use. Raise its limit (DuckDB: SET memory_limit), lower its "
            "threads, or give it a place to spill to (DuckDB: SET temp_directory).",
        ),
        Trouble.CONNECTION: (
            "The database stopped answering: the connection broke, or the table was changed or removed since. "
            "Connect and ask again.",
        ),
        Trouble.FUNCTION: (
            "The engine lacks a function that this needs. Have it run queries and read their results, by ",
            in_python("accord.queries", "`accord sql`"),
            ", or bring the rows into memory.",
        ),
        Trouble.FORBIDDEN: (
            "The engine may not touch files: its connection forbids it. Write a gold from memory, by ",
            in_python("gold.in_memory.write(path)", "a copy of the table"),
            ", or allow files where the connection is opened (DuckDB: enable_external_access).",
        ),
        Trouble.BUSY: (
            "The connection is in the middle of another query. Fetch what is left of its result first",
            in_python(", or take the table from connection.cursor()", ""),
            ".",
        ),
        Trouble.FILE: (
            "The engine cannot read the table to its end: a file behind it is damaged, or was changed or removed "
            "since it was opened. Write or export it again.",
        ),
    }
    return known[trouble]
