"""The command as a program: its commands, its streams, and how it ends."""

from __future__ import annotations

import _thread
import errno
import io
import os
import shlex
import signal
import sys
import threading
import time
import traceback
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from functools import lru_cache
from importlib import import_module
from pathlib import Path
from typing import Any, NoReturn

import typer

from accord.cli.application import CLOSED, CRASHED, DEBUG, ENDED, FINE, INTERRUPTED, WRONG, app
from accord.cli.native_messages import panics_put_aside
from accord.cli.option_spelling import CommandError

__all__ = ["app", "every_command", "run"]
COMMANDS = (
    "measure",
    "explain",
    "compare",
    "gold",
    "judge",
    "plan",
    "report",
    "paper",
    "serve",
    "publish",
    "convert",
    "tally",
    "doctor",
    "sql",
)  # as in the help
LOST = {KeyboardInterrupt: signal.SIGINT, SystemExit: signal.SIGTERM}  # what Python raises, and who asked for it
MOMENT = 0.05  # seconds
_SENDING: list[int] = []  # signals that are asked for again, as long as nobody would hear what they raise
NUMBERS = {"float": "a number", "int": "a whole number"}


def every_command() -> typer.Typer:
    """The command with all that it can do."""
    _load(COMMANDS)
    return app


def _load(names: Sequence[str]) -> None:
    """Load some commands: a file each, named as the command is. Whoever asks for one does not wait for the others."""
    for name in names:
        import_module(f"accord.cli.{name}")
    app.registered_commands.sort(key=lambda one: COMMANDS.index(one.callback.__name__ if one.callback else ""))


@lru_cache(maxsize=1)
def _built(_commands: int) -> Callable[..., Any]:
    """What Typer makes of the commands that are loaded, so many: made once where a process runs several."""
    made: Callable[..., Any] = typer.main.get_command(app)
    return made


def run() -> NoReturn:
    """Run the command; errors are one line with the way out, and 1 is said of nothing but a limit that was missed."""
    _ready_streams()
    try:
        arguments = sys.argv[1:2]
        _load(arguments if arguments and arguments[0] in COMMANDS else COMMANDS)
        command = _built(len(app.registered_commands))
        with _ending_on_signals(), _without_panics(arguments):
            code = command(prog_name="accord", standalone_mode=False)
            sys.stdout.flush()
    except SystemExit as end:  # Typer's own answer to a closed pipe is 1
        if _is_closed_pipe(end.__context__):
            _leave_closed_pipe()
        raise
    except CommandError as problem:
        _stop(str(problem))
    except (typer.Abort, KeyboardInterrupt):
        sys.exit(INTERRUPTED)
    except OSError as problem:
        if _is_closed_pipe(problem):
            _leave_closed_pipe()
        what = repr(str(problem.filename)) if problem.filename is not None else "The output"
        _stop(f"{what} cannot be read or written: {problem.strerror or problem}.")
    except MemoryError:
        _stop("There is not enough memory for this.", CRASHED)
    except Exception as problem:  # noqa: BLE001 - whatever it is, the exit code must not be 1
        message = getattr(problem, "format_message", None)  # wrong usage, as the framework puts it
        if message is None:
            _tell_of_mistake(problem)
        _tell_of_usage(problem, message())
    sys.exit(code if isinstance(code, int) else FINE)


def _tell_of_mistake(problem: Exception) -> NoReturn:
    """What no user can mend: one line, and all of it where that was asked for."""
    if DEBUG.get():
        traceback.print_exception(problem)
        _stop("This is a mistake in accord, not in your data. Please report it with the lines above.", CRASHED)
    place = traceback.extract_tb(problem.__traceback__)[-1]
    what = f"{type(problem).__name__} in {Path(place.filename).name}, line {place.lineno}"
    again = _typed_again(["--debug", *sys.argv[1:]])
    _stop(
        f"This is a mistake in accord, not in your data ({what}). Please report it with what this prints: {again}",
        CRASHED,
    )


