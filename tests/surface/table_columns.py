"""The columns of tables, read from the source: every literal name in what a `Table(…)` is made of."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tests.surface.source import trees

Found = Iterator[str]


class Columns:
    """Looks up, within one function of a module, where the columns of a table come from."""

    def __init__(self, module: ast.Module, function: ast.FunctionDef) -> None:
        self.module, self.function = module, function
        self.known: set[str] = set()  # names and functions that were followed already

    def of(self, node: ast.AST) -> Found:
        """The names in an expression: keys of dictionaries, texts zipped or looped over, and what names stand for."""
        for part in ast.walk(node):
            match part:
                case ast.Dict(keys=keys):
                    yield from _texts(keys)
                case ast.DictComp(generators=[ast.comprehension(iter=loop), *_]):
                    yield from self._listed(loop)
                case ast.Call(func=ast.Name(id="zip"), args=[first, *_]):
                    yield from self._listed(first)
                case ast.Call(func=ast.Name(id=name) | ast.Attribute(value=ast.Name(id="self" | "cls"), attr=name)):
                    yield from self._returned(name)
                case ast.Name(id=name):
                    yield from self._assigned(name)

    def _listed(self, node: ast.expr) -> Found:
        """The texts of a tuple, or of what a name stands for, in the function or the module."""
        for part in ast.walk(node):
            if isinstance(part, ast.Tuple | ast.List):
                yield from _texts(part.elts)
            elif isinstance(part, ast.Name):
                for value in _values(self.function, part.id) or _values(self.module, part.id):
                    if isinstance(value, ast.Tuple | ast.List):
                        yield from self._listed(value)

    def _assigned(self, name: str) -> Found:
        """What a name of the function was given: at once, column by column, or row by row."""
        if name in self.known:
            return
        self.known.add(name)
        for value in _values(self.function, name):
            yield from self.of(value)
        for part in ast.walk(self.function):
            match part:
                case ast.Assign(targets=[ast.Subscript(value=ast.Name(id=whose), slice=ast.Constant(value=str(key)))]):
                    yield from [key] if whose == name else []
                case ast.Call(func=ast.Attribute(value=ast.Name(id=whose), attr="update" | "append"), args=[first, *_]):
                    yield from self.of(first) if whose == name else ()

    def _returned(self, name: str) -> Found:
        """The keys of the dictionaries that a function of the module gives: a row, or some columns."""
        if f"{name}()" in self.known:
            return
        self.known.add(f"{name}()")
        for function in ast.walk(self.module):
            if isinstance(function, ast.FunctionDef) and function.name == name:
                inside = Columns(self.module, function)
                inside.known = self.known
                for part in ast.walk(function):
                    if isinstance(part, ast.Return) and isinstance(part.value, ast.Dict | ast.DictComp):
                        yield from inside.of(part.value)


def _texts(nodes: list[ast.expr] | list[ast.expr | None]) -> Found:
    yield from (node.value for node in nodes if isinstance(node, ast.Constant) and isinstance(node.value, str))


def _values(scope: ast.AST, name: str) -> list[ast.expr]:
    found = []
    for part in ast.walk(scope):
        match part:
            case ast.Assign(targets=[ast.Name(id=whose)], value=value):
                found += [value] if whose == name else []
            case (
                ast.AnnAssign(target=ast.Name(id=whose), value=value)
                | ast.AugAssign(target=ast.Name(id=whose), value=value)
            ):
                found += [value] if whose == name and value is not None else []
    return found


def columns() -> dict[str, set[str]]:
    """Each column, and the modules whose tables have it; what has blanks is a heading in words."""
    found: dict[str, set[str]] = {}
    for path, module in trees().items():
        for function in ast.walk(module):
            if not isinstance(function, ast.FunctionDef):
                continue
            for call in ast.walk(function):
                match call:
                    case ast.Call(func=ast.Name(id="Table"), args=[_, data, *_]):
                        for name in Columns(module, function).of(data):
                            found.setdefault(name, set()).add(str(path))
    return {name: where for name, where in found.items() if name.isidentifier()}
