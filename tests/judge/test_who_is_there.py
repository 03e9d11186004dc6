"""Who was left out of a study is judged no more, and is not spoken of."""

from __future__ import annotations

from typing import Any

import pytest

import accord
from accord.errors import InputError, MeasureError
from accord.judge import verdict
from accord.judge.participants import participants_of

ANSWERS = {
    "ana": "aabbabaabbab",
    "ben": "aabbaaaabbab",
    "cleo": "abbbabaabbab",
    "dora": "aabbabaababb",
    "gpt-4": "aabbabaabbab",
    "tagger": "bbaabababaab",
}


def table(**status: str) -> dict[str, list[Any]]:
    """People and two models; somebody with a status has it in all of their rows."""
    rows = [(item, who, label) for who, labels in ANSWERS.items() for item, label in enumerate(labels)]
    item, who, label = (list(column) for column in zip(*rows, strict=True))
    kind = ["model" if name in ("gpt-4", "tagger") else "person" for name in who]
    return {
        "item": item,
        "annotator": who,
        "label": label,
        "kind": kind,
        "status": [status.get(name, "submitted") for name in who],
    }


def study(**status: str) -> accord.Study:
    return accord.Study(table(**status), kind="kind", status="status")


@pytest.mark.parametrize(
    "part",
    [
        study().without_annotators(["tagger"]),
        study().of_annotators(["ana", "ben", "cleo", "dora", "gpt-4"]),
        study().where("annotator", "ana", "ben", "cleo", "dora", "gpt-4"),
        study(tagger="refused").of_annotators(["ana", "ben", "cleo", "dora", "gpt-4"]),
        study(tagger="refused").where("annotator", "ana", "ben", "cleo", "dora", "gpt-4"),
    ],
    ids=["excluded", "chosen", "rows", "chosen, one never read", "rows, one never read"],
)
def test_a_model_that_was_left_out_is_not_judged(part: accord.Study) -> None:
    found = verdict(part, n_resamples=100)
    assert found.models == ("gpt-4",)
    assert "tagger" not in str(found)


def test_a_model_none_of_whose_answers_could_be_read_is_still_there() -> None:
    assert participants_of(study(tagger="refused")).models == ("gpt-4", "tagger")
    assert participants_of(study(tagger="refused").without_annotators(["gpt-4"])).models == ("tagger",)


def test_where_no_model_is_left_it_is_said_which_there_were() -> None:
    with pytest.raises(MeasureError, match=r"no answers of a model are left: 'gpt-4', 'tagger' are left out"):
        verdict(study().of_people())
    with pytest.raises(InputError, match="no annotator 'tagger'; there are 'ana'"):
        verdict(study().without_annotators(["tagger"]), models=["tagger"])


def test_where_all_are_taken_alike_nobody_is_judged() -> None:
    with pytest.raises(MeasureError, match=r"study.all_alike\(\) takes people and models alike. Leave it out"):
        verdict(study().all_alike())


def test_a_person_who_is_not_among_those_named_is_neither_judged_nor_asked() -> None:
    for found in (
        verdict(study().declare_kinds(people=["ana", "ben", "cleo"]), n_resamples=100),
        verdict(study(), people=["ana", "ben", "cleo"], n_resamples=100),
    ):
        assert found.models == ("gpt-4", "tagger")
        assert "Judged against the 3 people; 1 other ('dora') stands aside." in found.notes
        assert found.evaluation["gpt-4"].ceiling is not None
        assert found.evaluation["gpt-4"].ceiling.people == ("ana", "ben", "cleo")
