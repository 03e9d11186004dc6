"""People are measured as people: whose answers count where models and adjudicators answered too."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import polars as pl
import pytest

import accord
from accord.annotations.left_out import Reason
from accord.errors import ColumnMissing, InputError, OptionError
from accord.study.kinds import known_models, people_first

LABELS = {  # two people who agree but for one item, a model that agrees with nobody, and one that copies a person
    "ana": "xxyyxxyyxx",
    "ben": "xxyyxxyyxy",
    "gpt-4": "yxyxyxyxyx",
    "tagger": "xxyyxxyyxx",
}


def table(**kinds: str) -> dict[str, list[Any]]:
    answers = [
        (item, who, labels[item], kinds.get(who, "person")) for who, labels in LABELS.items() for item in range(10)
    ]
    item, annotator, label, kind = (list(column) for column in zip(*answers, strict=True))
    return {"item": item, "annotator": annotator, "label": label, "kind": kind, "part": [str(i % 2) for i in item]}


MODELS = {"gpt-4": "model", "tagger": "llm"}


def study(**roles: Any) -> accord.Study:
    return accord.Study(table(**MODELS), kind="kind", **roles)


def people_alone() -> accord.Study:
    return accord.Study.from_pairs(list(LABELS["ana"]), list(LABELS["ben"]))


@pytest.mark.parametrize("lazy", [False, True])
def test_measure_is_about_people_where_the_kind_column_tells_them_from_models(lazy: bool) -> None:
    data = pl.DataFrame(table(**MODELS)).lazy() if lazy else table(**MODELS)
    found = accord.measure(accord.Study(data, kind="kind"))
    assert found.recommended.measure == "cohen_kappa"
    assert found.recommended.value == pytest.approx(accord.cohen_kappa(people_alone()).value)
    assert found.measured_people is not None
    assert (found.measured_people.people, found.measured_people.models) == (("ana", "ben"), ("gpt-4", "tagger"))
    assert "Measured are the 2 people; 2 models ('gpt-4', 'tagger') stand aside." in str(found)


def test_models_stand_beside_with_values_of_their_own() -> None:
    found = accord.measure(study())
    assert set(found.with_models) == {"models among themselves", "people and models together"}
    together = found.with_models["people and models together"]
    assert together.value == pytest.approx(accord.light_kappa(study()).value)
    assert [row["who"] for row in found.to_dict()["with_models"]] == list(found.with_models)


def test_the_sentence_speaks_of_people() -> None:
    assert accord.measure(study()).recommended.sentence().startswith("Two people gave 20 answers to 10 items.")
    plain = accord.measure(people_alone()).recommended.sentence()
    assert plain.startswith("Two annotators gave 20 answers to 10 items.")
    models = accord.measure(study().of_annotators(["gpt-4", "tagger"])).recommended.sentence()
    assert models.startswith("Two models gave 20 answers to 10 items.")


def test_all_alike_measures_everybody_together() -> None:
    found = accord.measure(study().all_alike())
    assert found.recommended.n_annotators == 4
    assert found.measured_people is not None
    assert not found.measured_people.note


def test_names_of_well_known_models_tell_and_names_of_people_do_not() -> None:
    rows = {name: column for name, column in table().items() if name != "kind"}
    found = accord.Study(rows)
    assert found.models == ("gpt-4",)
    assert found.people == ("ana", "ben", "tagger")
    names = ("gpt4o", "GPT-3.5-turbo", "claude-3-opus", "gemini_flash", "mistral-v03", "llama-31", "o3-mini", "Qwen2.5")
    assert known_models(names) == list(names)
    assert known_models(("Claude", "Gemma", "Phi", "Bert", "Nova", "Mistral", "annotator 4", "o", "yi")) == []


def test_a_name_that_people_have_too_is_a_models_beside_models_and_humans() -> None:
    assert known_models(("human_1", "human_2", "claude")) == ["claude"]
    assert known_models(("ana", "gpt-4o", "Gemini", "Claudette")) == ["gpt-4o", "Gemini"]
    assert known_models(("Humana", "Claude")) == []


def test_the_column_wins_over_names_and_what_is_said_over_both() -> None:
    assert "gpt-4" in accord.Study(table(), kind="kind").people
    said = study().declare_kinds(people=["ana", "tagger"])
    assert (said.people, said.models, said.others) == (("ana", "tagger"), ("gpt-4",), ("ben",))


def test_named_people_are_all_the_people_and_whoever_else_is_no_model_stands_aside() -> None:
    plain = {name: column for name, column in table().items() if name != "kind"}
    said = accord.Study(plain).declare_kinds(people=["ana", "ben"])
    assert (said.people, said.models, said.others) == (("ana", "ben"), ("gpt-4",), ("tagger",))
    found = accord.measure(said)
    assert found.recommended.value == pytest.approx(accord.cohen_kappa(people_alone()).value)
    assert "Measured are the 2 people; 1 model ('gpt-4') and 1 other ('tagger') stand aside." in str(found)
    assert found.to_dict()["measured_people"]["others"] == ["tagger"]


def test_people_are_measured_on_the_labels_that_people_use() -> None:
    rows = table(**MODELS)
    rows["label"][30:] = ["refusal"] * 10  # the tagger's
    found = accord.measure(accord.Study(rows, kind="kind"))
    assert found["gwet_ac"].value == pytest.approx(accord.gwet_ac(people_alone()).value)
    assert found["brennan_prediger_kappa"].value == pytest.approx(accord.brennan_prediger_kappa(people_alone()).value)
    assert not found.recommended.study.answers.declared
    declared = accord.measure(accord.Study(rows, kind="kind", labels=["x", "y", "refusal"]))
    assert declared.recommended.study.labels == ("x", "y", "refusal")


def test_answers_that_models_failed_to_give_are_not_said_to_be_left_out_of_people() -> None:
    rows = table(**MODELS) | {"status": ["submitted"] * 20 + ["refused"] * 3 + ["submitted"] * 17}
    whole = accord.Study(rows, kind="kind", status="status")
    assert "left out" not in accord.measure(whole).recommended.sentence()
    assert "left out: 3 refused answers" in accord.fleiss_kappa(whole).sentence()


def test_one_person_among_models_is_measured_with_them_and_it_is_said() -> None:
    found = accord.measure(study().of_annotators(["ana", "gpt-4", "tagger"]))
    assert found.recommended.n_annotators == 3
    assert "1 person and 2 models answered: all of them are measured together." in str(found)


def test_adjudicators_are_no_independent_annotators() -> None:
    asked = people_first(accord.Study(table(tagger="adjudicator"), kind="kind"))
    assert asked.adjudicators == ("tagger",)
    assert asked.study.people == ("ana", "ben", "gpt-4")


def test_no_model_votes_in_a_gold() -> None:
    rows = {"item": [1, 1, 1, 1, 1], "annotator": list("abcde"), "label": ["x", "x", "y", "y", "y"]}
    kinds = ["person", "person", "model", "model", "model"]
    assert accord.gold(rows, method="majority").labels == ["y"]
    found = accord.gold({**rows, "kind": kinds}, method="majority", kind="kind")
    assert found.labels == ["x"]
    assert found.notes[-1] == "Decided by the 2 people; 3 models ('c', 'd', 'e') stand aside."


def test_explain_is_about_people_and_accuses_no_model() -> None:
    found = accord.explain(study())
    assert found.results[None].n_annotators == 2
    (note,) = found["models-among-annotators"]
    assert "said of the 2 people alone" in note.says
    others = [finding for finding in found if finding.name != "models-among-annotators"]
    assert not any(set(finding.annotators) & {"gpt-4", "tagger"} for finding in others)


def test_every_variable_has_people_of_its_own() -> None:
    rows = table(**MODELS)
    both = {name: column * 2 for name, column in rows.items()} | {"task": ["tone"] * 40 + ["topic"] * 40}
    found = accord.measure(accord.Study(both, kind="kind", task="task"))
    assert [row["annotators"] for row in found.recommended.by_group()] == [2, 2]


@pytest.mark.parametrize("lazy", [False, True])
def test_rows_and_annotators_are_chosen_in_memory_and_in_an_engine_alike(lazy: bool) -> None:
    data = pl.DataFrame(table(**MODELS)).lazy() if lazy else table(**MODELS)
    whole = accord.Study(data, kind="kind")
    assert whole.where("part", 0).n_items == 5
    assert whole.where("part", "0", "1").n_items == 10
    assert whole.without_annotators(["gpt-4"]).n_annotators == 3
    assert whole.of_people().n_annotators == 2
    with pytest.raises(InputError, match="No row has '7' in the column 'part'; it holds '0', '1'"):
        whole.where("part", 7)
    with pytest.raises(ColumnMissing, match=r"No column 'prt' to choose rows by.*Did you mean"):
        whole.where("prt", 7)


def test_a_name_that_nobody_has_and_one_that_is_both_are_errors() -> None:
    with pytest.raises(InputError, match=r"There is no annotator 'anna'.*Did you mean 'ana'?"):
        study().without_annotators(["anna"])
    with pytest.raises(OptionError, match="'ana' cannot be a person and a model at once"):
        study().declare_kinds(people=["ana"], models=["ana"])


def test_read_takes_who_counts(tmp_path: Path) -> None:
    path = tmp_path / "answers.csv"
    pl.DataFrame(table(**MODELS)).write_csv(path)
    assert accord.read(path, annotators=["ana", "tagger"]).n_annotators == 2
    assert accord.read(path, exclude=["tagger"]).models == ("gpt-4",)
    assert accord.read(path, where={"part": [0]}).n_items == 5
    assert accord.measure(accord.read(path, annotators="all")).recommended.n_annotators == 4
    wide = tmp_path / "wide.csv"
    pl.DataFrame({"item": range(10), **{who: list(labels) for who, labels in LABELS.items()}}).write_csv(wide)
    assert accord.read(wide, annotators=["ana", "ben"]).annotators == ("ana", "ben")
    assert accord.read(wide, models=["tagger"]).people == ("ana", "ben")
    with pytest.raises(InputError, match="There is no annotator 'zoe'"):
        accord.read(wide, annotators=["zoe"])


def test_one_coefficient_of_people_and_models_says_that_they_are_taken_together() -> None:
    pooled = str(accord.krippendorff_alpha(study()))
    assert pooled.endswith("10 items, 2 people and 2 models; accord.measure(study) measures people)")
    assert str(accord.krippendorff_alpha(study().all_alike())).endswith("10 items, 4 annotators)")
    assert str(accord.krippendorff_alpha(study().of_people())).endswith("10 items, 2 annotators)")


def test_answers_that_were_not_asked_for_are_counted(tmp_path: Path) -> None:
    path = tmp_path / "x.csv"
    path.write_text("item,annotator,label,topic\n1,ana,a,x\n1,ben,a,x\n1,cem,b,x\n2,ana,a,y\n2,ben,b,y\n")
    assert accord.read(path, exclude=["cem"]).left_out.of(Reason.EXCLUDED) == 1
    assert accord.read(path, annotators=["ana", "ben"]).left_out.of(Reason.EXCLUDED) == 1
    some = accord.read(path, where={"topic": "x"}, exclude=["cem"])
    assert dict(some.left_out) == {
        "answers in rows that were not chosen": 2,
        "answers of annotators that were excluded": 1,
    }
