"""What an error is about, where it was found and the way out are in it as data; text is only one way to show them."""

from __future__ import annotations

import inspect
import json
import math
import pickle
from collections.abc import Callable
from datetime import date
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import accord
from accord.agreement.registry import named
from accord.cli.option_spelling import Spelling, calling
from accord.errors import (
    AccordError,
    ColumnMissing,
    DuplicateAnswers,
    FileError,
    Keyword,
    Message,
    OptionError,
    PeopleNames,
    Remedy,
    Spelled,
    in_python,
    json_value,
    keyword,
    one_of,
    one_task,
    remedy,
    spelled_by,
)
from accord.judge.scales import ScaleNote
from accord.readers.found_format import FormatNote, Found
from accord.study.shapes.shape_of_file import ShapeOfFile
from accord.study.unnamed_notes import GuessedPeople

TWICE = {"item": [1, 1, 1], "annotator": ["ana", "ana", "ben"], "label": ["x", "y", "x"]}


def caught(call: Callable[[], Any]) -> AccordError:
    with pytest.raises(AccordError) as found:
        call()
    return found.value


# -- attributes --------------------------------------------------------------------------------------------------------


def test_a_missing_column_says_what_was_named_what_there_is_and_the_nearest() -> None:
    error = caught(lambda: accord.Study(TWICE, label="lable"))
    assert isinstance(error, ColumnMissing)
    assert error.option == Keyword("label", "lable")
    assert error.available == ("item", "annotator", "label")
    assert error.remedies == (Remedy({"label": "label"}),)
    assert str(error).endswith("Did you mean label='label'?")


def test_the_values_and_the_place_that_a_message_names_are_data() -> None:
    spans = {"item": ["d1"], "annotator": ["ana"], "start": [9], "end": [3], "label": ["x"]}
    error = caught(lambda: accord.Study(spans))
    assert str(error) == "A span ends at 3, before it begins at 9, in row 0. Mend it: item 'd1', annotator 'ana'."
    assert error.values == (3, 9, "d1", "ana")
    assert error.place is not None
    assert (error.place.item, error.place.part) == ("d1", "row 0")
    told = error.found_in("a.csv").to_dict()
    assert told["message"].startswith("a.csv: A span ends at 3")
    assert told["values"] == [3, 9, "d1", "ana"]
    assert told["place"] == {"file": "a.csv", "part": "row 0", "item": "d1"}


def test_a_row_of_a_column_is_a_place() -> None:
    error = caught(lambda: accord.icc({"item": [1, 1], "annotator": ["a", "b"], "grade": [1, "x"]}, score="grade"))
    assert error.place is not None
    assert error.place.part == "column 'grade', row 1"
    assert error.values == ("grade", "x")


def test_a_repeated_answer_says_whose_and_of_which_item_and_every_way_out() -> None:
    error = caught(lambda: accord.Study(TWICE))
    assert isinstance(error, DuplicateAnswers)
    assert error.place is not None
    assert (error.place.item, error.place.annotator) == (1, "ana")
    assert [way.options for way in error.remedies] == [
        {"answers": "set"},
        {"duplicates": "first"},
        {"duplicates": "last"},
        {"duplicates": "repeat"},
        {"task": ...},
    ]
    assert "say duplicates='first', 'last' or 'repeat'." in str(error)


def test_a_bad_file_names_its_line_as_a_number(tmp_path: Path) -> None:
    file = tmp_path / "odd.csv"
    file.write_text("item,annotator,label\n1,ana,x\n1,ben\n")
    error = caught(lambda: accord.read(file))
    assert isinstance(error, FileError)
    assert error.place is not None
    assert (error.place.file, error.place.line) == ("odd.csv", 3)
    assert error.remedies == (Remedy({"on_error": "skip"}),)
    assert str(error).startswith("odd.csv, line 3: The row has 2 cells")


def test_a_bad_record_names_its_number(tmp_path: Path) -> None:
    file = tmp_path / "odd.json"
    file.write_text('[{"item": 1, "annotator": "ana", "label": "x"}, 3]')
    error = caught(lambda: accord.read(file))
    assert error.place is not None
    assert (error.place.file, error.place.record) == ("odd.json", 2)


