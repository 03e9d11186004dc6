"""Tallies of weeks, shards or sites added up to one study, whose shards are groups that can be compared.

They must be of one question: the same kind of answers, level of measurement and columns. Labels that nobody declared
are put together, as those of several tables are; declared ones have to be the same. An item that is in several
tallies counts in each of them, and its answers there are not compared: where that is so, it is said.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import reduce
from itertools import combinations
from operator import or_
from typing import Any

import numpy as np

from accord.annotations.answers import Answers, Label, TiedMembers, canonical, ranked_members, scale_of
from accord.annotations.arrays import IntArray
from accord.annotations.factorize import Coded
from accord.annotations.item_sketch import ItemSketch
from accord.annotations.kinds_of_items import TalliedAnnotations, added
from accord.annotations.left_out import LeftOut
from accord.annotations.unnamed_items import UnnamedItems
from accord.errors import InputError, MayBeNames, Message, Part, all_quoted, between, counted, listing, quoted, remedy
from accord.study.kinds import KindOfAnnotator
from accord.study.tally_facts import CODED, CODED_BY_KEY
from accord.study.tally_file import TallyFile
from accord.study.tallying import StudyTally

SHARD = "shard"  # the column that says from which tally an item comes
MOST_PAIRS = 5  # of tallies that share items, which are told one by one


def added_up(files: Mapping[str, TallyFile]) -> tuple[StudyTally, list[str]]:
    """The tally of all, by the name of each file, and what is to be said of it."""
    shards = {name: file.shard or name for name, file in files.items()}
    _check_alike(files, shards)
    tallies = {name: file.tally for name, file in files.items()}
    parts = _of_one_scale({name: tally.annotations for name, tally in tallies.items()})
    people = _everybody([part.annotators for part in parts])
    parts = [
        _with_shard(_of_everybody(part, people), shard) for part, shard in zip(parts, shards.values(), strict=True)
    ]
    sketches = [tally.sketch for tally in tallies.values()]
    known = [sketch for sketch in sketches if sketch is not None]
    sketch = ItemSketch.together(known) if len(known) == len(sketches) else None
    items = UnnamedItems(sum(part.n_items for part in parts), sketch)
    whole = StudyTally(
        added(parts, items),
        next(iter(tallies.values())).roles,
        next(iter(tallies.values())).level,
        _kinds(tallies),
        reduce(or_, (tally.left_out for tally in tallies.values()), LeftOut()),
        sum(tally.rows for tally in tallies.values()),
        max(tally.n_annotators for tally in tallies.values()),
        sketch,
    )
    apart = _labels_apart({shards[name]: tally.annotations.answers.labels for name, tally in tallies.items()})
    return whole, [*_notes(files), *apart, *overlaps(dict(zip(shards.values(), sketches, strict=True)))]


# -- of one question --------------------------------------------------------------------------------------------------


def _check_alike(files: Mapping[str, TallyFile], shards: Mapping[str, str]) -> None:
    """Tallies of one question, each of a shard of its own."""
    twice = [shard for shard in shards.values() if list(shards.values()).count(shard) > 1]
    if twice:
        both = [name for name, shard in shards.items() if shard == twice[0]]
        raise InputError(
            all_quoted(both),
            " are all called ",
            quoted(twice[0]),
            ", and shards are told apart by their names. Write them with other names: ",
            remedy(shard_name=...),
            ".",
        )
    coded = [name for name, file in files.items() if file.names == CODED and file.tally.annotations.named]
    if len(files) > 1 and coded:
        raise InputError(
            "Annotators of ",
            all_quoted(coded, most=3),
            " are called by codes that were drawn for it alone: the A1 of "
            "another tally may be somebody else. Write them with one key (",
            remedy(key=...),
            "), or without who answered what: ",
            remedy(named=False),
            ".",
        )
    for what, found in _facts(files).items():
        if len(set(found.values())) > 1:
            (one, other) = _first_two_apart(found)
            raise InputError(
                f"The tallies do not fit together. {what}: ",
                MayBeNames(found[one]),
                " in ",
                quoted(one),
                ", and ",
                MayBeNames(found[other]),
                " in ",
                quoted(other),
                ". Write them with the same options.",
            )


def _facts(files: Mapping[str, TallyFile]) -> dict[str, dict[str, str]]:
    """What must be the same in all tallies."""
    tallies = {name: file.tally for name, file in files.items()}
    columns = {name: sorted(set(tally.annotations.of_items) - {SHARD}) for name, tally in tallies.items()}
    return {
        "Kind of answers": {name: tally.annotations.answers.kind for name, tally in tallies.items()},
        "Level of measurement": {name: tally.level or "none declared" for name, tally in tallies.items()},
        "Columns": {name: listing(names) for name, names in columns.items()},
        "Roles of columns": {name: listing(sorted(tally.roles.items())) for name, tally in tallies.items()},
        "Who answered what": {
            name: "kept" if tally.annotations.named else "not kept" for name, tally in tallies.items()
        },
    }


def _first_two_apart(found: Mapping[str, Any]) -> tuple[str, str]:
    first = next(iter(found))
    return first, next(name for name in found if found[name] != found[first])


# -- one scale --------------------------------------------------------------------------------------------------------


def _of_one_scale(parts: Mapping[str, TalliedAnnotations]) -> list[TalliedAnnotations]:
    """The same annotations with the answers of all of them."""
    answers = {name: part.answers for name, part in parts.items()}
    labels = _labels_of_all(answers)
    moved = {name: Coded(np.arange(len(one.labels)), one.labels).onto(labels) for name, one in answers.items()}
    first = next(iter(answers.values()))
    if first.kind == "single":
        scale = replace(first, labels=labels)
        return [part.recoded(scale, moved[name]) for name, part in parts.items()]
    if first.kind == "score":
        scores = np.unique(np.concatenate([one.scores for one in answers.values()]))
        scale = replace(first, scores=scores)
        return [part.recoded(scale, np.searchsorted(scores, part.answers.scores)) for part in parts.values()]
    held = {name: [_moved(members, moved[name]) for members in one.members] for name, one in answers.items()}
    scale = replace(first, labels=labels, members=canonical(one for several in held.values() for one in several))
    place = {members: at for at, members in enumerate(scale.members)}
    return [part.recoded(scale, np.array([place[one] for one in held[name]])) for name, part in parts.items()]


def _moved(members: tuple[int, ...], moved: IntArray) -> tuple[int, ...]:
    """The labels of an answer at their new places: a set in order, ranked ones by rank."""
    new = [int(moved[label]) for label in members]
    if isinstance(members, TiedMembers):
        return ranked_members(new, members.ranks)
    return tuple(new)


def _labels_of_all(answers: Mapping[str, Answers]) -> tuple[Label, ...]:
    """The scale that all share: the same, or, where nobody declared one, all labels together."""
    found = {name: one.labels for name, one in answers.items()}
    if len(set(found.values())) == 1:
        return next(iter(found.values()))
    one, other = _first_two_apart(found)
    declared = [name for name, scale in answers.items() if scale.declared or scale.order]
    if declared or not set(found[one]) & set(found[other]):
        why = (quoted(declared[0]), " declares its labels") if declared else ("they share none",)
        raise InputError(
            "The tallies are of other labels: ",
            all_quoted(found[one]),
            " in ",
            quoted(one),
            ", and ",
            all_quoted(found[other]),
            " in ",
            quoted(other),
            "; ",
            *why,
            ". Write them with the same scale: ",
            remedy(labels=[...]),
            ".",
        )
    return scale_of({label for labels in found.values() for label in labels}).labels


def _labels_apart(labels: Mapping[str, tuple[Label, ...]]) -> Iterator[str]:
    """Labels that only some tallies have: they may have been given nowhere else, or be called otherwise there."""
    place: dict[Label, list[str]] = {}
    for shard, held in labels.items():
        for label in held:
            place.setdefault(label, []).append(shard)
    only: list[Part] = [
        Message(f"{label!r} in ", MayBeNames(listing(held, most=3), f"{len(held)} of them"))
        for label, held in place.items()
        if len(held) < len(labels)
    ]
    if only:
        more = f" … ({len(only)} in all)" if len(only) > MOST_PAIRS else ""
        yield Message(
            "labels that only some of the tallies have: ",
            *between(only[:MOST_PAIRS], ", "),
            f"{more}. Where two of them are one by another name, write a tally anew with ",
            remedy(recode=...),
        )


# -- one crowd --------------------------------------------------------------------------------------------------------


def _everybody(names: Sequence[tuple[str, ...]]) -> tuple[str, ...]:
    """All annotators in the order that one table would have them in: numbers by value, else by the letters."""
    together = {name for part in names for name in part}
    numbers = all(name.isascii() and name.isdigit() for name in together)
    by_value = numbers and all(list(part) == sorted(part, key=int) for part in names)
    return tuple(sorted(together, key=int if by_value else None))


def _of_everybody(part: TalliedAnnotations, people: tuple[str, ...]) -> TalliedAnnotations:
    """The same annotations with everybody's names."""
    place = {name: at for at, name in enumerate(people)}
    return part.renamed(people, np.array([place[name] for name in part.annotators], dtype=np.int64))


