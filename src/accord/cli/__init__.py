"""The `accord` command: parse, call the library once, print; the only room that imports Typer, may import all."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from accord.cli.program import app as app

__all__ = ["app", "main"]

NEEDED = "typer"  # what the command cannot do without


def main() -> None:
    """Run the command; without the packages that it needs, say how to get them."""
    try:
        from accord.cli.program import run
    except KeyboardInterrupt:  # while all is still being loaded
        sys.exit(130)
    except ModuleNotFoundError as problem:
        if (problem.name or "").partition(".")[0] != NEEDED:
            raise
        sys.stderr.write('accord: The command needs packages that are not installed: pip install "accord[report]"\n')
        sys.exit(2)  # as for anything that cannot be done; the codes live beside Typer, which is not there
    run()


if not TYPE_CHECKING:  # or every misspelt name would pass the type checkers

    def __getattr__(name: str) -> object:
        if name != "app":
            raise AttributeError(f"module 'accord.cli' has no attribute {name!r}")
        from accord.cli.program import every_command

        return every_command()
