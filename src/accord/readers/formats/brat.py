"""brat: folders of .ann beside .txt, one of an annotator's documents each."""

from __future__ import annotations

import re
from itertools import pairwise
from pathlib import PurePosixPath
from typing import Any

from accord.annotations.left_out import Reason
from accord.errors import FileError, quoted
from accord.readers import annotator_paths
from accord.readers.found_format import Found
from accord.readers.source import Source
from accord.study.tables.rows import ReadOptions, Rows

NAME = "brat"
PLACE = r"\d{1,15} \d{1,15}"
ENTITY = re.compile(rf"(T\S+)\t(\S+) ({PLACE}(?:;{PLACE})*)(?:\t(.*))?")
RELATION = re.compile(r"(R\S+)\t(\S+) Arg1:(\S+) Arg2:(\S+)")
ATTRIBUTE = re.compile(r"([AM]\S+)\t(\S+) (\S+)(?: +(\S.*))?")
EVENT = re.compile(r"(E\S+)\t([^\s:]+):(T\S+)((?: [^\s:]+:\S+)*)")
NORMAL = re.compile(r"(N\S+)\t(\S+) (\S+) (\S+)(?:\t.*)?")
EQUAL = re.compile(r"\*\t(\S+)((?: \S+){2,})")


def sniff(source: Source) -> Found | None:
    """Files that end in .ann."""
    files = source.ending(".ann")
    if not files:
        return None
    if source.kind == "file" and not re.match(r"[TREAMN#*]\S*\t", source.glance(files[0]).first_line):
        return None
    return Found(NAME, f"{len(files)} {'file' if len(files) == 1 else 'files'} of standoff annotations (.ann)")


def read(source: Source, options: ReadOptions) -> Rows:
    """Spans as task 'entities', relations, events, and attributes of spans as tasks of their own."""
    rows = Rows("brat folder", options)
    files = source.ending(".ann")
    texts = _Texts(source, options)
    owners = annotator_paths.owners(files, texts.fingerprint, rows, called=source.name, usual="folder")
    for name, owner in owners.items():
        with rows.guarding():
            lines, text = source.text(name, options.encoding), texts.of(name)
            rows.document(owner.item, text)
            _Standoff(source.where(name), lines, text, rows, owner.cells).read()
            rows.done_with(**owner.cells)
    rows.add_empty_answers()
    return rows


class _Texts:
    """The texts that were annotated: beside the annotations or, where they are kept once for all, somewhere else."""

    def __init__(self, source: Source, options: ReadOptions) -> None:
        self.source, self.options = source, options
        self.names = set(source.ending(".txt"))
        self.read: dict[str, str] = {}  # once, however many annotators a text has
        self.called: dict[str, list[str]] = {}
        self.within: dict[PurePosixPath, list[str]] = {}
        for path in map(PurePosixPath, self.names):
            self.called.setdefault(path.stem, []).append(path.as_posix())
            self.within.setdefault(path.parent, []).append(path.as_posix())

    def of(self, name: str) -> str | None:
        """The text of an .ann file; None where the export does not have it."""
        beside = name.removesuffix(PurePosixPath(name).suffix) + ".txt"
        elsewhere = self.called.get(PurePosixPath(name).stem, ())
        alone = self.within.get(PurePosixPath(name).parent, ())  # a folder of one document and all its annotators
        found = beside if beside in self.names else next((one[0] for one in (elsewhere, alone) if len(one) == 1), None)
        if found is not None and found not in self.read:
            self.read[found] = self.source.text(found, self.options.encoding).replace("\r\n", "\n")
        return None if found is None else self.read[found]

    def fingerprint(self, name: str) -> str | None:
        """What tells the text from others."""
        text = self.of(name)
        return None if text is None else annotator_paths.fingerprint(text)


