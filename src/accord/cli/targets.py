"""Which files a command may write: never over what it reads, nor over what is there, unless that is said."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from accord.cli.options import STDOUT
from accord.errors import InputError, Keyword


def check_target(path: Path, *, force: bool, sources: Iterable[Path]) -> None:
    """Refuse to write over a file that is read here, or that exists.

    Args:
        path: Where to write; "-" is the standard output.
        force: Whether that was asked for.
        sources: The files that are read: the data, known labels, a reference …

    Raises:
        InputError: If something would be lost.
    """
    if path.is_dir():
        raise InputError(f"{str(path)!r} is a folder. Name a file in it.")
    if force or str(path) == STDOUT or not path.is_file():  # new, or a pipe or device: nothing is lost
        return
    if any(same_file(path, source) for source in sources):
        raise InputError(
            f"{str(path)!r} is read here, and would be replaced by what is written. Name another file, or say ",
            Keyword("force"),
            " to replace it.",
        )
    raise InputError(f"{str(path)!r} exists already. Name another file, or say ", Keyword("force"), " to replace it.")


def same_file(one: Path, other: Path) -> bool:
    """Do two names lead to one file, whether it exists or not?"""
    if one.exists() and other.exists():
        return one.samefile(other)
    return one.resolve() == other.resolve()
