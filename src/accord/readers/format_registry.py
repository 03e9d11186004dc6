"""Every format, in the order in which they are tried; others come through the entry point group "accord.readers".

A reader, ours or somebody else's, has `sniff(source)`, which says whether a file is of its format and what was seen,
and `read(source, options)`, which gives its rows in accord's words. With
`LOOSE = True` its folders may hold other data too; `OPTIONS` names those of the options that it uses itself
(by default the encoding): any other is refused when it is said. `CHOOSES` names roles whose column the caller may say.
`questions(sources, options)`, where it has one, tells the columns of answers of several files together.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, cached_property
from importlib import import_module
from importlib.metadata import entry_points
from typing import Any

from accord.readers.found_format import Found
from accord.readers.read_options import OF_TEXT
from accord.readers.source import Source
from accord.study.tables.rows import ReadOptions, Rows

GROUP = "accord.readers"


class Format:
    """A reader, and what holds where it says nothing; a module of ours is loaded when needed: most files are tables."""

    def __init__(self, module: str, *marks: str, asks: bool = False) -> None:
        self._module = module
        self.asks = asks  # has it questions for several files together?
        self._marks = marks  # one of which stands in every file of it that is text, or in the name of the file

    @classmethod
    def of_others(cls, reader: Any) -> Format:
        """A reader of somebody else, which may be of any file."""
        found = cls("", "", asks=hasattr(reader, "questions"))
        found._reader = reader
        return found

    @cached_property
    def _reader(self) -> Any:
        return import_module(f"accord.readers.formats.{self._module}")

    @property
    def LOOSE(self) -> bool:
        """May folders of the format hold other files with data?"""
        return getattr(self._reader, "LOOSE", False)

    @property
    def OPTIONS(self) -> tuple[str, ...]:
        """The options that it uses, of those that not every format does."""
        return getattr(self._reader, "OPTIONS", OF_TEXT)

    @property
    def CHOOSES(self) -> tuple[str, ...]:
        """The roles for which the caller may name one of its columns."""
        return getattr(self._reader, "CHOOSES", ())

    def sniff(self, source: Source) -> Found | None:
        """Is it this format, and what was seen that says so?"""
        if source.kind == "file":
            glance = source.glance(source.names[0])
            if glance.form == "text" and not any(
                mark in glance.text or mark in source.names[0] for mark in self._marks
            ):
                return None
        found: Found | None = self._reader.sniff(source)
        return found

    def questions(self, sources: Sequence[Source], options: ReadOptions) -> list[str]:
        """What several files ask together, where one of them does not tell all of it."""
        questions: list[str] = self._reader.questions(sources, options)
        return questions

    def read(self, source: Source, options: ReadOptions) -> Rows:
        """Its rows, in accord's words."""
        rows: Rows = self._reader.read(source, options)
        return rows


FORMATS: dict[str, Format] = {
    "label-studio": Format("label_studio", "lead_time"),
    "prodigy": Format("prodigy"),
    "doccano": Format("doccano", "Comments"),
    "argilla": Format("argilla"),
    "brat": Format("brat", ".ann"),
    "inception": Format("inception", "#FORMAT=WebAnno TSV", "begin"),
    "labelbox": Format("labelbox"),
    "mturk": Format("mturk", "HITId"),
    "ground-truth": Format("ground_truth"),
    "toloka": Format("toloka", "ASSIGNMENT:worker_id", "OUTPUT:"),
    "appen": Format("appen", "_unit_id", asks=True),
    "potato": Format("potato", "instance_id"),
    "cvat": Format("cvat"),
    "coco": Format("coco"),
    "labelme": Format("labelme"),
    "qualtrics": Format("qualtrics", "ImportId", "ResponseId", "ResponseID"),
    "google-forms": Format(
        "google_forms",
        *("Timestamp", "Completion time", "Zeitstempel", "Horodateur", "Marca temporal", "Informazioni cronologiche"),
        *("Carimbo", "Tijdstempel", "Tidsst", "Sygnatura czasowa", "Отметка времени", "タイムスタンプ", "时间戳记"),
    ),
    "limesurvey": Format("limesurvey", "lastpage", "Last page", "Letzte Seite"),
    "surveymonkey": Format("surveymonkey", "Collector ID"),
    "redcap": Format("redcap", "redcap_", "_complete", "--1"),
    "kobo": Format("kobo", "_submission_time"),
    "qda": Format("qda", "Beginning", "Anfang", "Codes", "Excerpt Range", "A and B (%)"),
    "conll": Format("conll", "-DOCSTART-"),
    "pygamma": Format("pygamma"),
    "lewidi": Format("lewidi"),
    "alt-test": Format("alt_test"),
    "judge-bench": Format("judge_bench"),
    "phoenix": Format("phoenix", "annotator_kind"),
    "langfuse": Format("langfuse", "dataType", "data_type", "datatype"),
}


@cache
def readers() -> dict[str, Format]:
    """Every reader by the name of its format; ours first."""
    found = dict(FORMATS)
    for point in entry_points(group=GROUP):
        if point.name not in found:
            found[point.name] = Format.of_others(point.load())
    return found
