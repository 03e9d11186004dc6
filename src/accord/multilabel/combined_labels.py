"""A label of its own for two labels that are given together, and what agreement is then (Rosenberg and Binkowski)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from typing import Any, Unpack

import numpy as np

from accord.agreement.compare import compare
from accord.agreement.comparison_result import Comparison
from accord.agreement.result import Agreement
from accord.agreement.table import ShownAsTable, Table
from accord.annotations.answers import Label, LabelSet
from accord.annotations.arrays import IntArray, add_up
from accord.coefficients.weights import usual_p
from accord.errors import Keyword, MeasureError, Message, OptionError, counted, quoted, remedy
from accord.measures.krippendorff import krippendorff_alpha
from accord.measures.rosenberg_binkowski import rosenberg_binkowski_kappa
from accord.multilabel.multilabel_studies import refuse_whole_orders, several_labels_study
from accord.options import check_choice, check_confidence, head, is_among, listed
from accord.study.label_changes import with_combined
from accord.study.study import Study
from accord.study.study_of_input import Roles

WHAT = "A combined label"
WEIGHTS = {"ranked": ("shared-mass", "overlap"), "set": ("masi", "jaccard", "dice", "identity")}  # the usual ones first


@dataclass(frozen=True, eq=False, repr=False)
class CombinedLabels(ShownAsTable):
    """Pairs of labels as labels of their own: the study recoded, and agreement before and after on the same items.

    Attributes:
        study: The study with the combined labels, to be measured, explained or written as any other.
        pairs: One row per pair: first, second, the new label, how many answers became it, and on how many items two
            annotators or more had given both.
        before: The coefficient of the study as it was.
        after: The same coefficient of the recoded study.
        confidence: Of the intervals.

    >>> from accord import Study, multilabel
    >>> both = [[["ask", "tell"], ["tell", "ask"]], [["tell", "ask"], ["ask", "tell"]], [["ask"], ["ask"]]]
    >>> answers = both * 5 + [[["tell"], ["tell"]], [["tell"], ["chat"]], [["chat"], ["chat"]]] * 5
    >>> found = multilabel.combine_labels(Study.from_wide(answers, answers="ranked"), weights="overlap")
    >>> found.pairs["label"].tolist(), found.to_table()["value"].round(2).tolist()
    (['ask + tell'], [0.63, 0.78])
    """

    study: Study
    pairs: Table
    before: Agreement
    after: Agreement
    confidence: float

    @cached_property
    def difference(self) -> Comparison:
        """The value after less that before, paired: the items are the same."""
        return compare(self.after, self.before, paired=True, confidence=self.confidence)

    def to_table(self) -> Table:
        """The coefficient before and after.

        Returns:
            A `Table` with two rows: labels, value, low, high, maximum, observed, expected.
        """
        both = (self.before, self.after)
        spans = [result.interval(confidence=self.confidence) for result in both]
        return Table(
            f"{self.before.title} with a label for {self._named}",
            {
                "labels": ["as given", "combined"],
                "value": np.array([result.value for result in both]),
                "low": np.array([span.low for span in spans]),
                "high": np.array([span.high for span in spans]),
                "maximum": np.array([result.maximum for result in both]),
                "observed": np.array([result.observed for result in both]),
                "expected": np.array([result.expected for result in both]),
            },
            self.findings,
        )

    @property
    def _named(self) -> str:
        names = [f"“{label}”" for label in self.pairs["label"]]
        return names[0] if len(names) == 1 else f"{len(names)} pairs"

    @property
    def findings(self) -> tuple[str, ...]:
        """What became of agreement, and what the recoding alone accounts for."""
        found, answers = self.difference, int(self.pairs["answers"].sum())
        if found.undefined:
            return (f"The two cannot be compared: {found.undefined}",)
        limits = f"[{found.low:+z.3f}, {found.high:+z.3f}]"
        change = f"from {found.second:z.3f} to {found.first:z.3f} (difference {found.difference:+z.3f} {limits})"
        verb = "rises" if found.low > 0 else "falls" if found.high < 0 else "is not shown to change"
        notes = [f"Agreement {verb} where {counted(answers, 'answers')} become a label of their own: {change}."]
        if self.before.maximum < self.after.maximum - 1e-9:
            notes.append(
                Message(
                    f"Perfect agreement would have had {self.before.maximum:z.3f} before and {self.after.maximum:z.3f} "
                    "after: with products of shares, the same two labels twice agree only in part, and one label "
                    "agrees fully. To leave that out of the difference: ",
                    remedy(weights="overlap"),
                    ".",
                )
            )
        return tuple(notes)

    def to_dict(self) -> dict[str, Any]:
        """For JSON."""
        return {
            **head("combined_labels"),
            "pairs": self.pairs.to_dict()["rows"],
            "before": self.before.to_dict(),
            "after": self.after.to_dict(),
            "difference": self.difference.to_dict(),
            "findings": list(self.findings),
        }


def combine_labels(
    data: Any,
    /,
    *,
    pairs: Sequence[Sequence[Label]] | None = None,
    p: float | Sequence[float] | None = None,
    weights: str | None = None,
    confidence: float = 0.95,
    labels: Sequence[Any] | None = None,
    **roles: Unpack[Roles],
) -> CombinedLabels:
    """Give pairs of labels that are often given together a label of their own, and measure again.

    "One potential solution would be to create a new annotation category for each commonly occurring pair" (Rosenberg &
    Binkowski 2004, note 2, of messages whose primary and secondary labels are exchanged). An answer that holds both
    labels of a pair, in whatever order, holds the new label "a + b" instead; one that holds a alone keeps it. So those
    who exchanged the two now agree, and those who gave both no longer agree in part with those who gave one: which of
    the two weighs more is what the comparison tells. Pairs are joined in the order given.

    It speaks of these answers recoded, not of annotators who had the new label to choose: try it on some items first.

    Args:
        data: A `Study` of ranked answers or of sets, or what one is made of.
        pairs: Pairs of labels, such as [("question", "answer")]; by default the one that two annotators or more gave
            together on most items (`item_classes` lists the candidates of class 4).
        p: Of ranked answers: the share of the primary label, from 0.5 to 1, or one weight per rank; by default 0.6.
        weights: Of the coefficient: for ranked answers `rosenberg_binkowski_kappa` with "shared-mass" (the default) or
            "overlap"; for sets `krippendorff_alpha` with "masi" (the default), "jaccard", "dice" or "identity".
        confidence: The confidence of the intervals.
        labels: The scale: all labels there are, in order, used or not; by default those in the data, sorted.
        **roles: Which columns of a table are which, as in `Study`: item="id", annotator="who", label="tag" …

    Returns:
        A `CombinedLabels`: the recoded `study`, `before` and `after`, their paired `difference`, `pairs`.

    Raises:
        InputError: If `data` cannot be a study: `ColumnMissing`, `DuplicateAnswers` and `LabelError` are kinds of it.
        MeasureError: If the answers are neither ranked nor sets, are whole orders, or nobody is named; or if no pair is
            given and no two annotators gave the same two labels to an item.
        OptionError: If a pair is not two labels of the study, nobody gave the two together, or there is a label of that
            name already.

    References: rosenberg2004.

    >>> from accord import Study
    >>> both = [[["ask", "tell"], ["tell", "ask"]], [["tell", "ask"], ["ask", "tell"]], [["ask"], ["ask"]]]
    >>> answers = both * 5 + [[["tell"], ["tell"]], [["tell"], ["chat"]], [["chat"], ["chat"]]] * 5
    >>> found = combine_labels(Study.from_wide(answers, answers="ranked"), weights="overlap")
    >>> found.pairs["label"].tolist(), found.study.labels
    (['ask + tell'], ('ask', 'chat', 'tell', 'ask + tell'))
    >>> round(found.before.value, 2), round(found.after.value, 2), found.difference.low > 0
    (0.63, 0.78, True)
    """
    check_confidence(confidence)
    study = several_labels_study(data, labels, roles, WHAT)._in_memory  # single answers are looked at
    refuse_whole_orders(study, WHAT)
    if p is not None and study.kind == "set":
        raise OptionError(Keyword("p"), " divides ranked answers, and these are sets. Leave it out.")
    if weights is not None:  # a table of weights would be of the answers before, and there are others after
        check_choice("weights", weights, WEIGHTS[study.kind])
    together = _together(study)
    places = [_commonest(together)] if pairs is None else [_places(study, pair) for pair in _each(pairs)]
    names = [str(LabelSet(study.labels[label] for label in pair)) for pair in places]
    _check_names(study, names)
    recoded = with_combined(study, places, names)
    before, after = (_measured(part, p, weights) for part in (study, recoded))
    return CombinedLabels(recoded, _pairs_table(study, recoded, places, names, together), before, after, confidence)


def _measured(study: Study, p: float | Sequence[float] | None, weights: str | None) -> Agreement:
    weights = WEIGHTS[study.kind][0] if weights is None else weights
    if study.kind == "set":
        return krippendorff_alpha(study, weights=weights)
    share = usual_p(study.answers) if p is None else p
    return rosenberg_binkowski_kappa(study, p=share, weights=weights)  # type: ignore[arg-type]


# -- which pairs -----------------------------------------------------------------------------------------------------


def _together(study: Study) -> dict[tuple[int, int], int]:
    """On how many items two annotators or more gave both of two labels, for every two labels of an answer."""
    tally, size = study.tally(), max(len(study.labels), 1)
    held = [[one * size + two for one, two in combinations(sorted(members), 2)] for members in study.answers.members]
    number = np.array([len(codes) for codes in held], dtype=np.int64)
    flat = np.array([code for codes in held for code in codes], dtype=np.int64)
    starts = np.concatenate(([0], np.cumsum(number)))
    of_entry = number[tally.answer]
    within = np.arange(int(of_entry.sum())) - np.repeat(np.cumsum(of_entry) - of_entry, of_entry)
    pair: IntArray = flat[np.repeat(starts[tally.answer], of_entry) + within]
    key = np.repeat(tally.pattern, of_entry) * size * size + pair
    seen, place = np.unique(key, return_inverse=True)
    givers = add_up(place, np.repeat(tally.count, of_entry), len(seen))
    codes, at = np.unique(seen % (size * size), return_inverse=True)
    items = add_up(at, tally.items[seen // (size * size)] * (givers >= 2), len(codes))
    return {divmod(int(code), size): int(count) for code, count in zip(codes, items, strict=True)}


def _commonest(together: dict[tuple[int, int], int]) -> tuple[int, int]:
    """The pair that was given together on most items; of several, the first by the scale."""
    best = max(together, key=lambda pair: (together[pair], [-place for place in pair]), default=None)
    if best is None or not together[best]:
        raise MeasureError(
            "No two annotators gave the same two labels to an item, so no pair is common. Name what to combine: ",
            remedy(pairs=[("question", "answer")]),
            ".",
        )
    return best


def _each(pairs: Sequence[Sequence[Label]]) -> Sequence[Sequence[Label]]:
    rule = "hold pairs of labels, such as [('question', 'answer')]"
    given = listed("pairs", pairs, rule)
    if not given:
        raise OptionError.must("pairs", rule, pairs)
    return given


def _places(study: Study, pair: Sequence[Label]) -> tuple[int, int]:
    rule = "hold two different labels each, such as ('question', 'answer')"
    pair = listed("pairs", pair, rule)
    if len(pair) != 2 or pair[0] == pair[1]:
        raise OptionError.must("pairs", rule, pair)
    for label in pair:
        if not is_among(label, study.labels):
            raise OptionError.choice("A label of pairs", label, map(str, study.labels), of_data=True)
    one, two = sorted(study.labels.index(label) for label in pair)
    if not any({one, two} <= set(members) for members in study.answers.members):
        raise OptionError.must("pairs", "hold labels that an answer gives together; no answer has both of", tuple(pair))
    return one, two


def _check_names(study: Study, names: Sequence[str]) -> None:
    for place, name in enumerate(names):
        if name in study.labels:
            raise OptionError(
                "There is a label ", quoted(name), " already. Rename it before two labels are combined under it."
            )
        if name in names[:place]:
            raise OptionError.must("pairs", "hold each pair once; twice there is", name)


def _pairs_table(
    study: Study,
    recoded: Study,
    places: Sequence[tuple[int, int]],
    names: Sequence[str],
    together: dict[tuple[int, int], int],
) -> Table:
    """Each pair, and how many answers became the new label."""
    tally = recoded.tally()
    given = recoded.answers.per_label(tally.per_answer(tally.count * tally.items[tally.pattern]))
    return Table(
        "Labels of their own for labels given together",
        {
            "first": [study.labels[one] for one, _ in places],
            "second": [study.labels[two] for _, two in places],
            "label": list(names),
            "answers": given[len(study.labels) :].astype(np.int64),
            "items": np.array([together.get(pair, 0) for pair in places], dtype=np.int64),
        },
    )
