"""One server a file: a lock beside the log that the system gives back when its process ends, however it ends."""

from __future__ import annotations

import json
import os
import sys
from contextlib import suppress
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from io import BufferedRandom
from pathlib import Path
from typing import Any

from accord.errors import FileError, remedy

SUFFIX = ".serving"


@dataclass(frozen=True)
class Holder:
    """The process that has a file: what the next one that asks is told."""

    pid: int
    address: str = ""
    since: str = ""

    @classmethod
    def here(cls, address: str = "") -> Holder:
        """This process."""
        return cls(os.getpid(), address, datetime.now(UTC).isoformat(timespec="seconds"))


class FileHold:
    """The hold on a file of decisions, from `take` to `give_back` or the end of the process."""

    def __init__(self, path: Path) -> None:
        self.path = path.with_name(path.name + SUFFIX)
        self._log = path
        self._file: BufferedRandom | None = None
        self._holder = Holder.here()

    def take(self, holder: Holder) -> None:
        """Hold the file; an error with who has it where somebody does."""
        while self._file is None:
            held = self._opened()
            if not _locked(held):
                there = _read(held)
                held.close()
                raise self._refusal(there)
            if is_still(self.path, os.fstat(held.fileno())):
                self._file = held
            else:  # whoever had it took it away in between
                held.close()
        self.announce(holder)

    def _opened(self) -> BufferedRandom:
        try:
            return os.fdopen(os.open(self.path, os.O_RDWR | os.O_CREAT, 0o600), "r+b")
        except OSError as problem:
            raise FileError(
                self.path.name,
                f"It cannot be opened: {problem.strerror}. Name another place: ",
                remedy(decisions=...),
                ".",
            ) from None

    def keep(self) -> None:
        """Hold the file still: where somebody took our lock away it is taken again, unless another has it by now."""
        if self._file is not None and not is_still(self.path, os.fstat(self._file.fileno())):
            self._file.close()
            self._file = None
        if self._file is None:
            self.take(self._holder)

    def announce(self, holder: Holder) -> None:
        """Tell whoever asks next who has the file; the port is known only when the server stands."""
        assert self._file is not None
        self._holder = holder
        with suppress(OSError):  # on a full disk the file is held all the same, and nobody is told by whom
            self._file.seek(0)
            self._file.truncate()
            self._file.write(json.dumps(asdict(holder)).encode())
            self._file.flush()

    def give_back(self) -> None:
        """Let go."""
        if self._file is not None:
            if is_still(self.path, os.fstat(self._file.fileno())):  # else it is another's by now
                with suppress(OSError):
                    self.path.unlink()
            self._file.close()
            self._file = None

    def _refusal(self, there: dict[str, Any]) -> FileError:
        address, pid = there.get("address"), there.get("pid")
        who = f"process {pid}" if pid else "another process"
        where = f" It serves {address}: open that page, or end it first." if address else " End it first."
        return FileError(
            self._log.name,
            f"It is open in {who} already, and two servers on one file would undo each other's order.{where} For "
            "decisions of their own name another file: ",
            remedy(decisions=...),
            ".",
        )


def _locked(file: BufferedRandom) -> bool:
    """Lock a file for this process, without waiting."""
    try:
        if sys.platform == "win32":
            import msvcrt

            file.seek(1 << 20)  # beyond what it says, so that others can read that
            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
        else:
            import fcntl

            fcntl.flock(file.fileno(), fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True


def is_still(path: Path, ours: os.stat_result) -> bool:
    """Does a path still lead to the file that it led to before?"""
    with suppress(OSError):
        return os.path.samestat(ours, path.stat())
    return False


def _read(file: BufferedRandom) -> dict[str, Any]:
    with suppress(OSError, ValueError):
        file.seek(0)
        found = json.loads(file.read(4096))
        if isinstance(found, dict):
            return found
    return {}
