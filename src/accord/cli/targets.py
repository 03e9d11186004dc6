"""Which files a command may write: never over what it reads, nor over what is there, unless that is said."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import combinations
from pathlib import Path

from accord.cli.options import STDOUT
from accord.engine import whole_file
from accord.errors import InputError, Keyword, OptionError, quoted


def check_target(path: Path, *, force: bool, sources: Iterable[Path]) -> None:
    """Refuse to write over a file that is read here, or that exists, now or when it is written.

    Args:
        path: Where to write; "-" is the standard output.
        force: Whether that was asked for.
        sources: The files that are read: the data, known labels, a reference …

    Raises:
        InputError: If something would be lost, or nothing can be written there.
    """
    if path.is_dir():
        raise InputError(quoted(str(path)), " is a folder. Name a file in it.")
    if str(path) == STDOUT:
        return
    whole_file.check_target(path)  # before the work that would be lost
    if force:
        return
    if whole_file.is_free(path):  # as it has to be when it is written, too
        whole_file.found_free(path)
    if not path.is_file():
        return
    if any(same_file(path, source) for source in sources):
        raise InputError(
            quoted(str(path)),
            " is read here, and would be replaced by what is written. Name another file, or say ",
            Keyword("force"),
            " to replace it.",
        )
    raise InputError(
        quoted(str(path)), " exists already. Name another file, or say ", Keyword("force"), " to replace it."
    )


def refuse_one_file(**targets: Path | None) -> None:
    """What is written later would replace what was written before: two things need two files."""
    files = [(name, path) for name, path in targets.items() if path is not None and str(path) != STDOUT]
    for (one, first), (other, second) in combinations(files, 2):
        if same_file(first, second):
            raise OptionError(
                Keyword(one), " and ", Keyword(other), " are one file, ", quoted(str(first)), ". Name two."
            )


def refuse_same_file(name: str, targets: Sequence[Path]) -> None:
    """The same of an option that names several."""
    for first, second in combinations(targets, 2):
        if same_file(first, second):
            raise OptionError(Keyword(name), " names one file twice, ", quoted(str(second)), ". Name two, or one once.")


def refuse_replaced(folder: Path, sources: Iterable[Path]) -> None:
    """A folder that is written anew takes what is read in it along."""
    whole = folder.resolve()
    for source in sources if whole != whole.parent else ():  # all lie in the root of a disk, which no folder is
        if whole in source.resolve().parents or whole == source.resolve():
            raise InputError(
                quoted(str(source)),
                " is read here, and lies in the folder that would be replaced by what is written, ",
                quoted(str(folder)),
                ". Name another folder.",
            )


def refuse_idle_force(*targets: Path | None, force: bool) -> None:
    """Nothing is replaced where nothing is written."""
    if force and not any(targets):
        raise OptionError(Keyword("force"), " replaces files, and none is written here. Leave it out.")


def refuse_idle_form(form: str | None, output: Path) -> None:
    """The ending of a file says what it holds; only the standard output has none."""
    if form is not None and str(output) != STDOUT:
        raise OptionError(
            Keyword("form"),
            " says what the standard output gets, and ",
            quoted(str(output)),
            " is a file, whose ending says what it holds. Leave it out, or print: ",
            Keyword("path", STDOUT),
            ".",
        )


def same_file(one: Path, other: Path) -> bool:
    """Do two names lead to one file, whether it exists or not?"""
    if one.exists() and other.exists():
        return one.samefile(other)
    return one.resolve() == other.resolve()
