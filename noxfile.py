#!/usr/bin/env -S uv run
# /// script
# dependencies = ["nox>=2025.2.9"]
# ///
"""Every Python that is promised, each with a fresh environment: `nox`, or `nox -s tests-3.13 -- -k cohen`.

What is run is what make runs; nox only makes the environments. `make oldest` and `make package` need no nox.
"""

from __future__ import annotations

import nox

nox.needs_version = ">=2025.2.9"
nox.options.default_venv_backend = "uv|venv"
nox.options.error_on_missing_interpreters = False  # whoever has two of them tries two


@nox.session(python=["3.11", "3.12", "3.13", "3.14"])
def tests(session: nox.Session) -> None:
    """The quick tests with the doctests, as `make check` runs them; arguments go to pytest."""
    session.install("-e", ".[dev]")
    session.run("python", "-m", "pytest", "-q", "-m", "not slow and not engine and not browser", *session.posargs)


@nox.session(python="3.11")
def oldest(session: nox.Session) -> None:
    """The oldest dependencies that are promised."""
    session.run("make", "oldest", external=True)


@nox.session(python="3.13")
def package(session: nox.Session) -> None:
    """What is built is whole: see `make package`."""
    session.run("make", "package", external=True)


if __name__ == "__main__":
    nox.main()
