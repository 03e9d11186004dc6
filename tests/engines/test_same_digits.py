"""The same digits from every engine, in every row order: values, parts, intervals and seeded resamples."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import polars as pl
import pytest

import accord
from accord.engine import lazy_annotations
from accord.errors import MeasureError
from tests.engines.handing import sampled

pytestmark = pytest.mark.engine

Lazily = Callable[[pl.DataFrame], Any]


def crowd(items: int, labels: int, answers: int, people: int = 12, seed: int = 0) -> pl.DataFrame:
    """Annotations of a crowd, in random order."""
    rng = np.random.default_rng(seed)
    item = np.repeat(np.arange(items), answers)
    truth = rng.integers(0, labels, items)
    label = np.where(rng.random(len(item)) < 0.6, truth[item], rng.integers(0, labels, len(item)))
    who = np.concatenate([rng.choice(people, answers, replace=False) for _ in range(items)])
    frame = pl.DataFrame(
        {
            "item": [f"item {number}" for number in item],
            "annotator": [f"annotator {number:03}" for number in who],
            "label": [f"label {number:03}" for number in label],
            "topic": [("sport", "politics")[number % 2] for number in item],
        }
    )
    return frame.sample(fraction=1, shuffle=True, seed=seed)


def told(result: accord.Agreement) -> tuple[Any, ...]:
    """Everything that should be the same to the last digit."""
    return (
        result.value, result.observed, result.expected, result.n_items, result.n_annotators, result.n_answers,
        result.interval(), result.interval(method="bootstrap", rng=7, n_resamples=40),
    )  # fmt: skip


@pytest.mark.parametrize(
    ("lazily", "measure"),
    sampled(["conger_kappa", "fleiss_kappa", "krippendorff_alpha", "gwet_ac", "light_kappa"]),
    indirect=["lazily"],
)
def test_an_engine_gives_the_digits_of_memory(studied: Callable[..., accord.Study], measure: str) -> None:
    frame = crowd(60, 4, 3)
    function = getattr(accord, measure)
    assert told(function(studied(frame))) == told(function(accord.Study(frame)))


@pytest.mark.parametrize("labels", [2, 13, 40, 120])
def test_codes_columns_of_codes_and_fingerprints_agree(lazily: Lazily, labels: int) -> None:
    frame = crowd(80, labels, 3)
    assert told(accord.fleiss_kappa(accord.Study(lazily(frame)))) == told(accord.fleiss_kappa(accord.Study(frame)))


def test_a_scale_declared_later_is_that_of_the_engine_too(lazily: Lazily) -> None:
    frame = crowd(40, 3, 3)
    scale = ["label 002", "label 000", "label 003", "label 001"]
    lazy, eager = (accord.Study(data).declare(scale) for data in (lazily(frame), frame))
    assert lazy.describe().labels == eager.describe().labels
    for measure in (accord.krippendorff_alpha, accord.gwet_ac):
        assert told(measure(lazy)) == told(measure(eager))
    assert accord.fleiss_kappa(lazy, by="topic").by_group()["value"].tolist() == (
        accord.fleiss_kappa(eager, by="topic").by_group()["value"].tolist()
    )
    assert [lazy.labels[answer] for answer in np.unique(lazy._annotations.rows[2])] == scale[:2] + scale[3:]


def test_fifteen_hundred_equal_answers_on_one_item_do_not_overflow_silently(lazily: Lazily) -> None:
    many = pl.DataFrame({"item": ["many"] * 1500, "annotator": [f"a{k}" for k in range(1500)], "label": ["p"] * 1500})
    few = pl.DataFrame(
        {
            "item": [f"i{k // 2}" for k in range(40)],
            "annotator": ["a0", "a1"] * 20,
            "label": [f"m{k % 9}" for k in range(40)],
        }
    )
    frame = pl.concat([many, few])
    assert accord.fleiss_kappa(accord.Study(lazily(frame))).value == accord.fleiss_kappa(accord.Study(frame)).value


def test_row_order_changes_nothing(lazily: Lazily) -> None:
    frame = crowd(50, 3, 4)
    first, second = (accord.krippendorff_alpha(accord.Study(lazily(rows))) for rows in (frame, frame.reverse()))
    assert told(first) == told(second)


def test_groups_are_measured_in_the_engine(lazily: Lazily) -> None:
    frame = crowd(60, 3, 3)
    lazy, eager = (accord.fleiss_kappa(accord.Study(data), by="topic").by_group() for data in (lazily(frame), frame))
    assert lazy.to_dict() == eager.to_dict()


def test_sets_of_labels_are_put_together_in_the_engine(lazily: Lazily) -> None:
    frame = pl.concat([crowd(40, 5, 3, seed=1), crowd(40, 5, 3, seed=2)]).unique(["item", "annotator", "label"])
    lazy, eager = (
        accord.krippendorff_alpha(accord.Study(data, answers="set"), weights="masi") for data in (lazily(frame), frame)
    )
    assert told(lazy) == told(eager)


def test_ranked_answers_are_put_together_in_the_engine(lazily: Lazily) -> None:
    first = crowd(40, 4, 3, seed=3)
    second = first.with_columns(label=pl.col("label") + " more").sample(fraction=0.4, seed=5)
    frame = pl.concat([first.with_columns(rank=pl.lit(1, pl.Int64)), second.with_columns(rank=pl.lit(2, pl.Int64))])
    lazy, eager = (accord.rosenberg_binkowski_kappa(accord.Study(data, rank="rank")) for data in (lazily(frame), frame))
    assert (lazy.value, lazy.observed, lazy.expected) == (eager.value, eager.observed, eager.expected)


def test_tied_labels_of_ranked_answers_stay_tied_in_the_engine(lazily: Lazily) -> None:
    first = crowd(40, 4, 3, seed=3)
    others = [first.with_columns(label=pl.col("label") + more).sample(fraction=0.6, seed=5) for more in (" b", " c")]
    ranks = ((first, 1), *((other, 2) for other in others))
    frame = pl.concat([table.with_columns(rank=pl.lit(rank, pl.Int64)) for table, rank in ranks])
    lazy, eager = (accord.Study(data, rank="rank") for data in (lazily(frame), frame))
    assert lazy.answers.members == eager.answers.members
    assert eager.answers.tied.any()
    assert told(accord.rosenberg_binkowski_kappa(lazy)) == told(accord.rosenberg_binkowski_kappa(eager))


def test_tied_labels_in_an_engine_never_add_up_to_other_labels(lazily: Lazily) -> None:
    # with a digit a rank, the second and third label of "b > e = f" would be read as those of "b > c > a"
    answers = [("x", "b", 1), ("x", "f", 2), ("x", "e", 2), ("y", "c", 1), ("y", "d", 2), ("y", "a", 3)]
    who, label, rank = zip(*answers, strict=True)
    frame = pl.DataFrame({"item": [1] * 6, "annotator": who, "label": label, "rank": rank})
    answers_found = accord.Study(lazily(frame), rank="rank").answers
    assert [str(answers_found.value(k)) for k in range(len(answers_found))] == ["b > e = f", "c > d > a"]
    twice = pl.concat([frame, frame.filter(pl.col("rank") == 2)])
    with pytest.raises(accord.AccordError, match="A label stands twice in one answer of"):
        accord.Study(lazily(twice), rank="rank")


def test_a_crowd_that_stays_in_its_engine_has_its_exact_error(lazily: Lazily, monkeypatch: pytest.MonkeyPatch) -> None:
    frame = crowd(80, 3, 4, people=40)
    eager = accord.conger_kappa(accord.Study(frame))
    monkeypatch.setattr(lazy_annotations, "MOST_ROWS", 10)
    lazy = accord.conger_kappa(accord.Study(lazily(frame)))
    assert lazy.value == pytest.approx(eager.value, abs=1e-14)
    assert lazy.interval().se == pytest.approx(eager.interval().se, rel=1e-12)
    with pytest.raises(accord.AccordError, match="analytic"):
        lazy.interval(method="bootstrap")


def test_pairs_of_a_crowd_are_counted_in_the_engine(lazily: Lazily, monkeypatch: pytest.MonkeyPatch) -> None:
    frame = crowd(80, 3, 4, people=40)
    eager = accord.light_kappa(accord.Study(frame))
    monkeypatch.setattr(lazy_annotations, "MOST_ROWS", 10)
    lazy = accord.light_kappa(accord.Study(lazily(frame)))
    assert lazy.value == pytest.approx(eager.value, abs=1e-14)
    assert (lazy.n_items, lazy.n_answers, lazy.notes) == (eager.n_items, eager.n_answers, eager.notes)
    here, there = eager.by_pair(), lazy.by_pair()
    assert here["first"].tolist() == there["first"].tolist()
    assert np.allclose(here["value"].astype(float), there["value"].astype(float), atol=1e-14, equal_nan=True)
    assert np.allclose(here["se"].astype(float), there["se"].astype(float), rtol=1e-12, equal_nan=True)
    assert lazy.interval().se == pytest.approx(eager.interval().se, rel=1e-12)


def test_what_has_a_row_an_item_refuses_to_bring_everything(lazily: Lazily, monkeypatch: pytest.MonkeyPatch) -> None:
    result = accord.fleiss_kappa(accord.Study(lazily(crowd(30, 3, 3))))
    monkeypatch.setattr(lazy_annotations, "MOST_ROWS", 10)
    with pytest.raises(accord.AccordError, match=r"stay in their engine"):
        result.by_item()


def test_rows_without_item_annotator_or_label_are_counted(lazily: Lazily) -> None:
    frame = crowd(20, 3, 3)
    gaps = pl.DataFrame(
        {
            "item": [None, "item 1", "item 2", "item 3"],
            "annotator": ["annotator 000", None, "annotator 900", "annotator 901"],
            "label": ["label 001", "label 001", None, "  "],
            "topic": ["sport"] * 4,
        }
    )
    study = accord.Study(lazily(pl.concat([frame, gaps])))
    assert sum(study.left_out.values()) == 4
    assert accord.fleiss_kappa(study).value == accord.fleiss_kappa(accord.Study(frame)).value


def test_answers_given_twice_are_found_in_the_engine(lazily: Lazily) -> None:
    frame = crowd(20, 3, 3)
    with pytest.raises(accord.AccordError, match="more than once"):
        accord.Study(lazily(pl.concat([frame, frame.head(1)])))


def test_a_filter_that_leaves_nothing_is_an_error(lazily: Lazily) -> None:
    with pytest.raises(accord.AccordError, match="no rows"):
        accord.Study(lazily(crowd(5, 3, 3).head(0)))


def answered_again(people: int) -> pl.DataFrame:
    """A crowd of whom some answer items again, and differently."""
    frame = crowd(60, 4, 3, people=people)
    again = frame.head(60).with_columns(label=pl.Series([f"label {number % 4:03}" for number in range(60)]))
    return pl.concat((frame, again)).sample(fraction=1, shuffle=True, seed=1)


@pytest.mark.parametrize("people", [12, 40])
def test_people_who_answer_again_are_compared_with_others_only_wherever_their_answers_are(
    lazily: Lazily, people: int
) -> None:
    frame = answered_again(people)
    lazy, eager = (accord.Study(data, duplicates="repeat") for data in (lazily(frame), frame))
    for measure in (accord.fleiss_kappa, accord.krippendorff_alpha, accord.conger_kappa, accord.light_kappa):
        assert told(measure(lazy)) == told(measure(eager))
    in_groups = [accord.fleiss_kappa(study, by="topic").by_group() for study in (lazy, eager)]
    assert in_groups[0]["value"].tolist() == in_groups[1]["value"].tolist()
    assert str(accord.self_agreement(lazy)) == str(accord.self_agreement(eager))
    suggested = {f"item {number}": f"label {number % 4:03}" for number in range(60)}
    hazari = [accord.dipietro_hazari_kappa(study, suggested=suggested) for study in (lazy, eager)]
    assert (hazari[0].value, hazari[0].interval()) == (hazari[1].value, hazari[1].interval())


@pytest.mark.parametrize("handed", [True, False])
def test_pairs_that_are_brought_here_have_the_suggestions_of_all_items(lazily: Lazily, handed: bool) -> None:
    by_item = {f"item {number}": f"label {number % 3:03}" for number in range(60)}
    frame = crowd(60, 4, 3).with_columns(guess=pl.col("item").replace_strict(by_item))
    suggested: Any = by_item if handed else "guess"
    lazy, eager = (
        accord.dipietro_hazari_kappa(accord.Study(data), suggested=suggested).by_pair()
        for data in (lazily(frame), frame)
    )
    for column in ("observed", "expected", "value", "se"):
        assert lazy[column] == pytest.approx(eager[column], nan_ok=True)


def test_too_many_answers_to_be_brought_here_are_refused_where_somebody_answered_again(
    lazily: Lazily, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lazy_annotations, "MOST_ROWS", 100)
    study = accord.Study(lazily(answered_again(12)), duplicates="repeat")
    with pytest.raises(MeasureError, match=r"stay in their engine.*collect it yourself"):
        accord.fleiss_kappa(study)
    once = accord.Study(lazily(crowd(60, 4, 3)), duplicates="repeat")
    assert accord.fleiss_kappa(once).value == accord.fleiss_kappa(crowd(60, 4, 3)).value
