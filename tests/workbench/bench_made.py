"""Small studies and their benches, for the tests of the workbench."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import accord
from accord.workbench.bench import Bench
from accord.workbench.bench_options import BenchOptions
from accord.workbench.people import Person

ANA, BEN, LEA, RITA = Person("ana"), Person("ben"), Person("lea", "lead"), Person("rita", "reader")
PATTERNS = ("aab", "abb", "aaa", "abc", "bbb", "cca")


def rows(patterns: tuple[str, ...] = PATTERNS) -> list[dict[str, Any]]:
    """Three annotators' labels of some items, each with a text."""
    return [
        {"item": f"i{number}", "annotator": who, "label": label, "text": f"the words of item number {number}"}
        for number, labels in enumerate(patterns)
        for who, label in zip("xyz", labels, strict=True)
    ]


def study(patterns: tuple[str, ...] = PATTERNS) -> accord.Study:
    """The same as a study."""
    return accord.Study(rows(patterns))


def bench(folder: Path, made: accord.Study | None = None, **options: Any) -> Bench:
    """A bench with its log in a folder, where it goes on."""
    return Bench.open(made or study(), folder / "decisions.sqlite", BenchOptions(**options))
