"""Annotators in the report: of a crowd the lowest are shown, and a matrix puts those who agree side by side."""

from __future__ import annotations

import numpy as np

import accord
from accord.agreement.table import Table
from accord.reporting.context import Context
from accord.reporting.sections.annotators import build, shown_annotators
from accord.reporting.seriation import side_by_side


def crowd_table(size: int = 436) -> Table:
    """Annotators in the order of their values, all with as many answers."""
    value = np.linspace(-0.5, 0.6, size)
    return Table(
        "by annotator",
        {
            "annotator": [f"w{place}" for place in range(size)],
            "answers": np.full(size, 50),
            "value": value,
            "low": value - 0.1,
            "high": value + 0.1,
        },
    )


def test_of_a_crowd_the_lowest_are_shown_and_others_from_the_whole_range() -> None:
    shown = shown_annotators(crowd_table())
    assert len(shown) == 40
    names = list(shown["annotator"])
    assert names[:25] == [f"w{place}" for place in range(25)]
    assert names[-1] == "w435"
    assert shown.notes == (
        "40 of 436 annotators are shown: the 25 whose intervals end lowest, and 15 of the others, evenly from the "
        "lowest value to the highest.",
    )


def test_somebody_with_few_answers_is_not_taken_for_the_lowest() -> None:
    table = crowd_table(60)
    value, high = table["value"].copy(), table["high"].copy()
    value[59], high[59] = -0.9, 0.9  # three answers: anything may be true of them
    order = np.argsort(value)
    unsure = Table(
        "by annotator",
        {**{name: table[name][order] for name in table.columns}, "value": value[order], "high": high[order]},
    )
    shown = shown_annotators(unsure)
    lowest = sorted(zip(shown["high"], shown["annotator"], strict=True))[:25]
    assert "w59" not in {name for _, name in lowest}


def test_everybody_is_shown_where_they_are_few() -> None:
    assert shown_annotators(crowd_table(40)).notes == ()


def test_the_section_of_a_crowd_has_the_spread_of_all() -> None:
    rng = np.random.default_rng(3)
    item = np.repeat(np.arange(150), 4)
    who = np.concatenate([rng.permutation(60)[:4] for _ in range(150)])
    label = np.where(who == 7, 2, np.where(rng.random(600) < 0.8, item % 2, rng.integers(0, 2, 600)))
    study = accord.Study({"item": item, "annotator": [f"w{number}" for number in who], "label": label})
    section = build(Context(study))
    assert "all annotators" in section.html
    assert "| w7 |" in section.markdown
    assert "of 60 annotators are shown" in section.markdown


def test_circles_stand_side_by_side() -> None:
    names = [f"p{place}" for place in range(8)]
    pairs = [(one, other) for place, one in enumerate(names) for other in names[place + 1 :]]
    circle = {name: int(name[1]) % 2 for name in names}  # even and odd ones agree among themselves
    values = [0.9 if circle[one] == circle[other] else 0.1 for one, other in pairs]
    table = Table(
        "pairs", {"first": [one for one, _ in pairs], "second": [other for _, other in pairs], "value": values}
    )
    order = [circle[name] for name in side_by_side(table, names)]
    assert order in ([0] * 4 + [1] * 4, [1] * 4 + [0] * 4)


def test_pairs_without_a_value_do_not_stop_the_order() -> None:
    table = Table("pairs", {"first": ["a", "a"], "second": ["b", "c"], "value": [float("nan"), float("nan")]})
    assert sorted(side_by_side(table, ["a", "b", "c"])) == ["a", "b", "c"]
    assert side_by_side(table, []) == []
