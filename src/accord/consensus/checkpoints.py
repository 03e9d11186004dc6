"""A fit that goes on where it broke off: the model so far in a small file, whole or not at all.

What an iteration needs is what the one before it learned: the tables of the annotators and the shares of the labels. So
that is all that is kept, beside the objective of each iteration and the question that it belongs to. Arrays and
numbers only: nothing in such a file is run.
"""

from __future__ import annotations

import hashlib
import json
import time
import zipfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

import numpy as np

from accord.engine.whole_file import check_target, path_of, whole
from accord.errors import FileError, Keyword, OptionError, all_quoted, remedy

FORMAT = "accord checkpoint 1"
EVERY = 10.0  # seconds at least between two files; whatever breaks in between, the last model is written then
ABOUT = "about"  # the entry of the file that is no part of the model


@dataclass(frozen=True, eq=False)
class Reached:
    """A model after so many iterations, and the objective of those that can be compared."""

    model: Any
    iterations: int = 0
    trace: tuple[float, ...] = ()
    comparable: bool = False  # did the last of them have the prior that stays?


class Checkpoint:
    """Where a fit keeps what it has reached, and finds what one before it had."""

    def __init__(self, path: str | Path, kind: type[Any], question: Mapping[str, Any]) -> None:
        self.path, self.kind, self.question = path_of(path, "checkpoint"), kind, dict(question)
        self._answers: dict[str, str] = {}
        self._latest: Reached | None = None
        self._written = time.monotonic()
        check_target(self.path)

    def belongs_to(self, what: str, digest: str) -> None:
        """Which answers the model is learned from: a digest of what is known of them."""
        self._answers[what] = digest

    def found(self) -> Reached | None:
        """What an earlier fit of the same question had reached; None where there was none."""
        if not self.path.exists():
            return None
        with _reading(self.path) as held:
            about = json.loads(str(held[ABOUT]))
            if about["format"] != FORMAT or about["model"] != self.kind.__name__:
                raise ValueError(about["format"])
            parts = {name: held[name] for name in held.files if name != ABOUT}
        differs = [name for name, value in self.question.items() if about["question"].get(name) != value]
        there = about["answers"]  # in memory more is known of them than in an engine: what both know must be the same
        differs += [name for name, value in self._answers.items() if there.get(name, value) != value]
        if differs:
            raise FileError(
                self.path,
                "This checkpoint is of another question, by ",
                all_quoted(differs),
                ". Name another file, or remove this one to begin anew: ",
                remedy(checkpoint=...),
                ".",
            )
        model = self.kind(**{**about["plain"], **parts})
        return Reached(model, about["iterations"], tuple(about["trace"]), about["comparable"])

    def keep(self, reached: Reached) -> None:
        """What was reached last; the file is written now and then."""
        self._latest = reached
        if time.monotonic() - self._written >= EVERY:
            self._write()

    @contextmanager
    def kept(self) -> Iterator[None]:
        """However it ends, what was reached last is written: done, interrupted, or an engine that broke."""
        try:
            yield
        finally:
            if self._latest is not None:
                self._write()

    def _write(self) -> None:
        assert self._latest is not None
        reached, self._latest = self._latest, None
        held = {one.name: getattr(reached.model, one.name) for one in fields(reached.model)}
        arrays = {name: value for name, value in held.items() if isinstance(value, np.ndarray)}
        about = {
            "format": FORMAT,
            "model": type(reached.model).__name__,
            "question": self.question,
            "answers": self._answers,
            "plain": {name: value for name, value in held.items() if name not in arrays},
            "iterations": reached.iterations,
            "trace": reached.trace,
            "comparable": reached.comparable,
        }
        with whole(self.path) as half, half.open("wb") as stream:
            np.savez(stream, allow_pickle=False, **{ABOUT: np.array(json.dumps(about)), **arrays})
        self._written = time.monotonic()


@contextmanager
def _reading(path: Path) -> Iterator[Any]:
    """The entries of a file that should be a checkpoint."""
    try:
        with path.open("rb") as stream, np.load(stream, allow_pickle=False) as held:
            yield held
    except (OSError, ValueError, KeyError, TypeError, AttributeError, EOFError, zipfile.BadZipFile):
        raise FileError(
            path, "This is no checkpoint of such a fit, or a damaged one. Name another file, or remove this one."
        ) from None


def question_of(method: str, names: Mapping[str, Any], options: Mapping[str, Any]) -> dict[str, Any]:
    """What a fit is of, as JSON holds it; long lists of names by a digest."""
    given = {name: value for name, value in options.items() if name not in ("iterations", "checkpoint")}
    return {"method": method, **{name: _digest(value) for name, value in names.items()}, "options": _digest(given)}


def _digest(value: Any) -> Any:
    if isinstance(value, int | str):
        return value
    return hashlib.sha256(repr(value).encode("utf-8", "surrogatepass")).hexdigest()


def check_one_model(*, sets: bool, restarts: int) -> None:
    """A checkpoint holds one model: of several it would not know which."""
    if sets:
        raise OptionError(
            Keyword("checkpoint"), " keeps one model, and sets are decided label by label, each by one. Leave it out."
        )
    if restarts:
        raise OptionError(
            Keyword("checkpoint"), " keeps one model, and ", Keyword("restarts"), " makes several. Leave one out."
        )
