"""What an f-string is filled with, as far as the source tells: own words and numbers, or what may be a name.

Numbers with a format are, and what is counted, constants of a module, values whose type holds numbers or a few words.
A name is followed to what it is given, in its function or by whoever calls that, and a call to what is returned.
"""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import TypeAlias

from tests.surface.source import Node, nodes, trees

NUMBERS = {
    "int", "float", "bool", "None", "Level", "Kind", "IntArray", "FloatArray", "BoolArray", "Duplicates"
}  # fmt: skip
SEVERAL = {"tuple", "list", "Sequence", "Iterable", "set", "Counter"}
COUNTED = {
    "counted", "percent", "len", "int", "float", "round", "sum", "max", "min", "type", "with_article", "bool", "abs",
    "answers_called", "in_words", "signature", "ErrorString",
}  # fmt: skip
OF_ITS_ARGUMENTS = {
    "str", "Message", "sorted", "list", "tuple", "repr", "set", "zip", "reversed", "next", "iter", "dict", "listing",
}  # fmt: skip
OF_TEXT = {
    "upper", "lower", "capitalize", "strip", "rstrip", "removesuffix", "removeprefix", "replace", "split", "partition",
}  # fmt: skip
# What accord calls its own words everywhere, and the places of marks.
NAMES = {"what", "role", "kind", "method", "measure", "title", "tool", "scheme", "example", "start", "end"}
# Attributes that hold words of accord, of Python or of the system, or numbers, whatever they are of.
ATTRIBUTES = {
    "__name__", "strerror", "ndim", "shape", "size", "colno", "offset", "encoding", "implementation",
    "title", "words", "kind", "format", "tag", "sha256", "serves", "zero", "method", "role", "what", "msg", "url",
    "differ_in", "resample_cost",
}  # fmt: skip

Given: TypeAlias = ast.AST | None  # an expression; None is what nobody can follow


def called(node: ast.AST) -> str:
    """The last of the names of what is called or asked for."""
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""


@cache
def _by_name() -> dict[tuple[type[ast.AST], str], list[tuple[Path, ast.AST]]]:
    """Every function and every call, by its name."""
    found: dict[tuple[type[ast.AST], str], list[tuple[Path, ast.AST]]] = defaultdict(list)
    for file, function in nodes(ast.FunctionDef):
        found[ast.FunctionDef, function.name].append((file, function))
    for file, call in nodes(ast.Call):
        found[ast.Call, called(call.func)].append((file, call))
    return found


def _named(kind: type[Node], name: str, file: Path) -> list[Node]:
    """The functions or calls of a name: those of a module, where it has such a function, else of all."""
    own = any(place == file for place, _ in _by_name()[ast.FunctionDef, name])
    return [node for place, node in _by_name()[kind, name] if place == file or not own]  # type: ignore[misc]


@cache
def types_of_attributes() -> dict[str, list[ast.expr | None]]:
    """What fields and properties are annotated with, of whatever class."""
    found: dict[str, list[ast.expr | None]] = defaultdict(list)
    for _, node in nodes(ast.ClassDef):
        for inner in node.body:
            if isinstance(inner, ast.AnnAssign):
                found[called(inner.target)].append(inner.annotation)
            elif isinstance(inner, ast.FunctionDef) and any("property" in called(one) for one in inner.decorator_list):
                found[inner.name].append(inner.returns)
    return found


@cache
def above() -> dict[ast.AST, ast.AST]:
    """In what each expression and statement stands."""
    return {inner: node for tree in trees().values() for node in ast.walk(tree) for inner in ast.iter_child_nodes(node)}


@cache
def _files() -> dict[ast.AST, Path]:
    """Where each module stands."""
    return {tree: file for file, tree in trees().items()}


def _file_of(node: ast.AST) -> Path:
    while node not in _files():
        node = above()[node]
    return _files()[node]


