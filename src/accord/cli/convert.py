"""`accord convert`: the long table."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Annotated

from accord.cli.application import app
from accord.cli.load_and_print import print_json, refuse_two_outputs, study_of, write_or_print
from accord.cli.option_spelling import StandsFor
from accord.cli.options import STDOUT, TABLE_ENDINGS, Force, Printing, SourceOptions, Word, option, takes
from accord.cli.targets import check_target, refuse_idle_form
from accord.errors import OptionError


@app.command(epilog="accord convert export.json -o annotations.parquet\n\n"
             "accord convert export.json > annotations.csv\n\n"
             "accord convert batch1.json batch2.json -o - --format jsonl | head -3")  # fmt: skip
@takes(SourceOptions, Printing)
def convert(
    source: SourceOptions,
    printing: Printing,
    output: Annotated[
        Path,
        option(
            "Output",
            "Where to write: .csv, .tsv, .jsonl or .parquet; by default the standard output.",
            "--output",
            "-o",
        ),
        StandsFor("path"),
    ] = Path(STDOUT),
    form: Annotated[
        Word,
        option(
            "Output", "What the standard output gets; by default csv. One of", "--format", choices=tuple(TABLE_ENDINGS)
        ),
        StandsFor("form"),
    ] = None,
    force: Force = False,
) -> None:
    """The annotations in FILE as a long table: one row per item, annotator and label."""
    from accord.cli.terminal import say
    from accord.options import head

    refuse_two_outputs(output, as_json=printing.as_json)
    if form is not None and form not in TABLE_ENDINGS:
        raise OptionError.choice("form", form, TABLE_ENDINGS)
    refuse_idle_form(form, output)
    if str(output) != STDOUT:
        check_target(output, force=force, sources=source.files)
    study, _ = study_of(source, printing.quiet)
    write = partial(study.write, keep_formulas=printing.keep_formulas)
    write_or_print(output, write, TABLE_ENDINGS[form or "csv"])
    if printing.as_json:
        print_json({**head("converted"), "path": str(output), "study": study.describe().to_dict()})
    elif not printing.quiet and str(output) != STDOUT:
        say(study.describe(), f"The long table is in {output}")
