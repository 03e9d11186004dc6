"""accord beside five other packages on 200 random studies.

`make_peer_values.py` made the studies and asked the peers; `peer_values.json` holds what they said. Where accord and a
peer differ, a test says so in its name and shows which rule makes the difference.
"""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations, pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import accord
from tests.oracles import coefficients as oracle

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

VALUES: dict[str, Any] = json.loads(Path(__file__).with_name("peer_values.json").read_text(encoding="utf-8"))
EXACT = 1e-9
LIMITS = 1e-8  # irrCAC's limits come from the t quantile of SciPy 1.12, which is right to nine digits
NOISE = 1e-12  # a standard error below this is zero but for rounding

IRRCAC = {
    "fleiss": accord.fleiss_kappa,
    "conger": accord.conger_kappa,
    "gwet": accord.gwet_ac,
    "bp": accord.brennan_prediger_kappa,
}
NLTK = {
    "pi": accord.fleiss_kappa,
    "S": accord.brennan_prediger_kappa,
    "multi_kappa": accord.conger_kappa,
    "kappa": accord.light_kappa,
}


@dataclass(frozen=True, eq=False)
class Case:
    """One random study and what the peers said of it."""

    name: str
    kind: str
    labels: list[Any]
    ratings: list[list[Any]]
    peers: dict[str, Any]

    @cached_property
    def study(self) -> accord.Study:
        return accord.Study.from_wide(
            self.ratings, labels=self.labels, answers="set" if self.kind == "set" else "single"
        )

    @cached_property
    def by_place(self) -> accord.Study:
        """The same answers as places on the scale, for peers whose weights do not look at the labels' values."""
        place = {label: i for i, label in enumerate(self.labels, start=1)}
        codes = [[None if answer is None else place[answer] for answer in row] for row in self.ratings]
        return accord.Study.from_wide(codes, labels=list(place.values()))

    @cached_property
    def used(self) -> list[Any]:
        """The labels that somebody gave."""
        return sorted({answer for row in self.ratings for answer in row if answer is not None})

    @cached_property
    def answered(self) -> list[int]:
        """How many answers each item has."""
        return [sum(answer is not None for answer in row) for row in self.ratings]

    @property
    def complete(self) -> bool:
        return min(self.answered) == len(self.ratings[0])

    @property
    def equally_often_answered(self) -> bool:
        return len({answers for answers in self.answered if answers >= 2}) == 1

    @property
    def one_label(self) -> bool:
        return len(self.used) == 1

    @property
    def lowest(self) -> float:
        """The smallest number on the scale; text has none."""
        return min(self.labels) if self.kind == "number" else math.inf

    @property
    def evenly_spaced(self) -> bool:
        """Are places on the scale as good as the labels' values?"""
        return self.kind == "text" or len({b - a for a, b in pairwise(self.labels)}) <= 1

    def column(self, annotator: int) -> list[Any]:
        return [row[annotator] for row in self.ratings]


STUDIES = [Case(**study) for study in VALUES["studies"]]
(ONE_LABEL,) = (case for case in STUDIES if case.one_label)
DEFINED = [case for case in STUDIES if not case.one_label]


def each(cases: Iterable[Case]) -> pytest.MarkDecorator:
    """A test for each of these studies."""
    return pytest.mark.parametrize("case", list(cases), ids=lambda case: case.name)


each_study = each(STUDIES)
each_defined_study = each(DEFINED)
each_complete_study = each(case for case in DEFINED if case.complete)
each_study_of_two = each(case for case in DEFINED if case.complete and len(case.ratings[0]) == 2)
each_study_of_sets = each(Case(**study) for study in VALUES["set_studies"])


def failed(said: Any) -> bool:
    """Did the peer raise an exception?"""
    return isinstance(said, dict) and "error" in said


def number(said: Any) -> float:
    """What the peer said, NaN where that was not a number."""
    return math.nan if said == {"value": None, "undefined": True} else float(said)


def same(said: Any) -> Any:
    """The peer's number, to compare with."""
    return pytest.approx(number(said), abs=EXACT, rel=0, nan_ok=True)


