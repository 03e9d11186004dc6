"""Is a model as like people as people are like each other? A published z, and the paired difference to prefer."""

from __future__ import annotations

import html
import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any, Literal, TypeAlias, Unpack, get_args

import numpy as np

from accord.agreement.table import Table
from accord.annotations.arrays import FloatArray, IntArray
from accord.coefficients.units import Units
from accord.coefficients.weights import WeightsLike, build
from accord.errors import MeasureError, remedy
from accord.judge.estimates import Estimate, clusters_of, difference, nothing
from accord.judge.failed_answers import Failed
from accord.judge.joint_table import KAPPA, ReferenceLabels
from accord.judge.participants import Participants, Unparsable, participants_of
from accord.judge.scales import usual_weights
from accord.judge.to_json import judgement
from accord.options import check_choice, check_confidence, check_whole
from accord.study.other_kinds import about_other_kinds
from accord.study.study_of_input import PlainRoles

Sigma: TypeAlias = Literal["pairs", "annotators"]
LEAST_PEOPLE = 3
MOST_PEOPLE = 200


@dataclass(frozen=True, eq=False)
class Likeness:
    """Mean kappa of the model with people against that of people with each other.

    `difference` is κ̄(model, people) − κ̄(people), paired over items, and is to be preferred; `z` divides it by the
    spread of the people's own kappas, over their pairs or over annotators as `sigma` says.

    >>> from accord import Study
    >>> from accord.judge import human_likeness
    >>> people = {"ana": list("aabbab" * 6), "ben": list("aabbaa" * 6), "chloe": list("abbbab" * 6)}
    >>> study = Study.from_wide({**people, "gpt": list("aabbab" * 6), "coin": list("ababab" * 6)})
    >>> found = human_likeness(study.without_annotators(["coin"]), model="gpt")
    >>> found.word, round(found.difference.value, 3)
    ('super-consistent', 0.2)
    >>> print(found.sentence())
    gpt: mean kappa with people 0.778, people with each other 0.578; difference 0.200 [0.121, 0.279]; z = 1.30 over
    pairs (super-consistent).
    """

    model: str
    z: float
    model_mean: float
    people_mean: float
    spread: float
    difference: Estimate
    sigma: str
    ddof: int
    pairs: Table
    failed: Failed
    undefined: str | None = None
    notes: tuple[str, ...] = ()

    @property
    def word(self) -> str:
        """The published reading: human-like within one σ, super-consistent above, below people beneath."""
        if math.isnan(self.z):
            return "undefined"
        return "human-like" if abs(self.z) < 1 else "super-consistent" if self.z >= 1 else "below people"

    def sentence(self) -> str:
        """In words, the difference first."""
        text = (
            f"{self.model}: mean kappa with people {self.model_mean:z.3f}, people with each other "
            f"{self.people_mean:z.3f}; difference {self.difference}"
        )
        if self.undefined:
            return f"{text}; z undefined: {self.undefined}"
        return f"{text}; z = {self.z:.2f} over {self.sigma} ({self.word})."

    def __str__(self) -> str:
        return "\n".join([self.sentence(), *self.notes])

    __repr__ = __str__

    def _repr_html_(self) -> str:
        return f"<p>{html.escape(self.sentence())}</p>{self.pairs._repr_html_()}"

    def to_dict(self) -> dict[str, Any]:
        """For JSON."""
        values = {
            "model": self.model, "z": self.z, "word": self.word, "sigma": self.sigma, "ddof": self.ddof,
            "spread": self.spread, "model_mean": self.model_mean, "people_mean": self.people_mean,
            "difference": self.difference.value, "difference_interval": self.difference.interval,
            "unparsable": self.failed.share, "undefined": self.undefined,
        }  # fmt: skip
        return judgement("human_likeness", values, {"pairs": self.pairs}, self.notes)


def human_likeness(
    study: Any,
    /,
    *,
    model: str | None = None,
    sigma: Sigma = "pairs",
    ddof: int = 1,
    weights: WeightsLike | None = None,
    people: Sequence[str] | None = None,
    unparsable: Unparsable = "missing",
    confidence: float = 0.95,
    labels: Sequence[Any] | None = None,
    **roles: Unpack[PlainRoles],
) -> Likeness:
    """Is the model as like people as people are like each other?

    κ̄(model) is the mean of Cohen's kappa of the model with each person, κ̄(people) the mean over pairs of people, each
    on the items both answered; people too are compared on the items that the model answered only. The z of "Judge's
    Verdict" is their difference divided by σ. Over what σ is taken makes a difference (0.37 over pairs and 0.74 over
    annotators, with three people and ten items), so it is an argument here. With three people σ has two degrees of
    freedom whatever the number of items; the difference itself, paired over items, has an interval that narrows with
    them, and is to be preferred.

    Args:
        study: A `Study` of people and models, or what one is made of, with its keywords.
        model: The model; needed where the study has several.
        sigma: The spread of the people's kappas over their "pairs", or over "annotators" (the mean of each one's).
        ddof: 1 divides by n − 1, 0 by n.
        weights: How alike two labels are. By default what fits the level of the study: "linear" for ordinal labels,
            "quadratic" for interval and ratio, else identity.
        people: Who the people are; by default everybody who is neither a model nor an adjudicator.
        unparsable: Unparsable, refused and failed answers are "missing", or count as a "label".
        confidence: Of the interval.
        labels: The scale.
        **roles: The keywords of `Study`.

    Returns:
        A `Likeness`: `difference` with its interval, `z`, `word`, and the kappas of all `pairs`.

    Raises:
        InputError: If `data` cannot be a study, or a named person or model is not in it.
        MeasureError: If there are fewer than two people, or no model.
        OptionError: If an option has a value that it cannot take.

    References: han2025, cohen1960.

    >>> from accord import Study
    >>> people = {"ana": list("aabbab" * 6), "ben": list("aabbaa" * 6), "chloe": list("abbbab" * 6)}
    >>> study = Study.from_wide({**people, "gpt": list("aabbab" * 6)})
    >>> found = human_likeness(study, model="gpt")
    >>> round(found.difference.value, 3), round(found.z, 2), found.word
    (0.2, 1.3, 'super-consistent')
    """
    check_confidence(confidence)
    check_whole("ddof", ddof, 0)
    check_choice("sigma", sigma, get_args(Sigma))
    participants = participants_of(study, model=model, people=people, unparsable=unparsable, labels=labels, **roles)
    name = participants.one_model("Likeness to people")
    _refuse(participants)
    alike = np.eye(len(participants.study.labels))
    chosen = usual_weights(participants.study) if weights is None else weights
    if not isinstance(chosen, str) or chosen != "identity":
        alike = np.asarray(build(chosen, participants.study.answers).apply(alike))
    table, scores = _pairs(participants, name, alike)
    return _likeness(participants, name, table, scores, sigma, ddof, confidence)


