"""Ranked answers of which several labels share a rank: kept, written again, and measured by their shares."""

from __future__ import annotations

import copy
import json
import random
from collections.abc import Sequence
from itertools import combinations, permutations
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import accord
from accord import multilabel
from accord.annotations.answers import TiedMembers
from accord.coefficients.weights import split_mass
from accord.errors import MeasureError
from accord.study.label_changes import relabelled, with_combined
from tests.multilabel.studies import drawn, near, wide
from tests.oracles import multilabel as oracle

JOY: list[Any] = ["joy", ["fear", "anger"]]


def tied(labels: Sequence[str]) -> list[Any]:
    """One label; two in order; one before, or after, two that are tied; two that are tied."""
    couples = list(combinations(sorted(labels), 2))
    before = [(one, both) for both in couples for one in labels if one not in both]
    after = [(both, one) for one, both in before]
    return [*((label,) for label in labels), *permutations(labels, 2), *before, *after, *((both,) for both in couples)]


def one(answer: Any, labels: Sequence[str] = ("anger", "fear", "joy")) -> accord.Study:
    return accord.Study.from_wide([[answer, ["joy"]]], answers="ranked", labels=labels)


def texts(study: accord.Study) -> set[str]:
    return {str(study.answers.value(place)) for place in range(len(study.answers))}


# -- what they are ---------------------------------------------------------------------------------------------------


def test_tied_labels_stand_with_equal_signs_and_as_a_list_within_the_list() -> None:
    study = one(JOY)
    assert texts(study) == {"joy", "joy > anger = fear"}
    value = study.answers.value(1)
    assert json.loads(json.dumps(value)) == ["joy", ["anger", "fear"]]
    assert texts(one(value)) == texts(study), "a value can be given again"


@pytest.mark.parametrize("ranks", [(1, 2, 2), (1, 3, 2)])
def test_labels_of_one_rank_are_tied(ranks: tuple[int, ...]) -> None:
    rows = {"item": [1] * 4, "annotator": ["ana"] * 3 + ["ben"], "label": ["joy", "fear", "anger", "joy"]}
    study = accord.Study({**rows, "rank": [*ranks, 1]})
    assert texts(study) == {"joy", "joy > anger = fear" if ranks[1] == ranks[2] else "joy > anger > fear"}


def test_the_next_rank_may_count_the_tied_labels_or_not() -> None:
    def answers(*ranks: int) -> set[str]:
        return texts(accord.Study({"item": [1] * 4, "annotator": ["ana"] * 4, "label": list("abcd"), "rank": ranks}))

    assert answers(1, 2, 2, 3) == answers(1, 2, 2, 4) == {"a > b = c > d"}


def test_a_tied_answer_is_another_than_the_same_labels_in_order() -> None:
    study = accord.Study.from_wide(
        [[JOY, ["joy", "anger", "fear"]], [["joy", ["anger", "fear"]], ["joy"]]], answers="ranked"
    )
    assert study.answers.members == ((2,), TiedMembers((2, 0, 1), (1, 2, 2)), (2, 0, 1))
    assert accord.percent_agreement(study).value == 0.0
    assert copy.deepcopy(study.answers.members) == study.answers.members


def test_ties_survive_a_study_on_another_scale() -> None:
    study = one(JOY)
    assert texts(relabelled(study, ("bad", "joy"), [0, 0, 1])) == {"joy", "joy > bad"}
    assert texts(relabelled(study, ("anger", "fear", "glad"), [0, 1, 2])) == {"glad", "glad > anger = fear"}
    assert texts(with_combined(study, [(0, 2)], ["mixed"])) == {"joy", "mixed > fear"}


def test_cleaning_keeps_ties_and_the_better_rank_of_a_label_that_became_another() -> None:
    table = {
        "item": [1, 1],
        "annotator": ["ana", "ben"],
        "label": [["Joy", ["fear ", "joy", "n/a"]], ["joy", ["x", "X "]]],
    }
    study = accord.Study(table, answers="ranked", trim=True, fold_case=True, missing=["n/a"])
    assert texts(study) == {"joy > fear", "joy > x"}


# -- written and read again ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["t.csv", "t.tsv", "t.jsonl", "t.parquet"])
def test_ties_are_written_and_read_again(tmp_path: Path, name: str) -> None:
    study = accord.Study.from_wide([[JOY, [["joy", "fear"], "anger"]], [["joy"], ["fear", "joy"]]], answers="ranked")
    again = accord.read(study.write(tmp_path / name))
    assert (again.kind, again.answers.members) == ("ranked", study.answers.members)


def test_lists_within_lists_in_a_file_are_ties(tmp_path: Path) -> None:
    rows = [{"item": 1, "annotator": who, "label": label} for who, label in (("ana", JOY), ("ben", ["fear"]))]
    (tmp_path / "t.jsonl").write_text("\n".join(map(json.dumps, rows)))
    assert texts(accord.read(tmp_path / "t.jsonl", answers="ranked")) == {"fear", "joy > anger = fear"}


# -- measured --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("p", [0.5, 0.6, 0.7, 1.0])
def test_tied_labels_share_the_weight_of_their_rank(p: float) -> None:
    assert split_mass(one(JOY).answers, p)[1] == pytest.approx([(1 - p) / 2, (1 - p) / 2, p])


