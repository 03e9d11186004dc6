"""Sample studies by name: our own, which come with accord, and public ones that are fetched when asked for; may
import `readers` and what lies below it.

A connection is opened for a public study that is not in the cache, and for
nothing else.
"""

from accord.datasets.dataset import Dataset
from accord.datasets.loading import about, available, load, path

__all__ = ["Dataset", "about", "available", "load", "path"]


def __dir__() -> list[str]:
    return sorted(__all__)
