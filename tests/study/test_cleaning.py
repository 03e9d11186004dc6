"""Missing codes, trimming, case folding and recoding: on request, the same everywhere, and counted."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest

import accord
from accord import Study
from accord.annotations.left_out import Reason
from accord.annotations.missing_codes import suspected
from accord.errors import LabelError, OptionError
from tests.command.running import run

FORMS: dict[str, Callable[[Any], Any]] = {
    "pandas": pd.DataFrame,
    "polars": pl.DataFrame,
    "mapping": dict,
    "lazy": lambda table: pl.DataFrame(table).lazy(),
}


def table(labels: list[Any]) -> dict[str, list[Any]]:
    """Two annotators' labels, item by item."""
    return {
        "item": [place // 2 for place in range(len(labels))],
        "annotator": ["ana", "ben"] * (len(labels) // 2),
        "label": labels,
    }


RATED = table([1, 1, 99, 2, 3, 99, 2, 2])
WORDS = table(["Yes", "yes", "no ", "no", "No", "dk"])


@pytest.mark.parametrize("form", FORMS)
def test_a_missing_code_is_no_answer_on_every_engine(form: str) -> None:
    study = Study(FORMS[form](RATED), missing=[99])
    assert study.labels == (1, 2, 3)
    assert study.left_out.of(Reason.MISSING_CODE) == 2
    assert study.left_out.of(Reason.NO_ANSWER) == 0
    assert study.notes == ("'99' read as no answer: 2 cells",)
    assert accord.krippendorff_alpha(FORMS[form](RATED), missing=["99"]).value == 1


def test_missing_codes_of_arrays_wide_tables_pairs_and_sets() -> None:
    cells = np.array([[1, 2], [99, 1], [1, 1]])
    for given in (cells, cells.tolist(), cells.astype(float), pd.DataFrame(cells)):
        assert accord.fleiss_kappa(given, missing=[99]).study.left_out.of(Reason.MISSING_CODE) == 1
    assert Study.from_raters_items(cells.T, missing=[99]).labels == (1, 2)
    assert Study.from_wide({"ana": ["a", "NA"], "ben": ["a", "b"]}, missing=["NA"]).labels == ("a", "b")
    assert accord.cohen_kappa([1, 2, 99, 1], [1, 2, 1, 1], missing=[99]).n_items == 3
    sets = Study(table([["A", "b"], ["a"], ["99"], ["b"]]), missing=[99], fold_case=True)
    assert (sets.labels, sets.n_annotations, sets.left_out.of(Reason.MISSING_CODE)) == (("a", "b"), 3, 1)
    scores = {"item": [1, 1, 2, 2], "annotator": ["a", "b"] * 2, "score": [1, 2, "n/a", 3]}
    assert Study(scores, score="score", missing=["n/a"]).n_annotations == 3


def test_where_words_were_missing_codes_the_rest_are_numbers() -> None:
    assert Study(table([1, "NA", 2, 2]), missing=["NA"]).labels == (1, 2)
    assert Study(table(["1", "NA", "2", "2"]), missing=["NA"]).labels == (1, 2)
    with pytest.raises(LabelError, match="mixed types"):
        Study(table([1, "NA", 2, 2]))


@pytest.mark.parametrize("form", FORMS)
def test_labels_are_trimmed_folded_and_recoded_on_request(form: str) -> None:
    data = FORMS[form](WORDS)
    study = Study(data, trim=True, fold_case=True, missing=["DK"])
    assert study.labels == ("no", "yes")
    assert study.notes == (
        "'DK' read as no answer: 1 cell",
        "blanks around labels taken away: 1 cell",
        "labels read in small letters: 2 cells",
    )
    recoded = Study(data, recode={"Yes": "yes", "No": "no", "no ": "no", "dk": None})
    assert recoded.labels == ("no", "yes")
    assert recoded.notes == ("labels recoded: 3 cells",)
    assert recoded.left_out.of(Reason.MISSING_CODE) == 1


def test_without_a_request_labels_stay_and_a_note_names_the_option() -> None:
    study = Study(WORDS)
    assert study.labels == ("No", "Yes", "dk", "no", "no ", "yes")
    case, both, code = study.notes
    assert "looks like a missing code" in code
    assert case == "'Yes', 'yes' differ in case only; fold_case=True makes them one"
    assert both == "'No', 'no', 'no ' differ in case and blanks only; trim=True, fold_case=True make them one"
    assert Study(table(list("abab"))).notes == ()


def test_what_is_missing_is_no_duplicate_and_not_outside_the_scale() -> None:
    twice = {"item": [1, 1, 1], "annotator": ["ana", "ana", "ben"], "label": [99, 1, 2]}
    assert Study(twice, missing=[99], labels=[1, 2, 3]).n_annotations == 2


def test_a_categorical_that_declares_the_code_loses_it() -> None:
    scale = pd.Categorical(["low", "n/a", "high", "low"], ["low", "high", "n/a"], ordered=True)
    assert Study(pd.DataFrame({**table([0] * 4), "label": scale}), missing=["n/a"]).labels == ("low", "high")


def test_files_are_cleaned_by_keyword_option_and_settings(tmp_path: Path) -> None:
    path = tmp_path / "answers.csv"
    pd.DataFrame(table(["Yes", "yes", "NA", "no", "don't know", "no "])).to_csv(path, index=False)
    study = accord.read(path, missing=["NA", "don't know"], trim=True, recode={"Yes": "yes"})
    assert (study.labels, study.left_out.of(Reason.MISSING_CODE)) == (("no", "yes"), 2)
    options = ["--missing", "NA,don't know", "--trim", "--recode", "Yes=yes"]
    printed = run("measure", str(path), *options).out
    assert "left out: 2 answers that are missing codes" in printed
    assert "labels recoded: 1 cell" in printed
    (tmp_path / "accord.toml").write_text('[read]\nmissing = ["NA", "don\'t know"]\nfold_case = true\ntrim = true\n')
    assert "labels 'no', 'yes'" in run("measure", str(path)).out


def test_exports_are_cleaned_too(tmp_path: Path) -> None:
    path = tmp_path / "raw.csv"
    path.write_text("instance_id,user_id,tone\n1,ana,Good\n1,ben,good\n2,ana,99\n2,ben,bad\n")
    study = accord.read(path, missing=[99], fold_case=True)
    assert (study.labels, study.left_out.of(Reason.MISSING_CODE)) == (("bad", "good"), 1)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"missing": "NA"}, "missing must list the codes that stand for no answer"),
        ({"missing": 99}, "missing must list the codes"),
        ({"trim": "yes"}, "trim must be True or False; got 'yes'"),
        ({"recode": ["a", "b"]}, "recode must map labels to labels"),
    ],
)
def test_a_request_that_is_none_is_refused(options: dict[str, Any], said: str) -> None:
    with pytest.raises(OptionError, match=said):
        Study(WORDS, **options)
    with pytest.raises(OptionError, match=said):
        accord.measure(WORDS, **options)


