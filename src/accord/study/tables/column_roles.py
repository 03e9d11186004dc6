"""Which column of a table plays which role: as given, or by its name and what it holds."""

from __future__ import annotations

from typing import Any

from accord.annotations.answers import KINDS, PREFERENCE
from accord.annotations.bio_tags import OUTSIDE
from accord.errors import ColumnMissing, Keyword, Message, all_quoted, at_column, between, quoted, remedy
from accord.study.kinds import KIND_WORDS
from accord.study.roles import COMPARED, ROLES
from accord.study.shapes.tagged_tokens import are_tags
from accord.study.tables import column_names, label_columns, preference_tables
from accord.study.tables.rows import STATUSES, SUBMITTED, ReadOptions
from accord.study.tables.sheet import Sheet

MOST_VARIABLES = 200
MANY_ROWS = 5  # of a long table, in which an item comes again


def check_columns(sheet: Sheet, options: ReadOptions) -> None:
    """Every column that was named must be there."""
    for role, name in options.roles.items():
        for column in name if isinstance(name, list | tuple) else [name]:
            if column not in sheet.columns:
                raise ColumnMissing(role, column, sheet.columns)


def roles_by_name(sheet: Sheet, options: ReadOptions) -> dict[str, Any]:
    """The column of each role: as given, or by its name.

    Raises:
        ColumnMissing: If a column that was named is not there.
    """
    check_columns(sheet, options)
    undeclared = options.answers in (None, PREFERENCE) and not options.roles
    roles = preference_tables.roles_of(sheet) if undeclared else dict(options.roles)
    flat = [name for value in roles.values() for name in (value if isinstance(value, list | tuple) else [value])]
    for role in ROLES:
        if role in roles or (role == "label" and "score" in options.roles and "label" not in options.roles):
            continue
        taken = [*flat, *(name for key, name in roles.items() if key not in options.roles)]
        found = column_names.candidates(role, sheet.columns, taken)
        if role == "item" and not found:
            weak = column_names.weak_item(sheet.columns, taken)
            found = [name for name in weak[:1] if not _names_answers(sheet, name)]
        found = [name for name in found if _plausible(role, sheet, name)]
        if role == "label":
            found = [name for name in found if not label_columns.is_of_items(sheet, roles, name)]
            found = [name for name in found if not label_columns.is_one_of_several(sheet, roles, name)]
        if role == "task":
            found = [name for name in found if _makes_variables(sheet, roles, name)]
        if role == "run" and role not in found:  # an id of a run may also say which batch it was
            found = [name for name in found if _crosses(sheet, roles, name)]
        if role == "token":
            found = [name for name in found if options.answers in (None, "spans") and _tagged(sheet, roles)]
        if len(found) > 1 and role in ("item", "annotator", "label"):
            _refuse_two(role, found, sheet)
        if found:
            roles[role] = found[0]
    if "label" in roles and options.answers in (None, "spans"):
        _refuse_odd_places(sheet, roles)
    return _compared(sheet, roles, options)


def found_by_name(roles: dict[str, str], options: ReadOptions) -> list[str]:
    """What was found by the names of columns, where they are not accord's own words."""
    other = {role: name for role, name in roles.items() if role not in options.roles and name != role}
    if not other:
        return []
    found = [Keyword(role, column_names.as_value(name)) for role, name in other.items()]
    return [Message("by their names, ", *between(found, ", "))]


def _names_answers(sheet: Sheet, name: str) -> bool:
    """Does a column that may name items by its ending name every row, as the ids of answers do?"""
    cells = sheet.first_cells(name)
    named = column_names.plain(name) in column_names.WEAK_ITEM
    return not named and len(cells) >= MANY_ROWS and len(set(map(str, cells))) == len(cells)


def _compared(sheet: Sheet, roles: dict[str, Any], options: ReadOptions) -> dict[str, Any]:
    """The roles without two options that nobody named, unless labels say which of them was preferred."""
    if set(COMPARED) <= set(options.roles) or not set(COMPARED) & set(roles):
        return roles
    label = roles.get("label")
    preferences = options.answers in (None, PREFERENCE)
    if preferences and set(COMPARED) <= set(roles) and isinstance(label, str):
        preferences = options.answers == PREFERENCE
        if preferences or preference_tables.fits(sheet, roles["first"], roles["second"], label):
            return roles
    return {role: name for role, name in roles.items() if role not in COMPARED or role in options.roles}