def test_no_label_has_less_than_one_ranked_after_it() -> None:
    study = one([["joy", "fear"], "anger"])
    assert split_mass(study.answers, 0.6)[1] == pytest.approx([1 / 3] * 3), "not 0.3, 0.3 and then 0.4"
    assert split_mass(study.answers, 0.8)[1] == pytest.approx([0.2, 0.4, 0.4])


@pytest.mark.parametrize("seed", range(25))
@pytest.mark.parametrize("weights", ["shared-mass", "overlap"])
def test_kappa_with_ties_is_that_of_the_shares(seed: int, weights: Any) -> None:
    study, _ = drawn(seed, tied)
    slow = oracle.augmented_kappa if weights == "shared-mass" else oracle.overlap_kappa
    for p in (0.5, 0.6, 0.85, 1.0):
        found = accord.rosenberg_binkowski_kappa(wide(study, "ranked"), p=p, weights=weights)
        assert near(found.value, oracle.mean_of_pairs(study, slow, p).value)


@pytest.mark.parametrize("seed", range(6))
def test_the_order_within_a_tie_never_matters(seed: int) -> None:
    study, labels = drawn(seed, tied)
    turned = [
        {who: tuple(h[::-1] if isinstance(h, tuple) else h for h in a) for who, a in item.items()} for item in study
    ]
    one_way, other_way = (wide(each, "ranked", labels) for each in (study, turned))
    assert one_way.answers.members == other_way.answers.members
    for measure in (accord.rosenberg_binkowski_kappa, accord.krippendorff_alpha, accord.percent_agreement):
        assert near(measure(one_way).value, measure(other_way).value)


def test_without_secondary_labels_that_are_tied_the_curve_is_that_of_one_secondary_label_each() -> None:
    # labels b and c always go together: b alone, or both with half its share each, are alike with the overlap
    rng = random.Random(4)
    plain, doubled = [], []
    for _ in range(30):
        answers = [rng.choice((["a"], ["b"], ["a", "b"], ["d", "b"])) for _ in range(3)]
        plain.append(answers)
        doubled.append([[held if held != "b" else ["b", "c"] for held in answer] for answer in answers])
    one_b, both = (accord.Study.from_wide(rows, answers="ranked") for rows in (plain, doubled))
    for p in (0.5, 0.6, 1.0):
        kappas = [accord.rosenberg_binkowski_kappa(study, p=p, weights="overlap").value for study in (one_b, both)]
        assert near(*kappas)


# -- asked of ---------------------------------------------------------------------------------------------------------


def main_and_others(items: int = 25) -> accord.Study:
    """One main behaviour and any number of others, as in coding of conversations."""
    rng = np.random.default_rng(3)
    rows = []
    for item in range(items):
        main = int(rng.integers(4))
        for who in "xyz":
            first = main if rng.random() < 0.8 else int(rng.integers(4))
            others = [label for label in range(4) if label != first and rng.random() < 0.35]
            rows += [(item, who, "abcd"[label], 1 if label == first else 2) for label in (first, *others)]
    names = ("item", "annotator", "label", "rank")
    return accord.Study([dict(zip(names, row, strict=True)) for row in rows])


def test_what_is_asked_of_primary_and_secondary_labels_takes_several_secondary_ones() -> None:
    study = main_and_others()
    assert study.answers.tied.any()
    curve = multilabel.p_curve(study, p=(0.5, 0.75, 1))
    assert curve.results[0].options["p"] == 0.5, "two ranks, however many labels"
    use = multilabel.secondary_use(study)
    given = [study.answers.members[answer] for answer in study._annotations.rows[2].tolist()]
    held = ["".join("abcd"[label] for label in labels[1:]) for labels in given]  # the first alone is primary
    assert list(use.by_label["secondary"]) == [sum(label in labels for labels in held) for label in "abcd"]
    assert sum(use.orders["first_primary"]) + sum(use.orders["second_primary"]) == sum(map(len, held))
    assert "with tied labels are none of these" in use.combinations.notes[-1]
    classes = multilabel.item_classes(study)
    assert sum(classes.numbers) == study.n_items
    assert set(classes.pairs["first"]) <= set("abcd")


def test_explain_gold_and_the_report_take_several_secondary_labels(tmp_path: Path) -> None:
    study = main_and_others()
    assert not [gone for gone in accord.explain(study).not_looked_at if "primary label" in str(gone)]
    assert accord.gold(study, method="majority").n_decided
    assert accord.gold(study, method="sharpening").n_decided
    page = Path(accord.report(study, tmp_path / "r.md")).read_text()
    assert "Primary and secondary labels" in page


def test_where_one_primary_label_is_needed_several_are_refused_with_the_way_out() -> None:
    study = accord.Study.from_wide(
        [[[["a", "b"], "c"], ["a"]], [["b"], ["b", "c"]], [["c"], ["a"]]] * 4, answers="ranked"
    )
    with pytest.raises(MeasureError, match=r"method='majority' takes one primary label, and some .* 'a = b > c'"):
        accord.gold(study, method="majority")
    assert accord.gold(study, method="sharpening").n_decided
    whole = accord.krippendorff_alpha(study, weights="identity")
    with pytest.raises(MeasureError, match=r"weights='overlap'.*answers='set'"):
        whole.by_label()
    assert len(accord.krippendorff_alpha(study, weights="overlap").by_label()) == 3
    reasons = [str(gone) for gone in accord.explain(study).not_looked_at]
    assert any("takes one primary label" in reason for reason in reasons)