# irrCAC ---------------------------------------------------------------------------------------------------------------


def irrcac(case: Case, *measures: str) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """What irrCAC answered: weights, measure, parts. Its failures have tests of their own."""
    for weights, answers in case.peers["irrCAC"].items():
        for measure in measures:
            if weights != "ratio" or case.lowest > 0:
                yield weights, measure, answers[measure]


@each_defined_study
def test_irrcac_gives_the_same_value_parts_error_limits_and_p_value(case: Case) -> None:
    for weights, measure, said in irrcac(case, *IRRCAC):
        result = IRRCAC[measure](case.study, weights=weights)
        assert result.value == same(said["value"]), (measure, weights)
        assert result.observed == same(said["pa"]), (measure, weights)
        assert result.expected == same(said["pe"]), (measure, weights)
        check_inference(result, said, sides=1 if measure == "bp" else 2)


def check_inference(result: accord.Agreement, said: dict[str, Any], sides: int = 2) -> None:
    """Gwet's published error, its limits, and the p-value: accord's has two sides.

    irrCAC gives limits below −1, and limits however few items speak; accord ends at −1, has the exact bound where all
    agree (irrCAC: no width, or one that comes from items with a single answer), and widens or refuses.
    """
    interval = result.interval(method="gwet")
    if interval.method == "exact":
        assert said["value"] == same(1.0)
        return
    assert interval.se == same(said["se"]), result.title
    if interval.undefined or interval.fisher:
        return
    assert interval.low == pytest.approx(max(said["low"], -1.0), abs=LIMITS), result.title
    assert interval.high == pytest.approx(said["high"], abs=LIMITS), result.title
    if interval.se > NOISE:
        assert result.test(method="gwet").p * sides / 2 == same(said["p"]), result.title


def test_irrcac_gives_brennan_and_prediger_a_p_value_with_one_side() -> None:
    said = defect("irrCAC", "a p-value with one side")
    for measure, sides in (("bp", 1), ("gwet", 2)):
        p = IRRCAC[measure](said.study).test(method="gwet").p
        assert said.returned[measure]["p"] == pytest.approx(p * sides / 2)


def test_irrcac_gives_percent_agreement_as_the_observed_part() -> None:
    for case in DEFINED:
        said = case.peers["irrCAC"]["identity"]["fleiss"]
        assert accord.percent_agreement(case.study).value == same(said["pa"]), case.name


@each_defined_study
def test_irrcac_gives_the_same_alpha_from_parts_that_one_answer_in_n_pulls_towards_one(case: Case) -> None:
    """irrCAC lets chance draw the same answer twice, and makes up for it in the observed part: 1/n of each is 1."""
    for weights, _, said in irrcac(case, "krippendorff"):
        alpha = accord.krippendorff_alpha(case.study, weights=weights)
        pull = 1 / alpha.n_answers
        assert alpha.value == same(said["value"]), weights
        assert (1 - pull) * alpha.observed + pull == same(said["pa"]), weights
        assert (1 - pull) * alpha.expected + pull == same(said["pe"]), weights
        if case.equally_often_answered:  # else irrCAC's error is another: see below
            check_inference(alpha, said)


@each_defined_study
def test_irrcac_for_python_centres_alphas_error_on_the_pulled_observed_part(case: Case) -> None:
    """irrCAC for R centres it on the plain one, as the linearisation asks and accord does."""
    plain, pulled = oracle.gwet_alpha_errors(case.ratings, case.labels)
    assert accord.krippendorff_alpha(case.study).interval(method="gwet").se == pytest.approx(plain, abs=EXACT)
    assert case.peers["irrCAC"]["identity"]["krippendorff"]["se"] == pytest.approx(pulled, abs=EXACT)


