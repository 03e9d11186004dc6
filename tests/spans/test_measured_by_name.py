"""`accord.measure` of spans: options of measures by name, what takes long, and what no measure of spans takes."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest

import accord
from accord.errors import InputError, OptionError
from tests.spans.continua_of import study_of

NAMES = Path(__file__).parents[2] / "examples" / "marked-names.csv"


@pytest.fixture(scope="module", name="found")
def measured() -> Any:
    return accord.measure(accord.read(NAMES))


def test_options_go_to_the_measures_that_have_them(found: Any) -> None:
    study = found.recommended.study
    asked = found.only(["span_f1", "krippendorff_alpha"], match="overlap", unit="token")
    assert [result.value for result in asked] == [
        accord.span_f1(study, match="overlap").value, accord.krippendorff_alpha(study, unit="token").value,
    ]  # fmt: skip
    assert found.only("span_f1")[0] is found["span_f1"]


def test_an_option_that_none_of_them_has_is_an_error(found: Any) -> None:
    with pytest.raises(OptionError, match=r"Span F1 does not take unit; .*krippendorff_alpha.* do\. Leave it out"):
        found.only("span_f1", unit="token")


def test_weights_stay_as_they_were_said_where_a_measure_is_asked_with_more() -> None:
    ratings = accord.Study.from_wide([[1, 2, None], [1, 3, 3], [2, 2, 3], [1, 2, 2]])
    found = accord.measure(ratings, weights="quadratic").only("fleiss_kappa", chance="pooled-counts")
    assert found[0].value == accord.fleiss_kappa(ratings, weights="quadratic", chance="pooled-counts").value


def test_what_takes_long_is_measured_where_it_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys.modules["accord.measures.gamma"], "MOST_UNASKED", 0)
    found = accord.measure(accord.read(NAMES))
    assert "asked for by its name" in found.left_out["gamma"]
    assert found.only("gamma")[0].value == accord.gamma(accord.read(NAMES)).value


def test_gamma_of_units_on_top_of_each_other_is_measured_where_it_is_named() -> None:
    on_top = {who: [(start, start + 60, "x") for start in range(place, 120, 3)] for place, who in enumerate("ab")}
    apart = {who: [(start, start + 4, "x") for start in range(place, 720, 6)] for place, who in enumerate("ab")}
    left_out = accord.measure(study_of(on_top)).left_out
    assert left_out["gamma"].startswith("Gamma tries ways to align 80 units that lie on top of each other")
    assert "gamma" not in accord.measure(study_of(apart)).left_out


@pytest.mark.parametrize("said", [{"weights": "quadratic"}, {"level": "ordinal"}])
def test_what_no_measure_of_spans_takes_is_an_error(said: dict[str, Any]) -> None:
    with pytest.raises(OptionError, match=f"{next(iter(said))}='.*' is for labels of whole items"):
        accord.measure(accord.read(NAMES), **said)


def test_labels_with_an_order_are_measured_all_the_same_and_coded_by_it() -> None:
    plain, ordered = accord.read(NAMES), accord.read(NAMES, labels=["PER", "LOC", "ORG"], levels="ordinal")
    assert accord.measure(ordered)["krippendorff_alpha"].value == accord.krippendorff_alpha(plain).value
    by_order = accord.unitizing_alpha(accord.read(NAMES, labels=["PER", "LOC", "ORG"]), form="coded", level="ordinal")
    assert accord.unitizing_alpha(ordered, form="coded").value == pytest.approx(by_order.value)
    nominal = accord.unitizing_alpha(ordered, form="coded", level="nominal")
    assert nominal.value == pytest.approx(accord.unitizing_alpha(plain, form="coded").value)


def test_weights_of_labels_leave_spans_beside_them_as_they_are() -> None:
    marks = {"start": [0, 0, 2, 2], "end": [4, 4, 6, 6]}
    spans: dict[str, list[Any]] = {
        "item": ["d", "d", "e", "e"],
        "annotator": ["a", "b"] * 2,
        "label": ["x"] * 4,
        "task": ["names"] * 4,
    }
    sizes: dict[str, list[Any]] = {
        "item": ["d", "d", "e", "e"],
        "annotator": ["a", "b"] * 2,
        "label": [1, 2, 3, 3],
        "task": ["size"] * 4,
    }
    both: dict[str, list[Any]] = {name: [*spans[name], *sizes[name]] for name in spans}
    both |= {name: [*cells, *[None] * 4] for name, cells in marks.items()}
    both["answers"] = ["spans"] * 4 + ["single"] * 4
    found = accord.measure(accord.Study(both), weights="quadratic")
    assert found["span_f1"].by_group() is not None


def test_a_place_that_is_no_number_is_an_error_with_its_row(tmp_path: Path) -> None:
    lines = NAMES.read_text(encoding="utf-8").splitlines()
    file = tmp_path / "odd.csv"
    file.write_text("\n".join([*lines[:4], lines[4].replace(",46,", ",x46,"), *lines[5:]]), encoding="utf-8")
    with pytest.raises(InputError, match=r"row 4: The column 'end' .* 'x46' is no number.*answers='single'"):
        accord.read(file)
    assert accord.read(file, answers="single", duplicates="first").kind == "single"
    table = {"item": ["d"] * 4, "annotator": list("abab"), "label": ["x"] * 4, "start": [0, 1, 2, 2]}
    with pytest.raises(InputError, match=r"'end'.*'\?' is no number"):
        accord.Study(table | {"end": [3, 3, 5, "?"]})
