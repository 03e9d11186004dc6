"""A file or a folder that appears whole or not at all: written beside its name, flushed to the disk, then renamed."""

from __future__ import annotations

import atexit
import errno
import os
import platform
import re
import secrets
import shutil
import time
import zlib
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from pathlib import Path

from accord.engine.swapping import moved_to_free, swapped
from accord.errors import InputError, Keyword, OptionError, Part, quoted

NAME_BYTES = 120  # of the target's name in that of the half file; file systems take names of up to 255
HERE = f"{zlib.crc32(platform.node().encode()):08x}"  # this machine: its processes can be asked for
LEFT = re.compile(
    rf"\..+\.{HERE}-(\d+)(?:-(\d+))?-[0-9a-f]{{4,8}}\.(?:part|before)", re.DOTALL
)  # process, when it began
BEFORE = ".before"  # the ending of a folder that was moved aside for another
NO_FILE = "it is a pipe or a device, whose place a file would take. Name a file"
OLD = 3600  # seconds without a change
# As engines pass it on; the last is what Polars says where the end of a Parquet file does not fit.
FULL = ("No space left on device", "Disk quota exceeded", "File too large", "Invalid thrift: transport error")
# As a disk says that no file of it has two names.
ONE_NAME = (errno.EPERM, errno.ENOSYS, errno.ENOTSUP, errno.EOPNOTSUPP, errno.EMLINK, errno.EINVAL)
_FREE: ContextVar[set[str] | None] = ContextVar("names that nothing had when somebody looked", default=None)
_BEGUN: dict[Path, int] = {}  # half files that are being written, or that an interrupt has left, and by which process


def path_of(given: object, option: str = "path") -> Path:
    """Where something is to be written, as a path; refuses what names no file.

    >>> path_of("gold.csv").name
    'gold.csv'
    >>> path_of(3, "key")
    Traceback (most recent call last):
        ...
    accord.errors.OptionError: key must be the path of a file; got 3.
    """
    if not isinstance(given, str | Path) or not str(given):
        raise OptionError.must(option, "be the path of a file", given)
    try:
        os.fsencode(given)
    except UnicodeEncodeError:  # half a character, of a text that was cut
        raise OptionError.must(option, "be the path of a file, which has no half characters", given) from None
    return Path(given)


def check_target(target: Path) -> None:
    """Refuse, before any work is done, a place where no file can be written; a folder that is not there is not made."""
    if "\0" in str(target):
        raise _refused(target, "no file has a name with a NUL character in it")
    try:
        problem = _obstacle(target)
    except OSError as refused:  # the system knows no such place: a name may be too long
        problem = (str(refused.strerror),)
    if problem:
        raise _refused(target, *problem)


def _obstacle(target: Path) -> tuple[Part, ...]:
    """Why no file can be written there; empty where one can."""
    wanted = target.absolute().parent
    folder = next(place for place in target.absolute().parents if place.exists())
    if target.is_dir():
        return ("it is a folder",)
    if _is_no_file(target):
        return (NO_FILE,)
    if not folder.is_dir():
        return quoted(folder.name), " is no folder"
    if not os.access(folder, os.W_OK | os.X_OK):
        return "nothing may be written into ", quoted(folder.name or str(folder))
    if folder != wanted:
        return "there is no folder ", quoted(str(target.parent)), ". Make it first, or write elsewhere"
    return ()


def _is_no_file(target: Path) -> bool:
    """Is it a pipe, a socket or a device? Written beside it and renamed, a file would take its place."""
    try:
        return target.exists() and not target.is_file() and not target.is_dir()
    except OSError:
        return False


def _refused(target: Path, *problem: Part) -> InputError:
    """The error for a place where no file can be written."""
    return InputError(quoted(target.name), " cannot be written: ", *problem, ".", option=Keyword("path", str(target)))


def is_free(target: Path) -> bool:
    """Is there nothing of this name? Under one that the disk does not take there is not."""
    try:
        return not target.exists()
    except (OSError, ValueError):
        return True


@contextmanager
def replacing_nothing_that_appears() -> Iterator[None]:
    """What is found within to be free (`found_free`) is still so when it is written, or it is not written."""
    before = _FREE.set(set())
    try:
        yield
    finally:
        _FREE.reset(before)


def found_free(target: Path) -> None:
    """Nothing has this name: what appears under it until it is written is somebody else's, and stays."""
    held = _FREE.get()
    if held is not None:
        held.add(os.path.realpath(target))


@contextmanager
def whole(target: Path, *, free: bool = False) -> Iterator[Path]:
    """A file beside the target that takes its place when it is whole: an interrupt leaves no half file.

    Where nothing had its name (`free`, or see `found_free`), whatever has it by then stays, and that is an error.
    Each writer has a half file of its own, so that threads and processes may write one target: the last one stands.
    What a killed process left behind is removed by the next one on this machine that writes the same target, or, after
    an hour, anything into the same folder.
    """
    if "\0" in str(target):
        check_target(target)
    if _is_no_file(target):
        raise _refused(target, NO_FILE)
    try:
        place = target.resolve() if target.is_symlink() else target  # the file behind a link, not the link
    except OSError as problem:  # a name that is too long
        raise _not_written(target, problem) from None
    _remove_left_behind(place)
    free = free or os.path.realpath(place) in (_FREE.get() or ())
    who = "-".join(filter(None, (str(os.getpid()), _began(os.getpid()))))
    half = place.with_name(f"{_start(place)}.{HERE}-{who}-{secrets.token_hex(4)}.part")
    _BEGUN[half] = os.getpid()
    try:
        yield half
        if place.is_file():  # what only its owner may read stays so
            half.chmod(half.stat().st_mode & place.stat().st_mode)
        for written in _within(half):
            _flush(written)
        if free:
            _put_where_nothing_is(half, place)
            (_FREE.get() or set()).discard(os.path.realpath(place))  # from here on it is ours
        elif half.is_dir() and place.is_dir():
            _exchange_folders(half, place)
        else:
            half.replace(place)
        _flush(place.parent)
    except FileExistsError as problem:
        raise (_appeared(target, may_force=not half.is_dir()) if free else _not_written(target, problem)) from None
    except OSError as problem:
        raise _not_written(target, problem) from None
    except Exception as problem:
        if any(words in str(problem) for words in FULL):  # an engine's own words for a full disk
            raise _not_written(target, OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))) from None
        raise
    finally:
        _removed(half)
        _BEGUN.pop(half, None)


