"""accord: agreement between annotators, with the right coefficient and its uncertainty.

Quick import is a promise: a public name is loaded from the module that is its home when it is first asked for. A new
name goes into three lists here, for type checkers, for `import *` and for loading; a test holds them to each other.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from accord import findings as findings
    from accord import judge as judge
    from accord import planning as planning
    from accord.agreement.compare import compare
    from accord.agreement.result import Agreement, Comparison, Interval, Measurements, Test
    from accord.agreement.table import Table
    from accord.consensus.decide import gold
    from accord.consensus.gold import Gold
    from accord.errors import AccordError
    from accord.findings import multilabel as multilabel
    from accord.findings.explaining import explain
    from accord.findings.multilabel import item_classes, p_curve
    from accord.judge import suggestions as suggestions
    from accord.judge.suggestions import sample_for_annotation
    from accord.measures.bhowmick import bhowmick_am
    from accord.measures.brennan_prediger import brennan_prediger_kappa
    from accord.measures.cohen import cohen_kappa
    from accord.measures.conger import conger_kappa
    from accord.measures.dipietro_hazari import dipietro_hazari_kappa
    from accord.measures.fleiss import fleiss_kappa
    from accord.measures.gwet import gwet_ac
    from accord.measures.krippendorff import krippendorff_alpha
    from accord.measures.light import light_kappa
    from accord.measures.measure_all import measure, pairwise
    from accord.measures.percent import percent_agreement
    from accord.measures.rosenberg_binkowski import rosenberg_binkowski_kappa
    from accord.measures.scott import scott_pi
    from accord.planning.how_many_items import plan
    from accord.planning.plan_result import Plan
    from accord.readers.read import read
    from accord.reporting.page import report
    from accord.study.study import Study

__version__ = "0.1.0"

__all__ = [
    "AccordError",
    "Agreement",
    "Comparison",
    "Gold",
    "Interval",
    "Measurements",
    "Plan",
    "Study",
    "Table",
    "Test",
    "bhowmick_am",
    "brennan_prediger_kappa",
    "cohen_kappa",
    "compare",
    "conger_kappa",
    "dipietro_hazari_kappa",
    "explain",
    "fleiss_kappa",
    "gold",
    "gwet_ac",
    "item_classes",
    "krippendorff_alpha",
    "light_kappa",
    "measure",
    "p_curve",
    "pairwise",
    "percent_agreement",
    "plan",
    "read",
    "report",
    "rosenberg_binkowski_kappa",
    "sample_for_annotation",
    "scott_pi",
]

_HOMES = {
    "AccordError": "errors",
    "Agreement": "agreement.result",
    "Comparison": "agreement.result",
    "Gold": "consensus.gold",
    "Interval": "agreement.result",
    "Measurements": "agreement.result",
    "Plan": "planning.plan_result",
    "Study": "study.study",
    "Table": "agreement.table",
    "Test": "agreement.result",
    "bhowmick_am": "measures.bhowmick",
    "brennan_prediger_kappa": "measures.brennan_prediger",
    "cohen_kappa": "measures.cohen",
    "compare": "agreement.compare",
    "conger_kappa": "measures.conger",
    "dipietro_hazari_kappa": "measures.dipietro_hazari",
    "explain": "findings.explaining",
    "fleiss_kappa": "measures.fleiss",
    "gold": "consensus.decide",
    "gwet_ac": "measures.gwet",
    "item_classes": "findings.multilabel.agreement_classes",
    "krippendorff_alpha": "measures.krippendorff",
    "light_kappa": "measures.light",
    "measure": "measures.measure_all",
    "p_curve": "findings.multilabel.kappa_over_p",
    "pairwise": "measures.measure_all",
    "percent_agreement": "measures.percent",
    "plan": "planning.how_many_items",
    "read": "readers.read",
    "report": "reporting.page",
    "rosenberg_binkowski_kappa": "measures.rosenberg_binkowski",
    "sample_for_annotation": "judge.suggestions.draw_sample",
    "scott_pi": "measures.scott",
}

# reached as accord.multilabel.secondary_use(study)
_PACKAGES = {
    "findings": "findings",
    "judge": "judge",
    "multilabel": "findings.multilabel",
    "planning": "planning",
    "suggestions": "judge.suggestions",
}

if not TYPE_CHECKING:  # or every misspelt name would pass the type checkers

    def __getattr__(name: str) -> object:
        from importlib import import_module

        if name in _PACKAGES:
            return import_module(f"accord.{_PACKAGES[name]}")
        if name not in _HOMES:
            raise AttributeError(f"module 'accord' has no attribute {name!r}")

        found = getattr(import_module(f"accord.{_HOMES[name]}"), name)
        globals()[name] = found  # asked once
        return found

    def __dir__() -> list[str]:
        return sorted({*globals(), *__all__, *_PACKAGES})