def _are_numbers(kind: ast.expr | None) -> bool:
    """Does a type hold numbers, or one of a few words, and nothing else?"""
    if isinstance(kind, ast.Constant):
        return kind.value is None or kind.value is ...
    if isinstance(kind, ast.BinOp):
        return _are_numbers(kind.left) and _are_numbers(kind.right)
    if isinstance(kind, ast.Subscript):
        inner = kind.slice.elts if isinstance(kind.slice, ast.Tuple) else [kind.slice]
        return called(kind.value) == "Literal" or (called(kind.value) in SEVERAL and all(map(_are_numbers, inner)))
    return kind is not None and called(kind) in NUMBERS


class OwnWords:
    """Asks of expressions whether they are accord's own words and numbers; what asks for itself again adds nothing."""

    def __init__(self) -> None:
        self._asked: set[ast.AST] = set()

    def are(self, node: Given) -> bool:
        """Is an expression made of nothing else?"""
        if node is None or node in self._asked:
            return node is not None
        self._asked.add(node)
        try:
            return self._are(node)
        finally:
            self._asked.discard(node)

    def _all(self, several: Iterable[Given]) -> bool:
        return all(self.are(one) for one in several)

    def _are(self, node: ast.AST) -> bool:
        match node:
            case ast.Constant() | ast.UnaryOp() | ast.Compare():
                return True
            case ast.FormattedValue():
                return (node.format_spec is not None and node.conversion == -1) or self.are(node.value)
            case ast.JoinedStr() | ast.BoolOp() | ast.Dict():
                return self._all(node.values)
            case ast.Tuple() | ast.List() | ast.Set():
                return self._all(node.elts)
            case ast.Starred() | ast.Subscript() | ast.NamedExpr():
                return self.are(node.value)
            case ast.IfExp():
                return self.are(node.body) and self.are(node.orelse)
            case ast.BinOp():
                return not isinstance(node.op, ast.Add | ast.Mod | ast.Mult) or self._all([node.left, node.right])
            case ast.GeneratorExp() | ast.ListComp() | ast.SetComp():
                return self.are(node.elt)
            case ast.Attribute():
                kinds = types_of_attributes().get(node.attr, [])
                own = node.attr in ATTRIBUTES or node.attr.isupper()
                return own or (bool(kinds) and all(map(_are_numbers, kinds)))
            case ast.Name():
                return node.id.isupper() or node.id in NAMES or self._is_name_of_such(node)
            case ast.Call():
                return self._is_call_of_such(node)
        return False

    def _is_call_of_such(self, node: ast.Call) -> bool:
        name = called(node.func)
        if name in COUNTED:
            return True
        if name in OF_ITS_ARGUMENTS:
            return self._all(node.args)
        if name == "map":
            return self._all(node.args[1:])
        if isinstance(node.func, ast.Attribute) and name in {*OF_TEXT, "join", "get", "keys", "values", "items"}:
            return self.are(node.func.value) and self._all(node.args[name == "get" :])
        found = _named(ast.FunctionDef, name, _file_of(node))
        return bool(found) and all(self._gives_such(function) for function in found)

    def _gives_such(self, function: ast.FunctionDef) -> bool:
        if _are_numbers(function.returns):
            return True
        made = [node.value for node in _within(function) if isinstance(node, ast.Return | ast.Yield)]
        return bool(made) and self._all(made)

    def _is_name_of_such(self, node: ast.Name) -> bool:
        """By what it is given where it stands, in the function around that, or at the top of the module."""
        place: ast.AST = node
        while (place := above().get(place)) is not None:  # type: ignore[assignment]
            if isinstance(place, ast.GeneratorExp | ast.ListComp | ast.SetComp | ast.DictComp):
                given = [one for part in place.generators for one in _taken(part.target, part.iter, node.id)]
            elif isinstance(place, ast.FunctionDef | ast.Module):
                given = list(_given(place, node.id))
                argument = _argument(place, node.id) if isinstance(place, ast.FunctionDef) else None
                if argument is not None and isinstance(place, ast.FunctionDef):
                    known = _are_numbers(argument.annotation) or self._is_passed_such(place, argument)
                    return known and self._all(given)
            else:
                continue
            if given:
                return self._all(given)
        return False

    def _is_passed_such(self, function: ast.FunctionDef, argument: ast.arg) -> bool:
        """Does everybody who calls a function give it nothing else?"""
        file = _file_of(function)
        those = _named(ast.Call, function.name, file)
        if len(_named(ast.FunctionDef, function.name, file)) > 1 or not those:
            return False
        named = function.args
        at = [*named.posonlyargs, *named.args].index(argument) if argument not in named.kwonlyargs else None
        behind = isinstance(above().get(function), ast.ClassDef)  # self or cls
        usual = dict(zip([*named.posonlyargs, *named.args][::-1], named.defaults[::-1], strict=False))
        usual |= {one: value for one, value in zip(named.kwonlyargs, named.kw_defaults, strict=True) if value}
        for call in those:
            said = [one.value for one in call.keywords if one.arg == argument.arg]
            if not said and at is not None and 0 <= at - behind < len(call.args):
                said = [call.args[at - behind]]
            if not self._all(said or [usual.get(argument)]):
                return False
        return True


