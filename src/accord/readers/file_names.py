"""Whose answers a file holds, by its name: what differs between the names of files that lie together."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import PurePosixPath

TOKEN = re.compile(r"[^_\-. ]+")
# Words of files that are parts of a data set, not people, and of sheets to which nobody gave a name.
PARTS = re.compile(
    r"^(?:(?:batch|part|round|split|fold|week|day|chunk|iteration|phase|stage|pass|version|team|group|train|test|dev"
    r"|valid|validation|data|set|sheet|tabelle|feuil|hoja|foglio|plan)(?:s|es)?)?[0-9]*$|^v[0-9]+$",
    re.IGNORECASE,
)


def people_of(paths: Sequence[str]) -> list[str]:
    """Who each file is called after: by its own name, or by its folder where files of several folders are called alike.

    >>> people_of(["posts_ana.csv", "posts_ben.csv"]), people_of(["x/ana/labels.csv", "x/ben/labels.csv"])
    (['ana', 'ben'], ['ana', 'ben'])
    >>> people_of(["ana.csv", "ben.csv"]), people_of(["annotator1.csv", "annotator2.csv"])
    (['ana', 'ben'], ['annotator1', 'annotator2'])
    """
    stems = [PurePosixPath(path).stem for path in paths]
    if len(set(stems)) == len(stems):
        return _differing(stems)
    folders = [PurePosixPath(path).parent.as_posix() for path in paths]
    return _differing_folders(folders) if len(set(folders)) > 1 else stems


def names_a_part(name: str) -> bool:
    """Is it the name of a part of a data set, not of somebody: batch_1, train, Sheet2?

    >>> names_a_part("batch_1"), names_a_part("Sheet2"), names_a_part("test_ana"), names_a_part("2")
    (True, True, False, False)
    """
    return not name.isdigit() and all(PARTS.match(word) for word in TOKEN.findall(name))


def _differing(names: Sequence[str]) -> list[str]:
    """Names without the words that all of them begin or end with."""
    words = [list(TOKEN.finditer(name)) for name in names]
    least = min(map(len, words))
    same_at = [len({held[place].group() for held in words}) == 1 for place in range(least)]
    before = same_at.index(False) if False in same_at else 0
    from_end = [len({held[-1 - place].group() for held in words}) == 1 for place in range(least)]
    after = from_end.index(False) if False in from_end else 0
    if before + after >= least or len(set(names)) == 1:
        return list(names)
    return [
        name[held[before].start() : held[len(held) - 1 - after].end()] for name, held in zip(names, words, strict=True)
    ]


def _differing_folders(folders: Sequence[str]) -> list[str]:
    """Folders without those that all lie in, and without what all hold."""
    parts = [PurePosixPath(folder).parts for folder in folders]
    least = min(map(len, parts))
    before = next((at for at in range(least) if len({held[at] for held in parts}) > 1), least)
    return ["/".join(held[before : before + 1]) or folder for held, folder in zip(parts, folders, strict=True)]
