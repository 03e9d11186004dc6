"""Items that were chosen: how their weights are named, what is wrong with them, where they are told, who takes none."""

from __future__ import annotations

import json
import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest

import accord
from accord.errors import ColumnMissing, InputError, MeasureError, OptionError
from accord.reporting.context import Context
from accord.reporting.sections import coefficients, measured, methods
from accord.reporting.sections.facts import facts_of
from accord.suggestions import sample_for_annotation

PEOPLE = ("ana", "ben", "cyd")


def long(items: int = 30, people: int = 3) -> dict[str, list[Any]]:
    """A row per answer, with what its item weighs."""
    rng = np.random.default_rng(3)
    rows = []
    for item in range(items):
        truth = str(rng.choice(["x", "y", "z"]))
        for who in PEOPLE[:people]:
            said = truth if rng.random() < 0.7 else str(rng.choice(["x", "y", "z"]))
            rows.append((f"i{item:02}", who, said, (1.0, 2.0, 4.5)[item % 3], truth, "ab"[item % 2]))
    names = ("item", "annotator", "label", "w", "guess", "part")
    return {name: [row[place] for row in rows] for place, name in enumerate(names)}


TABLE = long()
ROLES: dict[str, Any] = {"item": "item", "annotator": "annotator", "label": "label"}
STUDY = accord.Study(TABLE, item_weight="w", **ROLES)
BY_ITEM = dict(zip(TABLE["item"], TABLE["w"], strict=True))
VALUE = accord.fleiss_kappa(STUDY).value


def wide() -> dict[str, list[Any]]:
    """The same with a column per annotator."""
    cells = {(item, who): label for item, who, label in zip(*(TABLE[name] for name in ROLES), strict=True)}
    columns: dict[str, list[Any]] = {who: [cells[item, who] for item in BY_ITEM] for who in PEOPLE}
    return {"id": list(BY_ITEM), **columns, "w": list(BY_ITEM.values())}


# How they are named ---------------------------------------------------------------------------------------------------


def test_every_way_to_say_what_items_weigh_gives_the_same() -> None:
    assert accord.fleiss_kappa(TABLE, **ROLES).value != VALUE
    assert accord.fleiss_kappa(TABLE, item_weight="w", **ROLES).value == VALUE
    plain = accord.Study(TABLE, **ROLES)
    assert accord.fleiss_kappa(plain.with_item_weights("w")).value == VALUE
    assert accord.fleiss_kappa(plain.with_item_weights(BY_ITEM)).value == VALUE
    assert accord.fleiss_kappa(pl.DataFrame(TABLE).lazy(), item_weight="w", **ROLES).value == VALUE
    named = accord.Study.from_wide(wide(), item="id", annotators=PEOPLE)
    assert accord.fleiss_kappa(named.with_item_weights("w")).value == VALUE
    cells = list(zip(*(wide()[who] for who in PEOPLE), strict=True))
    by_row = accord.Study.from_wide(cells).with_item_weights(list(BY_ITEM.values()))
    assert accord.fleiss_kappa(by_row).value == VALUE


def test_weights_are_taken_away_again() -> None:
    assert accord.fleiss_kappa(STUDY.with_item_weights(None)).value == accord.fleiss_kappa(TABLE, **ROLES).value
    assert STUDY.with_item_weights(None).item_weights == {}
    assert STUDY.item_weights == BY_ITEM


@pytest.mark.parametrize("name", ["item_weight", "sampling_weight", "Inverse Probability"])
def test_unmistakable_names_of_columns_are_known(name: str, tmp_path: Path) -> None:
    table = {name if column == "w" else column: cells for column, cells in TABLE.items()}
    assert accord.Study(table).roles["item_weight"] == name
    assert accord.fleiss_kappa(table).value == VALUE
    path = tmp_path / "wide.csv"
    pl.DataFrame({name if column == "w" else column: cells for column, cells in wide().items()}).write_csv(path)
    assert accord.read(path).annotators == PEOPLE
    assert accord.fleiss_kappa(accord.read(path)).value == VALUE


def test_a_column_called_weight_may_be_anything() -> None:
    table = {"weight" if column == "w" else column: cells for column, cells in TABLE.items()}
    assert "item_weight" not in accord.Study(table).roles


def test_files_name_the_column(tmp_path: Path) -> None:
    path, table = tmp_path / "long.csv", tmp_path / "wide.csv"
    pl.DataFrame(TABLE).write_csv(path)
    pl.DataFrame(wide()).write_csv(table)
    assert accord.fleiss_kappa(accord.read(path, item_weight="w")).value == VALUE
    assert accord.fleiss_kappa(accord.read(table, item_weight="w")).value == VALUE
    with pytest.raises(InputError, match="'v'"):
        accord.read(table, item_weight="v")
    with pytest.raises(InputError, match="item_weight='ana' must be a column of numbers"):
        accord.read(table, item_weight="ana", annotators=["ben", "cyd"])


