"""What a coefficient hides, what causes the disagreement and what to do about it; may import `consensus` and what
lies below it.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from accord.findings.agreement_on_labels import confused_labels, label_agreement
    from accord.findings.annotator_clustering import annotator_clusters
    from accord.findings.base_rate import BaseRateCurve, base_rate_curve
    from accord.findings.conditional import conditional_agreement
    from accord.findings.confusion_tables import confusion, confusion_by_pair
    from accord.findings.contested import contested_items
    from accord.findings.drift import agreement_over_time
    from accord.findings.explaining import explain
    from accord.findings.finding import Evidence, Finding
    from accord.findings.findings_result import Findings
    from accord.findings.hierarchy import at_depth, by_depth, parent_of, shared_depth
    from accord.findings.label_spelling import near_duplicate_labels
    from accord.findings.layers import by_dimension, with_not_tagged
    from accord.findings.linked_answers import linked_agreement, with_links
    from accord.findings.marginal_homogeneity import cochran_q, mcnemar, stuart_maxwell
    from accord.findings.merged_labels import what_if_merged
    from accord.findings.outlying_annotators import annotators_against_rest, leave_one_out
    from accord.findings.power import Power
    from accord.findings.prevalence_bias import PrevalenceAndBias, prevalence_and_bias
    from accord.findings.relative_bias import bias_correlation, relative_biases
    from accord.findings.value_checks import chance_models

__all__ = [
    "BaseRateCurve",
    "Evidence",
    "Finding",
    "Findings",
    "Power",
    "PrevalenceAndBias",
    "agreement_over_time",
    "annotator_clusters",
    "annotators_against_rest",
    "at_depth",
    "base_rate_curve",
    "bias_correlation",
    "by_depth",
    "by_dimension",
    "chance_models",
    "cochran_q",
    "conditional_agreement",
    "confused_labels",
    "confusion",
    "confusion_by_pair",
    "contested_items",
    "explain",
    "label_agreement",
    "leave_one_out",
    "linked_agreement",
    "mcnemar",
    "near_duplicate_labels",
    "parent_of",
    "prevalence_and_bias",
    "relative_biases",
    "shared_depth",
    "stuart_maxwell",
    "what_if_merged",
    "with_links",
    "with_not_tagged",
]

_HOMES = {
    "BaseRateCurve": "base_rate",
    "Evidence": "finding",
    "Finding": "finding",
    "Findings": "findings_result",
    "Power": "power",
    "PrevalenceAndBias": "prevalence_bias",
    "agreement_over_time": "drift",
    "annotator_clusters": "annotator_clustering",
    "annotators_against_rest": "outlying_annotators",
    "at_depth": "hierarchy",
    "base_rate_curve": "base_rate",
    "bias_correlation": "relative_bias",
    "by_depth": "hierarchy",
    "by_dimension": "layers",
    "chance_models": "value_checks",
    "cochran_q": "marginal_homogeneity",
    "conditional_agreement": "conditional",
    "confused_labels": "agreement_on_labels",
    "confusion": "confusion_tables",
    "confusion_by_pair": "confusion_tables",
    "contested_items": "contested",
    "explain": "explaining",
    "label_agreement": "agreement_on_labels",
    "leave_one_out": "outlying_annotators",
    "linked_agreement": "linked_answers",
    "mcnemar": "marginal_homogeneity",
    "near_duplicate_labels": "label_spelling",
    "parent_of": "hierarchy",
    "prevalence_and_bias": "prevalence_bias",
    "relative_biases": "relative_bias",
    "shared_depth": "hierarchy",
    "stuart_maxwell": "marginal_homogeneity",
    "what_if_merged": "merged_labels",
    "with_links": "linked_answers",
    "with_not_tagged": "layers",
}

if not TYPE_CHECKING:  # a name is loaded from its module when it is first used, as in `accord` itself

    def __getattr__(name: str) -> object:
        from importlib import import_module

        if name not in _HOMES:
            raise AttributeError(f"module 'accord.findings' has no attribute {name!r}")
        found = getattr(import_module(f"accord.findings.{_HOMES[name]}"), name)
        globals()[name] = found
        return found

    def __dir__() -> list[str]:
        return sorted(__all__)
