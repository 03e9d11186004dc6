"""A public file in the cache of the user: fetched once, and only if its bytes are the ones that are meant."""

from __future__ import annotations

import hashlib
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from accord.errors import FileError, MayBeNames, remedy

if TYPE_CHECKING:
    from accord.datasets.dataset import Dataset

SECONDS = 30  # without a word from the other side
CACHE = "ACCORD_CACHE"  # the environment's word for another folder


def fetched(dataset: Dataset, folder: str | Path | None) -> Path:
    """The file of a public study; a copy that is not the one that is meant is replaced."""
    place = Path(folder or cache_folder()) / dataset.file
    if not (place.is_file() and _digest(place.read_bytes()) == dataset.sha256):
        content = _answer(dataset, place)
        _check(content, dataset, place)
        _keep(content, place)
    return place


def cache_folder() -> Path:
    """Where fetched files lie: what ACCORD_CACHE says, or the folder for caches of this system."""
    folder = os.environ.get(CACHE)
    if folder:
        return Path(folder)
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local") / "accord" / "cache"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches" / "accord"
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "accord"


def _answer(dataset: Dataset, place: Path) -> bytes:
    """What the other side sends, up to one byte more than there should be."""
    from http.client import HTTPException
    from urllib.request import urlopen

    try:
        with urlopen(dataset.url, timeout=SECONDS) as answer:
            content: bytes = answer.read(dataset.size + 1)
    except (OSError, HTTPException) as problem:
        reason = getattr(problem, "reason", None) or problem
        raise FileError(
            dataset.file,
            f"It cannot be fetched from {dataset.url}: {str(reason) or type(reason).__name__}. "
            "Try again with a connection, or fetch it elsewhere and put it here: ",
            MayBeNames(str(place)),
            ".",
        ) from None
    return content


def _check(content: bytes, dataset: Dataset, place: Path) -> None:
    """Refuse what is not the file that is meant; nothing of it is kept."""
    found = _digest(content)
    if found == dataset.sha256:
        return
    more = "more than " if len(content) > dataset.size else ""
    raise FileError(
        dataset.file,
        f"What {dataset.url} sent is not the file that accord knows: its sha256 is {found} ({more}"
        f"{min(len(content), dataset.size):,} bytes) and should be {dataset.sha256} ({dataset.size:,} bytes). "
        "Nothing was kept. If you trust another copy with the right digest, put it here: ",
        MayBeNames(str(place)),
        ".",
    )


def _keep(content: bytes, place: Path) -> None:
    from accord.engine.whole_file import whole

    try:
        place.parent.mkdir(parents=True, exist_ok=True)
    except OSError as problem:
        raise FileError(
            place.parent,
            f"The folder for fetched files cannot be made: {problem.strerror}. Say another: ",
            remedy(folder=...),
            ".",
        ) from None
    with whole(place) as half:
        half.write_bytes(content)


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()