def _typed_again(arguments: Sequence[str]) -> str:
    """The same command, without the people whom its options name where people are hidden."""
    if "--anonymise" not in arguments:
        return shlex.join(["accord", *arguments])
    from accord.cli.report import typed  # a mistake of accord is rare

    return typed(arguments, hidden=True)


@contextmanager
def _ending_on_signals() -> Iterator[None]:
    """Ctrl-C and SIGTERM are exceptions while a command works: half files are removed on the way out."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    exit_codes: list[int] = []

    def ends(number: int, _frame: object) -> None:
        if _SENDING:  # where it would be lost again
            _later(number)
            return
        exit_codes.append(128 + number)
        raise (KeyboardInterrupt if number == signal.SIGINT else SystemExit(ENDED))

    ignored = not callable(signal.getsignal(signal.SIGINT))  # and stays so
    numbers = (signal.SIGTERM,) if ignored else (signal.SIGTERM, signal.SIGINT)
    before, former_hook = {number: signal.signal(number, ends) for number in numbers}, sys.unraisablehook
    sys.unraisablehook = _raised_again
    try:
        yield
    except Exception:
        if exit_codes:  # which somebody took for an error of his own: Python itself does while it makes a class
            sys.exit(exit_codes[-1])
        raise
    finally:
        sys.unraisablehook = former_hook
        for number, former in before.items():
            signal.signal(number, former)


def _raised_again(lost: Any) -> None:
    """An exception in what nobody called, such as what a weak reference does at its end, is lost: ask once more."""
    number = LOST.get(lost.exc_type)
    if number is None:
        sys.__unraisablehook__(lost)
    else:
        _SENDING.append(number)
        try:
            _later(number)
        finally:
            _SENDING.pop()


def _later(number: int) -> None:
    """Ask in a moment, from a thread that nobody waits for: on a busy machine it would ask while one waits."""

    def ask() -> None:
        time.sleep(MOMENT)
        os.kill(os.getpid(), number)

    _thread.start_new_thread(ask, ())


def _without_panics(arguments: Sequence[str]) -> AbstractContextManager[None]:
    """Whatever prints past Python is told at the end; a server has none."""
    return nullcontext() if "serve" in arguments else panics_put_aside(DEBUG.get)


def _tell_of_usage(problem: Exception, message: str) -> NoReturn:
    """What is wrong with what was typed, as a sentence; nothing at all after `accord` asks for the help."""
    if type(problem).__name__ == "NoArgsIsHelpError":
        if message:  # in a terminal it is shown already
            typer.echo(message)
        sys.exit(WRONG)
    context = getattr(problem, "ctx", None)
    where = context.command_path if context is not None else "accord"
    sentence = _of_a_number(problem) or message
    end = "" if not sentence or sentence.endswith((".", "?")) else "."
    _stop(f"{sentence}{end} See {where} --help." if sentence else "")


def _of_a_number(problem: Exception) -> str | None:
    """Of what is no number, in our words: which option, what it must be, and what was typed; None of other mistakes."""
    option, wrong = getattr(problem, "param", None), getattr(problem.__cause__, "errors", None)
    if option is None or wrong is None:
        return None
    found = wrong()[0]
    kind = NUMBERS.get(found["type"].partition("_")[0])  # float_parsing, int_parsing …
    return f"{option.opts[0]} must be {kind}; got {found['input']!r}." if kind else None


def _ready_streams() -> None:
    """A closed stream takes what nobody reads; one that cannot write a letter writes its number instead."""
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None:
            setattr(sys, name, Path(os.devnull).open("w", encoding="utf-8"))  # noqa: SIM115 - to the end
        elif isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def _is_closed_pipe(problem: BaseException | None) -> bool:
    return isinstance(problem, OSError) and problem.errno == errno.EPIPE


def _leave_closed_pipe() -> NoReturn:
    """Whoever read our output has seen enough: what is left goes nowhere, and nothing is said of it."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.__stdout__.fileno() if sys.__stdout__ is not None else 1)
    sys.exit(CLOSED)


def _stop(message: str, code: int = WRONG) -> NoReturn:
    if message:
        from accord.agreement.table_formats import one_line

        typer.echo(f"accord: {one_line(message)}", err=True)
    sys.exit(code)