def test_a_choice_says_what_was_given_what_is_allowed_and_the_nearest() -> None:
    error = caught(lambda: accord.krippendorff_alpha(["a", "b"], ["a", "b"], level="ordnial"))  # type: ignore[arg-type]
    assert error.option == Keyword("level", "ordnial")
    assert "ordinal" in error.available
    assert error.remedies == (Remedy({"level": "ordinal"}),)


@pytest.mark.parametrize(
    "call",
    [
        lambda: accord.fleiss_kappa(TWICE, anotator="annotator"),  # type: ignore[call-arg]
        lambda: accord.read("x.csv", anotator="annotator"),  # type: ignore[call-arg]
        lambda: accord.Study(TWICE, anotator="annotator"),  # type: ignore[call-arg]
    ],
    ids=["fleiss_kappa", "read", "Study"],
)
def test_a_keyword_that_is_none_is_a_type_error_with_the_nearest(
    call: Callable[[], Any], request: pytest.FixtureRequest
) -> None:
    error = caught(call)
    name = request.node.callspec.id
    assert isinstance(error, TypeError)
    assert str(error) == f"{name}() got an unexpected keyword argument 'anotator'. Did you mean 'annotator'?"
    assert error.option == Keyword("anotator", "annotator")
    assert "annotator" in error.available
    assert error.remedies == (Remedy({"annotator": "annotator"}),)


def test_a_keyword_of_a_result_says_where_it_belongs_as_data() -> None:
    error = caught(lambda: accord.fleiss_kappa(TWICE, confidence=0.9))  # type: ignore[call-arg]
    assert error.remedies == (Remedy({"confidence": ...}, function=".interval"),)


def test_a_name_that_is_not_there_is_a_key_error_with_the_nearest() -> None:
    gold = accord.gold({"item": ["r01", "r01"], "annotator": ["ana", "ben"], "label": ["x", "x"]})
    queries = accord.queries("answers", dialect="duckdb", labels=["no", "yes"])
    for call, name in (
        (lambda: gold["r1"], "item"),
        (lambda: gold.reason("r1"), "item"),
        (lambda: queries["patern"], "query"),
    ):
        error = caught(call)
        assert isinstance(error, KeyError)
        assert not str(error).startswith(("'", '"'))
        assert error.option is not None
        assert error.option.name == name
        assert list(error.remedies[0].options) == [name]
        assert next(iter(error.remedies[0].options.values())) in error.available
    assert isinstance(caught(lambda: gold[["r01"]]), KeyError)  # type: ignore[index]  # a list is no name


def test_a_number_is_no_slip_of_the_pen_for_another() -> None:
    gold = accord.gold({"item": [111, 111], "annotator": ["ana", "ben"], "label": ["x", "x"]})
    assert caught(lambda: gold[112]).remedies == ()
    assert caught(lambda: gold["111"]).remedies == (Remedy({"item": 111}),)


def test_the_measures_that_a_message_names_are_calls_that_would_work() -> None:
    """A part of a message each: nothing looks for names in its text."""
    study = accord.Study.from_wide([["x", "y", "x"], ["y", "y", "y"], ["x", "x", "y"]])
    error = caught(lambda: accord.cohen_kappa(study))
    ways = [(way.function, dict(way.options)) for way in error.remedies]
    assert ways == [
        ("accord.fleiss_kappa", {}), ("accord.conger_kappa", {}), ("accord.light_kappa", {}),
        ("accord.pairwise", {"measure": "cohen_kappa"}),
    ]  # fmt: skip
    for function, options in ways:
        assert getattr(accord, function.removeprefix("accord."))(study, **options)
    told = spelling("measure").text(error)
    assert "Fleiss' kappa (pooled marginals), Conger's kappa (own marginals) or Light's kappa (mean" in told


def test_what_only_python_says_is_no_way_out() -> None:
    assert (
        AccordError("The groups are many; ", in_python("by_group() shows them", "they are shown"), ".").remedies == ()
    )


def test_an_error_is_json_and_comes_back_from_another_process() -> None:
    error = caught(lambda: accord.Study(TWICE))
    told = json.loads(json.dumps(error.to_dict()))
    assert told["error"] == "DuplicateAnswers"
    assert told["place"] == {"item": 1, "annotator": "ana"}
    assert told["remedies"][1] == {"function": "", "data": "", "options": {"duplicates": "first"}}
    back = pickle.loads(pickle.dumps(error))  # noqa: S301 - our own
    assert (type(back), str(back), back.remedies) == (type(error), str(error), error.remedies)