def test_a_refusal_in_one_column_of_a_wide_table_does_not_make_text_of_the_others(tmp_path: Path) -> None:
    file = tmp_path / "wide.csv"
    file.write_text("id,ana,ben,tagger\n1,3,3,REFUSED\n2,5,5,5\n3,1,2,1\n4,2,2,2\n")
    assert accord.read(file, missing=["REFUSED"]).labels == (1, 2, 3, 5)
    assert Study.from_pairs([1, 2, 3], ["1", "2", "REFUSED"], missing=["REFUSED"]).labels == (1, 2, 3)


@pytest.mark.parametrize(
    ("labels", "codes"),
    [
        ([1, 2, 3, 99], [99]),
        ([1, 2, 3, 98, 99], [98, 99]),
        ([-3, 0, 3, -9], [-9]),
        ([10, 50, 90, 99], []),
        ([1, 99], []),
        (["1", "2", "99"], ["99"]),
        (["yes", "no", "N/A"], ["N/A"]),
        (["1", "2", "REFUSED"], ["REFUSED"]),
        (["safe", "unsafe", "I’m sorry, I cannot help with that."], ["I’m sorry, I cannot help with that."]),
        (["complied", "refused"], []),
        (["error", "slip", "none"], []),
        (["route 1", "route 2", "99"], []),
    ],
)
def test_labels_that_look_like_missing_codes_are_suspected(labels: list[Any], codes: list[Any]) -> None:
    assert suspected(labels) == codes


