"""Where an export lies: a file, a folder or a zip, looked at without being unpacked."""

from __future__ import annotations

import io
import os
import re
import stat
import sys
import zipfile
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from pathlib import Path, PurePosixPath
from typing import IO, Any, Literal

from accord.errors import FileError, MayBeNames, Part, all_quoted, counted, listing, one_of, quoted, remedy
from accord.readers.file_heads import BOM, Glance, glance, marked_encoding

HEAD = 1 << 20  # bytes looked at to find the format
ALL_HEADS = 128 << 20  # bytes looked at, and kept, of all files together: of thousands, less of each
LEAST_HEAD = 4 << 10
LONG_HEAD = 16 << 20  # where the first record is longer
MOST_NAMES = 200_000  # files in a folder or zip
MOST_BYTES = 16 << 30  # a zip that claims to hold more is refused
MOST_RATIO = 200  # and one of whose files claims to have been packed more tightly than exports are
AT_LEAST = 16 << 20  # bytes that any file may claim, however tightly it is packed
ALL_AT_LEAST = 256 << 20  # and all files together
STDIN = "-"
TEXTS = (".csv", ".tsv", ".json", ".jsonl", ".ndjson", ".xml", ".xmi", ".ann")
DATA = (
    *TEXTS, ".parquet", ".arrow", ".xlsx", ".ods", ".sav", ".zsav", ".dta", ".zip",
)  # fmt: skip
# What people put beside an export: it says something of the data and holds none.
ABOUT = re.compile(
    r"(?i)(readme|licen[cs]e|changelog|citation|notice|guidelines?|codebook)(\.(txt|html?))?"
    r"|.+\.(md|rst|pdf|docx?|py|ipynb|r|sh)|thumbs\.db|desktop\.ini"
)