@pytest.mark.parametrize("given", [math.nan, math.inf, np.float64("nan"), [1.0, math.nan], np.array([0.5, math.inf])])
def test_an_error_about_a_number_that_json_does_not_have_is_json(given: Any) -> None:
    kappa = accord.fleiss_kappa(["x", "y"], ["x", "x"])
    error = caught(lambda: kappa.interval(confidence=given))
    told = json.loads(json.dumps(error.to_dict(), allow_nan=False))
    assert told["option"] == {"name": "confidence", "value": json_value(given)}


def test_a_value_as_json_has_it() -> None:
    kept = [np.float64("nan"), np.int64(3), np.array([1.0, math.inf]), (True, None), {"x": -math.inf, 2: "y"}]
    assert json_value(kept) == [None, 3, [1.0, None], [True, None], {"x": None, "2": "y"}]
    assert json_value([date(2024, 2, 29), np.longdouble(1.5), np.float64, ...]) == [
        "2024-02-29", "1.5", "<class 'numpy.float64'>", "…",
    ]  # fmt: skip


def test_errors_of_files_columns_and_options_come_back_from_another_process(tmp_path: Path) -> None:
    for ask in (
        lambda: accord.read(tmp_path / "nope.csv"),
        lambda: accord.Study({"item": [1]}, item="id"),
        lambda: accord.Study({"item": [1], "annotator": ["a"], "label": ["x"]}, labels=["x", "x"]),
        lambda: accord.fleiss_kappa(["x"], ["y"], weights="odd"),
        lambda: accord.cohen_kappa([["x", "y", "x"]]),
        lambda: accord.gold(["x"], ["y"], method="odd"),
    ):
        error = caught(ask)
        back = pickle.loads(pickle.dumps(error))  # noqa: S301 - our own
        assert (type(back), str(back), back.to_dict()) == (type(error), str(error), error.to_dict())


@pytest.mark.slow
def test_one_bad_file_does_not_hang_a_pool(tmp_path: Path) -> None:
    with get_context("spawn").Pool(1) as pool, pytest.raises(FileError, match=r"nope\.csv"):
        pool.map_async(accord.read, [str(tmp_path / "nope.csv")]).get(timeout=120)


# -- in the options of a command ---------------------------------------------------------------------------------------


def spelling(command: str) -> Spelling:
    from accord.cli import app

    (found,) = [
        one.callback for one in app.registered_commands if one.callback is not None and one.callback.__name__ == command
    ]
    return Spelling(list(inspect.signature(found).parameters.values()))


@pytest.mark.parametrize(
    ("command", "part", "python", "typed"),
    [
        ("measure", remedy(duplicates="first"), "duplicates='first'", "--duplicates first"),
        ("measure", remedy(duplicates=one_of("a", "b")), "duplicates='a' or 'b'", "--duplicates a or b"),
        ("measure", remedy("accord.read", "'x.csv'", item="my id"), "accord.read('x.csv', item='my id')",
         "--item 'my id'"),
        ("measure", remedy(header=False, shape="long"), "header=False, shape='long'", "--no-header --shape long"),
        ("measure", remedy(format="prodigy"), "format='prodigy'", "--from prodigy"),
        ("measure", remedy(labels=["low", "high", ...]), "labels=['low', 'high', …]", "--labels low,high,…"),
        ("measure", one_task("tone"), "study.tasks['tone']", "--only tone"),
        ("measure", keyword("level"), "level=", "--level"),
        ("measure", Keyword("confidence"), "confidence", "--confidence"),
        ("measure", Keyword("on_error", "skip"), "on_error='skip'", "--on-error skip"),
        ("measure", Keyword("epsilon", 0.1), "epsilon=0.1", "accord judge --epsilon 0.1"),
        ("gold", remedy(weights="linear"), "weights='linear'", "accord measure --weights linear"),
        ("measure", Keyword("n_resamples", 200), "n_resamples=200", "n resamples 200"),  # no command has it
        ("measure", remedy(sheet="Full annotation"), "sheet='Full annotation'", "--sheet 'Full annotation'"),
        ("measure", in_python("study.x()", "the x"), "study.x()", "the x"),
        ("judge", remedy(models=[...]), "models=[…]", "--models …"),
        ("judge", Keyword("epsilon", 0.1), "epsilon=0.1", "--epsilon 0.1"),
        ("gold", Keyword("rng"), "rng", "--seed"),
        ("plan", remedy("plan", margins=..., n_annotators=3), "plan(margins=…, n_annotators=3)",
         "--margins … --annotators 3"),
    ],
)  # fmt: skip
def test_the_same_way_out_reads_as_python_and_as_options(command: str, part: Spelled, python: str, typed: str) -> None:
    error = AccordError("Say ", part, ".")
    assert str(error) == f"Say {python}."
    assert spelling(command).text(error) == f"Say {typed}."


