"""The command as people meet it: in this process, in a process of its own, and in a terminal of a given width."""

from __future__ import annotations

import contextlib
import fcntl
import io
import os
import pty
import struct
import subprocess
import sys
import termios
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from unittest import mock

DATA = Path(__file__).parent / "data"
TINY = "tiny.csv"
PROGRAM = [sys.executable, "-m", "accord.cli"]
END = b"\0end\0"  # written after all else: a terminal that is closed may drop what nobody has read yet


@dataclass(frozen=True)
class Said:
    """What a run printed, and how it ended."""

    code: int
    out: str
    err: str = ""


def run(*arguments: str, folder: Path = DATA) -> Said:
    """In this process, as in a pipe."""
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = _ended(arguments, folder)
    return Said(code, out.getvalue(), err.getvalue())


def piped(*arguments: str, folder: Path = DATA, **environment: str) -> Said:
    """In a process of its own."""
    given = {**os.environ, "PYTHONIOENCODING": "utf-8", **environment}
    done = subprocess.run([*PROGRAM, *arguments], cwd=folder, env=given, capture_output=True, check=False)
    return Said(done.returncode, done.stdout.decode(), done.stderr.decode())


def in_terminal(*arguments: str, columns: int, folder: Path = DATA, **environment: str) -> Said:
    """In a terminal so many columns wide; what is printed and what is told on the error stream come together."""
    ours, theirs = _terminal(columns)
    with ThreadPoolExecutor(1) as reader:
        seen = reader.submit(_read, ours)
        try:
            process = subprocess.Popen(
                [*PROGRAM, *arguments], cwd=folder, env=_meant_for_terminals(environment),
                stdin=theirs, stdout=theirs, stderr=theirs,
            )  # fmt: skip
            code = process.wait()
        finally:
            os.write(theirs, END)
        said = Said(code, seen.result())
    os.close(theirs)
    return said


def in_terminal_here(*arguments: str, columns: int, folder: Path = DATA, **environment: str) -> Said:
    """The same in this process, whose streams are the terminal for a while: nothing has to be loaded again."""
    ours, theirs = _terminal(columns)
    with ThreadPoolExecutor(1) as reader, mock.patch.dict(os.environ, _meant_for_terminals(environment), clear=True):
        seen = reader.submit(_read, ours)
        with os.fdopen(theirs, "w", encoding="utf-8", buffering=1) as screen, contextlib.ExitStack() as streams:
            for name in ("stdout", "stderr", "__stdout__", "__stderr__"):
                streams.enter_context(mock.patch.object(sys, name, screen))
            try:
                code = _ended(arguments, folder)
            finally:
                screen.flush()
                os.write(theirs, END)
            return Said(code, seen.result())


def _ended(arguments: tuple[str, ...], folder: Path) -> int:
    """The exit code of the command, run in this process."""
    from accord.cli import main

    with contextlib.chdir(folder), mock.patch.object(sys, "argv", ["accord", *arguments]):
        try:
            main()
        except SystemExit as end:
            return int(end.code or 0)
    raise AssertionError("the command did not end")


def _terminal(columns: int) -> tuple[int, int]:
    """Both ends of a terminal of that width."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 50, columns, 0, 0))
    return ours, theirs


def _meant_for_terminals(environment: dict[str, str]) -> dict[str, str]:
    """The environment without what would overrule the terminal."""
    given = {name: value for name, value in os.environ.items() if name not in ("COLUMNS", "LINES", "NO_COLOR", "CI")}
    return {**given, "TERM": "xterm-256color", "PYTHONIOENCODING": "utf-8", **environment}


def _read(end: int) -> str:
    """All that arrives before the end."""
    seen = bytearray()
    while not seen.endswith(END):
        seen += os.read(end, 65536)
    os.close(end)
    return seen.removesuffix(END).decode().replace("\r\n", "\n")
