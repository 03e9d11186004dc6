"""Before labelling: how many items and annotators a study needs to say what it should."""

from accord.planning.annotators import AnnotatorsNeeded, annotators_needed
from accord.planning.closed_forms import intraclass_error, kappa_error
from accord.planning.plan_result import Plan
from accord.planning.planning_items import plan

__all__ = ["AnnotatorsNeeded", "Plan", "annotators_needed", "intraclass_error", "kappa_error", "plan"]
