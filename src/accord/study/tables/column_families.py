"""Wide tables with several columns per annotator: variables × annotators, or ranked answers × annotators.

`sentiment_R1, topic_R1, sentiment_R2, topic_R2` are two variables by two annotators, and `ana_primary, ana_secondary,
ben_primary, ben_secondary` two annotators' ranked labels; not four annotators.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from accord.errors import MayBeNames, Message, Part, PeopleNames, all_quoted, listing, remedy
from accord.study.roles import ROLES
from accord.study.shapes.loaded import Trait
from accord.study.study import Study
from accord.study.tables import column_names, ticks
from accord.study.tables.layouts import RANKED_WORDS, no_primary, put_answer
from accord.study.tables.rows import ReadOptions, Rows, kept_name
from accord.study.tables.several_in_cells import several_note
from accord.study.tables.sheet import Sheet, as_label
from accord.study.tables.to_study import study_of
from accord.study.unnamed_notes import GuessedPeople

NUMBERED = re.compile(
    r"^(?:[acejpruw]|rater|annotator|coder|judge|worker|labell?er|reviewer|expert|evaluator|user|person)?_?\d+$"
)
LONGEST_NAME = 1_000  # characters
MARK, WORD, EDGES = r"[_. :/|-]", r"[^_. :/|-]", "_. :/|-"  # what stands between the parts of a name, and what does not
PEOPLE = {"annotator", *ROLES["annotator"].words}
RANK_OF = {
    **{word: rank for rank, word in enumerate(RANKED_WORDS, start=1)},
    "first": 1,
    "second": 2,
    "third": 3,
    "1st": 1,
    "2nd": 2,
    "3rd": 3,
    "main": 1,
}


@dataclass(frozen=True)
class Family:
    """The columns of a wide table by annotator and by what they hold: a variable, or a rank."""

    columns: Mapping[tuple[str, str], str]  # (annotator, variable or rank): column
    annotators: Sequence[str]
    parts: Sequence[str]
    ranked: bool = False
    in_doubt: bool = False  # might the variables as well be the annotators?
    guessed: bool = False  # did the cells tell, and no names, which are the annotators?

    @property
    def names(self) -> Mapping[str, str]:
        """The columns that name an annotator, by the place that the other columns give them."""
        who = [part for part in self.parts if part not in self.variables and part not in self.aside]
        return {place: self.columns[place, who[0]] for place in self.annotators} if who else {}

    @property
    def variables(self) -> list[str]:
        """What is measured; where nothing else is left, what is called after annotators are their answers."""
        answers = [part for part in self.parts if part not in self.aside]
        return [part for part in answers if column_names.plain(part) not in PEOPLE] or answers

    @property
    def aside(self) -> list[str]:
        """What stands beside answers and is not measured."""
        found = [part for part in self.parts if column_names.plain(part) in column_names.ASIDE]
        return found if len(found) < len(self.parts) else []


def family_of(sheet: Sheet, names: Sequence[str], people: Sequence[str] = ()) -> Family | None:
    """The family that columns make by their names; an error where they make one and nothing tells which way round.

    `people` are names that the caller calls annotators: where they are heads or tails of columns, that tells it.
    """
    beside = _beside(names, people)
    if beside is not None:
        return beside
    for split in (_at_brackets, _at_last, _at_first, _at_number, _at_letter, _at_capital):
        grid = _grid(names, split)
        if grid is None:
            continue
        heads, tails = (list(dict.fromkeys(pair[side] for pair in grid)) for side in (0, 1))
        if all(column_names.plain(head) in PEOPLE for head in heads):
            continue  # rater1, rater2, judge1, judge2: each is somebody
        if _are_ranks(tails) or _are_ranks(heads):
            return _family(grid, heads, tails, people_first=_are_ranks(tails), ranked=True)
        holds_people = [bool(people) and set(people) <= set(side) for side in (heads, tails)]
        if holds_people[0] != holds_people[1]:
            return _family(grid, heads, tails, people_first=holds_people[0])
        aside = [any(column_names.plain(name) in column_names.ASIDE for name in side) for side in (heads, tails)]
        if aside[0] != aside[1]:  # whoever was sure, or took a while, is somebody
            return _family(grid, heads, tails, people_first=aside[1])
        by_name = [all(NUMBERED.match(column_names.plain(name)) for name in side) for side in (heads, tails)]
        if by_name[0] != by_name[1]:
            family = _family(grid, heads, tails, people_first=by_name[0])
            numbers = all(name.isdigit() for name in (heads if by_name[0] else tails))
            bare = numbers and all(_share_labels(sheet, grid, side) for side in (0, 1))
            return replace(
                family, in_doubt=bare, guessed=bare
            )  # ana1, ana2, ben1, ben2 are written as frame1, frame2 are
        share = [_share_labels(sheet, grid, side) for side in (0, 1)]
        if share[0] != share[1]:  # columns of one variable share labels, those of one annotator do not
            return replace(_family(grid, heads, tails, people_first=share[1]), guessed=True)
        if share[0]:
            _ask(sheet, grid, heads, tails)
    return None


def _beside(names: Sequence[str], people: Sequence[str]) -> Family | None:
    """Annotators' columns with others beside them: ana, ana_confidence, ben, ben_confidence."""
    columns: dict[tuple[str, str], str] = {}
    for name in names:
        for split in (_at_brackets, _at_last):
            pair = split(name)
            if pair is not None and pair[0] in names and column_names.plain(pair[1]) in column_names.ASIDE:
                columns[pair[0], pair[1]] = name
    rest = [name for name in names if name not in columns.values()]
    if not columns or len(rest) < 2 or people:
        return None
    parts = ["", *dict.fromkeys(part for _, part in columns)]
    return Family({**{(name, ""): name for name in rest}, **columns}, rest, parts)