def _with_shard(part: TalliedAnnotations, shard: str) -> TalliedAnnotations:
    """With the column of the shard; tallies that were added up before have one."""
    of_shard = Coded(np.zeros(len(part.number), dtype=np.int64), (shard,))
    return replace(part, of_items={SHARD: of_shard, **part.of_items})


def _kinds(tallies: Mapping[str, StudyTally]) -> dict[str, KindOfAnnotator] | None:
    """What is said of annotators; None where they are to be taken alike."""
    kinds_by_tally = [tally.kinds for tally in tallies.values()]
    if any(kinds is None for kinds in kinds_by_tally):
        return None
    found: dict[str, KindOfAnnotator] = {}
    for kinds in kinds_by_tally:
        for name, kind in (kinds or {}).items():
            if found.setdefault(name, kind) != kind:
                raise InputError(
                    quoted(name),
                    f" is {found[name]} in one tally and {kind} in another. Write them with the same options.",
                )
    return found


# -- what is to be said -----------------------------------------------------------------------------------------------


def _notes(files: Mapping[str, TallyFile]) -> Iterator[str]:
    """How many there are, how they are compared, and whose names are only codes."""
    if len(files) > 1:
        yield Message(f"{counted(len(files), 'tallies')} added up; ", remedy(by=SHARD), " compares them")
    if len(files) > 1 and any(file.names == CODED_BY_KEY for file in files.values()):
        yield "annotators are called by codes, and one code is taken for one person: all must have had one key"


