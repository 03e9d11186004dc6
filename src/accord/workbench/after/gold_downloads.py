"""The gold of a bench in a file: as `accord gold` writes it, or as annotation tools import it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from accord.consensus.gold_files import write_table
from accord.engine.whole_file import check_target, whole
from accord.errors import OptionError
from accord.readers.found_format import format_of
from accord.workbench.after.final_gold import FinalGold
from accord.workbench.after.tools import brat, doccano, label_studio, prodigy
from accord.workbench.after.tools.sheet import GoldSheet
from accord.workbench.bench import Bench

TABLES = {"csv": ".csv", "tsv": ".tsv", "jsonl": ".jsonl", "parquet": ".parquet"}
TOOLS: dict[str, tuple[str, Callable[[GoldSheet], bytes]]] = {
    "label-studio": (label_studio.ENDING, label_studio.contents),
    "prodigy": (prodigy.ENDING, prodigy.contents),
    "doccano": (doccano.ENDING, doccano.contents),
    "brat": (brat.ENDING, brat.contents),
}
FORMS = (*TABLES, *TOOLS)


def ending_of(form: str) -> str:
    """What the name of a file of a form ends in.

    Raises:
        OptionError: If there is no such form.
    """
    if form not in FORMS:
        raise OptionError.choice("form", form, FORMS)
    return TABLES[form] if form in TABLES else TOOLS[form][0]


def forms_for(bench: Bench) -> list[str]:
    """The forms that hold answers of the study's kind."""
    kind = bench.study.kind
    without = {"score": {"prodigy", "doccano", "brat"}, "spans": set[str]()}.get(kind, {"brat"})
    return [form for form in FORMS if form not in without]


def own_form(bench: Bench) -> str:
    """The form of the tool that the study came from; a table where accord writes none of that tool."""
    read = format_of(bench.study) or ""
    return next((tool for tool in TOOLS if read.startswith(tool)), "csv")  # some tools have several exports


def write_final_gold(bench: Bench, path: str | Path, form: str = "csv", *, keep_formulas: bool = False) -> Path:
    """Write the gold as it stands.

    Args:
        bench: The bench.
        path: Where to; its ending is that of the form.
        form: "csv", "tsv", "jsonl" or "parquet" as `accord gold` writes them, or "label-studio", "prodigy", "doccano"
            or "brat" for those tools.
        keep_formulas: Leave cells of tables that begin with =, +, - or @ as they are.

    Returns:
        The path that was written.

    Raises:
        InputError: If the file cannot be written.
        MeasureError: If the tool has no such answers.
        OptionError: If there is no such form, or the ending is another's.
    """
    target, ending = Path(path), ending_of(form)
    if target.suffix.lower() != ending:
        raise OptionError.ending(target.name, [ending])
    final = FinalGold(bench)
    if form in TABLES:
        return write_table(final.table(), target, keep_formulas=keep_formulas)
    check_target(target)
    held = TOOLS[form][1](GoldSheet.of(final))
    with whole(target) as half:
        half.write_bytes(held)
    return target
