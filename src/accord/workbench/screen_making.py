"""How the screen of an item is filled in: blind first, then with what others said, never with what a second look
must not know.
"""

from __future__ import annotations

from dataclasses import replace

from accord.workbench.bench_state import BenchState
from accord.workbench.decision_log import DecisionLog
from accord.workbench.screens import ItemScreen, SimilarItem
from accord.workbench.written_answers import read_back

MOST_SIMILAR = 5


def screen_of(state: BenchState, log: DecisionLog, place: int, name: str, *, shown: bool, names: bool) -> ItemScreen:
    """The screen of an item for somebody."""
    view, gold = state.view, state.gold
    second = state.second_looks.wants(place, name)
    blind = ItemScreen(
        key=view.key(place),
        item=gold.study.items[place],
        kind=gold.study.kind,
        labels=view.options(place),
        text=view.text(place),
        image=view.image(place),
        blind=not shown,
        second_look=second,
        n_answers=len(view.annotations(place)),
        compared=view.compared(place),
        has_majority=view.majority(place) is not None,
    )
    if not shown:
        return blind
    chances = view.chances(place)
    screen = replace(
        blind,
        answers=view.answers(place, names=names),
        chances=chances,
        chance_is=gold.confidence_is,
        confused=view.confused(chances),
        similar=_similar_items(state, log, place),
    )
    if second:  # what the first person decided, and what a model learned from it, would not leave it blind
        return screen
    return replace(
        screen,
        suggestion=gold.labels[place],
        why_undecided=gold.reason(gold.study.items[place]) or "",
        stands=state.standing.of(place),
        history=tuple(log.of_item(view.key(place))),
    )


def _similar_items(state: BenchState, log: DecisionLog, place: int) -> tuple[SimilarItem, ...]:
    """Items that a person decided and that were answered alike, the latest first; then those of similar words."""
    answered = state.likeness.answered_alike(place, MOST_SIMILAR)
    worded = [one for one in state.likeness.worded_alike(place, MOST_SIMILAR) if one not in answered]
    found = [(one, "the same answers") for one in answered] + [(one, "similar words") for one in worded]
    return tuple(_similar_item(state, log, one, why) for one, why in found[:MOST_SIMILAR])


def _similar_item(state: BenchState, log: DecisionLog, place: int, why: str) -> SimilarItem:
    stands = state.standing.of(place)
    assert stands is not None
    row = log.by_number(stands.number)
    return SimilarItem(
        state.view.key(place),
        state.gold.study.items[place],
        state.view.text(place),
        read_back(stands.answer),
        stands.by,
        "" if row is None else row.reason,
        why,
    )