def _within(function: ast.AST) -> Iterator[ast.AST]:
    """What stands in a function, and not in one inside it."""
    waiting = list(ast.iter_child_nodes(function))
    while waiting:
        node = waiting.pop()
        yield node
        if not isinstance(node, ast.FunctionDef | ast.ClassDef | ast.Lambda):
            waiting.extend(ast.iter_child_nodes(node))


def _argument(function: ast.FunctionDef, name: str) -> ast.arg | None:
    named = function.args
    return next((one for one in (*named.posonlyargs, *named.args, *named.kwonlyargs) if one.arg == name), None)


def _given(scope: ast.AST, name: str) -> Iterator[Given]:
    """What a name is given in a function or a module."""
    for node in _within(scope):
        match node:
            case ast.Assign():
                for target in node.targets:
                    yield from _taken(target, node.value, name)
            case ast.AnnAssign(target=ast.Name(id=found)) if found == name:
                yield ast.Constant(0) if _are_numbers(node.annotation) else node.value
            case ast.AugAssign(target=ast.Name(id=found)) | ast.NamedExpr(target=ast.Name(id=found)) if found == name:
                yield node.value
            case ast.For():
                yield from _taken(node.target, node.iter, name)
            case ast.withitem() if node.optional_vars is not None:
                yield from (None for _ in _taken(node.optional_vars, node.context_expr, name))
            case ast.ExceptHandler() if node.name == name:
                yield None


def _taken(target: ast.expr, value: ast.expr, name: str) -> Iterator[Given]:
    """What a name in a target has of a value, or of what goes through it."""
    if isinstance(target, ast.Name | ast.Starred):
        if called(target.value if isinstance(target, ast.Starred) else target) == name:
            yield ast.Constant(0) if isinstance(value, ast.Call) and called(value.func) == "range" else value
        return
    for at, inner in enumerate(target.elts if isinstance(target, ast.Tuple | ast.List) else ()):
        match value:
            case ast.Call(func=ast.Name(id="enumerate")):
                yield from _taken(inner, ast.Constant(0) if at == 0 else value.args[0], name)
            case ast.Call(func=ast.Name(id="zip")) if at < len(value.args):
                yield from _taken(inner, value.args[at], name)
            case ast.Call(func=ast.Attribute(attr="items")) if at == 1:
                yield from _taken(inner, value.func.value, name)  # type: ignore[attr-defined]
            case ast.Tuple(elts=several) | ast.List(elts=several) if len(several) == len(target.elts):  # type: ignore[attr-defined]
                if all(isinstance(one, ast.Tuple) and len(one.elts) == len(several) for one in several):
                    yield from (got for one in several for got in _taken(inner, one.elts[at], name))  # type: ignore[attr-defined]
                else:
                    yield from _taken(inner, several[at], name)
            case ast.IfExp():
                for one in (value.body, value.orelse):
                    yield from _taken(inner, one.elts[at] if isinstance(one, ast.Tuple) else one, name)
            case _:
                yield from _taken(inner, value, name)
