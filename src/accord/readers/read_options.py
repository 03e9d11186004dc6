"""Options of reading that can be wrong by themselves, whatever the file."""

from __future__ import annotations

from accord.errors import Keyword, OptionError, remedy

TABS = ("\\t", "tab")  # as a tab is typed where it cannot be typed


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
            f"There is no encoding {name!r}. Say another: ",
            remedy(encoding="cp1252"),
            " is Western Windows.",
            option=Keyword("encoding", name),
        ) from None
