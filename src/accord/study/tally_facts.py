"""What a tally's file says beside its table, held against what accord writes there: damage is told, never measured."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any, get_args

from accord.annotations.answers import LEVELS, Kind, Order
from accord.annotations.item_sketch import KEPT
from accord.annotations.left_out import Reason
from accord.study.kinds import KindOfAnnotator
from accord.study.tallying import NOT_TALLIED, OF_ITEMS

MOST = 2**53  # a number of items or annotations that is larger is none
NAMES = GIVEN, CODED, CODED_BY_KEY = "given", "coded", "coded by key"  # how annotators are named
Test = Callable[[Any], bool]


def check_facts(facts: Mapping[str, Any]) -> None:
    """Raise a ValueError where something is said that is not written there; what is missing is a KeyError."""
    for name, test in FACTS.items():
        if not test(facts[name]):
            raise ValueError(name)


def is_number(value: object) -> bool:
    """A number of items, rows, people."""
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= MOST


def _one_of(*words: object) -> Test:
    return lambda value: (value is None or isinstance(value, str)) and value in words


def _is_text(value: object) -> bool:
    return isinstance(value, str)


def _or_none(test: Test) -> Test:
    return lambda value: value is None or test(value)


def _each(test: Test, *, once: bool = False) -> Test:
    """A list of such values, none of them twice if that is asked."""
    return lambda value: (
        isinstance(value, list) and all(map(test, value)) and not (once and len(set(value)) < len(value))
    )


def _record(**tests: Test) -> Test:
    return lambda value: isinstance(value, dict) and all(test(value[name]) for name, test in tests.items())


def _is_label(value: object) -> bool:
    return isinstance(value, str | bool | int) or (isinstance(value, float) and math.isfinite(value))


def _is_score(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)


def _fits_together(answers: Mapping[str, Any]) -> bool:
    """Are members labels that there are, and does each kind hold what is its own?"""
    kind, labels, members, ranks = (answers[name] for name in ("kind", "labels", "members", "ranks"))
    if (
        len(members) != len(ranks)
        or (kind in ("single", "score") and members)
        or (kind != "score" and answers["scores"])
    ):
        return False
    return all(
        all(at < len(labels) for at in held) and len(set(held)) == len(held) and _ranked(held, order)
        for held, order in zip(members, ranks, strict=True)
    )


def _ranked(held: Sequence[int], ranks: Sequence[int] | None) -> bool:
    """A rank for each, from 1 without gaps."""
    if ranks is None:
        return True
    steps = [after - before for before, after in zip([0, *ranks], ranks, strict=False)]
    return len(ranks) == len(held) and all(step in (0, 1) for step in steps) and ranks[:1] in ([1], [])


def _is_answers(value: object) -> bool:
    return _record(**ANSWERS)(value) and isinstance(value, dict) and _fits_together(value)


def _is_kinds(value: object) -> bool:
    words = get_args(KindOfAnnotator)
    return isinstance(value, dict) and all(one in words for one in value.values())


def _is_column(value: object) -> bool:
    return _record(name=_is_text, role=_one_of(None, *OF_ITEMS))(value)


def _is_sketch(value: object) -> bool:
    numbers = _each(lambda one: isinstance(one, str) and one.isdecimal() and len(one) <= 20, once=True)
    return (
        _record(numbers=numbers, n_items=is_number)(value)
        and isinstance(value, dict)
        and len(value["numbers"]) <= min(KEPT, value["n_items"])
    )


ANSWERS: Mapping[str, Test] = {
    "kind": _one_of(*(kind for kind in get_args(Kind) if kind not in NOT_TALLIED)),
    "labels": _each(_is_label, once=True),
    "members": _each(_each(is_number)),
    "ranks": _each(_or_none(_each(is_number))),
    "scores": _each(_is_score),
    "declared": lambda value: isinstance(value, bool),
    "order": _one_of(*get_args(Order)),
}
FACTS: Mapping[str, Test] = {
    "answers": _is_answers,
    "level": _one_of(None, *LEVELS),
    "annotators": _each(_is_text, once=True),
    "names": _one_of(*NAMES),
    "kinds": _or_none(_is_kinds),
    "columns": _each(_is_column),
    "shard": _or_none(_is_text),
    **dict.fromkeys(("n_items", "n_annotations", "n_annotators", "n_rows"), is_number),
    "left_out": _each(_record(reason=_one_of(*(reason.key for reason in Reason)), what=_is_text, number=is_number)),
    "item_sketch": _or_none(_is_sketch),
}
