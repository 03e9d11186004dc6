"""Annotators: each against the rest, what leaving one out changes, own label bias, and random responders.

Fairness to a person: nobody is judged on fewer than 20 items shared with others, small numbers are shrunk towards
"like everybody else", and a difference counts only where it is worth a word as well as sure.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Unpack

import numpy as np

from accord.agreement.inference.multiple_testing import holm
from accord.agreement.inference.wald import interval_around
from accord.agreement.table import Table
from accord.annotations.arrays import FloatArray, IntArray, add_up, divide
from accord.coefficients.standard_errors import NORMAL, limits
from accord.errors import Message, counted, one_of, remedy
from accord.findings.constant_answers import answer_shown, never_changing
from accord.findings.distances import FEWEST, Distances, need_distances
from accord.findings.finding import CANDIDATE, NAMED_SINGLY, Clue, Evidence, Finding, NotLookedAt, TestFamily
from accord.findings.label_texts import answer_text
from accord.findings.study_view import View
from accord.findings.without_annotator import Change, changes
from accord.study.study_of_input import Roles

STEPS = 60_000_000  # annotators × entries up to which everybody is left out in turn
SUSPECT = 0.95  # from this probability on answers are said to look random
SOURCES = ("zhao2025",)
WHEN = "When the answers were given: somebody new to the task would look the same."


# -- the detector ----------------------------------------------------------------------------------------------------


def look(view: View) -> Iterator[Clue]:
    """Who stands apart from the rest, and who gave one answer throughout."""
    distances = view.distances
    if isinstance(distances, str):
        yield NotLookedAt("annotators one by one", distances)
        return
    yield from never_changing(distances)
    if distances.study.n_annotators < 3:
        yield NotLookedAt(
            "which annotator stands apart", "Two annotators differ from each other; it takes a third to tell who."
        )
        return
    rest = distances.against_rest
    judged = np.nonzero(np.isfinite(rest.p))[0]
    few = distances.study.n_annotators - len(judged)
    yield TestFamily(len(judged), "annotators against the rest")
    if few:
        yield NotLookedAt(
            counted(few, "annotators"), f"fewer than {FEWEST} items shared with others: too little to judge a person by"
        )
    found = judged[view.p_apart[judged] < CANDIDATE]
    found = found[np.argsort(rest.p[found], kind="stable")]
    if len(found) <= NAMED_SINGLY:
        for person, change in zip(found.tolist(), changes(distances, found.tolist()), strict=True):
            yield _outlying(distances, person, change)
    else:
        yield from _several_outlying(distances, view.outlying_people, judged)


def _outlying(distances: Distances, person: int, change: Change) -> Finding:
    rest, name = distances.against_rest, distances.study.annotators[person]
    seems = looks(distances, [person])[0]
    prefers = preferred_answer(distances, person)
    span = interval_around(rest.excess[person], rest.se[person], df=NORMAL, method="shrunk, by item")
    return Finding(
        "outlying-annotator",
        "warning",
        f"Annotator {name} differs from the others more than they differ from each other: {rest.own[person]:z.2f} "
        f"against {rest.rest[person]:z.2f} on the same items. Without these answers {distances.main.title} would be "
        f"{change.value:z.2f} instead of {distances.main.value:z.2f}.{among_three(distances, person)}",
        "Look at this annotator's answers together and find out how the task was understood before anything else: "
        "retrain; leave the answers out only if that does not help.",
        evidence=(
            Evidence("further from the others than they are from each other by (shrunk)", rest.excess[person], span),
            Evidence("change of the coefficient without this annotator", change.change, change.interval),
            Evidence("items shared with others", float(rest.items[person])),
        ),
        speaks_for=tuple(text for text in (seems, prefers) if text),
        speaks_against=_fairness(distances, person),
        not_known=() if "time" in distances.study.roles else (WHEN,),
        sources=SOURCES,
        annotators=(name,),
        p=float(rest.p[person]),
        weight=float(np.clip(distances.repaired(person), 0, 1)),
    )


def _several_outlying(distances: Distances, sure: list[int], judged: IntArray) -> Iterator[Finding]:
    """Many at once: those who stay apart after correction among the annotators, in one finding with a table."""
    rest, names = distances.against_rest, distances.study.annotators
    if not sure:
        return
    chosen = np.zeros(distances.people, dtype=np.bool_)
    chosen[sure] = True
    share = add_up(distances.who, distances.tally.items[distances.tally.pattern], distances.people)
    table = _table(distances, sure).sorted("excess", descending=True)
    yield Finding(
        "outlying-annotators",
        "warning",
        f"{counted(len(sure), 'annotators')} of {len(judged):,} with enough items differ from the others more than "
        f"they differ from each other; they gave {share[chosen].sum() / share.sum():.0%} of the answers.",
        Message(
            "Look at their answers for a misunderstanding that they share; retrain, or weigh answers by competence (",
            remedy("accord.gold", "study", method=one_of("dawid-skene", "mace")),
            ") before any are left out.",
        ),
        evidence=(
            Evidence("annotators apart", float(len(sure))),
            Evidence("mean distance of their answers from the others'", float(rest.own[sure].mean())),
            Evidence("mean distance between the others on the same items", float(rest.rest[sure].mean())),
        ),
        sources=(*SOURCES, "dawid1979"),
        annotators=tuple(names[person] for person in sure),
        p=float(rest.p[sure].max()),
        weight=float(np.clip(distances.repaired_by(sure), 0, 1)),
        table=table,
    )


def among_three(distances: Distances, person: int) -> str:
    """With three people, one who stands apart and two who stand together are the same picture: say both."""
    if distances.study.n_annotators != 3:
        return ""
    rest, name = distances.against_rest, distances.study.annotators[person]
    return (
        f" From three people it cannot be told which it is: {name} may be the one who differs, or the other two do not "
        f"answer independently (they differ from each other by {rest.rest[person]:z.2f})."
    )


def _fairness(distances: Distances, person: int) -> tuple[str, ...]:
    """What should be borne in mind before a person is judged."""
    rest, against = distances.against_rest, []
    if rest.items[person] < 3 * FEWEST:
        against.append(f"Known from {counted(int(rest.items[person]), 'items')} only.")
    against.append("The others agreeing does not make them right.")
    return tuple(against)


# -- what somebody's answers look like -------------------------------------------------------------------------------


def looks(distances: Distances, people: Sequence[int]) -> list[str]:
    """In words, whether answers look random."""
    return [
        f"The answers look random or constant: they hardly depend on what others say of the item ({chance:.0%})."
        if chance >= SUSPECT
        else ""
        for chance in distances.random_responder[list(people)]
    ]


def _biases(mass: FloatArray) -> FloatArray:
    """(people, K) how much more often an annotator gives an answer than the others do on the same items."""
    return divide(mass.sum(2) - mass.sum(1), mass.sum((1, 2))[:, None])


def preferred_answer(distances: Distances, person: int) -> str:
    """The answer that somebody prefers most against the others, in words."""
    mass = distances.answers_against_others([person])
    found = None if mass is None else _biases(mass)[0]
    if found is None or not np.isfinite(found).all():
        return ""
    more, less = int(found.argmax()), int(found.argmin())
    if found[more] < 0.05:
        return ""
    return (
        f"Gives {answer_shown(distances, more)} more often than the others do on the same items (by {found[more]:.0%} "
        f"of the answers) and {answer_shown(distances, less)} less often (by {-found[less]:.0%})."
    )


def _prefers(distances: Distances, bias: FloatArray) -> str:
    """The answer that somebody gives most beyond the others, with how much more often."""
    if not np.isfinite(bias).all() or not bias.max() > 0:
        return ""
    return f"{_text(distances, int(bias.argmax()))} (+{bias.max():.0%})"


def _mistaken(distances: Distances, mass: FloatArray) -> str:
    """Somebody's most frequent clash with the others: what they say, and what the others say instead."""
    off = mass.copy()
    np.fill_diagonal(off, 0.0)
    if not off.max(initial=0.0) > 0:
        return ""
    mine, theirs = np.divmod(int(off.argmax()), off.shape[1])
    return f"{_text(distances, int(mine))} where others say {_text(distances, int(theirs))}"