@each_study_of_two
def test_irrcac_divides_by_n_in_errors_from_a_table_and_accord_by_n_minus_1(case: Case) -> None:
    measures = {
        "cohen": accord.cohen_kappa,
        "scott": accord.scott_pi,
        "gwet": accord.gwet_ac,
        "bp": accord.brennan_prediger_kappa,
        "krippendorff": accord.krippendorff_alpha,
        "pa2": accord.percent_agreement,
    }
    n = len(case.ratings)
    for name, measure in measures.items():
        result, said = measure(case.study), case.peers["irrCAC_table"][name]
        assert result.value == same(said["value"]), name
        assert result.interval(method="gwet").se * math.sqrt((n - 1) / n) == same(said["se"]), name


@each(case for case in DEFINED if case.lowest == 0 and "ratio" in case.peers["irrCAC"])
def test_irrcac_refuses_zero_on_a_ratio_scale_where_only_zero_with_zero_is_in_doubt(case: Case) -> None:
    """Two zeros are the same, so accord measures on."""
    assert all(failed(said) for said in case.peers["irrCAC"]["ratio"].values())
    assert accord.fleiss_kappa(case.study, weights="ratio").undefined is None


@each(case for case in DEFINED if case.lowest < 0)
def test_peers_take_ratios_of_negative_numbers_and_accord_refuses(case: Case) -> None:
    assert not failed(case.peers["krippendorff"]["ratio"])
    with pytest.raises(accord.AccordError, match="not negative"):
        accord.fleiss_kappa(case.study, weights="ratio")
    with pytest.raises(accord.AccordError, match="not negative"):
        accord.krippendorff_alpha(case.study, level="ratio")


# krippendorff ---------------------------------------------------------------------------------------------------------


@each_study
def test_krippendorff_gives_the_same_alpha_at_every_level(case: Case) -> None:
    for level, said in case.peers["krippendorff"].items():
        if level != "ratio" or case.lowest >= 0:
            assert accord.krippendorff_alpha(case.study, level=level).value == same(said), level


# scikit-learn ---------------------------------------------------------------------------------------------------------


def sklearn(case: Case, scale: str) -> Iterator[tuple[int, int, Any]]:
    """What scikit-learn answered for each pair of annotators who met."""
    place = ("identity", "linear", "quadratic").index(scale)
    for one, two in combinations(range(len(case.ratings[0])), 2):
        said = case.peers["scikit-learn"][f"{one}-{two}"][place]
        if not failed(said):
            yield one, two, said


@each_study
def test_scikit_learn_gives_every_two_annotators_the_same_kappa(case: Case) -> None:
    kappas = kappas_of_pairs(case.study, "identity")
    for one, two, said in sklearn(case, "identity"):
        assert kappas[one, two] == same(said), (one, two)


def test_scikit_learn_gives_two_sequences_the_same_kappa() -> None:
    for case in STUDIES:
        for one, two, said in sklearn(case, "identity"):
            if (one, two) == (0, 1):
                kappa = accord.cohen_kappa(case.column(0), case.column(1), labels=case.labels)
                assert kappa.value == same(said), case.name


@each_study
def test_scikit_learn_weighs_labels_by_place_and_accord_weighs_numbers_by_value(case: Case) -> None:
    """So they agree on evenly spaced labels, and on others when accord is given the places."""
    for scale in ("linear", "quadratic"):
        by_place = kappas_of_pairs(case.by_place, scale)
        by_value = kappas_of_pairs(case.study, scale) if case.evenly_spaced else by_place
        for one, two, said in sklearn(case, scale):
            assert by_place[one, two] == same(said), (scale, one, two)
            assert by_value[one, two] == same(said), (scale, one, two)


def kappas_of_pairs(study: accord.Study, weights: str) -> dict[tuple[int, int], float]:
    """Cohen's kappa of every two annotators who met."""
    rows = accord.pairwise(study, "cohen_kappa", weights=weights)
    return {(int(row["first"]) - 1, int(row["second"]) - 1): row["value"] for row in rows}


