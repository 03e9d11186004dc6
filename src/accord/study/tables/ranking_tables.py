"""Tables of rankings: a row per option with its rank; a column per option; a column per annotator, a row per option."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from accord.annotations.left_out import Reason
from accord.errors import ColumnMissing, MayBeNames, Message, Part, PeopleNames, all_quoted, listing, quoted, remedy
from accord.study.study import Study
from accord.study.tables import column_names
from accord.study.tables.row_numbers import LINES, counts_rows
from accord.study.tables.rows import ReadOptions, Rows, kept_beside
from accord.study.tables.sheet import Sheet, numbers_of
from accord.study.tables.to_study import study_of

QUERIES = ("query", "query_id", "prompt", "prompt_id", "question", "question_id", "topic", "topic_id", "qid")
OPTIONS = (
    "option", "option_id", "system", "system_id", "model", "candidate", "candidate_id", "alternative", "response",
    "response_id", "output", "completion", "document", "doc", "doc_id", "document_id", "passage", "passage_id",
    "summary", "translation", "item", "item_id",
)  # fmt: skip
SHOWN = ("options", "items", "shown", "choices", "tuple", "set")  # columns of lists of options
TUPLES = ("tuple_id", "set_id", "trial_id", "trial")  # columns that number them
EACH_SHOWN = re.compile(r"(?:option|item|choice|term|candidate)_?\d+")
A_PLACE = re.compile(r"(?:rank|place|position|top)_?(\d{1,9})")
ONE_QUERY = "all"  # what the one query is called where no column names it
ALONE = "all"  # who ranked, where no column says it
FEWEST = 3  # columns of ranks
FIRST = 50  # cells of a column that tell nearly always that it holds no ranks
NEARLY = 0.7  # of the options of a list, so many ranks that they are an order with ties and no ratings
BY_CHANCE = 1e-4  # that ratings look like ranks in every row, below which they are taken for ranks


# -- a row per option -------------------------------------------------------------------------------------------------


def is_listed(sheet: Sheet) -> bool:
    """Options put in order, a row each: an annotator, an option and its rank, and no label."""
    plain = {column_names.plain(name) for name in sheet.columns}
    if "rank" not in plain or _judge(sheet) is None or column_names.candidates("label", sheet.columns):
        return False
    option = _option(sheet)
    if option is None:
        return False
    lists = _lists(sheet, _query(sheet), option)
    return any(len(ranks) > 1 for ranks in lists.values()) if _query(sheet) is not None else _are_whole(sheet, lists)


def _lists(sheet: Sheet, query: str | None, option: str) -> dict[tuple[Any, Any], list[tuple[Any, Any]]]:
    """What each annotator ranked of each query: the options and their ranks."""
    rank = next(name for name in sheet.columns if column_names.plain(name) == "rank")
    queries = [ONE_QUERY] * sheet.rows if query is None else sheet.keys(query)
    found: dict[tuple[Any, Any], list[tuple[Any, Any]]] = {}
    columns = (sheet.keys(_judge(sheet) or ""), sheet.keys(option), sheet.keys(rank))
    for thing, person, one, place in zip(queries, *columns, strict=True):
        found.setdefault((thing, person), []).append((one, place))
    return found


def _are_whole(sheet: Sheet, lists: dict[tuple[Any, Any], list[tuple[Any, Any]]]) -> bool:
    """Did everybody rank an option once, with ranks of nearly as many numbers? Then all may be of one query."""
    once = all(len({option for option, _ in held}) == len(held) for held in lists.values())
    ranks = sum(len({rank for _, rank in held}) for held in lists.values())
    return once and ranks >= NEARLY * sheet.rows


def _refuse_ranks_of_display(sheet: Sheet, query: str | None, who: str, option: str) -> None:
    """Ranks that are the same for everybody may say what was shown where, and another column what people said of it."""
    people: dict[tuple[Any, Any], dict[Any, Any]] = {}
    for (thing, person), held in _lists(sheet, query, option).items():
        for one, rank in held:
            people.setdefault((thing, one), {})[person] = rank
    if any(len(set(ranks.values())) > 1 for ranks in people.values()):
        return
    used = {query, who, option}
    free = [name for name in sheet.columns if name not in used and column_names.plain(name) != "rank"]
    label = next((name for name in free if _says_something(sheet, name, (query, option), who)), None)
    if label is not None:
        item = option if query is None else [query, option]
        raise sheet.error(
            "Everybody has the same ranks, and ",
            quoted(label),
            " differs between annotators of an option. If ",
            quoted(label),
            " is what they said and the ranks are where it was shown, say ",
            sheet.reading(item=item, annotator=who, label=label, answers="single"),
            "; if they ranked the options, say ",
            sheet.reading(shape="ranking"),
            ".",
        )


def _says_something(sheet: Sheet, name: str, of: tuple[str | None, str], who: str) -> bool:
    """Does a column of few values differ between annotators of an option, and not only from person to person?"""
    if any(name in _named(sheet, role) for role in ("time", "run", "kind", "text", "status")):
        return False
    cells, people = sheet.keys(name), sheet.keys(who)
    things = list(zip(*(sheet.keys(column) for column in of if column is not None), strict=True))
    values, by_thing, by_person = (
        set(map(str, cells)),
        set(zip(things, cells, strict=True)),
        set(zip(people, cells, strict=True)),
    )
    few = 1 < len(values) <= max(len(cells) // 2, 2)
    return few and len(by_thing) > len(set(things)) and len(by_person) > len(set(people))


def _by_ranks(sheet: Sheet) -> tuple[str, str] | None:
    """Of two columns whose names tell nothing, the query and the option: every list of a query has a first rank."""
    who = _judge(sheet)
    rank = next((name for name in sheet.columns if column_names.plain(name) == "rank"), None)
    rest = [name for name in sheet.columns if name not in (who, rank)]
    if who is None or rank is None or len(rest) != 2 or (numbers := sheet.numbers(rank)) is None:
        return None
    lowest = min((number for number in numbers if number is not None), default=None)
    found = []
    for query, option in (rest, rest[::-1]):
        ranks: dict[Any, set[Any]] = {}
        for person, thing, number in zip(sheet.keys(who), sheet.keys(query), numbers, strict=True):
            ranks.setdefault((person, thing), set()).add(number)
        if len(ranks) < sheet.rows and all(lowest in held for held in ranks.values()):
            found.append((query, option))
    return found[0] if len(found) == 1 else None


def _option(sheet: Sheet) -> str | None:
    """The column with what was ranked: not the one that names the query."""
    query = _query(sheet)
    query_and_option = _by_ranks(sheet)
    if query_and_option is not None and query_and_option[0] == query:
        return query_and_option[1]
    found = {column_names.plain(name): name for name in sheet.columns if name != query}
    return next((found[word] for word in OPTIONS if word in found), None)


def _query(sheet: Sheet) -> str | None:
    """The column with the query; where an option has a column besides, the item is the query."""
    plain = {column_names.plain(name): name for name in sheet.columns}
    found = next((plain[word] for word in QUERIES if word in plain), None)
    if found is not None:
        return found
    if set(plain) & set(OPTIONS[:-2]):
        return next(iter(column_names.candidates("item", sheet.columns)), None)
    query_and_option = _by_ranks(sheet)
    return None if query_and_option is None else query_and_option[0]


def _judge(sheet: Sheet) -> str | None:
    return next(iter(column_names.candidates("annotator", sheet.columns)), None)


def listed(sheet: Sheet, options: ReadOptions) -> Study:
    """A ranking from rows of a query, an annotator, an option and its rank; equal ranks are ties."""
    plain = {column_names.plain(name): name for name in sheet.columns}
    query, who = options.roles.get("item") or _query(sheet), options.roles.get("annotator") or _judge(sheet)
    if query is None and "label" in options.roles:
        query = next(iter(column_names.candidates("item", sheet.columns, [options.roles["label"]])), None)
    option, rank = options.roles.get("label") or _option(sheet), options.roles.get("rank") or plain.get("rank")
    if who is None or option is None or rank is None:
        raise sheet.error(
            "A ranking needs a query, an annotator, an option and its rank; there are ",
            all_quoted(sheet.columns),
            ". Say ",
            sheet.reading(item=..., annotator=..., label=..., rank=...),
            ".",
        )
    if options.shape is None and not options.roles:
        _refuse_ranks_of_display(sheet, query, who, option)
    numbers = sheet.numbers(rank)
    if numbers is None:
        raise sheet.no_numbers(rank, "rank")
    rows = Rows("table of rankings", options)
    columns = {**sheet.lists(), rank: list(numbers)}
    task = options.roles.get("task") or plain.get("task")
    used = {name for name in (query, who, option, rank, task) if name is not None}
    rest = kept_beside(columns, used)
    for place in range(sheet.rows):
        rows.add(
            "ranking",
            item=ONE_QUERY if query is None else columns[query][place],
            annotator=columns[who][place],
            label=columns[option][place],
            rank=columns[rank][place],
            task=None if task is None or columns[task][place] is None else str(columns[task][place]),
            **{name: cells[place] for name, cells in rest.items()},
        )
    rows.note(_note(query, column_names.column(option), " holds the options"))
    return study_of(rows.finish(), options)


def _note(query: str | None, *options: Part) -> Message:
    """What was taken for what."""
    which: tuple[Part, ...] = ("all of them are one query",)
    if query is not None:
        which = (column_names.column(query), " holds the queries")
    return Message("read as rankings: ", *which, ", ", *options, "; the lowest rank is first")


# -- the best and the worst of a few -----------------------------------------------------------------------------------


def is_best_worst(sheet: Sheet) -> bool:
    """Best–worst scaling: who named which of the options shown the best, and which the worst."""
    plain = {column_names.plain(name) for name in sheet.columns}
    return {"best", "worst"} <= plain and _judge(sheet) is not None and bool(_shown_columns(sheet))


def _shown_columns(sheet: Sheet) -> list[str]:
    """The columns with the options shown: one of lists, or one for each option."""
    listed = [name for name in sheet.columns if column_names.plain(name) in SHOWN]
    if listed:
        return listed[:1]
    numbered = [name for name in sheet.columns if EACH_SHOWN.fullmatch(column_names.plain(name))]
    return numbered if len(numbered) >= FEWEST else []


def best_worst(sheet: Sheet, options: ReadOptions) -> Study:
    """An answer is a ranking of what was shown: the best, then those that are neither, tied, then the worst."""
    plain = {column_names.plain(name): name for name in sheet.columns}
    columns, shown = sheet.lists(), _shown_columns(sheet)
    who = options.roles.get("annotator") or _judge(sheet) or ""
    best, worst = columns[plain["best"]], columns[plain["worst"]]
    answer_columns = [*shown, plain["best"], plain["worst"]]
    query = options.roles.get("item") or _query_of_rows(sheet, who, answer_columns) or _tuples(sheet)
    kept = kept_beside(columns, {*answer_columns, who, query})
    rows = Rows("table of best and worst options", options)
    for place in range(sheet.rows):
        held = _shown_in([columns[name][place] for name in shown])
        for name, chosen in (("best", best[place]), ("worst", worst[place])):
            if chosen is not None and str(chosen) not in held:
                raise sheet.error(
                    f"The {name} option, ",
                    quoted(chosen),
                    ", is none of those shown: ",
                    all_quoted(held),
                    ". Mend it.",
                    part=f"row {place + 1}",
                )
        if best[place] is None or worst[place] is None or str(best[place]) == str(worst[place]):
            rows.left_out.add(Reason.NO_ANSWER, 1)
            continue
        item = columns[query][place] if query is not None else " | ".join(sorted(held))
        for option in held:
            rank = 1 if option == str(best[place]) else 3 if option == str(worst[place]) else 2
            rows.add(
                "ranking", item=item, annotator=columns[who][place], label=option, rank=rank,
                **{name: cells[place] for name, cells in kept.items()},
            )  # fmt: skip
    rows.note("read as best–worst scaling: the best option, then those that are neither, tied, then the worst")
    return study_of(rows.finish(), options)


def _tuples(sheet: Sheet) -> str | None:
    """The column that numbers what was shown together, where several saw the same."""
    named = [name for name in sheet.columns if column_names.plain(name) in TUPLES]
    return next((name for name in named if len(set(sheet.keys(name))) < sheet.rows), None)


def _shown_in(cells: list[Any]) -> list[str]:
    """The options of one row."""
    held = cells[0] if len(cells) == 1 and isinstance(cells[0], list) else cells
    if len(held) == 1 and isinstance(held[0], str):
        held = re.split(r"[,;|]", held[0])
    return [str(option).strip() for option in held if option is not None and str(option).strip()]


# -- a column per option ----------------------------------------------------------------------------------------------


def is_in_columns(sheet: Sheet) -> bool:
    """Does every row hold the ranks that somebody gave to all options, a column each?"""
    if _judge(sheet) is None or sum(_may_be_ranks(sheet, name) for name in sheet.columns) < FEWEST:
        return False
    names = _number_columns(sheet)
    if len(names) < FEWEST:
        return False
    return _are_ranks(zip(*(sheet.numbers(name) for name in names), strict=True), len(names))


def _may_be_ranks(sheet: Sheet, name: str) -> bool:
    """May a column hold ranks of as many options as there are columns, by its first rows? Only then are all read."""
    cells = sheet.sample(name)
    return all(_are_places(numbers_of(some), len(sheet.columns)) for some in (cells[:FIRST], cells))


def _are_places(numbers: Sequence[Any] | None, options: int) -> bool:
    """Is every number the place of one of so many options?"""
    return bool(numbers) and all(1 <= number <= options for number in numbers or ())


def in_columns(sheet: Sheet, options: ReadOptions) -> Study:
    """A ranking from rows of ranks, a column per option; an empty cell is an option that was not ranked."""
    who = options.roles.get("annotator") or _judge(sheet)
    if who is None:
        raise sheet.error(
            "Which column is the annotator? The table has ",
            all_quoted(sheet.columns),
            ". Say ",
            remedy(annotator=...),
            ".",
        )
    names = _chosen(options) or _number_columns(sheet)
    query = options.roles.get("item") or _query_of_rows(sheet, who, names)
    rows = Rows("table of ranks, a column per option", options)
    ranked = [([name] * sheet.rows, _ranks(sheet, name)) for name in names]
    _add_in_rows(rows, sheet, (query, who), ranked, kept_beside(sheet.lists(), {*names, who, query}))
    rows.note(_note(query, "the columns ", MayBeNames(listing(names, most=6)), " are the options"))
    return study_of(rows.finish(), options)


def _add_in_rows(
    rows: Rows,
    sheet: Sheet,
    named: tuple[str | None, str | None],
    held: Sequence[tuple[Sequence[Any], Sequence[Any]]],
    kept: Mapping[str, Sequence[Any]],
) -> None:
    """A ranking from every row: `named` are the columns of query and annotator, `held` the options and their ranks,
    `kept` what the table says besides.
    """
    queries, people = (None if name is None else sheet.cells(name) for name in named)
    for place in range(sheet.rows):
        for options, ranks in held:
            rows.add(
                "ranking",
                item=ONE_QUERY if queries is None else queries[place],
                annotator=ALONE if people is None else people[place],
                label=options[place],
                rank=ranks[place],
                **{word: cells[place] for word, cells in kept.items()},
            )


def _chosen(options: ReadOptions) -> list[str]:
    """The columns that the caller names as options."""
    label = options.roles.get("label")
    return list(label) if isinstance(label, list | tuple) else []


def _ranks(sheet: Sheet, name: str) -> list[Any]:
    numbers = sheet.numbers(name)
    if numbers is None:
        raise sheet.no_numbers(name, "rank")
    return list(numbers)


def _query_of_rows(sheet: Sheet, who: str, names: Sequence[str]) -> str | None:
    """The column that names what each row is about; none where everybody has one row."""
    rest = [name for name in sheet.columns if name not in (who, *names)]
    found = column_names.candidates("item", rest) or column_names.weak_item(rest)
    return found[0] if found else None


def _number_columns(sheet: Sheet) -> list[str]:
    """Columns of numbers that play no role by their names."""
    named = {*_named(sheet, "item"), *_named(sheet, "annotator"), *_named(sheet, "score"), *_named(sheet, "time")}
    weak = column_names.weak_item(sheet.columns)[:1]
    return [
        name
        for name in sheet.columns
        if name not in named
        and name not in weak
        and column_names.plain(name) not in column_names.NO_ANSWERS
        and column_names.plain(name) not in LINES
        and sheet.sample(name)
        and sheet.numbers(name) is not None
    ]


def _named(sheet: Sheet, role: str) -> list[str]:
    return column_names.candidates(role, sheet.columns)


# -- a column per annotator -------------------------------------------------------------------------------------------


def is_by_annotator(sheet: Sheet) -> bool:
    """Does every column of numbers hold each rank once, a row per option?"""
    if _judge(sheet) is not None or sheet.rows < FEWEST:
        return False
    names = _people(sheet)
    if len(names) < 2:
        return False
    if all(counts_rows(sheet, name) for name in names):
        return False
    return _are_ranks((list(sheet.numbers(name)) for name in names), sheet.rows)


def _people(sheet: Sheet) -> list[str]:
    """The columns of numbers; where no other names the options, the first may number them."""
    names = _number_columns(sheet)
    return names[1:] if names == sheet.columns and counts_rows(sheet, names[0]) else names


def by_annotator(sheet: Sheet, options: ReadOptions) -> Study:
    """One query: a row per option, a column per annotator with the ranks that they gave."""
    names = list(options.annotators or _people(sheet))
    for name in names:
        if name not in sheet.columns:
            raise ColumnMissing("annotators", name, sheet.columns)
    rest = [name for name in sheet.columns if name not in names]
    found = column_names.candidates("item", rest) or column_names.weak_item(rest) or rest[:1]
    rows = Rows("table of ranks, a column per annotator", options)
    things = sheet.cells(found[0]) if found else list(range(1, sheet.rows + 1))
    kept = kept_beside({name: sheet.cells(name) for name in rest}, found[:1])
    for name in names:
        for place, (thing, rank) in enumerate(zip(things, _ranks(sheet, name), strict=True)):
            more = {word: cells[place] for word, cells in kept.items()}
            rows.add("ranking", item=ONE_QUERY, annotator=name, label=thing, rank=rank, **more)
    rows.note(
        Message(
            "read as rankings: every column holds each rank once, so that the rows are options of one query, put in "
            "order by ",
            PeopleNames(names, most=6),
        )
    )
    return study_of(rows.finish(), options)


# -- a column per place ------------------------------------------------------------------------------------------------


def place_columns(sheet: Sheet) -> list[str]:
    """The columns rank1, rank2 …, in order, where they hold options and not numbers; else none."""
    found = {int(match[1]): name for name in sheet.columns if (match := A_PLACE.fullmatch(column_names.plain(name)))}
    names = [found[place] for place in sorted(found)]
    whole = len(names) > 1 and sorted(found) == list(range(1, len(names) + 1))
    return names if whole and all(sheet.numbers(name) is None for name in names) else []


def may_be_ranks(sheet: Sheet, names: Sequence[str]) -> bool:
    """May columns hold rankings, a column per option or per place, though nothing settles it: ties, gaps, few rows?"""
    if set(names) == set(place_columns(sheet)):
        return True
    cells = [sheet.numbers(name) for name in names]
    if len(names) < FEWEST or any(numbers is None for numbers in cells):
        return False
    rows = [[rank for rank in row if rank is not None and not math.isnan(rank)] for row in zip(*cells, strict=True)]
    return all(min(row) == 1 and max(row) <= len(names) and all(rank % 1 == 0 for rank in row) for row in rows if row)


def _in_places(sheet: Sheet, options: ReadOptions, names: Sequence[str]) -> Study:
    """A ranking from rows of options, a column per place; an empty cell is a place that was not filled."""
    who = options.roles.get("annotator") or _judge(sheet)
    query = options.roles.get("item") or _query_of_rows(sheet, str(who), names)
    rows = Rows("table of rankings, a column per place", options)
    filled = [(sheet.cells(name), [rank] * sheet.rows) for rank, name in enumerate(names, start=1)]
    _add_in_rows(rows, sheet, (query, who), filled, kept_beside(sheet.lists(), {*names, who, query}))
    rows.note(_note(query, "the columns ", column_names.columns(names, most=6), " hold the options in order"))
    return study_of(rows.finish(), options)


def rankings_by_name(sheet: Sheet, options: ReadOptions) -> Study:
    """Rankings by name: in whichever of the layouts they are."""
    if is_best_worst(sheet):
        return best_worst(sheet, options)
    if "rank" in options.roles or "rank" in {column_names.plain(name) for name in sheet.columns}:
        return listed(sheet, options)
    places = place_columns(sheet)
    if places:
        return _in_places(sheet, options, places)
    if options.roles.get("annotator") or _judge(sheet) is not None:
        return in_columns(sheet, options)
    return by_annotator(sheet, options)


def _are_ranks(lists: Iterable[Sequence[Any]], size: int) -> bool:
    """Is each of some lists an order of 1 to so many, and are there too many of them for ratings by accident?"""
    wanted, number = list(range(1, size + 1)), 0
    for held in lists:
        given = [cell for cell in held if cell is not None and not (isinstance(cell, float) and math.isnan(cell))]
        if len(given) != size or sorted(given) != wanted:
            return False
        number += 1
    return number > 1 and number * (math.lgamma(size + 1) - size * math.log(size)) < math.log(BY_CHANCE)
