"""`accord tally`: the sums of a study in a small file, without its rows."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from accord.cli.application import app
from accord.cli.load_and_print import print_json, study_of, with_names_or_codes
from accord.cli.option_spelling import StandsFor
from accord.cli.options import AsJson, Force, NameOptions, Quiet, SourceOptions, Word, option, takes
from accord.cli.targets import check_target, refuse_one_file


@app.command(epilog="accord tally annotations.csv -o week-46.tally --by language\n\n"
             "accord tally export.json -o site-a.tally --no-named --no-item-sketch\n\n"
             "accord measure week-45.tally week-46.tally --by shard")  # fmt: skip
@takes(SourceOptions, NameOptions)
def tally(
    source: SourceOptions,
    names: NameOptions,
    output: Annotated[
        Path, option("Output", "Where to write: a file that ends in .tally.", "--output", "-o"), StandsFor("path")
    ],
    by: Annotated[
        Word, option("Tally", "Columns that tell items apart, with commas, so that their groups can be compared.")
    ] = None,
    named: Annotated[
        bool | None,
        option(
            "Tally", "Whether to keep who answered what; by default up to 100,000 kinds of items.", "--named/--no-named"
        ),
    ] = None,
    item_sketch: Annotated[
        bool,
        option(
            "Tally",
            "Whether to keep 1,024 hashed item ids, which show items that are in several tallies.",
            "--item-sketch/--no-item-sketch",
        ),
    ] = True,
    shard_name: Annotated[
        Word, option("Tally", "What it is called among other tallies; by default as the file is.")
    ] = None,
    force: Force = False,
    as_json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """The tally of FILE, to be added to others: how many items look alike, and how, but not which they are."""
    from accord.cli.terminal import say
    from accord.options import head
    from accord.study.tally_facts import CODED, CODED_BY_KEY, GIVEN
    from accord.study.tally_file import TallyFile, write_tally_file
    from accord.study.tallying import tally_of

    check_target(output, force=force, sources=source.files)
    refuse_one_file(key=names.key, path=output)
    study, _ = study_of(source, quiet)
    columns = [] if by is None else by.split(",")
    study = with_names_or_codes(study, names, *columns)
    found = tally_of(study, columns, named=named, item_sketch=item_sketch)
    called = GIVEN if not names.anonymise else CODED if names.key is None else CODED_BY_KEY
    write_tally_file(TallyFile(found, shard_name, called), output)
    kinds = found.annotations
    if as_json:
        print_json({
            **head("tallied"), "path": str(output), "kinds_of_items": len(kinds.number), "items": kinds.n_items,
            "annotations": kinds.n_annotations, "columns": list(kinds.columns), "named": kinds.named,
            "bytes": output.stat().st_size, "study": study.describe().to_dict(),
        })  # fmt: skip
    elif not quiet:
        who = "with who answered what" if kinds.named else "without who answered what"
        say(
            study.describe(),
            f"The tally is in {output}: {len(kinds.number):,} kinds of items, {who}, {output.stat().st_size:,} bytes.",
        )