def test_scikit_learn_gives_another_weighted_kappa_for_unevenly_spaced_numbers() -> None:
    case = next(case for case in STUDIES if case.name == "006-number-agreeing")
    one, two, said = next(answer for answer in sklearn(case, "linear") if answer[:2] == (0, 2))
    assert case.labels == [1, 2, 4, 8, 16]
    assert said == pytest.approx(kappas_of_pairs(case.by_place, "linear")[one, two])
    assert said != pytest.approx(kappas_of_pairs(case.study, "linear")[one, two], abs=0.1)


# NLTK -----------------------------------------------------------------------------------------------------------------


@each_defined_study
def test_nltk_gives_the_same_alpha(case: Case) -> None:
    assert accord.krippendorff_alpha(case.study).value == same(case.peers["nltk"]["alpha"])


@each_complete_study
def test_nltk_gives_the_same_kappas_where_every_annotator_answered_everything(case: Case) -> None:
    for name in ("pi", "multi_kappa"):
        assert NLTK[name](case.study).value == same(case.peers["nltk"][name]), name


@each_complete_study
def test_nltk_knows_only_the_labels_that_were_used(case: Case) -> None:
    """So its S is accord's when the unused labels are not declared."""
    undeclared = accord.Study.from_wide(case.ratings)
    assert accord.brennan_prediger_kappa(undeclared).value == same(case.peers["nltk"]["S"])


@each_complete_study
def test_nltk_takes_an_undefined_pair_for_one_in_full_agreement_and_accord_leaves_it_out(case: Case) -> None:
    kappas = [row["value"] for row in accord.pairwise(case.study, "cohen_kappa")]
    filled = [1.0 if math.isnan(kappa) else kappa for kappa in kappas]
    assert sum(filled) / len(filled) == same(case.peers["nltk"]["kappa"])
    if filled == kappas:
        assert accord.light_kappa(case.study).value == same(case.peers["nltk"]["kappa"])


def test_nltk_gives_another_light_kappa_where_some_annotators_gave_one_label_only() -> None:
    """Three of six gave nothing but 2, so 3 of 15 pairs are undefined: 1.0 in their place makes 0.18 of -0.02."""
    case = next(case for case in STUDIES if case.name == "129-number-skewed")
    light = accord.light_kappa(case.study)
    assert case.peers["nltk"]["kappa"] == pytest.approx(0.18473118)
    assert light.value == pytest.approx(-0.01908602)
    assert light.notes == ("3 pairs of annotators have an undefined kappa and are left out.",)


@each_study_of_sets
def test_nltk_gives_label_sets_the_same_alpha(case: Case) -> None:
    for distance, weights in (("binary", "identity"), ("jaccard", "jaccard"), ("masi", "masi")):
        said = case.peers[distance]
        assert accord.krippendorff_alpha(case.study, weights=weights).value == same(said["alpha"]), distance
        if case.complete:
            assert accord.light_kappa(case.study, weights=weights).value == same(said["weighted_kappa"]), distance


# statsmodels ----------------------------------------------------------------------------------------------------------


@each_complete_study
def test_statsmodels_gives_the_same_fleiss_and_randolph(case: Case) -> None:
    said = case.peers["statsmodels"]
    counts = [[row.count(label) for label in case.labels] for row in case.ratings]
    for study in (case.study, accord.Study.from_counts(counts, labels=case.labels)):
        assert accord.fleiss_kappa(study).value == same(said["fleiss"])
        assert accord.brennan_prediger_kappa(study).value == same(said["randolph"])


@each_complete_study
def test_statsmodels_drops_unused_labels_when_it_makes_the_counts(case: Case) -> None:
    """So its Randolph is then accord's when the unused labels are not declared."""
    undeclared = accord.Study.from_wide(case.ratings)
    said = case.peers["statsmodels"]["randolph_aggregated"]
    assert accord.brennan_prediger_kappa(undeclared).value == same(said)


@each_study_of_two
def test_statsmodels_divides_by_n_in_cohens_error_and_accord_by_n_minus_1(case: Case) -> None:
    n = len(case.ratings)
    table = [[case.ratings.count([one, two]) for two in case.labels] for one in case.labels]
    study = accord.Study.from_confusion(table, labels=range(len(table)))
    for weights, said in case.peers["statsmodels"]["cohen"].items():
        result = accord.cohen_kappa(study, weights=weights)
        assert result.value == same(said["kappa"]), weights
        assert result.interval().se * math.sqrt((n - 1) / n) == same(said["std_kappa"]), weights


