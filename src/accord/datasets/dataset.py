"""What is known of a sample study before it is read: where it is, what it holds, whose it is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, kw_only=True)
class Dataset:
    """A sample study: what it is, whose it is, and how it is read.

    Attributes:
        name: What `load` calls it.
        says: What it is, in a line.
        answers: The kind of its answers: "single", "set", "ranked", "score", "spans" …
        items: How many items it has.
        annotators: How many people and models answered.
        file: The name of its file.
        licence: Under which terms it may be used.
        citation: What to cite; our own need none.
        url: Where a public one is fetched from; empty for what comes with accord.
        sha256: The digest that the fetched bytes must have.
        size: How many bytes are fetched.
        options: The keywords with which `accord.read` reads it.

    >>> import accord
    >>> about = accord.datasets.about("five-annotators")
    >>> about.name, about.licence
    ('five-annotators', 'Apache-2.0')
    """

    name: str
    says: str
    answers: str
    items: int
    annotators: int
    file: str
    licence: str = "Apache-2.0"
    citation: str = ""
    url: str = ""
    sha256: str = ""
    size: int = 0
    options: Mapping[str, Any] = field(default_factory=dict)

    @property
    def public(self) -> bool:
        """Is it somebody else's, and fetched when asked for?"""
        return bool(self.url)

    def __str__(self) -> str:
        where = f"fetched from {self.url} ({self.size:,} bytes)" if self.public else "comes with accord"
        cited = f"\n  to cite: {self.citation}" if self.citation else ""
        return f"{self.name}: {self.says}\n  {where}, under {self.licence}{cited}"

    __repr__ = __str__