def _text(distances: Distances, answer: int) -> str:
    return answer_text(distances.study.answers.value(answer))


# -- tables ----------------------------------------------------------------------------------------------------------


def annotators_against_rest(data: Any, /, *, labels: Sequence[Any] | None = None, **roles: Unpack[Roles]) -> Table:
    """Each annotator against the rest: distances, own label bias, the usual clash, and how sure that is.

    `own` is the mean distance of somebody's answers from the others' on the same items (0 the same, 1 as different as
    can be), `rest` that of the others from each other; `excess` their difference, shrunk by four imaginary items
    without any, with a 95 % interval. `p` is that of an excess worth a word (a tenth of the distance
    that chance would give), `p_holm` corrected for the number of annotators. `random_responder` is the
    probability that the answers do not depend on the item. Nobody is judged on fewer than 20 items.

    Args:
        data: A `Study`, or what one is made of: a table with one row per annotation (a dataframe, a mapping of columns,
            a list of records), or a 2-D array of items × annotators.
        labels: The scale: all labels there are, in order, used or not; by default those in the data, sorted.
        **roles: Which columns of a table are which, as in `Study`: item="id", annotator="who", label="tag" …

    Returns:
        A `Table` with one row per annotator, the furthest from the rest first.

    Raises:
        InputError: If `data` cannot be a study: `ColumnMissing`, `DuplicateAnswers` and `LabelError` are kinds of it.
        MeasureError: If nobody is named, or the answers are of another kind.
        OptionError: If an option has a value that it cannot take.

    >>> rows = [["a", "a", "a"], ["b", "b", "a"], ["a", "a", "b"], ["b", "b", "b"]] * 10
    >>> table = annotators_against_rest(rows)
    >>> [(row["annotator"], round(row["own"], 2), round(row["rest"], 2)) for row in table]
    [('3', 0.5, 0.0), ('1', 0.25, 0.5), ('2', 0.25, 0.5)]
    """
    distances = need_distances(data, labels, roles)
    return _table(distances, distances.study._present.tolist()).sorted("excess", descending=True)


