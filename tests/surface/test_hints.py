"""Names that people bring from other packages lead to accord's own."""

from __future__ import annotations

import pytest

import accord
from accord.measures.names_elsewhere import ELSEWHERE, NOT_HERE


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("cohen_kappa_score", "Did you mean accord.cohen_kappa? It takes two sequences of labels"),
        ("alpha", "Did you mean accord.krippendorff_alpha? It takes"),
        ("kappa", "accord.cohen_kappa"),
        ("fleiss", "accord.fleiss_kappa"),
        ("ICC", "accord.icc"),
        ("masi_distance", "weights='masi'"),
        ("AnnotationTask", "accord.Study"),
        ("fleis_kappa", "Did you mean accord.fleiss_kappa?"),
        ("Kohen_kappa", "accord.cohen_kappa"),
        ("DawidSkene", "method='dawid-skene'"),
        ("read_csv", "accord.read"),
    ],
)
def test_a_name_of_another_package_leads_to_ours(name: str, meant: str) -> None:
    with pytest.raises(AttributeError) as refusal:
        getattr(accord, name)
    assert f"module 'accord' has no attribute {name!r}. " in str(refusal.value)
    assert meant in str(refusal.value)


def test_every_hint_leads_to_something_that_is_there() -> None:
    for name, (call, _) in ELSEWHERE.items():
        found: object = accord
        for part in call.split("."):
            found = getattr(found, part)
        assert callable(found), name
        assert not hasattr(accord, name), f"{name} is ours"
    assert not set(NOT_HERE) & set(ELSEWHERE)


def test_a_name_that_nobody_knows_gets_no_hint() -> None:
    with pytest.raises(AttributeError, match=r"^module 'accord' has no attribute 'zebra'$"):
        accord.zebra  # type: ignore[attr-defined]  # noqa: B018
    assert not hasattr(accord, "__wrapped__")