def overlaps(sketches: Mapping[str, ItemSketch | None]) -> Iterator[str]:
    """Whether items occur in several tallies, as far as that is known."""
    unknown = [shard for shard, sketch in sketches.items() if sketch is None]
    if unknown and len(sketches) > 1:
        has = "does" if len(unknown) == 1 else "do"
        yield Message(
            MayBeNames(listing(unknown, most=3), counted(len(unknown), "tallies")),
            f" {has} not tell which items there are: an item that is in several tallies counts in each of them, and "
            "its answers are compared within each only",
        )
    known = {shard: sketch for shard, sketch in sketches.items() if sketch is not None}
    shared = {pair: known[pair[0]].shared(known[pair[1]]) for pair in combinations(known, 2)}
    found = sorted((pair for pair in shared if shared[pair].items), key=lambda pair: -shared[pair].items)
    messages: list[Part] = [
        Message(
            f"{'' if shared[pair].exact else 'about '}{counted(max(round(shared[pair].items), 1), 'items')} in ",
            MayBeNames(f"{pair[0]!r} and {pair[1]!r}", "two of them"),
        )
        for pair in found[:MOST_PAIRS]
    ]
    if messages:
        more = f" … ({len(found)} pairs of tallies)" if len(found) > MOST_PAIRS else ""
        yield Message(
            "tallies share items: ",
            *between(messages, "; "),
            f"{more}. Such an item counts in each of them, and its answers are compared within each only",
        )
    elif shared and not all(one.exact for one in shared.values()):
        most = max(one.at_most for one in shared.values())
        yield f"no item was found in two tallies; by their sketches, two share at most about {most:,.0f}"
