"""One table of roles: another role touches the file of the table and no other."""

from __future__ import annotations

import ast
import inspect
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import accord
from accord.annotations.cleaning import CLEANING
from accord.cli.settings import PARTS
from accord.study.roles import ROLES, PlainColumns, RoleKeywords
from accord.study.study_of_input import PlainRoles, Roles
from accord.study.tables.rows import RESERVED
from tests.surface.source import ROOT, trees

HOME = Path("study/roles.py")
MANY = 10  # roles: who names so many together lists them all


def test_type_checkers_know_every_role_and_what_may_play_it() -> None:
    assert set(RoleKeywords.__annotations__) == set(ROLES)
    assert set(ROLES) - set(PlainColumns.__annotations__) == {"suggested"}
    kinds = {name: kind.__forward_arg__ for name, kind in RoleKeywords.__annotations__.items()}
    several = {name for name, kind in kinds.items() if kind == "str | Sequence[str] | None"}
    assert several == {role.name for role in ROLES.values() if role.several}
    assert {kinds[name] for name in kinds if name not in several} == {"str | None"}


@pytest.mark.parametrize(("function", "before"), [(accord.Study, "data"), (accord.read, "format")])
def test_a_study_and_read_list_every_role_as_a_keyword(function: Callable[..., Any], before: str) -> None:
    taken = inspect.signature(function).parameters
    names = list(taken)
    first = names.index(before) + 1
    assert names[first : first + len(ROLES)] == list(ROLES)
    assert "roles" not in names
    assert {(taken[name].kind, taken[name].default) for name in ROLES} == {(inspect.Parameter.KEYWORD_ONLY, None)}
    said = " ".join((inspect.getdoc(function) or "").split())
    assert [role.name for role in ROLES.values() if f" {role.name}: {role.says}" not in said] == []


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


def lists(tree: ast.Module) -> Iterator[set[str]]:
    """The names that stand together in a module: parameters, fields, keywords, keys, words of a collection."""
    for node in ast.walk(tree):
        match node:
            case ast.arguments():
                yield {one.arg for one in (*node.posonlyargs, *node.args, *node.kwonlyargs)}
            case ast.ClassDef():
                yield {
                    part.target.id
                    for part in node.body
                    if isinstance(part, ast.AnnAssign) and isinstance(part.target, ast.Name)
                }
            case ast.Call():
                yield {str(keyword.arg) for keyword in node.keywords}
            case ast.Dict():
                yield {str(key.value) for key in node.keys if isinstance(key, ast.Constant)}
            case ast.Tuple() | ast.List() | ast.Set():
                yield {str(part.value) for part in node.elts if isinstance(part, ast.Constant)}


def test_no_other_file_lists_the_roles() -> None:
    listing = {
        str(path): sorted(together)
        for path, tree in trees().items()
        if path != HOME
        for names in lists(tree)
        if len(together := names & set(ROLES)) >= MANY
    }
    assert listing == {}


MOOD = """
import inspect, os
import accord
from accord.cli import app
from tests.command.running import run

rows = {"doc": [1, 1, 2, 2], "who": ["ana", "ben"] * 2, "tag": ["a", "a", "b", "a"], "felt": ["up", "down"] * 2}
named = {"item": "doc", "annotator": "who", "label": "tag", "mood": "felt"}
assert "mood: The column with the mood." in inspect.getdoc(accord.Study)
assert "mood" in inspect.signature(accord.read).parameters
assert accord.Study(rows, **named).roles["mood"] == "felt"
assert accord.fleiss_kappa(rows, **named).study.roles["mood"] == "felt"
assert accord.Study({**{name: rows[name] for name in ("doc", "who", "tag")}, "frame_of_mind": rows["felt"]}).roles == {
    "item": "doc", "annotator": "who", "label": "tag", "mood": "frame_of_mind"
}
with open("felt.csv", "w") as file:
    file.write("doc,who,tag,felt\\n1,ana,a,up\\n1,ben,a,down\\n2,ana,b,up\\n2,ben,a,down\\n")
assert accord.read("felt.csv", mood="felt").roles["mood"] == "felt"
assert "--mood" in run("measure", "--help").out
assert run("measure", os.path.abspath("felt.csv"), "--mood", "felt").code == 0
"""


@pytest.mark.slow
def test_another_role_touches_the_file_of_the_table_alone(tmp_path: Path) -> None:
    shutil.copytree(ROOT, tmp_path / "accord")
    home = tmp_path / "accord" / HOME
    text = home.read_text(encoding="utf-8")
    row = '        Role("mood", "how they felt", "The column with the mood.", ("frame_of_mind",)),\n'
    for line, more in (('        Role("kind", ', row), ("    kind: str | None\n", "    mood: str | None\n")):
        assert text.count(line) == 1
        text = text.replace(line, more + line)
    home.write_text(text, encoding="utf-8")
    path = os.pathsep.join([str(tmp_path), str(Path(__file__).parents[2])])
    subprocess.run([sys.executable, "-c", MOOD], cwd=tmp_path, env={**os.environ, "PYTHONPATH": path}, check=True)
