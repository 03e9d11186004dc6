"""Rankings drawn at random, and what they are as a study."""

from __future__ import annotations

import random

import accord

Lists = dict[tuple[str, str], dict[str, float]]  # query and annotator: the rank of each option
OPTIONS = ("a", "b", "c", "d", "e", "f")


def drawn(
    seed: int, *, queries: int = 6, people: int = 4, options: int = 5, gaps: bool = True, ties: bool = True
) -> Lists:
    """Some annotators of each query, with a common order that they mostly follow."""
    rng = random.Random(seed)
    found: Lists = {}
    for query in range(queries):
        truth = rng.sample(OPTIONS[:options], options)
        for who in rng.sample(range(people), rng.randint(1, people)):
            noise = {option: place + rng.gauss(0, 1.2) for place, option in enumerate(truth)}
            held = [option for option in truth if not gaps or rng.random() < 0.85] or truth[:1]
            found[f"q{query}", f"p{who}"] = {option: float(round(noise[option])) for option in held}
    return found


def study_of(lists: Lists) -> accord.Study:
    """A row for each option of each list."""
    rows = [(query, who, option, rank) for (query, who), held in lists.items() for option, rank in held.items()]
    names = ("item", "annotator", "label", "rank")
    table = {name: [row[at] for row in rows] for at, name in enumerate(names)}
    return accord.Study(table, rank="rank", answers="ranking")


def by_query(lists: Lists) -> dict[str, list[dict[str, float]]]:
    """The lists of each query."""
    found: dict[str, list[dict[str, float]]] = {}
    for (query, _), held in sorted(lists.items()):
        found.setdefault(query, []).append(held)
    return found


def one_query(rows: list[list[float | None]]) -> accord.Study:
    """A list per annotator, a place per option; None where it is not ranked."""
    lists: Lists = {
        ("q", f"p{who}"): {f"o{at}": float(rank) for at, rank in enumerate(row) if rank is not None}
        for who, row in enumerate(rows)
    }
    return study_of(lists)