def test_a_measure_is_told_by_its_title_to_whoever_does_not_write_python() -> None:
    scores = accord.Study.from_wide([[1.5, 2.0], [2.5, 2.0]], answers="score")
    error = caught(lambda: accord.brennan_prediger_kappa(scores))
    assert str(error).endswith("krippendorff_alpha with level='interval' serves.")
    assert spelling("measure").text(error).endswith("Krippendorff's alpha with --level interval serves.")
    assert error.remedies == (named("krippendorff_alpha", level="interval"),)


def test_keywords_of_another_call_have_options_of_their_own() -> None:
    with pytest.raises(OptionError) as found, calling("score"):
        raise OptionError("Say ", remedy(item="id"), ".")
    assert spelling("gold").text(found.value) == "Say --reference-item id."
    assert str(found.value) == "Say item='id'."


# -- messages that are no errors ---------------------------------------------------------------------------------------


def test_a_message_is_text_that_remembers_its_parts() -> None:
    inner = Message("Say ", remedy(separator="|"), ".")
    note = Message("Cells hold several labels. ", inner)
    assert note == "Cells hold several labels. Say separator='|'."
    assert note.parts == ("Cells hold several labels. ", "Say ", remedy(separator="|"), ".")
    assert note.text(spelling("measure").spell) == "Cells hold several labels. Say --separator '|'."
    assert json.loads(json.dumps({"note": note})) == {"note": str(note)}


def test_a_message_comes_back_from_another_process() -> None:
    note = Message("Give ", keyword("level"), " or ", Keyword("weights", "linear"), ".")
    back = pickle.loads(pickle.dumps(note))  # noqa: S301 - our own
    assert (back, back.parts, type(back)) == (note, note.parts, Message)
    assert not back.parts[1].given


@pytest.mark.parametrize(
    "note",
    [
        FormatNote(Found("prodigy", "spans")),
        ScaleNote("Is it ", keyword("level"), "?"),
        ShapeOfFile.of_sheet("Excel", "Xanthippe").laid_out("wide table"),
        GuessedPeople("annotators: ", PeopleNames(["100", "a"], quoted=False), ways=(remedy(annotators=[...]),)),
    ],
)
def test_a_note_that_others_look_for_is_known_by_its_type_in_another_process_too(note: Message) -> None:
    """Not by how its sentence begins."""
    back = pickle.loads(pickle.dumps(note))  # noqa: S301 - our own
    assert (back, back.parts, type(back)) == (note, note.parts, type(note))
    assert back.unnamed({"100": "A1"}) == note.unnamed({"100": "A1"})


def test_whoever_reads_a_message_gets_it_in_their_own_words() -> None:
    def said() -> str:
        groups = in_python("by_group() has one row each", "every variable has a row")
        return f"{Message('Say ', remedy(level='ordinal'), '; ', groups, '.')}"

    with spelled_by(spelling("measure").spell):
        assert said() == "Say --level ordinal; every variable has a row."
        assert str(OptionError.must("level", "be a word", 3)) == "--level must be a word; got 3."
    assert said() == "Say level='ordinal'; by_group() has one row each."


def test_a_value_that_an_option_cannot_take_is_told_in_one_line() -> None:
    for refused in (OptionError.choice("weights", np.eye(40), ["masi"]), OptionError.must("p", "be one", np.eye(3))):
        assert "\n" not in str(refused)
        assert len(str(refused)) < 200
