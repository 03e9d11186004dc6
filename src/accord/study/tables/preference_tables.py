"""Tables of preferences: two options side by side and which won, in the layouts that arenas and judges export.

- model_a, model_b, winner and a judge (arenas, MT-bench), with a prompt, a question, a turn;
- winner_model_a, winner_model_b, winner_tie: the winner as three yes/no columns;
- model_a, model_b and a column for every judge;
- winner and loser, or chosen and rejected: which option won, and no order in which the two were shown.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from accord.annotations.answers import PREFERENCE
from accord.annotations.preference_words import FIRST, SECOND, TIE, side_in_words, unclear_sides
from accord.errors import Message, all_quoted
from accord.study.roles import COMPARED
from accord.study.study import Study
from accord.study.tables import column_names
from accord.study.tables.rows import ReadOptions, Rows, kept_beside
from accord.study.tables.sheet import Sheet
from accord.study.tables.to_study import study_of

ITEM_WORDS = (
    "item", "item_id", "prompt_id", "question_id", "conversation_id", "example_id", "id", "prompt", "question", "query",
    "instruction",
)  # fmt: skip
ROUND_WORDS = ("turn", "round")  # of one prompt: a comparison of its own
# who won and who lost, where nobody says which stood first
DECIDED = (
    ("winner", "loser"), ("chosen", "rejected"), ("chosen_model", "rejected_model"), ("winner_model", "loser_model"),
    ("preferred", "dispreferred"), ("preferred_model", "rejected_model"), ("model_winner", "model_loser"),
)  # fmt: skip
LONGEST_OPTION = 80  # letters: what is longer is the answer of an option, not its name
OFTEN_SAME = 0.1  # the share of rows from which equal options are no slip
NOBODY = "all"  # who judged, where no column says it


def is_preferences(sheet: Sheet) -> bool:
    """Two options and which of them won, in a table whose columns are not simply the roles of a long table."""
    layout = _Layout.of(sheet)
    return layout is not None and not layout.is_long


def roles_of(sheet: Sheet) -> dict[str, Any]:
    """The roles of a long table of preferences, where a table is one; a prompt and its turn name an item together."""
    layout = _Layout.of(sheet)
    if layout is None or not layout.is_long:
        return {}
    item = layout.item[0] if len(layout.item) == 1 else sheet.join_item(layout.item)
    named = {"item": item, "annotator": layout.annotator, "label": layout.label[0]}
    return {**named, **dict(zip(COMPARED, layout.compared, strict=True))}


def preferences(sheet: Sheet, options: ReadOptions) -> Study:
    """An item is a prompt (with its turn) for two options; the label is which won."""
    layout = _Layout.of(sheet)
    if layout is None:
        raise sheet.error(
            "Preferences need two columns with the options compared and one with the winner, such as model_a, model_b, "
            "winner; there are ",
            all_quoted(sheet.columns),
            ".",
        )
    return study_of(layout.rows(sheet, options), options)


def fits(sheet: Sheet, first: str, second: str, label: str) -> bool:
    """Do two columns hold options and a third which of them was preferred? Looked at in the first rows.

    Options of which a third stands beside them, or which are often the same, were not compared with each other: they
    are what may be answered, or what two annotators answered.
    """
    if _has_third(sheet, first, second):
        return False
    cells = [sheet.first_cells(name) for name in (first, second, label)]
    rows = [row for row in zip(*cells, strict=True) if all(cell is not None for cell in row)]
    if any(len(str(option)) > LONGEST_OPTION for row in rows for option in row[:2]):
        return False
    options = {option for row in rows for option in row[:2]}
    answered = all(answer in options for *_, answer in rows)  # no word for a side is among them
    if answered and sum(one == other for one, other, _ in rows) > OFTEN_SAME * len(rows):
        return False
    unclear = unclear_sides({answer for *_, answer in rows})
    seen = sum(
        answer in (one, other, first, second) or answer in unclear or side_in_words(answer) is not None
        for one, other, answer in rows
    )
    return seen * 2 > len(rows)


def _has_third(sheet: Sheet, *compared: str) -> bool:
    """Is there an option_c beside option_a and option_b, or a third as a third is numbered?"""
    words = {column_names.plain(name) for name in sheet.columns}
    first, second = (column_names.plain(name) for name in compared)
    thirds = {("a", "b"): "c", ("1", "2"): "3"}
    return any(
        first.endswith(one) and second == first[: -len(one)] + two and second[: -len(two)] + three in words
        for (one, two), three in thirds.items()
    )


class _Layout:
    """Which columns say what."""

    def __init__(
        self, sheet: Sheet, compared: tuple[str, str], label: Sequence[str], *, decided: bool = False,
        judges: Sequence[str] = (),
    ) -> None:  # fmt: skip
        self.compared, self.label, self.decided = compared, label, decided
        self.judges = judges  # where every judge has a column
        plain = {column_names.plain(name): name for name in sheet.columns}
        taken = {*compared, *label, *judges}
        free = {word: name for word, name in plain.items() if name not in taken}
        self.annotator = next(iter(column_names.candidates("annotator", list(free.values()))), None)
        self.item = [free[word] for word in ITEM_WORDS if word in free][:1]
        self.item += [free[word] for word in ROUND_WORDS if word in free and self.item]

    @property
    def is_long(self) -> bool:
        """Are the columns simply item, annotator, label and the two options?"""
        return bool(self.item) and self.annotator is not None and len(self.label) == 1

    @classmethod
    def of(cls, sheet: Sheet) -> _Layout | None:
        """The layout of a table, if it is one of preferences."""
        plain = {column_names.plain(name): name for name in sheet.columns}
        found = [next(iter(column_names.candidates(role, sheet.columns)), None) for role in COMPARED]
        if found[0] is not None and found[1] is not None:
            compared = found[0], found[1]
            each = [f"winner_{column_names.plain(name)}" for name in compared] + ["winner_tie"]
            if {*each[:2]} <= set(plain):
                return cls(sheet, compared, [plain[word] for word in each if word in plain])
            label = next(iter(column_names.candidates("label", sheet.columns, compared)), None)
            if label is None:
                judges = _judges(sheet, compared)
                return cls(sheet, compared, [], judges=judges) if judges else None
            return cls(sheet, compared, [label]) if fits(sheet, *compared, label) else None
        for words in DECIDED:
            if set(words) <= set(plain):
                compared = plain[words[0]], plain[words[1]]
                if _are_names([cell for name in compared for cell in sheet.sample(name)]):
                    return cls(sheet, compared, [], decided=True)
        return None

    def rows(self, sheet: Sheet, options: ReadOptions) -> Rows:
        """A row per comparison, in accord's words."""
        rows = Rows("table of preferences", options)
        columns = sheet.lists()
        used = {*self.compared, *self.label, *self.judges, *self.item, self.annotator}
        kept = kept_beside(columns, used)
        for place in range(sheet.rows):
            one, other = (columns[name][place] for name in self.compared)
            turned = self.decided and one is not None and other is not None and str(other) < str(one)
            for annotator, label in self._answers_of_row(columns, place):
                rows.add(
                    PREFERENCE,
                    item=" | ".join(str(columns[name][place]) for name in self.item) or place + 1,
                    annotator=annotator, label=SECOND if turned else label,
                    first=other if turned else one, second=one if turned else other,
                    **{name: cells[place] for name, cells in kept.items()},
                )  # fmt: skip
        self._tell(rows)
        return rows.finish()

    def _answers_of_row(self, columns: dict[str, list[Any]], place: int) -> list[tuple[Any, Any]]:
        """Who preferred what in a row."""
        if self.judges:
            return [(name, columns[name][place]) for name in self.judges]
        annotator = NOBODY if self.annotator is None else columns[self.annotator][place]
        label = FIRST if self.decided else _label({name: columns[name][place] for name in self.label})
        return [(annotator, label)]

    def _tell(self, rows: Rows) -> None:
        """What was taken for what, where names do not tell."""
        if self.judges:
            rows.note(Message("a column per annotator: ", column_names.people(self.judges)))
        elif self.annotator is None:
            rows.note("no column says who judged: all comparisons are taken as of one annotator")
        if not self.item:
            rows.note("no column names the item: every row is an item of its own")
        if self.decided:
            what = " say who won, not which option stood first: the two are put in the order of their names"
            rows.note(Message(column_names.columns(self.compared), what))


def _judges(sheet: Sheet, compared: tuple[str, str]) -> list[str]:
    """The columns that each say which of two options was preferred: all beside those of the item; else none."""
    item = {*ITEM_WORDS, *ROUND_WORDS}
    left = [name for name in sheet.columns if name not in compared and column_names.plain(name) not in item]
    alone = not column_names.candidates("annotator", left)
    return left if len(left) > 1 and alone and all(fits(sheet, *compared, name) for name in left) else []


def _are_names(cells: list[Any]) -> bool:
    """Are these the names of options, which come again, and not what the options wrote?"""
    short = all(len(str(cell)) <= LONGEST_OPTION for cell in cells)
    return short and len({str(cell) for cell in cells}) < max(len(cells), 2)


def _label(cells: dict[str, Any]) -> Any:
    """The label of a row: its cell, or which of three yes/no columns says yes."""
    if len(cells) == 1:
        return next(iter(cells.values()))
    sides = (FIRST, SECOND, TIE)
    yes = [side for side, cell in zip(sides, cells.values(), strict=False) if str(cell).lower() in ("1", "true", "yes")]
    return yes[0] if len(yes) == 1 else None