def _ask(sheet: Sheet, grid: Mapping[tuple[str, str], str], heads: list[str], tails: list[str]) -> None:
    raise sheet.error(
        "Columns such as ",
        all_quoted(list(grid.values())[:2]),
        " may be ",
        all_quoted(heads),
        " by the annotators ",
        all_quoted(tails),
        ", or ",
        all_quoted(tails),
        " by the annotators ",
        all_quoted(heads),
        ". Say who the annotators are: ",
        sheet.reading(annotators=tails),
        " or ",
        sheet.reading(annotators=heads),
        ".",
    )


def _family(
    grid: Mapping[tuple[str, str], str], heads: list[str], tails: list[str], *, people_first: bool, ranked: bool = False
) -> Family:
    if people_first:
        return Family(grid, heads, _in_order(tails), ranked)
    turned = {(tail, head): name for (head, tail), name in grid.items()}
    return Family(turned, tails, _in_order(heads), ranked)


def _in_order(parts: list[str]) -> list[str]:
    """Ranks from the primary one on; other parts as the table has them."""
    if not _are_ranks(parts):
        return parts
    return sorted(parts, key=lambda part: _rank(part)[0])


def _are_ranks(parts: Sequence[str]) -> bool:
    """Are they primary, secondary …, and but for that word one and the same: primary label, secondary label?"""
    ranks = [_rank(part) for part in parts]
    return sorted(rank for rank, _ in ranks) == list(range(1, len(parts) + 1)) and len({rest for _, rest in ranks}) == 1


def _rank(part: str) -> tuple[int, tuple[str, ...]]:
    """The rank that a name says, 0 for none, and what else it says."""
    words = column_names.plain(part).split("_")
    rank = next((RANK_OF[word] for word in words if word in RANK_OF), 0)
    return rank, tuple(word for word in words if word not in RANK_OF)


def _taken_apart(pattern: str, name: str) -> re.Match[str] | None:
    """The parts of a name; what is longer than any name is a text, and has none."""
    return re.fullmatch(pattern, name) if len(name) <= LONGEST_NAME else None


def _at_brackets(name: str) -> tuple[str, str] | None:
    found = _taken_apart(r"(.+?)\s*[\[(]([^\])]+)[\])]", name)
    return (found[1], found[2].strip()) if found else None


def _at_last(name: str) -> tuple[str, str] | None:
    return _parts(_taken_apart(rf"(.+){MARK}({WORD}+)", name))


def _at_first(name: str) -> tuple[str, str] | None:
    return _parts(_taken_apart(rf"({WORD}+){MARK}(.+)", name))


def _at_capital(name: str) -> tuple[str, str] | None:
    return _parts(_taken_apart(r"(.*[a-z0-9])([A-Z][A-Za-z0-9]*)", name))


def _parts(found: re.Match[str] | None) -> tuple[str, str] | None:
    """What stands on either side of a mark, without further marks: 'Ana - tone' has the parts Ana and tone."""
    both = [part.strip(EDGES) for part in found.groups()] if found is not None else []
    return (both[0], both[1]) if all(both) and both else None


def _at_number(name: str) -> tuple[str, str] | None:
    found = _taken_apart(r"(.*[^\d_. -])(\d+)", name)
    return (found[1], found[2]) if found else None


def _at_letter(name: str) -> tuple[str, str] | None:
    found = _taken_apart(r"(.*\d)([A-Za-z])", name)
    return (found[1], found[2]) if found else None


def _grid(names: Sequence[str], split: Any) -> dict[tuple[str, str], str] | None:
    """The columns whose names are every head with every tail: at least two of each."""
    pairs = {name: pair for name in names if (pair := split(name)) is not None}
    tails: dict[str, list[str]] = {}
    for head, tail in pairs.values():
        tails.setdefault(head, []).append(tail)
    kinds: dict[frozenset[str], list[str]] = {}
    for head, found in tails.items():
        if len(found) >= 2:
            kinds.setdefault(frozenset(found), []).append(head)
    kept = max((heads for heads in kinds.values() if len(heads) >= 2), key=len, default=[])
    return {pair: name for name, pair in pairs.items() if pair[0] in kept} or None


