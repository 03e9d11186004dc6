"""How many items and how many annotators a study needs; may import `consensus` and what lies below it."""

from accord.planning.closed_forms import intraclass_error, kappa_error
from accord.planning.decision_study import DecisionStudy, decision_study
from accord.planning.how_many_annotators import AnnotatorsNeeded, annotators_needed
from accord.planning.how_many_items import plan
from accord.planning.plan_result import Plan

__all__ = [
    "AnnotatorsNeeded",
    "DecisionStudy",
    "Plan",
    "annotators_needed",
    "decision_study",
    "intraclass_error",
    "kappa_error",
    "plan",
]


def __dir__() -> list[str]:
    return sorted(__all__)