def test_a_suspected_missing_code_is_asked_about_and_kept() -> None:
    study = Study.from_pairs([1, 2, 3, 99, 99], [1, 2, 2, 3, 1])
    assert "99 (2 times) looks like a missing code: if it is one, say missing=[99]" in study.notes
    assert study.n_annotations == 10
    assert not Study.from_pairs([1, 2, 3, 99, 99], [1, 2, 2, 3, 1], missing=[99]).notes[1:]
    assert not Study.from_pairs([1, 2, 99], [1, 2, 2], labels=[1, 2, 99]).notes  # whoever lists it knows it


@pytest.mark.parametrize("code", [99, "N/A"])
def test_a_suspected_missing_code_does_not_kill_the_question_of_the_scale(code: Any) -> None:
    first, second = [1, 2, 3, 4, code, 1, 3], [1, 2, 4, 4, 3, 2, code]
    if code != 99:
        first, second = ([str(label) for label in labels] for labels in (first, second))
    found = accord.measure(first, second)
    (question,) = found.questions
    assert question.looks.but_for == (code,)
    assert "which looks like a missing code" in str(question)
    assert f"say level='ordinal' and missing=[{code!r}]" in str(question)
    without = accord.measure(first, second, missing=[code], level="ordinal").recommended
    assert question.scale.value == pytest.approx(without.value)


def test_codes_hold_for_every_variable(tmp_path: Path) -> None:
    (tmp_path / "x.csv").write_text("item,annotator,tone\n1,ana,1\n1,ben,99\n")
    said = run("measure", "x.csv", "--missing", "tone=99", folder=tmp_path)
    assert "--missing must list codes, which hold for every variable, such as 99; got 'tone=99'" in said.err


def test_labels_in_two_spellings_have_both_values_and_no_sentence_for_a_paper(tmp_path: Path) -> None:
    first, second = ["yes", "no", "yes", "no", "yes ", "no"], ["Yes", "No", "yes", "No", "Yes", "no"]
    found = accord.measure(first, second)
    (question,) = found.spellings
    assert (question.as_one.value, question.as_written.value) == (1, found.recommended.value)
    assert question.differ_in == ("case", "blanks")
    assert "To make them one, say fold_case=True and trim=True." in str(found)
    assert not accord.measure(first, second, fold_case=True, trim=True).spellings
    rows = [
        f"{place},{who},{label}"
        for place, pair in enumerate(zip(first, second, strict=True))
        for who, label in zip("ab", pair, strict=True)
    ]
    (tmp_path / "x.csv").write_text("item,annotator,label\n" + "\n".join(rows))
    said = run("measure", "x.csv", folder=tmp_path)
    assert "As one label each, Cohen's kappa is 1.00; as they are" in " ".join(said.out.split())
    assert "Two annotators gave" not in said.out
    assert "Two annotators gave" in run("measure", "x.csv", "--fold-case", "--trim", folder=tmp_path).out


def test_spellings_are_asked_about_for_each_variable() -> None:
    table = {
        "item": [1, 1, 2, 2],
        "annotator": ["a", "b"] * 2,
        "tone": ["Low", "low", "high", "high"],
        "use": list("xyxx"),
    }
    found = accord.measure(table, label=["tone", "use"])
    assert [question.variable for question in found.spellings] == ["tone"]
    assert str(found.spellings[0]).startswith("'tone': labels differ in case only ('Low', 'low').")
