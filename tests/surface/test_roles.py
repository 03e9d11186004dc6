"""One table of roles: what is written out for readers and type checkers says the same, and the rest is made from it."""

from __future__ import annotations

import inspect

import accord
from accord.annotations.cleaning import CLEANING
from accord.cli.settings import PARTS
from accord.study.roles import ROLES
from accord.study.study_of_input import PlainRoles, Roles
from accord.study.tables.rows import RESERVED


def test_a_study_and_read_take_every_role() -> None:
    for function in (accord.Study, accord.read):
        taken = list(inspect.signature(function).parameters)
        assert [name for name in taken if name in ROLES] == list(ROLES)


def test_every_measure_takes_every_role() -> None:
    how = {"answers", "separator", "duplicates", "levels", "ordered", *CLEANING}
    assert set(Roles.__annotations__) - how == set(ROLES)
    assert set(ROLES) - set(PlainRoles.__annotations__) == {"suggested"}


def test_the_command_and_its_settings_take_every_role() -> None:
    from accord.cli import app

    for command in app.registered_commands:
        assert command.callback is not None
        taken = list(inspect.signature(command.callback).parameters)
        if "files" in taken:  # whatever reads annotations
            assert [name for name in taken if name in ROLES] == list(ROLES)
    assert set(ROLES) <= set(PARTS["read"])


def test_no_word_says_two_roles_and_every_role_is_a_word_of_the_long_table() -> None:
    words = [word for role in ROLES.values() for word in (role.name, *role.words)]
    assert len(set(words)) == len(words)
    assert set(ROLES) <= RESERVED
