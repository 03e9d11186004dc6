"""The oldest versions that pyproject.toml promises, as constraints for pip: `python tests/packaging/oldest.py`.

`make oldest` installs them and runs the tests; a promise that is not kept is raised in pyproject.toml, never here.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

PROJECT = Path(__file__).parents[2] / "pyproject.toml"
PROMISE = re.compile(r"(?P<name>[A-Za-z0-9_.-]+)(?:\[[^\]]*\])?>=(?P<version>[\d.]+)$")
TRIED = ("report", "duckdb", "spss", "serve")  # the extras that people install; Spark brings an engine of its own


def oldest() -> Iterator[str]:
    """A line for each dependency that has a least version."""
    project = tomllib.loads(PROJECT.read_text(encoding="utf-8"))["project"]
    extras = project["optional-dependencies"]
    wanted = [*project["dependencies"], *(one for name in TRIED for one in extras[name])]
    for line in dict.fromkeys(wanted):
        found = PROMISE.match(line)
        if found is not None:
            yield f"{found['name']}=={found['version']}"


if __name__ == "__main__":
    print("\n".join(oldest()))
