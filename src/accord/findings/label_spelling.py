"""Near-duplicate labels: "Yes" and "yes ", which are one label to a reader and two to a program.

Two labels are near-duplicates when nothing tells them apart but case, blanks, hyphens and underscores, full-width or
composed letters, a full stop at the end, or how a number is written. The ending of a word ("increase", "increased", a
plural) makes them so where annotators use the two for the same items, so that agreement rises once they are one.
Accents and single letters are told with more care, for they may carry meaning: "si" and "sí", "casual" and "causal".
Only a label that is rare beside the other, and differs inside a long word, is taken for a slip of the pen; never
"agree" and "disagree", "moral" and "amoral", "type 1" and "type 2".
"""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Literal, TypeAlias, Unpack

import numpy as np

from accord.agreement.table import Table
from accord.annotations.arrays import FloatArray
from accord.findings.finding import Clue, Evidence, Finding, NotLookedAt
from accord.findings.label_texts import shown
from accord.findings.merged_labels import all_merged, merged
from accord.findings.study_view import View, view_of
from accord.study.label_changes import relabelled
from accord.study.study import Study
from accord.study.study_of_input import Roles

LONG_WORD = 6  # letters from which on a single different letter may be a slip
RARE = 0.1  # of the other's answers: a slip is not made often
MOST_LABELS = 400  # in use, up to which every two are compared letter by letter

SHORTEST_STEM = 3  # letters that two forms must have in common

How: TypeAlias = Literal["spelling", "accents", "ending", "one letter"]


def near_duplicate_labels(
    data: Any, other: Any = None, /, *, labels: Sequence[Any] | None = None, **roles: Unpack[Roles]
) -> Table:
    """Labels that may be one and the same, written in two ways; how often each was given.

    Args:
        data: A `Study`, or what one is made of: a table with one row per annotation (a dataframe, a mapping of columns,
            a list of records), a 2-D array of items × annotators, or the first annotator's answers.
        other: The second annotator's answers in the same order, where `data` is the first's.
        labels: The scale: all labels there are, in order, used or not; by default those in the data, sorted.
        **roles: Which columns of a table are which, as in `Study`: item="id", annotator="who", label="tag" …

    Returns:
        A `Table` with one row per pair of labels: first, second, how they are alike, and how often each was given.

    Raises:
        InputError: If `data` cannot be a study: `ColumnMissing`, `DuplicateAnswers` and `LabelError` are kinds of it.
        MeasureError: If the answers are scores.
        OptionError: If an option has a value that it cannot take.

    >>> answers, others = ["Yes", "no", "yes", "agree"], ["yes", "no", "yes", "disagree"]
    >>> [(row["first"], row["second"], row["how"]) for row in near_duplicate_labels(answers, others)]
    [('Yes', 'yes', 'spelling')]
    """
    view = view_of(data, other, labels, roles, single=False)
    return as_table(view, view.near_duplicates)


def as_table(view: View, found: list[tuple[int, int, How]]) -> Table:
    """One row per pair."""
    used, names = _used(view), view.study.labels
    return Table(
        "Labels that may be one",
        {
            "first": [names[one] for one, _, _ in found],
            "second": [names[two] for _, two, _ in found],
            "how": [how for *_, how in found],
            "first_answers": np.array([used[one] for one, _, _ in found], dtype=np.int64),
            "second_answers": np.array([used[two] for _, two, _ in found], dtype=np.int64),
        },
    )


def near_duplicates(view: View) -> list[tuple[int, int, How]]:
    """Pairs of positions of labels, and how alike they are."""
    names, used = view.study.labels, _used(view)
    texts = [place for place, label in enumerate(names) if isinstance(label, str) and used[place] > 0]
    found: dict[tuple[int, int], How] = {}
    hows: dict[How, Callable[[str], str]] = {"spelling": spelt, "accents": without_accents}
    if len(texts) <= MOST_LABELS:
        hows["ending"] = without_endings
    for how, key in hows.items():
        groups: dict[str, list[int]] = {}
        for place in texts:
            groups.setdefault(key(str(names[place])), []).append(place)
        for members in groups.values():
            for place in members[1:]:
                found.setdefault((members[0], place), how)
    if len(texts) <= MOST_LABELS:
        for first, one in enumerate(texts):
            for two in texts[first + 1 :]:
                rare = min(used[one], used[two]) <= RARE * max(used[one], used[two])
                if rare and (one, two) not in found and one_slip(str(names[one]), str(names[two])):
                    found[one, two] = "one letter"
    return [(one, two, how) for (one, two), how in sorted(found.items())]


