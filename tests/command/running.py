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
from dataclasses import dataclass
from pathlib import Path
from unittest import mock

DATA = Path(__file__).parent / "data"
TINY = "tiny.csv"
PROGRAM = [sys.executable, "-m", "accord.cli"]


@dataclass(frozen=True)
class Said:
    """What a run printed, and how it ended."""

    code: int
    out: str
    err: str = ""


def run(*arguments: str, folder: Path = DATA) -> Said:
    """In this process, as in a pipe."""
    from accord.cli import main

    out, err = io.StringIO(), io.StringIO()
    with (
        contextlib.chdir(folder),
        mock.patch.object(sys, "argv", ["accord", *arguments]),
        contextlib.redirect_stdout(out),
        contextlib.redirect_stderr(err),
    ):
        try:
            main()
        except SystemExit as end:
            return Said(int(end.code or 0), out.getvalue(), err.getvalue())
    raise AssertionError("the command did not end")


def piped(*arguments: str, folder: Path = DATA, **environment: str) -> Said:
    """In a process of its own."""
    given = {**os.environ, "PYTHONIOENCODING": "utf-8", **environment}
    done = subprocess.run([*PROGRAM, *arguments], cwd=folder, env=given, capture_output=True, check=False)
    return Said(done.returncode, done.stdout.decode(), done.stderr.decode())


def in_terminal(*arguments: str, columns: int, folder: Path = DATA, **environment: str) -> Said:
    """In a terminal so many columns wide; what is printed and what is told on the error stream come together."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 50, columns, 0, 0))
    given = {name: value for name, value in os.environ.items() if name not in ("COLUMNS", "LINES", "NO_COLOR", "CI")}
    given |= {"TERM": "xterm-256color", "PYTHONIOENCODING": "utf-8", **environment}
    process = subprocess.Popen(
        [*PROGRAM, *arguments], cwd=folder, env=given, stdin=theirs, stdout=theirs, stderr=theirs
    )
    os.close(theirs)
    seen = bytearray()
    while True:
        try:
            part = os.read(ours, 65536)
        except OSError:  # the other end is closed
            break
        if not part:
            break
        seen += part
    os.close(ours)
    return Said(process.wait(), seen.decode().replace("\r\n", "\n"))
