"""Whose file is it? The annotator and the item in the paths of an export with one file per annotator and document.

No tool keeps to one layout once people have moved its files: `ana/doc1.ann`, `doc1/ana.tsv`,
`corpus/team 3/ana/doc1.ann`. The files themselves tell. Annotators of one document have the same text before
them, so the annotator is that part of the path without which names repeat and texts are equal. Folders of adjudicators
(curation, gold …) are no annotators: what lies in them is the reference.
"""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import PurePosixPath
from typing import Any, Literal

from accord.errors import FileError, MayBeNames, Message, PeopleNames, all_quoted, counted, quoted, remedy
from accord.readers.file_names import names_a_part
from accord.study.tables.rows import Rows

# Folders and users of tools and teams that decide what others answered.
DECIDES = re.compile(
    r"curat(ion|ed|or)|admin(istrator)?|adjudicat\w*|gold(en|standard)?|consensus|reference|groundtruth"
)
PARTS_OF_NAME = re.compile(r"[-_ .@]+")
FRONT, BACK = re.compile(r"([^-_ .@]+)[-_ .@]+(.+)"), re.compile(r"(.*[^-_ .@]|.)[-_ .@]+([^-_ .@]+)")
CURATOR = "CURATION_USER"  # INCEpTION's name for whoever decides
MOST_NAMED = 6
FILES = ("the name of the file", "the names of the files")

Place = Literal["folder", "file", "front", "back", "nobody"]


def fingerprint(text: str) -> str | None:
    """What equal texts share, blanks aside, which editors change; None of a text without words."""
    words = "".join(text.split())
    return hashlib.sha256(words.encode("utf-8", "surrogatepass")).hexdigest() if words else None


@dataclass(frozen=True)
class Owner:
    """Whose file it is, and which item it is about."""

    item: str
    annotator: str
    is_reference: bool = False

    @property
    def cells(self) -> dict[str, Any]:
        """What every row of the file says."""
        decided = {"kind": "adjudicator", "status": "adjudicated"} if self.is_reference else {}
        return {"item": self.item, "annotator": self.annotator, **decided}


@dataclass(frozen=True)
class Reading:
    """One way to read the paths: which part names the annotator."""

    place: Place
    level: int = 0  # of a folder: its place among those that differ, from the first; below 0 from the last

    def of(self, folders: Sequence[str], stem: str) -> tuple[str, tuple[str, ...]] | None:
        """The annotator and what is left of the path; None where the path has no such part."""
        if self.place == "nobody":
            return "", (*folders, stem)
        if self.place == "file":
            return stem, tuple(folders)
        if self.place == "folder":
            if not -len(folders) <= self.level < len(folders):
                return None
            level = self.level % len(folders)
            return folders[level], (*folders[:level], *folders[level + 1 :], stem)
        found = (FRONT if self.place == "front" else BACK).fullmatch(stem)
        if found is None:
            return None
        head, tail = found.groups()
        return (head, (*folders, tail)) if self.place == "front" else (tail, (*folders, head))


