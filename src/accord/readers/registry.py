"""Every format, in the order in which they are tried; others come through the entry point group "accord.readers"."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from importlib.metadata import entry_points
from typing import Any, Protocol

from accord.readers.rows import ReadOptions, Rows
from accord.readers.source import Found, Source

GROUP = "accord.readers"
FORMATS: dict[str, str] = {
    "label-studio": "label_studio",
    "prodigy": "prodigy",
    "doccano": "doccano",
    "argilla": "argilla",
    "brat": "brat",
    "inception": "inception",
    "labelbox": "labelbox",
    "mturk": "mturk",
    "ground-truth": "ground_truth",
    "toloka": "toloka",
    "appen": "appen",
    "potato": "potato",
    "cvat": "cvat",
    "coco": "coco",
    "conll": "conll",
    "pygamma": "pygamma",
    "phoenix": "phoenix",
    "langfuse": "langfuse",
}


class Reader(Protocol):
    """What a module of a format offers."""

    TITLE: str
    LOOSE: bool  # optional: may folders of the format hold other files with data? Without it they may not

    def sniff(self, source: Source) -> Found | None:
        """Is it this format, and what was seen that says so?"""

    def read(self, source: Source, options: ReadOptions) -> Rows:
        """Its rows, in accord's words."""


@cache
def readers() -> dict[str, Any]:
    """Every reader by the name of its format; ours first."""
    found: dict[str, Any] = {
        name: import_module(f"accord.readers.formats.{module}") for name, module in FORMATS.items()
    }
    for point in entry_points(group=GROUP):
        found.setdefault(point.name, point.load())
    return found
