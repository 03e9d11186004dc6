"""Messages have one grammar (`accord.errors`): read from the source here, and from what the command prints.

A message of the source is read as its parts: text, values (⟨v⟩, quoted ones '⟨v⟩'), and keywords and calls (⟨k⟩), which
are objects so that the command can spell them as its options.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from itertools import pairwise
from typing import TypeAlias

import pytest

from accord import errors
from tests.surface.own_words import OwnWords
from tests.surface.source import ROOT, nodes, trees

NAMED_OTHERWISE = {"DuplicateAnswers", "UnknownKeyword", "UnknownName"}
RAISED = {name for name in vars(errors) if name.endswith("Error")} | NAMED_OTHERWISE
MADE_OF_PARTS = {"Keyword", "Remedy", "keyword", "remedy", "one_task", "some_annotators", "in_python", "reading"}
OF_VALUES = {"quoted", "all_quoted", "Quoted", "OwnWords", "at_item", "at_column"}
MAY_BE_HIDDEN = {*OF_VALUES, *MADE_OF_PARTS, "MayBeNames", "PeopleNames"}
VALUE, QUOTED, PART = "⟨v⟩", "'⟨v⟩'", "⟨k⟩"
# A keyword with a value, a call, an attribute of the library or of a study: what Python writes and a command does not.
PYTHON = re.compile(
    r"""
    \b[a-z_]{2,}=(?:['\[({…]|⟨v⟩|True|False|None|lambda|\d)  # level='ordinal', labels=[…], by_label=False
    |\b[a-z_]+=[ ]                                           # give level= or weights=
    |\b(?:study|gold|result|frame)\.(?!csv|parquet)[a-z]      # study.tasks, gold.write(path)
    |\baccord\.(?!toml)[a-z]+|\bStudy[.(]                     # accord.gold, Study.from_wide(…)
    |\b[a-z_]+\(\)|\b[a-z_]+\([^ )]*…\)|\b[a-z_]+\((?:study|table|frame|array)\b  # by_group(), measure(study, …)
    """,
    re.VERBOSE,
)
OPTION = re.compile(r"(?<![\w-])--[a-z]{2,}")


@dataclass(frozen=True)
class Raised:
    """A message as it stands in the source."""

    where: str
    kind: str
    words: tuple[str, ...]

    @property
    def text(self) -> str:
        """All of it."""
        return "".join(self.words)


def _name(node: ast.expr) -> str:
    """What is called, with dots: OptionError.must, sheet.error."""
    if isinstance(node, ast.Attribute):
        return f"{_name(node.value)}.{node.attr}"
    return node.id if isinstance(node, ast.Name) else ""


def _is_part(node: ast.AST) -> bool:
    return isinstance(node, ast.Call) and _name(node.func).split(".")[-1] in MADE_OF_PARTS


def _text(node: ast.expr) -> str:
    """An expression as the text of a message."""
    if isinstance(node, ast.Constant):
        return str(node.value)
    if isinstance(node, ast.JoinedStr):
        return "".join(map(_text, node.values))
    if isinstance(node, ast.FormattedValue):
        listed = isinstance(node.value, ast.Call) and _name(node.value.func) == "listing"
        return QUOTED if node.conversion == ord("r") or listed else VALUE
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        return _text(node.left) + _text(node.right)
    if isinstance(node, ast.IfExp):
        return _text(node.body)
    if isinstance(node, ast.Call) and _name(node.func) in OF_VALUES:
        return QUOTED
    return PART if _is_part(node) else VALUE  # made elsewhere


def _message(call: ast.Call) -> tuple[str, list[ast.expr]] | None:
    """The error that a call makes, if it makes one, and its words: after the file, or the number of a line."""
    name = _name(call.func)
    if name.split(".")[0] in RAISED:
        return name, call.args[1:] if name == "FileError" else call.args
    if name.endswith(".error") and name != "coefficient.error" and call.args:
        numbered = (
            isinstance(call.args[0], ast.Name | ast.Constant) and len(call.args) > 1 and _text(call.args[0]) in "1⟨v⟩"
        )
        return "error", call.args[1:] if numbered else call.args
    return None


@cache
def raised() -> list[Raised]:
    """Every error that is raised with words, but for those of the room of errors."""
    found = []
    for file, node in nodes(ast.Call):
        if file.name != "errors.py" and (message := _message(node)) is not None:
            kind, words = message
            found.append(Raised(f"{file}:{node.lineno}", kind, tuple(map(_text, words))))
    return [one for one in found if one.text]


def messages() -> list[Raised]:
    """Errors with a message of their own."""
    return [one for one in raised() if "." not in one.kind]


def options() -> list[Raised]:
    """Errors of options, whose words one place puts together."""
    return [one for one in raised() if "." in one.kind]


def _broken(found: list[Raised]) -> str:
    return "\n".join(f"{one.where}: {one.text}" for one in found)


def test_there_are_messages_to_read() -> None:
    assert len(messages()) > 400
    assert len(options()) > 40


def test_a_message_begins_with_a_capital_letter_a_value_or_a_keyword() -> None:
    begins = re.compile(r"[A-Z×<]|'|⟨[vk]⟩")
    assert not _broken([one for one in messages() if not begins.match(one.text)])
    names = re.compile(r"Error\(\s*f\"\{[a-z_.]*\.name\}")  # a file's name is a value
    assert not [file for file in ROOT.rglob("*.py") if names.search(file.read_text(encoding="utf-8"))]


def test_a_message_ends_with_a_full_stop_a_question_mark_or_the_call_that_would_work() -> None:
    assert not _broken([one for one in messages() if not re.search(r"([.?]|⟨[vk]⟩)$", one.text)])


def test_an_option_out_of_range_has_one_sentence() -> None:
    other = re.compile(r" must .*; (got|found)|; got ")
    assert not _broken([one for one in messages() if one.kind == "OptionError" and other.search(one.text)])


def test_an_option_out_of_range_is_called_by_its_name() -> None:
    """Or by what it is, as a sentence begins: "The name of a measure must be one of …"."""
    called = [one for one in options() if one.words[0] != VALUE]
    assert not _broken([one for one in called if not one.words[0].isidentifier() and not one.words[0][0].isupper()])
    rules = [one for one in options() if one.kind == "OptionError.must" and not re.match(r"[a-z⟨]", one.words[1])]
    assert not _broken(rules + [one for one in options() if one.words[1].endswith((".", " "))])


def _written_out(node: ast.AST) -> Iterator[ast.AST]:
    """Values that are text of a message, of which nobody knows any more that they may be names."""
    if _is_hidden(node) or isinstance(node, ast.Compare):
        return
    shown = isinstance(node, ast.FormattedValue) and node.conversion == ord("r")
    if shown or (isinstance(node, ast.Call) and _name(node.func) in ("listing", "repr")):
        yield node
    for inner in ast.iter_child_nodes(node):
        yield from _written_out(inner)


def _is_hidden(node: ast.AST) -> bool:
    return isinstance(node, ast.Call) and _name(node.func) in MAY_BE_HIDDEN


def _within(function: ast.FunctionDef) -> Iterator[ast.AST]:
    """What stands in a function, and not in one inside it."""
    waiting: list[ast.AST] = list(function.body)
    while waiting:
        node = waiting.pop()
        yield node
        if not isinstance(node, ast.FunctionDef | ast.ClassDef | ast.Lambda):
            waiting.extend(ast.iter_child_nodes(node))


def _put_into(function: ast.FunctionDef) -> dict[str, list[ast.expr]]:
    """What each name of a function is given."""
    found: dict[str, list[ast.expr]] = {}
    for node in _within(function):
        if isinstance(node, ast.Assign):
            targets = [inner for target in node.targets for inner in ast.walk(target)]
        else:
            targets = [node.target] if isinstance(node, ast.AnnAssign | ast.AugAssign) else []
        for target in targets:
            if isinstance(target, ast.Name) and node.value is not None:  # type: ignore[attr-defined]
                found.setdefault(target.id, []).append(node.value)  # type: ignore[attr-defined]
    return found


Functions: TypeAlias = dict[str, list[ast.FunctionDef]]


@dataclass
class Followed:
    """What a message is made of, followed within its module to where it was put together."""

    functions: Functions
    seen: set[object] = field(default_factory=set)

    def written_out(self, node: ast.AST, names: dict[str, list[ast.expr]]) -> Iterator[ast.AST]:
        """Values in an expression, in what its names were given, and in what functions of the module return."""
        yield from _written_out(node)
        for inner in _told(node):
            if inner in self.seen:
                continue
            self.seen.add(inner)
            if isinstance(inner, ast.Name):
                for value in names.get(inner.id, ()):
                    yield from self.written_out(value, names)
            elif isinstance(inner, ast.Call):
                for function in self.functions.get(_name(inner.func).removeprefix("self."), ()):
                    held = _put_into(function)
                    for made in _within(function):
                        if isinstance(made, ast.Return | ast.Yield) and made.value is not None:
                            yield from self.written_out(made.value, held)


def _told(node: ast.AST) -> Iterator[ast.AST]:
    """The names and calls whose text becomes that of a message: neither parts, nor what is only asked or counted."""
    if _is_hidden(node) or isinstance(node, ast.Compare):
        return
    yield node
    counts = isinstance(node, ast.Call) and _name(node.func) in ("len", "counted", "percent")
    asked = node.test if isinstance(node, ast.IfExp) else None
    for inner in ast.iter_child_nodes(node) if not counts else ():
        if inner is not asked:
            yield from _told(inner)


def _of_messages(function: ast.FunctionDef) -> Iterator[ast.expr]:
    """What the errors of a function are made of: their words, the place, and what is said besides."""
    for node in _within(function):
        if not isinstance(node, ast.Call):
            continue
        message = _message(node)
        if message is not None:
            yield from message[1]
            yield from (keyword.value for keyword in node.keywords if keyword.arg == "part")
        elif _name(node.func) in ("problem.add", "error.add"):
            yield from node.args


def test_values_are_parts_that_can_be_hidden_and_never_text() -> None:
    """Where people are hidden, such parts go, and no sentence is searched: see `accord.cli.hiding`.

    A text that was put together before, by a name or a function of the same module, is followed to where that was.
    """
    found, read = [], 0
    for file, tree in trees().items():
        functions: Functions = {}
        for node in ast.walk(tree) if file.name != "errors.py" else ():
            if isinstance(node, ast.FunctionDef):
                functions.setdefault(node.name, []).append(node)
        for function in (one for several in functions.values() for one in several):
            words = list(_of_messages(function))
            names = _put_into(function) if words else {}
            read += len(words)
            for word in words:
                found += [f"{file}:{one.lineno}" for one in Followed(functions).written_out(word, names)]  # type: ignore[attr-defined]
    assert read > 2_000
    assert not found


# What the test below cannot follow, and what it is.
NO_NAMES = {
    ("agreement/groups.py", "test"): "a statistic with its degrees of freedom and p",
    ("agreement/registry.py", "fits"): "kinds of answers",
    ("cli/options.py", "self.interval"): "one of the kinds of intervals",
    ("cli/settings.py", "part"): "a part of accord.toml that there is",
    ("consensus/methods.py", "of"): "kinds of answers",
    ("consensus/rankings/kemeny.py", "found.message"): "what the solver of SciPy says",
    ("datasets/fetching.py", "found"): "a digest",
    ("datasets/fetching.py", "str(reason) or type(reason).__name__"): "what the network says",
    ("measures/level_of_answers.py", "looks.why"): "what labels look like: their first and last number",
    ("options.py", "public_function()"): "a function of accord",
    ("readers/formats/qda.py", "tool.person"): "the column of a tool",
    ("readers/results/result_files.py", "name"): "a query",
    ("readers/table_file.py", "called"): "an encoding",
    ("reporting/sections/rankings.py", "found"): "a gold in words, whose options the section shows",
    ("study/shapes/cells.py", "nothing"): "what a blank cell is called: 0, None",
    ("study/tables/long_tables.py", "taken[missing]"): "a role",
    ("warehouses/queries.py", "table"): "a table that is called as a step of accord's queries",
    ("workbench/file_holder.py", "where"): "the address of the server that runs",
    ("workbench/file_holder.py", "who"): "a process",
    ("workbench/server.py", "address.host"): "an address that was typed",
    ("workbench/server.py", "host"): "an address that was typed",
    ("workbench/server.py", "why"): "what the system says of it",
}


def _filled_in(node: ast.AST) -> Iterator[ast.FormattedValue]:
    """What stands in braces in the f-strings of a message, without its parts."""
    if isinstance(node, ast.FormattedValue):
        yield node
    elif not _is_hidden(node):
        for inner in ast.iter_child_nodes(node):
            yield from _filled_in(inner)


def _sentences_made(node: ast.Call) -> Iterator[ast.expr]:
    """The words of an error, or of a note."""
    message = _message(node)
    if message is not None:
        yield from message[1]
        yield from (keyword.value for keyword in node.keywords if keyword.arg == "part")
    elif _name(node.func).endswith(("problem.add", "error.add", "Message", ".note", "notes.append")):
        yield from node.args


def test_what_stands_in_braces_in_a_message_cannot_be_a_name() -> None:
    """A person, an item, a file, a column or a label is a part of the message: braces are for numbers and own words.

    What a name or a call stands for is followed as far as the source tells; the few that it does not are listed.
    """
    asked, read, found = OwnWords(), 0, set()
    for file, node in nodes(ast.Call):
        for word in _sentences_made(node) if file.name != "errors.py" else ():
            for filled in _filled_in(word):
                read += 1
                shown = _message(node) is not None and filled.conversion == ord("r")  # which the test above reads
                if not shown and not asked.are(filled):
                    found.add((file.as_posix(), ast.unparse(filled.value)))
    assert read > 600
    assert not found - set(NO_NAMES), "\n".join(map(str, sorted(found - set(NO_NAMES))))
    assert not set(NO_NAMES) - found, "these are told apart now"


SAYS_WHAT = {
    *OF_VALUES, *MADE_OF_PARTS, "at_row", "collected", "named", "serving", "MayBeNames", "PeopleNames"
}  # fmt: skip
AS_DATA = {"option", "available", "place", "remedies"}
OF_A_PAGE = "DecisionError"  # is shown to whoever decides on the page that knows the item; nobody reads it as data
NOTHING_TO_SAY = (  # there is no keyword, no value and no call that would work
    "Groups share items in more ways",
    "The table was changed while it was read",
    "This measure does not compare answers two by two",
    "No best order was found",
    "Items were answered in more than",
    "Decoded patterns hold",
    "No coefficient has a value",
    "⟨v⟩ and ⟨v⟩ marks of two annotators overlap",
    "⟨v⟩ units overlap so much",
    "The file could not be made",
)


def _carries_data(call: ast.Call) -> bool:
    """Does an error say something as data? What was made elsewhere, such as why there is no value, may have parts."""
    text = ast.Constant | ast.JoinedStr | ast.Call
    made_elsewhere = len(call.args) == 1 and isinstance(call.args[0], ast.Call)
    made_elsewhere |= any(not isinstance(word, text) for word in call.args)
    calls = {_name(inner.func).split(".")[-1] for inner in ast.walk(call) if isinstance(inner, ast.Call)}
    return bool(made_elsewhere or calls & SAYS_WHAT or {word.arg for word in call.keywords} & AS_DATA)


def test_every_error_says_something_as_data() -> None:
    """What it is about, what there is, where, or the way out: so that nobody has to read English."""
    mute = [
        f"{file}:{node.lineno}: {text}"
        for file, node in nodes(ast.Call)
        if _name(node.func) in RAISED - {"FileError", OF_A_PAGE}  # a file is a place
        if not _carries_data(node) and file.name != "errors.py"
        if not (text := "".join(map(_text, node.args))).startswith(NOTHING_TO_SAY)
    ]
    assert not mute, "\n".join(mute)


def test_keywords_with_values_and_calls_are_parts_and_never_text() -> None:
    assert not _broken([one for one in raised() if PYTHON.search(one.text)])


def test_no_message_is_made_before_anybody_can_read_it() -> None:
    """At the top of a module nobody knows yet who will read: the text would be Python for good."""
    early = [
        f"{file}:{node.lineno}"
        for file, tree in trees().items()
        for statement in tree.body
        if not isinstance(statement, ast.FunctionDef | ast.ClassDef)
        for node in ast.walk(statement)
        if isinstance(node, ast.Call) and _name(node.func) == "Message"
    ]
    assert not early


def test_no_message_of_the_library_names_an_option_of_the_command() -> None:
    assert not _broken([one for one in messages() if OPTION.search(one.text)])


def test_values_are_quoted_by_repr_and_blanks_stand_alone() -> None:
    odd = re.compile(r"""  |!|['"`“]⟨v⟩(?<!'⟨v⟩)|\.\.\.|\s$""")
    assert not _broken([one for one in messages() if odd.search(one.text)])


def test_a_question_has_no_full_stop_behind_it() -> None:
    """What the parts come to is read from what is said, in test_mistakes."""
    assert not _broken([one for one in messages() if re.search(r"\?\.|; did you mean", one.text)])


def test_what_something_is_stands_with_its_own_article() -> None:
    """An int, a float: `with_article` knows."""
    assert not [
        f"{file}:{node.lineno}"
        for file, node in nodes(ast.JoinedStr)
        for words, value in pairwise(node.values)
        if isinstance(words, ast.Constant) and re.search(r"\b[Aa]n? $", str(words.value))
        if isinstance(value, ast.FormattedValue) and isinstance(value.value, ast.Attribute)
        if value.value.attr == "__name__"
    ]


# -- notes, reasons, remedies ------------------------------------------------------------------------------------------


def _sentences(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Every text of a module that somebody may read: not its documentation, nor what stands in a part of a message."""
    skipped: set[ast.AST] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            skipped.add(node.value)
        elif isinstance(node, ast.JoinedStr):
            skipped.update(node.values)
        elif _is_part(node) or (isinstance(node, ast.Call) and _name(node.func) == "AttributeError"):
            skipped.update(ast.walk(node))
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant | ast.JoinedStr) and node not in skipped:
            text = _text(node)
            if " " in text and "<" not in text:
                yield node.lineno, text


@pytest.mark.parametrize("room", sorted({file.relative_to(ROOT).parts[0] for file in ROOT.rglob("*.py")}))
def test_no_sentence_of_the_library_has_python_as_text(room: str) -> None:
    """A command or a report may show it; a `Message` spells what it names for whoever reads."""
    found = [
        f"{file}:{line}: {text}"
        for file, tree in trees().items()
        if file.parts[0] == room
        if file.name != "names_elsewhere.py"  # hints of an AttributeError, which nobody but Python raises
        for line, text in _sentences(tree)
        if PYTHON.search(text)
    ]
    assert not found, "\n".join(found)
