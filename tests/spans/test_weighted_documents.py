"""Documents that were chosen with unequal chances count by their weights, whatever is measured of their spans."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import accord
from accord import Study
from accord.coefficients.units import Units

NAMES = Path(__file__).parents[2] / "examples" / "marked-names.csv"
MEASURES: list[Any] = [accord.span_f1, accord.fleiss_kappa, accord.gamma, accord.gamma_cat]


def rows() -> list[dict[str, Any]]:
    frame: Any = accord.read(NAMES)._frame
    columns = {name: frame.cells(name) for name in frame.columns}
    return [dict(zip(columns, cells, strict=True)) for cells in zip(*columns.values(), strict=True)]


def weighing(item: str) -> int:
    """One, two or three."""
    return 1 + int(item[-2:]) % 3


@pytest.fixture(scope="module", name="weighted")
def of_weights() -> Study:
    return Study([row | {"item_weight": weighing(row["item"])} for row in rows()])


@pytest.fixture(scope="module", name="repeated")
def of_copies() -> Study:
    """As many copies of every document as it weighs."""
    return Study([row | {"item": f"{row['item']}-{copy}"} for row in rows() for copy in range(weighing(row["item"]))])


@pytest.mark.parametrize("measure", MEASURES)
def test_a_document_counts_as_often_as_it_weighs(measure: Any, weighted: Study, repeated: Study) -> None:
    found = measure(weighted)
    assert found.value == pytest.approx(measure(repeated).value)
    assert found.n_items == 24
    assert any("24 are worth" in note for note in found.notes)


@pytest.mark.parametrize(
    "measure", [*MEASURES, accord.krippendorff_alpha, accord.unitizing_alpha, accord.unitizing_alpha_1995]
)
def test_errors_are_those_of_leaving_each_document_out(measure: Any, weighted: Study) -> None:
    found = measure(weighted)
    assert found.interval().se == pytest.approx(found.interval(method="jackknife").se, rel=0.05)


def test_influence_on_weighted_documents_is_the_derivative(weighted: Study) -> None:
    found = accord.span_f1(weighted).coefficient
    assert found is not None
    steps = [(found.evaluate(1 + move).value - found.evaluate(1 - move).value) / 2e-5 for move in 1e-5 * np.eye(24)]
    assert found.influence() == pytest.approx(24 * np.array(steps), abs=1e-6)


def test_labels_and_pairs_count_documents_by_their_weights_too(weighted: Study, repeated: Study) -> None:
    one, other = accord.span_f1(weighted), accord.span_f1(repeated)
    for table in ("by_label", "by_pair"):
        assert getattr(one, table)()["value"] == pytest.approx(getattr(other, table)()["value"])


def test_the_form_of_1995_takes_weights_too(weighted: Study, repeated: Study) -> None:
    """As chance leaves out pairs of a position with itself, copies differ a little from weights whose mean is 1."""
    found, plain = accord.unitizing_alpha_1995(weighted), accord.unitizing_alpha_1995(weighted.with_item_weights(None))
    assert found.value == pytest.approx(accord.unitizing_alpha_1995(repeated).value, abs=2e-3)
    assert abs(found.value - plain.value) > 5e-3
    assert found.interval().se > 0
    assert (
        accord.unitizing_alpha_1995(weighted.with_item_weights(dict.fromkeys(weighted.items, 2))).value == plain.value
    )


TIMES_OF_ITEMS: list[tuple[Any, dict[str, Any]]] = [
    *((accord.span_f1, {"average": average}) for average in ("micro", "macro", "labels", "pooled")),
    (accord.span_f1, {"empty": "agree"}),
    (accord.gamma, {}),
    (accord.gamma_cat, {}),
    (accord.unitizing_alpha, {}),
    (accord.krippendorff_alpha, {}),
    (accord.fleiss_kappa, {}),
    (accord.unitizing_alpha_1995, {}),
]


@pytest.mark.parametrize(("measure", "options"), TIMES_OF_ITEMS)
def test_so_many_of_a_document_are_so_many_copies_of_it(
    measure: Any, options: dict[str, Any], weighted: Study, repeated: Study
) -> None:
    """The value and the tables, by the numbers themselves: weights count by their proportions only."""
    one, copies = measure(weighted, **options).coefficient.unweighted, measure(repeated, **options).coefficient
    times = np.array([float(weighing(str(item))) for item in weighted.items])
    copy_of = np.array([weighted.items.index(str(item).rsplit("-", 1)[0]) for item in repeated.items])
    assert float(one.evaluate(times).value) == pytest.approx(float(copies.parts.value))
    counted = one.counted(times)
    if counted is None:
        assert measure is accord.unitizing_alpha_1995
        assert one.tables == ("by_pair",)
        return
    found, wanted = counted.decomposition(), copies.decomposition()
    assert found.value[copy_of] == pytest.approx(wanted.value, nan_ok=True)
    assert (found.weight / times)[copy_of] == pytest.approx(wanted.weight)
    assert counted.by_annotator(weighted).value == pytest.approx(copies.by_annotator(repeated).value)


@pytest.mark.parametrize(("measure", "options"), TIMES_OF_ITEMS)
def test_tables_of_weighted_documents_add_up_to_the_value(
    measure: Any, options: dict[str, Any], weighted: Study, repeated: Study
) -> None:
    found, copies = measure(weighted, **options), measure(repeated, **options)
    assert found.by_pair()["value"] == pytest.approx(copies.by_pair()["value"], abs=1e-3)
    if measure is accord.unitizing_alpha_1995:
        return
    items = found.by_item()
    assert np.nansum(np.asarray(items["weight"]) * np.asarray(items["value"])) == pytest.approx(found.value)
    assert items["item_weight"].sum() == pytest.approx(24)
    assert found.by_annotator()["value"] == pytest.approx(copies.by_annotator()["value"], abs=1e-3)


@pytest.mark.parametrize("measure", [accord.span_f1, accord.gamma, accord.unitizing_alpha])
def test_of_two_annotators_each_is_as_sure_as_the_value(measure: Any, weighted: Study) -> None:
    two = weighted.of_annotators(list(weighted.annotators[:2]))
    found = measure(two).coefficient
    assert found.by_annotator(two).error[:2] == pytest.approx(found.error(Units(found.sample)), rel=1e-3)