def _used(view: View) -> FloatArray:
    """How often each label was given."""
    tally = view.study.tally()
    given = tally.per_answer(tally.count * tally.items[tally.pattern])
    if view.study.kind == "single":
        return given
    return view.study.answers.per_label(given) if len(view.study.labels) else np.empty(0)


def spelt(label: str) -> str:
    """A label without what a reader does not see: case, blanks, hyphens, width, a full stop at the end.

    >>> spelt("Yes") == spelt("yes ") == spelt("ＹＥＳ."), spelt("1.0") == spelt("1"), spelt("no-go") == spelt("No go")
    (True, True, True)
    """
    text = unicodedata.normalize("NFKC", label).casefold()
    text = "".join(letter for letter in text if unicodedata.category(letter) not in ("Cf", "Cc") or letter.isspace())
    text = re.sub(r"[\s_\-‐-―]+", " ", text).strip()
    if re.fullmatch(r"\d+(\.\d+)?", text):
        return f"{float(text):g}" if len(text) < 15 else text
    return text.rstrip(".,;:!") or text


def without_accents(label: str) -> str:
    """The same without marks above and below letters.

    >>> without_accents("Sí") == without_accents("si")
    True
    """
    parts = unicodedata.normalize("NFKD", spelt(label))
    return "".join(letter for letter in parts if not unicodedata.combining(letter))


def without_endings(label: str) -> str:
    """The same with every word cut back to its stem: one key for singular and plural, present and past.

    >>> without_endings("significantly increased") == without_endings("significantly increase")
    True
    >>> without_endings("cars") == without_endings("car"), without_endings("no") == without_endings("nos")
    (True, False)
    """
    return " ".join(map(_stem, without_accents(label).split(" ")))


def _stem(word: str) -> str:
    """A word without the longest ending that leaves enough of it, and without a last e: increase, increased."""
    for ending in ("ing", "es", "ed", "s", "e"):
        stem = word.removesuffix(ending)
        if stem != word and len(stem) >= SHORTEST_STEM and stem.isalpha() and not word.endswith("ss"):
            return stem.removesuffix("e") if len(stem) > SHORTEST_STEM else stem
    return word


def one_slip(first: str, second: str) -> bool:
    """Do the two differ by one letter (missing, wrong, or two swapped) inside a long word?

    A beginning may carry meaning (moral, amoral; affect, effect), and so does a number.

    >>> one_slip("positive", "postive"), one_slip("moral", "amoral"), one_slip("type 1", "type 2")
    (True, False, False)
    """
    one, two = without_accents(first), without_accents(second)
    shorter, longer = sorted((one, two), key=len)
    if len(longer) - len(shorter) > 1 or re.findall(r"\d+", one) != re.findall(r"\d+", two):
        return False
    start = next((place for place, pair in enumerate(zip(one, two, strict=False)) if pair[0] != pair[1]), len(shorter))
    word_start = max(one.rfind(" ", 0, start), two.rfind(" ", 0, start)) + 1
    words = (_word(one, word_start), _word(two, word_start))
    if start <= word_start or min(map(len, words)) < LONG_WORD - 1 or max(map(len, words)) < LONG_WORD:
        return False
    if len(one) != len(two):
        return longer[start + 1 :] == shorter[start:]
    rest_one, rest_two = one[start:], two[start:]
    swapped = len(rest_one) >= 2 and rest_one[0] == rest_two[1] and rest_one[1] == rest_two[0]
    return rest_one[1:] == rest_two[1:] or (swapped and rest_one[2:] == rest_two[2:])


def _word(text: str, start: int) -> str:
    return text[start:].partition(" ")[0]


# -- what is found ----------------------------------------------------------------------------------------------------


def look(view: View) -> Iterator[Clue]:
    """Labels that may be one: for sure where only the writing differs, or agreement says so; else as a question."""
    if view.study.kind == "score":
        return
    found = view.near_duplicates
    if len(view.study.labels) > MOST_LABELS:
        yield NotLookedAt(
            "slips of the pen", f"With more than {MOST_LABELS} labels only case, blanks and accents are compared."
        )
    table = as_table(view, found)
    sure = one_label_in_two(view)
    perhaps = [(one, two) for one, two, _ in found if (one, two) not in sure]
    if sure:
        yield _near_duplicates(view, sure, table)
    if perhaps:
        yield _maybe(view, perhaps, table)