def owners(
    names: Sequence[str],
    text_of: Callable[[str], str | None],
    rows: Rows,
    *,
    called: str,
    usual: Literal["folder", "file"],
    layers: Iterable[str] = (),
) -> dict[str, Owner]:
    """The owner of every file.

    Args:
        names: Paths within the export.
        text_of: The text that a file is about, in a form in which equal texts are equal; None where it is not there.
        rows: Where it is said who was found.
        called: The name of the export, for what the paths do not name.
        usual: Which part the tool itself names after annotators.
        layers: Folders of the tool that name neither annotators nor documents.
    """
    if not names:  # a format that was said, of a folder that holds none of its files
        return {}
    paths = {name: _Path.of(name, frozenset(layers)) for name in names}
    plain = [name for name in names if not paths[name].deciding] or list(names)
    shared = _shared([paths[name].folders for name in plain])
    texts = {name: text_of(name) for name in plain} if len(names) > 1 else dict.fromkeys(plain)
    differing = {name: (paths[name].folders[shared:], paths[name].stem) for name in plain}
    reading = _reading(differing, texts, usual)
    above = paths[plain[0]].folders[:shared]
    outside = above[-1] if above else called
    found = _with_shared_items({name: _owner(reading, paths[name], shared, outside) for name in plain}, texts)
    if any(paths[name].deciding for name in plain):  # in all of them, so that the word alone tells nothing
        found = _judges_among(found, all_decide=all(paths[name].is_tools for name in plain))
    about = {owner.item: texts[name] for name, owner in found.items()}
    decided = [name for name in names if name not in found]
    found |= _decided(decided, paths, shared, outside, about, text_of)
    for name in names:
        if name not in found:  # the word is part of a document's name, or of an annotator's
            owner = _owner(reading, paths[name], shared, outside)
            found[name] = replace(owner, is_reference=_decides(owner.annotator))
    found = {name: found[name] for name in names}
    _check_once(found)
    _tell(rows, reading, found, differing, texts)
    return found


@dataclass(frozen=True)
class _Path:
    folders: tuple[str, ...]  # without the tool's own
    stem: str
    deciding: tuple[str, ...]  # parts that are the names of adjudicators, or may be
    is_tools: bool  # and which the tool itself names so

    @classmethod
    def of(cls, name: str, layers: frozenset[str]) -> _Path:
        path = PurePosixPath(name)
        parts = (*path.parts[:-1], path.stem)
        own = tuple(part for part in parts if (part in layers or part == CURATOR) and _decides(part))
        deciding = own or tuple(part for part in parts if _decides(part))
        return cls(tuple(part for part in parts[:-1] if part not in layers), path.stem, deciding, bool(own))

    @property
    def rest(self) -> list[str]:
        """The path without the adjudicator."""
        return [part for part in (*self.folders, self.stem) if part not in self.deciding]


def _with_shared_items(found: dict[str, Owner], texts: dict[str, str | None]) -> dict[str, Owner]:
    """The same files, without a folder (of a team, say) that keeps apart what is one document by its name and text."""
    deepest = max(owner.item.count("/") for owner in found.values())
    for level in range(deepest):
        shorter = {name: replace(owner, item=_without(owner.item, level)) for name, owner in found.items()}
        seen: dict[str, set[str | None]] = {}
        for name, owner in shorter.items():
            seen.setdefault(owner.item, set()).add(texts[name])
        fewer = len(seen) < len({owner.item for owner in found.values()})
        if fewer and len(set(shorter.values())) == len(found) and all(len(held) == 1 for held in seen.values()):
            return found if None in set().union(*seen.values()) else shorter
    return found


def _without(item: str, level: int) -> str:
    parts = item.split("/")
    return "/".join([*parts[:level], *parts[level + 1 :]]) if level < len(parts) - 1 else item


def _judges_among(found: dict[str, Owner], *, all_decide: bool) -> dict[str, Owner]:
    """The same files, those of annotators who are called adjudicators marked, unless it would be everybody."""
    judged = {
        name: replace(owner, is_reference=all_decide or _decides(owner.annotator)) for name, owner in found.items()
    }
    return found if all(owner.is_reference for owner in judged.values()) and not all_decide else judged


def _owner(reading: Reading, path: _Path, shared: int, outside: str) -> Owner:
    folders = path.folders[shared:]
    who, rest = reading.of(folders, path.stem) or ("", (*folders, path.stem))
    return Owner("/".join(rest) or outside, who or outside)