def test_a_study_that_was_written_has_its_weights_when_it_is_read(tmp_path: Path) -> None:
    by_row = accord.Study.from_wide(wide(), item="id", annotators=PEOPLE).with_item_weights(BY_ITEM)
    for study in (STUDY, by_row):
        again = accord.read(study.write(tmp_path / "study.csv"))
        assert again.item_weights == BY_ITEM
        assert accord.fleiss_kappa(again).value == VALUE


def test_parts_of_a_study_keep_the_weights_of_their_items() -> None:
    for part in (STUDY.of_annotators(["ana", "ben"]), STUDY.where("part", "a")):
        plain = part.with_item_weights(None)
        weights = {item: BY_ITEM[item] for item in part.item_weights}
        assert accord.fleiss_kappa(part).value == accord.fleiss_kappa(plain.with_item_weights(weights)).value
        assert accord.fleiss_kappa(part).value != accord.fleiss_kappa(plain).value
    groups = accord.fleiss_kappa(TABLE, item_weight="w", by="part", **ROLES).by_group()
    assert groups["value"][0] == pytest.approx(accord.fleiss_kappa(STUDY.where("part", "a")).value)


def test_variables_share_the_weights_of_items() -> None:
    both = {name: cells * 2 for name, cells in TABLE.items()} | {"task": ["one"] * 90 + ["two"] * 90}
    study = accord.Study(both, item_weight="w", task="task", **ROLES)
    assert accord.fleiss_kappa(study).by_group()["value"] == pytest.approx([VALUE] * 2)
    assert study.describe().item_weight == "w"
    mapped = accord.Study(both, task="task", **ROLES).with_item_weights(BY_ITEM)
    assert accord.fleiss_kappa(mapped).by_group()["value"] == pytest.approx([VALUE] * 2)


# What is wrong with them ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("wrong", [0, -1.5, float("inf"), "much", True])
def test_a_weight_is_finite_and_above_zero(wrong: Any) -> None:
    with pytest.raises(InputError, match=r"item_weight='given' must hold finite numbers above zero.*Mend them"):
        accord.Study(TABLE, **ROLES).with_item_weights({**BY_ITEM, "i03": wrong})
    with pytest.raises(InputError, match=r"item_weight='w' must hold finite numbers above zero"):
        accord.Study({**TABLE, "w": [wrong] * 3 + TABLE["w"][3:]}, item_weight="w", **ROLES)


def test_a_weight_of_more_digits_than_are_taken_says_how_many() -> None:
    with pytest.raises(InputError, match=r"above zero \(of 300 digits at most\)"):
        accord.Study({**TABLE, "w": [1e308] * 3 + TABLE["w"][3:]}, item_weight="w", **ROLES)


def test_two_weights_of_one_item_are_shown() -> None:
    torn = {**TABLE, "w": [9.0, *TABLE["w"][1:]]}
    with pytest.raises(
        InputError, match=r"item_weight='w' must say one thing of an item, and item 'i00' has 1 and 9 there"
    ):
        accord.Study(torn, item_weight="w", **ROLES)


def test_items_without_a_weight_are_named() -> None:
    some = {item: weight for item, weight in BY_ITEM.items() if item not in ("i04", "i11")}
    with pytest.raises(InputError, match=r"2 items with two answers or more have no weight: 'i04', 'i11'\. Fill it in"):
        accord.Study(TABLE, **ROLES).with_item_weights(some)
    with pytest.raises(InputError, match="None of the weights is for an item of the study"):
        accord.Study(TABLE, **ROLES).with_item_weights({1: 2.0})


def test_a_list_of_weights_goes_by_row() -> None:
    with pytest.raises(InputError, match="There are 2 weights for 3 items"):
        accord.Study.from_wide([["a", "a"], ["a", "b"], ["b", "b"]]).with_item_weights([1, 2])
    with pytest.raises(InputError, match="the items of this study have names"):
        accord.Study(TABLE, **ROLES).with_item_weights([1.0] * 30)
    with pytest.raises(InputError, match="the rows of a lazy frame have none"):
        accord.Study(pl.DataFrame(TABLE).lazy(), **ROLES).with_item_weights([1.0] * 30)
    with pytest.raises(OptionError, match="weights must be a column, a mapping"):
        accord.Study(TABLE, **ROLES).with_item_weights(3)  # type: ignore[arg-type]
    with pytest.raises(ColumnMissing, match="Did you mean"):
        accord.Study(TABLE, item_weight="ww", **ROLES)