class Source:
    """A file, a folder or a zip; `names` are the files in it, in order, `about` those that only tell of the others.

    `no_files` are names in a folder behind which there is nothing to read, with what is there.

    What comes through a pipe, or out of a zip, is `held` in memory: it can be read only once, or lies nowhere.
    """

    def __init__(self, path: str | Path, held: bytes | None = None, encoding: str | None = None) -> None:
        self.path = Path(path)
        self._encoding = encoding  # that somebody said
        self.held = held
        self._glances: dict[str, Glance] = {}
        self.books: dict[str, Any] = {}  # workbooks that were opened, by their names
        self.no_files: dict[str, str] = {}
        self._opened: set[str] = set()
        self.kind: Literal["file", "folder", "zip"]
        self.names: tuple[str, ...]
        try:
            if held is None and is_stream(self.path):
                self.path, self.held = _drained(self.path)
            if self.held is not None:
                self.kind, self.names = ("zip", self._zip_names()) if self._is_zip() else ("file", (self.path.name,))
            elif self.path.is_dir():
                self.kind, self.names = "folder", self._folder()
            elif not self.path.exists():
                raise _not_there(self.path)
            elif self._is_zip():
                self.kind, self.names = "zip", self._zip_names()
            else:
                self.kind, self.names = "file", (self.path.name,)
        except OSError as problem:
            raise FileError(self.path, f"It cannot be opened: {problem.strerror or type(problem).__name__}.") from None
        if not self.names:
            besides = (", but ", *told_no_files(self.no_files)) if self.no_files else ()
            raise FileError(self.path, f"The {self.kind} holds no files", *besides, ".")
        self.about = _about(self.names) if self.kind != "file" else ()
        passed = set(self.about)
        self.names = tuple(name for name in self.names if name not in passed)

    @property
    def name(self) -> str:
        """What the study is called: the name without its ending."""
        return self.path.name if self.kind == "folder" else self.path.stem

    @property
    def only(self) -> str | None:
        """The name of the only file, if there is just one."""
        return self.names[0] if len(self.names) == 1 else None

    @property
    def data(self) -> list[str]:
        """The files with data, without pictures, lists of labels and the like; all where there are none."""
        return self.ending(*DATA) or list(self.names)

    def ending(self, *suffixes: str) -> list[str]:
        """The names with one of these endings."""
        return [name for name in self.names if PurePosixPath(name).suffix.lower() in suffixes]

    def where(self, name: str) -> str:
        """How a file is called in messages."""
        return self.path.name if self.kind == "file" else f"{self.path.name}/{name}"

    def size(self, name: str) -> int:
        """Bytes in a file."""
        if self.kind == "zip":
            return self._archive.getinfo(name).file_size
        return len(self.held) if self.held is not None else self._on_disk(name).stat().st_size

    def open(self, name: str) -> IO[bytes]:
        """A file, to be read as bytes."""
        self._opened.add(name)
        try:
            if self.kind == "zip":
                return io.BytesIO(self._unzipped(name, MOST_BYTES))
            return io.BytesIO(self.held) if self.held is not None else self._on_disk(name).open("rb")
        except OSError as problem:
            raise FileError(
                self.where(name), f"It cannot be opened: {problem.strerror or type(problem).__name__}."
            ) from None

    def content(self, name: str) -> bytes:
        """The whole of a file."""
        with self.open(name) as stream:
            return stream.read()

    def text(self, name: str, encoding: str | None = None) -> str:
        """The whole of a file as text."""
        return decoded(self.content(name), self.where(name), encoding)

    def glance(self, name: str) -> Glance:
        """The beginning of a file, looked at once."""
        if name not in self._glances:
            most = max(min(HEAD, ALL_HEADS // len(self.names)), min(HEAD, LEAST_HEAD))
            head = self.head(name, most)
            seen = glance(head, cut=len(head) >= most, encoding=self._encoding)
            if seen.cut:  # the first record is longer than the glance, and it says what the file is
                head = self.head(name, LONG_HEAD)
                long = glance(head, cut=len(head) >= LONG_HEAD, encoding=self._encoding)
                seen = replace(long, text=seen.text)
            self._glances[name] = seen
        return self._glances[name]

    def head(self, name: str, most: int | None = None) -> bytes:
        """The first bytes of a file."""
        most = HEAD if most is None else most
        if self.kind == "zip":
            return self._unzipped(name, most)
        if self.held is not None:
            return self.held[:most]
        try:
            with self._on_disk(name).open("rb") as stream:
                return stream.read(most)
        except OSError as problem:
            raise FileError(
                self.where(name), f"It cannot be opened: {problem.strerror or type(problem).__name__}."
            ) from None

    def mentions(self, name: str, words: Iterable[str]) -> bool:
        """Does a file that is longer than the glance hold all these words somewhere?"""
        if self.size(name) <= HEAD:
            return False
        if self.kind == "zip":
            data = self._unzipped(name, MOST_BYTES)
        else:
            data = self._on_disk(name).read_bytes() if self.held is None else self.held
        return all(word.encode() in data for word in words)

    @property
    def passed_over(self) -> list[str]:
        """The files with data that nobody has opened: they are no part of the export that was read."""
        return self._unopened(*DATA)

    @property
    def texts_passed_over(self) -> list[str]:
        """Texts that nobody has opened: lists of labels, notes."""
        return self._unopened(".txt")

    @property
    def no_texts(self) -> list[str]:
        """Files that nobody has opened, as they hold NUL characters, though others with their endings were."""
        read = {PurePosixPath(name).suffix.lower() for name in self._opened}
        return [name for name in self._unopened(*(read & set(TEXTS))) if self.glance(name).form == "binary"]

    def _unopened(self, *suffixes: str) -> list[str]:
        return [name for name in self.ending(*suffixes) if name not in self._opened]

    def set_aside(self, names: Iterable[str]) -> None:
        """These files belong to the export, and there is nothing to be read in them."""
        self._opened.update(names)

    def beside(self, name: str) -> Path | None:
        """Where a file lies, so that what belongs to it can be looked for beside it; None where it lies nowhere."""
        return None if self.held is not None or self.kind == "zip" else self._on_disk(name)

    def single(self, name: str) -> Source:
        """One file of a folder or zip, as if it had been given alone."""
        if self.kind == "folder":
            return Source(self.path / name, encoding=self._encoding)
        return self if self.kind == "file" else Source(name, self._unzipped(name, MOST_BYTES), self._encoding)

    @cached_property
    def _archive(self) -> zipfile.ZipFile:
        """The zip, opened once: its list of files is read whenever it is opened."""
        return zipfile.ZipFile(self.path if self.held is None else io.BytesIO(self.held))

    def _on_disk(self, name: str) -> Path:
        return self.path if self.kind == "file" else self.path / name

    def _folder(self) -> tuple[str, ...]:
        names: list[tuple[str, ...]] = []
        for folder, folders, files in os.walk(self.path, onerror=self._refuse_closed):
            folders[:] = [name for name in folders if not _hidden((name,))]
            parts = Path(folder).relative_to(self.path).parts
            links = [name for name in folders if Path(folder, name).is_symlink()]  # which are not followed
            for name in [name for name in files if not _hidden((name,))] + links:
                if Path(folder, name).is_file():
                    names.append((*parts, name))
                else:
                    self.no_files["/".join((*parts, name))] = _in_place_of_a_file(Path(folder, name))
            if len(names) > MOST_NAMES:  # looked at on the way: a whole disk is not walked first
                raise FileError(
                    self.path,
                    f"The folder holds more than {MOST_NAMES:,} files. Name the folder of the export, or a file in it.",
                )
        return tuple("/".join(parts) for parts in sorted(names))

    def _refuse_closed(self, problem: OSError) -> None:
        """A folder within this one that may not be looked into: somebody's answers may be there."""
        place = Path(problem.filename)
        if place == self.path:
            raise problem
        called = f"{self.path.name}/{place.relative_to(self.path).as_posix()}"
        raise FileError(called, f"The folder cannot be opened: {problem.strerror or type(problem).__name__}.")

    def _is_zip(self) -> bool:
        with self.path.open("rb") if self.held is None else io.BytesIO(self.held) as stream:
            if stream.read(4) not in (b"PK\x03\x04", b"PK\x05\x06"):
                return False
        try:
            names = set(self._archive.namelist())  # a workbook is a zip and is read as a file
            return "[Content_Types].xml" not in names and not {"mimetype", "content.xml"} <= names
        except (zipfile.BadZipFile, NotImplementedError, ValueError) as problem:
            raise FileError(
                self.path, "It begins as a zip and cannot be read as one: ", MayBeNames(str(problem)), "."
            ) from None

    def _zip_names(self) -> tuple[str, ...]:
        members = files_in(self.path, self._archive.infolist())
        check_members(self.path, members)
        return tuple(sorted(member.filename for member in members if not _hidden(Path(member.filename).parts)))

    def _unzipped(self, name: str, most: int) -> bytes:
        return unzipped(self._archive, name, most, self.path.name)

    def __iter__(self) -> Iterator[str]:
        return iter(self.names)


def _about(names: Sequence[str]) -> tuple[str, ...]:
    """The files that only tell of the others; none where all do, and none that is the text of one that marks it."""
    texts = {PurePosixPath(name).stem for name in names if PurePosixPath(name).suffix.lower() in DATA}
    paths = map(PurePosixPath, names)
    found = tuple(str(path) for path in paths if ABOUT.fullmatch(path.name) and path.stem not in texts)
    return found if len(found) < len(names) else ()


def is_stream(path: Path) -> bool:
    """Is it standard input, or a pipe, which can be read once and from its beginning only?"""
    return str(path) == STDIN or path.is_fifo() or path.is_socket() or (path.is_char_device() and path.exists())


def _drained(path: Path) -> tuple[Path, bytes]:
    """What comes through a pipe, and what it is called in messages."""
    if str(path) != STDIN:
        called = "stdin" if path.name in ("stdin", "0") else "pipe" if path.name.isdigit() else path.name
        with path.open("rb") as stream:
            return Path(called), _all_of(stream, called)
    if sys.stdin is None or sys.stdin.closed:
        raise FileError("stdin", "There is no standard input to read from.")
    return Path("stdin"), _all_of(sys.stdin.buffer, "stdin")


def _all_of(stream: IO[bytes], called: str) -> bytes:
    """What comes through a pipe, from a terminal or out of nowhere; a device that never ends is no file."""
    try:
        about = os.fstat(stream.fileno())
    except OSError:  # in the memory of this process
        return stream.read()
    if stat.S_ISCHR(about.st_mode) and not stream.isatty() and not os.path.samestat(about, Path(os.devnull).stat()):
        raise FileError(called, "It is a device, which may never end. Name a file, a folder or a pipe.")
    return stream.read()


def files_in(path: Path, listed: list[zipfile.ZipInfo]) -> list[zipfile.ZipInfo]:
    """The files of a zip, without its folders; each must have a name."""
    if any(not member.filename for member in listed):
        raise FileError(path, "The zip is damaged: it holds a file without a name.")
    return [member for member in listed if not member.is_dir()]


def check_members(path: Path, members: list[zipfile.ZipInfo]) -> None:
    """Refuse a zip that climbs out of its folder, is locked, or claims sizes that cannot be."""
    if len(members) > MOST_NAMES:
        raise FileError(path, f"The zip holds {len(members):,} files; at most {MOST_NAMES:,} are read.")
    for member in members:
        parts = PurePosixPath(member.filename.replace("\\", "/")).parts
        if ".." in parts or member.filename.startswith(("/", "\\")) or re.match(r"[A-Za-z]:", member.filename):
            raise FileError(path, "The zip holds a file that climbs out of its folder: ", quoted(member.filename), ".")
        if member.flag_bits & 0x1:
            raise FileError(
                path, "The file ", quoted(member.filename), " in the zip is locked with a password. Unlock it."
            )
        if member.file_size > MOST_RATIO * max(member.compress_size, 1) + AT_LEAST:
            raise FileError(
                path,
                quoted(member.filename),
                f" claims {member.file_size:,} bytes out of {member.compress_size:,}: "
                "no export is packed so tightly. Unpack it with a tool you trust and read the folder.",
            )
    total, packed = sum(member.file_size for member in members), sum(member.compress_size for member in members)
    if total > MOST_BYTES:
        raise FileError(path, f"The zip claims {total:,} bytes; at most {MOST_BYTES:,} are read.")
    if total > MOST_RATIO * packed + ALL_AT_LEAST:
        raise FileError(
            path,
            f"Its {len(members):,} files claim {total:,} bytes out of {packed:,}: no export is packed so tightly. "
            "Unpack it with a tool you trust and read the folder.",
        )


class NestedZip:
    """A zip within an export."""

    def __init__(self, data: bytes, where: str) -> None:
        self.where = where
        try:
            self._archive = zipfile.ZipFile(io.BytesIO(data))
            listed = self._archive.infolist()
        except (zipfile.BadZipFile, NotImplementedError, ValueError, OSError) as problem:
            raise FileError(where, "It cannot be read as a zip: ", MayBeNames(str(problem)), ".") from None
        members = files_in(Path(where), listed)
        check_members(Path(where), members)
        self.names = [member.filename for member in members]

    def content(self, name: str) -> bytes:
        """The whole of a file in it."""
        return unzipped(self._archive, name, MOST_BYTES, self.where)


def unzipped(archive: zipfile.ZipFile, name: str, most: int, called: str) -> bytes:
    """The first bytes of a file in a zip; one that holds more than it says is refused."""
    where = f"{called}/{name}"
    try:
        with archive.open(name) as stream:
            size = archive.getinfo(name).file_size
            data = stream.read(min(most, size + 1))
            if len(data) < min(size, most) or (len(data) > size) or (most > size and stream.read(1)):
                raise FileError(where, f"The zip says {size:,} bytes, and there are others.")
            return data
    except (zipfile.BadZipFile, EOFError, OSError, NotImplementedError, RuntimeError, KeyError, ValueError) as problem:
        if isinstance(problem, FileError):
            raise
        raise FileError(where, "It cannot be unpacked: ", MayBeNames(str(problem)), ".") from None
    except Exception as problem:  # the decompressors raise errors of their own (zlib.error, lzma.LZMAError)
        if type(problem).__module__ in ("zlib", "lzma", "_lzma", "struct"):
            raise FileError(where, "It cannot be unpacked: ", MayBeNames(str(problem)), ".") from None
        raise


def decoded(data: bytes, where: str, encoding: str | None = None) -> str:
    """Bytes as text, without a mark at its beginning: UTF-8, UTF-16 or UTF-32 by that mark, or what the caller says."""
    encoding = encoding or marked_encoding(data) or "utf-8"
    try:
        return data.decode(encoding).removeprefix(BOM)
    except UnicodeDecodeError as problem:
        raise other_encoding(where, problem, line=data.count(b"\n", 0, problem.start) + 1) from None
    except (LookupError, UnicodeError):
        known = remedy(encoding=one_of("utf-8", "cp1252", "utf-16"))
        raise FileError(
            where, "There is no encoding ", quoted(encoding), ". Give one that there is: ", known, "."
        ) from None


def other_encoding(where: str, problem: UnicodeDecodeError, line: int) -> FileError:
    """The error for bytes that are not in the encoding in which a file is read."""
    return FileError(
        where,
        f"The byte {problem.object[problem.start]:#04x} is not {problem.encoding.upper()}. If the file was written in "
        "another encoding, say it: ",
        remedy(encoding=one_of("cp1252", "utf-16")),
        " (cp1252 is Western Windows).",
        line=line,
    )


def _hidden(parts: tuple[str, ...]) -> bool:
    return any(part.startswith((".", "__MACOSX")) for part in parts)


def _in_place_of_a_file(path: Path) -> str:
    """What is there under a name of a folder that is no file; in the plural, as it is counted."""
    if path.is_dir():
        return "linked folders"
    if not path.exists():
        return "broken links"
    return "pipes" if path.is_fifo() else "sockets" if path.is_socket() else "devices"


def told_no_files(found: Mapping[str, str]) -> tuple[Part, ...]:
    """What stands in a folder in place of files, by kinds, and the first names."""
    kinds = Counter(found.values())
    by_kind = ", ".join(counted(number, kind) for kind, number in sorted(kinds.items()))
    return by_kind, MayBeNames(f": {listing(sorted(found), most=3)}", "")


def _not_there(path: Path) -> FileError:
    """The error for a path where nothing is, with what is called alike beside it."""
    parent = path.parent
    if not parent.is_dir():
        return FileError(
            path, "There is no such file or folder (the folder ", quoted(parent.name), " does not exist either)."
        )
    from difflib import get_close_matches

    near = get_close_matches(path.name, [found.name for found in parent.iterdir()], 3)
    hint = (" Did you mean ", all_quoted(near), "?") if near else ()
    return FileError(path, "There is no such file or folder.", *hint, available=near)
