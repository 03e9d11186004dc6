"""What a reader says of a study, with numbers in the place of people and without names of files and sheets."""

from __future__ import annotations

import re
from collections.abc import Mapping
from unicodedata import normalize

from accord.errors import without_files
from accord.study.study import Study

FEW_LETTERS = 2
# An underline joins a name to the question that a column is about: tone_ana is about ana.
BEFORE, AFTER = r"(?<![^\W_])", r"(?![^\W_])"
SHEET = re.compile(r"""(sheets?) (?:'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")""")
QUOTED = re.compile(r'"(A\d+)"')
LISTED = re.compile(r"(?<!\w)(['\"]?)A\d+\1(?:(?:, | and )\1A\d+\1)+(?!\w|'s)")
NUMBER = re.compile(r"(?<=A)\d+")


def unnamed_notes(study: Study, called: Mapping[str, str]) -> Study:
    """The study with its reader's notes, which name no file and no sheet, and in which people have their numbers."""
    unnamed = (without_names(without_files(note), called) for note in study.notes)
    notes = tuple(note for note in unnamed if note)
    shape = without_names(SHEET.sub(r"\1", study.shape), called)
    return study if (shape, notes) == (study.shape, study.notes) else study._with_origin(shape, notes)


def without_names(text: str, called: Mapping[str, str]) -> str:
    """A sentence in which people have their numbers; a name that was cut at its end goes.

    Names of a letter or two are words too: they count where they stand in a list or between quotes. Several stand in
    the order of their numbers, since that of the alphabet would tell who is who.

    >>> without_names("a column per annotator: Xanthippe, a, Quen", {"Xanthippe": "A2", "a": "A1", "Quentin": "A3"})
    'a column per annotator: A1, A2, …'
    >>> without_names("columns such as 'tone_Xanthippe' hold another variable", {"Xanthippe": "A2"})
    "columns such as 'tone_A2' hold another variable"
    """
    called = _as_written(called)
    names = sorted(called, key=len, reverse=True)
    tail = re.split(r"[,:] ", text)[-1]
    if tail and tail not in called and any(name.startswith(tail) for name in names):
        text = f"{text[: -len(tail)]}…"
    for some, before in (
        ([name for name in names if len(name) > FEW_LETTERS], BEFORE),
        ([name for name in names if len(name) <= FEW_LETTERS], r"(?<=[,:(] |.['\"“(_])"),
    ):
        if some:
            listed = "|".join(map(re.escape, some))
            text = re.sub(rf"{before}(?:{listed}){AFTER}", lambda found: called[found[0]], text)
    return LISTED.sub(_in_order, QUOTED.sub(r"'\1'", text))


def _as_written(called: Mapping[str, str]) -> dict[str, str]:
    """Names in every way in which a note may have them: with escapes, as `repr` writes them, or decomposed letters."""
    written: dict[str, str] = {}
    for name, code in called.items():
        for form in (normalize("NFD", name), name):
            written |= {repr(form)[1:-1]: code, form: code}
    return written


def _in_order(found: re.Match[str]) -> str:
    """Numbers of people in a list, the lowest first."""
    numbers = iter(sorted(map(int, NUMBER.findall(found[0]))))
    return NUMBER.sub(lambda _: str(next(numbers)), found[0])
