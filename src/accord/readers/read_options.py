"""Options of reading: those that are wrong by themselves, and those that a format does not use."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import fields
from pathlib import Path
from typing import Any

from accord.annotations.answers import KINDS
from accord.annotations.assemble import DUPLICATES
from accord.errors import Keyword, Message, OptionError, Part, one_of, quoted, remedy
from accord.options import check_choice, check_flag, is_hashable, one_or_listed
from accord.readers.quoting import check_quote
from accord.study.tables.recognise import SHAPES
from accord.study.tables.rows import ReadOptions, check_separator

# What is used of every export, when its rows become a study; whatever else there is only some formats use.
GENERAL = frozenset({
    "roles", "annotators", "labels", "answers", "duplicates", "cleaning", "only", "include", "adjudicator", "on_error",
    "progress", "questions",
})  # fmt: skip
OF_TABLES = ("shape", "separator")  # what every table uses
OF_TEXT = ("encoding",)  # what a reader uses that says nothing else
# What uses an option, where a table does not.
FOR = {
    "sheet": "Excel files", "records": "JSON files", "config": "Label Studio", "header": "CSV and Excel files",
    **dict.fromkeys(("delimiter", "decimal", "quote"), "CSV files"), "encoding": "text",
}  # fmt: skip
TABS = ("\\t", "tab")  # as a tab is typed where it cannot be typed
TEXTS = ("format", "separator", "table", "query", "delimiter", "decimal", "quote", "sheet", "records", "encoding")
CHOICES: dict[str, tuple[Any, ...]] = {"shape": SHAPES, "answers": KINDS}  # or nothing
NAMES = ("annotators", "exclude", "people", "models", "include")  # lists of them


def checked(given: Mapping[str, Any]) -> tuple[Any, ...]:
    """Options of a call: those of `NAMES` as lists, then the delimiter; one with a value of another kind is refused."""
    for name in TEXTS:
        if not isinstance(given[name], str | None):
            raise OptionError.must(name, "be a text", given[name])
    for name, known in CHOICES.items():
        if given[name] is not None:
            check_choice(name, given[name], known)
    check_choice("duplicates", given["duplicates"], DUPLICATES)
    check_choice("on_error", given["on_error"], ("raise", "skip"))
    check_flag("header", given["header"])
    if not isinstance(given["config"], str | Path | None):
        raise OptionError.must("config", "be the labelling configuration, XML or a path to it", given["config"])
    if not is_hashable(given["only"]):
        raise OptionError.must("only", "name one variable", given["only"])
    if not isinstance(given["where"], Mapping | None):
        raise OptionError.must("where", "map a column to one or several of its values", given["where"])
    check_separator(given["separator"])
    check_encoding(given["encoding"])
    check_quote(given["quote"])
    return *(_names(name, given[name]) for name in NAMES), check_delimiter(given["delimiter"])


def _names(option: str, given: Any) -> Any:
    """Names in a list; a single text is left to whoever knows what it may be."""
    if option == "include" and isinstance(given, str):
        raise OptionError.must("include", Message("be a list, such as [", quoted(given), "]"), given)
    if isinstance(given, str) or (given is None and option == "annotators"):  # of nobody, or of all
        return given
    return one_or_listed(option, given, "be a list of names") or ()  # the default: nothing was said


def check_delimiter(typed: str | None) -> str | None:
    r"""One character; a tab may be spelled.

    >>> check_delimiter(";"), check_delimiter("tab")
    (';', '\t')
    """
    if typed is None:
        return None
    found = "\t" if typed in TABS else typed
    if len(found) != 1 or found in '\r\n"':
        raise OptionError.must("delimiter", r"be one character, such as ';', or '\t' for a tab", typed)
    return found


def check_encoding(name: str | None) -> None:
    """An encoding of text that Python knows."""
    if name is None:
        return
    try:
        "a".encode(name).decode(name)
    except (LookupError, UnicodeError, ValueError, TypeError):
        raise OptionError(
            "There is no encoding ",
            quoted(name),
            ". Say another: ",
            remedy(encoding=one_of("utf-8", "cp1252", "utf-16")),
            ".",
            option=Keyword("encoding", name),
        ) from None


def refuse_unused(options: ReadOptions, used: Collection[str], read_as: Part, *, table: bool = False) -> None:
    """An option that a format does not use is an error: whoever says it believes that it changes something.

    `table`: it is read as a table already.

    >>> refuse_unused(ReadOptions(separator="json"), ["encoding"], "'batch.csv' is read as appen")
    Traceback (most recent call last):
        ...
    accord.errors.OptionError: 'batch.csv' is read as appen, which does not use separator='json'. Leave it out, or \
read the file as a table: format='table'.
    """
    usual = {field.name: field.default for field in fields(options)}
    for name, default in usual.items():
        given = getattr(options, name)
        if name not in used and name not in GENERAL and given != default:
            keyword = Keyword(name, given if isinstance(given, str | bool) else str(given))
            way: list[Part] = [] if table else [", or read the file as a table: ", remedy(format="table")]
            used_by = f" (it is for {FOR[name]})" if table and name in FOR else ""
            raise OptionError(
                read_as, ", which does not use ", keyword, f"{used_by}. Leave it out", *way, ".", option=keyword
            )