# What no peer says ----------------------------------------------------------------------------------------------------


def test_a_peer_fails_only_for_a_reason_we_know() -> None:
    for case in STUDIES:
        for (peer, *where, measure), message in failures(case.peers):
            if peer == "nltk":
                known = "StopIteration" in message and not case.complete and measure != "alpha"
            elif "You have 0 as a category" in message:
                known = where == ["ratio"] and 0 in case.labels
            elif "continuous is not supported" in message:
                known = peer == "scikit-learn" and any(label != int(label) for label in case.used)
            elif "Found empty input array" in message:
                one, two = (case.column(int(annotator)) for annotator in measure.split("-"))
                known = accord.cohen_kappa(one, two, labels=case.labels).undefined is not None
            else:
                known = (peer, measure) == ("irrCAC", "krippendorff") and case.one_label
            assert known, (case.name, peer, where, measure, message)


def failures(said: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], str]]:
    """Every exception a peer raised, and where."""
    if failed(said):
        yield path, said["error"]
    elif isinstance(said, dict):
        for name, part in said.items():
            yield from failures(part, (*path, name))
    elif isinstance(said, list):
        for part in said:
            yield from failures(part, path)


def test_one_label_is_undefined_with_a_reason_where_peers_say_1_or_nan_or_fail() -> None:
    case, said = ONE_LABEL, ONE_LABEL.peers
    assert said["irrCAC"]["identity"]["fleiss"]["value"] == 1  # nine ninths are not quite 1, so 0/0 is 1 here
    assert failed(said["irrCAC"]["identity"]["krippendorff"])
    assert math.isnan(number(said["irrCAC"]["identity"]["conger"]["value"]))
    assert math.isnan(number(said["statsmodels"]["fleiss"]))
    assert math.isnan(number(said["krippendorff"]["nominal"]))
    assert set(said["nltk"].values()) == {1}
    for measure in (accord.fleiss_kappa, accord.conger_kappa, accord.light_kappa, accord.krippendorff_alpha):
        result = measure(case.study)
        assert math.isnan(result.value)
        assert result.undefined is not None
        assert repr(case.used[0]) in result.undefined
    for name in ("gwet", "bp"):  # their chance does not depend on what was given alone
        assert IRRCAC[name](case.study).value == same(said["irrCAC"]["identity"][name]["value"]) == 1


# Known defects --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Defect:
    """A small study on which a peer answers badly."""

    name: str
    peer: str
    shows: str
    ratings: list[list[Any]]
    returned: dict[str, Any]

    @property
    def study(self) -> accord.Study:
        holds_sets = isinstance(self.ratings[0][0], list)
        return accord.Study.from_wide(self.ratings, answers="set" if holds_sets else "single")


DEFECTS = {(entry["peer"], entry["name"]): Defect(**entry) for entry in VALUES["defects"]}


def defect(peer: str, name: str) -> Defect:
    return DEFECTS[peer, name]


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("one label only", "'a'"),
        ("one label only, on six items", "'a'"),
        ("fewer than two answers per item", "No item has two answers"),
        ("one annotator", "Only one annotator answered"),
        ("all missing", "Nobody answered anything"),
    ],
)
def test_without_an_answer_every_measure_says_why(name: str, reason: str) -> None:
    study = defect("nltk", name).study
    for measure in (*IRRCAC.values(), accord.light_kappa, accord.cohen_kappa, accord.krippendorff_alpha):
        result = measure(study)
        assert math.isnan(result.value)
        assert result.undefined is not None
        assert reason in result.undefined
        assert result.interval().undefined == result.undefined


