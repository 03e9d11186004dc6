"""How large the tables of a model are, and from which size on they are not made.

With many labels a model takes more than the answers do: a step says something of each item for each label, and a table
has a number for each annotator, answer and label.
"""

from __future__ import annotations

from accord.consensus.ballots import Ballots

MOST_NUMBERS = 50_000_000  # of a table of annotators × answers × labels; a fit holds about ten of them
MOST_COMPARED, PER_ANSWER = 25_000_000, 100  # that a step fills, in all and for each answer: beyond both, none compete


def is_huge(ballots: Ballots) -> bool:
    """Is a table with a number for each annotator, answer and label too large?"""
    return ballots.width * ballots.n_answers > MOST_NUMBERS


def table_size(ballots: Ballots) -> str:
    """How large that table is, in words."""
    return (
        f"a table of {ballots.n_annotators:,} annotators × {ballots.n_answers:,} answers × {ballots.n_answers:,} "
        f"labels, {ballots.width * ballots.n_answers:,} numbers (at most {MOST_NUMBERS:,})"
    )


def numbers_of(ballots: Ballots) -> int:
    """How many numbers a step of a model fills: what each item says for each label, and a table per annotator."""
    return (ballots.n_items + ballots.width) * ballots.n_answers


def too_many(ballots: Ballots) -> bool:
    """Would a contest of the models take a time out of proportion to the answers?"""
    return numbers_of(ballots) > max(MOST_COMPARED, PER_ANSWER * len(ballots.cells))
