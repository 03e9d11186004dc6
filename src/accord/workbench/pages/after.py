"""What came of it: the report of the adjudication, a page for each annotator, open points, and the gold in files."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

from starlette.responses import Response

from accord.errors import InputError, OptionError
from accord.workbench.after.gold_downloads import ending_of, forms_for, own_form, write_final_gold
from accord.workbench.after.open_points import open_points
from accord.workbench.visit import Visit

CALLED = {
    "csv": "a spreadsheet (CSV)", "tsv": "a spreadsheet (TSV)", "jsonl": "a program (JSON Lines)",
    "parquet": "a program (Parquet)", "label-studio": "Label Studio", "prodigy": "Prodigy",
}  # fmt: skip
ON_A_PAGE = 100  # changes, or open points
LONGEST_NUMBER = 9  # digits


def show(visit: Visit) -> Response:
    """The report of the adjudication, and the gold to take along."""
    bench = visit.site.bench
    found, is_of_now = visit.site.counted.outcome()
    return visit.page(
        "after.html.j2",
        report=found.report,
        counts=found.sources,
        is_of_now=is_of_now,
        forms=forms_for(bench),
        own_form=own_form(bench),
        form_names=CALLED,
        named=bool(bench.study.annotators),
    )


def download(visit: Visit) -> Response:
    """The gold as it stands now, as a file."""
    form = visit.query.one("form", "csv")
    name = f"gold{ending_of(form)}"
    try:
        with TemporaryDirectory() as folder:
            held = write_final_gold(visit.site.bench, Path(folder) / name, form).read_bytes()
    except OSError as problem:
        raise InputError(
            f"The file could not be made: {problem.strerror}. Make room on the server's disk, then ask again."
        ) from None
    carried = {"content-disposition": f'attachment; filename="{name}"'}
    return Response(held, media_type="application/octet-stream", headers=carried)


def annotators(visit: Visit) -> Response:
    """Everybody who answered, by number unless names are asked for, and the way to the page of each."""
    named, everybody = _shows_names(visit), visit.site.bench.study.annotators
    table, is_of_now = visit.site.counted.overview()
    rows = [{**row, "number": everybody.index(row["annotator"]) + 1} for row in table]
    return visit.page("annotators.html.j2", rows=rows, named=named, is_of_now=is_of_now)


def annotator(visit: Visit) -> Response:
    """What was changed of one annotator's answers, and why, the latest first."""
    everybody, number = visit.site.bench.study.annotators, visit.query.one("number")
    if not number.isdecimal() or len(number) > LONGEST_NUMBER or not 1 <= int(number) <= len(everybody):
        raise OptionError.must("number", f"be that of an annotator, 1 to {len(everybody)}", number)
    found, is_of_now = visit.site.counted.feedback(everybody[int(number) - 1])
    named, first = _shows_names(visit), _first(visit)
    shown = found.changed[::-1][first : first + ON_A_PAGE]
    return visit.page(
        "annotator.html.j2",
        found=found,
        number=int(number),
        named=named,
        is_of_now=is_of_now,
        shown=shown,
        following=first + ON_A_PAGE if first + ON_A_PAGE < len(found.changed) else 0,
    )


def points(visit: Visit) -> Response:
    """The guideline's open points, the latest first."""
    rows, first = list(open_points(visit.site.bench)), _first(visit)
    following = first + ON_A_PAGE if first + ON_A_PAGE < len(rows) else 0
    return visit.page("open_points.html.j2", rows=rows[first : first + ON_A_PAGE], following=following)


def _first(visit: Visit) -> int:
    """How many were shown on pages before."""
    first = visit.query.one("after")
    return int(first) if first.isdecimal() and len(first) <= LONGEST_NUMBER else 0


def _shows_names(visit: Visit) -> bool:
    """Does somebody ask who is who, and may they know?"""
    return visit.person.decides and "names" in visit.query.values
