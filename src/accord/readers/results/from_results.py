"""`from_results`: the study that the results of queries tell of, and checks that they are of the same annotations."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from accord.annotations.left_out import LeftOut, Reason
from accord.errors import Message, PeopleNames
from accord.study.kinds import known_models
from accord.study.levels import levelled
from accord.study.study import Study
from accord.study.tallying import StudyTally


def from_results(folder: str | Path) -> Study:
    """The study that a database's results tell of: sums, and no row of it.

    The folder holds what `accord sql` wrote into it (`accord.json` tells what was asked), and for each query its
    result, called as the query is: `patterns.csv`, or .tsv, .parquet, .json, .jsonl. The results are checked against
    each other. Whatever is a sum over items follows: every coefficient that fits, intervals, tests, groups, breakdowns
    by label, and those by annotator where the queries asked who of some annotators said what.

    Args:
        folder: The folder with the results.

    Returns:
        A `Study`; `study.notes` say what is not known from these results.

    Raises:
        FileError: If a result is missing, is another query's, or does not agree with the others; it names the file and
            the place.
        InputError: If the annotations cannot be measured, as an annotator answered an item twice.

    >>> from_results("no-such-folder")
    Traceback (most recent call last):
        ...
    accord.errors.FileError: no-such-folder: There is no such folder. Name the one that holds the results.
    """
    from accord.readers.results.agreeing_sums import check_sums  # with all that reading tables needs
    from accord.readers.results.smallest_cells import hidden_notes
    from accord.readers.results.sums import Results

    results = Results.of(Path(folder))
    check_sums(results)
    annotations, notes = results.annotations, []
    if annotations.people_sums is not None:
        notes.append(
            "who answered which item is not known from these results, so that values that depend on it have no "
            "interval; queries that name the annotators ask for it"
        )
        models = known_models(annotations.annotators)
        model_note = Message(PeopleNames(models, most=3), " may be models, and are measured with the others")
        notes += [model_note] if models else []
    totals, manifest = results.totals, results.manifest
    tally = StudyTally(
        annotations,
        {} if manifest.cluster is None else {"cluster": manifest.cluster},
        kinds={} if annotations.people_sums is None else None,  # nobody can be set aside where only sums are known
        left_out=_left_out(totals),
        rows=totals["n_rows"],
        n_annotators=totals["n_annotators"],
    )
    loaded = tally.loaded(f"folder of results ({manifest.dialect})", [*hidden_notes(results, annotations), *notes])
    return Study._from_loaded(levelled(loaded, manifest.level))


def _left_out(totals: Mapping[str, int]) -> LeftOut:
    left_out = LeftOut()
    left_out.add(Reason.NO_ANSWER, totals["n_missing"])
    unplaced = totals["n_rows"] - totals["n_annotations"] - totals["n_missing"]
    left_out.add(Reason.NO_UNIT, unplaced)
    return left_out
