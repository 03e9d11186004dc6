"""`accord.gold`: from a study and the name of a method to a Gold."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Unpack

import numpy as np

from accord.agreement.inference.resampling import seeded
from accord.agreement.result import Rng
from accord.annotations.answers import LOCATED
from accord.annotations.arrays import BoolArray, FloatArray, IntArray
from accord.consensus import automatic, in_engine, models, reference
from accord.consensus.adjusted_scores import rating_scale_scores, severity_adjusted
from accord.consensus.ballots import Ballots
from accord.consensus.em import ITERATIONS, TOLERANCE, OnIteration
from accord.consensus.glad import glad
from accord.consensus.gold import Gold
from accord.consensus.iteration_progress import on_iteration
from accord.consensus.learned_prior import LEARNED
from accord.consensus.majority import SET_TIES, TIES, counted_majority, majority, worker_agreement
from accord.consensus.model_selection import Chosen, choose_for_scores, compared
from accord.consensus.numeric_methods import PRIOR_ANSWERS, Scored, Scores, mean, median, pinned, weighted_mean
from accord.consensus.option_values import check_values, is_learned, label_shares_of, pseudo_answers, word
from accord.consensus.outcome import Options, Outcome
from accord.consensus.rankings.methods import RANKING_METHODS
from accord.consensus.set_methods import expert_index_outcomes, sharpened_outcomes
from accord.consensus.spans.methods import SPAN_METHODS
from accord.consensus.table_sizes import MOST_COMPARED, PER_ANSWER, is_huge, numbers_of, table_size, too_many
from accord.errors import Keyword, MeasureError, Message, OptionError, Part, listing, one_of, remedy
from accord.study.given import Roles, as_study
from accord.study.kinds import people_first
from accord.study.study import Study

ON_LABELS = "labels"
ON_NUMBERS = "numbers"
EM_OPTIONS = ("iterations", "tolerance", "restarts")
UNTAUGHT = ("majority", "expert-index")  # nothing is learned of annotators by which their votes could be overruled


@dataclass(frozen=True, eq=False)
class Method:
    """A way from answers to gold."""

    title: str
    serves: str  # labels or numbers
    options: tuple[str, ...] = ()
    references: tuple[str, ...] = ()
    named: bool = True  # must annotators be told apart?
    run: Callable[[Ballots, Options], Outcome] | None = None  # for methods that take one question at a time


METHODS: dict[str, Method] = {
    "majority": Method("Majority", ON_LABELS, ("ties",), named=False, run=majority),
    "expert-index": Method("Expert index", ON_LABELS, ("order",), ("bhowmick2008",)),
    "sharpening": Method("Sharpening", ON_LABELS, ("item_weights", "p", "iterations", "tolerance"), ("rosenberg2004",)),
    "worker-agreement": Method("Worker agreement (Wawa)", ON_LABELS, (), ("ustalov2024",), run=worker_agreement),
    "one-coin": Method(
        "One coin", ON_LABELS, ("prior", "label_shares", *EM_OPTIONS), ("raykar2010", "zhang2016"), run=models.one_coin
    ),
    "dawid-skene": Method(
        "Dawid–Skene", ON_LABELS, ("prior", "label_shares", *EM_OPTIONS), ("dawid1979",), run=models.dawid_skene
    ),
    "mace": Method("MACE", ON_LABELS, ("label_shares", "inference", *EM_OPTIONS), ("hovy2013",), run=models.mace),
    "glad": Method("GLAD", ON_LABELS, ("label_shares", "iterations", "tolerance"), ("whitehill2009",), run=glad),
    "mean": Method("Mean", ON_NUMBERS, named=False),
    "median": Method("Median", ON_NUMBERS, named=False),
    "weighted-mean": Method("Weighted mean", ON_NUMBERS, ("prior", "iterations", "tolerance")),
    "severity-adjusted": Method("Severity-adjusted mean", ON_NUMBERS, references=("linacre1989",)),
    "rating-scale": Method("Rating-scale model", ON_NUMBERS, references=("andrich1978", "linacre1989")),
}
ALL_METHODS = ("auto", *dict.fromkeys([*METHODS, *SPAN_METHODS, *RANKING_METHODS]))
AUTO_OPTIONS = ("label_shares", *EM_OPTIONS)
AUTO_OPTIONS_OF_SCORES = ("iterations", "tolerance")


def options_of(method: str) -> tuple[str, ...]:
    """What a method takes, of labels, of spans or of rankings."""
    of_labels = METHODS[method].options if method in METHODS else ()
    of_spans = SPAN_METHODS[method].options if method in SPAN_METHODS else ()
    of_rankings = RANKING_METHODS[method].options if method in RANKING_METHODS else ()
    return tuple(dict.fromkeys([*of_labels, *of_spans, *of_rankings]))


def gold(
    data: Any,
    other: Any = None,
    /,
    *,
    method: str = "auto",
    labels: Sequence[Any] | None = None,
    known: Any = None,
    ties: str | None = None,
    match: str | None = None,
    transitions: str | None = None,
    order: str | None = None,
    item_weights: str | None = None,
    p: float | Sequence[float] | None = None,
    prior: Any = None,
    label_shares: Any = None,
    inference: str | None = None,
    iterations: int | None = None,
    tolerance: float | None = None,
    restarts: int | None = None,
    rng: Rng = None,
    progress: bool | Callable[..., None] | None = None,
    **roles: Unpack[Roles],
) -> Gold:
    """One label per item from many answers, with a confidence; undecided where it cannot be told, with the reason.

    Where people and models answered, people vote: `study.all_alike()` lets models vote too.
    Of a lazy or distributed frame "majority", "one-coin" and "dawid-skene" run in its engine, which also writes the
    labels.

    Args:
        data: A `Study`, or what one is made of.
        other: The second annotator's answers, where `data` is the first's.
        method: "auto" (the simplest of the models that best predict held-out answers), "majority", "expert-index",
            "sharpening", "worker-agreement", "one-coin", "dawid-skene", "mace", "glad"; for numbers "mean", "median",
            "weighted-mean", "severity-adjusted" (each score less the level of who gave it), "rating-scale" (for few
            ordered scores: what an annotator of mean severity would give); for spans "majority" (of units),
            "token-majority", "dawid-skene" (of tokens), "sequence"; for rankings "borda", "kemeny" (exact, up to 30
            options), "plackett-luce". Sets are decided label by label.
        labels: The scale: all labels there are, in order.
        known: Items whose label is known and stays fixed: a mapping item ─▶ label, a table with the columns item and
            label, a Gold, or the path of a file with them.
        ties: majority: "undecided" (the default), "first", "random", "expert-index"; for sets also "absent". Of spans:
            "first" (the default: what is marked wins over what is not, then the first label of the scale), "last",
            "outside" (what is not marked wins), and of units also "undecided".
        match: majority of spans: "overlap" (the default: units of one label that overlap by half are one, from the
            median start to the median end) or "exact".
        transitions: token-majority, dawid-skene of spans: "legal" (the default: the best tags of a document of which
            every unit has a beginning) or "free" (each token by itself; what has no beginning is no unit).
        order: expert-index: "given" (the paper's, the default) or "two-pass".
        item_weights: sharpening: "variance" (the default) or "entropy".
        p: sharpening of ranked answers: how much the primary label counts, or one weight per rank.
        prior: one-coin, dawid-skene: what is thought of an annotator beforehand. "learned" (the default, and what
            "auto" takes): to be like the others, as much as they are alike; confidences are then calibrated. Or
            pseudo-answers: "mild" (one on the right answer, and one shared by the wrong ones), a number on every cell
            of a confusion table, a pair (on the right answer, on each wrong one), or a table. "none" is maximum
            likelihood, as published, and too sure where answers are few. sequence: a number on every cell.
            plackett-luce: pseudo-rankings before and after each option, 0.5 by default, or "none".
            weighted-mean: pseudo-answers behind an annotator's precision.
        label_shares: How common the labels are: "learned", "uniform", or given ones. By default learned by dawid-skene
            and for sets, even otherwise.
        inference: mace: "variational" (as published, the default) or "em".
        iterations: At most so many.
        tolerance: Stop when the objective rises by less than this per answer (sharpening: when no weight moves more).
        restarts: Random starts beside the votes; the best is kept.
        rng: A seed or a Generator; by default the seed 0, so that the same call gives the same gold. The gold keeps it
            where something was drawn.
        progress: True, or a function of (done, total) or of (done, total, objective).
        **roles: The keywords of `Study`.

    Returns:
        A `Gold`: `labels` and `confidence` by item, `undecided()` with reasons, `annotators()` with their competence.
        Of spans a `SpanGold`, whose `to_table()` has a row per unit; of rankings a `RankingGold`: a row per option.

    Raises:
        InputError: If `data` cannot be a study, or `known` cannot be read.
        MeasureError: If the method does not fit the answers, such as "mean" for labels.
        OptionError: If there is no such method, or it does not take an option that was given.

    >>> answers = {"item": [1, 1, 1, 2, 2], "annotator": ["a", "b", "c", "a", "b"], "label": ["x", "x", "y", "x", "y"]}
    >>> found = gold(answers, method="majority")
    >>> found.labels, found.reason(2)
    (['x', None], "'x', 'y' are tied (1 answer each)")
    """
    asked = people_first(as_study(data, other, labels, roles))  # models are judged by gold, so they do not vote
    study = asked.study
    if method not in ALL_METHODS:
        raise OptionError.choice("method", method, ALL_METHODS)
    if not study.tasks and study._annotations.in_engine is not None and not in_engine.serves(study, method, ties):
        study = in_engine.bring(study, method)
    given = {
        "ties": ties, "match": match, "transitions": transitions, "order": order, "item_weights": item_weights, "p": p,
        "prior": prior, "label_shares": label_shares, "inference": inference,
        "iterations": iterations, "tolerance": tolerance, "restarts": restarts,
    }  # fmt: skip
    given = {name: value for name, value in given.items() if value is not None}
    generator, seed = seeded(rng)
    start = generator.bit_generator.state
    found = _Task(study, method, given, known, generator, on_iteration(progress, method)).gold()
    if seed is not None and generator.bit_generator.state != start:
        found = replace(found, seed=seed)
    if progress is True and found.progress is not None:
        sys.stderr.write("\n")
    more = [*_one_answer_each(found), *([asked.decided_note] if asked.note else [])]
    return replace(found, notes=(*found.notes, *more)) if more else found


def _one_answer_each(found: Gold) -> list[str]:
    """Where no item has two answers, a gold only repeats them."""
    study = found.study
    if study.kind in ("spans", "ranking"):  # which say so of their items one by one
        return []
    if in_engine.NOTHING_LEARNED in found.notes or not study.n_annotations or study.tally().n_compared:
        return []
    return ["No item has two answers: every label is what one annotator said, and none is decided by more than that."]


@dataclass(eq=False)
class _Task:
    """One call of `gold`: the study, the options, and the way to the labels."""

    study: Study
    method: str
    given: dict[str, Any]
    known: Any
    rng: np.random.Generator
    on_iteration: OnIteration | None

    def gold(self) -> Gold:
        """The gold."""
        if _is_empty(self.study):
            raise MeasureError("Nobody has answered anything yet, so there is nothing to decide. Add answers first.")
        if self.study.kind == "spans":
            from accord.consensus.spans.deciding import gold_of_spans  # with all that spans need

            return gold_of_spans(self.study, self.method, self.given, self.known, self.on_iteration)
        if self.study.kind == "ranking":
            from accord.consensus.rankings.deciding import gold_of_rankings  # with all that rankings need

            return gold_of_rankings(self.study, self.method, self.given, self.known)
        if self.method != "auto" and self.method not in METHODS:
            of_spans = SPAN_METHODS.get(self.method)
            title, of = (
                (RANKING_METHODS[self.method].title, "rankings") if of_spans is None else (of_spans.title, "spans")
            )
            raise MeasureError(
                f"{title} is for {of}; these are {self.study.kind} answers. Choose a method for labels, such as ",
                remedy(method="dawid-skene"),
                ".",
            )
        if self.study.kind in LOCATED:
            raise MeasureError(
                f"Gold is one answer per item; these are {self.study.kind}: marked places, of which an item has any "
                "number. Their labels alone can be decided where an item has one: ",
                remedy(answers="single"),
                ".",
            )
        numbers = self.method != "auto" and METHODS[self.method].serves == ON_NUMBERS
        self._check_options()
        lazy = self.study._annotations.in_engine
        if lazy is not None:
            (options,) = self._options_each(None, None, sets=False)
            title = METHODS[self.method].title
            return in_engine.gold_in_engine(
                self.study, lazy, self.method, title, options, self.known, self._json_options()
            )
        if numbers or (self.method == "auto" and self.study.kind == "score"):
            return self._of_numbers()
        if self.study.kind == "score":
            raise MeasureError(
                f"{METHODS[self.method].title} is for labels; these are scores. Choose ",
                remedy(method=one_of("mean", "median", "weighted-mean", "severity-adjusted")),
                ".",
            )
        return self._of_labels()

    def _check_options(self) -> None:
        allowed, of = self._allowed()
        strange = [name for name in self.given if name not in allowed]
        if strange:
            takes = listing(allowed) if allowed else "no options"
            refused = f"{of} does not take {listing(strange)}; it takes {takes}."
            raise OptionError(Keyword("method", self.method), refused, available=allowed)
        check_values(self.method, self.given)
        if self.method != "auto" and METHODS[self.method].named and not self.study._annotations.named:
            raise MeasureError(
                f"{METHODS[self.method].title} must know who answered, and the study is a table of counts without "
                "names. Choose ",
                remedy(method="majority"),
                ", or give one row per annotation: ",
                remedy("Study", "table", item=..., annotator=..., label=...),
                ".",
            )

    def _allowed(self) -> tuple[tuple[str, ...], str]:
        """The options of the method, and of which answers that is said."""
        if self.method != "auto":
            return METHODS[self.method].options, ""
        return (AUTO_OPTIONS_OF_SCORES, " of scores") if self.study.kind == "score" else (AUTO_OPTIONS, "")

    # -- labels ----------------------------------------------------------------------------------------------------

    def _of_labels(self) -> Gold:
        known_labels, notes = self._known_labels()
        sets = self.study.kind == "set" or (self.study.kind == "ranked" and self.method == "expert-index")
        fixed = reference.sets_of(self.study, known_labels, "known") if known_labels and sets else None
        codes = reference.codes_of(self.study, known_labels, "known") if known_labels and not sets else None
        options_each = self._options_each(codes, fixed, sets=sets)
        known = fixed[0] if fixed is not None else None if codes is None else codes >= 0
        choice = None
        if self.method == "auto":
            choice, outcomes, more = self._by_auto(options_each, codes, fixed, sets=sets)
            unsure = choice.unsure and codes is None and fixed is None
            notes += more
        else:
            outcomes, unsure = self._outcomes(options_each, codes, fixed, sets=sets)
            if self.method not in UNTAUGHT and not unsure:
                drifted = automatic.drifted_labels(outcomes, self.study.labels, sets=sets)
                notes += tuple(automatic.warning(METHODS[self.method].title, one) for one in drifted[:1])
        if unsure:
            notes += (in_engine.NOTHING_LEARNED,)
        notes += tuple(dict.fromkeys(note for outcome in outcomes for note in outcome.notes))
        stuck = [o for o in outcomes if o.progress is not None and not o.progress.converged]
        if stuck and not unsure:
            notes += (in_engine.not_converged(),)
        if self.study.kind == "ranked" and self.method not in ("sharpening", "expert-index"):
            notes += (
                Message("Only primary labels were counted; ", remedy(method="sharpening"), " also uses the others."),
            )
        return Gold(
            self.study,
            self.method,
            METHODS[self.method].title,
            kind="set" if sets else "single",
            outcomes=outcomes,
            known=known,
            options=self._json_options(),
            notes=notes,
            choice=None if choice is None else choice.table,
            unsure=unsure,
        )

    def _known_labels(self) -> tuple[dict[int, Any], tuple[str, ...]]:
        if self.known is None:
            return {}, ()
        known, gone = reference.places(self.study, reference.as_mapping(self.known, "known"))
        notes = (f"{gone:,} items whose label is known are not in the study.",) if gone else ()
        return known, notes

    def _options_each(
        self, codes: IntArray | None, fixed: tuple[BoolArray, BoolArray] | None, *, sets: bool
    ) -> list[Options]:
        """One set of options a question; for sets the known labels are yes or no."""
        number = 2 if sets else len(self.study.labels)
        allowed = SET_TIES if sets else TIES
        ties = self.given.get("ties", "undecided")
        if ties not in allowed:
            raise OptionError.choice("ties", ties, allowed)
        if ties == "expert-index" and not self.study._annotations.named:
            refused = " must know who answered, and nobody is named. Choose another."
            raise MeasureError(Keyword("ties", ties), refused)
        shares = label_shares_of(self.given.get("label_shares"), self.study, sets=sets, learns=self.method != "glad")
        options = Options(
            known=codes,
            ties=ties,
            pseudo=pseudo_answers(self.given.get("prior"), number),
            learn=is_learned(self.given.get("prior")),
            shares="learned" if sets and shares is None else shares,
            inference=word("inference", self.given.get("inference", "variational"), ("variational", "em")),
            item_weights=word("item_weights", self.given.get("item_weights", "variance"), ("variance", "entropy")),
            iterations=int(self.given.get("iterations", ITERATIONS)),
            tolerance=float(self.given.get("tolerance", TOLERANCE)),
            restarts=int(self.given.get("restarts", 0)),
            rng=self.rng,
            on_iteration=self.on_iteration,
        )
        if not sets:
            return [options]
        if fixed is None:
            return [options] * len(self.study.labels)
        known, member = fixed
        return [
            replace(options, known=np.where(known, member[:, place], -1)) for place in range(len(self.study.labels))
        ]

    def _questions(self, *, sets: bool) -> list[Ballots]:
        """One set of ballots; for sets one a label, yes or no; for ranked answers the primary labels."""
        triples, answers = self.study._annotations, self.study.answers
        if sets:
            member = answers.membership.astype(np.int64)
            return [Ballots.of(triples, member[:, place], 2) for place in range(len(answers.labels))]
        if self.study.kind == "ranked":
            way: tuple[Part, ...] = ("Divide answers between their labels: ", remedy(method="sharpening"), ". ")
            primary = answers.one_primary(Keyword("method", self.method), *way)
            return [Ballots.of(triples, primary, len(answers.labels))]
        return [Ballots.of(triples)]

    def _divides_answers(self) -> bool:
        """Are ranked answers divided between their labels, and annotators judged by one another?"""
        ranked = self.method == "sharpening" and self.study.kind == "ranked"
        return ranked and Ballots.of(self.study._annotations).overlapping

    def _by_auto(
        self,
        options_each: list[Options],
        codes: IntArray | None,
        fixed: tuple[BoolArray, BoolArray] | None,
        *,
        sets: bool,
    ) -> tuple[Chosen, tuple[Outcome, ...], tuple[str, ...]]:
        """The method that was chosen, what it found, and why it was chosen."""
        questions = self._questions(sets=sets)
        choice = self._only_choice(questions)

        def fit(chosen: Chosen) -> tuple[Outcome, ...]:
            """As it was judged: with its prior, and with its labels' shares; always a posterior."""
            run = models.voted if chosen.method == "majority" else METHODS[chosen.method].run
            assert run is not None
            each = [replace(one, shares=chosen.shares or one.shares) for one in options_each]
            return tuple(run(ballots, options) for ballots, options in zip(questions, each, strict=True))

        if choice is not None:
            self.method = choice.method
            return choice, fit(choice), (choice.reason,)
        contest = compared(questions, options_each, self.rng)
        choice, outcomes, refusals = automatic.chosen_by(contest, fit, self.study.labels, sets=sets)
        self.method = choice.method
        self.given = ({"label_shares": choice.shares} if choice.shares else {}) | self.given
        self.given = {name: value for name, value in self.given.items() if name in METHODS[self.method].options}
        return choice, outcomes, (*refusals, choice.reason)

    def _only_choice(self, questions: list[Ballots]) -> Chosen | None:
        """The majority, where no model can be asked."""
        from accord.agreement.table import Table

        empty = Table("Held-out log-likelihood per answer", {"model": [], "method": []})
        if not self.study._annotations.named:
            return Chosen("majority", "Nobody is named, so only votes can be counted: majority.", empty)
        if not any(ballots.overlapping for ballots in questions):
            return Chosen(
                "majority",
                "No item has answers of two annotators, so models cannot be told apart: majority.",
                empty,
                unsure=True,
            )
        for ballots in questions:
            if too_many(ballots):
                return Chosen("majority", _not_compared(ballots), empty)
        return None

    def _outcomes(
        self,
        options_each: list[Options],
        codes: IntArray | None,
        fixed: tuple[BoolArray, BoolArray] | None,
        *,
        sets: bool,
    ) -> tuple[tuple[Outcome, ...], bool]:
        run = METHODS[self.method].run
        if (
            self.method == "majority"
            and self.study.kind == "single"
            and codes is None
            and options_each[0].ties == "undecided"
        ):
            counted = counted_majority(self.study._annotations)
            if counted is not None:
                return (counted,), False
        if self._divides_answers():
            return sharpened_outcomes(self.study, [], options_each[0], self.given, codes, fixed), False
        questions = self._questions(sets=sets)
        learns = self.method not in UNTAUGHT
        if learns and codes is None and fixed is None and not any(ballots.overlapping for ballots in questions):
            return tuple(
                majority(ballots, options) for ballots, options in zip(questions, options_each, strict=True)
            ), True
        if self.method == "expert-index":
            order = word("order", self.given.get("order", "given"), ("given", "two-pass"))
            return expert_index_outcomes(self.study, questions, order, codes, fixed), False
        if self.method == "sharpening":
            return sharpened_outcomes(self.study, questions, options_each[0], self.given, codes, fixed), False
        assert run is not None
        if learns and self.method != "worker-agreement":
            _refuse_huge(questions[0], self.method)
        return tuple(run(ballots, options) for ballots, options in zip(questions, options_each, strict=True)), False

    # -- numbers ---------------------------------------------------------------------------------------------------

    def _of_numbers(self) -> Gold:
        values = self.study.answers.numbers(Keyword("method", self.method))
        item, annotator, answer, count = self.study._annotations.rows
        scores = Scores(
            item=item,
            annotator=np.maximum(annotator, 0),
            value=values[answer],
            count=count.astype(np.float64),
            n_items=self.study._annotations.n_items,
            n_annotators=max(len(self.study.annotators), 1),
        )
        known_labels, notes = self._known_labels()
        known = reference.numbers_of(self.study, known_labels, "known") if known_labels else None
        choice = None
        if self.method == "auto":
            named = self.study._annotations.named
            choice = choose_for_scores(scores, self.rng) if named else None
            self.method = "mean" if choice is None else choice.method
            notes += (choice.reason if choice else "Nobody is named, so everybody counts alike: the mean.",)
        scored = self._scored(scores, known)
        return Gold(
            self.study,
            self.method,
            METHODS[self.method].title,
            kind="score",
            scores=scores,
            scored=scored,
            known=None if known is None else ~np.isnan(known),
            options=self._json_options(),
            notes=notes + scored.notes,
            choice=None if choice is None else choice.table,
        )

    def _scored(self, scores: Scores, known: FloatArray | None) -> Scored:
        if self.method == "weighted-mean":
            return weighted_mean(
                scores,
                known=known,
                prior=float(self.given.get("prior", PRIOR_ANSWERS)),
                on_iteration=self.on_iteration,
                iterations=int(self.given.get("iterations", ITERATIONS)),
                tolerance=float(self.given.get("tolerance", TOLERANCE)),
            )
        found = {
            "mean": lambda: mean(scores),
            "median": lambda: median(scores),
            "severity-adjusted": lambda: severity_adjusted(scores),
            "rating-scale": lambda: rating_scale_scores(self.study),
        }[self.method]()
        return pinned(found, known)

    def _json_options(self) -> dict[str, Any]:
        """The options as JSON can hold them."""
        method = METHODS[self.method]
        learned = method.serves == ON_LABELS and "prior" in method.options
        return {
            name: np.asarray(value).tolist() if not isinstance(value, str) else value
            for name, value in (({"prior": LEARNED} if learned else {}) | self.given).items()
        }


def _is_empty(study: Study) -> bool:
    """Is there no item, or no label to decide for? (An engine's own question tells it of the others.)"""
    if study.tasks or study._annotations.in_engine is not None:
        return False
    known_labels = study.n_annotations if study.kind in ("score", "spans") else len(study.labels)
    return not study._annotations.n_items or not known_labels


def _refuse_huge(ballots: Ballots, method: str) -> None:
    """A model's table has a number for each annotator, answer and label."""
    if method != "glad" and is_huge(ballots):
        raise MeasureError(
            f"{METHODS[method].title} would learn {table_size(ballots)}. Choose ",
            remedy(method=one_of("majority", "worker-agreement", "glad")),
            ", or join rare labels.",
        )


def _not_compared(ballots: Ballots) -> str:
    """Why the majority decides without a contest."""
    return Message(
        f"Models are compared up to {MOST_COMPARED:,} numbers (items × labels, and annotators × labels × labels) or "
        f"{PER_ANSWER} per answer, and {ballots.n_items:,} items with {ballots.n_answers:,} labels have "
        f"{numbers_of(ballots):,}: majority, and confidence is the share of votes. Join rare labels, or choose a model "
        "by its name, such as ",
        remedy(method="one-coin"), ".",
    )  # fmt: skip
