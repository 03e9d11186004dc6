"""What is known by its sums as a study: a tally, several that are added up, or the results of queries."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from hashlib import sha256
from os import PathLike
from pathlib import Path
from typing import Any

from accord.errors import (
    FileError,
    InputError,
    Keyword,
    MayBeNames,
    Message,
    OptionError,
    all_quoted,
    counted,
    listing,
    quoted,
)
from accord.readers.results.from_results import from_results
from accord.readers.results.manifest import is_results, refuse_part
from accord.study.adding_tallies import added_up
from accord.study.study import Study
from accord.study.tally_file import ENDING, TallyFile, read_tally_file

OF_TALLIES = (
    "path", "labels", "levels", "ordered", "annotators", "exclude", "where", "people", "models", "progress",
)  # fmt: skip


def known_by_sums(path: Any) -> Callable[[], Study] | None:
    """How to read what holds sums and no rows: tallies, or the results of queries; None for anything else."""
    if isinstance(path, str | PathLike):
        if is_results(Path(path)):
            return lambda: from_results(Path(path))
        refuse_part(Path(path))
    tallies = _tallies_among(path)
    return (lambda: study_of_tallies(tallies)) if tallies else None


def _tallies_among(path: Any) -> list[Path]:
    """The tallies that are named, or that a folder holds; none where something else is to be read."""
    one = isinstance(path, str | PathLike)
    paths = [Path(name) for name in ([path] if one else path) if isinstance(name, str | PathLike)]
    if one and paths[0].suffix.lower() != ENDING and _is_folder(paths[0]):
        held = sorted(name for name in paths[0].iterdir() if not name.name.startswith("."))
        paths = held if held and all(name.suffix.lower() == ENDING for name in held) else []
    found = [name for name in paths if name.suffix.lower() == ENDING]
    others = [name.name for name in paths if name not in found]
    if found and others:
        raise InputError(
            all_quoted([name.name for name in found], most=3),
            " are tallies, and ",
            all_quoted(others, most=3),
            " are not: rows and sums are not read together. Write tallies of all, or read the annotations of all.",
        )
    return found


def _is_folder(path: Path) -> bool:
    """Is there a folder? Under a name that no file can have there is none."""
    try:
        return path.is_dir()
    except OSError:
        return False


def refuse_options(given: Mapping[str, Any], read: inspect.Signature) -> None:
    """How to read a table says nothing of sums: its columns were named when they were made."""
    for name, parameter in read.parameters.items():
        if name not in OF_TALLIES and given[name] is not parameter.default:
            raise OptionError(
                Keyword(name),
                " is about reading annotations, and these were read where the sums were made. Say it there.",
            )


def study_of_tallies(paths: Sequence[Path]) -> Study:
    """The study of one tally, or of several together."""
    files = {name: read_tally_file(path) for name, path in _called(paths).items()}
    _refuse_same_bytes(paths)
    _refuse_copies(files)
    if len(files) == 1:
        (file,) = files.values()
        return Study._from_loaded(file.tally.loaded("tally", _of_nobody(files)))
    whole, notes = added_up(files)
    names = Message("tallies", MayBeNames(f": {listing(files, most=12)}", ""))
    return Study._from_loaded(whole.loaded(f"sum of {len(files)} tallies", [names, *notes, *_of_nobody(files)]))


def _called(paths: Sequence[Path]) -> dict[str, Path]:
    """The files by their names, without the ending; by their folders too where two have one name."""
    twice = [str(path) for path in paths if sum(path.resolve() == other.resolve() for other in paths) > 1]
    if twice:
        raise InputError(all_quoted(dict.fromkeys(twice)), " is named twice. Name every tally once.")
    stems = [path.stem for path in paths]
    names = stems if len(set(stems)) == len(stems) else [str(path.with_suffix("")) for path in paths]
    return dict(zip(names, paths, strict=True))


def _refuse_same_bytes(paths: Sequence[Path]) -> None:
    """A copy of a file, whether it tells which items there are or not."""
    seen: dict[str, Path] = {}
    for path in paths:
        before = seen.setdefault(sha256(path.read_bytes()).hexdigest(), path)
        if before is not path:
            raise FileError(path, "It is a copy of ", quoted(str(before)), ", and would count twice. Leave one out.")


def _refuse_copies(files: Mapping[str, TallyFile]) -> None:
    """The same tally again would count twice: of the same items, with the same answers."""
    seen: dict[tuple[Any, ...], str] = {}
    for name, file in files.items():
        before = seen.setdefault(file.tally.identity, name) if file.tally.sketch is not None else name
        if before != name:
            raise FileError(
                f"{name}{ENDING}", "It is the same tally as ", quoted(before), ", and would count twice. Leave one out."
            )


def _of_nobody(files: Mapping[str, TallyFile]) -> list[str]:
    """Where it is not kept who answered what."""
    if any(file.tally.annotations.named for file in files.values()):
        return []
    most = max(file.tally.n_annotators for file in files.values())
    least = "" if len(files) == 1 else "at least "
    return [f"who answered what is not kept: answers of {least}{counted(most, 'annotators')}"]