def test_an_item_answered_once_may_go_without_and_is_left_out() -> None:
    """Everything is annotated once, chosen items twice: the chosen ones stand for the others."""
    once = [("more", "ana", label, None, label, "a") for label in ("x", "x", "y", "z", "z")]
    rows = [(f"{row[0]}{place}", *row[1:]) for place, row in enumerate(once)]
    table = {name: [*cells, *(row[at] for row in rows)] for at, (name, cells) in enumerate(TABLE.items())}
    study = accord.Study(table, item_weight="w", **ROLES)
    found = accord.fleiss_kappa(study)
    assert found.value == VALUE
    assert found.notes[0].endswith("5 items with a single answer and no weight left out.")
    lazy = accord.fleiss_kappa(pl.DataFrame(table, strict=False).lazy(), item_weight="w", **ROLES)
    assert (lazy.value, lazy.notes) == (found.value, found.notes)


def test_missing_weights_may_be_written_in_any_way() -> None:
    cells = [["a", "a"], ["a", "b"], ["b", "b"], ["b", None]]
    for nothing in [None, float("nan"), pd.NA]:
        weights: Any = [1, 2, 3, nothing]
        study = accord.Study.from_wide(cells).with_item_weights(weights)
        assert study.item_weights == {0: 1.0, 1: 2.0, 2: 3.0}


# Where they are told --------------------------------------------------------------------------------------------------


def test_a_study_says_that_its_items_are_weighted_and_what_they_are_worth() -> None:
    weights = np.array(list(BY_ITEM.values()))
    worth = weights.sum() ** 2 / (weights**2).sum()
    about = STUDY.describe()
    assert about.effective_items == pytest.approx(worth)
    assert f"items weighted by 'w', worth {worth:.1f} that count alike" in str(about)
    assert about.to_dict()["item_weight"] == "w"
    assert accord.Study(TABLE, **ROLES).describe().to_dict()["effective_items"] is None


def test_results_say_that_items_are_weighted() -> None:
    found = accord.fleiss_kappa(STUDY)
    assert "items are weighted by 'w', worth" in found.sentence()
    assert found.notes == ("Items are weighted by 'w': 30 are worth 22.3 that count alike.",)
    assert found.to_dict()["notes"] == list(found.notes)
    assert "every item by its weight" in found.working()
    assert "Items are weighted by 'w'" in found.working()
    every = accord.measure(STUDY)
    assert str(every).count("Items are weighted") == 1
    assert found.n_items == 30
    assert set(found.by_item().columns) >= {"weight", "item_weight"}


def test_the_report_says_so_where_it_says_what_was_measured_and_how() -> None:
    context = Context(STUDY)
    for section in (measured, methods, coefficients):
        assert "eighted by 'w'" in section.build(context).markdown
    assert any("weighted by 'w', worth 22.3 that count alike" in fact.remark for fact in facts_of(context))


def test_a_result_of_another_process_is_the_same() -> None:
    for data in (TABLE, pl.DataFrame(TABLE).lazy()):
        result = accord.fleiss_kappa(data, item_weight="w", **ROLES)
        again = pickle.loads(pickle.dumps(result))  # noqa: S301 - our own
        assert (again.value, again.interval(), again.notes) == (result.value, result.interval(), result.notes)
        assert str(again.by_item()) == str(result.by_item())


def test_findings_are_about_the_items_as_they_are_and_say_so() -> None:
    found = accord.explain(STUDY)
    assert found.results[None].value == VALUE
    assert f"{VALUE:.3f}" in found.headline
    (gap,) = [one for one in found.not_looked_at if one.what == "what items weigh"]
    assert f"{accord.fleiss_kappa(TABLE, **ROLES).value:.3f} there" in gap.why
    plain = accord.explain(accord.Study(TABLE, **ROLES))
    names = [one.name for one in plain if one.name not in ("low-agreement", "target-not-shown")]
    assert [one.name for one in found if one.name in names] == names


def test_tables_of_findings_are_of_the_items_as_they_are() -> None:
    plain = accord.Study(TABLE, **ROLES)
    names = ("confusion", "confused_labels", "chance_models", "label_agreement", "leave_one_out", "contested_items")
    for name in names:
        table = getattr(accord.findings, name)
        assert str(table(STUDY)) == str(table(plain)), name


def test_gold_does_not_mind() -> None:
    weighted, plain = accord.gold(STUDY), accord.gold(accord.Study(TABLE, **ROLES))
    assert json.dumps(weighted.to_dict()) == json.dumps(plain.to_dict())