def _share_labels(sheet: Sheet, grid: Mapping[tuple[str, str], str], side: int) -> bool:
    """Do the columns that have the same head (0) or tail (1) share labels, every two of them?"""
    groups: dict[str, list[set[str]]] = {}
    for pair, name in grid.items():
        groups.setdefault(pair[side], []).append(set(map(as_label, sheet.sample(name))))
    filled = [[labels for labels in group if labels] for group in groups.values()]
    return all(one & other for group in filled for one in group for other in group)


def study_of_family(
    sheet: Sheet, options: ReadOptions, family: Family, item: str | None, weight: str | None = None
) -> Study:
    """A row for each annotator's answer to each variable, or for each label of a ranked answer."""
    rows = Rows("wide table", options, Trait.COLUMN_EACH)
    columns = sheet.lists()
    used = {item, *family.columns.values()}
    own = {"text": "text", weight: "item_weight"}  # columns that play a role
    extra = [name for name in sheet.columns if name not in used]
    lone = len(family.variables) == 1
    ticked = ticks.are_ticks(sheet, [family.columns[who, one] for who in family.annotators for one in family.variables])
    decided = [who for who in family.annotators if column_names.decided(who)]
    if decided and len(decided) + 1 < len(family.annotators):
        family = replace(family, annotators=[who for who in family.annotators if who not in decided])
        rows.note(Message("taken aside, as no annotator's answers", MayBeNames(f": {listing(decided)}", "")))
    for place in range(sheet.rows):
        common = {own.get(name) or kept_name(name): columns[name][place] for name in extra}
        common["item"] = place if item is None else columns[item][place]
        for who in family.annotators:
            named = family.names.get(who)
            common["annotator"] = who if named is None or columns[named][place] is None else columns[named][place]
            beside = _beside_answer(family, who, columns, place)
            if family.ranked:
                _ranked(
                    sheet, rows, [columns[family.columns[who, part]][place] for part in family.parts], common, place
                )
                continue
            if ticked:
                marked = {variable: family.columns[who, variable] for variable in family.variables}
                rows.answer("set", ticks.chosen(marked, columns, place), **common, **beside)
                continue
            for variable in family.variables:
                cell = columns[family.columns[who, variable]][place]
                put_answer(
                    rows, options, cell, options.answers, task=None if lone else variable, **{**common, **beside}
                )
    rows.note(_family_note(sheet, family, lone=lone, ticked=ticked))
    held = [family.columns[who, one] for who in family.annotators for one in family.variables]
    for note in several_note(sheet, held, options):
        rows.note(note)
    if family.aside:
        rows.note(Message("beside the answers, and not measured: ", column_names.columns(list(family.aside))))
    return study_of(rows.finish(), options)._but(rows=sheet.rows)


def _beside_answer(family: Family, who: str, columns: Mapping[str, list[Any]], place: int) -> dict[str, Any]:
    """How sure somebody was of an answer, how long it took."""
    held = {part: family.columns.get((who, part)) for part in family.aside}
    return {
        column_names.ASIDE[column_names.plain(part)]: columns[name][place]
        for part, name in held.items()
        if name is not None
    }


def _family_note(sheet: Sheet, family: Family, *, lone: bool, ticked: bool) -> Message:
    first = family.columns[family.annotators[0], family.variables[0]]
    several = "ticks for the labels" if ticked else "the variables"
    variables = PeopleNames(family.variables) if family.in_doubt else listing(family.variables)
    what: tuple[Part, ...] = (f"{several} ", variables)
    if family.ranked or lone:
        what = ("ranked labels" if family.ranked else "answers",)
    whose: tuple[Part, ...] = (" of the annotators ", PeopleNames(family.annotators))
    if family.names:
        whose = (" of those whom columns such as ", column_names.column(family.names[family.annotators[0]]), " name")
    other: tuple[Part, ...] = ()
    if family.in_doubt:
        turned = sheet.reading(annotators=list(map(MayBeNames, family.variables)))
        other = ("; if ", variables, " are the annotators, say ", turned)
    parts = ("by their names, columns such as ", column_names.column(first), " hold ", *what, *whose, *other)
    return GuessedPeople(*parts, ways=(remedy(annotators=[...]),)) if family.guessed else Message(*parts)


def _ranked(sheet: Sheet, rows: Rows, labels: list[Any], common: dict[str, Any], place: int) -> None:
    if labels[0] is None and any(label is not None for label in labels):
        raise no_primary(sheet, place)
    for rank, label in enumerate((label for label in labels if label is not None), start=1):
        rows.add("ranked", label=label, rank=rank, **common)
