"""Is a file of decisions about this study? What it says of its own study is compared before a row is written."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from accord.errors import FileError, OwnWords, Part, all_quoted, remedy
from accord.study.study import Study
from accord.workbench.item_view import ItemView
from accord.workbench.written_answers import read_back, written

SUCH_AS = 5  # items that a log names when it is opened
NAMED = 3  # of them in a message


@dataclass(frozen=True)
class StudyMark:
    """What tells a study, and its version: the same annotations have the same."""

    version: str
    kind: str
    labels: tuple[Any, ...]
    items: int
    such_as: tuple[str, ...]

    @classmethod
    def of(cls, study: Study) -> StudyMark:
        """The mark of a study."""
        digest = hashlib.blake2b(digest_size=8)
        for column in study._annotations.rows:
            digest.update(np.ascontiguousarray(column).data)
        digest.update(repr((study.labels, study.annotators, len(study.items))).encode("utf-8", "backslashreplace"))
        names = tuple(written(study.items[place]) for place in range(min(SUCH_AS, len(study.items))))
        return cls(digest.hexdigest(), study.kind, study.labels, len(study.items), names)

    def summary(self) -> dict[str, Any]:
        """What the log keeps of it."""
        return {"kind": self.kind, "labels": list(self.labels), "items": self.items, "such_as": list(self.such_as)}


def refuse_other_study(
    path: Path,
    mark: StudyMark,
    view: ItemView,
    opened: Sequence[Mapping[str, Any]],
    strange: Sequence[str],
    known: bool,
) -> None:
    """An error where a log belongs to another study, or to another variable of it."""
    named = [*strange, *(name for opening in opened for name in opening.get("such_as", ()))]
    if named and not known and all(view.place(name) is None for name in named):
        raise _other(path, "of items such as ", _some(named), ", while this one has such as ", _some(mark.such_as))
    for opening in opened[-1:]:
        before = opening.get("labels", [])
        if opening.get("kind") != mark.kind:
            kinds = OwnWords([str(opening.get("kind"))]), ", while here they are ", OwnWords([mark.kind])
            raise _other(path, "whose answers are of the kind ", *kinds)
        if before and mark.labels and not set(map(str, before)) & set(map(str, mark.labels)):
            raise _other(
                path, "whose labels are ", all_quoted(before), ", while here they are ", all_quoted(mark.labels)
            )


def _some(names: Sequence[str]) -> Part:
    """A few items, as they are called."""
    return all_quoted(read_back(name) for name in list(dict.fromkeys(names))[:NAMED])


def _other(path: Path, *how: Part) -> FileError:
    return FileError(
        path.name,
        "It holds decisions of another study, ",
        *how,
        ". It stays as it is; name another file: ",
        remedy(decisions=...),
        ".",
    )