def _decided(
    names: Sequence[str],
    paths: dict[str, _Path],
    shared: int,
    outside: str,
    about: dict[str, str | None],
    text_of: Callable[[str], str | None],
) -> dict[str, Owner]:
    """The files of adjudicators: they lie where the tool puts them, or are about what annotators marked too."""
    found: dict[str, Owner] = {}
    for name in names:
        path = paths[name]
        item = _item_decided(path.rest, shared, set(about), outside)
        if path.is_tools or (item in about and _may_be_equal(about[item], text_of(name))):
            who = "curation" if path.is_tools else path.deciding[0]
            found[name] = Owner(item, who, is_reference=True)
    known_judges = {owner.annotator for owner in found.values()}
    for name in names:
        path = paths[name]
        if name not in found and path.deciding[0] in known_judges:
            item = _item_decided(path.rest, shared, set(about), outside)
            found[name] = Owner(item, path.deciding[0], is_reference=True)
    return found


def _may_be_equal(one: str | None, other: str | None) -> bool:
    return one is None or other is None or one == other


def _decides(part: str) -> bool:
    """Is it the name of an adjudicator, or of what adjudicators decided?"""
    words = [word for word in PARTS_OF_NAME.split(part.lower()) if word]
    joined = {*words, *("".join(pair) for pair in pairwise(words))}
    return any(DECIDES.fullmatch(word) for word in joined)


def _shared(folders: Sequence[tuple[str, ...]]) -> int:
    """How many folders stand before all files alike."""
    first = folders[0]
    for place, part in enumerate(first):
        if any(len(one) <= place or one[place] != part for one in folders):
            return place
    return len(first)


def _reading(
    paths: dict[str, tuple[tuple[str, ...], str]], texts: dict[str, str | None], usual: Literal["folder", "file"]
) -> Reading:
    """The reading under which most files stand beside another of the same text; else the tool's own."""
    deepest = max((len(folders) for folders, _ in paths.values()), default=0)
    folders = [Reading("folder", level) for level in (*range(deepest), *range(-1, -deepest - 1, -1))]
    by_file = [Reading("file")]
    ways = [*by_file, *folders] if usual == "file" else [*folders, *by_file]
    ways += [Reading("back"), Reading("front"), Reading("nobody")]
    judged = {way: _evidence(way, paths, texts) for way in ways}
    sharing = {way: seen for way, seen in judged.items() if seen is not None and seen[0] > 0}
    if sharing:
        return max(sharing, key=lambda way: (sharing[way], not _names_rounds(way, paths), -ways.index(way)))
    first = Reading("nobody") if not deepest else by_file[0] if usual == "file" else folders[0]
    return first if judged[first] == (0, 0) else Reading("nobody")


def _names_rounds(way: Reading, paths: dict[str, tuple[tuple[str, ...], str]]) -> bool:
    """Are all that would be annotators called like rounds of the work or parts of the data?"""
    found = (way.of(folders, stem) for folders, stem in paths.values())
    return all(read is not None and names_a_part(read[0]) for read in found)


def _evidence(
    way: Reading, paths: dict[str, tuple[tuple[str, ...], str]], texts: dict[str, str | None]
) -> tuple[int, int] | None:
    """How many files have a companion of the same text under this reading, and (below 0) how many of another text."""
    items: dict[tuple[str, ...], list[str | None]] = {}
    without = 0
    for name, (folders, stem) in paths.items():
        read = way.of(folders, stem)
        if read is None:
            without += 1
        else:
            items.setdefault(read[1], []).append(texts[name])
    if without * 2 >= len(paths):  # some files may lie beside the folders of annotators
        return None
    same = other = 0
    for held in items.values():
        if len(held) < 2:
            continue
        known = Counter(text for text in held if text is not None)
        unknown = len(held) - known.total()
        largest = max(known.values(), default=0)
        if largest + unknown >= 2 and (largest >= 2 or way.place == "folder"):
            same += largest + unknown if way.place == "folder" else largest
            other += known.total() - largest
        elif largest:
            other += known.total()
    return same, -other


def _item_decided(parts: list[str], shared: int, items: set[str], outside: str) -> str:
    """The item of a reference, by the name that annotators' files have for it."""
    shorter = parts[shared:] if len(parts) > shared else parts
    tried = [parts, shorter, parts[-1:]]
    tried += [[*kept[:place], *kept[place + 1 :]] for kept in (shorter, parts) for place in range(len(kept))]
    known = [name for one in tried if (name := "/".join(one) or outside) in items]
    return known[0] if known else "/".join(shorter) or outside


