"""The many-facet rating-scale model of a study: who is severe, where items lie, what scores are without severity."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias, Unpack, get_args

import numpy as np

from accord.agreement.table import Table
from accord.annotations.answers import tidy_number
from accord.annotations.arrays import BoolArray, FloatArray, IntArray
from accord.annotations.tally import Tally
from accord.coefficients.standard_errors import NORMAL, limits
from accord.errors import (
    MeasureError,
    Message,
    PeopleNames,
    Remedy,
    counted,
    nobody_named,
    remedy,
)
from accord.options import Shown, check_choice, head
from accord.scores.joint_rating_scale import Joint
from accord.scores.marginal_rating_scale import Marginal
from accord.scores.rating_scale import Ratings, RatingScaleFit
from accord.study.study import Study
from accord.study.study_of_input import Roles, as_study

Method: TypeAlias = Literal["mml", "jml"]
METHODS: tuple[Method, ...] = get_args(Method)
MOST_CATEGORIES = 25
FLAT = 0.02  # logits: a standard deviation of items below this is none
TITLES = {"mml": "marginal maximum likelihood", "jml": "joint maximum likelihood, uncorrected"}


@dataclass(frozen=True, eq=False, repr=False)
class RatingScaleModel(Shown):
    """Severities of annotators, locations of items and thresholds of a scale, on one line of logits.

    Attributes:
        study: The study.
        method: "mml" or "jml".
        categories: The steps of the scale that were used, from the lowest.
        log_likelihood: Of the answers; with "mml", items integrated out.
        converged: Whether the search came to an end.
        notes: Who or what is left out, and why.
        undefined: Why there is no model; None if there is one.

    >>> from accord import rating_scale_model
    >>> rows = [[3, 2, 2], [1, 1, 0], [2, 2, 1], [3, 3, 2], [0, 1, 0], [2, 1, 1], [3, 2, 1], [1, 2, 0], [3, 2, 2]]
    >>> model = rating_scale_model(rows)
    >>> [(row["annotator"], round(row["severity"], 1)) for row in model.annotators()]
    [('3', 2.8), ('2', -0.9), ('1', -1.9)]
    >>> [round(row["threshold"], 1) for row in model.thresholds()]
    [-4.3, -0.2, 4.5]
    >>> len(model.items()), len(model.fair_scores())
    (9, 2)
    """

    study: Study
    method: Method
    categories: tuple[float, ...]
    log_likelihood: float
    converged: bool = False
    notes: tuple[str, ...] = ()
    undefined: str | None = None
    _fit: RatingScaleFit | None = field(default=None, kw_only=True)
    _people: IntArray = field(kw_only=True)  # the annotators that the model has
    _place: IntArray = field(kw_only=True)  # (items of the study,) the pattern of each, −1 for none

    def annotators(self) -> Table:
        """Everybody with a severity: high is severe.

        Returns:
            A `Table`, the most severe first: annotator, answers, severity (logits, they sum to zero) with se, low and
            high; infit and outfit, mean squares of what the model leaves over: 1 is as expected, above it less
            predictable, below it more alike than chance would have it.
        """
        fit, names = self._fit, self.study.annotators
        if fit is None:
            return Table("Severity of annotators", {"annotator": []}, (self.undefined or "",))
        low, high = limits(fit.severity, fit.severity_error, df=NORMAL)
        data: dict[str, Any] = {
            "annotator": [names[who] for who in self._people],
            "answers": self._answers(),
            "severity": fit.severity, "se": fit.severity_error, "low": low, "high": high,
            "infit": fit.placed.annotator_fit[0], "outfit": fit.placed.annotator_fit[1],
        }  # fmt: skip
        return Table("Severity of annotators, in logits", data, self.notes).sorted("severity", descending=True)

    def _answers(self) -> IntArray:
        given = np.bincount(
            self.study._annotations.rows[1],
            weights=self.study._annotations.rows[3],
            minlength=len(self.study.annotators),
        )
        return given[self._people].astype(np.int64)

    def items(self) -> Table:
        """Every item that the model has.

        Returns:
            A `Table`: item; location (logits) with se; fair, the score that an annotator of mean severity would give on
            average, with fair_se; infit and outfit.
        """
        fit = self._fit
        if fit is None:
            return Table("Items", {"item": []}, (self.undefined or "",))
        here = np.nonzero(self._place >= 0)[0]
        place, items = self._place[here], self.study.items
        value, error = self.fair_scores()
        data: dict[str, Any] = {
            "item": [items[number] for number in here.tolist()],
            "location": fit.placed.location[place], "se": fit.placed.location_error[place],
            "fair": value[here], "fair_se": error[here],
            "infit": fit.placed.item_fit[0][place], "outfit": fit.placed.item_fit[1][place],
        }  # fmt: skip
        return Table("Where items lie, in logits, and their scores without severity", data, self.notes)

    def fair_scores(self) -> tuple[FloatArray, FloatArray]:
        """(items of the study,) what an annotator of mean severity would give on average, and its standard error."""
        value, error = np.full(len(self._place), np.nan), np.full(len(self._place), np.nan)
        fit = self._fit
        if fit is None:
            return value, error
        here = self._place >= 0
        steps, scale = np.arange(len(self.categories)), np.array(self.categories)
        category = fit.placed.fair[self._place[here]]
        value[here] = np.interp(category, steps, scale)
        width = np.diff(scale)[np.minimum(category.astype(np.int64), len(scale) - 2)]
        error[here] = fit.placed.fair_error[self._place[here]] * width
        return value, error

    def thresholds(self) -> Table:
        """From which location on an annotator of mean severity gives the higher of two neighbouring scores.

        Returns:
            A `Table`: lower, higher, threshold (logits), se. A threshold below the one before it says that a category
            is never the most probable one.
        """
        fit = self._fit
        if fit is None:
            return Table("Thresholds", {"lower": []}, (self.undefined or "",))
        names = [tidy_number(value) for value in self.categories]
        data: dict[str, Any] = {
            "lower": names[:-1], "higher": names[1:], "threshold": fit.threshold, "se": fit.threshold_error,
        }  # fmt: skip
        falling = bool((np.diff(fit.threshold) < 0).any())
        notes = ("The thresholds are not in order: some category is never the most probable one.",) if falling else ()
        return Table("Thresholds of the scale, in logits", data, notes)

    def __str__(self) -> str:
        if self.undefined or self._fit is None:
            return f"Rating-scale model: undefined. {self.undefined}"
        spread = float(self._fit.severity.max() - self._fit.severity.min())
        lines = [
            f"Rating-scale model ({TITLES[self.method]}): {counted(len(self._people), 'annotators')}, "
            f"{counted(int((self._place >= 0).sum()), 'items')}, {counted(len(self.categories), 'categories')}.",
            f"  severities reach over {spread:.2f} logits; items have a standard deviation of {self._fit.sd:.2f}",
            *(f"  {note}" for note in self.notes),
        ]
        return "\n".join([*lines, str(self.annotators())])

    def to_dict(self) -> dict[str, Any]:
        """For JSON: annotators, thresholds and how it went; items are in `items()`."""
        fit = self._fit
        return {
            **head("rating_scale_model"),
            "method": self.method,
            "categories": [tidy_number(value) for value in self.categories],
            "annotators": self.annotators().to_dict()["rows"],
            "thresholds": self.thresholds().to_dict()["rows"],
            "item_mean": None if fit is None else fit.mean,
            "item_sd": None if fit is None else fit.sd,
            "log_likelihood": None if fit is None else self.log_likelihood,
            "converged": self.converged,
            "notes": list(self.notes),
            "undefined": self.undefined,
        }


def rating_scale_model(
    data: Any,
    other: Any = None,
    /,
    *,
    method: Method = "mml",
    labels: Sequence[Any] | None = None,
    **roles: Unpack[Roles],
) -> RatingScaleModel:
    r"""The many-facet rating-scale model: severity of annotators and location of items on one line.

    .. math:: P(x_{ig} = k) \propto \exp \sum_{h \le k} (\theta_i - s_g - \tau_h)

    :math:`\theta_i` is where item i lies, :math:`s_g` how severe annotator g is, and :math:`\tau_h` the threshold
    between two neighbouring categories, the same for everybody; severities sum to zero and thresholds too. It is the
    model for ordered categories, where a step need not mean the same everywhere on the scale; for scores with many
    values `annotators_on_scale` fits a line.

    With "mml" items are drawn from a normal distribution whose mean and standard deviation are estimated too; their
    locations are posterior means with posterior standard deviations, so that an item with the highest score throughout
    has one. Fit is over the posterior and has mean 1 where the model holds. With "jml" every item has a free location:
    what FACETS and many others do. It is uncorrected, and its estimates lie too far apart where items have few scores.

    Missing data: every item by the scores it has. Annotators who gave the lowest or the highest category throughout
    have no finite severity and are left out, by name; so are categories that nobody used.

    Args:
        data: A `Study` of scores or ordered labels, or what one is made of, as in `measure`.
        other: The second annotator's scores in the same order, where `data` is the first's.
        method: "mml" or "jml".
        labels: The scale in order, where answers are labels.
        **roles: Which columns of a table are which, as in `Study`: item="id", annotator="who", score="rating" …

    Returns:
        A `RatingScaleModel`: `annotators()`, `items()` and `thresholds()` are tables. Where there is nothing to
        compare, `undefined` says why.

    Raises:
        InputError: If `data` cannot be a study, or the answers have no order.
        MeasureError: If nobody is named, or there are too many different scores to be categories.
        OptionError: If `method` is neither of the two.

    References: andrich1978; linacre1989.

    >>> rows = [[3, 2, 2], [1, 1, 0], [2, 2, 1], [3, 3, 2], [0, 1, 0], [2, 1, 1], [3, 2, 1], [1, 2, 0], [3, 2, 2]]
    >>> model = rating_scale_model(rows)
    >>> table = model.annotators()
    >>> [(row["annotator"], round(row["severity"], 1)) for row in table][0]
    ('3', 2.8)
    """
    check_choice("method", method, METHODS)
    study = as_study(data, other, labels, roles)
    if not study._annotations.named:
        raise nobody_named("A rating-scale model compares annotators", study.shape)
    return fitted(study, method)


def fitted(study: Study, method: Method) -> RatingScaleModel:
    """The model of a study whose answers are named."""
    tally = study.tally(named=True)
    scale = np.asarray(study.answers.positions("A rating-scale model"), dtype=np.float64)
    ratings, people, categories, kept, notes = _ratings(tally, scale, study)
    place = np.full(len(study.items), -1, dtype=np.int64)
    why = _why_not(ratings)
    if why is not None:
        return RatingScaleModel(
            study, method, categories, np.nan, notes=notes, undefined=why, _people=people, _place=place
        )
    located = tally.locate() if tally.locate is not None else np.empty(0, np.int64)
    place = np.where(located >= 0, kept[located], -1) if len(located) else place
    groups = ratings.groups
    if groups > 1:
        notes = (*notes, _apart(groups, method))
    fit = (Marginal if method == "mml" else Joint)(ratings).fit()
    if not fit.converged:
        why = _no_end(method)
        return RatingScaleModel(
            study, method, categories, np.nan, notes=notes, undefined=why, _people=people, _place=place
        )
    extreme = int(np.isnan(fit.placed.location).sum())
    if extreme:
        notes = (
            *notes,
            f"{counted(extreme, 'patterns')} of one end of the scale throughout: their items have no location.",
        )
    if fit.sd < FLAT:
        notes = (*notes, "The scores do not tell items apart: all lie at one place, as far as the scores say.")
    if not np.isfinite(fit.severity_error).all():
        notes = (*notes, "There are too many annotators and scores for standard errors.")
    return RatingScaleModel(
        study, method, categories, fit.log_likelihood, fit.converged, notes, _fit=fit, _people=people, _place=place
    )


def _apart(groups: int, method: Method) -> str:
    """What annotators without a common item make of severities."""
    fall = f"The annotators fall into {groups:,} groups without a common item: "
    if method == "jml":
        return fall + "severities and locations of different groups cannot be compared."
    return fall + "those of different groups are compared only as far as the items of all groups are drawn alike."


def _no_end(method: Method) -> str:
    """Why the search did not come to an end."""
    if method == "jml":
        return Message(
            "With a free location for every item there is no finite best fit; ", remedy(method="mml"), " may have one."
        )
    return "Annotators agree so well that items can be put as far apart as one likes: there is no finite best fit."


def _why_not(ratings: Ratings) -> str | None:
    """Why there is no model."""
    if ratings.n_annotators < 2:
        return "It takes two annotators who do not give one end of the scale throughout."
    if ratings.n_categories < 2:
        return "Everybody gave one and the same score."
    if not (ratings.answered > 1).any():
        return "No item has two scores."
    return None


def _ratings(
    tally: Tally, scale: FloatArray, study: Study
) -> tuple[Ratings, IntArray, tuple[float, ...], IntArray, tuple[str, ...]]:
    """Rows for the model, who and which categories it has, the new place of each pattern, and what was left out."""
    assert tally.annotator is not None
    entry = np.repeat(np.arange(len(tally.answer)), np.rint(tally.count).astype(np.int64))
    who, value = tally.annotator[entry], scale[tally.answer[entry]]
    pattern = tally.pattern[entry]
    if len(np.unique(value)) > MOST_CATEGORIES:
        raise MeasureError(
            f"A rating-scale model is for ordered categories, and there are {len(np.unique(value)):,} different scores "
            f"(at most {MOST_CATEGORIES}). ",
            Remedy({}, "accord.annotators_on_scale", python="annotators_on_scale"),
            " takes scores as they are.",
        )
    chosen = _without_ends(who, value)
    left_out = sorted(set(who.tolist()) - set(who[chosen].tolist()))
    notes = []
    if left_out:
        names = PeopleNames([study.annotators[number] for number in left_out], 5)
        notes.append(Message("Left out, as they gave one end of the scale throughout: ", names, "."))
    who, value, pattern = who[chosen], value[chosen], pattern[chosen]
    people, person = np.unique(who, return_inverse=True)
    categories, category = np.unique(value, return_inverse=True)
    seen, place = np.unique(pattern, return_inverse=True)
    kept = np.full(len(tally) + 1, -1, dtype=np.int64)
    kept[seen] = np.arange(len(seen))
    items = tally.units[seen].astype(np.float64)
    ratings = Ratings(place, person, category, items, len(people), len(categories))
    return ratings, people, tuple(categories.tolist()), kept, tuple(notes)


def _without_ends(who: IntArray, value: FloatArray) -> BoolArray:
    """(M,) the rows of those who did not give one end throughout; of the others an end may be another's only answer."""
    kept = np.ones(len(who), dtype=np.bool_)
    while kept.any():
        ends = value[kept].min(), value[kept].max()
        size = int(who.max()) + 1
        inside = [np.bincount(who[kept], weights=value[kept] != end, minlength=size) for end in ends]
        gone = np.minimum(*inside) == 0
        if not (gone[who] & kept).any() or ends[0] == ends[1]:
            break
        kept &= ~gone[who]
    return kept
