"""accord: agreement between annotators, with the right coefficient and its uncertainty.

Quick import is a promise: a public name is loaded from the module that is its home when it is first asked for. A
registered measure is a public name without standing here; every other name is imported below for type checkers, and
stands in `_HOMES` for loading.
"""

TYPE_CHECKING = False  # as type checkers know it; loading `typing` takes longer than all the rest

if TYPE_CHECKING:
    from accord import datasets as datasets
    from accord import findings as findings
    from accord import judge as judge
    from accord import multilabel as multilabel
    from accord import planning as planning
    from accord import suggestions as suggestions
    from accord.agreement.compare import compare as compare
    from accord.agreement.comparison_result import Comparison as Comparison
    from accord.agreement.limits_of_agreement import LimitsOfAgreement as LimitsOfAgreement
    from accord.agreement.limits_of_agreement import bland_altman as bland_altman
    from accord.agreement.measurements import Measurements as Measurements
    from accord.agreement.rating_scale_model import RatingScaleModel as RatingScaleModel
    from accord.agreement.rating_scale_model import rating_scale_model as rating_scale_model
    from accord.agreement.result import Agreement as Agreement
    from accord.agreement.self_agreement_result import SelfAgreement as SelfAgreement
    from accord.agreement.table import Table as Table
    from accord.agreement.uncertainty import Interval as Interval
    from accord.agreement.uncertainty import Test as Test
    from accord.consensus.gold import Gold as Gold
    from accord.consensus.make_gold import gold as gold
    from accord.consensus.preferences.bradley_terry import bradley_terry as bradley_terry
    from accord.consensus.preferences.strengths import BradleyTerry as BradleyTerry
    from accord.consensus.rankings.best_worst import best_worst_scores as best_worst_scores
    from accord.errors import AccordError as AccordError
    from accord.findings.annotators_on_scale import annotators_on_scale as annotators_on_scale
    from accord.findings.explaining import explain as explain
    from accord.findings.gamma_scale import gamma_scale as gamma_scale
    from accord.findings.preferences.circular import circular_triads as circular_triads
    from accord.findings.preferences.position import position_effect as position_effect
    from accord.findings.span_tables import span_counts as span_counts
    from accord.findings.span_tables import span_differences as span_differences
    from accord.measures import *  # noqa: F403 - whatever is registered
    from accord.measures.agreement_with_oneself import self_agreement as self_agreement
    from accord.measures.components_of_scores import VarianceComponents as VarianceComponents
    from accord.measures.components_of_scores import variance_components as variance_components
    from accord.measures.measure_all import measure as measure
    from accord.measures.measure_all import pairwise as pairwise
    from accord.multilabel import item_classes as item_classes
    from accord.multilabel import p_curve as p_curve
    from accord.options import __version__ as __version__
    from accord.planning.how_many_items import plan as plan
    from accord.planning.plan_result import Plan as Plan
    from accord.readers.read import read as read
    from accord.readers.results.from_results import from_results as from_results
    from accord.reporting.page import report as report
    from accord.reporting.paper.paper import Paper as Paper
    from accord.reporting.paper.paper import paper as paper
    from accord.spans.matched_spans import matched_spans as matched_spans
    from accord.study.study import Study as Study
    from accord.suggestions import sample_for_annotation as sample_for_annotation
    from accord.warehouses.queries import Queries as Queries
    from accord.warehouses.queries import queries as queries
    from accord.workbench.publishing import publish as publish
    from accord.workbench.server import Workbench as Workbench
    from accord.workbench.server import serve as serve

_HOMES = {
    "AccordError": "errors",
    "Agreement": "agreement.result",
    "BradleyTerry": "consensus.preferences.strengths",
    "Comparison": "agreement.comparison_result",
    "Gold": "consensus.gold",
    "Interval": "agreement.uncertainty",
    "LimitsOfAgreement": "agreement.limits_of_agreement",
    "Measurements": "agreement.measurements",
    "Paper": "reporting.paper.paper",
    "Plan": "planning.plan_result",
    "Queries": "warehouses.queries",
    "RatingScaleModel": "agreement.rating_scale_model",
    "SelfAgreement": "agreement.self_agreement_result",
    "Study": "study.study",
    "Table": "agreement.table",
    "Test": "agreement.uncertainty",
    "VarianceComponents": "measures.components_of_scores",
    "Workbench": "workbench.server",
    "__version__": "options",
    "annotators_on_scale": "findings.annotators_on_scale",
    "bland_altman": "agreement.limits_of_agreement",
    "bradley_terry": "consensus.preferences.bradley_terry",
    "circular_triads": "findings.preferences.circular",
    "best_worst_scores": "consensus.rankings.best_worst",
    "compare": "agreement.compare",
    "explain": "findings.explaining",
    "from_results": "readers.results.from_results",
    "gamma_scale": "findings.gamma_scale",
    "gold": "consensus.make_gold",
    "item_classes": "multilabel.agreement_classes",
    "matched_spans": "spans.matched_spans",
    "measure": "measures.measure_all",
    "p_curve": "multilabel.kappa_over_p",
    "pairwise": "measures.measure_all",
    "paper": "reporting.paper.paper",
    "plan": "planning.how_many_items",
    "position_effect": "findings.preferences.position",
    "queries": "warehouses.queries",
    "rating_scale_model": "agreement.rating_scale_model",
    "read": "readers.read",
    "publish": "workbench.publishing",
    "report": "reporting.page",
    "sample_for_annotation": "suggestions.draw_sample",
    "self_agreement": "measures.agreement_with_oneself",
    "serve": "workbench.server",
    "span_counts": "findings.span_tables",
    "span_differences": "findings.span_tables",
    "variance_components": "measures.components_of_scores",
}

# rooms whose names are public too: accord.multilabel.secondary_use(study), from accord.judge import evaluate
_PACKAGES = ("datasets", "findings", "judge", "multilabel", "planning", "suggestions")

if not TYPE_CHECKING:  # or every misspelt name would pass the type checkers

    def __getattr__(name: str) -> object:
        from importlib import import_module

        if name == "__all__":
            return sorted({*_HOMES, *_measures()} - {"__version__"})
        if name in _PACKAGES:
            return import_module(f"accord.{name}")
        if name in _HOMES:
            found = getattr(import_module(f"accord.{_HOMES[name]}"), name)
        elif not name.startswith("_") and name in _measures():
            found = _measures()[name].function
        else:
            raise AttributeError(f"module 'accord' has no attribute {name!r}{_hint(name)}")
        globals()[name] = found  # asked once
        return found

    def _hint(name: str) -> str:
        """What somebody who brings a name of another package is looking for."""
        if name.startswith("_"):
            return ""
        from importlib import import_module

        found = import_module("accord.measures.names_elsewhere").hint(name, [*_HOMES, *_measures(), *_PACKAGES])
        return f". {found}" if found else ""

    def _measures() -> dict:
        """The registered measures, by name."""
        from importlib import import_module

        import_module("accord.measures")
        return import_module("accord.agreement.registry").MEASURES

    def __dir__() -> list[str]:
        return sorted({"__version__", *__getattr__("__all__"), *_PACKAGES})