def test_one_item_has_a_value_without_an_interval_where_irrcac_divides_by_zero() -> None:
    name = "one item, disagreement"
    study, said = defect("nltk", name).study, defect("nltk", name).returned
    assert all(failed(answer) for answer in defect("irrCAC", name).returned.values())
    assert accord.krippendorff_alpha(study).value == said["alpha"] == defect("krippendorff", name).returned["nominal"]
    assert accord.fleiss_kappa(study).value == said["pi"] == defect("statsmodels", name).returned["fleiss"]
    assert accord.cohen_kappa(study).value == said["kappa"] == defect("scikit-learn", name).returned["cohen"]
    assert accord.fleiss_kappa(study).interval().undefined is not None


def test_irrcac_turns_from_an_exception_to_1_when_two_items_of_the_only_label_are_added() -> None:
    assert failed(defect("irrCAC", "one label only").returned["fleiss"])
    assert defect("irrCAC", "one label only, on six items").returned["fleiss"]["value"] == 1


def test_statsmodels_gives_a_kappa_where_no_two_answers_meet() -> None:
    assert defect("statsmodels", "fewer than two answers per item").returned["fleiss"] == pytest.approx(-0.6)


def test_statsmodels_counts_missing_as_a_label() -> None:
    said = defect("statsmodels", "missing counted as a label")
    missing = [["missing" if answer is None else str(answer) for answer in row] for row in said.ratings]
    assert accord.fleiss_kappa(accord.Study.from_wide(missing)).value == pytest.approx(said.returned["fleiss"])
    assert accord.fleiss_kappa(said.study).value == pytest.approx(0.40706, abs=5e-6)
    assert failed(defect("statsmodels", "unequal numbers of answers").returned["fleiss"])


def test_nltk_fails_on_gaps_in_all_but_alpha() -> None:
    said = defect("nltk", "gaps crash all but alpha")
    assert accord.krippendorff_alpha(said.study).value == pytest.approx(said.returned["alpha"])
    for name, measure in NLTK.items():
        assert failed(said.returned[name]), name
        assert measure(said.study).undefined is None, name


def test_nltk_exceeds_1_when_answers_are_given_twice_and_accord_refuses_them() -> None:
    said = defect("nltk", "every answer given twice")
    assert min(said.returned.values()) > 1
    rows = [(item, who, tag) for item, row in enumerate(said.ratings) for who, tag in enumerate(row)]
    items, annotators, labels = zip(*rows, *rows, strict=True)
    with pytest.raises(accord.AccordError):
        accord.Study({"item": items, "who": annotators, "tag": labels}, item="item", annotator="who", label="tag")


def test_irrcac_loses_congers_kappa_to_an_annotator_who_never_answered() -> None:
    said = defect("irrCAC", "an annotator who never answered")
    assert math.isnan(number(said.returned["conger"]["value"]))
    assert accord.conger_kappa(said.study).value == pytest.approx(0.5)
    for name in ("fleiss", "gwet", "bp"):
        assert IRRCAC[name](said.study).value == same(said.returned[name]["value"]), name


def test_krippendorff_takes_the_label_nan_for_missing() -> None:
    said = defect("krippendorff", "a label spelled nan")
    silent = [[None if label == "nan" else label for label in row] for row in said.ratings]
    assert said.returned["nominal"] == accord.krippendorff_alpha(accord.Study.from_wide(silent)).value == 1
    assert accord.krippendorff_alpha(said.study).value == pytest.approx(0.70968, abs=5e-6)


def test_krippendorff_refuses_none() -> None:
    said = defect("krippendorff", "missing written as None")
    assert failed(said.returned["nominal"])
    assert accord.krippendorff_alpha(said.study).undefined is None


def test_scikit_learn_drops_a_label_nobody_used_from_the_scale() -> None:
    """accord weighs numbers by value, so 1, 2, 4 are as far apart with 3 declared as without."""
    said = defect("scikit-learn", "a label nobody used is dropped")
    declared = accord.Study.from_wide(said.ratings, labels=[1, 2, 3, 4])
    for study in (said.study, declared):
        kappa = accord.cohen_kappa(study, weights="linear").value
        assert kappa == pytest.approx(said.returned["linear, 1 to 4 declared"])
        assert kappa != pytest.approx(said.returned["linear"])