class _Standoff:
    """One .ann file."""

    def __init__(self, where: str, lines: str, text: str | None, rows: Rows, cells: dict[str, Any]) -> None:
        self.where, self.lines, self.text, self.rows, self.cells = where, lines.split("\n"), text, rows, cells
        self.spans: dict[str, tuple[int, int]] = {}
        self.events: dict[str, str] = {}  # an event and its trigger

    def read(self) -> None:
        """Spans first, then events: the others point at them."""
        later: list[tuple[int, str]] = []
        for number, line in enumerate((line.rstrip("\r") for line in self.lines), start=1):
            if not line.strip():
                continue
            if line[0] == "T":
                self._entity(line, number)
            elif line[0] in "RAMEN*":
                later.append((number, line.rstrip()))
            elif line[0] == "#":
                self.rows.left_out.add(Reason.UNREAD_NOTE, 1)
            else:
                raise self._wrong(number, line)
        for number, line in later:
            if line[0] == "E":
                event, _, trigger, _ = self._matched(EVENT, number, line)
                self.events[event] = trigger
        kinds = {"R": self._relation, "E": self._event, "N": self._normal, "*": self._equal}
        for number, line in later:
            kinds.get(line[0], self._attribute)(line, number)
        if not self.spans:
            self.rows.add("spans", task="entities", **self.cells)

    def _matched(self, pattern: re.Pattern[str], number: int, line: str) -> tuple[str, ...]:
        found = pattern.fullmatch(line)
        if found is None:
            raise self._wrong(number, line)
        return found.groups("")

    def _wrong(self, number: int, line: str) -> FileError:
        return FileError(self.where, "It is no standoff annotation: ", quoted(line[:60]), ".", line=number)

    def _entity(self, line: str, number: int) -> None:
        found = ENTITY.fullmatch(line)
        if found is None:
            raise self._wrong(number, line)
        name, label, places, covered = found.groups()
        fragments = [tuple(map(int, place.split())) for place in places.split(";")]
        if any(start > end for start, end in fragments):
            raise self._wrong(number, line)
        if len(fragments) > 1:
            self._check_fragments(fragments, covered, number)
            covered = None
        whole = _joined(fragments)
        start, end = whole[0][0], whole[-1][1]
        self.spans[name] = (start, end)
        pieces = ";".join(f"{first} {last}" for first, last in whole) if len(whole) > 1 else None
        self.rows.span(self.text, start, end, covered, label=label, task="entities", fragments=pieces, **self.cells)

    def _check_fragments(self, fragments: list[tuple[int, ...]], covered: str | None, number: int) -> None:
        if self.text is None or covered is None:
            return
        pieces = " ".join(self.text[start:end] for start, end in fragments)
        if pieces.split() != covered.split():
            raise FileError(
                self.where,
                "The span covers ",
                quoted(pieces),
                " in the text, and the file says ",
                quoted(covered),
                ".",
                line=number,
            )

    def _place(self, name: str, number: int, line: str) -> tuple[int, int]:
        """Where a span lies, or the trigger of an event."""
        name = self.events.get(name, name)
        if name not in self.spans:
            raise FileError(
                self.where, quoted(name), " is not a span of this file: ", quoted(line[:60]), ".", line=number
            )
        return self.spans[name]

    def _relation(self, line: str, number: int) -> None:
        _, label, one, other = self._matched(RELATION, number, line)
        head, child = self._place(one, number, line), self._place(other, number, line)
        self.rows.relation(head, child, label=label, task="relations", **self.cells)

    def _event(self, line: str, number: int) -> None:
        """From the trigger to each argument, by its role; the trigger itself is among the spans."""
        _, kind, trigger, roles = self._matched(EVENT, number, line)
        head = self._place(trigger, number, line)
        for role, name in (part.split(":", 1) for part in roles.split()):
            plain = role.rstrip("0123456789") or role  # Theme2 is the second Theme
            child = self._place(name, number, line)
            self.rows.relation(head, child, label=f"{kind}:{plain}", task="events", **self.cells)

    def _equal(self, line: str, number: int) -> None:
        """Spans that are one and the same thing: each with the next."""
        label, names = self._matched(EQUAL, number, line)
        places = sorted(self._place(name, number, line) for name in names.split())
        for head, child in pairwise(places):
            self.rows.relation(head, child, label=label, task="equivalences", **self.cells)

    def _normal(self, line: str, number: int) -> None:
        """What a span stands for, in a catalogue."""
        _, name, target, reference = self._matched(NORMAL, number, line)
        start, end = self._place(target, number, line)
        self.rows.add("spans", label=reference, task=name, start=start, end=end, **self.cells)

    def _attribute(self, line: str, number: int) -> None:
        _, name, target, value = self._matched(ATTRIBUTE, number, line)
        if target.startswith("R"):
            self.rows.left_out.add(Reason.OF_RELATION, 1)
            return
        start, end = self._place(target, number, line)
        self.rows.add("spans", label=value or "yes", task=name, start=start, end=end, **self.cells)


def _joined(pieces: list[tuple[int, ...]]) -> list[tuple[int, int]]:
    """The pieces of a span from left to right, those that overlap or touch as one."""
    found: list[tuple[int, int]] = []
    for start, end in sorted(pieces):
        if found and start <= found[-1][1]:
            found[-1] = (found[-1][0], max(end, found[-1][1]))
        else:
            found.append((start, end))
    return found