def one_label_in_two(view: View) -> list[tuple[int, int]]:
    """The pairs that are one label: written alike, or forms of one word that are given to the same items."""
    found = view.near_duplicates
    return [(one, two) for one, two, how in found if how == "spelling"] + _given_alike(
        view, [(one, two) for one, two, how in found if how == "ending"]
    )


def _given_alike(view: View, pairs: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """The pairs by whose merging agreement rises for sure."""
    if not pairs or not view.single or view.main.undefined or len(view.study.labels) <= 2:
        return []
    return [pair for pair, merge in zip(pairs, merged(view, pairs), strict=True) if merge.interval.low > 0]


def in_one_spelling(view: View) -> Study | None:
    """The study with each label that is written in two ways called as the first of them; None where there is none."""
    pairs = one_label_in_two(view)
    if not pairs:
        return None
    stands_for = np.arange(len(view.study.labels))
    for one, two in pairs:
        stands_for[stands_for == stands_for[two]] = stands_for[one]
    kept, new = np.unique(stands_for, return_inverse=True)
    return relabelled(view.study, tuple(view.study.labels[place] for place in kept), new.tolist())


def _pairs(view: View, pairs: list[tuple[int, int]], most: int = 4) -> str:
    names, used = view.study.labels, _used(view)
    shown_pairs = [
        f"{shown(names[one])} ({used[one]:,.0f} answers) and {shown(names[two])} ({used[two]:,.0f})"
        for one, two in pairs[:most]
    ]
    more = f"; and {len(pairs) - most} more pairs" if len(pairs) > most else ""
    return "; ".join(shown_pairs) + more


def _near_duplicates(view: View, pairs: list[tuple[int, int]], table: Table) -> Finding:
    names = view.study.labels
    after = _value_once_merged(view, pairs)
    then = (
        "" if after is None else f" Written in one way, {after[0]} would be {after[2]:z.2f} instead of {after[1]:z.2f}."
    )
    return Finding(
        "near-duplicate-labels", "warning",
        f"Labels differ only in how they are written: {_pairs(view, pairs)}. They count as disagreement.{then} What is "
        "said here of labels, annotators and items is said as if they were written in one way.",
        "Write them in one way and measure again; accord never changes labels by itself. Offer annotators a list to "
        "choose from instead of a free text.",
        (*(() if after is None else (Evidence(f"{after[0]} once each is written in one way", after[2]),)),
         *_gain(view, pairs)),
        labels=tuple(dict.fromkeys(names[place] for pair in pairs for place in pair)),
        weight=0.98, table=table,
    )  # fmt: skip


def _value_once_merged(view: View, pairs: list[tuple[int, int]]) -> tuple[str, float, float] | None:
    """The coefficient's name, and its value before and after every label has one spelling; None where none is left."""
    if not view.single or view.main.undefined:
        return None
    title, before, after = all_merged(view, pairs)
    return (title, before, after) if math.isfinite(before) and math.isfinite(after) else None


def _gain(view: View, pairs: list[tuple[int, int]]) -> tuple[Evidence, ...]:
    """What each merge would do to the coefficient, where there are labels left to tell apart."""
    if not view.single or view.main.undefined or len(view.study.labels) <= 2:
        return ()
    names = view.study.labels
    return tuple(
        Evidence(
            f"gain by making {shown(names[merge.places[0]])} and {shown(names[merge.places[1]])} one",
            merge.gain,
            merge.interval,
        )
        for merge in merged(view, pairs[:4])
    )


def _maybe(view: View, pairs: list[tuple[int, int]], table: Table) -> Finding:
    names = view.study.labels
    return Finding(
        "similar-labels", "note",
        f"Labels differ in an accent, an ending or a single letter: {_pairs(view, pairs)}. It may be a slip, or meant.",
        "If they mean the same, write them in one way and measure again.",
        _gain(view, pairs),
        labels=tuple(dict.fromkeys(names[place] for pair in pairs for place in pair)),
        weight=0.25, table=table,
    )  # fmt: skip
