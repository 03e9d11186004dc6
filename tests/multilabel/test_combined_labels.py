"""Two labels that are given together as a label of their own: recoded by hand, and measured again."""

from __future__ import annotations

from itertools import combinations

import pytest

import accord
from accord import multilabel
from tests.multilabel.studies import drawn, near, ranked, sets, three_ranks, wide
from tests.oracles import multilabel as oracle


@pytest.mark.parametrize("seed", range(30))
@pytest.mark.parametrize("kind", ["ranked", "three ranks", "set"])
def test_agreement_after_is_that_of_answers_recoded_by_hand(seed: int, kind: str) -> None:
    options = {"ranked": ranked, "three ranks": three_ranks, "set": sets}[kind]
    study, labels = drawn(seed, options)
    one, two = sorted(labels)[:2]
    if not any(one in answer and two in answer for item in study for answer in item.values()):
        return
    table = wide(study, "set" if kind == "set" else "ranked")
    found = multilabel.combine_labels(table, pairs=[(two, one)])
    by_hand = [{who: oracle.with_one_label_for_two(answer, one, two) for who, answer in item.items()} for item in study]
    again = wide(by_hand, "set" if kind == "set" else "ranked")
    if kind == "set":
        after = accord.krippendorff_alpha(again, weights="masi")
    else:
        after = accord.rosenberg_binkowski_kappa(again, p=found.before.options["p"])
    assert near(found.after.value, after.value)
    assert near(found.after.observed, after.observed)
    given = sum(one in answer and two in answer for item in study for answer in item.values())
    (row,) = found.pairs
    assert (row["label"], row["answers"]) == (f"{one} + {two}", given)
    together = sum(sum(one in answer and two in answer for answer in item.values()) > 1 for item in study)
    assert row["items"] == together


def test_those_who_exchange_two_labels_agree_once_the_two_are_one() -> None:
    exchanged = [[["ask", "tell"], ["tell", "ask"]]] * 12
    others = [[["ask"], ["ask"]], [["tell"], ["tell"]], [["chat"], ["chat"]], [["chat"], ["tell"]]] * 6
    study = accord.Study.from_wide(exchanged + others, answers="ranked")
    found = multilabel.combine_labels(study, weights="overlap")
    assert found.pairs["label"].tolist() == ["ask + tell"]
    assert found.difference.low > 0
    assert found.difference.paired
    assert "Agreement rises where 24 answers become a label of their own" in found.findings[0]
    assert len(found.findings) == 1  # perfect agreement is 1 before and after
    assert accord.item_classes(study).numbers[3] == 12
    assert accord.item_classes(found.study).numbers[3] == 0


def test_those_who_gave_one_of_the_two_no_longer_agree_in_part() -> None:
    halves = [[["ask", "tell"], ["ask"]], [["ask", "tell"], ["tell"]]] * 8
    others = [[["ask"], ["ask"]], [["tell"], ["tell"]], [["chat"], ["chat"]]] * 6
    study = accord.Study.from_wide([[["ask", "tell"], ["ask", "tell"]], *halves, *others], answers="ranked")
    found = multilabel.combine_labels(study, weights="overlap")
    assert found.difference.high < 0
    assert "Agreement falls" in str(found)


def test_what_products_give_to_one_label_by_construction_is_said() -> None:
    same = [[["ask", "tell"], ["ask", "tell"]], [["chat"], ["chat"]], [["ask"], ["ask"]], [["tell"], ["ask"]]] * 5
    found = multilabel.combine_labels(accord.Study.from_wide(same, answers="ranked"))
    assert found.before.maximum < 1 == found.after.maximum
    assert "one label agrees fully" in found.findings[1]
    assert "weights='overlap'" in found.findings[1]


def test_the_commonest_pair_is_the_one_that_two_gave_on_most_items() -> None:
    often_by_one = [[["a", "b"], ["c"], ["c"]]] * 9
    by_two = [[["b", "c"], ["c", "b"], ["a"]]] * 3 + [[["a", "c"], ["a", "c"], ["a", "c"]]] * 2
    study = accord.Study.from_wide(often_by_one + by_two, answers="ranked")
    found = multilabel.combine_labels(study)
    assert [(row["first"], row["second"], row["items"]) for row in found.pairs] == [("b", "c", 3)]
    both = multilabel.combine_labels(study, pairs=[("a", "b"), ("c", "a")])
    assert both.pairs["answers"].tolist() == [9, 6]
    assert both.study.labels == ("a", "b", "c", "a + b", "a + c")


def test_an_answer_of_three_labels_goes_to_the_pair_that_was_named_first() -> None:
    study = accord.Study.from_wide([[["a", "b", "c"], ["a", "b"]], [["c"], ["c"]]], answers="set")
    first, second = (multilabel.combine_labels(study, pairs=pairs) for pairs in ([*PAIRS], [*reversed(PAIRS)]))
    assert first.pairs["answers"].tolist() == [2, 0]
    assert second.pairs["answers"].tolist() == [1, 1]


PAIRS = (("a", "b"), ("b", "c"))


def test_the_recoded_study_can_be_asked_anything() -> None:
    study, labels = drawn(5, ranked, gaps=False)
    pair = next(
        (one, two) for one, two in combinations(sorted(labels), 2)
        if any({one, two} <= set(answer) for item in study for answer in item.values())
    )  # fmt: skip
    found = multilabel.combine_labels(wide(study, "ranked"), pairs=[pair])
    assert found.study.n_items == len(study)
    assert " + ".join(pair) in found.study.labels
    assert accord.measure(found.study).recommended.value == pytest.approx(
        accord.krippendorff_alpha(found.study, weights="overlap").value
    )
    assert oracle.people(study) == list(found.study.annotators)


def test_numbers_are_combined_too() -> None:
    study = accord.Study.from_wide([[[1, 2], [2, 1]], [[1], [1]], [[2], [1]]] * 4, answers="ranked")
    found = multilabel.combine_labels(study)
    assert found.study.labels == (1, 2, "1 + 2")
    assert found.difference.undefined is None


def test_pairs_that_cannot_be_combined_are_refused_with_the_way_out() -> None:
    study = accord.Study.from_wide([[["a", "b"], ["b"]], [["c"], ["c", "a + b"]]], answers="ranked")
    for pairs, said in (
        ([], "pairs must hold pairs of labels"),
        ("ab", "pairs must hold pairs of labels"),
        (["ab"], "two different labels each"),
        ([("a", "a")], "two different labels each"),
        ([("a", "z")], "must be one of"),
        ([("a", "c")], "labels that an answer gives together"),
        ([("a", "b")], "There is a label 'a \\+ b' already"),
        ([("c", "a + b"), ("a + b", "c")], "each pair once"),
    ):
        with pytest.raises(accord.AccordError, match=said):
            multilabel.combine_labels(study, pairs=pairs)
    with pytest.raises(accord.AccordError, match="no pair is common"):
        multilabel.combine_labels(study)
    with pytest.raises(accord.AccordError, match="is about ranked or set answers; these are single"):
        multilabel.combine_labels(accord.Study.from_pairs(["a"], ["b"]))
    with pytest.raises(accord.AccordError, match="p divides ranked answers, and these are sets"):
        multilabel.combine_labels(accord.Study.from_wide([[["a", "b"], ["a", "b"]]], answers="set"), p=0.6)
