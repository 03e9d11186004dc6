"""bradley_terry: from a study of preferences to strengths, or to the reason why there are none."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeAlias, Unpack, get_args

import numpy as np

from accord.annotations.arrays import FloatArray
from accord.consensus.preferences.strengths import BradleyTerry
from accord.errors import (
    InputError,
    Keyword,
    MeasureError,
    Message,
    OptionError,
    all_quoted,
    as_typed,
    between,
    collected,
    counted,
    in_python,
    keyword,
    listing,
    remedy,
)
from accord.options import check_choice, check_confidence, check_flag, is_number, listed, one_or_listed
from accord.preferences.comparison_graph import ComparisonGraph
from accord.preferences.comparisons import TIED, Comparisons
from accord.preferences.comparisons_in_engine import large_comparisons
from accord.preferences.strength_model import Cells, StrengthModel, Ties
from accord.study.kinds import people_first
from accord.study.study import Study
from accord.study.study_of_input import PlainRoles, as_study

Covariates: TypeAlias = Sequence[str | Sequence[str]] | Mapping[str, str | Sequence[str]]
TIES: tuple[Ties, ...] = get_args(Ties)
GROUPS_NAMED = 3  # of options that never met


def bradley_terry(
    data: Any,
    /,
    *,
    ties: Ties = "davidson",
    order_effect: bool = False,
    covariates: Covariates = (),
    annotator_weights: Mapping[str, float] | None = None,
    options: Sequence[str] | None = None,
    ridge: float = 0.0,
    confidence: float = 0.95,
    labels: Sequence[Any] | None = None,
    **roles: Unpack[PlainRoles],
) -> BradleyTerry:
    r"""Strengths of options from who was preferred to whom, with the errors of the items, and tiers.

    .. math:: P(i \text{ over } j) : P(\text{tie}) : P(j \text{ over } i) =
        \gamma\,\pi_i : \nu \sqrt{\pi_i \pi_j} : \pi_j

    :math:`\pi` are strengths, whose logs sum to 0; :math:`\nu` says how common ties are (davidson1970);
    :math:`\gamma` is what standing first is worth, 1 unless `order_effect` is asked for. A covariate adds its weight
    times the lead of the first option in it to :math:`\log \pi_i - \log \pi_j`. Maximum likelihood; errors are a
    sandwich over items (or the study's clusters), since several people who judge one item tell less than as many items.

    Nothing is regularised unless a `ridge` is asked for. Options that won or lost everything have no finite strength,
    options that never met have no common scale, and the result says which. Missing answers are left out.

    Args:
        data: A `Study` of preferences, or what one is made of: a table with `first=` and `second=`, the two options
            compared in a row, and a label that says which was preferred. Where people and models judged, people count.
        ties: What a tie is: an outcome of its own ("davidson"), "half" a win for each, or left out ("drop").
        order_effect: Whether standing first may be worth something.
        covariates: Columns with numbers that may explain preferences, such as lengths: ["lead"] for the lead of the
            first option, [["length_a", "length_b"]] for the values of the two, or names for these in a mapping.
        annotator_weights: How much each annotator counts; 1 where nothing is said.
        options: Only comparisons between these options.
        ridge: A penalty of ridge/2 times the squared strengths, which gives every option a finite one; 0 is none.
        confidence: Of the intervals; all pairs of options are told apart at 1 − confidence together.
        labels: Not needed: preferences are on the scale first, tie, second.
        **roles: Which columns of a table are which, as in `Study`: item="prompt", annotator="judge", first="model_a" …

    Returns:
        A `BradleyTerry`: `to_table()`, `in_tiers()`, `differences()`, `by_annotator()`, `order_effect`, `tie_effect`,
        `covariate_effects`; `undefined` says why there are no strengths.

    Raises:
        InputError: If `data` cannot be a study, or a covariate is no number.
        MeasureError: If the answers are no preferences, or the options as many as texts are.
        OptionError: If an option has a value that it cannot take.

    References: bradley1952; davidson1970; davidson1977; ford1957.

    >>> wins_of_ten = {"AB": 7, "AC": 8, "AD": 9, "BC": 6, "BD": 7, "CD": 5}
    >>> rows = [
    ...     {"item": f"{a}{b}{place}", "annotator": "ana", "label": a if place < wins else b, "first": a, "second": b}
    ...     for (a, b), wins in wins_of_ten.items()
    ...     for place in range(10)
    ... ]
    >>> found = bradley_terry(rows)
    >>> found.strength.round(3).tolist(), round(found.win_probability("A", "B"), 2)
    ([1.065, 0.096, -0.464, -0.697], 0.72)
    """
    _check(ties, order_effect, ridge, confidence)
    notes: list[str] = []
    names: tuple[str, ...] = ()
    counted_there = large_comparisons(data, roles)
    if counted_there is not None:
        whole, left_out = counted_there
        notes.append("Counted in the engine: every row is a comparison, whether or not it repeats another.")
        if left_out:
            notes.append(f"{counted(left_out, 'rows')} without an item, an annotator or an answer left out.")
        _refuse_in_engine(covariates, annotator_weights)
    else:
        measured = people_first(as_study(data, None, labels, roles))  # type: ignore[arg-type]
        notes += [measured.decided_note] if measured.note else []
        whole, names, missing = _with_covariates(measured.study, Comparisons.of(measured.study), covariates)
        if missing:
            notes.append(f"{counted(missing, 'comparisons')} without a covariate left out.")
    if annotator_weights is not None:
        whole = whole.weighted(_weights(whole, annotator_weights))
    if options is not None:
        whole = whole.among(options)
    whole, left = _that_count(whole, ties)
    notes += left
    return _Fit(whole, ties, order_effect, ridge, confidence, names).result(tuple(notes))


def strengths_of(whole: Comparisons, ties: Ties = "davidson", confidence: float = 0.95) -> BradleyTerry:
    """The same of comparisons that are at hand: no order effect, no covariates, nothing regularised."""
    return _Fit(whole.on_options_used(), ties, False, 0.0, confidence, ()).result(())  # noqa: FBT003 - no order effect


def _check(ties: Any, order_effect: Any, ridge: Any, confidence: float) -> None:
    check_confidence(confidence)
    check_flag("order_effect", order_effect)
    check_choice("ties", ties, TIES)
    if not is_number(ridge) or not 0 <= ridge < math.inf:
        raise OptionError.must("ridge", "be a number from 0", ridge)


def _refuse_in_engine(covariates: Covariates, annotator_weights: Mapping[str, float] | None) -> None:
    """What needs comparisons one by one."""
    for name, given in (("covariates", covariates), ("annotator_weights", annotator_weights)):
        if given:
            raise MeasureError(
                "Comparisons that are counted in their engine are not known one by one, as ",
                keyword(name),
                " asks. Filter the frame first, or collect it: ",
                collected(),
                ".",
            )


def _with_covariates(
    study: Study, whole: Comparisons, covariates: Covariates
) -> tuple[Comparisons, tuple[str, ...], int]:
    """The comparisons with the lead of the first option in each covariate; those without one are left out."""
    named = covariates
    if not isinstance(named, Mapping):
        rule = "be a list of columns, for example ['length']"
        named = {_called(one): one for one in listed("covariates", covariates, rule)}
    if not named:
        return whole, (), 0
    leads = [_lead(study, columns) for columns in named.values()]
    lead = np.stack(leads, axis=1)
    known = np.asarray(np.isfinite(lead).all(1))
    return replace(whole, lead=lead).where(known), tuple(map(str, named)), int((~known).sum())


def _called(columns: str | Sequence[str]) -> str:
    return " − ".join(map(str, one_or_listed("covariates", columns, "name columns")))


def _that_count(whole: Comparisons, ties: Ties) -> tuple[Comparisons, list[str]]:
    """The comparisons that count, and what is left out with the others."""
    counts = whole.weight > 0
    if ties == "drop":
        counts &= whole.outcome != TIED
    kept = whole.where(counts).on_options_used()
    notes = (
        [f"Left out, as not counting: {counted(whole.where(~counts).number, 'comparisons')}."]
        if not counts.all()
        else []
    )
    gone = [name for name in whole.options if name not in kept.options]
    return kept, [*notes, *([f"Nothing that counts is left of {listing(gone, most=4)}."] if gone else [])]


def _lead(study: Study, columns: str | Sequence[str]) -> FloatArray:
    """(C,) a column's numbers, or those of the first option less those of the second; NaN where missing."""
    rule = "name one column with the lead, or two with the values of each"
    names = one_or_listed("covariates", columns, rule)
    if len(names) not in (1, 2):
        raise OptionError.must("covariates", rule, columns)
    found = []
    for name in names:
        coded = study._column(name, "covariates")
        try:
            values = np.array([*map(float, coded.values), math.nan], dtype=np.float64)
        except ValueError:
            words = [value for value in coded.values if not is_number(value)]
            raise InputError(
                Keyword("covariates", name), " must be a column of numbers; it has ", all_quoted(words, most=3), "."
            ) from None
        found.append(values[coded.codes])
    return np.asarray(found[0] if len(found) == 1 else found[0] - found[1])


def _weights(whole: Comparisons, given: Mapping[str, float]) -> FloatArray:
    """(C,) how much the annotator of each comparison counts."""
    if not isinstance(given, Mapping):
        raise OptionError.must("annotator_weights", "be a mapping of names to numbers, such as {'ana': 0.5}", given)
    unknown = [name for name in given if as_typed(name, str) not in whole.annotators]
    if unknown:
        raise OptionError.choice("annotator_weights", unknown[0], whole.annotators, of_data=True)
    wrong = {name: weight for name, weight in given.items() if not is_number(weight) or not 0 <= weight < math.inf}
    if wrong:
        raise OptionError.must("annotator_weights", "be numbers from 0", wrong)
    each = np.array([float(given.get(name, 1.0)) for name in whole.annotators])
    return each[whole.annotator] if len(each) else np.ones(len(whole))


@dataclass(frozen=True, eq=False)
class _Fit:
    """One call: the comparisons, the options, and the way to strengths."""

    whole: Comparisons
    ties: Ties
    ordered: bool
    ridge: float
    confidence: float
    covariates: tuple[str, ...]

    def result(self, notes: tuple[str, ...]) -> BradleyTerry:
        """Strengths of the options that have any."""
        whole = self.whole
        size = len(whole.options)
        undefined = self._nothing()
        if undefined is not None:
            return self._result(None, np.full(size, np.nan), undefined, notes)
        whole.refuse_many()
        graph = ComparisonGraph.of(whole.wins, whole.ties)
        if not self.ridge:
            undefined = self._no_scale(graph)
            if undefined is not None:
                return self._result(None, np.full(size, np.nan), undefined, notes)
        main = np.ones(size, dtype=np.bool_) if self.ridge else graph.main
        names = [name for name, there in zip(whole.options, main.tolist(), strict=True) if there]
        fitted = whole if main.all() else whole.among(names)
        infinite = np.where(main, 0.0, np.where(graph.above, np.inf, np.where(graph.below, -np.inf, np.nan)))
        found = self._result(fitted, infinite, None, (*notes, *self._notes(fitted)))
        return replace(found, separated=_separated(whole, graph)) if not main.all() else found

    def _nothing(self) -> str | None:
        """Why nothing can be estimated, before their comparisons are looked at."""
        if not len(self.whole):
            return "No comparison is left."
        if len(self.whole.options) < 2:
            return "There is one option only."
        if self.ordered and len(self.whole.options) == 2:
            return self.whole.in_one_order
        return None

    def _no_scale(self, graph: ComparisonGraph) -> str | None:
        """Why the options have no common scale, or no strengths at all."""
        options = self.whole.options
        if not graph.connected:
            groups = [[options[place] for place in np.nonzero(graph.group == one)[0]] for one in np.unique(graph.group)]
            groups.sort(key=len, reverse=True)
            named = between([all_quoted(group, 4) for group in groups[:GROUPS_NAMED]], "; ")
            more = f" … ({len(groups)} groups)" if len(groups) > GROUPS_NAMED else ""
            return Message(
                f"The options fall into {len(groups)} groups that never met: ",
                *named,
                f"{more}. Nothing says how strong one group is against another; compare across, or measure one: ",
                in_python("bradley_terry(study, options=[…])", "a file of these options alone"),
                ".",
            )
        if graph.main.sum() == 1:
            return Message(
                "No two options won over each other, directly or in a circle: everything was won by one side "
                "(separation), so that an order follows and no strengths do. ",
                in_python(str(remedy(ridge=1.0)), "A ridge, in Python,"),
                " gives finite ones that rest on it.",
            )
        return None

    def _notes(self, fitted: Comparisons) -> tuple[str, ...]:
        found: list[str] = []
        if self.ordered and fitted.in_one_order:
            found.append(f"{fitted.in_one_order} The effect of standing first may be that of the sorting.")
        if self.ridge:
            found.append(f"Strengths are drawn towards 0 by a ridge of {self.ridge:g}, which was asked for.")
        number = fitted.n_items
        if number <= len(fitted.options):
            found.append(
                f"{counted(number, 'items')} for {counted(len(fitted.options), 'options')}: their errors are taken "
                "over items, and are too small with so few."
            )
        return tuple(found)

    def _result(
        self, fitted: Comparisons | None, infinite: FloatArray, undefined: str | None, notes: tuple[str, ...]
    ) -> BradleyTerry:
        """The result; where a parameter runs away it is undefined too."""
        estimate = None
        if fitted is not None:
            cells = Cells.of(fitted, self.ties)
            tied = self.ties == "davidson" and bool((cells.count[:, TIED] > 0).any())
            estimate = StrengthModel(cells, self.ordered, tied, self.ridge).solve()
            undefined = self._runs_away(fitted) if estimate.runs_away or estimate.undetermined else None
        behind = self.whole if fitted is None else fitted
        return BradleyTerry(
            self.whole.options, behind.number, behind.n_items, self.whole.n_annotators,
            self.ties, self.confidence, self.ridge, self.whole, fitted, None if undefined else estimate, infinite,
            self.covariates, undefined, {}, notes,
        )  # fmt: skip

    def _runs_away(self, fitted: Comparisons) -> str:
        """Why the likelihood has no maximum although everybody met everybody."""
        if self.ties == "davidson" and (fitted.outcome == TIED).all():
            return "Every comparison is a tie, so that nothing tells the options apart."
        parts = [what for what, there in (("the order", self.ordered), ("a covariate", self.covariates)) if there]
        also = f" {' or '.join(parts).capitalize()} tells the outcomes without a rest, or says what the options say."
        return f"The likelihood has no maximum.{also if parts else ''}"


def _separated(whole: Comparisons, graph: ComparisonGraph) -> dict[str, str]:
    """What is known of options without a finite strength."""
    wins, losses, ties = whole.record
    found: dict[str, str] = {}
    for place, name in enumerate(whole.options):
        if graph.main[place]:
            continue
        number = counted(int(wins[place] + losses[place] + ties[place]), "comparisons")
        all_of = "its only comparison" if number.startswith("1 ") else f"all its {number}"
        if losses[place] == 0 and ties[place] == 0:
            found[name] = f"won {all_of}, so that its strength has no upper end"
        elif wins[place] == 0 and ties[place] == 0:
            found[name] = f"lost {all_of}, so that its strength has no lower end"
        elif graph.above[place] or graph.below[place]:
            side = "won against" if graph.above[place] else "lost to"
            found[name] = f"always {side} those with a strength, in {number}"
        else:
            found[name] = f"met those with a strength on neither side, in {number}"
    return found
