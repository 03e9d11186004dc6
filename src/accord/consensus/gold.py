"""Gold: the label of each item with its confidence, what it rests on, and what is left undecided and why."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

import numpy as np
import numpy.typing as npt

from accord.agreement.table import Table
from accord.annotations.answers import Label, answers_called
from accord.annotations.arrays import BoolArray, FloatArray, IntArray
from accord.annotations.majority_rule import MORE_LIKELY_WRONG
from accord.consensus.decision import Decision
from accord.consensus.kinds_of_gold import OF_KIND, OneLabel
from accord.consensus.method_outcome import Outcome, Progressed
from accord.consensus.numeric_methods import Scored, Scores
from accord.consensus.score_against_reference import BINS, Score
from accord.engine.whole_file import path_of
from accord.errors import Keyword, MeasureError, UnknownName, in_python, remedy
from accord.options import check_flag, is_among
from accord.study.study import Study

if TYPE_CHECKING:
    from accord.consensus.spans.span_gold import SpanGold

GoldKind: TypeAlias = Literal["single", "set", "score", "spans", "ranking"]


@dataclass(frozen=True, eq=False)
class Gold:
    """One label (or set of labels, or score) per item.

    `labels` has one entry per item of `study.items`: a label, a tuple of labels for sets, a number for scores, or None
    where the item is undecided, in which case `reason(item)` says why. `confidence` is a posterior where the method is
    a model (as that of `method="auto"` always is) and a vote share where it is a vote (`confidence_is` says which);
    `votes` is the vote share in any case. For scores it is NaN and `standard_errors` tells.

    >>> import accord
    >>> answers = {"item": [1, 1, 1, 2, 2], "annotator": list("abcab"), "label": list("xxyxy")}
    >>> found = accord.gold(answers, method="majority")
    >>> print(found)
    Gold by Majority: 1 of 2 items decided, 1 undecided.
    Mean confidence (vote share) 0.583.
    >>> found.labels, [row["item"] for row in found.undecided()]
    (['x', None], [2])
    >>> items, tied = found.tied_labels()
    >>> items.tolist(), tied.tolist()
    ([1], [[True, True]])
    >>> print(found.vote_shares())
    Vote shares
    item  x      y
    1     0.667  0.333
    2     0.500  0.500
    >>> print(found.soft())
    [[0.66666667 0.33333333]
     [0.5        0.5       ]]
    """

    study: Study
    method: str
    title: str
    kind: GoldKind
    outcomes: tuple[Outcome, ...] = ()  # one; for sets one per label, in the order of the scale
    scores: Scores | None = None
    scored: Scored | None = None
    known: BoolArray | None = None  # (items,) whose label was given and stayed fixed
    options: Mapping[str, Any] = field(default_factory=dict)
    seed: int | None = None
    notes: tuple[str, ...] = ()
    choice: Table | None = None  # method="auto": how the candidates fared
    decisions: Mapping[int, Decision] = field(default_factory=dict)  # by the item's position
    unsure: bool = False  # nothing could be learned of the annotators: there is no confidence

    def __len__(self) -> int:
        return self.study._annotations.n_items

    @property
    def _of_kind(self) -> OneLabel:
        """What depends on what an item has: one label, several, or a number. Kept, it would hold what holds it."""
        return OF_KIND[self.kind](self)

    @property
    def _as_spans(self) -> SpanGold | None:
        """The same gold, if an item has units in places."""
        return None

    # -- the labels ------------------------------------------------------------------------------------------------

    @cached_property
    def codes(self) -> IntArray:
        """(items,): the position of the label in the scale, −1 where undecided. Single labels only."""
        if self.kind != "single":
            raise MeasureError(
                f"This gold holds {answers_called(self.kind)}, which have no single label; see labels.",
                option=Keyword("answers", self.kind),
                available=("single",),
            )
        codes = self.outcomes[0].choices.code.astype(np.int64)
        for place, decision in self.decisions.items():
            codes[place] = self.study.labels.index(decision.label)
        return codes

    @cached_property
    def members(self) -> npt.NDArray[np.int8]:
        """(items, labels): 1 where the label is given, 0 where not, −1 where undecided. Sets only."""
        if self.kind != "set":
            raise MeasureError("Only a gold of sets has members; see labels.", available=("labels",))
        members = np.stack([outcome.choices.code for outcome in self.outcomes], axis=1).astype(np.int8)
        for place, decision in self.decisions.items():
            members[place] = [int(label in decision.label) for label in self.study.labels]
        return members

    @cached_property
    def values(self) -> FloatArray:
        """(items,): the score, NaN where nobody answered. Scores only."""
        if self.scored is None:
            raise MeasureError("Only a gold of scores has values; see labels.", available=("labels",))
        values = self.scored.value.copy()
        for place, decision in self.decisions.items():
            values[place] = decision.label
        return values

    @property
    def standard_errors(self) -> FloatArray:
        """(items,): of the scores; NaN where unknown."""
        return np.full(len(self), np.nan) if self.scored is None else self.scored.se

    @cached_property
    def decided(self) -> BoolArray:
        """(items,): is there a label?"""
        return self._of_kind.decided()

    @property
    def stays_in_engine(self) -> bool:
        """Are its items in an engine, so that whatever goes through all of them takes long?"""
        return False

    @property
    def in_memory(self) -> Gold:
        """The same gold with its items at hand, if they are few enough."""
        return self

    @property
    def n_decided(self) -> int:
        """Items with a label."""
        return int(np.count_nonzero(self.decided))

    @cached_property
    def labels(self) -> list[Any]:
        """One entry per item, None where undecided."""
        return self._of_kind.labels()

    def __getitem__(self, item: Label) -> Any:
        """The label of an item, by its name."""
        return self.labels[self._place(item)]

    def _place(self, item: Label) -> int:
        if not is_among(item, self._places):
            raise UnknownName.choice("item", item, self.study.items, of_data=True)
        return self._places[item]

    @cached_property
    def _places(self) -> dict[Label, int]:
        return {name: place for place, name in enumerate(self.study.items)}

    # -- how sure --------------------------------------------------------------------------------------------------

    @cached_property
    def confidence(self) -> FloatArray:
        """(items,): posterior or vote share of the label; of a set, that of its least sure label. NaN where a person or
        a rule decided.
        """
        if not self.outcomes or self.unsure:
            confidence = np.full(len(self), np.nan)
        elif len(self.outcomes) == 1:
            confidence = self.outcomes[0].choices.confidence.copy()
        else:
            confidence = np.min([outcome.choices.confidence for outcome in self.outcomes], axis=0)
        if self.decisions:
            confidence[list(self.decisions)] = np.nan
        return confidence

    @cached_property
    def votes(self) -> FloatArray:
        """(items,): the share of the item's answers that give its label, everybody alike; of a set, that of its least
        supported label. NaN where the item is undecided or nobody answered, and for scores.
        """
        from accord.consensus.item_table import votes_behind

        return votes_behind(self)

    @property
    def item_weights(self) -> FloatArray:
        """(items,): of sharpening: what each item counts for in kappas, from 0 (labels spread evenly) to 1 (all alike).

        It is one minus the variance (or entropy) of the annotators' weighted labels over its largest value, and 1 where
        the label is known. NaN where fewer than two answered: such an item weighs nothing.

        Raises:
            MeasureError: If the method gives items no weights.
        """
        if self.method != "sharpening":
            raise MeasureError(f"{self.title} gives items no weights; ", remedy(method="sharpening"), " does.")
        weights = self.outcomes[0].item_weights  # of sets too: weights come from whole answers
        return np.full(len(self), np.nan) if weights is None else weights  # where nobody answered what another did

    @property
    def mean_confidence(self) -> float:
        """Over the items that have one; NaN if none has."""
        missing = np.isnan(self.confidence)
        trusted = self.confidence[~missing] if missing.any() else self.confidence
        return float(trusted.mean()) if len(trusted) else float("nan")

    @property
    def confidence_is(self) -> str:
        """What the confidence is: "posterior", "vote share", "weighted vote share", or "none"."""
        return "none" if not self.outcomes or self.unsure else self.outcomes[0].evidence.softness

    @property
    def progress(self) -> Progressed | None:
        """How the iteration went; for sets that of the first label."""
        return self.scored.progress if self.scored is not None else self.outcomes[0].progress

    @property
    def log_likelihood(self) -> float:
        """The log-likelihood of the annotations under the model, labels summed over; NaN for votes."""
        found = [outcome.progress for outcome in self.outcomes] if self.outcomes else [self.progress]
        return float(sum(progress.log_likelihood if progress else np.nan for progress in found))

    def soft(self) -> FloatArray:
        """(items, labels): the method's soft labels, whichever they are (for sets: how sure each label is present).

        Returns:
            An array of items × labels, in the order of `study.items` and `study.labels`.

        Raises:
            MeasureError: If the gold is of scores, rankings or spans.
        """
        from accord.consensus.soft_labels import soft

        return soft(self)

    def posterior(self) -> Table:
        """What is so: the probability of each label of each item under the model.

        Returns:
            A `Table` with one row per item and one column per label.

        Raises:
            MeasureError: If the method is a vote, and no model, or the gold is of scores, rankings or spans.

        >>> import accord
        >>> found = accord.gold(accord.datasets.load("five-annotators"), method="dawid-skene")
        >>> print(found.posterior().head(1))
        Posterior
        item  mixed  negative  neutral  positive
        r01   0.000  1.000     0.000    0.000
        """
        from accord.consensus.soft_labels import posterior_table

        return posterior_table(self)

    def vote_shares(self) -> Table:
        """What people say: the share of an item's answers that give (for sets: hold) each label, everybody alike.

        Returns:
            A `Table` with one row per item and one column per label.

        Raises:
            MeasureError: If the gold is of scores, rankings or spans.
        """
        from accord.consensus.soft_labels import vote_share_table

        return vote_share_table(self)

    def _doubt(self) -> FloatArray:
        """(items,): how wrong what the gold says of an item may be, in the measure of its answers."""
        from accord.consensus.adjudication import uncertainty

        return uncertainty(self)

    def _holding(self, label: int) -> BoolArray:
        """(items,): has the item this label (by its position), alone or among others?"""
        return self._of_kind.holding(label)

    def _majority(self, place: int, rows: IntArray) -> Any:
        """What more annotators say of an item, whose annotations are `rows`, than say anything else, or None."""
        _, _, answer, count = self.study._annotations.rows
        return self.study.answers.majority(answer[rows], count[rows])

    # -- what is left ----------------------------------------------------------------------------------------------

    def tied_labels(self) -> tuple[IntArray, BoolArray]:
        """The undecided items (single labels) and which labels are tied there; none elsewhere."""
        if not self.outcomes:
            return np.empty(0, dtype=np.int64), np.empty((0, 0), dtype=np.bool_)
        choices = self.outcomes[0].choices
        still = ~np.isin(choices.open_items, list(self.decisions))
        return choices.open_items[still], choices.tied[still]

    def reason(self, item: Label) -> str | None:
        """Why an item is undecided; None if it is decided.

        Args:
            item: The name of the item.

        Returns:
            A sentence, or None.

        Raises:
            UnknownName: If the study has no such item.

        >>> import accord
        >>> answers = {"item": [1, 1, 1, 2, 2], "annotator": list("abcab"), "label": list("xxyxy")}
        >>> found = accord.gold(answers, method="majority")
        >>> found.reason(2)
        "'x', 'y' are tied (1 answer each)"
        """
        return self._why(self._place(item))

    def _why(self, place: int) -> str | None:
        from accord.consensus.item_table import why

        return why(self, place)

    def undecided(self) -> Table:
        """The items that are not decided, and why.

        Returns:
            A `Table` with one row per such item: item, reason.
        """
        places = np.nonzero(~self.decided)[0].tolist()
        names, reasons = [self.study.items[place] for place in places], [self._why(place) for place in places]
        return Table("Undecided", {"item": names, "reason": reasons})

    def distribution(self) -> Table:
        """How many items got each label (for sets an item counts for every label it holds); scores: by quartiles.

        Returns:
            A `Table` with one row per label: label, items, share.

        >>> import accord
        >>> answers = {"item": [1, 1, 1, 2, 2], "annotator": list("abcab"), "label": list("xxyxy")}
        >>> found = accord.gold(answers, method="majority")
        >>> print(found.distribution())
        Distribution
        label  items  share
        x      1      1.000
        y      0      0.000
        1 of 2 items are undecided.
        """
        from accord.consensus.item_table import distribution

        return distribution(self)

    def by_label(self) -> Table:
        """The votes behind each label: a label that few people gave to the items that have it means something else.

        Returns:
            A `Table` with one row per label: how many `items` got it, the mean share of their answers that give it
            (`votes`) beside that of the label that leads there (`leading`), its share in all answers (`in_answers`) and
            in the gold (`in_gold`), and the remark "drifted" where its votes are far below the leading label's.

        Raises:
            MeasureError: If the gold is of scores, rankings or spans.

        >>> from accord import gold
        >>> rows = [(item, who, "yes" if item < 3 else "no") for item in range(4) for who in "abc"]
        >>> table = gold([dict(zip(("item", "annotator", "label"), row)) for row in rows]).by_label()
        >>> list(table["label"]), table["votes"].tolist()
        (['no', 'yes'], [1.0, 1.0])
        """
        from accord.consensus.item_table import label_table

        return label_table(self)

    def answers_needed(self, *, confidence: float = 0.95) -> Table:
        """How many more answers of typical annotators each item needs for a given confidence in its label.

        None are needed by what a person decided or what is known. −1: more answers of such annotators will not do.
        `None`: how good annotators are is unknown, as no item has answers of two.

        Args:
            confidence: How sure the label should be, from 0.5 to 1.

        Returns:
            A `Table` with one row per item: how many answers it has, how sure they make the label, and how many more it
            needs.

        Raises:
            MeasureError: If the gold is of scores, rankings or spans.
            OptionError: If `confidence` does not lie between 0.5 and 1.

        >>> import accord
        >>> found = accord.gold(accord.datasets.load("five-annotators"), method="dawid-skene")
        >>> print(found.answers_needed(confidence=0.95).head(2))
        Answers needed
        item  answers  posterior  needed
        r01   5        1.000      0
        r02   3        0.990      0
        Further annotators are taken to be right with probability 0.824, each on their own.
        """
        from accord.consensus.answers_needed import answers_needed_by_item

        return answers_needed_by_item(self, confidence)

    # -- the annotators --------------------------------------------------------------------------------------------

    def annotators(self, *, confidence: float = 0.95) -> Table:
        """Each annotator's competence with an interval, weight, and whether they are suspected of not reading.

        Args:
            confidence: The confidence of the intervals.

        Returns:
            A `Table` with one row per annotator: answers, competence with low and high, weight, spam score, spam
            probability, remark; the notes say what they are.

        Raises:
            MeasureError: If nobody is named.
            OptionError: If `confidence` does not lie between 0 and 1.

        >>> import accord
        >>> found = accord.gold(accord.datasets.load("five-annotators"), method="dawid-skene")
        >>> found.annotators().sorted("competence").head(1)["annotator"].tolist()
        ['ewa']
        """
        from accord.consensus.annotator_tables import annotator_table, who_answered

        return who_answered(self.study, annotator_table(self, confidence))

    def confusion(self, annotator: str, *, label: Label | None = None) -> Table:
        """An annotator's confusion table: one row per true label, one column per answer.

        Args:
            annotator: Whose table it is.
            label: For sets, which label: how often it was given when it is so and when it is not.

        Returns:
            A `Table` of shares: each row sums to 1, or is NaN where nothing is known of it.

        Raises:
            MeasureError: If nobody is named, or the gold is of scores, rankings or spans.
            OptionError: If there is no such annotator or label, or `label` is missing for sets or given for single
                labels.

        >>> import accord
        >>> found = accord.gold(accord.datasets.load("five-annotators"), method="dawid-skene")
        >>> print(found.confusion("ewa"))
        Confusion of ewa
        label     says mixed  says negative  says neutral  says positive
        mixed     0.774       0.012          0.073         0.141
        negative  0.135       0.560          0.301         0.004
        neutral   0.003       0.017          0.894         0.085
        positive  0.023       0.004          0.080         0.893
        """
        from accord.consensus.annotator_tables import confusion_table

        return confusion_table(self, annotator, label)

    # -- people decide ---------------------------------------------------------------------------------------------

    def score(
        self, reference: Any, *, item: str = "item", label: str = "label", confidence: float = 0.95, bins: int = BINS
    ) -> Score:
        """How right the gold is, against a reference; a reference label that is not on the scale makes the item wrong.

        Args:
            reference: What is true: a mapping from item to label, another Gold, a Study, a table with two columns, or
                the path of a file with them.
            item: The column of the reference that names the item.
            label: The column with its label.
            confidence: The confidence of the interval.
            bins: How many bins of confidence the calibration has.

        Returns:
            A `Score`: `accuracy` with its `interval`, `kappa`, each label's precision and recall, calibration, Brier
            score and log loss.

        Raises:
            InputError: If the reference cannot be read, or shares no item with the study.
            MeasureError: If the gold is of rankings.
            OptionError: If `confidence` or `bins` has a value that it cannot take.

        >>> import accord
        >>> answers = {"item": [1, 1, 1, 2, 2], "annotator": list("abcab"), "label": list("xxyxy")}
        >>> found = accord.gold(answers, method="majority")
        >>> print(found.score({1: "x", 2: "x"}))
        accuracy 0.7500 [0.198, 0.973] on 2 items (1 decided), kappa nan, calibration error 0.333
        """
        from accord.consensus.score_against_reference import score

        return score(self, reference, item=item, label=label, confidence=confidence, bins=bins)

    def queue(
        self,
        n: int = 20,
        *,
        path: str | Path | None = None,
        show_text: bool = True,
        show_annotators: bool = False,
        force: bool = False,
    ) -> Table:
        """The most uncertain items, with text, answers and the reason: a person's decision helps most there.

        Uncertainty is how likely the present label is wrong (scores: the standard error). The columns `decision`,
        `decided_by` and `decided_at` are empty, to be filled in and handed to `decide`. Decisions that the file holds
        already are never lost: those that this gold has stay in it, below the others.

        Args:
            n: How many items at most.
            path: Where to write the table too, as .csv or .tsv; by default nowhere.
            show_text: Whether the items' texts are shown, where there are any.
            show_annotators: Whether it is shown who said what.
            force: Whether decisions in the file that this gold does not have may be lost.

        Returns:
            A `Table` with one row per item, the most useful decision first.

        Raises:
            InputError: If the file cannot be written, or holds decisions that would be lost.
            MeasureError: If `show_annotators` is asked for and nobody is named.
            OptionError: If `n` is no whole number above 0, or the ending is another.

        >>> import accord
        >>> answers = {"item": [1, 1, 1, 2, 2], "annotator": list("abcab"), "label": list("xxyxy")}
        >>> found = accord.gold(answers, method="majority")
        >>> print(found.queue(1))
        Items to decide
        item  label  confidence  answers          reason                             uncertainty
        2     –      0.500       x: 1 vote, y: 1  'x', 'y' are tied (1 answer each)  0.500
        """
        from accord.consensus.adjudication import QueueSheet, queue

        return queue(self, n, QueueSheet(None if path is None else path_of(path), show_text, show_annotators, force))

    def decide(self, decisions: Any, *, by: str | None = None, at: str | None = None) -> Gold:
        """The same gold with a person's decisions.

        Who decided (`decided_by`, or `by`) and when (`decided_at`, or `at`, or now) is kept. Annotators' answers stay
        as they were given: a decision is about the item, not about them.

        Args:
            decisions: A filled-in queue (a table, a frame or the path of a CSV file), or a mapping from item to label.
            by: Who decided, where the queue does not say in `decided_by`.
            at: When, where it does not say in `decided_at`; by default now.

        Returns:
            A new `Gold`.

        Raises:
            InputError: If the decisions cannot be read, name an item that the study does not have, or do not say who
                decided.
            LabelError: If a decision is not on the scale.
            MeasureError: If the gold is of rankings.

        >>> import accord
        >>> answers = {"item": [1, 1, 1, 2, 2], "annotator": list("abcab"), "label": list("xxyxy")}
        >>> found = accord.gold(answers, method="majority")
        >>> found.decide({2: "y"}, by="judge").labels
        ['x', 'y']
        """
        from accord.consensus.adjudication import decided

        return decided(self, decisions, by, at)

    def _with_decided(self, decided: Mapping[int, Decision]) -> Gold:
        """The gold with these decisions in place of those that it had; a decision of all of an item's answer."""
        return replace(self, decisions=dict(decided))

    @property
    def decision_labels(self) -> dict[Label, Any]:
        """Item ─▶ what a person decided; handed to `accord.gold(…, known=…)`, decisions teach."""
        return {self.study.items[place]: decision.label for place, decision in self.decisions.items()}

    # -- in words and files ----------------------------------------------------------------------------------------

    def to_table(self) -> Table:
        """One row per item: label, confidence, votes for it, answers, where it is from, and why there is none.

        Sharpening has `item_weight` besides, how well the weighted group agrees on the item (see `item_weights`).
        Where something was drawn at random, the column `seed` says with which seed.

        Returns:
            A `Table` with one row per item: item, label, confidence, votes, answers, source, reason.

        >>> import accord
        >>> answers = {"item": [1, 1, 1, 2, 2], "annotator": list("abcab"), "label": list("xxyxy")}
        >>> found = accord.gold(answers, method="majority")
        >>> print(found.to_table())
        Gold by Majority
        item  label  confidence  votes  answers  source     reason
        1     x      0.667       0.667  3        majority
        2     –      0.500       –      2        undecided  'x', 'y' are tied (1 answer each)
        confidence: the share of votes for the label, which is no probability that it is right.
        """
        from accord.consensus.item_table import item_table

        return item_table(self)

    def write(self, path: str | Path, *, keep_formulas: bool = False) -> Path:
        """Write one row per item to a .csv, .tsv, .jsonl or .parquet file; a table in an engine is written by it.

        Args:
            path: Where to write; the ending chooses the format.
            keep_formulas: Leave cells of .csv and .tsv that begin with =, +, - or @ as they are. By default they get
                an apostrophe before them, or a spreadsheet would run them.

        Returns:
            The path that was written.

        Raises:
            InputError: If the file cannot be written.
            OptionError: If the ending is none of these.

        >>> import accord
        >>> import tempfile
        >>> from pathlib import Path
        >>> answers = {"item": [1, 1, 1, 2, 2], "annotator": list("abcab"), "label": list("xxyxy")}
        >>> found = accord.gold(answers, method="majority")
        >>> found.write(Path(tempfile.mkdtemp()) / "gold.csv").name
        'gold.csv'
        """
        from accord.consensus.gold_files import write_table

        return write_table(self.to_table(), path, keep_formulas=keep_formulas)

    def lazy(self) -> Any:
        """One row per item as a lazy frame, where the study came from a lazy frame and its method runs there.

        Returns:
            A lazy frame of the study's engine.

        Raises:
            MeasureError: If the gold was made in memory.

        >>> import accord, polars
        >>> frame = polars.LazyFrame({"item": [1, 1, 2, 2], "annotator": list("abab"), "label": list("xxyy")})
        >>> found = accord.gold(accord.Study(frame), method="majority")
        >>> found.lazy().sort("item").select("item", "label").collect().rows()
        [(1, 'x'), (2, 'y')]
        """
        raise MeasureError(
            "This gold was made in memory; only that of a lazy frame by majority, one-coin or dawid-skene stays in its "
            "engine. Here take ",
            in_python("to_table().to_pandas() or to_table().to_polars()", "the table"),
            ".",
            available=("to_table",),
        )

    def to_dict(self, *, items: bool = True) -> dict[str, Any]:
        """For JSON: how the gold was made, what came out, and (unless `items` is False) every item.

        Args:
            items: Whether every item is listed.

        Returns:
            A dictionary that JSON can hold.

        Raises:
            OptionError: If `items` is neither True nor False.
        """
        check_flag("items", items)
        from accord.consensus.gold_in_words import as_dict

        return as_dict(self, self._support_rows(), items=items)

    def _support_rows(self) -> Any:
        """The votes behind each label, for JSON; null for scores, which have none."""
        return None if self.scored is not None else self.by_label().to_dict()["rows"]

    def cite(self) -> str:
        """The sources of the method.

        >>> import accord
        >>> found = accord.gold(accord.datasets.load("five-annotators"), method="dawid-skene")
        >>> print(found.cite())
        Dawid, A. P., Skene, A. M. (1979). Maximum likelihood estimation of observer error-rates using the EM
        algorithm. Journal of the Royal Statistical Society, Series C 28, 20–28.
        """
        from accord.agreement.references import formatted
        from accord.consensus.methods import METHODS

        return "\n".join(formatted(key) for key in METHODS[self.method].references)

    def __str__(self) -> str:
        from accord.consensus.gold_in_words import in_words

        return in_words(self)

    @property
    def _n_doubtful(self) -> int:
        return int(np.count_nonzero((self.confidence < MORE_LIKELY_WRONG) & self.decided))

    @property
    def doubts(self) -> tuple[str, ...]:
        """Labels that the model itself takes to be wrong rather than right: it had to choose among several."""
        from accord.consensus.gold_in_words import doubts

        return doubts(self._n_doubtful if self.confidence_is == "posterior" else 0)

    __repr__ = __str__

    def _repr_html_(self) -> str:
        import html

        return f"<p>{html.escape(str(self))}</p>{self.to_table()._repr_html_()}"
