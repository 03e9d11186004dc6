"""The source of accord, parsed and walked through once for all tests that read it."""

from __future__ import annotations

import ast
import gc
from collections import defaultdict
from functools import cache
from pathlib import Path
from typing import TypeVar

import accord

ROOT = Path(str(accord.__file__)).parent
Node = TypeVar("Node", bound=ast.AST)


@cache
def trees() -> dict[Path, ast.Module]:
    """Every module below the package, by its path from there."""
    return {path.relative_to(ROOT): ast.parse(path.read_text(encoding="utf-8")) for path in sorted(ROOT.rglob("*.py"))}


@cache
def _by_kind() -> dict[type[ast.AST], list[tuple[Path, ast.AST]]]:
    found: dict[type[ast.AST], list[tuple[Path, ast.AST]]] = defaultdict(list)
    for path, tree in trees().items():
        for node in ast.walk(tree):
            found[type(node)].append((path, node))
    gc.freeze()  # millions of nodes, kept to the end: no search for circles need go through them
    return found


def nodes(kind: type[Node]) -> list[tuple[Path, Node]]:
    """Every statement or expression of a kind, with the module where it stands."""
    return [(path, node) for path, node in _by_kind()[kind] if isinstance(node, kind)]


def imports() -> list[tuple[Path, ast.Import | ast.ImportFrom]]:
    """Every import, at the top of a module or inside a function."""
    return [*nodes(ast.Import), *nodes(ast.ImportFrom)]
