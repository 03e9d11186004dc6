"""The manual page of the command, `man accord`: made of the command's own definitions by docs/make_reference.py.

Options that most commands have, those of reading a file, stand once; each command lists what it has besides.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Collection, Iterable, Mapping
from typing import Any

import accord


def man_page(whole: Any, codes: Mapping[int, str]) -> str:
    """The page in the language of man; `whole` is the command, `codes` what its exit codes mean."""
    context = whole.make_context("accord", [], resilient_parsing=True)
    commands = {
        name: (command, command.make_context(name, [], resilient_parsing=True, parent=context))
        for name, command in sorted(whole.commands.items())
    }
    options = {name: dict(_options(*made)) for name, made in commands.items()}
    shared, sharing = _shared(options)
    parts = [
        f'.TH ACCORD 1 "" "accord {accord.__version__}" "User Commands"',
        f".SH NAME\naccord \\- {_text(whole.help[:1].lower() + whole.help[1:]).rstrip('.')}",
        ".SH SYNOPSIS\n.B accord\n.I COMMAND FILE\n[\\fIOPTIONS\\fR]",
        ".SH COMMANDS",
        *(_command(name, made[0], options[name], shared if name in sharing else ()) for name, made in commands.items()),
        f".SH OPTIONS OF SEVERAL COMMANDS\nOf {_text(', '.join(sharing))}:",
        *(_option(*one) for one in shared),
        ".SH OPTIONS OF ACCORD ITSELF",
        *(_option(names, words) for names, words in _options(whole, context)),
        ".SH EXIT STATUS",
        *(f".TP\n.B {code}\n{_text(words)}" for code, words in codes.items()),
        ".SH FILES\n.TP\n.I accord.toml\nBeside the data: how to read it, what to measure, how to report it.",
        f".SH EXAMPLES\n.nf\n{_code(whole.epilog)}\n.fi",
    ]
    return "\n".join(parts) + "\n"


def _shared(options: Mapping[str, Mapping[str, str]]) -> tuple[list[tuple[str, str]], list[str]]:
    """Options that all commands but one have, in the same words, and the commands that have all of these."""
    every = [one for found in options.values() for one in found.items()]
    most = [one for one in dict.fromkeys(every) if every.count(one) >= len(options) - 1]
    return most, [name for name, found in options.items() if set(most) <= set(found.items())]


def _command(name: str, command: Any, options: Mapping[str, str], shared: Collection[tuple[str, str]]) -> str:
    """A command: what it does, what it has besides the others, and how it is called."""
    own = [_option(*one) for one in options.items() if one not in shared]
    examples = f".PP\n.nf\n{_code(command.epilog)}\n.fi" if command.epilog else ""
    return "\n".join([f".SS accord {name}", _text(inspect.cleandoc(command.help)), *own, *filter(None, [examples])])


def _options(command: Any, context: Any) -> Iterable[tuple[str, str]]:
    """The names and the words of each argument and option, as the help has them."""
    for parameter in command.get_params(context):
        record = parameter.get_help_record(context)
        if record is not None:
            if parameter.opts[0].startswith("-"):
                yield ", ".join([*sorted(parameter.opts, key=len), *parameter.secondary_opts]), record[1]
            else:
                yield record[0].partition(" ")[0], record[1]


def _option(names: str, words: str) -> str:
    return f".TP\n.B {_text(names)}\n{_text(words)}"


def _code(lines: str) -> str:
    return "\n".join(_text(line) for line in lines.splitlines() if line)


def _text(words: str) -> str:
    """Words that man takes for words: no request at the start of a line, and hyphens that can be copied."""
    told = " ".join(words.split()).replace("\\", "\\e").replace("-", "\\-")
    return re.sub(r"^(?=[.'])", r"\\&", told)
