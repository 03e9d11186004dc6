"""What other packages answer on 200 random studies: writes `peer_values.json` beside this file.

The peers want older versions of NumPy and SciPy than accord does, so they live in an environment apart::

    python3.11 -m venv peers
    peers/bin/pip install irrCAC==0.4.4 krippendorff==0.9.0 statsmodels==0.15.0 scikit-learn==1.9.1 \\
        nltk==3.10.4 numpy==1.26.4 scipy==1.12.0 pandas==2.3.3
    peers/bin/python tests/reference/make_peer_values.py

The seed is fixed, so the same versions write the same bytes. Nothing a peer says is hidden: an exception is
stored as ``{"error": "TypeName: message"}``, a number that is not finite as ``{"value": null, "undefined":
true}``. irrCAC rounds to 5 digits unless told otherwise; it is told to keep 15.

The file holds ``header`` (versions and seed), ``studies`` (single labels), ``set_studies`` (label sets) and
``defects`` (small studies on which a peer is known to answer badly, and what it answered).
"""

# mypy: disable-error-code="import-not-found,import-untyped"

from __future__ import annotations

import json
import math
import platform
import sys
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from importlib.metadata import version
from itertools import combinations
from pathlib import Path
from typing import Any

import irrCAC.raw
import irrCAC.table
import krippendorff
import numpy as np
import pandas as pd
from nltk.metrics.agreement import AnnotationTask
from nltk.metrics.distance import binary_distance, jaccard_distance, masi_distance
from sklearn.metrics import cohen_kappa_score
from statsmodels.stats.inter_rater import aggregate_raters, cohens_kappa, fleiss_kappa

Label = str | int | float
LabelSet = tuple[str, ...]
Ratings = list[list[Any]]  # items x annotators, None where an annotator was silent
Json = Any
Distance = Callable[..., float]
Array = np.ndarray[Any, Any]

TARGET = Path(__file__).with_name("peer_values.json")
PACKAGES = ("irrCAC", "krippendorff", "statsmodels", "scikit-learn", "nltk", "numpy", "scipy", "pandas")
SEED = 1960
DIGITS = 15
N_STUDIES = 200
N_WEIGHTED = {"number": 60, "text": 10}
N_SET_STUDIES = 20

WEIGHTS = ("linear", "quadratic", "ordinal", "radical", "ratio", "circular", "bipolar")
LEVELS = ("nominal", "ordinal", "interval", "ratio")
RAW_MEASURES = ("fleiss", "conger", "gwet", "bp", "krippendorff")
NLTK_MEASURES = ("alpha", "pi", "S", "multi_kappa", "kappa")
TABLE_MEASURES = ("cohen", "scott", "gwet", "bp", "krippendorff", "pa2")

TEXT_SCALES: tuple[tuple[str, ...], ...] = (
    ("never", "rarely", "sometimes", "often", "usually", "always"),
    ("terrible", "poor", "fair", "good", "very good", "excellent"),
    ("anger", "joy", "fear", "disgust", "sadness", "surprise"),
    ("oui", "non", "peut-être", "déjà vu", "sans avis", "autre"),
    ("A", "B", "C", "D", "E", "F"),
)
NUMBER_SCALES: tuple[tuple[Label, ...], ...] = (
    (1, 2, 3, 4, 5, 6),
    (1, 2, 3, 4, 5, 6),
    (0, 1, 2, 3, 4, 5),
    (1, 2, 4, 8, 16, 32),
    (0.5, 1.0, 1.5, 2.0, 3.5, 4.25),
    (3, 10, 11, 15, 40, 100),
    (-2, -1, 0, 1, 2, 3),
)
SET_LABELS = ("anger", "fear", "joy", "sadness", "surprise")


