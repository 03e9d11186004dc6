"""Sample studies by name: our own, which come with accord, and public ones that are fetched when asked for.

May import `readers` and what lies below it. It is the only room that opens a connection, and only for a public study
that is not in the cache.
"""

from accord.datasets.dataset import Dataset
from accord.datasets.loading import about, available, load, path

__all__ = ["Dataset", "about", "available", "load", "path"]
