"""The manual page and completion: both are made of the command's own definitions, and have all of them."""

from __future__ import annotations

import re
from functools import cache
from typing import Any

import pytest

from tests.surface.test_docs import DOCS, reference

REQUESTS = {".TH", ".SH", ".SS", ".TP", ".PP", ".B", ".I", ".nf", ".fi"}


@cache
def whole() -> Any:
    return reference._whole_command()


def options(command: Any) -> list[str]:
    return [name for one in command.params for name in (*one.opts, *one.secondary_opts) if name.startswith("--")]


def page() -> str:
    return str(reference.man_page(whole(), reference.EXIT_CODES))


def test_every_command_and_every_option_is_in_the_manual() -> None:
    plain = page().replace("\\-", "-")
    assert [name for name in whole().commands if f".SS accord {name}\n" not in plain] == []
    wanted = {name for command in (whole(), *whole().commands.values()) for name in options(command)}
    told = {name for line in re.findall(r"^\.B (.+)$", plain, re.MULTILINE) for name in line.split(", ")}
    assert wanted - told == set()


def test_a_command_has_its_own_options_and_not_those_that_most_have() -> None:
    plain = page().replace("\\-", "-")
    measure = plain.partition(".SS accord measure\n")[2].partition(".SS ")[0]
    assert ".B --fail-below\n" in measure
    assert ".B --encoding\n" not in measure
    of_several = plain.partition(".SH OPTIONS OF SEVERAL COMMANDS\n")[2]
    assert ".B --encoding\n" in of_several
    named = of_several.partition(":\n")[0].removeprefix("Of ").split(", ")
    having = {name for name, command in whole().commands.items() if "--encoding" in options(command)}
    assert "measure" in named
    assert set(named) <= having


def test_a_command_that_shares_few_options_lists_all_of_its_own() -> None:
    plain = page().replace("\\-", "-")
    of_several = (
        plain.partition(".SH OPTIONS OF SEVERAL COMMANDS\n")[2].partition(":\n")[0].removeprefix("Of ").split(", ")
    )
    for name in set(whole().commands) - set(of_several):
        section = plain.partition(f".SS accord {name}\n")[2].partition("\n.S")[0]
        told = {one for line in re.findall(r"^\.B (.+)$", section, re.MULTILINE) for one in line.split(", ")}
        assert set(options(whole().commands[name])) <= told


def test_man_knows_every_request_on_the_page() -> None:
    lines = page().splitlines()
    assert {line.partition(" ")[0] for line in lines if line.startswith(".")} == REQUESTS
    assert not [line for line in lines if line.startswith("'") or (re.search(r"(?<!\\)-", line) and ".TH" not in line)]


def test_the_page_that_is_shipped_is_made_by_the_script() -> None:
    assert DOCS / "man" / "accord.1" in reference.made()


@pytest.mark.parametrize("command", ["measure", "report", "explain"])
def test_the_shell_completes_the_values_that_an_option_may_have(command: str) -> None:
    made = whole().commands[command]
    context = made.make_context(command, [], resilient_parsing=True)
    form = next(one for one in made.params if "--format" in one.opts)
    offered = [one.value for one in form.shell_complete(context, "")]
    assert offered
    assert all(value in form.help for value in offered)
    assert [one.value for one in form.shell_complete(context, offered[0])] == [offered[0]]
