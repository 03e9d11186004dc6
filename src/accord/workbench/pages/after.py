"""What came of it: the report of the adjudication, a page for each annotator, open points, and the gold in files."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

from starlette.responses import Response

from accord.errors import InputError, OptionError
from accord.workbench.after.adjudication_report import adjudication_report
from accord.workbench.after.annotator_feedback import annotator_feedback, feedback_overview
from accord.workbench.after.final_gold import FinalGold
from accord.workbench.after.gold_files import ending_of, forms_for, own_form, write_final_gold
from accord.workbench.after.open_points import open_points
from accord.workbench.visit import Visit

SOURCES = ("unanimous", "model", "person", "rule", "undecided")  # where a label may be from, in the order of trust
CALLED = {
    "csv": "a spreadsheet (CSV)", "tsv": "a spreadsheet (TSV)", "jsonl": "a program (JSON Lines)",
    "parquet": "a program (Parquet)", "label-studio": "Label Studio", "prodigy": "Prodigy",
}  # fmt: skip
LARGE = 50_000  # items beyond which nobody counts for every look at this page where each label is from


def show(visit: Visit) -> Response:
    """The report of the adjudication, and the gold to take along."""
    bench = visit.site.bench
    counts = None
    if len(bench.study.items) <= LARGE:
        sources = FinalGold(bench, learn=False).provenance().tolist()
        counts = {name: sources.count(name) for name in SOURCES}
    return visit.page(
        "after.html.j2",
        report=adjudication_report(bench),
        counts=counts,
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
    named, everybody = _asks_names(visit), visit.site.bench.study.annotators
    table = feedback_overview(visit.site.bench)
    rows = [{**row, "number": everybody.index(row["annotator"]) + 1} for row in table]
    return visit.page("annotators.html.j2", rows=rows, named=named)


def annotator(visit: Visit) -> Response:
    """What was changed of one annotator's answers, and why."""
    everybody, number = visit.site.bench.study.annotators, visit.query.one("number")
    if not number.isdecimal() or len(number) > 9 or not 1 <= int(number) <= len(everybody):
        raise OptionError.must("number", f"be that of an annotator, 1 to {len(everybody)}", number)
    found = annotator_feedback(visit.site.bench, everybody[int(number) - 1])
    named = _asks_names(visit)
    return visit.page("annotator.html.j2", found=found, number=int(number), named=named)


def points(visit: Visit) -> Response:
    """The guideline's open points."""
    return visit.page("open_points.html.j2", rows=list(open_points(visit.site.bench)))


def _asks_names(visit: Visit) -> bool:
    """Does somebody ask who is who, and may they know?"""
    return visit.person.decides and "names" in visit.query.values
