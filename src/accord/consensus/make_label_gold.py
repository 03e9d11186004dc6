"""Gold of labels and of numbers by name: what is known, one question or one per label, and the method that answers."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from accord.annotations.answers import LOCATED
from accord.annotations.arrays import BoolArray, FloatArray, IntArray
from accord.consensus import automatic, fit_models, reference
from accord.consensus.adjusted_scores import rating_scale_scores, severity_adjusted
from accord.consensus.ballots import Ballots
from accord.consensus.checkpoints import Checkpoint, check_one_model, question_of
from accord.consensus.decide_in_engine import gold_in_engine
from accord.consensus.em import ITERATIONS, TOLERANCE, OnIteration
from accord.consensus.fit_models import NOTHING_LEARNED, not_converged
from accord.consensus.gold import Gold
from accord.consensus.learned_prior import LEARNED
from accord.consensus.majority import SET_TIES, TIES, counted_majority, majority
from accord.consensus.method_outcome import Options, Outcome
from accord.consensus.methods import AUTO_OPTIONS, AUTO_OPTIONS_OF_SCORES, METHODS, ON_LABELS, ON_NUMBERS, check_taken
from accord.consensus.model_selection import Chosen, choose_for_scores, compared
from accord.consensus.numeric_methods import PRIOR_ANSWERS, Scored, Scores, mean, median, pinned, weighted_mean
from accord.consensus.option_values import check_values, is_learned, label_shares_of, pseudo_answers, word
from accord.consensus.set_methods import expert_index_outcomes, sharpened_outcomes
from accord.consensus.table_sizes import MOST_COMPARED, PER_ANSWER, is_huge, numbers_of, table_size, too_many
from accord.errors import Keyword, MeasureError, Message, Part, one_of, remedy
from accord.options import check_choice
from accord.study.study import Study

UNTAUGHT = ("majority", "expert-index")  # nothing is learned of annotators by which their votes could be overruled


@dataclass(eq=False)
class Task:
    """One call of `gold` for labels or numbers: the study, the options, and the way to the labels."""

    study: Study
    method: str
    given: dict[str, Any]
    known: Any
    rng: np.random.Generator
    on_iteration: OnIteration | None

    def gold(self) -> Gold:
        """The gold."""
        if self.study.kind in LOCATED:
            raise MeasureError(
                f"Gold is one answer per item; these are {self.study.kind}: marked places, of which an item has any "
                "number. Which labels an item has, wherever they lie, can be decided: ",
                remedy(answers="set", duplicates="first"),
                ".",
            )
        numbers = self.method != "auto" and METHODS[self.method].serves == ON_NUMBERS
        self._check_options()
        if not self.study._annotations.in_memory:
            (options,) = self._options_each(None, None, sets=False)
            title = METHODS[self.method].title
            return gold_in_engine(self.study, self.method, title, options, self.known, self._json_options())
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
        check_taken(self.method, self.given, *self._allowed())
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
        return (AUTO_OPTIONS_OF_SCORES, "scores") if self.study.kind == "score" else (AUTO_OPTIONS, "")

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
            notes += (NOTHING_LEARNED,)
        notes += tuple(dict.fromkeys(note for outcome in outcomes for note in outcome.notes))
        stuck = [o for o in outcomes if o.progress is not None and not o.progress.converged]
        if stuck and not unsure:
            notes += (not_converged(),)
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
        check_choice("ties", ties, allowed)
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
            checkpoint=self._checkpoint(sets=sets),
        )
        if not sets:
            return [options]
        if fixed is None:
            return [options] * len(self.study.labels)
        known, member = fixed
        return [
            replace(options, known=np.where(known, member[:, place], -1)) for place in range(len(self.study.labels))
        ]

    def _checkpoint(self, *, sets: bool) -> Checkpoint | None:
        """Where the model is kept while it is learned, if that was asked for."""
        path = self.given.get("checkpoint")
        if path is None:
            return None
        check_one_model(sets=sets, restarts=int(self.given.get("restarts", 0)))
        known = {} if self.known is None else reference.as_mapping(self.known, "known")
        names = {
            "labels": list(self.study.labels),
            "annotators": list(self.study.annotators),
            "answers": self.study.n_annotations,
            "known": sorted(known.items(), key=repr),
        }
        return Checkpoint(path, fit_models.KINDS[self.method], question_of(self.method, names, self.given))

    def _questions(self, *, sets: bool) -> list[Ballots]:
        """One set of ballots; for sets one per label, yes or no; for ranked answers the primary labels."""
        coded, answers = self.study._annotations, self.study.answers
        if sets:
            member = answers.membership.astype(np.int64)
            return [Ballots.of(coded, member[:, place], 2) for place in range(len(answers.labels))]
        if self.study.kind == "ranked":
            way: tuple[Part, ...] = ("Divide answers between their labels: ", remedy(method="sharpening"), ". ")
            primary = answers.one_primary(Keyword("method", self.method), *way)
            return [Ballots.of(coded, primary, len(answers.labels))]
        return [Ballots.of(coded)]

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
            run = fit_models.voted if chosen.method == "majority" else METHODS[chosen.method].run
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
            if name != "checkpoint"  # it changes nothing in what is found
        }


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
