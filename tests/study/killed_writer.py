"""A process that writes a folder over another one and is killed (SIGKILL) at every step in turn; what lay there then.

    python -m tests.study.killed_writer FOLDER [--in-two-steps]

A step is whatever Python tells its audit hooks of: a file is opened, a name made, changed or removed. Printed is one
word for each kill: `old`, `new`, `none` or `half`, and, after a colon, what the next writer, which fails, leaves.
"""

from __future__ import annotations

import os
import shutil
import signal
import sys
from pathlib import Path
from unittest import mock

from accord.engine.whole_file import whole

NAMES = ("index.html", "items/1.html")
STEPS = ("open", "os.", "shutil.", "ctypes.dl")


def write(target: Path, word: str) -> None:
    """A folder of files that all say the same."""
    with whole(target) as half:
        for name in NAMES:
            (half / name).parent.mkdir(parents=True, exist_ok=True)
            (half / name).write_text(word, encoding="utf-8")


def found(target: Path) -> str:
    """What lies there, in a word."""
    if not target.exists():
        return "none"
    words = {(target / name).read_text(encoding="utf-8") if (target / name).is_file() else "" for name in NAMES}
    return words.pop() if len(words) == 1 and "" not in words else "half"


def killed_at(step: int, target: Path) -> bool:
    """Write in another process that is killed at a step; False where it was done before that."""
    process = os.fork()
    if not process:
        done = 0

        def count(event: str, _: object) -> None:
            nonlocal done
            done += event.startswith(STEPS)
            if done == step:
                os.kill(os.getpid(), signal.SIGKILL)

        sys.addaudithook(count)
        write(target, "new")
        os._exit(0)
    return os.waitstatus_to_exitcode(os.waitpid(process, 0)[1]) == -signal.SIGKILL


def failed(target: Path) -> None:
    """Somebody writes there, and cannot."""
    try:
        with whole(target) as half:
            half.mkdir()
            raise InterruptedError
    except ValueError:
        return


def main(folder: Path, *options: str) -> None:
    if options:
        mock.patch("accord.engine.whole_file.swapped", return_value=False).start()
    step, killed = 0, True
    while killed:
        step += 1
        place = folder / str(step)
        place.mkdir()
        target = place / "pages"
        write(target, "old")
        killed = killed_at(step, target)
        then = found(target)
        failed(target)
        beside = "" if [path.name for path in place.iterdir()] == ["pages"] else "+"
        print(f"{then}:{found(target)}{beside}")
        shutil.rmtree(place)


if __name__ == "__main__":
    main(Path(sys.argv[1]), *sys.argv[2:])
