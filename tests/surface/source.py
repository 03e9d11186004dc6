"""The source of accord, parsed once for all tests that read it."""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path

import accord

ROOT = Path(str(accord.__file__)).parent


@cache
def trees() -> dict[Path, ast.Module]:
    """Every module below the package, by its path from there."""
    return {path.relative_to(ROOT): ast.parse(path.read_text(encoding="utf-8")) for path in sorted(ROOT.rglob("*.py"))}
