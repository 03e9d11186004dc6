"""What parts in other languages print on the error stream by themselves, past Python: panics of Polars above all."""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager

PANIC = b"panicked at"  # as Rust begins what it prints of one
NATIVE = 2  # the file that C and Rust know as the error stream


@contextmanager
def panics_put_aside(shown: Callable[[], bool]) -> Iterator[None]:
    """While a command works, what is printed past Python is kept, and told at the end unless it is of a panic.

    A damaged Parquet file makes threads of Polars panic. That is an exception, of which accord says a line with the way
    out; the threads print theirs besides, with a stack where the environment has one shown. `shown` has it all.
    """
    stream = sys.stderr
    if stream is not sys.__stderr__ or stream is None or not _is_native(stream):  # a test, or a notebook
        yield
        return
    stream.flush()
    with tempfile.TemporaryFile() as aside:
        terminal = os.dup(NATIVE)
        sys.stderr = os.fdopen(terminal, "w", buffering=1, encoding=stream.encoding, errors=stream.errors)
        os.dup2(aside.fileno(), NATIVE)
        try:
            yield
        finally:
            sys.stderr.flush()
            os.dup2(terminal, NATIVE)
            sys.stderr.close()
            sys.stderr = stream
            aside.seek(0)
            output = aside.read()
            if PANIC not in output or shown():
                os.write(NATIVE, output)


def _is_native(stream: object) -> bool:
    try:
        return bool(stream.fileno() == NATIVE)  # type: ignore[attr-defined]
    except (AttributeError, OSError, ValueError):  # closed, or no file at all
        return False