def test_a_plan_takes_items_to_come_for_chosen_alike() -> None:
    planned = accord.plan(STUDY, width=0.2, n_simulations=200)
    assert "those to come are chosen and weighted in the same way" in " ".join(planned.notes)
    plain = accord.plan(accord.Study(TABLE, **ROLES), width=0.2, n_simulations=200)
    assert planned.items is not None
    assert plain.items is not None
    ratio = (accord.fleiss_kappa(STUDY).interval().se / accord.fleiss_kappa(TABLE, **ROLES).interval().se) ** 2
    assert planned.items / plain.items == pytest.approx(ratio, rel=0.1)


# Who does not take them -----------------------------------------------------------------------------------------------


def test_what_cannot_be_right_is_refused_with_the_reason() -> None:
    result = accord.fleiss_kappa(STUDY)
    with pytest.raises(OptionError, match="Gwet's published error is for items that count alike"):
        result.interval(method="gwet")
    with pytest.raises(OptionError, match="shuffled answers would fall on items of other weights"):
        result.test(method="permutation")
    with pytest.raises(OptionError, match="is for items that were all as likely to be chosen"):
        result.interval(population=10_000)
    assert result.test().p < 0.05


# Measures of several labels, and of suggestions -----------------------------------------------------------------------


def repeated(table: dict[str, list[Any]]) -> dict[str, list[Any]]:
    """Every item twice as often as it weighs, each copy an item of its own."""
    copies: dict[str, list[Any]] = {name: [] for name in table}
    for place, weight in enumerate(table["w"]):
        for copy in range(int(2 * weight)):
            for name, cells in table.items():
                copies[name].append(f"{cells[place]}-{copy}" if name == "item" else cells[place])
    return copies


@pytest.mark.parametrize(
    ("measure", "answers", "options"),
    [
        (accord.rosenberg_binkowski_kappa, "ranked", {"p": 0.6}),
        (accord.rosenberg_binkowski_kappa, "ranked", {"weights": "overlap"}),
        (accord.bhowmick_am, "set", {}),
        (accord.bhowmick_am, "set", {"clubbed": False}),
    ],
)
def test_answers_of_several_labels_count_as_often_as_their_items_weigh(
    measure: Any, answers: Any, options: dict[str, Any]
) -> None:
    lists = [[label] if place % 3 else [label, "q"] for place, label in enumerate(TABLE["label"])]
    table = {**TABLE, "label": lists}
    one = measure(accord.Study(table, item_weight="w", answers=answers, **ROLES), **options)
    other = measure(accord.Study(repeated(table), answers=answers, **ROLES), **options)
    assert one.value == pytest.approx(other.value)
    assert one.observed == pytest.approx(other.observed)
    assert one.interval().se > 1.5 * other.interval().se
    assert one.interval(method="jackknife").se == pytest.approx(one.interval().se, rel=0.1)


def test_suggestions_are_judged_on_items_that_count_by_their_weight() -> None:
    one = accord.dipietro_hazari_kappa(accord.Study(TABLE, item_weight="w", **ROLES), suggested="guess")
    other = accord.dipietro_hazari_kappa(accord.Study(repeated(TABLE), **ROLES), suggested="guess")
    assert one.value == pytest.approx(other.value)
    assert one.interval(method="jackknife").se == pytest.approx(one.interval().se, rel=0.1)
    labels, repeats = one.by_label(), other.by_label()
    assert labels["value"] == pytest.approx(repeats["value"])
    assert sum(labels["items"]) == 30


def test_a_sample_drawn_label_by_label_has_the_value_of_its_weights() -> None:
    """The design's own weights, N of a label over n drawn, are weights of items; together they would count twice."""
    rng = np.random.default_rng(1)
    suggested = {f"i{place:03}": str(rng.choice(["x", "y", "z"], p=[0.7, 0.2, 0.1])) for place in range(300)}
    sample = sample_for_annotation(suggested, 60, by_label=True, rng=0)
    items = list(sample.suggestions)
    rows = [(item, who, suggested[item] if rng.random() < 0.8 else "x") for item in items for who in PEOPLE]
    table = {name: [row[place] for row in rows] for place, name in enumerate(ROLES)}
    by_design = accord.dipietro_hazari_kappa(accord.Study(table), suggested=sample)
    whole = {label: sum(one == label for one in suggested.values()) for label in "xyz"}
    drawn = {label: sum(suggested[item] == label for item in items) for label in "xyz"}
    weights = {item: whole[suggested[item]] / drawn[suggested[item]] for item in items}
    weighted = accord.Study(table).with_item_weights(weights)
    chosen = {item: suggested[item] for item in items}
    assert accord.dipietro_hazari_kappa(weighted, suggested=chosen).value == pytest.approx(by_design.value)
    with pytest.raises(MeasureError, match="its design says already what each item stands for"):
        accord.dipietro_hazari_kappa(weighted, suggested=sample)
