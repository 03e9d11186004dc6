"""Di Eugenio (2000) reads kappa: chance, skew, dependent categories, and the scales in use.

The paper prints six kappas (Table 1), how many agreement tags either coder gave, and how significant the kappas are. It
is wrong, or says less than is so, on three points, which the tests name: kappa is not bound to [0, 1]; alpha is not
kappa but Scott's pi with a correction; and alpha does not give each coder a distribution of their own.
"""

from __future__ import annotations

import math

import pytest

import accord
from accord import findings
from accord.agreement.interpretation import BENCHMARKS
from tests.tables import Figure, load, printed_in

UTTERANCES, ONE, OTHER = 482, 75, 46
TABLE_1 = {"Statement": 0.83, "Listener": 0.72, "Speaker": 0.72, "Other": 0.93, "Answer": 0.79, "Agreement": 0.54}


@printed_in("di-eugenio2000")
def test_accord_computes_what_the_paper_prints_of_the_agreement_tags(figure: Figure) -> None:
    assert figure.computed() == figure.printed()


def with_common(tags: int) -> accord.Study:
    """The table with so many tags that both coders gave."""
    return accord.Study.from_confusion([[tags, ONE - tags], [OTHER - tags, UTTERANCES - ONE - OTHER + tags]])


def test_only_36_common_tags_give_the_printed_kappa() -> None:
    values = {tags: accord.cohen_kappa(with_common(tags)).value for tags in range(OTHER + 1)}
    assert [tags for tags, value in values.items() if round(value, 2) == TABLE_1["Agreement"]] == [36]


def test_the_kappa_of_the_agreement_tags_is_significant_as_printed() -> None:
    """ "All of our K values are significant at p = 0.000005.\""""
    result = accord.cohen_kappa(load("di-eugenio2000").study())
    assert result.test().p < 0.000005
    low, high = result.interval()
    assert 0.4 < low < 0.54 < high < 0.68  # and yet it may be anything from fair to substantial


def test_rarity_raises_the_agreement_expected_of_coders_who_mostly_do_not_tag() -> None:
    """Not tagging alone makes three quarters of all pairs match by chance."""
    result = accord.cohen_kappa(load("di-eugenio2000").study())
    both_silent = (1 - ONE / UTTERANCES) * (1 - OTHER / UTTERANCES)
    assert result.expected == pytest.approx(both_silent + ONE * OTHER / UTTERANCES**2, abs=1e-12)
    assert both_silent > 0.76
    assert result.observed == pytest.approx((36 + 397) / 482)


def test_the_paper_does_not_see_that_the_same_coders_would_agree_better_on_a_frequent_tag() -> None:
    """Grove's argument needs a gold standard, which the paper misses. If one coder's tags are taken for it, the other's
    sensitivity and specificity follow, and with them the kappa of two such coders at any rate.
    """
    curve = findings.base_rate_curve(sensitivity=36 / 46, specificity=397 / 436)
    assert curve.at(46 / 482) < curve.at(0.5) - 0.15


@pytest.mark.parametrize(
    ("scale", "words"),
    [
        ("krippendorff-1980", ["definite", "tentative", "tentative", "definite", "tentative", "discounted"]),
        ("rietveld-van-hout", [None, "substantial", "substantial", None, "substantial", "moderate"]),
        ("grove", ["acceptable", "acceptable", "acceptable", "acceptable", "acceptable", "lower threshold"]),
    ],
)
def test_the_kappas_of_table_1_on_the_scales_that_the_paper_compares(scale: str, words: list[str | None]) -> None:
    for value, word in zip(TABLE_1.values(), words, strict=True):
        found = BENCHMARKS[scale].band(value).word
        assert (found is None) if word is None else (found is not None and word in found)


def test_the_same_tag_of_another_antecedent_is_a_disagreement() -> None:
    """ "Both coders code U as Accept, but disagree on what antecedent U accepts": that counts as a disagreement."""
    table = {
        "item": ["u1", "u1", "u2", "u2", "u3", "u3", "u4", "u4"],
        "annotator": ["one", "other"] * 4,
        "label": ["accept", "accept", "accept", "accept", "none", "none", "reject", "none"],
        "antecedent": ["u0", "u0", "u0", "u1", None, None, "u2", None],
    }
    alone, together, mixed = findings.linked_agreement(table, link="antecedent")
    assert (alone["observed"], together["observed"], mixed["observed"]) == (3 / 4, 2 / 4, 2 / 4)
    assert together["value"] < alone["value"]
    assert mixed["value"] < together["value"]  # chance finds a tag more easily than a tag with its antecedent
    assert mixed["expected"] == alone["expected"]


def test_kappa_is_not_bound_to_zero_as_the_paper_says() -> None:
    """ "Kappa's possible values are constrained to the interval [0, 1].\""""
    assert accord.cohen_kappa(["a", "b"], ["b", "a"]).value == pytest.approx(-1)


def test_alpha_is_not_kappa_as_the_paper_says_but_scotts_pi_with_a_correction() -> None:
    """ "For nominal scales and for two coders the two measures are equivalent": to within 1/(2n) of pi, and not of
    Cohen's kappa where the coders differ in how often they tag.
    """
    study = load("di-eugenio2000").study()
    alpha, pi, kappa = (
        measure(study).value for measure in (accord.krippendorff_alpha, accord.scott_pi, accord.cohen_kappa)
    )
    assert 1 - alpha == pytest.approx((1 - pi) * (1 - 1 / (2 * UTTERANCES)), abs=1e-12)
    assert kappa - pi > 0.003  # and the correction is 0.0005


def test_alpha_pools_the_coders_where_the_paper_puts_it_with_those_that_do_not() -> None:
    """Who gave which answer is all the same to alpha, and not to Cohen's kappa."""
    one, other = ["a"] * 6 + ["b"] * 4, ["a"] * 3 + ["b"] * 7
    swapped = [[x, y] if place % 2 else [y, x] for place, (x, y) in enumerate(zip(one, other, strict=True))]
    alphas = accord.krippendorff_alpha(one, other).value, accord.krippendorff_alpha(swapped).value
    kappas = accord.cohen_kappa(one, other).value, accord.cohen_kappa(swapped).value
    assert alphas[0] == pytest.approx(alphas[1], abs=1e-12)
    assert not math.isclose(kappas[0], kappas[1], abs_tol=0.01)