def _refuse_odd_places(sheet: Sheet, roles: dict[str, Any]) -> None:
    """Columns that are called as places are, of which one holds numbers but for a few cells: those are mistakes."""
    taken = [name for name in roles.values() if isinstance(name, str)]
    for role, other in (("start", "end"), ("end", "start")):
        names = [] if role in roles else column_names.candidates(role, sheet.columns, taken)
        if not names or not (other in roles or column_names.candidates(other, sheet.columns)):
            continue
        row, numbers, others = sheet.odd_among_numbers(names[0])
        if numbers > others:
            raise sheet.error(
                "The column ",
                at_column(names[0]),
                f" says where marked places {role}, and ",
                quoted(sheet.cells(names[0])[row]),
                f" is no "
                f"number{f' ({others:,} cells are such)' if others > 1 else ''}. Mend it, or leave the places out: ",
                remedy(answers="single"),
                ".",
                part=f"row {row + 1}",
            )


def _plausible(role: str, sheet: Sheet, name: str) -> bool:
    """Does a column hold what its name promises? Statuses and kinds must be words that are known."""
    cells = sheet.sample(name)
    if ROLES[role].numeric:
        return sheet.numbers(name) is not None
    if role == "status":
        return bool(cells) and {str(cell) for cell in cells} <= {SUBMITTED, *STATUSES}
    if role == "kind":
        return bool(cells) and {str(cell).lower() for cell in cells} <= set(KIND_WORDS)
    return (name == role and (sheet.given or says_kinds(sheet))) or not any(isinstance(cell, dict) for cell in cells)


def says_kinds(sheet: Sheet) -> bool:
    """Does each row say what kind of answer it is, as `Study.write` has it?"""
    kinds = {str(cell) for cell in sheet.sample("answers")} if "answers" in sheet.columns else set()
    return bool(kinds) and kinds <= set(KINDS)


def _tagged(sheet: Sheet, roles: dict[str, Any]) -> bool:
    """Are the labels BIO tags?"""
    label = roles.get("label")
    if not isinstance(label, str):
        return False
    first = sheet.first_cells(label)
    return are_tags(first) or ({str(cell) for cell in first} == {OUTSIDE} and are_tags(sheet.cells(label)))


def _makes_variables(sheet: Sheet, roles: dict[str, Any], name: str) -> bool:
    """Does a column name variables? By its name and few values, or where somebody answered an item in several."""
    if _crosses(sheet, roles, name):
        return True
    if "item" not in roles or "annotator" not in roles or column_names.plain(name) not in column_names.VARIABLES:
        return False
    values, items = (
        {cell for cell in sheet.first_cells(column) if cell is not None} for column in (name, roles["item"])
    )
    return 2 <= len(values) < len(items) and len(values) <= MOST_VARIABLES


def _crosses(sheet: Sheet, roles: dict[str, Any], name: str) -> bool:
    """Did someone answer one item in several tasks? Otherwise the column only says something of the item."""
    if "item" not in roles or "annotator" not in roles:
        return False
    seen: dict[tuple[Any, Any], Any] = {}
    columns = (sheet.first_cells(column) for column in (roles["item"], roles["annotator"], name))
    return any(seen.setdefault((item, who), task) != task for item, who, task in zip(*columns, strict=True))


def _refuse_two(role: str, found: list[str], sheet: Sheet) -> None:
    calls = between([sheet.reading(**{role: name}) for name in found[:3]], " or ")
    if role == "item" and _needs_both(sheet, found):
        calls += ["; together they are ", sheet.reading(item=found)]
    raise sheet.error(all_quoted(found), f" could each be the {role}. Say which: ", *calls, ".")


def _needs_both(sheet: Sheet, names: list[str]) -> bool:
    """Do two columns tell more things apart than either does?"""
    cells = [list(map(str, sheet.first_cells(name))) for name in names]
    return len(names) == 2 and len(set(zip(*cells, strict=True))) > max(len(set(held)) for held in cells)
