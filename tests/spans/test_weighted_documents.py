"""Documents that were chosen with unequal chances count by their weights, whatever is measured of their spans."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import accord
from accord import Study
from accord.errors import MeasureError

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


def test_what_is_no_function_of_sums_over_documents_is_refused() -> None:
    rng = np.random.default_rng(0)
    cells = [(item, name, run) for item in range(6) for name in "xy" for run in (1, 2)][1:]
    given = [{"item": i, "annotator": name, "run": run, "score": rng.normal()} for i, name, run in cells]
    study = Study(given, item="item", annotator="annotator", run="run", score="score", duplicates="repeat")
    with pytest.raises(MeasureError, match="no function of sums over items"):
        accord.icc(study.with_item_weights({item: 1 + item for item in range(6)}))