def _check_once(found: dict[str, Owner]) -> None:
    first: dict[Owner, str] = {}
    for name, owner in found.items():
        before = first.setdefault(owner, name)
        if before != name:
            raise FileError(
                name,
                "It is of ",
                quoted(owner.annotator),
                " on ",
                quoted(owner.item),
                ", and so is ",
                MayBeNames(before, "another file"),
                ". Keep one of them.",
            )


def _tell(
    rows: Rows,
    reading: Reading,
    found: dict[str, Owner],
    plain: dict[str, tuple[tuple[str, ...], str]],
    texts: dict[str, str | None],
) -> None:
    """Where the annotators' names come from, and who is none."""
    people = list(dict.fromkeys(owner.annotator for owner in found.values() if not owner.is_reference))
    named = PeopleNames(people, MOST_NAMED)
    words = {
        "folder": ("the folder", "the folders"), "file": FILES,
        "front": ("the beginning of the names", "the beginnings of the names"),
        "back": ("the end of the names", "the ends of the names"), "nobody": ("", ""),
    }  # fmt: skip
    if reading.place == "nobody":
        rows.note("nothing in the paths tells annotators apart, so all annotations are one annotator's")
    elif len(plain) > 1:
        evidence = _evidence(reading, plain, texts)
        meet = "" if evidence is not None and evidence[0] else "; no document is with two of them"
        rows.note(Message(f"annotators: from {words[reading.place][len(people) > 1]} ", named, meet))
    _tell_judges(rows, found.values())


def _tell_judges(rows: Rows, found: Collection[Owner]) -> None:
    judges = list(dict.fromkeys(owner.annotator for owner in found if owner.is_reference))
    if judges:
        files = sum(owner.is_reference for owner in found)
        rows.note(
            Message(
                PeopleNames(judges, MOST_NAMED),
                f": {counted(files, 'files')} of an adjudicator, read as the "
                "reference and not as one more annotator's; ",
                remedy(include=["adjudicated"], annotators="all"),
                " compares them as well",
            )
        )


def people(names: Sequence[str], rows: Rows, *, called: str | None = None) -> dict[str, Owner]:
    """Of an export with a file per annotator, whose each file is: by its name, or by its folder where names repeat.

    `called`: whose the only file is, where it is not called after somebody but as the tool calls every one.
    """
    if called is not None and len(names) == 1:
        return {names[0]: Owner("", called)}
    paths = {name: PurePosixPath(name) for name in names}
    stems = {name: path.stem for name, path in paths.items()}
    if len(set(stems.values())) < len(stems):
        shared = _shared([path.parts[:-1] for path in paths.values()])
        folders = {name: "/".join(path.parts[shared:-1]) for name, path in paths.items()}
        both = {name: "/".join([*path.parts[shared:-1], path.stem]) for name, path in paths.items()}
        stems = folders if len(set(folders.values())) == len(folders) and all(folders.values()) else both
    if len(set(stems.values())) < len(stems):
        twice = sorted(who for who, number in Counter(stems.values()).items() if number > 1)
        raise FileError(
            names[0],
            "There is more than one file for ",
            all_quoted(twice),
            " (",
            all_quoted(names, most=4),
            "). Keep one of each.",
        )
    found = {name: Owner("", who, is_reference=_decides(who)) for name, who in stems.items()}
    if all(owner.is_reference for owner in found.values()):
        found = {name: Owner("", who) for name, who in stems.items()}
    if len(names) > 1:
        _tell_judges(rows, found.values())
    return found


def tell_people(rows: Rows, found: Collection[Owner]) -> None:
    """Where the annotators' names come from, where files have them."""
    named = [owner.annotator for owner in found if not owner.is_reference]
    if len(found) > 1:
        rows.note(Message(f"annotators: from {FILES[len(named) > 1]} ", PeopleNames(named, MOST_NAMED)))
