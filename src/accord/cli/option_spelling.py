"""How a message of the library names its keywords in a command: by the command's own options."""

from __future__ import annotations

import inspect
import shlex
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, ClassVar, get_args

import typer

from accord.errors import AccordError, OneOf, Remedy, Spelled, Wording

FIRST_COMMAND = "measure"


@dataclass(frozen=True)
class StandsFor:
    """Says of an option which keyword of the library it is, where it has another name, and of which call."""

    keyword: str
    function: str = ""  # a call that the command makes besides its own: score, decide


class CommandError(Exception):
    """An error of the library, in the options of the command."""


class Spelling:
    """How a command names keywords of the library: by its own options, or by those of another command."""

    others: ClassVar[dict[str, Spelling]] = {}  # by command

    def __init__(self, parameters: Sequence[inspect.Parameter], command: str = "") -> None:
        self._flags: dict[tuple[str, str], str] = {}
        for parameter in parameters:
            _, *notes = get_args(parameter.annotation)
            for option in notes:
                if isinstance(option, typer.models.OptionInfo):
                    declared = (option.default, *(option.param_decls or ()))  # Typer takes the first for a default
                    names = [str(name) for name in declared if str(name).startswith("--")]
                    flag = names[0] if names else f"--{parameter.name.replace('_', '-')}"
                    keywords = [note for note in notes if isinstance(note, StandsFor)] or [StandsFor(parameter.name)]
                    self._flags |= {(one.function, one.keyword): flag for one in keywords}
        if command:
            self.others[command] = self

    def text(self, problem: AccordError) -> str:
        """A message of the library with the command's own options in it."""
        return problem.text(lambda part: self.spell(part, problem.function))

    def spell(self, part: Spelled, function: str = "") -> str:
        """A keyword or a way out as options of the command; `function` is the call that it belongs to."""
        if isinstance(part, Remedy | Wording) and part.command is not None:
            return part.command
        if isinstance(part, Wording):
            return str(part)
        if isinstance(part, Remedy) and part.title:
            return f"{part.title} with {self.spell(Remedy(part.options))}" if part.options else part.title
        if isinstance(part, Remedy) and not part.options:
            return str(part)
        options = part.options if isinstance(part, Remedy) else {part.name: part.value if part.given else None}
        called = part.function.removeprefix("accord.") if isinstance(part, Remedy) else ""
        if self.others.get(called, self)._flags != self._flags:  # noqa: SLF001 - a call that is another command
            typed = self.others[called].typed(options, "")
            if typed is not None:
                return f"accord {called} {typed}"
        typed = self.typed(options, function)
        if typed is not None:
            return typed
        elsewhere = {name: other.typed(options, "") for name, other in self.others.items()}
        found = [f"accord {name} {typed}" for name, typed in elsewhere.items() if typed is not None]
        best = [one for one in found if one.startswith(f"accord {FIRST_COMMAND} ")]  # where several have it
        words = " ".join(f"{name.replace('_', ' ')}{_worded(value)}" for name, value in options.items())
        return (best + found + [words])[0]

    def typed(self, options: Mapping[str, Any], function: str) -> str | None:
        """Options with their values as one types them; None where the command has not all of them."""
        flags = {name: self._flags.get((function, name)) or self._flags.get(("", name)) for name in options}
        if None in flags.values():
            return None
        return " ".join(_typed(str(flags[name]), value) for name, value in options.items())


def _typed(flag: str, value: Any) -> str:
    """An option and its value as one types them; a switch has two names and no value."""
    yes, _, no = flag.partition("/")
    if value is None:
        return yes
    if no and isinstance(value, bool):
        return yes if value else no
    return f"{yes} {_value(value)}"


def as_typed(options: Mapping[str, Any]) -> str:
    """Keywords of `accord.read` and of the measures as one types them.

    >>> as_typed({"format": "table", "label": ...})
    '--from table --label …'
    """
    called = {"format": "from"}
    return " ".join(_typed(f"--{called.get(name, name).replace('_', '-')}", value) for name, value in options.items())


def _worded(value: Any) -> str:
    """A value after the name of a keyword that is no option of any command."""
    return "" if value is None else f" {_value(value)}"


def _value(value: Any) -> str:
    if value is ...:
        return "…"
    if isinstance(value, OneOf):
        return value.joined(_value)
    if isinstance(value, list | tuple):
        return ",".join(map(_value, value))
    if isinstance(value, dict):
        pairs = ",".join(f"{name}={'…' if one is ... else one}" for name, one in value.items())
        return pairs if ... in value.values() else shlex.quote(pairs)
    return shlex.quote(str(value))


@contextmanager
def calling(function: str) -> Iterator[None]:
    """A call besides the command's own, whose keywords have options of their own: item= of score() has another."""
    try:
        yield
    except AccordError as problem:
        problem.function = function
        raise