@dataclass(frozen=True)
class Study:
    """One random study: who said what, and the labels that could have been said."""

    name: str
    kind: str
    labels: list[Label]
    ratings: Ratings

    @property
    def complete(self) -> bool:
        """Whether every annotator answered every item."""
        return all(answer is not None for row in self.ratings for answer in row)

    @property
    def n_annotators(self) -> int:
        """How many columns the ratings have."""
        return len(self.ratings[0])

    def counts(self) -> Array:
        """How many annotators gave each declared label to each item."""
        return np.array([[row.count(label) for label in self.labels] for row in self.ratings])


# Random studies ---------------------------------------------------------------------------------------------


def random_studies(rng: np.random.Generator) -> Iterator[Study]:
    """Studies of every temper: random, skewed, agreeing and in between; half of them with gaps."""
    for i in range(N_STUDIES):
        kind = ("number", "number", "text")[i % 3]
        scales = NUMBER_SCALES if kind == "number" else TEXT_SCALES
        n_labels = int(rng.integers(2, 7))
        labels = list(scales[int(rng.integers(len(scales)))][:n_labels])
        n_items, n_annotators = int(rng.integers(4, 41)), int(rng.integers(2, 7))
        temper = ("random", "skewed", "agreeing", "between")[i % 4]
        codes = random_codes(rng, n_items, n_annotators, n_labels, temper)
        if (i // 4) % 2:
            codes = with_gaps(rng, codes)
        ratings = [[None if code < 0 else labels[code] for code in row] for row in codes.tolist()]
        yield Study(f"{i:03d}-{kind}-{temper}", kind, labels, ratings)


def random_codes(rng: np.random.Generator, n_items: int, n_annotators: int, n_labels: int, temper: str) -> Array:
    """Answers as label positions: each annotator sees the truth with some skill, else answers by habit."""
    skill = {"random": 0.0, "skewed": 0.5, "agreeing": 0.93, "between": 0.6}[temper]
    evenness = 0.35 if temper == "skewed" else 3.0
    marginals = rng.dirichlet(np.full(n_labels, evenness))
    truth = rng.choice(n_labels, size=n_items, p=marginals)
    codes = np.empty((n_items, n_annotators), dtype=int)
    for annotator in range(n_annotators):
        habit = rng.dirichlet(np.full(n_labels, evenness)) if temper == "between" else marginals
        guesses = rng.choice(n_labels, size=n_items, p=habit)
        nearby = np.clip(truth + rng.integers(-1, 2, size=n_items), 0, n_labels - 1)
        slips = np.where(rng.random(n_items) < 0.5, guesses, nearby) if skill else guesses
        codes[:, annotator] = np.where(rng.random(n_items) < skill, truth, slips)
    return codes


def with_gaps(rng: np.random.Generator, codes: Array) -> Array:
    """The codes with -1 for missing; every annotator answers once and two items are answered twice."""
    share = rng.uniform(0.05, 0.5)
    while True:
        gappy = np.where(rng.random(codes.shape) < share, -1, codes)
        answered = gappy >= 0
        if answered.any(axis=0).all() and (answered.sum(axis=1) >= 2).sum() >= 2 and not answered.all():
            return gappy


def random_set_studies(rng: np.random.Generator) -> Iterator[Study]:
    """Studies whose answers are non-empty sets of labels; half of them with gaps."""
    for i in range(N_SET_STUDIES):
        labels = list(SET_LABELS[: int(rng.integers(3, 6))])
        n_items, n_annotators = int(rng.integers(5, 31)), int(rng.integers(2, 5))
        truth = rng.random((n_items, len(labels))) < 0.4
        flips = rng.random((n_annotators, n_items, len(labels))) < (0.08, 0.2, 0.45)[i % 3]
        codes = np.zeros((n_items, n_annotators), dtype=int)
        if i % 2:
            codes = with_gaps(rng, codes)
        ratings: Ratings = []
        for item in range(n_items):
            row: list[LabelSet | None] = []
            for annotator in range(n_annotators):
                chosen = truth[item] ^ flips[annotator, item]
                if not chosen.any():
                    chosen[int(rng.integers(len(labels)))] = True
                answer = tuple(label for label, yes in zip(labels, chosen, strict=True) if yes)
                row.append(None if codes[item, annotator] < 0 else answer)
            ratings.append(row)
        yield Study(f"set-{i:02d}", "set", list(labels), ratings)


# Asking the peers -------------------------------------------------------------------------------------------


def said(ask: Callable[..., Json], *arguments: Any, **options: Any) -> Json:
    """What a call returned, made fit for JSON; an exception is an answer too."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return plain(ask(*arguments, **options))
    except Exception as problem:  # noqa: BLE001  whatever a peer raises is what we are here to record
        return {"error": f"{type(problem).__name__}: {problem}".strip(": ")}


def plain(value: Json) -> Json:
    """Numbers, lists and dictionaries that JSON can hold, at full precision; an array of one number is that number."""
    if isinstance(value, np.ndarray) and value.size == 1:
        value = value.item()
    if isinstance(value, Mapping):
        return {str(key): plain(part) for key, part in value.items()}
    if isinstance(value, np.ndarray | list | tuple):
        return [plain(part) for part in value]
    if isinstance(value, str | bool) or value is None:
        return value
    if isinstance(value, int | np.integer):
        return int(value)
    number = float(value)
    return number if math.isfinite(number) else {"value": None, "undefined": True}


def confusion(ratings: Ratings, labels: Sequence[Label]) -> Array:
    """The contingency table of two annotators over the declared labels."""
    return np.array([[ratings.count([one, two]) for two in labels] for one in labels])


def with_nan(ratings: Ratings) -> Ratings:
    """The ratings with NaN for missing."""
    return [[np.nan if answer is None else answer for answer in row] for row in ratings]


def irrcac_parts(estimate: Mapping[str, Any]) -> dict[str, Any]:
    """The numbers of irrCAC's ``est`` under short names."""
    low, high = estimate["confidence_interval"]
    return {
        "value": estimate["coefficient_value"],
        "pa": estimate["pa"],
        "pe": estimate["pe"],
        "se": estimate["se"],
        "low": low,
        "high": high,
        "p": estimate["p_value"],
    }


def ask_irrcac_raw(ratings: Ratings, measure: str, **options: Any) -> Json:
    """One coefficient of irrCAC for items x annotators."""
    numeric = all(answer is None or isinstance(answer, int | float) for row in ratings for answer in row)
    frame = pd.DataFrame(ratings, dtype=float if numeric else object)

    def ask() -> dict[str, Any]:
        coefficients = irrCAC.raw.CAC(frame, **{"digits": DIGITS, **options})
        return irrcac_parts(getattr(coefficients, measure)()["est"])

    return said(ask)


def ask_irrcac_table(table: Array, measure: str) -> Json:
    """One coefficient of irrCAC for two annotators' contingency table."""

    def ask() -> dict[str, Any]:
        coefficients = irrCAC.table.CAC(pd.DataFrame(table), digits=DIGITS)
        return irrcac_parts(getattr(coefficients, measure)()["est"])

    return said(ask)


def ask_krippendorff(ratings: Ratings, level: str, labels: Sequence[Label] | None = None) -> Json:
    """Krippendorff's alpha by the package of that name; it wants annotators x items and NaN for missing."""
    columns = list(zip(*with_nan(ratings), strict=True))
    return said(krippendorff.alpha, columns, value_domain=labels, level_of_measurement=level)


def nltk_task(ratings: Ratings, distance: Distance = binary_distance) -> AnnotationTask:
    """NLTK's triples (annotator, item, answer), missing being a triple left out.

    Labels within a set are numbered: NLTK sums over sets in the order of their hashes, and those of text
    change from run to run.
    """
    triples = [
        (annotator, item, frozenset(map(SET_LABELS.index, answer)) if isinstance(answer, tuple) else answer)
        for item, row in enumerate(ratings)
        for annotator, answer in enumerate(row)
        if answer is not None
    ]
    return AnnotationTask(triples, distance=distance)


def ask_nltk(ratings: Ratings, measure: str, distance: Distance = binary_distance) -> Json:
    """One coefficient of NLTK's AnnotationTask."""
    return said(getattr(nltk_task(ratings, distance), measure))


def ask_statsmodels_cohen(table: Array) -> Json:
    """Cohen's kappa, its errors and its maximum by statsmodels, whose weights go by position."""

    def ask(scale: str | None) -> dict[str, Any]:
        result = cohens_kappa(table, wt=scale)
        return {name: result[name] for name in ("kappa", "std_kappa", "std_kappa0", "kappa_max")}

    return {scale or "identity": said(ask, scale) for scale in (None, "linear", "quadratic")}


def ask_sklearn(
    ratings: Ratings, pair: tuple[int, int], labels: Sequence[Label] | None, weights: str | None = None
) -> Json:
    """Cohen's kappa of two annotators on the items both answered, by scikit-learn."""
    both = [(row[pair[0]], row[pair[1]]) for row in ratings]
    both = [(one, two) for one, two in both if one is not None and two is not None]
    ones, twos = [one for one, _ in both], [two for _, two in both]
    return said(cohen_kappa_score, ones, twos, labels=labels, weights=weights)


def everything_said(study: Study, weighted: bool) -> dict[str, Json]:
    """Every peer on one study of single labels."""
    answers: dict[str, Json] = {
        "irrCAC": {
            weights: {
                measure: ask_irrcac_raw(study.ratings, measure, weights=weights, categories=study.labels)
                for measure in RAW_MEASURES
            }
            for weights in ("identity", *(WEIGHTS if weighted else ()))
        },
        "krippendorff": {
            level: ask_krippendorff(study.ratings, level, study.labels)
            for level in (LEVELS if study.kind == "number" else LEVELS[:2])
        },
        "scikit-learn": {
            f"{one}-{two}": [
                ask_sklearn(study.ratings, (one, two), study.labels, weights)
                for weights in (None, "linear", "quadratic")
            ]
            for one, two in combinations(range(study.n_annotators), 2)
        },
        "nltk": {measure: ask_nltk(study.ratings, measure) for measure in NLTK_MEASURES},
    }
    if study.complete:
        counts, (aggregated, _) = study.counts(), aggregate_raters(study.ratings)
        answers["statsmodels"] = {
            "fleiss": said(fleiss_kappa, counts, method="fleiss"),
            "randolph": said(fleiss_kappa, counts, method="randolph"),
            "randolph_aggregated": said(fleiss_kappa, aggregated, method="randolph"),
        }
    if study.complete and study.n_annotators == 2:
        table = confusion(study.ratings, study.labels)
        answers["statsmodels"]["cohen"] = ask_statsmodels_cohen(table)
        answers["irrCAC_table"] = {measure: ask_irrcac_table(table, measure) for measure in TABLE_MEASURES}
    return answers


def everything_said_of_sets(study: Study) -> dict[str, Json]:
    """NLTK on one study of label sets."""
    distances = {"binary": binary_distance, "jaccard": jaccard_distance, "masi": masi_distance}
    return {
        name: {measure: ask_nltk(study.ratings, measure, distance) for measure in ("alpha", "weighted_kappa")}
        for name, distance in distances.items()
    }


# Known defects ----------------------------------------------------------------------------------------------

DEGENERATE: dict[str, Ratings] = {
    "one label only": [["a", "a"]] * 4,
    "one label only, on six items": [["a", "a"]] * 6,
    "one item, disagreement": [["a", "b"]],
    "fewer than two answers per item": [["a", None], [None, "b"], ["b", None], [None, "a"]],
    "one annotator": [["a"], ["b"], ["a"]],
    "all missing": [[None, None], [None, None]],
}
GAPPY: Ratings = [[0, 0, None], [0, 1, 0], [1, 1, 1], [None, 1, 0], [2, 2, None], [2, 0, 2]]
TWO_ANNOTATORS: Ratings = [[1, 1], [1, 2], [2, 2], [2, 4], [4, 4], [4, 2], [1, 1], [2, 1]]
UNLIKE: Ratings = [[1, 1], [1, 2], [1, 2], [2, 2], [2, 4], [2, 4], [4, 4], [1, 1]]


def defects() -> list[dict[str, Json]]:
    """Small studies on which a peer answers badly, with what it answered and why that is bad."""
    return [*degenerate_answers(), *missing_defects(), *scale_defects(), *set_defects(), *inference_defects()]


def defect(name: str, peer: str, shows: str, ratings: Ratings, returned: dict[str, Json]) -> dict[str, Json]:
    """One entry of the list of defects."""
    return {"name": name, "peer": peer, "shows": shows, "ratings": ratings, "returned": returned}


def degenerate_answers() -> Iterator[dict[str, Json]]:
    """Studies without an answer: each peer has its own, and none gives the reason with every measure."""
    for name, ratings in DEGENERATE.items():
        numbers = [[{"a": 0.0, "b": 1.0}.get(answer, np.nan) for answer in row] for row in ratings]
        yield defect(
            name,
            "irrCAC",
            "ZeroDivisionError, nan or 1.0, depending on the coefficient and on rounding (six sixths are not 1)",
            ratings,
            {measure: ask_irrcac_raw(ratings, measure) for measure in RAW_MEASURES},
        )
        yield defect(
            name,
            "krippendorff",
            "an exception rather than an undefined value",
            ratings,
            {
                "nominal": ask_krippendorff(ratings, "nominal"),
                "nominal, a and b declared": ask_krippendorff(ratings, "nominal", ["a", "b"]),
            },
        )
        yield defect(
            name,
            "nltk",
            "1.0, ZeroDivisionError, StopIteration or a number, depending on the coefficient",
            ratings,
            {measure: ask_nltk(ratings, measure) for measure in NLTK_MEASURES},
        )
        yield defect(
            name,
            "statsmodels",
            "nan without a reason, or a number where no two answers meet, NaN being taken for a label",
            ratings,
            {"fleiss": said(fleiss_kappa, aggregate_raters(numbers)[0])},
        )
        if len(ratings[0]) == 2:
            yield defect(
                name,
                "scikit-learn",
                "nan with a warning, or an exception",
                ratings,
                {"cohen": ask_sklearn(ratings, (0, 1), None)},
            )


def missing_defects() -> Iterator[dict[str, Json]]:
    """Gaps taken for a label, for a crash, or for nothing at all."""
    with_missing_counted, _ = aggregate_raters(with_nan(GAPPY))
    yield defect(
        "missing counted as a label",
        "statsmodels",
        "aggregate_raters makes NaN a label, and Fleiss' kappa rewards annotators for being silent together",
        GAPPY,
        {"table": plain(with_missing_counted), "fleiss": said(fleiss_kappa, with_missing_counted)},
    )
    uneven = [[2, 0, 0], [2, 1, 0], [0, 3, 0], [1, 1, 0], [0, 0, 2], [1, 0, 2]]
    yield defect(
        "unequal numbers of answers",
        "statsmodels",
        "a bare AssertionError without a message",
        GAPPY,
        {"fleiss": said(fleiss_kappa, uneven)},
    )
    yield defect(
        "gaps crash all but alpha",
        "nltk",
        "pi, S, kappa and multi_kappa end in StopIteration as soon as one answer is missing",
        GAPPY,
        {measure: ask_nltk(GAPPY, measure) for measure in NLTK_MEASURES},
    )
    once: Ratings = [["a", "a"], ["a", "a"], ["a", "b"]]
    task = nltk_task(once)
    task.load_array((answer["coder"], answer["item"], answer["labels"]) for answer in list(task.data))
    yield defect(
        "every answer given twice",
        "nltk",
        "repeats enter the marginals but not the pairs, so chances sum to more than 1 and so does the kappa",
        once,
        {"kappa": said(task.kappa), "pi": said(task.pi)},
    )
    absent: Ratings = [[1, 1, None], [2, 2, None], [1, 2, None], [1, 1, None]]
    yield defect(
        "an annotator who never answered",
        "irrCAC",
        "Conger's kappa is nan because of the empty column; the other coefficients ignore it",
        absent,
        {measure: ask_irrcac_raw(absent, measure) for measure in RAW_MEASURES},
    )
    yield defect(
        "missing written as None",
        "krippendorff",
        "None makes an object array, which is refused",
        GAPPY,
        {"nominal": said(krippendorff.alpha, np.array(GAPPY).T, level_of_measurement="nominal")},
    )
    spelled: Ratings = [["nan", "nan"], ["nan", "naan"], ["roti", "roti"], ["naan", "naan"], ["nan", "nan"]]
    yield defect(
        "a label spelled nan",
        "krippendorff",
        "the text is taken for missing",
        spelled,
        {"nominal": ask_krippendorff(spelled, "nominal")},
    )


def scale_defects() -> Iterator[dict[str, Json]]:
    """Labels that were possible, their order and their distances."""
    yield defect(
        "a label nobody used is dropped",
        "scikit-learn",
        "without labels= the step from 2 to 4 counts as one; with the scale 1 to 4 declared it counts as two",
        TWO_ANNOTATORS,
        {
            "linear": ask_sklearn(TWO_ANNOTATORS, (0, 1), None, "linear"),
            "linear, 1 to 4 declared": ask_sklearn(TWO_ANNOTATORS, (0, 1), [1, 2, 3, 4], "linear"),
        },
    )
    halves: Ratings = [[0.5, 0.5], [0.5, 1.5], [1.5, 1.5], [2.0, 2.0]]
    yield defect(
        "fractions are refused",
        "scikit-learn",
        "labels that are numbers but not whole raise ValueError, even for the unweighted kappa",
        halves,
        {"cohen": ask_sklearn(halves, (0, 1), None)},
    )
    yield defect(
        "declared numbers out of order",
        "irrCAC",
        "the weights are sorted and the counts are not, so the same labels in another order change the value",
        TWO_ANNOTATORS,
        {
            f"fleiss, {order}": ask_irrcac_raw(TWO_ANNOTATORS, "fleiss", weights="linear", categories=order)
            for order in ([1, 2, 4], [2, 1, 4])
        },
    )
    yield defect(
        "zero on a ratio scale",
        "irrCAC",
        "ratio weights raise although only the pair (0, 0) is in doubt and krippendorff answers",
        GAPPY,
        {
            "fleiss, ratio": ask_irrcac_raw(GAPPY, "fleiss", weights="ratio"),
            "krippendorff, ratio": ask_krippendorff(GAPPY, "ratio"),
        },
    )
    yield defect(
        "the maximum of a weighted kappa",
        "statsmodels",
        "kappa_max ignores the weights and is that of the unweighted kappa",
        UNLIKE,
        ask_statsmodels_cohen(confusion(UNLIKE, [1, 2, 4])),
    )


def set_defects() -> Iterator[dict[str, Json]]:
    """Label sets in NLTK."""
    fear, joy, both = ("fear",), ("joy",), ("fear", "joy")
    empty: Ratings = [[(), fear], [fear, both], [joy, joy], [both, both]]
    yield defect(
        "the empty set",
        "nltk",
        "one empty set is enough to divide by zero, because it is compared with itself",
        empty,
        {
            "jaccard": ask_nltk(empty, "alpha", jaccard_distance),
            "masi": ask_nltk(empty, "alpha", masi_distance),
        },
    )
    full: Ratings = [[both, fear], [fear, both], [joy, joy], [both, both]]
    yield defect(
        "a distance on one side only",
        "nltk",
        "pi, S, kappa and multi_kappa use the distance for the observed agreement, not for the expected one",
        full,
        {
            measure: ask_nltk(full, measure, jaccard_distance)
            for measure in ("pi", "S", "multi_kappa", "kappa", "weighted_kappa")
        },
    )


def inference_defects() -> Iterator[dict[str, Json]]:
    """Errors, intervals and p-values."""
    yield defect(
        "five digits",
        "irrCAC",
        "values, errors and limits are rounded to five digits unless digits= is given",
        TWO_ANNOTATORS,
        {f"gwet, {digits}": ask_irrcac_raw(TWO_ANNOTATORS, "gwet", digits=digits) for digits in (5, 15)},
    )
    yield defect(
        "confidence below 0.9",
        "irrCAC",
        "only levels from 0.90 to 0.99 are accepted",
        TWO_ANNOTATORS,
        {"gwet": ask_irrcac_raw(TWO_ANNOTATORS, "gwet", confidence_level=0.8)},
    )
    yield defect(
        "a p-value with one side",
        "irrCAC",
        "Brennan-Prediger's p-value is one-sided while those of the other coefficients are two-sided",
        TWO_ANNOTATORS,
        {measure: ask_irrcac_raw(TWO_ANNOTATORS, measure) for measure in ("bp", "gwet")},
    )
    yield defect(
        "alpha's error with unequal numbers of answers",
        "irrCAC",
        "the error is centred on the corrected observed agreement, pa, where irrCAC for R has the plain one",
        GAPPY,
        {"krippendorff": ask_irrcac_raw(GAPPY, "krippendorff")},
    )
    perfect: Ratings = [["a", "a"], ["b", "b"]]
    yield defect(
        "certainty from two items",
        "irrCAC",
        "two items of perfect agreement give a standard error of 1e-15 and a p-value to match",
        perfect,
        {measure: ask_irrcac_raw(perfect, measure) for measure in RAW_MEASURES},
    )
    yield defect(
        "Scott's expected agreement",
        "irrCAC",
        "from a contingency table, Scott's pi reports an expected agreement of 0 that it did not use",
        TWO_ANNOTATORS,
        {"scott": ask_irrcac_table(confusion(TWO_ANNOTATORS, [1, 2, 4]), "scott")},
    )


# Writing ----------------------------------------------------------------------------------------------------


def compact(value: Json) -> str:
    """JSON without spaces; NaN is not allowed to slip through."""
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False, allow_nan=False)