@atexit.register
def remove_begun() -> None:
    """What an interrupt has left that fell between what was written and its removal: it goes with the process."""
    for half, process in list(_BEGUN.items()):
        if process == os.getpid():  # a copy of this process leaves those of the first one alone
            with suppress(OSError):
                _removed(half)
                _BEGUN.pop(half, None)


def _within(half: Path) -> Iterator[Path]:
    """What was written: the file, or every file and folder within the folder, and then itself."""
    if half.is_dir():
        yield from half.rglob("*")
    yield half


def _put_where_nothing_is(half: Path, place: Path) -> None:
    """Give the half file its name in one step that replaces nothing; of disks and systems that have none, the nearest.

    Raises:
        FileExistsError: If something has that name.
    """
    if os.name != "posix":
        half.rename(place)  # which replaces nothing there
        return
    if moved_to_free(half, place):
        return
    if not half.is_dir():
        try:
            os.link(half, place)
        except OSError as problem:
            if problem.errno not in ONE_NAME:
                raise
        else:
            half.unlink()
            return
    if os.path.lexists(place):
        raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), str(place))
    half.replace(place)


def _exchange_folders(new: Path, old: Path) -> None:
    """Let two folders change places; where the system cannot do that in one step, the old one makes room first.

    A kill between those two steps leaves no folder of this name: whoever writes there next puts the old one back.
    """
    if swapped(new, old):
        return
    aside = new.with_suffix(BEFORE)
    old.replace(aside)
    try:
        new.replace(old)
    except BaseException:
        aside.replace(old)
        raise
    _removed(aside)


def _removed(half: Path) -> None:
    """Spark and Dask write folders of parts."""
    if half.is_dir():
        shutil.rmtree(half, ignore_errors=True)
    else:
        half.unlink(missing_ok=True)


def _start(target: Path) -> str:
    """What the names of half files of a target begin with: its own name, as far as it fits."""
    name = target.name.encode("utf-8", "surrogateescape")[:NAME_BYTES].decode("utf-8", "ignore")
    return f".{name}"


def _not_written(target: Path, problem: OSError) -> InputError:
    """The error for a file that could not be written; of a full disk it says which one, and how much room is left."""
    reason = problem.strerror or str(problem)
    what: tuple[Part, ...] = (reason,)
    folder = target.absolute().parent
    full = problem.errno in (errno.ENOSPC, errno.EDQUOT) or any(words in reason for words in FULL)
    if full:
        with suppress(OSError):
            free = shutil.disk_usage(folder).free
            left = f" ({free:,} bytes free). Make room, or write elsewhere"
            what = "No space left on the disk of ", quoted(str(folder)), left
    return _refused(target, *what)


def _appeared(target: Path, *, may_force: bool) -> InputError:
    """The error for what somebody else wrote under this name meanwhile; no folder is replaced, whoever says so."""
    return InputError(
        quoted(str(target)),
        " was not there before, and is now: somebody else wrote it meanwhile, and it is kept. Name another",
        *((", or say ", Keyword("force"), " to replace it") if may_force else ()),
        ".",
    )


def _flush(path: Path) -> None:
    """Have the disk take what is written; where that cannot be asked for (Windows, of a folder), go on."""
    with suppress(PermissionError):
        held = os.open(path, os.O_RDONLY)
        try:
            os.fsync(held)
        except OSError as problem:
            if problem.errno not in (errno.EINVAL, errno.EBADF, errno.EROFS):
                raise
        finally:
            os.close(held)


def _remove_left_behind(target: Path) -> None:
    """Half files whose process is gone: of this target, and old ones of others; where nobody can tell, they stay.

    A folder that was moved aside for one that never came is put back, and not removed while its place is empty.
    """
    if os.name != "posix" or not target.parent.is_dir():
        return
    start = _start(target)
    for half in sorted(target.parent.iterdir()):
        found = LEFT.fullmatch(half.name)
        if found is None or _is_running(int(found[1]), found[2] or ""):
            continue
        ours = half.name.startswith(f"{start}.{HERE}-")
        if half.suffix == BEFORE and ours and not target.exists():
            half.replace(target)
        elif ours or (half.suffix != BEFORE and _is_old(half)):
            _removed(half)


def _is_old(half: Path) -> bool:
    """Was nothing written to it for long? Another machine of this name may be at work in a folder that both see."""
    try:
        return time.time() - half.stat().st_mtime > OLD
    except FileNotFoundError:  # its writer is done
        return False


def _is_running(process: int, began: str) -> bool:
    """Is it at work, and not another that has got its number since?"""
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except OSError:  # it is somebody else's
        pass
    return not began or _began(process) in ("", began)


def _began(process: int) -> str:
    """When a process began, in ticks since the machine did; empty where the system does not tell."""
    try:
        stat_line = Path(f"/proc/{process}/stat").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""
    return stat_line.rpartition(")")[2].split()[19]  # the name of its program may hold anything