def test_scikit_learn_refuses_labels_that_are_fractions() -> None:
    said = defect("scikit-learn", "fractions are refused")
    assert failed(said.returned["cohen"])
    assert accord.cohen_kappa(said.study).value == pytest.approx(7 / 11)


def test_irrcac_mixes_up_declared_numbers_out_of_order() -> None:
    said = defect("irrCAC", "declared numbers out of order")
    values = [said.returned[f"fleiss, {order}"]["value"] for order in ([1, 2, 4], [2, 1, 4])]
    assert values[0] != pytest.approx(values[1])
    for order in ([1, 2, 4], [2, 1, 4]):
        study = accord.Study.from_wide(said.ratings, labels=order)
        assert accord.fleiss_kappa(study, weights="linear").value == pytest.approx(values[0])


def test_irrcac_refuses_the_zero_that_krippendorff_takes() -> None:
    said = defect("irrCAC", "zero on a ratio scale")
    assert failed(said.returned["fleiss, ratio"])
    alpha = accord.krippendorff_alpha(said.study, level="ratio")
    assert alpha.value == pytest.approx(said.returned["krippendorff, ratio"])


def test_statsmodels_gives_weighted_kappas_the_maximum_of_the_unweighted_one() -> None:
    said = defect("statsmodels", "the maximum of a weighted kappa").returned
    for scale in ("identity", "linear", "quadratic"):
        assert said[scale]["kappa_max"] == pytest.approx(7 / 11), scale


def test_nltk_divides_by_zero_on_an_empty_set() -> None:
    said = defect("nltk", "the empty set")
    for weights in ("jaccard", "masi"):
        assert failed(said.returned[weights]), weights
        assert accord.krippendorff_alpha(said.study, weights=weights).undefined is None, weights


def test_nltk_uses_a_distance_for_observed_agreement_and_none_for_expected() -> None:
    said = defect("nltk", "a distance on one side only")
    weighted, plain = (accord.conger_kappa(said.study, weights=weights) for weights in ("jaccard", "identity"))
    mixture = (weighted.observed - plain.expected) / (1 - plain.expected)
    assert said.returned["multi_kappa"] == pytest.approx(mixture)
    assert said.returned["weighted_kappa"] == pytest.approx(weighted.value)
    assert weighted.value < mixture


def test_irrcac_rounds_to_five_digits_unless_told() -> None:
    said = defect("irrCAC", "five digits").returned
    for part in ("value", "pa", "pe", "se", "low", "high"):
        assert said["gwet, 5"][part] == round(said["gwet, 15"][part], 5), part


def test_irrcac_refuses_confidence_below_90_percent() -> None:
    said = defect("irrCAC", "confidence below 0.9")
    assert failed(said.returned["gwet"])
    assert accord.gwet_ac(said.study).interval(confidence=0.8).undefined is None


def test_irrcac_says_that_scott_expects_nothing_from_a_table() -> None:
    said = defect("irrCAC", "Scott's expected agreement")
    pi = accord.scott_pi(said.study)
    assert said.returned["scott"]["pe"] == 0
    assert said.returned["scott"]["value"] == same(pi.value)
    assert pi.expected == pytest.approx(0.34375)


def test_irrcac_for_python_differs_from_irrcac_for_r_in_alphas_error() -> None:
    said = defect("irrCAC", "alpha's error with unequal numbers of answers")
    case = Case("gaps", "number", [0, 1, 2], said.ratings, {})
    plain, pulled = oracle.gwet_alpha_errors(case.ratings, case.labels)
    assert said.returned["krippendorff"]["se"] == pytest.approx(pulled)
    assert accord.krippendorff_alpha(said.study).interval(method="gwet").se == pytest.approx(plain)


def test_irrcac_writes_1e_15_for_an_error_of_zero() -> None:
    said = defect("irrCAC", "certainty from two items")
    for name, measure in IRRCAC.items():
        assert said.returned[name]["se"] == 1e-15, name
        assert measure(said.study).interval(method="gwet").se == 0, name