def _refuse(participants: Participants) -> None:
    if participants.study.kind != "single":
        raise about_other_kinds("Likeness to people", ("single",), participants.study.kind)
    participants.need_people(LEAST_PEOPLE, "Likeness to people")
    if len(participants.people) > MOST_PEOPLE:
        raise MeasureError(
            f"Likeness to people compares every two of up to {MOST_PEOPLE} people; there are "
            f"{len(participants.people):,}. Choose some: ",
            remedy(people=[...]),
            ".",
        )


def _pairs(participants: Participants, name: str, alike: FloatArray) -> tuple[Table, list[FloatArray]]:
    """Kappa of every two, the model's pairs first; and, for each, what every item adds to its error."""
    everyone = [name, *participants.people]
    grid = participants.grid(everyone)
    grid[grid[:, 0] < 0] = -1  # people too are compared on the model's items only
    pairs = list(combinations(range(len(everyone)), 2))
    values, items, scores = [], [], []
    for one, other in pairs:
        found, present, moved = _kappa(grid[:, one], grid[:, other], alike)
        values.append(found)
        items.append(present)
        scores.append(moved)
    table = Table(
        "Cohen's kappa of every two",
        {
            "first": [everyone[one] for one, _ in pairs],
            "second": [everyone[other] for _, other in pairs],
            "kappa": np.array(values),
            "items": np.array(items, dtype=np.int64),
            "with_model": [one == 0 for one, _ in pairs],
        },
    )
    return table, scores


def _kappa(one: IntArray, other: IntArray, alike: FloatArray) -> tuple[float, int, FloatArray]:
    joint = ReferenceLabels.of_gold(other, len(alike)).against(one)
    found, present = KAPPA(joint.table, alike), joint.present
    items = int(present.sum())
    return found.value, items, found.scores(joint, present) / max(items, 1)


def _likeness(
    participants: Participants,
    name: str,
    table: Table,
    scores: list[FloatArray],
    sigma: Sigma,
    ddof: int,
    confidence: float,
) -> Likeness:
    kappa = np.asarray(table["kappa"], dtype=np.float64)
    its = np.array([bool(one) for one in table["with_model"]])
    present = np.isfinite(kappa)
    notes = list(participants.notes([name]))
    if not present.all():
        notes.append(f"{int((~present).sum())} of {len(kappa)} pairs have no kappa and are left out of the means.")
    model_mean, people_mean = (
        float(kappa[part & present].mean()) if (part & present).any() else math.nan for part in (its, ~its)
    )
    people = kappa[~its & present] if sigma == "pairs" else _per_annotator(table, participants.people)
    spread = float(people.std(ddof=ddof)) if len(people) > ddof else math.nan
    why = None
    if math.isnan(model_mean - people_mean):
        why = "the model or the people have no pair with a kappa."
    elif not spread > 0:
        why = "the people's kappas do not differ." if spread == 0 else "too few pairs of people have a kappa."
    gap = model_mean - people_mean
    defined = [moved for moved, known in zip(scores, present, strict=True) if known]
    difference = (
        nothing(why or "", confidence)
        if math.isnan(gap)
        else _difference(participants, name, gap, defined, its[present], confidence)
    )
    z = math.nan if why else gap / spread
    return Likeness(
        name,
        z,
        model_mean,
        people_mean,
        spread,
        difference,
        sigma,
        ddof,
        table,
        participants.failed(name),
        why,
        tuple(notes),
    )


def _per_annotator(table: Table, people: Sequence[str]) -> FloatArray:
    """The mean kappa of each person with the others."""
    rows = [row for row in table if not row["with_model"] and math.isfinite(row["kappa"])]
    means = [[row["kappa"] for row in rows if name in (row["first"], row["second"])] for name in people]
    return np.array([float(np.mean(mine)) for mine in means if mine])


def _difference(
    participants: Participants, name: str, value: float, scores: list[FloatArray], its: Any, confidence: float
) -> Estimate:
    """Paired over items: each item's part in the model's mean less its part in the people's."""
    stacked = np.stack(scores)
    moved = stacked[its].mean(0) - stacked[~its].mean(0)
    present = participants.column(name) >= 0
    present &= (participants.grid(participants.people) >= 0).any(1)
    units = Units.of_items(present, clusters_of(participants.study))
    return difference(value, moved * units.sample.n_items, units, confidence, 2.0)
