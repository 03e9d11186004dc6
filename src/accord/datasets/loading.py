"""Sample studies by name: which there are, what each is, its file, and the study in it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from accord.datasets.fetching import fetched
from accord.datasets.own_studies import OWN
from accord.datasets.public_studies import PUBLIC
from accord.errors import OptionError

if TYPE_CHECKING:
    from accord.agreement.table import Table
    from accord.datasets.dataset import Dataset
    from accord.study.study import Study

SHIPPED = Path(__file__).with_name("own")


def available() -> Table:
    """Every sample study that `load` knows, a row each; nothing is fetched.

    Returns:
        A `Table` with `name`, `answers` (their kind), `items`, `annotators`, `from` ("accord" or how much is fetched),
        `licence` and `says`.

    >>> import accord
    >>> accord.datasets.available()["name"][0]
    'two-annotators'
    """
    from accord.agreement.table import Table

    known = (*OWN, *PUBLIC)
    return Table(
        "Sample studies",
        {
            "name": [one.name for one in known],
            "answers": [one.answers for one in known],
            "items": [one.items for one in known],
            "annotators": [one.annotators for one in known],
            "from": [f"fetched, {one.size / 1e6:.1f} MB" if one.public else "accord" for one in known],
            "licence": [one.licence for one in known],
            "says": [one.says for one in known],
        },
    )


def about(name: str) -> Dataset:
    """What is known of a sample study: what it holds, its licence, what to cite, where it comes from.

    Args:
        name: One of the names in `available()`.

    Returns:
        The `Dataset`.

    Raises:
        OptionError: If there is no such study.

    >>> import accord
    >>> print(accord.datasets.about("marked-names"))
    marked-names: names marked in notes from a harbour newspaper
      comes with accord, under Apache-2.0
    """
    known = {one.name: one for one in (*OWN, *PUBLIC)}
    found = known.get(str(name))
    if found is None:
        raise OptionError.choice("name", name, known)
    return found


def path(name: str, *, folder: str | Path | None = None) -> Path:
    """The file of a sample study, for `accord.read` with options of your own, or for the command.

    Args:
        name: One of the names in `available()`.
        folder: Where a public file is kept; without it the cache of the user, or what `ACCORD_CACHE` says.

    Returns:
        The path. A public file is fetched unless it is there already with the right digest.

    Raises:
        OptionError: If there is no such study.
        FileError: If a public file cannot be fetched, or is not the one that is meant.

    >>> import accord
    >>> accord.datasets.path("two-annotators").name
    'two-annotators.csv'
    """
    dataset = about(name)
    return fetched(dataset, folder) if dataset.public else SHIPPED / dataset.file


def load(name: str, *, folder: str | Path | None = None) -> Study:
    """A sample study: one of ours, which come with accord, or a public one, which is fetched once.

    Args:
        name: One of the names in `available()`.
        folder: Where a public file is kept; without it the cache of the user, or what `ACCORD_CACHE` says.

    Returns:
        The `Study`; the notes of a public one say under which licence it is and what to cite.

    Raises:
        OptionError: If there is no such study.
        FileError: If a public file cannot be fetched, or is not the one that is meant.

    >>> import accord
    >>> accord.datasets.load("five-annotators")
    Study of 60 items by 5 annotators: 253 single answers on the labels 'mixed', 'negative', 'neutral', 'positive'
    """
    from accord.readers.read import read

    dataset = about(name)
    study = read(path(name, folder=folder), **dataset.options)
    if not dataset.public:
        return study
    note = f"{dataset.name}: under {dataset.licence}; to cite: {dataset.citation}"
    return study._then(lambda whole: whole._with_origin(whole.shape, (*whole._reader_notes, note)))
