"""A model that is kept while it is learned: whatever breaks, the same call goes on and ends with the same digits."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import accord
from accord.consensus import checkpoints
from accord.engine import coded_answers, lazy_annotations

METHODS = ("dawid-skene", "one-coin", "mace")
STAYS: dict[str, Any] = {"iterations": 14, "tolerance": -1.0}  # all iterations run


def crowd(items: int = 60) -> dict[str, list[str]]:
    """Six people of different skill, four of whom answer each item."""
    rng = np.random.default_rng(2)
    truth, rows = rng.integers(0, 3, 100), {"item": list[str](), "annotator": list[str](), "label": list[str]()}
    for item in range(items):
        for who in rng.permutation(6)[:4]:
            said = truth[item] if rng.random() < 0.9 - 0.08 * who else rng.integers(0, 3)
            for name, cell in (("item", f"i{item}"), ("annotator", f"p{who}"), ("label", f"l{said}")):
                rows[name].append(cell)
    return rows


class Broken(Exception):
    """What an engine raises when it is gone, or Ctrl-C."""


@pytest.fixture(scope="module")
def study() -> accord.Study:
    return accord.Study(crowd())


def breaking_at(iteration: int) -> Any:
    def told(done: int, _total: int) -> None:
        if done == iteration:
            raise Broken

    return told


def broken_off(study: accord.Study, path: Path, method: str = "dawid-skene", **options: Any) -> None:
    with pytest.raises(Broken):
        accord.gold(study, method=method, checkpoint=path, progress=breaking_at(6), **{**STAYS, **options})


def went(gold: accord.Gold) -> dict[str, Any]:
    """How its iteration went."""
    return vars(gold.progress)


@pytest.mark.parametrize("method", METHODS)
def test_what_was_broken_off_ends_with_the_same_digits(study: accord.Study, method: str, tmp_path: Path) -> None:
    path = tmp_path / "model"
    broken_off(study, path, method)
    done: list[int] = []
    found = accord.gold(study, method=method, checkpoint=path, progress=lambda at, _: done.append(at), **STAYS)
    whole = accord.gold(study, method=method, **STAYS)
    assert done == list(range(6, 15)), "nothing is done again but the iteration that broke"
    assert went(found) == went(whole)
    assert found.log_likelihood == whole.log_likelihood
    assert np.array_equal(found.confidence, whole.confidence)
    assert found.to_dict() == whole.to_dict(), "where it was kept is no part of what was found"


def test_a_model_that_stands_still_is_not_learned_again(study: accord.Study, tmp_path: Path) -> None:
    path, done = tmp_path / "model", list[int]()
    once = accord.gold(study, method="dawid-skene", checkpoint=path)
    again = accord.gold(study, method="dawid-skene", checkpoint=path, progress=lambda at, _: done.append(at))
    assert len(done) == 1
    assert went(again) == went(once)
    assert again.labels == once.labels


def test_more_iterations_may_be_asked_for(study: accord.Study, tmp_path: Path) -> None:
    path = tmp_path / "model"
    accord.gold(study, method="dawid-skene", checkpoint=path, iterations=4, tolerance=-1.0)
    more = accord.gold(study, method="dawid-skene", checkpoint=path, **STAYS)
    assert went(more) == went(accord.gold(study, method="dawid-skene", **STAYS))


def test_it_is_written_now_and_then_and_not_only_at_the_end(
    study: accord.Study, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "model"
    monkeypatch.setattr(checkpoints, "EVERY", 0.0)
    there: list[bool] = []
    accord.gold(
        study, method="dawid-skene", checkpoint=path, progress=lambda *_: there.append(path.exists()), iterations=3
    )
    assert there == [False, True, True], "a killed process loses no more than an iteration"


@pytest.mark.parametrize(
    "other",
    [{"prior": "mild"}, {"label_shares": "uniform"}, {"known": {"i0": "l0"}}, {"labels": ["l2", "l1", "l0"]}],
)
def test_a_checkpoint_of_another_question_is_refused(
    study: accord.Study, other: dict[str, Any], tmp_path: Path
) -> None:
    broken_off(study, tmp_path / "model")
    frame = crowd()
    with pytest.raises(accord.AccordError, match="another question"):
        accord.gold(frame, method="dawid-skene", checkpoint=tmp_path / "model", **other)


def test_answers_that_came_since_make_another_question(study: accord.Study, tmp_path: Path) -> None:
    broken_off(study, tmp_path / "model")
    with pytest.raises(accord.AccordError, match="another question, by 'answers'"):
        accord.gold(crowd(61), method="dawid-skene", checkpoint=tmp_path / "model")


def test_as_many_other_answers_make_another_question(study: accord.Study, tmp_path: Path) -> None:
    """Two answers exchanged between items: as many answers, by the same people, of the same labels."""
    broken_off(study, tmp_path / "model")
    other = crowd()
    who, said = other["annotator"], other["label"]
    one, two = next(
        (one, two) for one in range(len(said)) for two in range(one) if who[one] == who[two] and said[one] != said[two]
    )
    said[one], said[two] = said[two], said[one]
    with pytest.raises(accord.AccordError, match="another question, by 'who said what'"):
        accord.gold(other, method="dawid-skene", checkpoint=tmp_path / "model", **STAYS)


def test_the_same_answers_in_another_order_are_the_same_question(study: accord.Study, tmp_path: Path) -> None:
    broken_off(study, tmp_path / "model")
    backwards = {name: cells[::-1] for name, cells in crowd().items()}
    found = accord.gold(backwards, method="dawid-skene", checkpoint=tmp_path / "model", **STAYS)
    assert went(found) == went(accord.gold(study, method="dawid-skene", **STAYS))


def test_an_engine_knows_how_often_each_label_was_given(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where answers stay in the engine, who gave which label how often is what is compared."""
    monkeypatch.setattr(coded_answers, "MOST_CODED", 10)
    monkeypatch.setattr(lazy_annotations, "MOST_ROWS", 10)
    frame = pl.DataFrame(crowd())
    broken_off(accord.Study(frame.lazy()), tmp_path / "model")
    went_on = accord.gold(frame.lazy(), method="dawid-skene", checkpoint=tmp_path / "model", **STAYS)
    assert went_on.progress is not None
    assert went_on.progress.iterations == STAYS["iterations"]
    labels = crowd()["label"]
    labels[3] = "l0" if labels[3] != "l0" else "l1"
    other = frame.with_columns(label=pl.Series(labels)).lazy()
    with pytest.raises(accord.AccordError, match="another question, by 'how often each label was given'"):
        accord.gold(other, method="dawid-skene", checkpoint=tmp_path / "model", **STAYS)


