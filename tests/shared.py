"""Real studies, which are not ours to copy: they lie beside the repository. A test that reads them is `shared`."""

from __future__ import annotations

from pathlib import Path

DATA = (Path(__file__).parents[1] / "../shared/data").resolve()
ABSENT = "needs ../shared, which is not here"


def is_here() -> bool:
    """A folder of that name may belong to somebody else: one of the studies must lie in it."""
    return (DATA / "snow2008_rte").is_dir()