def described(study: Study, answers: Mapping[str, Json]) -> dict[str, Json]:
    """A study and its peers' answers as one JSON object."""
    return {**asdict(study), "peers": answers}


def main() -> None:
    """Make the studies, ask every peer, write the file: one study a line."""
    rng = np.random.default_rng(SEED)
    left = dict(N_WEIGHTED)
    studies = []
    for study in random_studies(rng):
        weighted = left[study.kind] > 0
        left[study.kind] -= weighted
        studies.append(described(study, everything_said(study, weighted)))
    set_studies = [described(study, everything_said_of_sets(study)) for study in random_set_studies(rng)]
    header = {
        "versions": {"python": platform.python_version(), **{name: version(name) for name in PACKAGES}},
        "seed": SEED,
        "irrCAC": f"rounded to {DIGITS} digits; its default would be 5",
        "scikit-learn": "for each pair of annotators: unweighted, linear, quadratic",
    }
    sections = {"studies": studies, "set_studies": set_studies, "defects": defects()}
    lines = [f'{{"header":{compact(header)}']
    for name, entries in sections.items():
        lines.append(f',"{name}":[')
        lines.append(",\n".join(compact(entry) for entry in entries))
        lines.append("]")
    lines.append("}\n")
    TARGET.write_text("\n".join(lines), encoding="utf-8")
    sys.stdout.write(f"{TARGET.name}: {len(studies)} studies, {len(set_studies)} of sets\n")


if __name__ == "__main__":
    main()