def test_a_model_of_another_kind_or_a_damaged_file_is_refused(study: accord.Study, tmp_path: Path) -> None:
    path = tmp_path / "model"
    broken_off(study, path)
    with pytest.raises(accord.AccordError, match="no checkpoint of such a fit"):
        accord.gold(study, method="one-coin", checkpoint=path)
    whole = path.read_bytes()
    for damaged in (whole[: len(whole) // 2], b"", b"not a file of arrays"):
        path.write_bytes(damaged)
        with pytest.raises(accord.AccordError, match="damaged one"):
            accord.gold(study, method="dawid-skene", checkpoint=path)


def test_what_cannot_be_kept_is_refused_before_any_work(study: accord.Study, tmp_path: Path) -> None:
    path = tmp_path / "model"
    with pytest.raises(accord.AccordError, match="restarts"):
        accord.gold(study, method="dawid-skene", checkpoint=path, restarts=2)
    with pytest.raises(accord.AccordError, match="does not take"):
        accord.gold(study, method="majority", checkpoint=path)
    with pytest.raises(accord.AccordError, match="there is no folder"):
        accord.gold(study, method="dawid-skene", checkpoint=tmp_path / "nowhere" / "model")
    with pytest.raises(accord.AccordError, match="checkpoint must be the name of a file"):
        accord.gold(study, method="dawid-skene", checkpoint=5)  # type: ignore[arg-type]
    sets = accord.Study({"item": [1, 1], "annotator": ["a", "b"], "label": [["x"], ["x", "y"]]}, answers="set")
    with pytest.raises(accord.AccordError, match="label by label"):
        accord.gold(sets, method="dawid-skene", checkpoint=path)
    assert not path.exists()