def _table(distances: Distances, people: list[int]) -> Table:
    rest = distances.against_rest
    low, high = limits(rest.excess, rest.se, df=NORMAL)
    mass, nothing = distances.answers_against_others(people), [""] * len(people)
    few = int((rest.items[people] < FEWEST).sum())
    notes = []
    if few:
        notes.append(f"{counted(few, 'annotators')} with fewer than {FEWEST} items shared with others: not judged.")
    if distances.study.n_annotators < 3:
        notes.append("With two annotators there is no rest to compare one with: both have the same distance.")
    return Table(
        "Each annotator against the rest",
        {
            "annotator": [distances.study.annotators[person] for person in people],
            "items": rest.items[people].astype(np.int64),
            "own": rest.own[people],
            "rest": rest.rest[people],
            "excess": rest.excess[people],
            "low": low[people],
            "high": high[people],
            "p": rest.p[people],
            "p_holm": holm(rest.p)[people],
            "random_responder": distances.random_responder[people],
            "prefers": nothing if mass is None else [_prefers(distances, row) for row in _biases(mass)],
            "often says": nothing if mass is None else [_mistaken(distances, table) for table in mass],
        },
        tuple(notes),
    )


def leave_one_out(data: Any, /, *, labels: Sequence[Any] | None = None, **roles: Unpack[Roles]) -> Table:
    """The coefficient without each annotator, the change, and its 95 % interval, paired over the items.

    The coefficient is the recommended one of `measure`. Above 60 million steps (annotators × patterns of answers) only
    the annotators furthest from the rest are left out, and a note says so.

    Args:
        data: A `Study`, or what one is made of: a table with one row per annotation (a dataframe, a mapping of columns,
            a list of records), or a 2-D array of items × annotators.
        labels: The scale: all labels there are, in order, used or not; by default those in the data, sorted.
        **roles: Which columns of a table are which, as in `Study`: item="id", annotator="who", label="tag" …

    Returns:
        A `Table` with one row per annotator: annotator, value, change, low, high, p.

    Raises:
        InputError: If `data` cannot be a study: `ColumnMissing`, `DuplicateAnswers` and `LabelError` are kinds of it.
        MeasureError: If nobody is named, or the answers are of another kind.
        OptionError: If an option has a value that it cannot take.

    >>> rows = [["a", "a", "a"], ["b", "b", "a"], ["a", "a", "b"], ["b", "b", "b"]] * 10
    >>> table = leave_one_out(rows)
    >>> [(row["annotator"], round(row["value"], 2), round(row["change"], 2)) for row in table.head(1)]
    [('3', 1.0, 0.67)]
    """
    distances = need_distances(data, labels, roles)
    people, notes = distances.study._present, []
    most = max(STEPS // max(len(distances.whole.answer), 1), 1)
    if len(people) > most:
        worst = np.argsort(-np.nan_to_num(distances.against_rest.excess[people]), kind="stable")[:most]
        notes.append(f"{most:,} of {len(people):,} annotators were left out in turn: those furthest from the rest.")
        people = people[worst]
    found = changes(distances, people.tolist())
    if distances.study.n_annotators < 3:
        notes.append("Without one of two annotators nothing is left to compare.")
    whole = distances.main
    if whole.undefined:
        notes.append(Message("With all of them it is undefined. ", whole.undefined))
    table = Table(
        f"{whole.title} without each annotator" + ("" if whole.undefined else f" ({whole.value:z.3f} with all)"),
        {
            "annotator": [distances.study.annotators[person] for person in people],
            "value": np.array([one.value for one in found]),
            "change": np.array([one.change for one in found]),
            "low": np.array([one.interval.low for one in found]),
            "high": np.array([one.interval.high for one in found]),
            "p": np.array([one.p for one in found]),
        },
        tuple(notes),
    )
    return table.sorted("change", descending=True)
